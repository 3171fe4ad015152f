//! A judged case as text for a terminal: table, drawn lattice, family with its minimality, account, faults.

use super::{Group, account, cells_in_words, count, grouped, json_line, lattice, plain, signed_word};
use crate::judgment::case::{Action, Case, GAP};
use crate::judgment::result::{Judgment, Obtained, Outcome};
use crate::judgment::source::{Mask, Version};

/// Most sources whose cells are listed one by one.
const LISTED: usize = 6;
/// Most subsets of one receipt that are listed.
const SUBSETS: usize = 14;
/// Most receipts and faults that are listed.
const ITEMS: usize = 40;

/// The text, ending with a line feed.
#[must_use]
pub fn case_text(case: &Case, judgment: &Judgment) -> String {
    let mut page = Page { case, judgment, lines: Vec::new() };
    page.head();
    page.sources();
    page.cells();
    page.lattice();
    page.receipts();
    page.failing();
    page.faults();
    page.account();
    page.lines.push(String::new());
    page.lines.join("\n")
}

struct Page<'a> {
    case: &'a Case,
    judgment: &'a Judgment,
    lines: Vec<String>,
}

impl Page<'_> {
    fn line(&mut self, text: impl AsRef<str>) {
        self.lines.push(text.as_ref().trim_end().to_owned());
    }

    fn title(&mut self, text: &str) {
        self.lines.push(String::new());
        self.line(text);
    }

    fn head(&mut self) {
        self.line(self.judgment.case.clone());
        if let Some(title) = self.case.text("title") {
            self.line(plain(title));
        }
        let (old, new) = (Mask::EMPTY, Mask::full(self.judgment.sources.len()));
        let word = |cell| self.judgment.word(cell).map_or("not run".into(), |w| plain(w));
        let mut parts = vec![format!("{} -> {}", word(old), word(new)), self.judgment.outcome.word().to_owned()];
        if let Outcome::Changed(family) = &self.judgment.outcome {
            parts.push(count(family.multiplicity(), "receipt"));
            if family.is_ambiguous() {
                parts.push("ambiguous".to_owned());
            }
            parts.push(format!("complexity {}", family.complexity().unwrap_or(0)));
        }
        let cells = self.judgment.cube.cells().len();
        parts.push(match self.judgment.obtained {
            Obtained::Executed => format!("{} of {cells} executed", self.judgment.executed),
            Obtained::Recorded => format!("{cells} recorded, not executed"),
        });
        self.line(parts.join("  |  "));
    }

    fn sources(&mut self) {
        self.title("Sources");
        let names = &self.judgment.sources;
        let rows = self.case.sources().iter().enumerate().map(|(i, source)| {
            let label = |version| source.label(version).map(|l| plain(l).into_owned());
            let versions = match (label(Version::Old), label(Version::New)) {
                (Some(old), Some(new)) => format!("{old} -> {new}"),
                _ => String::new(),
            };
            let change = if source.is_changed() { "revised" } else { "unchanged" };
            vec![Mask::single(i).label(names), plain(&source.name).into_owned(), change.to_owned(), versions]
        });
        let rows = rows.collect();
        self.table(rows);
    }

    fn cells(&mut self) {
        let names = self.judgment.sources.clone();
        if names.len() > LISTED {
            self.title(&format!("Cells by size ({} sources; --json lists all {})", names.len(), 1_u64 << names.len()));
            self.profile();
            return;
        }
        self.title("Cells");
        let mut head = vec!["cell".to_owned()];
        head.extend(names.iter().map(|n| plain(n).into_owned()));
        head.push("verdict".to_owned());
        let (full, family) = (Mask::full(names.len()), self.judgment.family().unwrap_or_default());
        let failing = self.judgment.non_monotone();
        let mut rows = vec![head];
        for cell in (0..1_u32 << names.len()).map(Mask) {
            let mut row = vec![cell.label(&names)];
            row.extend((0..names.len()).map(|i| cell.version(i).word().to_owned()));
            row.push(signed_word(self.judgment, cell));
            let mut marks = Vec::new();
            if cell.is_empty() {
                marks.push("old endpoint");
            }
            if cell == full {
                marks.push("new endpoint");
            }
            if family.contains(cell) {
                marks.push("* receipt");
            }
            if failing.contains(&cell) {
                marks.push("! holds a receipt, yet fails");
            }
            row.push(marks.join(", "));
            rows.push(row);
        }
        self.table(rows);
    }

    /// How many cells of each size have which verdict.
    fn profile(&mut self) {
        let words = self.judgment.labels.words();
        let k = self.judgment.sources.len();
        let mut counts = vec![vec![0_u64; words.len() + 1]; k + 1];
        for (cell, mask) in self.judgment.cube.cells().iter().zip(0_u32..) {
            let column = cell.map_or(words.len(), |v| v.index().min(words.len()));
            counts[Mask(mask).len()][column] += 1;
        }
        let mut head = vec!["replaced".to_owned()];
        head.extend(words.iter().map(|w| plain(w).into_owned()));
        head.push("not run".to_owned());
        let mut rows = vec![head];
        for (size, row) in counts.iter().enumerate() {
            rows.push(std::iter::once(size).map(|s| s.to_string()).chain(row.iter().map(u64::to_string)).collect());
        }
        self.table(rows);
    }

    fn lattice(&mut self) {
        let Some(drawing) = lattice(self.judgment) else { return };
        self.title("Lattice (top: every source revised; * receipt, ! holds a receipt, yet fails)");
        for line in drawing {
            self.line(format!("  {line}"));
        }
    }

    fn receipts(&mut self) {
        let Outcome::Changed(family) = &self.judgment.outcome else { return };
        let names = self.judgment.sources.clone();
        self.title(&format!("Receipts (complete family, {})", family.multiplicity()));
        for (n, &member) in family.members().iter().take(ITEMS).enumerate() {
            let word = |cell| self.judgment.word(cell).map_or("not run".into(), |w| plain(w));
            self.lines.push(format!("  {}. {} gives {}", n + 1, plain(&member.braces(&names)), word(member)));
            let subsets = member.strict_subsets().take(SUBSETS);
            let mut proof: Vec<String> = subsets.map(|s| format!("{} {}", plain(&s.braces(&names)), word(s))).collect();
            let all = (1_u64 << member.len()) - 1;
            if all > SUBSETS as u64 {
                proof.push(format!("and {} more", all - SUBSETS as u64));
            }
            self.lines.push(format!("     minimal, because no smaller set does: {}", proof.join("; ")));
        }
        self.rest(family.multiplicity(), "receipt");
    }

    fn failing(&mut self) {
        let failing = self.judgment.non_monotone();
        let Some(family) = self.judgment.family().filter(|_| !failing.is_empty()) else { return };
        let names = self.judgment.sources.clone();
        self.title("Not monotone");
        for &cell in failing.iter().take(ITEMS) {
            let inside = family.members().iter().find(|r| r.is_subset_of(cell)).copied().unwrap_or_default();
            let (cell_name, inside) = (cell.braces(&names), inside.braces(&names));
            let word = signed_word(self.judgment, cell);
            self.line(plain(&format!("  {cell_name} holds the receipt {inside}, yet gives {word}")));
        }
        self.rest(failing.len(), "cell");
    }

    fn faults(&mut self) {
        if self.judgment.faults.is_empty() {
            return;
        }
        let groups = grouped(self.judgment);
        let hybrids = self.judgment.faults.chunk_by(|a, b| a.cell == b.cell).count();
        self.title(&format!("Faults ({}, in {})", groups.len(), count(hybrids, "hybrid")));
        let names = self.judgment.sources.clone();
        let (mut repairs, mut gap, mut invents): (Vec<String>, bool, bool) = (Vec::new(), false, false);
        for Group { fault, cells } in groups.iter().take(ITEMS) {
            let mut line = vec![cells_in_words(cells, self.judgment)];
            if let Some((name, version)) = fault.source.and_then(|(i, v)| names.get(i).map(|n| (n, v))) {
                line.push(format!("{name} ({})", version.word()));
            }
            line.extend(fault.field.as_ref().map(|field| format!("`{field}`")));
            let place = fault.place.as_ref().map_or_else(String::new, |place| format!(" at {place}"));
            self.line(plain(&format!("  {}{place}: {}", line.join(", "), fault.reason)));
        }
        for step in groups.iter().flat_map(|group| &group.fault.repair) {
            let text = json_line(&step.to_json());
            if !repairs.contains(&text) {
                gap |= step.has_gap();
                invents |= matches!(step.action, Action::Default { .. });
                repairs.push(text);
            }
        }
        self.rest(groups.len(), "fault");
        if let Some(full) = super::full(self.judgment) {
            self.line(format!("  {full}"));
        }
        if !repairs.is_empty() {
            self.line("  Smallest repair: add to \"compatibility\" and check that it is true of your data:");
            if gap {
                self.line(format!(
                    "  (in place of \"{GAP}\" write the value that is true; until then nothing is repaired)"
                ));
            }
            if invents {
                self.line("  (a default invents a value that this version does not hold)");
            }
            for step in repairs {
                self.line(plain(&format!("    {step}")));
            }
        }
    }

    fn account(&mut self) {
        self.title("Account");
        for sentence in account(self.case, self.judgment) {
            let cited = sentence.citation(&self.judgment.sources);
            self.line(plain(&format!("  {} {cited}", sentence.text)));
        }
    }

    fn rest(&mut self, all: usize, noun: &str) {
        if all > ITEMS {
            self.line(format!("  and {}; --json lists all", count(all - ITEMS, &format!("more {noun}"))));
        }
    }

    /// Columns padded to their widest entry.
    fn table(&mut self, rows: Vec<Vec<String>>) {
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |c: usize| rows.iter().filter_map(|r| r.get(c)).map(|t| t.chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in rows {
            let mut line = String::from(" ");
            for (text, &width) in row.iter().zip(&widths) {
                line.push(' ');
                line.push_str(text);
                line.extend(std::iter::repeat_n(' ', width - text.chars().count() + 1));
            }
            self.line(line);
        }
    }
}
