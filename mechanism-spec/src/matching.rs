//! Maximum one-to-one matching of labelled and reported findings (SPEC.md S-5, `mechanism.md §6, §7`).
//!
//! A maximum matching has one size whatever the order of a report, which a greedy pairing has not.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// A maximum matching of a bipartite graph, by breadth-first augmenting paths.
///
/// `edges[left]` lists the right nodes (below `right_count`) that `left` may take; the result holds for each left node the right
/// node it got. Edges out of range are ignored. Cost: left nodes × edges.
#[must_use]
pub fn maximum(edges: &[Vec<usize>], right_count: usize) -> Vec<Option<usize>> {
    let mut right_of: Vec<Option<usize>> = vec![None; edges.len()];
    let mut left_of: Vec<Option<usize>> = vec![None; right_count];
    for start in 0..edges.len() {
        augment(start, edges, &mut right_of, &mut left_of);
    }
    right_of
}

/// A labelled finding and the reported one it was matched with, as 0-based positions in their lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Pair {
    /// Position in the label's list.
    pub planted: usize,
    /// Position in the report's list.
    pub reported: usize,
}

/// Matches labelled findings with reported ones, as many as possible, each at most once.
///
/// `reported` holds what decides about a report's entry; of equal entries only the first can match, so duplicates never help. `agrees`
/// must depend on nothing but its two arguments. The number of pairs does not depend on the order of either list.
pub fn pair_up<P, K: Ord>(
    planted: &[P],
    reported: &[K],
    agrees: impl Fn(&P, &K) -> bool,
) -> Vec<Pair> {
    let mut first_of_equal: BTreeMap<&K, usize> = BTreeMap::new();
    for (position, key) in reported.iter().enumerate() {
        first_of_equal.entry(key).or_insert(position);
    }
    let mut candidates: Vec<usize> = first_of_equal.into_values().collect();
    candidates.sort_unstable();
    let edges: Vec<Vec<usize>> = planted
        .iter()
        .map(|planted| {
            (0..candidates.len())
                .filter(|&at| agrees(planted, &reported[candidates[at]]))
                .collect()
        })
        .collect();
    maximum(&edges, candidates.len())
        .into_iter()
        .enumerate()
        .filter_map(|(planted, right)| {
            let reported = *candidates.get(right?)?;
            Some(Pair { planted, reported })
        })
        .collect()
}

/// Searches one augmenting path from the free left node `start` and flips it.
fn augment(
    start: usize,
    edges: &[Vec<usize>],
    right_of: &mut [Option<usize>],
    left_of: &mut [Option<usize>],
) {
    let mut reached_from: Vec<Option<usize>> = vec![None; left_of.len()];
    let mut queue = VecDeque::from([start]);
    while let Some(left) = queue.pop_front() {
        for &right in edges.get(left).into_iter().flatten() {
            if right >= left_of.len() || reached_from[right].is_some() {
                continue;
            }
            reached_from[right] = Some(left);
            match left_of[right] {
                Some(next) => queue.push_back(next),
                None => return flip(right, &reached_from, right_of, left_of),
            }
        }
    }
}

fn flip(
    end: usize,
    reached_from: &[Option<usize>],
    right_of: &mut [Option<usize>],
    left_of: &mut [Option<usize>],
) {
    let mut right = Some(end);
    while let Some(at) = right {
        let Some(left) = reached_from[at] else { return };
        left_of[at] = Some(left);
        right = right_of[left].replace(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn size(matching: &[Option<usize>]) -> usize {
        matching.iter().flatten().count()
    }

    fn brute_force(edges: &[Vec<usize>], taken: u32) -> usize {
        let Some((first, rest)) = edges.split_first() else {
            return 0;
        };
        first
            .iter()
            .filter(|right| taken & (1 << **right) == 0)
            .map(|right| 1 + brute_force(rest, taken | (1 << *right)))
            .chain([brute_force(rest, taken)])
            .max()
            .unwrap_or(0)
    }

    #[test]
    fn an_earlier_choice_is_given_up_for_a_larger_matching() {
        let matching = maximum(&[vec![0, 1], vec![0]], 2);
        assert_eq!(matching, vec![Some(1), Some(0)]);
    }

    #[test]
    fn only_one_of_equal_entries_can_match() {
        let pairs = pair_up(&[1, 1, 2], &[1, 1, 2, 2], |planted, reported| {
            planted == reported
        });
        let expected = [(0, 0), (2, 2)].map(|(planted, reported)| Pair { planted, reported });
        assert_eq!(pairs, expected);
    }

    #[test]
    fn edges_out_of_range_are_ignored() {
        assert_eq!(size(&maximum(&[vec![7]], 2)), 0);
        assert_eq!(maximum(&[], 3), Vec::new());
    }

    proptest! {
        #[test]
        fn is_as_large_as_brute_force_and_one_to_one(
            edges in proptest::collection::vec(proptest::collection::vec(0usize..6, 0..5), 0..6)
        ) {
            let matching = maximum(&edges, 6);
            prop_assert_eq!(size(&matching), brute_force(&edges, 0));
            let mut used: Vec<usize> = matching.iter().flatten().copied().collect();
            used.sort_unstable();
            let before = used.len();
            used.dedup();
            prop_assert_eq!(used.len(), before);
            for (left, right) in matching.iter().enumerate() {
                if let Some(right) = right {
                    prop_assert!(edges[left].contains(right));
                }
            }
        }
    }
}
