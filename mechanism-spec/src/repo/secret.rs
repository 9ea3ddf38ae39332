//! When a reported secret is a planted one (SPEC.md S-12, `mechanism.md §7`).

use super::line_matches;
use crate::label::Label;
use crate::matching::{Pair, pair_up};
use crate::paths::{ArtifactFiles, Location};
use crate::report::{Line, RepoReport, Secret};
use crate::scored::{ScoredFinding, line_span};
use crate::spec::RepositoryRules;

struct Planted {
    file: Location,
    line: Option<i64>,
    kind: String,
}

/// Everything of a report that decides; equal keys are equal reports.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Reported {
    file: Location,
    line: Line,
    kind: String,
}

pub(super) fn pairs(
    rules: &RepositoryRules,
    label: &Label,
    files: &ArtifactFiles,
    report: &RepoReport,
) -> Vec<Pair> {
    let planted: Vec<Planted> = label
        .secrets
        .iter()
        .map(|x| Planted {
            file: files.locate(&x.file),
            line: x.line(),
            kind: x.kind.to_ascii_lowercase(),
        })
        .collect();
    let reported: Vec<Reported> = report
        .secrets
        .iter()
        .take(rules.list_cap)
        .map(|f| Reported {
            file: files.locate(&f.file),
            line: f.line,
            kind: f.kind.to_ascii_lowercase(),
        })
        .collect();
    pair_up(&planted, &reported, |x, f| {
        let types_agree = x.kind.is_empty() || f.kind.is_empty() || x.kind == f.kind;
        x.file.same_place(&f.file) && line_matches(rules, x.line, f.line) && types_agree
    })
}

pub(super) fn scored(files: &ArtifactFiles, report: &Secret) -> ScoredFinding {
    ScoredFinding {
        class: report.kind.to_ascii_lowercase(),
        location: files
            .locate(&report.file)
            .path()
            .unwrap_or_default()
            .to_owned(),
        lines: line_span(report.line),
    }
}
