//! Whether a window can open here, asked before it is tried: a missing libxkbcommon-x11 panics inside the window's own
//! crates, and a missing display gives an error that names no package.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Command, CommandFactory};
use decidendi_files::io;

use crate::args::Cli;

/// Libraries that an X11 window loads at run time, each with its Debian package.
const X11: [(&str, &str); 6] = [
    ("libX11.so.6", "libx11-6"),
    ("libXcursor.so.1", "libxcursor1"),
    ("libXi.so.6", "libxi6"),
    ("libX11-xcb.so.1", "libx11-xcb1"),
    ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
    ("libGL.so.1", "libgl1"),
];
/// The same for Wayland.
const WAYLAND: [(&str, &str); 4] = [
    ("libwayland-client.so.0", "libwayland-client0"),
    ("libwayland-egl.so.1", "libwayland-egl1"),
    ("libxkbcommon.so.0", "libxkbcommon0"),
    ("libEGL.so.1", "libegl1"),
];

/// Everything that needs no window, by name.
#[must_use]
pub fn headless() -> String {
    let command = Cli::command();
    let names: Vec<&str> = command.get_subcommands().map(Command::get_name).filter(|name| *name != "open").collect();
    format!("Everything else works without a window: decidendi {} (see decidendi --help).", names.join(", "))
}

/// What a window is opened on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Server {
    /// Whatever the system prefers.
    Any,
    /// The X server, though a Wayland compositor is named: that one does not answer, or its libraries are missing.
    X11,
}

/// A display server that the environment names.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Named {
    variable: &'static str,
    value: String,
    /// Whether something listens there. Of a server on another machine this is not asked, and it is taken at its word.
    answers: bool,
}

/// Why no window can open, worded for a person, with what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoWindow {
    /// Nothing to draw on.
    #[error(
        "no display: neither WAYLAND_DISPLAY nor DISPLAY is set, so there is nothing to open a window on. Start it in a \
         desktop session, or over ssh -X.\nA window needs: apt-get install --no-install-recommends {}\n{}",
        all_packages(),
        headless()
    )]
    NoDisplay,
    /// What the environment names does not answer.
    #[error(
        "no display: {}. Set it to a display server that runs, or unset it where it is left over from another session.\n{}",
        .0,
        headless()
    )]
    Stale(String),
    /// Libraries that are not installed.
    #[error(
        "a window needs {}, which cannot be found here.\nOn Debian: apt-get install --no-install-recommends {}\n{}",
        names(.0),
        packages(.0),
        headless()
    )]
    Missing(Vec<(&'static str, &'static str)>),
    /// A build without the window.
    #[error("this decidendi was built without the window (feature `window` is off).\n{}", headless())]
    NotBuilt,
}

/// Looks for a display that answers and for the libraries that a window on it needs.
///
/// # Errors
/// [`NoWindow`].
pub fn check() -> Result<Server, NoWindow> {
    let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
    let shown = |value: &OsString| value.to_string_lossy().into_owned();
    let wayland = match (set("WAYLAND_SOCKET"), set("WAYLAND_DISPLAY")) {
        (Some(value), _) => Some(Named { variable: "WAYLAND_SOCKET", value: shown(&value), answers: true }),
        (None, Some(value)) => {
            // A bare name lies in the folder of the session; without one it lies nowhere.
            let path = PathBuf::from(set("XDG_RUNTIME_DIR").unwrap_or_default()).join(&value);
            let answers = path.is_absolute() && io::listens(&path);
            Some(Named { variable: "WAYLAND_DISPLAY", value: shown(&value), answers })
        }
        (None, None) => None,
    };
    let x11 = set("DISPLAY").map(|value| {
        let value = shown(&value);
        let answers = x11_socket(&value).is_none_or(|path| io::listens(&path));
        Named { variable: "DISPLAY", value, answers }
    });
    decide(wayland, x11, cfg!(target_os = "linux"), io::has_library)
}

/// Where the X server of a display on this machine listens: `:99`, `:99.0` or `unix:99`.
fn x11_socket(display: &str) -> Option<PathBuf> {
    let number = display.strip_prefix("unix").unwrap_or(display).strip_prefix(':')?.split('.').next()?;
    number.bytes().all(|b| b.is_ascii_digit()).then(|| PathBuf::from(format!("/tmp/.X11-unix/X{number}")))
}

