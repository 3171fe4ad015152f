//! Bundles made to mislead: every zip attack is written here, byte by byte, and must be refused before anything is used.

use std::fs;
use std::io::{Cursor, Read, Write};

use decidendi_files::bundle::{Bundle, BundleError, ZipEntry, ZipError, zip as container};
use zip::write::SimpleFileOptions;

use super::cli::{code, err, example, folder, out, run};

/// An entry of a hand-made zip file.
#[derive(Clone)]
struct Raw {
    name: Vec<u8>,
    bytes: Vec<u8>,
    mode: u32,
    /// Sizes as declared, when they are to be a lie.
    declared: Option<u32>,
    flags: u16,
    method: u16,
}

fn raw(name: &str, bytes: &[u8]) -> Raw {
    Raw { name: name.into(), bytes: bytes.into(), mode: 0o100_644, declared: None, flags: 0, method: 0 }
}

/// Writes what a well-behaved tool would refuse to write.
fn handmade(entries: &[Raw]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        let mut crc = flate2::Crc::new();
        crc.update(&entry.bytes);
        let offset = out.len() as u32;
        let size = entry.declared.unwrap_or(entry.bytes.len() as u32);
        let mut common = Vec::new();
        for half in [20, entry.flags, entry.method, 0, 0x21] {
            common.extend_from_slice(&half.to_le_bytes());
        }
        for word in [crc.sum(), entry.bytes.len() as u32, size] {
            common.extend_from_slice(&word.to_le_bytes());
        }
        common.extend_from_slice(&(entry.name.len() as u16).to_le_bytes());
        common.extend_from_slice(&[0, 0]);
        out.extend_from_slice(b"PK\x03\x04");
        out.extend_from_slice(&common);
        out.extend_from_slice(&entry.name);
        out.extend_from_slice(&entry.bytes);
        directory.extend_from_slice(b"PK\x01\x02\x14\x03");
        directory.extend_from_slice(&common);
        directory.extend_from_slice(&[0; 6]);
        directory.extend_from_slice(&(entry.mode << 16).to_le_bytes());
        directory.extend_from_slice(&offset.to_le_bytes());
        directory.extend_from_slice(&entry.name);
    }
    finish(out, &directory, entries.len() as u16)
}

fn finish(mut out: Vec<u8>, directory: &[u8], count: u16) -> Vec<u8> {
    let start = out.len() as u32;
    out.extend_from_slice(directory);
    out.extend_from_slice(b"PK\x05\x06\0\0\0\0");
    out.extend_from_slice(&count.to_le_bytes());
    out.extend_from_slice(&count.to_le_bytes());
    out.extend_from_slice(&(directory.len() as u32).to_le_bytes());
    out.extend_from_slice(&start.to_le_bytes());
    out.extend_from_slice(&[0, 0]);
    out
}

/// A folder with a good bundle `o/a.decidendi`, and its entries.
fn good() -> (tempfile::TempDir, Vec<ZipEntry>) {
    let folder = folder();
    fs::write(folder.path().join("a.case.json"), example("a", 30)).unwrap();
    let args = ["certify", "a.case.json", "--key", "k", "--out", "o", "--bundle"];
    assert_eq!(code(&run(folder.path(), &args)), 0);
    let entries = container::read(&fs::read(folder.path().join("o/a.decidendi")).unwrap()).unwrap();
    (folder, entries)
}

fn raws(entries: &[ZipEntry]) -> Vec<Raw> {
    entries.iter().map(|e| raw(&e.name, &e.bytes)).collect()
}

