//! USI programs as players: misbehaving scripts, and games against Fairy-Stockfish.

use crate::outside::fairy_stockfish;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tesuji_catalog::{Action, Agent, Choice, Fault, SearchPlayer, Session, Turn, open};
use tesuji_core::Limits;
use tesuji_core::time::Clock;
use tesuji_gtp::Children;
use tesuji_gtp::usi::{Timeouts, UsiPlayer};

static GOING_ON: AtomicBool = AtomicBool::new(false);

fn turn(limits: Limits) -> Turn<'static> {
    Turn { limits, clock: None, seed: 1, threads: 1, stop: &GOING_ON }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// Timeouts for programs that will never answer.
const SHORT: Timeouts =
    Timeouts { start: Duration::from_secs(60), grace: Duration::from_millis(50), untimed: Duration::from_millis(50) };

/// A program that introduces itself, offers `options` and runs `on_go` (shell code) for a move. It
/// writes its input to a file.
fn fake(options: &str, on_go: &str, heard: &Path) -> String {
    let script = format!(
        "while read -r line; do echo \"$line\" >> {}; case \"$line\" in \
         usi) echo id name Fake 1; {options} echo usiok;; isready) echo readyok;; go*) {on_go};; quit) exit;; esac; done",
        heard.display()
    );
    format!("sh -c {}", shlex_quote(&script))
}

fn shlex_quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The choice of a program that runs `on_go`, in the start position of minishogi.
fn choice_of(on_go: &str, timeouts: Timeouts) -> Result<Choice, Fault> {
    let folder = tempfile::tempdir().unwrap();
    let game = open("minishogi", "start").unwrap();
    let mut player = UsiPlayer::start_with(
        &fake("", on_go, &folder.path().join("heard")),
        game.as_ref(),
        &Children::default(),
        timeouts,
    )?;
    player.begin(game.as_ref())?;
    player.choose(game.as_ref(), &turn(nodes(10)))
}

#[test]
fn moves_values_and_counters_are_read() {
    let on_go = "echo info depth 4 nodes 123 score cp 1200 pv 5d5c; echo hello; echo bestmove 5d5c ponder 1b1c";
    let choice = choice_of(on_go, Timeouts::default()).unwrap();
    assert_eq!(choice.action, Action::Move("a2-a3".to_string()));
    assert_eq!((choice.counters.nodes, choice.counters.depth), (123, 4));
    assert!((choice.value.unwrap() - 0.76).abs() < 0.01);
    assert_eq!(choice_of("echo bestmove resign", Timeouts::default()).unwrap().action, Action::Resign);
}

