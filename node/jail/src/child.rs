//! What runs between `clone3` and `execve`: the run's init seals itself, forks the agent process and waits for it.
//!
//! Everything here works on data that the launcher has prepared: no allocation, no lock, no unwinding. The init (process 1 of the run's
//! pid namespace) stays, so that the agent is an ordinary process: signals it sends itself work, orphans are reaped, and the agent's
//! end, whatever its kind, is seen and ends everything it left behind.

use std::ffi::{CStr, c_char};
use std::os::fd::BorrowedFd;

use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;
use rustix::mount::{MoveMountFlags, move_mount};
use rustix::process::{Resource, Rlimit, Signal, WaitOptions};
use rustix::thread::{
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, CpuSet, Gid, Uid, UnshareFlags,
};

use crate::proto::Exit;
use crate::record::{self, Record};
use crate::stage::Stage;
use crate::sys;

/// The launcher keeps every number below occupied, so that nothing in use can be replaced by the agent's descriptors.
pub(crate) const FIRST_OWN_FD: i32 = 10;

/// Exit code of a run's own process after it has reported a failed step.
const FAILED: i32 = 125;

/// Everything a run's processes need, prepared by the launcher.
pub(crate) struct Plan<'run> {
    /// Detached mounts and where they go, outer ones first.
    pub(crate) mounts: [(BorrowedFd<'run>, &'static CStr); 4],
    /// stdin, stdout, stderr and, for the runner, report and task: numbers 0 to 4 of the agent process.
    pub(crate) streams: &'run [BorrowedFd<'run>],
    /// Where records go.
    pub(crate) records: BorrowedFd<'run>,
    /// Where "go" comes from, and its other end, which must not be kept.
    pub(crate) go: BorrowedFd<'run>,
    pub(crate) go_sender: BorrowedFd<'run>,
    /// The host's `/proc`.
    pub(crate) proc: BorrowedFd<'run>,
    /// A `cgroup.procs` to enter by writing.
    pub(crate) attach: Option<BorrowedFd<'run>>,
    pub(crate) landlock: Option<BorrowedFd<'run>>,
    pub(crate) filter: &'run [libc::sock_filter],
    pub(crate) limits: &'run [(Resource, Rlimit)],
    pub(crate) cpus: Option<&'run CpuSet>,
    pub(crate) user: u32,
    pub(crate) program: &'run CStr,
    pub(crate) arguments: &'run [*const c_char],
    pub(crate) environment: &'run [*const c_char],
}

/// The first process of a run. Never returns.
pub(crate) fn init(plan: &Plan<'_>) -> ! {
    if let Err((stage, errno)) = seal(plan) {
        give_up(plan, stage, errno);
    }
    match sys::fork() {
        Ok(0) => agent(plan),
        Ok(pid) => reap_until_ended(plan, pid),
        Err(errno) => give_up(plan, Stage::Clone, errno),
    }
}

fn give_up(plan: &Plan<'_>, stage: Stage, errno: Errno) -> ! {
    let _nobody_left_to_tell =
        record::send(plan.records, Record::Failed(stage, errno.raw_os_error()));
    sys::exit_now(FAILED)
}

type Step = Result<(), (Stage, Errno)>;

fn at<T>(stage: Stage, result: rustix::io::Result<T>) -> Result<T, (Stage, Errno)> {
    result.map_err(|errno| (stage, errno))
}

/// Everything that needs privilege, then giving all privilege away.
fn seal(plan: &Plan<'_>) -> Step {
    die_with_parent()?;
    if let Some(procs) = plan.attach {
        at(Stage::CgroupSetup, rustix::io::write(procs, b"0"))?;
    }
    at(Stage::Identity, sys::default_signals())?;
    for (mount, place) in plan.mounts {
        at(
            Stage::Mount,
            move_mount(
                mount,
                c"",
                CWD,
                place,
                MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH,
            ),
        )?;
    }
    at(Stage::Identity, rustix::system::sethostname(b"sandbox"))?;
    at(Stage::Identity, rustix::process::setsid())?;
    if let Some(cpus) = plan.cpus {
        at(
            Stage::Affinity,
            rustix::thread::sched_setaffinity(None, cpus),
        )?;
    }
    offer_to_oom_killer(plan.proc)?;
    for (resource, limit) in plan.limits {
        at(
            Stage::Rlimits,
            rustix::process::setrlimit(*resource, *limit),
        )?;
    }
    let (user, group) = (Uid::from_raw(plan.user), Gid::from_raw(plan.user));
    at(Stage::User, rustix::thread::set_thread_groups(&[]))?;
    at(
        Stage::User,
        rustix::thread::set_thread_res_gid(group, group, group),
    )?;
    at(
        Stage::User,
        rustix::thread::set_thread_res_uid(user, user, user),
    )?;
    at(Stage::User, sys::unshare(UnshareFlags::NEWUSER))?;
    // Entering a user namespace fills every capability set again, so they are emptied here and not before.
    drop_capabilities()?;
    // A change of user clears the death signal.
    die_with_parent()?;
    rustix::process::umask(Mode::from_raw_mode(0o022));
    at(Stage::Mount, rustix::process::chdir(c"/task/workspace"))
}

