//! Carrying out commands, in order.

use egui::Context;

use super::Desk;
use super::command::{Action, Command};
use super::dialog::Answer as Picked;
use super::jobs::Message;
use super::state::{Overlay, PathPurpose, Tone};

impl Desk {
    /// Takes what jobs and dialogs have sent. Tells whether anything came.
    pub fn collect(&mut self, ctx: &Context) -> bool {
        let sent = self.jobs.drain();
        let any = !sent.is_empty();
        for message in sent {
            self.take(message);
            self.go_on(ctx);
        }
        if let Some(answer) = self.dialogs.poll() {
            let command = match answer {
                Picked::Path(purpose, path) => Command::Picked(purpose, Some(path), None),
                Picked::Fallback(purpose, why) => Command::Picked(purpose, None, Some(why)),
                Picked::Closed => Command::Picked(PathPurpose::OpenFile, None, None),
            };
            self.apply(command, ctx);
        }
        self.state.dialog = self.dialogs.pending();
        if let Some(wait) = self.dialogs.wake_in() {
            ctx.request_repaint_after(wait + std::time::Duration::from_millis(20));
        } else if self.state.dialog.is_some() && self.state.overlay.is_none() {
            self.offer_path_box();
        }
        any
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Progress(id, progress) => {
                if let Some(job) = self.state.jobs.iter_mut().find(|j| j.id == id) {
                    job.progress = progress;
                }
                self.state.wings.on_progress(id, progress);
            }
            Message::Part(id, answer) => self.deliver(id, answer),
            Message::Done(id, answer) => {
                self.state.jobs.retain(|j| j.id != id);
                self.deliver(id, answer);
            }
        }
    }

    /// Carries out one command, and what follows from it.
    pub fn apply(&mut self, command: Command, ctx: &Context) {
        self.carry_out(command, ctx);
        self.go_on(ctx);
    }

    /// Carries out what was asked for in passing.
    fn go_on(&mut self, ctx: &Context) {
        while let Some(command) = self.next.pop_front() {
            self.carry_out(command, ctx);
        }
    }

    fn carry_out(&mut self, command: Command, ctx: &Context) {
        match command {
            Command::Do(action) => self.act(action, ctx),
            Command::Go(route) => self.go(route),
            Command::Open(path) => (self.given.open)(self, &path),
            Command::ForgetRecent(path) => {
                self.state.settings.recents.retain(|p| *p != path);
                self.keep();
            }
            Command::Wing(command) => (self.given.apply)(self, command, ctx),
            Command::Overlay(overlay) => self.state.overlay = overlay,
            Command::OverlayText(text) => self.overlay_text(text),
            Command::OverlayMark(to) => {
                if let Some(Overlay::Palette { mark, .. }) = &mut self.state.overlay {
                    *mark = to;
                }
            }
            Command::SetLook(look) => {
                self.note("look");
                self.state.settings.look = look;
                self.restyle(ctx);
                self.keep();
            }
            Command::SetZoom(zoom) => {
                self.note("zoom");
                self.zoom(zoom, ctx);
            }
            Command::SetRail(width) => {
                self.note("width of the rail");
                self.state.settings.rail = width.clamp(120.0, 320.0);
                self.state.unsaved = true;
            }
            Command::UseKey(path) => self.read_key(path),
            Command::Trust(path) => self.read_trust(path),
            Command::Browse(purpose) => self.ask(purpose),
            Command::Unlock => self.unlock(),
            Command::Export(format, folder) => self.export(format, &folder),
            Command::Settle(occupied, over) => self.settle_export(occupied, over),
            Command::ExportDraft(format, folder) => self.state.overlay = Some(Overlay::Export { format, folder }),
            Command::Copy(text, what) => {
                ctx.copy_text(text);
                self.toast(Tone::Note, format!("{what} copied"), None);
            }
            Command::Cancel(id) => self.cancel(id),
            Command::Picked(purpose, path, why) => self.on_picked(purpose, path, why),
            Command::TypePath => self.offer_path_box(),
            Command::UsePath(purpose, path) => self.use_typed(purpose, path),
            Command::DismissToast(id) => self.state.toasts.retain(|t| t.id != id),
        }
    }

    /// Carries out a named command, or says why it does not apply.
    fn act(&mut self, action: Action, ctx: &Context) {
        match (action.when)(&self.state) {
            Ok(()) => (action.run)(self, ctx),
            Err(why) => self.toast(Tone::Note, format!("{}: {why}", action.name), None),
        }
    }

    /// Tells a job to stop.
    pub(crate) fn cancel(&mut self, id: crate::shared::job::JobId) {
        self.jobs.cancel(id);
        // Reading one large document cannot be broken off half way: nobody waits for its end.
        if let Some(words) = self.state.wings.give_up(id) {
            self.state.jobs.retain(|j| j.id != id);
            self.toast(Tone::Note, words, None);
        }
        if let Some(job) = self.state.jobs.iter_mut().find(|j| j.id == id) {
            job.cancelling = true;
        }
    }

    fn overlay_text(&mut self, new: String) {
        match &mut self.state.overlay {
            Some(Overlay::Palette { text, mark }) => {
                *text = new;
                *mark = 0;
            }
            Some(Overlay::Path { text, found, .. }) => {
                (*text, *found) = (new, None);
                self.seek();
            }
            Some(Overlay::Export { folder, .. }) => *folder = new,
            Some(Overlay::SaveView(name)) => *name = new,
            _ => {}
        }
    }
}
