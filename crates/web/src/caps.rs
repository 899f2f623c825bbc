//! Limits on what a server hands out: per search and in total.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The most that connections may use, each and together.
#[derive(Clone, Debug)]
pub struct Caps {
    /// Connections, which are WebSockets, at the same time.
    pub connections: usize,
    /// TCP connections at the same time, WebSockets included.
    pub tcp_connections: usize,
    /// The time to send the headers of a request, including the pause since the last response.
    pub headers: Duration,
    /// A TCP connection without a WebSocket is closed if no byte moves for this long.
    pub stalled: Duration,
    /// The time of one search.
    pub time: Duration,
    /// The bytes of one engine or solver.
    pub memory_each: usize,
    /// The bytes of all engines, solvers, proofs and loaded files.
    pub memory: usize,
    /// The threads of one search.
    pub threads_each: usize,
    /// The threads of all searches. A search that finds none left still gets one.
    pub threads: usize,
    /// An idle connection without a request for this long is closed.
    pub idle: Duration,
    /// A page that takes longer than this to accept a message is disconnected.
    pub unread: Duration,
    /// How long a tree query waits for a running search to report.
    pub look: Duration,
    /// The number of stored files, certificates and uploads; the newest are kept.
    pub files: usize,
    /// The bytes of all stored files.
    pub files_bytes: u64,
    /// The bytes of one upload.
    pub upload: u64,
    /// The time of one upload.
    pub upload_time: Duration,
    /// Uploads at the same time.
    pub uploads: usize,
    /// Uploads at the same time from one address.
    pub uploads_each: usize,
    /// A slower upload, in bytes per second, ends when another one needs its place.
    pub upload_rate: u64,
    /// How long an upload runs before its rate counts.
    pub upload_grace: Duration,
    /// How long an upload waits for a place; longer than the grace, so that a slow one ends first.
    pub upload_wait: Duration,
    /// The positions of one certificate.
    pub proof_positions: u64,
}

impl Default for Caps {
    fn default() -> Caps {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Caps {
            connections: 64,
            // Three times the connections, and fewer than the 256 files that macOS lets a process
            // open by default; Linux allows 1024.
            tcp_connections: 192,
            headers: Duration::from_secs(10),
            stalled: Duration::from_secs(30),
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
            upload_time: Duration::from_secs(600),
            uploads: 8,
            uploads_each: 4,
            upload_rate: 64 << 10,
            upload_grace: Duration::from_secs(5),
            upload_wait: Duration::from_secs(10),
            proof_positions: 10_000_000,
        }
    }
}

/// The bytes of an engine or solver whose request names none, if enough are left.
const DEFAULT_MEMORY: usize = 256 << 20;
/// The fewest bytes a search can run with.
const MIN_MEMORY: usize = 1 << 20;
/// A request that names no amount gets at most this fraction of the remaining bytes. Raising it
/// leaves room for more engines and makes each of them smaller.
const SHARE: usize = 32;

/// The bytes charged for each certificate position in memory, slightly more than positions of
/// large boards take.
const POSITION_BYTES: usize = 256;

/// A resource that all connections share.
#[derive(Debug)]
pub struct Budget {
    total: usize,
    left: Mutex<usize>,
}

/// A part of a budget, returned to it on drop.
#[derive(Debug)]
pub struct Grant {
    pub amount: usize,
    /// The amount taken from the budget; less than `amount` if one thread is granted though none is
    /// left.
    taken: usize,
    budget: Arc<Budget>,
}

impl Budget {
    pub fn new(total: usize) -> Arc<Budget> {
        Arc::new(Budget { total, left: Mutex::new(total) })
    }

