//! Leaf parallelism: one worker searches the tree, all threads play out from its leaf, and the mean
//! is backed up.
//!
//! The slowest playout determines the speed (Cazenave & Jouandeau 2007). It exists for comparison.

use super::context::{SearchContext, Values};
use super::playout::{PlayoutTools, play_out};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use tesuji_core::{Knowledge, MAX_PLAYERS, PlayoutContext, Rng};

/// The leaf handed to a playout thread. It does not go through the channel: channels are large, and
/// would be compiled for every game.
pub type LeafCell<G> = Arc<Mutex<Option<G>>>;

/// The playout threads, as seen by the worker with the tree. A job is the largest length of a
/// playout.
pub struct PlayoutThreads<G> {
    threads: Vec<(LeafCell<G>, Sender<u32>)>,
    results: Mutex<Receiver<Values>>,
}

impl<G: Knowledge> PlayoutThreads<G> {
    /// Connects to playout threads through their channels.
    pub fn new(threads: Vec<(LeafCell<G>, Sender<u32>)>, results: Receiver<Values>) -> PlayoutThreads<G> {
        PlayoutThreads { threads, results: Mutex::new(results) }
    }

    /// Plays out once on every thread, the caller's own included, and returns the mean.
    pub fn play_out(
        &self,
        search: &SearchContext<'_, G>,
        position: &mut G,
        context: &mut PlayoutContext<G::Move>,
        tools: &mut PlayoutTools<'_, G::Move>,
        last: [u32; 2],
    ) -> Values {
        for (leaf, jobs) in &self.threads {
            *leaf.lock().unwrap_or_else(PoisonError::into_inner) = Some(position.clone());
            jobs.send(context.cap).expect("playout threads live as long as the search");
        }
        let mut sum = play_out(search, position, context, tools, last, &mut ());
        let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in &self.threads {
            let values = results.recv().expect("playout threads live as long as the search");
            (0..MAX_PLAYERS).for_each(|seat| sum[seat] += values[seat]);
        }
        sum.map(|sum| sum / (self.threads.len() as i64 + 1))
    }
}

/// The loop of a playout thread: plays out from every leaf it is given.
pub fn work<G: Knowledge>(
    search: &SearchContext<'_, G>,
    rng: Rng,
    leaf: &LeafCell<G>,
    jobs: &Receiver<u32>,
    results: &Sender<Values>,
) {
    let mut context = PlayoutContext::new(rng, 0);
    let mut tools = PlayoutTools::new(search);
    for cap in jobs {
        context.cap = cap;
        let leaf = leaf.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut position = leaf.expect("a job comes with its leaf");
        let values = play_out(search, &mut position, &mut context, &mut tools, [u32::MAX; 2], &mut ());
        if results.send(values).is_err() {
            return;
        }
    }
}
