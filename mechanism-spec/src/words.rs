//! Words of categories, titles and descriptions (SPEC.md S-4, `mechanism.md §6`).

use crate::rational::Rational;
use num_bigint::BigUint;
use std::collections::BTreeSet;

/// A set of words; the order is the byte order, so sets compare and hash alike everywhere.
pub type WordSet = BTreeSet<String>;

/// The words of a text in order: each run of `[a-z0-9]` after ASCII lower-casing. Other letters separate words.
pub fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|run| !run.is_empty())
        .map(str::to_ascii_lowercase)
}

/// The set of all words of a text.
#[must_use]
pub fn word_set(text: &str) -> WordSet {
    words(text).collect()
}

/// Whether the sets share a word of at least `min_len` characters. An empty set never overlaps.
#[must_use]
pub fn share_word(a: &WordSet, b: &WordSet, min_len: usize) -> bool {
    let (small, large) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    small
        .iter()
        .any(|word| word.len() >= min_len && large.contains(word))
}

/// Whether the Jaccard similarity of the sets reaches the threshold, decided exactly. An empty set never overlaps.
#[must_use]
pub fn jaccard_reaches(a: &WordSet, b: &WordSet, threshold: &Rational) -> bool {
    if a.is_empty() || b.is_empty() {
        return false;
    }
    let (small, large) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let shared = small.iter().filter(|word| large.contains(*word)).count();
    let union = a.len() + b.len() - shared;
    BigUint::from(shared) * threshold.den() >= BigUint::from(union) * threshold.num()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_ascii_runs_in_lower_case() {
        let found: Vec<String> = words("SQL-injection in db2, caf\u{e9}!").collect();
        assert_eq!(found, ["sql", "injection", "in", "db2", "caf"]);
        assert!(word_set("\u{4f60}\u{597d} --- !").is_empty());
    }

    #[test]
    fn jaccard_is_exact_at_the_threshold() {
        let a = word_set("a b c d e f g h i j k l m n o p q");
        // 17 shared of a union of 50 is exactly 17/50.
        let wide: WordSet = a
            .iter()
            .cloned()
            .chain((0..33).map(|n| format!("x{n}")))
            .collect();
        let threshold = Rational::new(17, 50).unwrap();
        assert!(jaccard_reaches(&a, &wide, &threshold));
        let wider: WordSet = wide.iter().cloned().chain(["y".to_owned()]).collect();
        assert!(!jaccard_reaches(&a, &wider, &threshold));
        assert!(!jaccard_reaches(
            &WordSet::new(),
            &WordSet::new(),
            &threshold
        ));
        // One of three is below 0.34.
        assert!(!jaccard_reaches(
            &word_set("a b"),
            &word_set("a c"),
            &threshold
        ));
    }

    #[test]
    fn shared_words_have_a_minimum_length() {
        let a = word_set("to the keychain");
        assert!(share_word(&a, &word_set("KEYCHAIN leaves"), 4));
        assert!(!share_word(&a, &word_set("to the wallet"), 4));
        assert!(share_word(&a, &word_set("to"), 1));
    }
}
