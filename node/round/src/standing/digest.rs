//! The round digest of a round's own data.

use super::{Standings, TrackScore};
use crate::record::{Opening, RunRecord};
use mechanism::digest::{self, Completed, DigestAgent, DigestInput, DigestRun};
use mechanism::ids::{Hash32, Hotkey};
use std::collections::BTreeMap;

/// The round digest over plan, records, scores and vector (`mechanism.md §4`).
#[must_use]
pub fn round_digest(
    opening: &Opening,
    runs: &[RunRecord],
    standings: &Standings,
    vector: Option<&[(u16, u16)]>,
) -> Hash32 {
    let details: BTreeMap<&Hotkey, &TrackScore> = standings
        .tracks
        .values()
        .flat_map(|standing| &standing.agents)
        .filter_map(|agent| Some((&agent.hotkey, agent.detail.as_ref()?)))
        .collect();
    let agents = standings
        .tracks
        .iter()
        .flat_map(|(track, standing)| {
            standing.agents.iter().map(|agent| DigestAgent {
                hotkey: &agent.hotkey,
                track: *track,
                pin: &agent.pin,
                score: agent.detail.as_ref().map(|_| agent.score),
            })
        })
        .collect();
    let runs = runs
        .iter()
        .map(|run| DigestRun {
            track: run.id.track,
            hotkey: &run.id.hotkey,
            rep: run.id.rep,
            rank: run.id.rank,
            completed: run
                .verdict
                .filter(|_| run.failure.is_none())
                .map(|verdict| Completed {
                    verdict,
                    findings: details
                        .get(&run.id.hotkey)
                        .map_or(&[], |detail| detail.scored_in(run.id.rank, run.id.rep)),
                }),
        })
        .collect();
    digest::round_digest(&DigestInput {
        spec_id: opening.spec_id,
        corpus_root: opening.corpus_root,
        agents,
        runs,
        vector,
    })
}
