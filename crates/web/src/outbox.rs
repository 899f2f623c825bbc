//! What is to be sent to a page: a short queue that never makes anybody wait.

use serde::Serialize;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use tokio::sync::Notify;

/// A page that leaves so many messages unread is given up.
const MOST: usize = 256;

/// Messages of which only the newest counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Live {
    /// How a search is getting on.
    Thinking,
    /// How a solver is getting on.
    Solving,
}

/// The queue.
#[derive(Default)]
pub struct Outbox {
    queue: Mutex<Queue>,
    changed: Notify,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<(Option<Live>, String)>,
    /// Why nothing more is sent after these.
    closed: Option<String>,
    /// The last search of which nobody wants to know how it is getting on; they are numbered from 1.
    left: u64,
}

/// What is to be done next.
#[derive(PartialEq, Eq, Debug)]
pub enum Next {
    /// This is to be sent.
    Message(String),
    /// The connection is to be closed, and why.
    Close(String),
}

impl Outbox {
    /// Sends a message.
    pub fn send(&self, message: &impl Serialize) {
        self.add(None, message);
    }

    /// Sends how a search is getting on, by its number; it takes the place of an older message of its kind, if that is still there. Of a search
    /// that was [left](Self::leave) nothing is sent.
    pub fn send_live(&self, kind: Live, search: u64, message: &impl Serialize) {
        self.add(Some((kind, search)), message);
    }

    /// From now on nothing is told of how this search, or one before it, is getting on.
    pub fn leave(&self, search: u64) {
        let mut queue = self.lock();
        queue.left = queue.left.max(search);
        queue.waiting.retain(|(kind, _)| kind.is_none());
    }

    fn add(&self, live: Option<(Live, u64)>, message: &impl Serialize) {
        let text = serde_json::to_string(message).expect("messages have texts as keys");
        let mut queue = self.lock();
        // What was left meanwhile is not told.
        if queue.closed.is_some() || live.is_some_and(|(_, search)| search <= queue.left) {
            return;
        }
        let kind = live.map(|(kind, _)| kind);
        if kind.is_some() {
            queue.waiting.retain(|(other, _)| *other != kind);
        }
        if queue.waiting.len() >= MOST
            && let Some(at) = queue.waiting.iter().position(|(kind, _)| kind.is_some())
        {
            queue.waiting.remove(at);
        }
        if queue.waiting.len() >= MOST {
            queue.waiting.clear();
            queue.closed = Some(format!("{MOST} messages were not read"));
        } else {
            queue.waiting.push_back((kind, text));
        }
        drop(queue);
        self.changed.notify_one();
    }

    /// Sends nothing after what is there.
    pub fn close(&self, words: &str) {
        self.lock().closed.get_or_insert_with(|| words.to_string());
        self.changed.notify_one();
    }

    /// How many messages are not sent yet.
    pub fn waiting(&self) -> usize {
        self.lock().waiting.len()
    }

    /// Whether nothing more will be sent.
    pub fn is_closed(&self) -> bool {
        self.lock().closed.is_some()
    }

    /// Waits for what is to be done next. For one reader; nothing is lost if the wait is given up.
    pub async fn next(&self) -> Next {
        loop {
            if let Some(next) = self.take() {
                return next;
            }
            self.changed.notified().await;
        }
    }

    fn take(&self) -> Option<Next> {
        let mut queue = self.lock();
        match queue.waiting.pop_front() {
            Some((_, text)) => Some(Next::Message(text)),
            None => queue.closed.clone().map(Next::Close),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(outbox: &Outbox) -> Vec<String> {
        let mut texts = Vec::new();
        while let Some(Next::Message(text)) = outbox.take() {
            texts.push(text);
        }
        texts
    }

    #[test]
    fn the_newest_thinking_takes_the_place_of_the_older_one() {
        let outbox = Outbox::default();
        outbox.send_live(Live::Thinking, 1, &1);
        outbox.send(&"state");
        outbox.send_live(Live::Solving, 1, &2);
        outbox.send_live(Live::Thinking, 1, &3);
        assert_eq!(all(&outbox), ["\"state\"", "2", "3"]);
    }

    #[test]
    fn of_a_search_that_was_left_nothing_is_told() {
        let outbox = Outbox::default();
        outbox.send_live(Live::Thinking, 4, &"old");
        outbox.leave(4);
        outbox.send(&"state");
        outbox.send_live(Live::Thinking, 4, &"old");
        outbox.send_live(Live::Thinking, 5, &"new");
        assert_eq!(all(&outbox), ["\"state\"", "\"new\""]);
    }

    #[test]
    fn a_full_queue_gives_up_thinking_first_and_then_the_page() {
        let outbox = Outbox::default();
        outbox.send_live(Live::Thinking, 1, &"thinking");
        for number in 0..MOST {
            outbox.send(&number);
        }
        assert!(!outbox.is_closed());
        assert_eq!(outbox.waiting(), MOST);
        outbox.send(&"one more");
        assert!(outbox.is_closed());
        assert_eq!(outbox.take(), Some(Next::Close("256 messages were not read".to_string())));
    }

    #[test]
    fn what_was_sent_before_the_end_is_still_sent() {
        let outbox = Outbox::default();
        outbox.send(&1);
        outbox.close("the server stops");
        outbox.close("another reason");
        outbox.send(&2);
        assert_eq!(all(&outbox), ["1"]);
        assert_eq!(outbox.take(), Some(Next::Close("the server stops".to_string())));
    }
}
