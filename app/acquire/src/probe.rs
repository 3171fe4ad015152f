//! What an endpoint can do, measured before anything is spent on it: does it return log-probabilities, are the labels
//! among them, and do they come before or after the temperature?

use decidendi_core::seal::digest::Digest;
use decidendi_core::watch::Watch;

use crate::answer::{self, Answer};
use crate::calls::{self, Cell};
use crate::client::{Client, Reply};
use crate::plan::{Basis, Plan};
use crate::request::{self, labels};
use crate::retry::{self, Next, Wish};
use crate::{run, time};

/// The two temperatures of the probe.
pub const TEMPERATURES: [f64; 2] = [0.5, 1.5];
/// How far a slope may lie from what a basis predicts.
const TOLERANCE: f64 = 0.02;
/// Largest share of the scores that the line may leave unexplained.
const RESIDUAL: f64 = 0.1;
/// Prompts that the probe of the basis asks, if there are so many layouts.
const PROMPTS: usize = 2;

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The labels of the first cell, at the plan's own temperature.
    pub answer: Answer,
    /// The labels' names.
    pub labels: Vec<String>,
    /// What the two temperatures say; `None` if labels were missing there.
    pub measured: Option<Measured>,
}

/// A plan's declared bases beside what was measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// The measured basis, where the measurement says which.
    pub measured: Option<Basis>,
    /// Channels that declare another basis than the measured one.
    pub wrong: Vec<String>,
    /// Channels that declare `unknown`: who declares nothing has declared nothing wrong.
    pub open: Vec<String>,
    /// Whether something is declared that the measurement leaves undecided.
    pub is_undecided: bool,
}

impl Report {
    /// Holds a plan's channels against what was measured.
    #[must_use]
    pub fn beside(&self, plan: &Plan) -> Declared {
        let measured = self.measured.map(|measured| measured.basis).filter(|basis| *basis != Basis::Unknown);
        let ids = |is: &dyn Fn(Basis) -> bool| -> Vec<String> {
            plan.channels.iter().filter(|channel| is(channel.basis)).map(|channel| channel.id.clone()).collect()
        };
        let open = ids(&|basis| basis == Basis::Unknown);
        let wrong = ids(&|basis| basis != Basis::Unknown && measured.is_some_and(|measured| measured != basis));
        let is_undecided = self.measured.is_none() || (measured.is_none() && open.len() < plan.channels.len());
        Declared { measured, wrong, open, is_undecided }
    }
}

/// A basis as it was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// The verdict.
    pub basis: Basis,
    /// Slope of the centred scores at the second temperature over those at the first.
    pub slope: f64,
    /// Share of the scores that the line leaves unexplained.
    pub residual: f64,
    /// How many scores went in.
    pub points: usize,
}

/// An endpoint that gave no answer to look at.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{url} gave no answer to look at: {what}. {}", .outlook.advice())]
pub struct NoAnswer {
    /// The address.
    pub url: String,
    /// What happened.
    pub what: String,
    /// What to expect of another probe.
    pub outlook: Outlook,
}

/// What to expect of another probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outlook {
    /// Nothing, as long as nothing is corrected.
    Refused,
    /// Nothing: what serves this address is no model.
    Foreign,
    /// It may be answered; whether something is there that answers at all.
    Open(bool),
    /// It may be answered once the time is over for which the server asks.
    After(Wish),
}

impl Outlook {
    fn advice(&self) -> String {
        match self {
            Self::Refused => "Asking again cannot help: correct the key, the address, the model or the plan".to_owned(),
            Self::Foreign => {
                "See that the address is that of the API, which often ends in /v1, and that nothing between changes what it \
                 answers"
                    .to_owned()
            }
            Self::Open(is_there) => format!("{}, or probe again later", run::advice(*is_there)),
            Self::After(wish) => format!("The server asks to wait {wish}; probe again then"),
        }
    }
}

