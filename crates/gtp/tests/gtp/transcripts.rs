//! Transcripts of commands and responses.
//!
//! The files are in `testdata/gtp`. The first line configures the engine: `# GAME PLAYER PLAYOUTS`.
//! A response starts with `=` or `?` and ends with an empty line; all other non-empty lines are
//! input. `SGF` stands for the file `game.sgf` in the same folder. With `TESUJI_BLESS` set the
//! files are rewritten for review.

use crate::{settings, talk};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/gtp")
}

/// The engine's side of a conversation between the lines of the other side.
fn conversation(text: &str) -> String {
    let header = text.lines().next().and_then(|line| line.strip_prefix("# ")).expect("the first line names the engine");
    let [game, player, playouts] = header.split(' ').collect::<Vec<_>>().try_into().expect("# GAME PLAYER PLAYOUTS");
    let mut commands: Vec<&str> = Vec::new();
    let mut in_answer = false;
    for line in text.lines() {
        in_answer = if in_answer { !line.is_empty() } else { line.starts_with(['=', '?']) };
        if !in_answer && !line.is_empty() {
            commands.push(line);
        }
    }
    let file = folder().join("game.sgf");
    let input: String =
        commands.iter().map(|line| format!("{line}\n")).collect::<String>().replace("SGF", &file.display().to_string());
    let answers = talk(settings(game, player, playouts.parse().unwrap()), &input);
    let mut answers = answers.split_inclusive("\n\n");
    let mut conversation = String::new();
    for line in commands {
        conversation += &format!("{line}\n");
        let asked = line.split('#').next().unwrap_or("");
        if !asked.trim().is_empty() {
            conversation += answers.next().unwrap_or("(no answer)\n");
        }
    }
    conversation + &answers.collect::<String>()
}

#[test]
fn the_engine_answers_as_in_the_transcripts() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "gtp"));
    files.sort();
    assert!(files.len() >= 5, "there should be transcripts in {}", folder().display());
    for file in files {
        let expected = std::fs::read_to_string(&file).unwrap();
        let conversation = conversation(&expected);
        if std::env::var_os("TESUJI_BLESS").is_some() {
            std::fs::write(&file, conversation).unwrap();
        } else {
            assert!(conversation == expected, "{}: the engine now says\n{conversation}", file.display());
        }
    }
}
