//! Why: the headline, the account in sentences of executed facts, receipts or faults, the trace of the selected hybrid or
//! the walked edge, and at the bottom the certificate.

use super::{Page, certificate, faults, notes, receipts, sources, walk};
use crate::desk::actions::COPY_MARKDOWN;
use crate::desk::command::Commands;
use crate::parts;
use crate::parts::Press;
use crate::parts::frame;
use crate::widgets::model::{Edge, mark};
use crate::widgets::trace_view;
use crate::wings::judgment::command::CaseCommand;
use decidendi_core::judgment::result::Outcome;
use decidendi_core::judgment::source::Mask;
use egui::{Align, Layout, Rect, Ui};

pub(super) fn show(ui: &mut Ui, page: &Page<'_>, rect: Rect, commands: &mut Commands) {
    let inner = frame::card(ui, page.theme, rect);
    // In a low room the certificate scrolls with the rest instead of taking half of it.
    let pinned = inner.height() >= 430.0;
    let rest =
        if pinned { frame::foot(ui, inner, "account", |ui| certificate::show(ui, page, commands)) } else { inner };
    frame::body(ui, rest, "account", page.state.overlay.is_none(), |ui| {
        ui.spacing_mut().item_spacing.y = 8.0;
        head(ui, page, commands);
        if let Some(question) = page.open.case.text("question") {
            sources::remark(ui, page.theme, question);
        }
        headline(ui, page);
        sentences(ui, page, commands);
        notes::show(ui, page, commands);
        ui.add_space(6.0);
        match &page.prepared.judgment.outcome {
            Outcome::Changed(_) => receipts::show(ui, page, commands),
            Outcome::Stable => stable(ui, page),
            Outcome::Uncertifiable => faults::show(ui, page, commands),
        }
        ui.add_space(6.0);
        if let Some((cell, source)) = page.open.edge {
            walk::show(ui, page, Edge::at(cell, source), commands);
            ui.add_space(6.0);
        }
        trace(ui, page, commands);
        if !pinned {
            certificate::show(ui, page, commands);
        }
    });
}

fn head(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    ui.horizontal(|ui| {
        ui.set_height(24.0);
        frame::section(ui, page.theme, "Account", if page.open.sandbox.is_some() { "of the sandbox" } else { "" });
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let copy = ui.add(Press::new("Copy").quiet().small().name("Copy as Markdown"));
            if copy.on_hover_text(COPY_MARKDOWN.tooltip(page.state)).clicked() {
                commands.act(&COPY_MARKDOWN);
            }
        });
    });
}

fn headline(ui: &mut Ui, page: &Page<'_>) {
    let t = page.theme;
    let judgment = &page.prepared.judgment;
    let full = Mask::full(judgment.sources.len());
    let (old, new) = (mark(judgment, Mask::EMPTY), mark(judgment, full));
    let stable = judgment.outcome == Outcome::Stable;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(7.0, 2.0);
        for (i, mark) in [&old, &new].into_iter().enumerate().take(if stable { 1 } else { 2 }) {
            if i == 1 {
                parts::text(ui, "→", t.sans(16.0), t.color.muted);
            }
            mark.show(ui, &t.color, 19.0);
            parts::text(ui, mark.word.as_str(), t.bold(t.size.subtitle), t.color.text);
        }
        if stable {
            parts::text(ui, "before and after", t.sans(13.0), t.color.muted);
        }
    });
}

/// The account's sentences; the first one says what the headline says and is left out, the last ones open on request.
fn sentences(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    const FIRST: usize = 3;
    const KEY: &str = "account";
    let t = page.theme;
    let open = page.open.unfolded.contains(KEY);
    let rest = page.prepared.sentences.len().saturating_sub(1 + FIRST);
    let shown = if open || rest < 2 { usize::MAX } else { FIRST };
    let names = &page.prepared.judgment.sources;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 3.0;
        for sentence in page.prepared.sentences.iter().skip(1).take(shown) {
            let cited = sentence.citation(names);
            let cited = if cited.is_empty() { cited } else { format!("  {cited}") };
            let said = trace_view::line(
                ui,
                &[(&sentence.text, t.body(), t.color.muted), (&cited, t.mono(11.0), t.color.faint)],
            );
            if let Some(&cell) = sentence.cells.first() {
                let said = said.interact(egui::Sense::click()).on_hover_cursor(egui::CursorIcon::PointingHand);
                if said.clicked() {
                    commands.wing(CaseCommand::Select(cell));
                }
            }
        }
        if rest >= 2 {
            let words = if open { "Shorter account ▾".to_owned() } else { format!("{rest} more sentences ▸") };
            if frame::link(ui, t, &words, "Show the whole account") {
                commands.wing(CaseCommand::Unfold(KEY.to_owned()));
            }
        }
    });
}

fn stable(ui: &mut Ui, page: &Page<'_>) {
    frame::section(ui, page.theme, "Receipt family", "empty");
    let judgment = &page.prepared.judgment;
    let old = judgment.cube.cell(Mask::EMPTY);
    let inner = judgment.cube.cells().iter().filter(|c| **c != old).count();
    let words = if inner == 0 {
        "Stable endpoints: no receipt owed. No hybrid in between differs either.".to_owned()
    } else {
        format!(
            "Stable endpoints: no receipt owed. Yet {inner} of {} hybrids in between differ; the strong edges show where.",
            judgment.cube.cells().len()
        )
    };
    sources::remark(ui, page.theme, &words);
}

fn trace(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    let t = page.theme;
    let judgment = &page.prepared.judgment;
    let cell = page.open.selected;
    let label = cell.label(&judgment.sources);
    let mark = mark(judgment, cell);
    ui.horizontal(|ui| {
        frame::section(ui, t, &format!("Cell {label} · trace"), "");
        mark.show(ui, &t.color, 14.0);
        parts::text(ui, mark.word.as_str(), t.sans(12.0), t.color.muted);
    });
    match page.open.shown_trace().filter(|trace| trace.cell == cell) {
        Some(trace) => {
            let asked = ui.scope(|ui| trace_view::show(ui, judgment, trace, page.open.full_trace)).inner;
            if let Some(full) = asked {
                commands.wing(CaseCommand::FullTrace(full));
            }
        }
        None => {
            parts::text(ui, "Executing this hybrid once more for its trace…", t.sans(12.0), t.color.muted);
        }
    }
    if page.open.edge.is_none() {
        walk::offers(ui, page, commands);
    }
}
