//! One round as data: a plan, a state machine and the records it leaves.
//!
//! Nothing here touches a file, a clock, a socket or a thread. [`machine::Round`] takes [`machine::Input`]s and answers
//! with [`machine::Effect`]s; the binary carries the effects out and feeds the results back. The traits in [`ports`] are
//! what the outer crates implement.
#![forbid(unsafe_code)]

pub mod contract;
pub mod fault;
pub mod judge;
pub mod machine;
pub mod plan;
pub mod ports;
pub mod record;
pub mod standing;
