//! What is said of a miss, and that it never contradicts the score.

use super::*;
use crate::explain::{Labelled, Reported};
use crate::label::Label;
use crate::report::{Line, Secret, SupplyChainIssue, Vulnerability};
use crate::spec::Spec;
use proptest::prelude::*;
use serde_json::{Value, json};

fn label(planted: Value) -> Label {
    let mut label = json!({"task": "t", "track": "repositories"});
    for (key, value) in planted.as_object().into_iter().flatten() {
        label[key] = value.clone();
    }
    serde_json::from_value(label).unwrap()
}

fn files() -> ArtifactFiles {
    ArtifactFiles::new(["srv/db.py", "web/app.js"])
}

fn vulnerability(file: &str, line: i64, cwe: u64, title: &str) -> Vulnerability {
    Vulnerability {
        file: file.to_owned(),
        line: Line::new((line > 0).then_some(line), None, 20),
        cwe: Some(cwe),
        title: title.to_owned(),
        description: String::new(),
    }
}

fn vulnerabilities(found: Vec<Vulnerability>) -> RepoReport {
    RepoReport {
        files_analysed: 1,
        vulnerabilities: found,
        ..RepoReport::default()
    }
}

fn sql_injection() -> Label {
    label(json!({"vulnerabilities": [
        {"file": "srv/db.py", "line": 47, "cwe": "CWE-89", "all_cwes": ["CWE-564"], "title": "SQL injection"},
    ]}))
}

/// The reasons of the first labelled finding's miss, and the position of the report that came nearest.
fn miss(label: &Label, report: &RepoReport, dimension: Dimension) -> (usize, Vec<String>) {
    let all = explain(&Spec::pinned().repositories, label, &files(), report);
    let Labelled::Missed {
        nearest: Some(nearest),
    } = &all[&dimension].labelled[0]
    else {
        panic!("{all:?}");
    };
    let reasons = nearest
        .differences
        .iter()
        .map(ToString::to_string)
        .collect();
    (nearest.at, reasons)
}

#[test]
fn the_nearest_report_is_the_one_with_the_lightest_difference() {
    let report = vulnerabilities(vec![
        vulnerability("web/app.js", 47, 89, "SQL injection"),
        vulnerability("db.py", 80, 89, "SQL injection"),
        vulnerability("db.py", 61, 89, "SQL injection"),
    ]);
    let (at, reasons) = miss(&sql_injection(), &report, Dimension::Vulnerabilities);
    assert_eq!(at, 2);
    assert_eq!(reasons, ["line 61 is 14 away from line 47, window 10"]);
}

#[test]
fn each_condition_has_its_reason() {
    let reasons = |found: Vulnerability| {
        miss(
            &sql_injection(),
            &vulnerabilities(vec![found]),
            Dimension::Vulnerabilities,
        )
        .1
    };
    assert_eq!(
        reasons(vulnerability("srv/db.py", 47, 79, "Script in page")),
        ["CWE differs (CWE-79 instead of CWE-89, CWE-564) and the titles do not overlap"]
    );
    assert_eq!(
        reasons(vulnerability("srv/db.py", 0, 89, "")),
        ["no line, line 47 is asked for"]
    );
    assert_eq!(
        reasons(vulnerability("web/app.js", 10, 79, "x")),
        [
            "path differs: 'web/app.js' instead of 'srv/db.py'",
            "line 10 is 37 away from line 47, window 10",
            "CWE differs (CWE-79 instead of CWE-89, CWE-564) and the titles do not overlap",
        ]
    );
    let mut range = vulnerability("srv/db.py", 0, 89, "");
    range.line = Line::Range(60, 65);
    assert_eq!(
        reasons(range),
        ["lines 60-65 are 13 away from line 47, window 10"]
    );
}

#[test]
fn secrets_and_supply_chain_issues_have_reasons_too() {
    let label = label(json!({
        "supply_chain": [{"type": "typosquat", "name": "reqests"}],
        "secrets": [{"file": "srv/db.py", "line": 3, "type": "aws_key"}],
    }));
    let report = RepoReport {
        files_analysed: 1,
        supply_chain: vec![SupplyChainIssue {
            kind: "typosquat".to_owned(),
            name: "urlib".to_owned(),
        }],
        secrets: vec![Secret {
            file: "srv/db.py".to_owned(),
            line: Line::At(3),
            kind: "password".to_owned(),
        }],
        ..RepoReport::default()
    };
    let (_, reasons) = miss(&label, &report, Dimension::SupplyChain);
    assert_eq!(reasons, ["name differs: 'urlib' instead of 'reqests'"]);
    let (_, reasons) = miss(&label, &report, Dimension::Secrets);
    assert_eq!(reasons, ["type differs: 'password' instead of 'aws_key'"]);
}

#[test]
fn a_clean_task_explains_every_report_as_unmatched() {
    let report = vulnerabilities(vec![vulnerability("srv/db.py", 1, 89, "x")]);
    let all = explain(
        &Spec::pinned().repositories,
        &label(json!({})),
        &files(),
        &report,
    );
    assert_eq!(all.len(), 1);
    let vulnerabilities = &all[&Dimension::Vulnerabilities];
    assert_eq!(
        vulnerabilities.reported,
        [Reported::Unmatched { nearest: None }]
    );
    assert!(vulnerabilities.labelled.is_empty());
}

proptest! {
    #[test]
    fn what_is_explained_as_matched_is_what_was_scored(
        planted in proptest::collection::vec((0usize..2, 1i64..30, 1u64..3), 1..5),
        reported in proptest::collection::vec((0usize..2, 0i64..40, 1u64..4), 0..7),
    ) {
        let names = ["srv/db.py", "web/app.js"];
        let planted: Vec<Value> = planted
            .iter()
            .map(|(file, line, cwe)| json!({"file": names[*file], "line": line, "cwe": cwe, "title": "t"}))
            .collect();
        let label = label(json!({"vulnerabilities": planted}));
        let report = vulnerabilities(
            reported.iter().map(|(file, line, cwe)| vulnerability(names[*file], *line, *cwe, "u")).collect(),
        );
        let rules = Spec::pinned().repositories;
        let score = score_task(&rules, &label, &files(), &report).unwrap();
        let all = explain(&rules, &label, &files(), &report);
        let explained = &all[&Dimension::Vulnerabilities];
        let pairs: Vec<Pair> = explained
            .labelled
            .iter()
            .enumerate()
            .filter_map(|(planted, outcome)| match outcome {
                Labelled::Matched { reported } => Some(Pair { planted, reported: *reported }),
                Labelled::Missed { .. } => None,
            })
            .collect();
        prop_assert_eq!(&pairs, &score.dims[&Dimension::Vulnerabilities].pairs);
        // A pair that has no difference is an edge of the matching, so at least one of its ends is matched.
        for outcome in &explained.labelled {
            if let Labelled::Missed { nearest: Some(nearest) } = outcome
                && nearest.differences.is_empty()
            {
                let taken = !matches!(explained.reported[nearest.at], Reported::Unmatched { .. });
                prop_assert!(taken);
            }
        }
    }
}
