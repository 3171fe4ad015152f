//! The palette: a few letters find a command, or what the pages find.

use egui::{
    Align, Align2, Context, CornerRadius, Frame, Id, Key, Layout, Margin, Modal, Role, ScrollArea, Sense, Ui, Vec2,
    WidgetInfo, pos2,
};

use crate::desk::actions::PALETTE;
use crate::desk::command::{Action, Command, Commands};
use crate::desk::link::Link;
use crate::desk::page::Hit;
use crate::desk::state::State;
use crate::parts::{field, key_cap, quiet, short_path};
use crate::theme::icons::{Icon, square};
use crate::wings::TABLE;

/// What a line stands for: a named command, or what a page or a link leads to.
enum Line {
    Action(Action),
    Hit(Hit),
}

/// Shows it; tells whether it was closed by a click beside it.
pub(crate) fn show(ctx: &Context, state: &State, typed: &str, mark: usize, commands: &mut Commands) -> bool {
    let t = &state.theme;
    let width = 620.0_f32.min(ctx.content_rect().width() - 48.0);
    let frame = Frame::new()
        .fill(t.color.panel)
        .stroke(t.hairline())
        .corner_radius(CornerRadius::same(t.radius.card + 4))
        .shadow(egui::Shadow { offset: [0, 12], blur: 40, spread: 0, color: t.color.shadow })
        .inner_margin(Margin::same(10));
    let hits = find(state, typed);
    let found = hits.len();
    let mark = mark.min(found.saturating_sub(1));
    let (down, up, enter) = ctx.input_mut(|i| {
        (
            i.consume_key(egui::Modifiers::NONE, Key::ArrowDown),
            i.consume_key(egui::Modifiers::NONE, Key::ArrowUp),
            i.key_pressed(Key::Enter),
        )
    });
    let area = Modal::default_area(Id::unique("palette")).anchor(Align2::CENTER_TOP, Vec2::new(0.0, 64.0));
    let shown =
        Modal::new(Id::unique("palette")).area(area).backdrop_color(t.color.scrim).frame(frame).show(ctx, |ui| {
            ui.set_width(width);
            let (response, changed) = field(
                ui,
                "Search or run a command",
                "a command, a case, or a decidendi: link",
                typed,
                ui.available_width(),
            );
            if let Some(new) = changed {
                commands.push(Command::OverlayText(new));
            }
            if !response.has_focus() {
                response.request_focus();
            }
            ui.add_space(4.0);
            if hits.is_empty() {
                quiet(ui, "Nothing is called that, so Enter does nothing. Try fewer letters.");
            }
            let height = (ctx.content_rect().height() - 220.0).clamp(120.0, 420.0);
            ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 1.0;
                for (at, hit) in hits.into_iter().enumerate() {
                    if line(ui, state, &hit, at == mark, down || up).clicked() || (enter && at == mark) {
                        run(hit, commands);
                    }
                }
            });
        });
    if down && mark + 1 < found {
        commands.push(Command::OverlayMark(mark + 1));
    } else if up {
        commands.push(Command::OverlayMark(mark.saturating_sub(1)));
    }
    shown.backdrop_response.clicked()
}

fn run(line: Line, commands: &mut Commands) {
    commands.push(Command::Overlay(None));
    match line {
        Line::Action(action) => commands.act(action),
        Line::Hit(hit) => hit.ask.into_iter().for_each(|command| commands.push(command)),
    }
}

/// Commands first, best match first, then what the pages find.
fn find(state: &State, typed: &str) -> Vec<Line> {
    if let Some(link) = Link::parse(typed) {
        let (what, place) = link.target();
        return vec![Line::Hit(Hit {
            rank: 0,
            icon: Icon::Right,
            name: format!("Follow the link to {what}"),
            about: place.to_owned(),
            ask: vec![Command::Open(link.to_string().into())],
        })];
    }
    let wanted = typed.trim().to_lowercase();
    let mut scored: Vec<(i32, usize, Action)> = TABLE
        .iter()
        .copied()
        .enumerate()
        .filter(|(_, e)| *e != &PALETTE)
        .filter_map(|(at, e)| {
            let menu = e.menu.map_or("", |(m, _)| m.title());
            let text = format!("{} {} {} {menu}", e.name, e.about, e.id).to_lowercase();
            score(&e.name.to_lowercase(), &text, &wanted).map(|s| (s, at, e))
        })
        .collect();
    scored.sort_by_key(|(score, at, action)| (-score, !action.applies(state), *at));
    let mut lines: Vec<Line> = scored.into_iter().map(|(_, _, action)| Line::Action(action)).collect();
    if !wanted.is_empty() {
        let words: Vec<&str> = wanted.split_whitespace().collect();
        let mut hits: Vec<Hit> = state.pages.0.iter().flat_map(|page| page.find(state, &words)).collect();
        hits.extend(recents(state, &words));
        hits.sort_by_key(|hit| hit.rank);
        lines.extend(hits.into_iter().map(Line::Hit));
    }
    lines
}

