//! A round that is cut off after any entry ends as it would have.

use super::setup::setup;
use super::world::{Plan, World, entry_name};
use round::machine::{ResumeError, Round};
use round::record::Entry;
use std::collections::BTreeSet;

#[test]
fn every_prefix_of_the_journal_leads_to_the_same_end() {
    let whole = World::open(
        setup(),
        Plan {
            slots: 2,
            ..Plan::default()
        },
    )
    .in_order();
    let record = whole.round.record();
    for cut in 1..=whole.journal.len() {
        let prefix = whole.journal[..cut].to_vec();
        let done: BTreeSet<_> = prefix
            .iter()
            .filter_map(|entry| match entry {
                Entry::Run(run) => Some(run.id.clone()),
                _ => None,
            })
            .collect();
        let world = World::resume(setup(), prefix, Plan::default()).in_order();
        let again = world.round.record();
        assert_eq!(again.round_digest, record.round_digest, "cut after {cut}");
        assert_eq!(again.abstained, None, "cut after {cut}");
        assert_eq!(again.submission, record.submission, "cut after {cut}");
        for request in &world.requests {
            assert!(
                !done.contains(&request.run.id),
                "{:?} ran again",
                request.run.id
            );
        }
        assert_eq!(done.len() + world.requests.len(), 40, "cut after {cut}");
        let intents: BTreeSet<String> = world
            .journal
            .iter()
            .filter(|entry| entry_name(entry) == "intent")
            .map(|entry| serde_json::to_string(entry).unwrap())
            .collect();
        assert_eq!(intents.len(), 1, "one payload only: {intents:?}");
    }
}

#[test]
fn a_journal_of_another_round_is_refused() {
    let journal = World::open(setup(), Plan::default()).in_order().journal;
    let refused = |setup, journal: Vec<Entry>| Round::resume(setup, journal).map(drop).unwrap_err();
    assert_eq!(refused(setup(), Vec::new()), ResumeError::NotOpened);
    assert_eq!(
        refused(setup(), journal[1..].to_vec()),
        ResumeError::NotOpened
    );
    let mut other = setup();
    other.secret.0[0] ^= 1;
    assert_eq!(
        refused(other, journal.clone()),
        ResumeError::Differs("the round secret")
    );
    let mut other = setup();
    other.corpus_root.0[0] ^= 1;
    assert_eq!(
        refused(other, journal.clone()),
        ResumeError::Differs("the corpus root")
    );
    let mut tampered = journal;
    for entry in &mut tampered {
        if let Entry::Intent { payload } = entry {
            payload.values[0] ^= 1;
        }
    }
    assert_eq!(refused(setup(), tampered), ResumeError::Payload);
}
