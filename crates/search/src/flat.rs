//! Flat Monte Carlo: playouts from every move at the root, and no tree.
//!
//! `policy=uniform` gives every move the same number of playouts and plays the best mean (Bruegmann 1993 without the annealing).
//! `policy=ucb` treats the moves as the arms of a bandit and gives the next playout to the highest upper confidence bound, UCB1
//! (Auer, Cesa-Bianchi and Fischer 2002): mean + c sqrt(ln n / n_j), every move once before the formula applies; in the end it
//! plays the move with most visits.
//!
//! There is no model of the opponent: with ever more playouts it settles on the move that is best against random replies,
//! which may be a blunder. It is the baseline that a tree has to beat. A move that ends the game is not played out: its value
//! is known, and a certain first place ends the search.

use std::cmp::{Ordering, Reverse};
use tesuji_core::{
    Bounds, Capabilities, Control, Counters, Facts, History, Inspector, Knowledge, Options, Player, PlayoutContext,
    Report, Rng, RootMove, Search, SearchInfo, SearchKind, SpecError, StopReason, TotalF64,
};

/// The kind.
pub struct Flat;

/// Which move gets the next playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// Each in turn.
    Uniform,
    /// The one with the highest upper confidence bound.
    Ucb,
}

/// The options.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Params {
    /// Which move gets the next playout.
    pub policy: Policy,
    /// The weight of exploration in UCB1; raising it spreads the playouts more evenly.
    pub c: f64,
}

impl SearchKind for Flat {
    const INFO: SearchInfo = SearchInfo { name: "flat", summary: "plays out every move at random, without a tree" };
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let policies = [("uniform", Policy::Uniform), ("ucb", Policy::Ucb)];
        Ok(Params {
            policy: options.choice("policy", &policies, "which move gets the next playout")?,
            c: options.number("c", std::f64::consts::SQRT_2, 0.0..=100.0, "weight of exploration, with policy=ucb")?,
        })
    }

    fn capabilities(_: &Params) -> Capabilities {
        Capabilities { playouts: true, ..Capabilities::PLAYER }
    }

    fn build<G: Knowledge>(params: Params, _: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        Ok(Box::new(params))
    }
}

/// A move at the root.
struct Arm<G: Knowledge> {
    mv: G::Move,
    next: G,
    /// The score and the value of a move that ends the game.
    end: Option<(i32, f64)>,
    visits: u64,
    sum: f64,
    squares: f64,
}

impl<G: Knowledge> Arm<G> {
    fn add(&mut self, value: f64) {
        self.visits += 1;
        self.sum += value;
        self.squares += value * value;
    }

    /// The value in [-1, 1], if anything is known.
    fn value(&self) -> Option<f64> {
        let mean = (self.visits > 0).then(|| self.sum / self.visits as f64);
        self.end.map(|(_, value)| value).or(mean)
    }

    /// The standard error of the value.
    fn spread(&self) -> Option<f64> {
        if self.end.is_some() {
            return Some(0.0);
        }
        let visits = self.visits as f64;
        let variance = (self.squares - self.sum * self.sum / visits) / (visits - 1.0);
        (self.visits > 1).then(|| (variance.max(0.0) / visits).sqrt())
    }

    /// UCB1 is defined for rewards in [0, 1]; this is the place where values in [-1, 1] become such.
    fn upper_confidence_bound(&self, c: f64, all_visits: u64) -> f64 {
        if self.visits == 0 {
            return f64::INFINITY;
        }
        let visits = self.visits as f64;
        (self.sum / visits + 1.0) / 2.0 + c * ((all_visits as f64).ln() / visits).sqrt()
    }
}

