//! The only file that names sled.
//!
//! sled survives a killed process but does not notice damaged bytes, may panic on them, and never gives space back that large
//! rewritten values took. So every value is small and carries a check, the head row carries a sum over all rows, every call
//! is guarded against panics, and it is flushed where the ledger says so and nowhere else.

use super::rows::{STATE, decode_summary, prefix, run_key};
use super::{Entry, IndexFault, Table};
use crate::catalog::RoundSummary;
use crate::crash::crash_point;
use crate::durable;
use crate::key::RoundKey;
use crate::marks::Mark;
use mechanism::ids::Hash32;
use round::plan::RunId;
use serde::{Deserialize, Serialize};
use sled::transaction::{TransactionError, Transactional};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

/// Largest value. sled moves larger ones into files of their own and never reclaims those.
const LARGEST_VALUE: usize = 8 << 10;
/// Bytes of the check behind each value.
const CHECK: usize = 8;
const HEAD: &[u8] = b"head";
/// Layout of the rows; another one is made anew.
const LAYOUT: u32 = 1;
/// sled's threads let go of a dropped database's lock a little later.
const PATIENCE: Duration = Duration::from_secs(2);

type Outcome<T> = Result<T, IndexFault>;

fn fault(what: impl ToString) -> IndexFault {
    IndexFault(what.to_string())
}

/// Runs a call into sled; a panic becomes a fault.
fn guard<T>(call: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|payload| {
        let text = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied());
        let line = text
            .unwrap_or("no message")
            .lines()
            .next()
            .unwrap_or_default();
        Err(IndexFault(format!("the index panicked: {line}")))
    })
}

/// A row to be written.
#[derive(Debug)]
pub(crate) struct Row {
    table: Table,
    key: Vec<u8>,
    value: Vec<u8>,
}

impl Row {
    /// The one way to a row: values above the limit are refused here.
    pub(crate) fn new(table: Table, key: Vec<u8>, value: Vec<u8>) -> Outcome<Self> {
        if value.len() + CHECK > LARGEST_VALUE {
            let (name, size) = (table.name(), value.len());
            return Err(IndexFault(format!(
                "a value of {size} bytes for {name} is above the index's limit of {LARGEST_VALUE}"
            )));
        }
        Ok(Row { table, key, value })
    }

    fn digest(&self) -> [u8; 32] {
        digest(self.table, &self.key, &self.value)
    }

    fn sealed(&self) -> Vec<u8> {
        let mut bytes = self.value.clone();
        bytes.extend(self.digest().iter().take(CHECK));
        bytes
    }
}

fn digest(table: Table, key: &[u8], value: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(table.name().as_bytes());
    hasher.update(&[0]);
    hasher.update(&(key.len() as u64).to_le_bytes());
    hasher.update(key);
    hasher.update(value);
    *hasher.finalize().as_bytes()
}

/// A digest's share of the sum over all rows.
fn share(digest: &[u8; 32]) -> u128 {
    let (first, _) = digest.split_first_chunk::<16>().unwrap_or((&[0; 16], &[]));
    u128::from_le_bytes(*first)
}

/// A stored value without its check, which must hold.
fn unseal(table: Table, key: &[u8], stored: &[u8]) -> Outcome<Vec<u8>> {
    let split = stored
        .len()
        .checked_sub(CHECK)
        .and_then(|at| stored.split_at_checked(at));
    match split {
        Some((value, check)) if digest(table, key, value).starts_with(check) => Ok(value.to_vec()),
        _ => Err(IndexFault(format!(
            "a row of {} fails its check",
            table.name()
        ))),
    }
}

/// How far the index goes, and the sum over its rows.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Head {
    layout: u32,
    generation: u64,
    seq: u64,
    digest: Hash32,
    rows: u64,
    sum: String,
}

/// What a verified index knows.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    /// How far it goes; `None` when it is new.
    pub(crate) mark: Option<Mark>,
    pub(crate) rounds: BTreeMap<RoundKey, RoundSummary>,
    /// Where the last smoothing state is.
    pub(crate) state: Option<Entry>,
}

/// An open index.
#[derive(Debug)]
pub(crate) struct Index {
    /// Database and its trees in the order of [`Table::ALL`]; `None` only while it is dropped.
    open: Option<(sled::Db, [sled::Tree; 4])>,
    rows: u64,
    sum: u128,
}

impl Index {
    /// Opens or makes the index in the folder; says how many emptied snapshots were removed on the way, which an abrupt stop
    /// leaves behind and without which sled opens.
    pub(crate) fn open(dir: &Path, cache_bytes: u64) -> Outcome<(Self, usize)> {
        let first = guard(|| Index::try_open(dir, cache_bytes));
        let error = match first {
            Ok(index) => return Ok((index, 0)),
            Err(error) => error,
        };
        let removed = remove_emptied_snapshots(dir);
        if removed == 0 {
            return Err(error);
        }
        guard(|| Index::try_open(dir, cache_bytes)).map(|index| (index, removed))
    }

