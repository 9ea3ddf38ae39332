//! The ladder that leads to an open ledger. Every rung either holds, mends what is safe to mend and says so, or refuses with
//! the file and the remedy.

use super::follow::{Follower, index_folders, new_index};
use super::{Core, Inner, Ledger, Options};
use crate::blobs::Blobs;
use crate::catalog::Catalog;
use crate::durable::{self, TEMPORARY};
use crate::error::{LedgerError, Result, io};
use crate::index::{Index, IndexFault, Loaded};
use crate::journal::frame::{HEADER, NOTHING};
use crate::journal::scan::{Scanned, TornTail, scan, segments};
use crate::journal::segment_path;
use crate::journal::writer::Journal;
use crate::lock::Lock;
use crate::marks::{self, Acknowledged, Mark, SCHEMA};
use crate::migrate;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, RwLock};

/// What became of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexState {
    /// It knew every commit.
    Current,
    /// It lacked the last commits, which is what a crash leaves.
    CaughtUp(u64),
    /// It was made again from the journal, for this reason.
    Rebuilt(String),
    /// It cannot be made; the journal answers every question.
    Absent(String),
}

/// What opening found and did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenReport {
    /// The ledger is new.
    pub created: bool,
    /// Schema before a migration.
    pub migrated_from: Option<u32>,
    /// The end of the journal that was cut off: a commit that a crash interrupted before it was acknowledged.
    pub torn: Option<TornTail>,
    /// What became of the index.
    pub index: IndexState,
    /// Emptied snapshots of the index that were removed.
    pub snapshots_removed: usize,
    /// Unfinished or superseded files that were removed.
    pub swept: Vec<PathBuf>,
    /// The journal has commits, but no mark says which were acknowledged: a lost tail cannot be told from a torn one.
    pub unmarked: bool,
    /// Commits in the journal.
    pub commits: u64,
}

impl OpenReport {
    /// One line per thing that an operator should hear of; none after a clean stop.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(schema) = self.migrated_from {
            lines.push(format!(
                "the ledger was migrated from schema {schema}; a backup is beside it"
            ));
        }
        if let Some(torn) = &self.torn {
            let TornTail {
                file,
                offset,
                bytes,
            } = torn;
            lines.push(format!(
                "{}: cut {bytes} bytes of an unfinished commit off at byte {offset}",
                file.display()
            ));
        }
        if self.unmarked {
            lines.push(
                "no mark says which commits were acknowledged; the journal is taken as it is"
                    .to_owned(),
            );
        }
        match &self.index {
            IndexState::Current => {}
            IndexState::CaughtUp(commits) => {
                lines.push(format!("the index was behind by {commits} commits"))
            }
            IndexState::Rebuilt(why) => {
                lines.push(format!("the index was made again from the journal: {why}"))
            }
            IndexState::Absent(why) => lines.push(format!("there is no index: {why}")),
        }
        if self.snapshots_removed > 0 {
            lines.push(format!(
                "removed {} emptied snapshots of the index",
                self.snapshots_removed
            ));
        }
        lines.extend(
            self.swept
                .iter()
                .map(|path| format!("{}: removed what a crash left", path.display())),
        );
        lines
    }
}

