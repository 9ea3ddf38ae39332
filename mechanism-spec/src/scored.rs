//! A finding in the normal form in which it was scored: what the round digest and the run record hold (`mechanism.md §4`).

use crate::report::Line;
use serde::{Deserialize, Serialize};

/// One reported finding that took part in scoring, in its normal form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ScoredFinding {
    /// The category words that count, joined by spaces (behavioural); the CWE number, empty without one (vulnerabilities); the type
    /// (supply chain, secrets).
    pub class: String,
    /// The normalised path; the dependency's name for supply chain; empty when there is none or it climbs out of the artifact.
    pub location: String,
    /// First and last line, 1-based, equal for a single line; `None` without a line.
    pub lines: Option<(i64, i64)>,
}

/// First and last line of a reported place.
#[must_use]
pub const fn line_span(line: Line) -> Option<(i64, i64)> {
    match line {
        Line::None => None,
        Line::At(at) => Some((at, at)),
        Line::Range(first, last) => Some((first, last)),
    }
}
