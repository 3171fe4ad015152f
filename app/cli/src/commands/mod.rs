//! One file per subcommand. Each takes its arguments and answers how it ended.

pub mod acquire;
pub mod asv;
pub mod certify;
pub mod completions;
pub mod demo;
pub mod diff;
pub mod inspect;
pub mod keygen;
pub mod schema;
pub mod verify;
