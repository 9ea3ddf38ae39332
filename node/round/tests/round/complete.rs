//! A round in which nothing goes wrong.

use super::setup::{AGENTS, hotkey, setup, spec};
use super::world::{Plan, World};
use mechanism::fault::Failure;
use mechanism::track::Track;
use round::machine::Goal;
use round::record::Entry;

/// Agents times tasks times repetitions.
const RUNS: usize = 4 * 5 * 2;

#[test]
fn a_round_goes_from_its_opening_to_weights_on_chain() {
    let world = World::open(setup(), Plan::default()).in_order();
    let record = world.round.record();
    assert_eq!(record.abstained, None);
    assert!(world.accepted());
    assert_eq!(record.runs.len(), RUNS);
    assert_eq!(
        world.trace[..2],
        ["opened", "materialise"].map(str::to_owned)
    );
    let end = [
        "no more runs",
        "read chain",
        "scored",
        "intent",
        "sign",
        "signed",
        "submit",
        "read back",
        "closed",
        "finished",
    ];
    assert_eq!(
        world.trace[world.trace.len() - end.len()..],
        end.map(str::to_owned)
    );
    for once in ["sign", "submit", "read back", "materialise", "no more runs"] {
        assert_eq!(world.count(once), 1, "{once}");
    }
    let submission = record.submission.unwrap();
    assert_eq!(submission.signed.payload.uids, [1, 4], "oracle and auditor");
    assert_eq!(
        Some(submission.signed.payload.round_digest),
        record.round_digest
    );
    assert!(record.secret.is_some());
    assert_eq!(record.tasks[&Track::Skills].len(), 5);
}

#[test]
fn runs_are_handed_out_by_track_repetition_rank_and_hotkey() {
    let world = World::open(
        setup(),
        Plan {
            slots: 3,
            ..Plan::default()
        },
    )
    .in_order();
    let order: Vec<_> = world
        .requests
        .iter()
        .map(|request| {
            let id = &request.run.id;
            (id.track, id.rep, id.rank, id.hotkey.clone())
        })
        .collect();
    let mut sorted = order.clone();
    sorted.sort();
    assert_eq!(order, sorted);
    assert_eq!(order.len(), RUNS);
    let opening = world.round.opening();
    for request in &world.requests {
        let rank = request.run.id.rank as usize;
        assert_eq!(
            opening.tasks[&request.run.id.track].tasks[rank],
            request.run.task_ref
        );
    }
}

#[test]
fn no_more_runs_are_out_than_slots_wait() {
    let mut world = World::open(
        setup(),
        Plan {
            slots: 0,
            ..Plan::default()
        },
    );
    world = world.run(|_| 0);
    assert_eq!(world.count("execute"), 0);
    assert_eq!(world.round.progress(), (0, RUNS));
}

#[test]
fn a_score_stops_before_the_chain() {
    let mut setup = setup();
    setup.goal = Goal::Scores;
    setup.tracks = [Track::Skills].into();
    setup
        .participants
        .retain(|track, _| *track == Track::Skills);
    let world = World::open(setup, Plan::default()).in_order();
    assert_eq!(world.count("read chain") + world.count("sign"), 0);
    let record = world.round.record();
    assert_eq!(record.submission, None);
    let best = &record.tracks[&Track::Skills].agents[0];
    assert_eq!((best.hotkey.as_str(), best.eligible), ("oracle", true));
}

#[test]
fn an_unavailable_agent_runs_nothing_and_hurts_nobody() {
    let plan = Plan {
        unavailable: [hotkey("allower")].into(),
        ..Plan::default()
    };
    let world = World::open(setup(), plan).in_order();
    assert!(world.accepted());
    assert!(
        world
            .requests
            .iter()
            .all(|request| request.run.id.hotkey != hotkey("allower"))
    );
    let record = world.round.record();
    let standing = &record.tracks[&Track::Skills].agents;
    let of = |name: &str| {
        standing
            .iter()
            .find(|agent| agent.hotkey == hotkey(name))
            .unwrap()
    };
    assert!(of("allower").detail.is_none() && !of("allower").eligible);
    assert_eq!(of("allower").runs.total(), 0);
    assert_eq!((of("oracle").score, of("oracle").rank), (1.0, Some(1)));
    let gone = record
        .agents
        .iter()
        .find(|agent| agent.hotkey == hotkey("allower"))
        .unwrap();
    assert_eq!(gone.unavailable.as_deref(), Some("gone"));
}

#[test]
fn the_wall_cap_decides_later_runs_before_they_start() {
    let cap = spec().track(Track::Skills).round_wall_us;
    let slow = Plan {
        wall_us: Box::new(move |request| {
            if request.run.id.hotkey == hotkey("allower") {
                cap
            } else {
                20_000
            }
        }),
        ..Plan::default()
    };
    let world = World::open(setup(), slow).in_order();
    let record = world.round.record();
    let of_allower: Vec<_> = record
        .runs
        .iter()
        .filter(|run| run.id.hotkey == hotkey("allower"))
        .collect();
    assert_eq!(of_allower.len(), 10, "every planned run has a record");
    let started = of_allower.iter().filter(|run| run.attempt > 0).count();
    assert_eq!(started, 1);
    for run in of_allower.iter().filter(|run| run.attempt == 0) {
        assert_eq!(run.failure, Some(Failure::AgentWallCap));
        assert_eq!(run.exit, None);
    }
    for run in record
        .runs
        .iter()
        .filter(|run| run.id.hotkey != hotkey("allower"))
    {
        assert_ne!(run.failure, Some(Failure::AgentWallCap));
    }
    assert!(world.accepted());
}

#[test]
fn entries_say_what_the_record_says() {
    let world = World::open(setup(), Plan::default()).in_order();
    let record = world.round.record();
    let runs = world
        .journal
        .iter()
        .filter(|entry| matches!(entry, Entry::Run(_)))
        .count();
    assert_eq!(runs, record.runs.len());
    let Some(Entry::Closed { state }) = world.journal.last() else {
        panic!("{:?}", world.journal.last());
    };
    assert_eq!(Some(state), record.weights.unwrap().state.as_ref());
    assert_eq!(AGENTS.len(), record.agents.len());
}
