//! What a ledger knows of its rounds without reading them, and the rules of what may be appended.

use crate::error::{LedgerError, Result};
use crate::key::RoundKey;
use crate::record::Record;
use mechanism::weights::Units;
use round::record::Entry;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How far a round is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Neither closed nor abstained.
    Open,
    /// The chain shows the vector.
    Closed,
    /// Over without weights.
    Abstained,
}

/// One round of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundSummary {
    /// Its key.
    pub key: RoundKey,
    /// The round id of its opening.
    pub round: u64,
    /// How far it is; of several ends the first counts.
    pub status: Status,
    /// Runs in it.
    pub runs: u64,
    /// Commits in which it has records.
    pub commits: u64,
    /// Number of its first commit.
    pub first: u64,
    /// Number of its last commit.
    pub last: u64,
}

/// The summaries and the last smoothing state.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Catalog {
    pub(crate) rounds: BTreeMap<RoundKey, RoundSummary>,
    pub(crate) state: Option<(u64, Units)>,
}

impl Catalog {
    /// Whether the records may be committed together.
    pub(crate) fn check(&self, records: &[Record]) -> Result<()> {
        let mut opened: BTreeSet<&RoundKey> = BTreeSet::new();
        let mut state = self.state.as_ref().map(|(round, _)| *round);
        for record in records {
            match record {
                Record::Entry {
                    key,
                    entry: Entry::Opened { .. },
                    ..
                } => {
                    if self.rounds.contains_key(key) || !opened.insert(key) {
                        return Err(LedgerError::AlreadyOpened(key.clone()));
                    }
                }
                Record::Entry { key, .. } | Record::Attachment { key, .. } => {
                    if !self.rounds.contains_key(key) && !opened.contains(key) {
                        return Err(LedgerError::NotOpened(key.clone()));
                    }
                }
                Record::State { round, .. } => {
                    let round = *round;
                    match state {
                        Some(last) if last == round => return Err(LedgerError::StateTaken(round)),
                        Some(last) if last > round => {
                            return Err(LedgerError::StateOrder { round, last });
                        }
                        _ => state = Some(round),
                    }
                }
            }
        }
        Ok(())
    }

    /// Counts the records of commit `seq` in; returns the rounds they touched.
    pub(crate) fn apply(&mut self, seq: u64, records: &[Record]) -> BTreeSet<RoundKey> {
        let mut touched = BTreeSet::new();
        for record in records {
            if let Record::State { round, units } = record {
                self.state = Some((*round, units.clone()));
            }
            let Some(key) = record.key() else { continue };
            let summary = self
                .rounds
                .entry(key.clone())
                .or_insert_with(|| RoundSummary {
                    key: key.clone(),
                    round: 0,
                    status: Status::Open,
                    runs: 0,
                    commits: 0,
                    first: seq,
                    last: seq,
                });
            if touched.insert(key.clone()) {
                summary.commits += 1;
                summary.last = seq;
            }
            if let Record::Entry { entry, .. } = record {
                summary.count(entry);
            }
        }
        touched
    }

    /// The keys of the rounds that stay when only the newest `keep` are kept: open ones always stay.
    pub(crate) fn newest(&self, keep: usize) -> BTreeSet<RoundKey> {
        let mut by_age: Vec<&RoundSummary> = self.rounds.values().collect();
        by_age.sort_by_key(|summary| std::cmp::Reverse((summary.first, &summary.key)));
        let stays = |(place, summary): &(usize, &RoundSummary)| {
            *place < keep || summary.status == Status::Open
        };
        let kept = by_age.into_iter().enumerate().filter(stays);
        kept.map(|(_, summary)| summary.key.clone()).collect()
    }

    /// The summaries in the order in which the rounds were opened.
    pub(crate) fn summaries(&self) -> Vec<RoundSummary> {
        let mut all: Vec<RoundSummary> = self.rounds.values().cloned().collect();
        all.sort_by(|a, b| (a.first, &a.key).cmp(&(b.first, &b.key)));
        all
    }
}

impl RoundSummary {
    fn count(&mut self, entry: &Entry) {
        let open = self.status == Status::Open;
        match entry {
            Entry::Opened { opening, .. } => self.round = opening.round,
            Entry::Run(_) => self.runs += 1,
            Entry::Closed { .. } if open => self.status = Status::Closed,
            Entry::Abstained { .. } if open => self.status = Status::Abstained,
            _ => {}
        }
    }
}
