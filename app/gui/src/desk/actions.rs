//! The commands that every page has: files, keys, copying, undo, looks, walking, help. What they do on a page, the page
//! says.

use egui::{Context, Key, ViewportCommand};

use super::Desk;
use super::command::{Applies, Chord, Command, Menu, Scope, actions};
use super::history::{Change, Step};
use super::page::Page;
use super::settings::Settings;
use super::state::{Overlay, PathPurpose, State, Tone};
use crate::theme::Look;
use crate::wings::judgment::command::CaseCommand;

/// Always.
pub const fn always(_: &State) -> Applies {
    Ok(())
}

fn page_open(state: &State) -> Applies {
    state.page().map_or(Err("Open a case first."), |page| page.is_open(state))
}

/// Whether the page can be written in a format that several pages have.
fn writable(state: &State, wanted: &'static str) -> Applies {
    page_open(state)?;
    let Some(page) = state.page() else { return Ok(()) };
    let id = page.format(state, wanted);
    match page.formats(state).into_iter().find(|offer| offer.id == id).and_then(|offer| offer.barred) {
        Some(why) => Err(why),
        None => Ok(()),
    }
}

fn evidence(state: &State) -> Applies {
    writable(state, "markdown")
}

fn drawable(state: &State) -> Applies {
    writable(state, "svg")
}

fn walkable(state: &State) -> Applies {
    let walkable = |page: &dyn Page| page.walkable(state);
    let own = state.page().and_then(walkable);
    own.or_else(|| walkable(state.first_page()?)).unwrap_or(Ok(()))
}

fn undoable(state: &State) -> Applies {
    if state.history.undo.is_empty() { Err("Nothing to undo.") } else { Ok(()) }
}

fn redoable(state: &State) -> Applies {
    if state.history.redo.is_empty() { Err("Nothing to redo.") } else { Ok(()) }
}

const NONE: &[Chord] = &[];

