//! Each law fails on a search that breaks it.

use super::*;
use tesuji_core::{INFINITE, Knowledge, ProofNumbers};
use tesuji_games::{Connect4, Go, SameGame, Synthetic, TicTacToe};

/// A search whose reports are falsified.
struct Falsified<G: Game> {
    honest: Box<dyn Search<G>>,
    calls: u64,
    falsify: Falsify<G>,
}

/// A call of a search.
struct Call {
    /// The number of earlier calls of the same search.
    number: u64,
    threads: usize,
}

type Falsify<G> = fn(&mut SearchReport<<G as Game>::Move>, &History<G>, Call);

impl<G: Game> Search<G> for Falsified<G> {
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> SearchReport<G::Move> {
        let mut report = self.honest.search(root, control);
        (self.falsify)(&mut report, root, Call { number: self.calls, threads: control.threads() });
        self.calls += 1;
        report
    }

    fn forget(&mut self) {
        self.honest.forget();
    }
}

/// Returns the laws that a search breaks if its reports are falsified.
fn broken<G: Knowledge>(player: &str, game: &str, falsify: Falsify<G>) -> Vec<&'static str> {
    let rules = rules::<G>(game).unwrap();
    let spec: Spec = player.parse().unwrap();
    let build = || {
        let honest = tesuji_catalog::search::<G>(&spec, &rules)?;
        Ok(Box::new(Falsified { honest, calls: 0, falsify }) as Box<dyn Search<G>>)
    };
    let effort = Effort { games: 2, playouts: 50, memory_playouts: 100, nodes: 2_000, oracle_nodes: 2_000, seed: 1 };
    let can = tesuji_catalog::capabilities::<G>(&spec, &rules).unwrap();
    let report = run_game(player, &build, can, game, &rules, &effort);
    report.laws.iter().filter(|law| law.failure.is_some()).map(|law| law.law).collect()
}

#[test]
fn searches_that_are_not_falsified_break_no_law() {
    for player in ["random", "minimax"] {
        assert_eq!(broken::<TicTacToe>(player, "tictactoe", |_, _, _| ()), [""; 0]);
    }
}

#[test]
fn a_missing_move_breaks_moves() {
    let laws = broken::<TicTacToe>("random", "tictactoe", |report, _, _| report.moves.truncate(1));
    assert!(laws.contains(&MOVES), "{laws:?}");
}

#[test]
fn an_incomplete_line_breaks_the_law_of_solutions() {
    let shorten: Falsify<SameGame> = |report, _, _| {
        report.solution.iter_mut().for_each(|solution| solution.moves.truncate(1));
    };
    let laws = broken::<SameGame>("nmcs:level=1", "samegame:4x4,colours=2", shorten);
    assert!(laws.contains(&LINE), "{laws:?}");
    let praise: Falsify<SameGame> = |report, _, _| report.bounds.at_least += 1;
    let laws = broken::<SameGame>("nmcs:level=1", "samegame:4x4,colours=2", praise);
    assert!(laws.contains(&LINE), "{laws:?}");
    assert_eq!(broken::<SameGame>("mcts:solver", "samegame:4x4,colours=2", |_, _, _| ()), [""; 0]);
}

#[test]
fn a_move_that_superko_forbids_breaks_moves_and_variation() {
    let laws = broken::<Go>("random", "go:2", |report, history, _| {
        let mut moves = Vec::new();
        history.position().legal_moves(&mut moves);
        let legal = legal_moves(history);
        if let Some(&forbidden) = moves.iter().find(|mv| !legal.contains(mv)) {
            report.best = Some(forbidden);
        }
    });
    assert!(laws.contains(&MOVES) && laws.contains(&VARIATION), "{laws:?}");
}

#[test]
fn an_illegal_variation_breaks_variation() {
    let laws = broken::<TicTacToe>("random", "tictactoe", |report, _, _| {
        let again = report.variation.clone();
        report.variation.extend(again);
    });
    assert!(laws.contains(&VARIATION) && !laws.contains(&MOVES), "{laws:?}");
}

