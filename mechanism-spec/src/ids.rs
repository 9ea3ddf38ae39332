//! Identifiers: 32-byte hashes, pins, hotkeys, task references.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// 32 raw bytes: a BLAKE3 hash, a seed, a secret commitment. Text form: 64 lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hash32(pub [u8; 32]);

impl Hash32 {
    /// The raw bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// 64 lower-case hex digits.
    #[must_use]
    pub fn to_hex(self) -> String {
        hex::encode(self.0)
    }

    /// The first eight hex digits, for logs and tables.
    #[must_use]
    pub fn fmt_short(self) -> String {
        hex::encode(&self.0[..4])
    }
}

impl From<blake3::Hash> for Hash32 {
    fn from(hash: blake3::Hash) -> Self {
        Hash32(*hash.as_bytes())
    }
}

impl fmt::Display for Hash32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_hex())
    }
}

impl fmt::Debug for Hash32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hash32({})", self.to_hex())
    }
}

/// The text is not an identifier of the expected form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// Not 64 hex digits.
    #[error("'{0}' is not 64 hex digits")]
    NotHex32(String),
    /// Not `blake3:<64 hex>` or `sha256:<64 hex>`.
    #[error("'{0}' is not a pin; a pin is blake3:<64 hex digits> (or sha256:<64 hex digits>)")]
    NotPin(String),
}

impl FromStr for Hash32 {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut bytes = [0u8; 32];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| IdError::NotHex32(text.to_owned()))?;
        Ok(Hash32(bytes))
    }
}

impl Serialize for Hash32 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_hex())
    }
}

impl<'de> Deserialize<'de> for Hash32 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The hash pin of an agent, as text: `blake3:<hex>` (or `sha256:<hex>` where a registry gives one).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Pin(String);

impl Pin {
    /// The BLAKE3 pin of these bytes.
    #[must_use]
    pub fn blake3_of(bytes: &[u8]) -> Self {
        Pin(format!("blake3:{}", blake3::hash(bytes).to_hex()))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// `blake3:` and the first eight hex digits, for tables.
    #[must_use]
    pub fn fmt_short(&self) -> String {
        self.0
            .chars()
            .take(self.0.find(':').map_or(8, |at| at + 9))
            .collect()
    }
}

impl FromStr for Pin {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text
            .strip_prefix("blake3:")
            .or_else(|| text.strip_prefix("sha256:"));
        match digits {
            Some(d)
                if d.len() == 64
                    && d.bytes()
                        .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)) =>
            {
                Ok(Pin(text.to_owned()))
            }
            _ => Err(IdError::NotPin(text.to_owned())),
        }
    }
}

impl AsRef<str> for Pin {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Pin {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// SS58 text of the key that identifies a miner or validator. The mechanism compares it as text; the chain checks it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Hotkey(String);

impl Hotkey {
    /// Wraps the text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Hotkey(text.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Hotkey {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Hotkey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// `<track>/<task>` as it stands in the corpus manifest.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TaskRef(String);

impl TaskRef {
    /// Wraps the text as it stands.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        TaskRef(text.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for TaskRef {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TaskRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
