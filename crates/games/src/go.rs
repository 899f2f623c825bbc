//! Go.
//!
//! Players place stones in turn on the points of a grid, Black (X) first, or pass. Stones of one
//! colour connected along the lines form a block. A block without an adjacent empty point (liberty)
//! is captured, the opponent's first; a move that leaves an own block without liberties (suicide)
//! is illegal. Two consecutive passes end the game. Area scoring: a player scores its stones and
//! the empty regions that only its stones border; White also gets komi.
//!
//! Repetition: positional superko, a move may not repeat an earlier arrangement of stones
//! (`ko=situational`: with the same player to move; `ko=simple`: only a stone that just captured a
//! single stone may not be recaptured at once). Passing is always legal. Some sources do not define
//! suicide; here it is illegal under all rules.
//!
//! Moves are written as in GTP: a letter for the column, skipping I, and a number for the row from
//! the bottom: `D4`; `pass`. A position is written as rows, side to move, the point that simple ko
//! forbids or `-`, and the number of consecutive passes.
//!
//! Variants: sizes 2 to 19; komi in multiples of 0.5 (default 7.5); `handicap=2` to `9` on the
//! fixed points of GTP, White to move. Scores are in half points, so that every komi is a whole
//! number. A game of 1000 plies is scored as it is.
//!
//! Solved, with area scoring and no komi: Black wins 3x3 by 9, 4x4 by 2, 5x5 by 25 (van der Werf
//! 2003) and 6x6 by 4.
//!
//! The board is a bit set per colour with an unused column and unused rows around it, so that
//! neighbours are shifts: `u128` up to 9x9, four words up to 13x13, seven up to 19x19.

mod benson;
pub(crate) mod patterns;
pub(crate) mod stones;

use crate::board::bits::{Bits, Words};
use crate::board::diagram::{Diagram, stones_text, stones_view};
use patterns::Values;
use stones::{BOARDS, STRIDES, Stones};
use tesuji_core::look::{BoardStyle, PieceStyle, Tone};
use tesuji_core::time::TimeFacts;
use tesuji_core::view::{RowOne, Shape};
use tesuji_core::{
    Dialects, Facts, Game, GtpDialect, Info, Knowledge, Length, Look, Options, Outcome, Player, PlayoutContext,
    PositionError, Repetition, Rules, SgfDialect, SpecError, Symmetry, Trace, View, quoted, symmetry, zobrist,
};

/// The ko rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ko {
    Positional,
    Situational,
    Simple,
}

/// Size, komi, ko rule and handicap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GoRules {
    size: u8,
    ko: Ko,
    handicap: u8,
    /// In half points.
    komi: i16,
}

/// The number of plies after which a game is scored as it is. Games between humans end long before.
/// Raising it makes playouts with endless ko fights longer.
const CAP: u32 = 1000;

impl Rules for GoRules {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        let (columns, rows) = options.size((9, 9), 2..=19, 2..=19)?;
        if columns != rows {
            return Err(options.refuse("size", "a square board from 2 to 19"));
        }
        let komi = options.halves("komi", 15, -722..=722, "points for White")? as i16;
        let rules = [("positional", Ko::Positional), ("situational", Ko::Situational), ("simple", Ko::Simple)];
        let ko = options.choice("ko", &rules, "forbidden repetition")?;
        let handicap = options.integer("handicap", 0, 0..=9, "black stones at the start")? as u8;
        let most = match columns {
            0..=6 => 0,
            7 => 4,
            size if size % 2 == 0 => 4,
            _ => 9,
        };
        if handicap == 1 || handicap > most {
            return Err(options.refuse("handicap", format!("0 or 2 to {most} on this board")));
        }
        Ok(GoRules { size: columns, ko, handicap, komi })
    }

    fn facts(&self) -> Facts {
        let points = i32::from(self.size) * i32::from(self.size);
        let most = 2 * points + i32::from(self.komi).abs();
        Facts {
            players: 2,
            repetition: if self.ko == Ko::Simple { Repetition::Allowed } else { Repetition::Forbidden },
            length: Length::Capped(CAP),
            scores: (-most, most),
            draws: self.komi % 2 == 0,
            units_per_point: 2,
            move_indices: points as usize + 1,
        }
    }

    fn dialects(&self) -> Dialects {
        Dialects { gtp: GtpDialect::Go, sgf: Some(SgfDialect::Go), ..Dialects::default() }
    }

    /// The settings of Baier (2015) for 13x13 and for 19x19.
    fn time_facts(&self) -> TimeFacts {
        let table = match self.size {
            9 => include_str!("time_tables/go-9.txt"),
            13 => include_str!("time_tables/go-13.txt"),
            _ => "",
        };
        // Without a table, Erica's formula says how many moves to expect.
        let manager = match self.size {
            9 | 13 => "stop:f=2.5,p=0.4,base=exp-stones",
            ..16 => "stop:f=2.5,p=0.4,base=[erica:unst=0,behind=0]",
            _ => "stop:f=2.2,p=0.45,base=[erica:c=60,max-ply=110,unst=0,behind=0]",
        };
        TimeFacts { table, manager }
    }
}

