//! Reading and writing game files: SGF, match logs and position lists.
//!
//! A file can have millions of games, and a parsed game takes up to a hundred times the memory of
//! its text. So only the first games are parsed, one at a time, and kept as text. The memory comes
//! from the budget of the server.

use crate::caps::Grant;
use crate::game_line::GameLine;
use crate::message::{FileListing, ListedGame, SaveFormat, SavedGame, Seat};
use std::io::Write;
use std::path::Path;
use tesuji_arena::PlayedGame;
use tesuji_catalog::PositionSet;
use tesuji_sgf::{Headers, Record};

/// The most games of a file that are listed and can be opened, and the most bytes of them; the
/// first game may be longer. Raising them lengthens the response and the list in the page.
const MAX_LISTED: usize = 2000;
const MAX_LISTED_BYTES: usize = 8 << 20;
/// The longest title and the longest spec in the list. Specs of games are shorter than this.
const MAX_TITLE_CHARS: usize = 200;
const MAX_SPEC_BYTES: usize = 200;

/// The bytes that are charged for each byte of a text while it is parsed. Measured on the worst
/// texts: an SGF game of empty nodes, and a logged game of one-letter moves.
const SGF_BYTES: usize = 128;
const POSITION_BYTES: usize = 32;
const LOG_BYTES: usize = 48;
/// The bytes charged for each listed game besides its text.
const GAME_BYTES: usize = 128;
/// The bytes of a text that are not charged, so that a position can be loaded while engines use all
/// memory.
const FREE_BYTES: usize = 16 << 10;

/// The first games of a loaded file.
pub struct LoadedFile {
    kind: FileKind,
    /// The number of games of the file.
    total: usize,
    games: Vec<LoadedGame>,
    memory: Grant,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FileKind {
    Sgf,
    Log,
    Positions,
}

struct LoadedGame {
    title: String,
    /// The spec.
    game: String,
    /// The SGF text, or the position and moves.
    text: String,
}

/// The accepted formats, for error messages.
const EXPECTED: &str = "expected SGF, a match log, or one position per line";

impl LoadedFile {
    /// Parses a file of any accepted format. Positions are of `game` unless the file names another.
    /// `memory` is raised to what the file needs.
    pub fn parse(name: &str, data: &str, game: &str, memory: Grant) -> Result<LoadedFile, String> {
        let text = data.trim_start_matches('\u{feff}').trim_start();
        let (kind, parse): (_, fn(&str, &str, &mut Grant) -> Parsed) = match text.chars().next() {
            Some('(') => (FileKind::Sgf, |text, _, memory| parse_sgf(text, memory)),
            Some('{') => (FileKind::Log, |text, _, memory| parse_log(text, memory)),
            _ => (FileKind::Positions, parse_positions),
        };
        let mut memory = memory;
        let parsed = if text.is_empty() {
            Err(format!("the file is empty; {EXPECTED}"))
        } else {
            parse(text, game, &mut memory)
        };
        let in_file = |error: String| if name.is_empty() { error } else { format!("{name}: {error}") };
        let (games, total) = parsed.map_err(in_file)?;
        let file = LoadedFile { kind, total, games, memory };
        Ok(file.released())
    }

    /// Returns the memory that only parsing needed.
    fn released(mut self) -> LoadedFile {
        self.memory.shrink(self.kept_bytes());
        self
    }

    /// Returns the bytes charged for the listed games.
    fn kept_bytes(&self) -> usize {
        let bytes = |game: &LoadedGame| game.title.len() + game.game.len() + game.text.len() + GAME_BYTES;
        charged(self.games.iter().map(bytes).sum(), 1)
    }

    /// Lists the games.
    pub fn listing(&self) -> FileListing {
        let kind = match self.kind {
            FileKind::Sgf => "sgf",
            FileKind::Log => "log",
            FileKind::Positions => "positions",
        };
        let listed = |(number, game): (usize, &LoadedGame)| ListedGame {
            number,
            title: game.title.clone(),
            game: game.game.clone(),
        };
        FileListing { kind, total: self.total, games: self.games.iter().enumerate().map(listed).collect() }
    }

