//! A study: which transitions were scored through which channels, and what is to be compared (docs/formats/study.md).

mod error;
mod matched;
mod parts;
mod read;
mod roles;
mod transitions;

pub use error::StudyError;
pub use matched::Moved;
pub use read::read;
pub use roles::{Controls, CubeCell, DeclaredDesign, MatchedCube, RetrievalFace, Vertex};

use crate::exact::Rational;
use crate::seal::canon::Notice;
use crate::seal::digest::Digest;
use crate::seal::json::JsonPath;

/// Before or after the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moment {
    /// `x−`.
    Before,
    /// `x+`.
    After,
}

impl Moment {
    /// Both, in order.
    pub const BOTH: [Self; 2] = [Self::Before, Self::After];

    /// The word in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }

    /// 0 or 1.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Before => Self::After,
            Self::After => Self::Before,
        }
    }

    /// Reads the word.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        Self::BOTH.into_iter().find(|state| state.word() == word)
    }
}

/// Where the scores come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Returned by an evaluator.
    Recorded,
    /// Drawn by a program, for teaching.
    Simulated,
    /// The study does not say. Nothing of it is certified.
    Undeclared,
}

impl Origin {
    /// The word in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Simulated => "simulated",
            Self::Undeclared => "undeclared",
        }
    }
}

/// How candidate energies are read (docs/theory.md §3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readout {
    /// One request scores every label; the energy is the label's log-probability.
    Joint,
    /// One request a candidate; the energy is `L(Yes) − L(No)`.
    Binary,
}

impl Readout {
    /// The word in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Joint => "joint",
            Self::Binary => "binary",
        }
    }

    /// Log-probabilities per candidate.
    #[must_use]
    pub const fn width(self) -> usize {
        match self {
            Self::Joint => 1,
            Self::Binary => 2,
        }
    }
}

/// Whether returned log-probabilities were already divided by the sampling temperature (docs/theory.md §3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// Before the temperature: the factor is 1.
    Raw,
    /// After it: the factor is τ.
    Tempered,
    /// Not known: allowed at τ = 1 only, where both agree.
    Unknown,
}

impl Basis {
    /// The word in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Raw => "raw",
            Self::Tempered => "tempered",
            Self::Unknown => "unknown",
        }
    }
}

/// A whole scoring configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    /// Its id.
    pub id: String,
    /// Its readout.
    pub readout: Readout,
    /// Its derived view: `none`, `empty`, `quote`, `generated`, or any other word.
    pub view: String,
    /// Its authority policy: `neutral`, `evidence-primary`, or any other word.
    pub authority: String,
    /// The evaluator stack.
    pub stack: String,
    /// The sampling temperature τ.
    pub temperature: Rational,
    /// What the endpoint reports.
    pub basis: Basis,
}

impl Channel {
    /// The factor that energies are multiplied with: τ for tempered scores, else 1.
    #[must_use]
    pub fn factor(&self) -> &Rational {
        match self.basis {
            Basis::Tempered => &self.temperature,
            Basis::Raw | Basis::Unknown => &Rational::ONE,
        }
    }
}

/// One repeated acquisition.
#[derive(Debug, Clone, PartialEq)]
pub struct Wave {
    /// Its number in the score rows.
    pub id: i64,
    /// Its weight; all weights sum to 1.
    pub weight: Rational,
}

/// An alternative channel against a reference channel, by their positions in [`Study::channels`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contrast {
    /// Its id.
    pub id: String,
    /// ρ1.
    pub alternative: usize,
    /// ρ0.
    pub reference: usize,
}

/// A frozen step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// Its id.
    pub id: String,
    /// Its trajectory, by position in [`Study::trajectories`].
    pub trajectory: usize,
    /// Its number within the trajectory.
    pub step: i64,
    /// The reviewed target, by position among the candidates.
    pub target: usize,
    /// Its candidate set, by position in [`Study::candidate_sets`].
    pub set: usize,
    /// Id of the state before the step.
    pub before: String,
    /// Id of the state after it.
    pub after: String,
}

/// A study that was read and whose shape was checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// Content identifier of the document.
    pub digest: Digest,
    /// Its id: also the name of its certificate file.
    pub id: String,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// Recorded or simulated.
    pub origin: Origin,
    /// The channels, in declared order.
    pub channels: Vec<Channel>,
    /// S, the number of cyclic layouts.
    pub layouts: usize,
    /// The waves, in declared order.
    pub waves: Vec<Wave>,
    /// The contrasts, in declared order.
    pub contrasts: Vec<Contrast>,
    /// Vertices of the matched bridge, in declared order; empty where none is declared.
    pub bridge: Vec<Vertex>,
    /// The matched view-by-authority cube.
    pub matched_cube: Option<MatchedCube>,
    /// The symmetric retrieval face.
    pub retrieval_face: Option<RetrievalFace>,
    /// Channels that serve as controls.
    pub controls: Option<Controls>,
    /// Factorial designs whose identifiability is asked for.
    pub designs: Vec<DeclaredDesign>,
    /// Margin of the equivalence test of differences of scalars, greater than zero.
    pub equivalence_margin: Option<Rational>,
    /// Margin of the equivalence test of differences of AUCs, greater than zero and at most 1.
    pub auc_equivalence_margin: Option<Rational>,
    /// The transitions, in declared order.
    pub transitions: Vec<Transition>,
    /// Ids of the trajectories, in order of first mention: the resampling units.
    pub trajectories: Vec<String>,
    /// Stored task success of each trajectory, where it is known.
    pub success: Vec<Option<bool>>,
    /// The distinct candidate lists.
    pub candidate_sets: Vec<Vec<String>>,
    /// Optional parts that cannot be computed.
    pub left_out: Vec<LeftOut>,
    /// What reading normalised or passed over.
    pub notices: Vec<Notice>,
}

/// A declared part that cannot be computed, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Its key in the document.
    pub part: &'static str,
    /// Where in the document the reason stands.
    pub at: JsonPath,
    /// Why.
    pub what: String,
    /// What would settle it.
    pub help: String,
}

impl LeftOut {
    /// Where, why, and what would settle it.
    #[must_use]
    pub fn why(&self) -> String {
        format!("{}: {}. {}", self.at, self.what, self.help)
    }
}

impl Study {
    /// The title, or the id where there is none.
    #[must_use]
    pub fn title(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.id)
    }

    /// Why a declared part is not computed; `None` where it is, or is not declared.
    #[must_use]
    pub fn left_out(&self, part: &str) -> Option<String> {
        self.left_out.iter().find(|left| left.part == part).map(LeftOut::why)
    }

    /// The candidates of a transition, in declared order.
    #[must_use]
    pub fn candidates(&self, transition: &Transition) -> &[String] {
        self.candidate_sets.get(transition.set).map_or(&[], Vec::as_slice)
    }

    /// The margin for `D` at a vertex: its own, since a vertex keeps a scale of its own, or else the study's.
    #[must_use]
    pub fn margin_at<'s>(&'s self, vertex: &'s Vertex) -> Option<&'s Rational> {
        vertex.equivalence_margin.as_ref().or(self.equivalence_margin.as_ref())
    }

    /// Position of the channel called `id`.
    #[must_use]
    pub fn channel(&self, id: &str) -> Option<usize> {
        self.channels.iter().position(|channel| channel.id == id)
    }
}

/// Position at which cyclic layout `layout` shows candidate `candidate` of `count` (docs/theory.md §3.1).
#[must_use]
pub const fn position(candidate: usize, layout: usize, count: usize) -> usize {
    (candidate + layout) % count
}
