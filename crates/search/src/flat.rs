//! Flat Monte Carlo: playouts from every root move, without a tree.
//!
//! `policy=uniform` gives every move the same number of playouts and plays the one with the best
//! mean (Brügmann 1993, without annealing). `policy=ucb` treats the moves as the arms of a bandit
//! and gives the next playout to the move with the highest upper confidence bound, UCB1 (Auer,
//! Cesa-Bianchi and Fischer 2002): mean + c sqrt(ln n / n_j), after every move has had one playout.
//! It plays the most visited move.
//!
//! Flat Monte Carlo has no model of the opponent. It converges to the move that is best against
//! random replies, which may be a blunder. It is the baseline for tree search. A move that ends the
//! game gets its exact value and no playouts; if it is a win, the search stops.

use std::cmp::{Ordering, Reverse};
use tesuji_core::{
    Bounds, Capabilities, Control, Counters, Facts, History, Inspector, Knowledge, Options, Outcome, Player,
    PlayoutContext, Report, Rng, RootMove, RootStats, Search, SearchInfo, SearchKind, SpecError, StopReason, TotalF64,
};

/// The `flat` search.
pub struct Flat;

/// How the next playout is allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// Every move in turn.
    Uniform,
    /// The move with the highest upper confidence bound.
    Ucb,
}

/// The options.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Params {
    /// How the next playout is allocated.
    pub policy: Policy,
    /// The exploration constant of UCB1. Raising it spreads the playouts more evenly.
    pub c: f64,
}

impl SearchKind for Flat {
    const INFO: SearchInfo =
        SearchInfo { name: "flat", summary: "flat Monte Carlo: playouts from every root move, without a tree" };
    type Params = Params;

    fn read(options: &mut Options<'_>) -> Result<Params, SpecError> {
        let policies = [("uniform", Policy::Uniform), ("ucb", Policy::Ucb)];
        Ok(Params {
            policy: options.choice("policy", &policies, "how the next playout is allocated")?,
            c: options.number("c", std::f64::consts::SQRT_2, 0.0..=100.0, "exploration constant of policy=ucb")?,
        })
    }

    fn capabilities(_: &Params) -> Capabilities {
        Capabilities { playouts: true, ..Capabilities::PLAYER }
    }

    fn build<G: Knowledge>(params: Params, _: &G::Rules) -> Result<Box<dyn Search<G>>, SpecError> {
        Ok(Box::new(params))
    }
}

/// A root move and the statistics of its playouts.
struct Arm<G: Knowledge> {
    mv: G::Move,
    /// The position after the move.
    next: G,
    /// Score and value, if the move ends the game.
    terminal: Option<(i32, f64)>,
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

    /// Returns the exact or mean value in [-1, 1], or `None` before the first playout.
    fn value(&self) -> Option<f64> {
        let mean = (self.visits > 0).then(|| self.sum / self.visits as f64);
        self.terminal.map(|(_, value)| value).or(mean)
    }

    /// Returns the standard error of the value.
    fn spread(&self) -> Option<f64> {
        if self.terminal.is_some() {
            return Some(0.0);
        }
        let visits = self.visits as f64;
        let variance = (self.squares - self.sum * self.sum / visits) / (visits - 1.0);
        (self.visits > 1).then(|| (variance.max(0.0) / visits).sqrt())
    }

    /// Returns the UCB1 bound.
    ///
    /// UCB1 is defined for rewards in [0, 1], so the mean is mapped from [-1, 1].
    fn upper_confidence_bound(&self, c: f64, total_visits: u64) -> f64 {
        if self.visits == 0 {
            return f64::INFINITY;
        }
        let visits = self.visits as f64;
        (self.sum / visits + 1.0) / 2.0 + c * ((total_visits as f64).ln() / visits).sqrt()
    }
}

