//! Who takes part in a round, with which agent, on which track (SPEC.md F-1 to F-4; `mechanism.md §2, §8`).

use crate::ids::{Hotkey, Pin};
use crate::track::Track;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One commitment as the chain recorded it. The type of the pin is open so that conformance cases may use short names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commitment<P = Pin> {
    /// Who committed.
    pub hotkey: Hotkey,
    /// On which track.
    pub track: Track,
    /// Which agent.
    pub pin: P,
    /// In which block.
    pub block: u64,
}

/// A hotkey's frozen agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Participant<P = Pin> {
    /// Who takes part.
    pub hotkey: Hotkey,
    /// With which agent.
    pub pin: P,
    /// The block that counts for ties and copies: this hotkey's first commitment of the pin on the track since another pin.
    pub commit_block: u64,
}

/// Freezes the participants: every hotkey on the track of its latest commitment that is not after `freeze_block`. The
/// commitments come in chain order; within a block the later one counts. Every track is there, sorted by hotkey.
#[must_use]
pub fn freeze<P: Clone + PartialEq>(
    freeze_block: u64,
    commitments: &[Commitment<P>],
) -> BTreeMap<Track, Vec<Participant<P>>> {
    let mut by_hotkey: BTreeMap<&Hotkey, Vec<&Commitment<P>>> = BTreeMap::new();
    for commitment in commitments.iter().filter(|c| c.block <= freeze_block) {
        by_hotkey
            .entry(&commitment.hotkey)
            .or_default()
            .push(commitment);
    }
    let mut tracks: BTreeMap<_, _> = Track::ALL.map(|track| (track, Vec::new())).into();
    for (hotkey, mut history) in by_hotkey {
        // Stable: commitments of one block keep the order of the chain.
        history.sort_by_key(|commitment| commitment.block);
        if let Some((track, participant)) = latest(hotkey, &history) {
            tracks.entry(track).or_default().push(participant);
        }
    }
    tracks
}

fn latest<P: Clone + PartialEq>(
    hotkey: &Hotkey,
    history: &[&Commitment<P>],
) -> Option<(Track, Participant<P>)> {
    let last = history.last()?;
    let since_another_pin = history.iter().rev().take_while(|c| c.pin == last.pin);
    let first = since_another_pin
        .filter(|c| c.track == last.track)
        .last()
        .map_or(last.block, |c| c.block);
    let participant = Participant {
        hotkey: hotkey.clone(),
        pin: last.pin.clone(),
        commit_block: first,
    };
    Some((last.track, participant))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn commit(
        hotkey: &str,
        track: Track,
        pin: &'static str,
        block: u64,
    ) -> Commitment<&'static str> {
        Commitment {
            hotkey: Hotkey::new(hotkey),
            track,
            pin,
            block,
        }
    }

    fn frozen(commitments: &[Commitment<&'static str>]) -> (Track, &'static str, u64) {
        let tracks = freeze(100, commitments);
        let mut all = tracks
            .iter()
            .flat_map(|(track, list)| list.iter().map(|p| (*track, p.pin, p.commit_block)));
        let one = all.next().unwrap();
        assert_eq!(all.next(), None);
        one
    }

    #[test]
    fn the_latest_track_counts_and_nothing_after_the_freeze() {
        let history = [
            commit("h", Track::Skills, "a", 5),
            commit("h", Track::Packages, "b", 100),
            commit("h", Track::Skills, "c", 101),
        ];
        assert_eq!(frozen(&history), (Track::Packages, "b", 100));
    }

    #[test]
    fn repeating_a_pin_keeps_its_first_block_and_another_pin_ends_it() {
        let again = [
            commit("h", Track::Skills, "a", 5),
            commit("h", Track::Skills, "a", 9),
        ];
        assert_eq!(frozen(&again).2, 5);
        let back = [
            commit("h", Track::Skills, "a", 5),
            commit("h", Track::Skills, "b", 7),
            commit("h", Track::Skills, "a", 9),
            commit("h", Track::Skills, "a", 11),
        ];
        assert_eq!(frozen(&back).2, 9);
        let elsewhere = [
            commit("h", Track::Skills, "a", 5),
            commit("h", Track::Packages, "b", 7),
            commit("h", Track::Skills, "a", 9),
        ];
        assert_eq!(
            frozen(&elsewhere).2,
            9,
            "another pin on another track is another pin"
        );
        let moved = [
            commit("h", Track::Packages, "a", 5),
            commit("h", Track::Skills, "a", 9),
        ];
        assert_eq!(
            frozen(&moved),
            (Track::Skills, "a", 9),
            "only commitments on the track count"
        );
    }

    #[test]
    fn within_a_block_the_later_commitment_counts() {
        let history = [
            commit("h", Track::Skills, "a", 5),
            commit("h", Track::Packages, "b", 5),
        ];
        assert_eq!(frozen(&history), (Track::Packages, "b", 5));
    }

    proptest! {
        #[test]
        fn the_order_in_which_hotkeys_and_blocks_are_listed_changes_nothing(
            rows in prop::collection::vec((0u8..4, 0usize..4, 0usize..3), 0..24).prop_map(|rows| {
                rows.into_iter().enumerate().map(|(block, (h, t, p))| {
                    commit(["w", "x", "y", "z"][usize::from(h)], Track::ALL[t], ["a", "b", "c"][p], block as u64)
                }).collect::<Vec<_>>()
            }),
            shuffle_seed: u64,
        ) {
            let mut shuffled = rows.clone();
            let len = shuffled.len();
            let mut state = shuffle_seed | 1;
            for i in (1..len).rev() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                shuffled.swap(i, usize::try_from(state >> 33).unwrap() % (i + 1));
            }
            let frozen = freeze(20, &rows);
            prop_assert_eq!(&frozen, &freeze(20, &shuffled));
            for list in frozen.values() {
                prop_assert!(list.is_sorted_by(|a, b| a.hotkey < b.hotkey));
            }
        }
    }
}
