//! The launcher's own jail, entered once per slot: a private mount namespace whose root is the runtime tree, read-only, with fresh
//! device nodes, and an empty network namespace.

use std::ffi::CString;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{CWD, FileType, Mode, OFlags};
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind, mount_change, unmount,
};
use rustix::thread::UnshareFlags;

use crate::stage::{AtStage, Fault, Stage};
use crate::sys;

/// Device nodes of a slot: name and minor number of character device 1.
pub(crate) const DEVICES: [(&str, u32); 5] = [
    ("null", 3),
    ("zero", 5),
    ("full", 7),
    ("random", 8),
    ("urandom", 9),
];

/// `MOUNT_ATTR_RDONLY`.
pub(crate) const READ_ONLY: u64 = 0x1;
/// `MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC`.
const INERT: u64 = 0x2 | 0x4 | 0x8;
/// `MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV`.
const NO_PRIVILEGE: u64 = 0x2 | 0x4;

/// Enters the jail. Returns the host's `/proc` as a descriptor: the only way back to it.
pub(crate) fn enter(tree: &str, notices: &mut Vec<String>) -> Result<OwnedFd, Fault> {
    let open = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let proc = rustix::fs::open("/proc", open, Mode::empty()).at(Stage::Root, "/proc")?;

    sys::unshare(UnshareFlags::NEWNS | UnshareFlags::NEWNET)
        .at(Stage::Namespace, "unshare(mount, network)")?;
    mount_change(
        "/",
        MountPropagationFlags::PRIVATE | MountPropagationFlags::REC,
    )
    .at(Stage::Namespace, "private mounts")?;
    rustix::process::chdir(tree).at(Stage::Root, tree)?;
    stack_overlay(tree)?;
    make_devices(notices)?;
    rustix::process::pivot_root(".", ".").at(Stage::Root, "pivot_root")?;
    unmount(".", UnmountFlags::DETACH).at(Stage::Root, "detach the old root")?;
    rustix::process::chdir("/").at(Stage::Root, "/")?;
    for (path, attributes) in [
        (c"/", READ_ONLY | NO_PRIVILEGE),
        (c"/dev", READ_ONLY | 0x2 | 0x8),
    ] {
        sys::set_mount_attributes(CWD, path, attributes, true).at(Stage::Root, "read-only root")?;
    }
    Ok(proc)
}

/// Mounts an overlay of the tree over a staging file system inside it and makes it the working directory. An overlay gives each slot
/// inodes of its own, so that file locks on runtime files are no channel between two runs. The lower folders are named relative to the
/// working directory, so that no host path shows in a mount table.
fn stack_overlay(tree: &str) -> Result<(), Fault> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("tmpfs", "./tmp", "tmpfs", flags, Some(c"mode=0755"))
        .at(Stage::Root, "staging file system on /tmp of the tree")?;
    for folder in ["./tmp/empty", "./tmp/root"] {
        rustix::fs::mkdir(folder, Mode::from_raw_mode(0o755)).at(Stage::Root, folder)?;
    }
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::RDONLY;
    mount(
        "overlay",
        "./tmp/root",
        "overlay",
        flags,
        Some(c"lowerdir=.:tmp/empty"),
    )
    .at(Stage::Root, &format!("overlay of {tree}"))?;
    rustix::process::chdir("./tmp/root").at(Stage::Root, "enter the overlay")
}

/// Fresh nodes on a small file system of the slot, because locks on a shared node are visible to everybody who has it open.
fn make_devices(notices: &mut Vec<String>) -> Result<(), Fault> {
    let flags = MountFlags::NOSUID | MountFlags::NOEXEC;
    mount(
        "tmpfs",
        "./dev",
        "tmpfs",
        flags,
        Some(c"mode=0755,size=64k,nr_inodes=16"),
    )
    .at(Stage::Devices, "/dev")?;
    let mode = Mode::from_raw_mode(0o666);
    for (name, minor) in DEVICES {
        let path = format!("./dev/{name}");
        let device = rustix::fs::makedev(1, minor);
        if rustix::fs::mknodat(CWD, &path, FileType::CharacterDevice, mode, device).is_ok() {
            rustix::fs::chmod(&path, mode).at(Stage::Devices, &path)?;
            continue;
        }
        rustix::fs::mknodat(CWD, &path, FileType::RegularFile, mode, 0)
            .at(Stage::Devices, &path)?;
        mount_bind(format!("/dev/{name}"), &path).at(Stage::Devices, &path)?;
        notices.push(format!(
            "/dev/{name} is shared with the host: mknod is not allowed here"
        ));
    }
    // POSIX shared memory and semaphores then live in the run's own /tmp, inside its limits.
    rustix::fs::symlink("/tmp", "./dev/shm").at(Stage::Devices, "/dev/shm")?;
    Ok(())
}

/// A detached, empty tmpfs; nothing can reach it by a path until a run attaches it. Programs in it can be started when `executable`.
pub(crate) fn detached_tmpfs(
    options: &[(&str, String)],
    executable: bool,
) -> Result<OwnedFd, Fault> {
    use rustix::mount::{
        FsMountFlags, FsOpenFlags, MountAttrFlags, fsconfig_create, fsconfig_set_string, fsmount,
        fsopen,
    };
    let context =
        fsopen("tmpfs", FsOpenFlags::FSOPEN_CLOEXEC).at(Stage::Scratch, "fsopen(tmpfs)")?;
    for (key, value) in options {
        let text = CString::new(value.as_str())
            .map_err(|_| Fault::new(Stage::Scratch, "option with a nul byte"))?;
        fsconfig_set_string(context.as_fd(), *key, text)
            .at(Stage::Scratch, &format!("tmpfs {key}={value}"))?;
    }
    fsconfig_create(context.as_fd()).at(Stage::Scratch, "fsconfig(create)")?;
    let bits = if executable { NO_PRIVILEGE } else { INERT };
    let attributes = MountAttrFlags::from_bits_retain(u32::try_from(bits).unwrap_or_default())
        | MountAttrFlags::MOUNT_ATTR_NOATIME;
    fsmount(context.as_fd(), FsMountFlags::FSMOUNT_CLOEXEC, attributes)
        .at(Stage::Scratch, "fsmount(tmpfs)")
}
