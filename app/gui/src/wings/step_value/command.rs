//! What the step-value view can be asked.

use decidendi_core::step_value::face::Side;
use decidendi_core::step_value::study::Moment;

use crate::shared::secret::Secret;

use super::state::cloud::Camera;
use super::state::{Certified, Spot, StepColumn, StepFlag, StepTab, Stop, StudyPlace};

/// Commands of the step-value view.
#[derive(Debug, Clone, PartialEq)]
pub enum StepCommand {
    /// Go to the view, and open the first study at hand if none is open.
    Go,
    /// Open a study.
    Open(StudyPlace),
    /// Look which studies the open casebook holds.
    Look,
    /// Certify one transition, or every complete one, with the passphrase of the key if it was asked for.
    Certify(Certified, Option<Secret>),
    /// From the page of faults back to the study that was open.
    Return,
    /// Take another contrast.
    Contrast(usize),
    /// Select a transition.
    Select(usize),
    /// Switch one chip on or off.
    Toggle(StepFlag),
    /// The right card's tab.
    Tab(StepTab),
    /// Which part is on top where only one fits.
    Column(StepColumn),
    /// The stop between log-probabilities and gain.
    Stop(Stop),
    /// The corner of the face whose stops are shown.
    Corner(Side, Moment),
    /// The scalar whose stops are shown, on the face or beside it.
    Follow(Spot),
    /// The wave whose stops are shown.
    Wave(usize),
    /// Weight of the alternative channel in the pooled mean.
    Lambda(f64),
    /// A side's factor, as its binary logarithm.
    Scale(Side, f64),
    /// What the scatter shows; `None` is everything.
    Camera(Option<Camera>),
}