#[test]
fn attacks_are_refused_as_a_whole_and_named() {
    let (folder, entries) = good();
    let with = |extra: Raw| {
        let mut all = raws(&entries);
        all.push(extra);
        handmade(&all)
    };
    let mut link = raw("sources/extra.old.json", b"/etc/passwd");
    link.mode = 0o120_777;
    let mut device = raw("device", b"");
    device.mode = 0o020_644;
    let mut encrypted = raw("locked", b"xx");
    encrypted.flags = 1;
    let mut lzma = raw("odd", b"xx");
    lzma.method = 14;
    let mut huge = raw("huge", b"x");
    huge.declared = Some(65 << 20);
    huge.method = 8;
    let mut bomb = raw("bomb", &[0; 100]);
    (bomb.declared, bomb.method) = (Some(60 << 20), 8);
    let mut two_sizes = raw("odd", b"xx");
    two_sizes.declared = Some(3);
    let mut bytes_name = raw("", b"");
    bytes_name.name = vec![b'a', 0xff];
    let mut cut = handmade(&raws(&entries));
    cut.truncate(cut.len() - 30);
    let mut prefixed = handmade(&raws(&entries));
    prefixed.extend_from_slice(b"comment");
    for (what, bytes, word) in [
        ("climbing", with(raw("../evil", b"x")), "leads out of the bundle"),
        ("climbing inside", with(raw("sources/../../evil", b"x")), "leads out of the bundle"),
        ("absolute", with(raw("/etc/evil", b"x")), "absolute path"),
        ("backslash", with(raw("sources\\evil", b"x")), "backslash"),
        ("climbing backslash", with(raw("..\\evil", b"x")), "leads out of the bundle"),
        ("drive", with(raw("C:evil", b"x")), "names a drive"),
        ("control", with(raw("evil\u{1b}[2J", b"x")), "control character"),
        ("null", with(raw("case.json\0.txt", b"x")), "control character"),
        ("empty", with(raw("", b"x")), "it is empty"),
        ("empty part", with(raw("sources//x", b"x")), "empty part"),
        ("dot part", with(raw("./case.json", b"x")), "empty part"),
        ("not UTF-8", with(bytes_name), "not UTF-8"),
        ("twice", with(raw("case.json", b"{}")), "two entries are named `case.json`"),
        ("twice by case", with(raw("CASE.json", b"{}")), "two entries are named"),
        ("twice by form", with(raw("\u{ff43}ase.json", b"{}")), "two entries are named"),
        ("link", with(link), "a symbolic link"),
        ("device", with(device), "a special file"),
        ("encrypted", with(encrypted), "encryption"),
        ("method", with(lzma), "an unknown compression"),
        ("declared huge", with(huge), "larger than the bound"),
        ("declared bomb", with(bomb), "zip bomb"),
        ("two sizes", with(two_sizes), "two sizes"),
        ("cut", cut, "no end record"),
        ("comment", prefixed, "bytes follow its end record"),
        ("empty file", Vec::new(), "too short"),
        ("no zip", b"PK\x03\x04 and nothing else that a zip file has".to_vec(), "no end record"),
        ("not a bundle", handmade(&[raw("readme.txt", b"hello")]), "not a bundle"),
    ] {
        let path = folder.path().join("evil.decidendi");
        fs::write(&path, bytes).unwrap();
        let output = run(folder.path(), &["verify", "evil.decidendi", "--trust", "k.pub"]);
        assert_eq!(code(&output), 2, "{what}: {}{}", out(&output), err(&output));
        assert!(err(&output).contains(word) && err(&output).contains("evil.decidendi"), "{what}: {}", err(&output));
        assert!(!err(&output).contains('\u{1b}'), "{what}");
    }
    let around: Vec<_> =
        fs::read_dir(folder.path().parent().unwrap()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(!around.iter().any(|n| n == "evil"), "a file was written outside");
}

#[test]
fn overlapping_entries_and_mismatching_headers_are_refused() {
    let (_folder, entries) = good();
    let bytes = handmade(&raws(&entries[..2]));
    let directory = bytes.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
    // The second entry of the directory points at the first one's bytes, under another name.
    let second = directory + 4 + bytes[directory + 4..].windows(4).position(|w| w == b"PK\x01\x02").unwrap();
    let mut moved = bytes.clone();
    moved[second + 42..second + 46].copy_from_slice(&0_u32.to_le_bytes());
    assert!(matches!(container::read(&moved), Err(ZipError::Damaged { .. })), "{:?}", container::read(&moved));
    // Two directory entries for one local header: the bytes overlap.
    let one = handmade(&raws(&entries[..1]));
    let start = one.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
    let end = one.len() - 22;
    let mut twice = one[start..end].to_vec();
    twice.extend_from_slice(&one[start..end]);
    let twice = finish(one[..start].to_vec(), &twice, 2);
    assert!(matches!(container::read(&twice), Err(ZipError::Duplicate(_))));
    // The local header gives another name than the directory.
    let mut renamed = bytes.clone();
    renamed[30] = b'B';
    assert!(matches!(container::read(&renamed), Err(ZipError::Damaged { .. })));
    // A changed byte in a stored entry.
    let mut changed = bytes;
    changed[60] ^= 1;
    assert!(matches!(container::read(&changed), Err(ZipError::Damaged { .. })));
}

#[test]
fn a_bomb_is_stopped_by_what_it_really_inflates_to() {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&vec![0; 80 << 20]).unwrap();
    let packed = encoder.finish().unwrap();
    // It claims to be small; only inflating shows the truth, and inflating stops at the claim.
    let mut liar = raw("case.json", &packed);
    (liar.declared, liar.method) = (Some(1000), 8);
    assert!(matches!(container::read(&handmade(&[liar])), Err(ZipError::Damaged { .. })));
    let mut honest = raw("case.json", &packed);
    (honest.declared, honest.method) = (Some(80 << 20), 8);
    assert!(matches!(container::read(&handmade(&[honest])), Err(ZipError::TooLarge { .. })));
    let many: Vec<Raw> = (0..4097).map(|i| raw(&format!("f{i}"), b"")).collect();
    assert!(matches!(container::read(&handmade(&many)), Err(ZipError::TooMany { found: 4097 })));
}

