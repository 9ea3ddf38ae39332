//! Bundles from outside: the canonical form, and every way in which bytes can be something else.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod common;
mod form;
mod hostile;
