//! cgroup v1 memory and pids. The launcher sits in its slot's groups and runs inherit them, because a v1 migration can take tens of
//! milliseconds. CPU is accounted by a v2 group without controllers (`Hybrid`) or by v1 cpuacct (`V1`).

use std::cell::Cell;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;

use rustix::event::EventfdFlags;

use super::detect::Own;
use super::files::{Group, number_at, pressure_total};
use super::{Entry, MemoryEnd, RunGroup, SlotGroups, create_slot, required};
use crate::proto::{CgroupMode, Limits};
use crate::stage::{AtStage, Fault, Stage};

/// What the launcher itself may use of the slot's memory group, beside the run.
const LAUNCHER_BYTES: u64 = 8 << 20;
/// Processes in the slot's pids group that are not the agent's: the launcher and the run's init.
const OWN_PROCESSES: u64 = 2;
const UNLIMITED: &str = "-1";
/// The largest value that `cpu.shares` takes.
const HIGHEST_SHARES: &str = "262144";

/// A slot on cgroup v1.
pub(super) struct LegacySlot {
    mode: CgroupMode,
    memory: Group,
    has_swap_account: bool,
    pids: Group,
    /// The v2 group (`Hybrid`) or the cpuacct group (`V1`) in which run groups are made.
    cpu: Group,
    oom: OwnedFd,
    paths: Vec<PathBuf>,
    runs: Cell<u64>,
    accounts_wait: bool,
}

impl LegacySlot {
    pub(super) fn hybrid(own: &Own, slot: &str, notices: &mut Vec<String>) -> Result<Self, Fault> {
        let (cpu, path) = create_slot(&required(own.v2.clone())?, slot)?;
        // Being a member keeps others from removing the group while this launcher lives.
        cpu.write("cgroup.procs", "0")?;
        Self::with_cpu(CgroupMode::Hybrid, cpu, path, own, slot, notices)
    }

    pub(super) fn v1(own: &Own, slot: &str, notices: &mut Vec<String>) -> Result<Self, Fault> {
        let (cpu, path) = create_slot(&required(own.cpuacct.clone())?, slot)?;
        cpu.write("cgroup.procs", "0")?;
        Self::with_cpu(CgroupMode::V1, cpu, path, own, slot, notices)
    }

    fn with_cpu(
        mode: CgroupMode,
        cpu: Group,
        cpu_path: PathBuf,
        own: &Own,
        slot: &str,
        notices: &mut Vec<String>,
    ) -> Result<Self, Fault> {
        let (memory, memory_path) = create_slot(&required(own.memory.clone())?, slot)?;
        let (pids, pids_path) = create_slot(&required(own.pids.clone())?, slot)?;
        let has_swap_account = memory.has("memory.memsw.limit_in_bytes");
        if memory.write_raw("memory.swappiness", "0").is_err() || !has_swap_account {
            notices.push(
                "the kernel has no swap accounting for cgroup v1: turn swap off on this host"
                    .to_owned(),
            );
        }
        let oom = rustix::event::eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)
            .at(Stage::CgroupSetup, "eventfd")?;
        let control = memory.open_file("memory.oom_control")?;
        memory.write(
            "cgroup.event_control",
            &format!("{} {}", oom.as_raw_fd(), control.as_raw_fd()),
        )?;
        memory.write("cgroup.procs", "0")?;
        pids.write("cgroup.procs", "0")?;
        let accounts_wait =
            cpu.has("cpu.pressure") && pressure_total(cpu.open_file("cpu.pressure")?).is_some();
        let mut paths = vec![cpu_path, memory_path, pids_path];
        match weigh(own, slot, &paths) {
            Ok(path) => paths.extend(path),
            Err(fault) => notices.push(format!(
                "runs have no higher CPU weight than their neighbours: {fault}"
            )),
        }
        Ok(Self {
            mode,
            memory,
            has_swap_account,
            pids,
            cpu,
            oom,
            paths,
            runs: Cell::new(0),
            accounts_wait,
        })
    }

    fn limit_memory(&self, bytes: &str) -> Result<(), Fault> {
        // The limit with swap must never be below the one without.
        let (plain, with_swap) = ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes");
        let order = if bytes == UNLIMITED {
            [with_swap, plain]
        } else {
            [plain, with_swap]
        };
        for file in order {
            if file == plain || self.has_swap_account {
                self.memory.write(file, bytes)?;
            }
        }
        Ok(())
    }

    fn drain_oom(&self) {
        let mut count = [0_u8; 8];
        let _nothing_pending = rustix::io::read(&self.oom, &mut count);
    }
}

