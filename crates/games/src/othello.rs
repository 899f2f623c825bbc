//! Othello (Reversi).
//!
//! Players place discs in turn on an empty cell so that one or more straight lines, in any of the
//! eight directions, of the opponent's discs are enclosed between the new disc and another disc of
//! the mover. All of them are flipped to the mover's colour. A player who cannot flip anything
//! passes, and only then. The game ends when neither player can move. The score is the difference
//! in discs; empty cells count for the winner.
//!
//! Black (X) moves first, then White (O). Moves are cells, `d3`, with row 1 at the top as usual in
//! Othello, or `pass`.
//!
//! Variants: 4x4, 6x6 and 8x8. All start with four discs in the centre, Black on the rising
//! diagonal.
//!
//! Solved: 4x4 is won by the second player, 3-11 (the tests here confirm it); 6x6 is won by the
//! second player, 16-20 (Feinstein 1993); 8x8 is a draw (Takizawa 2023).
//!
//! The discs of each player are a `u64`, with the layout of [`crate::board::flips`]. The moves of
//! the side to move are stored, because the test for the end of the game needs them.

use crate::board::bits::Bits;
use crate::board::diagram::{Diagram, stones_text, stones_view};
use crate::board::flips::{self, board, cell_at, flipped, placements};
use tesuji_core::look::{BoardStyle, Tone};
use tesuji_core::time::TimeFacts;
use tesuji_core::view::{RowOne, Shape};
use tesuji_core::{
    Dialects, Facts, Game, GtpDialect, Info, Knowledge, Length, Look, Options, Outcome, Player, PlayoutContext,
    PositionError, Repetition, Rules, SpecError, Symmetry, Trace, View, symmetry, zobrist,
};

/// The size of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OthelloRules {
    size: u8,
}

impl Rules for OthelloRules {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        Ok(OthelloRules { size: options.square(&[8, 4, 6])? })
    }

    fn facts(&self) -> Facts {
        let cells = u32::from(self.size) * u32::from(self.size);
        Facts {
            players: 2,
            repetition: Repetition::Impossible,
            // A disc is placed after every pass, so there are at most as many passes as discs
            // placed.
            length: Length::Bounded(2 * (cells - 4)),
            scores: (-(cells as i32), cells as i32),
            draws: true,
            units_per_point: 1,
            move_indices: cells as usize + 1,
        }
    }

    fn dialects(&self) -> Dialects {
        Dialects { gtp: GtpDialect::Othello, ..Dialects::default() }
    }

    fn time_facts(&self) -> TimeFacts {
        let table = if self.size == 8 { include_str!("time_tables/othello.txt") } else { "" };
        TimeFacts { table, manager: "stop:f=1.25,p=0.9" }
    }
}

/// A position of Othello.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Othello {
    /// The discs of Black and of White.
    discs: [u64; 2],
    /// The cells where the side to move can place a disc.
    places: u64,
    key: u64,
    rules: OthelloRules,
    to_move: Player,
    over: bool,
}

/// The pass.
pub const PASS: u8 = 64;

const LETTERS: &str = "XO";
static KEYS: [[u64; 64]; 2] = [zobrist::keys(0x30), zobrist::keys(0x31)];
const SECOND_TO_MOVE: u64 = zobrist::key(0x32, 0);

impl Othello {
    /// The position with these discs, with all derived state computed.
    fn new(rules: OthelloRules, discs: [u64; 2], to_move: Player) -> Othello {
        let keys = |seat: usize| discs[seat].members().fold(0, |key, cell| key ^ KEYS[seat][cell]);
        let side = if to_move == Player::SECOND { SECOND_TO_MOVE } else { 0 };
        let key = keys(0) ^ keys(1) ^ side;
        let mut position = Othello { discs, places: 0, key, rules, to_move, over: false };
        position.find_places();
        position
    }

    /// Computes the moves of the side to move and whether the game is over.
    #[inline]
    fn find_places(&mut self) {
        let (own, other, empty) = (self.own(), self.other(), self.empty());
        self.places = placements(own, other, empty);
        self.over = self.places == 0 && placements(other, own, empty) == 0;
    }

    #[inline]
    fn own(&self) -> u64 {
        self.discs[self.to_move.index()]
    }

    #[inline]
    fn other(&self) -> u64 {
        self.discs[self.to_move.opponent().index()]
    }

    #[inline]
    fn empty(&self) -> u64 {
        board(self.rules.size) & !(self.discs[0] | self.discs[1])
    }

