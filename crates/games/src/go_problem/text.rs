//! Positions as text, and as a board to draw.

use super::{End, GoProblem, Goal, PASS, Point, ProblemRules, UNLIMITED, on_stones};
use crate::board::bits::{Bits, Words};
use crate::board::diagram::{Diagram, rows_text};
use crate::go::point_name;
use crate::go::stones::STRIDES;
use tesuji_core::view::{Hand, Piece, RowOne, Shape};
use tesuji_core::{Player, PositionError, View, quoted};

const LETTERS: &str = "XO";
/// The characters of cells: outside the region, then on it; of a point, of stones, of marked
/// stones.
const CELLS: [[char; 5]; 2] = [[',', 'X', 'O', 'B', 'W'], ['.', 'x', 'o', 'b', 'w']];
const ALL_CELLS: &str = ",XOBW.xobw";
/// The field for the passes when the marked stones have been taken.
const TAKEN: &str = "taken";

impl GoProblem {
    pub(super) fn point_name(&self, point: Point) -> String {
        let (column, row) = self.column_row(point);
        point_name(column, row)
    }

    /// The character of the cell in a column and a row from the top.
    fn cell(&self, column: usize, row_from_top: usize) -> char {
        let point = usize::from(self.point(column, self.size() - 1 - row_from_top));
        let seat = self.stones.iter().position(|stones| stones.contains(point));
        let kind = seat.map_or(0, |seat| 1 + seat + 2 * usize::from(self.targets.contains(point)));
        CELLS[usize::from(self.region.contains(point))][kind]
    }

    pub(super) fn write(&self) -> String {
        let rows = rows_text((self.size(), self.size()), |column, row| self.cell(column, row));
        let side = &LETTERS[self.mover()..=self.mover()];
        let ban = if self.ban == PASS { "-".to_string() } else { self.point_name(self.ban) };
        let passes = if self.end == End::Taken { TAKEN.to_string() } else { self.passes.to_string() };
        let [black, white] = self.threats.map(threats_text);
        format!("{rows} {side} {ban} {passes} {black},{white}")
    }

    pub(super) fn read(rules: &ProblemRules, text: &str) -> Result<GoProblem, PositionError> {
        let size = usize::from(rules.size);
        let diagram = Diagram::parse(text, (size, size), ALL_CELLS, 4)?;
        let to_move = Player(diagram.side(0, LETTERS)?);
        let mut problem = GoProblem {
            stones: [Words::EMPTY; 2],
            targets: Words::EMPTY,
            region: Words::EMPTY,
            board_key: 0,
            rules: *rules,
            ban: PASS,
            last: PASS,
            threats: read_threats(&diagram)?,
            to_move,
            passes: 0,
            owner: 0,
            end: End::Open,
            score: 0,
        };
        problem.read_cells(&diagram, size);
        if !on_stones!(problem, stones, _narrow => stones.all_have_liberties()) {
            return Err(diagram.error("a block has no liberty"));
        }
        let passes = diagram.fields[2];
        problem.read_owner(&diagram, passes == TAKEN)?;
        problem.passes = match passes {
            "0" | TAKEN => 0,
            "1" => 1,
            "2" => 2,
            other => {
                let given = quoted(other);
                return Err(diagram.error(format!("the consecutive passes are 0, 1, 2 or {TAKEN}, not {given}")));
            }
        };
        problem.read_ban(&diagram)?;
        if problem.passes == 2 {
            problem.settle_pass()
        } else {
            problem.settle()
        }
        Ok(problem)
    }

    fn read_cells(&mut self, diagram: &Diagram<'_>, size: usize) {
        let (mut by_seat, mut targets, mut region) = ([Words::EMPTY; 2], Words::EMPTY, Words::EMPTY);
        for (column, row) in (0..size * size).map(|cell| (cell % size, cell / size)) {
            let letter = diagram.at(column, row);
            let point = Words::single(usize::from(self.point(column, size - 1 - row)));
            let on_region = CELLS[1].contains(&letter);
            let kind = CELLS[usize::from(on_region)].iter().position(|cell| *cell == letter).unwrap_or(0);
            if on_region {
                region |= point;
            }
            if kind > 0 {
                by_seat[(kind - 1) % 2] |= point;
            }
            if kind > 2 {
                targets |= point;
            }
        }
        self.set_board(by_seat, targets, region);
    }

