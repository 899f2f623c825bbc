use super::*;
use crate::rules;
use std::collections::HashMap;
use tesuji_core::History;

fn start(spec: &str) -> Morpion {
    Morpion::start(&rules::<Morpion>(spec).unwrap())
}

fn texts(position: &Morpion) -> Vec<String> {
    position.open_lines().map(|line| position.move_text(line)).collect()
}

#[test]
fn the_cross_has_36_points_and_28_first_moves() {
    let position = start("morpion");
    assert_eq!(position.marked().count(), 36);
    assert_eq!(position.count_moves(&mut Vec::new()), 28);
    let of_direction = |direction| position.open_lines().filter(|line| line.direction() == direction).count();
    assert_eq!([0, 1, 2, 3].map(of_direction), [12, 12, 2, 2]);
    let small = start("morpion:rules=4t");
    assert_eq!(small.marked().count(), 24);
}

#[test]
fn parallel_lines_are_disjoint_or_touch() {
    for (spec, touches) in [("morpion:rules=5d", false), ("morpion:rules=5t", true)] {
        let mut position = start(spec);
        position.play(position.parse_move("m15:i15-m15").unwrap());
        let moves = texts(&position);
        // Four points on the right, and the end of the first line on the left.
        assert_eq!(moves.contains(&"n15:m15-q15".to_string()), touches, "{spec} {moves:?}");
        assert!(moves.contains(&"n15:n15-r15".to_string()), "{spec} {moves:?}");
        // The same line again, or a part of it, adds no point or overlaps.
        assert!(!moves.iter().any(|text| text.starts_with("m15:")), "{spec} {moves:?}");
    }
}

#[test]
fn a_point_that_completes_several_lines_is_several_moves() {
    let rules = rules::<Morpion>("morpion").unwrap();
    let moves = "n15:n15-r15 k18:k18-o18 o13:o9-o13 r11:r11-r15 k11:i13-m9 n12:n12-r12 l14:l14-l18 k9:k9-o9 \
                 m15:i15-m15 n14:l16-p12";
    let game = History::<Morpion>::parse(rules, &format!("start moves {moves}")).unwrap();
    let position = game.position();
    let at_m13 = |line: &Line| point_name(position.new_point(*line)) == "m13";
    let moves: Vec<Line> = position.open_lines().filter(at_m13).collect();
    assert_eq!(moves.iter().map(|&line| position.move_text(line)).collect::<Vec<_>>(), ["m13:k11-o15", "m13:k15-o11"]);
    assert_eq!(moves.iter().map(|&line| position.clicks(line)).collect::<Vec<_>>(), [["m13", "o15"], ["m13", "o11"]]);
    let others = position.open_lines().filter(|line| !at_m13(line));
    assert!(others.into_iter().all(|line| position.clicks(line).len() == 1));
}

/// The number of grids after n moves. Those that symmetries map onto each other count once.
fn grids(spec: &str, plies: usize) -> Vec<usize> {
    let mut layer = vec![start(spec)];
    let mut counts = vec![1];
    for _ in 0..plies {
        let mut next = HashMap::new();
        for position in &layer {
            let lines = position.drawn_lines();
            for line in position.open_lines() {
                let image_key = |&symmetry: &Symmetry| {
                    let key = |&line: &Line| KEYS[position.transformed_move(line, symmetry).index()];
                    lines.iter().chain([&line]).map(key).fold(0, |sum, key| sum ^ key)
                };
                let canonical = symmetry::SQUARE.iter().map(image_key).min().unwrap();
                next.entry(canonical).or_insert_with(|| {
                    let mut after = *position;
                    after.play(line);
                    after
                });
            }
        }
        layer = next.into_values().collect();
        counts.push(layer.len());
    }
    counts
}

/// The numbers of Michael Quist (2008): OEIS A204107 to A204110.
#[test]
fn there_are_as_many_grids_as_published() {
    assert_eq!(grids("morpion:rules=5d", 6), [1, 4, 55, 404, 2462, 11196, 41135]);
    assert_eq!(grids("morpion:rules=5t", 6), [1, 4, 56, 428, 2741, 13247, 52059]);
    assert_eq!(grids("morpion:rules=4d", 4), [1, 5, 106, 1174, 10608]);
    assert_eq!(grids("morpion:rules=4t", 4), [1, 5, 107, 1212, 11307]);
}

