//! Experiments from plan to report.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_arena::experiment::{ExperimentReport, Plan, Progress, RunSettings, read_results, run, write_report};
use tesuji_gtp::Children;

const PLAN: &str = r#"
title = "Small"
question = "Does searching help?"
source = "A source (1900)"

[[group]]
name = "help"
title = "Search against chance"
note = "Chance does not search."
rows = "game"
columns = "playouts"
figure = true
settings = { first = "mcts", second = "random", playouts = 30, games = 40, early = true }
row = [{ label = "Connect-4", game = "connect4" }, { label = "tic-tac-toe", game = "tictactoe" }]
column = [{ label = "5", playouts = 5 }, { label = "30" }]
cell = [
    { row = "Connect-4", column = "30", source = 99, source_games = 100 },
    { row = "tic-tac-toe", column = "30", source = 10, source_games = 100 },
    { row = "tic-tac-toe", column = "5", early = false, games = 6 },
]

[[group]]
name = "cost"
title = "What choosing costs"
measure = "speed"
rows = "game"
columns = "player"
figure = true
settings = { second = "flat", time = "1ms", games = 3, source = 0.5 }
row = [{ label = "tic-tac-toe", game = "tictactoe" }]
column = [{ label = "mcts", first = "mcts" }]

[[group]]
name = "solved"
title = "What is solved"
measure = "solve"
rows = "search"
columns = "nodes"
settings = { game = "tictactoe", positions = "positions.txt", games = 3 }
row = [{ label = "dfpn", first = "dfpn", source = 100, source_games = 50 }, { label = "PNS", first = "pns" }]
column = [{ label = "1", nodes = 1 }, { label = "100000", nodes = 100000 }]
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plan.toml"), PLAN).unwrap();
    std::fs::write(folder.path().join("positions.txt"), "start\nstart moves b2\nstart moves a1\nstart moves a2\n")
        .unwrap();
    folder
}

fn play(folder: &Path, only: &[String], stop: &AtomicBool, progress: &(dyn Fn(Progress) + Sync)) -> ExperimentReport {
    run(folder, &RunSettings { only, concurrency: 1, children: &Children::default(), stop, progress }).unwrap()
}

#[test]
fn a_plan_becomes_tables_and_figures() {
    let folder = folder();
    let results = play(folder.path(), &[], &AtomicBool::new(false), &|_| {});
    let report = std::fs::read_to_string(folder.path().join("report.md")).unwrap();
    assert!(report.starts_with("# Small\n\nDoes searching help?\n\nSource: A source (1900)\n"), "{report}");
    // Random play loses so clearly that the match ends early.
    let found = results.cells[1].found.as_ref().unwrap();
    assert!(found.early && found.samples < 40, "{found:?}");
    assert!(report.contains(&format!("{} of 40, stopped early", found.samples)), "{report}");
    assert!(report.contains("stronger; agrees with the source (p = "), "{report}");
    assert!(report.contains("stronger; higher than the source (p < 0.001)"), "{report}");
    let told = [
        "## Search against chance\n\nChance does not search.\n\n| game |",
        "Cells marked \"stopped early\" ended once",
    ];
    assert!(told.iter().all(|told| report.contains(told)), "{report}");
    assert_eq!(results.cells[2].found.as_ref().unwrap().samples, 6, "a cell of its own has its own settings");
    let cost = results.cells[4].found.as_ref().unwrap();
    assert!(cost.samples == 3 && cost.low <= cost.value && cost.value <= cost.high && cost.rates[0] > 0.0, "{cost:?}");
    let solved: Vec<(u64, f64)> = results.cells[5..]
        .iter()
        .filter_map(|cell| cell.found.as_ref())
        .map(|found| (found.samples, found.value))
        .collect();
    assert_eq!(solved, [(3, 0.0), (3, 100.0), (3, 0.0), (3, 100.0)]);
    assert!(report.contains("| dfpn | 100000 |") && report.contains("lower than the source (p < 0.001)"), "{report}");
    for name in ["help", "cost"] {
        let svg = std::fs::read_to_string(folder.path().join("figures").join(format!("{name}.svg"))).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("tic-tac-toe"), "{svg}");
        assert!(report.contains(&format!("(figures/{name}.svg)")));
    }
}

