//! Weights as the chain's u16 values (SPEC.md W-9, W-10; `mechanism.md §8`).

use crate::rational::Rational;
use crate::spec::WeightRules;
use std::collections::BTreeSet;

/// The weights cannot become a wire vector.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// One uid was given two weights.
    #[error("uid {0} has two weights; give each uid once")]
    DuplicateUid(u16),
}

/// The wire vector: `w·65535/max` (65535 being the spec's `wire_max`) rounded half to even on the exact value, zeros dropped, sorted by uid.
///
/// `max_weights_limit` is the chain's `MaxWeightsLimit`; below 65535 the weights are clipped first.
///
/// # Errors
/// [`WireError::DuplicateUid`].
pub fn to_u16(
    rules: &WeightRules,
    weights: &[(u16, Rational)],
    max_weights_limit: u16,
) -> Result<Vec<(u16, u16)>, WireError> {
    let mut seen = BTreeSet::new();
    if let Some((uid, _)) = weights.iter().find(|(uid, _)| !seen.insert(*uid)) {
        return Err(WireError::DuplicateUid(*uid));
    }
    let mut entries: Vec<(u16, Rational)> = weights
        .iter()
        .filter(|(_, weight)| !weight.is_zero())
        .cloned()
        .collect();
    entries.sort_unstable_by_key(|(uid, _)| *uid);
    if max_weights_limit < rules.wire_max {
        clip(&mut entries, max_weights_limit, rules.wire_max);
    }
    Ok(scale(&entries, rules.wire_max))
}

fn scale(entries: &[(u16, Rational)], wire_max: u16) -> Vec<(u16, u16)> {
    let Some(max) = entries.iter().map(|(_, weight)| weight).max() else {
        return Vec::new();
    };
    let top = Rational::integer(u128::from(wire_max));
    entries
        .iter()
        .filter_map(|(uid, weight)| {
            let scaled = (weight * &top).checked_div(max)?.round_half_even();
            Some((*uid, u16::try_from(scaled).ok()?))
        })
        .filter(|(_, value)| *value > 0)
        .collect()
}

/// Clips every weight to `limit/65535` of the sum and shares the excess among the others in proportion, until nobody is above.
/// All become equal when `count·limit ≤ 65535`, where no vector can keep the limit with anything to share.
fn clip(entries: &mut [(u16, Rational)], limit: u16, wire_max: u16) {
    let top = u128::from(wire_max);
    let room = u128::try_from(entries.len())
        .unwrap_or(u128::MAX)
        .saturating_mul(u128::from(limit));
    if room <= top {
        for (_, weight) in entries.iter_mut() {
            *weight = Rational::one();
        }
        return;
    }
    let sum = |weights: &mut dyn Iterator<Item = &Rational>| {
        weights.fold(Rational::zero(), |sum, weight| &sum + weight)
    };
    let total = sum(&mut entries.iter().map(|(_, weight)| weight));
    let Some(cap) = Rational::new(u128::from(limit), top).map(|share| &share * &total) else {
        return;
    };
    let mut clipped = vec![false; entries.len()];
    // Each pass clips at least one more entry or ends, and not all can be clipped, since count·cap is above the total.
    loop {
        let above: Vec<usize> = (0..entries.len())
            .filter(|&at| !clipped[at] && entries[at].1 > cap)
            .collect();
        if above.is_empty() {
            return;
        }
        for at in above {
            clipped[at] = true;
            entries[at].1 = cap.clone();
        }
        let capped = clipped.iter().filter(|is_clipped| **is_clipped).count();
        let capped = Rational::integer(u128::try_from(capped).unwrap_or(u128::MAX));
        let left = total.saturating_sub(&(&capped * &cap));
        let free = sum(&mut entries
            .iter()
            .zip(&clipped)
            .filter(|(_, is_clipped)| !**is_clipped)
            .map(|((_, weight), _)| weight));
        let Some(factor) = left.checked_div(&free) else {
            return;
        };
        for ((_, weight), is_clipped) in entries.iter_mut().zip(&clipped) {
            if !is_clipped {
                *weight = &*weight * &factor;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;
    use proptest::prelude::*;

    fn convert(weights: &[(u16, Rational)], limit: u16) -> Result<Vec<(u16, u16)>, WireError> {
        to_u16(&Spec::pinned().weights, weights, limit)
    }

    fn wire(weights: &[u128], limit: u16) -> Vec<u16> {
        let weights: Vec<(u16, Rational)> = (0u16..)
            .zip(weights.iter().map(|w| Rational::integer(*w)))
            .collect();
        convert(&weights, limit)
            .unwrap()
            .into_iter()
            .map(|(_, value)| value)
            .collect()
    }

    #[test]
    fn halves_go_to_even_on_the_exact_value() {
        assert_eq!(wire(&[10, 5], u16::MAX), [65535, 32768]);
        assert_eq!(wire(&[131_070, 1], u16::MAX), [65535]);
        assert_eq!(wire(&[131_070, 3], u16::MAX), [65535, 2]);
        // One part in 10^15 above the half is no tie.
        assert_eq!(
            wire(&[131_070 * 10u128.pow(15), 10u128.pow(15) + 1], u16::MAX),
            [65535, 1]
        );
    }

    #[test]
    fn the_excess_is_shared_until_nobody_is_above() {
        // Shares 0.6, 0.3, 0.1 with a limit of about 0.4: the first pass lifts the second above the limit.
        let clipped = wire(&[6, 3, 1], 26214);
        assert_eq!(clipped[0], 65535);
        assert_eq!(clipped[1], 65535);
        assert_eq!(clipped[2], 32768);
    }

    #[test]
    fn an_impossible_limit_makes_all_equal() {
        assert_eq!(wire(&[9, 1], 100), [65535, 65535]);
        assert_eq!(wire(&[9, 1, 0], 0), [65535, 65535]);
        assert_eq!(wire(&[9], 65534), [65535]);
    }

    #[test]
    fn a_uid_may_have_one_weight() {
        let twice = [(4, Rational::one()), (4, Rational::one())];
        assert_eq!(convert(&twice, u16::MAX), Err(WireError::DuplicateUid(4)));
    }

    proptest! {
        #[test]
        fn the_largest_is_65535_and_order_is_kept(weights in proptest::collection::vec(1u128..1_000_000, 1..12), limit in 1u16..) {
            let entries: Vec<(u16, Rational)> = (0u16..).zip(weights.iter().map(|w| Rational::integer(*w))).collect();
            let out = convert(&entries, limit).unwrap();
            prop_assert_eq!(out.iter().map(|(_, v)| *v).max(), Some(u16::MAX));
            for (uid, value) in &out {
                for (other, other_value) in &out {
                    if weights[usize::from(*uid)] > weights[usize::from(*other)] {
                        prop_assert!(value >= other_value);
                    }
                }
            }
            let backwards: Vec<_> = entries.into_iter().rev().collect();
            prop_assert_eq!(convert(&backwards, limit).unwrap(), out);
        }

        #[test]
        fn no_clipped_share_is_above_the_limit(weights in proptest::collection::vec(1u128..1000, 2..10), limit in 1u16..65535) {
            let out = wire(&weights, limit);
            prop_assume!(weights.len() as u64 * u64::from(limit) > 65535);
            let sum: u64 = out.iter().map(|v| u64::from(*v)).sum();
            // Every value is within half a unit of the exact one.
            let slack = (out.len() + 1) as u64;
            prop_assert!(65535 * 65535 <= u64::from(limit) * sum + slack * 65535);
        }
    }
}
