"""Reference agent `baseline`: an honest static analyser for all four tracks.

It reads the artifact as text, never runs it, and weighs evidence: a source of secrets and a network
sink are each ordinary on their own and damning when one flows into the other. On the behavioural
tracks it answers ALLOW, WARN or BLOCK with evidence on both planes; on `repositories` it writes an
audit report. It shows miners what the agent contract looks like and gives them a score to beat.

Sections: 1 limits and helpers, 2 reading the artifact, 3 vocabulary of paths and phrases,
4 Python through `ast`, 5 behavioural: code, 6 behavioural: prose, 7 behavioural: manifests,
8 behavioural: verdict, 9 repositories: rules, 10 repositories: Python, 11 repositories: manifests and secrets,
12 entrypoint. Patterns are compiled only when a cheap literal hint of theirs occurs, which keeps a run short.
"""

import ast
import os
import re
from bisect import bisect_right

# ---------------------------------------------------------------------------------------------
# 1. Limits and helpers
# ---------------------------------------------------------------------------------------------

MAX_FILES = 1500        # files looked at
MAX_FILE = 200_000      # bytes read of one file
MAX_TOTAL = 1_000_000   # bytes read of an artifact: bounds CPU time without consulting a clock
MAX_SINKS = 300         # network calls followed in one file
MAX_DECODES = 24        # encoded blobs decoded per artifact
BLOCK_AT, WARN_AT = 0.70, 0.445

SKIP_DIRS = {".git", ".hg", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache"}
LANG = {
    ".py": "py", ".pyw": "py", ".pth": "py", ".js": "js", ".mjs": "js", ".cjs": "js", ".jsx": "js", ".ts": "js",
    ".tsx": "js", ".mts": "js", ".cts": "js", ".vue": "js", ".svelte": "js", ".sh": "sh", ".bash": "sh", ".zsh": "sh",
    ".ps1": "sh", ".bat": "sh", ".cmd": "sh", ".command": "sh", ".go": "go", ".php": "php", ".rb": "rb",
    ".gemspec": "rb", ".rake": "rb", ".java": "java", ".kt": "java", ".scala": "java", ".groovy": "java", ".c": "c",
    ".h": "c", ".cc": "c", ".cpp": "c", ".cxx": "c", ".hpp": "c", ".cs": "cs", ".rs": "rs", ".lua": "lua", ".pl": "pl",
    ".md": "md", ".mdx": "md", ".markdown": "md", ".rst": "md", ".txt": "md", ".mdc": "md", ".json": "json",
    ".jsonc": "json", ".yaml": "yaml", ".yml": "yaml", ".toml": "toml", ".cfg": "toml", ".ini": "toml", ".env": "env",
    ".properties": "env", ".html": "html", ".htm": "html", ".ejs": "html", ".erb": "html", ".jinja": "html",
    ".j2": "html", ".hbs": "html", ".tmpl": "html", ".twig": "html", ".pug": "html", ".xml": "xml", ".svg": "html",
    ".sql": "sql", ".tf": "tf", ".conf": "conf",
}
NAMED = {
    "Dockerfile": "docker", "Makefile": "sh", "Rakefile": "rb", "Gemfile": "rb", "Jenkinsfile": "java", ".env": "env",
    ".npmrc": "env", ".bashrc": "sh", "SKILL": "md", "README": "md", "Procfile": "sh", "go.mod": "gomod",
}
CODE = {"py", "js", "sh", "go", "php", "rb", "java", "c", "cs", "rs", "lua", "pl"}
SLASH_COMMENTS = {"js", "go", "php", "java", "c", "cs", "rs"}
HASH_COMMENTS = {"sh", "rb", "yaml", "toml", "env", "docker", "pl", "py", "tf", "conf"}

_COMPILED = {}


def rx(pattern, flags=0):
    """Compile once and remember; most patterns of this file are never needed in a run."""
    key = (pattern, flags)
    found = _COMPILED.get(key)
    if found is None:
        found = _COMPILED[key] = re.compile(pattern, flags)
    return found


def has(text, pattern, flags=0):
    return rx(pattern, flags).search(text) is not None


def clip(text, size=160):
    return " ".join(text.split())[:size]


# ---------------------------------------------------------------------------------------------
# 2. Reading the artifact
# ---------------------------------------------------------------------------------------------


class Source:
    """One text file: its path relative to the artifact, language, raw text and comment-free code."""

    __slots__ = ("path", "name", "lang", "text", "lines", "_starts", "_code", "_low", "_code_lines", "tree")

    def __init__(self, path, lang, text):
        self.path, self.lang, self.text = path, lang, text
        self.name = path.rsplit("/", 1)[-1]
        self.lines = text.split("\n")
        self._starts = self._code = self._low = self._code_lines = self.tree = None

    def line(self, pos):
        """1-based line of a character offset."""
        if self._starts is None:
            starts, at = [0], self.text.find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = self.text.find("\n", at + 1)
            self._starts = starts
        return bisect_right(self._starts, pos)

    @property
    def code(self):
        """The text with comments replaced by blanks of the same length, so that offsets stay valid."""
        if self._code is None:
            self._code = blank_comments(self.text, self.lang)
        return self._code

    @property
    def code_lines(self):
        if self._code_lines is None:
            self._code_lines = self.code.split("\n")
        return self._code_lines

    @property
    def low(self):
        if self._low is None:
            self._low = self.code.lower()
        return self._low

    def is_test(self):
        return has(self.path.lower(), r"(^|/)(tests?|__tests__|spec|fixtures?|testdata|mocks?)/|(^|/)test_|_test\.|\.(test|spec)\.")


_STRINGS = r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"


def _blank(match):
    if match.group(1) is not None:
        return match.group(1)
    return re.sub(r"[^\n]", " ", match.group(0))


def blank_comments(text, lang):
    if lang in SLASH_COMMENTS:
        pattern = "(" + _STRINGS + r"|`(?:\\.|[^`\\])*`|(?<=[(,=:\s])/(?![*/\s])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[gimsuy]*)|/\*.*?\*/|//[^\n]*"
        if lang == "php":
            pattern += r"|(?m:^\s*#(?!\[)[^\n]*)"
        return rx(pattern, re.S).sub(_blank, text)
    if lang in HASH_COMMENTS:
        return rx("(" + _STRINGS + r"|\$#|\\#)|(?<![^\s;])#(?!\{)[^\n]*").sub(_blank, text)
    if lang in ("html", "xml"):
        return rx(r"(\Z.)|<!--.*?-->", re.S).sub(_blank, text)
    return text


def sniff(path, head):
    """The language of a file from its name, else from its first line."""
    name = path.rsplit("/", 1)[-1]
    if name in NAMED:
        return NAMED[name]
    if name.startswith("Dockerfile"):
        return "docker"
    if name.startswith(".env"):
        return "env"
    ext = os.path.splitext(name)[1].lower()
    if ext in LANG:
        return LANG[ext]
    if head.startswith("#!"):
        first = head.split("\n", 1)[0]
        for word, lang in (("python", "py"), ("node", "js"), ("ruby", "rb"), ("perl", "pl"), ("sh", "sh")):
            if word in first:
                return lang
    if name.isupper() or not ext:
        return "md" if name.isupper() else "other"
    return "other"


def read_artifact(root):
    """Every readable text file below `root`, in sorted order, without following links."""
    sources, total, count = [], 0, 0
    for folder, dirs, names in os.walk(root, followlinks=False):
        dirs[:] = sorted(d for d in dirs if d not in SKIP_DIRS)
        for name in sorted(names):
            full = os.path.join(folder, name)
            if os.path.islink(full) or not os.path.isfile(full):
                continue
            count += 1
            if count > MAX_FILES or total >= MAX_TOTAL:
                return sources
            try:
                with open(full, "rb") as handle:
                    raw = handle.read(MAX_FILE)
            except OSError:
                continue
            if b"\0" in raw[:4096]:
                continue
            total += len(raw)
            text = raw.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
            path = os.path.relpath(full, root).replace(os.sep, "/")
            sources.append(Source(path, sniff(path, text[:80]), text))
    return sources


def scope_of(source, line):
    """(first, last) line of the function around `line`, found by indentation; works on formatted code of any language."""
    lines, at = source.lines, min(line, len(source.lines)) - 1
    indent = lambda text: len(text) - len(text.lstrip())
    mine = indent(lines[at])
    start, level, found = at, mine, None
    opener = rx(r"\b(function|func|def|fn|fun)\b|=>\s*\{?\s*$|^\s*(?:(?:public|private|protected|static|async|final|override|export|virtual|inline|const|unsigned|struct)\s+)*[\w<>\[\],.*&:? ]+\([^;]*\)?\s*(?:throws [\w, .]+)?\{?\s*$")
    control = rx(r"^\s*[})]*\s*(if|for|foreach|while|switch|catch|try|else|elif|with|do|return|match|case|unless|begin|using|lock)\b")
    is_open = lambda text: opener.search(text) and not control.match(text) and (text.rstrip().endswith(("{", ":", ")", "(", ",", "=>")) or has(text, r"\b(def|func|function|fn)\b"))
    if is_open(lines[at]) and at + 1 < len(lines) and indent(lines[at + 1]) > mine:
        found = at
    while found is None and start > 0 and at - start < 160:
        start -= 1
        text = lines[start]
        if text.strip() and indent(text) < level:
            if is_open(text):
                found = start
                break
            if indent(text) == 0 and not text.strip().startswith(("{", "}", ")")):
                break
            level = max(indent(text), 1) if not text.strip().startswith(("{", ")")) else level
    if found is None:
        return max(1, line - 10), min(len(lines), line + 10)
    base, end = indent(lines[found]), found + 1
    while end < len(lines) and end - found < 220:
        text = lines[end]
        if text.strip() and indent(text) <= base and not text.strip().startswith((")", "{")):
            break
        end += 1
    return found + 1, max(end, line)


def segment_of(source, node):
    """The text of an `ast` node; quicker than `ast.get_source_segment`, which splits the file anew at each call."""
    first, last = node.lineno - 1, node.end_lineno - 1
    lines = source.lines[first:last + 1]
    if not lines:
        return ""
    cut = lambda text, column: column if text.isascii() else len(text.encode()[:column].decode("utf-8", "ignore"))
    end = cut(lines[-1], node.end_col_offset)
    start = cut(lines[0], node.col_offset)
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][start:]
    return "\n".join(lines)


def scope_text(source, line):
    first, last = scope_of(source, line)
    return "\n".join(source.code_lines[first - 1:last])


# ---------------------------------------------------------------------------------------------
# 3. Vocabulary: paths, hosts, phrases
# ---------------------------------------------------------------------------------------------

SECRET_PATH = (
    r"(?:^|[/\\~'\"\s=@])\.ssh(?:$|[/\\'\"\s*)](?!known_hosts|config\b))|\bid_(?:rsa|ed25519|ecdsa|dsa)\b(?!\.pub)|\.aws(?:[/\\]|['\"],\s*['\"])(?:credentials|config)|\.aws$"
    r"|\.netrc\b|\.npmrc\b|\.pypirc\b|\.docker[/\\]config\.json|\.kube[/\\]config|\.kube$|\.git-credentials|\.gnupg\b"
    r"|gcloud[/\\](?:credentials|application_default)|application_default_credentials|\.azure[/\\]|gh[/\\]hosts\.yml"
    r"|Login Data|cookies\.sqlite|[/\\]Cookies\b|logins\.json|key4\.db|login\.keychain|Keychains\b|wallet\.dat|\.electrum\b"
    r"|\.bitcoin\b|\.ethereum\b|keystore[/\\]UTC|solana[/\\]id\.json|nkbihfbeogaeaoehlefnkodbefgpgknn|/etc/shadow|/proc/(?:self|\d+|\*|\$\w+)/environ"
    r"|\.vault-token|\.terraform\.d[/\\]credentials|\.cargo[/\\]credentials|\.config[/\\]op\b|\.password-store|\.claude[/\\]\.credentials|\.codex[/\\]auth\.json"
    r"|\.pgpass\b|\.my\.cnf\b|serviceaccount/token|(?:mnemonic|seed[_-]?phrase)\.(?:txt|json)"
)
PATH_CLASSES = (  # (label, hints, pattern)
    ("P_SECRET", (".ssh", "id_", ".aws", "rc", ".docker", ".kube", "cred", ".gnupg", "gcloud", ".azure", "hosts.yml", "Login Data",
                  "ookies", "logins", "key4", "eychain", "wallet", ".electrum", ".bitcoin", ".ethereum", "solana", "keystore",
                  "nkbih", "shadow", "environ", "vault", ".config", "password-store", "auth.json", ".pgpass", ".my.cnf", "token", "mnemonic", "seed"), SECRET_PATH),
    ("P_AUTHKEYS", ("authorized_keys",), r"authorized_keys"),
    ("P_PROFILE", ("rc", "profile", "zshenv", "fish"), r"\.(?:bashrc|zshrc|bash_profile|profile|zprofile|zshenv|bash_login|bash_aliases|kshrc)\b|config\.fish|fish/conf\.d|Microsoft\.PowerShell_profile|/etc/profile\.d"),
    ("P_CRON", ("cron",), r"/etc/cron|/var/spool/cron|\bcrontab\b"),
    ("P_SERVICE", ("systemd", "Launch", "launchd", "autostart", "Startup", "CurrentVersion", "init.d", "rc.local"), r"systemd[/\\](?:user|system)|LaunchAgents|LaunchDaemons|\.config[/\\]autostart|Start Menu\\+Programs\\+Startup|CurrentVersion\\+Run|/etc/init\.d|rc\.local"),
    ("P_HOOK", ("hooks", "sitecustomize", "usercustomize", ".pth"), r"\.git[/\\]hooks|(?:pre|post)-(?:commit|push|checkout|merge)$|core\.hooksPath|(?:site|user)customize\.py|\.pth$"),
    ("P_AGENT", ("CLAUDE", "AGENTS", "claude", "cursor", "mcp", "copilot", ".codex", "GEMINI", "windsurf"), r"\bCLAUDE\.md|\bAGENTS\.md|\bGEMINI\.md|\.claude[/\\](?:settings|commands|hooks|agents|skills)|\.cursor[/\\]|\.cursorrules|claude_desktop_config|(?:^|[/\\])\.?mcp\.json|copilot-instructions|\.codex[/\\]config|\.windsurf"),
    ("P_CI", (".github", ".gitlab-ci"), r"\.github[/\\]workflows|\.gitlab-ci\.yml"),
    ("P_SUDO", ("sudoers", "/etc/passwd", "ld.so.preload", "/etc/hosts", "/etc/pam"), r"/etc/sudoers|/etc/ld\.so\.preload|/etc/hosts\b|/etc/pam\.d"),
    ("P_HISTORY", ("history",), r"\.(?:bash|zsh|python|psql|mysql|node_repl)_history|fish_history|[/\\]History$"),
    ("P_DOTENV", (".env",), r"(?:^|[/\\'\"\s])\.env(?:\.\w+)?(?:$|['\"\s)])"),
)


def path_labels(text):
    """The sensitive places a literal names, as labels that taint may carry."""
    found = set()
    for label, hints, pattern in PATH_CLASSES:
        if any(h in text for h in hints) and has(text, pattern):
            found.add(label)
    return found


URL = r"(?:https?|wss?|ftp|tcp)://([A-Za-z0-9._~-]+\.[A-Za-z0-9-]+|\d+\.\d+\.\d+\.\d+|localhost|\[[0-9a-f:]+\])"
DROP_HOSTS = r"webhook\.site|requestbin|pipedream\.net|ngrok|trycloudflare|pastebin|transfer\.sh|file\.io|oast\.|burpcollaborator|interact\.sh|discord(?:app)?\.com/api/webhooks|api\.telegram\.org/bot|\.onion\b|serveo\.net|0x0\.st"
INSTALLERS = r"sh\.rustup\.rs|astral\.sh|brew\.sh|Homebrew|get\.docker\.com|nvm-sh|install\.python-poetry|deno\.land|bun\.sh|get\.pnpm\.io|nodesource|get\.helm\.sh|raw\.githubusercontent\.com"
USER_KEY = r"(?i)\b(?:P:)?(?:mnemonic|seed_?phrase|seed_?words|private_?key|secret_?key|passphrase|master_?password|password|passwd|keystore|recovery_?phrase|seed|priv_?key|secret_?phrase|entropy)\b"
VENDOR_TOKENS = {  # tokens of well-known third parties and a word of the hosts they belong to
    "AWS": "amazonaws", "GITHUB": "github", "GH_": "github", "NPM": "npmjs", "PYPI": "pypi", "OPENAI": "openai", "ANTHROPIC": "anthropic",
    "SLACK": "slack", "STRIPE": "stripe", "GITLAB": "gitlab", "GOOGLE": "google", "AZURE": "azure", "HF_": "huggingface",
    "DATABASE_URL": "localhost", "TWILIO": "twilio", "SENTRY": "sentry", "DISCORD": "discord", "TELEGRAM": "telegram", "GEMINI": "google",
}
TOKEN_NAME = r"TOKEN|SECRET|API_?KEY|PASSWORD|PASSWD|CREDENTIAL|PRIVATE_?KEY|ACCESS_KEY|AUTH|DATABASE_URL|MNEMONIC"


def domain(host):
    """The registrable part of a host, near enough: its last two labels."""
    host = host.lower().rstrip(".")
    if has(host, r"^[\d.]+$"):
        return host
    return ".".join(host.split(".")[-2:])


def is_local(host):
    return has(host, r"^(localhost$|127\.|0\.0\.0\.0|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[::1\])|\.local(host)?$|\.internal$")


def decode_blob(blob):
    """Text hidden in a base64, hex or escaped literal, or None when it is not text."""
    import binascii
    data = None
    compact = blob.strip()
    try:
        if re.fullmatch(r"(?:[0-9a-fA-F]{2}){10,}", compact):
            data = binascii.unhexlify(compact)
        elif re.fullmatch(r"[A-Za-z0-9+/_-]{16,}={0,2}", compact):
            body = compact.replace("-", "+").replace("_", "/").rstrip("=")
            data = binascii.a2b_base64(body + "=" * (-len(body) % 4))
    except (binascii.Error, ValueError):
        return None
    if not data:
        return None
    if data[:2] in (b"\x78\x9c", b"\x78\xda", b"\x1f\x8b"):
        import zlib
        try:
            data = zlib.decompressobj(47).decompress(data, 200_000)
        except zlib.error:
            return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    shown = sum(1 for c in text if c.isprintable() or c in "\n\t\r")
    return text if len(text) >= 8 and shown >= 0.97 * len(text) else None


# ---------------------------------------------------------------------------------------------
# 4. Python through `ast`: names, constant folding, taint notes
# ---------------------------------------------------------------------------------------------

READERS = r"(^|\.)(open|read_text|read_bytes|copy|copy2|copyfile|copytree|listdir|iterdir|make_archive|connect|read|parse|load)$"
POST = r"^(requests|httpx)\.(post|put|patch)$|\.(post|put|patch)$|sendmail$|send_message$|storbinary$|\.sendto$|socket\(\)\.(send|sendall|connect)$|urlretrieve$|\.put_object$|upload_file(obj)?$"
GET = r"^(requests|httpx)\.(get|head|request|Session|Client|stream)$|urlopen$|urllib\.request\.Request$|HTTPS?Connection|create_connection$|\.getresponse$|ClientSession\(\)\.get$|(Session|Client|AsyncClient)\(\)\.(get|request)$|urllib3\..*request$|websocket.*(send|connect)$"
DNS = r"gethostbyname(_ex)?$|getaddrinfo$|dns\.resolver\.(resolve|query)$|resolver.*\.(resolve|query)$"
SHELLS = r"^os\.(system|popen|exec\w+|spawn\w+)$|^subprocess\.(run|call|check_call|check_output|Popen|getoutput|getstatusoutput)$|^pty\.spawn$|create_subprocess_(shell|exec)$|^commands\.getoutput$"
EVALS = r"^(builtins\.)?(exec|eval|compile|__import__)$|^(marshal|pickle|cPickle|dill|cloudpickle)\.loads?$|^importlib\.import_module$|code\.InteractiveInterpreter|^types\.FunctionType$|runpy\.run_\w+$"
DECODERS = r"b64decode$|b32decode$|b85decode$|a85decode$|urlsafe_b64decode$|fromhex$|unhexlify$|zlib\.decompress$|lzma\.decompress$|bz2\.decompress$|gzip\.decompress$|codecs\.decode$|a2b_\w+$|marshal\.loads$|rot13|Fernet.*decrypt$"
CLEANERS = {"int", "float", "len", "bool", "isinstance", "hash", "hasattr", "range", "id", "type", "round"}
REQUEST = r"^(flask\.)?request\.(args|form|values|json|data|get_json|cookies|headers|files|query|body|query_params|path_params|GET|POST|FILES|COOKIES|META|match_info|rel_url|stream|get_data|view_args|params)\b|^self\.(rfile|headers|path|get_argument|request)\b"
ROUTE = r"(route|get|post|put|delete|patch|api_view|websocket|head|options|head|view_config|expose|on_event|tool|resource|prompt|command)$"


def dotted(node, aliases):
    """The full name of a call target: imports resolved, `__import__('os').system` and getattr with constants seen through."""
    if isinstance(node, ast.Name):
        return aliases.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        return dotted(node.value, aliases) + "." + node.attr
    if isinstance(node, ast.Call):
        name = dotted(node.func, aliases)
        if name in ("__import__", "importlib.import_module", "builtins.__import__") and node.args:
            target = fold(node.args[0])
            if target:
                return target
        if name == "getattr" and len(node.args) >= 2:
            attr = fold(node.args[1])
            if attr:
                return dotted(node.args[0], aliases) + "." + attr
        return name + "()"
    if isinstance(node, ast.Await):
        return dotted(node.value, aliases)
    if isinstance(node, ast.Subscript):
        return dotted(node.value, aliases) + "[]"
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
        return "str"
    return "?"


def fold(node, depth=0):
    """The text of an expression made of constants only (concatenation, join, chr lists, decoders), else None."""
    if depth > 12:
        return None
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bytes):
            return node.value.decode("latin-1")
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = fold(node.left, depth + 1), fold(node.right, depth + 1)
        return left + right if left is not None and right is not None else None
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
        step = node.slice.step
        if isinstance(step, ast.UnaryOp) and isinstance(step.op, ast.USub):
            inner = fold(node.value, depth + 1)
            return inner[::-1] if inner is not None else None
    if isinstance(node, ast.Call) and node.args:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        arg = node.args[0]
        if name == "join":
            if isinstance(arg, (ast.List, ast.Tuple)):
                parts = [fold(e, depth + 1) for e in arg.elts]
                return (fold(node.func.value) or "").join(parts) if None not in parts else None
            if isinstance(arg, (ast.GeneratorExp, ast.ListComp)) and "chr" in ast.dump(arg.elt):
                numbers = _numbers(arg.generators[0].iter)
                if numbers and isinstance(arg.elt, ast.Call) and isinstance(arg.elt.args[0], ast.Name):
                    return "".join(chr(n) for n in numbers if 0 <= n < 0x110000)
        if name in ("b64decode", "urlsafe_b64decode", "fromhex", "unhexlify", "a2b_base64", "a2b_hex"):
            inner = fold(arg, depth + 1)
            return decode_blob(inner) if inner else None
        if name in ("bytes", "bytearray"):
            numbers = _numbers(arg)
            if numbers and all(0 <= n < 256 for n in numbers):
                return bytes(numbers).decode("latin-1")
        if name == "decode" and has(dotted(node.func, {}), r"codecs"):
            inner = fold(arg, depth + 1)
            if inner and "rot" in (fold(node.args[1]) or "" if len(node.args) > 1 else ""):
                import codecs
                return codecs.decode(inner, "rot13")
            return inner
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("decode", "encode", "strip", "lower"):
        return fold(node.func.value, depth + 1)
    return None


def fold_path(node, depth=0):
    """The path that `a / "b"` or `os.path.join(a, "b")` builds; unknown parts show as `~`."""
    if depth > 8:
        return "~"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return fold_path(node.left, depth + 1) + "/" + fold_path(node.right, depth + 1)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("join", "joinpath"):
        head = [node.func.value] if node.func.attr == "joinpath" else []
        return "/".join(fold_path(a, depth + 1) for a in head + node.args)
    if isinstance(node, ast.Call) and node.args and has(dotted(node.func, {}), r"Path$|expanduser$"):
        return "/".join(fold_path(a, depth + 1) for a in node.args)
    return fold(node) or "~"


def _numbers(node):
    if isinstance(node, (ast.List, ast.Tuple)):
        values = [e.value for e in node.elts if isinstance(e, ast.Constant) and isinstance(e.value, int)]
        return values if len(values) == len(node.elts) and values else None
    return None


class Scope:
    """A function (or the module, or a class body) with what its names may carry."""

    __slots__ = ("name", "node", "parent", "taint", "types", "params", "decorators", "calls", "const", "cls")

    def __init__(self, name, node, parent=None, cls=None):
        self.name, self.node, self.parent, self.cls = name, node, parent, cls
        self.taint, self.types, self.calls, self.const = {}, {}, [], {}
        self.params, self.decorators = [], []

    def labels(self, name):
        scope = self
        while scope is not None:
            if name in scope.taint:
                return scope.taint[name]
            scope = scope.parent
        return frozenset()

    def type_of(self, name):
        scope = self
        while scope is not None:
            if name in scope.types:
                return scope.types[name]
            scope = scope.parent
        return None


class Call:
    __slots__ = ("name", "node", "scope", "labels", "line", "top")

    def __init__(self, name, node, scope, labels, top):
        self.name, self.node, self.scope, self.labels, self.line, self.top = name, node, scope, labels, node.lineno, top

    def kw(self, name):
        for k in self.node.keywords:
            if k.arg == name:
                return k.value
        return None


EMPTY = frozenset()


