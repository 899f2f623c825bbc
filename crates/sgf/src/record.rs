//! Game records: games and positions read from files.

use crate::dialect::{default_size, game_name, gm, letters, no_history_suffix};
use crate::encoding::decode;
use crate::options::joined;
use crate::tree::{self, Node, Property, Tree};
use crate::{By, GameResult, SgfError};
use sgf_parse::go::{Point, Prop};
use sgf_parse::{Color, SgfProp};
use std::path::Path;
use tesuji_catalog::{Session, open};
use tesuji_core::{Player, SgfDialect};

/// A game record: game, start position, moves, players, result, comments, marks and variations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    tree: Tree,
    dialect: SgfDialect,
    game: String,
    /// Columns and rows.
    size: (usize, usize),
    handicap: i64,
    /// Whether `W` is the first player, as in files of Little Golem.
    swapped_colours: bool,
}

/// Reads all games of a text.
pub fn read(text: &str) -> Result<Vec<Record>, SgfError> {
    let trees = tree::read(text)?;
    let several = trees.len() > 1;
    let record = |(index, tree)| {
        Record::new(tree).map_err(|error| match several {
            true => SgfError::InGame { number: index + 1, error: Box::new(error) },
            false => error,
        })
    };
    trees.into_iter().enumerate().map(record).collect()
}

/// Reads all games of a file in any encoding; see [`decode`].
pub fn read_file(file: &Path) -> Result<Vec<Record>, SgfError> {
    let fail = |reason| SgfError::File { file: file.display().to_string(), reason };
    let bytes = std::fs::read(file).map_err(|error| fail(error.to_string()))?;
    read(&decode(&bytes)).map_err(|error| fail(error.to_string()))
}

impl Record {
    fn new(tree: Tree) -> Result<Record, SgfError> {
        let dialect = dialect_of(&tree)?;
        let root = tree.root();
        let size = match root.values("SZ") {
            None => default_size(dialect),
            Some(_) => match parsed(root, "SZ") {
                Some(Prop::SZ(size)) => size,
                _ => return Err(refuse(root, "SZ", "a number from 2 to 19, or columns:rows")),
            },
        };
        let board = if size.0 == size.1 { size.0.to_string() } else { format!("{}x{}", size.0, size.1) };
        let rules = root.line("RU").unwrap_or_default().to_ascii_lowercase();
        let mut game = format!("{}:{board}", game_name(dialect));
        let mut handicap = 0;
        if dialect == SgfDialect::Go {
            match parsed(root, "KM") {
                None => {}
                Some(Prop::KM(komi)) => game += &format!(",komi={komi}"),
                Some(_) => return Err(refuse(root, "KM", "a multiple of 0.5")),
            }
            if let Some(ko) = ko_rule(&rules) {
                game += &format!(",ko={ko}");
            }
            // HA[0], HA[1] and invalid numbers mean no handicap.
            if let Some(Prop::HA(stones)) = parsed(root, "HA") {
                handicap = stones;
            }
        } else if rules.trim() == "swap" || moves_of(&tree).any(|(_, value)| is_swap_of_pieces(value)) {
            game += ",swap";
        }
        open(&game, "start").map_err(|error| SgfError::Open { at: "the game".to_string(), error })?;
        let size = (usize::from(size.0), usize::from(size.1));
        let first = moves_of(&tree).next();
        let swapped_colours = dialect == SgfDialect::Hex
            && first.is_some_and(|(player, value)| player == Player::SECOND && value.parse::<Point>().is_ok());
        let mut record = Record { tree, dialect, game, size, handicap, swapped_colours };
        // Stones on the fixed points of GTP are the game's handicap option, not a set-up position.
        let fixed = format!("{},handicap={handicap}", record.game);
        if handicap > 1
            && let (Ok(fixed_start), Ok(start)) = (open(&fixed, "start"), record.open(Some(0)))
            && fixed_start.text() == start.text()
        {
            record.game = fixed;
        }
        Ok(record)
    }

