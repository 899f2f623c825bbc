//! What a server gives away at most.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The most that all who come may use together, and each of them.
#[derive(Clone, Debug)]
pub struct Caps {
    /// Tables at the same time.
    pub tables: usize,
    /// The longest search.
    pub time: Duration,
    /// The bytes of one player or solver.
    pub memory_each: usize,
    /// The bytes of all players and solvers.
    pub memory: usize,
    /// The threads of one search.
    pub threads_each: usize,
    /// The threads of all searches; one that finds none left has one thread all the same.
    pub threads: usize,
    /// A table that is asked nothing for so long, and has nothing to do, is closed.
    pub idle: Duration,
    /// A page that takes longer than this for a message is left.
    pub unread: Duration,
    /// A search that does not show itself for so long when somebody wants to look into it is not waited for.
    pub look: Duration,
    /// Files that are kept, certificates and what pages have sent; the newest stay.
    pub files: usize,
    /// The bytes of all files that are kept.
    pub files_bytes: u64,
    /// The bytes of a file that a page sends.
    pub upload: u64,
    /// The positions of a certificate.
    pub proof_positions: u64,
}

impl Default for Caps {
    fn default() -> Caps {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Caps {
            tables: 64,
            time: Duration::from_secs(4 * 3600),
            memory_each: 1 << 30,
            memory: 4 << 30,
            threads_each: cores,
            threads: 2 * cores,
            idle: Duration::from_secs(1800),
            unread: Duration::from_secs(10),
            look: Duration::from_secs(3),
            files: 64,
            files_bytes: 1 << 30,
            upload: 256 << 20,
            proof_positions: 10_000_000,
        }
    }
}

/// The bytes of a player or solver when nothing is said and enough are left.
const USUAL_MEMORY: usize = 256 << 20;
/// With fewer bytes nothing sensible can be searched.
const LEAST_MEMORY: usize = 1 << 20;
/// Who says nothing gets at most this part of what is left, so that more can come. Raising it makes room for more, and all of them smaller.
const SHARE: usize = 32;

/// The bytes that a position of a certificate is counted with while it is in memory: a little more than those of large boards take.
pub const POSITION_BYTES: usize = 256;

/// Something that all share.
#[derive(Debug)]
pub struct Budget {
    all: usize,
    left: Mutex<usize>,
}

/// A part of a budget, which goes back when it is dropped.
#[derive(Debug)]
pub struct Grant {
    pub amount: usize,
    /// What was taken; less than the amount where somebody may have one although none is left.
    taken: usize,
    budget: Arc<Budget>,
}

impl Budget {
    pub fn new(all: usize) -> Arc<Budget> {
        Arc::new(Budget { all, left: Mutex::new(all) })
    }

    /// Bytes: what is wanted if it is there, and what is there otherwise; an error if that is next to nothing.
    pub fn memory(self: &Arc<Budget>, wanted: Option<usize>, most: usize) -> Result<Grant, String> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let fair = USUAL_MEMORY.min(*left / SHARE).max(LEAST_MEMORY);
        let amount = wanted.unwrap_or(fair).clamp(LEAST_MEMORY, most.max(LEAST_MEMORY)).min(*left);
        if amount < LEAST_MEMORY {
            return Err(format!(
                "all {} bytes that this server has for searches are in use; {LEAST_MEMORY} at least are needed",
                self.all
            ));
        }
        *left -= amount;
        Ok(Grant { amount, taken: amount, budget: self.clone() })
    }

    /// No bytes yet; see [`Grant::grow`].
    pub fn nothing(self: &Arc<Budget>) -> Grant {
        Grant { amount: 0, taken: 0, budget: self.clone() }
    }

    /// Threads: as many as are wanted and left, and one at least.
    pub fn threads(self: &Arc<Budget>, wanted: usize, most: usize) -> Grant {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = wanted.clamp(1, most.max(1)).min(*left);
        *left -= taken;
        Grant { amount: taken.max(1), taken, budget: self.clone() }
    }
}

impl Grant {
    /// Takes more, up to an amount in all; false if not so much is left.
    pub fn grow(&mut self, amount: usize) -> bool {
        let more = amount.saturating_sub(self.amount);
        let mut left = self.budget.left.lock().unwrap_or_else(PoisonError::into_inner);
        if more > *left {
            return false;
        }
        *left -= more;
        self.amount += more;
        self.taken += more;
        true
    }
}

impl Drop for Grant {
    fn drop(&mut self) {
        *self.budget.left.lock().unwrap_or_else(PoisonError::into_inner) += self.taken;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_handed_out_until_it_is_gone_and_comes_back() {
        let budget = Budget::new(8 << 20);
        let first = budget.memory(Some(6 << 20), 1 << 30).unwrap();
        assert_eq!(first.amount, 6 << 20);
        let second = budget.memory(Some(6 << 20), 1 << 30).unwrap();
        assert_eq!(second.amount, 2 << 20, "what is left is less than what is wanted");
        assert!(budget.memory(None, 1 << 30).unwrap_err().contains("8388608 bytes"));
        drop(first);
        assert_eq!(budget.memory(Some(4 << 20), 1 << 30).unwrap().amount, 4 << 20);
    }

    #[test]
    fn who_says_nothing_leaves_memory_for_others() {
        let budget = Budget::new(64 << 20);
        let grants: Vec<Grant> = (0..8).map(|_| budget.memory(None, 1 << 30).unwrap()).collect();
        assert_eq!(grants[0].amount, 2 << 20);
        assert!(grants.iter().map(|grant| grant.amount).sum::<usize>() < 64 << 20);
    }

    #[test]
    fn what_grows_takes_what_is_left_and_no_more() {
        let budget = Budget::new(8 << 20);
        let mut grant = budget.nothing();
        assert!(grant.grow(3 << 20) && grant.grow(2 << 20) && grant.grow(5 << 20));
        assert!(!grant.grow(9 << 20));
        assert_eq!(budget.memory(Some(8 << 20), 1 << 30).unwrap().amount, 3 << 20);
        drop(grant);
        assert_eq!(budget.memory(Some(8 << 20), 1 << 30).unwrap().amount, 8 << 20);
    }

    #[test]
    fn no_search_is_without_a_thread() {
        let budget = Budget::new(3);
        let first = budget.threads(8, 2);
        let second = budget.threads(2, 2);
        let third = budget.threads(2, 2);
        assert_eq!([first.amount, second.amount, third.amount], [2, 1, 1]);
        drop((second, third));
        assert_eq!(budget.threads(5, 2).amount, 1);
        drop(first);
        assert_eq!(budget.threads(5, 2).amount, 2);
    }
}
