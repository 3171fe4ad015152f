//! The table of judgments: filter chips with their counts, search, sorting, saved views, and every case as one row.

use egui::{Align, Layout, ScrollArea, Ui};

use crate::desk::command::{Command, Commands};
use crate::desk::state::State;
use crate::parts::{Chip, Press, card, card_frame, counted, empty, field, group, quiet, section, text};
use crate::theme::icons::Icon;
use crate::wings::judgment::actions::{CLEAR_FILTERS, OPEN_MARKED, OPEN_SHIPPED, SAVE_VIEW};
use crate::wings::judgment::command::TableCommand;
use crate::wings::judgment::state::Filter;

mod rows;

/// Width of the column of chips.
const CHIPS: f32 = 236.0;
/// Chips of one kind that are shown before *more*.
const FIRST: usize = 8;

pub(crate) fn show(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    if state.wings.judgment.book.rows.is_empty() {
        card(ui, |ui| {
            ui.set_min_size(ui.available_size());
            let why = if state.wings.judgment.book.loading {
                "The casebook is being read."
            } else {
                "No case is loaded. Open a folder with case.json files, or the casebook that ships with Decidendi."
            };
            empty(ui, Icon::Rows, "No cases yet", why, |ui| {
                if !state.wings.judgment.book.loading
                    && ui.add(Press::new("Open the shipped casebook").primary()).clicked()
                {
                    commands.act(&OPEN_SHIPPED);
                }
            });
        });
        return;
    }
    let side = ui.available_width() > 900.0;
    let height = ui.available_height();
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = t.width.gutter;
        if side {
            ui.vertical(|ui| {
                ui.set_width(CHIPS);
                card_frame(t).show(ui, |ui| {
                    ui.set_min_height(height - 2.0 * t.width.card_padding - 2.0);
                    ui.set_width(CHIPS - 2.0 * t.width.card_padding - 2.0);
                    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| chips(ui, state, commands));
                });
            });
        }
        ui.vertical(|ui| {
            card_frame(t).inner_margin(egui::Margin { left: 0, right: 0, top: 10, bottom: 0 }).show(ui, |ui| {
                ui.set_min_size(egui::vec2(ui.available_width(), height - 12.0));
                ui.spacing_mut().item_spacing.y = 6.0;
                head(ui, state, commands, !side);
                rows::show(ui, state, commands);
            });
        });
    });
}

fn head(ui: &mut Ui, state: &State, commands: &mut Commands, narrow: bool) {
    let t = &state.theme;
    let table = ui.available_width();
    ui.horizontal(|ui| {
        ui.add_space(t.width.card_padding);
        let width = (ui.available_width() * 0.36).clamp(140.0, 340.0);
        let (response, changed) =
            field(ui, "Search cases", "Search title, id, unit", &state.wings.judgment.table.query.search, width);
        if let Some(new) = changed {
            commands.wing(TableCommand::Search(new));
        }
        if state.wings.judgment.focus_search {
            response.request_focus();
        }
        let done = response.has_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
        if done || (response.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter))) {
            response.surrender_focus();
            // The first hit is marked already.
            commands.act(&OPEN_MARKED);
        }
        if narrow {
            ui.menu_button("Filters", |ui| {
                ui.set_width(CHIPS);
                ScrollArea::vertical().max_height(420.0).show(ui, |ui| chips(ui, state, commands));
            });
        }
        views_menu(ui, state, narrow, commands);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(t.width.card_padding);
            let (shown, all) = (state.wings.judgment.table.order.len(), state.wings.judgment.book.rows.len());
            if !state.wings.judgment.table.query.is_empty() {
                let press = Press::new("Clear filters").quiet().small().key(CLEAR_FILTERS.key_words());
                if ui.add(press).on_hover_text(CLEAR_FILTERS.tooltip(state)).clicked() {
                    commands.act(&CLEAR_FILTERS);
                }
            }
            let words = if shown == all {
                counted(all, "case")
            } else {
                format!("{} of {}", group(shown), counted(all, "case"))
            };
            text(ui, words, t.sans(12.0), t.color.muted);
            let hidden = rows::hidden(state, table);
            if !hidden.is_empty() {
                let tip = format!("Not shown for want of room: {}. Widen the window or zoom out.", hidden.join(", "));
                let words = format!("+{}", counted(hidden.len(), "column"));
                text(ui, words, t.sans(12.0), t.color.muted).on_hover_text(tip);
            }
        });
    });
}

