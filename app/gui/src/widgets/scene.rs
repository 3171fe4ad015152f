//! A laid-out board: where every mark, edge and label stands, and the drawing of it. Cube and lattice differ only in how
//! they lay out; screen and export only in who draws the list.

use super::drawing::{Dash, Drawing, Measure, wrap};
use super::ink::{Ink, Type};
use super::labels::{Obstacles, Place, settle};
use super::model::{Board, Edge};
use super::verdict::Look;
use decidendi_core::judgment::source::Mask;
use egui::{Align, Align2, Pos2, Rect, Vec2, pos2, vec2};

/// What is selected on a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selected {
    /// The hybrid.
    pub cell: Mask,
    /// The edge that is walked, if one is.
    pub edge: Option<Edge>,
}

/// A part of a board under the pointer or the keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A hybrid.
    Corner(Mask),
    /// One source replaced.
    Edge(Edge),
}

/// A mark's place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node {
    /// The hybrid.
    pub cell: Mask,
    /// Its centre.
    pub at: Pos2,
}

/// An edge's place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// The edge.
    pub edge: Edge,
    /// Its ends.
    pub ends: [Pos2; 2],
    /// Whether the cube's faces hide it.
    pub hidden: bool,
}

/// A label's place.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// The rectangle it fills.
    pub rect: Rect,
    /// Its lines, top to bottom.
    pub lines: Vec<(String, Type, Ink)>,
    /// Which side its lines are set to.
    pub align: Align,
    /// A thin line to its mark, where it had to move away from it.
    pub leader: Option<[Pos2; 2]>,
}

/// Everything laid out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    /// Extent.
    pub size: Vec2,
    /// Radius of marks.
    pub radius: f32,
    /// Marks, back to front.
    pub nodes: Vec<Node>,
    /// Edges.
    pub spans: Vec<Span>,
    /// Labels.
    pub labels: Vec<Label>,
    /// Which candidate each label took: handed back next frame, so that labels stay where they are.
    pub choices: Vec<usize>,
    /// Whether labels need a spot of background because edges run below them.
    pub halo: bool,
}

/// Pictures lower than this are drawn with smaller marks and captions of one line.
pub(super) const LOW: f32 = 290.0;

/// Text beside a corner before it has a place.
#[derive(Debug, Clone)]
pub(super) struct Caption {
    pub lines: Vec<(String, Type, Ink)>,
    pub size: Vec2,
}

/// Height of one line of a label.
fn line_height(ty: Type) -> f32 {
    (ty.size * 1.22).round()
}

impl Caption {
    pub(super) fn new(lines: Vec<(String, Type, Ink)>, measure: &mut Measure<'_>) -> Self {
        let width = lines.iter().map(|(text, ty, _)| measure(text, *ty).x).fold(0.0, f32::max).ceil();
        let height = lines.iter().map(|(_, ty, _)| line_height(*ty)).sum();
        Self { lines, size: vec2(width, height) }
    }

    /// The caption of a corner: its label, and its verdict's word if `words`. A `widest` of 0 asks for one line, for
    /// pictures that are low.
    pub(super) fn corner(board: &Board, cell: Mask, words: bool, widest: f32, measure: &mut Measure<'_>) -> Self {
        let mut lines = Vec::new();
        if let Some(corner) = board.corner(cell) {
            let ty = Type::bold(11.5);
            let flat = format!("{}  {}", corner.label, corner.mark.word);
            if widest == 0.0 && corner.mark.look != Look::Predicted && measure(&flat, ty).x < 140.0 {
                return Self::new(vec![(flat, ty, corner.mark.ink())], measure);
            }
            let widest = if widest == 0.0 { 140.0 } else { widest };
            lines.push((corner.label.clone(), Type::bold(12.5), Ink::Text));
            if words {
                let ty = Type::sans(11.5);
                for line in wrap(&corner.mark.word, widest, ty, measure) {
                    lines.push((line, ty, corner.mark.ink()));
                }
                if corner.mark.look == Look::Predicted {
                    lines.push(("predicted".to_owned(), Type::sans(10.5), Ink::Muted));
                }
            }
        }
        Self::new(lines, measure)
    }
}

