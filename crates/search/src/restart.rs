//! Multi-start search for one player: independent runs of a search, of which the best line counts.
//!
//! `restart:[mcts@playouts=10000]` repeats a run with limits of its own until a limit is reached,
//! or `runs` times. Without such limits every one of the `runs` gets an equal share. Baier (2015,
//! section 4.4) compares nested MCTS with multi-start MCTS; SP-MCTS is restarted in the same way
//! (Schadd et al. 2008). Threads share the runs.

use crate::best_line::{InnerSearch, LineMethod, LineSearch, LineSearcher, run_ends};
use std::sync::{Condvar, Mutex, PoisonError};
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
            parallel: true,
            proves: crate::capabilities(&params.inner.spec).is_ok_and(|inner| inner.proves),
            splits_limits: true,
            ends_by_itself: params.runs > 0 && run_ends(&params.inner),
            ..Capabilities::LINES
        }
    }

    fn build<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        let first = InnerSearch::build(Self::INFO.name, &params.inner, rules)?;
        let method = Runs { params, rules: rules.clone(), searches: vec![first] };
        LineSearcher::build(Self::INFO.name, method, rules)
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
        let state = Mutex::new((0, search));
        let added = Condvar::new();
        std::thread::scope(|scope| {
            for inner in &mut self.searches[..threads] {
                let (state, added) = (&state, &added);
                scope.spawn(move || work(inner, state, added, runs));
            }
        });
    }
}

/// The number of runs that have begun, and the search they belong to.
type State<'l, 'c, 'a, G> = Mutex<(u64, &'l mut LineSearch<'c, 'a, G>)>;

/// Makes runs until none is left. `added` is notified when a run has ended: it may have left over a
/// part of what was reserved for it.
fn work<G: Knowledge>(inner: &mut InnerSearch<G>, state: &State<'_, '_, '_, G>, added: &Condvar, runs: u64) {
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let waits = |(number, search): &mut (u64, &mut LineSearch<'_, '_, G>)| {
            !search.is_over() && (runs == 0 || *number < runs) && search.is_reserved()
        };
        let mut begun = added.wait_while(lock(), waits).unwrap_or_else(PoisonError::into_inner);
        let (number, search) = &mut *begun;
        if search.is_over() || (runs > 0 && *number == runs) {
            return;
        }
        let (root, control) = (search.root(), search.control());
        let shares = if runs == 0 { 1 } else { runs - *number };
        let Some(grant) = search.grant(inner, root, shares) else { return };
        *number += 1;
        drop(begun);
        let run = inner.search(root, control, &grant, &mut |report| lock().1.goes_on(report, &[]));
        lock().1.add_run(grant, &run, &[]);
        added.notify_all();
    }
}
