//! Synthetic games: trees written as text, and random trees of known value.
//!
//! `synthetic:tree='...'` is a small game for examples and tests. A number is a terminal node with
//! that score for the first player (`1,5,3` gives the scores of three players); `( ... )` is a
//! choice between the nodes inside. Players alternate by depth, unless a choice starts with `a:`,
//! `b:`, ... for the first, second, ... player. `x=( ... )` names a choice, and `@x` refers to it:
//! a transposition, or, inside `x` itself, a cycle. A position that occurs `repetition=` times
//! (default 3) is a draw.
//!
//! Without `tree=` the game is a random tree (in the manner of the P-games of Smith and Nau 1994)
//! of `depth=` and `branching=`, whose value is chosen first: at every position one child has that
//! value, and no child is better for the mover. `value=` sets the value for the first player,
//! `scores=` the largest score; with `turns=random` the player to move is random. It takes no
//! memory, whatever its size. With `traps=` some of the other children are traps (Ramanujan,
//! Sabharwal and Selman 2010): after such a move the opponent wins within `trap-plies=` plies, by
//! one move in each of its positions; any other of its moves leaves the trap.
//!
//! Moves are the numbers of the children from 1. A position is written as `n` and the number of its
//! node in the order of the text, or, in a random tree, as the moves that lead to it: `root`,
//! `2.1.3`.

use std::collections::HashMap;
use std::sync::Arc;
use tesuji_core::look::{PieceStyle, Tone};
use tesuji_core::rng::mix;
use tesuji_core::view::{Cell, Piece, Shape};
use tesuji_core::{
    Facts, Game, Info, Knowledge, Length, Look, MAX_PLAYERS, Options, Outcome, Player, PositionError, Repetition,
    Rules, SpecError, View, quoted,
};

/// A node of a written tree.
#[derive(Clone, PartialEq, Debug)]
enum Node {
    End(Outcome),
    Choice { mover: Player, children: Vec<u32> },
}

/// A tree written as text; node 0 is the root.
#[derive(Clone, PartialEq, Debug)]
struct Tree {
    nodes: Vec<Node>,
    players: u8,
    /// The length of the longest path from the root to a terminal node; `None` if there is a cycle.
    longest: Option<u32>,
}

/// A random tree.
#[derive(Clone, Copy, PartialEq, Debug)]
struct RandomTree {
    depth: u8,
    branching: u8,
    /// Scores run from minus this to this.
    most: i32,
    /// The value for the first player.
    value: i32,
    seed: u64,
    random_turns: bool,
    /// The share of children, in percent, that are traps, without those that keep the value.
    traps: u8,
    /// The plies within which the opponent wins after a trap.
    trap_plies: u8,
}

#[derive(Clone, PartialEq, Debug)]
enum Form {
    Written { tree: Arc<Tree>, repetition: u8 },
    Random(RandomTree),
}

/// The tree.
#[derive(Clone, PartialEq, Debug)]
pub struct SyntheticRules(Form);

/// The length cap of cyclic games.
const CAP: u32 = 1000;
/// The maximum nesting in a text. Raising it risks a stack overflow in the reader.
const DEEPEST: usize = 200;

impl Rules for SyntheticRules {
    fn read(options: &mut Options<'_>) -> Result<Self, SpecError> {
        let text = options.text("tree", "a tree such as '(1 (-1 0))'", "the tree as text")?;
        let repetition =
            options.integer("repetition", 3, 2..=9, "occurrences that make a draw, in a written tree")? as u8;
        let depth = options.integer("depth", 6, 0..=32, "plies of a random tree")? as u8;
        let branching = options.integer("branching", 3, 1..=64, "children of a random position")? as u8;
        let most = options.integer("scores", 1, 1..=1_000_000, "largest score of a random tree")? as i32;
        let seed = options.integer("seed", 1, 0..=u64::MAX, "seed of the random tree")?;
        let drawn = (mix(seed) % (2 * most as u64 + 1)) as i32 - most;
        let value = options.text("value", "a score of the tree", "the value of a random tree")?;
        let turns = [("alternate", false), ("random", true)];
        let random_turns = options.choice("turns", &turns, "player to move in a random tree")?;
        let traps = options.integer("traps", 0, 0..=100, "percentage of traps among the moves of a random tree")? as u8;
        let trap_plies = options.integer("trap-plies", 3, 1..=31, "plies to the end of a trap")? as u8;
        if let Some(text) = text {
            let tree = Tree::parse(&text).map_err(|reason| options.refuse("tree", reason))?;
            return Ok(SyntheticRules(Form::Written { tree: Arc::new(tree), repetition }));
        }
        let value = match value.map(|text| text.parse::<i32>()) {
            None => drawn,
            Some(Ok(value)) if value.abs() <= most => value,
            Some(_) => return Err(options.refuse("value", format!("a whole number from -{most} to {most}"))),
        };
        // A path is stored in one number.
        if f64::from(depth) * f64::from(branching).log2() > 60.0 {
            return Err(options.refuse("depth", "branching^depth of at most 2^60"));
        }
        let tree = RandomTree { depth, branching, most, value, seed, random_turns, traps, trap_plies };
        Ok(SyntheticRules(Form::Random(tree)))
    }

