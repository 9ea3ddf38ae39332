//! Watches a run until its last process is dead. The next look at the CPU account is never later than the budget could be used up, so
//! the overrun is bounded by the kill itself and not by a polling interval.

use std::os::fd::{BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::capture::Capture;
use crate::cgroup::RunGroup;
use crate::process::Process;
use crate::program::is_host_errno;
use crate::proto::{Event, Exit, Limits};
use crate::record::{self, Record};
use crate::stage::{AtStage, Fault, Stage};

/// Shortest wait between two looks.
const SHORTEST: u64 = 50;
/// A tree that is not dead so long after SIGKILL is stuck in the kernel.
const DEATH_TIMEOUT: Duration = Duration::from_secs(30);

/// What a watched run is made of.
pub(crate) struct Watch<'run> {
    pub(crate) process: &'run mut Process,
    pub(crate) group: &'run dyn RunGroup,
    pub(crate) records: &'run OwnedFd,
    pub(crate) stdout: &'run mut Capture,
    pub(crate) stderr: &'run mut Capture,
    /// Hangs up when the host is gone.
    pub(crate) host: BorrowedFd<'run>,
    pub(crate) limits: &'run Limits,
    /// What is executed is the agent's own file, so that a failure to do so is its own.
    pub(crate) own_executable: bool,
    /// How many CPUs the tree can use at once.
    pub(crate) cpus: u64,
    /// The CPU account at "go".
    pub(crate) cpu_before: u64,
    pub(crate) buffer: &'run mut [u8],
}

/// How a watched run ended.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    /// The limit for which the tree was killed.
    pub(crate) killed_for: Option<Event>,
    /// The end of the agent process, unless the tree was killed before.
    pub(crate) exit: Option<Exit>,
    /// The error number with which the agent's own executable could not be started.
    pub(crate) refused: Option<i32>,
    /// The memory controller signalled that the limit was met.
    pub(crate) out_of_memory: bool,
    /// From "go" to the end of the agent process or, when killed, of the tree.
    pub(crate) wall_us: u64,
}

impl Watch<'_> {
    /// Runs to the end. Outputs are drained and the process is reaped.
    pub(crate) fn until_dead(mut self, go: Instant) -> Result<Watched, Fault> {
        let mut seen = Watched::default();
        let mut killed_at: Option<Instant> = None;
        loop {
            let used = self.group.cpu_us()?.saturating_sub(self.cpu_before);
            let elapsed = micros(go.elapsed());
            if killed_at.is_none() {
                seen.killed_for = self.limit_passed(used, elapsed, &seen);
                if seen.killed_for.is_some() {
                    self.kill();
                    killed_at = Some(Instant::now());
                }
            } else if killed_at.is_some_and(|at| at.elapsed() > DEATH_TIMEOUT) {
                return Err(Fault::new(
                    Stage::Teardown,
                    "processes of the run do not die",
                ));
            }
            let left_of_wall = self.limits.wall_us.saturating_sub(elapsed);
            let left_of_cpu = self.limits.cpu_us.saturating_sub(used) / self.cpus;
            let wait = if killed_at.is_some() {
                1_000_000
            } else {
                left_of_cpu.min(left_of_wall).max(SHORTEST)
            };
            if self.wait(wait, killed_at.is_none(), &mut seen, go)? {
                break;
            }
        }
        self.process.reap()?;
        self.group.relax();
        if seen.exit.is_none() {
            // The record may have come together with the death.
            self.read_record(&mut seen, go)?;
        }
        if seen.exit.is_none() {
            seen.wall_us = micros(go.elapsed());
        }
        self.stdout.drain(self.buffer);
        self.stderr.drain(self.buffer);
        Ok(seen)
    }

    fn limit_passed(&self, used: u64, elapsed: u64, seen: &Watched) -> Option<Event> {
        let output = self.stdout.total() + self.stderr.total();
        [
            (used > self.limits.cpu_us, Event::CpuBudget),
            (elapsed > self.limits.wall_us, Event::WallBackstop),
            (seen.out_of_memory, Event::Memory),
            (output > self.limits.output_flood_bytes, Event::OutputFlood),
        ]
        .into_iter()
        .find_map(|(passed, event)| passed.then_some(event))
    }

    fn kill(&self) {
        self.process.kill();
        self.group.kill();
        self.group.relax();
    }

    /// Waits for the next thing to happen; true when the run's init is dead.
    fn wait(
        &mut self,
        micros: u64,
        watch_memory: bool,
        seen: &mut Watched,
        go: Instant,
    ) -> Result<bool, Fault> {
        let memory = self
            .group
            .oom_event()
            .filter(|_| watch_memory && !seen.out_of_memory);
        let records = seen.exit.is_none().then_some(self.records);
        let ignore = self.process.handle();
        let entry = |fd: Option<BorrowedFd<'_>>| match fd {
            Some(_) => PollFlags::IN,
            None => PollFlags::empty(),
        };
        let (stdout, stderr) = (
            self.stdout.waiting().map(std::os::fd::AsFd::as_fd),
            self.stderr.waiting().map(std::os::fd::AsFd::as_fd),
        );
        let records = records.map(std::os::fd::AsFd::as_fd);
        let mut fds = [
            PollFd::from_borrowed_fd(self.process.handle(), PollFlags::IN),
            PollFd::from_borrowed_fd(stdout.unwrap_or(ignore), entry(stdout)),
            PollFd::from_borrowed_fd(stderr.unwrap_or(ignore), entry(stderr)),
            PollFd::from_borrowed_fd(memory.unwrap_or(ignore), entry(memory)),
            PollFd::from_borrowed_fd(records.unwrap_or(ignore), entry(records)),
            PollFd::from_borrowed_fd(self.host, PollFlags::empty()),
        ];
        let timeout = Timespec {
            tv_sec: (micros / 1_000_000).cast_signed(),
            tv_nsec: (micros % 1_000_000 * 1000).cast_signed(),
        };
        match poll(&mut fds, Some(&timeout)) {
            Err(Errno::INTR) => return Ok(false),
            other => other.at(Stage::Supervise, "ppoll")?,
        };
        let happened = fds.map(|fd| !fd.revents().is_empty());
        let [dead, on_stdout, on_stderr, on_memory, on_record, host_gone] = happened;
        if host_gone {
            return Err(Fault::new(Stage::Protocol, "the host is gone"));
        }
        if on_memory && memory.is_some() {
            seen.out_of_memory = true;
        }
        if on_stdout && stdout.is_some() {
            self.stdout.read_some(self.buffer);
        }
        if on_stderr && stderr.is_some() {
            self.stderr.read_some(self.buffer);
        }
        if on_record && records.is_some() {
            self.read_record(seen, go)?;
        }
        Ok(dead)
    }

    fn read_record(&self, seen: &mut Watched, go: Instant) -> Result<(), Fault> {
        loop {
            match record::receive(self.records)? {
                Some(Record::Ended(exit)) => {
                    seen.exit = Some(exit);
                    seen.wall_us = micros(go.elapsed());
                }
                Some(Record::Failed(Stage::Exec, errno))
                    if self.own_executable && !is_host_errno(errno) =>
                {
                    seen.refused = Some(errno);
                }
                Some(Record::Failed(stage, errno)) => {
                    return Err(Fault {
                        stage,
                        errno,
                        detail: "in the run's own process".to_owned(),
                    });
                }
                Some(Record::Ready) => {
                    return Err(Fault::new(Stage::Handshake, "ready a second time"));
                }
                None => return Ok(()),
            }
        }
    }
}

pub(crate) fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
