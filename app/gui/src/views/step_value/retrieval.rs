//! The retrieval face: state crossed with the view frozen at either state, and what each of them brings.

use egui::{Label, RichText, Ui};

use decidendi_core::report::step_value::signed;
use decidendi_core::step_value::contrast::SignCounts;
use decidendi_core::step_value::retrieval::{RetrievalCorners, RetrievalReport};

use super::{Page, means, section};
use crate::parts::{counted, group, quiet};
use crate::widgets::estimates::{self, Line, Table};

pub(super) fn show(ui: &mut Ui, page: &Page<'_>) {
    let open = page.open;
    let Some(report) = &open.data.report.retrieval else {
        undeclared(
            ui,
            page,
            "retrieval face",
            "retrieval_face",
            "the channel whose view is scored at both states (`channel`), and a direct channel (`direct`)",
        );
        return;
    };
    allocation(ui, page, report);
    identity(ui, page);
    controls(ui, page);
}

/// A tab without its declaration says so, and what to declare.
pub(super) fn undeclared(ui: &mut Ui, page: &Page<'_>, what: &str, key: &str, how: &str) {
    ui.add_space(24.0);
    ui.vertical_centered(|ui| {
        crate::parts::text(
            ui,
            format!("The study declares no {what}"),
            page.theme.bold(page.theme.size.subtitle),
            page.theme.color.text,
        );
        ui.set_max_width(480.0);
        crate::parts::rich(
            ui,
            &format!("Declare `{key}` in study.json: {how}. Then open the study again."),
            page.theme.color.muted,
        );
    });
}

/// Positive, negative, abstained.
pub(super) fn sign_words(signs: &SignCounts, of: &str) -> String {
    let all = signs.positive + signs.negative + signs.abstained;
    format!(
        "{} positive, {} negative, {} abstained of {}",
        group(signs.positive),
        group(signs.negative),
        group(signs.abstained),
        if of == "trajectory" && all != 1 { format!("{} trajectories", group(all)) } else { counted(all, of) }
    )
}

fn allocation(ui: &mut Ui, page: &Page<'_>, report: &RetrievalReport) {
    let cohort = format!(
        "{} · {} trajectories, each with the same weight",
        counted(report.cohort.members().len(), "step"),
        group(report.cohort.trajectories().len())
    );
    section(ui, page.theme, "Allocation", &cohort);
    let names = ["C_x  to the state", "C_r  to the view", "G^ret  their sum"];
    let mut lines: Vec<Line> =
        names.into_iter().zip(report.effects).map(|(name, effect)| Line::of(name, effect)).collect();
    if let Some(last) = lines.last_mut() {
        last.strong = true;
    }
    if let Some(direct) = &report.direct {
        lines.push(Line::of("G direct", direct.gain));
        lines.push(Line::of("Ω = G^ret − G direct", direct.omega).strong());
    }
    estimates::show(ui, &Table { head: means::HEAD, lines: &lines, drawn: true, quiet: false });
    let mut words: Vec<String> = ["C_x", "C_r", "G^ret"]
        .into_iter()
        .zip(&report.signs)
        .map(|(name, signs)| format!("{name}: {}", sign_words(signs, "trajectory")))
        .collect();
    if let Some(direct) = &report.direct {
        words.push(format!(
            "direct and Ω over {} that have a direct path as well",
            counted(direct.cohort.members().len(), "step")
        ));
    }
    quiet(ui, format!("{}.", words.join("; ")));
}

/// `C_x + C_r = G^ret` for the selected step, corner by corner.
fn identity(ui: &mut Ui, page: &Page<'_>) {
    let t = page.theme;
    let open = page.open;
    ui.add_space(6.0);
    let step = open.transition().map_or("", |step| step.id.as_str());
    section(ui, t, "Identity", &format!("transition {step}"));
    let Some(corners) = RetrievalCorners::of(open.study(), &open.data.report.scalars, open.at) else { return };
    let at = |state: usize, view: usize| {
        corners.0[state][view].map_or_else(|| "not identified".to_owned(), |m| signed(m.value))
    };
    let mut text = format!("{:>14}{:>16}{:>16}", "", "view r⁻", "view r⁺");
    for (state, name) in ["state x⁻", "state x⁺"].into_iter().enumerate() {
        text.push_str(&format!("\n{name:<14}{:>16}{:>16}", at(state, 0), at(state, 1)));
    }
    ui.add(Label::new(RichText::new(text).font(t.mono(t.size.value)).color(t.color.text)).extend());
    let words = match corners.allocation() {
        Some(a) => {
            format!("C_x {} + C_r {} = G^ret {}", signed(a.state.value), signed(a.view.value), signed(a.gain.value))
        }
        None => "C_x and C_r are not identified: a corner is missing, and nothing is put in its place.".to_owned(),
    };
    ui.add(Label::new(RichText::new(words).font(t.mono(13.0)).color(t.color.text)).wrap());
    quiet(
        ui,
        "Each part is the mean of two orders: the state first, or the view first. The sum holds exactly in every step; it is an allocation, not a cause.",
    );
}

fn controls(ui: &mut Ui, page: &Page<'_>) {
    let Some(report) = &page.open.data.report.controls else { return };
    ui.add_space(6.0);
    let cohort = format!("{} complete in every control", counted(report.cohort.members().len(), "step"));
    section(ui, page.theme, "Controls", &cohort);
    let mut lines = vec![Line::of("G own view", report.own)];
    lines.extend(report.controls.iter().map(|control| Line::of(control.name, control.effect)));
    estimates::show(ui, &Table { head: means::HEAD, lines: &lines, drawn: true, quiet: false });
}
