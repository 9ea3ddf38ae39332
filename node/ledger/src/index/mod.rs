//! The index: where the journal keeps what. Nothing in it is the only copy of anything; it is thrown away and made again
//! from the journal whenever it does not hold.

mod rows;
mod store;

pub(crate) use rows::{Entry, rows_of};
pub(crate) use store::{Index, Loaded, Row};

/// The index cannot be used. Never an error of the ledger: the journal answers instead, more slowly.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct IndexFault(pub(crate) String);

/// The fixed tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Table {
    /// `head`: how far the index goes. `state`: where the last smoothing state is.
    Meta,
    /// Round key -> summary.
    Rounds,
    /// Round key, commit -> position.
    Frames,
    /// Round key, run id -> position.
    Runs,
}

impl Table {
    pub(crate) const ALL: [Table; 4] = [Table::Meta, Table::Rounds, Table::Frames, Table::Runs];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Table::Meta => "meta",
            Table::Rounds => "rounds",
            Table::Frames => "frames",
            Table::Runs => "runs",
        }
    }
}
