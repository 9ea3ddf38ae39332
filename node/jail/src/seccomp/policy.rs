//! What each x86-64 system call number gets.

use libc::c_long;

/// Numbers from here on are unknown to this policy and answer ENOSYS, so that libraries fall back to older calls.
pub(super) const TABLE: usize = 472;

/// The verdict on one call number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Let it through.
    Allow,
    /// Fail it with this error number.
    Fail(u16),
    /// Let it through when an argument is one of a list; index into [`CHECKS`].
    Check(usize),
}

/// An argument test: `argument & mask` must be one of `values`; when `whole` the upper half must be zero as well.
pub(super) struct Check {
    pub(super) call: c_long,
    pub(super) argument: u32,
    pub(super) mask: u32,
    pub(super) whole: bool,
    pub(super) values: &'static [u32],
}

const ANY: u32 = u32::MAX;
/// Every namespace flag that `clone` understands (mount, cgroup, UTS, IPC, user, pid, network).
const NAMESPACES: u32 = 0x7E02_0000;

pub(super) const CHECKS: [Check; 7] = [
    Check {
        call: libc::SYS_clone,
        argument: 0,
        mask: NAMESPACES,
        whole: false,
        values: &[0],
    },
    // AF_UNIX pairs only; there is no way to make or name any other socket.
    Check {
        call: libc::SYS_socketpair,
        argument: 0,
        mask: ANY,
        whole: false,
        values: &[1],
    },
    // FIOCLEX, FIONCLEX, FIONREAD, FIONBIO, TCGETS, TIOCGWINSZ.
    Check {
        call: libc::SYS_ioctl,
        argument: 1,
        mask: ANY,
        whole: false,
        values: &[0x5451, 0x5450, 0x541B, 0x5421, 0x5401, 0x5413],
    },
    // Duplicate, flags, status flags, record locks (POSIX and open file description), pipe size, seals.
    Check {
        call: libc::SYS_fcntl,
        argument: 1,
        mask: ANY,
        whole: false,
        values: &[
            0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1031, 1032, 1033, 1034,
        ],
    },
    // Thread names, PR_GET_DUMPABLE, PR_CAPBSET_READ, PR_GET_NO_NEW_PRIVS, PR_SET_VMA.
    Check {
        call: libc::SYS_prctl,
        argument: 0,
        mask: ANY,
        whole: false,
        values: &[15, 16, 3, 23, 39, 0x5356_4D41],
    },
    // Reading limits only: no new limit may be given.
    Check {
        call: libc::SYS_prlimit64,
        argument: 2,
        mask: ANY,
        whole: true,
        values: &[0],
    },
    // The default execution domain, or asking for it.
    Check {
        call: libc::SYS_personality,
        argument: 0,
        mask: ANY,
        whole: false,
        values: &[0, ANY],
    },
];

/// Extended attributes do not exist here: copying tools expect this very answer.
const NO_ATTRIBUTES: [c_long; 12] = [
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_getxattr,
    libc::SYS_lgetxattr,
    libc::SYS_fgetxattr,
    libc::SYS_listxattr,
    libc::SYS_llistxattr,
    libc::SYS_flistxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
];

/// Calls that answer "no such call": libraries fall back to an older one that can be filtered, or do without.
const ABSENT: [c_long; 4] = [
    libc::SYS_clone3,
    libc::SYS_openat2,
    libc::SYS_futex_waitv,
    libc::SYS_process_mrelease,
];

/// The verdict for every number below [`TABLE`].
pub(super) fn table() -> [Verdict; TABLE] {
    let denied = Verdict::Fail(libc::EPERM as u16);
    let absent = Verdict::Fail(libc::ENOSYS as u16);
    let mut table = [denied; TABLE];
    // Numbers that the kernel never gave out, and those added after this list was written.
    for number in (335..424).chain(463..TABLE) {
        table[number] = absent;
    }
    let mut set = |calls: &[c_long], verdict| {
        for call in calls {
            if let Some(entry) = usize::try_from(*call)
                .ok()
                .and_then(|number| table.get_mut(number))
            {
                *entry = verdict;
            }
        }
    };
    set(ALLOWED, Verdict::Allow);
    set(&NO_ATTRIBUTES, Verdict::Fail(libc::ENOTSUP as u16));
    set(&ABSENT, absent);
    for (index, check) in CHECKS.iter().enumerate() {
        set(&[check.call], Verdict::Check(index));
    }
    table
}

