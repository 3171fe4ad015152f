//! Why a hybrid got its verdict: the decisive clause first, then the grant that matched, the rest one click deeper. For
//! logic the proof tree. A fault does not hide how far the hybrid came.

use super::verdict::Mark;
use crate::parts::text;
use crate::theme::Theme;
use decidendi_core::judgment::result::Judgment;
use decidendi_core::judgment::trace::{
    Decision, ExprTrace, GrantTrace, LogicTrace, ProofNode, RuleTrace, RulesTrace, Trace, TraceBody, Truth,
};
use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, FontId, Label, RichText, Sense, Ui};

/// Shows a trace; gives whether the full one is asked for, when that changes.
pub fn show(ui: &mut Ui, judgment: &Judgment, trace: &Trace, full: bool) -> Option<bool> {
    let t = Theme::of(ui.ctx());
    ui.spacing_mut().item_spacing.y = 5.0;
    if let Err(faults) = &trace.outcome {
        for fault in faults {
            line(ui, &[("stopped: ", t.bold(12.5), t.color.bad), (&fault.reason, t.sans(12.5), t.color.text)]);
        }
    }
    match &trace.body {
        TraceBody::Rules(rules) => rules_trace(ui, &t, judgment, rules, full),
        TraceBody::Logic(logic) => logic_trace(ui, &t, judgment, logic, full),
        TraceBody::Recorded => {
            note(
                ui,
                &t,
                "This verdict was recorded elsewhere; nothing was executed here, so there is nothing to trace.",
            );
            None
        }
        TraceBody::NotRun => {
            note(ui, &t, "This hybrid is no well-typed input to the adjudicator; nothing ran.");
            None
        }
    }
}

fn note(ui: &mut Ui, t: &Theme, words: &str) {
    ui.add(Label::new(RichText::new(words).font(t.sans(12.5)).color(t.color.muted)).wrap());
}

/// One wrapped line of differently set runs.
pub(crate) fn line(ui: &mut Ui, runs: &[(&str, FontId, Color32)]) -> egui::Response {
    let mut job = LayoutJob::default();
    for (words, font, color) in runs {
        job.append(
            words,
            0.0,
            TextFormat { font_id: font.clone(), color: *color, valign: egui::Align::Center, ..TextFormat::default() },
        );
    }
    ui.add(Label::new(job).wrap())
}

fn link(ui: &mut Ui, t: &Theme, words: &str) -> bool {
    let label = RichText::new(words).font(t.sans(12.0)).color(t.color.accent);
    ui.add(Label::new(label).sense(Sense::click()).selectable(false))
        .on_hover_cursor(egui::CursorIcon::PointingHand)
        .clicked()
}

/// A small marker and text indented beside it.
fn indented(ui: &mut Ui, depth: usize, add: impl FnOnce(&mut Ui)) {
    ui.horizontal_top(|ui| {
        ui.add_space(depth as f32 * 12.0);
        ui.vertical(add);
    });
}

fn rules_trace(ui: &mut Ui, t: &Theme, judgment: &Judgment, trace: &RulesTrace, full: bool) -> Option<bool> {
    let c = &t.color;
    let how = match trace.decision {
        Decision::Rule => None,
        Decision::NoJurisdiction => {
            Some("A rule holds, but none that holds has jurisdiction here: the case is referred.")
        }
        Decision::Default => Some("No rule holds; the default disposition decides."),
        Decision::DefaultWithoutJurisdiction => {
            Some("No rule holds, and no grant covers the default: the case is referred.")
        }
        Decision::Faulted => Some("A fault stopped this hybrid; below is how far it came."),
    };
    if let Some(how) = how {
        ui.add(Label::new(RichText::new(how).font(t.sans(12.5)).color(c.text)).wrap());
    }
    let decisive = |r: &&RuleTrace| {
        r.decisive || (trace.decision == Decision::NoJurisdiction && r.condition.truth == Some(Truth::True))
    };
    let (first, rest): (Vec<&RuleTrace>, Vec<&RuleTrace>) = trace.rules.iter().partition(decisive);
    for r in &first {
        rule(ui, t, judgment, r, full);
    }
    if let Some(default) = trace.default.as_ref().filter(|d| d.decisive || full) {
        let word = judgment.labels.word(default.then);
        line(
            ui,
            &[
                ("default ", t.bold(12.5), c.text),
                (if default.decisive { "decides " } else { "would decide " }, t.sans(12.5), c.muted),
                (word, t.sans(12.5), c.text),
            ],
        );
        grant(ui, t, judgment, default.grant.as_ref(), full);
    }
    let default_decides = trace.default.as_ref().is_some_and(|d| d.decisive);
    // Where nothing holds, what failed to hold is the reason.
    let near: &[&RuleTrace] =
        if first.is_empty() && default_decides && !full { &rest[..rest.len().min(2)] } else { &[] };
    for r in near {
        rule(ui, t, judgment, r, false);
    }
    if full {
        for r in &rest {
            rule(ui, t, judgment, r, true);
        }
    }
    let hidden = rest.len() - near.len();
    let words = if full {
        "Decisive part only".to_owned()
    } else if hidden > 0 {
        format!("Full trace: {hidden} more {} ▸", if hidden == 1 { "rule" } else { "rules" })
    } else {
        "Full trace ▸".to_owned()
    };
    link(ui, t, &words).then_some(!full)
}

