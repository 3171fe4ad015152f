//! What can be wrong with a study document.

use crate::seal::canon::{Place, ReadError};
use crate::seal::document::DocumentFault;

/// Why a study could not be opened.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StudyError {
    /// The bytes are not strict JSON.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The JSON is not a study.
    #[error("{place}: {fault}")]
    Shape {
        /// Where.
        place: Place,
        /// What.
        fault: DocumentFault,
    },
    /// A newer format.
    #[error(
        "{place}: `{format}` is a newer format than this version reads (decidendi/asv-study@1). Use a newer decidendi."
    )]
    Unsupported {
        /// Where.
        place: Place,
        /// The declared format.
        format: String,
    },
}
