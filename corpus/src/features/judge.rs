//! How well single features tell the classes of a track apart, without fooling oneself: rules are chosen on one half
//! of the tasks and scored on the other, and what chance alone finds among so many features is measured beside it.

use super::rule::{Column, Rule};
use super::shuffle::{Words, half};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Random halves per track.
pub const SPLITS: u32 = 50;
/// Shuffles of the labels that show what chance finds.
const SHUFFLES: u32 = 100;
/// Of the shuffles, this many may find better than what stands for chance: 95 of 100 stay below.
const SHUFFLES_ABOVE: usize = 5;
/// A single feature should not predict the label of unseen tasks better than this.
pub const AIM: f64 = 0.3;
/// From this many tasks of each class on the aim is a gate.
pub const GATE_TASKS: usize = 40;
/// A mark that fewer tasks have, or lack, cannot be both chosen and tested.
const MIN_SUPPORT: usize = 3;
/// Rows kept per track.
const TOP: usize = 15;

/// One feature, as it predicts the label of tasks that its rule was not chosen on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeatureScore {
    /// The feature.
    pub feature: String,
    /// Mean coefficient over the splits.
    pub mean: f64,
    /// Its standard deviation over the splits.
    pub sd: f64,
    /// The coefficient where the rule was chosen, which flatters it: the best on all tasks together; for the best of all
    /// features the mean over the halves that chose.
    pub in_sample: f64,
    /// The rule that was chosen most often.
    pub rule: String,
    /// In how many of the splits.
    pub chosen: u32,
}

/// The features of one track.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrackFeatures {
    /// Malicious tasks.
    pub malicious: usize,
    /// Safe tasks.
    pub safe: usize,
    /// Features that were tried.
    pub features: usize,
    /// Whether there are enough tasks for the aim to be a gate.
    pub gate: bool,
    /// The best of all features, chosen on one half and scored on the other; `None` with fewer than two tasks of a
    /// class. Its `feature` is the one that was chosen most often.
    pub best_of_all: Option<FeatureScore>,
    /// What the best of all features reaches on all tasks when the labels are shuffled, in 95 of 100 shuffles.
    pub chance: f64,
    /// The worst features, worst first.
    pub top: Vec<FeatureScore>,
    /// Features above the aim. Among hundreds some are by chance; `separating` are the others.
    pub above_aim: usize,
    /// Those that break the aim: better than the aim on unseen tasks, and better than chance finds on all.
    pub separating: Vec<FeatureScore>,
}

impl TrackFeatures {
    /// Whether the best of all features breaks the aim. It was chosen without a look at the tasks it is scored on, so no
    /// number of features excuses it.
    #[must_use]
    pub fn best_separates(&self) -> bool {
        self.best_of_all
            .as_ref()
            .is_some_and(|best| best.mean >= AIM)
    }
}

/// Judges the columns of a track; `malicious` stands beside their values.
pub(super) fn judge(track: &str, malicious: &[bool], columns: &[Column]) -> TrackFeatures {
    let count = malicious.iter().filter(|class| **class).count();
    let safe = malicious.len() - count;
    let tried: Vec<&Column> = columns
        .iter()
        .filter(|column| {
            let support = column.support();
            !column.presence
                || (MIN_SUPPORT..=malicious.len().saturating_sub(MIN_SUPPORT)).contains(&support)
        })
        .collect();
    let mut result = TrackFeatures {
        malicious: count,
        safe,
        features: tried.len(),
        gate: count >= GATE_TASKS && safe >= GATE_TASKS,
        best_of_all: None,
        chance: 0.0,
        top: Vec::new(),
        above_aim: 0,
        separating: Vec::new(),
    };
    if count < 2 || safe < 2 || tried.is_empty() {
        return result;
    }
    let halves: Vec<Vec<bool>> = (0..SPLITS)
        .map(|split| half(&mut Words::new(track, split), malicious))
        .collect();
    let trials: Vec<Vec<Trial>> = tried
        .iter()
        .map(|column| {
            halves
                .iter()
                .map(|chosen| Trial::of(column, malicious, chosen))
                .collect()
        })
        .collect();
    result.best_of_all = Some(best_of_all(&tried, &trials));
    result.chance = chance(track, malicious, &tried);
    let everything = vec![true; malicious.len()];
    let mut scores: Vec<FeatureScore> = tried
        .iter()
        .zip(&trials)
        .map(|(column, trials)| {
            let in_sample = column
                .best(malicious, &everything)
                .map_or(0.0, |(_, mcc)| mcc);
            summary(column, trials, in_sample)
        })
        .collect();
    scores.sort_by(|a, b| {
        b.mean
            .total_cmp(&a.mean)
            .then_with(|| a.feature.cmp(&b.feature))
    });
    let breaks = |score: &&FeatureScore| score.mean >= AIM && score.in_sample > result.chance;
    result.above_aim = scores.iter().filter(|score| score.mean >= AIM).count();
    result.separating = scores.iter().filter(breaks).cloned().collect();
    scores.truncate(TOP);
    result.top = scores;
    result
}

