"""Templates."""

import re

from .expression import compile_expression, evaluate

_SLOT = re.compile(r"\{\{|\}\}|\{([^{}]+)\}")


class Template:
    def __init__(self, text):
        self._parts = []
        at = 0
        for match in _SLOT.finditer(text):
            self._parts.append(text[at : match.start()])
            if match.group(1) is None:
                self._parts.append(match.group(0)[0])
            else:
                self._parts.append(compile_expression(match.group(1)))
            at = match.end()
        self._parts.append(text[at:])

    def render(self, **values):
        out = []
        for part in self._parts:
            out.append(part if isinstance(part, str) else str(evaluate(part, values)))
        return "".join(out)
