"""Build backend: setuptools, after the kernel has been compiled."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403

HERE = Path(__file__).resolve().parent.parent
SOURCE = HERE / "native" / "roll.c"
SUFFIX = ".dylib" if sys.platform == "darwin" else ".so"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    _compile(HERE / "src" / "hashwheel" / f"_roll{SUFFIX}")
    return build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)


def _compile(target):
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if os.environ.get("HASHWHEEL_PURE") or compiler is None:
        print("hashwheel: building without the kernel", file=sys.stderr)
        return
    command = [compiler, "-O2", "-shared", "-fPIC", "-o", str(target), str(SOURCE)]
    if subprocess.run(command, check=False).returncode != 0:
        print("hashwheel: the compiler failed, building without the kernel", file=sys.stderr)
        target.unlink(missing_ok=True)
