//! Games from files and into files: SGF, match logs, lines of positions.

use crate::line::Line;
use crate::message::{Form, Listed, Loaded, Saved, Seat};
use std::io::Write;
use std::path::Path;
use tesuji_arena::Played;
use tesuji_catalog::Positions;
use tesuji_sgf::{Headers, Record};

/// The games of a file.
pub enum Shelf {
    Sgf(Vec<Record>),
    Log(Vec<Played>),
    /// Specs and positions.
    Positions(Vec<(String, String)>),
}

impl Shelf {
    /// Reads a file, whatever it is. Positions are of `game` unless the file says otherwise.
    pub fn read(name: &str, data: &str, game: &str) -> Result<Shelf, String> {
        let text = data.trim_start_matches('\u{feff}').trim_start();
        let fault = |error: String| if name.is_empty() { error } else { format!("{name}: {error}") };
        let shelf = match text.chars().next() {
            None => Err("there is nothing in it; it takes SGF, a match log, or a position in each line".to_string()),
            Some('(') => tesuji_sgf::read(text).map(Shelf::Sgf).map_err(|error| error.to_string()),
            Some('{') => log(text).map(Shelf::Log),
            Some(_) => positions(text, game).map(Shelf::Positions),
        };
        shelf.map_err(fault)
    }

    /// What is on it.
    pub fn listed(&self) -> Loaded {
        let (kind, games): (_, Vec<(String, String)>) = match self {
            Shelf::Sgf(records) => {
                ("sgf", records.iter().map(|record| (title(record), record.game().to_string())).collect())
            }
            Shelf::Log(games) => {
                let title = |game: &Played| format!("{}: {}", game.names.join(" - "), game.words);
                ("log", games.iter().map(|game| (title(game), game.game.clone())).collect())
            }
            Shelf::Positions(lines) => {
                ("positions", lines.iter().map(|(game, position)| (position.clone(), game.clone())).collect())
            }
        };
        let listed = |(number, (title, game))| Listed { number, title, game };
        Loaded { kind, games: games.into_iter().enumerate().map(listed).collect() }
    }

    /// Opens one of the games, by its number from 0.
    pub fn pick(&self, number: usize) -> Result<Line, String> {
        let all = match self {
            Shelf::Sgf(records) => records.len(),
            Shelf::Log(games) => games.len(),
            Shelf::Positions(lines) => lines.len(),
        };
        if number >= all {
            return Err(format!("there is no game {number}; the file has games 0 to {}", all - 1));
        }
        let at_the_beginning = |mut line: Line| {
            line.go_to(0).expect("every game has a beginning");
            line
        };
        match self {
            Shelf::Sgf(records) => {
                let game = records[number].open(None).map_err(|error| error.to_string())?;
                Ok(at_the_beginning(Line::of(game)))
            }
            Shelf::Log(games) => {
                let Played { game, opening, moves, .. } = &games[number];
                let joint = if moves.is_empty() {
                    ""
                } else if opening.contains(" moves ") {
                    " "
                } else {
                    " moves "
                };
                let position = format!("{opening}{joint}{}", moves.join(" "));
                Line::open(game, &position).map(at_the_beginning).map_err(|error| error.to_string())
            }
            Shelf::Positions(lines) => {
                let (game, position) = &lines[number];
                Line::open(game, position).map_err(|error| error.to_string())
            }
        }
    }
}

/// The longest file that is read into games, in bytes.
const LONGEST: u64 = 32 << 20;

/// The text of a file that was sent.
pub fn text(file: &Path) -> Result<String, String> {
    let in_words = |error: std::io::Error| format!("the file cannot be read: {error}");
    let bytes = std::fs::metadata(file).map_err(in_words)?.len();
    if bytes > LONGEST {
        return Err(format!("the file has {bytes} bytes; at most {LONGEST} are read"));
    }
    String::from_utf8(std::fs::read(file).map_err(in_words)?)
        .map_err(|_| "the file is no text; it takes SGF, a match log, or a position in each line".to_string())
}

