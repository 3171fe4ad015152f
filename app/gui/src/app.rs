//! The window: collects what came in, lets views draw and ask, carries out what they asked for. Repaints on demand only.

use std::path::PathBuf;
use std::sync::Arc;

use egui::{Context, Key, Pos2, Rect, Ui, Vec2, ViewportCommand, pos2, vec2};

use crate::desk::Desk;
use crate::desk::actions::{KEYS, OPEN_PATH, PALETTE, QUIT, ZOOM_IN, ZOOM_OUT, ZOOM_RESET};
use crate::desk::command::{Action, Chord, Command, Commands};
use crate::desk::dialog::{Dialogs, FilePicker, SystemPicker};
use crate::desk::jobs::{Jobs, Waker};
use crate::desk::persist::Store;
use crate::desk::settings::WindowPlace;
use crate::desk::state::{State, Tone};
use crate::desk::wings::Route;
use crate::shared::signing::SigningKey;
use crate::theme::{Theme, fonts};
use crate::wings::judgment::command::TableCommand;
use crate::wings::{self, GIVEN, TABLE};

/// How the window is opened.
pub struct Options {
    /// A casebook, a case, a certificate, a bundle, or a link; the shipped casebook where nothing is given.
    pub path: Option<PathBuf>,
    /// Where settings and keys are kept.
    pub store: Store,
    /// Shows file dialogs.
    pub picker: Arc<dyn FilePicker>,
}

impl Default for Options {
    fn default() -> Self {
        Self { path: None, store: Store::of_user(), picker: Arc::new(SystemPicker) }
    }
}

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// The toolkit could not open one.
    #[error("the window could not be opened: {0}")]
    Toolkit(&'static str),
    /// The theme does not read.
    #[error("assets/theme.toml: {0}")]
    Theme(String),
}

/// What went wrong, in words for people: the toolkit's own name files of the machine that it was built on.
impl From<eframe::Error> for WindowError {
    fn from(error: eframe::Error) -> Self {
        Self::Toolkit(match error {
            eframe::Error::Winit(_) | eframe::Error::WinitEventLoop(_) => {
                "the display server that WAYLAND_DISPLAY or DISPLAY names refused it, or went away"
            }
            eframe::Error::Glutin(_) | eframe::Error::NoGlutinConfigs(..) | eframe::Error::OpenGL(_) => {
                "OpenGL could not be set up on this display; on Debian, libgl1 with libgl1-mesa-dri draws without a \
                 graphics card"
            }
            _ => "the program could not be set up in it",
        })
    }
}

/// Opens the window, on the X server alone if told so, and stays until it is closed.
///
/// # Errors
/// [`WindowError`].
pub fn run(options: Options, x11: bool) -> Result<(), WindowError> {
    Theme::new(crate::theme::Look::Light, false).map_err(|e| WindowError::Theme(e.to_string()))?;
    let (settings, _) = options.store.load();
    let place = settings.window;
    let mut viewport = egui::ViewportBuilder::default()
        .with_app_id("decidendi")
        .with_title("Decidendi")
        .with_inner_size([place.width, place.height])
        .with_min_inner_size([640.0, 420.0])
        .with_maximized(place.maximized)
        .with_clamp_size_to_monitor_size(true)
        .with_drag_and_drop(true);
    if let (Some(x), Some(y)) = (place.x, place.y) {
        viewport = viewport.with_position([x, y]);
    }
    if let Ok(icon) = eframe::icon_data::from_png_bytes(include_bytes!("../../../assets/icon.png")) {
        viewport = viewport.with_icon(icon);
    }
    let native = eframe::NativeOptions {
        viewport,
        // Named, because test builds link a second renderer and would switch to it without a word.
        renderer: eframe::Renderer::Glow,
        centered: place.x.is_none(),
        event_loop_builder: x11.then(on_x11).flatten(),
        ..eframe::NativeOptions::default()
    };
    let create = move |cc: &eframe::CreationContext<'_>| -> Result<Box<dyn eframe::App>, _> {
        keep_in_sight(cc, place);
        Ok(Box::new(App::new(&cc.egui_ctx, options)))
    };
    eframe::run_native("Decidendi", native, Box::new(create))?;
    Ok(())
}

