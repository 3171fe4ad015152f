//! What a plan asks for, call by call. States are shared: two transitions that meet in a state share its calls.

use decidendi_core::seal::canon::canonical;
use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::json::Json;

use crate::plan::{Plan, Readout, State, Task, View};

/// A state of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct At {
    /// The task's position.
    pub task: usize,
    /// The state's position in it.
    pub state: usize,
}

impl At {
    /// The task and the state.
    #[must_use]
    pub fn of(self, plan: &Plan) -> (&Task, &State) {
        let task = &plan.tasks[self.task];
        (task, &task.states[self.state])
    }
}

/// One call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Call {
    /// Asks at the start of a run whether log-probabilities come back at all. Its answer is no score.
    Probe,
    /// Makes the derived view of a state.
    View(At),
    /// Scores a state.
    Score(Cell),
}

/// A cell of the study, as far as it is one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// The state.
    pub at: At,
    /// The channel's position.
    pub channel: usize,
    /// The layout.
    pub layout: usize,
    /// The wave's position.
    pub wave: usize,
    /// The candidate that a binary readout asks about.
    pub candidate: Option<usize>,
}

impl Call {
    /// The call as the log names it.
    #[must_use]
    pub fn name(&self, plan: &Plan) -> Json {
        let head = |kind: &str, at: &At| {
            let (task, state) = at.of(plan);
            vec![
                ("kind".to_owned(), Json::text(kind)),
                ("trajectory".to_owned(), Json::text(&task.trajectory)),
                ("state".to_owned(), Json::text(&state.id)),
            ]
        };
        Json::Map(match self {
            Self::Probe => vec![("kind".to_owned(), Json::text("probe"))],
            Self::View(at) => head("view", at),
            Self::Score(cell) => {
                let mut entries = head("score", &cell.at);
                entries.push(("channel".to_owned(), Json::text(&plan.channels[cell.channel].id)));
                entries.push(("layout".to_owned(), Json::Int(i64::try_from(cell.layout).unwrap_or_default())));
                entries.push(("wave".to_owned(), Json::Int(plan.waves[cell.wave].id)));
                if let Some(candidate) = cell.candidate {
                    let id = &cell.at.of(plan).0.candidates[candidate].id;
                    entries.push(("candidate".to_owned(), Json::text(id)));
                }
                entries
            }
        })
    }

    /// The name as one line of text: equal names are equal calls.
    #[must_use]
    pub fn key(&self, plan: &Plan) -> String {
        key(&self.name(plan))
    }
}

/// A call's name in its one spelling.
#[must_use]
pub fn key(name: &Json) -> String {
    String::from_utf8_lossy(&canonical(name)).into_owned()
}

/// A call's name for a person to read.
#[must_use]
pub fn words(name: &Json) -> String {
    let text = |key: &str| name.get(key).and_then(Json::as_text).unwrap_or("?");
    let number = |key: &str| name.get(key).and_then(Json::as_int).unwrap_or_default();
    match text("kind") {
        "probe" => "the probe".to_owned(),
        "view" => format!("the view of state {}", text("state")),
        "score" => {
            let candidate = name.get("candidate").and_then(Json::as_text);
            let candidate = candidate.map_or_else(String::new, |id| format!(", candidate {id}"));
            let (state, channel) = (text("state"), text("channel"));
            format!("state {state} ({channel}{candidate}, layout {}, wave {})", number("layout"), number("wave"))
        }
        other => format!("a call of the kind {other}"),
    }
}

