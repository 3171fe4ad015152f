//! From log-probabilities to gain: energies, centred, layout mean, margin, wave mean, each with its numbers.

mod layouts;

use std::sync::Arc;

use egui::{CornerRadius, Id, Label, RichText, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use decidendi_core::report::step_value::{sign_word, signed};
use decidendi_core::step_value::face::Side;
use decidendi_core::step_value::reduce::{Reducer, Stops};
use decidendi_core::step_value::scores::{Cell, Corner, Score};
use decidendi_core::step_value::study::{Moment, Readout};
use decidendi_files::study::LoadedStudy;

use super::{Page, section};
use crate::desk::command::Commands;
use crate::parts::{quiet, rich, segments};
use crate::widgets::face::{corner, moment, view};
use crate::wings::step_value::command::StepCommand;
use crate::wings::step_value::state::{Spot, Stop};

pub(crate) fn show(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    let open = page.open;
    section(ui, page.theme, "From log-probabilities to gain", "");
    let Some(spot) = open.followed() else {
        quiet(ui, "Without a contrast no corner can be chosen.");
        return;
    };
    choices(ui, page, spot, commands);
    chips(ui, page, commands);
    let Some(stops) = reduced(ui, page, spot) else { return };
    match open.stop {
        Stop::Energies => layouts::show(ui, page, &returned(page, spot), "energy"),
        Stop::Centred => {
            let whole = stops.centred.get(open.wave).map_or(&[][..], Vec::as_slice);
            let k = open.transition().map_or(0, |step| open.study().candidates(step).len());
            let each =
                |layout: &Option<Vec<f64>>| (0..k).map(|c| layout.as_ref().and_then(|l| l.get(c).copied())).collect();
            layouts::show(ui, page, &whole.iter().map(each).collect::<Vec<_>>(), "energy less its layout's mean");
        }
        Stop::LayoutMean => layout_mean(ui, page, &stops),
        Stop::Margin => margins(ui, page, &stops),
        Stop::WaveMean => wave_mean(ui, page, spot, &stops),
    }
    declared(ui, page, spot.channel);
}

/// The stops that were worked out last, and of what.
#[derive(Clone)]
struct Reduced {
    of: (Arc<LoadedStudy>, usize, Spot),
    stops: Arc<Stops>,
}

fn reduced(ui: &Ui, page: &Page<'_>, spot: Spot) -> Option<Arc<Stops>> {
    let open = page.open;
    let id = Id::unique("step value, stops");
    let last: Option<Reduced> = ui.data(|d| d.get_temp(id));
    let same = |(loaded, step, one): &(Arc<LoadedStudy>, usize, Spot)| {
        Arc::ptr_eq(loaded, &open.data.loaded) && (*step, *one) == (open.at, spot)
    };
    if let Some(last) = last.filter(|last| same(&last.of)) {
        return Some(last.stops);
    }
    let reducer = Reducer::new(open.study(), &open.data.loaded.scores);
    let stops = Arc::new(reducer.stops(open.at, spot.channel, spot.corner)?);
    let of = (Arc::clone(&open.data.loaded), open.at, spot);
    ui.data_mut(|d| d.insert_temp(id, Reduced { of, stops: Arc::clone(&stops) }));
    Some(stops)
}

/// Which corner, and which wave. What is followed beside the face stands after its two channels.
fn choices(ui: &mut Ui, page: &Page<'_>, spot: Spot, commands: &mut Commands) {
    let open = page.open;
    let Corner { state, view_at } = spot.corner;
    let waves = &open.study().waves;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(14.0, 4.0);
        ui.spacing_mut().interact_size.y = 24.0;
        let retrieval = open.study().retrieval_face.as_ref().map(|face| face.channel);
        // Only the channel of the retrieval face keeps its view while the state changes.
        let crossed = retrieval == Some(spot.channel) && (open.aside.is_some() || spot.is_crossed());
        let names = Moment::BOTH.map(moment);
        if let Some(i) = segments(ui, "State", &names, state.index()) {
            let state = Moment::BOTH[i];
            let view_at = if crossed { view_at } else { state };
            commands.wing(StepCommand::Follow(Spot::new(spot.channel, Corner { state, view_at })));
        }
        if crossed {
            let names = Moment::BOTH.map(view);
            if let Some(i) = segments(ui, "View", &names, view_at.index()) {
                let corner = Corner { state, view_at: Moment::BOTH[i] };
                commands.wing(StepCommand::Follow(Spot::new(spot.channel, corner)));
            }
        }
        let sides = open.contrast().map(|contrast| Side::BOTH.map(|side| side.channel(contrast)));
        let mut channels = sides.map(Vec::from).unwrap_or_default();
        if !channels.contains(&spot.channel) {
            channels.push(spot.channel);
        }
        let name = |channel: &usize| open.study().channels.get(*channel).map_or("", |channel| channel.id.as_str());
        let names: Vec<&str> = channels.iter().map(name).collect();
        let chosen = channels.iter().position(|channel| *channel == spot.channel).unwrap_or(0);
        if let Some(i) = segments(ui, "Channel", &names, chosen) {
            commands.wing(StepCommand::Follow(Spot::new(channels[i], Corner::own(state))));
        }
        if waves.len() > 1 && matches!(open.stop, Stop::Energies | Stop::Centred) {
            let names: Vec<String> = waves.iter().map(|wave| format!("wave {}", wave.id)).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            if let Some(i) = segments(ui, "Wave", &names, open.wave) {
                commands.wing(StepCommand::Wave(i));
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
                commands.wing(StepCommand::Stop(stop));
            }
        }
    });
}

