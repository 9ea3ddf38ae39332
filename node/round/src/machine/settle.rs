//! From the last run to the vector that stands on chain.

use super::{Awaiting, Effect, Round, Stage, rule_violation};
use crate::fault::AbstainReason;
use crate::ports::{ChainView, WeightsPayload};
use crate::record::{Entry, RunRecord};
use crate::standing::{self, Standings, WeightsContext};
use mechanism::outcome::WallCapError;

impl Round {
    pub(super) fn chain_read(&mut self, view: ChainView) -> Vec<Effect> {
        if self.stage != Stage::ReadingChain {
            return Vec::new();
        }
        let context = WeightsContext {
            previous: self.setup.previous.clone(),
            chain: view,
        };
        match self.score_under(context.clone()) {
            Ok(payload) => {
                let entry = Entry::Scored {
                    round_digest: payload.round_digest,
                    context: Box::new(context),
                };
                self.stage = Stage::Saving;
                vec![self.persist(entry, Awaiting::Scored(payload))]
            }
            Err((reason, detail)) => self.abstain(reason, detail),
        }
    }

    pub(super) fn reduce(&self, runs: &[RunRecord]) -> Result<Standings, (AbstainReason, String)> {
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

    /// Scores the durable runs and computes the payload; the same context gives the same payload.
    pub(super) fn score_under(
        &mut self,
        context: WeightsContext,
    ) -> Result<WeightsPayload, (AbstainReason, String)> {
        let runs = self.final_runs().map_err(rule_violation)?;
        let mut standings = self.reduce(&runs)?;
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
                AbstainReason::AllTracksIdle,
                "no track has an eligible agent".to_owned(),
            ))),
        }
    }

    pub(super) fn submitted(&mut self, outcome: Result<(), String>) -> Vec<Effect> {
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

    pub(super) fn read_back(&mut self, found: Vec<(u16, u16)>) -> Vec<Effect> {
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

    /// The durable runs in the pinned order, with the round cap of each agent applied (`mechanism.md §1`).
    pub(super) fn final_runs(&self) -> Result<Vec<RunRecord>, WallCapError> {
        let mut runs: Vec<RunRecord> = self.durable.values().cloned().collect();
        standing::apply_wall_cap(&self.setup.spec, &self.plan, &mut runs)?;
        Ok(runs)
    }
}
