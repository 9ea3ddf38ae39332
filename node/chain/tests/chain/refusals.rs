//! One submission for every refusal; each would be accepted without the one thing that is wrong with it.

use crate::common::{chain_of, genesis, hotkey, payload, signed};
use chain::{EmbeddedChain, Refusal};
use mechanism::ids::{Hash32, Hotkey};
use mechanism::rational::Rational;
use mechanism::spec::Spec;
use mechanism::wire::to_u16;
use proptest::prelude::*;
use round::ports::{SignedWeights, WeightsPayload};

/// Submits the standard payload with one change, signed after the change.
fn submit(change: impl FnOnce(&mut WeightsPayload)) -> Result<u64, Refusal> {
    submit_to(&mut chain_of(genesis()), change)
}

fn submit_to(
    chain: &mut EmbeddedChain,
    change: impl FnOnce(&mut WeightsPayload),
) -> Result<u64, Refusal> {
    let mut payload = payload();
    change(&mut payload);
    chain
        .submit(&signed(0, payload))
        .map(|accepted| accepted.block)
}

#[test]
fn the_standard_payload_is_accepted_and_read_back() {
    let mut chain = chain_of(genesis());
    let weights = signed(0, payload());
    let accepted = chain.submit(&weights).unwrap();
    assert_eq!((accepted.block, &accepted.weights), (10, &weights));
    assert_eq!(chain.weights(&hotkey(0)), Some(&accepted));
    assert_eq!(chain.weights(&hotkey(1)), None);
}

#[test]
fn lists_of_different_length() {
    let refusal = submit(|p| p.values.truncate(2));
    assert_eq!(refusal, Err(Refusal::LengthMismatch { uids: 3, values: 2 }));
}

#[test]
fn hotkeys_without_a_slot() {
    let mut chain = chain_of(genesis());
    assert_eq!(
        chain.submit(&signed(9, payload())),
        Err(Refusal::UnknownHotkey(hotkey(9)))
    );
    let no_key = SignedWeights {
        hotkey: Hotkey::new("x"),
        ..signed(0, payload())
    };
    assert_eq!(
        chain.submit(&no_key),
        Err(Refusal::UnknownHotkey(Hotkey::new("x")))
    );
}

#[test]
fn every_signed_field_is_bound_by_the_signature() {
    let mut chain = chain_of(genesis());
    let refused = Err(Refusal::BadSignature(hotkey(0)));
    let changes: [fn(&mut WeightsPayload); 7] = [
        |p| p.netuid += 1,
        |p| p.version_key += 1,
        |p| p.round += 1,
        |p| p.uids[2] = 5,
        |p| p.values[1] -= 1,
        |p| p.spec_id = Hash32([8; 32]),
        |p| p.round_digest = Hash32([8; 32]),
    ];
    for change in changes {
        let mut weights = signed(0, payload());
        change(&mut weights.payload);
        assert_eq!(chain.submit(&weights), refused);
    }
    let other_key = SignedWeights {
        hotkey: hotkey(0),
        ..signed(2, payload())
    };
    assert_eq!(chain.submit(&other_key), refused);
    for signature in ["", "00", &"g".repeat(128), &"0".repeat(128)] {
        let weights = SignedWeights {
            signature: signature.to_owned(),
            ..signed(0, payload())
        };
        assert_eq!(chain.submit(&weights), refused);
    }
    assert!(chain.weights(&hotkey(0)).is_none());
}

#[test]
fn another_subnet() {
    let refusal = submit(|p| p.netuid = 8);
    assert_eq!(
        refusal,
        Err(Refusal::WrongSubnet {
            submitted: 8,
            expected: 7
        })
    );
}

#[test]
fn no_validator_permit() {
    let mut chain = chain_of(genesis());
    assert_eq!(
        chain.submit(&signed(1, payload())),
        Err(Refusal::NoPermit(hotkey(1)))
    );
}

#[test]
fn an_old_version_key() {
    let refusal = submit(|p| p.version_key = 4);
    assert_eq!(
        refusal,
        Err(Refusal::StaleVersionKey {
            submitted: 4,
            required: 5
        })
    );
    assert_eq!(submit(|p| p.version_key = 6), Ok(10));
}

#[test]
fn rounds_go_forward() {
    let mut chain = chain_of(genesis());
    let future = submit_to(&mut chain, |p| p.round = 1);
    assert_eq!(future, Err(Refusal::FutureRound { submitted: 1 }));
    let far = submit_to(&mut chain, |p| p.round = u64::MAX);
    assert_eq!(
        far,
        Err(Refusal::FutureRound {
            submitted: u64::MAX
        })
    );
    chain.advance_epoch();
    assert_eq!(submit_to(&mut chain, |p| p.round = 1), Ok(20));
    let past = submit_to(&mut chain, |p| p.round = 0);
    assert_eq!(
        past,
        Err(Refusal::PastRound {
            submitted: 0,
            accepted: 1
        })
    );
}

#[test]
fn one_payload_a_round_and_the_same_again_is_the_same() {
    let mut chain = chain_of(genesis());
    assert_eq!(submit_to(&mut chain, |_| {}), Ok(10));
    chain.advance();
    assert_eq!(submit_to(&mut chain, |_| {}), Ok(10));
    let other = submit_to(&mut chain, |p| p.values[2] += 1);
    assert_eq!(other, Err(Refusal::ConflictingPayload { round: 0 }));
    let other = submit_to(&mut chain, |p| p.round_digest = Hash32([4; 32]));
    assert_eq!(other, Err(Refusal::ConflictingPayload { round: 0 }));
    assert_eq!(
        chain.weights(&hotkey(0)).unwrap().weights.payload,
        payload()
    );
}

