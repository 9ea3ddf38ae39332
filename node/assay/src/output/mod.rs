//! What people and scripts read.

pub(crate) mod explain;
pub(crate) mod features;
pub(crate) mod json;
pub(crate) mod progress;
pub(crate) mod tables;
