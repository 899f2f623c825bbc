//! Every search and every switch on many small positions and graphs, against minimax and a fixpoint; and certificates of what the
//! solvers answer, verified with the rules alone. `cargo xtask oracle` starts it and says what its arguments mean.

use clap::Parser;
use comfy_table::{CellAlignment, Table};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};
use tesuji_catalog::{Goal, Log, ProofOutcome, Sides, SolvePlan};
use tesuji_core::{Bounds, Limits, Repetition, Rng, SpecError};
use tesuji_games::{TicTacToe, rules};
use tesuji_proof::Bound;
use tesuji_testkit::agreement::{Contender, Place, Sample, Tally, on_late_positions, random_graph};
use tesuji_testkit::cycles::on_random_graph;
use tesuji_testkit::data;

#[derive(Parser)]
struct Args {
    #[arg(long)]
    positions: u32,
    #[arg(long)]
    seed: u64,
    #[arg(long)]
    only: Vec<String>,
    #[arg(long)]
    threads: usize,
    #[arg(long)]
    log: Option<PathBuf>,
}

/// Graphs whose values minimax finds out, and larger ones whose values a fixpoint knows: no names of games.
const GRAPHS: &str = "graphs";
const CYCLES: &str = "cycles";

/// Positions of a batch: what is lost by a kill, and the number of lines in the log.
const BATCH: u32 = 10;
/// Minimax solves the positions with so many nodes; more make for earlier positions, and a longer run.
const NODES: u64 = 8_000;
/// Minimax has to solve a whole random graph.
const GRAPH_NODES: u64 = 80_000;
/// The memory of a search; and one in which tables are full after a few hundred positions.
const MEMORY: usize = 2 << 20;
const TINY_MEMORY: usize = 4 << 10;
/// Solvers whose answers to a position are certified. Raising it gives every solver more proofs.
const PROOFS: usize = 8;
/// A proof is given up after this time: the writer asks for replies that hold whatever the past, and where only the past makes a position easy, there may
/// be none within reach. Most proofs take a few milliseconds.
const PATIENCE: Duration = Duration::from_secs(2);

/// Combinations of switches beside those of `testdata/searches.txt`, on which the batteries run as well, and take long.
const MORE: [&str; 22] = [
    "dfpn:sums=dfpn-r,epsilon=0,init=unit",
    "dfpn:ghi=nagai,top=4",
    "dfpn:ghi=nagai,sums=dfpn-r",
    "dfpn:ghi=nagai,init=unit,tca=off",
    "dfpn:top=1,ties=less",
    "dfpn:goal=draw",
    "dfpn:goal=score",
    "dfpn:init=mc,lookahead=0,eps=0.5",
    "pds:sums=dfpn-r",
    "pds:sums=branch,init=unit",
    "pds:ghi=nagai",
    "pds:ghi=nagai,root=printed,sums=weak",
    "pdspn:cap=power",
    "pdspn:ghi=nagai",
    "pnstar:init=unit",
    "pnstar:ghi=nagai",
    "pnstar:sums=weak,ties=listed",
    "pns:init=game",
    "pn2:cap=power",
    "pn2:cap=full",
    "rppns:d=100",
    "rppn2:cap=power,init=unit",
];

/// Those that use several threads, and get two.
const PARALLEL: [&str; 6] = ["dfpn", "dfpn:ghi=nagai,sums=dfpn-r", "rppns", "rppns:d=0", "rppn2", "mcts:solver"];
/// Those that get hardly any memory.
const CRAMPED: [&str; 10] = [
    "dfpn",
    "dfpn:ghi=nagai,sums=dfpn-r",
    "dfpn:sums=branch,ties=listed",
    "pds",
    "pdspn",
    "pnstar",
    "pns",
    "pn2",
    "rppns",
    "rppn2",
];

/// A search that takes part, as it is called in the table.
struct Entrant {
    name: String,
    contender: Contender,
    /// Whether it can be asked for proofs.
    proves: bool,
}

