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

LAYOUT = {
    tokenize.COMMENT, tokenize.NEWLINE, tokenize.NL, tokenize.INDENT,
    tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER,
}


def is_text(token):
    """A string literal that can be a docstring: no bytes, no f-string."""
    kind, text = token
    prefix = text[: text.find(text[-1])].lower()
    return kind == tokenize.STRING and "b" not in prefix and "f" not in prefix


def body_on_header_line(line):
    """Index behind the colon that ends the header of a definition, or the line's length."""
    depth = 0
    for index, (kind, text) in enumerate(line):
        if kind == tokenize.OP:
            depth += (text in "([{") - (text in ")]}")
            if text == ":" and depth == 0:
                return index + 1
    return len(line)


def normalised(tokens):
    """Yields (kind, text), logical line by logical line."""
    line = []
    first_of_body = True  # the next logical line may be a docstring
    opens_body = False  # the last logical line was the header of a definition
    for token in tokens:
        if token.type == tokenize.ERRORTOKEN:
            raise SyntaxError("error token")
        if token.type == tokenize.INDENT:
            first_of_body = opens_body
        if token.type not in LAYOUT:
            line.append((token.type, token.string))
        if token.type not in (tokenize.NEWLINE, tokenize.ENDMARKER) or not line:
            continue
        words = [text for _, text in line[:2]]
        is_header = words[0] in ("def", "class") or words == ["async", "def"]
        start = body_on_header_line(line) if is_header else 0
        may_hold_docstring = is_header or first_of_body
        if may_hold_docstring and all(map(is_text, line[start:])):
            del line[start:]
        for kind, text in line:
            yield tokenize.tok_name[kind], text
        opens_body = is_header and start == len(line)
        first_of_body = False
        line = []


try:
    source = sys.stdin.buffer.read()
    found = list(normalised(tokenize.tokenize(io.BytesIO(source).readline)))
    answer = json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
except Exception:
    # tokenize answers hostile input with many kinds of exception; each means that this is no Python file.
    sys.exit(65)
sys.stdout.buffer.write(answer)
