//! What several games share: sets of cells, and diagrams as text.

pub mod bits;
pub mod diagram;