    /// Grants the requested bytes, or what is left of them; an error if that is below the minimum.
    pub fn memory(self: &Arc<Budget>, requested: Option<usize>, max: usize) -> Result<Grant, String> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let default = DEFAULT_MEMORY.min(*left / SHARE).max(MIN_MEMORY);
        let amount = requested.unwrap_or(default).clamp(MIN_MEMORY, max.max(MIN_MEMORY)).min(*left);
        if amount < MIN_MEMORY {
            return Err(format!(
                "the server's {} bytes of search memory are in use; at least {MIN_MEMORY} are needed",
                self.total
            ));
        }
        *left -= amount;
        Ok(Grant { amount, taken: amount, budget: self.clone() })
    }

    /// Returns a grant of nothing; see [`Grant::reserve`] and [`Grant::grow_to_positions`].
    pub fn empty_grant(self: &Arc<Budget>) -> Grant {
        Grant { amount: 0, taken: 0, budget: self.clone() }
    }

    /// Grants as many threads as are requested and left, and at least one.
    pub fn threads(self: &Arc<Budget>, requested: usize, max: usize) -> Grant {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = requested.clamp(1, max.max(1)).min(*left);
        *left -= taken;
        Grant { amount: taken.max(1), taken, budget: self.clone() }
    }
}

impl Grant {
    /// Raises the amount to `amount`; false if not enough is left.
    fn grow(&mut self, amount: usize) -> bool {
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

    /// Raises the amount to `amount`; an error if not enough is left.
    pub fn reserve(&mut self, amount: usize) -> Result<(), String> {
        if self.grow(amount) {
            return Ok(());
        }
        let left = *self.budget.left.lock().unwrap_or_else(PoisonError::into_inner);
        let total = self.budget.total;
        Err(format!("{amount} bytes of memory are needed; {left} of the server's {total} are left"))
    }

    /// Lowers the amount to `amount` and returns the rest to the budget.
    pub fn shrink(&mut self, amount: usize) {
        let less = self.taken.saturating_sub(amount);
        *self.budget.left.lock().unwrap_or_else(PoisonError::into_inner) += less;
        self.amount -= less;
        self.taken -= less;
    }

    /// Raises the amount to the bytes of this many certificate positions; false if not enough is
    /// left.
    pub fn grow_to_positions(&mut self, positions: u64) -> bool {
        self.grow(usize::try_from(positions).unwrap_or(usize::MAX).saturating_mul(POSITION_BYTES))
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
    fn memory_is_granted_until_none_is_left_and_returned_on_drop() {
        let budget = Budget::new(8 << 20);
        let first = budget.memory(Some(6 << 20), 1 << 30).unwrap();
        assert_eq!(first.amount, 6 << 20);
        let second = budget.memory(Some(6 << 20), 1 << 30).unwrap();
        assert_eq!(second.amount, 2 << 20, "less is left than requested");
        assert!(budget.memory(None, 1 << 30).unwrap_err().contains("8388608 bytes"));
        drop(first);
        assert_eq!(budget.memory(Some(4 << 20), 1 << 30).unwrap().amount, 4 << 20);
    }

    #[test]
    fn default_grants_leave_memory_for_others() {
        let budget = Budget::new(64 << 20);
        let grants: Vec<Grant> = (0..8).map(|_| budget.memory(None, 1 << 30).unwrap()).collect();
        assert_eq!(grants[0].amount, 2 << 20);
        assert!(grants.iter().map(|grant| grant.amount).sum::<usize>() < 64 << 20);
    }

    #[test]
    fn a_grant_grows_into_what_is_left_and_no_further() {
        let budget = Budget::new(8 << 20);
        let mut grant = budget.empty_grant();
        assert!(grant.grow(3 << 20) && grant.grow(2 << 20) && grant.grow(5 << 20));
        assert!(!grant.grow(9 << 20));
        assert_eq!(budget.memory(Some(8 << 20), 1 << 30).unwrap().amount, 3 << 20);
        drop(grant);
        assert_eq!(budget.memory(Some(8 << 20), 1 << 30).unwrap().amount, 8 << 20);
    }

    #[test]
    fn a_reservation_beyond_what_is_left_is_refused_and_a_shrunk_grant_returns_the_rest() {
        let budget = Budget::new(8 << 20);
        let mut grant = budget.empty_grant();
        grant.reserve(6 << 20).unwrap();
        let mut other = budget.empty_grant();
        let error = other.reserve(3 << 20).unwrap_err();
        assert!(error.contains("3145728 bytes") && error.contains("2097152 of the server's 8388608"), "{error}");
        grant.shrink(1 << 20);
        other.reserve(7 << 20).unwrap();
        drop((grant, other));
        assert!(budget.empty_grant().reserve(8 << 20).is_ok());
    }

    #[test]
    fn every_search_gets_a_thread() {
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
