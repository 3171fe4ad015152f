//! What a replay found: each file the same, or the line in which it first differs.

use egui::{Role, Ui, WidgetInfo};

use super::{ended, part};
use crate::desk::command::Commands;
use crate::desk::state::State;
use crate::parts::{Press, counted, group, icon, quiet, row, text};
use crate::theme::icons::Icon;
use crate::wings::acquire::actions::RUN;
use crate::wings::acquire::state::{OpenPlan, Replayed, Work};
use decidendi_files::acquisition::Compared;

pub(crate) fn show(ui: &mut Ui, state: &State, open: &OpenPlan, commands: &mut Commands) {
    let doing = open.doing.is_some_and(|doing| doing.what == Work::Replay);
    if open.replay.is_none() && !doing {
        return;
    }
    part(ui, state, "Replay", Some("from the log alone, nothing is asked"), |ui| match &open.replay {
        None => {
            quiet(ui, "Deriving the study again from the log …");
        }
        Some(Err(end)) => ended(ui, state, end, commands, |_, _| {}),
        Some(Ok(replayed)) => found(ui, state, replayed, commands),
    });
}

fn found(ui: &mut Ui, state: &State, replayed: &Replayed, commands: &mut Commands) {
    let c = &state.theme.color;
    let (sign, ink, title) = if replayed.contradicts() {
        (Icon::Cross, c.bad, "Differs")
    } else if replayed.outstanding > 0 {
        (Icon::Dash, c.warn, "Incomplete")
    } else if !replayed.is_same() {
        (Icon::Dash, c.warn, "Not written yet")
    } else if replayed.complete == 0 {
        (Icon::Dash, c.warn, "The same, and empty")
    } else {
        (Icon::Check, c.good, "The same, byte for byte")
    };
    row(ui, 22.0, |ui| {
        icon(ui, sign, 16.0, ink);
        let response = text(ui, title, state.theme.bold(state.theme.size.subtitle), ink);
        response.widget_info(|| WidgetInfo::labeled(Role::Heading, true, format!("Replay: {title}")));
    });
    quiet(
        ui,
        format!("{}, every line bound to the one before, the first to the plan.", counted(replayed.records, "record")),
    );
    if replayed.outstanding > 0 {
        let open = group(usize::try_from(replayed.outstanding).unwrap_or(usize::MAX));
        quiet(
            ui,
            if replayed.contradicts() {
                format!(
                    "Calls outstanding: {open}. A study lies here all the same: the log lost lines, or it is another."
                )
            } else {
                format!("Calls outstanding: {open}. There is no study yet; Run takes it up.")
            },
        );
        if !replayed.contradicts() {
            return;
        }
    }
    if replayed.is_same() && replayed.complete == 0 {
        quiet(ui, "No cell is complete: not one answer holds all its labels, so nothing follows from this study.");
    }
    for Compared { name, differs, .. } in &replayed.files {
        let (words, ink) = match differs {
            None => (format!("{name}: the same"), c.muted),
            Some(0) => (format!("{name}: is not there; Run writes it from the log"), c.warn),
            Some(line) => (format!("{name}: differs from what the log gives, first in line {line}"), c.bad),
        };
        let response = text(ui, &words, state.theme.body(), ink);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
    }
    if replayed.outstanding == 0 && !replayed.is_same() {
        quiet(ui, "Run derives the files again from the log and writes them; nothing is asked.");
        let press = Press::new("Write them again").small().enabled(RUN.applies(state));
        if ui.add(press).on_hover_text(RUN.tooltip(state)).clicked() {
            commands.act(&RUN);
        }
    }
}
