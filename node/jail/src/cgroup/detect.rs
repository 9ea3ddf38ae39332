//! Finds this process's own control groups from `/proc/self/cgroup` and `/proc/self/mountinfo`.

use std::path::{Path, PathBuf};

use crate::proto::CgroupMode;
use crate::stage::{Fault, Stage};

/// The leaf that a v2 node moves itself into, because a group with controllers for its children may hold no process.
pub(crate) const V2_LEAF: &str = "assay-node";

/// The folders under which slot groups are created: always this process's own groups, never the root's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Own {
    pub(crate) v2: Option<PathBuf>,
    pub(crate) memory: Option<PathBuf>,
    pub(crate) pids: Option<PathBuf>,
    pub(crate) cpuacct: Option<PathBuf>,
    pub(crate) cpu: Option<PathBuf>,
}

/// Reads where this process is.
pub(crate) fn own_groups(cgroup: &str, mountinfo: &str) -> Own {
    Own {
        v2: own_folder(cgroup, mountinfo, None),
        memory: own_folder(cgroup, mountinfo, Some("memory")),
        pids: own_folder(cgroup, mountinfo, Some("pids")),
        cpuacct: own_folder(cgroup, mountinfo, Some("cpuacct")),
        cpu: own_folder(cgroup, mountinfo, Some("cpu")),
    }
}

/// `controller` `None` is the v2 hierarchy.
fn own_folder(cgroup: &str, mountinfo: &str, controller: Option<&str>) -> Option<PathBuf> {
    let path = cgroup.lines().find_map(|line| {
        let mut fields = line.splitn(3, ':');
        let (id, names, path) = (fields.next()?, fields.next()?, fields.next()?);
        let ours = match controller {
            None => id == "0" && names.is_empty(),
            Some(wanted) => names.split(',').any(|name| name == wanted),
        };
        ours.then_some(path)
    })?;
    mountinfo.lines().find_map(|line| {
        let (mount, system) = line.split_once(" - ")?;
        let mut system = system.split(' ');
        let (kind, options) = (system.next()?, system.nth(1)?);
        let fits = match controller {
            None => kind == "cgroup2",
            Some(wanted) => kind == "cgroup" && options.split(',').any(|option| option == wanted),
        };
        let mut mount = mount.split(' ').skip(3);
        let (root, point) = (unescape(mount.next()?), unescape(mount.next()?));
        let below = Path::new(path).strip_prefix(&root).ok()?;
        fits.then(|| Path::new(&point).join(below))
    })
}

/// mountinfo writes blanks and backslashes as octal escapes.
fn unescape(field: &str) -> String {
    let mut out = String::with_capacity(field.len());
    let mut rest = field;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let code = rest
            .get(at + 1..at + 4)
            .and_then(|digits| u8::from_str_radix(digits, 8).ok());
        match code {
            Some(code) => {
                out.push(char::from(code));
                rest = &rest[at + 4..];
            }
            None => {
                out.push('\\');
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// Chooses the interface. `v2_controllers` is what the v2 hierarchy offers here.
pub(crate) fn choose(
    own: &Own,
    v2_controllers: &str,
    wanted: Option<CgroupMode>,
) -> Result<CgroupMode, Fault> {
    let offers = |name: &str| {
        v2_controllers
            .split_whitespace()
            .any(|controller| controller == name)
    };
    let v2 = own.v2.is_some() && offers("memory") && offers("pids");
    let v1 = own.memory.is_some() && own.pids.is_some();
    let able = |mode| match mode {
        CgroupMode::V2 => v2,
        CgroupMode::Hybrid => v1 && own.v2.is_some(),
        CgroupMode::V1 => v1 && own.cpuacct.is_some(),
    };
    match wanted {
        Some(mode) if able(mode) => Ok(mode),
        Some(mode) => Err(Fault::new(
            Stage::CgroupDetect,
            format!("cgroup interface `{}` is not available here", mode.name()),
        )),
        None => [CgroupMode::V2, CgroupMode::Hybrid, CgroupMode::V1]
            .into_iter()
            .find(|mode| able(*mode))
            .ok_or_else(|| {
                Fault::new(
                    Stage::CgroupDetect,
                    "no memory and pids controller is mounted and delegated",
                )
            }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HYBRID: (&str, &str) = (
        "8:pids:/\n4:memory:/pool/a\n3:cpu,cpuacct:/\n0::/\n",
        "35 31 0:31 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n\
         39 31 0:36 / /sys/fs/cgroup/pids rw,relatime shared:3 - cgroup cgroup rw,pids\n\
         33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct\n\
         41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n",
    );
    const V2: (&str, &str) = (
        "0::/system.slice/x.service\n",
        "29 23 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw,nsdelegate\n",
    );

    #[test]
    fn own_groups_are_found_below_the_mounts() {
        let own = own_groups(HYBRID.0, HYBRID.1);
        assert_eq!(
            own.memory.as_deref(),
            Some(Path::new("/sys/fs/cgroup/memory/pool/a"))
        );
        assert_eq!(own.pids.as_deref(), Some(Path::new("/sys/fs/cgroup/pids/")));
        assert_eq!(
            own.v2.as_deref(),
            Some(Path::new("/sys/fs/cgroup/unified/"))
        );
        let own = own_groups(V2.0, V2.1);
        assert_eq!(
            own.v2.as_deref(),
            Some(Path::new("/sys/fs/cgroup/system.slice/x.service"))
        );
        assert_eq!(own.memory, None);
    }

    #[test]
    fn a_bind_mounted_hierarchy_is_entered_at_its_root() {
        let info = "9 8 0:1 /docker/abc /sys/fs/cgroup/my\\040mount rw - cgroup2 cgroup2 rw\n";
        let own = own_groups("0::/docker/abc/leaf\n", info);
        assert_eq!(
            own.v2.as_deref(),
            Some(Path::new("/sys/fs/cgroup/my mount/leaf"))
        );
        assert_eq!(own_groups("0::/elsewhere\n", info).v2, None);
    }

    #[test]
    fn the_strongest_interface_wins_and_none_is_a_refusal() {
        let hybrid = own_groups(HYBRID.0, HYBRID.1);
        let v2 = own_groups(V2.0, V2.1);
        assert_eq!(choose(&hybrid, "hugetlb", None), Ok(CgroupMode::Hybrid));
        assert_eq!(
            choose(&hybrid, "", Some(CgroupMode::V1)),
            Ok(CgroupMode::V1)
        );
        assert_eq!(choose(&v2, "cpu memory pids", None), Ok(CgroupMode::V2));
        for (own, offered, wanted) in [
            (&v2, "cpu", None),
            (&v2, "memory pids", Some(CgroupMode::V1)),
        ] {
            assert_eq!(
                choose(own, offered, wanted).map_err(|fault| fault.stage),
                Err(Stage::CgroupDetect)
            );
        }
    }
}
