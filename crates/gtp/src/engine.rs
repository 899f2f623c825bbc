//! Tesuji as a GTP engine.
//!
//! It implements all commands that the protocol requires (version 2, draft 2), the extensions of
//! GNU Go, KGS, Leela Zero and KataGo that front ends use, and those of GoGui and HexGui. In Hex
//! `boardsize` takes one or two numbers, and moves are written as in MoHex.

mod analysis;
mod board;
mod gui;
mod handicap;
mod output;
mod record;
mod score;
mod tactics;
mod think;

use crate::clock::Clocks;
use crate::command::{Command, Refusal, Response, write_response};
use crate::dialect::dialect;
use crate::inbox::Inbox;
use crate::lines::InputLine;
use board::Step;
use output::Output;
use std::io::{self, BufReader, Read, Write};
use std::sync::Arc;
use std::thread;
use tactics::TacticsLimits;
use tesuji_catalog::{OpenError, Session, open};
use tesuji_core::GtpDialect;
use tesuji_core::{Limits, Report, SpecError, quoted};
use thiserror::Error;

/// The settings of an engine.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The spec of the game.
    pub game: String,
    /// The spec of the search.
    pub player: String,
    /// The limits of a move, besides the clock. A move without any limit takes five seconds.
    pub limits: Limits,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of threads of the search.
    pub threads: usize,
    /// The engine resigns if its estimated probability of winning is lower than this; `None` means
    /// never.
    pub resign: Option<f64>,
}

