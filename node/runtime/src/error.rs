//! Why a runtime could not be built, checked or used.

use std::io;
use std::path::{Path, PathBuf};

/// A fault of this host or of its package source; never a score. Every message is one line with the remedy.
#[derive(Debug, thiserror::Error)]
pub enum RuntimeError {
    /// A file of the cache or of the tree could not be read or written.
    #[error("cannot {action} {}: {source}; check the disk and the permissions of the runtime cache", path.display())]
    Io {
        /// What was being done, as a verb: `read`, `create`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The kernel's answer.
        #[source]
        source: io::Error,
    },
    /// The lock file that is compiled into the node does not parse: the build is broken.
    #[error("debian.lock.toml is not valid ({reason}); correct it and build again")]
    Lock {
        /// What is wrong.
        reason: String,
    },
    /// The Debian packages are out of reach on this host.
    #[error(
        "no runtime from debian packages: {reason}; use the host source to run with this machine's own python3"
    )]
    DebianUnavailable {
        /// What is missing or failed.
        reason: String,
    },
    /// A package does not hold what the lock file pins.
    #[error(
        "{package} has sha256 {found}, pinned is {pinned}; delete the file and try again, or check the mirror"
    )]
    PackageHash {
        /// File name of the package.
        package: String,
        /// SHA-256 of the file, in hex.
        found: String,
        /// SHA-256 of the lock file, in hex.
        pinned: String,
    },
    /// The host has no interpreter that the host source can copy.
    #[error("no runtime from this host's python3: {reason}")]
    HostUnavailable {
        /// What is missing, with the remedy.
        reason: String,
    },
    /// A helper program could not be started or reported a failure.
    #[error("{program} failed ({detail}); run it by hand to see why")]
    Tool {
        /// The program.
        program: String,
        /// Exit status and the last line of its error output.
        detail: String,
    },
    /// A helper program did not end within its time.
    #[error(
        "{program} did not end within {seconds} s and was stopped; check the network or the load of this host"
    )]
    Timeout {
        /// The program.
        program: String,
        /// The limit, in seconds of wall time.
        seconds: u64,
    },
    /// A helper program printed more than it may.
    #[error("{program} printed more than {limit_bytes} bytes and was stopped")]
    OutputTooLarge {
        /// The program.
        program: String,
        /// The limit, in bytes.
        limit_bytes: u64,
    },
    /// The tree on disk is not the tree that was built.
    #[error("runtime tree {} has hash {found}, expected {expected}; delete the folder and it is built again", root.display())]
    TreeChanged {
        /// The tree.
        root: PathBuf,
        /// Hash of what is there, in hex.
        found: String,
        /// Hash it was built with, in hex.
        expected: String,
    },
    /// The tree holds something that a runtime must not have (device, socket, FIFO).
    #[error("runtime tree holds {}, which is neither a file, a folder nor a link; build it from another source", path.display())]
    ForeignEntry {
        /// The entry.
        path: PathBuf,
    },
    /// A file that is no exported runtime.
    #[error("{} is no exported runtime: {reason}; export it again with 'assay runtime export'", path.display())]
    Archive {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// An exported runtime with another hash than it should have.
    #[error(
        "the imported tree has hash {found}, expected {expected}; take the right file, or name its hash if you trust \
         where it comes from"
    )]
    Untrusted {
        /// Hash of the tree, in hex.
        found: String,
        /// Hash of the pinned tree, or the one that was asked for, in hex.
        expected: String,
    },
    /// A source name that is not `auto`, `debian` or `host`.
    #[error("'{0}' is not a runtime source; use auto, debian or host")]
    UnknownSource(String),
}

/// Attaches the path and the verb to an I/O error.
pub(crate) fn io_error(
    action: &'static str,
    path: &Path,
) -> impl FnOnce(io::Error) -> RuntimeError {
    let path = path.to_owned();
    move |source| RuntimeError::Io {
        action,
        path,
        source,
    }
}
