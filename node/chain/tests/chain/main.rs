//! The embedded chain from outside: epochs, history, saved state, and a submission for every refusal.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

mod common;
mod history;
mod refusals;