/// Keeps the toolkit from a Wayland compositor that does not answer.
#[cfg(target_os = "linux")]
fn on_x11() -> Option<eframe::EventLoopBuilderHook> {
    use winit::platform::x11::EventLoopBuilderExtX11;
    Some(Box::new(|builder| {
        builder.with_x11();
    }))
}

#[cfg(not(target_os = "linux"))]
fn on_x11() -> Option<eframe::EventLoopBuilderHook> {
    None
}

/// Moves the window onto a screen where its last place lies on none: a monitor may be gone since.
#[expect(clippy::cast_possible_truncation, reason = "places on a desktop are small whole numbers")]
fn keep_in_sight(cc: &eframe::CreationContext<'_>, place: WindowPlace) {
    let (Some(window), Some(x), Some(y)) = (cc.winit_window(), place.x, place.y) else { return };
    let screens: Vec<Rect> = window
        .available_monitors()
        .map(|m| {
            let (at, size) = (m.position(), m.size());
            Rect::from_min_size(pos2(at.x as f32, at.y as f32), vec2(size.width as f32, size.height as f32))
        })
        .collect();
    let (scale, size) = (window.scale_factor() as f32, window.outer_size());
    let wanted = Rect::from_min_size(pos2(x * scale, y * scale), vec2(size.width as f32, size.height as f32));
    if let (Some(to), Some(mut at)) =
        (in_sight(wanted, &screens), window.available_monitors().next().map(|m| m.position()))
    {
        (at.x, at.y) = (to.x.round() as i32, to.y.round() as i32);
        window.set_outer_position(at);
    }
}

/// Where a window goes whose head could not be grasped on any of the screens; `None` where it can, or no screen is known.
fn in_sight(window: Rect, screens: &[Rect]) -> Option<Pos2> {
    const GRASP: Vec2 = vec2(120.0, 24.0);
    let head = Rect::from_min_size(window.min, vec2(window.width(), 40.0));
    let seen = |screen: &Rect| {
        let part = head.intersect(*screen);
        part.width() >= GRASP.x && part.height() >= GRASP.y
    };
    if screens.iter().any(seen) {
        return None;
    }
    let screen = screens.first()?;
    let room = (screen.size() - window.size()).max(Vec2::ZERO);
    Some(window.min.clamp(screen.min, screen.min + room))
}

/// The window's program.
pub struct App {
    desk: Desk,
    commands: Commands,
    focused: bool,
    /// Whether a widget had the keyboard when the last frame was drawn: the toolkit takes it away before keys are read.
    held: bool,
    system_dark: Option<egui::Theme>,
    saved_at: f64,
}

impl App {
    /// Sets the toolkit up and starts reading the casebook.
    #[must_use]
    pub fn new(ctx: &Context, options: Options) -> Self {
        fonts::install(ctx);
        ctx.options_mut(|o| {
            o.zoom_with_keyboard = false;
            o.max_passes = std::num::NonZeroUsize::MIN.saturating_add(1);
        });
        let wake = ctx.clone();
        let waker: Waker = Arc::new(move || wake.request_repaint());
        let (settings, trouble) = options.store.load();
        let key = settings.key.as_ref().filter(|p| decidendi_files::look::is_file(p)).map(|path| SigningKey {
            name: path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default(),
            path: path.clone(),
            fingerprint: crate::shared::signing::fingerprint(path),
            protected: false,
        });
        let zoom = settings.zoom;
        let state = State { settings, key, route: Route::Case, ..State::default() };
        let jobs = Jobs::new(Arc::clone(&waker));
        let dialogs = Dialogs::new(options.picker, waker);
        let mut desk = Desk::new(state, jobs, dialogs, options.store, GIVEN);
        desk.restyle(ctx);
        ctx.set_zoom_factor(zoom);
        if let Some(why) = trouble {
            desk.toast(Tone::Bad, "The settings could not be read", Some(why));
        }
        match options.path {
            Some(path) => {
                desk.apply(Command::Open(path), ctx);
                desk.apply(Command::wing(TableCommand::Behind), ctx);
            }
            None => desk.apply(Command::wing(TableCommand::Shipped), ctx),
        }
        Self {
            desk,
            commands: Commands::default(),
            focused: true,
            held: false,
            system_dark: ctx.system_theme(),
            saved_at: 0.0,
        }
    }

