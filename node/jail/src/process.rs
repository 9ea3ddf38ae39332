//! The process of a run as the launcher sees it: started sealed, killed and reaped whatever happens.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{Mode, OFlags, openat};
use rustix::process::{Signal, WaitId, WaitIdOptions};

use crate::child::{Plan, init};
use crate::stage::{AtStage, Fault, Stage};
use crate::sys::{self, Cloned};

/// User and group id that the agent sees.
const AGENT_ID: u32 = 1000;

/// A run's init. Dropping it kills the whole pid namespace and waits for the end.
pub(crate) struct Process {
    pid: i32,
    handle: OwnedFd,
    reaped: bool,
}

impl Process {
    /// Starts the run's init in its group and namespaces.
    pub(crate) fn start(plan: &Plan<'_>, group: Option<BorrowedFd<'_>>) -> Result<Self, Fault> {
        match sys::clone_into_namespaces(group).at(
            Stage::Clone,
            "clone3 with pid, mount, ipc, uts and cgroup namespaces",
        )? {
            Cloned::Child => init(plan),
            Cloned::Parent(pid, handle) => Ok(Self {
                pid,
                handle,
                reaped: false,
            }),
        }
    }

    /// Maps the agent's only user into its user namespace.
    pub(crate) fn map_user(&self, proc: BorrowedFd<'_>, user: u32) -> Result<(), Fault> {
        let map = format!("{AGENT_ID} {user} 1");
        for (file, content) in [
            ("setgroups", "deny"),
            ("gid_map", map.as_str()),
            ("uid_map", map.as_str()),
        ] {
            let path = format!("{}/{file}", self.pid);
            let handle = openat(proc, &path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())
                .at(Stage::User, file)?;
            rustix::io::write(&handle, content.as_bytes()).at(Stage::User, file)?;
        }
        Ok(())
    }

    /// Becomes readable when the init is dead, and with it every process of the run.
    pub(crate) fn handle(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }

    /// Kills the init, and through its pid namespace everything else.
    pub(crate) fn kill(&self) {
        let _already_dead = rustix::process::pidfd_send_signal(&self.handle, Signal::KILL);
    }

    /// Waits for the death of the last process of the run.
    pub(crate) fn reap(&mut self) -> Result<(), Fault> {
        rustix::process::waitid(WaitId::PidFd(self.handle.as_fd()), WaitIdOptions::EXITED)
            .at(Stage::Supervise, "waitid")?;
        self.reaped = true;
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.reaped {
            self.kill();
            let _nothing_more_can_be_done = self.reap();
        }
    }
}
