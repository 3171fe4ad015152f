//! What can be wrong with the shape of a case, worded for the person who wrote it.

pub use crate::seal::canon::Place;
use crate::seal::canon::ReadError;
pub use crate::seal::document::DocumentFault as CaseFault;

/// Why a case could not be opened.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CaseError {
    /// The bytes are not strict JSON.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The JSON is not a case.
    #[error("{place}: {fault}")]
    Shape {
        /// Where, in the file that holds it.
        place: Place,
        /// What.
        fault: CaseFault,
    },
    /// A referenced file was not handed over.
    #[error("{place}: the referenced file `{path}` is missing. Put it beside the case, or write the body inline.")]
    MissingReference {
        /// Where the reference stands.
        place: Place,
        /// The reference.
        path: String,
    },
    /// A newer format.
    #[error("{place}: `{format}` is a newer format than this version reads (decidendi/case@1). Use a newer decidendi.")]
    Unsupported {
        /// Where.
        place: Place,
        /// The declared format.
        format: String,
    },
}
