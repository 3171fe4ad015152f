//! A window for tests: settings in a scratch folder, no real dialogs, time to wait for jobs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use decidendi_gui::desk::command::Command;
use decidendi_gui::desk::dialog::FakePicker;
use decidendi_gui::desk::persist::Store;
use decidendi_gui::desk::state::State;
use decidendi_gui::{App, Options};
use egui_kittest::Harness;

pub struct Stage {
    pub h: Harness<'static, App>,
    pub scratch: Arc<tempfile::TempDir>,
}

impl Stage {
    /// The shipped casebook on a fresh machine.
    #[expect(clippy::expect_used, reason = "a test without a scratch folder has nothing to say")]
    pub fn first_start() -> Self {
        Self::open(None, None, Arc::new(tempfile::tempdir().expect("a scratch folder")))
    }

    pub fn open(path: Option<PathBuf>, picked: Option<PathBuf>, scratch: Arc<tempfile::TempDir>) -> Self {
        let store = Store::at(scratch.path().join("config"));
        let h = Harness::builder().with_size([1440.0, 900.0]).with_max_steps(64).build_eframe(move |cc| {
            App::new(&cc.egui_ctx, Options { path, store, picker: Arc::new(FakePicker(picked)) })
        });
        Self { h, scratch }
    }

    pub fn state(&self) -> &State {
        self.h.state().state()
    }

    pub fn ask(&mut self, command: Command) {
        self.h.state_mut().ask(command);
        self.h.run_steps(2);
    }

    /// Presses a key alone.
    pub fn key(&mut self, key: egui::Key) {
        self.h.key_press(key);
        self.h.run_steps(2);
    }

    /// Presses a key with Ctrl.
    pub fn ctrl(&mut self, key: egui::Key) {
        self.h.key_press_modifiers(egui::Modifiers::COMMAND, key);
        self.h.run_steps(2);
    }

    /// Gives the focus to another window and takes it back: what lies on the disk is then looked at.
    pub fn look_elsewhere(&mut self) {
        self.h.input_mut().focused = false;
        self.h.run_steps(2);
        self.h.input_mut().focused = true;
        self.h.run_steps(2);
    }

    /// Lets jobs work until the state is as wanted.
    pub fn wait(&mut self, what: &str, until: impl Fn(&State) -> bool) {
        let from = Instant::now();
        while !until(self.state()) {
            assert!(from.elapsed() < Duration::from_secs(60), "waited in vain for {what}");
            self.h.step();
            std::thread::sleep(Duration::from_millis(3));
        }
        self.h.run_steps(2);
    }

    pub fn ready(mut self) -> Self {
        self.wait("the story case", |s| s.wings.judgment.open.is_some());
        self.wait("all cases executed", |s| s.wings.judgment.book.judged == s.wings.judgment.book.rows.len());
        self
    }
}
