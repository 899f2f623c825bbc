//! Graphs with cycles, random and of games: their values by a fixpoint that shares nothing with the searches, and a naive
//! transposition table that gets them wrong.

use crate::agreement::{Contender, Place, Table, Tally, known};
use std::collections::HashMap;
use tesuji_core::{Bounds, Game, History, Player, Rng, SpecError};
use tesuji_games::{rules, synthetic::Synthetic};

/// A game on a graph for two players; node 0 is the root.
#[derive(Clone, Debug)]
pub struct Graph(Vec<Choice>);

/// A node of a graph: who moves, and where to.
#[derive(Clone, Debug)]
struct Choice {
    mover: usize,
    to: Vec<To>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum To {
    Node(usize),
    /// The score of the first player.
    End(i32),
}

impl Graph {
    /// All positions that can come up after one, in a game for two; `None` if there are more than so many.
    pub fn of<G: Game>(start: &G, most: usize) -> Option<Graph> {
        let mut nodes = HashMap::from([(start.key(), 0)]);
        let (mut positions, mut choices) = (vec![start.clone()], Vec::new());
        let mut moves = Vec::new();
        while let Some(position) = positions.get(choices.len()).cloned() {
            moves.clear();
            position.legal_moves(&mut moves);
            let to = moves.iter().map(|&mv| {
                let mut next = position.clone();
                next.play(mv);
                if let Some(outcome) = next.outcome() {
                    return To::End(outcome.score(Player::FIRST));
                }
                let new: usize = positions.len();
                let node = *nodes.entry(next.key()).or_insert(new);
                if node == new {
                    positions.push(next);
                }
                To::Node(node)
            });
            choices.push(Choice { mover: position.to_move().index(), to: to.collect() });
            if positions.len() > most {
                return None;
            }
        }
        Some(Graph(choices))
    }

    /// A random graph of a few nodes.
    pub fn random(rng: &mut Rng) -> Graph {
        let nodes = 3 + rng.below(18);
        let to = |rng: &mut Rng| match rng.below(6) {
            0 => To::End(rng.below(3) as i32 - 1),
            _ => To::Node(rng.below(nodes)),
        };
        let choice =
            |rng: &mut Rng| Choice { mover: rng.below(2), to: (0..1 + rng.below(3)).map(|_| to(rng)).collect() };
        Graph((0..nodes).map(|_| choice(rng)).collect())
    }

    /// The spec of the game in which so many occurrences of a position are a draw.
    pub fn spec(&self, repetition: u32) -> String {
        format!("synthetic:tree='{}',repetition={repetition}", self.written(0, &mut Vec::new()))
    }

    /// The graph below a node as the synthetic game writes it.
    fn written(&self, node: usize, named: &mut Vec<usize>) -> String {
        let name = |node: usize| char::from(b'c' + node as u8);
        if named.contains(&node) {
            return format!("@{}", name(node));
        }
        named.push(node);
        let Choice { mover, to } = &self.0[node];
        let child = |to: &To| match to {
            To::Node(next) => self.written(*next, named),
            To::End(score) => score.to_string(),
        };
        let children: Vec<String> = to.iter().map(child).collect();
        format!("{}=({} {})", name(node), ["a:", "b:"][*mover], children.join(" "))
    }

    /// The values of the nodes for the first player; an endless game is a draw.
    pub fn values(&self) -> Vec<i32> {
        let (wins, losses) = (self.can_force(0, |score| score > 0), self.can_force(1, |score| score < 0));
        wins.iter().zip(&losses).map(|(&wins, &loses)| i32::from(wins) - i32::from(loses)).collect()
    }

    /// The nodes from which a player can force one of some ends: what can be reached in one step more, until nothing is added.
    fn can_force(&self, player: usize, is_goal: impl Fn(i32) -> bool) -> Vec<bool> {
        let mut forced = vec![false; self.0.len()];
        loop {
            let step = |choice: &Choice| {
                let mut reached = choice.to.iter().map(|to| match to {
                    To::Node(next) => forced[*next],
                    To::End(score) => is_goal(*score),
                });
                if choice.mover == player { reached.any(|yes| yes) } else { reached.all(|yes| yes) }
            };
            let next: Vec<bool> = self.0.iter().map(step).collect();
            if next == forced {
                return forced;
            }
            forced = next;
        }
    }

    /// The node to which each move at the root leads; `None` where the game ends.
    pub fn after_the_root(&self) -> Vec<Option<usize>> {
        let node = |to: &To| match to {
            To::Node(next) => Some(*next),
            To::End(_) => None,
        };
        self.0[0].to.iter().map(node).collect()
    }

    /// What minimax says that has a table and knows nothing of paths: a repetition on the line is a draw, and what came of it is kept.
    pub fn naive_value(&self) -> i32 {
        self.naive(0, &mut vec![false; self.0.len()], &mut vec![None; self.0.len()])
    }

    fn naive(&self, node: usize, on_line: &mut Vec<bool>, table: &mut Vec<Option<i32>>) -> i32 {
        if let Some(known) = table[node] {
            return known;
        }
        if on_line[node] {
            return 0;
        }
        on_line[node] = true;
        let mut values = Vec::new();
        for to in &self.0[node].to {
            values.push(match to {
                To::Node(next) => self.naive(*next, on_line, table),
                To::End(score) => *score,
            });
        }
        on_line[node] = false;
        let best = if self.0[node].mover == 0 { values.iter().max() } else { values.iter().min() };
        let best = *best.expect("every choice leads somewhere");
        table[node] = Some(best);
        best
    }
}

/// What a search by the letter of the rules says that keeps an answer by position, whatever the past had to do with it.
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
        let decides = moves.into_iter().any(|mv| {
            game.play(mv);
            let holds = answer(game, player, at_least, table);
            game.undo();
            holds == chooses
        });
        table.insert(key, decides == chooses);
        decides == chooses
    }
    answer(game, player, at_least, &mut HashMap::default())
}

/// A random graph on which there is something to search, with the game on it.
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

/// Every contender on the same random graph, whose value the fixpoint gives. `also` is told of it.
pub fn on_random_graph(
    seed: u64,
    contenders: &[Contender],
    also: &mut dyn FnMut(Place),
) -> Result<Vec<Tally>, SpecError> {
    let mut rng = Rng::new(seed);
    let repetition = 2 + rng.below(2) as u32;
    let (graph, history) = random_game(&mut rng, repetition);
    let (game, player) = (graph.spec(repetition), history.position().to_move());
    let value = graph.values()[0];
    let truth = Bounds::exact(player, if player.0 == 0 { value } else { -value });
    let mut tallies = Vec::new();
    for contender in contenders {
        let mut table = Table::<Synthetic>::new(contender, &game, history.rules())?;
        table.position(&history, &known(truth), rng.bits());
        tallies.push(table.tally);
    }
    also(Place { position: history.text(), game, truth });
    Ok(tallies)
}
