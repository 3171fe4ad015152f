//! Sources, versions and hybrids: which of a case's declared sources a hybrid takes in their revised version.

use std::fmt;

/// One of the two versions of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// Before the revision.
    Old,
    /// After the revision.
    New,
}

impl Version {
    /// Both versions, old first.
    pub const BOTH: [Self; 2] = [Self::Old, Self::New];

    /// `old` or `new`, as files and window spell it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Old => "old",
            Self::New => "new",
        }
    }

    /// The other version.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Old => Self::New,
            Self::New => Self::Old,
        }
    }
}

/// What a source is to the engine: evidence, rules or jurisdiction (docs/theory.md §1.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Accepted evidence.
    Grounds,
    /// Decision rules.
    Norms,
    /// Which rule may govern which context.
    Authority,
}

impl Role {
    /// The standard source name of the role.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Grounds => "grounds",
            Self::Norms => "norms",
            Self::Authority => "authority",
        }
    }

    /// The role a source's name declares: the standard name, or one of them followed by a character that is neither
    /// letter nor digit (`grounds-income`).
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        [Self::Grounds, Self::Norms, Self::Authority].into_iter().find(|role| {
            name.strip_prefix(role.word()).is_some_and(|rest| rest.chars().next().is_none_or(|c| !c.is_alphanumeric()))
        })
    }
}

/// A set of sources as a bit mask: bit *i* is the *i*-th declared source. A hybrid is named by the set of sources that
/// it takes in their revised version; for the standard three, G = 1, N = 2, A = 4 (docs/theory.md §1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Mask(pub u32);

impl Mask {
    /// No source revised: the old endpoint.
    pub const EMPTY: Self = Self(0);

    /// All of `sources` sources revised: the new endpoint.
    #[must_use]
    pub const fn full(sources: usize) -> Self {
        Self(if sources >= 32 { u32::MAX } else { (1 << sources) - 1 })
    }

    /// The set that holds source `index` alone.
    #[must_use]
    pub const fn single(index: usize) -> Self {
        Self(1 << index)
    }

    /// Whether source `index` is in the set.
    #[must_use]
    pub const fn contains(self, index: usize) -> bool {
        self.0 >> index & 1 == 1
    }

    /// The set with source `index` flipped.
    #[must_use]
    pub const fn toggled(self, index: usize) -> Self {
        Self(self.0 ^ 1 << index)
    }

    /// How many sources are in the set.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no source is in the set.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether every source of the set is in `other`.
    #[must_use]
    pub const fn is_subset_of(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The version of source `index` that this hybrid takes.
    #[must_use]
    pub const fn version(self, index: usize) -> Version {
        if self.contains(index) { Version::New } else { Version::Old }
    }

    /// The indices in the set, ascending.
    pub fn members(self) -> impl Iterator<Item = usize> {
        (0..32).filter(move |&i| self.contains(i))
    }

    /// All subsets of the set other than itself, ascending by mask.
    pub fn strict_subsets(self) -> impl Iterator<Item = Self> {
        let mut next = Some(0_u32);
        std::iter::from_fn(move || {
            let here = next?;
            if here == self.0 {
                next = None;
                return None;
            }
            next = Some(here.wrapping_sub(self.0) & self.0);
            Some(Self(here))
        })
    }

    /// The sources' names, in declared order.
    #[must_use]
    pub fn names(self, names: &[String]) -> Vec<&str> {
        self.members().filter_map(|i| names.get(i)).map(String::as_str).collect()
    }

    /// Short label of a hybrid: `∅`, or the sources' initials when these differ (`GN`), else their numbers (`1·3`).
    #[must_use]
    pub fn label(self, names: &[String]) -> String {
        if self.is_empty() {
            return "∅".to_owned();
        }
        let initials: Vec<String> =
            names.iter().filter_map(|n| n.chars().next()).map(|c| c.to_uppercase().collect()).collect();
        let distinct =
            initials.len() == names.len() && (1..initials.len()).all(|i| !initials[..i].contains(&initials[i]));
        if distinct {
            self.members().filter_map(|i| initials.get(i).cloned()).collect()
        } else {
            self.members().map(|i| (i + 1).to_string()).collect::<Vec<_>>().join("·")
        }
    }

    /// The set in words: `{grounds, norms}` or `∅`.
    #[must_use]
    pub fn braces(self, names: &[String]) -> String {
        if self.is_empty() { "∅".to_owned() } else { format!("{{{}}}", self.names(names).join(", ")) }
    }
}

impl fmt::Display for Mask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
