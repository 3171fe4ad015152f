//! What is known of a job: its number, and how far it is.

/// Number of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct JobId(pub u64);

/// How far a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Units finished.
    pub done: u64,
    /// Units in all; 0 while that is unknown.
    pub total: u64,
}
