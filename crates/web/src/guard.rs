//! Access control by host name, origin and token.
//!
//! Any page in a browser can send requests to this machine. On loopback the header `Host` must
//! name loopback, so that a foreign page cannot use a domain that resolves here (DNS rebinding),
//! and an `Origin` must be this server. On other addresses every request needs the token.

use axum::http::header::{COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use std::net::IpAddr;

/// The name of the cookie that holds the token.
pub const COOKIE_NAME: &str = "tesuji_token";

/// The access rules of a server.
pub struct Guard {
    pub loopback: bool,
    pub token: Option<String>,
}

/// The response to a refused request.
pub type Rejection = (StatusCode, &'static str);

impl Guard {
    /// Checks a request; `given` is the token in its URL.
    pub fn check(&self, headers: &HeaderMap, given: Option<&str>) -> Result<(), Rejection> {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let host = text(HOST).unwrap_or_default();
        if self.loopback && !is_loopback(host) {
            return Err((StatusCode::FORBIDDEN, "use localhost, 127.0.0.1 or [::1] to reach this server\n"));
        }
        if let Some(origin) = headers.get(ORIGIN) {
            let origin = origin.to_str().unwrap_or_default();
            let own = ["http://", "https://"].iter().any(|scheme| origin.strip_prefix(scheme) == Some(host));
            if !own {
                return Err((StatusCode::FORBIDDEN, "requests from pages of other servers are refused\n"));
            }
        }
        let Some(token) = &self.token else { return Ok(()) };
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let cookies = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let stored = cookies.filter(|(name, _)| *name == COOKIE_NAME).map(|(_, value)| value);
        if given.into_iter().chain(stored).any(|candidate| equal_in_constant_time(candidate, token)) {
            Ok(())
        } else {
            Err((StatusCode::UNAUTHORIZED, "access token required: open the address that the server printed\n"))
        }
    }
}

/// Returns whether a `Host` header names loopback, on any port, so that tunnels work.
fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.chars().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// Compares without leaking through timing how many bytes match.
fn equal_in_constant_time(given: &str, token: &str) -> bool {
    let differences = given.bytes().zip(token.bytes()).fold(0, |all, (one, other)| all | (one ^ other));
    given.len() == token.len() && differences == 0
}

/// Checks that a token is long enough and fits into a URL and a cookie.
pub fn check_token(token: &str) -> Result<(), String> {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if (8..=128).contains(&token.len()) && token.chars().all(fits) {
        Ok(())
    } else {
        Err(format!("{token:?} is not a valid token; expected 8 to 128 letters, digits, - and _"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(axum::http::HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect()
    }

    #[test]
    fn on_loopback_only_loopback_hosts_and_own_pages_are_admitted() {
        let guard = Guard { loopback: true, token: None };
        let status = |pairs: &[_]| guard.check(&headers(pairs), None).map_err(|(status, _)| status.as_u16());
        assert_eq!(status(&[(HOST, "localhost:7878")]), Ok(()));
        assert_eq!(status(&[(HOST, "127.0.0.1")]), Ok(()));
        assert_eq!(status(&[(HOST, "[::1]:80")]), Ok(()));
        assert_eq!(status(&[(HOST, "127.0.0.2:80")]), Ok(()));
        assert_eq!(status(&[(HOST, "10.0.0.1:80")]), Err(403));
        assert_eq!(status(&[(HOST, "localhost:1"), (ORIGIN, "http://localhost:1")]), Ok(()));
        assert_eq!(status(&[(HOST, "localhost:1"), (ORIGIN, "http://localhost:2")]), Err(403));
        assert_eq!(status(&[(HOST, "localhost:1"), (ORIGIN, "http://evil.example")]), Err(403));
        assert_eq!(status(&[(HOST, "localhost:1"), (ORIGIN, "null")]), Err(403));
        assert_eq!(status(&[(HOST, "evil.example:7878"), (ORIGIN, "http://evil.example:7878")]), Err(403));
        assert_eq!(status(&[(HOST, "localhost.evil.example")]), Err(403));
        assert_eq!(status(&[]), Err(403));
    }

    #[test]
    fn on_other_addresses_the_token_is_required() {
        let guard = Guard { loopback: false, token: Some("abcdefgh".to_string()) };
        let host = (HOST, "board.example");
        let status = |pairs: &[_], given| guard.check(&headers(pairs), given).map_err(|(status, _)| status.as_u16());
        assert_eq!(status(std::slice::from_ref(&host), None), Err(401));
        assert_eq!(status(std::slice::from_ref(&host), Some("abcdefgx")), Err(401));
        assert_eq!(status(std::slice::from_ref(&host), Some("abcdefghi")), Err(401));
        assert_eq!(status(std::slice::from_ref(&host), Some("abcdefgh")), Ok(()));
        assert_eq!(status(&[host.clone(), (COOKIE, "a=b; tesuji_token=abcdefgh")], None), Ok(()));
        assert_eq!(status(&[host.clone(), (COOKIE, "tesuji_token=; x=abcdefgh")], None), Err(401));
        assert_eq!(status(&[host, (ORIGIN, "http://other.example")], Some("abcdefgh")), Err(403));
    }

    #[test]
    fn invalid_tokens_are_refused() {
        assert!(check_token("A-long_one1").is_ok());
        for wrong in ["short", "with space", "semi;colon", "amper&sand"] {
            assert!(check_token(wrong).unwrap_err().contains("8 to 128"), "{wrong}");
        }
    }
}