/// One split of one feature.
#[derive(Clone, Copy)]
struct Trial {
    /// The best rule of the one half and its coefficient there; `None` where the feature never changes.
    chosen: Option<(Rule, f64)>,
    /// The rule's coefficient on the other half; 0 without a rule.
    held_out: f64,
}

impl Trial {
    fn of(column: &Column, malicious: &[bool], half: &[bool]) -> Self {
        let chosen = column.best(malicious, half);
        let held_out = chosen.map_or(0.0, |(rule, _)| column.score(rule, malicious, half));
        Trial { chosen, held_out }
    }
}

fn summary(column: &Column, trials: &[Trial], in_sample: f64) -> FeatureScore {
    let rules = trials
        .iter()
        .filter_map(|trial| trial.chosen.map(|(rule, _)| rule));
    let (rule, chosen) = most_often(rules).unzip();
    let (mean, sd) = moments(trials.iter().map(|trial| trial.held_out));
    FeatureScore {
        feature: column.name.clone(),
        mean,
        sd,
        in_sample,
        rule: rule.map_or_else(|| "none".to_owned(), |rule| column.describe(rule)),
        chosen: chosen.unwrap_or(0),
    }
}

/// In each split the feature that does best on the one half, scored on the other; of equal ones the first by name.
fn best_of_all(columns: &[&Column], trials: &[Vec<Trial>]) -> FeatureScore {
    let splits = trials.first().map_or(0, Vec::len);
    let mut picks = Vec::with_capacity(splits);
    for split in 0..splits {
        let mut best: Option<(usize, Rule, f64, f64)> = None;
        for (at, of_column) in trials.iter().enumerate() {
            let Some((rule, mcc)) = of_column[split].chosen else {
                continue;
            };
            if best.is_none_or(|(_, _, so_far, _)| mcc > so_far) {
                best = Some((at, rule, mcc, of_column[split].held_out));
            }
        }
        picks.push(best);
    }
    let (mean, sd) = moments(
        picks
            .iter()
            .map(|pick| pick.map_or(0.0, |(_, _, _, held_out)| held_out)),
    );
    let on_half = moments(
        picks
            .iter()
            .map(|pick| pick.map_or(0.0, |(_, _, mcc, _)| mcc)),
    )
    .0;
    let often = most_often(picks.iter().flatten().map(|(at, rule, ..)| (*at, *rule)));
    let (feature, rule, chosen) = match often {
        Some(((at, rule), chosen)) => {
            (columns[at].name.clone(), columns[at].describe(rule), chosen)
        }
        None => ("none".to_owned(), "none".to_owned(), 0),
    };
    FeatureScore {
        feature,
        mean,
        sd,
        in_sample: on_half,
        rule,
        chosen,
    }
}

