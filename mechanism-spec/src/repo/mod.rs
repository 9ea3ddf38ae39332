//! The score of one repository task from one report (SPEC.md S-9 to S-12, `mechanism.md §7`).

mod secret;
mod supply_chain;
mod vulnerability;

use crate::count::{CountTooLarge, check_count};
use crate::explain::{Difference, Explanation};
use crate::fbeta::f_beta;
use crate::label::Label;
use crate::matching::Pair;
use crate::paths::{ArtifactFiles, Location};
use crate::rational::Rational;
use crate::report::RepoReport;
use crate::scored::{ScoredFinding, line_span};
use crate::spec::RepositoryRules;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The kinds of planted findings, in the order in which they take the reports of dimensions that are not averaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Dimension {
    /// Weaknesses in the source.
    Vulnerabilities,
    /// Issues of dependencies.
    SupplyChain,
    /// Secrets in the source.
    Secrets,
}

impl Dimension {
    /// Every dimension, in the pinned order.
    pub const ALL: [Dimension; 3] = [
        Dimension::Vulnerabilities,
        Dimension::SupplyChain,
        Dimension::Secrets,
    ];

    /// The name as it stands in labels and reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Dimension::Vulnerabilities => "vulnerabilities",
            Dimension::SupplyChain => "supply_chain",
            Dimension::Secrets => "secrets",
        }
    }

    fn part(self, rules: &RepositoryRules) -> &Rational {
        match self {
            Dimension::Vulnerabilities => &rules.vulnerabilities_part,
            Dimension::SupplyChain => &rules.supply_chain_part,
            Dimension::Secrets => &rules.secrets_part,
        }
    }
}

/// F2 of one averaged dimension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DimensionScore {
    /// Size of the maximum matching.
    pub matched: usize,
    /// Planted findings.
    pub planted: usize,
    /// Reported findings that count here: its own, and for the first averaged dimension those of the dimensions that are not averaged.
    pub reported: usize,
    /// F2 of the three counts, exactly.
    pub score: Rational,
    /// One maximum matching.
    pub pairs: Vec<Pair>,
}

/// The score of one report on one task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskScore {
    /// The score, exactly, 0 to 1.
    pub score: Rational,
    /// Whether nothing is planted, so that the clean rule applied.
    pub clean: bool,
    /// Reported findings of all dimensions.
    pub reported: usize,
    /// The averaged dimensions; none on a clean task.
    pub dims: BTreeMap<Dimension, DimensionScore>,
}

/// Scores one report on one task.
///
/// # Errors
/// [`CountTooLarge`] when a list is not shorter than 2^30.
pub fn score_task(
    rules: &RepositoryRules,
    label: &Label,
    files: &ArtifactFiles,
    report: &RepoReport,
) -> Result<TaskScore, CountTooLarge> {
    let reported = report.reported();
    if label.planted() == 0 {
        return Ok(TaskScore {
            score: clean_score(rules, reported)?,
            clean: true,
            reported,
            dims: BTreeMap::new(),
        });
    }
    let averaged: Vec<Dimension> = Dimension::ALL
        .into_iter()
        .filter(|dimension| planted_count(label, *dimension) > 0)
        .collect();
    let own: usize = averaged.iter().map(|d| reported_count(report, *d)).sum();
    let mut foreign = reported - own;
    let mut dims = BTreeMap::new();
    for dimension in averaged {
        // Only the first averaged dimension carries the reports of the others.
        let counted = reported_count(report, dimension) + std::mem::take(&mut foreign);
        let pairs = match dimension {
            Dimension::Vulnerabilities => vulnerability::pairs(rules, label, files, report),
            Dimension::SupplyChain => supply_chain::pairs(rules, label, report),
            Dimension::Secrets => secret::pairs(rules, label, files, report),
        };
        let planted = planted_count(label, dimension);
        let score = DimensionScore {
            matched: pairs.len(),
            planted,
            reported: counted,
            score: f_beta(rules.beta_squared, pairs.len(), planted, counted)?,
            pairs,
        };
        dims.insert(dimension, score);
    }
    Ok(TaskScore {
        score: weighted_mean(rules, &dims),
        clean: false,
        reported,
        dims,
    })
}

