//! The palette: a few letters find a command or a case.

use std::path::PathBuf;

use egui::{
    Align, Align2, Context, CornerRadius, Frame, Id, Key, Layout, Margin, Modal, Role, ScrollArea, Sense, Ui, Vec2,
    WidgetInfo, pos2,
};

use crate::desk::command::{Action, CaseCommand, Command, Commands, StepCommand, TABLE, TableCommand};
use crate::desk::link::Link;
use crate::desk::state::{Route, State};
use crate::parts::{field, key_cap, quiet};
use crate::theme::icons::{Icon, square};
use crate::widgets::model::Edge;
use crate::wings::judgment::state::Column;

const CASES: usize = 40;

enum Hit {
    Action(Action),
    Case(usize),
    Recent(PathBuf),
    Link(Link),
    View(usize),
    Walk(usize),
    Column(Column),
    Study(usize),
    Transition(usize),
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
    let mark = mark.min(hits.len().saturating_sub(1));
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
                for (at, hit) in hits.iter().enumerate() {
                    if line(ui, state, hit, at == mark, down || up).clicked() || (enter && at == mark) {
                        run(hit, state, commands);
                    }
                }
            });
        });
    if down && mark + 1 < hits.len() {
        commands.push(Command::OverlayMark(mark + 1));
    } else if up {
        commands.push(Command::OverlayMark(mark.saturating_sub(1)));
    }
    shown.backdrop_response.clicked()
}

fn run(hit: &Hit, state: &State, commands: &mut Commands) {
    commands.push(Command::Overlay(None));
    match hit {
        Hit::Action(action) => commands.act(*action),
        Hit::Case(row) => commands.push(Command::OpenRow(*row)),
        Hit::Recent(path) => commands.push(Command::Open(path.clone())),
        Hit::Link(link) => commands.push(Command::Open(link.to_string().into())),
        Hit::View(at) => {
            commands.act(Action::GoJudgments);
            commands.table(TableCommand::ApplyView(*at));
        }
        Hit::Walk(source) => {
            if let Some(open) = &state.open {
                let edge = Edge::at(open.selected, *source);
                commands.case(CaseCommand::Walk(Some((edge.base, edge.source))));
            }
        }
        Hit::Column(column) => commands.case(CaseCommand::Column(*column)),
        Hit::Study(at) => {
            if let Some(entry) = state.step.shelf.get(*at) {
                commands.step(StepCommand::Open(entry.place.clone()));
            }
        }
        Hit::Transition(at) => {
            commands.push(Command::Go(Route::Step));
            commands.step(StepCommand::Select(*at));
        }
    }
}

/// What can be asked for and is no row of the table, since it depends on what is open: saved views, edges, columns.
fn named(state: &State) -> Vec<Hit> {
    let mut hits: Vec<Hit> = (0..state.settings.views.len()).map(Hit::View).collect();
    if let Some(open) = state.open.as_ref().filter(|_| state.route == Route::Case) {
        hits.extend((0..open.case.k()).map(Hit::Walk));
        hits.extend([Column::Sources, Column::Picture, Column::Account].map(Hit::Column));
    }
    hits
}

/// How such a thing is called.
fn called(state: &State, hit: &Hit) -> String {
    match hit {
        Hit::View(at) => state.settings.views.get(*at).map(|v| format!("View: {}", v.name)).unwrap_or_default(),
        Hit::Walk(source) => {
            let name = state.open.as_ref().and_then(|o| o.case.sources().get(*source));
            name.map(|s| format!("Walk the edge of {}", s.name)).unwrap_or_default()
        }
        Hit::Column(Column::Sources) => "Column: sources".to_owned(),
        Hit::Column(Column::Picture) => "Column: cube, lattice, table".to_owned(),
        Hit::Column(Column::Account) => "Column: account".to_owned(),
        _ => String::new(),
    }
}

