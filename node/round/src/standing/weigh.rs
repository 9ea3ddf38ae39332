//! From standings to the vector, and back into the standings' ranks.

use super::{AgentStanding, Standings, WeightsContext};
use crate::fault::AbstainReason;
use mechanism::ids::Hash32;
use mechanism::spec::Spec;
use mechanism::weights::{self, Abstention, WeightsError, WeightsInput, WeightsOutcome};

/// Computes the vector of the standings.
///
/// # Errors
/// [`WeightsError`] for an input that no round can produce.
pub fn weigh(
    spec: &Spec,
    seed: &Hash32,
    standings: &Standings,
    context: &WeightsContext,
) -> Result<WeightsOutcome, WeightsError> {
    weights::compute(
        spec,
        &WeightsInput {
            seed: *seed,
            tracks: standings.entrants.clone(),
            contributors: context.chain.contributors.clone(),
            previous: context.previous.clone(),
            registered: context.chain.registered.clone(),
            reregistered: context.chain.reregistered.clone(),
            min_allowed_weights: context.chain.min_allowed_weights,
            max_weights_limit: Some(context.chain.max_weights_limit),
        },
    )
}

/// Writes rank, share and copies of the outcome into the standings.
pub fn attach_ranks(spec: &Spec, standings: &mut Standings, outcome: &WeightsOutcome) {
    let unit = spec.weights.unit as f64;
    for (track, standing) in &mut standings.tracks {
        let ranked = outcome.ranking.get(track).map_or(&[][..], Vec::as_slice);
        let copies = outcome.copies.get(track);
        for agent in &mut standing.agents {
            agent.copy_of = copies.and_then(|copies| copies.get(&agent.hotkey)).cloned();
            agent.eligible &= agent.copy_of.is_none();
            agent.rank = (1u32..)
                .zip(ranked)
                .find(|(_, hotkey)| **hotkey == agent.hotkey)
                .map(|(rank, _)| rank);
            let units = outcome.new.get(&agent.hotkey).copied().unwrap_or(0);
            agent.share = units as f64 / unit;
        }
    }
    sort_by_score(standings);
}

/// Ranked agents first, then by score, then by hotkey.
pub(super) fn sort_by_score(standings: &mut Standings) {
    for standing in standings.tracks.values_mut() {
        standing.agents.sort_by(|a, b| {
            let rank = |agent: &AgentStanding| agent.rank.unwrap_or(u32::MAX);
            rank(a)
                .cmp(&rank(b))
                .then(b.score.total_cmp(&a.score))
                .then(a.hotkey.cmp(&b.hotkey))
        });
    }
}

/// Why the outcome has no vector, in the round's words.
#[must_use]
pub fn abstain_reason(outcome: &WeightsOutcome) -> Option<(AbstainReason, String)> {
    let (reason, text) = match outcome.abstain? {
        Abstention::AllTracksIdle => (
            AbstainReason::AllTracksIdle,
            "no track has an eligible agent",
        ),
        Abstention::NoWeightsLeft => (
            AbstainReason::NoWeightsLeft,
            "nobody who would get a weight is registered",
        ),
        Abstention::TooFewWeights => (
            AbstainReason::TooFewWeights,
            "the chain wants more weights than there are; none are padded",
        ),
    };
    Some((reason, text.to_owned()))
}
