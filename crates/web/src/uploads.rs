//! Uploads of files that are too long for a message. Their number is bounded; a slow one gives its
//! place to the next, so that slow uploads do not block others.

use crate::caps::Caps;
use crate::server::{AppState, Shared, error_response, json};
use crate::tcp::ClientAddress;
use axum::body::Body;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::Response;
use futures_util::StreamExt;
use std::io;
use std::net::IpAddr;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::fs::File;
use tokio::io::AsyncWriteExt;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

/// How often an upload that waits tries again.
const WAIT_POLL: Duration = Duration::from_millis(50);

/// The uploads in progress.
#[derive(Default)]
pub struct Uploads(Mutex<Vec<Arc<Upload>>>);

/// An upload in progress.
struct Upload {
    address: IpAddr,
    start: Instant,
    bytes: AtomicU64,
    /// Notified when another upload takes its place.
    replaced: Notify,
}

impl Upload {
    /// Returns the bytes per second if the upload is slow enough to be replaced.
    fn slow_rate(&self, now: Instant, caps: &Caps) -> Option<u64> {
        let time = now.saturating_duration_since(self.start);
        let rate = (self.bytes.load(Relaxed) as f64 / time.as_secs_f64()) as u64;
        (time >= caps.upload_grace && rate < caps.upload_rate).then_some(rate)
    }
}

/// The place of an upload, free again on drop.
struct UploadPlace<'u> {
    uploads: &'u Uploads,
    upload: Arc<Upload>,
}

impl Uploads {
    /// Waits until an upload gets a place; an error if it waits too long.
    async fn wait_for_place(&self, address: IpAddr, caps: &Caps) -> Result<UploadPlace<'_>, String> {
        let start = Instant::now();
        loop {
            let now = Instant::now();
            match self.admit(address, caps, now) {
                Err(_) if now.saturating_duration_since(start) < caps.upload_wait => sleep(WAIT_POLL).await,
                admitted => return admitted,
            }
        }
    }

    /// Gives a place to an upload. If all are taken, the slowest upload loses its place; an error
    /// if none is slow.
    fn admit(&self, address: IpAddr, caps: &Caps, now: Instant) -> Result<UploadPlace<'_>, String> {
        let mut uploads = self.lock();
        let own = uploads.iter().filter(|upload| upload.address == address).count();
        let is_own_full = own >= caps.uploads_each;
        if is_own_full || uploads.len() >= caps.uploads {
            let candidates = uploads.iter().enumerate().filter(|(_, upload)| !is_own_full || upload.address == address);
            let slow = candidates.filter_map(|(at, upload)| Some((upload.slow_rate(now, caps)?, at)));
            let (_, at) = slow.min().ok_or_else(|| {
                let place = if is_own_full { " from this address" } else { "" };
                let count = if is_own_full { own } else { uploads.len() };
                format!("{count} uploads{place} are in progress; try again later")
            })?;
            uploads.remove(at).replaced.notify_one();
        }
        let upload = Upload { address, start: now, bytes: AtomicU64::new(0), replaced: Notify::new() };
        let upload = Arc::new(upload);
        uploads.push(upload.clone());
        Ok(UploadPlace { uploads: self, upload })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Upload>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for UploadPlace<'_> {
    fn drop(&mut self) {
        self.uploads.lock().retain(|upload| !Arc::ptr_eq(upload, &self.upload));
    }
}

