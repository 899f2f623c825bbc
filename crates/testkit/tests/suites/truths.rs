//! Known values, from `testdata/truths` and from the folder that `TESUJI_DATA` names: every search that decides a position agrees,
//! and the near ones are decided. With `TESUJI_TRUTH_NODES` set, as `cargo xtask test --long` does, the slow ones are decided too, with
//! so many nodes for each solver, and the time that each takes is told.

use libtest_mimic::{Failed, Trial};
use std::collections::BTreeSet;
use std::time::Instant;
use tesuji_core::Limits;
use tesuji_testkit::agreement::{Contender, Tally};
use tesuji_testkit::data;
use tesuji_testkit::truths::{Reach, Truth, Value, read, try_on};

/// The searches that prove most; all others are asked less.
const SOLVERS: [&str; 7] = ["minimax", "alphabeta", "dfpn", "pdspn", "pn2", "mcts:solver", "mcts:pn=1,solver"];

/// Solvers that take the first numbers of a game where it has some: these decide in Hex what the others do not reach.
const BY_GAME: [&str; 2] = ["dfpn:init=game", "pdspn:init=game"];

/// So many algorithms have to agree on a value before it counts as found; the same one with other switches is one witness.
const WITNESSES: usize = 2;

/// Of the positions from outside that are near, at least this part is decided by every solver but minimax.
const FLOOR: f64 = 0.8;

/// All searches. The solvers may do much where the value is within reach.
fn contenders(is_near: bool) -> Vec<Contender> {
    let some = Limits { playouts: Some(500), nodes: Some(5_000), memory: Some(16 << 20), time: None };
    let much = Limits { playouts: Some(40_000), nodes: Some(500_000), ..some };
    let limits =
        |player: &str| if is_near && (SOLVERS.contains(&player) || BY_GAME.contains(&player)) { much } else { some };
    data::searches()
        .into_iter()
        .chain(BY_GAME.map(str::to_string))
        .map(|player| Contender { limits: limits(&player), player, threads: 1 })
        .collect()
}

fn judge(truth: &Truth, tallies: &[Tally]) -> Result<(), Failed> {
    let said = |error: &String| format!("{truth} by {}: {error}", truth.source);
    let mut errors: Vec<String> = tallies.iter().filter_map(|tally| tally.error.as_ref()).map(said).collect();
    let witnesses = witnesses(tallies);
    if truth.reach == Reach::Near && witnesses.len() < WITNESSES {
        errors.push(format!("{truth} is decided by {witnesses:?} only"));
    }
    if errors.is_empty() { Ok(()) } else { Err(Failed::from(errors.join("\n"))) }
}

/// The algorithms that decided: the names of their specs.
fn witnesses(tallies: &[Tally]) -> BTreeSet<&str> {
    let decided = tallies.iter().filter(|tally| tally.decided > 0);
    decided.filter_map(|tally| tally.player.split(':').next()).collect()
}

fn check(text: &str) -> Result<(), Failed> {
    for truth in read(text)? {
        judge(&truth, &try_on(&truth, &contenders(truth.reach == Reach::Near))?)?;
    }
    Ok(())
}

/// The solvers of the long run, one after the other until enough of them have decided: in Hex, pn2 decides in less time than pdspn.
const SLOW_SOLVERS: [&str; 6] = ["dfpn:init=game", "dfpn", "pn2:init=game", "pdspn:init=game", "pdspn", "alphabeta"];

fn decide_slowly(truth: &Truth, nodes: u64) -> Result<(), Failed> {
    let mut tried: Vec<Tally> = Vec::new();
    let limits = Limits { playouts: None, nodes: Some(nodes), memory: Some(2 << 30), time: None };
    for player in SLOW_SOLVERS {
        if witnesses(&tried).contains(player.split(':').next().expect("a name")) {
            continue;
        }
        let begin = Instant::now();
        let tallies = try_on(truth, &[Contender { player: player.to_string(), limits, threads: 1 }])?;
        judge(truth, &tallies)?;
        let word = if tallies[0].decided > 0 { "decided" } else { "open" };
        let seconds = begin.elapsed().as_secs_f64();
        eprintln!("{truth}: {player} {word} after {seconds:.2} s");
        tried.extend(tallies);
        if witnesses(&tried).len() == WITNESSES {
            return Ok(());
        }
    }
    Err(Failed::from(format!("{truth} is decided by {:?} only", witnesses(&tried))))
}

/// Positions from outside; the solvers must decide most of the near ones.
fn check_outside(truths: &[Truth]) -> Result<(), Failed> {
    let solvers: Vec<Contender> =
        contenders(true).into_iter().filter(|contender| SOLVERS[1..].contains(&contender.player.as_str())).collect();
    let mut sums: Vec<Tally> = Vec::new();
    for truth in truths {
        let tallies = try_on(truth, &solvers)?;
        let counts = u32::from(truth.reach == Reach::Near);
        let near = |tally: &Tally| Tally { positions: counts, decided: counts * tally.decided, ..tally.clone() };
        judge(&Truth { reach: Reach::Far, ..truth.clone() }, &tallies)?;
        if sums.is_empty() {
            sums = tallies.iter().map(near).collect();
        } else {
            sums.iter_mut().zip(&tallies).for_each(|(sum, tally)| sum.add(near(tally)));
        }
    }
    for sum in sums {
        if f64::from(sum.decided) < FLOOR * f64::from(sum.positions) {
            return Err(Failed::from(sum.to_string()));
        }
    }
    Ok(())
}

/// The nodes for what is slow, in the long run.
fn slow_nodes() -> Option<u64> {
    let nodes = std::env::var("TESUJI_TRUTH_NODES").ok()?;
    Some(nodes.parse().unwrap_or_else(|error| panic!("TESUJI_TRUTH_NODES={nodes:?}: {error}")))
}

/// One position of so many is taken in the ordinary run.
fn step(usual: usize) -> usize {
    if slow_nodes().is_some() { 1 } else { usual }
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

/// Every fortieth position of the tablebase, all of them in the long run; a short way to the end is near.
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

/// Every twentieth of the positions near the end, all of them in the long run; the sign of the score is the result.
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

/// Positions on 5x5; few empty cells are near.
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

/// The tests of this suite.
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
                        .map(|truth| Trial::test(format!("slow: {truth}"), move || decide_slowly(&truth, nodes))),
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
