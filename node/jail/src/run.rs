//! One run from its request to its account.

use std::ffi::{CStr, CString, c_char};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::ptr;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, Mode, OFlags};
use rustix::pipe::{PipeFlags, pipe_with};

use crate::account;
use crate::capture::Capture;
use crate::cgroup::SlotGroups;
use crate::child::Plan;
use crate::handover;
use crate::landlock::Anchors;
use crate::limits::Rlimits;
use crate::probe;
use crate::process::Process;
use crate::program;
use crate::proto::{ProbeState, Program, RunReply, RunRequest};
use crate::record::{self, Record};
use crate::scratch::{Inputs, Scratch};
use crate::stage::{AtStage, Fault, Stage};
use crate::supervise::{Watch, micros};
use crate::warm::Runner;

/// The environment of every agent (the agent contract).
const ENVIRONMENT: [&CStr; 6] = [
    c"PATH=/usr/bin:/bin",
    c"HOME=/task/workspace",
    c"TMPDIR=/tmp",
    c"LANG=C.UTF-8",
    c"TZ=UTC",
    c"PYTHONHASHSEED=0",
];
/// How long the run's processes may take to seal themselves.
const SEAL_TIMEOUT: Timespec = Timespec {
    tv_sec: 30,
    tv_nsec: 0,
};

/// What a launcher has made once for all its runs.
pub(crate) struct Slot {
    pub(crate) groups: Box<dyn SlotGroups>,
    pub(crate) proc: OwnedFd,
    pub(crate) null: OwnedFd,
    pub(crate) anchors: Option<Anchors>,
    pub(crate) filter: Vec<libc::sock_filter>,
    pub(crate) python: CString,
    pub(crate) runner: Runner,
    pub(crate) cpus: Option<rustix::thread::CpuSet>,
    pub(crate) parallelism: u64,
    pub(crate) user: u32,
    pub(crate) buffer: Vec<u8>,
}

