//! Fingerprints of rules: whether two programs play the same game.

use tesuji_catalog::{OpenError, Session, open};
use tesuji_core::Rng;

/// The number of random games that a fingerprint covers. Raising it finds rarer differences and
/// takes longer.
const GAMES: u64 = 8;
/// The most moves of each. Every position on the way is part of the fingerprint.
const MOVES: usize = 200;

/// Returns the fingerprint of the rules of a game spec. It covers the properties of the game, and
/// the positions, keys, legal moves and results of random games.
pub fn fingerprint(game: &str) -> Result<String, OpenError> {
    let mut hasher = crc32fast::Hasher::new();
    for number in 0..GAMES {
        let mut session = open(game, "start")?;
        let facts = serde_json::to_string(&session.facts()).expect("facts are representable");
        hasher.update(facts.as_bytes());
        let mut rng = Rng::stream(number, 0);
        for _ in 0..MOVES {
            add(&mut hasher, session.as_ref());
            let Some(mv) = session.random_move(&mut rng) else { break };
            session.play(&mv).expect("it is a legal move");
        }
    }
    Ok(format!("{:08x}", hasher.finalize()))
}

/// Adds the current position of a game.
fn add(hasher: &mut crc32fast::Hasher, session: &dyn Session) {
    hasher.update(&session.key().to_le_bytes());
    hasher.update(session.text().as_bytes());
    for mv in session.legal_moves() {
        hasher.update(mv.as_bytes());
        hasher.update(b" ");
    }
    if let Some(ending) = session.ending() {
        hasher.update(ending.words.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_with_different_rules_have_different_fingerprints() {
        let mut seen = Vec::new();
        for spec in ["connect4", "connect4:6x5", "go:5", "go:5,komi=0.5", "hex:4", "hex:4,swap"] {
            let print = fingerprint(spec).unwrap();
            assert_eq!(fingerprint(spec).unwrap(), print);
            assert!(!seen.contains(&print), "{spec}");
            seen.push(print);
        }
        assert!(fingerprint("no-such-game").is_err());
    }
}
