//! The ledger from outside: one suite for both twins, and what crashes, damage and full disks do to the one on disk.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failed expectation is how a test fails"
)]

mod crash;
mod damage;
mod full_disk;
mod open;
mod property;
mod repair;
mod sample;
mod suite;
