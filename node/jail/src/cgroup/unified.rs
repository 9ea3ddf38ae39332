//! cgroup v2: everything per run in one group, and the kernel kills the whole group when it meets its memory limit.

use std::cell::Cell;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use super::detect::V2_LEAF;
use super::files::{Group, number_at, pressure_total};
use super::{Entry, MemoryEnd, RunGroup, SlotGroups, create_slot};
use crate::proto::{CgroupMode, Limits};
use crate::stage::{AtStage, Fault, Stage};

/// The run's init is in the group beside the agent's processes.
const OWN_PROCESSES: u64 = 1;

/// A slot on cgroup v2.
pub(super) struct UnifiedSlot {
    slot: Group,
    paths: Vec<PathBuf>,
    runs: Cell<u64>,
    accounts_wait: bool,
}

/// The group under which slots are made: this process's own, or its parent once the node has moved into a leaf of it.
pub(super) fn base(own: &Path) -> &Path {
    if own.file_name().is_some_and(|name| name == V2_LEAF) {
        own.parent().unwrap_or(own)
    } else {
        own
    }
}

/// The controllers that can be handed on from here.
pub(super) fn offered(own: &Path) -> String {
    std::fs::read_to_string(base(own).join("cgroup.controllers")).unwrap_or_default()
}

impl UnifiedSlot {
    pub(super) fn new(own: PathBuf, name: &str, notices: &mut Vec<String>) -> Result<Self, Fault> {
        let base = base(&own);
        let group = Group::open(base)?;
        enable(&group, base)?;
        let weights = group.write_raw("cgroup.subtree_control", "+cpu").is_ok();
        let (slot, path) = create_slot(base, name)?;
        slot.write("cgroup.subtree_control", "+memory +pids")?;
        if !weights || slot.write_raw("cpu.weight", "10000").is_err() {
            notices.push("no cpu controller: runs have no higher weight than their neighbours (systemd: Delegate=cpu)".to_owned());
        }
        let accounts_wait =
            slot.has("cpu.pressure") && pressure_total(slot.open_file("cpu.pressure")?).is_some();
        Ok(Self {
            slot,
            paths: vec![path],
            runs: Cell::new(0),
            accounts_wait,
        })
    }
}

/// Hands memory and pids to child groups. A group that does so may hold no process itself, so its members move into a leaf first.
fn enable(group: &Group, base: &Path) -> Result<(), Fault> {
    let wanted = "+memory +pids";
    if group.write_raw("cgroup.subtree_control", wanted).is_ok() {
        return Ok(());
    }
    let leaf = base.join(V2_LEAF);
    if !leaf.is_dir() {
        std::fs::create_dir(&leaf).at(Stage::CgroupSetup, &leaf.display().to_string())?;
    }
    let leaf = Group::open(&leaf)?;
    let members = base.join("cgroup.procs");
    let members =
        std::fs::read_to_string(&members).at(Stage::CgroupSetup, &members.display().to_string())?;
    for pid in members.lines() {
        // A process that ended meanwhile cannot be moved and need not be.
        let _gone = leaf.write_raw("cgroup.procs", pid);
    }
    group.write("cgroup.subtree_control", wanted)
}

impl SlotGroups for UnifiedSlot {
    fn mode(&self) -> CgroupMode {
        CgroupMode::V2
    }

    fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    fn accounts_wait(&self) -> bool {
        self.accounts_wait
    }

    fn begin<'slot>(
        &'slot self,
        limits: &Limits,
        _inputs: u64,
    ) -> Result<Box<dyn RunGroup + 'slot>, Fault> {
        self.runs.set(self.runs.get() + 1);
        let name = format!("run-{}", self.runs.get());
        let group = self.slot.create(&name)?;
        // From here on the run owns the group's removal.
        let mut run = UnifiedRun {
            slot: self,
            name: Some(name),
            account: group.open_file("cpu.stat")?,
            pressure: None,
            group,
        };
        if self.accounts_wait {
            run.pressure = Some(run.group.open_file("cpu.pressure")?);
        }
        run.group
            .write("memory.max", &limits.memory_bytes.to_string())?;
        if run.group.has("memory.swap.max") {
            run.group.write("memory.swap.max", "0")?;
        }
        run.group.write("memory.oom.group", "1")?;
        run.group.write(
            "pids.max",
            &limits.processes.saturating_add(OWN_PROCESSES).to_string(),
        )?;
        Ok(Box::new(run))
    }
}

/// A run on cgroup v2.
struct UnifiedRun<'slot> {
    slot: &'slot UnifiedSlot,
    name: Option<String>,
    group: Group,
    account: OwnedFd,
    pressure: Option<OwnedFd>,
}

impl RunGroup for UnifiedRun<'_> {
    fn entry(&self) -> Entry<'_> {
        Entry {
            into: Some(self.group.folder().as_fd()),
            attach: None,
        }
    }

    fn cpu_us(&self) -> Result<u64, Fault> {
        number_at(&self.account, "cpu.stat", "usage_usec")
    }

    fn wait_us(&self) -> Option<u64> {
        pressure_total(self.pressure.as_ref()?)
    }

    fn oom_event(&self) -> Option<BorrowedFd<'_>> {
        None
    }

    fn kill(&self) {
        let _by_pid_namespace = self.group.write_raw("cgroup.kill", "1");
    }

    fn relax(&self) {}

    fn memory_end(&self, _signalled: bool) -> Result<MemoryEnd, Fault> {
        let killed = self.group.number("memory.events", "oom_kill")? > 0;
        let met = self.group.number("memory.events", "oom")? > 0;
        Ok(match (met, killed) {
            (true, true) => MemoryEnd::Exceeded,
            (false, true) => MemoryEnd::HostExhausted,
            (_, false) => MemoryEnd::Within,
        })
    }

    fn memory_peak(&self) -> Option<u64> {
        self.group.number("memory.peak", "").ok()
    }

    fn populated(&self) -> Result<bool, Fault> {
        Ok(self.group.number("cgroup.events", "populated")? > 0)
    }

    fn finish(&mut self) -> Result<(), Fault> {
        match self.name.take() {
            Some(name) => self.slot.slot.remove(&name),
            None => Ok(()),
        }
    }
}

impl Drop for UnifiedRun<'_> {
    fn drop(&mut self) {
        let _swept_at_the_next_start = self.finish();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_made_beside_the_nodes_leaf_and_not_below_it() {
        assert_eq!(
            base(Path::new("/g/x.service/assay-node")),
            Path::new("/g/x.service")
        );
        assert_eq!(base(Path::new("/g/x.service")), Path::new("/g/x.service"));
    }
}
