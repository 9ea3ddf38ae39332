//! How a run ended, and whose fault that was (SPEC.md; `mechanism.md §1, §4`).

use crate::fault::{Failure, Fault};
use crate::ids::TaskRef;
use crate::rational::Rational;
use crate::spec::Spec;
use crate::track::Track;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Something that ended or spoilt a run, as the sandbox or the round saw it. Several can come together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Ended for its CPU time.
    CpuBudget,
    /// Ended for its wall time.
    WallBackstop,
    /// Ended by the memory limit.
    Memory,
    /// Ended for its output.
    OutputFlood,
    /// Earlier runs had used up the agent's wall time.
    AgentWallCap,
    /// Died by a signal that no limit sent.
    Signal,
    /// Ended without a name of its own, and the control agent ran well.
    Disrupted,
}

impl Event {
    /// Every event, in the order of judgement.
    pub const ALL: [Event; 7] = [
        Event::CpuBudget,
        Event::WallBackstop,
        Event::Memory,
        Event::OutputFlood,
        Event::AgentWallCap,
        Event::Signal,
        Event::Disrupted,
    ];

    /// The failure that the event names.
    #[must_use]
    pub const fn failure(self) -> Failure {
        match self {
            Event::CpuBudget => Failure::CpuBudgetExceeded,
            Event::WallBackstop => Failure::WallBackstopExceeded,
            Event::Memory => Failure::MemoryLimitExceeded,
            Event::OutputFlood => Failure::OutputFlood,
            Event::AgentWallCap => Failure::AgentWallCap,
            Event::Signal => Failure::KilledBySignal,
            Event::Disrupted => Failure::SandboxDisrupted,
        }
    }
}

/// What the runner inside the sandbox reported of the entrypoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunnerFailure {
    /// There is no `agent_main`.
    EntrypointMissing,
    /// Loading the agent or calling it raised.
    EntrypointRaised,
}

impl RunnerFailure {
    /// The failure that it names.
    #[must_use]
    pub const fn failure(self) -> Failure {
        match self {
            RunnerFailure::EntrypointMissing => Failure::EntrypointMissing,
            RunnerFailure::EntrypointRaised => Failure::EntrypointRaised,
        }
    }
}

/// What stood at the probe's place after the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProbeState {
    /// Exactly the expected file.
    Observed,
    /// Nothing; also when none was asked for.
    Absent,
    /// Something that is no regular file.
    NotRegular,
    /// A regular file with other content.
    Differs,
}

/// Everything that decides a run's outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// CPU time of the process tree.
    pub cpu_us: u64,
    /// Wall time.
    pub wall_us: u64,
    /// What ended or spoilt it.
    pub events: Vec<Event>,
    /// What the runner reported.
    pub runner: Option<RunnerFailure>,
    /// What stood at the probe's place; not looked at on `repositories`.
    pub probe: ProbeState,
    /// Whether the report passed its gates.
    pub report: Result<(), Failure>,
}

/// The failure of a run by the gates of `mechanism.md §4` in their order; `None` when it completed.
#[must_use]
pub fn judge_run(spec: &Spec, track: Track, seen: &Observed) -> Option<Failure> {
    let budget = spec.track(track);
    let exceeded = [
        (seen.cpu_us > budget.cpu_us).then_some(Event::CpuBudget),
        (seen.wall_us > budget.wall_us).then_some(Event::WallBackstop),
    ];
    // Failures are ordered as the gates are, so the least is the first.
    let limit = seen
        .events
        .iter()
        .copied()
        .chain(exceeded.into_iter().flatten())
        .map(Event::failure)
        .min();
    limit
        .or_else(|| seen.runner.map(RunnerFailure::failure))
        .or_else(|| probe_failure(track, seen.probe))
        .or_else(|| seen.report.err())
}

const fn probe_failure(track: Track, probe: ProbeState) -> Option<Failure> {
    if !track.is_behavioural() {
        return None;
    }
    match probe {
        ProbeState::Observed => None,
        ProbeState::Absent | ProbeState::NotRegular => Some(Failure::ProbeMissing),
        ProbeState::Differs => Some(Failure::ProbeMismatch),
    }
}

