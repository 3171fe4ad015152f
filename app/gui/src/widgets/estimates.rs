//! Estimates as rows: name, figure, interval, what it means, and, where there is a scale, the interval as a dot with arms.

use decidendi_core::report::step_value::{effect_words, figure, interval, signed};
use decidendi_core::stats::Estimate;
use decidendi_core::step_value::inference::Effect;
use egui::{
    Align, Color32, FontId, Label, Layout, Rect, RichText, Role, Sense, Stroke, Ui, UiBuilder, Vec2, WidgetInfo, pos2,
};

use super::face::sign_ink;
use crate::theme::Theme;

/// Height of a row.
pub const ROW: f32 = 26.0;

/// One estimate.
#[derive(Debug, Clone, Default)]
pub struct Line {
    /// What is estimated.
    pub name: String,
    /// The figure; `None` is not identified.
    pub value: Option<[f64; 3]>,
    /// What it means.
    pub word: String,
    /// Certified sign, as its ink.
    pub sign: Option<decidendi_core::exact::interval::Sign>,
    /// Set in bold.
    pub strong: bool,
    /// Whether figures have no sign of their own (an AUC).
    pub plain: bool,
    /// On a scale of its own: its interval is not drawn beside the others.
    pub apart: bool,
}

impl Line {
    /// A line of an effect.
    #[must_use]
    pub fn of(name: impl Into<String>, effect: Option<Effect>) -> Self {
        let word = effect.map_or_else(|| "not identified".to_owned(), |effect| effect_words(&effect));
        Self {
            name: name.into(),
            value: effect.map(|effect| parts(&effect.estimate)),
            word,
            sign: effect.and_then(|effect| effect.sign),
            ..Self::default()
        }
    }

    /// A line of a figure that has no certified sign.
    #[must_use]
    pub fn plain(name: impl Into<String>, estimate: Option<Estimate>, word: impl Into<String>) -> Self {
        let (name, word) = (name.into(), word.into());
        Self { name, value: estimate.as_ref().map(parts), word, plain: true, ..Self::default() }
    }

    /// With another meaning.
    #[must_use]
    pub fn word(mut self, word: impl Into<String>) -> Self {
        self.word = word.into();
        self
    }

    /// With signs before its figures, as a difference has them.
    #[must_use]
    pub const fn signed(mut self) -> Self {
        self.plain = false;
        self
    }

    /// On a scale of its own.
    #[must_use]
    pub const fn apart(mut self) -> Self {
        self.apart = true;
        self
    }

    /// In bold.
    #[must_use]
    pub const fn strong(mut self) -> Self {
        self.strong = true;
        self
    }

    fn figure(&self) -> String {
        match self.value {
            Some([value, ..]) if self.plain => unsigned(value),
            Some([value, ..]) => signed(value),
            None => "not identified".to_owned(),
        }
    }

    fn span(&self) -> String {
        match self.value {
            Some([_, lo, hi]) if self.plain && lo.is_finite() && hi.is_finite() => {
                format!("[{}, {}]", unsigned(lo), unsigned(hi))
            }
            Some([_, lo, hi]) => interval(lo, hi),
            None => String::new(),
        }
    }
}

const fn parts(estimate: &Estimate) -> [f64; 3] {
    [estimate.value, estimate.lo, estimate.hi]
}

/// Three decimals, no plus.
fn unsigned(value: f64) -> String {
    figure(value, 3)
}

/// A table of estimates.
pub struct Table<'a> {
    /// Names of the columns: name, figure, interval, meaning.
    pub head: [&'a str; 4],
    /// The rows.
    pub lines: &'a [Line],
    /// Draw the intervals on a common scale.
    pub drawn: bool,
    /// Magnitudes are not to be compared: figures in a quiet ink.
    pub quiet: bool,
}

/// What stays free between the drawn interval, or the interval in figures, and the meaning.
const GAP: f32 = 10.0;

/// Which of the columns hold words.
const PLACES: [usize; 4] = [0, 1, 2, 4];

/// Where the columns stand: name, figure, interval, drawn interval, meaning.
struct Columns([Rect; 5]);

