//! Every game against its naive twin: the same moves, texts and scores in every position of many random games.

mod twins;

use libtest_mimic::{Arguments, Failed, Trial};
use tesuji_catalog::Session;
use tesuji_core::Rng;
use tesuji_testkit::data;

/// Random games per spec at most, and legal moves compared in them at most: naive play of long games on large boards is
/// slow. `TESUJI_TWIN_FACTOR` multiplies both.
const GAMES: u64 = 500;
const COMPARED_MOVES: u64 = 300_000;

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

/// Plays one random game on both; gives the number of legal moves compared.
fn compare(mut session: Box<dyn Session>, mut rng: Rng) -> Result<u64, String> {
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
    // A board drawn by lot is known to the game alone: there the twin begins from the text.
    let start = (session.facts().players == 1).then(|| session.text());
    let mut twin = twins::twin(name, &options, start.as_deref());
    let mut compared = 0;
    loop {
        let text = session.text();
        if twin.text() != text {
            return Err(format!("{text}, but the twin has {}", twin.text()));
        }
        let scores = session.ending().map(|ending| ending.scores);
        if twin.scores() != scores {
            return Err(format!("scores {scores:?}, but the twin says {:?} in {text}", twin.scores()));
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

fn main() {
    let arguments = Arguments::from_args();
    let factor = std::env::var("TESUJI_TWIN_FACTOR").map_or(1, |text| text.parse().expect("a number"));
    let variants = std::fs::read_to_string(data::folder().join("variants.txt")).expect("testdata/variants.txt");
    let defaults = tesuji_games::INFOS.iter().map(|info| info.name.to_string());
    // A synthetic game is its own definition: there is nothing to be naive about.
    let specs = defaults.chain(data::spec_list(&variants)).filter(|spec| !spec.starts_with("synthetic"));
    let trials = specs.map(|spec| Trial::test(spec.clone(), move || compare_games(&spec, factor)));
    libtest_mimic::run(&arguments, trials.collect()).exit();
}
