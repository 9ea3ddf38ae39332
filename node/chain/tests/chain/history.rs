//! Blocks, epochs, registrations, commitments, saved state and the round's port.

use crate::common::{chain_of, commitment, genesis, hotkey, payload, signed};
use chain::{ChainError, EmbeddedChain, Genesis, GenesisError};
use mechanism::ids::{Hash32, Hotkey, Pin};
use mechanism::track::Track;
use proptest::prelude::*;
use round::ports::ChainPort;

#[test]
fn hashes_are_the_documented_chain() {
    let chain = chain_of(genesis());
    let text = |t: &str| [&(t.len() as u32).to_le_bytes(), t.as_bytes()].concat();
    let first = [
        text("assay/v1/chain/genesis"),
        vec![1; 32],
        7u32.to_le_bytes().to_vec(),
    ]
    .concat();
    let first = blake3::hash(&first);
    assert_eq!(chain.block_hash(0), Some(first.into()));
    let second = [
        text("assay/v1/chain/block"),
        first.as_bytes().to_vec(),
        1u64.to_le_bytes().to_vec(),
    ]
    .concat();
    assert_eq!(chain.block_hash(1), Some(blake3::hash(&second).into()));
    assert_eq!(chain.block_hash(11), None);
}

#[test]
fn an_epoch_freezes_right_before_its_seed_block() {
    let mut chain = EmbeddedChain::genesis(genesis()).unwrap();
    assert_eq!(chain.current_epoch(), None);
    for _ in 0..9 {
        chain.advance();
    }
    assert_eq!(chain.epoch(0), None);
    let epoch = chain.advance_epoch();
    assert_eq!((epoch.id, epoch.freeze_block, epoch.seed_block), (0, 9, 10));
    assert_eq!(Some(epoch.seed), chain.block_hash(10));
    assert_eq!(chain.current_epoch(), Some(epoch));
    let next = chain.advance_epoch();
    assert_eq!((next.id, next.seed_block, chain.head()), (1, 20, 20));
    assert_eq!(chain.epoch(0), Some(epoch));
}

#[test]
fn a_given_seed_is_the_first_epochs_and_later_blocks_build_on_it() {
    let seed = Hash32([9; 32]);
    let mut given = chain_of(Genesis {
        round_seed: Some(seed),
        ..genesis()
    });
    let mut plain = chain_of(genesis());
    assert_eq!(given.current_epoch().unwrap().seed, seed);
    assert_eq!(given.block_hash(9), plain.block_hash(9));
    assert_ne!(given.advance_epoch().seed, plain.advance_epoch().seed);
}

#[test]
fn commitments_appear_at_their_block_in_chain_order() {
    let mut chain = chain_of(genesis());
    assert_eq!(chain.commitments(), [commitment(2, 2), commitment(3, 8)]);
    chain
        .commit(&hotkey(5), Track::Packages, Pin::blake3_of(b"x"))
        .unwrap();
    assert_eq!(chain.commitments().last().unwrap().block, 10);
    chain.advance_epoch();
    let blocks: Vec<u64> = chain.commitments().iter().map(|c| c.block).collect();
    assert_eq!(blocks, [2, 8, 10, 12]);
    let stranger = chain.commit(&hotkey(9), Track::Packages, Pin::blake3_of(b"x"));
    assert!(matches!(stranger, Err(ChainError::Unregistered(_))));
}

#[test]
fn the_metagraph_keeps_its_history() {
    let mut chain = chain_of(genesis());
    chain.register(3, &hotkey(9), 5, false).unwrap();
    assert_eq!(chain.metagraph(9).neurons[&3].hotkey, hotkey(3));
    let now = chain.metagraph(10);
    assert_eq!(
        (&now.neurons[&3].hotkey, now.neurons[&3].registered_at),
        (&hotkey(9), 10)
    );
    assert!(now.by_hotkey(&hotkey(3)).is_none());
    chain.deregister(4);
    assert!(!chain.metagraph(10).neurons.contains_key(&4));
    assert!(chain.metagraph(9).neurons.contains_key(&4));
    let moved = chain.register(4, &hotkey(9), 5, false);
    assert!(matches!(moved, Err(ChainError::Registered { uid: 3, .. })));
    let no_key = chain.register(4, &Hotkey::new("x"), 5, false);
    assert!(matches!(no_key, Err(ChainError::Hotkey(_))));
}

