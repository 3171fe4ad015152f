//! The matched cube: every view under every authority, and each view contrast against the Blackwell null.

use egui::{ScrollArea, Sense, Ui};

use decidendi_core::report::step_value::{effect_words, interval, signed};
use decidendi_core::step_value::cube::CubeReport;
use decidendi_core::step_value::inference::Effect;
use decidendi_core::step_value::scores::Corner;
use decidendi_core::step_value::study::Moment;

use super::{Page, choice, means, retrieval, section, sensitivity};
use crate::desk::command::Commands;
use crate::parts::{counted, quiet, trajectories};
use crate::widgets::drawing::measure_with;
use crate::widgets::estimates;
use crate::widgets::estimates::{Line, Table};
use crate::widgets::prism::{Model, layout};
use crate::widgets::zero::Zero;
use crate::wings::step_value::command::StepCommand;
use crate::wings::step_value::state::Spot;

pub(crate) fn show(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
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
        "{} complete in every cell · {}",
        counted(cube.cohort.members().len(), "step"),
        trajectories(cube.cohort.trajectories().len())
    );
    section(ui, t, "Views under authorities", &cohort);
    picture(ui, page, cube, commands);
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
    tests(ui, page, cube);
    mixture(ui, page, cube);
}

/// The cube drawn. Each cell can be chosen: its channel's log-probabilities are then followed at the left.
fn picture(ui: &mut Ui, page: &Page<'_>, cube: &CubeReport, commands: &mut Commands) {
    let open = page.open;
    let Some(declared) = &open.study().matched_cube else { return };
    let followed = open.followed();
    let own = followed.filter(|spot| !spot.is_crossed()).map(|spot| spot.channel);
    let authorities = declared.authorities.len().max(1);
    let at = declared.cells.iter().position(|cell| Some(cell.channel) == own);
    let model = Model { cube, selected: at.map(|at| (at / authorities, at % authorities)) };
    let state = followed.map_or(Moment::After, |spot| spot.corner.state);
    let laid = layout(&model, ui.available_width(), &mut measure_with(ui.painter()));
    let mut cells = |ui: &mut Ui| {
        let (rect, _) = ui.allocate_exact_size(laid.drawing.size, Sense::hover());
        laid.drawing.paint(ui.painter(), rect.min, &page.theme.color);
        for (view, places) in laid.cells.iter().enumerate() {
            for (authority, place) in places.iter().enumerate() {
                let Some(channel) = declared.channel(view, authority) else { continue };
                let name = cell_words(&model, view, authority);
                let place = place.translate(rect.min.to_vec2());
                if choice(ui, place, ("cell", view, authority), &name, model.selected == Some((view, authority))) {
                    commands.wing(StepCommand::Follow(Spot::new(channel, Corner::own(state))));
                }
            }
        }
    };
    // Only where it must: a scroll area keeps what is to be scrolled into sight from the page around it.
    if laid.drawing.size.x > ui.available_width() {
        ScrollArea::horizontal().id_salt("cube").auto_shrink([false, true]).show(ui, cells);
    } else {
        cells(ui);
    }
    let more = if authorities > 2 { ", each against the first authority" } else { "" };
    quiet(
        ui,
        format!(
            "Mean gains on one scale. D: the gain under the next view less the gain under this one. Δ: the same view under the other authority{more}. A cell leads its channel's log-probabilities through the five stops."
        ),
    );
}

/// A cell for screen readers, with the differences that leave it.
fn cell_words(model: &Model<'_>, view: usize, authority: usize) -> String {
    let name = |list: &[String], at: usize| list.get(at).cloned().unwrap_or_default();
    let figure =
        |effect: Option<Effect>| effect.map_or_else(|| "not identified".to_owned(), |e| signed(e.estimate.value));
    let gain = model.gain(view, authority).map_or_else(
        || "not identified".to_owned(),
        |e| format!("{} {}, {}", signed(e.estimate.value), interval(e.estimate.lo, e.estimate.hi), effect_words(&e)),
    );
    let mut words =
        format!("G {} under {}: {gain}", name(&model.cube.views, view), name(&model.cube.authorities, authority));
    if view + 1 < model.cube.views.len() {
        let next = name(&model.cube.views, view + 1);
        words.push_str(&format!("; D to {next} {}", figure(model.across(view, authority))));
    }
    if authority > 0 {
        let first = name(&model.cube.authorities, 0);
        words.push_str(&format!("; less {first} {}", figure(model.down(view, authority))));
    }
    words
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
            let pair = pair(cube, contrast.from, contrast.to);
            for (moment, shift) in ["x⁻", "x⁺"].into_iter().zip(contrast.shift) {
                let word = Zero::of_effect(shift).or("departs from it", "departs from it", "not told apart from 0");
                lines.push(Line::of(format!("F({moment})  {pair}"), shift).word(word));
            }
            lines.push(Line::of(format!("D  {pair}"), contrast.interaction));
            if let Some(auc) = &contrast.auc {
                let word = Zero::of(&auc.difference).or("AUCs differ", "AUCs differ", "AUCs not told apart");
                let name = format!("AUC  {}", self::pair(cube, contrast.to, contrast.from));
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
    section(ui, page.theme, "Does the view contrast change with the authority?", "D(last) − D(first)");
    let lines: Vec<Line> = cube.interactions.iter().map(|i| Line::of(pair(cube, i.from, i.to), i.effect)).collect();
    let head = ["D(last) − D(first)", "estimate", "95 % interval", means::HEAD[3]];
    estimates::show(ui, &Table { head, lines: &lines, drawn: true, quiet: false });
    let largest = cube.interactions.iter().filter_map(|i| i.effect).map(|e| e.estimate.value.abs()).fold(0.0, f64::max);
    quiet(ui, format!("The largest change with the authority is {largest:.3} in size."));
}

/// Every difference that the Blackwell null sets to zero, tested.
fn tests(ui: &mut Ui, page: &Page<'_>, cube: &CubeReport) {
    let (mut scalars, mut aucs) = (Vec::new(), Vec::new());
    for contrast in &cube.view_contrasts {
        let authority = cube.authorities.get(contrast.authority).map_or("", String::as_str);
        let name = format!("{} · {authority}", pair(cube, contrast.from, contrast.to));
        for (what, test) in ["F(x⁻)", "F(x⁺)", "D"].into_iter().zip(contrast.equivalence) {
            scalars.push((format!("{what}  {name}"), test));
        }
        aucs.extend(contrast.auc.as_ref().map(|auc| sensitivity::auc_test(format!("AUC  {name}"), auc)));
    }
    for interaction in &cube.interactions {
        let name = format!("authority × ({})", pair(cube, interaction.from, interaction.to));
        scalars.push((name, interaction.equivalence));
    }
    sensitivity::equivalence(ui, page, &scalars, &aucs, false);
}

fn mixture(ui: &mut Ui, page: &Page<'_>, cube: &CubeReport) {
    let Some(mixture) = &cube.mixture else { return sensitivity::unbalanced(ui, page) };
    let mut rows = Vec::new();
    for (contrast, estimate) in cube.view_contrasts.iter().zip(&mixture.view_contrasts) {
        let authority = cube.authorities.get(contrast.authority).map_or("", String::as_str);
        rows.push((format!("D  {} · {authority}", pair(cube, contrast.from, contrast.to)), *estimate));
    }
    sensitivity::balanced(ui, page, &mixture.targets, rows);
}

fn pair(cube: &CubeReport, from: usize, to: usize) -> String {
    let name = |at: usize| cube.views.get(at).map_or("", String::as_str);
    format!("{} − {}", name(to), name(from))
}
