//! The case page: what changed (sources), what happens (cube, lattice, table), why (account and certificate). Three columns
//! where there is room; below 1100 points the account goes under the picture; below that the columns are tabs.

mod account;
mod certificate;
mod faults;
mod keys;
mod legend;
mod notes;
mod picture;
mod prepared;
mod receipts;
mod sources;
mod walk;

#[cfg(test)]
mod tests;

use crate::desk::command::Commands;
use crate::desk::state::State;
use crate::parts;
use crate::parts::{Press, banner, segments};
use crate::theme::Theme;
use crate::theme::icons::Icon;
use crate::wings::judgment::actions::{GO_JUDGMENTS, SWAP, WHAT_IF};
use crate::wings::judgment::command::CaseCommand;
use crate::wings::judgment::state::{Column, OpenCase};
use egui::{Rect, Ui, pos2};
use prepared::Prepared;

pub use legend::legend_for_export;
pub use picture::scene_for_export;

/// What every part of the page reads.
struct Page<'a> {
    state: &'a State,
    open: &'a OpenCase,
    prepared: &'a Prepared,
    theme: &'a Theme,
    /// Whether the columns are tabs.
    tabbed: bool,
    /// Set while the sandbox's first value is to take the keyboard.
    focus_edit: std::cell::Cell<bool>,
}

/// Shows the page of the open case.
pub fn show(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let theme = Theme::of(ui.ctx());
    let Some(open) = &state.wings.judgment.open else {
        parts::empty(
            ui,
            Icon::Rows,
            "No case is open",
            "Choose a case in the list of judgments; its page opens here.",
            |ui| {
                if ui.add(Press::new("Go to judgments").primary()).clicked() {
                    commands.act(&GO_JUDGMENTS);
                }
            },
        );
        return;
    };
    let prepared = Prepared::of(ui.ctx(), open);
    let tabbed = ui.ctx().content_rect().width() < theme.width.tight || ui.available_width() < 620.0;
    let focus_edit = std::cell::Cell::new(state.wings.judgment.focus_edit);
    let page = Page { state, open, prepared: &prepared, theme: &theme, tabbed, focus_edit };
    ui.spacing_mut().item_spacing = egui::Vec2::splat(theme.space.s);
    keys::act(ui, &prepared.judgment.sources, commands);
    notices(ui, &page, commands);
    let area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    let width = ui.ctx().content_rect().width();
    if tabbed {
        tabs(ui, &page, area, commands);
    } else if width < theme.width.narrow {
        stacked(ui, &page, area, commands);
    } else {
        columns(ui, &page, area, commands);
    }
}

/// Banners above the columns: the sandbox, and the inverse transition.
fn notices(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    let c = &page.theme.color;
    if let Some(sandbox) = &page.open.sandbox {
        let edits = match sandbox.sandbox.edits() {
            0 => "Change a value in Sources and press Enter; cube and receipts follow.".to_owned(),
            1 => "1 value edited.".to_owned(),
            n => format!("{n} values edited."),
        };
        let refused = sandbox.refused.as_ref().map(|why| format!(" Last edit refused: {why}")).unwrap_or_default();
        let words = format!("Sandbox: never certifiable. The loaded evidence is untouched. {edits}{refused}");
        banner(ui, Icon::Warn, c.warn, c.warn_bg, &words, |ui| {
            if ui.add(Press::new("Close sandbox").small().key(WHAT_IF.key_words())).clicked() {
                commands.act(&WHAT_IF);
            }
            let reset = ui.add(Press::new("Reset").small().enabled(sandbox.sandbox.edits() > 0));
            if reset.clicked() {
                commands.act(&WHAT_IF);
                commands.act(&WHAT_IF);
            }
        });
    }
    if page.open.swapped {
        banner(
            ui,
            Icon::Swap,
            c.accent,
            c.accent_bg,
            "Old and new are swapped: this is the inverse transition.",
            |ui| {
                if ui.add(Press::new("Swap back").small().key(SWAP.key_words())).clicked() {
                    commands.act(&SWAP);
                }
            },
        );
    }
}

fn columns(ui: &mut Ui, page: &Page<'_>, area: Rect, commands: &mut Commands) {
    let gap = page.theme.width.gutter;
    let side = ((area.width() - 2.0 * gap) * 0.288).clamp(300.0, 440.0).round();
    let left = Rect::from_min_max(area.min, pos2(area.left() + side, area.bottom()));
    let right = Rect::from_min_max(pos2(area.right() - side, area.top()), area.max);
    let middle = Rect::from_min_max(pos2(left.right() + gap, area.top()), pos2(right.left() - gap, area.bottom()));
    sources::show(ui, page, left, commands);
    picture::show(ui, page, middle, commands);
    account::show(ui, page, right, commands);
}

/// The account under the picture, as high as a good half of the page.
fn stacked(ui: &mut Ui, page: &Page<'_>, area: Rect, commands: &mut Commands) {
    let gap = page.theme.width.gutter;
    let side = ((area.width() - gap) * 0.4).clamp(280.0, 400.0).round();
    let left = Rect::from_min_max(area.min, pos2(area.left() + side, area.bottom()));
    let split = (area.top() + (area.height() - gap) * 0.54).round();
    let above = Rect::from_min_max(pos2(left.right() + gap, area.top()), pos2(area.right(), split));
    let below = Rect::from_min_max(pos2(left.right() + gap, split + gap), area.max);
    sources::show(ui, page, left, commands);
    picture::show(ui, page, above, commands);
    account::show(ui, page, below, commands);
}

fn tabs(ui: &mut Ui, page: &Page<'_>, area: Rect, commands: &mut Commands) {
    const ORDER: [Column; 3] = [Column::Sources, Column::Picture, Column::Account];
    let bar = Rect::from_min_max(area.min, pos2(area.right(), area.top() + 28.0));
    let mut head = ui.new_child(egui::UiBuilder::new().max_rect(bar).id_salt("columns"));
    let chosen = ORDER.iter().position(|c| *c == page.open.column).unwrap_or(1);
    if let Some(i) = segments(&mut head, "Column", &["Sources", "Cube", "Account"], chosen) {
        commands.wing(CaseCommand::Column(ORDER[i]));
    }
    let rest = Rect::from_min_max(pos2(area.left(), bar.bottom() + 6.0), area.max);
    match ORDER[chosen] {
        Column::Sources => sources::show(ui, page, rest, commands),
        Column::Picture => picture::show(ui, page, rest, commands),
        Column::Account => account::show(ui, page, rest, commands),
    }
}

/// A case is on its way. Nothing is drawn in the first moments, so that nothing flickers.
pub fn waiting(ui: &mut Ui, state: &State) {
    let since = state.jobs.iter().map(|j| j.since).reduce(f64::min);
    if since.is_some_and(|s| state.now - s < 0.3) {
        return;
    }
    let what = state.jobs.first().map_or("Reading", |j| j.name.as_str());
    parts::empty(ui, Icon::Book, what, "It comes up as soon as it is read and executed.", |_| {});
}
