//! The step-value view's part of the shell: breadcrumb, title and chips, actions, status and position.

use egui::{Align2, CornerRadius, Label, RichText, Role, Sense, Ui, Vec2, WidgetInfo};

use decidendi_core::step_value::study::Origin;

use crate::desk::actions::{EXPORT, NEXT, OPEN_FOLDER, PREVIOUS};
use crate::desk::command::{Action, Commands};
use crate::desk::page::Standing;
use crate::desk::state::State;
use crate::parts::{Press, counted, group, icon, tag};
use crate::theme::Theme;
use crate::theme::icons::Icon;
use crate::wings::acquire::actions::GO_ACQUIRE;
use crate::wings::step_value::actions::CERTIFY;
use crate::wings::step_value::command::StepCommand;
use crate::wings::step_value::state::{OpenStudy, StepFlag, StepTab};

/// Breadcrumb, title, chips.
pub(crate) fn heading(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    let Ok(open) = state.wings.step.shown() else {
        let title = if state.wings.step.opening.is_some() {
            "Opening a study"
        } else if state.wings.step.fault.is_some() {
            "A study that could not be opened"
        } else {
            "No study"
        };
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.spacing_mut().interact_size.y = 15.0;
            ui.add_space((t.row.context - 42.0) / 2.0);
            ui.label(RichText::new("Step value").font(t.sans(t.size.caption)).color(t.color.muted));
            ui.add(Label::new(RichText::new(title).font(t.bold(t.size.title)).color(t.color.text)).truncate());
        });
        return;
    };
    let title = open.transition().map_or_else(|| "No transition".to_owned(), |step| format!("Transition {}", step.id));
    let mut chips = chips(t, open);
    let room = ui.available_width();
    let measure = |words: &str, font| ui.painter().layout_no_wrap(words.to_owned(), font, t.color.text).size().x;
    let small = t.sans(t.size.caption);
    let study_room = measure(open.study().title(), small.clone()) + 18.0;
    let contrast_room = measure(&contrast_name(open), small) + 18.0;
    let title_room = measure(&title, t.bold(t.size.title)) + 12.0;
    let crumb_room = study_room + contrast_room + 20.0;
    let wanted = title_room.max(crumb_room.min(240.0));
    let chip = |words: &str| measure(words, t.sans(12.0)) + 28.0;
    let mut chip_room: f32 = chips.iter().map(|(words, _)| chip(words)).sum();
    // Where there is little room the last stay, then nothing but the title.
    while !chips.is_empty() && room - chip_room < wanted {
        chip_room -= chip(&chips.remove(0).0);
    }
    let width = title_room.max(crumb_room).min(room - chip_room - 8.0);
    let study_room = study_room.min((width - contrast_room - 20.0).max(width * 0.5));
    ui.allocate_ui(Vec2::new(width.max(60.0), t.row.context), |ui| {
        ui.vertical(|ui| {
            ui.set_max_width(width.max(60.0));
            ui.spacing_mut().item_spacing.y = 0.0;
            ui.spacing_mut().interact_size.y = 15.0;
            ui.add_space((t.row.context - 42.0) / 2.0);
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                crumbs(ui, state, open, study_room, commands);
            });
            let words = RichText::new(&title).font(t.bold(t.size.title)).color(t.color.text);
            ui.add(Label::new(words).truncate()).on_hover_text(&title);
        });
    });
    ui.spacing_mut().item_spacing.x = 8.0;
    for (words, tint) in &chips {
        tag(ui, words, *tint);
    }
}

fn contrast_name(open: &OpenStudy) -> String {
    use decidendi_core::step_value::face::Side;
    format!("{} − {}", open.channel(Side::Alternative), open.channel(Side::Reference))
}

/// Words, and ink with ground where it has a colour.
type Labelled = (String, Option<(egui::Color32, egui::Color32)>);

