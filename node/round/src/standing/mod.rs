//! From records to scores, standings and weights: the reduction that a round and `assay score` share.
//!
//! Every rule is `mechanism`'s; this file only brings records, labels and plan together.

mod digest;
mod walls;
mod weigh;

pub use digest::round_digest;
pub use walls::{Walls, apply_wall_cap, wall_cap_used_up};
pub use weigh::{abstain_reason, attach_ranks, weigh};

use crate::plan::{Plan, RunId, TrackPlan};
use crate::ports::{ChainView, TaskTruth};
use crate::record::RunRecord;
use mechanism::baseline::{Baselines, baselines};
use mechanism::fault::Failure;
use mechanism::ids::{Hash32, Hotkey, Pin, TaskRef};
use mechanism::interval::{self, Interval};
use mechanism::participants::Participant;
use mechanism::paths::ArtifactFiles;
use mechanism::rank::Entrant;
use mechanism::report::{self, Report};
use mechanism::score::{
    BehaviouralScore, RepoScore, ScoreError, ScoredTask, behavioural_track, repo_track,
};
use mechanism::scored::ScoredFinding;
use mechanism::spec::Spec;
use mechanism::track::Track;
use mechanism::weights::Units;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An agent's score on its track, with everything behind it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TrackScore {
    /// Clamped MCC and findings.
    Behavioural(Box<BehaviouralScore>),
    /// F2 and clean rule.
    Audit(Box<RepoScore>),
}

impl TrackScore {
    /// The published score.
    #[must_use]
    pub fn score(&self) -> f64 {
        match self {
            TrackScore::Behavioural(score) => score.score,
            TrackScore::Audit(score) => score.score,
        }
    }

    /// The findings of one repetition that took part in the score.
    #[must_use]
    pub fn scored_in(&self, rank: u32, rep: u32) -> &[ScoredFinding] {
        let (rank, rep) = (rank as usize, rep as usize);
        match self {
            TrackScore::Behavioural(score) => score
                .tasks
                .get(rank)
                .map_or(&[], |task| task.scored_in(rep)),
            TrackScore::Audit(score) => score
                .tasks
                .get(rank)
                .map_or(&[], |task| task.scored_in(rep)),
        }
    }

    /// Whether the track's threshold is met.
    #[must_use]
    pub fn meets_threshold(&self) -> bool {
        match self {
            TrackScore::Behavioural(score) => score.eligible,
            TrackScore::Audit(score) => score.eligible,
        }
    }
}

/// How an agent's repetitions ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunCounts {
    /// Completed repetitions.
    pub completed: usize,
    /// Failed ones by reason.
    pub failed: BTreeMap<Failure, usize>,
}

impl RunCounts {
    /// Completed and failed together.
    #[must_use]
    pub fn total(&self) -> usize {
        self.completed + self.failed.values().sum::<usize>()
    }
}

/// One agent of a track.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentStanding {
    /// Hotkey.
    pub hotkey: Hotkey,
    /// Pin.
    pub pin: Pin,
    /// Published score; 0 when the agent was not evaluated.
    pub score: f64,
    /// The score's parts; `None` when the agent's bytes could not be had.
    pub detail: Option<TrackScore>,
    /// 95 % bootstrap interval of the clamped MCC; behavioural tracks only.
    pub interval: Option<Interval>,
    /// Threshold met, score above 0, no copy.
    pub eligible: bool,
    /// The earlier agent that this one copies.
    pub copy_of: Option<Hotkey>,
    /// Rank on the track, from 1.
    pub rank: Option<u32>,
    /// Share of the round's weights before smoothing.
    pub share: f64,
    /// How its repetitions ended.
    pub runs: RunCounts,
}

/// A track's agents beside its baselines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrackStanding {
    /// The agents, best first.
    pub agents: Vec<AgentStanding>,
    /// What looking at nothing scores on the same tasks.
    pub baselines: Baselines,
}

/// The tracks of a round.
#[derive(Debug, Clone, PartialEq)]
pub struct Standings {
    /// By track.
    pub tracks: BTreeMap<Track, TrackStanding>,
    entrants: BTreeMap<Track, Vec<Entrant>>,
}

