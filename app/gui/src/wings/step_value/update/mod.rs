//! The step-value view: opening a study, walking through its transitions, filters, what is looked at.

mod certify;
pub(crate) mod follow;

use decidendi_core::step_value::face::Side;
use decidendi_core::step_value::study::Moment;

use crate::desk::Desk;
use crate::desk::state::Tone;
use crate::desk::wings::Route;
use crate::shared::job::JobId;
use crate::shared::stamp::Stamp;
use crate::wings::judgment::state::Origin;
use crate::wings::step_value::answer::StepAnswer;
use crate::wings::step_value::command::StepCommand;
use crate::wings::step_value::jobs;
use crate::wings::step_value::state::{
    Analysed, OpenStudy, StepColumn, StepFlag, StepTab, Stop, StudyEntry, StudyFault, StudyPlace,
};
use crate::wings::verify::command::VerifyCommand;

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
        if let Some(stale) = self.state.wings.step.wanted.study.take() {
            self.jobs.cancel(stale);
        }
        self.state.wings.step.arrive = None;
        self.state.wings.step.rereading = false;
        self.state.wings.step.fault = None;
        self.state.wings.step.opening = Some(place.clone());
        let name = format!("Reading the study {}", place.words());
        self.state.wings.step.wanted.study = Some(self.start(&name, move |handle| jobs::open(place, handle)));
    }

    /// Reads the open study again, or the one that could not be read. Tells whether there is one.
    pub(crate) fn reload_study(&mut self) -> bool {
        let step = &self.state.wings.step;
        let fault = step.fault.as_ref().map(|fault| fault.place.clone());
        let Some(place) = fault.or_else(|| step.open.as_ref().map(|open| open.data.place.clone())) else {
            return false;
        };
        self.open_study(place);
        true
    }

    /// Reads the open study again because its files changed on disk, wherever a person is.
    pub(crate) fn reread_study(&mut self) {
        let Some(place) = self.state.wings.step.open.as_ref().map(|open| open.data.place.clone()) else { return };
        self.read_study(place);
        self.state.wings.step.rereading = true;
    }

    /// Goes to the view, and opens the first study at hand if none is open.
    pub(crate) fn go_step(&mut self) {
        self.go(Route::Step);
        let step = &self.state.wings.step;
        let idle = step.open.is_none() && step.opening.is_none() && step.fault.is_none();
        if let Some(first) = step.shelf.first().map(|entry| entry.place.clone()).filter(|_| idle) {
            self.open_study(first);
        }
    }

    /// Looks which studies the open casebook holds.
    pub(crate) fn look_for_studies(&mut self) {
        if let Some(stale) = self.state.wings.step.wanted.shelf.take() {
            self.jobs.cancel(stale);
        }
        let path = match &self.state.wings.judgment.book.origin {
            Origin::Shipped => None,
            Origin::Path(path) => Some(path.clone()),
        };
        self.state.wings.step.wanted.shelf =
            Some(self.start("Looking for studies", move |handle| jobs::studies(path, handle)));
    }

    pub(crate) fn on_shelf(&mut self, shelf: Vec<StudyEntry>) {
        let first = shelf.first().map(|entry| entry.place.clone());
        self.state.wings.step.shelf = shelf;
        // A certificate that was opened first may speak of one of them.
        let unreplayed = self.state.wings.verify.checked.as_ref().is_some_and(|c| c.replayed_with.is_none());
        if self.state.route == Route::Verify && unreplayed {
            self.then(VerifyCommand::Again);
        }
        let waiting = self.state.route == Route::Step && self.state.wings.step.open.is_none();
        // A folder that holds studies and no case was meant for its studies.
        let only = self.state.wings.judgment.book.rows.is_empty() && self.state.route == Route::Casebook;
        if let Some(first) = first
            && (waiting || only)
            && self.state.wings.step.opening.is_none()
            && self.state.wings.step.fault.is_none()
        {
            self.open_study(first);
        }
    }

    pub(crate) fn on_study(&mut self, analysed: Analysed) {
        self.state.wings.step.opening = None;
        self.state.wings.step.fault = None;
        self.mended("The study could not be opened");
        self.mended("The study changed on disk and could not be read");
        if let StudyPlace::Disk(path) = &analysed.place {
            self.state.gone.remove(path);
            self.state.settings.remember(path);
            self.keep();
        }
        let mut new = OpenStudy::new(analysed);
        // Read again: the place in it stays; certificates of other bytes say that they are stale.
        if let Some(old) = self.state.wings.step.open.take().filter(|old| old.data.place == new.data.place) {
            let fresh = |open: &OpenStudy| open.certificates.iter().filter(|(_, held)| !open.is_stale(held)).count();
            let before = fresh(&old);
            new.keep(old);
            let (text, next) = if std::mem::take(&mut self.state.wings.step.rereading) {
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
        self.state.wings.step.open = Some(new);
        if let Some(link) = self.state.wings.step.arrive.take() {
            self.arrive_at(&link);
        }
    }

    pub(crate) fn on_study_failed(&mut self, fault: StudyFault, stamp: Option<Stamp>) {
        self.state.wings.step.opening = None;
        // A study that was open stays; the fault is told over it.
        let place = fault.place.words();
        let text = if std::mem::take(&mut self.state.wings.step.rereading) {
            "The study changed on disk and could not be read"
        } else {
            "The study could not be opened"
        };
        self.toast(Tone::Bad, text, Some(format!("{place}\n{}", fault.words())));
        // Told once: it is read again when its files change once more.
        if let Some(open) = self.state.wings.step.open.as_mut().filter(|open| open.data.place == fault.place) {
            open.data.stamp = stamp;
        }
        self.state.wings.step.fault = Some(fault);
    }

    /// Back from the page of faults to the study that was open.
    pub(crate) fn leave_fault(&mut self) {
        if self.state.wings.step.open.is_some() {
            self.state.wings.step.fault = None;
            self.mended("The study could not be opened");
        }
    }

    pub(crate) fn on_step(&mut self, command: StepCommand) {
        match command {
            StepCommand::Go => self.go_step(),
            StepCommand::Open(place) => self.open_study(place),
            StepCommand::Look => self.look_for_studies(),
            StepCommand::Certify(what, passphrase) => self.certify_study(what, passphrase),
            StepCommand::Return => self.leave_fault(),
            StepCommand::Toggle(flag) => self.toggle_flag(flag),
            other => self.on_open_study(other),
        }
    }

    /// What is asked of the open study.
    fn on_open_study(&mut self, command: StepCommand) {
        let Some(open) = &mut self.state.wings.step.open else { return };
        match command {
            StepCommand::Contrast(at) if at < open.data.contrasts.len() => {
                open.contrast = at;
                open.camera = None;
                open.aside = None;
                open.sift();
            }
            StepCommand::Select(at) if at < open.study().transitions.len() => open.at = at,
            StepCommand::Tab(tab) => {
                open.tab = tab;
                open.column = StepColumn::Population;
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
            _ => {}
        }
    }

    pub(crate) fn toggle_flag(&mut self, flag: StepFlag) {
        if self.state.wings.step.open.is_none() {
            return;
        }
        self.note(&format!("filter “{}”", flag.words()));
        let Some(open) = &mut self.state.wings.step.open else { return };
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
        let Some(open) = &mut self.state.wings.step.open else { return };
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

    /// Takes the next contrast.
    pub(crate) fn next_contrast(&mut self) {
        let Some(open) = &self.state.wings.step.open else { return };
        let next = (open.contrast + 1) % open.data.contrasts.len().max(1);
        self.on_step(StepCommand::Contrast(next));
    }

    /// Follows the next corner of the face.
    pub(crate) fn next_corner(&mut self) {
        let Some(open) = &self.state.wings.step.open else { return };
        let order = Side::BOTH.map(|side| Moment::BOTH.map(|moment| (side, moment)));
        let order = [order[0][0], order[0][1], order[1][0], order[1][1]];
        // From beside the face it leads back to the corner that was followed there.
        let back = open.aside.is_some();
        let at = order.iter().position(|corner| *corner == open.corner).unwrap_or(0);
        let (side, moment) = order[(at + usize::from(!back)) % order.len()];
        self.on_step(StepCommand::Corner(side, moment));
    }

    /// Follows the next corner that the tab shows beside the face.
    pub(crate) fn next_across(&mut self) {
        let Some(open) = &self.state.wings.step.open else { return };
        let next = if open.tab == StepTab::Bridge {
            let vertices = &open.study().bridge;
            let at = vertices.iter().position(|vertex| open.shows(vertex));
            let next = vertices.get(at.map_or(0, |at| (at + 1) % vertices.len()));
            next.and_then(|vertex| open.contrast_of(vertex)).map(StepCommand::Contrast)
        } else {
            let spots = open.spots();
            let at = spots.iter().position(|spot| open.followed() == Some(*spot));
            spots.get(at.map_or(0, |at| (at + 1) % spots.len())).copied().map(StepCommand::Follow)
        };
        if let Some(next) = next {
            self.on_step(next);
        }
    }

    /// Shows the next stop.
    pub(crate) fn next_stop(&mut self) {
        let Some(open) = &self.state.wings.step.open else { return };
        let at = Stop::ALL.iter().position(|stop| *stop == open.stop).unwrap_or(0);
        self.on_step(StepCommand::Stop(Stop::ALL[(at + 1) % Stop::ALL.len()]));
    }

    /// Shows the next wave.
    pub(crate) fn next_wave(&mut self) {
        let Some(open) = &self.state.wings.step.open else { return };
        let next = (open.wave + 1) % open.study().waves.len().max(1);
        self.on_step(StepCommand::Wave(next));
    }

    /// Takes all chips off.
    pub(crate) fn clear_chips(&mut self) {
        self.note("clear all chips");
        self.state.wings.step.set_chips(Vec::new());
    }

    pub(crate) fn deliver_step(&mut self, id: JobId, answer: StepAnswer) {
        let wanted = &mut self.state.wings.step.wanted;
        match answer {
            StepAnswer::Studies(shelf) if wanted.shelf == Some(id) => {
                wanted.shelf = None;
                self.on_shelf(shelf);
            }
            StepAnswer::Study(analysed) if wanted.study == Some(id) => {
                wanted.study = None;
                self.on_study(*analysed);
            }
            StepAnswer::StudyFailed(fault, stamp) if wanted.study == Some(id) => {
                wanted.study = None;
                self.on_study_failed(fault, stamp);
            }
            StepAnswer::Certified(done) => self.on_step_certified(id, done),
            _ => {}
        }
    }

    /// Nobody waits for this job any more.
    pub(crate) fn settle_step(&mut self, id: JobId) {
        let step = &mut self.state.wings.step;
        step.wanted.shelf.take_if(|waiting| *waiting == id);
        if step.wanted.study.take_if(|waiting| *waiting == id).is_some() {
            step.opening = None;
        }
        if let Some(open) = &mut step.open {
            open.certificates.settle(id);
        }
    }
}
