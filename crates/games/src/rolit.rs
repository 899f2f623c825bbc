//! Rolit: Othello for two to four players.
//!
//! Players place balls of their colour in turn on an empty cell so that one or more straight lines,
//! in any of the eight directions, of balls of other colours, mixed or not, are enclosed between
//! the new ball and another ball of the mover. All of them are turned to the mover's colour. A
//! player who cannot turn anything places a ball on any empty cell adjacent to a ball, in any of
//! the eight directions. There are no passes. The game ends when the board is full, and the score
//! of a player is the number of its balls.
//!
//! Moves are cells, `d3`, with row 1 at the top.
//!
//! Variants: 4x4, 6x6 and 8x8; two players (Red, Green), three (Red, Yellow, Green) or four (Red,
//! Yellow, Green, Blue), who move in this order. The start has a ball of each of the four colours
//! in the centre, whatever the number of players. Balls of a colour without a player can be turned
//! and count for no player.
//!
//! Solved on 4x4 for the scores that players can force against all others together (Saito 2010;
//! confirmed by `tesuji-suites`): two players 7, 9; three 3, 3, 4; four 2, 2, 1, 1, in the order
//! of moves.
//!
//! The balls of each colour are a `u64`, with the layout of [`crate::board::flips`]; colours
//! without a player come last. All other colours are alike for the mover, so lines are followed as
//! in Othello, own balls against all others.

use crate::board::bits::Bits;
use crate::board::diagram::{Diagram, rows_text};
use crate::board::flips::{self, board, cell_at, flipped, placements};
use tesuji_core::look::{PieceStyle, Tone};
use tesuji_core::view::{Piece, RowOne, Shape};
use tesuji_core::{
    Facts, Game, Info, Knowledge, Length, Look, Options, Outcome, Player, PlayoutContext, PositionError, Repetition,
    Rules, SpecError, Symmetry, Trace, View, default_solver, symmetry, zobrist,
};

/// The size of the board and the number of players.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RolitRules {
    size: u8,
    players: u8,
}

impl Rules for RolitRules {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        let size = options.square(&[8, 4, 6])?;
        let players = options.integer("players", 4, 2..=4, "number of players")? as u8;
        Ok(RolitRules { size, players })
    }

    fn facts(&self) -> Facts {
        let cells = u32::from(self.size) * u32::from(self.size);
        Facts {
            players: self.players,
            repetition: Repetition::Impossible,
            length: Length::Bounded(cells - 4),
            scores: (0, cells as i32),
            draws: true,
            move_indices: cells as usize,
        }
    }
}

impl RolitRules {
    /// The letters of the colours: those of the players by seat, then the rest.
    fn letters(self) -> &'static str {
        if self.players == 2 { "RGYB" } else { "RYGB" }
    }
}

/// A position of Rolit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rolit {
    /// The balls of the players by seat, then those of the colours without a player.
    balls: [u64; 4],
    key: u64,
    rules: RolitRules,
    to_move: Player,
}

static KEYS: [[u64; 64]; 4] = [zobrist::keys(0x38), zobrist::keys(0x39), zobrist::keys(0x3a), zobrist::keys(0x3b)];

/// The cells where a player can place a ball.
#[inline(always)]
fn places(own: u64, others: u64, empty: u64) -> u64 {
    let turning = placements(own, others, empty);
    if turning != 0 { turning } else { flips::neighbours(own | others) & empty }
}

impl Rolit {
    /// The position with these balls. The player to move follows from their number, so the key
    /// hashes only the balls.
    fn new(rules: RolitRules, balls: [u64; 4]) -> Rolit {
        let keys = |colour: usize| balls[colour].members().fold(0, |key, cell| key ^ KEYS[colour][cell]);
        let count: u32 = balls.iter().map(|balls| balls.count()).sum();
        let to_move = Player(((count - 4) % u32::from(rules.players)) as u8);
        Rolit { balls, key: keys(0) ^ keys(1) ^ keys(2) ^ keys(3), rules, to_move }
    }

    #[inline]
    fn all(&self) -> u64 {
        (self.balls[0] | self.balls[1]) | (self.balls[2] | self.balls[3])
    }