class PyFile:
    """Facts of one Python file. `returns` and `sinks` are shared between the files of an artifact."""

    def __init__(self, source, returns, sinks):
        self.source, self.returns, self.sinks = source, returns, sinks
        self.aliases, self.scopes, self.calls, self.ok = {}, [], [], True
        try:
            self.tree = ast.parse(source.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            self.ok, self.tree = False, None
            return
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                for a in node.names:
                    self.aliases[a.asname or a.name.split(".")[0]] = a.name if a.asname else a.name.split(".")[0]
            elif isinstance(node, ast.ImportFrom) and node.module:
                for a in node.names:
                    self.aliases[a.asname or a.name] = node.module + "." + a.name
        self.module = Scope("<module>", self.tree)
        self.scopes.append(self.module)
        self._declare(self.tree.body, self.module, None)

    def _declare(self, body, parent, cls):
        stack = [(n, parent, cls) for n in body]
        while stack:
            node, owner, klass = stack.pop(0)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                scope = Scope(node.name, node, owner, klass)
                args = node.args
                scope.params = [a.arg for a in args.posonlyargs + args.args + args.kwonlyargs if a.arg not in ("self", "cls")]
                scope.params += [a.arg for a in (args.vararg, args.kwarg) if a]
                scope.decorators = [dotted(d.func if isinstance(d, ast.Call) else d, self.aliases) for d in node.decorator_list]
                routed = any(has(d, ROUTE) for d in scope.decorators) or node.name in ("get", "post", "do_GET", "do_POST", "lambda_handler", "handler")
                for p in scope.params:
                    scope.taint[p] = frozenset(("PARAM", "P:" + p) + (("REQ",) if routed and p not in ("request", "db", "session") else ()))
                self.scopes.append(scope)
                stack.extend((n, scope, klass) for n in node.body)
            elif isinstance(node, ast.ClassDef):
                stack.extend((n, owner, node) for n in node.body)
            else:
                stack.extend((n, owner, klass) for n in ast.iter_child_nodes(node) if isinstance(n, (ast.stmt, ast.ExceptHandler)))

    def analyse(self, last):
        """One pass of propagation; the last one records the calls."""
        self.calls = []
        for scope in self.scopes:
            body = scope.node.body
            for round_ in (0, 1):
                self._statements(body, scope, record=last and round_ == 1, top=scope is self.module)

    def _statements(self, body, scope, record, top):
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            if isinstance(node, ast.ClassDef):
                self._statements(node.body, scope, record, top)
                continue
            main_guard = isinstance(node, ast.If) and "__main__" in ast.dump(node.test)[:300]
            for field in ast.iter_fields(node):
                value = field[1]
                if isinstance(value, ast.expr):
                    self._expr(value, scope, record, top)
                elif isinstance(value, list):
                    if value and isinstance(value[0], (ast.stmt, ast.ExceptHandler)):
                        if isinstance(node, (ast.For, ast.AsyncFor)) and field[0] == "body":
                            self._bind(node.target, self.labels(node.iter, scope), None, scope)
                        inner_top = top and not main_guard
                        for child in value:
                            self._statements(child.body if isinstance(child, ast.ExceptHandler) else [child], scope, record, inner_top)
                    else:
                        for item in value:
                            if isinstance(item, ast.expr):
                                self._expr(item, scope, record, top)
                            elif isinstance(item, ast.withitem):
                                self._expr(item.context_expr, scope, record, top)
                                if item.optional_vars is not None:
                                    self._bind(item.optional_vars, self.labels(item.context_expr, scope), item.context_expr, scope)
            if isinstance(node, ast.Assign):
                labels = self.labels(node.value, scope)
                for target in node.targets:
                    self._bind(target, labels, node.value, scope)
            elif isinstance(node, (ast.AnnAssign, ast.AugAssign)) and node.value is not None:
                self._bind(node.target, self.labels(node.value, scope), node.value, scope)
            elif isinstance(node, ast.Return) and node.value is not None and scope.name != "<module>":
                labels = frozenset(l for l in self.labels(node.value, scope) if l not in ("PARAM", "REQ") and not l.startswith("P:"))
                if labels:
                    self.returns[scope.name] = self.returns.get(scope.name, EMPTY) | labels

    def _bind(self, target, labels, value, scope):
        if isinstance(target, ast.Name):
            old = scope.taint.get(target.id, EMPTY)
            scope.taint[target.id] = old | labels if old and "REQ" not in old else labels | old
            if isinstance(value, (ast.Call, ast.Await)):
                scope.types[target.id] = dotted(value, self._names(scope))
            if value is not None:
                text = fold(value)
                if text is not None:
                    scope.const[target.id] = text
        elif isinstance(target, (ast.Tuple, ast.List)):
            for t in target.elts:
                self._bind(t, labels, None, scope)
        elif isinstance(target, (ast.Attribute, ast.Subscript, ast.Starred)) and labels:
            base = target.value
            while isinstance(base, (ast.Attribute, ast.Subscript)):
                if isinstance(base, ast.Attribute) and isinstance(base.value, ast.Name) and base.value.id == "self":
                    break
                base = base.value
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
                key = "self." + target.attr
                self.module.taint[key] = self.module.taint.get(key, EMPTY) | (labels - {"PARAM"})
            elif isinstance(base, ast.Name):
                scope.taint[base.id] = scope.taint.get(base.id, EMPTY) | labels

    def _names(self, scope):
        if not scope.types and scope.parent is None:
            return self.aliases
        merged, chain = dict(self.aliases), []
        while scope is not None:
            chain.append(scope.types)
            scope = scope.parent
        for types in reversed(chain):
            merged.update(types)
        return merged

    def _expr(self, node, scope, record, top):
        names = None
        for child in ast.walk(node):
            if isinstance(child, (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)):
                for gen in child.generators:
                    self._bind(gen.target, self.labels(gen.iter, scope), None, scope)
            elif isinstance(child, ast.NamedExpr):
                self._bind(child.target, self.labels(child.value, scope), child.value, scope)
            elif isinstance(child, ast.Call):
                func = child.func
                labels = EMPTY
                for arg in child.args:
                    labels |= self.labels(arg, scope)
                for k in child.keywords:
                    labels |= self.labels(k.value, scope)
                if isinstance(func, ast.Attribute) and func.attr in ("append", "extend", "update", "add", "write", "insert", "setdefault", "writestr") and isinstance(func.value, ast.Name) and labels:
                    scope.taint[func.value.id] = scope.taint.get(func.value.id, EMPTY) | labels
                if record:
                    if names is None:
                        names = self._names(scope)
                    call = Call(dotted(func, names), child, scope, labels, top)
                    self.calls.append(call)
                    scope.calls.append(call)
                    if is_net(call.name):
                        hit = [l[2:] for l in labels if l.startswith("P:")]
                        if hit and scope.name not in ("<module>", "get", "main", "run", "__init__"):
                            self.sinks.setdefault(scope.name, call)

    def labels(self, node, scope, depth=0):
        """What the value of an expression may carry."""
        if node is None or depth > 25:
            return EMPTY
        if isinstance(node, ast.Name):
            return scope.labels(node.id)
        if isinstance(node, ast.Constant):
            return frozenset(path_labels(node.value)) if isinstance(node.value, str) and len(node.value) < 400 else EMPTY
        if isinstance(node, ast.Attribute):
            name = dotted(node, self.aliases)
            if has(name, REQUEST):
                return frozenset(("REQ",))
            if name == "os.environ":
                return frozenset(("ENV",))
            if name == "sys.argv":
                return frozenset(("ARGV",))
            if name.startswith("self."):
                known = self.module.taint.get(".".join(name.split(".")[:2]), EMPTY)
                return known | (EMPTY if isinstance(node.value, ast.Name) else self.labels(node.value, scope, depth + 1))
            return self.labels(node.value, scope, depth + 1)
        if isinstance(node, ast.Subscript):
            if dotted(node.value, self.aliases) == "os.environ":
                return env_label(fold(node.slice))
            return self.labels(node.value, scope, depth + 1) | self.labels(node.slice, scope, depth + 1)
        if isinstance(node, ast.Call):
            return self._call_labels(node, scope, depth)
        if isinstance(node, (ast.Compare, ast.Lambda)):
            return EMPTY
        if isinstance(node, ast.BoolOp) or isinstance(node, ast.IfExp) or isinstance(node, ast.JoinedStr) or isinstance(node, ast.BinOp):
            text = fold(node) if isinstance(node, ast.BinOp) else None
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
                text = fold_path(node)
            extra = frozenset(path_labels(text)) if text else EMPTY
            return extra.union(*[self.labels(c, scope, depth + 1) for c in ast.iter_child_nodes(node) if isinstance(c, ast.expr)])
        out = EMPTY
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                out |= self.labels(child, scope, depth + 1)
            elif isinstance(child, ast.comprehension):
                out |= self.labels(child.iter, scope, depth + 1)
        return out

    def _call_labels(self, node, scope, depth):
        name = dotted(node.func, self._names(scope))
        short = name.rsplit(".", 1)[-1]
        if name in CLEANERS:
            return EMPTY
        if name in ("os.getenv", "os.environ.get", "os.environ.pop"):
            return env_label(fold(node.args[0]) if node.args else None)
        labels = EMPTY
        for arg in node.args:
            labels |= self.labels(arg, scope, depth + 1)
        for k in node.keywords:
            labels |= self.labels(k.value, scope, depth + 1)
        if isinstance(node.func, ast.Attribute):
            labels |= self.labels(node.func.value, scope, depth + 1)
        if short in ("join", "joinpath"):
            labels |= path_labels(fold_path(node))
        if has(name, r"^os\.path\.(exists|isfile|isdir|getsize|getmtime)$|\.(exists|is_file|is_dir|stat)$"):
            return EMPTY
        if has(name, READERS):
            labels |= read_labels(labels)
        if has(name, SHELLS):
            text = " ".join(filter(None, (fold(c) for c in ast.walk(node) if isinstance(c, ast.Constant))))
            if "P_SECRET" in labels:
                labels |= {"SECRET"}
            if has(text, r"^\s*(env|printenv|set)\s*$"):
                labels |= {"ENV"}
            if has(text, r"\b(whoami|hostname|uname|id|ifconfig|ipconfig)\b"):
                labels |= {"HOST"}
            if has(text, r"\b(curl|wget)\b.*https?:"):
                labels |= {"NET"}
            if has(text, r"pbpaste|xclip|xsel|Get-Clipboard|wl-paste"):
                labels |= {"CLIP"}
            if has(text, r"find-generic-password|security dump-keychain|secret-tool|gh auth token|gcloud auth print|git credential|aws configure get"):
                labels |= {"SECRET"}
        if has(name, GET + "|" + POST):
            labels |= {"NET"}
        if has(name, DECODERS):
            labels |= {"DECODED"}
        if has(name, r"^(socket\.gethostname|platform\.(node|uname|platform)|getpass\.getuser|os\.(getlogin|uname)|uuid\.getnode)$"):
            labels |= {"HOST"}
        if has(name, r"pyperclip\.paste|clipboard_get|win32clipboard"):
            labels |= {"CLIP"}
        if has(name, r"keyring\.get_password|browser_cookie3|CryptUnprotectData"):
            labels |= {"SECRET"}
        if has(name, r"ImageGrab\.grab|mss\.|pyautogui\.screenshot|VideoCapture|sounddevice\.rec"):
            labels |= {"SCREEN"}
        if name in ("input", "getpass.getpass", "click.prompt"):
            labels |= {"INPUT"}
        if has(name, r"expanduser$|Path\.home$"):
            labels |= {"P_HOME"}
        if has(name, r"^os\.walk$|\.rglob$|glob\.i?glob$|\.glob$|^os\.scandir$") and labels & {"P_HOME"}:
            labels |= {"HOMETREE"}
        if short in self.returns and isinstance(node.func, (ast.Name, ast.Attribute)):
            labels |= self.returns[short]
        if has(name, r"(^|\.)(sha256|sha512|blake2b|md5|sha1|hexdigest)$"):
            labels = frozenset(l for l in labels if l not in ("ENV", "SECRET", "HOST", "CLIP"))
        return labels


def read_labels(labels):
    """What reading from a place of these path labels yields."""
    out = set()
    if "P_SECRET" in labels or "P_AUTHKEYS" in labels:
        out.add("SECRET")
    if "P_HISTORY" in labels:
        out.add("HISTORY")
    if "P_DOTENV" in labels:
        out.add("DOTENV")
    if "HOMETREE" in labels:
        out.add("HOMEFILES")
    return frozenset(out)


def env_label(name):
    if name and has(name, TOKEN_NAME, re.I):
        return frozenset(("TOKEN:" + name,))
    return EMPTY if name else frozenset(("ENVVAR",))


def is_net(name):
    return has(name, POST) or has(name, GET) or has(name, DNS)


def analyse_python(sources):
    """PyFile facts of every Python file; three rounds let returns and wrappers of one file reach another."""
    returns, sinks, files = {}, {}, []
    for source in sources:
        if source.lang == "py":
            if source.path.endswith(".pth"):
                continue
            file = PyFile(source, returns, sinks)
            source.tree = file
            if file.ok:
                files.append(file)
    for last in (False, True):
        for file in files:
            file.analyse(last)
    return files


# ---------------------------------------------------------------------------------------------
# 5. Behavioural tracks: what the code does
# ---------------------------------------------------------------------------------------------

SEVERITY = ((0.85, "critical"), (0.7, "high"), (0.45, "medium"), (0.0, "low"))
KINDS = {  # kind of signal: (category, title, plane)
    "exfil": ("data exfiltration", "Credential files, keys or tokens are read and sent (posted, uploaded) to a remote host", "action"),
    "envdump": ("data exfiltration", "Whole environment, with its secrets and tokens, is collected and sent to a remote host", "action"),
    "token": ("credential exfiltration", "Access token or API key sent to an undocumented host", "action"),
    "private": ("data exfiltration", "Private user data (clipboard, history, screen, files) sent to a remote host", "action"),
    "secret": ("credential access", "Credential files, private keys or secrets of the user are read", "action"),
    "asked": ("data exfiltration", "Instruction makes the agent send secrets or user data to a remote host (exfiltration)", "context"),
    "fetchrun": ("remote code execution", "Remote code or script is downloaded, fetched and executed without verification", "action"),
    "obfexec": ("obfuscation hidden execution", "Obfuscated payload (encoded, base64 or assembled from pieces) is decoded and executed", "action"),
    "obfusc": ("obfuscation", "Obfuscated code hides its behaviour", "action"),
    "persist": ("persistence", "Persistence: startup file, shell profile, hook or scheduled job is written or modified", "action"),
    "agentcfg": ("persistence agent configuration", "Agent configuration or instruction file modified to persist or widen permissions", "context"),
    "install": ("install script supply chain", "Install hook script runs network or shell commands at install time", "action"),
    "import": ("import time execution", "Network access or command execution when the module is imported", "action"),
    "revshell": ("backdoor remote shell", "Reverse shell gives a remote host command execution", "action"),
    "backdoor": ("backdoor", "Hidden trigger or magic value executes commands (backdoor)", "action"),
    "miner": ("resource abuse cryptominer", "Cryptocurrency miner started", "action"),
    "destroy": ("destructive action", "Destructive deletion or overwriting of user files", "action"),
    "evade": ("defense evasion", "Security control, audit trail or confirmation disabled", "action"),
    "beacon": ("data exfiltration telemetry", "User data, arguments or host details are sent covertly to an undocumented remote host", "action"),
    "wallet": ("wallet theft", "Crypto wallet address replaced or wallet keys accessed", "action"),
    "privesc": ("privilege escalation", "Privileges widened (sudoers, setuid or world-writable rights)", "action"),
    "worm": ("supply chain worm", "Package or repository publishes itself with the credentials found", "action"),
    "rugpull": ("tool poisoning rug pull", "Tool description or behaviour changes after first use or after a date", "context"),
    "inject": ("prompt injection", "Injected instructions steer the agent and bypass the user (prompt injection)", "context"),
    "hidden": ("prompt injection hidden instruction", "Hidden instructions to the agent in a comment, encoded or invisible text", "context"),
    "toolpoison": ("tool poisoning prompt injection", "Tool description with instructions that make the agent act beyond the tool (tool poisoning)", "context"),
    "remoteinstr": ("prompt injection remote instructions", "Agent told to fetch and follow remote instructions", "context"),
    "invisible": ("obfuscation hidden text", "Invisible or bidirectional Unicode characters hide text", "context"),
    "typosquat": ("typosquat supply chain", "Package name imitates a popular package (typosquat)", "action"),
    "depsource": ("supply chain dependency", "Dependency is fetched from a source outside the registry", "action"),
}

JS_ENV = r"JSON\.stringify\(\s*process\.env\s*[,)]|Object\.(?:entries|keys|assign|fromEntries|values)\([^)\n]{0,40}process\.env\b|(?<!env:\s)(?<!env:)(?<!env=)\{\s*\.\.\.process\.env\b|[:=(,]\s*process\.env\s*[,;)}\n]"
GENERIC_ENV = r"\bos\.Environ\(\)|System\.getenv\(\s*\)|\bENV\.(?:to_h|to_a|each|inspect|map|select)\b|\bgetenv\(\s*\)|\$_ENV\b(?!\[)|env::vars\(\)|(?<!\w)(?:Get-ChildItem|gci|dir)\s+Env:"
SH_ENV = r"(?<![\w/.-])(?:env|printenv)\s*(?:\||>|\)|`|$)|\bexport\s+-p\b|\bset\s*\|"
CODE_READ = r"readFile(?:Sync)?|createReadStream|copyFile(?:Sync)?|\bopen\(|ReadFile|ReadAll|File\.(?:read|open|binread)|IO\.read|file_get_contents|fopen|Files\.read\w*|FileReader|FileInputStream|read_to_string|fs::read|Get-Content|\bcat\s|\bcp\s|\btar\s|\bzip\s|\bbase64\s|\bscp\s|\brsync\s|\bgrep\s|\bhead\s|-F\s|@[~/$]|readdir(?:Sync)?|ifstream|<\s*[~/$]"
LINE_SINKS = (  # (label, hints, pattern)
    ("POST", ("fetch",), r"\bfetch\s*\("),
    ("POST", ("axios", "got", "needle", "superagent", "undici"), r"\b(?:axios|got|needle|superagent|undici|ky)(?:\.(?:post|put|patch|get|request))?\s*\("),
    ("POST", (".request(", "https.get", "http.get"), r"\bhttps?\.(?:request|get)\s*\("),
    ("POST", (".write(", ".end(", ".send("), r"\b(?:req|request|r|client|sock|socket|ws|xhr|conn|s)\.(?:write|end|send)\s*\((?=[^)\s])"),
    ("POST", ("sendbeacon", "websocket"), r"sendBeacon\s*\(|new\s+WebSocket\s*\("),
    ("POST", ("net.", "tls."), r"\b(?:net|tls)\.(?:connect|createConnection|Dial|DialTCP)\s*\("),
    ("DNS", ("dns.", "lookup", "resolve"), r"\bdns(?:\.promises)?\.(?:resolve\w*|lookup)\s*\(|\bnet\.Lookup\w+\("),
    ("POST", ("http.", "reqwest", "ureq", "net::http", "httparty", "faraday", "rest"), r"\bhttp\.(?:Post|PostForm|NewRequest|NewRequestWithContext|Get)\s*\(|Net::HTTP\.\w+|HTTParty\.\w+|Faraday\.\w+|RestClient\.\w+|reqwest::\w+|ureq::\w+|URI\.open\s*\("),
    ("POST", ("curl_", "httpurlconnection", "httpclient", "httprequest", "fsockopen", "stream_context"), r"curl_setopt\w*\s*\(|HttpURLConnection|HttpClient|HttpRequest\.newBuilder|fsockopen\s*\(|stream_context_create\s*\("),
    ("POST", ("curl", "wget"), r"\bcurl\b(?=[^\n|;]*?(?:\s-\w*[dFT]\b|\s--data|\s--form|\s--upload-file|\s--json|\s-X\s*\"?P(?:OST|UT)|\?[^\s\"']*\$|\s-H\s*\"[^\"]*\$))[^\n;]*|\bwget\b[^\n;|]*--(?:post|body)-\w+[^\n;]*"),
    ("POST", ("nc ", "ncat", "/dev/tcp", "socat"), r"(?<![\w-])(?:nc|ncat|socat)\s+[^\n;]*|/dev/tcp/[^\n;]*"),
    ("DNS", ("nslookup", "dig ", "host "), r"(?<![\w-])(?:nslookup|dig|host)\s+[^\n;]*\$[^\n;]*"),
    ("POST", ("invoke-webrequest", "invoke-restmethod", "iwr", "irm", "webclient"), r"Invoke-(?:WebRequest|RestMethod)[^\n]*-Body[^\n]*|UploadString\([^\n]*"),
    ("PUSH", ("git push", "scp ", "rsync ", "git remote add", "sftp"), r"\bgit\s+push\s+(?!origin\b|--tags|-u\s+origin|&&|$)[^\n;]*|\bscp\s+[^\n;]*@[^\n;]*|\brsync\s+[^\n;]*@[^\n;]*"),
    ("POST", ("sendmail", "smtp", "mail("), r"sendMail\s*\(|smtp\.SendMail\s*\(|\bmail\s*\("),
)
FETCH_RUN = (  # text forms of "download, then execute", any language
    (("curl", "wget"), r"\b(?:curl|wget)\b[^\n;&]{0,300}?\|\s*(?:sudo\s+(?:-E\s+)?)?(?:env\s+\S+\s+)?(?:/(?:usr/)?bin/)?(?:ba|z|da|k)?sh\b|\b(?:curl|wget)\b[^\n;&]{0,300}?\|\s*(?:sudo\s+)?(?:python3?|node|perl|ruby|php)\b(?!\s+-m\s+json)(?!\s+-c)"),
    (("curl", "wget"), r"(?:ba|z)?sh\s+-c\s+[\"']?\$\((?:curl|wget)[^\n]*|(?:eval|source|\.)\s+[\"']?(?:\$\(|<\(|`)\s*(?:curl|wget)[^\n]*|\b(?:ba|z)?sh\s+<\((?:curl|wget)[^\n]*"),
    (("base64",), r"base64\s+(?:-d|-D|--decode)[^\n;]*\|\s*(?:sudo\s+)?(?:ba|z)?sh\b|\|\s*base64\s+(?:-d|--decode)\s*\|\s*(?:ba|z)?sh"),
    (("iex", "invoke-expression", "downloadstring"), r"(?:iex|Invoke-Expression)\b[^\n]*(?:DownloadString|iwr|irm|Invoke-WebRequest|Invoke-RestMethod|FromBase64)|(?:iwr|irm|Invoke-RestMethod|Invoke-WebRequest|DownloadString)[^\n]*\|\s*iex\b|powershell[^\n]*\s-e(?:nc|ncodedcommand)\b"),
    (("base64", "xxd", "rev", "openssl", "printf", "tr "), r"(?:base64\s+(?:-d|-D|--decode)|xxd\s+-r\S*(?:\s+-p)?|\brev\b|openssl\s+enc\s[^\n|]*-d|\btr\s+[\"'][A-Za-z-]+[\"']\s+[\"'][A-Za-z-]+[\"']|gunzip|gzip\s+-d\S*)\s*[^\n|;]*\|\s*(?:sudo\s+)?(?:/bin/)?(?:ba|z)?sh\b|(?:eval|(?:ba)?sh\s+-c)\s+[\"']?\$\([^)\n]*(?:base64|xxd|\brev\b|\btr\s|printf)[^\n]*"),
    (("base64", "xxd", "rev", "openssl"), r"\b(\w+)=[\"']?\$\([^)\n]*(?:base64\s+(?:-d|-D|--decode)|xxd\s+-r|\|\s*rev\b|openssl\s+enc)[^\n]*(?:\n[^\n]*){0,12}?\n\s*(?:eval|(?:ba|z)?sh\s+-c|source|\.)\s+[\"']?\$\{?\1\b"),
    (("chmod",), r"\b(?:curl|wget)\b[^\n]{0,200}(?:-o|-O|>)[^\n]{0,120}(?:\n[^\n]*){0,4}?chmod\s+\S*(?:\+x|[75]\d\d)[^\n]*(?:\n|&&|;)(?:[^\n]*\n){0,2}?\s*(?:nohup |sudo |exec |&& )*[\"']?(?:\./|/tmp|\$|~|/var)"),
    (("npx", "uvx", "pip"), r"\b(?:npx\s+(?:-y\s+|--yes\s+)?|pipx?\s+install\s+(?:\S+\s+)*|uvx\s+(?:--from\s+)?|npm\s+(?:i|install)\s+(?:\S+\s+)*)[\"']?(?:git\+)?https?://(?!github\.com|gitlab\.com)[^\s\"']+"),
)
TEXT_RULES = (  # (kind, weight, hints, pattern, capability)
    ("revshell", 0.95, ("/dev/tcp", "nc ", "ncat", "mkfifo", "socat"), r"(?:ba|z)?sh\s+-i\b[^\n]*(?:>&|/dev/tcp)|\bnc(?:at)?\b[^\n]*\s-\w*e\w*\s+\S*sh\b|mkfifo[^\n]*\|[^\n]*\bnc\b|socat\b[^\n]*exec:", "OPEN_REVERSE_SHELL"),
    ("miner", 0.85, ("stratum", "xmrig", "cryptonight", "minerd", "randomx"), r"stratum\+(?:tcp|ssl)://|\bxmrig\b|\bminerd\b|cryptonight|--donate-level", "EXEC_BINARY"),
    ("destroy", 0.75, ("rm -", "mkfs", "dd if", "shred", "remove-item"), r"\brm\s+-[a-zA-Z]*[rR][a-zA-Z]*\s+(?:--no-preserve-root\s+)?[\"']?(?:/(?:\s|\*|$)|~(?:/\*?)?[\"']?(?:\s|$|;|&)|\$\{?HOME\}?/?\*?[\"']?(?:\s|$|;|&))|\bmkfs\.\w+\s+/dev|\bdd\s+if=/dev/(?:zero|u?random)\s+of=/dev/|\bshred\b[^\n]*(?:~|\$HOME|/home)|Remove-Item[^\n]*-Recurse[^\n]*\$(?:env:USERPROFILE|HOME)", "DELETE_FILE"),
    ("destroy", 0.75, (":(){",), r":\(\)\s*\{\s*:\|:&\s*\}", "SPAWN_PROCESS"),
    ("persist", 0.55, ("crontab",), r"\bcrontab\s+(?:-(?!l\b|h\b)|/|\$|\"|<)|\|\s*crontab\b", "SCHEDULE_JOB"),
    ("persist", 0.5, ("systemctl", "launchctl", "schtasks", "reg add", "register-scheduledtask"), r"systemctl\s+(?:--user\s+)?enable\b|launchctl\s+(?:load|bootstrap)|schtasks\s+/create|reg\s+add\s+[^\n]*\\Run\b|Register-ScheduledTask", "SCHEDULE_JOB"),
    ("persist", 0.6, ("rc", "profile", "zshenv"), r"(?:>>|tee\s+-a)\s*[\"']?(?:~|\$\{?HOME\}?|/home/\S+|/root|\$\w+)?[/\w.]*(?:\.(?:bashrc|zshrc|bash_profile|profile|zprofile|zshenv)\b|/etc/profile)", "WRITE_SHELL_PROFILE"),
    ("persist", 0.6, ("hooks", "hookspath"), r"(?:>>?|tee|cp|mv|ln\s+-\w+|install)\s[^\n]*\.git/hooks/|(?:>\s*|cat\s*>\s*)[^\n]*\.git/hooks/|git\s+config\s+[^\n]*core\.hooksPath\s+(?!\.husky)|git\s+config\s+--global\s+(?:core\.(?:sshCommand|fsmonitor|pager)|init\.templateDir|alias\.\w+\s+[\"']!)", "WRITE_GIT_HOOK"),
    ("persist", 0.85, ("authorized_keys",), r"(?:>>|tee\s+-a)\s*[^\n]*authorized_keys", "WRITE_SSH_KEY"),
    ("privesc", 0.8, ("sudoers", "ld.so.preload"), r"(?:>>?|tee(?:\s+-a)?)\s*[^\n]*/etc/(?:sudoers|ld\.so\.preload)|NOPASSWD:\s*ALL", "ESCALATE_PRIVILEGE"),
    ("privesc", 0.5, ("chmod",), r"\bchmod\s+(?:-R\s+)?(?:u\+s|[42]7?\d\d\d\s|0?777\s+(?:/|~|\$HOME))", "CHANGE_PERMISSION"),
    ("evade", 0.5, ("hist", "setenforce", "ufw", "csrutil", "spctl", "mppreference", "auditd", "gatekeeper", "iptables", "quarantine"), r"\bhistory\s+-c\b|unset\s+HISTFILE|HISTFILE=/dev/null|setenforce\s+0|ufw\s+disable|spctl\s+--(?:master|global)-disable|DisableRealtimeMonitoring|systemctl\s+stop\s+auditd|iptables\s+-F|xattr\s+-[rd]+\s+com\.apple\.quarantine", "DISABLE_SECURITY"),
    ("evade", 0.5, ("dangerously", "bypasspermissions", "autoapprove", "enableallproject", "yolo", "skip-permissions", "alwaysallow"), r"--dangerously-skip-permissions|bypassPermissions|--yolo\b|enableAllProjectMcpServers[\"']?\s*[:=]\s*[Tt]rue|[\"']?autoApprove[\"']?\s*[:=]\s*(?:true|\[\s*[\"']\*)|--dangerously-bypass", "CHANGE_POLICY"),
    ("worm", 0.75, ("npm publish", "twine upload"), r"(?:exec\w*|spawn\w*|system|run|check_call)\s*\([^\n]{0,80}(?:npm[\"', ]+publish|twine[\"', ]+upload)", "PUBLISH_PACKAGE"),
    ("exfil", 0.6, ("169.254.169.254", "metadata.google"), r"169\.254\.169\.254/\S*(?:iam|credentials|token|user-data)|metadata\.google\.internal/\S*token|latest/meta-data/iam", "READ_SECRET"),
    ("obfexec", 0.8, ("eval(", "function("), r"\b(?:eval|Function|execScript)\s*\(\s*(?:atob|unescape|decodeURIComponent|String\.fromCharCode|Buffer\.from|zlib|require\([\"']zlib)", "EXEC_CODE"),
    ("obfexec", 0.8, ("eval", "assert", "gzinflate", "str_rot13"), r"\b(?:eval|assert)\s*\(\s*(?:base64_decode|gzinflate|gzuncompress|str_rot13|strrev|Base64\.decode64|Zlib)", "EXEC_CODE"),
    ("obfexec", 0.6, ("base64", "'hex'", "\"hex\"", "atob"), r"(\w+)\s*=\s*(?:Buffer\.from\([^\n]{1,2000}?[\"'](?:base64|hex)[\"']\)|atob\()[\s\S]{0,1500}?(?:\beval|new\s+Function|\bFunction|vm\.run\w+|\bexec(?:Sync)?|_compile|\brequire)\s*\(\s*\1\b", "EXEC_CODE"),
    ("obfexec", 0.75, ("base64", "fromcharcode", "'hex'", "\"hex\"", "atob"), r"(?:Buffer\.from\([^\n]{1,400}?[\"'](?:base64|hex)[\"']\)|atob\([^\n]{1,300}?\)|fromCharCode\([^\n]{1,400}\))[^;]{0,600}?(?:\beval\s*\(|new\s+Function\s*\(|\bvm\.run\w+\(|\bexec(?:Sync)?\s*\(|_compile\()", "EXEC_CODE"),
    ("obfusc", 0.6, ("constructor",), r"\[\s*[\"']constructor[\"']\s*\]|\bmodule\.constructor\._load|\(\s*(?:\(\)\s*=>\s*\{\s*\}|function\s*\(\)\s*\{\s*\})\s*\)\.constructor\s*\(", "OBFUSCATE_CODE"),
    ("obfusc", 0.5, ("require(",), r"(?<![\w.])require\(\s*(?![\"'`])[\w$]+(?:\(\s*(?:\d+|0x[0-9a-f]+|[\"'][^\"']*[\"'])\s*[^)]*\)|\[\s*(?:\d+|0x[0-9a-f]+)\s*\])\s*\)", "OBFUSCATE_CODE"),
    ("obfexec", 0.65, ("charcodeat", "fromcharcode"), r"(?:charCodeAt\([^)]*\)\s*\^|fromCharCode\([^;\n]*\^)[\s\S]{0,1500}?(?:\beval\s*\(|new\s+Function\s*\(|\bFunction\s*\(|\brequire\(\s*(?![\"'`])|\bexec\w*\(|vm\.run)", "OBFUSCATE_CODE"),
    ("obfusc", 0.5, ("ifs", "$'\\x"), r"\$\{?IFS\}?[^\n]*\$\{?IFS|\$'(?:\\x[0-9a-f]{2}){3,}", "OBFUSCATE_CODE"),
    ("obfusc", 0.5, ("_0x",), r"(?:_0x[0-9a-f]{4,}\b[^\n]*?){6}", "OBFUSCATE_CODE"),
    ("obfusc", 0.5, ("\\x",), r"(?:\\x[0-9a-fA-F]{2}){24,}", "OBFUSCATE_CODE"),
    ("obfusc", 0.6, ("require", "global", "process", "this["), r"(?:require|global(?:This)?|process|module|window)\s*(?:\(|\[)\s*[\"'][\w.:/]{1,12}[\"']\s*\+\s*[\"'][\w.:/]{1,12}[\"']", "OBFUSCATE_CODE"),
    ("wallet", 0.6, ("0x", "bc1", "wallet", "recipient"), r"\b(?:to|recipient|address|dest\w*|payee|wallet\w*)\s*=\s*[\"'](?:0x[0-9a-fA-F]{40}|bc1[0-9a-z]{20,}|[13][1-9A-HJ-NP-Za-km-z]{30,34}|[1-9A-HJ-NP-Za-km-z]{43,44})[\"']", "ACCESS_WALLET"),
    ("beacon", 0.6, ("bcc",), r"(?:\bbcc[\"']?\]?\s*[:=]|add_header\(\s*[\"']Bcc[\"'],|\[[\"']Bcc[\"']\]\s*=)\s*\[?\s*[\"'][\w.+-]+@[\w.-]+[\"']", "SEND_EMAIL"),
    ("rugpull", 0.6, ("description",), r"(?:Date\.now\(\)|datetime|time\.time\(\)|call_?count|calls?\b|invocations?|counter|approved|first_?run)[^\n]*(?:\n[^\n]*){0,5}?\b(?:\w+\.)?(?:description|__doc__|inputSchema)\s*=(?!=)\s*", "INVOKE_TOOL"),
)
GATE = r"(?i)\b(?:os\.environ\.get|getenv|process\.env|environ)\b[^\n]{0,20}\b(?:CI|GITHUB_ACTIONS|JENKINS_URL|GITLAB_CI|SANDBOX)\b|\bdatetime[^\n]*(?:now|today|utcnow)\(\)[^\n]*[<>]=?|\bdate\.today\(\)[^\n]*[<>]|(?:time\.time|Date\.now)\(\)\s*[<>]=?\s*[\d_]{9,}|new\s+Date\(\)[^\n]*[<>]=?\s*(?:new\s+Date|\d)|(?:gethostname\(\)|os\.hostname\(\)|getpass\.getuser\(\)|userInfo\(\)\.username)[^\n]{0,40}(?:==|!=|\bin\b|===|includes|startswith|endswith)|\$\(date\s+\+[^)]*\)[\"']?\s*(?:-gt|-ge|-lt|>)|random\.random\(\)\s*<\s*0\.\d|Math\.random\(\)\s*<\s*0\.\d|\bis_?debugger|sys\.gettrace\(\)|\b(?:vbox|vmware|qemu|virtualbox)\b"

CAP_BY_LABEL = {
    "SECRET": "READ_SECRET", "ENV": "READ_ENV", "CLIP": "READ_CLIPBOARD", "SCREEN": "CAPTURE_SCREEN", "HISTORY": "READ_HISTORY",
    "HOST": "READ_HOST_INFO", "HOMEFILES": "READ_FILE", "DOTENV": "READ_SECRET", "INPUT": "READ_INPUT",
}


class Case:
    """Everything learned about one behavioural artifact."""

    def __init__(self, sources):
        self.sources, self.signals, self.capabilities, self.injected = sources, [], {}, []
        self.src_files, self.sink_files, self.decodes = {}, {}, 0
        self.docs = "\n".join(s.text for s in sources if s.lang == "md")
        meta = ("package.json", "pyproject.toml", "setup.cfg", "setup.py", "server.json", "manifest.json")
        self.docs += "\n" + "\n".join("\n".join(l for l in s.lines if "://" in l and has(l, r"(?i)home|repo|url|bugs|doc|issue")) for s in sources if s.name in meta)
        self.docs_low = self.docs.lower()
        self.hosts = {domain(h) for h in rx(URL).findall(self.docs)}
        self.has_docs = len(self.docs) > 40

    def add(self, kind, weight, source, line, note="", capability=None):
        """Record a signal. Test code and examples weigh half."""
        path = source.path if isinstance(source, Source) else source
        if isinstance(source, Source) and source.is_test():
            weight *= 0.5
        self.signals.append((kind, min(weight, 0.97), path, line, note))
        if capability:
            self.cap(capability, path + ":" + str(line))

    def cap(self, name, observation):
        self.capabilities.setdefault(name, observation)

    def host_state(self, text):
        """'none', 'local', 'documented', 'unknown' or 'drop' for the hosts a piece of code names."""
        found = rx(URL).findall(text)
        if has(text, DROP_HOSTS):
            service = rx(DROP_HOSTS).search(text).group(0).split(".")[0].lower()
            return "documented" if service in self.docs_low else "drop"
        if not found:
            return "none"
        remote = [h for h in found if not is_local(h)]
        if not remote:
            return "local"
        for host in remote:
            if has(host, r"^[\d.]+$"):
                return "documented" if host in self.docs else "drop"
        unknown = [h for h in remote if domain(h) not in self.hosts]
        return "unknown" if unknown else "documented"


def names_of_vendor(token, text):
    """Whether a vendor token goes to a host of its own vendor."""
    for prefix, host in VENDOR_TOKENS.items():
        if prefix in token.upper():
            return host in text.lower()
    return None


def urls_near(file, call):
    """The text in which the destination of a call is to be found: the call, its function, else the file's constants."""
    source = file.source
    near = segment_of(source, call.node) or ""
    if has(near, URL) or has(near, DROP_HOSTS):
        return near
    for name in rx(r"[A-Za-z_]\w*").findall(near):
        scope = call.scope
        while scope is not None:
            if name in scope.const and has(scope.const[name], URL):
                return scope.const[name]
            scope = scope.parent
    names = set(rx(r"[A-Za-z_]\w*").findall(near))
    for text in source.lines:
        match = rx(r"^\s*(?:self\.)?(\w+)\s*(?::\s*\w+\s*)?=").match(text)
        if match and match.group(1) in names and has(text, URL):
            return text
    inner = scope_text(source, call.line)
    return inner if has(inner, URL) else ""


def behave_python(case, file):
    source = file.source
    for call in file.calls:
        name, labels, line = call.name, call.labels, call.line
        short = name.rsplit(".", 1)[-1]
        net, post = is_net(name), has(name, POST)
        wrapper = None if net else file.sinks.get(short)
        if has(name, READERS) and "P_SECRET" in labels and not has(name, r"load$|parse$"):
            case.src_files.setdefault(source.path, (line, "SECRET"))
            case.cap("READ_SECRET", source.path + ":" + str(line))
        for label in labels & CAP_BY_LABEL.keys():
            case.cap(CAP_BY_LABEL[label], source.path + ":" + str(line))
        if net or wrapper is not None:
            case.cap("RESOLVE_DNS" if has(name, DNS) else "POST_WEB" if post else "FETCH_WEB", source.path + ":" + str(line))
            case.sink_files.setdefault(source.path, line)
            behave_flow(case, file, call, labels, post, wrapper)
        if has(name, SHELLS) or has(name, EVALS):
            behave_exec(case, file, call)
        if short in ("open", "write_text", "write_bytes", "write", "append", "copy", "copyfile", "copy2", "rename", "replace", "symlink") or name == "print":
            behave_write(case, file, call)
        if short in ("rmtree", "remove", "unlink", "rmdir") and labels & {"P_HOME", "HOMETREE", "HOMEFILES"} and not has(ast.dump(call.node), r"cache|\.tmp|temp"):
            case.add("destroy", 0.7 if "HOMETREE" in labels or short == "rmtree" else 0.25, source, line, name, "DELETE_FILE")
        if short == "chmod" and has(segment_of(source, call.node) or "", r"0o[4-7]7\d\d|S_ISUID"):
            case.add("privesc", 0.5, source, line, name, "CHANGE_PERMISSION")
        if short == "dup2" and "socket" in source.text and has(source.text, r"/bin/(ba|z)?sh|subprocess|pty"):
            case.add("revshell", 0.95, source, line, "socket duplicated on a shell", "OPEN_REVERSE_SHELL")
        if has(name, r"^(pynput|keyboard)\..*(Listener|on_press|hook|on_release)$"):
            case.cap("CAPTURE_INPUT", source.path + ":" + str(line))
            if case.sink_files or has(source.text, r"requests|urllib|socket|smtplib"):
                case.add("private", 0.75, source, line, "key logger with network access")
        folded = fold(call.node)
        if folded and len(folded) > 12:
            rescan(case, source, line, folded)
    for scope in file.scopes:
        behave_trigger(case, file, scope)
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)):
            target = dotted(node.func, file.aliases)
            if target in ("getattr", "__import__", "importlib.import_module") and any(not isinstance(a, ast.Constant) and fold(a) for a in node.args):
                case.add("obfusc", 0.6, source, node.lineno, "module or attribute name assembled from pieces", "OBFUSCATE_CODE")
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute) and node.targets[0].attr in ("__doc__", "description"):
            inner = scope_text(source, node.lineno)
            if has(inner, r"\bif\b[^\n]*(count|calls|time|date|>|first|approved)"):
                case.add("rugpull", 0.55, source, node.lineno, "description assigned under a condition", "INVOKE_TOOL")


def behave_flow(case, file, call, labels, post, wrapper):
    """A network call and what its arguments carry."""
    source, line = file.source, call.line
    where = urls_near(file, wrapper or call) or urls_near(file, call)
    if wrapper is not None:
        labels = frozenset(l for l in labels if not l.startswith("P:"))
    state = case.host_state(where)
    if state == "local":
        return
    if "SECRET" in labels:
        case.add("exfil", 0.9 if state != "documented" else 0.6, source, line, clip(where, 60), "POST_WEB")
    if "ENV" in labels:
        case.add("envdump", 0.9 if state != "documented" else 0.6, source, line, clip(where, 60), "POST_WEB")
    if labels & {"CLIP", "HISTORY", "SCREEN", "HOMEFILES", "DOTENV"}:
        case.add("private", 0.8 if state != "documented" else 0.5, source, line, clip(where, 60), "POST_WEB")
    tokens = [l[6:] for l in labels if l.startswith("TOKEN:")]
    if tokens:
        vendor = [names_of_vendor(t, where) for t in tokens]
        if state in ("unknown", "drop") and case.has_docs:
            case.add("token", 0.75 if False in vendor or state == "drop" else 0.5 if len(case.hosts) else 0.2, source, line, tokens[0], "POST_WEB")
        elif len([t for t in tokens if names_of_vendor(t, "") is False]) >= 2 and False in vendor:
            case.add("token", 0.7, source, line, ", ".join(sorted(tokens)[:4]), "POST_WEB")
    undocumented = case.has_docs and state in ("unknown", "drop")
    keys = [l[2:] for l in labels if l.startswith("P:") and has(l, USER_KEY)]
    if keys and undocumented:
        case.add("exfil", 0.7, source, line, "parameter " + keys[0], "POST_WEB")
    if undocumented and not tokens:
        carried = {"HOST"} & labels
        weight = 0.25
        if state == "drop":
            weight += 0.2
        if carried:
            weight += 0.25
        if post and (labels & {"PARAM", "NET", "P_HOME"}):
            weight += 0.2
        weight += (0.05 if post else 0.0) if case.hosts else -0.1
        if has(scope_text(source, line), r"except[^\n]*:\s*\n?\s*pass\b|threading\.Thread"):
            weight += 0.1
        case.add("beacon", weight, source, line, clip(where, 60), "POST_WEB")
    if call.top and call.scope.name == "<module>" and not wrapper and source.name != "setup.py":
        case.add("import", 0.5 if not source.is_test() and state != "documented" else 0.25, source, line, call.name)
    if has(call.name, DNS) and isinstance(call.node.args[0] if call.node.args else None, (ast.JoinedStr, ast.BinOp, ast.Name)) and has(scope_text(source, line), r"b32|b64|hex\(|hexlify"):
        case.add("beacon", 0.65, source, line, "encoded data in a DNS name", "RESOLVE_DNS")


