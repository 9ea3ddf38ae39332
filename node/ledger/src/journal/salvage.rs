//! Reading what is left of a damaged generation.

use super::frame::{self, HEADER, Header, NOTHING, Piece};
use super::scan::{next_whole, read_segment, segments};
use super::segment_path;
use crate::error::Result;
use crate::marks::Mark;
use mechanism::ids::Hash32;
use std::path::{Path, PathBuf};

/// What salvage meets, in order.
#[derive(Debug)]
pub(crate) enum Find<'a> {
    /// A whole commit.
    Commit(&'a [u8]),
    /// One or more commits are gone here.
    Hole(String),
    /// Something is wrong, but by itself costs no commit.
    Note(String),
}

struct Walk<'a> {
    visit: &'a mut dyn FnMut(Find<'_>) -> Result<()>,
    seq: u64,
    digest: Hash32,
    path: PathBuf,
}

/// Shows every whole commit of the generation, and where the chain between them is broken.
pub(crate) fn salvage(
    folder: &Path,
    generation: u64,
    marks: &[Mark],
    visit: &mut dyn FnMut(Find<'_>) -> Result<()>,
) -> Result<()> {
    let mut walk = Walk {
        visit,
        seq: 0,
        digest: NOTHING,
        path: folder.to_owned(),
    };
    let mut next = 0;
    for ordinal in segments(folder)? {
        if ordinal != next {
            walk.note(
                0,
                &format!("segments {next} to {} are missing before this", ordinal - 1),
            )?;
        }
        next = ordinal + 1;
        walk.path = segment_path(folder, ordinal);
        let bytes = read_segment(&walk.path)?;
        let header = Header {
            generation,
            ordinal,
            before: walk.seq,
            digest: walk.digest,
        };
        if !header.opens(&bytes) {
            walk.note(0, "the header does not continue the segment before")?;
        }
        walk.segment(&bytes)?;
    }
    if next == 0 {
        walk.note(0, "there are no segments")?;
    }
    let farthest = marks
        .iter()
        .filter(|mark| mark.generation == generation)
        .map(|mark| mark.seq)
        .max();
    if let Some(farthest) = farthest.filter(|farthest| *farthest > walk.seq) {
        let (path, seq) = (walk.path.display().to_string(), walk.seq);
        let hole = format!(
            "{path}: commits {} to {farthest} are gone at the end",
            seq + 1
        );
        (walk.visit)(Find::Hole(hole))?;
    }
    Ok(())
}

impl Walk<'_> {
    fn note(&mut self, offset: usize, what: &str) -> Result<()> {
        let text = format!("{}: at byte {offset}: {what}", self.path.display());
        (self.visit)(Find::Note(text))
    }

    fn segment(&mut self, bytes: &[u8]) -> Result<()> {
        let mut offset = HEADER;
        loop {
            match frame::piece(bytes, offset) {
                Piece::End => return Ok(()),
                Piece::Frame { seq, next, .. } if seq <= self.seq => {
                    self.note(offset, &format!("commit {seq} stands here again"))?;
                    offset = next;
                }
                Piece::Frame {
                    seq,
                    before,
                    payload,
                    digest,
                    next,
                } => {
                    if seq != self.seq + 1 || before != self.digest {
                        let path = self.path.display();
                        let hole = format!(
                            "{path}: at byte {offset}: commit {seq} does not continue commit {}",
                            self.seq
                        );
                        (self.visit)(Find::Hole(hole))?;
                    }
                    (self.seq, self.digest) = (seq, digest);
                    (self.visit)(Find::Commit(bytes.get(payload).unwrap_or_default()))?;
                    offset = next;
                }
                Piece::Footer { next, .. } => offset = next,
                Piece::Bad(what) => {
                    self.note(offset, what)?;
                    match next_whole(bytes, offset + 1, self.seq) {
                        Some(next) => offset = next,
                        None => return Ok(()),
                    }
                }
            }
        }
    }
}
