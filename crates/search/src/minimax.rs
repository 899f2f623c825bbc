//! Exact minimax: the oracle that every solver is tested against.
//!
//! Alpha-beta (Knuth and Moore 1975) to the end of the game, without a transposition table, move
//! ordering or a depth limit. Every move is played through [`History`], so superko, repetition and
//! length caps apply exactly as the rules define them. Players need not alternate. The player to
//! move at the root maximises its score; all other players together minimise it (paranoid).
//!
//! The result is correct for every game. Positions with up to a few million nodes are feasible.

use std::cmp::Reverse;
use tesuji_core::{
    Bounds, Capabilities, Control, Counters, Facts, Game, History, Inspector, Knowledge, Options, Player, Report,
    RootMove, Rules, Search, SearchInfo, SearchKind, SpecError, StopReason, Ticker,
};

/// The `minimax` search.
pub struct Minimax;

/// The options.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Params {
    /// Search for win, draw or loss only: more cutoffs, no exact score.
    pub result: bool,
    /// Compute the exact value of every root move: fewer cutoffs.
    pub all: bool,
}

impl SearchKind for Minimax {
    const INFO: SearchInfo =
        SearchInfo { name: "minimax", summary: "exact search to the end of the game, without heuristics" };
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        Ok(Params {
            result: options.switch("result", "search for win, draw or loss only, not for the score")?,
            all: options.switch("all", "compute the exact value of every move, not only of the best")?,
        })
    }

    fn capabilities(_: &Params) -> Capabilities {
        Capabilities { proves: true, ..Capabilities::PLAYER }
    }

    fn build<G: Knowledge>(params: Params, rules: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        if params.result && !rules.facts().sign_is_result() {
            return Err(SpecError::BadValue {
                name: Self::INFO.name.to_string(),
                key: "result".to_string(),
                value: "on".to_string(),
                accepted: "two-player games in which the sign of the score is the result".to_string(),
            });
        }
        Ok(Box::new(params))
    }
}

/// Returns the score that `player` can force against all others.
///
/// Returns `None` if the search needs more than `max_nodes` nodes.
pub fn value<G: Game>(history: &mut History<G>, player: Player, max_nodes: u64) -> Option<i32> {
    TreeWalk::new(history, player, |score| score, NodeBudget(max_nodes)).root_value()
}

/// Returns the sign of the score that `player` can force against all others.
///
/// Returns `None` if the search needs more than `max_nodes` nodes. The narrower range gives more
/// cutoffs than [`value`] has.
pub fn result<G: Game>(history: &mut History<G>, player: Player, max_nodes: u64) -> Option<i32> {
    TreeWalk::new(history, player, i32::signum, NodeBudget(max_nodes)).root_value()
}

/// A limit on the number of nodes.
trait NodeLimit {
    /// Counts a node. Returns false if the limit is reached.
    fn node(&mut self) -> bool;
}

struct NodeBudget(u64);

impl NodeLimit for NodeBudget {
    fn node(&mut self) -> bool {
        self.0 = self.0.wrapping_sub(1);
        self.0 != u64::MAX
    }
}

impl<M> NodeLimit for Ticker<'_, '_, M> {
    fn node(&mut self) -> bool {
        Ticker::node(self)
    }
}

/// A depth-first walk of the game tree, from the point of view of `player`.
struct TreeWalk<'h, G: Game, L> {
    history: &'h mut History<G>,
    player: Player,
    /// Maps a score to the value searched for: the score itself or its sign.
    payoff: fn(i32) -> i32,
    limit: L,
    counters: Counters,
    /// Unused move lists, kept to avoid an allocation per node.
    spare_lists: Vec<Vec<G::Move>>,
}

