//! Probing and running against an endpoint on this machine: how each run ends, and what the log then holds.

use std::time::{Duration, Instant};

use decidendi_gui::desk::command::Command;
use decidendi_gui::wings::acquire::actions::{GO_ACQUIRE, PLAN, PROBE, REPLAY, RUN};
use decidendi_gui::wings::acquire::command::AcquireCommand;
use decidendi_gui::wings::acquire::state::EndKind;
use egui::Key;
use egui_kittest::kittest::Queryable as _;

use crate::acquire::{act, ends, lines, open, planned, read, says, work};
use crate::endpoint::{Endpoint, Manner, plan};

#[test]
fn a_run_goes_from_the_probe_to_the_study() {
    let endpoint = Endpoint::new(Manner::Scores, Duration::ZERO).unwrap();
    let (mut stage, folder) = planned(&endpoint.url, 40, None);
    assert!(folder.ends_with("capital") && !folder.exists());
    assert!(says(&stage, "Nothing was asked yet; 10 calls are outstanding."));
    assert!(says(&stage, "calls: 10: 8 cells and 2 views"));
    assert_eq!(endpoint.asked(), 0, "nothing is asked before somebody says so");
    work(&mut stage, &PROBE);
    assert_eq!(endpoint.asked(), 5);
    for words in
        ["log-probs: come back", "label A: -", "label D: -", "answered by: small", "basis: raw: slope 1.000000"]
    {
        assert!(says(&stage, words), "{words}");
    }
    assert!(!folder.exists(), "a probe records nothing");
    work(&mut stage, &RUN);
    ends(&stage, EndKind::Complete);
    assert_eq!((endpoint.asked(), lines(&folder)), (16, 11), "a probe and ten calls");
    assert_eq!(open(&stage).calls.len(), 11);
    assert!(says(&stage, "probe: 200, ") && says(&stage, "view of t01-s0: 200, "));
    assert!(says(&stage, "t01-s1 · generated · layout 1 · wave 0: 200, "));
    work(&mut stage, &REPLAY);
    assert!(says(&stage, "Replay: The same, byte for byte"));
    stage.key(Key::V);
    stage.wait("the study", |s| s.wings.step.open.is_some());
    assert_eq!(stage.state().wings.step.open.as_ref().unwrap().study().id, "capital");
    // The plan is at hand again.
    stage.ask(Command::Do(&GO_ACQUIRE));
    assert_eq!(stage.state().settings.plans.len(), 1);
}

#[test]
fn a_run_stops_between_calls_and_is_taken_up_again() {
    let endpoint = Endpoint::new(Manner::Lacking, Duration::from_millis(250)).unwrap();
    let (mut stage, folder) = planned(&endpoint.url, 40, None);
    act(&mut stage, &RUN);
    stage.wait("two calls", |s| s.wings.acquire.open.as_ref().unwrap().calls.len() >= 2);
    assert!(says(&stage, "answered ") && says(&stage, " of 10"));
    assert!(!PLAN.applies(stage.state()) && !PROBE.applies(stage.state()));
    stage.h.get_by_label("Cancel the run now").click();
    stage.h.run_steps(2);
    assert!(says(&stage, "Stopping. The call under way is still waited for and recorded"));
    stage.wait("its end", |s| s.wings.acquire.doing().is_none() && s.jobs.is_empty());
    ends(&stage, EndKind::Stopped);
    let kept = lines(&folder);
    assert_eq!((kept, open(&stage).calls.len()), (endpoint.asked(), kept), "every call that was made is recorded");
    assert!(kept < 11);
    assert!(says(&stage, "Run again"));
    work(&mut stage, &RUN);
    ends(&stage, EndKind::Complete);
    // The second run begins with a probe of its own.
    assert_eq!(lines(&folder), 12);
    assert!(says(&stage, "missing B: not among the "));
    assert!(says(&stage, "missing: 8 labels: not among the tokens returned"));
}

#[test]
fn the_cap_ends_a_run_and_a_raised_one_goes_on_in_the_same_log() {
    let endpoint = Endpoint::new(Manner::Scores, Duration::ZERO).unwrap();
    let (mut stage, folder) = planned(&endpoint.url, 4, None);
    assert!(says(&stage, "outstanding: 10; the cap leaves 4 of 4 attempts: not enough for all"));
    work(&mut stage, &RUN);
    ends(&stage, EndKind::Capped);
    assert_eq!(lines(&folder), 4);
    assert!(says(&stage, "4 attempts, 3 answers in 0 s. The plan allows 4 attempts over all runs"));
    assert!(!RUN.applies(stage.state()));
    work(&mut stage, &REPLAY);
    assert!(says(&stage, "Replay: Incomplete"));
    let path = open(&stage).path.clone();
    std::fs::write(&path, plan(&endpoint.url, 40, None)).unwrap();
    stage.key(Key::F5);
    stage.wait("the plan", |s| s.wings.acquire.opening.is_none() && s.jobs.is_empty());
    assert_eq!(open(&stage).folder, folder);
    work(&mut stage, &RUN);
    ends(&stage, EndKind::Complete);
    assert_eq!(lines(&folder), 12, "four attempts, a second probe, seven calls");
    assert!(folder.join("plan-2.json").is_file() && folder.join("plan.json").is_file());
    // The folder by itself is enough, and its last plan counts.
    read(&mut stage, &folder);
    assert_eq!((open(&stage).plan.max_calls, &open(&stage).folder), (40, &folder));
    work(&mut stage, &REPLAY);
    assert!(says(&stage, "Replay: The same, byte for byte"));
    // Another question is another plan.
    std::fs::write(&path, plan(&endpoint.url, 40, None).replace("Swiss", "French")).unwrap();
    read(&mut stage, &path);
    ends(&stage, EndKind::OtherPlan);
    assert!(!RUN.applies(stage.state()));
}