#[test]
fn extra_files_are_listed_as_unsigned_and_never_used() {
    let (folder, entries) = good();
    let mut all = raws(&entries);
    all.push(raw("unsigned/notes/read me.txt", b"trust me"));
    all.push(raw("unsigned/grounds.new.txt", b"{}"));
    fs::write(folder.path().join("extra.decidendi"), handmade(&all)).unwrap();
    let verify = ["verify", "extra.decidendi", "--trust", "k.pub"];
    let output = run(folder.path(), &verify);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let said = out(&output);
    assert!(said.contains("unsigned and not used (2): unsigned/grounds.new.txt, unsigned/notes/read me.txt"), "{said}");
    // Anywhere else it could be taken for something that was signed.
    for name in ["notes/read me.txt", "case.json.txt", "sources/grounds.old.json.bak", "sources/x/", "unsigned.txt"] {
        let mut all = raws(&entries);
        all.push(raw(name, b""));
        fs::write(folder.path().join("extra.decidendi"), handmade(&all)).unwrap();
        let output = run(folder.path(), &verify);
        let said = out(&output);
        assert_eq!(code(&output), 1, "{name}: {said}");
        assert!(said.contains(&format!("11  fail     bundle holds exactly what was signed  `{name}`")), "{said}");
        assert!(said.contains("move it into a folder `unsigned`"), "{said}");
    }
}

#[test]
fn a_bundle_packed_with_its_folder_or_a_comment_is_told_as_that() {
    let (folder, entries) = good();
    let mut inside = raws(&entries);
    inside.iter_mut().for_each(|entry| entry.name.splice(..0, *b"a/").for_each(drop));
    let mut comment = handmade(&raws(&entries));
    let length = comment.len() - 2;
    comment[length] = 11;
    comment.extend_from_slice(b"for the cat");
    for (bytes, word) in [
        (handmade(&inside), "the bundle lies in the folder `a` inside this file; pack what is in that folder"),
        (comment, "carries a comment of 11 bytes, which a bundle never does; zip the files again without one"),
    ] {
        fs::write(folder.path().join("b.decidendi"), bytes).unwrap();
        for command in ["verify", "inspect"] {
            let output = run(folder.path(), &[command, "b.decidendi"]);
            assert_eq!(code(&output), 2, "{command}");
            assert!(err(&output).contains(word), "{}", err(&output));
        }
    }
}

#[test]
fn a_folder_holds_what_its_list_names_and_nothing_beside() {
    let (folder, entries) = good();
    let at = folder.path().join("unpacked");
    for entry in &entries {
        let path = at.join(&entry.name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &entry.bytes).unwrap();
    }
    let verify = ["verify", "unpacked", "--trust", "k.pub"];
    fs::create_dir(at.join("unsigned")).unwrap();
    fs::write(at.join("unsigned/note.txt"), "hello").unwrap();
    let output = run(folder.path(), &verify);
    assert_eq!(code(&output), 0, "{}", out(&output));
    assert!(out(&output).contains("unsigned and not used (1): unsigned/note.txt"), "{}", out(&output));
    for name in ["note.txt", "sources/norms.old.json.orig", ".hidden"] {
        fs::write(at.join(name), "hello").unwrap();
        let output = run(folder.path(), &verify);
        assert_eq!(code(&output), 1, "{name}");
        assert!(out(&output).contains(&format!("`{name}` is not among the files")), "{}", out(&output));
        fs::remove_file(at.join(name)).unwrap();
    }
    // Names exchanged, files and list alike: each digest is right, each name is wrong.
    for (one, two) in [("old", "new"), ("new", "old")] {
        let entry = entries.iter().find(|e| e.name == format!("sources/grounds.{one}.json")).unwrap();
        fs::write(at.join(format!("sources/grounds.{two}.json")), &entry.bytes).unwrap();
    }
    let list = fs::read_to_string(at.join("bundle.json")).unwrap();
    let list = list.replace("grounds.old.json", "X").replace("grounds.new.json", "grounds.old.json");
    fs::write(at.join("bundle.json"), list.replace('X', "grounds.new.json")).unwrap();
    let output = run(folder.path(), &verify);
    assert_eq!(code(&output), 1);
    let word = "`grounds.old` is at `sources/grounds.new.json`; its place is `sources/grounds.old.json`";
    assert!(out(&output).contains(word), "{}", out(&output));
}

