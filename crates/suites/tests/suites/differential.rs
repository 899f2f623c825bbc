//! Random games of other programs, replayed move by move: `testdata/differential`.
//!
//! A seed determines a game: at every position the legal moves are sorted as texts, and the one
//! with index `mix(seed, ply) % n` is played. The data have a hash of all these lists, the length
//! and the scores. `cargo xtask differential` regenerates them.

use libtest_mimic::{Failed, Trial};
use tesuji_catalog::Session;
use tesuji_core::rng::mix;
use tesuji_suites::data::{self, PeerGame};
use tesuji_suites::unit_scores;

fn replay(mut session: Box<dyn Session>, game: &PeerGame) -> Result<(), String> {
    let mut fold = 0xCBF2_9CE4_8422_2325u64;
    for ply in 0..game.plies {
        let mut moves = session.legal_moves();
        if moves.is_empty() {
            return Err(format!("over after {ply} plies, but the other program played {}", game.plies));
        }
        moves.sort();
        for byte in moves.join(" ").bytes().chain([b'\n']) {
            fold = (fold ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
        let number = mix(game.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(u64::from(ply)));
        let chosen = &moves[(number % moves.len() as u64) as usize];
        session.play(chosen).map_err(|error| error.to_string())?;
    }
    if fold != game.fold {
        return Err(format!("the legal moves of a position differ; the game ends in {}", session.text()));
    }
    let ours = unit_scores(session.as_ref());
    match &game.scores {
        Some(scores) if ours.as_ref() != Some(scores) => {
            Err(format!("scores {ours:?}, but the other program has {scores:?} in {}", session.text()))
        }
        _ => Ok(()),
    }
}

/// Returns the tests of this suite.
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (file, text) in data::files("differential") {
        let blocks = data::games_blocks(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        for block in blocks {
            let name = format!("{}: {} games of {}", block.spec, block.games.len(), block.source);
            trials.push(Trial::test(name, move || {
                for game in &block.games {
                    let session = tesuji_catalog::open(&block.spec, "start")?;
                    replay(session, game).map_err(|error| Failed::from(format!("seed {}: {error}", game.seed)))?;
                }
                Ok(())
            }));
        }
    }
    trials
}
