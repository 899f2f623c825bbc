//! The passes in which a question is searched, and the questions that were asked before.

use super::settings::{Ghi, Settings, Sums, Ties};
use crate::proving::checkpoint::{CheckpointReader, CheckpointWriter, damaged};
use crate::proving::path::{CycleRule, RepetitionModel, SearchPath};
use std::io;
use tesuji_core::{History, Knowledge, Question};

/// One search for the answer to a question under a repetition model.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pass {
    pub model: RepetitionModel,
    /// A cycle gets the largest finite number instead of an answer ([`Ghi::Nagai`]).
    pub cycles_are_open: bool,
    pub sums: Sums,
    pub ties: Ties,
}

impl Pass {
    /// Returns the passes under a model, to be tried in order until one solves the root.
    ///
    /// Around a cycle plain sums can double again and again until they saturate, while weak sums
    /// grow by one at a time; and a preference for the child that is hardest to refute may prefer
    /// the cycle forever, while a preference for the smallest delta moves on. Weak sums with the
    /// smallest delta are therefore the last resort.
    pub fn all(model: RepetitionModel, settings: &Settings) -> Vec<Pass> {
        let pass = |cycles_are_open| Pass { model, cycles_are_open, sums: settings.sums, ties: settings.ties };
        let mut passes = vec![pass(false)];
        if settings.ghi == Ghi::Nagai && matches!(model.cycles, CycleRule::Answer(_)) {
            passes.insert(0, pass(true));
        }
        if !passes.iter().any(Pass::is_last_resort) {
            passes.push(Pass { sums: Sums::Weak, ties: Ties::Less, ..pass(false) });
        }
        passes
    }

    /// Whether no pass under the same model comes after this one.
    pub fn is_last_resort(&self) -> bool {
        self.sums == Sums::Weak && self.ties == Ties::Less && !self.cycles_are_open
    }
}

/// A question that was asked before, as it was searched in one pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EarlierQuestion {
    /// The number xored to the keys of positions in the table.
    pub salt: u64,
    /// See [`SearchPath::terminal_history_hash`].
    history: u64,
    player: u8,
    at_least: i32,
    /// The only valid answer; `None` if both are valid.
    valid_answer: Option<bool>,
}

impl EarlierQuestion {
    pub fn new<G: Knowledge>(root: &History<G>, question: &Question, pass: &Pass) -> EarlierQuestion {
        let cycles = match pass.model.cycles {
            CycleRule::Impossible => 1,
            CycleRule::Answer(false) => 2,
            CycleRule::Answer(true) => 3,
            CycleRule::Forbidden => 4,
            CycleRule::Exact => 5,
        };
        let (player, at_least) = (question.prover().0, question.at_least);
        let way = cycles | u64::from(pass.cycles_are_open) << 8 | (pass.sums as u64) << 12 | (pass.ties as u64) << 16;
        let history = if pass.model.cycles == CycleRule::Impossible {
            0
        } else {
            SearchPath::new(root, *question, pass.model.cycles, false).terminal_history_hash()
        };
        let salt = mix(mix(way << 40 | u64::from(player) << 32 | u64::from(at_least as u32)) ^ history);
        EarlierQuestion { salt, history, player, at_least, valid_answer: pass.model.valid_answer }
    }

    /// Whether the two questions are different, and about the same player and history.
    pub fn is_about_same_history(&self, other: &EarlierQuestion) -> bool {
        self.player == other.player && self.history == other.history && self.salt != other.salt
    }

    /// What an answer to this question implies for another score of the same player.
    pub fn implies(&self, holds: bool, at_least: i32) -> Option<bool> {
        let is_valid = self.valid_answer.is_none_or(|valid| valid == holds);
        let reaches = if holds { self.at_least >= at_least } else { self.at_least <= at_least };
        (is_valid && reaches).then_some(holds)
    }

    pub fn save(&self, writer: &mut CheckpointWriter<'_>) -> io::Result<()> {
        writer.number(self.salt)?;
        writer.number(self.history)?;
        writer.number(u64::from(self.player))?;
        writer.signed(i64::from(self.at_least))?;
        writer.number(self.valid_answer.map_or(0, |valid| 1 + u64::from(valid)))
    }

    pub fn restore(reader: &mut CheckpointReader<'_>) -> io::Result<EarlierQuestion> {
        let (salt, history) = (reader.number()?, reader.number()?);
        let player = reader.at_most(255)? as u8;
        let at_least = i32::try_from(reader.signed()?).map_err(|_| damaged("a score is too large"))?;
        let valid_answer = [None, Some(false), Some(true)][reader.at_most(2)? as usize];
        Ok(EarlierQuestion { salt, history, player, at_least, valid_answer })
    }
}

/// Spreads the bits of a number. The keys in checkpoints depend on it.
pub fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 31).wrapping_mul(0x7FB5_D329_728E_A185);
    (number ^ number >> 27).wrapping_mul(0x81DA_DEF4_BC2D_D44D) ^ number >> 33
}