/// What the best of all features reaches on all tasks when the labels mean nothing.
fn chance(track: &str, malicious: &[bool], columns: &[&Column]) -> f64 {
    let everything = vec![true; malicious.len()];
    let purpose = format!("{track}/labels");
    let mut found: Vec<f64> = (0..SHUFFLES)
        .map(|number| {
            let mut labels = malicious.to_vec();
            Words::new(&purpose, number).shuffle(&mut labels);
            columns
                .iter()
                .filter_map(|column| column.best(&labels, &everything))
                .map(|(_, mcc)| mcc)
                .fold(0.0, f64::max)
        })
        .collect();
    found.sort_by(|a, b| b.total_cmp(a));
    found.get(SHUFFLES_ABOVE).copied().unwrap_or(1.0)
}

/// The value that occurs most often and how often; the smallest of equals.
fn most_often<T: Ord>(values: impl Iterator<Item = T>) -> Option<(T, u32)> {
    let mut counts: BTreeMap<T, u32> = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    counts.into_iter().rev().max_by_key(|(_, count)| *count)
}

/// Mean and standard deviation.
fn moments(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count().max(1) as f64;
    let mean = values.clone().sum::<f64>() / count;
    let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    (mean, variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(seed: u32) -> Words {
        Words::new("test", seed)
    }

    fn labels(each: usize) -> Vec<bool> {
        (0..2 * each).map(|n| n < each).collect()
    }

    /// Marks that half of the tasks have, whatever their class.
    fn noise(count: u32, tasks: usize) -> Vec<Column> {
        (0..count)
            .map(|seed| {
                let mut values: Vec<u64> = (0..tasks as u64).map(|n| n % 2).collect();
                words(seed).shuffle(&mut values);
                Column::new(format!("noise {seed:03}"), true, values)
            })
            .collect()
    }

    #[test]
    fn a_mark_of_one_class_is_found_among_noise() {
        let malicious = labels(40);
        let mut columns = noise(200, 80);
        // 32 of 40 malicious tasks and 4 of 40 others have it.
        let values = (0..80).map(|n| u64::from(!(32..76).contains(&n))).collect();
        columns.push(Column::new("telling".to_owned(), true, values));
        let found = judge("t", &malicious, &columns);
        assert!(found.gate && found.best_separates(), "{found:?}");
        let best = found.best_of_all.unwrap();
        assert_eq!(best.feature, "telling");
        assert!((0.6..0.8).contains(&best.mean), "{}", best.mean);
        assert_eq!(found.separating.len(), 1);
        assert!(found.above_aim >= 1);
        assert_eq!(found.top[0].feature, "telling");
        assert_eq!(found.top[0].rule, "malicious when present");
        assert_eq!((found.top.len(), found.features), (15, 201));
    }

    #[test]
    fn noise_separates_nothing_however_many_features_there_are() {
        let found = judge("t", &labels(40), &noise(500, 80));
        assert!(
            found.gate && !found.best_separates(),
            "{:?}",
            found.best_of_all
        );
        assert!(found.separating.is_empty());
        let best = found.best_of_all.unwrap();
        assert!(best.mean.abs() < 0.15, "{}", best.mean);
        // On the half it was chosen on, the best of 500 looks like a find.
        assert!(best.in_sample > 0.4, "{}", best.in_sample);
        assert!(found.chance > 0.3, "{}", found.chance);
    }

    #[test]
    fn below_forty_of_each_class_the_aim_is_no_gate() {
        let perfect = |each: usize| {
            let values = (0..2 * each).map(|n| u64::from(n < each)).collect();
            judge(
                "t",
                &labels(each),
                &[Column::new("w".to_owned(), true, values)],
            )
        };
        assert!(!perfect(39).gate && perfect(39).best_separates());
        assert!(perfect(40).gate);
    }

    #[test]
    fn rare_marks_and_tiny_tracks_are_not_judged() {
        let rare = (0..20).map(|n| u64::from(n < 2)).collect();
        let found = judge(
            "t",
            &labels(10),
            &[Column::new("rare".to_owned(), true, rare)],
        );
        assert_eq!((found.features, found.best_of_all), (0, None));
        let one = judge(
            "t",
            &labels(1),
            &[Column::new("n".to_owned(), false, vec![1, 2])],
        );
        assert_eq!(one.best_of_all, None);
    }
}
