//! Live analysis, in the forms of Leela Zero (`lz-`) and KataGo (`kata-`), which Sabaki, Lizzie and their kin draw on the board.
//!
//! `lz-analyze [colour] [centiseconds]` answers with `=` and then, every so often until the next line comes in, with a line of
//! `info move D4 visits 120 winrate 5432 prior 120 lcb 5391 order 0 pv D4 E5 info move ...`, the best move first. Chances are those of the player
//! to move, in ten-thousandths for Leela Zero and as fractions for KataGo. The searches here think nothing of a move before they
//! have tried it, so `prior` is the same for all.

use super::Engine;
use crate::command::{Command, Refusal};
use crate::dialect::{parse_player, write_action, write_move};
use std::time::Duration;
use tesuji_catalog::SearchSettings;
use tesuji_core::GtpDialect;
use tesuji_core::{Inspector, Limits, Observer, Player, Report};

/// How a line is written.
#[derive(Clone, Copy)]
enum Form {
    Leela,
    Kata,
}

/// What was asked for.
#[derive(Clone, Copy)]
struct Wish {
    player: Player,
    form: Form,
    interval: Duration,
    /// At least so many moves, tried or not.
    least: usize,
    most: usize,
    dialect: GtpDialect,
}

/// How often a line is written if nothing is said.
const INTERVAL: Duration = Duration::from_millis(500);
/// Nobody reads faster, and a search that is always asked does not get on.
const SHORTEST: Duration = Duration::from_millis(10);
/// Moves behind the first so many are told without the line that is expected after them: looking for it takes the search's time.
const FOLLOWED: usize = 10;
/// A line is told so far.
const LONGEST_LINE: usize = 12;
/// A lower bound is so many standard errors below the mean; five in 200 are below that.
const LOWER: f64 = 1.96;

impl Engine {
    pub(super) fn lz_analyze(&mut self, command: &Command) -> Result<(), Refusal> {
        self.analyze(command, Form::Leela)
    }

    pub(super) fn lz_genmove_analyze(&mut self, command: &Command) -> Result<(), Refusal> {
        self.genmove_analyze(command, Form::Leela)
    }

    pub(super) fn kata_analyze(&mut self, command: &Command) -> Result<(), Refusal> {
        self.analyze(command, Form::Kata)
    }

    pub(super) fn kata_genmove_analyze(&mut self, command: &Command) -> Result<(), Refusal> {
        self.genmove_analyze(command, Form::Kata)
    }

    /// Tells what it thinks until it is spoken to.
    fn analyze(&mut self, command: &Command, form: Form) -> Result<(), Refusal> {
        let wish = self.wish(&command.arguments, form)?;
        let step = self.turn(wish.player)?;
        self.begin_answer(command);
        let settings = SearchSettings {
            limits: Limits { memory: self.settings.limits.memory, ..Limits::default() },
            seed: self.settings.seed,
            threads: self.settings.threads,
            stop: self.inbox.any_line(),
            observer: Some(wish.onlooker(self)),
        };
        let report = self.search.think(self.session.as_ref(), settings).report;
        self.output.write(&wish.line(&report, None));
        self.thought = Some(report);
        // A search that has nothing left to do is waited for like any other.
        self.inbox.wait_for_news();
        self.output.write("\n");
        self.take_back(step)
    }

    /// Thinks about a move as `genmove` does, and tells on the way what it thinks.
    fn genmove_analyze(&mut self, command: &Command, form: Form) -> Result<(), Refusal> {
        let wish = self.wish(&command.arguments, form)?;
        let step = self.turn(wish.player)?;
        self.take_back(step)?;
        self.begin_answer(command);
        let done = match self.move_of(wish.player, Some(wish.onlooker(self))) {
            Ok(action) => {
                let last = self.thought.as_ref().map_or(String::new(), |report| wish.line(report, None));
                format!("{last}play {}\n\n", write_action(self.dialect, &action))
            }
            // The answer has begun, so it must be ended.
            Err(Refusal(reason)) => format!("# {reason}\n\n"),
        };
        self.output.write(&done);
        Ok(())
    }

    fn begin_answer(&self, command: &Command) {
        self.output.write(&format!("={}\n", command.id.as_deref().unwrap_or("")));
    }

