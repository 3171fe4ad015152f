//! Who counts and who does not: the import account, and every excluded transition with the reason. Virtual rows.

use egui::{Align, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::{Page, frame, section};
use crate::desk::command::Commands;
use crate::parts::{counted, group, quiet, rich};
use crate::widgets::estimates::cell;
use crate::wings::step_value::command::StepCommand;
use crate::wings::step_value::state::Excluded;

pub(crate) fn show(ui: &mut Ui, page: &Page<'_>, rect: Rect, commands: &mut Commands) {
    frame::body(ui, rect, "cohort", page.keys(), |ui| {
        ui.spacing_mut().item_spacing.y = 5.0;
        head(ui, page);
        ui.add_space(3.0);
        rows(ui, page, commands);
    });
}

fn head(ui: &mut Ui, page: &Page<'_>) {
    let t = page.theme;
    let open = page.open;
    if let Some(account) = &open.data.account {
        section(ui, t, "Import", &account.cohort);
        for line in &account.lines {
            rich(ui, line, t.color.muted);
        }
    }
    let notices = &open.study().notices;
    for notice in notices.iter().take(TOLD) {
        quiet(ui, format!("study.json, {}: {}.", notice.path, notice.text.trim_end_matches('.')));
    }
    more(ui, notices.len());
    let scores = open.data.loaded.scores.account();
    for (field, (rows, line)) in scores.unknown_fields.iter().take(TOLD) {
        quiet(
            ui,
            format!(
                "Field “{field}” is not used: {}, first in line {}.",
                counted(usize::try_from(*rows).unwrap_or(usize::MAX), "row"),
                group(usize::try_from(*line).unwrap_or(usize::MAX))
            ),
        );
    }
    more(ui, scores.unknown_fields.len());
    ui.add_space(6.0);
    let words = format!("{} lack scores in some channel", counted(open.data.excluded.len(), "transition"));
    section(ui, t, "Excluded", &words);
    if open.data.excluded.is_empty() {
        quiet(ui, "Every declared score was returned.");
    } else {
        quiet(
            ui,
            "The cohort was fixed by completeness before any outcome was looked at. A click opens the transition.",
        );
    }
}

/// How many of a kind are told above the list; the file holds them all.
const TOLD: usize = 20;

fn more(ui: &mut Ui, all: usize) {
    if all > TOLD {
        quiet(ui, format!("and {} more", group(all - TOLD)));
    }
}

/// Only the rows in sight are laid out.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rows in sight are few and counted from 0")]
fn rows(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    let excluded = &page.open.data.excluded;
    let height = page.theme.row.table;
    let (all, _) = ui.allocate_exact_size(vec2(ui.available_width(), height * excluded.len() as f32), Sense::hover());
    let sight = ui.clip_rect();
    let at = |y: f32| ((y - all.top()) / height).max(0.0);
    let (first, last) = (at(sight.top()).floor() as usize, at(sight.bottom()).ceil() as usize);
    for (i, one) in excluded.iter().enumerate().take(last).skip(first) {
        let top = all.top() + height * i as f32;
        row(ui, page, one, Rect::from_min_size(pos2(all.left(), top), vec2(all.width(), height)), commands);
    }
}

fn row(ui: &mut Ui, page: &Page<'_>, one: &Excluded, rect: Rect, commands: &mut Commands) {
    let t = page.theme;
    let study = page.open.study();
    let Some(step) = study.transitions.get(one.transition) else { return };
    let response = ui.interact(rect, ui.scope_id().with(("excluded", one.transition)), Sense::click());
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
        commands.wing(StepCommand::Select(one.transition));
    }
}
