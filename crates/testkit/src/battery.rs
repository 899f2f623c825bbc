//! The battery for games: plays random games and checks every position against the laws of the game
//! interface.

#[cfg(test)]
mod tests;

use crate::distribution::{is_same, is_uniform};
use crate::law::Laws;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::fmt;
use tesuji_core::{
    Game, History, ImmediateWin, Knowledge, MoveCode, Outcome, Player, PlayoutContext, Repetition, Rng, Rules,
    SpecError, Visitor, plain_informed_playout, plain_weighted_playout, reference_playout, reference_playout_with_wins,
    static_bounds_are_sound,
};
use tesuji_games::{rules, unknown_game, visit};

/// The amount of work.
#[derive(Clone, Debug)]
pub struct Effort {
    /// The number of random games; every position of each is checked.
    pub games: u32,
    /// Playouts per sample when distributions are compared.
    pub playouts: u32,
    /// The seed of the random games.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { games: 20, playouts: 4000, seed: 1 }
    }
}

/// The largest number of moves generated for a sample of playouts: long games on large boards get
/// smaller samples.
const MOST_CHOICES: u64 = 20_000_000;
/// The largest number of playouts whose owners are compared: they follow from the end of a playout.
const OWNED_PLAYOUTS: u32 = 100;
/// The playouts by weight from a position for each policy.
const WEIGHTED_PLAYOUTS: u32 = 20;

/// The result of the battery.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The spec of the game.
    pub spec: String,
    /// The laws with their results.
    pub laws: Laws,
    /// The number of random games.
    pub games: u32,
    /// The number of positions in these games.
    pub positions: u64,
    /// The mean number of plies of a random game.
    pub mean_plies: f64,
    /// The mean number of legal moves at a position.
    pub branching: f64,
}

impl Report {
    /// Whether every law held.
    pub fn passed(&self) -> bool {
        self.laws.hold()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} random games, {} positions, {:.1} plies a game, {:.2} moves a position",
            self.spec, self.games, self.positions, self.mean_plies, self.branching
        )?;
        self.laws.fmt(f)
    }
}

/// Runs the battery on a spec.
pub fn run(spec: &str, effort: &Effort) -> Result<Report, SpecError> {
    struct Run<'a>(&'a str, &'a Effort);
    impl Visitor for Run<'_> {
        type Output = Result<Report, SpecError>;

        fn visit<G: Knowledge>(self) -> Self::Output {
            Ok(run_game::<G>(self.0, rules::<G>(self.0)?, self.1))
        }
    }
    let name = spec.split(':').next().unwrap_or("");
    visit(name, Run(spec, effort)).unwrap_or_else(|| Err(unknown_game(name)))
}

/// Runs the battery on any game, including games that are not in the list.
pub fn run_game<G: Knowledge>(spec: &str, rules: G::Rules, effort: &Effort) -> Report {
    let mut battery = Battery::<G>::new(rules);
    let (mut plies, mut choices) = (0u64, 0u64);
    for number in 0..effort.games {
        let mut rng = Rng::stream(effort.seed, u64::from(number));
        let (game_plies, game_choices) = battery.random_game(&mut rng, number);
        plies += game_plies;
        choices += game_choices;
    }
    let choices_a_game = choices / u64::from(effort.games.max(1));
    let playouts = effort.playouts.min((MOST_CHOICES / choices_a_game.max(1)) as u32);
    battery.playouts(playouts, effort.seed);
    Report {
        spec: spec.to_string(),
        laws: battery.laws,
        games: effort.games,
        positions: plies + u64::from(effort.games),
        mean_plies: plies as f64 / f64::from(effort.games.max(1)),
        branching: choices as f64 / (plies.max(1)) as f64,
    }
}

/// The position text of every key seen, to detect different positions with the same key.
#[derive(Default)]
struct KeyTexts(HashMap<u64, String>);