    #[inline]
    fn empty(&self) -> u64 {
        board(self.rules.size) & !self.all()
    }

    #[inline]
    fn own(&self) -> u64 {
        self.balls[self.to_move.index()]
    }

    #[inline]
    fn places(&self) -> u64 {
        let (own, all) = (self.own(), self.all());
        places(own, all ^ own, board(self.rules.size) & !all)
    }

    fn colour_at(&self, column: usize, row: usize) -> Option<usize> {
        self.balls.iter().position(|balls| balls.contains(cell_at(column, row)))
    }

    fn letter(&self, colour: usize) -> char {
        char::from(self.rules.letters().as_bytes()[colour])
    }

    fn size(&self) -> (usize, usize) {
        (usize::from(self.rules.size), usize::from(self.rules.size))
    }

    /// A playout for a fixed number of players. The balls of the mover come first, those of the
    /// next player second.
    #[inline]
    fn playout_of<const PLAYERS: usize, T: Trace<u8>>(
        &self,
        context: &mut PlayoutContext<u8>,
        trace: &mut T,
    ) -> Outcome {
        let mut balls = self.balls;
        balls[..PLAYERS].rotate_left(self.to_move.index());
        let mut empty = self.empty();
        let full = board(self.rules.size);
        let mut mover = self.to_move.index();
        while empty != 0 {
            let own = balls[0];
            let others = full ^ empty ^ own;
            let places = places(own, others, empty);
            let cell = places.nth(context.rng.below(places.count() as usize));
            trace.played(Player(mover as u8), cell as u8);
            let flips = flipped(cell, own, others);
            // The mover goes to the end. Written out, since rotating a slice would go through
            // memory.
            let moved = own | flips | 1 << cell;
            balls = std::array::from_fn(|at| match at + 1 {
                next if next < PLAYERS => balls[next] & !flips,
                next if next == PLAYERS => moved,
                _ => balls[at] & !flips,
            });
            empty &= !(1 << cell);
            mover = if mover + 1 == PLAYERS { 0 } else { mover + 1 };
        }
        balls[..PLAYERS].rotate_right(mover);
        outcome(&balls[..PLAYERS])
    }
}

#[inline]
fn outcome(balls: &[u64]) -> Outcome {
    let mut scores = [0; 4];
    for (score, balls) in scores.iter_mut().zip(balls) {
        *score = balls.count() as i32;
    }
    Outcome::of(&scores[..balls.len()])
}

/// The rules as people read them.
const RULES: &str = "\
    Two to four players, four unless another number is chosen. Red, Yellow, Green and Blue move in this order; \
    three players are Red, Yellow and Green, two are Red and Green. The board is 8x8 (6x6 and 4x4 are variants) \
    and starts with one ball of each of the four colours in the centre, whatever the number of players.\n\n\
    A move places a ball of the player's colour on an empty cell so that at least one straight line of balls of \
    other colours, mixed or not, horizontal, vertical or diagonal, is enclosed between the new ball and another \
    ball of the player. All enclosed balls turn to the player's colour. A player who can turn a ball must do so. A \
    player who cannot places a ball on any empty cell next to a ball, also diagonally. There are no passes.\n\n\
    The game ends when the board is full. The score of a player is the number of its balls, and the highest score \
    wins. Balls of a colour without a player can be turned and count for no player.\n\n\
    A move is written as its cell, a letter for the column and a number for the row from the top, for example d3. \
    In text, the colours are R, Y, G and B.";

impl Game for Rolit {
    type Move = u8;
    type Rules = RolitRules;
    // The colour of a seat depends on the number of players: the second is Green of two, Yellow of
    // more.
    const INFO: Info = Info {
        goal: "Have the most balls when the board is full. Choose an empty cell to place a ball; balls it encloses \
               turn to your colour.",
        rules: RULES,
        solved: "4x4, scores against all others: 7, 9 for two; 3, 3, 4 for three; 2, 2, 1, 1 for four (Saito 2010)",
        look: Look {
            piece: PieceStyle::Ball,
            tones: &[Tone::Red, Tone::Yellow, Tone::Green, Tone::Blue],
            ..Look::DEFAULT
        },
        ..Info::new("rolit", "Rolit", &["Red", "Yellow", "Green", "Blue"])
    };

