//! The judgment cube of one to three sources, seen in space: old endpoint lower left, revised one opposite, one axis per
//! source. Turning moves the cube, never the meaning: marks, edges and labels stay apart in every pose.

use super::drawing::Measure;
use super::ink::{Ink, Type};
use super::labels::{Obstacles, Place};
use super::model::Board;
use super::scene::{Caption, LOW, Node, Scene, Span, around, reach, settle_captions};
use decidendi_core::judgment::source::Mask;
use egui::{Pos2, Rect, Vec2, pos2, vec2};

/// How the cube is turned, in radians.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// About the upright axis.
    pub yaw: f32,
    /// How far from above it is seen.
    pub pitch: f32,
}

impl Default for Pose {
    fn default() -> Self {
        Self { yaw: 0.42, pitch: 0.3 }
    }
}

impl Pose {
    /// The pose after turning by a drag of `by` points.
    #[must_use]
    pub fn turned(self, by: Vec2) -> Self {
        let yaw = (self.yaw - by.x * 0.008).rem_euclid(std::f32::consts::TAU);
        Self { yaw, pitch: (self.pitch + by.y * 0.008).clamp(-1.35, 1.35) }
    }

    /// Turns a point: x right, y up, z away from the eye.
    fn apply(self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        let (sy, cy) = self.yaw.sin_cos();
        let (sp, cp) = self.pitch.sin_cos();
        let (x, z) = (x.mul_add(cy, z * sy), z.mul_add(cy, -x * sy));
        [x, y.mul_add(cp, z * sp), z.mul_add(cp, -y * sp)]
    }
}

/// Distance of the eye in edge lengths: far enough that parallel edges look parallel, near enough to tell front from back.
const EYE: f32 = 8.0;

/// A corner in space; sources beyond the third have no axis.
fn corner(cell: Mask, k: usize) -> [f32; 3] {
    let at = |i: usize| {
        if i >= k {
            0.0
        } else if cell.contains(i) {
            0.5
        } else {
            -0.5
        }
    };
    [at(0), at(1), at(2)]
}

/// Lays the cube out in `size`. `last` is the scene of the frame before.
#[must_use]
pub fn layout(board: &Board, pose: Pose, size: Vec2, last: Option<&Scene>, measure: &mut Measure<'_>) -> Scene {
    let k = board.k().min(3);
    let pose = if k == 3 { pose } else { Pose { yaw: 0.0, pitch: 0.0 } };
    // Below this height every point counts: captions take one line, and the cube is fitted to its pose.
    let low = size.y < LOW;
    let widest = if low { 0.0 } else { (size.x * 0.22).clamp(56.0, 140.0) };
    let cells: Vec<Mask> = (0..1_u32 << k).map(Mask).collect();
    let captions: Vec<Caption> =
        cells.iter().map(|&cell| Caption::corner(board, cell, true, widest, measure)).collect();
    // Labels may also stand above and below, so a long one costs the cube no more than a fifth of the width a side.
    let room = (captions.iter().map(|c| c.size.x).fold(0.0, f32::max) + 22.0).min(size.x * 0.2);
    let unit = if low { low_unit(k, size, room, pose) } else { unit_length(k, size, room) };
    let wide = if low { stretch(k, size, room, pose, unit) } else { 1.0 };
    let radius = (unit * 0.072).clamp(9.0, 17.0);
    let middle = pos2(size.x / 2.0, size.y / 2.0);

    let turned: Vec<[f32; 3]> = cells.iter().map(|&cell| pose.apply(corner(cell, k))).collect();
    let mut points: Vec<Pos2> = turned
        .iter()
        .map(|[x, y, z]| {
            let near = EYE / (EYE + z);
            middle + vec2(x * near * wide, -y * near) * unit
        })
        .collect();
    part(&mut points, 2.0f32.mul_add(radius, 8.0));

    let shown = faces_shown(pose);
    let spans = board
        .edges()
        .map(|edge| Span {
            edge,
            ends: [points[edge.base.0 as usize], points[edge.top().0 as usize]],
            hidden: k == 3 && is_hidden(edge.source, edge.base, shown),
        })
        .collect();
    let mut nodes: Vec<Node> = cells.iter().map(|&cell| Node { cell, at: points[cell.0 as usize] }).collect();
    nodes.sort_by(|a, b| turned[b.cell.0 as usize][2].total_cmp(&turned[a.cell.0 as usize][2]));
    let mut scene = Scene { size, radius, nodes, spans, halo: true, ..Scene::default() };
    place_labels(board, &mut scene, captions, &points, last, measure);
    scene
}

/// The edge length that fits every pose, so that the cube does not breathe while it turns.
fn unit_length(k: usize, size: Vec2, room: f32) -> f32 {
    let (wide, high) = match k {
        1 => (1.0, 0.3),
        2 => (1.0, 1.0),
        _ => (1.42, 1.62),
    };
    let across = 2.0f32.mul_add(-room, size.x) / wide;
    let up = (size.y - 96.0) / high;
    across.min(up).clamp(70.0, 270.0)
}

