//! An uncertifiable case: which hybrids could not run, which field is at fault, why, and the smallest compatibility step
//! that would repair it.

use super::{Page, sources};
use crate::desk::command::{Command, Commands};
use crate::parts;
use crate::parts::Press;
use crate::parts::frame;
use crate::widgets::trace_view::line;
use crate::wings::judgment::command::CaseCommand;
use decidendi_core::judgment::result::{Fault, Stage};
use decidendi_core::judgment::source::Mask;
use decidendi_core::seal::json::Json;
use egui::{CornerRadius, Frame, Margin, Ui};

/// Faults that differ only in the hybrid.
struct Cause<'a> {
    fault: &'a Fault,
    cells: Vec<Mask>,
}

fn causes(faults: &[Fault]) -> Vec<Cause<'_>> {
    let mut causes: Vec<Cause<'_>> = Vec::new();
    for fault in faults {
        let same = |c: &&mut Cause<'_>| {
            let f = c.fault;
            (f.source, &f.field, &f.reason, f.stage) == (fault.source, &fault.field, &fault.reason, fault.stage)
        };
        match causes.iter_mut().find(same) {
            Some(cause) => cause.cells.push(fault.cell),
            None => causes.push(Cause { fault, cells: vec![fault.cell] }),
        }
    }
    causes
}

pub(super) fn show(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    const SHOWN: usize = 20;
    let judgment = &page.prepared.judgment;
    let causes = causes(&judgment.faults);
    let missing = judgment.cube.cells().iter().filter(|c| c.is_none()).count();
    let remark = format!("{missing} of {} hybrids gave no verdict", judgment.cube.cells().len());
    frame::section(ui, page.theme, "Faults", &remark);
    for (i, cause) in causes.iter().take(SHOWN).enumerate() {
        card(ui, page, cause, i, commands);
    }
    if causes.len() > SHOWN {
        parts::text(
            ui,
            format!("and {} more causes", causes.len() - SHOWN),
            page.theme.sans(12.0),
            page.theme.color.muted,
        );
    }
}

fn card(ui: &mut Ui, page: &Page<'_>, cause: &Cause<'_>, at: usize, commands: &mut Commands) {
    let t = page.theme;
    let c = &t.color;
    let names = &page.prepared.judgment.sources;
    let fault = cause.fault;
    Frame::new()
        .fill(c.panel)
        .stroke(t.hairline())
        .corner_radius(CornerRadius::same(t.radius.control))
        .inner_margin(Margin { left: 12, right: 10, top: 9, bottom: 9 })
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 5.0;
            let place = fault.source.and_then(|(i, v)| Some(format!("{}, {} version", names.get(i)?, v.word())));
            let field = fault.field.as_deref().unwrap_or_default();
            let dash = if field.is_empty() { "" } else { "  ·  " };
            let place = place.unwrap_or_else(|| "this hybrid".to_owned());
            line(ui, &[(&place, t.bold(13.0), c.text), (dash, t.sans(12.5), c.muted), (field, t.mono(12.5), c.text)]);
            sources::remark(ui, t, &fault.reason);
            let stage = match fault.stage {
                Stage::Interface => "Refused before anything ran:",
                Stage::Execution => "Stopped while running:",
            };
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = 8.0;
                parts::text(ui, stage, t.sans(12.0), c.muted);
                for &cell in cause.cells.iter().take(16) {
                    let label = cell.label(names);
                    if frame::link(ui, t, &label, &format!("Select hybrid {label}")) {
                        commands.wing(CaseCommand::Select(cell));
                    }
                }
                if cause.cells.len() > 16 {
                    parts::text(ui, format!("and {} more", cause.cells.len() - 16), t.sans(12.0), c.muted);
                }
            });
            if !fault.repair.is_empty() {
                let steps: Vec<String> = fault.repair.iter().map(|step| json_text(&step.to_json())).collect();
                let text = steps.join(",\n");
                let said = match fault.repair.as_slice() {
                    [_] => "Smallest step that would repair it, for \"compatibility\" in the case file:",
                    _ => "Steps that together would repair it, for \"compatibility\" in the case file:",
                };
                parts::text(ui, said, t.sans(11.5), c.muted);
                Frame::new().fill(c.raised).corner_radius(CornerRadius::same(4)).inner_margin(Margin::same(8)).show(
                    ui,
                    |ui| {
                        ui.set_width(ui.available_width());
                        ui.add(egui::Label::new(egui::RichText::new(&text).font(t.mono(11.5)).color(c.text)).wrap());
                    },
                );
                ui.push_id(at, |ui| {
                    if ui.add(Press::new("Copy step").small()).clicked() {
                        commands.push(Command::Copy(text.clone(), "Compatibility step"));
                    }
                });
            }
        });
}

/// JSON on one line with spaces, for people.
pub(super) fn json_text(json: &Json) -> String {
    let quoted = |t: &str| {
        let mut out = String::from("\"");
        for c in t.chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                c if (c as u32) < 0x20 => out.push_str(&format!("\\u{:04x}", c as u32)),
                c => out.push(c),
            }
        }
        out.push('"');
        out
    };
    match json {
        Json::Null => "null".to_owned(),
        Json::Bool(b) => b.to_string(),
        Json::Int(i) => i.to_string(),
        Json::Float(f) => f.to_string(),
        Json::Text(t) => quoted(t),
        Json::List(l) => format!("[{}]", l.iter().map(json_text).collect::<Vec<_>>().join(", ")),
        Json::Map(m) => {
            let entries = m.iter().map(|(k, v)| format!("{}: {}", quoted(k), json_text(v))).collect::<Vec<_>>();
            format!("{{{}}}", entries.join(", "))
        }
    }
}
