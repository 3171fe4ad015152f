//! What changed: one card per source with its old/new toggle and the structural difference of its two versions.

use super::Page;
use crate::desk::command::Commands;
use crate::parts;
use crate::parts::frame;
use crate::parts::{Press, key_cap};
use crate::theme::Theme;
use crate::widgets::diff_table;
use crate::widgets::diff_table::{Editing, Event, Options};
use crate::widgets::edit::FieldKind;
use crate::widgets::model::capital;
use crate::wings::judgment::actions::{ONLY_DIFFERENCES, WHAT_IF};
use crate::wings::judgment::command::CaseCommand;
use decidendi_core::judgment::source::{Mask, Version};
use decidendi_core::seal::json::Json;
use egui::{Align, Color32, CornerRadius, Layout, Rect, RichText, Role, Sense, StrokeKind, Ui, WidgetInfo, vec2};

pub(super) fn show(ui: &mut Ui, page: &Page<'_>, rect: Rect, commands: &mut Commands) {
    let inner = frame::card(ui, page.theme, rect);
    let rest = frame::head(ui, inner, "sources", |ui| head(ui, page, commands));
    let pinned = inner.height() >= 400.0;
    let rest = if pinned { frame::foot(ui, rest, "sources", |ui| foot(ui, page, commands)) } else { rest };
    frame::body(ui, rest, "sources", page.tabbed && page.state.overlay.is_none(), |ui| {
        ui.spacing_mut().item_spacing.y = 10.0;
        for source in 0..page.prepared.judgment.sources.len() {
            card(ui, page, source, commands);
        }
        keys(ui, page);
        if !pinned {
            foot(ui, page, commands);
        }
    });
}

fn head(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    let equal: usize = page.prepared.rows.iter().map(|r| r[0].equal).sum();
    let only = page.open.only_differences;
    let words = match (only, equal) {
        (true, 0) => "only differences".to_owned(),
        (true, n) => format!("only differences · {n} equal hidden"),
        (false, _) => "everything shown".to_owned(),
    };
    ui.horizontal(|ui| {
        ui.set_height(24.0);
        frame::section(ui, page.theme, "Sources", "");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let response = pill(ui, page.theme, &words, only);
            response.widget_info(|| WidgetInfo::selected(Role::Switch, true, only, "Only differences"));
            if response.on_hover_text(ONLY_DIFFERENCES.tooltip(page.state)).clicked() {
                commands.wing(CaseCommand::OnlyDifferences(!only));
            }
        });
    });
}

/// A switch in the shape of a chip: filled with the accent's ground while it is on.
fn pill(ui: &mut Ui, t: &Theme, words: &str, on: bool) -> egui::Response {
    let c = &t.color;
    let color = if on { c.text } else { c.muted };
    let galley = ui.painter().layout_no_wrap(words.to_owned(), t.bold(11.5), color);
    let (rect, response) = ui.allocate_exact_size(vec2((galley.size().x + 22.0).round(), 22.0), Sense::click());
    let fill = if response.hovered() { c.hover } else { c.raised };
    ui.painter().rect(rect, CornerRadius::same(t.radius.chip), fill, t.hairline(), StrokeKind::Inside);
    ui.painter().galley(rect.center() - galley.size() / 2.0, galley, color);
    parts::ring(ui, &response, rect, t.radius.chip);
    response.on_hover_cursor(egui::CursorIcon::PointingHand)
}

fn foot(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    let words =
        if page.open.sandbox.is_some() { "Close the sandbox" } else { "What if… edit a value in the sandbox" };
    let applies = WHAT_IF.applies(page.state);
    let press = Press::new(words).enabled(applies).key(WHAT_IF.key_words());
    if ui.add(press).on_hover_text(WHAT_IF.tooltip(page.state)).clicked() {
        commands.act(&WHAT_IF);
    }
}

/// The keys that flip sources.
fn keys(ui: &mut Ui, page: &Page<'_>) {
    let names = &page.prepared.judgment.sources;
    let words = if names.len() > 3 { "Flip with" } else { "Toggles choose the hybrid. Keys" };
    ui.add_space(-2.0);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(5.0, 4.0);
        parts::text(ui, words, page.theme.sans(12.0), page.theme.color.muted);
        for (key, name) in super::keys::of(names).into_iter().zip(names) {
            let Some(key) = key else { continue };
            // The initials of the usual three need no words.
            let word = if names.len() > 3 { name.as_str() } else { "" };
            let font = page.theme.sans(11.5);
            let room = ui.painter().layout_no_wrap(word.to_owned(), font.clone(), Color32::PLACEHOLDER).size().x;
            // A key and its source stay on one line.
            if ui.available_size_before_wrap().x < 20.0 + 5.0 + room {
                ui.end_row();
            }
            key_cap(ui, key.name());
            if !word.is_empty() {
                parts::text(ui, word, font, page.theme.color.muted);
            }
        }
    });
}

