//! A judged case as Markdown, for a report or an issue: what was executed, with the digests that bind it.

use super::{Group, NOT_RUN, account, cells_in_words, count, grouped, json_line, plain};
use crate::judgment::case::Case;
use crate::judgment::certificate::Certificate;
use crate::judgment::result::{Judgment, Obtained, Outcome};
use crate::judgment::source::Mask;

/// Most sources whose cells are listed one by one.
const LISTED: usize = 6;
/// Most receipts that are listed.
const ITEMS: usize = 100;

/// The Markdown account of one case. With a certificate it states the digests that the certificate binds; without one it
/// says that there is none.
#[must_use]
pub fn markdown(case: &Case, judgment: &Judgment, certificate: Option<&Certificate>) -> String {
    let names = &judgment.sources;
    let word = |cell: Mask| judgment.word(cell).map_or_else(|| NOT_RUN.to_owned(), escape);
    let mut out = vec![format!("# {}", escape(case.title())), String::new()];
    if let Some(summary) = case.text("summary") {
        out.extend([paragraph(summary), String::new()]);
    }
    let how = match judgment.obtained {
        Obtained::Executed => format!("{} of {} hybrids executed", judgment.executed, judgment.cube.cells().len()),
        Obtained::Recorded => format!("{} verdicts recorded, not executed", judgment.cube.cells().len()),
    };
    out.push(format!("- Case: `{}`", judgment.case));
    let full = Mask::full(names.len());
    let (old, new) = (word(Mask::EMPTY), word(full));
    out.push(format!("- Verdict: **{old}** → **{new}** ({}; {how})", judgment.outcome.word()));
    if let Outcome::Changed(family) = &judgment.outcome {
        let ambiguous = if family.is_ambiguous() { ", ambiguous" } else { "" };
        out.push(format!("- Receipts: {} (complete family{ambiguous})", family.multiplicity()));
    }
    out.extend([String::new(), "## Account".to_owned(), String::new()]);
    for sentence in account(case, judgment) {
        out.push(format!("- {} {}", escape(&sentence.text), escape(&sentence.citation(names))).trim_end().to_owned());
    }
    if let Outcome::Changed(family) = &judgment.outcome {
        out.extend([String::new(), "## Receipts".to_owned(), String::new()]);
        for (n, member) in family.members().iter().take(ITEMS).enumerate() {
            out.push(format!("{}. {} gives {}", n + 1, escape(&member.braces(names)), word(*member)));
        }
        if family.multiplicity() > ITEMS {
            out.push(format!("\nand {}", count(family.multiplicity() - ITEMS, "more receipt")));
        }
    }
    if names.len() <= LISTED {
        out.extend([String::new(), "## Cells".to_owned(), String::new()]);
        out.push(format!("| cell | replaced | verdict | {} |", judgment.obtained.word()));
        out.push("| --- | --- | --- | --- |".to_owned());
        for cell in (0..1_u32 << names.len()).map(Mask) {
            let ran = if judgment.word(cell).is_some() { judgment.obtained.word() } else { NOT_RUN };
            let row = [cell.label(names), escape(&cell.braces(names)), word(cell), ran.to_owned()];
            out.push(format!("| {} |", row.join(" | ")));
        }
    }
    if !judgment.faults.is_empty() {
        out.extend([String::new(), "## Faults".to_owned(), String::new()]);
        let groups = grouped(judgment);
        for Group { fault, cells } in groups.iter().take(ITEMS) {
            let source = fault.source.and_then(|(i, v)| names.get(i).map(|n| format!("{n} ({}), ", v.word())));
            let field = fault.field.as_ref().map(|f| format!("{}: ", escape(f))).unwrap_or_default();
            let place = escape(&source.unwrap_or_default());
            let cells = escape(&cells_in_words(cells, judgment));
            out.push(format!("- {cells}: {place}{field}{}", escape(&fault.reason)));
            for step in &fault.repair {
                out.push(format!("  - possible repair: {}", escape(&json_line(&step.to_json()))));
            }
        }
        if groups.len() > ITEMS {
            out.push(format!("\nand {}", count(groups.len() - ITEMS, "more fault")));
        }
        out.extend(super::full(judgment).map(|full| format!("\n{full}")));
    }
    let read = case.notices().iter().map(|n| (&n.path, &n.text));
    let odd = judgment.remarks.iter().map(|r| (&r.path, &r.text));
    let mut notes: Vec<String> =
        read.chain(odd).map(|(path, text)| format!("- {}: {}", escape(&path.to_string()), escape(text))).collect();
    if !notes.is_empty() {
        let more = notes.len().saturating_sub(ITEMS);
        notes.truncate(ITEMS);
        out.extend([String::new(), "## Notes".to_owned(), String::new()]);
        out.append(&mut notes);
        out.extend((more > 0).then(|| format!("\nand {}", count(more, "more note"))));
    }
    out.extend([String::new(), "## Digests".to_owned(), String::new()]);
    out.extend(["| artifact | SHA-256 |".to_owned(), "| --- | --- |".to_owned()]);
    out.push(format!("| case.json | `{}` |", case.digest().hex()));
    for source in case.sources() {
        out.push(format!("| {}.old | `{}` |", escape(&source.name), source.old.digest.hex()));
        out.push(format!("| {}.new | `{}` |", escape(&source.name), source.new.digest.hex()));
    }
    out.push(String::new());
    out.push(match certificate {
        None => "Certificate: none. Nothing here is signed.".to_owned(),
        Some(c) if c.case == case.digest() => format!(
            "Certificate: made by {} {} for the case with the digest above. `decidendi verify` replays it.",
            escape(&c.tool),
            escape(&c.tool_version)
        ),
        Some(_) => "Certificate: stale. It was made for another version of this case.".to_owned(),
    });
    out.push(String::new());
    out.join("\n")
}

/// Text on lines of its own: what would make it a heading, a list or code does not.
fn paragraph(text: &str) -> String {
    let text = escape(text.trim_start());
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let marker = rest.starts_with(['-', '+', '=', '~']) || (rest.len() < text.len() && rest.starts_with(['.', ')']));
    if marker { format!("{}\\{rest}", &text[..text.len() - rest.len()]) } else { text }
}

/// Text that Markdown shows as it is.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in plain(text).chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '&') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