def behave_exec(case, file, call):
    source, line, name, labels = file.source, call.line, call.name, call.labels
    shell = has(name, SHELLS)
    case.cap("EXEC_SHELL" if shell else "EXEC_CODE", source.path + ":" + str(line))
    text = segment_of(source, call.node) or ""
    if name in ("compile", "__import__", "importlib.import_module") and "NET" not in labels and "DECODED" not in labels:
        return
    if "NET" in labels and not has(name, r"import"):
        inner = scope_text(source, line)
        checked = has(inner, r"sha256|compare_digest|hashlib|verify|gpg")
        data_only = shell and not has(inner, r"\.write|chmod|0o7\d\d|exec|sh\b")
        case.add("fetchrun", 0.3 if checked else 0.5 if data_only else 0.9, source, line, name, "EXEC_CODE")
    if "DECODED" in labels:
        case.add("obfexec", 0.85, source, line, name, "EXEC_CODE")
    if has(name, r"^(builtins\.)?(exec|eval)$") and call.top and call.node.args and not isinstance(call.node.args[0], ast.Constant):
        if not has(text, r"__version__|version|about"):
            case.add("import", 0.5 if has(source.text, r"chr\(|\[::-1\]|lambda|zlib|marshal") else 0.3, source, line, name)
    if shell:
        words = [c for c in (fold(a) for a in call.node.args) if c]
        for arg in call.node.args[:1]:
            if isinstance(arg, (ast.List, ast.Tuple)):
                words.append(" ".join(fold(e) or "$x" for e in arg.elts))
            elif isinstance(arg, ast.JoinedStr):
                words.append("".join(fold(v) or "$x" for v in arg.values))
            elif isinstance(arg, ast.Name) and arg.id in call.scope.const:
                words.append(call.scope.const[arg.id])
        for word in words:
            scan_text(case, source, word, line, "sh")
        if labels & {"SECRET"} or ("ENV" in labels and has(" ".join(words), r"curl|wget|nc\b")):
            if has(" ".join(words), r"curl|wget|\bnc\b|scp|git push"):
                case.add("exfil", 0.85, source, line, name, "POST_WEB")
        if call.top and call.scope.name == "<module>" and source.name not in ("setup.py", "conftest.py", "noxfile.py", "tasks.py") and not source.text.startswith("#!"):
            case.add("import", 0.35, source, line, name)


def behave_write(case, file, call):
    """Writing to a place that runs later, or that steers an agent."""
    source, line, labels = file.source, call.line, call.labels
    name = call.name
    short = name.rsplit(".", 1)[-1]
    receiver = EMPTY
    if isinstance(call.node.func, ast.Attribute):
        receiver = file.labels(call.node.func.value, call.scope)
    text = segment_of(source, call.node) or ""
    mode = ""
    if short == "open":
        first = 0 if isinstance(call.node.func, ast.Attribute) and name != "os.open" and name not in ("io.open", "codecs.open") else 1
        arg = call.kw("mode") or (call.node.args[first] if len(call.node.args) > first else None)
        mode = (fold(arg) if arg is not None else None) or "r"
        if not set(mode) & set("wax+"):
            return
        if name != "open":
            labels = labels | receiver
    elif short in ("write_text", "write_bytes"):
        if receiver & {"NET"} and not labels & {"NET"}:
            return
        labels = labels | receiver
    elif short in ("copy", "copyfile", "copy2", "rename", "replace", "symlink"):
        if len(call.node.args) < 2:
            return
        labels = file.labels(call.node.args[1], call.scope)
    elif short == "write":
        if "NET" in labels and has(scope_text(source, line), r"__file__|SKILL\.md|CLAUDE\.md|AGENTS\.md|\.pth|site-packages") and not has(scope_text(source, line), r"sha256|verify|hashlib"):
            case.add("fetchrun", 0.65, source, line, "remote text written over instructions or code", "WRITE_FILE")
        return
    else:
        return
    case.cap("WRITE_FILE", source.path + ":" + str(line))
    announced = has(case.docs_low, r"completion|shell hook|shell integration") and has(source.text, r"completion|eval \"\$\(|PATH")
    for label, kind, weight, capability, word in (
        ("P_PROFILE", "persist", 0.65, "WRITE_SHELL_PROFILE", "rc"), ("P_CRON", "persist", 0.65, "SCHEDULE_JOB", "cron"),
        ("P_SERVICE", "persist", 0.6, "SCHEDULE_JOB", "systemd"), ("P_HOOK", "persist", 0.6, "WRITE_GIT_HOOK", "hook"),
        ("P_AUTHKEYS", "persist", 0.85, "WRITE_SSH_KEY", "authorized_keys"), ("P_SUDO", "privesc", 0.75, "ESCALATE_PRIVILEGE", "sudoers"),
        ("P_AGENT", "agentcfg", 0.55, "WRITE_AGENT_CONFIG", "claude"), ("P_CI", "persist", 0.5, "WRITE_FILE", "workflow"),
    ):
        if label in labels:
            documented = case.has_docs and (word in case.docs_low or (label == "P_SERVICE" and "service" in case.docs_low)) and label not in ("P_AUTHKEYS", "P_SUDO")
            case.add(kind, 0.3 if documented or announced else weight, source, line, label, capability)
    if "NET" in labels and "P_AGENT" in labels:
        case.add("remoteinstr", 0.8, source, line, "remote text written to an agent's instructions", "WRITE_AGENT_CONFIG")
    if labels & {"HOMETREE", "HOMEFILES"} and "b" in mode and has(source.text, r"(?i)encrypt|fernet|aes|xor|ransom|urandom"):
        case.add("destroy", 0.75, source, line, "files of the home directory overwritten", "DELETE_FILE")


def behave_trigger(case, file, scope):
    """A comparison with a magic constant that guards execution."""
    if scope.name == "<module>":
        return
    for node in ast.walk(scope.node):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Compare):
            constants = [c.value for c in ast.walk(node.test) if isinstance(c, ast.Constant) and isinstance(c.value, str) and len(c.value) >= 6]
            keyed = has(ast.dump(node.test), r"headers|X-|cookie|token|key|passw|magic|query|args")
            if constants and keyed and not has(constants[0], r"^(application|text)/|^Bearer"):
                for sub in node.body:
                    for c in ast.walk(sub):
                        if isinstance(c, ast.Call) and (has(dotted(c.func, file.aliases), SHELLS) or dotted(c.func, file.aliases) in ("eval", "exec")):
                            case.add("backdoor", 0.65, file.source, node.lineno, "magic value guards execution", "EXEC_CODE")


def statement_at(text, start, limit=900):
    """The call or statement that begins at `start`: up to its balanced end."""
    depth, at, end = 0, start, min(len(text), start + limit)
    while at < end:
        c = text[at]
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth <= 0:
                return text[start:at + 1]
        elif c == ";" and depth <= 0 or c == "\n" and depth <= 0 and at > start + 1:
            return text[start:at]
        at += 1
    return text[start:end]


def line_sources(code, lang):
    """(offset, label) of each place where code of any non-Python language obtains something sensitive."""
    found = []
    if "env" in code.lower():
        pattern = JS_ENV if lang == "js" else SH_ENV if lang == "sh" else GENERIC_ENV
        if lang == "js":
            pattern = JS_ENV
        found += [(m.start(), "ENV") for m in rx(pattern, re.M).finditer(code)]
    if has(code, SECRET_PATH):
        reads = has(code, CODE_READ)
        found += [(m.start(), "SECRET") for m in rx(SECRET_PATH).finditer(code)] if reads else []
    for label, pattern in (
        ("CLIP", r"pbpaste|xclip\s+-o|xsel\b|wl-paste|clipboard\.readText|clipboardy\.read\w*|Get-Clipboard"),
        ("HISTORY", r"\.(?:bash|zsh)_history\b"),
        ("SCREEN", r"screencapture\b|desktopCapturer|screenshot-desktop"),
        ("SECRET", r"security\s+find-(?:generic|internet)-password|\bgh\s+auth\s+token\b|gcloud\s+auth\s+print|keytar\.(?:get|find)\w+|git\s+credential\s+fill|aws\s+configure\s+get"),
        ("HOST", r"os\.(?:hostname|userInfo|networkInterfaces)\(\)|\bwhoami\b|\$\(hostname\)|\buname\s+-a\b"),
    ):
        found += [(m.start(), label) for m in rx(pattern).finditer(code)]
    return sorted(found)


def expand_shell(code):
    """Shell text with variables of literal value put in, so that a command assembled from pieces reads as what it runs."""
    values = {}
    for m in rx(r"(?m)^\s*(?:local\s+|export\s+|readonly\s+)?([A-Za-z_]\w*)=(?:\"([^\"$`\n]*)\"|'([^'\n]*)'|([\w./:@%+-]+))\s*(?:;|$)|(?<=;)\s*([A-Za-z_]\w*)=([\w./:@%+-]+)").finditer(code):
        name = m.group(1) or m.group(5)
        value = next((g for g in (m.group(2), m.group(3), m.group(4), m.group(6)) if g is not None), "")
        values[name] = None if name in values and values[name] != value else value
    values = {k: v for k, v in values.items() if v is not None and len(v) < 200}
    if not values:
        return code
    return rx(r"\$(?:\{(\w+)\}|(\w+))").sub(lambda m: values.get(m.group(1) or m.group(2), m.group(0)), code)


def behave_lines(case, source, code, lang, base_line=0, weight=1.0):
    """Source, sink and flow by line rules for every language but Python; `base_line` places code that sits in another file."""
    if lang == "sh":
        code = expand_shell(code)
        base_line = base_line or 1
    low = code.lower()
    line_of = (lambda pos: base_line + code.count("\n", 0, pos)) if base_line else source.line
    origins = line_sources(code, lang)
    names = {}
    assign = rx(r"(?:(?:const|let|var|local|export|my|auto|final|String|readonly)\s+)?\$?([A-Za-z_]\w*)\s*(?::\s*[\w<>\[\]| ]+)?\s*(?::=|=)(?!=|>)")
    destructured = rx(r"\{([\w\s,:]+)\}\s*=")
    for pos, label in origins:
        start = code.rfind("\n", 0, pos) + 1
        prefix = code[start:pos]
        for back in range(6):  # an origin inside a multi-line literal belongs to the statement that opened it
            if assign.search(prefix) or start == 0:
                break
            start = code.rfind("\n", 0, start - 1) + 1
            prefix = code[start:pos]
        match = None
        for match in assign.finditer(prefix):
            break
        if match:
            names.setdefault(match.group(1), set()).add(label)
        loop = rx(r"for\s*\(?\s*(?:const|let|var)?\s*(\w+)\s+(?:of|in)\b").search(prefix)
        if loop:
            names.setdefault(loop.group(1), set()).add(label)
        owner = rx(r"(?:function\s+(\w+)\s*\(|(?:const|let)\s+(\w+)\s*=\s*(?:async\s*)?(?:function|\([^)\n]*\)\s*=>)|func\s+(\w+)\(|def\s+(\w+)|^(\w+)\(\)\s*\{)", re.M)
        last = None
        for last in owner.finditer(code, max(0, pos - 1500), pos):
            pass
        if last and "return" in scope_if(code, last.start()) or (last and lang == "sh" and pos < last.start() + len(scope_if(code, last.start()))):
            names.setdefault(next(g for g in last.groups() if g), set()).add(label)
    for m in rx(r"(?i)[(,{]\s*(mnemonic|seed_?phrase|seed|private_?key|secret_?key|passphrase|priv_?key|recovery_?phrase|keypair|password)\s*(?::\s*[\w\[\]]+)?\s*(?=[,)}=])").finditer(code):
        names.setdefault(m.group(1), set()).add("KEY")
    for round_ in range(3):
        if not names:
            break
        known = rx(r"(?<![\w.'\"])\$?\{?(" + "|".join(sorted(map(re.escape, names))) + r")\b")
        for match in assign.finditer(code):
            if match.group(1) in names:
                continue
            rest = statement_at(code, match.end(), 500)
            hit = known.search(rest)
            if hit and hit.group(1) != match.group(1):
                names[match.group(1)] = set(names[hit.group(1)])
        for match in rx(r"\b(\w+)\.(?:push|append|add|set|update)\s*\(([^\n]*)|\b(\w+)\[[^\]\n]+\]\s*=\s*([^\n=][^\n]*)|for\s*\(?\s*(?:const|let|var)?\s*\[?\s*(\w+)(?:\s*,\s*(\w+))?\s*\]?\s+(?:of|in)\s+([^\n]*)|\b(\w+)\s*\+=\s*([^\n]*)").finditer(code):
            g = match.groups()
            target, rest = (g[0], g[1]) if g[0] else (g[2], g[3]) if g[2] else (g[4], g[6]) if g[4] else (g[7], g[8])
            hit = known.search(rest or "")
            if hit:
                names.setdefault(target, set()).update(names[hit.group(1)])
                if g[5]:
                    names.setdefault(g[5], set()).update(names[hit.group(1)])
    for pos, label in origins:
        case.cap(CAP_BY_LABEL[label], source.path + ":" + str(line_of(pos)))
        if label in ("SECRET", "ENV"):
            case.src_files.setdefault(source.path, (line_of(pos), label))
    known = rx(r"(?<![\w.'\"/-])\$?\{?(" + "|".join(sorted(map(re.escape, names))) + r")\b") if names else None
    sinks = []
    for label, hints, pattern in LINE_SINKS:
        if any(h in low for h in hints):
            for m in rx(pattern, re.I if "nvoke" in pattern else 0).finditer(code):
                sinks.append((m.start(), label, statement_at(code, m.start())))
    wrappers = set()
    for pos, label, text in sinks:  # a function that sends its own parameter is a sink too
        for m in rx(r"(?:function\s+(\w+)\s*\(([^)\n]*)\)|(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s*)?(?:function\s*)?\(?([^)=\n]*)\)?\s*=>)").finditer(code, max(0, pos - 800), pos):
            body = scope_if(code, m.start())
            params = rx(r"\w+").findall((m.group(2) or m.group(4) or ""))
            if m.start() + len(body) >= pos and params and has(body[len(m.group(0)):], r"\b(?:" + "|".join(params) + r")\b"):
                wrappers.add(m.group(1) or m.group(3))
    for name in sorted(wrappers):
        if len(name) > 2:
            for m in rx(r"(?<!function )(?<![\w.])" + re.escape(name) + r"\s*\(").finditer(code):
                sinks.append((m.start(), "POST", statement_at(code, m.start())))
    url_lines = []
    for text in code.split("\n") if "://" in code else ():
        named = rx(r"(\w+)\s*(?::\s*\w+)?\s*[:=]").search(text) if "://" in text and has(text, URL) else None
        if named:
            url_lines.append((named.group(1), text))
    for pos, label, text in sinks[:MAX_SINKS]:
        line = line_of(pos)
        case.cap({"DNS": "RESOLVE_DNS", "PUSH": "PUSH_REMOTE"}.get(label, "POST_WEB"), source.path + ":" + str(line))
        case.sink_files.setdefault(source.path, line)
        carried = {l for p, l in line_sources(text, lang)}
        if lang == "sh":
            start = code.rfind("\n", 0, pos) + 1
            end = code.find("\n", pos)
            carried |= {l for p, l in line_sources(code[start:end if end > 0 else len(code)], lang)}
            text = code[start:end if end > 0 else len(code)]
        if known:
            for hit in known.finditer(text):
                carried |= names[hit.group(1)]
        where = text
        if not has(text, URL) and not has(text, DROP_HOSTS):
            words = set(rx(r"[A-Za-z_]\w*").findall(text))
            consts = [l for name, l in url_lines if name in words]
            where = "\n".join(consts) or " ".join("https://" + h for h in rx(r"(?:hostname|host)\s*:\s*[\"'`]([\w.-]+\.\w+)").findall(code))
        state = case.host_state(where)
        if state == "local":
            continue
        factor = weight * (0.7 if state == "documented" else 1.0)
        if "SECRET" in carried:
            case.add("exfil", 0.9 * factor, source, line, clip(text, 60), "READ_SECRET")
        if "ENV" in carried:
            case.add("envdump", 0.9 * factor, source, line, clip(text, 60), "READ_ENV")
        if state in ("unknown", "drop") and case.has_docs and ("KEY" in carried or has(re.sub(_STRINGS, "", text), USER_KEY)):
            case.add("exfil", 0.65 * weight, source, line, clip(text, 60))
        if label == "PUSH" and not source.path.endswith(".md"):
            remote = rx(r"git\s+(?:remote\s+(?:add|set-url)\s+\S+|push\s+(?:-\S+\s+)*)\s*[\"']?((?:https?|ssh|git)://\S+|\w+@[\w.-]+:\S+)").search(code)
            if remote and (case.host_state(remote.group(1)) in ("unknown", "drop") or "://" not in remote.group(1)):
                case.add("private", 0.55 * weight, source, line, clip(remote.group(0), 60), "PUSH_REMOTE")
        if carried & {"CLIP", "HISTORY", "SCREEN"}:
            case.add("private", 0.8 * factor, source, line, clip(text, 60))
        region = code[max(0, pos - 400):pos + 500]
        tokens = set(rx(r"process\.env\.(\w+)|\$\{?([A-Z][A-Z0-9_]{3,})\b|Getenv\(\"(\w+)\"|ENV\[[\"'](\w+)|getenv\(\"(\w+)\"").findall(text))
        tokens = {t for g in tokens for t in g if t and has(t, TOKEN_NAME)}
        if tokens and state in ("unknown", "drop") and case.has_docs:
            foreign = any(names_of_vendor(t, where) is False for t in tokens)
            case.add("token", (0.75 if foreign or state == "drop" else 0.45 if case.hosts else 0.2) * weight, source, line, sorted(tokens)[0])
        elif state in ("unknown", "drop") and case.has_docs:
            w = 0.25 + (0.2 if state == "drop" else 0) + (0.25 if "HOST" in carried else 0)
            if has(region, r"method:\s*[\"'`]P(?:OST|UT)|\.post\s*\(|-d\s|--data|\.write\("):
                w += 0.2
            if has(region, r"catch\s*(?:\(\w*\))?\s*(?:=>)?\s*\{\s*\}|\.catch\(\s*\(\w*\)\s*=>\s*(?:\{\s*\}|null|undefined)|2>\s*/dev/null|\|\|\s*true"):
                w += 0.1
            if not case.hosts or lang == "sh":
                w -= 0.1
            case.add("beacon", w * weight, source, line, clip(text, 60))
    behave_js(case, source, code, lang, line_of, sinks, names, weight)
    if lang != "sh":
        touched_places(case, source, code, line_of, weight)
    scan_text(case, source, code, base_line or 0, lang, weight)
    if lang == "sh" and code != source.code and has(source.code, r"(?m)(?:^|[;&|]\s*)\s*[\"']?\$\{?\w+\}?[\"']?\$\{?\w+"):
        case.add("obfusc", 0.5 * weight, source, first_line(source, r"(?m)(?:^|[;&|]\s*)\s*[\"']?\$\{?\w+\}?[\"']?\$\{?\w+"), "command assembled from variables", "OBFUSCATE_CODE")


def scope_if(code, start):
    """The braces block that opens at or after `start`, or a few lines when there is none."""
    brace = code.find("{", start, start + 200)
    return code[start:brace] + statement_at(code, brace, 3000) if brace >= 0 else code[start:start + 400]


def behave_js(case, source, code, lang, line_of, sinks, names, weight):
    """Execution of what was fetched, and writes to sensitive places, for brace languages."""
    if lang == "sh":
        return
    execs = [m for m in rx(r"\b(?:eval|new\s+Function|Function|vm\.run\w+|exec(?:Sync|File|FileSync)?|spawn(?:Sync)?|_compile|exec\.Command|system|shell_exec|passthru|popen|proc_open|Runtime\.getRuntime\(\)\.exec|ProcessBuilder|Command::new|instance_eval|class_eval)\s*\(").finditer(code)]
    for m in execs:
        case.cap("EXEC_CODE" if has(m.group(0), r"eval|Function|vm\.|_compile") else "EXEC_SHELL", source.path + ":" + str(line_of(m.start())))
        text = statement_at(code, m.start(), 500)
        for literal in rx(_STRINGS + r"|`[^`]*`").findall(text):
            if len(literal) > 8:
                scan_text(case, source, literal[1:-1], line_of(m.start()), "sh", weight)
    fetched = {}
    for pos, label, text in sinks:
        if label == "POST":
            before = code[max(0, pos - 120):pos]
            m = None
            for m in rx(r"(?:const|let|var|)\s*\$?(\w+)\s*(?::=|=)\s*(?:await\s+)?[\w.(]*$").finditer(before):
                pass
            if m:
                fetched[m.group(1)] = pos
            cb = rx(r"\.then\(\s*(?:async\s*)?\(?(\w+)\)?\s*=>|,\s*(?:async\s*)?\(?\s*(?:\w+\s*,\s*)?(\w+)\s*\)?\s*=>|function\s*\((\w+)\)").findall(code[pos:pos + 700])
            for groups in cb:
                for g in groups:
                    if g:
                        fetched[g] = pos
    for round_ in range(3):
        if fetched:
            pat = rx(r"\$?(\w+)\s*(?::=|\+?=)(?!=)\s*(?:await\s+)?[^;\n]*\b(" + "|".join(sorted(map(re.escape, fetched))) + r")\b")
            for m in pat.finditer(code):
                fetched.setdefault(m.group(1), m.start())
    checked = has(code, r"createHash|sha256|integrity|verify\(|timingSafeEqual|sha512")
    if lang == "js" and weight >= 0.5:
        hides = rx(r"fromCharCode|\batob\(|[\"'](?:base64|hex)[\"']|reverse\(\)\s*\.join|charCodeAt|\bunescape\(|\\x[0-9a-f]{2}\\x").search(code)
        opens = rx(r"(?<![\w.])(?:require|eval|Function|import)\(\s*(?![\"'`)\s])(?!path\.|join\(|resolve\(|`)[^\n]{1,80}|(?:globalThis|global|process|module|window)\[\s*(?![\"'`\d])[^\]\n]+\]|split\(\s*[\"']{2}\s*\)\.reverse\(\)").search(re.sub(r"\(\s*[\"'][\w./-]+[\"']\s*\)", '("x")', code))
        if hides and opens:
            case.add("obfusc", 0.55 * weight, source, line_of(hides.start()), "decoded text names a module or code", "OBFUSCATE_CODE")
    if fetched:
        names_rx = rx(r"\b(" + "|".join(sorted(map(re.escape, fetched))) + r")\b")
        for m in execs:
            args = statement_at(code, m.start() + len(m.group(0)) - 1, 400)
            hit = names_rx.search(re.sub(_STRINGS, "", args))
            if hit and has(m.group(0), r"eval|Function|vm\.|_compile|instance_eval"):
                case.add("fetchrun", 0.9 * weight, source, line_of(m.start()), clip(m.group(0)), "EXEC_CODE")
            elif hit and not checked:
                case.add("fetchrun", 0.6 * weight, source, line_of(m.start()), clip(m.group(0)), "EXEC_SHELL")
        if execs and not checked and has(code, r"writeFile(?:Sync)?\(|createWriteStream\(|WriteFile\(|io\.Copy\(|file_put_contents\(") and has(code, r"chmod|0o?7[05][05]|mode:"):
            case.add("fetchrun", 0.7 * weight, source, line_of(execs[0].start()), "download made executable and started", "EXEC_BINARY")
    for m in rx(r"(?:writeFile(?:Sync)?|appendFile(?:Sync)?|createWriteStream|WriteFile|OpenFile|File\.(?:write|open)|file_put_contents|Files\.write\w*|fs::write|outputFile)\s*\(").finditer(code):
        text = statement_at(code, m.start(), 700)
        target = text.split(",", 1)[0]
        for name in rx(r"[A-Za-z_]\w*").findall(target):
            d = rx(r"\b" + name + r"\s*(?::=|=)\s*([^;\n]{4,200})").search(code)
            if d and name not in ("path", "fs", "os", "join"):
                target += " " + d.group(1)
        labels = path_labels(target) | path_labels(text.split(")")[0]) | path_labels(re.sub(r"[\"'`]\s*,\s*[\"'`]", "/", target))
        labels |= path_labels(re.sub(r"[\"'`]\s*,\s*[\"'`]", "/", text))
        line = line_of(m.start())
        case.cap("WRITE_FILE", source.path + ":" + str(line))
        for label, kind, w, cap, word in (("P_PROFILE", "persist", 0.65, "WRITE_SHELL_PROFILE", "rc"), ("P_CRON", "persist", 0.65, "SCHEDULE_JOB", "cron"), ("P_SERVICE", "persist", 0.6, "SCHEDULE_JOB", "service"),
                                         ("P_HOOK", "persist", 0.6, "WRITE_GIT_HOOK", "hook"), ("P_AUTHKEYS", "persist", 0.85, "WRITE_SSH_KEY", "authorized_keys"), ("P_AGENT", "agentcfg", 0.55, "WRITE_AGENT_CONFIG", "claude"),
                                         ("P_CI", "persist", 0.5, "WRITE_FILE", "workflow"), ("P_SUDO", "privesc", 0.75, "ESCALATE_PRIVILEGE", "sudoers")):
            if label in labels:
                case.add(kind, (0.3 if word in case.docs_low and label not in ("P_AUTHKEYS", "P_SUDO") else w) * weight, source, line, label, cap)


def touched_places(case, source, code, line_of, weight):
    """Places named anywhere in a file that also writes: weaker than a resolved path, stronger than nothing."""
    write = rx(r"(?:writeFile(?:Sync)?|appendFile(?:Sync)?|copyFile(?:Sync)?|outputFile\w*|os\.WriteFile|fs::write)\s*\(").search(code)
    if not write or not has(code, r"homedir|HOME\b|UserHomeDir|home_dir|USERPROFILE|process\.cwd|INIT_CWD"):
        return
    labels = path_labels(re.sub(r"[\"'`]\s*,\s*[\"'`]", "/", code))
    have = {k for k, w, p, l, n in case.signals if p == source.path}
    for label, kind, word in (("P_PROFILE", "persist", "rc"), ("P_HOOK", "persist", "hook"), ("P_SERVICE", "persist", "service"), ("P_AGENT", "agentcfg", "config"), ("P_AUTHKEYS", "persist", "authorized")):
        if label in labels and kind not in have:
            case.add(kind, (0.2 if word in case.docs_low else 0.5) * weight, source, line_of(write.start()), label, "WRITE_AGENT_CONFIG" if label == "P_AGENT" else "WRITE_FILE")


def scan_text(case, source, text, line, lang, weight=1.0):
    """Rules on a piece of text: a whole file (line 0), or a command or decoded literal found at `line`."""
    low = text.lower()
    place = source.line if line == 0 else (lambda pos: line + (text.count("\n", 0, pos) if "\n" in text else 0))
    if ("curl" in low or "wget" in low or "base64" in low or "iex" in low or "pip" in low or "np" in low or "uvx" in low or "invoke" in low):
        for hints, pattern in FETCH_RUN:
            if any(h in low for h in hints):
                m = rx(pattern, re.I if "iex" in hints else 0).search(text)
                if m and hints[0] != "base64" and not has(m.group(0), r"://|[$%{(]|\s-\w|\w\.\w+/"):
                    continue
                if m and not has(text[max(0, text.rfind("\n", 0, m.start())):m.start()], r"\b(echo|printf|print|console\.\w+|log\.\w+)\b[^|;&]*[\"']"):
                    known = has(m.group(0), INSTALLERS)
                    same = case.host_state(m.group(0)) == "documented" and not source.path.lower().endswith((".md", ".mdx", ".mdc", ".txt"))
                    case.add("fetchrun", (0.12 if known else 0.5 if same else 0.8) * weight, source, place(m.start()), clip(m.group(0), 80), "EXEC_SHELL")
                    break
    for kind, w, hints, pattern, capability in TEXT_RULES:
        if any(h in low for h in hints):
            m = rx(pattern, re.I if kind in ("evade", "miner") else re.M).search(text)
            if m:
                documented = kind in ("persist",) and w < 0.8 and has(case.docs_low, r"systemd|cron|launchd|git hook|pre-commit hook|shell profile|bashrc|zshrc|completion")
                case.add(kind, (0.3 if documented else w) * weight, source, place(m.start()), clip(m.group(0), 80), capability)
    if lang == "sh" and line and "\n" not in text.strip():
        for label in {l for p, l in line_sources(text, "sh")}:
            if label in ("SECRET", "ENV", "CLIP", "HISTORY") and any(has(text, p) for l, h, p in LINE_SINKS if any(x in low for x in h)):
                case.add("exfil" if label == "SECRET" else "envdump" if label == "ENV" else "private", 0.9 * weight, source, line, clip(text, 60), CAP_BY_LABEL[label])
    if case.decodes < MAX_DECODES and len(text) > 30:
        for m in rx(r"(?<![A-Za-z0-9+/_=-])(?:[A-Za-z0-9+/]{28,}={0,2}|[0-9a-fA-F]{40,})(?![A-Za-z0-9+/_-])").finditer(text):
            if case.decodes >= MAX_DECODES:
                break
            case.decodes += 1
            hidden = decode_blob(m.group(0))
            if not hidden and len(m.group(0)) < 4000:
                hidden = decode_blob(m.group(0)[::-1]) if not m.group(0).endswith("=") else None
            if hidden:
                rescan(case, source, place(m.start()), hidden)
        for m in rx(r"(?:\\x[0-9a-fA-F]{2}){8,}").finditer(text) if "\\x" in text else ():
            rescan(case, source, place(m.start()), "".join(chr(int(h, 16)) for h in rx(r"\\x(..)").findall(m.group(0))))
    for m in rx(r"fromCharCode\(([\d,\s]{20,})\)|\[((?:\s*\d{2,3}\s*,){12,}\s*\d{2,3}\s*)\]").finditer(text) if "fromCharCode" in text or "chr" in text else ():
        numbers = [int(n) for n in rx(r"\d+").findall(m.group(1) or m.group(2))]
        if all(8 < n < 0x3000 for n in numbers):
            rescan(case, source, place(m.start()), "".join(map(chr, numbers)))


def rescan(case, source, line, hidden):
    """Look into decoded text: what would be ordinary in plain sight is not when it was encoded."""
    if len(hidden) > 20_000:
        hidden = hidden[:20_000]
    before = len(case.signals)
    if has(hidden, r"\b(?:import|require|exec|eval|curl|wget|bash|powershell|subprocess|child_process|os\.system|socket)\b|/bin/(?:ba)?sh") and has(hidden, r"[(|;\s]"):
        case.add("obfexec", 0.7, source, line, clip(hidden, 60), "OBFUSCATE_CODE")
    elif has(hidden, r"^" + URL) or has(hidden, SECRET_PATH):
        case.add("obfusc", 0.5, source, line, clip(hidden, 60), "OBFUSCATE_CODE")
    if len(hidden) > 24 and len(case.signals) == before:
        judge_prose(case, source, hidden, line, "hidden")
    for kind, w, hints, pattern, capability in TEXT_RULES:
        low = hidden.lower()
        if any(h in low for h in hints) and has(hidden, pattern, re.M):
            case.add(kind, w + 0.1, source, line, clip(hidden, 60), capability)


# ---------------------------------------------------------------------------------------------
# 6. Behavioural tracks: what the prose tells the agent
# ---------------------------------------------------------------------------------------------

