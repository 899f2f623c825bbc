//! `tesuji play`: a game in the terminal.

use crate::board::board;
use crate::command::limits::Limits;
use crate::command::position::Position;
use crate::command::show::status;
use crate::command::think;
use crate::command::workers::Workers;
use crate::progress::live_line;
use crate::table::prose;
use crate::{output, prompt, stop};
use anyhow::Context;
use clap::Args as ClapArgs;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use tesuji_arena::ClockTerms;
use tesuji_catalog::{AUTO, Action, Ending, Engine, SearchResult, Session, bounds_text};
use tesuji_core::time::Clock;
use tesuji_core::{Player, Report, quoted};
use tesuji_gtp::{Children, PlayerSpec, Terms};

/// Arguments of `tesuji play`.
#[derive(ClapArgs)]
#[command(
    after_help = "At the prompt: a move, or undo, hint, why, rules, moves, board, position, help, quit. The limits apply to \
                  every move; without any, a search takes two seconds. Ctrl-C makes a search move at once (a GTP program is terminated), \
                  and exits at the prompt.\n\nExamples:\n  tesuji play connect4 --opponent auto\n  \
                  tesuji play go:9 --opponent mcts:rave --seat 2 --time 10s\n  \
                  tesuji play go:9 --opponent \"gtp:gnugo --mode gtp --chinese-rules\"\n  \
                  tesuji play hex:7 --opponent auto --watch --playouts 5000\n  tesuji play awari\n  \
                  tesuji play connect4 --opponent mcts:solver@time=stop:f=5,p=0.9 --clock 1m"
)]
pub struct Args {
    #[command(flatten)]
    position: Position,
    /// Player of the other seats: "person" (a human at the same terminal), a search (see
    /// `tesuji searches`), "gtp:COMMAND LINE" or "usi:COMMAND LINE"
    #[arg(long, value_name = "SPEC", default_value = PERSON)]
    opponent: String,
    /// Your seat, from 1, if the opponent is not a human
    #[arg(long, default_value_t = 1)]
    seat: u8,
    /// Watch the opponent play all seats
    #[arg(long, conflicts_with = "seat")]
    watch: bool,
    /// Search that gives hints
    #[arg(long, value_name = "SPEC", default_value = AUTO)]
    hints: String,
    /// Clock of the opponent for the whole game, for example 5m or 5m+2s; yours does not run
    #[arg(long, value_name = "TIME")]
    clock: Option<ClockTerms>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    workers: Workers,
}

/// The opponent spec of a human.
const PERSON: &str = "person";

/// The default time per move.
const TIME: Duration = Duration::from_secs(2);

/// The maximum number of legal moves listed below the board.
const MAX_LISTED: usize = 12;

const HELP: &str = "Type a move as shown by \"moves\", or one of these:
  undo      take back to your last turn
  hint      show the engine's move and its value
  why       show the moves of the last search, the opponent's or the hint's
  rules     print the rules of the game
  moves     list the legal moves
  board     draw the board again
  position  print the position in one line
  help      print this list
  quit      end the game
";

