//! The tile games SameGame, Bubble Breaker and Clickomania, which differ only in their scoring.
//!
//! One player. A move removes a group of at least two equal tiles connected along their sides.
//! Tiles above fall down, and empty columns close to the left. The game ends when no group is left.
//! A move is named by the lowest tile in the leftmost column of its group; `a1` is at the lower
//! left.

use crate::board::diagram::{Diagram, rows_text};
use std::marker::PhantomData;
use std::path::Path;
use tesuji_core::files::{MAX_OPTION_FILE, read_text};
use tesuji_core::look::{BoardStyle, ClickReach, PieceStyle, Tone};
use tesuji_core::rng::mix;
use tesuji_core::view::{Hand, Piece, RowOne, Shape, cell_name};
use tesuji_core::{
    Facts, Game, Info, Knowledge, Length, Look, Options, Outcome, Player, PlayoutContext, PositionError, Repetition,
    Rng, Rules, SpecError, Trace, View, zobrist,
};

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

const MOST: usize = 20;
const MOST_COLOURS: usize = 10;
/// The distance between columns. A ring of empty cells surrounds the board, so that every tile has
/// four neighbours.
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
    /// Column by column from the lower left, inside a ring of empty cells. 0 is empty, colours
    /// count from 1.
    cells: [u8; CELLS],
    columns: u8,
    rows: u8,
    colours: u8,
    over: bool,
    points: i32,
    tiles_key: u64,
    scoring: PhantomData<S>,
}

static KEYS: [u64; CELLS * MOST_COLOURS] = zobrist::keys(0x80);

#[inline]
fn cell(column: usize, row: usize) -> usize {
    (column + 1) * STRIDE + row + 1
}

#[inline]
fn column_row(cell: usize) -> (usize, usize) {
    (cell / STRIDE - 1, cell % STRIDE - 1)
}

/// The number of tiles on the board.
fn tiles_on<S>(position: &Tiles<S>) -> usize {
    position.cells.iter().filter(|&&tile| tile != 0).count()
}

/// The cells of a group, in the order they were found. Larger than a position, so callers reuse it.
struct Group {
    cells: [u16; MOST * MOST],
    count: usize,
}

impl Group {
    fn new() -> Group {
        Group { cells: [0; MOST * MOST], count: 0 }
    }
}