#[test]
fn a_slot_that_changes_hands_loses_its_weights() {
    let mut chain = chain_of(genesis());
    chain.submit(&signed(0, payload())).unwrap();
    chain.register(0, &hotkey(0), 7, true).unwrap();
    assert_eq!(chain.metagraph(10).neurons[&0].registered_at, 0);
    assert!(chain.weights(&hotkey(0)).is_some());
    chain.register(0, &hotkey(9), 7, true).unwrap();
    assert!(chain.weights(&hotkey(0)).is_none());
}

#[test]
fn the_port_shows_what_a_submission_meets() {
    let mut chain = chain_of(genesis());
    chain.deregister(4);
    chain.register(4, &hotkey(4), 1, false).unwrap();
    let view = chain.view().unwrap();
    assert_eq!(view.registered[&hotkey(5)], 5);
    assert_eq!(
        view.reregistered.into_iter().collect::<Vec<_>>(),
        [hotkey(4)]
    );
    assert_eq!(view.contributors, [hotkey(2)]);
    assert_eq!(
        (
            view.min_allowed_weights,
            view.max_weights_limit,
            view.version_key
        ),
        (2, 65535, 5)
    );
    assert!(
        chain
            .read_back(&hotkey(0))
            .unwrap_err()
            .contains("no weights of")
    );
    ChainPort::submit(&mut chain, &signed(0, payload())).unwrap();
    assert_eq!(
        chain.read_back(&hotkey(0)).unwrap(),
        [(2, 65535), (3, 40000), (4, 20000)]
    );
    let refused = ChainPort::submit(&mut chain, &signed(1, payload())).unwrap_err();
    assert!(refused.starts_with("no_permit: "), "{refused}");
}

#[test]
fn saved_state_is_the_same_chain() {
    let mut chain = chain_of(Genesis {
        round_seed: Some(Hash32([9; 32])),
        ..genesis()
    });
    chain.submit(&signed(0, payload())).unwrap();
    chain.advance();
    let text = chain.to_json().unwrap();
    let mut read = EmbeddedChain::from_json(&text).unwrap();
    assert_eq!(read, chain);
    assert_eq!(read.advance_epoch(), chain.advance_epoch());
}

#[test]
fn damaged_state_is_refused() {
    let text = chain_of(genesis()).to_json().unwrap();
    for (from, to, names) in [
        (
            "\"head\": 10",
            "\"head\": 11",
            "block 11 does not have the hash",
        ),
        ("\"head\": 10", "\"head\": 99999999999", "is above"),
        ("\"head\": 10", "\"heat\": 10", "unknown field `heat`"),
        ("\"tempo\": 10", "\"tempo\": 0", "tempo is 0"),
        ("\"netuid\": 7", "\"netuid\": 8", "does not have the hash"),
    ] {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        let error = EmbeddedChain::from_json(&changed).unwrap_err().to_string();
        assert!(error.contains(names), "{error}");
    }
}

#[test]
fn an_unfit_genesis_is_refused() {
    let refused = |change: fn(&mut Genesis)| {
        let mut genesis = genesis();
        change(&mut genesis);
        EmbeddedChain::genesis(genesis).unwrap_err()
    };
    assert_eq!(refused(|g| g.tempo = 0), GenesisError::Tempo);
    assert_eq!(refused(|g| g.miners[0].uid = 0), GenesisError::Uid(0));
    assert_eq!(
        refused(|g| g.miners[0].hotkey = hotkey(0)),
        GenesisError::Twice(hotkey(0))
    );
    assert_eq!(
        refused(|g| g.commitments.push(commitment(9, 1))),
        GenesisError::Unregistered(hotkey(9))
    );
    assert!(matches!(
        refused(|g| g.miners[0].hotkey = Hotkey::new("m1")),
        GenesisError::Hotkey(_)
    ));
}

proptest! {
    #[test]
    fn no_text_makes_reading_panic(text in "\\PC{0,200}") {
        prop_assert!(EmbeddedChain::from_json(&text).is_err());
    }

    #[test]
    fn equal_genesis_gives_equal_blocks(seed in any::<[u8; 32]>(), steps in 1usize..40) {
        let of = || {
            let mut chain = EmbeddedChain::genesis(Genesis { seed: Hash32(seed), ..genesis() }).unwrap();
            for _ in 0..steps {
                chain.advance();
            }
            chain
        };
        prop_assert_eq!(of(), of());
        prop_assert_eq!(of().head(), steps as u64);
    }
}
