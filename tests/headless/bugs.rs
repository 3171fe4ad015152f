//! Public bug reports, each turned into the rule that would have prevented it. Rows are those of the reference list of
//! reports, in its two tables *comparison* and *files*; the inputs lie in `tests/vectors/bugs/`.

use std::fs;
use std::path::Path;
use std::process::Command;

use decidendi_core::judgment::case::{Artifacts, Case};
use decidendi_core::judgment::certificate::{Certificate, Time};
use decidendi_core::judgment::result::{Judgment, Outcome};
use decidendi_core::judgment::source::Mask;
use decidendi_core::judgment::verdict::Meaning;
use decidendi_core::judgment::walk::{Compiler, judge, open_case};
use decidendi_core::report::account;
use decidendi_core::seal::canon::{canonical, read_input};
use decidendi_core::seal::certificate::Certificate as _;
use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::dsse::{Envelope, IN_TOTO};
use decidendi_core::seal::json::Json;
use decidendi_core::seal::key::SecretKey;
use decidendi_core::seal::statement::Statement;
use decidendi_core::watch::Unwatched;

use crate::vectors::{Made, Vector, folder, holds};

/// The vectors of a row.
fn row(prefix: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder().join("bugs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| name.starts_with(prefix))
        .collect();
    names.sort();
    assert!(!names.is_empty(), "{prefix}");
    names
}

/// Every vector of a row ends as its header says; gives their exit codes.
fn row_holds(prefix: &str) -> Vec<u8> {
    row(prefix).iter().map(|name| holds(&format!("bugs/{name}")).exit).collect()
}

fn case(name: &str) -> Case {
    let vector = Vector::read(&folder().join(format!("bugs/{name}.txt")));
    open_case("case.json", &vector.body, &Artifacts::new()).unwrap_or_else(|e| panic!("{e}"))
}

fn judged(case: &Case) -> Judgment {
    judge(case, &mut Compiler::default(), &Unwatched).unwrap_or_else(|e| panic!("{e}"))
}

fn text(case: &Case, judgment: &Judgment) -> String {
    account(case, judgment).into_iter().map(|s| s.text).collect::<Vec<_>>().join(" ")
}

/// The bytes that a certificate vector makes.
fn made(name: &str) -> Vec<u8> {
    Made::new(&Vector::read(&folder().join(format!("bugs/{name}.txt")))).bytes()
}

/// Runs the command line; exit code, standard output and standard error.
fn decidendi(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_decidendi")).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

// Comparison, row 1: potassco/clingo-explaid #30.
#[test]
fn equal_endpoints_owe_no_receipt_and_the_inside_stays_visible() {
    row_holds("comparison-01");
    let case = case("comparison-01-endpoints-equal-inside-not");
    let judgment = judged(&case);
    assert_eq!(judgment.outcome, Outcome::Stable);
    assert_eq!(judgment.family().unwrap().members(), []);
    let told = text(&case, &judgment);
    assert!(told.contains("No receipt is owed"), "{told}");
    assert!(told.contains("The revisions cancel out: 2 hybrids in between"), "{told}");
    // The empty set as a member is another, malformed family.
    holds("certificate/sound-stable.txt");
    holds("certificate/receipts-empty-set-stable.txt");
}

// Comparison, row 2: ucsd-progsys/liquid-fixpoint PR #228, debuggingbook #45.
#[test]
fn the_family_is_enumerated_and_no_deletion_search() {
    row_holds("comparison-02");
    let judgment = judged(&case("comparison-02-ambiguous-core"));
    let new = judgment.endpoints().1;
    // A deletion search from the full set stops at once: without any one source the verdict is the old one.
    assert!((0..3).all(|i| judgment.cube.cell(Mask::full(3).toggled(i)) != new));
    assert_eq!(judgment.family().unwrap().members(), [Mask(4)]);
    assert_eq!(judgment.non_monotone(), [Mask(5), Mask(6)]);
}

// Comparison, row 3: PolicyEngine/policyengine-api #631.
#[test]
fn swapping_the_versions_gives_the_inverse_family_and_swapping_twice_the_same_bytes() {
    let forward = case("comparison-02-ambiguous-core");
    let swapped = forward.swapped().unwrap();
    let judgment = judged(&swapped);
    let (old, new) = judgment.endpoints();
    assert_eq!([old, new].map(|v| judgment.labels.word(v.unwrap())), ["approve", "deny"]);
    assert_eq!(judgment.family().unwrap().members(), [Mask(1), Mask(2), Mask(4)]);
    assert_eq!(swapped.swapped().unwrap().canonical(), forward.canonical());
    assert_ne!(swapped.canonical(), forward.canonical());
}

// Comparison, row 4: cedar-policy/cedar #1850.
#[test]
fn forbidden_and_not_permitted_are_two_verdicts() {
    row_holds("comparison-04");
    let case = case("comparison-04-forbidden-is-not-unpermitted");
    let judgment = judged(&case);
    let words =
        |wanted: &str| (0..8).map(Mask).filter(|&m| judgment.word(m) == Some(wanted)).map(|m| m.0).collect::<Vec<_>>();
    assert_eq!((words("refer"), words("deny")), (vec![0, 1, 2, 3], vec![4, 5, 6, 7]));
    assert_eq!(judgment.family().unwrap().members(), [Mask(4)]);
    let told = text(&case, &judgment);
    assert!(told.contains("old version the verdict is refer") && told.contains("revised it is deny"), "{told}");
    assert_ne!(Meaning::of("refer"), Meaning::of("deny"));
}

// Comparison, row 9: luckyPipewrench/agent-egress-bench PR #56, serde-rs/json #762.
#[test]
fn two_verdicts_in_one_object_are_refused_before_anything_is_shown() {
    row_holds("comparison-09");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("case.json");
    let shown = path.to_str().unwrap();
    for name in row("comparison-09") {
        let vector = Vector::read(&crate::vectors::folder().join(format!("bugs/{name}")));
        fs::write(&path, &vector.body).unwrap();
        let place = format!("{shown}:{}: ", vector.header("where"));
        for command in [&["inspect", shown][..], &["inspect", "--json", shown], &["verify", shown]] {
            let (code, out, err) = decidendi(command);
            assert_eq!(code, 2, "{name}: {command:?} {out}{err}");
            assert!(!out.contains("approve") && !out.contains("cells"), "{name}: {command:?} {out}");
            assert!(err.contains(&place) && err.contains("duplicate key"), "{name}: {err}");
        }
    }
}

// Files, row 1: mozilla/normandy#1210.
#[test]
fn no_fraction_is_ever_signed() {
    row_holds("files-01");
    // A statement with a fraction is refused by the reader that every certificate goes through.
    let statement = Statement {
        subjects: vec![("case.json".to_owned(), Digest::of(b""))],
        predicate_type: "https://decidendi.dev/judgment-receipt/v1".to_owned(),
        predicate: Json::map([("rate", Json::Float(0.00001))]),
    };
    let error = Statement::read(&statement.to_bytes()).unwrap_err().to_string();
    assert!(error.contains("fraction not allowed"), "{error}");
}

// Files, row 2: serde-rs/json#1336, #707.
#[test]
fn a_number_that_is_read_and_written_keeps_its_digits() {
    row_holds("files-02");
    for text in ["-3.333333333333333e-10", "5e-324", "0.1", "333333333.3333332", "4.35"] {
        let document = read_input("number.json", format!("[{text}]").as_bytes()).unwrap();
        assert_eq!(canonical(&document.root), format!("[{text}]").as_bytes());
        let library: f64 = serde_json::from_str(text).unwrap();
        assert_eq!(library.to_bits(), text.parse::<f64>().unwrap().to_bits(), "float_roundtrip is off");
    }
}

// Files, row 3: jagmarques/asqav-sdk#453, agentrust-io/trace-spec#219.
#[test]
fn integers_that_share_a_double_are_refused_both() {
    row_holds("files-03");
}

// Files, row 4: BrightbeamAI/chap#53, rurban/Cpanel-JSON-XS#248.
#[test]
fn keys_are_ordered_by_utf_16_unit() {
    row_holds("files-04");
    let text = "{\"\u{ff20}\":1,\"\u{1f600}\":2}";
    let wanted = "{\"\u{1f600}\":2,\"\u{ff20}\":1}";
    assert_eq!(canonical(&read_input("keys.json", text.as_bytes()).unwrap().root), wanted.as_bytes());
    let value: serde_json::Value = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json_canonicalizer::to_vec(&value).unwrap(), wanted.as_bytes());
}

// Files, row 5: cyberphone/json-canonicalization#37.
#[test]
fn what_is_no_text_is_refused_and_not_repaired() {
    row_holds("files-05");
}

// Files, row 6: Cyphrme/Coz#26, tinfoilsh/tinfoil-python#88.
#[test]
fn a_duplicate_key_is_met_before_the_signature_is_looked_at() {
    row_holds("files-06");
    let vector = Vector::read(&folder().join("bugs/files-06-duplicate-in-the-payload.txt"));
    let result = Made::new(&vector).verify().unwrap();
    assert_eq!(result.checks[0].status.word(), "fail");
    assert!(result.checks[1..].iter().all(|c| c.status.word() == "not run"), "{:#?}", result.checks);
    assert!(result.claimed.is_none() && result.signers.is_empty());
}

// Files, row 8: secure-systems-lab/dsse#51, theupdateframework/go-tuf#733.
#[test]
fn a_threshold_counts_distinct_keys() {
    row_holds("files-08");
}

// Files, row 9: sigstore/cosign#4801, #4802.
#[test]
fn any_other_statement_by_the_same_key_is_no_certificate() {
    row_holds("files-09");
}

// Files, row 10: jdx/mise#9972, anthony-chaudhary/fak#3191.
#[test]
fn a_certificate_never_passes_without_its_own_case() {
    assert_eq!(row_holds("files-10"), [1, 3]);
}

// Files, row 11: jdx/mise#9260, alphaonedev/ai-memory-mcp#1452, synaptent/aragora#8388.
#[test]
fn a_stripped_certificate_fails_and_nothing_says_verified() {
    row_holds("files-11");
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("x.cert.json"), made("files-11-stripped")).unwrap();
    fs::write(path("key.pub"), SecretKey::generate([1; 32]).public().to_pem().unwrap()).unwrap();
    let case = crate::vectors::folder().join("certificate/changed.case.json");
    let arguments = ["verify", &path("x.cert.json"), "--case", case.to_str().unwrap(), "--trust", &path("key.pub")];
    for json in [&[][..], &["--json"]] {
        let (code, out, err) = decidendi(&[&arguments[..], json].concat());
        assert_eq!(code, 1, "{out}{err}");
        assert!(!out.contains("verified") && !err.contains("verified"), "{out}{err}");
    }
}

