"""Checks that no pattern of the reference agent `baseline` was written from a single task of the corpus.

Every string of baseline.py outside docstrings is read as a regular expression and expanded into the literal runs its
alternatives need. A run of at least six characters that occurs in exactly one or two tasks (text and paths, without
case) is *rare*: it may be a public weakness that a small corpus shows once, or a word taken over from that task. Rules:

1. The place a rare run stands in has a public source: a row of RULES its CWE id, a row of TEXT_RULES the source of its
   kind, any other table or function an entry of SOURCES. Places that hold words of languages or of reports, and so no
   rule, are listed in GRAMMAR. All ids must be in PUBLIC, with the name the catalogue gives them.
2. A rare run is short: at most MAX_WORDS words and MAX_RUN characters, which no sentence of a task is.
3. A rare run is no name that one of its tasks defines (function, class, variable) or gives to a file, unless ALLOWED
   names where the public knows that name from.
4. No run at all, rare or not, holds a name that the corpus made up: the name of a task, a host or a package.
"""

import ast
import pathlib
import re
import unittest

try:
    from re import _parser as regex_parser
except ImportError:  # before Python 3.11
    import sre_parse as regex_parser

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BASELINE = ROOT / "corpus/agents/baseline.py"
DATA = ROOT / "corpus/data"
LENGTH, MAX_WORDS, MAX_RUN, MAX_OPEN = 6, 4, 32, 2000

PUBLIC = {  # id: its name in the Common Weakness Enumeration, in ATT&CK or in the OWASP Top 10 for LLM applications
    "CWE-20": "Improper Input Validation", "CWE-22": "Path Traversal", "CWE-78": "OS Command Injection", "CWE-79": "Cross-site Scripting",
    "CWE-89": "SQL Injection", "CWE-95": "Eval Injection", "CWE-98": "PHP Remote File Inclusion",
    "CWE-120": "Classic Buffer Overflow", "CWE-134": "Externally-Controlled Format String", "CWE-190": "Integer Overflow", "CWE-208": "Observable Timing Discrepancy",
    "CWE-295": "Improper Certificate Validation", "CWE-306": "Missing Authentication for Critical Function", "CWE-327": "Broken or Risky Cryptographic Algorithm",
    "CWE-328": "Use of Weak Hash", "CWE-338": "Cryptographically Weak PRNG", "CWE-347": "Improper Verification of Cryptographic Signature",
    "CWE-352": "Cross-Site Request Forgery", "CWE-367": "Time-of-check Time-of-use Race Condition", "CWE-377": "Insecure Temporary File", "CWE-416": "Use After Free",
    "CWE-434": "Unrestricted Upload of File with Dangerous Type", "CWE-489": "Active Debug Code", "CWE-494": "Download of Code Without Integrity Check",
    "CWE-502": "Deserialization of Untrusted Data", "CWE-532": "Sensitive Information in Log File", "CWE-601": "Open Redirect", "CWE-611": "XML External Entity Reference",
    "CWE-614": "Sensitive Cookie Without 'Secure' Attribute", "CWE-621": "Variable Extraction Error", "CWE-732": "Incorrect Permission Assignment for Critical Resource",
    "CWE-787": "Out-of-bounds Write", "CWE-798": "Use of Hard-coded Credentials", "CWE-829": "Inclusion of Functionality from Untrusted Control Sphere",
    "CWE-862": "Missing Authorization", "CWE-915": "Mass Assignment", "CWE-918": "Server-Side Request Forgery",
    "CWE-942": "Permissive Cross-domain Policy", "CWE-943": "Improper Neutralization in Data Query Logic", "CWE-1004": "Sensitive Cookie Without 'HttpOnly' Flag",
    "CWE-1007": "Insufficient Visual Distinction of Homoglyphs", "CWE-1321": "Prototype Pollution", "CWE-1333": "Inefficient Regular Expression Complexity",
    "CWE-1336": "Template Engine Injection", "CWE-1395": "Dependency on Vulnerable Third-Party Component",
    "T1005": "Data from Local System", "T1027": "Obfuscated Files or Information", "T1059": "Command and Scripting Interpreter", "T1071": "Application Layer Protocol",
    "T1105": "Ingress Tool Transfer", "T1195": "Supply Chain Compromise", "T1485": "Data Destruction", "T1496": "Resource Hijacking", "T1497": "Virtualization/Sandbox Evasion",
    "T1528": "Steal Application Access Token", "T1546": "Event Triggered Execution", "T1548": "Abuse Elevation Control Mechanism", "T1552": "Unsecured Credentials",
    "T1562": "Impair Defenses", "T1567": "Exfiltration Over Web Service",
    "LLM01": "Prompt Injection", "LLM02": "Sensitive Information Disclosure", "LLM03": "Supply Chain", "LLM06": "Excessive Agency",
}
GRAMMAR = {  # places without a rule: syntax of languages and names of formats, or words of a report
    "NAMED", "SKIP_DIRS", "Source", "scope_of", "guard_helpers", "SEVERITY", "KINDS", "WEAKNESSES", "READ_LABELS", "CAP_BY_LABEL",
    "PLACES", "FLOWS", "PAIRS", "NEGATABLE", "findings_of", "analyse_behaviour", "apply_rules", "Report",
}
ALLOWED = {  # rare run that a task also uses as a name: the catalogue entry, and where the public knows it from
    "_compile": "T1059: Module.prototype._compile of Node.js runs a text as a module",
    "disable": "T1562: the technique is called Disable or Modify Tools",
    "redact": "CWE-532: option of logging libraries such as pino",
    "Gemfile": "CWE-1395: manifest of the Bundler package manager",
    "composer.json": "CWE-1395: manifest of the Composer package manager",
    "go.mod": "CWE-1395: manifest of Go modules",
    "pom.xml": "CWE-1395: manifest of Maven",
}


