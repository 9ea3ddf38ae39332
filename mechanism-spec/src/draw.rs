//! A validator's task set of a track, recomputable by anyone (SPEC.md T-1 to T-6; `mechanism.md §2`).

use crate::derive;
use crate::ids::{Hash32, TaskRef};
use crate::spec::DrawRules;
use crate::track::{Track, TrackKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A task that may be drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolTask {
    /// `<track>/<task>`.
    pub task_ref: TaskRef,
    /// Malicious, or with planted findings.
    pub positive: bool,
}

/// The task set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drawn {
    /// In the order of rank, which is the order of execution inside a repetition.
    pub tasks: Vec<TaskRef>,
    /// How many are positive and how many are not.
    pub counts: [usize; 2],
}

/// The pool cannot give a set on which a score would mean anything: a corpus fault, the round abstains.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DrawFault {
    /// Only one class: every MCC would be 0.
    #[error(
        "the pool of {track} holds {positive} malicious and {negative} safe tasks; a draw needs both classes, add tasks of the other one"
    )]
    SingleClass {
        /// The track.
        track: Track,
        /// Malicious tasks.
        positive: usize,
        /// Safe tasks.
        negative: usize,
    },
    /// Too few tasks with planted findings.
    #[error(
        "the pool of {track} holds {planted} tasks with planted findings; at least {least} are needed, add some"
    )]
    TooFewPlanted {
        /// The track.
        track: Track,
        /// Tasks with planted findings.
        planted: usize,
        /// How many it takes.
        least: u32,
    },
    /// The spec asks for fewer tasks than a score needs.
    #[error(
        "{wanted} tasks are wanted on {track}; at least {least} are needed, raise tracks.{track}.tasks"
    )]
    TooFewWanted {
        /// The track.
        track: Track,
        /// How many the spec asks for.
        wanted: u32,
        /// How many it takes.
        least: u32,
    },
    /// A task is listed twice.
    #[error("the pool of {track} lists '{task_ref}' twice; every task may stand in it once")]
    Duplicate {
        /// The track.
        track: Track,
        /// The task.
        task_ref: TaskRef,
    },
}

/// Draws `wanted` tasks by the minima of a spec. The order of the pool changes nothing.
///
/// # Errors
/// [`DrawFault`] when no meaningful set can be drawn.
pub fn draw(
    rules: &DrawRules,
    wanted: u32,
    seed: &Hash32,
    track: Track,
    validator_hotkey: &(impl AsRef<str> + ?Sized),
    pool: &[PoolTask],
) -> Result<Drawn, DrawFault> {
    let mut seen = BTreeSet::new();
    if let Some(twice) = pool.iter().find(|task| !seen.insert(&task.task_ref)) {
        return Err(DrawFault::Duplicate {
            track,
            task_ref: twice.task_ref.clone(),
        });
    }
    let positive = pool.iter().filter(|task| task.positive).count();
    let negative = pool.len() - positive;
    let counts = match track.kind() {
        TrackKind::Behavioural => behavioural(rules, wanted, track, positive, negative)?,
        TrackKind::Audit => audit(rules, wanted, track, positive, negative)?,
    };
    let draw_seed = derive::draw_seed(seed, track, validator_hotkey);
    let mut ranked: Vec<_> = pool
        .iter()
        .map(|task| (derive::rank(&draw_seed, &task.task_ref), task))
        .collect();
    ranked.sort_unstable_by(|a, b| (a.0, &a.1.task_ref).cmp(&(b.0, &b.1.task_ref)));
    let mut left = counts;
    let tasks = ranked
        .into_iter()
        .filter(|(_, task)| {
            let room = &mut left[usize::from(!task.positive)];
            let taken = *room > 0;
            *room -= usize::from(taken);
            taken
        })
        .map(|(_, task)| task.task_ref.clone())
        .collect();
    Ok(Drawn { tasks, counts })
}

/// In proportion to the pool, each class at least once.
fn behavioural(
    rules: &DrawRules,
    wanted: u32,
    track: Track,
    malicious: usize,
    safe: usize,
) -> Result<[usize; 2], DrawFault> {
    enough(wanted, rules.behavioural_min_tasks, track)?;
    if malicious == 0 || safe == 0 {
        return Err(DrawFault::SingleClass {
            track,
            positive: malicious,
            negative: safe,
        });
    }
    let wanted = wanted as usize;
    if malicious + safe <= wanted {
        return Ok([malicious, safe]);
    }
    let share = share_half_up(wanted, malicious, malicious + safe);
    let least = wanted.saturating_sub(safe).max(1);
    let most = malicious.min(wanted - 1);
    let drawn = share.clamp(least, most);
    Ok([drawn, wanted - drawn])
}

/// At most one clean task in five drawn, because an agent that reports nothing scores 1 on it.
fn audit(
    rules: &DrawRules,
    wanted: u32,
    track: Track,
    pool_planted: usize,
    pool_clean: usize,
) -> Result<[usize; 2], DrawFault> {
    enough(wanted, rules.repositories_min_tasks, track)?;
    let least = rules.repositories_min_planted;
    let too_few = DrawFault::TooFewPlanted {
        track,
        planted: pool_planted,
        least,
    };
    if pool_planted < least as usize {
        return Err(too_few);
    }
    let wanted = wanted as usize;
    let share = if pool_planted + pool_clean <= wanted {
        pool_clean
    } else {
        wanted - share_half_up(wanted, pool_planted, pool_planted + pool_clean)
    };
    let planted = |clean: usize| pool_planted.min(wanted - clean);
    let allowed = |clean: &usize| *clean <= (planted(*clean) + clean) / rules.clean_one_in as usize;
    let clean = (0..=pool_clean.min(share)).rev().find(allowed).unwrap_or(0);
    // A proportional share can round to none; one clean task keeps noise from being free.
    let clean = clean.max(usize::from(pool_clean > 0 && allowed(&1)));
    if planted(clean) < least as usize {
        return Err(too_few);
    }
    Ok([planted(clean), clean])
}