#[test]
fn misbehaving_programs_have_faults() {
    for on_go in ["echo bestmove 5d5b", "echo bestmove P*3c", "echo bestmove x", "echo bestmove win", "echo bestmove é"]
    {
        match choice_of(on_go, Timeouts::default()) {
            Err(Fault::Illegal(text)) => assert!(text.contains(&on_go["echo bestmove ".len()..]), "{text}"),
            other => panic!("{on_go}: {other:?}"),
        }
    }
    let other = choice_of("echo bestmove", Timeouts::default());
    assert!(matches!(other, Err(Fault::Protocol(_))), "{other:?}");
    match choice_of("echo oh no >&2; exit 3", Timeouts::default()) {
        Err(Fault::Crashed(text)) => assert!(text.contains("exit status: 3") && text.contains("oh no"), "{text}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_program_without_a_move_is_silent_whatever_else_it_sends() {
    for on_go in ["true", "while echo info depth 1; do :; done", "while echo nonsense; do :; done"] {
        match choice_of(on_go, SHORT) {
            Err(Fault::Silent(text)) => assert!(text.contains("go nodes 10"), "{text}"),
            other => panic!("{on_go}: {other:?}"),
        }
    }
}

#[test]
fn a_program_without_usi_is_refused() {
    let game = open("minishogi", "start").unwrap();
    let timeouts = Timeouts { start: Duration::from_millis(50), ..SHORT };
    let start = |line: &str| UsiPlayer::start_with(line, game.as_ref(), &Children::default(), timeouts).err();
    assert!(matches!(start("cat"), Some(Fault::Silent(_))));
    assert!(matches!(start("true"), Some(Fault::Crashed(_))));
    assert!(matches!(start("no-such-program"), Some(Fault::Crashed(_))));
    assert!(matches!(start(""), Some(Fault::Crashed(_))));
    let other = open("go:9", "start").unwrap();
    assert!(matches!(UsiPlayer::start("cat", other.as_ref(), &Children::default()), Err(Fault::Unable(_))));
}

#[test]
fn game_options_and_limits_are_sent() {
    let folder = tempfile::tempdir().unwrap();
    let heard = folder.path().join("heard");
    let options = "echo option name UCI_Variant type combo default shogi var shogi var dobutsu; \
                   echo option name Hash type spin default 16 min 1 max 99; echo option name Threads type spin default 1; \
                   echo option name Skill Level type spin default 3;";
    let line = format!("'Skill Level=2' {}", fake(options, "echo bestmove 1d1c", &heard));
    let mut game = open("lion", "start").unwrap();
    let mut player = UsiPlayer::start(&line, game.as_ref(), &Children::default()).unwrap();
    assert_eq!(player.name(), "Fake 1");
    player.begin(game.as_ref()).unwrap();
    let memory = Some(64 << 20);
    let time = Limits { time: Some(Duration::from_millis(700)), memory, ..Limits::default() };
    player.choose(game.as_ref(), &Turn { threads: 2, ..turn(time) }).unwrap();
    game.play("b3-b2").unwrap();
    game.play("b1-b2").unwrap();
    let clock = Some(Clock { increment: Duration::from_millis(100), ..Clock::sudden_death(Duration::from_secs(30)) });
    player.choose(game.as_ref(), &Turn { threads: 2, clock, ..turn(time) }).unwrap();
    let playouts = Limits { playouts: Some(50), memory, ..Limits::default() };
    player.choose(game.as_ref(), &Turn { threads: 2, ..turn(playouts) }).unwrap();
    drop(player);
    let expected = [
        "usi",
        "setoption name Skill Level value 2",
        "setoption name UCI_Variant value dobutsu",
        "isready",
        "usinewgame",
        "isready",
        "setoption name Threads value 2",
        "setoption name Hash value 64",
        "position startpos",
        "go btime 0 wtime 0 byoyomi 700 movetime 700",
        "position startpos moves 2c2b 2a2b",
        "go btime 30000 wtime 30000 binc 100 winc 100",
        "position startpos moves 2c2b 2a2b",
        "go nodes 50",
        "quit",
    ];
    let input = fs::read_to_string(&heard).unwrap();
    assert_eq!(input.lines().collect::<Vec<_>>(), expected);
    // A game that the program does not offer, and an option that it does not have.
    let minishogi = open("minishogi", "start").unwrap();
    assert!(matches!(UsiPlayer::start(&line, minishogi.as_ref(), &Children::default()), Err(Fault::Unable(_))));
    let line = format!("Depth=2 {}", fake("", ":", &heard));
    let Err(Fault::Unable(text)) = UsiPlayer::start(&line, game.as_ref(), &Children::default()) else {
        panic!("it has no option")
    };
    assert!(text.contains("Depth"), "{text}");
}

#[test]
fn a_program_without_limits_searches_until_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let heard = folder.path().join("heard");
    let game = open("minishogi", "start").unwrap();
    // The program answers to the next line, which is `stop`.
    let on_go =
        "read -r line; echo \"$line\" >> HEARD; echo bestmove 5d5c".replace("HEARD", &heard.display().to_string());
    let mut player = UsiPlayer::start(&fake("", &on_go, &heard), game.as_ref(), &Children::default()).unwrap();
    let stop = AtomicBool::new(true);
    player.choose(game.as_ref(), &Turn { stop: &stop, ..turn(Limits::default()) }).unwrap();
    drop(player);
    let input = fs::read_to_string(&heard).unwrap();
    assert!(input.contains("go infinite\nstop\n"), "{input}");
}

#[test]
fn an_unresponsive_program_does_not_delay_the_caller() {
    let folder = tempfile::tempdir().unwrap();
    let game = open("minishogi", "start").unwrap();
    let timeouts = Timeouts { grace: Duration::from_secs(100_000), ..Timeouts::default() };
    let command_line = fake("", "sleep 100000", &folder.path().join("heard"));
    let mut player = UsiPlayer::start_with(&command_line, game.as_ref(), &Children::default(), timeouts).unwrap();
    let stop = AtomicBool::new(true);
    let chosen = player.choose(game.as_ref(), &Turn { stop: &stop, ..turn(nodes(10)) });
    assert!(matches!(chosen, Err(Fault::Silent(_))), "{chosen:?}");
}

#[test]
fn an_attacked_lion_is_captured_without_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let game = open("lion", "S/gle/-C-/---/EL-/Gc").unwrap();
    let line = fake("", "exit 3", &folder.path().join("heard"));
    let mut player = UsiPlayer::start(&line, game.as_ref(), &Children::default()).unwrap();
    let choice = player.choose(game.as_ref(), &turn(nodes(1))).unwrap();
    assert_eq!(choice.action, Action::Move("b2-b1+".to_string()));
}

