//! The ledger as the node sees it, whatever keeps the bytes.

use crate::catalog::RoundSummary;
use crate::error::{LedgerError, Result};
use crate::export;
use crate::key::RoundKey;
use crate::record::{BlobRef, Record};
use mechanism::ids::Hash32;
use mechanism::weights::Units;
use round::ports::Store;
use round::record::Entry;
use std::io::{Read, Write};

/// The durable memory of a validator. [`crate::Ledger`] keeps it on disk, [`crate::MemLedger`] in memory; both pass one
/// suite of tests.
///
/// Contract: a commit is atomic and, when it returns, durable. Commits are numbered from 1 without gaps; pruning numbers
/// anew. What was committed is returned as it was committed or not at all.
pub trait RoundLedger: Clone {
    /// Makes the records durable together, in this order, and returns the commit's number. The first entry of a round is
    /// its opening, and it is opened once; smoothing states come in ascending order of rounds, one for each.
    ///
    /// # Errors
    /// [`LedgerError`]; nothing of the commit counts then.
    fn commit(&self, records: Vec<Record>) -> Result<u64>;

    /// The round's records in order, reports put back in; empty for an unknown round.
    ///
    /// # Errors
    /// [`LedgerError`] when bytes are damaged or missing.
    fn records(&self, key: &RoundKey) -> Result<Vec<Record>>;

    /// Shows every commit in order, reports put back in.
    ///
    /// # Errors
    /// [`LedgerError`] when bytes are damaged or missing, or the visitor's.
    fn walk(&self, visit: &mut dyn FnMut(u64, Vec<Record>) -> Result<()>) -> Result<()>;

    /// The rounds in the order in which they were opened.
    fn rounds(&self) -> Vec<RoundSummary>;

    /// The smoothing state that was recorded last, and after which round.
    fn state(&self) -> Option<(u64, Units)>;

    /// Keeps bytes under their BLAKE3 hash. The next [`RoundLedger::compact`] or [`RoundLedger::prune`] drops them unless
    /// a kept round names the hash: by an attachment, a report, or the pin of a participant.
    ///
    /// # Errors
    /// [`LedgerError`] when they cannot be made durable.
    fn put_blob(&self, bytes: &[u8]) -> Result<Hash32>;

    /// The bytes under the hash, verified.
    ///
    /// # Errors
    /// [`LedgerError::BlobMissing`], or [`LedgerError::Damage`] when they are not what the hash says.
    fn get_blob(&self, hash: &Hash32) -> Result<Vec<u8>>;

    /// Drops all but the newest `keep` rounds, whole; open rounds always stay, and so does the last smoothing state.
    ///
    /// # Errors
    /// [`LedgerError`]; the ledger is then as it was.
    fn prune(&self, keep: usize) -> Result<PruneReport>;

    /// Rewrites without what nothing needs any more: superseded smoothing states and blobs that no round names.
    ///
    /// # Errors
    /// [`LedgerError`]; the ledger is then as it was.
    fn compact(&self) -> Result<PruneReport> {
        self.prune(usize::MAX)
    }

    /// Makes entries of one round durable together.
    ///
    /// # Errors
    /// [`LedgerError`]; nothing of the batch counts then.
    fn append(&self, key: &RoundKey, entries: &[Entry]) -> Result<()> {
        if entries.is_empty() {
            return Ok(());
        }
        let record = |entry: &Entry| Record::Entry {
            key: key.clone(),
            entry: entry.clone(),
            report: None,
        };
        self.commit(entries.iter().map(record).collect())
            .map(|_| ())
    }

    /// The round's entries in order; empty for an unknown round.
    ///
    /// # Errors
    /// As [`RoundLedger::records`].
    fn entries(&self, key: &RoundKey) -> Result<Vec<Entry>> {
        let entry = |record| match record {
            Record::Entry { entry, .. } => Some(entry),
            _ => None,
        };
        Ok(self.records(key)?.into_iter().filter_map(entry).collect())
    }

    /// The round's journal as the round's driver needs it.
    fn round(&self, key: RoundKey) -> RoundStore<Self> {
        RoundStore {
            ledger: self.clone(),
            key,
        }
    }

    /// Keeps bytes with a round, under a name that need not be unique.
    ///
    /// # Errors
    /// [`LedgerError::NotOpened`], or what keeps them from being durable.
    fn attach(&self, key: &RoundKey, name: &str, bytes: &[u8]) -> Result<Hash32> {
        let hash = self.put_blob(bytes)?;
        let blob = BlobRef {
            hash,
            size: bytes.len() as u64,
        };
        let (key, name) = (key.clone(), name.to_owned());
        self.commit(vec![Record::Attachment { key, name, blob }])?;
        Ok(hash)
    }

    /// Names and blobs that were attached to the round, in order.
    ///
    /// # Errors
    /// As [`RoundLedger::records`].
    fn attachments(&self, key: &RoundKey) -> Result<Vec<(String, BlobRef)>> {
        let attachment = |record| match record {
            Record::Attachment { name, blob, .. } => Some((name, blob)),
            _ => None,
        };
        Ok(self
            .records(key)?
            .into_iter()
            .filter_map(attachment)
            .collect())
    }

    /// Records the smoothing state after a round, once. The same state again is fine, so that a resumed round may say it.
    ///
    /// # Errors
    /// [`LedgerError::StateTaken`] and [`LedgerError::StateOrder`]; what keeps it from being durable.
    fn set_state(&self, round: u64, units: &Units) -> Result<()> {
        if self
            .state()
            .is_some_and(|(last, known)| last == round && known == *units)
        {
            return Ok(());
        }
        let units = units.clone();
        self.commit(vec![Record::State { round, units }])
            .map(|_| ())
    }

    /// Writes everything as zstd-compressed JSON lines that end with a digest of the whole.
    ///
    /// # Errors
    /// [`LedgerError`] when bytes are damaged or the writer fails.
    fn export(&self, out: &mut dyn Write) -> Result<ExportReport> {
        export::write(self, out)
    }

    /// Takes an export in, after its digest was verified. Rounds that are there already, whole or in part, are completed;
    /// so an import that was interrupted is simply run again.
    ///
    /// # Errors
    /// [`LedgerError::Export`] before anything is changed; [`LedgerError::Conflict`] likewise.
    fn import(&self, input: &mut dyn Read) -> Result<ExportReport>;
}

/// What a prune or compaction did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PruneReport {
    /// Rounds that were dropped, oldest first.
    pub dropped: Vec<RoundKey>,
    /// Rounds that are left.
    pub kept: usize,
    /// Blobs that were dropped.
    pub blobs: usize,
}

/// What an export or import carried.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExportReport {
    /// Records in the export.
    pub records: u64,
    /// Attached blobs in the export.
    pub blobs: u64,
    /// Records that the import added.
    pub added: u64,
}

/// One round's journal.
#[derive(Debug, Clone)]
pub struct RoundStore<L> {
    ledger: L,
    key: RoundKey,
}

impl<L: RoundLedger> RoundStore<L> {
    /// The round's key.
    pub fn key(&self) -> &RoundKey {
        &self.key
    }
}

impl<L: RoundLedger> Store for RoundStore<L> {
    fn append(&mut self, entries: &[Entry]) -> std::result::Result<(), String> {
        let kept = self.ledger.append(&self.key, entries);
        kept.map_err(|error: LedgerError| error.to_string())
    }
}