/// What decides about the weights beside the standings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WeightsContext {
    /// Smoothing state before the round.
    pub previous: Option<Units>,
    /// The chain at the submission.
    pub chain: ChainView,
}

/// The inputs of the reduction.
pub struct Reduction<'a> {
    /// The rules.
    pub spec: &'a Spec,
    /// The plan.
    pub plan: &'a Plan,
    /// Labels and files.
    pub truth: &'a BTreeMap<TaskRef, TaskTruth>,
    /// The runs, wall cap applied, in any order.
    pub runs: &'a [RunRecord],
    /// Round seed.
    pub seed: &'a Hash32,
    /// Normalised digest by hotkey.
    pub digests: &'a BTreeMap<Hotkey, Hash32>,
    /// Agents without bytes.
    pub unavailable: &'a BTreeMap<Hotkey, String>,
}

/// Records that do not fit the plan, or an input out of range. Never an agent's doing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReduceError {
    /// A drawn task without a label.
    #[error("no label for {0}; the corpus changed while the round ran")]
    NoLabel(TaskRef),
    /// A planned run without a record.
    #[error(
        "no record of repetition {rep} of {task_ref} by {hotkey}; a partial round is never scored"
    )]
    NoRecord {
        /// The task.
        task_ref: TaskRef,
        /// The repetition.
        rep: u32,
        /// The agent.
        hotkey: Hotkey,
    },
    /// A completed record whose report does not parse any more.
    #[error(
        "the recorded report of repetition {rep} of {task_ref} by {hotkey} fails with {failure}"
    )]
    Report {
        /// The task.
        task_ref: TaskRef,
        /// The repetition.
        rep: u32,
        /// The agent.
        hotkey: Hotkey,
        /// The failure.
        failure: Failure,
    },
    /// Counts out of range.
    #[error(transparent)]
    Score(#[from] ScoreError),
}

/// Scores every track of the plan.
///
/// # Errors
/// [`ReduceError`] when records are missing or an input is out of range.
pub fn reduce(input: &Reduction<'_>) -> Result<Standings, ReduceError> {
    let by_run: BTreeMap<&RunId, &RunRecord> =
        input.runs.iter().map(|run| (&run.id, run)).collect();
    let mut tracks = BTreeMap::new();
    let mut entrants = BTreeMap::new();
    for (track, plan) in &input.plan.tracks {
        if plan.tasks.is_empty() {
            continue;
        }
        let tasks = TrackTasks::new(input, *track, plan)?;
        let mut agents = Vec::new();
        let mut of_track = Vec::new();
        for agent in &plan.agents {
            let standing = match input.unavailable.get(&agent.hotkey) {
                Some(_) => unevaluated(agent),
                None => evaluate(input, &by_run, &tasks, agent)?,
            };
            of_track.push(entrant(input, agent, &standing));
            agents.push(standing);
        }
        let baselines = baselines(input.spec, *track, &tasks.scored(&[]))?;
        tracks.insert(*track, TrackStanding { agents, baselines });
        entrants.insert(*track, of_track);
    }
    let mut standings = Standings { tracks, entrants };
    weigh::sort_by_score(&mut standings);
    Ok(standings)
}

/// The tasks of a track with what their scoring needs.
struct TrackTasks<'a> {
    track: Track,
    reps: u32,
    tasks: Vec<(&'a TaskTruth, ArtifactFiles)>,
}

impl<'a> TrackTasks<'a> {
    fn new(input: &Reduction<'a>, track: Track, plan: &'a TrackPlan) -> Result<Self, ReduceError> {
        let tasks = plan
            .tasks
            .iter()
            .map(|task_ref| {
                let truth = input
                    .truth
                    .get(task_ref)
                    .ok_or_else(|| ReduceError::NoLabel(task_ref.clone()))?;
                Ok((truth, ArtifactFiles::new(&truth.files)))
            })
            .collect::<Result<_, ReduceError>>()?;
        Ok(TrackTasks {
            track,
            reps: plan.reps,
            tasks,
        })
    }

