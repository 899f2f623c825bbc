use super::bounds::NodeResult;
use super::table::{Entry, ValueKind};
use super::*;
use crate::minimax;
use std::sync::atomic::AtomicBool;
use tesuji_core::{Bounds, Game, Info, Limits, Outcome, Player, PositionError, Rng, Rules, StopReason, Verdict, View};
use tesuji_games::{
    Awari, Breakthrough, Connect4, Go, Hex, Knightthrough, Lion, Loa, MiniShogi, Othello, Rolit, Synthetic, TicTacToe,
    rules, synthetic::SyntheticRules,
};

/// The default, each enhancement switched off, all of them off, and the score as reward.
const SPECS: [&str; 10] = [
    "alphabeta",
    "alphabeta:no-table",
    "alphabeta:no-etc",
    "alphabeta:no-killers",
    "alphabeta:no-history",
    "alphabeta:no-quiescence",
    "alphabeta:no-nullmove",
    "alphabeta:plain",
    "alphabeta:reward=score",
    "alphabeta:reward=score,plain",
];

fn game<G: Game>(spec: &str, text: &str) -> History<G> {
    History::parse(rules::<G>(spec).unwrap(), text).unwrap()
}

fn tree(text: &str) -> History<Synthetic> {
    game(&format!("synthetic:tree='{text}'"), "start")
}

/// Searches with little memory, so that the table evicts entries.
fn search<G: Knowledge>(spec: &str, root: &History<G>, nodes: u64) -> Report<G::Move> {
    seeded_search(spec, root, nodes, 1)
}

fn seeded_search<G: Knowledge>(spec: &str, root: &History<G>, nodes: u64, seed: u64) -> Report<G::Move> {
    let mut search = crate::build::<G>(&spec.parse().unwrap(), root.rules()).unwrap();
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(nodes), memory: Some(1 << 16), ..Limits::default() };
    search.search(root, &Control::new(limits, seed, &stop))
}

/// Returns the minimax value of every move, or `None` for a move that needs more nodes.
fn values<G: Game>(root: &History<G>, max_nodes: u64) -> Vec<(G::Move, Option<i32>)> {
    let player = root.position().to_move();
    let mut history = root.clone();
    let mut moves = Vec::new();
    root.legal_moves(&mut moves);
    let value = |mv| {
        history.play(mv);
        let value = minimax::value(&mut history, player, max_nodes);
        history.undo();
        (mv, value)
    };
    moves.into_iter().map(value).collect()
}

/// Asserts that a report contradicts no exact value. Returns whether it solves the position.
fn assert_consistent<G: Game>(
    spec: &str,
    root: &History<G>,
    report: &Report<G::Move>,
    truth: &[(G::Move, Option<i32>)],
) -> bool {
    let context = || {
        let positions = root.positions().iter();
        let moves: Vec<String> = root.moves().iter().zip(positions).map(|(&mv, at)| at.move_text(mv)).collect();
        format!("{spec} at {} moves {}: {report:?}, but {truth:?}", root.positions()[0].text(), moves.join(" "))
    };
    let (low, high) = root.facts().scores;
    let at_least = truth.iter().map(|&(_, value)| value.unwrap_or(low)).max().unwrap();
    let at_most = truth.iter().map(|&(_, value)| value.unwrap_or(high)).max().unwrap();
    assert!(report.bounds.at_least <= at_most && at_least <= report.bounds.at_most, "{}", context());
    for root_move in &report.moves {
        let value = truth.iter().find(|(mv, _)| *mv == root_move.mv).unwrap().1;
        let holds = |value| root_move.bounds.at_least <= value && value <= root_move.bounds.at_most;
        assert!(value.is_none_or(holds), "{}", context());
    }
    let is_solved = report.stopped == StopReason::Solved;
    if let (true, Some((_, Some(value)))) = (is_solved, truth.iter().find(|(mv, _)| Some(*mv) == report.best)) {
        let is_result = !spec.contains("score") && low < 0;
        let is_best = if is_result { value.signum() >= at_least.signum() } else { *value >= at_least };
        assert!(is_best, "{}", context());
    }
    is_solved
}