/// Step and target, then the flag, then the certificate, then the origin, which stays longest.
fn chips(t: &Theme, open: &OpenStudy) -> Vec<Labelled> {
    let mut chips = Vec::new();
    if let Some(step) = open.transition() {
        let target = open.study().candidates(step).get(step.target).map_or("", String::as_str);
        chips.push((format!("step {} · target {target}", step.step), None));
    }
    if let Some(flag) = open.flag() {
        chips.push((flag.words().to_owned(), tint(t, flag)));
    }
    match open.certificates.get(&Some(open.at)) {
        Some(held) if open.is_stale(held) => {
            chips.push(("certificate stale".to_owned(), Some((t.color.warn, t.color.warn_bg))));
        }
        Some(held) if held.is_good() => chips.push(("certified".to_owned(), Some((t.color.good, t.color.good_bg)))),
        _ => {}
    }
    if let Some((words, ink)) = origin(t, open) {
        chips.push((words.to_owned(), ink));
    }
    chips
}

/// Where scores come from, unless an evaluator returned them: that is never left unsaid.
fn origin(t: &Theme, open: &OpenStudy) -> Option<(&'static str, Option<(egui::Color32, egui::Color32)>)> {
    match open.study().origin {
        Origin::Recorded => None,
        Origin::Simulated => Some(("simulated", None)),
        Origin::Undeclared => Some(("origin not declared", Some((t.color.warn, t.color.warn_bg)))),
    }
}

/// Ink and ground of a flag: flips in the colour of where the gain turns to.
fn tint(t: &Theme, flag: StepFlag) -> Option<(egui::Color32, egui::Color32)> {
    let ink = match flag {
        StepFlag::PositiveToNegative => t.color.deny,
        StepFlag::NegativeToPositive => t.color.approve,
        StepFlag::Incomplete => t.color.warn,
        StepFlag::Touching | StepFlag::Same => return None,
    };
    Some((ink, t.color.panel))
}

/// Study and contrast, each a menu where there is a choice.
fn crumbs(ui: &mut Ui, state: &State, open: &OpenStudy, room: f32, commands: &mut Commands) {
    let t = &state.theme;
    let others: Vec<_> = state.wings.step.shelf.iter().filter(|entry| entry.place != open.data.place).collect();
    let response = crumb(ui, t, open.study().title(), !others.is_empty(), "Study", room);
    if !others.is_empty() {
        egui::Popup::menu(&response).show(|ui| {
            ui.set_min_width(300.0);
            for entry in others {
                let words = format!("{} ({})", entry.title, counted(entry.transitions, "transition"));
                if ui.button(words).clicked() {
                    commands.wing(StepCommand::Open(entry.place.clone()));
                    ui.close();
                }
            }
        });
    }
    icon(ui, Icon::Right, 8.0, t.color.faint);
    let many = open.data.contrasts.len() > 1;
    let response = crumb(ui, t, &contrast_name(open), many, "Contrast", ui.available_width());
    if many {
        egui::Popup::menu(&response).show(|ui| {
            ui.set_min_width(240.0);
            for (at, contrast) in open.data.contrasts.iter().enumerate() {
                if ui.radio(at == open.contrast, &contrast.id).clicked() {
                    commands.wing(StepCommand::Contrast(at));
                    ui.close();
                }
            }
        });
    }
}

