//! The step-value view: opening a study, walking through its transitions, filters, what is looked at.

mod hand_out;

use super::jobs;
use super::state::{Analysed, OpenStudy, StepFlag, StepTab, Stop, StudyEntry, StudyFault, StudyPlace};
use crate::desk::Desk;
use crate::desk::command::{Action, StepCommand};
use crate::desk::state::{Route, Tone};
use crate::shared::stamp::Stamp;
use crate::wings::judgment::state::Origin;
use decidendi_core::step_value::face::Side;
use decidendi_core::step_value::study::Moment;

/// Factors go from 1/32 to 32.
const SCALE: f64 = 5.0;

impl Desk {
    /// Reads a study and goes to the view.
    pub(crate) fn open_study(&mut self, place: StudyPlace) {
        self.state.overlay = None;
        self.state.route = Route::Step;
        self.read_study(place);
    }

    pub(crate) fn read_study(&mut self, place: StudyPlace) {
        if let Some(stale) = self.wanted.study.take() {
            self.jobs.cancel(stale);
        }
        self.arrive_step = None;
        self.rereading = false;
        self.state.step.fault = None;
        self.state.step.opening = Some(place.clone());
        let name = format!("Reading the study {}", place.words());
        self.wanted.study = Some(self.start(&name, move |handle| jobs::open(place, handle)));
    }

    /// Reads the open study again, or the one that could not be read. Tells whether there is one.
    pub(crate) fn reload_study(&mut self) -> bool {
        let step = &self.state.step;
        let fault = step.fault.as_ref().map(|fault| fault.place.clone());
        let Some(place) = fault.or_else(|| step.open.as_ref().map(|open| open.data.place.clone())) else {
            return false;
        };
        self.open_study(place);
        true
    }

    /// Reads the open study again because its files changed on disk, wherever a person is.
    pub(crate) fn reread_study(&mut self) {
        let Some(place) = self.state.step.open.as_ref().map(|open| open.data.place.clone()) else { return };
        self.read_study(place);
        self.rereading = true;
    }

    /// Goes to the view, and opens the first study at hand if none is open.
    pub(crate) fn go_step(&mut self) {
        self.go(Route::Step);
        let step = &self.state.step;
        let idle = step.open.is_none() && step.opening.is_none() && step.fault.is_none();
        if let Some(first) = step.shelf.first().map(|entry| entry.place.clone()).filter(|_| idle) {
            self.open_study(first);
        }
    }

    /// Looks which studies the open casebook holds.
    pub(crate) fn look_for_studies(&mut self) {
        if let Some(stale) = self.wanted.shelf.take() {
            self.jobs.cancel(stale);
        }
        let path = match &self.state.book.origin {
            Origin::Shipped => None,
            Origin::Path(path) => Some(path.clone()),
        };
        self.wanted.shelf = Some(self.start("Looking for studies", move |handle| jobs::look(path, handle)));
    }

    pub(crate) fn on_shelf(&mut self, shelf: Vec<StudyEntry>) {
        let first = shelf.first().map(|entry| entry.place.clone());
        self.state.step.shelf = shelf;
        // A certificate that was opened first may speak of one of them.
        let unreplayed = self.state.verify.checked.as_ref().is_some_and(|c| c.replayed_with.is_none());
        if self.state.route == Route::Verify && unreplayed {
            self.check_again();
        }
        let waiting = self.state.route == Route::Step && self.state.step.open.is_none();
        // A folder that holds studies and no case was meant for its studies.
        let only = self.state.book.rows.is_empty() && self.state.route == Route::Casebook;
        if let Some(first) = first
            && (waiting || only)
            && self.state.step.opening.is_none()
            && self.state.step.fault.is_none()
        {
            self.open_study(first);
        }
    }

