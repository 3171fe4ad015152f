//! The door: a subcommand runs headless, none opens the window.
fn main() {}