/// Saved views. In a narrow window it is also where a view is saved: the context bar has no room for the button.
fn views_menu(ui: &mut Ui, state: &State, narrow: bool, commands: &mut Commands) {
    if state.settings.views.is_empty() && !narrow {
        return;
    }
    ui.menu_button("Views", |ui| {
        ui.set_min_width(220.0);
        for (at, view) in state.settings.views.iter().enumerate() {
            ui.horizontal(|ui| {
                if ui.button(&view.name).clicked() {
                    commands.wing(TableCommand::ApplyView(at));
                    ui.close();
                }
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let name = format!("Forget view {}", view.name);
                    if ui.add(Press::new("").icon(Icon::Close).quiet().small().name(&name)).clicked() {
                        commands.wing(TableCommand::ForgetView(at));
                    }
                });
            });
        }
        if !state.settings.views.is_empty() {
            ui.separator();
        }
        if ui.button(SAVE_VIEW.name).clicked() {
            commands.act(&SAVE_VIEW);
            ui.close();
        }
    });
}

/// Chips by kind. The count says how many cases a chip would leave, given the chips of the other kinds.
fn chips(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    let kinds = [
        ("Verdict", "verdict"),
        ("Status", "status"),
        ("Receipt family", "family"),
        ("Receipts", "receipts"),
        ("Smallest receipt", "size"),
        ("Engine", "engine"),
        ("Unit", "unit"),
    ];
    ui.spacing_mut().item_spacing.y = 6.0;
    for (title, kind) in kinds {
        let mut of_kind: Vec<(&Filter, usize)> = state
            .wings
            .judgment
            .table
            .counts
            .iter()
            .filter(|(f, n)| f.kind() == kind && (**n > 0 || state.wings.judgment.table.query.has(f)))
            .map(|(f, n)| (f, *n))
            .collect();
        if of_kind.is_empty() {
            continue;
        }
        if kind != "size" {
            of_kind.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        }
        section(ui, title, None);
        ui.add_space(1.0);
        let id = ui.scope_id().with(("more", kind));
        let open = ui.ctx().data(|d| d.get_temp::<bool>(id)).unwrap_or(false);
        ui.spacing_mut().interact_size.y = 24.0;
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = egui::vec2(6.0, 6.0);
            ui.spacing_mut().interact_size.y = 24.0;
            for (at, (filter, count)) in of_kind.iter().enumerate() {
                let on = state.wings.judgment.table.query.has(filter);
                if !open && at >= FIRST && !on {
                    continue;
                }
                let words = fit(&filter.words());
                let chip = ui.add(Chip::new(&words, on).count(*count));
                if chip.clicked() {
                    commands.wing(TableCommand::Toggle((*filter).clone()));
                }
            }
            if of_kind.len() > FIRST {
                let words = if open { "fewer".to_owned() } else { format!("{} more", of_kind.len() - FIRST) };
                if ui.add(Press::new(&words).quiet().small()).clicked() {
                    ui.ctx().data_mut(|d| d.insert_temp(id, !open));
                }
            }
        });
        ui.add_space(t.space.s);
    }
    if !state.wings.judgment.table.query.filters.is_empty()
        && ui.add(Press::new("Clear filters").small().name("Clear all chips")).clicked()
    {
        commands.push(Command::Do(&CLEAR_FILTERS));
    }
    if state.wings.judgment.table.counts.is_empty() {
        quiet(ui, "No chip applies: the search finds nothing.");
    }
}

/// A chip's text, so that it fits the column.
fn fit(words: &str) -> String {
    if words.chars().count() <= 22 { words.to_owned() } else { words.chars().take(21).chain(['…']).collect() }
}
