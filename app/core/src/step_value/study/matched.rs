//! What may differ between channels that are set against each other. A contrast may move anything: that is what
//! channels are for. Every other part moves one declared factor, and what moves beside it would be read as that
//! factor's effect (docs/theory.md §3.4).

use super::read::Read;
use super::{Channel, Vertex};
use crate::seal::document::Field;

/// A field of a channel that can set two channels apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// How candidates are read.
    Readout,
    /// The derived view.
    View,
    /// The authority policy.
    Authority,
    /// The evaluator stack.
    Stack,
    /// The sampling temperature.
    Temperature,
    /// What the endpoint reports.
    Basis,
}

impl Moved {
    const ALL: [Self; 6] = [Self::Readout, Self::View, Self::Authority, Self::Stack, Self::Temperature, Self::Basis];

    const fn word(self) -> &'static str {
        match self {
            Self::Readout => "readout",
            Self::View => "view",
            Self::Authority => "authority",
            Self::Stack => "stack",
            Self::Temperature => "temperature",
            Self::Basis => "logprob_basis",
        }
    }

    fn value(self, channel: &Channel) -> String {
        match self {
            Self::Readout => channel.readout.word().to_owned(),
            Self::View => channel.view.clone(),
            Self::Authority => channel.authority.clone(),
            Self::Stack => channel.stack.clone(),
            Self::Temperature => channel.temperature.to_string(),
            Self::Basis => channel.basis.word().to_owned(),
        }
    }
}

impl Channel {
    /// The fields in which two channels differ, in the order of the document; ids do not count.
    #[must_use]
    pub fn moved(&self, other: &Self) -> Vec<Moved> {
        Moved::ALL.into_iter().filter(|part| part.value(self) != part.value(other)).collect()
    }

    /// Whether the view, and nothing else, sets the two apart.
    #[must_use]
    pub fn moves_only_view(&self, other: &Self) -> bool {
        self.moved(other) == [Moved::View]
    }
}

/// Refuses two channels that differ in more than `free`; `rule` says what the part is made of, and what to do.
fn only(field: &Field<'_, '_>, pair: [&Channel; 2], free: &[Moved], rule: [&str; 2]) -> Read<()> {
    let beside: Vec<String> = pair[0]
        .moved(pair[1])
        .into_iter()
        .filter(|part| !free.contains(part))
        .map(|part| format!("{} (`{}`, `{}`)", part.word(), part.value(pair[0]), part.value(pair[1])))
        .collect();
    if beside.is_empty() {
        return Ok(());
    }
    let what = format!("channels `{}` and `{}` differ in {}: {}", pair[0].id, pair[1].id, beside.join(", "), rule[0]);
    Err(field.refuse(what, rule[1]))
}

const MATCHED: &str = "Name channels that are alike in everything else; a contrast may compare any two.";

/// A vertex is a full state-by-view face, and all vertices ask about the same two views.
pub(super) fn vertex(field: &Field<'_, '_>, channels: &[Channel], vertex: &Vertex, first: &Vertex) -> Read<()> {
    let pair = [vertex.alternative, vertex.reference].map(|at| &channels[at]);
    let at = field.need("alternative")?;
    only(&at, pair, &[Moved::View], ["a vertex crosses the state with the view alone", MATCHED])?;
    if pair[0].view == pair[1].view {
        let what = format!("channels `{}` and `{}` show the same view `{}`", pair[0].id, pair[1].id, pair[0].view);
        return Err(at.refuse(what, "A vertex crosses the state with two views: name one channel for each."));
    }
    let views = |vertex: &Vertex| [vertex.alternative, vertex.reference].map(|at| channels[at].view.as_str());
    let ([added, taken], [first_added, first_taken]) = (views(vertex), views(first));
    if [added, taken] != [first_added, first_taken] {
        let what = format!(
            "vertex `{}` sets view `{added}` against `{taken}`, vertex `{}` `{first_added}` against `{first_taken}`",
            vertex.name, first.name
        );
        return Err(
            at.refuse(what, "A bridge asks one question at every vertex: set the same two views against each other.")
        );
    }
    Ok(())
}

/// A matched cube has one template: its cells differ in view and authority.
pub(super) fn cell(field: &Field<'_, '_>, cell: &Channel, first: &Channel) -> Read<()> {
    let rule = ["a matched cube moves view and authority alone", MATCHED];
    only(field, [cell, first], &[Moved::View, Moved::Authority], rule)
}

/// The crossed channel shows a view.
pub(super) fn crossed(field: &Field<'_, '_>, crossed: &Channel) -> Read<()> {
    if crossed.view == "none" {
        let what = format!("channel `{}` shows no view that could be frozen at the other state", crossed.id);
        return Err(field.need("channel")?.refuse(what, "Name the channel with the retrieved view."));
    }
    Ok(())
}

/// The direct path is the same scoring without a view, where no authority is left to decide between evidence and view.
pub(super) fn direct(field: &Field<'_, '_>, crossed: &Channel, direct: &Channel) -> Read<()> {
    if direct.view != "none" {
        let what = format!("channel `{}` shows the view `{}`", direct.id, direct.view);
        return Err(field.refuse(what, "The direct path is a channel whose `view` is \"none\"."));
    }
    let rule = ["the direct path leaves the view out and moves nothing else", MATCHED];
    only(field, [direct, crossed], &[Moved::View, Moved::Authority], rule)
}

/// What a control channel may move against the own view. Order and donor have no field of their own: the author's word
/// for the view tells them.
pub(super) fn control(field: &Field<'_, '_>, key: &str, control: &Channel, own: &Channel) -> Read<()> {
    if key != "authority" {
        let what = format!("the control `{key}` replays the own view with that one thing changed");
        return only(field, [control, own], &[Moved::View], [&what, MATCHED]);
    }
    only(field, [control, own], &[Moved::Authority], ["the control `authority` moves the authority alone", MATCHED])?;
    if control.authority == own.authority {
        let what = format!("channels `{}` and `{}` have the same authority `{}`", control.id, own.id, own.authority);
        return Err(field.refuse(what, "Name a channel under another authority."));
    }
    Ok(())
}
