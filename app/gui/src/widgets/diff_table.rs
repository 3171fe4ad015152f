//! The difference of a source as a table of three aligned columns: field, old, new. Long values open in place; in the
//! sandbox every leaf is a field.

use super::diff::{Change, Kind, Row, Rows, Side, pieces, shown};
use super::edit;
use super::edit::{Edited, FieldKind};
use crate::theme::Theme;
use decidendi_core::judgment::source::Version;
use egui::text::{LayoutJob, TextFormat};
use egui::{Galley, Rect, RichText, Sense, Ui, UiBuilder, Vec2, pos2, vec2};
use std::cell::Cell;
use std::sync::Arc;

/// Rows of text that a value shows before it is opened.
const SHORT: usize = 4;
const PAD: Vec2 = vec2(9.0, 5.0);

/// What a person did in the table.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Open or close a long value, by its key.
    Unfold(String),
    /// What is being typed into a value: key and text.
    Draft(String, String),
    /// A value was given.
    Edit(Version, Side),
}

/// What the table needs to know beside its rows.
pub struct Options<'a> {
    /// The source's name: part of every key.
    pub source: &'a str,
    /// The version that the selected hybrid takes.
    pub taken: Version,
    /// Whether a long value is open.
    pub unfolded: &'a dyn Fn(&str) -> bool,
    /// Unit of a field, from the interface.
    pub unit: &'a dyn Fn(&str) -> Option<String>,
    /// In the sandbox: kind of a field, and the text being typed into a value.
    pub editing: Option<Editing<'a>>,
}

/// How values are edited.
#[derive(Clone, Copy)]
pub struct Editing<'a> {
    /// What a field may hold, from the interface.
    pub kind: &'a dyn Fn(&str) -> FieldKind,
    /// The draft of a value, by its key.
    pub draft: &'a dyn Fn(&str) -> Option<String>,
    /// Whether the value at a place was edited.
    pub edited: &'a dyn Fn(Version, &Side) -> bool,
    /// Set while the first value is to take the keyboard; the field that takes it clears it.
    pub focus: &'a Cell<bool>,
}

struct Columns {
    left: f32,
    edges: [f32; 4],
}

impl Columns {
    fn new(left: f32, width: f32) -> Self {
        let name = (width * 0.33).clamp(76.0, 190.0);
        let half = ((width - name) / 2.0).floor();
        Self { left, edges: [0.0, name, name + half, width] }
    }

    fn cell(&self, column: usize, top: f32, height: f32) -> Rect {
        Rect::from_min_max(
            pos2(self.left + self.edges[column], top),
            pos2(self.left + self.edges[column + 1], top + height),
        )
    }

    fn room(&self, column: usize) -> f32 {
        self.edges[column + 1] - self.edges[column] - 2.0 * PAD.x
    }
}

/// Shows the table over the whole width.
pub fn show(ui: &mut Ui, rows: &Rows, options: &Options<'_>) -> Vec<Event> {
    let t = Theme::of(ui.ctx());
    let width = ui.available_width();
    let columns = Columns::new(ui.cursor().left(), width);
    let mut events = Vec::new();
    header(ui, &t, &columns, options.taken);
    for row in &rows.rows {
        match row.kind {
            Kind::Head => head(ui, &t, &columns, row),
            Kind::Group { changed } => group(ui, &t, &columns, row, changed),
            Kind::Leaf => leaf(ui, &t, &columns, row, options, &mut events),
        }
    }
    events
}

fn line_above(ui: &Ui, t: &Theme, rect: Rect) {
    ui.painter().hline(rect.x_range(), rect.top(), t.hairline());
}

fn header(ui: &mut Ui, t: &Theme, columns: &Columns, taken: Version) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 25.0), Sense::hover());
    line_above(ui, t, rect);
    for (i, (word, version)) in
        [("field", None), ("old", Some(Version::Old)), ("new", Some(Version::New))].into_iter().enumerate()
    {
        let on = version == Some(taken);
        let (font, color) = if on { (t.bold(11.5), t.color.accent) } else { (t.sans(11.5), t.color.muted) };
        let cell = columns.cell(i, rect.top(), rect.height());
        let at = pos2(cell.left() + PAD.x, cell.center().y);
        ui.painter().text(at, egui::Align2::LEFT_CENTER, word, font, color);
    }
}