#[test]
fn a_changed_bundle_is_altered() {
    let (folder, entries) = good();
    let names: Vec<String> = entries.iter().map(|e| e.name.clone()).collect();
    for name in &names {
        let mut changed = entries.clone();
        let entry = changed.iter_mut().find(|e| e.name == *name).unwrap();
        let at = entry.bytes.iter().position(|b| b.is_ascii_digit()).unwrap_or(10);
        entry.bytes[at] = if entry.bytes[at] == b'7' { b'8' } else { b'7' };
        let missing: Vec<ZipEntry> = entries.iter().filter(|e| e.name != *name).cloned().collect();
        for (what, set) in [("changed", changed), ("missing", missing)] {
            fs::write(folder.path().join("b.decidendi"), container::write(&set).unwrap()).unwrap();
            let output = run(folder.path(), &["verify", "b.decidendi", "--trust", "k.pub", "--json"]);
            if name == "bundle.json" && what == "missing" {
                assert_eq!(code(&output), 2, "{}", err(&output));
                continue;
            }
            let said: serde_json::Value = serde_json::from_str(&out(&output)).unwrap();
            assert_eq!(code(&output), 1, "{name} {what}: {said}");
            assert_eq!((&said["verdict"], &said["state"]), (&"Invalid".into(), &"altered".into()), "{name} {what}");
            let list = said["checks"].as_array().unwrap().last().unwrap();
            let list = (list["n"].as_u64(), list["name"].as_str().unwrap());
            assert_eq!(list, (Some(11), "bundle holds exactly what was signed"), "a check keeps its number");
        }
    }
}

#[test]
fn a_case_swapped_with_its_list_is_still_found() {
    let (folder, entries) = good();
    // Another case, and a list that agrees with it: only the signed subjects can tell.
    let other = {
        fs::write(folder.path().join("b.case.json"), example("a", 14)).unwrap();
        let args = ["certify", "b.case.json", "--key", "k", "--out", "p", "--bundle"];
        assert_eq!(code(&run(folder.path(), &args)), 0);
        container::read(&fs::read(folder.path().join("p/a.decidendi")).unwrap()).unwrap()
    };
    let certificate = entries.iter().find(|e| e.name == "certificate.json").unwrap().bytes.clone();
    let case = Bundle::from_entries(other).unwrap().case().unwrap();
    let mixed = Bundle::new(&case, certificate).to_zip().unwrap();
    fs::write(folder.path().join("mixed.decidendi"), mixed).unwrap();
    let output = run(folder.path(), &["verify", "mixed.decidendi", "--trust", "k.pub", "--json"]);
    let said: serde_json::Value = serde_json::from_str(&out(&output)).unwrap();
    assert_eq!((code(&output), &said["state"]), (1, &"altered".into()), "{said}");
}

