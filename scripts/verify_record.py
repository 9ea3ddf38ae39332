#!/usr/bin/env python3
"""Recomputes the record of a round and says where it differs.

    verify_record.py RECORD [--json] [--spec-dir DIR]

RECORD is a `record.json`, or `-` for standard input. The rules are those of `mechanism-spec/SPEC.md`, written down a second
time and apart from the node; the numbers are those of the spec file that the record names. How well findings match is taken
from the record, everything that follows from it is computed. Exit status: 0 all checks hold, 1 something differs, 2 the input
cannot be read.
"""

import argparse
import json
import math
import pathlib
import struct
import sys
import tomllib
from fractions import Fraction

import record_weights
from record_crypto import blake3, blake3_derive_key, blake3_keyed, ed25519_verify, ss58_decode
from record_weights import fields

FORMAT = "assay-round/1"
VERDICTS = ("ALLOW", "WARN", "BLOCK")
BEFORE_WALL_CAP = ("cpu_budget_exceeded", "wall_backstop_exceeded", "memory_limit_exceeded", "output_flood", "agent_wall_cap")
HASHED_REPORT = 65_536  # longer reports are not hashed again: this program's BLAKE3 is slow


def mean(values):
    values = list(values)
    return sum(values, Fraction(0)) / len(values) if values else None


