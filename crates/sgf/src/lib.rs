//! Games and positions as SGF files (FF\[4\], <https://www.red-bean.com/sgf>): Go (`GM[1]`) and Hex
//! (`GM[11]`).
//!
//! [`read`] returns the [`Record`]s of a file, each with its whole tree, so that [`Record::text`]
//! preserves marks, comments, variations and unknown properties. [`write()`] writes a game.
//!
//! ```
//! let records = tesuji_sgf::read("(;GM[1]SZ[9]KM[6.5]PB[Ann]TR[ee];B[ee];W[])").unwrap();
//! assert_eq!(records[0].game(), "go:9,komi=6.5");
//! assert_eq!(records[0].position().unwrap(), "start moves E5 pass");
//! let session = records[0].open(Some(1)).unwrap();
//! let headers = tesuji_sgf::Headers { black: Some("Ann".to_string()), ..Default::default() };
//! assert!(tesuji_sgf::write(session.as_ref(), &headers).unwrap().ends_with("PB[Ann]\n;B[ee])\n"));
//! ```

mod dialect;
mod encoding;
mod error;
mod options;
mod record;
mod result;
mod source;
mod split;
mod tree;
mod write;

pub use encoding::decode;
pub use error::SgfError;
pub use record::{Record, read, read_file};
pub use result::{By, GameResult};
pub use source::Source;
pub use split::split;
pub use tree::{Node, Property, Tree};
pub use write::{Headers, write};
