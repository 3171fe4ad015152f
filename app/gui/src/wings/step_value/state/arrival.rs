//! Where a link leads in a study.

use decidendi_core::step_value::scores::Corner;

use super::{StepTab, Stop};

/// A transition of a study. What the study does not have is an empty text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepArrival {
    /// The study's path, or `shipped/` and its folder.
    pub place: String,
    /// The transition's id.
    pub transition: String,
    /// The contrast's id.
    pub contrast: String,
    /// The tab at the right.
    pub tab: StepTab,
    /// The channel that is followed.
    pub channel: String,
    /// The scored state and the state of the view.
    pub corner: Corner,
    /// The stop.
    pub stop: Stop,
}
