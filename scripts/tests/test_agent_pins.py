"""Checks that every pin of corpus/agents/registry.json is the one that `assay agent pin` gives for its file."""

import json
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
AGENTS = ROOT / "corpus/agents"
ASSAY = ROOT / "target/ci/assay"


class Pins(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.agents = json.loads((AGENTS / "registry.json").read_text())["agents"]

    def test_pins_are_those_of_the_files(self):
        if not ASSAY.exists():
            self.skipTest("target/ci/assay is not built: run `cargo build -p assay --profile ci`")
        for file in sorted({agent["file"] for agent in self.agents}):
            shown = subprocess.run([ASSAY, "agent", "pin", AGENTS / file], capture_output=True, text=True, check=True).stdout
            for agent in self.agents:
                if agent["file"] == file:
                    self.assertEqual(agent["pin"], shown.split()[0], f"{agent['name']}: pin {file} anew with `assay agent pin`")

    def test_entries_are_distinct_and_every_agent_is_registered(self):
        for key in ("name", "commit_block"):
            values = [agent[key] for agent in self.agents]
            self.assertEqual(len(values), len(set(values)), key)
        self.assertEqual({agent["file"] for agent in self.agents}, {path.name for path in AGENTS.glob("*.py")})


if __name__ == "__main__":
    unittest.main()
