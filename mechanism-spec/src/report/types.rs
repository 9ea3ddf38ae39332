//! What a well-formed report says, decoded (`mechanism.md §4, §6, §7`).

use super::line::Line;
use crate::verdict::Verdict;
use std::collections::BTreeSet;

/// A report that passed every gate of `mechanism.md §4`, item 3.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The verdict; advisory on `repositories`.
    pub verdict: Verdict,
    /// `verdict.risk_score` when it is a number from 0 to 100; recorded, never scored.
    pub risk_score: Option<f64>,
    /// Whether the document began with a byte order mark (tolerated, recorded).
    pub bom: bool,
    /// Whether a carriage return directly before a line feed occurs outside of strings (tolerated, recorded).
    pub crlf: bool,
    /// Findings beside the verdict, in the order reported; always empty on `repositories`.
    pub findings: Vec<Finding>,
    /// The manifest of observed capabilities; empty on `repositories`.
    pub capabilities: CapabilityManifest,
    /// The audit; `None` on behavioural tracks.
    pub repo: Option<RepoReport>,
}

/// A finding beside a behavioural verdict (`mechanism.md §6`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Finding {
    /// Category as written.
    pub category: String,
    /// Title as written.
    pub title: String,
    /// The first non-empty of `file`, `path`, `location`, `evidence_ref`, as written.
    pub location: Option<String>,
    /// Where in the file; recorded, not a condition of a match.
    pub line: Line,
}

/// Canonical capability names of the action plane (`mechanism.md §11`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CapabilityManifest {
    /// Canonical names, aliases resolved.
    pub known: BTreeSet<&'static str>,
    /// How many entries named nothing of the vocabulary and were dropped.
    pub dropped: u64,
}

/// What an agent reports about a repository (`mechanism.md §7`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RepoReport {
    /// `evidence.audit.files_analysed`, at least 1.
    pub files_analysed: u64,
    /// Reported vulnerabilities, in order.
    pub vulnerabilities: Vec<Vulnerability>,
    /// Reported supply-chain issues, flattened from either shape.
    pub supply_chain: Vec<SupplyChainIssue>,
    /// Reported secrets, in order.
    pub secrets: Vec<Secret>,
}

impl RepoReport {
    /// How many findings of all dimensions were reported.
    #[must_use]
    pub fn reported(&self) -> usize {
        self.vulnerabilities.len() + self.supply_chain.len() + self.secrets.len()
    }
}

/// A reported vulnerability. Absent text is empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Vulnerability {
    /// Path as written.
    pub file: String,
    /// Where in the file.
    pub line: Line,
    /// Weakness number; `None` equals nothing.
    pub cwe: Option<u64>,
    /// Title as written.
    pub title: String,
    /// Description as written.
    pub description: String,
}

/// A reported supply-chain issue, both fields ASCII-lower-cased.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct SupplyChainIssue {
    /// Type: `typosquat`, `dependency_confusion`, `install_script`, `vulnerable_dependency` or the agent's own word.
    pub kind: String,
    /// Name of the dependency or package, may be empty.
    pub name: String,
}

/// A reported secret.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Secret {
    /// Path as written.
    pub file: String,
    /// Where in the file.
    pub line: Line,
    /// Type, ASCII-lower-cased; empty when not given.
    pub kind: String,
}
