//! What holds for any text; the fuzzer uses it too.

use tesuji_catalog::open;
use tesuji_sgf::{Headers, read, write};

/// A text is refused, or what was read of it is written and read again as it was; what can be
/// followed is a game that can be opened by its texts, and written as SGF again.
pub fn sgf_law(text: &str) {
    let Ok(records) = read(text) else { return };
    let written: String = records.iter().map(|record| record.text()).collect();
    assert_eq!(read(&written).as_ref(), Ok(&records), "{text:?} was written as {written:?}");
    for record in &records {
        let Ok(session) = record.open(None) else { continue };
        let opened = open(record.game(), &session.game_text()).expect("a session tells how to open it");
        assert_eq!((opened.text(), opened.key()), (session.text(), session.key()), "{text:?}");
        let Ok(played) = write(session.as_ref(), &Headers::default()) else { continue };
        let back = read(&played).unwrap_or_else(|error| panic!("{played:?} from {text:?}: {error}"));
        let position = back[0].position();
        assert_eq!(position, Ok(session.game_text()), "{text:?} was played and written as {played:?}");
    }
}