fn enough(wanted: u32, least: u32, track: Track) -> Result<(), DrawFault> {
    if wanted < least {
        return Err(DrawFault::TooFewWanted {
            track,
            wanted,
            least,
        });
    }
    Ok(())
}

/// `wanted * part / whole`, halves up; `whole` is not 0.
const fn share_half_up(wanted: usize, part: usize, whole: usize) -> usize {
    (2 * wanted * part + whole) / (2 * whole)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;
    use proptest::prelude::*;

    fn pool(positive: usize, negative: usize) -> Vec<PoolTask> {
        (0..positive + negative)
            .map(|n| PoolTask {
                task_ref: TaskRef::new(format!("t/{n:05}")),
                positive: n < positive,
            })
            .collect()
    }

    fn drawn(wanted: u32, seed: u8, track: Track, tasks: &[PoolTask]) -> Result<Drawn, DrawFault> {
        draw(
            &Spec::pinned().draw,
            wanted,
            &Hash32([seed; 32]),
            track,
            "validator",
            tasks,
        )
    }

    fn counts(
        track: Track,
        wanted: u32,
        positive: usize,
        negative: usize,
    ) -> Result<[usize; 2], DrawFault> {
        drawn(wanted, 7, track, &pool(positive, negative)).map(|d| d.counts)
    }

    #[test]
    fn classes_keep_the_pools_proportion_and_each_is_there() {
        assert_eq!(counts(Track::Skills, 50, 100, 100), Ok([25, 25]));
        assert_eq!(counts(Track::Skills, 5, 3, 3), Ok([3, 2]), "a half goes up");
        assert_eq!(counts(Track::Skills, 50, 1, 999), Ok([1, 49]));
        assert_eq!(counts(Track::Skills, 50, 999, 1), Ok([49, 1]));
        assert_eq!(counts(Track::Skills, 2, 10, 1), Ok([1, 1]));
        assert_eq!(counts(Track::Skills, 50, 20, 30), Ok([20, 30]));
    }

    #[test]
    fn clean_repositories_are_at_most_one_in_five() {
        let repos = |wanted, planted, clean| counts(Track::Repositories, wanted, planted, clean);
        assert_eq!(repos(50, 80, 40), Ok([40, 10]));
        assert_eq!(
            repos(50, 99, 1),
            Ok([49, 1]),
            "the share rounds to none, one is still drawn"
        );
        assert_eq!(repos(50, 60, 0), Ok([50, 0]));
        assert_eq!(repos(50, 4, 30), Ok([4, 1]));
        assert_eq!(repos(5, 9, 9), Ok([4, 1]));
        assert_eq!(repos(50, 36, 9), Ok([36, 9]));
        assert_eq!(repos(50, 36, 10), Ok([36, 9]));
    }

    #[test]
    fn pools_without_meaning_are_refused() {
        let single = |track, p, n| DrawFault::SingleClass {
            track,
            positive: p,
            negative: n,
        };
        assert_eq!(
            counts(Track::Skills, 50, 9, 0),
            Err(single(Track::Skills, 9, 0))
        );
        assert_eq!(
            counts(Track::Packages, 50, 0, 0),
            Err(single(Track::Packages, 0, 0))
        );
        assert!(matches!(
            counts(Track::Skills, 1, 5, 5),
            Err(DrawFault::TooFewWanted { .. })
        ));
        assert!(matches!(
            counts(Track::Repositories, 4, 50, 5),
            Err(DrawFault::TooFewWanted { .. })
        ));
        assert!(matches!(
            counts(Track::Repositories, 50, 3, 5),
            Err(DrawFault::TooFewPlanted { planted: 3, .. })
        ));
        let mut twice = pool(3, 3);
        twice.push(twice[0].clone());
        let fault = drawn(4, 0, Track::Skills, &twice);
        assert!(matches!(fault, Err(DrawFault::Duplicate { .. })));
    }

    proptest! {
        #[test]
        fn the_order_of_the_pool_changes_nothing_and_the_set_is_the_lowest_ranks(
            positive in 4usize..40, negative in 1usize..40, wanted in 5u32..60, turn in 0usize..40, byte: u8,
            track in prop::sample::select(&Track::ALL[..]),
        ) {
            let tasks = pool(positive, negative);
            let mut turned = tasks.clone();
            turned.rotate_left(turn % tasks.len());
            turned.reverse();
            let seed = Hash32([byte; 32]);
            let set = drawn(wanted, byte, track, &tasks).unwrap();
            prop_assert_eq!(&set, &drawn(wanted, byte, track, &turned).unwrap());
            prop_assert_eq!(set.tasks.len(), set.counts.iter().sum::<usize>());
            prop_assert!(set.tasks.len() <= wanted as usize && set.counts[1] >= 1);
            if !track.is_behavioural() {
                prop_assert!(5 * set.counts[1] <= set.tasks.len());
            }
            let key = derive::draw_seed(&seed, track, "validator");
            prop_assert!(set.tasks.is_sorted_by_key(|task| derive::rank(&key, task)));
            for class in [true, false] {
                let of_class = |t: &TaskRef| tasks.iter().any(|p| p.task_ref == *t && p.positive == class);
                let highest = set.tasks.iter().filter(|t| of_class(t)).map(|t| derive::rank(&key, t)).max();
                for task in tasks.iter().filter(|t| t.positive == class && !set.tasks.contains(&t.task_ref)) {
                    prop_assert!(Some(derive::rank(&key, &task.task_ref)) > highest);
                }
            }
        }
    }
}
