//! The command line of Decidendi: arguments in, words and exit codes out. What it reads and writes is [`decidendi_files`]'s.

mod args;
mod commands;
pub mod display;
pub mod exit;
mod print;
mod progress;
mod signing;
mod stream;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use clap::{CommandFactory, Parser};
use decidendi_core::nearest::meant;
use decidendi_core::report::plain;
use decidendi_files::io;

use args::Cli;
use exit::Exit;

pub use commands::diff::{DiffError, Difference, differences};
pub use print::{error_lines as say_error, lines as say};

/// What is left to do after the command line was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// Nothing: the command ended so.
    Exit(Exit),
    /// Open the window on a path, or on the shipped casebook. A window that cannot open is an error.
    Open(Option<PathBuf>),
    /// Open the window on a path where there is one; where not, say why and be done: the command itself succeeded.
    Offer(PathBuf),
}

/// Runs the command line. A fault of the program itself is told as such and never looks like a verdict.
#[must_use]
pub fn run(args: impl IntoIterator<Item = OsString>) -> Next {
    let args: Vec<OsString> = args.into_iter().collect();
    catch_unwind(AssertUnwindSafe(|| dispatch(&args))).unwrap_or_else(|_| {
        print::error(
            "internal fault: this is a bug in decidendi, not a verdict on your input. Please report the lines above.",
        );
        Next::Exit(Exit::Internal)
    })
}

/// A word that is neither a command nor anything to open: most likely a command misspelled, not a window asked for.
fn misspelled(args: &[OsString]) -> Option<&str> {
    let word = args.get(1)?.to_str()?;
    let letters = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let plain = word.starts_with(|c: char| c.is_ascii_alphabetic()) && word.chars().all(letters);
    (plain && !is_command(word) && !io::exists(Path::new(word))).then_some(word)
}

fn is_command(word: &str) -> bool {
    word == "help" || Cli::command().get_subcommands().any(|command| command.get_name() == word)
}

/// More words after a path to open: the parser would call the second one a command.
fn too_much(args: &[OsString]) -> Option<String> {
    let [path, more] = [args.get(1)?.to_str()?, args.get(2)?.to_str()?];
    if is_command(path) || path.starts_with('-') || more.starts_with('-') {
        return None;
    }
    let why = "a path without a command opens the window, on that path alone";
    Some(if is_command(more) {
        format!("{why}; write the command first: decidendi {more} {path}")
    } else {
        format!("{why}; take `{more}` away, or write a command first (see decidendi --help)")
    })
}

/// Says why the arguments are none, or prints the help that was asked for: that goes to standard output and succeeds. The
/// parser quotes arguments as they are, so it is asked again about arguments that no terminal obeys.
fn not_parsed(error: &clap::Error, args: &[OsString]) -> Exit {
    let safe: Vec<OsString> = args.iter().map(|arg| plain(&arg.to_string_lossy()).into_owned().into()).collect();
    // Nobody is left to be told when printing fails.
    if safe == *args {
        let _ = error.print();
    } else if let Err(again) = Cli::try_parse_from(&safe) {
        let _ = again.print();
    } else {
        print::error(error);
    }
    if error.use_stderr() { Exit::BadInput } else { Exit::Holds }
}

fn dispatch(args: &[OsString]) -> Next {
    if let Some(word) = misspelled(args) {
        let commands: Vec<String> = Cli::command().get_subcommands().map(|c| c.get_name().to_owned()).collect();
        let meant = match meant(word, commands.iter().map(String::as_str)) {
            none if none.is_empty() => ".".to_owned(),
            meant => meant,
        };
        print::error(format!(
            "`{word}` is no command, and there is no file or folder of that name{meant} The commands are {} (see decidendi --help)",
            commands.join(", ")
        ));
        return Next::Exit(Exit::BadInput);
    }
    if let Some(error) = too_much(args) {
        print::error(error);
        return Next::Exit(Exit::BadInput);
    }
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return Next::Exit(not_parsed(&error, args)),
    };
    let Some(command) = cli.command else { return Next::Open(cli.path) };
    commands::run(command)
}
