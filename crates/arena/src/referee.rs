//! Referees one game.
//!
//! A player that crashes, does not answer, violates the protocol, plays an illegal move, overruns
//! its time or resigns loses the game; in a game of more than two players all others then win. Any
//! overrun of a clock loses. A time limit per move is enforced only with a tolerance of [`GRACE`]:
//! programs interpret it differently, and a busy machine must not decide games.
//!
//! In a game for one player the limits are those of the whole game. A player that reports complete
//! lines gets all of them for its first turn, and the game follows its line: the score is that of
//! the best line that one search has found, as in the experiments of Baier (2015, chapters 4 and
//! 5). Any other player is asked for every move, and gets an equal share of what is left for each
//! move that may follow.

use crate::clock_terms::ClockTerms;
use crate::matches::distinct_names;
use serde::{Deserialize, Serialize};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tesuji_catalog::{Action, Agent, Choice, Fault, Session, Turn};
use tesuji_core::rng::mix;
use tesuji_core::time::Clock;
use tesuji_core::{Limits, PointScore, Verdict};
use tesuji_gtp::{Children, PlayerSpec, Terms};

/// The tolerance of a time limit per move. Raising it accepts slower programs.
pub const GRACE: Duration = Duration::from_secs(5);

/// The effort of a player in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Effort {
    /// Moves made; in a game for one player, searches made: one search may play the whole game.
    pub moves: u64,
    /// Playouts, if reported.
    pub playouts: u64,
    /// Nodes, if reported.
    pub nodes: u64,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "by")]
pub enum End {
    /// By the rules of the game.
    Rules,
    /// A player resigned.
    Resigned {
        /// The seat.
        seat: usize,
    },
    /// A player failed.
    Fault {
        /// The seat.
        seat: usize,
        /// The fault.
        #[serde(flatten)]
        fault: Fault,
    },
}

/// A finished game: a line of the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlayedGame {
    /// Its number in the match.
    pub number: u64,
    /// The game.
    pub game: String,
    /// The specs of the players by seat.
    pub players: Vec<PlayerSpec>,
    /// The indices of the players in the match, by seat.
    pub seats: Vec<usize>,
    /// The names that the players give themselves; their specs and limits where those are equal.
    pub names: Vec<String>,
    /// The seed of the match.
    pub seed: u64,
    /// The start position and the moves of the opening.
    pub opening: String,
    /// The moves after the opening.
    pub moves: Vec<String>,
    /// How it ended.
    pub end: End,
    /// Win, draw or loss by seat; empty for one player.
    pub verdicts: Vec<Verdict>,
    /// The scores by seat in points, if the game ended by the rules.
    pub scores: Option<Vec<PointScore>>,
    /// A description of the result.
    pub words: String,
    /// The results that the players report, by seat.
    pub said: Vec<Option<String>>,
    /// The effort by seat.
    pub spent: Vec<Effort>,
    /// Timing.
    pub timing: PlayedTiming,
}

/// The times of a game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PlayedTiming {
    /// Seconds by seat.
    pub seconds: Vec<f64>,
    /// The seconds by seat that the time managers planned for the moves, in games on a clock.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub planned_seconds: Vec<f64>,
    /// Milliseconds of every move.
    pub milliseconds: Vec<u64>,
}

/// The conditions of a match.
pub(crate) struct Conditions<'a> {
    pub players: &'a [PlayerSpec],
    pub terms: Terms,
    pub clock: Option<ClockTerms>,
    pub seed: u64,
    pub children: &'a Children,
    pub stop: &'a AtomicBool,
}

/// The players of one thread, by index in the match. They are started on demand and kept until a
/// fault.
pub(crate) struct SeatedPlayers(Vec<Option<Box<dyn Agent>>>);

impl SeatedPlayers {
    pub fn new(players: usize) -> SeatedPlayers {
        SeatedPlayers((0..players).map(|_| None).collect())
    }

