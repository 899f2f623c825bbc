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

    /// Sends a message that takes the place of an older one of its kind, if that is still there.
    pub fn send_live(&self, kind: Live, message: &impl Serialize) {
        self.add(Some(kind), message);
    }

    fn add(&self, kind: Option<Live>, message: &impl Serialize) {
        let text = serde_json::to_string(message).expect("messages have texts as keys");
        let mut queue = self.lock();
        if queue.closed.is_some() {
            return;
        }
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
        outbox.send_live(Live::Thinking, &1);
        outbox.send(&"state");
        outbox.send_live(Live::Solving, &2);
        outbox.send_live(Live::Thinking, &3);
        assert_eq!(all(&outbox), ["\"state\"", "2", "3"]);
    }

    #[test]
    fn a_full_queue_gives_up_thinking_first_and_then_the_page() {
        let outbox = Outbox::default();
        outbox.send_live(Live::Thinking, &"thinking");
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