    /// The second of two players is Green.
    fn player_name(&self, player: Player) -> &'static str {
        match self.letter(player.index()) {
            'R' => "Red",
            'Y' => "Yellow",
            'G' => "Green",
            _ => "Blue",
        }
    }

    fn start(rules: &RolitRules) -> Rolit {
        let mut balls = [0; 4];
        for (cell, letter) in flips::centre(rules.size).into_iter().zip(['R', 'Y', 'B', 'G']) {
            balls[rules.letters().find(letter).expect("all four colours have a place")] |= 1 << cell;
        }
        Rolit::new(*rules, balls)
    }

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.empty() == 0
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| self.outcome_at_cap())
    }

    fn ending_reason(&self) -> Option<&'static str> {
        self.is_over().then_some("board full")
    }

    #[inline]
    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.extend(self.places().members().map(|cell| cell as u8));
    }

    #[inline]
    fn count_moves(&self, _: &mut Vec<u8>) -> usize {
        self.places().count() as usize
    }

    #[inline]
    fn play(&mut self, mv: u8) {
        let (mover, cell, own) = (self.to_move.index(), usize::from(mv), self.own());
        let flips = flipped(cell, own, self.all() ^ own);
        self.key ^= KEYS[mover][cell];
        for (balls, keys) in self.balls.iter_mut().zip(&KEYS) {
            for flip in (*balls & flips).members() {
                self.key ^= keys[flip] ^ KEYS[mover][flip];
            }
            *balls &= !flips;
        }
        self.balls[mover] |= flips | 1 << cell;
        self.to_move = Player(if self.to_move.0 + 1 == self.rules.players { 0 } else { self.to_move.0 + 1 });
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn text(&self) -> String {
        let letter = |column, row| self.colour_at(column, row).map_or('.', |colour| self.letter(colour));
        format!("{} {}", rows_text(self.size(), letter), self.letter(self.to_move.index()))
    }

    fn parse(rules: &RolitRules, text: &str) -> Result<Rolit, PositionError> {
        let size = usize::from(rules.size);
        let diagram = Diagram::parse(text, (size, size), "RYGB.", 1)?;
        let side = diagram.side(0, &rules.letters()[..usize::from(rules.players)])?;
        let mut balls = [0u64; 4];
        for cell in board(rules.size).members() {
            if let Some(colour) = rules.letters().find(diagram.at(cell % 8, cell / 8)) {
                balls[colour] |= 1 << cell;
            }
        }
        let all = balls.iter().fold(0, |all, balls| all | balls);
        if flips::centre(rules.size).iter().any(|&cell| !all.contains(cell)) {
            return Err(diagram.error("the four cells in the centre hold balls from the start"));
        }
        if !flips::is_connected(all) {
            return Err(diagram.error("balls are placed next to others, so all are connected"));
        }
        if balls[usize::from(rules.players)..].iter().any(|balls| balls.count() > 1) {
            return Err(diagram.error("a colour without a player has at most one ball"));
        }
        let position = Rolit::new(*rules, balls);
        if side != position.to_move.0 {
            let (count, letter) = (all.count(), position.letter(position.to_move.index()));
            return Err(diagram.error(format!("there are no passes, so with {count} balls {letter} is to move")));
        }
        Ok(position)
    }

    fn move_text(&self, mv: u8) -> String {
        flips::name(mv)
    }

    #[inline]
    fn move_index(&self, mv: u8) -> usize {
        flips::dense_index(mv, self.rules.size)
    }

    fn view(&self) -> View {
        View::grid(Shape::Square, self.size(), RowOne::Top, |column, row| {
            let colour = self.colour_at(column, row)?;
            let owner = (colour < usize::from(self.rules.players)).then_some(Player(colour as u8));
            Some(Piece { symbol: self.letter(colour).to_string(), owner })
        })
    }

    /// The current number of balls.
    #[inline]
    fn outcome_at_cap(&self) -> Outcome {
        outcome(&self.balls[..usize::from(self.rules.players)])
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        symmetry::SQUARE
    }

    fn transformed(&self, symmetry: Symmetry) -> Rolit {
        Rolit::new(self.rules, self.balls.map(|balls| flips::image(balls, symmetry, self.rules.size)))
    }

    fn transformed_move(&self, mv: u8, symmetry: Symmetry) -> u8 {
        flips::image_of_cell(mv, symmetry, self.rules.size)
    }
}

