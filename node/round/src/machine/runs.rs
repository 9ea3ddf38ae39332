//! Handing runs out, taking them back, trying again.

use super::{Awaiting, Effect, Goal, Round, Stage, rule_violation};
use crate::contract::{SandboxNote, task_document};
use crate::fault::HostFault;
use crate::plan::{PlannedRun, RunId};
use crate::ports::RunRequest;
use crate::record::{Entry, RunRecord};
use crate::standing::{self};
use mechanism::derive::{self};
use mechanism::fault::Fault;

impl Round {
    /// Hands the next runs to the slots that wait. Runs that the wall cap already decides are recorded without being
    /// started.
    pub(super) fn hand_out(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        while self.stage == Stage::Running && self.idle_slots > 0 {
            let Some(index) = self.queue.pop_front() else {
                break;
            };
            let Some(planned) = self.runs.get(index).cloned() else {
                continue;
            };
            if self.cap_used_up(&planned.id) {
                let record = RunRecord::never_started(&planned);
                let entry = Entry::Run(Box::new(record.clone()));
                effects.push(self.persist(entry, Awaiting::Run(index, Box::new(record))));
                continue;
            }
            self.idle_slots -= 1;
            self.in_flight.insert(index);
            let request = Box::new(self.request(planned, index));
            effects.push(Effect::Execute { index, request });
        }
        effects
    }

    pub(super) fn cap_used_up(&self, id: &RunId) -> bool {
        self.walls
            .get(&id.hotkey)
            .is_some_and(|walls| standing::wall_cap_used_up(&self.setup.spec, id, walls))
    }

    pub(super) fn request(&self, planned: PlannedRun, index: usize) -> RunRequest {
        let derived = derive::Derived::new(
            &self.setup.spec,
            &derive::run_key(
                &self.setup.secret,
                planned.id.track,
                &planned.pin,
                &planned.task_ref,
                planned.id.rep,
            ),
        );
        let files = self
            .setup
            .truth
            .get(&planned.task_ref)
            .map_or(&[][..], |truth| truth.files.as_slice());
        let sandbox = SandboxNote {
            image: self.setup.runtime.source.clone(),
            digest: self.setup.runtime.hash.clone(),
        };
        let document = task_document(
            &self.setup.spec,
            planned.id.track,
            &derived,
            files,
            &sandbox,
        );
        let probe = planned.id.track.is_behavioural().then(|| {
            (
                derived.probe_file_name(),
                derived.probe_content.clone().into_bytes(),
            )
        });
        let attempt = 1 + self.attempts.get(&index).map_or(0, Vec::len);
        RunRequest {
            run: planned,
            attempt: u32::try_from(attempt).unwrap_or(u32::MAX),
            task_json: document.to_string().into_bytes(),
            probe,
        }
    }

    pub(super) fn run_ended(
        &mut self,
        index: usize,
        result: Result<Box<RunRecord>, HostFault>,
    ) -> Vec<Effect> {
        if !self.in_flight.remove(&index) {
            return Vec::new();
        }
        match result {
            Ok(mut record) => {
                record.faults = self.attempts.remove(&index).unwrap_or_default();
                let entry = Entry::Run(record.clone());
                vec![self.persist(entry, Awaiting::Run(index, record))]
            }
            Err(fault) => self.retry(index, fault),
        }
    }

    /// Another attempt after a pause, or the abstention when none is left. Corpus bytes do not mend by waiting.
    pub(super) fn retry(&mut self, index: usize, fault: HostFault) -> Vec<Effect> {
        let corpus = fault.fault == Fault::Corpus;
        let (reason, detail) = (fault.reason, fault.detail.clone());
        let faults = self.attempts.entry(index).or_default();
        faults.push(fault);
        let next = u32::try_from(faults.len())
            .unwrap_or(u32::MAX)
            .saturating_add(1);
        match self.setup.retry.pause_before(next) {
            Some(pause_ms) if !corpus => vec![Effect::RetryAfter { index, pause_ms }],
            _ => self.abstain(reason, detail),
        }
    }

    /// Puts a run whose pause is over in front; only one that failed and waits for another attempt.
    pub(super) fn retry_due(&mut self, index: usize) -> Vec<Effect> {
        let waits = self.attempts.contains_key(&index)
            && !self.in_flight.contains(&index)
            && !self.queue.contains(&index);
        if waits {
            self.queue.push_front(index);
        }
        self.hand_out()
    }

    pub(super) fn when_all_durable(&mut self) -> Vec<Effect> {
        if self.stage != Stage::Running || self.durable.len() < self.runs.len() {
            return Vec::new();
        }
        match self.setup.goal {
            Goal::Weights => {
                self.stage = Stage::ReadingChain;
                vec![Effect::NoMoreRuns, Effect::ReadChain]
            }
            Goal::Scores => match self
                .final_runs()
                .map_err(rule_violation)
                .and_then(|runs| self.reduce(&runs))
            {
                Ok(standings) => {
                    self.standings = Some(standings);
                    self.stage = Stage::Done;
                    vec![Effect::NoMoreRuns, Effect::Finished]
                }
                Err((reason, detail)) => self.abstain(reason, detail),
            },
        }
    }
}
