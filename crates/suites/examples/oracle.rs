//! Runs every search and every option on many small positions and graphs, compares them with
//! minimax and a fixpoint iteration, and verifies certificates of the solvers' answers. `cargo
//! xtask oracle` starts it and documents its arguments.

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
use tesuji_catalog::{Goal, Log, ProofOutcome, Sides, Solution, SolvePlan};
use tesuji_core::{Bounds, Facts, Limits, Repetition, Rng, SpecError};
use tesuji_games::{TicTacToe, rules};
use tesuji_proof::Bound;
use tesuji_suites::agreement::{Contender, KnownPosition, Sample, Tally, on_late_positions, random_graph};
use tesuji_suites::cycles::on_random_graph;
use tesuji_suites::data;

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

/// Random graphs solved by minimax, and larger ones solved by fixpoint iteration; these are not
/// names of games.
const GRAPHS: &str = "graphs";
const CYCLES: &str = "cycles";

/// The number of positions in a batch, which is one line of the log. A run that is killed loses its
/// current batches.
const BATCH: u32 = 10;
/// The node limit of minimax. Raising it gives earlier positions and a longer run.
const NODES: u64 = 8_000;
/// The node limit of minimax on a random graph, which it must solve completely.
const GRAPH_NODES: u64 = 80_000;
/// The memory of a search, and a memory in which tables are full after a few hundred positions.
const MEMORY: usize = 2 << 20;
const TINY_MEMORY: usize = 4 << 10;
/// The number of solvers that write a certificate for each position. Raising it gives more proofs
/// per solver.
const PROOFS: usize = 8;
/// The time limit of a proof. The writer asks for replies that hold for any history, and if a
/// position is easy only because of its history, none may be in reach. Most proofs take a few
/// milliseconds.
const PROOF_TIME: Duration = Duration::from_secs(2);

/// Specs that run only here. Those of `testdata/searches.txt` also run in the batteries, which take
/// long.
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

/// The searches that also run with two threads.
const PARALLEL: [&str; 6] = ["dfpn", "dfpn:ghi=nagai,sums=dfpn-r", "rppns", "rppns:d=0", "rppn2", "mcts:solver"];
/// The searches that also run with [`TINY_MEMORY`].
const TINY: [&str; 10] = [
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

/// A search of the run and its name in the output.
struct Entrant {
    name: String,
    contender: Contender,
    /// Whether it can write certificates.
    proves: bool,
}

fn entrants() -> Result<Vec<Entrant>, SpecError> {
    let limits = Limits { playouts: Some(2_000), nodes: Some(200_000), memory: Some(MEMORY), time: None };
    // A search that does not prove only has to make no wrong claims, for which a short one is
    // enough.
    let short = Limits { playouts: Some(200), nodes: Some(1_000), ..limits };
    let tiny = Limits { nodes: Some(20_000), memory: Some(TINY_MEMORY), ..limits };
    let board = rules::<TicTacToe>("tictactoe")?;
    let entrant = |player: &str, remark: &str, limits: Limits, threads: usize| {
        let contender = Contender { player: player.to_string(), limits, threads };
        // With a certificate the goal is part of the question, so solvers with a goal option are
        // left out.
        let proves = tesuji_catalog::prover::<TicTacToe>(&player.parse()?, &board).is_ok() && !player.contains("goal=");
        Ok(Entrant { name: format!("{player}{remark}"), contender, proves })
    };
    let is_short = |player: &str| player.starts_with("mcts") && !player.contains("solver") && !player.contains("pn=");
    let plain = data::searches().into_iter().chain(MORE.map(str::to_string));
    let plain = plain.map(|player| entrant(&player, "", if is_short(&player) { short } else { limits }, 1));
    let parallel = PARALLEL.iter().map(|player| entrant(player, " (2 threads)", limits, 2));
    let with_tiny_memory = TINY.iter().map(|player| entrant(player, " (4 KiB)", tiny, 1));
    plain.chain(parallel).chain(with_tiny_memory).collect()
}

/// The results of a search.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Counts {
    positions: u32,
    #[serde(rename = "decided")]
    solved: u32,
    wrong: u32,
    written: u32,
    verified: u32,
    not_certifiable: u32,
    given_up: u32,
}

impl Counts {
    fn add(&mut self, other: &Counts) {
        self.positions += other.positions;
        self.solved += other.solved;
        self.wrong += other.wrong;
        self.written += other.written;
        self.verified += other.verified;
        self.not_certifiable += other.not_certifiable;
        self.given_up += other.given_up;
    }

    fn add_tally(&mut self, tally: &Tally) {
        self.positions += tally.positions;
        self.solved += tally.solved;
        self.wrong += tally.wrong;
    }
}

