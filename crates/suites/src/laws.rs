//! Laws for untrusted texts and files: any input is parsed or rejected with an error, and whatever
//! was parsed is valid.
//!
//! The fuzz targets in `fuzz/` and the property tests call these functions, which panic if their
//! law does not hold.

use crate::agreement::random_graph;
use tesuji_catalog::open;
use tesuji_core::rng::mix;
use tesuji_core::{Game, History, Knowledge, Outcome, Player, PlayoutContext, Rng, Spec, Visitor};
use tesuji_games::{Synthetic, rules, visit};
use tesuji_proof::{Bound, Certificate, Claim, Writer, raw};
use tesuji_search::minimax::value;

/// The number of moves played from a parsed position.
const PLAYED_MOVES: usize = 12;
/// The random prefix of a game has fewer moves than this.
const LONGEST_PREFIX: usize = 60;

/// Certificates and games with more nodes than this are not checked.
const MAX_NODES: u64 = 100_000;

/// What an [`Edit`] inserts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insert {
    /// Nothing.
    Nothing,
    /// A letter.
    Letter(char),
    /// A copy of the letter at this index, modulo the length of the text. It is more likely to be
    /// valid than a random letter.
    Copy(usize),
}

/// The replacement, insertion or removal of one letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edit {
    /// The index of the letter, modulo the length of the text plus one.
    pub at: usize,
    /// Whether the letter at the index is removed.
    pub removes: bool,
    /// What is inserted at the index.
    pub inserts: Insert,
}

/// Applies edits to a text, in order.
///
/// ```
/// use tesuji_suites::laws::{Edit, Insert, edited};
///
/// let lower = Edit { at: 0, removes: true, inserts: Insert::Letter('h') };
/// let longer = Edit { at: 3, removes: false, inserts: Insert::Copy(1) };
/// assert_eq!(edited("Hex", &[lower, longer]), "hexe");
/// ```
pub fn edited(text: &str, edits: &[Edit]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for edit in edits {
        let at = edit.at % (letters.len() + 1);
        let inserted = match edit.inserts {
            Insert::Nothing => None,
            Insert::Letter(letter) => Some(letter),
            Insert::Copy(from) => letters.get(from % letters.len().max(1)).copied(),
        };
        if edit.removes && at < letters.len() {
            letters.remove(at);
        }
        if let Some(letter) = inserted {
            letters.insert(at, letter);
        }
    }
    letters.into_iter().collect()
}

/// A spec is parsed or rejected; a parsed spec prints as it was written, and a game that opens can
/// be displayed.
pub fn spec_law(text: &str) {
    match text.parse::<Spec>() {
        Ok(spec) => assert_eq!(spec.to_string(), text, "a spec prints as it was written"),
        Err(error) => assert!(!error.to_string().is_empty(), "empty error message for {text:?}"),
    }
    match open(text, "start") {
        Ok(session) => {
            assert_eq!(session.spec().to_string(), text, "a game knows the spec it was opened with");
            let is_over = session.ending().is_some();
            assert_eq!(
                is_over,
                session.legal_moves().is_empty(),
                "{text:?}: a game has moves if and only if it is not over"
            );
            assert!(!session.view().to_string().is_empty(), "{text:?}: the view is empty");
            let again = open(text, &session.text());
            let again = again.unwrap_or_else(|error| panic!("{text:?}: cannot parse its own start: {error}"));
            assert_eq!(again.key(), session.key(), "{text:?}: the key of the parsed start differs");
        }
        Err(error) => assert!(!error.to_string().is_empty(), "empty error message for {text:?}"),
    }
}

/// A position is parsed or rejected; a parsed position and the positions after it obey the laws.
pub fn position_law(spec: &str, text: &str) {
    struct Read<'a>(&'a str, &'a str);
    impl Visitor for Read<'_> {
        type Output = ();

        fn visit<G: Knowledge>(self) {
            let rules = known_rules::<G>(self.0);
            if let Err(error) = History::<G>::parse(rules.clone(), self.1) {
                assert!(!error.to_string().is_empty(), "empty error message for {:?}", self.1);
            }
            let Ok(position) = G::parse(&rules, self.1) else { return };
            let mut rng = Rng::new(self.1.bytes().fold(1, |seed, byte| mix(seed ^ u64::from(byte))));
            let mut history = History::from_position(rules, position);
            for _ in 0..PLAYED_MOVES {
                check_position(self.0, &history);
                if !random_move(&mut history, &mut rng) {
                    break;
                }
            }
            let mut context = PlayoutContext::new(rng, history.facts().length.plies());
            let outcome = history.position().clone().playout(&mut context, &mut ());
            let players = usize::from(history.facts().players);
            assert_eq!(outcome.scores().len(), players, "{}: one score per player from {:?}", self.0, self.1);
        }
    }
    visit(name_of(spec), Read(spec, text)).expect("the spec names a game");
}

