//! Every complete transition by its two gains. Drag to move, wheel to zoom, click to open; what is drawn is thinned out to
//! what the pixels can show, what is found under the pointer is exact.

use std::sync::Arc;

use egui::{Id, Pos2, Rect, Response, Role, Sense, Shape, Stroke, Ui, WidgetInfo, vec2};

use decidendi_core::report::step_value::signed;
use decidendi_core::step_value::face::Side;

use super::Page;
use crate::desk::command::Commands;
use crate::parts::{empty, group, text};
use crate::widgets::drawing::{Drawing, measure_with};
use crate::wings::step_value::command::StepCommand;
use crate::wings::step_value::plot::{Plot, counts, flag_ink, mean_mark};
use crate::wings::step_value::state::StepFlag;
use crate::wings::step_value::state::cloud::{Camera, Cloud};

/// Points closer than this, in screen points, count as one place.
const GRAIN: f32 = 3.0;
/// How near the pointer must come.
const GRASP: f32 = 9.0;

/// `wheel`: whether the wheel zooms; inside a page that scrolls it does only with Ctrl.
pub(crate) fn show(ui: &mut Ui, page: &Page<'_>, rect: Rect, wheel: bool, commands: &mut Commands) {
    let open = page.open;
    let Some(population) = open.population().filter(|p| !p.cloud.points().is_empty()) else {
        let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect).id_salt("no points"));
        let why = if open.contrast().is_none() {
            "The study declares no contrast: an alternative channel against a reference. Declare `contrasts` in study.json."
        } else {
            "No transition is complete in both channels. The tab Cohort says which scores are missing."
        };
        empty(&mut child, crate::theme::icons::Icon::Steps, "No point to draw", why, |_| {});
        return;
    };
    let cloud = &population.cloud;
    let plot = Plot::new(cloud, rect, open.camera.unwrap_or_default());
    let names = [Side::Reference, Side::Alternative].map(|side| open.channel(side));
    let response = ui.interact(plot.inner, Id::unique("step value, scatter"), Sense::click_and_drag());
    let spoken = format!(
        "Scatter of {} transitions: {}. Arrow keys are not needed: J and K step, chips filter.",
        group(cloud.points().len()),
        counts(&population.counts).join(", ")
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, &spoken));
    let camera = moved(ui, &response, &plot, open.camera, wheel, commands);
    let plot = Plot::new(cloud, rect, camera);
    {
        let mut measure = measure_with(ui.painter());
        plot.ground(names, &mut measure).paint(ui.painter(), Pos2::ZERO, &page.theme.color);
        plot.names(&population.counts, &mut measure).paint(ui.painter(), Pos2::ZERO, &page.theme.color);
    }
    points(ui, page, &plot, cloud);
    marks(ui, page, &plot, cloud);
    pointed(ui, page, &response, &plot, cloud, commands);
}

/// Drag moves, the wheel zooms about the pointer, a double click shows everything.
fn moved(
    ui: &Ui,
    response: &Response,
    plot: &Plot<'_>,
    camera: Option<Camera>,
    wheel: bool,
    commands: &mut Commands,
) -> Camera {
    let mut new = camera.unwrap_or_default();
    if response.dragged() {
        let by = response.drag_delta();
        new.center[0] -= by.x / plot.scale.x;
        new.center[1] += by.y / plot.scale.y;
    }
    if response.hovered() {
        let turned = if wheel { ui.input(|i| i.smooth_scroll_delta().y) } else { 0.0 };
        let pinched = ui.input(|i| i.zoom_delta());
        let by = pinched * (turned / 240.0).exp();
        if let Some(pointer) = response.hover_pos().filter(|_| (by - 1.0).abs() > 1e-4) {
            let zoom = (new.zoom * by).clamp(1.0, 4000.0);
            let fixed = plot.back(pointer);
            let ratio = new.zoom / zoom;
            for axis in [0, 1] {
                new.center[axis] = fixed[axis] + (new.center[axis] - fixed[axis]) * ratio;
            }
            new.zoom = zoom;
        }
    }
    let reach = plot.cloud.reach();
    for axis in [0, 1] {
        let free = reach[axis] * (1.0 - 0.6 / new.zoom).max(0.0);
        new.center[axis] = new.center[axis].clamp(-free, free);
    }
    if response.double_clicked() {
        commands.wing(StepCommand::Camera(None));
        return Camera::default();
    }
    if Some(new) != camera && new != Camera::default() {
        commands.wing(StepCommand::Camera(Some(new)));
    }
    new
}

/// What was thinned out last, and for what.
#[derive(Clone)]
struct Thin {
    cloud: Arc<Cloud>,
    grain: [u32; 2],
    kept: Arc<Vec<u32>>,
}

