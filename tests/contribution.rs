//! A corpus that grows: templates, single tasks and their commitments, features that would give labels away.

use super::support::{Desk, one_object};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;

fn check(desk: &Desk, folder: &str, status: i32) -> Value {
    let mut command = desk.assay();
    command.args(["corpus", "contribute", "--json", "--check", folder]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(status));
    one_object(&output.stdout)
}

#[test]
fn a_template_is_filled_in_and_its_label_committed_to() {
    let desk = Desk::bare();
    let make = |words: &[&str]| {
        let mut command = desk.assay();
        command.args(["corpus", "contribute"]).args(words);
        command
    };
    make(&["t0042-log-shipper", "-t", "packages"])
        .assert()
        .success();
    let again = &mut make(&["t0042-log-shipper", "-t", "packages"]);
    desk.refused(again, 2, &["t0042-log-shipper", "nothing is overwritten"]);
    desk.refused(&mut make(&["t0042-log-shipper"]), 2, &["--track"]);
    desk.refused(&mut make(&["t0043-x", "-t", "wallets"]), 2, &["'wallets'"]);
    desk.refused(&mut make(&[]), 2, &["NEW_DIR"]);

    let empty = check(&desk, "t0042-log-shipper", 1);
    assert_eq!(empty["commitment"], Value::Null);
    let salt = desk.path().join("t0042-log-shipper.salt");
    assert!(!salt.exists());

    let folder = desk.path().join("t0042-log-shipper");
    fs::write(folder.join("artifact/main.py"), "print('shipped')\n").unwrap();
    let label = json!({
        "task": "t0042-log-shipper", "track": "packages", "label": "safe",
        "source": {"origin": "a test", "url": null, "licence": "Apache-2.0"},
    });
    fs::write(folder.join("label.json"), label.to_string()).unwrap();
    let fit = check(&desk, "t0042-log-shipper/", 0);
    assert_eq!(
        fs::metadata(&salt).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let mut bytes = hex::decode(fs::read_to_string(&salt).unwrap().trim()).unwrap();
    assert_eq!(bytes.len(), 32);
    bytes.extend(hex::decode(fit["label_hash"].as_str().unwrap()).unwrap());
    assert_eq!(fit["commitment"], blake3::hash(&bytes).to_hex().as_str());
    // One label has one commitment.
    assert_eq!(check(&desk, "t0042-log-shipper", 0), fit);
    fs::write(&salt, "short\n").unwrap();
    let broken = &mut make(&["--check", "t0042-log-shipper"]);
    desk.refused(broken, 2, &["t0042-log-shipper.salt", "not a salt"]);
}

#[test]
fn features_are_measured_per_behavioural_track() {
    let desk = Desk::new();
    let measured = desk.json(&|command| {
        command.args(["corpus", "lint", "corpus", "--features", "--json"]);
    });
    let tracks = measured["features"]["tracks"].as_object().unwrap();
    let names: Vec<&str> = tracks.keys().map(String::as_str).collect();
    assert_eq!(names, ["mcp_servers", "packages", "skills"]);
    for found in tracks.values() {
        // Four tasks of a class prove nothing.
        assert_eq!(
            (&found["malicious"], &found["safe"], &found["gate"]),
            (&json!(4), &json!(4), &json!(false))
        );
        assert!(found["best_of_all"]["mean"].is_f64());
        assert!(found["top"].as_array().unwrap().len() <= 15);
    }
    let text = desk
        .assay()
        .args(["corpus", "lint", "corpus", "--features"])
        .output()
        .unwrap();
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(
        text.contains("best of all") && text.contains("shuffled labels"),
        "{text}"
    );
    let plain = desk.json(&|command| {
        command.args(["corpus", "lint", "corpus", "--json"]);
    });
    assert!(plain.get("features").is_none());
}