    /// Returns the game as a spec for [`tesuji_catalog::open`]: `go:9,komi=6.5`, `hex:11`.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// Adds the options of another spec of the same game; an error if they contradict the file.
    pub fn fit(self, game: &str) -> Result<Record, SgfError> {
        let other = || SgfError::OtherGame { asked: game.to_string(), file: self.game.clone() };
        let joined = joined(&self.game, game).ok_or_else(other)?;
        open(&joined, "start").map_err(|error| SgfError::Open { at: "the game".to_string(), error })?;
        Ok(Record { game: joined, ..self })
    }

    /// Returns the number of moves of the main line: properties `B` and `W`, including passes and
    /// resignations.
    pub fn length(&self) -> usize {
        moves_of(&self.tree).count()
    }

    /// Returns the main line as a text for [`tesuji_catalog::open`]: `start moves D4 F6`. An error
    /// if it cannot be replayed.
    pub fn position(&self) -> Result<String, SgfError> {
        Ok(self.open(None)?.game_text())
    }

    /// Opens the game after a number of moves of the main line, or after all of them. Stones set up
    /// after the last of these moves are included.
    pub fn open(&self, moves: Option<usize>) -> Result<Box<dyn Session>, SgfError> {
        let mut replay = Replay::new(self)?;
        let line: Vec<&Node> = self.tree.main_line().collect();
        for (index, node) in line.iter().enumerate() {
            let changes = self.changes(node)?;
            let turn = self.turn(node)?;
            if index == 0 || turn.is_some() || !changes.is_empty() {
                let player = turn.or_else(|| self.next_player(&line[index..]));
                replay.set_up(&changes, player, index == 0)?;
            }
            for (player, value) in moves_in(node) {
                if moves == Some(replay.number) {
                    return Ok(replay.session);
                }
                replay.play(player, value)?;
            }
        }
        match moves {
            Some(number) if number > replay.number => Err(SgfError::NoMove { number, length: replay.number }),
            _ => Ok(replay.session),
        }
    }

    /// Returns the names of Black and White, if the file has them.
    pub fn players(&self) -> (Option<String>, Option<String>) {
        (self.header("PB"), self.header("PW"))
    }

    /// Returns the result, if the file has one: the property `RE`, or a resignation as the last
    /// move.
    pub fn result(&self) -> Result<Option<GameResult>, SgfError> {
        if let Some(text) = self.header("RE") {
            return text.parse().map(Some);
        }
        let last = moves_of(&self.tree).last().filter(|_| self.dialect == SgfDialect::Hex);
        Ok(last.and_then(|(player, value)| {
            let by = match value.to_ascii_lowercase().as_str() {
                "resign" => By::Resignation,
                "forfeit" => By::Forfeit,
                _ => return None,
            };
            Some(GameResult::Win { winner: self.seat(player).opponent(), by })
        }))
    }

    /// Returns the comment of the root.
    pub fn comment(&self) -> Option<String> {
        self.tree.root().text("C")
    }

    /// Returns a property of the root as a line of text, such as `GN` (name), `DT` (date) or `EV`
    /// (event).
    pub fn header(&self, identifier: &str) -> Option<String> {
        self.tree.root().line(identifier)
    }

    /// Returns the whole tree: variations, marks, comments.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Writes the record as SGF, with everything it had.
    pub fn text(&self) -> String {
        self.tree.to_string()
    }

    /// Returns the player of a colour in the file.
    fn seat(&self, player: Player) -> Player {
        if self.swapped_colours { player.opponent() } else { player }
    }

    /// Returns the player of the next move, if there is one before the next set-up.
    fn next_player(&self, line: &[&Node]) -> Option<Player> {
        let sets_up = |node: &Node| ["AB", "AW", "AE", "PL"].iter().any(|name| node.values(name).is_some());
        let ahead = line.iter().enumerate().take_while(|(index, node)| *index == 0 || !sets_up(node));
        ahead.flat_map(|(_, node)| moves_in(node)).next().map(|(player, _)| self.seat(player))
    }