#[test]
fn a_stopped_experiment_resumes_from_its_logs() {
    let folder = folder();
    let stop = AtomicBool::new(false);
    let only = ["help".to_string()];
    let first = play(folder.path(), &only, &stop, &|progress| stop.store(progress.done >= 3, Relaxed));
    assert!(first.cells.iter().filter(|cell| cell.found.is_some()).count() < 4);
    let report = std::fs::read_to_string(folder.path().join("report.md")).unwrap();
    assert!(report.contains("not run"), "{report}");
    let second = play(folder.path(), &only, &AtomicBool::new(false), &|_| {});
    let other = self::folder();
    let unbroken = play(other.path(), &only, &AtomicBool::new(false), &|_| {});
    let found = |results: &ExperimentReport| results.cells.iter().map(|cell| cell.found.clone()).collect::<Vec<_>>();
    assert_eq!(found(&second), found(&unbroken), "as if it had never been stopped");
    let text = |folder: &Path| std::fs::read_to_string(folder.join("figures/help.svg")).unwrap();
    assert_eq!(text(folder.path()), text(other.path()));
    // The logs are complete: no game is played again.
    let told = Mutex::new(Vec::new());
    play(folder.path(), &only, &AtomicBool::new(false), &|progress| told.lock().unwrap().push(progress.now));
    assert_eq!(told.into_inner().unwrap().len(), 4, "one word for each cell, none for a game");
}

#[test]
fn a_report_is_drawn_again_from_packed_logs_unchanged() {
    let folder = folder();
    let files = ["report.md", "figures/help.svg", "figures/cost.svg"];
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let results = play(folder.path(), &[], &AtomicBool::new(false), &|_| {});
    let first = files.map(text);
    let logs: Vec<_> = std::fs::read_dir(folder.path().join("log")).unwrap().map(|log| log.unwrap().path()).collect();
    assert_eq!(logs.len(), 9);
    assert!(logs.iter().all(|log| log.extension().is_some_and(|end| end == "gz")), "{logs:?}");
    files.iter().for_each(|name| std::fs::remove_file(folder.path().join(name)).unwrap());
    let plan = Plan::read(folder.path()).unwrap();
    assert_eq!(write_report(&plan).unwrap(), results);
    assert_eq!(files.map(text), first);
    let solved = results.comparisons.iter().map(|of| (of.column.as_str(), of.result.solved_by_all));
    assert_eq!(solved.collect::<Vec<_>>(), [("1", 0), ("100000", 3)]);
    assert_eq!(results.overall, None, "there is one group of solvers");
    let [dfpn, pns] = results.comparisons[1].result.solvers.as_slice() else { panic!("two solvers") };
    assert!(dfpn.nodes > 0 && pns.nodes_ratio.is_some_and(|ratio| ratio.positions == 3), "{pns:?}");
    let ratio = format!("{} ({:.2})", tesuji_catalog::grouped(pns.nodes), pns.nodes as f64 / dfpn.nodes as f64);
    assert!(first[0].contains(&ratio), "{ratio} in {}", first[0]);
    assert!(first[0].contains("100000: Nodes and time are sums over the 3 of 3 positions"), "{}", first[0]);
}

