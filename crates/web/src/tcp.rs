//! Accepts TCP connections and serves HTTP on them. Their number is bounded, and a client that
//! sends nothing, sends its headers slowly or does not read its response is disconnected.

use crate::caps::Caps;
use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::cmp::Reverse;
use std::io::{self, IoSlice};
use std::net::IpAddr;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// The pause after a failed `accept`: the process may have too many open files.
const ACCEPT_RETRY: Duration = Duration::from_millis(100);
/// How long requests in progress may take when the server shuts down.
const FINISH_TIMEOUT: Duration = Duration::from_millis(100);
/// The buffer of a connection, which bounds the length of headers. The page needs less than 2 KiB.
const BUFFER_BYTES: usize = 64 << 10;

/// The address of a client, an extension of every request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClientAddress(pub IpAddr);

/// A TCP connection as its stream and the accept loop see it.
struct Peer {
    address: IpAddr,
    /// Whether it has sent a complete request.
    has_requested: AtomicBool,
    /// When a byte was last received or sent.
    last_activity: Mutex<Instant>,
}

impl Peer {
    fn new(address: IpAddr) -> Arc<Peer> {
        Arc::new(Peer { address, has_requested: AtomicBool::new(false), last_activity: Mutex::new(Instant::now()) })
    }

    fn touch(&self) {
        *self.last_activity.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    fn last_activity(&self) -> Instant {
        *self.last_activity.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Serves until the server shuts down.
pub async fn serve(listener: TcpListener, router: Router, caps: &Caps, mut shutdown: watch::Receiver<bool>) {
    let mut open = OpenConnections::default();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = shut_down(&mut shutdown) => break,
        };
        let Ok((stream, address)) = accepted else {
            sleep(ACCEPT_RETRY).await;
            continue;
        };
        if !open.make_room(caps.tcp_connections).await {
            continue;
        }
        // Messages are short and come in pairs, a response and a state; without TCP_NODELAY the
        // second waits until the first is acknowledged.
        let _ = stream.set_nodelay(true);
        let peer = Peer::new(address.ip());
        let stream = PeerStream { stream, peer: peer.clone() };
        let (headers, stalled) = (caps.headers, caps.stalled);
        let task = tokio::spawn(serve_peer(stream, router.clone(), headers, stalled, shutdown.clone()));
        open.0.push((peer, task));
    }
    drop(listener);
    let finish = async {
        for (_, task) in open.0 {
            // An error means that the connection was aborted.
            let _ = task.await;
        }
    };
    let _ = timeout(FINISH_TIMEOUT, finish).await;
}

/// Waits until the server shuts down.
pub async fn shut_down(shutdown: &mut watch::Receiver<bool>) {
    // An error means that the server is gone, which is a shutdown as well.
    let _ = shutdown.wait_for(|shutdown| *shutdown).await;
}

/// The open connections. A stream holds the second reference to its peer, so a peer with one
/// reference is closed. A finished task with an open stream has handed it to a WebSocket.
#[derive(Default)]
struct OpenConnections(Vec<(Arc<Peer>, JoinHandle<()>)>);

impl OpenConnections {
    /// Closes a connection if `max` are open; false if all of them are WebSockets.
    async fn make_room(&mut self, max: usize) -> bool {
        self.0.retain(|(peer, _)| Arc::strong_count(peer) > 1);
        if self.0.len() < max {
            return true;
        }
        let Some(at) = self.least_useful() else { return false };
        let (_, task) = self.0.swap_remove(at);
        task.abort();
        // The stream is closed when the task has ended, which keeps the number of files bounded.
        let _ = task.await;
        true
    }

    /// Returns the connection to close: of the address with the most connections, one without a
    /// request if possible, and the one that has been idle the longest. So clients that send
    /// requests stay connected while others open connections and send nothing.
    fn least_useful(&self) -> Option<usize> {
        let http = || self.0.iter().enumerate().filter(|(_, (_, task))| !task.is_finished());
        let count = |address| http().filter(|(_, (peer, _))| peer.address == address).count();
        let key = |peer: &Peer| (Reverse(count(peer.address)), peer.has_requested.load(Relaxed), peer.last_activity());
        http().min_by_key(|(_, (peer, _))| key(peer)).map(|(at, _)| at)
    }
}

/// Serves the requests of a connection until it is closed or upgraded to a WebSocket.
async fn serve_peer(
    stream: PeerStream,
    router: Router,
    headers: Duration,
    stalled: Duration,
    mut shutdown: watch::Receiver<bool>,
) {
    let peer = Arc::downgrade(&stream.peer);
    let address = ClientAddress(stream.peer.address);
    let requesting = peer.clone();
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        if let Some(peer) = requesting.upgrade() {
            peer.has_requested.store(true, Relaxed);
        }
        request.extensions_mut().insert(address);
        router.call(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(headers).max_buf_size(BUFFER_BYTES);
    let mut connection = pin!(http.serve_connection(TokioIo::new(stream), service).with_upgrades());
    let mut is_shutting_down = false;
    loop {
        let Some(last_activity) = peer.upgrade().map(|peer| peer.last_activity()) else { return };
        tokio::select! {
            // An error means that the client sent no valid request, was too slow, or is gone.
            _ = connection.as_mut() => return,
            () = sleep_until(last_activity + stalled) => {
                if peer.upgrade().is_none_or(|peer| peer.last_activity() == last_activity) {
                    return;
                }
            }
            () = shut_down(&mut shutdown), if !is_shutting_down => {
                is_shutting_down = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}

/// A TCP stream that records when its client was last active.
struct PeerStream {
    stream: TcpStream,
    peer: Arc<Peer>,
}

impl PeerStream {
    /// Records the activity of a write of at least one byte.
    fn written(&self, polled: &Poll<io::Result<usize>>) {
        if matches!(polled, Poll::Ready(Ok(1..))) {
            self.peer.touch();
        }
    }
}

impl AsyncRead for PeerStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(context, buffer);
        if buffer.filled().len() > before {
            self.peer.touch();
        }
        polled
    }
}

impl AsyncWrite for PeerStream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(&polled);
        polled
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.written(&polled);
        polled
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
