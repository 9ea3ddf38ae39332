//! What the journal holds: entries of rounds, and what the ledger itself remembers.

use crate::error::{LedgerError, Result};
use crate::key::RoundKey;
use mechanism::ids::Hash32;
use mechanism::weights::Units;
use round::record::{Entry, RunRecord};
use serde::{Deserialize, Serialize};

/// Report texts above this many bytes are kept as blobs.
pub const INLINE_REPORT: usize = 4096;

/// A blob that a record names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlobRef {
    /// BLAKE3 of the bytes.
    pub hash: Hash32,
    /// Their number.
    pub size: u64,
}

/// One record of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Record {
    /// A durable step of a round.
    Entry {
        /// The round.
        key: RoundKey,
        /// The step.
        entry: Entry,
        /// Where the report of a run is, when it was too long to stand in the record.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        report: Option<BlobRef>,
    },
    /// Bytes that belong to a round: an agent, an artifact, a log.
    Attachment {
        /// The round.
        key: RoundKey,
        /// What they are, for people and programs.
        name: String,
        /// The bytes.
        blob: BlobRef,
    },
    /// The smoothing state after a round (`mechanism.md §6`).
    State {
        /// The round id.
        round: u64,
        /// Units by hotkey.
        units: Units,
    },
}

impl Record {
    /// The round that the record belongs to.
    #[must_use]
    pub fn key(&self) -> Option<&RoundKey> {
        match self {
            Record::Entry { key, .. } | Record::Attachment { key, .. } => Some(key),
            Record::State { .. } => None,
        }
    }

    /// The run in it.
    #[must_use]
    pub(crate) fn run(&self) -> Option<&RunRecord> {
        match self {
            Record::Entry {
                entry: Entry::Run(run),
                ..
            } => Some(run),
            _ => None,
        }
    }

    /// The blobs without which the record is not whole.
    pub(crate) fn needed_blob(&self) -> Option<&BlobRef> {
        match self {
            Record::Entry { report, .. } => report.as_ref(),
            Record::Attachment { blob, .. } => Some(blob),
            Record::State { .. } => None,
        }
    }

    /// Every hash under which the record's round may keep bytes: the needed blob, and the pins of an opening, since an
    /// agent's pin is the BLAKE3 of its bytes.
    pub(crate) fn named_hashes(&self) -> Vec<Hash32> {
        let mut hashes: Vec<Hash32> = self
            .needed_blob()
            .map(|blob| blob.hash)
            .into_iter()
            .collect();
        if let Record::Entry {
            entry: Entry::Opened { opening, .. },
            ..
        } = self
        {
            let pins = opening
                .participants
                .values()
                .flatten()
                .map(|p| p.pin.as_str());
            let hash = |pin: &str| pin.strip_prefix("blake3:")?.parse::<Hash32>().ok();
            hashes.extend(pins.filter_map(hash));
        }
        hashes
    }

    /// Takes a long report out of a run and hands it to `put`.
    pub(crate) fn split(self, put: &mut dyn FnMut(&[u8]) -> Result<Hash32>) -> Result<Self> {
        match self {
            Record::Entry {
                key,
                entry: Entry::Run(mut run),
                report: None,
            } => {
                let long = run.report.take_if(|text| text.len() > INLINE_REPORT);
                let report = match long {
                    Some(text) => Some(BlobRef {
                        hash: put(text.as_bytes())?,
                        size: text.len() as u64,
                    }),
                    None => None,
                };
                let entry = Entry::Run(run);
                Ok(Record::Entry { key, entry, report })
            }
            other => Ok(other),
        }
    }

    /// Puts a report that was taken out back into its run.
    pub(crate) fn join(self, get: &mut dyn FnMut(&Hash32) -> Result<Vec<u8>>) -> Result<Self> {
        match self {
            Record::Entry {
                key,
                entry: Entry::Run(mut run),
                report: Some(blob),
            } => {
                let text = String::from_utf8(get(&blob.hash)?)
                    .map_err(|_| LedgerError::Json(format!("blob {} is not text", blob.hash)))?;
                run.report = Some(text);
                Ok(Record::Entry {
                    key,
                    entry: Entry::Run(run),
                    report: None,
                })
            }
            other => Ok(other),
        }
    }
}

/// A commit's records as the journal's payload.
pub(crate) fn encode(records: &[Record]) -> Result<Vec<u8>> {
    serde_json::to_vec(records).map_err(LedgerError::json)
}

/// The records of a payload.
pub(crate) fn decode(payload: &[u8]) -> Result<Vec<Record>> {
    serde_json::from_slice(payload).map_err(LedgerError::json)
}