// Files, row 17: time-rs/time#404, #406, solana-foundation/pay-kit#284.
#[test]
fn a_time_has_one_spelling() {
    row_holds("files-17");
    assert!(Time::parse("2026-11-29T23:59:59.000Z").is_some());
}

// Files, row 21: lf-edge/eve#6187, contentauth/c2pa-rs#2271, Ylarod/runzip#2, weichsel/ZIPFoundation#282.
#[test]
fn no_name_and_no_digest_of_a_document_becomes_a_path() {
    row_holds("files-21");
    for digest in ["../../../../etc/passwd", "sha256:../../../../etc/passwd", ""] {
        assert!(Digest::parse(digest).is_err());
    }
}

// Files, row 21, on the disk: a link in a folder that is a bundle or that a reference names.
#[cfg(unix)]
#[test]
fn links_out_of_a_folder_are_refused() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("days.json"), "{\"days\": 16}").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let case = fs::read_to_string(crate::vectors::folder().join("certificate/changed.case.json")).unwrap();
    let case = case.replace("\"old\": {\"days\": 16}", "\"old\": {\"$ref\": \"in/days.json\"}");
    fs::write(folder.path().join("case.json"), case).unwrap();
    symlink(outside.path(), folder.path().join("in")).unwrap();
    let shown = folder.path().join("case.json");
    let (code, out, err) = decidendi(&["inspect", shown.to_str().unwrap()]);
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    assert!(err.contains("link that leads out") && err.contains(":11:"), "{err}");

    let bundle = tempfile::tempdir().unwrap();
    fs::write(bundle.path().join("bundle.json"), "{}").unwrap();
    symlink("/", bundle.path().join("evidence")).unwrap();
    let (code, out, err) = decidendi(&["verify", bundle.path().to_str().unwrap()]);
    assert_eq!((code, out.as_str()), (2, ""), "{err}");
    assert!(err.contains("link"), "{err}");
}

