//! The naive twin of the problems inside Go. The board keeps the characters of the position text:
//! lower case and `.` are the region, `b` and `w` are marked.

use super::go::{cell_of, name, other};
use super::*;

pub struct GoProblem {
    goal: String,
    board: Board,
    side: char,
    ban: Option<Cell>,
    passes: i32,
    /// The threats of Black and White, as written.
    threats: [String; 2],
    any: bool,
    seki_dead: bool,
    cycle: String,
    escape: usize,
    /// The owner of the marked stones at the start.
    owner: char,
    /// The text of every position since the start, and who retook with unlimited threats next.
    history: Vec<(String, char)>,
    result: Option<i32>,
}

fn colour(cell: char) -> char {
    match cell {
        'X' | 'x' | 'B' | 'b' => 'X',
        'O' | 'o' | 'W' | 'w' => 'O',
        other => other,
    }
}

fn is_marked(cell: char) -> bool {
    "BbWw".contains(cell)
}

/// All cells of one kind that are connected with the first one.
fn flood(board: &[Vec<char>], cell: Cell, belongs: &dyn Fn(char) -> bool, found: &mut Vec<Cell>) {
    if !found.contains(&cell) && at(board, cell) != ' ' && belongs(at(board, cell)) {
        found.push(cell);
        for direction in STRAIGHT {
            flood(board, step(cell, direction, 1), belongs, found);
        }
    }
}

fn block(board: &[Vec<char>], cell: Cell) -> Vec<Cell> {
    let mut found = Vec::new();
    let own = colour(at(board, cell));
    flood(board, cell, &|other| colour(other) == own, &mut found);
    found
}

fn liberties(board: &[Vec<char>], block: &[Cell]) -> Vec<Cell> {
    let mut found = Vec::new();
    for &stone in block {
        for direction in STRAIGHT {
            let next = step(stone, direction, 1);
            if ".,".contains(at(board, next)) && !found.contains(&next) {
                found.push(next);
            }
        }
    }
    found
}

fn are_adjacent(one: &[Cell], other: &[Cell]) -> bool {
    one.iter().any(|&cell| STRAIGHT.iter().any(|&direction| other.contains(&step(cell, direction, 1))))
}

/// The blocks of a side that live even if it always passes.
fn alive(board: &[Vec<char>], side: char) -> Vec<Vec<Cell>> {
    let mut blocks: Vec<Vec<Cell>> = Vec::new();
    let mut regions: Vec<Vec<Cell>> = Vec::new();
    for cell in cells(board) {
        if blocks.iter().chain(&regions).any(|list| list.contains(&cell)) {
            continue;
        }
        if colour(at(board, cell)) == side {
            blocks.push(block(board, cell));
        } else {
            let mut region = Vec::new();
            flood(board, cell, &|other| colour(other) != side, &mut region);
            regions.push(region);
        }
    }
    loop {
        let mut weak = None;
        for (number, block) in blocks.iter().enumerate() {
            let own = liberties(board, block);
            let is_vital =
                |region: &&Vec<Cell>| region.iter().all(|&cell| !".,".contains(at(board, cell)) || own.contains(&cell));
            if regions.iter().filter(is_vital).count() < 2 {
                weak = Some(number);
            }
        }
        let Some(number) = weak else { return blocks };
        let dead = blocks.remove(number);
        regions.retain(|region| !are_adjacent(region, &dead));
    }
}

