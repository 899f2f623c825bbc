//! Tests of lambda search: random games against the definition, evaluated by brute force.

use super::walker::PseudoNode;
use super::*;
use crate::proving::depth::{Numbered, Tally};
use crate::proving::numbers::from_phi_delta;
use std::cell::Cell;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tesuji_core::{
    Bounds, Control, Facts, Game, History, INFINITE, Info, Length, Limits, Outcome, Player, PositionError, Question,
    Repetition, Report, Rng, StopReason, View,
};
use tesuji_games::{GoProblem, rules};

/// A vertex of a random game: the scores of the first player at an end, or the moves of each player
/// and whether a pass makes sense.
#[derive(Clone, PartialEq, Debug)]
enum Vertex {
    End(i32),
    Choice { moves: [Vec<u16>; 2], can_pass: bool },
}

/// A random game: a piece moves along the edges of a graph, and the players have edges of their
/// own.
#[derive(Clone, PartialEq, Debug)]
struct Graph {
    vertices: Arc<Vec<Vertex>>,
    is_cyclic: bool,
}

#[derive(Clone, PartialEq, Debug)]
struct Walk {
    graph: Graph,
    at: u16,
    to_move: Player,
}

impl Graph {
    /// A graph of `size` vertices without cycles: edges lead to higher vertices. With `is_cyclic`
    /// some lead back.
    fn random(size: usize, is_cyclic: bool, rng: &mut Rng) -> Graph {
        let vertex = |at: usize, rng: &mut Rng| {
            if at + 1 == size || at > 0 && rng.below(5) == 0 {
                return Vertex::End(rng.below(3) as i32 - 1);
            }
            let moves = |rng: &mut Rng| {
                let mut moves = Vec::new();
                for _ in 0..1 + rng.below(4) {
                    let back = is_cyclic && rng.below(4) == 0;
                    let to = if back { rng.below(size) } else { at + 1 + rng.below((size - at - 1).min(6)) };
                    if to != at && !moves.contains(&(to as u16)) {
                        moves.push(to as u16);
                    }
                }
                if moves.is_empty() {
                    moves.push(at as u16 + 1);
                }
                moves
            };
            Vertex::Choice { moves: [moves(rng), moves(rng)], can_pass: rng.below(10) > 0 }
        };
        let vertices = (0..size).map(|at| vertex(at, rng)).collect();
        Graph { vertices: Arc::new(vertices), is_cyclic }
    }

    /// Whether the attacker succeeds at each vertex by threats of each order up to `order`:
    /// `[attacker to move, defender to move][order][vertex]`, the least solution of the definition.
    fn evaluate(&self, question: &Question, order: usize) -> [Vec<Vec<bool>>; 2] {
        let attacker = question.prover();
        let size = self.vertices.len();
        let reaches = |score: i32| (if attacker == Player::FIRST { score } else { -score }) >= question.at_least;
        let ended = |at: u16| match self.vertices[usize::from(at)] {
            Vertex::End(score) => Some(reaches(score)),
            Vertex::Choice { .. } => None,
        };
        let mut wins = [vec![vec![false; size]; order + 1], vec![vec![false; size]; order + 1]];
        loop {
            let before = wins.clone();
            for l in 0..=order {
                for at in 0..size {
                    let Vertex::Choice { moves, can_pass } = &self.vertices[at] else {
                        let wins_here = ended(at as u16) == Some(true);
                        (wins[0][l][at], wins[1][l][at]) = (wins_here, wins_here);
                        continue;
                    };
                    let attacks = &moves[attacker.index()];
                    let after = |to: u16| (1..=l).any(|i| before[1][i][usize::from(to)]) || ended(to) == Some(true);
                    wins[0][l][at] = attacks.iter().any(|&to| after(to));
                    let defences = &moves[attacker.opponent().index()];
                    wins[1][l][at] = l > 0
                        && *can_pass
                        && before[0][l - 1][at]
                        && defences.iter().all(|&to| before[0][l][usize::from(to)]);
                }
            }
            if wins == before {
                return wins;
            }
        }
    }

    /// Whether the search succeeds at a root. The defender need not be threatened there.
    fn holds(&self, at: u16, attacks: bool, question: &Question, order: usize) -> bool {
        let wins = self.evaluate(question, order);
        let Vertex::Choice { moves, .. } = &self.vertices[usize::from(at)] else { unreachable!("a root is open") };
        if attacks {
            return wins[0][order][usize::from(at)];
        }
        moves[question.prover().opponent().index()].iter().all(|&to| wins[0][order][usize::from(to)])
    }

