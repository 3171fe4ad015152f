//! From bytes to a checked plan.

use std::cell::RefCell;
use std::cmp::Ordering;

use decidendi_core::exact::Rational;
use decidendi_core::seal::canon::{canonical, read_input};
use decidendi_core::seal::digest::Digest;
use decidendi_core::seal::json::Json;
use decidendi_core::seal::major;

use super::node::{Node, Source, unique};
use super::study;
use super::{
    Authority, Basis, CALLS, CANDIDATES, Candidate, Channel, Dialect, Endpoint, FORMAT, Plan, PlanDigest, PlanError,
    Readout, State, TOP_LOGPROBS, Task, View, Wave,
};
use crate::address::check_url;

/// Margins of the equivalence test, which go into the study as they stand.
const MARGINS: [&str; 2] = ["equivalence_margin", "auc_equivalence_margin"];

/// Reads a plan. `file` is what messages call it.
///
/// # Errors
/// The first fault, with file, line and column.
pub fn read(file: &str, bytes: &[u8]) -> Result<Plan, PlanError> {
    let document = read_input(file, bytes)?;
    let source = Source { file, bytes, notices: RefCell::new(document.notices) };
    let root = Node::root(&source, &document.root);
    root.expect_keys(&[
        "format",
        "id",
        "title",
        "endpoint",
        "sampling",
        "limits",
        "views",
        "channels",
        "layouts",
        "waves",
        "contrasts",
        "bridge",
        MARGINS[0],
        MARGINS[1],
        "tasks",
    ])?;
    format(&root.get("format")?)?;
    let sampling = root.get("sampling")?;
    sampling.expect_keys(&["temperature", "top_logprobs"])?;
    let (temperature, temperature_value) = temperature(&sampling.get("temperature")?)?;
    let limits = root.get("limits")?;
    limits.expect_keys(&["max_calls", "requests_per_minute", "concurrency"])?;
    if let Some(node) = limits.find("concurrency") {
        node.int(1, 1)?;
    }
    let tasks = tasks(&root.get("tasks")?)?;
    let k = tasks.first().map_or(0, |task| task.candidates.len());
    let channels = channels(&root.get("channels")?, &temperature)?;
    let known: Vec<&str> = channels.iter().map(|channel| channel.id.as_str()).collect();
    let (quote_chars, generated_tokens) = views(&root)?;
    let mut plan = Plan {
        id: root.get("id")?.id()?,
        title: root.get("title")?.text()?.to_owned(),
        digest: PlanDigest { asked: asked(&document.root), bytes: Digest::of(bytes) },
        endpoint: endpoint(&root.get("endpoint")?)?,
        temperature,
        temperature_value,
        top_logprobs: sampling.get("top_logprobs")?.int(1, TOP_LOGPROBS)?,
        max_calls: limits.get("max_calls")?.int(1, CALLS)?.unsigned_abs(),
        requests_per_minute: limits.find("requests_per_minute").map(|n| n.int(1, 60_000)).transpose()?.map(narrow),
        quote_chars,
        generated_tokens,
        layouts: layouts(&root.get("layouts")?, k)?,
        waves: waves(&root.get("waves")?)?,
        contrasts: pairs(&root, "contrasts", &["id", "alternative", "reference"], &known)?,
        bridge: pairs(&root, "bridge", &["vertex", "alternative", "reference", MARGINS[0]], &known)?,
        margins: MARGINS.iter().filter_map(|name| Some((*name, root.find(name)?.json().clone()))).collect(),
        channels,
        tasks,
        notices: Vec::new(),
    };
    let joint = plan.channels.iter().position(|channel| channel.readout == Readout::Joint);
    let fewest = if joint.is_some() { i64::try_from(k).unwrap_or(i64::MAX) } else { 2 };
    if let (Some(at), true) = (joint, fewest > TOP_LOGPROBS) {
        let what = format!("a joint channel reads {k} labels off one answer, which holds {TOP_LOGPROBS} at most");
        let help = format!("Name {TOP_LOGPROBS} candidates or fewer, or use the readout \"binary\".");
        return Err(root.get("channels")?.items()?[at].get("readout")?.fault(&what, &help));
    }
    if plan.top_logprobs < fewest {
        let help = format!("Ask for {fewest} or more, best for {TOP_LOGPROBS}.");
        return Err(sampling.get("top_logprobs")?.fault("fewer entries than there are labels", &help));
    }
    study::check(&root, &plan)?;
    plan.notices = source.notices.take();
    Ok(plan)
}

