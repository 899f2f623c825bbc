//! Tesuji as a program that is spoken to by GTP.
//!
//! All commands that the protocol requires (version 2, draft 2), those of GNU Go, KGS, Leela Zero and KataGo that interfaces use, and what
//! GoGui and HexGui ask for. In Hex `boardsize` takes one or two numbers and moves are written as MoHex does.

mod analysis;
mod board;
mod gui;
mod handicap;
mod output;
mod record;
mod score;
mod think;

use crate::clock::Clocks;
use crate::command::{Answer, Command, Refusal, sent};
use crate::dialect::dialect;
use crate::inbox::Inbox;
use crate::lines::Heard;
use board::Step;
use output::Output;
use std::io::{self, BufReader, Read, Write};
use std::sync::Arc;
use std::thread;
use tesuji_catalog::{OpenError, Session, open};
use tesuji_core::GtpDialect;
use tesuji_core::{Limits, Report, SpecError};
use thiserror::Error;

/// What the engine plays, and how.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The game, as a spec.
    pub game: String,
    /// The search, as a spec.
    pub player: String,
    /// The limits of a move. Clocks are kept besides; if nothing limits a move, it takes five seconds.
    pub limits: Limits,
    /// The seed of all random numbers.
    pub seed: u64,
    /// How many threads the search may use.
    pub threads: usize,
    /// It resigns when it thinks that it wins with a lower probability than this; `None` for never.
    pub resign: Option<f64>,
}