    fn try_open(dir: &Path, cache_bytes: u64) -> Outcome<Self> {
        let config = sled::Config::new()
            .path(dir)
            .cache_capacity(cache_bytes)
            .mode(sled::Mode::LowSpace)
            .flush_every_ms(None);
        let started = Instant::now();
        let db = loop {
            match config.open() {
                Ok(db) => break db,
                Err(error)
                    if error.to_string().contains("could not acquire lock")
                        && started.elapsed() < PATIENCE =>
                {
                    std::thread::sleep(Duration::from_millis(20));
                }
                Err(error) => return Err(fault(error)),
            }
        };
        let tree = |table: Table| db.open_tree(table.name()).map_err(fault);
        let [meta, rounds, frames, runs] = Table::ALL;
        let trees = [tree(meta)?, tree(rounds)?, tree(frames)?, tree(runs)?];
        Ok(Index {
            open: Some((db, trees)),
            rows: 0,
            sum: 0,
        })
    }

    fn trees(&self) -> Outcome<&[sled::Tree; 4]> {
        let open = self
            .open
            .as_ref()
            .ok_or_else(|| fault("the index is closed"))?;
        Ok(&open.1)
    }

    fn tree(&self, table: Table) -> Outcome<&sled::Tree> {
        let [meta, rounds, frames, runs] = self.trees()?;
        Ok(match table {
            Table::Meta => meta,
            Table::Rounds => rounds,
            Table::Frames => frames,
            Table::Runs => runs,
        })
    }

    /// Reads and verifies every row.
    pub(crate) fn load(&mut self) -> Outcome<Loaded> {
        let (loaded, rows, sum) = guard(|| self.read_all())?;
        self.rows = rows;
        self.sum = sum;
        Ok(loaded)
    }

    fn read_all(&self) -> Outcome<(Loaded, u64, u128)> {
        let mut loaded = Loaded::default();
        let mut head: Option<Head> = None;
        let (mut rows, mut sum) = (0u64, 0u128);
        let unreadable =
            |table: Table| IndexFault(format!("a row of {} cannot be read", table.name()));
        for table in Table::ALL {
            for row in self.tree(table)? {
                let (key, stored) = row.map_err(fault)?;
                let value = unseal(table, &key, &stored)?;
                if table == Table::Meta && *key == *HEAD {
                    head = Some(serde_json::from_slice(&value).map_err(fault)?);
                    continue;
                }
                rows += 1;
                sum = sum.wrapping_add(share(&digest(table, &key, &value)));
                match table {
                    Table::Meta if *key == *STATE => loaded.state = Entry::decode(&value),
                    Table::Meta => return Err(unreadable(table)),
                    Table::Rounds => {
                        let summary = decode_summary(&value).ok_or_else(|| unreadable(table))?;
                        loaded.rounds.insert(summary.key.clone(), summary);
                    }
                    Table::Frames | Table::Runs => {}
                }
            }
        }
        match head {
            None if rows == 0 => Ok((loaded, 0, 0)),
            None => Err(fault("the index has rows but no head")),
            Some(head) if head.layout != LAYOUT => Err(fault("the index has another layout")),
            Some(head) if head.rows != rows || head.sum != format!("{sum:032x}") => {
                let known = head.rows;
                Err(IndexFault(format!(
                    "the index holds {rows} rows that do not sum up to the {known} it knows of"
                )))
            }
            Some(head) => {
                loaded.mark = Some(Mark {
                    generation: head.generation,
                    seq: head.seq,
                    digest: head.digest,
                });
                Ok((loaded, rows, sum))
            }
        }
    }

    /// Writes rows and how far the index goes with them, atomically, without a flush. Later rows replace earlier ones.
    pub(crate) fn write(&mut self, rows: Vec<Row>, mark: &Mark) -> Outcome<()> {
        crash_point("index.before_write");
        let unique: BTreeMap<(Table, Vec<u8>), Row> = rows
            .into_iter()
            .map(|row| ((row.table, row.key.clone()), row))
            .collect();
        let (count, sum) = guard(|| self.write_all(unique.into_values().collect(), mark))?;
        self.rows = count;
        self.sum = sum;
        crash_point("index.after_write");
        Ok(())
    }

    fn write_all(&self, mut rows: Vec<Row>, mark: &Mark) -> Outcome<(u64, u128)> {
        let (mut count, mut sum) = (self.rows, self.sum);
        for row in &rows {
            match self.tree(row.table)?.get(&row.key).map_err(fault)? {
                None => count += 1,
                Some(old) => {
                    let old = unseal(row.table, &row.key, &old)?;
                    sum = sum.wrapping_sub(share(&digest(row.table, &row.key, &old)));
                }
            }
            sum = sum.wrapping_add(share(&row.digest()));
        }
        let head = Head {
            layout: LAYOUT,
            generation: mark.generation,
            seq: mark.seq,
            digest: mark.digest,
            rows: count,
            sum: format!("{sum:032x}"),
        };
        let head = serde_json::to_vec(&head).map_err(fault)?;
        rows.push(Row::new(Table::Meta, HEAD.to_vec(), head)?);
        let [meta, rounds, frames, runs] = self.trees()?;
        let written: Result<(), TransactionError<()>> =
            (meta, rounds, frames, runs).transaction(|(meta, rounds, frames, runs)| {
                for row in &rows {
                    let tree = match row.table {
                        Table::Meta => meta,
                        Table::Rounds => rounds,
                        Table::Frames => frames,
                        Table::Runs => runs,
                    };
                    tree.insert(row.key.as_slice(), row.sealed())?;
                }
                Ok(())
            });
        match written {
            Ok(()) => Ok((count, sum)),
            Err(TransactionError::Storage(error)) => Err(fault(error)),
            Err(TransactionError::Abort(())) => Err(fault("the index took the rows back")),
        }
    }