/// The recorded wall time of one run of an agent on a track.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WallRun {
    /// The task.
    pub task_ref: TaskRef,
    /// The repetition, from 0.
    pub rep: u32,
    /// Its wall time; attempts repeated for an infrastructure fault do not count.
    pub wall_us: u64,
}

/// What the round cap of wall time makes of an agent's runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WallCap {
    /// The cap.
    pub cap_us: u64,
    /// The runs that fail with `agent_wall_cap`, in order of (rep, rank).
    pub failed: Vec<(u32, TaskRef)>,
}

/// The records do not fit the task set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WallCapError {
    /// A run of a task that was not drawn.
    #[error("the run of task '{0}' is of no drawn task; pass the tasks of the draw in rank order")]
    UnknownTask(TaskRef),
    /// Two records of one run.
    #[error(
        "repetition {rep} of task '{task_ref}' is recorded twice; pass the attempt that counts"
    )]
    Twice {
        /// The task.
        task_ref: TaskRef,
        /// The repetition.
        rep: u32,
    },
}

/// Applies the round cap to an agent's records on a track: a run fails iff the runs before it, in the order of (rep, rank),
/// reach the cap. The order of the records changes nothing, nor does how many ran side by side.
///
/// # Errors
/// [`WallCapError`] when a record is of no drawn task or there twice.
pub fn wall_cap(
    spec: &Spec,
    track: Track,
    tasks: &[TaskRef],
    runs: &[WallRun],
) -> Result<WallCap, WallCapError> {
    let ranks: BTreeMap<&TaskRef, usize> = tasks.iter().zip(0..).collect();
    let mut ordered = BTreeMap::new();
    for run in runs {
        let rank = ranks
            .get(&run.task_ref)
            .ok_or_else(|| WallCapError::UnknownTask(run.task_ref.clone()))?;
        if ordered.insert((run.rep, *rank), run).is_some() {
            let task_ref = run.task_ref.clone();
            return Err(WallCapError::Twice {
                task_ref,
                rep: run.rep,
            });
        }
    }
    let cap_us = spec.track(track).round_wall_us;
    let mut used = 0u64;
    let mut failed = Vec::new();
    for ((rep, _), run) in ordered {
        if used >= cap_us {
            failed.push((rep, run.task_ref.clone()));
        }
        used = used.saturating_add(run.wall_us);
    }
    Ok(WallCap { cap_us, failed })
}

