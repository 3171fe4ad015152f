//! What happens after an attempt. The answer's content has no say in it: a complete 200 is never asked again, because
//! asking until the answer pleases would select on the outcome.

use std::time::Duration;

use decidendi_core::seal::digest::Digest;

use crate::client::Reply;
use crate::time::http_date;

/// Most attempts at one call within a run.
pub const ATTEMPTS: u32 = 8;
/// Longest pause of our own choice.
pub const CAP: Duration = Duration::from_secs(30);
/// Longest pause that a server may ask for; beyond it the run ends and can be taken up later.
pub const PATIENCE: Duration = Duration::from_secs(600);
/// First pause.
const BASE: Duration = Duration::from_millis(500);

/// What to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// The answer is there: keep it, whatever it says.
    Keep,
    /// Ask again after a pause.
    Again(Duration),
    /// The same request can never succeed.
    Refused,
    /// It may succeed later, but not now.
    GiveUp,
}

/// Decides by status, transport and headers. `attempt` counts from 1 within this run; `seed` makes the jitter, `now` is
/// the time since 1970.
#[must_use]
pub fn next(reply: &Reply, attempt: u32, seed: &Digest, now: Duration) -> Next {
    let temporary = match (reply.status, &reply.error) {
        (_, Some(failure)) => failure.is_temporary,
        (Some(200), None) => return Next::Keep,
        (Some(429), None) => !is_out_of_quota(reply),
        (Some(408 | 409 | 425 | 500..=599), None) => true,
        _ => false,
    };
    if !temporary {
        return Next::Refused;
    }
    if attempt >= ATTEMPTS {
        return Next::GiveUp;
    }
    let asked = retry_after(reply, now).unwrap_or_default();
    if asked > PATIENCE { Next::GiveUp } else { Next::Again(asked.max(pause(attempt, seed))) }
}

/// Half to all of 0.5, 1, 2, 4… seconds, at most [`CAP`]: the digest spreads clients that failed together.
#[must_use]
pub fn pause(attempt: u32, seed: &Digest) -> Duration {
    let whole = CAP.min(BASE.saturating_mul(1 << (attempt - 1).min(16)));
    let mut mixed = seed.0.to_vec();
    mixed.extend_from_slice(&attempt.to_be_bytes());
    let share = f64::from(Digest::of(&mixed).0[0]) / 255.0;
    whole.mul_f64(0.5 + 0.5 * share)
}

fn retry_after(reply: &Reply, now: Duration) -> Option<Duration> {
    let text = reply.header("retry-after")?.trim();
    let seconds = text.parse().ok().map(Duration::from_secs);
    seconds.or_else(|| http_date(text).map(|at| at.saturating_sub(now)))
}

/// A 429 that no waiting cures.
fn is_out_of_quota(reply: &Reply) -> bool {
    let needle = b"\"insufficient_quota\"";
    reply.body.as_ref().is_some_and(|body| body.windows(needle.len()).any(|window| window == needle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Failure;

    fn reply(status: u16) -> Reply {
        Reply { status: Some(status), ..Reply::default() }
    }

    fn ask(reply: &Reply, attempt: u32) -> Next {
        next(reply, attempt, &Digest([7; 32]), Duration::from_secs(784_111_777))
    }

    #[test]
    fn a_status_decides() {
        assert_eq!(ask(&reply(200), 1), Next::Keep);
        for status in [408, 409, 425, 429, 500, 502, 503, 504, 529] {
            assert!(matches!(ask(&reply(status), 1), Next::Again(_)), "{status}");
            assert_eq!(ask(&reply(status), ATTEMPTS), Next::GiveUp, "{status}");
        }
        for status in [201, 204, 301, 302, 307, 400, 401, 403, 404, 413, 422] {
            assert_eq!(ask(&reply(status), 1), Next::Refused, "{status}");
        }
    }

    // deepseek-ai/DeepSeek-V3.2-Exp #49 and vllm-project/vllm #17876: a 200 with worthless values stays a 200.
    #[test]
    fn a_complete_200_is_never_asked_again() {
        for body in ["", "{}", "not json", r#"{"choices":[{"logprobs":null}]}"#] {
            let reply = Reply { body: Some(body.into()), ..reply(200) };
            assert_eq!(ask(&reply, 1), Next::Keep, "{body}");
        }
    }

    #[test]
    fn a_429_without_quota_is_final() {
        let body = r#"{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}"#;
        assert_eq!(ask(&Reply { body: Some(body.into()), ..reply(429) }, 1), Next::Refused);
    }

    #[test]
    fn what_broke_off_is_asked_again_even_after_a_200() {
        let failure = |is_temporary| Some(Failure { text: "Peer disconnected".to_owned(), is_temporary });
        assert!(matches!(ask(&Reply { error: failure(true), ..reply(200) }, 1), Next::Again(_)));
        assert!(matches!(ask(&Reply { error: failure(true), ..Reply::default() }, 1), Next::Again(_)));
        assert_eq!(ask(&Reply { error: failure(false), ..reply(200) }, 1), Next::Refused);
    }

    #[test]
    fn a_server_s_own_wish_is_honoured_within_reason() {
        let wish = |text: &str| Reply { headers: vec![("retry-after".to_owned(), text.to_owned())], ..reply(429) };
        assert_eq!(ask(&wish("20"), 1), Next::Again(Duration::from_secs(20)));
        assert_eq!(ask(&wish("Sun, 06 Nov 1994 08:50:07 GMT"), 1), Next::Again(Duration::from_secs(30)));
        assert_eq!(ask(&wish("86400"), 1), Next::GiveUp);
        for silly in ["0", "-1", "soon", "Sun, 06 Nov 1994 08:00:00 GMT"] {
            assert_eq!(ask(&wish(silly), 1), Next::Again(pause(1, &Digest([7; 32]))), "{silly}");
        }
    }

    #[test]
    fn pauses_grow_and_are_capped() {
        let seeds = (0..=255).map(|n| Digest([n; 32]));
        for seed in seeds {
            for attempt in 1..40 {
                let (pause, whole) = (pause(attempt, &seed), CAP.min(BASE * (1 << (attempt - 1).min(16))));
                assert!(whole / 2 <= pause && pause <= whole, "{attempt} {pause:?}");
            }
        }
    }
}