impl KeyTexts {
    /// Returns the text of a different position with this key, if one was seen.
    fn collision(&mut self, key: u64, text: &str) -> Option<String> {
        let known = self.0.entry(key).or_insert_with(|| text.to_string());
        (known != text).then(|| known.clone())
    }
}

const UNIQUE: &str = "legal moves are unique, counted correctly, and the same on every call";
const CAP: &str = "the outcome at the length cap has a score in range for every player";
const ENDS: &str = "a terminal position has an outcome and no moves, any other has moves and no outcome";
const TEXT: &str = "the text of a position parses back to the same position";
const KEY: &str = "the incremental key equals the key of the parsed position";
const KEY_COLLISION: &str = "different positions have different keys";
const MOVE_TEXT: &str = "move texts are unique and parse back";
const MOVE_INDEX: &str = "move indices are unique and below their bound";
const ENDING: &str = "only a terminal position has a reason for its end and winning cells, which are cells of the view";
const CLICKS: &str = "every legal move has its own clicks, on cells, pieces or buttons of the view";
const SYMMETRY: &str = "symmetries commute with play";
const LENGTH: &str = "games end within the length of the facts";
const SCORES: &str = "scores are in range and zero-sum for two players; draws occur only if the facts allow them";
const UNDO: &str = "undo restores the position, and a game replays from its text";
const KNOWLEDGE: &str =
    "evaluations lie in (-1, 1) and sum to zero for two players; categories and playout moves are valid";
const STATIC_BOUNDS: &str = "static bounds follow from the outcomes or static bounds after each move";
const NULL_MOVE: &str = "a null move leads to another position, with the opponent to move unless it ends the game";
const IMMEDIATE_WIN: &str =
    "an immediate win is what trying all moves shows; where it is known, no move loses at once, and players alternate";
const REPEAT: &str = "positions do not repeat if the facts rule it out";
const CYCLES: &str = "a game that ends by repetition or length has the outcome that the rules promise";
const RANDOM_MOVE: &str = "playouts draw uniformly from the playout moves";
const PLAYOUT: &str = "the game's playout has the distribution of the reference playout";
const OWNERS: &str = "a playout reports the owners of the cells of its last position";
const TRACE: &str = "the traced moves of a playout lead to its outcome";

struct Battery<G: Game> {
    rules: G::Rules,
    laws: Laws,
    texts: KeyTexts,
}

impl<G: Knowledge> Battery<G> {
    fn new(rules: G::Rules) -> Self {
        let all = [
            UNIQUE,
            ENDS,
            CAP,
            TEXT,
            KEY,
            KEY_COLLISION,
            MOVE_TEXT,
            MOVE_INDEX,
            ENDING,
            CLICKS,
            SYMMETRY,
            LENGTH,
            SCORES,
            UNDO,
            KNOWLEDGE,
            STATIC_BOUNDS,
            IMMEDIATE_WIN,
            NULL_MOVE,
            REPEAT,
            CYCLES,
            RANDOM_MOVE,
            PLAYOUT,
            OWNERS,
            TRACE,
        ];
        Battery { rules, laws: Laws::new(&all), texts: KeyTexts::default() }
    }

    fn check(&mut self, law: &'static str, result: Result<(), String>) {
        self.laws.check(law, result);
    }

    fn demand(&mut self, law: &'static str, holds: bool, failure: impl FnOnce() -> String) {
        self.laws.demand(law, holds, failure);
    }

