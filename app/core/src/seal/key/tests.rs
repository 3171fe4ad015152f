//! Keys: files that other tools open, files of other tools, and the strict signature rule.

use pkcs8::pkcs5::pbes2::Kdf;

use super::*;
use crate::seal::foreign::{self, SPECCHECK, WYCHEPROOF};

fn secret() -> SecretKey {
    SecretKey::generate([0x42; 32])
}

#[test]
fn plain_files_are_version_one_and_survive_other_line_ends() {
    let pem = secret().to_pem(None).unwrap();
    // What `openssl pkey` writes for this key: 48 bytes, no public key inside.
    assert_eq!(
        pem.as_str(),
        "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIEJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJC\n-----END PRIVATE KEY-----\n"
    );
    for text in [pem.to_string(), pem.replace('\n', "\r\n"), format!("\n  {}\n\n", pem.replace('\n', " \r\n"))] {
        let back = SecretKey::from_pem(&text, None).unwrap();
        assert_eq!(back.public(), secret().public());
    }
    let public = secret().public();
    let spki = public.to_pem().unwrap();
    assert_eq!(PublicKey::from_pem(spki.replace('\n', "\r\n")).unwrap(), public);
    assert_eq!(public.key_id(), "a8007901c02a96e7414dcb1e7694c7462913ff6e2526c12f9875dc3f6a508075");
    let hint = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, public.fingerprint().0);
    assert_eq!(hint, "moJRf5rxlBbZj9vPGTcms6lcC2/sHVGIS/Phtzm6LvQ=");
}

#[test]
fn a_protected_file_opens_with_its_passphrase_only() {
    let pem = secret().to_pem(Some(("correct horse", [7; 32]))).unwrap();
    assert!(pem.starts_with("-----BEGIN ENCRYPTED PRIVATE KEY-----\n"));
    let open = |passphrase| SecretKey::from_pem(&pem, passphrase).map(|key| key.public());
    assert_eq!(open(Some("correct horse")), Ok(secret().public()));
    assert_eq!(open(Some("correct horsf")), Err(KeyError::WrongPassphrase));
    assert_eq!(open(None), Err(KeyError::NeedsPassphrase));
}

/// `openssl genpkey -algorithm ed25519`, then `openssl pkcs8 -topk8` with each protection; passphrase `pass`.
#[test]
fn files_of_openssl_open() {
    for (name, pem) in [("pbkdf2", OPENSSL_PBKDF2), ("scrypt", OPENSSL_SCRYPT)] {
        let key = SecretKey::from_pem(pem, Some("pass"));
        assert_eq!(key.unwrap().public(), secret().public(), "{name}");
    }
}

#[test]
fn what_is_no_key_is_refused() {
    let public = secret().public().to_pem().unwrap();
    let private = secret().to_pem(None).unwrap();
    let wrong = |found: &str, expected| KeyError::WrongKind { found: found.to_owned(), expected };
    assert_eq!(SecretKey::from_pem(&public, None).unwrap_err(), wrong("PUBLIC KEY", "PRIVATE KEY"));
    assert_eq!(PublicKey::from_pem(&private).unwrap_err(), wrong("PRIVATE KEY", "PUBLIC KEY"));
    for text in ["", " \n"] {
        assert_eq!(PublicKey::from_pem(text).unwrap_err(), KeyError::Empty);
    }
    for text in
        ["not a key", "-----BEGIN PUBLIC KEY-----", "-----BEGIN PUBLIC KEY-----\n%%%\n-----END PUBLIC KEY-----", "é"]
    {
        assert_eq!(PublicKey::from_pem(text).unwrap_err(), KeyError::NotPem, "{text}");
        let secret = SecretKey::from_pem(text, None).unwrap_err();
        assert!(secret == KeyError::NotPem || secret == wrong("PUBLIC KEY", "PRIVATE KEY"), "{text}");
    }
    // A cut or altered body never opens, and never panics.
    for i in 0..private.len() {
        let mut altered = private.to_string();
        altered.remove(i);
        if let Ok(key) = SecretKey::from_pem(&altered, None) {
            assert_eq!(key.public(), secret().public(), "{altered}");
        }
    }
}

