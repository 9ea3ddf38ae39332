//! The round as a state machine: `apply(input) -> effects`.
//!
//! ```text
//! opening -> materialising -> running -> scoring -> signing -> submitting -> reading back -> closed
//!                 any fault past its retries -> abstained(reason): nothing is submitted
//! ```
//! An effect that must be durable first is a [`Effect::Persist`]; what depends on it is emitted only after
//! [`Input::Persisted`]. So a run counts, and a payload is signed, only once its entry is on disk.

mod io;
mod resume;
mod runs;
mod settle;
mod view;

pub use io::{Effect, Goal, Input, Setup};
pub use resume::ResumeError;

use crate::fault::{AbstainReason, HostFault};
use crate::plan::{Plan, PlannedRun};
use crate::ports::{SignedWeights, WeightsPayload};
use crate::record::{Abstention, Entry, Opening, RunRecord, Submission};
use crate::standing::{Standings, Walls, WeightsContext};
use mechanism::derive::{self};
use mechanism::draw::{self, Drawn};
use mechanism::ids::{Hash32, Hotkey};
use mechanism::track::Track;
use mechanism::weights::WeightsOutcome;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Opening,
    Materialising,
    Running,
    /// The entry that opens the next stage is on its way to the store; nothing else is awaited.
    Saving,
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
    /// Whether `digests` and `unavailable` are those of the journal.
    bytes_known: bool,
    /// Journaled runs that are not yet in their place in the plan.
    recovered: Vec<RunRecord>,
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
        let (mut round, refused) = Round::new(setup);
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

    /// Draws the tasks and lays the plan; the second value says why a pool was refused.
    fn new(setup: Setup) -> (Self, Option<String>) {
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
        let round = Round {
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
            bytes_known: false,
            recovered: Vec::new(),
            standings: None,
            context: None,
            weights: None,
            round_digest: None,
            submission: None,
            abstained: None,
        };
        (round, refused)
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
            Input::RetryDue { index } => self.retry_due(index),
            Input::Chain(view) => self.chain_read(*view),
            Input::Signed(signed) if self.stage == Stage::Signing => {
                let entry = Entry::Signed {
                    signed: signed.clone(),
                };
                self.stage = Stage::Saving;
                vec![self.persist(entry, Awaiting::Signed(signed))]
            }
            Input::Submitted(outcome) if self.stage == Stage::Submitting => self.submitted(outcome),
            Input::ReadBack(found) if self.stage == Stage::ReadingBack => self.read_back(found),
            Input::Signed(_) | Input::Submitted(_) | Input::ReadBack(_) => Vec::new(),
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
                vec![self.ask_for_bytes()]
            }
            Awaiting::Materialised => self.start_runs(),
            Awaiting::Run(index, record) => {
                self.count_durable(index, *record);
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
        if self.bytes_known {
            // A resumed round goes on with the agents that it began with.
            return self
                .lost_since(&unavailable)
                .unwrap_or_else(|| self.start_runs());
        }
        self.digests = digests.clone();
        self.unavailable = unavailable.clone();
        let entry = Entry::Materialised {
            digests,
            unavailable,
        };
        self.stage = Stage::Saving;
        vec![self.persist(entry, Awaiting::Materialised)]
    }

    fn ask_for_bytes(&self) -> Effect {
        let tasks = self
            .opening
            .tasks
            .values()
            .flat_map(|drawn| drawn.tasks.iter().cloned())
            .collect();
        Effect::Materialise {
            agents: self.agent_records(),
            tasks,
        }
    }

    fn start_runs(&mut self) -> Vec<Effect> {
        self.stage = Stage::Running;
        let left_out: BTreeSet<_> = self.unavailable.keys().cloned().collect();
        self.runs = self.plan.runs(&left_out);
        self.take_recovered();
        self.queue = (0..self.runs.len())
            .filter(|index| !self.durable.contains_key(index))
            .collect();
        let mut effects = self.when_all_durable();
        effects.extend(self.hand_out());
        effects
    }

    fn count_durable(&mut self, index: usize, record: RunRecord) {
        self.walls
            .entry(record.id.hotkey.clone())
            .or_default()
            .insert((record.id.rep, record.id.rank), record.usage.wall_us);
        self.durable.insert(index, record);
    }

    fn fail(&mut self, reason: AbstainReason, detail: String) -> Vec<Effect> {
        if self.stage == Stage::Done {
            return Vec::new();
        }
        if reason == AbstainReason::StoreUnavailable {
            // The abstention itself cannot be made durable either: it only ends the round. An earlier one stands.
            self.abstained.get_or_insert(Abstention { reason, detail });
            self.stage = Stage::Done;
            return vec![Effect::NoMoreRuns, Effect::Finished];
        }
        if self.abstained.is_some() {
            return Vec::new();
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
