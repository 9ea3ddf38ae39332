//! Every lint rule about labels has a corpus that breaks it and nothing else.

use crate::common::{Fixture, MALICIOUS, PLANTED, SAFE};
use corpus::{Code, Problem, lint};
use serde_json::{Value, json};

fn codes(fixture: &Fixture) -> Vec<Code> {
    let problems = lint(fixture.path()).unwrap().problems;
    problems.iter().map(|p| p.code).collect()
}

#[track_caller]
fn relabelled(task: &str, change: impl FnOnce(&mut Value), expected: &[Code]) -> Vec<Problem> {
    let fixture = Fixture::fit();
    fixture.relabel(task, change);
    let problems = lint(fixture.path()).unwrap().problems;
    let found: Vec<Code> = problems.iter().map(|p| p.code).collect();
    assert_eq!(found, expected, "{problems:?}");
    assert!(
        problems
            .iter()
            .all(|p| p.file == format!("{task}/label.json")),
        "{problems:?}"
    );
    problems
}

#[test]
fn a_fit_corpus_has_no_problem() {
    assert_eq!(lint(Fixture::fit().path()).unwrap().problems, []);
}

#[test]
fn identity_and_class() {
    relabelled(
        SAFE,
        |l| l["task"] = json!("t0009-other"),
        &[Code::TaskMismatch],
    );
    relabelled(
        SAFE,
        |l| l["track"] = json!("packages"),
        &[Code::TrackMismatch],
    );
    relabelled(SAFE, |l| l["track"] = json!(7), &[Code::TrackMismatch]);
    for word in [json!("Safe"), json!("harmless"), json!(true), Value::Null] {
        let problems = relabelled(SAFE, |l| l["label"] = word.clone(), &[Code::LabelWord]);
        assert!(
            problems[0].message.contains(&word.to_string()),
            "{problems:?}"
        );
    }
    let findings = json!([{"category": "a", "title": "b", "file": "README.md"}]);
    relabelled(
        SAFE,
        |l| l["expected_findings"] = findings,
        &[Code::FindingsOnSafe],
    );
}

#[test]
fn keys() {
    relabelled(SAFE, |l| l["lable"] = json!(1), &[Code::UnknownKey]);
    relabelled(
        SAFE,
        |l| l["source"]["license"] = json!("MIT"),
        &[Code::UnknownKey],
    );
    relabelled(
        MALICIOUS,
        |l| l["expected_findings"][0]["titel"] = json!(""),
        &[Code::UnknownKey],
    );
    relabelled(
        PLANTED,
        |l| l["vulnerabilities"][0]["lines"] = json!(1),
        &[Code::UnknownKey],
    );
    relabelled(
        PLANTED,
        |l| l["secrets"] = json!([{"file": "README.md", "x": 1}]),
        &[Code::UnknownKey],
    );
    relabelled(
        PLANTED,
        |l| l["supply_chain"] = json!([{"type": "a", "nam": "b"}]),
        &[Code::UnknownKey],
    );
    relabelled(
        SAFE,
        |l| l["vulnerabilities"] = json!([]),
        &[Code::KeyNotForTrack],
    );
    relabelled(
        PLANTED,
        |l| l["label"] = json!("malicious"),
        &[Code::KeyNotForTrack],
    );
    relabelled(
        SAFE,
        |l| l["source"]["licence"] = json!(" "),
        &[Code::LicenceMissing],
    );
    relabelled(
        SAFE,
        |l| drop(l.as_object_mut().unwrap().remove("source")),
        &[Code::LicenceMissing],
    );
    relabelled(
        MALICIOUS,
        |l| l["expected_capabilities"] = json!(["MIND_READING"]),
        &[Code::UnknownCapability],
    );
}

#[test]
fn a_wrong_type_is_named_and_hides_nothing_else() {
    let problems = relabelled(
        SAFE,
        |l| {
            l["notes"] = json!(7);
            l["label"] = json!("fine");
        },
        &[Code::LabelMalformed, Code::LabelWord],
    );
    assert!(
        problems
            .iter()
            .any(|p| p.message.starts_with("'notes' does not fit: ")),
        "{problems:?}"
    );
}

#[test]
fn a_finding_is_on_a_line_of_a_file() {
    let vulnerability = |key: &'static str, value: Value, code: Code| {
        relabelled(PLANTED, |l| l["vulnerabilities"][0][key] = value, &[code]);
    };
    vulnerability("file", json!("src/other.py"), Code::FindingFile);
    vulnerability("file", json!("SRC/main.py"), Code::FindingFile);
    vulnerability("file", json!("../main.py"), Code::FindingFile);
    vulnerability("file", json!(""), Code::FindingFile);
    vulnerability("line", json!(3), Code::FindingLine);
    vulnerability("line", json!(0), Code::FindingLine);
    vulnerability("line", json!("two"), Code::FindingLine);
    relabelled(
        MALICIOUS,
        |l| l["expected_findings"][0]["line"] = json!(3),
        &[Code::FindingLine],
    );
    relabelled(
        MALICIOUS,
        |l| l["expected_findings"][0]["file"] = json!("no.py"),
        &[Code::FindingFile],
    );
    let secret = json!([{"file": "README.md", "line": 4, "type": "token"}]);
    relabelled(PLANTED, |l| l["secrets"] = secret, &[Code::FindingLine]);
}