/// Words and typefaces of a row: name, figure, interval, meaning.
fn cells(t: &Theme, line: &Line) -> [(String, FontId); 4] {
    let name = if line.strong { t.bold(t.size.body) } else { t.body() };
    let figure = if line.value.is_none() { t.sans(t.size.value) } else { t.mono(t.size.value) };
    [
        (line.name.clone(), name),
        (line.figure(), figure),
        (line.span(), t.mono(t.size.value)),
        (line.word.clone(), t.body()),
    ]
}

/// The room that words take in a cell, its margins included.
fn room(ui: &Ui, (words, font): (String, FontId)) -> f32 {
    ui.painter().layout_no_wrap(words, font, Color32::PLACEHOLDER).size().x.ceil() + 9.0
}

/// The room that the longest words of each column take.
fn needs(ui: &Ui, t: &Theme, table: &Table<'_>) -> [f32; 4] {
    let mut needs = table.head.map(|head| room(ui, (head.to_owned(), t.sans(t.size.caption))));
    for line in table.lines {
        for (need, cell) in needs.iter_mut().zip(cells(t, line)) {
            *need = need.max(room(ui, cell));
        }
    }
    needs
}

impl Columns {
    fn of(row: Rect, drawn: bool, [name, figure, span, word]: [f32; 4]) -> Self {
        let width = row.width();
        // Without a picture there is room for longer names. What names and figures do not need is the meaning's.
        let most = if drawn { (width * 0.31).clamp(84.0, 204.0) } else { (width * 0.4).clamp(84.0, 260.0) };
        let (name, figure) = (name.clamp(84.0, most), figure.min(96.0));
        let span = span.min(if drawn { 138.0 } else { 150.0 });
        let rest = (width - name - figure - span).max(0.0);
        let picture = if drawn { (rest - GAP - word.clamp(150.0, 230.0)).clamp(0.0, 220.0) } else { 0.0 };
        let mut left = row.left();
        let mut take = |w: f32| {
            let rect = Rect::from_min_max(pos2(left, row.top()), pos2((left + w).min(row.right()), row.bottom()));
            left += w;
            rect
        };
        let (name, figure, span) = (take(name), take(figure), take(span));
        let picture = take(picture + GAP);
        let word = Rect::from_min_max(pos2(picture.right(), row.top()), row.max);
        Self([name, figure, span, picture, word])
    }
}

/// Shows a table over the whole width.
pub fn show(ui: &mut Ui, table: &Table<'_>) {
    let t = Theme::of(ui.ctx());
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let (rect, _) = ui.allocate_exact_size(Vec2::new(ui.available_width(), ROW), Sense::hover());
        let needs = needs(ui, &t, table);
        let Columns(columns) = Columns::of(rect, table.drawn, needs);
        for (i, head) in PLACES.into_iter().zip(table.head) {
            let align = if matches!(i, 1 | 2) { Align::Max } else { Align::Min };
            cell(ui, columns[i], head, t.sans(t.size.caption), t.color.muted, align, false);
        }
        ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, t.hairline());
        let shared = table.lines.iter().filter(|line| !line.plain && !line.apart);
        let reach = shared.filter_map(|line| line.value).flatten().map(f64::abs);
        // An interval that is not known has no ends to make room for.
        let reach = reach.filter(|value| value.is_finite()).fold(0.0, f64::max);
        for line in table.lines {
            row(ui, &t, table, line, (reach, needs));
        }
    });
}