/// Calls without conditions, by what they are for.
#[rustfmt::skip]
pub(super) const ALLOWED: &[c_long] = &[
    // Reading, writing, waiting for descriptors.
    libc::SYS_read, libc::SYS_write, libc::SYS_readv, libc::SYS_writev, libc::SYS_pread64, libc::SYS_pwrite64,
    libc::SYS_preadv, libc::SYS_pwritev, libc::SYS_preadv2, libc::SYS_pwritev2, libc::SYS_lseek, libc::SYS_sendfile,
    libc::SYS_copy_file_range, libc::SYS_splice, libc::SYS_tee, libc::SYS_poll, libc::SYS_ppoll, libc::SYS_select,
    libc::SYS_pselect6, libc::SYS_epoll_create, libc::SYS_epoll_create1, libc::SYS_epoll_ctl, libc::SYS_epoll_wait,
    libc::SYS_epoll_pwait, libc::SYS_epoll_pwait2, libc::SYS_eventfd, libc::SYS_eventfd2, libc::SYS_timerfd_create, libc::SYS_timerfd_settime,
    libc::SYS_timerfd_gettime, libc::SYS_signalfd, libc::SYS_signalfd4,
    // Descriptors.
    libc::SYS_open, libc::SYS_openat, libc::SYS_creat, libc::SYS_close, libc::SYS_close_range, libc::SYS_dup, libc::SYS_dup2,
    libc::SYS_dup3, libc::SYS_pipe, libc::SYS_pipe2, libc::SYS_flock, libc::SYS_memfd_create,
    // Files and folders: what may be touched is decided by mounts, modes and Landlock.
    libc::SYS_stat, libc::SYS_fstat, libc::SYS_lstat, libc::SYS_newfstatat, libc::SYS_statx, libc::SYS_statfs, libc::SYS_fstatfs,
    libc::SYS_access, libc::SYS_faccessat, libc::SYS_faccessat2, libc::SYS_getcwd, libc::SYS_chdir, libc::SYS_fchdir,
    libc::SYS_rename, libc::SYS_renameat, libc::SYS_renameat2, libc::SYS_mkdir, libc::SYS_mkdirat, libc::SYS_rmdir,
    libc::SYS_unlink, libc::SYS_unlinkat, libc::SYS_link, libc::SYS_linkat, libc::SYS_symlink, libc::SYS_symlinkat,
    libc::SYS_readlink, libc::SYS_readlinkat, libc::SYS_chmod, libc::SYS_fchmod, libc::SYS_fchmodat, libc::SYS_fchmodat2,
    libc::SYS_utime, libc::SYS_utimes, libc::SYS_utimensat, libc::SYS_futimesat, libc::SYS_truncate, libc::SYS_ftruncate,
    libc::SYS_fallocate, libc::SYS_fsync, libc::SYS_fdatasync, libc::SYS_sync_file_range, libc::SYS_fadvise64,
    libc::SYS_readahead, libc::SYS_getdents, libc::SYS_getdents64, libc::SYS_umask,
    // Memory.
    libc::SYS_mmap, libc::SYS_mprotect, libc::SYS_munmap, libc::SYS_mremap, libc::SYS_madvise, libc::SYS_msync, libc::SYS_brk,
    libc::SYS_mlock, libc::SYS_munlock, libc::SYS_membarrier,
    // Signals, timers, clocks.
    libc::SYS_rt_sigaction, libc::SYS_rt_sigprocmask, libc::SYS_rt_sigreturn, libc::SYS_rt_sigpending, libc::SYS_rt_sigtimedwait,
    libc::SYS_rt_sigqueueinfo, libc::SYS_rt_sigsuspend, libc::SYS_sigaltstack, libc::SYS_kill, libc::SYS_tkill, libc::SYS_tgkill,
    libc::SYS_pause, libc::SYS_alarm, libc::SYS_getitimer, libc::SYS_setitimer, libc::SYS_timer_create, libc::SYS_timer_settime,
    libc::SYS_timer_gettime, libc::SYS_timer_getoverrun, libc::SYS_timer_delete, libc::SYS_nanosleep, libc::SYS_clock_nanosleep,
    libc::SYS_clock_gettime, libc::SYS_clock_getres, libc::SYS_gettimeofday, libc::SYS_time, libc::SYS_times,
    libc::SYS_restart_syscall,
    // Processes and threads.
    libc::SYS_fork, libc::SYS_vfork, libc::SYS_execve, libc::SYS_execveat, libc::SYS_wait4, libc::SYS_waitid, libc::SYS_exit,
    libc::SYS_exit_group, libc::SYS_futex, libc::SYS_set_robust_list, libc::SYS_get_robust_list, libc::SYS_set_tid_address, libc::SYS_rseq,
    libc::SYS_arch_prctl, libc::SYS_sched_yield, libc::SYS_sched_getaffinity, libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler, libc::SYS_sched_get_priority_max, libc::SYS_sched_get_priority_min,
    libc::SYS_sched_rr_get_interval, libc::SYS_getpriority, libc::SYS_getcpu, libc::SYS_setpgid, libc::SYS_setsid,
    // Asking who and what one is.
    libc::SYS_getpid, libc::SYS_getppid, libc::SYS_gettid, libc::SYS_getuid, libc::SYS_geteuid, libc::SYS_getgid, libc::SYS_getegid,
    libc::SYS_getresuid, libc::SYS_getresgid, libc::SYS_getgroups, libc::SYS_getpgrp, libc::SYS_getpgid, libc::SYS_getsid,
    libc::SYS_getrlimit, libc::SYS_getrusage, libc::SYS_capget, libc::SYS_uname, libc::SYS_getrandom,
    // Using the two ends of a socket pair.
    libc::SYS_sendto, libc::SYS_recvfrom, libc::SYS_sendmsg, libc::SYS_recvmsg, libc::SYS_shutdown, libc::SYS_getsockopt,
    libc::SYS_setsockopt, libc::SYS_getsockname, libc::SYS_getpeername,
];