/// A point of the padded board.
pub type Point = u16;

/// The pass.
pub const PASS: Point = u16::MAX;

/// A position of Go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Go {
    stones: [Words<7>; 2],
    /// The key of the stones.
    stones_key: u64,
    rules: GoRules,
    /// The point where simple ko forbids a move, or `PASS`.
    ko: Point,
    to_move: Player,
    passes: u8,
}

const LETTERS: &str = "XO";
static KEYS: [[u64; 448]; 2] = [zobrist::keys(0x70), zobrist::keys(0x71)];
static KO_KEYS: [u64; 448] = zobrist::keys(0x72);
const WHITE_TO_MOVE: u64 = zobrist::key(0x73, 0);
const PASSES: [u64; 3] = [0, zobrist::key(0x73, 1), zobrist::key(0x73, 2)];

/// Calls a generic function on the narrowest board that holds the position.
macro_rules! on_stones {
    ($go:expr, $stones:ident => $body:expr) => {
        match $go.rules.size {
            0..=9 => {
                let $stones = $go.narrow::<u128, { STRIDES[0] }, 128>();
                $body
            }
            10..=13 => {
                let $stones = $go.narrow::<Words<4>, { STRIDES[1] }, 256>();
                $body
            }
            _ => {
                let $stones = $go.narrow::<Words<7>, { STRIDES[2] }, 448>();
                $body
            }
        }
    };
}

impl Go {
    #[inline]
    fn narrow<B: Bits, const STRIDE: usize, const CELLS: usize>(&self) -> Stones<B, STRIDE, CELLS> {
        let board = B::from_words(&BOARDS[usize::from(self.rules.size)].0);
        Stones::new(board, self.stones.map(|stones| B::from_words(&stones.0)))
    }

    fn size(&self) -> usize {
        usize::from(self.rules.size)
    }

    fn point(&self, column: usize, row_from_bottom: usize) -> Point {
        stones::point(self.size(), column, row_from_bottom) as Point
    }

    /// The column and the row from the bottom of a point.
    fn column_row(&self, point: Point) -> (usize, usize) {
        let stride = stones::stride(self.size());
        (usize::from(point) % stride - 1, usize::from(point) / stride - 1)
    }

    fn point_name(&self, point: Point) -> String {
        let (column, row) = self.column_row(point);
        point_name(column, row)
    }

    fn seat_at(&self, column: usize, row_from_top: usize) -> Option<usize> {
        let point = self.point(column, self.size() - 1 - row_from_top);
        self.stones.iter().position(|stones| stones.contains(usize::from(point)))
    }

    fn place(&mut self, seat: usize, point: Point) {
        self.stones[seat] |= Words::single(usize::from(point));
        self.stones_key ^= KEYS[seat][usize::from(point)];
    }

    /// The stones around a point.
    fn pattern(&self, point: Point) -> u16 {
        on_stones!(self, stones => patterns::pattern(&stones, usize::from(point)))
    }

    /// Black's lead in half points, including komi.
    fn margin(&self) -> i32 {
        on_stones!(self, stones => 2 * stones.area_lead()) - i32::from(self.rules.komi)
    }

    /// What playouts of the stones start with.
    #[inline]
    fn turn(&self) -> stones::Turn {
        stones::Turn { to_move: self.to_move.index(), ko: usize::from(self.ko), passes: self.passes }
    }