impl<'h, G: Game, L: NodeLimit> TreeWalk<'h, G, L> {
    fn new(history: &'h mut History<G>, player: Player, payoff: fn(i32) -> i32, limit: L) -> TreeWalk<'h, G, L> {
        TreeWalk { history, player, payoff, limit, counters: Counters::default(), spare_lists: Vec::new() }
    }

    /// The lowest and the highest possible value.
    fn range(&self) -> (i32, i32) {
        let (low, high) = self.history.facts().scores;
        ((self.payoff)(low), (self.payoff)(high))
    }

    fn root_value(&mut self) -> Option<i32> {
        let (low, high) = self.range();
        self.value(low, high, 0)
    }

    /// Returns the value of the current position (fail-soft): exact if it lies between `alpha` and
    /// `beta`, a lower bound if it is at least `beta`, an upper bound if it is at most `alpha`.
    fn value(&mut self, mut alpha: i32, mut beta: i32, depth: u32) -> Option<i32> {
        self.counters.depth = self.counters.depth.max(depth);
        if let Some(outcome) = self.history.outcome() {
            return Some((self.payoff)(outcome.score(self.player)));
        }
        let maximises = self.history.position().to_move() == self.player;
        let mut moves = self.spare_lists.pop().unwrap_or_default();
        moves.clear();
        self.history.legal_moves(&mut moves);
        let mut best = if maximises { i32::MIN } else { i32::MAX };
        for &mv in &moves {
            let value = self.value_after(mv, alpha, beta, depth)?;
            if maximises {
                best = best.max(value);
                alpha = alpha.max(value);
            } else {
                best = best.min(value);
                beta = beta.min(value);
            }
            if alpha >= beta {
                break;
            }
        }
        assert!(!moves.is_empty(), "a position that is not terminal has a legal move");
        self.spare_lists.push(moves);
        Some(best)
    }

    /// Returns the value after a move. The history is restored in every case.
    fn value_after(&mut self, mv: G::Move, alpha: i32, beta: i32, depth: u32) -> Option<i32> {
        if !self.limit.node() {
            return None;
        }
        self.counters.nodes += 1;
        self.history.play(mv);
        let value = self.value(alpha, beta, depth + 1);
        self.history.undo();
        value
    }
}

impl<G: Game> Search<G> for Params {
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let facts = *root.facts();
        let player = root.position().to_move();
        let mut history = root.clone();
        let payoff: fn(i32) -> i32 = if self.result { i32::signum } else { |score| score };
        let mut walk = TreeWalk::new(&mut history, player, payoff, control.ticker(0));
        let (low, high) = walk.range();
        let mut legal = Vec::new();
        root.legal_moves(&mut legal);
        let mut result = RootResult {
            result_only: self.result,
            facts,
            player,
            range: (low, high),
            terminal_value: root.outcome().map(|outcome| payoff(outcome.score(player))),
            moves: legal.iter().map(|&mv| (mv, low, high)).collect(),
            best: None,
            counters: Counters::default(),
            stopped: None,
        };
        for (number, &mv) in legal.iter().enumerate() {
            let best = result.best.map_or(low, |(_, value)| value);
            if best == high && number > 0 && !self.all {
                break;
            }
            // The first root move may take all the time there is, so the observer is called before
            // it.
            if number == 0 || walk.limit.is_due() {
                control.show(&result);
            }
            let alpha = if self.all { low } else { best };
            let Some(value) = walk.value_after(mv, alpha, high, 0) else {
                result.stopped = control.ended();
                break;
            };
            // A value at or below alpha is an upper bound, unless alpha is the lowest value.
            let is_exact = value > alpha || alpha == low;
            result.moves[number] = (mv, if is_exact { value } else { low }, value);
            if result.best.is_none_or(|(_, best)| value > best) {
                result.best = Some((mv, value));
            }
            result.counters = walk.counters;
        }
        result.counters = walk.counters;
        result.stopped =
            result.stopped.or(Some(if legal.is_empty() { StopReason::Finished } else { StopReason::Solved }));
        result.report()
    }
}

/// The root moves with the bounds found so far.
struct RootResult<M> {
    result_only: bool,
    facts: Facts,
    player: Player,
    range: (i32, i32),
    /// The value of a terminal root.
    terminal_value: Option<i32>,
    /// The moves with their lower and upper bounds.
    moves: Vec<(M, i32, i32)>,
    /// The best move searched so far, with its exact value.
    best: Option<(M, i32)>,
    counters: Counters,
    stopped: Option<StopReason>,
}

impl<M: Copy + PartialEq> RootResult<M> {
    fn bounds(&self, at_least: i32, at_most: i32) -> Bounds {
        if self.result_only {
            Bounds::of_results(self.player, at_least, at_most, &self.facts)
        } else {
            Bounds { player: self.player, at_least, at_most }
        }
    }

    /// Maps a score to [-1, 1]: its sign if that is the result, else linearly over the score range.
    /// The score of one player does not determine its rank among several.
    fn scaled(&self, score: i32) -> f64 {
        let (low, high) = (f64::from(self.facts.scores.0), f64::from(self.facts.scores.1));
        if self.facts.sign_is_result() {
            f64::from(score.signum())
        } else if high > low {
            2.0 * (f64::from(score) - low) / (high - low) - 1.0
        } else {
            0.0
        }
    }

    /// Returns the value if both bounds imply the same one: a score from 8 to 20 is a win.
    fn common_value(&self, at_least: i32, at_most: i32) -> Option<f64> {
        let (low, high) = (self.scaled(at_least), self.scaled(at_most));
        (low == high).then_some(low)
    }
}

