//! The syntax of the Go Text Protocol (version 2, draft 2, Farnebäck 2002): commands and responses.

use std::fmt;

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// The number that the response repeats, if any.
    pub id: Option<String>,
    /// The name; empty if there is only a number.
    pub name: String,
    /// The arguments.
    pub arguments: Vec<String>,
}

impl Command {
    /// Parses a line; `None` if it is blank or a comment.
    ///
    /// As the protocol demands, control characters except tabs are dropped, tabs are spaces, and
    /// `#` starts a comment.
    pub fn parse(line: &str) -> Option<Command> {
        let text: String = line.chars().filter(|&letter| letter == '\t' || !letter.is_control()).collect();
        let text = text.split('#').next().unwrap_or("");
        let mut words = text.split_whitespace().map(str::to_string).peekable();
        let id = words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        let name = words.next();
        (id.is_some() || name.is_some()).then(|| Command {
            id,
            name: name.unwrap_or_default(),
            arguments: words.collect(),
        })
    }
}

/// The reason of a failure response.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal(pub String);

impl Refusal {
    /// Makes a refusal from any reason.
    pub fn new(reason: impl fmt::Display) -> Refusal {
        Refusal(reason.to_string())
    }
}

/// The response to a command: a text of any number of lines, or a failure.
pub type Response = Result<String, Refusal>;

/// Writes a response. An empty line ends it, so empty lines inside are dropped.
pub fn write_response(id: Option<&str>, response: &Response) -> String {
    let (mark, text) = match response {
        Ok(text) => ('=', text.clone()),
        Err(Refusal(reason)) => ('?', reason.replace('\n', " ")),
    };
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    // Drawings such as the board start below the status line.
    let (first, rest) = lines.split_first().map_or(("", [].as_slice()), |(first, rest)| (*first, rest));
    let mut written = format!("{mark}{}", id.unwrap_or(""));
    if !first.is_empty() {
        written += &format!(" {first}");
    }
    for line in rest.iter().filter(|line| !line.is_empty()) {
        written += &format!("\n{line}");
    }
    written + "\n\n"
}

/// Parses a response; `None` if the lines are not one.
pub fn parse_response(lines: &[String]) -> Option<Response> {
    let (first, rest) = lines.split_first()?;
    let mark = first.chars().next().filter(|mark| ['=', '?'].contains(mark))?;
    let rest_of_line = first[1..].trim_start_matches(|digit: char| digit.is_ascii_digit()).trim();
    let mut text = rest_of_line.to_string();
    for line in rest {
        text += &format!("\n{line}");
    }
    Some(if mark == '=' { Ok(text) } else { Err(Refusal(text)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(id: Option<&str>, words: &[&str]) -> Command {
        Command {
            id: id.map(str::to_string),
            name: words[0].to_string(),
            arguments: words[1..].iter().map(ToString::to_string).collect(),
        }
    }

    #[test]
    fn lines_are_parsed_as_the_protocol_demands() {
        for (line, expected) in [
            ("", None),
            ("   \t ", None),
            ("# a comment", None),
            ("name", Some(command(None, &["name"]))),
            ("12 play b D4 # good", Some(command(Some("12"), &["play", "b", "D4"]))),
            ("play\tblack\tD4\r", Some(command(None, &["play", "black", "D4"]))),
            ("na\u{7}me\u{0}", Some(command(None, &["name"]))),
            ("7", Some(command(Some("7"), &[""]))),
            ("99999999999999999999999 quit", Some(command(Some("99999999999999999999999"), &["quit"]))),
            ("name#1", Some(command(None, &["name"]))),
        ] {
            assert_eq!(Command::parse(line), expected, "{line:?}");
        }
    }

    #[test]
    fn responses_end_with_their_only_empty_line() {
        assert_eq!(write_response(None, &Ok(String::new())), "=\n\n");
        assert_eq!(write_response(Some("3"), &Ok("D4".to_string())), "=3 D4\n\n");
        assert_eq!(write_response(None, &Ok("\n a b\n\n1 . .\n".to_string())), "=\n a b\n1 . .\n\n");
        assert_eq!(write_response(Some("1"), &Err(Refusal::new("no\nway"))), "?1 no way\n\n");
    }

    #[test]
    fn responses_round_trip() {
        for response in
            [Ok("D4".to_string()), Ok("a\nb".to_string()), Ok(String::new()), Err(Refusal::new("illegal move"))]
        {
            for id in [None, Some("17")] {
                let lines: Vec<String> = write_response(id, &response).trim_end().lines().map(str::to_string).collect();
                assert_eq!(parse_response(&lines), Some(response.clone()));
            }
        }
        assert_eq!(parse_response(&["hello".to_string()]), None);
        assert_eq!(parse_response(&[]), None);
    }
}
