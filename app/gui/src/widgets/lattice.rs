//! The Hasse diagram of up to six sources: one layer per size, cover edges only, coordinates that depend on k and the
//! labels' widths alone, so that the same case always looks the same.

use super::drawing::Measure;
use super::model::{Board, DRAWN};
use super::scene::{Caption, LOW, Label, Node, Scene, Span};
use decidendi_core::judgment::source::Mask;
use egui::{Align, Pos2, Rect, Vec2, pos2, vec2};

/// Up to this many sources the verdict's word stands beside each mark; beyond, the mark and the legend say it.
const WORDED: usize = 4;

/// How the rows of one layer stand.
struct Layer {
    cells: Vec<Mask>,
    /// Distance of neighbours.
    step: f32,
    /// How far neighbours stand above and below the layer's line; 0 in a layer of few.
    stagger: f32,
}

struct Plan {
    radius: f32,
    captions: Vec<Caption>,
    /// Captions stand to the right of marks, else below.
    beside: bool,
    layers: Vec<Layer>,
    /// Height of a layer without its stagger.
    row: f32,
    width: f32,
    height: f32,
}

/// Layers of more marks than this are set in two staggered rows: a lattice of six sources then fits a column.
const ONE_ROW: usize = 8;

impl Plan {
    fn new(board: &Board, low: bool, measure: &mut Measure<'_>) -> Self {
        let k = board.k().min(DRAWN);
        let worded = k <= WORDED;
        let radius: f32 = match (k, low) {
            (0..=3, false) => 14.0,
            (0..=3, true) => 10.0,
            (4, false) => 11.0,
            (4, true) => 9.0,
            _ => 8.0,
        };
        let widest = if low && worded { 0.0 } else { 92.0 };
        let captions: Vec<Caption> =
            (0..1_u32 << k).map(|m| Caption::corner(board, Mask(m), worded, widest, measure)).collect();
        let beside = k <= 3;
        let mark = 2.0 * (radius * 1.46 + if worded { 8.0 } else { 3.0 });
        let tallest = captions.iter().map(|c| c.size.y).fold(0.0, f32::max);
        let mut layers = Vec::with_capacity(k + 1);
        for size in 0..=k {
            let cells: Vec<Mask> = (0..1_u32 << k).map(Mask).filter(|m| m.len() == size).collect();
            let widest = cells.iter().map(|m| captions[m.0 as usize].size.x).fold(0.0, f32::max);
            let pitch = if beside { mark + widest + 10.0 } else { mark.max(widest + 8.0) };
            let two_rows = !beside && cells.len() > ONE_ROW;
            let (step, stagger) = if two_rows { (pitch / 2.0, radius + tallest / 2.0 + 9.0) } else { (pitch, 0.0) };
            layers.push(Layer { cells, step, stagger });
        }
        if beside {
            // One pitch for all layers: what stands above each other is aligned.
            let step = layers.iter().map(|l| l.step).fold(0.0, f32::max);
            layers.iter_mut().for_each(|l| l.step = step);
        }
        let row = match (beside, low) {
            (true, false) => mark + 34.0,
            (true, true) => mark + 6.0,
            (false, _) => 2.0f32.mul_add(radius, tallest) + 26.0,
        };
        let staggers: f32 = layers.iter().map(|l| 2.0 * l.stagger).sum();
        let width = layers
            .iter()
            .map(|l| l.step * (l.cells.len() as f32 + if l.stagger > 0.0 { 1.0 } else { 0.0 }))
            .fold(0.0, f32::max);
        let height = row.mul_add(k as f32, staggers) + mark + if beside { 0.0 } else { tallest } + 12.0;
        Self { radius, captions, beside, layers, row, width: width + 12.0, height }
    }
}

