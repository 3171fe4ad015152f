//! The step-value view: the studies at hand, the open one, and where a person is in it.

use std::sync::Arc;

use decidendi_core::report::step_value::Section;
use decidendi_core::seal::digest::Digest;
use decidendi_core::step_value::contrast::ContrastReport;
use decidendi_core::step_value::face::{Face, Side};
use decidendi_core::step_value::scalars::Missing;
use decidendi_core::step_value::study::{Contrast, Moment, Study, Transition};
use decidendi_core::step_value::walk::Report;
use decidendi_files::study::LoadedStudy;

use self::cloud::{Camera, Cloud};
use crate::shared::certificates::{Certificates, Held};
use crate::shared::job::JobId;
use crate::shared::stamp::Stamp;

mod arrival;
pub mod cloud;
mod follow;
mod format;
mod place;
mod shelf;

pub use arrival::StepArrival;
pub use format::StepFormat;
pub use place::{Spot, StepColumn, StepFlag, StepTab, Stop};
pub use shelf::{StudyEntry, StudyFault, StudyPlace};

/// Every transition under one contrast: prepared once, read in every frame.
#[derive(Debug, Clone, Default)]
pub struct Population {
    /// One a transition.
    pub flags: Vec<StepFlag>,
    /// How many transitions have each flag, in the order of [`StepFlag::ALL`].
    pub counts: [usize; 5],
    /// The complete ones as points.
    pub cloud: Arc<Cloud>,
}

/// A transition that some corner of the study lacks.
#[derive(Debug, Clone, Copy)]
pub struct Excluded {
    /// The transition.
    pub transition: usize,
    /// How many scores are missing.
    pub missing: usize,
    /// The first of them.
    pub first: Missing,
}

/// A study that was read and analysed.
#[derive(Debug, Clone)]
pub struct Analysed {
    /// Where it stands.
    pub place: StudyPlace,
    /// Study and scores.
    pub loaded: Arc<LoadedStudy>,
    /// Everything that the scores say.
    pub report: Arc<Report>,
    /// The contrasts that a face can be drawn of: those declared, then those that only a vertex of the bridge names.
    pub contrasts: Arc<Vec<Contrast>>,
    /// One a contrast.
    pub populations: Arc<Vec<Population>>,
    /// One a declared contrast: what is concluded of a reversal of its means, as the report says it.
    pub reversals: Arc<Vec<String>>,
    /// What was imported, in words.
    pub account: Option<Arc<Section>>,
    /// Transitions that are incomplete in some channel, ascending.
    pub excluded: Arc<Vec<Excluded>>,
    /// How its files stood when they were read; `None` for a shipped study.
    pub stamp: Option<Stamp>,
}

/// Why figures are not handed out once the files behind them are others.
pub const CHANGED: &str = "The study changed on disk since it was read. Read it again (F5), then ask once more.";

impl Analysed {
    /// Whether its files stand otherwise now; a shipped study's never do.
    #[must_use]
    pub fn is_outdated(&self) -> bool {
        self.stamp.as_ref().is_some_and(Stamp::is_outdated)
    }
}

/// A certificate of signs.
pub type StepHeld = Held<()>;

/// What is certified: one transition, by position, or every complete one.
pub type Certified = Option<usize>;

/// The open study.
#[derive(Debug, Clone)]
pub struct OpenStudy {
    /// What was read.
    pub data: Analysed,
    /// The contrast, by position.
    pub contrast: usize,
    /// The selected transition.
    pub at: usize,
    /// Chips that are on: alternatives.
    pub filters: Vec<StepFlag>,
    /// Transitions that pass, ascending.
    pub order: Vec<u32>,
    /// The right card.
    pub tab: StepTab,
    /// Which part is on top where only one fits.
    pub column: StepColumn,
    /// The stop that is shown.
    pub stop: Stop,
    /// The corner of the face whose stops are shown.
    pub corner: (Side, Moment),
    /// What is followed instead of a corner of the face: a corner of the retrieval face, a cell of the cube.
    pub aside: Option<Spot>,
    /// The wave whose stops are shown.
    pub wave: usize,
    /// Weight of the alternative channel in the pooled mean.
    pub lambda: f64,
    /// Positive factors of reference and alternative channel, as binary logarithms.
    pub scale: [f64; 2],
    /// What the scatter shows; `None` is everything.
    pub camera: Option<Camera>,
    /// Certificates made in this session.
    pub certificates: Certificates<Certified, ()>,
}

