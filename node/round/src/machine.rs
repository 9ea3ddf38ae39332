//! The round as a state machine: `apply(input) -> effects`.
//!
//! ```text
//! opening -> materialising -> running -> scoring -> signing -> submitting -> reading back -> closed
//!                 any fault past its retries -> abstained(reason): nothing is submitted
//! ```
//! An effect that must be durable first is a [`Effect::Persist`]; what depends on it is emitted only after
//! [`Input::Persisted`]. So a run counts, and a payload is signed, only once its entry is on disk.

use crate::contract::{SandboxNote, task_document};
use crate::fault::{AbstainReason, HostFault, RetryPolicy};
use crate::plan::{Plan, PlannedRun, RunId};
use crate::ports::{ChainView, RunRequest, SignedWeights, TaskTruth, WeightsPayload};
use crate::record::{
    Abstention, AgentRecord, Entry, Opening, RECORD_FORMAT, RoundRecord, RunRecord, RuntimeNote,
    Submission, TaskRecord,
};
use crate::standing::{self, Standings, Walls, WeightsContext};
use mechanism::derive;
use mechanism::draw::{self, Drawn, PoolTask};
use mechanism::fault::Fault;
use mechanism::ids::{Hash32, Hotkey, TaskRef};
use mechanism::outcome::WallCapError;
use mechanism::participants::Participant;
use mechanism::spec::Spec;
use mechanism::track::Track;
use mechanism::weights::WeightsOutcome;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How far a round goes once its runs are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// To the signed vector on chain.
    Weights,
    /// To the scores of these tracks and no further: what a miner does offline.
    Scores,
}

/// Everything a round starts from.
pub struct Setup {
    /// How far it goes.
    pub goal: Goal,
    /// The tracks that are drawn and run: all of them in a round.
    pub tracks: BTreeSet<Track>,
    /// The rules.
    pub spec: Spec,
    /// Version of this node.
    pub node_version: String,
    /// Corpus root hash.
    pub corpus_root: Hash32,
    /// The runtime.
    pub runtime: RuntimeNote,
    /// Subnet.
    pub netuid: u16,
    /// Round id.
    pub round: u64,
    /// The validator's hotkey.
    pub validator: Hotkey,
    /// Hash of the seed block.
    pub seed: Hash32,
    /// Its number.
    pub seed_block: u64,
    /// The round secret.
    pub secret: Hash32,
    /// Frozen participants by track.
    pub participants: BTreeMap<Track, Vec<Participant>>,
    /// The corpus's tasks by track.
    pub pools: BTreeMap<Track, Vec<PoolTask>>,
    /// Labels and file lists.
    pub truth: BTreeMap<TaskRef, TaskTruth>,
    /// Smoothing state before this round; `None` when there is none.
    pub previous: Option<BTreeMap<Hotkey, u64>>,
    /// Display names.
    pub names: BTreeMap<Hotkey, String>,
    /// Retries of infrastructure faults.
    pub retry: RetryPolicy,
}

/// What the outside tells the machine.
#[derive(Debug)]
pub enum Input {
    /// All entries up to this number are durable.
    Persisted {
        /// Number of the last durable entry.
        up_to: u64,
    },
    /// All bytes are there and verified, save those of the agents named.
    Materialised {
        /// Normalised digest by hotkey.
        digests: BTreeMap<Hotkey, Hash32>,
        /// Reason by hotkey of agents whose bytes cannot be had.
        unavailable: BTreeMap<Hotkey, String>,
    },
    /// A slot waits for work.
    SlotFree,
    /// A run ended.
    RunEnded {
        /// Its number in the plan.
        index: usize,
        /// The judged record, or the fault.
        result: Result<Box<RunRecord>, HostFault>,
    },
    /// The pause before a retry is over.
    RetryDue {
        /// The run's number in the plan.
        index: usize,
    },
    /// The chain's state for the submission.
    Chain(Box<ChainView>),
    /// The payload was signed.
    Signed(SignedWeights),
    /// The chain took the vector or refused it.
    Submitted(Result<(), String>),
    /// What stands on chain.
    ReadBack(Vec<(u16, u16)>),
    /// Something that the round depends on failed for good.
    Failed {
        /// Why.
        reason: AbstainReason,
        /// One line.
        detail: String,
    },
}