    /// Whether the attacker can force the score at all.
    fn minimax(&self, at: u16, to_move: Player, question: &Question) -> bool {
        let attacker = question.prover();
        let size = self.vertices.len();
        let mut wins = vec![[false; 2]; size];
        loop {
            let before = wins.clone();
            for (vertex, won) in self.vertices.iter().zip(&mut wins) {
                for seat in [Player::FIRST, Player::SECOND] {
                    won[seat.index()] = match vertex {
                        Vertex::End(score) => {
                            (if attacker == Player::FIRST { *score } else { -*score }) >= question.at_least
                        }
                        Vertex::Choice { moves, .. } => {
                            let after = |&to: &u16| before[usize::from(to)][seat.opponent().index()];
                            let mut moves = moves[seat.index()].iter();
                            if seat == attacker { moves.any(after) } else { moves.all(after) }
                        }
                    };
                }
            }
            if wins == before {
                return wins[usize::from(at)][to_move.index()];
            }
        }
    }
}

impl Rules for Graph {
    fn read(_: &mut Options<'_>) -> Result<Graph, SpecError> {
        unreachable!("graphs are made")
    }

    fn facts(&self) -> Facts {
        let size = self.vertices.len() as u32;
        Facts {
            players: 2,
            repetition: if self.is_cyclic { Repetition::Ends(3) } else { Repetition::Impossible },
            length: if self.is_cyclic { Length::Capped(10_000) } else { Length::Bounded(size) },
            scores: (-1, 1),
            draws: true,
            units_per_point: 1,
            move_indices: size as usize,
        }
    }

    fn cycle_outcome(&self) -> Option<Outcome> {
        self.is_cyclic.then(|| Outcome::draw(2))
    }
}

impl Game for Walk {
    type Move = u16;
    type Rules = Graph;
    const INFO: Info = Info::new("walk", "Walk", &["A", "B"]);

    fn start(rules: &Graph) -> Walk {
        Walk { graph: rules.clone(), at: 0, to_move: Player::FIRST }
    }

    fn to_move(&self) -> Player {
        self.to_move
    }

    fn is_over(&self) -> bool {
        self.outcome().is_some()
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.graph.vertices[usize::from(self.at)] {
            Vertex::End(0) => Some(Outcome::draw(2)),
            Vertex::End(score) => Some(Outcome::win(if score > 0 { Player::FIRST } else { Player::SECOND })),
            Vertex::Choice { .. } => None,
        }
    }

    fn legal_moves(&self, moves: &mut Vec<u16>) {
        if let Vertex::Choice { moves: edges, .. } = &self.graph.vertices[usize::from(self.at)] {
            moves.extend_from_slice(&edges[self.to_move.index()]);
        }
    }

    fn play(&mut self, to: u16) {
        self.at = to;
        self.to_move = self.to_move.opponent();
    }

    fn key(&self) -> u64 {
        tesuji_core::zobrist::key(0xF1, 2 * u64::from(self.at) + u64::from(self.to_move.0))
    }

    fn text(&self) -> String {
        format!("{} {}", self.at, self.to_move.0)
    }

    fn parse(_: &Graph, text: &str) -> Result<Walk, PositionError> {
        Err(PositionError::new(text, "graphs have no text"))
    }

    fn move_text(&self, to: u16) -> String {
        to.to_string()
    }

    fn move_index(&self, to: u16) -> usize {
        usize::from(to)
    }

    fn view(&self) -> View {
        unreachable!("the tests do not draw positions")
    }
}

impl Knowledge for Walk {
    fn null_move(&self) -> Option<Walk> {
        match &self.graph.vertices[usize::from(self.at)] {
            Vertex::Choice { can_pass: true, .. } => Some(Walk { to_move: self.to_move.opponent(), ..self.clone() }),
            _ => None,
        }
    }
}

fn params(spec: &str) -> Params {
    let spec = spec.parse().unwrap();
    let mut options = Options::new(&spec);
    let params = Lambda::read(&mut options).unwrap();
    options.finish().unwrap();
    params
}

fn ask(
    solver: &mut LambdaSolver<Walk>,
    graph: &Graph,
    question: Question,
    limits: Limits,
    threads: usize,
) -> Report<u16> {
    let root = History::<Walk>::new(graph.clone());
    let stop = AtomicBool::new(false);
    solver.ask(&root, question, &Control::new(limits, 1, &stop).with_threads(threads))
}

const LIMITS: Limits = Limits { time: None, playouts: None, nodes: Some(1_000_000), memory: Some(1 << 20) };