fn rule(ui: &mut Ui, t: &Theme, judgment: &Judgment, rule: &RuleTrace, full: bool) {
    let c = &t.color;
    let (verb, color) = match rule.condition.truth {
        Some(Truth::True) => (" holds", c.text),
        Some(Truth::False) => (" does not hold", c.muted),
        _ => (" erred", c.bad),
    };
    let then = judgment.labels.word(rule.then);
    let mark = Mark::new(then, super::model::look(judgment.obtained));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        let holds = rule.condition.truth == Some(Truth::True);
        ui.scope(|ui| {
            if !holds {
                ui.set_opacity(0.45);
            }
            mark.show(ui, &t.color, 14.0);
        });
        line(ui, &[(&rule.id, t.bold(12.5), c.text), (verb, t.sans(12.5), color)]);
        if rule.priority != 0 {
            text(ui, format!("priority {}", rule.priority), t.sans(11.0), c.faint);
        }
    });
    indented(ui, 1, |ui| {
        if full {
            tree(ui, t, &rule.condition, 0);
        } else {
            clause(ui, t, &rule.condition);
        }
        grant_of(ui, t, judgment, rule, full);
    });
}

fn grant_of(ui: &mut Ui, t: &Theme, judgment: &Judgment, rule: &RuleTrace, full: bool) {
    if rule.condition.truth == Some(Truth::True) || full {
        grant(ui, t, judgment, rule.grant.as_ref(), full);
    }
}

/// The decisive leaves of a condition: what its value hangs on.
fn clause(ui: &mut Ui, t: &Theme, root: &ExprTrace) {
    let mut leaves = Vec::new();
    decisive_leaves(root, &mut leaves);
    if leaves.is_empty() {
        leaves.push(root);
    }
    for leaf in leaves.iter().take(6) {
        node_line(ui, t, leaf, true);
    }
    if leaves.len() > 6 {
        text(ui, format!("and {} more", leaves.len() - 6), t.sans(11.5), t.color.muted);
    }
}

fn decisive_leaves<'a>(node: &'a ExprTrace, out: &mut Vec<&'a ExprTrace>) {
    let before = out.len();
    for child in node.children.iter().filter(|c| c.decisive && c.truth.is_some()) {
        decisive_leaves(child, out);
    }
    if out.len() == before && node.truth.is_some() {
        out.push(node);
    }
}

fn node_line(ui: &mut Ui, t: &Theme, node: &ExprTrace, with_operands: bool) {
    let c = &t.color;
    let (sign, color) = match node.truth {
        Some(Truth::True) => ("✓ ", c.good),
        Some(Truth::False) => ("✗ ", c.muted),
        Some(Truth::Error) => ("! ", c.bad),
        None => ("", c.muted),
    };
    let ink = if node.decisive { c.text } else { c.muted };
    let mut values: Vec<String> = Vec::new();
    if with_operands {
        operands(node, &mut values);
    } else if node.truth.is_none() {
        values.push(node.value.clone());
    }
    let values = if values.is_empty() { String::new() } else { format!("   {}", values.join(", ")) };
    line(ui, &[(sign, t.sans(12.0), color), (&node.text, t.mono(12.0), ink), (&values, t.mono(11.5), c.faint)]);
}

