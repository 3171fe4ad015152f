//! Reading a casebook, and executing all of its cases in the background.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use decidendi_core::judgment::result::{Judgment, Obtained, Outcome as Result_};
use decidendi_core::judgment::source::Mask;
use decidendi_core::judgment::walk::Compiler;
use decidendi_core::watch::Watch;

use crate::desk::jobs::{Answer, Handle, STACK, Stop};
use crate::wings::judgment::answer::JudgmentAnswer;
use crate::wings::judgment::state::Library;
use crate::wings::judgment::state::{Judged, Summary};
use decidendi_files::casebook::CasebookError;
use decidendi_files::parallel;

/// How soon the first rows go to the window while cases are executed.
const FIRST: Duration = Duration::from_millis(60);
/// How often they go later: each time the table is filtered and counted anew.
const LATER: Duration = Duration::from_millis(600);

/// Reads a casebook; `None` reads the shipped one.
pub fn open(path: Option<PathBuf>, handle: &Handle) -> Answer {
    match Library::open(path.as_deref(), handle) {
        Ok((library, book)) => JudgmentAnswer::Book(Arc::new(library), book).into(),
        Err(CasebookError::Cancelled(_)) => Answer::Cancelled,
        Err(why) => JudgmentAnswer::BookFailed(why.to_string()).into(),
    }
}

/// Executes every case on all cores and hands the rows out in batches. Cases are taken one by one, so that a slow one
/// keeps nobody waiting; a stop reaches every core inside the case it is at.
pub fn judge_all(library: &Library, handle: &Handle) -> Answer {
    let total = library.len();
    let next = AtomicUsize::new(0);
    let (out, judged) = channel();
    std::thread::scope(|scope| {
        for core in 0..parallel::threads(None).min(total) {
            let (out, next, stop) = (out.clone(), &next, handle.stop());
            let work = move || judge_some(library, next, &stop, &out);
            match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work) {
                Ok(_) => {}
                Err(why) if core == 0 => {
                    return Answer::Failed(format!("Cases cannot be executed: {why}. Close other programs, then F5."));
                }
                // Those that run do the work.
                Err(_) => break,
            }
        }
        drop(out);
        hand_out(&judged, total, handle)
    })
}

/// One core: takes the next case until there is none or it is told to stop.
fn judge_some(library: &Library, next: &AtomicUsize, stop: &Stop, out: &Sender<(u32, Judged)>) {
    let (mut compiler, mut words) = (Compiler::default(), Words::default());
    loop {
        let row = next.fetch_add(1, Ordering::Relaxed);
        if row >= library.len() {
            return;
        }
        let judged = match library.case(row).and_then(|l| l.judge(&mut compiler, stop)) {
            // A case that was stopped half way is not run; it has not failed.
            _ if stop.is_asked() => return,
            Ok(judgment) => Judged::Done(Box::new(summary(&judgment, &mut words))),
            Err(why) => Judged::Failed(why.into()),
        };
        if out.send((u32::try_from(row).unwrap_or(u32::MAX), judged)).is_err() {
            return;
        }
    }
}

/// Collects rows and hands them out now and then: soon at first, rarely later.
fn hand_out(judged: &Receiver<(u32, Judged)>, total: usize, handle: &Handle) -> Answer {
    let (mut batch, mut done) = (Vec::new(), 0_u64);
    let (mut sent, mut pause) = (Instant::now(), FIRST);
    loop {
        match judged.recv_timeout(FIRST) {
            Ok(row) => {
                batch.push(row);
                done += 1;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if handle.step(done, total as u64).is_break() {
            // What is finished is shown; the rest stays not run.
            handle.part(JudgmentAnswer::Rows(batch).into());
            return Answer::Cancelled;
        }
        if sent.elapsed() >= pause && !batch.is_empty() {
            handle.part(JudgmentAnswer::Rows(std::mem::take(&mut batch)).into());
            (sent, pause) = (Instant::now(), LATER);
        }
    }
    handle.part(JudgmentAnswer::Rows(batch).into());
    if handle.is_cancelled() { Answer::Cancelled } else { JudgmentAnswer::RowsDone.into() }
}

/// Words that many rows share are kept once.
#[derive(Debug, Default)]
pub struct Words(BTreeMap<String, Arc<str>>);

impl Words {
    fn keep(&mut self, word: &str) -> Arc<str> {
        if let Some(kept) = self.0.get(word) {
            return Arc::clone(kept);
        }
        let kept: Arc<str> = word.into();
        self.0.insert(word.to_owned(), Arc::clone(&kept));
        kept
    }
}

/// What the table shows of a judgment.
#[must_use]
pub fn summary(judgment: &Judgment, words: &mut Words) -> Summary {
    let family = match &judgment.outcome {
        Result_::Changed(family) => Some(family.members().to_vec()),
        Result_::Stable => Some(Vec::new()),
        Result_::Uncertifiable => None,
    };
    let letters = family.as_ref().map_or_else(
        || "–".to_owned(),
        |members| match members.as_slice() {
            [] => "none owed".to_owned(),
            members if members.len() > 6 => format!("{} receipts", members.len()),
            members => members
                .iter()
                .map(|m| format!("{{{}}}", letters(*m, &judgment.sources)))
                .collect::<Vec<_>>()
                .join(" | "),
        },
    );
    let full = Mask::full(judgment.sources.len());
    let mut label = |mask| judgment.word(mask).map(|w| words.keep(w));
    let (old, new) = (label(Mask::EMPTY), label(full));
    Summary {
        status: judgment.outcome.word(),
        old,
        new,
        family,
        family_words: words.keep(&letters),
        executed: judgment.executed,
        recorded: judgment.obtained == Obtained::Recorded,
    }
}

/// A set as its letters with commas: `G,N`; source names where letters would not tell them apart.
fn letters(mask: Mask, names: &[String]) -> String {
    let label = mask.label(names);
    if label.chars().count() == mask.len() {
        label.chars().map(String::from).collect::<Vec<_>>().join(", ")
    } else {
        label
    }
}
