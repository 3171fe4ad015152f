//! From log-probabilities to gain: energies, centred, layout mean, margin, wave mean, each with its numbers.

use std::sync::Arc;

use egui::{
    Align2, Color32, CornerRadius, Id, Label, Rect, RichText, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo,
    pos2, vec2,
};

use decidendi_cli::study::LoadedStudy;
use decidendi_core::report::step_value::{sign_word, signed};
use decidendi_core::step_value::face::Side;
use decidendi_core::step_value::reduce::{Reducer, Stops};
use decidendi_core::step_value::scores::{Cell, Corner, Score};
use decidendi_core::step_value::study::{Readout, State as Moment, position};

use super::{Page, section};
use crate::command::{Commands, StepCommand};
use crate::parts::{quiet, rich, segments};
use crate::state::Stop;
use crate::widgets::face::moment;

/// Side of a cell of the heat maps.
const CELL: f32 = 21.0;

pub(super) fn show(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    let open = page.open;
    section(ui, page.theme, "From log-probabilities to gain", "");
    let Some(contrast) = open.contrast() else {
        quiet(ui, "Without a contrast no corner can be chosen.");
        return;
    };
    let (side, at) = open.corner;
    choices(ui, page, commands);
    chips(ui, page, commands);
    let channel = side.channel(contrast);
    let Some(stops) = reduced(ui, page, channel, at) else { return };
    match open.stop {
        Stop::Energies => layouts(ui, page, &returned(page, channel, at), "energy"),
        Stop::Centred => {
            let whole = stops.centred.get(open.wave).map_or(&[][..], Vec::as_slice);
            let k = open.transition().map_or(0, |step| open.study().candidates(step).len());
            let each =
                |layout: &Option<Vec<f64>>| (0..k).map(|c| layout.as_ref().and_then(|l| l.get(c).copied())).collect();
            layouts(ui, page, &whole.iter().map(each).collect::<Vec<_>>(), "energy less its layout's mean");
        }
        Stop::LayoutMean => layout_mean(ui, page, &stops),
        Stop::Margin => margins(ui, page, &stops),
        Stop::WaveMean => wave_mean(ui, page, &stops),
    }
    declared(ui, page, channel);
}

/// The stops that were worked out last, and of what.
#[derive(Clone)]
struct Reduced {
    of: (Arc<LoadedStudy>, usize, usize, Moment),
    stops: Arc<Stops>,
}

fn reduced(ui: &Ui, page: &Page<'_>, channel: usize, at: Moment) -> Option<Arc<Stops>> {
    let open = page.open;
    let id = Id::unique("step value, stops");
    let last: Option<Reduced> = ui.data(|d| d.get_temp(id));
    let same = |(loaded, step, one, moment): &(Arc<LoadedStudy>, usize, usize, Moment)| {
        Arc::ptr_eq(loaded, &open.data.loaded) && (*step, *one, *moment) == (open.at, channel, at)
    };
    if let Some(last) = last.filter(|last| same(&last.of)) {
        return Some(last.stops);
    }
    let reducer = Reducer::new(open.study(), &open.data.loaded.scores);
    let stops = Arc::new(reducer.stops(open.at, channel, Corner::own(at))?);
    let of = (Arc::clone(&open.data.loaded), open.at, channel, at);
    ui.data_mut(|d| d.insert_temp(id, Reduced { of, stops: Arc::clone(&stops) }));
    Some(stops)
}

/// Which corner, and which wave.
fn choices(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    let open = page.open;
    let (side, at) = open.corner;
    let waves = &open.study().waves;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(14.0, 4.0);
        ui.spacing_mut().interact_size.y = 24.0;
        let names = Moment::BOTH.map(moment);
        if let Some(i) = segments(ui, "State", &names, at.index()) {
            commands.step(StepCommand::Corner(side, Moment::BOTH[i]));
        }
        let names = Side::BOTH.map(|side| open.channel(side));
        if let Some(i) = segments(ui, "Channel", &names, side as usize) {
            commands.step(StepCommand::Corner(Side::BOTH[i], at));
        }
        if waves.len() > 1 && matches!(open.stop, Stop::Energies | Stop::Centred) {
            let names: Vec<String> = waves.iter().map(|wave| format!("wave {}", wave.id)).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            if let Some(i) = segments(ui, "Wave", &names, open.wave) {
                commands.step(StepCommand::Wave(i));
            }
        }
    });
}

