//! The rows: virtual, so that 20,000 scroll as well as ten. Each row is one widget with one name for screen readers.

use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, Color32, FontId, Painter, Rect, Response, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::desk::command::{Command, Commands};
use crate::desk::state::State;
use crate::parts::{Press, empty, scroll_keys, text};
use crate::theme::icons::{Icon, square};
use crate::widgets::drawing::Drawing;
use crate::widgets::verdict::{Look, Mark};
use crate::wings::judgment::actions::CLEAR_FILTERS;
use crate::wings::judgment::command::TableCommand;
use crate::wings::judgment::state::{CaseRow, Filter, Judged, RowCertificate, SortBy, Summary};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Verdicts,
    Title,
    Family,
    Size,
    Multiplicity,
    Engine,
    Unit,
    Id,
    Status,
    Certificate,
}

impl Cell {
    const fn head(self) -> (&'static str, SortBy) {
        match self {
            Self::Verdicts => ("Verdict", SortBy::Verdicts),
            Self::Title => ("Case", SortBy::Title),
            Self::Family => ("Receipt family", SortBy::Family),
            Self::Size => ("Size", SortBy::Size),
            Self::Multiplicity => ("Receipts", SortBy::Multiplicity),
            Self::Engine => ("Engine", SortBy::Engine),
            Self::Unit => ("Unit", SortBy::Unit),
            Self::Id => ("Id", SortBy::Id),
            Self::Status => ("Status", SortBy::Status),
            Self::Certificate => ("Certificate", SortBy::Certificate),
        }
    }

    const fn width(self) -> f32 {
        match self {
            Self::Verdicts => 188.0,
            Self::Title => 0.0,
            Self::Family => 128.0,
            Self::Size => 56.0,
            Self::Multiplicity => 72.0,
            Self::Engine => 64.0,
            Self::Unit => 116.0,
            Self::Id => 168.0,
            Self::Status => 98.0,
            Self::Certificate => 88.0,
        }
    }

    const fn is_number(self) -> bool {
        matches!(self, Self::Size | Self::Multiplicity)
    }
}

/// Every column, left to right.
const ALL: [Cell; 10] = [
    Cell::Verdicts,
    Cell::Title,
    Cell::Family,
    Cell::Size,
    Cell::Multiplicity,
    Cell::Unit,
    Cell::Engine,
    Cell::Status,
    Cell::Certificate,
    Cell::Id,
];

/// The columns that fit, left to right, with their places, and those that do not.
struct Columns {
    shown: Vec<(Cell, f32, f32)>,
    hidden: Vec<Cell>,
}

/// Room that the title asks for before other columns come.
const TITLE: f32 = 260.0;

fn columns(state: &State, width: f32) -> Columns {
    // As wide as the longest family in the casebook asks for: an empty half column cuts no title.
    let longest =
        state.wings.judgment.table.counts.keys().filter_map(|f| if let Filter::Family(w) = f { Some(w) } else { None });
    let longest = longest.map(|w| w.chars().count()).max().unwrap_or_default();
    let family = (longest as f32).mul_add(7.4, 18.0).clamp(96.0, 160.0);
    let wide = |c: &Cell| if *c == Cell::Family { family } else { c.width() };
    let mut cells = ALL.to_vec();
    if state.wings.judgment.book.rows.iter().all(|r| r.unit.is_empty()) {
        cells.retain(|c| *c != Cell::Unit);
    }
    let mut hidden = Vec::new();
    // What says least goes first where there is little room: of the two the column that is empty.
    let bare = state.wings.judgment.book.rows.iter().all(|r| r.certificate == RowCertificate::None);
    let (first, second) = if bare { (Cell::Certificate, Cell::Unit) } else { (Cell::Unit, Cell::Certificate) };
    for least in [Cell::Id, Cell::Engine, first, second, Cell::Multiplicity, Cell::Size, Cell::Status, Cell::Family] {
        let fixed: f32 = cells.iter().map(wide).sum();
        if width - fixed < TITLE && cells.contains(&least) {
            cells.retain(|c| *c != least);
            hidden.push(least);
        }
    }
    let fixed: f32 = cells.iter().map(wide).sum();
    let title = (width - fixed).max(120.0);
    let mut x = 0.0;
    let shown = cells
        .into_iter()
        .map(|cell| {
            let w = if cell == Cell::Title { title } else { wide(&cell) };
            let place = (cell, x, w);
            x += w;
            place
        })
        .collect();
    Columns { shown, hidden }
}

