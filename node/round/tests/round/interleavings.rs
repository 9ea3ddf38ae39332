//! Whatever the order in which the world answers, a round ends, and equal outcomes have equal digests.

use super::setup::setup;
use super::world::{Plan, World, host_fault};
use mechanism::fault::Fault;
use proptest::prelude::*;
use round::fault::AbstainReason;
use round::ports::RunRequest;

/// A number of this run that does not depend on the order.
fn number(request: &RunRequest) -> usize {
    let id = &request.run.id;
    request
        .run
        .task_ref
        .as_str()
        .bytes()
        .chain(id.hotkey.as_str().bytes())
        .map(usize::from)
        .sum::<usize>()
        + id.rep as usize
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_order_ends_and_equal_outcomes_have_equal_digests(
        choices in prop::collection::vec(any::<u16>(), 1..200),
        slots in 1usize..5,
        faults in prop::collection::vec(0u32..6, 1..24),
        stutter: bool,
    ) {
        let reference = World::open(setup(), Plan::default()).in_order().round.record();
        let lost = faults.iter().any(|times| *times >= 4);
        let plan = Plan {
            slots,
            stutter,
            fault: Box::new(move |request| {
                let times = faults[number(request) % faults.len()];
                (request.attempt <= times)
                    .then(|| host_fault(Fault::Infrastructure, AbstainReason::HostDisrupted))
            }),
            ..Plan::default()
        };
        let mut step = 0;
        let world = World::open(setup(), plan).run(|_| {
            step += 1;
            usize::from(choices[step % choices.len()])
        });
        prop_assert!(world.round.is_done(), "stuck after {:?}", world.trace.last());
        let record = world.round.record();
        prop_assert_eq!(world.accepted(), record.abstained.is_none());
        if world.accepted() {
            prop_assert_eq!(record.round_digest, reference.round_digest);
            prop_assert_eq!(record.submission, reference.submission);
            prop_assert_eq!(world.count("sign"), 1);
        } else {
            prop_assert!(lost, "abstained without a run past its retries");
            prop_assert_eq!(world.abstained(), Some(AbstainReason::HostDisrupted));
            prop_assert_eq!(world.count("sign"), 0);
        }
    }

    #[test]
    fn a_store_that_fails_at_any_moment_ends_the_round(
        choices in prop::collection::vec(any::<u16>(), 1..200),
        slots in 1usize..5,
        at in 0usize..46,
    ) {
        let plan = Plan { slots, store_full_at: Some(at), ..Plan::default() };
        let mut step = 0;
        let world = World::open(setup(), plan).run(|_| {
            step += 1;
            usize::from(choices[step % choices.len()])
        });
        prop_assert!(world.round.is_done());
        prop_assert_eq!(world.abstained(), Some(AbstainReason::StoreUnavailable));
    }
}
