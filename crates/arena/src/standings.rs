//! The standings of a match, computed from its games alone.

use crate::boards::{self, BoardComparison, BoardScores};
use crate::matches::Match;
use crate::points::{Pairs, Points, interval, likelihood_of_superiority};
use crate::referee::{Effort, End, PlayedGame};
use crate::schedule::Schedule;
use crate::sprt::{Sprt, Verdict as Decision};
use crate::t_test::{self, Mean};
use serde::{Serialize, Serializer};
use tesuji_core::{Verdict, Wdl};

/// The standings of a match.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standings {
    /// The match.
    #[serde(rename = "match")]
    pub head: Match,
    /// Games played.
    pub games: u64,
    /// Games planned, unless unlimited.
    pub planned: Option<u64>,
    /// The players, in the order of the match.
    pub players: Vec<Standing>,
    /// The record of each player (row) against each other (column), in two-player games.
    pub table: Vec<Vec<Wdl>>,
    /// The record of each seat over all players.
    pub seats: Vec<Wdl>,
    /// Game pairs by points of the first player, in a match of two.
    pub pairs: Option<Pairs>,
    /// The sequential test.
    pub sprt: Option<Tested>,
    /// The mean length of a game in moves, including its opening.
    pub moves: f64,
    /// The scores on each board, in a game for one player.
    pub boards: Vec<BoardScores>,
    /// Every two players compared on the boards that both have finished, in a game for one player.
    pub comparisons: Vec<BoardComparison>,
    /// Games lost by faults.
    pub faults: Vec<Failure>,
    /// Games whose winner a player and the referee disagree on: their rules differ.
    pub disputes: Vec<Dispute>,
}

/// The standing of a player.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standing {
    /// The player's name in the match; see [`Match::names`].
    pub player: String,
    /// The name that the player gives itself.
    pub name: String,
    /// Its games; a game with several of its seats counts once for each.
    #[serde(flatten)]
    pub record: Wdl,
    /// The score, from 0 to 1.
    pub rate: f64,
    /// The lower end of its 95 % interval (Wilson).
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The difference in Elo to its opponents, in two-player games: with three players, equals do
    /// not score half.
    #[serde(serialize_with = "infinity_as_text")]
    pub elo: Option<f64>,
    /// The lower end of its 95 % interval.
    #[serde(serialize_with = "infinity_as_text")]
    pub elo_low: Option<f64>,
    /// The upper end.
    #[serde(serialize_with = "infinity_as_text")]
    pub elo_high: Option<f64>,
    /// The likelihood of superiority (LOS) over its opponents, in two-player games.
    pub superiority: Option<f64>,
    /// Its games by seat.
    pub seats: Vec<Wdl>,
    /// Its mean score over the games that ended by the rules.
    pub score: Option<f64>,
    /// Half the width of the 95 % interval of the mean score (Student's t); `None` for a single
    /// game.
    pub score_error: Option<f64>,
    /// Boards on which no player scored more, of those that all players have finished, in a game
    /// for one player.
    pub best: Option<u64>,
    /// Games lost by faults.
    pub faults: u64,
    /// Its effort in all games.
    pub spent: Effort,
    /// Timing.
    pub timing: StandingTiming,
}

/// The times of a player.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct StandingTiming {
    /// The time of all moves.
    pub seconds: f64,
    /// Seconds per move.
    pub per_move: f64,
    /// Playouts per second.
    pub playouts_per_second: f64,
    /// The time of all moves as a share of the regular times that its time manager planned for
    /// them, on a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub used: Option<f64>,
}

/// The state of the sequential test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Tested {
    /// The test.
    #[serde(flatten)]
    pub test: Sprt,
    /// The pairs tested: all up to the first gap, or up to the pair that decided the test.
    pub pairs: Pairs,
    /// The log-likelihood ratio.
    pub ratio: f64,
    /// The log-likelihood ratios at which the test ends.
    pub bounds: (f64, f64),
    /// The verdict.
    pub decision: Decision,
}

/// A game whose result a player disputes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Dispute {
    /// The number of the game.
    pub number: u64,
    /// The player.
    pub player: String,
    /// The player's result, such as `W+3.5`.
    pub says: String,
    /// The referee's result.
    pub referee: String,
}

/// A game lost by a fault.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Failure {
    /// The number of the game.
    pub number: u64,
    /// The player that lost it.
    pub player: String,
    /// The fault.
    pub reason: String,
}

fn infinity_as_text<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) => t_test::infinity_as_text(number, serializer),
        None => serializer.serialize_none(),
    }
}

