//! From ranked tracks to the vector.

use mechanism::ids::{Hash32, Hotkey};
use mechanism::rank::Entrant;
use mechanism::rational::Rational;
use mechanism::spec::Spec;
use mechanism::track::Track;
use mechanism::weights::{
    Abstention, Units, WeightsError, WeightsInput, compute, state_from_chain,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const UNIT: u64 = 1_000_000_000_000_000;

fn hotkey(n: usize) -> Hotkey {
    Hotkey::new(format!("5Hotkey{n:02}"))
}

fn entrant(n: usize, score: f64) -> Entrant {
    Entrant {
        hotkey: hotkey(n),
        score,
        eligible: true,
        commit_block: 10,
        pin: format!("pin{n}"),
        digest: None,
    }
}

fn input(tracks: impl IntoIterator<Item = (Track, Vec<Entrant>)>) -> WeightsInput {
    WeightsInput {
        seed: Hash32([3; 32]),
        tracks: tracks.into_iter().collect(),
        contributors: Vec::new(),
        previous: None,
        registered: (0u16..100)
            .map(|uid| (hotkey(usize::from(uid)), uid))
            .collect(),
        reregistered: BTreeSet::new(),
        min_allowed_weights: 0,
        max_weights_limit: None,
    }
}

fn percent(units: &Units, n: usize) -> f64 {
    units
        .get(&hotkey(n))
        .map_or(0.0, |units| *units as f64 / UNIT as f64)
}

/// W-4.
#[test]
fn the_top_three_split_half_three_tenths_and_a_fifth() {
    let four = (0..4).map(|n| entrant(n, 0.9 - n as f64 / 10.0)).collect();
    let outcome = compute(&Spec::pinned(), &input([(Track::Skills, four)])).unwrap();
    let split: Vec<f64> = (0..4).map(|n| percent(&outcome.new, n)).collect();
    assert_eq!(split, [0.5, 0.3, 0.2, 0.0]);
    assert_eq!(outcome.ranking[&Track::Skills].len(), 4);
    assert_eq!(outcome.track_shares[&Track::Skills], Rational::one());
}

/// W-4.
#[test]
fn fewer_than_three_renormalise() {
    let two = vec![entrant(0, 0.4), entrant(1, 0.9)];
    let outcome = compute(&Spec::pinned(), &input([(Track::Packages, two)])).unwrap();
    assert_eq!(
        (percent(&outcome.new, 1), percent(&outcome.new, 0)),
        (0.625, 0.375)
    );
}

/// W-4.
#[test]
fn idle_tracks_hand_on_in_equal_parts() {
    let tracks = [
        (Track::Skills, vec![entrant(0, 0.5)]),
        (Track::Packages, vec![entrant(1, 0.5)]),
        (
            Track::Repositories,
            vec![Entrant {
                eligible: false,
                ..entrant(2, 0.4)
            }],
        ),
    ];
    let outcome = compute(&Spec::pinned(), &input(tracks)).unwrap();
    // 0.225 + 0.525/2 and 0.25 + 0.525/2.
    assert_eq!(
        (percent(&outcome.new, 0), percent(&outcome.new, 1)),
        (0.4875, 0.5125)
    );
    assert_eq!(outcome.track_shares.len(), 2);
}

/// W-1.
#[test]
fn equal_scores_go_to_the_earlier_commitment_and_then_to_the_lower_hash() {
    let late = Entrant {
        commit_block: 11,
        ..entrant(0, 0.5)
    };
    let early = Entrant {
        commit_block: 9,
        ..entrant(1, 0.5)
    };
    let outcome = compute(
        &Spec::pinned(),
        &input([(Track::Skills, vec![late, early])]),
    )
    .unwrap();
    assert_eq!(outcome.ranking[&Track::Skills], [hotkey(1), hotkey(0)]);
    let same: Vec<Entrant> = (0..3).map(|n| entrant(n, 0.5)).collect();
    let outcome = compute(&Spec::pinned(), &input([(Track::Skills, same)])).unwrap();
    let ties: Vec<Hash32> = outcome.ranking[&Track::Skills]
        .iter()
        .map(|hotkey| mechanism::derive::tie(&Hash32([3; 32]), Track::Skills, hotkey))
        .collect();
    assert!(ties.is_sorted());
}

/// W-3, W-5.
#[test]
fn a_copy_is_neither_eligible_nor_active_even_of_a_failed_original() {
    let original = Entrant {
        score: 0.1,
        eligible: false,
        commit_block: 3,
        digest: Some("d".into()),
        ..entrant(0, 0.1)
    };
    let copy = Entrant {
        digest: Some("d".into()),
        ..entrant(1, 0.9)
    };
    let other = entrant(2, 0.3);
    let mut given = input([(Track::McpServers, vec![copy, original, other])]);
    given.contributors = vec![hotkey(1), hotkey(0), hotkey(2), hotkey(2), hotkey(50)];
    let outcome = compute(&Spec::pinned(), &given).unwrap();
    assert_eq!(outcome.ranking[&Track::McpServers], [hotkey(2)]);
    assert_eq!(
        outcome.copies[&Track::McpServers],
        BTreeMap::from([(hotkey(1), hotkey(0))])
    );
    assert_eq!(outcome.active_contributors, BTreeSet::from([hotkey(2)]));
    assert_eq!(outcome.new, Units::from([(hotkey(2), UNIT)]));
}

/// W-4, W-8, W-11.
#[test]
fn every_abstention_has_its_reason_and_leaves_the_state_alone() {
    let spec = Spec::pinned();
    let one = || input([(Track::Skills, vec![entrant(0, 0.5)])]);
    let reason = |given: &WeightsInput| {
        let outcome = compute(&spec, given).unwrap();
        assert!(outcome.state.is_none() && outcome.u16.is_none());
        outcome.abstain.unwrap()
    };
    assert_eq!(reason(&input([])), Abstention::AllTracksIdle);
    assert_eq!(
        reason(&input([(Track::Skills, vec![entrant(0, 0.0)])])),
        Abstention::AllTracksIdle
    );
    let mut gone = one();
    gone.reregistered.insert(hotkey(0));
    assert_eq!(reason(&gone), Abstention::NoWeightsLeft);
    let mut few = one();
    few.min_allowed_weights = 2;
    assert_eq!(reason(&few), Abstention::TooFewWeights);
    assert_eq!(Abstention::TooFewWeights.as_str(), "too_few_weights");
    few.min_allowed_weights = 1;
    assert_eq!(compute(&spec, &few).unwrap().abstain, None);
}

/// W-8.
#[test]
fn dust_is_dropped_below_a_billionth() {
    let with_previous = |units| {
        let mut given = input([(Track::Skills, vec![entrant(0, 0.5)])]);
        given.previous = Some(Units::from([(hotkey(1), units)]));
        compute(&Spec::pinned(), &given)
            .unwrap()
            .state
            .unwrap()
            .contains_key(&hotkey(1))
    };
    // 7 * 1428571 is 9999997, 7 * 1428572 is above 10^7.
    assert!(!with_previous(1_428_571));
    assert!(with_previous(1_428_572));
}

/// W-7.
#[test]
fn an_empty_state_is_not_a_missing_one() {
    let mut given = input([(Track::Skills, vec![entrant(0, 0.5)])]);
    let missing = compute(&Spec::pinned(), &given).unwrap();
    given.previous = Some(Units::new());
    let empty = compute(&Spec::pinned(), &given).unwrap();
    // Both renormalise to the whole; with a third agent's remains they would not.
    assert_eq!(missing.state, empty.state);
    given.previous = Some(Units::from([(hotkey(9), UNIT)]));
    let state = compute(&Spec::pinned(), &given).unwrap().state.unwrap();
    assert_eq!(
        (state[&hotkey(0)], state[&hotkey(9)]),
        (UNIT * 3 / 10, UNIT * 7 / 10)
    );
}

/// W-10.
#[test]
fn the_limit_clips_the_wire_and_not_the_state() {
    let mut given = input([(
        Track::Skills,
        (0..3).map(|n| entrant(n, 0.9 - n as f64 / 10.0)).collect(),
    )]);
    given.max_weights_limit = Some(26_214);
    let outcome = compute(&Spec::pinned(), &given).unwrap();
    assert_eq!(outcome.state.unwrap()[&hotkey(0)], UNIT / 2);
    let wire = outcome.u16.unwrap();
    let sum: u32 = wire.iter().map(|(_, value)| u32::from(*value)).sum();
    assert!(wire[0].1 == 65_535 && f64::from(wire[0].1) / f64::from(sum) < 0.4001);
}

/// W-8.
#[test]
fn a_state_is_recovered_from_the_chain() {
    let spec = Spec::pinned();
    let chain = BTreeMap::from([(hotkey(0), 65_535), (hotkey(1), 21_845), (hotkey(2), 0)]);
    let state = state_from_chain(&spec, &chain).unwrap();
    assert_eq!(
        state,
        Units::from([(hotkey(0), UNIT * 3 / 4), (hotkey(1), UNIT / 4)])
    );
    assert_eq!(
        state_from_chain(&spec, &BTreeMap::from([(hotkey(0), 0)])),
        None
    );
    assert_eq!(state_from_chain(&spec, &BTreeMap::new()), None);
}

#[test]
fn impossible_inputs_are_typed_errors() {
    let spec = Spec::pinned();
    let twice = input([(Track::Skills, vec![entrant(0, 0.5), entrant(0, 0.6)])]);
    assert!(matches!(
        compute(&spec, &twice),
        Err(WeightsError::DuplicateEntrant { .. })
    ));
    for score in [f64::NAN, -0.1, 1.1, f64::INFINITY] {
        let given = input([(Track::Skills, vec![entrant(0, score)])]);
        assert!(
            matches!(compute(&spec, &given), Err(WeightsError::Score { .. })),
            "{score}"
        );
    }
    let mut shared_uid = input([(Track::Skills, vec![entrant(0, 0.5), entrant(1, 0.5)])]);
    shared_uid.registered.insert(hotkey(1), 0);
    assert!(matches!(
        compute(&spec, &shared_uid),
        Err(WeightsError::Wire(_))
    ));
    let mut inflated = input([(Track::Skills, vec![entrant(0, 0.5)])]);
    inflated.previous = Some(Units::from([(hotkey(0), u64::MAX)]));
    assert!(matches!(
        compute(&spec, &inflated),
        Err(WeightsError::State(_))
    ));
}

prop_compose! {
    fn any_entrant(n: usize)(score in 0u8..6, eligible in any::<bool>(), block in 1u64..4, pin in 0u8..12, digest in proptest::option::of(0u8..12)) -> Entrant {
        Entrant {
            hotkey: hotkey(n),
            score: f64::from(score) / 5.0,
            eligible,
            commit_block: block,
            pin: format!("pin{pin}"),
            digest: digest.map(|digest| format!("digest{digest}")),
        }
    }
}

fn any_input() -> impl Strategy<Value = WeightsInput> {
    let entrants = (0..16usize).map(any_entrant).collect::<Vec<_>>();
    let previous = proptest::option::of(proptest::collection::btree_map(
        (0usize..20).prop_map(hotkey),
        1u64..UNIT / 20,
        0..20,
    ));
    (
        entrants,
        proptest::collection::vec(0usize..4, 16),
        previous,
        proptest::collection::vec((0usize..16).prop_map(hotkey), 0..4),
    )
        .prop_map(|(entrants, tracks, previous, contributors)| {
            let mut by_track: BTreeMap<Track, Vec<Entrant>> = BTreeMap::new();
            for (entrant, track) in entrants.into_iter().zip(tracks) {
                by_track.entry(Track::ALL[track]).or_default().push(entrant);
            }
            WeightsInput {
                previous,
                contributors,
                ..input(by_track)
            }
        })
}

proptest! {
    /// W-6, W-8, W-9.
    #[test]
    fn weights_sum_to_the_whole_and_the_largest_is_65535(given in any_input()) {
        let outcome = compute(&Spec::pinned(), &given).unwrap();
        let shares = outcome.track_shares.values().fold(Rational::zero(), |sum, share| &sum + share);
        match outcome.abstain {
            Some(reason) => prop_assert_eq!(reason, Abstention::AllTracksIdle),
            None => {
                prop_assert_eq!(shares, Rational::one());
                for units in [outcome.new, outcome.state.unwrap()] {
                    // Each entry is off by at most half a unit.
                    let sum: u64 = units.values().sum();
                    prop_assert!(2 * sum.abs_diff(UNIT) <= units.len() as u64, "{} of {}", sum, units.len());
                }
                let wire = outcome.u16.unwrap();
                prop_assert_eq!(wire.iter().map(|(_, value)| *value).max(), Some(u16::MAX));
                prop_assert!(wire.is_sorted_by(|a, b| a.0 < b.0));
            }
        }
    }

    /// W-1 to W-9.
    #[test]
    fn the_order_of_the_input_changes_nothing(given in any_input(), turn in 0usize..16) {
        let mut turned = given.clone();
        for entrants in turned.tracks.values_mut() {
            let by = turn % entrants.len().max(1);
            entrants.rotate_left(by);
            entrants.reverse();
        }
        turned.contributors.reverse();
        let spec = Spec::pinned();
        prop_assert_eq!(compute(&spec, &given).unwrap(), compute(&spec, &turned).unwrap());
    }
}
