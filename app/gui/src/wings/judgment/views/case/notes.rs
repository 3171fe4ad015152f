//! What reading the case normalised or passed over, and what the engine found odd: no faults, but nothing is kept silent.

use super::Page;
use crate::desk::command::Commands;
use crate::parts::frame;
use crate::widgets::trace_view::line;
use crate::wings::judgment::command::CaseCommand;
use crate::wings::judgment::state::OpenCase;
use decidendi_core::judgment::result::Judgment;
use egui::Ui;

/// The key under which the block is open in full.
const KEY: &str = "notes";
/// Notes shown before the rest opens on request.
const FIRST: usize = 2;

/// One note: where, and what.
pub(super) struct Note {
    place: String,
    text: String,
}

/// Every note of a case and its judgment, in the order of the import account.
pub(super) fn of(open: &OpenCase, judgment: &Judgment) -> Vec<Note> {
    let read = open.case.notices().iter().map(|n| (&n.path, &n.text));
    let odd = judgment.remarks.iter().map(|r| (&r.path, &r.text));
    read.chain(odd).map(|(path, text)| Note { place: path.to_string(), text: text.clone() }).collect()
}

pub(super) fn show(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    let t = page.theme;
    let notes = &page.prepared.notes;
    if notes.is_empty() {
        return;
    }
    let open = page.open.unfolded.contains(KEY);
    let rest = notes.len().saturating_sub(FIRST);
    let shown = if open || rest < 2 { notes.len() } else { FIRST };
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 3.0;
        frame::section(ui, t, &format!("Notes ({})", notes.len()), "");
        for note in &notes[..shown] {
            let place = if note.place.is_empty() { String::new() } else { format!("{}  ", note.place) };
            line(ui, &[(&place, t.mono(11.0), t.color.faint), (&note.text, t.sans(12.0), t.color.muted)]);
        }
        if rest >= 2 {
            let words = if open { "Fewer notes ▾".to_owned() } else { format!("{rest} more notes ▸") };
            if frame::link(ui, t, &words, "Show all notes") {
                commands.wing(CaseCommand::Unfold(KEY.to_owned()));
            }
        }
    });
}
