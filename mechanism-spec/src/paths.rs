//! Normal form of the paths that labels and reports name (SPEC.md S-6, `mechanism.md §7`).

use std::collections::BTreeSet;
use unicode_normalization::UnicodeNormalization;

/// Where the artifact lies inside a run; agents may report absolute paths.
const ARTIFACT_PREFIX: &str = "/task/artifact/";

/// The normalised place a finding names. The order is only there to make it a key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Location {
    /// No place named.
    Absent,
    /// A path that climbs out of the artifact: it equals nothing, not even itself.
    Outside,
    /// The normal form; usually, but not necessarily, a file of the artifact.
    At(String),
}

impl Location {
    /// Whether two named places are the same.
    #[must_use]
    pub fn same_place(&self, other: &Location) -> bool {
        matches!((self, other), (Location::At(a), Location::At(b)) if a == b)
    }

    /// Whether any place is named.
    #[must_use]
    pub const fn is_named(&self) -> bool {
        !matches!(self, Location::Absent)
    }

    /// The path, if it stays inside the artifact.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        match self {
            Location::At(path) => Some(path),
            Location::Absent | Location::Outside => None,
        }
    }
}

/// The file names of one artifact, indexed for the suffix rule.
#[derive(Debug, Clone, Default)]
pub struct ArtifactFiles {
    names: BTreeSet<String>,
    /// Every name spelt backwards, sorted: names with a common ending are neighbours.
    reversed: Vec<(Vec<u8>, String)>,
}

impl ArtifactFiles {
    /// Indexes the artifact's paths (relative, `/` between components), in NFC.
    pub fn new<S: AsRef<str>>(paths: impl IntoIterator<Item = S>) -> Self {
        let names: BTreeSet<String> = paths.into_iter().map(|path| nfc(path.as_ref())).collect();
        let mut reversed: Vec<(Vec<u8>, String)> = names
            .iter()
            .map(|name| (name.bytes().rev().collect(), name.clone()))
            .collect();
        reversed.sort_unstable();
        ArtifactFiles { names, reversed }
    }

    /// Normalises a path and applies the suffix rule: a path that is no file of the artifact stands for the only file that ends with
    /// `/` + path; an ambiguous or unknown suffix stays as it is.
    #[must_use]
    pub fn locate(&self, path: &str) -> Location {
        let Some(normal) = normalise(path) else {
            return Location::Outside;
        };
        if self.names.contains(&normal) {
            return Location::At(normal);
        }
        match self.only_file_ending_with(&normal) {
            Some(file) => Location::At(file.to_owned()),
            None => Location::At(normal),
        }
    }

    fn only_file_ending_with(&self, path: &str) -> Option<&str> {
        let wanted: Vec<u8> = path.bytes().rev().chain([b'/']).collect();
        let from = self
            .reversed
            .partition_point(|(reversed, _)| reversed < &wanted);
        let mut hits = self.reversed[from..]
            .iter()
            .take_while(|(reversed, _)| reversed.starts_with(&wanted));
        let only = hits.next()?;
        hits.next().is_none().then_some(only.1.as_str())
    }
}

/// The lexical normal form, or `None` for a path that climbs out of the artifact.
///
/// NFC; `\` becomes `/`; one leading `/task/artifact/` is dropped; empty and `.` components vanish (with them every leading `./`
/// and `/`); `..` is resolved lexically. No URI decoding, no trimming, case kept.
#[must_use]
pub fn normalise(path: &str) -> Option<String> {
    let path = nfc(path).replace('\\', "/");
    let path = path.strip_prefix(ARTIFACT_PREFIX).unwrap_or(&path);
    let mut components: Vec<&str> = Vec::new();
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." => {
                components.pop()?;
            }
            name => components.push(name),
        }
    }
    Some(components.join("/"))
}

fn nfc(text: &str) -> String {
    text.nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_file_are_one_path() {
        for spelling in [
            "srv/db.py",
            "./srv/db.py",
            "/srv/db.py",
            "/././/srv//./db.py",
            "srv\\db.py",
            "/task/artifact/srv/db.py",
            "\\task\\artifact\\srv\\db.py",
            "srv/x/../db.py",
        ] {
            assert_eq!(
                normalise(spelling).as_deref(),
                Some("srv/db.py"),
                "{spelling}"
            );
        }
    }

    #[test]
    fn what_is_not_normalised_stays() {
        for path in [
            "srv/DB.py",
            " srv/db.py",
            "srv%2Fdb.py",
            "file:srv/db.py",
            "task/artifact/srv/db.py",
        ] {
            assert_eq!(normalise(path).as_deref(), Some(path));
        }
        assert_eq!(
            normalise("/task/artifact//task/artifact/a").as_deref(),
            Some("task/artifact/a")
        );
        assert_eq!(normalise("cafe\u{301}").as_deref(), Some("caf\u{e9}"));
    }

    #[test]
    fn climbing_out_is_no_place() {
        for path in ["..", "../a", "a/../../b", "/task/artifact/../a"] {
            assert_eq!(normalise(path), None, "{path}");
        }
        let files = ArtifactFiles::new(["a"]);
        let outside = files.locate("../a");
        assert_eq!(outside, Location::Outside);
        assert!(!outside.same_place(&outside) && outside.is_named());
    }

    #[test]
    fn only_an_unambiguous_suffix_stands_for_its_file() {
        let files = ArtifactFiles::new([
            "web/app.js",
            "srv/db.py",
            "srv/api/db.py",
            "cfg.yml",
            "srv/mydb.py",
        ]);
        let at = |path: &str| Location::At(path.to_owned());
        assert_eq!(files.locate("app.js"), at("web/app.js"));
        assert_eq!(files.locate("api/db.py"), at("srv/api/db.py"));
        assert_eq!(files.locate("db.py"), at("db.py"));
        assert_eq!(files.locate("mydb.py"), at("srv/mydb.py"));
        assert_eq!(files.locate("pp.js"), at("pp.js"));
        assert_eq!(files.locate("gone.txt"), at("gone.txt"));
        assert_eq!(files.locate("x/cfg.yml"), at("x/cfg.yml"));
        assert_eq!(files.locate(""), at(""));
    }

    #[test]
    fn an_exact_name_beats_a_longer_one_that_ends_with_it() {
        let files = ArtifactFiles::new(["db.py", "srv/db.py"]);
        assert_eq!(files.locate("db.py"), Location::At("db.py".to_owned()));
    }
}
