use super::*;
use crate::board::bits::Bits;
use tesuji_core::{History, Knowledge, Rng, Rules};

fn rules(spec: &str) -> ProblemRules {
    crate::rules::<GoProblem>(spec).unwrap()
}

fn position(spec: &str, text: &str) -> GoProblem {
    GoProblem::parse(&rules(spec), text).unwrap()
}

/// Plays moves from a position.
fn played(spec: &str, text: &str, moves: &str) -> History<GoProblem> {
    History::parse(rules(spec), &format!("{text} moves {moves}")).unwrap()
}

fn moves(position: &GoProblem) -> Vec<String> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves.iter().map(|&mv| position.move_text(mv)).collect()
}

/// Black takes a ko at C2.
const KO: &str = "...../...../.xo../xo.w./.xo.. X - 0";

#[test]
fn four_names_are_four_games() {
    for (name, draws) in [("capture", false), ("life", false), ("semeai", true), ("connect", false)] {
        let rules = rules(name);
        assert_eq!(GoProblem::info(&rules).name, name);
        assert_eq!(rules.facts().draws, draws);
        assert!(!GoProblem::start(&rules).is_over());
    }
    for name in ["capture", "life", "semeai", "connect"] {
        for size in 2..=19 {
            let start = GoProblem::start(&rules(&format!("{name}:{size}")));
            assert!(!start.is_over() && moves(&start).len() > 1, "{}", start.text());
        }
    }
}

#[test]
fn options_belong_to_goals() {
    for spec in ["semeai:5,seki=dead", "connect:5,escape=4", "life:5,moves=weak", "capture:5x6", "capture:5,fp=unsound"]
    {
        assert!(crate::rules::<GoProblem>(spec).is_err(), "{spec}");
    }
}

#[test]
fn only_points_of_the_region_are_played() {
    let start = position("capture:7", ",,,,,,,/,,,,,,,/,,,,,,,/,,,,,,,/XXXXXXX/XwwwwwX/Xw...wX X - 0 0,0");
    assert_eq!(start, GoProblem::start(&rules("capture:7")));
    assert_eq!(moves(&start), ["C1", "D1", "E1", "pass"]);
}

#[test]
fn taking_the_marked_stones_wins() {
    let game = played("capture:3", "XX,/wX,/.X, X - 0 0,0", "A1");
    assert_eq!(game.position().text(), "XX,/.X,/xX, O - taken 0,0");
    assert_eq!(game.outcome().unwrap().scores(), [1, -1]);
    assert_eq!(game.position().ending_reason(), Some("marked stones taken"));
}

#[test]
fn two_passes_end_the_game_for_the_defender_unless_seki_is_dead() {
    let text = ",,,,,/XXXXX/wwwwX/...wX/...wX X - 0 0,0";
    assert_eq!(played("life:5", text, "pass pass").outcome().unwrap().scores(), [-1, 1]);
    assert_eq!(played("life:5,seki=dead", text, "pass pass").outcome().unwrap().scores(), [1, -1]);
    assert_eq!(played("semeai:4", ",,,,/OOXX/bbww/.... X - 0 0,0", "pass pass").outcome().unwrap().scores(), [0, 0]);
}

#[test]
fn unconditional_life_ends_the_game() {
    let game = played("capture:5", ",,,,,/XXXXX/wwwwX/.w.wX/...wX O - 0 0,0", "B1");
    assert_eq!(game.position().ending_reason(), Some("marked stones safe"));
    assert_eq!(game.outcome().unwrap().scores(), [-1, 1]);
}

#[test]
fn liberties_outside_the_region_and_many_liberties_are_an_escape() {
    assert!(!position("capture:4", ",,,,/,XX,/wwX,/..X, X - 0 0,0").is_over());
    assert!(position("capture:4", ",,,,/,,X,/wwX,/..X, X - 0 0,0").is_over());
    let text = ",,,,/XXX,/wwX,/..X,";
    assert!(position("capture:4,escape=2", &format!("{text} X - 0 0,0")).is_over());
    assert!(!position("capture:4,escape=2", &format!("{text} O - 0 0,0")).is_over());
    assert!(played("capture:4,escape=2", &format!("{text} O - 0 0,0"), "pass").is_over());
}