    fn facts(&self) -> Facts {
        match &self.0 {
            Form::Random(tree) => Facts {
                players: 2,
                repetition: Repetition::Impossible,
                length: Length::Bounded(u32::from(tree.depth)),
                scores: (-tree.most, tree.most),
                draws: true,
                units_per_point: 1,
                move_indices: usize::from(tree.branching),
            },
            Form::Written { tree, repetition } => {
                let scores = || tree.ends().flat_map(|outcome| outcome.scores().to_vec());
                let (low, high) = (scores().min().unwrap_or(0), scores().max().unwrap_or(0));
                let undecided = |outcome: &Outcome| (0..tree.players).all(|seat| outcome.win_share(Player(seat)) < 1.0);
                let cyclic = tree.longest.is_none();
                Facts {
                    players: tree.players,
                    repetition: if cyclic { Repetition::Ends(*repetition) } else { Repetition::Impossible },
                    length: tree.longest.map_or(Length::Capped(CAP), Length::Bounded),
                    scores: if cyclic { (low.min(0), high.max(0)) } else { (low, high) },
                    draws: cyclic || tree.ends().any(|outcome| undecided(&outcome)),
                    units_per_point: 1,
                    move_indices: tree.widest(),
                }
            }
        }
    }

    fn cycle_outcome(&self) -> Option<Outcome> {
        match &self.0 {
            Form::Random(_) => None,
            Form::Written { tree, .. } => tree.longest.is_none().then(|| Outcome::draw(tree.players)),
        }
    }
}

impl Tree {
    fn ends(&self) -> impl Iterator<Item = Outcome> + '_ {
        self.nodes.iter().filter_map(|node| match node {
            Node::End(outcome) => Some(*outcome),
            Node::Choice { .. } => None,
        })
    }

    fn widest(&self) -> usize {
        let width = |node: &Node| match node {
            Node::End(_) => 1,
            Node::Choice { children, .. } => children.len(),
        };
        self.nodes.iter().map(width).max().unwrap_or(1)
    }

    fn parse(text: &str) -> Result<Tree, String> {
        let spaced = text.replace('(', " ( ").replace(')', " ) ").replace('=', " = ");
        let mut reader = Reader {
            words: spaced.split_whitespace().collect(),
            at: 0,
            nodes: Vec::new(),
            names: HashMap::new(),
            references: Vec::new(),
            players: None,
        };
        let root = reader.node(0)?;
        if let Some(word) = reader.words.get(reader.at) {
            return Err(format!("a tree that ends before {word}", word = quoted(word)));
        }
        let Reader { mut nodes, names, references, players, .. } = reader;
        let players = players.ok_or("a tree with a terminal node")?;
        for (parent, child, name) in references {
            let undefined = || format!("a tree in which {} is defined", quoted(name));
            let target = *names.get(name).ok_or_else(undefined)?;
            match &mut nodes[parent as usize] {
                Node::Choice { children, .. } => children[child] = target,
                Node::End(_) => unreachable!("only choices have children"),
            }
        }
        debug_assert_eq!(root, 0);
        let too_many = |node: &Node| matches!(node, Node::Choice { mover, .. } if mover.0 >= players);
        if nodes.iter().any(too_many) {
            return Err(format!("movers among the {players} players of the scores"));
        }
        let mut tree = Tree { nodes, players, longest: None };
        tree.longest = tree.longest_path();
        Ok(tree)
    }

    /// The length of the longest path from the root, by depth-first search without recursion;
    /// `None` if there is a cycle.
    fn longest_path(&self) -> Option<u32> {
        let mut height: Vec<Option<u32>> = vec![None; self.nodes.len()];
        let mut on_path = vec![false; self.nodes.len()];
        let mut stack = vec![(0usize, 0usize)];
        on_path[0] = true;
        while let Some((node, next)) = stack.pop() {
            let children: &[u32] = match &self.nodes[node] {
                Node::End(_) => &[],
                Node::Choice { children, .. } => children,
            };
            match children.get(next) {
                Some(&child) => {
                    stack.push((node, next + 1));
                    let child = child as usize;
                    if on_path[child] {
                        return None;
                    }
                    if height[child].is_none() {
                        on_path[child] = true;
                        stack.push((child, 0));
                    }
                }
                None => {
                    let below = children.iter().map(|&child| height[child as usize].expect("seen") + 1).max();
                    height[node] = Some(below.unwrap_or(0));
                    on_path[node] = false;
                }
            }
        }
        height[0]
    }
}

