//! Players as text: a search and its time manager.

use tesuji_core::time::TimeManager;

/// Splits `SEARCH@time=MANAGER` into the search and the manager, whose brackets are removed. A
/// text without a manager is all search.
///
/// ```
/// use tesuji_catalog::split_manager;
///
/// assert_eq!(split_manager("mcts:solver@time=stop:f=5,p=0.9"), ("mcts:solver", Some("stop:f=5,p=0.9")));
/// assert_eq!(split_manager("mcts@time=[stop:f=5]"), ("mcts", Some("stop:f=5")));
/// assert_eq!(split_manager("mcts@time=2s"), ("mcts@time=2s", None));
/// ```
pub fn split_manager(text: &str) -> (&str, Option<&str>) {
    match text.rsplit_once("@time=") {
        Some((search, manager)) => {
            let bare = manager.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(manager);
            if TimeManager::is_named(bare) { (search, Some(bare)) } else { (text, None) }
        }
        None => (text, None),
    }
}
