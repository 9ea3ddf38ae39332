//! The bootstrap interval beside a behavioural score (SPEC.md I-1, `mechanism.md §8`). It informs; it decides nothing.

use crate::count::CountTooLarge;
use crate::derive;
use crate::ids::Hash32;
use crate::label::Class;
use crate::mcc::Confusion;
use crate::score::BehaviouralScore;
use crate::spec::Spec;
use crate::track::Track;
use serde::{Deserialize, Serialize};

/// Bounds of the clamped MCC over stratified resamples of the task set: 95 % with the pinned ranks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
}

/// The interval of a score whose tasks stand in rank order.
///
/// # Errors
/// [`CountTooLarge`] when a class has 2^30 tasks or more.
pub fn of_score(
    spec: &Spec,
    seed: &Hash32,
    track: Track,
    agent_pin: &str,
    score: &BehaviouralScore,
) -> Result<Interval, CountTooLarge> {
    let malicious = score.flags(Class::Malicious);
    let safe = score.flags(Class::Safe);
    bootstrap(spec, seed, track, agent_pin, &malicious, &safe)
}

/// Resamples each class with replacement, keeping its size, malicious tasks first; the words run on across resamples.
///
/// `malicious` and `safe` say of each task, by rank, whether the agent flagged it.
///
/// # Errors
/// [`CountTooLarge`] when a class has 2^30 tasks or more.
pub fn bootstrap(
    spec: &Spec,
    seed: &Hash32,
    track: Track,
    agent_pin: &str,
    malicious: &[bool],
    safe: &[bool],
) -> Result<Interval, CountTooLarge> {
    let rules = &spec.interval;
    let mut words = derive::bootstrap(seed, track, agent_pin);
    let mut scores = Vec::with_capacity(rules.resamples);
    for _ in 0..rules.resamples {
        let mut confusion = Confusion::default();
        for (class, flags) in [(Class::Malicious, malicious), (Class::Safe, safe)] {
            for word in words.by_ref().take(flags.len()) {
                confusion.record_flag(class, flags[derive::index(word, flags.len())]);
            }
        }
        scores.push(confusion.mcc()?.clamped());
    }
    scores.sort_by(f64::total_cmp);
    let at_rank = |rank: usize| scores.get(rank.saturating_sub(1)).copied().unwrap_or(0.0);
    Ok(Interval {
        low: at_rank(rules.low_rank),
        high: at_rank(rules.high_rank),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(malicious: &[bool], safe: &[bool]) -> Interval {
        let seed = Hash32([7; 32]);
        bootstrap(
            &Spec::pinned(),
            &seed,
            Track::Skills,
            "blake3:x",
            malicious,
            safe,
        )
        .unwrap()
    }

    #[test]
    fn a_perfect_agent_has_no_doubt_and_a_constant_one_no_signal() {
        let perfect = interval(&[true; 8], &[false; 22]);
        assert_eq!((perfect.low, perfect.high), (1.0, 1.0));
        let constant = interval(&[true; 8], &[true; 22]);
        assert_eq!((constant.low, constant.high), (0.0, 0.0));
    }

    #[test]
    fn the_worked_example_lies_inside_its_interval() {
        let mut malicious = [true; 8];
        malicious[..2].fill(false);
        let mut safe = [false; 22];
        safe[..2].fill(true);
        let example = interval(&malicious, &safe);
        assert!(example.low < 0.659 && 0.659 < example.high, "{example:?}");
        assert!(example.low > 0.0 && example.high < 1.0, "{example:?}");
    }

    #[test]
    fn an_empty_class_gives_zero() {
        let nothing = interval(&[], &[false; 3]);
        assert_eq!((nothing.low, nothing.high), (0.0, 0.0));
    }
}
