//! The hash of a tree: what two validators compare to know that they run the same interpreter.

use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::error::{RuntimeError, io_error};

/// Domain of the hash.
const DOMAIN: &[u8] = b"assay/v1/runtime-tree";

/// What an entry of the tree is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    Folder,
    File,
    Link(PathBuf),
}

/// An entry: its path relative to the root, and what it is.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) path: PathBuf,
    pub(crate) kind: Kind,
}

/// Every entry below `root`, sorted by the bytes of the path, so that a folder stands before what it holds.
pub(crate) fn walk(root: &Path) -> Result<Vec<Entry>, RuntimeError> {
    let mut entries = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let full = root.join(&folder);
        let listing = fs::read_dir(&full).map_err(io_error("read", &full))?;
        for item in listing {
            let item = item.map_err(io_error("read", &full))?;
            let path = folder.join(item.file_name());
            let kind = kind_of(&item)?;
            if kind == Kind::Folder {
                folders.push(path.clone());
            }
            entries.push(Entry { path, kind });
        }
    }
    entries.sort_by(|a, b| {
        a.path
            .as_os_str()
            .as_bytes()
            .cmp(b.path.as_os_str().as_bytes())
    });
    Ok(entries)
}

fn kind_of(item: &fs::DirEntry) -> Result<Kind, RuntimeError> {
    let path = item.path();
    let file_type = item.file_type().map_err(io_error("read", &path))?;
    if file_type.is_symlink() {
        let target = fs::read_link(&path).map_err(io_error("read", &path))?;
        Ok(Kind::Link(target))
    } else if file_type.is_dir() {
        Ok(Kind::Folder)
    } else if file_type.is_file() {
        Ok(Kind::File)
    } else {
        Err(RuntimeError::ForeignEntry { path })
    }
}

/// BLAKE3 over [`DOMAIN`] and the sorted entries: path, `d`, `f` or `l`, the permission bits (zero for a link), then
/// the BLAKE3 of a file's content or a link's target. Framing by `mechanism.md` *Bytes*: strings are preceded by their
/// length as u32 LE, integers are u32 LE, hashes go raw.
///
/// Owners and times are no part of it: the owner is whoever runs the node.
pub(crate) fn hash(root: &Path) -> Result<[u8; 32], RuntimeError> {
    let mut hasher = blake3::Hasher::new();
    field(&mut hasher, DOMAIN);
    for entry in walk(root)? {
        let full = root.join(&entry.path);
        field(&mut hasher, entry.path.as_os_str().as_bytes());
        match entry.kind {
            Kind::Folder => {
                hasher.update(b"d").update(&mode(&full)?.to_le_bytes());
            }
            Kind::File => {
                hasher.update(b"f").update(&mode(&full)?.to_le_bytes());
                hasher.update(
                    content_hash(&full)
                        .map_err(io_error("read", &full))?
                        .as_bytes(),
                );
            }
            Kind::Link(target) => {
                hasher.update(b"l").update(&0u32.to_le_bytes());
                field(&mut hasher, target.as_os_str().as_bytes());
            }
        }
    }
    Ok(*hasher.finalize().as_bytes())
}

fn field(hasher: &mut blake3::Hasher, bytes: &[u8]) {
    // Paths and link targets are at most PATH_MAX long.
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    hasher.update(&length.to_le_bytes()).update(bytes);
}

fn mode(path: &Path) -> Result<u32, RuntimeError> {
    let metadata = fs::symlink_metadata(path).map_err(io_error("read", path))?;
    Ok(metadata.permissions().mode() & 0o7777)
}

fn content_hash(path: &Path) -> io::Result<blake3::Hash> {
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(fs::File::open(path)?)?;
    Ok(hasher.finalize())
}

/// Bytes of all regular files below `root`.
pub(crate) fn size(root: &Path) -> Result<u64, RuntimeError> {
    let mut total = 0;
    for entry in walk(root)? {
        if entry.kind == Kind::File {
            let full = root.join(&entry.path);
            total += fs::symlink_metadata(&full)
                .map_err(io_error("read", &full))?
                .len();
        }
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn sample() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("a/b")).unwrap();
        fs::write(dir.path().join("a/b/one"), "1").unwrap();
        fs::write(dir.path().join("a.txt"), "2").unwrap();
        symlink("a.txt", dir.path().join("link")).unwrap();
        dir
    }

    #[test]
    fn equal_trees_hash_equally_and_every_property_counts() {
        let base = hash(sample().path()).unwrap();
        assert_eq!(base, hash(sample().path()).unwrap());
        let changes: [fn(&Path); 6] = [
            |p| fs::write(p.join("a.txt"), "3").unwrap(),
            |p| fs::set_permissions(p.join("a.txt"), fs::Permissions::from_mode(0o755)).unwrap(),
            |p| fs::rename(p.join("a.txt"), p.join("b.txt")).unwrap(),
            |p| fs::create_dir(p.join("empty")).unwrap(),
            |p| fs::remove_file(p.join("link")).unwrap(),
            |p| {
                fs::remove_file(p.join("link")).unwrap();
                symlink("a", p.join("link")).unwrap();
            },
        ];
        for (index, change) in changes.iter().enumerate() {
            let dir = sample();
            change(dir.path());
            assert_ne!(base, hash(dir.path()).unwrap(), "change {index}");
        }
    }

    #[test]
    fn sockets_are_refused() {
        let dir = sample();
        let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("s")).unwrap();
        assert!(matches!(
            hash(dir.path()),
            Err(RuntimeError::ForeignEntry { .. })
        ));
    }

    #[test]
    fn size_counts_files_only() {
        assert_eq!(size(sample().path()).unwrap(), 2);
    }
}
