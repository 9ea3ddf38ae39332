//! The launcher process: one per slot, small and single-threaded, so that starting a run is cheap whatever the size of the node.
//!
//! Its standard input is the socket to the host. It gets one [`Setup`], jails itself, and then serves one run after the other until the
//! host hangs up.

use std::ffi::CString;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{Mode, OFlags};
use rustix::process::Signal;
use rustix::thread::CpuSet;

use crate::child::FIRST_OWN_FD;
use crate::landlock::Anchors;
use crate::proto::{Limits, Ready, Reply, RunReply, RunRequest, Setup};
use crate::run::{Slot, open_null};
use crate::scratch::Inputs;
use crate::stage::{AtStage, Fault, Stage};
use crate::warm::{self, Runner};
use crate::wire::{self, WireError};
use crate::{cgroup, root, seccomp, sys};

/// Copy buffer: also what is read from an output pipe at once.
const BUFFER_BYTES: usize = 128 << 10;
/// Each launcher's runs have a user of their own, so that per-user limits of two slots never add up.
const FIRST_USER: u32 = 0x7000_0000;

/// The whole launcher process. Never returns; the exit code is 0 when the host hung up in an orderly way.
pub fn launcher_main() -> ! {
    let code = match own_descriptors().and_then(|socket| serve(&socket)) {
        Ok(code) => code,
        Err(fault) => {
            eprintln!("launcher: {fault}");
            1
        }
    };
    std::process::exit(code)
}

/// Moves the socket away from standard input and occupies every low number, so that nothing the launcher opens later has one.
fn own_descriptors() -> Result<OwnedFd, Fault> {
    let step = "take over standard input";
    let socket =
        rustix::io::fcntl_dupfd_cloexec(std::io::stdin(), FIRST_OWN_FD).at(Stage::Spawn, step)?;
    let null = rustix::fs::open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())
        .at(Stage::Spawn, "/dev/null")?;
    rustix::stdio::dup2_stdin(&null).at(Stage::Spawn, step)?;
    let mut placeholder = null;
    while std::os::fd::AsRawFd::as_raw_fd(&placeholder) < FIRST_OWN_FD {
        let next = rustix::io::fcntl_dupfd_cloexec(&placeholder, 0).at(Stage::Spawn, step)?;
        // Kept for the life of the process: it only holds its number.
        std::mem::forget(std::mem::replace(&mut placeholder, next));
    }
    Ok(socket)
}

/// Serves the host until it hangs up; the value is the exit code. What was reported to the host is not repeated on stderr.
fn serve(socket: &OwnedFd) -> Result<i32, Fault> {
    let (setup, _) = wire::receive::<Setup>(socket).map_err(protocol)?;
    let answer = prepare(&setup).and_then(|(mut slot, ready)| {
        warm::up(&mut slot, &setup.max, socket.as_fd())?;
        Ok((slot, ready))
    });
    let (mut slot, ready) = match answer {
        Ok((slot, ready)) => (slot, ready),
        Err(fault) => {
            wire::send(socket, &Reply::<Ready>::Err(fault), &[]).map_err(protocol)?;
            return Ok(1);
        }
    };
    wire::send(socket, &Reply::Ok(ready), &[]).map_err(protocol)?;
    loop {
        let (request, fds) = match wire::receive::<RunRequest>(socket) {
            Err(WireError::Closed) => return Ok(0),
            other => other.map_err(protocol)?,
        };
        let outcome = inputs(fds).and_then(|inputs| {
            within(&request.limits, &setup.max)?;
            slot.run(&request, inputs, socket.as_fd())
        });
        match outcome {
            Ok((reply, report)) => wire::send(socket, &Reply::Ok(reply), &[report.as_fd()]),
            Err(fault) => wire::send(socket, &Reply::<RunReply>::Err(fault), &[]),
        }
        .map_err(protocol)?;
    }
}

fn protocol(error: WireError) -> Fault {
    Fault::new(Stage::Protocol, error.to_string())
}

fn inputs(fds: Vec<OwnedFd>) -> Result<Inputs, Fault> {
    match <[OwnedFd; 3]>::try_from(fds) {
        Ok([agent, task, artifact]) => Ok(Inputs {
            agent,
            task,
            artifact,
        }),
        Err(fds) => Err(Fault::new(
            Stage::Protocol,
            format!("a run came with {} descriptors instead of 3", fds.len()),
        )),
    }
}

