//! Zones of proofs in `capture` and `life`: a claim still holds, solved again without zones, after
//! any change outside its zone. `TESUJI_TWIN_FACTOR`, which `cargo xtask test --long` sets, asks
//! for more changes; 20 makes it 100,000.

use std::sync::atomic::AtomicBool;
use tesuji_core::{
    Bounds, CellSet, Control, Game, History, Knowledge, Limits, Player, Prover, Question, Rng, ZoneRules,
};
use tesuji_games::go_problem::{Closure, GoZones};
use tesuji_games::{GoProblem, rules};
use tesuji_search::{ProofSource, ZoneWalk};

/// Harder problems are left out. Raising it makes the test slower.
const MOST_NODES: u64 = 60_000;

/// The changes that are tried at every zone.
const CHANGES: usize = 10;

/// A claim: who wins a problem.
struct Claim {
    spec: String,
    text: String,
    attacker: Player,
    winner: Player,
    zone: Option<CellSet>,
}

fn history(spec: &str, text: &str) -> Option<History<GoProblem>> {
    History::parse(rules::<GoProblem>(spec).unwrap(), text).ok()
}

/// The attacker, who does not own the marked stones.
fn attacker(text: &str) -> Player {
    if text.contains(['b', 'B']) { Player::SECOND } else { Player::FIRST }
}

const SOLVER: &str = "dfpn:sums=weak";

fn prover(by: &str, history: &History<GoProblem>) -> Box<dyn Prover<GoProblem>> {
    tesuji_search::prover::<GoProblem>(&by.parse().unwrap(), history.rules()).unwrap()
}

/// Whether a player wins, and a move that does it if that player is to move.
fn ask(
    prover: &mut dyn Prover<GoProblem>,
    history: &History<GoProblem>,
    player: Player,
) -> Option<(bool, Option<u16>)> {
    if let Some(outcome) = history.outcome() {
        return Some((outcome.score(player) > 0, None));
    }
    let question = Question { known: Bounds::unknown(player, history.facts()), at_least: 1 };
    let go = AtomicBool::new(false);
    let limits = Limits { playouts: None, nodes: Some(MOST_NODES), memory: Some(2 << 20), time: None };
    let report = prover.ask(history, question, &Control::new(limits, 1, &go));
    Some((question.answer(&report.bounds)?, report.best))
}

/// The replies of a solver to the question at the root, so that its answers are in the table.
struct Replies<'p> {
    prover: &'p mut dyn Prover<GoProblem>,
    attacker: Player,
    takes: bool,
}

impl ProofSource<GoProblem> for Replies<'_> {
    fn reply(&mut self, position: &GoProblem) -> Option<u16> {
        let history = History::from_position(*position.rules(), *position);
        ask(self.prover, &history, self.attacker).filter(|answer| answer.0 == self.takes)?.1
    }

    fn holds(&mut self, position: &GoProblem) -> bool {
        let history = History::from_position(*position.rules(), *position);
        ask(self.prover, &history, self.attacker).is_some_and(|answer| answer.0 == self.takes)
    }
}

/// Solves a problem and finds the zone of its result.
fn claim(spec: &str, text: &str, zones: &dyn ZoneRules<GoProblem>) -> Option<Claim> {
    claim_by(SOLVER, spec, text, zones)
}

/// The zone depends on the proof, and so on the solver.
fn claim_by(by: &str, spec: &str, text: &str, zones: &dyn ZoneRules<GoProblem>) -> Option<Claim> {
    let history = history(spec, text)?;
    let attacker = attacker(text);
    let mut prover = prover(by, &history);
    let (takes, _) = ask(prover.as_mut(), &history, attacker)?;
    let winner = if takes { attacker } else { attacker.opponent() };
    let mut replies = Replies { prover: prover.as_mut(), attacker, takes };
    let zone = ZoneWalk::new(zones, winner, &mut replies, 20_000).zone(history.position());
    Some(Claim { spec: spec.to_string(), text: text.to_string(), attacker, winner, zone })
}

impl Claim {
    /// The position with other letters in some cells; `None` if there is no such position.
    fn changed(&self, changes: &[(usize, char)]) -> Option<String> {
        let (rows, rest) = self.text.split_once(' ').unwrap();
        let mut board: Vec<char> = rows.chars().filter(|&letter| letter != '/').collect();
        for &(cell, letter) in changes {
            let is_inside = ".xobw".contains(board[cell]);
            board[cell] = match letter {
                '.' if !is_inside => ',',
                letter if !is_inside => letter.to_ascii_uppercase(),
                letter => letter,
            };
        }
        let size = rows.split('/').count();
        let rows: Vec<String> = board.chunks(size).map(|row| row.iter().collect()).collect();
        let text = format!("{} {rest}", rows.join("/"));
        history(&self.spec, &text).map(|_| text)
    }

