//! The three verdict words and their order (`mechanism.md §5`).

use serde::{Deserialize, Serialize};
use std::fmt;

/// What an agent says about an artifact, ordered `ALLOW < WARN < BLOCK`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    /// The artifact is fine.
    Allow,
    /// The artifact is suspicious.
    Warn,
    /// The artifact is malicious.
    Block,
}

impl Verdict {
    /// The exact word of the wire format.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Verdict::Allow => "ALLOW",
            Verdict::Warn => "WARN",
            Verdict::Block => "BLOCK",
        }
    }

    /// Parses the exact word; anything else (case, spaces, invisible characters) is `None`.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "ALLOW" => Some(Verdict::Allow),
            "WARN" => Some(Verdict::Warn),
            "BLOCK" => Some(Verdict::Block),
            _ => None,
        }
    }

    /// Whether the verdict flags the artifact (`WARN` or `BLOCK`).
    #[must_use]
    pub const fn flags(self) -> bool {
        !matches!(self, Verdict::Allow)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
