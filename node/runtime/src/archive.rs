//! A runtime as one file, for hosts that cannot fetch the packages: a tar of the tree, compressed with zstd.
//!
//! The first entry, `runtime.json`, says what the tree is; the others are the tree below `tree/`, sorted, with their modes,
//! owner 0 and time 0. The same tree gives the same bytes with the same version of this node.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tar::{EntryType, Header};

use crate::error::{RuntimeError, io_error};
use crate::index::Record;
use crate::tree::{self, Kind};
use crate::{Runtime, verify};

/// The entry that describes the tree.
pub(crate) const ABOUT: &str = "runtime.json";
/// The folder of the tree's entries.
pub(crate) const TREE: &str = "tree";
/// Slow enough to be small, fast enough for a tree of some 50 MiB.
const LEVEL: i32 = 9;

/// Writes a runtime to the file `out`, after its tree has been hashed again.
///
/// # Errors
/// The tree is not the one that was built, or a file cannot be read or written; no half file is left.
pub fn export(runtime: &Runtime, out: &Path) -> Result<(), RuntimeError> {
    verify(runtime)?;
    let mut half = out.as_os_str().to_owned();
    half.push(".part");
    let half = PathBuf::from(half);
    let written =
        write(runtime, &half).and_then(|()| fs::rename(&half, out).map_err(io_error("write", out)));
    if written.is_err() {
        let _half = fs::remove_file(&half);
    }
    written
}

fn write(runtime: &Runtime, path: &Path) -> Result<(), RuntimeError> {
    let cannot = || io_error("write", path);
    let file = File::create(path).map_err(cannot())?;
    let encoder = zstd::Encoder::new(file, LEVEL).map_err(cannot())?;
    let mut tar = tar::Builder::new(encoder);
    let about = serde_json::to_vec_pretty(&Record::of(runtime)).unwrap_or_default();
    append(
        &mut tar,
        Path::new(ABOUT),
        EntryType::Regular,
        0o644,
        &about,
    )
    .map_err(cannot())?;
    for entry in tree::walk(&runtime.root)? {
        let full = runtime.root.join(&entry.path);
        let name = Path::new(TREE).join(&entry.path);
        let metadata = fs::symlink_metadata(&full).map_err(io_error("read", &full))?;
        let mode = metadata.permissions().mode() & 0o777;
        let written = match &entry.kind {
            Kind::Folder => append(&mut tar, &name, EntryType::Directory, mode, &[]),
            Kind::File => {
                let content = fs::read(&full).map_err(io_error("read", &full))?;
                append(&mut tar, &name, EntryType::Regular, mode, &content)
            }
            Kind::Link(target) => {
                tar.append_link(&mut header(EntryType::Symlink, 0o777, 0), &name, target)
            }
        };
        written.map_err(cannot())?;
    }
    tar.into_inner()
        .and_then(zstd::Encoder::finish)
        .and_then(|file| file.sync_all())
        .map_err(cannot())
}

fn append(
    tar: &mut tar::Builder<impl Write>,
    name: &Path,
    kind: EntryType,
    mode: u32,
    content: &[u8],
) -> io::Result<()> {
    tar.append_data(&mut header(kind, mode, content.len() as u64), name, content)
}

fn header(kind: EntryType, mode: u32, size: u64) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(mode);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(0);
    header.set_size(size);
    header
}
