//! The table of means, and the pooling slider: a weight alone can decide the pooled sign.

use egui::{Id, Label, RichText, Ui};

use decidendi_core::report::step_value::{interval, signed};
use decidendi_core::seal::digest::Digest;
use decidendi_core::stats::Estimate;
use decidendi_core::step_value::contrast::ContrastReport;
use decidendi_core::step_value::face::Side;

use super::{Page, retrieval};
use crate::desk::command::Commands;
use crate::parts::quiet;
use crate::widgets::estimates;
use crate::widgets::estimates::{Line, Table};
use crate::widgets::slider;
use crate::widgets::slider::Slider;
use crate::wings::step_value::command::StepCommand;

/// Heads of a table of means; intervals are over trajectories.
pub(crate) const HEAD: [&str; 4] = ["mean", "estimate", "95 % interval", "certified sign"];
const OVER: [&str; 4] = ["mean", "estimate", "95 % interval (trajectories)", "certified sign"];

pub(crate) fn show(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    let Some(report) = page.open.report() else {
        unreported(ui, page);
        return;
    };
    if report.gains.is_none() {
        quiet(ui, "No transition is complete in both channels, so there is no mean.");
        return;
    }
    estimates::show(ui, &Table { head: OVER, lines: &lines(page, report), drawn: false, quiet: false });
    concluded(ui, page);
    ui.add_space(8.0);
    pooling(ui, page, report, commands);
}

/// Nothing is reported of the chosen contrast: the study declares none, or a vertex of the bridge alone names its two
/// channels.
pub(crate) fn unreported(ui: &mut Ui, page: &Page<'_>) {
    if page.open.contrast().is_none() {
        retrieval::undeclared(ui, page, "contrast", "contrasts", "an alternative channel against a reference channel");
    } else {
        quiet(ui, "Means are reported for declared contrasts; here only single faces are shown.");
    }
}

/// What is concluded of a reversal, in the words of the report.
pub(crate) fn concluded(ui: &mut Ui, page: &Page<'_>) {
    if let Some(words) = page.open.reversal() {
        ui.add_space(4.0);
        ui.add(Label::new(RichText::new(words).font(page.theme.sans(12.0)).color(page.theme.color.text)).wrap());
    }
}

fn lines(page: &Page<'_>, report: &ContrastReport) -> [Line; 3] {
    let gain = |side: Side| Line::of(format!("G {}", page.open.channel(side)), report.gain(side));
    [gain(Side::Reference), gain(Side::Alternative), Line::of("Ω", report.omega).strong()]
}

/// Which means: study, scores and the contrast. Not where they lie in memory, which the next study may take over.
pub(crate) type Means = ([Digest; 2], usize);

pub(crate) fn means_of(page: &Page<'_>, report: &ContrastReport) -> Means {
    (page.open.digests(), report.contrast)
}

/// What was pooled last, and with which weight.
#[derive(Clone)]
struct Pooled {
    of: Means,
    lambda: u64,
    estimate: Option<Estimate>,
}

fn pooled(ui: &Ui, page: &Page<'_>, report: &ContrastReport) -> Option<Estimate> {
    let lambda = page.open.lambda;
    let id = Id::unique("step value, pooled");
    let key = (means_of(page, report), lambda.to_bits());
    let last: Option<Pooled> = ui.data(|d| d.get_temp(id));
    if let Some(last) = last.filter(|last| (last.of, last.lambda) == key) {
        return last.estimate;
    }
    let estimate = report.pooled(lambda);
    ui.data_mut(|d| d.insert_temp(id, Pooled { of: key.0, lambda: key.1, estimate }));
    estimate
}

fn pooling(ui: &mut Ui, page: &Page<'_>, report: &ContrastReport, commands: &mut Commands) {
    let t = page.theme;
    let lambda = page.open.lambda;
    let crossing = report.crossing();
    let name = format!("Weight of {} in the pooled mean", page.open.channel(Side::Alternative));
    let estimate = pooled(ui, page, report);
    let mut words = estimate.map_or_else(String::new, |estimate| {
        let range = interval(estimate.lo, estimate.hi);
        let range = if estimate.is_bounded() { range } else { "(interval not known)".to_owned() };
        format!("pooled mean {} {range}", signed(estimate.value))
    });
    words.push_str(&crossing.map_or_else(
        || " · no weight turns the sign of the means".to_owned(),
        |at| format!(" · sign turns at λ = {at:.3}: there the weight decides, not the data"),
    ));
    ui.spacing_mut().item_spacing.y = 2.0;
    ui.horizontal(|ui| {
        ui.add(Label::new(RichText::new("Pool λ").color(t.color.muted)).selectable(false));
        let figure = format!("λ = {lambda:.2}");
        let room = ui.painter().layout_no_wrap(figure.clone(), t.mono(t.size.value), t.color.text).size().x;
        let shown = Slider { name: &name, value: lambda, range: [0.0, 1.0], mark: crossing, step: 0.01 };
        if let Some(new) = slider::show(ui, &shown, (ui.available_width() - room - 12.0).max(100.0)) {
            commands.wing(StepCommand::Lambda(new));
        }
        ui.add(Label::new(RichText::new(figure).font(t.mono(t.size.value)).color(t.color.text)));
    });
    ui.add(Label::new(RichText::new(&words).font(t.sans(12.0)).color(t.color.muted)).wrap());
}
