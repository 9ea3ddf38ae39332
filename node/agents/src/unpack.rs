//! From the canonical form to a folder.

use crate::error::{BundleError, io_error};
use crate::limits::Limits;
use crate::manifest::Manifest;
use crate::read::{Bundle, FileEntry};
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// Unpacks a bundle into the folder `into`, which must not exist yet. All of it is checked before anything is written; on
/// a failure nothing is left.
///
/// # Errors
/// The bundle is refused, or [`BundleError::Io`] when the folder exists or cannot be written.
pub fn unpack(bytes: &[u8], into: &Path, limits: &Limits) -> Result<Manifest, BundleError> {
    let bundle = Bundle::parse(bytes, limits)?;
    folder(into).map_err(io_error("create", into))?;
    let written = bundle.files().try_for_each(|file| write(into, &file));
    if let Err(error) = written {
        // The folder is ours: it did not exist before.
        let _half_written = fs::remove_dir_all(into);
        return Err(error);
    }
    Ok(bundle.manifest().clone())
}

/// Everything below `into` was made here, so no component of the path can be a link.
fn write(into: &Path, file: &FileEntry<'_>) -> Result<(), BundleError> {
    for (at, _) in file.path.match_indices('/') {
        let above = into.join(&file.path[..at]);
        match folder(&above) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => {
                return Err(io_error("create", &above)(error));
            }
            _ => {}
        }
    }
    let path = into.join(file.path);
    let mode = if file.executable { 0o755 } else { 0o644 };
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(mode)
        .open(&path)
        .and_then(|mut open| {
            open.write_all(file.bytes)?;
            // Whatever the umask.
            open.set_permissions(fs::Permissions::from_mode(mode))
        })
        .map_err(io_error("write", &path))
}

fn folder(path: &Path) -> std::io::Result<()> {
    DirBuilder::new().mode(0o755).create(path)
}