    /// Plays one random game; returns its length and its total number of legal moves.
    fn random_game(&mut self, rng: &mut Rng, number: u32) -> (u64, u64) {
        let mut history = History::<G>::new(self.rules.clone());
        let cap = history.facts().length.plies();
        let (mut plies, mut choices) = (0, 0);
        let mut keys = HashSet::new();
        let mut moves = Vec::new();
        loop {
            let position = history.position().clone();
            moves.clear();
            history.legal_moves(&mut moves);
            self.position(&history, &moves);
            if history.facts().repetition == Repetition::Impossible {
                self.demand(REPEAT, keys.insert(position.key()), || position.text());
            }
            if history.is_over() {
                break;
            }
            self.demand(LENGTH, plies < u64::from(cap), || format!("game {number} is longer than {cap} plies"));
            if moves.is_empty() || plies >= u64::from(cap) {
                break;
            }
            choices += moves.len() as u64;
            let mv = moves[rng.below(moves.len())];
            // The first game undoes and repeats every move.
            if number == 0 {
                history.play(mv);
                let undone = history.undo();
                let same = undone == Some(mv) && *history.position() == position && {
                    let mut again = Vec::new();
                    history.legal_moves(&mut again);
                    again == moves
                };
                self.demand(UNDO, same, || position.text());
            }
            history.play(mv);
            plies += 1;
        }
        self.cycle(&history);
        self.replay(&history);
        (plies, choices)
    }

    /// Checks that a game that ended by repetition or at the length cap has the outcome on which
    /// proofs rely.
    fn cycle(&mut self, history: &History<G>) {
        if !history.ended_by_history() {
            return;
        }
        let by_repetition = history.moves().len() < history.facts().length.plies() as usize;
        let here = history.position().outcome_of_any_cycle().filter(|_| by_repetition);
        for promised in [self.rules.cycle_outcome(), here].into_iter().flatten() {
            let holds = history.outcome() == Some(promised);
            self.demand(CYCLES, holds, || format!("{promised:?} at {}", history.position().text()));
        }
    }

    /// Parses the game from its start and moves, as a command line or a log gives it.
    fn replay(&mut self, history: &History<G>) {
        let texts: Vec<String> =
            history.moves().iter().zip(history.positions()).map(|(&mv, position)| position.move_text(mv)).collect();
        let text = format!("start moves {}", texts.join(" "));
        let again = History::<G>::parse(self.rules.clone(), &text);
        let same =
            again.is_ok_and(|again| again.position() == history.position() && again.outcome() == history.outcome());
        self.demand(UNDO, same, || text);
    }

    fn position(&mut self, history: &History<G>, legal: &[G::Move]) {
        let position = history.position();
        let facts = *history.facts();
        let text = position.text();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut again = Vec::new();
        position.legal_moves(&mut again);
        let unique = moves.iter().collect::<HashSet<_>>().len() == moves.len();
        let counted = position.count_moves(&mut Vec::new()) == moves.len();
        self.demand(UNIQUE, unique && moves == again && counted, || text.clone());
        let terminal = position.is_over();
        let consistent = terminal == position.outcome().is_some()
            && terminal == moves.is_empty()
            && history.is_over() == legal.is_empty();
        self.demand(ENDS, consistent, || text.clone());
        let capped = position.outcome_at_cap();
        let range = facts.scores.0..=facts.scores.1;
        let fits = capped.scores().len() == usize::from(facts.players)
            && capped.scores().iter().all(|score| range.contains(score));
        self.demand(CAP, fits, || format!("{capped:?} at {text}"));

        match G::parse(&self.rules, &text) {
            Err(error) => self.check(TEXT, Err(error.to_string())),
            Ok(parsed) => {
                self.demand(TEXT, parsed == *position && parsed.text() == text && !text.contains('\n'), || {
                    text.clone()
                });
                self.demand(KEY, parsed.key() == position.key(), || text.clone());
                let same_repetition = parsed.repetition_key() == position.repetition_key();
                self.demand(KEY, same_repetition, || format!("repetition key of {text}"));
            }
        }
        let collision = self.texts.collision(position.key(), &text);
        self.demand(KEY_COLLISION, collision.is_none(), || format!("{text} and {}", collision.unwrap_or_default()));

        self.move_names(position, &moves, &text);
        self.ending(position, &text);
        self.clicks(position, &moves, &text);
        self.symmetries(position, &moves, &text);
        self.static_bounds(position, &text);
        self.knowledge(position, &moves, &text);
        if let Some(outcome) = history.outcome() {
            self.outcome(&outcome, history, &text);
        }
    }