/// The variants of lambda search that must all give what the definition gives.
const VARIANTS: &[&str] = &[
    "",
    ",dn=all",
    ",pass=sum",
    ",pass=sum,dn=all",
    ",top=1",
    ",top=2,dn=all",
    ",top=2,top-order=1",
    ",top=1,top-order=2,dn=all,pass=sum",
    ",classic",
    ",classic,dn=all,pass=sum,top=2",
    ",simulation=off",
    ",simulation=off,dn=all,epsilon=0",
    ",init=mobility,ties=less",
    ",tca=off,ties=listed",
];

/// Compares the variants with the definition on random games; returns the number of proven roots.
fn compare(is_cyclic: bool, games: u64, variants: &[&str], limits: Limits, threads: usize) -> u64 {
    let mut proven = 0;
    for number in 0..games {
        let mut rng = Rng::stream(20, number);
        let graph = Graph::random(12 + rng.below(30), is_cyclic, &mut rng);
        let order = rng.below(5);
        let attacker = Player(rng.below(2) as u8);
        let at_least = if is_cyclic { 1 } else { rng.below(2) as i32 };
        let question = Question { known: Bounds { player: attacker, at_least: -1, at_most: 1 }, at_least };
        let truth = graph.holds(0, attacker == Player::FIRST, &question, order);
        proven += u64::from(truth);
        for variant in variants {
            let spec = format!("lambda:then=stop,order={order}{variant}");
            let mut solver = LambdaSolver::new(params(&spec));
            let report = ask(&mut solver, &graph, question, limits, threads);
            let found = question.answer(&report.bounds);
            let expected = truth.then_some(true);
            assert_eq!(found, expected, "{number}: {spec}, {attacker:?}: {report:?}");
            let reason = if truth { StopReason::Solved } else { StopReason::Finished };
            assert_eq!(report.stopped, reason, "{number}: {spec}: {report:?}");
            assert!(!truth || graph.minimax(0, Player::FIRST, &question), "{number}: {spec}");
            // The reported move keeps the win.
            if truth && attacker == Player::FIRST {
                let best = report.best.unwrap();
                assert!(graph.minimax(best, Player::SECOND, &question), "{number}: {spec}: {report:?}");
            }
        }
    }
    proven
}

/// The check of section 5.3 of Yoshizoe's corrected algorithm: all variants agree with the
/// definition.
#[test]
fn random_games_without_cycles_agree_with_the_definition() {
    let proven = compare(false, 4000, VARIANTS, LIMITS, 1);
    assert!((400..3600).contains(&proven), "{proven} of the games are won");
}

#[test]
fn random_games_with_cycles_agree_with_the_definition() {
    let proven = compare(true, 2000, VARIANTS, LIMITS, 1);
    assert!((200..1800).contains(&proven), "{proven} of the games are won");
}

#[test]
fn several_threads_and_little_memory_agree_with_the_definition() {
    compare(false, 300, VARIANTS, LIMITS, 2);
    compare(true, 300, VARIANTS, LIMITS, 2);
    let little = Limits { memory: Some(1 << 12), ..LIMITS };
    compare(false, 1000, VARIANTS, little, 1);
}

/// A line that the printed pseudo-code lacks, left out again.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Damage {
    None,
    /// A solved node keeps its other number.
    NoNormalising,
    /// A sum of 0 solves a node whatever lies outside the sum.
    NoFloor,
}

thread_local! {
    static DAMAGE: Cell<Damage> = const { Cell::new(Damage::None) };
    static TALLIES: Cell<u64> = const { Cell::new(0) };
}

/// The tallies after which a damaged search of a small game counts as endless.
const ENDLESS: u64 = 200_000;

pub fn damaged<M>(tally: Tally, children: &[PseudoNode<M>], attacks: bool) -> Tally {
    let damage = DAMAGE.get();
    if damage == Damage::None {
        return tally;
    }
    TALLIES.set(TALLIES.get() + 1);
    assert!(TALLIES.get() < ENDLESS, "the search does not end");
    let counted = children.iter().filter(|child| child.is_summed());
    let sum: u64 = counted.map(|child| u64::from(phi_delta(child.numbers(), attacks).1)).sum();
    let sum = sum.min(u64::from(LARGEST)) as u32;
    let (phi, delta) = match damage {
        Damage::NoNormalising if tally.phi == 0 => (0, sum),
        Damage::NoFloor if tally.phi > 0 && sum == 0 => (INFINITE, 0),
        _ => return tally,
    };
    Tally { phi, delta, numbers: from_phi_delta(phi, delta, attacks), ..tally }
}

