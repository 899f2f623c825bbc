//! The tree searches of published crates, on Tesuji's own Connect-4 board and with its own random
//! playouts, so that only the trees are compared.
//!
//! All run plain UCT on one thread from an empty tree. They add a node on the first visit to a
//! position and run one playout from it. The time ends with the last simulation; freeing the tree
//! is excluded where the crate allows it.

use crate::{Peer, Round, Work};
use std::f64::consts::FRAC_1_SQRT_2;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tesuji_core::{Game, Knowledge, Player, PlayoutContext, Rng, Rules};
use tesuji_games::Connect4;

const GAME: &str = "connect4";

pub const PEERS: [Peer; 3] = [
    Peer {
        game: GAME,
        name: "mcts 0.3.0",
        note: "our board and playouts; boxed nodes, designed for many threads",
        work: Work::Search(|simulations, seed| with_mcts(start(), simulations, seed).0),
    },
    Peer {
        game: GAME,
        name: "treant 0.4.0",
        note: "our board and playouts; boxed nodes, designed for many threads; its solver is off",
        work: Work::Search(|simulations, seed| with_treant(start(), simulations, seed).0),
    },
    Peer {
        game: GAME,
        name: "minimax 0.6.0",
        note: "our board and playouts; designed for many threads; proves wins and losses, which cannot be turned off; \
               explores more, with its own constant; frees its tree within the time",
        work: Work::Search(|simulations, seed| with_minimax(start(), simulations, seed).0),
    },
];

fn start() -> Connect4 {
    Connect4::start(&tesuji_games::rules::<Connect4>(GAME).expect("the default spec is valid"))
}

fn context(seed: u64) -> PlayoutContext<u8> {
    let rules = tesuji_games::rules::<Connect4>(GAME).expect("the default spec is valid");
    PlayoutContext::new(Rng::new(seed), rules.facts().length.plies())
}

/// Our board behind the crates' interfaces.
#[derive(Clone)]
struct Board(Connect4);

impl Board {
    fn moves(&self) -> Vec<u8> {
        // There are at most seven moves.
        let mut moves = Vec::with_capacity(7);
        self.0.legal_moves(&mut moves);
        moves
    }

    /// Plays at random to the end and returns the score of the first player.
    #[inline]
    fn playout(&self, context: &mut PlayoutContext<u8>) -> i64 {
        self.0.clone().playout(context, &mut ()).score(Player::FIRST).into()
    }
}

/// `mcts` and its fork `treant` have the same traits under different paths.
macro_rules! uct {
    ($function:ident, $crate_name:ident, $spec:ident, $evaluator:ident) => {
        struct $spec {
            seed: u64,
        }

        impl $crate_name::GameState for Board {
            type Move = u8;
            type Player = Player;
            type MoveList = Vec<u8>;

            fn current_player(&self) -> Player {
                self.0.to_move()
            }

            fn available_moves(&self) -> Vec<u8> {
                self.moves()
            }

            fn make_move(&mut self, mv: &u8) {
                self.0.play(*mv);
            }
        }

        impl $crate_name::MCTS for $spec {
            type State = Board;
            type Eval = $evaluator;
            type TreePolicy = $crate_name::tree_policy::UCTPolicy;
            type NodeData = ();
            type TranspositionTable = ();
            // Created by the first playout, which knows the seed.
            type ExtraThreadData = Option<PlayoutContext<u8>>;
        }

        struct $evaluator;

        impl $crate_name::Evaluator<$spec> for $evaluator {
            type StateEvaluation = i64;

            fn evaluate_new_state(
                &self,
                board: &Board,
                moves: &Vec<u8>,
                handle: Option<$crate_name::SearchHandle<$spec>>,
            ) -> (Vec<()>, i64) {
                // Without a handle this is the root, whose evaluation does not count.
                let score = handle.map_or(0, |mut handle| {
                    let seed = handle.mcts().seed;
                    board.playout(handle.thread_data().extra_data.get_or_insert_with(|| context(seed)))
                });
                (vec![(); moves.len()], score)
            }

            /// Called when a simulation reaches a terminal node again.
            fn evaluate_existing_state(&self, _: &Board, score: &i64, _: $crate_name::SearchHandle<$spec>) -> i64 {
                *score
            }

            fn interpret_evaluation_for_player(&self, score: &i64, player: &Player) -> i64 {
                if *player == Player::FIRST { *score } else { -*score }
            }
        }

        /// Returns the work done and the best move.
        fn $function(position: Connect4, simulations: u64, seed: u64) -> (Round, Option<u8>) {
            let begin = Instant::now();
            // Its formula has a factor of 2: this is C = sqrt 2 on scores from -1 to 1, like ours.
            let policy = $crate_name::tree_policy::UCTPolicy::new(FRAC_1_SQRT_2);
            let mut search = $crate_name::MCTSManager::new(Board(position), $spec { seed }, $evaluator, policy, ());
            search.playout_n(simulations);
            let seconds = begin.elapsed().as_secs_f64();
            // Every node except the root started with a playout.
            let playouts = search.tree().num_nodes() as u64 - 1;
            (Round { done: simulations, playouts, plies: None, seconds }, search.best_move())
        }
    };
}

