//! Every bound of the core in one place, each with its reason.

/// Largest JSON document that is read, in bytes: far above any honest case, small enough to refuse before allocation.
pub const DOCUMENT_BYTES: usize = 64 << 20;
/// Deepest nesting of a JSON document: deeper than any format here needs, shallow enough for every stack.
pub const DOCUMENT_DEPTH: usize = 96;
/// Most that a document may build, lists and objects counted as sixteen, numbers and other short values as four, keys as two
/// and texts as one: what is read takes many times the bytes that it is written in, and this is what a memory holds. The
/// largest certificate counts twelve millions.
pub const DOCUMENT_VALUES: usize = (1 << 24) + (1 << 20);
/// Most unknown fields of one object that are told one by one; the rest is counted.
pub const UNKNOWN: usize = 64;
/// Most remarks on the bodies of a case.
pub const REMARKS: usize = 4096;
/// Most sources that are enumerated: 2^24 hybrids fit in memory and in a minute.
pub const SOURCES: usize = 24;
/// Most fields of one interface, context included: far above any honest one, and pairs of them stay countable.
pub const FIELDS: usize = 4096;
/// Most compatibility steps of one case: each looks through the fields that it acts on.
pub const STEPS: usize = 1024;
/// Most verdict labels of one interface: a cell is one byte, zero meaning "not run".
pub const LABELS: usize = 255;
/// Longest condition in bytes: the expression parser's cost grows with it.
pub const CONDITION_BYTES: usize = 16 << 10;
/// Longest numerator or denominator of a rational that a condition computes, in bits: it holds any product of two numbers
/// as long as they can be written, and a thousand multiplications of such numbers still end within a second.
pub const RATIONAL_BITS: u64 = 8192;
/// Most steps of work that one case may take unless more are asked for: seconds. A step is about a nanosecond of an optimised
/// program; arithmetic on long numbers counts by the square of their length. Sixteen sources with a hundred conditions
/// take a thousandth of it; a hostile case of a few kilobytes would take years.
pub const WORK: u64 = 4_000_000_000;
/// Longest atom of engine `logic` in bytes: proofs spell atoms out, and joins look at every term.
pub const ATOM_BYTES: usize = 4096;
/// Most faults that a judgment tells: beyond it a list says nothing more, and a hostile case could fill the memory with
/// one.
pub const FAULTS: usize = 1 << 16;
/// Most bytes of text that the faults of a judgment hold together: a fault names fields, and a field's name may be long.
pub const FAULT_BYTES: usize = 16 << 20;
/// Most distinct atoms that forward chaining may derive before the hybrid is a fault: keeps a hostile rule set bounded.
pub const DERIVED_ATOMS: usize = 200_000;
/// Most cells that a certificate lists in full; beyond it a certificate would be larger than a reader accepts.
pub const CERTIFIED_SOURCES: usize = 16;
/// Most channels of a study: far above any honest one.
pub const CHANNELS: usize = 256;
/// Most cyclic layouts of a study: one a candidate is the rule.
pub const LAYOUTS: usize = 64;
/// Most waves of a study.
pub const WAVES: usize = 64;
/// Most candidates of a transition: endpoints return at most twenty labels a request.
pub const CANDIDATES: usize = 64;
/// Most log-probabilities that a study may declare, all channels, layouts and waves counted: half a gigabyte of
/// doubles.
pub const SCORES: usize = 1 << 26;
/// Longest line of a score file in bytes: a row holds one short number a candidate.
pub const SCORE_LINE: usize = 1 << 20;
/// Most faults of a score file that are told one by one; the rest is counted.
pub const SCORE_FAULTS: usize = 100;
/// Farthest from zero that a score may lie on the upper side: beyond it is a mistake, not rounding.
pub const SCORE_ABOVE: f64 = 9999.0;
/// Most unknown fields of score rows that are told one by one.
pub const UNKNOWN_FIELDS: usize = 64;
/// Highest sampling temperature of a channel.
pub const TEMPERATURE: i64 = 100;
/// Most contrasts of a study: each is resampled.
pub const CONTRASTS: usize = 256;
/// Most draws of a bootstrap: a hundred times the usual number leaves an end of an interval no digit that anybody reads, and
/// the values of one statistic fill eight megabytes.
pub const DRAWS: u32 = 1_000_000;
/// Most values of statistics that are drawn in one pass, a double each: a quarter of a gigabyte; what is more takes several
/// passes over the same draws.
pub const DRAWN_VALUES: usize = 1 << 25;
/// Most draws that are repeated for a certificate which nobody trusted signed: ten times the usual number, so that a
/// stranger cannot make a reader work for minutes.
pub const STRANGERS_DRAWS: u32 = 100_000;
/// Most vertices of a bridge, and cells of a matched cube.
pub const CUBE_CELLS: usize = 64;
/// Most factors of a design: with two levels each they have more cells than can be decided on.
pub const FACTORS: usize = 13;
/// Most designs of a study, and levels of a factor.
pub const DESIGNS: usize = 128;