impl GoProblem {
    pub fn new(goal: &str, options: &[(&str, &str)], text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let board = read_board(fields[0]);
        let white = cells(&board).into_iter().any(|cell| "wW".contains(at(&board, cell)));
        let (black, whites) = fields[4].split_once(',').unwrap();
        let mut game = Self {
            goal: goal.to_string(),
            side: fields[1].parse().unwrap(),
            ban: (fields[2] != "-").then(|| cell_of(board.len(), fields[2])),
            passes: fields[3].parse().unwrap(),
            threats: [black.to_string(), whites.to_string()],
            any: option(options, "need") == Some("any"),
            seki_dead: option(options, "seki") == Some("dead"),
            cycle: option(options, "cycle").unwrap_or("").to_string(),
            escape: option(options, "escape").map_or(0, |text| text.parse().unwrap()),
            owner: if white && goal != "semeai" { 'O' } else { 'X' },
            history: Vec::new(),
            result: None,
            board,
        };
        game.result = game.find_result();
        game.history.push((game.text(), ' '));
        game
    }

    /// The score of Black if this side wins.
    fn won_by(side: char) -> i32 {
        if side == 'X' { 1 } else { -1 }
    }

    fn seat(&self) -> usize {
        usize::from(self.side == 'O')
    }

    fn marked(&self, side: char) -> Vec<Cell> {
        let is_own = |cell: &Cell| is_marked(at(&self.board, *cell)) && colour(at(&self.board, *cell)) == side;
        cells(&self.board).into_iter().filter(is_own).collect()
    }

    /// The board and the captured cells after a stone.
    fn with_stone(&self, cell: Cell) -> Option<(Board, Vec<Cell>)> {
        if at(&self.board, cell) != '.' || (self.ban == Some(cell) && self.threats[self.seat()] == "0") {
            return None;
        }
        let mut board = self.board.clone();
        put(&mut board, cell, if self.side == 'X' { 'x' } else { 'o' });
        let mut captured = Vec::new();
        for direction in STRAIGHT {
            let next = step(cell, direction, 1);
            if colour(at(&board, next)) == other(self.side) {
                let stones = block(&board, next);
                if liberties(&board, &stones).is_empty() {
                    captured
                        .extend(stones.iter().filter(|stone| !captured.contains(*stone)).copied().collect::<Vec<_>>());
                }
            }
        }
        for &stone in &captured {
            let empty = if at(&board, stone).is_ascii_lowercase() { '.' } else { ',' };
            put(&mut board, stone, empty);
        }
        let own = block(&board, cell);
        (!liberties(&board, &own).is_empty()).then_some((board, captured))
    }

    /// Whether a marked block can no longer be taken.
    fn is_safe(&self, stone: Cell) -> bool {
        let stones = block(&self.board, stone);
        let free = liberties(&self.board, &stones);
        let outside = free.iter().filter(|&&cell| at(&self.board, cell) == ',').count();
        let escaped = self.escape > 0 && self.side != self.owner && free.len() >= self.escape;
        outside >= 2 || escaped || alive(&self.board, self.owner).iter().any(|block| block.contains(&stone))
    }

    /// The score of Black, if the position is the end.
    fn find_result(&self) -> Option<i32> {
        let owner_wins = Self::won_by(self.owner);
        if self.goal == "semeai" {
            let lost: Vec<char> = ['X', 'O'].into_iter().filter(|&side| self.marked(side).is_empty()).collect();
            if let [loser] = lost[..] {
                return Some(Self::won_by(other(loser)));
            }
            let lives = |side: char| {
                let alive = alive(&self.board, side);
                self.marked(side).iter().any(|stone| alive.iter().any(|block| block.contains(stone)))
            };
            return (self.passes == 2 || (lives('X') && lives('O'))).then_some(0);
        }
        let marked = self.marked(self.owner);
        if marked.is_empty() {
            return Some(-owner_wins);
        }
        if self.goal == "connect" {
            let first = block(&self.board, marked[0]);
            if marked.iter().all(|stone| first.contains(stone)) {
                return Some(owner_wins);
            }
            let walls = alive(&self.board, other(self.owner)).concat();
            let mut open = self.board.clone();
            for wall in walls {
                put(&mut open, wall, '#');
            }
            let mut reached = Vec::new();
            flood(&open, marked[0], &|cell| cell != '#', &mut reached);
            let is_cut = marked.iter().any(|stone| !reached.contains(stone));
            return (is_cut || self.passes == 2).then_some(-owner_wins);
        }
        if self.passes == 2 {
            return Some(if self.seki_dead { -owner_wins } else { owner_wins });
        }
        let safe = marked.iter().filter(|&&stone| self.is_safe(stone)).count();
        let lives = if self.any { safe == marked.len() } else { safe > 0 };
        lives.then_some(owner_wins)
    }

