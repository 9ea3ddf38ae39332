//! Reading a whole generation, and telling a torn tail from damage.
//!
//! A commit that was cut off by a crash was never acknowledged, and is the last thing in the last segment. Anything else that
//! does not hold is damage: a frame at or before the acknowledged mark, a bad frame with a good one behind it, a bad frame in
//! a sealed segment, a missing segment.

use super::frame::{self, HEADER, Header, NOTHING, Piece};
use super::{Position, Seen, segment_path};
use crate::durable;
use crate::error::{LedgerError, Result};
use crate::marks::Mark;
use mechanism::ids::Hash32;
use std::path::{Path, PathBuf};

/// The unfinished end of the last segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TornTail {
    /// The segment.
    pub file: PathBuf,
    /// Where it begins.
    pub offset: u64,
    /// How many bytes it has.
    pub bytes: u64,
}

/// What a generation holds.
#[derive(Debug)]
pub(crate) struct Scanned {
    /// Last commit, 0 when there is none.
    pub(crate) seq: u64,
    /// Its digest.
    pub(crate) digest: Hash32,
    /// Ordinal of the last segment.
    pub(crate) segment: u64,
    /// Where it ends, the torn tail left out.
    pub(crate) end: u64,
    /// Whether it is sealed.
    pub(crate) sealed: bool,
    /// Where the last commit is, when it is in the last segment.
    pub(crate) last: Option<Position>,
    pub(crate) torn: Option<TornTail>,
}

/// The ordinals of the segments in the folder, ascending.
pub(crate) fn segments(folder: &Path) -> Result<Vec<u64>> {
    let ordinal = |(name, _): (String, PathBuf)| name.strip_suffix(".seg")?.parse().ok();
    Ok(durable::list(folder)?
        .into_iter()
        .filter_map(ordinal)
        .collect())
}

pub(crate) fn read_segment(path: &Path) -> Result<Vec<u8>> {
    let bytes = durable::read_if_there(path)?;
    bytes.ok_or_else(|| LedgerError::damage(path, 0, "the segment is missing"))
}

/// Reads every frame of the generation in order; `marks` are acknowledged places that the journal must hold.
pub(crate) fn scan(
    folder: &Path,
    generation: u64,
    marks: &[Mark],
    visit: &mut dyn FnMut(Seen<'_>) -> Result<()>,
) -> Result<Scanned> {
    let marks: Vec<&Mark> = marks
        .iter()
        .filter(|mark| mark.generation == generation)
        .collect();
    let last = segments(folder)?.last().copied().unwrap_or(0);
    let mut scanned = Scanned {
        seq: 0,
        digest: NOTHING,
        segment: 0,
        end: 0,
        sealed: false,
        last: None,
        torn: None,
    };
    for ordinal in 0..=last {
        scanned.segment = ordinal;
        scanned.last = None;
        let path = segment_path(folder, ordinal);
        let bytes = read_segment(&path)?;
        let header = Header {
            generation,
            ordinal,
            before: scanned.seq,
            digest: scanned.digest,
        };
        if !header.opens(&bytes) {
            return Err(LedgerError::damage(
                &path,
                0,
                "the header does not continue the segment before",
            ));
        }
        let segment = Segment {
            path: &path,
            bytes: &bytes,
            is_last: ordinal == last,
            marks: &marks,
        };
        segment.read(&mut scanned, visit)?;
    }
    let farthest = marks.iter().map(|mark| mark.seq).max().unwrap_or(0);
    if scanned.seq < farthest {
        let what = format!(
            "the journal ends with commit {}, but commit {farthest} was acknowledged",
            scanned.seq
        );
        return Err(LedgerError::damage(
            &segment_path(folder, last),
            scanned.end,
            what,
        ));
    }
    Ok(scanned)
}

struct Segment<'a> {
    path: &'a Path,
    bytes: &'a [u8],
    is_last: bool,
    marks: &'a [&'a Mark],
}

impl Segment<'_> {
    fn read(
        &self,
        scanned: &mut Scanned,
        visit: &mut dyn FnMut(Seen<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut offset = HEADER;
        scanned.sealed = false;
        loop {
            scanned.end = offset as u64;
            match frame::piece(self.bytes, offset) {
                Piece::End if self.is_last || scanned.sealed => return Ok(()),
                Piece::End => {
                    return Err(
                        self.damage(offset, "the segment has no footer, though others follow")
                    );
                }
                _ if scanned.sealed => {
                    return Err(self.damage(offset, "there are bytes behind the footer"));
                }
                Piece::Frame {
                    seq,
                    before,
                    payload,
                    digest,
                    next,
                } => {
                    if seq != scanned.seq + 1 || before != scanned.digest {
                        return Err(
                            self.damage(offset, "the frame does not continue the one before")
                        );
                    }
                    if self
                        .marks
                        .iter()
                        .any(|mark| mark.seq == seq && mark.digest != digest)
                    {
                        return Err(
                            self.damage(offset, "the commit is not the one that was acknowledged")
                        );
                    }
                    let position = Position {
                        segment: scanned.segment,
                        offset: offset as u64,
                        length: (next - offset) as u64,
                    };
                    let payload = self.bytes.get(payload).unwrap_or_default();
                    visit(Seen {
                        seq,
                        position,
                        digest,
                        payload,
                    })?;
                    scanned.seq = seq;
                    scanned.digest = digest;
                    scanned.last = Some(position);
                    offset = next;
                }
                Piece::Footer { seq, digest, next } => {
                    if seq != scanned.seq || digest != scanned.digest {
                        return Err(self.damage(offset, "the footer is of another segment"));
                    }
                    scanned.sealed = true;
                    offset = next;
                }
                Piece::Bad(what) => {
                    scanned.torn = Some(self.torn(offset, scanned.seq, what)?);
                    return Ok(());
                }
            }
        }
    }

    fn damage(&self, offset: usize, what: &str) -> LedgerError {
        LedgerError::damage(self.path, offset as u64, what)
    }

    /// The tail from `offset` on, when it can only be a commit that was never acknowledged.
    fn torn(&self, offset: usize, seq: u64, what: &str) -> Result<TornTail> {
        if !self.is_last {
            return Err(self.damage(offset, what));
        }
        if self.marks.iter().any(|mark| mark.seq > seq) {
            let what = format!("{what}, and the commit was acknowledged");
            return Err(self.damage(offset, &what));
        }
        if let Some(next) = next_whole(self.bytes, offset + 1, seq) {
            let what = format!("{what}, and there is a whole frame at byte {next} behind it");
            return Err(self.damage(offset, &what));
        }
        Ok(TornTail {
            file: self.path.to_owned(),
            offset: offset as u64,
            bytes: (self.bytes.len() - offset) as u64,
        })
    }
}

/// How far ahead of the last good commit a found frame's number may be; keeps the search from hashing at every byte.
const AHEAD: u64 = 1 << 20;

/// Offset of the first whole frame or footer at or behind `from` whose commit may follow `seq`.
pub(crate) fn next_whole(bytes: &[u8], from: usize, seq: u64) -> Option<usize> {
    (from..bytes.len()).find(|offset| {
        frame::claims(bytes, *offset).is_some_and(|(claimed, length)| {
            (seq..=seq.saturating_add(AHEAD)).contains(&claimed)
                && offset
                    .checked_add(length)
                    .is_some_and(|end| end <= bytes.len())
                && !matches!(frame::piece(bytes, *offset), Piece::Bad(_) | Piece::End)
        })
    })
}
