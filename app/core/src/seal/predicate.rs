//! Reading the predicate of a signed statement, strictly: unknown fields, other spellings and inconsistent shapes are refused,
//! so that what is shown is what was signed.

use std::cmp::Ordering;

use super::canon::canonical;
use super::digest::Digest;
use super::json::Json;
use super::major;
use super::statement::Statement;
use super::time::Time;
use super::verification::Next;

/// A kind of certificate: how its predicate type is spelled and what it is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// The predicate type with its major version.
    pub predicate: &'static str,
    /// The same without its major version.
    pub family: &'static str,
    /// What it is called, such as `judgment certificate`.
    pub name: &'static str,
}

/// Why a statement is not a certificate that can be checked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CertificateFault {
    /// Another kind of statement.
    #[error("not a {wanted}: the statement's type is `{found}`")]
    OtherType {
        /// What the certificate should be.
        wanted: &'static str,
        /// The statement's type.
        found: String,
    },
    /// A newer certificate format.
    #[error("`{0}` is a newer certificate than this version checks")]
    Newer(String),
    /// A field is not there.
    #[error("`{0}` is missing")]
    Missing(String),
    /// A field that no certificate of this kind has.
    #[error("`{0}` is unknown; a certificate of this kind has no such field")]
    Unknown(String),
    /// A value that the field cannot hold.
    #[error("`{0}` is of the wrong kind, or in another spelling than its one")]
    Value(String),
    /// A value that another part of the statement contradicts.
    #[error("`{field}` states {stated}, which differs from {owed}, which follows from the rest of the statement")]
    Differs {
        /// The field.
        field: String,
        /// What it states.
        stated: String,
        /// What it should state.
        owed: String,
    },
    /// A subject in another's place.
    #[error("subject {at} is {stated}; {owed} is owed there")]
    Subject {
        /// Its position, from 1.
        at: usize,
        /// What it is called.
        stated: String,
        /// What should stand there.
        owed: String,
    },
    /// A subject whose digest is not the one that the predicate binds.
    #[error("the digest of subject `{subject}` differs from the one in `{origin}`")]
    SubjectDigest {
        /// The subject.
        subject: String,
        /// Where the predicate binds it.
        origin: String,
    },
}

impl CertificateFault {
    /// What to do about it.
    #[must_use]
    pub const fn next(&self) -> Next {
        match self {
            Self::Newer(_) => Next::Upgrade,
            Self::OtherType { wanted, .. } => Next::GiveKind(wanted),
            Self::Missing(_)
            | Self::Unknown(_)
            | Self::Value(_)
            | Self::Differs { .. }
            | Self::Subject { .. }
            | Self::SubjectDigest { .. } => Next::AskAgain,
        }
    }
}

impl Kind {
    /// Whether a statement is of this kind, whatever its version.
    #[must_use]
    pub fn is_meant(&self, statement: &Statement) -> bool {
        statement.predicate_type.strip_prefix(self.family).is_some_and(|version| major::compare(version, 1).is_some())
    }

    /// That a statement is of this kind and version.
    ///
    /// # Errors
    /// Another kind, or a newer version.
    pub fn check(&self, statement: &Statement) -> Result<(), CertificateFault> {
        let found = &statement.predicate_type;
        if found == self.predicate {
            return Ok(());
        }
        let newer = found.strip_prefix(self.family).and_then(|v| major::compare(v, 1)) == Some(Ordering::Greater);
        Err(if newer {
            CertificateFault::Newer(found.clone())
        } else {
            CertificateFault::OtherType { wanted: self.name, found: found.clone() }
        })
    }
}

