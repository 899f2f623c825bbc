//! The naive twin of Awari.

use super::*;

#[derive(Clone)]
struct Position {
    /// A to F, then a to f.
    holes: Vec<i32>,
    captured: Vec<i32>,
    player: usize,
}

pub struct Awari {
    position: Position,
    oware: bool,
    history: Vec<String>,
    result: Option<Vec<i32>>,
}

const NAMES: [&str; 12] = ["A", "B", "C", "D", "E", "F", "a", "b", "c", "d", "e", "f"];

fn row_of(player: usize) -> [usize; 6] {
    if player == 0 { [0, 1, 2, 3, 4, 5] } else { [6, 7, 8, 9, 10, 11] }
}

impl Position {
    fn read(text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let (north, south) = fields[0].split_once('/').unwrap();
        let mut holes: Vec<i32> = south.split(',').map(|hole| hole.parse().unwrap()).collect();
        holes.extend(north.split(',').rev().map(|hole| hole.parse::<i32>().unwrap()));
        let captured = vec![fields[1].parse().unwrap(), fields[2].parse().unwrap()];
        Self { holes, captured, player: if fields[3] == "S" { 0 } else { 1 } }
    }

    fn text(&self) -> String {
        let holes: Vec<String> = self.holes.iter().map(|hole| hole.to_string()).collect();
        let south = holes[..6].join(",");
        let north: Vec<String> = holes[6..].iter().rev().cloned().collect();
        let side = if self.player == 0 { "S" } else { "N" };
        format!("{}/{} {} {} {}", north.join(","), south, self.captured[0], self.captured[1], side)
    }

    fn seeds_of(&self, player: usize) -> i32 {
        row_of(player).iter().map(|&hole| self.holes[hole]).sum()
    }

    /// The position after sowing from a hole.
    fn after(&self, origin: usize, oware: bool) -> Self {
        let mut next = self.clone();
        let enemy = 1 - self.player;
        let mut hole = origin;
        next.holes[origin] = 0;
        for _ in 0..self.holes[origin] {
            hole = (hole + 1) % 12;
            if hole == origin {
                hole = (hole + 1) % 12;
            }
            next.holes[hole] += 1;
        }
        let sown = next.clone();
        while row_of(enemy).contains(&hole) && [2, 3].contains(&next.holes[hole]) {
            next.captured[self.player] += next.holes[hole];
            next.holes[hole] = 0;
            hole = (hole + 11) % 12;
        }
        if oware && next.seeds_of(enemy) == 0 {
            next = sown;
        }
        next.player = enemy;
        next
    }

    fn collect(&mut self) {
        for player in [0, 1] {
            self.captured[player] += self.seeds_of(player);
        }
        self.holes = vec![0; 12];
    }

    fn difference(&self) -> Vec<i32> {
        let score = self.captured[0] - self.captured[1];
        vec![score, -score]
    }
}

impl Awari {
    pub fn new(options: &[(&str, &str)], start: Option<&str>) -> Self {
        let position = Position::read(start.unwrap_or("4,4,4,4,4,4/4,4,4,4,4,4 0 0 S"));
        let oware = option(options, "rules") == Some("oware");
        let history = vec![position.text()];
        let mut game = Self { position, oware, history, result: None };
        game.judge(false);
        game
    }

    /// The legal moves without the pass.
    fn sowings(&self) -> Vec<usize> {
        let mut list = Vec::new();
        let enemy = 1 - self.position.player;
        let enemy_is_empty = self.position.seeds_of(enemy) == 0;
        for hole in row_of(self.position.player) {
            if self.position.holes[hole] == 0 {
                continue;
            }
            let leaves_nothing = self.position.after(hole, self.oware).seeds_of(enemy) == 0;
            let forbidden = if self.oware { enemy_is_empty && leaves_nothing } else { leaves_nothing };
            if !forbidden {
                list.push(hole);
            }
        }
        list
    }

    fn judge(&mut self, passed: bool) {
        let plies = self.history.len() - 1;
        if self.oware {
            let captured = &self.position.captured;
            let decided = captured[0] > 24 || captured[1] > 24 || (captured[0] == 24 && captured[1] == 24);
            let repeated = self.history[..plies].contains(&self.history[plies]);
            let ended = repeated || self.sowings().is_empty() || plies >= 1000;
            if decided || ended {
                let mut counted = self.position.clone();
                counted.collect();
                self.result = Some(counted.difference());
            }
        } else if self.position.holes.iter().all(|&hole| hole <= 1) {
            self.result = Some(self.position.difference());
        } else if (passed && self.sowings().is_empty()) || plies >= 1250 {
            self.result = Some(vec![0, 0]);
        }
    }
}

impl Twin for Awari {
    fn to_move(&self) -> usize {
        self.position.player
    }

    fn legal(&self) -> Vec<String> {
        if self.result.is_some() {
            return Vec::new();
        }
        let moves: Vec<String> = self.sowings().iter().map(|&hole| NAMES[hole].to_string()).collect();
        if moves.is_empty() { vec!["pass".to_string()] } else { moves }
    }

    fn play(&mut self, mv: &str) {
        assert!(self.legal().iter().any(|m| m == mv), "illegal move {mv}");
        if mv == "pass" {
            self.position.player = 1 - self.position.player;
        } else {
            let hole = NAMES.iter().position(|&name| name == mv).unwrap();
            self.position = self.position.after(hole, self.oware);
        }
        self.history.push(self.position.text());
        self.judge(mv == "pass");
    }

    fn scores(&self) -> Option<Vec<i32>> {
        self.result.clone()
    }

    fn text(&self) -> String {
        self.position.text()
    }
}
