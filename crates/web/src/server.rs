//! The HTTP server: the page, the HTTP API and the WebSocket endpoint.

use crate::caps::{Budget, Caps};
use crate::guard::{COOKIE_NAME, Guard, check_token};
use crate::socket::run_socket;
use crate::store::{FileStore, random_id};
use crate::tcp;
use crate::uploads::{Uploads, upload};
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
use futures_util::stream;
use rust_embed::RustEmbed;
use serde::{Deserialize, Serialize};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tesuji_catalog::{AutoEntry, GameEntry, SCHEMA, SearchEntry};
use tesuji_gtp::Children;
use thiserror::Error;
use tokio::fs::File;
use tokio::io::AsyncReadExt;
use tokio::sync::watch;

/// The default port, if it is free.
const DEFAULT_PORT: u16 = 7878;

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to listen on.
    pub host: IpAddr,
    /// The port. The default is 7878, or any free port if that is taken.
    pub port: Option<u16>,
    /// The access token required to connect. The default is a random one off loopback and if
    /// clients may start programs, otherwise none.
    pub token: Option<String>,
    /// Whether clients may start programs as players (`gtp:`, `usi:`).
    pub programs: bool,
    /// The limits on shared resources.
    pub caps: Caps,
}

impl Default for Settings {
    fn default() -> Settings {
        let host = IpAddr::V4(Ipv4Addr::LOCALHOST);
        Settings { host, port: None, token: None, programs: false, caps: Caps::default() }
    }
}

/// Why a server cannot start or continue.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The token is invalid.
    #[error("{0}")]
    Token(String),
    /// The address is not available.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The cause.
        error: io::Error,
    },
    /// Any other I/O error.
    #[error("the server failed: {0}")]
    Io(#[from] io::Error),
}

/// The state that all connections share.
pub struct Shared {
    pub caps: Caps,
    pub programs: bool,
    pub memory: Arc<Budget>,
    pub threads: Arc<Budget>,
    pub store: FileStore,
    /// The programs that play.
    pub children: Children,
    pub uploads: Uploads,
    connections: AtomicUsize,
}

/// Counts as one connection until it is dropped.
pub struct ConnectionPermit(Arc<Shared>);

impl ConnectionPermit {
    fn acquire(shared: &Arc<Shared>) -> Option<ConnectionPermit> {
        let more = |connections: usize| (connections < shared.caps.connections).then_some(connections + 1);
        shared.connections.fetch_update(Relaxed, Relaxed, more).ok().map(|_| ConnectionPermit(shared.clone()))
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Relaxed);
    }
}

/// The files of the page.
#[derive(RustEmbed)]
#[folder = "assets"]
struct Assets;

/// The state of the request handlers.
#[derive(Clone)]
pub struct AppState {
    pub shared: Arc<Shared>,
    guard: Arc<Guard>,
    shutdown: watch::Receiver<bool>,
}

/// A server that listens but does not serve yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    guard: Guard,
    shared: Arc<Shared>,
}

impl Server {
    /// Opens the port. From then on a browser can connect and waits for [`run`](Self::run).
    pub fn bind(settings: Settings) -> Result<Server, ServeError> {
        let Settings { host, port, token, programs, caps } = settings;
        let loopback = host.is_loopback();
        if let Some(token) = &token {
            check_token(token).map_err(ServeError::Token)?;
        }
        // On loopback every program and user of this machine can connect. That is acceptable only
        // if clients cannot start programs.
        let is_token_required = !loopback || programs;
        let token = if token.is_none() && is_token_required { Some(random_id()?) } else { token };
        let at = |port| SocketAddr::new(host, port);
        let listener = match port {
            Some(port) => TcpListener::bind(at(port)),
            None => TcpListener::bind(at(DEFAULT_PORT)).or_else(|_| TcpListener::bind(at(0))),
        };
        let address = at(port.unwrap_or(DEFAULT_PORT));
        let listener = listener.map_err(|error| ServeError::Listen { address, error })?;
        let address = listener.local_addr()?;
        let shared = Shared {
            programs,
            memory: Budget::new(caps.memory),
            threads: Budget::new(caps.threads),
            store: FileStore::new(&caps)?,
            children: Children::default(),
            uploads: Uploads::default(),
            connections: AtomicUsize::new(0),
            caps,
        };
        Ok(Server { listener, address, guard: Guard { loopback, token }, shared: Arc::new(shared) })
    }

    /// Returns the address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the programs that play, for a caller that exits without dropping the server.
    pub fn children(&self) -> &Children {
        &self.shared.children
    }

    /// Returns the URL for a browser, with the token if one is required.
    pub fn url(&self) -> String {
        let token = self.guard.token.as_ref().map_or(String::new(), |token| format!("?token={token}"));
        format!("http://{}/{token}", self.address)
    }

