//! The audit track: mean task score, eligibility, and the two parts published beside it (SPEC.md S-15, S-16; `mechanism.md §5, §7`).

use super::{Rep, RepCount, ScoreError, ScoredTask, completed};
use crate::fault::Failure;
use crate::ids::TaskRef;
use crate::rational::Rational;
use crate::repo::{TaskScore, score_task, scored_findings};
use crate::scored::ScoredFinding;
use crate::spec::Spec;
use crate::track::Track;
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};

/// The score of an agent on `repositories`, with everything it was computed from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RepoScore {
    /// What is published and ranked: the mean task score as the nearest double.
    pub score: f64,
    /// The same, exactly.
    pub score_exact: Rational,
    /// Whether the exact mean reaches the track's threshold.
    pub eligible: bool,
    /// The track's threshold.
    pub threshold: f64,
    /// Mean task score over the tasks with planted findings; `None` without any.
    pub f2_vulnerable: Option<f64>,
    /// Mean task score over the clean tasks; `None` without any.
    pub precision_clean: Option<f64>,
    /// Completed repetitions.
    pub reps: RepCount,
    /// Share of completed repetitions.
    pub completed_share: f64,
    /// Every task, in the order given.
    pub tasks: Vec<RepoTaskScore>,
}

/// One task of the audit track.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RepoTaskScore {
    /// The task.
    pub task_ref: TaskRef,
    /// Whether nothing is planted.
    pub clean: bool,
    /// Mean over the completed repetitions, 0 without any; the nearest double.
    pub score: f64,
    /// The same, exactly.
    pub score_exact: Rational,
    /// Completed repetitions.
    pub completed: usize,
    /// Every repetition, in order.
    pub reps: Vec<RepoRepScore>,
}

/// One repetition of an audit task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RepoRepScore {
    /// It completed.
    Completed {
        /// The advisory verdict; recorded, never scored.
        verdict: Verdict,
        /// The score of its findings.
        score: TaskScore,
        /// The reported findings that could match, in their normal form.
        scored: Vec<ScoredFinding>,
    },
    /// It failed and is left out of the mean.
    Failed(Failure),
}

impl RepoTaskScore {
    /// The findings of a repetition that were scored, for the round digest; none when it failed.
    #[must_use]
    pub fn scored_in(&self, rep: usize) -> &[ScoredFinding] {
        match self.reps.get(rep) {
            Some(RepoRepScore::Completed { scored, .. }) => scored,
            Some(RepoRepScore::Failed(_)) | None => &[],
        }
    }
}

/// Scores the audit track.
///
/// # Errors
/// [`ScoreError`] when a report has no audit part or a list is not shorter than 2^30.
pub fn repo_track(spec: &Spec, tasks: &[ScoredTask<'_>]) -> Result<RepoScore, ScoreError> {
    let mut reps = RepCount::default();
    let mut scored_tasks = Vec::with_capacity(tasks.len());
    for task in tasks {
        reps.add(&task.reps);
        scored_tasks.push(task_score(spec, task)?);
    }
    let mean_of = |wanted: &dyn Fn(&RepoTaskScore) -> bool| {
        let chosen = scored_tasks.iter().filter(|task| wanted(task));
        Rational::mean(chosen.map(|task| &task.score_exact))
    };
    let score = mean_of(&|_| true).unwrap_or_else(Rational::zero);
    let f2_vulnerable = mean_of(&|task| !task.clean).map(|mean| mean.to_f64());
    let precision_clean = mean_of(&|task| task.clean).map(|mean| mean.to_f64());
    let threshold = &spec.track(Track::Repositories).threshold;
    Ok(RepoScore {
        score: score.to_f64(),
        eligible: score >= *threshold,
        score_exact: score,
        threshold: threshold.to_f64(),
        f2_vulnerable,
        precision_clean,
        reps,
        completed_share: reps.share(),
        tasks: scored_tasks,
    })
}

fn task_score(spec: &Spec, task: &ScoredTask<'_>) -> Result<RepoTaskScore, ScoreError> {
    let reps = task
        .reps
        .iter()
        .map(|rep| rep_score(spec, task, rep))
        .collect::<Result<Vec<_>, _>>()?;
    let scores = reps.iter().filter_map(|rep| match rep {
        RepoRepScore::Completed { score, .. } => Some(&score.score),
        RepoRepScore::Failed(_) => None,
    });
    let score = Rational::mean(scores).unwrap_or_else(Rational::zero);
    Ok(RepoTaskScore {
        task_ref: task.task_ref.clone(),
        clean: task.label.planted() == 0,
        score: score.to_f64(),
        score_exact: score,
        completed: completed(&task.reps),
        reps,
    })
}

fn rep_score(
    spec: &Spec,
    task: &ScoredTask<'_>,
    rep: &Rep<'_>,
) -> Result<RepoRepScore, ScoreError> {
    let report = match rep {
        Ok(report) => report,
        Err(failure) => return Ok(RepoRepScore::Failed(*failure)),
    };
    let Some(audit) = &report.repo else {
        return Err(ScoreError::NoAudit(task.task_ref.clone()));
    };
    let rules = &spec.repositories;
    Ok(RepoRepScore::Completed {
        verdict: report.verdict,
        score: score_task(rules, task.label, task.files, audit)?,
        scored: scored_findings(rules, task.files, audit),
    })
}
