//! Hosts on which agents cannot be sealed: nothing runs, and the line says what to change.

use super::support::{ASSAY, Desk};
use assert_cmd::Command as Assertable;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Runs `assay agent check` after a shell has changed what the process sees.
fn check_after(desk: &Desk, script: &str) -> Assertable {
    let mut command = desk.program("unshare");
    command.args([
        "--mount",
        "sh",
        "-c",
        &format!("{script} && exec \"$@\""),
        "sh",
        ASSAY,
    ]);
    command.args(["agent", "check", "agents/grep.py"]);
    command
}

#[test]
fn hidden_control_groups_are_an_infrastructure_fault() {
    let desk = Desk::bare();
    let mut hidden = check_after(&desk, "mount -t tmpfs none /sys/fs/cgroup");
    desk.refused(&mut hidden, 5, &["cgroup", "remedy", "Delegate="]);
    let mut read_only = check_after(
        &desk,
        "for m in /sys/fs/cgroup /sys/fs/cgroup/*; do mount -o remount,bind,ro $m 2>/dev/null || true; done",
    );
    desk.refused(&mut read_only, 5, &["cgroup", "Read-only", "remedy"]);
}

#[test]
fn a_full_disk_abstains_and_leaves_nothing() {
    let desk = Desk::new();
    let mut command = desk.program("unshare");
    let script = "r=$(readlink state/runtimes) && mount -t tmpfs -o size=64k none state \
         && ln -s \"$r\" state/runtimes && \"$@\"; s=$?; ls -A state/work >&2; exit $s";
    command.args(["--mount", "sh", "-c", script, "sh", ASSAY]);
    command.args([
        "score",
        "agents/grep.py",
        "-t",
        "skills",
        "--spec",
        "demo",
        "--corpus",
        "corpus",
    ]);
    desk.refused(
        &mut command,
        5,
        &["store_unavailable", "No space left", "free space"],
    );
}

#[test]
fn another_user_is_told_what_it_lacks() {
    let desk = Desk::bare();
    let nobody = 65_534;
    // Where the build lies may be closed to others.
    let open = tempfile::tempdir_in("/tmp").unwrap();
    fs::set_permissions(open.path(), fs::Permissions::from_mode(0o755)).unwrap();
    for (from, name) in [
        (Path::new(ASSAY), "assay"),
        (&desk.path().join("agents/grep.py"), "grep.py"),
    ] {
        fs::copy(from, open.path().join(name)).unwrap();
    }
    let state = open.path().join("state");
    fs::create_dir(&state).unwrap();
    let check = |state: &Path| {
        let mut command = desk.program("setpriv");
        command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]);
        command
            .arg(open.path().join("assay"))
            .args(["agent", "check", "grep.py"]);
        command.current_dir(open.path()).env("ASSAY_STATE", state);
        command
    };
    desk.refused(
        &mut check(&state),
        5,
        &["runtimes", "Permission denied", "permissions"],
    );
    // With a folder of its own it gets as far as the seal.
    desk.assay()
        .args(["agent", "check", "agents/grep.py"])
        .assert()
        .success();
    let copied = Command::new("cp")
        .arg("-a")
        .args([desk.state().join("runtimes/."), state.join("runtimes")])
        .status();
    assert!(copied.unwrap().success());
    for path in [
        state.clone(),
        state.join("runtimes"),
        state.join("runtimes/.lock"),
    ] {
        chown(path, Some(nobody), Some(nobody)).unwrap();
    }
    desk.refused(
        &mut check(&state),
        5,
        &["cgroup", "Permission denied", "remedy"],
    );
}

/// A process that only keeps a user namespace alive.
struct Namespace(Child);

impl Namespace {
    /// A user namespace with every id mapped and a mount namespace of its own.
    fn new() -> Self {
        let mut child = Command::new("unshare")
            .args(["--user", "--mount", "sh", "-c", "echo ready; exec sleep 60"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut ready = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut ready)
            .unwrap();
        for map in ["uid_map", "gid_map"] {
            fs::write(format!("/proc/{}/{map}", child.id()), "0 0 4294967295").unwrap();
        }
        Namespace(child)
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn forbidden_user_namespaces_are_an_infrastructure_fault() {
    let desk = Desk::bare();
    let namespace = Namespace::new();
    let mut command = desk.program("nsenter");
    command.args([
        "-U",
        "-m",
        "-S",
        "0",
        "-G",
        "0",
        "-t",
        &namespace.0.id().to_string(),
        "sh",
        "-c",
    ]);
    command.arg(format!(
        "cd '{}' && echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\"",
        desk.path().display()
    ));
    command.args(["sh", ASSAY, "agent", "check", "agents/grep.py"]);
    desk.refused(
        &mut command,
        5,
        &["user namespace", "remedy", "user.max_user_namespaces"],
    );
}
