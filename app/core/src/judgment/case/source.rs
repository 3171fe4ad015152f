//! A declared source with its two versions, and the engines that can read it.

use crate::judgment::source::{Role, Version};
use crate::seal::digest::Digest;
use crate::seal::json::Json;

/// A built-in engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Conditions, priorities, jurisdiction.
    Rules,
    /// Positive Horn rules, forward chaining.
    Logic,
    /// Cells recorded elsewhere.
    Table,
}

impl Engine {
    /// The word in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Logic => "logic",
            Self::Table => "table",
        }
    }

    /// The engine that a word names.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        [Self::Rules, Self::Logic, Self::Table].into_iter().find(|e| e.word() == word)
    }

    /// Version of the engine's semantics, bound by the certificate.
    #[must_use]
    pub const fn version(self) -> &'static str {
        "1"
    }
}

/// One version of a source: its resolved JSON and the digest of its canonical bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Body {
    /// The resolved, normalised value.
    pub json: Json,
    /// SHA-256 of its canonical bytes.
    pub digest: Digest,
}

/// A declared source.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// Its name, unique in the case.
    pub name: String,
    /// What it is to the engine; `None` for engine `table`, which reads no bodies.
    pub role: Option<Role>,
    /// Before the revision.
    pub old: Body,
    /// After the revision.
    pub new: Body,
    /// Label of the old version, for display.
    pub label_old: Option<String>,
    /// Label of the new version, for display.
    pub label_new: Option<String>,
    /// A remark, for display.
    pub note: Option<String>,
}

impl Source {
    /// The body of one version.
    #[must_use]
    pub const fn version(&self, version: Version) -> &Body {
        match version {
            Version::Old => &self.old,
            Version::New => &self.new,
        }
    }

    /// Whether the revision changed the source at all.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.old.digest != self.new.digest
    }

    /// The display label of one version.
    #[must_use]
    pub fn label(&self, version: Version) -> Option<&str> {
        match version {
            Version::Old => self.label_old.as_deref(),
            Version::New => self.label_new.as_deref(),
        }
    }
}