#[test]
fn a_move_after_the_end_breaks_terminal() {
    let laws = broken::<Connect4>("random", "connect4:4x4", |report, history, _| {
        if history.is_over() {
            report.best = history.moves().last().copied();
        }
    });
    assert_eq!(laws, [TERMINAL]);
}

#[test]
fn values_and_bounds_out_of_range_break_their_laws() {
    let laws = broken::<TicTacToe>("random", "tictactoe", |report, _, _| report.value = f64::NAN);
    assert!(laws.contains(&VALUES), "{laws:?}");
    let laws = broken::<TicTacToe>("random", "tictactoe", |report, _, _| report.bounds.at_most = 7);
    assert!(laws.contains(&BOUNDS), "{laws:?}");
    let laws = broken::<TicTacToe>("minimax", "tictactoe", |report, _, _| report.value = -report.value);
    assert!(laws.contains(&VALUES), "{laws:?}");
}

#[test]
fn false_claims_break_truth() {
    let laws = broken::<TicTacToe>("random", "tictactoe", |report, _, _| report.bounds.at_most = 0);
    assert!(laws.contains(&TRUTH) && !laws.contains(&BOUNDS), "{laws:?}");
    let laws = broken::<TicTacToe>("random", "tictactoe", |report, _, _| {
        report.moves.iter_mut().for_each(|entry| entry.bounds.at_least = 0);
    });
    assert!(laws.contains(&TRUTH), "{laws:?}");
    let laws = broken::<TicTacToe>("random", "tictactoe", |report, _, _| {
        report.proof_numbers = Some(ProofNumbers { proof: INFINITE, disproof: 0 });
    });
    assert!(laws.contains(&TRUTH), "{laws:?}");
}

#[test]
fn a_best_move_that_is_proven_worse_breaks_choice() {
    let laws = broken::<TicTacToe>("minimax:all", "tictactoe", |report, _, _| {
        report.moves.reverse();
        report.best = report.moves.first().map(|entry| entry.mv);
        report.variation = report.best.into_iter().collect();
    });
    assert!(laws.contains(&CHOICE), "{laws:?}");
}

#[test]
fn exceeded_limits_and_false_stop_reasons_break_limits() {
    let laws = broken::<TicTacToe>("random", "tictactoe", |report, _, _| report.counters.playouts = 51);
    assert!(laws.contains(&LIMITS) && laws.contains(&STOP), "{laws:?}");
    let laws = broken::<TicTacToe>("random", "tictactoe", |report, _, _| report.counters.nodes = 1_000);
    assert!(laws.contains(&LIMITS) && laws.contains(&STOP), "{laws:?}");
    let laws = broken::<TicTacToe>("random", "tictactoe", |report, _, _| report.counters.bytes = 1 << 30);
    assert!(laws.contains(&LIMITS), "{laws:?}");
    let laws = broken::<TicTacToe>("random", "tictactoe", |report, _, _| report.stopped = StopReason::Playouts);
    assert!(laws.contains(&LIMITS), "{laws:?}");
}

#[test]
fn a_report_that_depends_on_earlier_calls_breaks_same() {
    let laws = broken::<TicTacToe>("random", "tictactoe", |report, _, call| report.counters.depth = call.number as u32);
    assert_eq!(laws, [SAME]);
}

/// A search that ignores its observer, its stop flag and perhaps its node limit.
struct Unresponsive<G: Game> {
    honest: Box<dyn Search<G>>,
    obeys_nodes: bool,
}

impl<G: Game> Search<G> for Unresponsive<G> {
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> SearchReport<G::Move> {
        let go = AtomicBool::new(false);
        let limits = control.limits();
        let limits = if self.obeys_nodes { limits } else { Limits { nodes: None, ..limits } };
        self.honest.search(root, &Control::new(limits, control.seed(), &go))
    }
}

