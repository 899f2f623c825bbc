//! One file per subcommand.

pub mod bench;
pub mod check;
pub mod games;
pub mod perft;
pub mod play;
pub mod show;
