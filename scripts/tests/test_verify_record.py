"""Unit tests of scripts/verify_record.py: its cryptography, its rules against frozen vectors, and that a tampered record is refused."""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib
import unittest
from fractions import Fraction

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import record_weights
import verify_record
from record_crypto import blake3, blake3_derive_key, blake3_keyed, ed25519_verify, ss58_decode

SPEC_DIR = ROOT / "mechanism-spec"
FIXTURE = ROOT / "scripts/tests/fixture/record.json"
ORDER = 2**252 + 27742317777372353535851937790883648493

# Input length, and the start of hash, keyed hash and derived key of the published test vectors: bytes 0, 1, .. 250, 0, 1, ..
BLAKE3_KEY = b"whats the Elvish word for friend"
BLAKE3_CONTEXT = "BLAKE3 2019-12-27 16:29:52 test vectors context"
BLAKE3_VECTORS = (
    (0, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262e00f03e7b69af26b7faaf09fcd333050338ddfe085b8cc869ca98b206c08243a26f5487789e8f660afe6c99ef9e0c52b",
     "92b2b75604ed3c761f9d6f62392c8a9227ad0ea3f09573e783f1498a4ed60d26",
     "2cc39783c223154fea8dfb7c1b1660f2ac2dcbd1c1de8277b0b0dd39b7e50d7d"),
    (1, "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213c3a6cb8bf623e20cdb535f8d1a5ffb86342d9c0b64aca3bce1d31f60adfa137b358ad4d79f97b47c3d5e79f179df87a3",
     "6d7878dfff2f485635d39013278ae14f1454b8c0a3a2d34bc1ab38228a80c95b",
     "b3e2e340a117a499c6cf2398a19ee0d29cca2bb7404c73063382693bf66cb06c"),
    (64, "4eed7141ea4a5cd4b788606bd23f46e212af9cacebacdc7d1f4c6dc7f2511b98fc9cc56cb831ffe33ea8e7e1d1df09b26efd2767670066aa82d023b1dfe8ab1b2b7fbb5b97592d46ffe3e05a6a9b592e",
     "ba8ced36f327700d213f120b1a207a3b8c04330528586f414d09f2f7d9ccb7e6",
     "a5c4a7053fa86b64746d4bb688d06ad1f02a18fce9afd3e818fefaa7126bf73e"),
    (65, "de1e5fa0be70df6d2be8fffd0e99ceaa8eb6e8c93a63f2d8d1c30ecb6b263dee0e16e0a4749d6811dd1d6d1265c29729b1b75a9ac346cf93f0e1d7296dfcfd4313b3a227faaaaf7757cc95b4e87a49be",
     "c0a4edefa2d2accb9277c371ac12fcdbb52988a86edc54f0716e1591b4326e72",
     "51fd05c3c1cfbc8ed67d139ad76f5cf8236cd2acd26627a30c104dfd9d3ff8a8"),
    (1024, "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af71cf8107265ecdaf8505b95d8fcec83a98a6a96ea5109d2c179c47a387ffbb404756f6eeae7883b446b70ebb144527c20",
     "75c46f6f3d9eb4f55ecaaee480db732e6c2105546f1e675003687c31719c7ba4",
     "7356cd7720d5b66b6d0697eb3177d9f8d73a4a5c5e968896eb6a689684302706"),
    (1025, "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444f4c4a22b4b399155358a994e52bf255de60035742ec71bd08ac275a1b51cc6bfe332b0ef84b409108cda080e6269ed4b",
     "357dc55de0c7e382c900fd6e320acc04146be01db6a8ce7210b7189bd664ea69",
     "effaa245f065fbf82ac186839a249707c3bddf6d3fdda22d1b95a3c970379bcb"),
    (2049, "5f4d72f40d7a5f82b15ca2b2e44b1de3c2ef86c426c95c1af0b687952256303096de31d71d74103403822a2e0bc1eb193e7aecc9643a76b7bbc0c9f9c52e8783aae98764ca468962b5c2ec92f0c74eb5",
     "9f29700902f7c86e514ddc4df1e3049f258b2472b6dd5267f61bf13983b78dd5",
     "2ea477c5515cc3dd606512ee72bb3e0e758cfae7232826f35fb98ca1bcbdf273"),
    (3073, "7124b49501012f81cc7f11ca069ec9226cecb8a2c850cfe644e327d22d3e1cd39a27ae3b79d68d89da9bf25bc27139ae65a324918a5f9b7828181e52cf373c84f35b639b7fccbb985b6f2fa56aea0c18",
     "68dede9bef00ba89e43f31a6825f4cf433389fedae75c04ee9f0cf16a427c95a",
     "72613c9ec9ff7e40f8f5c173784c532ad852e827dba2bf85b2ab4b76f7079081"),
    (5120, "9cadc15fed8b5d854562b26a9536d9707cadeda9b143978f319ab34230535833acc61c8fdc114a2010ce8038c853e121e1544985133fccdd0a2d507e8e615e611e9a0ba4f47915f49e53d721816a9198",
     "2c493e48e9b9bf31e0553a22b23503c0a3388f035cece68eb438d22fa1943e20",
     "7a7acac8a02adcf3038d74cdd1d34527de8a0fcc0ee3399d1262397ce5817f60"),
)
# RFC 8032, section 7.1, tests 1 to 3: public key, message, signature.
ED25519_VECTORS = (
    ("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
    ("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
    ("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"),
)


class Cryptography(unittest.TestCase):
    def test_blake3_vectors(self):
        for length, plain, keyed, derived in BLAKE3_VECTORS:
            data = bytes(at % 251 for at in range(length))
            with self.subTest(length=length):
                self.assertEqual(blake3(data, 80)[:32].hex(), plain[:64])
                self.assertEqual(blake3(data, 80).hex(), plain)
                self.assertEqual(blake3_keyed(BLAKE3_KEY, data).hex(), keyed)
                self.assertEqual(blake3_derive_key(BLAKE3_CONTEXT, data).hex(), derived)

    def test_ed25519_vectors(self):
        for public, message, signature in ED25519_VECTORS:
            public, message, signature = map(bytes.fromhex, (public, message, signature))
            self.assertTrue(ed25519_verify(public, message, signature))
            self.assertFalse(ed25519_verify(public, message + b"x", signature))
            for at in (0, 31, 32, 63):
                flipped = bytearray(signature)
                flipped[at] ^= 1
                self.assertFalse(ed25519_verify(public, message, bytes(flipped)), at)

    def test_ed25519_is_strict(self):
        public, message, signature = map(bytes.fromhex, ED25519_VECTORS[1])
        more = int.from_bytes(signature[32:], "little") + ORDER
        self.assertFalse(ed25519_verify(public, message, signature[:32] + more.to_bytes(32, "little")), "s above the order")
        # With the neutral element as key and as R, s = 0 satisfies the equation for every message.
        neutral = (1).to_bytes(32, "little")
        self.assertFalse(ed25519_verify(neutral, message, neutral + bytes(32)), "a key of small order")
        self.assertFalse(ed25519_verify(neutral, message, (2**255 - 18).to_bytes(32, "little") + bytes(32)), "no canonical R")
        self.assertFalse(ed25519_verify(public, message, signature[:63]))

    def test_ss58(self):
        alice = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
        self.assertEqual(ss58_decode(alice).hex(), "d43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d")
        for wrong in (alice[:-1] + "Z", alice[1:], "", "0" * 48):
            with self.assertRaises(ValueError):
                ss58_decode(wrong)


class Rules(unittest.TestCase):
    """The second implementation against the frozen vectors that the first one is held to."""

    def cases(self, kind):
        found = 0
        for path in sorted((SPEC_DIR / "vectors").glob("*.jsonl")):
            for line in path.read_text().splitlines():
                case = json.loads(line)
                if case.get("kind", path.stem) == kind:
                    found += 1
                    with self.subTest(path=path.name, name=case["name"]):
                        yield case["input"], case["expected"]
        self.assertGreater(found, 0, kind)

    def test_weights(self):
        spec = tomllib.loads((SPEC_DIR / "spec.toml").read_text())
        for given, expected in self.cases("weights"):
            chain = {"contributors": [], "reregistered": [], "min_allowed_weights": 0, "max_weights_limit": 65535}
            chain = {key: given.get(key, chain.get(key)) for key in (*chain, "registered")}
            out = record_weights.compute(spec, bytes.fromhex(given["seed"]), given["tracks"], given["previous"], chain)
            for key, value in expected.items():
                if key == "abstain":
                    self.assertEqual(bool(out[key]), bool(value))
                elif key == "track_shares":
                    self.assertEqual({track: float(share) for track, share in out[key].items()}, value)
                else:
                    self.assertEqual(out[key], value, key)

    def test_wire_values(self):
        for given, expected in self.cases("weights_u16"):
            weights = dict(zip(given["uids"], map(Fraction, given["weights"]), strict=True))
            vector = record_weights.wire(weights, given["max_weight_limit"], 65535)
            self.assertEqual(vector, [list(pair) for pair in zip(expected["uids"], expected["values"], strict=True)])

    def test_mcc(self):
        for given, expected in self.cases("mcc"):
            if "tp" in given and "mcc" in expected:
                value = verify_record.mcc(given["tp"], given["tn"], given["fp"], given["fn"])[2]
                self.assertAlmostEqual(value, expected["mcc"], delta=1e-9)


class Record(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fixture = json.loads(FIXTURE.read_text())

    def failing(self, record):
        return [result["name"] for result in verify_record.verify(record, SPEC_DIR) if result["ok"] is False]

    def tampered(self, change):
        record = copy.deepcopy(self.fixture)
        change(record)
        self.assertNotEqual(record, self.fixture, "the change changes nothing")
        return self.failing(record)

    def test_the_recorded_round_holds(self):
        results = verify_record.verify(self.fixture, SPEC_DIR)
        self.assertEqual([(r["name"], r["difference"]) for r in results if r["ok"] is not True], [],
                         "when the spec was changed on purpose, run scripts/tests/make-fixture")

    def test_every_tampering_is_refused(self):
        def agent(record, track="skills", name="baseline-skills"):
            hotkey = next(a["hotkey"] for a in record["agents"] if a["name"] == name)
            return next(a for a in record["tracks"][track]["agents"] if a["hotkey"] == hotkey)

        def verdict(record):
            run = next(r for r in record["runs"] if r["track"] == "skills" and r["verdict"] == "ALLOW")
            run["verdict"] = "BLOCK"

        def whole_verdict(record):
            rank = next(r["rank"] for r in record["runs"] if r["track"] == "skills" and r["verdict"] == "ALLOW")
            for run in (r for r in record["runs"] if r["track"] == "skills" and r["rank"] == rank and r["verdict"]):
                run["verdict"] = "BLOCK"
                run["report"] = run["report"].replace("ALLOW", "BLOCK")
                run["report_hash"] = blake3(run["report"].encode()).hex()

        def score(record):
            agent(record)["score"] = agent(record)["detail"]["score"] = 0.75

        def weight(record):
            weights, signed = record["weights"], record["submission"]["signed"]
            weights["u16"][0][1] -= 1
            record["submission"]["read_back"][0][1] -= 1
            signed["payload"]["values"][0] -= 1

        def signature(record):
            signed = record["submission"]["signed"]
            signed["signature"] = ("0" if signed["signature"][0] != "0" else "1") + signed["signature"][1:]

        def label(record):
            task = record["tasks"]["skills"][0]["label"]
            task["label"] = "safe" if task["label"] == "malicious" else "malicious"

        def repetition(record):
            completed = next(t["reps"][0]["completed"] for t in agent(record, "repositories", "baseline-repositories")["detail"]["tasks"]
                             if t["reps"][0]["completed"]["score"]["score"] != "1")
            completed["score"]["score"] = "1"

        def failure(record):
            next(r for r in record["runs"] if r["failure"])["failure"] = None

        changes = {
            "verdict": (verdict, "runs"),
            "verdict and its report": (whole_verdict, "behavioural scores"),
            "score": (score, "behavioural scores"),
            "weight": (weight, "weights"),
            "signature": (signature, "submission"),
            "secret": (lambda r: r.update(secret="33" * 32), "secret commitment"),
            "label": (label, "behavioural scores"),
            "score of a repetition": (repetition, "audit scores"),
            "failure": (failure, "runs"),
            "interval": (lambda r: agent(r)["interval"].update(low=0.9), "intervals"),
            "baseline": (lambda r: r["tracks"]["skills"]["baselines"].update(always_allow=0.1), "baselines"),
            "share": (lambda r: agent(r).update(share=1.0), "standings"),
            "copy": (lambda r: r["weights"]["copies"]["skills"].update(x="y"), "weights"),
            "previous state": (lambda r: r["weights_input"].update(previous={agent(r)["hotkey"]: 10**15}), "weights"),
            "limit": (lambda r: r["weights_input"]["chain"].update(max_weights_limit=30000), "weights"),
            "commitment": (lambda r: r["agents"][0].update(commit_block=0), "participants"),
            "run left out": (lambda r: r["runs"].pop(), "runs"),
            "run twice": (lambda r: r["runs"].append(r["runs"][0]), "runs"),
            "CPU time": (lambda r: r["runs"][0]["usage"].update(cpu_us=10**9), "runs"),
            "draw": (lambda r: r["tasks"]["packages"].reverse(), "draw"),
            "seed": (lambda r: r["opening"].update(seed="44" * 32), "draw"),
            "spec id": (lambda r: r["opening"].update(spec_id="44" * 32), "spec id"),
            "corpus root": (lambda r: r["opening"].update(corpus_root="44" * 32), "round digest"),
            "digest": (lambda r: r.update(round_digest="44" * 32), "round digest"),
            "agent left out": (lambda r: r["tracks"]["skills"]["agents"].pop(), "standings"),
            "refused": (lambda r: r["submission"].update(accepted=False), "complete"),
            "read back": (lambda r: r["submission"].update(read_back=[]), "submission"),
            "signer": (lambda r: r["submission"]["signed"].update(hotkey=r["agents"][0]["hotkey"]), "submission"),
            "part missing": (lambda r: r.update(weights=None), "complete"),
        }
        for name, (change, check) in changes.items():
            with self.subTest(name):
                self.assertIn(check, self.tampered(change))

    def test_a_digest_that_fits_a_changed_vector_lacks_a_signature(self):
        record = copy.deepcopy(self.fixture)
        record["weights_input"]["chain"]["version_key"] = record["submission"]["signed"]["payload"]["version_key"] = 9
        self.assertEqual(self.failing(record), ["submission"])

    def test_an_abstained_round_is_checked_as_far_as_it_went(self):
        record = copy.deepcopy(self.fixture)
        record.update(tracks={}, weights_input=None, weights=None, round_digest=None, submission=None,
                      abstained={"reason": "host_disrupted", "detail": "the control agent did not complete"})
        record["runs"] = record["runs"][:10]
        self.assertEqual(self.failing(record), [])
        record["secret"] = "33" * 32
        self.assertEqual(self.failing(record), ["secret commitment"])

    def test_an_abstention_does_not_hide_an_accepted_vector(self):
        self.assertIn("complete", self.tampered(lambda r: r.update(abstained={"reason": "interrupted", "detail": "x"})))


class CommandLine(unittest.TestCase):
    def run_on(self, text, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "record.json"
            path.write_text(text)
            return subprocess.run([sys.executable, ROOT / "scripts/verify_record.py", path, *options], capture_output=True, text=True)

    def test_exit_status(self):
        good = FIXTURE.read_text()
        done = self.run_on(good)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(all(line.startswith("ok ") for line in done.stdout.splitlines()), done.stdout)
        bad = self.run_on(good.replace('"accepted":true', '"accepted":false'), "--json")
        self.assertEqual(bad.returncode, 1)
        self.assertFalse(json.loads(bad.stdout)["ok"])
        for unreadable in ("", "[]", "{}", '{"format":"assay-round/2"}', '{"format":"assay-round/1"}', '{"a":1,"a":2}', "[" * 100_000):
            self.assertEqual(self.run_on(unreadable).returncode, 2, unreadable[:40])


if __name__ == "__main__":
    unittest.main()
