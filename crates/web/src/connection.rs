//! A connection: carries messages between a page and its table.

use crate::message::{Event, Words};
use crate::outbox::{Next, Outbox};
use crate::server::{Chair, Shared};
use crate::table::{Input, Table};
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

/// So many messages of a page wait for its table; more are read when these are dealt with.
const MOST_UNHEARD: usize = 16;
/// A page is asked so often whether it is still there, and taken for gone when nothing came for so long.
const PING_EVERY: Duration = Duration::from_secs(20);
const SILENT_FOR: Duration = Duration::from_secs(65);

/// Whether the connection goes on.
type GoesOn = Option<()>;

/// Carries messages until one side ends it, or the server stops.
pub async fn converse(mut socket: WebSocket, shared: Arc<Shared>, chair: Chair, stopped: watch::Receiver<bool>) {
    let outbox = Arc::new(Outbox::default());
    let unread = shared.caps.unread;
    let table = match Table::start(shared, chair, outbox.clone()) {
        Ok(table) => table,
        Err(error) => return farewell(&mut socket, &format!("no table can be set up: {error}")).await,
    };
    carry(&mut socket, &outbox, &table, unread, stopped).await;
    // A table that is gone already needs no telling.
    let _ = table.send(Input::Gone);
}

async fn carry(
    socket: &mut WebSocket,
    outbox: &Outbox,
    table: &Sender<Input>,
    unread: Duration,
    mut stopped: watch::Receiver<bool>,
) {
    let permits = Arc::new(Semaphore::new(MOST_UNHEARD));
    let mut pings = interval(PING_EVERY);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut heard = Instant::now();
    loop {
        let goes_on = tokio::select! {
            frame = socket.recv() => {
                heard = Instant::now();
                match frame {
                    Some(Ok(Message::Text(text))) => say(table, &permits, text.to_string()).await,
                    Some(Ok(Message::Binary(bytes))) => {
                        say(table, &permits, String::from_utf8_lossy(&bytes).into_owned()).await
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => Some(()),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => None,
                }
            }
            next = outbox.next() => match next {
                Next::Message(text) => send(socket, Message::text(text), unread).await,
                Next::Close(words) => {
                    farewell(socket, &words).await;
                    None
                }
            },
            _ = pings.tick() => {
                if heard.elapsed() > SILENT_FOR { None } else { send(socket, Message::Ping(Vec::new().into()), unread).await }
            }
            () = raised(&mut stopped) => {
                farewell(socket, "the server stops").await;
                None
            }
        };
        if goes_on.is_none() {
            return;
        }
    }
}

async fn raised(stopped: &mut watch::Receiver<bool>) {
    // A server that is gone cannot raise it, and has stopped.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

async fn say(table: &Sender<Input>, permits: &Arc<Semaphore>, text: String) -> GoesOn {
    let permit = permits.clone().acquire_owned().await.ok()?;
    table.send(Input::Said(text, permit)).ok()
}

async fn send(socket: &mut WebSocket, message: Message, within: Duration) -> GoesOn {
    timeout(within, socket.send(message)).await.ok()?.ok()
}

/// Tells a page why it is left, if it still listens.
async fn farewell(socket: &mut WebSocket, words: &str) {
    let event = serde_json::to_string(&Event { event: "closed", content: Words { words } }).expect("words are text");
    let frame = CloseFrame { code: close_code::AWAY, reason: "".into() };
    let told = async {
        if socket.send(Message::text(event)).await.is_ok() {
            // Who does not hear this has gone.
            let _ = socket.send(Message::Close(Some(frame))).await;
        }
    };
    let _ = timeout(Duration::from_secs(2), told).await;
}