/// Returns how many of the games a damaged search answers wrongly, and how many it does not answer.
fn failures(damage: Damage, spec: &'static str) -> (u32, u32) {
    let (mut wrong, mut endless) = (0, 0);
    for number in 0..1000 {
        let mut rng = Rng::stream(21, number);
        let graph = Graph::random(12 + rng.below(30), false, &mut rng);
        let question = Question { known: Bounds { player: Player::FIRST, at_least: -1, at_most: 1 }, at_least: 1 };
        let truth = graph.holds(0, true, &question, 3);
        let search = move || {
            DAMAGE.set(damage);
            TALLIES.set(0);
            let report = ask(&mut LambdaSolver::new(params(spec)), &graph, question, LIMITS, 1);
            question.answer(&report.bounds)
        };
        let found = catch_unwind(search);
        DAMAGE.set(Damage::None);
        match found {
            Err(_) => endless += 1,
            Ok(found) => wrong += u32::from(found != truth.then_some(true)),
        }
    }
    (wrong, endless)
}

#[test]
fn the_lines_that_the_source_lacks_are_needed() {
    let spec = "lambda:order=3,then=stop,simulation=off";
    assert_eq!(failures(Damage::None, spec), (0, 0));
    let (_, endless) = failures(Damage::NoNormalising, spec);
    assert!(endless > 100, "{endless} of 1000");
    let (wrong, _) = failures(Damage::NoFloor, spec);
    assert!(wrong > 10, "{wrong} of 1000");
}

/// With `then=dfpn` the solver answers every question, and a restored one knows the answer.
#[test]
fn df_pn_finishes_what_lambda_search_leaves_open() {
    for number in 0..500 {
        let mut rng = Rng::stream(22, number);
        let is_cyclic = rng.below(2) == 0;
        let graph = Graph::random(12 + rng.below(30), is_cyclic, &mut rng);
        let attacker = Player(rng.below(2) as u8);
        let question = Question { known: Bounds { player: attacker, at_least: -1, at_most: 1 }, at_least: 1 };
        let truth = graph.minimax(0, Player::FIRST, &question);
        let mut solver = LambdaSolver::new(params("lambda:order=2"));
        let report = ask(&mut solver, &graph, question, LIMITS, 1);
        assert_eq!(question.answer(&report.bounds), Some(truth), "{number}: {report:?}");
        let mut saved = Vec::new();
        solver.save(&mut saved).unwrap();
        let mut restored = LambdaSolver::new(params("lambda:order=2"));
        restored.restore(&mut &saved[..]).unwrap();
        let again = ask(&mut restored, &graph, question, LIMITS, 1);
        assert_eq!(question.answer(&again.bounds), Some(truth), "{number}");
        assert!(again.counters.expansions <= report.counters.expansions, "{number}: {again:?} after {report:?}");
        assert!(LambdaSolver::<Walk>::new(params("lambda:order=3")).restore(&mut &saved[..]).is_err());
        let last = saved.len() - 1;
        saved[last] ^= 1;
        assert!(restored.restore(&mut &saved[..]).is_err());
    }
}

/// A small random problem with a marked block, as text; most are no legal positions.
fn random_capture(rng: &mut Rng, size: usize, threats: &[&str]) -> Option<GoProblem> {
    let empty = 30 + rng.below(40);
    let mut cell = || if rng.below(100) < empty { '.' } else { ['x', 'o'][rng.below(2)] };
    let mut board: Vec<Vec<char>> = (0..size).map(|_| (0..size).map(|_| cell()).collect()).collect();
    let (row, column) = (rng.below(size), rng.below(size));
    board[row][column] = ['b', 'w'][rng.below(2)];
    let rows: Vec<String> = board.iter().map(|row| row.iter().collect()).collect();
    let side = ["X", "O"][rng.below(2)];
    let rules = rules::<GoProblem>(&format!("capture:{size}")).unwrap();
    let text = format!("{} {side} - 0 {}", rows.join("/"), threats[rng.below(threats.len())]);
    GoProblem::parse(&rules, &text).ok().filter(|position| !position.is_over())
}

/// Plain df-pn.
fn df_pn(position: &GoProblem) -> Box<dyn Prover<GoProblem>> {
    crate::dfpn::DfPn::prover(crate::dfpn::Params::default(), position.rules()).unwrap()
}

