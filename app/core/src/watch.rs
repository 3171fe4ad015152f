//! Progress, cancellation and the budget of work as one argument: long work calls [`Watch::step`] and [`Watch::spend`] now
//! and then and stops when told to.

use std::cell::Cell;
use std::fmt;
use std::ops::ControlFlow;

/// Told how far a piece of work has come; answers whether to go on.
pub trait Watch {
    /// `done` of `total` units are finished. `Break` asks the work to stop soon; it then returns [`Cancelled`].
    fn step(&self, done: u64, total: u64) -> ControlFlow<()>;

    /// So many more steps were worked, within a unit too. `Break` as for [`Watch::step`]; once said, it stays said.
    fn spend(&self, _steps: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl fmt::Debug for dyn Watch + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watch")
    }
}

/// A watch that never looks: work runs to its end.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn step(&self, _done: u64, _total: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The work was asked to stop and did; nothing partial is handed out as final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

/// Steps between two looks at the watch behind a budget: far below a hundredth of a second.
const LOOK: u64 = 1 << 14;

/// A watch that counts steps and stops the work when more are spent than it may take. Steps are counted by what is done,
/// never by time: the same work stops at the same step on every machine.
#[derive(Debug)]
pub struct Budget<'w> {
    behind: &'w dyn Watch,
    most: u64,
    spent: Cell<u64>,
    /// The count at which something is to be looked at; zero once the work was stopped.
    next: Cell<u64>,
    done: Cell<u64>,
    total: Cell<u64>,
}

/// A budget that was spent before the work was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spent {
    /// What the work might take.
    pub budget: u64,
    /// What it took until it was stopped.
    pub steps: u64,
    /// How many units were done then.
    pub done: u64,
    /// How many there are.
    pub total: u64,
}

impl<'w> Budget<'w> {
    /// At most `most` steps, watched from behind.
    #[must_use]
    pub fn new(most: u64, behind: &'w dyn Watch) -> Self {
        let zero = || Cell::new(0);
        Self { behind, most, spent: zero(), next: Cell::new(LOOK.min(most)), done: zero(), total: zero() }
    }

    /// The account of a budget that was not enough; `None` while it is.
    #[must_use]
    pub fn exceeded(&self) -> Option<Spent> {
        let steps = self.spent.get();
        let account = Spent { budget: self.most, steps, done: self.done.get(), total: self.total.get() };
        (steps > self.most).then_some(account)
    }

    fn look(&self, steps: u64) -> ControlFlow<()> {
        if self.next.get() == 0 || steps > self.most || self.behind.step(self.done.get(), self.total.get()).is_break() {
            self.next.set(0);
            return ControlFlow::Break(());
        }
        self.next.set(steps.saturating_add(LOOK).min(self.most).max(1));
        ControlFlow::Continue(())
    }
}

impl Watch for Budget<'_> {
    fn step(&self, done: u64, total: u64) -> ControlFlow<()> {
        self.done.set(done);
        self.total.set(total);
        if self.next.get() == 0 || self.behind.step(done, total).is_break() {
            self.next.set(0);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn spend(&self, steps: u64) -> ControlFlow<()> {
        // What was stopped spends no more: the figure told is that of the stop.
        let spent = if self.next.get() == 0 { self.spent.get() } else { self.spent.get().saturating_add(steps) };
        self.spent.set(spent);
        if spent < self.next.get() { ControlFlow::Continue(()) } else { self.look(spent) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts how often it is asked; stops at a number.
    struct Asked(Cell<u64>, u64);

    impl Watch for Asked {
        fn step(&self, _: u64, _: u64) -> ControlFlow<()> {
            self.0.set(self.0.get() + 1);
            if self.0.get() >= self.1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }

    #[test]
    fn a_budget_is_spent_at_the_same_step_and_stays_spent() {
        let budget = Budget::new(100_000, &Unwatched);
        assert!(budget.step(3, 8).is_continue());
        let steps = (0..).take_while(|_| budget.spend(7).is_continue()).count();
        let spent = Spent { budget: 100_000, steps: 100_002, done: 3, total: 8 };
        assert_eq!((steps, budget.exceeded()), (14_285, Some(spent)));
        assert!(budget.spend(1_000_000).is_break() && budget.step(4, 8).is_break());
        assert_eq!(budget.exceeded().map(|s| s.steps), Some(100_002));
    }

    #[test]
    fn exactly_the_budget_may_be_spent() {
        let budget = Budget::new(10, &Unwatched);
        assert!(budget.spend(10).is_continue() && budget.exceeded().is_none());
        assert!(budget.spend(1).is_break());
        assert!(Budget::new(0, &Unwatched).spend(1).is_break());
        assert!(Budget::new(u64::MAX, &Unwatched).spend(u64::MAX).is_continue());
    }

    #[test]
    fn the_watch_behind_is_asked_by_work_and_heard_for_good() {
        let asked = Asked(Cell::new(0), 3);
        let budget = Budget::new(u64::MAX, &asked);
        let steps = (0..).take_while(|_| budget.spend(1).is_continue()).count();
        assert_eq!(steps as u64, 3 * LOOK - 1);
        assert!(budget.spend(0).is_break() && budget.exceeded().is_none());
        assert_eq!(asked.0.get(), 3);
    }
}