/// The columns for which a table of a width has no room, by name.
pub(super) fn hidden(state: &State, width: f32) -> Vec<&'static str> {
    let hidden = columns(state, width - 2.0 * state.theme.width.card_padding).hidden;
    ALL.iter().filter(|c| hidden.contains(c)).map(|c| c.head().0).collect()
}

pub(super) fn show(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    let pad = t.width.card_padding;
    let width = ui.available_width();
    let columns = columns(state, width - 2.0 * pad).shown;
    ui.spacing_mut().item_spacing.y = 0.0;
    head(ui, state, commands, &columns);
    let shown = state.wings.judgment.table.order.len();
    if shown == 0 {
        empty(
            ui,
            Icon::Search,
            "No case passes",
            "Search and chips leave nothing. Clear them to see every case again.",
            |ui| {
                if ui.add(Press::new("Clear all filters").key(CLEAR_FILTERS.key_words())).clicked() {
                    commands.act(&CLEAR_FILTERS);
                }
            },
        );
        return;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut area = ScrollArea::vertical().auto_shrink(false).id_salt("judgments");
    let seen = egui::Id::unique("judgments seen");
    if state.wings.judgment.table.reveal
        && let Some(place) = state
            .wings
            .judgment
            .table
            .marked
            .and_then(|row| state.wings.judgment.table.order.iter().position(|&r| r as usize == row))
    {
        let (offset, view) = ui.ctx().data(|d| d.get_temp::<(f32, f32)>(seen)).unwrap_or((0.0, ui.available_height()));
        let (top, bottom) = (place as f32 * t.row.table, (place + 1) as f32 * t.row.table);
        if top < offset {
            area = area.vertical_scroll_offset((top - t.row.table).max(0.0));
        } else if bottom > offset + view {
            area = area.vertical_scroll_offset(bottom + t.row.table - view);
        }
    }
    let shown = area.show_rows(ui, t.row.table, shown, |ui, range| {
        if state.overlay.is_none() {
            scroll_keys(ui, false);
        }
        for place in range {
            let Some((at, row)) = state
                .wings
                .judgment
                .table
                .order
                .get(place)
                .and_then(|&r| Some((r as usize, state.wings.judgment.book.rows.get(r as usize)?)))
            else {
                continue;
            };
            let response = line(ui, state, row, at, &columns);
            if response.double_clicked() || (response.clicked() && state.wings.judgment.table.marked == Some(at)) {
                commands.push(Command::wing(TableCommand::Open(at)));
            } else if response.clicked() {
                commands.wing(TableCommand::Mark(at));
            }
        }
    });
    ui.ctx().data_mut(|d| d.insert_temp(seen, (shown.state.clamped_offset().y, shown.inner_rect.height())));
}

fn head(ui: &mut Ui, state: &State, commands: &mut Commands, columns: &[(Cell, f32, f32)]) {
    let t = &state.theme;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), t.row.table), Sense::hover());
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, t.hairline());
    for (cell, x, w) in columns {
        let (name, by) = cell.head();
        let part = Rect::from_min_size(
            pos2(rect.left() + t.width.card_padding + x, rect.top()),
            vec2(*w - 8.0, rect.height()),
        );
        let response = ui.interact(part, ui.scope_id().with(("head", name)), Sense::click());
        let sorted = state.wings.judgment.table.query.sort == by;
        let order = match (sorted, state.wings.judgment.table.query.descending) {
            (true, true) => ", sorted descending",
            (true, false) => ", sorted ascending",
            _ => "",
        };
        response.widget_info(|| WidgetInfo::labeled(Role::ColumnHeader, true, format!("Sort by {name}{order}")));
        let ink = if sorted {
            t.color.accent
        } else if response.hovered() {
            t.color.text
        } else {
            t.color.muted
        };
        let galley = ui.painter().layout_no_wrap(name.to_owned(), t.sans(t.size.caption), ink);
        let left = if cell.is_number() { part.right() - galley.size().x - 8.0 } else { part.left() };
        let end = left + galley.size().x;
        ui.painter().galley(pos2(left, part.center().y - galley.size().y / 2.0), galley, ink);
        if sorted {
            let icon = if state.wings.judgment.table.query.descending { Icon::Down } else { Icon::Up };
            icon.paint(ui.painter(), square(pos2(end + 8.0, part.center().y), 9.0), ink);
        }
        crate::parts::ring(ui, &response, part, 3);
        if response.on_hover_cursor(egui::CursorIcon::PointingHand).clicked() {
            commands.wing(TableCommand::Sort(by));
        }
    }
}