/// A subject that a certificate owes: its name, its digest, and the field of the predicate that binds it.
pub(crate) type Owed = (String, Digest, &'static str);

/// That the subjects are those that the predicate binds, in order. An artifact is named in two places; they must agree.
///
/// # Errors
/// The first subject that does not follow.
pub(crate) fn subjects_follow(owed: &[Owed], statement: &Statement) -> Result<(), CertificateFault> {
    let quoted = |name: Option<&String>| name.map_or_else(|| "none".to_owned(), |name| format!("`{name}`"));
    for at in 0..owed.len().max(statement.subjects.len()) {
        match (owed.get(at), statement.subjects.get(at)) {
            (Some((name, digest, origin)), Some((stated, found))) if name == stated => {
                if digest != found {
                    let (subject, origin) = (name.clone(), (*origin).to_owned());
                    return Err(CertificateFault::SubjectDigest { subject, origin });
                }
            }
            (owed, stated) => {
                let (owed, stated) = (quoted(owed.map(|(name, ..)| name)), quoted(stated.map(|(name, _)| name)));
                return Err(CertificateFault::Subject { at: at + 1, stated, owed });
            }
        }
    }
    Ok(())
}

/// That a certificate which was read spells the statement it was read from: an unknown or repeated field at any depth is
/// found here.
///
/// # Errors
/// The first field in which they differ.
pub(crate) fn same_spelling(payload: &[u8], statement: &Statement) -> Result<(), CertificateFault> {
    if payload == statement.to_bytes() {
        return Ok(());
    }
    let ours = Statement::read(payload).map(|ours| ours.to_json());
    let first = ours.ok().and_then(|ours| difference(&ours, &statement.to_json(), "statement"));
    Err(first.unwrap_or_else(|| CertificateFault::Value("statement".to_owned())))
}

/// The first field in which a statement differs from the one that is owed.
pub(crate) fn difference(owed: &Json, stated: &Json, name: &str) -> Option<CertificateFault> {
    let differs = |stated: String, owed: String| CertificateFault::Differs { field: name.to_owned(), stated, owed };
    match (owed, stated) {
        (Json::Map(a), Json::Map(b)) => {
            let unknown = b.iter().find(|(key, _)| owed.get(key).is_none());
            let unknown = unknown.map(|(key, _)| CertificateFault::Unknown(format!("{name}.{key}")));
            unknown.or_else(|| {
                a.iter().find_map(|(key, value)| match stated.get(key) {
                    None => Some(CertificateFault::Missing(format!("{name}.{key}"))),
                    Some(other) => difference(value, other, &format!("{name}.{key}")),
                })
            })
        }
        (Json::List(a), Json::List(b)) if a.len() == b.len() => {
            a.iter().zip(b).enumerate().find_map(|(i, (x, y))| difference(x, y, &format!("{name}[{i}]")))
        }
        (Json::List(a), Json::List(b)) => Some(differs(format!("{} entries", b.len()), format!("{} entries", a.len()))),
        _ => (owed != stated).then(|| differs(spelled(stated), spelled(owed))),
    }
}

/// A value as it is spelled, short enough for a message.
fn spelled(value: &Json) -> String {
    const SHOWN: usize = 80;
    let text = String::from_utf8_lossy(&canonical(value)).into_owned();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// A value with the name to report it under.
pub(crate) struct Field<'j> {
    pub(crate) json: &'j Json,
    pub(crate) name: String,
}

impl<'j> Field<'j> {
    /// A statement's predicate.
    pub(crate) fn predicate(statement: &'j Statement) -> Self {
        Self { json: &statement.predicate, name: "predicate".to_owned() }
    }

    pub(crate) fn fault(&self) -> CertificateFault {
        CertificateFault::Value(self.name.clone())
    }

    pub(crate) fn get(&self, key: &str) -> Result<Field<'_>, CertificateFault> {
        let name = format!("{}.{key}", self.name);
        self.json.get(key).map(|json| Field { json, name: name.clone() }).ok_or(CertificateFault::Missing(name))
    }

    pub(crate) fn list(&self) -> Result<impl Iterator<Item = Field<'_>>, CertificateFault> {
        let items = self.json.as_list().ok_or_else(|| self.fault())?;
        Ok(items.iter().enumerate().map(|(i, json)| Field { json, name: format!("{}[{i}]", self.name) }))
    }

    pub(crate) fn text(&self) -> Result<String, CertificateFault> {
        self.json.as_text().map(str::to_owned).ok_or_else(|| self.fault())
    }

    pub(crate) fn count(&self) -> Result<u64, CertificateFault> {
        self.json.as_int().and_then(|i| u64::try_from(i).ok()).ok_or_else(|| self.fault())
    }

    /// `{"sha256": "…"}`.
    pub(crate) fn sha256(&self) -> Result<Digest, CertificateFault> {
        let field = self.get("sha256")?;
        Digest::parse(&field.text()?).map_err(|_| field.fault())
    }

    /// `{"digest": {"sha256": "…"}}`.
    pub(crate) fn digest(&self) -> Result<Digest, CertificateFault> {
        self.get("digest")?.sha256()
    }

    /// A declared time under `time`, if there is one.
    pub(crate) fn time(&self) -> Result<Option<Time>, CertificateFault> {
        if self.json.get("time").is_none() {
            return Ok(None);
        }
        let field = self.get("time")?;
        Time::parse(&field.text()?).map(Some).ok_or_else(|| field.fault())
    }
}