    /// Appends the owner of each point by the areas of Black and White, in the order of the view.
    fn list_owners<B: Bits>(&self, areas: [B; 2], owners: &mut Vec<Option<Player>>) {
        for row in (0..self.size()).rev() {
            for column in 0..self.size() {
                let point = usize::from(self.point(column, row));
                let seat = areas.iter().position(|area| area.contains(point));
                owners.push(seat.map(|seat| Player(seat as u8)));
            }
        }
    }

    /// The key of the stones after a stone of the mover at `point`.
    fn stones_key_after(&self, point: Point) -> u64 {
        let (mover, other) = (self.to_move.index(), self.to_move.opponent().index());
        let taken = on_stones!(self, stones => {
            stones.taken_by(mover, usize::from(point)).members().fold(0, |key, taken| key ^ KEYS[other][taken])
        });
        self.stones_key ^ KEYS[mover][usize::from(point)] ^ taken
    }

    fn repetition_key_of(&self, stones_key: u64, to_move: Player) -> u64 {
        let side = self.rules.ko == Ko::Situational && to_move == Player::SECOND;
        stones_key ^ if side { WHITE_TO_MOVE } else { 0 }
    }
}

pub(crate) fn point_name(column: usize, row_from_bottom: usize) -> String {
    let letter = b'A' + column as u8 + u8::from(column >= 8);
    format!("{}{}", char::from(letter), row_from_bottom + 1)
}

/// The fixed handicap points of GTP, as columns and rows.
fn handicap_points(size: usize, handicap: u8) -> Vec<(usize, usize)> {
    let low = if size < 13 { 2 } else { 3 };
    let (high, middle) = (size - 1 - low, size / 2);
    let corners = [(low, low), (high, high), (low, high), (high, low)];
    let sides = [(low, middle), (high, middle), (middle, low), (middle, high)];
    let mut points = corners[..usize::from(handicap.min(4))].to_vec();
    if handicap >= 6 {
        points.extend_from_slice(&sides[..if handicap >= 8 { 4 } else { 2 }]);
    }
    if handicap >= 5 && handicap % 2 == 1 {
        points.push((middle, middle));
    }
    points
}

/// The rules as people read them.
const RULES: &str = "\
    Black and White take turns; Black moves first, or White after handicap stones. A move places a stone on an \
    empty point of the grid, or passes. The board is 9x9 unless another size from 2 to 19 is chosen.\n\n\
    Stones of one colour that are connected along the lines form a block. A block without an adjacent empty point, \
    a liberty, is captured and removed, blocks of the opponent first. A move that leaves a block of the player \
    without liberties (suicide) is illegal.\n\n\
    A move may not repeat an earlier arrangement of the stones on the board (positional superko). With the option \
    ko=situational, this applies only with the same player to move; with ko=simple, only a stone that has just \
    captured a single stone may not be recaptured at once.\n\n\
    Two consecutive passes end the game, and so do 1000 plies. Each player scores one point for each of its stones \
    on the board and for each empty point in a region that only its stones border (area scoring). White also gets \
    komi, 7.5 points unless the option komi sets another value. The player with more points wins. All stones on \
    the board count as alive, so capture dead stones before you pass.\n\n\
    A move is written as its point, a letter for the column, without I, and a number for the row from the bottom, \
    for example D4, or as pass. In text, Black is X and White is O.";

impl Game for Go {
    type Move = Point;
    type Rules = GoRules;
    const INFO: Info = Info {
        goal: "Hold more of the board than your opponent, with stones and the points they surround. Choose a point to \
               place a stone, or pass.",
        rules: RULES,
        solved: "no komi: Black wins 3x3 by 9, 4x4 by 2, 5x5 by 25 (van der Werf 2003), 6x6 by 4",
        look: Look {
            board: BoardStyle::Points,
            piece: PieceStyle::Stone,
            tones: &[Tone::Black, Tone::White],
            ..Look::DEFAULT
        },
        ..Info::new("go", "Go", &["Black", "White"])
    };

