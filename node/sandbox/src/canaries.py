"""Tries what a sealed run must not be able to do and reports what was possible."""

import os
import posix

allowed = []


def attempt(name, action):
    try:
        action()
    except OSError:
        return
    allowed.append(name)


def agent_main(task):
    import _socket

    for family in range(0, 46):
        attempt("socket family %d" % family, lambda: _socket.socket(family, _socket.SOCK_STREAM))
        attempt("datagram family %d" % family, lambda: _socket.socket(family, _socket.SOCK_DGRAM))
    for path in ("/task/agent/x", "/task/artifact/x", "/task/x", "/etc/x", "/usr/x", "/dev/x", "/x"):
        attempt("write " + path, lambda: open(path, "w"))
    for path in ("/proc/self", "/sys/kernel", "/sys/fs/cgroup", "/dev/kmsg", "/dev/mem"):
        attempt("see " + path, lambda: os.stat(path))
    attempt("become root", lambda: posix.setuid(0))
    attempt("change root", lambda: posix.chroot("/tmp"))
    attempt("make a device", lambda: posix.mknod("/tmp/d", 0o20600, 0x103))
    attempt("make a fifo", lambda: posix.mkfifo("/tmp/f"))
    attempt("change affinity", lambda: posix.sched_setaffinity(0, [0, 1]))
    attempt("raise priority", lambda: posix.setpriority(posix.PRIO_PROCESS, 0, -1))
    attempt("attributes", lambda: posix.setxattr("/tmp", "user.a", b"1"))
    if posix.getuid() == 0:
        allowed.append("uid 0")
    for descriptor in range(4, 64):
        attempt("descriptor %d" % descriptor, lambda: posix.fstat(descriptor))
    return {"allowed": allowed}
