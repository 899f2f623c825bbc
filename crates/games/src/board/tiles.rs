//! The tile games SameGame, Bubble Breaker and Clickomania, which differ only in their scoring.
//!
//! One player. A move removes a group of at least two equal tiles connected along their sides.
//! Tiles above fall down, and empty columns close to the left. The game ends when no group is left.
//! A move is named by the lowest tile in the leftmost column of its group; `a1` is at the lower
//! left.

mod column;
mod groups;
mod keys;
mod playout;
mod weighted;

use crate::board::diagram::{Diagram, rows_text};
use column::{ALL, Column, PER_WORD, WORDS, bits};
use groups::{Columns, Found, Packed, named, tiles_in};
use keys::{bias_of, code_of, key_of};
use playout::{Board, random_game, random_group};
use std::marker::PhantomData;
use std::path::Path;
use tesuji_core::files::{MAX_OPTION_FILE, read_text};
use tesuji_core::look::{BoardStyle, ClickReach, PieceStyle, Tone};
use tesuji_core::rng::mix;
use tesuji_core::view::{Hand, Piece, RowOne, Shape, cell_name};
use tesuji_core::{
    Facts, Game, Info, Knowledge, Length, Look, MoveCode, Options, Outcome, Player, PlayoutContext, PositionError,
    Repetition, Rng, Rules, SpecError, Trace, View, plain_informed_playout,
};
use weighted::{Tabu, weighted_game};

/// The look of all tile games.
pub const LOOK: Look = Look {
    board: BoardStyle::Tiles,
    piece: PieceStyle::Tile,
    tones: &[Tone::Blue],
    reach: ClickReach::Group,
    ..Look::DEFAULT
};

/// The rules of a tile game as people read them, given its paragraph on points.
macro_rules! tile_rules {
    ($points:literal) => {
        concat!(
            "A puzzle for one player on a board of coloured tiles. A move removes a group: two or more tiles of one \
             colour that are connected along their sides. The tiles above fall down, and empty columns close to the \
             left. The game ends when no group is left.\n\n",
            $points,
            "\n\nThe board is random. The option seed selects another one, colours sets the number of colours, and \
             board=FILE with number=K plays board K of a file.\n\n\
             A move is written as the lowest tile in the leftmost column of its group: a letter for the column and a \
             number for the row from the bottom. The lower left tile is a1. In text, colours are digits."
        )
    };
}
pub(crate) use tile_rules;

/// The scoring of a tile game.
pub trait Scoring: Copy + std::fmt::Debug + PartialEq + Send + Sync + 'static {
    /// Name and title.
    const INFO: Info;
    /// The default columns, rows and colours.
    const BOARD: (u8, u8, u8);
    /// See [`Knowledge::auto_player`].
    const AUTO_PLAYER: &'static str;

    /// The points of a move that removes `tiles` tiles.
    fn points(tiles: i32) -> i32;

    /// The points added at the end, given the number of tiles left of each colour.
    fn ending(left: &[i32]) -> i32;

    /// The lowest and highest total on a board of `tiles` tiles.
    fn range(tiles: i32, colours: i32) -> (i32, i32);
}

/// The start position.
#[derive(Clone, PartialEq, Debug)]
pub struct TileRules<S> {
    columns: u8,
    rows: u8,
    colours: u8,
    /// Column by column from the lower left, colours from 1.
    start: Vec<u8>,
    /// The option that numbers the boards.
    series: &'static str,
    scoring: PhantomData<S>,
}

/// The options that number boards: random ones, and those of a file.
const SEED: &str = "seed";
const NUMBER: &str = "number";

/// A relaxed policy allows pairs of its tabu colour once one tile in this number is gone. Raising
/// it allows them sooner. On 15x15, 32 tiles are about the ten moves of Cazenave's program.
const RELAXED_PART: usize = 7;

const MOST: usize = 20;
const MOST_COLOURS: usize = 10;
/// The colours and columns of a board that is not wide: colours of three bits, and one word of
/// candidates less to look at for every three columns.
const NARROW_COLOURS: usize = 7;
const NARROW_COLUMNS: usize = 15;
/// The distance between the numbers of columns. A ring of unused numbers surrounds the board.
const STRIDE: usize = MOST + 2;
const CELLS: usize = STRIDE * STRIDE;

