//! Labelled and reported findings side by side, each with the reason why it matched or did not.

use mechanism::explain::{Explanation, Labelled, Nearest, Reported};
use mechanism::finding;
use mechanism::label::Label;
use mechanism::paths::ArtifactFiles;
use mechanism::repo::{self, Dimension};
use mechanism::report::{self, Finding, Line, RepoReport, Report};
use mechanism::score::BehaviouralTaskScore;
use mechanism::spec::Spec;
use round::record::{RunRecord, TaskRecord};
use serde::Serialize;
use serde_json::Value;

/// One list of labelled findings beside the list that some repetitions reported.
#[derive(Debug, Serialize)]
pub(crate) struct FindingsOf {
    /// `findings`, or the dimension of an audit.
    pub(crate) list: &'static str,
    /// The repetitions that reported exactly this; empty when no report was scored.
    pub(crate) reps: Vec<u32>,
    /// Why no report was scored.
    pub(crate) not_scored: Option<String>,
    pub(crate) matched: usize,
    pub(crate) labelled: Vec<Row>,
    pub(crate) reported: Vec<Row>,
}

/// One finding.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Row {
    /// What it says.
    pub(crate) finding: String,
    /// Whether it was matched.
    pub(crate) matched: bool,
    /// With which one, or why not.
    pub(crate) reason: String,
}

/// The findings behind a behavioural task's verdict; `None` where the label asks for none.
pub(super) fn behavioural(
    spec: &Spec,
    task: &TaskRecord,
    scored: &BehaviouralTaskScore,
    runs: &[&RunRecord],
) -> Option<FindingsOf> {
    let of_task = scored.findings.as_ref()?;
    let label = &task.label;
    let wanted: Vec<String> = label
        .expected_findings
        .iter()
        .map(|x| {
            entry(
                &[&x.category, &x.title],
                x.place().unwrap_or_default(),
                x.line.as_ref().map(Value::to_string),
            )
        })
        .collect();
    let run = of_task.rep.and_then(|rep| {
        runs.iter()
            .find(|run| u32::try_from(rep).is_ok_and(|rep| rep == run.id.rep))
    });
    let Some((run, report)) = run.and_then(|run| Some((run, read(spec, run)?))) else {
        let why = match scored.verdict {
            Some(verdict) => format!(
                "the task verdict is {}; findings count only behind WARN or BLOCK",
                verdict.as_str()
            ),
            None => "no repetition completed".to_owned(),
        };
        let missed = |finding| Row {
            finding,
            matched: false,
            reason: why.clone(),
        };
        return Some(FindingsOf {
            list: "findings",
            reps: Vec::new(),
            not_scored: Some(why.clone()),
            matched: 0,
            labelled: wanted.into_iter().map(missed).collect(),
            reported: Vec::new(),
        });
    };
    let files = ArtifactFiles::new(&task.files);
    let why = finding::explain(
        &spec.findings,
        &files,
        &label.expected_findings,
        &report.findings,
    );
    let given = report.findings.iter().map(reported_finding).collect();
    Some(list("findings", vec![run.id.rep], &why, wanted, given))
}

/// The findings of an audit task, one list per dimension; repetitions with the same report stand together.
pub(super) fn audit(spec: &Spec, task: &TaskRecord, runs: &[&RunRecord]) -> Vec<FindingsOf> {
    let mut reports: Vec<(RepoReport, Vec<u32>)> = Vec::new();
    for run in runs {
        let Some(found) = read(spec, run).and_then(|report| report.repo) else {
            continue;
        };
        match reports.iter_mut().find(|(other, _)| *other == found) {
            Some((_, reps)) => reps.push(run.id.rep),
            None => reports.push((found, vec![run.id.rep])),
        }
    }
    let files = ArtifactFiles::new(&task.files);
    let mut lists = Vec::new();
    for (found, reps) in &reports {
        let all = repo::explain(&spec.repositories, &task.label, &files, found);
        for (dimension, why) in all {
            let (wanted, given) = entries(dimension, &task.label, found);
            lists.push(list(dimension.as_str(), reps.clone(), &why, wanted, given));
        }
    }
    lists
}

fn read(spec: &Spec, run: &RunRecord) -> Option<Report> {
    let text = run.report.as_ref().filter(|_| run.failure.is_none())?;
    report::parse(spec, run.id.track, Some(text.as_bytes())).ok()
}

