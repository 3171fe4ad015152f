//! Why a hybrid got its verdict: what the engine looked at, decisive parts marked. A trace survives a fault: it then
//! shows how far the hybrid came.

use super::result::Fault;
use super::source::Mask;
use super::verdict::Verdict;

/// The account of one executed hybrid.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// The hybrid.
    pub cell: Mask,
    /// Its verdict, or the faults that stopped it.
    pub outcome: Result<Verdict, Vec<Fault>>,
    /// What the engine did.
    pub body: TraceBody,
}

/// What an engine did for one hybrid.
#[derive(Debug, Clone, PartialEq)]
pub enum TraceBody {
    /// Engine `rules`.
    Rules(RulesTrace),
    /// Engine `logic`.
    Logic(LogicTrace),
    /// Engine `table`: the verdict was recorded, not executed.
    Recorded,
    /// The hybrid was not a well-typed input; nothing ran.
    NotRun,
}

/// Which step of jurisdiction and merits decided (docs/formats/case.md C41 to C45).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// A rule that holds and has jurisdiction decided.
    Rule,
    /// A rule holds, but none that holds has jurisdiction: refer.
    NoJurisdiction,
    /// No rule holds; the default disposition has jurisdiction.
    Default,
    /// No rule holds and the default has no jurisdiction (or there is none): refer.
    DefaultWithoutJurisdiction,
    /// A fault stopped the hybrid.
    Faulted,
}

/// Jurisdiction and merits of one hybrid. Rules come decisive first, then those that hold, then the rest.
#[derive(Debug, Clone, PartialEq)]
pub struct RulesTrace {
    /// The step that decided.
    pub decision: Decision,
    /// Every rule looked at.
    pub rules: Vec<RuleTrace>,
    /// The default disposition, with the grant that covers it.
    pub default: Option<DefaultTrace>,
}

/// One rule in one hybrid.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleTrace {
    /// The rule's id.
    pub id: String,
    /// The source that holds it.
    pub source: usize,
    /// What it would decide.
    pub then: Verdict,
    /// Its priority.
    pub priority: i64,
    /// Its condition, node by node.
    pub condition: ExprTrace,
    /// The first grant that gives it jurisdiction.
    pub grant: Option<GrantTrace>,
    /// Whether this rule decided the hybrid.
    pub decisive: bool,
}

/// The default disposition in one hybrid.
#[derive(Debug, Clone, PartialEq)]
pub struct DefaultTrace {
    /// What it would decide.
    pub then: Verdict,
    /// The first grant that covers it.
    pub grant: Option<GrantTrace>,
    /// Whether it decided the hybrid.
    pub decisive: bool,
}

/// A grant that matched.
#[derive(Debug, Clone, PartialEq)]
pub struct GrantTrace {
    /// The source that holds it.
    pub source: usize,
    /// Its position in that source's list, from 0.
    pub index: usize,
    /// Context fields that it restricts: field, the case's value, the allowed values.
    pub fields: Vec<(String, String, Vec<String>)>,
    /// Its condition over grounds, if it has one.
    pub when: Option<ExprTrace>,
}

/// Truth of a condition node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truth {
    /// Holds.
    True,
    /// Does not hold.
    False,
    /// Its evaluation erred.
    Error,
}

/// One node of a condition: its text, its value, and whether the value of its parent hangs on it.
#[derive(Debug, Clone, PartialEq)]
pub struct ExprTrace {
    /// The node's source text.
    pub text: String,
    /// The node's value in words (`16`, `true`, `2024-09-16`, or the error).
    pub value: String,
    /// Truth, for Boolean nodes.
    pub truth: Option<Truth>,
    /// Whether the root's value hangs on this node (the decisive clause).
    pub decisive: bool,
    /// Operands, left to right; leaves that are literals are left out.
    pub children: Vec<ExprTrace>,
}

/// Forward chaining in one hybrid.
#[derive(Debug, Clone, PartialEq)]
pub struct LogicTrace {
    /// The atom asked.
    pub query: String,
    /// The proof, if the query was derived.
    pub proof: Option<ProofNode>,
    /// Rules that conclude the query's predicate: id, and whether the hybrid's authority lists it.
    pub concluding: Vec<(String, bool)>,
    /// How many atoms were derived beyond the facts.
    pub derived: usize,
}

/// A node of a proof tree.
#[derive(Debug, Clone, PartialEq)]
pub struct ProofNode {
    /// The ground atom proved.
    pub atom: String,
    /// The rule that derived it; `None` for a fact.
    pub rule: Option<String>,
    /// The source that holds the fact or the rule.
    pub source: usize,
    /// Depth: 0 for a fact, else one more than the deepest premise.
    pub depth: usize,
    /// The premises' proofs.
    pub premises: Vec<ProofNode>,
}