impl<M: Copy + PartialEq> Inspector<M> for RootResult<M> {
    fn report(&self) -> Report<M> {
        let best = self.best.map(|(mv, _)| mv).or(self.moves.first().map(|&(mv, ..)| mv));
        let mut moves = self.moves.clone();
        moves.sort_by_cached_key(|&(mv, at_least, at_most)| Reverse((Some(mv) == best, at_least, at_most)));
        let root_move = |(mv, at_least, at_most)| RootMove {
            visits: u64::from((at_least, at_most) != self.range),
            value: self.common_value(at_least, at_most),
            ..RootMove::new(mv, self.bounds(at_least, at_most))
        };
        // The upper bound of the root is the highest upper bound of its moves.
        let (low, high) = self.range;
        let at_least = self.terminal_value.or(moves.iter().map(|&(_, at_least, _)| at_least).max()).unwrap_or(low);
        let at_most = self.terminal_value.or(moves.iter().map(|&(_, _, at_most)| at_most).max()).unwrap_or(high);
        Report {
            best,
            value: self.common_value(at_least, at_most).unwrap_or(0.0),
            bounds: self.bounds(at_least, at_most),
            proof_numbers: None,
            variation: best.into_iter().collect(),
            moves: moves.into_iter().map(root_move).collect(),
            solution: None,
            counters: self.counters,
            stopped: self.stopped.unwrap_or(StopReason::Finished),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use tesuji_core::Limits;
    use tesuji_games::{Connect4, Othello, Rolit, SameGame, Synthetic, TicTacToe, rules};

    fn game<G: Game>(spec: &str, text: &str) -> History<G> {
        History::parse(rules::<G>(spec).unwrap(), text).unwrap()
    }

    fn tree(text: &str) -> History<Synthetic> {
        game(&format!("synthetic:tree='{text}'"), "start")
    }

    fn search<G: Knowledge>(spec: &str, root: &History<G>, nodes: Option<u64>) -> Report<G::Move> {
        let mut search = crate::build::<G>(&spec.parse().unwrap(), root.rules()).unwrap();
        let stop = AtomicBool::new(false);
        search.search(root, &Control::new(Limits { nodes, ..Limits::default() }, 1, &stop))
    }

    #[test]
    fn small_trees_have_values_computed_by_hand() {
        for (text, first, second) in [
            ("3", 3, -3),
            ("(1 5 2)", 5, -5),
            ("((3 12 8) (2 4 6) (14 5 2))", 3, -3),
            // The first player moves twice in a row.
            ("(a: (a: 1 4) (b: 7 9))", 7, -7),
            ("(b: (b: 1 -4) (a: -7 9))", -4, 4),
            // A cycle. A player who would lose by leaving it stays, and repetition is a draw.
            ("x=((@x 1) -1)", 0, 0),
            ("x=((@x -1) -2)", -1, 1),
        ] {
            let mut history = tree(text);
            assert_eq!(value(&mut history, Player::FIRST, 1000), Some(first), "{text}");
            assert_eq!(value(&mut history, Player::SECOND, 1000), Some(second), "{text}");
            assert_eq!(result(&mut history, Player::FIRST, 1000), Some(first.signum()), "{text}");
        }
    }

    #[test]
    fn all_other_players_minimise_the_score_of_the_given_player() {
        let mut history = tree("(a: (b: 5,1,0 2,0,9) (b: 3,0,0 4,0,0))");
        assert_eq!(value(&mut history, Player(0), 100), Some(3));
        assert_eq!(value(&mut history, Player(1), 100), Some(0));
        assert_eq!(value(&mut history, Player(2), 100), Some(0));
        let report = search("minimax", &history, None);
        assert_eq!((report.best, report.bounds), (Some(1), Bounds::exact(Player(0), 3)));
    }

    #[test]
    fn random_trees_have_their_constructed_value() {
        for seed in 0..100 {
            for options in ["scores=1", "scores=9,turns=random", "branching=2,depth=9", "scores=5,value=-4"] {
                let mut history = game::<Synthetic>(&format!("synthetic:{options},seed={seed}"), "start");
                let known = history.position().known_value();
                assert_eq!(value(&mut history, Player::FIRST, 1_000_000), known, "{options} {seed}");
                let report = search("minimax:all", &history, None);
                let sign = if history.position().to_move() == Player::FIRST { 1 } else { -1 };
                assert_eq!(Some(sign * report.bounds.at_least), known);
                assert_eq!(Some(sign * report.bounds.at_most), known);
            }
        }
    }

    #[test]
    fn all_computes_exact_values_and_the_default_correct_bounds() {
        let history = tree("((3 12 8) (2 4 6) (14 5 4))");
        let all = search("minimax:all", &history, None);
        let bounds: Vec<_> = all
            .moves
            .iter()
            .map(|root_move| (root_move.mv, root_move.bounds.at_least, root_move.bounds.at_most))
            .collect();
        assert_eq!(bounds, [(2, 4, 4), (0, 3, 3), (1, 2, 2)]);
        let best = search("minimax", &history, None);
        assert_eq!((best.best, best.bounds), (Some(2), Bounds::exact(Player::FIRST, 4)));
        for root_move in &best.moves {
            let exact = all.moves.iter().find(|other| other.mv == root_move.mv).unwrap().bounds.at_least;
            assert!(
                root_move.bounds.at_least <= exact && exact <= root_move.bounds.at_most,
                "{root_move:?} is {exact}"
            );
        }
        assert!(best.counters.nodes < all.counters.nodes);
    }

    #[test]
    fn solved_games_have_their_known_values() {
        let draw = search("minimax:all", &game::<TicTacToe>("tictactoe", "start"), None);
        assert_eq!((draw.value, draw.bounds), (0.0, Bounds::exact(Player::FIRST, 0)));
        assert_eq!(draw.stopped, StopReason::Solved);
        assert!(draw.moves.iter().all(|root_move| root_move.bounds == draw.bounds));
        // 3 discs to 11; the two empty cells count for the winner.
        let othello = search("minimax", &game::<Othello>("othello:4", "start"), None);
        assert_eq!(othello.bounds, Bounds::exact(Player::FIRST, -10));
        let four = search("minimax:result", &game::<Connect4>("connect4:4x4", "start moves 1 2 3 4 1 2"), None);
        assert_eq!(four.bounds, Bounds::exact(Player::FIRST, 0));
    }

    #[test]
    fn rolit_on_4x4_has_the_values_of_saito_2010() {
        for (players, scores) in [(2, &[7, 9][..]), (3, &[3, 3, 4]), (4, &[2, 2, 1, 1])] {
            let mut history = game::<Rolit>(&format!("rolit:4,players={players}"), "start");
            for (seat, &score) in scores.iter().enumerate() {
                assert_eq!(value(&mut history, Player(seat as u8), 10_000_000), Some(score), "{players}, {seat}");
            }
        }
    }

    #[test]
    fn a_result_bounds_the_score_by_its_sign_only() {
        let report = search("minimax:result", &tree("((3 12 8) (2 4 6) (14 5 4))"), None);
        assert_eq!((report.value, report.bounds), (1.0, Bounds { player: Player::FIRST, at_least: 1, at_most: 14 }));
    }

    #[test]
    fn a_single_player_maximises() {
        fn best(position: &SameGame) -> i32 {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let after = |&mv: &u16| {
                let mut next = *position;
                next.play(mv);
                best(&next)
            };
            position.outcome().map(|outcome| outcome.score(Player::FIRST)).or(moves.iter().map(after).max()).unwrap()
        }
        for seed in 0..20 {
            let history = game::<SameGame>(&format!("samegame:3x3,colours=2,seed={seed}"), "start");
            let report = search("minimax", &history, None);
            assert_eq!(report.bounds, Bounds::exact(Player::FIRST, best(history.position())));
        }
    }

    #[test]
    fn a_node_limit_leaves_a_best_move_and_unknown_bounds() {
        let history = game::<Connect4>("connect4", "start");
        let report = search("minimax", &history, Some(1000));
        assert_eq!((report.stopped, report.counters.nodes), (StopReason::Nodes, 1000));
        assert!(report.best.is_some());
        assert_eq!(report.bounds, Bounds::unknown(Player::FIRST, history.facts()));
        assert_eq!(value(&mut history.clone(), Player::FIRST, 1000), None);
    }

    #[test]
    fn a_terminal_position_has_a_value_and_no_best_move() {
        let report = search("minimax", &game::<TicTacToe>("tictactoe", "start moves a1 b1 a2 b2 a3"), None);
        assert_eq!((report.best, report.counters.nodes), (None, 0));
        assert_eq!(report.bounds.at_least, report.bounds.at_most);
        assert_eq!(report.bounds.at_least.abs(), 1);
    }

    #[test]
    fn result_is_refused_if_the_sign_of_the_score_is_not_the_result() {
        for players in [2, 3] {
            let rules = rules::<Rolit>(&format!("rolit:4,players={players}")).unwrap();
            let refused = crate::build::<Rolit>(&"minimax:result".parse().unwrap(), &rules).err().unwrap();
            assert!(refused.to_string().contains("sign of the score"), "{refused}");
        }
    }
}
