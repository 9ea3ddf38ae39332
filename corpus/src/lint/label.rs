//! The label's own words: identity, class, keys, licence, capabilities.

use super::problem::{Code, Problems};
use super::task::TaskView;
use mechanism::label::{Class, Extra, Label};
use mechanism::taxonomy;
use serde_json::Value;

pub(super) fn check(task: &TaskView, problems: &mut Problems) {
    if task.raw.is_empty() {
        return;
    }
    check_identity(task, problems);
    check_class(task, problems);
    if let Some(label) = &task.label {
        check_keys(task, label, problems);
        check_track_keys(task, problems);
        check_licence(task, label, problems);
        check_capabilities(task, label, problems);
    }
}

fn check_identity(task: &TaskView, problems: &mut Problems) {
    let pairs = [
        ("task", task.name.as_str(), Code::TaskMismatch),
        ("track", task.track.as_str(), Code::TrackMismatch),
    ];
    for (key, folder, code) in pairs {
        let written = task.raw.get(key);
        if written.and_then(Value::as_str) != Some(folder) {
            let shown = shown(written);
            problems.add(
                &task.label_path,
                code,
                format!("\"{key}\" is {shown}, the folder says \"{folder}\""),
            );
        }
    }
}

fn check_class(task: &TaskView, problems: &mut Problems) {
    let written = task.raw.get("label");
    if task.track.is_behavioural() {
        let known = task.label.as_ref().map_or_else(
            || matches!(written.and_then(Value::as_str), Some("malicious" | "safe")),
            |label| label.label.is_some(),
        );
        if !known {
            let message = format!("the label is {}", shown(written));
            problems.add(&task.label_path, Code::LabelWord, message);
        }
    }
    let Some(label) = &task.label else { return };
    if label.label == Some(Class::Safe) && !label.expected_findings.is_empty() {
        let count = label.expected_findings.len();
        let message = format!("a safe task with {count} expected findings");
        problems.add(&task.label_path, Code::FindingsOnSafe, message);
    }
}

fn check_keys(task: &TaskView, label: &Label, problems: &mut Problems) {
    let mut unknown = |place: String, extra: &Extra| {
        for key in extra.keys() {
            let message = format!("{place} has the unknown key '{key}'");
            problems.add(&task.label_path, Code::UnknownKey, message);
        }
    };
    unknown("the label".to_owned(), &label.extra);
    if let Some(source) = &label.source {
        unknown("source".to_owned(), &source.extra);
    }
    for (n, finding) in label.expected_findings.iter().enumerate() {
        unknown(format!("expected_findings[{n}]"), &finding.extra);
    }
    for (n, finding) in label.vulnerabilities.iter().enumerate() {
        unknown(format!("vulnerabilities[{n}]"), &finding.extra);
    }
    for (n, finding) in label.supply_chain.iter().enumerate() {
        unknown(format!("supply_chain[{n}]"), &finding.extra);
    }
    for (n, finding) in label.secrets.iter().enumerate() {
        unknown(format!("secrets[{n}]"), &finding.extra);
    }
}

/// A list on the wrong kind of track would silently count for nothing.
fn check_track_keys(task: &TaskView, problems: &mut Problems) {
    let foreign: &[&str] = if task.track.is_behavioural() {
        &["vulnerabilities", "supply_chain", "secrets"]
    } else {
        &["label", "expected_findings"]
    };
    for key in foreign.iter().filter(|key| task.raw.contains_key(**key)) {
        let message = format!("'{key}' on the track {}", task.track);
        problems.add(&task.label_path, Code::KeyNotForTrack, message);
    }
}

fn check_licence(task: &TaskView, label: &Label, problems: &mut Problems) {
    let licence = label.source.as_ref().and_then(|s| s.licence.as_deref());
    if licence.is_none_or(|text| text.trim().is_empty()) {
        problems.add(&task.label_path, Code::LicenceMissing, "no source.licence");
    }
}

fn check_capabilities(task: &TaskView, label: &Label, problems: &mut Problems) {
    // An alias would be counted by reports, a label names the canonical one.
    let known = |name: &str| taxonomy::lookup(name).is_some_and(|entry| entry.name == name);
    for name in label.expected_capabilities.iter().filter(|n| !known(n)) {
        let message = format!("'{name}' is not a capability");
        problems.add(&task.label_path, Code::UnknownCapability, message);
    }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "absent".to_owned(), Value::to_string)
}
