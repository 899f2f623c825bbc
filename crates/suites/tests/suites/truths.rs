//! Known values from `testdata/truths` and from the folder that `TESUJI_DATA` names: no search
//! contradicts them, and the near ones are solved. `TESUJI_TRUTH_NODES`, which `cargo xtask test
//! --long` sets, is a node limit with which solvers also solve the slow ones; their times are
//! printed.

use libtest_mimic::{Failed, Trial};
use std::collections::BTreeSet;
use std::time::Instant;
use tesuji_core::Limits;
use tesuji_suites::agreement::{Contender, Tally};
use tesuji_suites::data;
use tesuji_suites::truths::{Reach, Truth, Value, read, try_on};

/// The searches that prove most; all others get lower limits.
const SOLVERS: [&str; 7] = ["minimax", "alphabeta", "dfpn", "pdspn", "pn2", "mcts:solver", "mcts:pn=1,solver"];

/// Solvers with the initial proof numbers of the game, which solve more positions of Hex.
const BY_GAME: [&str; 2] = ["dfpn:init=game", "pdspn:init=game"];

/// The number of algorithms that must agree on a value; options do not make another algorithm.
const WITNESSES: usize = 2;

/// The share of near external positions that every solver except minimax must solve.
const MIN_SHARE: f64 = 0.8;

/// Returns all searches. The solvers get high limits if the value is near.
fn contenders(is_near: bool) -> Vec<Contender> {
    let low = Limits { playouts: Some(500), nodes: Some(5_000), memory: Some(16 << 20), time: None };
    let high = Limits { playouts: Some(40_000), nodes: Some(500_000), ..low };
    let limits =
        |player: &str| if is_near && (SOLVERS.contains(&player) || BY_GAME.contains(&player)) { high } else { low };
    data::searches()
        .into_iter()
        .chain(BY_GAME.map(str::to_string))
        .map(|player| Contender { limits: limits(&player), player, threads: 1 })
        .collect()
}

fn judge(truth: &Truth, tallies: &[Tally]) -> Result<(), Failed> {
    let described = |error: &String| format!("{truth} by {}: {error}", truth.source);
    let mut errors: Vec<String> = tallies.iter().filter_map(|tally| tally.error.as_ref()).map(described).collect();
    let witnesses = witnesses(tallies);
    if truth.reach == Reach::Near && witnesses.len() < WITNESSES {
        errors.push(format!("{truth} is solved only by {witnesses:?}"));
    }
    if errors.is_empty() { Ok(()) } else { Err(Failed::from(errors.join("\n"))) }
}

/// Returns the algorithms that solved the position: the names of their specs.
fn witnesses(tallies: &[Tally]) -> BTreeSet<&str> {
    let solved = tallies.iter().filter(|tally| tally.solved > 0);
    solved.filter_map(|tally| tally.player.split(':').next()).collect()
}

fn check(text: &str) -> Result<(), Failed> {
    for truth in read(text)? {
        judge(&truth, &try_on(&truth, &contenders(truth.reach == Reach::Near))?)?;
    }
    Ok(())
}

/// The solvers of the long run, tried in order until enough of them have solved the position: pn2
/// is faster than pdspn on Hex.
const SLOW_SOLVERS: [&str; 6] = ["dfpn:init=game", "dfpn", "pn2:init=game", "pdspn:init=game", "pdspn", "alphabeta"];

fn solve_slow(truth: &Truth, nodes: u64) -> Result<(), Failed> {
    let mut tried: Vec<Tally> = Vec::new();
    let limits = Limits { playouts: None, nodes: Some(nodes), memory: Some(2 << 30), time: None };
    for player in SLOW_SOLVERS {
        if witnesses(&tried).contains(player.split(':').next().expect("a name")) {
            continue;
        }
        let begin = Instant::now();
        let tallies = try_on(truth, &[Contender { player: player.to_string(), limits, threads: 1 }])?;
        judge(truth, &tallies)?;
        let word = if tallies[0].solved > 0 { "solved" } else { "unsolved" };
        let seconds = begin.elapsed().as_secs_f64();
        eprintln!("{truth}: {player} {word} after {seconds:.2} s");
        tried.extend(tallies);
        if witnesses(&tried).len() == WITNESSES {
            return Ok(());
        }
    }
    Err(Failed::from(format!("{truth} is solved only by {:?}", witnesses(&tried))))
}

