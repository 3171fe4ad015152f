//! The casebook: what is loaded, the account of what was read, recents, and the ways to open another.

use egui::{Align, Label, Layout, RichText, ScrollArea, Ui, Vec2};

use crate::desk::actions::{OPEN_FILE, OPEN_FOLDER, OPEN_PATH, RELOAD};
use crate::desk::command::{Command, Commands};
use crate::desk::state::State;
use crate::parts::{
    Press, banner, card, counted, counted_as, group, icon, quiet, rich, rule, scroll_keys, section, short_path, text,
};
use crate::theme::icons::Icon;
use crate::wings::judgment::actions::{GO_JUDGMENTS, OPEN_SHIPPED};
use crate::wings::judgment::command::TableCommand;
use crate::wings::judgment::state::{Judged, Origin, Rejected};
use crate::wings::step_value::command::StepCommand;

const LISTED: usize = 200;

pub(crate) fn show(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = t.width.gutter;
        if state.overlay.is_none() {
            scroll_keys(ui, true);
        }
        if let Some(why) = &state.wings.judgment.book.error {
            banner(ui, Icon::Cross, t.color.bad, t.color.bad_bg, why, |ui| {
                if ui.add(Press::new("Copy").quiet().small()).clicked() {
                    commands.push(Command::Copy(why.clone(), "Message"));
                }
            });
        }
        if state.wings.judgment.book.changed_on_disk {
            banner(
                ui,
                Icon::Info,
                t.color.accent,
                t.color.accent_bg,
                "A file changed on disk and was read again.",
                |_| {},
            );
        }
        let wide = ui.available_width() > 860.0;
        if wide {
            let total = ui.available_width() - t.width.gutter;
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = t.width.gutter;
                ui.vertical(|ui| {
                    ui.set_width(total * 0.6);
                    ui.spacing_mut().item_spacing.y = t.width.gutter;
                    account(ui, state, commands);
                    refused(ui, state, commands);
                    studies(ui, state, commands);
                    contents(ui, state, commands);
                });
                ui.vertical(|ui| {
                    ui.set_width(total * 0.4);
                    ui.spacing_mut().item_spacing.y = t.width.gutter;
                    ways(ui, state, commands);
                    recents(ui, state, commands);
                });
            });
        } else {
            account(ui, state, commands);
            refused(ui, state, commands);
            studies(ui, state, commands);
            contents(ui, state, commands);
            ways(ui, state, commands);
            recents(ui, state, commands);
        }
    });
}

fn account(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    let book = &state.wings.judgment.book;
    card(ui, |ui| {
        ui.spacing_mut().item_spacing.y = t.space.s;
        ui.set_min_width(ui.available_width());
        section(ui, "Loaded", None);
        if book.rows.is_empty() {
            let words = if book.loading {
                "The casebook is being read."
            } else {
                "No case is loaded. Open a folder with case.json files, a JSON Lines file, or the shipped casebook."
            };
            quiet(ui, words);
            if !book.loading && ui.add(Press::new("Open the shipped casebook")).clicked() {
                commands.act(&OPEN_SHIPPED);
            }
            return;
        }
        text(ui, &book.name, t.bold(t.size.subtitle), t.color.text);
        text(ui, book.origin.words(), t.mono(t.size.value), t.color.muted);
        ui.add_space(t.space.xs);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = t.space.xl;
            let loaded = book.rows.len() - book.failed.len().min(book.rows.len());
            figure(ui, state, &group(loaded), "cases loaded", t.color.text);
            let bad = book.rejected.len() + book.failed.len();
            figure(ui, state, &group(bad), "rejected", if bad > 0 { t.color.bad } else { t.color.muted });
            let twice = book.duplicates.len();
            figure(ui, state, &group(twice), "duplicate ids", if twice > 0 { t.color.warn } else { t.color.muted });
            figure(ui, state, &group(book.read), "read in all", t.color.muted);
        });
        rule(ui);
        let mut counts = [("changed", 0_usize), ("stable", 0), ("uncertifiable", 0), ("failed", 0), ("not run", 0)];
        for row in &book.rows {
            let at = match &row.judged {
                Judged::Done(s) => counts.iter().position(|(w, _)| *w == s.status).unwrap_or(4),
                Judged::Failed(_) => 3,
                Judged::NotRun => 4,
            };
            counts[at].1 += 1;
        }
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = t.space.l;
            for (word, n) in counts.iter().filter(|(_, n)| *n > 0) {
                let ink = if *word == "failed" { t.color.bad } else { t.color.muted };
                text(ui, format!("{} {word}", group(*n)), t.body(), ink);
            }
        });
        ui.horizontal(|ui| {
            if ui.add(Press::new("Show all cases").primary()).clicked() {
                commands.act(&GO_JUDGMENTS);
            }
            if matches!(book.origin, Origin::Path(_)) {
                let press = Press::new("Read again").key(RELOAD.key_words());
                if ui.add(press).on_hover_text(RELOAD.tooltip(state)).clicked() {
                    commands.act(&RELOAD);
                }
            }
        });
    });
}

