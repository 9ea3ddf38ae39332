//! The four tracks (SPEC.md, tracks and budgets; `mechanism.md §1`).

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// What an agent is asked to judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Track {
    /// Skill folders of AI agents.
    Skills,
    /// Model-Context-Protocol servers.
    McpServers,
    /// Packages of a language registry.
    Packages,
    /// Source repositories, audited against planted findings.
    Repositories,
}

/// How a track is scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrackKind {
    /// A verdict per artifact, clamped MCC, probe required.
    Behavioural,
    /// Findings against planted ones, F2, no probe.
    Audit,
}

impl Track {
    /// Every track, in the pinned order.
    pub const ALL: [Track; 4] = [
        Track::Skills,
        Track::McpServers,
        Track::Packages,
        Track::Repositories,
    ];

    /// The track's name as it stands in files, hashes and reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Track::Skills => "skills",
            Track::McpServers => "mcp_servers",
            Track::Packages => "packages",
            Track::Repositories => "repositories",
        }
    }

    /// Behavioural or audit.
    #[must_use]
    pub const fn kind(self) -> TrackKind {
        match self {
            Track::Repositories => TrackKind::Audit,
            _ => TrackKind::Behavioural,
        }
    }

    /// Whether runs of this track must write the probe (`mechanism.md §3`).
    #[must_use]
    pub const fn is_behavioural(self) -> bool {
        matches!(self.kind(), TrackKind::Behavioural)
    }
}

impl fmt::Display for Track {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The text is none of the four track names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown track '{0}'; the tracks are skills, mcp_servers, packages, repositories")]
pub struct UnknownTrack(pub String);

impl FromStr for Track {
    type Err = UnknownTrack;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Track::ALL
            .into_iter()
            .find(|track| track.as_str() == text)
            .ok_or_else(|| UnknownTrack(text.to_owned()))
    }
}