/// What the machine asks of the outside.
#[derive(Debug)]
pub enum Effect {
    /// Make the entry durable, in this order, then say [`Input::Persisted`].
    Persist {
        /// Number of the entry, counted from 1.
        seq: u64,
        /// The entry.
        entry: Box<Entry>,
    },
    /// Fetch and verify all bytes of these agents and tasks.
    Materialise {
        /// The agents.
        agents: Vec<AgentRecord>,
        /// The tasks.
        tasks: Vec<TaskRef>,
    },
    /// Hand the run to the slot that waits.
    Execute {
        /// Its number in the plan.
        index: usize,
        /// The request.
        request: Box<RunRequest>,
    },
    /// Say [`Input::RetryDue`] after a pause.
    RetryAfter {
        /// The run's number in the plan.
        index: usize,
        /// The pause.
        pause_ms: u64,
    },
    /// No run will be handed out any more: the slots may go.
    NoMoreRuns,
    /// Read the chain for the submission.
    ReadChain,
    /// Sign the payload.
    Sign(WeightsPayload),
    /// Submit the signed vector.
    Submit(SignedWeights),
    /// Read the weights back.
    ReadBack,
    /// The round is over.
    Finished,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Opening,
    Materialising,
    Running,
    ReadingChain,
    Signing,
    Submitting,
    ReadingBack,
    Closing,
    Done,
}

/// One round.
pub struct Round {
    setup: Setup,
    opening: Opening,
    plan: Plan,
    runs: Vec<PlannedRun>,
    stage: Stage,
    next_seq: u64,
    /// What becomes true when an entry is durable.
    awaiting: BTreeMap<u64, Awaiting>,
    queue: VecDeque<usize>,
    idle_slots: usize,
    attempts: BTreeMap<usize, Vec<HostFault>>,
    in_flight: BTreeSet<usize>,
    durable: BTreeMap<usize, RunRecord>,
    walls: BTreeMap<Hotkey, Walls>,
    digests: BTreeMap<Hotkey, Hash32>,
    unavailable: BTreeMap<Hotkey, String>,
    standings: Option<Standings>,
    context: Option<WeightsContext>,
    weights: Option<WeightsOutcome>,
    round_digest: Option<Hash32>,
    submission: Option<Submission>,
    abstained: Option<Abstention>,
}

enum Awaiting {
    Opened,
    Materialised,
    Run(usize, Box<RunRecord>),
    Scored(WeightsPayload),
    Intent(WeightsPayload),
    Signed(SignedWeights),
    End,
}

impl Round {
    /// Draws the tasks and opens the round. A refused pool abstains at once: the second value then holds only the
    /// abstention (`mechanism.md §2`, §4).
    #[must_use]
    pub fn open(setup: Setup) -> (Self, Vec<Effect>) {
        let drawn = draw_all(&setup);
        let (tasks, refused) = match drawn {
            Ok(tasks) => (tasks, None),
            Err(detail) => (BTreeMap::new(), Some(detail)),
        };
        let refs = tasks
            .iter()
            .map(|(track, drawn)| (*track, drawn.tasks.clone()))
            .collect();
        let plan = Plan::new(&setup.spec, &setup.participants, &refs);
        let opening = Opening {
            node_version: setup.node_version.clone(),
            spec_id: setup.spec.id(),
            spec_name: setup.spec.profile.clone(),
            corpus_root: setup.corpus_root,
            runtime: setup.runtime.clone(),
            netuid: setup.netuid,
            round: setup.round,
            seed: setup.seed,
            seed_block: setup.seed_block,
            freeze_block: setup.seed_block.saturating_sub(1),
            validator: setup.validator.clone(),
            secret_commitment: derive::secret_commitment(&setup.secret),
            participants: setup.participants.clone(),
            tasks,
        };
        let mut round = Round {
            setup,
            opening,
            plan,
            runs: Vec::new(),
            stage: Stage::Opening,
            next_seq: 0,
            awaiting: BTreeMap::new(),
            queue: VecDeque::new(),
            idle_slots: 0,
            attempts: BTreeMap::new(),
            in_flight: BTreeSet::new(),
            durable: BTreeMap::new(),
            walls: BTreeMap::new(),
            digests: BTreeMap::new(),
            unavailable: BTreeMap::new(),
            standings: None,
            context: None,
            weights: None,
            round_digest: None,
            submission: None,
            abstained: None,
        };
        let mut effects = Vec::new();
        let entry = Entry::Opened {
            opening: Box::new(round.opening.clone()),
            secret: round.setup.secret,
        };
        effects.push(round.persist(entry, Awaiting::Opened));
        if let Some(detail) = refused {
            effects.extend(round.abstain(AbstainReason::PoolRefused, detail));
        }
        (round, effects)
    }

