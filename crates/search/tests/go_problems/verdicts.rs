//! The verdicts of `testdata/go-problems.txt`.

use crate::reference::Reference;
use std::sync::atomic::AtomicBool;
use tesuji_core::{Bounds, Control, Game, History, Limits, Player, Question};
use tesuji_games::go_problem::UNLIMITED;
use tesuji_games::{GoProblem, rules};

/// The questions, the hardest first: unlimited threats, 2, 1 and 0 for the opponent, then 1, 2 and
/// unlimited threats for the mover.
const QUESTIONS: [(&str, [u8; 2]); 7] = [
    ("inf", [0, UNLIMITED]),
    ("2", [0, 2]),
    ("1", [0, 1]),
    ("0", [0, 0]),
    ("-1", [1, 0]),
    ("-2", [2, 0]),
    ("-inf", [UNLIMITED, 0]),
];

/// A problem of the file.
#[derive(Default)]
struct Problem {
    title: String,
    spec: String,
    rows: String,
    /// The expected verdict and moves if the attacker, then if the defender moves first.
    expected: [Vec<String>; 2],
}

fn problems() -> Vec<Problem> {
    let text = include_str!("../../../../testdata/go-problems.txt");
    let mut problems: Vec<Problem> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (word, rest) = line.split_once(' ').expect("a keyword and a value");
        if word == "problem" {
            problems.push(Problem { title: rest.to_string(), ..Problem::default() });
            continue;
        }
        let problem = problems.last_mut().expect("a problem comes first");
        let words = || rest.split(' ').map(str::to_string).collect();
        match word {
            "spec" => problem.spec = rest.to_string(),
            "rows" => problem.rows = rest.to_string(),
            "attack" => problem.expected[0] = words(),
            "defend" => problem.expected[1] = words(),
            _ => panic!("{line}"),
        }
    }
    assert_eq!(problems.len(), 14);
    problems
}

impl Problem {
    /// The position with a side to move and threats of the mover and the opponent.
    fn position(&self, side: usize, threats: [u8; 2]) -> GoProblem {
        let size: usize = self.spec.split(':').nth(1).and_then(|size| size.parse().ok()).expect("a size");
        let rows: Vec<String> = self.rows.split('/').map(|row| format!("{row:,<size$}")).collect();
        let above = vec![",".repeat(size); size - rows.len()];
        let text = format!("{} {} - 0 0,0", [above, rows].concat().join("/"), ["X", "O"][side]);
        let position = GoProblem::parse(&rules::<GoProblem>(&self.spec).unwrap(), &text).unwrap();
        let [mover, opponent] = threats;
        position.with_threats(if side == 0 { [mover, opponent] } else { [opponent, mover] })
    }

    /// The verdict and its moves by a solver of one question, which returns the moves that succeed.
    fn verdict(&self, side: usize, solve: impl Fn(&GoProblem, i32) -> Vec<String>) -> Vec<String> {
        for (name, threats) in QUESTIONS {
            let moves = solve(&self.position(side, threats), 1);
            if !moves.is_empty() {
                return [vec![name.to_string()], moves].concat();
            }
        }
        let draws = self.spec.starts_with("semeai") && !solve(&self.position(side, [0, 0]), 0).is_empty();
        vec![if draws { "draw" } else { "none" }.to_string()]
    }

    fn compare(&self, by: &str, solve: impl Fn(&GoProblem, i32) -> Vec<String>) -> Vec<String> {
        let mut errors = Vec::new();
        for side in [0, 1] {
            let mut found = self.verdict(side, &solve);
            let mut expected = self.expected[side].clone();
            found.sort();
            expected.sort();
            if found != expected {
                let first = ["attack", "defend"][side];
                errors.push(format!("{}: {first} is {found:?} by {by}, not {expected:?}", self.title));
            }
        }
        errors
    }
}

/// The moves that get a score, exhaustively.
fn exhaustively(position: &GoProblem, at_least: i32) -> Vec<String> {
    let reference = Reference::new(position, 20_000_000).expect("a small problem");
    reference.good_moves(&reference.holds(position.to_move(), at_least))
}

/// Asks df-pn whether a player gets a score.
pub fn dfpn(spec: &str, history: &History<GoProblem>, player: Player, at_least: i32) -> bool {
    let mut prover = tesuji_search::prover::<GoProblem>(&spec.parse().unwrap(), history.rules()).unwrap();
    let question = Question { known: Bounds::unknown(player, history.facts()), at_least };
    let go = AtomicBool::new(false);
    let limits = Limits { playouts: None, nodes: Some(50_000_000), memory: Some(64 << 20), time: None };
    let bounds = prover.ask(history, question, &Control::new(limits, 1, &go)).bounds;
    question.answer(&bounds).unwrap_or_else(|| panic!("{spec} leaves {} open", history.position().text()))
}

/// The moves that get a score, by df-pn.
fn by_dfpn(position: &GoProblem, at_least: i32) -> Vec<String> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let player = position.to_move();
    let good = |mv: &&u16| {
        let mut history = History::from_position(*position.rules(), *position);
        history.play(**mv);
        match history.outcome() {
            Some(outcome) => outcome.score(player) >= at_least,
            None => dfpn("dfpn:init=game", &history, player, at_least),
        }
    };
    moves.iter().filter(good).map(|&mv| position.move_text(mv)).collect()
}

#[test]
fn the_exhaustive_solver_finds_the_known_verdicts() {
    let errors: Vec<String> =
        problems().iter().flat_map(|problem| problem.compare("exhaustion", exhaustively)).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

#[test]
fn dfpn_finds_the_known_verdicts() {
    let errors: Vec<String> = problems().iter().flat_map(|problem| problem.compare("df-pn", by_dfpn)).collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

/// The verdicts depend on the rule for cycles: if endless threats were not lost by their owner,
/// they would save the false eye.
#[test]
fn unlimited_threats_do_not_save_dead_groups() {
    let problems = problems();
    let eye = problems.iter().find(|problem| problem.title == "false eye").unwrap();
    let reference = Reference::new(&eye.position(0, [0, UNLIMITED]), 1_000_000).unwrap();
    assert!(reference.holds(Player::FIRST, 1)[0]);
    assert!(!reference.holds_under(Player::FIRST, 1, false)[0]);
}
