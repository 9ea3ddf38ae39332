//! Turns what was watched and what the accounts say into the reply.

use std::time::Duration;

use crate::capture::Capture;
use crate::cgroup::{MemoryEnd, RunGroup};
use crate::proto::{Event, Exit, Limits, ProbeState, RunReply, Usage};
use crate::stage::{Fault, Stage};
use crate::supervise::Watched;

/// Accounts at "go".
pub(crate) struct Before {
    pub(crate) cpu_us: u64,
    pub(crate) wait_us: Option<u64>,
    pub(crate) setup_us: u64,
}

/// Makes sure that no process of the run is left: its last one has been reaped, but the group may learn of it a moment later.
pub(crate) fn assert_dead(group: &dyn RunGroup) -> Result<(), Fault> {
    for _ in 0..1000 {
        if !group.populated()? {
            return Ok(());
        }
        group.kill();
        std::thread::sleep(Duration::from_millis(1));
    }
    Err(Fault::new(
        Stage::Teardown,
        "the run's group still holds a process after its init died",
    ))
}

/// The reply of a dead run. Whatever the tree was killed for, an event is decided on the final account.
pub(crate) fn reply(
    limits: &Limits,
    watched: Watched,
    group: &dyn RunGroup,
    before: &Before,
    probe: ProbeState,
    stdout: Capture,
    stderr: Capture,
) -> Result<RunReply, Fault> {
    let usage = Usage {
        cpu_us: group.cpu_us()?.saturating_sub(before.cpu_us),
        wall_us: watched.wall_us,
        wait_us: group
            .wait_us()
            .zip(before.wait_us)
            .map(|(after, before)| after.saturating_sub(before)),
        setup_us: before.setup_us,
        memory_peak_bytes: group.memory_peak(),
        stdout_bytes: stdout.total(),
        stderr_bytes: stderr.total(),
    };
    let memory = group.memory_end(watched.out_of_memory)?;
    if memory == MemoryEnd::HostExhausted {
        return Err(Fault::new(
            Stage::Supervise,
            "the kernel killed a process of the run because the host is out of memory",
        ));
    }
    let exceeded = memory == MemoryEnd::Exceeded;
    let (events, measured) = events(limits, &usage, exceeded, &watched);
    let killed_by_us = watched.killed_for.is_some() || exceeded;
    let exit = match watched.exit {
        Some(exit) => exit,
        None if killed_by_us => Exit::Signal(libc::SIGKILL),
        None => {
            return Err(Fault::new(
                Stage::Supervise,
                "the run's init was killed from outside",
            ));
        }
    };
    Ok(RunReply {
        events,
        measured,
        exit,
        probe,
        usage,
        stdout: stdout.into_kept(),
        stderr: stderr.into_kept(),
    })
}

fn events(
    limits: &Limits,
    usage: &Usage,
    memory: bool,
    watched: &Watched,
) -> (Vec<Event>, Vec<String>) {
    let output = usage.stdout_bytes + usage.stderr_bytes;
    let mut found = Vec::new();
    let mut note = |passed: bool, event, text: String| {
        if passed {
            found.push((event, text));
        }
    };
    note(
        usage.cpu_us > limits.cpu_us,
        Event::CpuBudget,
        format!("cpu time {} us > {} us", usage.cpu_us, limits.cpu_us),
    );
    note(
        usage.wall_us > limits.wall_us,
        Event::WallBackstop,
        format!("wall time {} us > {} us", usage.wall_us, limits.wall_us),
    );
    note(
        memory,
        Event::Memory,
        format!("memory met its limit of {} bytes", limits.memory_bytes),
    );
    note(
        output > limits.output_flood_bytes,
        Event::OutputFlood,
        format!(
            "stdout and stderr {output} bytes > {} bytes",
            limits.output_flood_bytes
        ),
    );
    if let (Some(Exit::Signal(signal)), None, false) = (watched.exit, watched.killed_for, memory) {
        note(
            true,
            Event::Signal,
            format!("the agent process died of signal {signal}"),
        );
    }
    found.into_iter().unzip()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> Limits {
        Limits {
            cpu_us: 100,
            wall_us: 300,
            memory_bytes: 1,
            processes: 1,
            tmp_bytes: 1,
            workspace_bytes: 1,
            inodes: 1,
            file_bytes: 1,
            report_bytes: 1,
            output_keep_bytes: 1,
            output_flood_bytes: 10,
        }
    }

    fn usage(cpu_us: u64, wall_us: u64, stdout_bytes: u64) -> Usage {
        Usage {
            cpu_us,
            wall_us,
            wait_us: None,
            setup_us: 0,
            memory_peak_bytes: None,
            stdout_bytes,
            stderr_bytes: 0,
        }
    }

    #[test]
    fn a_limit_is_passed_above_it_and_not_at_it() {
        let watched = Watched {
            exit: Some(Exit::Code(0)),
            ..Watched::default()
        };
        assert_eq!(
            events(&limits(), &usage(100, 300, 10), false, &watched).0,
            []
        );
        assert_eq!(
            events(&limits(), &usage(101, 301, 11), true, &watched).0,
            [
                Event::CpuBudget,
                Event::WallBackstop,
                Event::Memory,
                Event::OutputFlood
            ]
        );
    }

    #[test]
    fn a_signal_counts_only_when_it_was_not_ours() {
        let died = |killed_for| Watched {
            exit: Some(Exit::Signal(9)),
            killed_for,
            ..Watched::default()
        };
        assert_eq!(
            events(&limits(), &usage(1, 1, 0), false, &died(None)).0,
            [Event::Signal]
        );
        assert_eq!(
            events(
                &limits(),
                &usage(1, 301, 0),
                false,
                &died(Some(Event::WallBackstop))
            )
            .0,
            [Event::WallBackstop]
        );
        assert_eq!(
            events(&limits(), &usage(1, 1, 0), true, &died(None)).0,
            [Event::Memory]
        );
    }
}