fn list(
    list: &'static str,
    reps: Vec<u32>,
    why: &Explanation,
    wanted: Vec<String>,
    given: Vec<String>,
) -> FindingsOf {
    let labelled: Vec<Row> = wanted
        .into_iter()
        .zip(&why.labelled)
        .map(|(finding, why)| {
            let matched = matches!(why, Labelled::Matched { .. });
            Row {
                finding,
                matched,
                reason: labelled_reason(why),
            }
        })
        .collect();
    let reported = given.into_iter().zip(&why.reported).map(|(finding, why)| {
        let matched = matches!(why, Reported::Matched { .. });
        Row {
            finding,
            matched,
            reason: reported_reason(why),
        }
    });
    FindingsOf {
        list,
        reps,
        not_scored: None,
        matched: labelled.iter().filter(|row| row.matched).count(),
        reported: reported.collect(),
        labelled,
    }
}

fn labelled_reason(why: &Labelled) -> String {
    match why {
        Labelled::Matched { reported } => format!("reported finding {}", reported + 1),
        Labelled::Missed { nearest: None } => "nothing was reported that could match".to_owned(),
        Labelled::Missed {
            nearest: Some(nearest),
        } => nearest_reason("reported", nearest),
    }
}

fn reported_reason(why: &Reported) -> String {
    match why {
        Reported::Matched { labelled } => format!("labelled finding {}", labelled + 1),
        Reported::Repeats { earlier } => {
            format!(
                "equal to reported finding {}; of equal ones at most one can match",
                earlier + 1
            )
        }
        Reported::BeyondCap { cap } => format!("only the first {cap} can match"),
        Reported::Unmatched { nearest: None } => "the label has no finding of this kind".to_owned(),
        Reported::Unmatched {
            nearest: Some(nearest),
        } => nearest_reason("labelled", nearest),
    }
}

fn nearest_reason(side: &str, nearest: &Nearest) -> String {
    let number = nearest.at + 1;
    if nearest.differences.is_empty() {
        return format!("agrees with {side} finding {number}, which is matched with another one");
    }
    let differences: Vec<String> = nearest
        .differences
        .iter()
        .map(ToString::to_string)
        .collect();
    format!(
        "nearest {side} finding {number}: {}",
        differences.join("; ")
    )
}

/// The entries of one dimension, label and report, in words.
fn entries(dimension: Dimension, label: &Label, found: &RepoReport) -> (Vec<String>, Vec<String>) {
    match dimension {
        Dimension::Vulnerabilities => (
            label
                .vulnerabilities
                .iter()
                .map(|x| {
                    let numbers: Vec<String> = x
                        .cwe_numbers()
                        .iter()
                        .map(|cwe| format!("CWE-{cwe}"))
                        .collect();
                    entry(
                        &[&numbers.join("/"), &x.title],
                        &x.file,
                        x.line().map(|line| line.to_string()),
                    )
                })
                .collect(),
            found
                .vulnerabilities
                .iter()
                .map(|f| {
                    let cwe = f.cwe.map(|cwe| format!("CWE-{cwe}")).unwrap_or_default();
                    entry(&[&cwe, &f.title], &f.file, lines(f.line))
                })
                .collect(),
        ),
        Dimension::SupplyChain => (
            label
                .supply_chain
                .iter()
                .map(|x| entry(&[&x.kind, &x.name], "", None))
                .collect(),
            found
                .supply_chain
                .iter()
                .map(|f| entry(&[&f.kind, &f.name], "", None))
                .collect(),
        ),
        Dimension::Secrets => (
            label
                .secrets
                .iter()
                .map(|x| entry(&[&x.kind], &x.file, x.line().map(|line| line.to_string())))
                .collect(),
            found
                .secrets
                .iter()
                .map(|f| entry(&[&f.kind], &f.file, lines(f.line)))
                .collect(),
        ),
    }
}

fn reported_finding(finding: &Finding) -> String {
    let place = finding.location.as_deref().unwrap_or_default();
    entry(
        &[&finding.category, &finding.title],
        place,
        lines(finding.line),
    )
}

/// `words: words (path:line)`, without what is empty.
fn entry(words: &[&str], place: &str, line: Option<String>) -> String {
    let said: Vec<&str> = words
        .iter()
        .copied()
        .filter(|word| !word.is_empty())
        .collect();
    let place = match line {
        Some(line) => format!("{place}:{line}"),
        None => place.to_owned(),
    };
    match (said.is_empty(), place.is_empty()) {
        (false, false) => format!("{} ({place})", said.join(": ")),
        (false, true) => said.join(": "),
        (true, _) => place,
    }
}

fn lines(line: Line) -> Option<String> {
    match line {
        Line::None => None,
        Line::At(at) => Some(at.to_string()),
        Line::Range(first, last) => Some(format!("{first}-{last}")),
    }
}