    /// Checks the texts and indices of the moves.
    fn move_names(&mut self, position: &G, moves: &[G::Move], text: &str) {
        let texts: Vec<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
        let lower: HashSet<String> = texts.iter().map(|text| text.to_lowercase()).collect();
        let is_word = |text: &String| !text.is_empty() && !text.contains(char::is_whitespace);
        self.demand(MOVE_TEXT, lower.len() == moves.len() && texts.iter().all(is_word), || {
            format!("{texts:?} in {text}")
        });
        for mv in sample(moves, position.key()) {
            let move_text = position.move_text(mv);
            let back =
                position.parse_move(&move_text) == Ok(mv) && position.parse_move(&move_text.to_lowercase()) == Ok(mv);
            self.demand(MOVE_TEXT, back, || format!("{move_text:?} in {text}"));
        }
        self.demand(MOVE_TEXT, position.parse_move("no such move").is_err(), || text.to_string());
        let indices: HashSet<usize> = moves.iter().map(|&mv| position.move_index(mv)).collect();
        let dense =
            indices.len() == moves.len() && indices.iter().all(|&index| index < self.rules.facts().move_indices);
        self.demand(MOVE_INDEX, dense, || text.to_string());
    }

    fn outcome(&mut self, outcome: &Outcome, history: &History<G>, text: &str) {
        let facts = *history.facts();
        let scores = outcome.scores();
        let in_range = scores.iter().all(|score| (facts.scores.0..=facts.scores.1).contains(score));
        let zero_sum = facts.players != 2 || scores[0] + scores[1] == 0 || facts.scores.0 >= 0;
        let drawn = facts.players > 1 && (0..facts.players).all(|seat| outcome.win_share(Player(seat)) < 1.0);
        let fits = scores.len() == usize::from(facts.players) && in_range && zero_sum && (facts.draws || !drawn);
        self.demand(SCORES, fits, || format!("{scores:?} with {facts:?} in {text}"));
    }

    /// Checks the reason of the end and the winning cells.
    fn ending(&mut self, position: &G, text: &str) {
        let (reason, cells) = (position.ending_reason(), position.winning_cells());
        let view = position.view();
        let exist = cells.iter().all(|name| view.cells.iter().any(|cell| cell.name == *name));
        let unique = cells.iter().collect::<HashSet<_>>().len() == cells.len();
        let silent = reason.is_none() && cells.is_empty();
        self.demand(ENDING, exist && unique && (silent || position.is_over()), || {
            format!("{reason:?} {cells:?} in {text}")
        });
    }

    fn clicks(&mut self, position: &G, moves: &[G::Move], text: &str) {
        const BUTTONS: [&str; 4] = ["pass", "swap", "+", "="];
        let view = position.view();
        let names: HashSet<String> = view
            .cells
            .iter()
            .map(|cell| cell.name.clone())
            .chain(view.hands.iter().flat_map(|hand| hand.pieces.iter().map(|(piece, _)| piece.clone())))
            .chain(BUTTONS.map(str::to_string))
            .collect();
        let unique_cells = view.cells.iter().map(|cell| &cell.name).collect::<HashSet<_>>().len() == view.cells.len();
        self.demand(CLICKS, unique_cells && !view.to_string().is_empty(), || format!("cells of {text}"));
        let clicks: Vec<Vec<String>> = moves.iter().map(|&mv| position.clicks(mv)).collect();
        let unique = clicks.iter().collect::<HashSet<_>>().len() == clicks.len();
        let exist = clicks.iter().all(|clicks| !clicks.is_empty() && clicks.iter().all(|click| names.contains(click)));
        self.demand(CLICKS, unique && exist, || format!("{clicks:?} in {text}"));
    }