impl<S: Scoring> Rules for TileRules<S> {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        let (columns, rows, colours) = S::BOARD;
        let size = options.size((columns, rows), 2..=MOST as u8, 2..=MOST as u8)?;
        let colours =
            options.integer("colours", u64::from(colours), 2..=MOST_COLOURS as u64, "number of colours")? as u8;
        let seed = options.integer(SEED, 1, 0..=u64::MAX, "seed of the random board")?;
        let file = options.file("board", "the path of a file of boards", "a board from a file")?;
        let number = options.integer(NUMBER, 1, 1..=1_000_000, "number of the board in the file")? as usize;
        match file {
            None => Ok(Self::random(size, colours, seed)),
            Some(path) => Self::from_file(&path, number).map_err(|reason| options.refuse("board", reason)),
        }
    }

    fn facts(&self) -> Facts {
        let tiles = i32::from(self.columns) * i32::from(self.rows);
        Facts {
            players: 1,
            repetition: Repetition::Impossible,
            length: Length::Bounded((tiles / 2) as u32),
            scores: S::range(tiles, i32::from(self.colours)),
            draws: false,
            units_per_point: 1,
            move_indices: tiles as usize,
        }
    }

    fn without_start(&self) -> Option<String> {
        Some(format!("{}x{},colours={}", self.columns, self.rows, self.colours))
    }

    fn boards(&self) -> Option<&'static str> {
        Some(self.series)
    }
}

impl<S: Scoring> TileRules<S> {
    /// A board of tiles drawn uniformly at random.
    fn random((columns, rows): (u8, u8), colours: u8, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let tiles = usize::from(columns) * usize::from(rows);
        let start = (0..tiles).map(|_| 1 + rng.below(usize::from(colours)) as u8).collect();
        TileRules { columns, rows, colours, start, series: SEED, scoring: PhantomData }
    }

    /// Reads board `number` of a file. Boards are separated by empty lines; a line is a row, from
    /// the top, of digits with or without spaces.
    fn from_file(path: &Path, number: usize) -> Result<Self, String> {
        let text = read_text(path, MAX_OPTION_FILE).map_err(|error| format!("a readable file ({error})"))?;
        let mut boards: Vec<Vec<Vec<u8>>> = vec![Vec::new()];
        for line in text.lines() {
            let row: Vec<u8> = line.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
            if let Some(bad) = row.iter().find(|byte| !byte.is_ascii_digit()) {
                return Err(format!("a file of digits, not {:?}", char::from(*bad)));
            }
            match (row.is_empty(), boards.last_mut()) {
                (false, Some(board)) => board.push(row),
                (true, Some(board)) if !board.is_empty() => boards.push(Vec::new()),
                _ => {}
            }
        }
        boards.retain(|board| !board.is_empty());
        let board = boards
            .get(number - 1)
            .ok_or_else(|| format!("a file with a board {number}; this one has {}", boards.len()))?;
        let (columns, rows) = (board[0].len(), board.len());
        let fits = |length: usize| (2..=MOST).contains(&length);
        if !fits(columns) || !fits(rows) || board.iter().any(|row| row.len() != columns) {
            return Err(format!("boards of 2 to {MOST} rows and columns, with rows of equal length"));
        }
        let tile = |column: usize, row: usize| board[rows - 1 - row][column] - b'0' + 1;
        let start: Vec<u8> = (0..columns * rows).map(|cell| tile(cell / rows, cell % rows)).collect();
        let colours = start.iter().copied().max().unwrap_or(2).max(2);
        let (columns, rows) = (columns as u8, rows as u8);
        Ok(TileRules { columns, rows, colours, start, series: NUMBER, scoring: PhantomData })
    }
}

/// A position of a tile game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tiles<S> {
    /// The three low bits of the tiles of each column.
    low: [u64; MOST],
    /// The high bits, those of three columns interleaved.
    high: [u64; WORDS],
    columns: u8,
    rows: u8,
    colours: u8,
    over: bool,
    points: i32,
    tiles_key: u64,
    scoring: PhantomData<S>,
}

/// The number of a cell, by which moves are named.
#[inline]
fn cell(column: usize, row: usize) -> usize {
    (column + 1) * STRIDE + row + 1
}

#[inline]
fn column_row(cell: usize) -> (usize, usize) {
    (cell / STRIDE - 1, cell % STRIDE - 1)
}

/// Calls a method for boards that are wide or not.
macro_rules! by_width {
    ($self:ident . $method:ident ( $($argument:expr),* )) => {
        if $self.is_wide() { $self.$method::<true>($($argument),*) } else { $self.$method::<false>($($argument),*) }
    };
}