/// Why each planted finding of a report was matched or missed, by dimension; dimensions with neither planted nor reported findings are
/// left out.
#[must_use]
pub fn explain(
    rules: &RepositoryRules,
    label: &Label,
    files: &ArtifactFiles,
    report: &RepoReport,
) -> BTreeMap<Dimension, Explanation> {
    Dimension::ALL
        .into_iter()
        .filter(|d| planted_count(label, *d) + reported_count(report, *d) > 0)
        .map(|dimension| {
            let explanation = match dimension {
                Dimension::Vulnerabilities => vulnerability::explain(rules, label, files, report),
                Dimension::SupplyChain => supply_chain::explain(rules, label, report),
                Dimension::Secrets => secret::explain(rules, label, files, report),
            };
            (dimension, explanation)
        })
        .collect()
}

/// The reported findings that can match, in the normal form that decides: vulnerabilities, then supply chain, then secrets.
#[must_use]
pub fn scored_findings(
    rules: &RepositoryRules,
    files: &ArtifactFiles,
    report: &RepoReport,
) -> Vec<ScoredFinding> {
    let cap = rules.list_cap;
    let vulnerabilities = report.vulnerabilities.iter().take(cap);
    let supply_chain = report.supply_chain.iter().take(cap);
    let secrets = report.secrets.iter().take(cap);
    vulnerabilities
        .map(|v| vulnerability::scored(files, v))
        .chain(supply_chain.map(supply_chain::scored))
        .chain(secrets.map(|s| secret::scored(files, s)))
        .collect()
}

/// `max(0, 1 − reported / clean_reports)`.
fn clean_score(rules: &RepositoryRules, reported: usize) -> Result<Rational, CountTooLarge> {
    let reported = u64::try_from(reported).unwrap_or(u64::MAX);
    let reported = check_count("reported findings", reported)?;
    let noise = Rational::new(reported.into(), rules.clean_reports.into());
    Ok(Rational::one().saturating_sub(&noise.unwrap_or_else(Rational::one)))
}

/// The mean of the averaged dimensions by their parts, renormalised.
fn weighted_mean(rules: &RepositoryRules, dims: &BTreeMap<Dimension, DimensionScore>) -> Rational {
    let mut sum = Rational::zero();
    let mut parts = Rational::zero();
    for (dimension, score) in dims {
        let part = dimension.part(rules);
        sum = &sum + &(part * &score.score);
        parts = &parts + part;
    }
    sum.checked_div(&parts).unwrap_or_else(Rational::zero)
}

fn planted_count(label: &Label, dimension: Dimension) -> usize {
    match dimension {
        Dimension::Vulnerabilities => label.vulnerabilities.len(),
        Dimension::SupplyChain => label.supply_chain.len(),
        Dimension::Secrets => label.secrets.len(),
    }
}

fn reported_count(report: &RepoReport, dimension: Dimension) -> usize {
    match dimension {
        Dimension::Vulnerabilities => report.vulnerabilities.len(),
        Dimension::SupplyChain => report.supply_chain.len(),
        Dimension::Secrets => report.secrets.len(),
    }
}

/// Whether a reported line satisfies a planted one: no condition without a planted line, else within the window (SPEC.md S-10).
fn line_matches(
    rules: &RepositoryRules,
    planted: Option<i64>,
    reported: crate::report::Line,
) -> bool {
    planted.is_none_or(|line| {
        reported
            .distance(line)
            .is_some_and(|distance| distance <= rules.line_window)
    })
}

/// The failing line condition of a pair, if it fails.
fn line_difference(
    rules: &RepositoryRules,
    planted: Option<i64>,
    reported: crate::report::Line,
) -> Option<Difference> {
    let labelled = planted.filter(|_| !line_matches(rules, planted, reported))?;
    Some(Difference::Line {
        labelled,
        reported: line_span(reported),
        away: reported.distance(labelled),
        window: rules.line_window,
    })
}

/// The failing path condition of a pair, if it fails.
fn path_difference(planted: &Location, reported: &Location) -> Option<Difference> {
    (!planted.same_place(reported)).then(|| Difference::Path {
        labelled: planted.path().unwrap_or_default().to_owned(),
        reported: reported.path().unwrap_or_default().to_owned(),
    })
}

#[cfg(test)]
mod explain_tests;
