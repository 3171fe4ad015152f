//! Which claims survive a positive change of scale in either channel: gain signs always, the sign of Ω only at a strict
//! reversal.

use egui::{Id, Label, RichText, Ui};

use decidendi_core::report::step_value::{effect_words, signed};
use decidendi_core::stats::Estimate;
use decidendi_core::step_value::contrast::ContrastReport;
use decidendi_core::step_value::face::Side;
use decidendi_core::step_value::inference::Effect;

use super::means;
use super::means::{Means, means_of, unreported};
use super::{Page, section};
use crate::desk::command::Commands;
use crate::parts::{Press, quiet, rich};
use crate::widgets::estimates;
use crate::widgets::estimates::{Line, Table};
use crate::widgets::slider;
use crate::widgets::slider::Slider;
use crate::wings::step_value::command::StepCommand;

pub(crate) fn show(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    sliders(ui, page, commands);
    if let Some(report) = page.open.report() {
        means(ui, page, report);
    }
    step(ui, page);
    diagonal(ui, page);
    if page.open.report().is_none() {
        unreported(ui, page);
    }
}

fn factors(page: &Page<'_>) -> [f64; 2] {
    page.open.scale.map(f64::exp2)
}

fn sliders(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    let t = page.theme;
    section(ui, t, "Positive factors", "as if a channel had been calibrated otherwise");
    for side in Side::BOTH {
        let channel = page.open.channel(side);
        let scale = page.open.scale[side as usize];
        ui.horizontal(|ui| {
            let words = format!("α {channel}");
            ui.allocate_ui(egui::vec2(110.0, 24.0), |ui| {
                ui.set_min_width(110.0);
                ui.add(Label::new(RichText::new(words).color(t.color.muted)).selectable(false).truncate());
            });
            let name = format!("Factor of {channel}, as a power of two");
            let figure = format!("× {:.2}", scale.exp2());
            let room = ui.painter().layout_no_wrap(figure.clone(), t.mono(t.size.value), t.color.text).size().x;
            let width = (ui.available_width() - room.max(52.0) - 12.0).max(100.0);
            let shown = Slider { name: &name, value: scale, range: [-5.0, 5.0], mark: Some(0.0), step: 0.25 };
            if let Some(new) = slider::show(ui, &shown, width) {
                commands.wing(StepCommand::Scale(side, new));
            }
            ui.add(Label::new(RichText::new(figure).font(t.mono(t.size.value)).color(t.color.text)));
        });
    }
    let moved = page.open.scale != [0.0; 2];
    if ui.add(Press::new("Back to × 1").small().enabled(moved)).clicked() {
        for side in Side::BOTH {
            commands.wing(StepCommand::Scale(side, 0.0));
        }
    }
}

#[derive(Clone)]
struct Worked {
    key: (Means, [u64; 2]),
    omega: Option<Estimate>,
}

/// Ω of the means with its interval, worked out when a factor moves and not in every frame.
fn omega(ui: &Ui, page: &Page<'_>, report: &ContrastReport, [a, b]: [f64; 2]) -> Option<Estimate> {
    let id = Id::unique("step value, recalibrated");
    let key = (means_of(page, report), [a.to_bits(), b.to_bits()]);
    let last: Option<Worked> = ui.data(|d| d.get_temp(id));
    if let Some(last) = last.filter(|last| last.key == key) {
        return last.omega;
    }
    let omega = report.recalibrated(a, b);
    ui.data_mut(|d| d.insert_temp(id, Worked { key, omega }));
    omega
}

fn means(ui: &mut Ui, page: &Page<'_>, report: &ContrastReport) {
    ui.add_space(6.0);
    let factors = factors(page);
    section(ui, page.theme, "Means", "signs of gains stay; Ω and its interval move");
    let mut lines = Vec::new();
    for side in Side::BOTH {
        let factor = factors[side as usize];
        let effect = report.gain(side).map(|mut effect| {
            effect.estimate.value *= factor;
            effect.estimate.lo *= factor;
            effect.estimate.hi *= factor;
            effect
        });
        lines.push(Line::of(format!("G {}", page.open.channel(side)), effect));
    }
    let moved = omega(ui, page, report, factors);
    let strict = report.opposite_signs() == Some(true);
    let (now, before) = (moved.map(|e| e.value < 0.0), report.omega.map(|e| e.estimate.value < 0.0));
    // That no scale turns a sign is no claim about other trajectories: where the intervals do not support it, it is not made.
    let word = match (strict, report.omega.zip(moved)) {
        (true, _) if report.is_strict_mean_reversal() => "strict: sign fixed".to_owned(),
        (true, Some((effect, estimate))) => effect_words(&Effect { estimate, ..effect }),
        _ if now == before => "sign not protected".to_owned(),
        _ => "turned by scale alone".to_owned(),
    };
    let omega = Line::plain("Ω", moved, word).signed();
    lines.push(Line { sign: report.omega.and_then(|e| e.sign).filter(|_| strict), ..omega }.strong());
    estimates::show(
        ui,
        &Table { head: ["mean", "estimate", "95 % interval", "what stays"], lines: &lines, drawn: true, quiet: false },
    );
    means::concluded(ui, page);
}

/// The selected step under the same factors.
fn step(ui: &mut Ui, page: &Page<'_>) {
    let Some(face) = page.open.face() else { return };
    let t = page.theme;
    ui.add_space(6.0);
    let id = page.open.transition().map_or("", |step| step.id.as_str());
    section(ui, t, "This step", &format!("transition {id}"));
    let (Some(reference), Some(alternative)) = (face.gain(Side::Reference), face.gain(Side::Alternative)) else {
        rich(ui, "Not identified: a corner is missing, whatever the scale.", t.color.warn);
        return;
    };
    let [a, b] = factors(page);
    let omega = b * alternative.value - a * reference.value;
    let words = format!(
        "Ω = α₁G₁ − α₀G₀ = {b:.2} · ({}) − {a:.2} · ({}) = {}",
        signed(alternative.value),
        signed(reference.value),
        signed(omega)
    );
    ui.add(Label::new(RichText::new(words).font(t.mono(13.0)).color(t.color.text)).wrap());
    let strict = face.turn().is_some_and(|turn| turn.is_flip());
    let turned = (omega < 0.0) != (alternative.value - reference.value < 0.0);
    quiet(
        ui,
        match (strict, turned) {
            (true, _) => "Opposite signs: no positive factors change the sign of Ω.",
            (false, true) => "The sign of Ω has turned by scale alone: it was no property of the step.",
            (false, false) => "No opposite signs: other factors turn the sign of Ω.",
        },
    );
}

/// The diagonal trap: what a design with two corners would report, and what it is made of.
fn diagonal(ui: &mut Ui, page: &Page<'_>) {
    let Some(face) = page.open.face() else { return };
    let t = page.theme;
    ui.add_space(6.0);
    section(ui, t, "The diagonal is not the gain", "");
    let Some(d) = face.diagonal() else {
        rich(ui, "Not identified: a corner is missing.", t.color.warn);
        return;
    };
    let words = format!(
        "D = F₁(x⁺) − F₀(x⁻) = G₀ + ΔρF(x⁻) + Ω\n{} = {} + ({}) + ({})",
        signed(d.whole.value),
        signed(d.gain.value),
        signed(d.shift.value),
        signed(d.omega.value)
    );
    ui.add(Label::new(RichText::new(words).font(t.mono(13.0)).color(t.color.text)).wrap());
    quiet(
        ui,
        "Changing state and channel at once adds what the channel shifts before the step, and Ω, to the gain. An additive offset between the channels alone moves D; it cancels in Ω.",
    );
}
