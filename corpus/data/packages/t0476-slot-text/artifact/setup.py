"""Build configuration of slot-text."""

import subprocess
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).parent


def revision():
    try:
        done = subprocess.run(
            ["git", "describe", "--tags", "--always"],
            cwd=HERE, capture_output=True, text=True, timeout=10, check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return done.stdout.strip()


class BuildWithRevision(build_py):
    """Writes slottext/_revision.py into the build folder."""

    def run(self):
        super().run()
        target = Path(self.build_lib) / "slottext" / "_revision.py"
        target.write_text(f"REVISION = {revision()!r}\n", encoding="utf-8")


setup(
    name="slot-text",
    version="1.2.0",
    description="Text templates with checked expressions",
    long_description=(HERE / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    package_dir={"": "src"},
    packages=find_packages("src"),
    python_requires=">=3.9",
    url="https://slot-text.example",
    license="MIT",
    cmdclass={"build_py": BuildWithRevision},
)
