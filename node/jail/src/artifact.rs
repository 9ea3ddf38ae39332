//! Copies an artifact folder into a file system of the run: sorted order, fixed times, owners and modes, so that nothing about a copy
//! tells where it comes from.

use std::ffi::CString;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{
    AtFlags, Dir, FileType, Mode, OFlags, Timespec, Timestamps, fstat, futimens, mkdirat, openat,
};

use crate::stage::{AtStage, Fault, Stage};

/// 2020-01-01T00:00:00Z.
const FIXED_TIME: Timespec = Timespec {
    tv_sec: 1_577_836_800,
    tv_nsec: 0,
};
/// Folders inside folders; a deeper artifact is refused rather than followed with ever more descriptors.
const MAX_DEPTH: usize = 64;

/// Copies the folder `from` into the folder `to` and returns how many bytes of whole pages that took.
pub(crate) fn copy(
    from: BorrowedFd<'_>,
    to: BorrowedFd<'_>,
    buffer: &mut [u8],
) -> Result<u64, Fault> {
    let pages = copy_folder(from, to, buffer, MAX_DEPTH)?;
    fix_folder_times(to)?;
    Ok(pages)
}

/// As [`fix_times`] for a folder that is only known by a path descriptor, such as the root of a detached mount.
pub(crate) fn fix_folder_times(folder: BorrowedFd<'_>) -> Result<(), Fault> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    fix_times(openat(folder, c".", flags, Mode::empty()).at(Stage::Artifact, "fixed times")?)
}

/// Gives a file or folder the fixed times.
pub(crate) fn fix_times(file: impl AsFd) -> Result<(), Fault> {
    futimens(
        file,
        &Timestamps {
            last_access: FIXED_TIME,
            last_modification: FIXED_TIME,
        },
    )
    .at(Stage::Artifact, "fixed times")
}

fn copy_folder(
    from: BorrowedFd<'_>,
    to: BorrowedFd<'_>,
    buffer: &mut [u8],
    depth: usize,
) -> Result<u64, Fault> {
    let mut names = Vec::new();
    for entry in Dir::read_from(from).at(Stage::Artifact, "list a folder")? {
        let entry = entry.at(Stage::Artifact, "list a folder")?;
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            names.push(entry.file_name().to_owned());
        }
    }
    names.sort();
    let mut pages = 0;
    for name in names {
        pages += copy_entry(from, to, &name, buffer, depth)?;
    }
    Ok(pages)
}

fn copy_entry(
    from: BorrowedFd<'_>,
    to: BorrowedFd<'_>,
    name: &CString,
    buffer: &mut [u8],
    depth: usize,
) -> Result<u64, Fault> {
    let shown = name.to_string_lossy();
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let source = openat(from, name, flags, Mode::empty()).at(Stage::Artifact, &shown)?;
    let status = fstat(&source).at(Stage::Artifact, &shown)?;
    match FileType::from_raw_mode(status.st_mode) {
        FileType::RegularFile => {
            let executable = status.st_mode & 0o100 != 0;
            let mode = Mode::from_raw_mode(if executable { 0o755 } else { 0o644 });
            let target = create_file(to, name, mode)?;
            copy_bytes(&source, &target, &shown, buffer)
        }
        FileType::Directory if depth > 0 => {
            let target = create_folder(to, name)?;
            let pages = copy_folder(source.as_fd(), target.as_fd(), buffer, depth - 1)?;
            fix_times(&target)?;
            Ok(pages)
        }
        FileType::Directory => Err(Fault::new(
            Stage::Artifact,
            format!("{shown}: more than {MAX_DEPTH} folders deep"),
        )),
        other => Err(Fault::new(
            Stage::Artifact,
            format!("{shown}: neither a file nor a folder but {other:?}"),
        )),
    }
}

/// Copies from the current position to the end, gives the target the fixed times, and returns its size in whole pages.
pub(crate) fn copy_bytes(
    source: &OwnedFd,
    target: &OwnedFd,
    shown: &str,
    buffer: &mut [u8],
) -> Result<u64, Fault> {
    let mut total = 0;
    loop {
        let got = rustix::io::read(source, &mut *buffer).at(Stage::Artifact, shown)?;
        if got == 0 {
            fix_times(target)?;
            return Ok(whole_pages(total));
        }
        write_all(target, &buffer[..got]).at(Stage::Artifact, shown)?;
        total += got as u64;
    }
}

/// Bytes of memory that a file of `length` bytes takes.
pub(crate) fn whole_pages(length: u64) -> u64 {
    length.next_multiple_of(4096)
}

/// Creates a file with exactly `mode`, whatever the umask.
pub(crate) fn create_file(folder: impl AsFd, name: &CString, mode: Mode) -> Result<OwnedFd, Fault> {
    let shown = name.to_string_lossy();
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = openat(folder, name, flags, mode).at(Stage::Artifact, &shown)?;
    rustix::fs::fchmod(&file, mode).at(Stage::Artifact, &shown)?;
    Ok(file)
}

/// Creates a folder with mode 0755 and opens it.
pub(crate) fn create_folder(parent: impl AsFd, name: &CString) -> Result<OwnedFd, Fault> {
    let shown = name.to_string_lossy();
    let mode = Mode::from_raw_mode(0o755);
    mkdirat(&parent, name, mode).at(Stage::Artifact, &shown)?;
    rustix::fs::chmodat(&parent, name, mode, AtFlags::empty()).at(Stage::Artifact, &shown)?;
    openat(
        &parent,
        name,
        OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC,
        Mode::empty(),
    )
    .at(Stage::Artifact, &shown)
}

/// Writes all bytes.
pub(crate) fn write_all(file: impl AsFd, mut bytes: &[u8]) -> rustix::io::Result<()> {
    while !bytes.is_empty() {
        let written = rustix::io::write(&file, bytes)?;
        bytes = &bytes[written..];
    }
    Ok(())
}