/// Asks whether the attacker takes the marked block; with two threads, in little memory.
fn ask_capture(
    solver: &mut dyn Prover<GoProblem>,
    position: &GoProblem,
    nodes: u64,
    threads: usize,
) -> (Option<bool>, Report<u16>) {
    let text = position.text();
    let owner = Player(u8::from(text.split(' ').next().unwrap().contains('w')));
    let root = History::<GoProblem>::parse(*position.rules(), &text).unwrap();
    let question = Question { known: Bounds { player: owner.opponent(), at_least: -1, at_most: 1 }, at_least: 1 };
    let memory = if threads > 1 { 1 << 14 } else { 1 << 22 };
    let limits = Limits { nodes: Some(nodes), memory: Some(memory), ..LIMITS };
    let stop = AtomicBool::new(false);
    let report = solver.ask(&root, question, &Control::new(limits, 1, &stop).with_threads(threads));
    (question.answer(&report.bounds), report)
}

/// On random problems of Go, all variants agree at every order, a win is one for df-pn as well, and
/// a higher order wins what a lower one does.
#[test]
fn random_captures_agree_with_df_pn() {
    const VARIANTS: [&str; 7] = [
        "",
        ",limits=off",
        ",order-one=search",
        ",order-one=search,limits=off,simulation=off",
        ",dn=all,pass=sum,init=game",
        ",classic,top=2,top-order=1",
        ",static=on,top=1",
    ];
    let mut rng = Rng::new(23);
    let (mut compared, mut won) = (0, [0; 4]);
    while compared < 150 {
        let Some(position) = random_capture(&mut rng, 4, &["0,0", "0,1", "1,0", "1,1"]) else { continue };
        let (truth, _) = ask_capture(df_pn(&position).as_mut(), &position, 300_000, 1);
        let Some(truth) = truth else { continue };
        compared += 1;
        let mut wins_below = false;
        for (order, won) in won.iter_mut().enumerate().skip(1) {
            let answers = VARIANTS.map(|variant| {
                let spec = format!("lambda:then=stop,order={order}{variant}");
                let (found, report) = ask_capture(&mut LambdaSolver::new(params(&spec)), &position, 300_000, 1);
                assert!(found != Some(true) || truth, "{spec}: {}", position.text());
                let is_open = report.stopped != StopReason::Solved && report.stopped != StopReason::Finished;
                (!is_open && !spec.contains("static")).then_some(found)
            });
            let settled: Vec<Option<bool>> = answers.into_iter().flatten().collect();
            assert!(settled.windows(2).all(|pair| pair[0] == pair[1]), "{order}: {answers:?}: {}", position.text());
            let wins = settled.first() == Some(&Some(true));
            assert!(wins || !wins_below || settled.is_empty(), "{order}: {}", position.text());
            wins_below |= wins;
            *won += u32::from(wins);
        }
        let (found, _) = ask_capture(&mut LambdaSolver::new(params("lambda:order=2")), &position, 2_000_000, 1);
        assert_eq!(found, Some(truth), "{}", position.text());
    }
    assert!(won[1] > 10 && won[2] > won[1], "{won:?} of {compared} are won by order");
}

/// Captures with unlimited threats, where a cycle has the result of the ko: two threads, little
/// memory.
#[test]
fn captures_by_lambda_search_are_wins_under_all_rules_of_ko() {
    let mut rng = Rng::new(24);
    let (mut proven, mut compared) = (0, 0);
    while compared < 200 {
        let Some(position) = random_capture(&mut rng, 4, &["0,inf", "inf,0", "inf,inf"]) else { continue };
        compared += 1;
        let mut solver = LambdaSolver::new(params("lambda:then=stop,order=3"));
        if ask_capture(&mut solver, &position, 100_000, 2).0 != Some(true) {
            continue;
        }
        let (truth, _) = ask_capture(df_pn(&position).as_mut(), &position, 2_000_000, 1);
        assert_ne!(truth, Some(false), "{}", position.text());
        proven += u32::from(truth == Some(true));
    }
    assert!(proven > 20, "{proven} of {compared} are won");
}

#[test]
fn options_are_read() {
    let default = params("lambda");
    assert!(default.finishes && default.settings.order == 3 && !default.settings.classic);
    let can = |spec: &str| Lambda::capabilities(&params(spec));
    assert!(can("lambda").proves && can("lambda").keeps_proof && can("lambda").cycle_safe);
    assert!(!can("lambda:then=stop").proves && !can("lambda:goal=win").proves && !can("lambda:tca=off").cycle_safe);
    let refused = |spec: &str| Lambda::read(&mut Options::new(&spec.parse().unwrap())).is_err();
    assert!(refused("lambda:order=6") && refused("lambda:dn=some") && refused("lambda:then=pns"));
}
