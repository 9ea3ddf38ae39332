//! Why a bundle is refused.

use std::io;
use std::path::PathBuf;

/// A bundle that cannot be used. One line each, with the value and the remedy; names are shown escaped.
///
/// All but [`BundleError::Io`] are the agent's: its author can mend them.
#[derive(Debug, thiserror::Error)]
pub enum BundleError {
    /// Not a tar, or one that ends in the middle.
    #[error("not a bundle: {0}; pack the folder with 'assay agent pack'")]
    Malformed(String),
    /// Bytes of the tar.
    #[error("the bundle has {found} bytes, at most {limit} are allowed; make it smaller")]
    PackedTooLarge {
        /// Bytes found.
        found: u64,
        /// The limit.
        limit: u64,
    },
    /// Bytes of all files.
    #[error(
        "the bundle's files have {found} bytes or more, at most {limit} are allowed; make it smaller"
    )]
    UnpackedTooLarge {
        /// Bytes announced up to the file that passed the limit.
        found: u64,
        /// The limit.
        limit: u64,
    },
    /// Number of files.
    #[error("the bundle has more than {limit} files; take some out")]
    TooManyFiles {
        /// The limit.
        limit: u64,
    },
    /// A symbolic or hard link, folder, device, FIFO, sparse file, extended header or something unknown.
    #[error(
        "'{name}' is {kind}; a bundle holds regular files only, pack the folder with 'assay agent pack'"
    )]
    Kind {
        /// Path of the entry.
        name: String,
        /// What it is, with an article.
        kind: &'static str,
    },
    /// A path that a bundle cannot hold.
    #[error("the path '{name}' {problem}; rename it")]
    Name {
        /// The path, lossily decoded and cut.
        name: String,
        /// What is wrong, as a verb phrase.
        problem: &'static str,
    },
    /// The same path twice.
    #[error("'{name}' stands twice in the bundle; keep one")]
    Duplicate {
        /// The path.
        name: String,
    },
    /// Two paths that some file systems take for one.
    #[error("'{name}' and '{other}' are the same name in NFC without case; rename one")]
    SameName {
        /// The later path.
        name: String,
        /// The earlier one.
        other: String,
    },
    /// A path that is a file and a folder.
    #[error("'{name}' is a file and a folder; rename one")]
    FileAndFolder {
        /// The path.
        name: String,
    },
    /// Bytes behind the end.
    #[error("{extra} bytes follow the end of the bundle; pack the folder with 'assay agent pack'")]
    TrailingBytes {
        /// How many.
        extra: u64,
    },
    /// A tar of the right content in another form.
    #[error("not in canonical form from byte {offset} on; pack the folder with 'assay agent pack'")]
    NotCanonical {
        /// First byte that differs from the canonical form.
        offset: u64,
    },
    /// `agent.toml` is missing or wrong.
    #[error("agent.toml: {0}")]
    Manifest(String),
    /// A file or folder could not be read or written.
    #[error("cannot {action} {}: {source}; check the path, the disk and the permissions", path.display())]
    Io {
        /// What was being done, as a verb.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's answer.
        #[source]
        source: io::Error,
    },
}

impl BundleError {
    /// Whether the disk or its permissions failed rather than the bundle.
    #[must_use]
    pub fn is_io(&self) -> bool {
        matches!(self, BundleError::Io { .. })
    }

    pub(crate) fn name(name: &[u8], problem: &'static str) -> Self {
        BundleError::Name {
            name: shown(name),
            problem,
        }
    }
}

/// A name for one line of text: lossily decoded, escaped, cut.
pub(crate) fn shown(name: &[u8]) -> String {
    const LONGEST: usize = 80;
    let text = String::from_utf8_lossy(name);
    let mut line: String = text
        .chars()
        .take(LONGEST)
        .flat_map(char::escape_debug)
        .collect();
    if text.chars().count() > LONGEST {
        line.push_str("...");
    }
    line
}

pub(crate) fn io_error(
    action: &'static str,
    path: &std::path::Path,
) -> impl FnOnce(io::Error) -> BundleError {
    let path = path.to_owned();
    move |source| BundleError::Io {
        action,
        path,
        source,
    }
}
