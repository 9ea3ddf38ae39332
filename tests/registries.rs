//! Registry files that stand for no chain.

use super::support::{Desk, hex32};
use serde_json::{Value, json};

#[test]
fn a_registry_with_a_fault_is_named_with_it() {
    let desk = Desk::new();
    let agent = |name: &str| {
        json!({
            "name": name, "file": "agents/grep.py", "track": "skills",
            "pin": format!("blake3:{}", hex32(1)), "commit_block": 1,
        })
    };
    let with = |key: &str, value: Value| {
        let mut agent = agent("a");
        agent[key] = value;
        json!({"version": 1, "agents": [agent]}).to_string()
    };
    let cases: Vec<(String, &[&str])> = vec![
        ("{".to_owned(), &["line 1", "correct"]),
        (
            json!({"version": 2, "agents": []}).to_string(),
            &["version 2", "version 1"],
        ),
        (
            json!({"version": 1, "agents": [], "x": 1}).to_string(),
            &["`x`"],
        ),
        (
            json!({"version": 1, "agents": [agent("a"), agent("a")]}).to_string(),
            &["'a'", "its own"],
        ),
        (with("track", json!("wallets")), &["`wallets`", "skills"]),
        (
            with("pin", json!("blake3:12")),
            &["blake3:12", "64 hex digits"],
        ),
        (
            with("commit_block", json!(360)),
            &["a: commit_block 360", "lower"],
        ),
        (
            json!({"version": 1, "agents": [agent("a")], "contributors": ["b"]}).to_string(),
            &["'b'", "add the agent"],
        ),
    ];
    for (text, told) in cases {
        desk.write("r.json", text);
        let mut command = desk.assay();
        command.args(["demo", "--corpus", "corpus", "--registry", "r.json"]);
        let told: Vec<&str> = told.iter().copied().chain(["r.json"]).collect();
        desk.refused(&mut command, 2, &told);
    }
    let mut command = desk.assay();
    command.args(["demo", "--corpus", "corpus", "--registry", "none.json"]);
    desk.refused(
        &mut command,
        2,
        &["none.json", "No such file", "agents/registry.json"],
    );
}

#[test]
fn a_round_without_agents_abstains() {
    let desk = Desk::new();
    desk.registry(&[]);
    let mut command = desk.assay();
    command.args([
        "demo",
        "--json",
        "--corpus",
        "corpus",
        "--registry",
        "registry.json",
    ]);
    desk.refused(&mut command, 5, &["abstained", "all_tracks_idle"]);
}
