//! The wings: what Decidendi audits, each in a folder of its own with what it knows, what it can be asked, what its jobs do
//! and how it looks. The list of their pages is here, and so is the way from a command to the wing that it is for.

pub mod acquire;
pub mod judgment;
pub mod step_value;
pub mod verify;

use std::path::Path;
use std::sync::LazyLock;

use egui::Context;

use crate::desk::command::Action;
use crate::desk::link::Link;
use crate::desk::page::Page;
use crate::desk::wings::{Route, WingAnswer, WingCommand};
use crate::desk::{Desk, Given, absolute, actions};
use crate::shared::job::JobId;

/// All pages, in the order of the rail.
pub static PAGES: &[&dyn Page] = &[
    &judgment::page::Casebook,
    &judgment::page::Judgments,
    &judgment::page::CasePage,
    &step_value::page::StepValue,
    &acquire::page::Acquire,
    &verify::page::Verify,
];

/// Every named command, by its rank.
pub static TABLE: LazyLock<Vec<Action>> = LazyLock::new(|| {
    let own = PAGES.iter().flat_map(|page| page.actions());
    let mut all: Vec<Action> = actions::ACTIONS.iter().chain(own).copied().collect();
    all.sort_by_key(|action| action.rank);
    all
});

/// What the desk is given of the wings.
pub const GIVEN: Given = Given { pages: PAGES, apply, deliver, settle, open };

/// The page of a route.
#[must_use]
pub fn page(route: Route) -> Option<&'static dyn Page> {
    PAGES.iter().copied().find(|page| page.route() == route)
}

fn apply(desk: &mut Desk, command: WingCommand, _ctx: &Context) {
    match command {
        WingCommand::Table(command) => desk.on_table(command),
        WingCommand::Case(command) => desk.on_case(command),
        WingCommand::Step(command) => desk.on_step(command),
        WingCommand::Acquire(command) => desk.on_acquire(command),
        WingCommand::Verify(command) => desk.on_verify(command),
    }
}

fn deliver(desk: &mut Desk, id: JobId, answer: WingAnswer) {
    match answer {
        WingAnswer::Judgment(answer) => desk.deliver_judgment(id, answer),
        WingAnswer::Step(answer) => desk.deliver_step(id, answer),
        WingAnswer::Acquire(answer) => desk.deliver_acquire(id, answer),
        WingAnswer::Verify(answer) => desk.deliver_verify(id, answer),
    }
}

fn settle(desk: &mut Desk, id: JobId) {
    desk.settle_judgment(id);
    desk.settle_step(id);
    desk.settle_plan(id);
    desk.settle_verify(id);
}

/// Opens whatever is at a path, or what a link leads to.
fn open(desk: &mut Desk, path: &Path) {
    match Link::parse(&path.to_string_lossy()) {
        Some(Link::Case(link)) => desk.follow_case(link),
        Some(Link::Step(link)) => desk.follow_step(link),
        None => {
            let path = absolute(path);
            // Asked from the last to the first: the casebook takes what no other page knows.
            let taken = PAGES.iter().rev().any(|page| page.opens(desk, &path));
            debug_assert!(taken, "the casebook opens everything");
        }
    }
}
