//! The corpus crate against corpora on disk: fit ones, and ones that break one rule each.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail the test")]

mod bundled;
mod common;
mod contribute;
mod likeness;
mod lint_files;
mod lint_labels;
mod pinning;
