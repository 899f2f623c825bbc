//! What a checkpoint keeps of a cluster: the trees of the master. The tables of the workers are
//! lost with them.
//!
//! It is a JSON object, followed by its CRC-32 (4 bytes, little-endian).

use super::{Asked, Proving};
use crate::tree::Tree;
use serde::{Deserialize, Serialize};
use std::io::{self, Error, ErrorKind, Read, Write};

/// The version of the format.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Saved {
    version: u32,
    trees: Vec<SavedTree>,
}

#[derive(Serialize, Deserialize)]
struct SavedTree {
    game: String,
    position: String,
    seat: u8,
    at_least: i32,
    tree: Tree,
}

fn damaged(reason: &str) -> Error {
    Error::new(ErrorKind::InvalidData, format!("damaged: {reason}"))
}

impl Proving {
    /// Writes the trees.
    pub fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let trees = self.trees.iter().map(|asked| SavedTree {
            game: asked.game.clone(),
            position: asked.position.clone(),
            seat: asked.seat,
            at_least: asked.at_least,
            tree: asked.tree.clone(),
        });
        let text = serde_json::to_vec(&Saved { version: VERSION, trees: trees.collect() })?;
        out.write_all(&text)?;
        out.write_all(&crc32fast::hash(&text).to_le_bytes())
    }

    /// Replaces the trees with those that were written.
    pub fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let mut text = Vec::new();
        input.read_to_end(&mut text)?;
        let sum = text.len().checked_sub(4).map(|length| text.split_off(length));
        let sum = sum.ok_or_else(|| damaged("the file is truncated"))?;
        if crc32fast::hash(&text).to_le_bytes().as_slice() != sum {
            return Err(damaged("the checksum of the trees does not match"));
        }
        let saved: Saved = serde_json::from_slice(&text).map_err(|error| damaged(&error.to_string()))?;
        if saved.version != VERSION || !saved.trees.iter().all(|saved| saved.tree.is_consistent()) {
            return Err(damaged("the trees are not of this version"));
        }
        let asked = saved.trees.into_iter().map(|saved| Asked {
            game: saved.game,
            position: saved.position,
            seat: saved.seat,
            at_least: saved.at_least,
            tree: saved.tree,
        });
        (self.trees, self.last_answered) = (asked.collect(), None);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Inquiry;
    use tesuji_catalog::{CrewPlan, Vote, open};
    use tesuji_core::{Bounds, Player, Question};

    fn proving() -> Proving {
        Proving::new(CrewPlan { specs: vec!["dfpn".parse().unwrap()], vote: Vote::Majority, slice: 1, slices: 1 })
    }

    #[test]
    fn trees_are_saved_and_restored() {
        let game = open("tictactoe", "start").unwrap();
        let known = Bounds::unknown(Player::FIRST, &game.facts());
        let inquiry = Inquiry::new(game.as_ref(), Question { known, at_least: 0 });
        let mut one = proving();
        one.plant(&inquiry, game.as_ref());
        one.trees[0].tree.expand(0, inquiry.children(game.as_ref(), &[]));
        let mut file = Vec::new();
        one.save(&mut file).unwrap();
        let mut other = proving();
        other.restore(&mut file.as_slice()).unwrap();
        let mut again = Vec::new();
        other.save(&mut again).unwrap();
        assert_eq!((other.trees.len(), other.trees[0].tree.len(), other.trees[0].position.as_str()), (1, 10, "start"));
        for at in [0, file.len() / 2, file.len() - 1] {
            let mut broken = file.clone();
            broken[at] ^= 1;
            assert!(proving().restore(&mut broken.as_slice()).is_err());
            assert!(proving().restore(&mut &file[..at]).is_err());
        }
    }
}
