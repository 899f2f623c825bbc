//! Asks GNU Go and Tesuji the same questions about blocks in positions from games: can the block be
//! attacked, can it be defended? `cargo xtask gnugo-oracle` starts it and documents its arguments.

use clap::Parser;
use comfy_table::{CellAlignment, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::Duration;
use tesuji_catalog::{AUTO, Fault, Log, ProofOutcome, parse_time};
use tesuji_core::{Limits, Rng};
use tesuji_gtp::{Child, Children};
use tesuji_sgf::Record;
use tesuji_tsumego::{
    Answer, Board, Candidate, Details, Effort, Goal, Level, Marks, Points, Question, Solver, Task, Wanted, answer,
};

#[derive(Parser)]
struct Args {
    #[arg(long)]
    games: PathBuf,
    #[arg(long)]
    questions: u64,
    #[arg(long, value_parser = parse_time)]
    time: Option<Duration>,
    #[arg(long)]
    nodes: Option<u64>,
    #[arg(long)]
    seed: u64,
    #[arg(long)]
    gnugo: String,
    #[arg(long)]
    log: PathBuf,
}

/// The memory of a question. Raising it makes short searches begin later.
const MEMORY: usize = 128 << 20;
/// Positions are taken from this ply on: earlier ones have hardly any block with few liberties.
const FIRST_PLY: usize = 20;
/// Blocks with more liberties are not asked about; GNU Go does not read them out.
const MOST_LIBERTIES: usize = 4;
/// The time limit of a certificate.
const PROOF_TIME: Duration = Duration::from_secs(20);
/// The time limit of GNU Go's answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A question and both answers: a line of the log.
#[derive(Clone, Serialize, Deserialize)]
struct Row {
    number: u64,
    /// Seed and limits, which are the same in all lines of a log.
    settings: String,
    /// The game in the file, from 1, and the number of moves played.
    game: usize,
    ply: usize,
    command: String,
    stone: String,
    liberties: usize,
    gnugo: String,
    tesuji: String,
    outcome: Outcome,
    /// For a disagreement: whether a verified certificate supports Tesuji.
    certified: Option<bool>,
    /// The position of the problem game.
    position: String,
}

/// How the codes compare; the side that moves first reaches more with 1 than with 2, 3 and 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Outcome {
    Agree,
    TesujiMore,
    GnugoMore,
    Open,
}

/// A question about a block.
struct Asked {
    game: usize,
    moves: Vec<String>,
    board: Board,
    block: Points,
    goal: Goal,
}

impl Asked {
    /// Draws a question; `None` if the position has no block with few liberties.
    fn draw(records: &[Record], rng: &mut Rng) -> Option<Asked> {
        let game = rng.below(records.len());
        let length = records[game].length();
        let ply = FIRST_PLY + rng.below(length.saturating_sub(FIRST_PLY) + 1);
        let session = records[game].open(Some(ply.min(length))).ok()?;
        let board = Board::of(session.as_ref()).ok()?;
        let all = board.blocks_of(&board.points().filter(|&point| board.at(point).is_some()).collect());
        let few = |block: &Points| (1..=MOST_LIBERTIES).contains(&board.liberties(block).len());
        let blocks: Vec<Points> = all.into_iter().filter(few).collect();
        let block = blocks.get(rng.below(blocks.len().max(1)))?.clone();
        let goal = if rng.below(2) == 0 { Goal::Capture } else { Goal::Save };
        Some(Asked { game: game + 1, moves: session.moves(), board, block, goal })
    }

    fn stone(&self) -> String {
        self.block.first().map(|&stone| self.board.name(stone)).unwrap_or_default()
    }

    fn command(&self) -> &'static str {
        if self.goal == Goal::Capture { "attack" } else { "defend" }
    }

    /// Asks GNU Go.
    fn ask_gnugo(&self, gnugo: &mut Gnugo) -> Result<String, Fault> {
        gnugo.ask(&format!("boardsize {}", self.board.size()))?;
        gnugo.ask("clear_board")?;
        for (at, mv) in self.moves.iter().enumerate() {
            gnugo.ask(&format!("play {} {mv}", if at % 2 == 0 { "black" } else { "white" }))?;
        }
        gnugo.ask(&format!("{} {}", self.command(), self.stone()))
    }

    /// Asks Tesuji; a disagreement is certified.
    fn ask_tesuji(&self, limits: Limits, theirs: u8, certificate: &Path) -> anyhow::Result<(Answer, Option<bool>)> {
        let owner = self.board.at(self.block.first().copied().unwrap_or(0)).expect("the block has stones");
        let mover = if self.goal.is_of_mover() { owner } else { owner.opponent() };
        let board = self.board.with_turn(mover);
        let candidate = Candidate { goal: self.goal, targets: self.block.clone(), seeds: self.block.clone() };
        let task = Task::new(&board, &[candidate], &Marks::default(), &Wanted::Auto)?;
        let stop = AtomicBool::new(false);
        let mut solver = Solver::new(Effort { by: AUTO, limits, seed: 1, threads: 1, stop: &stop, observer: None });
        let found = answer(&mut solver, &task, Details::default())?;
        let ours = found.level();
        if !found.is_decided() || ours.code() == theirs {
            return Ok((found, None));
        }
        let has_more = rank(ours.code()) > rank(theirs);
        let level = if has_more || ours == Level::UNCONDITIONAL { ours } else { ours.next() };
        let question = Question::at(found.problem(), level);
        let prove = || solver.prove(question, certificate.to_path_buf()).map_err(anyhow::Error::from);
        let proof = within(PROOF_TIME, &stop, prove)?;
        Ok((found, Some(matches!(proof, ProofOutcome::Written(_)))))
    }
}

