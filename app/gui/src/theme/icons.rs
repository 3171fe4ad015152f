//! Our own icons, drawn with strokes on a grid of 16 by 16: sharp at every zoom, and no glyph of a font is needed.

use egui::{Color32, CornerRadius, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, pos2};

/// An icon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say what is drawn")]
pub enum Icon {
    Book,
    Rows,
    Shield,
    Search,
    Folder,
    File,
    Close,
    Check,
    Cross,
    Warn,
    Info,
    Dash,
    Key,
    Right,
    Down,
    Up,
    Drop,
    Swap,
    Dot,
    Command,
    Steps,
}

impl Icon {
    /// Draws it into `rect`.
    pub fn paint(self, painter: &Painter, rect: Rect, color: Color32) {
        Pen { painter, rect, stroke: Stroke::new((rect.width() / 16.0 * 1.5).max(1.0), color) }.draw(self);
    }
}

struct Pen<'a> {
    painter: &'a Painter,
    rect: Rect,
    stroke: Stroke,
}

impl Pen<'_> {
    fn at(&self, x: f32, y: f32) -> Pos2 {
        self.rect.min + Vec2::new(x, y) * (self.rect.width() / 16.0)
    }

    fn len(&self, l: f32) -> f32 {
        l * self.rect.width() / 16.0
    }

    fn line(&self, points: &[(f32, f32)]) {
        let points = points.iter().map(|&(x, y)| self.at(x, y)).collect();
        self.painter.add(Shape::line(points, self.stroke));
    }

    fn closed(&self, points: &[(f32, f32)]) {
        let points = points.iter().map(|&(x, y)| self.at(x, y)).collect();
        self.painter.add(Shape::closed_line(points, self.stroke));
    }

    fn boxed(&self, a: (f32, f32), b: (f32, f32), radius: f32) {
        let rect = Rect::from_min_max(self.at(a.0, a.1), self.at(b.0, b.1));
        self.painter.rect_stroke(rect, CornerRadius::from(self.len(radius)), self.stroke, StrokeKind::Middle);
    }

    fn ring(&self, center: (f32, f32), radius: f32) {
        self.painter.circle_stroke(self.at(center.0, center.1), self.len(radius), self.stroke);
    }

    fn disc(&self, center: (f32, f32), radius: f32) {
        self.painter.circle_filled(self.at(center.0, center.1), self.len(radius), self.stroke.color);
    }

    fn draw(&self, icon: Icon) {
        match icon {
            Icon::Book => {
                self.line(&[
                    (8.0, 4.2),
                    (6.2, 3.2),
                    (2.5, 3.2),
                    (2.5, 12.2),
                    (6.2, 12.2),
                    (8.0, 13.2),
                    (9.8, 12.2),
                    (13.5, 12.2),
                    (13.5, 3.2),
                    (9.8, 3.2),
                    (8.0, 4.2),
                ]);
                self.line(&[(8.0, 4.2), (8.0, 13.2)]);
            }
            Icon::Rows => {
                self.ring((3.6, 4.2), 1.5);
                self.boxed((2.2, 10.3), (5.0, 13.1), 0.6);
                self.line(&[(7.5, 4.2), (14.0, 4.2)]);
                self.line(&[(7.5, 11.7), (14.0, 11.7)]);
                self.line(&[(2.2, 7.95), (14.0, 7.95)]);
            }
            Icon::Shield => {
                self.closed(&[
                    (8.0, 1.8),
                    (13.4, 3.8),
                    (13.4, 7.6),
                    (12.3, 10.6),
                    (10.4, 12.8),
                    (8.0, 14.2),
                    (5.6, 12.8),
                    (3.7, 10.6),
                    (2.6, 7.6),
                    (2.6, 3.8),
                ]);
                self.line(&[(5.5, 8.0), (7.3, 9.8), (10.7, 6.2)]);
            }
            Icon::Search => {
                self.ring((7.0, 7.0), 4.4);
                self.line(&[(10.3, 10.3), (13.8, 13.8)]);
            }
            Icon::Folder => self.closed(&[(2.0, 3.6), (6.2, 3.6), (7.8, 5.2), (14.0, 5.2), (14.0, 12.8), (2.0, 12.8)]),
            Icon::File => {
                self.closed(&[(3.6, 1.8), (9.6, 1.8), (12.6, 4.8), (12.6, 14.2), (3.6, 14.2)]);
                self.line(&[(9.4, 2.0), (9.4, 5.0), (12.4, 5.0)]);
            }
            Icon::Close | Icon::Cross => {
                self.line(&[(4.0, 4.0), (12.0, 12.0)]);
                self.line(&[(12.0, 4.0), (4.0, 12.0)]);
            }
            Icon::Check => self.line(&[(3.2, 8.4), (6.6, 11.8), (12.8, 4.6)]),
            Icon::Warn => {
                self.closed(&[(8.0, 2.2), (14.4, 13.4), (1.6, 13.4)]);
                self.line(&[(8.0, 6.2), (8.0, 9.6)]);
                self.disc((8.0, 11.5), 0.85);
            }
            Icon::Info => {
                self.ring((8.0, 8.0), 6.2);
                self.line(&[(8.0, 7.4), (8.0, 11.2)]);
                self.disc((8.0, 5.0), 0.9);
            }
            Icon::Dash => self.line(&[(3.6, 8.0), (12.4, 8.0)]),
            Icon::Key => {
                self.ring((5.2, 10.4), 3.0);
                self.line(&[(7.4, 8.2), (13.2, 2.4)]);
                self.line(&[(11.2, 4.4), (13.2, 6.4)]);
            }
            Icon::Right => self.line(&[(6.0, 3.6), (10.4, 8.0), (6.0, 12.4)]),
            Icon::Down => self.line(&[(3.6, 6.0), (8.0, 10.4), (12.4, 6.0)]),
            Icon::Up => self.line(&[(3.6, 10.0), (8.0, 5.6), (12.4, 10.0)]),
            Icon::Drop => {
                self.line(&[(8.0, 1.8), (8.0, 9.6)]);
                self.line(&[(4.8, 6.6), (8.0, 9.8), (11.2, 6.6)]);
                self.line(&[(2.0, 9.6), (2.0, 13.8), (14.0, 13.8), (14.0, 9.6)]);
            }
            Icon::Swap => {
                self.line(&[(2.4, 5.4), (13.4, 5.4)]);
                self.line(&[(10.6, 2.8), (13.4, 5.4), (10.6, 8.0)]);
                self.line(&[(13.6, 10.8), (2.6, 10.8)]);
                self.line(&[(5.4, 8.4), (2.6, 10.8), (5.4, 13.4)]);
            }
            Icon::Dot => self.disc((8.0, 8.0), 5.0),
            Icon::Steps => {
                self.line(&[(2.0, 12.6), (6.2, 12.6), (6.2, 8.2), (10.4, 8.2), (10.4, 3.8), (14.2, 3.8)]);
            }
            Icon::Command => {
                self.line(&[(2.6, 4.2), (6.4, 8.0), (2.6, 11.8)]);
                self.line(&[(8.2, 12.2), (13.6, 12.2)]);
            }
        }
    }
}

/// A square of `size` points around a centre.
#[must_use]
pub fn square(center: Pos2, size: f32) -> Rect {
    Rect::from_center_size(pos2(center.x.round(), center.y.round()), Vec2::splat(size))
}
