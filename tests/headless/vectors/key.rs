//! Key files, sets of trusted keys, and times.

use decidendi_core::judgment::certificate::Time;
use decidendi_core::seal::key::{PublicKey, SecretKey};
use decidendi_core::seal::verified::TrustStore;

use super::file::{Found, Vector, variant};

/// Reads a key file, or a trust store of the seeds listed.
pub fn run(vector: &Vector) -> Found {
    let refused = |error: &dyn std::fmt::Display, word: String| Found::refused(word, error.to_string(), 2);
    match vector.header("read") {
        "public-key" => match PublicKey::from_pem(vector.text()) {
            Ok(key) => Found::accepted(hex(key.raw()).as_bytes()),
            Err(error) => refused(&error, variant(&error)),
        },
        "secret-key" => match SecretKey::from_pem(vector.text(), None) {
            Ok(key) => Found::accepted(hex(key.public().raw()).as_bytes()),
            Err(error) => refused(&error, variant(&error)),
        },
        _ => {
            let mut words = vector.text().split_whitespace();
            let threshold: usize = words.next().unwrap().parse().unwrap();
            let keys = words.map(|seed| SecretKey::generate([seed.parse().unwrap(); 32]).public().clone());
            match TrustStore::new(keys).and_then(|store| store.with_threshold(threshold)) {
                Ok(store) => Found::accepted(store.keys().len().to_string().as_bytes()),
                Err(error) => refused(&error, variant(&error)),
            }
        }
    }
}

/// Reads a declared time, the whole body.
pub fn time(vector: &Vector) -> Found {
    match Time::parse(vector.text()) {
        Some(time) => Found::accepted(time.as_str().as_bytes()),
        None => Found { word: "refused".to_owned(), exit: 2, ..Found::default() },
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