impl<G: Knowledge> Search<G> for Params {
    fn search(&mut self, root: &History<G>, control: &Control<'_, G::Move>) -> Report<G::Move> {
        let facts = *root.facts();
        let player = root.position().to_move();
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        let mut history = root.clone();
        let score_and_value = |outcome: Outcome| (outcome.score(player), f64::from(outcome.value(player, &facts)));
        let mut bandit = Bandit {
            policy: self.policy,
            player,
            facts,
            terminal: root.outcome().map(score_and_value),
            arms: Vec::with_capacity(moves.len()),
            counters: Counters::default(),
            stopped: None,
        };
        for mv in moves {
            history.play(mv);
            let terminal = history.outcome().map(score_and_value);
            let next = history.position().clone();
            bandit.arms.push(Arm { mv, next, terminal, visits: 0, sum: 0.0, squares: 0.0 });
            bandit.counters.nodes += 1;
            history.undo();
        }
        let mut ticker = control.ticker(0);
        ticker.nodes(bandit.arms.len());
        let plies = facts.length.plies().saturating_sub(root.moves().len() as u32 + 1);
        let mut context = PlayoutContext::new(Rng::new(control.seed()), plies);
        let open: Vec<usize> = (0..bandit.arms.len()).filter(|&arm| bandit.arms[arm].terminal.is_none()).collect();
        let has_win = bandit.arms.iter().any(|arm| arm.terminal.is_some_and(|(_, value)| value >= 1.0));
        while !open.is_empty() && !has_win {
            // Every playout counts as a node, so that a node limit ends this search too.
            if !(ticker.playout() && ticker.node()) {
                bandit.stopped = control.ended();
                break;
            }
            let playouts = bandit.counters.playouts;
            let arm = match self.policy {
                Policy::Uniform => open[(playouts % open.len() as u64) as usize],
                Policy::Ucb => {
                    let bound = |&arm: &usize| bandit.arms[arm].upper_confidence_bound(self.c, playouts);
                    first_max(open.iter().copied(), |a, b| bound(a).total_cmp(&bound(b)))
                        .expect("the list is not empty")
                }
            };
            let outcome = bandit.arms[arm].next.clone().playout(&mut context, &mut ());
            bandit.arms[arm].add(f64::from(outcome.value(player, &facts)));
            bandit.counters.playouts += 1;
            bandit.counters.nodes += 1;
            if ticker.is_due() {
                control.show(&bandit);
            }
            if !ticker.report(|| RootStats::of_report(&bandit.report())) {
                bandit.stopped = control.ended();
                break;
            }
        }
        bandit.stopped = bandit.stopped.or(Some(if has_win { StopReason::Solved } else { StopReason::Finished }));
        bandit.report()
    }
}

/// Returns the first of the maximal items.
fn first_max<T>(items: impl Iterator<Item = T>, order: impl Fn(&T, &T) -> Ordering) -> Option<T> {
    items.reduce(|best, item| if order(&item, &best) == Ordering::Greater { item } else { best })
}

/// The root moves as the arms of a bandit.
struct Bandit<G: Knowledge> {
    policy: Policy,
    player: Player,
    facts: Facts,
    /// Score and value of a terminal root.
    terminal: Option<(i32, f64)>,
    arms: Vec<Arm<G>>,
    counters: Counters,
    stopped: Option<StopReason>,
}

impl<G: Knowledge> Bandit<G> {
    /// Returns the arms, best first.
    ///
    /// Of moves that end the game with the same value, the one with the highest score comes first,
    /// as the bounds promise. Such moves have no visits: with UCB1 they precede the most visited
    /// move unless its mean is higher.
    fn ranking(&self) -> Vec<&Arm<G>> {
        let mut arms: Vec<&Arm<G>> = self.arms.iter().collect();
        arms.sort_by_cached_key(|arm| {
            Reverse((TotalF64(arm.value().unwrap_or(f64::NEG_INFINITY)), arm.terminal.map(|(score, _)| score)))
        });
        if self.policy == Policy::Ucb {
            let (mut terminal, mut open): (Vec<_>, Vec<_>) = arms.into_iter().partition(|arm| arm.terminal.is_some());
            open.sort_by_cached_key(|arm| Reverse(arm.visits));
            let better = terminal.partition_point(|arm| open.first().is_none_or(|best| arm.value() >= best.value()));
            let rest = terminal.split_off(better);
            arms = terminal.into_iter().chain(open).chain(rest).collect();
        }
        arms
    }
}

