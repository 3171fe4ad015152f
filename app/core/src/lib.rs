//! The pure verification core of Decidendi: bytes in, values out.
//!
//! Nothing here touches files, environment, clocks, threads, randomness or hash order, so the same input gives the same
//! bytes on every platform and any number of threads. The command line and the window are two doors to the same walk,
//! [`judgment::walk`].

pub mod exact;
pub mod judgment;
pub mod kinds;
pub mod legible;
pub mod limits;
pub mod nearest;
pub mod report;
pub mod seal;
pub mod stats;
pub mod step_value;
pub mod watch;