/// The games of a match log.
fn log(text: &str) -> Result<Vec<Played>, String> {
    let in_words = |error: std::io::Error| format!("it cannot be read: {error}");
    let mut file = tempfile::NamedTempFile::new().map_err(in_words)?;
    file.write_all(text.as_bytes()).map_err(in_words)?;
    // A last line without its end counts as cut off.
    if !text.ends_with('\n') {
        file.write_all(b"\n").map_err(in_words)?;
    }
    let (_, games) = tesuji_arena::read_log(file.path()).map_err(|error| error.reason)?;
    if games.is_empty() {
        return Err("the log has no games yet".to_string());
    }
    Ok(games)
}

/// The positions of a text, one in each line, as in the sets that `tesuji endings` writes; of `game` if the text does not say.
fn positions(text: &str, game: &str) -> Result<Vec<(String, String)>, String> {
    let Positions { game: named, texts } = Positions::parse(text);
    let game = named.unwrap_or_else(|| game.to_string());
    for (index, position) in texts.iter().enumerate() {
        tesuji_catalog::open(&game, position).map_err(|error| {
            let number = index + 1;
            format!(
                "position {number} is none of {game}: {error}; it takes SGF, a match log, or a position in each line"
            )
        })?;
    }
    if texts.is_empty() {
        return Err("there is no position in it".to_string());
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

/// Writes what is on the table.
pub fn save(line: &Line, seats: &[Seat], form: Form) -> Result<Saved, String> {
    let game = line.game();
    let spec = game.spec().to_string();
    let name = |ending: &str| format!("{}.{ending}", game.spec().name());
    match form {
        Form::Position => Ok(Saved { name: name("txt"), data: format!("# game: {spec}\n{}\n", game.text()) }),
        Form::Moves => Ok(Saved { name: name("txt"), data: format!("# game: {spec}\n{}\n", line.whole().game_text()) }),
        Form::Sgf => {
            let player = |seat: usize| match seats.get(seat) {
                Some(Seat::Engine { player, .. }) => Some(player.clone()),
                _ => None,
            };
            let headers = Headers { black: player(0), white: player(1), ..Headers::default() };
            let data = tesuji_sgf::write(line.whole().as_ref(), &headers).map_err(|error| error.to_string())?;
            Ok(Saved { name: name("sgf"), data })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_saved_can_be_loaded_again() {
        let mut line = Line::open("hex:4", "start moves a1 b2 c3").unwrap();
        line.go_to(1).unwrap();
        for (form, ply) in [(Form::Moves, 3), (Form::Sgf, 0)] {
            let saved = save(&line, &[], form).unwrap();
            let shelf = Shelf::read(&saved.name, &saved.data, "go:9").unwrap();
            assert_eq!(shelf.listed().games[0].game, "hex:4");
            let picked = shelf.pick(0).unwrap();
            assert_eq!((picked.ply(), picked.state().moves.join(" ")), (ply, "a1 b2 c3".to_string()));
        }
        let saved = save(&line, &[], Form::Position).unwrap();
        let picked = Shelf::read("", &saved.data, "go:9").unwrap().pick(0).unwrap();
        assert_eq!(picked.game().text(), line.game().text());
    }

    #[test]
    fn files_that_are_nothing_are_refused_with_what_is_accepted() {
        for (data, words) in [
            ("", "it takes SGF, a match log"),
            ("hello", "position 1 is none of hex:4"),
            ("(;GM[1]SZ[99])", "size=99"),
            ("{\"x\":1}", "line 1"),
            ("# a remark\n", "no position"),
        ] {
            let error = Shelf::read("f", data, "hex:4").err().unwrap();
            assert!(error.starts_with("f: ") && error.contains(words), "{data}: {error}");
        }
        let shelf = Shelf::read("", "start\nstart moves a1", "hex:4").unwrap();
        assert!(shelf.pick(2).err().unwrap().contains("games 0 to 1"));
    }

    #[test]
    fn other_games_than_go_and_hex_have_no_sgf() {
        let line = Line::open("tictactoe", "start").unwrap();
        assert!(save(&line, &[], Form::Sgf).err().unwrap().contains("only games of go and hex"));
    }
}
