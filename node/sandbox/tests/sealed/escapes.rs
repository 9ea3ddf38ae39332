//! Doors out of the sandbox, each tried from inside.

use crate::common::{report, run};

#[test]
fn system_calls_that_reach_outside_are_refused() {
    // Name, number, arguments, error number.
    let calls: &[(&str, i64, &str, i32)] = &[
        ("ptrace(TRACEME)", 101, "0, 0, 0, 0", libc::EPERM),
        ("process_vm_readv", 310, "1, 0, 0, 0, 0, 0", libc::EPERM),
        ("process_vm_writev", 311, "1, 0, 0, 0, 0, 0", libc::EPERM),
        ("kcmp", 312, "1, 2, 0, 0, 0", libc::EPERM),
        ("pidfd_open", 434, "1, 0", libc::EPERM),
        ("pidfd_getfd", 438, "0, 0, 0", libc::EPERM),
        ("mount", 165, "0, 0, 0, 0, 0", libc::EPERM),
        ("umount2", 166, "b'/tmp', 2", libc::EPERM),
        ("pivot_root", 155, "b'/', b'/'", libc::EPERM),
        ("chroot", 161, "b'/tmp'", libc::EPERM),
        ("fsopen", 430, "b'tmpfs', 0", libc::EPERM),
        ("fsmount", 432, "0, 0, 0", libc::EPERM),
        ("open_tree", 428, "-100, b'/', 1", libc::EPERM),
        ("move_mount", 429, "0, 0, 0, 0, 0", libc::EPERM),
        ("mount_setattr", 442, "-100, b'/', 0, 0, 0", libc::EPERM),
        ("name_to_handle_at", 303, "-100, b'/', 0, 0, 0", libc::EPERM),
        ("open_by_handle_at", 304, "0, 0, 0", libc::EPERM),
        ("unshare(user)", 272, "0x10000000", libc::EPERM),
        ("setns", 308, "0, 0", libc::EPERM),
        ("clone(user)", 56, "0x10000011, 0, 0, 0, 0", libc::EPERM),
        ("clone(network)", 56, "0x40000011, 0, 0, 0, 0", libc::EPERM),
        ("clone3", 435, "0, 0", libc::ENOSYS),
        ("add_key", 248, "b'user', b'a', b'b', 1, -3", libc::EPERM),
        ("request_key", 249, "b'user', b'a', 0, 0", libc::EPERM),
        ("keyctl", 250, "0, -3, 0", libc::EPERM),
        ("bpf", 321, "0, 0, 0", libc::EPERM),
        ("perf_event_open", 298, "0, 0, -1, -1, 0", libc::EPERM),
        ("userfaultfd", 323, "1", libc::EPERM),
        ("io_uring_setup", 425, "1, 0", libc::EPERM),
        ("io_uring_enter", 426, "0, 0, 0, 0, 0, 0", libc::EPERM),
        ("socket(unix)", 41, "1, 1, 0", libc::EPERM),
        ("socketpair(inet)", 53, "2, 1, 0, 0", libc::EPERM),
        ("shmget", 29, "0, 4096, 0o1600", libc::EPERM),
        ("msgget", 68, "0, 0o1600", libc::EPERM),
        ("semget", 64, "0, 1, 0o1600", libc::EPERM),
        ("mq_open", 240, "b'a', 0o102, 0o600, 0", libc::EPERM),
        ("inotify_init1", 294, "0", libc::EPERM),
        ("fanotify_init", 300, "0, 0", libc::EPERM),
        ("sched_setaffinity", 203, "0, 0, 0", libc::EPERM),
        ("sched_setscheduler", 144, "0, 1, 0", libc::EPERM),
        ("setpriority", 141, "0, 0, 19", libc::EPERM),
        ("ioprio_set", 251, "1, 0, 0", libc::EPERM),
        ("setuid", 105, "0", libc::EPERM),
        ("setresgid", 119, "0, 0, 0", libc::EPERM),
        ("setgroups", 116, "0, 0", libc::EPERM),
        ("capset", 126, "0, 0", libc::EPERM),
        ("setrlimit", 160, "7, 0", libc::EPERM),
        ("prlimit64(new)", 302, "0, 7, b'\\xff' * 16, 0", libc::EPERM),
        ("prctl(DUMPABLE)", 157, "4, 1, 0, 0, 0", libc::EPERM),
        ("prctl(SECCOMP)", 157, "22, 1, 0, 0, 0", libc::EPERM),
        ("prctl(PDEATHSIG)", 157, "1, 0, 0, 0, 0", libc::EPERM),
        ("seccomp", 317, "1, 0, 0", libc::EPERM),
        ("personality", 135, "0x40000", libc::EPERM),
        ("sysinfo", 99, "0", libc::EPERM),
        ("syslog", 103, "3, 0, 0", libc::EPERM),
        ("sethostname", 170, "b'a', 1", libc::EPERM),
        ("clock_settime", 227, "0, 0", libc::EPERM),
        ("adjtimex", 159, "0", libc::EPERM),
        ("reboot", 169, "0, 0, 0, 0", libc::EPERM),
        ("swapon", 167, "0, 0", libc::EPERM),
        ("kexec_load", 246, "0, 0, 0, 0", libc::EPERM),
        ("init_module", 175, "0, 0, 0", libc::EPERM),
        ("quotactl", 179, "0, 0, 0, 0", libc::EPERM),
        ("acct", 163, "0", libc::EPERM),
        ("modify_ldt", 154, "0, 0, 0", libc::EPERM),
        ("iopl", 172, "3", libc::EPERM),
        ("ioctl(TIOCSTI)", 16, "0, 0x5412, 0", libc::EPERM),
        ("fcntl(SETOWN)", 72, "0, 8, 1", libc::EPERM),
        ("fcntl(NOTIFY)", 72, "0, 1026, 1", libc::EPERM),
        ("getxattr", 191, "b'/tmp', b'user.a', 0, 0", libc::ENOTSUP),
        (
            "setxattr",
            188,
            "b'/tmp', b'user.a', 0, 0, 0",
            libc::ENOTSUP,
        ),
        ("unknown number", 400, "0", libc::ENOSYS),
        ("number past the table", 9999, "0", libc::ENOSYS),
        ("x32 number", 0x4000_0000, "0, 0, 0", libc::ENOSYS),
        ("kill of process 0's outside", 62, "31337, 9", libc::ESRCH),
    ];
    let list: String = calls
        .iter()
        .map(|(_, number, arguments, _)| format!("        ({number}, [{arguments}]),\n"))
        .collect();
    let source = format!(
        "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n\
         def call(number, arguments):\n    ctypes.set_errno(0)\n    r = libc.syscall(ctypes.c_long(number), *[a if isinstance(a, bytes) else ctypes.c_long(a) for a in arguments])\n    return ctypes.get_errno() if r == -1 else 'went through: %d' % r\n\
         def agent_main(task):\n    for number, arguments in [\n{list}    ]:\n        print(call(number, arguments))\n    return 1\n"
    );
    let outcome = run(&source);
    assert_eq!(report(&outcome), "1");
    let found = String::from_utf8(outcome.stdout).unwrap();
    assert_eq!(found.lines().count(), calls.len());
    for ((name, _, _, expected), found) in calls.iter().zip(found.lines()) {
        assert_eq!(found, expected.to_string(), "{name}");
    }
}

