//! The state-by-channel face of the selected transition.

use egui::{Rect, Role, Sense, Ui, Vec2, WidgetInfo};

use decidendi_core::exact::interval::Sign;
use decidendi_core::report::step_value::{identification, sign_word, signed};
use decidendi_core::step_value::design::{Design, Difference};
use decidendi_core::step_value::face::{Face, Side};
use decidendi_core::step_value::scalars::missing;
use decidendi_core::step_value::study::Moment;

use super::{Page, choice, section};
use crate::desk::command::Commands;
use crate::parts::{counted, quiet, rich};
use crate::widgets::drawing::measure_with;
use crate::widgets::face::{Model, layout, moment, sentence};
use crate::wings::step_value::command::StepCommand;

pub(crate) fn show(ui: &mut Ui, page: &Page<'_>, height: f32, commands: &mut Commands) {
    let open = page.open;
    let study = open.study();
    let Some(face) = open.face() else {
        section(ui, page.theme, "State-by-channel face", "");
        quiet(
            ui,
            "The study declares no contrast, so there are no two channels to compare. Declare `contrasts` in study.json: an alternative channel against a reference.",
        );
        return;
    };
    let lacking = face.missing().count();
    let candidates = open.transition().map_or(0, |step| study.candidates(step).len());
    let waves = study.waves.len();
    let size = format!("{} × {} × {candidates} candidates", counted(study.layouts, "layout"), counted(waves, "wave"));
    let remark = if lacking == 0 {
        format!("complete: {size}")
    } else {
        format!("incomplete: {} of 4 corners missing", lacking)
    };
    section(ui, page.theme, "State-by-channel face", &remark);
    let (rect, _) = ui.allocate_exact_size(Vec2::new(ui.available_width(), height), Sense::hover());
    let channels = [open.channel(Side::Reference), open.channel(Side::Alternative)];
    let model = Model { face, channels, selected: open.aside.is_none().then_some(open.corner) };
    let laid = layout(&model, rect.size(), &mut measure_with(ui.painter()));
    laid.drawing.paint(ui.painter(), rect.min, &page.theme.color);
    corners(ui, page, &face, rect, &laid.corners, commands);
    spoken(ui, page, &face, rect);
    if lacking > 0 {
        why(ui, page, &face);
    }
}

/// Each corner can be pressed: its log-probabilities are then followed below.
fn corners(ui: &Ui, page: &Page<'_>, face: &Face, rect: Rect, places: &[[Rect; 2]; 2], commands: &mut Commands) {
    for side in Side::BOTH {
        for at in Moment::BOTH {
            let place = places[side as usize][at.index()].translate(rect.min.to_vec2());
            let value = face.corner(side, at).map_or_else(|| "not identified".to_owned(), |m| signed(m.value));
            let name = format!("F({}) {}: {value}", moment(at), page.open.channel(side));
            let on = page.open.aside.is_none() && page.open.corner == (side, at);
            if choice(ui, place, ("corner", side as usize, at.index()), &name, on) {
                commands.wing(StepCommand::Corner(side, at));
            }
        }
    }
}

/// The picture in words, for screen readers.
fn spoken(ui: &Ui, page: &Page<'_>, face: &Face, rect: Rect) {
    let middle = Rect::from_center_size(rect.center(), Vec2::new(rect.width() * 0.3, rect.height() * 0.3));
    let response = ui.interact(middle, ui.scope_id().with("face in words"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, in_words(page, face)));
}

fn in_words(page: &Page<'_>, face: &Face) -> String {
    let gain = |side: Side| {
        let name = page.open.channel(side);
        face.gain(side).map_or_else(
            || format!("G {name} not identified"),
            |gain| format!("G {name} {}, {}", signed(gain.value), sign_word(gain.sign())),
        )
    };
    let omega = face.omega().map_or_else(
        || "Ω not identified".to_owned(),
        |omega| {
            let sign: Option<Sign> = omega.sign();
            format!("Ω {}, {}", signed(omega.value), sign_word(sign))
        },
    );
    format!("{}; {}; {omega}: {}", gain(Side::Reference), gain(Side::Alternative), sentence(face))
}

/// Which scores are missing, and what shows that nothing else tells the corner.
fn why(ui: &mut Ui, page: &Page<'_>, face: &Face) {
    let open = page.open;
    let Some(contrast) = open.contrast() else { return };
    let study = open.study();
    for (side, at) in face.missing() {
        let channel = side.channel(contrast);
        let channels = [channel];
        let all = missing(study, &open.data.loaded.scores, open.at, &channels);
        let here: Vec<_> = all.filter(|m| m.cell.corner.state == at && m.cell.corner.view_at == at).collect();
        let Some(first) = here.first() else { continue };
        let step = &study.transitions[open.at];
        let candidate = study.candidates(step).get(first.candidate).map_or("", String::as_str);
        let words = format!(
            "F({}) {} lacks {}: {}, the first for `{candidate}` in layout {}, wave {}. Nothing is put in its place.",
            moment(at),
            open.channel(side),
            counted(here.len(), "score"),
            first.why.word(),
            first.cell.layout,
            study.waves.get(first.cell.wave).map_or(0, |wave| wave.id),
        );
        rich(ui, &words, page.theme.color.text);
    }
    let seen = Moment::BOTH.into_iter().flat_map(|at| Side::BOTH.map(|side| (at, side)));
    let observed = seen
        .filter(|&(at, side)| face.corner(side, at).is_some())
        .map(|(at, side)| vec![at.index(), side as usize])
        .collect();
    let design = Design::face(observed);
    let difference = |factor| Difference { factor, from: 0, to: 1 };
    let contrast = design.contrast(&[difference(0), difference(1)]);
    if let Some(found) = design.identify(&contrast) {
        rich(ui, &format!("Ω is {}", identification(&design, &found)), page.theme.color.muted);
    }
}
