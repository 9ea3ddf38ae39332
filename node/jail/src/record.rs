//! Eight-byte records that a run's own processes send to the launcher over a pipe that the agent never holds.

use std::os::fd::{AsFd, OwnedFd};

use rustix::io::Errno;

use crate::proto::Exit;
use crate::stage::{Fault, Stage};

/// What the processes of a run report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Record {
    /// Everything before the filter is in place; blocked until "go".
    Ready,
    /// A step failed with this error number; nothing of the agent has run.
    Failed(Stage, i32),
    /// The agent process ended.
    Ended(Exit),
}

impl Record {
    fn to_bytes(self) -> [u8; 8] {
        let (kind, stage, value) = match self {
            Self::Ready => (b'R', 0, 0),
            Self::Failed(stage, errno) => (b'F', stage as u8, errno),
            Self::Ended(Exit::Code(code)) => (b'X', 0, code),
            Self::Ended(Exit::Signal(signal)) => (b'S', 0, signal),
        };
        let [a, b, c, d] = value.to_le_bytes();
        [kind, stage, 0, 0, a, b, c, d]
    }

    fn from_bytes([kind, stage, _, _, a, b, c, d]: [u8; 8]) -> Option<Self> {
        let value = i32::from_le_bytes([a, b, c, d]);
        match kind {
            b'R' => Some(Self::Ready),
            b'F' => Some(Self::Failed(Stage::from_byte(stage)?, value)),
            b'X' => Some(Self::Ended(Exit::Code(value))),
            b'S' => Some(Self::Ended(Exit::Signal(value))),
            _ => None,
        }
    }
}

/// Sends a record; one write below the pipe's atomic size. Allocates nothing.
pub(crate) fn send(pipe: impl AsFd, record: Record) -> rustix::io::Result<()> {
    match rustix::io::write(pipe, &record.to_bytes())? {
        8 => Ok(()),
        _ => Err(Errno::IO),
    }
}

/// Receives the next record; `None` when every sender is gone or (on a non-blocking pipe) nothing is there yet.
pub(crate) fn receive(pipe: &OwnedFd) -> Result<Option<Record>, Fault> {
    let mut bytes = [0_u8; 8];
    loop {
        return match rustix::io::read(pipe, &mut bytes) {
            Ok(0) | Err(Errno::AGAIN) => Ok(None),
            Ok(8) => match Record::from_bytes(bytes) {
                Some(record) => Ok(Some(record)),
                None => Err(Fault::new(
                    Stage::Handshake,
                    format!("unknown record {bytes:?}"),
                )),
            },
            Ok(got) => Err(Fault::new(
                Stage::Handshake,
                format!("record of {got} bytes"),
            )),
            Err(Errno::INTR) => continue,
            Err(errno) => Err(Fault {
                stage: Stage::Handshake,
                errno: errno.raw_os_error(),
                detail: "read a record".into(),
            }),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_survive_the_pipe() {
        let (reader, writer) = rustix::pipe::pipe().unwrap();
        let all = [
            Record::Ready,
            Record::Failed(Stage::Seccomp, 22),
            Record::Ended(Exit::Code(3)),
            Record::Ended(Exit::Signal(11)),
        ];
        for record in all {
            send(&writer, record).unwrap();
            assert_eq!(receive(&reader), Ok(Some(record)));
        }
        rustix::io::write(&writer, b"12345678").unwrap();
        assert!(receive(&reader).is_err());
        drop(writer);
        assert_eq!(receive(&reader), Ok(None));
    }
}
