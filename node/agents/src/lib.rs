//! Bundles: agents of more than one file, as one string of bytes with one hash.
//!
//! # Canonical form
//!
//! A bundle is an uncompressed tar of the files of a folder that holds `agent.toml` at its top. For a given set of
//! files there is exactly one string of bytes, so that a pin names the content and nothing else:
//!
//! * Entries are regular files only, sorted by the bytes of their path. Folders follow from the paths; an empty folder
//!   is no part of a bundle.
//! * A path is relative, UTF-8, at most 255 bytes and 32 components, separated by `/`. No component is empty, `.`,
//!   `..`, `__pycache__` or `.git`; no control character and no backslash. No two paths are equal after NFC and without case.
//! * Headers are GNU tar's (`ustar`, two spaces, NUL): mode 0755 when the owner may execute the file, else 0644; user,
//!   group and time 0; user and group names, link name, device numbers and prefix all NUL; numbers in octal with leading
//!   zeros and a final NUL; the checksum as six digits, NUL, space.
//! * A path of more than 100 bytes is preceded by one `L` entry named `././@LongLink` with the same header fields and
//!   mode 0644, whose content is the path and a NUL; the file's own header then holds the path's first 100 bytes.
//! * Contents are padded with NUL to 512 bytes; the bundle ends with exactly two blocks of NUL.
//!
//! Any other tar of the same content is refused and not converted: two validators can then never disagree about what a
//! pin stands for, whatever their tar readers think of an odd header. `pack` writes the form. The pin is BLAKE3 over the
//! bytes; a `sha256:` pin is SHA-256 over the same bytes.
//!
//! Every bundle is hostile until proven otherwise. It is read in memory, checked completely and compared byte for byte
//! with the canonical form of what was read, and only then written to disk, into a folder that did not exist before.
#![forbid(unsafe_code)]

mod canonical;
mod error;
mod limits;
mod manifest;
mod names;
mod pack;
mod read;
mod unpack;

pub use error::BundleError;
pub use limits::Limits;
pub use manifest::{AgentRuntime, Entrypoint, MANIFEST_NAME, Manifest};
pub use pack::pack;
pub use read::{Bundle, FileEntry, looks_like_bundle};
pub use unpack::unpack;

use mechanism::ids::Pin;

/// The pin of a bundle: BLAKE3 of its bytes, which must be in canonical form.
///
/// # Errors
/// The bytes are no valid bundle in canonical form.
pub fn pin(bytes: &[u8], limits: &Limits) -> Result<Pin, BundleError> {
    Bundle::parse(bytes, limits).map(|_| Pin::blake3_of(bytes))
}