SECRET_THING = r"(?:~?/?\.ssh\b|id_rsa|id_ed25519|(?<![\w.])\.env\b|\.aws\b|api[ _-]?keys?|credentials?|(?:access|auth|session|api|bearer|github|personal)[ _-]?tokens?|private keys?|seed phrases?|mnemonics?|passwords?|passphrases?|environment variables?|\benv(?:ironment)? vars?|system prompt|(?:conversation|chat|message|session)(?:'s)? (?:history|log|transcript|content|context)|(?:full|entire|whole|complete|previous|prior) (?:conversation|chat|context|transcript|history)|cookies|\.netrc|\.npmrc|kubeconfig|\.kube\b|mcp\.json|secrets?\b|shell history|bash_history|wallet (?:file|key)s?|git config|/etc/passwd|source code of|hosts\.yml|\.config/gh)"
HARD_SECRET = r"\.ssh\b|id_rsa|id_ed25519|(?<![\w.])\.env\b|\.aws\b|private keys?|seed phrase|mnemonic|environment variables?|\benv vars|system prompt|conversation|chat|transcript|cookies|\.netrc|\.npmrc|\.kube|kubeconfig|mcp\.json|history|wallet|/etc/passwd|credentials|passwords|secrets|hosts\.yml|source code"
TAKE = r"\b(?:call|read|open|cat|load|collect|include|attach|paste|copy|gather|fetch|retrieve|get|dump|print|send|upload|append|extract|embed|encode|capture|list|provide|pass|forward|post|transmit|insert|add|harvest|put|search for|look for|locate|summari[sz]e)\b"
FEATURES = (  # (name, pattern): what a paragraph may contain; matched on lower-cased, space-collapsed text
    ("override", r"\b(?:ignore|disregard|forget|override|bypass|discard)\b[^.]{0,30}\b(?:previous|prior|above|earlier|preceding|system|other|existing|original|safety|all|any|your)\b[^.]{0,30}\b(?:instructions?|rules?|prompts?|guidelines?|polic(?:y|ies)|constraints?|restrictions?|guardrails?|directives?)\b"),
    ("override", r"\byou are (?:now|no longer)\b[^.]{0,50}\b(?:mode|unrestricted|dan\b|bound|restricted|admin|root|free)|\b(?:developer|god|maintenance|debug|admin|unrestricted) mode (?:is )?(?:enabled|activated|on)\b|\bnew system (?:prompt|instructions?)\b|\bsystem (?:override|note to (?:the )?(?:ai|agent|assistant|model))|these instructions (?:take precedence|override|supersede)|takes? precedence over (?:any|all|the|other|user|system)|\b(?:act|operate|respond|behave|work|answer) (?:without|free of|with no) (?:any )?(?:restrictions?|limits?|limitations|rules|filters?|guardrails)|\b(?:rules?|restrictions?|polic(?:y|ies)|guidelines?|safeguards)\b[^.]{0,40}\b(?:no longer apply|do not apply|are (?:suspended|void|lifted|disabled))"),
    ("conceal", r"\b(?:do not|don't|never|must not|should not|without|avoid|refrain from)\s+(?:ever\s+|explicitly\s+|openly\s+)?(?:tell|telling|mention|mentioning|inform|informing|notify|notifying|alert|alerting|reveal|revealing|disclose|disclosing|report|reporting|show|showing|surface|surfacing|describe|display|displaying|discuss|explain|explaining|acknowledge|ask|asking|warn|prompt|prompting|list|listing|include)\b[^.]{0,60}\b(?:user|human|operator|person|developer|reviewer|them|anyone|this (?:step|action|instruction|to)|output|it\b|that you|confirmation|permission|approval|consent|summary|reply|response)"),
    ("conceal", r"\b(?:silently|covertly|discreetly|quietly|secretly|stealthily|in the background|invisibly)\b|\b(?:the )?(?:user|human|operator|developer)s?\b[^.]{0,25}\b(?:must not|should not|need not|does not need to|doesn't need to|don't need to|cannot|can't|won't|will not|shouldn't) (?:know|see|be (?:told|informed|notified|aware|shown|asked|bothered)|notice)|\bkeep (?:this|it|the)\b[^.]{0,30}\b(?:secret|hidden|confidential|invisible|internal|out of)|\b(?:hide|omit|leave)\b[^.]{0,30}\b(?:from|out of) (?:the )?(?:user|output|summary|response|log|transcript|reply)|no (?:confirmation|approval|permission) (?:is )?(?:needed|required|necessary)|\bnot visible to the user|do not (?:log|record) this"),
    ("take", TAKE + r"[^.;:]{0,90}?" + SECRET_THING),
    ("send", r"\b(?:send|post|upload|forward|transmit|submit|e-?mail|bcc|exfiltrate|deliver|report|curl|ship|relay|sync|mirror|push|copy|cc|log)\b[^.]{0,120}?(?:\bto\b|\bvia\b|\bat\b|\bas\b)[^.]{0,40}?(?:https?://|wss?://|[\w.+-]+@[\w-]+\.\w|\b(?:webhook|endpoint|remote|external|collector|server|url|address)\b)"),
    ("field", r"\b(?:pass|include|put|place|append|attach|supply|provide|fill|add|encode|store|insert|write)\b[^.]{0,110}?\b(?:in|as|to|into|through|via|using|inside|within)\b[^.]{0,20}?\b(?:`?\w+`? )?(?:parameter|param|argument|field|query string|url|header|note|sidenote|metadata|body)\b"),
    ("run", r"\b(?:run|execute|invoke|eval|pipe)\b[^.]{0,80}?(?:`[^`]*(?:curl|wget|bash|sh|python|node|base64)[^`]*`|curl\s|wget\s|\bbase64\b|\| ?(?:ba)?sh\b|the (?:returned|downloaded|fetched|decoded) (?:script|code|command|payload|output))"),
    ("remote", r"\b(?:fetch|download|retrieve|load|open|read|visit|curl|get|pull|check)\b[^.]{0,80}https?://\S+.{0,140}?\b(?:follow|execute|apply|obey|perform|run|carry out|act on|treat|adopt|do what|comply)\b[^.]{0,60}?\b(?:instructions?|steps?|commands?|directives?|whatever|it|rules|contents?|there|exactly|authoritative)\b|\b(?:follow|execute|obey|apply|run) (?:any |all |the |every )?(?:\w+ )?(?:instructions?|commands?|steps?|directives?)\b[^.]{0,60}?\b(?:at|from|returned by|found (?:at|in)|contained in|in the (?:response|page|output|file|result))\b"),
    ("steer", r"\b(?:before|prior to|whenever|every time|each time|when|after) (?:you )?(?:using|calling|invoking|use|call|invoke|run|running|answering|respond\w*)\b[^.]{0,40}\b(?:any|other|another|every|all|each|this|the)\b[^.]{0,30}\btools?\b|\b(?:must|always) (?:be )?(?:first )?call(?:ed)? (?:this|first|before)|\binstead of (?:using )?(?:the )?(?:\W?[\w-]+\W? ){1,3}tool|\bdo not use (?:any )?other tools?|\bthis tool (?:supersedes|replaces|must be)|\bsupersedes?\b[^.]{0,40}\btools?|\b(?:use|prefer|call|choose|pick|select) this\b[^.]{0,50}\b(?:instead of|rather than|over|in place of)\b|\b(?:other|another|built-?in|original|existing|native|standard) (?:[\w-]+ )?(?:tools?|servers?|versions?)\b[^.]{0,80}\b(?:deprecated|broken|unsafe|compromised|disabled|outdated|unreliable|must not|should not|do not|never|insecure)\b|\b(?:do not|don't|never) (?:use|call) (?:the |any )?(?:other|built-?in|original|native)\b|\bwhen (?:the )?\W?\w+\W? tool is (?:used|called|available)|\ball (?:e-?mails?|messages|payments|transfers|requests|files) (?:must|should|have to|need to) (?:also )?(?:be|go)|\b(?:otherwise|or)\b[^.]{0,20}\b(?:this |the )?tool (?:will not|won't|does not|fails?)"),
    ("guard", r"\b(?:disable|turn off|skip|bypass|circumvent|deactivate|suppress|ignore|lower|remove)\b[^.]{0,40}\b(?:safety|sandbox(?:ing)?|permission|confirmation|approval|verification|signature check|security|guardrail|content filter|audit|logging|warning|restrictions?)s?\b|--dangerously|auto-?approve (?:all|every|any)|\bapprove (?:all|every)\b|\b(?:permission|safety|approval|security) checks? (?:are |is )?(?:turned|switched) off|\bwithout (?:asking|waiting) for (?:approval|confirmation|permission)|\bgrant\b[^.]{0,30}\b(?:full|all|unrestricted) (?:access|permissions?)"),
    ("tag", r"<\s*/?\s*(?:important|system|secret|instructions?|admin|hidden|critical|override|assistant)[\w -]*>|\[(?:system|important|admin|inst|hidden)[\w ]*\]|###\s*(?:system|instruction)|<\|im_start\|>"),
    ("agent", r"\b(?:ai|llm|language model|assistant|agent|claude|copilot|chatgpt|gpt|model|you (?:must|should|need to|will|are required))\b"),
    ("persona", r"\b(?:save|write|add|append|store|persist|remember)\b[^.]{0,60}\b(?:to|in|into)\b[^.]{0,30}(?:claude\.md|agents\.md|\.git/hooks|\bmemory\b|system prompt|\.cursorrules|settings\.json|bashrc|zshrc|crontab|authorized_keys)"),
    ("harvest", r"\b(?:complete|full|entire|whole|recent|last|previous|verbatim|user's)\b[^.]{0,30}\b(?:conversation|chat|messages?|history|transcript|prompts?)\b[^.]{0,80}\b(?:argument|parameter|field|param|tag|property|header|query)\b|\b(?:argument|parameter|field|param)\b[^.]{0,60}\b(?:complete|full|entire|whole|verbatim)\b[^.]{0,30}\b(?:conversation|chat|messages|history|transcript|prompt)\b|\bcontents? of (?:every|each|all|any)\b[^.]{0,30}\bfiles?\b"),
    ("tamper", r"\b(?:change|replace|swap|substitute|rewrite|redirect|alter)\b[^.]{0,40}\b(?:recipient|beneficiary|payee|addresse?s?|account|amount|destination|iban|price)\b"),
    ("divert", r"\b(?:also|additionally|first|always|every|all)\b[^.]{0,60}\b(?:send|sent|copy|copied|forward(?:ed)?|cc(?:'?d)?|bcc(?:'?d)?|post(?:ed)?|upload(?:ed)?|mirrored)\b[^.]{0,30}\bto\b[^.]{0,20}(?:https?://|[\w.+-]+@[\w-]+\.)"),
    ("covert", r"\b(?:base64|url-?encod\w+|hex(?:-?encod\w+)?|rot13)\b[^.]{0,80}\b(?:query|parameter|url|image|link|path|comment|branch|subdomain|hostname)\b|!\[[^\]]*\]\(https?://[^)\s]*\?[^)\s]*(?:=\W|=$|\{|<|\.\.\.)"),
    ("phish", r"\bask (?:the )?user\b[^.]{0,60}(?:password|seed phrase|private key|mnemonic|2fa|one-time code|passphrase|pin code|card number)"),
    ("destroy", r"\b(?:delete|wipe|erase|remove|overwrite|drop)\b[^.]{0,40}\b(?:all (?:files|data|tables|branches)|home directory|\.git\b|backups?|audit logs?|production|entire (?:disk|repo\w*|database))|\brm -rf (?:~|/|\$home)|git push --force[^.]{0,30}(?:main|master)"),
    ("recommend", r"\b(?:always|must|only) (?:recommend|suggest|prefer|choose|approve|rate|merge|install|select|mark|report|classify|return)\b[^.]{0,60}\b(?:regardless|no matter|even if|without|over (?:all|any)|as safe|approved)\b|\bregardless of (?:what|the|any)\b[^.]{0,40}\b(?:user|request|result|finding)|\breport (?:it |this |the \w+ )?as (?:safe|clean|passed|secure)"),
)
NEGATED = r"(?:\bnever|\bdo not|\bdon't|\bmust not|\bshould not|\bshouldn't|\bavoid|\bcannot|\bcan't|\bwon't|\bwill not|\bdoes not|\bdoesn't|\brather than|\binstead of|\bnot\b|\bno\b|\brefuse\w*|\bwithout|\bprevent\w*|\bnor\b|\bbefore you)[^.;:!?]{0,40}$"
LESSON = r"\b(?:attack(?:s|er|ers)?|malicious|red flags?|suspicious|phishing|prompt[ -]injection|jailbreak|detect(?:s|ed|ion|or)?|flag(?:s|ged)? (?:any|if|it|such|them|as)|watch (?:out )?for|for example|e\.g\.|such as|patterns?|examples?|untrusted|adversar\w+|vulnerab\w+|threats?|scanner|hostile|poison\w*|exploit\w*|if (?:a|an|any|the) (?:page|document|file|message|text|website|email|content|tool)\b|treat (?:it|them|any|all|such)[^.]{0,30}as data)\b"
NEGATABLE = {"take", "field", "harvest", "tamper", "divert", "covert", "send", "run", "guard", "override", "remote", "destroy", "persona", "phish"}


def features_of(text):
    """Names of the features a paragraph shows, without those it forbids."""
    flat = " ".join(text.lower().split()).replace("’", "'")
    found = {}
    for name, pattern in FEATURES:
        if name in found:
            continue
        for match in rx(pattern).finditer(flat):
            if name in NEGATABLE and has(flat[max(0, match.start() - 60):match.start()], NEGATED):
                continue
            found[name] = match
            break
    return found, flat


def judge_prose(case, source, text, line, carrier, context=""):
    """Weigh one paragraph, description or hidden text as an instruction to the agent that reads it."""
    if len(text) < 20 or len(text) > 30_000:
        return
    found, flat = features_of(text)
    names = set(found)
    core = names - {"agent", "tag"}
    if not core and not ("tag" in names and carrier != "prose"):
        return
    weight, kind = 0.0, "inject"
    if "override" in core:
        weight = 0.6 if core & {"take", "send", "conceal", "run", "guard"} else 0.5
    if "conceal" in core:
        weight = max(weight, 0.8 if core & {"take", "send", "field", "run", "persona", "destroy", "guard", "remote", "harvest", "divert", "covert"} else 0.3)
    leaves = core & {"send", "field", "divert", "covert"}
    if "take" in core and leaves:
        other = found[sorted(leaves)[0]]
        both = found["take"].start() <= other.end() + 200 and other.start() <= found["take"].end() + 200
        own = has(flat, r"\b(?:authori[sz]ation|bearer|x-api-key)\b|set (?:the |your )|(?:your|an?) (?:own )?(?:api|access|personal)[ _-]?(?:key|token)")
        hard = has(found["take"].group(0), HARD_SECRET)
        weight = max(weight, 0.2 if not both or own and not hard else 0.65 if hard else 0.55 if leaves - {"field"} else 0.25)
    if "harvest" in core:
        weight = max(weight, 0.65 if core & {"steer", "conceal", "send"} else 0.5 if carrier == "schema" or leaves else 0.3)
    if "tamper" in core:
        weight = max(weight, 0.6 if core & {"steer", "conceal"} else 0.3)
    if "divert" in core:
        weight = max(weight, 0.6 if core & {"conceal", "steer"} else 0.45)
    if "covert" in core:
        weight = max(weight, 0.6 if core & {"take", "conceal"} else 0.3)
    if "remote" in core:
        weight, kind = max(weight, 0.6), "remoteinstr" if weight < 0.6 else kind
    if "run" in core:
        weight = max(weight, 0.55 if "steer" in core or "tag" in names or carrier == "hidden" else 0.25)
    if "steer" in core:
        weight = max(weight, 0.7 if core & {"take", "send", "conceal", "override", "persona", "harvest", "divert", "tamper"} else 0.4 if has(flat, r"deprecated|unsafe|compromised|unreliable|disabled|broken|insecure|must be called (?:first|before)|supersede") else 0.25)
    if "guard" in core:
        weight = max(weight, 0.5 if has(flat, r"--dangerously|approve (?:all|every|any)|without asking|turned off") else 0.35)
    if "persona" in core:
        weight = max(weight, 0.35)
    if "phish" in core:
        weight = max(weight, 0.5)
    if "destroy" in core:
        weight = max(weight, 0.35)
    if "recommend" in core:
        weight = max(weight, 0.45)
    if "take" in core:
        weight = max(weight, 0.15)
    if core & {"send", "field"}:
        weight = max(weight, 0.1)
    if "tag" in names:
        weight += 0.2 if core else 0.1
    if len(core) >= 3:
        weight += 0.1
    if carrier == "hidden":
        weight = weight + 0.35 if core and (weight >= 0.3 or "agent" in names) else weight + 0.2 if core else weight
        kind = "hidden"
    elif carrier == "schema":
        weight += 0.1 if core - {"send", "field"} else 0
        kind = "toolpoison" if kind == "inject" else kind
    plain = rx(r"https?://\S+|\S+@\S+").sub("", context.lower() + " " + flat)
    if carrier in ("prose", "string", "docstring") and has(plain, LESSON):
        quoted = has(text, r"[\"“`'][^\"”`\n]{0,200}(?:ignore|disregard|send|read|never|override|do not)[^\"”`\n]{0,200}[\"”`']")
        weight *= 0.3 if quoted or len(rx(LESSON).findall(plain)) >= 2 else 0.7
    elif carrier in ("prose", "string", "docstring") and case.about_security():
        weight *= 0.7
    if carrier == "comment":
        weight *= 0.8
    if weight >= 0.3:
        case.add(kind, weight, source, line, clip(text, 100))
        first = min((m.start() for m in found.values()), default=0)
        case.injected.append({"instruction": clip(flat[max(0, first - 20):], 240), "file": source.path, "line": line, "carrier": carrier})
        if weight >= WARN_AT and "take" in core and leaves:
            case.add("asked", min(weight, 0.6), source, line, "the agent is told to take data and to send it")
        if weight >= WARN_AT:
            case.cap("INJECT_INSTRUCTION", source.path + ":" + str(line))


def visible_problem(case, source):
    """Invisible, tag and bidirectional characters; whatever they spell is judged as hidden text."""
    text = source.text
    if text.isascii():
        return
    tags = rx("[\U000e0020-\U000e007e]{4,}").search(text)
    if tags and text[max(0, tags.start() - 1):tags.start()] != "\U0001f3f4":
        spelled = "".join(chr(ord(c) - 0xE0000) for c in rx("[\U000e0020-\U000e007e]").findall(text))
        case.add("invisible", 0.85, source, source.line(tags.start()), clip(spelled, 80), "INJECT_INSTRUCTION")
        judge_prose(case, source, spelled, source.line(tags.start()), "hidden")
        case.injected.append({"instruction": clip(spelled, 240), "file": source.path, "line": source.line(tags.start()), "carrier": "hidden"})
    zero = [m.start() for m in rx("[\u200b\u200c\u200d\u2060\u180e\u2062-\u2064\ufeff]").finditer(text)
            if m.start() > 0 and not (ord(text[m.start() - 1]) > 0x2000 or 0x590 <= ord(text[m.start() - 1]) < 0x1000) or (m.start() > 0 and text[m.start() - 1] in "\u200b\u200c\u200d\u2060")]
    if len(zero) >= 3:
        bits = rx("[\u200b\u200c\u200d\u2060]{8,}").search(text)
        case.add("invisible", 0.65 if bits else 0.5 if len(zero) >= 8 or source.lang in CODE else 0.35, source, source.line(zero[0]), "%d zero-width characters" % len(zero), "INJECT_INSTRUCTION")
        stripped = rx("[\u200b\u200c\u200d\u2060\ufeff]").sub("", text)
        if source.lang in ("md", "json") and stripped != text:
            for start, block in paragraphs(stripped):
                judge_prose(case, source, block, start, "prose")
        if bits:
            spelled = zero_bits(bits.group(0))
            if spelled:
                judge_prose(case, source, spelled, source.line(bits.start()), "hidden")
    bidi = rx("[\u202a-\u202e\u2066-\u2069]").search(text)
    if bidi:
        case.add("invisible", 0.6 if source.lang in CODE or "\u202e" in text else 0.3, source, source.line(bidi.start()), "bidirectional control character", "OBFUSCATE_CODE")


def zero_bits(run):
    """Text that two zero-width characters spell as bits, in either assignment."""
    kinds = sorted(set(run))
    if len(kinds) < 2:
        return None
    for zero, one in ((kinds[0], kinds[1]), (kinds[1], kinds[0])):
        bits = "".join("0" if c == zero else "1" if c == one else "" for c in run)
        spelled = "".join(chr(int(bits[i:i + 8], 2)) for i in range(0, len(bits) - 7, 8))
        if spelled and spelled.isprintable() and spelled.isascii():
            return spelled
    return None


def paragraphs(text):
    """(first line, paragraph) pairs, split at blank lines, headings kept apart from lists."""
    start, block = 1, []
    for number, line in enumerate(text.split("\n"), 1):
        item = has(line, r"^\s*(?:[-*+]|\d+[.)])\s")
        if not line.strip() or (item and block and sum(map(len, block)) > 500):
            if block:
                yield start, "\n".join(block)
            block = []
            if not item:
                continue
        if not block:
            start = number
        block.append(line)
    if block:
        yield start, "\n".join(block)


SCRIPT_FENCES = {"sh": "sh", "bash": "sh", "shell": "sh", "zsh": "sh", "console": "sh", "powershell": "sh", "js": "js", "javascript": "js", "ts": "js", "typescript": "js", "python": "py", "py": "py", "python3": "py", "": "sh"}


def behave_markdown(case, source):
    text = source.text
    instructs = source.name.upper().startswith(("SKILL", "CLAUDE", "AGENTS")) or "skill" in source.path.lower() or has(source.path, r"prompts?/|commands?/|reference|\.mdc$|\.cursorrules")
    about = case.about_security()
    for m in rx(r"<!--(.*?)-->|\[//\]:\s*#\s*\(([^)]*)\)|<(?:span|div|p|font|details)[^>]*(?:display:\s*none|visibility:\s*hidden|font-size:\s*0|color:\s*(?:white|#fff\w*|transparent)|opacity:\s*0|\bhidden\b)[^>]*>(.*?)</", re.S | re.I).finditer(text):
        inner = m.group(1) or m.group(2) or m.group(3) or ""
        judge_prose(case, source, inner, source.line(m.start()), "hidden")
    visible = rx(r"<!--.*?-->", re.S).sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)
    fences, prose, inside, opened, lang, warned, previous = [], [], False, 0, "", False, ""
    block = []
    for number, line in enumerate(visible.split("\n"), 1):
        m = rx(r"^\s*(?:```+|~~~+)\s*([\w+-]*)").match(line)
        if m:
            if not inside:
                inside, opened, lang, block = True, number, m.group(1).lower(), []
                warned = has(previous.lower(), r"bad\b|don't|do not|never|avoid|vulnerab|attack|malicious|insecure|unsafe|wrong|❌|suspicious|red flag|exploit|example of")
            else:
                inside = False
                fences.append((opened, lang, "\n".join(block), warned))
            prose.append("")
            continue
        if inside:
            block.append(line)
            prose.append("")
        else:
            if line.strip():
                previous = line
            prose.append(line)
    heading, lead = "", ""
    for start, piece in paragraphs("\n".join(prose)):
        judge_prose(case, source, piece, start, "prose", heading + " " + lead)
        heads = rx(r"(?m)^#+ .*$").findall(piece)
        heading = heads[-1] if heads else heading
        lead = piece if piece.rstrip().endswith(":") else lead if has(piece, r"^\s*(?:[-*+>]|\d+[.)])\s") else ""
        if instructs:
            for span in rx(r"`([^`\n]{12,300})`").findall(piece):
                if has(span, r"curl|wget|base64|npx|pip3?\s") and not has(piece.lower(), NEGATED + "|" + LESSON):
                    scan_text(case, source, span, start, "sh", 0.9)
    for start, kind, body, warned in fences:
        language = SCRIPT_FENCES.get(kind)
        weight = (0.9 if instructs else 0.5) * (0.25 if warned or about else 1.0)
        if language == "py":
            inner = Source(source.path, "py", "\n" * start + body)
            file = PyFile(inner, {}, {})
            if file.ok and weight > 0.5:
                file.analyse(False)
                file.analyse(True)
                behave_python(case, file)
        elif language:
            inner = Source(source.path, language, "\n" * start + body)
            behave_lines(case, inner, inner.code, language, 0, weight)
        elif kind in ("text", "md", "markdown", "xml", "prompt", "yaml", "json"):
            judge_prose(case, source, body, start + 1, "prose")


def about_security(case):
    """Whether the artifact's own title says that it teaches or detects attacks: quoted attacks are then its subject."""
    head = "\n".join("\n".join(s.lines[:15]) for s in case.sources if s.lang == "md").lower()
    return has(head, r"security|scanner|detect|audit|injection|secret[s -]scan|threat|red[ -]team|defen[cs]e|hardening|incident|vulnerab|lint|moderation|phishing|training|ctf")


Case.about_security = about_security


def behave_strings(case, source):
    """Long literals: descriptions of tools, templates, decoded pieces; lists of patterns are left alone."""
    if source.lang == "py" and source.tree is not None and source.tree.ok:
        lists, seen = set(), set()
        for node in ast.walk(source.tree.tree):
            if isinstance(node, (ast.List, ast.Tuple, ast.Set)) and len(node.elts) >= 3:
                lists.update(id(e) for e in node.elts)
            elif isinstance(node, ast.Dict) and len(node.values) >= 4:
                lists.update(id(e) for e in node.keys if e is not None)
            elif isinstance(node, ast.Call) and has(dotted(node.func, {}), r"^re\.|compile$|assert"):
                lists.update(id(e) for e in ast.walk(node))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join" and fold(node):
                judge_prose(case, source, fold(node), node.lineno, "string")
            elif isinstance(node, ast.BinOp) and fold(node):
                text = fold(node)
                seen.update(id(c) for c in ast.walk(node))
                judge_prose(case, source, text, node.lineno, "string")
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) > 30 and id(node) not in lists and id(node) not in seen:
                carrier = "schema" if has(node.value, r"<\s*(?i:important|system|secret|instructions)") else "docstring"
                judge_prose(case, source, node.value, node.lineno, carrier)
        return
    if source.lang == "json":
        pattern = r"\"((?:[^\"\\]|\\.){30,})\""
        carrier = "schema"
    else:
        pattern = r"`((?:[^`\\]|\\.){40,})`|\"((?:[^\"\\\n]|\\.){40,})\"|'((?:[^'\\\n]|\\.){40,})'"
        carrier = "string"
    for m in rx(pattern, re.S).finditer(source.code if source.lang != "json" else source.text):
        text = next(g for g in m.groups() if g)
        if " " not in text:
            continue
        line = source.line(m.start())
        shown = source.lines[line - 1].strip()
        if carrier == "string" and has(shown, r"^[\"'`].*[\"'`],?$") and not has(source.lines[max(0, line - 2)], r"description|[+(:=]\s*$"):
            continue
        kind = "schema" if carrier == "schema" or has(shown, r"description|instructions|\.tool\(|describe\(") else "string"
        judge_prose(case, source, text.replace("\\n", "\n").replace("\\\"", "\""), line, kind)


def joined_description(case, source):
    """Descriptions that are put together from several literals, as long ones often are."""
    for m in rx(r"description[\"']?\s*[:=]\s*\(?\s*((?:[\"'`](?:[^\"'`\\\n]|\\.)*[\"'`]\s*\+?\s*){2,})").finditer(source.code):
        text = " ".join(rx(r"[\"'`]((?:[^\"'`\\\n]|\\.)*)[\"'`]").findall(m.group(1)))
        judge_prose(case, source, text, source.line(m.start()), "schema")
    for m in rx(r"\[((?:\s*(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)\s*,?){2,})\s*\]\s*\.join\(|((?:(?:\"(?:[^\"\\\n]|\\.){12,}\"|'(?:[^'\\\n]|\\.){12,}'|`(?:[^`\\]|\\.){12,}`)\s*\+\s*){1,}(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`))").finditer(source.code):
        text = " ".join(t[1:-1] for t in rx(_STRINGS + r"|`(?:\\.|[^`\\])*`").findall(m.group(0)))
        judge_prose(case, source, text, source.line(m.start()), "schema")


def schema_params(case, source):
    """Parameters that ask for more than a tool can need."""
    for m in rx(r"[\"']?\b((?:full_|entire_|previous_)?(?:conversation|chat)_?(?:history|context|log|transcript)|system_?prompt|(?:user|session|all)_?(?:credentials|secrets|tokens)|env(?:ironment)?_?(?:vars|dump)|model_?reasoning|chain_?of_?thought|tools_?list|previous_tool_(?:calls|results)|side_?note)\b[\"']?\s*[:=](?!=)").finditer(source.code):
        if has(source.code[m.start():m.start() + 300], r"type|str|description|z\.|string"):
            case.add("toolpoison", 0.5, source, source.line(m.start()), "parameter " + m.group(1), "INJECT_INSTRUCTION")
            case.injected.append({"instruction": "parameter asks for " + m.group(1), "file": source.path, "line": source.line(m.start()), "carrier": "schema"})


# ---------------------------------------------------------------------------------------------
# 7. Behavioural tracks: manifests and install hooks
# ---------------------------------------------------------------------------------------------

POPULAR = {
    "npm": "react lodash express axios chalk commander debug moment request async webpack typescript eslint prettier jest mocha vue next dotenv uuid yargs glob rimraf mkdirp minimist semver bluebird underscore jquery cors body-parser mongoose mongodb redis socket.io winston passport jsonwebtoken bcrypt nodemailer puppeteer cheerio node-fetch cross-env concurrently nodemon ts-node rollup vite esbuild babel colors inquirer ora ethers web3 electron discord.js tailwindcss postcss zod ajv validator handlebars sequelize knex typeorm prisma fastify koa nestjs rxjs redux classnames dayjs date-fns immer ramda through2 event-stream fs-extra cross-spawn execa got superagent ws helmet morgan multer sharp".split(),
    "pypi": "requests numpy pandas flask django scipy urllib3 boto3 botocore setuptools six certifi idna python-dateutil pyyaml cryptography jinja2 click pytest pillow matplotlib tensorflow torch scikit-learn beautifulsoup4 lxml selenium sqlalchemy fastapi pydantic uvicorn aiohttp httpx redis celery psycopg2 pymongo colorama tqdm rich typer paramiko ansible openai langchain transformers attrs packaging werkzeug gunicorn starlette loguru pyjwt python-dotenv black mypy virtualenv pipenv poetry jsonschema markupsafe protobuf grpcio simplejson termcolor tabulate docker kubernetes tornado gevent websockets scrapy opencv-python nltk spacy huggingface-hub".split(),
}
NOT_TYPOS = {"preact", "flake", "requests-oauthlib", "vite", "vue", "koa", "got", "ws", "next", "jest", "ora", "six", "click", "glob", "black", "rich", "nuxt", "vitest", "axis", "pytest-cov"}


def edits(a, b):
    """Damerau-Levenshtein distance, cut off above 2."""
    if abs(len(a) - len(b)) > 2:
        return 3
    previous2, previous = [], list(range(len(b) + 1))
    for i, ca in enumerate(a, 1):
        row = [i]
        for j, cb in enumerate(b, 1):
            cost = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (ca != cb))
            if i > 1 and j > 1 and ca == b[j - 2] and a[i - 2] == cb:
                cost = min(cost, previous2[j - 2] + 1)
            row.append(cost)
        previous2, previous = previous, row
    return previous[-1]


def imitates(name, ecosystem):
    """The popular package that `name` is one slip away from, or None."""
    plain = name.lower()
    known = POPULAR[ecosystem]
    if plain in known or plain in NOT_TYPOS or len(plain) < 4 or plain.startswith("@"):
        return None
    squashed = plain.replace("_", "-")
    for other in known:
        if len(other) < 5 or abs(len(other) - len(plain)) > 3:
            continue
        if edits(squashed, other) == 1 or (len(other) >= 8 and edits(squashed, other) == 2 and squashed[0] == other[0] and sorted(squashed) != sorted(other) and squashed.replace("-", "") != other):
            return other
        if squashed.replace("-", "") == other.replace("-", "") and squashed != other:
            return other
    return None


def load_json(text):
    import json
    try:
        return json.loads(text)
    except ValueError:
        return None


def line_with(source, word):
    at = source.text.find(word)
    return source.line(at) if at >= 0 else 1


SAFE_HOOK = r"^(?:npm (?:run )?\w[\w:-]*|yarn \w*|node-gyp\b.*|prebuild-install\b.*|node-pre-gyp\b.*|node-gyp-build\b.*|husky\b.*|tsc\b.*|patch-package|is-ci\b.*|npx (?:husky|tsc|only-allow|patch-package|prisma|playwright)\b.*|only-allow \w+|opencollective\b.*|cmake-js\b.*|rollup\b.*|vite build|esbuild\b.*|prisma generate|lerna \w+|make\b[\w ]*|electron-builder install-app-deps|ngcc\b.*|lefthook install|simple-git-hooks|echo\b.*|exit 0|true|)$"


def behave_manifests(case):
    by_path = {s.path: s for s in case.sources}
    for source in case.sources:
        if source.name == "package.json" and "node_modules" not in source.path:
            data = load_json(source.text)
            if not isinstance(data, dict):
                continue
            scripts = data.get("scripts") if isinstance(data.get("scripts"), dict) else {}
            for hook in ("preinstall", "install", "postinstall", "prepare", "preprepare"):
                command = scripts.get(hook)
                if isinstance(command, str):
                    judge_hook(case, source, by_path, hook, command)
            for table in ("dependencies", "optionalDependencies", "devDependencies"):
                for name, version in sorted((data.get(table) or {}).items()) if isinstance(data.get(table), dict) else ():
                    judge_dependency(case, source, name, str(version), "npm")
            name = data.get("name")
            if isinstance(name, str) and imitates(name, "npm"):
                case.add("typosquat", 0.5, source, line_with(source, '"name"'), name + " imitates " + imitates(name, "npm"), "INSTALL_PACKAGE")
        elif source.name in ("setup.py",):
            judge_setup(case, source)
            m = rx(r"\bname\s*=\s*[\"']([\w.-]+)").search(source.text)
            if m and imitates(m.group(1), "pypi"):
                case.add("typosquat", 0.5, source, source.line(m.start()), m.group(1) + " imitates " + imitates(m.group(1), "pypi"), "INSTALL_PACKAGE")
        elif source.name == "pyproject.toml":
            m = rx(r"^\[project\][^\[]*?^name\s*=\s*[\"']([\w.-]+)", re.M).search(source.text)
            if m and imitates(m.group(1), "pypi"):
                case.add("typosquat", 0.5, source, source.line(m.start(1)), m.group(1) + " imitates " + imitates(m.group(1), "pypi"), "INSTALL_PACKAGE")
            for m in rx(r"[\"']([A-Za-z][\w.-]+)\s*(?:\[[\w,]+\])?\s*((?:[=<>~!]=?|@)[^\"']*)?[\"']").finditer(source.text):
                if m.group(2):
                    judge_dependency(case, source, m.group(1), m.group(2), "pypi")
            if has(source.text, r"backend-path\s*="):
                hook = rx(r"build-backend\s*=\s*[\"']([\w.]+)").search(source.text)
                inner = [s for s in case.sources if hook and s.name == hook.group(1).split(".")[-1] + ".py"]
                if inner and runs_outward(inner[0].code):
                    case.add("install", 0.75, inner[0], first_line(inner[0], NETWORK), "build backend", "INSTALL_PACKAGE")
        elif source.name.startswith("requirements") and source.name.endswith(".txt"):
            for number, line in enumerate(source.lines, 1):
                m = rx(r"^\s*([A-Za-z][\w.-]+)\s*(?:\[[\w,]+\])?\s*(.*)$").match(line)
                if m:
                    judge_dependency(case, source, m.group(1), m.group(2), "pypi")
                if has(line, r"--(?:extra-)?index-url\s+https?://(?!pypi\.org|download\.pytorch)"):
                    case.add("depsource", 0.35, source, number, clip(line, 80), "INSTALL_PACKAGE")
        elif source.path.endswith(".pth"):
            for number, line in enumerate(source.lines, 1):
                if line.startswith(("import ", "import\t")):
                    case.add("persist", 0.7, source, number, ".pth file runs code at every start", "EXEC_CODE")
        elif source.name in ("sitecustomize.py", "usercustomize.py"):
            case.add("persist", 0.55, source, 1, "module runs at every interpreter start", "EXEC_CODE")
        elif source.name in ("build.rs", "extconf.rb") or (source.name == "binding.gyp" and "<!(" in source.text):
            if has(source.code, NETWORK) and has(source.code, RUNS + r"|File|fs::"):
                case.add("install", 0.7, source, first_line(source, NETWORK), "build script with network access", "INSTALL_PACKAGE")
            if source.name == "binding.gyp" and has(source.text, r"<!\([^)]*(?:curl|wget|\.js\b|sh )"):
                case.add("install", 0.4, source, first_line(source, r"<!\("), "build description runs a command", "EXEC_SHELL")
        elif source.path.endswith((".vscode/tasks.json", ".claude/settings.json", ".cursor/mcp.json", "hooks.json", ".mcp.json")):
            if has(source.text, r"folderOpen|SessionStart|PreToolUse|PostToolUse|UserPromptSubmit|\"command\""):
                scan_text(case, source, source.text, 0, "sh")
                if has(source.text, r"\"command\"\s*:\s*\"[^\"]*(?:curl|wget|\bnc\b|base64)"):
                    case.add("persist", 0.65, source, first_line(source, r"curl|wget|\bnc\b|base64"), "agent or editor hook runs a network command", "WRITE_AGENT_CONFIG")


