//! A battery that cannot fail proves nothing: each search here breaks one law.

use super::*;
use tesuji_core::{INFINITE, Knowledge, ProofNumbers};
use tesuji_games::{Connect4, Go, TicTacToe};

/// Spoils the answers of a search in some way.
struct Spoilt<G: Game> {
    honest: Box<dyn Search<G>>,
    calls: u64,
    spoil: Spoil<G>,
}

type Spoil<G> = fn(&mut Answer<<G as Game>::Move>, &History<G>, u64);

impl<G: Game> Search<G> for Spoilt<G> {
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Answer<G::Move> {
        let mut answer = self.honest.search(root, control);
        (self.spoil)(&mut answer, root, self.calls);
        self.calls += 1;
        answer
    }
}

/// The laws that a spoilt search breaks.
fn broken<G: Knowledge>(player: &str, game: &str, spoil: Spoil<G>) -> Vec<&'static str> {
    let rules = rules::<G>(game).unwrap();
    let spec: Spec = player.parse().unwrap();
    let build = || {
        let honest = tesuji_catalog::search::<G>(&spec, &rules)?;
        Ok(Box::new(Spoilt { honest, calls: 0, spoil }) as Box<dyn Search<G>>)
    };
    let effort = Effort { games: 2, playouts: 50, memory_playouts: 100, nodes: 2_000, oracle_nodes: 2_000, seed: 1 };
    let can = tesuji_catalog::capabilities::<G>(&spec, &rules).unwrap();
    let report = run_game(player, &build, can, game, &rules, &effort);
    report.laws.iter().filter(|law| law.failure.is_some()).map(|law| law.law).collect()
}

#[test]
fn honest_searches_break_no_law() {
    for player in ["random", "minimax"] {
        assert_eq!(broken::<TicTacToe>(player, "tictactoe", |_, _, _| ()), [""; 0]);
    }
}

#[test]
fn a_search_that_forgets_a_move_is_caught() {
    let laws = broken::<TicTacToe>("random", "tictactoe", |answer, _, _| answer.moves.truncate(1));
    assert!(laws.contains(&MOVES), "{laws:?}");
}

#[test]
fn a_search_that_plays_what_superko_forbids_is_caught() {
    let laws = broken::<Go>("random", "go:2", |answer, history, _| {
        let mut moves = Vec::new();
        history.position().legal_moves(&mut moves);
        let legal = legal_moves(history);
        if let Some(&forbidden) = moves.iter().find(|mv| !legal.contains(mv)) {
            answer.best = Some(forbidden);
        }
    });
    assert!(laws.contains(&MOVES) && laws.contains(&VARIATION), "{laws:?}");
}

#[test]
fn a_line_that_cannot_be_played_is_caught() {
    let laws = broken::<TicTacToe>("random", "tictactoe", |answer, _, _| {
        let again = answer.variation.clone();
        answer.variation.extend(again);
    });
    assert!(laws.contains(&VARIATION) && !laws.contains(&MOVES), "{laws:?}");
}

#[test]
fn a_move_after_the_end_is_caught() {
    let laws = broken::<Connect4>("random", "connect4:4x4", |answer, history, _| {
        if history.is_over() {
            answer.best = history.moves().last().copied();
        }
    });
    assert_eq!(laws, [OVER]);
}

#[test]
fn values_and_bounds_out_of_range_are_caught() {
    let laws = broken::<TicTacToe>("random", "tictactoe", |answer, _, _| answer.value = f64::NAN);
    assert!(laws.contains(&VALUES), "{laws:?}");
    let laws = broken::<TicTacToe>("random", "tictactoe", |answer, _, _| answer.bounds.at_most = 7);
    assert!(laws.contains(&BOUNDS), "{laws:?}");
    let laws = broken::<TicTacToe>("minimax", "tictactoe", |answer, _, _| answer.value = -answer.value);
    assert!(laws.contains(&VALUES), "{laws:?}");
}

