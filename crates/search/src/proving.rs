//! What the proof-number searches share: questions in a row, lines that may go round in circles, first numbers, trees, tables.

pub mod asking;
pub mod best_first;
pub mod depth;
pub mod goal;
pub mod initial;
pub mod line;
pub mod numbers;
pub mod saved;
pub mod table;
pub mod tree;
