//! The context bar: where we are, the one title of the page, chips, and the actions; the primary one at the right.

use egui::{Align, Frame, Label, Layout, Margin, Panel, RichText, Ui};

use crate::desk::command::{Action, Command, Commands};
use crate::desk::state::{PathPurpose, Route, State};
use crate::parts::{Press, row, tag};
use crate::theme::icons::Icon;
use crate::wings::judgment::state::CertificateState;

pub(crate) fn show(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    let frame = Frame::new().fill(t.color.panel).inner_margin(Margin { left: 16, right: 16, top: 0, bottom: 0 });
    Panel::top("context bar").exact_size(t.row.context).frame(frame).show_separator_line(true).show(ui, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 12.0;
            actions(ui, state, commands);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| heading(ui, state, commands));
        });
    });
}

fn heading(ui: &mut Ui, state: &State, commands: &mut Commands) {
    if state.route == Route::Step {
        crate::wings::step_value::views::heading(ui, state, commands);
        return;
    }
    let t = &state.theme;
    let (crumbs, title, chips) = words(state);
    let chip_room: f32 = chips.iter().map(|c| c.chars().count() as f32 * 7.2 + 34.0).sum();
    let room = ui.available_width();
    let title_room = ui.painter().layout_no_wrap(title.clone(), t.bold(t.size.title), t.color.text).size().x + 12.0;
    // The title comes first; chips are shown where it leaves room for them.
    let show_chips = room - chip_room > title_room;
    let width = if show_chips { title_room } else { room };
    ui.vertical(|ui| {
        ui.set_max_width(width.max(60.0));
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.spacing_mut().interact_size.y = 15.0;
        ui.add_space(5.0);
        row(ui, 15.0, |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            for (i, crumb) in crumbs.iter().enumerate() {
                if i > 0 {
                    crate::parts::icon(ui, Icon::Right, 8.0, t.color.faint);
                }
                let text = RichText::new(crumb).font(t.sans(t.size.caption)).color(t.color.muted);
                let back = match state.route {
                    Route::Case => Some(Action::Back),
                    Route::Acquire => Some(Action::AcquireBack),
                    _ => None,
                };
                let label = Label::new(text).selectable(false).truncate();
                if let Some(back) = back.filter(|_| i == 0) {
                    let response =
                        ui.add(label.sense(egui::Sense::click())).on_hover_cursor(egui::CursorIcon::PointingHand);
                    if response.on_hover_text(back.tooltip(state)).clicked() {
                        commands.act(back);
                    }
                } else {
                    ui.add(label);
                }
            }
        });
        let title_text = RichText::new(&title).font(t.bold(t.size.title)).color(t.color.text);
        let response = ui.add(Label::new(title_text).truncate());
        response.on_hover_text(&title);
    });
    if show_chips {
        ui.spacing_mut().item_spacing.x = 8.0;
        for chip in &chips {
            tag(ui, chip, None);
        }
    }
}

/// Breadcrumb, title, chips.
fn words(state: &State) -> (Vec<String>, String, Vec<String>) {
    let book = state.book.name.clone();
    match state.route {
        Route::Casebook => (vec!["Casebook".to_owned()], book, vec![]),
        Route::Judgments => (vec![book], "Judgments".to_owned(), vec![]),
        Route::Step => (vec!["Step value".to_owned()], "Step value".to_owned(), vec![]),
        Route::Acquire => crate::wings::acquire::views::words(state),
        Route::Verify => (vec!["Verify".to_owned()], "Check an exported file".to_owned(), vec![]),
        Route::Case => {
            let Some(open) = &state.open else {
                let title = state.opening.and_then(|r| state.book.rows.get(r)).map_or("Opening", |r| r.title.as_str());
                return (vec![book], title.to_owned(), vec![]);
            };
            let mut crumbs = vec![book];
            if let Some(row) = state.book.rows.get(open.row).filter(|r| !r.group.is_empty()) {
                crumbs.push(row.group.to_string());
            }
            let mut chips = Vec::new();
            let labels = open.case.sources().iter().find_map(|s| s.label_old.as_ref().zip(s.label_new.as_ref()));
            if let Some((old, new)) = labels {
                chips.push(format!("{old} → {new}"));
            }
            chips.push(open.case.engine().word().to_owned());
            if open.swapped {
                chips.push("swapped".to_owned());
            }
            if open.sandbox.is_some() {
                chips.push("sandbox".to_owned());
            }
            (crumbs, open.case.title().to_owned(), chips)
        }
    }
}

fn actions(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let wide = ui.available_width() > 860.0;
    match state.route {
        Route::Case if state.open.is_some() => {
            let done = state.open.as_ref().is_some_and(|o| matches!(o.certificate, CertificateState::Held(_)));
            // Once the certificate is there, the next step is to hand it out: the accent moves, the buttons stay.
            let accent = |press: Press<'static>, on: bool| if on { press.primary() } else { press };
            button(ui, state, commands, Action::Certify, accent(Press::new("Certify"), !done), wide);
            button(ui, state, commands, Action::Export, accent(Press::new("Export"), done), wide);
            if wide {
                let swapped = state.open.as_ref().is_some_and(|o| o.swapped);
                let words = if swapped { "Swap back" } else { "Swap old and new" };
                button(ui, state, commands, Action::Swap, Press::new(words), false);
            }
        }
        Route::Casebook => {
            button(ui, state, commands, Action::OpenFolder, Press::new("Open folder…").primary(), false);
            button(ui, state, commands, Action::OpenFile, Press::new("Open file…"), wide);
        }
        Route::Judgments => {
            button(ui, state, commands, Action::OpenMarked, Press::new("Open case").primary(), wide);
            if wide {
                button(ui, state, commands, Action::SaveView, Press::new("Save this view…"), false);
            }
        }
        Route::Step => crate::wings::step_value::views::actions(ui, state, commands),
        Route::Acquire => crate::wings::acquire::views::actions(ui, state, commands),
        Route::Verify => {
            let press = Press::new("Open a file to check…").primary();
            if ui.add(press).clicked() {
                commands.push(Command::Verify(crate::desk::command::VerifyCommand::Browse(PathPurpose::Verify)));
            }
        }
        Route::Case => {}
    }
}

pub(crate) fn button(ui: &mut Ui, state: &State, commands: &mut Commands, action: Action, press: Press<'_>, key: bool) {
    let press = press.key(if key { action.key_words() } else { None }).enabled(action.applies(state));
    if ui.add(press).on_hover_text(action.tooltip(state)).clicked() {
        commands.act(action);
    }
}
