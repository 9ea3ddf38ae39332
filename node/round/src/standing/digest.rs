//! The round digest of a round's own data.

use super::{Standings, TrackScore};
use crate::record::{Opening, RunRecord};
use mechanism::digest::{self, Completed, DigestAgent, DigestInput, DigestRun};
use mechanism::ids::{Hash32, Hotkey};
use mechanism::score::RepoRepScore;
use mechanism::scored::ScoredFinding;
use std::collections::BTreeMap;

/// The round digest over plan, records, scores and vector (`mechanism.md §4`).
#[must_use]
pub fn round_digest(
    opening: &Opening,
    runs: &[RunRecord],
    standings: &Standings,
    vector: Option<&[(u16, u16)]>,
) -> Hash32 {
    let scored = scored_findings(standings);
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
                    findings: scored
                        .get(&(&run.id.hotkey, run.id.rank, run.id.rep))
                        .copied()
                        .unwrap_or(&[]),
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

/// The findings that took part in a score, by (hotkey, rank, repetition). A hotkey is on one track only.
fn scored_findings(standings: &Standings) -> BTreeMap<(&Hotkey, u32, u32), &[ScoredFinding]> {
    let mut scored = BTreeMap::new();
    for agent in standings
        .tracks
        .values()
        .flat_map(|standing| &standing.agents)
    {
        match &agent.detail {
            Some(TrackScore::Behavioural(score)) => {
                for (rank, task) in (0u32..).zip(&score.tasks) {
                    if let Some((rep, findings)) = task
                        .findings
                        .as_ref()
                        .and_then(|f| Some((f.rep?, &f.scored)))
                    {
                        let rep = u32::try_from(rep).unwrap_or(u32::MAX);
                        scored.insert((&agent.hotkey, rank, rep), findings.as_slice());
                    }
                }
            }
            Some(TrackScore::Audit(score)) => {
                for (rank, task) in (0u32..).zip(&score.tasks) {
                    for (rep, outcome) in (0u32..).zip(&task.reps) {
                        if let RepoRepScore::Completed { scored: list, .. } = outcome {
                            scored.insert((&agent.hotkey, rank, rep), list.as_slice());
                        }
                    }
                }
            }
            None => {}
        }
    }
    scored
}
