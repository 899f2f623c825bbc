//! One game: whose turn it is, what is allowed, who has run out of time, who has won.
//!
//! The stated rules: a player who crashes, gives no answer, breaks the protocol, plays what is not allowed or overruns its time has lost the game, and so has one who
//! resigns. In a game for more than two everybody else has then won. With a clock, overrunning it by anything loses. A limit of time for each move is told to
//! the players and held against them only when they exceed it by [`GRACE`]: programs read it differently, and a busy machine must not decide games.

use crate::entrant::{ClockTerms, Entrant, Terms};
use serde::{Deserialize, Serialize};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tesuji_catalog::{Action, Choice, Clock, Fault, Player, Session, Turn};
use tesuji_core::Verdict;
use tesuji_core::rng::mix;

/// How far a limit of time for each move may be exceeded. Raising it forgives slower programs.
pub const GRACE: Duration = Duration::from_secs(5);

/// What a player spent in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Effort {
    /// Moves made.
    pub moves: u64,
    /// Playouts, as far as it says.
    pub playouts: u64,
    /// Nodes, as far as it says.
    pub nodes: u64,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "by")]
pub enum End {
    /// By the rules of the game.
    Rules,
    /// Somebody resigned.
    Resigned {
        /// Who, by seat.
        seat: usize,
    },
    /// Somebody could not go on.
    Fault {
        /// Who, by seat.
        seat: usize,
        /// What was wrong.
        #[serde(flatten)]
        fault: Fault,
    },
}

/// A game that was played: a line of the log.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Played {
    /// Its number in the match.
    pub number: u64,
    /// The game.
    pub game: String,
    /// The players by seat, as they were asked for.
    pub players: Vec<Entrant>,
    /// Their places in the match.
    pub seats: Vec<usize>,
    /// What they call themselves.
    pub names: Vec<String>,
    /// The seed of the match.
    pub seed: u64,
    /// Where it began, with the moves of the opening.
    pub opening: String,
    /// The moves after the opening.
    pub moves: Vec<String>,
    /// How it ended.
    pub end: End,
    /// Win, draw or loss by seat; empty for one player.
    pub verdicts: Vec<Verdict>,
    /// The scores by seat, if the rules ended it.
    pub scores: Option<Vec<i32>>,
    /// The result in words.
    pub words: String,
    /// What the players make of the result, in their own words, if they say.
    pub said: Vec<Option<String>>,
    /// What each spent, by seat.
    pub spent: Vec<Effort>,
    /// What depends on the clock.
    pub timing: PlayedTiming,
}

/// The times of a game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PlayedTiming {
    /// The seconds that each player took, by seat.
    pub seconds: Vec<f64>,
    /// The milliseconds of every move.
    pub milliseconds: Vec<u64>,
}

/// What a game is played under.
pub(crate) struct Conditions<'a> {
    pub players: &'a [Entrant],
    pub terms: Terms,
    pub clock: Option<ClockTerms>,
    pub seed: u64,
    pub stop: &'a AtomicBool,
}

/// The players of one who plays games, brought once and kept as long as they behave.
pub(crate) struct Seated(Vec<Option<Box<dyn Player>>>);

impl Seated {
    pub fn new(players: usize) -> Seated {
        Seated((0..players).map(|_| None).collect())
    }