impl<G: Knowledge> Search<G> for Params {
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let facts = *root.facts();
        let player = root.position().to_move();
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        let mut history = root.clone();
        let mut bandit = Bandit {
            policy: self.policy,
            player,
            facts,
            over: root.outcome().map(|outcome| (outcome.score(player), f64::from(outcome.value(player, &facts)))),
            arms: Vec::with_capacity(moves.len()),
            counters: Counters::default(),
            stopped: None,
        };
        for mv in moves {
            history.play(mv);
            let end = history.outcome();
            let end = end.map(|outcome| (outcome.score(player), f64::from(outcome.value(player, &facts))));
            let next = history.position().clone();
            bandit.arms.push(Arm { mv, next, end, visits: 0, sum: 0.0, squares: 0.0 });
            bandit.counters.nodes += 1;
            history.undo();
        }
        let mut ticker = control.ticker(0);
        ticker.nodes(bandit.arms.len());
        let plies = facts.length.plies().saturating_sub(root.moves().len() as u32 + 1);
        let mut context = PlayoutContext::new(Rng::new(control.seed()), plies);
        let open: Vec<usize> = (0..bandit.arms.len()).filter(|&arm| bandit.arms[arm].end.is_none()).collect();
        let first_place = bandit.arms.iter().any(|arm| arm.end.is_some_and(|(_, value)| value >= 1.0));
        while !open.is_empty() && !first_place {
            // A playout begins with a node of its own, so that a limit of nodes ends this search too.
            if !(ticker.playout() && ticker.node()) {
                bandit.stopped = control.ended();
                break;
            }
            let made = bandit.counters.playouts;
            let arm = match self.policy {
                Policy::Uniform => open[(made % open.len() as u64) as usize],
                Policy::Ucb => {
                    let bound = |&arm: &usize| bandit.arms[arm].upper_confidence_bound(self.c, made);
                    first_max(open.iter().copied(), |a, b| bound(a).total_cmp(&bound(b))).expect("some are open")
                }
            };
            let outcome = bandit.arms[arm].next.clone().playout(&mut context, &mut ());
            bandit.arms[arm].add(f64::from(outcome.value(player, &facts)));
            bandit.counters.playouts += 1;
            bandit.counters.nodes += 1;
            if ticker.is_due() {
                control.show(&bandit);
            }
        }
        bandit.stopped = bandit.stopped.or(Some(if first_place { StopReason::Decided } else { StopReason::Finished }));
        bandit.report()
    }
}

/// The first of the largest.
fn first_max<T>(items: impl Iterator<Item = T>, order: impl Fn(&T, &T) -> Ordering) -> Option<T> {
    items.reduce(|best, item| if order(&item, &best) == Ordering::Greater { item } else { best })
}

/// The moves and what is known of them.
struct Bandit<G: Knowledge> {
    policy: Policy,
    player: Player,
    facts: Facts,
    /// The score and the value of a game that is over.
    over: Option<(i32, f64)>,
    arms: Vec<Arm<G>>,
    counters: Counters,
    stopped: Option<StopReason>,
}

impl<G: Knowledge> Bandit<G> {
    /// The arms, the best first; where values are equal, by the score of those that end the game, which is what the bounds promise. Ended moves have no
    /// visits: with UCB1 the most visited one has to be better than they are.
    fn ranking(&self) -> Vec<&Arm<G>> {
        let mut arms: Vec<&Arm<G>> = self.arms.iter().collect();
        arms.sort_by_cached_key(|arm| {
            Reverse((TotalF64(arm.value().unwrap_or(f64::NEG_INFINITY)), arm.end.map(|(score, _)| score)))
        });
        if self.policy == Policy::Ucb {
            let (mut ended, mut open): (Vec<_>, Vec<_>) = arms.into_iter().partition(|arm| arm.end.is_some());
            open.sort_by_cached_key(|arm| Reverse(arm.visits));
            let place = ended.partition_point(|arm| open.first().is_none_or(|best| arm.value() >= best.value()));
            let rest = ended.split_off(place);
            arms = ended.into_iter().chain(open).chain(rest).collect();
        }
        arms
    }
}