/// The five stops, in their order.
fn chips(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    let t = page.theme;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        for (i, stop) in Stop::ALL.into_iter().enumerate() {
            if i > 0 {
                ui.add(Label::new(RichText::new("›").color(t.color.faint)).selectable(false));
            }
            let on = stop == page.open.stop;
            let ink = if on { t.color.accent } else { t.color.text };
            let label = ui.painter().layout_no_wrap(stop.name().to_owned(), t.sans(12.5), ink);
            let (rect, response) = ui.allocate_exact_size(vec2((label.size().x + 20.0).round(), 23.0), Sense::click());
            response.widget_info(|| {
                WidgetInfo::selected(Role::RadioButton, true, on, format!("Stop {}: {}", i + 1, stop.name()))
            });
            let stroke = if on { Stroke::new(t.line(), t.color.accent) } else { t.hairline() };
            let fill = if on {
                t.color.accent_bg
            } else if response.hovered() {
                t.color.hover
            } else {
                t.color.panel
            };
            ui.painter().rect(rect, CornerRadius::same(t.radius.chip), fill, stroke, StrokeKind::Inside);
            ui.painter().galley(rect.center() - label.size() / 2.0, label, ink);
            crate::parts::ring(ui, &response, rect, t.radius.chip);
            if response.on_hover_cursor(egui::CursorIcon::PointingHand).clicked() {
                commands.step(StepCommand::Stop(stop));
            }
        }
    });
}

/// Layout by layout, candidate by candidate: a figure, where there is one.
type Layouts = [Vec<Option<f64>>];

/// The energies of the chosen wave as far as their scores were returned: where one candidate lacks its score, the others
/// keep theirs.
fn returned(page: &Page<'_>, channel: usize, at: Moment) -> Vec<Vec<Option<f64>>> {
    let open = page.open;
    let binary = open.study().channels.get(channel).is_some_and(|c| c.readout == Readout::Binary);
    (0..open.study().layouts)
        .map(|layout| {
            let cell = Cell { transition: open.at, channel, corner: Corner::own(at), wave: open.wave, layout };
            let scores: Vec<Option<f64>> = open.data.loaded.scores.cell(&cell).map(Score::value).collect();
            if binary { scores.chunks_exact(2).map(|pair| Some(pair[0]? - pair[1]?)).collect() } else { scores }
        })
        .collect()
}

/// One heat map a layout, and the numbers below.
fn layouts(ui: &mut Ui, page: &Page<'_>, layouts: &Layouts, what: &str) {
    let open = page.open;
    let Some(step) = open.transition() else { return };
    let names = open.study().candidates(step);
    let known: Vec<f64> = layouts.iter().flatten().flatten().copied().collect();
    let lo = known.iter().copied().fold(f64::INFINITY, f64::min);
    let hi = known.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    maps(ui, page, layouts, names, [lo, hi]);
    numbers(ui, page, names, layouts, step.target);
    let flat = known.len() > 1 && hi - lo < 1e-12;
    let lacking = layouts.iter().flatten().any(Option::is_none);
    let words = if known.is_empty() {
        "Every layout of this wave misses a score, so there is nothing to draw and nothing to reduce.".to_owned()
    } else if flat {
        let rivals = names.len().saturating_sub(1);
        format!(
            "All {what} figures are equal: the evaluator tells no candidate from another here, and the margin is −log({rivals})."
        )
    } else if lacking {
        format!(
            "Shade: {what}, from {} (faint) to {} (full). Dotted: missing. A layout that misses a score is not centred, and nothing is put in its place.",
            signed(lo),
            signed(hi)
        )
    } else {
        format!(
            "Shade: {what}, from {} (faint) to {} (full). A column that stays full whatever the candidate is position bias; the layout mean removes it.",
            signed(lo),
            signed(hi)
        )
    };
    quiet(ui, words);
}

