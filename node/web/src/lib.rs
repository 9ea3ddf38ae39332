//! What can be seen of a node over HTTP: `/metrics` for Prometheus, `/healthz` (alive) and `/readyz` (able to submit this
//! round, with every reason why not).
#![forbid(unsafe_code)]

mod health;
mod metrics;
mod server;

pub use health::{Health, NotReady};
pub use metrics::{BuildInfo, Metrics, RoundResult, StoreKind};
pub use server::{ServeError, Shared, router, serve};
