//! Walking an edge: one source replaced, the verdict before and after, and the difference of that source which did it.

use super::{Page, sources};
use crate::desk::command::Commands;
use crate::parts;
use crate::parts::frame;
use crate::widgets::diff_table;
use crate::widgets::diff_table::{Event, Options};
use crate::widgets::model::{Edge, capital, mark};
use crate::wings::judgment::command::CaseCommand;
use decidendi_core::judgment::source::Version;
use decidendi_core::seal::json::Json;
use egui::{CornerRadius, Frame, Margin, Ui};

pub(super) fn show(ui: &mut Ui, page: &Page<'_>, edge: Edge, commands: &mut Commands) {
    let t = page.theme;
    let c = &t.color;
    let judgment = &page.prepared.judgment;
    let names = &judgment.sources;
    let Some(source) = names.get(edge.source) else { return };
    let (before, after) = (mark(judgment, edge.base), mark(judgment, edge.top()));
    let (from, to) = (edge.base.label(names), edge.top().label(names));
    frame::section(ui, t, &format!("Edge {from} → {to}"), &format!("replaces {source} alone"));
    Frame::new()
        .fill(c.panel)
        .stroke(egui::Stroke::new(t.line(), c.accent))
        .corner_radius(CornerRadius::same(t.radius.control))
        .inner_margin(Margin { left: 12, right: 12, top: 10, bottom: 10 })
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                parts::text(ui, from.as_str(), t.mono(12.5), c.muted);
                before.show(ui, c, 16.0);
                parts::text(ui, before.word.as_str(), t.bold(13.0), c.text);
                parts::text(ui, "→", t.sans(13.0), c.muted);
                parts::text(ui, to.as_str(), t.mono(12.5), c.muted);
                after.show(ui, c, 16.0);
                parts::text(ui, after.word.as_str(), t.bold(13.0), c.text);
            });
            let words = if before.word == after.word {
                format!("Replacing {source} here changes nothing. This is what differs in it:")
            } else {
                format!("Nothing else was replaced, so this difference of {source} did it:")
            };
            sources::remark(ui, t, &words);
            match page.prepared.rows(edge.source, true).filter(|r| !r.rows.is_empty()) {
                Some(rows) => {
                    let interface = page.open.case.interface();
                    let unfolded = |key: &str| page.open.unfolded.contains(&format!("edge.{key}"));
                    let unit = |field: &str| {
                        sources::declared(interface, field)?.get("unit").and_then(Json::as_text).map(str::to_owned)
                    };
                    let options =
                        Options { source, taken: Version::New, unfolded: &unfolded, unit: &unit, editing: None };
                    ui.scope(|ui| {
                        ui.spacing_mut().item_spacing.y = 0.0;
                        for event in diff_table::show(ui, rows, &options) {
                            if let Event::Unfold(key) = event {
                                commands.wing(CaseCommand::Unfold(format!("edge.{key}")));
                            }
                        }
                    });
                }
                None => sources::remark(ui, t, &format!("{} is the same in both versions.", capital(source))),
            }
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = 14.0;
                for (cell, label) in [(edge.base, &from), (edge.top(), &to)] {
                    if cell != page.open.selected
                        && frame::link(ui, t, &format!("Trace {label}"), &format!("Show the trace of {label}"))
                    {
                        commands.wing(CaseCommand::Select(cell));
                    }
                }
                if frame::link(ui, t, "Step off", "Step off the edge") {
                    commands.wing(CaseCommand::Walk(None));
                }
            });
        });
}

/// Links that walk from the selected corner along each source.
pub(super) fn offers(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    let names = &page.prepared.judgment.sources;
    if names.len() > 9 {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 12.0;
        parts::text(ui, "Walk along", page.theme.sans(12.0), page.theme.color.muted);
        for (source, name) in names.iter().enumerate() {
            if frame::link(ui, page.theme, name, &format!("Walk the edge of {name} from here")) {
                let edge = Edge::at(page.open.selected, source);
                commands.wing(CaseCommand::Walk(Some((edge.base, edge.source))));
            }
        }
    });
}