    fn symmetries(&mut self, position: &G, moves: &[G::Move], text: &str) {
        for &symmetry in position.symmetries() {
            let image = position.transformed(symmetry);
            let parsed = G::parse(&self.rules, &image.text());
            let sound = parsed.is_ok_and(|parsed| parsed == image && parsed.key() == image.key())
                && image.outcome() == position.outcome()
                && image.to_move() == position.to_move();
            self.demand(SYMMETRY, sound, || format!("{symmetry:?} of {text} gives {}", image.text()));
            let mut image_moves = Vec::new();
            image.legal_moves(&mut image_moves);
            let expected: HashSet<G::Move> = image_moves.into_iter().collect();
            let mapped: HashSet<G::Move> = moves.iter().map(|&mv| position.transformed_move(mv, symmetry)).collect();
            self.demand(SYMMETRY, expected == mapped, || format!("the moves of {text} under {symmetry:?}"));
            for mv in sample(moves, position.key()) {
                let (mut played, mut image_played) = (position.clone(), image.clone());
                played.play(mv);
                image_played.play(position.transformed_move(mv, symmetry));
                let same = played.transformed(symmetry) == image_played;
                self.demand(SYMMETRY, same, || format!("{} in {text} under {symmetry:?}", position.move_text(mv)));
            }
        }
    }

    fn static_bounds(&mut self, position: &G, text: &str) {
        let facts = self.rules.facts();
        for player in (0..facts.players).map(Player) {
            if let Some(bounds) = position.static_bounds(player) {
                self.demand(STATIC_BOUNDS, static_bounds_are_sound(position, player, &facts), || {
                    format!("{bounds:?} in {text}")
                });
            }
        }
    }

    /// An immediate win, and that the player to move loses by no move where the game knows of one.
    fn immediate_win(&mut self, position: &G, moves: &[G::Move], text: &str) {
        if moves.is_empty() {
            return;
        }
        let claim = position.immediate_win();
        if claim == ImmediateWin::Unknown {
            return;
        }
        let mover = position.to_move();
        let score_after = |mv: G::Move| {
            let mut next = position.clone();
            next.play(mv);
            // Staying to move counts as a loss, which must not occur.
            let open = if next.to_move() == mover { -1 } else { 0 };
            next.outcome().map_or(open, |outcome| outcome.score(mover))
        };
        let scores: Vec<i32> = moves.iter().map(|&mv| score_after(mv)).collect();
        let agrees = match claim {
            ImmediateWin::Yes(win) => moves.iter().zip(&scores).any(|(&mv, &score)| mv == win && score > 0),
            _ => scores.iter().all(|&score| score <= 0),
        };
        let holds = agrees && scores.iter().all(|&score| score >= 0);
        self.demand(IMMEDIATE_WIN, holds, || format!("{claim:?} in {text}"));
    }

    fn null_move(&mut self, position: &G, text: &str) {
        let Some(passed) = position.null_move().filter(|_| !position.is_over()) else { return };
        let mut moves = Vec::new();
        passed.legal_moves(&mut moves);
        let is_sound = if passed.is_over() {
            passed.outcome().is_some() && moves.is_empty()
        } else {
            let has_changed = passed.key() != position.key() && passed.to_move() == position.to_move().opponent();
            has_changed && passed.outcome().is_none() && !moves.is_empty()
        };
        self.demand(NULL_MOVE, is_sound, || format!("{passed:?} in {text}"));
    }

