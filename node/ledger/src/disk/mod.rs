//! The ledger on disk.

mod follow;
mod open;
mod repair;
mod rewrite;
mod verify;

pub use open::{IndexState, OpenReport};
pub use repair::RepairReport;
pub use verify::{Sizes, VerifyReport};

use crate::api::{ExportReport, PruneReport, RoundLedger};
use crate::blobs::Blobs;
use crate::catalog::{Catalog, RoundSummary};
use crate::error::{LedgerError, Result, io};
use crate::export;
use crate::index::{Index, IndexFault, rows_of};
use crate::journal::scan::scan;
use crate::journal::writer::Journal;
use crate::journal::{Position, Seen, segment_path};
use crate::key::RoundKey;
use crate::lock::Lock;
use crate::marks::Acknowledged;
use crate::record::{self, Record};
use mechanism::ids::Hash32;
use mechanism::weights::Units;
use round::plan::RunId;
use round::record::{Entry, RunRecord};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// How a ledger is kept.
#[derive(Debug, Clone)]
pub struct Options {
    /// A segment is sealed before it grows above this many bytes; one commit may be larger.
    pub segment_bytes: u64,
    /// Memory for the index's cache, bytes.
    pub index_cache_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            segment_bytes: 16 << 20,
            index_cache_bytes: 16 << 20,
        }
    }
}

/// The durable truth of a validator: a journal, an index to it, and blobs. Clones share it; the last one to go flushes the
/// index and lets the lock go.
#[derive(Debug, Clone)]
pub struct Ledger(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    dir: PathBuf,
    options: Options,
    blobs: Blobs,
    core: Mutex<Core>,
    /// Held shared while a generation is read without the core, and alone while it is replaced.
    turn: RwLock<()>,
    #[expect(dead_code, reason = "held, not read; dropped after everything above")]
    lock: Lock,
}

/// What changes with a commit; whoever holds it is the only writer.
#[derive(Debug)]
struct Core {
    journal: Journal,
    acknowledged: Acknowledged,
    catalog: Catalog,
    /// The index, or why there is none until the next opening.
    index: std::result::Result<Index, IndexFault>,
}

impl Core {
    /// Goes on without the index when it failed: the journal has everything.
    fn index_did(&mut self, outcome: std::result::Result<(), IndexFault>) {
        if let Err(fault) = outcome {
            self.index = Err(fault);
        }
    }

    fn flush_index(&mut self) {
        let outcome = self.index.as_ref().map_or(Ok(()), Index::flush);
        self.index_did(outcome);
    }

    fn commit(&mut self, records: &[Record]) -> Result<u64> {
        let position = self.journal.append(&record::encode(records)?)?;
        let mark = self.journal.mark();
        if let Err(error) = self.acknowledged.write(&mark) {
            self.journal.poison(&error);
            return Err(error);
        }
        let touched = self.catalog.apply(mark.seq, records);
        let rows = rows_of(mark.seq, position, records, &touched, &self.catalog);
        let outcome = match &mut self.index {
            Ok(index) => rows.and_then(|rows| index.write(rows, &mark)),
            Err(_) => Ok(()),
        };
        self.index_did(outcome);
        if records.iter().any(flushes) {
            self.flush_index();
        }
        Ok(mark.seq)
    }

    /// Raw records of the round by the index; `None` when the index cannot tell.
    fn by_index(&self, summary: &RoundSummary) -> Option<Vec<Record>> {
        let frames = self.index.as_ref().ok()?.frames(&summary.key).ok()?;
        if frames.len() as u64 != summary.commits {
            return None;
        }
        let mut found = Vec::new();
        for frame in frames {
            let payload = self.journal.read(&frame.position, frame.seq).ok()?;
            found.extend(record::decode(&payload).ok()?);
        }
        found.retain(|record| record.key() == Some(&summary.key));
        Some(found)
    }

    /// Shows every commit's raw records.
    fn scan(&self, visit: &mut dyn FnMut(u64, Position, Vec<Record>) -> Result<()>) -> Result<()> {
        let journal = &self.journal;
        scan(
            journal.folder(),
            journal.generation(),
            &[journal.mark()],
            &mut |seen| visit(seen.seq, seen.position, decode(journal.folder(), &seen)?),
        )
        .map(|_| ())
    }
}

/// The records of a frame; a frame whose digest holds but that cannot be read was written by something else.
fn decode(folder: &Path, seen: &Seen<'_>) -> Result<Vec<Record>> {
    record::decode(seen.payload).map_err(|error| {
        let file = segment_path(folder, seen.position.segment);
        LedgerError::damage(&file, seen.position.offset, error.to_string())
    })
}

/// Records after which the index is flushed: before a signature, and when a round is over.
fn flushes(record: &Record) -> bool {
    match record {
        Record::Entry { entry, .. } => {
            matches!(
                entry,
                Entry::Intent { .. } | Entry::Closed { .. } | Entry::Abstained { .. }
            )
        }
        Record::Attachment { .. } | Record::State { .. } => false,
    }
}