/// Candidate places around a mark: sixteen directions at four distances. `outward` points away from the middle.
pub(super) fn around(at: Pos2, reach: f32, size: Vec2, outward: Vec2) -> Vec<Place> {
    let mut places = Vec::with_capacity(64);
    for (ring, gap) in [3.0_f32, 13.0, 26.0, 44.0].into_iter().enumerate() {
        for step in 0..16 {
            let angle = std::f32::consts::TAU * step as f32 / 16.0;
            let d = vec2(angle.cos(), angle.sin());
            // The half extents are added as far as the direction needs them, so the label touches the circle, no more.
            let lean = vec2((d.x * 1.5).clamp(-1.0, 1.0), (d.y * 1.5).clamp(-1.0, 1.0));
            let center = at + d * (reach + gap) + vec2(size.x * 0.5 * lean.x, size.y * 0.5 * lean.y);
            let agrees = if outward == Vec2::ZERO { d.x } else { outward.normalized().dot(d) };
            // Beside reads better than above or below.
            let cost = (1.0 - agrees).mul_add(16.0, d.y.abs() * 9.0) + [0.0, 34.0, 90.0, 170.0][ring];
            places.push(Place { rect: Rect::from_center_size(center, size), cost });
        }
    }
    places
}

/// The side to which a label's lines are set, seen from its mark.
pub(super) fn side(rect: Rect, at: Pos2) -> Align {
    if rect.left() > at.x {
        Align::Min
    } else if rect.right() < at.x {
        Align::Max
    } else {
        Align::Center
    }
}

/// Gives every caption its place.
pub(super) fn settle_captions(
    captions: Vec<(Caption, Pos2)>,
    wishes: &[Vec<Place>],
    obstacles: &Obstacles,
    last: &[usize],
) -> (Vec<Label>, Vec<usize>) {
    let choices = settle(wishes, obstacles, last);
    let labels = captions
        .into_iter()
        .zip(&choices)
        .zip(wishes)
        .filter_map(|(((caption, at), choice), places)| {
            let rect = places.get(*choice)?.rect;
            let rect = Rect::from_min_size(pos2(rect.min.x.round(), rect.min.y.round()), rect.size());
            Some(Label { rect, lines: caption.lines, align: side(rect, at), leader: None })
        })
        .collect();
    (labels, choices)
}

impl Scene {
    /// How far a mark with all its rings reaches.
    #[must_use]
    pub fn reach(&self, board: &Board, cell: Mask) -> f32 {
        reach(board, cell, self.radius)
    }

    /// Where a corner stands.
    #[must_use]
    pub fn at(&self, cell: Mask) -> Option<Pos2> {
        self.nodes.iter().find(|n| n.cell == cell).map(|n| n.at)
    }

    /// Draws the scene: hidden edges, then quiet, then flipping ones, then marks back to front, then words.
    #[must_use]
    pub fn draw(&self, board: &Board, selected: Option<Selected>, hover: Option<Part>) -> Drawing {
        let mut d = Drawing::new(self.size);
        let rank = |s: &&Span| (board.flips(s.edge), !s.hidden);
        let mut spans: Vec<&Span> = self.spans.iter().collect();
        spans.sort_by_key(rank);
        // Hundreds of edges at full weight would hide the marks.
        let fine = if self.spans.len() > 60 { 0.62 } else { 1.0 };
        for span in spans {
            let walked = selected.is_some_and(|s| s.edge == Some(span.edge));
            let (width, ink) = match (walked, board.flips(span.edge)) {
                (true, _) => (3.0, Ink::Accent),
                (false, true) => (1.9 * fine, Ink::Text),
                (false, false) => (1.1 * fine, Ink::Quiet),
            };
            // Under the pointer or the keyboard it lies on a broad band.
            let marked = hover == Some(Part::Edge(span.edge));
            if marked {
                d.line(span.ends.to_vec(), 9.0, Ink::Band, Dash::Solid);
            }
            let (width, ink) = if marked { (2.6, Ink::Accent) } else { (width, ink) };
            let dash = if span.hidden { Dash::Dashed } else { Dash::Solid };
            d.line(span.ends.to_vec(), width, ink, dash);
        }
        for node in &self.nodes {
            self.draw_node(board, node, selected, hover, &mut d);
        }
        for ends in self.labels.iter().filter_map(|l| l.leader) {
            d.line(ends.to_vec(), 0.9, Ink::Faint, Dash::Solid);
        }
        for label in &self.labels {
            label.draw(self.halo, &mut d);
        }
        d
    }