    /// What views read.
    #[must_use]
    pub const fn state(&self) -> &State {
        self.desk.state()
    }

    /// Asks for something from outside the views (tests, the renderer of pictures).
    pub fn ask(&mut self, command: Command) {
        self.commands.push(command);
    }

    fn carry_out(&mut self, ctx: &Context) {
        let asked = self.commands.take();
        if asked.is_empty() {
            return;
        }
        for command in asked {
            self.desk.apply(command, ctx);
        }
        ctx.request_repaint();
    }

    /// Files dropped on the window: the first is opened, the others are named, not passed over.
    fn take_drops(&mut self, ctx: &Context) {
        let (dropped, hovering) = ctx.input(|i| {
            let paths: Vec<PathBuf> =
                i.raw.dropped_files.iter().map(|f| f.path().to_owned()).filter(|p| !p.as_os_str().is_empty()).collect();
            (paths, !i.raw.hovered_files.is_empty())
        });
        self.desk.hover(hovering);
        let mut dropped = dropped.into_iter();
        let Some(first) = dropped.next() else { return };
        self.desk.apply(Command::Open(first), ctx);
        let rest: Vec<String> = dropped.map(|p| p.display().to_string()).collect();
        if !rest.is_empty() {
            let text = format!("{} more dropped files were not opened", rest.len());
            self.desk.toast(
                Tone::Note,
                text,
                Some(format!("Drop a folder to open all of it. Not opened: {}", rest.join(", "))),
            );
        }
    }

    /// Keys of the table. Single keys sleep while a text field has the keyboard, and all but a few while a sheet is open.
    fn take_keys(&mut self, ctx: &Context) {
        let typing = ctx.text_edit_focused();
        let sheet = self.desk.state().overlay.is_some();
        let held = self.held || ctx.memory(|m| m.focused().is_some());
        let popup = egui::Popup::is_any_open(ctx);
        let route = self.desk.state().route;
        let by_arrows = self.desk.state().page().is_some_and(|page| page.walks_by_arrows());
        let pressed: Vec<(Key, egui::Modifiers)> = ctx.input(|i| {
            i.events
                .iter()
                .filter_map(|e| match e {
                    egui::Event::Key { key, pressed: true, modifiers, .. } => Some((*key, *modifiers)),
                    _ => None,
                })
                .collect()
        });
        for (key, modifiers) in pressed {
            if key == Key::Escape && modifiers.is_none() {
                if sheet {
                    self.commands.push(Command::Overlay(None));
                    continue;
                }
                if typing || popup {
                    continue;
                }
                if held {
                    ctx.memory_mut(|m| m.focused().into_iter().for_each(|id| m.surrender_focus(id)));
                    continue;
                }
                if self.leave_one() {
                    continue;
                }
            }
            // Where there is no list, arrows scroll.
            if matches!(key, Key::ArrowDown | Key::ArrowUp) && !by_arrows {
                continue;
            }
            let Some(action) = action_for(key, modifiers, route) else { continue };
            if typing && !(Chord { modifiers, key }).acts_in_text() {
                continue;
            }
            const OVER_SHEETS: [Action; 6] = [&QUIT, &PALETTE, &ZOOM_IN, &ZOOM_OUT, &ZOOM_RESET, &KEYS];
            if sheet && !OVER_SHEETS.contains(&action) {
                continue;
            }
            // The widget that has the keyboard answers to Enter and arrows itself.
            if (held || popup)
                && modifiers.is_none()
                && matches!(key, Key::Enter | Key::ArrowDown | Key::ArrowUp | Key::ArrowLeft | Key::ArrowRight)
            {
                continue;
            }
            self.commands.act(action);
            // What is typed right after it in the same frame is meant for the sheet's field, not for single keys.
            if action == &OPEN_PATH || action == &PALETTE {
                let after = typed_after(ctx, key, modifiers);
                if !after.is_empty() {
                    self.commands.push(Command::OverlayText(after));
                }
                break;
            }
        }
    }

