//! The Go Text Protocol alone (version 2, draft 2, Farnebäck 2002): lines in, answers out. No game is known here.

use std::fmt;

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    /// The number that the answer carries again, if there is one.
    pub id: Option<String>,
    /// What is asked; empty if there was only a number.
    pub name: String,
    /// The rest of the words.
    pub arguments: Vec<String>,
}

impl Command {
    /// Reads a line; `None` if it asks nothing.
    ///
    /// As the protocol says: control characters other than tabs are left out, tabs are spaces, and what follows `#` is a comment.
    pub fn parse(line: &str) -> Option<Command> {
        let text: String = line.chars().filter(|&letter| letter == '\t' || !letter.is_control()).collect();
        let asked = text.split('#').next().unwrap_or("");
        let mut words = asked.split_whitespace().map(str::to_string).peekable();
        let id = words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
        let name = words.next();
        (id.is_some() || name.is_some()).then(|| Command {
            id,
            name: name.unwrap_or_default(),
            arguments: words.collect(),
        })
    }
}

/// Why a command was not done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal(pub String);

impl Refusal {
    /// For any reason that can be told.
    pub fn new(reason: impl fmt::Display) -> Refusal {
        Refusal(reason.to_string())
    }
}

/// What a command gives: a text of any number of lines.
pub type Answer = Result<String, Refusal>;

/// An answer as it is sent. Its end is an empty line, so it can have none inside.
pub fn sent(id: Option<&str>, answer: &Answer) -> String {
    let (mark, text) = match answer {
        Ok(text) => ('=', text.clone()),
        Err(Refusal(reason)) => ('?', reason.replace('\n', " ")),
    };
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    // The board and other drawings begin below the mark.
    let (first, rest) = lines.split_first().map_or(("", [].as_slice()), |(first, rest)| (*first, rest));
    let mut sent = format!("{mark}{}", id.unwrap_or(""));
    if !first.is_empty() {
        sent += &format!(" {first}");
    }
    for line in rest.iter().filter(|line| !line.is_empty()) {
        sent += &format!("\n{line}");
    }
    sent + "\n\n"
}

/// What a program answered: the text behind the mark, or the reason why not; `None` if this is no answer.
pub fn received(lines: &[String]) -> Option<Answer> {
    let (first, rest) = lines.split_first()?;
    let mark = first.chars().next().filter(|mark| ['=', '?'].contains(mark))?;
    let behind = first[1..].trim_start_matches(|digit: char| digit.is_ascii_digit()).trim();
    let mut text = behind.to_string();
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
    fn lines_are_read_as_the_protocol_says() {
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
    fn answers_end_with_the_only_empty_line() {
        assert_eq!(sent(None, &Ok(String::new())), "=\n\n");
        assert_eq!(sent(Some("3"), &Ok("D4".to_string())), "=3 D4\n\n");
        assert_eq!(sent(None, &Ok("\n a b\n\n1 . .\n".to_string())), "=\n a b\n1 . .\n\n");
        assert_eq!(sent(Some("1"), &Err(Refusal::new("no\nway"))), "?1 no way\n\n");
    }

    #[test]
    fn what_is_sent_is_received() {
        for answer in
            [Ok("D4".to_string()), Ok("a\nb".to_string()), Ok(String::new()), Err(Refusal::new("illegal move"))]
        {
            for id in [None, Some("17")] {
                let lines: Vec<String> = sent(id, &answer).trim_end().lines().map(str::to_string).collect();
                assert_eq!(received(&lines), Some(answer.clone()));
            }
        }
        assert_eq!(received(&["hello".to_string()]), None);
        assert_eq!(received(&[]), None);
    }
}