def literal_runs(text):
    """The literal runs that a match of the pattern `text` may hold; the text itself when it is not a pattern."""
    try:
        tree = regex_parser.parse(text)
    except (re.error, OverflowError):
        return {text}
    done = set()

    def walk(items, begun):
        for op, value in items:
            kind = str(op)
            if kind == "LITERAL":
                begun = {run + chr(value) for run in begun}
            elif kind == "IN" and len(value) <= 3 and all(str(entry[0]) == "LITERAL" for entry in value):
                begun = {run + chr(entry[1]) for run in begun for entry in value}
            elif kind in ("SUBPATTERN", "ATOMIC_GROUP"):
                begun = walk(value[3] if kind == "SUBPATTERN" else value, begun)
            elif kind == "BRANCH":
                begun = set().union(*(walk(branch, begun) for branch in value[1]))
            elif kind in ("MAX_REPEAT", "MIN_REPEAT") and value[:2] == (0, 1):
                begun = begun | walk(value[2], begun)
            elif kind in ("MAX_REPEAT", "MIN_REPEAT"):
                done.update(begun, walk(value[2], {""}))
                begun = {""}
            elif kind in ("ASSERT", "ASSERT_NOT"):
                done.update(walk(value[1], {""}))
            elif kind != "AT":
                done.update(begun)
                begun = {""}
            if len(begun) > MAX_OPEN:
                done.update(begun)
                begun = {""}
        return begun

    done.update(walk(tree, {""}))
    return done - {""}


def strings_of(node):
    """The string constants below a node, without docstrings."""
    bodies = (n.body[0] for n in ast.walk(node) if isinstance(n, (ast.FunctionDef, ast.ClassDef)))
    docs = {id(first.value) for first in bodies if isinstance(first, ast.Expr)}
    return [n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in docs]


class Patterns:
    """Places of an agent's source, with the public ids of each and its literal runs."""

    def __init__(self, source):
        tree = ast.parse(source)
        tables = {}
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in ("SOURCES", "KINDS"):
                tables[node.targets[0].id] = ast.literal_eval(node.value)
        self.kinds = {kind: row[-1] for kind, row in tables["KINDS"].items()}
        cited = {name: public for public, names in tables["SOURCES"].items() for name in names.split()}
        self.cited, self.places = set(tables["SOURCES"]) | set(self.kinds.values()), []
        for node in tree.body:
            name = getattr(node, "name", None) or (getattr(node.targets[0], "id", "") if isinstance(node, ast.Assign) else "")
            if name == "SOURCES":
                continue
            rows = node.value.elts if name in ("RULES", "TEXT_RULES") else [node]
            for number, row in enumerate(rows):
                runs = {run for text in strings_of(row) for run in literal_runs(text) if len(run) >= LENGTH}
                self.places.append((f"{name}[{number}]" if len(rows) > 1 else name, self.source_of(name, row, cited), runs))

    def source_of(self, name, row, cited):
        """The public id of a place, `grammar` for one without a rule, None when there is none."""
        if name == "RULES":
            return "CWE-%d" % next(e.value for e in row.elts if isinstance(e, ast.Constant) and isinstance(e.value, int))
        if name == "TEXT_RULES":
            return self.kinds.get(row.elts[0].value)
        return cited.get(name) or ("grammar" if name in GRAMMAR else None)


class Corpus:
    """Text and paths of every task, in lower case, with the names that the tasks made up."""

    DEFINED = re.compile(r"\b(?:def|class|function|func|fn|const|let|var)\s+(\w{6,})")
    HOST = re.compile(r"\b((?:[\w-]+\.)+(?:example|invalid|test))\b")
    PACKAGE = re.compile(r"^\s*[\"']?name[\"']?\s*[:=]\s*[\"']?(@?[\w./-]{6,})[\"']?\s*,?$", re.M)

    def __init__(self, folders):
        self.texts, self.names, self.invented = {}, {}, set()
        for folder in folders:
            files = sorted(path for path in (folder / "artifact").rglob("*") if path.is_file())
            paths = [path.relative_to(folder / "artifact").as_posix() for path in files]
            text = "\n".join(paths + [path.read_text(errors="replace") for path in files])
            self.texts[folder.name] = text.lower()
            self.names[folder.name] = {name.lower() for name in self.DEFINED.findall(text)} | {part.lower() for path in paths for part in path.split("/")}
            slug = folder.name.split("-", 1)[-1]
            self.invented |= {slug, slug.replace("-", "_"), slug.replace("-", "")}
            self.invented |= {name.lower() for name in self.HOST.findall(text)}
            self.invented |= {name.lower() for name in self.PACKAGE.findall(text) if re.search(r"[-_/]", name)}
        self.found = {}

    def tasks_with(self, run):
        run = run.lower()
        if run not in self.found:
            self.found[run] = [task for task, text in self.texts.items() if run in text]
        return self.found[run]


