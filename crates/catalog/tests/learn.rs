//! Transition probabilities learned from self-play.

use std::sync::atomic::AtomicBool;
use tesuji_catalog::{Duel, learn};
use tesuji_core::Limits;
use tesuji_games::{Breakthrough, rules};
use tesuji_search::mcts::Transitions;

#[test]
fn what_is_learned_can_be_read_back_and_changes_the_search() {
    let plan = Duel {
        game: "breakthrough:5x5".to_string(),
        players: ["random".to_string(), "random".to_string()],
        limits: Limits::default(),
        games: 20,
        opening: 0,
        seed: 1,
        threads: 1,
    };
    let text = learn(&plan, &AtomicBool::new(false), &|_| {}).unwrap();
    assert_eq!(text, learn(&plan, &AtomicBool::new(false), &|_| {}).unwrap());
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &text).unwrap();
    let rules = rules::<Breakthrough>("breakthrough:5x5").unwrap();
    let read = Transitions::load::<Breakthrough>(file.path(), &rules).unwrap();
    assert_eq!(read.to_text(), text);
    std::fs::write(file.path(), "loa 5\n").unwrap();
    let error = Transitions::load::<Breakthrough>(file.path(), &rules).unwrap_err();
    assert!(error.to_string().contains("expected \"breakthrough "), "{error}");
}