    /// The tasks with these repetitions (task-major); without any, each repetition counts as failed.
    fn scored(&'a self, reports: &'a [Result<Report, Failure>]) -> Vec<ScoredTask<'a>> {
        let reps = self.reps as usize;
        self.tasks
            .iter()
            .enumerate()
            .map(|(rank, (truth, files))| ScoredTask {
                task_ref: &truth.task_ref,
                label: &truth.label,
                files,
                reps: (0..reps)
                    .map(|rep| match reports.get(rank * reps + rep) {
                        Some(Ok(report)) => Ok(report),
                        Some(Err(failure)) => Err(*failure),
                        None => Err(Failure::ReportMissing),
                    })
                    .collect(),
            })
            .collect()
    }
}

fn evaluate(
    input: &Reduction<'_>,
    by_run: &BTreeMap<&RunId, &RunRecord>,
    tasks: &TrackTasks<'_>,
    agent: &Participant,
) -> Result<AgentStanding, ReduceError> {
    let mut counts = RunCounts::default();
    let mut reports = Vec::new();
    for (rank, (truth, _)) in (0u32..).zip(&tasks.tasks) {
        for rep in 0..tasks.reps {
            let id = RunId {
                track: tasks.track,
                rep,
                rank,
                hotkey: agent.hotkey.clone(),
            };
            let task_ref = &truth.task_ref;
            let record = by_run.get(&id).ok_or_else(|| ReduceError::NoRecord {
                task_ref: task_ref.clone(),
                rep,
                hotkey: agent.hotkey.clone(),
            })?;
            let report = recorded_report(input.spec, record)?;
            match &report {
                Ok(_) => counts.completed += 1,
                Err(failure) => *counts.failed.entry(*failure).or_default() += 1,
            }
            reports.push(report);
        }
    }
    let scored = tasks.scored(&reports);
    let (detail, interval) = if tasks.track.is_behavioural() {
        let score = behavioural_track(input.spec, tasks.track, &scored)?;
        let interval = interval::of_score(
            input.spec,
            input.seed,
            tasks.track,
            agent.pin.as_str(),
            &score,
        )
        .map_err(ScoreError::from)?;
        (TrackScore::Behavioural(Box::new(score)), Some(interval))
    } else {
        let score = repo_track(input.spec, &scored)?;
        (TrackScore::Audit(Box::new(score)), None)
    };
    let score = detail.score();
    Ok(AgentStanding {
        hotkey: agent.hotkey.clone(),
        pin: agent.pin.clone(),
        score,
        eligible: detail.meets_threshold() && score > 0.0,
        detail: Some(detail),
        interval,
        copy_of: None,
        rank: None,
        share: 0.0,
        runs: counts,
    })
}

/// The report of a completed record, parsed again from its text.
fn recorded_report(
    spec: &Spec,
    record: &RunRecord,
) -> Result<Result<Report, Failure>, ReduceError> {
    if let Some(failure) = record.failure {
        return Ok(Err(failure));
    }
    let bytes = record.report.as_ref().map(String::as_bytes);
    report::parse(spec, record.id.track, bytes)
        .map(Ok)
        .map_err(|failure| ReduceError::Report {
            task_ref: record.task_ref.clone(),
            rep: record.id.rep,
            hotkey: record.id.hotkey.clone(),
            failure,
        })
}

fn unevaluated(agent: &Participant) -> AgentStanding {
    AgentStanding {
        hotkey: agent.hotkey.clone(),
        pin: agent.pin.clone(),
        score: 0.0,
        detail: None,
        interval: None,
        eligible: false,
        copy_of: None,
        rank: None,
        share: 0.0,
        runs: RunCounts::default(),
    }
}

fn entrant(input: &Reduction<'_>, agent: &Participant, standing: &AgentStanding) -> Entrant {
    Entrant {
        hotkey: agent.hotkey.clone(),
        score: standing.score,
        eligible: standing.eligible,
        commit_block: agent.commit_block,
        pin: agent.pin.as_str().to_owned(),
        digest: input
            .digests
            .get(&agent.hotkey)
            .map(|digest| digest.to_hex()),
    }
}