impl Slot {
    /// Executes one run. The second value is the memory file that the report was written to.
    pub(crate) fn run(
        &mut self,
        request: &RunRequest,
        inputs: Inputs,
        host: BorrowedFd<'_>,
    ) -> Result<(RunReply, OwnedFd), Fault> {
        let started = Instant::now();
        let limits = &request.limits;
        let own_executable = request.program.is_executable();
        let scratch = Scratch::prepare(
            limits,
            &request.program,
            self.user,
            &self.runner,
            &inputs,
            &mut self.buffer,
        )?;
        let mut group = self.groups.begin(limits, scratch.input_bytes)?;
        let (mut stdout, out) = Capture::new(limits.output_keep_bytes)?;
        let (mut stderr, err) = Capture::new(limits.output_keep_bytes)?;
        let report = rustix::fs::memfd_create("report", MemfdFlags::CLOEXEC)
            .at(Stage::Report, "memfd_create")?;
        let (records, records_in) =
            pipe_with(PipeFlags::CLOEXEC).at(Stage::Descriptors, "record pipe")?;
        let (go_out, go) = pipe_with(PipeFlags::CLOEXEC).at(Stage::Descriptors, "go pipe")?;
        let writable = [scratch.workspace.as_fd(), scratch.tmp.as_fd()];
        let landlock = match &self.anchors {
            Some(anchors) => anchors.ruleset(writable, own_executable)?,
            None => None,
        };
        let rlimits = Rlimits::of(limits);
        let command = program::command(&request.program, &self.python, self.runner.path)?;
        let arguments = pointers(command.iter().map(CString::as_c_str));
        let environment = pointers(ENVIRONMENT.into_iter());
        let streams = [
            self.null.as_fd(),
            out.as_fd(),
            err.as_fd(),
            report.as_fd(),
            inputs.task.as_fd(),
        ];
        let entry = group.entry();
        let plan = Plan {
            mounts: [
                (scratch.task.as_fd(), c"/task"),
                (scratch.artifact.as_fd(), c"/task/artifact"),
                (scratch.workspace.as_fd(), c"/task/workspace"),
                (scratch.tmp.as_fd(), c"/tmp"),
            ],
            streams: if own_executable {
                &streams[..3]
            } else {
                &streams
            },
            records: records_in.as_fd(),
            go: go_out.as_fd(),
            go_sender: go.as_fd(),
            proc: self.proc.as_fd(),
            attach: entry.attach,
            landlock: landlock.as_ref().map(AsFd::as_fd),
            filter: &self.filter,
            limits: rlimits.as_slice(),
            cpus: self.cpus.as_ref(),
            user: self.user,
            program: &command[0],
            arguments: &arguments,
            environment: &environment,
        };
        let mut process = Process::start(&plan, entry.into)?;
        drop((out, err, records_in, go_out, landlock, inputs));
        await_ready(&records)?;
        process.map_user(self.proc.as_fd(), self.user)?;
        rustix::io::ioctl_fionbio(&records, true).at(Stage::Handshake, "record pipe")?;
        let cpu_before = group.cpu_us()?;
        let wait_before = group.wait_us();
        let setup_us = micros(started.elapsed());
        let begun = Instant::now();
        rustix::io::write(&go, b"g").at(Stage::Handshake, "go")?;
        drop(go);
        let watch = Watch {
            process: &mut process,
            group: &*group,
            records: &records,
            stdout: &mut stdout,
            stderr: &mut stderr,
            host,
            limits,
            own_executable,
            cpus: self.parallelism,
            cpu_before,
            buffer: &mut self.buffer,
        };
        let watched = watch.until_dead(begun)?;
        account::assert_dead(&*group)?;
        let probe = match &request.probe {
            Some(probe) => probe::observe(scratch.workspace.as_fd(), probe)?,
            None => ProbeState::NotAsked,
        };
        if let Program::Executable { path } = &request.program {
            match watched.refused {
                Some(errno) => handover::refused(scratch.task.as_fd(), path, errno, &report)?,
                None => {
                    let (workspace, limit) = (scratch.workspace.as_fd(), limits.report_bytes);
                    handover::collect(workspace, limit, &report, &mut self.buffer)?;
                }
            }
        }
        // The scratch memory is given back before anything else is allocated.
        drop(scratch);
        let before = account::Before {
            cpu_us: cpu_before,
            wait_us: wait_before,
            setup_us,
        };
        let reply = account::reply(limits, watched, &*group, &before, probe, stdout, stderr)?;
        group.finish()?;
        Ok((reply, report))
    }
}

fn pointers<'text>(texts: impl Iterator<Item = &'text CStr>) -> Vec<*const c_char> {
    texts
        .map(|text| text.as_ptr())
        .chain([ptr::null()])
        .collect()
}

/// Waits until the agent process is sealed and blocked.
fn await_ready(records: &OwnedFd) -> Result<(), Fault> {
    let mut fds = [PollFd::new(records, PollFlags::IN)];
    let ready = rustix::io::retry_on_intr(|| poll(&mut fds, Some(&SEAL_TIMEOUT)))
        .at(Stage::Handshake, "wait for the seal")?;
    if ready == 0 {
        return Err(Fault::new(
            Stage::Handshake,
            "the run's processes did not seal themselves in time",
        ));
    }
    match record::receive(records)? {
        Some(Record::Ready) => Ok(()),
        Some(Record::Failed(stage, errno)) => Err(Fault {
            stage,
            errno,
            detail: "in the run's own process".to_owned(),
        }),
        Some(Record::Ended(exit)) => Err(Fault::new(
            Stage::Handshake,
            format!("the agent process ended while sealing: {exit:?}"),
        )),
        None => Err(Fault::new(
            Stage::Handshake,
            "the run's init died while sealing",
        )),
    }
}

/// An empty standard input.
pub(crate) fn open_null() -> Result<OwnedFd, Fault> {
    rustix::fs::open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())
        .at(Stage::Devices, "/dev/null")
}
