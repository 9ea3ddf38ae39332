//! What can go wrong with keys, addresses and signatures.

use std::io;
use std::path::{Path, PathBuf};

/// Every message is one line and names the remedy; none holds a secret or a password.
#[derive(Debug, thiserror::Error)]
pub enum SignerError {
    /// The text is not the SS58 form of a key on the generic network.
    #[error("'{text}' is not an SS58 hotkey: {reason}")]
    Address {
        /// The text.
        text: String,
        /// What is wrong with it, with the remedy.
        reason: &'static str,
    },
    /// The 32 bytes are no point of the curve, or one of small order whose signatures anybody can forge.
    #[error("hotkey {0} is not a usable ed25519 key; ask its owner for the right one")]
    WeakKey(String),
    /// The signature was not made with this key over these bytes.
    #[error("the signature is not {0}'s over these bytes")]
    Signature(String),
    /// The keystore file could not be read or written.
    #[error("cannot {action} keystore {}: {source}; check the path, the disk and the permissions", path.display())]
    Io {
        /// What was being done, as a verb.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The kernel's answer.
        #[source]
        source: io::Error,
    },
    /// There is a file of that name; a keystore is never overwritten.
    #[error("{} exists and a keystore is never overwritten; choose another path or move it away", .0.display())]
    Exists(PathBuf),
    /// Somebody else on this host may read the file.
    #[error("keystore {} has mode {mode:04o}, others may read it; run chmod 600 on it", path.display())]
    Permissions {
        /// The file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// The file is not a keystore of this version.
    #[error("{} is not a keystore ({reason}); restore it from your backup", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The password is wrong, or the file was changed after it was written.
    #[error("cannot open keystore {}: the password is wrong or the file was changed; give the password it was made with, or restore it from your backup", .0.display())]
    Password(PathBuf),
    /// An empty password protects nothing.
    #[error("the password is empty; choose one of at least one character")]
    EmptyPassword,
    /// The operating system gave no random bytes.
    #[error("this host gives no random bytes ({0}); check that getrandom is not blocked")]
    Random(getrandom::Error),
    /// The cipher refused its input.
    #[error(
        "the key could not be encrypted, nothing was written; report it with the node's version"
    )]
    Encryption,
    /// The key derivation refused its parameters or found too little memory.
    #[error("the key derivation failed ({0}); free some memory and try again")]
    Derivation(argon2::Error),
}

/// Attaches the path and the verb to an I/O error.
pub(crate) fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> SignerError {
    let path = path.to_owned();
    move |source| SignerError::Io {
        action,
        path,
        source,
    }
}
