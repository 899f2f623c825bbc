//! The policies of nested rollout policy adaptation.

use rustc_hash::FxHashMap;
use tesuji_core::{Knowledge, MoveCode};

/// Weights beyond these bounds count as the bounds, so that sums of exponentials are finite.
const MOST: f64 = 500.0;

/// The weights of move codes; 0 for a code that is missing.
#[derive(Clone, Debug)]
pub struct Policy {
    /// The factor of the game's bias.
    bias: f64,
    weights: FxHashMap<u64, Weight>,
}

/// A weight and its exponential, which playouts need far more often than it changes.
#[derive(Clone, Copy, Debug)]
struct Weight {
    weight: f64,
    exponential: f64,
}

/// The exponential of a weight.
fn exponential(weight: f64) -> f64 {
    weight.clamp(-MOST, MOST).exp()
}

impl Policy {
    /// Creates the policy by which all moves are equal but for a bias.
    pub fn new(bias: f64) -> Policy {
        Policy { bias, weights: FxHashMap::default() }
    }

    /// The weight of a code.
    pub fn weight(&self, code: u64) -> f64 {
        self.weights.get(&code).map_or(0.0, |entry| entry.weight)
    }

    /// What the probability of a move is proportional to: `exp(w + b)`.
    #[inline]
    pub fn factor(&self, code: &MoveCode) -> f64 {
        if self.bias > 0.0 {
            return exponential(self.weight(code.code) + self.bias * code.bias);
        }
        self.weights.get(&code.code).map_or(1.0, |entry| entry.exponential)
    }

    /// Adapts the policy to a line, with the probabilities before.
    pub fn adapt(&mut self, line: &Choices, alpha: f64) {
        let factors: Vec<f64> = line.codes.iter().map(|code| self.factor(code)).collect();
        let mut changes = vec![0.0; factors.len()];
        let mut begin = 0;
        for &(end, played) in &line.steps {
            let choices = &line.choices[begin..end];
            begin = end;
            let total: f64 = choices.iter().map(|&choice| factors[choice as usize]).sum();
            for &choice in choices {
                changes[choice as usize] -= alpha * factors[choice as usize] / total;
            }
            changes[played as usize] += alpha;
        }
        for (code, change) in line.codes.iter().zip(changes) {
            let entry = self.weights.entry(code.code).or_insert(Weight { weight: 0.0, exponential: 1.0 });
            entry.weight += change;
            entry.exponential = exponential(entry.weight);
        }
    }
}

/// The moves that could be played along a line.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// The different codes, with their biases.
    codes: Vec<MoveCode>,
    /// The indices of the codes that could be played, position after position.
    choices: Vec<u32>,
    /// For each position, where its choices end, and the index of the code that was played.
    steps: Vec<(usize, u32)>,
}

impl Choices {
    /// Plays a line of moves of an informed policy, or of all moves.
    pub fn of<G: Knowledge>(root: &G, line: &[G::Move], informed: Option<usize>) -> Choices {
        let (mut found, mut numbers) = (Choices::default(), FxHashMap::default());
        let (mut position, mut moves, mut codes) = (root.clone(), Vec::new(), Vec::new());
        for &mv in line {
            moves.clear();
            codes.clear();
            position.coded_moves(informed, &mut moves, &mut codes);
            let played = moves.iter().position(|&choice| choice == mv).expect("a playout draws one of these moves");
            found.add(&codes, played, &mut numbers);
            position.play(mv);
        }
        found
    }

    /// Adds a position: the codes of its moves, and which of them was played.
    fn add(&mut self, codes: &[MoveCode], played: usize, numbers: &mut FxHashMap<(u64, u64), u32>) {
        let begin = self.choices.len();
        for code in codes {
            let number = *numbers.entry((code.code, code.bias.to_bits())).or_insert_with(|| {
                self.codes.push(*code);
                self.codes.len() as u32 - 1
            });
            self.choices.push(number);
        }
        self.steps.push((self.choices.len(), self.choices[begin + played]));
    }
}

#[cfg(test)]
impl Choices {
    /// The choices of positions with the same moves, of which the first is played.
    pub fn repeated(codes: &[MoveCode], positions: usize) -> Choices {
        let (mut found, mut numbers) = (Choices::default(), FxHashMap::default());
        (0..positions).for_each(|_| found.add(codes, 0, &mut numbers));
        found
    }

    /// The number of positions, and of the moves that could be played in all of them.
    pub fn counts(&self) -> (usize, usize) {
        (self.steps.len(), self.choices.len())
    }
}