/// Commands first, best match first, then cases.
fn find(state: &State, typed: &str) -> Vec<Hit> {
    if let Some(link) = Link::parse(typed) {
        return vec![Hit::Link(link)];
    }
    let wanted = typed.trim().to_lowercase();
    let mut scored: Vec<(i32, usize, Action)> = TABLE
        .iter()
        .enumerate()
        .filter(|(_, e)| e.action != Action::Palette)
        .filter_map(|(at, e)| {
            let menu = e.menu.map_or("", |(m, _)| m.title());
            let text = format!("{} {} {} {menu}", e.name, e.about, e.id).to_lowercase();
            score(&e.name.to_lowercase(), &text, &wanted).map(|s| (s, at, e.action))
        })
        .collect();
    scored.sort_by_key(|(score, at, action)| (-score, !action.applies(state), *at));
    let mut hits: Vec<Hit> = scored.into_iter().map(|(_, _, action)| Hit::Action(action)).collect();
    if !wanted.is_empty() {
        let words: Vec<&str> = wanted.split_whitespace().collect();
        let cases = state.book.rows.iter().enumerate().filter(|(_, row)| {
            let (title, id) = (row.title.to_lowercase(), row.id.to_lowercase());
            words.iter().all(|w| title.contains(w) || id.contains(w))
        });
        // The menu's *Open again*.
        let recents = state.settings.recents.iter().filter(|path| {
            let text = format!("open again {}", path.display()).to_lowercase();
            words.iter().all(|w| text.contains(w))
        });
        let fits = |hit: &Hit| {
            let name = called(state, hit).to_lowercase();
            words.iter().all(|w| name.contains(w))
        };
        hits.extend(named(state).into_iter().filter(fits));
        hits.extend(recents.cloned().map(Hit::Recent));
        let shelf = state.step.shelf.iter().enumerate().filter(|(_, entry)| {
            let text = format!("open the study {}", entry.title).to_lowercase();
            words.iter().all(|w| text.contains(w))
        });
        hits.extend(shelf.map(|(at, _)| Hit::Study(at)));
        let steps = state.step.open.iter().flat_map(|open| open.study().transitions.iter().enumerate());
        let steps = steps.filter(|(_, step)| {
            let id = step.id.to_lowercase();
            words.iter().all(|w| id.contains(w) || "transition".starts_with(w)) && words.iter().any(|w| id.contains(w))
        });
        hits.extend(steps.take(CASES).map(|(at, _)| Hit::Transition(at)));
        hits.extend(cases.take(CASES).map(|(at, _)| Hit::Case(at)));
    }
    hits
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

fn line(ui: &mut Ui, state: &State, hit: &Hit, marked: bool, reveal: bool) -> egui::Response {
    let t = &state.theme;
    let (icon, name, about, key, applies) = match hit {
        Hit::Action(action) => {
            let e = action.entry();
            let why = (e.when)(state).err();
            (Icon::Command, e.name.to_owned(), why.unwrap_or(e.about).to_owned(), action.key_words(), why.is_none())
        }
        Hit::Case(row) => {
            let (title, id) = state.book.rows.get(*row).map(|r| (r.title.clone(), r.id.clone())).unwrap_or_default();
            (Icon::Rows, title, id, None, true)
        }
        Hit::Study(at) => {
            let title = state.step.shelf.get(*at).map(|entry| entry.title.clone()).unwrap_or_default();
            (Icon::Steps, "Open the study".to_owned(), title, None, true)
        }
        Hit::Transition(at) => {
            let open = state.step.open.as_ref();
            let id = open.and_then(|o| o.study().transitions.get(*at)).map(|step| step.id.clone()).unwrap_or_default();
            let study = open.map(|o| o.study().title().to_owned()).unwrap_or_default();
            (Icon::Steps, format!("Transition {id}"), study, None, true)
        }
        Hit::Recent(path) => (Icon::Book, "Open again".to_owned(), crate::parts::short_path(path, 64), None, true),
        Hit::View(_) => {
            (Icon::Search, called(state, hit), "Filters and order kept under this name".to_owned(), None, true)
        }
        Hit::Walk(_) => {
            let from = "Replace this one source in the selected hybrid".to_owned();
            (Icon::Right, called(state, hit), from, None, true)
        }
        Hit::Column(_) => (Icon::Right, called(state, hit), "Where the columns are tabs".to_owned(), None, true),
        Hit::Link(link) => {
            let (what, place) = link.target();
            (Icon::Right, format!("Follow the link to {what}"), place.to_owned(), None, true)
        }
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