    /// Takes one input and says what follows. Inputs that no longer matter (a run that ends after the abstention) are
    /// ignored.
    pub fn apply(&mut self, input: Input) -> Vec<Effect> {
        match input {
            Input::Persisted { up_to } => self.persisted(up_to),
            Input::Failed { reason, detail } => self.fail(reason, detail),
            _ if self.abstained.is_some() => Vec::new(),
            Input::Materialised {
                digests,
                unavailable,
            } => self.materialised(digests, unavailable),
            Input::SlotFree => {
                self.idle_slots += 1;
                self.hand_out()
            }
            Input::RunEnded { index, result } => self.run_ended(index, result),
            Input::RetryDue { index } => {
                self.queue.push_front(index);
                self.hand_out()
            }
            Input::Chain(view) => self.chain_read(*view),
            Input::Signed(signed) if self.stage == Stage::Signing => {
                let entry = Entry::Signed {
                    signed: signed.clone(),
                };
                vec![self.persist(entry, Awaiting::Signed(signed))]
            }
            Input::Submitted(outcome) if self.stage == Stage::Submitting => self.submitted(outcome),
            Input::ReadBack(found) if self.stage == Stage::ReadingBack => self.read_back(found),
            Input::Signed(_) | Input::Submitted(_) | Input::ReadBack(_) => Vec::new(),
        }
    }

    /// Planned runs and how many of them are durable.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        (self.durable.len(), self.runs.len())
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

    fn persist(&mut self, entry: Entry, awaiting: Awaiting) -> Effect {
        self.next_seq += 1;
        self.awaiting.insert(self.next_seq, awaiting);
        Effect::Persist {
            seq: self.next_seq,
            entry: Box::new(entry),
        }
    }

    fn persisted(&mut self, up_to: u64) -> Vec<Effect> {
        let later = self.awaiting.split_off(&up_to.saturating_add(1));
        let now = std::mem::replace(&mut self.awaiting, later);
        let mut effects = Vec::new();
        for (_, what) in now {
            effects.extend(self.became_durable(what));
        }
        effects
    }

