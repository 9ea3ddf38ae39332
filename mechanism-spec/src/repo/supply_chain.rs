//! When a reported supply-chain issue is a planted one (SPEC.md S-11, `mechanism.md §7`).

use crate::label::Label;
use crate::matching::{Pair, pair_up};
use crate::report::{RepoReport, SupplyChainIssue};
use crate::scored::ScoredFinding;
use crate::spec::RepositoryRules;

/// Types and names compare after ASCII lower-casing on both sides; a planted issue without a name takes any.
pub(super) fn pairs(rules: &RepositoryRules, label: &Label, report: &RepoReport) -> Vec<Pair> {
    let planted: Vec<SupplyChainIssue> = label
        .supply_chain
        .iter()
        .map(|x| lower_case(&x.kind, &x.name))
        .collect();
    let reported: Vec<SupplyChainIssue> = report
        .supply_chain
        .iter()
        .take(rules.list_cap)
        .map(|f| lower_case(&f.kind, &f.name))
        .collect();
    pair_up(&planted, &reported, |x, f| {
        x.kind == f.kind && (x.name.is_empty() || x.name == f.name)
    })
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
