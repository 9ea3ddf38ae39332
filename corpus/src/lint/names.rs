//! Names that give a label away, and names that some file systems would merge.

use unicode_normalization::UnicodeNormalization;

/// Words that say the label.
const LABEL_WORDS: [&str; 9] = [
    "malicious",
    "malware",
    "benign",
    "goodware",
    "safe",
    "clean",
    "vulnerable",
    "trap",
    "groundtruth",
];

/// Neighbouring words that say it together.
const LABEL_PAIRS: [[&str; 2]; 3] = [
    ["ground", "truth"],
    ["expected", "findings"],
    ["expected", "verdict"],
];

/// The label word that `text` holds, compared word by word: letters split at anything else and where a capital
/// follows a small letter, so `cleanUp.js` is refused and `cleanser.js` is not.
pub(super) fn label_word(text: &str) -> Option<String> {
    let words = split_words(text);
    let single = words.iter().find(|w| LABEL_WORDS.contains(&w.as_str()));
    let pair = || {
        words
            .windows(2)
            .find(|pair| LABEL_PAIRS.iter().any(|p| pair == p))
            .map(|pair| pair.join("_"))
    };
    single.cloned().or_else(pair)
}

fn split_words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small_before = false;
    for c in text.nfkc() {
        let breaks = !c.is_alphabetic() || (c.is_uppercase() && small_before);
        if breaks && words.last().is_some_and(|w| !w.is_empty()) {
            words.push(String::new());
        }
        if let (true, Some(word)) = (c.is_alphabetic(), words.last_mut()) {
            word.extend(c.to_lowercase());
        }
        small_before = c.is_lowercase();
    }
    words
}

/// What is left of a name on a file system that normalises and ignores case.
pub(super) fn folded(name: &str) -> String {
    // Upper case first: it merges letters that lower-casing alone keeps apart (sharp s, final sigma).
    let upper = name.nfc().collect::<String>().to_uppercase();
    upper.to_lowercase().nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn label_words_are_found_as_words_only() {
        for path in [
            "safe/x.py",
            "x_safe.py",
            "isSafe.js",
            "Clean-up.sh",
            "a/MALICIOUS",
            "safe2.py",
            "ground-truth.json",
            "expectedFindings.json",
        ] {
            assert!(label_word(path).is_some(), "{path}");
        }
        for path in [
            "safety/x.py",
            "cleanser.js",
            "strap.c",
            "unsafe.rs",
            "label.json",
            "ground/x/truth",
            "truth.md",
        ] {
            assert_eq!(label_word(path), None, "{path}");
        }
    }

    #[test]
    fn folding_merges_case_and_composition() {
        assert_eq!(folded("Caf\u{e9}.MD"), folded("cafe\u{301}.md"));
        assert_eq!(folded("stra\u{df}e"), folded("STRASSE"));
        assert_ne!(folded("a.md"), folded("b.md"));
    }
}