/// Runs something and sets the stop flag when its time is over.
fn within<T>(time: Duration, stop: &AtomicBool, run: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        let (done, is_done) = mpsc::channel::<()>();
        scope.spawn(move || {
            if is_done.recv_timeout(time) == Err(mpsc::RecvTimeoutError::Timeout) {
                stop.store(true, Relaxed);
            }
        });
        let result = run();
        drop(done);
        result
    })
}

/// The order of codes by what the side that moves first reaches.
fn rank(code: u8) -> u8 {
    match code {
        1 => 3,
        2 => 2,
        3 => 1,
        _ => 0,
    }
}

/// GNU Go as a process.
struct Gnugo(Child);

impl Gnugo {
    fn ask(&mut self, command: &str) -> Result<String, Fault> {
        self.0.send(command)?;
        let mut answer = String::new();
        loop {
            let line = self.0.receive(PATIENCE)?;
            if line.trim().is_empty() && !answer.is_empty() {
                break;
            }
            answer.push_str(line.trim());
        }
        match answer.strip_prefix('=') {
            Some(rest) => Ok(rest.trim().to_string()),
            None => Err(Fault::Protocol(format!("GNU Go refuses {command}: {answer}"))),
        }
    }
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let records = tesuji_sgf::read_file(&args.games)?;
    let limits = Limits { time: args.time, nodes: args.nodes, playouts: None, memory: Some(MEMORY) };
    let seconds = args.time.map_or("no limit".to_string(), |time| format!("{}s", time.as_secs_f64()));
    let nodes = args.nodes.map_or("no limit".to_string(), |nodes| nodes.to_string());
    let settings = format!("seed {}, time {seconds}, nodes {nodes}, {}", args.seed, args.gnugo);
    let (mut log, mut rows) = Log::open::<Row>(&args.log, "question to GNU Go")?;
    if let Some(other) = rows.iter().find(|row| row.settings != settings) {
        anyhow::bail!("{} was written with \"{}\", not \"{settings}\"", args.log.display(), other.settings);
    }
    let children = Children::default();
    let mut gnugo = Gnugo(Child::start(&args.gnugo, &children)?);
    let certificate = args.log.with_extension("proof");
    for number in rows.len() as u64..args.questions {
        // Every question has its own random numbers, so that a resumed run asks the same.
        let mut rng = Rng::stream(args.seed, number);
        let asked = std::iter::repeat_with(|| Asked::draw(&records, &mut rng)).flatten().next().expect("endless");
        let theirs = asked.ask_gnugo(&mut gnugo)?;
        let code = theirs.as_bytes().first().map_or(0, |digit| digit.saturating_sub(b'0'));
        let (found, certified) = asked.ask_tesuji(limits, code, &certificate)?;
        let ours = found.level().code();
        let outcome = match (found.is_decided(), rank(ours).cmp(&rank(code))) {
            (false, _) => Outcome::Open,
            (_, std::cmp::Ordering::Equal) => Outcome::Agree,
            (_, std::cmp::Ordering::Greater) => Outcome::TesujiMore,
            (_, std::cmp::Ordering::Less) => Outcome::GnugoMore,
        };
        let first = found.line.first().map_or("PASS", String::as_str);
        let row = Row {
            number,
            settings: settings.clone(),
            game: asked.game,
            ply: asked.moves.len(),
            command: asked.command().to_string(),
            stone: asked.stone(),
            liberties: asked.board.liberties(&asked.block).len(),
            gnugo: theirs,
            tesuji: if ours == 0 { "0".to_string() } else { format!("{ours} {first}") },
            outcome,
            certified,
            position: format!("{} {}", found.game, found.position),
        };
        log.add(&row)?;
        rows.push(row);
    }
    gnugo.0.end();
    print(&rows);
    Ok(())
}

/// Prints the counts by command and liberties, and the disagreements.
fn print(rows: &[Row]) {
    let mut table = Table::new();
    table.set_header(["question", "asked", "agree", "Tesuji more", "GNU Go more", "certified", "open"]);
    let mut groups: BTreeMap<String, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        groups.entry(format!("{}, {}", row.command, row.liberties)).or_default().push(row);
        groups.entry("~all".to_string()).or_default().push(row);
    }
    for (name, rows) in &groups {
        let count = |outcome: Outcome| rows.iter().filter(|row| row.outcome == outcome).count();
        let certified = rows.iter().filter(|row| row.certified == Some(true)).count();
        let counts = [
            rows.len(),
            count(Outcome::Agree),
            count(Outcome::TesujiMore),
            count(Outcome::GnugoMore),
            certified,
            count(Outcome::Open),
        ];
        let name = name.trim_start_matches('~').to_string();
        table.add_row([name].into_iter().chain(counts.map(|count| count.to_string())));
    }
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    println!("{table}");
    for row in rows.iter().filter(|row| row.certified.is_some()) {
        let Row { game, ply, command, stone, gnugo, tesuji, .. } = row;
        let proof = if row.certified == Some(true) { "certified" } else { "no certificate" };
        println!("game {game}, move {ply}: {command} {stone}: GNU Go {gnugo}, Tesuji {tesuji} ({proof})");
    }
}