    /// What Esc leaves before the page: an error message, the sandbox, a walked edge. One press, one step.
    fn leave_one(&mut self) -> bool {
        let state = self.desk.state();
        let page = state.page();
        let error = || state.toasts.iter().rev().find(|t| t.tone == Tone::Bad).map(|t| Command::DismissToast(t.id));
        let first = page.and_then(|page| page.leave_first(state)).or_else(error);
        let Some(command) = first.or_else(|| page?.leave(state)) else { return false };
        self.commands.push(command);
        true
    }

    fn remember_window(&mut self, ctx: &Context) {
        let (outer, inner, maximized, fullscreen) = ctx.input(|i| {
            let v = i.viewport();
            (v.outer_rect, v.inner_rect, v.maximized.unwrap_or(false), v.fullscreen.unwrap_or(false))
        });
        let Some(inner) = inner.filter(|_| !fullscreen) else { return };
        let before = self.desk.state().settings.window;
        let zoom = ctx.zoom_factor();
        let mut place = WindowPlace { maximized, ..before };
        if !maximized {
            (place.width, place.height) = ((inner.width() * zoom).round(), (inner.height() * zoom).round());
            (place.x, place.y) = (outer.map(|r| (r.left() * zoom).round()), outer.map(|r| (r.top() * zoom).round()));
        }
        if place != before {
            self.desk.remember_window(place);
        }
    }

    /// Housekeeping of a frame: clock, focus, toasts that leave, settings to disk.
    fn keep_house(&mut self, ctx: &Context) {
        let now = ctx.input(|i| i.time);
        self.desk.tick(now);
        let system = ctx.system_theme();
        if system != self.system_dark {
            self.system_dark = system;
            self.desk.restyle(ctx);
        }
        let focused = ctx.input(|i| i.focused);
        if focused && !self.focused {
            self.desk.look_at_disk();
        }
        self.focused = focused;
        if let Some(next) = self.desk.state().toasts.iter().filter_map(|t| t.until).min_by(f64::total_cmp) {
            ctx.request_repaint_after(std::time::Duration::from_secs_f64((next - now).clamp(0.02, 60.0)));
        }
        // A job is shown only once it took 300 ms: come back then.
        if self.desk.state().jobs.iter().any(|j| now - j.since < 0.3) {
            ctx.request_repaint_after(std::time::Duration::from_millis(310));
        }
        self.remember_window(ctx);
        if self.desk.state().unsaved {
            let rested = now - self.saved_at > 1.0 && !ctx.input(|i| i.pointer.any_down());
            if rested || ctx.input(|i| i.viewport().close_requested()) {
                self.saved_at = now;
                self.desk.save();
            } else {
                ctx.request_repaint_after(std::time::Duration::from_millis(1100));
            }
        }
    }
}

