//! Transitions as a table for spreadsheets: one row a transition and contrast. Text cells cannot start a formula; missing
//! figures are empty, never zero.

use super::words::{sign_word, unsigned_zero};
use crate::step_value::face::{Face, Side};
use crate::step_value::measure::Measured;
use crate::step_value::study::{Moment, Study};
use crate::step_value::walk::Report;

const HEAD: [&str; 16] = [
    "origin",
    "transition",
    "trajectory",
    "step",
    "target",
    "contrast",
    "F_reference_before",
    "F_reference_after",
    "F_alternative_before",
    "F_alternative_after",
    "gain_reference",
    "gain_alternative",
    "omega",
    "sign_reference",
    "sign_alternative",
    "sign_omega",
];

/// The table, with a head line; lines end in CRLF (RFC 4180).
#[must_use]
pub fn step_value_csv(study: &Study, report: &Report) -> String {
    let mut text = HEAD.join(",");
    text.push_str("\r\n");
    for (t, transition) in study.transitions.iter().enumerate() {
        for contrast in &study.contrasts {
            let face = Face::of(&report.scalars, t, contrast);
            let target = study.candidates(transition).get(transition.target).map_or("", String::as_str);
            let number =
                |found: Option<Measured>| found.map_or(String::new(), |m| format!("{:?}", unsigned_zero(m.value)));
            let sign = |found: Option<Measured>| found.map_or("", |m| sign_word(m.sign())).to_owned();
            let gains = Side::BOTH.map(|side| face.gain(side));
            let mut row = vec![
                study.origin.word().to_owned(),
                cell(&transition.id),
                cell(&study.trajectories[transition.trajectory]),
                transition.step.to_string(),
                cell(target),
                cell(&contrast.id),
            ];
            row.extend(Side::BOTH.iter().flat_map(|&s| Moment::BOTH.map(|state| number(face.corner(s, state)))));
            row.extend([number(gains[0]), number(gains[1]), number(face.omega())]);
            row.extend([sign(gains[0]), sign(gains[1]), sign(face.omega())]);
            text.push_str(&row.join(","));
            text.push_str("\r\n");
        }
    }
    text
}

/// A text cell: quoted where it must be, and never the start of a formula.
fn cell(text: &str) -> String {
    let risky = text.starts_with(['=', '+', '-', '−', '@', '\t', '\r']);
    let text = if risky { format!("'{text}") } else { text.to_owned() };
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    #[test]
    fn text_cells_start_no_formula() {
        assert_eq!(super::cell("=1+1"), "'=1+1");
        assert_eq!(super::cell("a,\"b\""), "\"a,\"\"b\"\"\"");
        assert_eq!(super::cell("t001-04"), "t001-04");
    }
}
