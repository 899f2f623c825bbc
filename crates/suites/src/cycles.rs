//! Game graphs with cycles: their values by fixpoint iteration, which shares no code with the
//! searches, and a naive transposition table that gets them wrong.

use crate::agreement::{Contender, ContenderRun, KnownPosition, Tally, report_of};
use std::collections::HashMap;
use tesuji_core::{Bounds, Game, History, Player, Rng, SpecError};
use tesuji_games::{rules, synthetic::Synthetic};

/// A two-player game on a graph; node 0 is the root.
#[derive(Clone, Debug)]
pub struct Graph(Vec<Node>);

/// A node of a graph: the player to move and the moves.
#[derive(Clone, Debug)]
struct Node {
    mover: usize,
    moves: Vec<Target>,
}

/// The target of a move.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Target {
    Node(usize),
    /// The score of the first player.
    End(i32),
}

impl Graph {
    /// Returns the graph of all positions reachable from one in a two-player game; `None` if there
    /// are more than `max_positions`.
    pub fn of<G: Game>(start: &G, max_positions: usize) -> Option<Graph> {
        let mut nodes = HashMap::from([(start.key(), 0)]);
        let (mut positions, mut graph) = (vec![start.clone()], Vec::new());
        let mut moves = Vec::new();
        while let Some(position) = positions.get(graph.len()).cloned() {
            moves.clear();
            position.legal_moves(&mut moves);
            let targets = moves.iter().map(|&mv| {
                let mut next = position.clone();
                next.play(mv);
                if let Some(outcome) = next.outcome() {
                    return Target::End(outcome.score(Player::FIRST));
                }
                let new: usize = positions.len();
                let node = *nodes.entry(next.key()).or_insert(new);
                if node == new {
                    positions.push(next);
                }
                Target::Node(node)
            });
            graph.push(Node { mover: position.to_move().index(), moves: targets.collect() });
            if positions.len() > max_positions {
                return None;
            }
        }
        Some(Graph(graph))
    }

    /// Returns a random graph of 3 to 20 nodes.
    pub fn random(rng: &mut Rng) -> Graph {
        let nodes = 3 + rng.below(18);
        let target = |rng: &mut Rng| match rng.below(6) {
            0 => Target::End(rng.below(3) as i32 - 1),
            _ => Target::Node(rng.below(nodes)),
        };
        let node =
            |rng: &mut Rng| Node { mover: rng.below(2), moves: (0..1 + rng.below(3)).map(|_| target(rng)).collect() };
        Graph((0..nodes).map(|_| node(rng)).collect())
    }

    /// Returns the spec of the game on this graph that is drawn when a position occurs for the
    /// given number of times.
    pub fn spec(&self, repetition: u32) -> String {
        format!("synthetic:tree='{}',repetition={repetition}", self.node_text(0, &mut Vec::new()))
    }

    /// Returns the graph below a node in the syntax of the synthetic game.
    fn node_text(&self, node: usize, named: &mut Vec<usize>) -> String {
        let name = |node: usize| char::from(b'c' + node as u8);
        if named.contains(&node) {
            return format!("@{}", name(node));
        }
        named.push(node);
        let Node { mover, moves } = &self.0[node];
        let child = |to: &Target| match to {
            Target::Node(next) => self.node_text(*next, named),
            Target::End(score) => score.to_string(),
        };
        let children: Vec<String> = moves.iter().map(child).collect();
        format!("{}=({} {})", name(node), ["a:", "b:"][*mover], children.join(" "))
    }

    /// Returns the values of the nodes for the first player; an infinite game is a draw.
    pub fn values(&self) -> Vec<i32> {
        let (wins, losses) = (self.can_force(0, |score| score > 0), self.can_force(1, |score| score < 0));
        wins.iter().zip(&losses).map(|(&wins, &loses)| i32::from(wins) - i32::from(loses)).collect()
    }