    /// Opens a listed game by its index.
    pub fn open(&mut self, index: usize) -> Result<GameLine, String> {
        let Some(LoadedGame { game, text, .. }) = self.games.get(index) else {
            let last = self.games.len() - 1;
            return Err(if self.games.len() < self.total {
                format!("no game {index}; of the {} games of the file, 0 to {last} are listed", self.total)
            } else {
                format!("no game {index}; the file has games 0 to {last}")
            });
        };
        let mut line = if self.kind == FileKind::Sgf {
            let open = |record: Record| record.open(None).map_err(|error| error.to_string());
            GameLine::of(self.with_record(index, open)?.expect("the game is listed"))
        } else {
            GameLine::open(game, text).map_err(|error| error.to_string())?
        };
        if self.kind != FileKind::Positions {
            line.go_to(0).expect("every line has a ply 0");
        }
        Ok(line)
    }
}

impl LoadedFile {
    /// Parses a listed game of an SGF file, and hands it over while its memory is reserved; `None`
    /// if the file is not SGF.
    pub fn with_record<T>(
        &mut self,
        index: usize,
        read: impl FnOnce(Record) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        let text = match self.games.get(index) {
            Some(game) if self.kind == FileKind::Sgf => &game.text,
            _ => return Ok(None),
        };
        let kept = self.kept_bytes();
        self.memory.reserve(kept + charged(text.len(), SGF_BYTES))?;
        let result = only_record(text).and_then(read);
        self.memory.shrink(kept);
        result.map(Some)
    }
}

/// The listed games, and the number of games of the file.
type Parsed = Result<(Vec<LoadedGame>, usize), String>;

impl LoadedGame {
    fn new(title: &str, game: &str, text: &str) -> Result<LoadedGame, String> {
        if game.len() > MAX_SPEC_BYTES {
            return Err(format!(
                "the spec of the game has {} bytes; at most {MAX_SPEC_BYTES} are accepted",
                game.len()
            ));
        }
        let is_long = title.chars().nth(MAX_TITLE_CHARS).is_some();
        let title = title.chars().take(MAX_TITLE_CHARS).chain(is_long.then_some('…')).collect();
        Ok(LoadedGame { title, game: game.to_string(), text: text.to_string() })
    }
}

/// Returns the bytes charged for a text with this many bytes in memory for each byte of it.
fn charged(bytes: usize, each: usize) -> usize {
    bytes.saturating_sub(FREE_BYTES).saturating_mul(each)
}

/// The first texts of a file, within the limits of the list.
struct FirstTexts<'a> {
    texts: Vec<&'a str>,
    /// The number of all texts.
    total: usize,
}