impl Knowledge for Rolit {
    /// The lead over the mean of the other players in corners, which can never be turned, and in
    /// balls, which count more towards the end. The weights follow a least-squares fit to the
    /// results of random games on 6x6 and 8x8 for 2 to 4 players. It gave 0.35 to 0.45 per corner
    /// until the board is two thirds full and a third of that near the end; for a lead of the whole
    /// board in balls, 0 on a half full board and about the number of players near the end.
    fn evaluation(&self, player: Player) -> Option<f32> {
        /// Raising it makes players give up more balls for a corner.
        const CORNER: f32 = 0.4;
        let players = usize::from(self.rules.players);
        let lead = |cells: u64| {
            let count = |seat: usize| (self.balls[seat] & cells).count() as f32;
            let total: f32 = (0..players).map(count).sum();
            let own = count(player.index());
            own - (total - own) / (players - 1) as f32
        };
        let cells = board(self.rules.size);
        let late = (self.all().count() as f32 / cells.count() as f32).powi(3);
        let corners = CORNER * (1.0 - late * late) * lead(flips::corners(self.rules.size));
        let balls = players as f32 * late * lead(cells) / cells.count() as f32;
        Some(0.99 * (corners + balls).tanh())
    }

    /// Corners first, as they can never be turned.
    #[inline]
    fn move_order(&self, mv: u8) -> Option<i32> {
        Some(i32::from(flips::corners(self.rules.size).contains(usize::from(mv))))
    }

    /// Numbers from the lead in corners (Saito 2010, section 6.4): with `lead` the corners of the
    /// player minus those of all others, 1 + 4 c - c lead and 1 + 4 c + c lead. Saito tuned c = 4
    /// for 6x6 and 6 for 8x8; a higher c gives corners more weight. None for 4x4, which is solved
    /// quickly without.
    fn initial_proof_numbers(&self, player: Player) -> Option<(u32, u32)> {
        let weight = match self.rules.size {
            6 => 4,
            8 => 6,
            _ => return None,
        };
        let corners = flips::corners(self.rules.size);
        let held = (self.all() & corners).count() as i32;
        let lead = 2 * (self.balls[player.index()] & corners).count() as i32 - held;
        let base = 1 + 4 * weight;
        Some(((base - weight * lead) as u32, (base + weight * lead) as u32))
    }

    #[inline]
    fn playout_move(&self, context: &mut PlayoutContext<u8>) -> u8 {
        let places = self.places();
        places.nth(context.rng.below(places.count() as usize)) as u8
    }

    fn playout<T: Trace<u8>>(&mut self, context: &mut PlayoutContext<u8>, trace: &mut T) -> Outcome {
        match self.rules.players {
            2 => self.playout_of::<2, T>(context, trace),
            3 => self.playout_of::<3, T>(context, trace),
            _ => self.playout_of::<4, T>(context, trace),
        }
    }

