//! One process per ledger: a lock file that names who holds it.

use crate::error::{LedgerError, Result, io};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a lock that somebody holds is waited for: a process that is just ending lets go by then.
const PATIENCE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(50);

/// Held until it is dropped, or the process ends in whatever way.
#[derive(Debug)]
pub(crate) struct Lock(#[expect(dead_code, reason = "the open file is the lock")] File);

impl Lock {
    pub(crate) fn take(path: &Path) -> Result<Self> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(io("open the lock file", path))?;
        let started = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if started.elapsed() < PATIENCE => {
                    std::thread::sleep(PAUSE)
                }
                Err(TryLockError::WouldBlock) => return Err(held(&mut file, path)),
                Err(TryLockError::Error(cause)) => return Err(io("lock", path)(cause)),
            }
        }
        let written = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()));
        // The process id is for people; on a full disk the lock holds without it.
        let _ = written;
        Ok(Lock(file))
    }
}

fn held(file: &mut File, path: &Path) -> LedgerError {
    let mut text = String::new();
    let read = file
        .rewind()
        .and_then(|()| file.take(32).read_to_string(&mut text));
    let pid = text.trim();
    let known = read.is_ok() && !pid.is_empty() && pid.bytes().all(|b| b.is_ascii_digit());
    LedgerError::Locked {
        path: path.to_owned(),
        pid: if known {
            pid.to_owned()
        } else {
            "(unknown)".to_owned()
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_one_is_told_who_the_first_is() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("LOCK");
        let first = Lock::take(&path).unwrap();
        let refusal = Lock::take(&path).unwrap_err().to_string();
        assert!(
            refusal.contains(&format!("process {}", std::process::id())),
            "{refusal}"
        );
        drop(first);
        Lock::take(&path).unwrap();
    }
}