impl Ledger {
    /// Opens the ledger in the folder, or makes one. It is then this process's alone.
    ///
    /// # Errors
    /// [`LedgerError::Locked`] when another process has it for longer than two seconds; [`LedgerError::Schema`];
    /// [`LedgerError::Damage`] when acknowledged bytes are not what they were; failures of the file system.
    pub fn open(dir: &Path, options: Options) -> Result<(Ledger, OpenReport)> {
        durable::make_dir(dir)?;
        let lock = Lock::take(&lock_path(dir))?;
        let migrated_from = migrate::to_current(dir)?;
        let blobs = Blobs::at(dir.join("blobs"));
        let (current, created) = current_or_new(dir, &options)?;
        let folder = marks::generation_path(dir, current.generation);
        let mut swept = sweep(dir, current.generation)?;
        swept.extend(blobs.sweep()?);
        let acknowledged = Acknowledged::open(dir)?;
        let mut known = acknowledged.read()?;
        known.retain(|mark| mark.generation == current.generation);
        let unmarked = known.is_empty();
        known.extend((current.seq > 0).then_some(current));
        let place = Place {
            dir,
            folder: &folder,
            generation: current.generation,
            options: &options,
        };
        let brought = place.bring_up(&mut known, unmarked)?;
        let farthest = known.iter().map(|mark| mark.seq).max().unwrap_or(0);
        let scanned = &brought.scanned;
        let segment_bytes = options.segment_bytes;
        let journal = Journal::resume(
            &folder,
            current.generation,
            segment_bytes,
            scanned,
            farthest,
        )?;
        if scanned.seq > 0 {
            acknowledged.write(&journal.mark())?;
        }
        let report = OpenReport {
            created,
            migrated_from,
            torn: scanned.torn.clone(),
            index: brought.state,
            snapshots_removed: brought.snapshots_removed,
            swept,
            unmarked: scanned.seq > current.seq && unmarked,
            commits: scanned.seq,
        };
        let core = Core {
            journal,
            acknowledged,
            catalog: brought.catalog,
            index: brought.index,
        };
        let inner = Inner {
            dir: dir.to_owned(),
            options,
            blobs,
            core: Mutex::new(core),
            turn: RwLock::new(()),
            lock,
        };
        Ok((Ledger(Arc::new(inner)), report))
    }
}

pub(super) fn lock_path(dir: &Path) -> PathBuf {
    dir.join("LOCK")
}

/// The current generation; in a folder that has none yet, a first one is begun.
fn current_or_new(dir: &Path, options: &Options) -> Result<(Mark, bool)> {
    if let Some(mark) = marks::read_current(dir)? {
        return Ok((mark, false));
    }
    // A crash while the ledger was being made leaves empty segments only. Whatever has commits had a CURRENT.
    for generation in marks::generations(dir)? {
        let folder = marks::generation_path(dir, generation);
        for ordinal in segments(&folder)? {
            let path = segment_path(&folder, ordinal);
            let length = fs::metadata(&path).map_err(io("read", &path))?.len();
            if length > HEADER as u64 {
                return Err(LedgerError::damage(
                    &marks::current_path(dir),
                    0,
                    "the file is missing, but there is a journal",
                ));
            }
        }
        durable::remove_tree(&folder)?;
    }
    if marks::ack_path(dir).exists() {
        return Err(LedgerError::damage(
            &marks::current_path(dir),
            0,
            "file and journal are missing, but commits were acknowledged",
        ));
    }
    let mark = Mark {
        generation: 1,
        seq: 0,
        digest: NOTHING,
    };
    let folder = marks::generation_path(dir, mark.generation);
    Journal::create(&folder, mark.generation, options.segment_bytes, true)?;
    marks::write_current(dir, &mark, ("", "create.current_written"))?;
    Ok((mark, true))
}

/// Removes unfinished files, and generations that were not finished or are superseded.
fn sweep(dir: &Path, current: u64) -> Result<Vec<PathBuf>> {
    let mut swept = Vec::new();
    for generation in marks::generations(dir)? {
        if generation != current {
            let folder = marks::generation_path(dir, generation);
            durable::remove_tree(&folder)?;
            swept.push(folder);
        }
    }
    for folder in [dir.to_owned(), marks::generation_path(dir, current)] {
        for (_, path) in durable::list(&folder)? {
            if path.extension().is_some_and(|end| end == TEMPORARY) && path.is_file() {
                fs::remove_file(&path).map_err(io("remove", &path))?;
                swept.push(path);
            }
        }
    }
    Ok(swept)
}

