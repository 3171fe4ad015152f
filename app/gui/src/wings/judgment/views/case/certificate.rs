//! Where the certificate stands: none, being signed, verified and replayed, stale, or refused with the reason.

use super::{Page, sources};
use crate::desk::command::{Command, Commands};
use crate::parts;
use crate::parts::Press;
use crate::parts::frame;
use crate::shared::certificates::Stand;
use crate::theme::Theme;
use crate::theme::icons::{Icon, square};
use crate::wings::judgment::actions::CERTIFY;
use crate::wings::judgment::state::Held;
use decidendi_core::judgment::result::{Obtained, Outcome};
use decidendi_core::judgment::verify::EndState;
use egui::{Color32, CornerRadius, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

pub(super) fn show(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    let t = page.theme;
    let c = &t.color;
    ui.spacing_mut().item_spacing.y = 6.0;
    parts::rule(ui);
    ui.add_space(2.0);
    frame::section(ui, t, "Certificate", "");
    if page.open.sandbox.is_some() {
        sources::remark(ui, t, "A sandbox can never be certified. Close it to certify the loaded evidence.");
        return;
    }
    if page.open.swapped {
        let words = match page.state.wings.judgment.certificate().held() {
            Some(_) => {
                "The certificate belongs to the case as loaded, not to this inverse transition. Swap back to see it."
            }
            None => "The inverse transition is never certified. Swap back to certify the case as loaded.",
        };
        sources::remark(ui, t, words);
        return;
    }
    match page.state.wings.judgment.certificate() {
        Stand::None if page.prepared.judgment.outcome == Outcome::Uncertifiable => {
            state_pill(ui, t, Icon::Dash, "not certifiable", c.warn, c.warn_bg);
            sources::remark(
                ui,
                t,
                "At least one hybrid gave no verdict. Repair the interface with a compatibility step, then certify.",
            );
        }
        Stand::None => none(ui, page, commands),
        Stand::Signing => {
            let words = match page.open.judgment.obtained {
                Obtained::Executed => "Executing, binding, signing and replaying…",
                Obtained::Recorded => "Binding, signing and comparing with the record…",
            };
            sources::remark(ui, t, words);
        }
        Stand::Held(held) => held_block(ui, page, held, false, commands),
        Stand::Stale(held) => held_block(ui, page, held, true, commands),
        Stand::Refused(why) => {
            state_pill(ui, t, Icon::Cross, "refused", c.bad, c.bad_bg);
            sources::remark(ui, t, why);
        }
    }
}

fn none(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    ui.horizontal(|ui| {
        let applies = CERTIFY.applies(page.state);
        let press = Press::new("Certify").enabled(applies).small().name("Certify this case");
        if ui.add(press).on_hover_text(CERTIFY.tooltip(page.state)).clicked() {
            commands.act(&CERTIFY);
        }
        let words = match &page.state.key {
            Some(key) if key.protected => format!("None yet. Signs with {}, after its passphrase.", key.name),
            Some(key) => format!("None yet. Signs with {}.", key.name),
            None => "None yet. A key is made on first use.".to_owned(),
        };
        sources::remark(ui, page.theme, &words);
    });
}

fn held_block(ui: &mut Ui, page: &Page<'_>, held: &Held, stale: bool, commands: &mut Commands) {
    let t = page.theme;
    let c = &t.color;
    let cells = page.open.judgment.cube.cells().len();
    let replay = match page.open.judgment.obtained {
        Obtained::Executed => "replayed",
        Obtained::Recorded => "compared",
    };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 10.0;
        match (stale, held.state) {
            (true, _) => state_pill(ui, t, Icon::Warn, "stale · the case has changed since", c.warn, c.warn_bg),
            (false, Some(EndState::Verified)) => {
                state_pill(ui, t, Icon::Check, &format!("verified · {cells}/{cells} {replay}"), c.good, c.good_bg);
            }
            (false, Some(state)) => state_pill(ui, t, Icon::Cross, state.word(), c.bad, c.bad_bg),
            (false, None) => state_pill(ui, t, Icon::Dash, "not verified", c.warn, c.warn_bg),
        }
        let text = egui::RichText::new(parts::short_digest(&held.digest, 4)).font(t.mono(12.0)).color(c.muted);
        let digest = ui.add(egui::Label::new(text).sense(Sense::click()).selectable(false));
        digest.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Copy the certificate's digest"));
        let digest = digest
            .on_hover_text(format!("{}\nClick to copy", held.digest))
            .on_hover_cursor(egui::CursorIcon::PointingHand);
        if digest.clicked() {
            commands.push(Command::Copy(held.digest.clone(), "Digest"));
        }
    });
    let saved = held.saved.as_ref().map_or_else(
        || " Not exported yet.".to_owned(),
        |p| format!(" Saved as {}.", p.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()),
    );
    let words = if stale {
        format!("Signed by {}. Certify again to bind what is loaded now.", held.signer)
    } else {
        format!("Within the declared interface. Signed by {}.{saved}", held.signer)
    };
    sources::remark(ui, t, &words);
}

/// A state in words, shape and colour.
fn state_pill(ui: &mut Ui, t: &Theme, sign: Icon, words: &str, ink: Color32, ground: Color32) {
    let galley = ui.painter().layout_no_wrap(words.to_owned(), t.sans(12.5), ink);
    let (rect, response) = ui.allocate_exact_size(vec2((galley.size().x + 38.0).round(), 22.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Status, true, format!("Certificate: {words}")));
    let line = Stroke::new(t.line(), ink.gamma_multiply(0.45));
    ui.painter().rect(rect, CornerRadius::same(t.radius.chip), ground, line, StrokeKind::Inside);
    sign.paint(ui.painter(), square(pos2(rect.left() + 16.0, rect.center().y), 12.0), ink);
    ui.painter().galley(pos2(rect.left() + 27.0, rect.center().y - galley.size().y / 2.0), galley, ink);
}
