//! The right card: who counts, the tabs, the chips, and the tab that is on top.

use egui::{CornerRadius, Rect, Role, Sense, Ui, WidgetInfo, vec2};

use super::{Page, bridge, cohort, cube, diagnostics, frame, means, recalibration, retrieval, scatter, section};
use crate::desk::command::Commands;
use crate::parts::{Chip, Press, counted, group, trajectories};
use crate::wings::step_value::actions::CLEAR;
use crate::wings::step_value::command::StepCommand;
use crate::wings::step_value::state::{StepFlag, StepTab};

pub(crate) fn show(ui: &mut Ui, page: &Page<'_>, rect: Rect, commands: &mut Commands) {
    let inner = frame::card(ui, page.theme, rect);
    let rest = frame::head(ui, inner, "population", |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        if inner.height() > 330.0 {
            section(ui, page.theme, "Population", &remark(page));
        }
        tabs(ui, page, commands);
        chips(ui, page, commands);
    });
    match page.open.tab {
        StepTab::Scatter => {
            let low = rest.height() < 380.0;
            if low {
                frame::body(ui, rest, "scatter", page.keys(), |ui| {
                    let (place, _) = ui.allocate_exact_size(
                        vec2(ui.available_width(), (rest.height() - 96.0).clamp(168.0, 320.0)),
                        Sense::hover(),
                    );
                    scatter::show(ui, page, place, false, commands);
                    means::show(ui, page, commands);
                });
            } else {
                let rest = frame::foot(ui, rest, "means", |ui| means::show(ui, page, commands));
                scatter::show(ui, page, rest, true, commands);
            }
        }
        StepTab::Cohort => cohort::show(ui, page, rest, commands),
        tab => frame::body(ui, rest, tab.name(), page.keys(), |ui| {
            ui.spacing_mut().item_spacing.y = 8.0;
            match tab {
                StepTab::Retrieval => retrieval::show(ui, page, commands),
                StepTab::Cube => cube::show(ui, page, commands),
                StepTab::Bridge => bridge::show(ui, page, commands),
                StepTab::Diagnostics => diagnostics::show(ui, page),
                _ => recalibration::show(ui, page, commands),
            }
        }),
    }
}

fn remark(page: &Page<'_>) -> String {
    let study = page.open.study();
    let all = study.transitions.len();
    match page.open.report() {
        Some(report) => format!(
            "{} of {} complete · {}",
            group(report.cohort.members().len()),
            group(all),
            trajectories(report.cohort.trajectories().len())
        ),
        None => format!("{} · {}", counted(all, "transition"), trajectories(study.trajectories.len())),
    }
}

fn tabs(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    let t = page.theme;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(0.0, 2.0);
        let font = t.bold(12.5);
        let widths: Vec<f32> = StepTab::ALL
            .iter()
            .map(|tab| ui.painter().layout_no_wrap(tab.name().to_owned(), font.clone(), t.color.text).size().x)
            .collect();
        // Even gaps, as wide as the room gives.
        let free = ui.available_width() - widths.iter().sum::<f32>();
        let pad = (free / StepTab::ALL.len() as f32).clamp(10.0, 24.0).floor();
        for (i, (tab, width)) in StepTab::ALL.into_iter().zip(widths).enumerate() {
            let (rect, response) = ui.allocate_exact_size(vec2(width + pad, 24.0), Sense::click());
            let on = tab == page.open.tab;
            response.widget_info(|| WidgetInfo::selected(Role::Tab, true, on, tab.name()));
            let (fill, ink) = if on {
                (t.color.accent_bg, t.color.accent)
            } else if response.hovered() {
                (t.color.hover, t.color.text)
            } else {
                (egui::Color32::TRANSPARENT, t.color.muted)
            };
            ui.painter().rect_filled(rect, CornerRadius::same(t.radius.control), fill);
            ui.painter().text(rect.center(), egui::Align2::CENTER_CENTER, tab.name(), font.clone(), ink);
            crate::parts::ring(ui, &response, rect, t.radius.control);
            let response = response.on_hover_text(format!("{}  ({})", tab.name(), i + 1));
            if response.on_hover_cursor(egui::CursorIcon::PointingHand).clicked() {
                commands.wing(StepCommand::Tab(tab));
            }
        }
    });
}

/// What is remarkable, each kind with its count; a chip filters the stepper.
fn chips(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    let Some(population) = page.open.population() else { return };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        for (flag, count) in StepFlag::ALL.into_iter().zip(population.counts) {
            let on = page.open.filters.contains(&flag);
            if count == 0 && !on {
                continue;
            }
            let chip = ui.add(Chip::new(flag.words(), on).count(count).noun("transition"));
            if chip.on_hover_text(flag.rule()).clicked() {
                commands.wing(StepCommand::Toggle(flag));
            }
        }
        if !page.open.filters.is_empty() {
            let press = Press::new("Clear").quiet().small().key(CLEAR.key_words()).name("Clear all chips");
            if ui.add(press).clicked() {
                commands.act(&CLEAR);
            }
        }
    });
}
