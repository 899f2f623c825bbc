use super::keys::KEYS;
use super::*;
use crate::samegame::{SameGame, Squares};
use tesuji_core::plain_weighted_playout;

/// Sizes and colours that take every path: narrow and wide boards, and the largest.
const BOARDS: [&str; 9] = [
    "samegame:2x2,colours=2",
    "samegame:15x15,colours=2",
    "samegame:15x15,colours=3",
    "samegame:15x20,colours=7",
    "samegame:15x4,colours=8",
    "samegame:16x3,colours=2",
    "samegame:20x20,colours=2",
    "samegame:20x20,colours=5",
    "samegame:20x20,colours=10",
];

/// The tiles of a position by column and row, 0 for an empty cell.
type Grid = Vec<Vec<u8>>;

fn grid(position: &SameGame) -> Grid {
    let (columns, rows) = position.size();
    let column = |column| (0..rows).map(|row| position.column(column).tile(row)).collect();
    (0..columns).map(column).collect()
}

/// The group of a cell, tile by tile.
fn group(grid: &Grid, cell: (usize, usize)) -> Vec<(usize, usize)> {
    let mut found = vec![cell];
    let mut next = 0;
    while next < found.len() {
        let (column, row) = found[next];
        next += 1;
        let (left, below) = (column.wrapping_sub(1), row.wrapping_sub(1));
        for (to, at) in [(left, row), (column + 1, row), (column, below), (column, row + 1)] {
            let tile = grid.get(to).and_then(|column| column.get(at)).copied();
            if tile == Some(grid[cell.0][cell.1]) && !found.contains(&(to, at)) {
                found.push((to, at));
            }
        }
    }
    found.sort_unstable();
    found
}

/// All groups of two or more tiles, by the cell that names them.
fn groups(grid: &Grid) -> Vec<Vec<(usize, usize)>> {
    let cells = (0..grid.len()).flat_map(|column| (0..grid[0].len()).map(move |row| (column, row)));
    let tiles = cells.filter(|&(column, row)| grid[column][row] != 0);
    tiles
        .map(|cell| (cell, group(grid, cell)))
        .filter(|(cell, group)| group.len() > 1 && group[0] == *cell)
        .map(|(_, group)| group)
        .collect()
}

fn without(grid: &Grid, group: &[(usize, usize)]) -> Grid {
    let rows = grid[0].len();
    let mut left: Grid = Vec::new();
    for (column, tiles) in grid.iter().enumerate() {
        let kept = tiles.iter().enumerate().filter(|&(row, &tile)| tile != 0 && !group.contains(&(column, row)));
        let mut kept: Vec<u8> = kept.map(|(_, &tile)| tile).collect();
        if !kept.is_empty() {
            kept.resize(rows, 0);
            left.push(kept);
        }
    }
    left.resize(grid.len(), vec![0; rows]);
    left
}

fn start(spec: &str, seed: u64) -> SameGame {
    SameGame::start(&crate::rules::<SameGame>(&format!("{spec},seed={seed}")).unwrap())
}

#[test]
fn groups_and_their_removal_follow_the_rules() {
    for (spec, seed) in BOARDS.iter().flat_map(|spec| (1..=6).map(move |seed| (spec, seed))) {
        let mut position = start(spec, seed);
        let mut rng = Rng::new(seed);
        loop {
            let grid = grid(&position);
            let groups = groups(&grid);
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let named: Vec<(usize, usize)> = moves.iter().map(|&named| column_row(usize::from(named))).collect();
            assert_eq!(named, groups.iter().map(|group| group[0]).collect::<Vec<_>>(), "{}", position.text());
            assert_eq!(position.is_over(), moves.is_empty());
            for (&named, group) in moves.iter().zip(&groups) {
                assert_eq!(position.move_order(named), Some(group.len() as i32));
                let colour = usize::from(grid[group[0].0][group[0].1]) - 1;
                let key = |&(column, row): &(usize, usize)| KEYS[cell(column, row) * MOST_COLOURS + colour];
                assert_eq!(position.move_code(named), group.iter().map(key).fold(0, |code, key| code ^ key));
            }
            if moves.is_empty() {
                break;
            }
            let drawn = rng.below(moves.len());
            position.play(moves[drawn]);
            assert_eq!(self::grid(&position), without(&grid, &groups[drawn]), "{}", position.text());
            let mut complete = position;
            complete.set_up();
            assert_eq!(complete, position, "key and end of {}", position.text());
        }
    }
}