    /// Whether the claim holds in another position; `None` if that is too hard.
    fn holds_in(&self, text: &str) -> Option<bool> {
        let history = history(&self.spec, text).expect("it was read before");
        let (takes, _) = ask(prover(SOLVER, &history).as_mut(), &history, self.attacker)?;
        Some(takes == (self.winner == self.attacker))
    }

    /// Random changes outside the zone; the marked stones and the banned point stay.
    fn changes(&self, rng: &mut Rng) -> Vec<(usize, char)> {
        let zone = self.zone.expect("there is a zone");
        let (rows, rest) = self.text.split_once(' ').unwrap();
        let size = rows.split('/').count();
        let board: Vec<char> = rows.chars().filter(|&letter| letter != '/').collect();
        let ban = rest.split(' ').nth(1).unwrap();
        let name = |cell: usize| format!("{}{}", ('A'..).nth(cell % size).unwrap(), size - cell / size);
        let is_free = |&cell: &usize| !zone.contains(cell) && !"bwBW".contains(board[cell]) && name(cell) != ban;
        let free: Vec<usize> = (0..size * size).filter(is_free).collect();
        if free.is_empty() {
            return Vec::new();
        }
        let number = 1 + rng.below(free.len().min(12));
        (0..number).map(|_| (free[rng.below(free.len())], ['.', 'x', 'o'][rng.below(3)])).collect()
    }

    /// The fewest of some changes that refute the claim.
    fn shrunk(&self, mut changes: Vec<(usize, char)>) -> String {
        let refutes =
            |changes: &[(usize, char)]| self.changed(changes).is_some_and(|text| self.holds_in(&text) == Some(false));
        let mut at = 0;
        while at < changes.len() {
            let mut fewer = changes.clone();
            fewer.remove(at);
            if refutes(&fewer) { changes = fewer } else { at += 1 }
        }
        self.changed(&changes).expect("the changes make a position")
    }
}

/// What random trials found.
#[derive(Default, Debug)]
struct Found {
    claims: usize,
    /// Claims whose zone is not the whole board, by winner: attacker and defender.
    zones: [usize; 2],
    /// The sum of the sizes of these zones, and of their boards.
    cells: (u32, usize),
    trials: usize,
    failures: Vec<String>,
}

/// Makes random changes outside zones until a number of them is tried or some claims fail.
fn tried(zones: &dyn ZoneRules<GoProblem>, seed: u64, trials: usize, most_failures: usize) -> Found {
    let mut rng = Rng::new(seed);
    let mut found = Found::default();
    while found.trials < trials && found.failures.len() < most_failures {
        let Some((spec, text)) = random_problem(&mut rng) else { continue };
        let Some(claim) = claim(&spec, &text, zones) else { continue };
        found.claims += 1;
        let Some(zone) = claim.zone else { continue };
        found.zones[usize::from(claim.winner != claim.attacker)] += 1;
        found.cells.0 += zone.count();
        found.cells.1 += text.split(' ').next().unwrap().split('/').count().pow(2);
        for _ in 0..CHANGES {
            let changes = claim.changes(&mut rng);
            let Some(other) = claim.changed(&changes).filter(|other| *other != text) else { continue };
            let Some(holds) = claim.holds_in(&other) else { continue };
            found.trials += 1;
            if !holds {
                let fewest = claim.shrunk(changes);
                let zone: Vec<usize> = zone.iter().collect();
                found.failures.push(format!("{spec}: {text} but not {fewest}, with the zone {zone:?}"));
                break;
            }
        }
    }
    found
}

const OPTIONS: [&str; 8] = [
    "",
    "",
    ",seki=dead,cycle=attacker",
    ",seki=dead,cycle=attacker",
    ",seki=dead",
    ",need=any",
    ",need=any,seki=dead",
    ",cycle=attacker",
];

/// The cells connected with a cell through cells that belong together.
fn connected(cell: usize, belongs: impl Fn(usize) -> bool, around: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut found = vec![cell];
    let mut done = 0;
    while done < found.len() {
        for next in around(found[done]) {
            if belongs(next) && !found.contains(&next) {
                found.push(next);
            }
        }
        done += 1;
    }
    found
}

