//! Progress and Ctrl-C as one [`Watch`]: silent for short work and where nobody watches.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use decidendi_core::watch::Watch;
use decidendi_files::io;

use crate::print;

/// Work shorter than this shows nothing.
const QUIET: Duration = Duration::from_millis(300);
/// How often the line is drawn again.
const BEAT: Duration = Duration::from_millis(100);

/// How long work that was asked to stop may take to do so; then the process ends as it is. Every piece of long work asks
/// far more often, so that this is for what cannot ask.
const GRACE: Duration = Duration::from_millis(150);

static STOP: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C asks the running work to stop, so that temporary files are taken away; pressed again it ends at once.
pub fn listen() {
    handle(None);
}

/// As [`listen`], for work that leaves nothing behind wherever it ends: it ends soon, whatever it is at.
pub fn listen_soon() {
    handle(Some(GRACE));
}

fn handle(grace: Option<Duration>) {
    // Where no handler can be set, Ctrl-C ends the process at once: files are whole even then.
    let _ = ctrlc::set_handler(move || {
        if STOP.swap(true, Ordering::SeqCst) {
            end();
        }
        if let Some(grace) = grace {
            std::thread::spawn(move || {
                std::thread::sleep(grace);
                end();
            });
        }
    });
}

fn end() {
    io::abandon();
    print::wipe();
    std::process::exit(i32::from(crate::exit::Exit::Interrupted.code()));
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
    done: AtomicU64,
    total: AtomicU64,
    watched: bool,
}

impl Progress {
    /// Progress of `what`.
    #[must_use]
    pub fn new(what: &'static str) -> Self {
        Self {
            what,
            started: Instant::now(),
            drawn: Mutex::new(None),
            done: AtomicU64::new(0),
            total: AtomicU64::new(0),
            watched: print::is_watched(),
        }
    }

    /// Says that `done` of `total` are finished; a total of 0 is an unknown one.
    pub fn show(&self, done: u64, total: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
        self.draw(String::new);
    }

    /// A watch for one of the pieces of work that are counted: shows how far it has come behind what is finished.
    #[must_use]
    pub const fn inside(&self) -> Inside<'_> {
        Inside(self)
    }

    fn draw(&self, inside: impl FnOnce() -> String) {
        if !self.watched || self.started.elapsed() < QUIET {
            return;
        }
        let Ok(mut drawn) = self.drawn.lock() else { return };
        if drawn.is_some_and(|at| at.elapsed() < BEAT) {
            return;
        }
        *drawn = Some(Instant::now());
        let (done, total) = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        let of = if total == 0 { String::new() } else { format!(" of {total}") };
        print::draw(&format!("{} {done}{of}{}  (Ctrl-C stops)", self.what, inside()));
    }
}

fn answer() -> ControlFlow<()> {
    if is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

impl Watch for Progress {
    fn step(&self, done: u64, total: u64) -> ControlFlow<()> {
        self.show(done, total);
        answer()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        print::wipe();
    }
}

/// The watch of one piece of work among many.
#[derive(Clone, Copy)]
pub struct Inside<'p>(&'p Progress);

impl Watch for Inside<'_> {
    fn step(&self, done: u64, total: u64) -> ControlFlow<()> {
        self.0.draw(|| if total > 1 { format!(", {done} of {total} of the next") } else { String::new() });
        answer()
    }
}
