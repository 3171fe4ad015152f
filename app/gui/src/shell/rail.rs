//! The rail: the pages that have a sign, with their counts.

use egui::{Align2, CornerRadius, Frame, Margin, Panel, Role, Sense, Ui, Vec2, WidgetInfo, pos2};

use crate::desk::command::{Action, Command, Commands};
use crate::desk::page::Count;
use crate::desk::state::State;
use crate::parts::{group, ring};
use crate::theme::icons::{Icon, square};

pub(crate) fn show(ui: &mut Ui, state: &State, commands: &mut Commands) {
    let t = &state.theme;
    let narrow = ui.available_width() < t.width.narrow * 0.85;
    let side = if narrow { 3 } else { 8 };
    let frame = Frame::new().fill(t.color.panel).inner_margin(Margin { left: side, right: side, top: 12, bottom: 8 });
    // Two panels with a memory each: the narrow one's width must not come back as the wide one's.
    let panel = Panel::left(if narrow { "narrow rail" } else { "rail" }).frame(frame).show_separator_line(true);
    let panel = if narrow {
        panel.resizable(false).exact_size(t.width.rail_narrow)
    } else {
        panel.resizable(true).default_size(state.settings.rail).size_range(120.0..=320.0)
    };
    let response = panel.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        let under = state.page().map(|page| page.under());
        for page in state.pages.0 {
            let Some((icon, action)) = page.rail() else { continue };
            let here = under == Some(page.route());
            item(ui, state, commands, &Item { icon, action, here, count: page.count(state), narrow });
        }
    });
    let width = response.response.rect.width();
    let dragging = ui.ctx().dragged_id().is_some();
    if !narrow && dragging && (width - state.settings.rail).abs() > 0.5 {
        commands.push(Command::SetRail(width));
    }
}

struct Item {
    icon: Icon,
    action: Action,
    here: bool,
    count: Option<Count>,
    narrow: bool,
}

fn item(ui: &mut Ui, state: &State, commands: &mut Commands, item: &Item) {
    let t = &state.theme;
    let name = item.action.name;
    // In the narrow rail the name stands below its sign.
    let height = if item.narrow { t.row.rail + 10.0 } else { t.row.rail };
    let (rect, response) = ui.allocate_exact_size(Vec2::new(ui.available_width(), height), Sense::click());
    let spoken = match &item.count {
        Some(count) => format!("{name}, {}", count.spoken),
        None => name.to_owned(),
    };
    response.widget_info(|| WidgetInfo::selected(Role::Tab, true, item.here, &spoken));
    let ground = if item.here {
        t.color.accent_bg
    } else if response.hovered() {
        t.color.hover
    } else {
        egui::Color32::TRANSPARENT
    };
    let ink = if item.here { t.color.accent } else { t.color.muted };
    let p = ui.painter();
    p.rect_filled(rect, CornerRadius::same(t.radius.control), ground);
    if item.narrow {
        item.icon.paint(p, square(pos2(rect.center().x, rect.top() + 15.0), 16.0), ink);
        let at = pos2(rect.center().x, rect.bottom() - 11.0);
        p.with_clip_rect(rect).text(at, Align2::CENTER_CENTER, name, t.sans(9.5), ink);
    } else {
        item.icon.paint(p, square(pos2(rect.left() + 17.0, rect.center().y), 16.0), ink);
        let font = if item.here { t.bold(t.size.body) } else { t.body() };
        let mut clip = rect.shrink2(Vec2::new(4.0, 0.0));
        if let Some(count) = &item.count {
            let font = if item.here { t.bold(t.size.caption) } else { t.sans(t.size.caption) };
            let ink = if count.is_trouble { t.color.warn } else { ink };
            let at = pos2(rect.right() - 10.0, rect.center().y);
            // A name never runs below its count.
            clip.set_right(p.text(at, Align2::RIGHT_CENTER, group(count.number), font, ink).left() - 4.0);
        }
        let at = pos2(rect.left() + 34.0, rect.center().y);
        p.with_clip_rect(clip).text(at, Align2::LEFT_CENTER, name, font, ink);
    }
    ring(ui, &response, rect, t.radius.control);
    if response.on_hover_text(item.action.tooltip(state)).clicked() {
        commands.act(item.action);
    }
}
