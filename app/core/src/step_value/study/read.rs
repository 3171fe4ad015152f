//! From bytes to a [`Study`]: strict reading, then the shape (docs/formats/study.md S1 to S10).

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::error::StudyError;
use super::{Basis, Channel, Contrast, LeftOut, Origin, Readout, Study, Wave};
use crate::exact::Rational;
use crate::limits;
use crate::seal::canon::{self, Document, Notice, Place, canonical, read_input};
use crate::seal::digest::Digest;
use crate::seal::document::{DocumentFault, Field};
use crate::seal::json::{Json, JsonPath};
use crate::seal::major;

pub(super) type Read<T> = Result<T, DocumentFault>;

/// Reads a study from the bytes of its `study.json`.
///
/// # Errors
/// [`StudyError`] with file, line and column.
pub fn read(file: &str, bytes: &[u8]) -> Result<Study, StudyError> {
    let Document { root, notices } = read_input(file, bytes)?;
    let place = |path: &JsonPath| {
        let (line, column) = canon::locate(bytes, path).unwrap_or((1, 1));
        Place { file: file.to_owned(), line, column }
    };
    let top = Field::root(&root);
    let shape = |fault: DocumentFault| StudyError::Shape { place: place(&fault.path), fault };
    match top.get("format").and_then(|f| f.json().as_text()) {
        None => {
            let help = "A study starts with \"format\": \"decidendi/asv-study@1\".";
            return Err(shape(top.refuse("This is not a study: `format` is missing", help)));
        }
        Some(format) => {
            let major = format.strip_prefix("decidendi/asv-study@").and_then(|major| major::compare(major, 1));
            let at = top.path().key("format");
            match major {
                Some(Ordering::Equal) => {}
                Some(Ordering::Greater) => {
                    return Err(StudyError::Unsupported { place: place(&at), format: format.to_owned() });
                }
                _ => {
                    let help = "A study is wanted: \"format\": \"decidendi/asv-study@1\".";
                    return Err(shape(DocumentFault::new(at, format!("`{format}` is another kind of document"), help)));
                }
            }
        }
    }
    let mut building = Building { notices, left_out: Vec::new(), channels: BTreeMap::new() };
    building.study(&top).map_err(shape)
}

const TOP: [&str; 18] = [
    "format",
    "id",
    "title",
    "summary",
    "provenance",
    "origin",
    "channels",
    "layouts",
    "waves",
    "contrasts",
    "bridge",
    "matched_cube",
    "retrieval_face",
    "controls",
    "designs",
    "equivalence_margin",
    "auc_equivalence_margin",
    "transitions",
];
/// The optional parts, and the keys under which each names channels.
const PARTS: [(&str, &[&str]); 4] = [
    ("bridge", &["alternative", "reference"]),
    ("matched_cube", &[]),
    ("retrieval_face", &["channel"]),
    ("controls", &["own", "donor", "state_last", "authority"]),
];
const CHANNEL: [&str; 8] = ["id", "readout", "view", "authority", "stack", "temperature", "logprob_basis", "note"];

/// What reading one study has gathered so far.
pub(super) struct Building {
    pub(super) notices: Vec<Notice>,
    left_out: Vec<LeftOut>,
    channels: BTreeMap<String, usize>,
}

impl Building {
    pub(super) fn note(&mut self, field: &Field<'_, '_>, text: &str) {
        self.notices.push(Notice { path: field.path(), text: text.to_owned() });
    }

    fn study(&mut self, top: &Field<'_, '_>) -> Read<Study> {
        top.object(&TOP, &mut self.notices)?;
        let id = read_id(&top.need("id")?)?;
        let title = top.get("title").map(|title| title.text().map(str::to_owned)).transpose()?;
        let origin = match top.get("origin") {
            None => {
                self.note(top, "`origin` is not declared, so nothing is certified; say \"recorded\" or \"simulated\"");
                Origin::Undeclared
            }
            Some(field) => match field.text()? {
                "recorded" => Origin::Recorded,
                "simulated" => Origin::Simulated,
                other => return Err(field.not_a_word(other, &["recorded", "simulated"])),
            },
        };
        let channels = self.channels(&top.need("channels")?)?;
        let layouts = self.layouts(&top.need("layouts")?)?;
        let waves = self.waves(top.get("waves"))?;
        let contrasts = self.contrasts(top.get("contrasts"))?;
        let list = self.part(top, "bridge");
        let bridge = self.bridge(list, &channels)?;
        let field = self.part(top, "matched_cube");
        let matched_cube = field.map(|field| self.cube(&field, &channels)).transpose()?.flatten();
        let field = self.part(top, "retrieval_face");
        let retrieval_face = field.map(|field| self.retrieval(&field, &channels)).transpose()?;
        let field = self.part(top, "controls");
        let controls = field.map(|field| self.controls(&field, &channels)).transpose()?.flatten();
        let designs = self.designs(top.get("designs"))?;
        let equivalence_margin = margin(top.get("equivalence_margin"))?;
        let auc_equivalence_margin = margin(top.get("auc_equivalence_margin"))?;
        if let (Some(field), true) =
            (top.get("auc_equivalence_margin"), auc_equivalence_margin.as_ref().is_some_and(|m| *m > Rational::ONE))
        {
            return Err(field.refuse("a difference of AUCs is never beyond 1", "Declare a margin of at most 1."));
        }
        let mut study = Study {
            digest: Digest::of(&canonical(top.json())),
            id,
            title,
            origin,
            channels,
            layouts,
            waves,
            contrasts,
            bridge,
            matched_cube,
            retrieval_face,
            controls,
            designs,
            equivalence_margin,
            auc_equivalence_margin,
            transitions: Vec::new(),
            trajectories: Vec::new(),
            success: Vec::new(),
            candidate_sets: Vec::new(),
            left_out: std::mem::take(&mut self.left_out),
            notices: Vec::new(),
        };
        self.transitions(&top.need("transitions")?, &mut study)?;
        study.notices = std::mem::take(&mut self.notices);
        Ok(study)
    }

