//! Whether a window can open here, asked before it is tried: a missing libxkbcommon-x11 panics inside the window's own
//! crates, and a missing display gives an error that names no package.

use decidendi_files::io;

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

const HEADLESS: &str = "Everything else works without a window: decidendi inspect, certify, verify, diff, keygen, schema, demo \
                        (see decidendi --help).";

/// Why no window can open, worded for a person, with what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoWindow {
    /// Nothing to draw on.
    #[error(
        "no display: neither WAYLAND_DISPLAY nor DISPLAY is set, so there is nothing to open a window on. Start it in a \
         desktop session, or over ssh -X.\nA window needs: apt-get install --no-install-recommends {}\n{HEADLESS}",
        all_packages()
    )]
    NoDisplay,
    /// Libraries that are not installed.
    #[error(
        "a window needs {}, which cannot be found here.\nOn Debian: apt-get install --no-install-recommends {}\n{HEADLESS}",
        names(.0),
        packages(.0)
    )]
    Missing(Vec<(&'static str, &'static str)>),
    /// A build without the window.
    #[error("this decidendi was built without the window (feature `window` is off).\n{HEADLESS}")]
    NotBuilt,
}

/// Looks for a display and the libraries that a window on it needs.
///
/// # Errors
/// [`NoWindow`].
pub fn check() -> Result<(), NoWindow> {
    let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    decide(set("WAYLAND_DISPLAY") || set("WAYLAND_SOCKET"), set("DISPLAY"), cfg!(target_os = "linux"), io::has_library)
}

fn decide(wayland: bool, x11: bool, linux: bool, has: impl Fn(&str) -> bool) -> Result<(), NoWindow> {
    // Other systems bring their window system along.
    if !linux {
        return Ok(());
    }
    let missing = |wanted: &[(&'static str, &'static str)]| -> Vec<_> {
        wanted.iter().copied().filter(|(library, _)| !has(library)).collect()
    };
    match (wayland, x11) {
        (false, false) => Err(NoWindow::NoDisplay),
        (true, _) if missing(&WAYLAND).is_empty() => Ok(()),
        // A Wayland desktop nearly always offers X11 too.
        (_, true) => {
            let missing = missing(&X11);
            if missing.is_empty() { Ok(()) } else { Err(NoWindow::Missing(missing)) }
        }
        (true, false) => Err(NoWindow::Missing(missing(&WAYLAND))),
    }
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
    use super::{NoWindow, decide};

    #[test]
    fn a_missing_display_is_named_before_anything_is_looked_for() {
        let said = decide(false, false, true, |_| false).unwrap_err().to_string();
        for word in ["DISPLAY", "libxkbcommon-x11-0", "decidendi inspect", "--help"] {
            assert!(said.contains(word), "{said}");
        }
    }

    #[test]
    fn exactly_the_missing_packages_are_named() {
        let said = decide(false, true, true, |l| l != "libxkbcommon-x11.so.0").unwrap_err();
        assert_eq!(said, NoWindow::Missing(vec![("libxkbcommon-x11.so.0", "libxkbcommon-x11-0")]));
        let said = said.to_string();
        assert!(said.contains("libxkbcommon-x11-0") && !said.contains("libxi6"), "{said}");
    }

    #[test]
    fn wayland_falls_back_to_x11() {
        assert!(decide(true, true, true, |l| !l.contains("wayland")).is_ok());
        assert!(decide(true, false, true, |l| !l.contains("wayland")).is_err());
        assert!(decide(false, false, false, |_| false).is_ok());
    }
}
