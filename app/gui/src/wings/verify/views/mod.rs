//! Verify: one exported file, every numbered check with cause and next step, five end states that never look alike, and the
//! keys that are trusted.

mod side;

use decidendi_core::judgment::verify::{Check, EndState, Standing, Status, Verification};
use egui::{
    Align, Color32, CornerRadius, Frame, Label, Layout, Margin, RichText, Role, ScrollArea, Sense, Ui, Vec2, WidgetInfo,
};

use super::state::Checked;
use crate::desk::command::{Command, Commands, VerifyCommand};
use crate::desk::state::{PathPurpose, State};
use crate::parts::{Press, card, empty, icon, quiet, rich, row, rule, scroll_keys, section, short_digest, text};
use crate::theme::Theme;
use crate::theme::icons::{Icon, square};

pub(crate) fn show(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    let height = ui.available_height();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        // Room for the scroll bar beside the cards.
        ui.set_max_width(ui.available_width() - 8.0);
        if state.overlay.is_none() {
            scroll_keys(ui, true);
        }
        let wide = ui.available_width() > 820.0;
        let total = ui.available_width();
        let side = 320.0;
        if wide {
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = t.width.gutter;
                ui.vertical(|ui| {
                    ui.set_width(total - side - t.width.gutter);
                    ui.spacing_mut().item_spacing.y = t.width.gutter;
                    main(ui, state, height, commands);
                });
                ui.vertical(|ui| {
                    ui.set_width(side);
                    ui.spacing_mut().item_spacing.y = t.width.gutter;
                    side::trust(ui, state, commands);
                    side::replay(ui, state, commands);
                });
            });
        } else {
            ui.spacing_mut().item_spacing.y = t.width.gutter;
            main(ui, state, height, commands);
            side::trust(ui, state, commands);
            side::replay(ui, state, commands);
        }
    });
}

fn main(ui: &mut Ui, state: &State, height: f32, commands: &mut Commands) {
    match (&state.verify.checked, &state.verify.checking) {
        (Some(checked), _) => result(ui, state, checked, commands),
        (None, Some(path)) => {
            card(ui, |ui| {
                ui.set_min_width(ui.available_width());
                quiet(ui, format!("Checking {} …", path.display()));
            });
        }
        (None, None) => {
            card(ui, |ui| {
                ui.set_min_width(ui.available_width());
                ui.set_min_height((height - 2.0 * state.theme.width.card_padding - 4.0).max(220.0));
                let why = "Drop a certificate (.cert.json) or a bundle (.decidendi) on the window, or open one. Signature, bindings and a full replay are checked; nothing is sent anywhere.";
                empty(ui, Icon::Shield, "Nothing checked yet", why, |ui| {
                    if ui.add(Press::new("Open a file…").primary()).clicked() {
                        commands.push(Command::Verify(VerifyCommand::Browse(PathPurpose::Verify)));
                    }
                });
            });
        }
    }
}

/// The look of an end state: icon, title, colours, and what it means in one sentence.
struct Face {
    icon: Icon,
    title: &'static str,
    ink: Color32,
    ground: Color32,
    meaning: &'static str,
    dashed: bool,
}

