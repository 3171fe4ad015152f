//! The bridge: the same contrast at every vertex, each on its own scale. Signs are compared across vertices, magnitudes
//! within one only.

use egui::{Frame, Label, RichText, Sense, Ui};

use decidendi_core::exact::interval::Sign;
use decidendi_core::report::step_value::{identification, interval, signed};
use decidendi_core::step_value::bridge::{BridgeReport, VertexReport};
use decidendi_core::step_value::inference::Effect;
use decidendi_core::step_value::study::Vertex;

use super::{Page, choice, retrieval, section, sensitivity};
use crate::command::{Commands, StepCommand};
use crate::parts::{counted, grouped, quiet, rich, trajectories};
use crate::widgets::drawing::measure_with;
use crate::widgets::estimates::{self, Line, Table};
use crate::widgets::strip::{Node, layout};

pub(super) fn show(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
    let Some(bridge) = &page.open.data.report.bridge else {
        retrieval::undeclared(
            ui,
            page,
            "bridge",
            "bridge",
            "vertices, each an alternative against a reference channel under another readout or stack",
        );
        return;
    };
    let t = page.theme;
    let path: Vec<&str> = bridge.vertices.iter().map(|v| v.name.as_str()).collect();
    let cohort = format!(
        "{} complete at every vertex · {}",
        counted(bridge.cohort.members().len(), "step"),
        trajectories(bridge.cohort.trajectories().len())
    );
    section(ui, t, &format!("Bridge {}", path.join(" → ")), &cohort);
    strip(ui, page, bridge, commands);
    supports(ui, page, bridge);
    for (at, vertex) in bridge.vertices.iter().enumerate() {
        ui.add_space(4.0);
        one(ui, page, at, vertex);
    }
    quiet(
        ui,
        "Figures are quiet because every vertex keeps a scale of its own: compare signs across vertices, magnitudes within one only.",
    );
    auc(ui, page, bridge);
    tests(ui, page, bridge);
    if let Some(crossing) = &bridge.crossing {
        ui.add_space(6.0);
        section(ui, t, "Readout by stack", "");
        for (differences, found) in &crossing.interactions {
            let ink = if found.is_identified() { t.color.text } else { t.color.warn };
            let answer = identification(&crossing.design, found);
            rich(ui, &format!("{}: {answer}", crossing.name(differences)), ink);
        }
    }
}

/// The vertices in a row. Each can be chosen: its face and its log-probabilities are then shown at the left.
fn strip(ui: &mut Ui, page: &Page<'_>, bridge: &BridgeReport, commands: &mut Commands) {
    let study = page.open.study();
    let how = |vertex: &Vertex| study.channels.get(vertex.alternative).map(|c| (c.readout.word(), c.stack.as_str()));
    let mut nodes: Vec<Node<'_>> = Vec::new();
    for (at, (report, declared)) in bridge.vertices.iter().zip(&study.bridge).enumerate() {
        let here = how(declared);
        let before = at.checked_sub(1).and_then(|before| study.bridge.get(before)).and_then(how);
        let mut changes = Vec::new();
        if let (Some(here), Some(before)) = (here, before) {
            changes.extend((here.0 != before.0).then_some("readout"));
            changes.extend((here.1 != before.1).then_some("stack"));
        }
        nodes.push(Node {
            name: &report.name,
            how: here.map(|(readout, stack)| format!("{readout} · {stack}")).unwrap_or_default(),
            effect: report.interaction,
            word: side_of_zero(report.interaction),
            changes: changes.join(", "),
            selected: page.open.shows(declared),
        });
    }
    let laid = layout(&nodes, ui.available_width(), &mut measure_with(ui.painter()));
    let (rect, _) = ui.allocate_exact_size(laid.drawing.size, Sense::hover());
    laid.drawing.paint(ui.painter(), rect.min, &page.theme.color);
    for (at, (node, place)) in nodes.iter().zip(&laid.nodes).enumerate() {
        let name = format!("Vertex {}, {}: D {}", node.name, node.how, node.word);
        let chosen = choice(ui, place.translate(rect.min.to_vec2()), ("vertex", at), &name, node.selected);
        let contrast = study.bridge.get(at).and_then(|vertex| page.open.contrast_of(vertex));
        if let Some(contrast) = contrast.filter(|_| chosen) {
            commands.step(StepCommand::Contrast(contrast));
        }
    }
    quiet(ui, "Each interval stands on a scale of its own. A vertex leads to its face and its log-probabilities.");
}

/// On which side of zero an interval lies.
fn side_of_zero(effect: Option<Effect>) -> &'static str {
    match effect.filter(Effect::is_clear).and_then(|e| e.sign) {
        Some(Sign::Positive) => "above zero",
        Some(Sign::Negative) => "below zero",
        None if effect.is_none() => "not identified",
        None => "spans 0",
    }
}