/// A line of the log: a finished batch.
#[derive(Serialize, Deserialize)]
struct Done {
    game: String,
    seed: u64,
    positions: u32,
    solvers: BTreeMap<String, Counts>,
    /// The wrong claims and proofs.
    errors: Vec<String>,
    /// The reasons why answers could not be certified.
    not_certifiable: Vec<String>,
    seconds: f64,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Batch {
    game: String,
    seed: u64,
}

/// Returns all batches, alternating between the games.
fn plan(games: &[String], positions: u32, seed: u64) -> Vec<Batch> {
    let each = positions.div_ceil(games.len() as u32).div_ceil(BATCH);
    let batch = |number: u32, game: &String| {
        // The seed depends only on the number of the batch, so that a longer run continues a
        // shorter one.
        Batch { game: game.clone(), seed: Rng::stream(seed, u64::from(number)).bits() >> 1 }
    };
    (0..each).flat_map(|number| games.iter().map(move |game| batch(number, game))).collect()
}

/// Returns the games selected on the command line, each by its spec or by a name that selects all
/// its specs in the list.
fn selected_games(only: &[String]) -> Vec<String> {
    let all: Vec<String> = data::late_games().into_iter().chain([GRAPHS, CYCLES].map(str::to_string)).collect();
    if only.is_empty() {
        return all;
    }
    let matching = |text: &String| {
        let named: Vec<String> = all.iter().filter(|game| game.split(':').next() == Some(text)).cloned().collect();
        if named.is_empty() { vec![text.clone()] } else { named }
    };
    let mut games: Vec<String> = Vec::new();
    for game in only.iter().flat_map(matching) {
        if !games.contains(&game) {
            games.push(game);
        }
    }
    games
}

/// A worker thread with its own certificate file.
struct Worker<'a> {
    entrants: &'a [Entrant],
    file: PathBuf,
}

impl Worker<'_> {
    /// Runs all searches on a batch.
    fn run(&self, batch: &Batch) -> Result<Done, SpecError> {
        let start = Instant::now();
        let contenders: Vec<Contender> = self.entrants.iter().map(|entrant| entrant.contender.clone()).collect();
        let mut counts = vec![Counts::default(); self.entrants.len()];
        let mut positions = Vec::new();
        let mut errors = Vec::new();
        let mut note = |tallies: Vec<Tally>| {
            for ((tally, counts), entrant) in tallies.iter().zip(&mut counts).zip(self.entrants) {
                counts.add_tally(tally);
                errors.extend(tally.error.iter().map(|error| format!("{}: {error}", entrant.name)));
            }
        };
        let mut observe = |position| positions.push(position);
        match batch.game.as_str() {
            GRAPHS => {
                for number in 0..u64::from(BATCH / 2) {
                    let seed = batch.seed + number;
                    let sample = Sample { positions: 2, nodes: GRAPH_NODES, seed };
                    note(on_late_positions(&random_graph(seed), &sample, &contenders, &mut observe)?);
                }
            }
            CYCLES => {
                for number in 0..u64::from(BATCH) {
                    note(on_random_graph(batch.seed + number, &contenders, &mut observe)?);
                }
            }
            game => {
                let sample = Sample { positions: BATCH, nodes: NODES, seed: batch.seed };
                note(on_late_positions(game, &sample, &contenders, &mut observe)?);
            }
        }
        let not_certifiable = self.prove(batch, &positions, &mut counts, &mut errors);
        let names = self.entrants.iter().map(|entrant| entrant.name.clone());
        Ok(Done {
            game: batch.game.clone(),
            seed: batch.seed,
            positions: positions.len() as u32,
            solvers: names.zip(counts).filter(|(_, counts)| counts.positions > 0).collect(),
            errors,
            not_certifiable,
            seconds: start.elapsed().as_secs_f64(),
        })
    }

    /// Has some of the solvers prove each position, in turn, so that all prove about equally many.
    fn prove(
        &self,
        batch: &Batch,
        positions: &[KnownPosition],
        counts: &mut [Counts],
        errors: &mut Vec<String>,
    ) -> Vec<String> {
        let can_prove = |at: &usize| self.entrants[*at].proves && counts[*at].positions > 0;
        let provers: Vec<usize> = (0..self.entrants.len()).filter(can_prove).collect();
        let mut reasons = Vec::new();
        let mut turn = batch.seed as usize % provers.len().max(1);
        for position in positions {
            for _ in 0..PROOFS.min(provers.len()) {
                let at = provers[turn % provers.len()];
                turn += 1;
                let (entrant, counts) = (&self.entrants[at], &mut counts[at]);
                let context = || format!("{} on {} in {:?}", entrant.name, position.game, position.position);
                match certificate(&entrant.contender, position, batch.seed, &self.file) {
                    Ok(Some(CertificateResult::Verified)) => {
                        counts.written += 1;
                        counts.verified += 1;
                    }
                    Ok(Some(CertificateResult::NotCertifiable(reason))) => {
                        counts.not_certifiable += 1;
                        reasons.push(format!("{}: {reason}", context()));
                    }
                    Ok(Some(CertificateResult::GivenUp)) => {
                        counts.given_up += 1;
                        reasons.push(format!("{}: given up", context()));
                    }
                    Ok(None) => {}
                    Err(Failure::Claim(what)) => {
                        counts.wrong += 1;
                        errors.push(format!("{}: {what}", context()));
                    }
                    Err(Failure::Proof(what)) => {
                        counts.written += 1;
                        counts.wrong += 1;
                        errors.push(format!("{}: {what}", context()));
                    }
                }
            }
        }
        reasons
    }
}

