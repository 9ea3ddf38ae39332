//! Track scores: the worked examples, the rules around them, and what must hold whatever an agent reports.
#![expect(
    clippy::unwrap_used,
    reason = "builders of tests fail by panicking, as tests do"
)]

mod examples;
mod properties;
mod support;
