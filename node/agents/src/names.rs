//! Paths inside a bundle: what is allowed, and which paths collide.

use crate::error::{BundleError, shown};
use std::collections::HashMap;
use unicode_normalization::UnicodeNormalization;

/// Longest path in bytes.
const LONGEST: usize = 255;
/// Most components of a path; far from the depth at which a sandbox refuses to copy.
const DEEPEST: usize = 32;
/// What tools leave behind: compiled modules could hide what the sources say, and packing leaves both out.
pub(crate) const LEFT_OUT: [&str; 2] = ["__pycache__", ".git"];

/// Checks one path and returns it as text.
pub(crate) fn check(raw: &[u8]) -> Result<&str, BundleError> {
    let bad = |problem| Err(BundleError::name(raw, problem));
    if raw.len() > LONGEST {
        return bad("has more than 255 bytes");
    }
    let Ok(path) = std::str::from_utf8(raw) else {
        return bad("is no UTF-8");
    };
    if path.is_empty() {
        return bad("is empty");
    }
    if path.starts_with('/') {
        return bad("is absolute");
    }
    if path.contains('\\') {
        return bad("holds a backslash");
    }
    if path.chars().any(char::is_control) {
        return bad("holds a control character");
    }
    for part in path.split('/') {
        match part {
            "" => return bad("has an empty component"),
            "." => return bad("has a component '.'"),
            ".." => return bad("leads out of the bundle"),
            part if LEFT_OUT.contains(&part) => return bad("has a component that no bundle holds"),
            _ => {}
        }
    }
    if path.split('/').count() > DEEPEST {
        return bad("is more than 32 components deep");
    }
    Ok(path)
}

/// All paths so far, by what is left of them on a file system that normalises and ignores case.
#[derive(Debug, Default)]
pub(crate) struct Names(HashMap<String, Seen>);

#[derive(Debug)]
struct Seen {
    spelling: String,
    folder: bool,
}

impl Names {
    /// Adds the path of a file and the folders above it.
    pub(crate) fn add(&mut self, path: &str) -> Result<(), BundleError> {
        for (at, _) in path.match_indices('/') {
            self.take(&path[..at], true)?;
        }
        self.take(path, false)
    }

    fn take(&mut self, path: &str, folder: bool) -> Result<(), BundleError> {
        let Some(seen) = self.0.get(&folded(path)) else {
            let seen = Seen {
                spelling: path.to_owned(),
                folder,
            };
            self.0.insert(folded(path), seen);
            return Ok(());
        };
        let name = shown(path.as_bytes());
        if seen.spelling != path {
            let other = shown(seen.spelling.as_bytes());
            return Err(BundleError::SameName { name, other });
        }
        match (seen.folder, folder) {
            (true, true) => Ok(()),
            (false, false) => Err(BundleError::Duplicate { name }),
            _ => Err(BundleError::FileAndFolder { name }),
        }
    }
}

/// Upper case first: it merges letters that lower-casing alone keeps apart (sharp s, final sigma).
fn folded(path: &str) -> String {
    let upper = path.nfc().collect::<String>().to_uppercase();
    upper.to_lowercase().nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_lead_anywhere_else_are_refused() {
        for (path, word) in [
            ("/etc/passwd", "absolute"),
            ("../x", "leads out"),
            ("a/../b", "leads out"),
            ("a/..", "leads out"),
            ("a/__pycache__/b.pyc", "no bundle holds"),
            ("./a", "'.'"),
            ("a//b", "empty component"),
            ("a/", "empty component"),
            ("", "empty"),
            ("C:\\x", "backslash"),
            ("a\0b", "control"),
            ("a\nb", "control"),
            ("a\u{85}b", "control"),
        ] {
            let error = check(path.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(word) && !error.contains('\n'), "{error}");
        }
        assert!(check(b"\xff").unwrap_err().to_string().contains("UTF-8"));
        let long = "n".repeat(LONGEST);
        assert_eq!(check(long.as_bytes()).unwrap(), long);
        assert!(check(format!("{long}n").as_bytes()).is_err());
        let deep = "d/".repeat(DEEPEST - 1) + "f";
        assert_eq!(check(deep.as_bytes()).unwrap(), deep);
        assert!(check(format!("d/{deep}").as_bytes()).is_err());
        assert_eq!(check("a..b/...".as_bytes()).unwrap(), "a..b/...");
    }

    #[test]
    fn paths_that_some_file_system_would_merge_collide() {
        let last = |paths: &[&str]| {
            let mut names = Names::default();
            let mut last = Ok(());
            for path in paths {
                last = names.add(path);
            }
            last.map_err(|error| error.to_string())
        };
        assert_eq!(last(&["a/b", "a/c", "d"]), Ok(()));
        for (paths, word) in [
            (["a", "a"], "twice"),
            (["a", "A"], "same name"),
            (["Pkg/a", "pkg/b"], "same name"),
            (["caf\u{e9}", "cafe\u{301}"], "same name"),
            (["stra\u{df}e", "STRASSE"], "same name"),
            (["a", "a/b"], "a file and a folder"),
            (["a/b", "a"], "a file and a folder"),
        ] {
            assert!(last(&paths).unwrap_err().contains(word), "{paths:?}");
        }
    }
}
