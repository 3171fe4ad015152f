//! Verify: one exported file, every numbered check with cause and next step, five end states that never look alike, and the
//! keys that are trusted.

mod side;

use decidendi_core::kinds::Claim;
use decidendi_core::report::verification::{Meaning, meaning};
use decidendi_core::seal::verification::{Check, EndState, Next, Standing, Status, Verification, Wing};
use egui::{
    Align, Color32, CornerRadius, Frame, Label, Layout, Margin, RichText, Role, ScrollArea, Sense, Ui, Vec2, WidgetInfo,
};

use super::state::Checked;
use crate::desk::command::{Command, Commands};
use crate::desk::state::{PathPurpose, State};
use crate::parts::{Press, card, empty, icon, quiet, rich, row, rule, scroll_keys, section, short_digest, text};
use crate::theme::Theme;
use crate::theme::icons::{Icon, square};
use crate::wings::verify::command::VerifyCommand;

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
    match (&state.wings.verify.checked, &state.wings.verify.checking) {
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
                        commands.push(Command::Browse(PathPurpose::Verify));
                    }
                });
            });
        }
    }
}

/// The look of an end state: icon, title, colours, and what it means in one sentence.
struct Face {
    icon: Icon,
    ink: Color32,
    ground: Color32,
    dashed: bool,
    words: Meaning,
}

fn face(t: &Theme, verification: &Verification<Claim>) -> Face {
    let c = &t.color;
    let (icon, ink, ground, dashed) = match (verification.state, verification.verdict) {
        (Some(EndState::Verified), _) => (Icon::Shield, c.good, c.good_bg, false),
        (Some(EndState::UnknownSigner), _) => (Icon::Key, c.warn, c.warn_bg, true),
        (Some(EndState::UnsupportedVersion), _) => (Icon::Info, c.accent, c.accent_bg, true),
        (Some(EndState::Altered), _) | (None, Standing::Invalid) => (Icon::Cross, c.bad, c.bad_bg, false),
        (Some(EndState::ReplayDiffers), _) => (Icon::Warn, c.bad, c.bad_bg, true),
        (None, _) => (Icon::Info, c.muted, c.raised, true),
    };
    Face { icon, ink, ground, dashed, words: meaning(verification) }
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
    let face = face(t, verification);
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
                    commands.push(Command::Copy(markdown(checked, verification, face.words.title), "List of checks"));
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
    verification: &Verification<Claim>,
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
                    let title = text(ui, face.words.title, t.bold(t.size.title), face.ink);
                    let word = verification.state.map_or("inconclusive", EndState::word);
                    title.widget_info(|| WidgetInfo::labeled(Role::Heading, true, format!("End state: {word}")));
                    ui.add(Label::new(RichText::new(&face.words.sentence).color(t.color.text)).wrap());
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
                            commands.push(Command::wing(VerifyCommand::Check(checked.path.clone())));
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
                commands.push(Command::Browse(PathPurpose::Verify));
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
                rich(ui, &check.detail, t.color.muted);
            }
            if let Some(next) = check.next {
                row(ui, 18.0, |ui| {
                    icon(ui, Icon::Right, 10.0, t.color.accent);
                    ui.add(Label::new(RichText::new(advice(next)).color(t.color.text)).wrap());
                });
            }
        });
    });
    ui.add_space(7.0);
}

/// What to do next, in words of the window.
fn advice(next: Next) -> String {
    let words = match next {
        Next::TrustSigner => "Obtain the issuer's public key from a source you trust, and trust it here, at the right.",
        Next::AskAgain => "Ask the issuer for the file again.",
        Next::AskForBundle => "Ask the issuer for the bundle again.",
        Next::TakeOut => "Take it out, or move it into a folder `unsigned`, where it is told as such.",
        Next::Give(Wing::Judgment) => "Choose the case at the right, or verify the bundle that carries it.",
        Next::Give(Wing::StepValue) => "Open the study, or choose its study.json at the right.",
        Next::GiveOther(wing) => {
            return format!("Choose the {} that was certified, or certify this one anew.", wing.artifact());
        }
        Next::DoNotRely(wing) => {
            let artifact = wing.artifact();
            return format!("Do not rely on this certificate; ask the issuer to certify the {artifact} again.");
        }
        Next::RaiseBudget => {
            "Replay it on the command line with a larger budget (verify --budget N) if you trust whoever made the case."
        }
        Next::Upgrade => "Use a newer version of this program.",
        Next::GiveKind(wanted) => return format!("Give a {wanted}; no other statement is accepted in its place."),
    };
    words.to_owned()
}

fn markdown(checked: &Checked, verification: &Verification<Claim>, title: &str) -> String {
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
