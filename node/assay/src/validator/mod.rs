//! `assay run`: rounds until stopped.
//!
//! ```text
//! open ledger -> unfinished round? resume it (or abstain when its window is over) -> wait for the epoch -> round -> prune -> ...
//! ```
//! The first SIGTERM drains: runs in flight end and are durable, the rest is left for the next start. A second one stops
//! at once, which loses nothing that was durable.

mod opening;
mod round_loop;
mod socket;
mod subnet;
mod watch;

pub(crate) use round_loop::run;
pub(crate) use socket::ask;