/// Reads a tree word by word; references are resolved at the end.
struct Reader<'a> {
    words: Vec<&'a str>,
    at: usize,
    nodes: Vec<Node>,
    names: HashMap<&'a str, u32>,
    references: Vec<(u32, usize, &'a str)>,
    players: Option<u8>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<&'a str, String> {
        let word = self.words.get(self.at).copied().ok_or("a tree with matching brackets")?;
        self.at += 1;
        Ok(word)
    }

    fn node(&mut self, depth: usize) -> Result<u32, String> {
        if depth > DEEPEST {
            return Err(format!("a tree at most {DEEPEST} deep"));
        }
        let mut word = self.next()?;
        let index = self.nodes.len() as u32;
        if self.words.get(self.at) == Some(&"=") {
            if !word.bytes().all(|byte| byte.is_ascii_alphabetic()) || self.names.insert(word, index).is_some() {
                return Err(format!("names of letters, each given once, not {word}", word = quoted(word)));
            }
            self.at += 1;
            word = self.next()?;
        }
        if word != "(" {
            let end = self.end(word)?;
            self.nodes.push(Node::End(end));
            return Ok(index);
        }
        let mover = match self.words.get(self.at).and_then(|word| word.strip_suffix(':')) {
            None => Player((depth % 2) as u8),
            Some(letter) => {
                self.at += 1;
                let seat = ["a", "b", "c", "d"].iter().position(|known| *known == letter);
                Player(seat.ok_or_else(|| format!("players a: to d:, not {letter:?}"))? as u8)
            }
        };
        self.nodes.push(Node::End(Outcome::draw(2)));
        let mut children = Vec::new();
        loop {
            match self.words.get(self.at) {
                Some(&")") => break self.at += 1,
                Some(word) if word.starts_with('@') => {
                    self.references.push((index, children.len(), &word[1..]));
                    children.push(0);
                    self.at += 1;
                }
                _ => children.push(self.node(depth + 1)?),
            }
        }
        if children.is_empty() || children.len() > 250 {
            return Err("a tree whose choices have 1 to 250 children".to_string());
        }
        self.nodes[index as usize] = Node::Choice { mover, children };
        Ok(index)
    }

    fn end(&mut self, word: &str) -> Result<Outcome, String> {
        let scores: Result<Vec<i32>, _> = word.split(',').map(str::parse).collect();
        let scores = scores
            .ok()
            .filter(|scores| scores.len() <= MAX_PLAYERS && scores.iter().all(|score| score.abs() < 1_000_000));
        let scores =
            scores.ok_or_else(|| format!("scores such as 1 or 3,5,2 instead of {word}", word = quoted(word)))?;
        let outcome = if let [score] = scores[..] { Outcome::zero_sum(score) } else { Outcome::of(&scores) };
        let players = outcome.scores().len() as u8;
        if self.players.is_some_and(|known| known != players) {
            return Err("the same number of scores at every terminal node".to_string());
        }
        self.players = Some(players);
        Ok(outcome)
    }
}

/// A position of a synthetic game.
#[derive(Clone, PartialEq, Debug)]
pub struct Synthetic(Location);

#[derive(Clone, PartialEq, Debug)]
enum Location {
    Written { tree: Arc<Tree>, node: u32 },
    Random(RandomNode),
}

#[derive(Clone, Copy, PartialEq, Debug)]
struct RandomNode {
    tree: RandomTree,
    /// The moves so far as digits, the first the most significant.
    path: u64,
    plies: u8,
    /// The value for the first player.
    value: i32,
    /// The plies to the end of a trap; `None` outside of traps.
    trap: Option<u8>,
}