fn figure(ui: &mut Ui, state: &State, number: &str, words: &str, ink: egui::Color32) {
    let t = &state.theme;
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        text(ui, number, t.mono(t.size.display), ink);
        text(ui, words, t.sans(t.size.caption), t.color.muted);
    });
}

/// The studies of the casebook. A click opens one.
fn studies(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    if state.wings.step.shelf.is_empty() {
        return;
    }
    card(ui, |ui| {
        ui.set_min_width(ui.available_width());
        section(
            ui,
            "Studies",
            Some(&counted_as(state.wings.step.shelf.len(), "step-value study", "step-value studies")),
        );
        ui.add_space(t.space.xs);
        ui.spacing_mut().item_spacing.y = 0.0;
        for entry in state.wings.step.shelf.iter().take(LISTED) {
            let size = Vec2::new(ui.available_width(), t.row.table);
            let (rect, response) = ui.allocate_exact_size(size, egui::Sense::click());
            let words =
                if entry.id.is_empty() { "does not read".to_owned() } else { counted(entry.transitions, "transition") };
            response.widget_info(|| {
                egui::WidgetInfo::labeled(egui::Role::Button, true, format!("Open the study {}, {words}", entry.title))
            });
            let p = ui.painter();
            if response.hovered() {
                p.rect_filled(rect, 0, t.color.hover);
            }
            p.hline(
                rect.x_range(),
                rect.bottom() - 0.5,
                egui::Stroke::new(t.line(), t.color.stroke.gamma_multiply(0.7)),
            );
            let y = rect.center().y;
            Icon::Steps.paint(p, crate::theme::icons::square(egui::pos2(rect.left() + 8.0, y), 14.0), t.color.muted);
            let ink = if entry.id.is_empty() { t.color.warn } else { t.color.muted };
            let count = p.text(egui::pos2(rect.right() - 6.0, y), egui::Align2::RIGHT_CENTER, words, t.sans(12.0), ink);
            let clip = egui::Rect::from_min_max(rect.min, egui::pos2(count.left() - 8.0, rect.bottom()));
            let at = egui::pos2(rect.left() + 24.0, y);
            p.with_clip_rect(clip).text(at, egui::Align2::LEFT_CENTER, &entry.title, t.body(), t.color.text);
            crate::parts::ring(ui, &response, rect, 3);
            if response.on_hover_cursor(egui::CursorIcon::PointingHand).clicked() {
                commands.wing(StepCommand::Open(entry.place.clone()));
            }
        }
    });
}

/// The folders of the casebook, each with what its cases came to. A click lists its cases.
fn contents(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    let mut groups: Vec<(&str, [usize; 4])> = Vec::new();
    for row in &state.wings.judgment.book.rows {
        let at = match &row.judged {
            Judged::Done(s) if s.status == "changed" => 0,
            Judged::Done(s) if s.status == "stable" => 1,
            Judged::NotRun => 3,
            _ => 2,
        };
        match groups.last_mut().filter(|(name, _)| *name == &*row.group) {
            Some((_, counts)) => counts[at] += 1,
            None => {
                let mut counts = [0; 4];
                counts[at] = 1;
                groups.push((&row.group, counts));
            }
        }
    }
    if groups.len() < 2 || groups.iter().any(|(name, _)| name.is_empty()) {
        return;
    }
    card(ui, |ui| {
        ui.set_min_width(ui.available_width());
        section(ui, "Contents", Some(&format!("{} folders", group(groups.len()))));
        ui.add_space(t.space.xs);
        ui.spacing_mut().item_spacing.y = 0.0;
        for (name, counts) in groups.iter().take(LISTED) {
            folder(ui, state, name, counts, commands);
        }
    });
}

fn folder(ui: &mut Ui, state: &State, name: &str, counts: &[usize; 4], commands: &mut Commands) {
    let t = &state.theme;
    let (rect, response) = ui.allocate_exact_size(Vec2::new(ui.available_width(), t.row.table), egui::Sense::click());
    let all: usize = counts.iter().sum();
    response.widget_info(|| {
        egui::WidgetInfo::labeled(egui::Role::Button, true, format!("{name}, {}", counted(all, "case")))
    });
    if !ui.is_rect_visible(rect) {
        return;
    }
    let p = ui.painter();
    if response.hovered() {
        p.rect_filled(rect, 0, t.color.hover);
    }
    p.hline(rect.x_range(), rect.bottom() - 0.5, egui::Stroke::new(t.line(), t.color.stroke.gamma_multiply(0.7)));
    let y = rect.center().y;
    Icon::Folder.paint(p, crate::theme::icons::square(egui::pos2(rect.left() + 8.0, y), 14.0), t.color.muted);
    p.text(egui::pos2(rect.left() + 24.0, y), egui::Align2::LEFT_CENTER, name, t.body(), t.color.text);
    let words = ["changed", "stable", "uncertifiable", "not run"];
    let parts: Vec<String> =
        counts.iter().zip(words).filter(|(n, _)| **n > 0).map(|(n, w)| format!("{} {w}", group(*n))).collect();
    let ink = if counts[2] > 0 { t.color.warn } else { t.color.muted };
    p.text(egui::pos2(rect.right() - 56.0, y), egui::Align2::RIGHT_CENTER, parts.join(" · "), t.sans(12.0), ink);
    p.text(
        egui::pos2(rect.right() - 6.0, y),
        egui::Align2::RIGHT_CENTER,
        group(all),
        t.mono(t.size.value),
        t.color.text,
    );
    crate::parts::ring(ui, &response, rect, 3);
    if response.on_hover_cursor(egui::CursorIcon::PointingHand).clicked() {
        commands.wing(TableCommand::Search(name.to_owned()));
        commands.act(&GO_JUDGMENTS);
    }
}

