//! What a verification came to, in words that every door shows: the command line's last line and the window's banner say the
//! same of the same value, and nothing that another part of it denies.

use crate::seal::verification::{EndState, Signature, Standing, Status, Verification, Wing};

/// The words for an outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meaning {
    /// A heading.
    pub title: &'static str,
    /// The same within a sentence.
    pub short: &'static str,
    /// What it means, in sentences.
    pub sentence: String,
}

/// The words for an outcome.
#[must_use]
pub fn meaning<C>(found: &Verification<C>) -> Meaning {
    let told = |title, short, sentence: &str| Meaning { title, short, sentence: sentence.to_owned() };
    // What was never executed is not replayed either.
    let recorded = found.recorded;
    match (found.state, found.verdict) {
        (Some(EndState::Verified), _) => told(
            "Verified within the declared interface",
            "verified",
            if recorded {
                "Signed by a trusted key, bound to these artifacts, and the recorded cells agree; nothing was executed."
            } else {
                "Signed by a trusted key, bound to these artifacts, and the replay agrees."
            },
        ),
        (Some(EndState::UnknownSigner), _) => {
            told("Unknown signer", "unknown signer", "Not enough trusted keys signed this certificate.")
        }
        (Some(EndState::UnsupportedVersion), _) => {
            told("Unsupported version", "unsupported version", "This is another or a newer kind of statement.")
        }
        (Some(EndState::Altered), _) => told("Altered", "altered", "What is here is not what was signed."),
        (Some(EndState::ReplayDiffers), _) => {
            let sentence = format!("{} {}", differing(found), signed(found.signature));
            Meaning { title: "Replay differs", short: "replay differs", sentence }
        }
        (None, Standing::Invalid) => told("Invalid", "invalid", "A check failed; it is named."),
        (None, _) if recorded => told(
            "Inconclusive: not compared",
            "not compared",
            "Nothing failed, but the case with the recorded cells is not at hand.",
        ),
        (None, _) => told(
            "Inconclusive: not replayed",
            "not replayed",
            match found.wing {
                Some(Wing::Judgment) => "Nothing failed, but the case is not at hand.",
                Some(Wing::StepValue) => "Nothing failed, but the study is not at hand.",
                None => "Nothing failed, but the case or study is not at hand.",
            },
        ),
    }
}

/// What differs from what: the last check executes again, those before it compare the certificate with itself.
fn differing<C>(found: &Verification<C>) -> &'static str {
    let replay = match found.wing {
        Some(Wing::StepValue) => 8,
        _ => 10,
    };
    let replayed = found.checks.iter().any(|check| check.n == replay && check.status == Status::Fail);
    match (replayed, found.recorded) {
        (true, true) => "The recorded cells are not those that the certificate states.",
        (true, false) => "Executing again gives something else than the certificate states.",
        (false, _) => "What the certificate states contradicts itself.",
    }
}

const fn signed(signature: Signature) -> &'static str {
    match signature {
        Signature::Trusted => "A trusted key signed it so.",
        Signature::Unknown => "No trusted key is known to have signed it.",
        Signature::Broken => "Its signature does not fit.",
        Signature::NotChecked => "Its signature was not checked.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seal::verification::Check;

    fn outcome(state: Option<EndState>, signature: Signature, replay: Status) -> Verification<()> {
        let check = |n, status| Check { n, name: "", status, detail: String::new(), next: None };
        let verdict = match state {
            Some(EndState::Verified) => Standing::Pass,
            Some(EndState::Altered | EndState::ReplayDiffers) => Standing::Invalid,
            _ => Standing::Inconclusive,
        };
        let checks = (1..10).map(|n| check(n, Status::Pass)).chain([check(10, replay)]).collect();
        let (wing, claimed, verified, signers) = (Some(Wing::Judgment), None, None, Vec::new());
        Verification { wing, verdict, state, signature, checks, claimed, verified, signers, recorded: false }
    }

    /// No sentence speaks of a signature or of a replay as anything but what it was.
    #[test]
    fn the_words_say_what_was_checked() {
        for signature in [Signature::Trusted, Signature::Unknown, Signature::NotChecked] {
            let differs = meaning(&outcome(Some(EndState::ReplayDiffers), signature, Status::Fail)).sentence;
            assert_eq!(differs.contains("A trusted key signed it"), signature == Signature::Trusted, "{differs}");
            assert!(differs.starts_with("Executing again"), "{differs}");
            let inside = meaning(&outcome(Some(EndState::ReplayDiffers), signature, Status::Pass)).sentence;
            assert!(inside.starts_with("What the certificate states contradicts itself."), "{inside}");
        }
        let unknown = meaning(&outcome(Some(EndState::UnknownSigner), Signature::NotChecked, Status::Pass)).sentence;
        assert!(!unknown.contains("signature holds") && !unknown.contains("replay"), "{unknown}");
    }
}
