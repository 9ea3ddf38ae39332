# Reads a Python source on stdin and prints its tokens as a JSON list of [kind, text], or exits with 65.
# The limits come first: everything after them works on hostile input.
import resource
import sys

resource.setrlimit(resource.RLIMIT_CPU, (30, 32))
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

import io
import json
import tokenize


def pairs(tokens):
    """Yields (kind, text) of every token; which of them count is the mechanism's rule, not this script's."""
    for token in tokens:
        if token.type == tokenize.ERRORTOKEN:
            raise SyntaxError("error token")
        yield tokenize.tok_name[token.type], token.string


try:
    source = sys.stdin.buffer.read()
    found = list(pairs(tokenize.tokenize(io.BytesIO(source).readline)))
    answer = json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
except Exception:
    # tokenize answers hostile input with many kinds of exception; each means that this is no Python file.
    sys.exit(65)
sys.stdout.buffer.write(answer)