fn entrants() -> Result<Vec<Entrant>, SpecError> {
    let limits = Limits { playouts: Some(2_000), nodes: Some(200_000), memory: Some(MEMORY), time: None };
    // Whoever does not prove has to say nothing wrong, and nothing more comes of longer searches.
    let short = Limits { playouts: Some(200), nodes: Some(1_000), ..limits };
    let tiny = Limits { nodes: Some(20_000), memory: Some(TINY_MEMORY), ..limits };
    let board = rules::<TicTacToe>("tictactoe")?;
    let entrant = |player: &str, remark: &str, limits: Limits, threads: usize| {
        let contender = Contender { player: player.to_string(), limits, threads };
        // There the goal is part of the question, not of the solver.
        let proves = tesuji_catalog::prover::<TicTacToe>(&player.parse()?, &board).is_ok() && !player.contains("goal=");
        Ok(Entrant { name: format!("{player}{remark}"), contender, proves })
    };
    let is_short = |player: &str| player.starts_with("mcts") && !player.contains("solver") && !player.contains("pn=");
    let plain = data::searches().into_iter().chain(MORE.map(str::to_string));
    let plain = plain.map(|player| entrant(&player, "", if is_short(&player) { short } else { limits }, 1));
    let parallel = PARALLEL.iter().map(|player| entrant(player, " (2 threads)", limits, 2));
    let cramped = CRAMPED.iter().map(|player| entrant(player, " (4 KiB)", tiny, 1));
    plain.chain(parallel).chain(cramped).collect()
}

/// What became of a search.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Counts {
    positions: u32,
    decided: u32,
    wrong: u32,
    written: u32,
    verified: u32,
    not_certifiable: u32,
    given_up: u32,
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.positions += other.positions;
        self.decided += other.decided;
        self.wrong += other.wrong;
        self.written += other.written;
        self.verified += other.verified;
        self.not_certifiable += other.not_certifiable;
        self.given_up += other.given_up;
    }

    fn tell(&mut self, tally: &Tally) {
        self.positions += tally.positions;
        self.decided += tally.decided;
        self.wrong += tally.wrong;
    }
}

/// A line of the log: a batch that is done.
#[derive(Serialize, Deserialize)]
struct Done {
    game: String,
    seed: u64,
    positions: u32,
    solvers: BTreeMap<String, Counts>,
    /// What was wrong.
    errors: Vec<String>,
    /// Why answers could not be certified.
    not_certifiable: Vec<String>,
    seconds: f64,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Batch {
    game: String,
    seed: u64,
}

/// All batches, the games in turn.
fn plan(games: &[String], positions: u32, seed: u64) -> Vec<Batch> {
    let each = positions.div_ceil(games.len() as u32).div_ceil(BATCH);
    let batch = |number: u32, game: &String| {
        // The seed of a batch depends on nothing but its place, so that a longer run goes on from a shorter one.
        Batch { game: game.clone(), seed: Rng::stream(seed, u64::from(number)).bits() >> 1 }
    };
    (0..each).flat_map(|number| games.iter().map(move |game| batch(number, game))).collect()
}

/// The games that are meant: one by its spec, or all of the list with a name.
fn chosen(only: &[String]) -> Vec<String> {
    let all: Vec<String> = data::late_games().into_iter().chain([GRAPHS, CYCLES].map(str::to_string)).collect();
    if only.is_empty() {
        return all;
    }
    let meant = |text: &String| {
        let named: Vec<String> = all.iter().filter(|game| game.split(':').next() == Some(text)).cloned().collect();
        if named.is_empty() { vec![text.clone()] } else { named }
    };
    let mut games: Vec<String> = Vec::new();
    for game in only.iter().flat_map(meant) {
        if !games.contains(&game) {
            games.push(game);
        }
    }
    games
}

/// A worker with its own file for certificates.
struct Worker<'a> {
    entrants: &'a [Entrant],
    file: PathBuf,
}

