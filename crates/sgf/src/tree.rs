//! The tree of an SGF file: nodes, properties, and values as written.
//!
//! The parser of `sgf-parse` is not used for the tree: it loses escapes outside of comments
//! (`XX[a\]b]` is written back as `XX[a]b]`), the order of points and labels with colons, and
//! recurses for every move. It only interprets properties.

use crate::SgfError;
use sgf_parse::{SimpleText, Text};
use std::fmt;

/// A property: `TR[aa][bb]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// The identifier without lower-case letters, which files before FF\[4\] may have and which
    /// carry no meaning.
    pub identifier: String,
    /// The values as written, with all escapes; there is at least one.
    pub values: Vec<String>,
}

/// A node of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    /// Its properties, in their order.
    pub properties: Vec<Property>,
    /// The indices of its children, the main line first.
    pub children: Vec<usize>,
}

impl Node {
    /// Returns the values of a property, if the node has it.
    pub fn values(&self, identifier: &str) -> Option<&[String]> {
        let found = self.properties.iter().find(|property| property.identifier == identifier);
        found.map(|property| property.values.as_slice())
    }

    /// Returns the first value of a property as a line of text, if the node has it.
    pub fn line(&self, identifier: &str) -> Option<String> {
        self.values(identifier).map(|values| SimpleText { text: values[0].clone() }.to_string())
    }

    /// Returns the first value of a property as a text of several lines, if the node has it.
    pub fn text(&self, identifier: &str) -> Option<String> {
        self.values(identifier).map(|values| Text { text: values[0].clone() }.to_string())
    }

    /// Sets a property to one value, which is escaped, in place of the values that it had.
    pub fn set(&mut self, identifier: &str, text: &str) {
        match self.properties.iter_mut().find(|property| property.identifier == identifier) {
            Some(property) => property.values = vec![escaped(text)],
            None => self.push(identifier, escaped(text)),
        }
    }

    /// Adds a property with one value, which must be escaped.
    pub(crate) fn push(&mut self, identifier: &str, value: impl Into<String>) {
        self.properties.push(Property { identifier: identifier.to_string(), values: vec![value.into()] });
    }
}

/// Escapes a text as the value of a property.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// A game with all its variations. It always has a root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tree {
    /// The nodes in the order of the file; the root has index 0, and every node precedes its
    /// children.
    nodes: Vec<Node>,
}

impl Tree {
    /// Makes a tree with only a root.
    pub(crate) fn new(root: Node) -> Tree {
        Tree { nodes: vec![root] }
    }

    /// Appends a child to the last node.
    pub(crate) fn extend(&mut self, node: Node) {
        self.add(self.nodes.len() - 1, node);
    }

    /// Adds a node as the last child of another one, and returns its index.
    pub fn add(&mut self, parent: usize, node: Node) -> usize {
        let number = self.nodes.len();
        self.nodes[parent].children.push(number);
        self.nodes.push(node);
        number
    }

    /// Returns a node to change its properties; the root has index 0.
    pub fn node_mut(&mut self, index: usize) -> &mut Node {
        &mut self.nodes[index]
    }

    /// Returns the root.
    pub fn root(&self) -> &Node {
        &self.nodes[0]
    }

    /// Returns all nodes; the root has index 0.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Iterates over the root, its first child, and so on.
    pub fn main_line(&self) -> impl Iterator<Item = &Node> {
        std::iter::successors(Some(self.root()), |node| node.children.first().map(|&child| &self.nodes[child]))
    }
}

/// Lines are broken before the first node after this column.
const LINE_WIDTH: usize = 72;

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enum Step {
            Node(usize),
            Open(usize),
            Close,
        }
        // An explicit stack: recursion would overflow on long games.
        let mut steps = vec![Step::Close, Step::Node(0)];
        let mut column = 1;
        f.write_str("(")?;
        while let Some(step) = steps.pop() {
            let number = match step {
                Step::Close => {
                    f.write_str(")")?;
                    continue;
                }
                Step::Open(number) => {
                    f.write_str("\n(")?;
                    column = 1;
                    number
                }
                Step::Node(number) => {
                    if column > LINE_WIDTH {
                        f.write_str("\n")?;
                        column = 0;
                    }
                    number
                }
            };
            let node = &self.nodes[number];
            f.write_str(";")?;
            column += 1;
            for property in &node.properties {
                f.write_str(&property.identifier)?;
                column += property.identifier.len();
                for value in &property.values {
                    write!(f, "[{value}]")?;
                    column += value.len() + 2;
                }
            }
            match node.children.as_slice() {
                [only] => steps.push(Step::Node(*only)),
                several => {
                    for &child in several.iter().rev() {
                        steps.extend([Step::Close, Step::Open(child)]);
                    }
                }
            }
        }
        f.write_str("\n")
    }
}

