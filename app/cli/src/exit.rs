//! Exit codes, fixed by the contract: scripts rely on them. "No" is an answer, not a failure: 1 is kept apart from 2.

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: it holds (verified, certified, the same, printed).
    Holds,
    /// 1: a check failed (altered, replay differs, certificates differ).
    Failed,
    /// 2: bad input or usage.
    BadInput,
    /// 3: inconclusive, or uncertifiable.
    Inconclusive,
    /// 70: a fault of the program itself.
    Internal,
    /// 130: stopped by Ctrl-C, as a shell reports it. Nothing half-written is left behind.
    Interrupted,
}

impl Exit {
    /// The number handed to the operating system.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Holds => 0,
            Self::Failed => 1,
            Self::BadInput => 2,
            Self::Inconclusive => 3,
            Self::Internal => 70,
            Self::Interrupted => 130,
        }
    }

    /// The graver of two results, for commands that take many files: internal fault, stop, failed check, bad input,
    /// inconclusive, holds. A failed check is never hidden by an unreadable neighbour.
    #[must_use]
    pub const fn worst(self, other: Self) -> Self {
        if self.gravity() >= other.gravity() { self } else { other }
    }

    const fn gravity(self) -> u8 {
        match self {
            Self::Holds => 0,
            Self::Inconclusive => 1,
            Self::BadInput => 2,
            Self::Failed => 3,
            Self::Interrupted => 4,
            Self::Internal => 5,
        }
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::Exit::{BadInput, Failed, Holds, Inconclusive, Internal, Interrupted};

    #[test]
    fn the_contract_fixes_the_numbers() {
        let codes = [Holds, Failed, BadInput, Inconclusive, Internal, Interrupted].map(super::Exit::code);
        assert_eq!(codes, [0, 1, 2, 3, 70, 130]);
    }

    #[test]
    fn the_worst_of_many_counts() {
        assert_eq!(Failed.worst(BadInput), Failed);
        assert_eq!(BadInput.worst(Failed), Failed);
        assert_eq!(Inconclusive.worst(Failed), Failed);
        assert_eq!(Inconclusive.worst(BadInput), BadInput);
        assert_eq!(Holds.worst(Inconclusive), Inconclusive);
    }
}
