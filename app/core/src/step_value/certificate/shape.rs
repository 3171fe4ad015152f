//! What the findings of a certificate look like: every field with its kind, and how long each list may be. A list is
//! measured before anything in it is looked at.

use crate::limits;
use crate::seal::json::Json;
use crate::seal::predicate::{CertificateFault, Field};

/// The kind of a value.
pub(super) enum Shape {
    /// Any text: a name, a word, an exact number.
    Text,
    /// A whole number from 0.
    Count,
    /// `true` or `false`.
    Flag,
    /// Names with counts, so many at most.
    Counts(usize),
    /// `null`, or this.
    Maybe(&'static Self),
    /// So many of these at most.
    List(&'static Self, usize),
    /// These fields and no others.
    Object(&'static [Entry]),
}

/// A field: its key, whether it must be there, its kind.
type Entry = (&'static str, bool, Shape);

const fn must(key: &'static str, shape: Shape) -> Entry {
    (key, true, shape)
}

const fn may(key: &'static str, shape: Shape) -> Entry {
    (key, false, shape)
}

impl Shape {
    /// That a value is of this kind, all the way down.
    ///
    /// # Errors
    /// The first field at fault.
    pub(super) fn check(&self, field: &Field<'_>) -> Result<(), CertificateFault> {
        let all = |entries: &[(String, Json)], most: usize| {
            let counts = entries.iter().all(|(_, count)| count.as_int().is_some_and(|count| count >= 0));
            (counts && entries.len() <= most).then_some(()).ok_or_else(|| field.fault())
        };
        match (self, field.json) {
            (Self::Maybe(_), Json::Null) | (Self::Text, Json::Text(_)) | (Self::Flag, Json::Bool(_)) => Ok(()),
            (Self::Maybe(shape), _) => shape.check(field),
            (Self::Count, _) => field.count().map(|_| ()),
            (Self::Counts(most), Json::Map(entries)) => all(entries, *most),
            (Self::List(shape, most), Json::List(items)) if items.len() <= *most => {
                field.list()?.try_for_each(|item| shape.check(&item))
            }
            (Self::Object(known), Json::Map(entries)) => {
                if let Some((key, _)) = entries.iter().find(|(key, _)| known.iter().all(|(name, ..)| name != key)) {
                    return Err(CertificateFault::Unknown(format!("{}.{key}", field.name)));
                }
                known.iter().try_for_each(|(key, needed, shape)| match field.json.get(key) {
                    None if !needed => Ok(()),
                    _ => shape.check(&field.get(key)?),
                })
            }
            _ => Err(field.fault()),
        }
    }
}

/// Most pairs of views or stacks, under each authority or for each pair of readouts.
const PAIRS: usize = limits::CUBE_CELLS * limits::CUBE_CELLS;
/// Most cells of a design that are listed.
const CELLS: usize = 1 << 16;
/// Most targets with equal weight.
const TARGETS: usize = 16;

const ESTIMATE: Shape = Shape::Object(&[
    must("mean", Shape::Text),
    must("lo", Shape::Maybe(&Shape::Text)),
    must("hi", Shape::Maybe(&Shape::Text)),
    may("defined_draws", Shape::Count),
]);
const MAYBE_ESTIMATE: Shape = Shape::Maybe(&ESTIMATE);
const EFFECT: Shape = Shape::Maybe(&Shape::Object(&[
    must("mean", Shape::Text),
    must("lo", Shape::Maybe(&Shape::Text)),
    must("hi", Shape::Maybe(&Shape::Text)),
    may("defined_draws", Shape::Count),
    must("sign", Shape::Text),
]));
const SIGNS: Shape =
    Shape::Object(&[must("positive", Shape::Count), must("negative", Shape::Count), must("abstained", Shape::Count)]);
const SIGNED: Shape = Shape::Object(&[must("effect", EFFECT), must("trajectories", SIGNS)]);
const TEST: Shape = Shape::Object(&[
    must("verdict", Shape::Text),
    must("lo90", Shape::Maybe(&Shape::Text)),
    must("hi90", Shape::Maybe(&Shape::Text)),
]);
const AUC: Shape = Shape::Object(&[
    must("successes", Shape::Count),
    must("failures", Shape::Count),
    must("reference", ESTIMATE),
    must("alternative", ESTIMATE),
    must("difference", ESTIMATE),
    must("equivalence", TEST),
]);
const LAYOUTS: Shape = Shape::List(&EFFECT, limits::LAYOUTS);
const WAVES: Shape = Shape::List(&EFFECT, limits::WAVES);

const CONTRAST: Shape = Shape::Object(&[
    must("id", Shape::Text),
    must("reference", Shape::Text),
    must("alternative", Shape::Text),
    must("n", Shape::Count),
    must("clusters", Shape::Count),
    must("gain_reference", EFFECT),
    must("gain_alternative", EFFECT),
    must("omega", EFFECT),
    must("equivalence", Shape::Maybe(&TEST)),
    must(
        "flips",
        Shape::Object(&[
            must("pos_to_neg", Shape::Count),
            must("neg_to_pos", Shape::Count),
            must("touching_zero", Shape::Count),
            must("same_sign", Shape::Count),
        ]),
    ),
    must("opposite_signs", Shape::Maybe(&Shape::Flag)),
    must("clear_of_zero", Shape::Maybe(&Shape::Flag)),
    must("strict_mean_reversal", Shape::Flag),
    must(
        "signs",
        Shape::Object(&[must("gain_reference", SIGNS), must("gain_alternative", SIGNS), must("omega", SIGNS)]),
    ),
    must("crossing", Shape::Maybe(&Shape::Text)),
    must("layouts", LAYOUTS),
    may("waves", WAVES),
    must("auc", Shape::Maybe(&Shape::Object(&[must("gain", AUC), must("after", AUC)]))),
    must(
        "equal_targets",
        Shape::Maybe(&Shape::Object(&[
            must("targets", Shape::Counts(TARGETS)),
            must("gain_reference", MAYBE_ESTIMATE),
            must("gain_alternative", MAYBE_ESTIMATE),
            must("omega", MAYBE_ESTIMATE),
        ])),
    ),
]);

const LEVELS: Shape = Shape::List(&Shape::Text, limits::FACTORS);
const WEIGHT: Shape = Shape::Object(&[must("cell", LEVELS), must("weight", Shape::Text)]);
const SHIFT: Shape = Shape::Object(&[must("cell", LEVELS), must("by", Shape::Text)]);
const WITNESS: Shape = Shape::Object(&[must("shifts", Shape::List(&SHIFT, CELLS)), must("moves", Shape::Text)]);
const WEIGHTS: Shape = Shape::List(&WEIGHT, CELLS);
const OBSERVED: Shape = Shape::List(&LEVELS, CELLS);

const CROSSED: Shape = Shape::Object(&[
    must("readout", LEVELS),
    must("stack", LEVELS),
    must("identified", Shape::Flag),
    may("weights", WEIGHTS),
    may("witness", WITNESS),
]);
const VERTEX: Shape = Shape::Object(&[
    must("vertex", Shape::Text),
    must("alternative", Shape::Text),
    must("reference", Shape::Text),
    must("gain_reference", EFFECT),
    must("gain_alternative", EFFECT),
    must("interaction", EFFECT),
    must("equivalence_margin", Shape::Maybe(&Shape::Text)),
    must("equivalence", TEST),
    must(
        "equal_targets",
        Shape::Maybe(&Shape::Object(&[
            must("targets", Shape::Counts(TARGETS)),
            must("gain_reference", MAYBE_ESTIMATE),
            must("gain_alternative", MAYBE_ESTIMATE),
            must("interaction", MAYBE_ESTIMATE),
        ])),
    ),
    must("auc", Shape::Maybe(&AUC)),
    must("layouts", LAYOUTS),
    must("waves", WAVES),
    must("icc_a1", MAYBE_ESTIMATE),
]);
const BRIDGE: Shape = Shape::Object(&[
    must("n", Shape::Count),
    must("clusters", Shape::Count),
    must("vertices", Shape::List(&VERTEX, limits::CUBE_CELLS)),
    must("directional_support", Shape::Maybe(&Shape::Flag)),
    must("criterion_support", Shape::Maybe(&Shape::Flag)),
    must(
        "readout_by_stack",
        Shape::Maybe(&Shape::Object(&[
            must("factors", LEVELS),
            must("observed", OBSERVED),
            must("interactions", Shape::List(&CROSSED, PAIRS)),
        ])),
    ),
]);

const VIEW_CONTRAST: Shape = Shape::Object(&[
    must("from", Shape::Text),
    must("to", Shape::Text),
    must("authority", Shape::Text),
    must("shift_before", EFFECT),
    must("shift_after", EFFECT),
    must("interaction", EFFECT),
    must("departs", Shape::Maybe(&Shape::Flag)),
    must(
        "equivalence",
        Shape::Object(&[must("shift_before", TEST), must("shift_after", TEST), must("interaction", TEST)]),
    ),
    must("equal_targets", MAYBE_ESTIMATE),
    must("auc", Shape::Maybe(&AUC)),
]);
const CUBE: Shape = Shape::Object(&[
    must("n", Shape::Count),
    must("clusters", Shape::Count),
    must("targets", Shape::Maybe(&Shape::Counts(TARGETS))),
    must(
        "gains",
        Shape::List(
            &Shape::Object(&[
                must("view", Shape::Text),
                must("authority", Shape::Text),
                must("gain", EFFECT),
                must("equal_targets", MAYBE_ESTIMATE),
            ]),
            limits::CUBE_CELLS,
        ),
    ),
    must(
        "authority_effects",
        Shape::List(
            &Shape::Object(&[
                must("view", Shape::Text),
                must("from", Shape::Text),
                must("to", Shape::Text),
                must("effect", EFFECT),
            ]),
            limits::CUBE_CELLS,
        ),
    ),
    must("view_contrasts", Shape::List(&VIEW_CONTRAST, PAIRS)),
    must(
        "authority_interactions",
        Shape::List(
            &Shape::Object(&[
                must("from", Shape::Text),
                must("to", Shape::Text),
                must("effect", EFFECT),
                must("equivalence", TEST),
                must("equal_targets", MAYBE_ESTIMATE),
            ]),
            PAIRS,
        ),
    ),
]);
const RETRIEVAL: Shape = Shape::Object(&[
    must("n", Shape::Count),
    must("clusters", Shape::Count),
    must("state", SIGNED),
    must("view", SIGNED),
    must("gain", SIGNED),
    may(
        "direct",
        Shape::Object(&[
            must("n", Shape::Count),
            must("clusters", Shape::Count),
            must("gain", SIGNED),
            must("omega", SIGNED),
        ]),
    ),
]);
const CONTROLS: Shape = Shape::Object(&[
    must("n", Shape::Count),
    must("clusters", Shape::Count),
    must("own", EFFECT),
    must("controls", Shape::List(&Shape::Object(&[must("name", Shape::Text), must("effect", EFFECT)]), 3)),
]);
const DESIGN: Shape = Shape::Object(&[
    must("id", Shape::Text),
    must("factors", LEVELS),
    must("observed", OBSERVED),
    must("identified", Shape::Flag),
    may("weights", WEIGHTS),
    may("witness", WITNESS),
]);

/// Everything that a certificate of version 2 states beyond single transitions, each part by its key.
pub(super) const FINDINGS: [Entry; 8] = [
    must("contrasts", Shape::List(&CONTRAST, limits::CONTRASTS)),
    must(
        "margins",
        Shape::Object(&[must("scalars", Shape::Maybe(&Shape::Text)), must("auc", Shape::Maybe(&Shape::Text))]),
    ),
    may(
        "left_out",
        Shape::List(&Shape::Object(&[must("part", Shape::Text), must("why", Shape::Text)]), limits::CUBE_CELLS),
    ),
    may("bridge", BRIDGE),
    may("matched_cube", CUBE),
    may("retrieval_face", RETRIEVAL),
    may("controls", CONTROLS),
    may("designs", Shape::List(&DESIGN, limits::DESIGNS)),
];
