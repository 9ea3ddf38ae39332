//! The built `assay` from outside: refusals, JSON, repeatability, conformance, an operator's rounds. Needs root and
//! writable control groups, like the sandbox's own tests.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking"
)]

mod agents;
mod bundles;
mod command_line;
mod conformance;
mod contribution;
mod corpora;
mod determinism;
mod explain;
mod hosts;
mod json;
mod operator;
mod registries;
mod support;