uct!(with_mcts, mcts, MctsSpec, MctsEvaluator);
uct!(with_treant, treant, TreantSpec, TreantEvaluator);

/// The rules, for `minimax`.
struct MinimaxGame;

impl minimax::Game for MinimaxGame {
    type S = Board;
    type M = u8;

    fn generate_moves(board: &Board, moves: &mut Vec<u8>) -> Option<minimax::Winner> {
        let winner = Self::get_winner(board);
        if winner.is_none() {
            board.0.legal_moves(moves);
        }
        winner
    }

    fn apply(board: &mut Board, mv: u8) -> Option<Board> {
        let mut next = board.clone();
        next.0.play(mv);
        Some(next)
    }

    fn get_winner(board: &Board) -> Option<minimax::Winner> {
        board.0.outcome().map(|outcome| match outcome.score(board.0.to_move()) {
            0 => minimax::Winner::Draw,
            1.. => minimax::Winner::PlayerToMove,
            _ => minimax::Winner::PlayerJustMoved,
        })
    }
}

/// Replaces its own playout, which lists the moves at every ply and seeds a generator for every
/// game.
struct MinimaxPlayouts(Arc<Mutex<(PlayoutContext<u8>, u64)>>);

impl minimax::RolloutPolicy for MinimaxPlayouts {
    type G = MinimaxGame;

    fn random_move(
        &self,
        board: &mut Board,
        moves: &mut Vec<u8>,
        _: &mut rand_0_9::rngs::SmallRng,
    ) -> Result<u8, minimax::Winner> {
        let winner = <MinimaxGame as minimax::Game>::generate_moves(board, moves);
        winner.map_or_else(|| Ok(board.0.playout_move(&mut self.0.lock().unwrap().0)), Err)
    }

    /// Returns the score of the player who just moved; as in its own policy, the largest value
    /// means that the position was terminal.
    fn rollout(&self, _: &minimax::MCTSOptions, board: &Board) -> i32 {
        if let Some(outcome) = board.0.outcome() {
            return outcome.score(board.0.to_move().opponent()) * i32::MAX;
        }
        let (context, playouts) = &mut *self.0.lock().unwrap();
        *playouts += 1;
        let score = board.playout(context) as i32;
        if board.0.to_move() == Player::FIRST { -score } else { score }
    }
}

/// Returns the work done and the best move.
fn with_minimax(position: Connect4, simulations: u64, seed: u64) -> (Round, Option<u8>) {
    use minimax::Strategy;
    let begin = Instant::now();
    let shared = Arc::new(Mutex::new((context(seed), 0)));
    // A new node gets only a playout; its children are created on the next visit.
    let options = minimax::MCTSOptions::default().with_num_threads(1).with_rollouts_before_expanding(1);
    let policy = Box::new(MinimaxPlayouts(shared.clone()));
    let mut search = minimax::MonteCarloTreeSearch::<MinimaxGame>::new_with_policy(options, policy);
    search.set_max_rollouts(u32::try_from(simulations).expect("the number of simulations fits in 32 bits"));
    let best = search.choose_move(&Board(position));
    let seconds = begin.elapsed().as_secs_f64();
    let playouts = shared.lock().unwrap().1;
    (Round { done: simulations, playouts, plies: None, seconds }, best)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Search = fn(Connect4, u64, u64) -> (Round, Option<u8>);
    const SEARCHES: [(&str, Search); 3] = [("mcts", with_mcts), ("treant", with_treant), ("minimax", with_minimax)];

    /// Every search assigns wins to the right player: it completes a four and blocks one.
    #[test]
    fn searches_take_immediate_wins_and_block_immediate_losses() {
        for (name, search) in SEARCHES {
            for (moves, wanted) in [("1 7 1 7 1 6", 0), ("7 1 7 1 6 1", 0), ("1 7 1 7 1", 0), ("7 1 7 1 6 1 6", 0)] {
                let mut position = start();
                for mv in moves.split_whitespace() {
                    position.play(position.parse_move(mv).unwrap());
                }
                assert_eq!(search(position, 5_000, 1).1, Some(wanted), "{name} after {moves}");
            }
        }
    }

    /// Otherwise the searches do not do the same work.
    #[test]
    fn nearly_every_simulation_from_the_start_runs_a_playout() {
        for (name, search) in SEARCHES {
            let playouts = search(start(), 20_000, 1).0.playouts;
            assert!((19_000..=20_000).contains(&playouts), "{name}: {playouts}");
        }
    }
}
