//! Carries out what the round's state machine asks for.

pub(crate) mod agent;
pub(crate) mod control;
pub(crate) mod driver;
pub(crate) mod executor;
pub(crate) mod materialise;
pub(crate) mod pool;
pub(crate) mod session;
pub(crate) mod signing;
pub(crate) mod store;
