//! That the study which follows from a plan is one. Whatever the core would refuse afterwards is told before the first
//! call, at its place in the plan.

use decidendi_core::limits::DOCUMENT_BYTES;
use decidendi_core::seal::json::Step;
use decidendi_core::step_value::scores::check_size;
use decidendi_core::step_value::study::StudyError;
use decidendi_core::step_value::walk::open_study;

use super::document::document;
use super::node::Node;
use super::{Plan, PlanError};

/// Derives the study without its scores and gives it to the core's reader.
pub(super) fn check(root: &Node<'_>, plan: &Plan) -> Result<(), PlanError> {
    let refuse = |way: &[Step], what: &str, help: &str| {
        root.along(way).fault(&format!("the study that this plan leads to is refused: {what}"), help)
    };
    let tasks = [Step::Key("tasks".to_owned())];
    // Every step lists all candidates again, so that a small plan could ask for a very large study.
    let names = |task: &super::Task| task.candidates.iter().map(|candidate| candidate.id.len()).sum::<usize>();
    let least: usize = plan.tasks.iter().map(|task| (task.states.len() - 1) * names(task)).sum();
    if least > DOCUMENT_BYTES {
        let what = format!("it is larger than {DOCUMENT_BYTES} bytes");
        return Err(refuse(&tasks, &what, "Split the plan."));
    }
    let study = match open_study("study.json", &document(plan)) {
        Ok(study) => study,
        Err(StudyError::Shape { fault, .. }) => {
            return Err(refuse(&way(plan, &fault.path.0), &fault.what, &fault.help));
        }
        Err(other) => return Err(refuse(&[], &other.to_string(), "Correct the plan.")),
    };
    if let Some(left) = study.left_out.first() {
        return Err(refuse(&way(plan, &left.at.0), &left.what, &left.help));
    }
    check_size(&study).map_err(|error| refuse(&tasks, &error.to_string(), "Split the plan."))
}

/// Where in the plan something of the study comes from.
fn way(plan: &Plan, path: &[Step]) -> Vec<Step> {
    let key = |name: &str| Step::Key(name.to_owned());
    let word = |step: Option<&Step>| match step {
        Some(Step::Key(word)) => word.clone(),
        _ => String::new(),
    };
    match path {
        [Step::Key(list), Step::At(_), Step::Key(field)] if list == "channels" && field == "temperature" => {
            vec![key("sampling"), key("temperature")]
        }
        [Step::Key(list), Step::At(n), rest @ ..] if list == "transitions" => {
            let mut steps =
                plan.tasks.iter().enumerate().flat_map(|(t, task)| (1..task.states.len()).map(move |s| (t, s)));
            let Some((task, step)) = steps.nth(*n) else { return vec![key("tasks")] };
            let mut way = vec![key("tasks"), Step::At(task)];
            match word(rest.first()).as_str() {
                "id" | "trajectory" => way.push(key("trajectory")),
                "before" => way.extend([key("states"), Step::At(step - 1)]),
                "after" => way.extend([key("states"), Step::At(step)]),
                _ => way.extend(rest.iter().cloned()),
            }
            way
        }
        _ => path.to_vec(),
    }
}