impl<S: Scoring> Tiles<S> {
    fn empty(rules: &TileRules<S>) -> Self {
        Tiles {
            low: [0; MOST],
            high: [0; WORDS],
            columns: rules.columns,
            rows: rules.rows,
            colours: rules.colours,
            over: false,
            points: 0,
            tiles_key: 0,
            scoring: PhantomData,
        }
    }

    fn size(&self) -> (usize, usize) {
        (usize::from(self.columns), usize::from(self.rows))
    }

    #[inline]
    fn is_wide(&self) -> bool {
        usize::from(self.colours) > NARROW_COLOURS || usize::from(self.columns) > NARROW_COLUMNS
    }

    /// The columns, wide or not.
    #[inline]
    fn packed<const WIDE: bool>(&self) -> Packed<'_, WIDE> {
        Packed { low: &self.low, high: &self.high, end: usize::from(self.columns) }
    }

    #[inline]
    fn column(&self, column: usize) -> Column {
        self.packed::<true>().column(column)
    }

    fn add_tile(&mut self, column: usize, row: usize, tile: u8) {
        let added = Column::EMPTY.with_tile(row, tile);
        self.low[column] |= added.low;
        self.high[column / PER_WORD] |= added.high << (column % PER_WORD);
    }

    /// The number of tiles on the board.
    fn tiles(&self) -> usize {
        (0..MOST).map(|column| self.column(column).occupied().count_ones() as usize).sum()
    }

    /// Completes a position whose tiles are in place.
    fn set_up(&mut self) {
        self.tiles_key = (0..MOST).fold(0, |key, column| key ^ key_of(self.column(column), column, 0));
        self.over = !self.packed::<true>().has_group();
    }

    /// Replaces the tiles of a column and updates the key.
    #[inline]
    fn replace<const WIDE: bool>(&mut self, column: usize, new: Column) {
        let old = self.packed::<WIDE>().column(column);
        let change = (old.low ^ new.low) | (old.high ^ new.high);
        let row = change.trailing_zeros() as usize / 3;
        self.tiles_key ^= key_of(old, column, row) ^ key_of(new, column, row);
        self.low[column] = new.low;
        if WIDE {
            self.high[column / PER_WORD] ^= (old.high ^ new.high) << (column % PER_WORD);
        }
    }

    /// Closes empty columns from a column on.
    fn close_columns<const WIDE: bool>(&mut self, first: usize) {
        let mut kept = first;
        for column in first..usize::from(self.columns) {
            let tiles = self.packed::<WIDE>().column(column);
            if !tiles.is_empty() {
                self.replace::<WIDE>(kept, tiles);
                kept += 1;
            }
        }
        (kept..usize::from(self.columns)).for_each(|column| self.replace::<WIDE>(column, Column::EMPTY));
    }

    /// Returns what `act` makes of the group of a legal move: its first column and full sets of its
    /// tiles from there on.
    #[inline(always)]
    fn with_group<const WIDE: bool, R>(&self, named: u16, act: impl Fn(usize, &[u64]) -> R) -> R {
        let (column, row) = column_row(usize::from(named));
        let (packed, cell) = (self.packed::<WIDE>(), 1 << (3 * row));
        match packed.find_narrow(column, cell) {
            Found::Whole(sets) => act(column, &sets),
            Found::Part | Found::Other => {
                act(column, packed.find_wide(column, cell).expect("a legal move names its group").sets())
            }
        }
    }

    fn remove<const WIDE: bool>(&mut self, named: u16) {
        let (column, row) = column_row(usize::from(named));
        let (packed, cell) = (self.packed::<WIDE>(), 1 << (3 * row));
        match packed.find_narrow(column, cell) {
            Found::Whole(sets) => self.remove_sets::<WIDE>(column, &sets),
            Found::Part | Found::Other => {
                let group = packed.find_wide(column, cell).expect("a legal move names its group");
                self.remove_sets::<WIDE>(column, group.sets());
            }
        }
    }

    /// Removes the tiles of a group: full sets from its first column on.
    #[inline]
    fn remove_sets<const WIDE: bool>(&mut self, first: usize, sets: &[u64]) {
        self.points += S::points(tiles_in(sets));
        let mut is_emptied = false;
        for (column, &full) in (first..).zip(sets).take_while(|&(_, &full)| full != 0) {
            let tiles = self.packed::<WIDE>().column(column).without::<WIDE>(full);
            self.replace::<WIDE>(column, tiles);
            is_emptied |= tiles.is_empty();
        }
        if is_emptied {
            self.close_columns::<WIDE>(first);
        }
        self.over = !self.packed::<WIDE>().has_group();
    }

    /// The number of tiles in the group of a legal move.
    fn group_size<const WIDE: bool>(&self, named: u16) -> i32 {
        self.with_group::<WIDE, _>(named, |_, sets| tiles_in(sets))
    }

    fn group_code<const WIDE: bool>(&self, named: u16) -> u64 {
        let (column, row) = column_row(usize::from(named));
        let tile = self.packed::<WIDE>().column(column).tile(row);
        self.with_group::<WIDE, _>(named, |first, sets| code_of(first, sets, tile))
    }

    /// The board, unpacked.
    #[inline]
    fn board<const WIDE: bool>(&self) -> Board<WIDE> {
        Board::new(&self.packed())
    }

    /// The tabu of an informed policy in this position.
    fn tabu(&self, policy: usize) -> Tabu {
        let (colours, cells) = (usize::from(self.colours), usize::from(self.columns) * usize::from(self.rows));
        let relaxes_at = if policy < colours { usize::MAX } else { cells / RELAXED_PART };
        Tabu::new(Column::all((policy % colours) as u8 + 1), relaxes_at, cells - self.tiles())
    }

    /// Visits the groups, without those that are tabu: the cell that names a group, and full sets
    /// of its tiles from there on.
    #[inline(always)]
    fn for_groups<const WIDE: bool>(&self, tabu: Option<Tabu>, mut visit: impl FnMut(usize, u64, &[u64])) {
        let board = self.board::<WIDE>();
        for column in 0..board.end() {
            let tiles = board.column(column);
            let free = tabu.map_or(ALL, |tabu| tabu.candidates(tiles));
            let mut visit = |column: usize, cell: u64, sets: &[u64]| {
                if tabu.is_none_or(|tabu| tabu.allows(tiles, cell, sets)) {
                    visit(column, cell, sets);
                }
            };
            for bit in bits(board.candidates(column) & free) {
                let cell = 1 << bit;
                match board.find_narrow(column, cell) {
                    Found::Whole(sets) => visit(column, cell, &sets),
                    Found::Part => {
                        if let Some(group) = board.find_wide(column, cell) {
                            visit(column, cell, group.sets());
                        }
                    }
                    Found::Other => {}
                }
            }
        }
    }

    fn groups<const WIDE: bool>(&self, moves: &mut Vec<u16>) {
        self.for_groups::<WIDE>(None, |column, cell, _| moves.push(named(column, cell)));
    }

    fn groups_without<const WIDE: bool>(&self, tabu: Tabu, moves: &mut Vec<u16>) {
        self.for_groups::<WIDE>(Some(tabu), |column, cell, _| moves.push(named(column, cell)));
    }

    fn coded_groups<const WIDE: bool>(&self, tabu: Option<Tabu>, moves: &mut Vec<u16>, codes: &mut Vec<MoveCode>) {
        let packed = self.packed::<WIDE>();
        self.for_groups::<WIDE>(tabu, |column, cell, sets| {
            let tile = packed.column(column).tile(cell.trailing_zeros() as usize / 3);
            moves.push(named(column, cell));
            codes.push(MoveCode { code: code_of(column, sets, tile), bias: bias_of(tiles_in(sets)) });
        });
    }

    /// The number of the most frequent colour, counted from 0; the first of several.
    fn most_frequent<const WIDE: bool>(&self) -> usize {
        let board = self.board::<WIDE>();
        let colours = (0..usize::from(self.colours)).rev();
        colours.max_by_key(|&colour| board.tiles_of(colour as u8 + 1)).unwrap_or(0)
    }

    /// The score at the end of a game with these tiles left.
    #[inline]
    fn total<const WIDE: bool>(&self, board: &Board<WIDE>, points: i32) -> i32 {
        let mut left = [0; MOST_COLOURS];
        let left = &mut left[..usize::from(self.colours)];
        (1..).zip(left.iter_mut()).for_each(|(tile, left)| *left = board.tiles_of(tile));
        points + S::ending(left)
    }

    fn score<const WIDE: bool>(&self) -> i32 {
        self.total(&self.board::<WIDE>(), self.points)
    }

    fn draw<const WIDE: bool>(&self, rng: &mut Rng) -> u16 {
        random_group(&self.board::<WIDE>(), rng)
    }

    /// Plays a random game from this position, puts its moves into the buffer of the context, and
    /// returns the score.
    // Not inlined, nor is the next: the callers are many, and the loop needs all registers.
    #[inline(never)]
    fn random_score<const WIDE: bool>(&self, context: &mut PlayoutContext<u16>) -> i32 {
        let mut board = self.board::<WIDE>();
        let points = random_game::<S, WIDE>(&mut board, None, context);
        self.total(&board, self.points + points)
    }

    /// The same with a tabu colour.
    #[inline(never)]
    fn informed_score<const WIDE: bool>(&self, tabu: Column, context: &mut PlayoutContext<u16>) -> i32 {
        let mut board = self.board::<WIDE>();
        let points = random_game::<S, WIDE>(&mut board, Some(tabu), context);
        self.total(&board, self.points + points)
    }

    /// The same with weights: see [`Knowledge::weighted_playout`].
    #[inline(never)]
    fn weighted_score<const WIDE: bool>(
        &self,
        tabu: Option<Tabu>,
        weight: &mut impl FnMut(&MoveCode) -> f64,
        context: &mut PlayoutContext<u16>,
    ) -> i32 {
        let removed = usize::from(self.columns) * usize::from(self.rows) - self.tiles();
        let mut board = self.board::<WIDE>();
        let points = weighted_game::<S, WIDE>(&mut board, removed, tabu, weight, context);
        self.total(&board, self.points + points)
    }
}