/// Checks external positions; the solvers must solve most of the near ones.
fn check_outside(truths: &[Truth]) -> Result<(), Failed> {
    let solvers: Vec<Contender> =
        contenders(true).into_iter().filter(|contender| SOLVERS[1..].contains(&contender.player.as_str())).collect();
    let mut sums: Vec<Tally> = Vec::new();
    for truth in truths {
        let tallies = try_on(truth, &solvers)?;
        let counts = u32::from(truth.reach == Reach::Near);
        let near = |tally: &Tally| Tally { positions: counts, solved: counts * tally.solved, ..tally.clone() };
        judge(&Truth { reach: Reach::Far, ..truth.clone() }, &tallies)?;
        if sums.is_empty() {
            sums = tallies.iter().map(near).collect();
        } else {
            sums.iter_mut().zip(&tallies).for_each(|(sum, tally)| sum.add(near(tally)));
        }
    }
    for sum in sums {
        if f64::from(sum.solved) < MIN_SHARE * f64::from(sum.positions) {
            return Err(Failed::from(sum.to_string()));
        }
    }
    Ok(())
}

/// Returns the node limit for slow positions, in the long run.
fn slow_nodes() -> Option<u64> {
    let nodes = std::env::var("TESUJI_TRUTH_NODES").ok()?;
    Some(nodes.parse().unwrap_or_else(|error| panic!("TESUJI_TRUTH_NODES={nodes:?}: {error}")))
}

/// Returns the step between positions: 1 in the long run.
fn step(ordinary: usize) -> usize {
    if slow_nodes().is_some() { 1 } else { ordinary }
}

fn outside(spec: &str, source: &str, position: String, result: i32, is_near: bool) -> Truth {
    let reach = if is_near { Reach::Near } else { Reach::Far };
    Truth {
        spec: spec.to_string(),
        source: source.to_string(),
        position,
        side: None,
        value: Value::Result(result),
        reach,
    }
}

/// Every fortieth position of the tablebase, all of them in the long run; a distance of at most
/// five plies is near.
fn lion() -> Result<(), Failed> {
    let Some(text) = data::outside_text("lion/positions-4000.txt") else { return Ok(()) };
    let truth = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let result = ["L", "D", "W"].iter().position(|word| *word == fields[1]).expect("L, D or W") as i32 - 1;
        let near = fields[2].parse().is_ok_and(|distance: u32| distance <= 5);
        outside("lion", "clausecker/dobutsu", fields[0].to_string(), result, near)
    };
    let truths: Vec<Truth> = text.lines().step_by(step(40)).map(truth).collect();
    check_outside(&truths)
}

/// Every twentieth of the positions near the end, all of them in the long run; the sign of the
/// score is the result.
fn connect4() -> Result<(), Failed> {
    let Some(text) = data::outside_text("connect4/Test_L3_R1") else { return Ok(()) };
    let truth = |line: &str| {
        let (columns, score) = line.split_once(' ').expect("moves and a score");
        let moves: Vec<String> = columns.chars().map(String::from).collect();
        let score: i32 = score.trim().parse().expect("a score");
        outside("connect4", "Pons", format!("start moves {}", moves.join(" ")), score.signum(), true)
    };
    let truths: Vec<Truth> = text.lines().step_by(step(20)).map(truth).collect();
    check_outside(&truths)
}

/// Positions on 5x5; at most 15 empty cells are near.
fn hex() -> Result<(), Failed> {
    let Some(text) = data::outside_text("hex/positions-200.txt") else { return Ok(()) };
    let truth = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let &["5", side, winner, _, _, rows] = fields.as_slice() else { return None };
        let near = rows.matches('.').count() <= 15;
        let result = if side == winner { 1 } else { -1 };
        Some(outside("hex:5", "MoHex", format!("{rows} {side}").to_uppercase(), result, near))
    };
    let truths: Vec<Truth> = text.lines().filter_map(truth).collect();
    check_outside(&truths)
}

/// Returns the tests of this suite.
pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("outside: lion", lion),
        Trial::test("outside: connect4", connect4),
        Trial::test("outside: hex", hex),
    ];
    for (path, text) in data::files("truths") {
        if path.extension().is_some_and(|extension| extension == "truth") {
            let name = path.file_stem().map_or(String::new(), |name| name.to_string_lossy().into_owned());
            if let Some(nodes) = slow_nodes() {
                let truths = read(&text).unwrap_or_else(|error| panic!("{name}: {error}")).into_iter();
                trials.extend(
                    truths
                        .filter(|truth| truth.reach == Reach::Slow)
                        .map(|truth| Trial::test(format!("slow: {truth}"), move || solve_slow(&truth, nodes))),
                );
            }
            trials.push(Trial::test(name, move || check(&text)));
        }
    }
    let known = data::files("truths").into_iter().flat_map(|(_, text)| read(&text).unwrap_or_default());
    let known: Vec<String> = known.map(|truth| truth.spec).collect();
    trials.extend(crate::unchecked(&known, "known values"));
    trials
}
