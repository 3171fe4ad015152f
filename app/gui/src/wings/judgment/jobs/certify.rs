//! Certifying a case. Same functions as the command line, so the same bytes.

use std::sync::Arc;

use decidendi_core::judgment::case::Case;
use decidendi_core::judgment::result::Judgment;
use decidendi_core::judgment::verify::{Against, verify};
use decidendi_core::judgment::walk::Compiler;
use decidendi_files::names;
use decidendi_files::seal::Seal;

use crate::desk::jobs::Handle;
use crate::shared::signing::{NotSigned, Sealed, SignWith, sign};
use crate::wings::judgment::answer::JudgmentAnswer;
use crate::wings::judgment::state::Format;

/// Certifies a case: signs with the key, or with a new one made for it, and verifies at once with replay.
pub fn certify(case: &Case, judgment: &Judgment, with: SignWith, handle: &Handle) -> JudgmentAnswer {
    let done = sign(
        with,
        |secret| {
            let sealed = (Seal { keys: &[secret], time: None, bundle: false }).seal(case, judgment);
            let sealed = sealed.map_err(|why| NotSigned::Refused(why.to_string()))?;
            if handle.is_cancelled() {
                return Err(NotSigned::Cancelled);
            }
            let file = format!("{}.{}", names::file_stem(case.id()), Format::Certificate.ending());
            Ok(Sealed { bytes: sealed.envelope, file, of: vec![case.digest()] })
        },
        |trust, bytes| {
            let against = Against { trust: Some(trust), case: Some(case) };
            let found = verify("certificate", bytes, against, &mut Compiler::default(), handle)?;
            Ok((found.verdict, found.state, Arc::new(found)))
        },
    );
    JudgmentAnswer::Certified(done)
}