/// A random board with marked stones and a small region around them, after a few moves.
fn random_problem(rng: &mut Rng) -> Option<(String, String)> {
    let is_dense = rng.below(3) == 0;
    let size = if is_dense { 4 } else { 5 + rng.below(3) };
    let empty = if is_dense { 10 + rng.below(35) } else { 15 + rng.below(45) };
    let mut board: Vec<char> =
        (0..size * size).map(|_| if rng.below(100) < empty { '.' } else { ['x', 'o'][rng.below(2)] }).collect();
    let around = |cell: usize| {
        let (row, column) = (cell / size, cell % size);
        let near =
            [(row > 0, -(size as isize)), (row + 1 < size, size as isize), (column > 0, -1), (column + 1 < size, 1)];
        near.into_iter().filter(|next| next.0).map(move |next| cell.wrapping_add_signed(next.1)).collect::<Vec<_>>()
    };
    let target = rng.below(size * size);
    let colour = board[target];
    if colour == '.' {
        return None;
    }
    // Points by their distance from the target, as far as a few empty points allow.
    let (mut region, mut number) = (vec![target], 0);
    let most = if is_dense { 16 } else { 3 + rng.below(6) };
    let mut at = 0;
    while at < region.len() && number < most {
        for next in around(region[at]) {
            if !region.contains(&next) && number < most {
                number += usize::from(board[next] == '.');
                region.push(next);
            }
        }
        at += 1;
    }
    let block = connected(target, |next| board[next] == colour, around);
    for stone in block {
        board[stone] = if colour == 'x' { 'b' } else { 'w' };
    }
    for (cell, letter) in board.iter_mut().enumerate() {
        if !region.contains(&cell) {
            *letter = if *letter == '.' { ',' } else { letter.to_ascii_uppercase() };
        }
    }
    let rows: Vec<String> = board.chunks(size).map(|row| row.iter().collect()).collect();
    let threats = ["0,0", "0,0", "0,1", "1,0", "0,2", "inf,0", "0,inf"][rng.below(7)];
    let game = ["capture", "life"][rng.below(2)];
    let escape = if game == "capture" && rng.below(4) == 0 { ",escape=4" } else { "" };
    let spec = format!("{game}:{size}{}{escape}", OPTIONS[rng.below(OPTIONS.len())]);
    let text = format!("{} {} - 0 {threats}", rows.join("/"), ["X", "O"][rng.below(2)]);
    let mut position = *history(&spec, &text)?.position();
    for _ in 0..rng.below(4) {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        if !moves.is_empty() {
            position.play(moves[rng.below(moves.len())]);
        }
    }
    (!position.is_over()).then(|| (spec, position.text()))
}

#[test]
fn claims_hold_after_changes_outside_their_zones() {
    let factor: usize = std::env::var("TESUJI_TWIN_FACTOR").map_or(1, |text| text.parse().expect("a number"));
    let found = tried(complete(), 3, 5_000 * factor, 5);
    println!(
        "{} claims, {:?} zones of {} of {} points, {} trials",
        found.claims, found.zones, found.cells.0, found.cells.1, found.trials
    );
    assert!(found.failures.is_empty(), "{}", found.failures.join("\n"));
    assert!(found.zones.iter().all(|&number| number > found.claims / 10), "{found:?}");
}

/// Whether a claim holds after every change of a single point outside its zone.
fn check_single_changes(claim: &Claim) {
    let zone = claim.zone.expect("there is a zone");
    let size = claim.text.split('/').count();
    let board: Vec<char> = claim.text.chars().filter(|&letter| letter != '/').take(size * size).collect();
    let mut tried = 0;
    for cell in (0..size * size).filter(|&cell| !zone.contains(cell) && !"bwBW".contains(board[cell])) {
        for letter in ['.', 'x', 'o'] {
            let Some(text) = claim.changed(&[(cell, letter)]) else { continue };
            assert_eq!(claim.holds_in(&text), Some(true), "{}: {} but not {text}", claim.spec, claim.text);
            tried += 1;
        }
    }
    assert!(tried > 0, "{}: everything is in the zone", claim.text);
}

fn complete() -> &'static dyn ZoneRules<GoProblem> {
    GoProblem::zone_rules(&rules::<GoProblem>("capture").unwrap()).expect("the game has zones")
}

/// The names of the points of a zone.
fn names(claim: &Claim) -> Vec<String> {
    let size = claim.text.split('/').count();
    let name = |cell: usize| format!("{}{}", ('A'..).nth(cell % size).unwrap(), size - cell / size);
    claim.zone.expect("there is a zone").iter().map(name).collect()
}

/// The stone on B1 takes: the target, all its neighbours, and the block of the new stone.
#[test]
fn a_capture_on_the_border_depends_on_the_stones_around() {
    let claim = claim("capture:5", ",,,,,/,,,,,/,,,,,/XX,,,/w.X,, X - 0 0,0", complete()).unwrap();
    assert_eq!(
        (claim.winner, names(&claim)),
        (Player::FIRST, vec!["A2", "B2", "A1", "B1", "C1"].into_iter().map(str::to_string).collect())
    );
    check_single_changes(&claim);
}