/// Parses all games of a text.
pub(crate) fn read(text: &str) -> Result<Vec<Tree>, SgfError> {
    let mut reader = Reader::new(text)?;
    let mut trees = Vec::new();
    while reader.peek().is_some() {
        trees.push(reader.tree()?);
    }
    Ok(trees)
}

pub(crate) struct Reader<'a> {
    text: &'a str,
    /// The offset of the next character.
    pub(crate) at: usize,
}

impl<'a> Reader<'a> {
    /// Starts at the first game; a text before it is ignored.
    pub(crate) fn new(text: &'a str) -> Result<Reader<'a>, SgfError> {
        let begin = text.match_indices('(').map(|(at, _)| at).find(|at| text[at + 1..].trim_start().starts_with(';'));
        Ok(Reader { text, at: begin.ok_or(SgfError::NoGame)? })
    }

    /// Skips white space and returns the next character.
    pub(crate) fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    /// Makes an error at the present position.
    fn fail<T>(&self, reason: &'static str) -> Result<T, SgfError> {
        let before = &self.text[..self.at];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Err(SgfError::Syntax { line, column, reason })
    }

    /// Enters a game or a variation, both of which start with a node.
    fn open(&mut self) -> Result<(), SgfError> {
        self.at += 1;
        if self.peek() == Some(';') { Ok(()) } else { self.fail("\"(\" is followed by \";\"") }
    }

    /// Checks that a game follows.
    pub(crate) fn check_start(&mut self) -> Result<(), SgfError> {
        match self.peek() {
            Some('(') => Ok(()),
            _ => self.fail("only games, which start with \"(;\", may follow a game"),
        }
    }

    fn tree(&mut self) -> Result<Tree, SgfError> {
        self.check_start()?;
        self.open()?;
        let mut nodes: Vec<Node> = Vec::new();
        // The parent of the next node, and the parents at which open variations started.
        let mut last = None;
        let mut open = vec![None];
        loop {
            match self.peek() {
                Some(';') => {
                    self.at += 1;
                    let properties = self.properties()?;
                    if let Some(parent) = last {
                        let number = nodes.len();
                        let parent: &mut Node = &mut nodes[parent];
                        parent.children.push(number);
                    }
                    last = Some(nodes.len());
                    nodes.push(Node { properties, children: Vec::new() });
                }
                Some('(') => {
                    self.open()?;
                    open.push(last);
                }
                Some(')') => {
                    self.at += 1;
                    last = open.pop().expect("the game is open");
                    if open.is_empty() {
                        return Ok(Tree { nodes });
                    }
                    if self.peek() == Some(';') {
                        return self.fail("a variation is followed by another one or by the end of the game");
                    }
                }
                Some(_) => return self.fail("\";\", \"(\" or \")\" is expected"),
                None => return self.fail("the file ends within a game; a \")\" is missing"),
            }
        }
    }

    fn properties(&mut self) -> Result<Vec<Property>, SgfError> {
        let mut properties = Vec::new();
        while self.peek().is_some_and(|letter| letter.is_ascii_alphabetic()) {
            let rest = &self.text[self.at..];
            let name = &rest[..rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len())];
            let identifier: String = name.chars().filter(|letter| !letter.is_ascii_lowercase()).collect();
            if !identifier.starts_with(|letter: char| letter.is_ascii_uppercase()) {
                return self.fail("a property has a name with capital letters, such as B or AB");
            }
            self.at += name.len();
            let mut values = Vec::new();
            while self.peek() == Some('[') {
                values.push(self.value()?);
            }
            if values.is_empty() {
                return self.fail("a property has a value in brackets");
            }
            properties.push(Property { identifier, values });
        }
        Ok(properties)
    }

    fn value(&mut self) -> Result<String, SgfError> {
        let rest = &self.text[self.at + 1..];
        let mut is_escaped = false;
        for (at, letter) in rest.char_indices() {
            match letter {
                ']' if !is_escaped => {
                    self.at += at + 2;
                    return Ok(rest[..at].to_string());
                }
                '\\' => is_escaped = !is_escaped,
                _ => is_escaped = false,
            }
        }
        self.fail("a value starts here that no \"]\" ends")
    }
}
