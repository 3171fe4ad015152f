//! The address of an endpoint: https, or http to this very machine.

use std::net::IpAddr;

/// Why an address is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// Not an address with a host.
    #[error("this is no address of an endpoint; write https://HOST/v1")]
    NotAnAddress,
    /// A name and password in it.
    #[error("the address holds a user name or password; name an environment variable in `api_key_env` instead")]
    Credentials,
    /// A port that none is.
    #[error("the address names the port {0}; a port is a number from 1 to 65535")]
    Port(String),
    /// Something behind the path.
    #[error("the address holds a query or a fragment; end it with the path, for example /v1")]
    Query,
    /// Plain http to a machine that is not this one.
    #[error("plain http to {0} would send the key and the texts in the clear; use https, or http to this machine only")]
    Plain(String),
}

/// Checks that an address is https, or http to this very machine.
///
/// # Errors
/// [`UrlError`].
pub fn check_url(url: &str) -> Result<(), UrlError> {
    if url.contains('#') || url.contains('?') {
        return Err(UrlError::Query);
    }
    let uri: ureq::http::Uri = url.parse().map_err(|_| UrlError::NotAnAddress)?;
    let authority = uri.authority().ok_or(UrlError::NotAnAddress)?;
    if authority.as_str().contains('@') {
        return Err(UrlError::Credentials);
    }
    let host = authority.host();
    let port = authority.as_str().strip_prefix(host).and_then(|rest| rest.strip_prefix(':'));
    if let Some(port) = port.filter(|port| !port.parse().is_ok_and(|port: u16| port > 0)) {
        return Err(UrlError::Port(port.to_owned()));
    }
    match uri.scheme_str() {
        Some("https") if !host.is_empty() => Ok(()),
        Some("http") if is_loopback(host) => Ok(()),
        Some("http") => Err(UrlError::Plain(host.to_owned())),
        _ => Err(UrlError::NotAnAddress),
    }
}

fn is_loopback(host: &str) -> bool {
    let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host);
    host.eq_ignore_ascii_case("localhost") || bare.parse().is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_http_reaches_this_machine_only() {
        for sound in [
            "http://127.0.0.1:8080/v1",
            "http://127.9.9.9/v1",
            "http://localhost:1/v1",
            "http://[::1]:80/v1",
            "https://api.example.org/v1",
            "https://10.0.0.1",
        ] {
            assert_eq!(check_url(sound), Ok(()), "{sound}");
        }
        for (url, host) in [
            ("http://example.org/v1", "example.org"),
            ("http://127.0.0.1.example.org/v1", "127.0.0.1.example.org"),
            ("http://localhost.example.org/v1", "localhost.example.org"),
            ("http://10.0.0.1/v1", "10.0.0.1"),
            ("http://0.0.0.0/v1", "0.0.0.0"),
        ] {
            assert_eq!(check_url(url), Err(UrlError::Plain(host.to_owned())));
        }
        assert_eq!(check_url("http://127.0.0.1@example.org/v1"), Err(UrlError::Credentials));
        assert_eq!(check_url("https://user:password@example.org/v1"), Err(UrlError::Credentials));
        assert_eq!(check_url("https://example.org/v1?key=1"), Err(UrlError::Query));
        for port in ["99999", "65536", "0", "", "99999999999999999999"] {
            for host in ["127.0.0.1", "[::1]", "localhost"] {
                let told = check_url(&format!("http://{host}:{port}/v1"));
                assert!(matches!(told, Err(UrlError::Port(_) | UrlError::NotAnAddress)), "{host} {port}: {told:?}");
            }
        }
        assert_eq!(check_url("https://example.org:70000"), Err(UrlError::Port("70000".to_owned())));
        for wrong in ["", "example.org", "/v1", "ftp://127.0.0.1/v1", "file:///etc/passwd", "unix:/run/x"] {
            assert_eq!(check_url(wrong), Err(UrlError::NotAnAddress), "{wrong}");
        }
    }
}