#[test]
fn one_block_is_enough_only_if_asked() {
    let text = "XXXX,/wXXw,/..X.,/,,,,,/,,,,, X - 0 0,0";
    let both = played("life:5", text, "A3");
    assert!(!both.is_over());
    let one = played("life:5,need=any", text, "A3");
    assert_eq!(one.outcome().unwrap().scores(), [1, -1]);
    assert_eq!(one.position().text().matches('w').count(), 0);
}

#[test]
fn joining_connects_and_unconditional_life_separates() {
    let joined = played("connect:3", "OOO/b.b/... X - 0 0,0", "B2");
    assert_eq!(joined.position().ending_reason(), Some("marked blocks joined"));
    let cut = position("connect:5", ",,,,,/bbbbb/OOOOO/.O.O./OObOO X - 0 0,0");
    assert_eq!(cut.ending_reason(), Some("marked blocks separated"));
}

#[test]
fn a_ko_is_retaken_at_once_only_with_a_threat() {
    let taken = |threats: &str, moves: &str| played("capture:5", &format!("{KO} {threats}"), moves);
    let none = taken("0,0", "C2");
    assert_eq!(none.position().text(), "...../...../.xo../x.xw./.xo.. O B2 0 0,0");
    assert!(!moves(none.position()).contains(&"B2".to_string()));
    assert!(moves(taken("0,1", "C2").position()).contains(&"B2".to_string()));
    assert_eq!(taken("0,1", "C2 B2").position().text(), "...../...../.xo../xo.w./.xo.. X C2 0 0,0");
    assert_eq!(taken("0,inf", "C2 B2").position().threats(Player::SECOND), UNLIMITED);
}

#[test]
fn a_pass_under_a_ban_lifts_it_and_does_not_count() {
    let passed = played("capture:5", &format!("{KO} 0,0"), "C2 pass");
    assert_eq!(passed.position().text(), "...../...../.xo../x.xw./.xo.. X - 0 0,0");
    assert_eq!(played("capture:5", &format!("{KO} 0,0"), "pass").position().passes, 1);
}

#[test]
fn a_player_who_repeats_with_unlimited_threats_loses() {
    let repeated = |threats: &str| played("capture:5", &format!("{KO} {threats}"), "C2 B2 pass pass C2");
    assert_eq!(repeated("0,inf").outcome().unwrap().scores(), [1, -1]);
    assert!(!repeated("0,2").is_over());
}

#[test]
fn impossible_positions_are_refused() {
    for text in [
        "",
        ",,,/XX,/w.. X - 0",
        ",,,/XX,/w.. X - 3 0,0",
        ",,,/XX,/w.. X - 0 0",
        ",,,/XX,/w.. X - 0 0,3",
        ",,,/XX,/w.. X B1 0 0,0",
        ",,,/XX,/w.. X Z9 0 0,0",
        ",,,/XX,/o.. X - 0 0,0",
        ",,,/XB,/w.. X - 0 0,0",
        ",,,/XX,/w.. X - taken 0,0",
    ] {
        assert!(GoProblem::parse(&rules("capture:3"), text).is_err(), "{text}");
    }
    assert!(GoProblem::parse(&rules("semeai:3"), ",,,/XX,/w.. X - 0 0,0").is_err());
}

#[test]
fn a_position_is_256_bytes() {
    assert_eq!(size_of::<GoProblem>(), 256);
}

#[test]
fn generated_moves_are_near_the_target() {
    let text = "......./......./......./..x..../.xw..../..x..../....... X - 0 0,0";
    let generated = |generator: &str| moves(&position(&format!("capture:7,moves={generator}"), text));
    let (strong, weak) = (generated("strong"), generated("weak"));
    assert!(strong.contains(&"D3".to_string()) && !strong.contains(&"A7".to_string()), "{strong:?}");
    assert!(strong.iter().all(|mv| weak.contains(mv)) && strong.len() < weak.len());
    // In atari, the defender has only the moves that can help.
    let atari = text.replace(" X ", " O ");
    assert_eq!(moves(&position("capture:7,moves=strong", &atari)), ["D3"]);
    assert!(moves(&position("capture:7", &atari)).len() > 40);
}