    /// An optional part, unless it names a channel that is not declared. A study may be cut down to some of its channels;
    /// what needs the others is then left out as a whole, with the reason, and the rest still stands.
    fn part<'s>(&mut self, top: &'s Field<'_, 's>, part: &'static str) -> Option<Field<'s, 's>> {
        let field = top.get(part)?;
        let keys = PARTS.iter().find(|(name, _)| *name == part).map_or(&[][..], |(_, keys)| keys);
        match self.undeclared(&field, keys) {
            None => Some(field),
            Some(fault) => {
                self.leave_out(part, fault);
                None
            }
        }
    }

    /// Leaves a part out for a reason that is its own and spoils nothing else.
    pub(super) fn leave_out(&mut self, part: &'static str, fault: DocumentFault) {
        let DocumentFault { path, what, help } = fault;
        let text = format!("{what}. {help} Until then `{part}` is left out");
        self.left_out.push(LeftOut { part, at: path.clone(), what, help });
        self.notices.push(Notice { path, text });
    }

    /// The first channel named under one of the keys, or by an item itself, that is not declared.
    fn undeclared(&self, field: &Field<'_, '_>, keys: &[&str]) -> Option<DocumentFault> {
        let unknown = |named: &Field<'_, '_>| named.json().as_text().and_then(|_| self.channel(named).err());
        let inside =
            |field: &Field<'_, '_>| unknown(field).or_else(|| keys.iter().find_map(|key| unknown(&field.get(key)?)));
        match field.items() {
            Ok(mut items) => items.find_map(|item| inside(&item)),
            Err(_) => inside(field),
        }
    }

    fn channels(&mut self, list: &Field<'_, '_>) -> Read<Vec<Channel>> {
        let mut channels = Vec::new();
        for field in list.items()? {
            field.object(&CHANNEL, &mut self.notices)?;
            let id = field.need("id")?;
            let name = id.text()?;
            if self.channels.insert(name.to_owned(), channels.len()).is_some() {
                return Err(
                    id.refuse(format!("two channels are called `{name}`"), "Give each channel an id of its own.")
                );
            }
            let word = |key: &str| field.get(key).map(|f| f.text().map(str::to_owned)).transpose();
            let readout = field.need("readout")?;
            let readout = match readout.text()? {
                "joint" => Readout::Joint,
                "binary" => Readout::Binary,
                other => return Err(readout.not_a_word(other, &["joint", "binary"])),
            };
            let temperature = match field.get("temperature") {
                None => Rational::ONE,
                Some(field) => {
                    let temperature = positive(&field, "a temperature")?;
                    if temperature > Rational::from_int(limits::TEMPERATURE) {
                        let help = format!("Declare at most {}.", limits::TEMPERATURE);
                        return Err(field.refuse("no endpoint samples at such a temperature", help));
                    }
                    temperature
                }
            };
            let basis = match field.get("logprob_basis") {
                None => Basis::Unknown,
                Some(field) => match field.text()? {
                    "raw" => Basis::Raw,
                    "tempered" => Basis::Tempered,
                    "unknown" => Basis::Unknown,
                    other => return Err(field.not_a_word(other, &["raw", "tempered", "unknown"])),
                },
            };
            if basis == Basis::Unknown && temperature != Rational::ONE {
                let what = format!("the basis of channel `{name}` is unknown at temperature {temperature}");
                let help = "Declare `logprob_basis` as \"raw\" or \"tempered\" (`decidendi acquire probe` finds out), \
                            or score at temperature 1, where both agree.";
                return Err(field.refuse(what, help));
            }
            channels.push(Channel {
                id: name.to_owned(),
                readout,
                view: word("view")?.unwrap_or_else(|| "none".to_owned()),
                authority: word("authority")?.unwrap_or_else(|| "neutral".to_owned()),
                stack: word("stack")?.unwrap_or_default(),
                temperature,
                basis,
            });
        }
        if channels.is_empty() || channels.len() > limits::CHANNELS {
            let what = format!("{} channels", channels.len());
            return Err(list.refuse(what, format!("Declare 1 to {}.", limits::CHANNELS)));
        }
        Ok(channels)
    }

    fn layouts(&mut self, field: &Field<'_, '_>) -> Read<usize> {
        field.object(&["kind", "count"], &mut self.notices)?;
        let kind = field.need("kind")?;
        if kind.text()? != "cyclic" {
            return Err(kind.not_a_word(kind.text()?, &["cyclic"]));
        }
        bounded(&field.need("count")?, "layouts", limits::LAYOUTS)
    }

    fn waves(&mut self, list: Option<Field<'_, '_>>) -> Read<Vec<Wave>> {
        let Some(list) = list else { return Ok(vec![Wave { id: 0, weight: Rational::ONE }]) };
        let mut waves: Vec<Wave> = Vec::new();
        at_most(&list, "waves", limits::WAVES)?;
        for field in list.items()? {
            field.object(&["id", "weight"], &mut self.notices)?;
            let id = field.need("id")?.int()?;
            if waves.iter().any(|wave| wave.id == id) {
                return Err(field.refuse(format!("two waves have the id {id}"), "Number each wave once."));
            }
            let weight = field.need("weight")?;
            waves.push(Wave { id, weight: positive(&weight, "a wave weight")? });
        }
        let sum = waves.iter().fold(Rational::ZERO, |sum, wave| sum.add(&wave.weight));
        if sum != Rational::ONE {
            return Err(list.refuse(format!("the wave weights sum to {sum}"), "Wave weights sum to exactly 1."));
        }
        Ok(waves)
    }

    fn contrasts(&mut self, list: Option<Field<'_, '_>>) -> Read<Vec<Contrast>> {
        let Some(list) = list else { return Ok(Vec::new()) };
        let mut contrasts: Vec<Contrast> = Vec::new();
        at_most(&list, "contrasts", limits::CONTRASTS)?;
        for field in list.items()? {
            field.object(&["id", "alternative", "reference"], &mut self.notices)?;
            let id = field.need("id")?;
            let name = id.text()?.to_owned();
            if contrasts.iter().any(|contrast| contrast.id == name) {
                return Err(id.refuse(format!("two contrasts are called `{name}`"), "Give each an id of its own."));
            }
            let (alternative, reference) = self.pair(&field)?;
            contrasts.push(Contrast { id: name, alternative, reference });
        }
        Ok(contrasts)
    }

    /// `alternative` and `reference`, two different channels.
    pub(super) fn pair(&self, field: &Field<'_, '_>) -> Read<(usize, usize)> {
        let (alternative, reference) =
            (self.channel(&field.need("alternative")?)?, self.channel(&field.need("reference")?)?);
        if alternative == reference {
            return Err(field.refuse("a channel is compared with itself", "Name two different channels."));
        }
        Ok((alternative, reference))
    }

    pub(super) fn channel(&self, field: &Field<'_, '_>) -> Read<usize> {
        let id = field.text()?;
        self.channels.get(id).copied().ok_or_else(|| {
            field.refuse(format!("no channel is called `{id}`"), "Name a channel that `channels` declares.")
        })
    }
}