#[test]
fn the_record_games_are_legal_and_end_there() {
    let data = include_str!("../../../../testdata/morpion-records.txt");
    let mut games = 0;
    for block in data.split("\nspec ").skip(1) {
        let (spec, rest) = block.split_once('\n').unwrap();
        let (_, moves) = rest.split_once('\n').unwrap();
        let moves = moves.split_whitespace().collect::<Vec<_>>().join(" ");
        let rules = rules::<Morpion>(spec).unwrap();
        let game = History::<Morpion>::parse(rules, &format!("start moves {moves}")).unwrap();
        let score = match (rules.length, rules.touching) {
            (5, false) => 82,
            (5, true) => 178,
            _ => 35,
        };
        assert_eq!(game.outcome().unwrap().scores(), [score]);
        let again = Morpion::parse(&rules, &game.position().text()).unwrap();
        assert_eq!(again, *game.position());
        games += 1;
    }
    assert_eq!(games, 3);
}

/// On a torus every point is like every other one.
#[test]
fn lines_go_around_the_torus() {
    for direction in 0..DIRECTIONS {
        for (column, row) in [(0, 0), (31, 31), (30, 2), (5, 29)] {
            let line = Line::from(direction, (column, row));
            assert_eq!(line.point(0), (column, row));
            let steps = [(1, 0), (0, 1), (1, 1), (1, SIZE - 1)];
            let (dx, dy) = steps[direction];
            for number in 0..SIZE {
                assert_eq!(line.point(number), ((column + number * dx) % SIZE, (row + number * dy) % SIZE));
            }
        }
    }
    for point in (0..SIZE).flat_map(|row| (0..SIZE).map(move |column| (column, row))) {
        assert_eq!(geometry::read_point(&point_name(point)), Some(point));
    }
}

#[test]
fn lines_that_no_game_draws_are_refused() {
    let rules = rules::<Morpion>("morpion").unwrap();
    let reason = |text: &str| Morpion::parse(&rules, text).unwrap_err().reason;
    assert!(reason("").contains("the word cross"));
    assert!(reason("cross a1").contains("is not a line of 5 points"));
    assert!(reason("cross m15-i15").contains("is not a line of 5 points"));
    assert!(reason("cross i15-l15").contains("is not a line of 5 points"));
    assert!(reason("cross a33-e33").contains("is not a line of 5 points"));
    assert!(reason("cross a1-e1").contains("no order of moves"));
    assert!(reason("cross i15-m15 i15-m15").contains("no order of moves"));
    assert!(reason(&format!("cross{}", " i15-m15".repeat(85))).contains("no game has more than 84"));
    // The order of the lines in the text does not matter.
    let one = Morpion::parse(&rules, "cross i15-m15 n15-r15").unwrap();
    assert_eq!(Morpion::parse(&rules, "cross n15-r15 i15-m15").unwrap(), one);
    assert_eq!(one.text(), "cross i15-m15 n15-r15");
}

#[test]
fn the_view_grows_with_the_position() {
    let side = |position: &Morpion| position.view().cells.len().isqrt();
    assert_eq!(side(&start("morpion")), 16);
    assert_eq!(side(&start("morpion:rules=4d")), 13);
    let rules = rules::<Morpion>("morpion:rules=5t").unwrap();
    let mut position = Morpion::start(&rules);
    while !position.is_over() {
        position.play(position.open_lines().min_by_key(|&line| position.new_point(line)).unwrap());
        let names: Vec<String> = position.view().cells.into_iter().map(|cell| cell.name).collect();
        assert!(position.open_lines().all(|line| names.contains(&point_name(position.new_point(line)))));
    }
}

#[test]
fn a_position_is_at_most_1600_bytes() {
    assert!(size_of::<Morpion>() <= 1600, "{}", size_of::<Morpion>());
}
