//! The sections of a report as plain text and as Markdown.

use super::sections::{Row, Section, sections};
use crate::report::markdown::escape;
use crate::report::{count, plain};
use crate::step_value::scores::Scores;
use crate::step_value::study::Study;
use crate::step_value::walk::Report;

const HEAD: [&str; 4] = ["mean", "estimate", "95 % interval", "certified sign"];

/// The report for a terminal.
#[must_use]
pub fn step_value_text(study: &Study, scores: &Scores, report: &Report) -> String {
    let mut text = format!("{}\n{}\n", plain(&study.id), subtitle(study, report));
    for section in sections(study, scores, report) {
        text.push_str(&format!("\n{}\n  {}\n", plain(&section.title), plain(&section.cohort)));
        table(&section, &mut text);
        for line in &section.lines {
            text.push_str(&format!("  {}\n", plain(line)));
        }
    }
    text
}

fn subtitle(study: &Study, report: &Report) -> String {
    format!(
        "{} ({})  |  {} over trajectories, seed {}",
        plain(study.title()),
        study.origin.word(),
        count(report.sampling.draws as usize, "draw"),
        report.sampling.seed
    )
}

fn cells(row: &Row) -> [&str; 4] {
    [&row.name, &row.estimate, &row.interval, &row.sign]
}

fn table(section: &Section, text: &mut String) {
    if section.rows.is_empty() {
        return;
    }
    let width = |column: usize| {
        let rows = section.rows.iter().map(|row| plain(cells(row)[column]).chars().count());
        rows.chain([HEAD[column].chars().count()]).max().unwrap_or(0)
    };
    let widths = [0, 1, 2, 3].map(width);
    let mut line = |cells: [&str; 4]| {
        let [name, estimate, interval, sign] = cells;
        let row = format!(
            "  {:<a$}  {:>b$}  {:<c$}  {sign}",
            plain(name),
            estimate,
            interval,
            a = widths[0],
            b = widths[1],
            c = widths[2]
        );
        text.push_str(row.trim_end());
        text.push('\n');
    };
    line(HEAD);
    for row in &section.rows {
        line(cells(row));
    }
}

/// The report as Markdown.
#[must_use]
pub fn step_value_markdown(study: &Study, scores: &Scores, report: &Report) -> String {
    let mut text = format!("# {}\n\n{}\n", escape(study.title()), escape(&subtitle(study, report)));
    text.push_str(&format!("\nStudy `{}`, scores `{}`.\n", study.digest, scores.digest()));
    for section in sections(study, scores, report) {
        text.push_str(&format!("\n## {}\n\n{}\n", escape(&section.title), escape(&section.cohort)));
        if !section.rows.is_empty() {
            text.push_str(&format!("\n| {} |\n| --- | ---: | --- | --- |\n", HEAD.join(" | ")));
            for row in &section.rows {
                text.push_str(&format!("| {} |\n", cells(row).map(escape).join(" | ")));
            }
        }
        if !section.lines.is_empty() {
            text.push('\n');
        }
        for line in &section.lines {
            text.push_str(&format!("- {}\n", escape(line)));
        }
    }
    text
}