impl<'a> FirstTexts<'a> {
    fn of(all: impl Iterator<Item = &'a str>) -> FirstTexts<'a> {
        let (mut texts, mut bytes, mut total) = (Vec::new(), 0, 0);
        for text in all {
            bytes += text.len();
            let is_next = texts.len() == total && total < MAX_LISTED && bytes <= MAX_LISTED_BYTES;
            if is_next || total == 0 {
                texts.push(text);
            }
            total += 1;
        }
        FirstTexts { texts, total }
    }

    /// Reserves the memory to parse the texts one at a time, besides the file in memory.
    fn reserve(&self, file: &str, each: usize, memory: &mut Grant) -> Result<(), String> {
        let longest = self.texts.iter().map(|text| text.len()).max().unwrap_or(0);
        let kept: usize = self.texts.iter().map(|text| text.len() + GAME_BYTES).sum();
        memory.reserve(charged(file.len(), 1) + charged(kept, 1) + charged(longest, each))
    }
}

/// The largest uploaded file that is parsed, in bytes.
const MAX_FILE_BYTES: u64 = 32 << 20;

/// Reads the text of an uploaded file into `memory`.
pub fn read_text(file: &Path, memory: &mut Grant) -> Result<String, String> {
    let cannot_read = |error: std::io::Error| format!("cannot read the file: {error}");
    let bytes = std::fs::metadata(file).map_err(cannot_read)?.len();
    if bytes > MAX_FILE_BYTES {
        return Err(format!("the file has {bytes} bytes; at most {MAX_FILE_BYTES} are accepted"));
    }
    memory.reserve(charged(bytes as usize, 1))?;
    let data = std::fs::read(file).map_err(cannot_read)?;
    // Only SGF files may have another encoding than UTF-8.
    if data.trim_ascii_start().starts_with(b"(") {
        return Ok(tesuji_sgf::decode(&data));
    }
    String::from_utf8(data).map_err(|_| format!("the file is not text; {EXPECTED}"))
}

/// Parses the games of an SGF file.
fn parse_sgf(text: &str, memory: &mut Grant) -> Parsed {
    let mut error = None;
    let games = tesuji_sgf::split(text).map_while(|game| game.map_err(|reason| error = Some(reason)).ok());
    let first = FirstTexts::of(games);
    if let Some(error) = error {
        return Err(error.to_string());
    }
    first.reserve(text, SGF_BYTES, memory)?;
    let parse = |(index, text): (usize, &&str)| {
        let in_game = |error: String| match first.total {
            1 => error,
            _ => format!("game {} of the file: {error}", index + 1),
        };
        let game = only_record(text).and_then(|record| LoadedGame::new(&title(&record), record.game(), text));
        game.map_err(in_game)
    };
    let games: Result<_, String> = first.texts.iter().enumerate().map(parse).collect();
    Ok((games?, first.total))
}

/// Parses the only game of an SGF text.
fn only_record(text: &str) -> Result<Record, String> {
    let mut records = tesuji_sgf::read(text).map_err(|error| error.to_string())?;
    records.pop().ok_or_else(|| "the text has no game".to_string())
}

/// Parses the games of a match log.
fn parse_log(text: &str, memory: &mut Grant) -> Parsed {
    let first = FirstTexts::of(text.split_inclusive('\n'));
    let bytes = first.texts.iter().map(|line| line.len()).sum();
    memory.reserve(charged(text.len(), 1) + charged(bytes, LOG_BYTES))?;
    let (listed, rest) = text.split_at(bytes);
    let cannot_read = |error: std::io::Error| format!("cannot read the log: {error}");
    let mut file = tempfile::NamedTempFile::new().map_err(cannot_read)?;
    file.write_all(listed.as_bytes()).map_err(cannot_read)?;
    // The reader ignores a last line without a newline as incomplete.
    if !listed.ends_with('\n') {
        file.write_all(b"\n").map_err(cannot_read)?;
    }
    let (_, games) = tesuji_arena::read_untrusted_log(file.path()).map_err(|error| error.reason)?;
    if games.is_empty() {
        let reason = if rest.is_empty() { "the log has no games yet" } else { "the first game of the log is too long" };
        return Err(reason.to_string());
    }
    // A head, which a resumed match adds, is not a game.
    let total = games.len() + rest.lines().filter(|line| !line.starts_with("{\"match\"")).count();
    let games: Result<_, _> = games.iter().map(logged_game).collect();
    Ok((games?, total))
}

fn logged_game(played: &PlayedGame) -> Result<LoadedGame, String> {
    let PlayedGame { game, names, words, opening, moves, .. } = played;
    let separator = if moves.is_empty() {
        ""
    } else if opening.contains(" moves ") {
        " "
    } else {
        " moves "
    };
    let position = format!("{opening}{separator}{}", moves.join(" "));
    LoadedGame::new(&format!("{}: {words}", names.join(" - ")), game, &position)
}

/// Parses positions, one per line, as `tesuji endings` writes them.
fn parse_positions(text: &str, game: &str, memory: &mut Grant) -> Parsed {
    let (named, positions) = PositionSet::lines(text);
    let game = named.unwrap_or(game);
    let first = FirstTexts::of(positions);
    if first.total == 0 {
        return Err("the file contains no position".to_string());
    }
    first.reserve(text, POSITION_BYTES, memory)?;
    let parse = |(index, position): (usize, &&str)| {
        let number = index + 1;
        let loaded = LoadedGame::new(position, game, position)?;
        GameLine::open(game, position)
            .map_err(|error| format!("entry {number} is not a {game} position: {error}; {EXPECTED}"))?;
        Ok(loaded)
    };
    let games: Result<_, String> = first.texts.iter().enumerate().map(parse).collect();
    Ok((games?, first.total))
}

fn title(record: &Record) -> String {
    let (black, white) = record.players();
    let players = match (black, white) {
        (None, None) => None,
        (black, white) => {
            let name = |name: Option<String>| name.unwrap_or_else(|| "?".to_string());
            Some(format!("{} - {}", name(black), name(white)))
        }
    };
    let headers = ["GN", "EV", "DT"].into_iter().filter_map(|identifier| record.header(identifier));
    let result = record.result().ok().flatten().map(|result| result.to_string());
    let parts: Vec<String> = players.into_iter().chain(headers).chain(result).collect();
    if parts.is_empty() { format!("{}, {} moves", record.game(), record.length()) } else { parts.join(", ") }
}

/// Writes a game in the requested format.
pub fn save(line: &GameLine, seats: &[Seat], format: SaveFormat) -> Result<SavedGame, String> {
    let game = line.game();
    let spec = game.spec().to_string();
    let name = |extension: &str| format!("{}.{extension}", game.spec().name());
    match format {
        SaveFormat::Position => Ok(SavedGame { name: name("txt"), data: format!("# game: {spec}\n{}\n", game.text()) }),
        SaveFormat::Moves => {
            Ok(SavedGame { name: name("txt"), data: format!("# game: {spec}\n{}\n", line.at_end().game_text()) })
        }
        SaveFormat::Sgf => {
            let player = |seat: usize| match seats.get(seat) {
                Some(Seat::Engine { player, .. }) => Some(player.clone()),
                _ => None,
            };
            let headers = Headers { black: player(0), white: player(1), ..Headers::default() };
            let data = tesuji_sgf::write(line.at_end().as_ref(), &headers).map_err(|error| error.to_string())?;
            Ok(SavedGame { name: name("sgf"), data })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::caps::Budget;

    const MEMORY: usize = 64 << 20;

    fn parse(name: &str, data: &str, game: &str) -> Result<LoadedFile, String> {
        LoadedFile::parse(name, data, game, Budget::new(MEMORY).empty_grant())
    }

    #[test]
    fn a_saved_game_can_be_loaded() {
        let mut line = GameLine::open("hex:4", "start moves a1 b2 c3").unwrap();
        line.go_to(1).unwrap();
        for (format, ply) in [(SaveFormat::Moves, 3), (SaveFormat::Sgf, 0)] {
            let saved = save(&line, &[], format).unwrap();
            let mut file = parse(&saved.name, &saved.data, "go:9").unwrap();
            assert_eq!(file.listing().games[0].game, "hex:4");
            let opened = file.open(0).unwrap();
            assert_eq!((opened.ply(), opened.state().moves.join(" ")), (ply, "a1 b2 c3".to_string()));
        }
        let saved = save(&line, &[], SaveFormat::Position).unwrap();
        let opened = parse("", &saved.data, "go:9").unwrap().open(0).unwrap();
        assert_eq!(opened.game().text(), line.game().text());
    }

    #[test]
    fn unreadable_files_are_refused_with_what_is_expected() {
        for (data, words) in [
            ("", "expected SGF, a match log"),
            ("hello", "entry 1 is not a hex:4 position"),
            ("(;GM[1]SZ[99])", "size=99"),
            ("(;GM[1])(;GM[1]SZ[99])", "game 2 of the file"),
            ("(;GM[1]) hello", "column 10"),
            ("{\"x\":1}", "line 1"),
            ("# a remark\n", "no position"),
        ] {
            let error = parse("f", data, "hex:4").err().unwrap();
            assert!(error.starts_with("f: ") && error.contains(words), "{data}: {error}");
        }
        let mut file = parse("", "start\nstart moves a1", "hex:4").unwrap();
        assert!(file.open(2).err().unwrap().contains("games 0 to 1"));
    }

    #[test]
    fn only_the_first_games_of_a_long_file_are_listed() {
        for text in ["start\n".repeat(MAX_LISTED + 5), "(;GM[11]SZ[4];B[a1])".repeat(MAX_LISTED + 5)] {
            let mut file = parse("", &text, "hex:4").unwrap();
            let listing = file.listing();
            assert_eq!((listing.total, listing.games.len()), (MAX_LISTED + 5, MAX_LISTED));
            assert!(file.open(MAX_LISTED - 1).is_ok());
            let error = file.open(MAX_LISTED).err().unwrap();
            assert!(error.contains("of the 2005 games of the file, 0 to 1999 are listed"), "{error}");
        }
        let comment = "x".repeat(MAX_LISTED_BYTES / 2);
        let text = format!("(;GM[11]SZ[4]C[{comment}])").repeat(3);
        let listing = LoadedFile::parse("", &text, "hex:4", Budget::new(4 << 30).empty_grant()).unwrap().listing();
        assert_eq!((listing.total, listing.games.len()), (3, 1), "the second exceeds the bytes");
    }

    #[test]
    fn a_file_is_charged_to_the_budget_while_it_is_loaded() {
        let budget = Budget::new(MEMORY);
        let left = || (0..=MEMORY).rev().step_by(1 << 10).find(|&bytes| budget.empty_grant().reserve(bytes).is_ok());
        let text = format!("(;GM[11]SZ[4]C[{}])", "x".repeat(400 << 10));
        let mut file = LoadedFile::parse("", &text, "hex:4", budget.empty_grant()).unwrap();
        let kept = MEMORY - left().unwrap();
        assert!((300 << 10..600 << 10).contains(&kept), "{kept} bytes");
        assert!(file.open(0).is_ok());
        assert_eq!(MEMORY - left().unwrap(), kept, "opening returns its memory");
        let mut other = budget.empty_grant();
        other.reserve(MEMORY / 2).unwrap();
        assert!(file.open(0).err().unwrap().contains("bytes of memory are needed"));
        assert!(LoadedFile::parse("", &text, "hex:4", budget.empty_grant()).is_err());
        assert!(LoadedFile::parse("", "start", "hex:4", budget.empty_grant()).is_ok(), "short texts are free");
        drop(other);
        drop(file);
        assert_eq!(left(), Some(MEMORY));
    }

    #[test]
    fn titles_are_cut_short_and_long_specs_refused() {
        let position = format!("start{}", " ".repeat(10));
        assert_eq!(parse("", &position, "hex:4").unwrap().listing().games[0].title, "start");
        let sgf = format!("(;GM[11]SZ[4]GN[{}])", "é".repeat(5000));
        let listing = parse("", &sgf, "hex:4").unwrap().listing();
        assert_eq!(listing.games[0].title.chars().count(), MAX_TITLE_CHARS + 1);
        let error = LoadedGame::new("", &"x".repeat(201), "").err().unwrap();
        assert!(error.contains("at most 200"), "{error}");
    }

    #[test]
    fn only_go_and_hex_are_saved_as_sgf() {
        let line = GameLine::open("tictactoe", "start").unwrap();
        assert!(save(&line, &[], SaveFormat::Sgf).err().unwrap().contains("only games of go and hex"));
    }
}
