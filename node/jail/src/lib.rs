//! The sealed side of the sandbox: the launcher process that each slot has, and the few steps between `clone3` and `execve`.
//!
//! The node never forks from itself. It starts one small, single-threaded launcher per slot, which jails itself once (private mount
//! namespace with the runtime tree as its read-only root, empty network namespace, own control groups) and then starts one process tree
//! per run. A run gets fresh pid, mount, IPC, UTS, cgroup and user namespaces, fresh file systems, no capability, no `/proc`, a system
//! call allow list, Landlock rules and resource limits; every one of these steps is checked and a failure is a [`Fault`] that names it,
//! never an outcome of the agent.

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
compile_error!(
    "the sandbox is written for Linux on x86-64: its system call filter knows no other numbers"
);

mod account;
mod artifact;
mod capture;
mod cgroup;
mod child;
mod handover;
mod landlock;
mod launcher;
mod limits;
mod probe;
mod process;
mod program;
pub mod proto;
mod record;
mod root;
mod run;
mod scratch;
mod seccomp;
mod stage;
mod supervise;
mod sys;
mod warm;
pub mod wire;

pub use cgroup::{remove_tree, sweep_leftovers};
pub use launcher::launcher_main;
pub use stage::{Fault, Stage};
