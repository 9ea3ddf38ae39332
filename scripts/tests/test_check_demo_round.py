"""Unit tests of scripts/check_demo_round.py on the fixture's round, in which the crasher is the only worthless agent."""

import copy
import json
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import check_demo_round


class Problems(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.record = json.loads((ROOT / "scripts/tests/fixture/record.json").read_text())

    def more(self, change):
        """The problems that a change adds to those of the small round."""
        record = copy.deepcopy(self.record)
        demo = {"round_digest": record["round_digest"]}
        before = list(check_demo_round.problems(demo, record))
        change(record)
        return [line for line in check_demo_round.problems(demo, record) if line not in before]

    def crasher(self, record):
        hotkey = next(agent["hotkey"] for agent in record["agents"] if agent["name"] == "crasher")
        return next(agent for agent in record["tracks"]["skills"]["agents"] if agent["hotkey"] == hotkey)

    def test_a_small_registry_is_noticed(self):
        lines = list(check_demo_round.problems({"round_digest": self.record["round_digest"]}, self.record))
        self.assertEqual(len(lines), 1 + 2, lines)  # missing agents, and two tracks without anybody

    def test_each_fault_is_noticed(self):
        failed = next(at for at, run in enumerate(self.record["runs"]) if run["failure"])
        changes = {
            "crasher earns": lambda r: self.crasher(r).update(share=0.1),
            "scores 0.5": lambda r: self.crasher(r).update(score=0.5),
            "ended with None": lambda r: r["runs"][failed].update(failure=None),
            "says nothing": lambda r: r["runs"][failed].update(message=None, detail=[]),
            "is not 0": lambda r: r["tracks"]["skills"]["baselines"].update(always_block=0.1),
            "refused": lambda r: r["submission"].update(accepted=False),
            "another round digest": lambda r: r.update(round_digest="00"),
            "abstained": lambda r: r.update(abstained={"reason": "host_disrupted", "detail": "x"}),
        }
        for words, change in changes.items():
            with self.subTest(words):
                self.assertTrue(any(words in line for line in self.more(change)), self.more(change))


if __name__ == "__main__":
    unittest.main()
