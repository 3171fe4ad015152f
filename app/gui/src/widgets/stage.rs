//! A scene on the screen: every corner and every edge can be pointed at, clicked, reached by the keyboard and named to a
//! screen reader; the ground can be dragged.

use super::model::{Board, Edge};
use super::scene::{Part, Scene, Selected};
use crate::theme::Theme;
use decidendi_core::judgment::source::Mask;
use egui::{CursorIcon, EventFilter, Id, Key, Pos2, Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo};

/// What a person did on a stage.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Done {
    /// A corner or an edge was clicked.
    pub picked: Option<Part>,
    /// The ground was dragged, or arrow keys were pressed on it.
    pub dragged: Option<Vec2>,
    /// The ground was double-clicked.
    pub reset: bool,
}

/// How far from an edge the pointer still means it.
const NEAR: f32 = 7.0;
/// What one arrow key turns, in points of drag.
const KEY_STEP: f32 = 14.0;

/// Shows a scene in `rect`. `name` tells what the picture is; `turns` whether dragging turns it.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    name: &str,
    board: &Board,
    scene: &Scene,
    selected: Option<Selected>,
    turns: bool,
) -> Done {
    let id = ui.scope_id().with(name);
    let sense = if turns { Sense::click_and_drag() } else { Sense::click() };
    let ground = ui.interact(rect, id, sense);
    ground.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, name));
    let mut done = Done { reset: turns && ground.double_clicked(), ..Done::default() };
    if turns {
        done.dragged = turning(ui, &ground);
    }

    let pointer = ui.ctx().pointer_hover_pos().filter(|p| rect.contains(*p) && ui.clip_rect().contains(*p));
    let near = pointer.map(|p| p - rect.min.to_vec2()).and_then(|p| nearest_edge(scene, p));
    let mut hover = None;
    for span in &scene.spans {
        // An edge answers where the pointer is nearest to it, and else, for keyboard and screen reader, at its middle.
        let at = match (near, pointer) {
            (Some(edge), Some(p)) if edge == span.edge => p,
            _ => rect.min + span.ends[0].lerp(span.ends[1], 0.5).to_vec2(),
        };
        let response =
            ui.interact(Rect::from_center_size(at, Vec2::splat(9.0)), part_id(id, span.edge), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, board.edge_name(span.edge)));
        if response.hovered() || response.has_focus() {
            hover = Some(Part::Edge(span.edge));
        }
        if response.clicked() {
            done.picked = Some(Part::Edge(span.edge));
        }
        response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text_at_pointer(board.edge_name(span.edge));
    }
    for node in &scene.nodes {
        let at = Rect::from_center_size(rect.min + node.at.to_vec2(), Vec2::splat(scene.radius * 2.0 + 6.0));
        let response = ui.interact(at, id.with(("corner", node.cell.0)), Sense::click());
        let chosen = selected.is_some_and(|s| s.cell == node.cell);
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, chosen, board.corner_name(node.cell)));
        if response.hovered() || response.has_focus() {
            hover = Some(Part::Corner(node.cell));
        }
        if response.clicked() {
            done.picked = Some(Part::Corner(node.cell));
        }
        response.on_hover_cursor(CursorIcon::PointingHand).on_hover_text(board.corner_name(node.cell));
    }
    if ui.is_rect_visible(rect) {
        let theme = Theme::of(ui.ctx());
        let painter = ui.painter_at(rect.expand(2.0));
        scene.draw(board, selected, hover).paint(&painter, rect.min, &theme.color);
        if ground.has_focus() {
            painter.rect_stroke(rect, f32::from(theme.radius.control), theme.focus(), egui::StrokeKind::Inside);
        }
    }
    if turns {
        ground.on_hover_and_drag_cursor(if ui.input(|i| i.pointer.any_down()) {
            CursorIcon::Grabbing
        } else {
            CursorIcon::Grab
        });
    }
    done
}

fn part_id(id: Id, edge: Edge) -> Id {
    id.with(("edge", edge.base.0, edge.source))
}

/// What drag or arrow keys ask for. While the ground has the keyboard, arrows turn instead of moving the focus.
fn turning(ui: &Ui, ground: &Response) -> Option<Vec2> {
    if ground.dragged() {
        return Some(ground.drag_delta()).filter(|d| *d != Vec2::ZERO);
    }
    if !ground.has_focus() {
        return None;
    }
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|m| m.set_focus_lock_filter(ground.id, filter));
    let step = ui.input_mut(|i| {
        let mut pressed = |key| if i.consume_key(egui::Modifiers::NONE, key) { KEY_STEP } else { 0.0 };
        let across = pressed(Key::ArrowRight) - pressed(Key::ArrowLeft);
        Vec2::new(across, pressed(Key::ArrowDown) - pressed(Key::ArrowUp))
    });
    (step != Vec2::ZERO).then_some(step)
}

/// The edge nearest to a point of the scene, unless a corner is nearer or all are too far.
fn nearest_edge(scene: &Scene, p: Pos2) -> Option<Edge> {
    if scene.nodes.iter().any(|n| n.at.distance(p) < scene.radius + 4.0) {
        return None;
    }
    let distance = |[a, b]: [Pos2; 2]| {
        let d = b - a;
        let t = ((p - a).dot(d) / d.length_sq().max(1e-6)).clamp(0.0, 1.0);
        (a + d * t).distance(p)
    };
    let nearest = scene.spans.iter().map(|s| (distance(s.ends), s.edge)).min_by(|a, b| a.0.total_cmp(&b.0))?;
    (nearest.0 < NEAR).then_some(nearest.1)
}

/// The selection after a click: a corner ends the walk, an edge is walked and its revised end selected.
#[must_use]
pub fn after(picked: Part) -> (Mask, Option<Edge>) {
    match picked {
        Part::Corner(cell) => (cell, None),
        Part::Edge(edge) => (edge.top(), Some(edge)),
    }
}