    fn knowledge(&mut self, position: &G, moves: &[G::Move], text: &str) {
        let players = self.rules.facts().players;
        for number in 0..=G::EVALUATIONS.len() {
            let value = |seat: u8| position.evaluation_by(number, Player(seat));
            let values: Vec<Option<f32>> = (0..players).map(value).collect();
            let inside = values.iter().flatten().all(|value| *value > -1.0 && *value < 1.0);
            let cancels = match values[..] {
                [Some(first), Some(second)] => (first + second).abs() < 1e-5,
                _ => true,
            };
            let exists = number == 0 || values.iter().all(Option::is_some);
            self.demand(KNOWLEDGE, inside && cancels && exists, || format!("{values:?} in {text}"));
        }
        self.immediate_win(position, moves, text);
        self.null_move(position, text);
        let categories = G::categories(&self.rules).unwrap_or(0);
        let bounded = moves.iter().all(|&mv| position.category(mv).is_none_or(|category| category < categories));
        self.demand(KNOWLEDGE, bounded, || format!("categories in {text}"));
        let mut playout_moves = Vec::new();
        position.playout_moves(&mut playout_moves);
        let legal: HashSet<G::Move> = moves.iter().copied().collect();
        let sound = playout_moves.is_empty() == moves.is_empty() && playout_moves.iter().all(|mv| legal.contains(mv));
        self.demand(KNOWLEDGE, sound, || format!("playout moves in {text}"));
        for policy in (0..position.informed_policies()).chain(position.relaxed_choice()) {
            let mut informed = Vec::new();
            position.informed_moves(policy, &mut informed);
            let sound = informed.is_empty() == moves.is_empty() && informed.iter().all(|mv| legal.contains(mv));
            self.demand(KNOWLEDGE, sound, || format!("informed moves of policy {policy} in {text}"));
            self.coded_moves(position, Some(policy), &informed, text);
        }
        self.coded_moves(position, None, &playout_moves, text);
    }

    fn coded_moves(&mut self, position: &G, policy: Option<usize>, expected: &[G::Move], text: &str) {
        let (mut moves, mut codes) = (Vec::new(), Vec::new());
        position.coded_moves(policy, &mut moves, &mut codes);
        let code = |&mv: &G::Move| MoveCode { code: position.move_code(mv), bias: position.move_bias(mv) };
        let agree = moves == expected && codes == moves.iter().map(code).collect::<Vec<_>>();
        self.demand(KNOWLEDGE, agree, || format!("coded moves of policy {policy:?} in {text}"));
    }

    /// Compares the game's playout with the reference, from four positions of a random game.
    fn playouts(&mut self, playouts: u32, seed: u64) {
        let mut rng = Rng::stream(seed, 0x504C_4159);
        let mut history = History::<G>::new(self.rules.clone());
        let mut moves = Vec::new();
        while !history.is_over() {
            moves.clear();
            history.legal_moves(&mut moves);
            history.play(moves[rng.below(moves.len())]);
        }
        let last = history.moves().len();
        for ply in [0, last / 3, 2 * last / 3, last.saturating_sub(3)] {
            let position = history.positions()[ply].clone();
            self.playouts_from(&position, playouts, seed);
            self.playouts_with_wins_from(&position, playouts, seed);
            let policies = position.informed_policies();
            if policies > 0 && !position.is_over() {
                self.informed_playouts_from(&position, rng.below(policies), playouts, seed);
            }
            for policy in (0..policies).chain(position.relaxed_choice()).map(Some).chain([None]) {
                self.weighted_playouts_from(&position, policy, playouts.min(WEIGHTED_PLAYOUTS), seed);
            }
            self.owners_from(&position, playouts.min(OWNED_PLAYOUTS), seed);
        }
    }

    /// Compares the game's weighted playouts with the default, move by move. The weights are whole
    /// numbers, so that sums are exact in any order.
    fn weighted_playouts_from(&mut self, position: &G, policy: Option<usize>, playouts: u32, seed: u64) {
        let cap = self.rules.facts().length.plies();
        let mut contexts = [(); 2].map(|()| PlayoutContext::new(Rng::stream(seed, 0x5745_4947), cap));
        for number in 0..u64::from(playouts) {
            let mut weight = |code: &MoveCode| (1 + (code.code ^ number) % 7) as f64;
            let (mut moves, mut expected) = (Vec::new(), Vec::new());
            let outcome = position.clone().weighted_playout(policy, &mut weight, &mut contexts[0], &mut moves);
            let plain =
                plain_weighted_playout(&mut position.clone(), policy, &mut weight, &mut contexts[1], &mut expected);
            self.demand(PLAYOUT, (outcome, &moves) == (plain, &expected), || {
                format!("weighted playouts of policy {policy:?} from {}", position.text())
            });
        }
    }

