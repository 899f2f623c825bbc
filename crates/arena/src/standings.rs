//! How a match stands: everything that is told of it follows from its games.

use crate::Z;
use crate::entrant::Entrant;
use crate::matches::Match;
use crate::points::{Pairs, Points, interval, likelihood_of_superiority};
use crate::referee::{Effort, End, Played};
use crate::schedule::Schedule;
use crate::sprt::{Sprt, Verdict as Decision};
use serde::{Serialize, Serializer};
use tesuji_core::{Record, Verdict};

/// How a match stands.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standings {
    /// The match.
    #[serde(rename = "match")]
    pub head: Match,
    /// Games played.
    pub games: u64,
    /// Games that are to be played, if that is known.
    pub planned: Option<u64>,
    /// The players, in the order of the match.
    pub players: Vec<Standing>,
    /// What each player (row) made against each other one (column), in games for two.
    pub table: Vec<Vec<Record>>,
    /// What each seat made, whoever sat there.
    pub seats: Vec<Record>,
    /// Pairs of games from the same opening, seen by the first player, in a match of two.
    pub pairs: Option<Pairs>,
    /// What the sequential test says.
    pub sprt: Option<Tested>,
    /// The moves of a game on average, its opening included.
    pub moves: f64,
    /// The games that were lost by something else than play.
    pub faults: Vec<Failure>,
    /// The games about whose winner a player and the referee disagree: they do not play by the same rules.
    pub disputes: Vec<Dispute>,
}

/// How a player stands.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standing {
    /// The player, as it was asked for.
    pub player: String,
    /// What it calls itself.
    pub name: String,
    /// Its games; where it had several seats, one for each.
    #[serde(flatten)]
    pub record: Record,
    /// The share of the points.
    pub rate: f64,
    /// The lower end of its 95 % interval (Wilson).
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The difference in Elo to its opponents, in games for two: where three share the points, equals do not have half of them.
    #[serde(serialize_with = "in_words_if_infinite")]
    pub elo: Option<f64>,
    /// The lower end of its 95 % interval.
    #[serde(serialize_with = "in_words_if_infinite")]
    pub elo_low: Option<f64>,
    /// The upper end.
    #[serde(serialize_with = "in_words_if_infinite")]
    pub elo_high: Option<f64>,
    /// How likely it is that it is stronger than its opponents, in games for two.
    pub superiority: Option<f64>,
    /// Its games by seat.
    pub seats: Vec<Record>,
    /// Its score on average, over the games that the rules ended.
    pub score: Option<f64>,
    /// Half the 95 % interval of that.
    pub score_error: Option<f64>,
    /// Games lost by something else than play.
    pub faults: u64,
    /// What it spent in all games.
    pub spent: Effort,
    /// What depends on the clock.
    pub timing: StandingTiming,
}

/// The times of a player.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct StandingTiming {
    /// All its moves.
    pub seconds: f64,
    /// Seconds for a move.
    pub per_move: f64,
    /// Playouts in a second.
    pub playouts_per_second: f64,
}

/// What the sequential test says.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Tested {
    /// The test.
    #[serde(flatten)]
    pub test: Sprt,
    /// The pairs it looked at: all up to the first that is missing, or to the one that decided it.
    pub pairs: Pairs,
    /// The logarithm of the likelihood ratio.
    pub ratio: f64,
    /// The bounds at which it decides.
    pub bounds: (f64, f64),
    /// What it says.
    pub decision: Decision,
}

/// A game whose result a player sees differently.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Dispute {
    /// The number of the game.
    pub number: u64,
    /// The player.
    pub player: String,
    /// What it says, as `W+3.5`.
    pub says: String,
    /// What the referee says.
    pub referee: String,
}

/// A game that was lost by something else than play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Failure {
    /// The number of the game.
    pub number: u64,
    /// The player who lost it.
    pub player: String,
    /// What was wrong.
    pub reason: String,
}

fn in_words_if_infinite<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    match number {
        Some(number) if number.is_infinite() => serializer.serialize_str(if *number > 0.0 { "inf" } else { "-inf" }),
        number => number.serialize(serializer),
    }
}

impl Standings {
    /// How a match of a game with so many seats stands after these games.
    pub fn of(head: &Match, seats: usize, played: &[Played]) -> Standings {
        let players = head.players.len();
        let mut table = vec![vec![Record::default(); players]; players];
        let mut by_seat = vec![Record::default(); seats];
        for game in played {
            for (seat, &verdict) in game.verdicts.iter().enumerate() {
                by_seat[seat].count(verdict);
                if seats == 2 {
                    table[game.seats[seat]][game.seats[1 - seat]].count(verdict);
                }
            }
        }
        let pairs = (players == 2 && seats == 2).then(|| all_pairs(played));
        let plies = played.iter().map(|game| game.moves.len() + opened(game));
        Standings {
            games: played.len() as u64,
            planned: Schedule::new(players, seats, head.games).len(),
            players: (0..players).map(|player| standing(head, player, seats, played, pairs)).collect(),
            table: if seats == 2 { table } else { Vec::new() },
            seats: by_seat,
            pairs,
            sprt: head.sprt.map(|test| {
                let (pairs, decision) = decided(&test, played);
                Tested { test, pairs, ratio: test.ratio(&pairs), bounds: test.bounds(), decision }
            }),
            moves: plies.sum::<usize>() as f64 / played.len().max(1) as f64,
            faults: played.iter().filter_map(failure).collect(),
            disputes: played.iter().flat_map(disputes).collect(),
            head: head.clone(),
        }
    }
}

/// The moves of the opening.
fn opened(game: &Played) -> usize {
    game.opening.split_once(" moves ").map_or(0, |(_, moves)| moves.split_whitespace().count())
}

