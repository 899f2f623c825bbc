//! The parts shared by the proof-number searches.

pub mod asking;
pub mod best_first;
pub mod checkpoint;
pub mod depth;
pub mod goal;
pub mod initial;
pub mod numbers;
pub mod path;
pub mod report;
pub mod table;
pub mod tree;
pub mod zone;
