//! The optional parts of a study document: bridge, matched cube, retrieval face, controls, designs.

use std::collections::BTreeSet;

use super::read::{Building, Read, at_most, margin, rational};
use super::roles::{Controls, CubeCell, DeclaredDesign, MatchedCube, RetrievalFace, Vertex};
use super::{Channel, matched};
use crate::exact::Rational;
use crate::limits;
use crate::seal::document::Field;
use crate::step_value::design::{Combination, Design, Difference, Factor, PARAMETERS};

impl Building {
    pub(super) fn bridge(&mut self, list: Option<Field<'_, '_>>, channels: &[Channel]) -> Read<Vec<Vertex>> {
        let Some(list) = list else { return Ok(Vec::new()) };
        let mut bridge: Vec<Vertex> = Vec::new();
        at_most(&list, "vertices", limits::CUBE_CELLS)?;
        for field in list.items()? {
            field.object(&["vertex", "alternative", "reference", "equivalence_margin"], &mut self.notices)?;
            let vertex = field.need("vertex")?;
            let name = vertex.text()?.to_owned();
            if bridge.iter().any(|other| other.name == name) {
                return Err(vertex.refuse(format!("two vertices are called `{name}`"), "Name each vertex once."));
            }
            let (alternative, reference) = self.pair(&field)?;
            let equivalence_margin = margin(field.get("equivalence_margin"))?;
            let vertex = Vertex { name, alternative, reference, equivalence_margin };
            if let Err(fault) = matched::vertex(&field, channels, &vertex, bridge.first().unwrap_or(&vertex)) {
                self.leave_out("bridge", fault);
                return Ok(Vec::new());
            }
            bridge.push(vertex);
        }
        Ok(bridge)
    }

    pub(super) fn cube(&mut self, list: &Field<'_, '_>, channels: &[Channel]) -> Read<Option<MatchedCube>> {
        let mut cells: Vec<CubeCell> = Vec::new();
        let (mut views, mut authorities): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        at_most(list, "cells", limits::CUBE_CELLS)?;
        if list.items()?.len() == 0 {
            return Err(list.refuse("a matched cube without cells", "Name a channel for every view and authority."));
        }
        for field in list.items()? {
            let channel = self.channel(&field)?;
            let Channel { view, authority, .. } = &channels[channel];
            let first = cells.first().map_or(&channels[channel], |cell| &channels[cell.channel]);
            if let Err(fault) = matched::cell(&field, &channels[channel], first) {
                self.leave_out("matched_cube", fault);
                return Ok(None);
            }
            if cells.iter().any(|cell| cell.view == *view && cell.authority == *authority) {
                let what = format!("the cube has view `{view}` under authority `{authority}` twice");
                return Err(field.refuse(what, "Name one channel for each view and authority."));
            }
            for (word, seen) in [(view, &mut views), (authority, &mut authorities)] {
                if !seen.contains(word) {
                    seen.push(word.clone());
                }
            }
            cells.push(CubeCell { view: view.clone(), authority: authority.clone(), channel });
        }
        let mut ordered = Vec::with_capacity(cells.len());
        for view in &views {
            for authority in &authorities {
                let cell = cells.iter().find(|cell| cell.view == *view && cell.authority == *authority);
                ordered.push(cell.cloned().ok_or_else(|| {
                    let what = format!("the cube lacks view `{view}` under authority `{authority}`");
                    list.refuse(what, "A matched cube crosses every view with every authority: name that channel too.")
                })?);
            }
        }
        Ok(Some(MatchedCube { views, authorities, cells: ordered }))
    }

    pub(super) fn retrieval(&mut self, field: &Field<'_, '_>, channels: &[Channel]) -> Read<RetrievalFace> {
        field.object(&["channel", "direct"], &mut self.notices)?;
        let channel = self.channel(&field.need("channel")?)?;
        matched::crossed(field, &channels[channel])?;
        let Some(path) = field.get("direct") else { return Ok(RetrievalFace { channel, direct: None }) };
        path.text()?;
        let direct = self.channel(&path).and_then(|direct| {
            if direct == channel {
                let what = "the direct path is the crossed channel itself";
                return Err(path.refuse(what, "Name a channel without a view."));
            }
            matched::direct(&path, &channels[channel], &channels[direct])?;
            Ok(direct)
        });
        // The face stands without it.
        let direct = direct.map_err(|fault| self.leave_out("retrieval_face.direct", fault)).ok();
        Ok(RetrievalFace { channel, direct })
    }

