//! How far the result rests on single layouts, waves and targets, and whether gains order stored outcomes.

use egui::Ui;

use decidendi_core::step_value::contrast::ContrastReport;
use decidendi_core::step_value::face::Side;
use decidendi_core::step_value::inference::AucPair;

use super::{Page, means, retrieval, section};
use crate::parts::{counted, group, quiet};
use crate::widgets::estimates::{self, Line, Table};

pub(super) fn show(ui: &mut Ui, page: &Page<'_>) {
    let Some(report) = page.open.report() else {
        retrieval::undeclared(ui, page, "contrast", "contrasts", "an alternative channel against a reference channel");
        return;
    };
    signs(ui, page, report);
    parts(ui, page, report);
    mixture(ui, page, report);
    auc(ui, page, report);
}

fn signs(ui: &mut Ui, page: &Page<'_>, report: &ContrastReport) {
    section(ui, page.theme, "Certified signs", "of single steps");
    let names = [
        format!("G {}", page.open.channel(Side::Reference)),
        format!("G {}", page.open.channel(Side::Alternative)),
        "Ω".to_owned(),
    ];
    for (name, signs) in names.iter().zip(&report.signs) {
        quiet(ui, format!("{name}: {}.", retrieval::sign_words(signs, "step")));
    }
}

/// Ω from one layout alone, and from one wave alone.
fn parts(ui: &mut Ui, page: &Page<'_>, report: &ContrastReport) {
    ui.add_space(6.0);
    section(ui, page.theme, "Ω from one layout alone", "position bias shows as a spread");
    let mut lines: Vec<Line> =
        report.layouts.iter().enumerate().map(|(i, effect)| Line::of(format!("layout {i}"), *effect)).collect();
    lines.push(Line::of("all layouts", report.omega).strong());
    estimates::show(ui, &Table { head: means::HEAD, lines: &lines, drawn: true, quiet: false });
    ui.add_space(6.0);
    if report.waves.is_empty() {
        quiet(ui, "The study has one wave: repetition cannot be looked at.");
        return;
    }
    section(ui, page.theme, "Ω from one wave alone", "repetition shows as a spread");
    let waves = page.open.study().waves.iter();
    let mut lines: Vec<Line> =
        waves.zip(&report.waves).map(|(wave, effect)| Line::of(format!("wave {}", wave.id), *effect)).collect();
    lines.push(Line::of("all waves", report.omega).strong());
    estimates::show(ui, &Table { head: means::HEAD, lines: &lines, drawn: true, quiet: false });
}

/// The means with the same weight for every reviewed target.
fn mixture(ui: &mut Ui, page: &Page<'_>, report: &ContrastReport) {
    ui.add_space(6.0);
    let Some(mixture) = &report.mixture else {
        section(ui, page.theme, "Equal weight to each target", "");
        quiet(ui, "Not reported: it needs two to sixteen different targets.");
        return;
    };
    let targets: Vec<String> = mixture.targets.iter().map(|(name, n)| format!("{name} {}", group(*n))).collect();
    section(ui, page.theme, "Equal weight to each target", &targets.join(" · "));
    let names = [page.open.channel(Side::Reference), page.open.channel(Side::Alternative)];
    let gains = names.iter().zip(mixture.gains).map(|(name, gain)| (format!("G {name}"), gain));
    let lines: Vec<Line> = gains
        .chain([("Ω".to_owned(), mixture.omega)])
        .map(|(name, estimate)| {
            let word = match estimate {
                None => "no draw holds every target",
                Some(e) if e.above_zero() => "above zero",
                Some(e) if e.below_zero() => "below zero",
                Some(_) => "spans 0",
            };
            Line::plain(name, estimate, word).signed()
        })
        .collect();
    let head = ["mean", "estimate", "95 % interval", "sign"];
    estimates::show(ui, &Table { head, lines: &lines, drawn: true, quiet: false });
}

fn auc(ui: &mut Ui, page: &Page<'_>, report: &ContrastReport) {
    ui.add_space(6.0);
    let Some(auc) = &report.auc else {
        section(ui, page.theme, "AUC of stored success", "");
        quiet(ui, "Not known: trajectories with a stored success and with a stored failure are both needed.");
        return;
    };
    let counts = format!(
        "{}, {}",
        counted(usize::try_from(auc.gain.successes).unwrap_or(0), "success").replace("successs", "successes"),
        counted(usize::try_from(auc.gain.failures).unwrap_or(0), "failure")
    );
    section(ui, page.theme, "AUC of stored success", &counts);
    let names = [page.open.channel(Side::Reference), page.open.channel(Side::Alternative)];
    let mut lines = Vec::new();
    for (by, pair) in [("G", &auc.gain), ("F(x⁺)", &auc.after)] {
        lines.extend(pair_lines(by, names, pair));
    }
    estimates::show(ui, &Table { head: ["by", "AUC", "95 % interval", ""], lines: &lines, drawn: true, quiet: false });
    quiet(
        ui,
        "0.5 is no better than chance; ties count half; draws resample successes and failures apart. The vertical line stands at 0.5.",
    );
}

fn pair_lines(by: &str, names: [&str; 2], pair: &AucPair) -> [Line; 3] {
    let d = pair.difference;
    let word = if d.above_zero() || d.below_zero() { "clear of 0" } else { "spans 0" };
    [
        Line::plain(format!("{by} {}", names[0]), Some(pair.reference), ""),
        Line::plain(format!("{by} {}", names[1]), Some(pair.alternative), ""),
        Line::plain(format!("{by} difference"), Some(d), word).signed().apart(),
    ]
}