/// Gives the slot the highest CPU weight, so that neighbours on the host do not decide an outcome. `None` when the controller shares its
/// hierarchy with one where the slot already is.
fn weigh(own: &Own, slot: &str, taken: &[PathBuf]) -> Result<Option<PathBuf>, Fault> {
    let parent = required(own.cpu.clone())?;
    let path = parent.join(slot);
    let shared = taken.contains(&path);
    let (group, path) = if shared {
        (Group::open(&path)?, path)
    } else {
        create_slot(&parent, slot)?
    };
    let entered = group
        .write("cpu.shares", HIGHEST_SHARES)
        .and_then(|()| group.write("cgroup.procs", "0"));
    match entered {
        Ok(()) => Ok((!shared).then_some(path)),
        Err(fault) => {
            if !shared {
                super::remove_tree(&path);
            }
            Err(fault)
        }
    }
}

impl SlotGroups for LegacySlot {
    fn mode(&self) -> CgroupMode {
        self.mode
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
        inputs: u64,
    ) -> Result<Box<dyn RunGroup + 'slot>, Fault> {
        self.runs.set(self.runs.get() + 1);
        let name = format!("run-{}", self.runs.get());
        let group = self.cpu.create(&name)?;
        // From here on the run owns the group's removal, also when one of the next steps fails.
        let account = group.open_file(if self.mode == CgroupMode::V1 {
            "cpuacct.usage"
        } else {
            "cpu.stat"
        })?;
        let mut run = LegacyRun {
            slot: self,
            name: Some(name),
            group,
            account,
            attach: None,
            pressure: None,
            memory_before: 0,
            oom_kills_before: self.memory.number("memory.oom_control", "oom_kill")?,
        };
        if self.mode == CgroupMode::V1 {
            run.attach = Some(run.group.open_for_write("cgroup.procs")?);
        }
        if self.accounts_wait {
            run.pressure = Some(run.group.open_file("cpu.pressure")?);
        }
        let processes = limits.processes.saturating_add(OWN_PROCESSES);
        self.pids.write("pids.max", &processes.to_string())?;
        self.memory.write("memory.max_usage_in_bytes", "0")?;
        run.memory_before = self.memory.number("memory.usage_in_bytes", "")?;
        let allowed = limits
            .memory_bytes
            .saturating_add(inputs)
            .saturating_add(LAUNCHER_BYTES);
        self.limit_memory(&allowed.to_string())?;
        self.drain_oom();
        Ok(Box::new(run))
    }
}

/// A run on cgroup v1.
struct LegacyRun<'slot> {
    slot: &'slot LegacySlot,
    /// Name of the run's CPU group until it is removed.
    name: Option<String>,
    group: Group,
    account: OwnedFd,
    attach: Option<OwnedFd>,
    pressure: Option<OwnedFd>,
    memory_before: u64,
    oom_kills_before: u64,
}

impl RunGroup for LegacyRun<'_> {
    fn entry(&self) -> Entry<'_> {
        match &self.attach {
            Some(procs) => Entry {
                into: None,
                attach: Some(procs.as_fd()),
            },
            None => Entry {
                into: Some(self.group.folder().as_fd()),
                attach: None,
            },
        }
    }

    fn cpu_us(&self) -> Result<u64, Fault> {
        match self.slot.mode {
            CgroupMode::V1 => Ok(number_at(&self.account, "cpuacct.usage", "")? / 1000),
            _ => number_at(&self.account, "cpu.stat", "usage_usec"),
        }
    }

    fn wait_us(&self) -> Option<u64> {
        pressure_total(self.pressure.as_ref()?)
    }

    fn oom_event(&self) -> Option<BorrowedFd<'_>> {
        Some(self.slot.oom.as_fd())
    }

    fn kill(&self) {
        // v1 has no such file: there the death of the run's init is what kills the rest.
        let _by_pid_namespace = self.group.write_raw("cgroup.kill", "1");
    }

    fn relax(&self) {
        let _next_begin_will_tell = self.slot.limit_memory(UNLIMITED);
    }

    fn memory_end(&self, signalled: bool) -> Result<MemoryEnd, Fault> {
        let mut count = [0_u8; 8];
        let signalled = signalled || rustix::io::read(&self.slot.oom, &mut count).is_ok();
        let killed =
            self.slot.memory.number("memory.oom_control", "oom_kill")? > self.oom_kills_before;
        Ok(match (signalled, killed) {
            (true, _) => MemoryEnd::Exceeded,
            (false, true) => MemoryEnd::HostExhausted,
            (false, false) => MemoryEnd::Within,
        })
    }

    fn memory_peak(&self) -> Option<u64> {
        let peak = self
            .slot
            .memory
            .number("memory.max_usage_in_bytes", "")
            .ok()?;
        Some(peak.saturating_sub(self.memory_before))
    }

    fn populated(&self) -> Result<bool, Fault> {
        match self.slot.mode {
            CgroupMode::V1 => Ok(self.slot.pids.number("pids.current", "")? > 1),
            _ => Ok(self.group.number("cgroup.events", "populated")? > 0),
        }
    }

    fn finish(&mut self) -> Result<(), Fault> {
        match self.name.take() {
            Some(name) => self.slot.cpu.remove(&name),
            None => Ok(()),
        }
    }
}

impl Drop for LegacyRun<'_> {
    fn drop(&mut self) {
        self.relax();
        let _swept_at_the_next_start = self.finish();
    }
}