/// Black's stones at C4, D3 and E3 chase White's at D4; other stones are given by row and column.
fn ladder(extra: &[(usize, usize, char)], side: &str) -> GoProblem {
    let mut board = vec![vec!['.'; 9]; 9];
    for &(column, row, stone) in [(3, 4, 'x'), (4, 3, 'x'), (5, 3, 'x'), (4, 4, 'w')].iter().chain(extra) {
        board[9 - row][column - 1] = stone;
    }
    let rows: Vec<String> = board.iter().map(|row| row.iter().collect()).collect();
    position("capture:9", &format!("{} {side} - 0 0,inf", rows.join("/")))
}

#[test]
fn a_ladder_works_unless_there_is_a_breaker() {
    let takes = |position: &GoProblem| position.order_one(Player::FIRST, &mut 0).unwrap();
    let after = |mut position: GoProblem, mv: &str| {
        position.play(position.parse_move(mv).unwrap());
        position
    };
    assert!(takes(&ladder(&[], "X")));
    assert!(takes(&after(ladder(&[], "X"), "D5")));
    assert!(!takes(&after(ladder(&[], "X"), "E4")));
    assert!(!takes(&after(ladder(&[], "O"), "D5")));
    for breaker in [(7, 7, 'o'), (8, 8, 'o')] {
        assert!(!takes(&ladder(&[breaker], "X")), "{breaker:?}");
    }
    for other in [(3, 8, 'o'), (7, 7, 'x')] {
        assert!(takes(&after(ladder(&[other], "X"), "D5")), "{other:?}");
    }
}

/// A random board, one row after the other from the top, in which every block has a liberty.
fn random_board(rng: &mut Rng, size: usize, empty: usize) -> Vec<Vec<char>> {
    let draw = |rng: &mut Rng| if rng.below(100) < empty { '.' } else { ['x', 'o'][rng.below(2)] };
    let mut board: Vec<Vec<char>> = (0..size).map(|_| (0..size).map(|_| draw(rng)).collect()).collect();
    for row in 0..size {
        for column in 0..size {
            if board[row][column] != '.' && naive::liberties(&board, (row, column)).is_empty() {
                board[row][column] = '.';
            }
        }
    }
    board
}

/// The same rules by lists of points.
mod naive {
    pub type Cell = (usize, usize);

    pub fn neighbours(board: &[Vec<char>], (row, column): Cell) -> Vec<Cell> {
        let last = board.len() - 1;
        let mut cells = Vec::new();
        if row > 0 {
            cells.push((row - 1, column));
        }
        if row < last {
            cells.push((row + 1, column));
        }
        if column > 0 {
            cells.push((row, column - 1));
        }
        if column < last {
            cells.push((row, column + 1));
        }
        cells
    }

    /// The points connected with a point through points that satisfy a condition.
    pub fn connected(board: &[Vec<char>], cell: Cell, through: &dyn Fn(char) -> bool) -> Vec<Cell> {
        let mut found = vec![cell];
        let mut done = 0;
        while done < found.len() {
            for next in neighbours(board, found[done]) {
                if through(board[next.0][next.1]) && !found.contains(&next) {
                    found.push(next);
                }
            }
            done += 1;
        }
        found
    }

    pub fn liberties(board: &[Vec<char>], cell: Cell) -> Vec<Cell> {
        let colour = board[cell.0][cell.1];
        let block = connected(board, cell, &|other| other == colour);
        let mut liberties: Vec<Cell> = block.iter().flat_map(|&stone| neighbours(board, stone)).collect();
        liberties.retain(|cell| board[cell.0][cell.1] == '.');
        liberties.sort_unstable();
        liberties.dedup();
        liberties
    }