/// What stands around the block is no part of it; what is no block, or more than one, is told as what it is.
#[test]
fn a_file_is_told_as_what_it_is() {
    let other = SecretKey::generate([0x43; 32]).public().to_pem().unwrap();
    let pem = secret().public().to_pem().unwrap();
    for text in [format!("my key, 2026\n{pem}"), format!("{pem}do not lose it\n"), pem.replace('\n', "\r")] {
        assert_eq!(PublicKey::from_pem(&text).unwrap(), secret().public(), "{text}");
    }
    let der = base64::Engine::decode(
        &base64::engine::general_purpose::STANDARD,
        "MCowBQYDK2VwAyEAAHvIQp7wbpjj5fJSc83SGElEUx67DYCbBGNJF57eSLc=",
    )
    .unwrap();
    let marked = [b"\xef\xbb\xbf", pem.as_bytes()].concat();
    let wide: Vec<u8> = pem.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let refused = |bytes: &[u8]| PublicKey::from_pem(bytes).unwrap_err();
    assert_eq!(refused(&der), KeyError::PublicDer);
    assert_eq!(refused(&marked), KeyError::Mark);
    assert_eq!(refused(&[b"\xff\xfe", &wide[..]].concat()), KeyError::Mark);
    assert_eq!(refused(format!("{pem}{other}").as_bytes()), KeyError::Several(2));
    assert_eq!(refused(b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAB7yEKe x"), KeyError::OpenSsh);
    for (error, word) in [
        (refused(&der), "openssl pkey -pubin -inform DER -in KEY.der -out KEY.pem"),
        (refused(&marked), "byte order mark"),
        (refused(format!("{pem}{other}").as_bytes()), "the file holds two keys; give each its own file"),
    ] {
        assert!(error.to_string().contains(word), "{error}");
    }
}

/// `openssl pkcs8 -topk8` with `-v2prf hmacWithSHA1`, `-v2 des3` and `-v1 PBE-SHA1-3DES`; passphrase `pass`, which opens each.
#[test]
fn a_protection_that_is_not_read_is_no_wrong_passphrase() {
    for (pem, what) in [
        (OPENSSL_SHA1, "PBKDF2 with SHA-1"),
        (OPENSSL_DES3, "a scheme or cipher unknown here"),
        (OPENSSL_PBES1, "a scheme or cipher unknown here"),
    ] {
        let error = SecretKey::from_pem(pem, Some("pass")).unwrap_err();
        assert_eq!(error, KeyError::UnsupportedProtection(what));
        assert!(error.to_string().contains("openssl pkcs8 -topk8 -v2 aes-256-cbc -v2prf hmacWithSHA256"), "{error}");
    }
}

#[test]
fn a_file_cannot_ask_for_endless_work() {
    for parameters in
        [Parameters::generate_pbkdf2_sha256_aes256cbc(99_000_000, b"salt5678", [0; 16]).unwrap(), costly_scrypt()]
    {
        let sealed = pkcs8::EncryptedPrivateKeyInfoOwned {
            encryption_algorithm: parameters.into(),
            encrypted_data: pkcs8::der::asn1::OctetString::new([0; 64]).unwrap(),
        };
        let document = SecretDocument::try_from(&sealed).unwrap();
        let pem = document.to_pem(ENCRYPTED, LineEnding::LF).unwrap();
        assert_eq!(SecretKey::from_pem(&pem, Some("x")).unwrap_err(), KeyError::TooCostly);
    }
}

fn costly_scrypt() -> Parameters {
    let random = [0; 32];
    let mut parameters = Parameters::generate_pbkdf2_sha256_aes256cbc(1, &random[..16], [0; 16]).unwrap();
    parameters.kdf = Kdf::Scrypt(pkcs8::pkcs5::pbes2::ScryptParams {
        salt: pkcs8::pkcs5::pbes2::Salt::new(&random[..16]).unwrap(),
        cost_parameter: 1 << 40,
        block_size: 8,
        parallelization: 1,
        key_length: None,
    });
    parameters
}

#[test]
fn weak_and_doubly_encoded_keys_are_refused() {
    let mut identity = [0; 32];
    identity[0] = 1;
    assert_eq!(PublicKey::from_raw(&identity).unwrap_err(), KeyError::Weak);
    assert_eq!(PublicKey::from_raw(&[0; 32]).unwrap_err(), KeyError::Weak);
    // y = p + 3 and its like: a second spelling of y = 3 and its like, where they are on the curve at all.
    for low in 0xed..=0xff_u8 {
        let mut raw = [0xff; 32];
        raw[0] = low;
        raw[31] = 0x7f;
        assert!(PublicKey::from_raw(&raw).is_err(), "{low:x}");
    }
}

/// Runs a table of signatures: which of its keys are refused at once, and which signatures hold.
fn run(table: &'static str) -> (Vec<&'static str>, Vec<&'static str>) {
    let (mut weak, mut good) = (Vec::new(), Vec::new());
    for row in foreign::rows(table) {
        let [number, key, message, signature, result] = row[..] else { panic!("{row:?}") };
        let raw: [u8; 32] = foreign::bytes(key).try_into().unwrap();
        let key = PublicKey::from_raw(&raw);
        let holds =
            key.as_ref().is_ok_and(|key| key.verify_strict(&foreign::bytes(message), &foreign::bytes(signature)));
        assert_eq!(holds, result == "valid", "{number}");
        if key.is_err() {
            weak.push(number);
        }
        if holds {
            good.push(number);
        }
    }
    (weak, good)
}

#[test]
fn speccheck() {
    // The row "Dalek strict" of the published table; case 3 is a key of mixed order, harmless to all but its owner.
    assert_eq!(run(SPECCHECK), (vec!["0", "1", "10", "11"], vec!["3"]));
}

#[test]
fn wycheproof() {
    assert_eq!(foreign::rows(WYCHEPROOF).count(), 151);
    assert_eq!(run(WYCHEPROOF).1.len(), 88);
}

const OPENSSL_PBKDF2: &str = "\
-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAikIQIQbIiRUgICCAAw
DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEENmjuGvLJz0miH0ZhA2zr3AEQHS2
jhDYORBIxb0DcpU9B4WIWWZWFoFt1E30IlpDnOXJzxgdTx3pAGvpfLksidYLaqVe
zvhdeqBN7gyzfZ5GZ/g=
-----END ENCRYPTED PRIVATE KEY-----
";

const OPENSSL_SCRYPT: &str = "\
-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGTME8GCSqGSIb3DQEFDTBCMCEGCSsGAQQB2kcECzAUBAgPMzmrSkXySgICQAAC
AQgCAQEwHQYJYIZIAWUDBAEqBBAERRxFfIHfSs5K+h4VOPs2BEAcMqK9v2rfGpzd
SujluI4j6XWj9aicr0PdZAXn20hd0Tq97fsRiickyV28E/fVxitwPw2d8kK+7k7Z
46cuxbwo
-----END ENCRYPTED PRIVATE KEY-----
";

const OPENSSL_SHA1: &str = "\
-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGNMEkGCSqGSIb3DQEFDTA8MBsGCSqGSIb3DQEFDDAOBAh4m+j27jj5/wICCAAw
HQYJYIZIAWUDBAEqBBCkPJokE+Y7c8/6FD+0QjCRBEA06RE9DLlcV1bUjpZnUJdw
+GcV++puCBn9a3CejxxMf1oDDUHWrenTTyHW2YdojP2rs04Jm34KyUgUtnZHSq7B
-----END ENCRYPTED PRIVATE KEY-----
";

const OPENSSL_DES3: &str = "\
-----BEGIN ENCRYPTED PRIVATE KEY-----
MIGKME4GCSqGSIb3DQEFDTBBMCkGCSqGSIb3DQEFDDAcBAg+ZCTd7RhNMAICCAAw
DAYIKoZIhvcNAgkFADAUBggqhkiG9w0DBwQIEzCAc8eKos0EOPyFbW/srxs8wF81
+MLpYZR4eGx9Qr/LmqPHvjzwwmiblZtf5V+IsYrBJcCUOE8lSdssAHLfp85r
-----END ENCRYPTED PRIVATE KEY-----
";

const OPENSSL_PBES1: &str = "\
-----BEGIN ENCRYPTED PRIVATE KEY-----
MFgwHAYKKoZIhvcNAQwBAzAOBAgIwHN7vyxXkQICCAAEOEihrEsvB0vEA47V4UZw
Fk0NHK+0T/xy45aizuYTqucINmdvQwQ9jYqs//t4S11aPOeW1afflV6u
-----END ENCRYPTED PRIVATE KEY-----
";
