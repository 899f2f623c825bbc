//! Uniformly random play: the baseline that every other search must beat.

use std::cmp::Reverse;
use tesuji_core::{
    Bounds, Capabilities, Control, Counters, Game, History, Knowledge, Options, Report, Rng, RootMove, Search,
    SearchInfo, SearchKind, SpecError, StopReason,
};

/// The `random` search.
pub struct Random;

impl SearchKind for Random {
    const INFO: SearchInfo = SearchInfo { name: "random", summary: "plays a uniformly random legal move" };
    type Params = ();

    fn read(_: &mut Options<'_>) -> Result<(), SpecError> {
        Ok(())
    }

    fn capabilities((): &()) -> Capabilities {
        Capabilities::PLAYER
    }

    fn build<G: Knowledge>(_: (), _: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        Ok(Box::new(Random))
    }
}

impl<G: Game> Search<G> for Random {
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let mut legal = Vec::new();
        root.legal_moves(&mut legal);
        // The ply selects the stream: one seed gives different random numbers at every turn.
        let mut rng = Rng::stream(control.seed(), root.moves().len() as u64);
        let best = (!legal.is_empty()).then(|| legal[rng.below(legal.len())]);
        let bounds = Bounds::unknown(root.position().to_move(), root.facts());
        let root_move = |mv| RootMove { visits: u64::from(Some(mv) == best), ..RootMove::new(mv, bounds) };
        let mut moves: Vec<RootMove<G::Move>> = legal.iter().copied().map(root_move).collect();
        moves.sort_by_cached_key(|root_move| Reverse(root_move.visits));
        Report {
            best,
            value: 0.0,
            bounds,
            proof_numbers: None,
            variation: best.into_iter().collect(),
            moves,
            solution: None,
            counters: Counters::default(),
            stopped: StopReason::Finished,
        }
    }
}
