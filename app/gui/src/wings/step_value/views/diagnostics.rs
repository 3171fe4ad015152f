//! How far the result rests on single layouts, waves and targets, and whether gains order stored outcomes.

use egui::Ui;

use decidendi_core::step_value::contrast::ContrastReport;
use decidendi_core::step_value::face::Side;
use decidendi_core::step_value::inference::AucPair;

use super::{Page, means, retrieval, section, sensitivity};
use crate::parts::{counted, quiet};
use crate::widgets::estimates;
use crate::widgets::estimates::{Line, Table};
use crate::widgets::zero::Zero;

pub(crate) fn show(ui: &mut Ui, page: &Page<'_>) {
    let Some(report) = page.open.report() else {
        means::unreported(ui, page);
        return;
    };
    signs(ui, page, report);
    parts(ui, page, report);
    mixture(ui, page, report);
    auc(ui, page, report);
    equivalence(ui, page, report);
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
    let Some(mixture) = &report.mixture else { return sensitivity::unbalanced(ui, page) };
    let names = [page.open.channel(Side::Reference), page.open.channel(Side::Alternative)];
    let gains = names.iter().zip(mixture.gains).map(|(name, gain)| (format!("G {name}"), gain));
    sensitivity::balanced(ui, page, &mixture.targets, gains.chain([("Ω".to_owned(), mixture.omega)]).collect());
}

/// What a view that holds nothing new must leave at zero; a contrast that moves more than the view promises no such thing.
fn equivalence(ui: &mut Ui, page: &Page<'_>, report: &ContrastReport) {
    let scalars: Vec<_> = report.equivalence.iter().map(|test| ("Ω".to_owned(), *test)).collect();
    let aucs = report.auc.iter().flat_map(|auc| {
        [sensitivity::auc_test("AUC by G", &auc.gain), sensitivity::auc_test("AUC by F(x⁺)", &auc.after)]
    });
    sensitivity::equivalence(ui, page, &scalars, &aucs.collect::<Vec<_>>(), false);
    if scalars.is_empty() {
        quiet(ui, "Ω is not tested: the two channels differ in more than the view.");
    }
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
    let word = Zero::of(&d).or("clear of 0", "clear of 0", "spans 0");
    [
        Line::plain(format!("{by} {}", names[0]), Some(pair.reference), ""),
        Line::plain(format!("{by} {}", names[1]), Some(pair.alternative), ""),
        Line::plain(format!("{by} difference"), Some(d), word).signed().apart(),
    ]
}
