//! Questions searched under several repetition models, because cycles have different outcomes.

use std::sync::atomic::AtomicBool;
use tesuji_core::{Control, Game, History, Limits, Options, Search, SearchKind, Spec};
use tesuji_games::{awari::Awari, rules};
use tesuji_search::{dfpn::DfPn, minimax};

/// An Oware game found by `cargo xtask oracle`: the player to move wins with `a` and with `c`.
const GAME: &str = "4,4,4,4,4,4/4,4,4,4,4,4 0 0 S moves B e C b A c A f F a E e A c B e D d D f C a D e B d F a D f E f A b A d B c A f F b B e E a B c D a F e A c B f A a E b F e C b D d E e A c D e F f E c F d C a D e B f F a E c F d D e E b C d D f E c F d B e A f A b C a D b E c F a B d E b F c D d C a D e E f C b D";

#[test]
fn a_move_refuted_only_while_cycles_count_as_losses_is_not_reported_as_disproved() {
    let rules = rules::<Awari>("awari:rules=oware").unwrap();
    let history = History::<Awari>::parse(rules, GAME).unwrap();
    let stop = AtomicBool::new(false);
    let limits = Limits { nodes: Some(200_000), memory: Some(2 << 20), ..Limits::default() };
    let truth = minimax::Params { result: false, all: true }.search(&history, &Control::new(limits, 1, &stop));
    for text in ["dfpn:epsilon=0,init=unit,tca=off", "dfpn:sums=dfpn-r,epsilon=0,init=unit", "dfpn:top=3,init=game"] {
        let spec: Spec = text.parse().unwrap();
        let params = DfPn::read(&mut Options::new(&spec)).unwrap();
        let report = DfPn::build::<Awari>(params, &rules).unwrap().search(&history, &Control::new(limits, 1, &stop));
        assert_eq!(report.bounds.at_least, 1, "{text}");
        for exact in &truth.moves {
            let root_move = report.moves.iter().find(|root_move| root_move.mv == exact.mv).unwrap();
            let is_disproved = root_move.proof_numbers.is_some_and(|numbers| numbers.disproof == 0);
            let mv = history.position().move_text(exact.mv);
            assert!(!is_disproved || exact.bounds.at_most < 1, "{text}: {mv} gets {}", exact.bounds.at_least);
        }
    }
}
