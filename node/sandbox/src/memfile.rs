//! Memory files: sealed ones for what goes in, a bounded read for the report that comes out.

use std::io;
use std::os::fd::OwnedFd;

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, fstat, memfd_create};

use crate::outcome::ReportBytes;

/// A memory file with `content` that nobody can change any more. Its position is at the start.
pub(crate) fn sealed(name: &str, content: &[u8]) -> io::Result<OwnedFd> {
    let file = memfd_create(name, MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?;
    let mut written = 0;
    while written < content.len() {
        written += rustix::io::pwrite(&file, &content[written..], written as u64)?;
    }
    fcntl_add_seals(
        &file,
        SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL,
    )?;
    Ok(file)
}

/// What a run left in its report file.
pub(crate) struct Handover {
    /// The first byte.
    pub(crate) kind: Option<u8>,
    /// What follows it.
    pub(crate) body: ReportBytes,
}

/// Reads a dead run's report file; a body longer than `limit` is not read at all.
pub(crate) fn read_report(file: &OwnedFd, limit: u64) -> io::Result<Handover> {
    let size = u64::try_from(fstat(file)?.st_size).unwrap_or(0);
    let Some(length) = size.checked_sub(1) else {
        return Ok(Handover {
            kind: None,
            body: ReportBytes::Missing,
        });
    };
    let mut kind = [0_u8; 1];
    read_exactly(file, &mut kind, 0)?;
    if length > limit {
        return Ok(Handover {
            kind: Some(kind[0]),
            body: ReportBytes::TooLarge(length),
        });
    }
    let mut body = vec![0_u8; usize::try_from(length).unwrap_or(usize::MAX)];
    read_exactly(file, &mut body, 1)?;
    Ok(Handover {
        kind: Some(kind[0]),
        body: ReportBytes::Bytes(body),
    })
}

fn read_exactly(file: &OwnedFd, into: &mut [u8], from: u64) -> io::Result<()> {
    let mut have = 0;
    while have < into.len() {
        match rustix::io::pread(file, &mut into[have..], from + have as u64)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            got => have += got,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_file_cannot_change() {
        let file = sealed("x", b"task").unwrap();
        assert_eq!(
            rustix::io::pwrite(&file, b"T", 0),
            Err(rustix::io::Errno::PERM)
        );
        assert_eq!(
            rustix::fs::ftruncate(&file, 9),
            Err(rustix::io::Errno::PERM)
        );
        let mut text = [0; 4];
        read_exactly(&file, &mut text, 0).unwrap();
        assert_eq!(&text, b"task");
    }

    #[test]
    fn a_report_is_read_up_to_its_limit() {
        for (content, limit, kind, body) in [
            (&b""[..], 5, None, ReportBytes::Missing),
            (b"M", 5, Some(b'M'), ReportBytes::Bytes(vec![])),
            (
                b"R12345",
                5,
                Some(b'R'),
                ReportBytes::Bytes(b"12345".to_vec()),
            ),
            (b"R123456", 5, Some(b'R'), ReportBytes::TooLarge(6)),
        ] {
            let found = read_report(&sealed("r", content).unwrap(), limit).unwrap();
            assert_eq!((found.kind, found.body), (kind, body));
        }
    }
}
