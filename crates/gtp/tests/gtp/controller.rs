//! The controller with programs that misbehave: small shell scripts.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use tesuji_catalog::{Action, Agent, Fault, Session, Turn, open};
use tesuji_core::Limits;
use tesuji_core::time::Clock;
use tesuji_gtp::{Children, GtpPlayer};

static GO_ON: AtomicBool = AtomicBool::new(false);

fn turn(limits: Limits, clock: Option<Clock>) -> Turn<'static> {
    Turn { limits, clock, seed: 1, threads: 1, stop: &GO_ON }
}

/// A program that runs `genmove` (shell code) for a move and accepts every other command.
fn program(genmove: &str, commands: &str) -> String {
    let script = format!(
        "while read c a b d; do case $c in list_commands) printf '= play\\ngenmove\\n{commands}\\n\\n';; name) printf '= fake\\n\\n';; \
         version) printf '= 1\\n\\n';; genmove) {genmove};; quit) printf '=\\n\\n'; exit;; *) printf '=\\n\\n';; esac; done"
    );
    format!("sh -c {}", shlex::try_quote(&script).unwrap())
}

fn chosen(genmove: &str, game: &dyn Session) -> Result<Action, Fault> {
    let mut player = GtpPlayer::start(&program(genmove, ""), game, &Children::default()).unwrap();
    assert_eq!(player.name(), "fake 1");
    player.begin(game).unwrap();
    player.choose(game, &turn(Limits::default(), None)).map(|choice| choice.action)
}

#[test]
fn moves_passes_and_resignations_are_parsed() {
    let game = open("go:5", "start").unwrap();
    for (response, action) in [
        ("printf '= c3\\n\\n'", Action::Move("C3".to_string())),
        ("printf '\\n= PASS \\n\\n'", Action::Move("pass".to_string())),
        ("printf '=\\tResign\\r\\n\\r\\n'", Action::Resign),
    ] {
        assert_eq!(chosen(response, game.as_ref()), Ok(action), "{response}");
    }
}

#[test]
fn invalid_responses_are_protocol_faults() {
    let game = open("go:5", "start").unwrap();
    for response in [
        "printf '= z99\\n\\n'",
        "printf '=\\n\\n'",
        "printf '= C3 D4\\n\\n'",
        "printf '? I will not\\n\\n'",
        "printf 'hello\\n\\n'",
        "head -c 200000 /dev/zero; echo",
        "printf '= \\n'; while echo x; do :; done",
    ] {
        let fault = chosen(response, game.as_ref()).unwrap_err();
        assert!(matches!(fault, Fault::Protocol(_)), "{response}: {fault}");
    }
    assert!(chosen("printf '? I will not\\n\\n'", game.as_ref()).unwrap_err().to_string().contains("I will not"));
}

#[test]
fn a_move_on_a_stone_is_illegal() {
    let game = open("go:5", "start moves C3").unwrap();
    assert_eq!(chosen("printf '= C3\\n\\n'", game.as_ref()), Err(Fault::Illegal("C3".to_string())));
}

#[test]
fn a_program_that_exits_is_restarted_for_the_next_game() {
    let game = open("go:5", "start").unwrap();
    let mut player =
        GtpPlayer::start(&program("echo so long >&2; exit 7", ""), game.as_ref(), &Children::default()).unwrap();
    for _ in 0..2 {
        player.begin(game.as_ref()).unwrap();
        match player.choose(game.as_ref(), &turn(Limits::default(), None)) {
            Err(Fault::Crashed(text)) => assert!(text.contains("exit status: 7") && text.contains("so long"), "{text}"),
            other => panic!("{other:?}"),
        }
        let again = player.choose(game.as_ref(), &turn(Limits::default(), None));
        assert!(matches!(again, Err(Fault::Crashed(_))), "{again:?}");
    }
}

#[test]
fn a_hanging_program_is_abandoned_on_stop() {
    let game = open("go:5", "start").unwrap();
    let mut player = GtpPlayer::start(&program("sleep 1000", ""), game.as_ref(), &Children::default()).unwrap();
    player.begin(game.as_ref()).unwrap();
    let stop = AtomicBool::new(false);
    let choice = std::thread::scope(|scope| {
        scope.spawn(|| stop.store(true, Relaxed));
        player.choose(game.as_ref(), &Turn { stop: &stop, ..turn(Limits::default(), None) })
    });
    assert!(matches!(choice, Err(Fault::Silent(_))), "{choice:?}");
}

#[test]
fn a_program_that_cannot_play_is_refused() {
    let game = open("go:5", "start").unwrap();
    let mute =
        GtpPlayer::start("sh -c 'while read c; do printf \"= name\\n\\n\"; done'", game.as_ref(), &Children::default());
    assert!(matches!(mute.err(), Some(Fault::Unable(_))));
    let gone = GtpPlayer::start("true", game.as_ref(), &Children::default());
    assert!(matches!(gone.err(), Some(Fault::Crashed(_))));
    let alone = open("samegame", "start").unwrap();
    assert!(matches!(GtpPlayer::start("cat", alone.as_ref(), &Children::default()).err(), Some(Fault::Unable(_))));
}

