//! From what was seen of a run to its record: the gates of `mechanism.md §4`, in order.

use crate::plan::PlannedRun;
use crate::ports::{Observation, ReportBytes, RunRequest, Usage};
use crate::record::RunRecord;
use mechanism::fault::Failure;
use mechanism::ids::Hash32;
use mechanism::outcome::{self, Observed};
use mechanism::report::{self, Rejected, Report};
use mechanism::spec::Spec;

/// Longest message kept of a runner or parser.
const MESSAGE_CHARS: usize = 400;

/// Judges one run. The round cap of wall time is applied later, over all records of the agent.
#[must_use]
pub fn judge(spec: &Spec, request: &RunRequest, seen: Observation) -> RunRecord {
    let track = request.run.id.track;
    let bytes = match &seen.report {
        ReportBytes::Bytes(bytes) => Some(bytes.as_slice()),
        ReportBytes::Missing | ReportBytes::TooLarge(_) => None,
    };
    let parsed: Result<Report, Rejected> = match &seen.report {
        ReportBytes::TooLarge(bytes) => Err(Rejected {
            failure: Failure::ReportTooLarge,
            detail: format!("the report has {bytes} bytes or more"),
        }),
        _ => report::parse_explained(spec, track, bytes),
    };
    let failure = outcome::judge_run(
        spec,
        track,
        &Observed {
            cpu_us: seen.usage.cpu_us,
            wall_us: seen.usage.wall_us,
            events: seen.events.iter().copied().collect(),
            runner: seen.runner,
            probe: seen.probe,
            report: parsed
                .as_ref()
                .map(|_| ())
                .map_err(|rejected| rejected.failure),
        },
    );
    let message = failure.and_then(|failure| message(failure, &seen.runner_message, &parsed));
    let completed = parsed.ok().filter(|_| failure.is_none());
    // A report that parses is UTF-8, so nothing is lost here.
    let text = completed
        .as_ref()
        .and(bytes)
        .map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    RunRecord {
        id: request.run.id.clone(),
        pin: request.run.pin.clone(),
        task_ref: request.run.task_ref.clone(),
        attempt: request.attempt,
        failure,
        message,
        verdict: completed.map(|report| report.verdict),
        report_hash: bytes.map(|bytes| Hash32::from(blake3::hash(bytes))),
        report: text,
        exit: Some(seen.exit),
        usage: seen.usage,
        detail: seen.detail,
        stderr_tail: seen.stderr_tail,
        faults: Vec::new(),
    }
}

/// The sentence that belongs to the failure: the runner's words, or the parser's.
fn message(failure: Failure, runner: &str, parsed: &Result<Report, Rejected>) -> Option<String> {
    let text = match parsed {
        _ if !runner.is_empty() => runner,
        Err(rejected) if rejected.failure == failure => &rejected.detail,
        _ => return None,
    };
    Some(text.chars().take(MESSAGE_CHARS).collect())
}

impl RunRecord {
    /// The record of a run that the agent's wall cap decided before it was started.
    #[must_use]
    pub fn never_started(planned: &PlannedRun) -> Self {
        RunRecord {
            id: planned.id.clone(),
            pin: planned.pin.clone(),
            task_ref: planned.task_ref.clone(),
            attempt: 0,
            failure: Some(Failure::AgentWallCap),
            message: None,
            verdict: None,
            report: None,
            report_hash: None,
            exit: None,
            usage: Usage::default(),
            detail: vec!["not started: the agent's wall time for this track is used up".to_owned()],
            stderr_tail: String::new(),
            faults: Vec::new(),
        }
    }
}
