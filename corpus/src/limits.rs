//! The numbers of the pinned spec that a corpus must fit (`mechanism.md §1, §2, §6, §7`).

use mechanism::spec::Spec;
use std::sync::LazyLock;

/// The pinned spec, read once.
pub(crate) static PINNED: LazyLock<Spec> = LazyLock::new(Spec::pinned);

/// Upper bounds of one artifact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Sum of the file sizes, in bytes.
    pub artifact_bytes: u64,
    /// Number of regular files.
    pub artifact_files: u64,
}

impl Default for Limits {
    /// The pinned values.
    fn default() -> Self {
        Limits {
            artifact_bytes: PINNED.limits.artifact_bytes,
            artifact_files: PINNED.limits.artifact_files,
        }
    }
}