    fn start(rules: &GoRules) -> Go {
        let mut go =
            Go { stones: [Words::EMPTY; 2], stones_key: 0, rules: *rules, ko: PASS, to_move: Player::FIRST, passes: 0 };
        if rules.handicap > 0 {
            for (column, row) in handicap_points(go.size(), rules.handicap) {
                go.place(0, go.point(column, row));
            }
            go.to_move = Player::SECOND;
        }
        go
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.passes >= 2
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| Outcome::zero_sum(self.margin()))
    }

    fn ending_reason(&self) -> Option<&'static str> {
        self.is_over().then_some("two passes")
    }

    fn legal_moves(&self, moves: &mut Vec<Point>) {
        if self.is_over() {
            return;
        }
        on_stones!(self, stones => {
            let mover = self.to_move.index();
            let open = stones.open_points();
            moves.extend(stones.empty().members().filter(|&point| {
                point != usize::from(self.ko) && (open.contains(point) || stones.is_legal(mover, point))
            }).map(|point| point as Point));
        });
        moves.push(PASS);
    }

    #[inline]
    fn play(&mut self, point: Point) {
        let mover = self.to_move;
        self.to_move = mover.opponent();
        self.ko = PASS;
        if point == PASS {
            self.passes += 1;
            return;
        }
        self.passes = 0;
        let (mover, other) = (mover.index(), mover.opponent().index());
        on_stones!(self, stones => {
            let taken = stones.taken_by(mover, usize::from(point));
            self.place(mover, point);
            if !taken.is_empty() {
                for stone in taken.members() {
                    self.stones[other] ^= Words::single(stone);
                    self.stones_key ^= KEYS[other][stone];
                }
                if taken.count() == 1 && stones.is_ko_shape(mover, usize::from(point)) {
                    self.ko = taken.lowest() as Point;
                }
            }
        });
    }

    #[inline]
    fn key(&self) -> u64 {
        let side = if self.to_move == Player::SECOND { WHITE_TO_MOVE } else { 0 };
        let ko = if self.ko == PASS { 0 } else { KO_KEYS[usize::from(self.ko)] };
        self.stones_key ^ side ^ ko ^ PASSES[usize::from(self.passes)]
    }

    fn text(&self) -> String {
        let size = (self.size(), self.size());
        let stones = stones_text(size, LETTERS, self.to_move, |column, row| self.seat_at(column, row));
        let ko = if self.ko == PASS { "-".to_string() } else { self.point_name(self.ko) };
        format!("{stones} {ko} {}", self.passes)
    }

    fn parse(rules: &GoRules, text: &str) -> Result<Go, PositionError> {
        let mut go = Go::start(&GoRules { handicap: 0, ..*rules });
        go.rules = *rules;
        let size = go.size();
        let diagram = Diagram::parse(text, (size, size), "XO.", 3)?;
        go.to_move = Player(diagram.side(0, LETTERS)?);
        for (column, row) in (0..size * size).map(|cell| (cell % size, cell / size)) {
            if let Some(seat) = LETTERS.find(diagram.at(column, row)) {
                go.place(seat, go.point(column, size - 1 - row));
            }
        }
        if !on_stones!(go, stones => stones.all_have_liberties()) {
            return Err(diagram.error("a block has no liberty"));
        }
        go.passes = match diagram.fields[2] {
            "0" => 0,
            "1" => 1,
            "2" => 2,
            other => {
                let given = quoted(other);
                return Err(diagram.error(format!("the number of consecutive passes is 0, 1 or 2, not {given}")));
            }
        };
        if diagram.fields[1] != "-" {
            let name = diagram.fields[1];
            let named = |&(column, row): &(usize, usize)| point_name(column, row).eq_ignore_ascii_case(name);
            let found = (0..size * size).map(|cell| (cell % size, cell / size)).find(named);
            let (column, row) = found.ok_or_else(|| {
                let given = quoted(name);
                diagram.error(format!("the ko point must be '-' or a point of the board, not {given}"))
            })?;
            go.ko = go.point(column, row);
            let mover = go.to_move.index();
            if go.passes > 0 || !on_stones!(go, stones => stones.is_ko_point(mover, usize::from(go.ko))) {
                return Err(diagram.error(format!("{name} is not a point where a single stone was just captured")));
            }
        }
        Ok(go)
    }

    fn move_text(&self, point: Point) -> String {
        if point == PASS { "pass".to_string() } else { self.point_name(point) }
    }

    #[inline]
    fn move_index(&self, point: Point) -> usize {
        if point == PASS {
            return self.size() * self.size();
        }
        let (column, row) = self.column_row(point);
        row * self.size() + column
    }

    fn view(&self) -> View {
        let size = self.size();
        let mut view =
            stones_view(Shape::Square, (size, size), RowOne::Bottom, LETTERS, |column, row| self.seat_at(column, row));
        for cell in &mut view.cells {
            cell.name = point_name(usize::from(cell.column), size - 1 - usize::from(cell.row));
        }
        view
    }

    #[inline]
    fn repetition_key(&self) -> u64 {
        self.repetition_key_of(self.stones_key, self.to_move)
    }

    #[inline]
    fn repetition_key_after(&self, point: Point) -> Option<u64> {
        (point != PASS).then(|| self.repetition_key_of(self.stones_key_after(point), self.to_move.opponent()))
    }

    fn outcome_at_cap(&self) -> Outcome {
        Outcome::zero_sum(self.margin())
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        symmetry::SQUARE
    }

    fn transformed(&self, symmetry: Symmetry) -> Go {
        let mut image = Go { stones: [Words::EMPTY; 2], stones_key: 0, ..*self };
        for seat in 0..2 {
            for stone in self.stones[seat].members() {
                image.place(seat, self.transformed_move(stone as Point, symmetry));
            }
        }
        image.ko = self.transformed_move(self.ko, symmetry);
        image
    }

    fn transformed_move(&self, point: Point, symmetry: Symmetry) -> Point {
        if point == PASS {
            return PASS;
        }
        let (column, row) = symmetry.apply(self.column_row(point), (self.size(), self.size()));
        self.point(column, row)
    }
}

