//! Sets of won positions, and solvers compared on them.

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use tesuji_catalog::{
    Attempt, Comparison, EndingsPlan, Engine, PositionSet, Ratio, SearchSettings, Selection, compare, endings, open,
};
use tesuji_core::{Limits, PointScore, Verdict};

static GO: AtomicBool = AtomicBool::new(false);

fn set(game: &str, count: usize) -> EndingsPlan {
    EndingsPlan {
        game: game.to_string(),
        count,
        seed: 1,
        player: "random".to_string(),
        playouts: 1,
        opening: 2,
        selection: wins_by("dfpn:goal=win"),
        least_nodes: 20,
        most_nodes: 2000,
        memory: 1 << 20,
    }
}

fn wins_by(solver: &str) -> Selection {
    Selection::EarliestWin { by: solver.to_string(), moves_before: 3 }
}

fn comparison(game: &str, positions: Vec<String>, by: &[&str]) -> Comparison {
    Comparison {
        game: game.to_string(),
        positions,
        by: by.iter().map(|by| by.parse().unwrap()).collect(),
        limits: Limits { nodes: Some(100_000), memory: Some(1 << 22), ..Limits::default() },
        threads: 1,
        seed: 1,
        sample: None,
        log: None,
    }
}

#[test]
fn endings_are_won_by_the_player_to_move_and_differ() {
    let positions = endings(&set("connect4:5x4", 12), &GO, &|_| {}).unwrap();
    assert_eq!(positions.len(), 12);
    assert_eq!(positions, endings(&set("connect4:5x4", 12), &GO, &|_| {}).unwrap());
    let mut forms: Vec<[String; 2]> = Vec::new();
    for position in &positions {
        // Minimax knows nothing of proof numbers.
        let session = open("connect4:5x4", position).unwrap();
        let limits = Limits::default();
        let settings =
            SearchSettings { limits, clock: None, seed: 1, threads: 1, stop: &GO, observer: None, owners: false };
        let report = Engine::new("minimax", session.as_ref()).unwrap().think(session.as_ref(), settings).report;
        assert_eq!(report.bounds.verdict(), Some(Verdict::Win), "{position}");
        let (board, side) = position.split_once(' ').unwrap();
        let mirrored: Vec<String> = board.split('/').map(|row| row.chars().rev().collect()).collect();
        let form = [position.clone(), format!("{} {side}", mirrored.join("/"))];
        assert!(forms.iter().all(|known| !known.contains(position)), "{position} or its mirror image is there twice");
        forms.push(form);
    }
    let other = endings(&EndingsPlan { seed: 2, ..set("connect4:5x4", 12) }, &GO, &|_| {}).unwrap();
    assert_ne!(positions, other);
}

#[test]
fn the_bounds_on_nodes_are_kept() {
    let plan = EndingsPlan { least_nodes: 200, most_nodes: 800, ..set("connect4:5x4", 6) };
    let positions = endings(&plan, &GO, &|_| {}).unwrap();
    let log = tempfile::NamedTempFile::new().unwrap();
    let memory = Some(plan.memory);
    let limits = Limits { nodes: Some(800), memory, ..Limits::default() };
    let by = ["dfpn:goal=win"];
    let plan = Comparison { limits, log: Some(log.path().to_path_buf()), ..comparison("connect4:5x4", positions, &by) };
    assert_eq!(compare(&plan, &GO, &|_| {}).unwrap().solvers[0].solved, 6);
    for line in std::fs::read_to_string(log.path()).unwrap().lines() {
        let attempt: Attempt = serde_json::from_str(line).unwrap();
        assert!((200..=800).contains(&attempt.nodes), "{attempt:?}");
    }
}

