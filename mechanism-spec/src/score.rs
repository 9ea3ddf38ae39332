//! Track scores from labels, artifact files and the reports or failures of every repetition (SPEC.md S-13 to S-16,
//! `mechanism.md §5 to §7`).

mod audit;
mod behavioural;

pub use audit::{RepoRepScore, RepoScore, RepoTaskScore, repo_track};
pub use behavioural::{BehaviouralScore, BehaviouralTaskScore, TaskFindings, behavioural_track};

use crate::count::CountTooLarge;
use crate::fault::Failure;
use crate::ids::TaskRef;
use crate::label::Label;
use crate::paths::ArtifactFiles;
use crate::report::Report;
use serde::{Deserialize, Serialize};

/// One repetition: the report of a completed one, or why it failed. Only the agent's own failures belong here: an infrastructure or
/// corpus fault is never scored.
pub type Rep<'a> = Result<&'a Report, Failure>;

/// One task of a track with all its repetitions, numbered from 0 by position.
#[derive(Debug, Clone)]
pub struct ScoredTask<'a> {
    /// The task's name in the manifest.
    pub task_ref: &'a TaskRef,
    /// What the corpus knows.
    pub label: &'a Label,
    /// The artifact's paths; one index serves every agent.
    pub files: &'a ArtifactFiles,
    /// The repetitions in order.
    pub reps: Vec<Rep<'a>>,
}

/// A task of a behavioural track.
pub type BehaviouralTask<'a> = ScoredTask<'a>;
/// A task of the audit track.
pub type RepoTask<'a> = ScoredTask<'a>;

/// A task set that cannot be scored. This is the corpus' or the caller's fault, never the agent's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScoreError {
    /// A list or count from 2^30.
    #[error(transparent)]
    TooLarge(#[from] CountTooLarge),
    /// A behavioural task whose label has no class.
    #[error("the label of {0} has no class; set label to malicious or safe")]
    NoClass(TaskRef),
    /// A repository report without the audit part, or one that was read for another kind of track.
    #[error("a report of {0} has no audit part; read it with the track repositories")]
    NoAudit(TaskRef),
}

/// How many repetitions of a track completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RepCount {
    /// Completed repetitions.
    pub completed: usize,
    /// All repetitions.
    pub total: usize,
}

impl RepCount {
    fn add(&mut self, reps: &[Rep<'_>]) {
        self.completed += completed(reps);
        self.total += reps.len();
    }

    /// The share of completed repetitions, 0 to 1; 0 without any.
    #[must_use]
    pub fn share(self) -> f64 {
        crate::rational::Rational::new(widen(self.completed), widen(self.total))
            .map_or(0.0, |share| share.to_f64())
    }
}

fn completed(reps: &[Rep<'_>]) -> usize {
    reps.iter().filter(|rep| rep.is_ok()).count()
}

fn widen(count: usize) -> u128 {
    u128::try_from(count).unwrap_or(u128::MAX)
}
