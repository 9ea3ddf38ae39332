//! The sealed sandbox, run for real: needs root and writable control groups.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking"
)]

mod budgets;
mod bundles;
mod common;
mod contract;
mod escapes;
mod files;
mod lifecycle;
mod overhead;
