//! Repair: what is whole of a damaged ledger becomes a new generation; the damaged files are kept aside.
//!
//! A round that may have lost a record is not continued: it ends abstained, since weights must never come from half a round.
//! Rounds that ended before the damage, or were opened after it, are untouched.

use super::open::{lock_path, stamp};
use super::{Ledger, Options};
use crate::blobs::Blobs;
use crate::catalog::{Catalog, Status};
use crate::durable;
use crate::error::{LedgerError, Result, io};
use crate::journal::salvage::{Find, salvage};
use crate::journal::writer::Journal;
use crate::key::RoundKey;
use crate::lock::Lock;
use crate::marks::{self, Acknowledged, Mark};
use crate::record::{self, Record};
use round::fault::AbstainReason;
use round::record::Entry;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What a repair found and did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RepairReport {
    /// One line per thing that was wrong; empty when nothing was, and then nothing was changed.
    pub problems: Vec<String>,
    /// Where the damaged files are now.
    pub kept_aside: Vec<PathBuf>,
    /// Commits that were saved.
    pub commits: u64,
    /// Records that were whole but belong to a round of which something before them is gone.
    pub left_out: u64,
    /// Rounds that lost something, and were ended as abstained.
    pub abstained: Vec<RoundKey>,
    /// Rounds of which nothing can be used.
    pub dropped: Vec<RoundKey>,
}

impl Ledger {
    /// Repairs a ledger that refuses to open. Nothing is deleted: damaged files move to `damaged/`.
    ///
    /// # Errors
    /// [`LedgerError::Locked`], or failures of the file system; damage is what this is for.
    pub fn repair(dir: &Path, options: &Options) -> Result<RepairReport> {
        if !dir.is_dir() {
            let cause = std::io::Error::from(std::io::ErrorKind::NotFound);
            return Err(io("repair the ledger in", dir)(cause));
        }
        let _lock = Lock::take(&lock_path(dir))?;
        let mut repair = Repair {
            dir,
            blobs: Blobs::at(dir.join("blobs")),
            report: RepairReport::default(),
            catalog: Catalog::default(),
            cut: BTreeSet::new(),
        };
        repair.mend_version()?;
        repair.mend_journal(options)?;
        repair.report.problems.dedup();
        Ok(repair.report)
    }
}

struct Repair<'a> {
    dir: &'a Path,
    blobs: Blobs,
    report: RepairReport,
    /// What was saved so far.
    catalog: Catalog,
    /// Rounds that lost something.
    cut: BTreeSet<RoundKey>,
}

