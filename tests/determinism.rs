//! The same seed and secret give the same scores, vector and digest, whatever surrounds the process.

use super::support::{ASSAY, Desk, hex32};
use assert_cmd::Command;
use serde_json::Value;
use std::fs;

const AGENTS: [(&str, &str, &str); 7] = [
    ("baseline-skills", "baseline.py", "skills"),
    ("grep-skills", "grep.py", "skills"),
    ("flaky", "flaky.py", "skills"),
    ("crasher", "crasher.py", "skills"),
    ("grep-mcp-servers", "grep.py", "mcp_servers"),
    ("grep-packages", "grep.py", "packages"),
    ("grep-repositories", "grep.py", "repositories"),
];

fn arguments(command: &mut Command, seed: u8, jobs: &str, corpus: &str, registry: &str) {
    command.args([
        "demo",
        "--json",
        "--jobs",
        jobs,
        "--corpus",
        corpus,
        "--registry",
        registry,
    ]);
    command.args(["--seed", &hex32(seed), "--secret", &hex32(2)]);
}

#[track_caller]
fn assert_same(a: &Value, b: &Value) {
    for key in [
        "spec_id",
        "corpus_root",
        "seed",
        "tracks",
        "weights",
        "submission",
        "round_digest",
    ] {
        assert_eq!(a[key], b[key], "{key}");
    }
}

#[test]
fn surroundings_do_not_reach_the_result() {
    let desk = Desk::new();
    desk.registry(&AGENTS);
    let first = desk.json(&|command| arguments(command, 1, "1", "corpus", "registry.json"));
    assert!(first["round_digest"].is_string());
    assert_eq!(first["weights"].as_array().map(Vec::is_empty), Some(false));

    let scratch = desk.path().join("scratch");
    fs::create_dir(&scratch).unwrap();
    let second = desk.json(&|command| {
        arguments(command, 1, "2", "corpus", "registry.json");
        command
            .env("TZ", "Pacific/Kiritimati")
            .env("LC_ALL", "tr_TR.UTF-8")
            .env("TMPDIR", &scratch);
    });
    assert_same(&first, &second);
    assert_eq!(
        fs::read_dir(&scratch).unwrap().count(),
        0,
        "files left in TMPDIR"
    );

    let third = desk.json(&|command| {
        // Replaces the program: a shell sets the mask, then becomes assay.
        let mut inner = Command::new("assay");
        arguments(&mut inner, 1, "2", "../corpus", "../registry.json");
        *command = desk.program("sh");
        command.args(["-c", "umask 077; exec \"$@\"", "sh", ASSAY]);
        command.args(inner.get_args()).current_dir(&scratch);
    });
    assert_same(&first, &third);

    // The comparison can fail: another seed is another round.
    let other = desk.json(&|command| arguments(command, 3, "2", "corpus", "registry.json"));
    assert_ne!(first["round_digest"], other["round_digest"]);

    // A miner sees the number that the round gave, with the same draw.
    let in_round = &first["tracks"]["skills"]["agents"];
    let in_round = in_round
        .as_array()
        .unwrap()
        .iter()
        .find(|a| a["name"] == "baseline-skills")
        .unwrap();
    let offline = desk
        .assay()
        .args([
            "score",
            "agents/baseline.py",
            "-t",
            "skills",
            "--spec",
            "demo",
            "--json",
        ])
        .args(["--seed", &hex32(1)])
        .output()
        .unwrap();
    let offline: Value = serde_json::from_slice(&offline.stdout).unwrap();
    for key in ["score", "mcc", "quality", "pin", "interval"] {
        assert_eq!(offline[key], in_round[key], "{key}");
    }
    desk.assert_no_leftovers();
}
