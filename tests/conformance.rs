//! `assay conform` over the frozen vectors.

use super::support::{Desk, one_object, repository};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

/// Every file of vectors with its kind: its stem, or `rules` where the lines name their own.
fn files() -> Vec<(String, PathBuf)> {
    let folder = repository().join("mechanism-spec/vectors");
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            let first: Value = first_case(&path);
            let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let kind = if first.get("kind").is_some() {
                "rules".to_owned()
            } else {
                stem
            };
            files.push((kind, path));
        }
    }
    assert!(files.len() >= 5, "{files:?}");
    files
}

fn first_case(path: &PathBuf) -> Value {
    let text = fs::read_to_string(path).unwrap();
    serde_json::from_str(text.lines().next().unwrap()).unwrap()
}

#[test]
fn every_vector_file_passes() {
    let desk = Desk::bare();
    for (kind, path) in files() {
        let output = desk
            .assay()
            .args(["conform", "--json", "--kind", &kind])
            .arg(&path)
            .output()
            .unwrap();
        let object = one_object(&output.stdout);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{}: {object}",
            path.display()
        );
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        assert_eq!(
            (&object["passed"], &object["failed"]),
            (&json!(lines), &json!(0))
        );
    }
}

#[test]
fn a_broken_expected_value_fails_and_is_named() {
    let desk = Desk::bare();
    for (kind, path) in files() {
        let mut case = first_case(&path);
        case["expected"] = json!({"surprise": 1});
        let name = case["name"].as_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        let rest = text.split_once('\n').map_or("", |(_, rest)| rest);
        let broken = desk.write("broken.jsonl", format!("{case}\n{rest}"));
        let output = desk
            .assay()
            .args(["conform", "--kind", &kind])
            .arg(broken)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", path.display());
        let stdout = String::from_utf8(output.stdout).unwrap();
        let line = stdout
            .lines()
            .find(|line| line.contains("broken.jsonl:1:"))
            .unwrap_or("");
        assert!(line.contains(&name), "{stdout}");
        assert_eq!(
            stdout.lines().count(),
            2,
            "one failure and the count: {stdout}"
        );
        assert!(stdout.ends_with("1 failed\n"), "{stdout}");
    }
}

#[test]
fn a_wrong_last_digit_is_a_difference() {
    let desk = Desk::bare();
    let case = |mcc: &str| {
        let text = format!(
            r#"{{"name":"one","input":{{"tp":6,"tn":20,"fp":2,"fn":2}},"expected":{{"mcc":{mcc},"clamped":{mcc}}}}}"#
        );
        let path = desk.write("one.jsonl", text);
        desk.assay()
            .args(["conform", "--kind", "mcc"])
            .arg(path)
            .output()
            .unwrap()
            .status
            .code()
    };
    assert_eq!(case("0.6590909090909091"), Some(0));
    assert_eq!(case("0.6590909190909091"), Some(1));
}

#[test]
fn what_is_unknown_is_a_failure() {
    let desk = Desk::bare();
    let cases = [
        (
            "mcd",
            r#"{"name":"c1","input":{},"expected":1}"#,
            "unknown kind",
        ),
        (
            "rules",
            r#"{"name":"c2","kind":"nope","input":{},"expected":1}"#,
            "unknown kind 'nope'",
        ),
        (
            "derivation",
            r#"{"name":"c3","input":{"fn":"nope"},"expected":{}}"#,
            "nope",
        ),
        (
            "control",
            r#"{"name":"c4","input":{"completed":true,"cpu_us":2,"wall_us":3,"zz":1},"expected":{"fault":"agent"}}"#,
            "zz",
        ),
        (
            "mcc",
            r#"{"name":"c5","input":{"tp":1},"expected":{},"extra":1}"#,
            "extra",
        ),
        ("mcc", "{\"name\":\"c6\"", "EOF"),
    ];
    for (kind, line, told) in cases {
        let path = desk.write("cases.jsonl", format!("{line}\n"));
        let output = desk
            .assay()
            .args(["conform", "--kind", kind])
            .arg(path)
            .output()
            .unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{kind}: {stdout}");
        assert!(stdout.contains(told), "'{told}' is not in {stdout}");
    }
    let empty = desk.write("empty.jsonl", "\n\n");
    let mut command = desk.assay();
    command.args(["conform", "--kind", "mcc"]).arg(empty);
    desk.refused(&mut command, 2, &["empty.jsonl", "no case"]);
}
