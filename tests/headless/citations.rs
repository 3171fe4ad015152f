//! Every citation in a comment or a page leads somewhere: sections and laws of docs/theory.md, numbered rules of the
//! format pages, pages by their path.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const THEORY: &str = "docs/theory.md";
/// How docs/theory.md names the papers, whose sections it cites.
const PAPERS: [&str; 3] = ["Receipts", "ASV", "ClaimReceipt"];

/// What can be cited.
struct Library {
    root: PathBuf,
    sections: BTreeSet<String>,
    laws: BTreeSet<String>,
    /// The rules of each format page, by the page's name.
    rules: BTreeMap<String, BTreeSet<String>>,
    /// The names of all pages.
    pages: BTreeSet<String>,
}

/// The words between doubled asterisks that are a letter and a number: where a rule or a law is laid down.
fn laid_down(page: &str) -> BTreeSet<String> {
    page.split("**").skip(1).step_by(2).filter(|word| is_rule(word)).map(str::to_owned).collect()
}

fn is_rule(word: &str) -> bool {
    let digits = word.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or_default();
    (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Every file of the project below a folder, by its path from the root.
fn files(root: &Path, below: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(root.join(below)).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
        if root.join(&path).is_dir() {
            if name != "target" && !name.starts_with('.') {
                files(root, &path, found);
            }
        } else {
            found.push(path);
        }
    }
}

impl Library {
    fn open(root: &Path, files: &[String]) -> Self {
        let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
        let theory = read(THEORY);
        let heading = |line: &str| line.starts_with('#').then(|| line.trim_start_matches('#').trim().to_owned());
        let number = |title: String| title.split(' ').next().unwrap_or_default().to_owned();
        let formats = files.iter().filter_map(|path| path.strip_prefix("docs/formats/")?.strip_suffix(".md"));
        Self {
            root: root.to_owned(),
            sections: theory
                .lines()
                .filter_map(heading)
                .map(number)
                .filter(|n| n.starts_with(char::is_numeric))
                .collect(),
            laws: laid_down(&theory),
            rules: formats
                .map(|name| (name.to_owned(), laid_down(&read(&format!("docs/formats/{name}.md")))))
                .collect(),
            pages: files
                .iter()
                .filter(|path| path.ends_with(".md"))
                .map(|p| p.rsplit('/').next().unwrap().to_owned())
                .collect(),
        }
    }

    /// The citations in a text that lead nowhere. `home` is the page that it is from, if it is from one.
    fn dead(&self, text: &str, home: Option<&str>) -> Vec<String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut dead = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let before = at.checked_sub(1).map_or("", |at| words[at]);
            if let Some((_, section)) = word.split_once('§') {
                let section = section.trim_end_matches(|c: char| !c.is_numeric());
                let of_paper = home == Some(THEORY) && words[..at].iter().rev().take(3).any(|w| PAPERS.contains(w));
                let of_ours = before.ends_with(THEORY) && self.sections.contains(section);
                if !of_paper && !of_ours {
                    dead.push(format!("{before} {word}"));
                }
            }
            for rule in rules(word) {
                if !self.has(rule, before, home) {
                    dead.push(format!("{before} {rule}"));
                }
            }
            for page in word.split(|c: char| !(c.is_alphanumeric() || "._/-".contains(c))) {
                let name = page.rsplit('/').next().unwrap_or_default();
                let leads = match page.starts_with("docs/") {
                    true => self.root.join(page).is_file(),
                    false => home.is_some() || self.pages.contains(name),
                };
                if page.len() > ".md".len() && page.ends_with(".md") && !leads {
                    dead.push(page.to_owned());
                }
            }
            if let Some((home, link)) = home.zip(word.split_once("](").map(|(_, link)| link)) {
                let target = link.split([')', '#']).next().unwrap_or_default();
                let folder = self.root.join(home).parent().map(Path::to_owned).unwrap_or_default();
                if !target.contains(':') && !target.is_empty() && !folder.join(target).exists() {
                    dead.push(format!("({target})"));
                }
            }
        }
        dead
    }

    /// Whether a rule or law is laid down where the citation says: on the page named before it, else on the page that
    /// it stands on, else (an L) in docs/theory.md or on the one page with rules of this letter.
    fn has(&self, rule: &str, before: &str, home: Option<&str>) -> bool {
        let named = before.rsplit(['/', '(', '[']).next().unwrap_or_default().trim_end_matches([')', ',']);
        let named = named.strip_suffix(".md").unwrap_or(named);
        let own = home.and_then(|home| home.strip_prefix("docs/formats/")?.strip_suffix(".md"));
        let letter = &rule[..1];
        let of_letter = |page: &&str| self.rules[*page].iter().any(|own| own.starts_with(letter));
        if let Some(rules) = self.rules.get(named) {
            return rules.contains(rule);
        }
        match own.filter(of_letter) {
            Some(page) => self.rules[page].contains(rule),
            None if letter == "L" => self.laws.contains(rule),
            None => self.rules.values().any(|rules| rules.contains(rule)),
        }
    }
}

