//! Leaf parallelism: one worker has the tree, and a crew plays out from its leaf, every hand once; the mean goes up.
//!
//! The slowest playout sets the pace (Cazenave & Jouandeau 2007): it is here to be compared with.

use super::ground::{Ground, Values};
use super::playout::{Learned, play_out};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use tesuji_core::{Knowledge, MAX_PLAYERS, PlayoutContext, Rng};

/// Where a leaf is put for a hand. It does not go through the channel, for channels are large, and would be compiled for every game.
pub type Leaf<G> = Arc<Mutex<Option<G>>>;

/// The ends of the crew's channels, on the side of the worker with the tree. A job is the most moves that the playout may take.
pub struct Crew<G> {
    hands: Vec<(Leaf<G>, Sender<u32>)>,
    results: Mutex<Receiver<Values>>,
}

impl<G: Knowledge> Crew<G> {
    /// A crew behind channels.
    pub fn new(hands: Vec<(Leaf<G>, Sender<u32>)>, results: Receiver<Values>) -> Crew<G> {
        Crew { hands, results: Mutex::new(results) }
    }

    /// Playouts by all hands, the worker's own among them; their mean.
    pub fn play_out(
        &self,
        ground: &Ground<'_, G>,
        position: &mut G,
        context: &mut PlayoutContext<G::Move>,
        learned: &Learned<G::Move>,
        last: [u32; 2],
    ) -> Values {
        for (leaf, jobs) in &self.hands {
            *leaf.lock().unwrap_or_else(PoisonError::into_inner) = Some(position.clone());
            jobs.send(context.cap).expect("the crew lives as long as the search");
        }
        let mut sum = play_out(ground, position, context, learned, last, &mut ());
        let results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in &self.hands {
            let values = results.recv().expect("the crew lives as long as the search");
            (0..MAX_PLAYERS).for_each(|seat| sum[seat] += values[seat]);
        }
        sum.map(|sum| sum / (self.hands.len() as i64 + 1))
    }
}

/// The work of one hand: playouts from the leaves it is given, until there are no more.
pub fn work<G: Knowledge>(
    ground: &Ground<'_, G>,
    rng: Rng,
    leaf: &Leaf<G>,
    jobs: &Receiver<u32>,
    results: &Sender<Values>,
) {
    let mut context = PlayoutContext::new(rng, 0);
    let learned = Learned::new(ground.params, ground.facts.players, ground.facts.move_slots);
    for cap in jobs {
        context.cap = cap;
        let leaf = leaf.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut position = leaf.expect("a job comes with its leaf");
        let values = play_out(ground, &mut position, &mut context, &learned, [u32::MAX; 2], &mut ());
        if results.send(values).is_err() {
            return;
        }
    }
}
