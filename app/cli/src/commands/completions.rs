//! `decidendi completions SHELL`.

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::args::Cli;
use crate::exit::Exit;
use crate::print::Out;

pub fn run(shell: Shell) -> Exit {
    let mut script = Vec::new();
    generate(shell, &mut Cli::command(), "decidendi", &mut script);
    let mut out = Out::new(false);
    out.own(&String::from_utf8_lossy(&script));
    out.finish(Exit::Holds)
}