#[test]
fn a_newer_bundle_is_unsupported_not_altered() {
    let (folder, entries) = good();
    // Digits that fit no number are a version too; another spelling of one is none.
    for (version, wanted, state) in [
        ("2", 3, "unsupported-version"),
        ("4294967296", 3, "unsupported-version"),
        ("99999999999999999999999", 3, "unsupported-version"),
        ("02", 1, "altered"),
        ("+2", 1, "altered"),
        ("0", 1, "altered"),
    ] {
        let mut entries = entries.clone();
        let list = entries.iter_mut().find(|e| e.name == "bundle.json").unwrap();
        let text = String::from_utf8(list.bytes.clone()).unwrap();
        list.bytes = text.replace("bundle@1", &format!("bundle@{version}")).into_bytes();
        fs::write(folder.path().join("b.decidendi"), container::write(&entries).unwrap()).unwrap();
        let output = run(folder.path(), &["verify", "b.decidendi", "--trust", "k.pub", "--json"]);
        let said: serde_json::Value = serde_json::from_str(&out(&output)).unwrap();
        assert_eq!((code(&output), &said["state"]), (wanted, &state.into()), "{version}: {said}");
        // What to do is said, and said once.
        let advice = if wanted == 3 { "newer decidendi" } else { "the bundle again" };
        let verified = out(&run(folder.path(), &["verify", "b.decidendi", "--trust", "k.pub"]));
        let inspected = err(&run(folder.path(), &["inspect", "b.decidendi"]));
        for text in [verified, inspected] {
            assert_eq!(text.matches(advice).count(), 1, "{version}: {text}");
        }
    }
}

#[test]
fn a_bundle_unpacked_to_a_folder_verifies_and_refuses_links() {
    let (folder, entries) = good();
    let at = folder.path().join("unpacked");
    for entry in &entries {
        let path = at.join(&entry.name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &entry.bytes).unwrap();
    }
    let args = ["verify", "unpacked", "--trust", "k.pub"];
    let output = run(folder.path(), &args);
    assert_eq!(code(&output), 0, "{}{}", out(&output), err(&output));
    let case = at.join("case.json");
    fs::rename(&case, folder.path().join("moved.json")).unwrap();
    std::os::unix::fs::symlink("../moved.json", &case).unwrap();
    let output = run(folder.path(), &args);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("a link or a special file"), "{}", err(&output));
}

#[test]
fn sources_that_differ_only_in_letter_case_have_files_of_their_own() {
    let folder = folder();
    let sources: Vec<String> = ["norms", "Norms", "NORMS", "\u{e9}t\u{e9}", "\u{c9}T\u{c9}"]
        .iter()
        .map(|name| format!(r#"{{"name":"{name}","old":"{name} 1","new":"{name} 2"}}"#))
        .collect();
    let cells = vec![r#""deny""#; 31].join(",") + r#","approve""#;
    let case = format!(
        r#"{{"format":"decidendi/case@1","id":"a","adjudicator":{{"engine":"table","cells":[{cells}]}},"sources":[{}]}}"#,
        sources.join(",")
    );
    fs::write(folder.path().join("a.case.json"), case).unwrap();
    let args = ["certify", "a.case.json", "--key", "k", "--out", "o", "--bundle"];
    let output = run(folder.path(), &args);
    assert_eq!(code(&output), 0, "{}", err(&output));
    let entries = container::read(&fs::read(folder.path().join("o/a.decidendi")).unwrap()).unwrap();
    let names: std::collections::BTreeSet<String> = entries.iter().map(|e| e.name.to_lowercase()).collect();
    assert_eq!((entries.len(), names.len()), (13, 13), "{names:?}");
    assert!(entries.iter().any(|e| e.name == "sources/Norms%-2.old.json"), "{names:?}");
    assert_eq!(code(&run(folder.path(), &["verify", "o/a.decidendi", "--trust", "k.pub"])), 0);
}

#[test]
fn other_zip_tools_read_ours_and_we_read_theirs() {
    let (folder, entries) = good();
    let ours = fs::read(folder.path().join("o/a.decidendi")).unwrap();
    let mut archive = zip::ZipArchive::new(Cursor::new(&ours)).unwrap();
    assert_eq!(archive.len(), entries.len());
    let mut theirs = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for entry in &entries {
        let mut bytes = Vec::new();
        archive.by_name(&entry.name).unwrap().read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes, entry.bytes, "{}", entry.name);
        theirs.start_file(&entry.name, SimpleFileOptions::default()).unwrap();
        theirs.write_all(&bytes).unwrap();
    }
    theirs.add_directory("sources", SimpleFileOptions::default()).unwrap();
    let theirs = theirs.finish().unwrap().into_inner();
    assert!(theirs.len() < ours.len(), "the other tool compresses");
    let bundle = Bundle::from_zip(&theirs).unwrap();
    assert_eq!(bundle, Bundle::from_zip(&ours).unwrap());
    assert_eq!(bundle.to_zip().unwrap(), ours, "the same content gives the same bytes");
    assert!(matches!(Bundle::from_zip(b"PK"), Err(BundleError::Zip(_))));
}
