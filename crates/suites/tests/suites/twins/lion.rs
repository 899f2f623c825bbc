//! The naive twin of Catch the Lion.

use super::*;

pub struct Lion {
    board: Board,
    /// Upper case for Sente, lower case for Gote.
    hands: Vec<char>,
    sente: bool,
    any_try: bool,
    history: Vec<String>,
    result: Option<Vec<i32>>,
}

/// The piece letter in the case of its owner.
fn of_side(letter: char, sente: bool) -> char {
    if sente { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() }
}

fn belongs_to(piece: char, sente: bool) -> bool {
    piece.is_ascii_alphabetic() && piece.is_ascii_uppercase() == sente
}

fn far_rank(sente: bool) -> i32 {
    if sente { 0 } else { 3 }
}

/// The cells to which a piece can step from a cell on an empty board.
fn steps(piece: char, cell: Cell) -> Vec<Cell> {
    let directions: Vec<Cell> = match piece.to_ascii_uppercase() {
        'L' => AROUND.to_vec(),
        'G' => STRAIGHT.to_vec(),
        'E' => DIAGONAL.to_vec(),
        'C' => vec![(-1, 0)],
        'R' => vec![(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, 0)],
        _ => panic!("no piece {piece}"),
    };
    let forward = if piece.is_ascii_uppercase() { 1 } else { -1 };
    directions.iter().map(|&(down, right)| (cell.0 + down * forward, cell.1 + right)).collect()
}

impl Lion {
    pub fn new(options: &[(&str, &str)], start: Option<&str>) -> Self {
        let text = start.unwrap_or("S/gle/-c-/-C-/ELG/-");
        let (side, rest) = text.split_once('/').unwrap();
        let (rows, hands) = rest.rsplit_once('/').unwrap();
        let mut game = Self {
            board: read_board(rows),
            hands: hands.chars().filter(|&piece| piece != '-').collect(),
            sente: side == "S",
            any_try: option(options, "try") == Some("any"),
            history: Vec::new(),
            result: None,
        };
        game.history.push(game.text());
        let waiting = !game.sente;
        let at_far_rank = game.lion_of(waiting).is_some_and(|cell| cell.0 == far_rank(waiting));
        game.result = game.judge(at_far_rank);
        game
    }

    fn lion_of(&self, sente: bool) -> Option<Cell> {
        cells(&self.board).into_iter().find(|&cell| at(&self.board, cell) == of_side('L', sente))
    }

    fn attacked(&self, target: Cell, by_sente: bool) -> bool {
        cells(&self.board).into_iter().any(|cell| {
            let piece = at(&self.board, cell);
            belongs_to(piece, by_sente) && steps(piece, cell).contains(&target)
        })
    }

    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for from in cells(&self.board) {
            let piece = at(&self.board, from);
            if !belongs_to(piece, self.sente) {
                continue;
            }
            for to in steps(piece, from) {
                let target = at(&self.board, to);
                if target == '-' || belongs_to(target, !self.sente) {
                    let promotes = piece == of_side('C', self.sente) && to.0 == far_rank(self.sente);
                    let mark = if promotes { "+" } else { "" };
                    moves.push(format!("{}-{}{}", name_from_top(from), name_from_top(to), mark));
                }
            }
        }
        for letter in ['C', 'G', 'E'] {
            if self.hands.contains(&of_side(letter, self.sente)) {
                for cell in cells(&self.board) {
                    if at(&self.board, cell) == '-' {
                        moves.push(format!("{}*{}", letter, name_from_top(cell)));
                    }
                }
            }
        }
        moves
    }

    /// The result after a move of the side that is not to move. `tried`: the move brought its Lion
    /// to the far rank.
    fn judge(&self, tried: bool) -> Option<Vec<i32>> {
        let mover = !self.sente;
        let mover_wins = won_by(if mover { 0 } else { 1 });
        let mover_loses = won_by(if mover { 1 } else { 0 });
        let Some(lion) = self.lion_of(mover) else {
            return Some(mover_loses);
        };
        if self.lion_of(self.sente).is_none() {
            return Some(mover_wins);
        }
        let safe_try = lion.0 == far_rank(mover) && !self.attacked(lion, self.sente);
        let try_wins = if self.any_try { tried } else { safe_try };
        if try_wins || self.moves().is_empty() {
            return Some(mover_wins);
        }
        let occurrences = self.history.iter().filter(|&text| *text == self.text()).count();
        if occurrences >= 3 || self.history.len() > 1000 {
            return Some(vec![0, 0]);
        }
        None
    }
}

impl Twin for Lion {
    fn to_move(&self) -> usize {
        if self.sente { 0 } else { 1 }
    }

    fn legal(&self) -> Vec<String> {
        if self.result.is_some() { Vec::new() } else { self.moves() }
    }

    fn play(&mut self, mv: &str) {
        assert!(self.legal().iter().any(|m| m == mv), "illegal move {mv}");
        let mut tried = false;
        if let Some((letter, cell)) = mv.split_once('*') {
            let piece = of_side(letter.parse().unwrap(), self.sente);
            let place = self.hands.iter().position(|&held| held == piece).unwrap();
            self.hands.remove(place);
            put(&mut self.board, cell_from_top(cell), piece);
        } else {
            let (from, to) = mv.trim_end_matches('+').split_once('-').unwrap();
            let (from, to) = (cell_from_top(from), cell_from_top(to));
            let mut piece = at(&self.board, from);
            match at(&self.board, to).to_ascii_uppercase() {
                '-' | 'L' => {}
                'R' => self.hands.push(of_side('C', self.sente)),
                letter => self.hands.push(of_side(letter, self.sente)),
            }
            if mv.ends_with('+') {
                piece = of_side('R', self.sente);
            }
            put(&mut self.board, from, '-');
            put(&mut self.board, to, piece);
            tried = piece == of_side('L', self.sente) && to.0 == far_rank(self.sente);
        }
        self.sente = !self.sente;
        self.history.push(self.text());
        self.result = self.judge(tried);
    }

    fn scores(&self) -> Option<Vec<i32>> {
        self.result.clone()
    }

    fn text(&self) -> String {
        let mut hands = String::new();
        for piece in ['C', 'G', 'E', 'c', 'g', 'e'] {
            for _ in self.hands.iter().filter(|&&held| held == piece) {
                hands.push(piece);
            }
        }
        if hands.is_empty() {
            hands.push('-');
        }
        let side = if self.sente { 'S' } else { 'G' };
        format!("{}/{}/{}", side, draw_board(&self.board), hands)
    }
}
