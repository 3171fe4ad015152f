//! What version 1 states of the whole study: contrasts, without what lies beside them.

use super::{Findings, decimal};
use crate::seal::json::Json;
use crate::seal::predicate::{CertificateFault, Field};
use crate::step_value::contrast::ContrastReport;
use crate::step_value::face::{Side, Turn};
use crate::step_value::findings::big;
use crate::step_value::inference::Effect;
use crate::step_value::measure::sign_word;
use crate::step_value::study::Study;
use crate::step_value::walk::Report;

/// Names of the three figures of a contrast or a face, in order.
pub(super) const FIGURES: [&str; 3] = ["gain_reference", "gain_alternative", "omega"];

impl Findings {
    /// What version 1 states of a report.
    pub(in super::super) fn first(study: &Study, report: &Report) -> Self {
        Self::Contrasts(report.contrasts.iter().map(|found| contrast(study, found)).collect())
    }
}

/// A mean with its interval over trajectories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mean {
    /// The mean.
    pub mean: String,
    /// Lower end of the 95 % interval.
    pub lo: String,
    /// Upper end.
    pub hi: String,
    /// The sign that the mean's own envelope certifies.
    pub sign: String,
}

impl Mean {
    fn of(effect: Effect) -> Self {
        let Effect { estimate, sign } = effect;
        Self {
            mean: decimal(estimate.value),
            lo: decimal(estimate.lo),
            hi: decimal(estimate.hi),
            sign: sign_word(sign).to_owned(),
        }
    }
}

/// A contrast's figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundContrast {
    /// Its id.
    pub id: String,
    /// ρ0.
    pub reference: String,
    /// ρ1.
    pub alternative: String,
    /// Complete transitions.
    pub n: u64,
    /// Their trajectories.
    pub clusters: u64,
    /// `G^ρ0`, `G^ρ1` and Ω; `None` for an empty cohort.
    pub means: Option<[Mean; 3]>,
    /// Flips, in the order of [`Turn::ALL`].
    pub flips: [u64; 4],
    /// Whether the means have opposite certified signs.
    pub strict_mean_reversal: bool,
}

fn contrast(study: &Study, report: &ContrastReport) -> BoundContrast {
    let declared = &study.contrasts[report.contrast];
    let gains = Side::BOTH.map(|side| report.gain(side).map(Mean::of));
    let [reference, alternative] = gains;
    let means = reference.zip(alternative).zip(report.omega.map(Mean::of));
    BoundContrast {
        id: declared.id.clone(),
        reference: study.channels[declared.reference].id.clone(),
        alternative: study.channels[declared.alternative].id.clone(),
        n: report.cohort.members().len() as u64,
        clusters: report.cohort.trajectories().len() as u64,
        means: means.map(|((reference, alternative), omega)| [reference, alternative, omega]),
        flips: Turn::ALL.map(|turn| report.flips(turn) as u64),
        strict_mean_reversal: report.opposite_signs() == Some(true),
    }
}

/// A contrast as it is signed.
pub(super) fn written(bound: &BoundContrast) -> Json {
    let flips = Turn::ALL.into_iter().zip(bound.flips).map(|(turn, n)| (turn.word(), big(n)));
    let mut fields = vec![
        ("id", Json::text(&bound.id)),
        ("reference", Json::text(&bound.reference)),
        ("alternative", Json::text(&bound.alternative)),
        ("n", big(bound.n)),
        ("clusters", big(bound.clusters)),
        ("flips", Json::map(flips)),
        ("strict_mean_reversal", Json::Bool(bound.strict_mean_reversal)),
    ];
    if let Some(means) = &bound.means {
        fields.extend(FIGURES.into_iter().zip(means.each_ref().map(|mean: &Mean| {
            Json::map([
                ("mean", Json::text(&mean.mean)),
                ("lo", Json::text(&mean.lo)),
                ("hi", Json::text(&mean.hi)),
                ("sign", Json::text(&mean.sign)),
            ])
        })));
    }
    Json::map(fields)
}

/// A contrast as it was signed.
pub(super) fn read(field: &Field<'_>) -> Result<BoundContrast, CertificateFault> {
    let flips = field.get("flips")?;
    let mut counts = [0; 4];
    for (slot, turn) in counts.iter_mut().zip(Turn::ALL) {
        *slot = flips.get(turn.word())?.count()?;
    }
    let mean = |key: &str| {
        let field = field.get(key)?;
        Ok::<_, CertificateFault>(Mean {
            mean: field.get("mean")?.text()?,
            lo: field.get("lo")?.text()?,
            hi: field.get("hi")?.text()?,
            sign: field.get("sign")?.text()?,
        })
    };
    let means = match field.json.get(FIGURES[0]) {
        Some(_) => Some([mean(FIGURES[0])?, mean(FIGURES[1])?, mean(FIGURES[2])?]),
        None => None,
    };
    let reversal = field.get("strict_mean_reversal")?;
    Ok(BoundContrast {
        id: field.get("id")?.text()?,
        reference: field.get("reference")?.text()?,
        alternative: field.get("alternative")?.text()?,
        n: field.get("n")?.count()?,
        clusters: field.get("clusters")?.count()?,
        means,
        flips: counts,
        strict_mean_reversal: Json::as_bool(reversal.json).ok_or_else(|| reversal.fault())?,
    })
}