fn card(ui: &mut Ui, page: &Page<'_>, index: usize, commands: &mut Commands) {
    let t = page.theme;
    let Some(source) = page.open.case.sources().get(index) else { return };
    let taken = page.open.selected.version(index);
    let top = ui.cursor().min;
    let line = ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        title(ui, page, index, taken, commands);
        let rows = page.prepared.rows(index, page.open.only_differences);
        let Some(rows) = rows.filter(|r| !r.rows.is_empty()) else {
            nothing(ui, t, source.is_changed());
            return;
        };
        table(ui, page, index, taken, rows, commands);
    });
    let rect = Rect::from_min_max(top, line.response.rect.max).with_max_x(top.x + ui.available_width());
    ui.painter().rect_stroke(rect, CornerRadius::same(t.radius.control), t.hairline(), StrokeKind::Inside);
}

fn nothing(ui: &mut Ui, t: &Theme, changed: bool) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 28.0), Sense::hover());
    ui.painter().hline(rect.x_range(), rect.top(), t.hairline());
    let words = if changed { "Differs only in spelling, not in meaning." } else { "The revision left it as it was." };
    let at = rect.left_center() + vec2(9.0, 0.0);
    ui.painter().text(at, egui::Align2::LEFT_CENTER, words, t.sans(12.0), t.color.muted);
}

fn title(ui: &mut Ui, page: &Page<'_>, index: usize, taken: Version, commands: &mut Commands) {
    let t = page.theme;
    let Some(source) = page.open.case.sources().get(index) else { return };
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 34.0), Sense::hover());
    let round = CornerRadius { nw: t.radius.control, ne: t.radius.control, sw: 0, se: 0 };
    ui.painter().rect_filled(rect, round, t.color.raised);
    let toggled = toggle(ui, t, rect, &capital(&source.name), taken);
    if toggled.is_some_and(|v| v != taken) {
        commands.wing(CaseCommand::Flip(index));
    }
    let left = rect.left() + 10.0;
    let words = numbered(index, &page.prepared.judgment.sources, capital(&source.name));
    let name = ui.painter().layout_no_wrap(words.clone(), t.bold(13.0), t.color.text);
    let room = rect.right() - 96.0 - left;
    let name_width = name.size().x.min(room);
    let clip = Rect::from_min_max(rect.min, egui::pos2(left + room, rect.bottom()));
    ui.painter_at(clip).galley(egui::pos2(left, rect.center().y - name.size().y / 2.0), name, t.color.text);
    let remark = match (&source.label_old, &source.label_new, &source.note) {
        (Some(old), Some(new), _) if old != new => format!("{old} → {new}"),
        (_, _, Some(note)) => note.clone(),
        (Some(label), _, _) | (_, Some(label), _) => label.clone(),
        _ => String::new(),
    };
    let mut job = egui::text::LayoutJob::simple_singleline(remark.clone(), t.sans(11.5), t.color.muted);
    job.wrap = egui::text::TextWrapping::truncate_at_width((room - name_width - 10.0).max(0.0));
    let galley = ui.painter().layout_job(job);
    let at = egui::pos2(left + name_width + 9.0, rect.center().y - galley.size().y / 2.0);
    let elided = galley.elided;
    if room - name_width > 30.0 {
        ui.painter().galley(at, galley, t.color.muted);
    }
    let about = ui.interact(clip, ui.scope_id().with(("source title", index)), Sense::hover());
    about.widget_info(|| WidgetInfo::labeled(Role::Heading, true, format!("{words}, {remark}")));
    if elided || source.note.is_some() {
        let note = source.note.as_deref().unwrap_or_default();
        about.on_hover_text(format!("{remark}\n{note}").trim().to_owned());
    }
}

/// A source's name behind its number, where hybrids are named by numbers because initials repeat.
fn numbered(index: usize, names: &[String], name: String) -> String {
    let label = Mask(1 << index).label(names);
    if label.chars().all(|c| c.is_ascii_digit()) { format!("{label}  {name}") } else { name }
}

