//! What the proof-number searches share: questions in a row, lines that may go round in circles, first numbers, tables.

pub mod asking;
pub mod goal;
pub mod line;