fn head(ui: &mut Ui, t: &Theme, columns: &Columns, row: &Row) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::hover());
    line_above(ui, t, rect);
    ui.painter().rect_filled(rect.shrink2(vec2(0.0, 0.5)), 0.0, t.color.raised);
    let at = pos2(columns.left + PAD.x, rect.center().y);
    ui.painter().text(at, egui::Align2::LEFT_CENTER, &row.name, t.bold(11.0), t.color.muted);
}

fn group(ui: &mut Ui, t: &Theme, columns: &Columns, row: &Row, changed: usize) {
    let side = match row.change {
        Change::Removed => Some((1, "removed", t.color.old)),
        Change::Added => Some((2, "added", t.color.new)),
        _ => None,
    };
    // Where no column says a word, the name may run over them.
    let room = match side {
        Some((column, ..)) => columns.edges[column] - PAD.x,
        None => columns.edges[3] - 2.0 * PAD.x,
    };
    let mut job = LayoutJob::default();
    job.wrap.max_width = (room - indent(row) - 18.0).max(24.0);
    let format = |font_id, color| TextFormat { font_id, color, ..TextFormat::default() };
    job.append(&row.name, 0.0, format(t.bold(12.0), t.color.text));
    if row.change == Change::Changed {
        job.append(&format!("  {changed} changed"), 0.0, format(t.sans(11.5), t.color.muted));
    }
    let name = ui.painter().layout_job(job);
    let height = (name.size().y + 2.0 * PAD.y).max(26.0).round();
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    if let Some((column, word, ground)) = side {
        let cell = columns.cell(column, rect.top() + 0.5, height - 0.5);
        ui.painter().rect_filled(cell, 0.0, ground);
        let at = pos2(cell.left() + PAD.x, rect.top() + 13.0);
        ui.painter().text(at, egui::Align2::LEFT_CENTER, word, t.sans(11.5), t.color.text);
    }
    line_above(ui, t, rect);
    let x = columns.left + PAD.x + indent(row);
    if row.change != Change::Equal {
        // The mark of a parent whose leaf differs.
        ui.painter().circle_filled(pos2(x + 2.5, rect.top() + 13.0), 2.5, t.color.strong);
    }
    ui.painter().galley(pos2(x + 9.0, rect.top() + PAD.y), name, t.color.text);
    let word = side.map_or("", |(_, word, _)| word);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, format!("{} {word}", row.name)));
}

fn indent(row: &Row) -> f32 {
    row.depth as f32 * 10.0
}

fn leaf(ui: &mut Ui, t: &Theme, columns: &Columns, row: &Row, options: &Options<'_>, events: &mut Vec<Event>) {
    let name = name_galley(ui, t, row, columns.room(0), options);
    let texts = [Version::Old, Version::New].map(|v| row.side(v).map(|s| shown(&s.json)));
    let halves = match (&texts, row.change) {
        ([Some(a), Some(b)], Change::Changed) => {
            let (left, right) = pieces(a, b);
            [left, right]
        }
        (texts, _) => texts.clone().map(|text| text.map(|t| vec![(t, false)]).unwrap_or_default()),
    };
    let field = last_name(&row.name);
    let tops = [Version::Old, Version::New].map(|version| {
        let i = usize::from(version == Version::New);
        let column = i + 1;
        let room = columns.room(column);
        let key = format!("{}.{}.{}", options.source, version.word(), row.key);
        let full = value_galley(
            ui,
            t,
            &halves[i],
            row.change,
            room - if options.editing.is_some() { 3.0 } else { 0.0 },
            usize::MAX,
        );
        let long = full.rows.len() > SHORT + 1 && options.editing.is_none();
        let open = !long || (options.unfolded)(&key);
        let galley = if long && !open { value_galley(ui, t, &halves[i], row.change, room, SHORT) } else { full };
        (version, key, galley, long, open)
    });
    let editing = options.editing.is_some();
    let text_height =
        tops.iter().map(|(_, _, g, long, _)| g.size().y + if *long { 18.0 } else { 0.0 }).fold(name.size().y, f32::max);
    let height = (text_height + 2.0 * PAD.y).max(26.0).round() + if editing { 8.0 } else { 0.0 };
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    for (version, ..) in &tops {
        let (column, ground) = if *version == Version::Old { (1, t.color.old) } else { (2, t.color.new) };
        if row.change != Change::Equal && row.side(*version).is_some() {
            ui.painter().rect_filled(columns.cell(column, rect.top() + 0.5, height - 0.5), 0.0, ground);
        }
    }
    line_above(ui, t, rect);
    let lower = if editing { 4.0 } else { 0.0 };
    let at = pos2(columns.left + PAD.x + indent(row), rect.top() + PAD.y + lower);
    put(ui, at, name, ("name", options.source, &row.key));
    for (version, key, galley, long, open) in tops {
        let column = if version == Version::Old { 1 } else { 2 };
        let cell = columns.cell(column, rect.top(), height);
        let Some(side) = row.side(version) else {
            ui.painter().text(
                cell.min + PAD + vec2(0.0, lower),
                egui::Align2::LEFT_TOP,
                "—",
                t.mono(12.0),
                t.color.faint,
            );
            continue;
        };
        if let Some(editing) = &options.editing {
            let place = edit::Place {
                key: &key,
                name: &row.name,
                version,
                cell,
                lines: galley.rows.len(),
                kind: (editing.kind)(field),
                focus: editing.focus.take(),
            };
            let draft = (editing.draft)(&key);
            match edit::field(ui, t, &place, side, draft, (editing.edited)(version, side)) {
                Some(Edited::Draft(text)) => events.push(Event::Draft(key, text)),
                Some(Edited::Value(json)) => events.push(Event::Edit(version, Side { path: side.path.clone(), json })),
                None => {}
            }
            continue;
        }
        let size = galley.size();
        put(ui, cell.min + PAD, galley, ("value", options.source, &key));
        if long && more(ui, t, pos2(cell.left() + PAD.x, cell.top() + PAD.y + size.y + 1.0), open, &key) {
            events.push(Event::Unfold(key));
        }
    }
}

