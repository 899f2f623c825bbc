//! Thinking, and the time for it.

use super::{Engine, one};
use crate::clock::{Clocks, seconds};
use crate::command::{Answer, Refusal};
use crate::dialect::write_action;
use std::time::{Duration, Instant};
use tesuji_catalog::{Action, SearchSettings};
use tesuji_core::{Limits, Observer, Player};

/// How long a move takes if nothing limits it.
const TIME: Duration = Duration::from_secs(5);

/// Somebody who looks on, and how often.
pub type Onlooker<'a> = Option<(Duration, Observer<'a, String>)>;

impl Engine {
    pub(super) fn genmove(&mut self, arguments: &[String]) -> Answer {
        let player = self.player(one(arguments)?)?;
        let action = self.move_of(player, None)?;
        Ok(write_action(self.dialect, &action))
    }

    /// Thinks about the move of a player, and plays it.
    pub(super) fn move_of(&mut self, player: Player, onlooker: Onlooker<'_>) -> Result<Action, Refusal> {
        let step = self.turn(player)?;
        let begin = Instant::now();
        let limits = self.limits(player);
        let action = match self.think(limits, onlooker) {
            Ok(action) => action,
            Err(refusal) => {
                self.take_back(step)?;
                return Err(refusal);
            }
        };
        if let Some(clocks) = &mut self.clocks {
            clocks.spend(player.index(), begin.elapsed());
        }
        match &action {
            Action::Move(mv) => self.go_on(step, mv)?,
            Action::Resign => self.take_back(step)?,
        }
        Ok(action)
    }

    /// The same, but nothing is played, and no clock runs.
    pub(super) fn reg_genmove(&mut self, arguments: &[String]) -> Answer {
        let player = self.player(one(arguments)?)?;
        let step = self.turn(player)?;
        let action = self.think(ended(self.settings.limits), None);
        self.take_back(step)?;
        Ok(write_action(self.dialect, &action?))
    }

    /// Lets the search think about the position, which only GoGui's interrupt stops before its limits do.
    fn think(&mut self, limits: Limits, onlooker: Onlooker<'_>) -> Result<Action, Refusal> {
        let settings = SearchSettings {
            limits,
            seed: self.settings.seed.wrapping_add(self.session.moves().len() as u64),
            threads: self.settings.threads,
            stop: self.inbox.interruption(),
            observer: onlooker,
        };
        let report = self.search.think(self.session.as_ref(), settings).report;
        let best = report.best.clone().ok_or_else(|| Refusal::new("the game is over"))?;
        let chance = (report.value + 1.0) / 2.0;
        self.thought = Some(report);
        let gives_up = self.settings.resign.is_some_and(|limit| chance < limit);
        Ok(if gives_up { Action::Resign } else { Action::Move(best) })
    }

    /// The limits of a move: those of the engine, and the share of the clock.
    fn limits(&self, player: Player) -> Limits {
        let limits = self.settings.limits;
        let Some(clocks) = &self.clocks else { return ended(limits) };
        let share = clocks.share(player.index());
        Limits { time: Some(limits.time.map_or(share, |time| time.min(share))), ..limits }
    }

    pub(super) fn time_settings(&mut self, arguments: &[String]) -> Answer {
        let [main, period, stones] = arguments else {
            return Err(Refusal::new("syntax error: it takes main time, byo yomi time and byo yomi stones"));
        };
        self.clocks = Clocks::canadian(seconds(main)?, seconds(period)?, whole(stones)?);
        Ok(String::new())
    }

    pub(super) fn kgs_time_settings(&mut self, arguments: &[String]) -> Answer {
        self.clocks = Clocks::kgs(arguments)?;
        Ok(String::new())
    }

    /// MoHex is told no stones, and may be told the time without settings.
    pub(super) fn time_left(&mut self, arguments: &[String]) -> Answer {
        let (colour, time, stones) = match arguments {
            [colour, time] => (colour, time, 0),
            [colour, time, stones] => (colour, time, whole(stones)?),
            _ => return Err(Refusal::new("syntax error: it takes a colour, a time and a number of stones")),
        };
        let (seat, time) = (self.player(colour)?.index(), seconds(time)?);
        match &mut self.clocks {
            Some(clocks) => clocks.set(seat, time, stones),
            None => self.clocks = Clocks::canadian(time, Duration::ZERO, 0),
        }
        Ok(String::new())
    }
}

/// The limits, which end a search.
fn ended(limits: Limits) -> Limits {
    let endless = limits.time.is_none() && limits.playouts.is_none() && limits.nodes.is_none();
    Limits { time: if endless { Some(TIME) } else { limits.time }, ..limits }
}

fn whole(word: &str) -> Result<u32, Refusal> {
    word.parse().map_err(|_| Refusal(format!("{word:?} is no number of stones")))
}
