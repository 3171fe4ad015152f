//! The matched cube: every view under every authority, and each view contrast against the Blackwell null.

use egui::Ui;

use decidendi_core::report::step_value::{interval, signed};
use decidendi_core::step_value::cube::CubeReport;

use super::{Page, means, retrieval, section};
use crate::parts::{counted, group, quiet};
use crate::widgets::estimates::{self, Line, Table};

pub(super) fn show(ui: &mut Ui, page: &Page<'_>) {
    let Some(cube) = &page.open.data.report.cube else {
        retrieval::undeclared(
            ui,
            page,
            "matched cube",
            "matched_cube",
            "the channels that cross every view with every authority under one template",
        );
        return;
    };
    let t = page.theme;
    let cohort = format!(
        "{} complete in every cell · {} trajectories",
        counted(cube.cohort.members().len(), "step"),
        group(cube.cohort.trajectories().len())
    );
    section(ui, t, "Views under authorities", &cohort);
    let mut lines = Vec::new();
    for (view, gains) in cube.views.iter().zip(&cube.gains) {
        for (authority, gain) in cube.authorities.iter().zip(gains) {
            lines.push(Line::of(format!("{view} · {authority}"), *gain));
        }
    }
    estimates::show(
        ui,
        &Table {
            head: ["G of view · authority", "estimate", "95 % interval", "certified sign"],
            lines: &lines,
            drawn: true,
            quiet: false,
        },
    );
    authority(ui, page, cube);
    null(ui, page, cube);
    interactions(ui, page, cube);
}

fn authority(ui: &mut Ui, page: &Page<'_>, cube: &CubeReport) {
    let base = cube.authorities.first().map_or("", String::as_str);
    for (at, authority) in cube.authorities.iter().enumerate().skip(1) {
        let lines: Vec<Line> = cube
            .views
            .iter()
            .zip(&cube.authority_effects)
            .map(|(view, effects)| Line::of(view, effects.get(at - 1).copied().flatten()))
            .collect();
        ui.add_space(6.0);
        section(ui, page.theme, &format!("{authority} − {base}"), "the same view, another authority");
        let head = ["G of view", "difference", "95 % interval", means::HEAD[3]];
        estimates::show(ui, &Table { head, lines: &lines, drawn: true, quiet: false });
    }
}

/// Views that hold nothing new must change no scalar and no AUC.
fn null(ui: &mut Ui, page: &Page<'_>, cube: &CubeReport) {
    let name = |list: &[String], at: usize| list.get(at).cloned().unwrap_or_default();
    for (at, authority) in cube.authorities.iter().enumerate() {
        ui.add_space(6.0);
        section(
            ui,
            page.theme,
            &format!("Against the Blackwell null · {authority}"),
            "a view that holds nothing new changes nothing",
        );
        let mut lines = Vec::new();
        for contrast in cube.view_contrasts.iter().filter(|c| c.authority == at) {
            let pair = format!("{} − {}", name(&cube.views, contrast.to), name(&cube.views, contrast.from));
            for (moment, shift) in ["x⁻", "x⁺"].into_iter().zip(contrast.shift) {
                let zero = shift.is_some_and(|s| !(s.estimate.above_zero() || s.estimate.below_zero()));
                let word = match shift {
                    None => "not identified",
                    Some(_) if zero => "not told apart from 0",
                    Some(_) => "departs from it",
                };
                lines.push(Line::of(format!("F({moment})  {pair}"), shift).word(word));
            }
            lines.push(Line::of(format!("D  {pair}"), contrast.interaction));
            if let Some(auc) = &contrast.auc {
                let d = &auc.difference;
                let zero = !(d.above_zero() || d.below_zero());
                let word = if zero { "AUCs not told apart" } else { "AUCs differ" };
                let name = format!("AUC  {} − {}", name(&cube.views, contrast.from), name(&cube.views, contrast.to));
                lines.push(Line::plain(name, Some(auc.difference), word).signed().apart());
            }
        }
        estimates::show(
            ui,
            &Table {
                head: ["contrast", "estimate", "95 % interval", "against the null"],
                lines: &lines,
                drawn: true,
                quiet: false,
            },
        );
    }
}

fn interactions(ui: &mut Ui, page: &Page<'_>, cube: &CubeReport) {
    if cube.interactions.is_empty() {
        return;
    }
    ui.add_space(6.0);
    let margin = page.open.study().equivalence_margin.as_ref().map(ToString::to_string);
    let remark = margin.as_ref().map_or_else(
        || "no equivalence_margin is declared, so equivalence is not tested".to_owned(),
        |margin| format!("equivalent where the 90 % interval lies within ±{margin}"),
    );
    section(ui, page.theme, "Does the view contrast change with the authority?", &remark);
    let name = |at: usize| cube.views.get(at).cloned().unwrap_or_default();
    let lines: Vec<Line> = cube
        .interactions
        .iter()
        .map(|i| {
            let word = i.equivalence.verdict.words();
            let ninety = i.equivalence.ninety.map(|e| format!(", 90 % {}", interval(e.lo, e.hi))).unwrap_or_default();
            Line::of(format!("{} − {}", name(i.to), name(i.from)), i.effect).word(format!("{word}{ninety}"))
        })
        .collect();
    estimates::show(
        ui,
        &Table {
            head: ["D(last) − D(first)", "estimate", "95 % interval", "equivalence"],
            lines: &lines,
            drawn: false,
            quiet: false,
        },
    );
    let largest = cube.interactions.iter().filter_map(|i| i.effect).map(|e| e.estimate.value.abs()).fold(0.0, f64::max);
    quiet(ui, format!("The largest change with the authority is {} in size.", signed(largest)));
}
