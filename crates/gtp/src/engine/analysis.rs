//! Live analysis in the formats of Leela Zero (`lz-`) and KataGo (`kata-`), which Sabaki and Lizzie
//! display.
//!
//! `lz-analyze [colour] [centiseconds]` answers with `=` and then, at that interval until the next
//! line of input, with
//! `info move D4 visits 120 winrate 5432 prior 120 lcb 5391 order 0 pv D4 E5 info move ...`, best
//! move first. Win rates are those of the player to move, in ten-thousandths for Leela Zero and as
//! fractions for KataGo. The searches have no move priors, so `prior` is uniform.

use super::Engine;
use super::think::Watch;
use crate::command::{Command, Refusal};
use crate::dialect::{parse_player, write_action, write_move};
use std::time::Duration;
use tesuji_catalog::SearchSettings;
use tesuji_core::GtpDialect;
use tesuji_core::{Inspector, Limits, Observer, Player, Report, quoted};

/// The format of an analysis line.
#[derive(Clone, Copy)]
enum Format {
    Leela,
    Kata,
}

/// The parameters of an analysis command.
#[derive(Clone)]
struct Analysis {
    player: Player,
    format: Format,
    interval: Duration,
    /// The least number of moves shown, visited or not.
    min_moves: usize,
    max_moves: usize,
    /// Whether the owners of the points are shown.
    has_ownership: bool,
    dialect: GtpDialect,
}

/// The default interval between lines.
const INTERVAL: Duration = Duration::from_millis(500);
/// The shortest interval: reports take time from the search.
const MIN_INTERVAL: Duration = Duration::from_millis(10);
/// The number of moves shown with their main line: following a line takes time from the search.
const MOVES_WITH_LINES: usize = 10;
/// The most moves of a main line.
const LONGEST_LINE: usize = 12;
/// The lower confidence bound in standard errors below the mean: 97.5 %, one-sided.
const LCB_Z: f64 = 1.96;

impl Engine {
    pub(super) fn lz_analyze(&mut self, command: &Command) -> Result<(), Refusal> {
        self.analyze(command, Format::Leela)
    }

    pub(super) fn lz_genmove_analyze(&mut self, command: &Command) -> Result<(), Refusal> {
        self.genmove_analyze(command, Format::Leela)
    }

    pub(super) fn kata_analyze(&mut self, command: &Command) -> Result<(), Refusal> {
        self.analyze(command, Format::Kata)
    }

    pub(super) fn kata_genmove_analyze(&mut self, command: &Command) -> Result<(), Refusal> {
        self.genmove_analyze(command, Format::Kata)
    }

    /// Analyses until the next line of input.
    fn analyze(&mut self, command: &Command, format: Format) -> Result<(), Refusal> {
        let analysis = self.parse_analysis(&command.arguments, format)?;
        let step = self.turn(analysis.player)?;
        self.begin_response(command);
        let settings = SearchSettings {
            limits: Limits { memory: self.settings.limits.memory, ..Limits::default() },
            clock: None,
            seed: self.settings.seed,
            threads: self.settings.threads,
            stop: self.inbox.stop_on_any_line(),
            observer: Some(analysis.observer(self)),
            owners: analysis.has_ownership,
        };
        let result = self.search.think(self.session.as_ref(), settings);
        self.output.write(&analysis.line(&result.report, result.ownership.as_deref(), None));
        self.last_report = Some(result.report);
        // The response ends with the next input even if the search finished before.
        self.inbox.wait_for_input();
        self.output.write("\n");
        self.undo_step(step)
    }

    /// Plays a move as `genmove` does, and writes analysis lines while it thinks.
    fn genmove_analyze(&mut self, command: &Command, format: Format) -> Result<(), Refusal> {
        let analysis = self.parse_analysis(&command.arguments, format)?;
        let step = self.turn(analysis.player)?;
        self.undo_step(step)?;
        self.begin_response(command);
        let watch = Watch { observer: Some(analysis.observer(self)), owners: analysis.has_ownership };
        let done = match self.generate_move(analysis.player, watch) {
            Ok((action, ownership)) => {
                let line = |report| analysis.line(report, ownership.as_deref(), None);
                let last = self.last_report.as_ref().map_or(String::new(), line);
                format!("{last}play {}\n\n", write_action(self.dialect, &action))
            }
            // The response has started, so it must be completed.
            Err(Refusal(reason)) => format!("# {reason}\n\n"),
        };
        self.output.write(&done);
        Ok(())
    }

    fn begin_response(&self, command: &Command) {
        self.output.write(&format!("={}\n", command.id.as_deref().unwrap_or("")));
    }

