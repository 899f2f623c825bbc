//! What several games share: sets of cells, diagrams as text, and the engines of kindred games.

pub mod bits;
pub mod diagram;
pub mod flips;
pub mod race;
pub mod tiles;