#[test]
fn no_socket_of_any_family_can_be_made() {
    let source = "import _socket\ndef agent_main(task):\n    made = []\n    for family in range(64):\n        for kind in range(1, 7):\n            try: _socket.socket(family, kind)\n            except OSError as e:\n                if e.errno == 1: continue\n            made.append([family, kind])\n    return made\n";
    assert_eq!(report(&run(source)), "[]");
}

#[test]
fn a_socket_pair_reaches_nobody_else() {
    let source = "import socket\ndef agent_main(task):\n    found = []\n    a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\n    for act in (lambda: a.connect('\\0x'), lambda: a.sendto(b'x', '\\0x'), lambda: a.bind('\\0x'), lambda: a.bind('/tmp/s'), lambda: a.listen()):\n        try: act()\n        except OSError as e: found.append(e.errno)\n        else: found.append('done')\n    return found\n";
    let found = report(&run(source));
    // Datagrams to a name nobody has are refused because the network namespace is empty; binding and listening are no calls here.
    assert_eq!(found, "[1, 111, 1, 1, 1]");
}

#[test]
fn another_architecture_kills() {
    let source = "import ctypes, mmap\ndef agent_main(task):\n    m = mmap.mmap(-1, 4096, prot=7)\n    m.write(b'\\xb8\\x14\\x00\\x00\\x00\\xcd\\x80\\xc3')\n    f = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(m)))\n    return f()\n";
    let outcome = run(source);
    assert_eq!(outcome.exit, sandbox::Exit::Signal(libc::SIGSYS));
    assert_eq!(outcome.events, [sandbox::Event::Signal]);
}