/// Compares searches with minimax in random positions, using the specs in turn.
///
/// A position counts if minimax solves a move of it within `small` nodes. Returns the number of
/// positions in which minimax solves all moves, and how many of these the search solved.
fn compare<G: Knowledge>(game: &str, specs: &[&str], positions: u32, small: u64, nodes: u64) -> (u32, u32) {
    let rules = rules::<G>(game).unwrap();
    let (mut compared, mut solvable, mut solved) = (0, 0, 0);
    let mut seed = 0;
    while compared < positions {
        seed += 1;
        let mut rng = Rng::new(seed);
        let mut history = History::<G>::new(rules.clone());
        while random_move(&mut history, &mut rng) {}
        // Backwards from the end of the game, as far as minimax is fast enough.
        while compared < positions && history.undo().is_some() {
            let truth = values(&history, small);
            if truth.iter().all(|(_, value)| value.is_none()) {
                break;
            }
            let spec = specs[compared as usize % specs.len()];
            let report = search(spec, &history, nodes);
            let is_solved = assert_consistent(spec, &history, &report, &truth);
            compared += 1;
            if truth.iter().all(|(_, value)| value.is_some()) {
                solvable += 1;
                solved += u32::from(is_solved);
            }
        }
    }
    (solvable, solved)
}

/// Plays a random move. Returns false if the game is over.
fn random_move<G: Game>(history: &mut History<G>, rng: &mut Rng) -> bool {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    if !moves.is_empty() {
        history.play(moves[rng.below(moves.len())]);
    }
    !moves.is_empty()
}

/// Returns a random game graph with cycles, in which an arbitrary player moves in every position.
fn random_graph(rng: &mut Rng) -> String {
    const NAMES: [&str; 7] = ["p", "q", "r", "s", "t", "u", "v"];
    fn choice(node: usize, parents: &[usize], rng: &mut Rng) -> String {
        let defined = (1..parents.len()).filter(|&child| parents[child] == node);
        let mut children: Vec<String> = defined.map(|child| choice(child, parents, rng)).collect();
        while children.len() < 2 || rng.below(3) == 0 {
            let terminal = (rng.below(5) as i32 - 2).to_string();
            let back = format!("@{}", NAMES[rng.below(parents.len())]);
            let at = rng.below(children.len() + 1);
            children.insert(at, if rng.below(2) == 0 { terminal } else { back });
        }
        format!("{}=({}: {})", NAMES[node], ["a", "b"][rng.below(2)], children.join(" "))
    }
    let nodes = 2 + rng.below(NAMES.len() - 1);
    let parents: Vec<usize> = (0..nodes).map(|node| rng.below(node.max(1))).collect();
    // At least one terminal position, to define a range of scores.
    format!("(a: {} {})", choice(0, &parents, rng), rng.below(5) as i32 - 2)
}

#[test]
fn small_trees_have_values_computed_by_hand() {
    for (text, best, value) in [
        ("(1 5 2)", 1, 5),
        ("((3 12 8) (2 4 6) (14 5 2))", 0, 3),
        ("((3 12 8) (2 4 6) (14 5 4))", 2, 4),
        // The same player moves twice.
        ("(a: (a: 1 4) (b: 7 9))", 1, 7),
        ("(b: (b: 1 -4) (a: -7 9))", 0, -4),
        // A transposition.
        ("((@x 5) (-1 6) (1 x=(a: 0 2)))", 0, 2),
    ] {
        let history = tree(text);
        let player = history.position().to_move();
        let value = if player == Player::FIRST { value } else { -value };
        for spec in SPECS {
            let report = search(spec, &history, 1000);
            let bounds = if spec.contains("score") {
                Bounds::exact(player, value)
            } else {
                Bounds::of_results(player, value.signum(), value.signum(), history.facts())
            };
            assert_eq!((report.bounds, report.stopped), (bounds, StopReason::Solved), "{spec} on {text}");
            assert_eq!(report.value, f64::from(value.signum()), "{spec} on {text}");
            if spec.contains("score") {
                assert_eq!(report.best, Some(best), "{spec} on {text}");
            }
        }
    }
}

#[test]
fn random_trees_have_their_constructed_value() {
    for seed in 0..200 {
        for options in ["scores=1", "scores=9,turns=random", "branching=2,depth=9", "scores=5,value=-4"] {
            let history = game::<Synthetic>(&format!("synthetic:{options},seed={seed}"), "start");
            let player = history.position().to_move();
            let known = history.position().known_value().unwrap();
            let value = if player == Player::FIRST { known } else { -known };
            let spec = SPECS[seed as usize % SPECS.len()];
            let report = search(spec, &history, 1_000_000);
            assert_eq!(report.stopped, StopReason::Solved);
            if spec.contains("score") {
                assert_eq!(report.bounds, Bounds::exact(player, value), "{options} {seed}");
            } else {
                assert_eq!(report.value, f64::from(value.signum()), "{options} {seed}");
            }
        }
    }
}

