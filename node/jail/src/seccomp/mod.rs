//! The system call filter of a run: an allow list compiled to a binary search, so that the kernel's work per call number is small.

mod compile;
#[cfg(test)]
mod oracle;
mod policy;

pub(crate) use compile::compile;