impl Worker<'_> {
    fn run(&self, batch: &Batch) -> Result<Done, SpecError> {
        let begin = Instant::now();
        let contenders: Vec<Contender> = self.entrants.iter().map(|entrant| entrant.contender.clone()).collect();
        let mut counts = vec![Counts::default(); self.entrants.len()];
        let mut places = Vec::new();
        let mut errors = Vec::new();
        let mut note = |tallies: Vec<Tally>| {
            for ((tally, counts), entrant) in tallies.iter().zip(&mut counts).zip(self.entrants) {
                counts.tell(tally);
                errors.extend(tally.error.iter().map(|error| format!("{}: {error}", entrant.name)));
            }
        };
        let mut keep = |place| places.push(place);
        match batch.game.as_str() {
            GRAPHS => {
                for number in 0..u64::from(BATCH / 2) {
                    let seed = batch.seed + number;
                    let sample = Sample { positions: 2, nodes: GRAPH_NODES, seed };
                    note(on_late_positions(&random_graph(seed), &sample, &contenders, &mut keep)?);
                }
            }
            CYCLES => {
                for number in 0..u64::from(BATCH) {
                    note(on_random_graph(batch.seed + number, &contenders, &mut keep)?);
                }
            }
            game => {
                let sample = Sample { positions: BATCH, nodes: NODES, seed: batch.seed };
                note(on_late_positions(game, &sample, &contenders, &mut keep)?);
            }
        }
        let not_certifiable = self.prove(batch, &places, &mut counts, &mut errors);
        let names = self.entrants.iter().map(|entrant| entrant.name.clone());
        Ok(Done {
            game: batch.game.clone(),
            seed: batch.seed,
            positions: places.len() as u32,
            solvers: names.zip(counts).filter(|(_, counts)| counts.positions > 0).collect(),
            errors,
            not_certifiable,
            seconds: begin.elapsed().as_secs_f64(),
        })
    }

    /// Takes proofs of every position from some of the solvers, so that in the end all have given about as many.
    fn prove(&self, batch: &Batch, places: &[Place], counts: &mut [Counts], errors: &mut Vec<String>) -> Vec<String> {
        let served = |at: &usize| self.entrants[*at].proves && counts[*at].positions > 0;
        let provers: Vec<usize> = (0..self.entrants.len()).filter(served).collect();
        let mut reasons = Vec::new();
        let mut turn = batch.seed as usize % provers.len().max(1);
        for place in places {
            for _ in 0..PROOFS.min(provers.len()) {
                let at = provers[turn % provers.len()];
                turn += 1;
                let (entrant, counts) = (&self.entrants[at], &mut counts[at]);
                let place_text = || format!("{} on {} in {:?}", entrant.name, place.game, place.position);
                match certificate(&entrant.contender, place, batch.seed, &self.file) {
                    Ok(Some(Certificate::Verified)) => {
                        counts.written += 1;
                        counts.verified += 1;
                    }
                    Ok(Some(Certificate::None(reason))) => {
                        counts.not_certifiable += 1;
                        reasons.push(format!("{}: {reason}", place_text()));
                    }
                    Ok(Some(Certificate::GivenUp)) => {
                        counts.given_up += 1;
                        reasons.push(format!("{}: given up", place_text()));
                    }
                    Ok(None) => {}
                    Err(Failure::Claim(what)) => {
                        counts.wrong += 1;
                        errors.push(format!("{}: {what}", place_text()));
                    }
                    Err(Failure::Proof(what)) => {
                        counts.written += 1;
                        counts.wrong += 1;
                        errors.push(format!("{}: {what}", place_text()));
                    }
                }
            }
        }
        reasons
    }
}

enum Certificate {
    Verified,
    /// The past decides, and the proof is no file.
    None(String),
    /// It took too long.
    GivenUp,
}

enum Failure {
    Claim(String),
    Proof(String),
}

