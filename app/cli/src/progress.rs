//! Progress and Ctrl-C as one [`Watch`]: silent for short work and where nobody watches.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use decidendi_core::watch::Watch;

use crate::print;

/// Work shorter than this shows nothing.
const QUIET: Duration = Duration::from_millis(300);
/// How often the line is drawn again.
const BEAT: Duration = Duration::from_millis(100);

static STOP: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C asks the running work to stop, so that temporary files are taken away; pressed again it ends at once.
pub fn listen() {
    // Where no handler can be set, Ctrl-C ends the process at once: files are whole even then.
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::SeqCst) {
            std::process::exit(i32::from(crate::exit::Exit::Interrupted.code()));
        }
    });
}

/// Whether Ctrl-C was pressed.
#[must_use]
pub fn is_stopped() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// A line on the terminal that says how far the work has come.
pub struct Progress {
    what: &'static str,
    started: Instant,
    drawn: Mutex<Option<Instant>>,
    watched: bool,
}

impl Progress {
    /// Progress of `what`.
    #[must_use]
    pub fn new(what: &'static str) -> Self {
        Self { what, started: Instant::now(), drawn: Mutex::new(None), watched: print::is_watched() }
    }

    /// Says that `done` of `total` are finished; a total of 0 is an unknown one.
    pub fn show(&self, done: u64, total: u64) {
        if !self.watched || self.started.elapsed() < QUIET {
            return;
        }
        let Ok(mut drawn) = self.drawn.lock() else { return };
        if drawn.is_some_and(|at| at.elapsed() < BEAT) {
            return;
        }
        *drawn = Some(Instant::now());
        let of = if total == 0 { String::new() } else { format!(" of {total}") };
        print::draw(&format!("{} {done}{of}  (Ctrl-C stops)", self.what));
    }
}

impl Watch for Progress {
    fn step(&self, done: u64, total: u64) -> ControlFlow<()> {
        self.show(done, total);
        if is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        print::wipe();
    }
}

/// A watch for work inside a chunk: looks for Ctrl-C, draws nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Interrupt;

impl Watch for Interrupt {
    fn step(&self, _done: u64, _total: u64) -> ControlFlow<()> {
        if is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