/// All calls of a plan, views first, in the order in which they are made: wave by wave, and within a wave in an order
/// that a digest shuffles, so that a drift of the server lines up with no state, channel or layout.
#[must_use]
pub fn all(plan: &Plan) -> Vec<Call> {
    let shuffled = |calls: Vec<Call>| {
        let mut keyed: Vec<(Digest, Call)> =
            calls.into_iter().map(|call| (Digest::of(call.key(plan).as_bytes()), call)).collect();
        keyed.sort_unstable();
        keyed.into_iter().map(|(_, call)| call)
    };
    let mut calls = Vec::new();
    if plan.is_generating() {
        calls.extend(shuffled(states(plan).map(Call::View).collect()));
    }
    for wave in 0..plan.waves.len() {
        calls.extend(shuffled(cells(plan, wave).map(Call::Score).collect()));
    }
    calls
}

/// The call whose request serves as probe: a score that waits for no view, if there is one.
#[must_use]
pub fn probe(plan: &Plan) -> Cell {
    let channel = plan.channels.iter().position(|channel| channel.view != View::Generated).unwrap_or_default();
    let candidate = (plan.channels[channel].readout == Readout::Binary).then_some(0);
    Cell { at: At { task: 0, state: 0 }, channel, layout: 0, wave: 0, candidate }
}

/// All states of a plan, in its order.
pub fn states(plan: &Plan) -> impl Iterator<Item = At> {
    plan.tasks.iter().enumerate().flat_map(|(task, t)| (0..t.states.len()).map(move |state| At { task, state }))
}

/// All cells of a wave, in the plan's order.
pub fn cells(plan: &Plan, wave: usize) -> impl Iterator<Item = Cell> {
    states(plan).flat_map(move |at| (0..plan.channels.len()).flat_map(move |channel| cells_of(plan, at, channel, wave)))
}

/// The cells of one state, channel and wave.
pub fn cells_of(plan: &Plan, at: At, channel: usize, wave: usize) -> impl Iterator<Item = Cell> {
    let candidates = match plan.channels[channel].readout {
        Readout::Joint => vec![None],
        Readout::Binary => (0..plan.k()).map(Some).collect(),
    };
    (0..plan.layouts).flat_map(move |layout| {
        candidates.clone().into_iter().map(move |candidate| Cell { at, channel, layout, wave, candidate })
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::plan::tests::example;

    #[test]
    fn every_call_is_made_once_and_named_once() {
        let plan = example();
        let calls = all(&plan);
        // 2 states × (1 view + 2 waves × (2 joint + 1 binary of 4) channels × 4 layouts).
        assert_eq!(calls.len(), 2 * (1 + 2 * (2 + 4) * 4));
        assert_eq!(calls.iter().map(|call| call.key(&plan)).collect::<BTreeSet<_>>().len(), calls.len());
        let first_score = calls.iter().position(|call| matches!(call, Call::Score(_))).unwrap();
        assert!(calls[..first_score].iter().all(|call| matches!(call, Call::View(_))) && first_score == 2);
        assert_eq!(all(&plan), calls);
    }

    #[test]
    fn a_name_is_told_in_words() {
        let plan = example();
        let told: Vec<String> = all(&plan).iter().map(|call| words(&call.name(&plan))).collect();
        assert!(told.iter().all(|words| !words.contains('{')), "{told:?}");
        assert!(told.contains(&"the view of state t01-s0".to_owned()), "{told:?}");
        assert!(told.contains(&"state t01-s1 (binary, candidate bern, layout 2, wave 1)".to_owned()), "{told:?}");
        assert_eq!(words(&Call::Probe.name(&plan)), "the probe");
    }

    #[test]
    fn the_order_follows_neither_state_nor_channel_nor_layout() {
        let plan = example();
        let cells: Vec<Cell> =
            all(&plan).iter().filter_map(|c| if let Call::Score(c) = c { Some(*c) } else { None }).collect();
        for factor in [|c: &Cell| c.at.state, |c: &Cell| c.channel, |c: &Cell| c.layout] {
            let wave: Vec<usize> = cells.iter().filter(|c| c.wave == 0).map(factor).collect();
            let runs = 1 + wave.windows(2).filter(|w| w[0] != w[1]).count();
            assert!(runs > 8, "{wave:?}");
        }
    }
}
