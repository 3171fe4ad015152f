//! Statistics of clustered data by resampling (docs/theory.md §3.5): point values, percentile intervals, agreement.
//!
//! The same input gives the same bits on every platform, whatever the width of its vector units: elementary functions
//! come from a crate and not from the system, products and sums are never fused, every sum runs over the clusters in
//! ascending order, and vector lanes are draws.

mod areas;
pub mod auc;
pub mod draws;
pub mod estimate;
#[cfg(test)]
mod golden;
pub mod icc;
mod lanes;
#[cfg(test)]
mod laws;
mod picks;
pub mod plan;
pub mod quantile;
pub mod resample;
mod row;
#[cfg(test)]
mod units;

pub use auc::{Auc, Ranking, Unranked};
pub use draws::Draws;
pub use estimate::Estimate;
pub use plan::Plan;
pub use quantile::Level;
pub use resample::{Column, Resampled, Resampler};