/// A game in progress.
struct TerminalGame<'a> {
    args: &'a Args,
    session: Box<dyn Session>,
    stop: &'static AtomicBool,
    /// The opponent, if it is a search.
    opponent: Option<Engine>,
    /// The search that gives hints, unless that is the opponent.
    hints: Option<Engine>,
    /// The opponent, if it is an external program.
    program: Option<Box<dyn tesuji_catalog::Agent>>,
    /// The clock of each seat of the opponent.
    clocks: Vec<Clock>,
    /// The last search: its heading and its result.
    last: Option<(String, SearchResult)>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let session = args.position.open()?;
    let players = session.facts().players;
    anyhow::ensure!((1..=players).contains(&args.seat), "no seat {}; expected 1 to {players}", args.seat);
    anyhow::ensure!(
        !args.watch || args.opponent != PERSON,
        "--watch needs a search as the opponent, for example --opponent {AUTO}"
    );
    let children = Children::default();
    args.workers.register(&children)?;
    let (mut program, mut opponent_engine) = (None, None);
    if args.opponent != PERSON {
        let opponent: PlayerSpec = args.opponent.parse()?;
        anyhow::ensure!(
            opponent.terms == Terms::default(),
            "{} has limits after @, which are for matches; use --time, --playouts and the like",
            quoted(&args.opponent)
        );
        anyhow::ensure!(
            opponent.manager.is_none() || args.clock.is_some(),
            "{} has a time manager, which needs a clock; use --clock 5m",
            quoted(&args.opponent)
        );
        anyhow::ensure!(!opponent.is_program() || args.clock.is_none(), "--clock is for searches, not for programs");
        if opponent.is_program() {
            let mut player = opponent.start(session.as_ref(), &children)?;
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
    let stop = stop::flag_for(&children)?;
    let clocks = args.clock.map_or(Vec::new(), |clock| vec![clock.start(); usize::from(players)]);
    let mut game = TerminalGame { args, session, stop, opponent: opponent_engine, hints, program, clocks, last: None };
    game.introduce()?;
    game.draw()?;
    while let Some(player) = game.session.to_move() {
        if !game.is_human(player) {
            if !game.opponent_moves(player)? {
                break;
            }
            if args.watch && game.stop.load(Relaxed) {
                output::text("stopped\n")?;
                break;
            }
            continue;
        }
        match prompt::ask(game.session.player_name(player))?.as_deref() {
            None | Some("quit" | "exit") => break,
            Some(command) => game.execute(command, player)?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

impl TerminalGame<'_> {
    fn is_human(&self, player: Player) -> bool {
        !self.args.watch && (self.args.opponent == PERSON || player.0 + 1 == self.args.seat)
    }

    /// Prints the goal of the game, and what to type.
    fn introduce(&self) -> anyhow::Result<()> {
        let info = self.session.info();
        let mut text = format!("{}: {}\n", info.title, info.goal);
        if let (Some(example), false) = (self.session.legal_moves().first(), self.args.watch) {
            text += &format!("Type a move, for example {example}; type \"rules\" for the rules, ");
            text += "\"help\" for all commands.\n";
        }
        output::text(prose(&text))
    }

    fn draw(&self) -> anyhow::Result<()> {
        output::text(format!("\n{}{}", board(self.session.as_ref()), status(self.session.as_ref(), MAX_LISTED)))
    }

    fn think(&mut self, is_hint: bool) -> anyhow::Result<SearchResult> {
        // An earlier Ctrl-C applied to an earlier move.
        self.stop.store(false, Relaxed);
        let facts = self.session.facts();
        let hints = self.hints.as_mut().filter(|_| is_hint);
        let engine = hints.or(self.opponent.as_mut()).expect("there is an engine to ask");
        let seat = self.session.to_move().map(Player::index);
        let clock = seat.and_then(|seat| self.clocks.get_mut(seat)).filter(|_| !is_hint);
        let show = |report: &Report<String>| think::live(report, &facts);
        let result =
            self.args.limits.think(engine, self.session.as_ref(), TIME, clock.as_deref().copied(), self.stop, show)?;
        if let Some(clock) = clock {
            clock.left = clock.left.saturating_sub(Duration::from_secs_f64(result.timing.seconds)) + clock.increment;
        }
        Ok(result)
    }

    /// Plays the move of a program; false if it resigned or was stopped.
    fn program_moves(&mut self, player: Player) -> anyhow::Result<bool> {
        self.stop.store(false, Relaxed);
        let name = self.session.player_name(player);
        let turn = self.args.limits.turn(TIME, self.stop);
        let program = self.program.as_mut().expect("the opponent is a program");
        let bar = live_line(format!("{} is thinking", program.name()))?;
        let choice = program.choose(self.session.as_ref(), &turn);
        bar.finish_and_clear();
        // A program that cannot be interrupted has no move after Ctrl-C.
        if choice.is_err() && self.stop.load(Relaxed) {
            output::text("stopped\n")?;
            return Ok(false);
        }
        match choice?.action {
            Action::Resign => {
                let ending = Ending::forfeit(self.session.as_ref(), player, "resigns");
                output::text(format!("game over: {}\n", ending.words))?;
                Ok(false)
            }
            Action::Move(mv) => {
                self.session.play(&mv).with_context(|| format!("{} played an illegal move", program.name()))?;
                output::text(format!("{name} plays {mv}\n"))?;
                self.draw()?;
                Ok(true)
            }
        }
    }

    /// Plays the move of the opponent; false if it resigned or was stopped.
    fn opponent_moves(&mut self, player: Player) -> anyhow::Result<bool> {
        if self.program.is_some() {
            return self.program_moves(player);
        }
        let result = self.think(false)?;
        let name = self.session.player_name(player);
        let mv = result.report.best.clone().expect("a search returns a move unless the game is over");
        let number = self.session.moves().len() + 1;
        let remark = self.remark(&result);
        self.session.play(&mv)?;
        output::text(format!("{name} plays {mv}{remark}\n"))?;
        self.last = Some((format!("Search of {name} before move {number} ({mv}):"), result));
        self.draw()?;
        Ok(true)
    }

    /// Formats the value and bounds of a move.
    fn remark(&self, result: &SearchResult) -> String {
        let facts = self.session.facts();
        let value = think::believed(&result.report, &facts).map(|value| format!("{} {value}", think::unit(&facts)));
        let proved = bounds_text(&result.report.bounds, &facts).map(|words| format!("proven: {words}"));
        let parts: Vec<String> = [value, proved].into_iter().flatten().collect();
        if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
    }

    fn execute(&mut self, command: &str, player: Player) -> anyhow::Result<()> {
        let name = self.session.player_name(player);
        match command {
            "" => Ok(()),
            "help" | "?" => output::text(HELP),
            "rules" => output::text(prose(self.session.info().rules)),
            "moves" => output::text(format!("{}\n", self.session.legal_moves().join(" "))),
            "board" => self.draw(),
            "position" => output::text(format!("{}\n", self.session.text())),
            "undo" => {
                if self.take_back() {
                    self.draw()
                } else {
                    output::text("nothing to undo\n")
                }
            }
            "hint" => {
                let result = self.think(true)?;
                let best = result.report.best.as_deref().unwrap_or("no move");
                output::text(format!("{} plays {best}{}\n", result.search, self.remark(&result)))?;
                let number = self.session.moves().len() + 1;
                self.last = Some((format!("Hint of {} for {name}, move {number}:", result.search), result));
                Ok(())
            }
            "why" => match &self.last {
                None => output::text("no search yet; try \"hint\"\n"),
                Some((heading, result)) => {
                    let player = result.report.bounds.player;
                    let name = self.session.player_name(player);
                    let text = think::describe(result, name, &self.session.facts(), think::SHOWN);
                    output::text(format!("{heading}\n{text}"))
                }
            },
            mv => match self.session.play(mv) {
                Ok(()) => self.draw(),
                Err(error) => output::text(format!("{error}\n")),
            },
        }
    }

    /// Takes back moves to the last turn of a human. Returns false, and changes nothing, if there
    /// is none.
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
            if self.session.to_move().is_some_and(|player| self.is_human(player)) {
                return true;
            }
        }
    }
}
