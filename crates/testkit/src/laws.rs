//! Laws about texts and files from outside: whatever they say, they are read or refused, and what was read is sound.
//!
//! The fuzz targets in `fuzz/` and the property tests call these functions; each panics with a sentence when its law is broken.

use crate::agreement::random_graph;
use tesuji_catalog::open;
use tesuji_core::rng::mix;
use tesuji_core::{Game, History, Knowledge, Outcome, Player, PlayoutContext, Rng, Spec, Visitor};
use tesuji_games::{Synthetic, rules, visit};
use tesuji_proof::{Bound, Certificate, Claim, Writer, raw};
use tesuji_search::minimax::value;

/// So many moves are played on from a position that was read.
const FOLLOWED: usize = 12;
/// A random beginning of a game has fewer moves than this.
const LONGEST_PREFIX: usize = 60;

/// Certificates and the games that they are about are left alone when they are larger than this.
const MOST_NODES: u64 = 100_000;

/// What an [`Edit`] puts into a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insert {
    /// Nothing.
    Nothing,
    /// A letter.
    Letter(char),
    /// The letter that stands in a place of the text, modulo its length: it is more likely to make sense than any other.
    Copy(usize),
}

/// A change of a text by one letter: something else in its place, something before it, or nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edit {
    /// Which letter, modulo the length of the text and one more.
    pub at: usize,
    /// Whether the letter there goes.
    pub removes: bool,
    /// What comes.
    pub inserts: Insert,
}

/// A text with changes made in their order.
///
/// ```
/// use tesuji_testkit::laws::{Edit, Insert, edited};
///
/// let lower = Edit { at: 0, removes: true, inserts: Insert::Letter('h') };
/// let longer = Edit { at: 3, removes: false, inserts: Insert::Copy(1) };
/// assert_eq!(edited("Hex", &[lower, longer]), "hexe");
/// ```
pub fn edited(text: &str, edits: &[Edit]) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for edit in edits {
        let at = edit.at % (letters.len() + 1);
        let comes = match edit.inserts {
            Insert::Nothing => None,
            Insert::Letter(letter) => Some(letter),
            Insert::Copy(from) => letters.get(from % letters.len().max(1)).copied(),
        };
        if edit.removes && at < letters.len() {
            letters.remove(at);
        }
        if let Some(letter) = comes {
            letters.insert(at, letter);
        }
    }
    letters.into_iter().collect()
}

/// A spec is read or refused, a spec that was read prints back the same, and a game that opens can be looked at.
pub fn spec_law(text: &str) {
    match text.parse::<Spec>() {
        Ok(spec) => assert_eq!(spec.to_string(), text, "a spec prints back as it was written"),
        Err(error) => assert!(!error.to_string().is_empty(), "an error says something about {text:?}"),
    }
    match open(text, "start") {
        Ok(session) => {
            assert_eq!(session.spec().to_string(), text, "a game knows the spec it was opened with");
            let over = session.ending().is_some();
            assert_eq!(over, session.legal_moves().is_empty(), "{text:?} has moves unless it is over");
            assert!(!session.view().to_string().is_empty(), "{text:?} can be drawn");
            let again = open(text, &session.text());
            let again = again.unwrap_or_else(|error| panic!("{text:?} refuses its own start: {error}"));
            assert_eq!(again.key(), session.key(), "{text:?} reads its own start");
        }
        Err(error) => assert!(!error.to_string().is_empty(), "an error says something about {text:?}"),
    }
}

/// A position is read or refused; what was read obeys the laws of positions, and so does what is played from it.
pub fn position_law(spec: &str, text: &str) {
    struct Read<'a>(&'a str, &'a str);
    impl Visitor for Read<'_> {
        type Output = ();

        fn visit<G: Knowledge>(self) {
            let rules = known_rules::<G>(self.0);
            if let Err(error) = History::<G>::parse(rules.clone(), self.1) {
                assert!(!error.to_string().is_empty(), "an error says something about {:?}", self.1);
            }
            let Ok(position) = G::parse(&rules, self.1) else { return };
            let mut rng = Rng::new(self.1.bytes().fold(1, |seed, byte| mix(seed ^ u64::from(byte))));
            let mut history = History::from_position(rules, position);
            for _ in 0..FOLLOWED {
                sound(self.0, &history);
                if !random_move(&mut history, &mut rng) {
                    break;
                }
            }
            let mut context = PlayoutContext::new(rng, history.facts().length.plies());
            let outcome = history.position().clone().playout(&mut context, &mut ());
            let players = usize::from(history.facts().players);
            assert_eq!(outcome.scores().len(), players, "{}: everybody gets a score from {:?}", self.0, self.1);
        }
    }
    visit(name_of(spec), Read(spec, text)).expect("the spec names a game");
}

/// In the middle of a game any text is a legal move or refused.
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
                    assert!(moves.contains(&mv), "{spec}: {text:?} gave a move that is not legal in {before}");
                    sound(spec, &history);
                }
                Err(error) => {
                    let named = |&mv: &G::Move| history.position().move_text(mv) == text;
                    assert!(!moves.iter().any(named), "{spec}: {text:?} is legal, but {error} in {before}");
                    assert_eq!(history.position().text(), before, "{spec}: a refused move changes nothing");
                }
            }
        }
    }
    visit(name_of(spec), Play(spec, seed, text)).expect("the spec names a game");
}

