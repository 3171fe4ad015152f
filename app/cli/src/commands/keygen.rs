//! `decidendi keygen --out FILE`.

use decidendi_core::report::json_line;
use decidendi_core::seal::json::Json;
use decidendi_files::keys::{self, KeyFileError};

use crate::args::Keygen;
use crate::exit::Exit;
use crate::print::{self, Out};

pub fn run(args: &Keygen) -> Exit {
    match make(args) {
        Ok(exit) => exit,
        Err(error) => {
            print::error(error);
            Exit::BadInput
        }
    }
}

fn make(args: &Keygen) -> Result<Exit, KeyFileError> {
    let passphrase = args.passphrase.source().read()?;
    let key = keys::fresh()?;
    let public_file = keys::write_pair(&args.out, &key, passphrase.as_ref().map(|p| p.as_str()))?;
    let (public, protected) = (key.public(), passphrase.is_some());
    let mut out = Out::new(args.json);
    if args.json {
        out.line(&json_line(&Json::map([
            ("file", Json::text(args.out.display().to_string())),
            ("private", Json::text(args.out.display().to_string())),
            ("public", Json::text(public_file.display().to_string())),
            ("protected", Json::Bool(protected)),
            ("keyid", Json::text(public.key_id())),
            ("fingerprint", Json::text(public.fingerprint().to_string())),
        ])));
    } else {
        let how =
            if protected { "protected by the passphrase" } else { "not protected: whoever has the file can sign" };
        out.line(&format!("private key  {}  ({how})", args.out.display()));
        out.line(&format!("public key   {}  (give this one to those who verify)", public_file.display()));
        out.line(&format!("fingerprint  {}", public.fingerprint()));
    }
    let exit = out.finish(Exit::Holds);
    if exit != Exit::Holds {
        // Whoever asked does not learn that there is a key, nor which.
        keys::take_back(&args.out);
        print::message("no key was kept");
    }
    Ok(exit)
}
