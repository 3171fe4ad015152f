//! `decidendi demo`: the main job in one go, on any machine.

use std::path::{Path, PathBuf};

use decidendi_core::judgment::result::Judgment;
use decidendi_core::judgment::walk::Compiler;
use decidendi_core::kinds::Claim;
use decidendi_core::limits::DOCUMENT_BYTES;
use decidendi_core::report::{case_text, inspect_json, json_line};
use decidendi_core::seal::json::Json;
use decidendi_core::seal::key::PublicKey;
use decidendi_core::seal::verification::{Standing, Verification};
use decidendi_core::seal::verified::{TrustError, TrustStore};
use decidendi_core::watch::Unwatched;
use decidendi_files::check::{CheckError, verify_path};
use decidendi_files::evidence::Evidence;
use decidendi_files::io::{self, IoError};
use decidendi_files::keys::{self, KeyFileError};
use decidendi_files::load::{LoadError, load_case};
use decidendi_files::seal::{CertifyError, Seal, Sealed, Written};

use crate::args::Demo;
use crate::commands::verify;
use crate::exit::Exit;
use crate::print::{self, Out};

/// The first case of the shipped story, so that the demo works wherever the program is.
const STORY: &str =
    include_str!("../../../../sample_cases/00-winter-fuel/01-pensioner-starts-pension-credit.case.json");
const STORY_FILE: &str = "winter-fuel.case.json";

/// What the demo needs, and what of it can fail.
#[derive(Debug, thiserror::Error)]
enum DemoError {
    #[error(transparent)]
    Io(#[from] IoError),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Key(#[from] KeyFileError),
    #[error(transparent)]
    Trust(#[from] TrustError),
    #[error(transparent)]
    Certify(#[from] CertifyError),
    #[error(transparent)]
    Check(#[from] CheckError),
}

/// Runs the demo; on success also the case file that the window should open, if one is wanted.
pub fn run(args: &Demo) -> (Exit, Option<PathBuf>) {
    match demo(args) {
        Ok((exit, case)) => (exit, (exit == Exit::Holds && !args.json).then_some(case)),
        Err(error) => {
            let cause = if let DemoError::Io(cause) = &error { Some(cause) } else { None };
            print::disk_error(&error, cause);
            (Exit::BadInput, None)
        }
    }
}

fn demo(args: &Demo) -> Result<(Exit, PathBuf), DemoError> {
    io::make_folder(&args.out)?;
    let case_file = args.out.join(STORY_FILE);
    if !args.force {
        io::see_free(&case_file, STORY.as_bytes(), |_| false)?;
    }
    io::write_atomic(&case_file, STORY.as_bytes())?;
    let loaded = load_case(&case_file)?;
    let mut compiler = Compiler::default();
    let judgment = loaded.judge(&mut compiler, &Unwatched)?;

    // The private half is never written: nobody can sign with it again.
    let key = keys::fresh()?;
    let public_file = args.out.join("demo-key.pub");
    let public = key.public();
    let public_pem = public.to_pem().map_err(|error| KeyFileError::Key { path: public_file.clone(), error })?;
    let sealed = Seal { keys: &[&key], time: None, bundle: true }.seal(&loaded.case, &judgment)?;
    if !args.force {
        see_free(&args.out, &sealed, &public_file, public_pem.as_bytes())?;
    }
    io::write_atomic(&public_file, public_pem.as_bytes())?;
    io::commit(sealed.stage(&args.out)?)?;
    let written = sealed.paths(&args.out);

    let trust = TrustStore::new([public])?;
    let bundle = written.bundle.clone().unwrap_or_else(|| written.certificate.clone());
    let outcome = verify_path(&bundle, Some(&trust), &Evidence::default(), &mut compiler, &Unwatched)?;
    let exit = if outcome.verdict == Standing::Pass { Exit::Holds } else { Exit::Internal };

    let mut out = Out::new(args.json);
    if args.json {
        out.line(&json_line(&json(&case_file, &judgment, &outcome, &written, &public_file)));
    } else {
        out.text(&case_text(&loaded.case, &judgment));
        out.text("\nVerification\n");
        out.text(&verify::text(&bundle, &outcome, false));
        out.text("\nWritten\n");
        for (what, path) in [
            ("case", &case_file),
            ("certificate", &written.certificate),
            ("bundle", &bundle),
            ("public key", &public_file),
        ] {
            out.line(&format!("  {what:<12} {}", path.display()));
        }
        out.text("\nAgain, by yourself\n");
        out.line(&format!("  decidendi verify {} --trust {}", bundle.display(), public_file.display()));
    }
    Ok((out.finish(exit), case_file))
}

/// Sees that nothing lies in the places but what an earlier demo wrote: a public key, and a certificate of the same case
/// that its private half signed.
fn see_free(folder: &Path, sealed: &Sealed, public_file: &Path, public: &[u8]) -> Result<(), IoError> {
    let key = |held: &[u8]| std::str::from_utf8(held).ok().and_then(|pem| PublicKey::from_pem(pem).ok());
    let earlier = io::read(public_file, DOCUMENT_BYTES).ok().and_then(|held| key(&held));
    io::see_free(public_file, public, |held| key(held).is_some())?;
    sealed.see_free(folder, earlier.as_slice())
}

fn json(case: &Path, judgment: &Judgment, outcome: &Verification<Claim>, written: &Written, public: &Path) -> Json {
    let path = |path: &Path| Json::text(path.display().to_string());
    Json::map([
        ("file", path(case)),
        ("inspect", inspect_json(judgment)),
        ("verify", verify::json(written.bundle.as_deref().unwrap_or(&written.certificate), outcome)),
        ("certificate", path(&written.certificate)),
        ("bundle", written.bundle.as_deref().map_or(Json::Null, path)),
        ("public", path(public)),
    ])
}