    /// Finds the owner of the marked stones; the last move shows who took them if they are gone.
    fn read_owner(&mut self, diagram: &Diagram<'_>, is_taken: bool) -> Result<(), PositionError> {
        let marked = self.stones.map(|stones| !(stones & self.targets).is_empty());
        if self.rules.goal == Goal::Semeai {
            let taken = !(marked[0] && marked[1]);
            // The stones of the player to move are the ones that have just been taken.
            return match taken == is_taken && !(taken && marked[self.mover()]) && (marked[0] || marked[1]) {
                true => Ok(()),
                false => Err(diagram.error("mark stones of both colours (B or b, and W or w)")),
            };
        }
        if is_taken != (marked == [false, false]) {
            return Err(diagram.error("mark the stones in question (B or b, or W or w)"));
        }
        if marked == [true, true] {
            return Err(diagram.error("mark stones of one colour only (B or b, or W or w)"));
        }
        self.owner = if is_taken { self.mover() as u8 } else { u8::from(marked[1]) };
        Ok(())
    }

    fn read_ban(&mut self, diagram: &Diagram<'_>) -> Result<(), PositionError> {
        let name = diagram.fields[1];
        if name == "-" {
            return Ok(());
        }
        let size = self.size();
        let named = |&(column, row): &(usize, usize)| point_name(column, row).eq_ignore_ascii_case(name);
        let found = (0..size * size).map(|cell| (cell % size, cell / size)).find(named);
        let (column, row) = found.ok_or_else(|| {
            let given = quoted(name);
            diagram.error(format!("the banned point must be '-' or a point of the board, not {given}"))
        })?;
        self.ban = self.point(column, row);
        let mover = self.mover();
        if self.passes > 0 || !on_stones!(self, stones, _narrow => stones.is_ko_point(mover, usize::from(self.ban))) {
            return Err(diagram.error(format!("{name} is not a point where a single stone was just captured")));
        }
        Ok(())
    }

    pub(super) fn draw(&self) -> View {
        let size = self.size();
        let mut view = View::grid(Shape::Square, (size, size), RowOne::Bottom, |column, row| {
            let cell = self.cell(column, row).to_ascii_uppercase();
            let owner = match cell {
                'X' | 'B' => Some(Player::FIRST),
                'O' | 'W' => Some(Player::SECOND),
                _ => None,
            };
            // A blank in place of the dot of an empty cell shows that a point is outside the
            // region.
            let symbol = if cell == ',' { " ".to_string() } else { cell.to_string() };
            (cell != '.').then_some(Piece { symbol, owner })
        });
        for cell in &mut view.cells {
            cell.name = point_name(usize::from(cell.column), size - 1 - usize::from(cell.row));
        }
        view.hands = [Player::FIRST, Player::SECOND]
            .into_iter()
            .filter(|player| self.threats(*player) > 0)
            .map(|player| {
                let number = self.threats(player);
                let item =
                    if number == UNLIMITED { ("unlimited".to_string(), 1) } else { (String::new(), i32::from(number)) };
                Hand { title: "ko threats", owner: Some(player), pieces: vec![item] }
            })
            .collect();
        view
    }
}

fn threats_text(number: u8) -> String {
    if number == UNLIMITED { "inf".to_string() } else { number.to_string() }
}

/// Reads the threats of both sides.
fn read_threats(diagram: &Diagram<'_>) -> Result<[u8; 2], PositionError> {
    let field = diagram.fields[3];
    let number = |text: &str| (0..=UNLIMITED).find(|&number| threats_text(number) == text);
    let both = field.split_once(',').and_then(|(black, white)| Some([number(black)?, number(white)?]));
    both.ok_or_else(|| {
        let given = quoted(field);
        diagram.error(format!("the ko threats of Black and White are two of 0, 1, 2, inf, such as 0,inf, not {given}"))
    })
}
