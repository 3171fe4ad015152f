//! Parts that views are built of. They take plain values and say what was done to them; none of them changes the state.

mod boxes;
pub mod cells;
pub mod cube3d;
pub mod diff;
pub mod diff_table;
pub mod drawing;
pub mod edit;
pub mod estimates;
pub mod face;
pub mod ink;
pub mod labels;
pub mod lattice;
pub mod model;
pub mod prism;
pub mod retrieval;
pub mod rounded;
pub mod scene;
pub mod slider;
pub mod stage;
pub mod strip;
pub mod trace_view;
pub mod verdict;
pub mod zero;