#[test]
fn paths_follow_section_seven_and_lines_the_line_feed() {
    let fixture = Fixture::fit();
    fixture.relabel(PLANTED, |l| {
        l["vulnerabilities"][0]["file"] = json!("/task/artifact/./main.py");
        l["vulnerabilities"][0]
            .as_object_mut()
            .unwrap()
            .remove("line");
    });
    assert_eq!(codes(&fixture), []);
    // Three line breaks of other kinds make no line: the file has two.
    fixture.write(
        &format!("{PLANTED}/artifact/src/main.py"),
        "a\rb\u{2028}c\u{c}d\r\ne\n",
    );
    fixture.relabel(PLANTED, |l| l["vulnerabilities"][0]["line"] = json!(2));
    assert_eq!(codes(&fixture), []);
    fixture.relabel(PLANTED, |l| l["vulnerabilities"][0]["line"] = json!(3));
    assert_eq!(codes(&fixture), [Code::FindingLine]);
}

#[test]
fn weaknesses() {
    let five = json!(["CWE-89", "CWE-1", "CWE-2", "CWE-3", "CWE-4"]);
    relabelled(
        PLANTED,
        |l| l["vulnerabilities"][0]["all_cwes"] = five,
        &[Code::TooManyCwes],
    );
    let beside = json!(["CWE-1", "CWE-2", "CWE-3", "CWE-4"]);
    relabelled(
        PLANTED,
        |l| l["vulnerabilities"][0]["all_cwes"] = beside,
        &[Code::TooManyCwes],
    );
    relabelled(
        PLANTED,
        |l| l["vulnerabilities"][0]["cwe"] = json!("injection"),
        &[Code::CweUnknown],
    );
    let fixture = Fixture::fit();
    let four = json!(["CWE-89", "CWE-1", "CWE-2", "CWE-3"]);
    fixture.relabel(PLANTED, |l| l["vulnerabilities"][0]["all_cwes"] = four);
    assert_eq!(codes(&fixture), []);
}

#[test]
fn planted_findings_differ() {
    let again = |list: &'static str, task: &'static str, change: fn(&mut Value)| {
        relabelled(
            task,
            |l| {
                let mut copy = l[list][0].clone();
                change(&mut copy);
                l[list].as_array_mut().unwrap().push(copy);
            },
            &[Code::DuplicateFinding],
        );
    };
    again("vulnerabilities", PLANTED, |_| {});
    again("vulnerabilities", PLANTED, |v| {
        v["title"] = json!("Another name");
        v["file"] = json!("./src/main.py");
        v["cwe"] = json!(89);
    });
    again("expected_findings", MALICIOUS, |v| {
        v["title"] = json!("uploads the ENVIRONMENT!")
    });
    let twice = json!([{"type": "typosquat", "name": "Reqeusts"}, {"type": "Typosquat", "name": "reqeusts"}]);
    relabelled(
        PLANTED,
        |l| l["supply_chain"] = twice,
        &[Code::DuplicateFinding],
    );
    let twice = json!([{"file": "README.md", "line": 1, "type": "token"}, {"file": "README.md", "line": "1", "type": "Token"}]);
    relabelled(PLANTED, |l| l["secrets"] = twice, &[Code::DuplicateFinding]);

    let fixture = Fixture::fit();
    fixture.relabel(PLANTED, |l| {
        let mut other = l["vulnerabilities"][0].clone();
        other["line"] = json!(1);
        l["vulnerabilities"].as_array_mut().unwrap().push(other);
    });
    assert_eq!(codes(&fixture), []);
}

#[test]
fn a_label_is_a_json_object() {
    let fixture = Fixture::fit();
    fixture.write(
        &format!("{SAFE}/label.json"),
        "{\n  \"task\": \"x\",\n  oops\n}",
    );
    let problems = lint(fixture.path()).unwrap().problems;
    assert_eq!(
        (problems[0].code, problems[0].line),
        (Code::LabelNotJson, Some(3)),
        "{problems:?}"
    );
    fixture.write(&format!("{SAFE}/label.json"), "[]");
    assert_eq!(codes(&fixture), [Code::LabelMalformed]);
    std::fs::remove_file(fixture.at(SAFE).join("label.json")).unwrap();
    assert_eq!(codes(&fixture), [Code::LabelMissing]);
}
