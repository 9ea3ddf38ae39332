//! The ranking of a track (SPEC.md W-1, W-3; `mechanism.md §8`).

use crate::copies::{Candidate, originals};
use crate::derive;
use crate::ids::{Hash32, Hotkey};
use crate::track::Track;
use serde::{Deserialize, Serialize};

/// An evaluated, or unavailable, participant of one track.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
    /// Who.
    pub hotkey: Hotkey,
    /// Published track score; 0 for an unavailable agent.
    pub score: f64,
    /// Whether the threshold is met; false for an unavailable agent.
    pub eligible: bool,
    /// Block of this hotkey's first commitment of that pin on that track since another pin.
    pub commit_block: u64,
    /// The agent's pin as text.
    pub pin: String,
    /// The agent's normalised digest; `None` when its files could not be had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
}

/// A track's entrants in the roles that the rules give them. Positions are those of the input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ranking {
    /// Those that rank, best first: eligible, score above 0, no copy.
    pub ranked: Vec<usize>,
    /// Copies, each with its original.
    pub copies: Vec<(usize, usize)>,
}

/// Ranks the entrants of a track by score, descending; equal doubles go to the earlier commitment, then to the lower tie hash. Of a group of
/// copies only the earliest commitment can rank, whatever its result.
#[must_use]
pub fn rank(seed: &Hash32, track: Track, entrants: &[Entrant]) -> Ranking {
    let ties: Vec<Hash32> = entrants
        .iter()
        .map(|entrant| derive::tie(seed, track, &entrant.hotkey))
        .collect();
    let candidates: Vec<Candidate<'_>> = entrants
        .iter()
        .zip(&ties)
        .map(|(entrant, tie)| Candidate {
            pin: &entrant.pin,
            digest: entrant.digest.as_deref(),
            commit_block: entrant.commit_block,
            tie: *tie,
        })
        .collect();
    let original = originals(&candidates);
    let mut ranked: Vec<usize> = (0..entrants.len())
        .filter(|&at| original[at] == at && entrants[at].eligible && entrants[at].score > 0.0)
        .collect();
    ranked.sort_by(|&a, &b| {
        let (first, second) = (&entrants[a], &entrants[b]);
        second
            .score
            .total_cmp(&first.score)
            .then(first.commit_block.cmp(&second.commit_block))
            .then(ties[a].cmp(&ties[b]))
    });
    let copies = original
        .into_iter()
        .enumerate()
        .filter(|(at, original)| at != original)
        .collect();
    Ranking { ranked, copies }
}
