//! Where a corpus lives: the folder of its manifest, or that folder's parent.

use crate::error::CorpusError;
use mechanism::track::Track;
use std::path::{Path, PathBuf};

/// File name of the manifest.
pub const MANIFEST_NAME: &str = "MANIFEST.json";

/// Finds the corpus folder: `dir` itself, else `dir/data`.
///
/// A corpus folder holds `MANIFEST.json` or, before its first pin, at least one track folder.
///
/// # Errors
/// [`CorpusError::NotACorpus`] when neither is one.
pub fn locate(dir: &Path) -> Result<PathBuf, CorpusError> {
    let candidates = [dir.to_owned(), dir.join("data")];
    let pinned = candidates.iter().find(|c| c.join(MANIFEST_NAME).is_file());
    let bare = || {
        candidates
            .iter()
            .find(|c| Track::ALL.iter().any(|t| c.join(t.as_str()).is_dir()))
    };
    pinned
        .or_else(bare)
        .cloned()
        .ok_or_else(|| CorpusError::NotACorpus(dir.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_parent_of_the_data_folder_names_it_too() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(
            locate(dir.path()),
            Err(CorpusError::NotACorpus(_))
        ));
        let data = dir.path().join("data");
        fs::create_dir_all(data.join("skills")).unwrap();
        assert_eq!(locate(dir.path()).unwrap(), data);
        fs::write(data.join(MANIFEST_NAME), "{}").unwrap();
        assert_eq!(locate(dir.path()).unwrap(), data);
        assert_eq!(locate(&data).unwrap(), data);
    }
}