/// Wins of both sides on the boards of `testdata/go-problems.txt`.
#[test]
fn known_problems_have_zones() {
    let text = include_str!("../../../../testdata/go-problems.txt");
    let mut spec = "";
    let mut found = [0, 0];
    for line in text.lines() {
        match line.split_once(' ') {
            Some(("spec", rest)) => spec = rest,
            Some(("rows", rows)) if spec.starts_with("capture") => {
                // Room around the problem, so that there is something outside the zone.
                let size = 9;
                let rows: Vec<String> = rows.split('/').map(|row| format!("{row:,<size$}")).collect();
                let above = vec![",".repeat(size); size - rows.len()];
                let board = [above, rows].concat().join("/");
                for side in ["X", "O"] {
                    let text = format!("{board} {side} - 0 0,0");
                    let Some(claim) = claim("capture:9,seki=dead,cycle=attacker", &text, complete()) else { continue };
                    if claim.zone.is_some() {
                        found[usize::from(claim.winner != claim.attacker)] += 1;
                        check_single_changes(&claim);
                    }
                }
            }
            _ => {}
        }
    }
    println!("zones of {found:?} claims of the attacker, of the defender");
    assert!(found[0] >= 8 && found[1] >= 5, "{found:?}");
}

/// A defender who relies on passing has no zone: a pass may end the game where a stone elsewhere
/// would not.
#[test]
fn a_seki_has_no_zone() {
    let rows = ",,,,,,,,,/,,,,,,,,,/,,,,,,,,,/,,,,,,,,,/,,,,,,,,,/,,,,,,,,,/XXXXXXXXX/XwwwwwwwX/Xw.xxx.wX";
    for side in ["X", "O"] {
        let claim = claim("capture:9", &format!("{rows} {side} - 0 0,0"), complete()).unwrap();
        assert_eq!((claim.winner, claim.zone), (Player::SECOND, None));
    }
    let rules = rules::<GoProblem>("capture:9,moves=strong").unwrap();
    assert!(GoProblem::zone_rules(&rules).is_none(), "a generator looks at the whole board");
}

/// Claims whose zones are too small without a rule of closure: a position outside that zone refutes
/// the claim. Random trials found them, with a solver that knows no static bounds.
const COUNTEREXAMPLES: [(Closure, &str, &str, &str); 5] = [
    (
        Closure::Liberties,
        "life:6,seki=dead",
        "Xoww../,xwww./X..xx./XOxx.o/O,Ooox/,O,Ox, X - 0 1,0",
        "Xoww../,xwww./X..xx./XOxx.o/O,Ooo./,O,Ox, X - 0 1,0",
    ),
    (Closure::Liberties, "capture:4,escape=4", ".o.o/oxxx/..ww/xo.w X - 0 inf,0", ".oxx/oxxx/..ww/xo.w X - 0 inf,0"),
    (
        Closure::Suicides,
        "life:5,seki=dead",
        "X.OOX/xboOX/.bo.X/obbOX/,oO,O X - 0 0,0",
        "X.OOX/xboOX/.bo.X/obbOX/,oO,X X - 0 0,0",
    ),
    (
        Closure::Captures,
        "life:7,seki=dead",
        ",X,X,,,/,x,,,O,/xxxOOOO/o.o.OXX/xxox.X,/.wx..,X/wwo.ox, X - 0 inf,0",
        ",X,X,,,/,x,,,O,/xx.OOOO/o.o.OXX/xxox.X,/.wx..,X/wwo.ox, X - 0 inf,0",
    ),
    (
        Closure::Captures,
        "life:4,seki=dead,cycle=attacker",
        "o.bb/ooo./ox.x/x.oo X - 0 0,inf",
        "o.bb/ooo./ox.x/xxoo X - 0 0,inf",
    ),
];

#[test]
fn every_rule_of_closure_is_needed() {
    let by = "dfpn:sums=weak,static=off";
    for (rule, spec, text, other) in COUNTEREXAMPLES {
        let cells = |text: &str| text.chars().filter(|&letter| letter != '/').collect::<Vec<char>>();
        let pairs = cells(text).into_iter().zip(cells(other));
        let changed: CellSet = pairs.enumerate().filter(|(_, (one, two))| one != two).map(|(cell, _)| cell).collect();
        let (smaller, whole) = (GoZones::without(rule), complete());
        let [smaller, whole] =
            [&smaller, whole].map(|zones: &dyn ZoneRules<GoProblem>| claim_by(by, spec, text, zones).unwrap());
        assert_eq!(whole.holds_in(other), Some(false), "{text}: the claim fails in {other}");
        assert!(smaller.zone.expect("there is a zone").is_disjoint(&changed), "{text}: {rule:?} makes no difference");
        assert!(whole.zone.is_none_or(|zone| !zone.is_disjoint(&changed)), "{text}: the zone lacks a changed point");
    }
}
