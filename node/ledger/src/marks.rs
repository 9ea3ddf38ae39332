//! The small files beside the journal: which schema it has, which generation counts, and what was acknowledged.

use crate::crash::crash_point;
use crate::durable;
use crate::error::{LedgerError, Result, io};
use mechanism::ids::Hash32;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The schema this node writes.
pub(crate) const SCHEMA: u32 = 1;

/// A place in the history: this generation's journal reached this commit, and its frame has this digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) generation: u64,
    pub(crate) seq: u64,
    pub(crate) digest: Hash32,
}

pub(crate) fn version_path(dir: &Path) -> PathBuf {
    dir.join("VERSION")
}

pub(crate) fn current_path(dir: &Path) -> PathBuf {
    dir.join("CURRENT")
}

pub(crate) fn ack_path(dir: &Path) -> PathBuf {
    dir.join("ACKNOWLEDGED")
}

/// The folder of a generation's segments.
pub(crate) fn generation_path(dir: &Path, generation: u64) -> PathBuf {
    dir.join(format!("journal-{generation:06}"))
}

/// The generations that have a folder, ascending.
pub(crate) fn generations(dir: &Path) -> Result<Vec<u64>> {
    let number = |(name, _): (String, PathBuf)| name.strip_prefix("journal-")?.parse().ok();
    let mut found: Vec<u64> = durable::list(dir)?.into_iter().filter_map(number).collect();
    found.sort_unstable();
    Ok(found)
}

pub(crate) fn write_version(dir: &Path, schema: u32) -> Result<()> {
    let text = format!("assay-ledger {schema}\n");
    let points = ("", "create.version_written");
    durable::replace_file(&version_path(dir), text.as_bytes(), points)
}

/// The schema; `None` when there is no version file.
pub(crate) fn read_version(dir: &Path) -> Result<Option<u32>> {
    let path = version_path(dir);
    let Some(bytes) = durable::read_if_there(&path)? else {
        return Ok(None);
    };
    let text = std::str::from_utf8(&bytes).ok();
    let number = text.and_then(|text| text.strip_prefix("assay-ledger ")?.strip_suffix('\n'));
    match number.and_then(|digits| digits.parse::<u32>().ok()) {
        Some(schema) if schema > 0 => Ok(Some(schema)),
        _ => Err(LedgerError::damage(
            &path,
            0,
            "this is not 'assay-ledger <schema>'",
        )),
    }
}

/// Switches to the mark's generation, atomically.
pub(crate) fn write_current(dir: &Path, mark: &Mark, points: durable::Points) -> Result<()> {
    let text = format!(
        "generation {} commit {} digest {}",
        mark.generation, mark.seq, mark.digest
    );
    let line = format!(
        "{text} check {}\n",
        Hash32::from(blake3::hash(text.as_bytes()))
    );
    durable::replace_file(&current_path(dir), line.as_bytes(), points)
}

/// The generation that counts, and how far it reached when it became that; `None` when there is no such file.
pub(crate) fn read_current(dir: &Path) -> Result<Option<Mark>> {
    let path = current_path(dir);
    let Some(bytes) = durable::read_if_there(&path)? else {
        return Ok(None);
    };
    let mark = std::str::from_utf8(&bytes).ok().and_then(parse_current);
    let wrong = || LedgerError::damage(&path, 0, "this is not a generation with its check sum");
    mark.map(Some).ok_or_else(wrong)
}

fn parse_current(line: &str) -> Option<Mark> {
    let (text, check) = line.strip_suffix('\n')?.split_once(" check ")?;
    if Hash32::from(blake3::hash(text.as_bytes())).to_hex() != check {
        return None;
    }
    let words: Vec<&str> = text.split(' ').collect();
    let [_, generation, _, seq, _, digest] = words.as_slice() else {
        return None;
    };
    Some(Mark {
        generation: generation.parse().ok()?,
        seq: seq.parse().ok()?,
        digest: digest.parse().ok()?,
    })
}

/// Bytes of one slot: mark (8 + 8 + 32) and BLAKE3 of it (32).
const SLOT: usize = 80;