#[test]
fn games_without_repetition_are_solved_as_by_minimax() {
    for (solvable, solved) in [
        compare::<TicTacToe>("tictactoe", &SPECS, 600, 3_000, 1_000_000),
        compare::<Connect4>("connect4:4x4", &SPECS, 600, 2_000, 1_000_000),
        compare::<Breakthrough>("breakthrough:4x5", &SPECS, 300, 2_000, 1_000_000),
        compare::<Knightthrough>("knightthrough:4x5", &SPECS, 400, 2_000, 1_000_000),
        compare::<Othello>("othello:4", &SPECS, 600, 2_000, 1_000_000),
        compare::<Othello>("othello:6", &SPECS, 300, 2_000, 1_000_000),
        compare::<Hex>("hex:3", &SPECS, 400, 2_000, 1_000_000),
        compare::<Hex>("hex:3,swap", &SPECS, 200, 2_000, 1_000_000),
        compare::<Rolit>("rolit:4,players=2", &SPECS, 400, 2_000, 1_000_000),
    ] {
        assert_eq!(solved, solvable);
    }
}

#[test]
fn games_with_repetition_never_contradict_minimax() {
    compare::<Lion>("lion", &SPECS, 400, 300, 3_000);
    compare::<Loa>("loa:5", &SPECS, 200, 300, 3_000);
    compare::<Awari>("awari", &SPECS, 300, 300, 3_000);
    compare::<Awari>("awari:rules=oware", &SPECS, 300, 300, 3_000);
    compare::<MiniShogi>("minishogi", &SPECS, 150, 300, 3_000);
    compare::<MiniShogi>("minishogi:rules=ludii", &SPECS, 150, 300, 3_000);
    compare::<Go>("go:2", &SPECS, 300, 300, 3_000);
}

#[test]
fn random_graphs_with_cycles_are_solved_as_by_minimax_for_any_history() {
    let mut solvable = 0;
    for seed in 0..4000 {
        let mut rng = Rng::new(seed);
        let spec = format!("synthetic:tree='{}',repetition={}", random_graph(&mut rng), 2 + seed % 2);
        let mut history = game::<Synthetic>(&spec, "start");
        // A history that may contain repetitions.
        for _ in 0..rng.below(8) {
            random_move(&mut history, &mut rng);
        }
        let truth = values(&history, 2_000);
        if history.is_over() || truth.iter().any(|(_, value)| value.is_none()) {
            continue;
        }
        solvable += 1;
        for spec in SPECS {
            let report = search(spec, &history, 20_000);
            assert!(assert_consistent(spec, &history, &report, &truth), "{spec} does not solve {history:?}");
        }
    }
    assert!(solvable > 1000, "{solvable}");
}

#[test]
fn a_win_through_a_repeated_position_is_not_a_win() {
    // From r the first player wins by returning to s, unless s has occurred: its second occurrence
    // is a draw.
    let rules = rules::<Synthetic>("synthetic:tree='s=(a: 1 r=(a: (b: @s) 0))',repetition=2").unwrap();
    let first_visit = History::<Synthetic>::parse(rules.clone(), "n2").unwrap();
    let repeating = History::<Synthetic>::parse(rules, "start moves 2").unwrap();
    assert_eq!(first_visit.position(), repeating.position());
    for spec in SPECS {
        assert_eq!(search(spec, &first_visit, 1000).bounds.verdict(), Some(Verdict::Win), "{spec}");
        assert_eq!(search(spec, &repeating, 1000).bounds.verdict(), Some(Verdict::Draw), "{spec}");
    }
}

/// The winner can follow a cycle of 150 plies, reach p in ten plies, or offer p to the opponent,
/// who declines. From p the win takes 92 plies, and both players can blunder at every ply.
fn long_win(winner: Player) -> SyntheticRules {
    let (chooser, other, won) = if winner == Player::FIRST { ("a", "b", 1) } else { ("b", "a", -1) };
    let path = |plies: usize, end: &str| {
        (0..plies).fold(end.to_string(), |inner, ply| match ply % 2 {
            0 => format!("({chooser}: {inner} {})", -won),
            _ => format!("({other}: {inner} {won})"),
        })
    };
    let (cycle, detour, win) = (path(149, "@x"), path(9, "@p"), path(92, &won.to_string()));
    let tree = format!("x=({chooser}: ({other}: p={win} 0) {detour} {cycle})");
    rules::<Synthetic>(&format!("synthetic:tree='{tree}',repetition=9")).unwrap()
}