impl<S: Scoring> Tiles<S> {
    fn empty(rules: &TileRules<S>) -> Self {
        Tiles {
            cells: [0; CELLS],
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

    /// The cells in use, column by column.
    fn board(&self) -> impl Iterator<Item = usize> + use<S> {
        let (columns, rows) = self.size();
        (0..columns).flat_map(move |column| cell(column, 0)..cell(column, 0) + rows)
    }

    fn key_of_columns(&self, from: usize, to: usize) -> u64 {
        let tile = |at: usize| match self.cells[at] {
            0 => 0,
            colour => KEYS[at * MOST_COLOURS + usize::from(colour) - 1],
        };
        (cell(from, 0)..cell(to, 0)).fold(0, |key, at| key ^ tile(at))
    }

    /// Whether a tile may name its group: no tile of its colour to the left or below, but one above
    /// or to the right.
    #[inline]
    fn may_name(&self, at: usize) -> bool {
        let tile = self.cells[at];
        tile != 0
            && self.cells[at - 1] != tile
            && self.cells[at - STRIDE] != tile
            && (self.cells[at + 1] == tile || self.cells[at + STRIDE] == tile)
    }

    /// Whether a tile names its group: it is the first tile of the group, column by column.
    #[inline]
    fn names(&self, at: usize, group: &mut Group) -> bool {
        self.may_name(at) && self.find_group(at, group)
    }

    /// Finds the group of a tile; false if the tile is not the first of its group.
    #[inline]
    fn find_group(&self, at: usize, group: &mut Group) -> bool {
        let tile = self.cells[at];
        let mut seen = [0u32; STRIDE];
        group.cells[0] = at as u16;
        group.count = 1;
        seen[at / STRIDE] |= 1 << (at % STRIDE);
        let mut next = 0;
        while next < group.count {
            let from = usize::from(group.cells[next]);
            next += 1;
            for to in [from - 1, from + 1, from - STRIDE, from + STRIDE] {
                if self.cells[to] == tile && seen[to / STRIDE] >> (to % STRIDE) & 1 == 0 {
                    if to < at {
                        return false;
                    }
                    seen[to / STRIDE] |= 1 << (to % STRIDE);
                    group.cells[group.count] = to as u16;
                    group.count += 1;
                }
            }
        }
        true
    }

    /// Removes a group, drops the tiles above it and closes empty columns.
    #[inline]
    fn remove(&mut self, group: &Group) {
        let (columns, rows) = self.size();
        let (mut first, mut last) = (columns, 0);
        for &at in &group.cells[..group.count] {
            self.cells[usize::from(at)] = 0;
            let column = usize::from(at) / STRIDE - 1;
            (first, last) = (first.min(column), last.max(column));
        }
        let mut kept = first;
        for column in first..=last {
            let bottom = cell(column, 0);
            let mut height = 0;
            for row in 0..rows {
                let tile = std::mem::replace(&mut self.cells[bottom + row], 0);
                // Written back even when empty: the next tile overwrites it.
                self.cells[bottom + height] = tile;
                height += usize::from(tile != 0);
            }
            if height > 0 {
                if kept < column {
                    self.move_column(column, kept);
                }
                kept += 1;
            }
        }
        if kept <= last {
            for column in last + 1..columns {
                self.move_column(column, kept);
                kept += 1;
            }
        }
        self.points += S::points(group.count as i32);
    }

    fn move_column(&mut self, from: usize, to: usize) {
        let rows = self.size().1;
        self.cells.copy_within(cell(from, 0)..cell(from, 0) + rows, cell(to, 0));
        self.cells[cell(from, 0)..cell(from, 0) + rows].fill(0);
    }

    fn has_group(&self) -> bool {
        self.board().any(|at| {
            let tile = self.cells[at];
            tile != 0 && (self.cells[at + 1] == tile || self.cells[at + STRIDE] == tile)
        })
    }

    fn total(&self) -> i32 {
        let mut left = [0; MOST_COLOURS];
        for at in self.board() {
            if self.cells[at] != 0 {
                left[usize::from(self.cells[at]) - 1] += 1;
            }
        }
        self.points + S::ending(&left[..usize::from(self.colours)])
    }

    fn groups(&self, moves: &mut Vec<u16>) {
        let mut group = Group::new();
        moves.extend(self.board().filter(|&at| self.names(at, &mut group)).map(|at| at as u16));
    }

    /// Draws a group: draws cells until one names its group. Every group has exactly one such cell,
    /// so this is uniform. Lists all groups after too many failed draws.
    #[inline]
    fn draw(&self, columns_left: usize, context: &mut PlayoutContext<u16>, group: &mut Group) -> bool {
        // Near the end of a game few cells name a group. Raising this slows the end down, lowering
        // it the middle.
        const TRIES: usize = 60;
        let rows = usize::from(self.rows);
        for _ in 0..TRIES {
            let random = context.rng.bits();
            let column = ((random as u32 as u64 * columns_left as u64) >> 32) as usize;
            let row = (((random >> 32) * rows as u64) >> 32) as usize;
            let at = cell(column, row);
            if self.names(at, group) {
                return true;
            }
        }
        context.moves.clear();
        self.groups(&mut context.moves);
        let count = context.moves.len();
        count > 0 && self.find_group(usize::from(context.moves[context.rng.below(count)]), group)
    }
}

impl<S: Scoring> Game for Tiles<S> {
    type Move = u16;
    type Rules = TileRules<S>;
    const INFO: Info = S::INFO;

    fn start(rules: &TileRules<S>) -> Self {
        let mut position = Self::empty(rules);
        let rows = usize::from(rules.rows);
        for (number, &tile) in rules.start.iter().enumerate() {
            position.cells[cell(number / rows, number % rows)] = tile;
        }
        position.tiles_key = position.key_of_columns(0, position.size().0);
        position.over = !position.has_group();
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
        self.over.then(|| Outcome::of(&[self.total()]))
    }

    fn ending_reason(&self) -> Option<&'static str> {
        self.over.then(|| if tiles_on(self) == 0 { "board cleared" } else { "no groups left" })
    }

    fn legal_moves(&self, moves: &mut Vec<u16>) {
        if !self.over {
            self.groups(moves);
        }
    }

    fn play(&mut self, named: u16) {
        let mut group = Group::new();
        let found = self.find_group(usize::from(named), &mut group);
        debug_assert!(found, "a legal move names its group");
        let first = column_row(usize::from(named)).0;
        let columns = self.size().0;
        self.tiles_key ^= self.key_of_columns(first, columns);
        self.remove(&group);
        self.tiles_key ^= self.key_of_columns(first, columns);
        self.over = !self.has_group();
    }

    #[inline]
    fn key(&self) -> u64 {
        self.tiles_key ^ mix(self.points as u64)
    }

    fn text(&self) -> String {
        let (columns, rows) = self.size();
        let tile = |column, row: usize| match self.cells[cell(column, rows - 1 - row)] {
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
                if tile != 0 && row > 0 && position.cells[cell(column, row - 1)] == 0 {
                    return Err(diagram.error("a tile has an empty cell below it"));
                }
                if tile != 0 && column > 0 && position.cells[cell(column - 1, 0)] == 0 {
                    return Err(diagram.error("an empty column is left of a tile"));
                }
                position.cells[cell(column, row)] = tile;
            }
        }
        // The removed tiles give the most points if they were removed in one move.
        let taken = (columns * rows - tiles_on(&position)) as i32;
        let highest = if taken < 2 { 0 } else { S::points(taken) };
        let points = diagram.fields[0].parse().ok().filter(|points| (0..=highest).contains(points));
        position.points =
            points.ok_or_else(|| diagram.error(format!("the points so far must be a number from 0 to {highest}")))?;
        position.tiles_key = position.key_of_columns(0, columns);
        position.over = !position.has_group();
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
            let colour = self.cells[cell(column, rows - 1 - row)].checked_sub(1)?;
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
    /// Larger groups are worth more in every scoring.
    fn move_order(&self, named: u16) -> Option<i32> {
        let mut group = Group::new();
        self.find_group(usize::from(named), &mut group).then_some(group.count as i32)
    }

    #[inline]
    fn playout_move(&self, context: &mut PlayoutContext<u16>) -> u16 {
        let mut group = Group::new();
        let drawn = self.draw(self.size().0, context, &mut group);
        debug_assert!(drawn, "the game is not over");
        group.cells[0]
    }

    #[inline]
    fn playout<T: Trace<u16>>(&mut self, context: &mut PlayoutContext<u16>, trace: &mut T) -> Outcome {
        let mut group = Group::new();
        let mut columns_left = self.size().0;
        loop {
            while columns_left > 1 && self.cells[cell(columns_left - 1, 0)] == 0 {
                columns_left -= 1;
            }
            if !self.draw(columns_left, context, &mut group) {
                return Outcome::of(&[self.total()]);
            }
            trace.played(Player::FIRST, group.cells[0]);
            self.remove(&group);
        }
    }

    /// One policy for each tabu colour: TabuColorRandomPolicy (Schadd et al. 2008), with the choice
    /// of the colour left to the search, as in Baier 2015.
    fn informed_policies(&self) -> usize {
        usize::from(self.colours)
    }

    /// The most frequent colour is tabu: its groups grow while the others are removed.
    fn informed_choice(&self) -> usize {
        let mut tiles = [0; MOST_COLOURS + 1];
        self.board().for_each(|at| tiles[usize::from(self.cells[at])] += 1);
        let colours = 1..=usize::from(self.colours);
        colours.reduce(|most, colour| if tiles[colour] > tiles[most] { colour } else { most }).unwrap_or(1) - 1
    }

    /// The cells and the colour of the group (Cazenave 2016): the same group has the same code
    /// whatever the rest of the board looks like.
    fn move_code(&self, named: u16) -> u64 {
        let mut group = Group::new();
        self.find_group(usize::from(named), &mut group);
        let colour = usize::from(self.cells[usize::from(named)]) - 1;
        let key = |&at: &u16| KEYS[usize::from(at) * MOST_COLOURS + colour];
        group.cells[..group.count].iter().map(key).fold(0, |code, key| code ^ key)
    }

    /// Large groups first: the tiles beyond two, at most 8.
    fn move_bias(&self, named: u16) -> f64 {
        let mut group = Group::new();
        self.find_group(usize::from(named), &mut group);
        (group.count as f64 - 2.0).min(8.0)
    }

    /// Groups of the tabu colour only if there are no others.
    fn informed_moves(&self, tabu: usize, moves: &mut Vec<u16>) {
        let begin = moves.len();
        self.legal_moves(moves);
        let is_free = |named: &u16| usize::from(self.cells[usize::from(*named)]) != tabu + 1;
        if moves[begin..].iter().any(is_free) {
            let mut kept = begin;
            for at in begin..moves.len() {
                if is_free(&moves[at]) {
                    moves[kept] = moves[at];
                    kept += 1;
                }
            }
            moves.truncate(kept);
        }
    }
}
