//! Every game against its naive twin: equal moves, texts and scores in every position of random
//! games.

use crate::twins;
use libtest_mimic::{Failed, Trial};
use tesuji_catalog::Session;
use tesuji_core::Rng;
use tesuji_suites::data;
use tesuji_suites::unit_scores;

/// The largest numbers of random games per spec and of legal moves compared in them; the twins are
/// slow on large boards. `TESUJI_TWIN_FACTOR` multiplies both.
const GAMES: u64 = 500;
const COMPARED_MOVES: u64 = 300_000;
/// The number of random games from each problem inside Go.
const PROBLEM_GAMES: u64 = 200;

fn compare_games(spec: &str, factor: u64) -> Result<(), Failed> {
    let mut compared = 0;
    for seed in 0..GAMES * factor {
        let session = tesuji_catalog::open(spec, "start")?;
        compared += compare(session, Rng::new(seed)).map_err(|error| Failed::from(format!("seed {seed}: {error}")))?;
        if compared > COMPARED_MOVES * factor {
            break;
        }
    }
    Ok(())
}

/// Compares random games from the problems of `testdata/go-problems.txt`, with all threats.
fn compare_problems(factor: u64) -> Result<(), Failed> {
    for (spec, rows) in data::go_problems() {
        for seed in 0..PROBLEM_GAMES * factor {
            let mut rng = Rng::new(seed);
            let threats = ["0,0", "0,1", "2,0", "0,inf", "inf,0", "inf,inf"][rng.below(6)];
            let text = format!("{rows} {} - 0 {threats}", ["X", "O"][rng.below(2)]);
            let session = tesuji_catalog::open(&spec, &text)?;
            compare(session, rng).map_err(|error| Failed::from(format!("{spec}, {text}, seed {seed}: {error}")))?;
        }
    }
    Ok(())
}

/// Returns the twin of a game at its start.
fn twin_of(session: &dyn Session) -> Option<Box<dyn twins::Twin>> {
    let spec = session.spec().to_string();
    let (name, items) = spec.split_once(':').unwrap_or((&spec, ""));
    let options: Vec<(&str, &str)> = items
        .split(',')
        .filter(|item| !item.is_empty())
        .map(|item| match item.split_once('=') {
            Some(pair) => pair,
            None if item.starts_with(|c: char| c.is_ascii_digit()) => ("size", item),
            None => (item, ""),
        })
        .collect();
    // Only the game knows a random board or a problem, so the twin starts from its text.
    let start = twins::needs_start(name).then(|| session.text());
    twins::twin(name, &options, start.as_deref())
}

/// Plays one random game on both; returns the number of legal moves compared.
fn compare(mut session: Box<dyn Session>, mut rng: Rng) -> Result<u64, String> {
    let mut twin = twin_of(session.as_ref()).expect("the game has a twin");
    let mut compared = 0;
    loop {
        let text = session.text();
        if twin.text() != text {
            return Err(format!("{text}, but the twin has {}", twin.text()));
        }
        let scores = unit_scores(session.as_ref());
        if twin.scores() != scores {
            return Err(format!("scores {scores:?}, but the twin has {:?} in {text}", twin.scores()));
        }
        let mut ours = session.legal_moves();
        let mut theirs = twin.legal();
        ours.sort();
        theirs.sort();
        if ours != theirs {
            return Err(format!("moves {ours:?}, but the twin has {theirs:?} in {text}"));
        }
        let Some(player) = session.to_move() else {
            return Ok(compared);
        };
        if twin.to_move() != player.index() {
            return Err(format!("the twin has player {} to move in {text}", twin.to_move()));
        }
        compared += ours.len() as u64;
        let mv = &ours[rng.below(ours.len())];
        twin.play(mv);
        session.play(mv).map_err(|error| error.to_string())?;
    }
}

/// Returns the perft count of the twin. Every line is played from the start.
fn twin_perft(session: &dyn Session, line: &mut Vec<String>, depth: u32) -> usize {
    let mut twin = twin_of(session).expect("the game has a twin");
    for mv in line.iter() {
        twin.play(mv);
    }
    let moves = twin.legal();
    if depth == 1 {
        return moves.len();
    }
    let below = |mv: String| {
        line.push(mv);
        let leaves = twin_perft(session, line, depth - 1);
        line.pop();
        leaves
    };
    moves.into_iter().map(below).sum()
}

/// Writes the perft counts of the twins to `testdata/perft/naive.perft`.
fn write_perft(specs: impl Iterator<Item = String>) {
    const MAX_LEAVES: usize = 40_000;
    let mut text = "# Perft counts of the naive twins in crates/testkit/tests/suites/twins, written by\n\
                    # TESUJI_WRITE_TWIN_PERFT=1 cargo test -p tesuji-suites --test suites\n"
        .to_string();
    for spec in specs {
        let session = tesuji_catalog::open(&spec, "start").expect("a spec of the list");
        text += &format!("\nspec {spec}\nposition start\nsource naive twin\n");
        let (mut earlier, mut leaves) = (1usize, 1usize);
        for depth in 1..=10 {
            // The next count is estimated from the last growth.
            if depth > 1 && (leaves == 0 || leaves * leaves.div_ceil(earlier) > MAX_LEAVES) {
                break;
            }
            earlier = leaves;
            leaves = twin_perft(session.as_ref(), &mut Vec::new(), depth);
            text += &format!("perft {depth} {leaves}\n");
        }
    }
    std::fs::write(data::folder().join("perft/naive.perft"), text).expect("testdata is writable");
}

/// Writes the counts instead of running tests if `TESUJI_WRITE_TWIN_PERFT` is set; returns whether
/// it did.
pub fn writes_perft() -> bool {
    let wanted = std::env::var_os("TESUJI_WRITE_TWIN_PERFT").is_some();
    if wanted {
        write_perft(data::specs().into_iter().filter(|spec| has_twin(spec)));
    }
    wanted
}

/// Returns whether the game of a spec has a twin.
fn has_twin(spec: &str) -> bool {
    tesuji_catalog::open(spec, "start").is_ok_and(|session| twin_of(session.as_ref()).is_some())
}

/// Returns the tests of this suite.
pub fn trials() -> Vec<Trial> {
    let factor = std::env::var("TESUJI_TWIN_FACTOR").map_or(1, |text| text.parse().expect("a number"));
    let trial = |spec: String| Trial::test(spec.clone(), move || compare_games(&spec, factor));
    let specs: Vec<String> = data::specs().into_iter().filter(|spec| has_twin(spec)).collect();
    let unchecked = crate::unchecked(&specs, "twin");
    let problems = Trial::test("problems inside go", move || compare_problems(factor));
    specs.into_iter().map(trial).chain([problems]).chain(unchecked).collect()
}
