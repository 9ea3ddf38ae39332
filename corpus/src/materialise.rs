//! A verified copy of an artifact: every byte is hashed while it is copied, and nothing of the source but names,
//! contents and the executable bit survives.

use crate::error::CorpusError;
use crate::hash::artifact_hash;
use crate::limits::Limits;
use crate::walk::{ArtifactFile, hash_file, walk};
use mechanism::ids::Hash32;
use std::fs::{self, File, FileTimes, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// Modification time of everything in a copy: 2020-01-01T00:00:00Z, in seconds since the epoch.
pub const FIXED_MTIME_S: u64 = 1_577_836_800;

static COUNTER: AtomicU64 = AtomicU64::new(0);

/// Copies the artifact at `from` to `into`, which must not exist or be an empty folder.
///
/// The copy is built beside `into` and renamed when its hash is `expected`: there is never a partial or unverified
/// artifact under that name. Files are written in the order of their paths with mode 0644 or 0755, folders get 0755,
/// every time is [`FIXED_MTIME_S`]; empty folders are not copied.
///
/// # Errors
/// [`CorpusError::Refused`], [`CorpusError::Read`] and [`CorpusError::Mismatch`] blame the corpus, [`CorpusError::Write`]
/// the host.
pub fn materialise_tree(
    from: &Path,
    into: &Path,
    expected: Hash32,
    limits: Limits,
) -> Result<(), CorpusError> {
    let listing = walk(from, limits).accept()?;
    let partial = fresh_sibling(into)?;
    let copied = copy(from, &listing.files, &partial).and_then(|found| {
        if found != expected {
            return Err(CorpusError::mismatch(
                from,
                "the artifact hash",
                expected,
                found,
            ));
        }
        fs::rename(&partial, into).map_err(|e| CorpusError::write(into, e))
    });
    if copied.is_err() {
        // The copy's own error is the one to report; what is left has a name that nothing reads.
        let _ = fs::remove_dir_all(&partial);
    }
    copied
}

fn copy(from: &Path, files: &[ArtifactFile], into: &Path) -> Result<Hash32, CorpusError> {
    let mut hashes = Vec::with_capacity(files.len());
    let mut folders = vec![into.to_owned()];
    for file in files {
        let path = into.join(&file.path);
        create_parents(into, &file.path, &mut folders)?;
        let mut target = File::create_new(&path).map_err(|e| CorpusError::write(&path, e))?;
        hashes.push(hash_file(from, file, |chunk| {
            target
                .write_all(chunk)
                .map_err(|e| CorpusError::write(&path, e))
        })?);
        let mode = if file.executable { 0o755 } else { 0o644 };
        settle(&target, mode).map_err(|e| CorpusError::write(&path, e))?;
    }
    // Children change the times of their folder, so folders settle last, deepest first.
    for folder in folders.iter().rev() {
        File::open(folder)
            .and_then(|handle| settle(&handle, 0o755))
            .map_err(|e| CorpusError::write(folder, e))?;
    }
    Ok(artifact_hash(&hashes))
}

fn create_parents(
    into: &Path,
    relative: &str,
    folders: &mut Vec<PathBuf>,
) -> Result<(), CorpusError> {
    let mut at = into.to_owned();
    let mut components: Vec<&str> = relative.split('/').collect();
    components.pop();
    for component in components {
        at.push(component);
        match fs::create_dir(&at) {
            Ok(()) => folders.push(at.clone()),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(CorpusError::write(&at, e)),
        }
    }
    Ok(())
}

fn settle(handle: &File, mode: u32) -> std::io::Result<()> {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(FIXED_MTIME_S);
    handle.set_permissions(Permissions::from_mode(mode))?;
    handle.set_times(FileTimes::new().set_modified(time).set_accessed(time))
}

/// A new empty folder beside `into`, so that the final rename stays on one file system.
fn fresh_sibling(into: &Path) -> Result<PathBuf, CorpusError> {
    let parent = into.parent().unwrap_or_else(|| Path::new("."));
    let name = into.file_name().unwrap_or_default().to_string_lossy();
    loop {
        let serial = COUNTER.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!(".{name}.partial-{}-{serial}", std::process::id()));
        match fs::create_dir(&path) {
            Ok(()) => return Ok(path),
            // Left over from another process of this id that was killed.
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(CorpusError::write(&path, e)),
        }
    }
}
