//! Taking a round up again from its journal.
//!
//! What is durable stands: runs in the journal are not run again, a journaled payload is the one that is signed, a signed
//! vector is the one that is submitted.

use super::{Awaiting, Effect, Round, Setup, Stage};
use crate::fault::AbstainReason;
use crate::plan::RunId;
use crate::ports::WeightsPayload;
use crate::record::{Abstention, Entry, Opening, RunRecord};
use crate::standing::WeightsContext;
use mechanism::ids::{Hash32, Hotkey};
use std::collections::BTreeMap;

/// The journal is not one of this round.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    /// No opening entry comes first.
    #[error("the journal does not begin with the opening of a round; there is nothing to resume")]
    NotOpened,
    /// What the round depends on has changed since it was opened.
    #[error(
        "{0} differs from what the round was opened with; finish it with the same node, spec and corpus, or abstain from it"
    )]
    Differs(&'static str),
    /// A run that the plan does not hold.
    #[error("the journal holds a run that was never planned: {0}")]
    Unplanned(String),
    /// The recomputed vector is not the journaled one.
    #[error(
        "the journaled payload is not the one that the journaled runs give; the journal is damaged"
    )]
    Payload,
}

/// The journal's entries in groups.
#[derive(Default)]
struct Journal {
    opening: Option<(Opening, Hash32)>,
    materialised: Option<(BTreeMap<Hotkey, Hash32>, BTreeMap<Hotkey, String>)>,
    runs: Vec<RunRecord>,
    scored: Option<(Hash32, WeightsContext)>,
    intent: Option<WeightsPayload>,
    signed: Option<crate::ports::SignedWeights>,
    closed: bool,
    abstained: Option<Abstention>,
}

impl Journal {
    fn sort(entries: Vec<Entry>) -> Self {
        let mut journal = Journal::default();
        for entry in entries {
            match entry {
                Entry::Opened { opening, secret } => journal.opening = Some((*opening, secret)),
                Entry::Materialised {
                    digests,
                    unavailable,
                } => journal.materialised = Some((digests, unavailable)),
                Entry::Run(record) => journal.runs.push(*record),
                Entry::Scored {
                    round_digest,
                    context,
                } => journal.scored = Some((round_digest, *context)),
                Entry::Intent { payload } => journal.intent = Some(payload),
                Entry::Signed { signed } => journal.signed = Some(signed),
                Entry::Closed { .. } => journal.closed = true,
                Entry::Abstained { reason, detail } => {
                    journal.abstained = Some(Abstention { reason, detail });
                }
            }
        }
        journal
    }
}

impl Round {
    /// Takes the round up where its journal ends. `setup` must describe the round that the journal's opening describes:
    /// the caller takes seed and secret from it.
    ///
    /// # Errors
    /// [`ResumeError`] when the journal is of another round, or its parts contradict each other.
    pub fn resume(setup: Setup, entries: Vec<Entry>) -> Result<(Self, Vec<Effect>), ResumeError> {
        let count = entries.len() as u64;
        let journal = Journal::sort(entries);
        let (opening, secret) = journal.opening.ok_or(ResumeError::NotOpened)?;
        if secret != setup.secret {
            return Err(ResumeError::Differs("the round secret"));
        }
        let (mut round, _) = Round::new(setup);
        if let Some(what) = difference(&round.opening, &opening) {
            return Err(ResumeError::Differs(what));
        }
        round.opening = opening;
        round.next_seq = count;
        round.recovered = journal.runs;
        if let Some((digests, unavailable)) = journal.materialised {
            round.digests = digests;
            round.unavailable = unavailable;
            round.bytes_known = true;
        }
        if let Some(abstention) = journal.abstained {
            round.abstained = Some(abstention);
            round.restore_runs()?;
            round.stage = Stage::Done;
            return Ok((round, vec![Effect::Finished]));
        }
        let Some((round_digest, context)) = journal.scored else {
            round.check_planned()?;
            round.stage = Stage::Materialising;
            let effects = vec![round.ask_for_bytes()];
            return Ok((round, effects));
        };
        round.restore_runs()?;
        let payload = round
            .score_under(context)
            .map_err(|_| ResumeError::Payload)?;
        let journaled = journal.intent.as_ref();
        if payload.round_digest != round_digest || journaled.is_some_and(|other| *other != payload)
        {
            return Err(ResumeError::Payload);
        }
        let effects = match (journal.signed, journaled) {
            (Some(signed), _) if signed.payload != payload => return Err(ResumeError::Payload),
            (Some(signed), _) if journal.closed => {
                round.became_durable(Awaiting::Signed(signed));
                round.mark_closed();
                vec![Effect::Finished]
            }
            (Some(signed), _) => round.became_durable(Awaiting::Signed(signed)),
            (None, Some(_)) => round.became_durable(Awaiting::Intent(payload)),
            (None, None) => round.became_durable(Awaiting::Scored(payload)),
        };
        Ok((round, effects))
    }

