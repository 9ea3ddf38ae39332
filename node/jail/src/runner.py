"""Loads the agent, calls it with the task and hands its report over.

Runs as the only program of a sealed run. Imports nothing but built-in modules and the
C part of `json`, because every import is CPU time that the agent pays for.

Arguments: none for an agent of one file; for a bundle a module's name or the absolute path of a
file, and the name of the function to call.

Report channel: the first byte tells what follows.
    R  the report as JSON (or, when the result cannot be carried as JSON, a line that is no JSON)
    M  the agent has no such file, module or function
    E  loading or calling raised; then a one-line message
"""

import sys
import posix

REPORT, TASK = 3, 4
FOLDER = "/task/agent"
AGENT = FOLDER + "/agent.py"
MESSAGE = 4096


def leave(kind, body, code):
    data = memoryview(kind + body)
    try:
        while data:
            data = data[posix.write(REPORT, data):]
    except BaseException:
        code = 1
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            pass
    posix._exit(code)


def message(error):
    try:
        text = type(error).__name__ + ": " + str(error)
    except BaseException:
        text = type(error).__name__
    return text.encode("utf-8", "backslashreplace")[:MESSAGE]


def decode(text):
    try:
        import _json

        class Context:
            strict = True
            object_hook = None
            object_pairs_hook = None
            parse_float = float
            parse_int = int
            parse_constant = float

        value, _ = _json.make_scanner(Context)(text, 0)
        return value
    except (ImportError, AttributeError, TypeError, StopIteration):
        import json

        return json.loads(text)


def refuse(value):
    raise TypeError("a " + type(value).__name__ + " is not JSON")


def encode(value):
    try:
        import _json

        write = _json.make_encoder(
            {}, refuse, _json.encode_basestring_ascii, None, ": ", ", ", False, False, True
        )
    except (ImportError, AttributeError, TypeError):
        import json

        return json.dumps(value)
    return "".join(write(value, 0))


def load(path, source):
    module = type(sys)("agent")
    module.__file__ = path
    sys.modules["agent"] = module
    exec(compile(source, path, "exec", dont_inherit=True), module.__dict__)
    return module


def load_module(name):
    try:
        __import__(name)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        if missing == name or name.startswith(missing + "."):
            leave(b"M", b"the bundle has no module " + missing.encode(), 1)
        raise
    return sys.modules[name]


def read(descriptor):
    size = posix.fstat(descriptor).st_size
    return posix.pread(descriptor, size, 0) if size else b""


def main():
    task = decode(read(TASK).decode("utf-8"))
    posix.close(TASK)
    posix.set_inheritable(REPORT, False)
    target, function = sys.argv[1:] or (AGENT, "agent_main")
    source = None
    if target.startswith("/"):
        try:
            descriptor = posix.open(target, posix.O_RDONLY | posix.O_CLOEXEC)
            source = read(descriptor)
            posix.close(descriptor)
        except OSError as error:
            leave(b"M", message(error), 1)
    sys.path.insert(0, FOLDER)
    sys.argv[:] = [target]
    try:
        module = load_module(target) if source is None else load(target, source)
        entry = getattr(module, function, None)
        if entry is None:
            name = target.rpartition("/")[2]
            leave(b"M", (name + " defines no " + function).encode(), 1)
        result = entry(task)
    except BaseException as error:
        text = message(error)
        try:
            sys.__excepthook__(type(error), error, error.__traceback__)
        except BaseException:
            pass
        leave(b"E", text, 1)
    try:
        body = encode(result).encode("ascii")
    except BaseException as error:
        body = b"the result is no JSON: " + message(error)
    leave(b"R", body, 0)


main()