fn maps(ui: &mut Ui, page: &Page<'_>, layouts: &Layouts, names: &[String], [lo, hi]: [f64; 2]) {
    let t = page.theme;
    let k = names.len();
    let room = ui.available_width();
    let name_room = 22.0;
    let gap = 26.0;
    let wanted = (room - name_room - gap * layouts.len() as f32) / (k * layouts.len()).max(1) as f32;
    let side = wanted.clamp(9.0, CELL).floor();
    let columns =
        (((room - name_room + gap) / (side * k as f32 + gap)).floor() as usize).clamp(1, layouts.len().max(1));
    for (row, chunk) in layouts.chunks(columns).enumerate() {
        let size = vec2(room, 18.0 + side * k as f32 + 17.0);
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        for (column, energies) in chunk.iter().enumerate() {
            let layout = row * columns + column;
            let left = rect.left() + name_room + column as f32 * (side * k as f32 + gap);
            let origin = pos2(left, rect.top() + 18.0);
            let p = ui.painter();
            let middle = left + side * k as f32 / 2.0;
            p.text(
                pos2(middle, rect.top() + 7.0),
                Align2::CENTER_CENTER,
                format!("layout {layout}"),
                t.sans(t.size.caption),
                t.color.muted,
            );
            for candidate in 0..k {
                if column == 0 {
                    let at = pos2(rect.left() + 14.0, origin.y + side * (candidate as f32 + 0.5));
                    p.text(at, Align2::RIGHT_CENTER, letter(candidate, false), t.sans(t.size.caption), t.color.muted);
                }
                let at = pos2(left + side * (candidate as f32 + 0.5), origin.y + side * k as f32 + 9.0);
                p.text(at, Align2::CENTER_CENTER, letter(candidate, true), t.sans(t.size.caption), t.color.faint);
            }
            map(ui, page, origin, side, layout, energies, names, [lo, hi]);
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "one cell grid, named once")]
fn map(
    ui: &Ui,
    page: &Page<'_>,
    origin: egui::Pos2,
    side: f32,
    layout: usize,
    energies: &[Option<f64>],
    names: &[String],
    [lo, hi]: [f64; 2],
) {
    let t = page.theme;
    let k = names.len();
    for candidate in 0..k {
        for place in 0..k {
            let at = origin + vec2(place as f32 * side, candidate as f32 * side);
            let rect = Rect::from_min_size(at, Vec2::splat(side)).shrink(1.0);
            let here = position(candidate, layout, k) == place;
            let value = energies.get(candidate).copied().flatten().filter(|_| here);
            let fill = value.map_or(Color32::TRANSPARENT, |value| shade(page, value, lo, hi));
            let radius = CornerRadius::same(3);
            if here && value.is_none() {
                ui.painter().extend(egui::Shape::dotted_line(
                    &[rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom(), rect.left_top()],
                    t.color.warn,
                    3.0,
                    0.8,
                ));
            } else {
                ui.painter().rect(rect, radius, fill, Stroke::new(t.line(), t.color.stroke), StrokeKind::Inside);
            }
        }
    }
    let rect = Rect::from_min_size(origin, Vec2::splat(side * k as f32));
    let response = ui.interact(rect, ui.scope_id().with(("map", layout)), Sense::hover());
    let words = || {
        let cells = (0..k).map(|candidate| {
            let value = energies.get(candidate).copied().flatten().map_or_else(|| "missing".to_owned(), signed);
            format!("{} at {}: {value}", names[candidate], letter(position(candidate, layout, k), true))
        });
        format!("Layout {layout}. {}", cells.collect::<Vec<_>>().join(", "))
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, words()));
    if response.hovered() {
        response.on_hover_text(words());
    }
}

/// Pale for the least, dark for the most; all-equal figures take the middle.
fn shade(page: &Page<'_>, value: f64, lo: f64, hi: f64) -> Color32 {
    let share = if hi - lo < 1e-12 { 0.5 } else { ((value - lo) / (hi - lo)) as f32 };
    page.theme.color.panel.lerp_to_gamma(page.theme.color.accent, 0.18 + 0.82 * share)
}

/// `a` or `A`; beyond 26 a number.
fn letter(at: usize, capital: bool) -> String {
    let first = if capital { b'A' } else { b'a' };
    u8::try_from(at)
        .ok()
        .filter(|at| *at < 26)
        .map_or_else(|| (at + 1).to_string(), |at| char::from(first + at).to_string())
}

/// Candidates by layouts, as text that can be selected.
fn numbers(ui: &mut Ui, page: &Page<'_>, names: &[String], layouts: &Layouts, target: usize) {
    let columns: Vec<(String, Vec<Option<f64>>)> =
        layouts.iter().enumerate().map(|(i, layout)| (format!("layout {i}"), layout.clone())).collect();
    grid(ui, page, names, &columns, target);
}

/// A block of figures in mono: one row a candidate, the target marked.
fn grid(ui: &mut Ui, page: &Page<'_>, names: &[String], columns: &[(String, Vec<Option<f64>>)], target: usize) {
    let t = page.theme;
    let wide = names.iter().map(|n| n.chars().count().min(16)).max().unwrap_or(0) + 4;
    let mut text = format!("{:wide$}", "");
    for (head, _) in columns {
        text.push_str(&format!("{head:>10}"));
    }
    for (candidate, name) in names.iter().enumerate() {
        let name: String = name.chars().take(16).collect();
        let sign = if candidate == target { "›" } else { " " };
        text.push_str(&format!("\n{sign}{} {name:w$}", letter(candidate, false), w = wide.saturating_sub(3)));
        for (_, values) in columns {
            let value = values.get(candidate).copied().flatten().map_or_else(|| "missing".to_owned(), signed);
            text.push_str(&format!("{value:>10}"));
        }
    }
    let words = RichText::new(text).font(t.mono(t.size.value)).color(t.color.text);
    ui.add(Label::new(words).extend());
}

