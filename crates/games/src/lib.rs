//! The games of Tesuji, one file each.
//!
//! To add a game, write `src/NAME.rs` and add a line to the list below. All batteries, commands and
//! front ends then include it. CONTRIBUTING.md walks through a tiny game.
//!
//! ```
//! use tesuji_core::{Game, History};
//! use tesuji_games::{Connect4, rules};
//!
//! let mut game = History::<Connect4>::new(rules::<Connect4>("connect4").unwrap());
//! for column in ["4", "4", "3", "3", "5", "5", "2"] {
//!     game.play_text(column).unwrap();
//! }
//! assert_eq!(game.outcome().unwrap().scores(), [1, -1]);
//! println!("{}", game.position().view());
//! ```

pub mod board;

use tesuji_core::{Game, Info, Options, Rules, Spec, SpecError, Visitor};

macro_rules! games {
    ($($module:ident :: $game:ident),* $(,)?) => {
        $(
            pub mod $module;
            pub use $module::$game;
        )*

        /// The games of each type, in the order of the list.
        const FAMILIES: &[&[Info]] = &[$(<$game as Game>::FAMILY),*];

        /// Calls a visitor with the game of the given name; `None` if there is no such game.
        pub fn visit<V: Visitor>(name: &str, visitor: V) -> Option<V::Output> {
            $(
                if is_of::<$game>(name) {
                    return Some(visitor.visit::<$game>());
                }
            )*
            None
        }

        /// The list in four parts, so that four crates can compile the searches in parallel.
        pub mod parts {
            deal! { [] [] [] [] $($game)* }
        }
    };
}

/// Distributes a list of games over four parts in turn and declares the `visit` of each part.
macro_rules! deal {
    ([$($a:ident)*] [$($b:ident)*] [$($c:ident)*] [$($d:ident)*] $game:ident $($rest:ident)*) => {
        deal! { [$($b)*] [$($c)*] [$($d)*] [$($a)* $game] $($rest)* }
    };
    ([$($a:ident)*] [$($b:ident)*] [$($c:ident)*] [$($d:ident)*]) => {
        part! { a $($a)* }
        part! { b $($b)* }
        part! { c $($c)* }
        part! { d $($d)* }
    };
}

macro_rules! part {
    ($part:ident $($game:ident)*) => {
        /// One part of the list.
        pub mod $part {
            use tesuji_core::Visitor;

            /// Calls a visitor with the game of the given name; `None` if this part has no such
            /// game.
            pub fn visit<V: Visitor>(name: &str, visitor: V) -> Option<V::Output> {
                $(
                    if crate::is_of::<crate::$game>(name) {
                        return Some(visitor.visit::<crate::$game>());
                    }
                )*
                None
            }
        }
    };
}

games! {
    tictactoe::TicTacToe,
    connect4::Connect4,
    breakthrough::Breakthrough,
    knightthrough::Knightthrough,
    othello::Othello,
    rolit::Rolit,
    lion::Lion,
    minishogi::MiniShogi,
    loa::Loa,
    gomoku::Gomoku,
    awari::Awari,
    hex::Hex,
    go::Go,
    go_problem::GoProblem,
    samegame::SameGame,
    bubblebreaker::BubbleBreaker,
    clickomania::Clickomania,
    morpion::Morpion,
    synthetic::Synthetic,
}

/// The number of games.
const GAMES: usize = {
    let (mut games, mut family) = (0, 0);
    while family < FAMILIES.len() {
        games += FAMILIES[family].len();
        family += 1;
    }
    games
};

/// All games, in the order of the list.
pub const INFOS: &[Info] = &{
    let mut infos = [FAMILIES[0][0]; GAMES];
    let (mut family, mut member) = (0, 0);
    let mut at = 0;
    while at < GAMES {
        infos[at] = FAMILIES[family][member];
        member += 1;
        if member == FAMILIES[family].len() {
            (family, member) = (family + 1, 0);
        }
        at += 1;
    }
    infos
};

/// Returns whether the type `G` is the game of this name.
fn is_of<G: Game>(name: &str) -> bool {
    G::FAMILY.iter().any(|info| info.name == name)
}

/// Returns the error for a name that is not a game.
pub fn unknown_game(name: &str) -> SpecError {
    let known = INFOS.iter().map(|info| info.name).collect::<Vec<_>>().join(", ");
    SpecError::UnknownName { kind: "game", name: name.to_string(), known }
}

/// Reads the rules of the game `G` from a spec.
pub fn rules<G: Game>(spec: &str) -> Result<G::Rules, SpecError> {
    let spec: Spec = spec.parse()?;
    if !is_of::<G>(spec.name()) {
        return Err(unknown_game(spec.name()));
    }
    let mut options = Options::new(&spec);
    let rules = G::Rules::read(&mut options)?;
    options.finish()?;
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_core::Rules;
    use tesuji_core::time::{TimeManager, TimeTable};

    /// Checks the time tables and the manager of a game.
    fn check_time<G: Game>(spec: &str, has_tables: bool) {
        let facts = rules::<G>(spec).unwrap().time_facts();
        let table = TimeTable::parse(facts.table).unwrap();
        assert_eq!(
            !table.moves.is_empty() && !table.stones.is_empty() && !table.lengths.is_empty(),
            has_tables,
            "{spec}"
        );
        TimeManager::new(&facts.manager.parse().unwrap(), &facts).unwrap();
        // The tables were learned with this very command.
        let name = format!("tesuji learn {spec} --time-tables");
        assert!(facts.table.starts_with(&format!("# {name}")) || !has_tables, "{spec}: {}", facts.table);
        assert!(table.moves.iter().all(|moves| *moves >= 1.0), "{spec}");
    }

    #[test]
    fn time_tables_are_valid() {
        check_time::<Connect4>("connect4", true);
        check_time::<Connect4>("connect4:5x4", false);
        check_time::<Breakthrough>("breakthrough:6x6", true);
        check_time::<Breakthrough>("breakthrough:8x8", true);
        check_time::<Breakthrough>("breakthrough:9x6", false);
        check_time::<Othello>("othello", true);
        check_time::<Lion>("lion", true);
        check_time::<Go>("go:9", true);
        check_time::<Go>("go:13", true);
        check_time::<Go>("go:15", false);
        check_time::<Go>("go:19", false);
        check_time::<Loa>("loa", false);
    }

    #[test]
    fn every_game_has_a_goal_and_rules_for_people() {
        for info in INFOS {
            let sentence = |text: &str| text.ends_with('.') && text.trim() == text && !text.contains("  ");
            assert!(sentence(info.goal) && !info.goal.contains('\n'), "{}: {:?}", info.name, info.goal);
            assert!(info.goal.chars().count() <= 200, "{}: {} characters", info.name, info.goal.chars().count());
            assert!(info.rules.chars().count() >= 200, "{}: {} characters", info.name, info.rules.chars().count());
            for paragraph in info.rules.split("\n\n") {
                assert!(sentence(paragraph) && !paragraph.contains('\n'), "{}: {paragraph:?}", info.name);
            }
        }
    }
}
