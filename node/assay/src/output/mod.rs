//! What people and scripts read.

pub(crate) mod progress;
pub(crate) mod tables;
