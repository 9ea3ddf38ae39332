//! What will be run and in what order (`mechanism.md §2`): fixed before the first run.

use mechanism::ids::{Hotkey, Pin, TaskRef};
use mechanism::participants::Participant;
use mechanism::spec::Spec;
use mechanism::track::Track;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The frozen agents and drawn tasks of one track.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackPlan {
    /// Participants by hotkey.
    pub agents: Vec<Participant>,
    /// Task references in rank order; the position is the rank.
    pub tasks: Vec<TaskRef>,
    /// Repetitions per task.
    pub reps: u32,
}

/// One run: agent × task × repetition.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RunId {
    /// The track.
    pub track: Track,
    /// Repetition, counted from 0.
    pub rep: u32,
    /// Rank of the task in the draw, counted from 0.
    pub rank: u32,
    /// The agent's hotkey.
    pub hotkey: Hotkey,
}

/// A planned run with what its derivations need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedRun {
    /// Which run.
    pub id: RunId,
    /// The agent's pin.
    pub pin: Pin,
    /// The task.
    pub task_ref: TaskRef,
}

/// All runs of a round in the pinned order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Per track.
    pub tracks: BTreeMap<Track, TrackPlan>,
}

impl Plan {
    /// Puts the frozen participants beside the drawn tasks. A track without participants has no runs and is idle.
    #[must_use]
    pub fn new(
        spec: &Spec,
        participants: &BTreeMap<Track, Vec<Participant>>,
        tasks: &BTreeMap<Track, Vec<TaskRef>>,
    ) -> Self {
        let tracks = Track::ALL
            .into_iter()
            .map(|track| {
                let plan = TrackPlan {
                    agents: participants.get(&track).cloned().unwrap_or_default(),
                    tasks: tasks.get(&track).cloned().unwrap_or_default(),
                    reps: spec.track(track).reps,
                };
                (track, plan)
            })
            .collect();
        Plan { tracks }
    }

    /// The plan of one track.
    #[must_use]
    pub fn track(&self, track: Track) -> Option<&TrackPlan> {
        self.tracks.get(&track)
    }

    /// Every run, by track, then (rep, rank), then hotkey; agents in `left_out` have none.
    #[must_use]
    pub fn runs(&self, left_out: &BTreeSet<Hotkey>) -> Vec<PlannedRun> {
        let mut runs = Vec::new();
        for (track, plan) in &self.tracks {
            for rep in 0..plan.reps {
                for (rank, task_ref) in (0u32..).zip(&plan.tasks) {
                    for agent in plan.agents.iter().filter(|a| !left_out.contains(&a.hotkey)) {
                        runs.push(PlannedRun {
                            id: RunId {
                                track: *track,
                                rep,
                                rank,
                                hotkey: agent.hotkey.clone(),
                            },
                            pin: agent.pin.clone(),
                            task_ref: task_ref.clone(),
                        });
                    }
                }
            }
        }
        runs
    }
}
