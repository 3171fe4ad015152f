//! Cases for the tests, written as JSON text and read by the reader, and what is asked of them.

use crate::judgment::adjudicator::Adjudicator as _;
use crate::judgment::case::{Artifacts, Case};
use crate::judgment::result::{Fault, Stage};
use crate::judgment::rules::Cache;
use crate::judgment::rules::prepare;
use crate::judgment::source::Mask;
use crate::judgment::walk::open_case;
use crate::watch::Unwatched;

/// A case whose parts are given as JSON text; what is left out stays as in the example of docs/formats/case.md.
pub(super) struct Draft {
    pub(super) interface: &'static str,
    pub(super) context: &'static str,
    pub(super) grounds: [String; 2],
    pub(super) norms: [String; 2],
    pub(super) authority: [String; 2],
    pub(super) more: String,
    pub(super) compatibility: String,
}

pub(super) const WINDOW: &str = r#"{
    "verdicts": ["approve", "deny", "refer"],
    "grounds": {
      "days": {"type": "int", "unit": "day", "min": 0},
      "condition": {"type": "enum", "values": ["unused", "used"]},
      "amount": {"type": "rational", "unit": "EUR"},
      "final_sale": {"type": "bool"}
    },
    "parameters": {"window": {"type": "int", "unit": "day"}}
  }"#;

impl Default for Draft {
    fn default() -> Self {
        let grounds =
            |days: i32| format!(r#"{{"days": {days}, "condition": "unused", "amount": "89.90", "final_sale": false}}"#);
        let norms = |window: i32| {
            format!(
                r#"{{"parameters": {{"window": {window}}},
                 "rules": [{{"id": "window", "when": "days <= window && condition == 'unused'", "then": "approve"}},
                           {{"id": "final-sale", "when": "final_sale", "then": "deny", "priority": 10}}],
                 "default": "deny"}}"#
            )
        };
        let grants =
            r#"{"grants": [{"norm": "*", "actor": ["agent"], "region": ["EU", "US"], "channel": ["chat", "phone"]}]}"#;
        Self {
            interface: WINDOW,
            context: r#"{"actor": "agent", "region": "EU", "product": "footwear", "channel": "chat"}"#,
            grounds: [grounds(16), grounds(13)],
            norms: [norms(14), norms(30)],
            authority: [grants.to_owned(), grants.to_owned()],
            more: String::new(),
            compatibility: "[]".to_owned(),
        }
    }
}

impl Draft {
    pub(super) fn text(&self) -> String {
        let source =
            |name: &str, [old, new]: &[String; 2]| format!(r#"{{"name": "{name}", "old": {old}, "new": {new}}}"#);
        format!(
            r#"{{"format": "decidendi/case@1", "id": "t", "context": {}, "adjudicator": {{"engine": "rules"}},
                "interface": {}, "sources": [{}, {}, {}{}], "compatibility": {}}}"#,
            self.context,
            self.interface,
            source("grounds", &self.grounds),
            source("norms", &self.norms),
            source("authority", &self.authority),
            self.more,
            self.compatibility,
        )
    }

    pub(super) fn case(&self) -> Case {
        let text = self.text();
        match open_case("t.json", text.as_bytes(), &Artifacts::default()) {
            Ok(case) => case,
            Err(error) => panic!("{error}\n{text}"),
        }
    }

    pub(super) fn same_grounds(mut self, body: &str) -> Self {
        self.grounds = [body.to_owned(), body.to_owned()];
        self
    }

    pub(super) fn same_norms(mut self, body: &str) -> Self {
        self.norms = [body.to_owned(), body.to_owned()];
        self
    }
}

/// Labels of all cells, `-` where a hybrid did not end in a verdict; lifted and plain agree.
pub(super) fn cells(case: &Case) -> Vec<String> {
    let rules = prepare(case, &mut Cache::default()).expect("prepares");
    let executed = rules.execute(&Unwatched).expect("not cancelled");
    assert_eq!(executed, rules.execute_plainly(&Unwatched).expect("not cancelled"));
    for (i, cell) in executed.cube.cells().iter().enumerate() {
        let trace = rules.trace(Mask(i as u32));
        assert_eq!(trace.outcome.ok(), *cell, "the trace of cell {i}");
        assert_eq!(executed.faults.iter().any(|f| f.cell.0 == i as u32), cell.is_none(), "faults of cell {i}");
    }
    let word = |v: &Option<_>| v.map_or_else(|| "-".to_owned(), |v| case.labels().word(v).to_owned());
    executed.cube.cells().iter().map(word).collect()
}

pub(super) fn faults(case: &Case) -> Vec<String> {
    let rules = prepare(case, &mut Cache::default()).expect("prepares");
    let executed = rules.execute(&Unwatched).expect("not cancelled");
    let line = |f: &Fault| {
        let names = case.names();
        let source = f.source.map_or_else(String::new, |(s, v)| format!("{}.{}", names[s], v.word()));
        let stage = if f.stage == Stage::Interface { "refused" } else { "failed" };
        format!("{} {stage} {source} {}: {}", f.cell, f.field.as_deref().unwrap_or("-"), f.reason)
    };
    executed.faults.iter().map(line).collect()
}

pub(super) fn refused(draft: &Draft) -> String {
    match prepare(&draft.case(), &mut Cache::default()) {
        Ok(_) => panic!("prepared"),
        Err(fault) => fault.to_string(),
    }
}
