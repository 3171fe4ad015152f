//! Why a key file cannot be used: what it is instead, and the command that makes it one that can.

/// A key file that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Nothing in it.
    #[error("the file is empty; name a key file in PEM")]
    Empty,
    /// A mark before the text.
    #[error("the file begins with a byte order mark, which PEM has not; save it as plain text (UTF-8 without a mark)")]
    Mark,
    /// Several PEM blocks: which one is meant would be a guess.
    #[error("the file holds {} keys; give each its own file", match .0 { 2 => "two".to_owned(), n => n.to_string() })]
    Several(usize),
    /// A public key in the binary form.
    #[error(
        "this is a public key in DER, the binary form; make PEM of it: openssl pkey -pubin -inform DER -in KEY.der -out KEY.pem"
    )]
    PublicDer,
    /// A private key in the binary form.
    #[error(
        "this is a private key in DER, the binary form; make PEM of it: openssl pkey -inform DER -in KEY.der -out KEY.pem"
    )]
    SecretDer,
    /// A protected private key in the binary form.
    #[error(
        "this is a protected private key in DER, the binary form; make PEM of it: openssl pkcs8 -topk8 -v2 aes-256-cbc -v2prf hmacWithSHA256 -inform DER -in KEY.der -out KEY.pem"
    )]
    ProtectedDer,
    /// A key in OpenSSH's own form.
    #[error("this is a key in the form of OpenSSH; `decidendi keygen` makes one in PEM")]
    OpenSsh,
    /// A sound key of another algorithm.
    #[error("this is a key for {0}; only Ed25519 keys are supported: `decidendi keygen` makes one")]
    OtherAlgorithm(&'static str),
    /// Not PEM.
    #[error("this is not a PEM key file; export the key as PEM (PKCS#8 or SPKI)")]
    NotPem,
    /// PEM of another kind.
    #[error(
        "the PEM block is {found:?}, expected {expected:?}; name the other file of the key pair, or export the key as PEM"
    )]
    WrongKind {
        /// The block's label.
        found: String,
        /// The label that was expected.
        expected: &'static str,
    },
    /// Not an Ed25519 key, or a damaged one.
    #[error("this is not a sound Ed25519 key; other key types are not supported")]
    NotEd25519,
    /// A passphrase is needed.
    #[error("the key file is protected; give its passphrase")]
    NeedsPassphrase,
    /// The passphrase does not open the file.
    #[error("the passphrase does not open the key file")]
    WrongPassphrase,
    /// The file asks for too much work.
    #[error("the key file asks for more key derivation work than is allowed; protect it with PBKDF2 or scrypt 2^14")]
    TooCostly,
    /// Protected by a function that is not supported.
    #[error(
        "the key file is protected by {0}, which is not read; protect it anew: openssl pkcs8 -topk8 -v2 aes-256-cbc -v2prf hmacWithSHA256 -in KEY.pem -out NEW.pem"
    )]
    UnsupportedProtection(&'static str),
    /// A public key for which signatures can be made without a secret.
    #[error("this public key is weak: anybody can sign for it; it cannot be trusted")]
    Weak,
    /// The key could not be written.
    #[error("the key could not be encoded")]
    Encoding,
}