/// Probes an endpoint with the first cell of a plan: five calls, none of them recorded. Looks before every call whether to
/// stop.
///
/// # Errors
/// [`NoAnswer`], also when it was told to stop.
pub fn probe_watched(plan: &Plan, client: &Client, watch: &dyn Watch) -> Result<Report, NoAnswer> {
    let total = 1 + 2 * plan.layouts.min(PROMPTS) as u64;
    let look = |done: u64| {
        let stopped = || NoAnswer {
            url: client.url().to_owned(),
            what: "stopped before everything was asked".to_owned(),
            outlook: Outlook::Open(true),
        };
        if watch.step(done, total).is_break() { Err(stopped()) } else { Ok(()) }
    };
    look(0)?;
    let cell = calls::probe(plan);
    let names = labels(plan.channels[cell.channel].readout, plan.k());
    let answer = ask(plan, client, &cell, plan.temperature_value, &names)?;
    let mut pairs = Vec::new();
    let mut is_whole = answer.is_complete();
    for layout in 0..plan.layouts.min(PROMPTS) {
        if !is_whole {
            break;
        }
        let cell = Cell { layout, ..cell };
        let [first, second] = TEMPERATURES;
        look(1 + 2 * layout as u64)?;
        let first = centred(&ask(plan, client, &cell, first, &names)?);
        look(2 + 2 * layout as u64)?;
        let second = centred(&ask(plan, client, &cell, second, &names)?);
        match (first, second) {
            (Some(first), Some(second)) => pairs.extend(first.into_iter().zip(second)),
            _ => is_whole = false,
        }
    }
    Ok(Report { answer, labels: names, measured: if is_whole { basis(&pairs) } else { None } })
}

fn ask(plan: &Plan, client: &Client, cell: &Cell, temperature: f64, labels: &[String]) -> Result<Answer, NoAnswer> {
    let reply = client.post(&request::score_at(plan, cell, "", temperature));
    match &reply {
        Reply { status: Some(200), body: Some(body), error: None, .. } => {
            Ok(answer::read(body, labels, usize::try_from(plan.top_logprobs).unwrap_or_default()))
        }
        _ => Err(NoAnswer { url: client.url().to_owned(), what: run::told(&reply), outlook: outlook(&reply) }),
    }
}

fn outlook(reply: &Reply) -> Outlook {
    let now = time::since_epoch();
    if retry::next(reply, 1, &Digest([0; 32]), now) == Next::Refused {
        Outlook::Refused
    } else if reply.status == Some(200) && reply.error.as_ref().is_some_and(|error| error.is_foreign) {
        Outlook::Foreign
    } else {
        retry::retry_after(reply, now).map_or(Outlook::Open(reply.status.is_some()), Outlook::After)
    }
}

/// The scores of all labels minus their mean.
fn centred(answer: &Answer) -> Option<Vec<f64>> {
    let values: Vec<f64> = answer.labels.iter().map(|label| label.as_ref().ok().copied()).collect::<Option<_>>()?;
    #[expect(clippy::cast_precision_loss, reason = "a handful of labels")]
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    Some(values.into_iter().map(|value| value - mean).collect())
}

/// Reads the basis off pairs of centred scores: raw ones do not move with the temperature, tempered ones shrink by the
/// ratio of the two.
#[must_use]
pub fn basis(pairs: &[(f64, f64)]) -> Option<Measured> {
    let sum = |f: fn(&(f64, f64)) -> f64| pairs.iter().map(f).sum::<f64>();
    let (xx, xy, yy) = (sum(|p| p.0 * p.0), sum(|p| p.0 * p.1), sum(|p| p.1 * p.1));
    if xx <= 0.0 || yy <= 0.0 {
        return None;
    }
    let slope = xy / xx;
    let left: f64 = pairs.iter().map(|(x, y)| (y - slope * x).powi(2)).sum();
    let residual = (left / yy).sqrt();
    let [first, second] = TEMPERATURES;
    let near = |predicted: f64| (slope - predicted).abs() <= TOLERANCE && residual <= RESIDUAL;
    let basis = if near(1.0) {
        Basis::Raw
    } else if near(first / second) {
        Basis::Tempered
    } else {
        Basis::Unknown
    };
    Some(Measured { basis, slope, residual, points: pairs.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(slope: f64, noise: f64) -> Vec<(f64, f64)> {
        [1.2, -0.3, -0.5, -0.4]
            .iter()
            .enumerate()
            .map(|(i, x)| (*x, slope * x + if i % 2 == 0 { noise } else { -noise }))
            .collect()
    }

    // vllm-project/vllm #9453, PR #21398, PR #47680: what is reported depends on the server's mode.
    #[test]
    fn two_temperatures_tell_raw_from_tempered() {
        for (slope, noise, expected) in [
            (1.0, 0.0, Basis::Raw),
            (1.001, 0.0, Basis::Raw),
            (1.0 / 3.0, 0.0, Basis::Tempered),
            (0.6, 0.0, Basis::Unknown),
            (1.0, 0.3, Basis::Unknown),
            (-1.0, 0.0, Basis::Unknown),
        ] {
            assert_eq!(basis(&pairs(slope, noise)).unwrap().basis, expected, "{slope} {noise}");
        }
        assert_eq!(basis(&[]), None);
        assert_eq!(basis(&[(0.0, 0.0)]), None);
    }
}
