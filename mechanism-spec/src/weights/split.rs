//! Shares of tracks, ranks and contributors (SPEC.md W-4 to W-6, `mechanism.md §8`).

use super::{Units, WeightsOutcome};
use crate::ids::Hotkey;
use crate::rational::Rational;
use crate::spec::Spec;
use crate::track::Track;
use std::collections::{BTreeMap, BTreeSet};

/// The shares of the tracks that rank anybody, each with its equal part of what the idle ones hand on. None when all are idle.
pub(super) fn track_shares(
    spec: &Spec,
    ranking: &BTreeMap<Track, Vec<Hotkey>>,
) -> BTreeMap<Track, Rational> {
    let (busy, idle): (Vec<Track>, Vec<Track>) = Track::ALL
        .into_iter()
        .partition(|track| ranking.get(track).is_some_and(|ranked| !ranked.is_empty()));
    let handed_on = sum(idle.iter().map(|track| &spec.track(*track).share));
    let Some(part) = handed_on.checked_div(&count(busy.len())) else {
        return BTreeMap::new();
    };
    busy.into_iter()
        .map(|track| (track, &spec.track(track).share + &part))
        .collect()
}

/// The recognised contributors that rank somewhere: evaluated, eligible and no copy.
pub(super) fn active(
    ranking: &BTreeMap<Track, Vec<Hotkey>>,
    contributors: &[Hotkey],
) -> BTreeSet<Hotkey> {
    let ranked: BTreeSet<&Hotkey> = ranking.values().flatten().collect();
    contributors
        .iter()
        .filter(|hotkey| ranked.contains(hotkey))
        .cloned()
        .collect()
}

/// This round's weights: performance by rank, then the contribution pool; exact per hotkey and rounded once.
pub(super) fn new_weights(spec: &Spec, outcome: &WeightsOutcome) -> Units {
    let pool = if outcome.active_contributors.is_empty() {
        Rational::zero()
    } else {
        spec.weights.contribution_share.clone()
    };
    let performance = Rational::one().saturating_sub(&pool);
    let mut exact: BTreeMap<&Hotkey, Rational> = BTreeMap::new();
    let mut give = |hotkey, part: Rational| {
        let total = exact.entry(hotkey).or_insert_with(Rational::zero);
        *total = &*total + &part;
    };
    for (track, share) in &outcome.track_shares {
        let ranked = outcome.ranking.get(track).map_or(&[][..], Vec::as_slice);
        let splits = &spec.weights.splits;
        let present = sum(splits.iter().take(ranked.len()));
        let track_part = &performance * share;
        for (hotkey, split) in ranked.iter().zip(splits) {
            let of_track = split.checked_div(&present).unwrap_or_else(Rational::zero);
            give(hotkey, &track_part * &of_track);
        }
    }
    for hotkey in &outcome.active_contributors {
        let part = pool.checked_div(&count(outcome.active_contributors.len()));
        give(hotkey, part.unwrap_or_else(Rational::zero));
    }
    let unit = Rational::integer(u128::from(spec.weights.unit));
    exact
        .into_iter()
        .filter_map(|(hotkey, part)| {
            let units = u64::try_from((&part * &unit).round_half_up()).ok()?;
            (units > 0).then(|| (hotkey.clone(), units))
        })
        .collect()
}

fn sum<'a>(parts: impl Iterator<Item = &'a Rational>) -> Rational {
    parts.fold(Rational::zero(), |sum, part| &sum + part)
}

fn count(number: usize) -> Rational {
    Rational::integer(u128::try_from(number).unwrap_or(u128::MAX))
}