/// Lays the lattice out in `size`, or in as much as it needs if that is more.
#[must_use]
pub fn layout(board: &Board, size: Vec2, measure: &mut Measure<'_>) -> Scene {
    let plan = Plan::new(board, size.y < LOW, measure);
    let size = vec2(size.x.max(plan.width), size.y.max(plan.height));
    let steps = (plan.layers.len() - 1).max(1) as f32;
    // Spare height goes between the layers, up to where they would fall apart.
    let spare = ((size.y - plan.height) / steps).clamp(0.0, 64.0);
    let used = spare.mul_add(steps, plan.height);
    let below = if plan.beside { 0.0 } else { plan.captions.first().map_or(0.0, |c| c.size.y) };
    let mut y = (size.y + used) / 2.0 - plan.radius.mul_add(1.46, 12.0) - below;
    let spread = (size.x / plan.width).clamp(1.0, 1.5);
    // With captions beside the marks the picture's middle is half a caption left of the marks'.
    let caption = plan.captions.iter().map(|c| c.size.x).fold(0.0, f32::max);
    let shift = if plan.beside { caption * -0.5 } else { 0.0 };

    let mut points = vec![Pos2::ZERO; plan.captions.len()];
    for layer in &plan.layers {
        y -= layer.stagger;
        for (i, cell) in layer.cells.iter().enumerate() {
            let x =
                (i as f32 - (layer.cells.len() as f32 - 1.0) / 2.0).mul_add(layer.step * spread, size.x / 2.0 + shift);
            let up = if i % 2 == 0 { -layer.stagger } else { layer.stagger };
            points[cell.0 as usize] = pos2(x.round(), (y + up).round());
        }
        y -= layer.stagger + plan.row + spare;
    }
    let spans = board
        .edges()
        .map(|edge| Span { edge, ends: [points[edge.base.0 as usize], points[edge.top().0 as usize]], hidden: false })
        .collect();
    let nodes = (0..points.len() as u32).map(|m| Node { cell: Mask(m), at: points[m as usize] }).collect();
    let labels = plan
        .captions
        .into_iter()
        .zip(&points)
        .enumerate()
        .map(|(m, (caption, &at))| {
            let receipt = board.corner(Mask(m as u32)).is_some_and(|c| c.receipt);
            let (min, align) = if plan.beside {
                let reach = super::scene::reach(board, Mask(m as u32), plan.radius);
                (at + vec2(reach + 3.0, -caption.size.y / 2.0), Align::Min)
            } else {
                let reach = plan.radius + if receipt { plan.radius.mul_add(0.32, 6.0) } else { 5.0 };
                (at + vec2(-caption.size.x / 2.0, reach), Align::Center)
            };
            Label {
                rect: Rect::from_min_size(pos2(min.x.round(), min.y.round()), caption.size),
                lines: caption.lines,
                align,
                leader: None,
            }
        })
        .collect();
    Scene { size, radius: plan.radius, nodes, spans, labels, choices: Vec::new(), halo: true }
}

/// Binomial coefficient of small numbers.
#[must_use]
pub fn choose(n: usize, k: usize) -> u64 {
    let k = k.min(n - k.min(n));
    (0..k).fold(1, |c, i| c * (n - i) as u64 / (i as u64 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::widgets::drawing::overlap;
    use crate::widgets::ink::Type;
    use crate::widgets::model::Corner;
    use crate::widgets::verdict::{Look, Mark};

    fn board(k: usize) -> Board {
        let axes: Vec<String> =
            ["Grounds", "Norms", "Authority", "Fees", "Tiers", "Region"][..k].iter().map(|s| (*s).to_owned()).collect();
        let corners = (0..1_u32 << k)
            .map(|m| Corner {
                label: Mask(m).label(&axes),
                mark: Mark::new(if m % 3 == 0 { "approve" } else { "manual review" }, Look::Executed),
                receipt: m.count_ones() == 2,
                broken: false,
            })
            .collect();
        Board { axes, corners }
    }

    fn roughly(text: &str, ty: Type) -> Vec2 {
        vec2(text.chars().count() as f32 * ty.size * 0.56, ty.size * 1.36)
    }

    #[test]
    fn labels_never_collide_and_every_cover_edge_is_there() {
        for k in 1..=DRAWN {
            for zoom in [1.0, 1.5, 2.0] {
                let scene = layout(&board(k), vec2(464.0, 560.0) / zoom, &mut roughly);
                assert_eq!(scene.spans.len(), k << (k - 1));
                for (i, a) in scene.labels.iter().enumerate() {
                    for b in &scene.labels[i + 1..] {
                        assert!(!overlap(a.rect, b.rect), "k {k}: {:?} over {:?}", a.lines, b.lines);
                    }
                    for node in &scene.nodes {
                        let mark = Rect::from_center_size(node.at, Vec2::splat(scene.radius * 2.0));
                        assert!(!overlap(a.rect, mark), "k {k}: {:?} over a mark", a.lines);
                    }
                }
            }
        }
    }

    #[test]
    fn the_antichain_bound_is_the_middle_binomial() {
        assert_eq!([1, 2, 3, 4, 6].map(|k| choose(k, k / 2)), [1, 2, 3, 6, 20]);
    }
}
