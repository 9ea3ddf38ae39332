//! The twin that keeps everything in memory: for tests, and for offline scoring that leaves nothing behind.

use crate::api::{ExportReport, PruneReport, RoundLedger};
use crate::catalog::{Catalog, RoundSummary};
use crate::error::{LedgerError, Result};
use crate::export;
use crate::key::RoundKey;
use crate::record::Record;
use mechanism::ids::Hash32;
use mechanism::weights::Units;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Read};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug, Default)]
struct Kept {
    commits: Vec<Vec<Record>>,
    blobs: BTreeMap<Hash32, Vec<u8>>,
    catalog: Catalog,
}

/// A ledger that is gone with the process.
#[derive(Debug, Clone, Default)]
pub struct MemLedger(Arc<Mutex<Kept>>);

impl MemLedger {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RoundLedger for MemLedger {
    fn commit(&self, records: Vec<Record>) -> Result<u64> {
        let mut kept = self.kept();
        kept.catalog.check(&records)?;
        let seq = kept.commits.len() as u64 + 1;
        kept.catalog.apply(seq, &records);
        kept.commits.push(records);
        Ok(seq)
    }

    fn records(&self, key: &RoundKey) -> Result<Vec<Record>> {
        let kept = self.kept();
        let all = kept.commits.iter().flatten();
        Ok(all
            .filter(|record| record.key() == Some(key))
            .cloned()
            .collect())
    }

    fn walk(&self, visit: &mut dyn FnMut(u64, Vec<Record>) -> Result<()>) -> Result<()> {
        let commits = self.kept().commits.clone();
        (1..)
            .zip(commits)
            .try_for_each(|(seq, records)| visit(seq, records))
    }

    fn rounds(&self) -> Vec<RoundSummary> {
        self.kept().catalog.summaries()
    }

    fn state(&self) -> Option<(u64, Units)> {
        self.kept().catalog.state.clone()
    }

    fn put_blob(&self, bytes: &[u8]) -> Result<Hash32> {
        let hash = Hash32::from(blake3::hash(bytes));
        self.kept().blobs.insert(hash, bytes.to_vec());
        Ok(hash)
    }

    fn get_blob(&self, hash: &Hash32) -> Result<Vec<u8>> {
        let found = self.kept().blobs.get(hash).cloned();
        found.ok_or_else(|| LedgerError::BlobMissing {
            path: PathBuf::from(hash.to_hex()),
        })
    }

    fn prune(&self, keep: usize) -> Result<PruneReport> {
        let mut kept = self.kept();
        let stay = kept.catalog.newest(keep);
        let gone = kept
            .catalog
            .summaries()
            .into_iter()
            .map(|summary| summary.key);
        let dropped = gone.filter(|key| !stay.contains(key)).collect();
        let last_state = kept.catalog.state.as_ref().map(|(round, _)| *round);
        let mut commits = std::mem::take(&mut kept.commits);
        for records in &mut commits {
            records.retain(|record| stays(record, &stay, last_state));
        }
        commits.retain(|records| !records.is_empty());
        let named: BTreeSet<Hash32> = commits
            .iter()
            .flatten()
            .flat_map(Record::named_hashes)
            .collect();
        let before = kept.blobs.len();
        kept.blobs.retain(|hash, _| named.contains(hash));
        kept.catalog = Catalog::default();
        for (seq, records) in (1..).zip(&commits) {
            kept.catalog.apply(seq, records);
        }
        kept.commits = commits;
        Ok(PruneReport {
            dropped,
            kept: stay.len(),
            blobs: before - kept.blobs.len(),
        })
    }

    fn import(&self, input: &mut dyn Read) -> Result<ExportReport> {
        export::read(self, input, &mut Cursor::new(Vec::new()))
    }
}

/// Whether a record survives a prune to the rounds in `stay`.
pub(crate) fn stays(record: &Record, stay: &BTreeSet<RoundKey>, last_state: Option<u64>) -> bool {
    match record {
        Record::State { round, .. } => Some(*round) == last_state,
        other => other.key().is_some_and(|key| stay.contains(key)),
    }
}