// Files, row 25: dalek-cryptography/curve25519-dalek#627, #738.
#[test]
fn a_written_key_is_what_openssl_opens() {
    let key = SecretKey::generate([7; 32]);
    let pem = key.to_pem(None).unwrap();
    // Version 1 without the public key: 48 bytes, which are 64 letters.
    assert_eq!(pem.lines().nth(1).unwrap().len(), 64, "{}", pem.as_str());
    // What `openssl pkey -pubout` of OpenSSL 3.0 writes for this file; `scripts/interop` runs the tool itself.
    assert_eq!(
        key.public().to_pem().unwrap(),
        "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw=\n-----END PUBLIC KEY-----\n"
    );
}

// Files, row 26: weidai11/cryptopp#1352, kazu-yamamoto/crypton#81.
#[test]
fn a_second_spelling_of_a_signature_is_refused_and_names_nothing() {
    row_holds("files-26");
    let bytes = fs::read(Path::new(&folder()).join("certificate/changed.case.json")).unwrap();
    let case = open_case("case.json", &bytes, &Artifacts::new()).unwrap();
    let certificate = Certificate::bind(&case, &judged(&case), None).unwrap();
    let (one, two) = (SecretKey::generate([1; 32]), SecretKey::generate([2; 32]));
    let digest = |keys: &[&SecretKey]| {
        let envelope = Envelope::read("x", &certificate.sign(keys)).unwrap();
        assert_eq!(envelope.payload_type, IN_TOTO);
        Digest::of(&envelope.payload)
    };
    // What names a certificate is what was signed, whoever signed it and however.
    assert_eq!(digest(&[&one]), digest(&[&two, &one]));
}
