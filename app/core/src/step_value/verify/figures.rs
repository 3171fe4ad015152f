//! That signs, verdicts and whatever else is a function of stated figures follow from them.

use super::stated::{Held, at, count, effect, estimate, figure, flag, hold, items, margin, measured, test};
use super::{Contrast, contrasts};
use crate::exact::Rational;
use crate::seal::check::Answer;
use crate::seal::json::Json;
use crate::seal::predicate::Field;
use crate::stats::Estimate;
use crate::step_value::bridge::at_every_vertex;
use crate::step_value::certificate::{Findings, Scope, StepCertificate};
use crate::step_value::cube::departs;
use crate::step_value::face::Turn;
use crate::step_value::inference::{Effect, concludes};
use crate::step_value::measure::{Measured, sign_word};

pub(super) fn signs(certificate: &StepCertificate) -> Answer {
    let contrasts = contrasts(certificate)?;
    let mut checked = faces(certificate, &contrasts)?;
    match &certificate.findings {
        Findings::Contrasts(_) => {
            for contrast in &contrasts {
                let Some([reference, alternative, _]) = contrast.means else { continue };
                let opposite = reference.1.zip(alternative.1).is_some_and(|(a, b)| a != b);
                hold(contrast.reversal == opposite, || {
                    format!("contrast `{}`: the reversal does not follow from the signs of its means", contrast.id)
                })?;
            }
        }
        Findings::Whole(whole) => {
            let whole = Field { json: whole, name: "predicate".to_owned() };
            let draws = certificate.sampling().map_or(0, |sampling| sampling.draws);
            checked += estimates(&whole, draws)?;
            Study::of(&whole, draws)?.follows(&whole)?;
        }
    }
    Ok(format!("{checked} of {checked} signs follow"))
}

/// Every figure of a single transition, and every figure of a contrast that is one of those of its transitions.
fn faces(certificate: &StepCertificate, contrasts: &[Contrast]) -> Result<usize, String> {
    let mut checked = 0;
    let mut all: Vec<[Vec<Measured>; 3]> = vec![Default::default(); contrasts.len()];
    for face in &certificate.faces {
        let at = |why: String| format!("transition `{}`, contrast `{}`: {why}", face.transition, face.contrast);
        let mut found = [Measured::zero(); 3];
        for (found, stated) in found.iter_mut().zip(&face.figures) {
            *found = measured(&stated.value, [&stated.lo, &stated.hi], &stated.sign).map_err(at)?;
            checked += 1;
        }
        let [reference, alternative, omega] = found;
        hold(alternative.sub(&reference) == omega, || at("Ω is not the difference of the gains".to_owned()))?;
        if let Some(place) = contrasts.iter().position(|contrast| contrast.id == face.contrast) {
            all[place].iter_mut().zip(found).for_each(|(figures, figure)| figures.push(figure));
        }
    }
    // Where all transitions are listed, a contrast is what they make.
    if certificate.scope == Scope::Study {
        for (contrast, figures) in contrasts.iter().zip(&all) {
            of_transitions(contrast, figures)?;
        }
    }
    Ok(checked)
}

fn of_transitions(contrast: &Contrast, figures: &[Vec<Measured>; 3]) -> Held {
    let differs =
        |what: &str| format!("contrast `{}`: its {what} are not those of the listed transitions", contrast.id);
    let mut flips = [0; 4];
    for (reference, alternative) in figures[0].iter().zip(&figures[1]) {
        let turn = Turn::of(reference.sign(), alternative.sign());
        flips.iter_mut().zip(Turn::ALL).filter(|(_, other)| *other == turn).for_each(|(count, _)| *count += 1);
    }
    hold(flips == contrast.flips, || differs("flips"))?;
    if let Some(signs) = contrast.signs {
        let counted = figures.each_ref().map(|figures| {
            ["positive", "negative", "abstained"]
                .map(|word| figures.iter().filter(|figure| sign_word(figure.sign()) == word).count() as u64)
        });
        hold(counted == signs, || differs("signs"))?;
    }
    let Some(means) = contrast.means else { return Ok(()) };
    for (figures, (value, sign)) in figures.iter().zip(means) {
        let same = Measured::mean(figures).is_some_and(|mean| mean.value == value && mean.sign() == sign);
        hold(same, || differs("means"))?;
    }
    Ok(())
}

