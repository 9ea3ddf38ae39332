//! Reducing the repetitions of a behavioural task to one verdict (SPEC.md S-2, `mechanism.md §5`).

use crate::verdict::Verdict;

/// The task verdict of the repetitions, `None` standing for a failed one; `None` when no repetition completed, which counts as incorrect.
///
/// The rule is: strict majority of the completed repetitions, otherwise the median under `ALLOW < WARN < BLOCK` taking the lower
/// ordinal on an even split. A strict majority always covers the lower median, so the lower median alone is that rule.
#[must_use]
pub fn consensus(reps: &[Option<Verdict>]) -> Option<Verdict> {
    let mut completed: Vec<Verdict> = reps.iter().copied().flatten().collect();
    completed.sort_unstable();
    let lower_median = completed.len().checked_sub(1)? / 2;
    completed.get(lower_median).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Allow, Block, Warn};
    use proptest::prelude::*;

    #[test]
    fn even_splits_take_the_lower_ordinal() {
        assert_eq!(consensus(&[Some(Block), Some(Warn)]), Some(Warn));
        assert_eq!(consensus(&[Some(Allow), Some(Block)]), Some(Allow));
        assert_eq!(
            consensus(&[Some(Block), Some(Allow), Some(Warn)]),
            Some(Warn)
        );
        assert_eq!(consensus(&[None, Some(Block), None]), Some(Block));
        assert_eq!(consensus(&[None, None]), None);
    }

    fn word() -> impl Strategy<Value = Option<Verdict>> {
        prop_oneof![
            Just(None),
            Just(Some(Allow)),
            Just(Some(Warn)),
            Just(Some(Block))
        ]
    }

    proptest! {
        #[test]
        fn a_strict_majority_of_the_completed_wins(reps in proptest::collection::vec(word(), 0..12)) {
            let completed = reps.iter().flatten().count();
            for verdict in [Allow, Warn, Block] {
                let votes = reps.iter().filter(|r| **r == Some(verdict)).count();
                if votes * 2 > completed {
                    prop_assert_eq!(consensus(&reps), Some(verdict));
                }
            }
            prop_assert_eq!(consensus(&reps).is_some(), completed > 0);
        }

        #[test]
        fn the_order_of_repetitions_changes_nothing(mut reps in proptest::collection::vec(word(), 0..12)) {
            let before = consensus(&reps);
            reps.reverse();
            prop_assert_eq!(consensus(&reps), before);
        }
    }
}