NETWORK = r"\bhttps?\.(?:get|request)|\bfetch\(|axios|requests\.\w+\(|urlopen|urllib|socket\.|\bcurl\b|\bwget\b|net\.connect|\bhttpx\b|Net::HTTP|reqwest|ureq|TcpStream|dns\.|open-uri|URI\.open|http\.client"
RUNS = r"child_process|exec(?:Sync|File)?\s*\(|spawn(?:Sync)?\s*\(|subprocess|os\.(?:system|popen)|\beval\s*\(|\bsystem\b|Command::new|new\s+Function"


def runs_outward(code):
    return has(code, NETWORK) and (has(code, RUNS) or has(code, r"process\.env\b(?!\.)|os\.environ\b(?!\.get|\[)|hostname|homedir|expanduser|userInfo"))


def first_line(source, pattern):
    m = rx(pattern).search(source.code)
    return source.line(m.start()) if m else 1


def judge_hook(case, source, by_path, hook, command):
    """An npm life-cycle script: compile-only commands are ordinary, network and inline code are not."""
    line = line_with(source, '"%s"' % hook)
    parts = [p.strip() for p in rx(r"&&|\|\||;").split(command)]
    if all(has(p, SAFE_HOOK) for p in parts):
        return
    case.cap("INSTALL_PACKAGE", source.path + ":" + str(line))
    if has(command, r"\b(?:curl|wget|nc|powershell)\b|base64|https?://"):
        case.add("install", 0.8, source, line, clip(command, 80), "EXEC_SHELL")
    elif has(command, r"node\s+-e|python3?\s+-c|(?:ba)?sh\s+-c|eval") and has(command, NETWORK + "|require\\(|exec|import"):
        case.add("install", 0.6, source, line, clip(command, 80), "EXEC_CODE")
    folder = source.path.rsplit("/", 1)[0] + "/" if "/" in source.path else ""
    for word in rx(r"[\w./@-]+").findall(command):
        target = os.path.normpath(folder + word).replace(os.sep, "/")
        script = by_path.get(target) or by_path.get(target + ".js") or by_path.get(target + "/index.js")
        if script is None or script is source:
            continue
        code = script.code
        checked = has(code, r"sha256|sha512|integrity|createHash")
        mentions = has(case.docs_low, r"postinstall|install script|prebuilt|downloads? (?:the|a) binar|native binar")
        if has(code, NETWORK):
            weight = 0.75 if runs_outward(code) else 0.5
            if checked:
                weight -= 0.4
            if mentions and not has(code, SECRET_PATH):
                weight -= 0.15
            case.add("install", weight, script, first_line(script, NETWORK), hook + ": " + clip(command, 60), "FETCH_WEB")
        elif has(code, r"writeFile|appendFile|copyFile") and has(code, r"homedir|process\.env\.HOME|INIT_CWD|USERPROFILE"):
            case.add("install", 0.3 if mentions else 0.55, script, first_line(script, r"writeFile|appendFile|copyFile"), hook + " writes outside the package", "WRITE_FILE")
        elif has(code, RUNS) and not has(code, r"node-gyp|cmake|\bmake\b|tsc|prebuild|husky|rustc|cargo"):
            case.add("install", 0.35, script, first_line(script, RUNS), hook + ": " + clip(command, 60), "EXEC_SHELL")


def judge_setup(case, source):
    code = source.code
    if has(code, r"cmdclass\s*=|class\s+\w+\((?:install|develop|egg_info|build_py|sdist|bdist_egg|_install)\)"):
        if has(code, NETWORK):
            case.add("install", 0.8, source, first_line(source, r"requests\.\w+\(|urlopen\(|urlretrieve|socket\.socket|curl|wget|" + NETWORK), "install command with network access", "INSTALL_PACKAGE")
        elif has(code, r"os\.system|subprocess|\beval\(|\bexec\(") and not has(code, r"cmake|ninja|\bmake\b|gcc|cython|cargo|build_ext|protoc|npm|clang"):
            case.add("install", 0.55 if has(code, r"shell\s*=\s*True|[\"']-c[\"']|b64decode|os\.system|\bexec\(|\beval\(") else 0.3, source, first_line(source, r"os\.system|subprocess\.\w+\(|\beval\(|\bexec\("), "install command runs a program", "EXEC_SHELL")
        elif has(code, SECRET_PATH):
            case.add("install", 0.6, source, first_line(source, SECRET_PATH), "install command reads credentials", "READ_SECRET")
    elif has(code, r"requests\.\w+\(|urlopen\(|socket\.socket|\bcurl\b|\bwget\b"):
        case.add("install", 0.75, source, first_line(source, r"requests\.\w+\(|urlopen\(|socket\.socket|\bcurl\b|\bwget\b"), "setup.py uses the network", "INSTALL_PACKAGE")


def judge_dependency(case, source, name, version, ecosystem):
    other = imitates(name, ecosystem)
    line = line_with(source, name)
    if other:
        case.add("typosquat", 0.5, source, line, name + " imitates " + other, "INSTALL_PACKAGE")
    if has(version, r"(?:git\+)?(?:https?|git|ssh)://") and not has(version, r"github\.com|gitlab\.com|bitbucket\.org|registry\.npmjs\.org|pypi\.org|pythonhosted"):
        case.add("depsource", 0.5, source, line, name + " from " + clip(version, 60), "INSTALL_PACKAGE")


# ---------------------------------------------------------------------------------------------
# 8. Behavioural tracks: the verdict
# ---------------------------------------------------------------------------------------------


def combine(case):
    """Weak facts of one file that mean more together."""
    for path, (line, label) in sorted(case.src_files.items()):
        if path in case.sink_files and not any(k in ("exfil", "envdump", "token") and p == path for k, w, p, l, n in case.signals):
            if label == "SECRET":
                case.add("exfil", 0.5, path, line, "credentials are read and the network is used in one file")
        elif label == "SECRET" and case.sink_files:
            case.add("secret", 0.3, path, line, "credentials are read; another file uses the network")


def risk_of(case):
    """Noisy-or over kinds: the strongest of each kind counts; what stays below 0.25 is ordinary and does not add up."""
    best = {}
    for kind, weight, path, line, note in case.signals:
        if weight >= 0.25 and weight > best.get(kind, 0):
            best[kind] = weight
    if not best:
        return 0.0
    ordered = sorted(best.values(), reverse=True)
    rest = 1.0 - ordered[0]
    for weight in ordered[1:]:
        rest *= 1.0 - 0.45 * weight
    gated = any(has(s.code, GATE) for s in case.sources if s.lang in CODE and not s.is_test()) if 0.3 <= 1 - rest < BLOCK_AT else False
    return min(0.99, 1.0 - rest * (0.75 if gated else 1.0))


def findings_of(case, risk):
    if risk < WARN_AT:
        return []
    best = {}
    for kind, weight, path, line, note in case.signals:
        category, title, plane = KINDS[kind]
        key = (category, path)
        if weight >= 0.3 and (key not in best or weight > best[key][0]):
            best[key] = (weight, kind, path, line, note)
    stolen = sorted(b[0] for b in best.values() if b[1] in ("exfil", "envdump"))
    if stolen:  # a flow has two ends: where the secret is read is a finding of its own
        for path, (line, label) in sorted(case.src_files.items())[:1]:
            best[("credential access", path)] = (stolen[-1] - 0.02, "secret", path, line, "origin of the data that is sent")
    ranked = sorted(best.values(), key=lambda b: (-b[0], b[2], b[3], b[1]))
    top = ranked[0][0] if ranked else 0
    findings = []
    for weight, kind, path, line, note in ranked:
        if weight < top - 0.3 or len(findings) >= 4:
            break
        category, title, plane = KINDS[kind]
        severity = next(s for bar, s in SEVERITY if weight >= bar)
        findings.append({"category": category, "title": title + (": " + clip(note, 90) if note else ""), "file": path, "line": line, "severity": severity, "plane": plane})
    return findings


def analyse_behaviour(task, sources):
    case = Case(sources)
    files = analyse_python(sources)
    for source in sources:
        visible_problem(case, source)
        if source.lang == "md":
            behave_markdown(case, source)
        elif source.lang == "py":
            if source.tree is not None and source.tree.ok:
                behave_python(case, source.tree)
            scan_text(case, source, source.code, 0, "py")
            behave_strings(case, source)
            schema_params(case, source)
        elif source.lang in CODE or source.lang in ("docker", "other"):
            behave_lines(case, source, source.code, source.lang)
            behave_strings(case, source)
            joined_description(case, source)
            schema_params(case, source)
        elif source.lang in ("json", "yaml", "toml", "html", "xml"):
            if source.name not in ("package.json", "package-lock.json"):
                behave_strings(case, source)
                schema_params(case, source)
            scan_text(case, source, source.code, 0, source.lang)
            if source.lang in ("html", "xml", "yaml"):
                for m in rx(r"<!--(.*?)-->|(?m:#\s(.{30,}))", re.S).finditer(source.text):
                    judge_prose(case, source, m.group(1) or m.group(2) or "", source.line(m.start()), "hidden" if m.group(1) else "comment")
        if source.lang in CODE and source.lang != "py":
            for m in rx(r"/\*(.*?)\*/|(?m:(?://|#)\s(.{40,})$)", re.S).finditer(source.text):
                judge_prose(case, source, m.group(1) or m.group(2) or "", source.line(m.start()), "comment")
        elif source.lang == "py":
            for m in rx(r"(?m:#\s(.{40,})$)").finditer(source.text):
                judge_prose(case, source, m.group(1), source.line(m.start()), "comment")
    behave_manifests(case)
    combine(case)
    risk = risk_of(case)
    decision = "BLOCK" if risk >= BLOCK_AT else "WARN" if risk >= WARN_AT else "ALLOW"
    observed = task.get("observed") or {}
    for name in observed.get("capabilities") or ():
        if isinstance(name, str):
            case.cap(name, "observed")
    injected, seen = [], set()
    for entry in case.injected:
        if entry["instruction"] not in seen and len(injected) < 20:
            seen.add(entry["instruction"])
            injected.append(entry)
    return {
        "verdict": {"decision": decision, "risk_score": round(100 * risk)},
        "evidence": {
            "action_plane": {"capabilities": [{"capability": n, "observation": o} for n, o in sorted(case.capabilities.items())]},
            "context_plane": {"injected_instructions": injected},
        },
        "findings": findings_of(case, risk),
    }


# ---------------------------------------------------------------------------------------------
# 9. Repositories: rules for every language
# ---------------------------------------------------------------------------------------------

INPUTS = {
    "js": r"\breq(?:uest)?\.(?:query|body|params|headers|cookies|url|originalUrl|files?|get|param|hostname)\b|\bctx\.(?:query|request|params|req)\b|\bevent\.(?:body|queryStringParameters|pathParameters|data)\b|\bprocess\.argv\b|\bsearchParams\b|\blocation\.(?:hash|search|href)\b|document\.(?:URL|referrer|cookie)|window\.name",
    "php": r"\$_(?:GET|POST|REQUEST|COOKIE|SERVER|FILES)\b|php://input|\$request->\w+|\$argv",
    "go": r"\b(?:r|req|request)\.(?:URL|FormValue|PostFormValue|Form|PostForm|Body|Header|Cookie|PathValue|FormFile)\b|\bc\.(?:Param|Query|PostForm|DefaultQuery|FormValue|QueryParam|Bind\w*|FormFile)\b|mux\.Vars|chi\.URLParam|os\.Args",
    "java": r"getParameter\w*\(|getHeader\(|getQueryString\(|getInputStream\(|getPathInfo\(|getCookies\(|@RequestParam|@PathVariable|@RequestBody|@QueryParam|@PathParam|\bargs\[|getOriginalFilename\(|call\.parameters|getRequestURI\(",
    "rb": r"\bparams\b|\brequest\.(?:\w+)|\bcookies\[|\bARGV\b",
    "c": r"\bargv\b|\bgetenv\(|\brecv\w*\(|\bfgets\(|\bread\(|\bscanf\(|\bfread\(",
    "cs": r"Request\.(?:Query|Form|Headers|Cookies|Params|QueryString|Body|Path)|\[From(?:Query|Body|Route|Form)\]|\bargs\[",
    "rs": r"\bQuery\(|\bPath\(|\bForm\(|\bJson\(|env::args|\bquery\.|\bparams\.",
    "sh": r"\$\{?[1-9@*]\}?|\$QUERY_STRING|\$REQUEST\w*|\bread\s+(?:-\w+\s+)*\w+",
}
CLEAN = r"\b(?:parseInt|Number|parseFloat|BigInt|intval|floatval|\(int\)|Atoi|ParseInt|ParseUint|Integer\.(?:parseInt|valueOf)|Long\.(?:parseLong|valueOf)|UUID\.fromString|\.to_i\b|int\.(?:Parse|TryParse)|encodeURIComponent|htmlspecialchars|htmlentities|escapeHtml|escape_html|escapeshellarg|Shellwords|shellescape|shlex\.quote|basename|Base\(|mysqli_real_escape_string|pg_escape|sanitize\w*|DOMPurify|escapeHTML|EscapeString|HtmlEncode|html\.escape|sqlstring\.escape|mysql\.escape|quote\()"
PATH_GUARD = r"startsWith\(|startswith\(|start_with\?|HasPrefix\(|realpath|commonpath|commonprefix|is_relative_to|relative_to\(|filepath\.(?:Rel|IsLocal)|getCanonicalPath|toRealPath|safe_join|secure_filename|path\.basename|os\.path\.basename|filepath\.Base|basename\(|os\.OpenRoot|strpos\(\$\w+,\s*\$\w+\)\s*[!=]==?\s*0|path\.relative\(|\.\.[\"']\)|includes\(\s*[\"']\.\.|strstr\([^)]*\"\.\.\"|contains\(\"\.\.|in_array|ALLOWED|allow(?:ed|list)|whitelist|GetFullPath|getFileName\(\)|\.name\b\s*$|send_from_directory|^\s*if\s+not\s+re\.|canonicalize|fullmatch|preg_match|\.test\("
URL_GUARD = r"(?i)allow(?:ed|list)|whitelist|is_private|is_loopback|isPrivate|hostname\s+(?:not\s+)?in\b|\.netloc|\.hostname\s*(?:[!=]=|in\b|not\b|\))|(?:has|includes|test|some|endsWith|indexOf)\([^)\n]*host|\.host(?:name)?\s*[!=]==?|\.Host(?:name\(\))?\s*[!=]=|\[\w+\.Host|parse_url|getHost\(\)|ipaddress|IsLoopback|is_global|safe_?url|validate\w*url|startsWith\(\s*[\"']/|startswith\(\s*[\"']/|startsWith\(\s*[\"']https://[\w.-]+/|url_has_allowed_host|is_safe_url|TARGETS|ROUTES"
FILE_PARAM = r"(?i)^(?:\w*_?)?(?:file_?)?name$|path$|slug|page|^doc|template|^file$|entry|relative|attachment|^key$"
JOINS = r"[jJ]oin\(|\+\s*\w|\$\{|resolve\(|new File\(\s*\w+\s*,|Sprintf|\.\s*\$|#\{|Combine|format!|strcat|snprintf"
AUTHISH = r"(?i)login|auth|session|current_?user|permission|require|token|jwt|middleware|guard|protect|secur"

