//! Leaf parallelism: one worker has the tree, and a crew plays out from its leaf, every hand once; the mean goes up.
//!
//! The slowest playout sets the pace (Cazenave & Jouandeau 2007): it is here to be compared with.

use super::ground::{Ground, Values};
use super::playout::{Learned, play_out};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use tesuji_core::{Dice, Knowledge, MAX_PLAYERS, Rng};

/// A leaf to play out from, and the most moves that may take.
pub struct Job<G> {
    position: G,
    cap: u32,
}

/// The ends of the crew's channels, on the side of the worker with the tree.
pub struct Crew<G> {
    jobs: Vec<Sender<Job<G>>>,
    results: Mutex<Receiver<Values>>,
}

impl<G: Knowledge> Crew<G> {
    /// A crew behind channels.
    pub fn new(jobs: Vec<Sender<Job<G>>>, results: Receiver<Values>) -> Crew<G> {
        Crew { jobs, results: Mutex::new(results) }
    }

    /// Playouts by all hands, the worker's own among them; their mean.
    pub fn play_out(
        &self,
        ground: &Ground<'_, G>,
        position: &mut G,
        dice: &mut Dice<G::Move>,
        learned: &Learned<G::Move>,
        last: [u32; 2],
    ) -> Values {
        for hand in &self.jobs {
            hand.send(Job { position: position.clone(), cap: dice.cap }).expect("the crew lives as long as the search");
        }
        let mut sum = play_out(ground, position, dice, learned, last, &mut ());
        let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in &self.jobs {
            let values = results.recv().expect("the crew lives as long as the search");
            (0..MAX_PLAYERS).for_each(|seat| sum[seat] += values[seat]);
        }
        sum.map(|sum| sum / (self.jobs.len() as i64 + 1))
    }
}

/// The work of one hand: playouts from the leaves it is given, until there are no more.
pub fn work<G: Knowledge>(ground: &Ground<'_, G>, rng: Rng, jobs: &Receiver<Job<G>>, results: &Sender<Values>) {
    let mut dice = Dice::new(rng, 0);
    let learned = Learned::new(ground.params, ground.facts.players, ground.facts.move_slots);
    for mut job in jobs {
        dice.cap = job.cap;
        let values = play_out(ground, &mut job.position, &mut dice, &learned, [u32::MAX; 2], &mut ());
        if results.send(values).is_err() {
            return;
        }
    }
}
