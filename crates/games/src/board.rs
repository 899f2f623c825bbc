//! What several games share: sets of cells, diagrams as text, and the engine of the tile games.

pub mod bits;
pub mod diagram;
pub mod tiles;
