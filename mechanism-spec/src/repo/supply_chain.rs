//! When a reported supply-chain issue is a planted one (SPEC.md S-11, `mechanism.md §7`).

use crate::explain::{Difference, Explanation, Lists};
use crate::label::Label;
use crate::matching::{Pair, pair_up};
use crate::report::{RepoReport, SupplyChainIssue};
use crate::scored::ScoredFinding;
use crate::spec::RepositoryRules;

/// Types and names compare after ASCII lower-casing on both sides; a planted issue without a name takes any.
pub(super) fn pairs(rules: &RepositoryRules, label: &Label, report: &RepoReport) -> Vec<Pair> {
    let (planted, reported) = keys(rules, label, report);
    pair_up(&planted, &reported, matches)
}

pub(super) fn explain(rules: &RepositoryRules, label: &Label, report: &RepoReport) -> Explanation {
    let (planted, reported) = keys(rules, label, report);
    let lists = Lists {
        labelled: &planted,
        reported: &reported,
        reported_count: report.supply_chain.len(),
        pairs: &pair_up(&planted, &reported, matches),
    };
    lists.explain(differences)
}

fn keys(
    rules: &RepositoryRules,
    label: &Label,
    report: &RepoReport,
) -> (Vec<SupplyChainIssue>, Vec<SupplyChainIssue>) {
    let planted = label
        .supply_chain
        .iter()
        .map(|x| lower_case(&x.kind, &x.name));
    let reported = report.supply_chain.iter().take(rules.list_cap);
    (
        planted.collect(),
        reported.map(|f| lower_case(&f.kind, &f.name)).collect(),
    )
}

fn matches(planted: &SupplyChainIssue, reported: &SupplyChainIssue) -> bool {
    planted.kind == reported.kind && name_matches(planted, reported)
}

fn name_matches(planted: &SupplyChainIssue, reported: &SupplyChainIssue) -> bool {
    planted.name.is_empty() || planted.name == reported.name
}

/// The conditions of a match that fail: none exactly when it is one.
fn differences(planted: &SupplyChainIssue, reported: &SupplyChainIssue) -> Vec<Difference> {
    let mut differences = Vec::new();
    if planted.kind != reported.kind {
        differences.push(Difference::Type {
            labelled: planted.kind.clone(),
            reported: reported.kind.clone(),
        });
    }
    if !name_matches(planted, reported) {
        differences.push(Difference::Name {
            labelled: planted.name.clone(),
            reported: reported.name.clone(),
        });
    }
    differences
}

pub(super) fn scored(report: &SupplyChainIssue) -> ScoredFinding {
    let SupplyChainIssue { kind, name } = lower_case(&report.kind, &report.name);
    ScoredFinding {
        class: kind,
        location: name,
        lines: None,
    }
}

fn lower_case(kind: &str, name: &str) -> SupplyChainIssue {
    SupplyChainIssue {
        kind: kind.to_ascii_lowercase(),
        name: name.to_ascii_lowercase(),
    }
}
