//! The rules of the Assay mechanism as pure functions.
//!
//! Nothing in this crate does I/O, reads a clock, the environment or a random source: the same inputs give bit-identical
//! outputs on every machine. Each public item names the rule of `SPEC.md` that it implements.
#![forbid(unsafe_code)]

pub mod baseline;
pub mod bytes;
pub mod conform;
pub mod copies;
pub mod count;
pub mod derive;
pub mod digest;
pub mod draw;
pub mod explain;
pub mod fault;
pub mod fbeta;
pub mod finding;
pub mod ids;
pub mod interval;
pub mod label;
pub mod matching;
pub mod mcc;
pub mod outcome;
pub mod participants;
pub mod paths;
pub mod rank;
pub mod rational;
pub mod repo;
pub mod report;
pub mod score;
pub mod scored;
pub mod spec;
pub mod taxonomy;
pub mod track;
pub mod verdict;
pub mod vote;
pub mod weights;
pub mod wire;
pub mod words;