fn read_id(field: &Field<'_, '_>) -> Read<String> {
    let id = field.text()?;
    let plain = id.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    if id.is_empty() || id.len() > 128 || id.starts_with('.') || !plain {
        let help = "An id names files: use 1 to 128 letters, digits, `.`, `_` or `-`, not starting with a dot.";
        return Err(field.refuse(format!("`{}` cannot be an id", id.escape_debug()), help));
    }
    Ok(id.to_owned())
}

/// An exact number: an integer, or a decimal or fraction in a string.
pub(super) fn rational(field: &Field<'_, '_>) -> Read<Rational> {
    const HELP: &str = "Write an exact number in a string, such as \"1\", \"0.5\" or \"1/3\".";
    match field.json() {
        Json::Int(integer) => Ok(Rational::from_int(*integer)),
        Json::Text(text) => Rational::parse(text).map_err(|error| field.refuse(error.to_string(), HELP)),
        other => Err(field.refuse(format!("an exact number is wanted here, this is {}", other.kind()), HELP)),
    }
}

fn positive(field: &Field<'_, '_>, what: &str) -> Read<Rational> {
    let value = rational(field)?;
    if value <= Rational::ZERO {
        return Err(field.refuse(format!("{what} of {value}"), "It is greater than zero."));
    }
    Ok(value)
}

/// A margin of the equivalence test; none is assumed.
pub(super) fn margin(field: Option<Field<'_, '_>>) -> Read<Option<Rational>> {
    field.map(|field| positive(&field, "an equivalence margin")).transpose()
}

/// That a list is no longer than what is worked through for each of its entries.
pub(super) fn at_most(list: &Field<'_, '_>, what: &str, most: usize) -> Read<()> {
    let count = list.items()?.len();
    if count > most { Err(list.refuse(format!("{count} {what}"), format!("At most {most} are read."))) } else { Ok(()) }
}

fn bounded(field: &Field<'_, '_>, what: &str, most: usize) -> Read<usize> {
    let value = field.int()?;
    usize::try_from(value)
        .ok()
        .filter(|n| (1..=most).contains(n))
        .ok_or_else(|| field.refuse(format!("{value} {what}"), format!("Declare 1 to {most}.")))
}
