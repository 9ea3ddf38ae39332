//! Labels reach nothing before the round is over.

use super::setup::{setup, setup_with};
use super::world::{Plan, World};
use round::record::Entry;

/// Everything that leaves the machine before the scores, as text.
fn visible(world: &World) -> Vec<String> {
    let requests = world.requests.iter().map(|request| {
        let task = String::from_utf8(request.task_json.clone()).unwrap();
        format!("{:?} {task} {:?}", request.run, request.probe)
    });
    let entries = world
        .journal
        .iter()
        .take_while(|entry| !matches!(entry, Entry::Scored { .. }))
        .filter(|entry| !matches!(entry, Entry::Run(_)))
        .map(|entry| serde_json::to_string(entry).unwrap());
    requests.chain(entries).collect()
}

#[test]
fn no_label_text_is_in_a_request_or_an_entry() {
    let world = World::open(setup(), Plan::default()).in_order();
    let journal = world
        .journal
        .iter()
        .map(|entry| serde_json::to_string(entry).unwrap());
    for text in visible(&world).into_iter().chain(journal) {
        for word in ["WATERMARK", "malicious", "\"safe\"", "planted"] {
            assert!(!text.contains(word), "{word} in {text}");
        }
    }
    let record = serde_json::to_string(&world.round.record()).unwrap();
    assert!(
        record.contains("WATERMARK"),
        "the closed record shows the labels"
    );
}

#[test]
fn other_labels_give_the_same_requests_in_the_same_order() {
    let one = World::open(setup(), Plan::default()).in_order();
    let other = World::open(setup_with(&|number| number % 2 == 1), Plan::default()).in_order();
    assert_eq!(visible(&one), visible(&other));
    assert_ne!(
        serde_json::to_string(&one.round.record().tasks).unwrap(),
        serde_json::to_string(&other.round.record().tasks).unwrap(),
        "the labels did differ"
    );
}

#[test]
fn a_round_in_progress_shows_neither_labels_nor_its_secret() {
    let hold = Box::new(|entry: &Entry| matches!(entry, Entry::Closed { .. }));
    let world = World::open(
        setup(),
        Plan {
            hold,
            ..Plan::default()
        },
    )
    .run(|_| 0);
    assert!(!world.round.is_done());
    let record = world.round.record();
    assert!(record.tasks.is_empty() && record.secret.is_none());
    let text = serde_json::to_string(&record).unwrap();
    assert!(
        !text.contains("WATERMARK") && !text.contains(&"03".repeat(32)),
        "{text}"
    );
}
