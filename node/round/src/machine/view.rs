//! What can be seen of a round: progress and record.

use super::{Round, Stage};
use crate::record::{AgentRecord, Opening, RECORD_FORMAT, RoundRecord, TaskRecord};
use mechanism::draw::Drawn;
use mechanism::spec::Spec;

impl Round {
    /// Planned runs and how many of them are durable.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        (self.durable.len(), self.runs.len())
    }

    /// The rules it goes by.
    #[must_use]
    pub fn spec(&self) -> &Spec {
        &self.setup.spec
    }

    /// What was fixed before the first run.
    #[must_use]
    pub fn opening(&self) -> &Opening {
        &self.opening
    }

    /// Whether the round is over.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }

    /// The record as far as the round has come. Labels and the secret are in it only when the round is over
    /// (`architecture.md`, invariant 1).
    #[must_use]
    pub fn record(&self) -> RoundRecord {
        let over = self.is_done();
        let tasks = self
            .opening
            .tasks
            .iter()
            .filter(|_| over)
            .map(|(track, drawn)| (*track, self.task_records(drawn)))
            .collect();
        RoundRecord {
            format: RECORD_FORMAT.to_owned(),
            opening: self.opening.clone(),
            secret: over.then_some(self.setup.secret),
            agents: self.agent_records(),
            tasks,
            runs: self.final_runs().unwrap_or_default(),
            tracks: self
                .standings
                .as_ref()
                .map(|s| s.tracks.clone())
                .unwrap_or_default(),
            weights_input: self.context.clone(),
            weights: self.weights.clone(),
            round_digest: self.round_digest,
            submission: self.submission.clone(),
            abstained: self.abstained.clone(),
        }
    }

    pub(super) fn agent_records(&self) -> Vec<AgentRecord> {
        let mut agents: Vec<AgentRecord> = self
            .plan
            .tracks
            .iter()
            .flat_map(|(track, plan)| plan.agents.iter().map(move |agent| (*track, agent)))
            .map(|(track, agent)| AgentRecord {
                hotkey: agent.hotkey.clone(),
                name: self.setup.names.get(&agent.hotkey).cloned(),
                track,
                pin: agent.pin.clone(),
                commit_block: agent.commit_block,
                normalised_digest: self.digests.get(&agent.hotkey).copied(),
                unavailable: self.unavailable.get(&agent.hotkey).cloned(),
            })
            .collect();
        agents.sort_by(|a, b| a.hotkey.cmp(&b.hotkey));
        agents
    }

    pub(super) fn task_records(&self, drawn: &Drawn) -> Vec<TaskRecord> {
        (0u32..)
            .zip(&drawn.tasks)
            .filter_map(|(rank, task_ref)| {
                let truth = self.setup.truth.get(task_ref)?;
                Some(TaskRecord {
                    task_ref: task_ref.clone(),
                    rank,
                    label: truth.label.clone(),
                    files: truth.files.clone(),
                })
            })
            .collect()
    }
}