    fn seat_at(&self, column: usize, row: usize) -> Option<usize> {
        self.discs.iter().position(|discs| discs.contains(cell_at(column, row)))
    }

    fn size(&self) -> (usize, usize) {
        (usize::from(self.rules.size), usize::from(self.rules.size))
    }
}

/// The score of Black on a board of `cells` cells: the difference in discs, with the empty cells
/// added for the side with more.
#[inline]
fn score(first: u64, second: u64, cells: i32) -> i32 {
    let (first, second) = (first.count() as i32, second.count() as i32);
    let lead = first - second;
    lead + lead.signum() * (cells - first - second)
}

/// The rules as people read them.
const RULES: &str = "\
    Black and White take turns; Black moves first. The board is 8x8 (6x6 and 4x4 are variants) and starts with two \
    discs of each colour in the centre.\n\n\
    A move places a disc on an empty cell so that at least one straight line of the opponent's discs, horizontal, \
    vertical or diagonal, is enclosed between the new disc and another disc of the player. All enclosed discs, in \
    all eight directions, are flipped to the player's colour. A player who cannot flip a disc passes; passing is \
    not allowed otherwise.\n\n\
    The game ends when neither player can move. The player with more discs wins, and equal numbers are a draw. The \
    score is the difference in discs; empty cells count for the winner.\n\n\
    A move is written as its cell, a letter for the column and a number for the row from the top, for example d3, \
    or as pass. In text, Black is X and White is O.";

impl Game for Othello {
    type Move = u8;
    type Rules = OthelloRules;
    const INFO: Info = Info {
        goal: "Have more discs at the end. Choose an empty cell to place a disc that encloses discs of your opponent, \
               which are flipped.",
        rules: RULES,
        solved: "4x4: White wins 11-3; 6x6: White wins 20-16 (Feinstein 1993); 8x8: a draw (Takizawa 2023)",
        look: Look { board: BoardStyle::Felt, tones: &[Tone::Black, Tone::White], ..Look::DEFAULT },
        ..Info::new("othello", "Othello", &["Black", "White"])
    };

    fn start(rules: &OthelloRules) -> Othello {
        let [upper_left, upper_right, lower_left, lower_right] = flips::centre(rules.size);
        Othello::new(*rules, [1 << upper_right | 1 << lower_left, 1 << upper_left | 1 << lower_right], Player::FIRST)
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.over
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.over.then(|| self.outcome_at_cap())
    }

    fn ending_reason(&self) -> Option<&'static str> {
        self.over.then(|| if self.empty() == 0 { "board full" } else { "neither side can move" })
    }

    #[inline]
    fn legal_moves(&self, moves: &mut Vec<u8>) {
        if self.places != 0 {
            moves.extend(self.places.members().map(|cell| cell as u8));
        } else if !self.over {
            moves.push(PASS);
        }
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<u8>) -> usize {
        if self.over { 0 } else { (self.places.count() as usize).max(1) }
    }

    #[inline]
    fn play(&mut self, mv: u8) {
        if mv != PASS {
            let (mover, opponent, cell) = (self.to_move.index(), self.to_move.opponent().index(), usize::from(mv));
            let flips = flipped(cell, self.discs[mover], self.discs[opponent]);
            self.discs[mover] |= flips | 1 << cell;
            self.discs[opponent] &= !flips;
            self.key ^= KEYS[mover][cell];
            for flip in flips.members() {
                self.key ^= KEYS[0][flip] ^ KEYS[1][flip];
            }
        }
        self.key ^= SECOND_TO_MOVE;
        self.to_move = self.to_move.opponent();
        self.find_places();
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn text(&self) -> String {
        stones_text(self.size(), LETTERS, self.to_move, |column, row| self.seat_at(column, row))
    }

    fn parse(rules: &OthelloRules, text: &str) -> Result<Othello, PositionError> {
        let size = usize::from(rules.size);
        let diagram = Diagram::parse(text, (size, size), "XO.", 1)?;
        let to_move = Player(diagram.side(0, LETTERS)?);
        let mut discs = [0u64; 2];
        for cell in board(rules.size).members() {
            if let Some(seat) = LETTERS.find(diagram.at(cell % 8, cell / 8)) {
                discs[seat] |= 1 << cell;
            }
        }
        let all = discs[0] | discs[1];
        if flips::centre(rules.size).iter().any(|&cell| !all.contains(cell)) {
            return Err(diagram.error("the four cells in the centre hold discs from the start"));
        }
        if !flips::is_connected(all) {
            return Err(diagram.error("discs are placed next to others, so all are connected"));
        }
        Ok(Othello::new(*rules, discs, to_move))
    }

    fn move_text(&self, mv: u8) -> String {
        if mv == PASS { "pass".to_string() } else { flips::name(mv) }
    }

    #[inline]
    fn move_index(&self, mv: u8) -> usize {
        match mv {
            PASS => self.rules.facts().move_indices - 1,
            cell => flips::dense_index(cell, self.rules.size),
        }
    }

    fn view(&self) -> View {
        stones_view(Shape::Square, self.size(), RowOne::Top, LETTERS, |column, row| self.seat_at(column, row))
    }

    /// The current score.
    #[inline]
    fn outcome_at_cap(&self) -> Outcome {
        let cells = board(self.rules.size).count() as i32;
        Outcome::zero_sum(score(self.discs[0], self.discs[1], cells))
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        symmetry::SQUARE
    }

    fn transformed(&self, symmetry: Symmetry) -> Othello {
        let discs = self.discs.map(|discs| flips::image(discs, symmetry, self.rules.size));
        Othello::new(self.rules, discs, self.to_move)
    }

    fn transformed_move(&self, mv: u8, symmetry: Symmetry) -> u8 {
        if mv == PASS { PASS } else { flips::image_of_cell(mv, symmetry, self.rules.size) }
    }
}