actions! {
    OPEN_FILE = 10, "open-file", "Open file…", "Open a case, a casebook file, a certificate or a bundle", &[Chord::ctrl(Key::O)], Some((Menu::File, 0)), Scope::Everywhere, always => |desk, _| desk.ask(PathPurpose::OpenFile);
    OPEN_FOLDER = 20, "open-folder", "Open folder…", "Open a folder of cases as a casebook, or a study folder", &[Chord::ctrl_shift(Key::O)], Some((Menu::File, 0)), Scope::Everywhere, always => |desk, _| desk.ask(PathPurpose::OpenFolder);
    OPEN_PATH = 30, "open-path", "Open path…", "Type or paste a path to open", &[Chord::ctrl(Key::L)], Some((Menu::File, 0)), Scope::Everywhere, always => |desk, _| desk.state.overlay = Some(Overlay::Path { purpose: PathPurpose::OpenFile, text: String::new(), why: None, found: None });
    RELOAD = 50, "reload", "Read again from disk", "Read the casebook, the open study or the open plan again; certificates that no longer match turn stale", &[Chord::bare(Key::F5)], Some((Menu::File, 0)), Scope::Everywhere, always => |desk, _| desk.reload();
    EXPORT = 90, "export", "Export…", "Write the certificate, a bundle, the account, a table or a picture", &[Chord::ctrl(Key::E)], Some((Menu::File, 1)), Scope::Open, page_open => |desk, _| desk.show_export(None);
    EXPORT_MARKDOWN = 120, "export-markdown", "Export account (Markdown)", "Write cube, receipts and account in words, with digests", &[Chord::ctrl_shift(Key::M)], None, Scope::Open, evidence => |desk, _| desk.show_export(Some("markdown"));
    EXPORT_SVG = 130, "export-svg", "Export picture as SVG", "Write the cube or lattice as it stands on the screen", &[Chord::ctrl_shift(Key::G)], None, Scope::Open, drawable => |desk, _| desk.show_export(Some("svg"));
    EXPORT_PNG = 140, "export-png", "Export picture as PNG", "Write the same picture in pixels", &[Chord::ctrl_shift(Key::P)], None, Scope::Open, drawable => |desk, _| desk.show_export(Some("png"));
    SHOW_COMMAND = 160, "show-command", "Show the command", "The command line that writes the same bytes", &[Chord::ctrl_shift(Key::X)], Some((Menu::File, 1)), Scope::Everywhere, always => |desk, _| desk.show_command();
    NEW_KEY = 170, "new-key", "New signing key", "Make a fresh Ed25519 key pair in the settings folder and sign with it", NONE, Some((Menu::File, 2)), Scope::Everywhere, always => |desk, _| desk.make_key();
    CHOOSE_KEY = 180, "choose-key", "Sign with another key…", "Choose a private key (PKCS#8 PEM) to sign with", NONE, Some((Menu::File, 2)), Scope::Everywhere, always => |desk, _| desk.ask(PathPurpose::Key);
    QUIT = 270, "quit", "Quit", "Close the window", &[Chord::ctrl(Key::Q)], Some((Menu::File, 3)), Scope::Everywhere, always => |_, ctx| ctx.send_viewport_cmd(ViewportCommand::Close);
    UNDO = 280, "undo", "Undo", "Take the last filter or layout change back", &[Chord::ctrl(Key::Z)], Some((Menu::Edit, 0)), Scope::Everywhere, undoable => Desk::undo;
    REDO = 290, "redo", "Redo", "Do it again", &[Chord::ctrl_shift(Key::Z), Chord::ctrl(Key::Y)], Some((Menu::Edit, 0)), Scope::Everywhere, redoable => Desk::redo;
    COPY_MARKDOWN = 300, "copy-markdown", "Copy as Markdown", "Export cube, family and account with their digests to the clipboard", &[Chord::ctrl_shift(Key::C)], Some((Menu::Edit, 1)), Scope::Open, evidence => |desk, _| desk.copy_markdown();
    COPY_LINK = 310, "copy-link", "Copy link", "Copy a line that opens this case and cell, or this transition with corner and stop, again", NONE, Some((Menu::Edit, 1)), Scope::Open, page_open => |desk, _| desk.copy_link();
    LOOK_SYSTEM = 610, "look-system", "Look: follow the system", "Light or dark as the desktop says", NONE, None, Scope::Everywhere, always => |desk, _| desk.then(Command::SetLook(Look::System));
    LOOK_LIGHT = 620, "look-light", "Look: light", "Dark text on light ground", NONE, None, Scope::Everywhere, always => |desk, _| desk.then(Command::SetLook(Look::Light));
    LOOK_DARK = 630, "look-dark", "Look: dark", "Light text on dark ground", NONE, None, Scope::Everywhere, always => |desk, _| desk.then(Command::SetLook(Look::Dark));
    LOOK_CONTRAST = 640, "look-contrast", "Look: high contrast", "White on black with wider lines", NONE, None, Scope::Everywhere, always => |desk, _| desk.then(Command::SetLook(Look::HighContrast));
    ZOOM_IN = 650, "zoom-in", "Larger", "Zoom in, up to 200 %", &[Chord::ctrl(Key::Plus), Chord::ctrl(Key::Equals)], Some((Menu::View, 4)), Scope::Everywhere, always => |desk, _| desk.then(Command::SetZoom(desk.state.settings.zoom + 0.1));
    ZOOM_OUT = 660, "zoom-out", "Smaller", "Zoom out, down to 80 %", &[Chord::ctrl(Key::Minus)], Some((Menu::View, 4)), Scope::Everywhere, always => |desk, _| desk.then(Command::SetZoom(desk.state.settings.zoom - 0.1));
    ZOOM_RESET = 670, "zoom-reset", "Actual size", "Zoom to 100 %", &[Chord::ctrl(Key::Num0)], Some((Menu::View, 4)), Scope::Everywhere, always => |desk, _| desk.then(Command::SetZoom(1.0));
    FULL_SCREEN = 680, "full-screen", "Full screen", "Fill the screen, or leave it", &[Chord::bare(Key::F11)], Some((Menu::View, 5)), Scope::Everywhere, always => |_, ctx| full_screen(ctx);
    RESET_LAYOUT = 690, "reset-layout", "Reset layout", "Put widths, zoom and window back as they were at first", NONE, Some((Menu::View, 5)), Scope::Everywhere, always => Desk::reset_layout;
    NEXT = 750, "next", "Next case or transition", "The next one in the filtered order", &[Chord::bare(Key::J), Chord::bare(Key::ArrowDown)], Some((Menu::Go, 1)), Scope::Everywhere, walkable => |desk, _| desk.walk(1);
    PREVIOUS = 760, "previous", "Previous case or transition", "The one before in the filtered order", &[Chord::bare(Key::K), Chord::bare(Key::ArrowUp)], Some((Menu::Go, 1)), Scope::Everywhere, walkable => |desk, _| desk.walk(-1);
    PALETTE = 790, "palette", "Search or run a command", "Find a case or a command by a few letters", &[Chord::ctrl(Key::K), Chord::ctrl(Key::P)], Some((Menu::Go, 2)), Scope::Everywhere, always => |desk, _| desk.state.overlay = Some(Overlay::Palette { text: String::new(), mark: 0 });
    KEYS = 800, "keys", "Keyboard", "Every command with its key", &[Chord::bare(Key::Questionmark), Chord::bare(Key::F1)], Some((Menu::Help, 0)), Scope::Everywhere, always => |desk, _| desk.state.overlay = Some(Overlay::Keys);
    ABOUT = 810, "about", "About Decidendi", "Version, licences, where things are kept", NONE, Some((Menu::Help, 1)), Scope::Everywhere, always => |desk, _| desk.state.overlay = Some(Overlay::About);
}