/// In the middle of a game, a text is a legal move or rejected.
pub fn move_law(spec: &str, seed: u64, text: &str) {
    struct Play<'a>(&'a str, u64, &'a str);
    impl Visitor for Play<'_> {
        type Output = ();

        fn visit<G: Knowledge>(self) {
            let Play(spec, seed, text) = self;
            let mut history = prefix::<G>(spec, seed);
            let before = history.position().text();
            let mut moves = Vec::new();
            history.legal_moves(&mut moves);
            match history.play_text(text) {
                Ok(mv) => {
                    assert!(moves.contains(&mv), "{spec}: {text:?} is parsed as an illegal move in {before}");
                    check_position(spec, &history);
                }
                Err(error) => {
                    let named = |&mv: &G::Move| history.position().move_text(mv) == text;
                    assert!(
                        !moves.iter().any(named),
                        "{spec}: the legal move {text:?} is rejected in {before}: {error}"
                    );
                    assert_eq!(history.position().text(), before, "{spec}: a rejected move changes the position");
                }
            }
        }
    }
    visit(name_of(spec), Play(spec, seed, text)).expect("the spec names a game");
}

/// Every position of a game obeys the laws. A choice is the index of the next move, modulo the
/// number of legal moves.
pub fn game_law(spec: &str, choices: &[u16]) {
    struct Play<'a>(&'a str, &'a [u16]);
    impl Visitor for Play<'_> {
        type Output = ();

        fn visit<G: Knowledge>(self) {
            let mut history = History::<G>::new(known_rules::<G>(self.0));
            let mut moves = Vec::new();
            for &choice in self.1 {
                check_position(self.0, &history);
                moves.clear();
                history.legal_moves(&mut moves);
                if moves.is_empty() {
                    return;
                }
                history.play(moves[usize::from(choice) % moves.len()]);
            }
            check_position(self.0, &history);
        }
    }
    visit(name_of(spec), Play(spec, choices)).expect("the spec names a game");
}

/// A manipulated certificate with valid checksums is rejected, or its claims are true.
///
/// The certificate is that of a small random game with cycles; a change is an index, modulo the
/// length, and the new byte.
pub fn forgery_law(seed: u64, changes: &[(usize, u8)]) {
    let spec = random_graph(seed);
    let root = History::<Synthetic>::new(known_rules::<Synthetic>(&spec));
    let Some(score) = value(&mut root.clone(), Player::FIRST, MAX_NODES) else { return };
    let mut writer = Writer::new(Vec::new(), &spec, &root).expect("the root can be parsed");
    for claim in [Claim::at_least(Player::FIRST, score), Claim::at_most(Player::FIRST, score)] {
        let reply = |game: &History<Synthetic>| {
            let mut moves = Vec::new();
            game.legal_moves(&mut moves);
            moves.into_iter().find(|&mv| {
                let mut next = game.clone();
                next.play(mv);
                claim.holds(&Outcome::zero_sum(value(&mut next, Player::FIRST, u64::MAX).expect("no limit")))
            })
        };
        writer.prove(claim, reply, |_| true).unwrap_or_else(|error| panic!("{spec}: {error}"));
    }
    let (file, _) = writer.finish().expect("room");
    let mut payload = raw::payload(&file).expect("just written");
    let length = payload.len();
    for &(at, byte) in changes {
        payload[at % length] = byte;
    }
    certificate_law(&raw::framed(&payload).expect("room"));
}

/// Any bytes are rejected as a certificate of a synthetic game, or their claims are true.
pub fn certificate_law(bytes: &[u8]) {
    let read = Certificate::open(bytes)
        .and_then(|certificate| certificate.walk::<Synthetic>(|progress| progress.positions < MAX_NODES));
    let walk = match read {
        Ok(walk) => walk,
        Err(error) => return assert!(!error.to_string().is_empty(), "empty error message"),
    };
    for (number, proved) in walk.verified().claims.iter().enumerate() {
        let claim = proved.claim;
        if let Some(score) = value(&mut walk.root().clone(), claim.player, MAX_NODES) {
            let is_true = if claim.bound == Bound::AtLeast { score >= claim.score } else { score <= claim.score };
            assert!(
                is_true,
                "{} {}: {claim} was verified, but the value is {score}",
                walk.verified().spec,
                walk.verified().root
            );
        }
        assert!(walk.at(number, walk.root()).is_some(), "the proof does not contain its root");
    }
}

