//! Writes the canonical form (see the crate's documentation).

use std::collections::BTreeMap;

/// Size of a tar block.
pub(crate) const BLOCK: usize = 512;
/// Longest path that fits the header.
const HEADER_NAME: usize = 100;
/// Name of the entry that holds a longer one.
const LONG_NAME: &[u8] = b"././@LongLink";

/// One file of a bundle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Content<'a> {
    pub(crate) executable: bool,
    pub(crate) bytes: &'a [u8],
}

/// Hands the canonical form of `files` to `emit`, piece by piece.
pub(crate) fn encode(files: &BTreeMap<&str, Content<'_>>, emit: &mut impl FnMut(&[u8])) {
    for (path, content) in files {
        if path.len() > HEADER_NAME {
            emit(&header(LONG_NAME, 0o644, path.len() + 1, b'L'));
            emit(path.as_bytes());
            emit(&[0]);
            pad(path.len() + 1, emit);
        }
        let mode = if content.executable { 0o755 } else { 0o644 };
        let name = &path.as_bytes()[..path.len().min(HEADER_NAME)];
        emit(&header(name, mode, content.bytes.len(), b'0'));
        emit(content.bytes);
        pad(content.bytes.len(), emit);
    }
    emit(&[0; 2 * BLOCK]);
}

fn pad(length: usize, emit: &mut impl FnMut(&[u8])) {
    emit(&[0; BLOCK][..length.next_multiple_of(BLOCK) - length]);
}

fn header(name: &[u8], mode: u32, size: usize, kind: u8) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    let mut put = |at: usize, bytes: &[u8]| block[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, name);
    put(100, format!("{mode:07o}").as_bytes());
    put(108, b"0000000");
    put(116, b"0000000");
    put(124, format!("{size:011o}").as_bytes());
    put(136, b"00000000000");
    put(148, b"        ");
    put(156, &[kind]);
    put(257, b"ustar  \0");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}