    /// Serves until `stop` is set. Then all pages are notified, and all searches and programs end.
    pub fn run(self, stop: &AtomicBool) -> Result<(), ServeError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let shared = self.shared.clone();
        let served = runtime.block_on(self.serve(stop));
        runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
        // A search that is still running would keep its files.
        shared.store.clear();
        shared.children.kill_all();
        served
    }

    async fn serve(self, stop: &AtomicBool) -> Result<(), ServeError> {
        self.listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let (notify, shutdown) = watch::channel(false);
        let app = AppState { shared: self.shared.clone(), guard: Arc::new(self.guard), shutdown: shutdown.clone() };
        let serving = tcp::serve(listener, router(app), &self.shared.caps, shutdown);
        let stopping = async {
            while !stop.load(Relaxed) {
                tokio::time::sleep(STOP_POLL).await;
            }
            let _ = notify.send(true);
            // A connection may wait for the reply of a program.
            self.shared.children.kill_all();
            // Connections end when their searches do.
            let start = tokio::time::Instant::now();
            while self.shared.connections.load(Relaxed) > 0 && start.elapsed() < SHUTDOWN_TIMEOUT {
                tokio::time::sleep(STOP_POLL / 10).await;
            }
        };
        tokio::join!(serving, stopping);
        Ok(())
    }
}

/// How often the stop flag is polled, and how long the shutdown may take.
const STOP_POLL: Duration = Duration::from_millis(100);
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(3);

fn router(app: AppState) -> Router {
    Router::new()
        .route("/", get(|| asset("index.html".to_string())))
        .route("/assets/{*path}", get(|Path(path): Path<String>| asset(path)))
        .route("/api/games", get(games))
        .route("/api/searches", get(searches))
        .route("/api/proof/{id}", get(proof))
        .route("/api/file", post(upload))
        .route("/ws", get(socket))
        .fallback(|| async { (StatusCode::NOT_FOUND, "not found\n") })
        .layer(from_fn_with_state(app.clone(), guarded))
        .with_state(app)
}

#[derive(Deserialize)]
struct Token {
    token: Option<String>,
}

/// Refuses unauthorised requests, and stores the token in a cookie.
async fn guarded(State(app): State<AppState>, Query(given): Query<Token>, request: Request, next: Next) -> Response {
    let Token { token } = given;
    if let Err(rejection) = app.guard.check(request.headers(), token.as_deref()) {
        return rejection.into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if app.guard.token.is_some()
        && let Some(token) = token
        && let Ok(cookie) = HeaderValue::from_str(&format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Strict"))
    {
        headers.append(SET_COOKIE, cookie);
    }
    // The page loads nothing from other servers, and its URL, which may contain the token, is not
    // sent as a referrer.
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
        None => (StatusCode::NOT_FOUND, "no such file\n").into_response(),
    }
}

pub fn json(content: &impl Serialize) -> Response {
    match serde_json::to_string(content) {
        Ok(text) => ([(CONTENT_TYPE, "application/json")], text).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}

async fn games() -> Response {
    #[derive(Serialize)]
    struct Games {
        schema: u32,
        games: Vec<GameEntry>,
    }
    json(&Games { schema: SCHEMA, games: tesuji_catalog::games() })
}

async fn searches() -> Response {
    #[derive(Serialize)]
    struct Searches {
        schema: u32,
        searches: Vec<SearchEntry>,
        auto: Vec<AutoEntry>,
    }
    json(&Searches { schema: SCHEMA, searches: tesuji_catalog::searches(), auto: tesuji_catalog::auto_searches() })
}

/// Returns an error response with a line of text.
pub fn error_response(status: StatusCode, message: &str) -> Response {
    (status, format!("{message}\n")).into_response()
}

/// The bytes of a file that are sent at a time.
const CHUNK: usize = 64 << 10;

async fn proof(State(app): State<AppState>, Path(id): Path<String>) -> Response {
    let file = match app.shared.store.find(&id) {
        Ok(file) => file,
        Err(error) => return error_response(StatusCode::NOT_FOUND, &error),
    };
    let opened = async {
        let file = File::open(file).await?;
        let length = file.metadata().await?.len();
        io::Result::Ok((file, length))
    };
    let (file, length) = match opened.await {
        Ok(opened) => opened,
        Err(error) => return error_response(StatusCode::NOT_FOUND, &format!("cannot read the proof: {error}")),
    };
    // In chunks, as the file may not fit into memory.
    let chunks = stream::try_unfold(file, |mut file| async move {
        let mut chunk = Vec::with_capacity(CHUNK);
        let length = (&mut file).take(CHUNK as u64).read_to_end(&mut chunk).await?;
        io::Result::Ok((length > 0).then_some((chunk, file)))
    });
    let head = [
        (CONTENT_TYPE, "application/octet-stream".to_string()),
        (CONTENT_DISPOSITION, "attachment; filename=\"tesuji.proof\"".to_string()),
        (CONTENT_LENGTH, length.to_string()),
    ];
    (head, Body::from_stream(chunks)).into_response()
}

/// The longest WebSocket frame. It exceeds the longest accepted message, so that a message slightly
/// too long gets an error response instead of ending the connection.
const MAX_FRAME_BYTES: usize = 4 * crate::message::MAX_MESSAGE_BYTES;

async fn socket(State(app): State<AppState>, upgrade: WebSocketUpgrade) -> Response {
    let Some(permit) = ConnectionPermit::acquire(&app.shared) else {
        let message = format!("all {} connections are in use", app.shared.caps.connections);
        return error_response(StatusCode::SERVICE_UNAVAILABLE, &message);
    };
    let AppState { shared, shutdown, .. } = app;
    upgrade
        .max_message_size(MAX_FRAME_BYTES)
        .max_frame_size(MAX_FRAME_BYTES)
        .on_upgrade(move |socket| run_socket(socket, shared, permit, shutdown))
}