/// A generation on disk and its index.
pub(super) struct Place<'a> {
    pub(super) dir: &'a Path,
    pub(super) folder: &'a Path,
    pub(super) generation: u64,
    pub(super) options: &'a Options,
}

/// Everything that a scan gave.
pub(super) struct Brought {
    pub(super) scanned: Scanned,
    pub(super) catalog: Catalog,
    pub(super) index: std::result::Result<Index, IndexFault>,
    pub(super) state: IndexState,
    pub(super) snapshots_removed: usize,
}

impl Place<'_> {
    /// Scans the journal and brings the index up to it. Where no mark was left, the index's own end serves as one.
    fn bring_up(&self, known: &mut Vec<Mark>, unmarked: bool) -> Result<Brought> {
        let fresh = index_folders(self.dir).is_ok_and(|folders| folders.is_empty());
        let (index, loaded, snapshots_removed) = match self.load_index() {
            Ok(found) => found,
            Err(fault) => return self.rebuild(known, fault.0, fresh),
        };
        if unmarked {
            known.extend(
                loaded
                    .mark
                    .filter(|mark| mark.generation == self.generation && mark.seq > 0),
            );
        }
        let was_empty = loaded.mark.is_none();
        let mut follower = Follower::from(self.folder, self.generation, index, loaded);
        let scanned = scan(self.folder, self.generation, known, &mut |seen| {
            follower.see(&seen)
        })?;
        let added = follower.added;
        let Some((catalog, index)) = follower.finish(&end_of(&scanned, self.generation)) else {
            return self.rebuild(known, "it is not one of this journal".to_owned(), false);
        };
        let state = match &index {
            Err(fault) => return self.rebuild(known, fault.0.clone(), false),
            Ok(_) if added == 0 => IndexState::Current,
            Ok(_) if was_empty => IndexState::Rebuilt("it was empty".to_owned()),
            Ok(_) => IndexState::CaughtUp(added),
        };
        Ok(Brought {
            scanned,
            catalog,
            index,
            state,
            snapshots_removed,
        })
    }

    fn load_index(&self) -> std::result::Result<(Index, Loaded, usize), IndexFault> {
        let folders = index_folders(self.dir).map_err(|error| IndexFault(error.to_string()))?;
        let (_, folder) = folders
            .last()
            .ok_or_else(|| IndexFault("it was missing".to_owned()))?;
        let (mut index, removed) = Index::open(folder, self.options.index_cache_bytes)?;
        let loaded = index.load()?;
        Ok((index, loaded, removed))
    }

    /// Makes the index again from the journal.
    pub(super) fn rebuild(&self, known: &[Mark], why: String, fresh: bool) -> Result<Brought> {
        let made = match new_index(self.dir, self.options.index_cache_bytes) {
            Ok(made) => made,
            // The index's folder may be what is broken; the ledger does without.
            Err(error) => Err(IndexFault(error.to_string())),
        };
        let mut follower = Follower::afresh(self.folder, self.generation, made);
        let scanned = scan(self.folder, self.generation, known, &mut |seen| {
            follower.see(&seen)
        })?;
        let end = end_of(&scanned, self.generation);
        let (catalog, index) = follower.finish(&end).unwrap_or_else(|| {
            (
                Catalog::default(),
                Err(IndexFault("it did not follow".to_owned())),
            )
        });
        let state = match &index {
            Err(fault) => IndexState::Absent(fault.0.clone()),
            Ok(_) if fresh && scanned.seq == 0 => IndexState::Current,
            Ok(_) => IndexState::Rebuilt(why),
        };
        Ok(Brought {
            scanned,
            catalog,
            index,
            state,
            snapshots_removed: 0,
        })
    }
}

fn end_of(scanned: &Scanned, generation: u64) -> Mark {
    Mark {
        generation,
        seq: scanned.seq,
        digest: scanned.digest,
    }
}

/// The schema that a new ledger gets.
pub(super) fn stamp(dir: &Path) -> Result<()> {
    marks::write_version(dir, SCHEMA)
}
