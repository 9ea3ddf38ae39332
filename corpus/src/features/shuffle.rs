//! Seeded splits and shuffles: the same corpus has the same ones on every machine.

/// Domain of the derivations.
const CONTEXT: &str = "assay/v1/corpus-features";

/// A stream of words from BLAKE3, by purpose and number.
pub(super) struct Words(blake3::OutputReader);

impl Words {
    pub(super) fn new(purpose: &str, number: u32) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key(CONTEXT);
        hasher.update(purpose.as_bytes());
        hasher.update(&[0]);
        hasher.update(&number.to_le_bytes());
        Words(hasher.finalize_xof())
    }

    /// A number below `bound`, by multiplying and shifting.
    fn below(&mut self, bound: usize) -> usize {
        let mut bytes = [0u8; 8];
        self.0.fill(&mut bytes);
        let scaled = u128::from(u64::from_le_bytes(bytes)) * bound as u128;
        usize::try_from(scaled >> 64).unwrap_or(0)
    }

    /// Shuffles in place (Fisher and Yates).
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }
}

/// A random half of the tasks, the same share of either class: `true` for the tasks on which rules are chosen. Of an odd
/// class the smaller part is chosen.
pub(super) fn half(words: &mut Words, malicious: &[bool]) -> Vec<bool> {
    let mut chosen = vec![false; malicious.len()];
    for class in [true, false] {
        let mut tasks: Vec<usize> = (0..malicious.len())
            .filter(|task| malicious[*task] == class)
            .collect();
        words.shuffle(&mut tasks);
        let half = tasks.len() / 2;
        for task in tasks.into_iter().take(half) {
            chosen[task] = true;
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_takes_the_same_share_of_both_classes() {
        let malicious: Vec<bool> = (0..31).map(|n| n % 3 == 0).collect();
        let chosen = half(&mut Words::new("t", 1), &malicious);
        let count = |class| {
            (0..31)
                .filter(|n| chosen[*n] && malicious[*n] == class)
                .count()
        };
        assert_eq!((count(true), count(false)), (5, 10));
        assert_eq!(chosen, half(&mut Words::new("t", 1), &malicious));
        assert_ne!(chosen, half(&mut Words::new("t", 2), &malicious));
        assert_ne!(chosen, half(&mut Words::new("u", 1), &malicious));
    }

    #[test]
    fn a_shuffle_is_a_permutation_that_moves_every_place() {
        let mut firsts = std::collections::BTreeSet::new();
        for seed in 0..64 {
            let mut items: Vec<u32> = (0..5).collect();
            Words::new("t", seed).shuffle(&mut items);
            firsts.insert(items[0]);
            items.sort_unstable();
            assert_eq!(items, [0, 1, 2, 3, 4]);
        }
        assert_eq!(firsts.len(), 5);
    }
}
