//! The durable truth of a validator.
//!
//! - The **journal** is the truth: commits in segment files, each bound to the one before by its digest, synced before they
//!   are acknowledged.
//! - The **index** (sled) says where the journal keeps what. It is thrown away and made again whenever it does not hold.
//! - **Blobs** keep what is large, under the hash of its bytes.
//!
//! A crash at any moment loses nothing that was acknowledged, and a commit is there whole or not at all. Damage to bytes that
//! were acknowledged is refused by name, never passed over: [`Ledger::open`] tells it from the torn end of a commit that a
//! crash interrupted, and [`Ledger::repair`] saves what is whole.
//!
//! ```text
//! LOCK  VERSION  CURRENT  ACKNOWLEDGED      one process; the schema; the generation that counts; the last commit
//! journal-000001/00000000.seg ...           one generation's segments
//! index/1/                                  sled
//! blobs/aa/<hex>                            bytes by BLAKE3
//! damaged/  backup-schema-<n>/              what a repair put aside; what was before a migration
//! ```
//!
//! [`MemLedger`] keeps the same contract ([`RoundLedger`]) in memory.

mod api;
mod blobs;
mod catalog;
pub mod crash;
mod disk;
mod durable;
mod error;
mod export;
mod index;
mod journal;
mod key;
mod lock;
mod marks;
mod mem;
mod migrate;
mod record;

pub use api::{ExportReport, PruneReport, RoundLedger, RoundStore};
pub use catalog::{RoundSummary, Status};
pub use crash::crash_point;
pub use disk::{IndexState, Ledger, OpenReport, Options, RepairReport, Sizes, VerifyReport};
pub use error::LedgerError;
pub use journal::scan::TornTail;
pub use key::RoundKey;
pub use mem::MemLedger;
pub use record::{BlobRef, INLINE_REPORT, Record};
