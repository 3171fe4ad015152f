//! What else must hold for a difference to mean something: its equivalence test against the Blackwell null, and the same
//! figure with equal weight to each reviewed target.

use egui::Ui;

use decidendi_core::stats::Estimate;
use decidendi_core::step_value::equivalence::Equivalence;
use decidendi_core::step_value::inference::AucPair;

use super::{Page, section};
use crate::parts::{group, quiet};
use crate::widgets::estimates;
use crate::widgets::estimates::{Line, Table};
use crate::widgets::zero::Zero;

/// A tested difference by its name.
pub(crate) type Test = (String, Equivalence);

/// The test of a difference of AUCs.
pub(crate) fn auc_test(name: impl Into<String>, auc: &AucPair) -> Test {
    (name.into(), auc.equivalence)
}

/// Differences of scalars and of AUCs, each kind against its own declared margin; that none is declared is said once.
pub(crate) fn equivalence(ui: &mut Ui, page: &Page<'_>, scalars: &[Test], aucs: &[Test], own: bool) {
    let study = page.open.study();
    ui.add_space(6.0);
    let kinds = [
        ("equivalence_margin", study.equivalence_margin.as_ref(), scalars, own),
        ("auc_equivalence_margin", study.auc_equivalence_margin.as_ref(), aucs, false),
    ];
    let declared: Vec<String> = kinds
        .iter()
        .filter(|(_, _, tests, _)| !tests.is_empty())
        .filter_map(|(key, margin, _, own)| match margin {
            _ if *own => Some("each vertex within a margin of its own".to_owned()),
            Some(margin) => Some(format!("{key} ±{margin}")),
            None => None,
        })
        .collect();
    section(ui, page.theme, "Equivalence to the Blackwell null", &declared.join(" · "));
    let mut silent = Vec::new();
    let mut lines = Vec::new();
    for (key, margin, tests, own) in kinds {
        if margin.is_none() && !own {
            silent.extend((!tests.is_empty()).then_some(key));
            continue;
        }
        lines.extend(
            tests
                .iter()
                .map(|(name, test)| Line::plain(name.clone(), test.ninety, test.verdict.words()).signed().apart()),
        );
    }
    if !lines.is_empty() {
        let head = ["difference", "estimate", "90 % interval", "inside the margin?"];
        estimates::show(ui, &Table { head, lines: &lines, drawn: false, quiet: false });
    }
    if !silent.is_empty() {
        quiet(ui, format!("Not tested: study.json declares no `{}`, and none is assumed.", silent.join("` and no `")));
    }
}

/// Figures with equal weight to each target.
pub(crate) fn balanced(
    ui: &mut Ui,
    page: &Page<'_>,
    targets: &[(String, usize)],
    rows: Vec<(String, Option<Estimate>)>,
) {
    ui.add_space(6.0);
    let targets: Vec<String> = targets.iter().map(|(name, n)| format!("{name} {}", group(*n))).collect();
    section(ui, page.theme, "Equal weight to each target", &targets.join(" · "));
    let lines: Vec<Line> = rows
        .into_iter()
        .map(|(name, estimate)| {
            let word = estimate.map_or("no draw holds every target", |estimate| Zero::of(&estimate).words());
            Line::plain(name, estimate, word).signed()
        })
        .collect();
    let head = ["mean", "estimate", "95 % interval", "sign"];
    estimates::show(ui, &Table { head, lines: &lines, drawn: true, quiet: false });
}

/// That nothing is weighed anew.
pub(crate) fn unbalanced(ui: &mut Ui, page: &Page<'_>) {
    ui.add_space(6.0);
    section(ui, page.theme, "Equal weight to each target", "");
    quiet(ui, "Not reported: it needs two to sixteen different targets.");
}
