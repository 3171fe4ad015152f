//! What several wings use: state and work that know neither a page nor the desk.

pub mod certificates;
pub mod job;
pub mod picture;
pub mod secret;
pub mod shipped;
pub mod signing;
pub mod stamp;
