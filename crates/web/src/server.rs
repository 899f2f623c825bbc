//! The server: the page, what it asks for by HTTP, and the door to the tables.

use crate::caps::{Budget, Caps};
use crate::connection::converse;
use crate::guard::{COOKIE_NAME, Guard, check_token};
use crate::store::{Store, random_name};
use axum::Router;
use axum::body::Body;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, Query, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY,
    SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use futures_util::{StreamExt, stream};
use rust_embed::RustEmbed;
use serde::{Deserialize, Serialize};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tesuji_catalog::{Entry, Meaning, SCHEMA, SearchEntry};
use thiserror::Error;
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::{Semaphore, watch};
use tokio::time::timeout;

/// The port when none is asked for and this one is free.
const USUAL_PORT: u16 = 7878;

/// What a server is started with.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to listen at.
    pub host: IpAddr,
    /// The port; if none is given, 7878 or, if that is taken, any that is free.
    pub port: Option<u16>,
    /// What everybody must say who comes in. Where others than this machine can come, one is drawn if none is given.
    pub token: Option<String>,
    /// Whether players may be programs (`gtp:`, `usi:`), which who comes in can then start.
    pub programs: bool,
    /// What is given away at most.
    pub caps: Caps,
}

impl Default for Settings {
    fn default() -> Settings {
        let host = IpAddr::V4(Ipv4Addr::LOCALHOST);
        Settings { host, port: None, token: None, programs: false, caps: Caps::default() }
    }
}

/// Why a server could not be started or go on.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The token.
    #[error("{0}")]
    Token(String),
    /// The address.
    #[error("cannot listen at {address}: {error}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        error: io::Error,
    },
    /// Anything else.
    #[error("the server cannot go on: {0}")]
    Io(#[from] io::Error),
}

/// What all tables share.
pub struct Shared {
    pub caps: Caps,
    pub programs: bool,
    pub memory: Arc<Budget>,
    pub threads: Arc<Budget>,
    pub store: Store,
    uploads: Semaphore,
    tables: AtomicUsize,
}

/// A place at the server: as long as it is there a table counts.
pub struct Chair(Arc<Shared>);

impl Chair {
    fn take(shared: &Arc<Shared>) -> Option<Chair> {
        let more = |tables: usize| (tables < shared.caps.tables).then_some(tables + 1);
        shared.tables.fetch_update(Relaxed, Relaxed, more).ok().map(|_| Chair(shared.clone()))
    }
}

impl Drop for Chair {
    fn drop(&mut self) {
        self.0.tables.fetch_sub(1, Relaxed);
    }
}

/// The page.
#[derive(RustEmbed)]
#[folder = "assets"]
struct Assets;

/// What requests are answered from.
#[derive(Clone)]
struct House {
    shared: Arc<Shared>,
    guard: Arc<Guard>,
    stopped: watch::Receiver<bool>,
}

/// A server that listens, and does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    guard: Guard,
    shared: Arc<Shared>,
}