    /// The score of Black after a cycle that begins with this entry of the history.
    fn cycle_result(&self, first: usize) -> i32 {
        let retook = |side: char| self.history[first..].iter().any(|entry| entry.1 == side);
        match (retook('X'), retook('O')) {
            (true, false) => -1,
            (false, true) => 1,
            _ => match self.cycle.as_str() {
                "black" => 1,
                "white" => -1,
                "attacker" => -Self::won_by(self.owner),
                "connector" => Self::won_by(self.owner),
                _ if self.goal == "semeai" => 0,
                _ if self.goal == "connect" => -Self::won_by(self.owner),
                _ => Self::won_by(self.owner),
            },
        }
    }

    fn play_stone(&mut self, cell: Cell) {
        let (board, captured) = self.with_stone(cell).expect("a legal move");
        let marked = captured.iter().any(|&stone| is_marked(at(&self.board, stone)));
        self.board = board;
        if marked && (self.any || self.goal == "connect") {
            for cell in cells(&self.board) {
                let plain = match at(&self.board, cell) {
                    'b' => 'x',
                    'B' => 'X',
                    'w' => 'o',
                    'W' => 'O',
                    same => same,
                };
                put(&mut self.board, cell, plain);
            }
        }
        let own = block(&self.board, cell);
        let is_ko = captured.len() == 1 && own.len() == 1 && liberties(&self.board, &own).len() == 1;
        self.ban = is_ko.then(|| captured[0]);
    }
}

impl Twin for GoProblem {
    fn to_move(&self) -> usize {
        self.seat()
    }

    fn legal(&self) -> Vec<String> {
        if self.result.is_some() {
            return Vec::new();
        }
        let legal = cells(&self.board).into_iter().filter(|&cell| self.with_stone(cell).is_some());
        legal.map(|cell| name(self.board.len(), cell)).chain(["pass".to_string()]).collect()
    }

    fn play(&mut self, mv: &str) {
        let seat = self.seat();
        let mut retook = ' ';
        if mv == "pass" {
            if self.ban.is_none() {
                self.passes += 1;
            }
            self.ban = None;
        } else {
            let cell = cell_of(self.board.len(), mv);
            let is_retake = self.ban == Some(cell);
            self.passes = 0;
            self.play_stone(cell);
            if is_retake {
                match self.threats[seat].as_str() {
                    "inf" => retook = self.side,
                    "2" => self.threats[seat] = "1".to_string(),
                    _ => self.threats[seat] = "0".to_string(),
                }
            }
        }
        self.side = other(self.side);
        self.history.last_mut().unwrap().1 = retook;
        self.result = self.find_result();
        let text = self.text();
        let first = self.history.iter().position(|entry| entry.0 == text);
        if let (None, Some(first)) = (self.result, first) {
            self.result = Some(self.cycle_result(first));
        }
        self.history.push((text, ' '));
    }

    fn scores(&self) -> Option<Vec<i32>> {
        self.result.map(|black| vec![black, -black])
    }

    fn text(&self) -> String {
        let ban = self.ban.map_or("-".to_string(), |cell| name(self.board.len(), cell));
        let sides = if self.goal == "semeai" { vec!['X', 'O'] } else { vec![self.owner] };
        let is_taken = sides.into_iter().any(|side| self.marked(side).is_empty());
        let passes = if is_taken { "taken".to_string() } else { self.passes.to_string() };
        format!("{} {} {ban} {passes} {},{}", draw_board(&self.board), self.side, self.threats[0], self.threats[1])
    }
}
