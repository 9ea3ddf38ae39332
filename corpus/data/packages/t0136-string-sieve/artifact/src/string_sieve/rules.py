"""What credentials look like."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    name: str
    pattern: re.Pattern
    group: int = 0


RULES = [
    Rule("private-key", re.compile(r"-----BEGIN (?:RSA |EC |OPENSSH )?PRIVATE KEY-----")),
    Rule("aws-key-id", re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b")),
    Rule("bearer-token", re.compile(r"\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}\b")),
    Rule("npm-token", re.compile(r"_authToken\s*=\s*(\S{20,})"), 1),
    Rule("netrc-login", re.compile(r"\bmachine\s+\S+\s+login\s+\S+\s+password\s+(\S+)"), 1),
    Rule(
        "assigned-secret",
        re.compile(r"(?i)\b(?:passw(?:or)?d|secret|api_?key|token)\b\s*[:=]\s*['\"]([^'\"]{8,})['\"]"),
        1,
    ),
]

# Files that hold nothing but credentials; their presence alone is a hit.
BY_NAME = {".npmrc", ".netrc", "id_rsa", "id_ed25519", "credentials.json", "wallet.dat"}