    /// An agent that had its bytes when the round began has lost them: the local copy is gone, which is this host's fault.
    pub(super) fn lost_since(&mut self, now: &BTreeMap<Hotkey, String>) -> Option<Vec<Effect>> {
        let lost = now
            .iter()
            .find(|(hotkey, _)| !self.unavailable.contains_key(*hotkey))?;
        let detail = format!(
            "the bytes of {} were there when the round began: {}",
            lost.0, lost.1
        );
        Some(self.abstain(AbstainReason::StoreUnavailable, detail))
    }

    /// Puts the journaled runs into their places in the plan.
    pub(super) fn take_recovered(&mut self) {
        let places: BTreeMap<RunId, usize> = self
            .runs
            .iter()
            .enumerate()
            .map(|(index, run)| (run.id.clone(), index))
            .collect();
        for record in std::mem::take(&mut self.recovered) {
            if let Some(index) = places.get(&record.id) {
                self.count_durable(*index, record);
            }
        }
    }

    /// Lays the plan and fills it from the journal alone.
    fn restore_runs(&mut self) -> Result<(), ResumeError> {
        self.check_planned()?;
        let left_out = self.unavailable.keys().cloned().collect();
        self.runs = self.plan.runs(&left_out);
        self.take_recovered();
        Ok(())
    }

    fn check_planned(&self) -> Result<(), ResumeError> {
        let left_out = self.unavailable.keys().cloned().collect();
        let planned: BTreeMap<RunId, _> = self
            .plan
            .runs(&left_out)
            .into_iter()
            .map(|run| (run.id, (run.pin, run.task_ref)))
            .collect();
        let stranger = self.recovered.iter().find(|record| {
            planned
                .get(&record.id)
                .is_none_or(|(pin, task_ref)| *pin != record.pin || *task_ref != record.task_ref)
        });
        match stranger {
            Some(record) => Err(ResumeError::Unplanned(format!(
                "{} repetition {} by {}",
                record.task_ref, record.id.rep, record.id.hotkey
            ))),
            None => Ok(()),
        }
    }

    /// A closed round: the chain took the vector and showed it.
    fn mark_closed(&mut self) {
        if let Some(submission) = self.submission.as_mut() {
            submission.accepted = true;
            let payload = &submission.signed.payload;
            let pairs = payload
                .uids
                .iter()
                .copied()
                .zip(payload.values.iter().copied());
            submission.read_back = Some(pairs.collect());
        }
        self.stage = Stage::Done;
    }
}

/// The first thing in which two openings differ. The node's own version may: it computes the same numbers or shows in the
/// payload.
fn difference(now: &Opening, then: &Opening) -> Option<&'static str> {
    let same = [
        ("the spec id", now.spec_id == then.spec_id),
        ("the corpus root", now.corpus_root == then.corpus_root),
        ("the runtime", now.runtime == then.runtime),
        ("the subnet", now.netuid == then.netuid),
        ("the round id", now.round == then.round),
        (
            "the seed",
            (now.seed, now.seed_block) == (then.seed, then.seed_block),
        ),
        ("the validator's hotkey", now.validator == then.validator),
        (
            "the set of participants",
            now.participants == then.participants,
        ),
        ("the task draw", now.tasks == then.tasks),
    ];
    same.into_iter()
        .find(|(_, same)| !same)
        .map(|(what, _)| what)
}
