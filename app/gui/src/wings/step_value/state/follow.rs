//! What the stops at the left follow: a corner of the face, or what the tab at the right shows beside it.

use decidendi_core::step_value::face::Side;
use decidendi_core::step_value::measure::Measured;
use decidendi_core::step_value::scores::Corner;
use decidendi_core::step_value::study::{Contrast, Moment, Vertex};

use super::{OpenStudy, Spot, StepTab};

impl OpenStudy {
    /// What the stops follow: a corner of the face, or what was chosen beside it. `None` without a contrast.
    #[must_use]
    pub fn followed(&self) -> Option<Spot> {
        let (side, at) = self.corner;
        self.aside.or_else(|| Some(Spot::new(side.channel(self.contrast()?), Corner::own(at))))
    }

    /// Follows a scalar. One that is a corner of the face is that corner.
    pub fn follow(&mut self, spot: Spot) {
        let sides = self.contrast().map(|contrast| Side::BOTH.map(|side| (side, side.channel(contrast))));
        let side = sides.and_then(|sides| sides.into_iter().find(|(_, channel)| *channel == spot.channel));
        match side.filter(|_| !spot.is_crossed()) {
            Some((side, _)) => {
                self.corner = (side, spot.corner.state);
                self.aside = None;
            }
            None => self.aside = self.has_spot(spot).then_some(spot),
        }
    }

    /// Whether the study has such a scalar: only the channel of the retrieval face is crossed.
    fn has_spot(&self, spot: Spot) -> bool {
        let study = self.study();
        let crossed = study.retrieval_face.as_ref().map(|face| face.channel);
        spot.channel < study.channels.len() && (!spot.is_crossed() || crossed == Some(spot.channel))
    }

    /// What the tab shows beside the face, in its order: corners of the retrieval face, cells of the cube.
    #[must_use]
    pub fn spots(&self) -> Vec<Spot> {
        let study = self.study();
        let state = self.followed().map_or(Moment::After, |spot| spot.corner.state);
        match self.tab {
            StepTab::Retrieval => study.retrieval_face.as_ref().map_or_else(Vec::new, |face| {
                let all =
                    Moment::BOTH.into_iter().flat_map(|view_at| Moment::BOTH.map(|state| Corner { state, view_at }));
                all.map(|corner| Spot::new(face.channel, corner)).collect()
            }),
            StepTab::Cube => study.matched_cube.as_ref().map_or_else(Vec::new, |cube| {
                cube.cells.iter().map(|cell| Spot::new(cell.channel, Corner::own(state))).collect()
            }),
            _ => Vec::new(),
        }
    }

    /// The contrast of a bridge's vertex, by position.
    #[must_use]
    pub fn contrast_of(&self, vertex: &Vertex) -> Option<usize> {
        let of = |c: &Contrast| (c.alternative, c.reference) == (vertex.alternative, vertex.reference);
        self.data.contrasts.iter().position(of)
    }

    /// Whether the face is that of a bridge's vertex.
    #[must_use]
    pub fn shows(&self, vertex: &Vertex) -> bool {
        self.contrast().is_some_and(|c| (c.alternative, c.reference) == (vertex.alternative, vertex.reference))
    }

    /// A scalar of the selected transition; `None` where a score is missing.
    #[must_use]
    pub fn scalar(&self, spot: Spot) -> Option<Measured> {
        self.data.report.scalars.get(self.at, spot.channel, spot.corner)
    }
}