#[test]
fn claims_that_are_not_true_are_caught() {
    let laws = broken::<TicTacToe>("random", "tictactoe", |answer, _, _| answer.bounds.at_most = 0);
    assert!(laws.contains(&TRUTH) && !laws.contains(&BOUNDS), "{laws:?}");
    let laws = broken::<TicTacToe>("random", "tictactoe", |answer, _, _| {
        answer.moves.iter_mut().for_each(|entry| entry.bounds.at_least = 0);
    });
    assert!(laws.contains(&TRUTH), "{laws:?}");
    let laws = broken::<TicTacToe>("random", "tictactoe", |answer, _, _| {
        answer.proof_numbers = Some(ProofNumbers { proof: INFINITE, disproof: 0 });
    });
    assert!(laws.contains(&TRUTH), "{laws:?}");
}

#[test]
fn choosing_what_is_proved_worse_is_caught() {
    let laws = broken::<TicTacToe>("minimax:all", "tictactoe", |answer, _, _| {
        answer.moves.reverse();
        answer.best = answer.moves.first().map(|entry| entry.mv);
        answer.variation = answer.best.into_iter().collect();
    });
    assert!(laws.contains(&CHOICE), "{laws:?}");
}

#[test]
fn doing_too_much_is_caught() {
    let laws = broken::<TicTacToe>("random", "tictactoe", |answer, _, _| answer.counters.playouts = 51);
    assert!(laws.contains(&LIMITS) && laws.contains(&STOP), "{laws:?}");
    let laws = broken::<TicTacToe>("random", "tictactoe", |answer, _, _| answer.counters.nodes = 1_000);
    assert!(laws.contains(&LIMITS) && laws.contains(&STOP), "{laws:?}");
    let laws = broken::<TicTacToe>("random", "tictactoe", |answer, _, _| answer.counters.bytes = 1 << 30);
    assert!(laws.contains(&LIMITS), "{laws:?}");
    let laws = broken::<TicTacToe>("random", "tictactoe", |answer, _, _| answer.stopped = StopReason::Playouts);
    assert!(laws.contains(&LIMITS), "{laws:?}");
}

#[test]
fn what_depends_on_earlier_calls_is_caught() {
    let laws = broken::<TicTacToe>("random", "tictactoe", |answer, _, calls| answer.counters.depth = calls as u32);
    assert_eq!(laws, [SAME]);
}

/// Runs a search without its observer, or without its limit on nodes.
struct Deaf<G: Game> {
    honest: Box<dyn Search<G>>,
    heeds_nodes: bool,
}

impl<G: Game> Search<G> for Deaf<G> {
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Answer<G::Move> {
        let go = AtomicBool::new(false);
        let limits = control.limits();
        let limits = if self.heeds_nodes { limits } else { Limits { nodes: None, ..limits } };
        self.honest.search(root, &Control::new(limits, control.seed(), &go))
    }
}

fn broken_by_deaf(player: &str, heeds_nodes: bool) -> Vec<&'static str> {
    let rules = rules::<Connect4>("connect4:4x4").unwrap();
    let spec: Spec = player.parse().unwrap();
    let build = || {
        let honest = tesuji_catalog::search::<Connect4>(&spec, &rules)?;
        Ok(Box::new(Deaf { honest, heeds_nodes }) as Box<dyn Search<Connect4>>)
    };
    let can = tesuji_catalog::capabilities::<Connect4>(&spec, &rules).unwrap();
    let effort = Effort { games: 1, playouts: 200, memory_playouts: 100, nodes: 2_000, oracle_nodes: 2_000, seed: 1 };
    let report = run_game(player, &build, can, "connect4:4x4", &rules, &effort);
    report.laws.iter().filter(|law| law.failure.is_some()).map(|law| law.law).collect()
}

#[test]
fn a_search_that_never_shows_itself_is_caught() {
    let laws = broken_by_deaf("mcts", true);
    assert!(laws.contains(&WATCHED) && !laws.contains(&NODES), "{laws:?}");
}

#[test]
fn a_search_that_ignores_its_limit_on_nodes_is_caught() {
    let laws = broken_by_deaf("mcts", false);
    assert!(laws.contains(&NODES), "{laws:?}");
}

#[test]
fn a_game_is_refused_with_a_sentence_and_a_spec_with_an_error() {
    let report = run("minimax:result", "rolit:4,players=3", &Effort::default()).unwrap();
    assert!(report.passed() && report.refused.is_some(), "{report}");
    assert!(run("no_such_search", "tictactoe", &Effort::default()).is_err());
    assert!(run("minimax:no_such_option", "tictactoe", &Effort::default()).is_err());
    assert!(run("random", "no_such_game", &Effort::default()).is_err());
}
