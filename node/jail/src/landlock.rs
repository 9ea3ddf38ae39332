//! Landlock rules of a run: a second line behind mounts and modes. Best effort; what the kernel can do is recorded at start.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope,
};
use rustix::fs::{Mode, OFlags};

use crate::root::DEVICES;
use crate::stage::{AtStage, Fault, Stage};

/// Paths of the slot's root that rules refer to, opened once.
pub(crate) struct Anchors {
    root: OwnedFd,
    devices: Vec<OwnedFd>,
}

impl Anchors {
    /// Opens the anchors; the caller is already inside the jail.
    pub(crate) fn open() -> Result<Self, Fault> {
        let open = |path: &str| {
            rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())
                .at(Stage::Landlock, path)
        };
        let devices = DEVICES
            .iter()
            .map(|(name, _)| open(&format!("/dev/{name}")))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            root: open("/")?,
            devices,
        })
    }

    /// A ruleset: read and execute everywhere, write only on the scratch file systems and the device nodes, no TCP, no signals or
    /// abstract sockets across the border; programs can be started from the scratch file systems when `executable`. `None` when the
    /// kernel has no Landlock.
    pub(crate) fn ruleset(
        &self,
        scratch: [BorrowedFd<'_>; 2],
        executable: bool,
    ) -> Result<Option<OwnedFd>, Fault> {
        let abi = ABI::V6;
        let read = AccessFs::Execute | AccessFs::ReadFile | AccessFs::ReadDir;
        let device = AccessFs::ReadFile | AccessFs::WriteFile;
        let mut write = AccessFs::from_all(ABI::V3);
        if !executable {
            write.remove(AccessFs::Execute);
        }
        let build = || {
            let mut rules = Ruleset::default()
                .set_compatibility(CompatLevel::BestEffort)
                .handle_access(AccessFs::from_all(abi))?
                .handle_access(AccessNet::from_all(abi))?
                .scope(Scope::from_all(abi))?
                .create()?
                .add_rule(PathBeneath::new(self.root.as_fd(), read))?;
            for folder in scratch {
                rules = rules.add_rule(PathBeneath::new(folder, write))?;
            }
            for node in &self.devices {
                rules = rules.add_rule(PathBeneath::new(node.as_fd(), device))?;
            }
            Ok::<_, landlock::RulesetError>(rules)
        };
        Ok(build()
            .map_err(|error| Fault::new(Stage::Landlock, error.to_string()))?
            .into())
    }
}