/// The rules that a word cites: `(C41`, `L2-L4)`, `S1–S10,`. Code and names that only look alike are none.
fn rules(word: &str) -> impl Iterator<Item = &str> {
    let bare = word.trim_matches(|c: char| "()[],;:.".contains(c));
    bare.split(['-', '–']).filter(|part| is_rule(part) && "ABCJKLRST".contains(&part[..1]))
}

/// The comments of a source, those of neighbouring lines in one, with the first line's number.
fn comments(source: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, usize, String)> = Vec::new();
    for (at, line) in source.lines().enumerate() {
        let starts = line.match_indices("//").map(|(at, _)| at);
        let Some(start) = starts.into_iter().find(|&at| line[..at].chars().next_back().is_none_or(char::is_whitespace))
        else {
            continue;
        };
        let text = line[start..].trim_start_matches(['/', '!']);
        match found.last_mut().filter(|(_, last, _)| last + 1 == at) {
            Some((_, last, comment)) => {
                *last = at;
                comment.push(' ');
                comment.push_str(text);
            }
            None => found.push((at + 1, at, text.to_owned())),
        }
    }
    found.into_iter().map(|(first, _, text)| (first, text)).collect()
}

fn library() -> (Library, Vec<String>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    files(root, "", &mut paths);
    (Library::open(root, &paths), paths)
}

#[test]
fn every_citation_leads_somewhere() {
    let (library, paths) = library();
    let (mut dead, mut sources) = (Vec::new(), 0);
    for path in &paths {
        let read = || fs::read_to_string(library.root.join(path)).unwrap();
        if path.ends_with(".rs") {
            sources += 1;
            for (line, comment) in comments(&read()) {
                dead.extend(library.dead(&comment, None).into_iter().map(|cited| format!("{path}:{line}: {cited}")));
            }
        } else if path.ends_with(".md") {
            for (at, line) in read().lines().enumerate() {
                dead.extend(
                    library.dead(line, Some(path)).into_iter().map(|cited| format!("{path}:{}: {cited}", at + 1)),
                );
            }
        }
    }
    assert!(sources > 300, "only {sources} sources were read");
    assert!(dead.is_empty(), "{} citations lead nowhere:\n{}", dead.len(), dead.join("\n"));
}

#[test]
fn the_theory_has_every_law_and_the_formats_their_rules() {
    let (library, _) = library();
    assert_eq!(library.laws, (1..=16).map(|n| format!("L{n}")).collect());
    for (page, least) in [("case", 51), ("certificate", 20), ("command-line", 18), ("json", 15), ("study", 31)] {
        assert!(library.rules[page].len() >= least, "{page}: {:?}", library.rules[page]);
    }
}

#[test]
fn planted_dead_citations_are_found() {
    let (library, _) = library();
    for planted in [
        "as in theory §1.2",
        "(docs/theory.md §9.9)",
        "the contract (formats §4)",
        "a family (L17)",
        "docs/formats/case.md C99",
        "docs/formats/keys.md C9",
        "see ux.md, rule 14",
        "docs/formats/none.md",
    ] {
        assert_eq!(library.dead(planted, None).len(), 1, "{planted}: {:?}", library.dead(planted, None));
    }
    for good in [
        "hybrids (docs/theory.md §1.2, L2-L4), docs/formats/case.md C41 to C45",
        "one object (docs/formats/command-line.md L18)",
        "`S99` as code, S3Bucket, U+00C9",
    ] {
        assert_eq!(library.dead(good, None), Vec::<String>::new(), "{good}");
    }
    assert_eq!(library.dead("as [this page](missing.md) says", Some("docs/design.md")), ["(missing.md)"]);
    // On its own page a letter means the page's rules, and a paper's section is none of ours.
    assert_eq!(library.dead("the summary (L18)", Some("docs/formats/command-line.md")), Vec::<String>::new());
    assert_eq!(library.dead("Receipts §3.2, §3.3.", Some(THEORY)), Vec::<String>::new());
    let source = format!("let x = 1; {0} one (docs/theory.md\n{0} §1.2)\nf(); {0} L1\n", "//");
    let read = comments(&source);
    assert!(read.iter().any(|(line, text)| *line == 1 && text == " one (docs/theory.md  §1.2)  L1"), "{read:?}");
}
