//! Appending commits, rotating segments, reading a commit back.

use super::frame::{self, HEADER, Header, LARGEST, NOTHING, OVERHEAD, Piece};
use super::scan::Scanned;
use super::{Position, segment_path};
use crate::crash::{crash_point, is_armed};
use crate::durable;
use crate::error::{LedgerError, Result, io};
use crate::marks::Mark;
use mechanism::ids::Hash32;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The open end of a generation.
#[derive(Debug)]
pub(crate) struct Journal {
    folder: PathBuf,
    generation: u64,
    segment_bytes: u64,
    /// Whether every commit is synced, or only [`Journal::sync`] does it: a new generation is nobody's truth yet.
    each_synced: bool,
    file: File,
    path: PathBuf,
    ordinal: u64,
    end: u64,
    seq: u64,
    digest: Hash32,
    failed: Option<String>,
}

impl Journal {
    /// Begins an empty generation in a new folder.
    pub(crate) fn create(
        folder: &Path,
        generation: u64,
        segment_bytes: u64,
        each_synced: bool,
    ) -> Result<Self> {
        durable::make_dir(folder)?;
        let header = Header {
            generation,
            ordinal: 0,
            before: 0,
            digest: NOTHING,
        };
        let path = segment_path(folder, 0);
        durable::replace_file(&path, &header.encode(), ("", ""))?;
        Ok(Journal {
            folder: folder.to_owned(),
            generation,
            segment_bytes,
            each_synced,
            file: open_segment(&path)?,
            path,
            ordinal: 0,
            end: HEADER as u64,
            seq: 0,
            digest: NOTHING,
            failed: None,
        })
    }