/// The result of a request for a certificate.
enum CertificateResult {
    Verified,
    /// The answer depends on the history and cannot be certified.
    NotCertifiable(String),
    /// The time limit was reached.
    GivenUp,
}

/// An error of a solver.
enum Failure {
    /// A wrong answer.
    Claim(String),
    /// A missing, incomplete or invalid proof.
    Proof(String),
}

/// Solves a position as `tesuji solve --proof` does; `None` if there was no answer.
fn certificate(
    contender: &Contender,
    position: &KnownPosition,
    seed: u64,
    file: &Path,
) -> Result<Option<CertificateResult>, Failure> {
    let claim = |error: &dyn std::fmt::Display| Failure::Claim(error.to_string());
    let session = tesuji_catalog::open(&position.game, &position.position).map_err(|error| claim(&error))?;
    let stop = AtomicBool::new(false);
    let plan = SolvePlan {
        goal: Goal::Value,
        by: contender.player.clone(),
        sides: Sides::One((position.truth.player.0 + 1).to_string()),
        all_moves: false,
        limits: Limits { playouts: None, ..contender.limits },
        seed,
        threads: contender.threads,
        stop: &stop,
        checkpoint: None,
        proof: Some(file.to_path_buf()),
        zone: None,
        observer: None,
    };
    let solution = std::thread::scope(|scope| {
        let (done, wait) = std::sync::mpsc::channel::<()>();
        let stop = &stop;
        scope.spawn(move || {
            let is_late = wait.recv_timeout(PROOF_TIME) == Err(RecvTimeoutError::Timeout);
            stop.store(is_late, Relaxed);
        });
        let solution = tesuji_catalog::solve(session.as_ref(), &plan);
        drop(done);
        solution
    });
    let solution = solution.map_err(|error| Failure::Proof(error.to_string()))?;
    let Some(solution) = solution else { return Ok(None) };
    let was_stopped = stop.load(Relaxed);
    check_solution(solution, position.truth, &session.facts(), was_stopped)
}

/// Checks a solution and its certificate against the true value; `None` if there was no answer.
fn check_solution(
    solution: Solution,
    truth: Bounds,
    facts: &Facts,
    was_stopped: bool,
) -> Result<Option<CertificateResult>, Failure> {
    let contradicts = |bounds: &Bounds| bounds.at_least > truth.at_most || bounds.at_most < truth.at_least;
    let bounds = solution.sides[0].bounds;
    if contradicts(&bounds) {
        return Err(Failure::Claim(format!("{bounds:?} is claimed, but {truth:?} is true")));
    }
    if !bounds.is_informative(facts) {
        return Ok(None);
    }
    match solution.proof {
        Some(ProofOutcome::Written(verification)) => {
            // The certificate must prove both bounds.
            let proves = |bound: Bound, score: i32| {
                let claims = verification.claims.iter().map(|verified| verified.proved.claim);
                claims
                    .into_iter()
                    .any(|claim| (claim.player, claim.bound, claim.score) == (bounds.player, bound, score))
            };
            let scores = facts.scores;
            let whole = (bounds.at_least <= scores.0 || proves(Bound::AtLeast, bounds.at_least))
                && (bounds.at_most >= scores.1 || proves(Bound::AtMost, bounds.at_most));
            if whole {
                return Ok(Some(CertificateResult::Verified));
            }
            Err(Failure::Proof(format!("{bounds:?} is claimed, but the certificate proves {:?}", verification.claims)))
        }
        Some(ProofOutcome::NotCertified(_)) if was_stopped => Ok(Some(CertificateResult::GivenUp)),
        Some(ProofOutcome::NotCertified(reason)) if facts.repetition == Repetition::Impossible => {
            Err(Failure::Proof(format!("no proof of {bounds:?}: {reason}")))
        }
        Some(ProofOutcome::NotCertified(reason)) => Ok(Some(CertificateResult::NotCertifiable(reason))),
        None => Err(Failure::Proof("no proof was written".to_string())),
    }
}

fn row(name: &str, positions: u32, counts: &Counts) -> [String; 9] {
    let Counts { positions: searches, solved, wrong, written, verified, not_certifiable, given_up } = *counts;
    let numbers =
        [positions, searches, solved, wrong, written, verified, not_certifiable, given_up].map(|n| n.to_string());
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
        "solved",
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

/// Prints the results; returns whether nothing was wrong.
fn print_results(done: &[Done]) -> bool {
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

/// Set by Ctrl-C: workers finish their current batches.
static STOP: AtomicBool = AtomicBool::new(false);

fn run(args: &Args) -> Result<bool, Box<dyn std::error::Error>> {
    let entrants = entrants()?;
    let plan = plan(&selected_games(&args.only), args.positions, args.seed);
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
        // The second Ctrl-C exits at once.
        if STOP.swap(true, Relaxed) {
            std::process::exit(130);
        }
        eprintln!("finishing the current batches; press Ctrl-C again to exit at once");
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
            let mut found = found.lock().expect("no worker panicked");
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
    Ok(print_results(&done))
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