/// The end of a game.
#[derive(Debug)]
enum End {
    OnTheBoard(usize),
    Resigned(usize),
}

/// Plays a game; every move must be legal.
fn play(spec: &str, mut players: [&mut dyn Agent; 2], limits: [Limits; 2]) -> End {
    let mut game: Box<dyn Session> = open(spec, "start").unwrap();
    for player in &mut players {
        player.begin(game.as_ref()).unwrap();
    }
    loop {
        let Some(seat) = game.to_move() else { return End::OnTheBoard(game.moves().len()) };
        let player = &mut players[seat.index()];
        match player.choose(game.as_ref(), &turn(limits[seat.index()])).unwrap().action {
            Action::Move(mv) => game.play(&mv).unwrap(),
            Action::Resign => return End::Resigned(seat.index()),
        }
    }
}

fn play_both_colours(spec: &str, check: impl Fn(End, usize)) {
    let Some(command) = fairy_stockfish() else { return };
    let start = open(spec, "start").unwrap();
    let mut theirs = UsiPlayer::start(&command, start.as_ref(), &Children::default()).unwrap();
    assert!(theirs.name().starts_with("Fairy-Stockfish"), "{}", theirs.name());
    let mut ours = SearchPlayer::new("mcts:solver", start.as_ref()).unwrap();
    let playouts = Limits { playouts: Some(200), memory: Some(16 << 20), ..Limits::default() };
    let few = Limits { memory: Some(16 << 20), ..nodes(200) };
    check(play(spec, [&mut ours, &mut theirs], [playouts, few]), 1);
    check(play(spec, [&mut theirs, &mut ours], [few, playouts]), 0);
}

#[test]
fn whole_games_of_minishogi_are_played_against_fairy_stockfish() {
    play_both_colours("minishogi", |end, _| assert!(matches!(end, End::OnTheBoard(10..)), "{end:?}"));
}

#[test]
fn whole_games_of_breakthrough_are_played_against_fairy_stockfish() {
    play_both_colours("breakthrough:8", |end, _| assert!(matches!(end, End::OnTheBoard(10..)), "{end:?}"));
}

/// Fairy-Stockfish resigns when mated; under Tesuji's rules the Lion is still to be captured.
#[test]
fn whole_games_of_lion_are_played_against_fairy_stockfish() {
    play_both_colours("lion", |end, their_seat| {
        if let End::Resigned(seat) = end {
            assert_eq!(seat, their_seat);
        }
    });
}
