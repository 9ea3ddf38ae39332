//! How large a bundle may be.

/// Bounds of a bundle (`mechanism.md §1`). The numbers come from the spec; every bound is passed at `>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the tar.
    pub packed_bytes: u64,
    /// Bytes of all files together. The canonical form is not compressed, so this is met first only by a header that
    /// announces more than the tar holds.
    pub unpacked_bytes: u64,
    /// Files.
    pub files: u64,
}

impl Limits {
    /// The limits of a spec.
    #[must_use]
    pub fn of(spec: &mechanism::spec::Spec) -> Self {
        Limits {
            packed_bytes: spec.limits.bundle_packed_bytes,
            unpacked_bytes: spec.limits.bundle_unpacked_bytes,
            files: spec.limits.bundle_files,
        }
    }
}
