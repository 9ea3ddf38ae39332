//! `--json`: exactly one object with stable keys on stdout, everything else on stderr; a reader that leaves is no error.

use super::support::{ASSAY, Desk, has_keys, hex32, one_object, pin};
use serde_json::Value;
use std::process::{Command, Stdio};

#[test]
fn a_round_has_its_keys_and_one_bad_pin_hurts_nobody_else() {
    let desk = Desk::new();
    let registry = desk.registry(&[
        ("good", "baseline.py", "skills"),
        ("swapped", "grep.py", "skills"),
        ("crasher", "crasher.py", "skills"),
    ]);
    // The second agent's file is not what was committed.
    let text = std::fs::read_to_string(&registry).unwrap();
    let real = pin(&desk.path().join("agents/grep.py"));
    let committed = format!("blake3:{}", hex32(0xab));
    std::fs::write(&registry, text.replace(&real, &committed)).unwrap();
    let round = desk.json(&|command| {
        command.args([
            "demo",
            "--json",
            "--corpus",
            "corpus",
            "--registry",
            "registry.json",
        ]);
    });
    has_keys(
        &round,
        &[
            "spec_id",
            "corpus_root",
            "round_digest",
            "tracks",
            "weights",
            "submission",
        ],
    );
    has_keys(
        &round["tracks"],
        &["skills", "mcp_servers", "packages", "repositories"],
    );
    let track = &round["tracks"]["skills"];
    has_keys(track, &["agents", "baselines"]);
    has_keys(
        &track["baselines"],
        &["always_allow", "always_block", "empty_report"],
    );
    let agent = |name: &str| -> &Value {
        track["agents"]
            .as_array()
            .unwrap()
            .iter()
            .find(|agent| agent["name"] == name)
            .unwrap()
    };
    for name in ["good", "swapped", "crasher"] {
        has_keys(
            agent(name),
            &[
                "name", "pin", "score", "mcc", "quality", "eligible", "rank", "share", "runs",
            ],
        );
        has_keys(&agent(name)["runs"], &["completed", "failed"]);
    }
    assert_eq!(agent("crasher")["runs"]["failed"]["entrypoint_raised"], 24);
    let swapped = agent("swapped");
    let why = swapped["unavailable"].as_str().unwrap();
    assert!(why.contains(&real) && why.contains(&committed), "{why}");
    assert_eq!(swapped["eligible"], false);
    assert_eq!(swapped["runs"]["completed"], 0);
    assert_eq!(agent("good")["runs"]["completed"], 24);
    assert_eq!(agent("good")["rank"], 1);
    assert!(agent("good")["unavailable"].is_null());
    for weight in round["weights"].as_array().unwrap() {
        has_keys(weight, &["uid", "hotkey", "weight"]);
        assert_ne!(weight["hotkey"], swapped["hotkey"]);
    }
    assert_eq!(round["submission"]["signature_valid"], true);
    assert_eq!(round["submission"]["accepted"], true);
    assert!(std::path::Path::new(round["record"].as_str().unwrap()).is_file());
    desk.assert_no_leftovers();
    shown(&desk, &round);
}

/// `show` on the round that was just run, in both forms and without a reader.
fn shown(desk: &Desk, round: &Value) {
    let output = desk
        .assay()
        .args(["show", "latest", "--json"])
        .output()
        .unwrap();
    assert_eq!(
        one_object(&output.stdout)["round_digest"],
        round["round_digest"]
    );
    assert!(output.stderr.is_empty());
    let output = desk
        .assay()
        .args(["show", "latest", "--runs"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(round["round_digest"].as_str().unwrap()));
    without_reader(desk, &["show", "latest", "--runs"]);
}

#[test]
fn a_score_has_its_keys_on_both_kinds_of_track() {
    let desk = Desk::new();
    for (track, per_task, runs) in [("skills", "verdict", 24), ("repositories", "score", 10)] {
        let mut command = desk.assay();
        command.args([
            "score",
            "agents/grep.py",
            "-t",
            track,
            "--spec",
            "demo",
            "--json",
        ]);
        let output = command.output().unwrap();
        assert!(matches!(output.status.code(), Some(0 | 3)), "{output:?}");
        let score = one_object(&output.stdout);
        has_keys(
            &score,
            &[
                "track",
                "score",
                "mcc",
                "quality",
                "eligible",
                "threshold",
                "tasks",
                "runs",
                "baselines",
                "spec_id",
                "corpus_root",
            ],
        );
        assert_eq!(score["track"], track);
        assert_eq!(score["eligible"], output.status.code() == Some(0));
        assert_eq!(score["runs"]["completed"], runs);
        for task in score["tasks"].as_array().unwrap() {
            has_keys(task, &["task", per_task, "correct", "runs"]);
            for run in task["runs"].as_array().unwrap() {
                has_keys(
                    run,
                    &["rep", "outcome", "failure", "verdict", "cpu_ms", "wall_ms"],
                );
                assert!(run["cpu_ms"].as_f64().unwrap() > 0.0);
            }
        }
        for line in String::from_utf8(output.stderr).unwrap().lines() {
            assert!(line.starts_with("assay: "), "{line}");
        }
    }
}

#[test]
fn below_the_threshold_is_status_3_without_an_error_line() {
    let desk = Desk::new();
    let mut command = desk.assay();
    command.args([
        "score",
        "agents/always_allow.py",
        "-t",
        "skills",
        "--spec",
        "demo",
    ]);
    let output = command.output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert!(!stderr.contains("error"), "{stderr}");
}

#[test]
fn small_commands_print_one_object() {
    let desk = Desk::new();
    let cases: &[(&[&str], &[&str])] = &[
        (&["spec", "id", "--json"], &["spec_id", "spec"]),
        (
            &["spec", "show", "demo", "--json"],
            &["spec_id", "spec", "values"],
        ),
        (
            &["corpus", "lint", "corpus", "--json"],
            &["problems", "tasks"],
        ),
        (&["corpus", "pin", "corpus", "--json"], &["root", "tasks"]),
        (&["corpus", "stats", "corpus", "--json"], &[]),
        (
            &["agent", "pin", "agents/grep.py", "--json"],
            &["pin", "bytes"],
        ),
        (
            &["agent", "check", "agents/grep.py", "--json"],
            &["pin", "valid"],
        ),
        (&["keys", "new", "--json"], &["hotkey", "file"]),
        (&["keys", "show", "--json"], &["hotkey", "file"]),
    ];
    for (words, names) in cases {
        let output = desk
            .assay()
            .env("ASSAY_PASSWORD", "p")
            .args(*words)
            .output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{words:?}: {stderr}");
        has_keys(&one_object(&output.stdout), names);
    }
    for words in [
        &["--help"][..],
        &["--version"],
        &["spec", "show"],
        &["corpus", "stats", "corpus"],
    ] {
        without_reader(&desk, words);
    }
}

/// Runs the command with a stdout that nobody reads; it must neither panic nor complain.
fn without_reader(desk: &Desk, words: &[&str]) {
    let mut child = Command::new(ASSAY)
        .args(words)
        .current_dir(desk.path())
        .env("ASSAY_STATE", desk.state())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{words:?}: {stderr}");
    assert_eq!(stderr, "", "{words:?}");
}