/// Solves a position as `tesuji solve --proof` does; `None` if there was no answer.
fn certificate(contender: &Contender, place: &Place, seed: u64, file: &Path) -> Result<Option<Certificate>, Failure> {
    let claim = |error: &dyn std::fmt::Display| Failure::Claim(error.to_string());
    let session = tesuji_catalog::open(&place.game, &place.position).map_err(|error| claim(&error))?;
    let stop = AtomicBool::new(false);
    let plan = SolvePlan {
        goal: Goal::Value,
        by: contender.player.clone(),
        sides: Sides::One((place.truth.player.0 + 1).to_string()),
        all_moves: false,
        limits: Limits { playouts: None, ..contender.limits },
        seed,
        threads: contender.threads,
        stop: &stop,
        checkpoint: None,
        proof: Some(file.to_path_buf()),
        observer: None,
    };
    let solution = std::thread::scope(|scope| {
        let (done, wait) = std::sync::mpsc::channel::<()>();
        let stop = &stop;
        scope.spawn(move || {
            let is_late = wait.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout);
            stop.store(is_late, Relaxed);
        });
        let solution = tesuji_catalog::solve(session.as_ref(), &plan);
        drop(done);
        solution
    });
    let solution = solution.map_err(|error| Failure::Proof(error.to_string()))?;
    let Some(solution) = solution else { return Ok(None) };
    let truth = place.truth;
    let contradicts = |bounds: &Bounds| bounds.at_least > truth.at_most || bounds.at_most < truth.at_least;
    let bounds = solution.sides[0].bounds;
    if contradicts(&bounds) {
        return Err(Failure::Claim(format!("{bounds:?} is solved, and {truth:?} is true")));
    }
    if !bounds.is_informative(&session.facts()) {
        return Ok(None);
    }
    match solution.proof {
        Some(ProofOutcome::Written(verification)) => {
            // What the file proves must be all that was answered, and true.
            let proves = |bound: Bound, score: i32| {
                let claims = verification.claims.iter().map(|told| told.proved.claim);
                claims
                    .into_iter()
                    .any(|claim| (claim.player, claim.bound, claim.score) == (bounds.player, bound, score))
            };
            let scores = session.facts().scores;
            let whole = (bounds.at_least <= scores.0 || proves(Bound::AtLeast, bounds.at_least))
                && (bounds.at_most >= scores.1 || proves(Bound::AtMost, bounds.at_most));
            if whole {
                return Ok(Some(Certificate::Verified));
            }
            Err(Failure::Proof(format!("{bounds:?} is solved, and the file proves {:?}", verification.claims)))
        }
        Some(ProofOutcome::NotCertified(_)) if stop.load(Relaxed) => Ok(Some(Certificate::GivenUp)),
        Some(ProofOutcome::NotCertified(reason)) if session.facts().repetition == Repetition::Impossible => {
            Err(Failure::Proof(format!("no proof of {bounds:?}: {reason}")))
        }
        Some(ProofOutcome::NotCertified(reason)) => Ok(Some(Certificate::None(reason))),
        None => Err(Failure::Proof("no proof was written".to_string())),
    }
}

fn row(name: &str, positions: u32, counts: &Counts) -> [String; 9] {
    let Counts { positions: searches, decided, wrong, written, verified, not_certifiable, given_up } = *counts;
    let numbers =
        [positions, searches, decided, wrong, written, verified, not_certifiable, given_up].map(|n| n.to_string());
    let mut cells = numbers.into_iter();
    std::array::from_fn(|at| if at == 0 { name.to_string() } else { cells.next().expect("eight numbers") })
}

