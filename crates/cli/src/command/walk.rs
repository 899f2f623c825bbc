//! `tesuji walk`: a proof step by step.

use crate::command::verify::{describe, tell_defect, watched};
use crate::{output, stop};
use clap::Args as ClapArgs;
use serde::Serialize;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use tesuji_catalog::{Ending, ProofStep, Verification, VerificationFailure, Walker};

/// Arguments of `tesuji walk`.
#[derive(ClapArgs)]
#[command(
    after_help = "You play the side that the proof beats, and the proof answers. At the prompt: a move, or undo, moves, \
                        board, position, claim N, help, quit.\n\nExamples:\n  tesuji walk hex4.proof\n  \
                        tesuji walk hex4.proof --moves \"a1 b2\"\n  tesuji walk draw.proof --claim 2 --moves b2 --json"
)]
pub struct Args {
    /// The certificate
    file: PathBuf,
    /// Which of its claims, from 1
    #[arg(long, value_name = "N", default_value = "1")]
    claim: String,
    /// Go along these moves of the other side, show where they lead, and end
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    /// Print JSON: where the moves lead
    #[arg(long)]
    json: bool,
}

const HELP: &str = "Type a move of the side that the proof beats, or one of these:
  undo      take back to your last turn
  moves     list what you can do
  board     draw the board again
  position  print the position in one line
  claim N   go to the start of the proof of another claim
  help      this list
  quit      end the walk
";

#[derive(Serialize)]
struct Report<'a> {
    verified: bool,
    #[serde(flatten)]
    verification: &'a Verification,
    /// The claim that is walked through, from 1.
    claim: usize,
    /// The moves of the walk, of both sides.
    line: Vec<String>,
    position: String,
    ending: Option<Ending>,
    /// What the proof says there.
    #[serde(flatten)]
    said: Option<ProofStep>,
}

/// Instead of a walk, if the proof is none.
#[derive(Serialize)]
struct Refused<'a> {
    verified: bool,
    #[serde(flatten)]
    defect: &'a VerificationFailure,
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
        Err(defect) => {
            if args.json {
                output::json(&Refused { verified: false, defect: &defect })?;
            } else {
                tell_defect(&defect, &args.file);
            }
            return Ok(ExitCode::FAILURE);
        }
    };
    let mut guide = Guide { walker, claim: 0 };
    guide.choose(&args.claim)?;
    match &args.moves {
        Some(moves) => guide.follow(moves, args.json)?,
        None if args.json => guide.follow("", true)?,
        None => guide.converse()?,
    }
    Ok(ExitCode::SUCCESS)
}

impl Guide {
    /// Goes to a claim, by its number from 1.
    fn choose(&mut self, number: &str) -> anyhow::Result<()> {
        let claims = self.walker.verification().claims.len();
        let chosen = number.parse().ok().filter(|claim| (1..=claims).contains(claim));
        let Some(claim) = chosen else {
            anyhow::bail!("there is no claim {number}; the proof has claims 1 to {claims}");
        };
        self.claim = claim - 1;
        Ok(())
    }

    /// Goes along moves of the other side.
    fn follow(&mut self, moves: &str, json: bool) -> anyhow::Result<()> {
        let quiet = |_: String| Ok(());
        let aloud = |text: String| output::text(text);
        let tell: &dyn Fn(String) -> anyhow::Result<()> = if json { &quiet } else { &aloud };
        self.answer(tell)?;
        for (number, mv) in moves.split_whitespace().enumerate() {
            let name = self.name();
            self.walker.play(mv).map_err(|error| anyhow::anyhow!("move {}: {error}", number + 1))?;
            tell(format!("{name} plays {mv}\n"))?;
            self.answer(tell)?;
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
            said: self.walker.step(self.claim),
        })
    }

    /// Asks for one move after the other.
    fn converse(&mut self) -> anyhow::Result<()> {
        output::text(describe(self.walker.verification()))?;
        self.begin()?;
        let mut lines = std::io::stdin().lock().lines();
        loop {
            output::text(format!("{}> ", self.name()))?;
            std::io::stdout().flush()?;
            let Some(line) = stop::waiting(|| lines.next()).transpose()? else {
                return output::text("\n");
            };
            match line.trim() {
                "quit" | "exit" => return Ok(()),
                command => self.obey(command)?,
            }
        }
    }

    fn begin(&mut self) -> anyhow::Result<()> {
        let claim = &self.walker.verification().claims[self.claim];
        output::text(format!("\nThe proof of: {}\n", claim.words))?;
        self.answer(&|text| output::text(text))?;
        self.draw()
    }

    fn obey(&mut self, command: &str) -> anyhow::Result<()> {
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
                    output::text("there is nothing to take back\n")
                }
            }
            mv => match self.walker.play(mv) {
                Ok(()) => {
                    self.answer(&|text| output::text(text))?;
                    self.draw()
                }
                Err(error) => output::text(format!("{error}\n")),
            },
        }
    }

    /// Plays the replies of the proof until the other side is to move.
    fn answer(&mut self, tell: &dyn Fn(String) -> anyhow::Result<()>) -> anyhow::Result<()> {
        while let Some(ProofStep::Ours { reply, .. }) = self.walker.step(self.claim) {
            let name = self.name();
            self.walker.play(&reply)?;
            tell(format!("{name} answers {reply}\n"))?;
        }
        Ok(())
    }

    /// Takes moves back to where the other side was to move; if that was never so before, nothing is taken back.
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

    /// Who is to move, for prompts.
    fn name(&self) -> &'static str {
        let session = self.walker.session();
        session.to_move().map_or("over", |player| session.player_name(player))
    }

    fn draw(&self) -> anyhow::Result<()> {
        let session = self.walker.session();
        let said = match self.walker.step(self.claim) {
            Some(ProofStep::Theirs { replies, longest }) => {
                let longest = longest.map_or(String::new(), |plies| format!(", {plies} plies at most to the end"));
                format!("{} to move{longest}: {}\n", self.name(), replies.join(" "))
            }
            Some(ProofStep::Over) => {
                session.ending().map_or(String::new(), |ending| format!("over: {}\n", ending.words))
            }
            _ => String::new(),
        };
        output::text(format!("\n{}{said}", session.view()))
    }
}