    pub(crate) fn on_study(&mut self, analysed: Analysed) {
        self.state.step.opening = None;
        self.state.step.fault = None;
        self.mended("The study could not be opened");
        self.mended("The study changed on disk and could not be read");
        if let StudyPlace::Disk(path) = &analysed.place {
            self.state.gone.remove(path);
            self.state.settings.remember(path);
            self.keep();
        }
        let mut new = OpenStudy::new(analysed);
        // Read again: the place in it stays; certificates of other bytes say that they are stale.
        if let Some(old) = self.state.step.open.take().filter(|old| old.data.place == new.data.place) {
            let fresh = |open: &OpenStudy| open.certificates.values().filter(|held| !open.is_stale(held)).count();
            let before = fresh(&old);
            new.keep(old);
            let (text, next) = if std::mem::take(&mut self.rereading) {
                ("The study changed on disk", Some("It was read again.".to_owned()))
            } else {
                ("The study was read again", None)
            };
            self.toast(Tone::Note, text, next);
            if fresh(&new) < before {
                let next = "The study changed since it was signed. Certify again to sign what is loaded now.";
                self.toast(Tone::Warn, "The certificate is stale", Some(next.to_owned()));
            }
        }
        self.state.step.open = Some(new);
        if let Some(link) = self.arrive_step.take() {
            self.arrive_at(&link);
        }
    }

    /// The study that is being read is not wanted any more.
    pub(crate) fn forget_study(&mut self) {
        self.wanted.study = None;
        self.state.step.opening = None;
        self.toast(Tone::Note, "Stopped: the study was not read", None);
    }

    pub(crate) fn on_study_failed(&mut self, fault: StudyFault, stamp: Option<Stamp>) {
        self.state.step.opening = None;
        // A study that was open stays; the fault is told over it.
        let place = fault.place.words();
        let text = if std::mem::take(&mut self.rereading) {
            "The study changed on disk and could not be read"
        } else {
            "The study could not be opened"
        };
        self.toast(Tone::Bad, text, Some(format!("{place}\n{}", fault.words())));
        // Told once: it is read again when its files change once more.
        if let Some(open) = self.state.step.open.as_mut().filter(|open| open.data.place == fault.place) {
            open.data.stamp = stamp;
        }
        self.state.step.fault = Some(fault);
    }

    /// Back from the page of faults to the study that was open.
    pub(crate) fn leave_fault(&mut self) {
        if self.state.step.open.is_some() {
            self.state.step.fault = None;
            self.mended("The study could not be opened");
        }
    }

    pub(crate) fn on_step(&mut self, command: StepCommand) {
        if let StepCommand::Open(place) = command {
            self.open_study(place);
            return;
        }
        if matches!(command, StepCommand::Return) {
            self.leave_fault();
            return;
        }
        if let StepCommand::Toggle(flag) = command {
            self.toggle_flag(flag);
            return;
        }
        let Some(open) = &mut self.state.step.open else { return };
        match command {
            StepCommand::Open(_) | StepCommand::Return | StepCommand::Toggle(_) => {}
            StepCommand::Contrast(at) => {
                if at < open.data.contrasts.len() {
                    open.contrast = at;
                    open.camera = None;
                    open.aside = None;
                    open.sift();
                }
            }
            StepCommand::Select(at) => {
                if at < open.study().transitions.len() {
                    open.at = at;
                }
            }
            StepCommand::Tab(tab) => {
                open.tab = tab;
                open.column = crate::wings::step_value::state::StepColumn::Population;
            }
            StepCommand::Column(column) => open.column = column,
            StepCommand::Stop(stop) => open.stop = stop,
            StepCommand::Corner(side, moment) => {
                open.corner = (side, moment);
                open.aside = None;
            }
            StepCommand::Follow(spot) => open.follow(spot),
            StepCommand::Wave(wave) => open.wave = wave.min(open.study().waves.len().saturating_sub(1)),
            StepCommand::Lambda(lambda) => open.lambda = lambda.clamp(0.0, 1.0),
            StepCommand::Scale(side, scale) => open.scale[side as usize] = scale.clamp(-SCALE, SCALE),
            StepCommand::Camera(camera) => open.camera = camera,
        }
    }

