//! Live analysis.

use crate::{settings, talk};
use std::io::{BufRead, BufReader, Write};
use tesuji_gtp::Engine;

/// The fields of an `info` part: the move and its statistics, up to `pv`.
fn parts(line: &str) -> Vec<Vec<(String, String)>> {
    let part = |text: &str| {
        let (head, line) = text.split_once(" pv ").expect("a part ends with its line");
        let words: Vec<&str> = head.split_whitespace().collect();
        let mut pairs: Vec<(String, String)> =
            words.chunks(2).map(|pair| (pair[0].to_string(), pair[1].to_string())).collect();
        pairs.push(("pv".to_string(), line.trim().to_string()));
        pairs
    };
    line.split("info ").skip(1).map(part).collect()
}

#[test]
fn analysis_continues_until_the_next_line() {
    for (command, fraction) in [("7 lz-analyze b 1", false), ("7 kata-analyze 1", true)] {
        let (input, mut say) = std::io::pipe().unwrap();
        let (hear, output) = std::io::pipe().unwrap();
        let engine = Engine::new(settings("go:5", "mcts", 1), input, output).unwrap();
        let running = std::thread::spawn(move || engine.run().unwrap());
        let mut hear = BufReader::new(hear).lines().map(|line| line.unwrap());
        writeln!(say, "{command}").unwrap();
        assert_eq!(hear.next().unwrap(), "=7");
        // The limit of a move does not apply to analysis.
        for _ in 0..3 {
            let line = hear.next().unwrap();
            let parts = parts(&line);
            assert_eq!(parts.len(), 26, "{line}");
            for (order, part) in parts.iter().enumerate() {
                let keys: Vec<&str> = part.iter().map(|pair| pair.0.as_str()).collect();
                assert_eq!(keys, ["move", "visits", "winrate", "prior", "lcb", "order", "pv"]);
                assert_eq!(part[5].1, order.to_string());
                assert_eq!(part[2].1.contains('.'), fraction, "{line}");
                assert!(part[6].1.starts_with(part[0].1.as_str()), "{line}");
                let chance: f64 = part[2].1.parse().unwrap();
                assert!((0.0..=if fraction { 1.0 } else { 10_000.0 }).contains(&chance), "{line}");
            }
        }
        writeln!(say, "8 showboard").unwrap();
        let rest = hear.by_ref().find(|line| line.is_empty() || !line.starts_with("info ")).unwrap();
        assert_eq!(rest, "", "the analysis ends with an empty line");
        assert_eq!(hear.next().unwrap(), "=8");
        assert!(hear.any(|line| line == "Black to move"));
        drop(say);
        running.join().unwrap();
    }
}

#[test]
fn analysis_shows_the_owners_of_the_points_if_asked() {
    let (input, mut say) = std::io::pipe().unwrap();
    let (hear, output) = std::io::pipe().unwrap();
    let engine = Engine::new(settings("go:5", "mcts", 1), input, output).unwrap();
    let running = std::thread::spawn(move || engine.run().unwrap());
    let mut hear = BufReader::new(hear).lines().map(|line| line.unwrap());
    writeln!(say, "kata-analyze b 1 ownership true").unwrap();
    assert_eq!(hear.next().unwrap(), "=");
    let line = hear.next().unwrap();
    let (moves, owners) = line.split_once(" ownership ").unwrap();
    assert!(moves.starts_with("info move "));
    let owners: Vec<f64> = owners.split(' ').map(|word| word.parse().unwrap()).collect();
    assert_eq!(owners.len(), 25);
    assert!(owners.iter().all(|owner| (-1.0..=1.0).contains(owner)));
    drop(say);
    for _ in hear {}
    running.join().unwrap();
}

#[test]
fn analysis_of_a_solved_position_waits_for_the_next_line() {
    let (input, mut say) = std::io::pipe().unwrap();
    let (hear, output) = std::io::pipe().unwrap();
    let engine = Engine::new(settings("tictactoe", "mcts:solver", 1), input, output).unwrap();
    let running = std::thread::spawn(move || engine.run().unwrap());
    let mut hear = BufReader::new(hear).lines().map(|line| line.unwrap());
    for line in ["play b a1", "play w b1", "play b a2", "play w b2", "lz-analyze b 100000"] {
        writeln!(say, "{line}").unwrap();
    }
    let line = hear.by_ref().find(|line| line.starts_with("info ")).unwrap();
    assert!(line.starts_with("info move a3 ") && line.contains(" winrate 10000 "), "{line}");
    writeln!(say, "name").unwrap();
    assert_eq!(hear.by_ref().take(2).collect::<Vec<_>>(), ["", "= Tesuji"]);
    drop(say);
    running.join().unwrap();
}

#[test]
fn analysis_of_the_other_colour_leaves_the_game_unchanged() {
    let output = talk(settings("go:5", "mcts", 5), "play b C3\nlz-analyze b 1\nundo\nundo\n");
    let answers: Vec<&str> = output.lines().filter(|line| !line.is_empty() && !line.starts_with("info ")).collect();
    assert_eq!(answers, ["=", "=", "=", "? cannot undo"]);
}

#[test]
fn an_interrupt_stops_a_search_and_is_not_a_command() {
    // Without the interrupt this would never end.
    for input in
        ["1 genmove b\n# interrupt\n2 name\n", "# interrupt\n1 genmove b\n  # interrupt\r\n# interrupt\n2 name\n"]
    {
        let output = talk(settings("go:19", "mcts", u64::MAX), input);
        let answers: Vec<&str> = output.split_terminator("\n\n").collect();
        assert!(matches!(answers[..], [moved, "=2 Tesuji"] if moved.starts_with("=1 ")), "{output}");
    }
}

#[test]
fn a_hopeless_position_is_resigned_if_enabled() {
    // Black threatens a3 and c1.
    let lost = "play b a1\nplay w c3\nplay b a2\nplay w b2\nplay b b1\ngenmove w\nshowboard\ngenmove w\n";
    for (resign, resigns) in [(None, false), (Some(0.1), true)] {
        let output = talk(tesuji_gtp::Settings { resign, ..settings("tictactoe", "mcts:solver", 1000) }, lost);
        assert_eq!(output.matches("= resign").count(), if resigns { 2 } else { 0 }, "{output}");
        assert_eq!(output.contains("O to move"), resigns, "a resignation is not a move\n{output}");
    }
}