/// Every estimate at any depth: how many of them have a sign.
fn estimates(field: &Field<'_>, draws: u32) -> Result<usize, String> {
    let mut signs = 0;
    match field.json {
        Json::List(_) => {
            for item in items(field) {
                signs += estimates(&item, draws)?;
            }
        }
        Json::Map(entries) if field.json.get("mean").and_then(Json::as_text).is_some() => {
            let signed = entries.iter().any(|(key, _)| key == "sign");
            // How many clusters there are changes nothing of what is looked at here.
            if signed {
                effect(field, draws, 0).map(|_| ())?
            } else {
                estimate(field, draws, 0).map(|_| ())?
            }
            signs += usize::from(signed);
        }
        Json::Map(entries) => {
            for (key, _) in entries {
                signs += estimates(&at(field, key), draws)?;
            }
        }
        _ => {}
    }
    Ok(signs)
}

/// What the tests of a study are made against.
struct Study {
    draws: u32,
    scalars: Option<Rational>,
    aucs: Option<Rational>,
}

impl Study {
    fn of(whole: &Field<'_>, draws: u32) -> Result<Self, String> {
        let margins = at(whole, "margins");
        Ok(Self { draws, scalars: margin(&at(&margins, "scalars"))?, aucs: margin(&at(&margins, "auc"))? })
    }

    fn follows(&self, whole: &Field<'_>) -> Held {
        items(&at(whole, "contrasts")).iter().try_for_each(|contrast| self.contrast(contrast))?;
        self.bridge(&at(whole, "bridge"))?;
        self.cube(&at(whole, "matched_cube"))?;
        let face = at(whole, "retrieval_face");
        self.signed(&face, &["state", "view", "gain"])?;
        self.signed(&at(&face, "direct"), &["gain", "omega"])?;
        let controls = at(whole, "controls");
        if *controls.json == Json::Null {
            return Ok(());
        }
        self.effect(&controls, &at(&controls, "own"))?;
        items(&at(&controls, "controls"))
            .iter()
            .try_for_each(|control| self.effect(&controls, &at(control, "effect")).map(|_| ()))
    }

    /// Effects beside which the signs of the trajectories are counted.
    fn signed(&self, part: &Field<'_>, keys: &[&str]) -> Held {
        let keys = if *part.json == Json::Null { &[][..] } else { keys };
        keys.iter().try_for_each(|key| self.effect(part, &at(&at(part, key), "effect")).map(|_| ()))
    }

    /// An effect over a cohort: there for whoever has a step, with an interval from two trajectories on.
    fn effect(&self, part: &Field<'_>, field: &Field<'_>) -> Result<Option<Effect>, String> {
        let [n, clusters] = ["n", "clusters"].map(|key| count(part, key));
        let found = effect(field, self.draws, clusters)?;
        let right = found.map_or(n == 0, |found| n > 0 && found.estimate.is_bounded() == (clusters > 1));
        hold(right, || format!("`{}` is not what {n} steps of {clusters} trajectories give", field.name))?;
        Ok(found)
    }

    fn contrast(&self, contrast: &Field<'_>) -> Held {
        let clusters = count(contrast, "clusters");
        let gains = ["gain_reference", "gain_alternative"].map(|key| self.effect(contrast, &at(contrast, key)));
        let [reference, alternative] = gains;
        let gains = reference?.zip(alternative?);
        self.effect(contrast, &at(contrast, "omega"))?;
        for key in ["layouts", "waves"] {
            items(&at(contrast, key)).iter().try_for_each(|part| self.effect(contrast, part).map(|_| ()))?;
        }
        let opposite = gains.and_then(|(a, b)| Some(a.sign? != b.sign?));
        let clear = gains.and_then(|(a, b)| {
            (concludes(&a.estimate) && concludes(&b.estimate)).then(|| a.is_clear() && b.is_clear())
        });
        flag(&at(contrast, "opposite_signs"), opposite)?;
        flag(&at(contrast, "clear_of_zero"), clear)?;
        flag(&at(contrast, "strict_mean_reversal"), Some(opposite == Some(true) && clear == Some(true)))?;
        let crossing = gains.filter(|_| opposite == Some(true));
        let crossing = crossing.map(|(a, b)| a.estimate.value / (a.estimate.value - b.estimate.value));
        let stated = at(contrast, "crossing");
        hold(figure(&stated)? == crossing, || format!("`{}` does not follow from the means", stated.name))?;
        test(&at(contrast, "equivalence"), self.draws, clusters, self.scalars.as_ref())?;
        let auc = at(contrast, "auc");
        ["gain", "after"].iter().try_for_each(|key| self.auc(&at(&auc, key)).map(|_| ()))
    }

