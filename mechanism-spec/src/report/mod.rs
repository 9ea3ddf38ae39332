//! An agent's report: hostile bytes in, a typed value or the name of the failure out (`mechanism.md §4`, item 3).

mod audit;
mod behavioural;
mod decode;
mod line;
mod parse;
mod reader;
mod types;

pub use line::{Line, cwe_number, line_number};
pub use parse::{Rejected, parse, parse_audit, parse_explained, parse_findings};
pub use types::{
    CapabilityManifest, Finding, RepoReport, Report, Secret, SupplyChainIssue, Vulnerability,
};

use crate::track::TrackKind;

/// The JSON Schema (Draft 2020-12) of a kind of track: the authority on the fields of a report, part of the spec id.
#[must_use]
pub const fn schema(kind: TrackKind) -> &'static str {
    match kind {
        TrackKind::Behavioural => include_str!("../../schema/report-behavioural.json"),
        TrackKind::Audit => include_str!("../../schema/report-repositories.json"),
    }
}