/// The edge length that fits this pose: in a low picture the cube may breathe rather than be tiny.
fn low_unit(k: usize, size: Vec2, room: f32, pose: Pose) -> f32 {
    let (sp, cp) = pose.pitch.sin_cos();
    let (sy, cy) = pose.yaw.sin_cos();
    let high = if k < 3 { 1.0 } else { cp.abs() + (sy.abs() + cy.abs()) * sp.abs() };
    let wide = if k < 3 { 1.0 } else { sy.abs() + cy.abs() };
    (2.0f32.mul_add(-room, size.x) / wide).min((size.y - 62.0) / high).clamp(54.0, 200.0)
}

/// How much wider than high a low picture may draw the cube: corners come apart, and each label finds room at its own.
fn stretch(k: usize, size: Vec2, room: f32, pose: Pose, unit: f32) -> f32 {
    let (sy, cy) = pose.yaw.sin_cos();
    let wide = if k < 3 { 1.0 } else { sy.abs() + cy.abs() };
    (2.0f32.mul_add(-room, size.x) / (wide * unit)).clamp(1.0, 1.75)
}

/// Pushes marks apart that a pose would put on top of each other.
fn part(points: &mut [Pos2], apart: f32) {
    for _ in 0..4 {
        for i in 0..points.len() {
            for j in i + 1..points.len() {
                let d = points[j] - points[i];
                let length = d.length();
                if length < apart {
                    let way = if length > 0.01 { d / length } else { vec2(0.8, 0.6) };
                    let by = way * ((apart - length) / 2.0);
                    points[i] -= by;
                    points[j] += by;
                }
            }
        }
    }
}

/// Which of the six faces the eye sees: by axis, low side then high side.
fn faces_shown(pose: Pose) -> [[bool; 2]; 3] {
    [0, 1, 2].map(|axis| {
        [-1.0_f32, 1.0].map(|side| {
            let mut normal = [0.0; 3];
            normal[axis] = side;
            let [x, y, z] = pose.apply(normal);
            // The face's middle is half its normal; the eye stands at (0, 0, -EYE).
            let to_eye = [-x / 2.0, -y / 2.0, -EYE - z / 2.0];
            x * to_eye[0] + y * to_eye[1] + z * to_eye[2] > 0.0
        })
    })
}

/// An edge is hidden when neither of its two faces is seen.
fn is_hidden(source: usize, base: Mask, shown: [[bool; 2]; 3]) -> bool {
    (0..3).filter(|&axis| axis != source).all(|axis| !shown[axis][usize::from(base.contains(axis))])
}

fn place_labels(
    board: &Board,
    scene: &mut Scene,
    captions: Vec<Caption>,
    points: &[Pos2],
    last: Option<&Scene>,
    measure: &mut Measure<'_>,
) {
    let middle = points.iter().fold(Vec2::ZERO, |sum, p| sum + p.to_vec2()) / points.len().max(1) as f32;
    let middle = middle.to_pos2();
    let marks = points
        .iter()
        .enumerate()
        .map(|(i, &p)| Rect::from_center_size(p, Vec2::splat(2.0 * reach(board, Mask(i as u32), scene.radius))))
        .collect();
    // In a low picture a label that an edge runs through can hardly be read: there it rather stands farther off.
    let (strong, quiet) = if scene.size.y < LOW { (6.5, 4.5) } else { (2.6, 1.3) };
    let lines = scene.spans.iter().map(|s| (s.ends, if board.flips(s.edge) { strong } else { quiet })).collect();
    let bounds = Rect::from_min_size(Pos2::ZERO, scene.size).shrink(2.0);
    let obstacles = Obstacles { marks, lines, bounds };
    let corners = captions.len();

    let mut wishes: Vec<Vec<Place>> = Vec::with_capacity(captions.len() + 3);
    let mut texts: Vec<(Caption, Pos2)> = Vec::with_capacity(captions.len() + 3);
    for (i, caption) in captions.into_iter().enumerate() {
        let at = points[i];
        let mut places = around(at, reach(board, Mask(i as u32), scene.radius) - 2.0, caption.size, at - middle);
        for place in &mut places {
            place.cost += doubt(place.rect, i, points);
        }
        wishes.push(places);
        texts.push((caption, at));
    }
    for (axis, name) in board.axes.iter().enumerate() {
        let caption = Caption::new(vec![(name.clone(), Type::sans(12.0), Ink::Muted)], measure);
        wishes.push(along(axis, caption.size, scene, middle));
        // An axis name is set around its own middle, whichever side of its edge it takes.
        texts.push((caption, pos2(f32::NAN, f32::NAN)));
    }
    let last = last.map_or(&[][..], |s| &s.choices);
    (scene.labels, scene.choices) = settle_captions(texts, &wishes, &obstacles, last);
    for (i, label) in scene.labels.iter_mut().enumerate().take(corners) {
        let reach = reach(board, Mask(i as u32), scene.radius);
        label.leader = leader(label.rect, i, points, reach);
    }
}

