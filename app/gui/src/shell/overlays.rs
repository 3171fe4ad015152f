//! Sheets over the window: keyboard, about, export, path box, command line, name of a view.

use std::path::Path;

use egui::{Align, Context, CornerRadius, Frame, Id, Label, Layout, Margin, RichText, ScrollArea, Ui, Vec2};

use super::sheet::{scrolled, sheet};
use super::{export_sheet, palette};
use crate::desk::command::{Command, Commands, Scope};
use crate::desk::disk;
use crate::desk::persist::Store;
use crate::desk::state::{Overlay, PathPurpose, State};
use crate::parts::{Press, banner, field, key_cap, quiet, scroll_keys, section, text};
use crate::shared::secret::Secret;
use crate::theme::icons::Icon;
use crate::wings::TABLE;
use crate::wings::judgment::command::TableCommand;

pub(crate) fn show(ui: &mut Ui, state: &State, store: &Store, commands: &mut Commands) {
    let ctx = ui.ctx().clone();
    if state.hovering {
        drop_hint(&ctx, state);
    }
    let Some(overlay) = &state.overlay else { return };
    let close = match overlay {
        Overlay::Palette { text, mark } => palette::show(&ctx, state, text, *mark, commands),
        Overlay::Keys => sheet(&ctx, state, "Keyboard", 760.0, |ui| keys(ui, state)),
        Overlay::About => {
            sheet(&ctx, state, "About Decidendi", 520.0, |ui| scrolled(ui, 0.0, |ui| about(ui, state, store)))
        }
        Overlay::Export { format, folder } => {
            sheet(&ctx, state, "Export", 560.0, |ui| export_sheet::show(ui, state, format, folder, commands))
        }
        Overlay::Occupied(occupied) => sheet(&ctx, state, "A file is in the way", 560.0, |ui| {
            export_sheet::occupied(ui, state, occupied, commands)
        }),
        Overlay::Path { purpose, text, why, found } => sheet(&ctx, state, purpose.title(), 620.0, |ui| {
            path_box(ui, state, *purpose, text, (why.as_deref(), *found), commands)
        }),
        Overlay::ShowCommand(lines) => {
            sheet(&ctx, state, "The same on the command line", 720.0, |ui| command_line(ui, state, lines, commands))
        }
        Overlay::SaveView(name) => {
            sheet(&ctx, state, "Save this view", 460.0, |ui| save_view(ui, state, name, commands))
        }
        Overlay::Passphrase { key, typed, why, .. } => {
            sheet(&ctx, state, "Passphrase of the signing key", 460.0, |ui| {
                passphrase(ui, state, key, typed, why.as_deref(), commands)
            })
        }
    };
    if close {
        commands.push(Command::Overlay(None));
    }
}

fn keys(ui: &mut Ui, state: &State) {
    let t = &state.theme;
    quiet(
        ui,
        "Single keys sleep while you type. Every command is also in the palette (Ctrl K), with saved views and the edges of the open case.",
    );
    ui.add_space(t.space.s);
    let height = (ui.ctx().content_rect().height() - 220.0).clamp(160.0, 560.0);
    ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
        scroll_keys(ui, true);
        let two = ui.available_width() > 600.0;
        let groups = groups(state);
        if two {
            ui.columns(2, |columns| {
                for (i, group) in groups.iter().enumerate() {
                    let column = &mut columns[usize::from(i >= 2)];
                    key_group(column, state, group);
                    column.add_space(t.space.l);
                }
            });
        } else {
            for group in &groups {
                key_group(ui, state, group);
                ui.add_space(t.space.l);
            }
        }
    });
}

/// The scopes with a name each, in the order of their first command.
fn groups(state: &State) -> Vec<(&'static str, Scope)> {
    let mut groups = vec![("Everywhere", Scope::Everywhere), ("On whatever is open", Scope::Open)];
    let pages = state.pages.0.iter().map(|page| (page.keys_title(), Scope::On(page.route())));
    groups.extend(pages.filter(|(title, _)| !title.is_empty()));
    let first = |scope: Scope| TABLE.iter().position(|action| action.scope == scope);
    groups[2..].sort_by_key(|(_, scope)| first(*scope));
    groups
}