#[test]
fn positions_before_the_end_are_between_too_easy_and_too_hard_for_the_panel() {
    let panel = ["dfpn", "alphabeta"];
    let selection = Selection::BeforeEnd { moves: 9, panel: panel.map(str::to_string).to_vec() };
    let plan = EndingsPlan { selection, least_nodes: 300, most_nodes: 3000, ..set("connect4:5x4", 6) };
    let positions = endings(&plan, &GO, &|_| {}).unwrap();
    assert_eq!(positions, endings(&plan, &GO, &|_| {}).unwrap());
    assert_eq!(positions.len(), 6);
    for position in &positions {
        let nodes = panel.map(|solver| {
            let session = open("connect4:5x4", position).unwrap();
            let limits = Limits { memory: Some(plan.memory), ..Limits::default() };
            let settings = SearchSettings {
                limits,
                clock: None,
                seed: plan.seed,
                threads: 1,
                stop: &GO,
                observer: None,
                owners: false,
            };
            Engine::new(solver, session.as_ref()).unwrap().think(session.as_ref(), settings).report.counters.nodes
        });
        let best = nodes.into_iter().min().unwrap();
        assert!((300..=3000).contains(&best), "{position}: {nodes:?}");
    }
    let early = EndingsPlan { selection: Selection::BeforeEnd { moves: 21, panel: vec![] }, ..set("connect4:5x4", 1) };
    assert_eq!(endings(&early, &GO, &|_| {}).unwrap(), Vec::<String>::new(), "no game has 21 moves");
}

#[test]
fn random_problems_are_won_by_the_player_to_move_and_between_too_easy_and_too_hard() {
    let selection = Selection::Random { panel: vec!["pns".to_string()] };
    let plan = EndingsPlan { selection, least_nodes: 100, most_nodes: 5000, ..set("life:9", 3) };
    let positions = endings(&plan, &GO, &|_| {}).unwrap();
    assert_eq!(positions, endings(&plan, &GO, &|_| {}).unwrap());
    assert_eq!(positions.len(), 3);
    let log = tempfile::NamedTempFile::new().unwrap();
    let limits = Limits { nodes: Some(5000), memory: Some(plan.memory), ..Limits::default() };
    let by = ["pns"];
    let plan = Comparison { limits, log: Some(log.path().to_path_buf()), ..comparison("life:9", positions, &by) };
    assert_eq!(compare(&plan, &GO, &|_| {}).unwrap().solvers[0].solved, 3);
    for line in std::fs::read_to_string(log.path()).unwrap().lines() {
        let attempt: Attempt = serde_json::from_str(line).unwrap();
        assert!(attempt.nodes >= 100 && attempt.at_least.value() > 0.0, "{attempt:?}");
    }
}

#[test]
fn endings_that_cannot_be_made_are_refused_with_a_reason() {
    let error = |plan: &EndingsPlan| endings(plan, &GO, &|_| {}).unwrap_err().to_string();
    assert!(error(&set("rolit", 1)).starts_with("rolit has no wins to prove"));
    assert!(error(&set("chess", 1)).starts_with("there is no game \"chess\""));
    let upside_down = EndingsPlan { least_nodes: 9, most_nodes: 8, ..set("tictactoe", 1) };
    assert!(error(&upside_down).contains("of 9 nodes exceeds the maximum of 8"));
    assert!(
        error(&EndingsPlan { selection: wins_by("guess"), ..set("tictactoe", 1) }).starts_with("there is no search")
    );
    let random = Selection::Random { panel: vec!["pns".to_string()] };
    assert_eq!(
        error(&EndingsPlan { selection: random, ..set("connect4:5x4", 1) }),
        "connect4:5x4 has no random problems"
    );
    // No game of so few moves is that hard: it gives up.
    let hopeless = EndingsPlan { least_nodes: 1_000_000, most_nodes: 2_000_000, ..set("tictactoe", 1) };
    assert_eq!(endings(&hopeless, &GO, &|_| {}).unwrap(), Vec::<String>::new());
}

#[test]
fn files_say_their_game_and_have_comments() {
    let read = PositionSet::parse("# made by hand\n# game: loa:5\n\n  one B\ntwo W  \n# the end\n");
    assert_eq!((read.game.as_deref(), read.texts), (Some("loa:5"), vec!["one B".to_string(), "two W".to_string()]));
    assert_eq!(PositionSet::parse("one B").game, None);
}

