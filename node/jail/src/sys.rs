//! The few system calls that no safe wrapper covers. Everything here is a plain call with checked results.
#![expect(
    unsafe_code,
    reason = "clone3, fork, execve, close_range, seccomp and Landlock have no safe wrapper"
)]

use std::ffi::{CStr, c_char};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr;

use rustix::io::{Errno, Result};

/// `struct mount_attr` of `mount_setattr`.
#[repr(C)]
struct MountAttr {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

/// `struct sock_fprog` of a filter.
#[repr(C)]
struct FilterProgram {
    length: u16,
    instructions: *const libc::sock_filter,
}

/// One side of a `clone3`.
pub(crate) enum Cloned {
    /// In the new process.
    Child,
    /// In the caller: the new process's id and a descriptor that stands for it.
    Parent(i32, OwnedFd),
}

fn last_error() -> Errno {
    Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::IO)
}

fn checked(result: libc::c_long) -> Result<libc::c_long> {
    if result < 0 {
        Err(last_error())
    } else {
        Ok(result)
    }
}

/// Starts a process in new pid, mount, IPC, UTS and cgroup namespaces, with default signal handlers, inside a cgroup when one is given.
/// The caller must have a single thread, so that the copy of its memory is whole.
pub(crate) fn clone_into_namespaces(cgroup: Option<BorrowedFd<'_>>) -> Result<Cloned> {
    const CLONE_CLEAR_SIGHAND: u64 = 0x1_0000_0000;
    const CLONE_INTO_CGROUP: u64 = 0x2_0000_0000;
    let namespaces = libc::CLONE_NEWPID
        | libc::CLONE_NEWNS
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWCGROUP
        | libc::CLONE_PIDFD;
    let mut pidfd: libc::c_int = -1;
    // SAFETY: `clone_args` is a plain C struct for which all zeroes is the documented "nothing asked".
    let mut args: libc::clone_args = unsafe { std::mem::zeroed() };
    args.flags = u64::from(namespaces.cast_unsigned()) | CLONE_CLEAR_SIGHAND;
    args.pidfd = ptr::from_mut(&mut pidfd) as u64;
    args.exit_signal = libc::SIGCHLD.cast_unsigned().into();
    if let Some(cgroup) = cgroup {
        args.flags |= CLONE_INTO_CGROUP;
        args.cgroup = u64::from(cgroup.as_raw_fd().cast_unsigned());
    }
    // SAFETY: without CLONE_VM the child works on its own copy of memory and stack, as after fork; `args` outlives the call and its
    // size is passed; the caller is single-threaded, so no lock is held by a thread that does not exist in the child.
    let pid = checked(unsafe {
        libc::syscall(
            libc::SYS_clone3,
            ptr::from_ref(&args),
            size_of::<libc::clone_args>(),
        )
    })?;
    if pid == 0 {
        return Ok(Cloned::Child);
    }
    // SAFETY: the kernel has just made this descriptor for us and nobody else knows it.
    Ok(Cloned::Parent(i32::try_from(pid).unwrap_or(-1), unsafe {
        OwnedFd::from_raw_fd(pidfd)
    }))
}

/// Plain fork of a single-threaded process; 0 in the child.
pub(crate) fn fork() -> Result<i32> {
    // SAFETY: as in `clone_into_namespaces`: no shared memory and a single thread. The raw call skips libc's at-fork handlers, which
    // have nothing to do here, and `exit_signal` is all that is asked for.
    let pid = checked(unsafe { libc::syscall(libc::SYS_clone, libc::SIGCHLD, 0, 0, 0, 0) })?;
    Ok(i32::try_from(pid).unwrap_or(-1))
}

/// Ends this process at once, without destructors or buffers.
pub(crate) fn exit_now(code: i32) -> ! {
    // SAFETY: `_exit` touches no memory of ours.
    unsafe { libc::_exit(code) }
}

/// Replaces the program. Returns only when that failed.
pub(crate) fn execute(
    program: &CStr,
    arguments: &[*const c_char],
    environment: &[*const c_char],
) -> Errno {
    debug_assert!(
        arguments.last().is_some_and(|last| last.is_null())
            && environment.last().is_some_and(|last| last.is_null())
    );
    // SAFETY: both lists end with a null pointer and their strings are owned by the caller for the whole call.
    unsafe { libc::execve(program.as_ptr(), arguments.as_ptr(), environment.as_ptr()) };
    last_error()
}

