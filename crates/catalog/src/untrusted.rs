//! Specs that come from outside: from a client of the server, or from a certificate.
//!
//! The author of a spec chooses the files that its options name, so a spec from outside may not
//! name any. Options that read a file are declared as such (`Options::file`), which is all that
//! this module knows of them.

use crate::crew;
use crate::{OpenError, Session, open, split_manager};
use tesuji_core::time::TimeManager;
use tesuji_core::{OptionInfo, Spec, SpecError, split_terms};

/// Refuses a spec of a game or search that names a file, itself, in a nested spec or in its time
/// manager, or that starts workers.
pub fn check_untrusted(spec: &str) -> Result<(), SpecError> {
    let (spec, manager) = split_manager(spec);
    let spec = split_terms(spec).map_or(spec, |(spec, _)| spec);
    let spec: Spec = spec.parse()?;
    crew::check_untrusted(&spec)?;
    spec.check_untrusted(&options(spec.name()))?;
    spec.nested().try_for_each(check_untrusted)?;
    manager.map_or(Ok(()), |manager| TimeManager::check_untrusted(&manager.parse()?))
}

/// Opens a game whose spec comes from outside; otherwise as [`open`].
pub fn open_untrusted(spec: &str, position: &str) -> Result<Box<dyn Session>, OpenError> {
    check_untrusted(spec)?;
    open(spec, position)
}

/// Opens a game; `None` if it names a file that cannot be read, such as published boards. What was
/// played on them can be reported without the file.
pub fn open_if_readable(spec: &str, position: &str) -> Result<Option<Box<dyn Session>>, OpenError> {
    match (open(spec, position), check_untrusted(spec)) {
        (Ok(session), _) => Ok(Some(session)),
        (Err(OpenError::Spec(SpecError::BadValue { key, .. })), Err(SpecError::NamesFile { key: file, .. }))
            if key == file =>
        {
            Ok(None)
        }
        (Err(error), _) => Err(error),
    }
}

/// Returns the options of the game or search of a name.
fn options(name: &str) -> Vec<OptionInfo> {
    let of_game = crate::games().into_iter().find(|entry| entry.info.name == name).map(|entry| entry.options);
    of_game.or_else(|| tesuji_search::options(name).ok()).unwrap_or_default()
}