def mcc(tp, tn, fp, fn):
    """S-3: numerator, product of the margins, value."""
    number, product = tp * tn - fp * fn, (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return number, product, float(number) / math.sqrt(float(product)) if product else 0.0


class Verifier:
    """One record and what follows from it. Each `check_*` yields (place, computed, recorded)."""

    def __init__(self, record, spec_dir):
        self.record, self.opening, self.spec_dir = record, record["opening"], spec_dir
        self.name = {"pinned": "spec.toml", "demo": "spec.demo.toml"}[self.opening["spec_name"]]
        self.spec = tomllib.loads((spec_dir / self.name).read_text())
        self.seed = bytes.fromhex(self.opening["seed"])
        self.scored, self.closed = bool(record["tracks"]), record["abstained"] is None
        self.agents = {agent["hotkey"]: agent for agent in record["agents"]}
        self.runs = {(run["track"], run["hotkey"], run["rep"], run["rank"]): run for run in record["runs"]}
        self.scores, self.met, self.outcome = {}, {}, None

    def number(self, *keys):
        value = self.spec
        for key in keys:
            value = value[key]
        return Fraction(value)

    def checks(self):
        """Name, check, and whether the round came far enough for it."""
        weighed = self.record["weights"] is not None
        return [
            ("complete", self.check_complete, True), ("spec id", self.check_spec, True),
            ("secret commitment", self.check_secret, True), ("participants", self.check_participants, True),
            ("draw", self.check_draw, True), ("runs", self.check_runs, True),
            ("behavioural scores", self.check_behavioural, self.scored), ("intervals", self.check_intervals, self.scored),
            ("audit scores", self.check_audits, self.scored), ("baselines", self.check_baselines, self.scored),
            ("weights", self.check_weights, weighed), ("standings", self.check_standings, weighed),
            ("round digest", self.check_digest, self.record["round_digest"] is not None),
            ("submission", self.check_submission, self.record["submission"] is not None),
        ]

    def check_complete(self):
        if self.closed:
            for key in ("secret", "tracks", "weights_input", "weights", "round_digest", "submission"):
                yield key, True, bool(self.record[key])
            yield "submission.accepted", True, self.record["submission"]["accepted"]
            yield "weights.abstain", None, self.record["weights"]["abstain"]
        elif self.record["submission"]:
            yield "abstained, accepted and read back", False, (
                self.record["submission"]["accepted"] and self.record["abstained"]["reason"] != "read_back_differs")
        yield "tracks without weights", False, self.closed and self.scored and self.record["weights"] is None

    def check_spec(self):
        files = (self.name, "schema/report-behavioural.json", "schema/report-repositories.json", "capabilities.toml")
        data = [(self.spec_dir / name).read_bytes().decode() for name in files]
        yield "spec_id", blake3(fields(*data)).hex(), self.opening["spec_id"]

    def check_secret(self):
        secret = self.record["secret"]
        if secret is not None:
            yield "secret_commitment", blake3(bytes.fromhex(secret)).hex(), self.opening["secret_commitment"]

    def check_participants(self):
        frozen = {part["hotkey"]: (track, part["pin"], part["commit_block"])
                  for track, parts in self.opening["participants"].items() for part in parts}
        count = sum(len(parts) for parts in self.opening["participants"].values())
        yield "number of participants", len(frozen), count
        yield "agents", sorted(frozen), [agent["hotkey"] for agent in self.record["agents"]]
        for hotkey, agent in self.agents.items():
            yield hotkey, frozen[hotkey], (agent["track"], agent["pin"], agent["commit_block"])
            yield f"{hotkey} committed before the freeze", True, agent["commit_block"] <= self.opening["freeze_block"]

    def planted(self, task):
        label = task["label"]
        if task["task_ref"].startswith("repositories/"):
            return any(label.get(kind) for kind in ("vulnerabilities", "supply_chain", "secrets"))
        return {"malicious": True, "safe": False}[label["label"]]

    def check_draw(self):
        yield "tracks", sorted(self.opening["tasks"]), sorted(self.record["tasks"])
        for track, tasks in self.record["tasks"].items():
            refs, drawn = [task["task_ref"] for task in tasks], self.opening["tasks"][track]
            seed = blake3(fields("assay/v1/draw", self.seed, track, self.opening["validator"]))
            yield track, sorted(set(refs), key=lambda ref: blake3_keyed(seed, fields(ref))), refs
            yield f"{track} opening", refs, drawn["tasks"]
            yield f"{track} ranks", list(range(len(refs))), [task["rank"] for task in tasks]
            positive = sum(map(self.planted, tasks))
            yield f"{track} classes", [positive, len(refs) - positive], drawn["counts"]
            yield f"{track} size", True, len(refs) <= self.spec["tracks"][track]["tasks"]

    def check_runs(self):
        yield "runs named twice", len(self.record["runs"]), len(self.runs)
        planned = {(agent["track"], hotkey, rep, task["rank"]) for hotkey, agent in self.agents.items()
                   if agent["unavailable"] is None for task in self.record["tasks"][agent["track"]]
                   for rep in range(self.spec["tracks"][agent["track"]]["reps"])}
        yield "runs outside of the plan", [], sorted(self.runs.keys() - planned)[:1]
        if self.scored:
            yield "runs that are missing", [], sorted(planned - self.runs.keys())[:1]
        walls = {}
        for run in sorted(self.record["runs"], key=lambda run: (run["rep"], run["rank"])):
            where = f"{run['hotkey']} {run['task_ref']} rep {run['rep']}"
            budget, usage = self.spec["tracks"][run["track"]], run["usage"]
            cpu, factors = budget["cpu_us"], self.spec["budget"]
            agent, task = self.agents[run["hotkey"]], self.record["tasks"][run["track"]][run["rank"]]
            yield where, (agent["pin"], task["task_ref"]), (run["pin"], run["task_ref"])
            done = run["failure"] is None
            yield f"{where} has verdict and report", [done] * 2, [run[key] is not None for key in ("verdict", "report")]
            within = usage["cpu_us"] <= cpu and usage["wall_us"] <= factors["wall_backstop_factor"] * cpu
            yield f"{where} completed within its budget", done and within, done
            if usage["cpu_us"] > cpu:
                yield f"{where} failure", "cpu_budget_exceeded", run["failure"]
            before = walls.get(run["hotkey"], 0)
            walls[run["hotkey"]] = before + usage["wall_us"]
            capped = before >= factors["round_wall_factor"] * budget["tasks"] * budget["reps"] * cpu
            names = BEFORE_WALL_CAP if capped else ("agent_wall_cap",)
            if self.scored:
                yield f"{where} failed by the wall cap", capped, run["failure"] in names
            if done:
                said = json.loads(run["report"].removeprefix("\ufeff"), parse_int=str)["verdict"]
                yield f"{where} verdict", said["decision"] if isinstance(said, dict) else said, run["verdict"]
                yield f"{where} verdict is a word", True, run["verdict"] in VERDICTS
                raw = run["report"].encode()
                if len(raw) <= HASHED_REPORT:
                    yield f"{where} report hash", blake3(raw).hex(), run["report_hash"]

    def standings(self, behavioural):
        """Track, standing, its tasks with the recorded scores, for evaluated agents of one kind of track."""
        for track, standing in self.record["tracks"].items():
            if (track == "repositories") != behavioural:
                for agent in standing["agents"]:
                    if self.agents[agent["hotkey"]]["unavailable"] is None:
                        yield track, agent, list(zip(self.record["tasks"][track], agent["detail"]["tasks"], strict=True))

    def reps_of(self, track, hotkey, rank):
        return [self.runs[track, hotkey, rep, rank] for rep in range(self.spec["tracks"][track]["reps"])]

    def check_behavioural(self):
        for track, agent, tasks in self.standings(True):
            hotkey, detail, counts, qualities = agent["hotkey"], agent["detail"], {"tp": 0, "tn": 0, "fp": 0, "fn": 0}, []
            for task, recorded in tasks:
                where = f"{hotkey} {task['task_ref']}"
                votes = [run["verdict"] if run["failure"] is None else None for run in self.reps_of(track, hotkey, task["rank"])]
                cast = sorted((vote for vote in votes if vote), key=VERDICTS.index)
                verdict = cast[(len(cast) - 1) // 2] if cast else None
                flags, bad = verdict in ("WARN", "BLOCK"), self.planted(task)
                right = verdict is not None and flags == bad
                counts[("tp" if right else "fn") if bad else ("tn" if right else "fp")] += 1
                yield where, (task["task_ref"], verdict, right, len(cast)), tuple(
                    recorded[key] for key in ("task_ref", "verdict", "correct", "completed"))
                expected = task["label"].get("expected_findings") if bad else None
                yield f"{where} has findings", bool(expected), recorded["findings"] is not None
                if expected:
                    yield from self.quality(where, recorded["findings"], len(expected), votes.index(verdict) if flags else None)
                    qualities.append(Fraction(recorded["findings"]["quality"]))
            yield f"{hotkey} confusion", counts, detail["confusion"]
            number, product, value = mcc(**counts)
            clamped, quality = max(0.0, value), mean(qualities)
            yield f"{hotkey} MCC", (value, clamped, product == 0), tuple(detail[key] for key in ("mcc", "clamped", "empty_margin"))
            score, rules = clamped, self.spec["findings"]
            if quality is not None:
                parts = float(Fraction(rules["verdict_part"])), float(Fraction(rules["finding_part"]))
                score = clamped * (parts[0] + parts[1] * float(quality))
            yield f"{hotkey} quality", quality, detail["quality"] and Fraction(detail["quality"])
            limit = self.number("tracks", track, "threshold")
            met = number > 0 and limit.denominator**2 * number**2 >= limit.numerator**2 * product
            yield from self.scored_as(agent, score, met)

    def quality(self, where, recorded, expected, rep):
        """F1 of the recorded matching, and which repetition's report it is of."""
        yield f"{where} scored repetition", rep, recorded["rep"]
        exact, matching = Fraction(0), recorded["matching"]
        yield f"{where} has a matching", rep is not None, matching is not None
        if matching is not None:
            total = expected + matching["reported"]
            exact = Fraction(2 * len(matching["pairs"]), total) if total else Fraction(0)
            yield f"{where} expected findings", (expected, len(matching["pairs"])), (matching["expected"], matching["matched"])
        yield f"{where} quality", exact, Fraction(recorded["quality"])

    def scored_as(self, agent, score, met):
        self.scores[agent["hotkey"]], self.met[agent["hotkey"]] = score, met
        yield f"{agent['hotkey']} score", (score, score), (agent["score"], agent["detail"]["score"])
        yield f"{agent['hotkey']} eligible", met, agent["detail"]["eligible"]

    def check_intervals(self):
        rules = self.spec["interval"]
        for track, agent, tasks in self.standings(True):
            classes = [[recorded["correct"] for task, recorded in tasks if self.planted(task) is bad] for bad in (True, False)]
            count = sum(map(len, classes)) * rules["resamples"]
            material = self.seed + fields(track, agent["pin"])
            words = iter(struct.unpack(f"<{count}Q", blake3_derive_key("assay/v1/bootstrap", material, 8 * count)))
            values = []
            for _ in range(rules["resamples"]):
                tp, tn = (sum(kind[next(words) * len(kind) >> 64] for _ in kind) for kind in classes)
                values.append(max(0.0, mcc(tp, tn, len(classes[1]) - tn, len(classes[0]) - tp)[2]))
            values.sort()
            bounds = {"low": values[rules["low_rank"] - 1], "high": values[rules["high_rank"] - 1]}
            yield f"{agent['hotkey']} interval", bounds, agent["interval"]

    def check_audits(self):
        for track, agent, tasks in self.standings(False):
            hotkey, exact = agent["hotkey"], []
            for task, recorded in tasks:
                where, reps = f"{hotkey} {task['task_ref']}", []
                for run, rep in zip(self.reps_of(track, hotkey, task["rank"]), recorded["reps"], strict=True):
                    said = {"failed": run["failure"]} if run["failure"] else rep
                    yield f"{where} rep {run['rep']} failure", said, rep
                    if run["failure"] is None:
                        yield f"{where} rep {run['rep']} verdict", run["verdict"], rep["completed"]["verdict"]
                        yield from self.audit(f"{where} rep {run['rep']}", task, rep["completed"]["score"])
                        reps.append(Fraction(rep["completed"]["score"]["score"]))
                score = mean(reps) or Fraction(0)
                exact.append(score)
                yield where, (task["task_ref"], score, float(score), len(reps), not self.planted(task)), (
                    recorded["task_ref"], Fraction(recorded["score_exact"]), recorded["score"], recorded["completed"], recorded["clean"])
            score = mean(exact)
            yield f"{hotkey} exact score", score, Fraction(agent["detail"]["score_exact"])
            for key, bad in (("f2_vulnerable", True), ("precision_clean", False)):
                part = mean(value for value, (task, _) in zip(exact, tasks) if self.planted(task) is bad)
                yield f"{hotkey} {key}", part if part is None else float(part), agent["detail"][key]
            yield from self.scored_as(agent, float(score), score >= self.number("tracks", track, "threshold"))

    def audit(self, where, task, recorded):
        """S-7 and S-9: the score of one repetition from its counts."""
        rules, dims = self.spec["repositories"], recorded["dims"]
        planted = {kind: len(task["label"].get(kind) or []) for kind in ("vulnerabilities", "supply_chain", "secrets")}
        planted = {kind: count for kind, count in planted.items() if count}
        yield f"{where} dimensions", planted, {kind: dim["planted"] for kind, dim in dims.items() if dim and dim["planted"]}
        if not planted:
            score = max(Fraction(0), 1 - Fraction(recorded["reported"], rules["clean_reports"]))
        else:
            beta, parts = rules["beta_squared"], {kind: Fraction(rules[f"{kind}_part"]) for kind in planted}
            score = Fraction(0)
            for kind in planted:
                matched, divisor = len(dims[kind]["pairs"]), beta * planted[kind] + dims[kind]["reported"]
                one = Fraction((1 + beta) * matched, divisor)
                yield f"{where} {kind}", (matched, one), (dims[kind]["matched"], Fraction(dims[kind]["score"]))
                score += parts[kind] * one / sum(parts.values())
            yield f"{where} reported", sum(dims[kind]["reported"] for kind in planted), recorded["reported"]
        yield f"{where} score", (score, not planted), (Fraction(recorded["score"]), recorded["clean"])

    def check_baselines(self):
        for track, standing in self.record["tracks"].items():
            tasks = self.record["tasks"][track]
            clean = Fraction(sum(not self.planted(task) for task in tasks), len(tasks)) if track == "repositories" else 0
            yield track, dict.fromkeys(("always_allow", "always_block", "empty_report"), float(clean)), standing["baselines"]

    def entrants(self):
        """Every frozen agent by track, with its computed score; one that could not be had has none."""
        by_track = {}
        for hotkey, agent in self.agents.items():
            by_track.setdefault(agent["track"], []).append({
                "hotkey": hotkey, "score": self.scores.get(hotkey, 0.0), "eligible": self.met.get(hotkey, False),
                "commit_block": agent["commit_block"], "pin": agent["pin"], "digest": agent["normalised_digest"]})
        return by_track

    def check_weights(self):
        context = self.record["weights_input"]
        self.outcome = record_weights.compute(self.spec, self.seed, self.entrants(), context["previous"], context["chain"])
        for key, computed in self.outcome.items():
            recorded = self.record["weights"][key]
            if key == "track_shares":
                recorded = {track: Fraction(share) for track, share in recorded.items()}
            yield key, computed, recorded

    def check_standings(self):
        listed = [agent["hotkey"] for standing in self.record["tracks"].values() for agent in standing["agents"]]
        yield "agents", sorted(self.agents), sorted(listed)
        for track, standing in self.record["tracks"].items():
            ranking, copies = self.outcome["ranking"][track], self.outcome["copies"][track]
            for agent in standing["agents"]:
                hotkey, counts = agent["hotkey"], {}
                for run in self.record["runs"]:
                    if run["hotkey"] == hotkey:
                        counts[run["failure"]] = counts.get(run["failure"], 0) + 1
                yield f"{hotkey} runs", {"completed": counts.pop(None, 0), "failed": counts}, agent["runs"]
                eligible = bool(self.met.get(hotkey)) and self.scores[hotkey] > 0 and hotkey not in copies
                rank = ranking.index(hotkey) + 1 if hotkey in ranking else None
                share = self.outcome["new"].get(hotkey, 0) / self.spec["weights"]["unit"]
                yield hotkey, (track, self.scores.get(hotkey, 0.0), eligible, copies.get(hotkey), rank, share), (
                    self.agents[hotkey]["track"], *(agent[key] for key in ("score", "eligible", "copy_of", "rank", "share")))

    def findings(self, run):
        """The findings of a completed run that were scored, as the record has them."""
        agents = {agent["hotkey"]: agent for agent in self.record["tracks"][run["track"]]["agents"]}
        task = agents[run["hotkey"]]["detail"]["tasks"][run["rank"]]
        if run["track"] == "repositories":
            return task["reps"][run["rep"]]["completed"]["scored"]
        chosen = task["findings"]
        return chosen["scored"] if chosen and chosen["rep"] == run["rep"] else []

    def check_digest(self):
        agents = sorted(self.record["agents"], key=lambda agent: (agent["hotkey"], agent["track"]))
        runs = sorted(self.runs)
        out = [fields("assay/v1/round", bytes.fromhex(self.opening["spec_id"]), bytes.fromhex(self.opening["corpus_root"]))]
        out += [fields(len(agents))] + [fields(agent["hotkey"], agent["track"], agent["pin"]) for agent in agents]
        out.append(fields(len(runs)))
        for track, hotkey, rep, rank in runs:
            run = self.runs[track, hotkey, rep, rank]
            out.append(fields(track, hotkey, rep, rank))
            if run["failure"] is not None:
                out.append(b"\0")
                continue
            found = self.findings(run)
            out.append(fields(b"\1", run["verdict"], len(found)))
            for finding in found:
                lines = b"\0" if finding["lines"] is None else b"\1" + struct.pack("<2Q", *finding["lines"])
                out.append(fields(finding["class"], finding["location"], lines))
        for agent in agents:
            score = self.scores.get(agent["hotkey"])
            out.append(b"\0" if score is None else b"\1" + struct.pack("<d", score + 0.0))
        vector = self.outcome["u16"] if self.outcome else None
        out.append(b"\0" if vector is None else fields(b"\1", len(vector), *(number for entry in vector for number in entry)))
        yield "round_digest", blake3(b"".join(out)).hex(), self.record["round_digest"]

    def check_submission(self):
        submission, chain = self.record["submission"], self.record["weights_input"]["chain"]
        signed, vector = submission["signed"], self.outcome["u16"] or []
        payload = {"netuid": self.opening["netuid"], "version_key": chain["version_key"], "round": self.opening["round"],
                   "uids": [uid for uid, _ in vector], "values": [value for _, value in vector],
                   "spec_id": self.opening["spec_id"], "round_digest": self.record["round_digest"]}
        yield "payload", payload, signed["payload"]
        yield "signer", self.opening["validator"], signed["hotkey"]
        yield "signer is registered", True, signed["hotkey"] in chain["registered"]
        message = fields("assay/v1/weights", payload["netuid"], struct.pack("<2Q", payload["version_key"], payload["round"]))
        for numbers in (payload["uids"], payload["values"]):
            message += fields(len(numbers), *numbers)
        message += bytes.fromhex(payload["spec_id"]) + bytes.fromhex(payload["round_digest"])
        valid = ed25519_verify(ss58_decode(signed["hotkey"]), message, bytes.fromhex(signed["signature"]))
        yield "signature is valid", True, valid
        if submission["accepted"]:
            yield "refusal", None, submission["refusal"]
        if self.closed:
            yield "read back", vector, submission["read_back"]


def run_check(check):
    """How many values were compared, and the first difference or None."""
    compared = 0
    try:
        for place, computed, recorded in check():
            compared += 1
            if computed != recorded:
                return compared, f"{place}: computed {brief(computed)}, recorded {brief(recorded)}"
    except (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError, struct.error) as error:
        return compared, f"cannot be computed from the record: {type(error).__name__}: {error}"
    return compared, None


def brief(value):
    text = str(value) if isinstance(value, Fraction) else repr(value)
    return text if len(text) <= 300 else text[:300] + "..."


def unique(pairs):
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("an object has a key twice")
    return dict(pairs)


def verify(record, spec_dir):
    """The checks of a record in their order: name, whether it holds (None: the round did not come to it), compared values, difference."""
    verifier, results = Verifier(record, spec_dir), []
    for name, check, reached in verifier.checks():
        compared, difference = run_check(check) if reached else (0, None)
        results.append({"name": name, "ok": difference is None if reached else None, "compared": compared, "difference": difference})
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--spec-dir", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent / "mechanism-spec")
    options = parser.parse_args()
    try:
        text = sys.stdin.read() if options.record == "-" else pathlib.Path(options.record).read_text()
        record = json.loads(text, object_pairs_hook=unique)
        if record["format"] != FORMAT:
            raise ValueError(f"format {record['format']!r}, but this program knows {FORMAT}")
        results = verify(record, options.spec_dir)
    except (AttributeError, KeyError, OSError, TypeError, ValueError, RecursionError) as error:
        print(f"verify_record: {options.record}: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    fine = all(result["ok"] is not False for result in results)
    if options.json:
        print(json.dumps({"ok": fine, "abstained": record["abstained"], "checks": results}, indent=2))
    else:
        for result in results:
            word = {True: "ok", False: "DIFFERS", None: "-"}[result["ok"]]
            said = result["difference"] or (f"{result['compared']} values" if result["ok"] else "the round ended before it")
            print(f"{word:7}  {result['name']}: {said}")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
