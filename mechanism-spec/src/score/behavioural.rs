//! Behavioural tracks: confusion matrix, clamped MCC and the part that findings add (SPEC.md S-13, S-14; `mechanism.md §5, §6`).

use super::{Rep, RepCount, ScoreError, ScoredTask, completed};
use crate::count::check_count;
use crate::finding::{FindingQuality, quality, scored_findings};
use crate::ids::TaskRef;
use crate::label::Class;
use crate::mcc::Confusion;
use crate::rational::Rational;
use crate::scored::ScoredFinding;
use crate::spec::{FindingRules, Spec};
use crate::track::Track;
use crate::verdict::Verdict;
use crate::vote::consensus;
use serde::{Deserialize, Serialize};

/// The score of an agent on a behavioural track, with everything it was computed from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BehaviouralScore {
    /// What is published and ranked: the clamped coefficient, weighted by finding quality where tasks have labelled findings.
    pub score: f64,
    /// Whether the clamped coefficient reaches the track's threshold, decided exactly.
    pub eligible: bool,
    /// The track's threshold.
    pub threshold: f64,
    /// The coefficient, -1 to 1.
    pub mcc: f64,
    /// `max(0, MCC)`.
    pub clamped: f64,
    /// Whether a margin of the matrix is empty, so that the coefficient is 0 by definition.
    pub empty_margin: bool,
    /// Mean finding quality over the tasks with labelled findings, exactly; `None` when the set has none.
    pub quality: Option<Rational>,
    /// Counts of task verdicts against the labels.
    pub confusion: Confusion,
    /// Completed repetitions.
    pub reps: RepCount,
    /// Share of completed repetitions.
    pub completed_share: f64,
    /// Every task, in the order given.
    pub tasks: Vec<BehaviouralTaskScore>,
}

/// One task of a behavioural track.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BehaviouralTaskScore {
    /// The task.
    pub task_ref: TaskRef,
    /// The label's class.
    pub class: Class,
    /// The task verdict; `None` when no repetition completed.
    pub verdict: Option<Verdict>,
    /// Whether the verdict agrees with the class; false without a verdict.
    pub correct: bool,
    /// Completed repetitions.
    pub completed: usize,
    /// All repetitions.
    pub reps: usize,
    /// Finding quality; `None` unless the task is malicious and has labelled findings.
    pub findings: Option<TaskFindings>,
}

/// What a task's findings earned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskFindings {
    /// F1 behind a verdict that flags the task, otherwise 0; exactly.
    pub quality: Rational,
    /// The repetition whose report was scored, numbered from 0; `None` when nothing was scored.
    pub rep: Option<usize>,
    /// The matching behind the quality; `None` when nothing was scored.
    pub matching: Option<FindingQuality>,
    /// The reported findings that could match, in their normal form.
    pub scored: Vec<ScoredFinding>,
}

