//! The hashes that pin a corpus (`mechanism.md`, *Bytes*): strings are their length as u32 little endian and then
//! UTF-8, 32-byte values go raw, integers are u32 little endian.

use mechanism::bytes::Fields;
use mechanism::ids::{Hash32, TaskRef};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

const CHUNK: usize = 64 * 1024;

/// One file of an artifact with the hash of its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileHash {
    /// Path relative to the artifact, `/` between components.
    pub path: String,
    /// Size in bytes.
    pub size: u64,
    /// BLAKE3 of the content.
    pub hash: Hash32,
    /// Whether the owner may execute it.
    pub executable: bool,
}

/// Hash of an artifact: over (path, executable bit, content hash) of each file, by path in byte order.
///
/// Times, owners, other mode bits and empty folders do not enter: the copy that an agent sees has none of them.
#[must_use]
pub fn artifact_hash(files: &[FileHash]) -> Hash32 {
    let mut sorted: Vec<&FileHash> = files.iter().collect();
    sorted.sort_by(|a, b| a.path.as_bytes().cmp(b.path.as_bytes()));
    let fields = sorted.into_iter().fold(Fields::new(), |fields, file| {
        fields
            .text(&file.path)
            .u32(u32::from(file.executable))
            .hash32(&file.hash)
    });
    fields.hash()
}

/// The corpus root: over (task reference, artifact hash, label hash) of each task, by reference in byte order.
#[must_use]
pub fn root_hash<'a>(tasks: impl IntoIterator<Item = (&'a TaskRef, Hash32, Hash32)>) -> Hash32 {
    let mut sorted: Vec<_> = tasks.into_iter().collect();
    sorted.sort_by(|a, b| a.0.as_str().as_bytes().cmp(b.0.as_str().as_bytes()));
    let fields = sorted
        .into_iter()
        .fold(Fields::new(), |fields, (task_ref, artifact, label)| {
            fields
                .text(task_ref.as_str())
                .hash32(&artifact)
                .hash32(&label)
        });
    fields.hash()
}

/// Opens a regular file that `walk` has seen, and refuses one that was replaced (say, by a link) since.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    let seen = fs::symlink_metadata(path)?;
    if !seen.is_file() {
        return Err(io::Error::other("no longer a regular file"));
    }
    let file = File::open(path)?;
    let opened = file.metadata()?;
    if (opened.dev(), opened.ino()) != (seen.dev(), seen.ino()) {
        return Err(io::Error::other("replaced while it was opened"));
    }
    Ok(file)
}

/// Hashes what is left in `from`, hands every chunk to `sink` before the next is read, and says how many bytes there were.
pub(crate) fn hash_through<E>(
    from: &mut impl Read,
    on_read: impl Fn(io::Error) -> E,
    mut sink: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(Hash32, u64), E> {
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0u8; CHUNK];
    let mut total = 0u64;
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) => return Ok((hasher.finalize().into(), total)),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(on_read(error)),
        };
        let chunk = buffer.get(..count).unwrap_or_default();
        hasher.update(chunk);
        total += count as u64;
        sink(chunk)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file(path: &str, executable: bool, content: &[u8]) -> FileHash {
        FileHash {
            path: path.to_owned(),
            size: content.len() as u64,
            hash: blake3::hash(content).into(),
            executable,
        }
    }

    #[test]
    fn the_artifact_hash_is_the_documented_bytes() {
        let mut bytes = Vec::new();
        for (path, bit, content) in [("a.sh", 1u32, b"x" as &[u8]), ("b/c", 0, b"")] {
            bytes.extend((path.len() as u32).to_le_bytes());
            bytes.extend(path.as_bytes());
            bytes.extend(bit.to_le_bytes());
            bytes.extend(blake3::hash(content).as_bytes());
        }
        let files = [file("b/c", false, b""), file("a.sh", true, b"x")];
        assert_eq!(artifact_hash(&files), blake3::hash(&bytes).into());
    }

    #[test]
    fn the_length_prefix_keeps_neighbours_apart() {
        let one = [file("ab", false, b"x")];
        let other = [file("a", false, b"x")];
        assert_ne!(artifact_hash(&one), artifact_hash(&other));
        assert_ne!(
            artifact_hash(&one),
            artifact_hash(&[file("ab", true, b"x")])
        );
    }

    #[test]
    fn hashing_through_hands_every_byte_on() {
        let content = vec![7u8; CHUNK + 3];
        let mut copy = Vec::new();
        let result = hash_through(
            &mut content.as_slice(),
            |error| error,
            |chunk| {
                copy.extend_from_slice(chunk);
                Ok(())
            },
        );
        assert_eq!(
            result.unwrap(),
            (blake3::hash(&content).into(), content.len() as u64)
        );
        assert_eq!(copy, content);
    }

    proptest! {
        #[test]
        fn the_order_of_the_input_changes_nothing(
            names in proptest::collection::btree_set("[a-z]{1,6}(/[a-z]{1,4})?", 1..12),
            rotation in 0usize..12,
        ) {
            let mut files: Vec<_> = names.iter().map(|n| file(n, n.len() % 2 == 0, n.as_bytes())).collect();
            let before = artifact_hash(&files);
            let by = rotation % files.len();
            files.rotate_left(by);
            files.reverse();
            prop_assert_eq!(artifact_hash(&files), before);

            let refs: Vec<_> = names.iter().map(TaskRef::new).collect();
            let mut entries: Vec<_> = refs.iter().map(|r| {
                let hash = blake3::hash(r.as_str().as_bytes()).into();
                (r, hash, before)
            }).collect();
            let root = root_hash(entries.clone());
            let by = rotation % entries.len();
            entries.rotate_left(by);
            prop_assert_eq!(root_hash(entries), root);
        }
    }
}