    pub(crate) fn toggle_flag(&mut self, flag: StepFlag) {
        if self.state.step.open.is_none() {
            return;
        }
        self.note(&format!("filter “{}”", flag.words()));
        let Some(open) = &mut self.state.step.open else { return };
        match open.filters.iter().position(|on| *on == flag) {
            Some(at) => {
                open.filters.remove(at);
            }
            None => open.filters.push(flag),
        }
        open.sift();
    }

    /// One transition on or back in the filtered order. One that the filter hides leads to the nearest that passes.
    pub(crate) fn step_by(&mut self, by: isize) {
        let Some(open) = &mut self.state.step.open else { return };
        let here = u32::try_from(open.at).unwrap_or(u32::MAX);
        let next = match open.order.binary_search(&here) {
            Ok(at) => at.checked_add_signed(by),
            Err(after) if by > 0 => Some(after),
            Err(after) => after.checked_sub(1),
        };
        match next.and_then(|at| open.order.get(at)) {
            Some(&next) => {
                open.at = next as usize;
            }
            None if open.order.is_empty() => {
                self.toast(Tone::Note, "No transition passes the filter", Some("X takes all chips off.".to_owned()));
            }
            None => {
                let what = if by > 0 { "This is the last transition" } else { "This is the first transition" };
                self.toast(Tone::Note, what, None);
            }
        }
    }

    pub(crate) fn act_on_study(&mut self, action: Action) {
        if action == Action::StepClear {
            self.note("clear all chips");
        }
        let Some(open) = &mut self.state.step.open else { return };
        let tab = match action {
            Action::StepScatter => StepTab::Scatter,
            Action::StepRetrieval => StepTab::Retrieval,
            Action::StepCube => StepTab::Cube,
            Action::StepBridge => StepTab::Bridge,
            Action::StepDiagnostics => StepTab::Diagnostics,
            Action::StepRecalibration => StepTab::Recalibration,
            Action::StepCohort => StepTab::Cohort,
            other => {
                let next = match other {
                    Action::StepContrast => {
                        StepCommand::Contrast((open.contrast + 1) % open.data.contrasts.len().max(1))
                    }
                    Action::StepCorner => {
                        let order = Side::BOTH.map(|side| Moment::BOTH.map(|moment| (side, moment)));
                        let order = [order[0][0], order[0][1], order[1][0], order[1][1]];
                        // From beside the face it leads back to the corner that was followed there.
                        let back = open.aside.is_some();
                        let at = order.iter().position(|corner| *corner == open.corner).unwrap_or(0);
                        let (side, moment) = order[(at + usize::from(!back)) % order.len()];
                        StepCommand::Corner(side, moment)
                    }
                    Action::StepAcross if open.tab == StepTab::Bridge => {
                        let vertices = &open.study().bridge;
                        let at = vertices.iter().position(|vertex| open.shows(vertex));
                        let next = vertices.get(at.map_or(0, |at| (at + 1) % vertices.len()));
                        let Some(contrast) = next.and_then(|vertex| open.contrast_of(vertex)) else { return };
                        StepCommand::Contrast(contrast)
                    }
                    Action::StepAcross => {
                        let spots = open.spots();
                        let at = spots.iter().position(|spot| open.followed() == Some(*spot));
                        let Some(next) = spots.get(at.map_or(0, |at| (at + 1) % spots.len())) else { return };
                        StepCommand::Follow(*next)
                    }
                    Action::StepStop => {
                        let at = Stop::ALL.iter().position(|stop| *stop == open.stop).unwrap_or(0);
                        StepCommand::Stop(Stop::ALL[(at + 1) % Stop::ALL.len()])
                    }
                    Action::StepWave => StepCommand::Wave((open.wave + 1) % open.study().waves.len().max(1)),
                    Action::StepClear => {
                        open.filters.clear();
                        open.sift();
                        return;
                    }
                    _ => StepCommand::Camera(None),
                };
                self.on_step(next);
                return;
            }
        };
        self.on_step(StepCommand::Tab(tab));
    }
}
