//! What a label says is in the artifact: it must be there, once, in a form that a report can match.

use super::problem::{Code, Problems};
use super::task::TaskView;
use crate::limits::PINNED;
use mechanism::label::{ExpectedFinding, Label, PlantedVulnerability};
use mechanism::report::{cwe_number, line_number};
use mechanism::words::{WordSet, word_set, words};
use serde_json::Value;
use std::collections::BTreeMap;

pub(super) fn check(task: &TaskView, problems: &mut Problems) {
    let Some(label) = &task.label else { return };
    for (n, finding) in label.expected_findings.iter().enumerate() {
        let name = format!("expected_findings[{n}]");
        if let Some(place) = finding.place() {
            check_place(task, &name, place, finding.line.as_ref(), problems);
        }
    }
    for (n, finding) in label.vulnerabilities.iter().enumerate() {
        let name = format!("vulnerabilities[{n}]");
        check_place(task, &name, &finding.file, finding.line.as_ref(), problems);
        check_cwes(task, &name, finding, problems);
    }
    for (n, secret) in label.secrets.iter().enumerate() {
        let name = format!("secrets[{n}]");
        check_place(task, &name, &secret.file, secret.line.as_ref(), problems);
    }
    check_duplicates(task, label, problems);
}

fn check_place(
    task: &TaskView,
    name: &str,
    file: &str,
    line: Option<&Value>,
    problems: &mut Problems,
) {
    let Some(found) = task.paths.resolve(file) else {
        let message = format!("{name} names '{file}', which is no file of the artifact");
        return problems.add(&task.label_path, Code::FindingFile, message);
    };
    let (Some(written), Some(count)) = (line, task.lines.get(found)) else {
        return;
    };
    match line_number(written) {
        Some(line) if u64::try_from(line).is_ok_and(|line| line <= *count) => {}
        Some(line) => {
            let message = format!("{name} is on line {line} of '{found}', which has {count}");
            problems.add(&task.label_path, Code::FindingLine, message);
        }
        None => {
            let message = format!("{name} has the line {written}, which is none");
            problems.add(&task.label_path, Code::FindingLine, message);
        }
    }
}

fn check_cwes(
    task: &TaskView,
    name: &str,
    finding: &PlantedVulnerability,
    problems: &mut Problems,
) {
    let repeated = finding
        .cwe
        .as_ref()
        .filter(|c| finding.all_cwes.contains(c));
    let count = finding.all_cwes.len() + usize::from(finding.cwe.is_some() && repeated.is_none());
    if count > PINNED.repositories.label_cwes {
        let message = format!("{name} has {count} CWEs");
        problems.add(&task.label_path, Code::TooManyCwes, message);
    }
    for value in finding.cwe.iter().chain(&finding.all_cwes) {
        if cwe_number(value).is_none() {
            let message = format!("{name} has the CWE {value}, which names no number");
            problems.add(&task.label_path, Code::CweUnknown, message);
        }
    }
}

/// Planted findings that one report would satisfy twice: at most one of them could ever be matched.
fn check_duplicates(task: &TaskView, label: &Label, problems: &mut Problems) {
    let expected = label
        .expected_findings
        .iter()
        .map(|f| expected_key(task, f));
    report_equal(task, "expected_findings", expected, problems);

    let vulnerabilities = label.vulnerabilities.iter().map(|f| {
        let cwes = f.cwe_numbers();
        // Titles tell findings apart only where no number does.
        let title = if cwes.is_empty() {
            word_set(&format!("{} {}", f.title, f.description))
        } else {
            WordSet::new()
        };
        (place(task, &f.file), f.line(), cwes.first().copied(), title)
    });
    report_equal(task, "vulnerabilities", vulnerabilities, problems);

    let issues = label
        .supply_chain
        .iter()
        .map(|i| (i.kind.to_ascii_lowercase(), i.name.to_ascii_lowercase()));
    report_equal(task, "supply_chain", issues, problems);

    let secrets = label
        .secrets
        .iter()
        .map(|s| (place(task, &s.file), s.line(), s.kind.to_ascii_lowercase()));
    report_equal(task, "secrets", secrets, problems);
}

/// Section 6's equality of findings: category words (or text), location, title words.
fn expected_key(task: &TaskView, finding: &ExpectedFinding) -> (WordSet, String, String, WordSet) {
    let category: WordSet = words(&finding.category)
        .take(PINNED.findings.category_words)
        .collect();
    let text = if category.is_empty() {
        finding.category.to_ascii_lowercase()
    } else {
        String::new()
    };
    let place = finding.place().map(|p| place(task, p)).unwrap_or_default();
    (category, text, place, word_set(&finding.title))
}

fn place(task: &TaskView, path: &str) -> String {
    task.paths.resolve(path).unwrap_or(path).to_owned()
}

fn report_equal<K: Ord>(
    task: &TaskView,
    list: &str,
    keys: impl Iterator<Item = K>,
    problems: &mut Problems,
) {
    let mut first: BTreeMap<K, usize> = BTreeMap::new();
    for (n, key) in keys.enumerate() {
        match first.get(&key) {
            Some(earlier) => {
                let message = format!("{list}[{n}] equals {list}[{earlier}]");
                problems.add(&task.label_path, Code::DuplicateFinding, message);
            }
            None => {
                first.insert(key, n);
            }
        }
    }
}