#[test]
fn nothing_of_the_host_can_be_seen() {
    let source = r#"
import os
def agent_main(task):
    found = []
    for p in ['/proc/self', '/proc/1', '/proc/mounts', '/sys/kernel', '/sys/fs/cgroup', '/dev/kmsg', '/dev/mem', '/dev/kvm', '/dev/vda', '/dev/tty',
              '/var/run/docker.sock', '/run', '/etc/shadow', '/etc/hostname', '/boot', '/home', '/mnt', '/etc/ssh', '/.dockerenv']:
        try: os.stat(p)
        except OSError: continue
        found.append(p)
    return [found, os.listdir('/'), [os.path.realpath(p) for p in ('..', '/..', '/../..')]]
"#;
    let found = report(&run(source));
    assert!(found.starts_with("[[], ["), "{found}");
    assert!(found.ends_with(r#"["/task", "/", "/"]]"#), "{found}");
    assert!(!found.contains("work") && !found.contains("opt"), "{found}");
}

#[test]
fn no_capability_is_left_in_any_set() {
    let source = r#"
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def agent_main(task):
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    data = (ctypes.c_uint32 * 6)()
    assert libc.syscall(125, header, data) == 0
    bounding = [c for c in range(64) if libc.prctl(23, c, 0, 0, 0) == 1]
    return [list(data), bounding, libc.prctl(39, 0, 0, 0, 0)]
"#;
    assert_eq!(report(&run(source)), "[[0, 0, 0, 0, 0, 0], [], 1]");
}

#[test]
fn only_own_processes_can_be_signalled() {
    let source = r#"
import os, signal
def agent_main(task):
    seen = {}
    for pid in range(1, 400):
        try: os.kill(pid, 0)
        except ProcessLookupError: continue
        except PermissionError: seen[pid] = 'refused'
        else: seen[pid] = 'own'
    for number in (1, 2, 9, 11, 15, 19):
        for pid in (1, -1):
            try: os.kill(pid, number)
            except OSError: pass
    return seen
"#;
    // The init is deaf to its own namespace; with a Landlock that scopes signals it cannot even be addressed.
    let found = report(&run(source));
    let expected = [
        r#"{"1": "refused", "2": "own"}"#,
        r#"{"1": "own", "2": "own"}"#,
    ];
    assert!(expected.contains(&&*found), "{found}");
}

#[test]
fn the_usual_tools_of_the_standard_library_work() {
    let source = r#"
import asyncio, concurrent.futures, json, multiprocessing, os, re, shutil, sqlite3, subprocess, sys, tempfile, threading, zipfile
def square(n): return n * n
async def later():
    p = await asyncio.create_subprocess_exec(sys.executable, '-S', '-c', 'print(7)', stdout=subprocess.PIPE)
    return (await p.communicate())[0].decode().strip()
def agent_main(task):
    found = [subprocess.run([sys.executable, '-S', '-c', 'import os; print(os.getppid())'], capture_output=True, text=True).stdout.strip()]
    found.append(asyncio.run(later()))
    with concurrent.futures.ThreadPoolExecutor(4) as pool: found.append(sum(pool.map(square, range(5))))
    with multiprocessing.get_context('fork').Pool(2) as pool: found.append(sum(pool.map(square, range(5))))
    shutil.copytree('/task/artifact', 'copy'); found.append(sorted(os.listdir('copy')))
    shutil.copy2('/task/artifact/SKILL.md', '/tmp/x')
    db = sqlite3.connect('x.db'); db.execute('create table t(a)'); db.execute('insert into t values (1)'); db.commit()
    found.append(db.execute('select a from t').fetchone()[0])
    with tempfile.NamedTemporaryFile() as f: found.append(f.name.startswith('/tmp/'))
    shutil.make_archive('z', 'zip', 'copy'); found.append(len(zipfile.ZipFile('z.zip').namelist()))
    return found
"#;
    assert_eq!(
        report(&run(source)),
        r#"["2", "7", 30, 30, ["SKILL.md", "pkg"], 1, true, 3]"#
    );
}
