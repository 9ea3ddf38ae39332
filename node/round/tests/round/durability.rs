//! Nothing counts and nothing is signed before its entry is durable.

use super::setup::setup;
use super::world::{Plan, World, entry_name};
use round::fault::AbstainReason;

/// A round whose entries of one kind never become durable.
fn held(kind: &'static str) -> World {
    let hold = Box::new(move |entry: &_| entry_name(entry) == kind);
    World::open(
        setup(),
        Plan {
            slots: 2,
            hold,
            ..Plan::default()
        },
    )
    .run(|_| 0)
}

#[test]
fn what_depends_on_an_entry_waits_for_it() {
    for (entry, waits) in [
        ("opened", "materialise"),
        ("materialised", "execute"),
        ("run", "read chain"),
        ("scored", "intent"),
        ("intent", "sign"),
        ("signed", "submit"),
        ("closed", "finished"),
    ] {
        let world = held(entry);
        assert!(world.count(entry) > 0, "{entry} was never asked for");
        assert_eq!(
            world.count(waits),
            0,
            "{waits} came before {entry} was durable"
        );
        assert!(!world.round.is_done());
    }
}

#[test]
fn a_run_counts_only_when_its_entry_is_durable() {
    let world = held("run");
    assert_eq!(world.count("run"), 40, "all runs have ended");
    assert_eq!(world.round.progress().0, 0);
    assert!(world.round.record().runs.is_empty());
}

#[test]
fn a_store_that_fails_ends_the_round_whenever_it_fails() {
    let entries = World::open(setup(), Plan::default()).in_order().journal;
    for at in 0..entries.len() {
        let plan = Plan {
            store_full_at: Some(at),
            ..Plan::default()
        };
        let world = World::open(setup(), plan).in_order();
        assert_eq!(
            world.abstained(),
            Some(AbstainReason::StoreUnavailable),
            "at {at}"
        );
        let submitted = entries[..at]
            .iter()
            .any(|entry| entry_name(entry) == "signed");
        assert_eq!(world.count("submit"), usize::from(submitted), "at {at}");
    }
}

#[test]
fn an_abstention_that_cannot_be_saved_still_ends_the_round() {
    let plan = Plan {
        signer_refuses: true,
        ..Plan::default()
    };
    let saved = World::open(setup(), plan).in_order();
    assert_eq!(saved.abstained(), Some(AbstainReason::SignerUnavailable));
    let at = saved.journal.len() - 1;
    assert_eq!(entry_name(&saved.journal[at]), "abstained");
    let plan = Plan {
        signer_refuses: true,
        store_full_at: Some(at),
        ..Plan::default()
    };
    let world = World::open(setup(), plan).in_order();
    assert_eq!(
        world.abstained(),
        Some(AbstainReason::SignerUnavailable),
        "the first reason stands"
    );
    assert_eq!(world.count("submit"), 0);
}
