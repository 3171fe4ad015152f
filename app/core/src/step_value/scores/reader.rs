//! From the bytes of a score file to [`Scores`]. The bytes come in pieces of any size, so that a file of any size is read
//! in the memory of its scores.

use std::collections::BTreeMap;
use std::fmt;

use sha2::{Digest as _, Sha256};

use super::row::Row;
use super::{Cell, Corner, SENTINEL, Scores, Shape, TooManyScores};
use crate::limits;
use crate::seal::canon::Place;
use crate::seal::digest::Digest;
use crate::step_value::study::{Moment, Readout, Study};

/// One row that cannot be used, with its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct ScoreFault {
    /// Where the row stands.
    pub place: Place,
    /// What is wrong and what to do.
    pub what: String,
}

/// All faults of a score file: a study with any of them is not used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ScoreFaults {
    /// The first [`limits::SCORE_FAULTS`], in file order.
    pub faults: Vec<ScoreFault>,
    /// How many there are.
    pub total: u64,
}

impl fmt::Display for ScoreFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.faults.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{fault}")?;
        }
        let told = self.faults.len() as u64;
        if self.total > told {
            write!(f, "\n… and {} more faults", self.total - told)?;
        }
        Ok(())
    }
}

/// What was read and what was not: the counts sum to the lines of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportAccount {
    /// Lines of the file.
    pub lines: u64,
    /// Rows that were taken.
    pub rows: u64,
    /// Lines that hold nothing.
    pub blank: u64,
    /// Log-probabilities that were taken.
    pub scores: u64,
    /// Sentinel values, counted as missing.
    pub sentinels: u64,
    /// Values above zero, which are no logarithms of probabilities; they are used as returned.
    pub above_zero: u64,
    /// Fields that are not used: how many rows have them, and the first such line.
    pub unknown_fields: BTreeMap<String, (u64, u64)>,
    /// Bytes of the file.
    pub bytes: u64,
}

/// Reads a score file piece by piece.
pub struct ScoreReader<'s> {
    study: &'s Study,
    file: String,
    shape: Shape,
    values: Vec<f64>,
    /// Per cell (per candidate where the readout is binary) the line that filled it; 0 is none.
    lines: Vec<u32>,
    transitions: BTreeMap<&'s str, usize>,
    channels: BTreeMap<&'s str, usize>,
    /// The transition of the row before: rows of one transition mostly stand together.
    last: usize,
    rest: Vec<u8>,
    too_long: bool,
    hash: Sha256,
    account: ImportAccount,
    faults: ScoreFaults,
}

impl<'s> ScoreReader<'s> {
    /// A reader for the scores of `study`.
    ///
    /// # Errors
    /// The study declares more than [`limits::SCORES`] scores.
    pub fn new(study: &'s Study, file: &str) -> Result<Self, ScoreFaults> {
        let Some(shape) = Shape::of(study) else {
            let place = Place { file: file.to_owned(), line: 1, column: 1 };
            let what = TooManyScores.to_string();
            return Err(ScoreFaults { faults: vec![ScoreFault { place, what }], total: 1 });
        };
        Ok(Self {
            study,
            file: file.to_owned(),
            values: vec![f64::NAN; shape.len],
            lines: vec![0; shape.len],
            shape,
            transitions: study.transitions.iter().enumerate().map(|(i, t)| (t.id.as_str(), i)).collect(),
            channels: study.channels.iter().enumerate().map(|(i, c)| (c.id.as_str(), i)).collect(),
            last: 0,
            rest: Vec::new(),
            too_long: false,
            hash: Sha256::new(),
            account: ImportAccount::default(),
            faults: ScoreFaults { faults: Vec::new(), total: 0 },
        })
    }

