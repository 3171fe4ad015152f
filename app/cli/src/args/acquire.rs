//! The arguments of `decidendi acquire`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct Acquire {
    #[command(subcommand)]
    pub command: AcquireCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AcquireCommand {
    /// Score what is outstanding, record every attempt, derive the study when all is answered
    Run(AcquireRun),
    /// Ask an endpoint what it can do: log-probabilities, labels, basis; records nothing
    Probe(AcquireProbe),
    /// Derive the study again from the log and compare it byte for byte with the one that lies there
    Replay(AcquireReplay),
}

#[derive(Debug, Args)]
pub(crate) struct AcquireRun {
    /// The plan, or a folder: the last plan kept there
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// Folder for plan.json, log.jsonl, study.json and scores.jsonl; a run that was stopped goes on there
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Ask this address in place of the plan's
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// Replace a study that lies in the folder and is not what the log gives
    #[arg(long)]
    pub force: bool,
    /// Make at most N attempts in this run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_calls: Option<u64>,
    /// Print what was done as one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AcquireProbe {
    /// The plan, or a folder: the last plan kept there
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// Ask this address in place of the plan's
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// Print what was found as one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AcquireReplay {
    /// The folder of an acquisition
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
    /// Print the comparison as one JSON object
    #[arg(long)]
    pub json: bool,
}