#[test]
fn a_win_beyond_the_length_cap_is_not_a_win() {
    for winner in [Player::FIRST, Player::SECOND] {
        for (cycles, verdict) in [(5, Verdict::Win), (6, Verdict::Draw)] {
            let mut history = History::<Synthetic>::new(long_win(winner));
            for _ in 0..cycles {
                history.play(2);
                (1..150).for_each(|_| history.play(0));
            }
            let truth = values(&history, 10_000);
            for (spec, seed) in SPECS.into_iter().zip(1..).chain((1..9).map(|seed| ("alphabeta", seed))) {
                let report = seeded_search(spec, &history, 100_000, seed);
                assert!(assert_consistent(spec, &history, &report, &truth), "{spec}");
                assert_eq!(report.bounds.verdict(), Some(verdict), "{spec}");
                // The opponent's view, one move later.
                let mut later = history.clone();
                later.play(1);
                let report = search(spec, &later, 100_000);
                assert_consistent(spec, &later, &report, &values(&later, 10_000));
            }
        }
    }
}

#[test]
fn superko_depends_on_the_path() {
    let (solvable, solved) = compare::<Go>("go:2", &["alphabeta:reward=score"], 150, 20_000, 20_000);
    assert!(solvable > 40 && solved > 40, "{solvable} {solved}");
}

#[test]
fn a_proven_variation_reaches_the_end_of_the_game() {
    let mut history = game::<Connect4>("connect4:5x4", "start moves 2 2 3 3");
    let report = search("alphabeta", &history, 1_000_000);
    assert_eq!(report.bounds.verdict(), Some(Verdict::Win));
    for mv in report.variation {
        history.play(mv);
    }
    assert_eq!(history.outcome(), Some(Outcome::win(Player::FIRST)));
}

#[test]
fn a_win_in_one_needs_no_search() {
    let report = search("alphabeta", &game::<Connect4>("connect4", "start moves 1 2 1 2 1 2"), 1);
    assert_eq!((report.best, report.stopped), (Some(0), StopReason::Solved));
    assert_eq!((report.value, report.bounds), (1.0, Bounds::exact(Player::FIRST, 1)));
}

#[test]
fn a_horizon_proves_nothing_and_k_best_searches_only_k_moves() {
    let history = game::<TicTacToe>("tictactoe", "start");
    let short = search("alphabeta:depth=3", &history, 1_000_000);
    assert_eq!((short.bounds, short.stopped), (Bounds::unknown(Player::FIRST, history.facts()), StopReason::Finished));
    assert!(short.value.abs() < 1.0);
    // The second move wins, but only the first move and its first reply are searched.
    let history = tree("((0 -1) ((1 1) (1 1)))");
    let narrow = search("alphabeta:k=1", &history, 1000);
    assert_eq!(narrow.stopped, StopReason::Finished);
    assert_eq!((narrow.bounds.at_least, narrow.bounds.at_most), (-1, 1));
    assert_eq!(search("alphabeta:k=2", &history, 1000).bounds.verdict(), Some(Verdict::Win));
}

#[test]
fn a_stopped_search_keeps_the_result_of_its_last_iteration() {
    let history = game::<Breakthrough>("breakthrough:6x6", "start");
    let whole = search("alphabeta:depth=4", &history, 1_000_000);
    let cut = search("alphabeta", &history, whole.counters.nodes + 3);
    assert_eq!((cut.best, cut.value, cut.stopped), (whole.best, whole.value, StopReason::Nodes));
    assert!(cut.variation.len() >= 4);
}

#[test]
fn games_for_other_than_two_players_are_refused() {
    for players in [3, 4] {
        let rules = rules::<Rolit>(&format!("rolit:4,players={players}")).unwrap();
        let refused = crate::build::<Rolit>(&"alphabeta".parse().unwrap(), &rules).err().unwrap();
        let sentence = format!("alphabeta: players={players} is not accepted; it takes two-player games only");
        assert_eq!(refused.to_string(), sentence);
    }
}