impl Standings {
    /// Computes the standings after these games; `seats` is the number of seats of the game.
    pub fn of(head: &Match, seats: usize, played: &[PlayedGame]) -> Standings {
        let (players, names) = (head.players.len(), head.names());
        let mut table = vec![vec![Wdl::default(); players]; players];
        let mut by_seat = vec![Wdl::default(); seats];
        for game in played {
            for (seat, &verdict) in game.verdicts.iter().enumerate() {
                by_seat[seat].count(verdict);
                if seats == 2 {
                    table[game.seats[seat]][game.seats[1 - seat]].count(verdict);
                }
            }
        }
        let pairs = (players == 2 && seats == 2).then(|| all_pairs(played));
        let boards = boards::board_scores(players, played);
        let comparisons = boards::compare(&names, &boards);
        let standing = |player: usize| Standing {
            best: (seats == 1).then(|| boards::boards_as_best(&boards, player)),
            ..standing(&names[player], player, seats, played, pairs)
        };
        let plies = played.iter().map(|game| game.moves.len() + opening_length(game));
        Standings {
            games: played.len() as u64,
            planned: Schedule::new(players, seats, head.games).len(),
            players: (0..players).map(standing).collect(),
            table: if seats == 2 { table } else { Vec::new() },
            seats: by_seat,
            pairs,
            sprt: head.sprt.map(|test| {
                let (pairs, decision) = run_test(&test, played);
                Tested { test, pairs, ratio: test.ratio(&pairs), bounds: test.bounds(), decision }
            }),
            moves: plies.sum::<usize>() as f64 / played.len().max(1) as f64,
            faults: played.iter().filter_map(|game| failure(game, &names)).collect(),
            disputes: played.iter().flat_map(|game| disputes(game, &names)).collect(),
            boards,
            comparisons,
            head: head.clone(),
        }
    }
}

/// Returns the number of moves of the opening.
fn opening_length(game: &PlayedGame) -> usize {
    game.opening.split_once(" moves ").map_or(0, |(_, moves)| moves.split_whitespace().count())
}

/// Returns the results of players that contradict the referee on the winner. `names` are the names
/// of the players in the match.
fn disputes(game: &PlayedGame, names: &[String]) -> Vec<Dispute> {
    let Some(&first) = game.verdicts.first().filter(|_| game.verdicts.len() == 2) else { return Vec::new() };
    let parse = |text: &str| match text {
        text if text.starts_with("B+") => Some(Verdict::Win),
        text if text.starts_with("W+") => Some(Verdict::Loss),
        "0" | "Draw" => Some(Verdict::Draw),
        _ => None,
    };
    let says = game.said.iter().zip(&game.seats).filter_map(|(said, player)| Some((said.as_ref()?, *player)));
    let disputed = says.filter(|(said, _)| parse(said).is_some_and(|verdict| verdict != first));
    let dispute = |(said, player): (&String, usize)| Dispute {
        number: game.number,
        player: names[player].clone(),
        says: said.clone(),
        referee: game.words.clone(),
    };
    disputed.map(dispute).collect()
}

fn failure(game: &PlayedGame, names: &[String]) -> Option<Failure> {
    let End::Fault { seat, fault } = &game.end else { return None };
    Some(Failure { number: game.number, player: names[game.seats[*seat]].clone(), reason: fault.to_string() })
}

fn standing(text: &str, player: usize, seats: usize, played: &[PlayedGame], pairs: Option<Pairs>) -> Standing {
    let is_two_player = seats == 2;
    let mut seats = vec![Wdl::default(); seats];
    let (mut spent, mut seconds, mut planned, mut faults) = (Effort::default(), 0.0, 0.0, 0);
    let mut scores = Vec::new();
    let mut name = None;
    for game in played {
        for seat in (0..game.seats.len()).filter(|&seat| game.seats[seat] == player) {
            if let Some(&verdict) = game.verdicts.get(seat) {
                seats[seat].count(verdict);
            }
            scores.extend(game.scores.as_ref().map(|scores| scores[seat].value()));
            spent.moves += game.spent[seat].moves;
            spent.playouts += game.spent[seat].playouts;
            spent.nodes += game.spent[seat].nodes;
            seconds += game.timing.seconds[seat];
            planned += game.timing.planned_seconds.get(seat).unwrap_or(&0.0);
            faults += u64::from(matches!(game.end, End::Fault { seat: faulty, .. } if faulty == seat));
            name = Some(&game.names[seat]);
        }
    }
    let record: Wdl = seats.iter().copied().sum();
    let (low, high) = interval(&record);
    // The pairs are counted for the first player.
    let elo = match pairs {
        Some(pairs) if pairs.count() > 0 && player == 0 => pairs.elo(),
        Some(pairs) if pairs.count() > 0 => pairs.reversed().elo(),
        _ => record.elo(),
    };
    let elo = Some(elo).filter(|_| is_two_player);
    let mean = Mean::of(&scores);
    let rate = |count: u64| if seconds > 0.0 { count as f64 / seconds } else { 0.0 };
    Standing {
        name: name.map_or(text, String::as_str).to_string(),
        player: text.to_string(),
        record,
        rate: record.share(),
        low,
        high,
        elo: elo.map(|elo| elo.0),
        elo_low: elo.map(|elo| elo.1),
        elo_high: elo.map(|elo| elo.2),
        superiority: is_two_player.then(|| likelihood_of_superiority(&record)),
        seats,
        score: mean.map(|mean| mean.mean),
        score_error: mean.and_then(|mean| mean.error()),
        best: None,
        faults,
        spent,
        timing: StandingTiming {
            seconds,
            per_move: seconds / spent.moves.max(1) as f64,
            playouts_per_second: rate(spent.playouts),
            used: (planned > 0.0).then(|| seconds / planned),
        },
    }
}

