//! Who counts and who does not: the import account, and every excluded transition with the reason. Virtual rows.

use egui::{Align, Rect, Role, ScrollArea, Sense, Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use super::{Page, frame, section};
use crate::command::{Commands, StepCommand};
use crate::parts::{counted, group, quiet};
use crate::state::Excluded;
use crate::widgets::estimates::cell;

pub(super) fn show(ui: &mut Ui, page: &Page<'_>, rect: Rect, commands: &mut Commands) {
    let t = page.theme;
    let open = page.open;
    let excluded = &open.data.excluded;
    let rest = frame::head(ui, rect, "cohort", |ui| {
        ui.spacing_mut().item_spacing.y = 5.0;
        if let Some(account) = &open.data.account {
            section(ui, t, "Import", &account.cohort);
            for line in &account.lines {
                crate::parts::rich(ui, line, t.color.muted);
            }
        }
        let scores = open.data.loaded.scores.account();
        for (field, (rows, line)) in &scores.unknown_fields {
            quiet(
                ui,
                format!(
                    "Field “{field}” is not used: {}, first in line {}.",
                    counted(usize::try_from(*rows).unwrap_or(usize::MAX), "row"),
                    group(usize::try_from(*line).unwrap_or(usize::MAX))
                ),
            );
        }
        ui.add_space(6.0);
        let words = format!("{} lack scores in some channel", counted(excluded.len(), "transition"));
        section(ui, t, "Excluded", &words);
        if excluded.is_empty() {
            quiet(ui, "Every declared score was returned.");
        } else {
            quiet(
                ui,
                "The cohort was fixed by completeness before any outcome was looked at. A click opens the transition.",
            );
        }
    });
    let mut child = ui.new_child(UiBuilder::new().max_rect(rest).id_salt("excluded"));
    child.spacing_mut().item_spacing.y = 0.0;
    ScrollArea::vertical().id_salt("excluded").auto_shrink(false).show_rows(
        &mut child,
        t.row.table,
        excluded.len(),
        |ui, range| {
            if page.state.overlay.is_none() {
                crate::parts::scroll_keys(ui, false);
            }
            for one in excluded.get(range).unwrap_or_default() {
                row(ui, page, one, commands);
            }
        },
    );
}

fn row(ui: &mut Ui, page: &Page<'_>, one: &Excluded, commands: &mut Commands) {
    let t = page.theme;
    let study = page.open.study();
    let Some(step) = study.transitions.get(one.transition) else { return };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), t.row.table), Sense::click());
    let first = &one.first.cell;
    let channel = study.channels.get(first.channel).map_or("", |channel| channel.id.as_str());
    let candidate = study.candidates(step).get(one.first.candidate).map_or("", String::as_str);
    let crossed = if first.corner.state == first.corner.view_at {
        String::new()
    } else {
        format!(", view at {}", first.corner.view_at.word())
    };
    let why = format!(
        "{}: {}, first {channel} {}{crossed}, wave {}, layout {}, {candidate}",
        counted(one.missing, "score"),
        one.first.why.word(),
        first.corner.state.word(),
        study.waves.get(first.wave).map_or(0, |wave| wave.id),
        first.layout
    );
    let here = page.open.at == one.transition;
    response.widget_info(|| WidgetInfo::selected(Role::Row, true, here, format!("{}: {why}", step.id)));
    if here {
        ui.painter().rect_filled(rect, 0, t.color.accent_bg);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 0, t.color.hover);
    }
    let split = rect.left() + (rect.width() * 0.26).clamp(90.0, 180.0);
    let (left, right) = (
        Rect::from_min_max(rect.min, pos2(split, rect.bottom())),
        Rect::from_min_max(pos2(split, rect.top()), rect.max),
    );
    cell(ui, left, &step.id, t.mono(t.size.value), t.color.text, Align::Min, false);
    cell(ui, right, &why, t.body(), t.color.muted, Align::Min, false);
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, Stroke::new(t.line(), t.color.stroke.gamma_multiply(0.7)));
    crate::parts::ring(ui, &response, rect, 3);
    if response.on_hover_cursor(egui::CursorIcon::PointingHand).on_hover_text(why).clicked() {
        commands.step(StepCommand::Select(one.transition));
    }
}
