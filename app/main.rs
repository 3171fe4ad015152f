//! The door: a subcommand runs headless, none opens the window. Whether a window can open is asked before it is tried.

use std::path::PathBuf;
use std::process::ExitCode;

use decidendi_cli::display::NoWindow;
use decidendi_cli::exit::Exit;
use decidendi_cli::{Next, run, say_error};

fn main() -> ExitCode {
    let exit = match run(std::env::args_os()) {
        Next::Exit(exit) => exit,
        Next::Open(path) => match open(path) {
            Ok(()) => Exit::Holds,
            Err(error) => {
                say_error(error);
                Exit::BadInput
            }
        },
        Next::Offer(path) => {
            // The job is done; a machine without a window is no failure of it.
            if let Err(error) = open(Some(path)) {
                decidendi_cli::say(&format!("no window: {error}"));
            }
            Exit::Holds
        }
    };
    exit.into()
}

/// Why the window did not open, or ended in an error.
#[derive(Debug, thiserror::Error)]
enum DoorError {
    #[error(transparent)]
    NoWindow(#[from] NoWindow),
    #[cfg(feature = "window")]
    #[error("{}\n{}", .0, decidendi_cli::display::headless())]
    Window(#[from] decidendi_gui::WindowError),
}

#[cfg(feature = "window")]
fn open(path: Option<PathBuf>) -> Result<(), DoorError> {
    let x11 = decidendi_cli::display::check()? == decidendi_cli::display::Server::X11;
    Ok(decidendi_gui::run(decidendi_gui::Options { path, ..Default::default() }, x11)?)
}

#[cfg(not(feature = "window"))]
fn open(_path: Option<PathBuf>) -> Result<(), DoorError> {
    Err(NoWindow::NotBuilt.into())
}