    /// The unconditionally alive stones of a colour: blocks and regions are struck off their lists.
    pub fn alive(board: &[Vec<char>], colour: char) -> Vec<Cell> {
        let (mut blocks, mut regions): (Vec<Vec<Cell>>, Vec<Vec<Cell>>) = (Vec::new(), Vec::new());
        for row in 0..board.len() {
            for column in 0..board.len() {
                let (cell, own) = ((row, column), board[row][column] == colour);
                let lists = if own { &mut blocks } else { &mut regions };
                if !lists.iter().any(|list| list.contains(&cell)) {
                    lists.push(connected(board, cell, &|other| (other == colour) == own));
                }
            }
        }
        let touches = |one: &[Cell], other: &[Cell]| {
            one.iter().any(|&cell| neighbours(board, cell).iter().any(|next| other.contains(next)))
        };
        loop {
            let is_vital = |region: &Vec<Cell>, block: &Vec<Cell>| {
                let liberties = liberties(board, block[0]);
                region.iter().all(|cell| board[cell.0][cell.1] != '.' || liberties.contains(cell))
            };
            let has_two = |block: &Vec<Cell>| regions.iter().filter(|region| is_vital(region, block)).count() >= 2;
            let (kept, struck): (Vec<_>, Vec<_>) = blocks.iter().cloned().partition(has_two);
            if struck.is_empty() {
                let mut alive = kept.concat();
                alive.sort_unstable();
                return alive;
            }
            regions.retain(|region| !struck.iter().any(|block| touches(region, block)));
            blocks = kept;
        }
    }
}

#[test]
fn unconditional_life_is_that_of_a_naive_reading() {
    let mut rng = Rng::new(5);
    let mut found = 0;
    for _ in 0..3_000 {
        let (size, empty) = ([4, 5, 6, 9, 11, 14][rng.below(6)], 8 + rng.below(25));
        let board = random_board(&mut rng, size, empty);
        // Any marked stone makes a problem of it.
        let rows: Vec<String> = board.iter().map(|row| row.iter().collect()).collect();
        let text = format!("{} X - 0 0,0", rows.join("/").replacen('x', "b", 1));
        let Ok(problem) = GoProblem::parse(&rules(&format!("capture:{size}")), &text) else { continue };
        for (seat, colour) in ['x', 'o'].into_iter().enumerate() {
            let expected = naive::alive(&board, colour);
            let alive = on_stones!(problem, stones, _narrow => {
                stones.unconditionally_alive(seat).members().map(|point| point as Point).collect::<Vec<_>>()
            });
            let cell = |&point: &Point| {
                let (column, row) = problem.column_row(point);
                (size - 1 - row, column)
            };
            let mut alive: Vec<naive::Cell> = alive.iter().map(cell).collect();
            alive.sort_unstable();
            assert_eq!(alive, expected, "{colour} in {text}");
            found += usize::from(!alive.is_empty());
        }
    }
    assert!(found > 100, "only {found} boards with unconditional life");
}

/// Order-1 λ search without any knowledge of Go, by trying all moves.
struct OrderOne {
    attacker: Player,
    line: Vec<GoProblem>,
}

impl OrderOne {
    fn after(position: &GoProblem) -> Vec<GoProblem> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let play = |&mv: &Point| {
            let mut next = *position;
            next.play(mv);
            next
        };
        moves.iter().map(play).collect()
    }

    fn has_won(&self, position: &GoProblem) -> bool {
        position.outcome().is_some_and(|outcome| outcome.score(self.attacker) > 0)
    }

    fn wins_at_once(&self, position: &GoProblem) -> bool {
        OrderOne::after(position).iter().any(|next| self.has_won(next))
    }

    /// The result if the line ends here.
    fn end(&self, position: &GoProblem) -> Option<bool> {
        if position.is_over() {
            return Some(self.has_won(position));
        }
        let first = self.line.iter().position(|earlier| earlier == position)?;
        let cycle = [&self.line[first..], &[*position]].concat();
        Some(GoProblem::repetition_outcome(&cycle).score(self.attacker) > 0)
    }

    fn attack(&mut self, position: &GoProblem) -> bool {
        if let Some(result) = self.end(position) {
            return result;
        }
        if self.wins_at_once(position) {
            return true;
        }
        self.line.push(*position);
        let takes = OrderOne::after(position).iter().any(|next| self.defend(next));
        self.line.pop();
        takes
    }

    fn defend(&mut self, position: &GoProblem) -> bool {
        if let Some(result) = self.end(position) {
            return result;
        }
        let passed = position.null_move().unwrap();
        if passed.is_over() || !self.wins_at_once(&passed) {
            return false;
        }
        self.line.push(*position);
        let takes = OrderOne::after(position).iter().all(|next| {
            if next.is_over() {
                return self.has_won(next);
            }
            self.wins_at_once(next) || self.attack(next)
        });
        self.line.pop();
        takes
    }
}