    /// Returns the player to move that a node sets.
    fn turn(&self, node: &Node) -> Result<Option<Player>, SgfError> {
        let Some(values) = node.values("PL") else { return Ok(None) };
        // Old files spell the colour out: `PL[white]`.
        let letter: String = values[0].trim().chars().take(1).map(|letter| letter.to_ascii_uppercase()).collect();
        match letter.parse() {
            Ok(Color::Black) => Ok(Some(self.seat(Player::FIRST))),
            Ok(Color::White) => Ok(Some(self.seat(Player::SECOND))),
            Err(_) => Err(refuse(node, "PL", "B or W")),
        }
    }

    /// Returns the set-up changes of a node, at most one per cell: column, row and the new owner.
    fn changes(&self, node: &Node) -> Result<Vec<(usize, usize, Option<Player>)>, SgfError> {
        // By cell, because a few characters name a rectangle and may be repeated.
        let mut owners: Vec<Option<Option<Player>>> = vec![None; self.size.0 * self.size.1];
        for Property { identifier, values } in &node.properties {
            let owner = match identifier.as_str() {
                "AB" => Some(self.seat(Player::FIRST)),
                "AW" => Some(self.seat(Player::SECOND)),
                "AE" => None,
                _ => continue,
            };
            for value in values.iter().map(|value| value.trim()).filter(|value| !value.is_empty()) {
                let (from, to) = value.split_once(':').unwrap_or((value, value));
                let corners = self.cell(from).zip(self.cell(to));
                let Some((from, to)) = corners.filter(|(from, to)| from.0 <= to.0 && from.1 <= to.1) else {
                    return Err(SgfError::Property {
                        identifier: identifier.clone(),
                        value: value.to_string(),
                        accepted: format!("{}, or two of them, upper left:lower right", self.cells()),
                    });
                };
                for row in from.1..=to.1 {
                    let first = row * self.size.0;
                    owners[first + from.0..=first + to.0].fill(Some(owner));
                }
            }
        }
        let changed = owners.into_iter().enumerate().filter_map(|(at, owner)| Some((at, owner?)));
        Ok(changed.map(|(at, owner)| (at % self.size.0, at / self.size.0, owner)).collect())
    }

    /// Parses a cell into column and row, from 0 at the top left.
    fn cell(&self, text: &str) -> Option<(usize, usize)> {
        let cell = match text.parse::<Point>() {
            // Little Golem writes `aa` also in Hex.
            Ok(point) => (usize::from(point.x), usize::from(point.y)),
            Err(_) if self.dialect == SgfDialect::Go => return None,
            Err(_) => hex_cell(text)?,
        };
        (cell.0 < self.size.0 && cell.1 < self.size.1).then_some(cell)
    }

    /// Describes the accepted cells.
    fn cells(&self) -> String {
        let letter = |index: usize| char::from(b'a' + index as u8);
        let (columns, rows) = self.size;
        let last = (letter(columns - 1), letter(rows - 1));
        match self.dialect {
            SgfDialect::Go => format!("a point from aa to {}{}", last.0, last.1),
            SgfDialect::Hex => format!("a cell from a1 to {}{rows}, or from aa to {}{}", last.0, last.0, last.1),
        }
    }
}

/// Returns the game of a tree.
fn dialect_of(tree: &Tree) -> Result<SgfDialect, SgfError> {
    let root = tree.root();
    let Some(values) = root.values("GM") else {
        // The default is Go, but Little Golem's Hex files lack the property too.
        let event = root.line("EV").unwrap_or_default().to_ascii_lowercase();
        let source = root.line("SO").unwrap_or_default().to_ascii_lowercase();
        let nameless = matches!(event.as_str(), "" | "null");
        let by_header = event.starts_with("hex") || nameless && source.contains("littlegolem");
        let by_moves = || moves_of(tree).any(|(_, value)| is_swap_of_pieces(value) || hex_cell(value).is_some());
        return Ok(if by_header || by_moves() { SgfDialect::Hex } else { SgfDialect::Go });
    };
    let known = [SgfDialect::Go, SgfDialect::Hex].into_iter().find(|&dialect| gm(dialect) == values[0].trim());
    known.ok_or_else(|| refuse(root, "GM", "1 (Go) or 11 (Hex)"))
}

