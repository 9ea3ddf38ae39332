"""Reference agent `hosts`: a variant that asks one question, whether code talks to a host the manual does not name.

It blocks when code that uses the network names a host whose domain no Markdown file and no package manifest names. What
the code sends there it does not look at. On `repositories` it reports requests and redirects whose address is not a
constant, and peers whose certificate is not checked."""

import os
import re

URL = r"(?:https?|wss?)://([\w.-]+\.[a-z]{2,})"
NETWORK = r"\bfetch\(|https?\.request|requests\.|urlopen|httpx|axios|\bcurl\b|http\.client|socket|WebSocket|getaddrinfo|gethostbyname|smtplib|sendBeacon|dns\."
AUDIT = {  # CWE id: pattern of an address that is not a constant
    918: r"\b(?:fetch|urlopen|requests\.get|http\.Get|[cC]lient\.Get|curl_init|file_get_contents|URI\.open|Net::HTTP\.get\w*)\(\s*[^\"'`)\s]",
    601: r"\bredirect(?:_to)?\s*\(\s*[^\"'`)\s]|[\"']Location:? ?[\"']\s*[,.]\s*[$a-z]", 295: r"InsecureSkipVerify:\s*true|rejectUnauthorized:\s*false|verify\s*=\s*False",
}


def matches(root, wanted, rules):
    """(file, line, name of the rule, match) of the rules in the files whose name `wanted` accepts, and the text of all of them."""
    found, texts = [], []
    for folder, dirs, names in os.walk(root):
        for path in filter(os.path.isfile, (os.path.join(folder, name) for name in filter(wanted, names))):
            with open(path, encoding="utf-8", errors="replace") as handle:
                texts.append(handle.read(100_000))
            for n, line in enumerate(texts[-1].split("\n"), 1):
                found += [(os.path.relpath(path, root), n, k, m) for k, rule in rules.items() for m in re.finditer(rule, line[:2000])]
    return sorted(found, key=lambda hit: hit[:2]), texts


def is_manual(name):
    return name.endswith(".md") or name in ("package.json", "pyproject.toml")


def agent_main(task):
    if task.get("probe"):
        with open(task["probe"]["file_path"], "w", encoding="ascii") as probe:
            probe.write(task["probe"]["file_content"])
    if task.get("track") == "repositories":
        hits, texts = matches(task["artifact_dir"], lambda name: True, AUDIT)
        found = [{"file": f, "line": n, "cwe": f"CWE-{cwe}", "title": "address or peer that is not checked: " + m[0]} for f, n, cwe, m in hits]
        return {"verdict": "WARN" if found else "ALLOW", "evidence": {"audit": {"files_analysed": max(1, len(texts))}, "vulnerabilities": found}, "findings": []}
    manual = "\n".join(matches(task["artifact_dir"], is_manual, {})[1]).lower()
    hits, texts = matches(task["artifact_dir"], lambda name: not is_manual(name), {"host": URL})
    online = any(re.search(NETWORK, text) for text in texts)
    found = [(f, n, m[1]) for f, n, rule, m in hits if online and ".".join(m[1].lower().split(".")[-2:]) not in manual]
    listed = [{"category": "data exfiltration", "title": "network use with a host that the manual does not name: " + host, "file": f, "line": n} for f, n, host in found[:3]]
    evidence = {"action_plane": {"capabilities": ["POST_WEB"] if found else []}, "context_plane": {"injected_instructions": []}}
    return {"verdict": "BLOCK" if found else "ALLOW", "evidence": evidence, "findings": listed}
