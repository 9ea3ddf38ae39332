//! Bringing catalog and index up to the journal while it is scanned.

use super::decode;
use crate::catalog::Catalog;
use crate::durable;
use crate::error::Result;
use crate::index::{Entry, Index, IndexFault, Loaded, Row, rows_of};
use crate::journal::Seen;
use crate::marks::Mark;
use crate::record::Record;
use std::path::{Path, PathBuf};

/// Rows that are written to the index together.
const BATCH: usize = 512;

/// Follows a scan from where the index ends.
pub(super) struct Follower<'a> {
    folder: &'a Path,
    generation: u64,
    catalog: Catalog,
    index: std::result::Result<Index, IndexFault>,
    from: Option<Mark>,
    /// Whether the journal holds the commit that the index ends with.
    meets: bool,
    state: Option<Entry>,
    rows: Vec<Row>,
    /// Commits that the index did not know.
    pub(super) added: u64,
}

impl<'a> Follower<'a> {
    /// From what the index knows.
    pub(super) fn from(folder: &'a Path, generation: u64, index: Index, loaded: Loaded) -> Self {
        let from = loaded.mark.filter(|mark| mark.seq > 0);
        let catalog = Catalog {
            rounds: loaded.rounds,
            state: None,
        };
        Follower {
            folder,
            generation,
            catalog,
            index: Ok(index),
            from,
            meets: from.is_none(),
            state: loaded.state,
            rows: Vec::new(),
            added: 0,
        }
    }

    /// From the beginning, into a new index or none.
    pub(super) fn afresh(
        folder: &'a Path,
        generation: u64,
        index: std::result::Result<Index, IndexFault>,
    ) -> Self {
        Follower {
            folder,
            generation,
            catalog: Catalog::default(),
            index,
            from: None,
            meets: true,
            state: None,
            rows: Vec::new(),
            added: 0,
        }
    }

    pub(super) fn see(&mut self, seen: &Seen<'_>) -> Result<()> {
        if let Some(from) = self.from.filter(|from| seen.seq <= from.seq) {
            if seen.seq == from.seq {
                self.meets = seen.digest == from.digest && self.generation == from.generation;
            }
            if self.state.is_some_and(|state| state.seq == seen.seq) {
                for record in decode(self.folder, seen)? {
                    if let Record::State { round, units } = record {
                        self.catalog.state = Some((round, units));
                    }
                }
            }
            return Ok(());
        }
        if !self.meets {
            return Ok(());
        }
        let records = decode(self.folder, seen)?;
        let touched = self.catalog.apply(seen.seq, &records);
        self.added += 1;
        if self.index.is_ok() {
            match rows_of(seen.seq, seen.position, &records, &touched, &self.catalog) {
                Ok(rows) => self.rows.extend(rows),
                Err(fault) => self.index = Err(fault),
            }
            if self.rows.len() >= BATCH {
                self.write(seen);
            }
        }
        Ok(())
    }

    fn write(&mut self, seen: &Seen<'_>) {
        let mark = Mark {
            generation: self.generation,
            seq: seen.seq,
            digest: seen.digest,
        };
        self.write_to(&mark);
    }

    fn write_to(&mut self, mark: &Mark) {
        let rows = std::mem::take(&mut self.rows);
        if let Ok(index) = &mut self.index
            && let Err(fault) = index.write(rows, mark)
        {
            self.index = Err(fault);
        }
    }

    /// Catalog and index at the end of the scan; `None` when the index is not one of this journal.
    pub(super) fn finish(
        mut self,
        end: &Mark,
    ) -> Option<(Catalog, std::result::Result<Index, IndexFault>)> {
        if !self.meets {
            return None;
        }
        if self.added > 0 || self.from.is_none() {
            self.write_to(end);
            let flushed = self.index.as_ref().map_or(Ok(()), Index::flush);
            if let Err(fault) = flushed {
                self.index = Err(fault);
            }
        }
        Some((self.catalog, self.index))
    }
}

/// The folders of indices, the one in use last. A new index gets a new folder, since a broken one may still be held open by
/// threads of this process.
pub(super) fn index_folders(dir: &Path) -> Result<Vec<(u64, PathBuf)>> {
    let number = |(name, path): (String, PathBuf)| Some((name.parse().ok()?, path));
    let mut found: Vec<(u64, PathBuf)> = durable::list(&dir.join("index"))?
        .into_iter()
        .filter_map(number)
        .collect();
    found.sort();
    Ok(found)
}

/// Opens an empty index in a new folder, after the others are gone.
pub(super) fn new_index(
    dir: &Path,
    cache_bytes: u64,
) -> Result<std::result::Result<Index, IndexFault>> {
    let folders = index_folders(dir)?;
    let next = folders.last().map_or(1, |(number, _)| number + 1);
    for (_, folder) in folders {
        durable::remove_tree(&folder)?;
    }
    let folder = dir.join("index").join(next.to_string());
    let made = Index::open(&folder, cache_bytes);
    Ok(made.and_then(|(mut index, _)| index.load().map(|_| index)))
}