    /// Reads `[colour] [centiseconds] {key value}`.
    fn wish(&self, arguments: &[String], form: Form) -> Result<Wish, Refusal> {
        let mut words = arguments.iter().map(String::as_str).peekable();
        let named = words.peek().and_then(|word| parse_player(word, self.session.as_ref()));
        let player = match named {
            Some(player) => {
                words.next();
                player
            }
            None => self.session.to_move().ok_or_else(|| Refusal::new("the game is over"))?,
        };
        let mut wish = Wish { player, form, interval: INTERVAL, least: 0, most: usize::MAX, dialect: self.dialect };
        if let Some(interval) = words.next_if(|word| word.parse::<u32>().is_ok()) {
            wish.interval = centiseconds(interval)?;
        }
        while let Some(key) = words.next() {
            let no_value = || Refusal(format!("syntax error: {key:?} has no value"));
            let mut value = || words.next().ok_or_else(no_value);
            match key {
                "interval" => wish.interval = centiseconds(value()?)?,
                "minmoves" => wish.least = number(value()?)?,
                "maxmoves" => wish.most = number(value()?)?,
                // KataGo's requests for more than a search here knows: it tells what it does.
                "ownership"
                | "ownershipStdev"
                | "movesOwnership"
                | "movesOwnershipStdev"
                | "pvVisits"
                | "pvEdgeVisits"
                | "rootInfo"
                | "noResultValue" => drop(value()?),
                _ => {
                    return Err(Refusal(format!(
                        "syntax error: {key:?} is not known; it takes a colour, an interval, minmoves and maxmoves"
                    )));
                }
            }
        }
        Ok(wish)
    }
}

fn number(word: &str) -> Result<usize, Refusal> {
    word.parse().map_err(|_| Refusal(format!("syntax error: {word:?} is no whole number")))
}

fn centiseconds(word: &str) -> Result<Duration, Refusal> {
    Ok(Duration::from_millis(10).saturating_mul(number(word)?.try_into().unwrap_or(u32::MAX)).max(SHORTEST))
}

impl Wish {
    /// Somebody who writes a line every so often.
    fn onlooker<'a>(&self, engine: &Engine) -> (Duration, Observer<'a, String>) {
        let (wish, output) = (*self, engine.output.clone());
        let look =
            move |inspector: &dyn Inspector<String>| output.write(&wish.line(&inspector.report(), Some(inspector)));
        (self.interval, Box::new(look))
    }

    /// What is known of the moves, with the end of the line; empty if nothing is.
    fn line(&self, report: &Report<String>, inspector: Option<&dyn Inspector<String>>) -> String {
        let tried = report.moves.iter().filter(|entry| entry.visits > 0).count();
        let shown = tried.max(self.least).min(self.most).min(report.moves.len());
        let prior = 1.0 / report.moves.len() as f64;
        let mut line = String::new();
        for (order, entry) in report.moves[..shown].iter().enumerate() {
            // A search without means of its own thinks of all moves what it thinks of the best.
            let chance = (entry.value.unwrap_or(report.value) + 1.0) / 2.0;
            let lower = (chance - LOWER * entry.spread.unwrap_or(0.0) / 2.0).max(0.0);
            let written = |share: f64| match self.form {
                Form::Leela => format!("{:.0}", 10_000.0 * share),
                Form::Kata => format!("{share:.6}"),
            };
            let variation = match inspector {
                _ if report.variation.first() == Some(&entry.mv) => report.variation.clone(),
                Some(inspector) if order < FOLLOWED => follow(&entry.mv, inspector),
                _ => vec![entry.mv.clone()],
            };
            let variation: Vec<String> =
                variation.iter().take(LONGEST_LINE).map(|mv| write_move(self.dialect, mv)).collect();
            line += &format!(
                "{}info move {} visits {} winrate {} prior {} lcb {} order {order} pv {}",
                if order == 0 { "" } else { " " },
                write_move(self.dialect, &entry.mv),
                entry.visits,
                written(chance),
                written(prior),
                written(lower),
                variation.join(" "),
            );
        }
        if shown > 0 {
            line.push('\n');
        }
        line
    }
}

/// How the game goes on after a move, as far as the search has looked.
fn follow(mv: &str, inspector: &dyn Inspector<String>) -> Vec<String> {
    let mut line = vec![mv.to_string()];
    while line.len() < LONGEST_LINE {
        let next = inspector.look(&line).and_then(|moves| moves.into_iter().max_by_key(|entry| entry.visits));
        match next {
            Some(entry) if entry.visits > 0 => line.push(entry.mv),
            _ => break,
        }
    }
    line
}