    /// Compares the owners that playouts report with those of their last positions.
    fn owners_from(&mut self, position: &G, playouts: u32, seed: u64) {
        let mut owners = Vec::new();
        if !position.owners(&mut owners) {
            return;
        }
        let cells = position.view().cells.len();
        self.demand(OWNERS, owners.len() == cells, || format!("{} owners of {cells} cells", owners.len()));
        let cap = self.rules.facts().length.plies();
        let mut contexts = [(); 2].map(|()| PlayoutContext::new(Rng::stream(seed, 0x4F57_4E53), cap));
        for _ in 0..playouts {
            let (mut trace, mut expected) = (Vec::new(), Vec::new());
            let outcome = position.clone().playout(&mut contexts[0], &mut trace);
            let mut end = position.clone();
            trace.iter().for_each(|&mv| end.play(mv));
            end.owners(&mut expected);
            owners.clear();
            let counted = position.clone().playout_with_owners(&mut contexts[1], &mut (), &mut owners);
            self.demand(OWNERS, (counted, &owners) == (outcome, &expected), || format!("from {}", position.text()));
        }
    }

    fn informed_playouts_from(&mut self, position: &G, policy: usize, playouts: u32, seed: u64) {
        let facts = self.rules.facts();
        let mut context = PlayoutContext::new(Rng::stream(seed, 0x494E_464F), facts.length.plies());
        let (mut reference, mut traced) = (PlayoutSample::default(), PlayoutSample::default());
        let mut listed_moves = Vec::new();
        position.informed_moves(policy, &mut listed_moves);
        let mut first = vec![0u64; listed_moves.len()];
        let mut trace = Vec::new();
        for _ in 0..playouts {
            trace.clear();
            let outcome = plain_informed_playout(&mut position.clone(), policy, &mut context, &mut trace);
            reference.add(&outcome, trace.len());
            trace.clear();
            let outcome = position.clone().informed_playout(policy, &mut context, &mut trace);
            traced.add(&outcome, trace.len());
            self.retrace(position, &trace, &outcome, context.cap);
            if let Some(at) = trace.first().and_then(|mv| listed_moves.iter().position(|listed| listed == mv)) {
                first[at] += 1;
            }
        }
        let located = |failure: String| format!("{failure} in playouts of policy {policy} from {}", position.text());
        self.demand(RANDOM_MOVE, first.iter().sum::<u64>() == u64::from(playouts), || {
            located("a first move that is not listed".into())
        });
        self.check(RANDOM_MOVE, is_uniform(&first).map_err(located));
        self.check(PLAYOUT, is_same(&reference.scores, &traced.scores).map_err(located));
        self.check(PLAYOUT, is_same(&reference.lengths, &traced.lengths).map_err(located));
    }

    fn playouts_with_wins_from(&mut self, position: &G, playouts: u32, seed: u64) {
        let facts = self.rules.facts();
        let mut context = PlayoutContext::new(Rng::stream(seed, 0x5749_4E53), facts.length.plies());
        let (mut reference, mut traced) = (PlayoutSample::default(), PlayoutSample::default());
        let mut trace = Vec::new();
        for _ in 0..playouts {
            trace.clear();
            let outcome = reference_playout_with_wins(&mut position.clone(), &mut context, &mut trace);
            reference.add(&outcome, trace.len());
            trace.clear();
            let Some(outcome) = position.clone().playout_with_wins(&mut context, &mut trace) else { return };
            traced.add(&outcome, trace.len());
            self.retrace(position, &trace, &outcome, context.cap);
        }
        let located = |failure: String| format!("{failure} in playouts with wins from {}", position.text());
        self.check(PLAYOUT, is_same(&reference.scores, &traced.scores).map_err(located));
        self.check(PLAYOUT, is_same(&reference.lengths, &traced.lengths).map_err(located));
    }