/// The priority of a move, by the distance of the cell from the two nearest edges (Baier 2015,
/// section 8.3.1): corners first, cells next to corners last. Small boards have fewer distances.
const ORDER: [[i32; 4]; 4] = [[5, 2, 4, 3], [2, 1, 3, 3], [4, 3, 4, 4], [3, 3, 4, 4]];

impl Knowledge for Othello {
    const EVALUATIONS: &'static [&'static str] = &["baier"];
    const MOVE_ORDERS: &'static [&'static str] = &["baier"];

    /// Own points minus the opponent's: 10 for each stable disc, 1 for each move (Baier 2015,
    /// section 8.3.1). Raising the 10 favours corners over mobility. The scale is an upper bound on
    /// the points, all discs stable and all cells moves: 700 on 8x8, as in Baier.
    fn evaluation(&self, player: Player) -> Option<f32> {
        const STABLE_DISC: i32 = 10;
        let (all, empty) = (self.discs[0] | self.discs[1], self.empty());
        let points = |seat: usize| {
            let (own, other) = (self.discs[seat], self.discs[1 - seat]);
            let stable = flips::stable(own, all, self.rules.size).count() as i32;
            STABLE_DISC * stable + placements(own, other, empty).count() as i32
        };
        let cells = board(self.rules.size).count() as i32;
        let scale = STABLE_DISC * cells + cells - 4;
        Some((points(player.index()) - points(player.opponent().index())) as f32 / scale as f32)
    }

    #[inline]
    fn move_order(&self, mv: u8) -> Option<i32> {
        if mv == PASS {
            return Some(0);
        }
        let from_edge = |at: u8| usize::from(at.min(self.rules.size - 1 - at));
        Some(ORDER[from_edge(mv / 8)][from_edge(mv % 8)])
    }

    #[inline]
    fn playout_move(&self, context: &mut PlayoutContext<u8>) -> u8 {
        match self.places {
            0 => PASS,
            places => places.nth(context.rng.below(places.count() as usize)) as u8,
        }
    }

    fn playout<T: Trace<u8>>(&mut self, context: &mut PlayoutContext<u8>, trace: &mut T) -> Outcome {
        let (mut own, mut other, mut empty) = (self.own(), self.other(), self.empty());
        let mut places = self.places;
        let mut first_moves = self.to_move == Player::FIRST;
        loop {
            if places == 0 {
                places = placements(other, own, empty);
                if places == 0 {
                    break;
                }
                trace.played(Player(u8::from(!first_moves)), PASS);
                (own, other) = (other, own);
                first_moves = !first_moves;
            }
            let cell = places.nth(context.rng.below(places.count() as usize));
            trace.played(Player(u8::from(!first_moves)), cell as u8);
            let flips = flipped(cell, own, other);
            (own, other) = (other & !flips, own | flips | 1 << cell);
            first_moves = !first_moves;
            empty &= !(1 << cell);
            places = placements(own, other, empty);
        }
        let (first, second) = if first_moves { (own, other) } else { (other, own) };
        Outcome::zero_sum(score(first, second, board(self.rules.size).count() as i32))
    }

    /// Alpha-beta won 70 to 100 of 100 games against the best tree searches tried, at 20 to 300 ms
    /// a move.
    fn auto_player(_: &OthelloRules) -> &'static str {
        "prove:[alphabeta]"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use tesuji_core::History;
    use tesuji_core::perft::{Leaves, perft};

    fn rules(spec: &str) -> OthelloRules {
        crate::rules::<Othello>(spec).unwrap()
    }

    /// The score of the side to move with best play on both sides.
    fn solve(position: &Othello, mut low: i32, high: i32) -> i32 {
        if let Some(outcome) = position.outcome() {
            return outcome.score(position.to_move);
        }
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut best = -65;
        for mv in moves {
            let mut next = *position;
            next.play(mv);
            best = best.max(-solve(&next, -high, -low));
            low = low.max(best);
            if low >= high {
                break;
            }
        }
        best
    }

    #[test]
    fn the_second_player_wins_on_4x4_with_eleven_discs_to_three() {
        // Two cells stay empty and count for the winner.
        assert_eq!(solve(&Othello::start(&rules("othello:4")), -16, 16), -10);
    }

    #[test]
    fn perft_agrees_with_the_published_counts() {
        let start = History::<Othello>::new(rules("othello"));
        for (depth, leaves) in (1..).zip([4, 12, 56, 244, 1396, 8200, 55092, 390_216]) {
            let count = perft(&start, depth, Leaves::Counted, &AtomicBool::new(false)).unwrap();
            assert_eq!(count.leaves, leaves, "depth {depth}");
        }
    }

    #[test]
    fn a_player_passes_only_when_nothing_can_be_flipped() {
        let texts = |position: &Othello| {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            moves.iter().map(|&mv| position.move_text(mv)).collect::<Vec<_>>()
        };
        let mut position = Othello::parse(&rules("othello:4"), "OX../.XX./.XX./.... X").unwrap();
        assert_eq!(texts(&position), ["pass"]);
        position.play(PASS);
        assert_eq!(texts(&position), ["c1", "d4"]);
    }

    #[test]
    fn the_winner_gets_the_empty_cells() {
        let over = Othello::parse(&rules("othello:4"), "..../.XX./.XX./.... O").unwrap();
        assert_eq!(over.outcome().unwrap().scores(), [16, -16]);
        assert_eq!(over.ending_reason(), Some("neither side can move"));
        let equal = Othello::parse(&rules("othello:4"), "XXXX/XXXX/OOOO/OOOO X").unwrap();
        assert_eq!(equal.outcome().unwrap().scores(), [0, 0]);
        assert_eq!(equal.ending_reason(), Some("board full"));
        assert_eq!(Othello::start(&rules("othello:4")).ending_reason(), None);
    }

    #[test]
    fn the_evaluation_counts_stable_discs_and_moves() {
        let start = Othello::start(&rules("othello"));
        assert_eq!(start.evaluation(Player::FIRST), Some(0.0));
        // A corner with its neighbour: two stable discs for Black against none.
        let position = Othello::parse(&rules("othello:4"), "XX../.XO./.OX./.... O").unwrap();
        let moves =
            |seat: usize| placements(position.discs[seat], position.discs[1 - seat], position.empty()).count() as i32;
        let expected = (20 + moves(0) - moves(1)) as f32 / 172.0;
        assert_eq!(position.evaluation(Player::FIRST), Some(expected));
        assert_eq!(position.evaluation(Player::SECOND), Some(-expected));
    }

    #[test]
    fn corners_are_searched_first() {
        let start = Othello::start(&rules("othello:6"));
        let order = |name: &str| {
            let (column, row) = (usize::from(name.as_bytes()[0] - b'a'), usize::from(name.as_bytes()[1] - b'1'));
            start.move_order(cell_at(column, row) as u8).unwrap()
        };
        assert_eq!([order("a1"), order("f6"), order("b2"), order("e1"), order("c1"), order("d3")], [5, 5, 1, 2, 4, 4]);
    }

    #[test]
    fn impossible_positions_are_refused() {
        let rules = rules("othello:4");
        for text in ["", "..../.OX./.XO./.... Z", "..../.OX./.X../.... X", "..../.OX./.XO./.... X X", "OX/XO X"] {
            assert!(Othello::parse(&rules, text).is_err(), "{text}");
        }
        let apart = "X...../....../..OX../..XO../....../...... X";
        assert!(Othello::parse(&crate::rules::<Othello>("othello:6").unwrap(), apart).is_err());
    }

    #[test]
    fn a_position_is_40_bytes() {
        assert_eq!(size_of::<Othello>(), 40);
    }
}