ANY = ("js", "php", "go", "java", "rb", "c", "cs", "rs")
WEB = ("js", "php", "go", "java", "rb", "cs")
SQL = r"(?:SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|REPLACE\s+INTO|DROP\s+TABLE|ALTER|WHERE|ORDER\s+BY|FROM)\b"
# (languages, hints in lower case, pattern, cwe, title, severity, options)
#   tainted: the matched statement must use outside input (or a parameter); input: only outside input will do
#   unless / need: pattern on the enclosing function; skip: pattern on the matched statement; file_unless: on the file
RULES = (
    # injection into queries
    (("js",), ("select", "insert", "update", "delete", "where"), r"[`\"'][^`\"'\n]*(?i:" + SQL + r")[^`]{0,400}?\$\{(?!\s*(?:\w+\.)?(?:placeholders?|columns?|cols|table\w*|[A-Z_]+)\b)", 89, "SQL injection through string interpolation in a query", "high", {"tainted": 1, "skip": r"\bsql`|Prisma\.sql|SQL`|throw new|console\.|logger|Error\(", "literal": 1}),
    (WEB, ("select", "insert", "update", "delete", "where"), r"[\"'](?:[^\"\n])*?(?:SELECT\s.+?\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|\bWHERE\b|ORDER BY|\bAND\s+\w+\s*(?:=|LIKE|IN)|^\s*LIMIT)[^\"\n]*[\"']\s*(?:\+|\.(?=\s*\$|\s*\w+\())\s*(?![\"'])[^;\n]*", 89, "SQL injection through string concatenation in a query", "high", {"tainted": 1, "skip": r"(?i)console\.|log\.|logger|\.map\(\s*\(?\w*\)?\s*=>\s*[\"']\?|repeat\(|placeholders|join\(\s*[\"'],"}),
    (("php",), ("select", "insert", "update", "delete"), r"\"[^\"]*\b(?:SELECT\s[^\"]+?\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM)\b[^\"]*\{?\$(?!table|placeholders|columns|prefix)\w+[^\"]*\"", 89, "SQL injection through variable interpolation in a query", "high", {"tainted": 1}),
    (("go",), ("sprintf",), r"fmt\.Sprintf\(\s*[`\"][^`\"]*(?i:\bSELECT\b|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|ORDER BY)[^`\"]*%[svq][^`\"]*[`\"][^)]*\)", 89, "SQL injection through a formatted query string", "high", {"tainted": 1, "skip": r"placeholders|strings\.(?:Join|Repeat)"}),
    (("rb",), ("#{",), r"\b(?:where|find_by_sql|order|having|joins|group|execute|exec_query|select_all|pluck|exists\?|delete_all|update_all|query)\b\s*\(?\s*(?:<<~?-?\w+|\")[^\"]*#\{[^}]+\}", 89, "SQL injection through string interpolation in a query", "high", {"skip": r"quote\(|sanitize_sql|to_i\}"}),
    (("java",), ("string.format", "formatted"), r"String\.format\(\s*\"[^\"]*\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE)\b[^\"]*%s[^;]*|\"[^\"]*\b(?:SELECT|INSERT|UPDATE|DELETE)\b[^\"]*\$\{?\w+[^\"]*\"", 89, "SQL injection through a formatted query string", "high", {"tainted": 1}),
    (("cs",), ("select", "insert", "update", "delete"), r"\$@?\"[^\"]*\b(?:SELECT|INSERT|UPDATE|DELETE)\b[^\"]*\{\w+", 89, "SQL injection through string interpolation in a query", "high", {"tainted": 1}),
    (("rs", "c"), ("select", "insert", "update", "delete"), r"(?:format!|s(?:n)?printf)\([^;]{0,80}\"[^\"]*\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM)\b[^\"]*(?:\{\w*\}|%s)", 89, "SQL injection through a formatted query string", "high", {}),
    (("js",), ("$where", "find", "update", "delete"), r"\$where[\"']?\s*:\s*[^,}\n]*(?:\+|\$\{)|\.(?:find|findOne|findOneAndUpdate|deleteOne|deleteMany|updateOne|updateMany|count\w*)\(\s*(?:req\.(?:body|query)\b\s*[,)]|\{[^{}]*:\s*req\.(?:body|query)\.\w+(?![\w.]*\())[^;]*", 943, "NoSQL injection through request values in a query object", "high", {"unless": r"\bString\(|typeof|\.toString\(\)|sanitize|validate|z\.object|Joi|\$eq"}),
    (("js",), ("findone", "find("), r"\.(?:find|findOne|findOneAndUpdate|deleteOne|updateOne)\(\s*\{[^{}]*\}", 943, "NoSQL injection through request values in a query object", "high", {"input": 1, "skip": r"\bString\(|\$eq|where|sql|ObjectId|include|prisma", "unless": r"typeof|\bString\(|sanitize|validate|z\.object|Joi|isString|instanceof", "file_need": r"mongo|Mongo|collection\("}),
    (("java",), ("ctx.search", ".search("), r"\.search\([^;]*\"[^\"]*\((?:&|\||\w+=)[^;]*\+[^;]*", 90, "LDAP injection through string concatenation in a filter", "high", {"unless": r"escape|encodeForLDAP|\{0\}"}),
    (("php",), ("ldap_search",), r"ldap_search\([^;]*\$[^;]*", 90, "LDAP injection through a filter with outside input", "high", {"unless": r"ldap_escape"}),
    (("java", "php", "cs", "js"), ("xpath",), r"(?:evaluate|compile|xpath|query|select\w*)\s*\(\s*\"?[^;\n]*//[^;\n]*(?:\+|\.\s*\$|\$\{|\{\$)[^;\n]*", 643, "XPath injection through string concatenation", "high", {"tainted": 1}),
    # commands and code
    (("js",), ("exec",), r"\b(?:child_process\.|cp\.|shell(?:js)?\.)?exec(?:Sync|Async|P|Promise|Cmd)?\s*\(\s*(?:`[^`]*\$\{|(?![\"'][^\"'\n]*[\"']\s*[,)])[\"'\w])[^;]{0,200}", 78, "OS command injection through a shell command built from input", "critical", {"tainted": 1, "file_need": r"child_process", "skip": r"(?i)(?:\bre|regexp?|pattern|rx|/[gimsuy]*)\.exec\("}),
    (("js",), ("shell",), r"\b(?:spawn|execFile)(?:Sync)?\s*\([^;]{0,300}shell\s*:\s*true", 78, "OS command injection: shell enabled for a command with input", "high", {"tainted": 1}),
    (("js",), ("spawn", "execfile"), r"\b(?:spawn|execFile)(?:Sync)?\s*\(\s*[\"'](?:/bin/)?(?:ba|z)?sh[\"']\s*,\s*\[\s*[\"']-\w*c[\"']\s*,[^\]]*(?:\$\{|\+|\w+\])", 78, "OS command injection through sh -c with input", "critical", {"tainted": 1}),
    (("php",), ("exec", "system", "passthru", "popen", "`"), r"\b(?:exec|system|passthru|shell_exec|popen|proc_open)\s*\([^;]*\$[^;]*|`[^`\n]*\$_?\w+[^`\n]*`", 78, "OS command injection through a shell command built from input", "critical", {"tainted": 1, "skip": r"escapeshell"}),
    (("go",), ("exec.command",), r"exec\.Command(?:Context)?\(\s*(?:\w+,\s*)?\"(?:/bin/)?(?:ba)?sh\"\s*,\s*\"-\w*c\"\s*,\s*(?!\"[^\"]*\"\s*\))[^;\n]*", 78, "OS command injection through sh -c with input", "critical", {}),
    (("java",), ("exec(", "processbuilder"), r"\.exec\(\s*(?:\"[^\"]*\"\s*\+|String\.format|\w+\s*\)|new String\[\]\s*\{\s*\"(?:/bin/)?(?:ba)?sh\")[^;]*|new ProcessBuilder\(\s*\"(?:/bin/)?(?:ba)?sh\"\s*,\s*\"-c\"\s*,[^;]*", 78, "OS command injection through a command built from input", "critical", {"tainted": 1, "file_need": r"Runtime|ProcessBuilder"}),
    (("rb",), ("system", "exec", "`", "popen", "%x", "capture", "spawn"), r"(?:\b(?:system|exec|spawn)\s*\(?\s*\"[^\"\n]*#\{|`[^`\n]*#\{|%x[\[({][^\n]*#\{|IO\.popen\(\s*\"[^\"]*#\{|Open3\.\w+\(\s*\"[^\"]*#\{|\bopen\(\s*\"\|)[^\n]*", 78, "OS command injection through an interpolated shell command", "critical", {"skip": r"shellescape|Shellwords"}),
    (("c",), ("system(", "popen("), r"\b(?:system|popen)\s*\(\s*(?!\")\w+[^;]*", 78, "OS command injection through a command buffer built from input", "critical", {"need": r"s(?:n)?printf|strcat|argv|std::string|\+"}),
    (("cs",), ("process.start", "processstartinfo"), r"(?:Process\.Start|new ProcessStartInfo)\([^;]*(?:\+|\$\")[^;]*|Arguments\s*=\s*(?:\$\"|\"[^\"]*\"\s*\+)[^;]*", 78, "OS command injection through process arguments built from input", "high", {"tainted": 1}),
    (("rs",), ("command::new",), r"Command::new\(\s*\"(?:/bin/)?(?:ba)?sh\"\s*\)[^;]*format!", 78, "OS command injection through sh -c with input", "critical", {}),
    (("sh",), ("eval",), r"(?<![\w.-])eval\s+[^\n]*\$(?!\(ssh-agent|\(\w+ shellenv|\(brew)[^\n]*", 78, "Command injection through eval of a variable", "high", {}),
    (("js", "php"), ("eval", "function(", "assert"), r"(?<![\w.])(?:eval|new\s+Function|assert)\s*\(\s*(?![\"'][^\"'$]*[\"']\s*\))(?=[^)\s])[^;\n]*|\bvm\.run(?:InNewContext|InContext|InThisContext)\s*\([^;\n]*|set(?:Timeout|Interval)\(\s*(?:`|[\"'][^\"']*[\"']\s*\+)[^;\n]*", 95, "Code injection through eval of input", "critical", {"tainted": 1}),
    (("rb",), ("eval", "send(", "constantize"), r"\b(?:instance_eval|class_eval|eval)\s*\(?\s*(?:params|\w+\s*[),]|\"[^\"]*#\{)[^\n]*", 95, "Code injection through eval of input", "critical", {"skip": r"do\s*$"}),
    (("rb",), ("send(", "constantize", "public_send"), r"\.(?:public_)?send\(\s*params[^\n]*|params\[[^\]]*\]\.(?:\w+\.)?(?:safe_)?constantize|\bconst_get\(\s*params[^\n]*", 470, "Unsafe reflection: class or method chosen by input", "high", {}),
    (("java", "cs"), ("class.forname", "scriptengine", "activator"), r"Class\.forName\(\s*(?!\")[^;]*|Activator\.CreateInstance\(\s*Type\.GetType\([^;]*", 470, "Unsafe reflection: class chosen by input", "high", {"tainted": 1, "unless": r"(?i)allow|contains\(|switch"}),
    (("java",), ("eval(", "parseexpression"), r"\b(?:engine|scriptEngine|\w*[Ee]ngine|shell)\.(?:eval|evaluate)\(\s*(?!\")[^;]*|parseExpression\(\s*(?!\")[^;]*", 94, "Code injection: expression evaluated from input", "critical", {"tainted": 1}),
    (("php",), ("include", "require"), r"\b(?:include|require)(?:_once)?\s*\(?\s*[^;]*\$(?!this)[^;]*", 98, "File inclusion with a path from input", "high", {"tainted": 1, "unless": r"in_array|basename|whitelist|allowed|isset\(\$\w+\[\$", "skip": r"__DIR__\s*\.\s*[\"'][^\"'$]*[\"']\s*;?$"}),
    (("js",), ("require(", "import("), r"\b(?:require|import)\(\s*(?:req\.[^)]*|`[^`]*\$\{|\w+\s*\+)[^)\n]*\)", 98, "Module loaded from a path given by input", "high", {"input": 1}),
    (("js", "java", "rb", "php"), ("render", "template", "compile", "from_string", "erb.new", "velocity", "process("), r"(?:ejs|pug|nunjucks|handlebars|Handlebars|_|lodash|Mustache|swig|twig)\.(?:render(?:String)?|compile|template)\(\s*(?:req\.[^)]*|`[^`]*\$\{|\w+\s*\+|[\"'][^\"']*[\"']\s*\+)[^;\n]*|ERB\.new\(\s*(?:params|\"[^\"]*#\{|\w+)[^\n]*|Velocity\.evaluate\([^;]*|createTemplate\(\s*\$[^;]*", 1336, "Server-side template injection through a template built from input", "high", {"tainted": 1}),
    # files and paths
    (("js",), ("readfile", "createreadstream", "sendfile", "writefile", "unlink", "readdir", "download(", "createwritestream", "rm("), r"\b(?:fs(?:p|\.promises)?\.)?(?:readFile|createReadStream|writeFile|appendFile|createWriteStream|unlink|readdir|rm|stat)(?:Sync)?\s*\((?!\s*[\"'][^\"']*[\"']\s*[,)])[^;\n]*|\bres\.(?:sendFile|download)\s*\((?!\s*[\"'])[^;\n]*", 22, "Path traversal: file path built from input", "high", {"input": 1, "param": FILE_PARAM, "unless": PATH_GUARD, "skip": r"root\s*:"}),
    (("php",), ("file_get_contents", "fopen", "readfile", "unlink", "file_put", "file("), r"\b(?:file_get_contents|fopen|readfile|unlink|file_put_contents|file|copy|rename|fpassthru)\s*\([^;]*\$[^;]*", 22, "Path traversal: file path built from input", "high", {"input": 1, "param": FILE_PARAM, "unless": PATH_GUARD, "skip": r"php://|basename|^file_get_contents\(\s*\$(?:url|uri)|curl"}),
    (("go",), ("os.open", "readfile", "servefile", "c.file", "os.create", "os.remove", "writefile"), r"\b(?:os\.(?:Open|ReadFile|Create|Remove|RemoveAll|OpenFile|WriteFile)|ioutil\.(?:ReadFile|WriteFile)|http\.ServeFile|c\.(?:File|FileAttachment|SaveUploadedFile))\((?!\s*\"[^\"]*\"\s*[,)])[^\n]*", 22, "Path traversal: file path built from input", "high", {"input": 1, "param": FILE_PARAM, "unless": PATH_GUARD}),
    (("java",), ("new file(", "paths.get", "fileinputstream", "files.", "path.of", "resolve(", "filereader"), r"new\s+(?:File|FileInputStream|FileOutputStream|FileReader|FileWriter)\((?!\s*\"[^\"]*\"\s*\))[^;]*|\bPaths?\.(?:get|of)\((?!\s*\"[^\"]*\"\s*\))[^;]*|\.resolve\(\s*\w+[^;]*", 22, "Path traversal: file path built from input", "high", {"input": 1, "param": FILE_PARAM, "unless": PATH_GUARD + r"|startsWith"}),
    (("rb",), ("file.", "send_file", "io.read", "file.join", "fileutils"), r"\b(?:File\.(?:read|open|join|new|write|delete|binread)|IO\.read|send_file|FileUtils\.\w+)\s*\(?\s*[^\n]*", 22, "Path traversal: file path built from input", "high", {"input": 1, "param": FILE_PARAM, "unless": PATH_GUARD + r"|File\.basename|expand_path"}),
    (("cs",), ("file.", "path.combine"), r"\b(?:File\.(?:ReadAll\w+|Open\w*|WriteAll\w+|Delete)|Path\.Combine|PhysicalFile)\([^;]*", 22, "Path traversal: file path built from input", "high", {"input": 1, "param": FILE_PARAM, "unless": PATH_GUARD}),
    (("c",), ("fopen(", "open("), r"\b(?:fopen|open)\s*\(\s*(?!\")\w*(?:path|file|buf|name)\w*\s*,[^;]*", 22, "Path traversal: file path built from input", "high", {"need": r"s(?:n)?printf\s*\([^;]*%s|strcat|strcpy", "unless": PATH_GUARD + r"|strstr|strchr|mkstemp"}),
    (("rs",), ("file::open", "read_to_string", "fs::", ".join("), r"(?:File::open|fs::read\w*|fs::write|fs::remove_file)\(\s*(?!\")[^;\n]*", 22, "Path traversal: file path built from input", "high", {"param": FILE_PARAM, "need": r"\.join\(|format!", "unless": PATH_GUARD + r"|Component"}),
    (("java", "js", "go", "cs"), ("getname()", "entryname", ".name", "header.name", "fullname", "entry.path"), r"(?:new File\(\s*\w+,\s*\w+\.getName\(\)|\.resolve\(\s*\w+\.getName\(\)|path\.join\(\s*\w+,\s*entry\.(?:path|entryName|fileName|name)|filepath\.Join\(\s*\w+,\s*(?:f|file|hdr|header|h|entry|zf)\.Name|Path\.Combine\(\s*\w+,\s*entry\.FullName)[^;\n]*", 22, "Path traversal: archive entry name used as a path (zip slip)", "high", {"unless": PATH_GUARD}),
    (("php",), ("move_uploaded_file",), r"move_uploaded_file\([^;]*", 434, "Unrestricted file upload: type and extension are not checked", "high", {"unless": r"(?i)in_array|allowed|whitelist|pathinfo[^;]*EXTENSION[^;]*;[^}]*(?:in_array|===)|finfo|bin2hex|uniqid"}),
    (("js",), ("originalname", ".mv(", "multer"), r"\boriginalname\b[^;\n]*|\.mv\([^;\n]*\.name[^;\n]*", 434, "Unrestricted file upload: stored under the client's file name", "high", {"file_unless": r"fileFilter|mimetype|extname\([^)]*\)[^;]*(?:includes|in |has|\.test)|ALLOWED|allowed|randomUUID"}),
    (("java", "cs", "go"), ("getoriginalfilename", "filename", "fileheader"), r"\.getOriginalFilename\(\)[^;]*|file\.FileName[^;]*|(?:handler|header|fh|fileHeader)\.Filename[^\n]*", 434, "Unrestricted file upload: stored under the client's file name", "high", {"file_unless": r"(?i)allowed|getContentType\(\)\.equals|endsWith\(|filepath\.Ext|contentType|Path\.GetExtension|filepath\.Base|getFileName"}),
    (("c", "php", "rb", "js", "go", "java", "sh"), ("/tmp/", "mktemp(", "tmpnam", "tempnam"), r"\b(?:mktemp|tmpnam|tempnam)\s*\((?!.*mkstemp)[^;\n]*|\b(?:fopen|open|File\.(?:open|write)|writeFile(?:Sync)?|os\.(?:Create|WriteFile|OpenFile)|new File(?:Writer|OutputStream)?|file_put_contents|createWriteStream)\s*\(\s*[`\"']/tmp/[^\n;]*|>{1,2}\s*[\"']?/tmp/[\w.-]+(?:\$\$)?[\w.-]*[\"']?\s*$|=[\"']?/tmp/[\w.-]*\$\$[\w.-]*", 377, "Insecure temporary file: predictable name in a shared directory", "medium", {"unless": r"mkstemp|O_EXCL|mkdtemp|\bmktemp\s+(?:-|\))|CREATE_NEW"}),
    (("c",), ("access(", "stat("), r"\b(?:access|stat|lstat)\s*\(\s*(\w+)[^;]*;?[^}]{0,400}?\b(?:f?open|unlink|chmod|chown|remove|rename)\s*\(\s*\1\b", 367, "Time-of-check time-of-use race on a file", "medium", {"unless": r"fstat|O_NOFOLLOW"}),
    (ANY + ("sh", "docker", "yaml"), ("777", "666", "umask"), r"\bchmod\s+(?:-R\s+)?0?(?:777|666|a\+rwx|o\+w)\b[^\n]*|\b(?:chmod|fchmod|Chmod|chmodSync|mkdir|MkdirAll|Mkdir|WriteFile|OpenFile|mkdirSync|writeFile|writeFileSync|open)\s*\([^;\n]*?\b0o?(?:777|666)\b[^\n]*|\bumask\s*\(?\s*0+\b[^\n]*|S_IRWXO|setReadable\(true,\s*false\)|PosixFilePermissions\.fromString\(\"rwxrwxrwx\"\)|mode\s*[:=]+>?\s*[\"']?0o?(?:777|666)\b", 732, "World-writable permissions on a file or directory", "medium", {}),
    # browser output
    (("js",), ("innerhtml", "outerhtml", "document.write", "insertadjacenthtml", ".html("), r"\.(?:innerHTML|outerHTML)\s*\+?=\s*(?!\s*[\"'`][^\"'`$]*[\"'`]\s*;?\s*$|\s*DOMPurify)[^;\n]*|document\.write(?:ln)?\(\s*(?![\"'][^\"']*[\"']\s*\))[^;\n]*|\.insertAdjacentHTML\([^,]*,\s*(?![\"'][^\"']*[\"']\s*\))[^;\n]*|\$\([^)]*\)\.(?:html|append)\(\s*(?![\"'][^\"']*[\"']\s*\)|\))[^;\n]*", 79, "Cross-site scripting: unescaped value written as HTML", "high", {"skip": r"(?i)DOMPurify|escape|sanitize|encode|textContent|=\s*[\"'`][\"'`]"}),
    (("js",), ("dangerouslysetinnerhtml", "v-html", "bypasssecuritytrust"), r"dangerouslySetInnerHTML\s*=\s*\{[^\n]*|\bv-html\s*=[^\n]*|bypassSecurityTrust\w+\([^\n]*", 79, "Cross-site scripting: unescaped value written as HTML", "high", {"skip": r"(?i)sanitize|purify|escape"}),
    (("js",), ("res.send", "res.end", "res.write", "ctx.body", "innerhtml"), r"\b(?:res\.(?:send|end|write|status\(\d+\)\.send)\s*\(|ctx\.body\s*=)\s*(?=[^;]*<\w+|[^;]*(?:req\.(?:query|params|body)))(?:`[^`]*\$\{[^`]*`|[\"'][^\"'\n]*[\"']\s*\+[^;\n]*|req\.(?:query|params)\.\w+\s*\))", 79, "Cross-site scripting: input reflected in a page without escaping", "high", {"tainted": 1, "skip": r"(?i)escape|encode|sanitize|JSON\.stringify"}),
    (("php",), ("echo", "print", "<?="), r"(?:\becho\b|\bprint\b|<\?=)[^;]*\$[^;]*", 79, "Cross-site scripting: input echoed without escaping", "high", {"input": 1, "skip": r"htmlspecialchars|htmlentities|json_encode|urlencode|intval|strip_tags|\(int\)|number_format|\be\(|esc_\w+|count\("}),
    (("go",), ("fprintf", "w.write", "template.html", "fprint"), r"fmt\.Fprint(?:f|ln)?\(\s*(?:w|rw|c\.Writer|res\w*)\s*,\s*[^\n]*(?:<\w+[^\n]*|FormValue|Query\(\))|template\.(?:HTML|JS|URL)\(\s*(?!\")[^\n]*|w\.Write\(\[\]byte\(\s*(?:\"<|fmt)[^\n]*(?:\+|%)[^\n]*", 79, "Cross-site scripting: input written to a page without escaping", "high", {"tainted": 1, "skip": r"EscapeString|QueryEscape"}),
    (("go",), ("text/template",), r"\"text/template\"", 79, "Cross-site scripting: text/template renders pages without escaping", "high", {"file_need": r"http\.ResponseWriter|text/html"}),
    (("java",), ("println", ".write(", "print("), r"(?:getWriter\(\)|\bout|writer|pw)\.(?:print(?:ln|f)?|write|append)\([^;]*(?:\+|getParameter)[^;]*", 79, "Cross-site scripting: input written to a page without escaping", "high", {"input": 1, "file_need": r"Servlet|html|Controller", "skip": r"(?i)escape|encode|System\.out"}),
    (("rb", "html"), ("html_safe", "raw", "<%=="), r"(?:\braw\s*\(?\s*(?!\")[\w@.\[\]:]+|[\w@\])}\"]\.html_safe\b|<%==)[^\n]*", 79, "Cross-site scripting: output marked safe without escaping", "high", {"skip": r"sanitize|escape|\bt\("}),
    (("html",), ("|safe", "| safe", "<%-", "{{{", "|raw", "| raw", "!{", "autoescape", "th:utext"), r"\{\{[^}]*\|\s*(?:safe|raw)\b[^}]*\}\}|<%-\s*(?!include|partial|body|yield|await include|contentFor)[^%]*%>|\{\{\{(?!\s*(?:body|yield))[^}]*\}\}\}|!\{[^}]*\}|\{%\s*autoescape\s+(?:false|off)|th:utext\s*=", 79, "Cross-site scripting: template prints a value without escaping", "high", {"skip": r"sanitize|purify|csrf|tojson|static"}),
    (("rb", "cs"), ("render", "html.raw"), r"render\s+(?:html|inline):\s*[^\n]*(?:params|#\{)[^\n]*|Html\.Raw\([^;\n]*", 79, "Cross-site scripting: input rendered without escaping", "high", {}),
    (WEB, ("redirect", "location"), r"\b(?:res|ctx|response|resp|reply)\.(?:sendR|r)edirect\s*\((?!\s*[\"'`][^\"'`$+]*[\"'`]\s*\))[^;\n]*|\bheader\(\s*[\"']Location:[^;]*\$[^;]*|http\.Redirect\(\s*\w+,\s*\w+,\s*(?!\")[^\n]*|redirect_to\s*\(?\s*(?:params|request)[^\n]*|\bredirect\(\s*(?!\")[^;\n]*|\"redirect:\"\s*\+[^;]*|c\.Redirect\([^,]*,\s*(?!\")[^\n]*|\b(?:window\.)?location(?:\.href)?\s*=\s*[^=;\n]*(?:searchParams|location\.(?:hash|search))[^;\n]*", 601, "Open redirect to a location given by input", "medium", {"input": 1, "unless": URL_GUARD + r"|only_path|url_from"}),
    # requests made for a client
    (("js",), ("fetch", "axios", "got", "http.get", "https.get", "request(", "client.", "session.", "instance."), r"\b(?:\w*[fF]etch\w*|axios(?:\.\w+)?|(?:client|http|session|instance|undici|this\.http)\.(?:get|post|request|fetch|head)|got(?:\.\w+)?|needle(?:\.\w+)?|superagent\.\w+|https?\.(?:get|request)|request(?:\.get)?)\s*\((?!\s*[\"'][^\"']*[\"']\s*[,)])[^;\n]*", 918, "Server-side request forgery: URL of an outgoing request is given by input", "high", {"input": 1, "param": r"(?i)^(?:\w*ur[li]|target|host\w*|endpoint|webhook\w*|\w*link|address|location|source|feed|callback|href)$", "unless": URL_GUARD, "file_unless": r"document\.getElementById|window\.", "skip": r"`https?://[\w.-]+/"}),
    (("php",), ("curl_", "file_get_contents"), r"curl_setopt\([^;]*CURLOPT_URL[^;]*\$[^;]*|curl_init\(\s*\$[^;]*|file_get_contents\(\s*\$(?:url|uri|_GET|_POST)[^;]*", 918, "Server-side request forgery: URL of an outgoing request is given by input", "high", {"tainted": 1, "unless": URL_GUARD}),
    (("go",), ("http.get", "http.newrequest", "client.get", "http.post", "client.post", "client.head", ".get("), r"(?:\bhttp|\b\w*[cC]lient|\bc|R\(\))\.(?:Get|Post|Head|NewRequest|NewRequestWithContext)\((?!\s*\"[^\"]*\"\s*[,)])[^\n]*", 918, "Server-side request forgery: URL of an outgoing request is given by input", "high", {"input": 1, "param": r"(?i)^(?:\w*url|uri|target|endpoint|webhook\w*|link)$", "unless": URL_GUARD, "skip": r"c\.Get\(\"|\.Header"}),
    (("go",), ("newrequest",), r"http\.NewRequest(?:WithContext)?\(\s*(?:[\w.()]+,\s*)?(?:\"[A-Z]+\"|http\.Method\w+)\s*,\s*(?!\")[^\n]*", 918, "Server-side request forgery: URL of an outgoing request is given by input", "high", {"input": 1, "param": r"(?i)^(?:\w*url|uri|target|endpoint|webhook\w*|link)$", "unless": URL_GUARD}),
    (("js", "java"), ("return",), r"\breturn\s+(?:\"<\w[^\"]*\"\s*\+[^;]*|'<\w[^']*'\s*\+[^;]*|`[^`]*<\w[^`]*\$\{[^`]*`)", 79, "Cross-site scripting: input written to a page without escaping", "high", {"input": 1, "skip": r"(?i)escape|encode|sanitize", "file_need": r"text/html|res\.|reply|Controller|Servlet|ctx\."}),
    (("js",), ("html", "<"), r"\b(?:html|page|markup|body|output|rows|list|content)\w*\s*\+?=\s*(?:`[^`]*<\w[^`]*\$\{[^`]*`|[\"']<\w[^\"'\n]*[\"']\s*\+[^;\n]*)", 79, "Cross-site scripting: input written to a page without escaping", "high", {"input": 1, "skip": r"(?i)escape|encode|sanitize|esc\("}),
    (("rb",), ("#{",), r"\"[^\"\n]*<\w+[^\"\n]*#\{\s*(?:params|request|@?\w*(?:name|title|body|comment|query|q)\b)[^\"\n]*\"", 79, "Cross-site scripting: input written to a page without escaping", "high", {"skip": r"escape|sanitize|(?<!\w)h\("}),
    (("php", "html"), ("<?=", "echo $"), r"<\?(?:=|php\s+echo)\s*\$[^?;]*(?:;\s*)?\?>", 79, "Cross-site scripting: template prints a value without escaping", "high", {"skip": r"htmlspecialchars|htmlentities|\be\(|esc|json_encode|urlencode|intval|\(int\)|count|number_format|date\("}),
    (("php",), ("sprintf",), r"\bsprintf\(\s*[\"'][^\"']*\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE)\b[^\"']*%s[^;]*", 89, "SQL injection through a formatted query string", "high", {"skip": r"real_escape|quote\("}),
    (("php",), ("where", " and ", "order by", "limit"), r"\"\s*(?:WHERE|AND|OR|ORDER BY|LIMIT|LIKE)\s[^\"\n]*\{?\$\w+[^\"\n]*\"", 89, "SQL injection through variable interpolation in a query", "high", {"skip": r"placeholders|\(int\)"}),
    (("js",), ("${",), r"(?:return|=>|\+?=|push\(|append\()\s*\(?\s*`[^`]*<(?:div|p|h\d|li|td|tr|span|a|b|title|body|html|strong|em|article|section)\b[^`]*\$\{\s*(?:\w+\.)*(?:name|title|body|comment|message|text|content|query|q|bio|description|label|author|caption|subject)\s*\}[^`]*`", 79, "Cross-site scripting: unescaped value written as HTML", "high", {"file_unless": r"(?i)escape\w*\s*\(|lit-html|\bhtml`|sanitize\w*\("}),
    (("java",), ("pbewith", "hmacmd5", "keygenerator"), r"\"PBEWith(?:MD5|SHA1?)And\w+\"|\"HmacMD5\"|KeyGenerator\.getInstance\(\s*\"(?:DES|DESede|RC4|RC2|Blowfish)\"", 327, "Broken or risky cipher or mode (DES, RC4 or ECB)", "medium", {}),
    (("java", "go", "js", "rb", "cs", "php"), ("1024", "512"), r"\.initialize\(\s*(?:512|768|1024)\b[^;]*|rsa\.GenerateKey\([^,]*,\s*(?:512|768|1024)\)|modulusLength\s*:\s*(?:512|768|1024)\b|RSA\.(?:new|generate|Create)\(\s*(?:512|768|1024)\)|private_key_bits[\"']\s*=>\s*(?:512|768|1024)", 326, "Inadequate key size", "medium", {}),
    (("java",), ("setfeature", "setproperty", "setexpandentity"), r"setFeature\([^;]*disallow-doctype-decl\"\s*,\s*false\)|setFeature\([^;]*external-(?:general|parameter)-entities\"\s*,\s*true\)|setProperty\([^;]*(?:SUPPORT_DTD|IS_SUPPORTING_EXTERNAL_ENTITIES)\s*,\s*(?:true|Boolean\.TRUE)\)|setExpandEntityReferences\(\s*true", 611, "XML external entities are resolved (XXE)", "high", {}),
    (("java",), ("serializationutils", "new yaml(", "autotype", "kryo"), r"SerializationUtils\.deserialize\([^;]*|new\s+Yaml\((?!\s*\)|\s*new SafeConstructor)[^;]*|setAutoTypeSupport\(\s*true|setRegistrationRequired\(\s*false", 502, "Deserialization of untrusted data", "critical", {"unless": r"SafeConstructor"}),
    (("c",), ("] =", "]="), r"\b\w+(?:->\w+|\.\w+)?\[\s*([a-z]\w*)\s*\]\s*=(?!=)", 787, "Out-of-bounds write: index is not checked", "high", {"index": 1}),
    (("rb",), ("to_unsafe_h", "send("), r"params[^\n]*\.to_unsafe_h|\.(?:public_)?send\(\s*[\"':#{]*\w+\}?=[\"']?\s*,[^\n]*", 915, "Mass assignment: request attributes accepted without a list", "high", {"unless": r"(?i)allowed|permit\(|include\?"}),
    (("php",), ("<<<",), r"<<<\s*[\"']?SQL[\s\S]{0,400}?\$\w+[\s\S]{0,200}?\n\s*SQL", 89, "SQL injection through variable interpolation in a query", "high", {}),
    (("java", "js", "go", "cs", "php"), ("key",), r"\b(?:const|final|static|let|var|define\()[^=;\n]{0,60}\b\w*(?:KEY|[kK]ey)\b[\"']?\s*(?::\s*\w+\s*)?[=,]\s*(?:\[\]byte\(|Buffer\.from\()?[\"'][\w+/=!@#$%^&*-]{16,64}[\"']", 321, "Hard-coded cryptographic key", "high", {"file_need": r"(?i)cipher|encrypt|\baes\b|SecretKeySpec|hmac", "skip": r"(?i)public|api"}),
    (("java",), ("secretkeyspec",), r"new\s+SecretKeySpec\(\s*\"[^\"]+\"[^;]*", 321, "Hard-coded cryptographic key", "high", {}),
    (("java", "cs"), ("/ecb", "\"des", "rc4", "arcfour"), r"\"(?:AES|DES|DESede|Blowfish)/ECB[^\"]*\"|\"(?:RC4|ARCFOUR|DESede|DES)\"", 327, "Broken or risky cipher or mode (DES, RC4 or ECB)", "medium", {}),
    (("java",), ("defaulttyping", "jsontypeinfo", "readunshared", "fromxml", "hessian", "kryo"), r"activateDefaultTyping\([^;]*|@JsonTypeInfo\(\s*use\s*=\s*(?:JsonTypeInfo\.)?Id\.CLASS[^)]*\)|\.readUnshared\(\)|\.fromXML\([^;]*|new\s+HessianInput\(", 502, "Deserialization of untrusted data", "critical", {"unless": r"allowTypes|BasicPolymorphicTypeValidator|setupDefaultSecurity|ObjectInputFilter"}),
    (("c",), ("++",), r"\b\w+\[\s*\w+\+\+\s*\]\s*=\s*[^;]+;|\*\s*\w+\+\+\s*=\s*\*\s*\w+\+\+", 787, "Out-of-bounds write: index grows without a bound", "high", {"need": r"\bwhile\b|\bfor\s*\(\s*;|\bdo\b", "unless": r"(?:<=?|>=?|==)\s*(?:\(?\w+\)?\s*)?(?:sizeof|\w*(?:max|len|size|cap|end|limit|LEN|MAX|SIZE|n)\b|\d+\s*[-)&;|])"}),
    (("rb",), ("params",), r"\.(?:new|create!?|update!?|update_attributes!?|assign_attributes|insert)\(\s*params(?:\[:?\w+\])?\s*\)|\.permit\([^)\n]*:(?:admin|role|is_admin|balance|owner_id|user_id)\b[^)\n]*\)", 915, "Mass assignment: request attributes accepted without a list", "high", {}),
    (("rb",), ("skip_before_action",), r"skip_before_action\s+:(?:authenticate\w*|require_\w+|authorize\w*|login_\w+)[^\n]*", 306, "Missing authentication for a critical function", "high", {"skip": r"only:\s*(?:%i)?\[?\s*:?(?:index|show|new|create|login|health)\b"}),
    (("java",), ("permitall",), r"(?:antMatchers|requestMatchers|mvcMatchers)\([^)]*(?:admin|internal|actuator|manage)[^)]*\)\.permitAll\(\)", 862, "Missing authorization on a sensitive route", "high", {}),
    (("js", "php", "rb", "java", "go"), ("log",), r"(?i)\b(?:console|log(?:ger)?|winston|pino)\.(?:log|info|debug|warn|error|trace|printf|println)\s*\((?:[^;\n]*,\s*|\s*|[^;\n]*JSON\.stringify\(\s*)(?:req|request)\.(?:body|headers)\b(?!\.|\[)[^;\n]*", 532, "Sensitive data written to a log", "medium", {"file_need": r"(?i)passw|token|secret|card", "skip": r"(?i)redact|mask|sanitize"}),
    (("java", "cs"), ("new url(", "resttemplate", "uri.create", "httpclient", "getasync", "getstringasync"), r"new\s+URL\(\s*(?!\")[^;]*|(?:restTemplate|client|httpClient|webClient)\.(?:getFor\w+|exchange|execute|Get(?:String)?Async|PostAsync)\(\s*(?!\")[^;]*|URI\.create\(\s*(?!\")[^;]*", 918, "Server-side request forgery: URL of an outgoing request is given by input", "high", {"input": 1, "param": r"(?i)url|uri|target|host|endpoint|webhook|link", "unless": URL_GUARD}),
    (("rb",), ("uri.open", "net::http", "open(", "httparty", "faraday", "restclient"), r"\b(?:URI\.open|open|Net::HTTP\.(?:get\w*|post\w*|start)|HTTParty\.\w+|Faraday\.\w+|RestClient\.\w+|URI\.parse|URI)\s*\(\s*(?!\")[^\n]*", 918, "Server-side request forgery: URL of an outgoing request is given by input", "high", {"input": 1, "param": r"(?i)url|uri|target|webhook|link|feed", "unless": URL_GUARD + r"|\.host\b", "file_need": r"open-uri|Net::HTTP|HTTParty|Faraday|RestClient|URI\.open"}),
    # deserialisation and XML
    (("java",), ("readobject", "xmldecoder", "xstream", "enabledefaulttyping", "snakeyaml", "new yaml"), r"\.readObject\(\)|new\s+XMLDecoder\([^;]*|\bxstream\.fromXML\([^;]*|enableDefaultTyping\([^;]*|new\s+Yaml\(\s*\)", 502, "Deserialization of untrusted data", "critical", {"unless": r"ObjectInputFilter|setObjectInputFilter|SafeConstructor|ValidatingObjectInputStream|allowTypes"}),
    (("php",), ("unserialize",), r"\bunserialize\s*\([^;]*\$[^;]*", 502, "Deserialization of untrusted data", "critical", {"skip": r"allowed_classes[\"']?\s*=>\s*(?:false|\[)"}),
    (("rb",), ("marshal.load", "yaml.load", "yaml.unsafe", "oj.load"), r"Marshal\.(?:load|restore)\s*\(?[^\n]*|YAML\.(?:unsafe_)?load\s*\(?[^\n]*|Oj\.load\([^\n]*mode:\s*:object", 502, "Deserialization of untrusted data", "critical", {"skip": r"safe_load|permitted_classes|load_file\(Rails|File\.read"}),
    (("js",), ("unserialize", "serialize-javascript", "yaml.load", "funcster", "v8.deserialize"), r"\b(?:serialize|nodeSerialize|\w+)\.unserialize\s*\([^;\n]*|yaml\.load\([^;\n]*DEFAULT_FULL_SCHEMA", 502, "Deserialization of untrusted data", "critical", {}),
    (("cs",), ("binaryformatter", "typenamehandling", "losformatter", "netdatacontract", "soapformatter"), r"new\s+(?:BinaryFormatter|LosFormatter|NetDataContractSerializer|SoapFormatter)\b[^;]*|TypeNameHandling\s*=\s*TypeNameHandling\.(?!None)\w+", 502, "Deserialization of untrusted data", "critical", {}),
    (("java",), ("documentbuilderfactory", "saxparserfactory", "xmlinputfactory", "saxreader", "saxbuilder", "transformerfactory", "xmlreader"), r"(?:DocumentBuilderFactory|SAXParserFactory|XMLInputFactory|TransformerFactory|SchemaFactory)\.new\w*(?:Instance|Factory)\([^;]*|new\s+(?:SAXReader|SAXBuilder)\([^;]*|XMLReaderFactory\.createXMLReader\([^;]*", 611, "XML external entities are resolved (XXE)", "high", {"unless": r"disallow-doctype-decl|external-general-entities|SUPPORT_DTD|ACCESS_EXTERNAL|IS_SUPPORTING_EXTERNAL"}),
    (("php", "js", "cs", "c", "rb", "go"), ("noent", "dtdprocessing", "xmlresolver", "libxml_disable_entity_loader", "dtdload"), r"LIBXML_NOENT|LIBXML_DTDLOAD|\bnoent\s*:\s*true|DtdProcessing\.Parse|new XmlUrlResolver|libxml_disable_entity_loader\(\s*false|XML_PARSE_NOENT|\.noent\b|NOENT\b|replaceEntities\s*:\s*true", 611, "XML external entities are resolved (XXE)", "high", {}),
    # transport, cryptography, randomness
    (ANY + ("sh", "yaml", "docker", "env"), ("rejectunauthorized", "insecureskipverify", "verifypeer", "verify_none", "verifyhost", "node_tls_reject", "servercertificate", "danger_accept", "trustall", "x509trustmanager", "hostnameverifier", "strictsslverify", "curl", "ssl_verify_none", "strict-ssl", "stricthostkeychecking"), r"rejectUnauthorized[\"']?\s*:\s*false|InsecureSkipVerify\s*:\s*true|CURLOPT_SSL_VERIFY(?:PEER|HOST)[\"']?\s*(?:,|=>)\s*(?:false|0)\w*|VERIFY_NONE|NODE_TLS_REJECT_UNAUTHORIZED[\"'\]]*\s*[=:]\s*[\"']?0|danger_accept_invalid_(?:certs|hostnames)\(\s*true|checkServerTrusted\([^)]*\)\s*(?:throws \w+\s*)?\{\s*\}|ALLOW_ALL_HOSTNAME_VERIFIER|NoopHostnameVerifier|setHostnameVerifier\([^;]*->\s*true|ServerCertificate(?:Custom)?ValidationCallback\s*\+?=[^;]*true|[\"']?verify_peer[\"']?\s*=>\s*false|SSL_VERIFY_NONE|\bcurl\b[^\n]*?\s(?:-k\b|--insecure)|StrictHostKeyChecking[= ]no|InsecureIgnoreHostKey", 295, "TLS certificate validation is disabled", "high", {}),
    (("js", "php", "go", "java", "rb", "cs", "c", "rs"), ("md5", "sha1", "sha-1"), r"createHash\(\s*[\"'](?:md5|sha1)[\"']|\b(?:md5|sha1)\s*\(\s*(?:\$|uniqid|rand|mt_rand|microtime|time)[^;]*|hash\(\s*[\"'](?:md5|sha1)[\"']|\b(?:md5|sha1)\.(?:Sum|New)\(|MessageDigest\.getInstance\(\s*\"(?:MD5|SHA-?1)\"|Digest::(?:MD5|SHA1)|(?:MD5|SHA1)\.Create\(\)|MD5CryptoServiceProvider|\b(?:MD5|SHA1)(?:_Init|_Update)?\s*\(\s*\w|EVP_(?:md5|sha1)\(\)|Md5::(?:new|digest)|DigestUtils\.(?:md5|sha1)\w*\(|CryptoJS\.(?:MD5|SHA1)\(", 328, "Weak hash algorithm (MD5 or SHA-1) used for security", "medium", {"unless": r"(?i)\betag|cache_?key|checksum|fingerprint|dedup|gravatar|usedforsecurity|content_?hash|cache|websocket|Sec-WebSocket"}),
    (("js", "php", "go", "java", "rb", "cs", "c"), ("des", "rc4", "ecb", "blowfish", "createcipher"), r"create(?:De|C)ipher(?:iv)?\(\s*[\"'](?:des\b|des-|des3|rc4|rc2|bf\b|bf-|aes-\d+-ecb)[^;\n]*|crypto\.create(?:De|C)ipher\(|Cipher\.getInstance\(\s*\"(?:DES|DESede|RC4|RC2|Blowfish|AES\"|[A-Za-z]+/ECB)[^;]*|\bdes\.New(?:TripleDES)?Cipher\(|\brc4\.NewCipher\(|openssl_encrypt\([^;]*[\"'](?:des|rc4|bf|aes-\d+-ecb)[^;]*|OpenSSL::Cipher(?:::\w+)?\.new\(\s*[\"'](?:des|rc4|bf|aes-\d+-ecb)[^\n]*|(?:DES|TripleDES|RC2)\.Create\(\)|CipherMode\.ECB|\bDES_\w*encrypt\(|EVP_(?:des|rc4|aes_\d+_ecb)\w*|MCRYPT_DES", 327, "Broken or risky cipher or mode (DES, RC4 or ECB)", "medium", {}),
    (("js", "php", "go", "java", "rb", "cs", "c"), ("math.random", "rand", "mt_rand", "new random"), r"Math\.random\(\)[^\n]*|\b(?:mt_rand|rand|uniqid|lcg_value)\s*\([^;\n]*|\brand\.(?:Intn?|Int31n?|Int63n?|Read|Uint32)\([^\n]*|new\s+Random\([^;]*|\bRandom\.(?:rand|new)[^\n]*|\bKernel\.rand[^\n]*|\brand\(\d[^\n]*|\brandom\(\)[^\n]*", 338, "Predictable random numbers used for a token or secret", "medium", {"need": r"(?i)token|secret|passw|session|otp|nonce|\bpin\b|reset|api_?key|csrf|salt|invite|verification|\bkey\b|\biv\b", "unless": r"crypto/rand|SecureRandom|randomBytes|random_bytes|getRandomValues|jitter|backoff|shuffle"}),
    (("js", "php", "java", "rb", "cs", "go"), ("jwt", "none", "decode"), r"algorithms?[\"']?\s*[:=]>?\s*\[?[^\]\n]*[\"']none[\"']|jwt\.decode\([^;\n]*|JWT\.decode\([^\n]*(?:nil|false)[^\n]*|ParseUnverified\(|parseClaimsJwt\(|JWT\.decode\(\s*\w+\s*\)|verify_signature[\"']?\s*=>?:?\s*false|ignoreExpiration\s*:\s*true|Algorithm\.none\(\)|RequireSignedTokens\s*=\s*false|ValidateIssuerSigningKey\s*=\s*false", 347, "Token signature is not verified", "critical", {"unless": r"jwt\.verify\(|\.complete"}),
    (("js", "php", "go", "java", "rb", "cs"), ("signature", "hmac", "digest", "token", "===", "equals"), r"(?i)\bif\s*\(?\s*!?\s*(?:\w+\.)?\w*(?:signature|hmac|digest|mac|expectedsig|sig)\w*\s*(?:!==?|===?)\s*(?!(?:nil|null|undefined|None|[\"']{2}|\d)\b)\w[^\n]*|(?:signature|sig|hmac|mac)\.equals\([^\n]*", 208, "Secret compared in variable time (timing attack)", "medium", {"need": r"(?i)hmac|createHmac|hash_hmac|Mac\.getInstance|sha256", "unless": r"timingSafeEqual|hash_equals|ConstantTimeCompare|hmac\.Equal|MessageDigest\.isEqual|secure_compare|fixed_length|typeof|FixedTimeEquals"}),
    (("js", "java", "go", "php", "cs", "rb"), ("iv", "nonce"), r"(?i)\b(?:const|let|var|final|static|private|String|byte\[\])?\s*\$?(?:iv|nonce|init_?vector|static_iv)\b\s*(?::\s*\w+\s*)?:?=\s*(?:Buffer\.(?:from\(\s*[\"']|alloc\()|[\"'][^\"']{8,}[\"']|\[\]byte\(\s*\"|new byte\[\d+\]\s*;|new IvParameterSpec\(\s*(?:\"|new byte)|str_repeat|\"\\0)[^\n]*", 329, "Static or predictable initialisation vector", "medium", {"unless": r"randomBytes|SecureRandom|rand\.Read|random_bytes|nextBytes|copy\(", "file_need": r"(?i)cipher|encrypt|aes"}),
    # credentials in code
    (ANY + ("env", "yaml", "toml", "docker", "json", "conf", "sh", "xml", "tf"), ("passw", "secret", "api_key", "apikey", "token", "private_key", "privatekey", "access_key", "accesskey", "pwd", "jwt"), r"(?i)(?<![\w$.>-])[\"']?\$?(?:[\w.]*[_.-])?\w*(?:password|passwd|\bpwd|secret(?:_?key)?|api_?key|auth_?token|access_?token|private_?key|access_?key|jwt_?secret|signing_?key|encryption_?key|client_?secret)[\"']?\]?\s*(?::\s*(?:&?'?(?:static\s+)?str|string|String)\s*=|:=|=>|[:=])\s*(?:b|\[\]byte\(|Buffer\.from\()?([\"'])(?!\s*\1)(?P<v>[^\"'\n$<{]{6,})\1", 798, "Hard-coded credential in source", "high", {"value": 1}),
    (ANY + ("sh",), ("sign(", "verify(", "session(", "createhmac", "cookie"), r"\bjwt\.(?:sign|verify)\([^;\n]*,\s*[\"'][^\"'\n]{4,}[\"']|\bsession\(\s*\{[^}]*secret\s*:\s*[\"'][^\"'\n]{4,}[\"']|createHmac\(\s*[\"']\w+[\"']\s*,\s*[\"'][^\"'\n]{4,}[\"']|SignedString\(\s*\[\]byte\(\s*\"[^\"]+\"|signWith\([^;]*\"[^\"]{4,}\"", 798, "Hard-coded secret key used for signing", "high", {}),
    (("js", "php", "go", "java", "rb", "cs"), ("console.", "log", "print"), r"(?i)\b(?:console\.(?:log|info|debug|error)|log(?:ger)?\.(?:info|debug|warn|error|Print\w*|log)|error_log|Rails\.logger\.\w+|log\.Print\w*|fmt\.Print\w*)\s*\(?[^;]{0,160}?(?:[,+(]\s*|\$\{|#\{|\{\s*)\s*\$?(?:\w+(?:\.|->))*(?:password|passwd|secret|api_?key|access_?token|auth_?token|credit_?card|card_?number|cvv|ssn|private_?key|token|authorization|cookie|otp|credentials?)\b(?!\.length|_id|Id|Count|Type)[^;\n]*", 532, "Sensitive data written to a log", "medium", {"skip": r"(?i)redact|mask|\*\*\*|length"}),
    # web configuration
    (("js",), ("cookie", "session("), r"\b(?:res|reply|ctx\.cookies|response)\.(?:cookie|setCookie|set)\(\s*[\"'`]\w*(?:sess|token|sid|auth|jwt|user)\w*[\"'`][^;]*", 614, "Session cookie without Secure or HttpOnly", "medium", {"notmatch": r"(?s)(?=.*secure\s*:\s*(?!false))(?=.*httpOnly\s*:\s*(?!false))"}),
    (("js", "go", "java", "php", "cs", "rb"), ("httponly", "secure"), r"httpOnly\s*:\s*false|HttpOnly\s*:\s*false|setHttpOnly\(\s*false|httponly[\"']?\s*(?:=>|:)\s*false|HttpOnly\s*=\s*false|session\.cookie_httponly[\"'],\s*(?:0|false|[\"']0)", 1004, "Cookie without HttpOnly", "medium", {}),
    (("js", "go", "java", "php", "cs", "rb"), ("secure",), r"\bsecure\s*:\s*false|\bSecure\s*:\s*false|setSecure\(\s*false|[\"']secure[\"']\s*=>\s*false|\bSecure\s*=\s*false", 614, "Cookie without the Secure attribute", "medium", {"file_need": r"(?i)cookie|session", "skip": r"smtp|nodemailer", "file_unless": r"createTransport|nodemailer"}),
    (("go",), ("http.cookie{",), r"http\.Cookie\{[^}]*\}", 614, "Session cookie without Secure or HttpOnly", "medium", {"notmatch": r"(?s)(?=.*Secure:\s*true)(?=.*HttpOnly:\s*true)", "skip": r"MaxAge:\s*-1"}),
    (("php",), ("setcookie",), r"\bsetcookie\([^;]*", 614, "Cookie without Secure or HttpOnly", "medium", {"skip": r"(?i)httponly|true\s*,\s*true|time\(\)\s*-"}),
    (("java",), ("new cookie(",), r"new\s+Cookie\([^;]*", 614, "Cookie without Secure or HttpOnly", "medium", {"unless": r"setSecure\(\s*true[\s\S]*setHttpOnly\(\s*true|setHttpOnly\(\s*true[\s\S]*setSecure\(\s*true|setMaxAge\(0"}),
    (("js", "go", "java", "php", "rb", "cs", "conf", "yaml"), ("access-control-allow-origin", "cors", "origin", "allowedorigins"), r"Access-Control-Allow-Origin[\"']?\s*[,:]\s*(?:[\"']\s*\*|req\.headers\.origin|r\.Header\.Get\(\"Origin\"|\$_SERVER\[[\"']HTTP_ORIGIN|origin\b)[^\n]*|origin\s*:\s*(?:true|[\"']\*[\"'])[^\n]*|@CrossOrigin\(\s*(?:origins\s*=\s*)?\"\*\"|allowedOrigins\(\s*\"\*\"|AllowAllOrigins\s*:\s*true|AllowAnyOrigin\(\)", 942, "Permissive cross-origin policy (CORS)", "medium", {"need": r"(?i)credentials|headers\.origin|Header\.Get\(\"Origin|HTTP_ORIGIN"}),
    (("java", "js", "rb", "php", "cs"), ("csrf", "forgery"), r"\.csrf\(\)\.disable\(\)|csrf\s*\(\s*(?:\w+\s*->\s*\w+\.disable\(\)|AbstractHttpConfigurer::disable|CsrfConfigurer::disable)|\bcsrf\.disable\(\)|skip_before_action\s+:verify_authenticity_token|protect_from_forgery\s+with:\s*:null_session|IgnoreAntiforgeryToken|csrf\s*:\s*false|csrf_protection\s*=>\s*false", 352, "Cross-site request forgery protection is disabled", "medium", {}),
    (("php",), ("extract(", "$$"), r"\bextract\(\s*\$_(?:GET|POST|REQUEST)[^;]*|\bparse_str\(\s*\$[^;,]*\)", 621, "Variables set from request data", "high", {}),
    (("js",), ("object.assign", "...req.body", ".create(req.body", "update(req.body", "new "), r"Object\.assign\(\s*\w+\s*,\s*req\.body[^;\n]*|\.(?:create|update\w*|findByIdAndUpdate|findOneAndUpdate|insertOne|insert|set|save|build)\([^;\n]*?(?:\.\.\.)?\breq\.body\b(?!\.)[^;\n]*|new\s+[A-Z]\w*\(\s*(?:\{\s*\.\.\.)?req\.body\s*\}?\s*\)|\{\s*\.\.\.\w+\s*,\s*\.\.\.req\.body", 915, "Mass assignment: request body copied onto an object", "high", {"unless": r"\bpick\(|validate|schema|parse\(req\.body|whitelist|allowed|ALLOWED"}),
    (("rb", "php", "java"), ("permit!", "fillable", "guarded", "->all()", "populate"), r"params(?:\[[^\]]*\]|\.require\([^)]*\))?\.permit!|\$guarded\s*=\s*\[\s*\]|(?:create|update|fill)\(\s*\$request->all\(\)|BeanUtils\.(?:populate|copyProperties)\([^;]*|attributes\s*=\s*params\b(?!.*permit)", 915, "Mass assignment: request attributes accepted without a list", "high", {}),
    (("js",), ("for", "merge", "["), r"for\s*\(\s*(?:const|let|var)\s+(\w+)\s+(?:in|of)\s+[^)]*\)?\)\s*\{[^}]{0,400}?\w+\[\s*\1\s*\]\s*=[^;]*", 1321, "Prototype pollution: keys are merged without a check", "high", {"need": r"(?i)merge|extend|deep|assign|set\w*Path|recurs", "unless": r"__proto__|hasOwn(?:Property)?\b[^;]*constructor|Object\.create\(null\)|isSafeKey|FORBIDDEN|BLOCKED|UNSAFE|new Map"}),
    (("js",), ("split",), r"\.split\(\s*[\"']\.[\"']\s*\)[^}]{0,400}?\w+\[\s*\w+(?:\[[^\]]*\])?\s*\]\s*=[^=;]*", 1321, "Prototype pollution: path of keys is assigned without a check", "high", {"unless": r"__proto__|Object\.create\(null\)|FORBIDDEN|BLOCKED|UNSAFE|new Map"}),
    (("js", "java", "go", "php", "rb", "cs"), ("*)+", "+)+", "+)*", "*)*", "new regexp", "regexp.new"), r"\((?:\?:)?(?:\[[^\]\n]+\]|\\w|\\d|\\s|\.|[a-zA-Z])[+*]\)[+*]|\((?:\?:)?[^()\n]*(?:\[[^\]\n]+\]|\\w|\.|\\s|\\d)[+*]\s*\)[+*](?=[^()\n]*\$?/)", 1333, "Inefficient regular expression can be driven to backtrack (ReDoS)", "medium", {"skip": r"RE2|re2"}),
    (("js", "php", "java", "rb", "cs"), ("stack", "printstacktrace", "display_errors", "getmessage"), r"\bres\.(?:status\(\d+\)\.)?(?:send|json|end)\([^;\n]*\b(?:err|error|e|ex)\.stack\b[^;\n]*|printStackTrace\(\s*(?:response|resp|res|out|\w*[wW]riter)[^;]*|ini_set\(\s*[\"']display_errors[\"']\s*,\s*[\"']?(?:1|on|true)|getTraceAsString\(\)", 209, "Error details and stack trace shown to the client", "low", {}),
    (WEB, ("\\r\\n", "setheader", "addheader"), r"\b(?:setHeader|addHeader)\(\s*\"[^\"]+\"\s*,\s*[^;]*getParameter[^;]*", 113, "Header injection through input in a response header", "medium", {"unless": r"replace|encode"}),
    # memory safety in C and C++
    (("c",), ("gets(", "strcpy", "strcat", "sprintf", "stpcpy"), r"(?<![\w])(?:gets|strcpy|strcat|stpcpy|vsprintf)\s*\([^;]*|(?<![\w])sprintf\s*\([^;]*%s[^;]*", 120, "Buffer overflow: copy without a bound on the length", "high", {"skip": r"strcpy\s*\(\s*\w+\s*,\s*\"[^\"]{0,24}\"\s*\)", "unless": r"if\s*\([^)]*strlen\([^)]*\)\s*(?:\+\s*\w+(?:\([^)]*\))?\s*)?(?:>=?|<=?)[^)]*\)|malloc\(\s*strlen"}),
    (("c",), ("scanf",), r"\b(?:f|s)?scanf\s*\([^;]*%s[^;]*", 120, "Buffer overflow: scanf reads a string without a width", "high", {}),
    (("c",), ("memcpy", "memmove", "strncpy", "strncat"), r"\b(?:memcpy|memmove)\s*\(\s*([\w.\->\[\]&+ ]+),[^;]*,\s*(?!sizeof)(?=[^;]*[a-z_])[^;]*", 787, "Out-of-bounds write: copy length comes from the data", "high", {"unless": r"if\s*\([^)]*(?:len|size|n\b|count|sizeof|cap)\w*[^)]*(?:>=?|<=?)[^)]*\)|\bmin\s*\(|MIN\(", "need": r"\w+\s*\[\s*\w+\s*\]\s*;|len|size"}),
    (("c",), ("strncat", "strncpy"), r"\bstrncat\s*\([^;]*sizeof\s*\(?\s*\w+\s*\)?\s*\)\s*;|\bstrncpy\s*\([^,]*,\s*([^,]*),\s*strlen\(\s*\1\s*\)", 120, "Buffer overflow: bound of the copy is that of the wrong buffer", "high", {}),
    (("c",), ("printf", "syslog"), r"(?<![\w])(?:printf|vprintf)\s*\(\s*(?!\")[A-Za-z_][\w.\->\[\]]*\s*\)|(?<![\w])(?:fprintf|syslog|dprintf|err|warn)\s*\(\s*[\w.\->]+\s*,\s*(?!\")[A-Za-z_][\w.\->\[\]]*\s*\)|(?<![\w])snprintf\s*\([^,]+,[^,]+,\s*(?!\")[A-Za-z_][\w.\->\[\]]*\s*\)", 134, "Format string is not a constant", "high", {}),
    (("c",), ("malloc", "realloc", "alloca"), r"\b(?:malloc|realloc|alloca|xmalloc)\s*\([^;]*\b[a-z_]\w*(?:->\w+|\.\w+)?\s*\*\s*(?:sizeof\s*\(?|[a-z_]\w*|\d)[^;]*", 190, "Integer overflow in an allocation size", "high", {"unless": r"SIZE_MAX|__builtin_mul_overflow|reallocarray|INT_MAX|UINT_MAX|/\s*sizeof|MAX_\w+|if\s*\([^)]*>\s*\d+", "need": r"argv|atoi|read|recv|len|count|num|width|header|\bn\b"}),
    (("c",), ("free(",), r"\bfree\s*\(\s*([\w.\->]+)\s*\)\s*;(?![^{}]{0,12}(?:return|break|goto|exit))(?:(?!\1\s*=|\breturn\b|\n\})[\s\S]){0,500}?(?:\*\s*\1\b(?!\s*=\s*NULL)|\b\1\s*(?:->|\[)|\b(?:printf|puts|strcpy|strlen|memcpy|fprintf|send|write)\s*\([^;]*\b\1\b)", 416, "Use after free", "high", {}),
    (("c",), ("free(",), r"\bfree\s*\(\s*([\w.\->]+)\s*\)\s*;(?:(?!\1\s*=|\n\}|\breturn\b)[\s\S]){0,600}?\bfree\s*\(\s*\1\s*\)", 415, "Double free of a pointer", "high", {}),
    (("c",), ("<=",), r"for\s*\(\s*[^;]*;\s*(\w+)\s*<=\s*(?:\w*(?:len|size|count|SIZE|LEN|MAX|max|num|capacity)\w*|sizeof[^;]*|\d+)\s*;[^)]*\)[^}]{0,200}?\[\s*\1\s*\]", 193, "Off-by-one error in a loop bound", "medium", {"skip": r"=\s*1\s*;|-\s*1\s*;"}),
    (("c",), ("malloc", "calloc"), r"(\w+)\s*=\s*(?:\([^)]*\)\s*)?(?:malloc|calloc|realloc)\s*\([^;]*;\s*\n\s*(?:\1\s*->|\*\1|\1\[|(?:strcpy|memcpy|memset)\s*\(\s*\1)", 476, "Null pointer dereference: result of an allocation is not checked", "medium", {}),
    (("c",), ("recv(", "read(", "fread("), r"\b(?:recv|read|fread)\s*\(\s*(?:\w+\s*,\s*)?(\w+)\s*,\s*(?:sizeof\s*\(?\s*\1\s*\)?|BUF\w*|\d+)\s*[,)][^;]*;(?:(?!\n\})[\s\S]){0,200}?\1\s*\[\s*(?:n|len|bytes|ret|rc|nread|got|r)\s*\]\s*=\s*(?:0|'\\0')", 193, "Off-by-one error: terminator is written past the buffer", "medium", {"skip": r"-\s*1"}),
    (("c",), ("atoi", "strtol", "int idx", "index"), r"(?:int|long|ssize_t)\s+(\w+)\s*=\s*(?:atoi|strtol|atol)\([^;]*;(?:(?!\bif\s*\([^)]*\b\1\b)[\s\S]){0,250}?\w+\s*\[\s*\1\s*\]", 129, "Array index from input is not checked", "high", {}),
    (("c", "go", "java"), ("setuid", "setgid", "seteuid"), r"^\s*(?:setuid|setgid|seteuid|setegid)\s*\([^;]*\)\s*;", 252, "Result of dropping privileges is not checked", "high", {}),
    # shell, containers, pipelines, infrastructure
    (("sh", "docker", "yaml"), ("curl", "wget"), r"\b(?:curl|wget)\b[^\n|]*\|\s*(?:sudo\s+)?(?:ba)?sh\b", 494, "Script downloaded and executed without an integrity check", "high", {}),
    (("sh",), ("rm -r", "rm -f"), r"\brm\s+-\w*r\w*\s+(?:[^\n\"]*\s)?\$\{?\w+\}?/?[^\n\"]*", 78, "Unquoted variable in a recursive delete", "medium", {"skip": r"\"\$|:\?"}),
    (("yaml",), ("github.event", "github.head_ref"), r"\$\{\{\s*github\.(?:event\.(?:issue|pull_request|comment|review|head_commit|commits)[\w.\[\]*]*(?:title|body|ref|message|label|name|email)|head_ref)\s*\}\}", 94, "Script injection: event text expanded in a workflow step", "high", {"skip": r"^\s*\w+:\s*\$\{\{"}),
    (("docker", "yaml"), ("privileged", "docker.sock", "user root", "hostnetwork", "runasuser", "allowprivilegeescalation"), r"^\s*USER\s+root\s*(?![\s\S]*^\s*USER\s+(?!root))|\bprivileged\s*:\s*true|/var/run/docker\.sock|runAsUser\s*:\s*0\b|allowPrivilegeEscalation\s*:\s*true|hostPID\s*:\s*true", 250, "Container runs with unnecessary privileges", "medium", {}),
    (("tf", "yaml"), ("0.0.0.0/0", "public-read"), r"acl\s*=\s*\"public-read(?:-write)?\"|cidr_blocks\s*=\s*\[\s*\"0\.0\.0\.0/0\"[^\n]*|publicly_accessible\s*=\s*true", 284, "Resource is open to the public", "medium", {}),
    (("rs",), ("unsafe", "transmute"), r"get_unchecked(?:_mut)?\(|from_raw_parts(?:_mut)?\([^;]*\blen\b[^;]*|mem::transmute", 119, "Unchecked memory access in unsafe code", "medium", {"unless": r"assert!|if\s+\w+\s*[<>]=?\s*\w+\.len"}),
)


