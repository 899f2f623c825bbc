//! The WebSocket of a connection: carries messages between a page and its [`Connection`].

use crate::connection::{Connection, Input};
use crate::message::{self, Closed, Event, MAX_MESSAGE_BYTES, Response};
use crate::outbox::{Outbox, OutboxItem};
use crate::server::{ConnectionPermit, Shared};
use crate::tcp::shut_down;
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

/// The most bytes of requests queued for a connection; further requests stay in the socket. Every
/// request counts as at least a sixteenth of this, so that at most 16 are queued.
const MAX_QUEUED_BYTES: usize = 2 * MAX_MESSAGE_BYTES;
const MIN_REQUEST_BYTES: usize = MAX_QUEUED_BYTES / 16;
/// The interval of pings, and the silence after which the page is considered gone.
const PING_INTERVAL: Duration = Duration::from_secs(20);
const SILENCE_TIMEOUT: Duration = Duration::from_secs(65);
/// How long a page has to accept the closing message.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// `None` ends the connection.
type KeepOpen = Option<()>;

/// Carries messages until one side closes the socket or the server shuts down.
pub async fn run_socket(
    mut socket: WebSocket,
    shared: Arc<Shared>,
    permit: ConnectionPermit,
    shutdown: watch::Receiver<bool>,
) {
    let outbox = Arc::new(Outbox::default());
    let unread = shared.caps.unread;
    let connection = match Connection::start(shared, permit, outbox.clone()) {
        Ok(connection) => connection,
        Err(error) => return close(&mut socket, &format!("cannot start the connection: {error}")).await,
    };
    carry(&mut socket, &outbox, &connection, unread, shutdown).await;
    // An error means that the connection has ended already.
    let _ = connection.send(Input::Disconnected);
}

async fn carry(
    socket: &mut WebSocket,
    outbox: &Outbox,
    connection: &Sender<Input>,
    unread: Duration,
    mut shutdown: watch::Receiver<bool>,
) {
    let permits = Arc::new(Semaphore::new(MAX_QUEUED_BYTES));
    let mut pings = interval(PING_INTERVAL);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut last_frame = Instant::now();
    loop {
        let keep_open = tokio::select! {
            frame = socket.recv() => {
                last_frame = Instant::now();
                match frame {
                    Some(Ok(message @ (Message::Text(_) | Message::Binary(_)))) => {
                        forward(&message.into_data(), connection, &permits, outbox).await
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => Some(()),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => None,
                }
            }
            item = outbox.next() => match item {
                OutboxItem::Message(text) => send(socket, Message::text(text), unread).await,
                OutboxItem::Close(reason) => {
                    close(socket, &reason).await;
                    None
                }
            },
            _ = pings.tick() => {
                if last_frame.elapsed() > SILENCE_TIMEOUT {
                    None
                } else {
                    send(socket, Message::Ping(Vec::new().into()), unread).await
                }
            }
            () = shut_down(&mut shutdown) => {
                close(socket, "the server is shutting down").await;
                None
            }
        };
        if keep_open.is_none() {
            return;
        }
    }
}

/// Queues a request. One that is too long is refused here, so that its text is not queued.
async fn forward(bytes: &[u8], connection: &Sender<Input>, permits: &Arc<Semaphore>, outbox: &Outbox) -> KeepOpen {
    if let Err(error) = message::check_length(bytes.len()) {
        outbox.send(&Response::error(None, error));
        return Some(());
    }
    let text = String::from_utf8_lossy(bytes).into_owned();
    // Replacing invalid UTF-8 triples the length at most.
    let charged = text.len().clamp(MIN_REQUEST_BYTES, MAX_QUEUED_BYTES) as u32;
    let permit = permits.clone().acquire_many_owned(charged).await.ok()?;
    connection.send(Input::Request(text, permit)).ok()
}

async fn send(socket: &mut WebSocket, message: Message, within: Duration) -> KeepOpen {
    timeout(within, socket.send(message)).await.ok()?.ok()
}

/// Sends the reason and closes the socket, if the page still accepts messages.
async fn close(socket: &mut WebSocket, reason: &str) {
    let event = Event { event: "closed", content: Closed { words: reason } };
    let event = serde_json::to_string(&event).expect("a string serialises");
    let frame = CloseFrame { code: close_code::AWAY, reason: "".into() };
    let sent = async {
        if socket.send(Message::text(event)).await.is_ok() {
            // An error means that the page is gone.
            let _ = socket.send(Message::Close(Some(frame))).await;
        }
    };
    let _ = timeout(CLOSE_TIMEOUT, sent).await;
}