fn table(first: &str, rows: Vec<[String; 9]>) -> Table {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header([
        first,
        "positions",
        "searches",
        "decided",
        "wrong",
        "written",
        "verified",
        "not certifiable",
        "given up",
    ]);
    table.add_rows(rows);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Prints what was found; whether nothing was wrong.
fn told(done: &[Done]) -> bool {
    let mut games: BTreeMap<&str, (u32, Counts)> = BTreeMap::new();
    let mut solvers: BTreeMap<&str, Counts> = BTreeMap::new();
    let (mut positions, mut total) = (0, Counts::default());
    let mut reasons: BTreeMap<&str, &str> = BTreeMap::new();
    for batch in done {
        positions += batch.positions;
        let game = games.entry(&batch.game).or_default();
        game.0 += batch.positions;
        for (name, counts) in &batch.solvers {
            game.1.add(counts);
            solvers.entry(name).or_default().add(counts);
            total.add(counts);
        }
        if let Some(reason) = batch.not_certifiable.first() {
            reasons.entry(&batch.game).or_insert(reason);
        }
    }
    let mut rows: Vec<_> = games.iter().map(|(game, (positions, counts))| row(game, *positions, counts)).collect();
    rows.push(row("all", positions, &total));
    println!("{}\n", table("game", rows));
    let rows = solvers.iter().map(|(name, counts)| row(name, counts.positions, counts));
    println!("{}", table("search", rows.collect()));
    for (game, reason) in reasons {
        println!("\nnot certifiable in {game}, for example: {reason}");
    }
    for error in done.iter().flat_map(|batch| &batch.errors) {
        println!("\nWRONG {error}");
    }
    let seconds: f64 = done.iter().map(|batch| batch.seconds).sum();
    println!("\n{positions} positions, {} searches, {seconds:.0} s of work", total.positions);
    total.wrong == 0
}

/// Raised by Ctrl-C: batches that were begun are finished.
static STOP: AtomicBool = AtomicBool::new(false);

fn run(args: &Args) -> Result<bool, Box<dyn std::error::Error>> {
    let entrants = entrants()?;
    let plan = plan(&chosen(&args.only), args.positions, args.seed);
    let (log, lines) = match &args.log {
        Some(file) => Log::open::<Done>(file, "finished batch").map(|(log, lines)| (Some(log), lines))?,
        None => (None, Vec::new()),
    };
    let lines = lines.into_iter().map(|line| (Batch { game: line.game.clone(), seed: line.seed }, line));
    let mut lines: HashMap<Batch, Done> = lines.collect();
    let mut done: Vec<Done> = plan.iter().filter_map(|batch| lines.remove(batch)).collect();
    let is_done = |batch: &&Batch| done.iter().any(|line| line.game == batch.game && line.seed == batch.seed);
    let open: Vec<&Batch> = plan.iter().filter(|batch| !is_done(batch)).collect();
    ctrlc::set_handler(|| {
        // Whoever asks twice does not want to wait.
        if STOP.swap(true, Relaxed) {
            std::process::exit(130);
        }
        eprintln!("finishing what was begun; again to end at once");
    })?;
    let folder = tempfile::tempdir()?;
    let bar =
        ProgressBar::new(plan.len() as u64 * u64::from(BATCH)).with_position(done.len() as u64 * u64::from(BATCH));
    bar.set_style(ProgressStyle::with_template("{wide_bar} {pos}/{len} positions, {msg}, {eta} left")?);
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_secs(1));
    let (next, found) = (AtomicUsize::new(0), Mutex::new((Vec::new(), log)));
    let work = |number: usize| -> Result<(), String> {
        let worker = Worker { entrants: &entrants, file: folder.path().join(number.to_string()) };
        while let Some(batch) = open.get(next.fetch_add(1, Relaxed)).filter(|_| !STOP.load(Relaxed)) {
            let line = worker.run(batch).map_err(|error| format!("{}: {error}", batch.game))?;
            let mut found = found.lock().expect("nobody panicked");
            found.1.iter_mut().try_for_each(|log| log.add(&line)).map_err(|error| error.to_string())?;
            line.errors.iter().for_each(|error| bar.println(format!("WRONG {error}")));
            found.0.push(line);
            let wrong: usize = found.0.iter().map(|line: &Done| line.errors.len()).sum();
            bar.set_message(format!("{wrong} wrong"));
            bar.inc(u64::from(BATCH));
        }
        Ok(())
    };
    let ended: Vec<Result<(), String>> = std::thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> = (0..args.threads.max(1)).map(|number| scope.spawn(move || work(number))).collect();
        workers.into_iter().map(|worker| worker.join().expect("a search panicked")).collect()
    });
    bar.finish_and_clear();
    ended.into_iter().collect::<Result<(), String>>()?;
    done.extend(found.into_inner()?.0);
    Ok(told(&done))
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