impl Server {
    /// Takes its port. From then on a browser that is sent there waits for [`run`](Self::run).
    pub fn bind(settings: Settings) -> Result<Server, ServeError> {
        let Settings { host, port, token, programs, caps } = settings;
        let loopback = host.is_loopback();
        if let Some(token) = &token {
            check_token(token).map_err(ServeError::Token)?;
        }
        let token = if loopback || token.is_some() { token } else { Some(random_name()?) };
        let at = |port| SocketAddr::new(host, port);
        let listener = match port {
            Some(port) => TcpListener::bind(at(port)),
            None => TcpListener::bind(at(USUAL_PORT)).or_else(|_| TcpListener::bind(at(0))),
        };
        let address = at(port.unwrap_or(USUAL_PORT));
        let listener = listener.map_err(|error| ServeError::Listen { address, error })?;
        let address = listener.local_addr()?;
        let shared = Shared {
            programs,
            memory: Budget::new(caps.memory),
            threads: Budget::new(caps.threads),
            store: Store::new(&caps)?,
            uploads: Semaphore::new(MOST_UPLOADS),
            tables: AtomicUsize::new(0),
            caps,
        };
        Ok(Server { listener, address, guard: Guard { loopback, token }, shared: Arc::new(shared) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address for a browser, with the token if one is needed.
    pub fn url(&self) -> String {
        let token = self.guard.token.as_ref().map_or(String::new(), |token| format!("?token={token}"));
        format!("http://{}/{token}", self.address)
    }

    /// Serves until the flag is raised: then every page is told, every search ends, and every program that plays.
    pub fn run(self, stop: &AtomicBool) -> Result<(), ServeError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let shared = self.shared.clone();
        let served = runtime.block_on(self.serve(stop));
        runtime.shutdown_timeout(LEFT_WITHIN);
        // A search that has not ended by now would keep its files.
        shared.store.clear();
        tesuji_gtp::end_all();
        served
    }

    async fn serve(self, stop: &AtomicBool) -> Result<(), ServeError> {
        self.listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(self.listener)?.tap_io(|stream| {
            // Messages are short and come in pairs, an answer and a state; the second shall not wait until the first is confirmed. Where that cannot be
            // had, it does.
            let _ = stream.set_nodelay(true);
        });
        let (tell, stopped) = watch::channel(false);
        let house = House { shared: self.shared.clone(), guard: Arc::new(self.guard), stopped: stopped.clone() };
        let mut until = stopped.clone();
        let until = async move {
            // If nobody can tell any more, that is an end as well.
            let _ = until.wait_for(|stopped| *stopped).await;
        };
        let serving = axum::serve(listener, router(house)).with_graceful_shutdown(until);
        let stopping = async {
            while !stop.load(Relaxed) {
                tokio::time::sleep(LOOK_EVERY).await;
            }
            let _ = tell.send(true);
            // A table may wait for the answer of a program.
            tesuji_gtp::end_all();
            // Requests in progress, and tables whose searches have to come to an end.
            let begin = tokio::time::Instant::now();
            while self.shared.tables.load(Relaxed) > 0 && begin.elapsed() < LEFT_WITHIN {
                tokio::time::sleep(LOOK_EVERY / 10).await;
            }
        };
        let (mut serving, mut stopping) = (std::pin::pin!(serving.into_future()), std::pin::pin!(stopping));
        tokio::select! {
            served = &mut serving => {
                served?;
                // It was stopped, and the pages have still to be told.
                stopping.await;
            }
            () = &mut stopping => {
                // Who is in the middle of a request gets a moment to end it.
                if let Ok(served) = timeout(LOOK_EVERY, serving).await {
                    served?;
                }
            }
        }
        Ok(())
    }
}

/// How often it is looked whether to stop, and how long everything may take to end then.
const LOOK_EVERY: Duration = Duration::from_millis(100);
const LEFT_WITHIN: Duration = Duration::from_secs(3);

fn router(house: House) -> Router {
    Router::new()
        .route("/", get(|| asset("index.html".to_string())))
        .route("/assets/{*path}", get(|Path(path): Path<String>| asset(path)))
        .route("/api/games", get(games))
        .route("/api/searches", get(searches))
        .route("/api/proof/{id}", get(proof))
        .route("/api/file", post(upload))
        .route("/ws", get(socket))
        .fallback(|| async { (StatusCode::NOT_FOUND, "there is nothing here\n") })
        .layer(from_fn_with_state(house.clone(), guarded))
        .with_state(house)
}

#[derive(Deserialize)]
struct Token {
    token: Option<String>,
}

/// Lets in who may come, and keeps the token in a cookie.
async fn guarded(State(house): State<House>, Query(given): Query<Token>, request: Request, next: Next) -> Response {
    let Token { token } = given;
    if let Err(refusal) = house.guard.admit(request.headers(), token.as_deref()) {
        return refusal.into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if house.guard.token.is_some()
        && let Some(token) = token
        && let Ok(cookie) = HeaderValue::from_str(&format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Strict"))
    {
        headers.append(SET_COOKIE, cookie);
    }
    // The page needs nothing from anywhere else, and nobody else has to know its address, which may have the token in it.
    let policy =
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; frame-ancestors 'none'";
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

async fn asset(path: String) -> Response {
    match Assets::get(&path) {
        Some(file) => {
            let kind = file.metadata.mimetype().to_string();
            ([(CONTENT_TYPE, kind)], file.data).into_response()
        }
        None => (StatusCode::NOT_FOUND, "there is no such file\n").into_response(),
    }
}

fn json(content: &impl Serialize) -> Response {
    match serde_json::to_string(content) {
        Ok(text) => ([(CONTENT_TYPE, "application/json")], text).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

async fn games() -> Response {
    #[derive(Serialize)]
    struct Games {
        schema: u32,
        games: Vec<Entry>,
    }
    json(&Games { schema: SCHEMA, games: tesuji_catalog::games() })
}

async fn searches() -> Response {
    #[derive(Serialize)]
    struct Searches {
        schema: u32,
        searches: Vec<SearchEntry>,
        auto: Vec<Meaning>,
    }
    json(&Searches { schema: SCHEMA, searches: tesuji_catalog::searches(), auto: tesuji_catalog::meanings() })
}

/// A refusal with a line of text.
fn refused(status: StatusCode, words: &str) -> Response {
    (status, format!("{words}\n")).into_response()
}

async fn proof(State(house): State<House>, Path(id): Path<String>) -> Response {
    let file = match house.shared.store.find(&id) {
        Ok(file) => file,
        Err(words) => return refused(StatusCode::NOT_FOUND, &words),
    };
    let opened = async {
        let file = File::open(file).await?;
        let length = file.metadata().await?.len();
        io::Result::Ok((file, length))
    };
    let (file, length) = match opened.await {
        Ok(opened) => opened,
        Err(error) => return refused(StatusCode::NOT_FOUND, &format!("the proof cannot be read: {error}")),
    };
    // Piece by piece, as it may be larger than what this server has for searches.
    let pieces = stream::try_unfold(file, |mut file| async move {
        let mut piece = Vec::with_capacity(PIECE);
        let length = (&mut file).take(PIECE as u64).read_to_end(&mut piece).await?;
        io::Result::Ok((length > 0).then_some((piece, file)))
    });
    let head = [
        (CONTENT_TYPE, "application/octet-stream".to_string()),
        (CONTENT_DISPOSITION, "attachment; filename=\"tesuji.proof\"".to_string()),
        (CONTENT_LENGTH, length.to_string()),
    ];
    (head, Body::from_stream(pieces)).into_response()
}

/// The bytes of a file that are sent at a time.
const PIECE: usize = 64 << 10;
/// Files that are sent at the same time, and how long one may take.
const MOST_UPLOADS: usize = 8;
const SENT_WITHIN: Duration = Duration::from_secs(600);

/// Takes a file that is too long for a message, and gives it an ID.
async fn upload(State(house): State<House>, body: Body) -> Response {
    let Shared { store, uploads, caps, .. } = house.shared.as_ref();
    let Ok(_permit) = uploads.try_acquire() else {
        return refused(StatusCode::SERVICE_UNAVAILABLE, &format!("{MOST_UPLOADS} files are being sent; try again"));
    };
    let failed =
        |error: io::Error| refused(StatusCode::INTERNAL_SERVER_ERROR, &format!("the file cannot be kept: {error}"));
    let draft = match store.draw() {
        Ok(draft) => draft,
        Err(error) => return failed(error),
    };
    let received = timeout(SENT_WITHIN, receive(body, draft.file(), caps.upload)).await;
    match received {
        Ok(Ok(true)) => json(&serde_json::json!({ "file": draft.keep() })),
        Ok(Ok(false)) => {
            let words = format!("the file is too large; it takes at most {} bytes", caps.upload);
            refused(StatusCode::PAYLOAD_TOO_LARGE, &words)
        }
        Ok(Err(error)) => failed(error),
        Err(_) => refused(StatusCode::REQUEST_TIMEOUT, &format!("the file did not come within {SENT_WITHIN:?}")),
    }
}

/// Writes what comes to a file; false if it is more than `most` bytes.
async fn receive(body: Body, file: &std::path::Path, most: u64) -> io::Result<bool> {
    let mut file = File::create(file).await?;
    let mut pieces = body.into_data_stream();
    let mut bytes = 0;
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(io::Error::other)?;
        bytes += piece.len() as u64;
        if bytes > most {
            return Ok(false);
        }
        file.write_all(&piece).await?;
    }
    file.flush().await?;
    Ok(true)
}

/// Beyond what is accepted so that a message that is a little too long is answered, and not the end of the table.
const LONGEST_FRAME: usize = 4 * crate::message::LONGEST;

async fn socket(State(house): State<House>, upgrade: WebSocketUpgrade) -> Response {
    let Some(chair) = Chair::take(&house.shared) else {
        let most = house.shared.caps.tables;
        return (StatusCode::SERVICE_UNAVAILABLE, format!("all {most} tables are taken\n")).into_response();
    };
    let House { shared, stopped, .. } = house;
    upgrade
        .max_message_size(LONGEST_FRAME)
        .max_frame_size(LONGEST_FRAME)
        .on_upgrade(move |socket| converse(socket, shared, chair, stopped))
}