#[test]
fn entries_are_found_as_they_were_stored() {
    let entry = |value, depth| Entry {
        result: NodeResult { value, at_least: -7, at_most: i32::MAX / 2, at_least_plies: 3, at_most_plies: 65_000 },
        kind: ValueKind::UpperBound,
        depth,
        complete: true,
        best: 40_000,
    };
    // One bucket: the first entry holds the deepest result, the second the latest of the others.
    let mut table = TranspositionTable::new(1);
    for (key, depth) in [(1, 5), (2, 3), (3, 7), (4, 1)] {
        let evicts = table.store(key, entry(key as i32 - 3, depth));
        assert_eq!(evicts, key > 2);
        let found = table.find(key).unwrap();
        assert_eq!(format!("{found:?}"), format!("{:?}", entry(key as i32 - 3, depth)));
    }
    assert_eq!([1, 2, 3, 4].map(|key| table.find(key).is_some()), [false, false, true, true]);
    // Proven bounds stay when the value changes.
    let proven = Entry { result: NodeResult::exact(9), ..entry(9, 2) };
    table.store(4, proven);
    table.store(4, entry(8, 1));
    let found = table.find(4).unwrap().result;
    assert_eq!((found.value, found.at_least, found.at_most), (8, 9, 9));
    assert!(table.reuse(1));
    assert!(table.find(3).is_none());
}

/// A subtraction game: take one to three counters; taking the last one wins.
///
/// Passing would turn every loss into a win, so null moves are as wrong as possible. The evaluation
/// invites them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Heap {
    left: u8,
    to_move: Player,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct HeapRules;

impl Rules for HeapRules {
    fn read(_: &mut Options<'_>) -> Result<HeapRules, SpecError> {
        Ok(HeapRules)
    }

    fn facts(&self) -> Facts {
        Facts {
            players: 2,
            repetition: Repetition::Impossible,
            length: Length::Bounded(100),
            scores: (-1, 1),
            draws: false,
            units_per_point: 1,
            move_indices: 3,
        }
    }
}

impl Game for Heap {
    type Move = u8;
    type Rules = HeapRules;
    const INFO: Info = Info::new("heap", "Heap", &["A", "B"]);

    fn start(_: &HeapRules) -> Heap {
        Heap { left: 20, to_move: Player::FIRST }
    }

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn is_over(&self) -> bool {
        self.left == 0
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| Outcome::win(self.to_move.opponent()))
    }

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.extend(1..=self.left.min(3));
    }

    fn play(&mut self, taken: u8) {
        *self = Heap { left: self.left - taken, to_move: self.to_move.opponent() };
    }

    fn key(&self) -> u64 {
        tesuji_core::zobrist::key(0xF0, 2 * u64::from(self.left) + u64::from(self.to_move.0))
    }

    fn text(&self) -> String {
        self.left.to_string()
    }

    fn parse(_: &HeapRules, text: &str) -> Result<Heap, PositionError> {
        let left = text.parse().map_err(|_| PositionError::new(text, "it must be a number"))?;
        Ok(Heap { left, to_move: Player::FIRST })
    }

    fn move_text(&self, taken: u8) -> String {
        taken.to_string()
    }

    fn move_index(&self, taken: u8) -> usize {
        usize::from(taken) - 1
    }

    fn view(&self) -> View {
        unreachable!("the tests do not draw positions")
    }
}

impl Knowledge for Heap {
    const NULL_MOVE_PRUNING: bool = true;

    fn evaluation(&self, player: Player) -> Option<f32> {
        Some(if player == self.to_move { 0.5 } else { -0.5 })
    }

    fn null_move(&self) -> Option<Heap> {
        Some(Heap { to_move: self.to_move.opponent(), ..*self })
    }
}

#[test]
fn a_null_move_may_mislead_but_proves_nothing() {
    let mut with = 0;
    let mut without = 0;
    for left in 1..=24 {
        let history = History::<Heap>::parse(HeapRules, &left.to_string()).unwrap();
        let verdict = if left % 4 == 0 { Verdict::Loss } else { Verdict::Win };
        for depth in 1..=24 {
            for (spec, nodes) in [("no-nullmove", &mut without), ("no-killers", &mut with)] {
                let report = search(&format!("alphabeta:{spec},depth={depth}"), &history, 1_000_000);
                let proven = report.bounds.verdict();
                assert!(proven.is_none_or(|proven| proven == verdict), "{left} {depth}: {report:?}");
                assert!(spec == "no-killers" || depth < left || proven.is_some(), "{left} {depth}: {report:?}");
                *nodes += report.counters.nodes;
            }
        }
    }
    assert_ne!(with, without);
}