/// Whose fault an ambiguous end was, from the control agent's run on the same slot: the host's when the control did not
/// complete, used no CPU time, or took more than the pinned multiple of its CPU time.
#[must_use]
pub fn control_fault(spec: &Spec, completed: bool, cpu_us: u64, wall_us: u64) -> Fault {
    let most = &Rational::integer(cpu_us.into()) * &spec.budget.control_wall_to_cpu;
    let slow = Rational::integer(wall_us.into()) > most;
    if !completed || cpu_us == 0 || slow {
        Fault::Infrastructure
    } else {
        Fault::Agent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fine() -> Observed {
        Observed {
            cpu_us: 1,
            wall_us: 1,
            events: vec![],
            runner: None,
            probe: ProbeState::Observed,
            report: Ok(()),
        }
    }

    fn judge(track: Track, change: impl FnOnce(&mut Observed)) -> Option<Failure> {
        let mut seen = fine();
        change(&mut seen);
        judge_run(&Spec::pinned(), track, &seen)
    }

    #[test]
    fn budgets_are_exceeded_above_and_not_at_them() {
        assert_eq!(judge(Track::Skills, |s| s.cpu_us = 8_000_000), None);
        let over = judge(Track::Skills, |s| s.cpu_us = 8_000_001);
        assert_eq!(over, Some(Failure::CpuBudgetExceeded));
        assert_eq!(judge(Track::Skills, |s| s.wall_us = 24_000_000), None);
        let over = judge(Track::Skills, |s| s.wall_us = 24_000_001);
        assert_eq!(over, Some(Failure::WallBackstopExceeded));
    }

    #[test]
    fn the_first_gate_that_does_not_hold_names_the_failure() {
        let mut seen = Observed {
            cpu_us: u64::MAX,
            wall_us: u64::MAX,
            events: vec![
                Event::Disrupted,
                Event::Signal,
                Event::AgentWallCap,
                Event::OutputFlood,
                Event::Memory,
            ],
            runner: Some(RunnerFailure::EntrypointRaised),
            probe: ProbeState::Differs,
            report: Err(Failure::ReportMissing),
        };
        let mut names = Vec::new();
        let mut push =
            |seen: &Observed| names.extend(judge_run(&Spec::pinned(), Track::Skills, seen));
        push(&seen);
        seen.cpu_us = 0;
        push(&seen);
        seen.wall_us = 0;
        while !seen.events.is_empty() {
            push(&seen);
            seen.events.pop();
        }
        push(&seen);
        seen.runner = None;
        push(&seen);
        seen.probe = ProbeState::Observed;
        push(&seen);
        use Failure as F;
        let expected = [
            F::CpuBudgetExceeded,
            F::WallBackstopExceeded,
            F::MemoryLimitExceeded,
            F::OutputFlood,
            F::AgentWallCap,
            F::KilledBySignal,
            F::SandboxDisrupted,
            F::EntrypointRaised,
            F::ProbeMismatch,
            F::ReportMissing,
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn repositories_have_no_probe_but_an_entrypoint() {
        assert_eq!(
            judge(Track::Repositories, |s| s.probe = ProbeState::Absent),
            None
        );
        let missing = |s: &mut Observed| s.runner = Some(RunnerFailure::EntrypointMissing);
        assert_eq!(
            judge(Track::Repositories, missing),
            Some(Failure::EntrypointMissing)
        );
    }

    #[test]
    fn the_cap_counts_the_runs_before_in_order_of_rep_and_rank() {
        let spec = Spec::demo();
        let cap = spec.track(Track::Skills).round_wall_us;
        assert_eq!(cap, 2 * 8 * 3 * 1_000_000);
        let tasks = ["b", "a"].map(TaskRef::new);
        let run = |task: &str, rep, wall_us| WallRun {
            task_ref: TaskRef::new(task),
            rep,
            wall_us,
        };
        let at = [
            run("a", 1, 1),
            run("a", 0, 1),
            run("b", 1, 1),
            run("b", 0, cap - 1),
        ];
        let failed = wall_cap(&spec, Track::Skills, &tasks, &at).unwrap().failed;
        assert_eq!(failed, [(1, TaskRef::new("b")), (1, TaskRef::new("a"))]);
        let huge = [
            run("b", 0, u64::MAX),
            run("a", 0, u64::MAX),
            run("b", 1, u64::MAX),
        ];
        assert_eq!(
            wall_cap(&spec, Track::Skills, &tasks, &huge)
                .unwrap()
                .failed
                .len(),
            2
        );
        let below = [run("b", 0, cap - 1), run("a", 0, 9)];
        assert!(
            wall_cap(&spec, Track::Skills, &tasks, &below)
                .unwrap()
                .failed
                .is_empty()
        );
    }

    #[test]
    fn records_that_do_not_fit_are_refused() {
        let run = |task: &str| WallRun {
            task_ref: TaskRef::new(task),
            rep: 0,
            wall_us: 1,
        };
        let tasks = [TaskRef::new("a")];
        let cap = |runs: &[WallRun]| wall_cap(&Spec::pinned(), Track::Skills, &tasks, runs);
        assert!(matches!(
            cap(&[run("x")]),
            Err(WallCapError::UnknownTask(_))
        ));
        assert!(matches!(
            cap(&[run("a"), run("a")]),
            Err(WallCapError::Twice { .. })
        ));
    }

    #[test]
    fn a_slow_or_broken_control_is_the_hosts_fault() {
        let fault = |completed, cpu, wall| control_fault(&Spec::pinned(), completed, cpu, wall);
        assert_eq!(fault(true, 200, 300), Fault::Agent);
        assert_eq!(fault(true, 200, 301), Fault::Infrastructure);
        assert_eq!(fault(false, 200, 200), Fault::Infrastructure);
        assert_eq!(fault(true, 0, 0), Fault::Infrastructure);
        assert_eq!(fault(true, u64::MAX, u64::MAX), Fault::Agent);
    }
}
