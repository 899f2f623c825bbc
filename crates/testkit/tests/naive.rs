//! Every game against its naive twin: the same moves, texts and scores in every position of many random games.

mod twins;

use libtest_mimic::{Arguments, Failed, Trial};
use tesuji_core::{History, Knowledge, Rng, Visitor};
use tesuji_testkit::data;

/// Random games per spec at most, and legal moves compared in them at most: naive play of long games on large boards is
/// slow. `TESUJI_TWIN_FACTOR` multiplies both.
const GAMES: u64 = 500;
const COMPARED_MOVES: u64 = 300_000;

struct Compare<'a> {
    spec: &'a str,
    factor: u64,
}

impl Visitor for Compare<'_> {
    type Output = Result<(), String>;

    fn visit<G: Knowledge>(self) -> Self::Output {
        let rules = tesuji_games::rules::<G>(self.spec).map_err(|error| error.to_string())?;
        let mut compared = 0;
        for seed in 0..GAMES * self.factor {
            let history = History::<G>::new(rules.clone());
            compared += compare(self.spec, history, Rng::new(seed)).map_err(|error| format!("seed {seed}: {error}"))?;
            if compared > COMPARED_MOVES * self.factor {
                break;
            }
        }
        Ok(())
    }
}

/// Plays one random game on both; gives the number of legal moves compared.
fn compare<G: Knowledge>(spec: &str, mut history: History<G>, mut rng: Rng) -> Result<u64, String> {
    let (name, items) = spec.split_once(':').unwrap_or((spec, ""));
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
    let start = (history.facts().players == 1).then(|| history.position().text());
    let mut twin = twins::twin(name, &options, start.as_deref());
    let mut moves = Vec::new();
    let mut compared = 0;
    loop {
        let text = history.position().text();
        if twin.text() != text {
            return Err(format!("{text}, but the twin has {}", twin.text()));
        }
        let scores = history.outcome().map(|outcome| outcome.scores().to_vec());
        if twin.scores() != scores {
            return Err(format!("scores {scores:?}, but the twin says {:?} in {text}", twin.scores()));
        }
        moves.clear();
        history.legal_moves(&mut moves);
        let mut ours: Vec<String> = moves.iter().map(|&mv| history.position().move_text(mv)).collect();
        let mut theirs = twin.legal();
        ours.sort();
        theirs.sort();
        if ours != theirs {
            return Err(format!("moves {ours:?}, but the twin has {theirs:?} in {text}"));
        }
        if moves.is_empty() {
            return Ok(compared);
        }
        compared += moves.len() as u64;
        if twin.to_move() != history.position().to_move().index() {
            return Err(format!("the twin has player {} to move in {text}", twin.to_move()));
        }
        let mv = moves[rng.below(moves.len())];
        twin.play(&history.position().move_text(mv));
        history.play(mv);
    }
}

fn main() {
    let arguments = Arguments::from_args();
    let factor = std::env::var("TESUJI_TWIN_FACTOR").map_or(1, |text| text.parse().expect("a number"));
    let variants = std::fs::read_to_string(data::folder().join("variants.txt")).expect("testdata/variants.txt");
    let defaults = tesuji_games::INFOS.iter().map(|info| info.name.to_string());
    // A synthetic game is its own definition: there is nothing to be naive about.
    let specs = defaults.chain(data::spec_list(&variants)).filter(|spec| !spec.starts_with("synthetic"));
    let trials = specs.map(|spec| {
        Trial::test(spec.clone(), move || {
            let name = spec.split(':').next().unwrap_or("");
            tesuji_games::visit(name, Compare { spec: &spec, factor }).ok_or("no such game")?.map_err(Failed::from)
        })
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}
