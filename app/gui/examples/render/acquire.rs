//! Pictures of the acquire page.

use std::path::{Path, PathBuf};
use std::time::Duration;

use decidendi_gui::App;
use decidendi_gui::desk::command::{Action, Command};
use decidendi_gui::theme::Look;
use decidendi_gui::wings::acquire::actions::{CANCEL, GO_ACQUIRE, PROBE, REPLAY, RUN};
use decidendi_gui::wings::acquire::command::AcquireCommand;
use egui_kittest::Harness;

use super::endpoint::{Endpoint, Manner, plan};
use super::{Camera, Fault, act, ask, quiet, wait};

const WIDE: [f32; 2] = [1440.0, 900.0];

fn read(h: &mut Harness<'static, App>, path: &Path) {
    ask(h, Command::wing(AcquireCommand::Open(path.to_owned())));
    wait(h, "the plan", |s| s.wings.acquire.opening.is_none() && s.jobs.is_empty());
}

fn work(h: &mut Harness<'static, App>, action: Action) {
    act(h, action);
    wait(h, "its end", |s| s.wings.acquire.doing().is_none() && s.jobs.is_empty());
    quiet(h);
}

impl Camera {
    fn page(&self, look: Look, size: [f32; 2], scale: f32) -> Result<Harness<'static, App>, Fault> {
        let folder = self.scratch.path().join("no cases");
        std::fs::create_dir_all(&folder)?;
        let mut h = self.window(Some(folder), look, size, scale);
        wait(&mut h, "the empty casebook", |s| !s.wings.judgment.book.loading && s.jobs.is_empty());
        act(&mut h, &GO_ACQUIRE);
        Ok(h)
    }

    fn planned(&self, name: &str, text: String) -> Result<PathBuf, Fault> {
        let path = self.scratch.path().join(name);
        std::fs::create_dir_all(&path)?;
        let path = path.join("capital.json");
        std::fs::write(&path, text)?;
        Ok(path)
    }

    pub(super) fn acquire(&self) -> Result<(), Fault> {
        if self.only.as_ref().is_some_and(|only| !only.starts_with("acquire")) {
            return Ok(());
        }
        let mut h = self.page(Look::Light, WIDE, 1.0)?;
        self.shot(&mut h, "acquire_empty")?;
        let recorded = self.scratch.path().join("recorded");
        std::fs::create_dir_all(&recorded)?;
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample_cases/93-step-value-smollm2");
        for name in ["plan.json", "log.jsonl", "study.json", "scores.jsonl"] {
            std::fs::copy(from.join(name), recorded.join(name))?;
        }
        for (suffix, look) in [("light", Look::Light), ("dark", Look::Dark), ("contrast", Look::HighContrast)] {
            let mut h = self.page(look, WIDE, 1.0)?;
            read(&mut h, &recorded);
            work(&mut h, &REPLAY);
            self.shot(&mut h, &format!("acquire_replayed_{suffix}"))?;
            self.live(suffix, look)?;
        }
        let mut h = self.page(Look::Light, [720.0, 450.0], 2.0)?;
        self.shot(&mut h, "acquire_200_empty")?;
        read(&mut h, &recorded);
        work(&mut h, &REPLAY);
        self.shot(&mut h, "acquire_200")?;
        self.faults()
    }

    /// Probed, running, complete.
    fn live(&self, suffix: &str, look: Look) -> Result<(), Fault> {
        let endpoint = Endpoint::new(Manner::Lacking, Duration::from_millis(400))?;
        let mut h = self.page(look, WIDE, 1.0)?;
        let path = self.planned(&format!("live {suffix}"), plan(&endpoint.url, 40, Some("PATH")))?;
        read(&mut h, &path);
        self.shot(&mut h, &format!("acquire_ready_{suffix}"))?;
        work(&mut h, &PROBE);
        act(&mut h, &RUN);
        wait(&mut h, "some calls", |s| s.wings.acquire.open.as_ref().is_some_and(|open| open.calls.len() >= 5));
        self.shot(&mut h, &format!("acquire_running_{suffix}"))?;
        act(&mut h, &CANCEL);
        self.shot(&mut h, &format!("acquire_stopping_{suffix}"))?;
        wait(&mut h, "its end", |s| s.wings.acquire.doing().is_none());
        quiet(&mut h);
        self.shot(&mut h, &format!("acquire_stopped_{suffix}"))?;
        work(&mut h, &RUN);
        self.shot(&mut h, &format!("acquire_complete_{suffix}"))
    }

    fn faults(&self) -> Result<(), Fault> {
        for (name, manner) in
            [("refused", Manner::Refuses), ("unreachable", Manner::Overloaded), ("unsupported", Manner::TextOnly)]
        {
            let endpoint = Endpoint::new(manner, Duration::ZERO)?;
            let mut h = self.page(Look::Light, WIDE, 1.0)?;
            let path = self.planned(name, plan(&endpoint.url, 40, None))?;
            read(&mut h, &path);
            work(&mut h, &RUN);
            self.shot(&mut h, &format!("acquire_{name}"))?;
        }
        let endpoint = Endpoint::new(Manner::Scores, Duration::ZERO)?;
        let mut h = self.page(Look::Light, WIDE, 1.0)?;
        let path = self.planned("capped", plan(&endpoint.url, 4, None))?;
        read(&mut h, &path);
        work(&mut h, &PROBE);
        work(&mut h, &RUN);
        self.shot(&mut h, "acquire_capped")?;
        let path = self.planned("no key", plan("https://api.example.org/v1", 40, Some("EXAMPLE_API_KEY")))?;
        read(&mut h, &path);
        self.shot(&mut h, "acquire_no_key")?;
        let path = self.planned("broken", plan("http://example.org/v1", 40, None))?;
        read(&mut h, &path);
        self.shot(&mut h, "acquire_unread")?;
        let recorded = self.scratch.path().join("recorded");
        let log = std::fs::read_to_string(recorded.join("log.jsonl"))?;
        std::fs::write(recorded.join("log.jsonl"), log.replacen("\"elapsed_ms\":", "\"elapsed_ms\":1", 1))?;
        read(&mut h, &recorded);
        self.shot(&mut h, "acquire_log_changed")
    }
}
