//! The WebSocket of a connection: carries messages between a page and its [`Connection`].

use crate::connection::{Connection, Input};
use crate::message::{Closed, Event};
use crate::outbox::{Outbox, OutboxItem};
use crate::server::{ConnectionPermit, Shared};
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

/// The most requests queued for a connection; further ones stay in the socket.
const MAX_QUEUED_REQUESTS: usize = 16;
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
    let permits = Arc::new(Semaphore::new(MAX_QUEUED_REQUESTS));
    let mut pings = interval(PING_INTERVAL);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut last_frame = Instant::now();
    loop {
        let keep_open = tokio::select! {
            frame = socket.recv() => {
                last_frame = Instant::now();
                match frame {
                    Some(Ok(Message::Text(text))) => forward(connection, &permits, text.to_string()).await,
                    Some(Ok(Message::Binary(bytes))) => {
                        forward(connection, &permits, String::from_utf8_lossy(&bytes).into_owned()).await
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

async fn shut_down(shutdown: &mut watch::Receiver<bool>) {
    // An error means that the server is gone, which is a shutdown as well.
    let _ = shutdown.wait_for(|shutdown| *shutdown).await;
}

async fn forward(connection: &Sender<Input>, permits: &Arc<Semaphore>, text: String) -> KeepOpen {
    let permit = permits.clone().acquire_owned().await.ok()?;
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
