//! The three baselines that stand beside every published track score (SPEC.md I-2, `mechanism.md §8`).
//!
//! They run through the same scoring code as an agent, on the same task set.

use crate::fault::Failure;
use crate::report::{CapabilityManifest, RepoReport, Report};
use crate::score::{Rep, ScoreError, ScoredTask, behavioural_track, repo_track};
use crate::spec::Spec;
use crate::track::Track;
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};

/// Track scores of three agents that look at nothing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Baselines {
    /// Says `ALLOW` to everything and reports nothing.
    pub always_allow: f64,
    /// Says `BLOCK` to everything and reports nothing.
    pub always_block: f64,
    /// Hands in an empty report: no verdict on behavioural tracks, where every repetition then fails; an audit without findings on
    /// `repositories`, where all three are one, since the verdict is advisory.
    pub empty_report: f64,
}

/// Scores the baselines on the tasks of a track. The repetitions of `tasks` count only by their number.
///
/// # Errors
/// [`ScoreError`] as the track score.
pub fn baselines(
    spec: &Spec,
    track: Track,
    tasks: &[ScoredTask<'_>],
) -> Result<Baselines, ScoreError> {
    let allow = constant_report(track, Verdict::Allow);
    let block = constant_report(track, Verdict::Block);
    let empty = if track.is_behavioural() {
        Err(Failure::ReportMalformed)
    } else {
        Ok(&allow)
    };
    Ok(Baselines {
        always_allow: score(spec, track, tasks, Ok(&allow))?,
        always_block: score(spec, track, tasks, Ok(&block))?,
        empty_report: score(spec, track, tasks, empty)?,
    })
}

fn score(
    spec: &Spec,
    track: Track,
    tasks: &[ScoredTask<'_>],
    rep: Rep<'_>,
) -> Result<f64, ScoreError> {
    let tasks: Vec<ScoredTask<'_>> = tasks
        .iter()
        .map(|task| ScoredTask {
            reps: vec![rep; task.reps.len()],
            ..task.clone()
        })
        .collect();
    if track.is_behavioural() {
        behavioural_track(spec, track, &tasks).map(|score| score.score)
    } else {
        repo_track(spec, &tasks).map(|score| score.score)
    }
}

fn constant_report(track: Track, verdict: Verdict) -> Report {
    Report {
        verdict,
        risk_score: None,
        bom: false,
        crlf: false,
        findings: Vec::new(),
        capabilities: CapabilityManifest::default(),
        repo: (!track.is_behavioural()).then(|| RepoReport {
            files_analysed: 1,
            ..RepoReport::default()
        }),
    }
}