fn face(t: &Theme, verification: &Verification, of_study: bool) -> Face {
    let c = &t.color;
    let face = |icon, title, ink, ground, meaning, dashed| Face { icon, title, ink, ground, meaning, dashed };
    // A certificate of an engine that only reads: nothing was executed, then or now.
    let recorded = verification.claimed.as_ref().is_some_and(|c| c.executed == 0);
    match (verification.state, verification.verdict) {
        (Some(EndState::Verified), _) => face(
            Icon::Shield,
            "Verified within the declared interface",
            c.good,
            c.good_bg,
            if of_study {
                "A trusted key signed it, study and scores are those that were bound, and working them out again gives the same figures, digit by digit."
            } else if recorded {
                "A trusted key signed it, every binding holds, and its cells are those that the case records. They are recorded, not executed: no engine gave them."
            } else {
                "A trusted key signed it, every binding holds, and executing the case again gives the same cells and receipts."
            },
            false,
        ),
        (Some(EndState::UnknownSigner), _) => face(
            Icon::Key,
            "Unknown signer",
            c.warn,
            c.warn_bg,
            "The file may be sound, but no key that you trust signed it. Get the signer's public key by another way and trust it.",
            true,
        ),
        (Some(EndState::UnsupportedVersion), _) => face(
            Icon::Info,
            "Unsupported version",
            c.accent,
            c.accent_bg,
            "This is a newer or another kind of statement than this program reads. It says nothing about its being right or wrong.",
            true,
        ),
        (Some(EndState::Altered), _) => face(
            Icon::Cross,
            "Altered",
            c.bad,
            c.bad_bg,
            "The bytes are not those that were signed, or a file is not the one that was bound. Do not rely on it.",
            false,
        ),
        (Some(EndState::ReplayDiffers), _) => face(
            Icon::Warn,
            "Replay differs",
            c.bad,
            c.bad_bg,
            if of_study {
                "The signature holds, but working the scores out again gives other figures than the certificate states."
            } else if recorded {
                "The signature holds, but the case records something else than the certificate states."
            } else {
                "The signature holds, but executing the case again gives something else than the certificate states."
            },
            true,
        ),
        (None, Standing::Invalid) => {
            face(Icon::Cross, "Invalid", c.bad, c.bad_bg, "A check failed; it is named below.", false)
        }
        (None, _) => face(
            Icon::Info,
            "Inconclusive: not replayed",
            c.muted,
            c.raised,
            if of_study {
                "No check failed, but the study is not at hand, so nothing was worked out again. Open the study, or choose its study.json."
            } else {
                "No check failed, but the case is not at hand, so nothing was executed again. Choose the case, or ask for a bundle."
            },
            true,
        ),
    }
}

fn result(ui: &mut Ui, state: &State, checked: &Checked, commands: &mut Commands) {
    let t = &state.theme;
    let verification = match &checked.result {
        Ok(verification) => verification,
        Err(why) => {
            unreadable(ui, state, checked, why, commands);
            return;
        }
    };
    let face = face(t, verification, checked.of_study);
    end_state(ui, state, checked, &face, verification, commands);
    card(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 0.0;
        let count = |s: Status| verification.checks.iter().filter(|c| c.status == s).count();
        let words =
            format!("{} pass · {} fail · {} not run", count(Status::Pass), count(Status::Fail), count(Status::NotRun));
        ui.horizontal(|ui| {
            section(ui, "Checks", Some(&words));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if ui.add(Press::new("Copy as Markdown").quiet().small().name("Copy checks as Markdown")).clicked() {
                    commands.push(Command::Copy(markdown(checked, verification, face.title), "List of checks"));
                }
            });
        });
        ui.add_space(t.space.s);
        for (at, check) in verification.checks.iter().enumerate() {
            if at > 0 {
                rule(ui);
            }
            line(ui, state, check);
        }
    });
}

fn end_state(
    ui: &mut Ui,
    state: &State,
    checked: &Checked,
    face: &Face,
    verification: &Verification,
    commands: &mut Commands,
) {
    let t = &state.theme;
    let shown = Frame::new()
        .fill(face.ground)
        .corner_radius(CornerRadius::same(t.radius.card))
        .inner_margin(Margin::same(16))
        .show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = 14.0;
                icon(ui, face.icon, 30.0, face.ink);
                ui.vertical(|ui| {
                    ui.spacing_mut().item_spacing.y = 4.0;
                    let title = text(ui, face.title, t.bold(t.size.title), face.ink);
                    let word = verification.state.map_or("inconclusive", EndState::word);
                    title.widget_info(|| WidgetInfo::labeled(Role::Heading, true, format!("End state: {word}")));
                    ui.add(Label::new(RichText::new(face.meaning).color(t.color.text)).wrap());
                    ui.add_space(2.0);
                    ui.horizontal_wrapped(|ui| {
                        ui.spacing_mut().item_spacing.x = 8.0;
                        let name =
                            checked.path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
                        text(ui, name, t.mono(t.size.value), t.color.text);
                        if !checked.digest.is_empty() {
                            text(ui, short_digest(&checked.digest, 8), t.mono(t.size.value), t.color.muted)
                                .on_hover_text(&checked.digest);
                        }
                        if ui.add(Press::new("Check again").quiet().small()).clicked() {
                            commands.push(Command::Verify(VerifyCommand::Check(checked.path.clone())));
                        }
                    });
                });
            });
        });
    let rect = shown.response.rect.shrink(0.5);
    if face.dashed {
        let stroke = egui::Stroke::new(1.5, face.ink);
        let corners = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom(), rect.left_top()];
        for pair in corners.windows(2) {
            ui.painter().extend(egui::Shape::dashed_line(pair, stroke, 6.0, 4.0));
        }
    } else {
        let stroke = egui::Stroke::new(1.5, face.ink);
        ui.painter().rect_stroke(rect, CornerRadius::same(t.radius.card), stroke, egui::StrokeKind::Inside);
    }
}