/// `old | new` at the right end of `rect`; gives the version that was clicked.
fn toggle(ui: &Ui, t: &Theme, rect: Rect, name: &str, taken: Version) -> Option<Version> {
    let c = &t.color;
    let size = vec2(38.0, 22.0);
    let left = rect.right() - 2.0 * size.x - 8.0;
    let whole = Rect::from_min_size(egui::pos2(left, rect.center().y - size.y / 2.0), vec2(2.0 * size.x, size.y));
    let radius = t.radius.control - 1;
    ui.painter().rect(whole, CornerRadius::same(radius), c.panel, t.hairline(), StrokeKind::Inside);
    let mut clicked = None;
    for (i, version) in Version::BOTH.into_iter().enumerate() {
        let half = Rect::from_min_size(whole.min + vec2(size.x * i as f32, 0.0), size);
        let on = version == taken;
        let response = ui.interact(half, ui.scope_id().with(("toggle", name, i)), Sense::click());
        response
            .widget_info(|| WidgetInfo::selected(Role::RadioButton, true, on, format!("{name}: {}", version.word())));
        let round = if i == 0 {
            CornerRadius { nw: radius, sw: radius, ne: 0, se: 0 }
        } else {
            CornerRadius { ne: radius, se: radius, nw: 0, sw: 0 }
        };
        let (fill, ink) = match (on, response.hovered()) {
            (true, _) => (c.accent, c.on_accent),
            (false, true) => (c.hover, c.text),
            (false, false) => (Color32::TRANSPARENT, c.muted),
        };
        ui.painter().rect_filled(half, round, fill);
        let font = if on { t.bold(12.0) } else { t.sans(12.0) };
        ui.painter().text(half.center(), egui::Align2::CENTER_CENTER, version.word(), font, ink);
        parts::ring(ui, &response, half, radius);
        if response.on_hover_cursor(egui::CursorIcon::PointingHand).clicked() {
            clicked = Some(version);
        }
    }
    clicked
}

fn table(
    ui: &mut Ui,
    page: &Page<'_>,
    index: usize,
    taken: Version,
    rows: &crate::widgets::diff::Rows,
    commands: &mut Commands,
) {
    let open = page.open;
    let interface = open.case.interface();
    let unfolded = |key: &str| open.unfolded.contains(key);
    let unit = |field: &str| declared(interface, field)?.get("unit").and_then(Json::as_text).map(str::to_owned);
    let kind = |field: &str| kind_of(interface, field, open.case.labels().words());
    let draft = |key: &str| open.sandbox.as_ref().and_then(|s| s.drafts.get(key).cloned());
    let edited = |version: Version, side: &crate::widgets::diff::Side| {
        open.sandbox.as_ref().is_some_and(|s| s.sandbox.is_edited(index, version, &side.path))
    };
    let focus = &page.focus_edit;
    let editing = open.sandbox.is_some().then_some(Editing { kind: &kind, draft: &draft, edited: &edited, focus });
    let name = &page.prepared.judgment.sources[index];
    let options = Options { source: name, taken, unfolded: &unfolded, unit: &unit, editing };
    for event in diff_table::show(ui, rows, &options) {
        commands.wing(match event {
            Event::Unfold(key) => CaseCommand::Unfold(key),
            Event::Draft(key, text) => CaseCommand::EditDraft(key, text),
            Event::Edit(version, side) => {
                CaseCommand::Edit { source: index, version, path: side.path, value: side.json }
            }
        });
    }
}

/// The interface's declaration of a field or parameter.
pub(super) fn declared<'a>(interface: &'a Json, field: &str) -> Option<&'a Json> {
    ["grounds", "parameters"].into_iter().find_map(|part| interface.get(part)?.get(field))
}

fn kind_of(interface: &Json, field: &str, labels: &[String]) -> FieldKind {
    let words = |json: Option<&Json>| {
        let list = json.and_then(Json::as_list).unwrap_or_default();
        list.iter().filter_map(Json::as_text).map(str::to_owned).collect::<Vec<_>>()
    };
    let Some(declaration) = declared(interface, field) else {
        return match field {
            "then" | "default" => FieldKind::Choice(labels.to_vec()),
            "priority" => FieldKind::Int,
            _ => FieldKind::Free,
        };
    };
    match declaration.get("type").and_then(Json::as_text) {
        Some("bool") => FieldKind::Bool,
        Some("int") => FieldKind::Int,
        Some("set") => FieldKind::Set,
        Some("enum") => FieldKind::Choice(words(declaration.get("values"))),
        _ => FieldKind::Free,
    }
}

/// A quiet remark in a card of its own width.
pub(super) fn remark(ui: &mut Ui, t: &Theme, words: &str) {
    ui.add(egui::Label::new(RichText::new(words).font(t.sans(12.5)).color(t.color.muted)).wrap());
}
