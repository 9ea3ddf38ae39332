//! Reads an exported runtime. The file may come from anywhere: it is unpacked into a new folder of the cache, entry by entry
//! and never through a link, and used only when the hash of what came out is one that somebody vouches for.

use std::collections::HashSet;
use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, symlink};
use std::path::{Component, Path, PathBuf};

use tar::{Archive, EntryType};

use crate::archive::{ABOUT, TREE};
use crate::build::{Builder, debian_request, fallen_back_request, short};
use crate::error::{RuntimeError, io_error};
use crate::index::Record;
use crate::layout::{self, tree_path};
use crate::lock::Lock;
use crate::{Runtime, SourceUsed, tree};

/// A runtime has some 50 MiB; a file that unpacks to more than this is something else.
const LARGEST: u64 = 1 << 30;
/// A runtime has some 2,500 entries.
const MOST: usize = 100_000;
/// What stands in `runtime.json` fits many times.
const LARGEST_ABOUT: u64 = 1 << 20;

/// Brings an exported runtime into the folder `cache`. Its tree must have the hash `expected`, else that of the pinned one: its
/// interpreter is started outside the sandbox too, so a tree that nobody vouches for is refused. Nothing but that hash is
/// believed of what the file says about itself.
///
/// # Errors
/// The file is no exported runtime, its tree has another hash, or the cache cannot be written; nothing is left then.
pub fn import(
    cache: &Path,
    file: &Path,
    expected: Option<[u8; 32]>,
    progress: &mut dyn FnMut(&str),
) -> Result<Runtime, RuntimeError> {
    Builder::in_cache(cache, false, progress, |builder| {
        let root = builder.cache.join(".import");
        layout::remove(&root)?;
        let imported = unpack(file, &root).and_then(|about| check(builder, &root, about, expected));
        if imported.is_err() {
            layout::remove(&root)?;
        }
        imported
    })
}

fn check(
    builder: &mut Builder<'_>,
    root: &Path,
    about: Record,
    expected: Option<[u8; 32]>,
) -> Result<Runtime, RuntimeError> {
    layout::seal(root)?;
    let (found, pinned) = (hex::encode(tree::hash(root)?), Lock::pinned()?);
    let comparable = found == pinned.tree;
    let expected = expected.map_or_else(|| pinned.tree.clone(), hex::encode);
    if found != expected {
        return Err(RuntimeError::Untrusted { found, expected });
    }
    let (source, interpreter) = if comparable {
        (SourceUsed::DebianPinned, pinned.interpreter())
    } else {
        (about.source, about.interpreter)
    };
    let python = root.join(tree_path(Path::new(&interpreter.python)));
    if !python.is_file() {
        return Err(RuntimeError::HostUnavailable {
            reason: format!(
                "the imported tree has no interpreter at {}; export it again",
                interpreter.python
            ),
        });
    }
    let version = interpreter.version(root, comparable)?;
    let tree = builder.publish(root)?;
    let notice = (!comparable).then(|| {
        format!(
            "imported runtime {} (Python {version}): not comparable",
            short(&tree)
        )
    });
    let request = match source {
        SourceUsed::DebianPinned | SourceUsed::DebianCurrent { .. } => debian_request(),
        SourceUsed::Host { .. } => fallen_back_request(),
    };
    let record = Record {
        tree,
        source,
        interpreter,
        version,
        comparable,
        notice,
    };
    builder.record(&[&request], record)
}

/// Unpacks into `root`, which must not exist, and returns what the file says about the tree.
fn unpack(file: &Path, root: &Path) -> Result<Record, RuntimeError> {
    let bad = |reason: String| RuntimeError::Archive {
        path: file.to_owned(),
        reason,
    };
    let broken = |error: io::Error| bad(error.to_string().replace('\n', " "));
    let open = File::open(file).map_err(io_error("read", file))?;
    let decoder = zstd::Decoder::new(open).map_err(broken)?;
    // What the archive holds beyond this is cut, which shows as an early end.
    let mut archive = Archive::new(decoder.take(LARGEST));
    let mut entries = archive.entries().map_err(broken)?;
    let about = match entries.next() {
        Some(entry) => about(entry.map_err(broken)?).map_err(bad)?,
        None => return Err(bad("it is empty".to_owned())),
    };
    let mut folders = HashSet::from([PathBuf::new()]);
    folder(root)?;
    for (count, entry) in entries.enumerate() {
        let mut entry = entry.map_err(broken)?;
        if count == MOST {
            return Err(bad(format!("it has more than {MOST} entries")));
        }
        let path = relative(&entry.path().map_err(broken)?).map_err(bad)?;
        // Every folder was made here and listed before what it holds, so no part of a path is a link.
        let parent = path.parent().unwrap_or(Path::new(""));
        if !folders.contains(parent) {
            return Err(bad(format!("{} comes before its folder", path.display())));
        }
        let full = root.join(&path);
        match entry.header().entry_type() {
            EntryType::Directory => {
                folder(&full)?;
                folders.insert(path);
            }
            EntryType::Regular => {
                let executable = entry.header().mode().map_err(broken)? & 0o111 != 0;
                let mut new = OpenOptions::new()
                    .write(true)
                    .create_new(true)
                    .mode(if executable { 0o755 } else { 0o644 })
                    .open(&full)
                    .map_err(io_error("create", &full))?;
                io::copy(&mut entry, &mut new).map_err(broken)?;
            }
            EntryType::Symlink => {
                let target = entry.link_name().map_err(broken)?.unwrap_or_default();
                symlink(&target, &full).map_err(io_error("link", &full))?;
            }
            _ => {
                return Err(bad(format!(
                    "{} is neither a file, a folder nor a link",
                    path.display()
                )));
            }
        }
    }
    Ok(about)
}

fn about(entry: tar::Entry<'_, impl Read>) -> Result<Record, String> {
    if entry.path().is_ok_and(|path| path != Path::new(ABOUT)) {
        return Err(format!("its first entry is not {ABOUT}"));
    }
    let mut text = Vec::new();
    entry
        .take(LARGEST_ABOUT)
        .read_to_end(&mut text)
        .map_err(|error| error.to_string())?;
    serde_json::from_slice(&text).map_err(|error| format!("{ABOUT}: {error}"))
}

/// The path below the tree's folder; nothing else may stand in it.
fn relative(path: &Path) -> Result<PathBuf, String> {
    let plain = path
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    match path.strip_prefix(TREE) {
        Ok(inside) if plain && inside != Path::new("") => Ok(inside.to_owned()),
        _ => Err(format!("an entry named {} leads elsewhere", path.display())),
    }
}

fn folder(path: &Path) -> Result<(), RuntimeError> {
    let made = DirBuilder::new().mode(0o755).create(path);
    made.map_err(io_error("create", path))
}
