//! Files that survive a crash: written beside their place, synced, renamed, and the folder synced.

use crate::crash::crash_point;
use crate::error::{Result, io};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Ending of files that are not in their place yet. Whoever opens the ledger removes them.
pub(crate) const TEMPORARY: &str = "tmp";

/// Crash points around the rename: before it, after it.
pub(crate) type Points = (&'static str, &'static str);

/// Makes the folder's entries durable.
pub(crate) fn sync_dir(dir: &Path) -> Result<()> {
    File::open(dir)
        .and_then(|file| file.sync_all())
        .map_err(io("sync the folder", dir))
}

/// Makes the folder and those above it, durably.
pub(crate) fn make_dir(dir: &Path) -> Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(dir).map_err(io("make the folder", dir))?;
    sync_dir(dir)?;
    dir.parent().map_or(Ok(()), |parent| {
        let parent = if parent.as_os_str().is_empty() {
            Path::new(".")
        } else {
            parent
        };
        sync_dir(parent)
    })
}

/// Puts the bytes at `path`, whole or not at all; what stood there is replaced. The folder is not synced yet.
pub(crate) fn place_file(path: &Path, bytes: &[u8], (before, after): Points) -> Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(TEMPORARY);
    let temporary = PathBuf::from(name);
    let written = File::create(&temporary)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .map_err(io("write", &temporary));
    if let Err(error) = written {
        // A full disk is no reason to leave a piece of the file behind.
        let _ = fs::remove_file(&temporary);
        return Err(error);
    }
    crash_point(before);
    fs::rename(&temporary, path).map_err(io("rename into place", path))?;
    crash_point(after);
    Ok(())
}

/// [`place_file`], and the folder synced.
pub(crate) fn replace_file(path: &Path, bytes: &[u8], points: Points) -> Result<()> {
    place_file(path, bytes, points)?;
    path.parent().map_or(Ok(()), sync_dir)
}

/// The file's bytes; `None` when there is no such file.
pub(crate) fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(io("read", path)(cause)),
    }
}

/// The folder's entries by name, sorted; none when there is no such folder.
pub(crate) fn list(dir: &Path) -> Result<Vec<(String, PathBuf)>> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => return Err(io("list the folder", dir)(cause)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(io("list the folder", dir))?.path();
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        found.extend(name.map(|name| (name, path)));
    }
    found.sort();
    Ok(found)
}

/// Bytes in all files below the folder; 0 when there is none. Files that vanish meanwhile count nothing.
pub(crate) fn size_of_tree(dir: &Path) -> Result<u64> {
    let mut sum = 0;
    for (_, path) in list(dir)? {
        match fs::symlink_metadata(&path) {
            Ok(data) if data.is_dir() => sum += size_of_tree(&path)?,
            Ok(data) => sum += data.len(),
            Err(_) => {}
        }
    }
    Ok(sum)
}

/// Removes a folder and all below it; a missing one is fine.
pub(crate) fn remove_tree(dir: &Path) -> Result<()> {
    match fs::remove_dir_all(dir) {
        Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => {
            Err(io("remove the folder", dir)(cause))
        }
        _ => Ok(()),
    }
}