#[test]
fn solvers_that_prove_agree_and_are_counted() {
    let positions = endings(&set("connect4:5x4", 10), &GO, &|_| {}).unwrap();
    let by = ["pns", "dfpn", "alphabeta", "mcts:solver", "random"];
    let compared = compare(&comparison("connect4:5x4", positions, &by), &GO, &|_| {}).unwrap();
    assert_eq!((compared.positions, compared.sample, compared.of), (10, 10, 10));
    assert_eq!(compared.disagreements, []);
    let solved: Vec<usize> = compared.solvers.iter().map(|solver| solver.solved).collect();
    assert_eq!(solved, [10, 10, 10, 10, 0]);
    assert_eq!(compared.solved_by_all, 0, "random proves nothing");
    assert!(compared.solvers.iter().all(|solver| solver.timing.seconds.is_sign_positive()), "no time is not -0.0");
    assert_eq!(compared.solvers[0].nodes_ratio, None);
    assert_eq!(compared.solvers[1].nodes_ratio.map(|ratio| ratio.positions), Some(10));
    assert_eq!(compared.solvers[4].nodes_ratio, None);
}

#[test]
fn a_comparison_goes_on_where_it_was_stopped_and_gives_the_same() {
    let positions = endings(&set("connect4:5x4", 8), &GO, &|_| {}).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let whole = comparison("connect4:5x4", positions, &["dfpn", "pns"]);
    let logged = Comparison { log: Some(log.clone()), ..whole.clone() };
    let stop = AtomicBool::new(false);
    let stopped = compare(&logged, &stop, &|progress| stop.store(progress.done == 5, Relaxed)).unwrap();
    assert!(stopped.positions < 8, "{stopped:?}");
    // A kill in the middle of a line.
    let mut text = std::fs::read_to_string(&log).unwrap();
    let lines = text.lines().count();
    text += "{\"game\":\"conn";
    std::fs::write(&log, text).unwrap();
    let first = RefCell::new(None);
    let resumed = compare(&logged, &GO, &|progress| {
        first.borrow_mut().get_or_insert(progress.done);
    });
    assert_eq!(first.into_inner(), Some(lines), "what the log knows is not done again");
    let nodes = |compared: &tesuji_catalog::ComparisonResult| -> Vec<(usize, u64)> {
        compared.solvers.iter().map(|solver| (solver.solved, solver.nodes)).collect()
    };
    assert_eq!(nodes(&resumed.unwrap()), nodes(&compare(&whole, &GO, &|_| {}).unwrap()));
    assert_eq!(std::fs::read_to_string(&log).unwrap().lines().count(), 16);
    // Other limits are another comparison: nothing of it is known.
    let other = Comparison { seed: 2, ..logged };
    compare(&other, &GO, &|progress| assert!(progress.done > 0 || progress.next.is_some())).unwrap();
    assert_eq!(std::fs::read_to_string(&log).unwrap().lines().count(), 32);
}

#[test]
fn a_larger_sample_contains_the_smaller_one() {
    let positions = endings(&set("connect4:5x4", 8), &GO, &|_| {}).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let attempts = || -> Vec<String> {
        let text = std::fs::read_to_string(&log).unwrap();
        text.lines().map(|line| serde_json::from_str::<Attempt>(line).unwrap().setting.position).collect()
    };
    let plan = Comparison { log: Some(log.clone()), ..comparison("connect4:5x4", positions.clone(), &["dfpn"]) };
    compare(&Comparison { sample: Some(3), ..plan.clone() }, &GO, &|_| {}).unwrap();
    let three = attempts();
    assert_eq!(three.len(), 3);
    assert_ne!(three, positions[..3], "the order is shuffled");
    let compared = compare(&Comparison { sample: Some(5), ..plan }, &GO, &|_| {}).unwrap();
    assert_eq!((compared.positions, compared.of), (5, 8));
    assert_eq!((attempts().len(), &attempts()[..3]), (5, &three[..]));
}

