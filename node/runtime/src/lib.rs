//! The Python runtime that agents run on: one folder, the same bytes on every validator.
//!
//! The tree is built from a pinned set of Debian packages (`debian.lock.toml`), laid out and compiled so that the same
//! packages give the same bytes, and named by the hash of its content. Validators compare that hash, not package
//! versions. Where the packages are out of reach the host's own interpreter is copied in the same layout, and the
//! runtime says that its results are not comparable.
//!
//! A tree holds no secrets, no device nodes and nothing executable that a run does not need; it is used as a read-only
//! root with the sandbox's mounts on the empty folders `/dev`, `/proc`, `/task` and `/tmp`.
#![forbid(unsafe_code)]

mod apt;
mod archive;
mod build;
mod debian;
mod error;
mod host;
mod import;
mod index;
mod interpreter;
mod layout;
mod lock;
mod process;
mod tokens;
mod tree;

use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub use archive::export;
pub use build::{build, ensure, installed};
pub use error::RuntimeError;
pub use import::import;
pub use interpreter::Interpreter;
pub use tokens::{MAX_SOURCE_BYTES, tokens};

/// Where a runtime may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Source {
    /// The Debian packages, else the host's interpreter.
    #[default]
    Auto,
    /// The Debian packages or an error.
    Debian,
    /// The host's interpreter, whatever else could be had.
    Host,
}

impl FromStr for Source {
    type Err = RuntimeError;

    fn from_str(text: &str) -> Result<Self, RuntimeError> {
        match text {
            "auto" => Ok(Self::Auto),
            "debian" => Ok(Self::Debian),
            "host" => Ok(Self::Host),
            other => Err(RuntimeError::UnknownSource(other.to_owned())),
        }
    }
}

/// Where a runtime came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceUsed {
    /// Exactly the packages of the lock file.
    DebianPinned,
    /// The same packages at the mirror's versions, since it no longer serves a pinned one.
    DebianCurrent {
        /// `name pinned-version -> version` of each package that differs.
        changed: Vec<String>,
    },
    /// A copy of the host's interpreter.
    Host {
        /// Its path on the host.
        interpreter: String,
    },
}

/// A runtime on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runtime {
    /// The tree, to be used as a read-only root.
    pub root: PathBuf,
    /// Hash of the tree: paths, kinds, modes, contents and link targets; no owners, no times.
    pub hash: [u8; 32],
    /// Where it came from.
    pub source: SourceUsed,
    /// The interpreter's path inside the tree.
    pub python: String,
    /// The interpreter's version, `3.11.2`.
    pub version: String,
    /// Whether it is the pinned tree, so that other validators have the same one.
    pub comparable: bool,
    /// What an operator should know, one line; always there when it is not comparable.
    pub notice: Option<String>,
    /// Where the interpreter, its loader and its libraries stand in the tree.
    pub interpreter: Interpreter,
}

/// Hashes the tree again and compares.
///
/// # Errors
/// The tree is gone, cannot be read or is not the one that was built.
pub fn verify(runtime: &Runtime) -> Result<(), RuntimeError> {
    let found = tree::hash(&runtime.root)?;
    if found == runtime.hash {
        return Ok(());
    }
    Err(RuntimeError::TreeChanged {
        root: runtime.root.clone(),
        found: hex::encode(found),
        expected: hex::encode(runtime.hash),
    })
}
