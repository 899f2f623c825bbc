//! The queue of outgoing messages of a connection: bounded, and never blocking the sender.

use serde::Serialize;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use tokio::sync::Notify;

/// The most messages queued for a page, and the most bytes of them; one more closes the connection.
/// A single message may be longer.
const MAX_QUEUED: usize = 256;
const MAX_QUEUED_BYTES: usize = 8 << 20;

/// A kind of progress message; a newer one replaces an older one of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgressKind {
    /// The progress of a search.
    Thinking,
    /// The progress of a solver.
    Solving,
    /// The progress of a question about a Go problem.
    Asking,
}

/// The queue of a connection.
#[derive(Default)]
pub struct Outbox {
    queue: Mutex<Queue>,
    changed: Notify,
}

#[derive(Default)]
struct Queue {
    messages: VecDeque<(Option<ProgressKind>, String)>,
    /// The length of all messages.
    bytes: usize,
    /// Set when nothing is accepted any more; the reason is sent after the queued messages.
    closed: Option<String>,
    /// The last abandoned search; searches are numbered from 1.
    abandoned: u64,
}

impl Queue {
    /// Returns whether a message of this length can be queued.
    fn has_room(&self, bytes: usize) -> bool {
        let fits = self.messages.is_empty() || self.bytes + bytes <= MAX_QUEUED_BYTES;
        fits && self.messages.len() < MAX_QUEUED
    }

    /// Removes the progress messages of a kind, or of any kind.
    fn remove_progress(&mut self, kind: Option<ProgressKind>) {
        let is_removed = |other: &Option<ProgressKind>| other.is_some() && (kind.is_none() || *other == kind);
        self.messages.retain(|(other, _)| !is_removed(other));
        self.bytes = self.messages.iter().map(|(_, text)| text.len()).sum();
    }
}

/// What to do next with the socket.
#[derive(PartialEq, Eq, Debug)]
pub enum OutboxItem {
    /// Send this message.
    Message(String),
    /// Close the connection for this reason.
    Close(String),
}

impl Outbox {
    /// Queues a message.
    pub fn send(&self, message: &impl Serialize) {
        self.push(None, message);
    }

    /// Queues a progress message of a search. It replaces a queued one of its kind, and is dropped
    /// if the search was [abandoned](Self::abandon).
    pub fn send_progress(&self, kind: ProgressKind, search: u64, message: &impl Serialize) {
        self.push(Some((kind, search)), message);
    }

    /// Drops all progress messages, queued and future, of this search and those before it.
    pub fn abandon(&self, search: u64) {
        let mut queue = self.lock();
        queue.abandoned = queue.abandoned.max(search);
        queue.remove_progress(None);
    }

    fn push(&self, progress: Option<(ProgressKind, u64)>, message: &impl Serialize) {
        let text = serde_json::to_string(message).expect("messages have string keys");
        let mut queue = self.lock();
        if queue.closed.is_some() || progress.is_some_and(|(_, search)| search <= queue.abandoned) {
            return;
        }
        let kind = progress.map(|(kind, _)| kind);
        if kind.is_some() {
            queue.remove_progress(kind);
        }
        if !queue.has_room(text.len()) {
            queue.remove_progress(None);
        }
        if queue.has_room(text.len()) {
            queue.bytes += text.len();
            queue.messages.push_back((kind, text));
        } else {
            queue.closed = Some(format!("{} messages of {} bytes are unread", queue.messages.len(), queue.bytes));
            queue.messages.clear();
            queue.bytes = 0;
        }
        drop(queue);
        self.changed.notify_one();
    }

    /// Closes the connection after the queued messages. The first reason counts.
    pub fn close(&self, reason: &str) {
        self.lock().closed.get_or_insert_with(|| reason.to_string());
        self.changed.notify_one();
    }

    /// Returns the number of queued messages.
    pub fn len(&self) -> usize {
        self.lock().messages.len()
    }

    /// Returns whether the outbox accepts no more messages.
    pub fn is_closed(&self) -> bool {
        self.lock().closed.is_some()
    }

    /// Waits for the next item. For a single reader; cancelling the wait loses nothing.
    pub async fn next(&self) -> OutboxItem {
        loop {
            if let Some(item) = self.pop() {
                return item;
            }
            self.changed.notified().await;
        }
    }

    fn pop(&self) -> Option<OutboxItem> {
        let mut queue = self.lock();
        match queue.messages.pop_front() {
            Some((_, text)) => {
                queue.bytes -= text.len();
                Some(OutboxItem::Message(text))
            }
            None => queue.closed.clone().map(OutboxItem::Close),
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
        while let Some(OutboxItem::Message(text)) = outbox.pop() {
            texts.push(text);
        }
        texts
    }

    #[test]
    fn newer_progress_replaces_older_progress_of_its_kind() {
        let outbox = Outbox::default();
        outbox.send_progress(ProgressKind::Thinking, 1, &1);
        outbox.send(&"state");
        outbox.send_progress(ProgressKind::Solving, 1, &2);
        outbox.send_progress(ProgressKind::Thinking, 1, &3);
        assert_eq!(all(&outbox), ["\"state\"", "2", "3"]);
    }

    #[test]
    fn progress_of_an_abandoned_search_is_dropped() {
        let outbox = Outbox::default();
        outbox.send_progress(ProgressKind::Thinking, 4, &"old");
        outbox.abandon(4);
        outbox.send(&"state");
        outbox.send_progress(ProgressKind::Thinking, 4, &"old");
        outbox.send_progress(ProgressKind::Thinking, 5, &"new");
        assert_eq!(all(&outbox), ["\"state\"", "\"new\""]);
    }

    #[test]
    fn a_full_queue_drops_progress_first_and_then_closes() {
        let outbox = Outbox::default();
        outbox.send_progress(ProgressKind::Thinking, 1, &"thinking");
        for number in 0..MAX_QUEUED {
            outbox.send(&number);
        }
        assert!(!outbox.is_closed());
        assert_eq!(outbox.len(), MAX_QUEUED);
        outbox.send(&"one more");
        assert!(outbox.is_closed());
        assert_eq!(outbox.pop(), Some(OutboxItem::Close("256 messages of 658 bytes are unread".to_string())));
    }

    #[test]
    fn long_messages_fill_the_queue_by_their_bytes() {
        let outbox = Outbox::default();
        let message = "x".repeat(MAX_QUEUED_BYTES / 4);
        outbox.send(&"x".repeat(2 * MAX_QUEUED_BYTES));
        assert!(!outbox.is_closed(), "a single message may be longer");
        assert_eq!(all(&outbox).len(), 1);
        for _ in 0..100 {
            outbox.send(&message);
            assert_eq!(all(&outbox).len(), 1, "a page that reads gets any number of messages");
        }
        (0..3).for_each(|_| outbox.send(&message));
        outbox.send_progress(ProgressKind::Thinking, 1, &"thinking");
        assert!(!outbox.is_closed());
        outbox.send(&message);
        assert!(outbox.is_closed());
        assert!(matches!(outbox.pop(), Some(OutboxItem::Close(reason)) if reason.starts_with("3 messages of ")));
    }

    #[test]
    fn messages_queued_before_the_close_are_still_sent() {
        let outbox = Outbox::default();
        outbox.send(&1);
        outbox.close("the server is shutting down");
        outbox.close("another reason");
        outbox.send(&2);
        assert_eq!(all(&outbox), ["1"]);
        assert_eq!(outbox.pop(), Some(OutboxItem::Close("the server is shutting down".to_string())));
    }
}