    /// Plays one game from its opening. `seats` has the player of every seat; a player may have
    /// several seats. `None` if stopped.
    pub fn play(
        &mut self,
        mut game: Box<dyn Session>,
        number: u64,
        seats: &[usize],
        conditions: &Conditions<'_>,
    ) -> Option<PlayedGame> {
        let opening = game.game_text();
        let opening_length = game.moves().len();
        let mut running = RunningGame {
            seated: self,
            conditions,
            seats,
            number,
            spent: vec![Effort::default(); seats.len()],
            timing: PlayedTiming {
                seconds: vec![0.0; seats.len()],
                planned_seconds: conditions.clock.map_or_else(Vec::new, |_| vec![0.0; seats.len()]),
                milliseconds: Vec::new(),
            },
        };
        let end = running.play(game.as_mut())?;
        let (spent, timing) = (running.spent, running.timing);
        if let End::Fault { seat, .. } = end {
            self.0[seats[seat]] = None;
        }
        let names = self.names(seats, conditions.players);
        let said = seats.iter().map(|&player| self.reported_result(player, game.as_ref(), &end)).collect();
        let (verdicts, scores, words) = result(game.as_ref(), &end, seats.len());
        let mut moves = game.moves();
        Some(PlayedGame {
            number,
            game: game.spec().to_string(),
            players: seats.iter().map(|&player| conditions.players[player].clone()).collect(),
            seats: seats.to_vec(),
            names,
            seed: conditions.seed,
            opening,
            moves: moves.split_off(opening_length),
            end,
            verdicts,
            scores,
            words,
            said,
            spent,
            timing,
        })
    }

    /// Returns the names that the players give themselves, by seat. A player whose name could be
    /// that of another is named by its spec and limits.
    fn names(&self, seats: &[usize], players: &[PlayerSpec]) -> Vec<String> {
        let own_name = |player: usize| {
            let name = self.0[player].as_ref().map(|player| player.name());
            name.unwrap_or_else(|| players[player].spec.clone())
        };
        let distinct = distinct_names(players);
        let is_ambiguous = |player: usize| {
            let has_twin =
                (0..players.len()).any(|other| other != player && players[other].spec == players[player].spec);
            has_twin || seats.iter().any(|&other| other != player && own_name(other) == own_name(player))
        };
        let name = |&player: &usize| if is_ambiguous(player) { distinct[player].clone() } else { own_name(player) };
        seats.iter().map(name).collect()
    }

    /// Asks a player for the result of a game that ended by the rules. A fault here ends the player
    /// but not its game.
    fn reported_result(&mut self, player: usize, game: &dyn Session, end: &End) -> Option<String> {
        let entry = &mut self.0[player];
        if *end != End::Rules {
            return None;
        }
        match entry.as_mut()?.result(game) {
            Ok(said) => said,
            Err(_) => {
                *entry = None;
                None
            }
        }
    }
}

/// A running game.
struct RunningGame<'a> {
    seated: &'a mut SeatedPlayers,
    conditions: &'a Conditions<'a>,
    seats: &'a [usize],
    number: u64,
    spent: Vec<Effort>,
    timing: PlayedTiming,
}

