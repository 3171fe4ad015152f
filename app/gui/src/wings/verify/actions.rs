//! The commands of the verify view.

use egui::Key;

use crate::desk::actions::always;
use crate::desk::command::{Chord, Menu, Scope, actions};
use crate::desk::wings::Route;

actions! {
    GO_VERIFY = 720, "go-verify", "Verify", "Check an exported file", &[Chord::ctrl(Key::Num3)], Some((Menu::Go, 0)), Scope::Everywhere, always => |desk, _| desk.go(Route::Verify);
}
