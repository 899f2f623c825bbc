//! Reading and writing game files: SGF, match logs and position lists.

use crate::game_line::GameLine;
use crate::message::{FileListing, ListedGame, SaveFormat, SavedGame, Seat};
use std::io::Write;
use std::path::Path;
use tesuji_arena::PlayedGame;
use tesuji_catalog::PositionSet;
use tesuji_sgf::{Headers, Record};

/// The games of a loaded file.
pub enum LoadedFile {
    Sgf(Vec<Record>),
    Log(Vec<PlayedGame>),
    /// Pairs of game spec and position.
    Positions(Vec<(String, String)>),
}

/// The accepted formats, for error messages.
const EXPECTED: &str = "expected SGF, a match log, or one position per line";

impl LoadedFile {
    /// Parses a file of any accepted format. Positions are of `game` unless the file names another.
    pub fn parse(name: &str, data: &str, game: &str) -> Result<LoadedFile, String> {
        let text = data.trim_start_matches('\u{feff}').trim_start();
        let in_file = |error: String| if name.is_empty() { error } else { format!("{name}: {error}") };
        let file = match text.chars().next() {
            None => Err(format!("the file is empty; {EXPECTED}")),
            Some('(') => tesuji_sgf::read(text).map(LoadedFile::Sgf).map_err(|error| error.to_string()),
            Some('{') => parse_log(text).map(LoadedFile::Log),
            Some(_) => parse_positions(text, game).map(LoadedFile::Positions),
        };
        file.map_err(in_file)
    }

    /// Lists the games.
    pub fn listing(&self) -> FileListing {
        let (kind, games): (_, Vec<(String, String)>) = match self {
            LoadedFile::Sgf(records) => {
                ("sgf", records.iter().map(|record| (title(record), record.game().to_string())).collect())
            }
            LoadedFile::Log(games) => {
                let title = |game: &PlayedGame| format!("{}: {}", game.names.join(" - "), game.words);
                ("log", games.iter().map(|game| (title(game), game.game.clone())).collect())
            }
            LoadedFile::Positions(lines) => {
                ("positions", lines.iter().map(|(game, position)| (position.clone(), game.clone())).collect())
            }
        };
        let listed = |(number, (title, game))| ListedGame { number, title, game };
        FileListing { kind, games: games.into_iter().enumerate().map(listed).collect() }
    }

    /// Opens a game by its index.
    pub fn open(&self, index: usize) -> Result<GameLine, String> {
        let count = match self {
            LoadedFile::Sgf(records) => records.len(),
            LoadedFile::Log(games) => games.len(),
            LoadedFile::Positions(lines) => lines.len(),
        };
        if index >= count {
            return Err(format!("no game {index}; the file has games 0 to {}", count - 1));
        }
        let at_start = |mut line: GameLine| {
            line.go_to(0).expect("every line has a ply 0");
            line
        };
        match self {
            LoadedFile::Sgf(records) => {
                let game = records[index].open(None).map_err(|error| error.to_string())?;
                Ok(at_start(GameLine::of(game)))
            }
            LoadedFile::Log(games) => {
                let PlayedGame { game, opening, moves, .. } = &games[index];
                let separator = if moves.is_empty() {
                    ""
                } else if opening.contains(" moves ") {
                    " "
                } else {
                    " moves "
                };
                let position = format!("{opening}{separator}{}", moves.join(" "));
                GameLine::open(game, &position).map(at_start).map_err(|error| error.to_string())
            }
            LoadedFile::Positions(lines) => {
                let (game, position) = &lines[index];
                GameLine::open(game, position).map_err(|error| error.to_string())
            }
        }
    }
}

/// The largest uploaded file that is parsed, in bytes.
const MAX_FILE_BYTES: u64 = 32 << 20;