    pub(super) fn controls(&mut self, field: &Field<'_, '_>, channels: &[Channel]) -> Read<Option<Controls>> {
        field.object(&["own", "donor", "state_last", "authority"], &mut self.notices)?;
        let own = self.channel(&field.need("own")?)?;
        let other = |key: &str| field.get(key).map(|f| self.channel(&f)).transpose();
        let controls =
            Controls { own, donor: other("donor")?, state_last: other("state_last")?, authority: other("authority")? };
        let named: Vec<usize> =
            [Some(own), controls.donor, controls.state_last, controls.authority].into_iter().flatten().collect();
        if (1..named.len()).any(|i| named[..i].contains(&named[i])) {
            return Err(field.refuse("two controls are the same channel", "Name a channel of its own for each."));
        }
        let declared =
            [("donor", controls.donor), ("state_last", controls.state_last), ("authority", controls.authority)];
        for (key, channel) in declared.into_iter().filter_map(|(key, channel)| Some((key, channel?))) {
            if let Err(fault) = matched::control(&field.need(key)?, key, &channels[channel], &channels[own]) {
                self.leave_out("controls", fault);
                return Ok(None);
            }
        }
        Ok(Some(controls))
    }

    pub(super) fn designs(&mut self, list: Option<Field<'_, '_>>) -> Read<Vec<DeclaredDesign>> {
        let Some(list) = list else { return Ok(Vec::new()) };
        let mut designs: Vec<DeclaredDesign> = Vec::new();
        at_most(&list, "designs", limits::DESIGNS)?;
        for field in list.items()? {
            field.object(&["id", "factors", "observed", "terms", "contrast"], &mut self.notices)?;
            let id = field.need("id")?;
            if designs.iter().any(|other| Ok(other.id.as_str()) == id.text()) {
                let what = format!("two designs are called `{}`", id.text()?);
                return Err(id.refuse(what, "Give each an id of its own."));
            }
            let id = id.text()?.to_owned();
            let factors = self.factors(&field.need("factors")?)?;
            let cells = field.need("observed")?;
            let mut seen = BTreeSet::new();
            let mut observed: Vec<Combination> = Vec::new();
            for cell in cells.items()? {
                let found = combination(&cell, &factors)?;
                if !seen.insert(found.clone()) {
                    return Err(cell.refuse("the cell is listed twice", "List each observed cell once."));
                }
                observed.push(found);
            }
            let terms = match field.get("terms") {
                None => None,
                Some(terms) => Some(closed(&terms, &factors)?),
            };
            let design = Design { factors, observed, terms };
            if design.parameters().is_none() {
                let help = format!("At most {PARAMETERS} parameters are decided on: declare fewer levels or `terms`.");
                return Err(field.refuse("the design is too large", help));
            }
            let contrast = self.coefficients(&field.need("contrast")?, &design)?;
            designs.push(DeclaredDesign { id, design, contrast });
        }
        Ok(designs)
    }

    fn factors(&mut self, list: &Field<'_, '_>) -> Read<Vec<Factor>> {
        let mut factors: Vec<Factor> = Vec::new();
        at_most(list, "factors", limits::FACTORS)?;
        for field in list.items()? {
            field.object(&["name", "levels"], &mut self.notices)?;
            let name = field.need("name")?.text()?.to_owned();
            let levels = field.need("levels")?;
            at_most(&levels, "levels", limits::DESIGNS)?;
            let levels: Vec<String> = levels.items()?.map(|l| l.text().map(str::to_owned)).collect::<Read<_>>()?;
            let repeated = (1..levels.len()).any(|i| levels[..i].contains(&levels[i]));
            if levels.len() < 2 || repeated || factors.iter().any(|other| other.name == name) {
                let help = "A factor has a name of its own and two or more different levels.";
                return Err(field.refuse(format!("`{name}` is no factor"), help));
            }
            factors.push(Factor { name, levels });
        }
        Ok(factors)
    }

