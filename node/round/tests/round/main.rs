//! The round's state machine under a driver that is a list of pending actions: what happens next is the test's choice.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail by panicking"
)]

mod complete;
mod durability;
mod faults;
mod interleavings;
mod labels;
mod resume;
mod setup;
mod world;