fn unreadable(ui: &mut Ui, state: &State, checked: &Checked, why: &str, commands: &mut Commands) {
    let t = &state.theme;
    card(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = t.space.s;
        ui.horizontal(|ui| {
            icon(ui, Icon::File, 22.0, t.color.muted);
            text(ui, "This file could not be checked", t.bold(t.size.subtitle), t.color.text);
        });
        ui.add(Label::new(RichText::new(why).font(t.mono(t.size.value)).color(t.color.text)).wrap());
        quiet(
            ui,
            "That is no verdict on a certificate: the file is not one that can be read. Choose a .cert.json or a .decidendi file.",
        );
        ui.horizontal(|ui| {
            if ui.add(Press::new("Open another…")).clicked() {
                commands.push(Command::Verify(VerifyCommand::Browse(PathPurpose::Verify)));
            }
            if ui.add(Press::new("Copy message").quiet()).clicked() {
                commands.push(Command::Copy(format!("{}\n{why}", checked.path.display()), "Message"));
            }
        });
    });
}

fn line(ui: &mut Ui, state: &State, check: &Check) {
    let t = &state.theme;
    let (sign, ink, word) = match check.status {
        Status::Pass => (Icon::Check, t.color.good, "pass"),
        Status::Fail => (Icon::Cross, t.color.bad, "fail"),
        Status::NotRun => (Icon::Dash, t.color.faint, "not run"),
    };
    ui.add_space(8.0);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 10.0;
        ui.spacing_mut().interact_size.y = 18.0;
        let (rect, response) = ui.allocate_exact_size(Vec2::new(18.0, 18.0), Sense::hover());
        ui.painter().text(
            rect.right_center(),
            egui::Align2::RIGHT_CENTER,
            check.n.to_string(),
            t.mono(t.size.value),
            t.color.muted,
        );
        response.widget_info(|| {
            WidgetInfo::labeled(Role::Label, true, format!("check {}: {}, {word}", check.n, check.name))
        });
        let (rect, _) = ui.allocate_exact_size(Vec2::splat(18.0), Sense::hover());
        sign.paint(ui.painter(), square(rect.center(), 14.0), ink);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            row(ui, 18.0, |ui| {
                text(ui, check.name, t.bold(t.size.body), t.color.text);
                text(ui, word, t.sans(12.0), ink);
            });
            if check.detail != check.name {
                rich(ui, &in_window(&check.detail), t.color.muted);
            }
            if let Some(next) = &check.next {
                row(ui, 18.0, |ui| {
                    icon(ui, Icon::Right, 10.0, t.color.accent);
                    ui.add(Label::new(RichText::new(in_window(next)).color(t.color.text)).wrap());
                });
            }
        });
    });
    ui.add_space(7.0);
}

/// The next step in words of the window: where the command line names an option, the window has a button.
fn in_window(next: &str) -> String {
    next.replace("name it (--trust FILE.pub)", "trust it here, at the right")
        .replace("Give the case (--case FILE)", "Choose the case at the right")
}

fn markdown(checked: &Checked, verification: &Verification, title: &str) -> String {
    let mut out = format!(
        "# {}\n\n{title}\n\n- file: `{}`\n- digest: `{}`\n\n| n | check | status | detail |\n| --- | --- | --- | --- |\n",
        verification.verdict.word(),
        checked.path.display(),
        checked.digest
    );
    for check in &verification.checks {
        let detail = check.detail.replace('|', "\\|").replace('\n', " ");
        out.push_str(&format!("| {} | {} | {} | {detail} |\n", check.n, check.name, check.status.word()));
    }
    out
}