    /// Takes the next piece of the file.
    pub fn feed(&mut self, piece: &[u8]) {
        self.hash.update(piece);
        self.account.bytes += piece.len() as u64;
        let mut piece = piece;
        while let Some(end) = piece.iter().position(|&byte| byte == b'\n') {
            let (head, tail) = piece.split_at(end);
            piece = tail.get(1..).unwrap_or_default();
            if self.rest.is_empty() {
                self.line(head);
            } else {
                let mut line = std::mem::take(&mut self.rest);
                line.extend_from_slice(head);
                self.line(&line);
            }
        }
        // A line that is too long to be read need not be kept whole.
        if self.rest.len() <= limits::SCORE_LINE {
            self.rest.extend_from_slice(piece);
        }
    }

    /// Whether nothing that follows can make the file usable: it holds a line that is longer than any row.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.rest.len() > limits::SCORE_LINE || self.too_long
    }

    /// The scores, once the whole file was taken.
    ///
    /// # Errors
    /// Every row that cannot be used; a file with one is not used in part.
    pub fn finish(mut self) -> Result<Scores, ScoreFaults> {
        if !self.rest.is_empty() {
            let line = std::mem::take(&mut self.rest);
            self.line(&line);
        }
        if self.faults.total > 0 {
            return Err(self.faults);
        }
        let digest = Digest(self.hash.finalize().into());
        Ok(Scores { shape: self.shape, values: self.values, digest, account: self.account })
    }

    fn line(&mut self, line: &[u8]) {
        self.account.lines += 1;
        if line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
            self.account.blank += 1;
            return;
        }
        if line.len() > limits::SCORE_LINE {
            self.too_long = true;
            return self.fault(1, format!("the line is longer than {} bytes; a row is short", limits::SCORE_LINE));
        }
        // The rows of a file share its name; a message needs it only when it is told.
        match Row::read("", line) {
            Ok(row) => {
                if let Err(what) = self.row(&row) {
                    self.fault(1, what);
                }
            }
            Err((column, what)) => self.fault(column, what),
        }
    }

    fn fault(&mut self, column: u32, what: String) {
        self.faults.total += 1;
        if self.faults.faults.len() < limits::SCORE_FAULTS {
            let line = u32::try_from(self.account.lines).unwrap_or(u32::MAX);
            let place = Place { file: self.file.clone(), line, column };
            self.faults.faults.push(ScoreFault { place, what });
        }
    }

    fn row(&mut self, row: &Row<'_>) -> Result<(), String> {
        for key in &row.unknown {
            let line = self.account.lines;
            let told = &mut self.account.unknown_fields;
            if told.len() < limits::UNKNOWN_FIELDS || told.contains_key(key) {
                told.entry(key.clone()).or_insert((0, line)).0 += 1;
            }
        }
        let cell = self.cell(row)?;
        let Some((at, candidates, width)) = self.shape.cell(&cell) else {
            return Err(
                "only the channel of `retrieval_face` may show a view of the other state; drop `view_at`".into()
            );
        };
        let transition = &self.study.transitions[cell.transition];
        let names = self.study.candidates(transition);
        let known = |name: &str| {
            names.iter().position(|n| n == name).ok_or_else(|| {
                format!("`{name}` is no candidate of transition `{}`; name one that study.json lists", transition.id)
            })
        };
        let channel = &self.study.channels[cell.channel];
        let mut found: Vec<(usize, f64)> = Vec::with_capacity(candidates * width);
        let mut filled = at;
        match (channel.readout, &row.logprobs, &row.candidate) {
            (Readout::Joint, Some(logprobs), None) if row.yes.is_none() && row.no.is_none() => {
                for (name, value) in &logprobs.0 {
                    found.push((at + known(&name.0)?, *value));
                }
            }
            (Readout::Binary, None, Some(name)) => {
                filled = at + 2 * known(&name.0)?;
                found.extend(row.yes.map(|yes| (filled, yes)));
                found.extend(row.no.map(|no| (filled + 1, no)));
            }
            (Readout::Joint, ..) => {
                return Err(format!(
                    "channel `{}` has a joint readout; its rows have `logprobs` and neither `candidate`, `yes` nor `no`",
                    channel.id
                ));
            }
            (Readout::Binary, ..) => {
                return Err(format!(
                    "channel `{}` has a binary readout; its rows have `candidate`, `yes` and `no`, and no `logprobs`",
                    channel.id
                ));
            }
        }
        if let Some((_, value)) = found.iter().find(|(_, value)| *value > limits::SCORE_ABOVE) {
            return Err(format!(
                "{value:?} is no log-probability, which lies at or below zero; write what the endpoint returned"
            ));
        }
        if self.lines[filled] != 0 {
            let range = if channel.readout == Readout::Joint { at..at + candidates } else { filled..filled + 2 };
            return Err(self.twice(filled, range, &found));
        }
        self.lines[filled] = u32::try_from(self.account.lines).unwrap_or(u32::MAX);
        for (at, value) in found {
            self.account.above_zero += u64::from(value > 0.0);
            if value <= SENTINEL {
                self.account.sentinels += 1;
                self.values[at] = f64::NEG_INFINITY;
            } else {
                self.account.scores += 1;
                self.values[at] = value;
            }
        }
        self.account.rows += 1;
        Ok(())
    }

    /// Says how a second row for one cell relates to the first.
    fn twice(&self, filled: usize, range: std::ops::Range<usize>, found: &[(usize, f64)]) -> String {
        let same = range.clone().all(|at| {
            let again = found.iter().find(|(other, _)| *other == at).map(|(_, value)| *value);
            let held = self.values[at];
            match again {
                Some(value) if value <= SENTINEL => held == f64::NEG_INFINITY,
                Some(value) => held == value,
                None => held.is_nan(),
            }
        });
        let first = self.lines[filled];
        if same {
            format!("this row repeats line {first}; keep one of both")
        } else {
            format!("this row scores the same cell as line {first} and says something else; find out which one counts")
        }
    }

    fn cell(&mut self, row: &Row<'_>) -> Result<Cell, String> {
        let missing =
            |key: &str| format!("`{key}` is missing; a row names transition, state, channel, layout and wave");
        let id = row.transition.as_ref().ok_or_else(|| missing("transition"))?.0.as_ref();
        let transition =
            match self.study.transitions.get(self.last) {
                Some(last) if last.id == id => self.last,
                _ => self.transitions.get(id).copied().ok_or_else(|| {
                    format!("transition `{id}` is not declared; add it to study.json or remove the row")
                })?,
            };
        self.last = transition;
        let state_of = |key: &str, word: &str| {
            Moment::of(word).ok_or_else(|| format!("`{key}` is `{word}`; use \"before\" or \"after\""))
        };
        let state = state_of("state", &row.state.as_ref().ok_or_else(|| missing("state"))?.0)?;
        let view_at = row.view_at.as_ref().map_or(Ok(state), |word| state_of("view_at", &word.0))?;
        let id = row.channel.as_ref().ok_or_else(|| missing("channel"))?.0.as_ref();
        let channel = self.channels.get(id).copied();
        let channel = channel.ok_or_else(|| format!("channel `{id}` is not declared; add it to study.json"))?;
        let layout = row.layout.ok_or_else(|| missing("layout"))?;
        let layouts = self.study.layouts;
        let layout = usize::try_from(layout)
            .ok()
            .filter(|l| *l < layouts)
            .ok_or_else(|| format!("layout {layout} is not among the {layouts} declared, which are numbered from 0"))?;
        let id = row.wave.ok_or_else(|| missing("wave"))?;
        let wave = self.study.waves.iter().position(|wave| wave.id == id);
        let wave = wave.ok_or_else(|| format!("wave {id} is not declared; add it to study.json with its weight"))?;
        Ok(Cell { transition, channel, corner: Corner { state, view_at }, wave, layout })
    }
}