fn layout_mean(ui: &mut Ui, page: &Page<'_>, stops: &Stops) {
    let open = page.open;
    let Some(step) = open.transition() else { return };
    let names = open.study().candidates(step);
    let columns: Vec<(String, Vec<Option<f64>>)> = stops
        .layout_mean
        .iter()
        .zip(&open.study().waves)
        .map(|(mean, wave)| {
            let values = (0..names.len()).map(|c| mean.as_ref().and_then(|m| m.get(c).copied())).collect();
            (format!("wave {}", wave.id), values)
        })
        .collect();
    grid(ui, page, names, &columns, step.target);
    quiet(
        ui,
        "u(c): centred energies averaged over the layouts, times the factor. Each candidate has stood at every position once, so position bias cancels. › marks the target.",
    );
}

fn margins(ui: &mut Ui, page: &Page<'_>, stops: &Stops) {
    let t = page.theme;
    let open = page.open;
    let Some(step) = open.transition() else { return };
    let target = open.study().candidates(step).get(step.target).map_or("", String::as_str);
    let lines: Vec<String> = stops
        .margins
        .iter()
        .zip(&stops.layout_mean)
        .zip(&open.study().waves)
        .map(|((margin, mean), wave)| match (margin, mean.as_ref().and_then(|m| m.get(step.target))) {
            (Some(margin), Some(own)) => {
                format!(
                    "wave {:<4} u({target}) {} − log Σ exp {} = {}",
                    wave.id,
                    signed(*own),
                    signed(own - margin),
                    signed(*margin)
                )
            }
            _ => format!("wave {:<4} not identified: a score is missing", wave.id),
        })
        .collect();
    ui.add(Label::new(RichText::new(lines.join("\n")).font(t.mono(t.size.value)).color(t.color.text)).wrap());
    quiet(
        ui,
        "The margin sets the target against all other candidates together: its figure less the logarithm of the sum of their exponentials.",
    );
}

fn wave_mean(ui: &mut Ui, page: &Page<'_>, stops: &Stops) {
    let t = page.theme;
    let open = page.open;
    let waves = &open.study().waves;
    let terms = waves.iter().zip(&stops.margins).map(|(wave, margin)| {
        let margin = margin.map_or_else(|| "missing".to_owned(), signed);
        format!("{} · {margin}", wave.weight)
    });
    let scalar = stops.scalar.map_or_else(|| "not identified".to_owned(), |m| signed(m.value));
    let (side, at) = open.corner;
    let mut text = format!("F({}) = {} = {scalar}", moment(at), terms.collect::<Vec<_>>().join(" + "));
    if let Some(face) = open.face() {
        let corner = |at| face.corner(side, at).map_or_else(|| "?".to_owned(), |m| signed(m.value));
        let gain = face.gain(side);
        text.push_str(&format!(
            "\nG = F(x⁺) − F(x⁻) = {} − ({}) = {}",
            corner(Moment::After),
            corner(Moment::Before),
            gain.map_or_else(|| "not identified".to_owned(), |gain| signed(gain.value))
        ));
        if let Some(gain) = gain {
            text.push_str(
                &format!(
                    "\nenvelope of G [{:.15}, {:.15}]: {}",
                    gain.envelope.lo(),
                    gain.envelope.hi(),
                    sign_word(gain.sign())
                )
                .replace('-', "−"),
            );
        }
    }
    ui.add(Label::new(RichText::new(text).font(t.mono(t.size.value)).color(t.color.text)).wrap());
    quiet(
        ui,
        "Waves are averaged as margins, never as logits. A sign is certified only where the outward-rounded envelope excludes zero.",
    );
}

/// What the channel declares: readout, τ, basis, factor.
fn declared(ui: &mut Ui, page: &Page<'_>, channel: usize) {
    let Some(channel) = page.open.study().channels.get(channel) else { return };
    let readout = match channel.readout {
        Readout::Joint => "joint readout",
        Readout::Binary => "binary readout, L(Yes) − L(No)",
    };
    let words = format!(
        "Channel `{}`: {readout}; τ {}, {} log-probabilities: the factor is {}.",
        channel.id,
        channel.temperature,
        channel.basis.word(),
        channel.factor()
    );
    rich(ui, &words, page.theme.color.muted);
}