/// Stores an uploaded file and returns its ID.
pub async fn upload(
    State(app): State<AppState>,
    Extension(ClientAddress(address)): Extension<ClientAddress>,
    body: Body,
) -> Response {
    let Shared { store, uploads, caps, .. } = app.shared.as_ref();
    let place = match uploads.wait_for_place(address, caps).await {
        Ok(place) => place,
        Err(message) => return error_response(StatusCode::SERVICE_UNAVAILABLE, &message),
    };
    let failed = |error: io::Error| {
        error_response(StatusCode::INTERNAL_SERVER_ERROR, &format!("cannot store the file: {error}"))
    };
    let file = match store.create() {
        Ok(file) => file,
        Err(error) => return failed(error),
    };
    let receiving = timeout(caps.upload_time, receive(body, file.path(), caps.upload, &place.upload.bytes));
    let received = tokio::select! {
        received = receiving => received,
        () = place.upload.replaced.notified() => {
            let message = format!("the upload is slower than {} bytes per second while others wait", caps.upload_rate);
            return error_response(StatusCode::REQUEST_TIMEOUT, &message);
        }
    };
    match received {
        Ok(Ok(true)) => json(&serde_json::json!({ "file": file.keep() })),
        Ok(Ok(false)) => {
            let message = format!("the file is too large; at most {} bytes are accepted", caps.upload);
            error_response(StatusCode::PAYLOAD_TOO_LARGE, &message)
        }
        Ok(Err(error)) => failed(error),
        Err(_) => {
            let message = format!("the upload took longer than {:?}", caps.upload_time);
            error_response(StatusCode::REQUEST_TIMEOUT, &message)
        }
    }
}

/// Writes a request body to a file and counts its bytes; false if it has more than `max`.
async fn receive(body: Body, path: &Path, max: u64, bytes: &AtomicU64) -> io::Result<bool> {
    let mut file = File::create(path).await?;
    let mut chunks = body.into_data_stream();
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(io::Error::other)?;
        let length = chunk.len() as u64;
        if bytes.fetch_add(length, Relaxed) + length > max {
            return Ok(false);
        }
        file.write_all(&chunk).await?;
    }
    file.flush().await?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn caps() -> Caps {
        Caps { uploads: 3, uploads_each: 2, upload_rate: 100, upload_grace: 5 * SECOND, ..Caps::default() }
    }

    fn address(last: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, last])
    }

    #[test]
    fn the_slowest_upload_gives_its_place_to_the_next() {
        let (uploads, caps, now) = (Uploads::default(), caps(), Instant::now());
        let places: Vec<UploadPlace<'_>> =
            (1..=3).map(|last| uploads.admit(address(last), &caps, now).unwrap()).collect();
        for (place, bytes) in places.iter().zip([499, 100, 5000]) {
            place.upload.bytes.store(bytes, Relaxed);
        }
        assert!(
            uploads.admit(address(4), &caps, now + 4 * SECOND).err().unwrap().contains("3 uploads are in progress")
        );
        let fourth = uploads.admit(address(4), &caps, now + 5 * SECOND).unwrap();
        let left = || uploads.lock().iter().map(|upload| upload.address).collect::<Vec<_>>();
        assert_eq!(left(), [address(1), address(3), address(4)]);
        let _fifth = uploads.admit(address(5), &caps, now + 5 * SECOND).unwrap();
        assert_eq!(left(), [address(3), address(4), address(5)]);
        assert!(uploads.admit(address(6), &caps, now + 5 * SECOND).is_err(), "all others are fast or new");
        drop(fourth);
        assert!(uploads.admit(address(6), &caps, now + 5 * SECOND).is_ok());
    }

    #[test]
    fn one_address_does_not_take_all_places() {
        let (uploads, caps, now) = (Uploads::default(), caps(), Instant::now());
        let _places = [uploads.admit(address(1), &caps, now).unwrap(), uploads.admit(address(1), &caps, now).unwrap()];
        let error = uploads.admit(address(1), &caps, now).err().unwrap();
        assert!(error.contains("2 uploads from this address"), "{error}");
        let _other = uploads.admit(address(2), &caps, now).unwrap();
        let _again = uploads.admit(address(1), &caps, now + 5 * SECOND).unwrap();
        let left: Vec<IpAddr> = uploads.lock().iter().map(|upload| upload.address).collect();
        assert_eq!(left, [address(1), address(2), address(1)], "it replaces an upload of its own");
    }
}