/// `name = value` of what a clause reads.
fn operands(node: &ExprTrace, out: &mut Vec<String>) {
    for child in &node.children {
        if child.children.is_empty() && child.text != child.value {
            let word = format!("{} = {}", child.text, child.value);
            if !out.contains(&word) {
                out.push(word);
            }
        } else {
            operands(child, out);
        }
    }
}

fn tree(ui: &mut Ui, t: &Theme, node: &ExprTrace, depth: usize) {
    let simple = node.children.iter().all(|c| c.truth.is_none() && c.children.is_empty());
    indented(ui, depth, |ui| node_line(ui, t, node, simple));
    if !simple && depth < 12 {
        for child in &node.children {
            tree(ui, t, child, depth + 1);
        }
    }
}

fn grant(ui: &mut Ui, t: &Theme, judgment: &Judgment, grant: Option<&GrantTrace>, full: bool) {
    let c = &t.color;
    let Some(grant) = grant else {
        line(ui, &[("jurisdiction: ", t.sans(12.0), c.muted), ("no grant matches", t.sans(12.0), c.text)]);
        return;
    };
    let source = judgment.sources.get(grant.source).map_or("", String::as_str);
    let title = format!("jurisdiction: {source}, grant {}", grant.index + 1);
    let mut shown = false;
    for (field, value, allowed) in &grant.fields {
        let lead = if shown { String::new() } else { format!("{title}: ") };
        let set = format!("{field} = {value} ∈ {{{}}}", allowed.join(", "));
        line(ui, &[(&lead, t.sans(12.0), c.muted), (&set, t.mono(11.5), c.muted)]);
        shown = true;
    }
    if !shown {
        let all = if grant.when.is_some() { title } else { format!("{title}, any context") };
        line(ui, &[(&all, t.sans(12.0), c.muted)]);
    }
    if let Some(when) = &grant.when {
        if full { tree(ui, t, when, 0) } else { clause(ui, t, when) }
    }
}

fn logic_trace(ui: &mut Ui, t: &Theme, judgment: &Judgment, trace: &LogicTrace, full: bool) -> Option<bool> {
    let c = &t.color;
    match &trace.proof {
        Some(proof) => {
            let depth = format!("  proved, depth {}", proof.depth);
            line(ui, &[(&trace.query, t.mono(12.5), c.text), (&depth, t.sans(12.5), c.muted)]);
            proof_tree(ui, t, judgment, proof, 0, if full { usize::MAX } else { 2 });
        }
        None => {
            let authoritative = trace.concluding.iter().any(|(_, listed)| *listed);
            let why = if authoritative {
                "  is not derivable from the facts by the authoritative rules"
            } else {
                "  no authoritative rule concludes it: referred"
            };
            line(ui, &[(&trace.query, t.mono(12.5), c.text), (why, t.sans(12.5), c.muted)]);
        }
    }
    if full || trace.proof.is_none() {
        for (id, listed) in &trace.concluding {
            let (sign, color) = if *listed { ("✓ ", c.good) } else { ("✗ ", c.muted) };
            let word = if *listed { "  is authoritative" } else { "  is not authoritative here" };
            line(ui, &[(sign, t.sans(12.0), color), (id, t.bold(12.0), c.text), (word, t.sans(12.0), c.muted)]);
        }
        let derived = format!("{} atoms derived beyond the facts", trace.derived);
        text(ui, derived, t.sans(11.5), c.muted);
    }
    let words = if full { "Decisive part only" } else { "Full trace ▸" };
    link(ui, t, words).then_some(!full)
}

fn proof_tree(ui: &mut Ui, t: &Theme, judgment: &Judgment, node: &ProofNode, depth: usize, deepest: usize) {
    let c = &t.color;
    let source = judgment.sources.get(node.source).map_or("", String::as_str);
    let (by, color) = match &node.rule {
        Some(rule) => (format!("  by {rule}"), c.text),
        None => (format!("  {source}, fact"), c.muted),
    };
    indented(ui, depth, |ui| {
        line(ui, &[(&node.atom, t.mono(12.0), color), (&by, t.sans(11.5), c.faint)]);
    });
    if depth + 1 > deepest && !node.premises.is_empty() {
        indented(ui, depth + 1, |ui| {
            text(ui, "…", t.sans(12.0), c.muted);
        });
        return;
    }
    for premise in &node.premises {
        proof_tree(ui, t, judgment, premise, depth + 1, deepest);
    }
}