/// What the players of a game say against the referee, about who won.
fn disputes(game: &Played) -> Vec<Dispute> {
    let Some(&first) = game.verdicts.first().filter(|_| game.verdicts.len() == 2) else { return Vec::new() };
    let in_words = |text: &str| match text {
        text if text.starts_with("B+") => Some(Verdict::Win),
        text if text.starts_with("W+") => Some(Verdict::Loss),
        "0" | "Draw" => Some(Verdict::Draw),
        _ => None,
    };
    let says = game.said.iter().zip(&game.players).filter_map(|(said, player)| Some((said.as_ref()?, player)));
    let disputed = says.filter(|(said, _)| in_words(said).is_some_and(|verdict| verdict != first));
    let dispute = |(said, player): (&String, &Entrant)| Dispute {
        number: game.number,
        player: player.to_string(),
        says: said.clone(),
        referee: game.words.clone(),
    };
    disputed.map(dispute).collect()
}

fn failure(game: &Played) -> Option<Failure> {
    let End::Fault { seat, fault } = &game.end else { return None };
    Some(Failure { number: game.number, player: game.players[*seat].to_string(), reason: fault.to_string() })
}

fn standing(head: &Match, player: usize, seats: usize, played: &[Played], pairs: Option<Pairs>) -> Standing {
    let is_duel = seats == 2;
    let mut seats = vec![Record::default(); seats];
    let (mut spent, mut seconds, mut faults) = (Effort::default(), 0.0, 0);
    let mut scores = Vec::new();
    let mut name = None;
    for game in played {
        for seat in (0..game.seats.len()).filter(|&seat| game.seats[seat] == player) {
            if let Some(&verdict) = game.verdicts.get(seat) {
                seats[seat].count(verdict);
            }
            scores.extend(game.scores.as_ref().map(|scores| f64::from(scores[seat])));
            spent.moves += game.spent[seat].moves;
            spent.playouts += game.spent[seat].playouts;
            spent.nodes += game.spent[seat].nodes;
            seconds += game.timing.seconds[seat];
            faults += u64::from(matches!(game.end, End::Fault { seat: faulty, .. } if faulty == seat));
            name = Some(&game.names[seat]);
        }
    }
    let record: Record = seats.iter().copied().sum();
    let (low, high) = interval(&record);
    // The pairs of the first player are those of the second, turned round.
    let elo = match pairs {
        Some(pairs) if pairs.count() > 0 && player == 0 => pairs.elo(),
        Some(pairs) if pairs.count() > 0 => pairs.reversed().elo(),
        _ => record.elo(),
    };
    let elo = Some(elo).filter(|_| is_duel);
    let text = head.players[player].to_string();
    let (score, score_error) = mean(&scores).unzip();
    let rate = |count: u64| if seconds > 0.0 { count as f64 / seconds } else { 0.0 };
    Standing {
        name: name.unwrap_or(&text).clone(),
        player: text,
        record,
        rate: record.share(),
        low,
        high,
        elo: elo.map(|elo| elo.0),
        elo_low: elo.map(|elo| elo.1),
        elo_high: elo.map(|elo| elo.2),
        superiority: is_duel.then(|| likelihood_of_superiority(&record)),
        seats,
        score,
        score_error,
        faults,
        spent,
        timing: StandingTiming {
            seconds,
            per_move: seconds / spent.moves.max(1) as f64,
            playouts_per_second: rate(spent.playouts),
        },
    }
}

/// The mean, and half its 95 % interval.
fn mean(numbers: &[f64]) -> Option<(f64, f64)> {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (!numbers.is_empty()).then(|| (mean, Z * (variance / count).sqrt()))
}

/// The points of the first player in a game of a match of two, in halves.
pub(crate) fn halves(game: &Played) -> Option<usize> {
    let seat = game.seats.iter().position(|&player| player == 0)?;
    game.verdicts.get(seat).map(|verdict| match verdict {
        Verdict::Win => 2,
        Verdict::Draw => 1,
        Verdict::Loss => 0,
    })
}

/// The points of the first player in each pair of which both games are played, by the number of the pair.
fn pair_points(played: &[Played]) -> Vec<(u64, usize)> {
    let mut games: Vec<(u64, usize)> = played.iter().filter_map(|game| Some((game.number, halves(game)?))).collect();
    games.sort_unstable();
    let whole = |two: &[(u64, usize)]| two[0].0.is_multiple_of(2) && two[1].0 == two[0].0 + 1;
    games.windows(2).filter(|two| whole(two)).map(|two| (two[0].0 / 2, two[0].1 + two[1].1)).collect()
}

fn all_pairs(played: &[Played]) -> Pairs {
    let mut pairs = Pairs::default();
    pair_points(played).into_iter().for_each(|(_, points)| pairs.add(points));
    pairs
}

/// What a test says of the pairs in their order, up to the first that is missing. So it does not matter in which order games end.
pub(crate) fn decided(test: &Sprt, played: &[Played]) -> (Pairs, Decision) {
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

    fn game(said: [Option<&str>; 2], verdicts: [Verdict; 2]) -> Played {
        Played {
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

    #[test]
    fn whoever_sees_another_winner_is_heard() {
        let black = [Verdict::Win, Verdict::Loss];
        assert_eq!(disputes(&game([None, Some("B+3.5")], black)), []);
        assert_eq!(disputes(&game([None, Some("who knows")], black)), []);
        let dispute = disputes(&game([None, Some("W+0.5")], black)).remove(0);
        assert_eq!((dispute.number, dispute.player.as_str(), dispute.says.as_str()), (3, "gtp:other", "W+0.5"));
        assert_eq!(disputes(&game([Some("0"), Some("W+1")], [Verdict::Draw; 2])).len(), 1);
    }
}