fn line(ui: &mut Ui, state: &State, row: &CaseRow, at: usize, columns: &[(Cell, f32, f32)]) -> Response {
    let t = &state.theme;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), t.row.table), Sense::click());
    let marked = state.wings.judgment.table.marked == Some(at);
    response.widget_info(|| WidgetInfo::selected(Role::Row, true, marked, spoken(row)));
    let p = ui.painter();
    if marked {
        p.rect_filled(rect, 0, t.color.accent_bg);
        p.rect_filled(Rect::from_min_size(rect.min, vec2(3.0, rect.height())), 0, t.color.accent);
    } else if response.hovered() {
        p.rect_filled(rect, 0, t.color.hover);
    }
    p.hline(rect.x_range(), rect.bottom() - 0.5, egui::Stroke::new(t.line(), t.color.stroke.gamma_multiply(0.7)));
    for (cell, x, w) in columns {
        let part = Rect::from_min_size(
            pos2(rect.left() + t.width.card_padding + x, rect.top()),
            vec2(*w - 12.0, rect.height()),
        );
        paint(p, state, row, *cell, part, marked);
    }
    response.on_hover_ui(|ui| {
        text(ui, &row.title, t.bold(t.size.body), t.color.text);
        text(ui, &row.id, t.mono(t.size.value), t.color.muted);
        if !row.unit.is_empty() {
            text(ui, format!("unit {}", row.unit), t.body(), t.color.muted);
        }
    })
}

fn paint(p: &Painter, state: &State, row: &CaseRow, cell: Cell, part: Rect, marked: bool) {
    let t = &state.theme;
    let summary = if let Judged::Done(summary) = &row.judged { Some(summary.as_ref()) } else { None };
    let (body, value) = (t.body(), t.mono(t.size.value));
    match cell {
        Cell::Title => {
            let font = if marked { t.bold(t.size.body) } else { body };
            words(p, &row.title, font, t.color.text, part);
        }
        Cell::Engine => words(p, &row.engine, body, t.color.muted, part),
        Cell::Unit => words(p, &row.unit, body, t.color.muted, part),
        Cell::Id => words(p, &row.id, t.mono(t.size.caption), t.color.muted, part),
        Cell::Certificate => certificate(p, state, row.certificate, part),
        Cell::Verdicts => verdicts(p, state, &row.judged, part),
        Cell::Status => {
            let (word, ink) = match &row.judged {
                Judged::NotRun => ("not run yet", t.color.faint),
                Judged::Failed(_) => ("failed", t.color.bad),
                Judged::Done(s) if s.status == "uncertifiable" => (s.status, t.color.warn),
                Judged::Done(s) => (s.status, t.color.muted),
            };
            words(p, word, body, ink, part);
        }
        Cell::Family => {
            if let Some(s) = summary {
                let ink = if s.family.as_ref().is_some_and(|f| !f.is_empty()) { t.color.text } else { t.color.faint };
                let font = if s.family.as_ref().is_some_and(|f| !f.is_empty()) { value } else { body };
                words(p, &s.family_words, font, ink, part);
            }
        }
        Cell::Size => number(p, state, summary.and_then(Summary::size), part),
        Cell::Multiplicity => number(p, state, summary.and_then(Summary::multiplicity).filter(|n| *n > 0), part),
    }
}

