//! Looking at everything, and at how much it is.

use super::Ledger;
use crate::durable;
use crate::error::{LedgerError, Result, io};
use std::io::Error;

/// What a verification saw.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// Commits in the journal.
    pub commits: u64,
    /// Records in them.
    pub records: u64,
    /// Rounds they make.
    pub rounds: u64,
    /// Blobs that records name and that are whole.
    pub blobs: u64,
    /// One line per thing that is wrong, with file and remedy; empty when all is well.
    pub problems: Vec<String>,
}

/// How much space the ledger takes and has, bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// The journal.
    pub journal: u64,
    /// The index.
    pub index: u64,
    /// The blobs.
    pub blobs: u64,
    /// What the file system has left for this user.
    pub disk_free: u64,
}

impl Ledger {
    /// Reads the whole journal, every blob that a record names, and the whole index.
    #[must_use]
    pub fn verify(&self) -> VerifyReport {
        let mut core = self.core();
        let mut report = VerifyReport {
            rounds: core.catalog.rounds.len() as u64,
            ..VerifyReport::default()
        };
        let blobs = &self.0.blobs;
        let mut problems = Vec::new();
        let scanned = core.scan(&mut |_, _, records| {
            report.commits += 1;
            report.records += records.len() as u64;
            for record in &records {
                let needed = record.needed_blob().map(|blob| blob.hash);
                for hash in record.named_hashes() {
                    match blobs.get(&hash) {
                        Ok(_) => report.blobs += 1,
                        // The bytes of a participant need not be kept.
                        Err(LedgerError::BlobMissing { .. }) if needed != Some(hash) => {}
                        Err(error) => problems.push(error.to_string()),
                    }
                }
            }
            Ok(())
        });
        problems.extend(scanned.err().map(|error| error.to_string()));
        let mark = core.journal.mark();
        let index = match &mut core.index {
            Ok(index) => index.load().map(|loaded| loaded.mark),
            Err(fault) => Err(fault.clone()),
        };
        match index {
            Ok(end) if end.map_or(0, |end| end.seq) == mark.seq => {}
            Ok(_) => {
                problems.push("the index is behind the journal; open the ledger again".to_owned())
            }
            Err(fault) => problems.push(format!("the index: {fault}; open the ledger again")),
        }
        report.problems = problems;
        report
    }

    /// How much space the ledger takes and has.
    ///
    /// # Errors
    /// [`LedgerError`] when the folder cannot be read.
    pub fn sizes(&self) -> Result<Sizes> {
        let dir = &self.0.dir;
        let folder = self.core().journal.folder().to_owned();
        let room = rustix::fs::statvfs(dir)
            .map_err(|errno| io("ask for free space on", dir)(Error::from(errno)))?;
        Ok(Sizes {
            journal: durable::size_of_tree(&folder)?,
            index: durable::size_of_tree(&dir.join("index"))?,
            blobs: durable::size_of_tree(self.0.blobs.dir())?,
            disk_free: room.f_bavail.saturating_mul(room.f_frsize),
        })
    }
}