    /// Returns the nodes from which a player can force a score that is a goal, by iteration to a
    /// fixpoint.
    fn can_force(&self, player: usize, is_goal: impl Fn(i32) -> bool) -> Vec<bool> {
        let mut forced = vec![false; self.0.len()];
        loop {
            let step = |node: &Node| {
                let mut reached = node.moves.iter().map(|to| match to {
                    Target::Node(next) => forced[*next],
                    Target::End(score) => is_goal(*score),
                });
                if node.mover == player { reached.any(|yes| yes) } else { reached.all(|yes| yes) }
            };
            let next: Vec<bool> = self.0.iter().map(step).collect();
            if next == forced {
                return forced;
            }
            forced = next;
        }
    }

    /// Returns the target node of each root move; `None` if the move ends the game.
    pub fn root_children(&self) -> Vec<Option<usize>> {
        let node = |to: &Target| match to {
            Target::Node(next) => Some(*next),
            Target::End(_) => None,
        };
        self.0[0].moves.iter().map(node).collect()
    }

    /// Returns the value by a minimax that scores repetitions on the path as draws and stores
    /// values that depend on the path in a table.
    pub fn naive_value(&self) -> i32 {
        self.naive(0, &mut vec![false; self.0.len()], &mut vec![None; self.0.len()])
    }

    fn naive(&self, node: usize, on_path: &mut Vec<bool>, table: &mut Vec<Option<i32>>) -> i32 {
        if let Some(known) = table[node] {
            return known;
        }
        if on_path[node] {
            return 0;
        }
        on_path[node] = true;
        let mut values = Vec::new();
        for to in &self.0[node].moves {
            values.push(match to {
                Target::Node(next) => self.naive(*next, on_path, table),
                Target::End(score) => *score,
            });
        }
        on_path[node] = false;
        let best = if self.0[node].mover == 0 { values.iter().max() } else { values.iter().min() };
        let best = *best.expect("every node has a move");
        table[node] = Some(best);
        best
    }
}

/// Answers whether a player can force a score, by a search that stores answers by position although
/// they depend on the history.
pub fn naive_answer<G: Game>(game: &mut History<G>, player: Player, at_least: i32) -> bool {
    fn answer<G: Game>(game: &mut History<G>, player: Player, at_least: i32, table: &mut HashMap<u64, bool>) -> bool {
        if let Some(outcome) = game.outcome() {
            return outcome.score(player) >= at_least;
        }
        let key = game.position().key();
        if let Some(&known) = table.get(&key) {
            return known;
        }
        let chooses = game.position().to_move() == player;
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let is_cutoff = moves.into_iter().any(|mv| {
            game.play(mv);
            let holds = answer(game, player, at_least, table);
            game.undo();
            holds == chooses
        });
        table.insert(key, is_cutoff == chooses);
        is_cutoff == chooses
    }
    answer(game, player, at_least, &mut HashMap::default())
}

/// Returns a random graph whose root is not terminal, with its game.
pub fn random_game(rng: &mut Rng, repetition: u32) -> (Graph, History<Synthetic>) {
    loop {
        let graph = Graph::random(rng);
        if let Ok(rules) = rules::<Synthetic>(&graph.spec(repetition)) {
            let history = History::new(rules);
            if !history.is_over() {
                return (graph, history);
            }
        }
    }
}

/// Runs every contender on the same random graph, whose value comes from the fixpoint iteration.
/// Calls `observe` for it.
pub fn on_random_graph(
    seed: u64,
    contenders: &[Contender],
    observe: &mut dyn FnMut(KnownPosition),
) -> Result<Vec<Tally>, SpecError> {
    let mut rng = Rng::new(seed);
    let repetition = 2 + rng.below(2) as u32;
    let (graph, history) = random_game(&mut rng, repetition);
    let (game, player) = (graph.spec(repetition), history.position().to_move());
    let value = graph.values()[0];
    let truth = Bounds::exact(player, if player.0 == 0 { value } else { -value });
    let mut tallies = Vec::new();
    for contender in contenders {
        let mut run = ContenderRun::<Synthetic>::new(contender, &game, history.rules())?;
        run.search(&history, &report_of(truth), rng.bits());
        tallies.push(run.tally);
    }
    observe(KnownPosition { position: history.text(), game, truth });
    Ok(tallies)
}
