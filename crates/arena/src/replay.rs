//! Replays games of a log with the rules.

use crate::referee::{End, PlayedGame, result};
use tesuji_catalog::{Session, open};

impl PlayedGame {
    /// Checks that the moves are legal, and that they lead to the result; the error says what is
    /// wrong. The description of the result is not compared: its wording may change.
    pub fn check(&self) -> Result<(), String> {
        let mut game = open(&self.game, &self.opening).map_err(|error| format!("its opening: {error}"))?;
        // A board may have no moves; it is the same for all players.
        if let Some(ending) = game.ending().filter(|_| self.seats.len() > 1) {
            return Err(format!("its opening ends the game: {}", ending.words));
        }
        for (number, mv) in (1..).zip(&self.moves) {
            game.play(mv).map_err(|error| format!("move {number} after the opening: {error}"))?;
        }
        self.check_end(game.as_ref())?;
        let (verdicts, scores, _) = result(game.as_ref(), &self.end, self.seats.len());
        if self.verdicts != verdicts {
            return Err(format!("its verdicts are {:?}; its moves lead to {verdicts:?}", self.verdicts));
        }
        if self.scores != scores {
            let text = |scores: &Option<Vec<_>>| scores.as_ref().map_or("none".to_string(), |all| format!("{all:?}"));
            return Err(format!("its scores are {}; its moves lead to {}", text(&self.scores), text(&scores)));
        }
        match self.timing.seconds.iter().find(|seconds| !(0.0..f64::INFINITY).contains(*seconds)) {
            Some(seconds) => Err(format!("its timing has {seconds} seconds; expected 0 or more")),
            None => Ok(()),
        }
    }

    /// Checks that the game could end after its last move as it says.
    fn check_end(&self, game: &dyn Session) -> Result<(), String> {
        let (seat, what) = match self.end {
            End::Rules if game.ending().is_some() => return Ok(()),
            End::Rules => return Err("it is said to end by the rules; its moves do not end it".to_string()),
            End::Resigned { seat } => (seat, "resign"),
            End::Fault { seat, .. } => (seat, "fail"),
        };
        let may_end = match game.to_move() {
            None => return Err(format!("seat {} is said to {what}; the game was over", seat + 1)),
            // A program may also fail when the game starts.
            Some(player) => player.index() == seat || (self.moves.is_empty() && matches!(self.end, End::Fault { .. })),
        };
        if may_end { Ok(()) } else { Err(format!("seat {} is said to {what}; it was not its turn", seat + 1)) }
    }
}
