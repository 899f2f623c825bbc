//! Game records as SGF files.

use super::{Engine, Step};
use crate::command::{Refusal, Response};
use std::path::Path;
use tesuji_catalog::{Session, replace_file};
use tesuji_core::{GtpDialect, quoted};
use tesuji_sgf::{Headers, SgfError};

impl Engine {
    /// Loads the first game of a file, or its first moves: GTP names the first move that is not
    /// played, MoHex the number of moves to play.
    pub(super) fn loadsgf(&mut self, arguments: &[String]) -> Response {
        let (file, number) = match arguments {
            [file] => (file, None),
            [file, number] => (
                file,
                Some(number.parse::<usize>().map_err(|_| {
                    Refusal(format!("cannot load file: {number} is not a move number", number = quoted(number)))
                })?),
            ),
            _ => return Err(Refusal::new("syntax error: it takes a file and optionally a move number")),
        };
        let moves = match self.dialect {
            GtpDialect::Go => number.map(|number| number.saturating_sub(1)),
            _ => number,
        };
        let fail = |reason| Refusal(format!("cannot load file: {reason}"));
        let session = self.load(Path::new(file), moves).map_err(fail)?;
        self.begin(&session.spec().to_string(), &session.game_text())?;
        self.steps = session.moves().iter().map(|_| Step::one()).collect();
        Ok(String::new())
    }

    fn load(&self, file: &Path, moves: Option<usize>) -> Result<Box<dyn Session>, String> {
        let text = |error: SgfError| error.to_string();
        let records = tesuji_sgf::read_file(file).map_err(text)?;
        let record = records.into_iter().next().ok_or("there is no game in it")?;
        let spec = self.spec();
        let own = spec.split(':').next().unwrap_or_default();
        if record.game().split(':').next() != Some(own) {
            return Err(format!("it is a game of {}, not {own}", record.game()));
        }
        // Rules that the file does not state stay as they are.
        let record = record.clone().fit(&spec).unwrap_or(record);
        let moves = moves.map(|moves| moves.min(record.length()));
        record.open(moves).map_err(text)
    }

    /// Writes the game as SGF into the response or a file.
    pub(super) fn printsgf(&mut self, arguments: &[String]) -> Response {
        let text = tesuji_sgf::write(self.session.as_ref(), &Headers::default()).map_err(Refusal::new)?;
        match arguments {
            [] => Ok(text),
            [file] => {
                replace_file(Path::new(file), text)
                    .map_err(|error| Refusal(format!("cannot write {file}: {error}")))?;
                Ok(String::new())
            }
            _ => Err(Refusal::new("syntax error: it takes a file or nothing")),
        }
    }
}
