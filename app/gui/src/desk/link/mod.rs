//! A line of text that leads back: to a case and a hybrid, or to a study, a transition and what was looked at there. Pasted
//! into the palette or given to `decidendi open`.

use std::fmt;

use decidendi_core::judgment::source::Mask;
use decidendi_core::step_value::scores::Corner;
use decidendi_core::step_value::study::Moment;

use crate::wings::judgment::state::CaseTab;
use crate::wings::step_value::state::{StepArrival, StepTab, Stop};

mod escape;

use escape::{escaped, unescaped};

const SCHEME: &str = "decidendi:";

/// How links name what ships with the program.
pub const SHIPPED: &str = "shipped";

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// A hybrid of a case.
    Case(CaseLink),
    /// A transition of a study.
    Step(StepArrival),
}

/// A hybrid of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseLink {
    /// The casebook's path, or `shipped`.
    pub place: String,
    /// The case's id.
    pub case: String,
    /// Cube, lattice or table.
    pub tab: CaseTab,
    /// The hybrid.
    pub cell: Mask,
}

const STEP_TABS: [(StepTab, &str); 7] = [
    (StepTab::Scatter, "scatter"),
    (StepTab::Retrieval, "retrieval"),
    (StepTab::Cube, "cube"),
    (StepTab::Bridge, "bridge"),
    (StepTab::Diagnostics, "diagnostics"),
    (StepTab::Recalibration, "recalibration"),
    (StepTab::Cohort, "cohort"),
];

const STOPS: [(Stop, &str); 5] = [
    (Stop::Energies, "energies"),
    (Stop::Centred, "centred"),
    (Stop::LayoutMean, "layout-mean"),
    (Stop::Margin, "margin"),
    (Stop::WaveMean, "wave-mean"),
];

const CASE_TABS: [(CaseTab, &str); 3] =
    [(CaseTab::Cube, "cube"), (CaseTab::Lattice, "lattice"), (CaseTab::Table, "table")];

const CORNERS: [(Corner, &str); 4] = [
    (Corner::own(Moment::Before), "before"),
    (Corner::own(Moment::After), "after"),
    (Corner { state: Moment::Before, view_at: Moment::After }, "before+after"),
    (Corner { state: Moment::After, view_at: Moment::Before }, "after+before"),
];

fn word<T: PartialEq>(table: &[(T, &'static str)], of: &T) -> &'static str {
    table.iter().find(|(value, _)| value == of).map_or("", |(_, word)| word)
}

fn meant<T: Copy>(table: &[(T, &str)], word: &str) -> Option<T> {
    table.iter().find(|(_, own)| *own == word).map(|(value, _)| *value)
}

impl Link {
    /// Reads a link. A number at its end is a hybrid, a stop's word a transition.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.trim().strip_prefix(SCHEME)?;
        let (place, rest) = rest.rsplit_once('#')?;
        let place = place.to_owned();
        let (_, last) = rest.rsplit_once('/')?;
        if let Ok(cell) = last.parse() {
            let mut parts = rest.rsplitn(3, '/').skip(1);
            let tab = meant(&CASE_TABS, parts.next()?)?;
            return Some(Self::Case(CaseLink { place, case: parts.next()?.to_owned(), tab, cell: Mask(cell) }));
        }
        let parts: Vec<&str> = rest.split('/').collect();
        let [transition, contrast, tab, channel, corner, stop] = *parts else { return None };
        Some(Self::Step(StepArrival {
            place,
            transition: unescaped(transition)?,
            contrast: unescaped(contrast)?,
            tab: meant(&STEP_TABS, tab)?,
            channel: unescaped(channel)?,
            corner: meant(&CORNERS, corner)?,
            stop: meant(&STOPS, stop)?,
        }))
    }

    /// What it leads to, and where that lies.
    #[must_use]
    pub fn target(&self) -> (&str, &str) {
        match self {
            Self::Case(link) => (&link.case, &link.place),
            Self::Step(link) => (&link.transition, &link.place),
        }
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Case(CaseLink { place, case, tab, cell }) => {
                write!(f, "{SCHEME}{place}#{case}/{}/{cell}", word(&CASE_TABS, tab))
            }
            Self::Step(StepArrival { place, transition, contrast, tab, channel, corner, stop }) => {
                let [transition, contrast, channel] = [transition, contrast, channel].map(|id| escaped(id));
                let (tab, corner, stop) = (word(&STEP_TABS, tab), word(&CORNERS, corner), word(&STOPS, stop));
                write!(f, "{SCHEME}{place}#{transition}/{contrast}/{tab}/{channel}/{corner}/{stop}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn back(link: &Link) {
        assert_eq!(Link::parse(&link.to_string()).as_ref(), Some(link), "{link}");
    }

    #[test]
    fn a_link_leads_back() {
        let link = CaseLink { place: "/a b/c#d".into(), case: "x/y-1".into(), tab: CaseTab::Lattice, cell: Mask(5) };
        back(&Link::Case(link));
        for text in
            ["decidendi:x", "decidendi:x#y", "decidendi:x#a/b/tab/c/after/energies", "decidendi:x#a/b/cube/c/after"]
        {
            assert_eq!(Link::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_link_to_a_transition_leads_back_whatever_its_names() {
        let mut link = StepArrival {
            place: "/a b/c#d".into(),
            transition: "t 1/2#3%".into(),
            contrast: "view − direct".into(),
            tab: StepTab::Retrieval,
            channel: String::new(),
            corner: Corner { state: Moment::Before, view_at: Moment::After },
            stop: Stop::LayoutMean,
        };
        back(&Link::Step(link.clone()));
        for (tab, _) in STEP_TABS {
            for (corner, _) in CORNERS {
                for (stop, _) in STOPS {
                    (link.tab, link.corner, link.stop) = (tab, corner, stop);
                    back(&Link::Step(link.clone()));
                }
            }
        }
        assert_eq!(STEP_TABS.map(|(tab, _)| tab), StepTab::ALL);
        assert_eq!(STOPS.map(|(stop, _)| stop), Stop::ALL);
    }
}
