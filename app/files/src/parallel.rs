//! All cores on a chunk of independent items. Results come in the order of the items, whatever the number of threads.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use decidendi_core::judgment::walk::Compiler;

/// How many threads to use when none are asked for.
#[must_use]
pub fn threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)).clamp(1, 256)
}

/// One compiler for each thread, with the budget of each case.
#[must_use]
pub fn compilers(threads: Option<u16>, budget: u64) -> Vec<Compiler> {
    (0..self::threads(threads.map(usize::from))).map(|_| Compiler::with_budget(budget)).collect()
}

/// As [`map`] over as many of the first items as give results of about `most` bytes together, and one more for each worker;
/// the other items stay. So results are bounded, whatever they are of.
pub fn map_some<T, S, R>(
    items: &mut VecDeque<T>,
    workers: &mut [S],
    most: usize,
    size: impl Fn(&R) -> usize + Sync,
    work: impl Fn(&mut S, T) -> R + Sync,
) -> Vec<R>
where
    T: Send,
    S: Send,
    R: Send,
{
    let (held, queue) = (AtomicUsize::new(0), Mutex::new((0_usize, items)));
    // An item is taken by its number before the next one is: what was taken is a prefix.
    let take = || {
        let mut queue = queue.lock().ok()?;
        if held.load(Ordering::Relaxed) >= most {
            return None;
        }
        queue.0 += 1;
        queue.1.pop_front().map(|item| (queue.0, item))
    };
    let run = |worker: &mut S| -> Vec<(usize, R)> {
        let one = |(number, item)| {
            let result = work(worker, item);
            held.fetch_add(size(&result), Ordering::Relaxed);
            (number, result)
        };
        std::iter::from_fn(take).map(one).collect()
    };
    let mut done: Vec<(usize, R)> = match workers {
        [worker] => run(worker),
        workers => std::thread::scope(|scope| {
            let running: Vec<_> = workers.iter_mut().map(|worker| scope.spawn(|| run(worker))).collect();
            // A panic in a worker is passed on: it is an internal fault, never a missing result.
            running.into_iter().flat_map(|t| t.join().unwrap_or_else(|p| std::panic::resume_unwind(p))).collect()
        }),
    };
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Applies `work` to every item; each worker state is used by one thread at a time and outlives the chunk.
pub fn map<T, S, R>(items: Vec<T>, workers: &mut [S], work: impl Fn(&mut S, T) -> R + Sync) -> Vec<R>
where
    T: Send,
    S: Send,
    R: Send,
{
    if let [worker] = workers {
        return items.into_iter().map(|item| work(worker, item)).collect();
    }
    // Items are handed out one by one, so that a slow one does not keep its neighbours waiting. The lock is held only to
    // take one; it cannot be poisoned, because nothing in it can panic.
    let (queue, work) = (Mutex::new(items.into_iter().enumerate()), &work);
    let take = || queue.lock().ok().and_then(|mut queue| queue.next());
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let running: Vec<_> = workers
            .iter_mut()
            .map(|worker| {
                scope.spawn(|| std::iter::from_fn(take).map(|(i, item)| (i, work(worker, item))).collect::<Vec<_>>())
            })
            .collect();
        // A panic in a worker is passed on: it is an internal fault, never a missing result.
        running.into_iter().flat_map(|t| t.join().unwrap_or_else(|p| std::panic::resume_unwind(p))).collect()
    });
    done.sort_unstable_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, r)| r).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_bounded_and_in_order() {
        for threads in [1, 4] {
            let mut items: std::collections::VecDeque<usize> = (0..1000).collect();
            let (mut all, mut most) = (Vec::new(), 0);
            while !items.is_empty() {
                let some = super::map_some(&mut items, &mut vec![(); threads], 100, |_| 10, |(), i| i);
                most = most.max(some.len());
                all.extend(some);
            }
            assert_eq!(all, (0..1000).collect::<Vec<_>>());
            assert!(most <= 10 + threads, "{most}");
        }
    }

    #[test]
    fn order_does_not_depend_on_threads() {
        let items: Vec<u32> = (0..1000).collect();
        let one = super::map(items.clone(), &mut [0_u8], |_, i| i * 2);
        let four = super::map(items, &mut [0_u8; 4], |_, i| i * 2);
        assert_eq!(one, four);
    }
}
