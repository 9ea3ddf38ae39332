//! The name under which a round is kept.

use crate::error::LedgerError;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::str::FromStr;

/// Longest key in bytes.
const LONGEST: usize = 96;

/// Names one round in a ledger: 1 to 96 of `a-z`, `0-9`, `.`, `_`, `:`, `-`. Never a path. A round id alone would not do,
/// since one host may judge several subnets and practice rounds.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct RoundKey(String);

impl RoundKey {
    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for RoundKey {
    type Err = LedgerError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fits = |b: u8| {
            b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'_' | b':' | b'-')
        };
        if (1..=LONGEST).contains(&text.len()) && text.bytes().all(fits) {
            Ok(RoundKey(text.to_owned()))
        } else {
            let shown = text.chars().take(LONGEST).collect::<String>();
            Err(LedgerError::Key(shown.escape_default().to_string()))
        }
    }
}

impl fmt::Display for RoundKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl<'de> Deserialize<'de> for RoundKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_plain_text_and_never_a_path() {
        for good in ["1", "net7:round-12", "practice.2026_11"] {
            assert_eq!(good.parse::<RoundKey>().unwrap().as_str(), good);
        }
        let long = "k".repeat(97);
        for bad in ["", "A", "a/b", "a b", "a\0", long.as_str()] {
            assert!(bad.parse::<RoundKey>().is_err(), "{bad:?}");
        }
    }
}