fn die_with_parent() -> Step {
    at(
        Stage::DeathSignal,
        rustix::process::set_parent_process_death_signal(Some(Signal::KILL)),
    )
}

fn offer_to_oom_killer(proc: BorrowedFd<'_>) -> Step {
    let file = at(
        Stage::OomScore,
        rustix::fs::openat(
            proc,
            c"self/oom_score_adj",
            OFlags::WRONLY | OFlags::CLOEXEC,
            Mode::empty(),
        ),
    )?;
    at(Stage::OomScore, rustix::io::write(&file, b"1000")).map(drop)
}

fn drop_capabilities() -> Step {
    let locked = CapabilitiesSecureBits::NO_ROOT
        | CapabilitiesSecureBits::NO_ROOT_LOCKED
        | CapabilitiesSecureBits::NO_SETUID_FIXUP
        | CapabilitiesSecureBits::NO_SETUID_FIXUP_LOCKED
        | CapabilitiesSecureBits::KEEP_CAPS_LOCKED
        | CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE
        | CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE_LOCKED;
    at(
        Stage::Capabilities,
        rustix::thread::set_capabilities_secure_bits(locked),
    )?;
    for bit in 0..64 {
        match rustix::thread::remove_capability_from_bounding_set(CapabilitySet::from_bits_retain(
            1 << bit,
        )) {
            Ok(()) => {}
            // The first number that this kernel does not know ends the list.
            Err(Errno::INVAL) if bit > 0 => break,
            Err(errno) => return Err((Stage::Capabilities, errno)),
        }
    }
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    at(
        Stage::Capabilities,
        rustix::thread::set_capabilities(None, none),
    )?;
    at(
        Stage::Capabilities,
        rustix::thread::clear_ambient_capability_set(),
    )
}

/// The process that becomes the interpreter.
fn agent(plan: &Plan<'_>) -> ! {
    let (stage, errno) = match launch(plan) {
        Ok(errno) => (Stage::Exec, errno),
        Err(failure) => failure,
    };
    give_up(plan, stage, errno)
}

/// Returns only when something failed.
fn launch(plan: &Plan<'_>) -> Result<Errno, (Stage, Errno)> {
    sys::close_copy(plan.go_sender);
    let mut next = 0;
    for stream in plan.streams {
        at(Stage::Descriptors, sys::duplicate_onto(*stream, next))?;
        next += 1;
    }
    at(
        Stage::Descriptors,
        sys::close_on_exec_from(next.cast_unsigned()),
    )?;
    at(Stage::Handshake, record::send(plan.records, Record::Ready))?;
    let mut go = [0_u8; 1];
    // No byte means that the launcher is gone.
    if at(Stage::Handshake, rustix::io::read(plan.go, &mut go))? != 1 {
        sys::exit_now(FAILED);
    }
    at(Stage::NoNewPrivs, rustix::thread::set_no_new_privs(true))?;
    if let Some(ruleset) = plan.landlock {
        at(Stage::Landlock, sys::restrict_with_landlock(ruleset))?;
    }
    at(Stage::Seccomp, sys::install_filter(plan.filter))?;
    Ok(sys::execute(plan.program, plan.arguments, plan.environment))
}

/// Reaps until the agent process ends, tells how, and ends the whole pid namespace by ending itself.
fn reap_until_ended(plan: &Plan<'_>, agent: i32) -> ! {
    if let Err(errno) = sys::close_all_but(plan.records) {
        give_up(plan, Stage::Descriptors, errno);
    }
    loop {
        match rustix::process::wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid.as_raw_nonzero().get() == agent => {
                let exit = match (status.exit_status(), status.terminating_signal()) {
                    (Some(code), _) => Exit::Code(code),
                    (None, Some(signal)) => Exit::Signal(signal),
                    (None, None) => continue,
                };
                let _launcher_gone = record::send(plan.records, Record::Ended(exit));
                sys::exit_now(0);
            }
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => give_up(plan, Stage::Supervise, errno),
        }
    }
}