fn full_screen(ctx: &Context) {
    let on = ctx.input(|i| i.viewport().fullscreen.unwrap_or(false));
    ctx.send_viewport_cmd(ViewportCommand::Fullscreen(!on));
}

impl Desk {
    fn undo(&mut self, ctx: &Context) {
        let now = self.layout();
        if let Some(Step { name, change, layout }) = self.state.history.undo(now) {
            match change {
                Change::Layout => self.set_layout(layout, ctx),
                Change::SandboxClosed => self.then(CaseCommand::ReopenSandbox),
            }
            self.toast(Tone::Note, format!("Undone: {name}"), None);
        }
    }

    fn redo(&mut self, ctx: &Context) {
        let now = self.layout();
        if let Some(Step { name, change, layout }) = self.state.history.redo(now) {
            match change {
                Change::Layout => self.set_layout(layout, ctx),
                Change::SandboxClosed => self.then(CaseCommand::CloseSandbox),
            }
            self.toast(Tone::Note, format!("Done again: {name}"), None);
        }
    }

    fn reset_layout(&mut self, ctx: &Context) {
        self.note("reset layout");
        let first = Settings::default();
        self.state.settings.rail = first.rail;
        self.state.settings.window = first.window;
        self.zoom(first.zoom, ctx);
        let size = egui::vec2(first.window.width, first.window.height);
        ctx.send_viewport_cmd(ViewportCommand::InnerSize(size));
        ctx.memory_mut(|m| m.reset_areas());
        self.toast(Tone::Note, "Layout reset", None);
    }

    /// One on or back in the list of the page, or in that of the first page.
    fn walk(&mut self, by: isize) {
        let own = self.state.page().is_some_and(|page| page.walk(self, by));
        if let Some(first) = self.state.first_page().filter(|_| !own) {
            first.walk(self, by);
        }
    }

    /// Reads what is open on the page again, or what the first page has open.
    fn reload(&mut self) {
        self.state.toasts.retain(|t| t.tone != Tone::Bad);
        let own = self.state.page().is_some_and(|page| page.reload(self));
        if let Some(first) = self.state.first_page().filter(|_| !own) {
            first.reload(self);
        }
    }
}
