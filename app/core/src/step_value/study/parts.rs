//! The optional parts of a study document: bridge, matched cube, retrieval face, controls, designs.

use super::Channel;
use super::read::{Building, Read};
use super::roles::{Controls, CubeCell, DeclaredDesign, MatchedCube, RetrievalFace, Vertex};
use crate::seal::document::Field;
use crate::step_value::design::{Combination, Design, Difference, Factor, PARAMETERS};

impl Building {
    pub(super) fn bridge(&mut self, list: Option<Field<'_, '_>>) -> Read<Vec<Vertex>> {
        let Some(list) = list else { return Ok(Vec::new()) };
        let mut bridge: Vec<Vertex> = Vec::new();
        for field in list.items()? {
            field.object(&["vertex", "alternative", "reference"], &mut self.notices)?;
            let vertex = field.need("vertex")?;
            let name = vertex.text()?.to_owned();
            if bridge.iter().any(|other| other.name == name) {
                return Err(vertex.refuse(format!("two vertices are called `{name}`"), "Name each vertex once."));
            }
            let (alternative, reference) = self.pair(&field)?;
            bridge.push(Vertex { name, alternative, reference });
        }
        Ok(bridge)
    }

    pub(super) fn cube(&mut self, list: &Field<'_, '_>, channels: &[Channel]) -> Read<MatchedCube> {
        let mut cells: Vec<CubeCell> = Vec::new();
        let (mut views, mut authorities): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for field in list.items()? {
            let channel = self.channel(&field)?;
            let Channel { view, authority, .. } = &channels[channel];
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
        Ok(MatchedCube { views, authorities, cells: ordered })
    }

    pub(super) fn retrieval(&mut self, field: &Field<'_, '_>) -> Read<RetrievalFace> {
        field.object(&["channel", "direct"], &mut self.notices)?;
        let channel = self.channel(&field.need("channel")?)?;
        let direct = field.get("direct").map(|direct| self.channel(&direct)).transpose()?;
        Ok(RetrievalFace { channel, direct })
    }

    pub(super) fn controls(&mut self, field: &Field<'_, '_>) -> Read<Controls> {
        field.object(&["own", "donor", "state_last", "authority"], &mut self.notices)?;
        let own = self.channel(&field.need("own")?)?;
        let other = |key: &str| field.get(key).map(|f| self.channel(&f)).transpose();
        Ok(Controls { own, donor: other("donor")?, state_last: other("state_last")?, authority: other("authority")? })
    }

    pub(super) fn designs(&mut self, list: Option<Field<'_, '_>>) -> Read<Vec<DeclaredDesign>> {
        let Some(list) = list else { return Ok(Vec::new()) };
        let mut designs = Vec::new();
        for field in list.items()? {
            field.object(&["id", "factors", "observed", "terms", "contrast"], &mut self.notices)?;
            let id = field.need("id")?.text()?.to_owned();
            let factors = self.factors(&field.need("factors")?)?;
            let observed =
                field.need("observed")?.items()?.map(|cell| combination(&cell, &factors)).collect::<Read<_>>()?;
            let terms = match field.get("terms") {
                None => None,
                Some(terms) => Some(terms.items()?.map(|term| names(&term, &factors)).collect::<Read<_>>()?),
            };
            let contrast = field.need("contrast")?;
            let differences: Vec<Difference> =
                contrast.items()?.map(|d| self.difference(&d, &factors)).collect::<Read<_>>()?;
            let design = Design { factors, observed, terms };
            if design.parameters().is_none() {
                let help = format!("At most {PARAMETERS} parameters are decided on: declare fewer levels or `terms`.");
                return Err(field.refuse("the design is too large", help));
            }
            designs.push(DeclaredDesign { id, design, differences });
        }
        Ok(designs)
    }

    fn factors(&mut self, list: &Field<'_, '_>) -> Read<Vec<Factor>> {
        let mut factors: Vec<Factor> = Vec::new();
        for field in list.items()? {
            field.object(&["name", "levels"], &mut self.notices)?;
            let name = field.need("name")?.text()?.to_owned();
            let levels = field.need("levels")?;
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

    fn difference(&mut self, field: &Field<'_, '_>, factors: &[Factor]) -> Read<Difference> {
        field.object(&["factor", "from", "to"], &mut self.notices)?;
        let factor = named(&field.need("factor")?, factors)?;
        let level = |key: &str| level(&field.need(key)?, &factors[factor]);
        Ok(Difference { factor, from: level("from")?, to: level("to")? })
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