fn decide(
    wayland: Option<Named>,
    x11: Option<Named>,
    linux: bool,
    has: impl Fn(&str) -> bool,
) -> Result<Server, NoWindow> {
    // Other systems bring their window system along.
    if !linux {
        return Ok(Server::Any);
    }
    let missing = |wanted: &[(&'static str, &'static str)]| -> Vec<_> {
        wanted.iter().copied().filter(|(library, _)| !has(library)).collect()
    };
    let answers = |named: &Option<Named>| named.as_ref().is_some_and(|named| named.answers);
    if answers(&wayland) && missing(&WAYLAND).is_empty() {
        return Ok(Server::Any);
    }
    // A Wayland desktop nearly always offers X11 too.
    if answers(&x11) {
        let missing = missing(&X11);
        return if missing.is_empty() { Ok(Server::X11) } else { Err(NoWindow::Missing(missing)) };
    }
    if answers(&wayland) {
        return Err(NoWindow::Missing(missing(&WAYLAND)));
    }
    let stale: Vec<String> = wayland
        .iter()
        .chain(&x11)
        .map(|named| format!("{} is {:?}, where no display server answers", named.variable, named.value))
        .collect();
    if stale.is_empty() { Err(NoWindow::NoDisplay) } else { Err(NoWindow::Stale(stale.join("; "))) }
}

fn names(missing: &[(&str, &str)]) -> String {
    missing.iter().map(|(library, _)| *library).collect::<Vec<_>>().join(", ")
}

fn packages(missing: &[(&str, &str)]) -> String {
    missing.iter().map(|(_, package)| *package).collect::<Vec<_>>().join(" ")
}

fn all_packages() -> String {
    packages(&X11)
}

#[cfg(test)]
mod tests {
    use super::{NoWindow, Server, decide, headless, x11_socket};
    use std::path::PathBuf;

    type Named = Option<super::Named>;

    fn wayland(answers: bool) -> Named {
        Some(super::Named { variable: "WAYLAND_DISPLAY", value: "wayland-7".to_owned(), answers })
    }

    fn x11(answers: bool) -> Named {
        Some(super::Named { variable: "DISPLAY", value: ":7".to_owned(), answers })
    }

    #[test]
    fn a_missing_display_is_named_before_anything_is_looked_for() {
        let said = decide(None, None, true, |_| false).unwrap_err().to_string();
        for word in ["DISPLAY", "libxkbcommon-x11-0", "decidendi demo", "--help"] {
            assert!(said.contains(word), "{said}");
        }
    }

    #[test]
    fn exactly_the_missing_packages_are_named() {
        let said = decide(None, x11(true), true, |l| l != "libxkbcommon-x11.so.0").unwrap_err();
        assert_eq!(said, NoWindow::Missing(vec![("libxkbcommon-x11.so.0", "libxkbcommon-x11-0")]));
        let said = said.to_string();
        assert!(said.contains("libxkbcommon-x11-0") && !said.contains("libxi6"), "{said}");
    }

    #[test]
    fn the_x_server_is_taken_where_wayland_does_not_answer_or_lacks_its_libraries() {
        assert_eq!(decide(wayland(true), x11(true), true, |_| true), Ok(Server::Any));
        assert_eq!(decide(wayland(false), x11(true), true, |_| true), Ok(Server::X11));
        assert_eq!(decide(wayland(true), x11(true), true, |l| !l.contains("wayland")), Ok(Server::X11));
        assert_eq!(decide(wayland(true), x11(false), true, |_| true), Ok(Server::Any));
        assert!(decide(wayland(true), None, true, |l| !l.contains("wayland")).is_err());
        assert_eq!(decide(None, None, false, |_| false), Ok(Server::Any));
    }

    #[test]
    fn what_does_not_answer_is_named_with_its_value() {
        let said = |wayland, x11| decide(wayland, x11, true, |_| true).unwrap_err().to_string();
        let both = said(wayland(false), x11(false));
        assert!(both.contains("WAYLAND_DISPLAY is \"wayland-7\"") && both.contains("DISPLAY is \":7\""), "{both}");
        let one = said(None, x11(false));
        assert!(!one.contains("WAYLAND") && one.contains("unset it") && one.contains(&headless()), "{one}");
    }

    #[test]
    fn a_display_of_this_machine_has_a_socket() {
        let x = |display: &str| x11_socket(display);
        assert_eq!(x(":99"), Some(PathBuf::from("/tmp/.X11-unix/X99")));
        assert_eq!(x("unix:3.1"), Some(PathBuf::from("/tmp/.X11-unix/X3")));
        for other in ["localhost:10.0", "far.example:0", ":x", ""] {
            assert_eq!(x(other), None, "{other}");
        }
    }

    #[test]
    fn every_command_without_a_window_is_named() {
        for name in
            ["demo", "inspect", "certify", "verify", "diff", "asv", "acquire", "keygen", "schema", "completions"]
        {
            assert!(headless().contains(name), "{name}");
        }
        assert!(!headless().contains("open,"));
    }
}
