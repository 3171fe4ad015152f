//! Studies that can be opened, and why one could not be.

use std::path::PathBuf;

/// Where a study stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StudyPlace {
    /// Inside the program: its folder in the shipped casebook.
    Shipped(&'static str),
    /// A folder, or a study document.
    Disk(PathBuf),
}

impl StudyPlace {
    /// In words, as a command line takes it.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Shipped(folder) => format!("sample_cases/{folder}"),
            Self::Disk(path) => path.display().to_string(),
        }
    }
}

/// A study that can be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudyEntry {
    /// Where it stands.
    pub place: StudyPlace,
    /// Its id; empty where its document does not read.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Number of transitions; 0 where its document does not read.
    pub transitions: usize,
}

/// Why a study could not be opened: everything that is wrong, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudyFault {
    /// Where the study was looked for.
    pub place: StudyPlace,
    /// What failed.
    pub what: String,
    /// Each fault: file:line:column, and why.
    pub faults: Vec<(String, String)>,
    /// How many there are in all.
    pub total: u64,
}

impl StudyFault {
    /// As text for the clipboard.
    #[must_use]
    pub fn words(&self) -> String {
        let mut text = self.what.clone();
        for (place, why) in &self.faults {
            text.push_str(&format!("\n{place}: {why}"));
        }
        text
    }
}