fn key_group(ui: &mut Ui, state: &State, (title, scope): &(&str, Scope)) {
    let t = &state.theme;
    section(ui, title, None);
    ui.spacing_mut().item_spacing.y = 2.0;
    for entry in TABLE.iter().filter(|e| e.scope == *scope && !e.keys.is_empty()) {
        ui.horizontal(|ui| {
            ui.set_height(24.0);
            ui.spacing_mut().item_spacing.x = 4.0;
            text(ui, entry.name, t.body(), t.color.text);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                ui.add_space(12.0);
                for (i, chord) in entry.keys.iter().rev().enumerate() {
                    if i > 0 {
                        text(ui, "or", t.sans(t.size.caption), t.color.faint);
                    }
                    key_cap(ui, &chord.words());
                }
            });
        });
    }
}

fn about(ui: &mut Ui, state: &State, store: &Store) {
    let t = &state.theme;
    text(ui, format!("Decidendi {}", env!("CARGO_PKG_VERSION")), t.bold(t.size.body), t.color.text);
    quiet(
        ui,
        "Audits machine judgments by executing them: judgment cubes, receipts, and certificates that others can replay.",
    );
    ui.add_space(t.space.s);
    for (name, value) in [
        (
            "Settings",
            store
                .file()
                .map_or_else(|| "nowhere: no configuration folder is known".to_owned(), |p| p.display().to_string()),
        ),
        ("Signing keys", store.keys().map_or_else(|| "nowhere".to_owned(), |p| p.display().to_string())),
        ("Licence", "MIT or Apache-2.0".to_owned()),
        (
            "Typefaces",
            "Noto Sans, Noto Sans Mono, Noto Sans Math, Noto Sans Symbols 2 (SIL Open Font License 1.1)".to_owned(),
        ),
        (
            "Network",
            "none, but to the endpoint of a plan that you probe or run; inputs are never run as programs".to_owned(),
        ),
    ] {
        ui.horizontal_top(|ui| {
            ui.allocate_ui(Vec2::new(110.0, 18.0), |ui| {
                ui.set_min_width(110.0);
                text(ui, name, t.body(), t.color.muted);
            });
            ui.add(Label::new(RichText::new(value).color(t.color.text)).wrap());
        });
    }
}

fn path_box(
    ui: &mut Ui,
    state: &State,
    purpose: PathPurpose,
    typed: &str,
    (why, found): (Option<&str>, Option<bool>),
    commands: &mut Commands,
) {
    let t = &state.theme;
    if let Some(why) = why {
        banner(ui, Icon::Info, t.color.warn, t.color.warn_bg, why, |_| {});
        ui.add_space(t.space.xs);
    }
    let (response, changed) = field(ui, "Path", "/home/me/casebook, or a decidendi: link", typed, ui.available_width());
    // The text that is shown, not the one of the frame before: keys may come faster than frames.
    let found = found.filter(|_| changed.is_none());
    let typed = disk::typed(changed.as_deref().unwrap_or(typed)).to_owned();
    let typed = typed.as_str();
    if let Some(new) = changed {
        commands.push(Command::OverlayText(new));
    }
    let entered = response.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
    if !response.has_focus() && !entered {
        response.request_focus();
    }
    let link = typed.starts_with("decidendi:");
    let found = if link { Some(true) } else { found };
    if typed.is_empty() {
        quiet(ui, "Files can also be dropped on the window, or named on the command line.");
    } else {
        match found {
            Some(true) => text(ui, "Found.", t.body(), t.color.good),
            Some(false) => text(ui, "Nothing is there under this path.", t.body(), t.color.warn),
            None => text(ui, "Looking…", t.body(), t.color.muted),
        };
    }
    ui.add_space(t.space.s);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let ready = found == Some(true) || (purpose.may_be_made() && !typed.is_empty());
        let press = Press::new("Use this path").primary().enabled(ready).key(Some("⏎".to_owned()));
        // Enter is always answered: what is not there is said so.
        if ui.add(press).clicked() || (entered && !typed.is_empty()) {
            commands.push(Command::UsePath(purpose, typed.into()));
        }
    });
}

fn command_line(ui: &mut Ui, state: &State, lines: &str, commands: &mut Commands) {
    let t = &state.theme;
    quiet(ui, "These lines do the same work with the same code and write the same bytes.");
    ui.add_space(t.space.xs);
    Frame::new()
        .fill(t.color.raised)
        .stroke(t.hairline())
        .corner_radius(CornerRadius::same(t.radius.control))
        .inner_margin(Margin::same(12))
        .show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            for line in lines.lines() {
                ui.add(Label::new(RichText::new(line).font(t.mono(t.size.value)).color(t.color.text)).wrap());
            }
        });
    ui.add_space(t.space.s);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if ui.add(Press::new("Copy").primary()).clicked() {
            commands.push(Command::Copy(lines.to_owned(), "Command line"));
            commands.push(Command::Overlay(None));
        }
    });
}