impl Ledger {
    fn core(&self) -> MutexGuard<'_, Core> {
        self.0.core.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The ledger's folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.0.dir
    }

    /// The record of one run; `None` when the round has none.
    ///
    /// # Errors
    /// [`LedgerError`] when bytes are damaged or missing.
    pub fn run(&self, key: &RoundKey, id: &RunId) -> Result<Option<RunRecord>> {
        let core = self.core();
        let place = core.index.as_ref().map(|index| index.run(key, id));
        let found = match place {
            Ok(Ok(None)) => return Ok(None),
            Ok(Ok(Some(at))) => core
                .journal
                .read(&at.position, at.seq)
                .ok()
                .and_then(|payload| {
                    let records = record::decode(&payload).ok()?;
                    records.into_iter().nth(usize::try_from(at.item).ok()?)
                }),
            Ok(Err(_)) | Err(_) => None,
        };
        drop(core);
        let is_it = |record: &Record| record.run().is_some_and(|run| run.id == *id);
        let found = match found.filter(|record| record.key() == Some(key) && is_it(record)) {
            Some(raw) => Some(self.join(raw)?),
            None => self.records(key)?.into_iter().rfind(is_it),
        };
        Ok(found.and_then(|record| record.run().cloned()))
    }

    /// Why the index is not used, where it is not; the next opening makes it again.
    #[must_use]
    pub fn index_fault(&self) -> Option<String> {
        self.core().index.as_ref().err().map(ToString::to_string)
    }

    /// Makes the index durable; without it the next opening reads more of the journal, nothing else.
    pub fn flush(&self) {
        self.core().flush_index();
    }

    fn join(&self, raw: Record) -> Result<Record> {
        raw.join(&mut |hash| self.0.blobs.get(hash))
    }
}

impl RoundLedger for Ledger {
    fn commit(&self, records: Vec<Record>) -> Result<u64> {
        // Blobs are written under the same lock, so that no prune takes them away before their record is there.
        let mut core = self.core();
        core.catalog.check(&records)?;
        let split = |record: Record| record.split(&mut |bytes| self.0.blobs.put(bytes));
        let records = records.into_iter().map(split).collect::<Result<Vec<_>>>()?;
        core.commit(&records)
    }

    fn records(&self, key: &RoundKey) -> Result<Vec<Record>> {
        let core = self.core();
        let Some(summary) = core.catalog.rounds.get(key) else {
            return Ok(Vec::new());
        };
        let raw = match core.by_index(summary) {
            Some(raw) => raw,
            None => {
                let mut raw = Vec::new();
                core.scan(&mut |_, _, records| {
                    raw.extend(
                        records
                            .into_iter()
                            .filter(|record| record.key() == Some(key)),
                    );
                    Ok(())
                })?;
                raw
            }
        };
        raw.into_iter().map(|record| self.join(record)).collect()
    }

    fn walk(&self, visit: &mut dyn FnMut(u64, Vec<Record>) -> Result<()>) -> Result<()> {
        let _turn = self.0.turn.read().unwrap_or_else(PoisonError::into_inner);
        let (folder, generation, mark) = {
            let core = self.core();
            (
                core.journal.folder().to_owned(),
                core.journal.generation(),
                core.journal.mark(),
            )
        };
        scan(&folder, generation, &[mark], &mut |seen| {
            if seen.seq > mark.seq {
                return Ok(());
            }
            let records = decode(&folder, &seen)?;
            let joined = records.into_iter().map(|record| self.join(record));
            visit(seen.seq, joined.collect::<Result<Vec<_>>>()?)
        })
        .map(|_| ())
    }

    fn rounds(&self) -> Vec<RoundSummary> {
        self.core().catalog.summaries()
    }

    fn state(&self) -> Option<(u64, Units)> {
        self.core().catalog.state.clone()
    }

    fn put_blob(&self, bytes: &[u8]) -> Result<Hash32> {
        let _core = self.core();
        self.0.blobs.put(bytes)
    }

    fn get_blob(&self, hash: &Hash32) -> Result<Vec<u8>> {
        self.0.blobs.get(hash)
    }

    fn prune(&self, keep: usize) -> Result<PruneReport> {
        let _turn = self.0.turn.write().unwrap_or_else(PoisonError::into_inner);
        rewrite::prune(&self.0, &mut self.core(), keep)
    }

    fn import(&self, input: &mut dyn Read) -> Result<ExportReport> {
        let path = self.0.dir.join("import.tmp");
        let mut spool = fs::OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(&path)
            .map_err(io("unpack the export", &path))?;
        fs::remove_file(&path).map_err(io("remove", &path))?;
        export::read(self, input, &mut spool)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let core = self.core.get_mut().unwrap_or_else(PoisonError::into_inner);
        core.flush_index();
        let _ = core.acknowledged.sync();
    }
}
