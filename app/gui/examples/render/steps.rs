//! Pictures of the step-value view.

use std::path::{Path, PathBuf};

use decidendi_core::step_value::face::Side;
use decidendi_gui::App;
use decidendi_gui::desk::command::Command;
use decidendi_gui::desk::state::Overlay;
use decidendi_gui::theme::Look;
use decidendi_gui::wings::step_value::actions::{ACROSS, CERTIFY, CLEAR, GO_STEP};
use decidendi_gui::wings::step_value::command::StepCommand;
use decidendi_gui::wings::step_value::state::{StepColumn, StepFlag, StepFormat, StepTab, Stop};
use egui_kittest::Harness;

use super::{Camera, Fault, act, ask, quiet, wait};

/// A transition whose gain turns from above zero to below.
const REVERSAL: &str = "t021-03";

/// A window of 1440 x 900 pixels at 200 %.
const SMALL: [f32; 2] = [720.0, 450.0];

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample_cases").join(name)
}

fn step(h: &mut Harness<'static, App>, command: StepCommand) {
    ask(h, Command::wing(command));
}

impl Camera {
    fn study(&self, name: &str, look: Look, size: [f32; 2], scale: f32) -> Harness<'static, App> {
        let mut h = self.window(Some(sample(name)), look, size, scale);
        wait(&mut h, "the study", |s| s.wings.step.open.is_some() && s.jobs.is_empty());
        h
    }

    pub(super) fn steps(&self) -> Result<(), Fault> {
        let wide = [1440.0, 900.0];
        for (suffix, look) in [("light", Look::Light), ("dark", Look::Dark), ("contrast", Look::HighContrast)] {
            let mut h = self.study("90-step-value-simulated", look, wide, 1.0);
            let at = h
                .state()
                .state()
                .wings
                .step
                .open
                .as_ref()
                .and_then(|open| open.study().transitions.iter().position(|step| step.id == REVERSAL));
            step(&mut h, StepCommand::Select(at.unwrap_or(0)));
            self.shot(&mut h, &format!("step_{suffix}"))?;
            if look != Look::Light {
                continue;
            }
            for stop in Stop::ALL {
                step(&mut h, StepCommand::Stop(stop));
                self.shot(&mut h, &format!("step_stop_{}", stop.name().replace(' ', "_")))?;
            }
            step(&mut h, StepCommand::Stop(Stop::Energies));
            step(&mut h, StepCommand::Toggle(StepFlag::PositiveToNegative));
            self.shot(&mut h, "step_filtered")?;
            act(&mut h, &CLEAR);
            for tab in [StepTab::Diagnostics, StepTab::Recalibration, StepTab::Cohort] {
                if tab == StepTab::Recalibration {
                    step(&mut h, StepCommand::Scale(Side::Alternative, 1.5));
                }
                step(&mut h, StepCommand::Tab(tab));
                self.shot(&mut h, &format!("step_{}", tab.name().to_lowercase()))?;
            }
            step(&mut h, StepCommand::Tab(StepTab::Scatter));
            let lacking = h
                .state()
                .state()
                .wings
                .step
                .open
                .as_ref()
                .and_then(|open| open.population()?.flags.iter().position(|flag| *flag == StepFlag::Incomplete));
            step(&mut h, StepCommand::Select(lacking.unwrap_or(0)));
            self.shot(&mut h, "step_incomplete")?;
            step(&mut h, StepCommand::Select(at.unwrap_or(0)));
            act(&mut h, &CERTIFY);
            wait(&mut h, "the certificate", |s| s.wings.step.open.as_ref().is_some_and(|o| o.certificate().is_some()));
            self.shot(&mut h, "step_certified")?;
            quiet(&mut h);
            let out = self.scratch.path().join("step out");
            ask(&mut h, Command::Export(StepFormat::Certificate.id(), out.clone()));
            for format in [StepFormat::FacePng, StepFormat::ScatterPng] {
                ask(&mut h, Command::Export(format.id(), self.out.join("exports")));
            }
            wait(&mut h, "the files", |s| s.jobs.is_empty());
            quiet(&mut h);
            let file =
                h.state().state().wings.step.open.as_ref().and_then(|o| o.certificate()).map(|held| held.file.clone());
            ask(&mut h, Command::Open(out.join(file.unwrap_or_default())));
            wait(&mut h, "the checks", |s| s.wings.verify.checked.is_some() && s.wings.verify.checking.is_none());
            self.shot(&mut h, "step_verified")?;
            act(&mut h, &GO_STEP);
            let folder = "/home/you/Documents/Decidendi".to_owned();
            ask(&mut h, Command::Overlay(Some(Overlay::Export { format: StepFormat::Markdown.id(), folder })));
            self.shot(&mut h, "step_export")?;
            ask(&mut h, Command::Overlay(None));
        }
        self.declared(wide)?;
        self.small()?;
        self.odd(wide)
    }

    fn declared(&self, wide: [f32; 2]) -> Result<(), Fault> {
        let ways = [("", Look::Light, wide, 1.0), ("_dark", Look::Dark, wide, 1.0), ("_200", Look::Light, SMALL, 2.0)];
        for (suffix, look, size, scale) in ways {
            let mut h = self.study("91-step-value-simulated-retrieval", look, size, scale);
            for tab in [StepTab::Retrieval, StepTab::Cube] {
                step(&mut h, StepCommand::Tab(tab));
                act(&mut h, &ACROSS);
                act(&mut h, &ACROSS);
                quiet(&mut h);
                let name = tab.name().to_lowercase();
                let name = name.split(' ').find(|word| !matches!(*word, "face" | "matched")).unwrap_or_default();
                self.shot(&mut h, &format!("step_{name}{suffix}"))?;
            }
            let mut h = self.study("92-step-value-simulated-bridge", look, size, scale);
            step(&mut h, StepCommand::Tab(StepTab::Bridge));
            self.shot(&mut h, &format!("step_bridge{suffix}"))?;
            let mut h = self.study("90-step-value-simulated", look, size, scale);
            if suffix.is_empty() {
                continue;
            }
            step(&mut h, StepCommand::Scale(Side::Alternative, 1.5));
            for tab in [StepTab::Diagnostics, StepTab::Recalibration, StepTab::Cohort] {
                step(&mut h, StepCommand::Tab(tab));
                self.shot(&mut h, &format!("step_{}{suffix}", tab.name().to_lowercase()))?;
            }
        }
        Ok(())
    }

    fn small(&self) -> Result<(), Fault> {
        let mut h = self.study("90-step-value-simulated", Look::Light, SMALL, 2.0);
        for (name, column) in
            [("face", StepColumn::Face), ("stops", StepColumn::Stops), ("population", StepColumn::Population)]
        {
            step(&mut h, StepCommand::Column(column));
            self.shot(&mut h, &format!("step_200_{name}"))?;
        }
        let mut h = self.study("90-step-value-simulated", Look::Light, [1024.0, 640.0], 1.0);
        self.shot(&mut h, "step_small_face")?;
        step(&mut h, StepCommand::Column(StepColumn::Population));
        self.shot(&mut h, "step_small_population")
    }

    /// Nothing open, on its way, broken.
    fn odd(&self, wide: [f32; 2]) -> Result<(), Fault> {
        let folder = self.scratch.path().join("no studies");
        std::fs::create_dir_all(&folder)?;
        let mut h = self.window(Some(folder), Look::Light, wide, 1.0);
        wait(&mut h, "the empty casebook", |s| !s.wings.judgment.book.loading && s.jobs.is_empty());
        act(&mut h, &GO_STEP);
        self.shot(&mut h, "step_empty")?;

        let broken = self.scratch.path().join("broken study");
        std::fs::create_dir_all(&broken)?;
        std::fs::copy(sample("90-step-value-simulated").join("study.json"), broken.join("study.json"))?;
        std::fs::write(
            broken.join("scores.jsonl"),
            "{\"transition\": \"t000-00\", \"state\": \"befor\", \"channel\": \"direct\", \"layout\": 0, \"wave\": 0, \"logprobs\": {}}\nnot json\n",
        )?;
        let mut h = self.window(Some(broken), Look::Light, wide, 1.0);
        wait(&mut h, "the faults", |s| s.wings.step.fault.is_some());
        quiet(&mut h);
        self.shot(&mut h, "step_faults")
    }
}