impl<G: Knowledge> Inspector<G::Move> for Bandit<G> {
    fn report(&self) -> Report<G::Move> {
        let unknown = Bounds::unknown(self.player, &self.facts);
        let root_move = |arm: &Arm<G>| RootMove {
            visits: arm.visits,
            value: arm.value(),
            spread: arm.spread(),
            ..RootMove::new(arm.mv, arm.terminal.map_or(unknown, |(score, _)| Bounds::exact(self.player, score)))
        };
        let moves: Vec<RootMove<G::Move>> = self.ranking().into_iter().map(root_move).collect();
        let bounds = match self.terminal {
            Some((score, _)) => Bounds::exact(self.player, score),
            None => Bounds {
                player: self.player,
                at_least: moves.iter().map(|root_move| root_move.bounds.at_least).max().unwrap_or(unknown.at_least),
                at_most: moves.iter().map(|root_move| root_move.bounds.at_most).max().unwrap_or(unknown.at_most),
            },
        };
        let best = moves.first();
        Report {
            best: best.map(|root_move| root_move.mv),
            value: self.terminal.map(|(_, value)| value).or(best.and_then(|root_move| root_move.value)).unwrap_or(0.0),
            bounds,
            proof_numbers: None,
            variation: best.map(|root_move| root_move.mv).into_iter().collect(),
            moves,
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
    fn uniform_playouts_estimate_the_means_of_random_play_and_their_standard_errors() {
        // Under random play the first move is worth 1/2, the second -1/3.
        let history = game::<Synthetic>("synthetic:tree='((1 1 1 -1) (-1 -1 1))'", "start");
        let report = search("flat", &history, 20_000);
        assert_eq!(report.best, Some(0));
        assert_eq!(report.counters.playouts, 20_000);
        for (root_move, mean, variance) in [(&report.moves[0], 0.5, 0.75f64), (&report.moves[1], -1.0 / 3.0, 8.0 / 9.0)]
        {
            let (value, error) = (root_move.value.unwrap(), root_move.spread.unwrap());
            assert_eq!(root_move.visits, 10_000);
            let expected = (variance / 10_000.0).sqrt();
            assert!((error / expected - 1.0).abs() < 0.05, "{error} is not {expected}");
            assert!((value - mean).abs() < 4.0 * error, "{value} is not {mean}");
        }
        assert_eq!(report.value, report.moves[0].value.unwrap());
    }

    #[test]
    fn it_falls_for_a_trap_with_a_single_refutation() {
        let history = game::<Synthetic>("synthetic:tree='((1 1 1 1 1 1 1 -1) (0 0))'", "start");
        assert_eq!(search("flat", &history, 2_000).best, Some(0));
        assert_eq!(search("flat:policy=ucb", &history, 2_000).best, Some(0));
    }

    #[test]
    fn ucb_spends_most_playouts_on_the_best_move() {
        let history = game::<Synthetic>("synthetic:tree='((1 -1 -1) (1 1 -1) (1 -1 -1 -1))'", "start");
        let report = search("flat:policy=ucb", &history, 10_000);
        assert_eq!(report.moves[0].mv, 1);
        assert!(report.moves[0].visits > 7_000, "{report:?}");
        let wider = search("flat:policy=ucb,c=10", &history, 10_000);
        assert!(wider.moves[0].visits < report.moves[0].visits);
    }

    #[test]
    fn the_confidence_bound_is_defined_for_rewards_in_zero_to_one() {
        let next = <TicTacToe as tesuji_core::Game>::start(&rules::<TicTacToe>("tictactoe").unwrap());
        let mut arm = Arm { mv: 0, next, terminal: None, visits: 0, sum: 0.0, squares: 0.0 };
        assert_eq!(arm.upper_confidence_bound(1.0, 8), f64::INFINITY);
        for value in [1.0, -1.0, 1.0, 1.0] {
            arm.add(value);
        }
        // Three wins in four visits, twenty visits in total: 0.75 + sqrt(2 ln 20 / 4).
        let bound = arm.upper_confidence_bound(2f64.sqrt(), 20);
        assert!((bound - 1.973_873).abs() < 1e-6, "{bound}");
    }

    #[test]
    fn a_move_that_ends_the_game_has_its_exact_value() {
        for policy in ["flat", "flat:policy=ucb"] {
            let won = search(policy, &game::<Connect4>("connect4", "start moves 1 2 1 2 1 2"), 1_000);
            assert_eq!((won.best, won.value, won.stopped), (Some(0), 1.0, StopReason::Solved));
            assert_eq!((won.bounds, won.counters.playouts), (Bounds::exact(Player::FIRST, 1), 0));
            // A terminal draw is played if the alternative looks lost, and not if it looks won.
            let lost = search(policy, &game::<Synthetic>("synthetic:tree='((-1 -1 1) 0)'", "start"), 1_000);
            assert_eq!((lost.best, lost.value), (Some(1), 0.0));
            assert_eq!((lost.bounds.at_least, lost.bounds.at_most), (0, 1));
            let good = search(policy, &game::<Synthetic>("synthetic:tree='((1 1 -1) 0)'", "start"), 1_000);
            assert_eq!(good.best, Some(0));
        }
    }

    #[test]
    fn of_terminal_moves_with_equal_result_the_highest_score_is_played() {
        for (tree, best, score) in [("(22 30 -24)", 1, 30), ("(-9 -3 -5)", 1, -3), ("(2 (-1 1) 5)", 2, 5)] {
            let history = game::<Synthetic>(&format!("synthetic:tree='{tree}'"), "start");
            for policy in ["flat", "flat:policy=ucb"] {
                let report = search(policy, &history, 100);
                assert_eq!((report.best, report.bounds.at_least), (Some(best), score), "{policy} {tree}");
            }
        }
    }

    #[test]
    fn it_supports_one_player_and_several_players() {
        let tiles = search("flat", &game::<SameGame>("samegame", "start"), 500);
        assert!(tiles.best.is_some() && tiles.value.abs() <= 1.0);
        for policy in ["flat", "flat:policy=ucb"] {
            let rolit = search(policy, &game::<Rolit>("rolit", "start"), 500);
            assert!(rolit.best.is_some());
            assert_eq!(rolit.moves.iter().map(|root_move| root_move.visits).sum::<u64>(), 500);
        }
        // The second of three players is to move and maximises its own rank.
        let second = game::<Synthetic>("synthetic:tree='(b: (b: 9,1,2 9,2,2) (b: 0,1,0 0,3,4))'", "start");
        assert_eq!(search("flat", &second, 100).best, Some(1));
    }

    #[test]
    fn there_are_no_playouts_at_limit_zero_or_in_a_terminal_position() {
        let none = search("flat", &game::<TicTacToe>("tictactoe", "start"), 0);
        assert!(none.best.is_some());
        assert_eq!((none.counters.playouts, none.stopped), (0, StopReason::Playouts));
        let terminal = search("flat", &game::<TicTacToe>("tictactoe", "start moves a1 b1 a2 b2 a3"), 100);
        assert_eq!((terminal.best, terminal.value, terminal.stopped), (None, -1.0, StopReason::Finished));
    }

    #[test]
    fn a_node_limit_ends_the_search() {
        let history = game::<TicTacToe>("tictactoe", "start");
        let stop = AtomicBool::new(false);
        let limits = Limits { nodes: Some(100), ..Limits::default() };
        let mut search = crate::build::<TicTacToe>(&"flat".parse().unwrap(), history.rules()).unwrap();
        let report = search.search(&history, &Control::new(limits, 7, &stop));
        assert_eq!((report.counters.nodes, report.stopped), (100, StopReason::Nodes));
    }
}