fn broken_by_unresponsive(player: &str, obeys_nodes: bool) -> Vec<&'static str> {
    let rules = rules::<Connect4>("connect4:4x4").unwrap();
    let spec: Spec = player.parse().unwrap();
    let build = || {
        let honest = tesuji_catalog::search::<Connect4>(&spec, &rules)?;
        Ok(Box::new(Unresponsive { honest, obeys_nodes }) as Box<dyn Search<Connect4>>)
    };
    let can = tesuji_catalog::capabilities::<Connect4>(&spec, &rules).unwrap();
    let effort = Effort { games: 1, playouts: 200, memory_playouts: 100, nodes: 2_000, oracle_nodes: 2_000, seed: 1 };
    let report = run_game(player, &build, can, "connect4:4x4", &rules, &effort);
    report.laws.iter().filter(|law| law.failure.is_some()).map(|law| law.law).collect()
}

#[test]
fn a_search_that_ignores_its_observer_breaks_watched() {
    let laws = broken_by_unresponsive("mcts", true);
    assert!(laws.contains(&WATCHED) && !laws.contains(&NODES), "{laws:?}");
}

#[test]
fn a_search_that_ignores_its_node_limit_breaks_nodes() {
    let laws = broken_by_unresponsive("mcts", false);
    assert!(laws.contains(&NODES), "{laws:?}");
}

#[test]
fn an_unsupported_game_is_reported_and_an_invalid_spec_is_an_error() {
    let report = run("minimax:result", "rolit:4,players=3", &Effort::default()).unwrap();
    assert!(report.passed() && report.refused.is_some(), "{report}");
    assert!(run("no_such_search", "tictactoe", &Effort::default()).is_err());
    assert!(run("minimax:no_such_option", "tictactoe", &Effort::default()).is_err());
    assert!(run("random", "no_such_game", &Effort::default()).is_err());
}

#[test]
fn an_error_that_does_not_explain_itself_breaks_rejects() {
    let rules = rules::<TicTacToe>("tictactoe").unwrap();
    let can = tesuji_catalog::capabilities::<TicTacToe>(&"random".parse().unwrap(), &rules).unwrap();
    let broken = |accepted: &str| {
        let build = || -> Result<Box<dyn Search<TicTacToe>>, SpecError> {
            let [name, key, value, accepted] = ["random", "game", "tictactoe", accepted].map(str::to_string);
            Err(SpecError::BadValue { name, key, value, accepted })
        };
        let report = run_game("random", &build, can, "tictactoe", &rules, &Effort::default());
        report.laws.iter().filter(|law| law.failure.is_some()).map(|law| law.law).collect::<Vec<_>>()
    };
    assert_eq!(broken("games for one player"), [""; 0]);
    assert_eq!(broken(""), [REJECTS]);
}

#[test]
fn an_invalid_report_of_a_search_that_is_used_again_breaks_reuse() {
    let laws = broken::<TicTacToe>("random", "tictactoe", |report, _, call| {
        // A search is called a second time after forget, and more often only in a game.
        if call.number >= 2 {
            report.bounds.at_most = 7;
        }
    });
    assert_eq!(laws, [BOUNDS, REUSE]);
}

#[test]
fn an_invalid_report_of_two_threads_breaks_threads() {
    let laws = broken::<TicTacToe>("random", "tictactoe", |report, _, call| {
        if call.threads == 2 {
            report.bounds.at_most = 7;
        }
    });
    assert_eq!(laws, [BOUNDS, THREADS]);
}

#[test]
fn another_best_move_than_the_only_one_breaks_single() {
    let laws = broken::<Synthetic>("random", "synthetic:tree='((1) (0))'", |report, history, _| {
        if legal_moves(history).len() == 1 {
            report.best = None;
        }
    });
    assert!(laws.contains(&SINGLE) && laws.contains(&MOVES), "{laws:?}");
}