    /// A contrast: a product of differences, or weights of cells, which say any other.
    fn coefficients(&mut self, list: &Field<'_, '_>, design: &Design) -> Read<Vec<(Combination, Rational)>> {
        at_most(list, "entries", PARAMETERS)?;
        if list.items()?.any(|item| item.get("cell").is_some()) {
            return self.weights(list, design);
        }
        let differences: Vec<Difference> =
            list.items()?.map(|item| self.difference(&item, &design.factors)).collect::<Read<_>>()?;
        let mut moved: Vec<usize> = differences.iter().map(|d| d.factor).collect();
        moved.sort_unstable();
        moved.dedup();
        if differences.is_empty() || moved.len() < differences.len() {
            return Err(list.refuse("this is no contrast", "A contrast moves one or more factors, each once."));
        }
        Ok(design.contrast(&differences))
    }

    fn weights(&mut self, list: &Field<'_, '_>, design: &Design) -> Read<Vec<(Combination, Rational)>> {
        let mut weights: Vec<(Combination, Rational)> = Vec::new();
        for item in list.items()? {
            item.object(&["cell", "weight"], &mut self.notices)?;
            let cell = combination(&item.need("cell")?, &design.factors)?;
            if weights.iter().any(|(other, _)| *other == cell) {
                return Err(item.refuse("the cell has a weight already", "Weigh each cell once."));
            }
            weights.push((cell, rational(&item.need("weight")?)?));
        }
        let sum = weights.iter().fold(Rational::ZERO, |sum, (_, weight)| sum.add(weight));
        if !sum.is_zero() || weights.iter().all(|(_, weight)| weight.is_zero()) {
            let what = format!("weights that sum to {sum} are no contrast");
            return Err(list.refuse(what, "The weights of a contrast sum to 0, and not all of them are 0."));
        }
        Ok(weights)
    }

    fn difference(&mut self, field: &Field<'_, '_>, factors: &[Factor]) -> Read<Difference> {
        field.object(&["factor", "from", "to"], &mut self.notices)?;
        let factor = named(&field.need("factor")?, factors)?;
        let level = |key: &str| level(&field.need(key)?, &factors[factor]);
        let difference = Difference { factor, from: level("from")?, to: level("to")? };
        if difference.from == difference.to {
            return Err(field.refuse("a level is compared with itself", "Name two different levels."));
        }
        Ok(difference)
    }
}

fn combination(field: &Field<'_, '_>, factors: &[Factor]) -> Read<Combination> {
    let items = field.items()?;
    if items.len() != factors.len() {
        let what = format!("a cell with {} levels of {} factors", items.len(), factors.len());
        return Err(field.refuse(what, "A cell names one level of every factor, in their order."));
    }
    items.zip(factors).map(|(item, factor)| level(&item, factor)).collect()
}

/// The terms, each with all terms that it contains: without them the answer would hang on which level is listed first.
fn closed(list: &Field<'_, '_>, factors: &[Factor]) -> Read<Vec<Vec<usize>>> {
    at_most(list, "terms", PARAMETERS)?;
    let terms: Vec<Vec<usize>> = list.items()?.map(|term| names(&term, factors)).collect::<Read<_>>()?;
    for (term, field) in terms.iter().zip(list.items()?) {
        let lacks = |left_out: &usize| {
            let rest: Vec<usize> = term.iter().copied().filter(|factor| factor != left_out).collect();
            !rest.is_empty() && !terms.contains(&rest)
        };
        if term.iter().any(lacks) {
            let help = "List every factor of an interaction, and every smaller interaction of them, as a term too.";
            return Err(field.refuse("an interaction without the terms that it contains", help));
        }
    }
    Ok(terms)
}

fn names(field: &Field<'_, '_>, factors: &[Factor]) -> Read<Vec<usize>> {
    let mut term: Vec<usize> = field.items()?.map(|name| named(&name, factors)).collect::<Read<_>>()?;
    term.sort_unstable();
    term.dedup();
    Ok(term)
}

fn named(field: &Field<'_, '_>, factors: &[Factor]) -> Read<usize> {
    let name = field.text()?;
    factors
        .iter()
        .position(|factor| factor.name == name)
        .ok_or_else(|| field.not_a_word(name, &factors.iter().map(|factor| factor.name.as_str()).collect::<Vec<_>>()))
}

fn level(field: &Field<'_, '_>, factor: &Factor) -> Read<usize> {
    let name = field.text()?;
    factor
        .levels
        .iter()
        .position(|level| level == name)
        .ok_or_else(|| field.not_a_word(name, &factor.levels.iter().map(String::as_str).collect::<Vec<_>>()))
}