    /// Parses `[colour] [centiseconds] {key value}`.
    fn parse_analysis(&self, arguments: &[String], format: Format) -> Result<Analysis, Refusal> {
        let mut words = arguments.iter().map(String::as_str).peekable();
        let named = words.peek().and_then(|word| parse_player(word, self.session.as_ref()));
        let player = match named {
            Some(player) => {
                words.next();
                player
            }
            None => self.session.to_move().ok_or_else(|| Refusal::new("the game is over"))?,
        };
        let mut analysis = Analysis {
            player,
            format,
            interval: INTERVAL,
            min_moves: 0,
            max_moves: usize::MAX,
            has_ownership: false,
            dialect: self.dialect,
        };
        if let Some(interval) = words.next_if(|word| word.parse::<u32>().is_ok()) {
            analysis.interval = centiseconds(interval)?;
        }
        while let Some(key) = words.next() {
            let no_value = || Refusal(format!("syntax error: {key} has no value", key = quoted(key)));
            let mut value = || words.next().ok_or_else(no_value);
            match key {
                "interval" => analysis.interval = centiseconds(value()?)?,
                "minmoves" => analysis.min_moves = number(value()?)?,
                "maxmoves" => analysis.max_moves = number(value()?)?,
                "ownership" => analysis.has_ownership = value()? == "true",
                // KataGo's options for outputs that Tesuji does not have.
                "ownershipStdev"
                | "movesOwnership"
                | "movesOwnershipStdev"
                | "pvVisits"
                | "pvEdgeVisits"
                | "rootInfo"
                | "noResultValue" => drop(value()?),
                _ => {
                    return Err(Refusal(format!(
                        "syntax error: {key} is not known; it takes a colour, an interval, minmoves, maxmoves and ownership",
                        key = quoted(key)
                    )));
                }
            }
        }
        Ok(analysis)
    }
}

fn number(word: &str) -> Result<usize, Refusal> {
    word.parse().map_err(|_| Refusal(format!("syntax error: {word} is not a whole number", word = quoted(word))))
}

fn centiseconds(word: &str) -> Result<Duration, Refusal> {
    Ok(Duration::from_millis(10).saturating_mul(number(word)?.try_into().unwrap_or(u32::MAX)).max(MIN_INTERVAL))
}

impl Analysis {
    /// Returns an observer that writes a line at every interval.
    fn observer<'a>(&self, engine: &Engine) -> (Duration, Observer<'a, String>) {
        let (analysis, output) = (self.clone(), engine.output.clone());
        let write = move |inspector: &dyn Inspector<String>| {
            let ownership = if analysis.has_ownership { inspector.ownership() } else { None };
            output.write(&analysis.line(&inspector.report(), ownership.as_deref(), Some(inspector)));
        };
        (self.interval, Box::new(write))
    }

    /// Writes an analysis line, with the owners of the points as KataGo writes them; empty if no
    /// move is to be shown.
    fn line(
        &self,
        report: &Report<String>,
        ownership: Option<&[f64]>,
        inspector: Option<&dyn Inspector<String>>,
    ) -> String {
        let visited = report.moves.iter().filter(|entry| entry.visits > 0).count();
        let shown = visited.max(self.min_moves).min(self.max_moves).min(report.moves.len());
        let prior = 1.0 / report.moves.len() as f64;
        let mut line = String::new();
        for (order, entry) in report.moves[..shown].iter().enumerate() {
            // A search without values of single moves gives all of them the value of the position.
            let win_rate = (entry.value.unwrap_or(report.value) + 1.0) / 2.0;
            let lower = (win_rate - LCB_Z * entry.spread.unwrap_or(0.0) / 2.0).max(0.0);
            let written = |share: f64| match self.format {
                Format::Leela => format!("{:.0}", 10_000.0 * share),
                Format::Kata => format!("{share:.6}"),
            };
            let variation = match inspector {
                _ if report.variation.first() == Some(&entry.mv) => report.variation.clone(),
                Some(inspector) if order < MOVES_WITH_LINES => follow(&entry.mv, inspector),
                _ => vec![entry.mv.clone()],
            };
            let variation: Vec<String> =
                variation.iter().take(LONGEST_LINE).map(|mv| write_move(self.dialect, mv)).collect();
            line += &format!(
                "{}info move {} visits {} winrate {} prior {} lcb {} order {order} pv {}",
                if order == 0 { "" } else { " " },
                write_move(self.dialect, &entry.mv),
                entry.visits,
                written(win_rate),
                written(prior),
                written(lower),
                variation.join(" "),
            );
        }
        if shown > 0 {
            if let Some(shares) = ownership {
                line += " ownership";
                line.extend(shares.iter().map(|share| format!(" {share:.3}")));
            }
            line.push('\n');
        }
        line
    }
}

/// Returns the most visited line after a move, as far as the search tree reaches.
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