#[test]
fn submissions_keep_their_distance() {
    let mut chain = chain_of(genesis());
    for _ in 0..8 {
        chain.advance();
    }
    assert_eq!(submit_to(&mut chain, |_| {}), Ok(18));
    chain.advance_epoch();
    let soon = submit_to(&mut chain, |p| p.round = 1);
    assert_eq!(
        soon,
        Err(Refusal::RateLimit {
            limit: 3,
            next_block: 21
        })
    );
    chain.advance();
    assert_eq!(submit_to(&mut chain, |p| p.round = 1), Ok(21));
}

#[test]
fn uids_are_known_and_stand_once_in_order() {
    assert_eq!(
        submit(|p| p.uids = vec![2, 3, 2]),
        Err(Refusal::DuplicateUid(2))
    );
    assert_eq!(
        submit(|p| p.uids = vec![2, 4, 3]),
        Err(Refusal::UidOrder(3))
    );
    assert_eq!(
        submit(|p| p.uids = vec![2, 3, 6]),
        Err(Refusal::UnknownUid(6))
    );
    let mut chain = chain_of(genesis());
    chain.deregister(4);
    assert_eq!(submit_to(&mut chain, |_| {}), Err(Refusal::UnknownUid(4)));
}

#[test]
fn enough_weights_that_are_not_zero() {
    let few = |found, required| Err(Refusal::TooFewWeights { found, required });
    assert_eq!(submit(|p| p.values = vec![65535, 0, 0]), few(1, 2));
    assert_eq!(submit(|p| p.values = vec![65535, 1, 0]), Ok(10));
    let mut genesis = genesis();
    genesis.min_allowed_weights = 0;
    let mut chain = chain_of(genesis);
    let empty = submit_to(&mut chain, |p| {
        p.uids.clear();
        p.values.clear();
    });
    assert_eq!(empty, few(0, 1));
}

/// Submits values for the uids from 2 under a limit on the share of one weight.
fn limited(limit: u16, values: &[u16]) -> Result<u64, Refusal> {
    let mut genesis = genesis();
    genesis.max_weights_limit = limit;
    submit_to(&mut chain_of(genesis), |p| {
        p.values = values.to_vec();
        p.uids = (2..).take(values.len()).collect();
    })
}

#[test]
fn no_weight_above_the_limit() {
    let half = 32768;
    let refusal = limited(half, &[65535, 40000, 20000]);
    let expected = Refusal::MaxWeightExceeded {
        uid: 2,
        value: 65535,
        sum: 125_535,
        limit: half,
    };
    assert_eq!(refusal, Err(expected));
    assert_eq!(limited(half, &[65535, 45535, 20000]), Ok(10));
    // Without a limit one weight may hold nearly everything.
    assert_eq!(limited(u16::MAX, &[65535, 1]), Ok(10));
}

/// A vector that was clipped exactly can only miss the limit by its rounding; equal weights cannot be clipped further.
#[test]
fn rounding_and_equal_weights_pass_the_limit() {
    // Shares 2/5, 3/10 and 3/10 under a limit of 2/5: 65535, 49151.25, 49151.25.
    assert_eq!(limited(26214, &[65535, 49151, 49151]), Ok(10));
    assert!(limited(26214, &[65535, 49140, 49140]).is_err());
    assert_eq!(limited(100, &[65535, 65535]), Ok(10));
    assert_eq!(limited(100, &[65535, 65535, 0]), Ok(10));
    assert!(limited(100, &[65535, 65534]).is_err());
}

proptest! {
    /// What the mechanism clips, the chain takes: rounding never carries a vector over the limit.
    #[test]
    fn every_clipped_vector_is_accepted(
        weights in proptest::collection::vec(1u64..1_000_000_000_000_000, 1..=4),
        small in any::<bool>(),
        limit in 1..=u16::MAX,
    ) {
        let weight = |w: u64| Rational::integer(u128::from(if small { w % 1000 + 1 } else { w }));
        let weights: Vec<(u16, Rational)> = (2..).zip(weights.into_iter().map(weight)).collect();
        let (uids, values) = to_u16(&Spec::pinned().weights, &weights, limit).unwrap().into_iter().unzip();
        let mut genesis = genesis();
        genesis.min_allowed_weights = 1;
        genesis.max_weights_limit = limit;
        let result = submit_to(&mut chain_of(genesis), |p| (p.uids, p.values) = (uids, values));
        prop_assert_eq!(result, Ok(10));
    }
}

#[test]
fn a_refusal_begins_with_its_code_and_is_one_line() {
    for refusal in [
        submit(|p| p.netuid = 8).unwrap_err(),
        submit(|p| p.uids = vec![2, 3, 6]).unwrap_err(),
        limited(100, &[65535, 1]).unwrap_err(),
    ] {
        let text = refusal.to_string();
        assert!(text.starts_with(&format!("{}: ", refusal.code())), "{text}");
        assert!(!text.contains('\n'));
    }
}