#[test]
fn refusals_end_a_run_each_in_its_words() {
    for (manner, kind) in [
        (Manner::Refuses, EndKind::Refused),
        (Manner::Overloaded, EndKind::Later),
        (Manner::TextOnly, EndKind::Unsupported),
    ] {
        let endpoint = Endpoint::new(manner, Duration::ZERO).unwrap();
        let (mut stage, folder) = planned(&endpoint.url, 40, None);
        work(&mut stage, &RUN);
        ends(&stage, kind);
        assert_eq!(lines(&folder), 1, "the attempt is recorded");
        assert!(!open(&stage).has_study());
        stage.h.query_all_by_label("Copy message").next().unwrap().click();
        stage.h.run_steps(2);
        assert!(stage.state().toasts.iter().any(|toast| toast.text == "Message copied"));
    }
}

#[test]
fn nobody_there_is_told_and_a_pause_is_left_at_once() {
    let (mut stage, folder) = planned(&Endpoint::nobody().unwrap(), 40, None);
    work(&mut stage, &PROBE);
    assert!(says(&stage, "End: The probe was not answered") && says(&stage, "A probe records nothing."));
    assert!(!says(&stage, "what was answered is kept"));
    assert!(matches!(&open(&stage).probe, Some(Err(end)) if end.kind == EndKind::Unanswered));
    act(&mut stage, &RUN);
    stage.wait("three attempts", |s| s.wings.acquire.open.as_ref().unwrap().calls.len() >= 3);
    assert!(says(&stage, "probe (attempt 2): no answer") && says(&stage, "refused"));
    stage.wait("what follows", |s| s.wings.acquire.open.as_ref().unwrap().again.is_some());
    let next = open(&stage).again.as_ref().unwrap().next;
    assert!(says(&stage, &format!("; attempt {next} of 8 ")), "attempt {next}");
    assert!(!says(&stage, "waiting for the first answer"));
    let from = Instant::now();
    stage.key(Key::S);
    while stage.state().wings.acquire.doing().is_some() {
        stage.h.step();
        std::thread::sleep(Duration::from_millis(1));
        assert!(from.elapsed() < Duration::from_secs(10));
    }
    // 200 ms are promised; frames on a busy machine take their share.
    assert!(from.elapsed() < Duration::from_millis(900), "{:?}", from.elapsed());
    stage.h.run_steps(2);
    ends(&stage, EndKind::Stopped);
    assert_eq!(lines(&folder), open(&stage).calls.len());
    let told = &open(&stage).end.as_ref().unwrap().what;
    let attempts = open(&stage).calls.len();
    assert!(told.starts_with(&format!("{attempts} attempts, 0 answers in ")), "{told}");
    assert!(told.contains(" s; the last failure: ") && told.contains("refused"), "{told}");
    assert!(open(&stage).again.is_none());
}

#[test]
fn a_probe_stops_between_its_calls() {
    let endpoint = Endpoint::new(Manner::Scores, Duration::from_millis(200)).unwrap();
    let (mut stage, folder) = planned(&endpoint.url, 40, None);
    act(&mut stage, &PROBE);
    stage.wait("the first call", |_| endpoint.asked() > 0);
    assert!(says(&stage, "Asking http://127.0.0.1:"));
    stage.h.get_by_label("Cancel the probe").click();
    stage.wait("its end", |s| s.wings.acquire.doing().is_none() && s.jobs.is_empty());
    assert!(open(&stage).probe.is_none() && says(&stage, "Not probed yet"));
    assert!(endpoint.asked() < 5 && !folder.exists());
}

#[test]
fn a_log_that_another_run_writes_is_left_alone() {
    let endpoint = Endpoint::new(Manner::Scores, Duration::ZERO).unwrap();
    let (mut stage, folder) = planned(&endpoint.url, 4, None);
    work(&mut stage, &RUN);
    ends(&stage, EndKind::Capped);
    let digest = open(&stage).plan.digest;
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::create_dir_all(&folder).unwrap();
    let held = decidendi_acquire::log::Log::open(&folder.join("log.jsonl"), digest).unwrap();
    stage.ask(Command::wing(AcquireCommand::Into(folder.clone())));
    assert!(stage.state().wings.acquire.opening.is_none() || !RUN.applies(stage.state()));
    stage.wait("the empty log", |s| s.wings.acquire.opening.is_none() && s.jobs.is_empty());
    work(&mut stage, &RUN);
    ends(&stage, EndKind::Busy);
    drop(held);
    work(&mut stage, &RUN);
    ends(&stage, EndKind::Capped);
    read(&mut stage, &folder);
    assert!(says(&stage, "the plan allows no more; 7 calls are outstanding"));
}
