//! When a reported secret is a planted one (SPEC.md S-12, `mechanism.md §7`).

use super::{line_difference, line_matches, path_difference};
use crate::explain::{Difference, Explanation, Lists};
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
    let (planted, reported) = keys(rules, label, files, report);
    pair_up(&planted, &reported, |x, f| x.matches(f, rules))
}

pub(super) fn explain(
    rules: &RepositoryRules,
    label: &Label,
    files: &ArtifactFiles,
    report: &RepoReport,
) -> Explanation {
    let (planted, reported) = keys(rules, label, files, report);
    let lists = Lists {
        labelled: &planted,
        reported: &reported,
        reported_count: report.secrets.len(),
        pairs: &pair_up(&planted, &reported, |x, f| x.matches(f, rules)),
    };
    lists.explain(|x, f| x.differences(f, rules))
}

fn keys(
    rules: &RepositoryRules,
    label: &Label,
    files: &ArtifactFiles,
    report: &RepoReport,
) -> (Vec<Planted>, Vec<Reported>) {
    let planted = label.secrets.iter().map(|x| Planted {
        file: files.locate(&x.file),
        line: x.line(),
        kind: x.kind.to_ascii_lowercase(),
    });
    let reported = report
        .secrets
        .iter()
        .take(rules.list_cap)
        .map(|f| Reported {
            file: files.locate(&f.file),
            line: f.line,
            kind: f.kind.to_ascii_lowercase(),
        });
    (planted.collect(), reported.collect())
}

impl Planted {
    fn matches(&self, reported: &Reported, rules: &RepositoryRules) -> bool {
        self.file.same_place(&reported.file)
            && line_matches(rules, self.line, reported.line)
            && self.type_matches(reported)
    }

    /// A type that is not given sets no condition.
    fn type_matches(&self, reported: &Reported) -> bool {
        self.kind.is_empty() || reported.kind.is_empty() || self.kind == reported.kind
    }

    /// The conditions of a match that fail: none exactly when it is one.
    fn differences(&self, reported: &Reported, rules: &RepositoryRules) -> Vec<Difference> {
        let mut differences = Vec::new();
        differences.extend(path_difference(&self.file, &reported.file));
        differences.extend(line_difference(rules, self.line, reported.line));
        if !self.type_matches(reported) {
            differences.push(Difference::Type {
                labelled: self.kind.clone(),
                reported: reported.kind.clone(),
            });
        }
        differences
    }
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
