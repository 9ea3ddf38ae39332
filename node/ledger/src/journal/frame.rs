//! The bytes of a segment: a header, frames, and a footer once it is sealed.
//!
//! ```text
//! header  magic 16 | generation u64 | ordinal u64 | commit before the first u64 | its digest 32 | check 32
//! frame   payload length u32 | commit u64 | digest of the frame before 32 | payload | digest 32
//! footer  u32::MAX | last commit u64 | its digest 32 | digest 32
//! ```
//!
//! Integers are little endian; check and digest are BLAKE3 of everything before them in the header, frame or footer. So the
//! digest of a frame binds all frames before it. One frame is one commit: it is there whole or not at all.

use mechanism::ids::Hash32;
use std::ops::Range;

const MAGIC: &[u8; 16] = b"assay-journal/1\n";
const SEALED: u32 = u32::MAX;
const BEFORE_PAYLOAD: usize = 4 + 8 + 32;
const DIGEST: usize = 32;

/// Bytes of a header.
pub(crate) const HEADER: usize = 16 + 8 + 8 + 8 + 32 + 32;
/// Bytes of a frame beside its payload, and of a footer.
pub(crate) const OVERHEAD: usize = BEFORE_PAYLOAD + DIGEST;
/// Largest payload.
pub(crate) const LARGEST: usize = 64 << 20;

/// The digest before the first frame of all.
pub(crate) const NOTHING: Hash32 = Hash32([0; 32]);

/// Where a segment stands in the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) generation: u64,
    pub(crate) ordinal: u64,
    /// The last commit of the segments before.
    pub(crate) before: u64,
    /// Its digest.
    pub(crate) digest: Hash32,
}

impl Header {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for number in [self.generation, self.ordinal, self.before] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        bytes.extend_from_slice(self.digest.as_bytes());
        close(&mut bytes);
        bytes
    }

    /// Whether the bytes begin with exactly this header.
    pub(crate) fn opens(&self, bytes: &[u8]) -> bool {
        bytes
            .get(..HEADER)
            .is_some_and(|found| found == self.encode())
    }
}

fn close(bytes: &mut Vec<u8>) -> Hash32 {
    let digest = blake3::hash(bytes);
    bytes.extend_from_slice(digest.as_bytes());
    digest.into()
}

fn open(length: u32, seq: u64, before: &Hash32, room: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(room + OVERHEAD);
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(&seq.to_le_bytes());
    bytes.extend_from_slice(before.as_bytes());
    bytes
}

/// A frame and its digest. The payload is not above [`LARGEST`].
pub(crate) fn frame(seq: u64, before: &Hash32, payload: &[u8]) -> (Vec<u8>, Hash32) {
    let length = u32::try_from(payload.len()).unwrap_or(SEALED);
    let mut bytes = open(length, seq, before, payload.len());
    bytes.extend_from_slice(payload);
    let digest = close(&mut bytes);
    (bytes, digest)
}

/// The footer behind commit `seq`.
pub(crate) fn footer(seq: u64, digest: &Hash32) -> Vec<u8> {
    let mut bytes = open(SEALED, seq, digest, 0);
    close(&mut bytes);
    bytes
}

/// What stands at an offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Nothing: the segment ends here.
    End,
    /// A whole frame whose digest holds.
    Frame {
        seq: u64,
        before: Hash32,
        payload: Range<usize>,
        digest: Hash32,
        /// Offset behind it.
        next: usize,
    },
    /// A footer whose digest holds.
    Footer {
        seq: u64,
        digest: Hash32,
        next: usize,
    },
    /// Neither.
    Bad(&'static str),
}

/// Reads the piece at `offset`; it may be anything.
pub(crate) fn piece(bytes: &[u8], offset: usize) -> Piece {
    match bytes.get(offset..) {
        None | Some([]) => Piece::End,
        Some(rest) => parse(rest, offset).unwrap_or(Piece::Bad("the frame is cut off")),
    }
}

/// Commit number and total length that a frame at `offset` would have, read without checking its digest.
pub(crate) fn claims(bytes: &[u8], offset: usize) -> Option<(u64, usize)> {
    let rest = bytes.get(offset..)?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let (seq, _) = rest.split_first_chunk::<8>()?;
    let length = match u32::from_le_bytes(*length) {
        SEALED => 0,
        length => length as usize,
    };
    (length <= LARGEST).then(|| (u64::from_le_bytes(*seq), length + OVERHEAD))
}

fn parse(rest: &[u8], offset: usize) -> Option<Piece> {
    let (length, behind) = rest.split_first_chunk::<4>()?;
    let (seq, behind) = behind.split_first_chunk::<8>()?;
    let (before, _) = behind.split_first_chunk::<32>()?;
    let length = u32::from_le_bytes(*length);
    let payload = if length == SEALED { 0 } else { length as usize };
    if payload > LARGEST {
        return Some(Piece::Bad("the frame's length is impossible"));
    }
    let body = rest.get(..BEFORE_PAYLOAD + payload)?;
    let digest = rest.get(body.len()..body.len() + DIGEST)?;
    if blake3::hash(body).as_bytes().as_slice() != digest {
        return Some(Piece::Bad("the frame's digest does not hold"));
    }
    let (seq, before) = (u64::from_le_bytes(*seq), Hash32(*before));
    let next = offset + OVERHEAD + payload;
    Some(if length == SEALED {
        Piece::Footer {
            seq,
            digest: before,
            next,
        }
    } else {
        Piece::Frame {
            seq,
            before,
            payload: offset + BEFORE_PAYLOAD..offset + BEFORE_PAYLOAD + payload,
            digest: Hash32(digest.try_into().ok()?),
            next,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cut_and_every_flipped_byte_of_a_frame_is_seen() {
        let (good, digest) = frame(9, &NOTHING, b"payload");
        let read = piece(&good, 0);
        assert!(
            matches!(&read, Piece::Frame { seq: 9, payload, digest: d, next, .. }
            if &good[payload.clone()] == b"payload" && *d == digest && *next == good.len())
        );
        for length in 1..good.len() {
            assert!(
                matches!(piece(&good[..length], 0), Piece::Bad(_)),
                "cut to {length}"
            );
        }
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            assert!(matches!(piece(&bad, 0), Piece::Bad(_)), "byte {at}");
        }
        let seal = footer(9, &digest);
        assert_eq!(
            piece(&seal, 0),
            Piece::Footer {
                seq: 9,
                digest,
                next: seal.len()
            }
        );
        assert_eq!(piece(&seal, seal.len()), Piece::End);
    }

    #[test]
    fn a_header_opens_its_own_place_only() {
        let header = Header {
            generation: 1,
            ordinal: 2,
            before: 3,
            digest: NOTHING,
        };
        assert_eq!(header.encode().len(), HEADER);
        assert!(header.opens(&header.encode()));
        assert!(
            !Header {
                ordinal: 1,
                ..header
            }
            .opens(&header.encode())
        );
    }
}