/// How much nearer than its own corner another one is, as a cost: a label in doubt is worse than one farther off.
fn doubt(rect: Rect, own: usize, points: &[Pos2]) -> f32 {
    let others = points.iter().enumerate().filter(|(i, _)| *i != own);
    let nearest = others.map(|(_, &p)| rect.distance_to_pos(p)).fold(f32::INFINITY, f32::min);
    let clear = nearest - rect.distance_to_pos(points[own]);
    (14.0 - clear).max(0.0) * 6.0
}

/// The line from a mark to its label where the label had to move away, or stands no nearer to its own mark than to another.
fn leader(rect: Rect, own: usize, points: &[Pos2], reach: f32) -> Option<[Pos2; 2]> {
    let at = points[own];
    let near = rect.clamp(at);
    let away = at.distance(near);
    if away < reach + 11.0 && (doubt(rect, own, points) < 40.0 || away < 0.5) {
        return None;
    }
    let way = (near - at) / away.max(0.5);
    (away > reach + 2.0).then(|| [at + way * (reach - 3.0), near - way * 2.0])
}

/// Candidate places of an axis name: beside each edge along that axis, best where the eye looks for it: on an outer edge,
/// at the old endpoint.
fn along(axis: usize, size: Vec2, scene: &Scene, middle: Pos2) -> Vec<Place> {
    let mut places = Vec::new();
    for span in scene.spans.iter().filter(|s| s.edge.source == axis) {
        let [a, b] = span.ends;
        let way = (b - a).normalized();
        let mut normal = vec2(-way.y, way.x);
        if normal.dot(a.lerp(b, 0.5) - middle) < 0.0 {
            normal = -normal;
        }
        let at_old = if span.edge.base.is_empty() { 0.0 } else { 14.0 };
        let inner = (28.0 - (a.lerp(b, 0.5) - middle).dot(normal) * 0.2).max(0.0);
        let hidden = if span.hidden { 60.0 } else { 0.0 };
        for (t, off) in [(0.5, 0.0), (0.42, 3.0), (0.58, 3.0), (0.34, 8.0), (0.66, 8.0)] {
            for (gap, far) in [(9.0, 0.0), (18.0, 6.0), (30.0, 16.0)] {
                let half = 0.5 * (normal.x.abs() * size.x + normal.y.abs() * size.y);
                let center = a.lerp(b, t) + normal * (gap + half);
                let rect = Rect::from_center_size(center, size);
                places.push(Place { rect, cost: at_old + inner + hidden + off + far });
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::drawing::overlap;
    use crate::widgets::model::Corner;
    use crate::widgets::verdict::{Look, Mark};

    fn board(words: [&str; 8]) -> Board {
        let axes: Vec<String> = ["Grounds", "Norms", "Authority"].map(str::to_owned).to_vec();
        let corners = (0..8)
            .map(|m| Corner {
                label: Mask(m).label(&axes),
                mark: Mark::new(words[m as usize], Look::Executed),
                receipt: m == 1 || m == 2,
                broken: m == 6,
            })
            .collect();
        Board { axes, corners }
    }

    fn roughly(text: &str, ty: Type) -> Vec2 {
        vec2(text.chars().count() as f32 * ty.size * 0.56, ty.size * 1.36)
    }

    #[test]
    fn labels_and_marks_never_collide_while_the_cube_turns() {
        let boards = [
            board(["deny", "approve", "approve", "approve", "deny", "approve", "approve", "approve"]),
            board(["refer", "partial refund", "approve", "deny", "manual review", "approve", "refer", "approve"]),
        ];
        for board in &boards {
            for size in [vec2(464.0, 560.0), vec2(360.0, 420.0), vec2(760.0, 500.0)] {
                let mut last: Option<Scene> = None;
                for step in 0..400 {
                    let pose = Pose { yaw: step as f32 * 0.047, pitch: (step as f32 * 0.031).sin() * 1.3 };
                    let scene = layout(board, pose, size, last.as_ref(), &mut roughly);
                    for (i, a) in scene.labels.iter().enumerate() {
                        for b in &scene.labels[i + 1..] {
                            assert!(!overlap(a.rect, b.rect), "{size:?} step {step}: {:?} over {:?}", a.lines, b.lines);
                        }
                        for node in &scene.nodes {
                            let mark = Rect::from_center_size(node.at, Vec2::splat(scene.radius * 1.8));
                            assert!(!overlap(a.rect, mark), "{size:?} step {step}: {:?} over a mark", a.lines);
                        }
                    }
                    last = Some(scene);
                }
            }
        }
    }

    #[test]
    fn at_rest_the_old_endpoint_is_lower_left_and_one_corner_is_hidden() {
        let b = board(["deny"; 8]);
        let scene = layout(&b, Pose::default(), vec2(460.0, 560.0), None, &mut roughly);
        let old = scene.at(Mask::EMPTY).unwrap_or_default();
        let new = scene.at(Mask::full(3)).unwrap_or_default();
        assert!(old.x < new.x && old.y > new.y);
        assert_eq!(scene.spans.iter().filter(|s| s.hidden).count(), 3);
    }
}
