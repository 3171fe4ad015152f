//! That the counts of a certificate can be those of one study.

use std::collections::BTreeSet;

use super::stated::{Held, at, count, hold, items};
use super::{Contrast, contrasts};
use crate::limits;
use crate::seal::check::Answer;
use crate::seal::json::Json;
use crate::seal::predicate::Field;
use crate::step_value::certificate::{Findings, Scope, StepCertificate};
use crate::step_value::inference::ENOUGH_DRAWS;
use crate::step_value::study::Origin;

pub(super) fn counts(certificate: &StepCertificate) -> Answer {
    let [transitions, trajectories, complete] = certificate.cohort;
    hold(complete <= transitions && trajectories <= transitions && (trajectories > 0 || transitions == 0), || {
        format!("{complete} of {transitions} transitions, {trajectories} trajectories: impossible")
    })?;
    let origins = [Origin::Recorded, Origin::Simulated].map(Origin::word);
    hold(origins.contains(&certificate.origin.as_str()), || {
        format!("the origin `{}` is neither `{}` nor `{}`", certificate.origin, origins[0], origins[1])
    })?;
    hold(certificate.sampling().is_some(), || {
        format!(
            "{} draws from seed `{}`: a certificate states {ENOUGH_DRAWS} to {} draws, and a seed of 64 bits in digits",
            certificate.draws,
            certificate.seed,
            limits::DRAWS
        )
    })?;
    let contrasts = contrasts(certificate)?;
    for contrast in &contrasts {
        of_contrast(certificate, contrast)?;
    }
    hold(contrasts.len() != 1 || contrasts[0].n == complete, || {
        format!("{} transitions complete, and {} in the only contrast", complete, contrasts[0].n)
    })?;
    listed(certificate, &contrasts)?;
    if let Findings::Whole(whole) = &certificate.findings {
        let whole = Field { json: whole, name: "predicate".to_owned() };
        parts(&whole, certificate, None)?;
        parallel(&whole)?;
    }
    Ok(format!("{complete} of {transitions} transitions complete; flips sum up in every contrast"))
}

fn of_contrast(certificate: &StepCertificate, contrast: &Contrast) -> Held {
    let [transitions, trajectories, complete] = certificate.cohort;
    let Contrast { id, n, clusters, .. } = contrast;
    let turned: u64 = contrast.flips.iter().fold(0, |sum, n| sum.saturating_add(*n));
    hold(turned == *n && n <= &transitions && clusters <= n, || {
        format!("contrast `{id}`: {turned} flips of {n} transitions, {clusters} trajectories")
    })?;
    hold(complete <= *n && clusters <= &trajectories && (*n == 0 || *clusters > 0), || {
        format!(
            "contrast `{id}`: {n} transitions of {clusters} trajectories, of a study with {complete} complete ones of {trajectories}"
        )
    })?;
    hold(contrast.means.is_some() == (*n > 0), || {
        format!("contrast `{id}`: means without a cohort, or a cohort without means")
    })?;
    let summed = contrast.signs.is_none_or(|signs| {
        signs.iter().all(|counts| counts.iter().fold(0_u64, |sum, count| sum.saturating_add(*count)) == *n)
    });
    hold(summed, || format!("contrast `{id}`: its signs do not sum up to {n}"))
}

/// That the transitions that are listed one by one are those of the scope, once for each contrast.
fn listed(certificate: &StepCertificate, contrasts: &[Contrast]) -> Held {
    let ids: BTreeSet<&str> = contrasts.iter().map(|contrast| contrast.id.as_str()).collect();
    hold(ids.len() == contrasts.len(), || "two contrasts have one id".to_owned())?;
    hold(!certificate.faces.is_empty(), || "no transition is listed".to_owned())?;
    let mut seen = BTreeSet::new();
    for face in &certificate.faces {
        let at = || format!("transition `{}`, contrast `{}`", face.transition, face.contrast);
        hold(ids.contains(face.contrast.as_str()), || format!("{}: no such contrast is stated", at()))?;
        hold(seen.insert((&face.contrast, &face.transition)), || format!("{} is listed twice", at()))?;
        if let Scope::Transition(id) = &certificate.scope {
            hold(face.transition == *id, || format!("the scope is transition `{id}`, yet another one is listed"))?;
        }
    }
    if certificate.scope == Scope::Study {
        for contrast in contrasts {
            let listed = certificate.faces.iter().filter(|face| face.contrast == contrast.id).count() as u64;
            hold(listed == contrast.n, || {
                format!("contrast `{}`: {listed} transitions are listed of {}", contrast.id, contrast.n)
            })?;
        }
    }
    Ok(())
}

/// Every part with a cohort of its own has one that the study can hold, and what it counts sums up. `of` is the cohort around
/// a value: steps and trajectories.
fn parts(field: &Field<'_>, certificate: &StepCertificate, of: Option<[u64; 2]>) -> Held {
    let [transitions, trajectories, _] = certificate.cohort;
    let mut of = of;
    match field.json {
        Json::List(_) => items(field).iter().try_for_each(|item| parts(item, certificate, of)),
        Json::Map(entries) => {
            if field.name.ends_with("targets") && entries.iter().all(|(_, count)| count.as_int().is_some()) {
                let (counted, n) = (sum(field.json), of.unwrap_or_default()[0]);
                return hold(counted == n, || format!("`{}` sums up to {counted} of {n} steps", field.name));
            }
            if field.json.get("clusters").is_some() {
                let [n, clusters] = ["n", "clusters"].map(|key| count(field, key));
                let possible =
                    n <= transitions && clusters <= trajectories && clusters <= n && (n == 0 || clusters > 0);
                hold(possible, || {
                    format!("`{}`: {n} steps of {clusters} trajectories, of {trajectories}", field.name)
                })?;
                of = Some([n, clusters]);
            }
            let [_, clusters] = of.unwrap_or_default();
            if field.name.ends_with(".trajectories") {
                let counted = sum(field.json);
                hold(counted == clusters, || format!("`{}` sums up to {counted} of {clusters}", field.name))?;
            }
            if field.json.get("successes").is_some() {
                let [successes, failures] = ["successes", "failures"].map(|key| count(field, key));
                let possible = successes > 0 && failures > 0 && successes.saturating_add(failures) <= clusters;
                hold(possible, || {
                    format!("`{}`: {successes} successes and {failures} failures of {clusters}", field.name)
                })?;
            }
            entries.iter().try_for_each(|(key, _)| parts(&at(field, key), certificate, of))
        }
        _ => Ok(()),
    }
}

fn sum(counts: &Json) -> u64 {
    let entries = counts.as_map().unwrap_or_default();
    let counts = entries.iter().filter_map(|(_, count)| u64::try_from(count.as_int()?).ok());
    counts.fold(0, u64::saturating_add)
}

/// Every contrast and every vertex speaks of the same layouts and waves.
fn parallel(whole: &Field<'_>) -> Held {
    let parts = items(&at(whole, "contrasts")).into_iter().chain(items(&at(&at(whole, "bridge"), "vertices")));
    let lengths: BTreeSet<[usize; 2]> =
        parts.map(|part| ["layouts", "waves"].map(|key| items(&at(&part, key)).len())).collect();
    hold(lengths.len() <= 1 && lengths.iter().all(|[layouts, waves]| *layouts > 0 && *waves != 1), || {
        "the parts of the study state different numbers of layouts or waves".to_owned()
    })
}
