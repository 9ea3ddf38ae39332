//! What can be wrong with a ledger, each with the file, the value and the remedy.

use crate::key::RoundKey;
use std::io;
use std::path::{Path, PathBuf};

/// Why the ledger refused.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// Another process has it open.
    #[error(
        "{path}: the ledger is in use by process {pid}; stop that process, or name another ledger"
    )]
    Locked {
        /// The lock file.
        path: PathBuf,
        /// Process id that the lock file names.
        pid: String,
    },
    /// Written by another version.
    #[error(
        "{path}: schema {found}, but this node knows 1 to {known}; run the node version that wrote the ledger"
    )]
    Schema {
        /// The version file.
        path: PathBuf,
        /// What it says.
        found: u32,
        /// The newest schema this node knows.
        known: u32,
    },
    /// Bytes that were durable are not what they were.
    #[error(
        "{file}: damaged at byte {offset}: {what}; keep a copy of the folder and run `assay ledger repair`"
    )]
    Damage {
        /// The file.
        file: PathBuf,
        /// Offset of the first bad byte's frame.
        offset: u64,
        /// What is wrong.
        what: String,
    },
    /// The device is full.
    #[error(
        "{path}: no space left on the device (ENOSPC) while trying to {doing}; free space and start again"
    )]
    NoSpace {
        /// What was being done.
        doing: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// The device failed.
    #[error(
        "{path}: the device failed (EIO) while trying to {doing}; check the disk before going on"
    )]
    Device {
        /// What was being done.
        doing: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// Another failure of the file system.
    #[error("{path}: cannot {doing}: {cause}; check the folder's owner, mode and disk")]
    Io {
        /// What was being done.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's words.
        cause: io::Error,
    },
    /// An earlier write failed, and nobody knows what of it reached the disk.
    #[error(
        "{path}: an earlier write failed ({cause}); nothing is appended until the ledger is opened again"
    )]
    Poisoned {
        /// The segment.
        path: PathBuf,
        /// The first failure.
        cause: String,
    },
    /// No such blob.
    #[error("{path}: no such blob; restore it from an export, or run `assay ledger repair`")]
    BlobMissing {
        /// Where it would be.
        path: PathBuf,
    },
    /// More than fits.
    #[error("{what} of {size} bytes is above the limit of {limit}; split it")]
    TooLarge {
        /// What.
        what: &'static str,
        /// Its size.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// The round's first entry is not its opening.
    #[error("round {0} is not open in this ledger; its first entry must be the opening")]
    NotOpened(RoundKey),
    /// A second opening.
    #[error("round {0} was opened before; resume it, or open it under another key")]
    AlreadyOpened(RoundKey),
    /// A second smoothing state of one round.
    #[error(
        "the smoothing state after round {0} is recorded with other values; a round changes it once"
    )]
    StateTaken(u64),
    /// A state of an earlier round.
    #[error(
        "the smoothing state after round {round} comes too late: that of round {last} is recorded"
    )]
    StateOrder {
        /// The round.
        round: u64,
        /// The last round with a state.
        last: u64,
    },
    /// Not an export, or not a whole one.
    #[error("export line {line}: {what}; get the file again from where it was exported")]
    Export {
        /// Line, counted from 1; 0 when there is none.
        line: u64,
        /// What is wrong.
        what: String,
    },
    /// The ledger holds another round under this key.
    #[error("round {0} is in this ledger with other entries; import into an empty ledger")]
    Conflict(RoundKey),
    /// Not a round key.
    #[error("'{0}' is not a round key; a key has 1 to 96 of a-z, 0-9, '.', '_', ':' and '-'")]
    Key(String),
    /// A record that JSON cannot carry, or of another form than this node's.
    #[error("a record cannot be read or written as JSON: {0}; run the node version that wrote it")]
    Json(String),
}

impl LedgerError {
    /// Names the system's error: the full and the failed device by their own names.
    pub(crate) fn io(doing: &'static str, path: &Path, cause: io::Error) -> Self {
        let path = path.to_owned();
        match cause
            .raw_os_error()
            .map(rustix::io::Errno::from_raw_os_error)
        {
            Some(rustix::io::Errno::NOSPC | rustix::io::Errno::DQUOT) => {
                LedgerError::NoSpace { doing, path }
            }
            Some(rustix::io::Errno::IO) => LedgerError::Device { doing, path },
            _ => LedgerError::Io { doing, path, cause },
        }
    }

    pub(crate) fn damage(file: &Path, offset: u64, what: impl Into<String>) -> Self {
        LedgerError::Damage {
            file: file.to_owned(),
            offset,
            what: what.into(),
        }
    }

    pub(crate) fn json(cause: serde_json::Error) -> Self {
        LedgerError::Json(cause.to_string())
    }
}

/// For `map_err`: what was being done with which file.
pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> LedgerError {
    move |cause| LedgerError::io(doing, path, cause)
}

/// A ledger operation's result.
pub(crate) type Result<T> = std::result::Result<T, LedgerError>;
