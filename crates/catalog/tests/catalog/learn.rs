//! Transition probabilities learned from self-play.

use std::sync::atomic::AtomicBool;
use tesuji_catalog::{SelfPlay, learn};
use tesuji_core::Limits;
use tesuji_games::{Breakthrough, rules};
use tesuji_search::mcts::Transitions;

#[test]
fn what_is_learned_can_be_read_back_and_changes_the_search() {
    let plan = SelfPlay {
        game: "breakthrough:5x5".to_string(),
        player: "random".to_string(),
        limits: Limits::default(),
        opening: 0,
        seed: 1,
    };
    let text = learn(&plan, 20, &AtomicBool::new(false), &|_| {}).unwrap();
    assert_eq!(text, learn(&plan, 20, &AtomicBool::new(false), &|_| {}).unwrap());
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), &text).unwrap();
    let rules = rules::<Breakthrough>("breakthrough:5x5").unwrap();
    let read = Transitions::load::<Breakthrough>(file.path(), &rules).unwrap();
    assert_eq!(read.to_text(), text);
    std::fs::write(file.path(), "loa 5\n").unwrap();
    let error = Transitions::load::<Breakthrough>(file.path(), &rules).unwrap_err();
    assert!(error.to_string().contains("expected \"breakthrough "), "{error}");
}