/// A group that winds through the board from its lower right to its upper left, so that a sweep in
/// either direction finds a little more of it.
#[test]
fn a_group_is_followed_around_corners() {
    let rules: TileRules<Squares> = crate::rules::<SameGame>("samegame:7x7,colours=3").unwrap();
    let spiral = "0000000/0111110/0122210/0120210/0122010/0111110/0000010 0";
    let position = SameGame::parse(&rules, spiral).unwrap();
    let grid = grid(&position);
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let sizes: Vec<i32> = moves.iter().map(|&named| position.move_order(named).unwrap()).collect();
    assert_eq!(sizes, groups(&grid).iter().map(|group| group.len() as i32).collect::<Vec<_>>());
    // The lower end of the outer spiral is not its name.
    let names: Vec<String> = moves.iter().map(|&named| position.move_text(named)).collect();
    assert!(names.contains(&"a1".to_string()) && !names.contains(&"g1".to_string()), "{names:?}");
}

#[test]
fn informed_moves_are_the_groups_of_other_colours_first() {
    for (spec, seed) in BOARDS.iter().flat_map(|spec| (1..=3).map(move |seed| (spec, seed))) {
        let mut position = start(spec, seed);
        let mut rng = Rng::new(seed);
        while !position.is_over() {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let tabu = rng.below(position.informed_policies());
            let is_free = |named: &&u16| {
                let (column, row) = column_row(usize::from(**named));
                usize::from(position.column(column).tile(row)) != tabu + 1
            };
            let free: Vec<u16> = moves.iter().filter(is_free).copied().collect();
            let mut informed = Vec::new();
            position.informed_moves(tabu, &mut informed);
            assert_eq!(informed, if free.is_empty() { moves.clone() } else { free }, "{}", position.text());
            let counts =
                (1..=position.colours).map(|tile| grid(&position).iter().flatten().filter(|&&at| at == tile).count());
            let counts: Vec<usize> = counts.collect();
            assert_eq!(Some(counts[position.informed_choice()]), counts.iter().copied().max());
            position.play(moves[rng.below(moves.len())]);
        }
    }
}

/// Weights that are sums of powers of two add up without rounding, so the order of sums is no
/// matter.
#[test]
fn weighted_games_are_those_that_list_all_groups() {
    for (spec, seed) in BOARDS.iter().flat_map(|spec| (1..=4).map(move |seed| (spec, seed))) {
        let root = start(spec, seed);
        for tabu in [None, Some(0), Some(1), root.relaxed_choice()] {
            let mut contexts = [(); 2].map(|()| PlayoutContext::new(Rng::new(seed), 200));
            for playout in 0..10 {
                let mut weight = |code: &MoveCode| f64::from(1 + (code.code ^ playout) as u32 % 7) + code.bias;
                let (mut fast, mut plain) = (Vec::new(), Vec::new());
                let outcome = root.clone().weighted_playout(tabu, &mut weight, &mut contexts[0], &mut fast);
                let expected =
                    plain_weighted_playout(&mut root.clone(), tabu, &mut weight, &mut contexts[1], &mut plain);
                assert_eq!((outcome, fast), (expected, plain), "{spec} {seed} {tabu:?} {playout}");
            }
        }
    }
}

#[test]
fn a_code_has_the_keys_of_all_tiles() {
    for (spec, seed) in BOARDS.iter().flat_map(|spec| (1..=3).map(move |seed| (spec, seed))) {
        let position = start(spec, seed);
        let grid = grid(&position);
        for group in groups(&grid) {
            let key = |&(column, row): &(usize, usize)| {
                KEYS[cell(column, row) * MOST_COLOURS + usize::from(grid[column][row]) - 1]
            };
            let (column, row) = group[0];
            let expected = group.iter().map(key).fold(0, |code, key| code ^ key);
            assert_eq!(position.move_code(cell(column, row) as u16), expected, "{spec} {seed}");
        }
    }
}

#[test]
fn a_relaxed_policy_allows_pairs_once_a_seventh_of_the_tiles_is_gone() {
    for seed in 1..=5 {
        let mut position = start("samegame:10x7,colours=3", seed);
        let (strict, relaxed) = (position.informed_choice(), position.relaxed_choice().unwrap());
        let mut rng = Rng::new(seed);
        while !position.is_over() {
            let grid = grid(&position);
            let tiles = grid.iter().flatten().filter(|&&tile| tile != 0).count();
            let may = |group: &Vec<(usize, usize)>| {
                let (column, row) = group[0];
                usize::from(grid[column][row]) != strict + 1 || (group.len() == 2 && 70 - tiles >= 10)
            };
            let groups = groups(&grid);
            let name = |group: &Vec<(usize, usize)>| cell(group[0].0, group[0].1) as u16;
            let allowed: Vec<u16> = groups.iter().filter(|group| may(group)).map(name).collect();
            let mut informed = Vec::new();
            position.informed_moves(relaxed, &mut informed);
            let all: Vec<u16> = groups.iter().map(name).collect();
            assert_eq!(informed, if allowed.is_empty() { all.clone() } else { allowed }, "{}", position.text());
            position.play(all[rng.below(all.len())]);
        }
    }
}