    fn auto_solver(rules: &RolitRules) -> (&'static str, &'static str) {
        match rules.size {
            // The game has no initial proof numbers on 4x4.
            4 => default_solver(&rules.facts()),
            _ => ("dfpn:init=game", "initial numbers from the lead in corners"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::History;

    fn rules(spec: &str) -> RolitRules {
        crate::rules::<Rolit>(spec).unwrap()
    }

    fn after(position: &Rolit, mv: &str) -> Rolit {
        let mut next = *position;
        next.play(position.parse_move(mv).unwrap());
        next
    }

    fn texts(position: &Rolit) -> Vec<String> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.iter().map(|&mv| position.move_text(mv)).collect()
    }

    #[test]
    fn the_start_has_one_ball_of_each_colour_for_any_number_of_players() {
        for players in 2..=4 {
            let start = Rolit::start(&rules(&format!("rolit:4,players={players}")));
            assert_eq!(start.text(), "..../.RY./.BG./.... R");
            assert_eq!(texts(&start), ["d2", "b4", "d4"]);
        }
    }

    #[test]
    fn players_move_in_the_order_of_their_seats() {
        let order = |players: u8| {
            let mut history = History::<Rolit>::new(rules(&format!("rolit:4,players={players}")));
            let mut order = String::new();
            while !history.is_over() {
                order.push(history.position().text().chars().last().unwrap());
                let mut moves = Vec::new();
                history.legal_moves(&mut moves);
                history.play(moves[0]);
            }
            order
        };
        assert_eq!([order(2), order(3), order(4)], ["RGRGRGRGRGRG", "RYGRYGRYGRYG", "RYGBRYGBRYGB"]);
    }

    #[test]
    fn mixed_colours_are_turned_together() {
        let position = Rolit::parse(&rules("rolit:6"), "R...../.Y..../..GBG./..YG../....B./...... R").unwrap();
        assert_eq!(after(&position, "f6").text(), "R...../.R..../..RBG./..YR../....R./.....R Y");
    }

    #[test]
    fn a_player_who_cannot_turn_anything_places_next_to_any_ball() {
        // Green has no ball left.
        let position = Rolit::parse(&rules("rolit:4,players=2"), "..../.RRR/.RR./.... G").unwrap();
        assert_eq!(texts(&position), ["a1", "b1", "c1", "d1", "a2", "a3", "d3", "a4", "b4", "c4", "d4"]);
        let next = after(&position, "a1");
        assert_eq!(next.text(), "G.../.RRR/.RR./.... R");
    }

    #[test]
    fn neutral_balls_count_for_no_player() {
        let position = Rolit::parse(&rules("rolit:4,players=2"), "RRRR/RYRR/GGGG/GGGG R").unwrap();
        assert_eq!(position.outcome().unwrap().scores(), [7, 8]);
        assert_eq!(position.ending_reason(), Some("board full"));
        assert_eq!(position.view().cells[5].piece.as_ref().unwrap().owner, None);
    }

    #[test]
    fn a_corner_is_worth_more_than_balls_until_late() {
        let value = |text: &str, seat: u8| {
            let position = Rolit::parse(&rules("rolit:6,players=2"), text).unwrap();
            position.evaluation(Player(seat)).unwrap()
        };
        let early = "R...../.R..../..RG../..GG../..GG../....G. G";
        assert!(value(early, 0) > 0.0);
        assert_eq!(value(early, 0), -value(early, 1));
        let late = "RGGGGR/GGGGGG/GGGGGG/GGGGGG/GGGGGG/RGGGG. G";
        assert!(value(late, 0) < 0.0);
        let start = Rolit::start(&rules("rolit:4,players=3"));
        assert!((0..3).all(|seat| start.evaluation(Player(seat)) == Some(0.0)));
    }

    #[test]
    fn proof_numbers_follow_the_corners() {
        let start = Rolit::start(&rules("rolit:8"));
        assert_eq!(start.initial_proof_numbers(Player::FIRST), Some((25, 25)));
        let corner = Rolit::parse(&rules("rolit:6"), "R...../.R..../..RY../..BG../....../...... G").unwrap();
        assert_eq!(corner.initial_proof_numbers(Player(0)), Some((13, 21)));
        assert_eq!(corner.initial_proof_numbers(Player(1)), Some((21, 13)));
        assert_eq!(Rolit::start(&rules("rolit:4")).initial_proof_numbers(Player::FIRST), None);
    }

    #[test]
    fn impossible_positions_are_refused() {
        for (spec, text) in [
            ("rolit:4", ""),
            ("rolit:4", "..../.RY./.BG./.... Y"),
            ("rolit:4", "..../.RY./.B../.... R"),
            ("rolit:4", "..../.RX./.BG./.... R"),
            ("rolit:4,players=2", "..../.RY./.BG./.... Y"),
            ("rolit:4,players=2", "..../.RYY/.BG./.... G"),
            ("rolit:6", "R...../....../..RY../..BG../....../...... Y"),
        ] {
            assert!(Rolit::parse(&rules(spec), text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_position_is_48_bytes() {
        assert_eq!(size_of::<Rolit>(), 48);
    }
}