impl OpenStudy {
    /// A study just opened, at its first flip if there is one.
    #[must_use]
    pub fn new(data: Analysed) -> Self {
        let mut open = Self {
            data,
            contrast: 0,
            at: 0,
            filters: Vec::new(),
            order: Vec::new(),
            tab: StepTab::default(),
            column: StepColumn::default(),
            stop: Stop::default(),
            corner: (Side::Alternative, Moment::After),
            aside: None,
            wave: 0,
            lambda: 0.5,
            scale: [0.0; 2],
            camera: None,
            certificates: Certificates::default(),
        };
        open.sift();
        if let Some(population) = open.population() {
            let first = |wanted: StepFlag| population.flags.iter().position(|flag| *flag == wanted);
            open.at = StepFlag::ALL.into_iter().take(4).find_map(first).unwrap_or(0);
        }
        open
    }

    /// Takes the place over that a person had in the same study before it was read again.
    pub fn keep(&mut self, old: Self) {
        let id = old.transition().map(|step| step.id.clone());
        let found = id.and_then(|id| self.study().transitions.iter().position(|step| step.id == id));
        self.at = found.unwrap_or(self.at);
        self.contrast = if old.contrast < self.data.contrasts.len() { old.contrast } else { 0 };
        self.wave = old.wave.min(self.study().waves.len().saturating_sub(1));
        (self.tab, self.column, self.stop, self.corner) = (old.tab, old.column, old.stop, old.corner);
        (self.lambda, self.scale, self.filters) = (old.lambda, old.scale, old.filters);
        if let Some(spot) = old.aside.filter(|spot| spot.channel < self.study().channels.len()) {
            self.follow(spot);
        }
        // Those of other bytes stay too, and say that they are stale.
        let steps = &old.data.loaded.study.transitions;
        let moved = |at: usize| {
            let id = &steps.get(at)?.id;
            self.study().transitions.iter().position(|step| step.id == *id)
        };
        self.certificates = old.certificates.rekeyed(|what| match what {
            None => Some(None),
            Some(at) => moved(*at).map(Some),
        });
        self.sift();
    }

    /// The study.
    #[must_use]
    pub fn study(&self) -> &Study {
        &self.data.loaded.study
    }

    /// The contrast; `None` where nothing is declared that has two sides.
    #[must_use]
    pub fn contrast(&self) -> Option<&Contrast> {
        self.data.contrasts.get(self.contrast)
    }

    /// Its report over the cohort, if it is a declared contrast.
    #[must_use]
    pub fn report(&self) -> Option<&ContrastReport> {
        self.data.report.contrasts.get(self.contrast)
    }

    /// What is concluded of a reversal of the means, if it is a declared contrast.
    #[must_use]
    pub fn reversal(&self) -> Option<&str> {
        self.data.reversals.get(self.contrast).map(String::as_str)
    }

    /// All transitions under the contrast.
    #[must_use]
    pub fn population(&self) -> Option<&Population> {
        self.data.populations.get(self.contrast)
    }

    /// The selected transition.
    #[must_use]
    pub fn transition(&self) -> Option<&Transition> {
        self.study().transitions.get(self.at)
    }

    /// The selected transition's face.
    #[must_use]
    pub fn face(&self) -> Option<Face> {
        Some(Face::of(&self.data.report.scalars, self.at, self.contrast()?))
    }

    /// The selected transition's flag.
    #[must_use]
    pub fn flag(&self) -> Option<StepFlag> {
        self.population()?.flags.get(self.at).copied()
    }

    /// The id of a side's channel.
    #[must_use]
    pub fn channel(&self, side: Side) -> &str {
        let channel = self.contrast().and_then(|c| self.study().channels.get(side.channel(c)));
        channel.map_or("", |channel| channel.id.as_str())
    }

    /// Place of the selected transition in the filtered list, from 0.
    #[must_use]
    pub fn position(&self) -> Option<usize> {
        let at = u32::try_from(self.at).ok()?;
        self.order.binary_search(&at).ok()
    }

    /// The certificate of the selected transition, or else of the whole study.
    #[must_use]
    pub fn certificate(&self) -> Option<&StepHeld> {
        self.certificates.get(&Some(self.at)).or_else(|| self.certificates.get(&None))
    }

    /// Digests of study and scores.
    #[must_use]
    pub fn digests(&self) -> [Digest; 2] {
        [self.study().digest, self.data.loaded.scores.digest()]
    }

    /// Whether a certificate speaks of other bytes than those that are open.
    #[must_use]
    pub fn is_stale(&self, held: &StepHeld) -> bool {
        held.of != self.digests()
    }

