//! Searching for a move, and the time for it.

use super::{Engine, one};
use crate::clock::{Clocks, seconds};
use crate::command::{Refusal, Response};
use crate::dialect::write_action;
use std::time::{Duration, Instant};
use tesuji_catalog::{Action, SearchResult, SearchSettings};
use tesuji_core::time::Clock;
use tesuji_core::{Limits, Observer, Player, quoted};

/// The time of a move without any limit.
const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// How a search for a move is watched.
#[derive(Default)]
pub struct Watch<'a> {
    /// An observer and its interval.
    pub observer: Option<(Duration, Observer<'a, String>)>,
    /// Whether the owners of the points are counted.
    pub owners: bool,
}

/// A move, and the ownership of the points if it was asked for.
pub type WatchedMove = (Action, Option<Vec<f64>>);

impl Engine {
    pub(super) fn genmove(&mut self, arguments: &[String]) -> Response {
        let player = self.player(one(arguments)?)?;
        let (action, _) = self.generate_move(player, Watch::default())?;
        Ok(write_action(self.dialect, &action))
    }

    /// Searches for a player's move and plays it.
    pub(super) fn generate_move(&mut self, player: Player, watch: Watch<'_>) -> Result<WatchedMove, Refusal> {
        let step = self.turn(player)?;
        let begin = Instant::now();
        let clock = self.clocks.as_ref().map(|clocks| clocks.clock(player.index()));
        let (action, ownership) = match self.think(clock, watch) {
            Ok(found) => found,
            Err(refusal) => {
                self.undo_step(step)?;
                return Err(refusal);
            }
        };
        if let Some(clocks) = &mut self.clocks {
            clocks.spend(player.index(), begin.elapsed());
        }
        match &action {
            Action::Move(mv) => self.play_move(step, mv)?,
            Action::Resign => self.undo_step(step)?,
        }
        Ok((action, ownership))
    }

    /// Searches for a move without playing it and without the clock.
    pub(super) fn reg_genmove(&mut self, arguments: &[String]) -> Response {
        let player = self.player(one(arguments)?)?;
        let step = self.turn(player)?;
        let found = self.think(None, Watch::default());
        self.undo_step(step)?;
        Ok(write_action(self.dialect, &found?.0))
    }

    /// Searches the position, on a clock if there is one. Besides its limits only GoGui's interrupt
    /// stops the search.
    fn think(&mut self, clock: Option<Clock>, watch: Watch<'_>) -> Result<WatchedMove, Refusal> {
        let limits = self.settings.limits;
        let settings = SearchSettings {
            limits: if clock.is_some() { limits } else { bounded(limits) },
            clock,
            seed: self.settings.seed.wrapping_add(self.session.moves().len() as u64),
            threads: self.settings.threads,
            stop: self.inbox.stop_on_interrupt(),
            observer: watch.observer,
            owners: watch.owners,
        };
        let SearchResult { report, ownership, .. } = self.search.think(self.session.as_ref(), settings);
        let best = report.best.clone().ok_or_else(|| Refusal::new("the game is over"))?;
        let win_rate = (report.value + 1.0) / 2.0;
        self.last_report = Some(report);
        let resigns = self.settings.resign.is_some_and(|limit| win_rate < limit);
        Ok((if resigns { Action::Resign } else { Action::Move(best) }, ownership))
    }

    pub(super) fn time_settings(&mut self, arguments: &[String]) -> Response {
        let [main, period, stones] = arguments else {
            return Err(Refusal::new("syntax error: it takes main time, byo yomi time and byo yomi stones"));
        };
        self.clocks = Clocks::canadian(seconds(main)?, seconds(period)?, whole(stones)?);
        Ok(String::new())
    }

    pub(super) fn kgs_time_settings(&mut self, arguments: &[String]) -> Response {
        self.clocks = Clocks::kgs(arguments)?;
        Ok(String::new())
    }

    /// As for MoHex, the number of stones and an earlier `time_settings` are optional.
    pub(super) fn time_left(&mut self, arguments: &[String]) -> Response {
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

/// Returns the limits, with the default time if nothing else ends a search.
fn bounded(limits: Limits) -> Limits {
    let unlimited = limits.time.is_none() && limits.playouts.is_none() && limits.nodes.is_none();
    Limits { time: if unlimited { Some(DEFAULT_TIME) } else { limits.time }, ..limits }
}

fn whole(word: &str) -> Result<u32, Refusal> {
    word.parse().map_err(|_| Refusal(format!("{word} is not a number of stones", word = quoted(word))))
}