    /// Two areas and their difference; the difference, if they are known.
    fn auc(&self, auc: &Field<'_>) -> Result<Option<Estimate>, String> {
        if *auc.json == Json::Null {
            return Ok(None);
        }
        let least = count(auc, "successes").min(count(auc, "failures"));
        let of = |key: &str| estimate(&at(auc, key), self.draws, least);
        let (Some(reference), Some(alternative), Some(difference)) =
            (of("reference")?, of("alternative")?, of("difference")?)
        else {
            return Err(format!("`{}` lacks an area", auc.name));
        };
        let all = [reference, alternative, difference];
        let ranges = all.iter().zip([0.0, 0.0, -1.0]).all(|(found, least)| {
            let ends = if found.is_bounded() { [found.lo, found.hi] } else { [found.value; 2] };
            [found.value, ends[0], ends[1]].iter().all(|value| (least..=1.0).contains(value))
        });
        let right = ranges && all.iter().all(|found| found.is_bounded() == (least > 1));
        hold(right, || format!("`{}` states what no area can be", auc.name))?;
        hold(difference.value == reference.value - alternative.value, || {
            format!("`{}.difference` is not the difference of the areas", auc.name)
        })?;
        test(&at(auc, "equivalence"), self.draws, least, self.aucs.as_ref())?;
        Ok(Some(difference))
    }

    fn bridge(&self, bridge: &Field<'_>) -> Held {
        if *bridge.json == Json::Null {
            return Ok(());
        }
        let clusters = count(bridge, "clusters");
        let (mut interactions, mut areas) = (Vec::new(), Vec::new());
        for vertex in items(&at(bridge, "vertices")) {
            for key in ["gain_reference", "gain_alternative"] {
                self.effect(bridge, &at(&vertex, key))?;
            }
            for key in ["layouts", "waves"] {
                items(&at(&vertex, key)).iter().try_for_each(|part| self.effect(bridge, part).map(|_| ()))?;
            }
            interactions.push(self.effect(bridge, &at(&vertex, "interaction"))?.map(|effect| effect.estimate));
            areas.push(self.auc(&at(&vertex, "auc"))?);
            let own = margin(&at(&vertex, "equivalence_margin"))?;
            test(&at(&vertex, "equivalence"), self.draws, clusters, own.as_ref())?;
        }
        let directional = at_every_vertex(interactions.into_iter(), Estimate::below_zero);
        flag(&at(bridge, "directional_support"), directional)?;
        flag(&at(bridge, "criterion_support"), at_every_vertex(areas.into_iter(), Estimate::above_zero))
    }

    fn cube(&self, cube: &Field<'_>) -> Held {
        let clusters = count(cube, "clusters");
        let scalars = self.scalars.as_ref();
        for contrast in items(&at(cube, "view_contrasts")) {
            let tests = at(&contrast, "equivalence");
            let mut all = Vec::new();
            for key in ["shift_before", "shift_after", "interaction"] {
                all.extend(self.effect(cube, &at(&contrast, key))?.map(|effect| effect.estimate));
                test(&at(&tests, key), self.draws, clusters, scalars)?;
            }
            all.extend(self.auc(&at(&contrast, "auc"))?);
            flag(&at(&contrast, "departs"), departs(all.into_iter()))?;
        }
        for interaction in items(&at(cube, "authority_interactions")) {
            self.effect(cube, &at(&interaction, "effect"))?;
            test(&at(&interaction, "equivalence"), self.draws, clusters, scalars)?;
        }
        Ok(())
    }
}