impl<G: Knowledge> Inspector<G::Move> for Bandit<G> {
    fn report(&self) -> Report<G::Move> {
        let unknown = Bounds::unknown(self.player, &self.facts);
        let entry = |arm: &Arm<G>| RootMove {
            mv: arm.mv,
            visits: arm.visits,
            value: arm.value(),
            spread: arm.spread(),
            proof_numbers: None,
            bounds: arm.end.map_or(unknown, |(score, _)| Bounds::exact(self.player, score)),
        };
        let moves: Vec<RootMove<G::Move>> = self.ranking().into_iter().map(entry).collect();
        let bounds = match self.over {
            Some((score, _)) => Bounds::exact(self.player, score),
            None => Bounds {
                player: self.player,
                at_least: moves.iter().map(|entry| entry.bounds.at_least).max().unwrap_or(unknown.at_least),
                at_most: moves.iter().map(|entry| entry.bounds.at_most).max().unwrap_or(unknown.at_most),
            },
        };
        let best = moves.first();
        Report {
            best: best.map(|entry| entry.mv),
            value: self.over.map(|(_, value)| value).or(best.and_then(|entry| entry.value)).unwrap_or(0.0),
            bounds,
            proof_numbers: None,
            variation: best.map(|entry| entry.mv).into_iter().collect(),
            moves,
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
    use tesuji_games::{Connect4, Rolit, SameGame, Synthetic, TicTacToe, rules};

    fn game<G: Knowledge>(spec: &str, text: &str) -> History<G> {
        History::parse(rules::<G>(spec).unwrap(), text).unwrap()
    }

    fn search<G: Knowledge>(spec: &str, root: &History<G>, playouts: u64) -> Report<G::Move> {
        let mut search = crate::build::<G>(&spec.parse().unwrap(), root.rules()).unwrap();
        let stop = AtomicBool::new(false);
        let limits = Limits { playouts: Some(playouts), ..Limits::default() };
        search.search(root, &Control::new(limits, 7, &stop))
    }

    #[test]
    fn equal_playouts_give_the_means_of_random_play_and_their_errors() {
        // Random play gets 1/2 from the first move and -1/3 from the second.
        let history = game::<Synthetic>("synthetic:tree='((1 1 1 -1) (-1 -1 1))'", "start");
        let report = search("flat", &history, 20_000);
        assert_eq!(report.best, Some(0));
        assert_eq!(report.counters.playouts, 20_000);
        for (entry, mean, deviation) in [(&report.moves[0], 0.5, 0.75f64), (&report.moves[1], -1.0 / 3.0, 8.0 / 9.0)] {
            let (value, error) = (entry.value.unwrap(), entry.spread.unwrap());
            assert_eq!(entry.visits, 10_000);
            let expected = (deviation / 10_000.0).sqrt();
            assert!((error / expected - 1.0).abs() < 0.05, "{error} is not {expected}");
            assert!((value - mean).abs() < 4.0 * error, "{value} is not {mean}");
        }
        assert_eq!(report.value, report.moves[0].value.unwrap());
    }

    #[test]
    fn it_falls_for_the_trap_that_only_one_reply_shows() {
        let history = game::<Synthetic>("synthetic:tree='((1 1 1 1 1 1 1 -1) (0 0))'", "start");
        assert_eq!(search("flat", &history, 2_000).best, Some(0));
        assert_eq!(search("flat:policy=ucb", &history, 2_000).best, Some(0));
    }

    #[test]
    fn ucb_spends_its_playouts_on_the_better_move() {
        let history = game::<Synthetic>("synthetic:tree='((1 -1 -1) (1 1 -1) (1 -1 -1 -1))'", "start");
        let report = search("flat:policy=ucb", &history, 10_000);
        assert_eq!(report.moves[0].mv, 1);
        assert!(report.moves[0].visits > 7_000, "{report:?}");
        let wider = search("flat:policy=ucb,c=10", &history, 10_000);
        assert!(wider.moves[0].visits < report.moves[0].visits);
    }

    #[test]
    fn the_confidence_bound_is_that_of_rewards_between_zero_and_one() {
        let next = <TicTacToe as tesuji_core::Game>::start(&rules::<TicTacToe>("tictactoe").unwrap());
        let mut arm = Arm { mv: 0, next, end: None, visits: 0, sum: 0.0, squares: 0.0 };
        assert_eq!(arm.upper_confidence_bound(1.0, 8), f64::INFINITY);
        for value in [1.0, -1.0, 1.0, 1.0] {
            arm.add(value);
        }
        // Three wins of four, four visits of twenty: 0.75 + sqrt(2 ln 20 / 4).
        let bound = arm.upper_confidence_bound(2f64.sqrt(), 20);
        assert!((bound - 1.973_873).abs() < 1e-6, "{bound}");
    }

    #[test]
    fn a_move_that_ends_the_game_has_its_exact_value() {
        for policy in ["flat", "flat:policy=ucb"] {
            let won = search(policy, &game::<Connect4>("connect4", "start moves 1 2 1 2 1 2"), 1_000);
            assert_eq!((won.best, won.value, won.stopped), (Some(0), 1.0, StopReason::Decided));
            assert_eq!((won.bounds, won.counters.playouts), (Bounds::exact(Player::FIRST, 1), 0));
            // An end that draws is taken where the rest looks lost, and left where it looks won.
            let lost = search(policy, &game::<Synthetic>("synthetic:tree='((-1 -1 1) 0)'", "start"), 1_000);
            assert_eq!((lost.best, lost.value), (Some(1), 0.0));
            assert_eq!((lost.bounds.at_least, lost.bounds.at_most), (0, 1));
            let good = search(policy, &game::<Synthetic>("synthetic:tree='((1 1 -1) 0)'", "start"), 1_000);
            assert_eq!(good.best, Some(0));
        }
    }

    #[test]
    fn of_moves_that_end_the_game_with_the_same_result_the_highest_score_is_played() {
        for (tree, best, score) in [("(22 30 -24)", 1, 30), ("(-9 -3 -5)", 1, -3), ("(2 (-1 1) 5)", 2, 5)] {
            let history = game::<Synthetic>(&format!("synthetic:tree='{tree}'"), "start");
            for policy in ["flat", "flat:policy=ucb"] {
                let report = search(policy, &history, 100);
                assert_eq!((report.best, report.bounds.at_least), (Some(best), score), "{policy} {tree}");
            }
        }
    }

    #[test]
    fn it_plays_for_one_player_and_for_several() {
        let tiles = search("flat", &game::<SameGame>("samegame", "start"), 500);
        assert!(tiles.best.is_some() && tiles.value.abs() <= 1.0);
        for policy in ["flat", "flat:policy=ucb"] {
            let rolit = search(policy, &game::<Rolit>("rolit", "start"), 500);
            assert!(rolit.best.is_some());
            assert_eq!(rolit.moves.iter().map(|entry| entry.visits).sum::<u64>(), 500);
        }
        // The second of three moves, and cares for its own place alone.
        let second = game::<Synthetic>("synthetic:tree='(b: (b: 9,1,2 9,2,2) (b: 0,1,0 0,3,4))'", "start");
        assert_eq!(search("flat", &second, 100).best, Some(1));
    }

    #[test]
    fn nothing_is_played_out_when_nothing_may_be_or_the_game_is_over() {
        let none = search("flat", &game::<TicTacToe>("tictactoe", "start"), 0);
        assert!(none.best.is_some());
        assert_eq!((none.counters.playouts, none.stopped), (0, StopReason::Playouts));
        let over = search("flat", &game::<TicTacToe>("tictactoe", "start moves a1 b1 a2 b2 a3"), 100);
        assert_eq!((over.best, over.value, over.stopped), (None, -1.0, StopReason::Finished));
    }

    #[test]
    fn a_limit_of_nodes_ends_it_too() {
        let history = game::<TicTacToe>("tictactoe", "start");
        let stop = AtomicBool::new(false);
        let limits = Limits { nodes: Some(100), ..Limits::default() };
        let mut search = crate::build::<TicTacToe>(&"flat".parse().unwrap(), history.rules()).unwrap();
        let report = search.search(&history, &Control::new(limits, 7, &stop));
        assert_eq!((report.counters.nodes, report.stopped), (100, StopReason::Nodes));
    }
}
