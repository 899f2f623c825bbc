//! Random games that peers played, replayed move for move: `testdata/differential`.
//!
//! A seed gives the game: at every position the legal moves are sorted as texts, and number `mix(seed, ply) % n` is played.
//! The peer wrote down a hash of all these lists, the length and the scores. `cargo xtask differential` makes the data anew.

use libtest_mimic::{Arguments, Failed, Trial};
use tesuji_core::rng::mix;
use tesuji_core::{History, Knowledge, Visitor};
use tesuji_testkit::data::{self, GamesBlock, PeerGame};

struct Replay<'a>(&'a GamesBlock);

impl Visitor for Replay<'_> {
    type Output = Result<(), String>;

    fn visit<G: Knowledge>(self) -> Self::Output {
        let rules = tesuji_games::rules::<G>(&self.0.spec).map_err(|error| error.to_string())?;
        for game in &self.0.games {
            replay(History::<G>::new(rules.clone()), game).map_err(|error| format!("seed {}: {error}", game.seed))?;
        }
        Ok(())
    }
}

fn replay<G: Knowledge>(mut history: History<G>, game: &PeerGame) -> Result<(), String> {
    let mut fold = 0xCBF2_9CE4_8422_2325u64;
    let mut moves = Vec::new();
    for ply in 0..game.plies {
        moves.clear();
        history.legal_moves(&mut moves);
        if moves.is_empty() {
            return Err(format!("over after {ply} plies, the peer played {}", game.plies));
        }
        let mut named: Vec<(String, G::Move)> =
            moves.iter().map(|&mv| (history.position().move_text(mv), mv)).collect();
        named.sort_by(|left, right| left.0.cmp(&right.0));
        let texts: Vec<&str> = named.iter().map(|(text, _)| text.as_str()).collect();
        for byte in texts.join(" ").bytes().chain([b'\n']) {
            fold = (fold ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
        let number = mix(game.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(u64::from(ply)));
        history.play(named[(number % named.len() as u64) as usize].1);
    }
    if fold != game.fold {
        return Err(format!("the legal moves of some position differ; the game ends in {}", history.position().text()));
    }
    match (&game.scores, history.outcome()) {
        (None, _) => Ok(()),
        (Some(scores), Some(outcome)) if outcome.scores() == scores.as_slice() => Ok(()),
        (Some(scores), outcome) => {
            let ours = outcome.map(|outcome| outcome.scores().to_vec());
            Err(format!("scores {ours:?}, the peer says {scores:?} in {}", history.position().text()))
        }
    }
}

fn main() {
    let arguments = Arguments::from_args();
    let mut files: Vec<_> = std::fs::read_dir(data::folder().join("differential"))
        .expect("testdata/differential")
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    files.sort();
    let mut trials = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        let blocks = data::games_blocks(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for block in blocks {
            let name = format!("{}: {} games of {}", block.spec, block.games.len(), block.source);
            trials.push(Trial::test(name, move || {
                let game = block.spec.split(':').next().unwrap_or("");
                tesuji_games::visit(game, Replay(&block)).ok_or("no such game")?.map_err(Failed::from)
            }));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}