/// The text that came after a key in this frame.
fn typed_after(ctx: &Context, key: Key, modifiers: egui::Modifiers) -> String {
    let is_key = |e: &egui::Event| matches!(e, egui::Event::Key { key: k, pressed: true, modifiers: m, .. } if (*k, *m) == (key, modifiers));
    let text = |e: &egui::Event| match e {
        egui::Event::Text(text) | egui::Event::Paste(text) => Some(text.clone()),
        _ => None,
    };
    ctx.input(|i| i.events.iter().skip_while(|e| !is_key(e)).filter_map(text).collect())
}

/// The command that a key asks for on a route.
#[must_use]
pub fn action_for(key: Key, modifiers: egui::Modifiers, route: Route) -> Option<Action> {
    // On many layouts these signs need Shift; the sign itself is what counts.
    let sign = matches!(key, Key::Questionmark | Key::Plus | Key::Slash | Key::Minus | Key::Equals);
    let page = wings::page(route)?;
    TABLE.iter().copied().filter(|e| e.scope.covers(page)).find(|e| {
        e.keys.iter().any(|c| {
            c.key == key
                && c.modifiers.command == modifiers.command
                && c.modifiers.alt == modifiers.alt
                && (sign || c.modifiers.shift == modifiers.shift)
        })
    })
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &Context, _frame: &mut eframe::Frame) {
        self.think(ctx);
    }

    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.draw(ui);
    }

    fn clear_color(&self, _visuals: &egui::Visuals) -> [f32; 4] {
        self.desk.state().theme.color.bg.to_normalized_gamma_f32()
    }
}

impl App {
    /// What comes before drawing: answers of jobs, housekeeping, dropped files, keys.
    pub fn think(&mut self, ctx: &Context) {
        self.desk.collect(ctx);
        self.keep_house(ctx);
        self.take_drops(ctx);
        self.take_keys(ctx);
        self.carry_out(ctx);
        let state = self.desk.state();
        let own = state.page().and_then(|page| page.window_title(state));
        let title = own.or_else(|| state.first_page()?.window_title(state)).unwrap_or_default();
        let title = format!("{title} · Decidendi");
        let id = egui::Id::unique("window title");
        if ctx.data(|d| d.get_temp::<String>(id)).as_ref() != Some(&title) {
            ctx.send_viewport_cmd(ViewportCommand::Title(title.clone()));
            ctx.data_mut(|d| d.insert_temp(id, title));
        }
    }

    /// Draws the window and carries out what was asked for.
    pub fn draw(&mut self, ui: &mut Ui) {
        crate::shell::show(ui, self.desk.state(), self.desk.store(), &mut self.commands);
        let ctx = ui.ctx().clone();
        self.held = ctx.memory(|m| m.focused().is_some());
        self.carry_out(&ctx);
        self.desk.drawn();
    }
}

impl Drop for App {
    fn drop(&mut self) {
        self.desk.save();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_on_a_monitor_that_is_gone_comes_back_into_sight() {
        let screen = |x: f32| Rect::from_min_size(pos2(x, 0.0), vec2(1920.0, 1080.0));
        let window = |x: f32, y: f32| Rect::from_min_size(pos2(x, y), vec2(1440.0, 900.0));
        let both = [screen(0.0), screen(1920.0)];
        assert_eq!(in_sight(window(2200.0, 100.0), &both), None);
        assert_eq!(in_sight(window(2200.0, 100.0), &both[..1]), Some(pos2(480.0, 100.0)));
        assert_eq!(in_sight(window(-3000.0, -50.0), &both), Some(pos2(0.0, 0.0)));
        // Its head above the screen cannot be grasped either.
        assert_eq!(in_sight(window(300.0, -200.0), &both), Some(pos2(300.0, 0.0)));
        assert_eq!(in_sight(window(-1300.0, 10.0), &both), None, "enough of it is in sight");
        assert_eq!(in_sight(window(9000.0, 0.0), &[]), None);
        let small = Rect::from_min_size(Pos2::ZERO, vec2(1024.0, 768.0));
        assert_eq!(in_sight(window(2200.0, 100.0), &[small]), Some(Pos2::ZERO));
    }
}
