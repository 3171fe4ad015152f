//! The retrieval face: state crossed with the view frozen at either state, and what each of them brings.

use egui::{Rect, Role, Sense, Ui, WidgetInfo, vec2};

use decidendi_core::report::step_value::{sign_word, signed};
use decidendi_core::step_value::contrast::SignCounts;
use decidendi_core::step_value::measure::Measured;
use decidendi_core::step_value::retrieval::{RetrievalCorners, RetrievalReport};
use decidendi_core::step_value::scores::Corner;
use decidendi_core::step_value::study::Moment;

use super::{Page, choice, means, section};
use crate::desk::command::Commands;
use crate::parts::{counted, group, quiet};
use crate::widgets::drawing::measure_with;
use crate::widgets::estimates;
use crate::widgets::estimates::{Line, Table};
use crate::widgets::face::{moment, view};
use crate::widgets::retrieval::{Model, layout};
use crate::wings::step_value::command::StepCommand;
use crate::wings::step_value::state::Spot;

/// Height of the drawing.
const HEIGHT: f32 = 218.0;

pub(crate) fn show(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
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
    if let Some(declared) = &open.study().retrieval_face {
        face(ui, page, declared.channel, commands);
        ui.add_space(6.0);
    }
    allocation(ui, page, report);
    controls(ui, page);
}

/// A tab without its declaration, or with one that cannot be computed, says so, and what to declare.
pub(crate) fn undeclared(ui: &mut Ui, page: &Page<'_>, what: &str, key: &str, how: &str) {
    let (title, next) = match page.open.study().left_out(key) {
        Some(why) => (format!("The {what} is not computed"), format!("study.json, {why} Then open the study again.")),
        None => {
            let next = format!("Declare `{key}` in study.json: {how}. Then open the study again.");
            (format!("The study declares no {what}"), next)
        }
    };
    ui.add_space(24.0);
    ui.vertical_centered(|ui| {
        crate::parts::text(ui, title, page.theme.bold(page.theme.size.subtitle), page.theme.color.text);
        ui.set_max_width(480.0);
        crate::parts::rich(ui, &next, page.theme.color.muted);
    });
}

/// Positive, negative, abstained.
pub(crate) fn sign_words(signs: &SignCounts, of: &str) -> String {
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

/// `C_x + C_r = G^ret` for the selected step as a face of its own. Each corner can be chosen, the crossed ones too: its
/// log-probabilities are then followed.
fn face(ui: &mut Ui, page: &Page<'_>, channel: usize, commands: &mut Commands) {
    let open = page.open;
    let step = open.transition().map_or("", |step| step.id.as_str());
    let name = open.study().channels.get(channel).map_or("", |channel| channel.id.as_str());
    section(ui, page.theme, "State-by-view face", &format!("transition {step} · channel {name}"));
    let Some(corners) = RetrievalCorners::of(open.study(), &open.data.report.scalars, open.at) else { return };
    let selected = open.followed().filter(|spot| spot.channel == channel).map(|spot| spot.corner);
    let model = Model { corners, selected };
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    let laid = layout(&model, rect.size(), &mut measure_with(ui.painter()));
    laid.drawing.paint(ui.painter(), rect.min, &page.theme.color);
    for view_at in Moment::BOTH {
        for state in Moment::BOTH {
            let corner = Corner { state, view_at };
            let place = laid.corners[view_at.index()][state.index()].translate(rect.min.to_vec2());
            let value = model.at(corner).map_or_else(|| "not identified".to_owned(), |m| signed(m.value));
            let words = format!("F({}, {}) {name}: {value}", moment(state), view(view_at));
            if choice(ui, place, ("retrieval", view_at.index(), state.index()), &words, selected == Some(corner)) {
                commands.wing(StepCommand::Follow(Spot::new(channel, corner)));
            }
        }
    }
    spoken(ui, &model, rect);
    quiet(
        ui,
        "Each part is the mean of two orders: the state first, or the view first. The sum holds exactly in every step; it is an allocation, not a cause. A corner leads its log-probabilities through the five stops.",
    );
}

/// The picture in words, for screen readers.
fn spoken(ui: &Ui, model: &Model, rect: Rect) {
    let middle = Rect::from_center_size(rect.center(), rect.size() * 0.2);
    let response = ui.interact(middle, ui.scope_id().with("retrieval face in words"), Sense::hover());
    let change = |name: String, value: Option<Measured>| {
        value.map_or_else(
            || format!("{name} not identified"),
            |value| format!("{name} {}, {}", signed(value.value), sign_word(value.sign())),
        )
    };
    let by_state = Moment::BOTH.map(|at| change(format!("ΔxF({})", view(at)), model.by_state(at)));
    let by_view = Moment::BOTH.map(|at| change(format!("ΔrF({})", moment(at)), model.by_view(at)));
    let [gain, parts] = model.identity();
    let words = format!("{gain} {parts}; {}; {}", by_state.join("; "), by_view.join("; "));
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
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