/// Returns the half points of the first player in a game of a match of two.
pub(crate) fn half_points(game: &PlayedGame) -> Option<usize> {
    let seat = game.seats.iter().position(|&player| player == 0)?;
    game.verdicts.get(seat).map(|verdict| match verdict {
        Verdict::Win => 2,
        Verdict::Draw => 1,
        Verdict::Loss => 0,
    })
}

/// Returns the number of each complete pair and the half points of the first player in it.
fn pair_points(played: &[PlayedGame]) -> Vec<(u64, usize)> {
    let mut games: Vec<(u64, usize)> =
        played.iter().filter_map(|game| Some((game.number, half_points(game)?))).collect();
    games.sort_unstable();
    let complete = |two: &[(u64, usize)]| two[0].0.is_multiple_of(2) && two[1].0 == two[0].0 + 1;
    games.windows(2).filter(|two| complete(two)).map(|two| (two[0].0 / 2, two[0].1 + two[1].1)).collect()
}

fn all_pairs(played: &[PlayedGame]) -> Pairs {
    let mut pairs = Pairs::default();
    pair_points(played).into_iter().for_each(|(_, points)| pairs.add(points));
    pairs
}

/// Runs a test over the pairs in order, up to the first gap, so that the order in which games end
/// does not matter.
pub(crate) fn run_test(test: &Sprt, played: &[PlayedGame]) -> (Pairs, Decision) {
    let mut pairs = Pairs::default();
    for (expected, (number, points)) in (0..).zip(pair_points(played)) {
        if number != expected {
            break;
        }
        pairs.add(points);
        let decision = test.verdict(&pairs);
        if decision != Decision::Open {
            return (pairs, decision);
        }
    }
    (pairs, Decision::Open)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::PlayedTiming;

    fn game(said: [Option<&str>; 2], verdicts: [Verdict; 2]) -> PlayedGame {
        PlayedGame {
            number: 3,
            game: "go:9".to_string(),
            players: ["random", "gtp:other"].map(|player| player.parse().unwrap()).to_vec(),
            seats: vec![0, 1],
            names: vec!["random".to_string(), "Other".to_string()],
            seed: 1,
            opening: "start".to_string(),
            moves: Vec::new(),
            end: End::Rules,
            verdicts: verdicts.to_vec(),
            scores: None,
            words: "Black wins".to_string(),
            said: said.map(|said| said.map(str::to_string)).to_vec(),
            spent: vec![Effort::default(); 2],
            timing: PlayedTiming::default(),
        }
    }

    fn disputed(game: &PlayedGame) -> Vec<Dispute> {
        disputes(game, &["random".to_string(), "gtp:other".to_string()])
    }

    #[test]
    fn results_that_contradict_the_referee_are_disputes() {
        let black = [Verdict::Win, Verdict::Loss];
        assert_eq!(disputed(&game([None, Some("B+3.5")], black)), []);
        assert_eq!(disputed(&game([None, Some("who knows")], black)), []);
        let dispute = disputed(&game([None, Some("W+0.5")], black)).remove(0);
        assert_eq!((dispute.number, dispute.player.as_str(), dispute.says.as_str()), (3, "gtp:other", "W+0.5"));
        assert_eq!(disputed(&game([Some("0"), Some("W+1")], [Verdict::Draw; 2])).len(), 1);
    }
}
