//! What broke on the way, in words that say what to do, and whether it may be whole next time. Each kind of transport
//! fault is decided here once: what the settings of a machine, an address or a certificate decide comes out the same
//! again, and asking again would only hide it.

use std::io::ErrorKind;

use rustls::{AlertDescription, CertificateError, Error as Tls, InvalidMessage};
use ureq::Error as Transport;

/// Something that broke on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What, in words.
    pub text: String,
    /// Whether it may be gone next time.
    pub is_temporary: bool,
    /// Whether something came whole, and no answer of a model.
    pub is_foreign: bool,
}

impl Failure {
    fn passing(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_temporary: true, is_foreign: false }
    }

    fn lasting(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_temporary: false, is_foreign: false }
    }

    /// What came whole and is no answer of a model.
    pub(crate) fn foreign(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_temporary: true, is_foreign: true }
    }

    /// An answer beyond the bound.
    pub(crate) fn too_large(most: u64) -> Self {
        Self::lasting(format!(
            "the answer is larger than {most} bytes; see that the address is that of a chat endpoint"
        ))
    }

    /// Decides a transport's fault.
    #[must_use]
    pub fn of(error: &Transport) -> Self {
        match error {
            Transport::Io(error) => Self::of_io(error),
            Transport::Rustls(error) => Self::of_tls(error),
            Transport::HostNotFound => {
                Self::passing("the name of the host is not known; check its spelling and the network")
            }
            Transport::ConnectProxyFailed(said) => Self::of_proxy(said),
            Transport::BodyExceedsLimit(most) => Self::too_large(*most),
            // Late, cut off, or garbled on the way.
            Transport::Timeout(_) => Self::passing("no whole answer came within the plan's timeout_s"),
            Transport::ConnectionFailed => Self::passing("no connection could be made"),
            Transport::BodyStalled => Self::passing("the answer was cut off"),
            Transport::Protocol(_) => Self::passing(format!("what came is not sound HTTP ({error})")),
            // The rest is about what is asked and how: it is the same next time.
            other => Self::lasting(other.to_string()),
        }
    }

    fn of_io(error: &std::io::Error) -> Self {
        if let Some(tls) = error.get_ref().and_then(|inner| inner.downcast_ref::<Tls>()) {
            return Self::of_tls(tls);
        }
        match error.kind() {
            ErrorKind::ConnectionRefused => Self::passing("connection refused: no server listens at this address"),
            ErrorKind::PermissionDenied => Self::lasting(format!(
                "{error}: this machine does not let the program open a connection; allow it, or correct the address"
            )),
            ErrorKind::InvalidInput | ErrorKind::AddrNotAvailable | ErrorKind::Unsupported => {
                Self::lasting(format!("{error}: no connection can be made to such an address; correct it"))
            }
            _ => Self::passing(error.to_string()),
        }
    }

    fn of_tls(error: &Tls) -> Self {
        match error {
            Tls::InvalidMessage(InvalidMessage::InvalidContentType) => Self::lasting(
                "the port does not speak https; correct the port, or write http:// for a server on this machine",
            ),
            Tls::InvalidCertificate(why) => {
                Self::lasting(format!("the server's certificate is not accepted: {}", remedy(why)))
            }
            Tls::NoCertificatesPresented => {
                Self::lasting("the server shows no certificate; correct the address, or ask its operator")
            }
            Tls::PeerIncompatible(_) | Tls::NoApplicationProtocol => Self::lasting(
                "server and program share no way to speak https (TLS 1.2 and 1.3 are spoken); correct the address, or ask the \
                 operator",
            ),
            Tls::AlertReceived(
                AlertDescription::InternalError | AlertDescription::CloseNotify | AlertDescription::UserCanceled,
            ) => Self::passing("the server broke off what it had begun to say in https"),
            Tls::AlertReceived(_) => Self::lasting(
                "the server breaks off the greeting of https; correct the host in the address, or ask its operator",
            ),
            Tls::FailedToGetCurrentTime => {
                Self::lasting("the time is not known, so no certificate can be checked: set this machine's clock")
            }
            Tls::InvalidMessage(_) | Tls::DecryptError | Tls::HandshakeNotComplete | Tls::PeerSentOversizedRecord => {
                Self::passing("what came in https was garbled or cut off on the way")
            }
            Tls::General(said) => Self::lasting(format!("https cannot be spoken with this server: {said}")),
            _ => Self::lasting("https cannot be spoken with this server; correct the address, or ask its operator"),
        }
    }

    /// `said` holds the proxy's status, if one came.
    fn of_proxy(said: &str) -> Self {
        let status: Option<u16> = said.split(|c: char| !c.is_ascii_digit()).find_map(|word| word.parse().ok());
        match status {
            Some(status) if status < 500 && status != 408 && status != 429 => {
                Self::lasting(format!("{said}: correct the proxy in HTTPS_PROXY, or its user name and password"))
            }
            _ => Self::passing(format!("{said}: see that the proxy in HTTPS_PROXY runs")),
        }
    }
}

