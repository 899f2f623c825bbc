//! The naive twin of Minishogi.

use super::*;

/// Pieces as in the text ("P", "+p"), an empty string for an empty cell.
#[derive(Clone)]
struct Position {
    board: Vec<Vec<String>>,
    /// Upper case for Sente, lower case for Gote.
    hands: Vec<char>,
    sente: bool,
    /// The cell of a piece that may promote, under the rules of Ludii.
    choice: Option<Cell>,
    ludii: bool,
}

pub struct MiniShogi {
    position: Position,
    repetition_draws: bool,
    history: Vec<String>,
    /// Whether the move to the position of the same number in the history gave check.
    checks: Vec<bool>,
    result: Option<Vec<i32>>,
}

const GOLD: [Cell; 6] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0)];
const SILVER: [Cell; 5] = [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 1)];

fn all_cells() -> Vec<Cell> {
    let mut list = Vec::new();
    for row in 0..5 {
        for column in 0..5 {
            list.push((row, column));
        }
    }
    list
}

fn of_side(letter: char, sente: bool) -> char {
    if sente { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
}

fn belongs_to(piece: &str, sente: bool) -> bool {
    piece.chars().any(|c| c.is_ascii_alphabetic() && c.is_ascii_uppercase() == sente)
}

fn far_rank(sente: bool) -> i32 {
    if sente { 0 } else { 4 }
}

/// Single steps and slides of a piece, for Sente.
fn directions(piece: &str) -> (Vec<Cell>, Vec<Cell>) {
    match piece.to_ascii_uppercase().as_str() {
        "K" => (AROUND.to_vec(), vec![]),
        "G" | "+S" | "+P" => (GOLD.to_vec(), vec![]),
        "S" => (SILVER.to_vec(), vec![]),
        "P" => (vec![(-1, 0)], vec![]),
        "B" => (vec![], DIAGONAL.to_vec()),
        "R" => (vec![], STRAIGHT.to_vec()),
        "+B" => (STRAIGHT.to_vec(), DIAGONAL.to_vec()),
        "+R" => (DIAGONAL.to_vec(), STRAIGHT.to_vec()),
        _ => panic!("no piece {piece}"),
    }
}

impl Position {
    fn read(text: &str, ludii: bool) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut board = Vec::new();
        for row_text in fields[0].split('/') {
            let mut row = Vec::new();
            let mut promoted = false;
            for c in row_text.chars() {
                if let Some(number) = c.to_digit(10) {
                    for _ in 0..number {
                        row.push(String::new());
                    }
                } else if c == '+' {
                    promoted = true;
                } else {
                    row.push(if promoted { format!("+{c}") } else { c.to_string() });
                    promoted = false;
                }
            }
            board.push(row);
        }
        let mut hands = Vec::new();
        let mut number = 1;
        for c in fields[2].chars().filter(|&c| c != '-') {
            if let Some(digit) = c.to_digit(10) {
                number = digit;
            } else {
                for _ in 0..number {
                    hands.push(c);
                }
                number = 1;
            }
        }
        let choice = fields.get(3).map(|cell| cell_from_bottom(5, cell));
        Self { board, hands, sente: fields[1] == "b", choice, ludii }
    }

    fn text(&self) -> String {
        let mut rows = Vec::new();
        for row in &self.board {
            let mut text = String::new();
            let mut empty = 0;
            for piece in row {
                if piece.is_empty() {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                text += piece;
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            rows.push(text);
        }
        let mut hands = String::new();
        for letter in "RBGSPrbgsp".chars() {
            let number = self.hands.iter().filter(|&&held| held == letter).count();
            if number > 1 {
                hands += &number.to_string();
            }
            if number > 0 {
                hands.push(letter);
            }
        }
        if hands.is_empty() {
            hands.push('-');
        }
        let side = if self.sente { "b" } else { "w" };
        let mut text = format!("{} {} {}", rows.join("/"), side, hands);
        if let Some(cell) = self.choice {
            text += " ";
            text += &name_from_bottom(5, cell);
        }
        text
    }

    /// The piece on a cell; `None` off the board.
    fn piece(&self, cell: Cell) -> Option<&str> {
        if (0..5).contains(&cell.0) && (0..5).contains(&cell.1) {
            Some(self.board[cell.0 as usize][cell.1 as usize].as_str())
        } else {
            None
        }
    }

    fn set(&mut self, cell: Cell, piece: &str) {
        self.board[cell.0 as usize][cell.1 as usize] = piece.to_string();
    }

    /// The cells that the piece of `sente` on `from` can go to.
    fn targets(&self, from: Cell, sente: bool) -> Vec<Cell> {
        let (steps, slides) = directions(self.piece(from).unwrap());
        let forward = if sente { 1 } else { -1 };
        let mut targets = Vec::new();
        for (down, right) in steps {
            targets.push((from.0 + down * forward, from.1 + right));
        }
        for direction in slides {
            let mut next = step(from, direction, 1);
            while self.piece(next) == Some("") {
                targets.push(next);
                next = step(next, direction, 1);
            }
            targets.push(next);
        }
        targets.retain(|&to| self.piece(to).is_some_and(|target| !belongs_to(target, sente)));
        targets
    }

    fn in_check(&self, sente: bool) -> bool {
        let king = of_side('K', sente).to_string();
        all_cells().into_iter().any(|from| {
            let attacker = self.piece(from).unwrap();
            belongs_to(attacker, !sente)
                && self.targets(from, !sente).into_iter().any(|to| self.piece(to) == Some(king.as_str()))
        })
    }

    /// Whether a piece may promote with this move.
    fn may_promote(&self, piece: &str, from: Cell, to: Cell) -> bool {
        let far = far_rank(self.sente);
        ["S", "B", "R", "P"].contains(&piece.to_ascii_uppercase().as_str()) && (from.0 == far || to.0 == far)
    }

    /// The pseudo-legal moves: they may leave the own king in check or mate by a pawn drop.
    fn candidates(&self) -> Vec<String> {
        if self.choice.is_some() {
            return vec!["+".to_string(), "=".to_string()];
        }
        let mut moves = Vec::new();
        for from in all_cells() {
            let piece = self.piece(from).unwrap();
            if !belongs_to(piece, self.sente) {
                continue;
            }
            for to in self.targets(from, self.sente) {
                let plain = format!("{}-{}", name_from_bottom(5, from), name_from_bottom(5, to));
                let is_pawn = piece.eq_ignore_ascii_case("p");
                let may_promote = self.may_promote(piece, from, to);
                if may_promote && (is_pawn || !self.ludii) {
                    moves.push(format!("{plain}+"));
                }
                if !may_promote || !is_pawn {
                    moves.push(plain);
                }
            }
        }
        for letter in ['R', 'B', 'G', 'S', 'P'] {
            if !self.hands.contains(&of_side(letter, self.sente)) {
                continue;
            }
            for cell in all_cells() {
                if self.piece(cell) == Some("") && (letter != 'P' || self.pawn_fits(cell)) {
                    moves.push(format!("{}*{}", letter, name_from_bottom(5, cell)));
                }
            }
        }
        moves
    }

    /// Not on the last rank and no other own pawn on the file.
    fn pawn_fits(&self, cell: Cell) -> bool {
        let pawn = of_side('P', self.sente).to_string();
        cell.0 != far_rank(self.sente) && (0..5).all(|row| self.piece((row, cell.1)) != Some(pawn.as_str()))
    }

    fn after(&self, mv: &str) -> Self {
        let mut next = self.clone();
        if let Some(cell) = self.choice {
            if mv == "+" {
                next.set(cell, &format!("+{}", self.piece(cell).unwrap()));
            }
            next.choice = None;
        } else if let Some((letter, cell)) = mv.split_once('*') {
            let piece = of_side(letter.parse().unwrap(), self.sente);
            let place = next.hands.iter().position(|&held| held == piece).unwrap();
            next.hands.remove(place);
            next.set(cell_from_bottom(5, cell), &piece.to_string());
        } else {
            let (from, to) = mv.trim_end_matches('+').split_once('-').unwrap();
            let (from, to) = (cell_from_bottom(5, from), cell_from_bottom(5, to));
            let piece = self.piece(from).unwrap();
            if let Some(letter) = self.piece(to).unwrap().chars().last() {
                next.hands.push(of_side(letter, self.sente));
            }
            next.set(from, "");
            if mv.ends_with('+') {
                next.set(to, &format!("+{piece}"));
            } else {
                next.set(to, piece);
                if self.ludii && self.may_promote(piece, from, to) {
                    next.choice = Some(to);
                    return next;
                }
            }
        }
        next.sente = !self.sente;
        next
    }

    fn escapes(&self) -> Vec<String> {
        let mut moves = self.candidates();
        moves.retain(|mv| !self.after(mv).in_check(self.sente));
        moves
    }

    fn legal(&self) -> Vec<String> {
        let mut moves = self.escapes();
        moves.retain(|mv| {
            let next = self.after(mv);
            !(mv.starts_with("P*") && next.in_check(next.sente) && next.escapes().is_empty())
        });
        moves
    }
}

impl MiniShogi {
    pub fn new(options: &[(&str, &str)], start: Option<&str>) -> Self {
        let ludii = option(options, "rules") == Some("ludii");
        let position = Position::read(start.unwrap_or("rbsgk/4p/5/P4/KGSBR b -"), ludii);
        let mut game = Self {
            repetition_draws: option(options, "repetition") == Some("draw"),
            history: vec![position.text()],
            checks: vec![false],
            result: None,
            position,
        };
        game.result = game.judge();
        game
    }

    /// Whether each move of this side after position number `first` gave check.
    fn only_checks(&self, sente: bool, first: usize) -> bool {
        let then_to_move = if sente { " w " } else { " b " };
        let after_first = first + 1..self.history.len();
        let mut made = after_first.filter(|&number| self.history[number].contains(then_to_move));
        made.all(|number| self.checks[number])
    }

    fn judge(&self) -> Option<Vec<i32>> {
        let plies = self.history.len() - 1;
        let to_move = if self.position.sente { 0 } else { 1 };
        if self.position.legal().is_empty() {
            return Some(won_by(1 - to_move));
        }
        if self.position.ludii {
            return if plies >= 1250 { Some(vec![0, 0]) } else { None };
        }
        let now = &self.history[plies];
        if self.history.iter().filter(|&text| text == now).count() >= 4 {
            let first = self.history.iter().position(|text| text == now).unwrap();
            let sente_checks = self.only_checks(true, first);
            let gote_checks = self.only_checks(false, first);
            return if sente_checks && !gote_checks {
                Some(won_by(1))
            } else if gote_checks && !sente_checks {
                Some(won_by(0))
            } else if self.repetition_draws {
                Some(vec![0, 0])
            } else {
                Some(won_by(1))
            };
        }
        if plies >= 1000 { Some(vec![0, 0]) } else { None }
    }
}

impl Twin for MiniShogi {
    fn to_move(&self) -> usize {
        if self.position.sente { 0 } else { 1 }
    }

    fn legal(&self) -> Vec<String> {
        if self.result.is_some() { Vec::new() } else { self.position.legal() }
    }

    fn play(&mut self, mv: &str) {
        assert!(self.legal().iter().any(|m| m == mv), "illegal move {mv}");
        self.position = self.position.after(mv);
        self.history.push(self.position.text());
        self.checks.push(self.position.in_check(self.position.sente));
        self.result = self.judge();
    }

    fn scores(&self) -> Option<Vec<i32>> {
        self.result.clone()
    }

    fn text(&self) -> String {
        self.position.text()
    }
}