    /// Plays one game from its opening. `seats` has a player for every seat; a player with several seats thinks for each of them. `None` if it was
    /// stopped.
    pub fn play(
        &mut self,
        mut game: Box<dyn Session>,
        number: u64,
        seats: &[usize],
        conditions: &Conditions<'_>,
    ) -> Option<Played> {
        let opening = game.game_text();
        let opened = game.moves().len();
        let mut table = Table {
            seated: self,
            conditions,
            seats,
            number,
            spent: vec![Effort::default(); seats.len()],
            timing: PlayedTiming { seconds: vec![0.0; seats.len()], milliseconds: Vec::new() },
        };
        let end = table.play(game.as_mut())?;
        let (spent, timing) = (table.spent, table.timing);
        if let End::Fault { seat, .. } = end {
            self.0[seats[seat]] = None;
        }
        let names = seats.iter().map(|&player| {
            let name = self.0[player].as_ref().map(|player| player.name());
            name.unwrap_or_else(|| conditions.players[player].spec.clone())
        });
        let names = names.collect();
        let said = seats.iter().map(|&player| self.say(player, game.as_ref(), &end)).collect();
        let (verdicts, scores, words) = result(game.as_ref(), &end, seats.len());
        let mut moves = game.moves();
        Some(Played {
            number,
            game: game.spec().to_string(),
            players: seats.iter().map(|&player| conditions.players[player].clone()).collect(),
            seats: seats.to_vec(),
            names,
            seed: conditions.seed,
            opening,
            moves: moves.split_off(opened),
            end,
            verdicts,
            scores,
            words,
            said,
            spent,
            timing,
        })
    }

    /// What a player makes of a game that the rules ended; whoever fails at that is sent away, but has not lost.
    fn say(&mut self, player: usize, game: &dyn Session, end: &End) -> Option<String> {
        let place = &mut self.0[player];
        if *end != End::Rules {
            return None;
        }
        match place.as_mut()?.result(game) {
            Ok(said) => said,
            Err(_) => {
                *place = None;
                None
            }
        }
    }
}

/// A game under way.
struct Table<'a> {
    seated: &'a mut Seated,
    conditions: &'a Conditions<'a>,
    seats: &'a [usize],
    number: u64,
    spent: Vec<Effort>,
    timing: PlayedTiming,
}

impl Table<'_> {
    /// Plays until it ends; `None` if it was stopped.
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
        let mut clocks: Option<Vec<Clock>> = self.conditions.clock.map(|clock| vec![clock.start(); self.seats.len()]);
        while let Some(mover) = game.to_move() {
            let seat = mover.index();
            let clock = clocks.as_mut().map(|clocks| &mut clocks[seat]);
            let chosen = self.turn(game, seat, clock);
            if self.conditions.stop.load(Relaxed) {
                return None;
            }
            match chosen {
                Ok(Action::Resign) => return Some(End::Resigned { seat }),
                Ok(Action::Move(mv)) => {
                    if let Err(error) = game.play(&mv) {
                        return Some(End::Fault { seat, fault: Fault::Illegal(error.to_string()) });
                    }
                }
                Err(fault) => return Some(End::Fault { seat, fault }),
            }
        }
        Some(End::Rules)
    }

    fn begin(&mut self, player: usize, game: &dyn Session) -> Result<(), Fault> {
        let place = &mut self.seated.0[player];
        if place.is_none() {
            *place = Some(self.conditions.players[player].invite(game)?);
        }
        let player = place.as_mut().expect("it was just invited");
        guarded(|| player.begin(game))
    }

    /// One move, and what it took.
    fn turn(&mut self, game: &dyn Session, seat: usize, clock: Option<&mut Clock>) -> Result<Action, Fault> {
        let Conditions { players, terms, seed, stop, .. } = *self.conditions;
        let terms = players[self.seats[seat]].terms.or(terms);
        let ply = game.moves().len() as u64;
        // Every turn has random numbers of its own, or a player would meet itself with its own luck.
        let seed = mix(seed ^ mix(self.number << 20 | ply << 4 | seat as u64));
        let mut limits = terms.limits();
        if let Some(clock) = &clock {
            limits.time = Some(clock.left);
        }
        let turn = Turn { limits, clock: clock.as_deref().copied(), seed, threads: terms.threads.unwrap_or(1), stop };
        let player = self.seated.0[self.seats[seat]].as_mut().expect("everybody was invited");
        let begin = Instant::now();
        let chosen = guarded(|| player.choose(game, &turn));
        let taken = begin.elapsed();
        self.timing.seconds[seat] += taken.as_secs_f64();
        self.timing.milliseconds.push(taken.as_millis() as u64);
        let Choice { action, counters, .. } = chosen?;
        let spent = &mut self.spent[seat];
        spent.moves += 1;
        spent.playouts += counters.playouts;
        spent.nodes += counters.nodes;
        match clock {
            Some(clock) if taken > clock.left => Err(Fault::Overrun(format!(
                "a move took {:.3} s, {:.3} s were left on the clock",
                taken.as_secs_f64(),
                clock.left.as_secs_f64()
            ))),
            Some(clock) => {
                clock.left = clock.left - taken + clock.increment;
                Ok(action)
            }
            None => match limits.time {
                Some(time) if taken > time + GRACE => Err(Fault::Overrun(format!(
                    "a move took {:.3} s of {:.3} s",
                    taken.as_secs_f64(),
                    time.as_secs_f64()
                ))),
                _ => Ok(action),
            },
        }
    }
}

