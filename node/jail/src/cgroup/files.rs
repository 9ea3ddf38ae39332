//! Reading and writing the small text files of a control group through a descriptor of its folder.

use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{Mode, OFlags, openat};
use rustix::io::Errno;

use crate::stage::{AtStage, Fault, Stage};

/// A control group's folder.
#[derive(Debug)]
pub(crate) struct Group {
    folder: OwnedFd,
}

impl Group {
    /// Opens a group by its path.
    pub(crate) fn open(path: &std::path::Path) -> Result<Self, Fault> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = rustix::fs::open(path, flags, Mode::empty())
            .at(Stage::CgroupSetup, &path.display().to_string())?;
        Ok(Self { folder })
    }

    /// Creates a child group and opens it.
    pub(crate) fn create(&self, name: &str) -> Result<Self, Fault> {
        rustix::fs::mkdirat(&self.folder, name, Mode::from_raw_mode(0o755))
            .at(Stage::CgroupSetup, name)?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder =
            openat(&self.folder, name, flags, Mode::empty()).at(Stage::CgroupSetup, name)?;
        Ok(Self { folder })
    }

    /// Removes a child group. A group whose last task has just died can be busy for a moment, so this waits for up to a second.
    pub(crate) fn remove(&self, name: &str) -> Result<(), Fault> {
        for _ in 0..1000 {
            match rustix::fs::unlinkat(&self.folder, name, rustix::fs::AtFlags::REMOVEDIR) {
                Err(Errno::BUSY) => std::thread::sleep(std::time::Duration::from_millis(1)),
                other => return other.at(Stage::Teardown, name),
            }
        }
        Err(Fault {
            stage: Stage::Teardown,
            errno: Errno::BUSY.raw_os_error(),
            detail: name.to_owned(),
        })
    }

    /// The folder, for `CLONE_INTO_CGROUP`.
    pub(crate) fn folder(&self) -> &OwnedFd {
        &self.folder
    }

    /// Writes a whole value into a file of the group.
    pub(crate) fn write(&self, file: &str, value: &str) -> Result<(), Fault> {
        self.write_raw(file, value)
            .at(Stage::CgroupSetup, &format!("{file} = {value}"))
    }

    /// As [`Group::write`], for callers that decide on the error number.
    pub(crate) fn write_raw(&self, file: &str, value: &str) -> rustix::io::Result<()> {
        let handle = openat(
            &self.folder,
            file,
            OFlags::WRONLY | OFlags::CLOEXEC,
            Mode::empty(),
        )?;
        match rustix::io::write(&handle, value.as_bytes())? {
            written if written == value.len() => Ok(()),
            _ => Err(Errno::IO),
        }
    }

    /// Opens a file of the group for repeated reads.
    pub(crate) fn open_file(&self, file: &str) -> Result<OwnedFd, Fault> {
        openat(
            &self.folder,
            file,
            OFlags::RDONLY | OFlags::CLOEXEC,
            Mode::empty(),
        )
        .at(Stage::CgroupRead, file)
    }

    /// Opens a file of the group for writing.
    pub(crate) fn open_for_write(&self, file: &str) -> Result<OwnedFd, Fault> {
        openat(
            &self.folder,
            file,
            OFlags::WRONLY | OFlags::CLOEXEC,
            Mode::empty(),
        )
        .at(Stage::CgroupSetup, file)
    }

    /// A number behind a key (`key value` lines), or the file's only number when `key` is empty.
    pub(crate) fn number(&self, file: &str, key: &str) -> Result<u64, Fault> {
        number_at(self.open_file(file)?, file, key)
    }

    /// Whether the group has such a file.
    pub(crate) fn has(&self, file: &str) -> bool {
        rustix::fs::accessat(
            &self.folder,
            file,
            rustix::fs::Access::EXISTS,
            rustix::fs::AtFlags::empty(),
        )
        .is_ok()
    }
}

/// Re-reads an open account from its start and finds a number; no allocation, so that it works when memory is at its limit.
pub(crate) fn number_at(handle: impl AsFd, file: &str, key: &str) -> Result<u64, Fault> {
    let mut buffer = [0_u8; 2048];
    let length = rustix::io::pread(handle, &mut buffer, 0).at(Stage::CgroupRead, file)?;
    let text = std::str::from_utf8(&buffer[..length]).unwrap_or_default();
    find_number(text, key)
        .ok_or_else(|| Fault::new(Stage::CgroupRead, format!("{file}: no number for `{key}`")))
}

/// The number of the line `key N`; with an empty key the whole text is the number.
fn find_number(text: &str, key: &str) -> Option<u64> {
    if key.is_empty() {
        return text.trim().parse().ok();
    }
    text.lines().find_map(|line| {
        line.strip_prefix(key)?
            .strip_prefix(' ')?
            .trim()
            .parse()
            .ok()
    })
}

/// The `total=` of the `some` line of a pressure file, in microseconds.
pub(crate) fn pressure_total(handle: impl AsFd) -> Option<u64> {
    let mut buffer = [0_u8; 256];
    let length = rustix::io::pread(handle, &mut buffer, 0).ok()?;
    let text = std::str::from_utf8(&buffer[..length]).ok()?;
    let some = text.lines().find(|line| line.starts_with("some "))?;
    some.rsplit_once("total=")?.1.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_by_their_whole_key() {
        let text = "oom_kill_disable 0\nunder_oom 1\noom_kill 7\n";
        assert_eq!(find_number(text, "oom_kill"), Some(7));
        assert_eq!(find_number(text, "under_oom"), Some(1));
        assert_eq!(find_number(text, "oom"), None);
        assert_eq!(find_number(" 42\n", ""), Some(42));
        assert_eq!(find_number("max\n", ""), None);
    }
}