fn row(ui: &mut Ui, t: &Theme, table: &Table<'_>, line: &Line, (reach, needs): (f64, [f32; 4])) {
    let (id, rect) = ui.allocate_space(Vec2::new(ui.available_width(), ROW));
    let Columns(columns) = Columns::of(rect, table.drawn, needs);
    let words = cells(t, line);
    let is_cut = PLACES.into_iter().zip(&words).any(|(i, cell)| room(ui, cell.clone()) > columns[i].width() + 1.0);
    // What is cut is read in full by pointer, and by the keyboard that comes to it.
    let response = ui.interact(rect, id, if is_cut { Sense::focusable_noninteractive() } else { Sense::hover() });
    let spoken = format!("{}: {} {}, {}", line.name, line.figure(), line.span(), line.word);
    response.widget_info(|| WidgetInfo::labeled(Role::Row, true, &spoken));
    if response.has_focus() {
        response.show_tooltip_text(&spoken);
    }
    if !ui.is_rect_visible(rect) {
        return;
    }
    let ink = if line.value.is_none() {
        t.color.warn
    } else if table.quiet {
        t.color.faint
    } else {
        t.color.text
    };
    let meaning = if line.sign.is_some() && table.quiet { sign_ink(line.sign).color(&t.color) } else { t.color.muted };
    if let Some(value) = line.value.filter(|_| table.drawn && !line.apart) {
        arms(ui, t, columns[3].shrink2(Vec2::new(8.0, 0.0)), value, reach, line);
    }
    let looks = [(t.color.text, Align::Min), (ink, Align::Max), (ink, Align::Max), (meaning, Align::Min)];
    for ((i, (words, font)), (ink, align)) in PLACES.into_iter().zip(words).zip(looks) {
        cell(ui, columns[i], &words, font, ink, align, true);
    }
    crate::parts::ring(ui, &response, rect, 3);
    ui.painter().hline(rect.x_range(), rect.bottom() - 0.5, Stroke::new(t.line(), t.color.stroke.gamma_multiply(0.7)));
}

/// An interval as a dot with arms about a zero line.
fn arms(ui: &Ui, t: &Theme, rect: Rect, [value, lo, hi]: [f64; 3], reach: f64, line: &Line) {
    if (reach <= 0.0 && !line.plain) || rect.width() < 24.0 {
        return;
    }
    let (from, to) = if line.plain { (0.0, 1.0) } else { (-reach * 1.05, reach * 1.05) };
    let at = |v: f64| rect.left() + rect.width() * ((v - from) / (to - from)).clamp(0.0, 1.0) as f32;
    let p = ui.painter();
    let zero = if line.plain { 0.5 } else { 0.0 };
    p.vline(at(zero), rect.y_range(), Stroke::new(t.line(), t.color.strong.gamma_multiply(0.6)));
    let ink = if line.sign.is_some() { sign_ink(line.sign).color(&t.color) } else { t.color.muted };
    let y = rect.center().y;
    if lo.is_finite() && hi.is_finite() {
        p.hline(at(lo)..=at(hi), y, Stroke::new(1.6, ink));
        for end in [lo, hi] {
            p.vline(at(end), (y - 4.0)..=(y + 4.0), Stroke::new(1.6, ink));
        }
    }
    p.circle(pos2(at(value), y), 3.6, ink, Stroke::new(1.0, t.color.panel));
}

/// Text in a cell: selectable, ends with … where it does not fit.
pub fn cell(ui: &mut Ui, rect: Rect, text: &str, font: FontId, ink: Color32, align: Align, selectable: bool) {
    if text.is_empty() || rect.width() < 8.0 {
        return;
    }
    let room = rect.shrink2(Vec2::new(4.0, 0.0));
    let layout =
        if align == Align::Max { Layout::right_to_left(Align::Center) } else { Layout::left_to_right(Align::Center) };
    let mut child = ui.new_child(UiBuilder::new().max_rect(room).layout(layout));
    let words = RichText::new(text).font(font).color(ink);
    child.add(Label::new(words).selectable(selectable).truncate());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_meaning_takes_what_names_and_figures_do_not_need() {
        let row = |width: f32| Rect::from_min_size(pos2(0.0, 0.0), Vec2::new(width, ROW));
        // Short names, figures of three decimals, `positive, interval not known`.
        let needs = [60.0, 62.0, 178.0, 196.0];
        for (width, drawn) in [(560.0, false), (520.0, false), (620.0, true), (700.0, true)] {
            let Columns(columns) = Columns::of(row(width), drawn, needs);
            assert!(columns[4].width() >= needs[3], "{width}: {:?}", columns[4]);
            assert!(columns[1].width() >= needs[1] && columns[4].right() <= width, "{width}");
        }
        // A long name is cut before the figures are.
        let Columns(columns) = Columns::of(row(400.0), false, [400.0, 62.0, 150.0, 90.0]);
        assert!(columns[0].width() <= 160.0 && columns[2].width() >= 150.0);
    }
}