impl Knowledge for Go {
    /// The current area, where unsettled regions count for neither side. A lead of a quarter of the
    /// board evaluates to 0.76 of a win.
    fn evaluation(&self, player: Player) -> Option<f32> {
        let sign = if player == Player::FIRST { 1.0 } else { -1.0 };
        let quarter = (self.size() * self.size()) as f32 / 2.0;
        Some(sign * (self.margin() as f32 / quarter).tanh() * 0.99)
    }

    /// Captures first, then points away from the edge, where stones have more liberties; pass last.
    fn move_order(&self, point: Point) -> Option<i32> {
        if point == PASS {
            return Some(-1);
        }
        let taken = on_stones!(self, stones => stones.taken_by(self.to_move.index(), usize::from(point)).count());
        let (column, row) = self.column_row(point);
        let edge = column.min(row).min(self.size() - 1 - column).min(self.size() - 1 - row);
        Some(100 * taken as i32 + edge.min(3) as i32)
    }

    /// A playout does not fill its own eyes (Brügmann 1993), or games would not end. It passes only
    /// if no other move is left.
    fn playout_moves(&self, moves: &mut Vec<Point>) {
        let begin = moves.len();
        self.legal_moves(moves);
        on_stones!(self, stones => {
            let mut kept = begin;
            for at in begin..moves.len() {
                let point = moves[at];
                if point != PASS && !stones.is_eye(self.to_move.index(), usize::from(point)) {
                    moves[kept] = point;
                    kept += 1;
                }
            }
            let over = moves.len() == begin;
            moves.truncate(kept);
            if kept == begin && !over {
                moves.push(PASS);
            }
        });
    }

    fn pattern_text(&self, point: Point) -> Option<String> {
        (point != PASS).then(|| patterns::text(self.pattern(point), self.to_move.index()))
    }

    fn pattern_value(&self, point: Point) -> Option<u16> {
        Some(if point == PASS { 0 } else { Values::learned().of(self.pattern(point), self.to_move.index()) })
    }

    #[inline]
    fn playout<T: Trace<Point>>(&mut self, context: &mut PlayoutContext<Point>, trace: &mut T) -> Outcome {
        if self.is_over() {
            return Outcome::zero_sum(self.margin());
        }
        let lead = on_stones!(self, stones => stones.playout(self.turn(), context, trace).area_lead());
        Outcome::zero_sum(2 * lead - i32::from(self.rules.komi))
    }

    /// The area of each side.
    fn owners(&self, owners: &mut Vec<Option<Player>>) -> bool {
        on_stones!(self, stones => self.list_owners(stones.areas(), owners));
        true
    }

