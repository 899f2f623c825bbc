//! Code shared by several games: cell sets, text diagrams, and the engines of game families.

pub mod bits;
pub mod diagram;
pub mod flips;
pub mod race;
pub mod tiles;
