//! What happens after an attempt. The answer's content has no say in it: a complete 200 is never asked again, because
//! asking until the answer pleases would select on the outcome.

use std::time::Duration;

use decidendi_core::seal::digest::Digest;

use crate::client::Reply;
use crate::refusal::passes;
use crate::time::{LAST_SECOND, http_date, spell_seconds};

/// Most attempts at one call within a run.
pub const ATTEMPTS: u32 = 8;
/// Longest pause of our own choice.
pub const CAP: Duration = Duration::from_secs(30);
/// Longest pause that a server may ask for; beyond it the run ends and can be taken up later.
pub const PATIENCE: Duration = Duration::from_secs(600);
/// First pause.
const BASE: Duration = Duration::from_millis(500);

/// What to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// The answer is there: keep it, whatever it says.
    Keep,
    /// Ask again after a pause.
    Again(Duration),
    /// The same request can never succeed.
    Refused,
    /// It may succeed later, but not now.
    GiveUp,
    /// The server asks to wait longer than [`PATIENCE`].
    Later(Wish),
}

/// How long a server asks to wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wish {
    wait: Duration,
    now: Duration,
    seconds: Box<str>,
}

impl std::fmt::Display for Wish {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let until = self.now.checked_add(self.wait).filter(|until| until.as_secs() <= LAST_SECOND);
        match until {
            Some(until) => write!(f, "{} s, until {}", self.seconds, spell_seconds(until)),
            None => write!(f, "{} s, until after the year 9999", self.seconds),
        }
    }
}

/// Decides by status, transport and headers. `attempt` counts from 1 within this run; `seed` makes the jitter, `now` is
/// the time since 1970.
#[must_use]
pub fn next(reply: &Reply, attempt: u32, seed: &Digest, now: Duration) -> Next {
    if (reply.status, &reply.error) == (Some(200), &None) {
        return Next::Keep;
    }
    let temporary = reply.status.is_none_or(|status| status == 200 || passes(status))
        && reply.error.as_ref().is_none_or(|failure| failure.is_temporary)
        && !is_out_of_quota(reply);
    if !temporary {
        return Next::Refused;
    }
    let wish = retry_after(reply, now);
    let asked = wish.as_ref().map(|wish| wish.wait).unwrap_or_default();
    match wish {
        Some(wish) if asked > PATIENCE => Next::Later(wish),
        _ if attempt >= ATTEMPTS => Next::GiveUp,
        _ => Next::Again(asked.max(pause(attempt, seed))),
    }
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

/// The header `Retry-After`: a count of seconds of any length, or a date.
#[must_use]
pub fn retry_after(reply: &Reply, now: Duration) -> Option<Wish> {
    let text = reply.header("retry-after")?.trim();
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    if [whole, part].iter().all(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())) {
        // Part of a second is a second; what no number holds is for ever.
        let more = u64::from(part.bytes().any(|b| b != b'0'));
        let seconds = whole.parse::<u64>().unwrap_or(u64::MAX).saturating_add(more);
        let shown = if seconds == u64::MAX { whole.to_owned() } else { seconds.to_string() };
        return Some(Wish { wait: Duration::from_secs(seconds), now, seconds: shorten(shown).into() });
    }
    let wait = http_date(text, now)?.saturating_sub(now);
    Some(Wish { wait, now, seconds: wait.as_secs_f64().ceil().to_string().into() })
}

fn shorten(digits: String) -> String {
    const LONGEST: usize = 24;
    if digits.len() > LONGEST { format!("{}…", &digits[..LONGEST]) } else { digits }
}

/// A refusal that no waiting cures.
fn is_out_of_quota(reply: &Reply) -> bool {
    let needle = b"\"insufficient_quota\"";
    matches!(reply.status, Some(200 | 429))
        && reply.body.as_ref().is_some_and(|body| body.windows(needle.len()).any(|window| window == needle))
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
        let failure =
            |is_temporary| Some(Failure { text: "Peer disconnected".to_owned(), is_temporary, is_foreign: false });
        assert!(matches!(ask(&Reply { error: failure(true), ..reply(200) }, 1), Next::Again(_)));
        assert!(matches!(ask(&Reply { error: failure(true), ..Reply::default() }, 1), Next::Again(_)));
        assert_eq!(ask(&Reply { error: failure(false), ..reply(200) }, 1), Next::Refused);
        // What a whole answer could not change is not asked again because it came in pieces.
        assert_eq!(ask(&Reply { error: failure(true), ..reply(401) }, 1), Next::Refused);
    }

    #[test]
    fn a_server_s_own_wish_is_honoured_within_reason() {
        let wish = |text: &str| Reply { headers: vec![("retry-after".to_owned(), text.to_owned())], ..reply(429) };
        assert_eq!(ask(&wish("20"), 1), Next::Again(Duration::from_secs(20)));
        assert_eq!(ask(&wish("Sun, 06 Nov 1994 08:50:07 GMT"), 1), Next::Again(Duration::from_secs(30)));
        for date in ["Sunday, 06-Nov-94 08:50:07 GMT", "Sun Nov  6 08:50:07 1994"] {
            assert_eq!(ask(&wish(date), 1), Next::Again(Duration::from_secs(30)), "{date}");
        }
        assert_eq!(ask(&wish(" 600 "), 1), Next::Again(Duration::from_secs(600)));
        assert_eq!(ask(&wish("2.25"), 1), Next::Again(Duration::from_secs(3)));
        let long = [
            ("601", "601 s, until 1994-11-06T08:59:38Z"),
            ("86400", "86400 s, until 1994-11-07T08:49:37Z"),
            ("Mon, 07 Nov 1994 08:49:37 GMT", "86400 s, until 1994-11-07T08:49:37Z"),
            ("Monday, 07-Nov-94 08:49:37 GMT", "86400 s, until 1994-11-07T08:49:37Z"),
            ("Mon Nov  7 08:49:37 1994", "86400 s, until 1994-11-07T08:49:37Z"),
            ("99999999999999999999", "99999999999999999999 s, until after the year 9999"),
            ("18446744073709551615", "18446744073709551615 s, until after the year 9999"),
            ("1000000000000", "1000000000000 s, until after the year 9999"),
        ];
        for (text, told) in long {
            // Also at the last attempt: what the server says is told rather than a count.
            for attempt in [1, ATTEMPTS] {
                let Next::Later(wish) = ask(&wish(text), attempt) else { panic!("{text}") };
                assert_eq!(wish.to_string(), told);
            }
        }
        let Next::Later(endless) = ask(&wish(&"9".repeat(5000)), 1) else { panic!() };
        assert!(endless.to_string().len() < 80, "{endless}");
        for silly in ["0", "-1", "-86400", "+5", "5 s", ".", "1.", "", "soon", "Sun, 06 Nov 1994 08:00:00 GMT"] {
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
