//! Optional parts of a study: which channels make up the bridge, the matched cube, the retrieval face, the controls.
//! Channels are named by their positions in [`super::Study::channels`].

use crate::exact::Rational;
use crate::step_value::design::{Combination, Design};

/// A vertex of the bridge: a full state-by-view face of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vertex {
    /// Its name, such as `A`.
    pub name: String,
    /// The channel with the generated view.
    pub alternative: usize,
    /// The channel with the quote.
    pub reference: usize,
    /// Margin of the equivalence test of `D` on the vertex's own scale, greater than zero.
    pub equivalence_margin: Option<Rational>,
}

/// One cell of the matched cube: a view under an authority policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CubeCell {
    /// The view's word.
    pub view: String,
    /// The authority's word.
    pub authority: String,
    /// The channel that scores it.
    pub channel: usize,
}

/// Views by authority under one template; every combination once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchedCube {
    /// The views, in order of first mention.
    pub views: Vec<String>,
    /// The authority policies, in order of first mention.
    pub authorities: Vec<String>,
    /// All cells, view by view.
    pub cells: Vec<CubeCell>,
}

impl MatchedCube {
    /// The channel of a view under an authority, by their positions.
    #[must_use]
    pub fn channel(&self, view: usize, authority: usize) -> Option<usize> {
        self.cells.get(view * self.authorities.len() + authority).map(|cell| cell.channel)
    }
}

/// State crossed with the view frozen at either state (L15).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RetrievalFace {
    /// The channel whose view is crossed with the state.
    pub channel: usize,
    /// A channel that takes no view, for the direct gain and Ω.
    pub direct: Option<usize>,
}

/// A factorial design of its own, of which some cells were observed, and the contrast that is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredDesign {
    /// Its id.
    pub id: String,
    /// Factors, observed cells, assumptions.
    pub design: Design,
    /// The contrast: its coefficients on cells.
    pub contrast: Vec<(Combination, Rational)>,
}

/// Channels that replay the generated view with one thing changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Controls {
    /// The generated view as it is.
    pub own: usize,
    /// A length-matched view of another trajectory.
    pub donor: Option<usize>,
    /// State and view in the other order.
    pub state_last: Option<usize>,
    /// Evidence-primary authority.
    pub authority: Option<usize>,
}
