//! The bridge: the same contrast at every vertex, each on its own scale. Signs are compared across vertices, magnitudes
//! within one only.

use egui::{Align, Frame, Label, Rect, RichText, Sense, Ui, pos2, vec2};

use decidendi_core::report::step_value::{agreement, identification, interval, signed};
use decidendi_core::step_value::bridge::{BridgeReport, VertexReport};
use decidendi_core::step_value::crossing::Crossing;
use decidendi_core::step_value::design::{Difference, Identification};
use decidendi_core::step_value::inference::Effect;
use decidendi_core::step_value::study::Vertex;

use super::{Page, choice, retrieval, section, sensitivity};
use crate::desk::command::Commands;
use crate::parts::{counted, grouped, quiet, rich, trajectories};
use crate::widgets::drawing::measure_with;
use crate::widgets::estimates;
use crate::widgets::estimates::{Line, Table, cell};
use crate::widgets::strip::{Node, layout};
use crate::widgets::zero::Zero;
use crate::wings::step_value::command::StepCommand;

pub(crate) fn show(ui: &mut Ui, page: &Page<'_>, commands: &mut Commands) {
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
    let clusters = bridge.cohort.trajectories().len();
    for (at, vertex) in bridge.vertices.iter().enumerate() {
        ui.add_space(4.0);
        one(ui, page, at, vertex, clusters);
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
        crossed(ui, page, crossing);
    }
}

/// So many sentences are told in full; two thousand of them can follow in a bridge of many vertices.
const TOLD: usize = 20;

/// Whether each interaction of readout and stack is identified. Beyond the first sentences one line each, built only where
/// it is in sight, and whole under the pointer.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rows in sight are few and counted from 0")]
fn crossed(ui: &mut Ui, page: &Page<'_>, crossing: &Crossing) {
    let t = page.theme;
    let sentence = |(differences, found): &([Difference; 2], Identification)| {
        let ink = if found.is_identified() { t.color.text } else { t.color.warn };
        (format!("{}: {}", crossing.name(differences), identification(&crossing.design, found)), ink)
    };
    let (told, rest) = crossing.interactions.split_at(TOLD.min(crossing.interactions.len()));
    for one in told {
        let (words, ink) = sentence(one);
        rich(ui, &words, ink);
    }
    let height = t.row.table;
    let (all, _) = ui.allocate_exact_size(vec2(ui.available_width(), height * rest.len() as f32), Sense::hover());
    let sight = ui.clip_rect();
    let at = |y: f32| ((y - all.top()) / height).max(0.0);
    let (first, last) = (at(sight.top()).floor() as usize, at(sight.bottom()).ceil() as usize);
    for (i, one) in rest.iter().enumerate().take(last).skip(first) {
        let (words, ink) = sentence(one);
        let top = all.top() + height * i as f32;
        let rect = Rect::from_min_size(pos2(all.left(), top), vec2(all.width(), height));
        cell(ui, rect, &words, t.body(), ink, Align::Min, true);
        ui.interact(rect, ui.scope_id().with(("crossing", i)), Sense::hover()).on_hover_text(words);
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
            word: Zero::of_effect(report.interaction).words(),
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
            commands.wing(StepCommand::Contrast(contrast));
        }
    }
    quiet(ui, "Each interval stands on a scale of its own. A vertex leads to its face and its log-probabilities.");
}

/// The two views that every vertex sets against each other, in their words: reference, alternative.
fn views<'p>(page: &Page<'p>) -> [&'p str; 2] {
    let study = page.open.study();
    // The reader holds all vertices to the same two views.
    let Some(first) = study.bridge.first() else { return [""; 2] };
    [first.reference, first.alternative].map(|at| study.channels.get(at).map_or("", |channel| channel.view.as_str()))
}

/// The two claims that a bridge can carry.
fn supports(ui: &mut Ui, page: &Page<'_>, bridge: &BridgeReport) {
    let t = page.theme;
    let [reference, alternative] = views(page);
    let lines = [
        (
            bridge.has_directional_support(),
            "Directional support: D lies below zero at every vertex (upper 95 % end, intersection-union).".to_owned(),
            "not known: no interval at some vertex says enough",
        ),
        (
            bridge.has_criterion_support(),
            format!(
                "Criterion support: the AUC by {reference} exceeds the AUC by {alternative} at every vertex (lower 95 % end)."
            ),
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

fn one(ui: &mut Ui, page: &Page<'_>, at: usize, vertex: &VertexReport, clusters: usize) {
    let t = page.theme;
    let study = page.open.study();
    let declared = study.bridge.get(at);
    let channel = declared.and_then(|v| study.channels.get(v.alternative));
    let what = channel.map(|c| format!("{} readout · {}", c.readout.word(), c.stack)).unwrap_or_default();
    section(ui, t, &format!("Vertex {}", vertex.name), &what);
    let line = |name: &str, effect: Option<Effect>| Line::of(name, effect).word(Zero::of_effect(effect).words());
    let [reference, alternative] = views(page);
    let lines = [
        line(&format!("G {reference}"), vertex.gains[0]),
        line(&format!("G {alternative}"), vertex.gains[1]),
        line(&format!("D = {alternative} − {reference}"), vertex.interaction).strong(),
    ];
    let head = ["own scale", "estimate", "95 % interval", "sign"];
    estimates::show(ui, &Table { head, lines: &lines, drawn: true, quiet: true });
    let mut words = Vec::new();
    words.extend(range("wave", &vertex.waves));
    words.extend(range("layout", &vertex.layouts));
    words.extend(agreement(vertex, clusters));
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
    let [reference, alternative] = views(page);
    let better = [reference, alternative].map(|view| format!("{view} orders better"));
    let mut lines = Vec::new();
    for vertex in &bridge.vertices {
        let Some(auc) = &vertex.auc else { continue };
        lines.push(Line::plain(format!("{} {reference}", vertex.name), Some(auc.reference), ""));
        lines.push(Line::plain(format!("{} {alternative}", vertex.name), Some(auc.alternative), ""));
        let d = auc.difference;
        let word = Zero::of(&d).or(&better[0], &better[1], "spans 0");
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