impl RandomNode {
    fn hash(&self, salt: u64) -> u64 {
        let location = self.path.wrapping_mul(64).wrapping_add(u64::from(self.plies));
        mix(mix(location ^ self.tree.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_add(salt))
    }

    fn mover(&self) -> Player {
        if self.tree.random_turns { Player((self.hash(1) & 1) as u8) } else { Player(self.plies & 1) }
    }

    fn is_over(&self) -> bool {
        self.plies >= self.tree.depth || self.trap == Some(0)
    }

    /// The child that has the value of the position.
    fn keeper(&self) -> u8 {
        (self.hash(2) % u64::from(self.tree.branching)) as u8
    }

    /// The state of the trap after a move.
    fn trap_after(&self, child: u8) -> Option<u8> {
        let RandomTree { traps, trap_plies, depth, most, .. } = self.tree;
        if let Some(left) = self.trap {
            // All moves of the player in the trap stay in it, and one move of the other.
            let winner = if self.value == most { Player::FIRST } else { Player::SECOND };
            return (self.mover() != winner || child == self.keeper()).then(|| left - 1);
        }
        let fits = u32::from(self.plies) + 1 + u32::from(trap_plies) <= u32::from(depth);
        let is_trap = || self.hash(0x5452_4150 + u64::from(child)) % 100 < u64::from(traps);
        (fits && child != self.keeper() && is_trap()).then_some(trap_plies)
    }

    /// The value of a child: one child has the value of the position, the others are no better for
    /// the mover.
    fn value_of(&self, child: u8) -> i32 {
        if child == self.keeper() {
            return self.value;
        }
        let random = self.hash(3 + u64::from(child));
        match self.mover() {
            Player::FIRST => -self.tree.most + (random % (self.value + self.tree.most + 1) as u64) as i32,
            _ => self.value + (random % (self.tree.most - self.value + 1) as u64) as i32,
        }
    }

    /// The value and the state of the trap after a move. A trap has the worst value for the player
    /// who enters it, until it is left.
    #[inline(never)]
    fn after_with_traps(&self, child: u8) -> (i32, Option<u8>) {
        let trap = self.trap_after(child);
        let value = match (self.trap, trap) {
            (None, Some(_)) if self.mover() == Player::FIRST => -self.tree.most,
            (None, Some(_)) => self.tree.most,
            (Some(_), Some(_)) => self.value,
            (_, None) => self.value_of(child),
        };
        (value, trap)
    }

    fn play(&mut self, child: u8) {
        if self.tree.traps > 0 {
            (self.value, self.trap) = self.after_with_traps(child);
        } else {
            self.value = self.value_of(child);
        }
        self.path = self.path * u64::from(self.tree.branching) + u64::from(child);
        self.plies += 1;
    }

    fn moves(&self) -> Vec<u8> {
        let base = u64::from(self.tree.branching);
        let mut rest = self.path;
        let mut moves: Vec<u8> = (0..self.plies)
            .map(|_| {
                let digit = rest % base;
                rest /= base;
                digit as u8
            })
            .collect();
        moves.reverse();
        moves
    }
}

impl Synthetic {
    /// Returns the value for the first player; `None` in a written tree.
    pub fn known_value(&self) -> Option<i32> {
        match &self.0 {
            Location::Random(node) => Some(node.value),
            Location::Written { .. } => None,
        }
    }

    fn children(&self) -> usize {
        match &self.0 {
            Location::Random(node) if node.is_over() => 0,
            Location::Random(node) => usize::from(node.tree.branching),
            Location::Written { tree, node } => match &tree.nodes[*node as usize] {
                Node::End(_) => 0,
                Node::Choice { children, .. } => children.len(),
            },
        }
    }
}

/// The rules as people read them.
const RULES: &str = "\
    A game tree for examples and tests. The game starts at the root. At every node the player to move chooses a \
    child, and the game ends at a node without children, which holds the scores of the players.\n\n\
    Without options it is a random tree for two players of depth 6 with three children a node. Its value is fixed \
    in advance: at every node one child has the value of the node, and no child is better for the player to move. \
    The options depth, branching, scores, value, seed and turns select another random tree. With traps, a share of \
    the moves, in percent, allows the opponent to win within trap-plies plies.\n\n\
    The option tree holds a tree as text, for example tree='(1 (-1 0))': a number is a terminal node with that \
    score for the first player, parentheses are a choice. Players alternate unless a choice starts with a:, b: and \
    so on. A choice named x=( ... ) can be used again as @x. If this makes a cycle, the third occurrence of a \
    position is a draw; the option repetition sets another count. A cyclic game of 1000 plies is a draw.\n\n\
    A move is written as the number of the child, from 1.";

impl Game for Synthetic {
    type Move = u16;
    type Rules = SyntheticRules;
    const INFO: Info = Info {
        goal: "Reach a node where your score is high. Choose one of the listed moves to go to that child.",
        rules: RULES,
        solved: "random trees have a known value",
        look: Look {
            piece: PieceStyle::Text,
            tones: &[Tone::Blue, Tone::Red, Tone::Green, Tone::Yellow],
            ..Look::DEFAULT
        },
        ..Info::new("synthetic", "Synthetic tree", &["a", "b", "c", "d"])
    };