def plausible_secret(value, text):
    """Whether a literal looks like a credential rather than a placeholder, a name or a message."""
    low = value.lower()
    if has(low, r"change[-_ ]?me|your[-_]|example|placeholder|xxx|\*\*\*|<|todo|dummy|^test|^secret$|^password$|process\.env|getenv|env\(|^\$|^%|^/|^https?:|redacted|^none$|^null$|^true$|^false$|replace|insert|\.\.\.|^string$|^required|sample|^[a-z_]+:$|{{"):
        return False
    if " " in value or has(value, r"^[a-z]+(?:[_.-][a-z]+)*$") and not has(text.lower(), r"passw|pwd|secret"):
        return False
    if has(value, r"^[A-Z][A-Z_]+$|^[a-z]+(?:\.[a-z_]+)+$|^[a-z]+[A-Z][A-Za-z]*$|^[a-z]+[_ ](?:token|password|secret|key)$|^(?:password|token|text|x-[\w-]+|authorization|bearer)$|^[\w.-]+/[\w./-]+$"):
        return False
    return len(set(value)) >= 4


def guard_helpers(sources):
    """Names of functions of the repository whose body checks a path or a URL: a caller of one is guarded."""
    paths, urls = set(), set()
    for source in sources:
        if source.lang not in CODE or source.is_test():
            continue
        for m in rx(r"(?m)^[ \t]*(?:export\s+|public\s+|private\s+|protected\s+|static\s+|async\s+|final\s+|pub\s+)*(?:(?:def|func|function|fn|fun)\s+(?:\([^)]*\)\s*)?(\w+)|(?:const|let|var)\s+(\w+)\s*=\s*(?:async\s*)?(?:function|\([^)\n]*\)\s*(?::[^=\n]+)?=>|\w+\s*=>)|(?:[\w<>\[\]*]+\s+)+\*?(\w+)\s*\([^;{)]*\)\s*(?:throws [\w, ]+)?\{)").finditer(source.code):
            name = m.group(1) or m.group(2) or m.group(3)
            if len(name) < 4 or name in ("main", "handler", "handle"):
                continue
            body = scope_text(source, source.line(m.start() + len(m.group(0)) - len(m.group(0).lstrip())))
            if len(body) > 1500 or has(body, INPUTS.get(source.lang, r"(?!)")) or has(body, r"\brequest\.(?:args|form|json|values|GET|POST)"):
                continue
            if has(body, PATH_GUARD) and has(body, r"(?i)raise|throw|return|error|abort|panic|exit"):
                paths.add(name)
            if has(body, URL_GUARD) and has(name, r"(?i)safe|check|valid|allow|guard|ensure|assert|local|internal|private|verify|resolve|normal"):
                urls.add(name)
    return paths, urls


def calls_any(text, names):
    return bool(names) and any(w in names for w in rx(r"(\w+)[!?]?\s*\(").findall(text))


def parameters_of(header):
    m = rx(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)").search(header)
    if not m:
        return []
    out = []
    for part in m.group(1).split(","):
        part = re.sub(r"=.*", "", part).strip()
        words = rx(r"[A-Za-z_]\w*").findall(part.split(":")[0] if ":" in part else part)
        if words:
            out.append(words[0] if ":" in part or (len(words) == 2 and has(header, r"\bfunc\b")) else words[-1])
    return [p for p in out if p not in ("req", "res", "request", "response", "next", "ctx", "w", "r", "c", "db", "err", "this", "self", "const", "int", "string", "void", "conn", "client")]


def tainted_names(source, first, last):
    """(names bound to outside input, names of parameters) in a function."""
    lines = source.code_lines[first - 1:last]
    body, pattern = "\n".join(lines), INPUTS.get(source.lang)
    names = set()
    if pattern:
        assign = rx(r"(?:(?:const|let|var|final|auto|String|int|char\s*\*?)\s+)?(?:\{([\w\s,:=]+)\}|\$?([A-Za-z_]\w*)(?:\s*,\s*\w+)?)\s*(?::\s*[\w<>\[\]|. ]+)?\s*(?::=|\|\|=|\.?=)(?![=>])\s*([^;\n]*)")
        pairs = [(m.group(1) or m.group(2), m.group(3)) for m in assign.finditer(body)]
        for m in rx(r"@(?:RequestParam|PathVariable|RequestBody|QueryParam|PathParam)(?:\([^)]*\))?\s+(?:final\s+)?[\w<>]+\s+(\w+)|\[From\w+\]\s*[\w<>]+\s+(\w+)").finditer(body):
            names.add(m.group(1) or m.group(2))
        if source.lang in ("go", "rs"):
            names.update(g for m in rx(r"(?:Decode|Bind\w*|ShouldBind\w*|Unmarshal|BodyParser)\((?:[^,)]*,\s*)?&(\w+)|\b(?:Query|Path|Form|Json)\((\w+)\)\s*:").finditer(body) for g in m.groups() if g)
        for m in rx(r"\b(?:fgets|recv\w*|scanf|fread|read)\s*\([^;]*?\b&?(\w*(?:buf|line|name|cmd|input|data)\w*)").finditer(body) if source.lang == "c" else ():
            names.add(m.group(1))
        for round_ in range(4):
            size = len(names)
            for left, right in pairs:
                dirty = has(right, pattern) or any(has(right, r"(?<![\w.])\$?\{?" + n + r"\b") for n in names)
                if dirty and not has(right, CLEAN):
                    names.update(w.split(":")[-1].split("=")[0].strip() for w in left.split(",") if w.strip())
            if source.lang == "c":
                for m in rx(r"\b(?:sn?printf|strcpy|strcat|strncpy|memcpy)\s*\(\s*(\w+)([^;]*)").finditer(body):
                    if has(m.group(2), pattern) or any(has(m.group(2), r"\b" + n + r"\b") for n in names):
                        names.add(m.group(1))
            if len(names) == size:
                break
    head = " ".join(lines[:4])
    return names, parameters_of(head if has(lines[0] if lines else "", r"\(") else "")


def apply_rules(source, report):
    if any(len(line) > 4000 for line in source.lines):
        return  # minified or generated: nothing to review by line
    code, low = source.code, source.low
    scopes, taints = {}, {}
    for langs, hints, pattern, cwe, title, severity, options in RULES:
        if source.lang not in langs or not any(h in low for h in hints):
            continue
        if "file_need" in options and not has(source.text, options["file_need"]):
            continue
        if "file_unless" in options and has(code, options["file_unless"]):
            continue
        for m in rx(pattern, re.M).finditer(code):
            start = m.start() + len(m.group(0)) - len(m.group(0).lstrip())
            line = source.line(start)
            text = m.group(0)
            if "literal" in options:
                text += code[m.end():m.end() + 160].split("`")[0]
            if "skip" in options and has(source.lines[line - 1] + "\n" + text, options["skip"]):
                continue
            if "notmatch" in options and has(statement_at(code, start, 600), options["notmatch"]):
                continue
            if "value" in options and not plausible_secret(m.group("v"), text):
                continue
            if line not in scopes:
                scopes[line] = scope_of(source, line)
            first, last = scopes[line]
            inner = None
            if "unless" in options or "need" in options:
                inner = "\n".join(source.code_lines[first - 1:last])
                if "unless" in options and has(inner, options["unless"], re.M):
                    continue
                if "need" in options and not has(inner, options["need"], re.M):
                    continue
                if cwe in (22, 98, 434) and calls_any(inner, report.guards[0]) or cwe in (601, 918) and calls_any(inner, report.guards[1]):
                    continue
            if "index" in options:
                index = m.group(1)
                names, params = taints.get((first, last)) or taints.setdefault((first, last), tainted_names(source, first, last))
                whole = "\n".join(source.code_lines[first - 1:last])
                if index not in names and index not in params or has(whole, r"\b" + index + r"\s*(?:<|>|==|%|&)|[<>]=?\s*\(?\w*\)?\s*" + index + r"\b"):
                    continue
            if "tainted" in options or "input" in options or "param" in options:
                names, params = taints.get((first, last)) or taints.setdefault((first, last), tainted_names(source, first, last))
                plain = re.sub(r"\"(?:\\.|[^\"\\\n$#{])*\"|'(?:\\.|[^'\\\n])*'", '""', text) if source.lang != "php" else text
                direct = has(text, INPUTS.get(source.lang, r"(?!)"))
                carried = any(has(plain, r"(?<![\w.\"'>-])\$?" + re.escape(n) + r"\b") for n in names)
                by_param = False
                if "tainted" in options or "param" in options:
                    wanted = options.get("param")
                    by_param = any(has(plain, r"(?<![\w.\"'>])\$?" + re.escape(p) + r"\b") for p in params if not wanted or has(p, wanted))
                    if "tainted" in options and not by_param and not has(text, CLEAN):  # a value of unknown origin in a query or command
                        local = rx(r"\$\{\s*([\w.]+)|\+\s*([a-z]\w*(?:\.\w+)*)|\.\s*(\$\w+)|,\s*([a-z]\w*)").findall(text)
                        by_param = any(has("".join(g), r"^(?:this\.)?\$?(?:\w+\.)+\w*(?:name|id|term|query|filter|value|input|search|path|email|host)\w*$") for g in local)
                if has(text, CLEAN) and not (direct and cwe in (502,)):
                    continue
                if not (direct or carried or by_param):
                    continue
                if cwe == 22 and not (direct or carried) and not has("\n".join(source.code_lines[first - 1:last]), JOINS):
                    continue
            report.add(source, line, cwe, title, severity)
            if "value" in options:
                report.secret(source, line, secret_kind(text))


def secret_kind(name):
    for kind, pattern in (("password", r"(?i)passw|pwd"), ("api_key", r"(?i)api_?key"), ("token", r"(?i)token")):
        if has(name, pattern):
            return kind
    return "secret"


# ---------------------------------------------------------------------------------------------
# 10. Repositories: Python
# ---------------------------------------------------------------------------------------------

OUTSIDE = {"REQ", "ARGV", "INPUT", "ENVVAR", "NET"}


def dynamic(node, call, file):
    """Whether a string argument is put together from values that are not constants, and from which names."""
    if isinstance(node, ast.Name):
        scope = call.scope
        for sub in ast.walk(scope.node):
            if isinstance(sub, (ast.Assign, ast.AugAssign)) and any(isinstance(t, ast.Name) and t.id == node.id for t in (sub.targets if isinstance(sub, ast.Assign) else [sub.target])):
                inner = dynamic(sub.value, call, file) if not (isinstance(sub.value, ast.Name) and sub.value.id == node.id) else []
                if inner:
                    return inner
        return []
    parts = []
    if isinstance(node, ast.JoinedStr):
        parts = [v.value for v in node.values if isinstance(v, ast.FormattedValue)]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mod)):
        for side in (node.left, node.right):
            if isinstance(side, ast.Tuple):
                parts += side.elts
            elif isinstance(side, (ast.BinOp, ast.JoinedStr)):
                parts += dynamic(side, call, file)
            elif not isinstance(side, ast.Constant) and not (isinstance(node.op, ast.Mod) and side is node.left):
                parts.append(side)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        parts = list(node.args) + [k.value for k in node.keywords]
    elif isinstance(node, ast.Call) and dotted(node.func, file.aliases).endswith("text") and node.args:
        return dynamic(node.args[0], call, file)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join" and node.args and isinstance(node.args[0], ast.Name):
        for sub in ast.walk(call.scope.node):
            if isinstance(sub, ast.Call) and isinstance(sub.func, ast.Attribute) and sub.func.attr == "append" and isinstance(sub.func.value, ast.Name) and sub.func.value.id == node.args[0].id and sub.args:
                parts += dynamic(sub.args[0], call, file) if not isinstance(sub.args[0], ast.Name) else []
    return [p for p in parts if not harmless(p, call, file)]


