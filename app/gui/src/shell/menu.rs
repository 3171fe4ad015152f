//! The menu bar: the program's name, the menus of the command table, and the search box.

use egui::{
    Align, Align2, CornerRadius, Frame, Layout, Margin, MenuBar, Panel, Role, Sense, StrokeKind, Ui, Vec2, WidgetInfo,
};

use crate::desk::actions::{PALETTE, REDO, UNDO};
use crate::desk::command::{Action, Command, Commands, Menu};
use crate::desk::history::Step;
use crate::desk::state::State;
use crate::parts::{ring, text};
use crate::theme::Look;
use crate::theme::icons::{Icon, square};
use crate::wings::TABLE;
use crate::wings::judgment::actions::OPEN_SHIPPED;

pub(crate) fn show(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    let frame = Frame::new().fill(t.color.panel).inner_margin(Margin::symmetric(12, 0));
    Panel::top("menu bar").exact_size(t.row.menu).frame(frame).show_separator_line(true).show(ui, |ui| {
        MenuBar::new().ui(ui, |ui| {
            ui.set_height(t.row.menu);
            ui.spacing_mut().item_spacing.x = 2.0;
            text(ui, "Decidendi", t.bold(14.0), t.color.text);
            ui.add_space(6.0);
            ui.spacing_mut().button_padding = Vec2::new(8.0, 3.0);
            ui.visuals_mut().widgets.inactive.fg_stroke.color = t.color.muted;
            for menu in Menu::ALL {
                ui.menu_button(menu.title(), |ui| entries(ui, menu, state, commands));
            }
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| search_box(ui, state, commands));
        });
    });
}

fn entries(ui: &mut Ui, menu: Menu, state: &State, commands: &mut Commands) {
    ui.set_min_width(264.0);
    ui.set_max_width(264.0);
    ui.spacing_mut().item_spacing.y = 1.0;
    ui.spacing_mut().button_padding = Vec2::new(8.0, 3.0);
    let mut group = None;
    for entry in TABLE.iter().copied() {
        let Some((_, at)) = entry.menu.filter(|(m, _)| *m == menu) else { continue };
        if group.is_some_and(|g| g != at) {
            if menu == Menu::View && group < Some(4) && at >= 4 {
                ui.separator();
                looks(ui, state, commands);
            }
            ui.separator();
        }
        group = Some(at);
        line(ui, entry, state, commands);
        if entry.id == OPEN_SHIPPED.id && !state.settings.recents.is_empty() {
            recents(ui, state, commands);
        }
    }
}

fn line(ui: &mut Ui, entry: Action, state: &State, commands: &mut Commands) {
    let applies = (entry.when)(state);
    let step = |list: &[Step], word: &str| list.last().map(|step| format!("{word}: {}", step.name));
    let name = if entry == &UNDO {
        step(&state.history.undo, "Undo")
    } else if entry == &REDO {
        step(&state.history.redo, "Redo")
    } else {
        None
    };
    let name = name.unwrap_or_else(|| entry.name.to_owned());
    let keys = entry.keys.first().map(|k| k.words()).unwrap_or_default();
    let button = egui::Button::new(name.as_str()).shortcut_text(keys).min_size(Vec2::new(ui.available_width(), 26.0));
    let response = ui.add_enabled(applies.is_ok(), button);
    response.widget_info(|| WidgetInfo::labeled(Role::MenuItem, applies.is_ok(), &name));
    let tip = entry.tooltip(state);
    if response.on_hover_text(&tip).on_disabled_hover_text(&tip).clicked() {
        commands.act(entry);
        ui.close();
    }
}

fn looks(ui: &mut Ui, state: &State, commands: &mut Commands) {
    ui.menu_button("Look", |ui| {
        ui.set_max_width(200.0);
        for look in Look::ALL {
            if ui.radio(state.settings.look == look, look.name()).clicked() {
                commands.push(Command::SetLook(look));
                ui.close();
            }
        }
    });
}

fn recents(ui: &mut Ui, state: &State, commands: &mut Commands) {
    ui.menu_button("Open again", |ui| {
        ui.set_min_width(320.0);
        for path in &state.settings.recents {
            let words = crate::parts::short_path(path, 52);
            if ui.button(words).on_hover_text(path.display().to_string()).clicked() {
                commands.push(Command::Open(path.clone()));
                ui.close();
            }
        }
    });
}

fn search_box(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    let room = ui.available_width();
    let width = if room < 140.0 { 34.0 } else { t.width.search.min(room - 8.0) };
    let (rect, response) = ui.allocate_exact_size(Vec2::new(width, 24.0), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Search or run a command"));
    let stroke = if response.hovered() { egui::Stroke::new(t.line(), t.color.strong) } else { t.hairline() };
    let p = ui.painter();
    p.rect(rect, CornerRadius::same(t.radius.control), t.color.raised, stroke, StrokeKind::Inside);
    Icon::Search.paint(p, square(egui::pos2(rect.left() + 17.0, rect.center().y), 14.0), t.color.faint);
    if width > 200.0 {
        let at = egui::pos2(rect.left() + 32.0, rect.center().y);
        p.text(at, Align2::LEFT_CENTER, "Search or run a command", t.sans(12.5), t.color.faint);
        if let Some(key) = PALETTE.key_words() {
            let galley = p.layout_no_wrap(key, t.sans(t.size.caption), t.color.muted);
            let cap = egui::Rect::from_center_size(
                egui::pos2(rect.right() - 8.0 - (galley.size().x + 12.0) / 2.0, rect.center().y),
                Vec2::new(galley.size().x + 12.0, 17.0),
            );
            p.rect(cap, CornerRadius::same(4), t.color.panel, t.hairline(), StrokeKind::Inside);
            p.galley(cap.center() - galley.size() / 2.0, galley, t.color.muted);
        }
    }
    ring(ui, &response, rect, t.radius.control);
    if response.on_hover_text(PALETTE.tooltip(state)).clicked() {
        commands.act(&PALETTE);
    }
}
