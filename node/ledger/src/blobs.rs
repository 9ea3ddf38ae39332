//! Content-addressed bytes: `blobs/aa/<hex>`, named by their BLAKE3 hash and verified whenever they are read.

use crate::crash::crash_point;
use crate::durable::{self, TEMPORARY};
use crate::error::{LedgerError, Result, io};
use mechanism::ids::Hash32;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of blobs.
#[derive(Debug)]
pub(crate) struct Blobs {
    dir: PathBuf,
}

impl Blobs {
    pub(crate) fn at(dir: PathBuf) -> Self {
        Blobs { dir }
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    pub(crate) fn path(&self, hash: &Hash32) -> PathBuf {
        let hex = hash.to_hex();
        self.dir.join(hex.get(..2).unwrap_or_default()).join(hex)
    }

    /// Keeps the bytes durably. Bytes that are there and whole are not written again; damaged ones are healed.
    pub(crate) fn put(&self, bytes: &[u8]) -> Result<Hash32> {
        let hash = Hash32::from(blake3::hash(bytes));
        let path = self.path(&hash);
        let folder = path.parent().unwrap_or(&self.dir);
        durable::make_dir(folder)?;
        let there = durable::read_if_there(&path)?;
        if there.is_none_or(|found| found != bytes) {
            crash_point("blob.before_write");
            durable::place_file(&path, bytes, ("blob.before_rename", "blob.after_rename"))?;
        }
        // Also for bytes that were there: a crash may have come between their rename and the sync of the folder.
        durable::sync_dir(folder)?;
        crash_point("blob.after_sync");
        Ok(hash)
    }

    /// The bytes, verified.
    pub(crate) fn get(&self, hash: &Hash32) -> Result<Vec<u8>> {
        let path = self.path(hash);
        let bytes = durable::read_if_there(&path)?;
        let bytes = bytes.ok_or_else(|| LedgerError::BlobMissing { path: path.clone() })?;
        if Hash32::from(blake3::hash(&bytes)) == *hash {
            Ok(bytes)
        } else {
            Err(LedgerError::damage(
                &path,
                0,
                "the bytes are not those of the hash in the name",
            ))
        }
    }

    fn files(&self) -> Result<Vec<(String, PathBuf)>> {
        let mut files = Vec::new();
        for (_, folder) in durable::list(&self.dir)? {
            if folder.is_dir() {
                files.extend(durable::list(&folder)?);
            }
        }
        Ok(files)
    }

    /// Removes files that a crash left half written.
    pub(crate) fn sweep(&self) -> Result<Vec<PathBuf>> {
        let unfinished = |(_, path): (String, PathBuf)| {
            path.extension()
                .is_some_and(|end| end == TEMPORARY)
                .then_some(path)
        };
        let swept: Vec<PathBuf> = self.files()?.into_iter().filter_map(unfinished).collect();
        for path in &swept {
            fs::remove_file(path).map_err(io("remove", path))?;
        }
        Ok(swept)
    }

    /// Removes every blob that is not named; says how many.
    pub(crate) fn keep_only(&self, named: &BTreeSet<Hash32>) -> Result<usize> {
        let mut removed = 0;
        for (name, path) in self.files()? {
            let keep = name
                .parse::<Hash32>()
                .is_ok_and(|hash| named.contains(&hash));
            if !keep {
                fs::remove_file(&path).map_err(io("remove", &path))?;
                removed += 1;
            }
        }
        Ok(removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_verified_and_damage_is_healed_by_the_same_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let blobs = Blobs::at(dir.path().join("blobs"));
        let hash = blobs.put(b"some bytes").unwrap();
        assert_eq!(blobs.get(&hash).unwrap(), b"some bytes");
        fs::write(blobs.path(&hash), b"other").unwrap();
        assert!(matches!(blobs.get(&hash), Err(LedgerError::Damage { .. })));
        blobs.put(b"some bytes").unwrap();
        assert_eq!(blobs.get(&hash).unwrap(), b"some bytes");
        let other = blobs.put(b"").unwrap();
        assert_eq!(blobs.keep_only(&[hash].into()).unwrap(), 1);
        assert!(matches!(
            blobs.get(&other),
            Err(LedgerError::BlobMissing { .. })
        ));
    }
}