/// The digest of what a plan asks for.
fn asked(root: &Json) -> Digest {
    let without = |map: &Json, free: &[&str]| {
        let entries = map.as_map().unwrap_or_default().iter();
        Json::Map(entries.filter(|(key, _)| !free.contains(&key.as_str())).cloned().collect())
    };
    let mut rest = without(root, &["limits", "endpoint"]);
    if let (Json::Map(entries), Some(endpoint)) = (&mut rest, root.get("endpoint")) {
        entries.push(("endpoint".to_owned(), without(endpoint, &["url", "timeout_s", "api_key_env"])));
    }
    Digest::of(&canonical(&rest))
}

fn narrow(value: i64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

fn format(node: &Node<'_>) -> Result<(), PlanError> {
    let text = node.text()?;
    let order = text.strip_prefix(FORMAT).and_then(|rest| rest.strip_prefix('@')).and_then(|m| major::compare(m, 1));
    match order {
        Some(Ordering::Equal) => Ok(()),
        Some(Ordering::Greater) => {
            Err(PlanError::Unsupported { place: node.place(), format: text.chars().take(80).collect() })
        }
        _ => {
            Err(node
                .fault("this is no acquisition plan", &format!("Start the document with \"format\": \"{FORMAT}@1\".")))
        }
    }
}

fn temperature(node: &Node<'_>) -> Result<(String, f64), PlanError> {
    let (text, value) = node.exact()?;
    if value <= Rational::ZERO || value > Rational::from_int(10) {
        return Err(
            node.fault("the temperature must lie above 0 and not above 10", "Use \"1\" unless you know better.")
        );
    }
    let number = value.to_f64();
    Ok((text, number))
}

fn endpoint(node: &Node<'_>) -> Result<Endpoint, PlanError> {
    node.expect_keys(&["url", "dialect", "model", "api_key_env", "timeout_s", "note"])?;
    let url = node.get("url")?;
    check_url(url.text()?).map_err(|e| url.fault(&e.to_string(), "Correct the address."))?;
    let key = node.find("api_key_env").map(|name| {
        let text = name.text()?;
        let sound =
            text.bytes().enumerate().all(|(i, b)| b == b'_' || b.is_ascii_uppercase() || (i > 0 && b.is_ascii_digit()));
        // A key pasted here by mistake is refused, not shown.
        if sound {
            Ok(text.to_owned())
        } else {
            Err(name.fault(
                "this is no name of an environment variable",
                "Write the variable's NAME in capitals, never the key itself.",
            ))
        }
    });
    Ok(Endpoint {
        url: url.text()?.trim_end_matches('/').to_owned(),
        dialect: node.find("dialect").map_or(Ok(Dialect::OpenAi), |n| n.word(Dialect::WORDS))?,
        model: node.get("model")?.text()?.to_owned(),
        api_key_env: key.transpose()?,
        timeout_s: node.get("timeout_s")?.int(1, 3600)?.unsigned_abs(),
        note: node.get("note")?.text()?.to_owned(),
    })
}

fn views(root: &Node<'_>) -> Result<(usize, i64), PlanError> {
    let Some(node) = root.find("views") else { return Ok((160, 64)) };
    node.expect_keys(&["quote_chars", "generated_tokens"])?;
    let quote = node.find("quote_chars").map_or(Ok(160), |n| n.int(1, 10_000))?;
    let tokens = node.find("generated_tokens").map_or(Ok(64), |n| n.int(1, 4096))?;
    Ok((usize::try_from(quote).unwrap_or(160), tokens))
}

fn channels(node: &Node<'_>, temperature: &str) -> Result<Vec<Channel>, PlanError> {
    let mut channels = Vec::new();
    for node in node.items()? {
        node.expect_keys(&["id", "readout", "view", "authority", "logprob_basis"])?;
        let basis = node.get("logprob_basis")?;
        let channel = Channel {
            id: node.get("id")?.id()?,
            readout: node.get("readout")?.word(Readout::WORDS)?,
            view: node.get("view")?.word(View::WORDS)?,
            authority: node.get("authority")?.word(Authority::WORDS)?,
            basis: basis.word(Basis::WORDS)?,
        };
        if channel.basis == Basis::Unknown && temperature != "1" {
            let help = "Run `decidendi acquire probe` to learn the basis, or set the temperature to \"1\".";
            return Err(basis.fault("an unknown basis is allowed with temperature \"1\" only", help));
        }
        if channel.view == View::None && channel.authority != Authority::Neutral {
            let help = "Use \"neutral\" where there is no view.";
            return Err(node.get("authority")?.fault("without a view there is nothing to rank", help));
        }
        channels.push((node, channel));
    }
    unique(channels.iter().map(|(node, channel)| (node.clone(), channel.id.clone())))?;
    Ok(channels.into_iter().map(|(_, channel)| channel).collect())
}

fn layouts(node: &Node<'_>, k: usize) -> Result<usize, PlanError> {
    node.expect_keys(&["kind", "count"])?;
    node.get("kind")?.word(&[("cyclic", ())])?;
    let count = node.get("count")?.int(1, i64::try_from(k).unwrap_or(i64::MAX))?;
    Ok(usize::try_from(count).unwrap_or(1))
}

fn waves(node: &Node<'_>) -> Result<Vec<Wave>, PlanError> {
    let mut sum = Rational::ZERO;
    let mut waves = Vec::new();
    for node in node.items()? {
        node.expect_keys(&["id", "weight"])?;
        let (weight, value) = node.get("weight")?.exact()?;
        if value <= Rational::ZERO {
            return Err(node.get("weight")?.fault("a weight must be above 0", "Leave the wave out instead."));
        }
        sum = sum.add(&value);
        waves.push((node.clone(), Wave { id: node.get("id")?.int(0, 1_000_000)?, weight }));
    }
    unique(waves.iter().map(|(node, wave)| (node.clone(), wave.id.to_string())))?;
    if sum != Rational::ONE {
        return Err(node.fault("the weights do not sum to 1", "Use fractions such as \"1/2\"."));
    }
    Ok(waves.into_iter().map(|(_, wave)| wave).collect())
}

/// Contrasts and bridges go into the study as they stand; only the channels that they name are looked up.
fn pairs(root: &Node<'_>, key: &str, fields: &[&str], known: &[&str]) -> Result<Vec<Json>, PlanError> {
    let Some(node) = root.find(key) else { return Ok(Vec::new()) };
    let mut pairs = Vec::new();
    for node in node.items()? {
        node.expect_keys(fields)?;
        for side in ["alternative", "reference"] {
            let side = node.get(side)?;
            if !known.contains(&side.text()?) {
                return Err(side.fault("no channel is called so", &format!("Use one of: {}.", known.join(", "))));
            }
        }
        node.get(fields[0])?.id()?;
        pairs.push(node.json().clone());
    }
    Ok(pairs)
}

fn tasks(node: &Node<'_>) -> Result<Vec<Task>, PlanError> {
    let (mut tasks, mut states) = (Vec::<(Node<'_>, Task)>::new(), Vec::new());
    for node in node.items()? {
        node.expect_keys(&["trajectory", "question", "candidates", "target", "success", "states"])?;
        let candidates = candidates(&node.get("candidates")?)?;
        if let Some((_, first)) = tasks.first()
            && first.candidates.len() != candidates.len()
        {
            let what = format!("{} candidates, but the first task has {}", candidates.len(), first.candidates.len());
            return Err(node.get("candidates")?.fault(&what, "Give every task the same number."));
        }
        let target = node.get("target")?;
        let text = target.text()?;
        let found = candidates.iter().position(|candidate| candidate.id == text);
        let task = Task {
            trajectory: node.get("trajectory")?.id()?,
            question: node.get("question")?.text()?.to_owned(),
            target: found.ok_or_else(|| target.fault("no candidate is called so", "Name the id of a candidate."))?,
            candidates,
            success: node.get("success")?.boolean()?,
            states: self::states(&node.get("states")?, &mut states)?,
        };
        tasks.push((node, task));
    }
    unique(tasks.iter().map(|(node, task)| (node.clone(), task.trajectory.clone())))?;
    unique(states)?;
    Ok(tasks.into_iter().map(|(_, task)| task).collect())
}

fn candidates(node: &Node<'_>) -> Result<Vec<Candidate>, PlanError> {
    let items = node.items()?;
    if !(2..=CANDIDATES).contains(&items.len()) {
        return Err(node.fault(&format!("{} candidates", items.len()), &format!("Name 2 to {CANDIDATES}.")));
    }
    let mut candidates = Vec::new();
    for node in items {
        node.expect_keys(&["id", "text"])?;
        let candidate = Candidate { id: node.get("id")?.id()?, text: node.get("text")?.text()?.to_owned() };
        candidates.push((node, candidate));
    }
    unique(candidates.iter().map(|(node, candidate)| (node.clone(), candidate.id.clone())))?;
    Ok(candidates.into_iter().map(|(_, candidate)| candidate).collect())
}

fn states<'d>(node: &Node<'d>, all: &mut Vec<(Node<'d>, String)>) -> Result<Vec<State>, PlanError> {
    let items = node.items()?;
    if items.len() < 2 {
        return Err(node.fault("a trajectory of one state has no step", "Name two states or more."));
    }
    let mut states = Vec::new();
    for node in items {
        node.expect_keys(&["id", "evidence"])?;
        let state = State { id: node.get("id")?.id()?, evidence: node.get("evidence")?.text()?.to_owned() };
        all.push((node, state.id.clone()));
        states.push(state);
    }
    Ok(states)
}
