//! Reads the probe file from outside, once every process of the run is dead (`mechanism.md §3`).

use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::fs::{FileType, Mode, OFlags, ResolveFlags, Stat, fstat, openat2};
use rustix::io::Errno;

use crate::proto::{Probe, ProbeState};
use crate::stage::{AtStage, Fault, Stage};

/// What stands at a path that an agent could write to.
pub(crate) enum Found {
    /// A regular file with one link, and its status.
    File(OwnedFd, Stat),
    /// Nothing.
    Absent,
    /// A link, folder, FIFO, socket, device, or a file with several links.
    NotRegular,
}

/// Opens the file at `path` below `folder`. Never follows a link, never blocks.
pub(crate) fn find(folder: BorrowedFd<'_>, path: &str, stage: Stage) -> Result<Found, Fault> {
    let flags =
        OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
    let resolve = ResolveFlags::BENEATH
        | ResolveFlags::NO_SYMLINKS
        | ResolveFlags::NO_MAGICLINKS
        | ResolveFlags::NO_XDEV;
    let file = match openat2(folder, path, flags, Mode::empty(), resolve) {
        Ok(file) => file,
        Err(Errno::NOENT | Errno::NOTDIR) => return Ok(Found::Absent),
        // A link, another file system, a socket, a FIFO or device without its other side.
        Err(Errno::LOOP | Errno::XDEV | Errno::NXIO | Errno::NODEV) => {
            return Ok(Found::NotRegular);
        }
        Err(errno) => return Err(errno).at(stage, path),
    };
    let status = fstat(&file).at(stage, path)?;
    if FileType::from_raw_mode(status.st_mode) != FileType::RegularFile || status.st_nlink != 1 {
        return Ok(Found::NotRegular);
    }
    Ok(Found::File(file, status))
}

/// Looks for `probe` in `workspace`; reads at most one byte more than expected.
pub(crate) fn observe(workspace: BorrowedFd<'_>, probe: &Probe) -> Result<ProbeState, Fault> {
    let file = match find(workspace, &probe.file_name, Stage::Probe)? {
        Found::File(file, _) => file,
        Found::Absent => return Ok(ProbeState::Absent),
        Found::NotRegular => return Ok(ProbeState::NotRegular),
    };
    let mut found = vec![0_u8; probe.content.len() + 1];
    let mut length = 0;
    while length < found.len() {
        match rustix::io::read(&file, &mut found[length..]).at(Stage::Probe, &probe.file_name)? {
            0 => break,
            got => length += got,
        }
    }
    Ok(if equal(&found[..length], &probe.content) {
        ProbeState::Observed
    } else {
        ProbeState::Differs
    })
}

/// Compares in a time that depends on the lengths only.
fn equal(left: &[u8], right: &[u8]) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .fold(0, |difference, (a, b)| difference | (a ^ b))
            == 0
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd;

    use super::*;

    #[test]
    fn only_a_lone_regular_file_with_the_content_is_the_probe() {
        let folder = std::env::temp_dir().join(format!("assay-probe-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = |name: &str| folder.join(name);
        std::fs::write(path("good"), "secret").unwrap();
        std::fs::write(path("long"), "secret!").unwrap();
        std::fs::write(path("short"), "secre").unwrap();
        std::fs::write(path("wrong"), "sEcret").unwrap();
        std::fs::write(path("linked"), "secret").unwrap();
        std::fs::hard_link(path("linked"), path("second")).unwrap();
        std::os::unix::fs::symlink("good", path("symlink")).unwrap();
        std::fs::create_dir(path("folder")).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            path("fifo"),
            FileType::Fifo,
            Mode::from_raw_mode(0o600),
            0,
        )
        .unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
        let handle = std::fs::File::open(&folder).unwrap();
        for (name, state) in [
            ("good", ProbeState::Observed),
            ("long", ProbeState::Differs),
            ("short", ProbeState::Differs),
            ("wrong", ProbeState::Differs),
            ("linked", ProbeState::NotRegular),
            ("symlink", ProbeState::NotRegular),
            ("folder", ProbeState::NotRegular),
            ("fifo", ProbeState::NotRegular),
            ("socket", ProbeState::NotRegular),
            ("nothing", ProbeState::Absent),
            ("../escape", ProbeState::NotRegular),
        ] {
            let probe = Probe {
                file_name: name.into(),
                content: b"secret".to_vec(),
            };
            assert_eq!(observe(handle.as_fd(), &probe), Ok(state), "{name}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