#[test]
fn a_report_is_refused_where_logs_are_missing() {
    let folder = folder();
    play(folder.path(), &[], &AtomicBool::new(false), &|_| {});
    let report = folder.path().join("report.md");
    let text = std::fs::read_to_string(&report).unwrap();
    std::fs::remove_file(folder.path().join("log/help_tic-tac-toe_30.jsonl.gz")).unwrap();
    // Samples of another plan do not count.
    std::fs::write(folder.path().join("plan.toml"), PLAN.replace(r#"time = "1ms""#, r#"time = "2ms""#)).unwrap();
    let error = write_report(&Plan::read(folder.path()).unwrap()).unwrap_err().to_string();
    let missing = "2 of 9 cells have no log or no games of this plan in it: help_tic-tac-toe_30.jsonl, cost_tic-tac-toe_mcts.jsonl;";
    assert!(error.starts_with(missing), "{error}");
    assert!(error.ends_with(&format!("run tesuji experiment {}", folder.path().display())), "{error}");
    assert_eq!(std::fs::read_to_string(&report).unwrap(), text, "nothing was written");
}

#[test]
fn a_cell_that_was_cut_short_has_no_verdict() {
    let folder = folder();
    let stop = AtomicBool::new(false);
    play(folder.path(), &["help".to_string()], &stop, &|progress| stop.store(progress.done >= 3, Relaxed));
    play(folder.path(), &["cost".to_string(), "solved".to_string()], &AtomicBool::new(false), &|_| {});
    // More samples are planned than there are.
    for (from, to) in [("games = 3, source", "games = 4, source"), ("games = 3 }", "games = 4 }")] {
        let plan = std::fs::read_to_string(folder.path().join("plan.toml")).unwrap();
        std::fs::write(folder.path().join("plan.toml"), plan.replace(from, to)).unwrap();
    }
    let results = read_results(&Plan::read(folder.path()).unwrap()).unwrap();
    let found: Vec<_> = results.cells.iter().filter_map(|cell| cell.found.as_ref()).collect();
    assert_eq!(found.len(), 6);
    assert!((3..40).contains(&found[0].samples) && found[0].low < found[0].high, "{:?}", found[0]);
    assert!(found.iter().all(|found| found.verdict == "cut short: no verdict" && !found.early), "{found:?}");
}

#[test]
fn a_match_that_ends_early_is_decided_however_many_games_ran() {
    let folder = folder();
    let stop = AtomicBool::new(false);
    let only = ["help".to_string()];
    let settings =
        RunSettings { only: &only, concurrency: 4, children: &Children::default(), stop: &stop, progress: &|_| {} };
    let results = run(folder.path(), &settings).unwrap();
    for result in results.cells.iter().filter(|result| result.cell.group == "help") {
        let found = result.found.as_ref().unwrap();
        assert!(found.early || Some(found.samples) == result.cell.plan.games, "{found:?}");
    }
}

#[test]
fn solvers_are_compared_over_all_groups() {
    let folder = folder();
    let start = PLAN.find("[[group]]\nname = \"solved\"").unwrap();
    let second = PLAN[start..]
        .replace("\"solved\"", "\"again\"")
        .replace("\"positions.txt\", games = 3", "\"more.txt\", games = 1");
    let second = second.replace("row = [", "row = [{ label = \"PN2\", first = \"pn2\" }, ");
    std::fs::write(folder.path().join("more.txt"), "start moves a1 b2\n").unwrap();
    let plan = |rows: &str| {
        let plan = format!("title = \"T\"\nquestion = \"Q\"\n{}{rows}", &PLAN[start..]);
        let plan = plan.replace("{ label = \"1\", nodes = 1 }, ", "");
        std::fs::write(folder.path().join("plan.toml"), plan).unwrap();
    };
    plan(&second);
    let results = play(folder.path(), &[], &AtomicBool::new(false), &|_| {});
    assert_eq!(results.overall, None, "the baselines differ");
    let (row, pn2) =
        ("row = [{ label = \"PN2\", first = \"pn2\" }, ", ", { label = \"PN2\", first = \"pn2\" }]\ncolumn");
    plan(&second.replace(row, "row = [").replace("]\ncolumn", pn2));
    let results = play(folder.path(), &[], &AtomicBool::new(false), &|_| {});
    let overall = results.overall.unwrap();
    assert_eq!((overall.positions, overall.solved_by_all), (4, 4));
    let names: Vec<&str> = overall.solvers.iter().map(|solver| solver.by.as_str()).collect();
    assert_eq!(names, ["dfpn", "PNS"], "PN2 is in one group only");
    let sum: u64 = results.comparisons.iter().map(|of| of.result.solvers[0].nodes).sum();
    assert_eq!(overall.solvers[0].nodes, sum);
    let report = std::fs::read_to_string(folder.path().join("report.md")).unwrap();
    assert!(report.contains("## All groups") && report.contains("| PNS | 4 | 4 (100.0 %) |"), "{report}");

    let short = std::fs::read_to_string(folder.path().join("plan.toml")).unwrap().replace("games = 1", "games = 2");
    std::fs::write(folder.path().join("plan.toml"), short).unwrap();
    let stop = AtomicBool::new(false);
    let settings =
        RunSettings { only: &[], concurrency: 1, children: &Children::default(), stop: &stop, progress: &|_| {} };
    let error = run(folder.path(), &settings).unwrap_err().to_string();
    assert!(error.ends_with("more.txt: 1 positions; the plan has games = 2"), "{error}");
}

#[test]
fn repetitions_are_averaged_and_the_attempts_at_a_position_follow_one_another() {
    let folder = folder();
    let plan = r#"
title = "T"
question = "Q"
[[group]]
name = "gains"
title = "Gains"
measure = "solve"
repeats = true
rows = "search"
columns = "repetition"
settings = { game = "tictactoe", positions = "positions.txt", games = 4 }
row = [
    { label = "dfpn", first = "dfpn", source_gains = [1, 1], source_ranks = [1.5, 2] },
    { label = "MC-PNS", first = "pns:init=mc" },
    { label = "PNS", first = "pns" },
]
column = [{ label = "1", seed = 1 }, { label = "2", seed = 2 }]
"#;
    std::fs::write(folder.path().join("plan.toml"), plan).unwrap();
    let cells = Mutex::new(Vec::new());
    let results = play(folder.path(), &[], &AtomicBool::new(false), &|Progress { now, .. }| {
        cells.lock().unwrap().push(now);
    });
    let cells = cells.into_inner().unwrap();
    let first: Vec<&str> = cells.iter().take(4).map(String::as_str).collect();
    assert_eq!(first, ["gains, dfpn, 1", "gains, MC-PNS, 1", "gains, PNS, 1", "gains, dfpn, 1"]);
    assert_eq!((cells.len(), cells[12].as_str()), (24, "gains, dfpn, 2"));
    let [gains] = results.gains.as_slice() else { panic!("one group: {:?}", results.gains) };
    assert_eq!((gains.positions, gains.of, gains.repetitions), (4, 4, 2));
    let solvers: Vec<_> = gains.solvers.iter().map(|solver| (solver.row.as_str(), solver.solved)).collect();
    assert_eq!(solvers, [("dfpn", 8), ("MC-PNS", 8), ("PNS", 8)]);
    assert_eq!(gains.solvers[0].nodes.gain, 1.0);
    let ranks: f64 = gains.solvers.iter().map(|solver| solver.nodes.rank).sum();
    assert!((ranks - 6.0).abs() < 1e-9);
    // The mean of PNS is that of its attempts, which do not depend on the seed.
    let of_pns = results.comparisons[0].result.solvers[2].nodes;
    assert_eq!(gains.solvers[2].nodes.mean * 4.0, of_pns as f64);
    let report = std::fs::read_to_string(folder.path().join("report.md")).unwrap();
    assert!(report.contains("| dfpn | `dfpn` | 8 of 8 |") && report.contains("| 1, 1 | 1.5, 2 |"), "{report}");
    assert!(report.contains("the 4 of 4 positions that all solved in every repetition (2)"), "{report}");
}

#[test]
fn results_of_another_plan_do_not_count() {
    let folder = folder();
    play(folder.path(), &[], &AtomicBool::new(false), &|_| {});
    let samples = |from: &str, to: &str| -> Vec<u64> {
        std::fs::write(folder.path().join("plan.toml"), PLAN.replace(from, to)).unwrap();
        let report = read_results(&Plan::read(folder.path()).unwrap()).unwrap();
        report.cells.iter().map(|cell| cell.found.as_ref().map_or(0, |found| found.samples)).collect()
    };
    let all = samples("", "");
    assert!(all.iter().all(|&samples| samples > 0), "{all:?}");
    for (from, to, changed) in [
        (r#"first = "mcts", second = "random""#, r#"first = "flat", second = "random""#, vec![0, 1, 2, 3]),
        (r#"time = "1ms""#, r#"time = "2ms""#, vec![4]),
        ("nodes = 100000", "nodes = 200000", vec![6, 8]),
    ] {
        let left: Vec<u64> = (0..).zip(&all).map(|(at, &all)| if changed.contains(&at) { 0 } else { all }).collect();
        assert_eq!(samples(from, to), left, "{to}");
    }
    // Fewer games are part of the same plan.
    assert_eq!(samples("games = 3", "games = 2")[4..], [2; 5]);
    assert_eq!(samples("early = false, games = 6", "early = false, games = 4")[2], 4);
}

#[test]
fn selected_groups_are_counted_and_mistakes_are_found_before_playing() {
    let folder = folder();
    let told = Mutex::new(Vec::new());
    play(folder.path(), &["cost".to_string()], &AtomicBool::new(false), &|progress| {
        told.lock().unwrap().push((progress.done, progress.all));
    });
    assert_eq!(told.into_inner().unwrap(), [(0, 3), (1, 3), (2, 3)]);
    let slip = PLAN.replace(r#"first = "dfpn""#, r#"first = "dfnp""#);
    std::fs::write(folder.path().join("plan.toml"), slip).unwrap();
    let running = RunSettings {
        only: &[],
        concurrency: 1,
        children: &Children::default(),
        stop: &AtomicBool::new(false),
        progress: &|_| {},
    };
    let error = run(folder.path(), &running).unwrap_err().to_string();
    assert!(error.starts_with("solved_dfpn_1.jsonl: dfnp: cannot play this: there is no search"), "{error}");
    let logs = std::fs::read_dir(folder.path().join("log")).unwrap().count();
    assert_eq!(logs, 1, "nothing was played");
}

#[test]
fn an_unknown_group_is_reported() {
    let folder = folder();
    let running = RunSettings {
        only: &["helb".to_string()],
        concurrency: 1,
        children: &Children::default(),
        stop: &AtomicBool::new(false),
        progress: &|_| {},
    };
    let error = run(folder.path(), &running).unwrap_err().to_string();
    assert_eq!(error, "there is no group \"helb\"; known are help, cost, solved");
    let error = run(&folder.path().join("nowhere"), &running).unwrap_err().to_string();
    assert!(error.contains("plan.toml: "), "{error}");
}

#[test]
fn a_log_of_other_positions_is_refused() {
    let folder = folder();
    let solved = ["solved".to_string()];
    let running = RunSettings {
        only: &solved,
        concurrency: 1,
        children: &Children::default(),
        stop: &AtomicBool::new(false),
        progress: &|_| {},
    };
    run(folder.path(), &running).unwrap();
    std::fs::write(folder.path().join("positions.txt"), "start\nstart moves a1\nstart moves b2\n").unwrap();
    let error = run(folder.path(), &running).unwrap_err().to_string();
    assert!(error.contains("which is not in the file; move the log away"), "{error}");
}

#[test]
fn two_runs_of_one_experiment_are_refused() {
    let folder = folder();
    let second = Mutex::new(String::new());
    let children = Children::default();
    let stop = AtomicBool::new(false);
    let again = RunSettings { only: &[], concurrency: 1, children: &children, stop: &stop, progress: &|_| {} };
    let during = |_| {
        if let Err(error) = run(folder.path(), &again) {
            *second.lock().unwrap() = error.to_string();
        }
        stop.store(true, Relaxed);
    };
    let first = RunSettings { only: &[], concurrency: 1, children: &children, stop: &stop, progress: &during };
    run(folder.path(), &first).unwrap();
    assert!(second.into_inner().unwrap().ends_with("plan.toml: another process is using it"));
}

const BOARDS: &str = r#"
title = "Tiles"
question = "Do more playouts help?"

[[group]]
name = "tiles"
title = "Mean scores"
measure = "boards"
rows = "player"
columns = "playouts"
figure = true
settings = { game = "samegame:7x7,colours=4", first = "{row}", games = 12 }
row = [{ label = "random" }, { label = "mcts" }, { label = "nmcs:level=1" }]
column = [{ label = "20", playouts = 20 }, { label = "200", playouts = 200 }]
cell = [
    { row = "random", column = "20", source = 10000 },
    { row = "mcts", column = "200", source = -500, source_games = 50 },
]
"#;

#[test]
fn players_on_boards_become_a_table_and_curves() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plan.toml"), BOARDS).unwrap();
    let results = play(folder.path(), &[], &AtomicBool::new(false), &|_| {});
    let found: Vec<_> = results.cells.iter().map(|cell| cell.found.as_ref().unwrap()).collect();
    assert!(found.iter().all(|found| found.samples == 12 && found.low < found.value && found.value < found.high));
    assert!(found[3].value > found[2].value, "more playouts, more points: {found:?}");
    // Every row has the same boards, so the differences add up.
    let pair = found[3].to_first.as_ref().unwrap();
    assert_eq!((pair.first.as_str(), pair.second.as_str(), pair.boards), ("mcts", "random", 12));
    assert!((pair.difference - (found[3].value - found[1].value)).abs() < 1e-9, "{pair:?}");
    assert!(found[0].to_first.is_none() && found[3].verdict.starts_with("better (p "), "{:?}", found[3]);
    assert!(found[3].verdict.ends_with("higher than the source (p < 0.001)"), "{:?}", found[3]);
    assert_eq!(found[0].verdict, "lower than the source (p < 0.001)");
    let columns: Vec<(&str, usize)> =
        results.boards.iter().map(|column| (column.column.as_str(), column.comparisons.len())).collect();
    assert_eq!(columns, [("20", 3), ("200", 3)]);
    let report = std::fs::read_to_string(folder.path().join("report.md")).unwrap();
    let words = [
        "| player | playouts | played | boards | mean score (95 %) | difference to random (95 %) | source |",
        "-500 on 50",
    ];
    assert!(words.iter().all(|words| report.contains(words)), "{report}");
    assert!(report.contains("follow from the two-tailed paired t-test"), "{report}");
    let svg = std::fs::read_to_string(folder.path().join("figures/tiles.svg")).unwrap();
    assert!(["mean score", "nmcs:level=1", "200", "source"].iter().all(|label| svg.contains(label)), "{svg}");
    // Drawn again from the packed logs, it is the same.
    let again = write_report(&Plan::read(folder.path()).unwrap()).unwrap();
    assert_eq!(again, results);
    assert_eq!(std::fs::read_to_string(folder.path().join("report.md")).unwrap(), report);
}

#[test]
fn boards_that_were_cut_short_have_no_verdict() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("plan.toml"), BOARDS).unwrap();
    let stop = AtomicBool::new(false);
    let first = play(folder.path(), &[], &stop, &|progress| stop.store(progress.done >= 5, Relaxed));
    let found: Vec<_> = first.cells.iter().filter_map(|cell| cell.found.as_ref()).collect();
    assert_eq!(found.iter().map(|found| found.samples).collect::<Vec<_>>(), [5]);
    assert_eq!(found[0].verdict, "cut short: no verdict");
    let report = std::fs::read_to_string(folder.path().join("report.md")).unwrap();
    assert!(report.contains("5 of 12") && report.contains("not run"), "{report}");
    let other = tempfile::tempdir().unwrap();
    std::fs::write(other.path().join("plan.toml"), BOARDS).unwrap();
    let whole = play(other.path(), &[], &AtomicBool::new(false), &|_| {});
    assert_eq!(play(folder.path(), &[], &AtomicBool::new(false), &|_| {}), whole);
}
