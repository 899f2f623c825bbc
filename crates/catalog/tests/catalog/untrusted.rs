//! Specs from outside cannot name files.

use std::path::Path;
use tesuji_catalog::{Engine, check_untrusted, games, open, open_untrusted, searches};
use tesuji_core::OptionInfo;

/// What opening a game, or building a search for Lines of Action, answers to an option.
fn answer(name: &str, is_game: bool, key: &str, path: &Path) -> String {
    let path = path.display().to_string();
    let spec = format!("{name}:{key}='{path}'");
    let error = if is_game {
        open(&spec, "start").err().map(|error| error.to_string())
    } else {
        let game = open("loa", "start").unwrap();
        Engine::new(&spec, game.as_ref()).err().map(|error| error.to_string())
    };
    error.unwrap_or_default().replace(&path, "PATH")
}

/// All options of all games and searches.
fn all_options() -> Vec<(&'static str, bool, OptionInfo)> {
    let of_games =
        games().into_iter().flat_map(|entry| entry.options.into_iter().map(move |o| (entry.info.name, true, o)));
    let of_searches =
        searches().into_iter().flat_map(|entry| entry.options.into_iter().map(move |o| (entry.info.name, false, o)));
    // A size and nested specs are written without a key.
    of_games.chain(of_searches).filter(|(_, _, option)| option.key != "size" && !option.key.contains('[')).collect()
}

/// An option whose answer depends on whether a file exists reads that file, so it must be declared
/// as a file; and then no spec from outside may have it.
#[test]
fn options_that_read_files_are_declared_and_refused_from_outside() {
    let folder = tempfile::tempdir().unwrap();
    let (present, missing) = (folder.path().join("present"), folder.path().join("missing"));
    std::fs::write(&present, "12\n21\n").unwrap();
    let mut files = Vec::new();
    for (name, is_game, option) in all_options() {
        let reads = answer(name, is_game, option.key, &present) != answer(name, is_game, option.key, &missing);
        assert_eq!(reads, option.file, "{name}: {}", option.key);
        let spec = format!("{name}:{}={}", option.key, present.display());
        if option.file {
            files.push(format!("{name}:{}", option.key));
            let error = check_untrusted(&spec).unwrap_err().to_string();
            assert!(error.contains("names a file"), "{spec}: {error}");
        }
    }
    assert_eq!(files, ["samegame:board", "bubblebreaker:board", "clickomania:board", "mcts:transitions"]);
}

#[test]
fn nested_specs_and_games_from_outside_are_checked() {
    let nested = check_untrusted("root:[mcts],[mcts:transitions=/dev/zero]").unwrap_err().to_string();
    assert_eq!(nested, "mcts: transitions names a file, which is accepted on the command line only");
    let Err(error) = open_untrusted("samegame:board=/dev/zero,number=2", "start") else { panic!("it was opened") };
    assert!(error.to_string().contains("names a file"));
    let Err(error) = open("samegame:board=/dev/zero", "start") else { panic!("it was opened") };
    assert!(error.to_string().contains("not a regular file"), "{error}");
    assert!(open_untrusted("samegame:9x9,seed=3", "start").is_ok());
    for untouched in ["go:9", "auto", "mcts:rave", "unknown:x=1", "root:[mcts],[mcts:solver]"] {
        assert_eq!(check_untrusted(untouched), Ok(()), "{untouched}");
    }
}

#[test]
fn time_managers_from_outside_name_no_files() {
    for spec in [
        "mcts@time=distribution:file=/etc/hostname",
        "mcts@time=[distribution:file=/etc/hostname]",
        "mcts@time=stop:f=2,base=[unst:base=distribution:file=/etc/hostname]",
    ] {
        let error = check_untrusted(spec).unwrap_err().to_string();
        assert!(error.contains("file names a file"), "{spec}: {error}");
    }
    assert_eq!(check_untrusted("mcts:solver@time=stop:f=5,p=0.9,base=[unst:f=1]"), Ok(()));
}
