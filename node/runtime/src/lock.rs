//! The pinned package set, `debian.lock.toml`.

use serde::{Deserialize, Serialize};

use crate::error::RuntimeError;
use crate::interpreter::Interpreter;

const PINNED: &str = include_str!("../debian.lock.toml");

/// The lock file: what the runtime is made of and which tree comes out of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lock {
    version: u32,
    /// `ID` of /etc/os-release on a host whose package sources serve the set.
    pub(crate) os_id: String,
    /// `VERSION_ID` of the same file.
    pub(crate) os_version: String,
    /// Debian's name of the architecture.
    pub(crate) architecture: String,
    /// Major and minor version of the interpreter.
    pub(crate) python: String,
    /// Folder of the shared libraries below /usr/lib.
    pub(crate) multiarch: String,
    /// File name of the dynamic loader in that folder.
    pub(crate) loader: String,
    /// Hash of the finished tree, in hex.
    pub(crate) tree: String,
    /// The packages, in the order in which they are unpacked.
    #[serde(rename = "package")]
    pub(crate) packages: Vec<Package>,
}

/// One package of the set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// SHA-256 of the .deb file, in hex.
    pub(crate) sha256: String,
}

impl Lock {
    /// The set that this node was built with.
    pub(crate) fn pinned() -> Result<Self, RuntimeError> {
        Self::parse(PINNED)
    }

    /// Names the set in the cache's index: BLAKE3 of the lock file, in hex.
    pub(crate) fn pinned_id() -> String {
        blake3::hash(PINNED.as_bytes()).to_hex().to_string()
    }

    fn parse(text: &str) -> Result<Self, RuntimeError> {
        let invalid = |reason: String| RuntimeError::Lock { reason };
        let lock: Self = toml::from_str(text).map_err(|e| invalid(e.message().to_owned()))?;
        if lock.version != 1 {
            return Err(invalid(format!("version {} is not 1", lock.version)));
        }
        let hashes = lock.packages.iter().map(|package| &package.sha256);
        for hash in hashes.chain([&lock.tree]) {
            if hash.len() != 64 || !hash.bytes().all(|b| b.is_ascii_hexdigit()) {
                return Err(invalid(format!("'{hash}' is not 64 hex digits")));
            }
        }
        Ok(lock)
    }

    /// Where the interpreter stands in a tree of this set.
    pub(crate) fn interpreter(&self) -> Interpreter {
        let library_dir = format!("/usr/lib/{}", self.multiarch);
        Interpreter {
            python: format!("/usr/bin/python{}", self.python),
            loader: format!("{library_dir}/{}", self.loader),
            library_dir,
            stdlib: format!("/usr/lib/python{}", self.python),
        }
    }

    /// The lock file's text for this set, without the comments.
    pub(crate) fn to_toml(&self) -> Result<String, RuntimeError> {
        toml::to_string(self).map_err(|e| RuntimeError::Lock {
            reason: e.to_string(),
        })
    }
}

impl Package {
    /// File name of the package as apt writes it: a colon in the version becomes `%3a`.
    pub(crate) fn file_name(&self, architecture: &str) -> String {
        let version = self.version.replace(':', "%3a");
        format!("{}_{version}_{architecture}.deb", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pinned_lock_parses_and_survives_a_round_trip() {
        let lock = Lock::pinned().unwrap();
        assert!(lock.packages.len() > 10);
        assert_eq!(Lock::parse(&lock.to_toml().unwrap()).unwrap(), lock);
    }

    #[test]
    fn unknown_keys_versions_and_short_hashes_are_refused() {
        let bad = [
            PINNED.replace("version = 1\n", "version = 2\n"),
            PINNED.replace("python = ", "pyhton = "),
            PINNED.replace("tree = \"", "tree = \"0"),
        ];
        for text in bad {
            assert!(
                matches!(Lock::parse(&text), Err(RuntimeError::Lock { .. })),
                "{text}"
            );
        }
    }

    #[test]
    fn epochs_are_escaped_as_apt_does() {
        let package = Package {
            name: "zlib1g".into(),
            version: "1:1.2-1".into(),
            sha256: String::new(),
        };
        assert_eq!(package.file_name("amd64"), "zlib1g_1%3a1.2-1_amd64.deb");
    }
}