#[test]
fn solvers_that_contradict_each_other_are_told() {
    let positions = endings(&set("connect4:5x4", 2), &GO, &|_| {}).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let plan = Comparison { log: Some(log.clone()), ..comparison("connect4:5x4", positions, &["dfpn", "pns"]) };
    compare(&plan, &GO, &|_| {}).unwrap();
    // In the log of another day, dfpn has found that the first position is lost.
    let mut lines: Vec<Attempt> =
        std::fs::read_to_string(&log).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (lines[0].at_least, lines[0].at_most) = (PointScore::new(-1.0), PointScore::new(-1.0));
    let text: Vec<String> = lines.iter().map(|attempt| serde_json::to_string(attempt).unwrap() + "\n").collect();
    std::fs::write(&log, text.concat()).unwrap();
    let compared = compare(&plan, &GO, &|_| {}).unwrap();
    assert_eq!(compared.disagreements.len(), 1);
    assert_eq!(compared.disagreements[0].at_least, ("pns".to_string(), PointScore::new(1.0)));
    assert_eq!(compared.disagreements[0].at_most, ("dfpn".to_string(), PointScore::new(-1.0)));
}

#[test]
fn what_cannot_be_compared_is_refused_with_a_reason() {
    let error = |plan: &Comparison| compare(plan, &GO, &|_| {}).unwrap_err().to_string();
    let start = || vec!["start".to_string()];
    assert!(error(&comparison("tictactoe", vec!["start".into(), "x".into()], &["dfpn"])).starts_with("position 2: "));
    assert!(error(&comparison("tictactoe", start(), &["guess"])).starts_with("there is no search \"guess\""));
    assert!(error(&comparison("rolit", start(), &["alphabeta"])).contains("players"));
    assert_eq!(error(&comparison("tictactoe", Vec::new(), &["dfpn"])), "no positions to compare on");
    let over = vec!["start moves a1 a2 b1 b2 c1".to_string()];
    assert_eq!(error(&comparison("tictactoe", over, &["dfpn"])), "position 1: the game is over");
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    std::fs::write(&log, "my diary").unwrap();
    let plan = Comparison { log: Some(log.clone()), ..comparison("tictactoe", start(), &["dfpn"]) };
    assert!(error(&plan).contains("line 1 is not a valid attempt of a comparison"));
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "my diary", "what is no log is left alone");
    assert!("dfpn@0".parse::<tesuji_catalog::SolverSpec>().unwrap_err().contains("SPEC@N"));
}

#[test]
fn a_ratio_is_a_geometric_mean_with_an_interval_around_it() {
    let same = Ratio::of(&[3.0; 5]).unwrap();
    assert!((same.mean - 3.0).abs() < 1e-9 && (same.low - 3.0).abs() < 1e-9 && (same.high - 3.0).abs() < 1e-9);
    let mixed: Vec<f64> = (0..100).map(|at| if at % 2 == 0 { 1.0 } else { 4.0 }).collect();
    let ratio = Ratio::of(&mixed).unwrap();
    assert!((ratio.mean - 2.0).abs() < 1e-9);
    // The standard error of the mean logarithm is ln 2 / 10: the interval is about 2 / 1.146 to 2 *
    // 1.146.
    assert!((ratio.low - 1.745).abs() < 0.06 && (ratio.high - 2.29).abs() < 0.06, "{ratio:?}");
    assert_eq!(Ratio::of(&[]), None);
}

#[test]
fn the_sets_on_record_can_be_read_and_have_no_position_twice() {
    for count in [488, 286] {
        let path = format!("{}/../../testdata/endings/loa-{count}.txt", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.contains(&format!("# tesuji endings loa --count {count} ")), "it says how it was made");
        let PositionSet { game, texts } = PositionSet::parse(&text);
        let key = |position: &String| {
            let session = open(game.as_deref().unwrap(), position).unwrap();
            assert!(session.ending().is_none(), "{position}");
            session.key()
        };
        let keys: HashSet<u64> = texts.iter().map(key).collect();
        assert_eq!((keys.len(), texts.len()), (count, count));
    }
}
