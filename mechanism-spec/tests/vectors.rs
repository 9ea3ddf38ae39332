//! Every line of every frozen vector file agrees with the crate, and no file of the folder is left unread.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

/// The kind of a file: its name, or `rules` where the lines name their own.
fn kind_of(stem: &str) -> &str {
    if mechanism::conform::kinds().any(|kind| kind == stem) {
        stem
    } else {
        "rules"
    }
}

#[test]
fn every_line_of_every_file_agrees() {
    let mut lines = BTreeMap::new();
    let mut differences = Vec::new();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().is_some_and(|name| name == "README.md") {
            continue;
        }
        assert_eq!(
            path.extension().unwrap(),
            "jsonl",
            "{} is read by no test",
            path.display()
        );
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.ends_with('\n'), "{stem} ends inside a line");
        for (number, line) in text.lines().enumerate() {
            if let Err(error) = mechanism::conform::run_line(kind_of(&stem), line) {
                differences.push(format!("{stem}:{}: {error}", number + 1));
            }
            *lines.entry(stem.clone()).or_insert(0) += 1;
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
    // What is here may grow; a file or line that gets lost must not pass unseen.
    for (stem, least) in [
        ("consensus", 50),
        ("fbeta", 5),
        ("frozen", 60),
        ("mcc", 20),
        ("rules", 55),
        ("weights_u16", 8),
    ] {
        let found = lines.get(stem).copied().unwrap_or(0);
        assert!(
            found >= least,
            "{stem}: {found} lines, at least {least} were expected"
        );
    }
}

#[test]
fn every_kind_has_a_frozen_case() {
    let mut seen = BTreeSet::new();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
        for line in fs::read_to_string(&path)
            .unwrap()
            .lines()
            .filter(|line| line.starts_with('{'))
        {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let kind = case["kind"]
                .as_str()
                .map_or_else(|| stem.clone(), str::to_owned);
            seen.insert(kind);
        }
    }
    for kind in mechanism::conform::kinds() {
        assert!(seen.contains(kind), "no vector of kind {kind}");
    }
}

#[test]
fn names_are_unique_within_a_file() {
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let mut names = BTreeSet::new();
        for line in fs::read_to_string(&path)
            .unwrap()
            .lines()
            .filter(|line| line.starts_with('{'))
        {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let name = case["name"].as_str().unwrap().to_owned();
            assert!(
                names.insert(name.clone()),
                "{}: {name} is there twice",
                path.display()
            );
        }
    }
}

/// Places of all objects inside of a value, as JSON pointers.
fn objects(value: &serde_json::Value, at: &str, out: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(map) => {
            out.push(at.to_owned());
            for (key, value) in map {
                objects(value, &format!("{at}/{key}"), out);
            }
        }
        serde_json::Value::Array(list) => {
            for (n, value) in list.iter().enumerate() {
                objects(value, &format!("{at}/{n}"), out);
            }
        }
        _ => {}
    }
}

/// Documents of an agent or of the corpus, whose unknown keys a rule ignores or keeps, and maps by hotkey.
fn is_open(kind: &str, place: &str) -> bool {
    let lists = [
        "expected",
        "reported",
        "findings",
        "expected_findings",
        "vulnerabilities",
        "supply_chain",
        "secrets",
    ];
    let audit = kind == "repo_track" && place.split('/').rev().nth(1) == Some("reps");
    let maps = ["/input/report", "/input/registered", "/input/previous"];
    audit || maps.contains(&place) || place.split('/').skip(2).any(|part| lists.contains(&part))
}

#[test]
fn an_unknown_key_anywhere_else_in_a_case_is_an_error() {
    let text = fs::read_to_string(folder().join("rules.jsonl")).unwrap();
    let mut skipped = Vec::new();
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let mut places = Vec::new();
        objects(&case, "", &mut places);
        let kind = case["kind"].as_str().unwrap();
        for place in places.iter().filter(|place| !is_open(kind, place)) {
            let mut changed = case.clone();
            changed.pointer_mut(place).unwrap()["no_such_key"] = serde_json::json!(1);
            if mechanism::conform::run_line("rules", &changed.to_string()).is_ok() {
                skipped.push(format!("{}: {place}", case["name"]));
            }
        }
    }
    assert!(
        skipped.is_empty(),
        "unknown keys were skipped:\n{}",
        skipped.join("\n")
    );
}

#[test]
fn an_expectation_that_no_rule_gives_is_an_error() {
    let text = fs::read_to_string(folder().join("rules.jsonl")).unwrap();
    for line in text.lines() {
        let mut case: serde_json::Value = serde_json::from_str(line).unwrap();
        case["expected"] = serde_json::json!({"no_such_value": null});
        let changed = mechanism::conform::run_line("rules", &case.to_string());
        assert!(
            changed.is_err(),
            "an unknown expectation was skipped: {}",
            case["name"]
        );
    }
}