fn crumb(ui: &mut Ui, t: &Theme, words: &str, menu: bool, name: &str, room: f32) -> egui::Response {
    let arrow = if menu { 14.0 } else { 0.0 };
    let mut job = egui::text::LayoutJob::simple_singleline(words.to_owned(), t.sans(t.size.caption), t.color.muted);
    job.wrap = egui::text::TextWrapping::truncate_at_width((room - arrow).max(20.0));
    let galley = ui.painter().layout_job(job);
    let sense = if menu { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(Vec2::new(galley.size().x + arrow, 15.0), sense);
    let role = if menu { Role::Button } else { Role::Label };
    response.widget_info(|| WidgetInfo::labeled(role, true, format!("{name}: {words}")));
    let ink = if menu && response.hovered() { t.color.text } else { t.color.muted };
    let at = Align2::LEFT_CENTER.align_size_within_rect(galley.size(), rect).min;
    let end = at.x + galley.size().x;
    ui.painter().galley_with_override_text_color(at, galley, ink);
    if menu {
        Icon::Down.paint(
            ui.painter(),
            crate::theme::icons::square(egui::pos2(end + 8.0, rect.center().y + 1.0), 8.0),
            ink,
        );
    }
    crate::parts::ring(ui, &response, rect.expand(2.0), CornerRadius::same(3).nw);
    if menu { response.on_hover_cursor(egui::CursorIcon::PointingHand) } else { response }
}

/// The actions, from the right: the primary one first.
pub(crate) fn actions(ui: &mut Ui, state: &State, commands: &mut Commands) {
    if state.wings.step.shown().is_err() {
        let press = Press::new("Open folder…").primary();
        if ui.add(press).on_hover_text(OPEN_FOLDER.tooltip(state)).clicked() {
            commands.act(&OPEN_FOLDER);
        }
        acquire(ui, state, commands);
        return;
    }
    let wide = ui.available_width() > 700.0;
    let button = |ui: &mut Ui, action: Action, press: Press<'_>, commands: &mut Commands| {
        let press = press.enabled(action.applies(state));
        if ui.add(press).on_hover_text(action.tooltip(state)).clicked() {
            commands.act(action);
        }
    };
    let key = |action: Action| if wide { action.key_words() } else { None };
    let held = |open: &OpenStudy| open.certificates.get(&Some(open.at)).is_some_and(|held| !open.is_stale(held));
    let done = state.wings.step.open.as_ref().is_some_and(held);
    // Once the certificate is there, the next step is to hand it out: the accent moves, the buttons stay.
    let accent = |press: Press<'static>, on: bool| if on { press.primary() } else { press };
    let certify = accent(Press::new("Certify sign"), !done).key(key(&CERTIFY));
    button(ui, &CERTIFY, certify, commands);
    button(ui, &EXPORT, accent(Press::new("Export"), done).key(key(&EXPORT)), commands);
    button(ui, &NEXT, Press::new("J ›").name("Next transition"), commands);
    button(ui, &PREVIOUS, Press::new("‹ K").name("Previous transition"), commands);
    if wide {
        acquire(ui, state, commands);
    }
}

/// Leads to the page that acquires scores.
fn acquire(ui: &mut Ui, state: &State, commands: &mut Commands) {
    if ui.add(Press::new("Acquire…")).on_hover_text(GO_ACQUIRE.tooltip(state)).clicked() {
        commands.act(&GO_ACQUIRE);
    }
}

/// What the status bar says at the left: what was read, and who is left out.
pub(crate) fn standing(state: &State) -> Standing {
    let t = &state.theme;
    let plain = |dot, words: &str| Standing { dot, words: words.to_owned(), ink: None, more: None, idle: None };
    let Ok(open) = state.wings.step.shown() else {
        return if state.wings.step.opening.is_some() {
            plain(t.color.warn, "reading a study")
        } else if state.wings.step.fault.is_some() {
            plain(t.color.bad, "a study could not be opened")
        } else {
            plain(t.color.strong, "no study")
        };
    };
    let rows = usize::try_from(open.data.loaded.scores.account().rows).unwrap_or(usize::MAX);
    let (words, ink) = match origin(t, open) {
        Some((words, ink)) => (format!("study loaded, {words}"), ink.map(|(ink, _)| ink)),
        None => ("study loaded".to_owned(), None),
    };
    let out = open.data.report.complete.iter().filter(|complete| !**complete).count();
    let more = (out > 0).then(|| {
        let out = counted(out, "transition");
        let why = StepCommand::Tab(StepTab::Cohort).into();
        (format!("· {out} excluded (why ▸)"), format!("{out} excluded: why"), why)
    });
    let words = format!("{words} · {}", counted(rows, "row"));
    Standing { dot: t.color.good, words, ink, more, idle: None }
}

/// What the status bar says at the right: the place in the filtered list.
pub(crate) fn position(state: &State) -> Option<String> {
    let open = state.wings.step.shown().ok()?;
    let (shown, all) = (open.order.len(), open.study().transitions.len());
    let hidden = if all > shown { format!(" · {} hidden by filter", group(all - shown)) } else { String::new() };
    Some(match open.position() {
        Some(at) => format!("transition {} of {}{hidden}", group(at + 1), group(shown)),
        None => format!("this transition is hidden by the filter · {} shown", group(shown)),
    })
}