def harmless(node, call, file, depth=0):
    """A value that cannot carry an attack: constants, upper-case names, placeholders, numbers, values checked against a list."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Name):
        if node.id.isupper() or has(node.id, r"(?i)placeholder|^qmarks?$|^marks$"):
            return True
        if node.id in call.scope.const and depth < 3 and node.id not in call.scope.params:
            return True
        inner = segment_of(file.source, call.scope.node) if call.scope.name != "<module>" else ""
        inner = inner or ""
        if has(inner, r"\b" + node.id + r"\s+not\s+in\b|\bif\s+" + node.id + r"\s+in\b|" + node.id + r"\s*=\s*(?:int|float|len|quote|shlex\.quote)\(|" + node.id + r"\s*=\s*\w*(?:ALLOWED|COLUMNS|[A-Z]{4,})\w*(?:\[|\.get\()|" + node.id + r"\s*=\s*[\"'],\s?[\"']\.join\(\s*(?:\[\s*)?[\"'(]?[?%]|" + node.id + r"\s*=\s*[\"'][^\"']*[\"']\s*if\b|fullmatch\([^)]*" + node.id):
            return True
        return False
    if isinstance(node, ast.Attribute):
        return node.attr.isupper() or node.attr in ("__tablename__", "table_name", "executable", "table")
    if isinstance(node, ast.Call):
        name = dotted(node.func, file.aliases)
        return has(name, r"^(int|float|len|bool|round|id|abs)$|quote$|escape$|Identifier$|hexdigest$|isoformat$") or (name.endswith(".join") and has(ast.dump(node), r"'\?'|'%s'"))
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        return node.value.id.isupper()
    return False


def audit_python(file, report):
    source = file.source
    add = lambda line, cwe, title, severity="high": report.add(source, line, cwe, title, severity)
    web = has(source.text, r"flask|django|fastapi|starlette|tornado|aiohttp|bottle|sanic|http\.server|falcon|quart")
    for call in file.calls:
        name, node, line, labels = call.name, call.node, call.line, call.labels
        short = name.rsplit(".", 1)[-1]
        first = node.args[0] if node.args else None
        outside = bool(labels & OUTSIDE)
        reach = outside or "PARAM" in labels
        inner = (lambda: (segment_of(source, call.scope.node) if call.scope.name != "<module>" else source.code) or "")
        segment = (lambda: segment_of(source, node) or "")
        if short in ("execute", "executemany", "executescript", "raw", "fetch", "fetchrow", "fetchval", "extra", "query", "run_query", "fetch_all", "fetchall", "fetch_one", "exec_driver_sql", "query_all", "query_one", "read_sql", "read_sql_query") and first is not None:
            parts = dynamic(first, call, file)
            sqlish = has(segment() + inner(), r"(?i)\b(?:select|insert|update|delete|where|from|order by|create|drop|pragma|attach)\b")
            if parts and sqlish:
                add(line, 89, "SQL injection through a query built from strings", "high")
        elif has(name, SHELLS) or name in ("os.popen", "commands.getoutput"):
            shell = call.kw("shell")
            is_shell = has(name, r"^os\.(system|popen)$|getoutput|create_subprocess_shell") or (isinstance(shell, ast.Constant) and shell.value is True)
            argv = first.elts if isinstance(first, (ast.List, ast.Tuple)) else []
            words = [fold(a) for a in argv]
            if is_shell and first is not None and not isinstance(first, ast.Constant):
                loose = isinstance(first, ast.Name) and (first.id in call.scope.params or reach) and first.id not in call.scope.const
                if dynamic(first, call, file) or loose or (isinstance(first, (ast.Subscript, ast.Attribute, ast.Call)) and reach):
                    add(line, 78, "OS command injection through a shell command built from input", "critical")
            elif len(words) >= 3 and has(words[0] or "", r"(^|/)(ba|z)?sh$") and words[1] in ("-c", "-lc") and words[2] is None:
                add(line, 78, "OS command injection through sh -c with input", "critical")
        elif name in ("eval", "exec", "builtins.eval", "builtins.exec") and first is not None and not isinstance(first, ast.Constant):
            if reach or labels or isinstance(first, (ast.JoinedStr, ast.BinOp, ast.Name)):
                add(line, 95, "Code injection through eval of input", "critical")
        elif has(name, r"^(pickle|cPickle|_pickle|dill|cloudpickle|marshal|jsonpickle|shelve|joblib|pandas|pd)\.(loads?|decode|open|read_pickle|Unpickler)$"):
            if not has(inner(), r"hmac|compare_digest"):
                add(line, 502, "Deserialization of untrusted data", "critical")
        elif has(name, r"^yaml\.(load|load_all|unsafe_load|full_load)$"):
            loader = call.kw("Loader") or (node.args[1] if len(node.args) > 1 else None)
            if name.endswith("unsafe_load") or loader is None and not name.endswith("full_load") or (loader is not None and not has(ast.dump(loader), r"Safe|BaseLoader")):
                add(line, 502, "Deserialization of untrusted data: unsafe YAML loader", "critical")
        elif has(name, r"^hashlib\.(md5|sha1|new)$|^(Crypto|Cryptodome)\.Hash\.(MD5|SHA1?)\.new|^(MD5|SHA1?)\.new$|hashes\.(MD5|SHA1)$"):
            if name == "hashlib.new" and (fold(first) or "").lower() not in ("md5", "sha1"):
                continue
            used = call.kw("usedforsecurity")
            context = source.lines[line - 1] + inner()
            if not (isinstance(used, ast.Constant) and used.value is False) and not has(context, r"(?i)etag|cache_?key|checksum|fingerprint|dedup|gravatar|content_?hash|file_?hash|cached?\b"):
                if has(context, r"(?i)passw|pwd"):
                    add(line, 916, "Weak hash algorithm used for a password", "high")
                else:
                    add(line, 328, "Weak hash algorithm (MD5 or SHA-1) used for security", "medium")
        elif has(name, r"^hashlib\.(sha224|sha256|sha512|sha3_\w+|blake2\w)$") and has(inner(), r"(?i)def \w*(hash|set|check|verify|store)\w*passw|(sha\d+|blake2\w)\(\s*\(?\s*(salt\s*\+\s*)?passw"):
            if not has(inner(), r"pbkdf2|bcrypt|scrypt|argon2|compromised|pwned"):
                add(line, 916, "Password hash with insufficient computational effort", "high")
        elif name.endswith("pbkdf2_hmac") and len(node.args) >= 4 and isinstance(node.args[3], ast.Constant) and isinstance(node.args[3].value, int) and node.args[3].value < 50_000:
            add(line, 916, "Password hash with insufficient computational effort", "medium")
        elif has(name, r"(^|\.)(DES3?|ARC4|ARC2|Blowfish)\.new$|algorithms\.(ARC4|TripleDES|Blowfish|IDEA)$") or (has(name, r"AES\.new$|modes\.ECB$") and has(segment(), r"MODE_ECB|modes\.ECB")):
            add(line, 327, "Broken or risky cipher or mode (DES, RC4 or ECB)", "high")
        elif has(name, r"AES\.new$|modes\.(CBC|CTR|GCM)$") and has(segment(), r"b[\"'][^\"']{8,}[\"']|bytes\(16\)|b[\"']\\x00[\"']\s*\*\s*\d+|\b(?:STATIC_?|FIXED_?)?IV\b"):
            add(line, 329, "Static or predictable initialisation vector", "medium")
        elif has(name, r"^random\.(random|randint|choices?|randrange|getrandbits|sample|shuffle|seed|randbytes)$"):
            around = "\n".join(source.lines[max(0, line - 4):line + 3]) + call.scope.name
            if has(around, r"(?i)token|secret|passw|session|otp|nonce|\bpin\b|reset|api_?key|csrf|salt|invite|verif|_key\b|coupon|voucher|code") and not has(around, r"(?i)jitter|backoff|sleep|delay|demo|sample_data|status_code"):
                add(line, 338, "Predictable random numbers used for a token or secret", "medium")
        elif has(name, r"^(requests|httpx|aiohttp|session|client)\b.*\.(get|post|put|delete|patch|request|head|Client|AsyncClient|Session|stream)$|urlopen$|urlretrieve$|urllib3\..*request$|urllib\.request\.Request$") or is_net(name):
            verify = call.kw("verify")
            if verify is None:
                verify = call.kw("ssl")
            if isinstance(verify, ast.Constant) and verify.value is False:
                add(line, 295, "TLS certificate validation is disabled", "high")
            if has(name, r"(get|post|put|delete|patch|head|urlopen|urlretrieve|request|Request|stream)$") and first is not None:
                target = node.args[1] if short == "request" and len(node.args) > 1 else first
                carried = file.labels(target, call.scope)
                if isinstance(target, ast.JoinedStr) and target.values and has(fold(target.values[0]) or "", r"^https?://[\w.-]+(:\d+)?/"):
                    carried = EMPTY
                if isinstance(target, ast.BinOp) and (has(fold(target.left) or "", r"^https?://[\w.-]+/") or (isinstance(target.left, ast.Name) and target.left.id.isupper())):
                    carried = EMPTY
                asked = [l[2:] for l in carried if l.startswith("P:")]
                urlish = any(has(a, r"(?i)url|uri|target|endpoint|webhook|callback|link|feed|^host") for a in asked)
                if (carried & {"REQ"} or urlish and web) and not has(inner(), URL_GUARD) and not calls_any(inner(), report.guards[1]):
                    add(line, 918, "Server-side request forgery: URL of an outgoing request is given by input", "high")
        elif short == "_create_unverified_context":
            add(line, 295, "TLS certificate validation is disabled", "high")
        elif name in ("tempfile.mktemp", "os.tempnam", "os.tmpnam"):
            add(line, 377, "Insecure temporary file: predictable name", "medium")
        elif short == "chmod" and has(segment(), r"0o?[0-7]?[0-7][0-7][2367]\b|S_IWOTH|S_IRWXO"):
            add(line, 732, "World-writable permissions on a file or directory", "medium")
        elif name == "os.umask" and has(segment(), r"\(\s*0(o0+)?\s*\)"):
            add(line, 276, "Permissive default permissions: umask is cleared", "medium")
        elif name in ("os.makedirs", "os.mkdir", "os.open") and has(segment(), r"0o?[0-7]?(777|666)\b"):
            add(line, 732, "World-writable permissions on a file or directory", "medium")
        elif short in ("extractall", "unpack_archive") or (short == "extract" and has(source.text, r"tarfile|zipfile")):
            if call.kw("filter") is None and not calls_any(inner(), report.guards[0]) and not has(inner(), PATH_GUARD + r"|getmembers|safe_extract|filter\s*=") and (has(source.text, r"tarfile|unpack_archive")):
                add(line, 22, "Path traversal: archive is extracted without checking entry names", "high")
        elif has(name, r"^jwt\.decode$|jose\.jwt\.decode$"):
            if has(segment(), r"verify_signature[\"']?\s*:\s*False|verify\s*=\s*False|[\"']none[\"']"):
                add(line, 347, "Token signature is not verified", "critical")
        elif has(name, r"render_template_string$|(^|\.)Template$|from_string$") and first is not None and not isinstance(first, ast.Constant):
            if (dynamic(first, call, file) or file.labels(first, call.scope) & (OUTSIDE | {"PARAM"})) and not has(name, r"^string\."):
                add(line, 1336, "Server-side template injection through a template built from input", "high")
        elif has(name, r"(^|\.)(mark_safe|Markup|SafeString|HTMLResponse|HttpResponse|format_html|make_response|Response|write_html|HTML)$") and first is not None or (name == "self.write" or name == "self.wfile.write"):
            htmlish = has(segment() + (inner() if isinstance(first, ast.Name) else ""), r"<\s*\w+[^>]*>") or has(name, r"mark_safe|Markup$")
            parts = dynamic(first, call, file) if first is not None else []
            risky = [p for p in parts if file.labels(p, call.scope) & (OUTSIDE | {"PARAM"})] or (file.labels(first, call.scope) & {"REQ"} and not has(segment(), r"json|dumps"))
            if htmlish and risky and not has(inner(), r"escape\(|bleach|nh3|sanitize") and not has(name, r"format_html") and not has(segment(), r"text/plain|application/json"):
                add(line, 79, "Cross-site scripting: input written to a page without escaping", "high")
        elif has(name, r"(^|\.)(redirect|HttpResponseRedirect|RedirectResponse|HTTPFound|HTTPSeeOther)$") and first is not None:
            carried = file.labels(first, call.scope)
            if carried & {"REQ"} and not isinstance(first, ast.Constant) and not has(inner(), URL_GUARD) and not calls_any(inner(), report.guards[1]) and not has(segment(), r"url_for\(|reverse\("):
                if not isinstance(first, ast.JoinedStr) or not has(fold(first.values[0]) or "", r"^/\w"):
                    add(line, 601, "Open redirect to a location given by input", "medium")
        elif has(name, r"(^|\.)(open|send_file|FileResponse|read_text|read_bytes|write_text|write_bytes|remove|unlink|rmtree|listdir|copyfile|static_file|isfile)$") and name not in ("webbrowser.open",):
            target = first
            carried = file.labels(target, call.scope) if target is not None else EMPTY
            if isinstance(node.func, ast.Attribute) and short in ("read_text", "read_bytes", "write_text", "write_bytes", "unlink", "open"):
                carried = carried | file.labels(node.func.value, call.scope) if short not in ("write_text", "write_bytes") else file.labels(node.func.value, call.scope)
            asked = [l[2:] for l in carried if l.startswith("P:")]
            named = any(has(a, r"(?i)^(file_?)?name$|file|path|doc|page|template|slug|key|upload") for a in asked) and has(inner(), r"os\.path\.join|/\s*\w+|Path\(|f[\"'][^\"']*\{|\+")
            if short != "isfile" and not calls_any(inner(), report.guards[0]) and (carried & {"REQ"} or (named and (web or has(source.text, r"\bBASE|_DIR\b|ROOT|base_dir|root\b")))) and not has(inner(), PATH_GUARD + r"|int\("):
                add(line, 22, "Path traversal: file path built from input", "high")
            elif short == "open" and isinstance(first, (ast.Constant, ast.JoinedStr)) and has(segment(), r"[\"']/tmp/[^\"']*[\"']\s*,\s*[\"'][wax]"):
                add(line, 377, "Insecure temporary file: predictable name in a shared directory", "medium")
        elif short == "save" and has(segment(), r"\.filename\b") or (short == "save" and first is not None and "filename" in inner() and "REQ" in labels):
            if not has(inner(), r"secure_filename|allowed|ALLOWED|splitext|uuid|imghdr|content_type"):
                add(line, 434, "Unrestricted file upload: stored under the client's file name", "high")
        elif has(name, r"(lxml\.)?etree\.XMLParser$|xml\.sax\.|make_parser$|^xml\.dom\.(pulldom|minidom)|lxml\.etree\.(parse|fromstring|XML)$"):
            if has(segment(), r"resolve_entities\s*=\s*True|no_network\s*=\s*False|load_dtd\s*=\s*True") or (short == "setFeature" and has(segment(), r"external_ges[^)]*True")):
                add(line, 611, "XML external entities are resolved (XXE)", "high")
        elif short == "setFeature" and has(segment(), r"external_ges[^)]*(True|1)"):
            add(line, 611, "XML external entities are resolved (XXE)", "high")
        elif has(name, r"\.set_cookie$"):
            key = fold(first) or ""
            text = segment()
            if not has(text, r"secure\s*=\s*(?!False)") or not has(text, r"httponly\s*=\s*(?!False)"):
                if not has(key, r"(?i)theme|lang|locale|consent|tz"):
                    add(line, 614 if not has(text, r"secure\s*=\s*(?!False)") else 1004, "Session cookie without Secure or HttpOnly", "medium")
        elif has(name, r"(^app|application|server)\.run$|uvicorn\.run$"):
            debug = call.kw("debug")
            if isinstance(debug, ast.Constant) and debug.value is True:
                add(line, 489, "Debug mode is enabled", "medium")
        elif has(name, r"search(_s|_ext_s)?$") and "ldap" in source.low and has(segment() + inner(), r"\(\s*(?:&|\||\w+)=?") and (any(dynamic(a, call, file) for a in list(node.args) + [k.value for k in node.keywords])):
            if not has(inner(), r"escape_filter_chars|escape_rdn"):
                add(line, 90, "LDAP injection through a filter built from input", "high")
        elif short in ("xpath", "findall", "find") and first is not None and dynamic(first, call, file) and has(segment() + inner(), r"//|\[@"):
            if reach and short == "xpath":
                add(line, 643, "XPath injection through an expression built from input", "high")
        elif short == "setattr" and has(inner(), r"for\s+\w+\s*,\s*\w+\s+in\s+[\w.()]*(?:json|data|form|body|payload|kwargs|params|updates?|fields)\w*[\w.()]*\.items\(\)") and not has(inner(), r"(?i)allowed|fields\b.*in|not in|editable|whitelist| in [A-Z_]+"):
            add(line, 915, "Mass assignment: request attributes copied onto an object", "high")
        elif short == "getattr" and len(node.args) >= 2 and file.labels(node.args[1], call.scope) & {"REQ"} or name == "importlib.import_module" and labels & {"REQ"}:
            if not has(inner(), r"(?i)allowed| in [A-Z_]+|not in"):
                add(line, 470, "Unsafe reflection: class or method chosen by input", "high")
        elif name == "re.compile" or has(name, r"^re\.(match|search|fullmatch|sub|findall)$"):
            pattern = fold(first) if first is not None else None
            if pattern and has(pattern, r"\((?:\?:)?(?:\[[^\]]+\]|\\w|\\d|\\s|\.|\w)[+*]\)[+*]|\((?:\?:)?[^()]*(?:\[[^\]]+\]|\\w|\.|\\s)[+*]\)[+*]\$"):
                add(line, 1333, "Inefficient regular expression can be driven to backtrack (ReDoS)", "medium")
            elif first is not None and file.labels(first, call.scope) & {"REQ"} and not has(segment(), r"escape"):
                add(line, 1333, "Regular expression taken from input (ReDoS)", "medium")
        elif has(name, r"^(logging|logger|log|current_app\.logger|app\.logger|self\.logger|LOG)\.(info|debug|warning|error|critical|exception)$|^print$") or has(name, r"getLogger\(\)\.(info|debug|warning|error)$"):
            secret = [n for a in node.args for n in ast.walk(a) if isinstance(n, (ast.Name, ast.Attribute)) and has(n.id if isinstance(n, ast.Name) else n.attr, r"(?i)^(\w*_)?(password|passwd|secret|api_key|access_token|auth_token|token|card_number|cvv|ssn|private_key)$")]
            if secret and not has(segment(), r"(?i)mask|redact|len\(|\[:\d|\[-\d|hash|bool\("):
                add(line, 532, "Sensitive data written to a log", "medium")
        elif has(name, r"CORS(Middleware)?$|add_middleware$") and has(segment(), r"[\"']\*[\"']") and has(segment(), r"credentials\s*=\s*True"):
            add(line, 942, "Permissive cross-origin policy (CORS)", "medium")
        elif name == "Environment" or name.endswith("jinja2.Environment"):
            auto = call.kw("autoescape")
            if (auto is None or isinstance(auto, ast.Constant) and auto.value is False) and has(source.text, r"(?i)html|flask|web"):
                add(line, 79, "Cross-site scripting: template engine does not escape", "high")
        if has(name, r"(\.|^)(find|find_one|update_one|delete_one|find_one_and_update|aggregate|count_documents)$") and first is not None and not isinstance(first, ast.Constant) and has(source.text, r"pymongo|mongo|motor"):
            carried = file.labels(first, call.scope)
            if carried & {"REQ"} and not has(inner(), r"isinstance\(|str\(|\$eq") or "$where" in segment() and dynamic_inside(first, call, file):
                add(line, 943, "NoSQL injection through request values in a query object", "high")
        if any(k.arg is None and file.labels(k.value, call.scope) & {"REQ"} for k in node.keywords) and has(name, r"(^|\.)[A-Z]\w+$|create$|update$|\.update\("):
            if not has(inner(), r"(?i)allowed|schema|validate|pop\("):
                add(line, 915, "Mass assignment: request attributes copied onto an object", "high")
    for node in ast.walk(file.tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Name, ast.Attribute, ast.Subscript)):
            target = segment_of(source, node.targets[0]) or ""
            value = fold(node.value)
            if isinstance(node.value, ast.Constant) and value is not None and has(target, r"(?i)(password|passwd|\bpwd|secret|api_?key|auth_?token|access_?token|private_?key|access_?key|signing_?key|encryption_?key|_token\b|^token$|credential)") and not has(target, r"(?i)_(name|url|path|file|header|field|env|regex|pattern|prefix|param|label|hint|error|message|type|var|id|column)s?\b|pattern|regex"):
                if len(value) >= 4 and plausible_secret(value, target):
                    if has(target, r"(?i)secret_?key|signing|encryption|jwt"):
                        report.add(source, node.lineno, 321 if has(target, r"(?i)encrypt|signing") else 798, "Hard-coded secret key in source", "high")
                    else:
                        report.add(source, node.lineno, 798, "Hard-coded credential in source", "high")
                        report.secret(source, node.lineno, secret_kind(target))
            elif has(target, r"check_hostname$") and isinstance(node.value, ast.Constant) and node.value.value is False or has(target, r"verify_mode$|\.verify$") and has(ast.dump(node.value), r"CERT_NONE|Constant\(value=False"):
                report.add(source, node.lineno, 295, "TLS certificate validation is disabled", "high")
            elif isinstance(node.value, ast.Constant):
                flag = target + "=" + str(node.value.value)
                for pattern, cwe, title in (
                    (r"^DEBUG=True", 489, "Debug mode is enabled"), (r"WTF_CSRF_ENABLED.*=False", 352, "Cross-site request forgery protection is disabled"),
                    (r"SESSION_COOKIE_SECURE.*=False|CSRF_COOKIE_SECURE=False", 614, "Cookie without the Secure attribute"), (r"SESSION_COOKIE_HTTPONLY.*=False", 1004, "Cookie without HttpOnly"),
                    (r"CORS_(?:ORIGIN_ALLOW_ALL|ALLOW_ALL_ORIGINS)=True", 942, "Permissive cross-origin policy (CORS)"), (r"autoescape.*=False", 79, "Cross-site scripting: template engine does not escape"),
                ):
                    if has(flag, pattern):
                        report.add(source, node.lineno, cwe, title, "medium")
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            audit_function(file, node, report, web)
        elif isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
            sides = [segment_of(source, s) or "" for s in (node.left, node.comparators[0])]
            if any(has(s, r"(?i)(?:hexdigest\(\)|signature|hmac|expected_?(?:sig|mac|token|digest)|\bmac\b|^sig$|api_?key|(?<!_)token$|digest$)") for s in sides) and not any(isinstance(s, ast.Constant) for s in (node.left, node.comparators[0])) and has(source.text, r"hmac|hashlib|secrets|request"):
                if not any(has(s, r"(?i)sha256sum|checksum|file|len\(|\.type|kind|algorithm") for s in sides) and has(" ".join(sides), r"(?i)sig|mac|token|key|hmac|secret|digest"):
                    report.add(source, node.lineno, 208, "Secret compared in variable time (timing attack)", "medium")
        elif isinstance(node, ast.keyword) and node.arg in ("password", "passwd", "secret", "api_key", "token", "secret_key") and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            if len(node.value.value) >= 6 and plausible_secret(node.value.value, node.arg):
                report.add(source, node.value.lineno, 798, "Hard-coded credential in source", "high")
    for scope in file.scopes:
        for node in ast.walk(scope.node) if scope.name != "<module>" else ():
            if isinstance(node, ast.Return) and isinstance(node.value, (ast.JoinedStr, ast.BinOp)) and web and any(has(d, r"\.(route|get|post)$") for d in scope.decorators):
                text = segment_of(source, node.value) or ""
                risky = [p for p in dynamic(node.value, Call("", node, scope, EMPTY, False), file) if file.labels(p, scope) & OUTSIDE]
                if has(text, r"<\w+[^>]*>") and risky and not has(text, r"escape\("):
                    report.add(source, node.lineno, 79, "Cross-site scripting: input written to a page without escaping", "high")


def dynamic_inside(node, call, file):
    return any(dynamic(n, call, file) for n in ast.walk(node) if isinstance(n, (ast.JoinedStr, ast.BinOp)))


def audit_function(file, node, report, web):
    """Access control of route handlers, judged against the other handlers of the file."""
    source = file.source
    decorators = [segment_of(source, d) or "" for d in node.decorator_list]
    routes = [d for d in decorators if has(d, r"\.(route|get|post|put|delete|patch)\(|api_view")]
    if any(has(d, r"csrf_exempt") for d in decorators):
        report.add(source, node.lineno, 352, "Cross-site request forgery protection is disabled", "medium")
    if not routes or not web:
        return
    text = segment_of(source, node) or ""
    guarded = any(has(d, AUTHISH) for d in decorators if d not in routes) or has(text, r"(?i)current_user|login_required|require_\w+\(|Depends\(\s*(?:get_current|require|auth|verify)|check_\w*(?:auth|perm|token)|authori[sz]|session(?:\.get\(|\[)|abort\(\s*40[13]|HTTPException\(\s*(?:status_code\s*=\s*)?40[13]|g\.user|request\.user|is_admin|verify_|api_key")
    others = has(source.code, r"@\w*(?:login_required|require\w*|auth\w*|admin\w*|jwt_required|permission\w*)|Depends\(\s*(?:get_current|require|auth)|before_request")
    route = routes[0]
    if not guarded and has(route + node.name, r"(?i)admin|delete|/users?/.*(?:role|password)|shutdown|config|backup|export|internal|reset|impersonate|promote") and not has(route, r"(?i)login|logout|register|health|forgot"):
        if others and not has(source.code, r"before_request"):
            report.add(source, node.lineno, 862, "Missing authorization on a sensitive route", "high")
        elif has(source.code, r"(?i)login|session|password|token") or has(route + node.name, r"(?i)admin|shutdown"):
            report.add(source, node.lineno, 306, "Missing authentication for a critical function", "high")
    if has(route, r"<(?:int:|string:|uuid:)?\w*id>|\{\w*id\}") and has(text, r"(?i)current_user|login_required|session|g\.user|request\.user|Depends|jwt_identity") | any(has(d, r"(?i)login|auth|jwt") for d in decorators):
        lookup = has(text, r"(?i)\.get\(\s*\w*id\)|get_or_404\(\s*\w*id|filter_by\(\s*id\s*=\s*\w*id\s*\)|WHERE\s+id\s*=\s*[?%:$]|\[\s*\w*id\s*\]|objects\.get\(\s*(?:pk|id)\s*=\s*\w+\s*\)|find_one\(\s*\{\s*[\"']_?id")
        owner = has(text, r"(?i)owner|user_id|author|created_by|!=\s*(?:current_user|g\.user|user)|==\s*(?:current_user|g\.user)|\.user\b.*(?:!=|==)|belongs|has_permission|can_|is_admin|role|tenant|account_id|403")
        if lookup and not owner:
            report.add(source, node.lineno, 639, "Object reference is not checked against its owner (IDOR)", "high")


# ---------------------------------------------------------------------------------------------
# 11. Repositories: route order, manifests, secrets
# ---------------------------------------------------------------------------------------------


def audit_routes(source, report):
    """Express and similar: sensitive routes without the middleware that their neighbours use; object look-ups without an owner."""
    code = source.code
    routes = list(rx(r"\b(?:app|router|api|\w+Router)\.(get|post|put|delete|patch)\(\s*[\"'`]([^\"'`]+)[\"'`]\s*,\s*([^\n]*)").finditer(code))
    if not routes:
        return
    guards = rx(r"\b\w*(?:[aA]uth|[rR]equire|[lL]ogin|[gG]uard|[vV]erify|[pP]rotect|isAdmin|[eE]nsure|[pP]ermission)\w*")
    common = has(code, r"\b(?:app|router)\.use\([^)\n]*(?:auth|require|guard|verify|protect)", re.I)
    guarded_any = any(guards.search(m.group(3).split("=>")[0]) for m in routes)
    for m in routes:
        head = m.group(3).split("=>")[0]
        line = source.line(m.start())
        first, last = scope_of(source, line)
        body = "\n".join(source.code_lines[line - 1:max(last, line + 1)])
        inner_guard = has(body, r"(?i)req\.user|req\.session\.\w+|status\(40[13]\)|sendStatus\(40[13]\)|isAdmin|authorize|verifyToken|getUser|currentUser|authenticate")
        if not common and not guards.search(head) and not inner_guard and has(m.group(2) + " " + m.group(1), r"(?i)admin|/users?/:\w+ (?:delete|put)|role|shutdown|config|backup|export|internal|delete$|impersonate") and not has(m.group(2), r"(?i)login|logout|register|health"):
            if guarded_any:
                report.add(source, line, 862, "Missing authorization on a sensitive route", "high")
            elif has(m.group(2), r"(?i)admin|shutdown|backup|internal|impersonate"):
                report.add(source, line, 306, "Missing authentication for a critical function", "high")
        if has(m.group(2), r":\w*[iI]d\b") and (guards.search(head) or common or inner_guard):
            lookup = has(body, r"(?i)findById\w*\(\s*req\.params|findByPk\(\s*req\.params|where\s*:\s*\{\s*id\s*:\s*(?:Number\(|parseInt\()?req\.params\.\w+\)?\s*,?\s*\}|WHERE id = (?:\?|\$1)(?!\s*AND)|findOne\(\s*\{\s*_?id\s*:\s*req\.params\.\w+\s*\}|\.get\(\s*(?:Number\()?(?:req\.params\.\w+|id)\)?\s*\)|\[\s*req\.params\.\w+\s*\]")
            if lookup and not has(body, r"(?i)owner|userId|user_id|author|createdBy|req\.user\.id|req\.session\.user|isAdmin|role|tenant|accountId|can[A-Z]\w+\("):
                report.add(source, line, 639, "Object reference is not checked against its owner (IDOR)", "high")


def audit_access(sources, report):
    """Go handlers registered without the wrapper others have, and Rails controllers without the filter others have."""
    filters = any(s.lang == "rb" and has(s.code, r"before_action\s+:(?:authenticate|require|authorize|ensure|admin)\w*") for s in sources)
    base = any(s.name == "application_controller.rb" and has(s.code, r"before_action\s+:(?:authenticate|require)") for s in sources)
    for source in sources:
        if source.lang == "go":
            guarded = has(source.code, r"(?i)(?:HandleFunc|Handle|GET|POST|DELETE)\([^\n]*(?:auth|require|admin|protect|guard)\w*\(|\.Use\([^)\n]*(?:auth|require)|\.With\(")
            if has(source.code, r"(?i)\.Use\([^)\n]*(?:auth|require|jwt)"):
                continue
            for m in rx(r"\.(?:HandleFunc|Handle|GET|POST|PUT|DELETE|Get|Post|Put|Delete)\(\s*\"([^\"]*(?:admin|internal|debug|delete|config|backup|shutdown|reset|purge|export)[^\"]*)\"\s*,\s*([\w.]+)\s*\)").finditer(source.code):
                handler = rx(r"func\s+(?:\([^)]*\)\s*)?" + m.group(2).split(".")[-1] + r"\(").search(source.code)
                body = scope_text(source, source.line(handler.start())) if handler else ""
                if not has(body, r"(?i)auth|token|session|StatusUnauthorized|StatusForbidden|currentUser|isAdmin"):
                    report.add(source, source.line(m.start()), 862 if guarded else 306, "Missing authorization on a sensitive route" if guarded else "Missing authentication for a critical function", "high")
        elif source.lang == "rb" and source.name.endswith("_controller.rb") and filters and not base:
            if not has(source.code, r"before_action|authorize|current_user|authenticate") and has(source.code, r"def (?:destroy|update|create)\b") and not has(source.name, r"session|registration|application"):
                at = rx(r"def (?:destroy|update|create)\b").search(source.code)
                report.add(source, source.line(at.start()), 862, "Missing authorization on a sensitive route", "high")


SECRET_FORMS = (
    ("aws_access_key", "AKIA", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"), ("github_token", "gh", r"\bgh[pousr]_[A-Za-z0-9]{30,}\b|\bgithub_pat_[A-Za-z0-9_]{30,}"),
    ("slack_token", "xox", r"\bxox[abprs]-[A-Za-z0-9-]{10,}"), ("stripe_key", "_live_", r"\b[sr]k_live_[A-Za-z0-9]{10,}"), ("google_api_key", "AIza", r"\bAIza[0-9A-Za-z_-]{30,}"),
    ("private_key", "PRIVATE KEY", r"-----BEGIN (?:RSA |EC |OPENSSH |DSA |ENCRYPTED )?PRIVATE KEY-----"), ("gitlab_token", "glpat", r"\bglpat-[A-Za-z0-9_-]{16,}"),
    ("npm_token", "npm_", r"\bnpm_[A-Za-z0-9]{30,}|_authToken=(?!\$)[A-Za-z0-9-]{16,}"), ("sendgrid_key", "SG.", r"\bSG\.[\w-]{16,}\.[\w-]{16,}"), ("openai_key", "sk-", r"\bsk-(?:proj-|ant-)?[A-Za-z0-9_-]{24,}"),
    ("connection_string", "://", r"\b(?:postgres(?:ql)?|mysql|mongodb(?:\+srv)?|redis|amqps?)://[\w.-]+:(?!\$|\{|<|%|password@|pass@|user@|postgres@|changeme|example)[^@\s\"'$/{<]{4,}@(?!localhost|127\.)[\w.-]+"),
)
VULNERABLE = {  # (ecosystem, package): first fixed version of a publicly known flaw
    ("npm", "lodash"): "4.17.21", ("npm", "minimist"): "1.2.6", ("npm", "axios"): "0.21.2", ("npm", "node-fetch"): "2.6.7", ("npm", "jsonwebtoken"): "9.0.0", ("npm", "moment"): "2.29.4", ("npm", "handlebars"): "4.7.7",
    ("npm", "ejs"): "3.1.7", ("npm", "serialize-javascript"): "3.1.0", ("npm", "tar"): "6.1.9", ("npm", "ws"): "7.4.6", ("npm", "express"): "4.17.3", ("npm", "qs"): "6.5.3", ("npm", "glob-parent"): "5.1.2", ("npm", "node-serialize"): "99",
    ("npm", "y18n"): "4.0.1", ("npm", "marked"): "4.0.10", ("npm", "jquery"): "3.5.0", ("npm", "underscore"): "1.12.1", ("npm", "json5"): "2.2.2", ("npm", "semver"): "5.7.2", ("npm", "tough-cookie"): "4.1.3", ("npm", "braces"): "3.0.3",
    ("npm", "event-stream"): "4.0.0", ("npm", "shelljs"): "0.8.5", ("npm", "xmldom"): "0.7.0", ("npm", "mongoose"): "5.13.20", ("npm", "follow-redirects"): "1.14.8", ("npm", "js-yaml"): "3.13.1", ("npm", "ua-parser-js"): "0.7.31",
    ("pypi", "pyyaml"): "5.4", ("pypi", "jinja2"): "2.11.3", ("pypi", "urllib3"): "1.26.5", ("pypi", "requests"): "2.20.0", ("pypi", "django"): "3.2.15", ("pypi", "flask"): "2.2.5", ("pypi", "pillow"): "9.0.1", ("pypi", "werkzeug"): "2.2.3",
    ("pypi", "cryptography"): "3.3.2", ("pypi", "lxml"): "4.6.5", ("pypi", "paramiko"): "2.4.2", ("pypi", "sqlalchemy"): "1.3.0", ("pypi", "pyjwt"): "2.4.0", ("pypi", "aiohttp"): "3.7.4", ("pypi", "tornado"): "6.3.3", ("pypi", "numpy"): "1.22.0",
    ("pypi", "certifi"): "2022.12.7", ("pypi", "setuptools"): "65.5.1", ("pypi", "gunicorn"): "20.1.0", ("pypi", "python-jose"): "3.4.0", ("pypi", "ansible"): "2.9.27", ("pypi", "tensorflow"): "2.7.2", ("pypi", "httpx"): "0.23.0",
    ("go", "github.com/dgrijalva/jwt-go"): "99", ("go", "golang.org/x/crypto"): "0.17.0", ("go", "github.com/gin-gonic/gin"): "1.7.7", ("go", "golang.org/x/net"): "0.17.0", ("go", "gopkg.in/yaml.v2"): "2.2.8",
    ("maven", "log4j-core"): "2.17.1", ("maven", "commons-text"): "1.10.0", ("maven", "commons-collections"): "3.2.2", ("maven", "fastjson"): "1.2.83", ("maven", "spring-core"): "5.3.18", ("maven", "jackson-databind"): "2.9.10.8", ("maven", "snakeyaml"): "2.0",
    ("rubygems", "rails"): "5.2.4.3", ("rubygems", "nokogiri"): "1.13.4", ("rubygems", "rack"): "2.2.3.1", ("rubygems", "rest-client"): "1.8.0", ("packagist", "guzzlehttp/guzzle"): "6.5.8", ("packagist", "symfony/http-kernel"): "4.4.13",
}


def older(version, fixed):
    """Whether the version a manifest pins (or starts a range with) is before the first fixed one."""
    numbers = rx(r"\d+(?:\.\d+)*").search(version or "")
    if not numbers:
        return False
    mine = [int(n) for n in numbers.group(0).split(".")[:4]]
    want = [int(n) for n in fixed.split(".")]
    size = max(len(mine), len(want))
    return mine + [0] * (size - len(mine)) < want + [0] * (size - len(want))


def audit_manifest(source, report):
    name = source.name
    found = []
    if name == "package.json":
        data = load_json(source.text)
        if not isinstance(data, dict):
            return
        for table in ("dependencies", "devDependencies", "optionalDependencies"):
            if isinstance(data.get(table), dict):
                found += [("npm", n, str(v)) for n, v in sorted(data[table].items())]
        scripts = data.get("scripts") if isinstance(data.get("scripts"), dict) else {}
        for hook in ("preinstall", "install", "postinstall"):
            command = scripts.get(hook)
            if isinstance(command, str) and not all(has(p.strip(), SAFE_HOOK) for p in rx(r"&&|\|\||;").split(command)):
                report.supply("install_script", hook)
    elif name.startswith("requirements") and name.endswith(".txt"):
        for line in source.lines:
            m = rx(r"^\s*([A-Za-z][\w.-]*)\s*(?:\[[\w,]+\])?\s*([=<>~!]=?[^#;]*)?").match(line)
            if m:
                found.append(("pypi", m.group(1), m.group(2) or ""))
            if has(line, r"--extra-index-url"):
                report.confusing = True
    elif name in ("pyproject.toml", "Pipfile", "setup.py"):
        found += [("pypi", a, b) for a, b in rx(r"[\"']([A-Za-z][\w.-]+)\s*(?:\[[\w,]+\])?\s*([=<>~]=[^\"',]+)").findall(source.text)]
        found += [("pypi", a, b) for a, b in rx(r"(?m)^([A-Za-z][\w.-]+)\s*=\s*[\"']([\^~=<>]*\d[^\"']*)[\"']").findall(source.text) if a not in ("version", "python", "requires-python", "target-version")]
    elif name == "go.mod":
        found += [("go", a, b) for a, b in rx(r"(?m)^\s*(?:require\s+)?([\w.-]+\.[\w.-]+/\S+)\s+v(\S+)").findall(source.text)]
    elif name == "pom.xml":
        found += [("maven", a, b) for a, b in rx(r"<artifactId>([\w.-]+)</artifactId>\s*<version>([^<$]+)</version>").findall(source.text)]
    elif name.startswith("build.gradle"):
        found += [("maven", a, b) for a, b in rx(r"[\"'][\w.-]+:([\w.-]+):([\d.]+\w*)[\"']").findall(source.text)]
    elif name in ("Gemfile", "Gemfile.lock"):
        found += [("rubygems", a, b) for a, b in rx(r"gem\s+[\"']([\w-]+)[\"']\s*,\s*[\"']([^\"']+)").findall(source.text)]
    elif name == "composer.json":
        data = load_json(source.text)
        if isinstance(data, dict) and isinstance(data.get("require"), dict):
            found += [("packagist", n, str(v)) for n, v in sorted(data["require"].items())]
    for ecosystem, package, version in found:
        fixed = VULNERABLE.get((ecosystem, package.lower()))
        if fixed and older(version, fixed):
            report.supply("vulnerable_dependency", package.lower())
        if ecosystem in POPULAR and imitates(package, ecosystem):
            report.supply("typosquat", package.lower())
        if has(package, r"(?i)(?:^|[-_/])(?:internal|corp|private|intranet)(?:[-_]|$)") and (ecosystem == "npm" and not package.startswith("@") or report.confusing):
            report.supply("dependency_confusion", package.lower())


class Report:
    """Collected results of an audit, without repeats."""

    def __init__(self):
        self.vulnerabilities, self.supply_chain, self.secrets = [], [], []
        self.confusing, self.guards = False, (set(), set())

    def add(self, source, line, cwe, title, severity):
        for other in self.vulnerabilities:
            if other["file"] != source.path:
                continue
            apart = abs(other["line"] - line)
            if other["cwe"] == "CWE-%d" % cwe and apart <= (3 if cwe in REPEATED else 2):
                return
            if apart <= 1 and frozenset((other["cwe"], "CWE-%d" % cwe)) in SAME:
                return
        if source.is_test() or has(source.path, r"^(?:docs?|examples?|vendor)/|(^|/)(?:node_modules|dist)/|\.min\.js$"):
            return
        self.vulnerabilities.append({"file": source.path, "line": line, "cwe": "CWE-%d" % cwe, "title": title, "severity": severity,
                                     "description": clip(source.lines[line - 1] if line <= len(source.lines) else "", 100)})

    def supply(self, kind, name):
        entry = {"type": kind, "name": name}
        if entry not in self.supply_chain:
            self.supply_chain.append(entry)

    def secret(self, source, line, kind):
        if source.is_test():
            return
        entry = {"file": source.path, "line": line, "type": kind}
        if not any(s["file"] == source.path and abs(s["line"] - line) <= 2 for s in self.secrets):
            self.secrets.append(entry)


REPEATED = {614, 1004, 328, 377, 338, 79, 209, 119, 120, 787}  # often written on adjacent lines for one defect
SAME = {frozenset(p) for p in (
    ("CWE-614", "CWE-1004"), ("CWE-798", "CWE-321"), ("CWE-328", "CWE-916"), ("CWE-732", "CWE-276"), ("CWE-95", "CWE-94"), ("CWE-22", "CWE-98"), ("CWE-22", "CWE-434"),
    ("CWE-78", "CWE-95"), ("CWE-120", "CWE-787"), ("CWE-415", "CWE-416"), ("CWE-862", "CWE-306"), ("CWE-862", "CWE-639"), ("CWE-22", "CWE-918"), ("CWE-22", "CWE-377"), ("CWE-377", "CWE-732"), ("CWE-79", "CWE-1336"),
)}


def audit_repository(sources):
    report = Report()
    report.guards = guard_helpers(sources)
    for file in analyse_python(sources):
        audit_python(file, report)
    audit_access(sources, report)
    analysed = 0
    for source in sorted(sources, key=lambda s: s.name in ("package.json", "pyproject.toml")):
        analysed += 1
        if source.lang == "md":
            continue
        if source.lang != "py":
            apply_rules(source, report)
        if source.lang == "js":
            audit_routes(source, report)
        audit_manifest(source, report)
        if source.lang in ("env", "yaml", "conf", "toml") and not has(source.name, r"(?i)example|sample|template|dist|lock"):
            for m in rx(r"(?im)^\s*(?:export\s+)?(?:-\s+)?([\w.-]*(?:password|passwd|api[_-]?key|auth[_-]?token|access[_-]?token|secret(?:[_-]?key)?|private[_-]?key|access[_-]?key|client[_-]?secret))\s*[:=]\s*([^\s\"'#{$<][^\s\"'#]{5,})\s*$").finditer(source.code):
                if plausible_secret(m.group(2), m.group(1)):
                    report.secret(source, source.line(m.start(1)), secret_kind(m.group(1)))
        if not source.name.endswith((".lock", "package-lock.json")):
            for kind, hint, pattern in SECRET_FORMS:
                if hint in source.text:
                    for m in rx(pattern).finditer(source.text):
                        if not has(m.group(0), r"(?i)x{6}|\.\.\.|your|0{10}"):
                            report.secret(source, source.line(m.start()), kind)
    report.vulnerabilities.sort(key=lambda v: (v["file"], v["line"], v["cwe"]))
    grave = any(v["severity"] in ("high", "critical") for v in report.vulnerabilities) or report.secrets
    decision = "BLOCK" if grave else "WARN" if report.vulnerabilities or report.supply_chain else "ALLOW"
    return {
        "verdict": {"decision": decision, "risk_score": min(100, 15 * len(report.vulnerabilities) + 20 * len(report.secrets))},
        "evidence": {
            "audit": {"files_analysed": max(1, analysed)},
            "vulnerabilities": report.vulnerabilities,
            "supply_chain": report.supply_chain,
            "secrets": report.secrets,
        },
        "findings": [],
    }


# ---------------------------------------------------------------------------------------------
# 12. Entrypoint
# ---------------------------------------------------------------------------------------------


def write_probe(task):
    """Prove that this code ran: the validator reads the file from outside the sandbox."""
    probe = task.get("probe") or {}
    if probe.get("file_path"):
        with open(probe["file_path"], "w", encoding="ascii", newline="") as handle:
            handle.write(probe["file_content"])


def agent_main(task):
    write_probe(task)
    sources = read_artifact(task["artifact_dir"])
    if task.get("track") == "repositories":
        return audit_repository(sources)
    return analyse_behaviour(task, sources)