/// Refuses a run that asks for more than its slot may give.
fn within(asked: &Limits, max: &Limits) -> Result<(), Fault> {
    for (name, asked, max) in [
        ("cpu_us", asked.cpu_us, max.cpu_us),
        ("wall_us", asked.wall_us, max.wall_us),
        ("memory_bytes", asked.memory_bytes, max.memory_bytes),
        ("processes", asked.processes, max.processes),
        ("tmp_bytes", asked.tmp_bytes, max.tmp_bytes),
        (
            "workspace_bytes",
            asked.workspace_bytes,
            max.workspace_bytes,
        ),
        ("inodes", asked.inodes, max.inodes),
        ("file_bytes", asked.file_bytes, max.file_bytes),
        ("report_bytes", asked.report_bytes, max.report_bytes),
        (
            "output_keep_bytes",
            asked.output_keep_bytes,
            max.output_keep_bytes,
        ),
        (
            "output_flood_bytes",
            asked.output_flood_bytes,
            max.output_flood_bytes,
        ),
    ] {
        if asked > max {
            return Err(Fault::new(
                Stage::Protocol,
                format!("{name} {asked} is above the slot's {max}"),
            ));
        }
        // A file system size or inode count of 0 would mean "unlimited".
        if asked == 0 {
            return Err(Fault::new(Stage::Protocol, format!("{name} is 0")));
        }
    }
    Ok(())
}

/// Everything that is done once: death signal, control groups, jail, filter, Landlock anchors.
fn prepare(setup: &Setup) -> Result<(Slot, Ready), Fault> {
    tie_to_host(setup.host_pid)?;
    let mut notices = Vec::new();
    let python = CString::new(setup.python.as_str())
        .map_err(|_| Fault::new(Stage::Exec, "interpreter path with a nul byte"))?;
    let groups = cgroup::prepare(setup.cgroups, &mut notices)?;
    let proc = root::enter(&setup.runtime_root, &mut notices)?;
    rustix::fs::access(&python, rustix::fs::Access::EXEC_OK).at(Stage::Exec, &setup.python)?;
    let landlock_abi = sys::landlock_abi();
    if landlock_abi.is_none() {
        notices.push(
            "the kernel has no Landlock: mounts and modes alone keep agents to their folders"
                .to_owned(),
        );
    }
    let anchors = if landlock_abi.is_some() {
        Some(Anchors::open()?)
    } else {
        None
    };
    let filter = seccomp::compile();
    if !groups.accounts_wait() {
        notices.push("the kernel does not account waiting for a CPU (boot with psi=1)".to_owned());
    }
    let (cpus, parallelism) = affinity(setup.cpu)?;
    let ready = Ready {
        mode: groups.mode(),
        groups: groups
            .paths()
            .iter()
            .map(|path| path.display().to_string())
            .collect(),
        landlock_abi,
        seccomp_instructions: u32::try_from(filter.len()).unwrap_or(u32::MAX),
        wait_accounting: groups.accounts_wait(),
        notices,
    };
    let user = FIRST_USER + std::process::id();
    let slot = Slot {
        groups,
        proc,
        null: open_null()?,
        anchors,
        filter,
        python,
        runner: Runner::source(),
        cpus,
        parallelism,
        user,
        buffer: vec![0; BUFFER_BYTES],
    };
    Ok((slot, ready))
}

/// The launcher dies with the host.
fn tie_to_host(host: u32) -> Result<(), Fault> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
        .at(Stage::Spawn, "parent death signal")?;
    let parent = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get().cast_unsigned());
    if parent.is_some_and(|parent| parent != host) {
        return Err(Fault::new(Stage::Spawn, format!("the host {host} is gone")));
    }
    Ok(())
}

/// The CPUs that runs may use and how many they are.
fn affinity(cpu: Option<u32>) -> Result<(Option<CpuSet>, u64), Fault> {
    let allowed =
        rustix::thread::sched_getaffinity(None).at(Stage::Affinity, "sched_getaffinity")?;
    let Some(cpu) = cpu else {
        return Ok((None, u64::from(allowed.count()).max(1)));
    };
    let cpu = cpu as usize;
    if cpu >= CpuSet::MAX_CPU || !allowed.is_set(cpu) {
        return Err(Fault::new(
            Stage::Affinity,
            format!("cpu {cpu} is not allowed for this process"),
        ));
    }
    let mut one = CpuSet::new();
    one.set(cpu);
    Ok((Some(one), 1))
}