impl Repair<'_> {
    fn problem(&mut self, error: &impl ToString) {
        self.report.problems.push(error.to_string());
    }

    /// Moves a file or folder to `damaged/`.
    fn put_aside(&mut self, path: &Path) -> Result<()> {
        if !path.exists() {
            return Ok(());
        }
        let place = self.dir.join("damaged");
        durable::make_dir(&place)?;
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        let free = (1..)
            .map(|n: u32| place.join(format!("{n}-{name}")))
            .find(|path| !path.exists());
        let aside = free.unwrap_or(place);
        fs::rename(path, &aside).map_err(io("put aside", path))?;
        if let Some(parent) = aside.parent() {
            durable::sync_dir(parent)?;
        }
        self.report.kept_aside.push(aside);
        Ok(())
    }

    fn mend_version(&mut self) -> Result<()> {
        match marks::read_version(self.dir) {
            Ok(Some(marks::SCHEMA)) => return Ok(()),
            Ok(Some(found)) => {
                return Err(LedgerError::Schema {
                    path: marks::version_path(self.dir),
                    found,
                    known: marks::SCHEMA,
                });
            }
            Ok(None) => self.problem(&format!(
                "{}: the file is missing",
                marks::version_path(self.dir).display()
            )),
            Err(error) => self.problem(&error),
        }
        self.put_aside(&marks::version_path(self.dir))?;
        stamp(self.dir)
    }

    /// The generation to save: the current one; without a readable CURRENT the one that was acknowledged last, or else the
    /// oldest, since a newer one may be unfinished.
    fn generation(&mut self, acknowledged: &[Mark]) -> Result<(u64, Vec<Mark>)> {
        let mut known = acknowledged.to_vec();
        let found = match marks::read_current(self.dir) {
            Ok(Some(mark)) => {
                known.push(mark);
                Some(mark.generation)
            }
            Ok(None) => {
                self.problem(&format!(
                    "{}: the file is missing",
                    marks::current_path(self.dir).display()
                ));
                None
            }
            Err(error) => {
                self.problem(&error);
                self.put_aside(&marks::current_path(self.dir))?;
                None
            }
        };
        let there = marks::generations(self.dir)?;
        let last_acknowledged = acknowledged.last().map(|mark| mark.generation);
        let generation = found
            .or_else(|| last_acknowledged.filter(|generation| there.contains(generation)))
            .or_else(|| there.first().copied());
        Ok((generation.unwrap_or(1), known))
    }

    fn mend_journal(&mut self, options: &Options) -> Result<()> {
        let acknowledged = Acknowledged::open(self.dir)?;
        let (old, known) = self.generation(&acknowledged.read()?)?;
        let folder = marks::generation_path(self.dir, old);
        let newest = marks::generations(self.dir)?
            .last()
            .copied()
            .unwrap_or(0)
            .max(old);
        let new = newest + 1;
        let new_folder = marks::generation_path(self.dir, new);
        let mut journal = Journal::create(&new_folder, new, options.segment_bytes, false)?;
        salvage(&folder, old, &known, &mut |find| {
            self.take(find, &mut journal)
        })?;
        self.end_cut_rounds(&mut journal)?;
        if self.report.problems.is_empty() {
            return durable::remove_tree(&new_folder);
        }
        journal.sync()?;
        let mark = journal.mark();
        self.report.commits = mark.seq;
        marks::write_current(self.dir, &mark, ("", ""))?;
        acknowledged.write(&mark)?;
        acknowledged.sync()?;
        durable::remove_tree(&self.dir.join("index"))?;
        for generation in marks::generations(self.dir)? {
            if generation != new {
                self.put_aside(&marks::generation_path(self.dir, generation))?;
            }
        }
        Ok(())
    }

    fn take(&mut self, find: Find<'_>, journal: &mut Journal) -> Result<()> {
        let payload = match find {
            Find::Commit(payload) => payload,
            Find::Note(text) => {
                self.problem(&text);
                return Ok(());
            }
            Find::Hole(text) => {
                self.problem(&text);
                self.cut_open_rounds();
                return Ok(());
            }
        };
        match record::decode(payload) {
            Ok(records) => self.save(records, journal),
            Err(error) => {
                self.problem(&error);
                self.cut_open_rounds();
                Ok(())
            }
        }
    }

    /// Any round that was open may have had records in the hole.
    fn cut_open_rounds(&mut self) {
        let open = self
            .catalog
            .rounds
            .values()
            .filter(|summary| summary.status == Status::Open);
        self.cut.extend(open.map(|summary| summary.key.clone()));
    }

    fn save(&mut self, records: Vec<Record>, journal: &mut Journal) -> Result<()> {
        let mut kept = Vec::new();
        for record in records {
            if !self.blob_is_whole(&record)? {
                // An attachment is beside the round; a run without its report is not the run that was recorded.
                if let Record::Entry { key, .. } = &record {
                    self.cut.insert(key.clone());
                }
                self.report.left_out += 1;
                continue;
            }
            let lost = record.key().is_some_and(|key| self.cut.contains(key));
            kept.push(record);
            if lost || self.catalog.check(&kept).is_err() {
                self.leave_out(kept.pop());
            }
        }
        self.write(&kept, journal)
    }

    fn leave_out(&mut self, record: Option<Record>) {
        self.report.left_out += 1;
        let Some(record) = record else { return };
        if let Some(key) = record
            .key()
            .filter(|key| !self.catalog.rounds.contains_key(*key))
        {
            self.cut.insert(key.clone());
            if !self.report.dropped.contains(key) {
                self.report.dropped.push(key.clone());
            }
        }
    }

    fn blob_is_whole(&mut self, record: &Record) -> Result<bool> {
        let Some(blob) = record.needed_blob() else {
            return Ok(true);
        };
        match self.blobs.get(&blob.hash) {
            Ok(_) => Ok(true),
            Err(error @ LedgerError::BlobMissing { .. }) => {
                self.problem(&error);
                Ok(false)
            }
            Err(error @ LedgerError::Damage { .. }) => {
                self.problem(&error);
                self.put_aside(&self.blobs.path(&blob.hash))?;
                Ok(false)
            }
            Err(other) => Err(other),
        }
    }

    fn write(&mut self, records: &[Record], journal: &mut Journal) -> Result<()> {
        if records.is_empty() {
            return Ok(());
        }
        journal.append(&record::encode(records)?)?;
        self.catalog.apply(journal.mark().seq, records);
        Ok(())
    }

    fn end_cut_rounds(&mut self, journal: &mut Journal) -> Result<()> {
        for key in std::mem::take(&mut self.cut) {
            let open = self
                .catalog
                .rounds
                .get(&key)
                .is_some_and(|summary| summary.status == Status::Open);
            if !open {
                continue;
            }
            let entry = Entry::Abstained {
                reason: AbstainReason::StoreUnavailable,
                detail: "the journal was damaged and repaired; records of this round are gone"
                    .to_owned(),
            };
            let ended = Record::Entry {
                key: key.clone(),
                entry,
                report: None,
            };
            self.write(&[ended], journal)?;
            self.report.abstained.push(key);
        }
        Ok(())
    }
}
