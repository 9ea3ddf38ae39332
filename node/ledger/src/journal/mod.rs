//! The journal: the truth. Frames in segment files, one generation's segments in one folder.

pub(crate) mod frame;
pub(crate) mod salvage;
pub(crate) mod scan;
pub(crate) mod writer;

use mechanism::ids::Hash32;
use std::path::{Path, PathBuf};

/// Where a commit's frame is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    /// Ordinal of the segment.
    pub(crate) segment: u64,
    /// Offset in it.
    pub(crate) offset: u64,
    /// Bytes of the whole frame.
    pub(crate) length: u64,
}

/// A frame as a scan meets it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub(crate) seq: u64,
    pub(crate) position: Position,
    pub(crate) digest: Hash32,
    pub(crate) payload: &'a [u8],
}

/// The file of a segment.
pub(crate) fn segment_path(folder: &Path, ordinal: u64) -> PathBuf {
    folder.join(format!("{ordinal:08}.seg"))
}
