//! The program as the tests start it.

use assert_cmd::Command;

/// The program with these arguments.
pub fn tesuji(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("tesuji").expect("the program is built");
    command.args(arguments).env_remove("COLUMNS");
    command
}

/// What the program tells programs, when it ends with this exit code.
pub fn json(arguments: &[&str], code: i32) -> serde_json::Value {
    let output = tesuji(&[arguments, &["--json"]].concat()).assert().code(code).get_output().stdout.clone();
    serde_json::from_slice(&output).expect("one JSON object")
}