/// The commands that a program receives in a game.
fn heard(
    spec: &str,
    position: &str,
    commands: &str,
    play: impl FnOnce(&mut GtpPlayer, &mut dyn Session),
) -> Vec<String> {
    let mut game = open(spec, position).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("heard");
    let script = format!(
        "while read line; do echo $line >> {}; case $line in list_commands) printf '= play\\ngenmove\\n{commands}\\n\\n';; \
         genmove*) printf '= swap-pieces\\n\\n';; quit) exit;; *) printf '=\\n\\n';; esac; done",
        file.display()
    );
    let command_line = format!("sh -c {}", shlex::try_quote(&script).unwrap());
    let mut player = GtpPlayer::start(&command_line, game.as_ref(), &Children::default()).unwrap();
    play(&mut player, game.as_mut());
    drop(player);
    let text = std::fs::read_to_string(file).unwrap();
    text.lines().skip(3).filter(|line| *line != "quit").map(str::to_string).collect()
}

#[test]
fn only_new_moves_are_sent() {
    let all = "boardsize\\nkomi\\nclear_board\\nundo\\nfinal_score";
    let commands_sent = heard("go:9,komi=6.5", "start moves C3 D4", all, |player, game| {
        player.begin(game).unwrap();
        game.play("E5").unwrap();
        player.result(game).unwrap();
        game.undo();
        game.undo();
        game.play("pass").unwrap();
        player.result(game).unwrap();
    });
    let expected = [
        "boardsize 9",
        "komi 6.5",
        "clear_board",
        "play b C3",
        "play w D4",
        "play b E5",
        "final_score",
        "undo",
        "undo",
        "play w pass",
        "final_score",
    ];
    assert_eq!(commands_sent, expected);
}

#[test]
fn without_undo_the_game_is_sent_again() {
    let commands_sent =
        heard("hex:5x6", "start moves a1 b2", "boardsize\\nclear_board\\nfinal_score", |player, game| {
            player.begin(game).unwrap();
            game.undo();
            player.result(game).unwrap();
        });
    assert_eq!(
        commands_sent,
        [
            "boardsize 5 6",
            "clear_board",
            "play b a1",
            "play w b2",
            "boardsize 5 6",
            "clear_board",
            "play b a1",
            "final_score"
        ]
    );
}

#[test]
fn handicap_stones_are_sent() {
    let commands = "boardsize\\nkomi\\nclear_board\\nset_free_handicap";
    let commands_sent = heard("go:9,handicap=2", "start", commands, |player, game| player.begin(game).unwrap());
    assert_eq!(commands_sent, ["boardsize 9", "komi 7.5", "clear_board", "set_free_handicap G7 C3"]);
    let commands_sent = heard("go:9,handicap=2", "start", "clear_board", |player, game| player.begin(game).unwrap());
    assert_eq!(commands_sent, ["clear_board", "play b G7", "play b C3"]);
}

#[test]
fn time_is_sent_as_byo_yomi_or_as_a_clock() {
    let with_time = |limits: Limits, clock: Option<Clock>| {
        heard("go:9", "start", "time_settings\\ntime_left", |player, game| {
            player.begin(game).unwrap();
            let fault = player.choose(game, &turn(limits, clock));
            assert!(matches!(fault, Err(Fault::Protocol(_))), "Go has no swap");
        })
    };
    let limits = Limits { time: Some(Duration::from_millis(2500)), ..Limits::default() };
    assert_eq!(with_time(limits, None), ["time_settings 0 2 1", "time_left b 2 1", "genmove b"]);
    let clock = Clock::sudden_death(Duration::from_secs(90));
    assert_eq!(with_time(Limits::default(), Some(clock)), ["time_settings 90 0 0", "time_left b 90 0", "genmove b"]);
    assert_eq!(with_time(Limits::default(), None), ["genmove b"]);
}

#[test]
fn benzene_is_sent_the_swapped_stone() {
    let commands = "boardsize\\nclear_board\\nundo\\nparam_game\\nparam_mohex\\ntime_left\\nfinal_score";
    let commands_sent = heard("hex:5,swap", "start moves a3", commands, |player, game| {
        player.begin(game).unwrap();
        let limits = Limits { time: Some(Duration::from_millis(1500)), ..Limits::default() };
        let choice = player.choose(game, &turn(limits, None)).unwrap();
        assert_eq!(choice.action, Action::Move("swap".to_string()));
        game.play("swap").unwrap();
        game.play("b4").unwrap();
        player.result(game).unwrap();
    });
    let expected = [
        "boardsize 5",
        "clear_board",
        "param_game allow_swap 1",
        "play b a3",
        "param_mohex max_time 1.5",
        "genmove w",
        "boardsize 5",
        "clear_board",
        "param_game allow_swap 0",
        "play w c1",
        "play b b4",
        "final_score",
    ];
    assert_eq!(commands_sent, expected);
}
