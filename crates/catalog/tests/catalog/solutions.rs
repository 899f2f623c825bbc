//! Solutions of games for one player as certificates.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use tesuji_catalog::{Engine, SearchResult, SearchSettings, Session, certify_solution, open, verify};
use tesuji_core::Limits;

fn solve(game: &dyn Session, playouts: u64) -> SearchResult {
    let stop = AtomicBool::new(false);
    let limits = Limits { playouts: Some(playouts), ..Limits::default() };
    let settings =
        SearchSettings { limits, clock: None, seed: 1, threads: 1, stop: &stop, observer: None, owners: false };
    Engine::new("nmcs:level=1", game).unwrap().think(game, settings)
}

#[test]
fn a_solution_is_certified_and_the_curve_ends_at_its_score() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("s.cert");
    let game = open("samegame:6x6,colours=3", "start moves a1").unwrap();
    let result = solve(game.as_ref(), 300);
    let solution = result.report.solution.unwrap();
    let proven = certify_solution(&file, game.as_ref(), &solution.moves).unwrap();
    assert_eq!((proven.claims.len(), proven.claims[0].claim.score), (1, solution.score));
    assert_eq!(proven.positions, solution.moves.len() as u64);
    let last = result.timing.curve.last().unwrap();
    assert_eq!((last.score, last.playouts), (solution.score, solution.found_at_playout));
    assert!(result.timing.curve.windows(2).all(|pair| pair[0].score < pair[1].score));
}

/// Certificates name no files: a board of a file becomes a position.
#[test]
fn a_board_of_a_file_is_certified_without_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let (boards, file) = (folder.path().join("boards.txt"), folder.path().join("s.cert"));
    std::fs::write(&boards, "01\n10\n\n001\n112\n222\n").unwrap();
    let game = open(&format!("clickomania:board={},number=2", boards.display()), "start").unwrap();
    let solution = solve(game.as_ref(), 50).report.solution.unwrap();
    certify_solution(&file, game.as_ref(), &solution.moves).unwrap();
    std::fs::remove_file(&boards).unwrap();
    let proven = verify(&file, &mut |_| true).unwrap();
    assert_eq!(proven.game, "clickomania:3x3,colours=3");
    assert_eq!(proven.claims[0].claim.score, solution.score);
}

/// The best known solutions of the standard SameGame boards. `scores.txt` has their scores.
#[test]
fn the_best_known_solutions_verify() {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/solutions");
    let table = std::fs::read_to_string(folder.join("scores.txt")).unwrap();
    let rows = table.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_once(' ').unwrap());
    let mut boards = 0;
    for (name, score) in rows {
        let proven = verify(&folder.join(name), &mut |_| true).unwrap();
        assert_eq!(proven.claims[0].claim.score.to_string(), score, "{name}");
        boards += 1;
    }
    assert_eq!(boards, 20);
}
