//! From ranked tracks to the vector that is submitted (SPEC.md W-4 to W-11, `mechanism.md §8`).

mod smooth;
mod split;

pub use smooth::{StateError, state_from_chain};

use crate::ids::{Hash32, Hotkey};
use crate::rank::{Entrant, rank};
use crate::rational::Rational;
use crate::spec::Spec;
use crate::track::Track;
use crate::wire::{self, WireError};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Weights by hotkey in units of 10^-15.
pub type Units = BTreeMap<Hotkey, u64>;

/// Everything that decides about a vector.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeightsInput {
    /// The round's seed.
    pub seed: Hash32,
    /// The fully evaluated tracks; one that is absent has no participants.
    pub tracks: BTreeMap<Track, Vec<Entrant>>,
    /// Contributors that the subnet's owner recognises.
    #[serde(default)]
    pub contributors: Vec<Hotkey>,
    /// The smoothing state; `None` when there is none, which an empty state is not.
    #[serde(default)]
    pub previous: Option<Units>,
    /// Uids of the hotkeys registered at the submission block.
    pub registered: BTreeMap<Hotkey, u16>,
    /// Hotkeys that were registered anew since the freeze: their weight belonged to another registration.
    #[serde(default)]
    pub reregistered: BTreeSet<Hotkey>,
    /// The chain's `MinAllowedWeights`.
    #[serde(default)]
    pub min_allowed_weights: u16,
    /// The chain's `MaxWeightsLimit`; absent means no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_weights_limit: Option<u16>,
}

/// Why no vector is submitted. The previous weights and the smoothing state stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Abstention {
    /// No track has an eligible agent.
    AllTracksIdle,
    /// Nobody with weight is registered, or every weight is dust.
    NoWeightsLeft,
    /// The chain wants more weights than there are; none are padded.
    TooFewWeights,
}

impl Abstention {
    /// The stable machine-readable reason.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Abstention::AllTracksIdle => "all_tracks_idle",
            Abstention::NoWeightsLeft => "no_weights_left",
            Abstention::TooFewWeights => "too_few_weights",
        }
    }
}

/// The vector, and how it came about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WeightsOutcome {
    /// Why there is no vector; `None` when there is one.
    pub abstain: Option<Abstention>,
    /// All that rank, best first, of every track.
    pub ranking: BTreeMap<Track, Vec<Hotkey>>,
    /// The copies of every track with their originals.
    pub copies: BTreeMap<Track, BTreeMap<Hotkey, Hotkey>>,
    /// Shares of the performance part by track, those of idle tracks handed on; idle tracks are absent.
    pub track_shares: BTreeMap<Track, Rational>,
    /// Contributors that share the pool.
    pub active_contributors: BTreeSet<Hotkey>,
    /// This round's weights before smoothing.
    pub new: Units,
    /// The smoothing state after this round, to be kept once the chain shows the vector; `None`: unchanged.
    pub state: Option<Units>,
    /// The vector on the wire, by uid; `None` when the validator abstains.
    pub u16: Option<Vec<(u16, u16)>>,
}

/// An input that no round can produce.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WeightsError {
    /// One hotkey twice on a track.
    #[error(
        "hotkey {hotkey} stands twice on track {track}; freeze gives each hotkey one commitment"
    )]
    DuplicateEntrant {
        /// The track.
        track: Track,
        /// The hotkey.
        hotkey: Hotkey,
    },
    /// A score that is no finite number from 0 to 1.
    #[error("the score {score} of {hotkey} is outside of 0 to 1; scores come from the track score")]
    Score {
        /// The hotkey.
        hotkey: Hotkey,
        /// The score.
        score: f64,
    },
    /// A smoothing state that is too large to be one.
    #[error(transparent)]
    State(#[from] StateError),
    /// Two hotkeys with one uid.
    #[error(transparent)]
    Wire(#[from] WireError),
}

/// Computes the vector of a round. The order of entrants, contributors and tracks changes nothing.
///
/// # Errors
/// [`WeightsError`] for an input that no round can produce.
pub fn compute(spec: &Spec, input: &WeightsInput) -> Result<WeightsOutcome, WeightsError> {
    check(input)?;
    let mut outcome = WeightsOutcome {
        abstain: None,
        ranking: BTreeMap::new(),
        copies: BTreeMap::new(),
        track_shares: BTreeMap::new(),
        active_contributors: BTreeSet::new(),
        new: Units::new(),
        state: None,
        u16: None,
    };
    for track in Track::ALL {
        let entrants = input.tracks.get(&track).map_or(&[][..], Vec::as_slice);
        let ranking = rank(&input.seed, track, entrants);
        let name = |at: usize| entrants[at].hotkey.clone();
        let ranked = ranking.ranked.into_iter().map(name).collect();
        let copies = ranking.copies.into_iter();
        let copies = copies.map(|(copy, original)| (name(copy), name(original)));
        outcome.copies.insert(track, copies.collect());
        outcome.ranking.insert(track, ranked);
    }
    outcome.track_shares = split::track_shares(spec, &outcome.ranking);
    if outcome.track_shares.is_empty() {
        outcome.abstain = Some(Abstention::AllTracksIdle);
        return Ok(outcome);
    }
    outcome.active_contributors = split::active(&outcome.ranking, &input.contributors);
    outcome.new = split::new_weights(spec, &outcome);
    let state = smooth::advance(spec, &outcome.new, input)?;
    if state.is_empty() {
        outcome.abstain = Some(Abstention::NoWeightsLeft);
        return Ok(outcome);
    }
    let vector = wire_vector(spec, &state, input)?;
    if vector.len() < usize::from(input.min_allowed_weights) {
        outcome.abstain = Some(Abstention::TooFewWeights);
        return Ok(outcome);
    }
    outcome.state = Some(state);
    outcome.u16 = Some(vector);
    Ok(outcome)
}

fn wire_vector(
    spec: &Spec,
    state: &Units,
    input: &WeightsInput,
) -> Result<Vec<(u16, u16)>, WireError> {
    let weights: Vec<(u16, Rational)> = state
        .iter()
        .filter_map(|(hotkey, units)| {
            let uid = input.registered.get(hotkey)?;
            Some((*uid, Rational::integer(u128::from(*units))))
        })
        .collect();
    let limit = input.max_weights_limit.unwrap_or(spec.weights.wire_max);
    wire::to_u16(&spec.weights, &weights, limit)
}

fn check(input: &WeightsInput) -> Result<(), WeightsError> {
    for (track, entrants) in &input.tracks {
        let mut seen = BTreeSet::new();
        for entrant in entrants {
            let hotkey = entrant.hotkey.clone();
            if !seen.insert(&entrant.hotkey) {
                let track = *track;
                return Err(WeightsError::DuplicateEntrant { track, hotkey });
            }
            let score = entrant.score;
            if !(0.0..=1.0).contains(&score) {
                return Err(WeightsError::Score { hotkey, score });
            }
        }
    }
    Ok(())
}