fn refused(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    let lists = [
        ("Rejected", &state.wings.judgment.book.rejected, t.color.bad),
        ("Not read or not executed", &state.wings.judgment.book.failed, t.color.bad),
        ("Duplicate ids", &state.wings.judgment.book.duplicates, t.color.warn),
    ];
    for (title, list, ink) in lists {
        if list.is_empty() {
            continue;
        }
        card(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = t.space.s;
            ui.horizontal(|ui| {
                section(ui, title, Some(&group(list.len())));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    if ui.add(Press::new("Copy list").quiet().small()).clicked() {
                        let lines: Vec<String> = list.iter().map(|r| format!("{}: {}", r.place, r.why)).collect();
                        commands.push(Command::Copy(lines.join("\n"), "List"));
                    }
                });
            });
            for (at, one) in list.iter().take(LISTED).enumerate() {
                if at > 0 {
                    rule(ui);
                }
                entry(ui, state, one, ink);
            }
            if list.len() > LISTED {
                quiet(ui, format!("and {} more; Copy list has all of them", group(list.len() - LISTED)));
            }
        });
    }
}

fn entry(ui: &mut Ui, state: &State, one: &Rejected, ink: egui::Color32) {
    let t = &state.theme;
    ui.horizontal_top(|ui| {
        icon(ui, Icon::Warn, 14.0, ink);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            // The reason names line and column itself, where it can.
            let split = one.why.split_once(": ").filter(|(place, _)| place.starts_with(&one.place));
            let (place, why) = split.unwrap_or((&one.place, &one.why));
            ui.add(Label::new(RichText::new(place).font(t.mono(t.size.value)).color(t.color.text)).wrap());
            rich(ui, why, t.color.muted);
        });
    });
}

fn ways(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    card(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = t.space.s;
        section(ui, "Open another", None);
        for (icon, action) in [
            (Icon::Folder, &OPEN_FOLDER),
            (Icon::File, &OPEN_FILE),
            (Icon::Command, &OPEN_PATH),
            (Icon::Book, &OPEN_SHIPPED),
        ] {
            let press = Press::new(action.name).icon(icon).key(action.key_words()).wide();
            if ui.add(press).on_hover_text(action.tooltip(state)).clicked() {
                commands.act(action);
            }
        }
        let (rect, _) = ui.allocate_exact_size(Vec2::new(ui.available_width(), 76.0), egui::Sense::hover());
        let dash = egui::Stroke::new(t.line(), t.color.strong);
        let r = rect.shrink(0.5);
        let corners = [r.left_top(), r.right_top(), r.right_bottom(), r.left_bottom(), r.left_top()];
        for pair in corners.windows(2) {
            ui.painter().extend(egui::Shape::dashed_line(pair, dash, 5.0, 4.0));
        }
        Icon::Drop.paint(
            ui.painter(),
            egui::Rect::from_center_size(rect.center() - Vec2::new(0.0, 12.0), Vec2::splat(20.0)),
            t.color.muted,
        );
        let words = "or drop a file or a folder on the window";
        ui.painter().text(
            rect.center() + Vec2::new(0.0, 16.0),
            egui::Align2::CENTER_CENTER,
            words,
            t.sans(12.0),
            t.color.muted,
        );
    });
}

fn recents(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    card(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = t.space.xs;
        section(ui, "Opened before", None);
        if state.settings.recents.is_empty() {
            quiet(ui, "Nothing yet. What you open is listed here.");
        }
        for path in &state.settings.recents {
            let there = !state.gone.contains(path);
            ui.horizontal(|ui| {
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let name = format!("Forget {}", path.display());
                    if ui.add(Press::new("").icon(Icon::Close).quiet().small().name(&name)).clicked() {
                        commands.push(Command::ForgetRecent(path.clone()));
                    }
                    if !there {
                        text(ui, "missing", t.sans(t.size.caption), t.color.warn);
                    }
                    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                        let words = short_path(path, ((ui.available_width() - 40.0) / 7.6) as usize);
                        let press = Press::new(&words)
                            .quiet()
                            .small()
                            .icon(if path.extension().is_some() { Icon::File } else { Icon::Folder })
                            .enabled(there);
                        if ui.add(press).on_hover_text(path.display().to_string()).clicked() {
                            commands.push(Command::Open(path.clone()));
                        }
                    });
                });
            });
        }
    });
}
