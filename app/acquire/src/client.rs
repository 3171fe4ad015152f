//! The only place that speaks to a network: one blocking POST at a time, without redirects, without retries, and with
//! nothing kept of it but what the log may hold.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ureq::Agent;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

use crate::address::{UrlError, check_url};
use crate::coding::Coding;
pub use crate::failure::Failure;
use crate::plan::Endpoint;
use crate::refusal;
use crate::secret::Secret;

/// Most bytes of an answer: twenty labels take a few kilobytes, and a line of the log, where every byte may be escaped to
/// six, must stay a document that is read.
pub const BODY_BYTES: u64 = 8 << 20;
/// The headers that a record keeps; all others are dropped, whatever they hold.
pub const HEADERS: [&str; 13] = [
    "content-encoding",
    "content-type",
    "date",
    "openai-processing-ms",
    "openai-version",
    "retry-after",
    "server",
    "x-ratelimit-limit-requests",
    "x-ratelimit-limit-tokens",
    "x-ratelimit-remaining-requests",
    "x-ratelimit-remaining-tokens",
    "x-ratelimit-reset-requests",
    "x-request-id",
];

/// What came of one attempt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reply {
    /// The status, if one came.
    pub status: Option<u16>,
    /// The headers that are kept, in the order of [`HEADERS`].
    pub headers: Vec<(String, String)>,
    /// The exact body, unpacked, if it came whole.
    pub body: Option<Vec<u8>>,
    /// What broke, if something did.
    pub error: Option<Failure>,
    /// Whether the body or an error held the key, which then was taken out.
    pub is_redacted: bool,
    /// How long it took.
    pub elapsed: Duration,
}

impl Reply {
    /// A header that was kept.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
}

/// Why there is no client.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// The address is refused.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// Nobody to trust.
    #[error(
        "no certificate authority was found on this machine, so https has nobody to trust: {0}. Install ca-certificates"
    )]
    NoRoots(String),
}

/// A client of one endpoint.
pub struct Client {
    agent: Agent,
    url: String,
    key: Option<Secret>,
}

impl Client {
    /// A client. `url` stands in for the plan's address if given; the key goes nowhere else.
    ///
    /// # Errors
    /// [`ClientError`].
    pub fn new(endpoint: &Endpoint, url: Option<&str>, key: Option<Secret>) -> Result<Self, ClientError> {
        let base = url.unwrap_or(&endpoint.url).trim_end_matches('/');
        check_url(base)?;
        let mut config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(endpoint.timeout_s)))
            .max_redirects(0)
            .user_agent(concat!("decidendi/", env!("CARGO_PKG_VERSION")))
            .accept("application/json")
            .accept_encoding("identity");
        if base.starts_with("https:") {
            config = config.tls_config(tls()?);
        } else {
            // What is said to this machine goes through no proxy.
            config = config.proxy(None);
        }
        Ok(Self { agent: config.build().new_agent(), url: format!("{base}/chat/completions"), key })
    }

    /// The address that is asked.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Sends one request and waits for all of its answer. Never fails: what went wrong is part of the reply.
    #[must_use]
    pub fn post(&self, body: &[u8]) -> Reply {
        let started = Instant::now();
        let mut reply = Reply::default();
        let mut request = self.agent.post(&self.url).header("content-type", "application/json");
        if let Some(key) = &self.key {
            request = request.header("authorization", key.bearer().as_str());
        }
        match request.send(body) {
            Err(error) => reply.error = Some(Failure::of(&error)),
            Ok(response) => {
                reply.status = Some(response.status().as_u16());
                let kept = |name: &&str| {
                    let value = response.headers().get(*name)?.to_str().ok()?;
                    Some(((*name).to_owned(), value.to_owned()))
                };
                reply.headers = HEADERS.iter().filter_map(kept).collect();
                let coding = Coding::of(response.headers());
                let body = response.into_body().into_with_config().limit(BODY_BYTES).read_to_vec();
                // What cannot be unpacked cannot be searched for the key, so it is not kept.
                match body.map_err(|error| Failure::of(&error)).and_then(|body| coding.unpack(body, BODY_BYTES)) {
                    Ok(body) => reply.body = Some(body),
                    Err(failure) => reply.error = Some(failure),
                }
            }
        }
        if let (Some(200), Some(body)) = (reply.status, &reply.body) {
            reply.error = refusal::failure(body);
        }
        reply.elapsed = started.elapsed();
        self.redact(&mut reply);
        reply
    }

    fn redact(&self, reply: &mut Reply) {
        let Some(key) = &self.key else { return };
        let mut found = reply.body.as_mut().is_some_and(|body| key.redact_bytes(body));
        for (_, value) in &mut reply.headers {
            found |= key.redact(value);
        }
        if let Some(failure) = &mut reply.error {
            found |= key.redact(&mut failure.text);
        }
        reply.is_redacted = found;
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("url", &self.url).field("key", &self.key).finish_non_exhaustive()
    }
}

/// The system decides whom to trust.
fn tls() -> Result<TlsConfig, ClientError> {
    let found = rustls_native_certs::load_native_certs();
    if found.certs.is_empty() {
        let why: Vec<String> = found.errors.iter().map(ToString::to_string).collect();
        return Err(ClientError::NoRoots(why.join("; ")));
    }
    let roots: Vec<Certificate<'static>> =
        found.certs.iter().map(|cert| Certificate::from_der(cert.as_ref()).to_owned()).collect();
    Ok(TlsConfig::builder()
        .root_certs(RootCerts::Specific(Arc::new(roots)))
        .unversioned_rustls_crypto_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .build())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server of ours that answers the greeting with a certificate which nobody signed but itself.
    fn self_signed() -> std::net::SocketAddr {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let vectors = |name: &str| {
            let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/tls");
            std::fs::read(folder.join(name)).unwrap()
        };
        let key = rustls::pki_types::PrivatePkcs8KeyDer::from(vectors("self-signed.key.der"));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![vectors("self-signed.der").into()], key.into())
            .unwrap();
        let config = Arc::new(config);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut greeting = rustls::ServerConnection::new(Arc::clone(&config)).unwrap();
                // The client breaks off: that is what is tested.
                let _ = greeting.complete_io(&mut stream.unwrap());
            }
        });
        address
    }

    #[test]
    fn a_certificate_that_nobody_signed_ends_a_run_at_the_first_attempt() {
        let url = format!("https://127.0.0.1:{}/v1", self_signed().port());
        let plan = crate::plan::tests::example();
        let reply = Client::new(&plan.endpoint, Some(&url), None).unwrap().post(b"{}");
        let failure = reply.error.clone().unwrap();
        assert!(!failure.is_temporary, "{failure:?}");
        let told = "the server's certificate is not accepted: nobody whom this machine trusts has signed it. If \
                    the server is yours or behind a proxy that inspects, add its authority to the system's; else see that the \
                    address is right";
        assert_eq!(failure.text, told);
        let next = crate::retry::next(&reply, 1, &decidendi_core::seal::digest::Digest([0; 32]), Duration::ZERO);
        assert_eq!(next, crate::retry::Next::Refused);
    }

    #[test]
    fn https_trusts_what_the_system_trusts() {
        assert!(
            tls().is_ok_and(|config| matches!(config.root_certs(), RootCerts::Specific(roots) if !roots.is_empty()))
        );
    }
}