/// The energies of the chosen wave as far as their scores were returned: where one candidate lacks its score, the others
/// keep theirs.
fn returned(page: &Page<'_>, spot: Spot) -> Vec<Vec<Option<f64>>> {
    let open = page.open;
    let Spot { channel, corner } = spot;
    let binary = open.study().channels.get(channel).is_some_and(|c| c.readout == Readout::Binary);
    (0..open.study().layouts)
        .map(|layout| {
            let cell = Cell { transition: open.at, channel, corner, wave: open.wave, layout };
            let scores: Vec<Option<f64>> = open.data.loaded.scores.cell(&cell).map(Score::value).collect();
            if binary { scores.chunks_exact(2).map(|pair| Some(pair[0]? - pair[1]?)).collect() } else { scores }
        })
        .collect()
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
    layouts::grid(ui, page, names, &columns, step.target);
    let balance = layouts::Balance::of(open.study().layouts, names.len());
    quiet(
        ui,
        format!(
            "u(c): centred energies averaged over the layouts, times the factor. {} › marks the target.",
            balance.words()
        ),
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

fn wave_mean(ui: &mut Ui, page: &Page<'_>, spot: Spot, stops: &Stops) {
    let t = page.theme;
    let open = page.open;
    let waves = &open.study().waves;
    let terms = waves.iter().zip(&stops.margins).map(|(wave, margin)| {
        let margin = margin.map_or_else(|| "missing".to_owned(), signed);
        format!("{} · {margin}", wave.weight)
    });
    let scalar = stops.scalar.map_or_else(|| "not identified".to_owned(), |m| signed(m.value));
    let mut text = format!("F({}) = {} = {scalar}", corner(spot.corner), terms.collect::<Vec<_>>().join(" + "));
    // With its own view the state's change is the gain; with a frozen view it is what the state brings under that view.
    let frozen = spot.is_crossed().then_some(spot.corner.view_at);
    let [before, after] = Moment::BOTH
        .map(|state| Corner { state, view_at: frozen.unwrap_or(state) })
        .map(|at| Spot::new(spot.channel, at));
    let name = frozen.map_or_else(|| "G".to_owned(), |view_at| format!("ΔxF({})", view(view_at)));
    let change = open.scalar(after).zip(open.scalar(before)).map(|(after, before)| after.sub(&before));
    let figure = |spot: Spot| open.scalar(spot).map_or_else(|| "?".to_owned(), |m| signed(m.value));
    text.push_str(&format!(
        "\n{name} = F({}) − F({}) = {} − ({}) = {}",
        corner(after.corner),
        corner(before.corner),
        figure(after),
        figure(before),
        change.map_or_else(|| "not identified".to_owned(), |change| signed(change.value))
    ));
    if let Some(change) = change {
        let (lo, hi) = (change.envelope.lo(), change.envelope.hi());
        let words = format!("\nenvelope of {name} [{lo:.15}, {hi:.15}]: {}", sign_word(change.sign()));
        text.push_str(&words.replace('-', "−"));
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