/// With every move exact the values are those of a search of each move alone; with three, the best
/// three agree and the others are marked as upper bounds.
#[test]
fn the_first_moves_of_multipv_are_exact() {
    fn check<G: Knowledge>(spec: &str, text: &str, depth: u32) {
        let root = game::<G>(spec, text);
        // Without the table, so that the depth of every value is the same.
        let report = |multipv: usize| {
            let player = format!("alphabeta:depth={depth},multipv={multipv},no-table,no-quiescence,no-nullmove");
            search(&player, &root, 10_000_000)
        };
        let (all, three, one) = (report(1000), report(3), report(1));
        assert!(all.moves.iter().all(|entry| !entry.at_most && entry.depth == Some(depth)), "{spec}: {all:?}");
        let value = |mv: G::Move| all.moves.iter().find(|entry| entry.mv == mv).unwrap().value.unwrap();
        for (report, exact) in [(&three, 3), (&one, 1)] {
            let known: Vec<f64> =
                report.moves.iter().filter(|entry| !entry.at_most).map(|entry| value(entry.mv)).collect();
            assert!(known.len() >= exact.min(all.moves.len()), "{spec}: {report:?}");
            assert_eq!(report.value, all.value, "{spec}");
            for entry in &report.moves {
                let (shown, truth) = (entry.value.unwrap(), value(entry.mv));
                assert!(if entry.at_most { truth <= shown } else { truth == shown }, "{spec}: {entry:?}, {truth}");
            }
        }
        let best = |report: &Report<G::Move>| -> Vec<Option<f64>> {
            report.moves.iter().take(3).map(|entry| entry.value).collect()
        };
        assert_eq!(best(&three), best(&all), "{spec}");
    }
    check::<Breakthrough>("breakthrough:5x5", "start", 3);
    check::<Othello>("othello:6", "start moves c2", 3);
    check::<Connect4>("connect4", "start moves 4 4 3", 4);
    check::<Loa>("loa:6", "start", 2);
}

#[test]
fn a_root_move_that_is_known_to_lose_is_not_searched() {
    let root = game::<Othello>("othello", "start");
    let think = |known: Vec<(_, Bounds)>| {
        let mut search = crate::build::<Othello>(&"alphabeta:depth=4".parse().unwrap(), root.rules()).unwrap();
        let stop = AtomicBool::new(false);
        let limits = Limits { memory: Some(1 << 16), ..Limits::default() };
        search.search(&root, &Control::new(limits, 1, &stop).knowing(known))
    };
    let free = think(Vec::new());
    let lost = Bounds { at_most: -1, ..Bounds::unknown(Player::FIRST, root.facts()) };
    let best = free.best.unwrap();
    let told = think(vec![(best, lost)]);
    assert_ne!(told.best, Some(best));
    let entry = told.moves.iter().find(|entry| entry.mv == best).unwrap();
    assert_eq!((entry.bounds.verdict(), entry.value), (Some(Verdict::Loss), Some(-1.0)));
    // The start position is symmetric: another move is as good.
    assert_eq!(told.value, free.value);
    assert!(told.counters.nodes < free.counters.nodes);
}

/// With `k=1` the move is the first of the ordering: a capture, or with the weaker ordering the
/// move that comes closest to the far row.
#[test]
fn published_functions_are_used() {
    let root = game::<Breakthrough>("breakthrough:6", "....../.B..../....W./.B..../W...../...... W");
    let position = root.position();
    let best = |spec: &str| search(spec, &root, 1000).best.unwrap();
    assert_eq!(position.move_text(best("alphabeta:depth=1,k=1")), "a2-b3");
    assert_eq!(position.move_text(best("alphabeta:depth=1,k=1,order=baier,eval=baier")), "a2-b3");
    assert!(position.move_text(best("alphabeta:depth=1,k=1,order=baier-weak")).starts_with("e4"));
    for (spec, refused) in [
        ("alphabeta:eval=best", "alphabeta: eval=best is not accepted; it takes baier in breakthrough"),
        ("alphabeta:order=best", "alphabeta: order=best is not accepted; it takes baier, baier-weak in breakthrough"),
    ] {
        let error = crate::build::<Breakthrough>(&spec.parse().unwrap(), root.rules()).err().unwrap();
        assert_eq!(error.to_string(), refused);
    }
}
