//! `decidendi demo`: the main job in one go, on any machine.

use std::path::{Path, PathBuf};

use decidendi_core::judgment::result::Judgment;
use decidendi_core::judgment::verify::{Standing, Verification};
use decidendi_core::judgment::walk::Compiler;
use decidendi_core::report::{case_text, inspect_json, json_line, plain};
use decidendi_core::seal::json::Json;
use decidendi_core::seal::key::SecretKey;
use decidendi_core::seal::verified::{TrustError, TrustStore};
use decidendi_core::watch::Unwatched;
use decidendi_files::check::{Cases, CheckError, verify_path};
use decidendi_files::io::{self, IoError};
use decidendi_files::keys::{self, KeyFileError};
use decidendi_files::load::{LoadError, Loaded, load_case};
use decidendi_files::seal::{CertifyError, Seal, Written, certify_to};

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
            print::error(error);
            (Exit::BadInput, None)
        }
    }
}

fn demo(args: &Demo) -> Result<(Exit, PathBuf), DemoError> {
    io::make_folder(&args.out)?;
    let case_file = args.out.join(STORY_FILE);
    io::write_atomic(&case_file, STORY.as_bytes())?;
    let loaded = load_case(&case_file)?;
    let mut compiler = Compiler::default();
    let judgment = loaded.judge(&mut compiler, &Unwatched)?;

    // The private half is never written: nobody can sign with it again.
    let key = keys::fresh()?;
    let public_file = args.out.join("demo-key.pub");
    let public = key.public();
    io::write_atomic(
        &public_file,
        public.to_pem().map_err(|error| KeyFileError::Key { path: public_file.clone(), error })?.as_bytes(),
    )?;
    let written = certify(&args.out, &loaded, &judgment, &key)?;

    let trust = TrustStore::new([public])?;
    let bundle = written.bundle.clone().unwrap_or_else(|| written.certificate.clone());
    let outcome = verify_path(&bundle, Some(&trust), &Cases::None, &mut compiler, &Unwatched)?;
    let exit = if outcome.verdict == Standing::Pass { Exit::Holds } else { Exit::Internal };

    let mut out = Out::default();
    if args.json {
        out.line(&json_line(&json(&case_file, &judgment, &outcome, &written, &public_file)));
    } else {
        out.text(&case_text(&loaded.case, &judgment));
        out.line("\nVerification");
        out.text(&verify::text(&bundle, &outcome, false));
        out.line("\nWritten");
        for (what, path) in [
            ("case", &case_file),
            ("certificate", &written.certificate),
            ("bundle", &bundle),
            ("public key", &public_file),
        ] {
            out.line(&plain(&format!("  {what:<12} {}", path.display())));
        }
        out.line("\nAgain, by yourself");
        let again = format!("  decidendi verify {} --trust {}", bundle.display(), public_file.display());
        out.line(&plain(&again));
    }
    Ok((out.finish(exit), case_file))
}

fn certify(folder: &Path, loaded: &Loaded, judgment: &Judgment, key: &SecretKey) -> Result<Written, CertifyError> {
    certify_to(folder, &loaded.case, judgment, Seal { keys: &[key], time: None, bundle: true })
}

fn json(case: &Path, judgment: &Judgment, outcome: &Verification, written: &Written, public: &Path) -> Json {
    let path = |path: &Path| Json::text(path.display().to_string());
    Json::map([
        ("file", path(case)),
        ("inspect", inspect_json(judgment)),
        ("verify", verify::json(outcome)),
        ("certificate", path(&written.certificate)),
        ("bundle", written.bundle.as_deref().map_or(Json::Null, path)),
        ("public", path(public)),
    ])
}
