//! Certificates of solutions: a complete line for one player proves that its score can be reached.

use super::verify::{Verification, verify};
use crate::file::replace_file_with;
use crate::session::{Session, history};
use crate::untrusted::check_untrusted;
use std::path::Path;
use tesuji_core::{History, Knowledge, Player, Rules, Spec, Visitor};
use tesuji_games::{unknown_game, visit};
use tesuji_proof::{Claim, ProofError, Writer};

/// Writes a certificate of "at least the score of the line" for a line from the current position of
/// a game for one player to its end, and verifies it.
///
/// Certificates name no files, so a game whose start is read from a file is written as a position.
pub fn certify_solution(file: &Path, game: &dyn Session, line: &[String]) -> Result<Verification, ProofError> {
    struct Certify<'a>(&'a Path, &'a dyn Session, &'a [String]);
    impl Visitor for Certify<'_> {
        type Output = Result<Verification, ProofError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            let Certify(file, game, line) = self;
            if game.facts().players > 1 {
                let why = format!("a line proves its score only in a game for one player, not in {}", game.spec());
                return Err(ProofError::Format(why));
            }
            let game_history = history::<G>(game).expect("the names of games are unique");
            let (spec, root) = without_files(game.spec(), game_history)?;
            let mut end = root.clone();
            let mut moves = Vec::with_capacity(line.len());
            for text in line {
                let mv = end.play_text(text).map_err(|error| ProofError::Format(error.to_string()))?;
                moves.push(mv);
            }
            let score = end.outcome().map(|outcome| outcome.score(Player::FIRST));
            let score = score.ok_or_else(|| ProofError::Format("the solution does not end the game".to_string()))?;
            let begin = root.moves().len();
            replace_file_with(file, |out| {
                let mut writer = Writer::new(out, &spec.to_string(), &root)?;
                let reply = |game: &History<G>| moves.get(game.moves().len() - begin).copied();
                writer.prove(Claim::at_least(Player::FIRST, score), reply, |_| true)?;
                writer.finish().map(|_| ())
            })?;
            verify(file, &mut |_| true)
        }
    }
    let name = game.info().name;
    visit(name, Certify(file, game, line)).unwrap_or_else(|| Err(unknown_game(name).into()))
}

/// The same game by a spec that names no file.
fn without_files<G: Knowledge>(spec: &Spec, game: &History<G>) -> Result<(Spec, History<G>), ProofError> {
    if check_untrusted(&spec.to_string()).is_ok() {
        return Ok((spec.clone(), game.clone()));
    }
    let options = game.rules().without_start().ok_or_else(|| {
        ProofError::Format(format!("the rules of {spec} cannot be written without the file that it names"))
    })?;
    let spec: Spec = format!("{}:{options}", spec.name()).parse()?;
    let rules = tesuji_games::rules::<G>(&spec.to_string())?;
    Ok((spec, History::from_position(rules, game.position().clone())))
}