    fn became_durable(&mut self, what: Awaiting) -> Vec<Effect> {
        if let Awaiting::End = what {
            self.stage = Stage::Done;
            return vec![Effect::Finished];
        }
        if self.abstained.is_some() {
            return Vec::new();
        }
        match what {
            Awaiting::Opened => {
                self.stage = Stage::Materialising;
                let tasks = self
                    .opening
                    .tasks
                    .values()
                    .flat_map(|drawn| drawn.tasks.iter().cloned())
                    .collect();
                vec![Effect::Materialise {
                    agents: self.agent_records(),
                    tasks,
                }]
            }
            Awaiting::Materialised => {
                self.stage = Stage::Running;
                let left_out: BTreeSet<_> = self.unavailable.keys().cloned().collect();
                self.runs = self.plan.runs(&left_out);
                self.queue = (0..self.runs.len()).collect();
                let mut effects = self.when_all_durable();
                effects.extend(self.hand_out());
                effects
            }
            Awaiting::Run(index, record) => {
                self.walls
                    .entry(record.id.hotkey.clone())
                    .or_default()
                    .insert((record.id.rep, record.id.rank), record.usage.wall_us);
                self.durable.insert(index, *record);
                let mut effects = self.when_all_durable();
                effects.extend(self.hand_out());
                effects
            }
            Awaiting::Scored(payload) => {
                let entry = Entry::Intent {
                    payload: payload.clone(),
                };
                vec![self.persist(entry, Awaiting::Intent(payload))]
            }
            Awaiting::Intent(payload) => {
                self.stage = Stage::Signing;
                vec![Effect::Sign(payload)]
            }
            Awaiting::Signed(signed) => {
                self.stage = Stage::Submitting;
                self.submission = Some(Submission {
                    signed: signed.clone(),
                    accepted: false,
                    refusal: None,
                    read_back: None,
                });
                vec![Effect::Submit(signed)]
            }
            Awaiting::End => Vec::new(),
        }
    }

    fn materialised(
        &mut self,
        digests: BTreeMap<Hotkey, Hash32>,
        unavailable: BTreeMap<Hotkey, String>,
    ) -> Vec<Effect> {
        if self.stage != Stage::Materialising {
            return Vec::new();
        }
        self.digests = digests;
        self.unavailable = unavailable.clone();
        vec![self.persist(Entry::Materialised { unavailable }, Awaiting::Materialised)]
    }