/// Returns the text of a position in the middle of a random game and those of its legal moves.
pub fn valid_texts(spec: &str, seed: u64) -> (String, Vec<String>) {
    struct Texts<'a>(&'a str, u64);
    impl Visitor for Texts<'_> {
        type Output = (String, Vec<String>);

        fn visit<G: Knowledge>(self) -> Self::Output {
            let history = prefix::<G>(self.0, self.1);
            let mut moves = Vec::new();
            history.legal_moves(&mut moves);
            let position = history.position();
            (position.text(), moves.into_iter().map(|mv| position.move_text(mv)).collect())
        }
    }
    visit(name_of(spec), Texts(spec, seed)).expect("the spec names a game")
}

fn name_of(spec: &str) -> &str {
    spec.split(':').next().unwrap_or("")
}

fn known_rules<G: Game>(spec: &str) -> G::Rules {
    rules::<G>(spec).unwrap_or_else(|error| panic!("a spec of the list is rejected: {error}"))
}

/// Plays the first moves of a random game.
fn prefix<G: Game>(spec: &str, seed: u64) -> History<G> {
    let mut history = History::<G>::new(known_rules::<G>(spec));
    let mut rng = Rng::new(seed);
    for _ in 0..rng.below(LONGEST_PREFIX) {
        if !random_move(&mut history, &mut rng) {
            break;
        }
    }
    history
}

/// Plays a random move; returns whether there was one.
fn random_move<G: Game>(history: &mut History<G>, rng: &mut Rng) -> bool {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    if moves.is_empty() {
        return false;
    }
    history.play(moves[rng.below(moves.len())]);
    true
}

/// Checks those laws of a position that are cheap to check.
fn check_position<G: Knowledge>(spec: &str, history: &History<G>) {
    let position = history.position();
    let text = position.text();
    let parsed = G::parse(history.rules(), &text);
    let parsed =
        parsed.unwrap_or_else(|error| panic!("{spec}: a position cannot be parsed from its own text: {error}"));
    assert!(parsed == *position, "{spec}: {text} is parsed as {parsed:?} instead of {position:?}");
    assert_eq!(parsed.text(), text, "{spec}: the text of the parsed position differs");
    assert_eq!(parsed.key(), position.key(), "{spec}: the key of the parsed position differs in {text}");
    let same = parsed.repetition_key() == position.repetition_key();
    assert!(same, "{spec}: the repetition key of the parsed position differs in {text}");

    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let counted = position.count_moves(&mut Vec::new());
    assert_eq!(counted, moves.len(), "{spec}: count_moves disagrees with legal_moves in {text}");
    let is_over = position.is_over();
    assert_eq!(is_over, position.outcome().is_some(), "{spec}: only terminal positions have an outcome: {text}");
    assert_eq!(is_over, moves.is_empty(), "{spec}: only terminal positions have no moves: {text}");
    if let Some(outcome) = history.outcome() {
        let players = usize::from(history.facts().players);
        assert_eq!(outcome.scores().len(), players, "{spec}: one score per player in {text}");
    }
    for seat in 0..history.facts().players {
        let inside = position.evaluation(Player(seat)).is_none_or(|value| value > -1.0 && value < 1.0);
        assert!(inside, "{spec}: an evaluation is not between -1 and 1 in {text}");
    }
    assert!(!position.view().to_string().is_empty(), "{spec}: the view is empty: {text}");
    let slots = history.facts().move_indices;
    for &mv in &moves {
        let move_text = position.move_text(mv);
        assert!(position.move_index(mv) < slots, "{spec}: the index of {move_text} is out of range in {text}");
        let at_start = history.positions()[0].move_index(mv);
        assert_eq!(
            position.move_index(mv),
            at_start,
            "{spec}: the index of {move_text} differs between the start and {text}"
        );
    }
    // Parsing a move takes linear time, so only a few are parsed.
    for &mv in moves.iter().step_by(1 + moves.len() / 4) {
        let move_text = position.move_text(mv);
        let found = position.parse_move(&move_text);
        assert_eq!(found, Ok(mv), "{spec}: the text of a move is parsed as another move in {text}");
    }
}
