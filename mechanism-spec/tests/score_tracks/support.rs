//! Builders shared by the score tests.

use mechanism::fault::Failure;
use mechanism::ids::TaskRef;
use mechanism::label::Label;
use mechanism::paths::ArtifactFiles;
use mechanism::report::{CapabilityManifest, Finding, Line, RepoReport, Report, Vulnerability};
use mechanism::score::ScoredTask;
use mechanism::verdict::Verdict;
use serde_json::{Value, json};

/// A task that owns what scoring borrows.
#[derive(Debug, Clone)]
pub(crate) struct Task {
    pub(crate) task_ref: TaskRef,
    pub(crate) label: Label,
    pub(crate) files: ArtifactFiles,
    pub(crate) reps: Vec<Result<Report, Failure>>,
}

pub(crate) fn scored(tasks: &[Task]) -> Vec<ScoredTask<'_>> {
    tasks
        .iter()
        .map(|task| ScoredTask {
            task_ref: &task.task_ref,
            label: &task.label,
            files: &task.files,
            reps: task
                .reps
                .iter()
                .map(|rep| rep.as_ref().map_err(|failure| *failure))
                .collect(),
        })
        .collect()
}

pub(crate) const FILES: [&str; 4] = ["run.sh", "lib/a.py", "srv/db.py", "srv/api/db.py"];

pub(crate) fn behavioural(
    name: usize,
    class: &str,
    expected: &Value,
    reps: Vec<Result<Report, Failure>>,
) -> Task {
    let label = json!({"task": name.to_string(), "track": "skills", "label": class, "expected_findings": expected});
    Task {
        task_ref: TaskRef::new(format!("skills/{name}")),
        label: serde_json::from_value(label).unwrap(),
        files: ArtifactFiles::new(FILES),
        reps,
    }
}

pub(crate) fn repository(
    name: usize,
    vulnerabilities: &Value,
    reps: Vec<Result<Report, Failure>>,
) -> Task {
    let label = json!({"task": name.to_string(), "track": "repositories", "vulnerabilities": vulnerabilities});
    Task {
        task_ref: TaskRef::new(format!("repositories/{name}")),
        label: serde_json::from_value(label).unwrap(),
        files: ArtifactFiles::new(FILES),
        reps,
    }
}

pub(crate) fn says(verdict: Verdict) -> Report {
    Report {
        verdict,
        risk_score: None,
        bom: false,
        crlf: false,
        findings: Vec::new(),
        capabilities: CapabilityManifest::default(),
        repo: None,
    }
}

pub(crate) fn lists(verdict: Verdict, findings: Vec<Finding>) -> Report {
    Report {
        findings,
        ..says(verdict)
    }
}

pub(crate) fn audits(vulnerabilities: Vec<Vulnerability>) -> Report {
    Report {
        repo: Some(RepoReport {
            files_analysed: 1,
            vulnerabilities,
            ..RepoReport::default()
        }),
        ..says(Verdict::Allow)
    }
}

pub(crate) fn finding(category: &str, title: &str, location: Option<&str>) -> Finding {
    Finding {
        category: category.to_owned(),
        title: title.to_owned(),
        location: location.map(str::to_owned),
        line: Line::None,
    }
}

pub(crate) fn weakness(file: &str, line: i64, cwe: u64, title: &str) -> Vulnerability {
    Vulnerability {
        file: file.to_owned(),
        line: Line::At(line),
        cwe: Some(cwe),
        title: title.to_owned(),
        description: String::new(),
    }
}
