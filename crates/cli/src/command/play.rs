//! `tesuji play`: a game in the terminal.

use crate::command::limits::{Limits, live_line};
use crate::command::position::Position;
use crate::command::think;
use crate::{output, stop};
use anyhow::Context;
use clap::Args as ClapArgs;
use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use tesuji_arena::{Entrant, Terms};
use tesuji_catalog::{AUTO, Action, Engine, SearchResult, Session, bounds_text};
use tesuji_core::Player;

/// Arguments of `tesuji play`.
#[derive(ClapArgs)]
#[command(
    after_help = "At the prompt: a move, or undo, hint, why, moves, board, position, help, quit. The limits apply to every move; \
                  without any, a search takes two seconds. Ctrl-C makes a search move at once (a GTP program is terminated), \
                  and exits at the prompt.\n\nExamples:\n  tesuji play connect4 --opponent auto\n  \
                  tesuji play go:9 --opponent mcts:rave --seat 2 --time 10s\n  \
                  tesuji play go:9 --opponent \"gtp:gnugo --mode gtp --chinese-rules\"\n  \
                  tesuji play hex:7 --opponent auto --watch --playouts 5000\n  tesuji play awari"
)]
pub struct Args {
    #[command(flatten)]
    position: Position,
    /// Who plays the other seats: "person" (at the same terminal), a search (`tesuji searches` lists them), or a program:
    /// "gtp:COMMAND LINE" or "usi:COMMAND LINE"
    #[arg(long, value_name = "SPEC", default_value = PERSON)]
    opponent: String,
    /// Your seat, from 1, when the opponent is not a person
    #[arg(long, default_value_t = 1)]
    seat: u8,
    /// Look on while the opponent plays all seats
    #[arg(long, conflicts_with = "seat")]
    watch: bool,
    /// The search that gives hints
    #[arg(long, value_name = "SPEC", default_value = AUTO)]
    hints: String,
    #[command(flatten)]
    limits: Limits,
}

/// The opponent that is no search.
const PERSON: &str = "person";

/// How long a search thinks about a move when nothing is said.
const TIME: Duration = Duration::from_secs(2);

/// So many moves are listed below the board unasked.
const FEW: usize = 12;

const HELP: &str = "Type a move as shown by \"moves\", or one of these:
  undo      take back to your last turn
  hint      what the engine would play, and its value
  why       the moves as the last search saw them: the opponent's, or that of the hint
  moves     list the legal moves
  board     draw the board again
  position  print the position in one line
  help      this list
  quit      end the game
";

