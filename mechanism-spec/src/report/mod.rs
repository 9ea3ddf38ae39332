//! An agent's report: hostile bytes in, a typed value or the name of the failure out (`mechanism.md §4`, item 3).

mod line;
mod types;

pub use line::{LONGEST_RANGE, Line, cwe_number};
pub use types::{
    CapabilityManifest, Finding, RepoReport, Report, Secret, SupplyChainIssue, Vulnerability,
};
