//! What several wings use: state and work that know neither a page nor the desk.

pub mod picture;
pub mod secret;
pub mod shipped;
pub mod stamp;