fn thinned(ui: &Ui, plot: &Plot<'_>, cloud: &Arc<Cloud>) -> Arc<Vec<u32>> {
    let id = Id::unique("step value, thinned");
    let grain = [GRAIN / plot.scale.x, GRAIN / plot.scale.y];
    let key = grain.map(f32::to_bits);
    let last: Option<Thin> = ui.data(|d| d.get_temp(id));
    if let Some(last) = last.filter(|last| Arc::ptr_eq(&last.cloud, cloud) && last.grain == key) {
        return last.kept;
    }
    let kept = Arc::new(cloud.thinned(grain));
    ui.data_mut(|d| d.insert_temp(id, Thin { cloud: Arc::clone(cloud), grain: key, kept: Arc::clone(&kept) }));
    kept
}

fn points(ui: &Ui, page: &Page<'_>, plot: &Plot<'_>, cloud: &Arc<Cloud>) {
    let kept = thinned(ui, plot, cloud);
    let t = page.theme;
    let filters = &page.open.filters;
    let painter = ui.painter().with_clip_rect(plot.inner.intersect(ui.clip_rect()));
    let sight = plot.inner.expand(4.0);
    // What says least is drawn first.
    let mut layers: [Vec<Shape>; 3] = [Vec::new(), Vec::new(), Vec::new()];
    let inks = StepFlag::ALL.map(|flag| flag_ink(flag).color(&t.color));
    for &point in kept.iter() {
        let at = plot.at(cloud.place_of(point as usize));
        if !sight.contains(at) {
            continue;
        }
        let flag = cloud.points()[point as usize].flag;
        let passes = filters.is_empty() || filters.contains(&flag);
        if !passes {
            layers[0].push(Shape::circle_filled(at, 1.3, t.color.stroke));
            continue;
        }
        let ink = inks[flag as usize];
        match flag {
            StepFlag::NegativeToPositive => {
                let corners = vec![at - vec2(0.0, 3.6), at + vec2(3.3, 2.6), at + vec2(-3.3, 2.6)];
                layers[2].push(Shape::convex_polygon(corners, ink.gamma_multiply(0.8), Stroke::NONE));
            }
            StepFlag::PositiveToNegative => layers[2].push(Shape::circle_filled(at, 3.0, ink.gamma_multiply(0.75))),
            StepFlag::Touching => layers[1].push(Shape::circle_stroke(at, 2.6, Stroke::new(1.2, ink))),
            _ => layers[0].push(Shape::circle_filled(at, 1.7, ink.gamma_multiply(0.65))),
        }
    }
    for layer in layers {
        painter.extend(layer);
    }
}

/// The mean as a diamond, the selected transition with a ring.
fn marks(ui: &Ui, page: &Page<'_>, plot: &Plot<'_>, cloud: &Cloud) {
    let t = page.theme;
    let painter = ui.painter().with_clip_rect(plot.inner.intersect(ui.clip_rect()));
    let means = [Side::Reference, Side::Alternative].map(|side| page.open.report().and_then(|r| r.gain(side)));
    if let [Some(x), Some(y)] = means {
        let at = plot.at(cloud.place([x.estimate.value, y.estimate.value]));
        let mut mark = Drawing::default();
        mean_mark(at, 7.5, &mut mark);
        mark.paint(&painter, Pos2::ZERO, &t.color);
    }
    if let Some(point) = cloud.find(page.open.at) {
        let at = plot.at(cloud.place_of(point));
        painter.circle_stroke(at, 8.0, Stroke::new(3.5, t.color.panel));
        painter.circle_stroke(at, 8.0, Stroke::new(2.0, t.color.accent));
    }
}

/// Hover tells, click opens: the nearest point itself, drawn or not.
fn pointed(ui: &Ui, page: &Page<'_>, response: &Response, plot: &Plot<'_>, cloud: &Cloud, commands: &mut Commands) {
    if response.dragged() {
        return;
    }
    let Some(pointer) = response.hover_pos() else { return };
    let radius = [GRASP / plot.scale.x, GRASP / plot.scale.y];
    let filters = &page.open.filters;
    let keep = |p: &crate::wings::step_value::state::cloud::Point| filters.is_empty() || filters.contains(&p.flag);
    let Some(found) = cloud.nearest(plot.back(pointer), radius, keep) else { return };
    let point = cloud.points()[found];
    let at = plot.at(cloud.place_of(found));
    ui.painter().circle_stroke(at, 6.0, Stroke::new(1.5, page.theme.color.text));
    ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
    if response.clicked() {
        commands.wing(StepCommand::Select(point.transition as usize));
    }
    let study = page.open.study();
    let Some(step) = study.transitions.get(point.transition as usize) else { return };
    let t = page.theme;
    egui::Tooltip::for_widget(response).at_pointer().gap(14.0).show(|ui| {
        text(ui, &step.id, t.bold(t.size.body), t.color.text);
        let [x, y] = point.gains;
        for (side, gain) in [(Side::Reference, x), (Side::Alternative, y)] {
            text(ui, format!("G {} {}", page.open.channel(side), signed(gain)), t.mono(t.size.value), t.color.text);
        }
        text(ui, format!("Ω {} · {}", signed(y - x), point.flag.words()), t.mono(t.size.value), t.color.muted);
    });
}