    /// Goes on where the scan ended: cuts a torn tail off, and makes sure that what stands is on the disk.
    pub(crate) fn resume(
        folder: &Path,
        generation: u64,
        segment_bytes: u64,
        scanned: &Scanned,
        acknowledged: u64,
    ) -> Result<Self> {
        let path = segment_path(folder, scanned.segment);
        let mut journal = Journal {
            folder: folder.to_owned(),
            generation,
            segment_bytes,
            each_synced: true,
            file: open_segment(&path)?,
            path,
            ordinal: scanned.segment,
            end: scanned.end,
            seq: scanned.seq,
            digest: scanned.digest,
            failed: None,
        };
        if scanned.torn.is_some() {
            let cut = journal.file.set_len(journal.end);
            cut.and_then(|()| journal.file.sync_all())
                .map_err(io("cut the torn tail off", &journal.path))?;
        }
        if let Some(position) = scanned.last.filter(|_| scanned.seq > acknowledged) {
            // The last commit was read, but its sync may have failed; the kernel then calls the pages clean. Written again
            // they are synced again.
            let bytes = read_at(&journal.path, &position)?;
            let written = journal.file.write_all_at(&bytes, position.offset);
            written
                .and_then(|()| journal.file.sync_data())
                .map_err(io("sync the last commit", &journal.path))?;
        }
        if scanned.sealed {
            journal.next_segment()?;
        }
        Ok(journal)
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark {
            generation: self.generation,
            seq: self.seq,
            digest: self.digest,
        }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    pub(crate) fn keep_synced(&mut self) {
        self.each_synced = true;
    }

    /// Writes one commit with one write and one sync. After a failure nothing more is taken: whatever reached the disk is
    /// then at the very end, where the next opening finds it.
    pub(crate) fn append(&mut self, payload: &[u8]) -> Result<Position> {
        if payload.len() > LARGEST {
            return Err(LedgerError::TooLarge {
                what: "a commit",
                size: payload.len() as u64,
                limit: LARGEST as u64,
            });
        }
        self.check()?;
        let appended = self.try_append(payload);
        if let Err(error) = &appended {
            self.poison(error);
        }
        appended
    }

    /// Whether commits are taken.
    pub(crate) fn check(&self) -> Result<()> {
        match &self.failed {
            None => Ok(()),
            Some(cause) => Err(LedgerError::Poisoned {
                path: self.path.clone(),
                cause: cause.clone(),
            }),
        }
    }

    /// Takes no more commits.
    pub(crate) fn poison(&mut self, error: &LedgerError) {
        self.failed.get_or_insert_with(|| error.to_string());
    }

    fn try_append(&mut self, payload: &[u8]) -> Result<Position> {
        let length = (payload.len() + OVERHEAD) as u64;
        if self.end + length > self.segment_bytes && self.end > HEADER as u64 {
            self.rotate()?;
        }
        let (bytes, digest) = frame::frame(self.seq + 1, &self.digest, payload);
        let position = Position {
            segment: self.ordinal,
            offset: self.end,
            length,
        };
        crash_point("journal.before_write");
        if is_armed("journal.half_written") {
            let half = bytes.get(..bytes.len() / 2).unwrap_or_default();
            self.write(half)?;
            crash_point("journal.half_written");
        }
        self.write(&bytes)?;
        crash_point("journal.before_sync");
        if self.each_synced {
            self.sync()?;
        }
        crash_point("journal.after_sync");
        self.end += length;
        self.seq += 1;
        self.digest = digest;
        Ok(position)
    }

    fn write(&self, bytes: &[u8]) -> Result<()> {
        let written = self.file.write_all_at(bytes, self.end);
        written.map_err(io("append to the journal", &self.path))
    }

    /// Makes what was written durable.
    pub(crate) fn sync(&self) -> Result<()> {
        self.file
            .sync_data()
            .map_err(io("sync the journal", &self.path))
    }

    fn rotate(&mut self) -> Result<()> {
        crash_point("rotate.before_footer");
        self.write(&frame::footer(self.seq, &self.digest))?;
        self.sync()?;
        crash_point("rotate.after_footer");
        self.next_segment()
    }

    fn next_segment(&mut self) -> Result<()> {
        let header = Header {
            generation: self.generation,
            ordinal: self.ordinal + 1,
            before: self.seq,
            digest: self.digest,
        };
        let path = segment_path(&self.folder, header.ordinal);
        let points = ("rotate.before_rename", "rotate.after_rename");
        durable::replace_file(&path, &header.encode(), points)?;
        self.file = open_segment(&path)?;
        self.path = path;
        self.ordinal = header.ordinal;
        self.end = HEADER as u64;
        Ok(())
    }

    /// The payload of the commit `seq` at the position, verified.
    pub(crate) fn read(&self, position: &Position, seq: u64) -> Result<Vec<u8>> {
        let path = segment_path(&self.folder, position.segment);
        let bytes = read_at(&path, position)?;
        match frame::piece(&bytes, 0) {
            Piece::Frame {
                seq: found,
                payload,
                ..
            } if found == seq => Ok(bytes.get(payload).unwrap_or_default().to_vec()),
            Piece::Bad(what) => Err(LedgerError::damage(&path, position.offset, what)),
            _ => Err(LedgerError::damage(
                &path,
                position.offset,
                format!("commit {seq} is not there"),
            )),
        }
    }
}

fn open_segment(path: &Path) -> Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .open(path)
        .map_err(io("open the segment", path))
}

fn read_at(path: &Path, position: &Position) -> Result<Vec<u8>> {
    let length = usize::try_from(position.length).unwrap_or(usize::MAX);
    if length > LARGEST + OVERHEAD {
        return Err(LedgerError::damage(
            path,
            position.offset,
            "the frame's length is impossible",
        ));
    }
    let mut bytes = vec![0; length];
    let read = File::open(path).and_then(|file| file.read_exact_at(&mut bytes, position.offset));
    match read {
        Ok(()) => Ok(bytes),
        Err(cause) if cause.kind() == std::io::ErrorKind::UnexpectedEof => Err(
            LedgerError::damage(path, position.offset, "the segment is cut off"),
        ),
        Err(cause) => Err(io("read the segment", path)(cause)),
    }
}
