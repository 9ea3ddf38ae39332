//! What the score earns beside the other agents of a round.

use crate::error::{CliError, CliResult};
use mechanism::ids::Hotkey;
use mechanism::rank::Entrant;
use mechanism::spec::Spec;
use mechanism::track::Track;
use mechanism::weights::{self, WeightsInput};
use round::record::RoundRecord;
use round::standing::{AgentStanding, TrackScore};
use serde::Serialize;
use std::collections::BTreeMap;

/// Rank and share on a track.
#[derive(Debug, Serialize)]
pub(crate) struct Place {
    /// Whether the agent was not in the round, so that this is what it would have got.
    pub(crate) hypothetical: bool,
    /// From 1; `None` when it does not rank.
    pub(crate) rank: Option<u32>,
    /// Agents of the track that rank, this one included.
    pub(crate) ranked: usize,
    /// Agents of the track, this one included.
    pub(crate) agents: usize,
    /// Share of the round's weights before smoothing.
    pub(crate) share: f64,
    /// The earlier agent that this one copies.
    pub(crate) copy_of: Option<String>,
    /// The agent that ranks next above, with its score.
    pub(crate) above: Option<(String, f64)>,
}

/// The place of an agent of the record.
pub(crate) fn recorded(record: &RoundRecord, track: Track, hotkey: &Hotkey) -> Option<Place> {
    let agents = &record.tracks.get(&track)?.agents;
    let own = agents.iter().find(|agent| agent.hotkey == *hotkey)?;
    let above = own.rank.and_then(|rank| {
        agents
            .iter()
            .find(|agent| agent.rank.is_some_and(|other| other + 1 == rank))
    });
    Some(Place {
        hypothetical: false,
        rank: own.rank,
        ranked: agents.iter().filter(|agent| agent.rank.is_some()).count(),
        agents: agents.len(),
        share: own.share,
        copy_of: own.copy_of.as_ref().map(|other| name(record, other)),
        above: above.map(|agent| (name(record, &agent.hotkey), agent.score)),
    })
}

/// The place that a freshly scored agent would have had in the record's round, committed after all others. `fresh` is the
/// record of its score, on the same draw.
///
/// # Errors
/// When the record holds no weights, or they cannot be computed with one more agent.
pub(crate) fn hypothetical(
    record: &RoundRecord,
    fresh: &RoundRecord,
    spec: &Spec,
    track: Track,
) -> CliResult<Place> {
    let context = record.weights_input.as_ref().ok_or_else(|| {
        CliError::usage("the record holds no weights (the round was abstained or is open); give a closed round's record")
    })?;
    let own = fresh
        .tracks
        .get(&track)
        .and_then(|standing| standing.agents.first())
        .ok_or_else(|| CliError::infrastructure("the score holds no agent"))?;
    let mut tracks: BTreeMap<Track, Vec<Entrant>> = record
        .tracks
        .iter()
        .map(|(track, standing)| {
            let entrants = standing
                .agents
                .iter()
                .map(|agent| entrant(record, agent))
                .collect();
            (*track, entrants)
        })
        .collect();
    let newcomer = Entrant {
        commit_block: record.opening.freeze_block.saturating_add(1),
        ..entrant(fresh, own)
    };
    tracks.entry(track).or_default().push(newcomer);
    let mut registered = context.chain.registered.clone();
    let uids: std::collections::BTreeSet<u16> = registered.values().copied().collect();
    let free = (0..=u16::MAX)
        .find(|uid| !uids.contains(uid))
        .unwrap_or(u16::MAX);
    registered.insert(own.hotkey.clone(), free);
    let outcome = weights::compute(
        spec,
        &WeightsInput {
            seed: record.opening.seed,
            tracks,
            contributors: context.chain.contributors.clone(),
            previous: context.previous.clone(),
            registered,
            reregistered: context.chain.reregistered.clone(),
            min_allowed_weights: context.chain.min_allowed_weights,
            max_weights_limit: Some(context.chain.max_weights_limit),
        },
    )
    .map_err(CliError::usage)?;
    let ranked = outcome.ranking.get(&track).map_or(&[][..], Vec::as_slice);
    let at = ranked.iter().position(|hotkey| *hotkey == own.hotkey);
    let above = at
        .and_then(|at| at.checked_sub(1))
        .and_then(|above| ranked.get(above));
    let others = record
        .tracks
        .get(&track)
        .map_or(&[][..], |standing| &standing.agents);
    let score_of = |hotkey: &Hotkey| others.iter().find(|agent| agent.hotkey == *hotkey);
    let units = outcome.new.get(&own.hotkey).copied().unwrap_or(0);
    let original = outcome
        .copies
        .get(&track)
        .and_then(|copies| copies.get(&own.hotkey));
    Ok(Place {
        hypothetical: true,
        rank: at.and_then(|at| u32::try_from(at + 1).ok()),
        ranked: ranked.len(),
        agents: others.len() + 1,
        share: units as f64 / spec.weights.unit as f64,
        copy_of: original.map(|other| name(record, other)),
        above: above
            .and_then(score_of)
            .map(|agent| (name(record, &agent.hotkey), agent.score)),
    })
}

/// The agent as the ranking sees it, before copies are told apart.
fn entrant(record: &RoundRecord, agent: &AgentStanding) -> Entrant {
    let entry = record
        .agents
        .iter()
        .find(|entry| entry.hotkey == agent.hotkey);
    Entrant {
        hotkey: agent.hotkey.clone(),
        score: agent.score,
        eligible: agent.score > 0.0
            && agent
                .detail
                .as_ref()
                .is_some_and(TrackScore::meets_threshold),
        commit_block: entry.map_or(0, |entry| entry.commit_block),
        pin: agent.pin.as_str().to_owned(),
        digest: entry
            .and_then(|entry| entry.normalised_digest)
            .map(|digest| digest.to_hex()),
    }
}

fn name(record: &RoundRecord, hotkey: &Hotkey) -> String {
    record
        .agents
        .iter()
        .find(|agent| agent.hotkey == *hotkey)
        .and_then(|agent| agent.name.clone())
        .unwrap_or_else(|| hotkey.as_str().to_owned())
}
