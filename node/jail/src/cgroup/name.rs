//! Names of slot groups. A name holds the launcher's process id and start time, so that anyone can tell a leftover from a group in use.

use std::path::Path;

const PREFIX: &str = "assay-slot";

/// The group name of a process.
pub(crate) fn of_process(pid: u32, start_time: u64) -> String {
    format!("{PREFIX}-{pid}-{start_time}")
}

/// Start time of a process in clock ticks since boot: field 22 of its `stat`.
pub(crate) fn start_time(stat: &str) -> Option<u64> {
    // The command name is in brackets and may hold anything, so count from its end.
    stat.rsplit_once(')')?
        .1
        .split_whitespace()
        .nth(19)?
        .parse()
        .ok()
}

/// Whether `name` is a slot group whose launcher is gone.
pub(crate) fn is_leftover(name: &str, alive: impl Fn(u32) -> Option<u64>) -> bool {
    let Some(rest) = name
        .strip_prefix(PREFIX)
        .and_then(|rest| rest.strip_prefix('-'))
    else {
        return false;
    };
    let Some((pid, started)) = rest.split_once('-') else {
        return false;
    };
    let (Ok(pid), Ok(started)) = (pid.parse::<u32>(), started.parse::<u64>()) else {
        return false;
    };
    alive(pid) != Some(started)
}

/// Start time of a live process, read from `/proc`.
pub(crate) fn alive(pid: u32) -> Option<u64> {
    start_time(&std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// Removes the leftovers of dead launchers in `folder`. A group that still holds a process refuses and stays.
pub(crate) fn sweep(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        if entry
            .file_name()
            .to_str()
            .is_some_and(|name| is_leftover(name, alive))
        {
            remove_tree(&entry.path());
        }
    }
}

/// Removes a group and its child groups as far as they are empty.
pub fn remove_tree(group: &Path) {
    if let Ok(entries) = std::fs::read_dir(group) {
        for entry in entries
            .flatten()
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        {
            remove_tree(&entry.path());
        }
    }
    let _still_in_use = std::fs::remove_dir(group);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_time_is_found_behind_a_hostile_command_name() {
        let stat = "77 (a) R 1 (b) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20 21";
        assert_eq!(start_time(stat), Some(4711));
        assert_eq!(start_time("nonsense"), None);
    }

    #[test]
    fn only_groups_of_gone_launchers_are_leftovers() {
        let alive = |pid| (pid == 7).then_some(100);
        for (name, leftover) in [
            ("assay-slot-7-100", false),
            ("assay-slot-7-99", true),
            ("assay-slot-8-100", true),
            ("assay-slot-x-100", false),
            ("assay-slotty-8-1", false),
            ("other", false),
        ] {
            assert_eq!(is_leftover(name, alive), leftover, "{name}");
        }
        assert_eq!(super::alive(u32::MAX), None);
        let own = super::alive(std::process::id());
        assert!(own.is_some());
        assert!(!is_leftover(
            &of_process(std::process::id(), own.unwrap()),
            super::alive
        ));
    }
}
