//! From the path that a label names to the file on disk, by the mechanism's path rules (`mechanism.md §7`).

use mechanism::paths::{ArtifactFiles, Location};
use std::collections::BTreeMap;
use unicode_normalization::UnicodeNormalization;

/// The files of one artifact, by the names that findings are compared with and by those on disk.
pub(crate) struct ArtifactPaths {
    rules: ArtifactFiles,
    /// Name in NFC to the name on disk.
    on_disk: BTreeMap<String, String>,
}

impl ArtifactPaths {
    /// From the paths of an artifact's files.
    pub(crate) fn new<'a>(paths: impl IntoIterator<Item = &'a str>) -> Self {
        let on_disk: BTreeMap<String, String> = paths
            .into_iter()
            .map(|path| (path.nfc().collect(), path.to_owned()))
            .collect();
        ArtifactPaths {
            rules: ArtifactFiles::new(on_disk.keys()),
            on_disk,
        }
    }

    /// The path on disk of the file that `text` stands for; `None` when it stands for no file of the artifact.
    pub(crate) fn resolve(&self, text: &str) -> Option<&str> {
        match self.rules.locate(text) {
            Location::At(path) => self.on_disk.get(&path).map(String::as_str),
            Location::Absent | Location::Outside => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_to_the_name_on_disk() {
        let paths = ArtifactPaths::new(["src/a.py", "lib/x/b.py", "tests/b.py", "Cafe\u{301}.md"]);
        assert_eq!(paths.resolve("/task/artifact/src/a.py"), Some("src/a.py"));
        assert_eq!(paths.resolve("a.py"), Some("src/a.py"));
        assert_eq!(paths.resolve("b.py"), None);
        assert_eq!(paths.resolve("../a.py"), None);
        assert_eq!(paths.resolve(""), None);
        assert_eq!(paths.resolve("Caf\u{e9}.md"), Some("Cafe\u{301}.md"));
    }
}
