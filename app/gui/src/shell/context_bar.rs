//! The context bar: where we are, the one title of the page, chips, and the actions; the primary one at the right.

use egui::{Align, Frame, Label, Layout, Margin, Panel, RichText, Ui};

use crate::desk::command::Commands;
use crate::desk::state::State;
use crate::parts::{row, tag};
use crate::theme::icons::Icon;

pub(crate) fn show(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    let frame = Frame::new().fill(t.color.panel).inner_margin(Margin { left: 16, right: 16, top: 0, bottom: 0 });
    Panel::top("context bar").exact_size(t.row.context).frame(frame).show_separator_line(true).show(ui, |ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 12.0;
            if let Some(page) = state.page() {
                page.buttons(ui, state, commands);
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| heading(ui, state, commands));
        });
    });
}

fn heading(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let Some(page) = state.page() else { return };
    if let Some(heading) = page.heading() {
        heading(ui, state, commands);
        return;
    }
    let t = &state.theme;
    let (crumbs, title, chips) = (page.crumbs(state), page.title(state), page.chips(state));
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
                let label = Label::new(text).selectable(false).truncate();
                if let Some(back) = page.back().filter(|_| i == 0) {
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