impl RunningGame<'_> {
    /// Plays to the end; `None` if stopped.
    fn play(&mut self, game: &mut dyn Session) -> Option<End> {
        for (seat, &player) in self.seats.iter().enumerate() {
            let begun = self.begin(player, game);
            if self.conditions.stop.load(Relaxed) {
                return None;
            }
            if let Err(fault) = begun {
                return Some(End::Fault { seat, fault });
            }
        }
        let Conditions { clock, players, .. } = *self.conditions;
        let has_clock = |player: usize, clock: &ClockTerms| !(clock.searches && players[player].is_program());
        let clock_of = |&player: &usize| clock.filter(|clock| has_clock(player, clock)).map(|clock| clock.start());
        let mut clocks: Vec<Option<Clock>> = self.seats.iter().map(clock_of).collect();
        while let Some(mover) = game.to_move() {
            let seat = mover.index();
            let chosen = self.turn(game, seat, clocks[seat].as_mut());
            if self.conditions.stop.load(Relaxed) {
                return None;
            }
            match chosen {
                Ok(Choice { action: Action::Resign, .. }) => return Some(End::Resigned { seat }),
                Ok(Choice { action: Action::Move(mv), line, .. }) => {
                    let moves = if self.plans_whole_game() && ends_game(&line, game) { line } else { vec![mv] };
                    if let Some(error) = moves.iter().find_map(|mv| game.play(mv).err()) {
                        return Some(End::Fault { seat, fault: Fault::Illegal(error.to_string()) });
                    }
                }
                Err(fault) => return Some(End::Fault { seat, fault }),
            }
        }
        Some(End::Rules)
    }

    /// Returns whether the game is for one player, so that its limits are for the whole game.
    fn is_alone(&self) -> bool {
        self.seats.len() == 1
    }

    /// Returns whether one search of the player plays the whole game.
    fn plans_whole_game(&self) -> bool {
        let player = self.seated.0[self.seats[0]].as_ref().expect("all players were started");
        self.is_alone() && player.reports_lines()
    }

    /// Returns the limits of a turn in a game for one player, given those of the whole game.
    fn share(&self, limits: Limits, game: &dyn Session) -> Limits {
        let moves_left = u64::from(game.facts().length.plies()).saturating_sub(game.moves().len() as u64).max(1);
        let turns = if self.plans_whole_game() { 1 } else { moves_left };
        let Effort { playouts, nodes, .. } = self.spent[0];
        // A search without playouts counts nodes instead.
        let counted = if playouts > 0 { playouts } else { nodes };
        let seconds = Duration::from_secs_f64(self.timing.seconds[0]);
        let share = |all: u64, used: u64| all.saturating_sub(used).div_ceil(turns);
        Limits {
            time: limits.time.map(|all| all.saturating_sub(seconds).div_f64(turns as f64)),
            playouts: limits.playouts.map(|all| share(all, counted)),
            nodes: limits.nodes.map(|all| share(all, nodes)),
            memory: limits.memory,
        }
    }

    fn begin(&mut self, player: usize, game: &dyn Session) -> Result<(), Fault> {
        let entry = &mut self.seated.0[player];
        if entry.is_none() {
            *entry = Some(self.conditions.players[player].start(game, self.conditions.children)?);
        }
        let player = entry.as_mut().expect("it was just started");
        catch_panic(|| player.begin(game))
    }

    /// Plays one move and records its effort and time.
    fn turn(&mut self, game: &dyn Session, seat: usize, clock: Option<&mut Clock>) -> Result<Choice, Fault> {
        let Conditions { players, terms, seed, stop, .. } = *self.conditions;
        let terms = players[self.seats[seat]].terms.or(terms);
        let ply = game.moves().len() as u64;
        // Every turn has its own random numbers, or a player would meet itself with the same ones.
        let seed = mix(seed ^ mix(self.number << 20 | ply << 4 | seat as u64));
        let mut limits = terms.limits();
        if let Some(clock) = &clock {
            limits.time = Some(clock.left);
        }
        if self.is_alone() {
            limits = self.share(limits, game);
        }
        let turn = Turn { limits, clock: clock.as_deref().copied(), seed, threads: terms.threads.unwrap_or(1), stop };
        let player = self.seated.0[self.seats[seat]].as_mut().expect("all players were started");
        let begin = Instant::now();
        let chosen = catch_panic(|| player.choose(game, &turn));
        let taken = begin.elapsed();
        self.timing.seconds[seat] += taken.as_secs_f64();
        self.timing.milliseconds.push(taken.as_millis() as u64);
        let choice = chosen?;
        if let Some(planned) = self.timing.planned_seconds.get_mut(seat) {
            *planned += choice.planned_seconds.unwrap_or(0.0);
        }
        let spent = &mut self.spent[seat];
        spent.moves += 1;
        spent.playouts += choice.counters.playouts;
        spent.nodes += choice.counters.nodes;
        match clock {
            Some(clock) if taken > clock.left => Err(Fault::Overrun(format!(
                "a move took {:.3} s, {:.3} s were left on the clock",
                taken.as_secs_f64(),
                clock.left.as_secs_f64()
            ))),
            Some(clock) => {
                clock.left = clock.left - taken + clock.increment;
                Ok(choice)
            }
            None => match limits.time {
                Some(time) if taken > time + GRACE => Err(Fault::Overrun(format!(
                    "a move took {:.3} s of {:.3} s",
                    taken.as_secs_f64(),
                    time.as_secs_f64()
                ))),
                _ => Ok(choice),
            },
        }
    }
}