fn is_swap_of_pieces(value: &str) -> bool {
    value.eq_ignore_ascii_case("swap-pieces") || value.eq_ignore_ascii_case("swap")
}

/// Parses a cell in Hex notation, `a1` or `K11`, into column and row from 0.
fn hex_cell(text: &str) -> Option<(usize, usize)> {
    let letter = text.chars().next().filter(char::is_ascii_alphabetic)?.to_ascii_lowercase();
    let number = text[1..].starts_with(|digit: char| digit.is_ascii_digit()).then(|| text[1..].parse().ok())??;
    Some((usize::from(letter as u8 - b'a'), usize::checked_sub(number, 1)?))
}

/// Parses a property of a node with `sgf-parse`; `None` if it is missing or empty.
fn parsed(node: &Node, identifier: &str) -> Option<Prop> {
    let values: Vec<String> = node.values(identifier)?.iter().map(|value| value.trim().to_string()).collect();
    values.iter().any(|value| !value.is_empty()).then(|| Prop::new(identifier.to_string(), values))
}

fn refuse(node: &Node, identifier: &str, accepted: &str) -> SgfError {
    let value = node.values(identifier).map(|values| values.join("][")).unwrap_or_default();
    SgfError::Property { identifier: identifier.to_string(), value, accepted: accepted.to_string() }
}

/// The ko rules: KataGo's names in `RU`, and the values of the option `ko`.
pub(crate) const KO_RULES: [(&str, &str); 3] =
    [("koPOSITIONAL", "positional"), ("koSITUATIONAL", "situational"), ("koSIMPLE", "simple")];

/// Returns the ko rule that a lower-case `RU` value names, if known.
fn ko_rule(rules: &str) -> Option<&'static str> {
    if let Some((_, ko)) = KO_RULES.iter().find(|(name, _)| rules.contains(&name.to_ascii_lowercase())) {
        return Some(ko);
    }
    match rules.trim() {
        "aga" | "bga" | "french" | "nz" | "new zealand" | "new_zealand" => Some("situational"),
        "tromp-taylor" | "tromp_taylor" | "tromp taylor" => Some("positional"),
        // These rule sets treat long cycles specially; simple ko is the closest option.
        "chinese" | "japanese" | "korean" => Some("simple"),
        _ => None,
    }
}

/// Iterates over the moves of the main line: colour and value.
fn moves_of(tree: &Tree) -> impl Iterator<Item = (Player, &str)> {
    tree.main_line().flat_map(moves_in)
}

/// Iterates over the moves of a node; valid files have at most one.
fn moves_in(node: &Node) -> impl Iterator<Item = (Player, &str)> {
    node.properties.iter().filter_map(|Property { identifier, values }| match identifier.as_str() {
        "B" => Some((Player::FIRST, values[0].trim())),
        "W" => Some((Player::SECOND, values[0].trim())),
        _ => None,
    })
}

/// The replay of a main line.
struct Replay<'a> {
    record: &'a Record,
    session: Box<dyn Session>,
    /// The names of the cells, row by row.
    names: Vec<String>,
    /// The number of moves played.
    number: usize,
    resigned: bool,
}

