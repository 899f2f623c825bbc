//! The queue of outgoing messages of a connection: bounded, and never blocking the sender.

use serde::Serialize;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};
use tokio::sync::Notify;

/// The most messages queued for a page; one more closes the connection.
const MAX_QUEUED: usize = 256;

/// A kind of progress message; a newer one replaces an older one of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgressKind {
    /// The progress of a search.
    Thinking,
    /// The progress of a solver.
    Solving,
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
    /// Set when nothing is accepted any more; the reason is sent after the queued messages.
    closed: Option<String>,
    /// The last abandoned search; searches are numbered from 1.
    abandoned: u64,
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
        queue.messages.retain(|(kind, _)| kind.is_none());
    }

    fn push(&self, progress: Option<(ProgressKind, u64)>, message: &impl Serialize) {
        let text = serde_json::to_string(message).expect("messages have string keys");
        let mut queue = self.lock();
        if queue.closed.is_some() || progress.is_some_and(|(_, search)| search <= queue.abandoned) {
            return;
        }
        let kind = progress.map(|(kind, _)| kind);
        if kind.is_some() {
            queue.messages.retain(|(other, _)| *other != kind);
        }
        if queue.messages.len() >= MAX_QUEUED
            && let Some(at) = queue.messages.iter().position(|(kind, _)| kind.is_some())
        {
            queue.messages.remove(at);
        }
        if queue.messages.len() >= MAX_QUEUED {
            queue.messages.clear();
            queue.closed = Some(format!("{MAX_QUEUED} messages are unread"));
        } else {
            queue.messages.push_back((kind, text));
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
            Some((_, text)) => Some(OutboxItem::Message(text)),
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
        assert_eq!(outbox.pop(), Some(OutboxItem::Close("256 messages are unread".to_string())));
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