    fn start(rules: &SyntheticRules) -> Synthetic {
        Synthetic(match &rules.0 {
            Form::Written { tree, .. } => Location::Written { tree: tree.clone(), node: 0 },
            Form::Random(tree) => {
                Location::Random(RandomNode { tree: *tree, path: 0, plies: 0, value: tree.value, trap: None })
            }
        })
    }

    fn to_move(&self) -> Player {
        match &self.0 {
            Location::Random(node) => node.mover(),
            Location::Written { tree, node } => match &tree.nodes[*node as usize] {
                Node::End(_) => Player::FIRST,
                Node::Choice { mover, .. } => *mover,
            },
        }
    }

    fn is_over(&self) -> bool {
        self.children() == 0
    }

    fn outcome(&self) -> Option<Outcome> {
        match &self.0 {
            Location::Random(node) => node.is_over().then(|| Outcome::zero_sum(node.value)),
            Location::Written { tree, node } => match &tree.nodes[*node as usize] {
                Node::End(outcome) => Some(*outcome),
                Node::Choice { .. } => None,
            },
        }
    }

    fn legal_moves(&self, moves: &mut Vec<u16>) {
        moves.extend(0..self.children() as u16);
    }

    fn play(&mut self, child: u16) {
        match &mut self.0 {
            Location::Random(node) => node.play(child as u8),
            Location::Written { tree, node } => match &tree.nodes[*node as usize] {
                Node::End(_) => unreachable!("an end has no moves"),
                Node::Choice { children, .. } => *node = children[usize::from(child)],
            },
        }
    }

    fn key(&self) -> u64 {
        match &self.0 {
            Location::Random(node) => node.hash(0),
            Location::Written { node, .. } => mix(u64::from(*node) + 1),
        }
    }

    fn text(&self) -> String {
        match &self.0 {
            Location::Written { node, .. } => format!("n{node}"),
            Location::Random(node) if node.plies == 0 => "root".to_string(),
            Location::Random(node) => {
                let moves: Vec<String> = node.moves().iter().map(|child| (child + 1).to_string()).collect();
                moves.join(".")
            }
        }
    }

    fn parse(rules: &SyntheticRules, text: &str) -> Result<Synthetic, PositionError> {
        let mut position = Synthetic::start(rules);
        match &mut position.0 {
            Location::Written { tree, node } => {
                let number = text.strip_prefix('n').and_then(|number| number.parse::<usize>().ok());
                let last = tree.nodes.len() - 1;
                let number = number.filter(|&number| number <= last && format!("n{number}") == text);
                *node = number.ok_or_else(|| PositionError::new(text, format!("nodes are n0 to n{last}")))? as u32;
            }
            Location::Random(node) if text != "root" => {
                for word in text.split('.') {
                    let child = word.parse::<u8>().ok().filter(|child| (1..=node.tree.branching).contains(child));
                    match child {
                        Some(child) if !node.is_over() && word == child.to_string() => node.play(child - 1),
                        _ => {
                            return Err(PositionError::new(
                                text,
                                "it must be root, or moves of the tree joined by dots",
                            ));
                        }
                    }
                }
            }
            Location::Random(_) => {}
        }
        Ok(position)
    }

    fn move_text(&self, child: u16) -> String {
        (child + 1).to_string()
    }

    fn move_index(&self, child: u16) -> usize {
        usize::from(child)
    }

    /// The children, and what is known of those that end the game.
    fn view(&self) -> View {
        // The first line says where one is; a move never has this name.
        let mut cells = vec![Cell { name: format!("at {}", self.text()), column: 0, row: 0, piece: None }];
        for child in 0..self.children() as u16 {
            let mut next = self.clone();
            next.play(child);
            let symbol = match next.outcome() {
                Some(outcome) => format!("{:?}", outcome.scores()),
                None => format!("{} moves for {}", next.children(), next.player_name(next.to_move())),
            };
            let piece = Some(Piece { symbol, owner: None });
            cells.push(Cell { name: self.move_text(child), column: 0, row: child as u8 + 1, piece });
        }
        View { shape: Shape::List, column_labels: Vec::new(), cells, lines: Vec::new(), hands: Vec::new() }
    }