impl<'a> Replay<'a> {
    fn new(record: &'a Record) -> Result<Replay<'a>, SgfError> {
        let session =
            open(&record.game, "start").map_err(|error| SgfError::Open { at: "the game".to_string(), error })?;
        let mut names = vec![String::new(); record.size.0 * record.size.1];
        for cell in session.view().cells {
            names[usize::from(cell.row) * record.size.0 + usize::from(cell.column)] = cell.name;
        }
        Ok(Replay { record, session, names, number: 0, resigned: false })
    }

    /// Continues from the position with these changes and this player to move. By default the
    /// player to move stays the same; at the root it is White after handicap stones, and in Hex the
    /// player with fewer stones.
    fn set_up(
        &mut self,
        changes: &[(usize, usize, Option<Player>)],
        player: Option<Player>,
        at_root: bool,
    ) -> Result<(), SgfError> {
        let dialect = self.record.dialect;
        let letters = letters(dialect);
        let text = self.session.text();
        let mut rows: Vec<Vec<char>> =
            text.split(' ').next().unwrap_or("").split('/').map(|row| row.chars().collect()).collect();
        for &(column, row, owner) in changes {
            rows[row][column] = owner.map_or('.', |owner| letters[owner.index()]);
        }
        let count = |seat: usize| rows.iter().flatten().filter(|&&cell| cell == letters[seat]).count();
        let player = player.unwrap_or_else(|| match dialect {
            SgfDialect::Hex => {
                if count(0) > count(1) {
                    Player::SECOND
                } else {
                    Player::FIRST
                }
            }
            SgfDialect::Go if at_root && self.record.handicap > 1 && count(0) > 0 => Player::SECOND,
            SgfDialect::Go => self.session.to_move().unwrap_or(Player::FIRST),
        });
        if changes.is_empty() && self.session.to_move() == Some(player) {
            return Ok(());
        }
        let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
        let text = format!("{} {}{}", rows.join("/"), letters[player.index()], no_history_suffix(dialect));
        self.session = open(&self.record.game, &text).map_err(|error| {
            let at = if at_root { "the set-up".to_string() } else { format!("the set-up after move {}", self.number) };
            SgfError::Open { at, error }
        })?;
        Ok(())
    }

    fn play(&mut self, colour: Player, value: &str) -> Result<(), SgfError> {
        self.number += 1;
        let (number, dialect) = (self.number, self.record.dialect);
        let letter = if colour == Player::FIRST { 'B' } else { 'W' };
        let fail = |reason: String| SgfError::Move { number, mv: format!("{letter}[{value}]"), reason };
        if self.resigned {
            return Err(fail("a resignation ended the game".to_string()));
        }
        let player = self.record.seat(colour);
        let is_pass = dialect == SgfDialect::Go && (value.is_empty() || value == "tt");
        let text = match value.to_ascii_lowercase().as_str() {
            _ if is_pass => "pass",
            "resign" | "forfeit" if dialect == SgfDialect::Hex => {
                self.resigned = true;
                return Ok(());
            }
            "swap-sides" if dialect == SgfDialect::Hex => {
                // The players swap sides; the board does not change, and White is still to move.
                let allowed = self.session.moves().len() == 1 && self.session.to_move() == Some(player);
                return if allowed {
                    Ok(())
                } else {
                    Err(fail("sides may be swapped after the first move".to_string()))
                };
            }
            "swap" | "swap-pieces" if dialect == SgfDialect::Hex => "swap",
            _ => match self.record.cell(value) {
                Some((column, row)) => &self.names[row * self.record.size.0 + column],
                None => {
                    let others = if dialect == SgfDialect::Go {
                        "or nothing, a pass"
                    } else {
                        "swap-pieces, swap-sides, resign or forfeit"
                    };
                    return Err(fail(format!("a move is {}, {others}", self.record.cells())));
                }
            },
        };
        let text = text.to_string();
        match self.session.to_move() {
            // Some servers write the final pass three times.
            None if is_pass => return Ok(()),
            Some(other) if other != player => self.turn_to(player, &fail)?,
            _ => {}
        }
        self.session.play(&text).map_err(|error| fail(error.to_string()))
    }

    /// Gives the turn to the other player. In Go the player to move passes, since files may have
    /// consecutive stones of one colour; before the first move, or if the pass would end the game,
    /// the position is set up with the other player to move.
    fn turn_to(&mut self, player: Player, fail: &dyn Fn(String) -> SgfError) -> Result<(), SgfError> {
        if self.record.dialect == SgfDialect::Hex {
            return Err(fail(format!("it is {}'s turn", self.session.player_name(player.opponent()))));
        }
        if !self.session.moves().is_empty() {
            self.session.play("pass").map_err(|error| fail(error.to_string()))?;
            if self.session.to_move().is_some() {
                return Ok(());
            }
            self.session.undo();
        }
        self.set_up(&[], Some(player), false)
    }
}