/// Reads the text of an uploaded file.
pub fn read_text(file: &Path) -> Result<String, String> {
    let cannot_read = |error: std::io::Error| format!("cannot read the file: {error}");
    let bytes = std::fs::metadata(file).map_err(cannot_read)?.len();
    if bytes > MAX_FILE_BYTES {
        return Err(format!("the file has {bytes} bytes; at most {MAX_FILE_BYTES} are accepted"));
    }
    let data = std::fs::read(file).map_err(cannot_read)?;
    // Only SGF files may have another encoding than UTF-8.
    if data.trim_ascii_start().starts_with(b"(") {
        return Ok(tesuji_sgf::decode(&data));
    }
    String::from_utf8(data).map_err(|_| format!("the file is not text; {EXPECTED}"))
}

/// Parses the games of a match log.
fn parse_log(text: &str) -> Result<Vec<PlayedGame>, String> {
    let cannot_read = |error: std::io::Error| format!("cannot read the log: {error}");
    let mut file = tempfile::NamedTempFile::new().map_err(cannot_read)?;
    file.write_all(text.as_bytes()).map_err(cannot_read)?;
    // The reader ignores a last line without a newline as incomplete.
    if !text.ends_with('\n') {
        file.write_all(b"\n").map_err(cannot_read)?;
    }
    let (_, games) = tesuji_arena::read_log(file.path()).map_err(|error| error.reason)?;
    if games.is_empty() {
        return Err("the log has no games yet".to_string());
    }
    Ok(games)
}

/// Parses positions, one per line, as `tesuji endings` writes them.
fn parse_positions(text: &str, game: &str) -> Result<Vec<(String, String)>, String> {
    let PositionSet { game: named, texts } = PositionSet::parse(text);
    let game = named.unwrap_or_else(|| game.to_string());
    for (index, position) in texts.iter().enumerate() {
        tesuji_catalog::open_untrusted(&game, position).map_err(|error| {
            let number = index + 1;
            format!("entry {number} is not a {game} position: {error}; {EXPECTED}")
        })?;
    }
    if texts.is_empty() {
        return Err("the file contains no position".to_string());
    }
    Ok(texts.into_iter().map(|position| (game.clone(), position)).collect())
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

    #[test]
    fn a_saved_game_can_be_loaded() {
        let mut line = GameLine::open("hex:4", "start moves a1 b2 c3").unwrap();
        line.go_to(1).unwrap();
        for (format, ply) in [(SaveFormat::Moves, 3), (SaveFormat::Sgf, 0)] {
            let saved = save(&line, &[], format).unwrap();
            let file = LoadedFile::parse(&saved.name, &saved.data, "go:9").unwrap();
            assert_eq!(file.listing().games[0].game, "hex:4");
            let opened = file.open(0).unwrap();
            assert_eq!((opened.ply(), opened.state().moves.join(" ")), (ply, "a1 b2 c3".to_string()));
        }
        let saved = save(&line, &[], SaveFormat::Position).unwrap();
        let opened = LoadedFile::parse("", &saved.data, "go:9").unwrap().open(0).unwrap();
        assert_eq!(opened.game().text(), line.game().text());
    }

    #[test]
    fn unreadable_files_are_refused_with_what_is_expected() {
        for (data, words) in [
            ("", "expected SGF, a match log"),
            ("hello", "entry 1 is not a hex:4 position"),
            ("(;GM[1]SZ[99])", "size=99"),
            ("{\"x\":1}", "line 1"),
            ("# a remark\n", "no position"),
        ] {
            let error = LoadedFile::parse("f", data, "hex:4").err().unwrap();
            assert!(error.starts_with("f: ") && error.contains(words), "{data}: {error}");
        }
        let file = LoadedFile::parse("", "start\nstart moves a1", "hex:4").unwrap();
        assert!(file.open(2).err().unwrap().contains("games 0 to 1"));
    }

    #[test]
    fn only_go_and_hex_are_saved_as_sgf() {
        let line = GameLine::open("tictactoe", "start").unwrap();
        assert!(save(&line, &[], SaveFormat::Sgf).err().unwrap().contains("only games of go and hex"));
    }
}
