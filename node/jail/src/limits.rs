//! Resource limits of a run's processes: a second line behind the control groups, and the only one for descriptors and file sizes.

use rustix::process::{Resource, Rlimit, getrlimit};

use crate::proto::Limits;

/// Open descriptors of a process.
const DESCRIPTORS: u64 = 1024;
/// Signals queued for the run's user; also bounds POSIX timers.
const QUEUED_SIGNALS: u64 = 1024;
const STACK_BYTES: u64 = 8 << 20;

/// The limits, ready to be set one by one.
pub(crate) struct Rlimits([(Resource, Rlimit); 11]);

impl Rlimits {
    /// The limits that go with `limits`.
    pub(crate) fn of(limits: &Limits) -> Self {
        // The kernel counts whole seconds and fires early, so this can only be a backstop behind the budget.
        let cpu = limits.cpu_us.saturating_mul(5) / 4_000_000 + 2;
        // The run's init is one more process of the same user.
        let processes = limits.processes.saturating_add(1);
        Self([
            (Resource::Core, exactly(Resource::Core, 0)),
            (Resource::Nofile, exactly(Resource::Nofile, DESCRIPTORS)),
            (Resource::Nproc, exactly(Resource::Nproc, processes)),
            (Resource::Fsize, exactly(Resource::Fsize, limits.file_bytes)),
            (Resource::Memlock, exactly(Resource::Memlock, 0)),
            (Resource::Msgqueue, exactly(Resource::Msgqueue, 0)),
            (
                Resource::Sigpending,
                exactly(Resource::Sigpending, QUEUED_SIGNALS),
            ),
            (Resource::Nice, exactly(Resource::Nice, 0)),
            (Resource::Rtprio, exactly(Resource::Rtprio, 0)),
            (Resource::Stack, exactly(Resource::Stack, STACK_BYTES)),
            (Resource::Cpu, exactly(Resource::Cpu, cpu)),
        ])
    }

    pub(crate) fn as_slice(&self) -> &[(Resource, Rlimit)] {
        &self.0
    }
}

/// Soft and hard limit alike; never above the launcher's own hard limit, which it may not be allowed to raise.
fn exactly(resource: Resource, value: u64) -> Rlimit {
    let value = getrlimit(resource)
        .maximum
        .map_or(value, |hard| value.min(hard));
    Rlimit {
        current: Some(value),
        maximum: Some(value),
    }
}
