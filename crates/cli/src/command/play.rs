//! `tesuji play`: a game in the terminal.

use crate::command::position::Position;
use crate::command::show::describe;
use crate::output;
use clap::{Args as ClapArgs, ValueEnum};
use std::io::{BufRead, Write};
use std::process::ExitCode;
use tesuji_catalog::Session;
use tesuji_core::{Player, Rng};

/// Arguments of `tesuji play`.
#[derive(ClapArgs)]
#[command(after_help = "At the prompt: a move, or undo, moves, board, position, help, quit.\n\nExamples:\n  \
                        tesuji play connect4 --opponent random\n  tesuji play go:9 --opponent random --seat 2\n  \
                        tesuji play awari")]
pub struct Args {
    #[command(flatten)]
    position: Position,
    /// Who plays the other seats
    #[arg(long, value_enum, default_value_t = Opponent::Person)]
    opponent: Opponent,
    /// Your seat, from 1, when the opponent is not a person
    #[arg(long, default_value_t = 1)]
    seat: u8,
    /// The seed of a random opponent
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Opponent {
    /// Somebody at the same terminal
    Person,
    /// Legal moves drawn by lot
    Random,
}

const HELP: &str = "Type a move as shown by \"moves\". Also: undo (take back to your last turn), moves (list the legal moves), \
                    board (draw again), position (print it in one line), help, quit.\n";

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut session = args.position.open()?;
    let players = session.facts().players;
    anyhow::ensure!(
        (1..=players).contains(&args.seat),
        "there is no seat {}; this game has seats 1 to {players}",
        args.seat
    );
    let mut rng = Rng::new(args.seed);
    let person = |player: Player| args.opponent == Opponent::Person || player.0 + 1 == args.seat;
    let mut lines = std::io::stdin().lock().lines();
    draw(session.as_ref())?;
    while let Some(player) = session.to_move() {
        let name = session.player_name(player);
        if !person(player) {
            let mv = session.random_move(&mut rng).expect("the game is not over");
            session.play(&mv)?;
            output::text(format!("{name} plays {mv}\n"))?;
            draw(session.as_ref())?;
            continue;
        }
        output::text(format!("{name}> "))?;
        std::io::stdout().flush()?;
        let Some(line) = lines.next().transpose()? else {
            output::text("\n")?;
            break;
        };
        match line.trim() {
            "" => {}
            "quit" | "exit" => return Ok(ExitCode::SUCCESS),
            "help" | "?" => output::text(HELP)?,
            "moves" => output::text(format!("{}\n", session.legal_moves().join(" ")))?,
            "board" => draw(session.as_ref())?,
            "position" => output::text(format!("{}\n", session.text()))?,
            "undo" => {
                if take_back(session.as_mut(), &person) {
                    draw(session.as_ref())?;
                } else {
                    output::text("there is nothing to take back\n")?;
                }
            }
            mv => match session.play(mv) {
                Ok(()) => draw(session.as_ref())?,
                Err(error) => output::text(format!("{error}\n"))?,
            },
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn draw(session: &dyn Session) -> anyhow::Result<()> {
    let description = describe(session);
    let shown: Vec<&str> = description.lines().filter(|line| !line.starts_with("position:")).collect();
    output::text(format!("\n{}\n", shown.join("\n")))
}

/// Takes moves back until a person is to move again; if that was never so before, nothing is taken back.
fn take_back(session: &mut dyn Session, person: &dyn Fn(Player) -> bool) -> bool {
    let mut taken: Vec<String> = Vec::new();
    loop {
        let Some(last) = session.moves().pop() else {
            for mv in taken.iter().rev() {
                session.play(mv).expect("it was played before");
            }
            return false;
        };
        session.undo();
        taken.push(last);
        if session.to_move().is_some_and(person) {
            return true;
        }
    }
}