fn save_view(ui: &mut Ui, state: &State, name: &str, commands: &mut Commands) {
    let t = &state.theme;
    quiet(ui, "Search, filters and order are kept under this name. Opening a view never changes data.");
    let (response, changed) =
        field(ui, "Name of the view", "for example: ambiguous, deny to approve", name, ui.available_width());
    if let Some(new) = changed {
        commands.push(Command::OverlayText(new));
    }
    let entered = response.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
    if !response.has_focus() && !entered {
        response.request_focus();
    }
    ui.add_space(t.space.s);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let ready = !name.trim().is_empty();
        if ready && (ui.add(Press::new("Save view").primary().enabled(ready)).clicked() || entered) {
            commands.push(Command::wing(TableCommand::SaveView(name.to_owned())));
        } else if !ready {
            ui.add(Press::new("Save view").primary().enabled(false));
        }
    });
}

fn passphrase(ui: &mut Ui, state: &State, key: &Path, typed: &Secret, why: Option<&str>, commands: &mut Commands) {
    let t = &state.theme;
    if let Some(why) = why {
        banner(ui, Icon::Warn, t.color.bad, t.color.bad_bg, why, |_| {});
        ui.add_space(t.space.xs);
    }
    let name = key.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    quiet(ui, format!("“{name}” is protected. The passphrase is used for this one signature and kept nowhere."));
    ui.add_space(t.space.xs);
    let id = Id::unique("passphrase");
    let (response, ready) = {
        let mut text = typed.text();
        let edit = egui::TextEdit::singleline(&mut **text)
            .id(id)
            .password(true)
            .char_limit(Secret::BYTES / 4)
            .margin(Margin::symmetric(10, 6))
            .desired_width(ui.available_width());
        let response = ui.add(edit);
        (response, !text.is_empty())
    };
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::PasswordInput, true, "Passphrase"));
    // The toolkit would keep what was typed for its own undo.
    if let Some(mut kept) = egui::text_edit::TextEditState::load(ui.ctx(), id) {
        kept.clear_undoer();
        kept.store(ui.ctx(), id);
    }
    let entered = response.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
    if !response.has_focus() && !entered {
        response.request_focus();
    }
    ui.add_space(t.space.s);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        let press = Press::new("Sign").primary().enabled(ready).key(Some("⏎".to_owned()));
        if (ui.add(press).clicked() || entered) && ready {
            commands.push(Command::Unlock);
        }
        if ui.add(Press::new("Cancel").quiet()).clicked() {
            commands.push(Command::Overlay(None));
        }
    });
}

/// While files are dragged over the window.
fn drop_hint(ctx: &Context, state: &State) {
    let t = &state.theme;
    let painter = ctx.layer_painter(egui::LayerId::new(egui::Order::Foreground, Id::unique("drop hint")));
    let rect = ctx.content_rect();
    painter.rect_filled(rect, CornerRadius::ZERO, t.color.scrim);
    let inner = rect.shrink(28.0);
    painter.rect(
        inner,
        CornerRadius::same(t.radius.card + 4),
        t.color.accent_bg.gamma_multiply(0.9),
        egui::Stroke::new(2.0, t.color.accent),
        egui::StrokeKind::Inside,
    );
    Icon::Drop.paint(
        &painter,
        egui::Rect::from_center_size(inner.center() - Vec2::new(0.0, 34.0), Vec2::splat(40.0)),
        t.color.accent,
    );
    painter.text(
        inner.center() + Vec2::new(0.0, 16.0),
        egui::Align2::CENTER_CENTER,
        "Drop to open",
        t.bold(t.size.title),
        t.color.text,
    );
    let own = state.page().and_then(|page| page.drop_hint());
    let words = own.unwrap_or(
        "A case or a folder becomes the casebook, a study is opened, a certificate or a bundle is verified.",
    );
    painter.text(inner.center() + Vec2::new(0.0, 42.0), egui::Align2::CENTER_CENTER, words, t.body(), t.color.muted);
}
