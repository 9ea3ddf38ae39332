//! An honest agent sees exactly its contract, and each way of ending has its own name.

use crate::common::{report, run};
use sandbox::{Exit, ProbeState};

#[test]
fn an_honest_agent_gets_its_task_and_hands_over_its_report() {
    let outcome = run(
        "def agent_main(task):\n    return {'verdict': 'ALLOW', 'nonce': task['nonce'], 'n': [1, 1.5, None, True]}\n",
    );
    assert_eq!(
        report(&outcome),
        r#"{"verdict": "ALLOW", "nonce": "n\u00e9", "n": [1, 1.5, null, true]}"#
    );
    assert_eq!(outcome.events, []);
    assert_eq!(outcome.exit, Exit::Code(0));
    assert_eq!(outcome.probe, ProbeState::NotAsked);
    println!("{:?}", outcome.usage);
}

#[test]
fn the_preflight_passes() {
    let report = sandbox::check(&crate::common::config()).unwrap();
    println!("{report:?}");
}