/// The outcome of a playout whose moves are in a buffer.
fn traced<T: Trace<u16>>(score: i32, moves: &[u16], trace: &mut T) -> Outcome {
    if T::ENABLED {
        moves.iter().for_each(|&named| trace.played(Player::FIRST, named));
    }
    Outcome::of(&[score])
}

impl<S: Scoring> Game for Tiles<S> {
    type Move = u16;
    type Rules = TileRules<S>;
    const INFO: Info = S::INFO;

    fn start(rules: &TileRules<S>) -> Self {
        let mut position = Self::empty(rules);
        let rows = usize::from(rules.rows);
        for (number, &tile) in rules.start.iter().enumerate() {
            position.add_tile(number / rows, number % rows, tile);
        }
        position.set_up();
        position
    }

    #[inline]
    fn to_move(&self) -> Player {
        Player::FIRST
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.over
    }

    fn outcome(&self) -> Option<Outcome> {
        self.over.then(|| Outcome::of(&[by_width!(self.score())]))
    }

    fn ending_reason(&self) -> Option<&'static str> {
        self.over.then(|| if self.tiles() == 0 { "board cleared" } else { "no groups left" })
    }

    fn legal_moves(&self, moves: &mut Vec<u16>) {
        by_width!(self.groups(moves));
    }

    fn play(&mut self, named: u16) {
        by_width!(self.remove(named));
    }

    #[inline]
    fn key(&self) -> u64 {
        self.tiles_key ^ mix(self.points as u64)
    }

    fn text(&self) -> String {
        let (columns, rows) = self.size();
        let tile = |column, row: usize| match self.column(column).tile(rows - 1 - row) {
            0 => '.',
            colour => char::from(b'0' + colour - 1),
        };
        format!("{} {}", rows_text((columns, rows), tile), self.points)
    }

    fn parse(rules: &TileRules<S>, text: &str) -> Result<Self, PositionError> {
        let mut position = Self::empty(rules);
        let (columns, rows) = position.size();
        let digits = &"0123456789"[..usize::from(rules.colours)];
        let diagram = Diagram::parse(text, (columns, rows), &format!("{digits}."), 1)?;
        for column in 0..columns {
            for row in 0..rows {
                let tile = digits.find(diagram.at(column, rows - 1 - row)).map_or(0, |colour| colour as u8 + 1);
                if tile != 0 && row > 0 && position.column(column).tile(row - 1) == 0 {
                    return Err(diagram.error("a tile has an empty cell below it"));
                }
                if tile != 0 && column > 0 && position.column(column - 1).is_empty() {
                    return Err(diagram.error("an empty column is left of a tile"));
                }
                position.add_tile(column, row, tile);
            }
        }
        // The removed tiles give the most points if they were removed in one move.
        let taken = (columns * rows - position.tiles()) as i32;
        let highest = if taken < 2 { 0 } else { S::points(taken) };
        let points = diagram.fields[0].parse().ok().filter(|points| (0..=highest).contains(points));
        position.points =
            points.ok_or_else(|| diagram.error(format!("the points so far must be a number from 0 to {highest}")))?;
        position.set_up();
        Ok(position)
    }

    fn move_text(&self, named: u16) -> String {
        let (column, row) = column_row(usize::from(named));
        cell_name(column, row + 1)
    }

    #[inline]
    fn move_index(&self, named: u16) -> usize {
        let (column, row) = column_row(usize::from(named));
        column * self.size().1 + row
    }

    fn view(&self) -> View {
        let (columns, rows) = self.size();
        let mut view = View::grid(Shape::Square, (columns, rows), RowOne::Bottom, |column, row| {
            let colour = self.column(column).tile(rows - 1 - row).checked_sub(1)?;
            Some(Piece { symbol: colour.to_string(), owner: None })
        });
        view.hands.push(Hand { title: "points", owner: None, pieces: vec![(String::new(), self.points)] });
        view
    }

    /// The points so far, without the bonus or penalty of a finished game.
    fn outcome_at_cap(&self) -> Outcome {
        Outcome::of(&[self.points])
    }
}