/// The two claims that a bridge can carry.
fn supports(ui: &mut Ui, page: &Page<'_>, bridge: &BridgeReport) {
    let t = page.theme;
    let lines = [
        (
            bridge.has_directional_support(),
            "Directional support: D lies below zero at every vertex (upper 95 % end, intersection-union).",
            "not known: no interval at some vertex says enough",
        ),
        (
            bridge.has_criterion_support(),
            "Criterion support: the AUC by quote exceeds the AUC by generated at every vertex (lower 95 % end).",
            "not known: outcomes of both kinds, and intervals that say enough, are needed",
        ),
    ];
    Frame::new().fill(t.color.raised).stroke(t.hairline()).corner_radius(t.radius.control).inner_margin(10).show(
        ui,
        |ui| {
            ui.set_min_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 4.0;
            for (holds, words, otherwise) in lines {
                let (word, ink) = match holds {
                    Some(true) => ("holds", t.color.good),
                    Some(false) => ("does not hold", t.color.warn),
                    None => (otherwise, t.color.muted),
                };
                ui.horizontal_wrapped(|ui| {
                    ui.add(Label::new(RichText::new(word).font(t.bold(t.size.body)).color(ink)));
                    ui.add(Label::new(RichText::new(words).color(t.color.muted)).wrap());
                });
            }
        },
    );
}

fn one(ui: &mut Ui, page: &Page<'_>, at: usize, vertex: &VertexReport) {
    let t = page.theme;
    let study = page.open.study();
    let declared = study.bridge.get(at);
    let channel = declared.and_then(|v| study.channels.get(v.alternative));
    let what = channel.map(|c| format!("{} readout · {}", c.readout.word(), c.stack)).unwrap_or_default();
    section(ui, t, &format!("Vertex {}", vertex.name), &what);
    let line = |name: &str, effect: Option<Effect>| Line::of(name, effect).word(side_of_zero(effect));
    let lines = [
        line("G quote", vertex.gains[0]),
        line("G generated", vertex.gains[1]),
        line("D = generated − quote", vertex.interaction).strong(),
    ];
    let head = ["own scale", "estimate", "95 % interval", "sign"];
    estimates::show(ui, &Table { head, lines: &lines, drawn: true, quiet: true });
    let mut words = Vec::new();
    words.extend(range("wave", &vertex.waves));
    words.extend(range("layout", &vertex.layouts));
    if let Some(icc) = &vertex.icc {
        let range = if icc.is_bounded() { format!("[{:.4}, {:.4}]", icc.lo, icc.hi) } else { "not known".to_owned() };
        words.push(format!("ICC(A,1) over the waves {:.4} {range}", icc.value).replace('-', "−"));
    }
    if let Some((mixture, estimate)) = vertex.mixture.as_ref().and_then(|m| Some((m, m.omega?))) {
        let range =
            if estimate.is_bounded() { interval(estimate.lo, estimate.hi) } else { "(interval not known)".to_owned() };
        let targets = mixture.targets.len();
        words.push(format!("with equal weight to each of {targets} targets D {} {range}", signed(estimate.value)));
    }
    if !words.is_empty() {
        quiet(ui, format!("{}.", words.join("; ")));
    }
}

/// From where to where D goes when one part alone is used.
fn range(what: &str, parts: &[Option<Effect>]) -> Option<String> {
    let values = parts.iter().flatten().map(|e| e.estimate.value);
    let (lo, hi) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(v), hi.max(v)));
    (lo <= hi).then(|| format!("D from one {what} alone {} to {}", signed(lo), signed(hi)))
}

/// `D` of every vertex and every difference of AUCs, tested.
fn tests(ui: &mut Ui, page: &Page<'_>, bridge: &BridgeReport) {
    let scalars: Vec<_> = bridge.vertices.iter().map(|v| (format!("{} D", v.name), v.equivalence)).collect();
    let aucs = bridge.vertices.iter();
    let aucs = aucs.filter_map(|v| Some(sensitivity::auc_test(format!("{} AUC difference", v.name), v.auc.as_ref()?)));
    let own = page.open.study().bridge.iter().any(|vertex| vertex.equivalence_margin.is_some());
    sensitivity::equivalence(ui, page, &scalars, &aucs.collect::<Vec<_>>(), own);
}

fn auc(ui: &mut Ui, page: &Page<'_>, bridge: &BridgeReport) {
    ui.add_space(6.0);
    let known = bridge.vertices.iter().find_map(|v| v.auc);
    let remark = known.map_or_else(
        || "not known: outcomes of both kinds, and intervals that say enough, are needed".to_owned(),
        |auc| grouped(&format!("stored success by F(x⁺) · {} successes, {} failures", auc.successes, auc.failures)),
    );
    section(ui, page.theme, "AUC", &remark);
    let mut lines = Vec::new();
    for vertex in &bridge.vertices {
        let Some(auc) = &vertex.auc else { continue };
        lines.push(Line::plain(format!("{} quote", vertex.name), Some(auc.reference), ""));
        lines.push(Line::plain(format!("{} generated", vertex.name), Some(auc.alternative), ""));
        let d = auc.difference;
        let word = if d.above_zero() {
            "quote orders better"
        } else if d.below_zero() {
            "generated orders better"
        } else {
            "spans 0"
        };
        lines.push(
            Line::plain(format!("{} difference", vertex.name), Some(d), format!("{word} {}", interval(d.lo, d.hi)))
                .word(word)
                .signed()
                .strong(),
        );
    }
    if !lines.is_empty() {
        estimates::show(
            ui,
            &Table {
                head: ["AUC", "estimate", "95 % interval", "which orders better"],
                lines: &lines,
                drawn: false,
                quiet: false,
            },
        );
    }
}