/// Returns whether a line of legal moves ends a game.
fn ends_game(line: &[String], game: &dyn Session) -> bool {
    let mut game = game.copy();
    line.iter().all(|mv| game.play(mv).is_ok()) && game.ending().is_some()
}

/// Runs code of a player; a panic is a crash.
fn catch_panic<T>(act: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        Err(Fault::Crashed(text.unwrap_or("it panicked").to_string()))
    })
}

/// Returns the verdicts, scores and description of a finished game.
pub(crate) fn result(game: &dyn Session, end: &End, seats: usize) -> (Vec<Verdict>, Option<Vec<PointScore>>, String) {
    let (loser, why) = match end {
        End::Rules => {
            let ending = game.ending().expect("the rules ended it");
            return (ending.verdicts, Some(ending.scores), ending.words);
        }
        End::Resigned { seat } => (*seat, "resigned".to_string()),
        End::Fault { seat, fault } => (*seat, fault.to_string()),
    };
    let verdict = |seat: usize| if seat == loser { Verdict::Loss } else { Verdict::Win };
    let verdicts = if seats == 1 { Vec::new() } else { (0..seats).map(verdict).collect() };
    let name = game.player_name(tesuji_core::Player(loser as u8));
    (verdicts, None, format!("{name} {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;
    use tesuji_catalog::open;
    use tesuji_core::{Counters, Rng};

    /// Plays random moves for a number of turns, then calls `then`.
    struct Misbehaving {
        turns: u64,
        then: fn() -> Result<Action, Fault>,
    }

    impl Agent for Misbehaving {
        fn name(&self) -> String {
            "misbehaving".to_string()
        }

        fn begin(&mut self, _game: &dyn Session) -> Result<(), Fault> {
            Ok(())
        }

        fn choose(&mut self, game: &dyn Session, turn: &Turn<'_>) -> Result<Choice, Fault> {
            let random = || Action::Move(game.random_move(&mut Rng::new(turn.seed)).expect("the game is not over"));
            let action = match self.turns {
                0 => (self.then)()?,
                _ => random(),
            };
            self.turns = self.turns.saturating_sub(1);
            let counters = Counters { playouts: 3, ..Counters::default() };
            Ok(Choice { action, line: Vec::new(), value: None, counters, planned_seconds: None })
        }
    }

    fn game(spec: &str, then: fn() -> Result<Action, Fault>, conditions: &Conditions<'_>) -> PlayedGame {
        let player = |turns| Some(Box::new(Misbehaving { turns, then }) as Box<dyn Agent>);
        let seats = usize::from(open(spec, "start").unwrap().facts().players);
        let mut seated = SeatedPlayers((0..seats).map(|seat| player(if seat == 1 { 1 } else { u64::MAX })).collect());
        let order: Vec<usize> = (0..seats).collect();
        let played = seated.play(open(spec, "start").unwrap(), 7, &order, conditions).unwrap();
        for (seat, entry) in seated.0.iter().enumerate() {
            let failed = matches!(played.end, End::Fault { seat: faulty, .. } if faulty == seat);
            assert_eq!(entry.is_none(), failed, "exactly the players with faults are ended");
        }
        played
    }

    fn with_conditions<T>(clock: Option<ClockTerms>, run: impl FnOnce(&Conditions<'_>) -> T) -> T {
        let players: Vec<PlayerSpec> = (0..4).map(|_| "random".parse().unwrap()).collect();
        let stop = AtomicBool::new(false);
        run(&Conditions {
            players: &players,
            terms: Terms::default(),
            clock,
            seed: 1,
            children: &Children::default(),
            stop: &stop,
        })
    }

    #[test]
    fn a_fault_loses_and_the_reason_is_reported() {
        type Then = fn() -> Result<Action, Fault>;
        let cases: [(Then, &str); 4] = [
            (|| Ok(Action::Move("z9".to_string())), "O played an illegal move: "),
            (|| Err(Fault::Silent("for 9 s".to_string())), "O did not answer: for 9 s"),
            (|| panic!("out of luck"), "O crashed: out of luck"),
            (|| Ok(Action::Resign), "O resigned"),
        ];
        for (then, words) in cases {
            let played = with_conditions(None, |conditions| game("tictactoe", then, conditions));
            assert!(played.words.starts_with(words), "{} is not {words}", played.words);
            assert_eq!(played.verdicts, [Verdict::Win, Verdict::Loss]);
            assert_eq!((played.scores, played.moves.len()), (None, 3));
        }
    }

    #[test]
    fn in_a_multiplayer_game_all_others_win() {
        let played = with_conditions(None, |conditions| game("rolit:4,players=3", || Ok(Action::Resign), conditions));
        assert_eq!(played.verdicts, [Verdict::Win, Verdict::Loss, Verdict::Win]);
        assert_eq!(played.end, End::Resigned { seat: 1 });
    }

    #[test]
    fn an_overrun_clock_loses() {
        // Any move takes longer than zero.
        let clock = Some(ClockTerms { seconds: 0.0, increment_seconds: 0.0, searches: false });
        let played = with_conditions(clock, |conditions| game("tictactoe", || Ok(Action::Resign), conditions));
        assert!(matches!(played.end, End::Fault { seat: 0, fault: Fault::Overrun(_) }), "{played:?}");
        assert!(played.words.contains("were left on the clock"), "{}", played.words);
    }

    #[test]
    fn a_clock_may_be_for_searches_only() {
        let clock = Some(ClockTerms { seconds: 0.0, increment_seconds: 0.0, searches: true });
        let players: Vec<PlayerSpec> = ["gtp:program", "random"].iter().map(|spec| spec.parse().unwrap()).collect();
        let played = with_conditions(clock, |conditions| {
            game("tictactoe", || Ok(Action::Resign), &Conditions { players: &players, ..*conditions })
        });
        assert!(matches!(played.end, End::Fault { seat: 1, fault: Fault::Overrun(_) }), "{played:?}");
        assert_eq!(played.moves.len(), 1, "the program has moved");
    }

    #[test]
    fn a_game_has_its_moves_efforts_and_result() {
        static RESIGNED: AtomicU64 = AtomicU64::new(0);
        let then = || {
            RESIGNED.fetch_add(1, Relaxed);
            Ok(Action::Resign)
        };
        let played = with_conditions(None, |conditions| game("tictactoe", then, conditions));
        assert_eq!(RESIGNED.load(Relaxed), 1);
        assert_eq!(played.names, ["random", "random#2"]);
        // A resignation counts as a move.
        assert_eq!(played.spent[0], Effort { moves: 2, playouts: 6, nodes: 0 });
        assert_eq!(played.spent[1], Effort { moves: 2, playouts: 6, nodes: 0 });
        assert_eq!(played.timing.milliseconds.len(), 4);
        assert_eq!((played.opening.as_str(), played.number, played.names[0].as_str()), ("start", 7, "random"));
    }
}
