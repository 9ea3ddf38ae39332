//! Whose fault it is, and what a round does about it.

use super::setup::{hotkey, setup};
use super::world::{Plan, World, host_fault};
use mechanism::fault::{Failure, Fault};
use mechanism::track::Track;
use round::fault::AbstainReason;
use round::ports::RunRequest;

/// One run of the round.
fn is_target(request: &RunRequest) -> bool {
    let id = &request.run.id;
    (id.track, id.rep, id.rank) == (Track::Skills, 1, 2) && id.hotkey == hotkey("oracle")
}

/// The host fails the first `times` attempts at the target.
fn failing(times: u32, fault: Fault, reason: AbstainReason) -> Plan {
    Plan {
        fault: Box::new(move |request| {
            (is_target(request) && request.attempt <= times).then(|| host_fault(fault, reason))
        }),
        ..Plan::default()
    }
}

#[test]
fn an_infrastructure_fault_is_tried_again_after_longer_pauses() {
    let plan = failing(3, Fault::Infrastructure, AbstainReason::HostDisrupted);
    let world = World::open(setup(), plan).in_order();
    assert!(world.accepted());
    assert_eq!(world.pauses, [250, 500, 1000]);
    let record = world.round.record();
    let run = record
        .runs
        .iter()
        .find(|run| !run.faults.is_empty())
        .unwrap();
    assert_eq!((run.attempt, run.faults.len(), run.failure), (4, 3, None));
    assert_eq!(
        record
            .runs
            .iter()
            .filter(|run| !run.faults.is_empty())
            .count(),
        1
    );
    let clean = World::open(setup(), Plan::default()).in_order();
    assert_eq!(record.round_digest, clean.round.record().round_digest);
}

#[test]
fn a_fault_past_its_retries_abstains_with_its_reason() {
    let plan = failing(
        u32::MAX,
        Fault::Infrastructure,
        AbstainReason::SandboxUnavailable,
    );
    let world = World::open(setup(), plan).in_order();
    assert_eq!(world.abstained(), Some(AbstainReason::SandboxUnavailable));
    assert_eq!(
        world
            .requests
            .iter()
            .filter(|request| is_target(request))
            .count(),
        4
    );
    assert_eq!(world.count("sign") + world.count("read chain"), 0);
    assert_eq!(
        world.round.record().weights,
        None,
        "a partial round has no weights"
    );
}

#[test]
fn a_corpus_fault_abstains_at_once() {
    let plan = failing(1, Fault::Corpus, AbstainReason::CorpusCorrupt);
    let world = World::open(setup(), plan).in_order();
    assert_eq!(world.abstained(), Some(AbstainReason::CorpusCorrupt));
    assert!(world.pauses.is_empty());
    assert_eq!(world.count("sign"), 0);
}

#[test]
fn an_agents_failures_never_abstain() {
    let world = World::open(setup(), Plan::default()).in_order();
    assert_eq!(world.abstained(), None);
    let record = world.round.record();
    let raiser = &record.tracks[&Track::Packages].agents[0];
    assert_eq!(raiser.runs.failed[&Failure::EntrypointRaised], 10);
    assert_eq!((raiser.score, raiser.eligible), (0.0, false));
    assert!(
        world.pauses.is_empty(),
        "an agent's own failure is not tried again"
    );
}

#[test]
fn a_round_in_which_nobody_is_eligible_submits_nothing() {
    let mut setup = setup();
    setup
        .participants
        .retain(|track, _| *track == Track::Packages);
    let world = World::open(setup, Plan::default()).in_order();
    assert_eq!(world.abstained(), Some(AbstainReason::AllTracksIdle));
    assert_eq!(world.count("sign"), 0);
    assert!(
        world.round.record().round_digest.is_some(),
        "the scores are there all the same"
    );
}

#[test]
fn a_pool_of_one_class_abstains_before_anything_else() {
    let mut setup = setup();
    for task in setup.pools.get_mut(&Track::Packages).unwrap() {
        task.positive = true;
    }
    let world = World::open(setup, Plan::default()).in_order();
    assert_eq!(world.abstained(), Some(AbstainReason::PoolRefused));
    assert_eq!(
        world.trace,
        ["opened", "abstained", "no more runs", "finished"]
    );
    let detail = world.round.record().abstained.unwrap().detail;
    assert!(detail.contains("packages"), "{detail}");
}

#[test]
fn a_refused_vector_abstains() {
    let plan = Plan {
        refusal: Some("too soon".to_owned()),
        ..Plan::default()
    };
    let world = World::open(setup(), plan).in_order();
    assert_eq!(world.abstained(), Some(AbstainReason::SubmissionRefused));
    assert!(!world.accepted());
    assert_eq!(
        world.round.record().submission.unwrap().refusal.as_deref(),
        Some("too soon")
    );
}

#[test]
fn a_vector_that_the_chain_shows_otherwise_abstains() {
    for shows in [vec![], vec![(1, 65_535)], vec![(1, 1), (4, 65_535)]] {
        let plan = Plan {
            shows: Some(shows.clone()),
            ..Plan::default()
        };
        let world = World::open(setup(), plan).in_order();
        assert_eq!(
            world.abstained(),
            Some(AbstainReason::ReadBackDiffers),
            "{shows:?}"
        );
        assert_eq!(
            world.round.record().submission.unwrap().read_back,
            Some(shows)
        );
        assert_eq!(world.count("closed"), 0);
    }
}

#[test]
fn an_answer_that_comes_twice_changes_nothing() {
    let once = World::open(setup(), Plan::default()).in_order();
    let plan = failing(2, Fault::Infrastructure, AbstainReason::HostDisrupted);
    let twice = World::open(
        setup(),
        Plan {
            stutter: true,
            ..plan
        },
    )
    .in_order();
    assert_eq!(
        once.round.record().round_digest,
        twice.round.record().round_digest
    );
    for effect in [
        "materialise",
        "read chain",
        "sign",
        "submit",
        "read back",
        "finished",
    ] {
        assert_eq!(twice.count(effect), 1, "{effect}");
    }
    assert_eq!(once.journal.len(), twice.journal.len());
}
