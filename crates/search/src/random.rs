//! A player that draws its move by lot: the opponent that everything must beat.

use tesuji_core::{Capabilities, 
    Bounds, Control, Counters, Game, History, Knowledge, Options, Report, Rng, RootMove, Search, SearchInfo,
    SearchKind, SpecError, StopReason,
};

/// The kind.
pub struct Random;

impl SearchKind for Random {
    const INFO: SearchInfo = SearchInfo { name: "random", summary: "draws a legal move by lot" };
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
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        // The number of the move goes into the stream: a player with one seed must not draw alike at every turn.
        let mut rng = Rng::stream(control.seed(), root.moves().len() as u64);
        let best = (!moves.is_empty()).then(|| moves[rng.below(moves.len())]);
        let bounds = Bounds::unknown(root.position().to_move(), root.facts());
        let entry = |mv| RootMove {
            mv,
            visits: u64::from(Some(mv) == best),
            value: None,
            spread: None,
            proof_numbers: None,
            bounds,
        };
        let mut entries: Vec<RootMove<G::Move>> = moves.iter().copied().map(entry).collect();
        entries.sort_by_cached_key(|entry| std::cmp::Reverse(entry.visits));
        Report {
            best,
            value: 0.0,
            bounds,
            proof_numbers: None,
            variation: best.into_iter().collect(),
            moves: entries,
            counters: Counters::default(),
            stopped: StopReason::Finished,
        }
    }
}
