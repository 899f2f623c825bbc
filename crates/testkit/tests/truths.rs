//! Known values, from `testdata/truths` and from the folder that `TESUJI_DATA` names: every search that decides a position agrees,
//! and the near ones are decided.

use libtest_mimic::{Arguments, Failed, Trial};
use tesuji_core::Limits;
use tesuji_testkit::agreement::{Contender, Tally};
use tesuji_testkit::data;
use tesuji_testkit::truths::{Truth, Value, read, try_on};

/// The searches that prove most; all others are asked less.
const SOLVERS: [&str; 7] = ["minimax", "alphabeta", "dfpn", "pdspn", "pn2", "mcts:solver", "mcts:pn=1,solver"];

/// Of the positions from outside that are near, at least this part is decided by every solver but minimax.
const FLOOR: f64 = 0.8;

/// All searches. The solvers may do much where the value is within reach.
fn contenders(is_near: bool) -> Vec<Contender> {
    let some = Limits { playouts: Some(500), nodes: Some(5_000), memory: Some(16 << 20), time: None };
    let much = Limits { playouts: Some(40_000), nodes: Some(500_000), ..some };
    let limits = |player: &str| if is_near && SOLVERS.contains(&player) { much } else { some };
    data::searches().into_iter().map(|player| Contender { limits: limits(&player), player, threads: 1 }).collect()
}

fn judge(truth: &Truth, tallies: &[Tally]) -> Result<(), Failed> {
    let said = |error: &String| format!("{} is {:?} by {}: {error}", truth.position, truth.value, truth.source);
    let mut errors: Vec<String> = tallies.iter().filter_map(|tally| tally.error.as_ref()).map(said).collect();
    if truth.is_near && tallies.iter().all(|tally| tally.decided == 0) {
        errors.push(format!("nobody decides {} {}", truth.spec, truth.position));
    }
    if errors.is_empty() { Ok(()) } else { Err(Failed::from(errors.join("\n"))) }
}

fn check(text: &str) -> Result<(), Failed> {
    for truth in read(text)? {
        judge(&truth, &try_on(&truth, &contenders(truth.is_near))?)?;
    }
    Ok(())
}

/// Positions from outside; the solvers must decide most of the near ones.
fn check_outside(truths: &[Truth]) -> Result<(), Failed> {
    let solvers: Vec<Contender> =
        contenders(true).into_iter().filter(|contender| SOLVERS[1..].contains(&contender.player.as_str())).collect();
    let mut sums: Vec<Tally> = Vec::new();
    for truth in truths {
        let tallies = try_on(truth, &solvers)?;
        let counts = u32::from(truth.is_near);
        let near = |tally: &Tally| Tally { positions: counts, decided: counts * tally.decided, ..tally.clone() };
        judge(&Truth { is_near: false, ..truth.clone() }, &tallies)?;
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

fn outside(spec: &str, source: &str, position: String, result: i32, is_near: bool) -> Truth {
    Truth { spec: spec.to_string(), source: source.to_string(), position, value: Value::Result(result), is_near }
}

/// Every fortieth position of the tablebase; a short way to the end is near.
fn lion() -> Result<(), Failed> {
    let Some(text) = data::outside_text("lion/positions-4000.txt") else { return Ok(()) };
    let truth = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let result = ["L", "D", "W"].iter().position(|word| *word == fields[1]).expect("L, D or W") as i32 - 1;
        let near = fields[2].parse().is_ok_and(|distance: u32| distance <= 5);
        outside("lion", "clausecker/dobutsu", fields[0].to_string(), result, near)
    };
    let truths: Vec<Truth> = text.lines().step_by(40).map(truth).collect();
    check_outside(&truths)
}

/// Every twentieth of the positions near the end; the sign of the score is the result.
fn connect4() -> Result<(), Failed> {
    let Some(text) = data::outside_text("connect4/Test_L3_R1") else { return Ok(()) };
    let truth = |line: &str| {
        let (columns, score) = line.split_once(' ').expect("moves and a score");
        let moves: Vec<String> = columns.chars().map(String::from).collect();
        let score: i32 = score.trim().parse().expect("a score");
        outside("connect4", "Pons", format!("start moves {}", moves.join(" ")), score.signum(), true)
    };
    let truths: Vec<Truth> = text.lines().step_by(20).map(truth).collect();
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

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = vec![
        Trial::test("outside: lion", lion),
        Trial::test("outside: connect4", connect4),
        Trial::test("outside: hex", hex),
    ];
    for (path, text) in data::files("truths") {
        if path.extension().is_some_and(|extension| extension == "truth") {
            let name = path.file_stem().map_or(String::new(), |name| name.to_string_lossy().into_owned());
            trials.push(Trial::test(name, move || check(&text)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}