    fn playout_with_owners<T: Trace<Point>>(
        &mut self,
        context: &mut PlayoutContext<Point>,
        trace: &mut T,
        owners: &mut Vec<Option<Player>>,
    ) -> Outcome {
        if self.is_over() {
            self.owners(owners);
            return Outcome::zero_sum(self.margin());
        }
        let lead = on_stones!(self, stones => {
            let end = stones.playout(self.turn(), context, trace);
            self.list_owners(end.areas(), owners);
            end.area_lead()
        });
        Outcome::zero_sum(2 * lead - i32::from(self.rules.komi))
    }

    /// Alpha-beta won no game against this search, at 20 to 300 ms a move.
    fn auto_player(_: &GoRules) -> &'static str {
        "mcts:rave,reuse"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::History;

    fn game(spec: &str, moves: &str) -> History<Go> {
        let rules = crate::rules::<Go>(spec).unwrap();
        History::parse(rules, &format!("start moves {moves}")).unwrap()
    }

    fn legal(history: &History<Go>, text: &str) -> bool {
        history.clone().play_text(text).is_ok()
    }

    #[test]
    fn a_ko_may_not_be_recaptured_at_once() {
        let ko = game("go:5", "B1 C1 A2 D2 B3 C3 C2 B2");
        assert_eq!(ko.position().text(), "...../...../.XO../XO.O./.XO.. X C2 0");
        assert!(!legal(&ko, "C2"));
        let mut later = ko;
        later.play_text("E5").unwrap();
        later.play_text("A5").unwrap();
        assert!(legal(&later, "C2"));
    }

    #[test]
    fn suicide_is_illegal_but_capturing_is_not() {
        let surrounded = game("go:3", "A2 pass B1");
        assert!(!legal(&surrounded, "A1"));
        let rules = crate::rules::<Go>("go:3").unwrap();
        let capturing = History::<Go>::parse(rules, ".../OX./.OX X - 0 moves A1").unwrap();
        assert_eq!(capturing.position().text(), ".../OX./X.X O B1 0");
    }

    #[test]
    fn positional_superko_forbids_what_simple_ko_allows() {
        for (spec, allowed) in [("go:2,ko=simple", true), ("go:2,ko=positional", false), ("go:2,ko=situational", false)]
        {
            let history = game(spec, "A1 B2 A2 B1 A1 A2");
            assert_eq!(history.position().text(), "OO/.O X - 0", "{spec}");
            assert_eq!(legal(&history, "A1"), allowed, "{spec}");
        }
    }

    #[test]
    fn two_passes_end_and_area_is_counted() {
        let empty = game("go:9", "pass pass");
        assert_eq!(empty.outcome().unwrap().scores(), [-15, 15]);
        assert_eq!(empty.position().ending_reason(), Some("two passes"));
        assert_eq!(game("go:9", "pass").position().ending_reason(), None);
        let black = game("go:9,komi=0", "E5 pass pass");
        assert_eq!(black.outcome().unwrap().scores(), [162, -162]);
        let shared = game("go:3,komi=0.5", "B1 C1 B2 C2 B3 pass pass");
        assert_eq!(shared.outcome().unwrap().scores(), [7, -7]);
    }

    #[test]
    fn handicap_stones_stand_on_the_fixed_points() {
        let position = Go::start(&crate::rules::<Go>("go:9,handicap=5").unwrap());
        assert_eq!(
            position.text(),
            "........./........./..X...X../........./....X..../........./..X...X../........./......... O - 0"
        );
        assert!(crate::rules::<Go>("go:8,handicap=5").is_err());
        assert!(crate::rules::<Go>("go:9,handicap=1").is_err());
    }

    #[test]
    fn the_letter_i_is_skipped() {
        assert_eq!(point_name(7, 0), "H1");
        assert_eq!(point_name(8, 18), "J19");
        assert_eq!(point_name(18, 0), "T1");
    }

    #[test]
    fn a_position_is_136_bytes() {
        assert_eq!(size_of::<Go>(), 136);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let rules = crate::rules::<Go>("go:3").unwrap();
        for text in
            ["", ".../.../... X", ".../.../... X - 3", ".../.../... X B2 0", ".../.../... X Z9 0", ".XO/XOO/OOO X - 0"]
        {
            assert!(Go::parse(&rules, text).is_err(), "{text}");
        }
    }
}