    fn draw_node(&self, board: &Board, node: &Node, selected: Option<Selected>, hover: Option<Part>, d: &mut Drawing) {
        let Some(corner) = board.corner(node.cell) else { return };
        let r = self.radius;
        d.disc(node.at, r + 3.0, Ink::Panel);
        corner.mark.draw(node.at, r, d);
        let mut ring = r + 3.5;
        if corner.receipt {
            ring += r * 0.24;
            d.ring(node.at, ring, (r * 0.16).max(1.8), Ink::Receipt, Dash::Solid);
            ring += 2.5;
        }
        if selected.is_some_and(|s| s.cell == node.cell) {
            d.ring(node.at, ring + r * 0.22, 1.5, Ink::Accent, Dash::Dotted);
        } else if hover == Some(Part::Corner(node.cell)) {
            d.ring(node.at, ring + r * 0.1, 1.2, Ink::Faint, Dash::Solid);
        }
        if corner.broken {
            warning(node.at + vec2(r * 0.95, -r * 0.95), (r * 0.52).max(4.5), d);
        }
    }
}

/// How far a mark of radius `radius` reaches with its rings.
pub(super) fn reach(board: &Board, cell: Mask, radius: f32) -> f32 {
    let receipt = board.corner(cell).is_some_and(|c| c.receipt);
    if receipt { radius.mul_add(1.46, 8.5) } else { radius.mul_add(1.22, 6.5) }
}

/// A small warning triangle: this hybrid holds a receipt and yet fails.
pub fn warning(at: Pos2, r: f32, d: &mut Drawing) {
    let triangle = |r: f32| vec![at + vec2(0.0, -r), at + vec2(r * 0.98, r * 0.8), at + vec2(-r * 0.98, r * 0.8)];
    d.fill(triangle(r * 1.5), Ink::Panel);
    d.fill(triangle(r), Ink::Warn);
    d.line(vec![at + vec2(0.0, -r * 0.38), at + vec2(0.0, r * 0.22)], (r * 0.2).max(1.0), Ink::Panel, Dash::Solid);
    d.disc(at + vec2(0.0, r * 0.52), (r * 0.13).max(0.6), Ink::Panel);
}

impl Label {
    fn draw(&self, halo: bool, d: &mut Drawing) {
        if halo {
            let r = self.rect.expand2(vec2(1.0, -1.0));
            d.fill(vec![r.left_top(), r.right_top(), r.right_bottom(), r.left_bottom()], Ink::Panel);
        }
        let mut y = self.rect.top();
        for (text, ty, ink) in &self.lines {
            let height = line_height(*ty);
            let (x, anchor) = match self.align {
                Align::Min => (self.rect.left(), Align2::LEFT_CENTER),
                Align::Center => (self.rect.center().x, Align2::CENTER_CENTER),
                Align::Max => (self.rect.right(), Align2::RIGHT_CENTER),
            };
            d.words(pos2(x, y + height / 2.0), anchor, text.clone(), *ty, *ink);
            y += height;
        }
    }
}
