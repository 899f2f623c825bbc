//! Minimax: the oracle that every solver is tested against.
//!
//! Alpha-beta (Knuth and Moore 1975) to the end of the game and nothing else: no table, no ordering, no depth limit. Every move
//! goes through [`History`], so superko, repetition and length caps count exactly as the rules say, whatever the path. Nobody is
//! assumed to alternate. The player to move at the root wants a high score; all others, united, want it low (paranoid). A single
//! player simply maximises.
//!
//! It is right for every game, and fit for positions with a few million nodes below them.

use std::cmp::Reverse;
use tesuji_core::{
    Bounds, Capabilities, Control, Counters, Facts, Game, History, Inspector, Knowledge, Options, Player, Report,
    RootMove, Rules, Search, SearchInfo, SearchKind, SpecError, StopReason, Ticker,
};

/// The kind.
pub struct Minimax;

/// The options.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Params {
    /// Only win, draw or loss is asked for: more cutoffs, less known.
    pub result: bool,
    /// The exact value of every move at the root: fewer cutoffs, more known.
    pub all: bool,
}

impl SearchKind for Minimax {
    const INFO: SearchInfo =
        SearchInfo { name: "minimax", summary: "searches to the end of the game, exactly and without tricks" };
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        Ok(Params {
            result: options.switch("result", "ask for win, draw or loss only, not for the score")?,
            all: options.switch("all", "give the exact value of every move, not of the best only")?,
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
                accepted: "games for two players in which the sign of the score is the result".to_string(),
            });
        }
        Ok(Box::new(params))
    }
}

/// The score that `player` can force against all others; `None` if more than `max_nodes` moves have to be tried.
pub fn value<G: Game>(history: &mut History<G>, player: Player, max_nodes: u64) -> Option<i32> {
    Walk::new(history, player, |score| score, Budget(max_nodes)).value_now()
}

/// The sign of the score that `player` can force, faster than the score itself; `None` if more than `max_nodes` moves have to be tried.
pub fn result<G: Game>(history: &mut History<G>, player: Player, max_nodes: u64) -> Option<i32> {
    Walk::new(history, player, i32::signum, Budget(max_nodes)).value_now()
}

/// Says whether one more node may be made.
trait Meter {
    fn node(&mut self) -> bool;
}

struct Budget(u64);

impl Meter for Budget {
    fn node(&mut self) -> bool {
        self.0 = self.0.wrapping_sub(1);
        self.0 != u64::MAX
    }
}

impl<M> Meter for Ticker<'_, '_, M> {
    fn node(&mut self) -> bool {
        Ticker::node(self)
    }
}

/// A walk through all that can happen, as far as it matters to `player`.
struct Walk<'h, G: Game, T> {
    history: &'h mut History<G>,
    player: Player,
    /// What of a score counts: all of it, or its sign.
    count: fn(i32) -> i32,
    meter: T,
    counters: Counters,
    /// Lists of moves that are not in use, so that they are not made anew at every node.
    spare: Vec<Vec<G::Move>>,
}