    /// Hands the next runs to the slots that wait. Runs that the wall cap already decides are recorded without being
    /// started.
    fn hand_out(&mut self) -> Vec<Effect> {
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

    fn cap_used_up(&self, id: &RunId) -> bool {
        self.walls
            .get(&id.hotkey)
            .is_some_and(|walls| standing::wall_cap_used_up(&self.setup.spec, id, walls))
    }

    fn request(&self, planned: PlannedRun, index: usize) -> RunRequest {
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

    fn run_ended(
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
    fn retry(&mut self, index: usize, fault: HostFault) -> Vec<Effect> {
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

    fn when_all_durable(&mut self) -> Vec<Effect> {
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

    fn chain_read(&mut self, view: ChainView) -> Vec<Effect> {
        if self.stage != Stage::ReadingChain {
            return Vec::new();
        }
        match self.score(view) {
            Ok(payload) => {
                let entry = Entry::Scored {
                    round_digest: payload.round_digest,
                };
                vec![self.persist(entry, Awaiting::Scored(payload))]
            }
            Err((reason, detail)) => self.abstain(reason, detail),
        }
    }

    fn reduce(&self, runs: &[RunRecord]) -> Result<Standings, (AbstainReason, String)> {
        standing::reduce(&standing::Reduction {
            spec: &self.setup.spec,
            plan: &self.plan,
            truth: &self.setup.truth,
            runs,
            seed: &self.setup.seed,
            digests: &self.digests,
            unavailable: &self.unavailable,
        })
        .map_err(rule_violation)
    }

    fn score(&mut self, view: ChainView) -> Result<WeightsPayload, (AbstainReason, String)> {
        let runs = self.final_runs().map_err(rule_violation)?;
        let mut standings = self.reduce(&runs)?;
        let context = WeightsContext {
            previous: self.setup.previous.clone(),
            chain: view,
        };
        let outcome = standing::weigh(&self.setup.spec, &self.setup.seed, &standings, &context)
            .map_err(rule_violation)?;
        standing::attach_ranks(&self.setup.spec, &mut standings, &outcome);
        let vector = outcome.u16.clone();
        self.round_digest = Some(standing::round_digest(
            &self.opening,
            &runs,
            &standings,
            vector.as_deref(),
        ));
        self.standings = Some(standings);
        let reason = standing::abstain_reason(&outcome);
        let version_key = context.chain.version_key;
        self.context = Some(context);
        self.weights = Some(outcome);
        match (vector, self.round_digest) {
            (Some(vector), Some(round_digest)) if reason.is_none() => Ok(WeightsPayload {
                netuid: self.setup.netuid,
                version_key,
                round: self.setup.round,
                uids: vector.iter().map(|(uid, _)| *uid).collect(),
                values: vector.iter().map(|(_, value)| *value).collect(),
                spec_id: self.opening.spec_id,
                round_digest,
            }),
            _ => Err(reason.unwrap_or((
                AbstainReason::NoEligibleAgent,
                "no track has an eligible agent".to_owned(),
            ))),
        }
    }

    fn submitted(&mut self, outcome: Result<(), String>) -> Vec<Effect> {
        let Some(submission) = self.submission.as_mut() else {
            return Vec::new();
        };
        match outcome {
            Ok(()) => {
                submission.accepted = true;
                self.stage = Stage::ReadingBack;
                vec![Effect::ReadBack]
            }
            Err(refusal) => {
                submission.refusal = Some(refusal.clone());
                self.abstain(AbstainReason::SubmissionRefused, refusal)
            }
        }
    }

    fn read_back(&mut self, found: Vec<(u16, u16)>) -> Vec<Effect> {
        let Some(submission) = self.submission.as_mut() else {
            return Vec::new();
        };
        let payload = &submission.signed.payload;
        let same = payload
            .uids
            .iter()
            .copied()
            .zip(payload.values.iter().copied())
            .eq(found.iter().copied());
        submission.read_back = Some(found);
        if !same {
            let detail = "the chain shows other weights than the ones submitted".to_owned();
            return self.abstain(AbstainReason::ReadBackDiffers, detail);
        }
        self.stage = Stage::Closing;
        let state = self
            .weights
            .as_ref()
            .and_then(|outcome| outcome.state.clone())
            .unwrap_or_default();
        vec![self.persist(Entry::Closed { state }, Awaiting::End)]
    }

    fn fail(&mut self, reason: AbstainReason, detail: String) -> Vec<Effect> {
        if self.stage == Stage::Done || self.abstained.is_some() {
            return Vec::new();
        }
        if reason == AbstainReason::StoreUnavailable {
            // The abstention itself cannot be made durable either: it only ends the round.
            self.abstained = Some(Abstention { reason, detail });
            self.stage = Stage::Done;
            return vec![Effect::NoMoreRuns, Effect::Finished];
        }
        self.abstain(reason, detail)
    }

    fn abstain(&mut self, reason: AbstainReason, detail: String) -> Vec<Effect> {
        self.abstained = Some(Abstention {
            reason,
            detail: detail.clone(),
        });
        let entry = Entry::Abstained { reason, detail };
        vec![self.persist(entry, Awaiting::End), Effect::NoMoreRuns]
    }

    /// The durable runs in the pinned order, with the round cap of each agent applied (`mechanism.md §1`).
    fn final_runs(&self) -> Result<Vec<RunRecord>, WallCapError> {
        let mut runs: Vec<RunRecord> = self.durable.values().cloned().collect();
        standing::apply_wall_cap(&self.setup.spec, &self.plan, &mut runs)?;
        Ok(runs)
    }

    fn agent_records(&self) -> Vec<AgentRecord> {
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

    fn task_records(&self, drawn: &Drawn) -> Vec<TaskRecord> {
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

fn rule_violation(error: impl std::fmt::Display) -> (AbstainReason, String) {
    (AbstainReason::RuleViolation, error.to_string())
}

/// Draws the tasks of every track of the setup; a track that nobody takes part in is drawn as well, so that a broken pool shows.
fn draw_all(setup: &Setup) -> Result<BTreeMap<Track, Drawn>, String> {
    let mut tasks = BTreeMap::new();
    for track in setup.tracks.iter().copied() {
        let pool = setup.pools.get(&track).map_or(&[][..], Vec::as_slice);
        let drawn = draw::draw(
            &setup.spec.draw,
            setup.spec.track(track).tasks,
            &setup.seed,
            track,
            &setup.validator,
            pool,
        )
        .map_err(|fault| format!("{track}: {fault}"))?;
        tasks.insert(track, drawn);
    }
    Ok(tasks)
}
