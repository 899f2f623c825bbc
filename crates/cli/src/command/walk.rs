//! `tesuji walk`: a proof step by step.

use crate::board::board;
use crate::command::verify::{describe, print_failure, watched};
use crate::table::paragraph;
use crate::{output, prompt, stop};
use clap::Args as ClapArgs;
use serde::Serialize;
use std::path::PathBuf;
use std::process::ExitCode;
use tesuji_catalog::{Ending, ProofStep, Verification, VerificationFailure, Walker};
use tesuji_core::shortened;

/// Arguments of `tesuji walk`.
#[derive(ClapArgs)]
#[command(
    after_help = "You play the losing side, and the proof replies. At the prompt: a move, or undo, moves, board, position, claim N, \
                  help, quit.\n\nExamples:\n  tesuji walk hex4.proof\n  tesuji walk hex4.proof --moves \"a1 b2\"\n  \
                  tesuji walk draw.proof --claim 2 --moves b2 --json"
)]
pub struct Args {
    /// Proof file
    file: PathBuf,
    /// Claim to walk through, from 1
    #[arg(long, value_name = "N", default_value = "1")]
    claim: String,
    /// Play these moves of the losing side, print the resulting position and exit
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const HELP: &str = "Type a move of the losing side, or one of these:
  undo      take back to your last turn
  moves     list your legal moves
  board     draw the board again
  position  print the position in one line
  claim N   start the proof of another claim
  help      print this list
  quit      end the walk
";

#[derive(Serialize)]
struct Report<'a> {
    verified: bool,
    #[serde(flatten)]
    verification: &'a Verification,
    /// The claim, from 1.
    claim: usize,
    /// The moves of the walk, of both sides.
    line: Vec<String>,
    position: String,
    ending: Option<Ending>,
    /// The step of the proof at the position.
    #[serde(flatten)]
    step: Option<ProofStep>,
}

/// The output for a rejected proof.
#[derive(Serialize)]
struct Refused<'a> {
    verified: bool,
    #[serde(flatten)]
    failure: &'a VerificationFailure,
}

/// A walk in progress.
struct Guide {
    walker: Box<dyn Walker>,
    /// The claim, from 0.
    claim: usize,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let opened = watched(&args.file, stop::flag()?, |watch| tesuji_catalog::walk(&args.file, watch))?;
    let walker = match opened {
        Ok(walker) => walker,
        Err(failure) => {
            if args.json {
                output::json(&Refused { verified: false, failure: &failure })?;
            } else {
                print_failure(&failure, &args.file);
            }
            return Ok(ExitCode::FAILURE);
        }
    };
    let mut guide = Guide { walker, claim: 0 };
    guide.choose(&args.claim)?;
    match &args.moves {
        Some(moves) => guide.follow(moves, args.json)?,
        None if args.json => guide.follow("", true)?,
        None => guide.prompt()?,
    }
    Ok(ExitCode::SUCCESS)
}

impl Guide {
    /// Selects a claim by its number, from 1.
    fn choose(&mut self, number: &str) -> anyhow::Result<()> {
        let claims = self.walker.verification().claims.len();
        let chosen = number.parse().ok().filter(|claim| (1..=claims).contains(claim));
        let Some(claim) = chosen else {
            anyhow::bail!("no claim {}; expected 1 to {claims}", shortened(number));
        };
        self.claim = claim - 1;
        Ok(())
    }

