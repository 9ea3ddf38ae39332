//! From a folder to the canonical form.

use crate::canonical::{self, Content};
use crate::error::{BundleError, io_error, shown};
use crate::limits::Limits;
use crate::names::{self, LEFT_OUT, Names};
use crate::read::Bundle;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::Path;

/// Packs the files of `dir` into a bundle, whatever their owners, times and order. Folders named `__pycache__` and `.git`
/// are left out, empty folders vanish.
///
/// # Errors
/// A link or special file, a path that a bundle cannot hold, no valid `agent.toml`, a limit, or a file that cannot be read.
pub fn pack(dir: &Path, limits: &Limits) -> Result<Vec<u8>, BundleError> {
    let mut found = Found {
        limits,
        names: Names::default(),
        files: BTreeMap::new(),
        total: 0,
    };
    found.folder(dir, "")?;
    let files = found
        .files
        .iter()
        .map(|(path, (executable, bytes))| {
            let content = Content {
                executable: *executable,
                bytes,
            };
            (path.as_str(), content)
        })
        .collect();
    let mut packed = Vec::new();
    canonical::encode(&files, &mut |piece: &[u8]| packed.extend_from_slice(piece));
    Bundle::parse(&packed, limits)?;
    Ok(packed)
}

struct Found<'l> {
    limits: &'l Limits,
    names: Names,
    files: BTreeMap<String, (bool, Vec<u8>)>,
    total: u64,
}

impl Found<'_> {
    fn folder(&mut self, dir: &Path, prefix: &str) -> Result<(), BundleError> {
        for item in fs::read_dir(dir).map_err(io_error("read", dir))? {
            let item = item.map_err(io_error("read", dir))?;
            let name = item.file_name();
            let raw = [prefix.as_bytes(), name.as_bytes()].concat();
            let kind = item.file_type().map_err(io_error("read", &item.path()))?;
            if kind.is_dir() && LEFT_OUT.iter().any(|left_out| name == *left_out) {
                continue;
            }
            let path = names::check(&raw)?;
            if kind.is_dir() {
                self.folder(&item.path(), &format!("{path}/"))?;
            } else if kind.is_file() {
                self.file(&item.path(), path)?;
            } else {
                let kind = match kind {
                    kind if kind.is_symlink() => "a symbolic link",
                    kind if kind.is_fifo() => "a FIFO",
                    kind if kind.is_socket() => "a socket",
                    _ => "a device",
                };
                let name = shown(&raw);
                return Err(BundleError::Kind { name, kind });
            }
        }
        Ok(())
    }

    fn file(&mut self, file: &Path, path: &str) -> Result<(), BundleError> {
        self.names.add(path)?;
        if self.files.len() as u64 == self.limits.files {
            return Err(BundleError::TooManyFiles {
                limit: self.limits.files,
            });
        }
        let mut open = fs::File::open(file).map_err(io_error("read", file))?;
        let mode = open
            .metadata()
            .map_err(io_error("read", file))?
            .permissions()
            .mode();
        let limit = self.limits.unpacked_bytes;
        let mut bytes = Vec::new();
        (&mut open)
            .take((limit - self.total).saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(io_error("read", file))?;
        self.total += bytes.len() as u64;
        if self.total > limit {
            return Err(BundleError::UnpackedTooLarge {
                found: self.total,
                limit,
            });
        }
        self.files
            .insert(path.to_owned(), (mode & 0o100 != 0, bytes));
        Ok(())
    }
}
