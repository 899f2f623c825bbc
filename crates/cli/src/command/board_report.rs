//! The summary of a match in a game for one player: mean scores, and players compared on the same
//! boards.

use crate::output;
use crate::table::{Column, FIXED_SPACE, Table, paragraph};
use tesuji_arena::{BoardComparison, Failure, Standing, Standings, p_value};

/// Formats the summary of a match on boards.
pub fn describe(standings: &Standings) -> String {
    let mut text = format!("{}\n{}", paragraph(&heading(standings)), standings_table(standings));
    let comparisons = &standings.comparisons;
    if !comparisons.is_empty() {
        text += &format!("\n{}", comparison_table(comparisons));
        let family = if comparisons.len() > 1 { "; p is not corrected for the number of comparisons" } else { "" };
        text += &paragraph(&format!(
            "differences are means over the boards that both have finished, of which the player has more points on +, \
             equal points on = and fewer on -; t and p of the two-tailed paired t-test{family}"
        ));
    }
    for player in standings.players.iter().filter(|player| is_played_by_move(player, standings)) {
        text += &paragraph(&format!(
            "{} made {} searches: where a search reports no complete line, every move is a search with an equal share \
             of the budget",
            player.player,
            output::grouped(player.spent.moves)
        ));
    }
    standings.faults.iter().for_each(|fault| text += &fault_text(fault, standings));
    text
}

/// Formats a mean score with its interval: `302.1 (299.0..305.2)`.
pub fn score(player: &Standing) -> String {
    player.score.map_or(String::new(), |mean| with_interval(mean, player.score_error, |number| format!("{number:.1}")))
}

/// Formats a number with its 95 % interval, if it has one.
fn with_interval(mean: f64, error: Option<f64>, format: fn(f64) -> String) -> String {
    let interval = |error: f64| format!(" ({}..{})", format(mean - error), format(mean + error));
    format(mean) + &error.map_or(String::new(), interval)
}

fn heading(standings: &Standings) -> String {
    let Standings { head, games, planned, boards, players, .. } = standings;
    let number = output::count(head.games.unwrap_or(0), "board");
    let played = match planned.filter(|planned| planned != games) {
        Some(planned) => format!("{games} of {planned} games on {number}"),
        None => number,
    };
    let names = match (boards.first(), boards.last()) {
        (Some(first), Some(last)) if first.number == last.number => format!(" ({})", first.board),
        (Some(first), Some(last)) if first.board == last.board => {
            " (the same start position, with other random numbers)".to_string()
        }
        (Some(first), Some(last)) => format!(" ({} to {})", first.board, last.board),
        _ => String::new(),
    };
    let own = if players.iter().any(|player| player.player.contains('@')) { "own limits or " } else { "" };
    format!("{}: {played}{names}, each with a budget of {own}{}, seed {}", head.game, head.terms, head.seed)
}

/// Returns the table of players, best first.
fn standings_table(standings: &Standings) -> Table {
    let mut ranked: Vec<&Standing> = standings.players.iter().collect();
    let mean = |player: &Standing| player.score.unwrap_or(f64::NEG_INFINITY);
    ranked.sort_by(|one, other| mean(other).total_cmp(&mean(one)));
    let optional = ["s/board", "playouts/s"].map(|title| Column::right(title).optional());
    let columns = [
        Column::left("player"),
        Column::right(format!("mean{FIXED_SPACE}score (95{FIXED_SPACE}%{FIXED_SPACE}CI)")),
        Column::right("best on"),
    ];
    let mut table = Table::new(columns.into_iter().chain(optional));
    for player in ranked {
        let boards = boards_of(player, standings);
        let seconds = if boards == 0 { String::new() } else { format!("{:.3}", player.timing.seconds / boards as f64) };
        let speed = output::grouped(player.timing.playouts_per_second as u64);
        table.row([
            player.player.clone(),
            score(player),
            player.best.unwrap_or(0).to_string(),
            seconds,
            if player.spent.playouts == 0 { String::new() } else { speed },
        ]);
    }
    table
}

fn comparison_table(comparisons: &[BoardComparison]) -> Table {
    let difference = format!("difference (95{FIXED_SPACE}%{FIXED_SPACE}CI)");
    let columns = [Column::left("player"), Column::left("against"), Column::right(difference)];
    let tested = [Column::right("p"), Column::right("boards"), Column::right("t").optional()];
    let mut table = Table::new(columns.into_iter().chain(tested));
    for pair in comparisons {
        let p = |p: f64| p_value(p).trim_start_matches("= ").replace(' ', &FIXED_SPACE.to_string());
        table.row([
            pair.first.clone(),
            pair.second.clone(),
            with_interval(pair.difference, pair.error, |number| format!("{number:+.1}")),
            pair.test.map_or(String::new(), |test| p(test.p)),
            format!("+{}{FIXED_SPACE}={}{FIXED_SPACE}-{}", pair.better, pair.equal, pair.worse),
            pair.test.map_or(String::new(), |test| format!("{:.2}", test.t)),
        ]);
    }
    table
}

/// Returns the number of boards with a score of a player.
fn boards_of(player: &Standing, standings: &Standings) -> usize {
    let Some(index) = standings.players.iter().position(|other| other.player == player.player) else { return 0 };
    standings.boards.iter().filter(|board| board.scores[index].is_some()).count()
}

/// Returns whether a player needed more searches than boards.
fn is_played_by_move(player: &Standing, standings: &Standings) -> bool {
    player.spent.moves > boards_of(player, standings) as u64 + player.faults
}

fn fault_text(fault: &Failure, standings: &Standings) -> String {
    let number = fault.number / standings.players.len() as u64;
    let board = standings.boards.iter().find(|board| board.number == number).map_or("", |board| board.board.as_str());
    paragraph(&format!("{board}: {} failed: it {}; it has no score there", fault.player, fault.reason))
}