    /// The commits that hold records of the round, in order.
    pub(crate) fn frames(&self, key: &RoundKey) -> Outcome<Vec<Entry>> {
        guard(|| {
            let mut entries = Vec::new();
            for row in self.tree(Table::Frames)?.scan_prefix(prefix(key)) {
                let (key, stored) = row.map_err(fault)?;
                let value = unseal(Table::Frames, &key, &stored)?;
                entries.push(
                    Entry::decode(&value).ok_or_else(|| fault("a row of frames cannot be read"))?,
                );
            }
            Ok(entries)
        })
    }

    /// Where the run is.
    pub(crate) fn run(&self, key: &RoundKey, id: &RunId) -> Outcome<Option<Entry>> {
        guard(|| {
            let key = run_key(key, id);
            let Some(stored) = self.tree(Table::Runs)?.get(&key).map_err(fault)? else {
                return Ok(None);
            };
            let value = unseal(Table::Runs, &key, &stored)?;
            Entry::decode(&value)
                .map(Some)
                .ok_or_else(|| fault("a row of runs cannot be read"))
        })
    }

    /// Makes what was written durable.
    pub(crate) fn flush(&self) -> Outcome<()> {
        crash_point("index.before_flush");
        guard(|| {
            let open = self
                .open
                .as_ref()
                .ok_or_else(|| fault("the index is closed"))?;
            open.0.flush().map(|_| ()).map_err(fault)
        })?;
        crash_point("index.after_flush");
        Ok(())
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        let open = self.open.take();
        let _ = guard(|| {
            drop(open);
            Ok(())
        });
    }
}

/// Removes `snap.*` files of length zero.
fn remove_emptied_snapshots(dir: &Path) -> usize {
    let entries = durable::list(dir).unwrap_or_default();
    let emptied = entries.into_iter().filter(|(name, path)| {
        name.starts_with("snap.") && path.metadata().is_ok_and(|data| data.len() == 0)
    });
    emptied
        .filter(|(_, path)| std::fs::remove_file(path).is_ok())
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(seq: u64) -> Mark {
        Mark {
            generation: 1,
            seq,
            digest: Hash32([7; 32]),
        }
    }

    fn row(key: &str, value: &[u8]) -> Row {
        Row::new(Table::Frames, key.as_bytes().to_vec(), value.to_vec()).unwrap()
    }

    #[test]
    fn no_value_above_the_limit_gets_in() {
        assert!(Row::new(Table::Rounds, vec![1], vec![0; LARGEST_VALUE - CHECK]).is_ok());
        assert!(Row::new(Table::Rounds, vec![1], vec![0; LARGEST_VALUE - CHECK + 1]).is_err());
    }

    #[test]
    fn a_row_that_vanishes_or_changes_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        let (mut index, _) = Index::open(dir.path(), 1 << 20).unwrap();
        index.load().unwrap();
        index
            .write(
                vec![row("a", b"1"), row("b", b"2"), row("a", b"3")],
                &mark(1),
            )
            .unwrap();
        index.write(vec![row("b", b"4")], &mark(2)).unwrap();
        assert_eq!(index.load().unwrap().mark, Some(mark(2)));
        let frames = index.tree(Table::Frames).unwrap().clone();
        let kept = frames.remove(b"a").unwrap().unwrap();
        assert!(index.load().unwrap_err().0.contains("sum up"));
        frames.insert(b"a", row("b", b"4").sealed()).unwrap();
        assert!(index.load().unwrap_err().0.contains("check"));
        frames.insert(b"a", kept).unwrap();
        assert!(index.load().is_ok());
    }

    #[test]
    fn an_emptied_snapshot_is_stepped_over() {
        let dir = tempfile::tempdir().unwrap();
        let (mut index, _) = Index::open(dir.path(), 1 << 20).unwrap();
        index.write(vec![row("a", b"1")], &mark(1)).unwrap();
        index.flush().unwrap();
        drop(index);
        for (name, path) in durable::list(dir.path()).unwrap() {
            if name.starts_with("snap.") {
                std::fs::remove_file(path).unwrap();
            }
        }
        std::fs::write(dir.path().join("snap.00000000000004D2"), b"").unwrap();
        let (mut index, removed) = Index::open(dir.path(), 1 << 20).unwrap();
        assert_eq!(removed, 1);
        assert_eq!(index.load().unwrap().mark, Some(mark(1)));
    }
}
