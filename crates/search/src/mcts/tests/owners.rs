//! Tests of the owners that a search counts at the end of its playouts.

use super::*;
use tesuji_core::{OwnerCounts, Ownership, Player};
use tesuji_games::go::Go;

/// Black lives on the left and White on the right, each with three eyes; the points between them
/// are open.
const WALLS: &str = "start moves B1 D1 B2 D2 B3 D3 B4 D4 B5 D5 A2 E2 A4 E4";

/// The report and the counts of a search on several threads.
fn count(game: &str, position: &str, player: &str, threads: usize) -> (Report<u16>, Option<Ownership>) {
    let history = History::<Go>::parse(rules::<Go>(game).unwrap(), position).unwrap();
    let (stop, owners) = (AtomicBool::new(false), OwnerCounts::default());
    let limits = Limits { playouts: Some(600), ..Limits::default() };
    let mut search = crate::build::<Go>(&player.parse().unwrap(), history.rules()).unwrap();
    let control = Control::new(limits, 1, &stop).with_threads(threads).counting(Some(&owners));
    (search.search(&history, &control), owners.get())
}

#[test]
fn every_playout_is_counted_once() {
    let players = [
        "mcts",
        "mcts:rave",
        "mcts:playout=lgrf",
        "mcts:mr=1",
        "mcts:solver",
        "mcts:parallel=tree",
        "mcts:parallel=root",
    ];
    for player in players {
        for threads in [1, 2, 3] {
            let (report, counts) = count("go:5", "start", player, threads);
            assert_eq!(report.counters.playouts, 600, "{player} on {threads} threads");
            assert_eq!(counts.map(|counts| counts.playouts()), Some(600), "{player} on {threads} threads");
        }
    }
    let (report, counts) = count("go:5", "start", "mcts:parallel=leaf", 3);
    assert_eq!(counts.map(|counts| counts.playouts()), Some(report.counters.playouts));
}

#[test]
fn counting_does_not_change_a_search() {
    for player in ["mcts", "mcts:solver,reuse", "mcts:rave", "mcts:playout=mast", "mcts:mr=1"] {
        for position in ["start", WALLS] {
            let (report, _) = count("go:5", position, player, 1);
            assert_eq!(report, search::<Go>("go:5", position, player, 600), "{player}");
        }
    }
}

#[test]
fn finished_regions_have_certain_owners() {
    let (_, counts) = count("go:5", WALLS, "mcts", 1);
    let shares = counts.unwrap().shares(Player::FIRST);
    let of_column = |column: usize| (0..5).map(|row| shares[5 * row + column]).collect::<Vec<_>>();
    // A region is lost only in simulations that fill two of its eyes in the tree. Black, who is
    // to move and lost, tries that.
    for column in [0, 1] {
        assert!(of_column(column).iter().all(|share| *share > 0.8), "{shares:?}");
        assert!(of_column(4 - column).iter().all(|share| *share < -0.99), "{shares:?}");
    }
    assert!(of_column(2).iter().all(|share| share.abs() < 0.3), "{shares:?}");
}

#[test]
fn nothing_is_critical_if_the_winner_is_certain() {
    // White gets more points than the board has.
    let decided = count("go:5,komi=25.5", "start", "mcts", 1).1.unwrap();
    assert!(decided.criticality() < 1e-9, "{}", decided.criticality());
    let even = count("go:5,komi=0.5", "start", "mcts", 1).1.unwrap();
    assert!(even.criticality() > 0.2, "{}", even.criticality());
}

#[test]
fn playouts_that_are_cut_off_are_not_counted() {
    for player in ["mcts:ic=0", "mcts:cut-margin=0.9"] {
        assert_eq!(count("go:5", "start", player, 1).1, None, "{player}");
        assert!(!crate::capabilities(&player.parse().unwrap()).unwrap().owners, "{player}");
    }
    assert!(crate::capabilities(&"prove:[mcts]".parse().unwrap()).unwrap().owners);
    assert!(!crate::capabilities(&"prove:[alphabeta]".parse().unwrap()).unwrap().owners);
}