impl<S: Scoring> Knowledge for Tiles<S> {
    fn auto_player(_: &TileRules<S>) -> &'static str {
        S::AUTO_PLAYER
    }

    /// Larger groups are worth more in every scoring.
    fn move_order(&self, named: u16) -> Option<i32> {
        Some(by_width!(self.group_size(named)))
    }

    #[inline]
    fn playout_move(&self, context: &mut PlayoutContext<u16>) -> u16 {
        by_width!(self.draw(&mut context.rng))
    }

    #[inline]
    fn playout<T: Trace<u16>>(&mut self, context: &mut PlayoutContext<u16>, trace: &mut T) -> Outcome {
        let score = by_width!(self.random_score(context));
        traced(score, &context.moves, trace)
    }

    /// One policy for each tabu colour: TabuColorRandomPolicy (Schadd et al. 2008), with the choice
    /// of the colour left to the search, as in Baier 2015.
    fn informed_policies(&self) -> usize {
        usize::from(self.colours)
    }

    /// The most frequent colour is tabu: its groups grow while the others are removed.
    fn informed_choice(&self) -> usize {
        by_width!(self.most_frequent())
    }

    /// The same colour is tabu, but for pairs once a part of the tiles is gone (Cazenave 2016).
    fn relaxed_choice(&self) -> Option<usize> {
        Some(usize::from(self.colours) + self.informed_choice())
    }

    /// Groups of the tabu colour only if there are no others.
    fn informed_moves(&self, policy: usize, moves: &mut Vec<u16>) {
        let begin = moves.len();
        by_width!(self.groups_without(self.tabu(policy), moves));
        if moves.len() == begin {
            self.legal_moves(moves);
        }
    }

    #[inline]
    fn informed_playout<T: Trace<u16>>(
        &mut self,
        policy: usize,
        context: &mut PlayoutContext<u16>,
        trace: &mut T,
    ) -> Outcome {
        if policy >= usize::from(self.colours) {
            return plain_informed_playout(self, policy, context, trace);
        }
        let score = by_width!(self.informed_score(Column::all(policy as u8 + 1), context));
        traced(score, &context.moves, trace)
    }

    #[inline]
    fn weighted_playout<T: Trace<u16>>(
        &mut self,
        policy: Option<usize>,
        weight: &mut impl FnMut(&MoveCode) -> f64,
        context: &mut PlayoutContext<u16>,
        trace: &mut T,
    ) -> Outcome {
        let tabu = policy.map(|policy| self.tabu(policy));
        let score = by_width!(self.weighted_score(tabu, weight, context));
        traced(score, &context.moves, trace)
    }

    /// The cells and the colour of the group (Cazenave 2016): the same group has the same code
    /// whatever the rest of the board looks like.
    fn move_code(&self, named: u16) -> u64 {
        by_width!(self.group_code(named))
    }

    fn rest_key(&self) -> u64 {
        self.tiles_key
    }

    /// Large groups first: the tiles beyond two, at most 8.
    fn move_bias(&self, named: u16) -> f64 {
        bias_of(by_width!(self.group_size(named)))
    }

    /// The groups are found once for all.
    fn coded_moves(&self, policy: Option<usize>, moves: &mut Vec<u16>, codes: &mut Vec<MoveCode>) {
        let begin = moves.len();
        by_width!(self.coded_groups(policy.map(|policy| self.tabu(policy)), moves, codes));
        if policy.is_some() && moves.len() == begin {
            by_width!(self.coded_groups(None, moves, codes));
        }
    }
}

#[cfg(test)]
mod tests;
