//! The rows that a commit gives, and their bytes.

use super::{IndexFault, Row, Table};
use crate::catalog::{Catalog, RoundSummary};
use crate::journal::Position;
use crate::key::RoundKey;
use crate::record::Record;
use round::plan::RunId;
use std::collections::BTreeSet;

/// Key of the row that says where the last smoothing state is.
pub(super) const STATE: &[u8] = b"state";

/// Where a record is: its commit, the commit's frame, and its place in the commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) seq: u64,
    pub(crate) position: Position,
    pub(crate) item: u64,
}

impl Entry {
    fn encode(&self) -> Vec<u8> {
        let Position {
            segment,
            offset,
            length,
        } = self.position;
        let numbers = [self.seq, segment, offset, length, self.item];
        numbers
            .iter()
            .flat_map(|number| number.to_be_bytes())
            .collect()
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (numbers, []) = bytes.as_chunks::<8>() else {
            return None;
        };
        let [seq, segment, offset, length, item] = numbers else {
            return None;
        };
        Some(Entry {
            seq: u64::from_be_bytes(*seq),
            position: Position {
                segment: u64::from_be_bytes(*segment),
                offset: u64::from_be_bytes(*offset),
                length: u64::from_be_bytes(*length),
            },
            item: u64::from_be_bytes(*item),
        })
    }
}

/// What all keys of a round begin with; the zero byte stands in no round key.
pub(super) fn prefix(key: &RoundKey) -> Vec<u8> {
    let mut bytes = key.as_str().as_bytes().to_vec();
    bytes.push(0);
    bytes
}

pub(super) fn run_key(key: &RoundKey, id: &RunId) -> Vec<u8> {
    let mut bytes = prefix(key);
    bytes.extend_from_slice(id.track.as_str().as_bytes());
    bytes.push(0);
    bytes.extend_from_slice(&id.rep.to_be_bytes());
    bytes.extend_from_slice(&id.rank.to_be_bytes());
    // A hotkey is text of any length from the chain; its hash is a key of a fixed one.
    bytes.extend_from_slice(blake3::hash(id.hotkey.as_str().as_bytes()).as_bytes());
    bytes
}

pub(super) fn decode_summary(bytes: &[u8]) -> Option<RoundSummary> {
    serde_json::from_slice(bytes).ok()
}

/// The rows of a commit that `catalog` has just counted in.
pub(crate) fn rows_of(
    seq: u64,
    position: Position,
    records: &[Record],
    touched: &BTreeSet<RoundKey>,
    catalog: &Catalog,
) -> Result<Vec<Row>, IndexFault> {
    let at = |item| {
        Entry {
            seq,
            position,
            item,
        }
        .encode()
    };
    let mut rows = Vec::with_capacity(records.len() + 2);
    for key in touched {
        let mut frame = prefix(key);
        frame.extend_from_slice(&seq.to_be_bytes());
        rows.push(Row::new(Table::Frames, frame, at(0))?);
        let summary = serde_json::to_vec(&catalog.rounds.get(key))
            .map_err(|error| IndexFault(error.to_string()))?;
        rows.push(Row::new(
            Table::Rounds,
            key.as_str().as_bytes().to_vec(),
            summary,
        )?);
    }
    for (item, record) in (0..).zip(records) {
        if let (Some(key), Some(run)) = (record.key(), record.run()) {
            rows.push(Row::new(Table::Runs, run_key(key, &run.id), at(item))?);
        }
        if matches!(record, Record::State { .. }) {
            rows.push(Row::new(Table::Meta, STATE.to_vec(), at(item))?);
        }
    }
    Ok(rows)
}