fn number(p: &Painter, state: &State, n: Option<usize>, part: Rect) {
    let t = &state.theme;
    let (text, ink) = n.map_or(("–".to_owned(), t.color.faint), |n| (n.to_string(), t.color.text));
    p.text(pos2(part.right() - 4.0, part.center().y), Align2::RIGHT_CENTER, text, t.mono(t.size.value), ink);
}

fn certificate(p: &Painter, state: &State, certificate: RowCertificate, part: Rect) {
    let t = &state.theme;
    let (icon, word, ink) = match certificate {
        RowCertificate::None => return,
        RowCertificate::Verified => (Icon::Check, "verified", t.color.good),
        RowCertificate::Stale => (Icon::Warn, "stale", t.color.warn),
    };
    icon.paint(p, square(pos2(part.left() + 6.0, part.center().y), 12.0), ink);
    p.text(pos2(part.left() + 18.0, part.center().y), Align2::LEFT_CENTER, word, t.body(), ink);
}

/// Verdict before and after, each with its mark and its word. *Not run yet* has no mark at all.
fn verdicts(p: &Painter, state: &State, judged: &Judged, part: Rect) {
    let t = &state.theme;
    let summary = match judged {
        Judged::NotRun => {
            dotted(p, state, part);
            return;
        }
        Judged::Failed(_) => {
            Icon::Warn.paint(p, square(pos2(part.left() + 8.0, part.center().y), 13.0), t.color.bad);
            p.text(
                pos2(part.left() + 20.0, part.center().y),
                Align2::LEFT_CENTER,
                "could not run",
                t.body(),
                t.color.bad,
            );
            return;
        }
        Judged::Done(summary) => summary,
    };
    let look = if summary.recorded { Look::Recorded } else { Look::Executed };
    let mut drawing = Drawing::default();
    let half = part.width() / 2.0;
    for (i, label) in [&summary.old, &summary.new].into_iter().enumerate() {
        let left = half * i as f32 + if i == 1 { 10.0 } else { 0.0 };
        let mark = Mark::of(label.as_deref(), look);
        mark.draw(pos2(left + 8.0, part.height() / 2.0), 6.5, &mut drawing);
        let room = Rect::from_min_size(part.min + vec2(left + 20.0, 0.0), vec2(half - 34.0, part.height()));
        let ink = if label.is_some() { t.color.text } else { t.color.faint };
        words(p, &mark.word, t.body(), ink, room);
    }
    drawing.paint(p, part.min, &t.color);
    p.text(pos2(part.left() + half - 2.0, part.center().y), Align2::CENTER_CENTER, "→", t.body(), t.color.faint);
}

fn dotted(p: &Painter, state: &State, part: Rect) {
    let t = &state.theme;
    p.text(pos2(part.left() + 2.0, part.center().y), Align2::LEFT_CENTER, "· · ·", t.body(), t.color.faint);
}

/// Text that ends with … where it does not fit.
fn words(p: &Painter, text: &str, font: FontId, ink: Color32, part: Rect) {
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, ink);
    job.wrap = TextWrapping::truncate_at_width(part.width());
    let galley = p.layout_job(job);
    p.galley(pos2(part.left(), part.center().y - galley.size().y / 2.0), galley, ink);
}

/// The row in words.
fn spoken(row: &CaseRow) -> String {
    match &row.judged {
        Judged::NotRun => format!("{}: not run yet", row.title),
        Judged::Failed(_) => format!("{}: failed", row.title),
        Judged::Done(s) => format!(
            "{}: {} to {}, {}, {}",
            row.title,
            s.old.as_deref().unwrap_or("not run"),
            s.new.as_deref().unwrap_or("not run"),
            s.status,
            s.family_words
        ),
    }
}
