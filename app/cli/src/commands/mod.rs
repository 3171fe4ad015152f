//! One file per subcommand. Each takes its arguments and answers how it ended.

mod acquire;
mod asv;
mod certify;
mod completions;
mod demo;
pub mod diff;
mod inspect;
mod keygen;
mod schema;
mod verify;

use crate::Next;
use crate::args::Command;

/// Runs a command and answers what is left to do.
pub fn run(command: Command) -> Next {
    Next::Exit(match command {
        Command::Open { path } => return Next::Open(path),
        Command::Demo(args) => match demo::run(&args) {
            (_, Some(case)) => return Next::Offer(case),
            (exit, None) => exit,
        },
        Command::Asv(args) => asv::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Certify(args) => certify::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Acquire(args) => acquire::run(&args),
        Command::Keygen(args) => keygen::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Completions { shell } => completions::run(shell),
    })
}
