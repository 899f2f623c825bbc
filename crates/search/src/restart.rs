//! Multi-start search for one player: independent runs of a search, of which the best line counts.
//!
//! `restart:[mcts@playouts=10000]` repeats a run with limits of its own until a limit is reached,
//! or `runs` times. Without such limits every one of the `runs` gets an equal share. Baier (2015,
//! section 4.4) compares nested MCTS with multi-start MCTS; SP-MCTS is restarted in the same way
//! (Schadd et al. 2008). Threads share the runs.

use crate::best_line::{InnerSearch, LineMethod, LineSearch, LineSearcher};
use std::sync::{Mutex, PoisonError};
use tesuji_core::{Capabilities, Knowledge, LimitedSpec, Options, Search, SearchInfo, SearchKind, SpecError};

/// The `restart` search.
pub struct Restart;

/// The options.
#[derive(Clone, PartialEq, Debug)]
pub struct Params {
    inner: LimitedSpec,
    /// The number of runs; 0 if only the limits end the search.
    runs: u64,
}

/// The number of runs that share the limits. Raising it makes runs shorter.
const DEFAULT_RUNS: u64 = 10;

impl SearchKind for Restart {
    const INFO: SearchInfo = SearchInfo { name: "restart", summary: "independent runs of a search for one player" };
    const PLAYERS: (u8, u8) = (1, 1);
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let meaning = "the search, with limits for a run; default [mcts], and equal shares of the limits";
        let inner = one_spec(options, meaning, "mcts")?;
        let runs =
            options.integer("runs", 0, 0..=1_000_000_000, "number of runs; 0 for as many as the limits allow")?;
        let shared = if inner.is_limited() { 0 } else { DEFAULT_RUNS };
        Ok(Params { inner, runs: if runs == 0 { shared } else { runs } })
    }

    fn capabilities(params: &Params) -> Capabilities {
        Capabilities {
            players: Self::PLAYERS,
            parallel: true,
            playouts: true,
            finds_solutions: true,
            proves: crate::capabilities(&params.inner.spec).is_ok_and(|inner| inner.proves),
            splits_limits: true,
            ..Capabilities::PLAYER
        }
    }

    fn build<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        let first = InnerSearch::build(Self::INFO.name, &params.inner, rules)?;
        let method = Runs { params, rules: rules.clone(), searches: vec![first] };
        Ok(Box::new(LineSearcher::new(method)))
    }
}

/// Reads the one nested search of a search for one player.
pub fn one_spec(options: &mut Options<'_>, meaning: &'static str, default: &str) -> Result<LimitedSpec, SpecError> {
    let mut specs = options.limited_specs(meaning)?;
    match specs.len() {
        0 => default.parse(),
        1 => Ok(specs.remove(0)),
        _ => Err(options.refuse(tesuji_core::SPECS, "one search")),
    }
}

struct Runs<G: Knowledge> {
    params: Params,
    rules: G::Rules,
    /// One search per thread.
    searches: Vec<InnerSearch<G>>,
}

impl<G: Knowledge> LineMethod<G> for Runs<G> {
    fn run(&mut self, search: &mut LineSearch<'_, '_, G>) {
        let threads = search.control().threads();
        while self.searches.len() < threads {
            let built = InnerSearch::build(Restart::INFO.name, &self.params.inner, &self.rules);
            self.searches.push(built.expect("the first search was built"));
        }
        search.share_among(threads);
        let runs = self.params.runs;
        let begun = Mutex::new((0, search));
        std::thread::scope(|scope| {
            for inner in &mut self.searches[..threads] {
                let begun = &begun;
                scope.spawn(move || work(inner, begun, runs));
            }
        });
    }
}

/// Makes runs until none is left. The lock holds the number of runs that have begun.
fn work<G: Knowledge>(inner: &mut InnerSearch<G>, begun: &Mutex<(u64, &mut LineSearch<'_, '_, G>)>, runs: u64) {
    loop {
        let mut state = begun.lock().unwrap_or_else(PoisonError::into_inner);
        let (number, search) = &mut *state;
        if search.is_over() || (runs > 0 && *number == runs) {
            return;
        }
        let (root, control) = (search.root(), search.control());
        let shares = if runs == 0 { 1 } else { runs - *number };
        let Some(grant) = search.grant(inner, root, shares) else { return };
        *number += 1;
        drop(state);
        let run = inner.search(root, control, &grant);
        begun.lock().unwrap_or_else(PoisonError::into_inner).1.add_run(grant, &run, &[]);
    }
}