/// Why there is no engine, or no longer.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The game.
    #[error(transparent)]
    Game(#[from] OpenError),
    /// The search.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// GTP knows two colours.
    #[error("GTP is for games of two players; {0} has {1}")]
    Players(String, u8),
    /// Nobody hears the answers.
    #[error("cannot write an answer")]
    Output(#[from] io::Error),
}

/// An engine that is spoken to by GTP.
pub struct Engine {
    settings: Settings,
    dialect: GtpDialect,
    session: Box<dyn Session>,
    /// The search that plays.
    search: tesuji_catalog::Engine,
    /// What can be taken back.
    steps: Vec<Step>,
    clocks: Option<Clocks>,
    inbox: Arc<Inbox>,
    output: Output,
    /// What the last search thought, for those who look on.
    thought: Option<Report<String>>,
    quits: bool,
}

/// Who has a command.
enum Has {
    All,
    Go,
    Hex,
    /// Games with an SGF dialect.
    Sgf,
}

/// What a command does: it gives an answer, or it writes one as it goes.
enum Act {
    Says(fn(&mut Engine, &[String]) -> Answer),
    Writes(fn(&mut Engine, &Command) -> Result<(), Refusal>),
}

#[rustfmt::skip]
const COMMANDS: &[(&str, Has, Act)] = &[
    ("protocol_version", Has::All, Act::Says(|_, arguments| none(arguments).map(|()| "2".to_string()))),
    ("name", Has::All, Act::Says(|_, arguments| none(arguments).map(|()| "Tesuji".to_string()))),
    ("version", Has::All, Act::Says(|_, arguments| none(arguments).map(|()| env!("CARGO_PKG_VERSION").to_string()))),
    ("known_command", Has::All, Act::Says(|engine, arguments| Ok(engine.command(one(arguments)?).is_some().to_string()))),
    ("list_commands", Has::All, Act::Says(Engine::list_commands)),
    ("quit", Has::All, Act::Says(Engine::quit)),
    ("boardsize", Has::All, Act::Says(Engine::boardsize)),
    ("clear_board", Has::All, Act::Says(Engine::clear_board)),
    ("komi", Has::Go, Act::Says(Engine::komi)),
    ("fixed_handicap", Has::Go, Act::Says(Engine::fixed_handicap)),
    ("place_free_handicap", Has::Go, Act::Says(Engine::place_free_handicap)),
    ("set_free_handicap", Has::Go, Act::Says(Engine::set_free_handicap)),
    ("play", Has::All, Act::Says(Engine::play)),
    ("genmove", Has::All, Act::Says(Engine::genmove)),
    ("reg_genmove", Has::All, Act::Says(Engine::reg_genmove)),
    ("kgs-genmove_cleanup", Has::Go, Act::Says(Engine::genmove)),
    ("undo", Has::All, Act::Says(Engine::undo)),
    ("time_settings", Has::All, Act::Says(Engine::time_settings)),
    ("kgs-time_settings", Has::All, Act::Says(Engine::kgs_time_settings)),
    ("time_left", Has::All, Act::Says(Engine::time_left)),
    ("final_score", Has::All, Act::Says(Engine::final_score)),
    ("final_status_list", Has::Go, Act::Says(Engine::final_status_list)),
    ("loadsgf", Has::Sgf, Act::Says(Engine::loadsgf)),
    ("printsgf", Has::Sgf, Act::Says(Engine::printsgf)),
    ("showboard", Has::All, Act::Says(Engine::showboard)),
    ("all_legal_moves", Has::Hex, Act::Says(Engine::all_legal_moves)),
    ("lz-analyze", Has::All, Act::Writes(Engine::lz_analyze)),
    ("lz-genmove_analyze", Has::All, Act::Writes(Engine::lz_genmove_analyze)),
    ("kata-analyze", Has::All, Act::Writes(Engine::kata_analyze)),
    ("kata-genmove_analyze", Has::All, Act::Writes(Engine::kata_genmove_analyze)),
    ("gogui-interrupt", Has::All, Act::Says(|_, arguments| none(arguments).map(|()| String::new()))),
    ("gogui-analyze_commands", Has::All, Act::Says(Engine::analyze_commands)),
    ("hexgui-analyze_commands", Has::Hex, Act::Says(Engine::analyze_commands)),
    ("tesuji-visits", Has::All, Act::Says(Engine::visits)),
    ("tesuji-values", Has::All, Act::Says(Engine::values)),
    ("tesuji-variation", Has::All, Act::Says(Engine::variation)),
];

impl Engine {
    /// An engine that reads commands in a thread of its own and writes answers.
    pub fn new(
        settings: Settings,
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
    ) -> Result<Engine, EngineError> {
        let session = open(&settings.game, "start")?;
        let players = session.facts().players;
        let dialect =
            dialect(session.as_ref()).ok_or_else(|| EngineError::Players(session.info().title.to_string(), players))?;
        let search = tesuji_catalog::Engine::new(&settings.player, session.as_ref())?;
        let inbox = Arc::new(Inbox::default());
        let filled = Arc::clone(&inbox);
        thread::spawn(move || filled.fill(BufReader::new(input)));
        Ok(Engine {
            settings,
            dialect,
            session,
            search,
            steps: Vec::new(),
            clocks: None,
            inbox,
            output: Output::new(Box::new(output)),
            thought: None,
            quits: false,
        })
    }

    /// Answers until it is told to quit or there are no more commands.
    pub fn run(mut self) -> Result<(), EngineError> {
        while !self.quits {
            let Some(heard) = self.inbox.take() else { break };
            match heard {
                Heard::Line(line) => {
                    if let Some(command) = Command::parse(&line) {
                        self.answer(&command);
                    }
                }
                Heard::TooLong => self.output.write(&sent(None, &Err(Refusal::new("the line is too long")))),
            }
            if let Some(error) = self.output.failure() {
                return Err(error.into());
            }
        }
        Ok(())
    }

    fn answer(&mut self, command: &Command) {
        let answer = match self.command(&command.name) {
            None => Err(Refusal::new("unknown command")),
            Some(Act::Says(act)) => act(self, &command.arguments),
            Some(Act::Writes(act)) => match act(self, command) {
                Ok(()) => return,
                Err(refusal) => Err(refusal),
            },
        };
        self.output.write(&sent(command.id.as_deref(), &answer));
    }

    /// The commands of the game that is played.
    fn commands(&self) -> impl Iterator<Item = &'static (&'static str, Has, Act)> {
        let (dialect, has_sgf) = (self.dialect, self.session.dialects().sgf.is_some());
        COMMANDS.iter().filter(move |(_, has, _)| match has {
            Has::All => true,
            Has::Go => dialect == GtpDialect::Go,
            Has::Hex => dialect == GtpDialect::Hex,
            Has::Sgf => has_sgf,
        })
    }

    fn command(&self, name: &str) -> Option<&'static Act> {
        self.commands().find(|command| command.0 == name).map(|command| &command.2)
    }

    fn list_commands(&mut self, arguments: &[String]) -> Answer {
        none(arguments)?;
        Ok(self.commands().map(|command| command.0).collect::<Vec<_>>().join("\n"))
    }

    fn quit(&mut self, arguments: &[String]) -> Answer {
        none(arguments)?;
        self.quits = true;
        Ok(String::new())
    }
}

fn none(arguments: &[String]) -> Result<(), Refusal> {
    match arguments {
        [] => Ok(()),
        _ => Err(Refusal(format!("syntax error: {:?} is too much; it takes no arguments", arguments.join(" ")))),
    }
}

fn one(arguments: &[String]) -> Result<&str, Refusal> {
    match arguments {
        [argument] => Ok(argument),
        _ => Err(Refusal(format!("syntax error: {} arguments were given; it takes one", arguments.len()))),
    }
}