    /// Plays moves of the losing side and prints the result.
    fn follow(&mut self, moves: &str, json: bool) -> anyhow::Result<()> {
        let quiet = |_: String| Ok(());
        let to_stdout = |text: String| output::text(text);
        let print: &dyn Fn(String) -> anyhow::Result<()> = if json { &quiet } else { &to_stdout };
        self.reply(print)?;
        for (number, mv) in moves.split_whitespace().enumerate() {
            let name = self.name();
            self.walker.play(mv).map_err(|error| anyhow::anyhow!("move {}: {error}", number + 1))?;
            print(format!("{name} plays {mv}\n"))?;
            self.reply(print)?;
        }
        if !json {
            return self.draw();
        }
        let session = self.walker.session();
        output::json(&Report {
            verified: true,
            verification: self.walker.verification(),
            claim: self.claim + 1,
            line: session.moves().split_off(self.walker.played_before()),
            position: session.text(),
            ending: session.ending(),
            step: self.walker.step(self.claim),
        })
    }

    /// Reads commands until the end of input.
    fn prompt(&mut self) -> anyhow::Result<()> {
        output::text(describe(self.walker.verification()))?;
        self.begin()?;
        loop {
            match prompt::ask(self.name())?.as_deref() {
                None | Some("quit" | "exit") => return Ok(()),
                Some(command) => self.execute(command)?,
            }
        }
    }

    fn begin(&mut self) -> anyhow::Result<()> {
        let claim = &self.walker.verification().claims[self.claim];
        output::text(format!("\nThe proof of: {}\n", claim.words))?;
        self.reply(&|text| output::text(text))?;
        self.draw()
    }

    fn execute(&mut self, command: &str) -> anyhow::Result<()> {
        if let Some(number) = command.strip_prefix("claim ") {
            return match self.choose(number.trim()) {
                Ok(()) => {
                    while self.walker.undo() {}
                    self.begin()
                }
                Err(error) => output::text(format!("{error}\n")),
            };
        }
        match command {
            "" => Ok(()),
            "help" | "?" => output::text(HELP),
            "moves" => output::text(format!("{}\n", self.walker.session().legal_moves().join(" "))),
            "board" => self.draw(),
            "position" => output::text(format!("{}\n", self.walker.session().text())),
            "undo" => {
                if self.take_back() {
                    self.draw()
                } else {
                    output::text("nothing to undo\n")
                }
            }
            mv => match self.walker.play(mv) {
                Ok(()) => {
                    self.reply(&|text| output::text(text))?;
                    self.draw()
                }
                Err(error) => output::text(format!("{error}\n")),
            },
        }
    }

    /// Plays the replies of the proof until the losing side is to move.
    fn reply(&mut self, print: &dyn Fn(String) -> anyhow::Result<()>) -> anyhow::Result<()> {
        while let Some(ProofStep::Ours { reply, .. }) = self.walker.step(self.claim) {
            let name = self.name();
            self.walker.play(&reply)?;
            print(format!("{name} replies {reply}\n"))?;
        }
        Ok(())
    }

    /// Takes back moves to the last turn of the losing side. Returns false, and changes nothing, if
    /// there is none.
    fn take_back(&mut self) -> bool {
        let before = self.walker.session().moves();
        while self.walker.undo() {
            if matches!(self.walker.step(self.claim), Some(ProofStep::Theirs { .. })) {
                return true;
            }
        }
        for mv in &before[self.walker.played_before()..] {
            self.walker.play(mv).expect("it was played before");
        }
        false
    }

    /// Returns the name of the player to move, for prompts.
    fn name(&self) -> &'static str {
        let session = self.walker.session();
        session.to_move().map_or("over", |player| session.player_name(player))
    }

    fn draw(&self) -> anyhow::Result<()> {
        let session = self.walker.session();
        let status = match self.walker.step(self.claim) {
            Some(ProofStep::Theirs { replies, longest }) => {
                let longest = longest
                    .map_or(String::new(), |plies| format!(", at most {} to the end", output::plies(u64::from(plies))));
                paragraph(&format!("{} to move{longest}: {}", self.name(), replies.join(" ")))
            }
            Some(ProofStep::Over) => {
                session.ending().map_or(String::new(), |ending| format!("game over: {}\n", ending.words))
            }
            _ => String::new(),
        };
        output::text(format!("\n{}{status}", board(session)))
    }
}
