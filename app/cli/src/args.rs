//! What may be written on the command line.

pub(crate) mod acquire;

use decidendi_files::keys::PassphraseSource;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use decidendi_core::limits::{DRAWS, WORK};

const CODES: &str = "Exit codes: 0 it holds, 1 a check failed, 2 bad input or usage, 3 inconclusive or uncertifiable, \
                     70 internal fault, 130 stopped by Ctrl-C.";

/// Audits machine judgments by executing them: cubes, receipts, replayable certificates.
///
/// Without a command the window opens.
#[derive(Debug, Parser)]
#[command(name = "decidendi", version, after_help = CODES, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// A case, a folder of cases, JSON Lines or a study to open in the window
    #[arg(value_name = "PATH")]
    pub(crate) path: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Open the window, on PATH or on the shipped casebook
    Open {
        /// A case, a folder of cases, JSON Lines, or a study
        #[arg(value_name = "PATH")]
        path: Option<PathBuf>,
    },
    /// Do the main job once: certify the shipped story case with a throw-away key, verify it, open the window
    Demo(Demo),
    /// Show cube, receipt family, account and faults
    Inspect(Inspect),
    /// Execute, sign and write a certificate for every case
    Certify(Certify),
    /// Check certificates and bundles: signature, bindings, full replay
    Verify(Verify),
    /// Say what differs between two certificates or bundles
    Diff(Diff),
    /// Measure step values: gains by channel, their interaction, certified signs, with denominators
    Asv(Asv),
    /// Score a study's cells on an OpenAI-compatible endpoint
    Acquire(acquire::Acquire),
    /// Make an Ed25519 key pair: FILE (private) and FILE.pub
    Keygen(Keygen),
    /// Print the JSON Schema of a format
    Schema(Schema),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Where to write the case, the key, the certificate and the bundle
    #[arg(long, value_name = "DIR", default_value = "decidendi-demo")]
    pub out: PathBuf,
    /// Replace files that are there and are something else than what was written there before
    #[arg(long)]
    pub force: bool,
    /// Print the result as one JSON object; the window stays closed
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Inspect {
    /// Case files, folders, bundles, JSON Lines (.jsonl), or - for JSON Lines on standard input
    #[arg(value_name = "CASE", required = true)]
    pub cases: Vec<PathBuf>,
    /// One JSON object per case, one per line, in input order
    #[arg(long)]
    pub json: bool,
    /// Threads to use; the output is the same for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Steps of work that one case may take; a case that takes more is refused with the figure
    #[arg(long, value_name = "N", default_value_t = WORK, hide_default_value = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub budget: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Passphrase {
    /// File whose first line is the passphrase of the private key
    #[arg(long, value_name = "FILE", conflicts_with = "passphrase_env")]
    passphrase_file: Option<PathBuf>,
    /// Environment variable that holds the passphrase of the private key
    #[arg(long, value_name = "NAME")]
    passphrase_env: Option<String>,
}

impl Passphrase {
    pub fn source(&self) -> PassphraseSource {
        PassphraseSource { file: self.passphrase_file.clone(), env: self.passphrase_env.clone() }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Certify {
    /// Case files, folders, bundles, JSON Lines (.jsonl), or - for JSON Lines on standard input
    #[arg(value_name = "CASE", required = true)]
    pub cases: Vec<PathBuf>,
    /// Private key (PKCS#8 PEM); repeat it for several signatures
    #[arg(long, value_name = "FILE", required = true)]
    pub key: Vec<PathBuf>,
    /// Folder for <id>.cert.json
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Write <id>.decidendi as well: the certificate with all that a replay needs
    #[arg(long)]
    pub bundle: bool,
    /// Replace files that are there and are something else than what was written there before
    #[arg(long)]
    pub force: bool,
    /// A time to declare in the certificate, spelled YYYY-MM-DDTHH:MM:SS.mmmZ
    #[arg(long, value_name = "TIME")]
    pub time: Option<String>,
    #[command(flatten)]
    pub passphrase: Passphrase,
    /// One JSON object per case, one per line, in input order; then one with the summary
    #[arg(long)]
    pub json: bool,
    /// Threads to use; the output is the same for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Steps of work that one case may take; a case that takes more is refused with the figure
    #[arg(long, value_name = "N", default_value_t = WORK, hide_default_value = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub budget: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// Certificates, bundles (.decidendi or folder), or folders of them
    #[arg(value_name = "FILE", required_unless_present = "trust")]
    pub files: Vec<PathBuf>,
    /// The case or study to replay, or a folder or JSON Lines to find it in; a bundle brings its own
    #[arg(long, value_name = "CASE")]
    pub case: Option<PathBuf>,
    /// Trusted public keys (SPKI PEM)
    #[arg(long, value_name = "PUB", num_args = 1..)]
    pub trust: Vec<PathBuf>,
    /// How many distinct trusted keys must have signed
    #[arg(long, value_name = "N", requires = "trust")]
    pub threshold: Option<usize>,
    /// One JSON object per file, one per line
    #[arg(long)]
    pub json: bool,
    /// Threads to use; the output is the same for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Steps of work that one case may take; a case that takes more is refused with the figure
    #[arg(long, value_name = "N", default_value_t = WORK, hide_default_value = true, value_parser = clap::value_parser!(u64).range(1..))]
    pub budget: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// The first certificate or bundle
    #[arg(value_name = "CERT")]
    pub old: PathBuf,
    /// The second one
    #[arg(value_name = "CERT")]
    pub new: PathBuf,
    /// Print the differences as one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Asv {
    /// A study folder (study.json and scores.jsonl), or its study.json
    #[arg(value_name = "STUDY")]
    pub study: PathBuf,
    /// How often the trajectories are resampled
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=i64::from(DRAWS)))]
    pub draws: u32,
    /// Seed of the draws; the same seed gives the same figures on every machine
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Private key (PKCS#8 PEM): also write a certificate; repeat it for several signatures
    #[arg(long, value_name = "FILE", requires = "out")]
    pub key: Vec<PathBuf>,
    /// Folder for the certificate, <study>.asv.cert.json
    #[arg(long, value_name = "DIR", requires = "key")]
    pub out: Option<PathBuf>,
    /// Replace files that are there and are something else than what was written there before
    #[arg(long, requires = "key")]
    pub force: bool,
    /// Certify the signs of this transition alone
    #[arg(long, value_name = "ID", requires = "key")]
    pub transition: Option<String>,
    /// A time to declare in the certificate, spelled YYYY-MM-DDTHH:MM:SS.mmmZ
    #[arg(long, value_name = "TIME", requires = "key")]
    pub time: Option<String>,
    #[command(flatten)]
    pub passphrase: Passphrase,
    /// Print the whole report as one JSON object, with --key the certificate and its digest in it
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Keygen {
    /// The private key's file; the public key goes to FILE.pub
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    #[command(flatten)]
    pub passphrase: Passphrase,
    /// Print files, key id and fingerprint as one JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Schema {
    /// The format
    pub name: SchemaName,
    /// Accepted for uniformity: a schema is JSON already
    #[arg(long)]
    pub json: bool,
}

/// The formats that have a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaName {
    /// A case: decidendi/case@1
    Case,
    /// What `inspect --json` prints
    Inspect,
    /// The statement that a certificate signs
    Certificate,
    /// The list of a bundle: decidendi/bundle@1
    Bundle,
    /// A step-value study: decidendi/asv-study@1
    Study,
    /// The statement that a step-value certificate signs: step-value/v2
    StepValue,
    /// What is to be scored on an endpoint: decidendi/acquire-plan@1
    AcquirePlan,
}