/// Scores a behavioural track.
///
/// The order of the tasks changes nothing but the order of the result's `tasks`. `track` chooses the threshold.
///
/// # Errors
/// [`ScoreError`] when a label has no class or a count is not below 2^30.
pub fn behavioural_track(
    spec: &Spec,
    track: Track,
    tasks: &[ScoredTask<'_>],
) -> Result<BehaviouralScore, ScoreError> {
    let mut confusion = Confusion::default();
    let mut reps = RepCount::default();
    let mut scored_tasks = Vec::with_capacity(tasks.len());
    for task in tasks {
        let scored = score_task(&spec.findings, task)?;
        confusion.record(scored.class, scored.verdict);
        reps.add(&task.reps);
        scored_tasks.push(scored);
    }
    let mcc = confusion.mcc()?;
    let quality = Rational::mean(
        scored_tasks
            .iter()
            .filter_map(|task| task.findings.as_ref())
            .map(|findings| &findings.quality),
    );
    let threshold = &spec.track(track).threshold;
    Ok(BehaviouralScore {
        score: combine(&spec.findings, mcc.clamped(), quality.as_ref()),
        eligible: mcc.meets_threshold(threshold),
        threshold: threshold.to_f64(),
        mcc: mcc.value,
        clamped: mcc.clamped(),
        empty_margin: mcc.empty_margin(),
        quality,
        confusion,
        reps,
        completed_share: reps.share(),
        tasks: scored_tasks,
    })
}

impl BehaviouralScore {
    /// Whether each task of a class counted as flagged, in the order of `tasks`: the input of the bootstrap interval. A task without a
    /// verdict counts against the agent.
    #[must_use]
    pub fn flags(&self, class: Class) -> Vec<bool> {
        self.tasks
            .iter()
            .filter(|task| task.class == class)
            .map(|task| task.correct == (class == Class::Malicious))
            .collect()
    }
}

impl BehaviouralTaskScore {
    /// The findings of a repetition that were scored, for the round digest: none but those of the one report that was chosen.
    #[must_use]
    pub fn scored_in(&self, rep: usize) -> &[ScoredFinding] {
        self.findings
            .as_ref()
            .filter(|findings| findings.rep == Some(rep))
            .map_or(&[], |findings| &findings.scored)
    }
}

/// `clamped · (verdict_part + finding_part · quality)` in doubles, in this order of operations (SPEC.md S-14).
fn combine(rules: &FindingRules, clamped: f64, quality: Option<&Rational>) -> f64 {
    let Some(quality) = quality else {
        return clamped;
    };
    let finding_part = rules.finding_part.to_f64() * quality.to_f64();
    clamped * (rules.verdict_part.to_f64() + finding_part)
}

fn score_task(
    rules: &FindingRules,
    task: &ScoredTask<'_>,
) -> Result<BehaviouralTaskScore, ScoreError> {
    let class = task
        .label
        .label
        .ok_or_else(|| ScoreError::NoClass(task.task_ref.clone()))?;
    let votes: Vec<Option<Verdict>> = task
        .reps
        .iter()
        .map(|rep| rep.ok().map(|report| report.verdict))
        .collect();
    check_count(
        "repetitions",
        u64::try_from(votes.len()).unwrap_or(u64::MAX),
    )?;
    let verdict = consensus(&votes);
    let labelled = class == Class::Malicious && !task.label.expected_findings.is_empty();
    let findings = match labelled {
        true => Some(task_findings(rules, task, verdict)?),
        false => None,
    };
    Ok(BehaviouralTaskScore {
        task_ref: task.task_ref.clone(),
        class,
        verdict,
        correct: verdict.is_some_and(|verdict| verdict.flags() == (class == Class::Malicious)),
        completed: completed(&task.reps),
        reps: task.reps.len(),
        findings,
    })
}

fn task_findings(
    rules: &FindingRules,
    task: &ScoredTask<'_>,
    verdict: Option<Verdict>,
) -> Result<TaskFindings, ScoreError> {
    let flagged = verdict.filter(|verdict| verdict.flags());
    let chosen = flagged.and_then(|verdict| scored_rep(&task.reps, verdict));
    let Some((rep, Ok(report))) = chosen.map(|rep| (rep, task.reps[rep])) else {
        return Ok(TaskFindings {
            quality: Rational::zero(),
            rep: None,
            matching: None,
            scored: Vec::new(),
        });
    };
    let expected = &task.label.expected_findings;
    let matching = quality(rules, task.files, expected, &report.findings)?;
    Ok(TaskFindings {
        quality: matching.f1.clone(),
        rep: Some(rep),
        matching: Some(matching),
        scored: scored_findings(rules, task.files, &report.findings),
    })
}

/// The lowest-numbered completed repetition whose verdict is the task's. There is one: the lower median is somebody's vote.
fn scored_rep(reps: &[Rep<'_>], verdict: Verdict) -> Option<usize> {
    reps.iter()
        .position(|rep| rep.is_ok_and(|report| report.verdict == verdict))
}