/// Leaves the namespaces named by `flags` (`CLONE_NEW*`); descriptors stay shared.
pub(crate) fn unshare(flags: rustix::thread::UnshareFlags) -> Result<()> {
    // SAFETY: `UnshareFlags::FILES` is never passed by this crate, so no descriptor changes its owner.
    unsafe { rustix::thread::unshare_unsafe(flags) }
}

/// Marks every descriptor from `first` on as close-on-exec.
pub(crate) fn close_on_exec_from(first: u32) -> Result<()> {
    // SAFETY: the call only changes flags of descriptors.
    checked(unsafe {
        libc::syscall(
            libc::SYS_close_range,
            first,
            u32::MAX,
            libc::CLOSE_RANGE_CLOEXEC,
        )
    })
    .map(drop)
}

/// Closes every descriptor but one.
pub(crate) fn close_all_but(kept: BorrowedFd<'_>) -> Result<()> {
    let kept = kept.as_raw_fd().cast_unsigned();
    // SAFETY: only used by the init of a run, which owns no descriptor through any value that it will still use or drop.
    unsafe {
        if kept > 0 {
            checked(libc::syscall(libc::SYS_close_range, 0, kept - 1, 0))?;
        }
        checked(libc::syscall(libc::SYS_close_range, kept + 1, u32::MAX, 0)).map(drop)
    }
}

/// Closes a descriptor of a copied process whose owner lives in the original.
pub(crate) fn close_copy(descriptor: BorrowedFd<'_>) {
    // SAFETY: called only in a child that leaves by exec or exit, so no owner's destructor runs here.
    unsafe { libc::close(descriptor.as_raw_fd()) };
}

/// Makes `number` refer to what `descriptor` refers to, without close-on-exec.
pub(crate) fn duplicate_onto(descriptor: BorrowedFd<'_>, number: i32) -> Result<()> {
    // SAFETY: the launcher keeps the low numbers occupied by placeholders that nothing uses, so no owned descriptor is replaced.
    checked(unsafe { libc::dup2(descriptor.as_raw_fd(), number) }.into()).map(drop)
}

/// Gives SIGPIPE its default action and empties the signal mask: Rust's start-up ignores SIGPIPE, and ignoring is inherited.
pub(crate) fn default_signals() -> Result<()> {
    // SAFETY: no handler is installed, only the default action; `set` is initialised by `sigemptyset` before use.
    unsafe {
        if libc::signal(libc::SIGPIPE, libc::SIG_DFL) == libc::SIG_ERR {
            return Err(last_error());
        }
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        checked(libc::sigprocmask(libc::SIG_SETMASK, &raw const set, ptr::null_mut()).into())
            .map(drop)
    }
}

/// Makes a mount (and, when `recursive`, all below it) read-only or changes other attributes. An empty path means `folder` itself.
pub(crate) fn set_mount_attributes(
    folder: BorrowedFd<'_>,
    path: &CStr,
    set: u64,
    private: bool,
) -> Result<()> {
    let attr = MountAttr {
        set,
        clear: 0,
        propagation: if private { libc::MS_PRIVATE } else { 0 },
        user_namespace: 0,
    };
    // SAFETY: `path` is a C string and `attr` a `struct mount_attr` of the size that is passed; both outlive the call.
    checked(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            folder.as_raw_fd(),
            path.as_ptr(),
            libc::AT_EMPTY_PATH,
            ptr::from_ref(&attr),
            size_of::<MountAttr>(),
        )
    })
    .map(drop)
}

/// Applies a prepared Landlock ruleset to this thread.
pub(crate) fn restrict_with_landlock(ruleset: BorrowedFd<'_>) -> Result<()> {
    // SAFETY: takes a descriptor and no pointers.
    checked(unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0) })
        .map(drop)
}

/// The Landlock ABI of the running kernel.
pub(crate) fn landlock_abi() -> Option<u32> {
    const VERSION: libc::c_ulong = 1;
    // SAFETY: with this flag the call takes no ruleset (null, size 0) and returns a number.
    let abi = unsafe {
        libc::syscall(
            libc::SYS_landlock_create_ruleset,
            ptr::null::<u8>(),
            0_usize,
            VERSION,
        )
    };
    u32::try_from(abi).ok().filter(|abi| *abi > 0)
}

/// Installs a system call filter for this process.
pub(crate) fn install_filter(instructions: &[libc::sock_filter]) -> Result<()> {
    let length = u16::try_from(instructions.len()).map_err(|_| Errno::INVAL)?;
    let program = FilterProgram {
        length,
        instructions: instructions.as_ptr(),
    };
    // SAFETY: `program` points at `length` instructions that outlive the call; the kernel copies and verifies them.
    checked(unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            0,
            ptr::from_ref(&program),
        )
    })
    .map(drop)
}