def problems(source, corpus, allowed=None):
    """What rules 1 to 4 of this module find in an agent's source."""
    allowed = ALLOWED if allowed is None else allowed
    patterns = Patterns(source)
    for public in sorted(patterns.cited | {s for place, s, runs in patterns.places if s and s != "grammar"}):
        if public not in PUBLIC:
            yield f"{public}: not an id of a public catalogue that this test knows"
    for place, public, runs in patterns.places:
        for run in sorted(runs):
            low, tasks = run.lower(), corpus.tasks_with(run)
            for name in sorted(n for n in corpus.invented if len(n) >= LENGTH and n in low):
                yield f"{place}: {run!r} holds {name!r}, a name that the corpus made up"
            if not 1 <= len(tasks) <= 2:
                continue
            where = " and ".join(tasks)
            if public is None:
                yield f"{place}: {run!r} occurs only in {where}, and SOURCES names no public source for it"
            if public != "grammar" and (len(run.split()) > MAX_WORDS or len(run) > MAX_RUN):
                yield f"{place}: {run!r} is a passage of {where}"
            if public != "grammar" and run not in allowed and any(low in corpus.names[task] for task in tasks):
                yield f"{place}: {run!r} is a name that {where} defines; name its public source in ALLOWED or remove it"


class Baseline(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.corpus = Corpus(sorted(path.parent for path in DATA.glob("*/*/label.json")))
        cls.source = BASELINE.read_text()

    def planted(self, statement):
        """The problems that a statement adds to those of the agent."""
        before = set(problems(self.source, self.corpus))
        return [line for line in problems(self.source + "\n" + statement + "\n", self.corpus) if line not in before]

    def rare(self, shape):
        """A text of one task that matches `shape` and that no other task has."""
        for task, text in self.corpus.texts.items():
            for found in re.findall(shape, text):
                if self.corpus.tasks_with(found) == [task]:
                    return found
        self.fail("the corpus has no such text")

    def test_baseline_has_no_pattern_of_a_single_task(self):
        self.assertGreater(len(self.corpus.texts), 100)
        self.assertEqual(list(problems(self.source, self.corpus)), [])

    def test_allow_list_is_needed_and_names_public_sources(self):
        runs = {run for place, public, found in Patterns(self.source).places for run in found}
        needed = {run for run in ALLOWED if any(repr(run) in line for line in problems(self.source, self.corpus, allowed={}))}
        self.assertEqual(sorted(set(ALLOWED) - needed), [])
        self.assertLessEqual(set(ALLOWED), runs)
        for run, reason in ALLOWED.items():
            self.assertIn(reason.split(":")[0], PUBLIC, run)

    def test_planted_word_without_a_source_is_found(self):
        word = self.rare(r"(?<!\w)[a-z]{9,14}(?!\w)")
        self.assertIn(f"PLANTED: {word!r} occurs only in", " ".join(self.planted(f"PLANTED = {word!r}")))

    def test_planted_sentence_is_found_under_a_source(self):
        sentence = self.rare(r"(?:[a-z]{3,9} ){6}[a-z]{3,9}")
        source = self.source.replace('TAKE = r"', f'TAKE = r"{sentence}|', 1)
        self.assertIn(f"TAKE: {sentence!r} is a passage of", " ".join(problems(source, self.corpus)))

    def test_planted_name_is_found_under_a_source(self):
        task, name = next((t, n) for t, names in self.corpus.names.items() for n in sorted(names) if re.fullmatch(r"[a-z_]{8,14}", n) and self.corpus.tasks_with(n) == [t])
        source = self.source.replace('TAKE = r"', f'TAKE = r"{name}|', 1)
        self.assertIn(f"TAKE: {name!r} is a name that {task} defines", " ".join(problems(source, self.corpus)))

    def test_planted_task_name_is_found_inside_a_pattern(self):
        slug = next(iter(self.corpus.texts)).split("-", 1)[1]
        self.assertIn("a name that the corpus made up", " ".join(self.planted(f'PLANTED = r"(?:docs|{re.escape(slug)})/\\w+"')))

    def test_unknown_source_is_found(self):
        self.assertIn("CWE-99999: not an id", " ".join(problems(self.source.replace('"CWE-918": "URL_GUARD"', '"CWE-99999": "URL_GUARD"'), self.corpus)))

    def test_alternatives_are_expanded(self):
        self.assertLessEqual({"authorized_keys", "crontabs", "crontab"}, literal_runs(r"\bauthorized_keys\b|cron(?:tabs?)"))
        self.assertEqual(literal_runs(r"left\d+right(?!after)"), {"left", "right", "after"})


if __name__ == "__main__":
    unittest.main()