/// What to do about a certificate.
const fn remedy(why: &CertificateError) -> &'static str {
    match why {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "it has expired: see that this machine's clock is right; if it is, the server's operator has to renew it"
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "it is not valid yet: see that this machine's clock is right; if it is, the server's operator has to renew it"
        }
        CertificateError::UnknownIssuer => {
            "nobody whom this machine trusts has signed it. If the server is yours or behind a proxy that inspects, add its \
             authority to the system's; else see that the address is right"
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "it is made out to another name: correct the host in the address"
        }
        CertificateError::Revoked => "it was revoked: do not send a key there; ask the server's operator",
        // Such as an authority's own certificate, which is no server's.
        _ => {
            "it is none that a server may show. See that the address is right. If the server is yours, give it a certificate of its own (CA:FALSE) from an \
             authority that this machine trusts; else ask its operator"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Error as Io;

    fn io(kind: ErrorKind) -> Transport {
        Transport::Io(Io::new(kind, "as the system says"))
    }

    /// As the transport hands it on from a greeting that failed.
    fn wrapped(error: Tls) -> Transport {
        Transport::Io(Io::new(ErrorKind::InvalidData, error))
    }

    #[test]
    fn each_kind_of_fault_is_asked_again_or_not() {
        let passing = [
            (io(ErrorKind::ConnectionRefused), "connection refused: no server listens at this address"),
            (io(ErrorKind::ConnectionReset), "as the system says"),
            (io(ErrorKind::ConnectionAborted), "as the system says"),
            (io(ErrorKind::BrokenPipe), "as the system says"),
            (io(ErrorKind::UnexpectedEof), "as the system says"),
            (io(ErrorKind::TimedOut), "as the system says"),
            (io(ErrorKind::HostUnreachable), "as the system says"),
            (io(ErrorKind::NetworkUnreachable), "as the system says"),
            (io(ErrorKind::NetworkDown), "as the system says"),
            (io(ErrorKind::Other), "as the system says"),
            (Transport::Timeout(ureq::Timeout::Global), "within the plan's timeout_s"),
            (Transport::HostNotFound, "the name of the host is not known; check its spelling and the network"),
            (Transport::ConnectionFailed, "no connection could be made"),
            (Transport::BodyStalled, "was cut off"),
            (wrapped(Tls::DecryptError), "garbled or cut off"),
            (wrapped(Tls::HandshakeNotComplete), "garbled or cut off"),
            (wrapped(Tls::InvalidMessage(InvalidMessage::MessageTooShort)), "garbled or cut off"),
            (wrapped(Tls::AlertReceived(AlertDescription::InternalError)), "broke off"),
            (
                Transport::ConnectProxyFailed("proxy server responded 503/503".to_owned()),
                "see that the proxy in HTTPS_PROXY runs",
            ),
            (
                Transport::ConnectProxyFailed("proxy server did not respond".to_owned()),
                "see that the proxy in HTTPS_PROXY runs",
            ),
        ];
        let lasting = [
            (
                wrapped(Tls::InvalidCertificate(CertificateError::Expired)),
                "it has expired: see that this machine's clock is right",
            ),
            (
                wrapped(Tls::InvalidCertificate(CertificateError::NotValidYet)),
                "it is not valid yet: see that this machine's clock is right",
            ),
            (wrapped(Tls::InvalidCertificate(CertificateError::UnknownIssuer)), "add its authority to the system's"),
            (wrapped(Tls::InvalidCertificate(CertificateError::NotValidForName)), "correct the host in the address"),
            (wrapped(Tls::InvalidCertificate(CertificateError::Revoked)), "do not send a key there"),
            (wrapped(Tls::InvalidCertificate(CertificateError::BadEncoding)), "See that the address is right"),
            (Transport::Rustls(Tls::InvalidCertificate(CertificateError::UnknownIssuer)), "is not accepted"),
            (wrapped(Tls::NoCertificatesPresented), "the server shows no certificate"),
            (wrapped(Tls::InvalidMessage(InvalidMessage::InvalidContentType)), "the port does not speak https"),
            (
                wrapped(Tls::PeerIncompatible(rustls::PeerIncompatible::NoCipherSuitesInCommon)),
                "TLS 1.2 and 1.3 are spoken",
            ),
            (wrapped(Tls::AlertReceived(AlertDescription::HandshakeFailure)), "breaks off the greeting of https"),
            (wrapped(Tls::AlertReceived(AlertDescription::UnrecognisedName)), "correct the host in the address"),
            (wrapped(Tls::FailedToGetCurrentTime), "set this machine's clock"),
            (wrapped(Tls::General("odd".to_owned())), "odd"),
            (io(ErrorKind::PermissionDenied), "this machine does not let the program open a connection"),
            (io(ErrorKind::InvalidInput), "no connection can be made to such an address"),
            (io(ErrorKind::AddrNotAvailable), "no connection can be made to such an address"),
            (Transport::BodyExceedsLimit(7), "the answer is larger than 7 bytes"),
            (Transport::BadUri("x".to_owned()), "bad uri: x"),
            (Transport::RedirectFailed, "redirect failed"),
            (Transport::TooManyRedirects, "too many redirects"),
            (Transport::InvalidProxyUrl, "invalid proxy url"),
            (Transport::Tls("Rustls invalid dns name error"), "invalid dns name"),
            (Transport::RequireHttpsOnly("x".to_owned()), "https only"),
            (Transport::LargeResponseHeader(9, 8), "header is too big"),
            (Transport::TlsRequired, "TLS required"),
            (Transport::StatusCode(500), "http status: 500"),
            (
                Transport::ConnectProxyFailed("proxy server responded 407/407".to_owned()),
                "or its user name and password",
            ),
        ];
        let temporary = passing.map(|(error, text)| (error, text, true));
        let all = temporary.into_iter().chain(lasting.map(|(error, text)| (error, text, false)));
        for (error, text, is_temporary) in all {
            let failure = Failure::of(&error);
            assert_eq!(failure.is_temporary, is_temporary, "{error:?}: {failure:?}");
            assert!(failure.text.contains(text), "{error:?}: {failure:?}");
        }
    }
}