    fn playouts_from(&mut self, position: &G, playouts: u32, seed: u64) {
        let facts = self.rules.facts();
        let mut context = PlayoutContext::new(Rng::stream(seed, 0x5445_5354), facts.length.plies());
        let mut listed_moves = Vec::new();
        position.playout_moves(&mut listed_moves);
        if !position.is_over() {
            let mut drawn = vec![0u64; listed_moves.len()];
            let mut first = vec![0u64; listed_moves.len()];
            for _ in 0..playouts {
                let mv = position.playout_move(&mut context);
                match listed_moves.iter().position(|&listed| listed == mv) {
                    Some(at) => drawn[at] += 1,
                    None => self.check(RANDOM_MOVE, Err(format!("{} in {}", position.move_text(mv), position.text()))),
                }
                let mut trace = Vec::new();
                position.clone().playout(&mut context, &mut trace);
                if let Some(at) = trace.first().and_then(|mv| listed_moves.iter().position(|listed| listed == mv)) {
                    first[at] += 1;
                }
            }
            let located = |failure: String| format!("{failure} in {}", position.text());
            self.check(RANDOM_MOVE, is_uniform(&drawn).map_err(located));
            self.check(RANDOM_MOVE, is_uniform(&first).map_err(located));
            self.demand(RANDOM_MOVE, first.iter().sum::<u64>() == u64::from(playouts), || {
                located("an empty playout".into())
            });
        }
        let mut reference = PlayoutSample::default();
        let mut traced = PlayoutSample::default();
        let mut untraced: Vec<i64> = Vec::new();
        for _ in 0..playouts {
            let mut trace = Vec::new();
            let outcome = reference_playout(&mut position.clone(), &mut context, &mut trace);
            reference.add(&outcome, trace.len());
            trace.clear();
            let outcome = position.clone().playout(&mut context, &mut trace);
            traced.add(&outcome, trace.len());
            self.retrace(position, &trace, &outcome, context.cap);
            untraced.push(i64::from(position.clone().playout(&mut context, &mut ()).score(Player::FIRST)));
        }
        let located = |failure: String| format!("{failure} in {}", position.text());
        self.check(PLAYOUT, is_same(&reference.scores, &traced.scores).map_err(located));
        self.check(PLAYOUT, is_same(&reference.lengths, &traced.lengths).map_err(located));
        self.check(PLAYOUT, is_same(&reference.scores, &untraced).map_err(located));
    }

    fn retrace(&mut self, position: &G, trace: &[G::Move], outcome: &Outcome, cap: u32) {
        let mut replayed = position.clone();
        for (ply, &mv) in trace.iter().enumerate() {
            let mut moves = Vec::new();
            replayed.legal_moves(&mut moves);
            if !moves.contains(&mv) {
                self.check(TRACE, Err(format!("illegal move {ply} of a playout from {}", position.text())));
                return;
            }
            replayed.play(mv);
        }
        let capped = trace.len() as u32 >= cap && !replayed.is_over();
        let end = if capped { Some(replayed.outcome_at_cap()) } else { replayed.outcome() };
        self.demand(TRACE, end.as_ref() == Some(outcome), || format!("{outcome:?} from {}", position.text()));
    }
}

/// Returns about eight of the moves, chosen by the salt, for checks that are too slow to run on
/// every move of a large board.
fn sample<M: Copy>(moves: &[M], salt: u64) -> impl Iterator<Item = M> + '_ {
    let step = moves.len() / 8 + 1;
    moves.iter().copied().skip(salt as usize % step).step_by(step)
}

#[derive(Default)]
struct PlayoutSample {
    scores: Vec<i64>,
    lengths: Vec<i64>,
}

impl PlayoutSample {
    fn add(&mut self, outcome: &Outcome, length: usize) {
        self.scores.push(i64::from(outcome.score(Player::FIRST)));
        self.lengths.push(length as i64);
    }
}
