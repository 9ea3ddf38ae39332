//! Drains an output pipe of a run: the first bytes are kept, all are counted.

use std::os::fd::OwnedFd;

use rustix::io::Errno;
use rustix::pipe::PipeFlags;

use crate::stage::{AtStage, Fault, Stage};

/// The reading end of stdout or stderr.
pub(crate) struct Capture {
    reader: OwnedFd,
    open: bool,
    keep: usize,
    kept: Vec<u8>,
    total: u64,
}

impl Capture {
    /// A capture that keeps `keep` bytes, and the writing end for the run.
    pub(crate) fn new(keep: u64) -> Result<(Self, OwnedFd), Fault> {
        let (reader, writer) =
            rustix::pipe::pipe_with(PipeFlags::CLOEXEC).at(Stage::Descriptors, "output pipe")?;
        rustix::io::ioctl_fionbio(&reader, true).at(Stage::Descriptors, "output pipe")?;
        let keep = usize::try_from(keep).unwrap_or(usize::MAX);
        Ok((
            Self {
                reader,
                open: true,
                keep,
                kept: Vec::new(),
                total: 0,
            },
            writer,
        ))
    }

    /// The reading end while there may be more to read.
    pub(crate) fn waiting(&self) -> Option<&OwnedFd> {
        self.open.then_some(&self.reader)
    }

    /// Reads once; true when something came.
    pub(crate) fn read_some(&mut self, buffer: &mut [u8]) -> bool {
        match rustix::io::read(&self.reader, &mut *buffer) {
            Ok(0) => self.open = false,
            Ok(got) => {
                self.total += got as u64;
                let room = self.keep - self.kept.len();
                self.kept.extend_from_slice(&buffer[..got.min(room)]);
                return true;
            }
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(_) => self.open = false,
        }
        false
    }

    /// Reads what is left once every writer is dead.
    pub(crate) fn drain(&mut self, buffer: &mut [u8]) {
        while self.open && self.read_some(buffer) {}
    }

    /// Bytes seen so far.
    pub(crate) fn total(&self) -> u64 {
        self.total
    }

    /// The kept bytes.
    pub(crate) fn into_kept(self) -> Vec<u8> {
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_are_kept_and_all_are_counted() {
        let (mut capture, writer) = Capture::new(5).unwrap();
        let mut buffer = [0_u8; 3];
        assert!(!capture.read_some(&mut buffer));
        rustix::io::write(&writer, b"0123456789").unwrap();
        drop(writer);
        capture.drain(&mut buffer);
        assert!(capture.waiting().is_none());
        assert_eq!(
            (capture.total(), capture.into_kept()),
            (10, b"01234".to_vec())
        );
    }
}