    fn outcome_at_cap(&self) -> Outcome {
        Outcome::draw(match &self.0 {
            Location::Random(_) => 2,
            Location::Written { tree, .. } => tree.players,
        })
    }
}

impl Knowledge for Synthetic {}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::History;

    fn minimax(position: &Synthetic) -> i32 {
        if let Some(outcome) = position.outcome() {
            return outcome.score(Player::FIRST);
        }
        let values = (0..position.children() as u16).map(|child| {
            let mut next = position.clone();
            next.play(child);
            minimax(&next)
        });
        if position.to_move() == Player::FIRST { values.max().unwrap() } else { values.min().unwrap() }
    }

    #[test]
    fn random_trees_have_the_value_they_say() {
        for seed in 0..60 {
            for options in [
                "scores=1",
                "scores=9,turns=random",
                "branching=2,depth=8",
                "scores=5,value=-4",
                "traps=40,depth=8",
                "traps=90,trap-plies=2,turns=random,scores=3",
            ] {
                let rules = crate::rules::<Synthetic>(&format!("synthetic:{options},seed={seed}")).unwrap();
                let start = Synthetic::start(&rules);
                assert_eq!(Some(minimax(&start)), start.known_value(), "{options} {seed}");
            }
        }
    }

    /// Within the plies of a trap the opponent wins, and without traps no game ends early.
    #[test]
    fn traps_are_as_frequent_and_as_short_as_they_should_be() {
        fn loses(position: &Synthetic, player: Player, plies: u32) -> bool {
            if let Some(outcome) = position.outcome() {
                return outcome.score(player) < 0;
            }
            let mut after = (0..position.children() as u16).map(|child| {
                let mut next = position.clone();
                next.play(child);
                plies > 0 && loses(&next, player, plies - 1)
            });
            if position.to_move() == player { after.all(|lost| lost) } else { after.any(|lost| lost) }
        }
        for (share, plies) in [(0, 3), (25, 3), (50, 1), (100, 3)] {
            let (mut traps, mut longer) = (0, 0);
            for seed in 0..400 {
                let spec = format!("synthetic:depth=12,branching=5,traps={share},trap-plies={plies},seed={seed}");
                let start = Synthetic::start(&crate::rules::<Synthetic>(&spec).unwrap());
                for child in 0..5 {
                    let mut next = start.clone();
                    next.play(child);
                    traps += u32::from(loses(&next, Player::FIRST, plies));
                    longer += u32::from(loses(&next, Player::FIRST, plies - 1));
                }
            }
            // Four of five moves may be traps.
            assert!(traps.abs_diff(400 * 4 * share / 100) < 80, "{share}: {traps}");
            assert_eq!(longer, 0, "{share}");
        }
    }

    #[test]
    fn written_trees_are_read_as_they_stand() {
        let rules = crate::rules::<Synthetic>("synthetic:tree='(a: 1 (b: -1 @x) x=(a: 0 -1))'").unwrap();
        assert_eq!(rules.facts().length, Length::Bounded(3));
        let game = History::<Synthetic>::parse(rules, "start moves 2 2 1").unwrap();
        assert_eq!(game.outcome().unwrap().scores(), [0, 0]);
    }

    #[test]
    fn a_cycle_is_a_draw_at_the_third_occurrence() {
        let rules = crate::rules::<Synthetic>("synthetic:tree='x=((@x 1) -1)'").unwrap();
        let game = History::<Synthetic>::parse(rules, "start moves 1 1 1 1").unwrap();
        assert_eq!(game.outcome().unwrap().scores(), [0, 0]);
        assert!(game.ended_by_history());
    }

    #[test]
    fn broken_trees_are_refused() {
        for tree in
            ["", "()", "(1", "1)", "(1 x)", "(1 @x)", "(x=1 x=2)", "(e: 1)", "(c: 1)", "(1 2,3,4)", "@x", "1,2,3,4,5"]
        {
            let spec = format!("synthetic:tree='{tree}'");
            let error = crate::rules::<Synthetic>(&spec).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains("tree"), "{tree}: {error}");
        }
        let deep = format!("synthetic:tree='{}1{}'", "(".repeat(5000), ")".repeat(5000));
        assert!(crate::rules::<Synthetic>(&deep).is_err());
    }
}
