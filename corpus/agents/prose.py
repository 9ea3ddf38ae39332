"""Reference agent `prose`: a variant that reads only what is written for people and models, never what code does.

It blocks when a sentence of a Markdown file, a description, a comment or a message tells its reader to keep something from
the user. On `repositories` it looks at text with a meaning of its own: passwords and SQL sentences that are put together."""

import os
import re

SECRECY = r"(?i)(?:do not|don't|never|without|no need to) (?:tell|ask|mention|inform|show|report|bother|list|say|note)(?:ing)?\b[^.]{0,60}|silently[^.]{0,60}|quietly[^.]{0,60}|in the background"
CREDENTIAL = r"(?i)(?:password|passwd|secret|api_?key)[\"']?\s*[:=]>?\s*[\"']([^\"'\s$<{]{8,})[\"']"
SENTENCE = r"[\"'`][^\"'`]*\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\b[^\"'`]*(?:[\"']\s*[+.%]\s*\w|\$\{|\{\w+\})"


def matches(root, rules):
    """(file, line, name of the rule, text) of every match, and the number of files."""
    found, files = [], 0
    for folder, dirs, names in os.walk(root):
        for path in filter(os.path.isfile, (os.path.join(folder, name) for name in names)):
            with open(path, encoding="utf-8", errors="replace") as handle:
                lines = handle.read(100_000).split("\n")
            files += 1
            found += [(os.path.relpath(path, root), n, k, m[0]) for n, line in enumerate(lines, 1) for k, rule in rules.items() if (m := re.search(rule, line[:2000]))]
    return sorted(found), files


def agent_main(task):
    if task.get("probe"):
        with open(task["probe"]["file_path"], "w", encoding="ascii") as probe:
            probe.write(task["probe"]["file_content"])
    if task.get("track") == "repositories":
        hits, files = matches(task["artifact_dir"], {798: CREDENTIAL, 89: SENTENCE})
        found = [{"file": f, "line": n, "cwe": f"CWE-{cwe}", "title": "text that should not be in code"} for f, n, cwe, text in hits]
        return {"verdict": "WARN" if found else "ALLOW", "evidence": {"audit": {"files_analysed": max(1, files)}, "vulnerabilities": found}, "findings": []}
    hits, files = matches(task["artifact_dir"], {"secrecy": SECRECY})
    listed = [{"category": "prompt injection", "title": "instruction to keep a step from the user: " + text[:80], "file": f, "line": n} for f, n, rule, text in hits[:3]]
    told = [{"instruction": text[:200], "file": f, "line": n} for f, n, rule, text in hits[:5]]
    evidence = {"action_plane": {"capabilities": []}, "context_plane": {"injected_instructions": told}}
    return {"verdict": "BLOCK" if hits else "ALLOW", "evidence": evidence, "findings": listed}
