//! How alike two artifacts are: the Jaccard similarity of their token shingles.
//!
//! Layout, case, punctuation, file names and licence texts do not count, so that a copy with another indentation or
//! another folder is still a copy.

use crate::language::file_name;
use mechanism::words::words;
use std::collections::VecDeque;

/// Neighbouring tokens that make one shingle.
const SHINGLE_TOKENS: usize = 5;
/// Two artifacts are near-duplicates from this Jaccard similarity on: 4/5.
const NEAR: [u64; 2] = [4, 5];
/// A file with a zero byte among its first bytes is not text.
const SNIFF_BYTES: usize = 8 * 1024;
/// File names, without ending and case, of texts that many artifacts share by right.
const LICENCE_NAMES: [&str; 5] = ["license", "licence", "copying", "notice", "unlicense"];

/// The set of an artifact's shingles.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Shingles {
    /// Hashes, sorted, each once after [`Shingles::close`].
    hashes: Vec<u64>,
}

impl Shingles {
    /// Adds a file's shingles. A text of fewer tokens than a shingle counts as one shingle.
    pub(crate) fn add(&mut self, path: &str, content: &[u8]) {
        if is_licence(path) {
            return;
        }
        let Some(text) = text_of(content) else { return };
        let mut window: VecDeque<String> = VecDeque::with_capacity(SHINGLE_TOKENS);
        let mut whole = false;
        for token in words(&text) {
            if window.len() == SHINGLE_TOKENS {
                window.pop_front();
            }
            window.push_back(token);
            if window.len() == SHINGLE_TOKENS {
                self.hashes.push(hash(&window));
                whole = true;
            }
        }
        if !whole && !window.is_empty() {
            self.hashes.push(hash(&window));
        }
    }

    /// Brings the set into the form that can be compared.
    pub(crate) fn close(mut self) -> Self {
        self.hashes.sort_unstable();
        self.hashes.dedup();
        self
    }

    /// Shared shingles and those of both together, when the sets are near-duplicates.
    pub(crate) fn near(&self, other: &Shingles) -> Option<(u64, u64)> {
        let reaches = |part: u64, whole: u64| part > 0 && part * NEAR[1] >= whole * NEAR[0];
        let (a, b) = (self.hashes.len() as u64, other.hashes.len() as u64);
        // The smaller set over the larger one bounds the similarity.
        if !reaches(a.min(b), a.max(b)) {
            return None;
        }
        let shared = shared(&self.hashes, &other.hashes);
        let union = a + b - shared;
        reaches(shared, union).then_some((shared, union))
    }
}

/// The text of a file, undecodable bytes replaced; `None` when it is binary.
pub(crate) fn text_of(content: &[u8]) -> Option<std::borrow::Cow<'_, str>> {
    let head = content.get(..SNIFF_BYTES).unwrap_or(content);
    (!head.contains(&0)).then(|| String::from_utf8_lossy(content))
}

/// Whether the file's name says that it is a licence.
pub(crate) fn is_licence(path: &str) -> bool {
    let name = file_name(path).to_ascii_lowercase();
    let stem = name.split(['.', '-']).next().unwrap_or(&name);
    LICENCE_NAMES.contains(&stem)
}

fn hash(tokens: &VecDeque<String>) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for token in tokens {
        hasher.update(token.as_bytes());
        // No token holds a space.
        hasher.update(b" ");
    }
    let mut first = [0u8; 8];
    hasher.finalize_xof().fill(&mut first);
    u64::from_le_bytes(first)
}

/// Size of the intersection of two sorted lists without repetition.
fn shared(a: &[u64], b: &[u64]) -> u64 {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        match x.cmp(y) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                count += 1;
                i += 1;
                j += 1;
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[(&str, &str)]) -> Shingles {
        let mut shingles = Shingles::default();
        for (path, text) in files {
            shingles.add(path, text.as_bytes());
        }
        shingles.close()
    }

    fn numbered(from: usize, to: usize) -> String {
        (from..to).map(|n| format!("w{n} ")).collect()
    }

    #[test]
    fn layout_case_names_and_licences_do_not_count() {
        let one = of(&[("a.py", "def f(x):\n    return x + 1  # more\n")]);
        let other = of(&[
            ("lib/b.py", "DEF f( x ): return X+1 # more"),
            ("LICENSE.txt", "some licence text of more than five words"),
        ]);
        assert_eq!(one, other);
        assert!(one.near(&other).is_some());
    }

    #[test]
    fn the_threshold_is_four_fifths_of_the_union() {
        // 40 shingles each; a copy that shares 36 has a union of 44 (0.82), one that shares 35 a union of 45 (0.78).
        let base = of(&[("a", &numbered(0, 44))]);
        let near = of(&[("a", &numbered(4, 48))]);
        let far = of(&[("a", &numbered(5, 49))]);
        assert_eq!(base.near(&near), Some((36, 44)));
        assert_eq!(base.near(&far), None);
    }

    #[test]
    fn nothing_is_near_to_an_artifact_without_text() {
        let binary = of(&[("a", "\0\0 one two three four five six")]);
        assert_eq!(binary, Shingles::default());
        assert_eq!(binary.near(&binary), None);
        assert!(
            of(&[("a", "two words")])
                .near(&of(&[("b", "two words")]))
                .is_some()
        );
    }
}