/// Why an engine could not start or continue.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The game cannot be opened.
    #[error(transparent)]
    Game(#[from] OpenError),
    /// The search cannot be built.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// The game does not have two players.
    #[error("GTP is for games of two players; {0} has {1}")]
    Players(String, u8),
    /// The output failed.
    #[error("cannot write a response")]
    Output(#[from] io::Error),
}

/// A GTP engine.
pub struct Engine {
    settings: Settings,
    dialect: GtpDialect,
    session: Box<dyn Session>,
    /// The search.
    search: tesuji_catalog::Engine,
    /// The commands that can be undone.
    steps: Vec<Step>,
    clocks: Option<Clocks>,
    inbox: Arc<Inbox>,
    output: Output,
    /// The report of the last search, for analysis commands.
    last_report: Option<Report<String>>,
    /// The limits of questions about blocks and groups.
    tactics: TacticsLimits,
    quit: bool,
}

/// The games that have a command.
enum Games {
    All,
    Go,
    Hex,
    /// Games with an SGF dialect.
    Sgf,
}

/// The implementation of a command: it returns its response, or writes it while it runs.
enum Handler {
    Returns(fn(&mut Engine, &[String]) -> Response),
    Streams(fn(&mut Engine, &Command) -> Result<(), Refusal>),
}

#[rustfmt::skip]
const COMMANDS: &[(&str, Games, Handler)] = &[
    ("protocol_version", Games::All, Handler::Returns(|_, arguments| none(arguments).map(|()| "2".to_string()))),
    ("name", Games::All, Handler::Returns(|_, arguments| none(arguments).map(|()| "Tesuji".to_string()))),
    ("version", Games::All, Handler::Returns(|_, arguments| none(arguments).map(|()| env!("CARGO_PKG_VERSION").to_string()))),
    ("known_command", Games::All, Handler::Returns(|engine, arguments| Ok(engine.command(one(arguments)?).is_some().to_string()))),
    ("list_commands", Games::All, Handler::Returns(Engine::list_commands)),
    ("quit", Games::All, Handler::Returns(Engine::quit)),
    ("boardsize", Games::All, Handler::Returns(Engine::boardsize)),
    ("clear_board", Games::All, Handler::Returns(Engine::clear_board)),
    ("komi", Games::Go, Handler::Returns(Engine::komi)),
    ("fixed_handicap", Games::Go, Handler::Returns(Engine::fixed_handicap)),
    ("place_free_handicap", Games::Go, Handler::Returns(Engine::place_free_handicap)),
    ("set_free_handicap", Games::Go, Handler::Returns(Engine::set_free_handicap)),
    ("play", Games::All, Handler::Returns(Engine::play)),
    ("genmove", Games::All, Handler::Returns(Engine::genmove)),
    ("reg_genmove", Games::All, Handler::Returns(Engine::reg_genmove)),
    ("kgs-genmove_cleanup", Games::Go, Handler::Returns(Engine::genmove)),
    ("undo", Games::All, Handler::Returns(Engine::undo)),
    ("time_settings", Games::All, Handler::Returns(Engine::time_settings)),
    ("kgs-time_settings", Games::All, Handler::Returns(Engine::kgs_time_settings)),
    ("time_left", Games::All, Handler::Returns(Engine::time_left)),
    ("final_score", Games::All, Handler::Returns(Engine::final_score)),
    ("final_status_list", Games::Go, Handler::Returns(Engine::final_status_list)),
    ("loadsgf", Games::Sgf, Handler::Returns(Engine::loadsgf)),
    ("printsgf", Games::Sgf, Handler::Returns(Engine::printsgf)),
    ("showboard", Games::All, Handler::Returns(Engine::showboard)),
    ("attack", Games::Go, Handler::Returns(Engine::attack)),
    ("defend", Games::Go, Handler::Returns(Engine::defend)),
    ("ladder_attack", Games::Go, Handler::Returns(Engine::ladder_attack)),
    ("owl_attack", Games::Go, Handler::Returns(Engine::owl_attack)),
    ("owl_defend", Games::Go, Handler::Returns(Engine::owl_defend)),
    ("owl_does_attack", Games::Go, Handler::Returns(Engine::owl_does_attack)),
    ("owl_does_defend", Games::Go, Handler::Returns(Engine::owl_does_defend)),
    ("dragon_status", Games::Go, Handler::Returns(Engine::dragon_status)),
    ("analyze_semeai", Games::Go, Handler::Returns(Engine::analyze_semeai)),
    ("param", Games::Go, Handler::Returns(Engine::param)),
    ("all_legal_moves", Games::Hex, Handler::Returns(Engine::all_legal_moves)),
    ("lz-analyze", Games::All, Handler::Streams(Engine::lz_analyze)),
    ("lz-genmove_analyze", Games::All, Handler::Streams(Engine::lz_genmove_analyze)),
    ("kata-analyze", Games::All, Handler::Streams(Engine::kata_analyze)),
    ("kata-genmove_analyze", Games::All, Handler::Streams(Engine::kata_genmove_analyze)),
    ("gogui-interrupt", Games::All, Handler::Returns(|_, arguments| none(arguments).map(|()| String::new()))),
    ("gogui-analyze_commands", Games::All, Handler::Returns(Engine::analyze_commands)),
    ("hexgui-analyze_commands", Games::Hex, Handler::Returns(Engine::analyze_commands)),
    ("tesuji-visits", Games::All, Handler::Returns(Engine::visits)),
    ("tesuji-values", Games::All, Handler::Returns(Engine::values)),
    ("tesuji-variation", Games::All, Handler::Returns(Engine::variation)),
];

impl Engine {
    /// Makes an engine that reads commands from `input` in a separate thread and writes responses
    /// to `output`.
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
            last_report: None,
            tactics: TacticsLimits::default(),
            quit: false,
        })
    }

    /// Answers commands until `quit` or the end of the input.
    pub fn run(mut self) -> Result<(), EngineError> {
        while !self.quit {
            let Some(line) = self.inbox.take() else { break };
            match line {
                InputLine::Text(text) => {
                    if let Some(command) = Command::parse(&text) {
                        self.answer(&command);
                    }
                }
                InputLine::TooLong => {
                    self.output.write(&write_response(None, &Err(Refusal::new("the line is too long"))))
                }
            }
            if let Some(error) = self.output.failure() {
                return Err(error.into());
            }
        }
        Ok(())
    }

    fn answer(&mut self, command: &Command) {
        let response = match self.command(&command.name) {
            None => Err(Refusal::new("unknown command")),
            Some(Handler::Returns(handler)) => handler(self, &command.arguments),
            Some(Handler::Streams(handler)) => match handler(self, command) {
                Ok(()) => return,
                Err(refusal) => Err(refusal),
            },
        };
        self.output.write(&write_response(command.id.as_deref(), &response));
    }

    /// Returns the commands that the present game has.
    fn commands(&self) -> impl Iterator<Item = &'static (&'static str, Games, Handler)> {
        let (dialect, has_sgf) = (self.dialect, self.session.dialects().sgf.is_some());
        COMMANDS.iter().filter(move |(_, games, _)| match games {
            Games::All => true,
            Games::Go => dialect == GtpDialect::Go,
            Games::Hex => dialect == GtpDialect::Hex,
            Games::Sgf => has_sgf,
        })
    }

    fn command(&self, name: &str) -> Option<&'static Handler> {
        self.commands().find(|command| command.0 == name).map(|command| &command.2)
    }

    fn list_commands(&mut self, arguments: &[String]) -> Response {
        none(arguments)?;
        Ok(self.commands().map(|command| command.0).collect::<Vec<_>>().join("\n"))
    }

    fn quit(&mut self, arguments: &[String]) -> Response {
        none(arguments)?;
        self.quit = true;
        Ok(String::new())
    }
}

fn none(arguments: &[String]) -> Result<(), Refusal> {
    match arguments {
        [] => Ok(()),
        _ => Err(Refusal(format!("syntax error: {} is too much; it takes no arguments", quoted(&arguments.join(" "))))),
    }
}

fn one(arguments: &[String]) -> Result<&str, Refusal> {
    match arguments {
        [argument] => Ok(argument),
        _ => Err(Refusal(format!("syntax error: {} arguments were given; it takes one", arguments.len()))),
    }
}