impl<'h, G: Game, T: Meter> Walk<'h, G, T> {
    fn new(history: &'h mut History<G>, player: Player, count: fn(i32) -> i32, meter: T) -> Walk<'h, G, T> {
        Walk { history, player, count, meter, counters: Counters::default(), spare: Vec::new() }
    }

    /// The lowest and the highest value there is.
    fn range(&self) -> (i32, i32) {
        let (low, high) = self.history.facts().scores;
        ((self.count)(low), (self.count)(high))
    }

    fn value_now(&mut self) -> Option<i32> {
        let (low, high) = self.range();
        self.value(low, high, 0)
    }

    /// The value for the player: exact between `alpha` and `beta`; from `beta` upwards only "at least", from `alpha` downwards only
    /// "at most".
    fn value(&mut self, mut alpha: i32, mut beta: i32, depth: u32) -> Option<i32> {
        self.counters.depth = self.counters.depth.max(depth);
        if let Some(outcome) = self.history.outcome() {
            return Some((self.count)(outcome.score(self.player)));
        }
        let maximises = self.history.position().to_move() == self.player;
        let mut moves = self.spare.pop().unwrap_or_default();
        moves.clear();
        self.history.legal_moves(&mut moves);
        let mut best = if maximises { i32::MIN } else { i32::MAX };
        for &mv in &moves {
            let value = self.after(mv, alpha, beta, depth)?;
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
        assert!(!moves.is_empty(), "a game that is not over has a move");
        self.spare.push(moves);
        Some(best)
    }

    /// The value after a move; the history is as before when it returns, whatever it returns.
    fn after(&mut self, mv: G::Move, alpha: i32, beta: i32, depth: u32) -> Option<i32> {
        if !self.meter.node() {
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
        let count: fn(i32) -> i32 = if self.result { i32::signum } else { |score| score };
        let mut walk = Walk::new(&mut history, player, count, control.ticker(0));
        let (low, high) = walk.range();
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        let mut answer = Answer {
            result_only: self.result,
            facts,
            player,
            range: (low, high),
            over: root.outcome().map(|outcome| count(outcome.score(player))),
            moves: moves.iter().map(|&mv| (mv, low, high)).collect(),
            best: None,
            counters: Counters::default(),
            stopped: None,
        };
        for (number, &mv) in moves.iter().enumerate() {
            let best = answer.best.map_or(low, |(_, value)| value);
            if best == high && number > 0 && !self.all {
                break;
            }
            let alpha = if self.all { low } else { best };
            let Some(value) = walk.after(mv, alpha, high, 0) else {
                answer.stopped = control.ended();
                break;
            };
            // No better than the best so far, but perhaps worse than it looks: a cutoff below leaves only "at most".
            let is_exact = value > alpha || alpha == low;
            answer.moves[number] = (mv, if is_exact { value } else { low }, value);
            if answer.best.is_none_or(|(_, best)| value > best) {
                answer.best = Some((mv, value));
            }
            answer.counters = walk.counters;
            if walk.meter.is_due() {
                control.show(&answer);
            }
        }
        answer.counters = walk.counters;
        answer.stopped =
            answer.stopped.or(Some(if moves.is_empty() { StopReason::Finished } else { StopReason::Decided }));
        answer.report()
    }
}

/// What is known so far.
struct Answer<M> {
    result_only: bool,
    facts: Facts,
    player: Player,
    range: (i32, i32),
    /// The value of a game that is over.
    over: Option<i32>,
    /// The moves with what they are worth at least and at most.
    moves: Vec<(M, i32, i32)>,
    /// The best move searched so far and its exact value.
    best: Option<(M, i32)>,
    counters: Counters,
    stopped: Option<StopReason>,
}

impl<M: Copy + PartialEq> Answer<M> {
    fn bounds(&self, at_least: i32, at_most: i32) -> Bounds {
        if self.result_only {
            Bounds::of_results(self.player, at_least, at_most, &self.facts)
        } else {
            Bounds { player: self.player, at_least, at_most }
        }
    }

    /// A score as a value in [-1, 1]: its sign where that is the result, else its place in the range of the game (the rank among
    /// several players does not follow from the score of one).
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

    /// The value that two bounds agree on: a score of at least 8 and at most 20 is a win all the same.
    fn agreed(&self, at_least: i32, at_most: i32) -> Option<f64> {
        let (low, high) = (self.scaled(at_least), self.scaled(at_most));
        (low == high).then_some(low)
    }
}

impl<M: Copy + PartialEq> Inspector<M> for Answer<M> {
    fn report(&self) -> Report<M> {
        let best = self.best.map(|(mv, _)| mv).or(self.moves.first().map(|&(mv, ..)| mv));
        let mut moves = self.moves.clone();
        moves.sort_by_cached_key(|&(mv, at_least, at_most)| Reverse((Some(mv) == best, at_least, at_most)));
        let entry = |(mv, at_least, at_most)| RootMove {
            mv,
            visits: u64::from((at_least, at_most) != self.range),
            value: self.agreed(at_least, at_most),
            spread: None,
            proof_numbers: None,
            bounds: self.bounds(at_least, at_most),
        };
        // The others can hold the player to the best that any of its moves is worth at most.
        let (low, high) = self.range;
        let at_least = self.over.or(moves.iter().map(|&(_, at_least, _)| at_least).max()).unwrap_or(low);
        let at_most = self.over.or(moves.iter().map(|&(_, _, at_most)| at_most).max()).unwrap_or(high);
        Report {
            best,
            value: self.agreed(at_least, at_most).unwrap_or(0.0),
            bounds: self.bounds(at_least, at_most),
            proof_numbers: None,
            variation: best.into_iter().collect(),
            moves: moves.into_iter().map(entry).collect(),
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
    fn small_trees_have_the_values_worked_out_by_hand() {
        for (text, first, second) in [
            ("3", 3, -3),
            ("(1 5 2)", 5, -5),
            ("((3 12 8) (2 4 6) (14 5 2))", 3, -3),
            // The first player moves twice in a row.
            ("(a: (a: 1 4) (b: 7 9))", 7, -7),
            ("(b: (b: 1 -4) (a: -7 9))", -4, 4),
            // A cycle: whoever would lose by leaving it stays, and a repetition is a draw.
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
    fn several_players_unite_against_the_one_who_asks() {
        let mut history = tree("(a: (b: 5,1,0 2,0,9) (b: 3,0,0 4,0,0))");
        assert_eq!(value(&mut history, Player(0), 100), Some(3));
        assert_eq!(value(&mut history, Player(1), 100), Some(0));
        assert_eq!(value(&mut history, Player(2), 100), Some(0));
        let report = search("minimax", &history, None);
        assert_eq!((report.best, report.bounds), (Some(1), Bounds::exact(Player(0), 3)));
    }

    #[test]
    fn random_trees_have_the_value_they_were_made_with() {
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
    fn every_move_is_exact_if_asked_for_and_truly_bounded_if_not() {
        let history = tree("((3 12 8) (2 4 6) (14 5 4))");
        let all = search("minimax:all", &history, None);
        let bounds: Vec<_> =
            all.moves.iter().map(|entry| (entry.mv, entry.bounds.at_least, entry.bounds.at_most)).collect();
        assert_eq!(bounds, [(2, 4, 4), (0, 3, 3), (1, 2, 2)]);
        let best = search("minimax", &history, None);
        assert_eq!((best.best, best.bounds), (Some(2), Bounds::exact(Player::FIRST, 4)));
        for entry in &best.moves {
            let exact = all.moves.iter().find(|other| other.mv == entry.mv).unwrap().bounds.at_least;
            assert!(entry.bounds.at_least <= exact && exact <= entry.bounds.at_most, "{entry:?} is {exact}");
        }
        assert!(best.counters.nodes < all.counters.nodes);
    }

    #[test]
    fn solved_games_have_their_values() {
        let draw = search("minimax:all", &game::<TicTacToe>("tictactoe", "start"), None);
        assert_eq!((draw.value, draw.bounds), (0.0, Bounds::exact(Player::FIRST, 0)));
        assert_eq!(draw.stopped, StopReason::Decided);
        assert!(draw.moves.iter().all(|entry| entry.bounds == draw.bounds));
        // 3 discs to 11; the winner counts the two empty cells.
        let othello = search("minimax", &game::<Othello>("othello:4", "start"), None);
        assert_eq!(othello.bounds, Bounds::exact(Player::FIRST, -10));
        let four = search("minimax:result", &game::<Connect4>("connect4:4x4", "start moves 1 2 3 4 1 2"), None);
        assert_eq!(four.bounds, Bounds::exact(Player::FIRST, 0));
    }

    #[test]
    fn rolit_on_4x4_gives_what_saito_2010_says() {
        for (players, scores) in [(2, &[7, 9][..]), (3, &[3, 3, 4]), (4, &[2, 2, 1, 1])] {
            let mut history = game::<Rolit>(&format!("rolit:4,players={players}"), "start");
            for (seat, &score) in scores.iter().enumerate() {
                assert_eq!(value(&mut history, Player(seat as u8), 10_000_000), Some(score), "{players}, {seat}");
            }
        }
    }

    #[test]
    fn what_a_result_proves_of_the_score_is_only_its_sign() {
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
    fn a_limit_leaves_a_move_and_open_bounds() {
        let history = game::<Connect4>("connect4", "start");
        let report = search("minimax", &history, Some(1000));
        assert_eq!((report.stopped, report.counters.nodes), (StopReason::Nodes, 1000));
        assert!(report.best.is_some());
        assert_eq!(report.bounds, Bounds::unknown(Player::FIRST, history.facts()));
        assert_eq!(value(&mut history.clone(), Player::FIRST, 1000), None);
    }

    #[test]
    fn an_ended_game_has_a_value_and_no_move() {
        let report = search("minimax", &game::<TicTacToe>("tictactoe", "start moves a1 b1 a2 b2 a3"), None);
        assert_eq!((report.best, report.counters.nodes), (None, 0));
        assert_eq!(report.bounds.at_least, report.bounds.at_most);
        assert_eq!(report.bounds.at_least.abs(), 1);
    }

    #[test]
    fn results_are_refused_where_the_score_has_no_sign() {
        for players in [2, 3] {
            let rules = rules::<Rolit>(&format!("rolit:4,players={players}")).unwrap();
            let refused = crate::build::<Rolit>(&"minimax:result".parse().unwrap(), &rules).err().unwrap();
            assert!(refused.to_string().contains("sign of the score"), "{refused}");
        }
    }
}