/// Whether the attacker, to move, takes what it must with `moves` moves in a row, all of which the
/// defender passes. Without that, threats of order `moves - 1` fail.
fn takes_in_a_row(position: &GoProblem, attacker: Player, moves: usize) -> bool {
    OrderOne::after(position).iter().any(|next| match next.outcome() {
        Some(outcome) => outcome.score(attacker) > 0,
        None => moves > 1 && takes_in_a_row(&next.null_move().unwrap(), attacker, moves - 1),
    })
}

#[test]
fn orders_out_of_reach_fail_even_if_the_defender_always_passes() {
    let mut rng = Rng::new(12);
    let (mut compared, mut tight) = (0, 0);
    while compared < 2_000 {
        let (size, empty) = (3 + rng.below(2), 30 + rng.below(40));
        let mut board = random_board(&mut rng, size, empty);
        let colour = ['x', 'o'][rng.below(2)];
        for _ in 0..1 + rng.below(2) {
            let cell = (rng.below(size), rng.below(size));
            if board[cell.0][cell.1] == colour {
                for (row, column) in naive::connected(&board, cell, &|other| other == colour) {
                    board[row][column] = if colour == 'x' { 'b' } else { 'w' };
                }
            }
        }
        let rows: Vec<String> = board.iter().map(|row| row.iter().collect()).collect();
        let text = format!("{} {} - 0 0,0", rows.join("/"), ["X", "O"][rng.below(2)]);
        let spec = format!("{}:{size}{}", ["capture", "life"][rng.below(2)], ["", ",need=any"][rng.below(2)]);
        let Ok(position) = GoProblem::parse(&rules(&spec), &text) else { continue };
        let attacker = Player(1 - position.owner);
        let failing = position.failing_order(attacker).min(3);
        let (start, in_a_row) = match position.to_move() == attacker {
            true => (position, failing + 1),
            false => (position.null_move().unwrap(), failing),
        };
        if failing == 0 || position.is_over() || start.is_over() {
            continue;
        }
        compared += 1;
        assert!(!takes_in_a_row(&start, attacker, in_a_row), "{failing} in {spec} {text}");
        tight += usize::from(in_a_row < 3 && takes_in_a_row(&start, attacker, in_a_row + 1));
        assert_eq!(position.failing_order(attacker.opponent()), 0);
    }
    assert!(tight > compared / 4, "{tight} of {compared} limits are tight");
}

/// Options that do not change what a threat of order 1 is.
const OPTIONS: [&str; 6] =
    ["", ",moves=weak", ",moves=strong", ",escape=3", ",moves=weak,fp=unsound", ",moves=strong,fp=unsound"];

/// A random position with a target of one block; `None` if the attempt fails.
fn random_target(rng: &mut Rng) -> Option<GoProblem> {
    let size = 3 + rng.below(4);
    let empty = 25 + rng.below(50);
    let mut board = random_board(rng, size, empty);
    let cell = (rng.below(size), rng.below(size));
    let colour = board[cell.0][cell.1];
    if colour == '.' || naive::liberties(&board, cell).len() > 3 {
        return None;
    }
    for (row, column) in naive::connected(&board, cell, &|other| other == colour) {
        board[row][column] = if colour == 'x' { 'b' } else { 'w' };
    }
    if rng.below(4) == 0 {
        for cell in board.iter_mut().flatten().filter(|cell| **cell == '.') {
            *cell = if rng.below(8) == 0 { ',' } else { '.' };
        }
    }
    let rows: Vec<String> = board.iter().map(|row| row.iter().collect()).collect();
    let threats = ["0,0", "0,1", "1,0", "0,inf", "inf,0", "1,1"][rng.below(6)];
    let text = format!("{} {} - 0 {threats}", rows.join("/"), ["X", "O"][rng.below(2)]);
    let spec = format!("capture:{size}{}", OPTIONS[rng.below(OPTIONS.len())]);
    let mut position = GoProblem::parse(&rules(&spec), &text).ok()?;
    // A few moves make bans and passes.
    for _ in 0..rng.below(4) {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            return None;
        }
        position.play(moves[rng.below(moves.len())]);
    }
    (!position.is_over()).then_some(position)
}