/// Does something that a player does: if it panics, it has crashed.
fn guarded<T>(act: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        Err(Fault::Crashed(text.unwrap_or("it panicked").to_string()))
    })
}

/// Verdicts, scores and words of a game that is over.
fn result(game: &dyn Session, end: &End, seats: usize) -> (Vec<Verdict>, Option<Vec<i32>>, String) {
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

    /// Plays at random until its turn has come so often; then it does something else.
    struct Odd {
        turns: u64,
        then: fn() -> Result<Action, Fault>,
    }

    impl Player for Odd {
        fn name(&self) -> String {
            "odd".to_string()
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
            Ok(Choice { action, value: None, counters: Counters { playouts: 3, ..Counters::default() } })
        }
    }

    fn game(spec: &str, then: fn() -> Result<Action, Fault>, conditions: &Conditions<'_>) -> Played {
        let odd = |turns| Some(Box::new(Odd { turns, then }) as Box<dyn Player>);
        let seats = usize::from(open(spec, "start").unwrap().facts().players);
        let mut seated = Seated((0..seats).map(|seat| odd(if seat == 1 { 1 } else { u64::MAX })).collect());
        let order: Vec<usize> = (0..seats).collect();
        let played = seated.play(open(spec, "start").unwrap(), 7, &order, conditions).unwrap();
        for (seat, place) in seated.0.iter().enumerate() {
            let failed = matches!(played.end, End::Fault { seat: faulty, .. } if faulty == seat);
            assert_eq!(place.is_none(), failed, "whoever fails is sent away, nobody else");
        }
        played
    }

    fn with_conditions<T>(clock: Option<ClockTerms>, run: impl FnOnce(&Conditions<'_>) -> T) -> T {
        let players: Vec<Entrant> = (0..4).map(|_| "random".parse().unwrap()).collect();
        let stop = AtomicBool::new(false);
        run(&Conditions { players: &players, terms: Terms::default(), clock, seed: 1, stop: &stop })
    }

    #[test]
    fn whoever_fails_has_lost_and_it_is_said_why() {
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
    fn in_a_game_for_several_everybody_else_has_won() {
        let played = with_conditions(None, |conditions| game("rolit:4,players=3", || Ok(Action::Resign), conditions));
        assert_eq!(played.verdicts, [Verdict::Win, Verdict::Loss, Verdict::Win]);
        assert_eq!(played.end, End::Resigned { seat: 1 });
    }

    #[test]
    fn an_overrun_clock_loses_and_says_so() {
        // Nobody moves in no time at all.
        let clock = Some(ClockTerms { seconds: 0.0, increment_seconds: 0.0 });
        let played = with_conditions(clock, |conditions| game("tictactoe", || Ok(Action::Resign), conditions));
        assert!(matches!(played.end, End::Fault { seat: 0, fault: Fault::Overrun(_) }), "{played:?}");
        assert!(played.words.contains("were left on the clock"), "{}", played.words);
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
        // To give up is a turn too.
        assert_eq!(played.spent[0], Effort { moves: 2, playouts: 6, nodes: 0 });
        assert_eq!(played.spent[1], Effort { moves: 2, playouts: 6, nodes: 0 });
        assert_eq!(played.timing.milliseconds.len(), 4);
        assert_eq!((played.opening.as_str(), played.number, played.names[0].as_str()), ("start", 7, "odd"));
    }
}