/// The last acknowledged commit. Two slots take turns, so that a torn write leaves the one before. They are written after
/// the journal was synced and before the commit is acknowledged, without a sync of their own: a process that dies loses
/// nothing, a machine that dies may fall back to an older mark. So the mark never claims too much, and a journal that ends
/// before it has lost acknowledged commits; an unfinished frame behind it was never acknowledged.
#[derive(Debug)]
pub(crate) struct Acknowledged {
    file: File,
    path: PathBuf,
}

impl Acknowledged {
    pub(crate) fn open(dir: &Path) -> Result<Self> {
        let path = ack_path(dir);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(io("open", &path))?;
        let length = file.metadata().map_err(io("read", &path))?.len();
        if length < 2 * SLOT as u64 {
            // Both slots exist from the start, so that no acknowledgement needs space.
            let missing = vec![0; 2 * SLOT - usize::try_from(length).unwrap_or(0)];
            file.write_all_at(&missing, length)
                .map_err(io("write", &path))?;
            file.sync_all().map_err(io("sync", &path))?;
            durable::sync_dir(dir)?;
        }
        Ok(Acknowledged { file, path })
    }

    pub(crate) fn write(&self, mark: &Mark) -> Result<()> {
        let mut slot = Vec::with_capacity(SLOT);
        slot.extend_from_slice(&mark.generation.to_le_bytes());
        slot.extend_from_slice(&mark.seq.to_le_bytes());
        slot.extend_from_slice(mark.digest.as_bytes());
        let check = blake3::hash(&slot);
        slot.extend_from_slice(check.as_bytes());
        let offset = (mark.seq % 2) * SLOT as u64;
        self.file
            .write_all_at(&slot, offset)
            .map_err(io("acknowledge a commit", &self.path))?;
        crash_point("journal.acknowledged");
        Ok(())
    }

    pub(crate) fn sync(&self) -> Result<()> {
        self.file.sync_data().map_err(io("sync", &self.path))
    }

    /// The valid marks, the farther one last. Empty after damage of both, or before the first commit.
    pub(crate) fn read(&self) -> Result<Vec<Mark>> {
        let mut bytes = [0; 2 * SLOT];
        self.file
            .read_exact_at(&mut bytes, 0)
            .map_err(io("read", &self.path))?;
        let mut marks: Vec<Mark> = bytes.chunks_exact(SLOT).filter_map(parse_slot).collect();
        marks.sort_by_key(|mark| (mark.generation, mark.seq));
        Ok(marks)
    }
}

fn parse_slot(slot: &[u8]) -> Option<Mark> {
    let (mark, check) = slot.split_at_checked(SLOT - 32)?;
    if blake3::hash(mark).as_bytes().as_slice() != check {
        return None;
    }
    let (generation, rest) = mark.split_first_chunk::<8>()?;
    let (seq, digest) = rest.split_first_chunk::<8>()?;
    Some(Mark {
        generation: u64::from_le_bytes(*generation),
        seq: u64::from_le_bytes(*seq),
        digest: Hash32(digest.try_into().ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(seq: u64) -> Mark {
        let digest = Hash32::from(blake3::hash(&seq.to_le_bytes()));
        Mark {
            generation: 3,
            seq,
            digest,
        }
    }

    #[test]
    fn a_torn_acknowledgement_leaves_the_one_before() {
        let dir = tempfile::tempdir().unwrap();
        let acknowledged = Acknowledged::open(dir.path()).unwrap();
        assert!(acknowledged.read().unwrap().is_empty());
        acknowledged.write(&mark(7)).unwrap();
        acknowledged.write(&mark(8)).unwrap();
        assert_eq!(acknowledged.read().unwrap(), [mark(7), mark(8)]);
        acknowledged.file.write_all_at(&[9], 20).unwrap();
        assert_eq!(acknowledged.read().unwrap(), [mark(7)]);
    }

    #[test]
    fn current_and_version_refuse_a_flipped_byte() {
        let dir = tempfile::tempdir().unwrap();
        write_version(dir.path(), 1).unwrap();
        write_current(dir.path(), &mark(5), ("", "")).unwrap();
        assert_eq!(read_version(dir.path()).unwrap(), Some(1));
        assert_eq!(read_current(dir.path()).unwrap(), Some(mark(5)));
        let good = std::fs::read(current_path(dir.path())).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            std::fs::write(current_path(dir.path()), bad).unwrap();
            assert!(read_current(dir.path()).is_err(), "byte {at}");
        }
    }
}