/// A game in progress.
struct Table<'a> {
    args: &'a Args,
    session: Box<dyn Session>,
    stop: &'static AtomicBool,
    /// The opponent, if it is a search.
    opponent: Option<Engine>,
    /// The search that gives hints, unless that is the opponent.
    hints: Option<Engine>,
    /// The opponent, if it is an external program.
    program: Option<Box<dyn tesuji_catalog::Player>>,
    /// The last search: what it was for, and what came of it.
    last: Option<(String, SearchResult)>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let session = args.position.open()?;
    let players = session.facts().players;
    anyhow::ensure!(
        (1..=players).contains(&args.seat),
        "there is no seat {}; this game has seats 1 to {players}",
        args.seat
    );
    anyhow::ensure!(
        !args.watch || args.opponent != PERSON,
        "there is nobody to watch; name a search with --opponent, such as --opponent {AUTO}"
    );
    let (mut program, mut opponent_engine) = (None, None);
    if args.opponent != PERSON {
        let opponent: Entrant = args.opponent.parse()?;
        anyhow::ensure!(
            opponent.terms == Terms::default(),
            "{:?} has terms behind @, which are for matches; here --time, --playouts and the like hold for every move",
            args.opponent
        );
        if opponent.is_program() {
            let mut player = opponent.invite(session.as_ref())?;
            player.begin(session.as_ref())?;
            program = Some(player);
        } else {
            opponent_engine = Some(Engine::new(&args.opponent, session.as_ref())?);
        }
    }
    let hints = if args.watch || args.hints == args.opponent {
        None
    } else {
        Some(Engine::new(&args.hints, session.as_ref())?)
    };
    let stop = stop::flag()?;
    let mut table = Table { args, session, stop, opponent: opponent_engine, hints, program, last: None };
    let mut lines = std::io::stdin().lock().lines();
    table.draw()?;
    while let Some(player) = table.session.to_move() {
        if !table.is_person(player) {
            if !table.opponent_moves(player)? {
                break;
            }
            if args.watch && table.stop.load(Relaxed) {
                output::text("stopped\n")?;
                break;
            }
            continue;
        }
        output::text(format!("{}> ", table.session.player_name(player)))?;
        std::io::stdout().flush()?;
        let Some(line) = stop::waiting(|| lines.next()).transpose()? else {
            output::text("\n")?;
            break;
        };
        match line.trim() {
            "quit" | "exit" => break,
            command => table.obey(command, player)?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl Table<'_> {
    fn is_person(&self, player: Player) -> bool {
        !self.args.watch && (self.args.opponent == PERSON || player.0 + 1 == self.args.seat)
    }

    fn draw(&self) -> anyhow::Result<()> {
        let told = match (self.session.ending(), self.session.to_move()) {
            (Some(ending), _) => format!("over: {}\n", ending.words),
            (None, Some(player)) => {
                let moves = self.session.legal_moves();
                let listed = if moves.len() <= FEW { format!(": {}", moves.join(" ")) } else { String::new() };
                format!("{} to move, {} moves{listed}\n", self.session.player_name(player), moves.len())
            }
            (None, None) => String::new(),
        };
        output::text(format!("\n{}{told}", self.session.view()))
    }

    fn think(&mut self, is_hint: bool) -> anyhow::Result<SearchResult> {
        // An earlier Ctrl-C only hurried an earlier move.
        self.stop.store(false, Relaxed);
        let facts = self.session.facts();
        let hints = self.hints.as_mut().filter(|_| is_hint);
        let engine = hints.or(self.opponent.as_mut()).expect("there is an engine to ask");
        self.args.limits.think(engine, self.session.as_ref(), TIME, self.stop, |report| think::live(report, &facts))
    }

    /// The move of a program, which tells nothing but that; false if it gives up or was stopped.
    fn program_moves(&mut self, player: Player) -> anyhow::Result<bool> {
        self.stop.store(false, Relaxed);
        let name = self.session.player_name(player);
        let turn = self.args.limits.turn(TIME, self.stop);
        let program = self.program.as_mut().expect("the opponent is a program");
        let bar = live_line(format!("{} is thinking", program.name()))?;
        let choice = program.choose(self.session.as_ref(), &turn);
        bar.finish_and_clear();
        // Of a program that cannot be hurried there is no answer after Ctrl-C.
        if choice.is_err() && self.stop.load(Relaxed) {
            output::text("stopped\n")?;
            return Ok(false);
        }
        match choice?.action {
            Action::Resign => {
                output::text(format!("{name} gives up\n"))?;
                Ok(false)
            }
            Action::Move(mv) => {
                self.session.play(&mv).with_context(|| format!("{} played what is not allowed", program.name()))?;
                output::text(format!("{name} plays {mv}\n"))?;
                self.draw()?;
                Ok(true)
            }
        }
    }

    /// The move of the opponent; false if it gives up.
    fn opponent_moves(&mut self, player: Player) -> anyhow::Result<bool> {
        if self.program.is_some() {
            return self.program_moves(player);
        }
        let thought = self.think(false)?;
        let name = self.session.player_name(player);
        let mv = thought.report.best.clone().expect("a search has a move as long as the game is not over");
        let number = self.session.moves().len() + 1;
        let remark = self.remark(&thought);
        self.session.play(&mv)?;
        output::text(format!("{name} plays {mv}{remark}\n"))?;
        self.last = Some((format!("What {name} thought before move {number}, {mv}:"), thought));
        self.draw()?;
        Ok(true)
    }

    /// What is to be said of a move besides the move.
    fn remark(&self, thought: &SearchResult) -> String {
        let facts = self.session.facts();
        let value = think::believed(&thought.report, &facts).map(|value| format!("{} {value}", think::unit(&facts)));
        let proved = bounds_text(&thought.report.bounds, &facts).map(|words| format!("proved: {words}"));
        let parts: Vec<String> = [value, proved].into_iter().flatten().collect();
        if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
    }

    fn obey(&mut self, command: &str, player: Player) -> anyhow::Result<()> {
        let name = self.session.player_name(player);
        match command {
            "" => Ok(()),
            "help" | "?" => output::text(HELP),
            "moves" => output::text(format!("{}\n", self.session.legal_moves().join(" "))),
            "board" => self.draw(),
            "position" => output::text(format!("{}\n", self.session.text())),
            "undo" => {
                if self.take_back() {
                    self.draw()
                } else {
                    output::text("there is nothing to take back\n")
                }
            }
            "hint" => {
                let thought = self.think(true)?;
                let best = thought.report.best.as_deref().unwrap_or("nothing");
                output::text(format!("{} would play {best}{}\n", thought.search, self.remark(&thought)))?;
                let number = self.session.moves().len() + 1;
                self.last = Some((format!("What {} thought of move {number}, for {name}:", thought.search), thought));
                Ok(())
            }
            "why" => match &self.last {
                None => output::text("nothing has been searched yet; try \"hint\"\n"),
                Some((heading, thought)) => {
                    let player = thought.report.bounds.player;
                    let name = self.session.player_name(player);
                    let told = think::describe(thought, name, &self.session.facts(), think::SHOWN);
                    output::text(format!("{heading}\n{told}"))
                }
            },
            mv => match self.session.play(mv) {
                Ok(()) => self.draw(),
                Err(error) => output::text(format!("{error}\n")),
            },
        }
    }

    /// Takes moves back until a person is to move again; if that was never so before, nothing is taken back.
    fn take_back(&mut self) -> bool {
        let mut taken: Vec<String> = Vec::new();
        loop {
            let Some(last) = self.session.moves().pop() else {
                for mv in taken.iter().rev() {
                    self.session.play(mv).expect("it was played before");
                }
                return false;
            };
            self.session.undo();
            taken.push(last);
            if self.session.to_move().is_some_and(|player| self.is_person(player)) {
                return true;
            }
        }
    }
}