    /// Whether the selected transition, or the whole study, has signs to certify; `Err` says why not and what to do.
    ///
    /// # Errors
    /// The reason, in words.
    pub fn certifiable(&self, what: Certified) -> Result<(), &'static str> {
        if self.certificates.signing().is_some() {
            return Err("It is being certified.");
        }
        if self.data.report.contrasts.is_empty() {
            return Err("The study declares no contrast, so there is no sign to certify.");
        }
        // Vertices of the bridge that no contrast declares have faces, but no certificate.
        let declared = self.data.report.contrasts.len();
        let complete = |at: usize| {
            self.data.populations.iter().take(declared).any(|p| p.flags.get(at) != Some(&StepFlag::Incomplete))
        };
        match what {
            Some(at) if !complete(at) => {
                Err("This transition is incomplete: Ω is not identified. Acquire its missing scores, or take another.")
            }
            None if self.data.report.contrasts.iter().all(|c| c.faces.is_empty()) => {
                Err("No transition is complete, so there is no sign to certify.")
            }
            _ => Ok(()),
        }
    }

    /// Whether the study can be written in a format; `Err` says why not and what to do.
    ///
    /// # Errors
    /// The reason, in words.
    pub fn exportable(&self, format: StepFormat) -> Result<(), &'static str> {
        match format {
            StepFormat::Certificate => match self.certificate() {
                None => Err("Certify the signs first (Ctrl Enter)."),
                Some(held) if self.is_stale(held) => Err("The certificate is stale. Certify again first (Ctrl Enter)."),
                Some(_) => Ok(()),
            },
            StepFormat::FaceSvg | StepFormat::FacePng if self.contrast().is_none() => {
                Err("The study declares no contrast, so there is no face.")
            }
            StepFormat::ScatterSvg | StepFormat::ScatterPng
                if self.population().is_none_or(|p| p.cloud.points().is_empty()) =>
            {
                Err("No transition is complete in both channels, so there is no point.")
            }
            _ => Ok(()),
        }
    }

    /// Filters anew.
    pub fn sift(&mut self) {
        let all = 0..u32::try_from(self.study().transitions.len()).unwrap_or(u32::MAX);
        self.order = match self.population().filter(|_| !self.filters.is_empty()) {
            None => all.collect(),
            Some(population) => all
                .filter(|&t| population.flags.get(t as usize).is_some_and(|flag| self.filters.contains(flag)))
                .collect(),
        };
    }
}

/// Jobs whose answer is still wanted.
#[derive(Debug, Default)]
pub struct Wanted {
    /// Reading a study.
    pub study: Option<JobId>,
    /// Looking for studies.
    pub shelf: Option<JobId>,
}

/// The step-value view.
#[derive(Debug, Default)]
pub struct StepState {
    /// The studies of the casebook.
    pub shelf: Vec<StudyEntry>,
    /// The open study.
    pub open: Option<OpenStudy>,
    /// The study that is being read.
    pub opening: Option<StudyPlace>,
    /// Why the last one could not be opened.
    pub fault: Option<StudyFault>,
    /// Jobs at work.
    pub wanted: Wanted,
    /// Where a followed link leads in the study that is being read.
    pub arrive: Option<StepArrival>,
    /// The study is being read because its files changed on disk.
    pub rereading: bool,
}

impl StepState {
    /// The study that commands act on: the open one, unless a fault of another is shown in its place.
    ///
    /// # Errors
    /// Why there is none, and what to do.
    pub fn shown(&self) -> Result<&OpenStudy, &'static str> {
        match (&self.open, &self.fault) {
            (None, _) => Err("Open a study first."),
            (Some(_), Some(_)) => {
                Err("The study that was asked for could not be opened. Esc goes back to the one that was open.")
            }
            (Some(open), None) => Ok(open),
        }
    }

    /// Chips that are on.
    #[must_use]
    pub fn chips(&self) -> Vec<StepFlag> {
        self.open.as_ref().map(|open| open.filters.clone()).unwrap_or_default()
    }

    /// Puts these chips on.
    pub fn set_chips(&mut self, chips: Vec<StepFlag>) {
        if let Some(open) = &mut self.open {
            open.filters = chips;
            open.sift();
        }
    }

    /// The study that is being read by this job is not wanted any more: says so.
    pub fn give_up(&mut self, id: JobId) -> Option<&'static str> {
        self.wanted.study.take_if(|waiting| *waiting == id)?;
        self.opening = None;
        Some("Stopped: the study was not read")
    }

    /// The number beside the rail's entry: transitions of the open study, else of all studies at hand.
    #[must_use]
    pub fn count(&self) -> usize {
        self.open.as_ref().map_or_else(
            || self.shelf.iter().map(|entry| entry.transitions).sum(),
            |open| open.study().transitions.len(),
        )
    }
}