/// The key at the end of a dotted row name.
fn last_name(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

fn name_galley(ui: &Ui, t: &Theme, row: &Row, room: f32, options: &Options<'_>) -> Arc<Galley> {
    let mut job = LayoutJob::default();
    job.wrap.max_width = (room - indent(row)).max(24.0);
    let format = |font, color| TextFormat { font_id: font, color, ..TextFormat::default() };
    let (before, last) = row.name.rsplit_once('.').map_or(("", row.name.as_str()), |(a, b)| (a, b));
    if !before.is_empty() {
        job.append(&format!("{before}."), 0.0, format(t.sans(12.0), t.color.text));
    }
    job.append(last, 0.0, format(t.sans(12.0), t.color.text));
    if let Some(unit) = (options.unit)(last) {
        job.append(&format!(" {unit}"), 2.0, format(t.sans(11.0), t.color.faint));
    }
    ui.painter().layout_job(job)
}

fn value_galley(ui: &Ui, t: &Theme, pieces: &[(String, bool)], change: Change, room: f32, rows: usize) -> Arc<Galley> {
    let mut job = LayoutJob::default();
    job.wrap.max_width = room.max(24.0);
    job.wrap.max_rows = rows;
    let mixed = pieces.len() > 1;
    for (text, differs) in pieces {
        let color = if change == Change::Equal || (mixed && !differs) { t.color.muted } else { t.color.text };
        job.append(text, 0.0, TextFormat { font_id: t.mono(12.0), color, ..TextFormat::default() });
    }
    ui.painter().layout_job(job)
}

/// A laid-out text at a place, selectable like any other.
fn put(ui: &mut Ui, at: egui::Pos2, galley: Arc<Galley>, salt: impl std::hash::Hash + std::fmt::Debug) {
    let rect = Rect::from_min_size(at, galley.size());
    let mut child =
        ui.new_child(UiBuilder::new().max_rect(rect).id_salt(salt).layout(egui::Layout::top_down(egui::Align::Min)));
    child.add(egui::Label::new(galley).selectable(true));
}

fn more(ui: &mut Ui, t: &Theme, at: egui::Pos2, open: bool, key: &str) -> bool {
    let word = if open { "show less" } else { "show all" };
    let rect = Rect::from_min_size(at, vec2(70.0, 16.0));
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(("more", key)));
    let link = egui::Label::new(RichText::new(word).font(t.sans(11.0)).color(t.color.accent))
        .sense(Sense::click())
        .selectable(false);
    child.add(link).on_hover_cursor(egui::CursorIcon::PointingHand).clicked()
}
