//! What a run came to, as plain facts; `mechanism` decides what they mean.

pub use jail::proto::{Event, Exit, ProbeState, Usage};

use crate::memfile::Handover;

/// Message bytes kept of a [`RunnerFailure`].
const MESSAGE_BYTES: usize = 4096;

/// What the runner itself reported instead of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunnerFailureKind {
    /// The agent defines no `agent_main`.
    Missing,
    /// Loading the agent or calling it raised.
    Raised,
}

/// The runner could not get a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunnerFailure {
    /// Which of the two.
    pub kind: RunnerFailureKind,
    /// What was raised, at most 4 KiB. Written by the agent's process: not to be trusted.
    pub message: String,
}

/// The report as it was handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportBytes {
    /// Nothing was handed over.
    Missing,
    /// More bytes than the limit; none were read.
    TooLarge(u64),
    /// The bytes, not parsed.
    Bytes(Vec<u8>),
}

/// Everything known about a finished run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunOutcome {
    /// Limits that were passed and signals that were met, in the order of [`Event`].
    pub events: Vec<Event>,
    /// One line per event: the limit and what was measured.
    pub measured: Vec<String>,
    /// What the runner reported instead of a result.
    pub runner: Option<RunnerFailure>,
    /// The probe.
    pub probe: ProbeState,
    /// The report.
    pub report: ReportBytes,
    /// How the agent process ended.
    pub exit: Exit,
    /// What the run used.
    pub usage: Usage,
    /// First bytes of stdout.
    pub stdout: Vec<u8>,
    /// First bytes of stderr.
    pub stderr: Vec<u8>,
}

/// Tells a report from a runner's own message. An unknown first byte is the agent's doing: its bytes are taken as the report.
pub(crate) fn interpret(handover: Handover) -> (Option<RunnerFailure>, ReportBytes) {
    let kind = match handover.kind {
        Some(b'M') => RunnerFailureKind::Missing,
        Some(b'E') => RunnerFailureKind::Raised,
        _ => return (None, handover.body),
    };
    let text = match handover.body {
        ReportBytes::Bytes(bytes) => bytes,
        ReportBytes::Missing | ReportBytes::TooLarge(_) => Vec::new(),
    };
    let mut message = String::from_utf8_lossy(&text[..text.len().min(MESSAGE_BYTES)]).into_owned();
    while message.len() > MESSAGE_BYTES {
        message.pop();
    }
    (Some(RunnerFailure { kind, message }), ReportBytes::Missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_tells_what_was_handed_over() {
        let body = || ReportBytes::Bytes(b"{}".to_vec());
        let told = |kind| interpret(Handover { kind, body: body() });
        assert_eq!(told(Some(b'R')), (None, body()));
        assert_eq!(told(Some(b'?')), (None, body()));
        let failure = |kind| {
            Some(RunnerFailure {
                kind,
                message: "{}".into(),
            })
        };
        assert_eq!(
            told(Some(b'M')),
            (failure(RunnerFailureKind::Missing), ReportBytes::Missing)
        );
        assert_eq!(
            told(Some(b'E')),
            (failure(RunnerFailureKind::Raised), ReportBytes::Missing)
        );
        let long = Handover {
            kind: Some(b'E'),
            body: ReportBytes::Bytes(vec![0xFF; 9000]),
        };
        assert!(
            interpret(long)
                .0
                .is_some_and(|failure| failure.message.len() <= MESSAGE_BYTES)
        );
    }
}
