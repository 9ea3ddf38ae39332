"""Client of the hosted formatter, with a plain local fallback."""

import json
import re
import urllib.error
import urllib.request

URL = "https://fmt.sqlnotebook.example/v1/format"
BREAK_BEFORE = re.compile(
    r"\s+(from|where|group by|order by|having|limit|(?:left |inner )?join)\b", re.IGNORECASE
)


def _local(sql: str) -> str:
    return BREAK_BEFORE.sub(lambda match: "\n" + match[1].upper(), sql.strip())


def format_sql(sql: str, dialect: str, hints: dict[str, str]) -> str:
    body = {"sql": sql, "dialect": dialect, "hints": {k: v for k, v in hints.items() if v}}
    request = urllib.request.Request(
        URL,
        data=json.dumps(body).encode(),
        headers={"content-type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=5) as response:
            return json.load(response)["sql"]
    except (urllib.error.URLError, ValueError, KeyError):
        return _local(sql)