/// The menu's *Open again*.
fn recents<'s>(state: &'s State, words: &'s [&str]) -> impl Iterator<Item = Hit> + 's {
    let recents = state.settings.recents.iter().filter(|path| {
        let text = format!("open again {}", path.display()).to_lowercase();
        words.iter().all(|w| text.contains(w))
    });
    recents.map(|path| Hit {
        rank: 1,
        icon: Icon::Book,
        name: "Open again".to_owned(),
        about: short_path(path, 64),
        ask: vec![Command::Open(path.clone())],
    })
}

/// How well a name answers to what was typed: whole words first, then letters in order.
fn score(name: &str, text: &str, wanted: &str) -> Option<i32> {
    if wanted.is_empty() {
        return Some(0);
    }
    if name.starts_with(wanted) {
        return Some(100);
    }
    if name.split_whitespace().any(|w| w.starts_with(wanted)) {
        return Some(80);
    }
    if wanted.split_whitespace().all(|w| text.contains(w)) {
        return Some(50);
    }
    let mut letters = name.chars();
    wanted.chars().filter(|c| !c.is_whitespace()).all(|c| letters.any(|n| n == c)).then_some(10)
}

fn line(ui: &mut Ui, state: &State, line: &Line, marked: bool, reveal: bool) -> egui::Response {
    let t = &state.theme;
    let (icon, name, about, key, applies) = match line {
        Line::Action(e) => {
            let why = (e.when)(state).err();
            (Icon::Command, e.name.to_owned(), why.unwrap_or(e.about).to_owned(), e.key_words(), why.is_none())
        }
        Line::Hit(hit) => (hit.icon, hit.name.clone(), hit.about.clone(), None, true),
    };
    let (rect, response) = ui.allocate_exact_size(Vec2::new(ui.available_width(), 30.0), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, applies, marked, &name));
    if !ui.is_rect_visible(rect) {
        if marked && reveal {
            response.scroll_to_me(None);
        }
        return response;
    }
    let ground = if marked {
        t.color.accent_bg
    } else if response.hovered() {
        t.color.hover
    } else {
        egui::Color32::TRANSPARENT
    };
    ui.painter().rect_filled(rect, CornerRadius::same(t.radius.control), ground);
    let ink = if applies { t.color.text } else { t.color.faint };
    icon.paint(ui.painter(), square(pos2(rect.left() + 16.0, rect.center().y), 14.0), t.color.muted);
    let name = ui.painter().layout_no_wrap(name, t.body(), ink);
    let name_width = name.size().x;
    ui.painter().galley(pos2(rect.left() + 34.0, rect.center().y - name.size().y / 2.0), name, ink);
    let key_room = if key.is_some() { 110.0 } else { 8.0 };
    let room = rect.right() - key_room - (rect.left() + 34.0 + name_width + 14.0);
    if room > 60.0 {
        let mut job = egui::text::LayoutJob::simple_singleline(about, t.sans(t.size.caption), t.color.muted);
        job.wrap = egui::text::TextWrapping::truncate_at_width(room);
        let about = ui.painter().layout_job(job);
        ui.painter().galley(
            pos2(rect.left() + 34.0 + name_width + 14.0, rect.center().y - about.size().y / 2.0),
            about,
            t.color.muted,
        );
    }
    if let Some(key) = key {
        let side =
            egui::Rect::from_min_max(pos2(rect.right() - 108.0, rect.top()), rect.right_bottom() - Vec2::new(8.0, 0.0));
        ui.scope_builder(egui::UiBuilder::new().max_rect(side).layout(Layout::right_to_left(Align::Center)), |ui| {
            key_cap(ui, &key)
        });
    }
    if marked && reveal {
        response.scroll_to_me(None);
    }
    response
}