/// `TESUJI_TWIN_FACTOR`, which `cargo xtask test --long` sets to 20, makes it a million positions.
#[test]
fn ladders_are_read_like_order_one_lambda_search() {
    let factor: usize = std::env::var("TESUJI_TWIN_FACTOR").map_or(1, |text| text.parse().unwrap());
    let mut rng = Rng::new(11);
    let (mut compared, mut unread, mut taken, mut long) = (0, 0, 0, 0);
    while compared < 50_000 * factor {
        let Some(position) = random_target(&mut rng) else { continue };
        let attacker = Player(1 - position.owner);
        let mut nodes = 0;
        let Some(found) = position.order_one(attacker, &mut nodes) else {
            unread += 1;
            continue;
        };
        let mut reference = OrderOne { attacker, line: Vec::new() };
        let expected =
            if position.to_move() == attacker { reference.attack(&position) } else { reference.defend(&position) };
        assert_eq!(found, expected, "{:?} {}", position.rules(), position.text());
        compared += 1;
        taken += usize::from(found);
        long += usize::from(nodes > 8);
    }
    assert!(taken > compared / 10 && taken < compared * 9 / 10, "{taken} of {compared} are taken");
    assert!(long > compared / 200 && unread < compared / 10, "{long} long ladders, {unread} not read");
}

/// What is known without search about the first player: 1 wins, -1 loses, 0 unknown.
fn known(spec: &str, text: &str) -> i32 {
    let position = position(spec, text);
    assert!(!position.is_over(), "{text}");
    position.static_bounds(Player::FIRST).map_or(0, |bounds| if bounds.at_least > 0 { 1 } else { -1 })
}

#[test]
fn a_block_with_room_for_one_eye_is_dead_for_either_player_to_move() {
    for side in ["X - 0 0,0", "X - 1 0,inf", "O - 0 0,inf"] {
        assert_eq!(known("life:5", &format!(",,,,,/,,,,,/XXX,,/wwwX,/..wX, {side}")), 1, "{side}");
    }
    // Another pass would end the game.
    assert_eq!(known("life:5", ",,,,,/,,,,,/XXX,,/wwwX,/..wX, O - 1 0,0"), 0);
    // The stones on row 3 have no liberty outside: they can be taken.
    assert_eq!(known("life:5", ",,,,,/OOOO,/XXX.,/wwwX,/..wX, X - 0 0,0"), 0);
}

#[test]
fn three_points_in_a_row_belong_to_the_player_to_move() {
    let text = ",,,,,,/,,,,,,/,,,,,,/XXXX,,/wwwwX,/...wX,";
    assert_eq!(known("life:6", &format!("{text} X - 0 0,0")), 1);
    assert_eq!(known("life:6", &format!("{text} O - 0 0,0")), -1);
    // A stone in the middle kills, whichever player is to move.
    assert_eq!(known("life:6", ",,,,,,/,,,,,,/,,,,,,/XXXX,,/wwwwX,/.x.wX, O - 0 0,0"), 1);
}

#[test]
fn an_exit_saves_a_block_and_two_exits_save_it_from_the_attacker() {
    let one = ",,,,,/,,,,,/XXX,,/wwwX,/..w.,";
    assert_eq!(known("life:5", &format!("{one} O - 0 0,0")), -1);
    assert_eq!(known("life:5", &format!("{one} X - 0 0,0")), 0);
    assert_eq!(known("life:5", ",,,,,/,,,,,/XXX,,/www.,/..w., X - 0 0,0"), -1);
    // Where seki is dead a block must have two eyes.
    assert_eq!(known("life:5,seki=dead", &format!("{one} O - 0 0,0")), 0);
}

#[test]
fn two_common_liberties_connect() {
    assert_eq!(known("connect:4", ",,,,/,,,,/b.b,/b.b, O - 0 0,0"), 1);
    assert_eq!(known("connect:4", ",,,,/,,,,/b.b,/bOb, O - 0 0,0"), 0);
    assert_eq!(known("connect:4", ",,,,/,,,,/b.b,/bOb, X - 0 0,0"), 1);
}