/// A game obeys the laws from its start to its end or to the last choice; a choice is the number of a legal move, modulo
/// how many there are.
pub fn game_law(spec: &str, choices: &[u16]) {
    struct Play<'a>(&'a str, &'a [u16]);
    impl Visitor for Play<'_> {
        type Output = ();

        fn visit<G: Knowledge>(self) {
            let mut history = History::<G>::new(known_rules::<G>(self.0));
            let mut moves = Vec::new();
            for &choice in self.1 {
                sound(self.0, &history);
                moves.clear();
                history.legal_moves(&mut moves);
                if moves.is_empty() {
                    return;
                }
                history.play(moves[usize::from(choice) % moves.len()]);
            }
            sound(self.0, &history);
        }
    }
    visit(name_of(spec), Play(spec, choices)).expect("the spec names a game");
}

/// Whatever a forger makes of a certificate with all his checksums right, it is refused, or what it claims is true. The certificate is
/// that of a small random game with cycles; a change is a place (modulo the length) and the byte that goes there.
pub fn forgery_law(seed: u64, changes: &[(usize, u8)]) {
    let spec = random_graph(seed);
    let root = History::<Synthetic>::new(known_rules::<Synthetic>(&spec));
    let Some(score) = value(&mut root.clone(), Player::FIRST, MOST_NODES) else { return };
    let mut writer = Writer::new(Vec::new(), &spec, &root).expect("a root that reads back");
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

/// Whatever bytes say, as a certificate of a synthetic game they are refused, or what they claim is true.
pub fn certificate_law(bytes: &[u8]) {
    let read = Certificate::open(bytes)
        .and_then(|certificate| certificate.walk::<Synthetic>(|progress| progress.positions < MOST_NODES));
    let walk = match read {
        Ok(walk) => walk,
        Err(error) => return assert!(!error.to_string().is_empty(), "an error says something"),
    };
    for (number, proved) in walk.verified().claims.iter().enumerate() {
        let claim = proved.claim;
        if let Some(score) = value(&mut walk.root().clone(), claim.player, MOST_NODES) {
            let is_true = if claim.bound == Bound::AtLeast { score >= claim.score } else { score <= claim.score };
            assert!(
                is_true,
                "{} {}: {claim} was verified, and the value is {score}",
                walk.verified().spec,
                walk.verified().root
            );
        }
        assert!(walk.at(number, walk.root()).is_some(), "a proof has something to say about its root");
    }
}

/// The text of a position from the middle of a random game, and of the legal moves there.
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
    rules::<G>(spec).unwrap_or_else(|error| panic!("a spec of the list is refused: {error}"))
}

/// The beginning of the random game of a seed.
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

/// Plays a random move; false if there is none.
fn random_move<G: Game>(history: &mut History<G>, rng: &mut Rng) -> bool {
    let mut moves = Vec::new();
    history.legal_moves(&mut moves);
    if moves.is_empty() {
        return false;
    }
    history.play(moves[rng.below(moves.len())]);
    true
}

/// The laws of a single position that are cheap to check.
fn sound<G: Knowledge>(spec: &str, history: &History<G>) {
    let position = history.position();
    let text = position.text();
    let parsed = G::parse(history.rules(), &text);
    let parsed = parsed.unwrap_or_else(|error| panic!("{spec}: a position cannot read its own text: {error}"));
    assert!(parsed == *position, "{spec}: another position is read back from {text}: {parsed:?} for {position:?}");
    assert_eq!(parsed.text(), text, "{spec}: the text of a position reads back the same");
    assert_eq!(parsed.key(), position.key(), "{spec}: the key is that of the parsed position in {text}");
    let same = parsed.repetition_key() == position.repetition_key();
    assert!(same, "{spec}: the repetition key is that of the parsed position in {text}");

    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let counted = position.count_moves(&mut Vec::new());
    assert_eq!(counted, moves.len(), "{spec}: as many moves are counted as listed in {text}");
    let over = position.is_over();
    assert_eq!(over, position.outcome().is_some(), "{spec}: a position has an outcome if and only if over: {text}");
    assert_eq!(over, moves.is_empty(), "{spec}: a position has moves unless it is over: {text}");
    if let Some(outcome) = history.outcome() {
        let players = usize::from(history.facts().players);
        assert_eq!(outcome.scores().len(), players, "{spec}: everybody gets a score in {text}");
    }
    for seat in 0..history.facts().players {
        let inside = position.evaluation(Player(seat)).is_none_or(|value| value > -1.0 && value < 1.0);
        assert!(inside, "{spec}: evaluations lie between -1 and 1 in {text}");
    }
    assert!(!position.view().to_string().is_empty(), "{spec}: a position can be drawn: {text}");
    let slots = history.facts().move_slots;
    for &mv in &moves {
        let move_text = position.move_text(mv);
        assert!(position.move_index(mv) < slots, "{spec}: the index of {move_text} is too high in {text}");
        let at_start = history.positions()[0].move_index(mv);
        assert_eq!(position.move_index(mv), at_start, "{spec}: the index of {move_text} changes on the way to {text}");
    }
    // Finding a move by its text looks at all of them, so only some are asked.
    for &mv in moves.iter().step_by(1 + moves.len() / 4) {
        let move_text = position.move_text(mv);
        let found = position.parse_move(&move_text);
        assert_eq!(found, Ok(mv), "{spec}: the text of a move reads back in {text}");
    }
}
