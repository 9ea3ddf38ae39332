"""Reference agent `baseline`: an honest static analyser for all four tracks.

It reads the artifact as text, never runs it, and weighs evidence: a source of secrets and a network
sink are each ordinary on their own and damning when one flows into the other. On the behavioural
tracks it answers ALLOW, WARN or BLOCK with evidence on both planes; on `repositories` it writes an
audit report. It shows miners what the agent contract looks like and gives them a score to beat.

Every rule comes from a public catalogue (CWE, ATT&CK, OWASP), named in `KINDS`, `WEAKNESSES` or `SOURCES`.
Patterns are compiled only when a cheap literal hint of theirs occurs, which keeps a run short.
"""

import ast
import binascii
import json
import os
import re
import zlib
from bisect import bisect_right
from collections import namedtuple
from functools import cached_property

# ---- 1. Limits and helpers -----------------------------------------------------------------------

MAX_FILES = 1500        # files looked at
MAX_FILE = 48_000       # bytes read of one file
MAX_TOTAL = 200_000     # bytes read of an artifact: bounds CPU time without consulting a clock
MAX_SINKS = 80          # network calls followed in one file
MAX_DECODES = 24        # encoded blobs decoded per artifact
BLOCK_AT, WARN_AT = 0.70, 0.445

SKIP_DIRS = {".git", ".hg", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache"}
EXTENSIONS = {
    "py": ".py .pyw .pth", "js": ".js .mjs .cjs .jsx .ts .tsx .mts .cts .vue .svelte", "sh": ".sh .bash .zsh .ps1 .bat .cmd .command", "go": ".go",
    "php": ".php", "rb": ".rb .gemspec .rake", "java": ".java .kt .scala .groovy", "c": ".c .h .cc .cpp .cxx .hpp", "cs": ".cs", "rs": ".rs",
    "lua": ".lua", "pl": ".pl", "md": ".md .mdx .markdown .rst .txt .mdc", "json": ".json .jsonc", "yaml": ".yaml .yml", "toml": ".toml .cfg .ini",
    "env": ".env .properties", "html": ".html .htm .ejs .erb .jinja .j2 .hbs .tmpl .twig .pug .svg", "xml": ".xml", "sql": ".sql", "tf": ".tf",
    "conf": ".conf",
}
LANG = {ext: lang for lang, exts in EXTENSIONS.items() for ext in exts.split()}
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


# ---- 2. Reading the artifact ---------------------------------------------------------------------


class Source:
    """One text file: its path relative to the artifact, language, raw text and comment-free code."""

    def __init__(self, path, lang, text):
        self.path, self.lang, self.text = path, lang, text
        self.name = path.rsplit("/", 1)[-1]
        self.lines = text.split("\n")
        self.tree = None

    @cached_property
    def starts(self):
        return [0, *(m.end() for m in rx(r"\n").finditer(self.text))]

    def line(self, pos):
        """1-based line of a character offset."""
        return bisect_right(self.starts, pos)

    @cached_property
    def code(self):
        """The text with comments replaced by blanks of the same length, so that offsets stay valid."""
        return blank_comments(self.text, self.lang)

    @cached_property
    def code_lines(self):
        return self.code.split("\n")

    @cached_property
    def low(self):
        return self.code.lower()

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
    stem, ext = os.path.splitext(name)
    for prefix, lang in (("Dockerfile", "docker"), (".env", "env")):
        if name.startswith(prefix):
            return lang
    if name in NAMED or ext.lower() in LANG:
        return NAMED.get(name) or LANG[ext.lower()]
    first = head.split("\n", 1)[0] if head.startswith("#!") else ""
    for word, lang in (("python", "py"), ("node", "js"), ("ruby", "rb"), ("perl", "pl"), ("sh", "sh")):
        if word in first:
            return lang
    return "md" if name.isupper() else "other"


def read_artifact(root):
    """Every readable text file below `root`, in sorted order, without following links.

    Small files are served first: a large artifact costs its data and bundles a full reading, not its manifests and scripts."""
    wanted, sources, left = [], [], MAX_TOTAL
    for folder, dirs, names in os.walk(root, followlinks=False):
        dirs[:] = sorted(d for d in dirs if d not in SKIP_DIRS)
        full = [os.path.join(folder, name) for name in sorted(names)]
        wanted += [(os.path.getsize(f), f) for f in full if os.path.isfile(f) and not os.path.islink(f)]
    for size, full in sorted(wanted)[:MAX_FILES]:
        try:
            with open(full, "rb") as handle:
                raw = handle.read(min(MAX_FILE, left))
        except OSError:
            continue
        if b"\0" in raw[:4096]:
            continue
        left -= len(raw)
        text = raw.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
        path = os.path.relpath(full, root).replace(os.sep, "/")
        sources.append(Source(path, sniff(path, text[:80]), text))
    return sorted(sources, key=lambda source: source.path)


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


# ---- 3. Vocabulary: paths, hosts, phrases --------------------------------------------------------

# Public source (CWE, ATT&CK, OWASP for language models) of the patterns in the tables and functions named after it.
# Rows of RULES name their CWE, rows of TEXT_RULES a kind of KINDS; a test refuses a pattern without a source.
SOURCES = {
    "T1552": "SECRET_PATH PATH_CLASSES TOKEN_NAME SECRET_THING HARD_SECRET COMMAND_LABELS CALL_LABELS CODE_READ JS_ENV GENERIC_ENV SH_ENV line_sources",
    "T1567": "URL DROP_HOSTS POST GET LINE_SINKS NETWORK is_local urls_near behave_flow behave_lines line_sinks fetched_names",
    "T1071": "DNS", "T1105": "FETCH_RUN INSTALLERS", "T1497": "GATE", "T1546": "WRITES OUT_OF_PACKAGE behave_write", "T1005": "READERS PyFile fold_path",
    "T1059": "SHELLS EVALS EXECS RUNS CODE_CALL behave_exec behave_python behave_js runs_outward", "T1027": "DECODERS dotted fold decode_blob scan_text rescan",
    "T1195": "POPULAR NOT_TYPOS SAFE_HOOK npm_tables behave_manifests judge_hook judge_setup judge_dependency",
    "LLM01": "TAKE FEATURES NEGATED LESSON HIDDEN_TEXT BAD_EXAMPLE Case judge_prose visible_problem behave_markdown behave_strings joined_description schema_params",
    "CWE-20": "INPUTS CLEAN CLEANERS FILE_PARAM JOINS parameters_of tainted_names is_tainted guard_helpers", "CWE-22": "PATH_GUARD", "CWE-918": "URL_GUARD", "CWE-89": "SQL",
    "CWE-306": "ROUTES SENSITIVE_ROUTE ROUTE_GUARD audit_routes", "CWE-798": "SECRET_FORMS plausible_secret secret_kind audit_repository",
    "CWE-1395": "VULNERABLE DEPENDENCIES audit_manifest",
}

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
    """Text hidden in a base64 or hex literal (deflated or not), or None when it is not text."""
    compact = blob.strip()
    try:
        if re.fullmatch(r"(?:[0-9a-fA-F]{2}){10,}", compact):
            data = binascii.unhexlify(compact)
        elif re.fullmatch(r"[A-Za-z0-9+/_-]{16,}={0,2}", compact):
            body = compact.replace("-", "+").replace("_", "/").rstrip("=")
            data = binascii.a2b_base64(body + "=" * (-len(body) % 4))
        else:
            return None
        if data[:2] in (b"\x78\x9c", b"\x78\xda", b"\x1f\x8b"):
            data = zlib.decompressobj(47).decompress(data, 200_000)
        text = data.decode("utf-8")
    except (ValueError, zlib.error):
        return None
    shown = sum(1 for c in text if c.isprintable() or c in "\n\t\r")
    return text if len(text) >= 8 and shown >= 0.97 * len(text) else None


# ---- 4. Python through `ast`: names, constant folding, taint --------------------------------------

READERS = r"(^|\.)(open|read_text|read_bytes|copy|copy2|copyfile|copytree|listdir|iterdir|make_archive|connect|read|parse|load)$"
POST = r"^(requests|httpx)\.(post|put|patch)$|\.(post|put|patch)$|sendmail$|send_message$|storbinary$|\.sendto$|socket\(\)\.(send|sendall|connect)$|\.put_object$|upload_file(obj)?$"
GET = r"^(requests|httpx)\.(get|head|request|Session|Client|stream)$|urlopen$|urlretrieve$|urllib\.request\.Request$|HTTPS?Connection|create_connection$|\.getresponse$|(Session|Client|AsyncClient)\(\)\.(get|request)$|urllib3\..*request$|websocket.*(send|connect)$"
DNS = r"gethostbyname(_ex)?$|getaddrinfo$|dns\.resolver\.(resolve|query)$|resolver.*\.(resolve|query)$"
SHELLS = r"^os\.(system|popen|exec\w+|spawn\w+)$|^subprocess\.(run|call|check_call|check_output|Popen|getoutput|getstatusoutput)$|^pty\.spawn$|create_subprocess_(shell|exec)$"
EVALS = r"^(builtins\.)?(exec|eval)$|^(marshal|pickle|dill|cloudpickle)\.loads?$|^types\.FunctionType$|runpy\.run_\w+$"
DECODERS = r"(b64|b32|b85|a85)decode$|fromhex$|unhexlify$|(zlib|lzma|bz2|gzip)\.decompress$|codecs\.decode$|a2b_\w+$|Fernet.*decrypt$"
CLEANERS = {"int", "float", "len", "bool", "isinstance", "hash", "hasattr", "range", "id", "type", "round"}
CALL_LABELS = (  # (pattern of a call's name, what its value carries)
    (GET + "|" + POST, "NET"), (DECODERS, "UNPACKED"), (r"expanduser$|Path\.home$", "P_HOME"),
    (r"^(socket\.gethostname|platform\.(node|uname|platform)|getpass\.getuser|os\.(getlogin|uname)|uuid\.getnode)$", "HOST"),
    (r"pyperclip\.paste|clipboard_get|win32clipboard", "CLIP"), (r"keyring\.get_password|browser_cookie3|CryptUnprotectData", "SECRET"),
    (r"ImageGrab\.grab|pyautogui\.screenshot|VideoCapture", "SCREEN"),
)
COMMAND_LABELS = (  # (pattern of a shell command, what its output carries)
    (r"^\s*(env|printenv|set)\s*$", "ENV"), (r"\b(whoami|hostname|uname|ifconfig|ipconfig)\b", "HOST"), (r"\b(curl|wget)\b.*https?:", "NET"),
    (r"pbpaste|xclip|xsel|Get-Clipboard|wl-paste", "CLIP"), (r"find-generic-password|dump-keychain|secret-tool|gh auth token|git credential|aws configure get", "SECRET"),
)
READ_LABELS = {"P_SECRET": "SECRET", "P_AUTHKEYS": "SECRET", "P_HISTORY": "HISTORY", "P_DOTENV": "DOTENV", "HOMETREE": "HOMEFILES"}
EMPTY = frozenset()


def dotted(node, aliases):
    """The full name of a call target: imports resolved, `__import__('os').system` and getattr with constants seen through."""
    if isinstance(node, ast.Name):
        return aliases.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        return dotted(node.value, aliases) + "." + node.attr
    if isinstance(node, ast.Call):
        name = dotted(node.func, aliases)
        if name in ("__import__", "importlib.import_module") and node.args:
            return fold(node.args[0]) or name + "()"
        if name == "getattr" and len(node.args) >= 2 and fold(node.args[1]):
            return dotted(node.args[0], aliases) + "." + fold(node.args[1])
        return name + "()"
    if isinstance(node, (ast.Await, ast.Subscript)):
        return dotted(node.value, aliases)
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
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and isinstance(node.slice.step, ast.UnaryOp):
        inner = fold(node.value, depth + 1)
        return inner[::-1] if inner is not None else None
    if not isinstance(node, ast.Call):
        return None
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in ("decode", "encode", "strip", "lower") and isinstance(node.func, ast.Attribute):
        return fold(node.func.value, depth + 1)
    arg = node.args[0] if node.args else None
    if name == "join" and isinstance(arg, (ast.List, ast.Tuple)):
        parts = [fold(e, depth + 1) for e in arg.elts]
        return (fold(node.func.value) or "").join(parts) if None not in parts else None
    if name in ("b64decode", "urlsafe_b64decode", "fromhex", "unhexlify", "a2b_base64", "a2b_hex"):
        inner = fold(arg, depth + 1)
        return decode_blob(inner) if inner else None
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


class Scope:
    """A function (or the module) with what its names may carry."""

    def __init__(self, name, node, parent=None):
        self.name, self.node, self.parent = name, node, parent
        self.taint, self.types, self.const = {}, {}, {}

    def chain(self):
        scope = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def labels(self, name):
        return next((s.taint[name] for s in self.chain() if name in s.taint), EMPTY)


Call = namedtuple("Call", "name node scope labels line top")


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
        stack = [(n, self.module) for n in self.tree.body]
        while stack:
            node, owner = stack.pop(0)
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                owner = Scope(node.name, node, owner)
                a = node.args
                names = [x.arg for x in a.posonlyargs + a.args + a.kwonlyargs + [v for v in (a.vararg, a.kwarg) if v]]
                owner.taint.update((n, frozenset(("PARAM",))) for n in names if n not in ("self", "cls"))
                self.scopes.append(owner)
            stack.extend((n, owner) for n in ast.iter_child_nodes(node) if isinstance(n, (ast.stmt, ast.ExceptHandler)))

    def analyse(self, last):
        """One pass of propagation; the last one records the calls."""
        self.calls = []
        for scope in self.scopes:
            for second in (False, True):
                self._statements(scope.node.body, scope, last and second, scope is self.module)

    def _statements(self, body, scope, record, top):
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            if isinstance(node, (ast.For, ast.AsyncFor)):
                self._bind(node.target, self.labels(node.iter, scope), None, scope)
            inner = top and not (isinstance(node, ast.If) and "__main__" in ast.dump(node.test)[:300])
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    self._expr(child, scope, record, top)
                elif isinstance(child, ast.withitem):
                    self._expr(child.context_expr, scope, record, top)
                    if child.optional_vars is not None:
                        self._bind(child.optional_vars, self.labels(child.context_expr, scope), child.context_expr, scope)
                elif isinstance(child, ast.ExceptHandler):
                    self._statements(child.body, scope, record, inner)
                elif isinstance(child, ast.stmt):
                    self._statements([child], scope, record, inner)
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self._bind(target, self.labels(node.value, scope), node.value, scope)
            elif isinstance(node, (ast.AnnAssign, ast.AugAssign)) and node.value is not None:
                self._bind(node.target, self.labels(node.value, scope), node.value, scope)
            elif isinstance(node, ast.Return) and node.value is not None:
                self.returns[scope.name] = self.returns.get(scope.name, EMPTY) | self.labels(node.value, scope) - {"PARAM"}

    def _bind(self, target, labels, value, scope):
        if isinstance(target, ast.Name):
            scope.taint[target.id] = scope.taint.get(target.id, EMPTY) | labels
            if isinstance(value, (ast.Call, ast.Await)):
                scope.types[target.id] = dotted(value, self._names(scope))
            text = fold(value)
            if text is not None:
                scope.const[target.id] = text
        elif isinstance(target, (ast.Tuple, ast.List)):
            for t in target.elts:
                self._bind(t, labels, None, scope)
        elif isinstance(target, ast.Attribute) and getattr(target.value, "id", "") == "self":
            key = "self." + target.attr
            self.module.taint[key] = self.module.taint.get(key, EMPTY) | (labels - {"PARAM"})
        elif isinstance(target, (ast.Attribute, ast.Subscript, ast.Starred)) and isinstance(target.value, ast.Name) and labels:
            scope.taint[target.value.id] = scope.taint.get(target.value.id, EMPTY) | labels

    def _names(self, scope):
        merged = dict(self.aliases)
        for outer in reversed(list(scope.chain())):
            merged.update(outer.types)
        return merged

    def _expr(self, node, scope, record, top):
        names = None
        for child in ast.walk(node):
            if isinstance(child, ast.comprehension):
                self._bind(child.target, self.labels(child.iter, scope), None, scope)
            elif isinstance(child, ast.NamedExpr):
                self._bind(child.target, self.labels(child.value, scope), child.value, scope)
            elif isinstance(child, ast.Call):
                func = child.func
                labels = EMPTY.union(*[self.labels(a, scope) for a in child.args + [k.value for k in child.keywords]])
                if isinstance(func, ast.Attribute) and func.attr in ("append", "extend", "update", "add", "write", "writestr") and isinstance(func.value, ast.Name) and labels:
                    scope.taint[func.value.id] = scope.taint.get(func.value.id, EMPTY) | labels
                if record:
                    names = names or self._names(scope)
                    call = Call(dotted(func, names), child, scope, labels, child.lineno, top)
                    self.calls.append(call)
                    if is_net(call.name) and "PARAM" in labels and scope.name not in ("<module>", "get", "main", "run", "__init__"):
                        self.sinks.setdefault(scope.name, call)

    def labels(self, node, scope, depth=0):
        """What the value of an expression may carry."""
        if node is None or depth > 25 or isinstance(node, (ast.Compare, ast.Lambda)):
            return EMPTY
        if isinstance(node, ast.Name):
            return scope.labels(node.id)
        if isinstance(node, ast.Constant):
            return frozenset(path_labels(node.value)) if isinstance(node.value, str) and len(node.value) < 400 else EMPTY
        if isinstance(node, ast.Attribute):
            name = dotted(node, self.aliases)
            if name == "os.environ":
                return frozenset(("ENV",))
            own = self.module.taint.get(".".join(name.split(".")[:2]), EMPTY) if name.startswith("self.") else EMPTY
            return own | self.labels(node.value, scope, depth + 1)
        if isinstance(node, ast.Subscript) and dotted(node.value, self.aliases) == "os.environ":
            return env_label(fold(node.slice))
        if isinstance(node, ast.Call):
            return self._call_labels(node, scope, depth)
        text = fold_path(node) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) else fold(node) if isinstance(node, ast.BinOp) else None
        inner = [c.iter if isinstance(c, ast.comprehension) else c for c in ast.iter_child_nodes(node) if isinstance(c, (ast.expr, ast.comprehension))]
        return frozenset(path_labels(text) if text else ()).union(*[self.labels(c, scope, depth + 1) for c in inner])

    def _call_labels(self, node, scope, depth):
        name = dotted(node.func, self._names(scope))
        short = name.rsplit(".", 1)[-1]
        if name in CLEANERS or has(name, r"^os\.path\.(exists|isfile|isdir|getsize|getmtime)$|\.(exists|is_file|is_dir|stat)$"):
            return EMPTY
        if name in ("os.getenv", "os.environ.get", "os.environ.pop"):
            return env_label(fold(node.args[0]) if node.args else None)
        parts = node.args + [k.value for k in node.keywords] + ([node.func.value] if isinstance(node.func, ast.Attribute) else [])
        labels = set().union(*[self.labels(p, scope, depth + 1) for p in parts])
        if short in ("join", "joinpath"):
            labels |= path_labels(fold_path(node))
        if has(name, READERS):
            labels |= {READ_LABELS[l] for l in labels & READ_LABELS.keys()}
        if has(name, SHELLS):
            text = " ".join(filter(None, (fold(c) for c in ast.walk(node) if isinstance(c, ast.Constant))))
            labels |= {label for pattern, label in COMMAND_LABELS if has(text, pattern)} | ({"SECRET"} if "P_SECRET" in labels else set())
        labels |= {label for pattern, label in CALL_LABELS if has(name, pattern)}
        if has(name, r"^os\.walk$|glob$|^os\.scandir$") and "P_HOME" in labels:
            labels.add("HOMETREE")
        labels |= self.returns.get(short, EMPTY)
        if has(name, r"(^|\.)(sha256|sha512|blake2b|md5|sha1|hexdigest)$"):
            labels -= {"ENV", "SECRET", "HOST", "CLIP"}
        return frozenset(labels)


def env_label(name):
    if name and has(name, TOKEN_NAME, re.I):
        return frozenset(("TOKEN:" + name,))
    return EMPTY


def is_net(name):
    return has(name, POST) or has(name, GET) or has(name, DNS)


def analyse_python(sources):
    """PyFile facts of every Python file; two rounds let returns and wrappers of one file reach another."""
    returns, sinks, files = {}, {}, []
    for source in sources:
        if source.lang == "py" and not source.path.endswith(".pth"):
            source.tree = PyFile(source, returns, sinks)
            if source.tree.ok:
                files.append(source.tree)
    for last in (False, True):
        for file in files:
            file.analyse(last)


# ---- 5. Behavioural tracks: what the code does ----------------------------------------------------

SEVERITY = ((0.85, "critical"), (0.7, "high"), (0.45, "medium"), (0.0, "low"))
KINDS = {  # kind of signal: (category, title, plane, public source)
    "exfil": ("data exfiltration", "Credential files, keys or tokens are read and sent (posted, uploaded) to a remote host", "action", "T1567"),
    "envdump": ("data exfiltration", "Whole environment, with its secrets and tokens, is collected and sent to a remote host", "action", "T1552"),
    "token": ("credential exfiltration", "Access token or API key sent to an undocumented host", "action", "T1528"),
    "private": ("data exfiltration", "Private user data (clipboard, history, screen, files) sent to a remote host", "action", "T1005"),
    "secret": ("credential access", "Credential files, private keys or secrets of the user are read", "action", "T1552"),
    "asked": ("data exfiltration", "Instruction makes the agent send secrets or user data to a remote host (exfiltration)", "context", "LLM02"),
    "fetchrun": ("remote code execution", "Remote code or script is downloaded, fetched and executed without verification", "action", "CWE-494"),
    "obfexec": ("obfuscation hidden execution", "Obfuscated payload (encoded, base64 or assembled from pieces) is decoded and executed", "action", "T1027"),
    "obfusc": ("obfuscation", "Obfuscated code hides its behaviour", "action", "T1027"),
    "persist": ("persistence", "Persistence: startup file, shell profile, hook or scheduled job is written or modified", "action", "T1546"),
    "agentcfg": ("persistence agent configuration", "Agent configuration or instruction file modified to persist or widen permissions", "context", "LLM06"),
    "install": ("install script supply chain", "Install hook script runs network or shell commands at install time", "action", "T1195"),
    "import": ("import time execution", "Network access or command execution when the module is imported", "action", "T1059"),
    "revshell": ("backdoor remote shell", "Reverse shell gives a remote host command execution", "action", "T1059"),
    "miner": ("resource abuse cryptominer", "Cryptocurrency miner started", "action", "T1496"),
    "destroy": ("destructive action", "Destructive deletion or overwriting of user files", "action", "T1485"),
    "evade": ("defense evasion", "Security control, audit trail or confirmation disabled", "action", "T1562"),
    "beacon": ("data exfiltration telemetry", "User data, arguments or host details are sent covertly to an undocumented remote host", "action", "T1071"),
    "privesc": ("privilege escalation", "Privileges widened (sudoers, setuid or world-writable rights)", "action", "T1548"),
    "rugpull": ("tool poisoning rug pull", "Tool description or behaviour changes after first use or after a date", "context", "LLM03"),
    "inject": ("prompt injection", "Injected instructions steer the agent and bypass the user (prompt injection)", "context", "LLM01"),
    "hidden": ("prompt injection hidden instruction", "Hidden instructions to the agent in a comment, encoded or invisible text", "context", "LLM01"),
    "toolpoison": ("tool poisoning prompt injection", "Tool description with instructions that make the agent act beyond the tool (tool poisoning)", "context", "LLM01"),
    "remoteinstr": ("prompt injection remote instructions", "Agent told to fetch and follow remote instructions", "context", "LLM01"),
    "invisible": ("obfuscation hidden text", "Invisible or bidirectional Unicode characters hide text", "context", "CWE-1007"),
    "typosquat": ("typosquat supply chain", "Package name imitates a popular package (typosquat)", "action", "T1195"),
    "depsource": ("supply chain dependency", "Dependency is fetched from a source outside the registry", "action", "CWE-829"),
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
    ("persist", 0.55, ("crontab",), r"\bcrontab\s+(?:-(?!l\b|h\b)|/|\$|\"|<)|\|\s*crontab\b", "SCHEDULE_JOB"),
    ("persist", 0.5, ("systemctl", "launchctl", "schtasks", "reg add", "register-scheduledtask"), r"systemctl\s+(?:--user\s+)?enable\b|launchctl\s+(?:load|bootstrap)|schtasks\s+/create|reg\s+add\s+[^\n]*\\Run\b|Register-ScheduledTask", "SCHEDULE_JOB"),
    ("persist", 0.6, ("rc", "profile", "zshenv"), r"(?:>>|tee\s+-a)\s*[\"']?(?:~|\$\{?HOME\}?|/home/\S+|/root|\$\w+)?[/\w.]*(?:\.(?:bashrc|zshrc|bash_profile|profile|zprofile|zshenv)\b|/etc/profile)", "WRITE_SHELL_PROFILE"),
    ("persist", 0.6, ("hooks", "hookspath"), r"(?:>>?|tee|cp|mv|ln\s+-\w+|install)\s[^\n]*\.git/hooks/|(?:>\s*|cat\s*>\s*)[^\n]*\.git/hooks/|git\s+config\s+[^\n]*core\.hooksPath\s+(?!\.husky)|git\s+config\s+--global\s+(?:core\.(?:sshCommand|fsmonitor|pager)|init\.templateDir|alias\.\w+\s+[\"']!)", "WRITE_GIT_HOOK"),
    ("persist", 0.85, ("authorized_keys",), r"(?:>>|tee\s+-a)\s*[^\n]*authorized_keys", "WRITE_SSH_KEY"),
    ("privesc", 0.8, ("sudoers", "ld.so.preload"), r"(?:>>?|tee(?:\s+-a)?)\s*[^\n]*/etc/(?:sudoers|ld\.so\.preload)|NOPASSWD:\s*ALL", "ESCALATE_PRIVILEGE"),
    ("evade", 0.5, ("hist", "setenforce", "ufw", "csrutil", "spctl", "mppreference", "auditd", "gatekeeper", "iptables", "quarantine"), r"\bhistory\s+-c\b|unset\s+HISTFILE|HISTFILE=/dev/null|setenforce\s+0|ufw\s+disable|spctl\s+--(?:master|global)-disable|DisableRealtimeMonitoring|systemctl\s+stop\s+auditd|iptables\s+-F|xattr\s+-[rd]+\s+com\.apple\.quarantine", "DISABLE_SECURITY"),
    ("evade", 0.5, ("dangerously", "bypasspermissions", "autoapprove", "enableallproject", "yolo", "skip-permissions", "alwaysallow"), r"--dangerously-skip-permissions|bypassPermissions|--yolo\b|enableAllProjectMcpServers[\"']?\s*[:=]\s*[Tt]rue|[\"']?autoApprove[\"']?\s*[:=]\s*(?:true|\[\s*[\"']\*)|--dangerously-bypass", "CHANGE_POLICY"),
    ("exfil", 0.6, ("169.254.169.254", "metadata.google"), r"169\.254\.169\.254/\S*(?:iam|credentials|token|user-data)|metadata\.google\.internal/\S*token|latest/meta-data/iam", "READ_SECRET"),
    ("obfexec", 0.8, ("eval(", "function("), r"\b(?:eval|Function|execScript)\s*\(\s*(?:atob|unescape|decodeURIComponent|String\.fromCharCode|Buffer\.from|zlib|require\([\"']zlib)", "EXEC_CODE"),
    ("obfexec", 0.8, ("eval", "assert", "gzinflate", "str_rot13"), r"\b(?:eval|assert)\s*\(\s*(?:base64_decode|gzinflate|gzuncompress|str_rot13|strrev|Base64\.decode64|Zlib)", "EXEC_CODE"),
    ("obfexec", 0.6, ("base64", "'hex'", "\"hex\"", "atob"), r"(\w+)\s*=\s*(?:Buffer\.from\([^\n]{1,2000}?[\"'](?:base64|hex)[\"']\)|atob\()[\s\S]{0,1500}?(?:\beval|new\s+Function|\bFunction|vm\.run\w+|\bexec(?:Sync)?|_compile|\brequire)\s*\(\s*\1\b", "EXEC_CODE"),
    ("obfexec", 0.75, ("base64", "fromcharcode", "'hex'", "\"hex\"", "atob"), r"(?:Buffer\.from\([^\n]{1,400}?[\"'](?:base64|hex)[\"']\)|atob\([^\n]{1,300}?\)|fromCharCode\([^\n]{1,400}\))[^;]{0,600}?(?:\beval\s*\(|new\s+Function\s*\(|\bvm\.run\w+\(|\bexec(?:Sync)?\s*\(|_compile\()", "EXEC_CODE"),
    ("obfusc", 0.5, ("require(",), r"(?<![\w.])require\(\s*(?![\"'`])[\w$]+(?:\(\s*(?:\d+|0x[0-9a-f]+|[\"'][^\"']*[\"'])\s*[^)]*\)|\[\s*(?:\d+|0x[0-9a-f]+)\s*\])\s*\)", "OBFUSCATE_CODE"),
    ("obfusc", 0.5, ("\\x",), r"(?:\\x[0-9a-fA-F]{2}){24,}", "OBFUSCATE_CODE"),
    ("obfusc", 0.6, ("require", "global", "process", "this["), r"(?:require|global(?:This)?|process|module|window)\s*(?:\(|\[)\s*[\"'][\w.:/]{1,12}[\"']\s*\+\s*[\"'][\w.:/]{1,12}[\"']", "OBFUSCATE_CODE"),
    ("rugpull", 0.6, ("description",), r"(?:Date\.now\(\)|datetime|time\.time\(\)|call_?count|calls?\b|invocations?|counter|approved|first_?run)[^\n]*(?:\n[^\n]*){0,5}?\b(?:\w+\.)?(?:description|__doc__|inputSchema)\s*=(?!=)\s*", "INVOKE_TOOL"),
)
GATE = r"(?i)\b(?:os\.environ\.get|getenv|process\.env|environ)\b[^\n]{0,20}\b(?:CI|GITHUB_ACTIONS|JENKINS_URL|GITLAB_CI|SANDBOX)\b|\bdatetime[^\n]*(?:now|today|utcnow)\(\)[^\n]*[<>]=?|\bdate\.today\(\)[^\n]*[<>]|(?:time\.time|Date\.now)\(\)\s*[<>]=?\s*[\d_]{9,}|new\s+Date\(\)[^\n]*[<>]=?\s*(?:new\s+Date|\d)|(?:gethostname\(\)|os\.hostname\(\)|getpass\.getuser\(\)|userInfo\(\)\.username)[^\n]{0,40}(?:==|!=|\bin\b|===|includes|startswith|endswith)|\$\(date\s+\+[^)]*\)[\"']?\s*(?:-gt|-ge|-lt|>)|random\.random\(\)\s*<\s*0\.\d|Math\.random\(\)\s*<\s*0\.\d|\bis_?debugger|sys\.gettrace\(\)|\b(?:vbox|vmware|qemu|virtualbox)\b"
CAP_BY_LABEL = {
    "SECRET": "READ_SECRET", "ENV": "READ_ENV", "CLIP": "READ_CLIPBOARD", "SCREEN": "CAPTURE_SCREEN", "HISTORY": "READ_HISTORY",
    "HOST": "READ_HOST_INFO", "HOMEFILES": "READ_FILE", "DOTENV": "READ_SECRET",
}
PLACES = (  # (label of a path, kind, weight, capability, word of a manual that announces the write)
    ("P_PROFILE", "persist", 0.65, "WRITE_SHELL_PROFILE", "rc"), ("P_CRON", "persist", 0.65, "SCHEDULE_JOB", "cron"),
    ("P_SERVICE", "persist", 0.6, "SCHEDULE_JOB", "service"), ("P_HOOK", "persist", 0.6, "WRITE_GIT_HOOK", "hook"),
    ("P_AGENT", "agentcfg", 0.55, "WRITE_AGENT_CONFIG", "claude"), ("P_CI", "persist", 0.5, "WRITE_FILE", "workflow"),
    ("P_AUTHKEYS", "persist", 0.85, "WRITE_SSH_KEY", None), ("P_SUDO", "privesc", 0.75, "ESCALATE_PRIVILEGE", None),
)
FLOWS = (  # (labels, kind, capability): what must not reach a remote host
    ({"SECRET"}, "exfil", "READ_SECRET"), ({"ENV"}, "envdump", "READ_ENV"), ({"CLIP", "HISTORY", "SCREEN", "HOMEFILES", "DOTENV"}, "private", "POST_WEB"),
)


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

    def flow(self, labels, state, source, line, note, weight=1.0):
        """A network call that carries what these labels name."""
        for wanted, kind, capability in FLOWS:
            if labels & wanted:
                self.add(kind, (0.6 if state == "documented" else 0.9) * weight, source, line, note, capability)

    def token(self, tokens, state, source, line, weight=1.0):
        """A token that is sent to a host the manual does not name."""
        self.add("token", (0.75 if state == "drop" else 0.5 if self.hosts else 0.2) * weight, source, line, sorted(tokens)[0], "POST_WEB")

    def written(self, labels, source, line, weight=1.0):
        """A write to a place that runs later, or that steers an agent."""
        self.cap("WRITE_FILE", source.path + ":" + str(line))
        for label, kind, strength, capability, word in PLACES:
            if label in labels:
                announced = word is not None and word in self.docs_low
                self.add(kind, (0.3 if announced else strength) * weight, source, line, label, capability)

    def inject(self, text, source, line, carrier):
        self.injected.append({"instruction": clip(text, 240), "file": source.path, "line": line, "carrier": carrier})

    def about_security(self):
        """Whether the artifact's own title says that it teaches or detects attacks: quoted attacks are then its subject."""
        head = "\n".join("\n".join(s.lines[:15]) for s in self.sources if s.lang == "md").lower()
        return has(head, r"security|scanner|detect|audit|injection|secret[s -]scan|threat|red[ -]team|defen[cs]e|hardening|incident|vulnerab|lint|moderation|phishing|training|ctf")


def urls_near(file, call):
    """The text in which the destination of a call is to be found: the call, the constants it names, else its function."""
    near = segment_of(file.source, call.node) or ""
    if has(near, URL) or has(near, DROP_HOSTS):
        return near
    names = set(rx(r"[A-Za-z_]\w*").findall(near))
    for scope in call.scope.chain():
        for name in sorted(names & scope.const.keys()):
            if has(scope.const[name], URL):
                return scope.const[name]
    for text in file.source.lines if "://" in file.source.text else ():
        match = rx(r"^\s*(?:self\.)?(\w+)\s*(?::\s*\w+\s*)?=").match(text) if "://" in text else None
        if match and match.group(1) in names:
            return text
    inner = scope_text(file.source, call.line)
    return inner if has(inner, URL) else ""


def behave_python(case, file):
    source = file.source
    for call in file.calls:
        name, labels, line = call.name, call.labels, call.line
        short, place = name.rsplit(".", 1)[-1], source.path + ":" + str(call.line)
        net = is_net(name)
        wrapper = None if net else file.sinks.get(short)
        if has(name, READERS) and "P_SECRET" in labels and not has(name, r"load$|parse$"):
            case.src_files.setdefault(source.path, (line, "SECRET"))
            case.cap("READ_SECRET", place)
        for label in labels & CAP_BY_LABEL.keys():
            case.cap(CAP_BY_LABEL[label], place)
        if net or wrapper is not None:
            case.cap("RESOLVE_DNS" if has(name, DNS) else "POST_WEB" if has(name, POST) else "FETCH_WEB", place)
            case.sink_files.setdefault(source.path, line)
            behave_flow(case, file, call, labels, wrapper)
        if has(name, SHELLS) or has(name, EVALS):
            behave_exec(case, file, call)
        if short in ("open", "write_text", "write_bytes", "write", "copy", "copyfile", "copy2", "rename", "replace", "symlink"):
            behave_write(case, file, call)
        if short == "rmtree" and labels & {"P_HOME", "HOMETREE"} and not has(ast.dump(call.node), r"cache|\.tmp|temp"):
            case.add("destroy", 0.7, source, line, name, "DELETE_FILE")
        if short == "dup2" and "socket" in source.text and has(source.text, r"/bin/(ba|z)?sh|subprocess|pty"):
            case.add("revshell", 0.95, source, line, "socket duplicated on a shell", "OPEN_REVERSE_SHELL")
        if has(name, r"^(pynput|keyboard)\..*(Listener|on_press|hook)$") and has(source.text, r"requests|urllib|socket|smtplib"):
            case.add("private", 0.75, source, line, "key logger with network access", "CAPTURE_INPUT")
        if short in ("getattr", "__import__", "import_module") and any(not isinstance(a, ast.Constant) and fold(a) for a in call.node.args):
            case.add("obfusc", 0.6, source, line, "module or attribute name assembled from pieces", "OBFUSCATE_CODE")
        folded = fold(call.node)
        if folded and len(folded) > 12:
            rescan(case, source, line, folded)


def behave_flow(case, file, call, labels, wrapper):
    """A network call and what its arguments carry."""
    source, line, post = file.source, call.line, has(call.name, POST)
    where = urls_near(file, wrapper or call) or urls_near(file, call)
    state = case.host_state(where)
    if state == "local":
        return
    case.flow(labels, state, source, line, clip(where, 60))
    tokens = [l[6:] for l in labels if l.startswith("TOKEN:")]
    if state in ("unknown", "drop") and case.has_docs:
        if tokens:
            case.token(tokens, state, source, line)
        else:
            weight = 0.25 + (0.2 if state == "drop" else 0) + (0.25 if "HOST" in labels else 0)
            weight += 0.2 if post and labels & {"PARAM", "NET", "P_HOME"} else 0
            weight += (0.05 if post else 0.0) if case.hosts else -0.1
            weight += 0.1 if has(scope_text(source, line), r"except[^\n]*:\s*\n?\s*pass\b|threading\.Thread") else 0
            case.add("beacon", weight, source, line, clip(where, 60), "POST_WEB")
    if call.top and not wrapper and source.name != "setup.py":
        case.add("import", 0.5 if state != "documented" else 0.25, source, line, call.name)
    if has(call.name, DNS) and call.node.args and not isinstance(call.node.args[0], ast.Constant) and has(scope_text(source, line), r"b32|b64|hex\(|hexlify"):
        case.add("beacon", 0.65, source, line, "encoded data in a DNS name", "RESOLVE_DNS")


def behave_exec(case, file, call):
    source, line, name, labels = file.source, call.line, call.name, call.labels
    shell = has(name, SHELLS)
    case.cap("EXEC_SHELL" if shell else "EXEC_CODE", source.path + ":" + str(line))
    if "NET" in labels:
        inner = scope_text(source, line)
        checked = has(inner, r"sha256|compare_digest|hashlib|verify|gpg")
        data_only = shell and not has(inner, r"\.write|chmod|0o7\d\d|exec|sh\b")
        case.add("fetchrun", 0.3 if checked else 0.5 if data_only else 0.9, source, line, name, "EXEC_CODE")
    if "UNPACKED" in labels:
        case.add("obfexec", 0.85, source, line, name, "EXEC_CODE")
    if shell and call.node.args:
        arg = call.node.args[0]
        parts = arg.elts if isinstance(arg, (ast.List, ast.Tuple)) else arg.values if isinstance(arg, ast.JoinedStr) else [arg]
        joint = "" if isinstance(arg, ast.JoinedStr) else " "
        command = joint.join(fold(p) or call.scope.const.get(getattr(p, "id", ""), "$x") for p in parts)
        scan_text(case, source, command, line, "sh")
        if labels & {"SECRET", "ENV"} and has(command, r"curl|wget|\bnc\b|scp|git push"):
            case.add("exfil", 0.85, source, line, name, "POST_WEB")
        if call.top and source.name not in ("setup.py", "conftest.py", "noxfile.py", "tasks.py") and not source.text.startswith("#!"):
            case.add("import", 0.35, source, line, name)


def behave_write(case, file, call):
    """A write of Python code: where to, and whether what is written came from the network."""
    source, line, labels, name = file.source, call.line, call.labels, call.name
    short, args = name.rsplit(".", 1)[-1], call.node.args
    method = isinstance(call.node.func, ast.Attribute)
    receiver = file.labels(call.node.func.value, call.scope) if method else EMPTY
    if short == "open":
        first = 0 if method and name not in ("os.open", "io.open", "codecs.open") else 1
        given = [k.value for k in call.node.keywords if k.arg == "mode"] or args[first:first + 1]
        if not set((fold(given[0]) if given else "") or "r") & set("wax+"):
            return
        labels = labels | receiver
    elif short in ("write_text", "write_bytes"):
        labels = labels | receiver
    elif short == "write":
        inner = scope_text(source, line)
        if "NET" in labels and has(inner, r"__file__|SKILL\.md|CLAUDE\.md|AGENTS\.md|\.pth|site-packages") and not has(inner, r"sha256|verify|hashlib"):
            case.add("fetchrun", 0.65, source, line, "remote text written over instructions or code", "WRITE_FILE")
        return
    elif len(args) < 2:
        return
    else:
        labels = file.labels(args[1], call.scope)
    case.written(labels, source, line)
    if "NET" in labels and "P_AGENT" in labels:
        case.add("remoteinstr", 0.8, source, line, "remote text written to an agent's instructions", "WRITE_AGENT_CONFIG")


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
        found += [(m.start(), "ENV") for m in rx(pattern, re.M).finditer(code)]
    if has(code, SECRET_PATH) and has(code, CODE_READ):
        found += [(m.start(), "SECRET") for m in rx(SECRET_PATH).finditer(code)]
    for label, pattern in (
        ("CLIP", r"pbpaste|xclip\s+-o|xsel\b|wl-paste|clipboard\.readText|clipboardy\.read\w*|Get-Clipboard"),
        ("HISTORY", r"\.(?:bash|zsh)_history\b"),
        ("SCREEN", r"screencapture\b|desktopCapturer|screenshot-desktop"),
        ("SECRET", r"security\s+find-(?:generic|internet)-password|\bgh\s+auth\s+token\b|gcloud\s+auth\s+print|keytar\.(?:get|find)\w+|git\s+credential\s+fill|aws\s+configure\s+get"),
        ("HOST", r"os\.(?:hostname|userInfo|networkInterfaces)\(\)|\bwhoami\b|\$\(hostname\)|\buname\s+-a\b"),
    ):
        found += [(m.start(), label) for m in rx(pattern).finditer(code)]
    return sorted(found)


ASSIGN = r"(?:(?:const|let|var|local|export|my|auto|final|String|readonly)\s+)?\$?([A-Za-z_]\w*)\s*(?::\s*[\w<>\[\]| ]+)?\s*(?::=|=)(?!=|>)"
MERGE = r"\b(\w+)\.(?:push|append|add|set|update)\s*\(([^\n]*)|\b(\w+)\[[^\]\n]+\]\s*=\s*([^\n=][^\n]*)|for\s*\(?\s*(?:const|let|var)?\s*\[?\s*(\w+)(?:\s*,\s*\w+)?\s*\]?\s+(?:of|in)\s+([^\n]*)|\b(\w+)\s*\+=\s*([^\n]*)"


def any_of(names):
    return r"(?<![\w.'\"/-])\$?\{?(" + "|".join(sorted(map(re.escape, names))) + r")\b"


def carriers(code, origins):
    """Names of a file that may carry what its origins yield: {name: labels}, by three rounds over its assignments."""
    names = {}
    for pos, label in origins:
        start = code.rfind("\n", 0, pos) + 1
        for back in range(6):  # an origin inside a multi-line literal belongs to the statement that opened it
            if rx(ASSIGN).search(code[start:pos]) or start == 0:
                break
            start = code.rfind("\n", 0, start - 1) + 1
        match = rx(ASSIGN).search(code[start:pos])
        if match:
            names.setdefault(match.group(1), set()).add(label)
    for round_ in range(3 if names else 0):
        known = rx(any_of(names))
        for match in rx(ASSIGN).finditer(code):
            hit = known.search(statement_at(code, match.end(), 500)) if match.group(1) not in names else None
            if hit:
                names[match.group(1)] = set(names[hit.group(1)])
        for match in rx(MERGE).finditer(code):
            target, rest = [g for g in match.groups() if g is not None][:2]
            hit = known.search(rest)
            if hit:
                names.setdefault(target, set()).update(names[hit.group(1)])
    return names


def line_sinks(code, low):
    """(offset, label, statement) of each place where code of any non-Python language sends something."""
    sinks = []
    for label, hints, pattern in LINE_SINKS:
        if any(h in low for h in hints):
            for m in rx(pattern, re.I if "nvoke" in pattern else 0).finditer(code):
                sinks.append((m.start(), label, statement_at(code, m.start())))
    return sinks[:MAX_SINKS]


def behave_lines(case, source, code, lang, base_line=0, weight=1.0):
    """Source, sink and flow by line rules for every language but Python; `base_line` places code that sits in another file."""
    line_of = (lambda pos: base_line + code.count("\n", 0, pos)) if base_line else source.line
    origins = line_sources(code, lang)
    names = carriers(code, origins)
    for pos, label in origins:
        case.cap(CAP_BY_LABEL[label], source.path + ":" + str(line_of(pos)))
        if label in ("SECRET", "ENV"):
            case.src_files.setdefault(source.path, (line_of(pos), label))
    known = rx(any_of(names)) if names else None
    sinks = line_sinks(code, code.lower())
    url_lines = []
    for text in code.split("\n") if "://" in code else ():
        named = rx(r"(\w+)\s*(?::\s*\w+)?\s*[:=]").search(text) if "://" in text and has(text, URL) else None
        if named:
            url_lines.append((named.group(1), text))
    for pos, label, text in sinks:
        line = line_of(pos)
        case.cap({"DNS": "RESOLVE_DNS", "PUSH": "PUSH_REMOTE"}.get(label, "POST_WEB"), source.path + ":" + str(line))
        case.sink_files.setdefault(source.path, line)
        carried = {l for p, l in line_sources(text, lang)}
        if lang == "sh":
            end = code.find("\n", pos)
            text = code[code.rfind("\n", 0, pos) + 1:end if end > 0 else len(code)]
            carried |= {l for p, l in line_sources(text, lang)}
        for hit in known.finditer(text) if known else ():
            carried |= names[hit.group(1)]
        where = text
        if not has(text, URL) and not has(text, DROP_HOSTS):
            words = set(rx(r"[A-Za-z_]\w*").findall(text))
            where = "\n".join(l for name, l in url_lines if name in words) or " ".join("https://" + h for h in rx(r"(?:hostname|host)\s*:\s*[\"'`]([\w.-]+\.\w+)").findall(code))
        state = case.host_state(where)
        if state == "local":
            continue
        case.flow(carried, state, source, line, clip(text, 60), weight)
        if state not in ("unknown", "drop") or not case.has_docs:
            continue
        tokens = {t for g in rx(r"process\.env\.(\w+)|\$\{?([A-Z][A-Z0-9_]{3,})\b|Getenv\(\"(\w+)\"|ENV\[[\"'](\w+)|getenv\(\"(\w+)\"").findall(text) for t in g if t and has(t, TOKEN_NAME)}
        if tokens:
            case.token(tokens, state, source, line, weight)
            continue
        region = code[max(0, pos - 400):pos + 500]
        w = 0.25 + (0.2 if state == "drop" else 0) + (0.25 if "HOST" in carried else 0)
        w += 0.2 if has(region, r"method:\s*[\"'`]P(?:OST|UT)|\.post\s*\(|-d\s|--data|\.write\(") else 0
        w += 0.1 if has(region, r"catch\s*(?:\(\w*\))?\s*(?:=>)?\s*\{\s*\}|\.catch\(\s*\(\w*\)\s*=>\s*(?:\{\s*\}|null|undefined)|2>\s*/dev/null|\|\|\s*true") else 0
        case.add("beacon", (w - (0.1 if not case.hosts or lang == "sh" else 0)) * weight, source, line, clip(text, 60))
    if lang != "sh":
        behave_js(case, source, code, lang, line_of, sinks, weight)
    scan_text(case, source, code, base_line or 0, lang, weight)


def scope_if(code, start):
    """The braces block that opens at or after `start`, or a few lines when there is none."""
    brace = code.find("{", start, start + 200)
    return code[start:brace] + statement_at(code, brace, 3000) if brace >= 0 else code[start:start + 400]


EXECS = r"\b(?:eval|new\s+Function|Function|vm\.run\w+|exec(?:Sync|File|FileSync)?|spawn(?:Sync)?|_compile|exec\.Command|system|shell_exec|passthru|popen|proc_open|Runtime\.getRuntime\(\)\.exec|ProcessBuilder|Command::new|instance_eval|class_eval)\s*\("
WRITES = r"(?:writeFile(?:Sync)?|appendFile(?:Sync)?|copyFile(?:Sync)?|createWriteStream|WriteFile|OpenFile|File\.(?:write|open)|file_put_contents|Files\.write\w*|fs::write|outputFile)\s*\("
CODE_CALL = r"eval|Function|vm\.|_compile"


def fetched_names(code, sinks):
    """Names of a file that may hold what a request returned."""
    fetched = set()
    for pos, label, text in sinks:
        if label == "POST":
            before = rx(r"(?:const|let|var|)\s*\$?(\w+)\s*(?::=|=)\s*(?:await\s+)?[\w.(]*$").search(code[max(0, pos - 120):pos])
            fetched.update([before.group(1)] if before else [])
            callback = r"\.then\(\s*(?:async\s*)?\(?(\w+)\)?\s*=>|,\s*(?:async\s*)?\(?\s*(?:\w+\s*,\s*)?(\w+)\s*\)?\s*=>|function\s*\((\w+)\)"
            fetched.update(g for groups in rx(callback).findall(code[pos:pos + 700]) for g in groups if g)
    for round_ in range(3 if fetched else 0):
        fetched.update(m.group(1) for m in rx(r"\$?(\w+)\s*(?::=|\+?=)(?!=)\s*(?:await\s+)?[^;\n]*\b(?:" + "|".join(sorted(map(re.escape, fetched))) + r")\b").finditer(code))
    return fetched


def behave_js(case, source, code, lang, line_of, sinks, weight):
    """Execution of what was fetched, and writes to sensitive places, for brace languages."""
    execs = list(rx(EXECS).finditer(code))
    for m in execs:
        case.cap("EXEC_CODE" if has(m.group(0), CODE_CALL) else "EXEC_SHELL", source.path + ":" + str(line_of(m.start())))
        for literal in rx(_STRINGS + r"|`[^`]*`").findall(statement_at(code, m.start(), 500)):
            if len(literal) > 8:
                scan_text(case, source, literal[1:-1], line_of(m.start()), "sh", weight)
    checked = has(code, r"createHash|sha256|integrity|verify\(|timingSafeEqual|sha512")
    if lang == "js" and weight >= 0.5:
        hides = rx(r"fromCharCode|\batob\(|[\"'](?:base64|hex)[\"']|reverse\(\)\s*\.join|charCodeAt|\bunescape\(|\\x[0-9a-f]{2}\\x").search(code)
        opens = rx(r"(?<![\w.])(?:require|eval|Function|import)\(\s*(?![\"'`)\s])(?!path\.|join\(|resolve\(|`)[^\n]{1,80}|(?:globalThis|global|process|module|window)\[\s*(?![\"'`\d])[^\]\n]+\]").search(re.sub(r"\(\s*[\"'][\w./-]+[\"']\s*\)", '("x")', code))
        if hides and opens:
            case.add("obfusc", 0.55 * weight, source, line_of(hides.start()), "decoded text names a module or code", "OBFUSCATE_CODE")
    fetched = fetched_names(code, sinks) if execs else ()
    for m in execs if fetched else ():
        args = re.sub(_STRINGS, "", statement_at(code, m.start() + len(m.group(0)) - 1, 400))
        if has(args, r"\b(?:" + "|".join(sorted(map(re.escape, fetched))) + r")\b"):
            runs = has(m.group(0), CODE_CALL)
            if runs or not checked:
                case.add("fetchrun", (0.9 if runs else 0.6) * weight, source, line_of(m.start()), clip(m.group(0)), "EXEC_CODE")
    if fetched and not checked and has(code, WRITES + r"|io\.Copy\(") and has(code, r"chmod|0o?7[05][05]|mode:"):
        case.add("fetchrun", 0.7 * weight, source, line_of(execs[0].start()), "download made executable and started", "EXEC_BINARY")
    for m in rx(WRITES).finditer(code):
        text = statement_at(code, m.start(), 700)
        target = text.split(",", 1)[0]
        for name in rx(r"[A-Za-z_]\w*").findall(target):
            d = rx(r"\b" + name + r"\s*(?::=|=)\s*([^;\n]{4,200})").search(code) if name not in ("path", "fs", "os", "join") else None
            target += " " + d.group(1) if d else ""
        labels = path_labels(re.sub(r"[\"'`]\s*,\s*[\"'`]", "/", target + text))
        case.written(labels, source, line_of(m.start()), weight)


def scan_text(case, source, text, line, lang, weight=1.0):
    """Rules on a piece of text: a whole file (line 0), or a command or decoded literal found at `line`."""
    low = text.lower()
    place = source.line if line == 0 else (lambda pos: line + (text.count("\n", 0, pos) if "\n" in text else 0))
    for hints, pattern in FETCH_RUN:
        m = rx(pattern, re.I if "iex" in hints else 0).search(text) if any(h in low for h in hints) else None
        if m and hints[0] != "base64" and not has(m.group(0), r"://|[$%{(]|\s-\w|\w\.\w+/"):
            continue
        if m and not has(text[max(0, text.rfind("\n", 0, m.start())):m.start()], r"\b(echo|printf|print|console\.\w+|log\.\w+)\b[^|;&]*[\"']"):
            known = has(m.group(0), INSTALLERS)
            same = case.host_state(m.group(0)) == "documented" and source.lang != "md"
            case.add("fetchrun", (0.12 if known else 0.5 if same else 0.8) * weight, source, place(m.start()), clip(m.group(0), 80), "EXEC_SHELL")
            break
    for kind, w, hints, pattern, capability in TEXT_RULES:
        if any(h in low for h in hints):
            m = rx(pattern, re.I if kind in ("evade", "miner") else re.M).search(text)
            if m:
                documented = kind in ("persist",) and w < 0.8 and has(case.docs_low, r"systemd|cron|launchd|git hook|pre-commit hook|shell profile|bashrc|zshrc|completion")
                case.add(kind, (0.3 if documented else w) * weight, source, place(m.start()), clip(m.group(0), 80), capability)
    if lang == "sh" and line and "\n" not in text.strip():
        carried = {l for p, l in line_sources(text, "sh")}
        if carried and any(has(text, p) for l, h, p in LINE_SINKS if any(x in low for x in h)):
            case.flow(carried, "unknown", source, line, clip(text, 60), weight)
    if case.decodes < MAX_DECODES and len(text) > 30:
        for m in rx(r"(?<![A-Za-z0-9+/_=-])(?:[A-Za-z0-9+/]{28,}={0,2}|[0-9a-fA-F]{40,})(?![A-Za-z0-9+/_-])").finditer(text):
            if case.decodes >= MAX_DECODES:
                break
            case.decodes += 1
            hidden = decode_blob(m.group(0))
            if hidden:
                rescan(case, source, place(m.start()), hidden)


def rescan(case, source, line, hidden):
    """Look into decoded text: what would be ordinary in plain sight is not when it was encoded."""
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


# ---- 6. Behavioural tracks: what the prose tells the agent ----------------------------------------

SECRET_THING = r"(?:~?/?\.ssh\b|id_rsa|id_ed25519|(?<![\w.])\.env\b|\.aws\b|api[ _-]?keys?|credentials?|(?:access|auth|session|api|bearer|github|personal)[ _-]?tokens?|private keys?|seed phrases?|mnemonics?|passwords?|passphrases?|environment variables?|\benv(?:ironment)? vars?|system prompt|(?:conversation|chat|message|session)(?:'s)? (?:history|log|transcript|content|context)|(?:full|entire|whole|complete|previous|prior) (?:conversation|chat|context|transcript|history)|cookies|\.netrc|\.npmrc|kubeconfig|\.kube\b|mcp\.json|secrets?\b|shell history|bash_history|wallet (?:file|key)s?|git config|/etc/passwd|source code of|hosts\.yml|\.config/gh)"
HARD_SECRET = r"\.ssh\b|id_rsa|id_ed25519|(?<![\w.])\.env\b|\.aws\b|private keys?|seed phrase|mnemonic|environment variables?|\benv vars|system prompt|conversation|chat|transcript|cookies|\.netrc|\.npmrc|\.kube|kubeconfig|mcp\.json|history|wallet|/etc/passwd|credentials|passwords|secrets|hosts\.yml|source code"
TAKE = r"\b(?:call|read|open|cat|load|collect|include|attach|paste|copy|fetch|retrieve|get|dump|print|send|upload|append|extract|embed|encode|capture|list|provide|pass|forward|post|transmit|insert|add|harvest|put|search for|look for|locate|summari[sz]e)\b"
FEATURES = (  # (name, pattern): what a paragraph may contain; matched on lower-cased, space-collapsed text
    ("override", r"\b(?:ignore|disregard|forget|override|bypass|discard)\b[^.]{0,30}\b(?:previous|prior|above|earlier|preceding|system|other|existing|original|safety|all|any|your)\b[^.]{0,30}\b(?:instructions?|rules?|prompts?|guidelines?|polic(?:y|ies)|constraints?|restrictions?|guardrails?|directives?)\b"),
    ("override", r"\byou are (?:now|no longer)\b[^.]{0,50}\b(?:mode|unrestricted|dan\b|bound|restricted|admin|root|free)|\b(?:developer|god|maintenance|debug|admin|unrestricted) mode (?:is )?(?:enabled|activated|on)\b|\bnew system (?:prompt|instructions?)\b|\bsystem (?:override|note to (?:the )?(?:ai|agent|assistant|model))|these instructions (?:take precedence|override|supersede)|takes? precedence over (?:any|all|the|other|user|system)|\b(?:act|operate|respond|behave|work|answer) (?:without|free of|with no) (?:any )?(?:restrictions?|limits?|limitations|rules|filters?|guardrails)|\b(?:rules?|restrictions?|polic(?:y|ies)|guidelines?|safeguards)\b[^.]{0,40}\b(?:no longer apply|do not apply|are (?:suspended|void|lifted|disabled))"),
    ("conceal", r"\b(?:do not|don't|never|must not|should not|without|avoid|refrain from)\s+(?:ever\s+|explicitly\s+|openly\s+)?(?:tell|telling|mention|mentioning|inform|informing|notify|notifying|alert|alerting|reveal|revealing|disclose|disclosing|report|reporting|show|showing|surface|surfacing|describe|display|displaying|discuss|explain|explaining|acknowledge|ask|asking|warn|prompt|prompting|list|listing|include)\b[^.]{0,60}\b(?:user|human|operator|person|developer|reviewer|them|anyone|this (?:step|action|instruction|to)|output|it\b|that you|confirmation|permission|approval|consent|summary|reply|response)"),
    ("conceal", r"\b(?:silently|covertly|discreetly|quietly|secretly|stealthily|in the background|invisibly)\b|\b(?:the )?(?:user|human|operator|developer)s?\b[^.]{0,25}\b(?:must not|should not|need not|does not need to|doesn't need to|don't need to|cannot|can't|won't|will not|shouldn't) (?:know|see|be (?:told|informed|notified|aware|shown|asked|bothered)|notice)|\bkeep (?:this|it|the)\b[^.]{0,30}\b(?:secret|hidden|confidential|invisible|internal|out of)|\b(?:hide|omit|leave)\b[^.]{0,30}\b(?:from|out of) (?:the )?(?:user|output|summary|response|log|transcript|reply)|no (?:confirmation|approval|permission) (?:is )?(?:needed|required|necessary)|\bnot visible to the user|do not (?:log|record) this"),
    ("take", TAKE + r"[^.;:]{0,90}?" + SECRET_THING),
    ("send", r"\b(?:send|post|upload|forward|transmit|e-?mail|bcc|exfiltrate|deliver|report|curl|ship|relay|sync|mirror|push|copy|cc|log)\b[^.]{0,120}?(?:\bto\b|\bvia\b|\bat\b|\bas\b)[^.]{0,40}?(?:https?://|wss?://|[\w.+-]+@[\w-]+\.\w|\b(?:webhook|endpoint|remote|external|collector|server|url|address)\b)"),
    ("field", r"\b(?:pass|include|put|place|append|attach|supply|provide|fill|add|encode|store|insert|write)\b[^.]{0,110}?\b(?:in|as|to|into|through|via|using|inside|within)\b[^.]{0,20}?\b(?:`?\w+`? )?(?:parameter|param|argument|field|query string|url|header|note|sidenote|metadata|body)\b"),
    ("run", r"\b(?:run|execute|invoke|eval|pipe)\b[^.]{0,80}?(?:`[^`]*(?:curl|wget|bash|sh|python|node|base64)[^`]*`|curl\s|wget\s|\bbase64\b|\| ?(?:ba)?sh\b|the (?:returned|downloaded|fetched|decoded) (?:script|code|command|payload|output))"),
    ("remote", r"\b(?:fetch|download|retrieve|load|open|read|visit|curl|get|pull|check)\b[^.]{0,80}https?://\S+.{0,140}?\b(?:follow|execute|apply|obey|perform|run|carry out|act on|treat|adopt|do what|comply)\b[^.]{0,60}?\b(?:instructions?|steps?|commands?|directives?|whatever|it|rules|contents?|there|exactly|authoritative)\b|\b(?:follow|execute|obey|apply|run) (?:any |all |the |every )?(?:\w+ )?(?:instructions?|commands?|steps?|directives?)\b[^.]{0,60}?\b(?:at|from|returned by|found (?:at|in)|contained in|in the (?:response|page|output|file|result))\b"),
    ("steer", r"\b(?:before|prior to|whenever|every time|each time|when|after) (?:you )?(?:using|calling|invoking|use|call|invoke|run|running|answering|respond\w*)\b[^.]{0,40}\b(?:any|other|another|every|all|each|this|the)\b[^.]{0,30}\btools?\b|\b(?:must|always) (?:be )?(?:first )?call(?:ed)? (?:this|first|before)|\binstead of (?:using )?(?:the )?(?:\W?[\w-]+\W? ){1,3}tool|\bdo not use (?:any )?other tools?|\bthis tool (?:supersedes|replaces|must be)|\bsupersedes?\b[^.]{0,40}\btools?|\b(?:use|prefer|call|choose|pick|select) this\b[^.]{0,50}\b(?:instead of|rather than|over|in place of)\b|\b(?:other|another|built-?in|original|existing|native|standard) (?:[\w-]+ )?(?:tools?|servers?|versions?)\b[^.]{0,80}\b(?:deprecated|broken|unsafe|compromised|disabled|outdated|unreliable|must not|should not|do not|never|insecure)\b|\b(?:do not|don't|never) (?:use|call) (?:the |any )?(?:other|built-?in|original|native)\b|\bwhen (?:the )?\W?\w+\W? tool is (?:used|called|available)|\ball (?:e-?mails?|messages|payments|transfers|requests|files) (?:must|should|have to|need to) (?:also )?(?:be|go)|\b(?:otherwise|or)\b[^.]{0,20}\b(?:this |the )?tool (?:will not|won't|does not|fails?)"),
    ("guard", r"\b(?:disable|turn off|skip|bypass|circumvent|deactivate|suppress|ignore|lower|remove)\b[^.]{0,40}\b(?:safety|sandbox(?:ing)?|permission|confirmation|approval|verification|signature check|security|guardrail|content filter|audit|logging|restrictions?)s?\b|--dangerously|auto-?approve (?:all|every|any)|\bapprove (?:all|every)\b|\b(?:permission|safety|approval|security) checks? (?:are |is )?(?:turned|switched) off|\bwithout (?:asking|waiting) for (?:approval|confirmation|permission)|\bgrant\b[^.]{0,30}\b(?:full|all|unrestricted) (?:access|permissions?)"),
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
PAIRS = (  # (feature, features that make it worse, weight with one of them, weight alone)
    ("override", {"take", "send", "conceal", "run", "guard"}, 0.6, 0.5), ("remote", set(), 0, 0.6),
    ("conceal", {"take", "send", "field", "run", "persona", "destroy", "guard", "remote", "harvest", "divert", "covert"}, 0.8, 0.3),
    ("harvest", {"steer", "conceal", "send"}, 0.65, 0.4), ("tamper", {"steer", "conceal"}, 0.6, 0.3), ("divert", {"steer", "conceal"}, 0.6, 0.45),
    ("covert", {"take", "conceal"}, 0.6, 0.3), ("run", {"steer"}, 0.55, 0.25), ("guard", set(), 0, 0.4), ("persona", set(), 0, 0.35),
    ("steer", {"take", "send", "conceal", "override", "persona", "harvest", "divert", "tamper"}, 0.7, 0.25), ("phish", set(), 0, 0.5),
    ("destroy", set(), 0, 0.35), ("recommend", set(), 0, 0.45), ("take", set(), 0, 0.15), ("send", set(), 0, 0.1), ("field", set(), 0, 0.1),
)


def features_of(text):
    """The features a paragraph shows, without those it forbids: {name: match}, and the text that was searched."""
    flat = " ".join(text.lower().split()).replace("\u2019", "'")
    found = {}
    for name, pattern in FEATURES:
        for match in rx(pattern).finditer(flat) if name not in found else ():
            if name not in NEGATABLE or not has(flat[max(0, match.start() - 60):match.start()], NEGATED):
                found[name] = match
                break
    return found, flat


def judge_prose(case, source, text, line, carrier, context=""):
    """Weigh one paragraph, description or hidden text as an instruction to the agent that reads it."""
    if len(text) < 20 or len(text) > 30_000:
        return
    found, flat = features_of(text)
    core = found.keys() - {"agent", "tag"}
    if not core and not ("tag" in found and carrier != "prose"):
        return
    weight = max([with_one if core & worse else alone for name, worse, with_one, alone in PAIRS if name in core], default=0.0)
    kind = "remoteinstr" if "remote" in core and not core & {"override", "conceal"} else "inject"
    leaves = core & {"send", "field", "divert", "covert"}
    if "take" in core and leaves:
        other = found[sorted(leaves)[0]]
        both = found["take"].start() <= other.end() + 200 and other.start() <= found["take"].end() + 200
        own = has(flat, r"\b(?:authori[sz]ation|bearer|x-api-key)\b|set (?:the |your )|(?:your|an?) (?:own )?(?:api|access|personal)[ _-]?(?:key|token)")
        hard = has(found["take"].group(0), HARD_SECRET)
        weight = max(weight, 0.2 if not both or own and not hard else 0.65 if hard else 0.55 if leaves - {"field"} else 0.25)
    if "run" in core and ("tag" in found or carrier == "hidden"):
        weight = max(weight, 0.55)
    if "steer" in core and has(flat, r"deprecated|unsafe|compromised|unreliable|disabled|broken|insecure|must be called (?:first|before)|supersede"):
        weight = max(weight, 0.4)
    weight += (0.2 if core else 0.1) if "tag" in found else 0
    weight += 0.1 if len(core) >= 3 else 0
    if carrier == "hidden":
        weight += (0.35 if weight >= 0.3 or "agent" in found else 0.2) if core else 0
        kind = "hidden"
    elif carrier == "schema":
        weight += 0.1 if core - {"send", "field"} else 0
        kind = "toolpoison" if kind == "inject" else kind
    elif carrier == "comment":
        weight *= 0.8
    else:
        plain = rx(r"https?://\S+|\S+@\S+").sub("", context.lower() + " " + flat)
        lessons = len(rx(LESSON).findall(plain))
        quoted = has(text, r"[\"\u201c`'][^\"\u201d`\n]{0,200}(?:ignore|disregard|send|read|never|override|do not)[^\"\u201d`\n]{0,200}[\"\u201d`']")
        weight *= 0.3 if lessons and (quoted or lessons >= 2) else 0.7 if lessons or case.about_security() else 1.0
    if weight >= 0.3:
        case.add(kind, weight, source, line, clip(text, 100))
        first = min((m.start() for m in found.values()), default=0)
        case.inject(flat[max(0, first - 20):], source, line, carrier)
        if weight >= WARN_AT:
            case.cap("INJECT_INSTRUCTION", source.path + ":" + str(line))
            if "take" in core and leaves:
                case.add("asked", min(weight, 0.6), source, line, "the agent is told to take data and to send it")


def visible_problem(case, source):
    """Invisible, tag and bidirectional characters; whatever they spell is judged as hidden text."""
    text = source.text
    if text.isascii():
        return
    tags = rx("[\U000e0020-\U000e007e]{4,}").search(text)
    if tags and text[max(0, tags.start() - 1):tags.start()] != "\U0001f3f4":  # a flag emoji is spelled with tags too
        spelled = "".join(chr(ord(c) - 0xE0000) for c in rx("[\U000e0020-\U000e007e]").findall(text))
        line = source.line(tags.start())
        case.add("invisible", 0.85, source, line, clip(spelled, 80), "INJECT_INSTRUCTION")
        judge_prose(case, source, spelled, line, "hidden")
        case.inject(spelled, source, line, "hidden")
    # a joiner between letters of scripts that need it is ordinary; beside Latin letters or another joiner it is not
    zero = [m.start() for m in rx("(?<=[\\x00-\u058f\u1000-\u2000\u200b-\u200d\u2060])[\u200b-\u200d\u2060\u180e\u2062-\u2064\ufeff]").finditer(text)]
    if len(zero) >= 3:
        bits = rx("[\u200b-\u200d\u2060]{8,}").search(text)
        weight = 0.65 if bits else 0.5 if len(zero) >= 8 or source.lang in CODE else 0.35
        case.add("invisible", weight, source, source.line(zero[0]), "%d zero-width characters" % len(zero), "INJECT_INSTRUCTION")
        for start, block in paragraphs(rx("[\u200b-\u200d\u2060\ufeff]").sub("", text)) if source.lang in ("md", "json") else ():
            judge_prose(case, source, block, start, "prose")
    bidi = rx("[\u202a-\u202e\u2066-\u2069]").search(text)
    if bidi:
        case.add("invisible", 0.6 if source.lang in CODE or "\u202e" in text else 0.3, source, source.line(bidi.start()), "bidirectional control character", "OBFUSCATE_CODE")


def paragraphs(text):
    """(first line, paragraph) pairs, split at blank lines; a long list is split at its items."""
    start, block = 1, []
    for number, line in enumerate(text.split("\n") + [""], 1):
        if block and (not line.strip() or sum(map(len, block)) > 500 and has(line, r"^\s*(?:[-*+]|\d+[.)])\s")):
            yield start, "\n".join(block)
            block = []
        if line.strip():
            start = start if block else number
            block.append(line)


SCRIPT_FENCES = {"sh": "sh", "bash": "sh", "shell": "sh", "zsh": "sh", "console": "sh", "powershell": "sh", "js": "js", "javascript": "js", "ts": "js", "typescript": "js", "python": "py", "py": "py", "": "sh"}
HIDDEN_TEXT = r"<!--(.*?)-->|\[//\]:\s*#\s*\(([^)]*)\)|<(?:span|div|p|font|details)[^>]*(?:display:\s*none|visibility:\s*hidden|font-size:\s*0|color:\s*(?:white|#fff\w*|transparent)|opacity:\s*0|\bhidden\b)[^>]*>(.*?)</"
BAD_EXAMPLE = r"bad\b|don't|do not|never|avoid|vulnerab|attack|malicious|insecure|unsafe|wrong|suspicious|red flag|exploit|example of"


def split_fences(text):
    """(prose with the fences blanked, [(line, language, body, whether the lead-in calls it a bad example)])."""
    fences, prose, block, opened, lang, lead = [], [], None, 0, "", ""
    for number, line in enumerate(text.split("\n"), 1):
        m = rx(r"^\s*(?:```+|~~~+)\s*([\w+-]*)").match(line)
        prose.append(line if block is None and not m else "")
        if m and block is None:
            opened, lang, block = number, m.group(1).lower(), []
        elif m:
            fences.append((opened, lang, "\n".join(block), has(lead.lower(), BAD_EXAMPLE)))
            block = None
        elif block is not None:
            block.append(line)
        elif line.strip():
            lead = line
    return "\n".join(prose), fences


def behave_markdown(case, source):
    text = source.text
    instructs = source.name.upper().startswith(("SKILL", "CLAUDE", "AGENTS")) or "skill" in source.path.lower() or has(source.path, r"prompts?/|commands?/|reference|\.mdc$|\.cursorrules")
    for m in rx(HIDDEN_TEXT, re.S | re.I).finditer(text):
        judge_prose(case, source, m.group(1) or m.group(2) or m.group(3) or "", source.line(m.start()), "hidden")
    prose, fences = split_fences(rx(r"<!--.*?-->", re.S).sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text))
    heading, lead = "", ""
    for start, piece in paragraphs(prose):
        judge_prose(case, source, piece, start, "prose", heading + " " + lead)
        heading = (rx(r"(?m)^#+ .*$").findall(piece) or [heading])[-1]
        lead = piece if piece.rstrip().endswith(":") else lead if has(piece, r"^\s*(?:[-*+>]|\d+[.)])\s") else ""
        for span in rx(r"`([^`\n]{12,300})`").findall(piece) if instructs else ():
            if has(span, r"curl|wget|base64|npx|pip3?\s") and not has(piece.lower(), NEGATED + "|" + LESSON):
                scan_text(case, source, span, start, "sh", 0.9)
    for start, kind, body, warned in fences:
        language = SCRIPT_FENCES.get(kind)
        weight = (0.9 if instructs else 0.5) * (0.25 if warned or case.about_security() else 1.0)
        inner = Source(source.path, language, "\n" * start + body)
        if language == "py":
            file = PyFile(inner, {}, {})
            if file.ok and weight > 0.5:
                file.analyse(False)
                file.analyse(True)
                behave_python(case, file)
        elif language:
            behave_lines(case, inner, inner.code, language, 0, weight)
        elif kind in ("text", "md", "markdown", "xml", "prompt", "yaml", "json"):
            judge_prose(case, source, body, start + 1, "prose")


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
            elif isinstance(node, (ast.BinOp, ast.Call)) and fold(node):
                seen.update(id(c) for c in ast.walk(node))
                judge_prose(case, source, fold(node), node.lineno, "string")
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
            case.inject("parameter asks for " + m.group(1), source, source.line(m.start()), "schema")


# ---- 7. Behavioural tracks: manifests and install hooks -------------------------------------------

POPULAR = {
    "npm": "react lodash express axios chalk commander debug moment request async webpack typescript eslint prettier jest mocha vue next dotenv uuid yargs glob rimraf mkdirp minimist semver bluebird underscore jquery cors body-parser mongoose mongodb redis socket.io winston passport jsonwebtoken bcrypt nodemailer puppeteer cheerio node-fetch cross-env concurrently nodemon ts-node rollup vite esbuild babel colors inquirer ora ethers web3 electron discord.js tailwindcss postcss zod ajv validator handlebars sequelize knex typeorm prisma fastify koa nestjs rxjs redux classnames dayjs date-fns immer ramda through2 event-stream fs-extra cross-spawn execa got superagent ws helmet morgan multer sharp".split(),
    "pypi": "requests numpy pandas flask django scipy urllib3 boto3 botocore setuptools six certifi idna python-dateutil pyyaml cryptography jinja2 click pytest pillow matplotlib tensorflow torch scikit-learn beautifulsoup4 lxml selenium sqlalchemy fastapi pydantic uvicorn aiohttp httpx redis celery psycopg2 pymongo colorama tqdm rich typer paramiko ansible openai langchain transformers attrs packaging werkzeug gunicorn starlette loguru pyjwt python-dotenv black mypy virtualenv pipenv poetry jsonschema markupsafe protobuf grpcio simplejson termcolor tabulate docker kubernetes tornado gevent websockets scrapy opencv-python nltk spacy huggingface-hub".split(),
}
NOT_TYPOS = {"preact", "flake", "requests-oauthlib", "vite", "vue", "koa", "got", "ws", "next", "jest", "ora", "six", "click", "glob", "black", "rich", "nuxt", "vitest", "axis", "pytest-cov"}


def slips(name):
    """A name and each form of it with one character left out: two names one slip apart share one."""
    return {name} | {name[:i] + name[i + 1:] for i in range(len(name))}


def imitates(name, ecosystem):
    """The popular package that `name` is one slip away from, or None."""
    plain = name.lower().replace("_", "-")
    known = POPULAR[ecosystem]
    if plain in known or plain in NOT_TYPOS or len(plain) < 4 or plain.startswith("@"):
        return None
    mine, bare = slips(plain), plain.replace("-", "")
    for other in known:
        if len(other) >= 5 and (bare == other.replace("-", "") or abs(len(other) - len(plain)) <= 1 and mine & slips(other)):
            return other
    return None


def load_json(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def line_with(source, word):
    at = source.text.find(word)
    return source.line(at) if at >= 0 else 1


SAFE_HOOK = r"^(?:npm (?:run )?\w[\w:-]*|yarn \w*|node-gyp\b.*|prebuild-install\b.*|node-pre-gyp\b.*|node-gyp-build\b.*|husky\b.*|tsc\b.*|patch-package|is-ci\b.*|npx (?:husky|tsc|only-allow|patch-package|prisma|playwright)\b.*|only-allow \w+|opencollective\b.*|cmake-js\b.*|rollup\b.*|vite build|esbuild\b.*|prisma generate|lerna \w+|make\b[\w ]*|electron-builder install-app-deps|ngcc\b.*|lefthook install|simple-git-hooks|echo\b.*|exit 0|true|)$"
NETWORK = r"\bhttps?\.(?:get|request)|\bfetch\(|axios|requests\.\w+\(|urlopen|urllib|socket\.|\bcurl\b|\bwget\b|net\.connect|\bhttpx\b|Net::HTTP|reqwest|ureq|TcpStream|dns\.|open-uri|URI\.open|http\.client"
RUNS = r"child_process|exec(?:Sync|File)?\s*\(|spawn(?:Sync)?\s*\(|subprocess|os\.(?:system|popen)|\beval\s*\(|\bsystem\b|Command::new|new\s+Function"
OUT_OF_PACKAGE = r"writeFile|appendFile|copyFile"


def is_safe_hook(command):
    return all(has(p.strip(), SAFE_HOOK) for p in rx(r"&&|\|\||;").split(command))


def npm_tables(source):
    """(scripts, dependencies) of a package.json; both empty when it is not one."""
    data = load_json(source.text) if source.name == "package.json" and "node_modules" not in source.path else None
    if not isinstance(data, dict):
        return {}, []
    table = lambda name: data[name] if isinstance(data.get(name), dict) else {}
    wanted = [pair for name in ("dependencies", "devDependencies", "optionalDependencies") for pair in sorted(table(name).items())]
    return table("scripts"), [(name, str(version)) for name, version in wanted]


def behave_manifests(case):
    by_path = {s.path: s for s in case.sources}
    for source in case.sources:
        scripts, found = npm_tables(source)
        for hook in ("preinstall", "install", "postinstall", "prepare"):
            if isinstance(scripts.get(hook), str):
                judge_hook(case, source, by_path, hook, scripts[hook])
        ecosystem = "npm" if source.name == "package.json" else "pypi"
        own = {"package.json": r"^\s*\"name\"\s*:\s*\"([\w.-]+)", "setup.py": r"\bname\s*=\s*[\"']([\w.-]+)", "pyproject.toml": r"^\[project\][^\[]*?^name\s*=\s*[\"']([\w.-]+)"}.get(source.name)
        found += [(m.group(1), "") for m in rx(own, re.M).finditer(source.text)][:1] if own else []
        if source.name == "pyproject.toml":
            found += [(a, b) for a, b in rx(r"[\"']([A-Za-z][\w.-]+)\s*(?:\[[\w,]+\])?\s*((?:[=<>~!]=?|@)[^\"']*)[\"']").findall(source.text)]
            hook = rx(r"build-backend\s*=\s*[\"']([\w.]+)").search(source.text) if has(source.text, r"backend-path\s*=") else None
            inner = [s for s in case.sources if hook and s.name == hook.group(1).split(".")[-1] + ".py"]
            if inner and runs_outward(inner[0].code):
                case.add("install", 0.75, inner[0], first_line(inner[0], NETWORK), "build backend", "INSTALL_PACKAGE")
        elif source.name.startswith("requirements") and source.lang == "md":
            found += rx(r"(?m)^\s*([A-Za-z][\w.-]+)\s*(?:\[[\w,]+\])?[ \t]*(.*)$").findall(source.text)
            if has(source.text, r"--(?:extra-)?index-url\s+https?://(?!pypi\.org|download\.pytorch)"):
                case.add("depsource", 0.35, source, first_line(source, r"--(?:extra-)?index-url"), "index other than the registry", "INSTALL_PACKAGE")
        elif source.name == "setup.py":
            judge_setup(case, source)
        elif source.path.endswith(".pth") and has(source.text, r"(?m)^import\s"):
            case.add("persist", 0.7, source, first_line(source, r"(?m)^import\s"), ".pth file runs code at every start", "EXEC_CODE")
        elif source.name in ("sitecustomize.py", "usercustomize.py"):
            case.add("persist", 0.55, source, 1, "module runs at every interpreter start", "EXEC_CODE")
        elif source.name in ("build.rs", "extconf.rb") and has(source.code, NETWORK) and has(source.code, RUNS + r"|File|fs::"):
            case.add("install", 0.7, source, first_line(source, NETWORK), "build script with network access", "INSTALL_PACKAGE")
        elif source.path.endswith((".vscode/tasks.json", ".claude/settings.json", ".cursor/mcp.json", "hooks.json", ".mcp.json")) and has(source.text, r"\"command\"\s*:\s*\"[^\"]*(?:curl|wget|\bnc\b|base64)"):
            case.add("persist", 0.65, source, first_line(source, r"curl|wget|\bnc\b|base64"), "agent or editor hook runs a network command", "WRITE_AGENT_CONFIG")
        for name, version in found:
            judge_dependency(case, source, name, version, ecosystem)


def runs_outward(code):
    return has(code, NETWORK) and (has(code, RUNS) or has(code, r"process\.env\b(?!\.)|os\.environ\b(?!\.get|\[)|hostname|homedir|expanduser|userInfo"))


def first_line(source, pattern):
    m = rx(pattern).search(source.code)
    return source.line(m.start()) if m else 1


def judge_hook(case, source, by_path, hook, command):
    """An npm life-cycle script: compile-only commands are ordinary, network and inline code are not."""
    line = line_with(source, '"%s"' % hook)
    if is_safe_hook(command):
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
        elif has(code, OUT_OF_PACKAGE) and has(code, r"homedir|process\.env\.HOME|INIT_CWD|USERPROFILE"):
            case.add("install", 0.3 if mentions else 0.55, script, first_line(script, OUT_OF_PACKAGE), hook + " writes outside the package", "WRITE_FILE")
        elif has(code, RUNS) and not has(code, r"node-gyp|cmake|\bmake\b|tsc|prebuild|husky|rustc|cargo"):
            case.add("install", 0.35, script, first_line(script, RUNS), hook + ": " + clip(command, 60), "EXEC_SHELL")


def judge_setup(case, source):
    code = source.code
    custom = has(code, r"cmdclass\s*=|class\s+\w+\((?:install|develop|egg_info|build_py|sdist|_install)\)")
    calls = r"requests\.\w+\(|urlopen\(|socket\.socket|\bcurl\b|\bwget\b"
    starts = r"os\.system|subprocess\.\w+\(|\beval\(|\bexec\("
    if has(code, NETWORK if custom else calls):
        case.add("install", 0.8, source, first_line(source, calls + "|" + NETWORK), "setup.py uses the network", "INSTALL_PACKAGE")
    elif custom and has(code, SECRET_PATH):
        case.add("install", 0.6, source, first_line(source, SECRET_PATH), "install command reads credentials", "READ_SECRET")
    elif custom and has(code, starts) and not has(code, r"cmake|ninja|\bmake\b|gcc|cython|cargo|build_ext|protoc|npm|clang"):
        inline = has(code, r"shell\s*=\s*True|[\"']-c[\"']|b64decode|os\.system|\bexec\(|\beval\(")
        case.add("install", 0.55 if inline else 0.3, source, first_line(source, starts), "install command runs a program", "EXEC_SHELL")


def judge_dependency(case, source, name, version, ecosystem):
    other = imitates(name, ecosystem)
    line = line_with(source, name)
    if other:
        case.add("typosquat", 0.5, source, line, name + " imitates " + other, "INSTALL_PACKAGE")
    if has(version, r"(?:git\+)?(?:https?|git|ssh)://") and not has(version, r"github\.com|gitlab\.com|bitbucket\.org|registry\.npmjs\.org|pypi\.org|pythonhosted"):
        case.add("depsource", 0.5, source, line, name + " from " + clip(version, 60), "INSTALL_PACKAGE")


# ---- 8. Behavioural tracks: the verdict -----------------------------------------------------------


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
        category, title, plane, public = KINDS[kind]
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
        category, title, plane, public = KINDS[kind]
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
        if source.lang in CODE:
            comment = r"()(?m:#\s(.{40,})$)" if source.lang == "py" else r"/\*(.*?)\*/|(?m:(?://|#)\s([^\n]{40,})$)"
            for m in rx(comment, 0 if source.lang == "py" else re.S).finditer(source.text):
                judge_prose(case, source, m.group(1) or m.group(2) or "", source.line(m.start()), "comment")
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


# ---- 9. Repositories: rules for every language ---------------------------------------------------

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
    "py": r"\brequest\.(?:args|form|values|json|data|get_json|cookies|headers|files|query_params|path_params|GET|POST|FILES|COOKIES)\b|\bsys\.argv\b|(?<![\w.])input\(|\bself\.(?:rfile|headers|path)\b",
}
CLEAN = r"\b(?:int\(|float\(|secure_filename|parseInt|Number|parseFloat|BigInt|intval|floatval|\(int\)|Atoi|ParseInt|ParseUint|Integer\.(?:parseInt|valueOf)|Long\.(?:parseLong|valueOf)|UUID\.fromString|\.to_i\b|int\.(?:Parse|TryParse)|encodeURIComponent|htmlspecialchars|htmlentities|escapeHtml|escape_html|escapeshellarg|Shellwords|shellescape|shlex\.quote|basename|Base\(|mysqli_real_escape_string|pg_escape|sanitize\w*|DOMPurify|escapeHTML|EscapeString|HtmlEncode|html\.escape|sqlstring\.escape|mysql\.escape|quote\()"
PATH_GUARD = r"startsWith\(|startswith\(|start_with\?|HasPrefix\(|realpath|commonpath|commonprefix|is_relative_to|relative_to\(|filepath\.(?:Rel|IsLocal)|getCanonicalPath|toRealPath|safe_join|secure_filename|path\.basename|os\.path\.basename|filepath\.Base|basename\(|os\.OpenRoot|strpos\(\$\w+,\s*\$\w+\)\s*[!=]==?\s*0|path\.relative\(|\.\.[\"']\)|includes\(\s*[\"']\.\.|strstr\([^)]*\"\.\.\"|contains\(\"\.\.|in_array|ALLOWED|allow(?:ed|list)|whitelist|GetFullPath|getFileName\(\)|\.name\b\s*$|send_from_directory|^\s*if\s+not\s+re\.|canonicalize|fullmatch|preg_match|\.test\("
URL_GUARD = r"(?i)allow(?:ed|list)|whitelist|is_private|is_loopback|isPrivate|hostname\s+(?:not\s+)?in\b|\.netloc|\.hostname\s*(?:[!=]=|in\b|not\b|\))|(?:has|includes|test|some|endsWith|indexOf)\([^)\n]*host|\.host(?:name)?\s*[!=]==?|\.Host(?:name\(\))?\s*[!=]=|\[\w+\.Host|parse_url|getHost\(\)|ipaddress|IsLoopback|is_global|safe_?url|validate\w*url|startsWith\(\s*[\"']/|startswith\(\s*[\"']/|startsWith\(\s*[\"']https://[\w.-]+/|url_has_allowed_host|is_safe_url|TARGETS|ROUTES"
FILE_PARAM = r"(?i)^(?:\w*_?)?(?:file_?)?name$|path$|slug|page|^doc|template|^file$|entry|relative|attachment|^key$"
JOINS = r"[jJ]oin\(|\+\s*\w|\$\{|resolve\(|new File\(\s*\w+\s*,|Sprintf|\.\s*\$|#\{|Combine|format!|strcat|snprintf"

ANY = ("js", "php", "go", "java", "rb", "c", "cs", "rs")
WEB = ("js", "php", "go", "java", "rb", "cs")
SQL = r"(?:SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|REPLACE\s+INTO|DROP\s+TABLE|ALTER|WHERE|ORDER\s+BY|FROM)\b"
WEAKNESSES = {  # CWE id: (title, severity)
    22: ("Path traversal: file path built from input", "high"), 78: ("OS command injection through a command built from input", "critical"),
    79: ("Cross-site scripting: value written to a page without escaping", "high"), 89: ("SQL injection through a query built from strings", "high"),
    95: ("Code injection through eval of input", "critical"),
    98: ("File inclusion with a path from input", "high"), 120: ("Buffer overflow: copy without a bound on the length", "high"),
    134: ("Format string is not a constant", "high"), 190: ("Integer overflow in an allocation size", "high"),
    208: ("Secret compared in variable time (timing attack)", "medium"), 295: ("TLS certificate validation is disabled", "high"),
    306: ("Missing authentication for a critical function", "high"), 327: ("Broken or risky cipher or mode (DES, RC4 or ECB)", "medium"),
    328: ("Weak hash algorithm (MD5 or SHA-1) used for security", "medium"), 338: ("Predictable random numbers used for a token or secret", "medium"),
    347: ("Token signature is not verified", "critical"), 352: ("Cross-site request forgery protection is disabled", "medium"),
    367: ("Time-of-check time-of-use race on a file", "medium"), 377: ("Insecure temporary file: predictable name in a shared directory", "medium"),
    416: ("Use after free", "high"), 434: ("Unrestricted file upload: type, extension and name are not checked", "high"), 489: ("Debug mode is enabled", "medium"),
    502: ("Deserialization of untrusted data", "critical"),
    532: ("Sensitive data written to a log", "medium"), 601: ("Open redirect to a location given by input", "medium"),
    611: ("XML external entities are resolved (XXE)", "high"), 614: ("Session cookie without Secure or HttpOnly", "medium"),
    621: ("Variables set from request data", "high"), 732: ("World-writable permissions on a file or directory", "medium"),
    787: ("Out-of-bounds write: copy length comes from the data", "high"), 798: ("Hard-coded credential in source", "high"),
    862: ("Missing authorization on a sensitive route", "high"), 915: ("Mass assignment: request attributes accepted without a list", "high"),
    918: ("Server-side request forgery: URL of an outgoing request is given by input", "high"),
    942: ("Permissive cross-origin policy (CORS)", "medium"), 943: ("NoSQL injection through request values in a query object", "high"),
    1004: ("Cookie without HttpOnly", "medium"), 1321: ("Prototype pollution: keys are merged without a check", "high"),
    1333: ("Inefficient regular expression can be driven to backtrack (ReDoS)", "medium"),
    1336: ("Server-side template injection through a template built from input", "high"),
}
# (languages, hints in lower case, pattern, CWE id, options)
#   tainted: the matched statement must use outside input (or a parameter); input: only outside input will do;
#   param: a parameter of such a name counts as input; value: the group `v` must look like a credential
#   unless / need: pattern on the enclosing function; skip: pattern on the matched line and text;
#   notmatch: pattern on the statement; backtick: the match goes on to the next backtick; file_need / file_unless: pattern on the file
RULES = (
    # injection into queries
    (("js",), ("select", "insert", "update", "delete", "where"), r"[`\"'][^`\"'\n]*(?i:" + SQL + r")[^`]{0,400}?\$\{(?!\s*(?:\w+\.)?(?:placeholders?|columns?|cols|table\w*|[A-Z_]+)\b)", 89, {"tainted": 1, "skip": r"\bsql`|Prisma\.sql|SQL`|throw new|console\.|logger|Error\(", "backtick": 1}),
    (WEB, ("select", "insert", "update", "delete", "where"), r"[\"'](?:[^\"\n])*?(?:SELECT\s.+?\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|\bWHERE\b|ORDER BY|\bAND\s+\w+\s*(?:=|LIKE|IN)|^\s*LIMIT)[^\"\n]*[\"']\s*(?:\+|\.(?=\s*\$|\s*\w+\())\s*(?![\"'])[^;\n]*", 89, {"tainted": 1, "skip": r"(?i)console\.|log\.|logger|\.map\(\s*\(?\w*\)?\s*=>\s*[\"']\?|repeat\(|placeholders|join\(\s*[\"'],"}),
    (("php",), ("select", "insert", "update", "delete"), r"\"[^\"]*\b(?:SELECT\s[^\"]+?\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM)\b[^\"]*\{?\$(?!table|placeholders|columns|prefix)\w+[^\"]*\"", 89, {"tainted": 1}),
    (("go",), ("sprintf",), r"fmt\.Sprintf\(\s*[`\"][^`\"]*(?i:\bSELECT\b|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|ORDER BY)[^`\"]*%[svq][^`\"]*[`\"][^)]*\)", 89, {"tainted": 1, "skip": r"placeholders|strings\.(?:Join|Repeat)"}),
    (("rb",), ("#{",), r"\b(?:where|find_by_sql|order|having|joins|group|execute|exec_query|select_all|pluck|exists\?|delete_all|update_all|query)\b\s*\(?\s*(?:<<~?-?\w+|\")[^\"]*#\{[^}]+\}", 89, {"skip": r"quote\(|sanitize_sql|to_i\}"}),
    (("java",), ("string.format", "formatted"), r"String\.format\(\s*\"[^\"]*\b(?:SELECT|INSERT|UPDATE|DELETE|WHERE)\b[^\"]*%s[^;]*|\"[^\"]*\b(?:SELECT|INSERT|UPDATE|DELETE)\b[^\"]*\$\{?\w+[^\"]*\"", 89, {"tainted": 1}),
    (("cs",), ("select", "insert", "update", "delete"), r"\$@?\"[^\"]*\b(?:SELECT|INSERT|UPDATE|DELETE)\b[^\"]*\{\w+", 89, {"tainted": 1}),
    (("js",), ("$where", "find", "update", "delete"), r"\$where[\"']?\s*:\s*[^,}\n]*(?:\+|\$\{)|\.(?:find|findOne|findOneAndUpdate|deleteOne|deleteMany|updateOne|updateMany|count\w*)\(\s*(?:req\.(?:body|query)\b\s*[,)]|\{[^{}]*:\s*req\.(?:body|query)\.\w+(?![\w.]*\())[^;]*", 943, {"unless": r"\bString\(|typeof|\.toString\(\)|sanitize|validate|z\.object|Joi|\$eq"}),
    # commands and code
    (("js",), ("exec",), r"\b(?:child_process\.|cp\.|shell(?:js)?\.)?exec(?:Sync|Async|P|Promise|Cmd)?\s*\(\s*(?:`[^`]*\$\{|(?![\"'][^\"'\n]*[\"']\s*[,)])[\"'\w])[^;]{0,200}", 78, {"tainted": 1, "file_need": r"child_process", "skip": r"(?i)(?:\bre|regexp?|pattern|rx|/[gimsuy]*)\.exec\("}),
    (("js",), ("shell",), r"\b(?:spawn|execFile)(?:Sync)?\s*\([^;]{0,300}shell\s*:\s*true", 78, {"tainted": 1}),
    (("php",), ("exec", "system", "passthru", "popen", "`"), r"\b(?:exec|system|passthru|shell_exec|popen|proc_open)\s*\([^;]*\$[^;]*|`[^`\n]*\$_?\w+[^`\n]*`", 78, {"tainted": 1, "skip": r"escapeshell"}),
    (("go",), ("exec.command",), r"exec\.Command(?:Context)?\(\s*(?:\w+,\s*)?\"(?:/bin/)?(?:ba)?sh\"\s*,\s*\"-\w*c\"\s*,\s*(?!\"[^\"]*\"\s*\))[^;\n]*", 78, {}),
    (("java",), ("exec(", "processbuilder"), r"\.exec\(\s*(?:\"[^\"]*\"\s*\+|String\.format|\w+\s*\)|new String\[\]\s*\{\s*\"(?:/bin/)?(?:ba)?sh\")[^;]*|new ProcessBuilder\(\s*\"(?:/bin/)?(?:ba)?sh\"\s*,\s*\"-c\"\s*,[^;]*", 78, {"tainted": 1, "file_need": r"Runtime|ProcessBuilder"}),
    (("rb",), ("system", "exec", "`", "popen", "%x", "capture", "spawn"), r"(?:\b(?:system|exec|spawn)\s*\(?\s*\"[^\"\n]*#\{|`[^`\n]*#\{|%x[\[({][^\n]*#\{|IO\.popen\(\s*\"[^\"]*#\{|Open3\.\w+\(\s*\"[^\"]*#\{|\bopen\(\s*\"\|)[^\n]*", 78, {"skip": r"shellescape|Shellwords"}),
    (("c",), ("system(", "popen("), r"\b(?:system|popen)\s*\(\s*(?!\")\w+[^;]*", 78, {"need": r"s(?:n)?printf|strcat|argv|std::string|\+"}),
    (("js", "php"), ("eval", "function(", "assert"), r"(?<![\w.])(?:eval|new\s+Function|assert)\s*\(\s*(?![\"'][^\"'$]*[\"']\s*\))(?=[^)\s])[^;\n]*|\bvm\.run(?:InNewContext|InContext|InThisContext)\s*\([^;\n]*|set(?:Timeout|Interval)\(\s*(?:`|[\"'][^\"']*[\"']\s*\+)[^;\n]*", 95, {"tainted": 1}),
    (("php",), ("include", "require"), r"\b(?:include|require)(?:_once)?\s*\(?\s*[^;]*\$(?!this)[^;]*", 98, {"tainted": 1, "unless": r"in_array|basename|whitelist|allowed|isset\(\$\w+\[\$", "skip": r"__DIR__\s*\.\s*[\"'][^\"'$]*[\"']\s*;?$"}),
    (("js", "java", "rb", "php"), ("render", "template", "compile", "from_string", "erb.new", "velocity", "process("), r"(?:ejs|pug|nunjucks|handlebars|Handlebars|_|lodash|Mustache|swig|twig)\.(?:render(?:String)?|compile|template)\(\s*(?:req\.[^)]*|`[^`]*\$\{|\w+\s*\+|[\"'][^\"']*[\"']\s*\+)[^;\n]*|ERB\.new\(\s*(?:params|\"[^\"]*#\{|\w+)[^\n]*|Velocity\.evaluate\([^;]*|createTemplate\(\s*\$[^;]*", 1336, {"tainted": 1}),
    # files and paths
    (("js",), ("readfile", "createreadstream", "sendfile", "writefile", "unlink", "readdir", "download(", "createwritestream", "rm("), r"\b(?:fs(?:p|\.promises)?\.)?(?:readFile|createReadStream|writeFile|appendFile|createWriteStream|unlink|readdir|rm|stat)(?:Sync)?\s*\((?!\s*[\"'][^\"']*[\"']\s*[,)])[^;\n]*|\bres\.(?:sendFile|download)\s*\((?!\s*[\"'])[^;\n]*", 22, {"input": 1, "param": FILE_PARAM, "unless": PATH_GUARD, "skip": r"root\s*:"}),
    (("php",), ("file_get_contents", "fopen", "readfile", "unlink", "file_put", "file("), r"\b(?:file_get_contents|fopen|readfile|unlink|file_put_contents|file|copy|rename|fpassthru)\s*\([^;]*\$[^;]*", 22, {"input": 1, "param": FILE_PARAM, "unless": PATH_GUARD, "skip": r"php://|basename|^file_get_contents\(\s*\$(?:url|uri)|curl"}),
    (("go",), ("os.open", "readfile", "servefile", "c.file", "os.create", "os.remove", "writefile"), r"\b(?:os\.(?:Open|ReadFile|Create|Remove|RemoveAll|OpenFile|WriteFile)|ioutil\.(?:ReadFile|WriteFile)|http\.ServeFile|c\.(?:File|FileAttachment|SaveUploadedFile))\((?!\s*\"[^\"]*\"\s*[,)])[^\n]*", 22, {"input": 1, "param": FILE_PARAM, "unless": PATH_GUARD}),
    (("java",), ("new file(", "paths.get", "fileinputstream", "files.", "path.of", "resolve(", "filereader"), r"new\s+(?:File|FileInputStream|FileOutputStream|FileReader|FileWriter)\((?!\s*\"[^\"]*\"\s*\))[^;]*|\bPaths?\.(?:get|of)\((?!\s*\"[^\"]*\"\s*\))[^;]*|\.resolve\(\s*\w+[^;]*", 22, {"input": 1, "param": FILE_PARAM, "unless": PATH_GUARD + r"|startsWith"}),
    (("rb",), ("file.", "send_file", "io.read", "file.join", "fileutils"), r"\b(?:File\.(?:read|open|join|new|write|delete|binread)|IO\.read|send_file|FileUtils\.\w+)\s*\(?\s*[^\n]*", 22, {"input": 1, "param": FILE_PARAM, "unless": PATH_GUARD + r"|File\.basename|expand_path"}),
    (("cs",), ("file.", "path.combine"), r"\b(?:File\.(?:ReadAll\w+|Open\w*|WriteAll\w+|Delete)|Path\.Combine|PhysicalFile)\([^;]*", 22, {"input": 1, "param": FILE_PARAM, "unless": PATH_GUARD}),
    (("java", "js", "go", "cs"), ("getname()", "entryname", ".name", "header.name", "fullname", "entry.path"), r"(?:new File\(\s*\w+,\s*\w+\.getName\(\)|\.resolve\(\s*\w+\.getName\(\)|path\.join\(\s*\w+,\s*entry\.(?:path|entryName|fileName|name)|filepath\.Join\(\s*\w+,\s*(?:f|file|hdr|header|h|entry|zf)\.Name|Path\.Combine\(\s*\w+,\s*entry\.FullName)[^;\n]*", 22, {"unless": PATH_GUARD}),
    (("php",), ("move_uploaded_file",), r"move_uploaded_file\([^;]*", 434, {"unless": r"(?i)in_array|allowed|whitelist|pathinfo[^;]*EXTENSION[^;]*;[^}]*(?:in_array|===)|finfo|bin2hex|uniqid"}),
    (("js",), ("originalname", ".mv(", "multer"), r"\boriginalname\b[^;\n]*|\.mv\([^;\n]*\.name[^;\n]*", 434, {"file_unless": r"fileFilter|mimetype|extname\([^)]*\)[^;]*(?:includes|in |has|\.test)|ALLOWED|allowed|randomUUID"}),
    (("c", "php", "rb", "js", "go", "java", "sh"), ("/tmp/", "mktemp(", "tmpnam", "tempnam"), r"\b(?:mktemp|tmpnam|tempnam)\s*\((?!.*mkstemp)[^;\n]*|\b(?:fopen|open|File\.(?:open|write)|writeFile(?:Sync)?|os\.(?:Create|WriteFile|OpenFile)|new File(?:Writer|OutputStream)?|file_put_contents|createWriteStream)\s*\(\s*[`\"']/tmp/[^\n;]*|>{1,2}\s*[\"']?/tmp/[\w.-]+(?:\$\$)?[\w.-]*[\"']?\s*$|=[\"']?/tmp/[\w.-]*\$\$[\w.-]*", 377, {"unless": r"mkstemp|O_EXCL|mkdtemp|\bmktemp\s+(?:-|\))|CREATE_NEW"}),
    (("c",), ("access(", "stat("), r"\b(?:access|stat|lstat)\s*\(\s*(\w+)[^;]*;?[^}]{0,400}?\b(?:f?open|unlink|chmod|chown|remove|rename)\s*\(\s*\1\b", 367, {"unless": r"fstat|O_NOFOLLOW"}),
    (ANY + ("sh", "docker", "yaml"), ("777", "666", "umask"), r"\bchmod\s+(?:-R\s+)?0?(?:777|666|a\+rwx|o\+w)\b[^\n]*|\b(?:chmod|fchmod|Chmod|chmodSync|mkdir|MkdirAll|Mkdir|WriteFile|OpenFile|mkdirSync|writeFile|writeFileSync|open)\s*\([^;\n]*?\b0o?(?:777|666)\b[^\n]*|\bumask\s*\(?\s*0+\b[^\n]*|S_IRWXO|setReadable\(true,\s*false\)|PosixFilePermissions\.fromString\(\"rwxrwxrwx\"\)|mode\s*[:=]+>?\s*[\"']?0o?(?:777|666)\b", 732, {}),
    # browser output
    (("js",), ("innerhtml", "outerhtml", "document.write", "insertadjacenthtml", ".html("), r"\.(?:innerHTML|outerHTML)\s*\+?=\s*(?!\s*[\"'`][^\"'`$]*[\"'`]\s*;?\s*$|\s*DOMPurify)[^;\n]*|document\.write(?:ln)?\(\s*(?![\"'][^\"']*[\"']\s*\))[^;\n]*|\.insertAdjacentHTML\([^,]*,\s*(?![\"'][^\"']*[\"']\s*\))[^;\n]*|\$\([^)]*\)\.(?:html|append)\(\s*(?![\"'][^\"']*[\"']\s*\)|\))[^;\n]*", 79, {"skip": r"(?i)DOMPurify|escape|sanitize|encode|textContent|=\s*[\"'`][\"'`]"}),
    (("js",), ("res.send", "res.end", "res.write", "ctx.body", "innerhtml"), r"\b(?:res\.(?:send|end|write|status\(\d+\)\.send)\s*\(|ctx\.body\s*=)\s*(?=[^;]*<\w+|[^;]*(?:req\.(?:query|params|body)))(?:`[^`]*\$\{[^`]*`|[\"'][^\"'\n]*[\"']\s*\+[^;\n]*|req\.(?:query|params)\.\w+\s*\))", 79, {"tainted": 1, "skip": r"(?i)escape|encode|sanitize|JSON\.stringify"}),
    (("php",), ("echo", "print", "<?="), r"(?:\becho\b|\bprint\b|<\?=)[^;]*\$[^;]*", 79, {"input": 1, "skip": r"htmlspecialchars|htmlentities|json_encode|urlencode|intval|strip_tags|\(int\)|number_format|\be\(|esc_\w+|count\("}),
    (("go",), ("fprintf", "w.write", "template.html", "fprint"), r"fmt\.Fprint(?:f|ln)?\(\s*(?:w|rw|c\.Writer|res\w*)\s*,\s*[^\n]*(?:<\w+[^\n]*|FormValue|Query\(\))|template\.(?:HTML|JS|URL)\(\s*(?!\")[^\n]*|w\.Write\(\[\]byte\(\s*(?:\"<|fmt)[^\n]*(?:\+|%)[^\n]*", 79, {"tainted": 1, "skip": r"EscapeString|QueryEscape"}),
    (("java",), ("println", ".write(", "print("), r"(?:getWriter\(\)|\bout|writer|pw)\.(?:print(?:ln|f)?|write|append)\([^;]*(?:\+|getParameter)[^;]*", 79, {"input": 1, "file_need": r"Servlet|html|Controller", "skip": r"(?i)escape|encode|System\.out"}),
    (WEB, ("redirect", "location"), r"\b(?:res|ctx|response|resp|reply)\.(?:sendR|r)edirect\s*\((?!\s*[\"'`][^\"'`$+]*[\"'`]\s*\))[^;\n]*|\bheader\(\s*[\"']Location:[^;]*\$[^;]*|http\.Redirect\(\s*\w+,\s*\w+,\s*(?!\")[^\n]*|redirect_to\s*\(?\s*(?:params|request)[^\n]*|\bredirect\(\s*(?!\")[^;\n]*|\"redirect:\"\s*\+[^;]*|c\.Redirect\([^,]*,\s*(?!\")[^\n]*|\b(?:window\.)?location(?:\.href)?\s*=\s*[^=;\n]*(?:searchParams|location\.(?:hash|search))[^;\n]*", 601, {"input": 1, "unless": URL_GUARD + r"|only_path|url_from"}),
    # requests made for a client
    (("js",), ("fetch", "axios", "got", "http.get", "https.get", "request(", "client.", "session.", "instance."), r"\b(?:\w*[fF]etch\w*|axios(?:\.\w+)?|(?:client|http|session|instance|undici|this\.http)\.(?:get|post|request|fetch|head)|got(?:\.\w+)?|needle(?:\.\w+)?|superagent\.\w+|https?\.(?:get|request)|request(?:\.get)?)\s*\((?!\s*[\"'][^\"']*[\"']\s*[,)])[^;\n]*", 918, {"input": 1, "param": r"(?i)^(?:\w*ur[li]|target|host\w*|endpoint|webhook\w*|\w*link|address|location|source|feed|callback|href)$", "unless": URL_GUARD, "file_unless": r"document\.getElementById|window\.", "skip": r"`https?://[\w.-]+/"}),
    (("php",), ("curl_", "file_get_contents"), r"curl_setopt\([^;]*CURLOPT_URL[^;]*\$[^;]*|curl_init\(\s*\$[^;]*|file_get_contents\(\s*\$(?:url|uri|_GET|_POST)[^;]*", 918, {"tainted": 1, "unless": URL_GUARD}),
    (("go",), ("http.get", "http.newrequest", "client.get", "http.post", "client.post", "client.head", ".get("), r"(?:\bhttp|\b\w*[cC]lient|\bc|R\(\))\.(?:Get|Post|Head|NewRequest|NewRequestWithContext)\((?!\s*\"[^\"]*\"\s*[,)])[^\n]*", 918, {"input": 1, "param": r"(?i)^(?:\w*url|uri|target|endpoint|webhook\w*|link)$", "unless": URL_GUARD, "skip": r"c\.Get\(\"|\.Header"}),
    (("php", "html"), ("<?=", "echo $"), r"<\?(?:=|php\s+echo)\s*\$[^?;]*(?:;\s*)?\?>", 79, {"skip": r"htmlspecialchars|htmlentities|\be\(|esc|json_encode|urlencode|intval|\(int\)|count|number_format|date\("}),
    (("java", "cs"), ("/ecb", "\"des", "rc4", "arcfour"), r"\"(?:AES|DES|DESede|Blowfish)/ECB[^\"]*\"|\"(?:RC4|ARCFOUR|DESede|DES)\"", 327, {}),
    (("java", "cs"), ("new url(", "resttemplate", "uri.create", "httpclient", "getasync", "getstringasync"), r"new\s+URL\(\s*(?!\")[^;]*|(?:restTemplate|client|httpClient|webClient)\.(?:getFor\w+|exchange|execute|Get(?:String)?Async|PostAsync)\(\s*(?!\")[^;]*|URI\.create\(\s*(?!\")[^;]*", 918, {"input": 1, "param": r"(?i)url|uri|target|host|endpoint|webhook|link", "unless": URL_GUARD}),
    (("rb",), ("uri.open", "net::http", "open(", "httparty", "faraday", "restclient"), r"\b(?:URI\.open|open|Net::HTTP\.(?:get\w*|post\w*|start)|HTTParty\.\w+|Faraday\.\w+|RestClient\.\w+|URI\.parse|URI)\s*\(\s*(?!\")[^\n]*", 918, {"input": 1, "param": r"(?i)url|uri|target|webhook|link|feed", "unless": URL_GUARD + r"|\.host\b", "file_need": r"open-uri|Net::HTTP|HTTParty|Faraday|RestClient|URI\.open"}),
    # deserialisation and XML
    (("java",), ("readobject", "xmldecoder", "xstream", "enabledefaulttyping", "snakeyaml", "new yaml"), r"\.readObject\(\)|new\s+XMLDecoder\([^;]*|\bxstream\.fromXML\([^;]*|enableDefaultTyping\([^;]*|new\s+Yaml\(\s*\)", 502, {"unless": r"ObjectInputFilter|setObjectInputFilter|SafeConstructor|ValidatingObjectInputStream|allowTypes"}),
    (("php",), ("unserialize",), r"\bunserialize\s*\([^;]*\$[^;]*", 502, {"skip": r"allowed_classes[\"']?\s*=>\s*(?:false|\[)"}),
    (("rb",), ("marshal.load", "yaml.load", "yaml.unsafe", "oj.load"), r"Marshal\.(?:load|restore)\s*\(?[^\n]*|YAML\.(?:unsafe_)?load\s*\(?[^\n]*|Oj\.load\([^\n]*mode:\s*:object", 502, {"skip": r"safe_load|permitted_classes|load_file\(Rails|File\.read"}),
    (("cs",), ("binaryformatter", "typenamehandling", "losformatter", "netdatacontract", "soapformatter"), r"new\s+(?:BinaryFormatter|LosFormatter|NetDataContractSerializer|SoapFormatter)\b[^;]*|TypeNameHandling\s*=\s*TypeNameHandling\.(?!None)\w+", 502, {}),
    (("java",), ("documentbuilderfactory", "saxparserfactory", "xmlinputfactory", "saxreader", "saxbuilder", "transformerfactory", "xmlreader"), r"(?:DocumentBuilderFactory|SAXParserFactory|XMLInputFactory|TransformerFactory|SchemaFactory)\.new\w*(?:Instance|Factory)\([^;]*|new\s+(?:SAXReader|SAXBuilder)\([^;]*|XMLReaderFactory\.createXMLReader\([^;]*", 611, {"unless": r"disallow-doctype-decl|external-general-entities|SUPPORT_DTD|ACCESS_EXTERNAL|IS_SUPPORTING_EXTERNAL"}),
    (("php", "js", "cs", "c", "rb", "go"), ("noent", "dtdprocessing", "xmlresolver", "libxml_disable_entity_loader", "dtdload"), r"LIBXML_NOENT|LIBXML_DTDLOAD|\bnoent\s*:\s*true|DtdProcessing\.Parse|new XmlUrlResolver|libxml_disable_entity_loader\(\s*false|XML_PARSE_NOENT|\.noent\b|NOENT\b|replaceEntities\s*:\s*true", 611, {}),
    # transport, cryptography, randomness
    (ANY + ("sh", "yaml", "docker", "env"), ("rejectunauthorized", "insecureskipverify", "verifypeer", "verify_none", "verifyhost", "node_tls_reject", "servercertificate", "danger_accept", "trustall", "x509trustmanager", "hostnameverifier", "strictsslverify", "curl", "ssl_verify_none", "strict-ssl", "stricthostkeychecking"), r"rejectUnauthorized[\"']?\s*:\s*false|InsecureSkipVerify\s*:\s*true|CURLOPT_SSL_VERIFY(?:PEER|HOST)[\"']?\s*(?:,|=>)\s*(?:false|0)\w*|VERIFY_NONE|NODE_TLS_REJECT_UNAUTHORIZED[\"'\]]*\s*[=:]\s*[\"']?0|danger_accept_invalid_(?:certs|hostnames)\(\s*true|checkServerTrusted\([^)]*\)\s*(?:throws \w+\s*)?\{\s*\}|ALLOW_ALL_HOSTNAME_VERIFIER|NoopHostnameVerifier|setHostnameVerifier\([^;]*->\s*true|ServerCertificate(?:Custom)?ValidationCallback\s*\+?=[^;]*true|[\"']?verify_peer[\"']?\s*=>\s*false|SSL_VERIFY_NONE|\bcurl\b[^\n]*?\s(?:-k\b|--insecure)|StrictHostKeyChecking[= ]no|InsecureIgnoreHostKey", 295, {}),
    (("js", "php", "go", "java", "rb", "cs", "c", "rs"), ("md5", "sha1", "sha-1"), r"createHash\(\s*[\"'](?:md5|sha1)[\"']|\b(?:md5|sha1)\s*\(\s*(?:\$|uniqid|rand|mt_rand|microtime|time)[^;]*|hash\(\s*[\"'](?:md5|sha1)[\"']|\b(?:md5|sha1)\.(?:Sum|New)\(|MessageDigest\.getInstance\(\s*\"(?:MD5|SHA-?1)\"|Digest::(?:MD5|SHA1)|(?:MD5|SHA1)\.Create\(\)|MD5CryptoServiceProvider|\b(?:MD5|SHA1)(?:_Init|_Update)?\s*\(\s*\w|EVP_(?:md5|sha1)\(\)|Md5::(?:new|digest)|DigestUtils\.(?:md5|sha1)\w*\(|CryptoJS\.(?:MD5|SHA1)\(", 328, {"unless": r"(?i)\betag|cache_?key|checksum|dedup|gravatar|usedforsecurity|content_?hash|cache|websocket|Sec-WebSocket"}),
    (("js", "php", "go", "java", "rb", "cs", "c"), ("des", "rc4", "ecb", "blowfish", "createcipher"), r"create(?:De|C)ipher(?:iv)?\(\s*[\"'](?:des\b|des-|des3|rc4|rc2|bf\b|bf-|aes-\d+-ecb)[^;\n]*|crypto\.create(?:De|C)ipher\(|Cipher\.getInstance\(\s*\"(?:DES|DESede|RC4|RC2|Blowfish|AES\"|[A-Za-z]+/ECB)[^;]*|\bdes\.New(?:TripleDES)?Cipher\(|\brc4\.NewCipher\(|openssl_encrypt\([^;]*[\"'](?:des|rc4|bf|aes-\d+-ecb)[^;]*|OpenSSL::Cipher(?:::\w+)?\.new\(\s*[\"'](?:des|rc4|bf|aes-\d+-ecb)[^\n]*|(?:DES|TripleDES|RC2)\.Create\(\)|CipherMode\.ECB|\bDES_\w*encrypt\(|EVP_(?:des|rc4|aes_\d+_ecb)\w*|MCRYPT_DES", 327, {}),
    (("js", "php", "go", "java", "rb", "cs", "c"), ("math.random", "rand", "mt_rand", "new random"), r"Math\.random\(\)[^\n]*|\b(?:mt_rand|rand|uniqid|lcg_value)\s*\([^;\n]*|\brand\.(?:Intn?|Int31n?|Int63n?|Read|Uint32)\([^\n]*|new\s+Random\([^;]*|\bRandom\.(?:rand|new)[^\n]*|\bKernel\.rand[^\n]*|\brand\(\d[^\n]*|\brandom\(\)[^\n]*", 338, {"need": r"(?i)token|secret|passw|session|otp|nonce|\bpin\b|reset|api_?key|csrf|salt|invite|verification|\bkey\b|\biv\b", "unless": r"crypto/rand|SecureRandom|randomBytes|random_bytes|getRandomValues|backoff|shuffle"}),
    (("js", "php", "java", "rb", "cs", "go"), ("jwt", "none", "decode"), r"algorithms?[\"']?\s*[:=]>?\s*\[?[^\]\n]*[\"']none[\"']|jwt\.decode\([^;\n]*|JWT\.decode\([^\n]*(?:nil|false)[^\n]*|ParseUnverified\(|parseClaimsJwt\(|JWT\.decode\(\s*\w+\s*\)|verify_signature[\"']?\s*=>?:?\s*false|ignoreExpiration\s*:\s*true|Algorithm\.none\(\)|RequireSignedTokens\s*=\s*false|ValidateIssuerSigningKey\s*=\s*false", 347, {"unless": r"jwt\.verify\(|\.complete"}),
    (("js", "php", "go", "java", "rb", "cs"), ("signature", "hmac", "digest", "token", "===", "equals"), r"(?i)\bif\s*\(?\s*!?\s*(?:\w+\.)?\w*(?:signature|hmac|digest|mac|expectedsig|sig)\w*\s*(?:!==?|===?)\s*(?!(?:nil|null|undefined|None|[\"']{2}|\d)\b)\w[^\n]*|(?:signature|sig|hmac|mac)\.equals\([^\n]*", 208, {"need": r"(?i)hmac|createHmac|hash_hmac|Mac\.getInstance|sha256", "unless": r"timingSafeEqual|hash_equals|ConstantTimeCompare|hmac\.Equal|MessageDigest\.isEqual|secure_compare|fixed_length|typeof|FixedTimeEquals"}),
    # credentials in code
    (ANY + ("py", "env", "yaml", "toml", "docker", "json", "conf", "sh", "xml", "tf"), ("passw", "secret", "api_key", "apikey", "token", "private_key", "privatekey", "access_key", "accesskey", "pwd", "jwt"), r"(?i)(?<![\w$.>-])[\"']?\$?(?:[\w.]*[_.-])?\w*(?:password|passwd|\bpwd|secret(?:_?key)?|api_?key|auth_?token|access_?token|private_?key|access_?key|jwt_?secret|signing_?key|encryption_?key|client_?secret)[\"']?\]?\s*(?::\s*(?:&?'?(?:static\s+)?str|string|String)\s*=|:=|=>|[:=])\s*(?:b|\[\]byte\(|Buffer\.from\()?([\"'])(?!\s*\1)(?P<v>[^\"'\n$<{]{6,})\1", 798, {"value": 1}),
    (("js", "php", "go", "java", "rb", "cs"), ("console.", "log", "print"), r"(?i)\b(?:console\.(?:log|info|debug|error)|log(?:ger)?\.(?:info|debug|warn|error|Print\w*|log)|error_log|Rails\.logger\.\w+|log\.Print\w*|fmt\.Print\w*)\s*\(?[^;]{0,160}?(?:[,+(]\s*|\$\{|#\{|\{\s*)\s*\$?(?:\w+(?:\.|->))*(?:password|passwd|secret|api_?key|access_?token|auth_?token|credit_?card|card_?number|cvv|ssn|private_?key|token|authorization|cookie|otp|credentials?)\b(?!\.length|_id|Id|Count|Type)[^;\n]*", 532, {"skip": r"(?i)redact|mask|\*\*\*|length"}),
    # web configuration
    (("js",), ("cookie", "session("), r"\b(?:res|reply|ctx\.cookies|response)\.(?:cookie|setCookie|set)\(\s*[\"'`]\w*(?:sess|token|sid|auth|jwt|user)\w*[\"'`][^;]*", 614, {"notmatch": r"(?s)(?=.*secure\s*:\s*(?!false))(?=.*httpOnly\s*:\s*(?!false))"}),
    (("js", "go", "java", "php", "cs", "rb"), ("httponly", "secure"), r"httpOnly\s*:\s*false|HttpOnly\s*:\s*false|setHttpOnly\(\s*false|httponly[\"']?\s*(?:=>|:)\s*false|HttpOnly\s*=\s*false|session\.cookie_httponly[\"'],\s*(?:0|false|[\"']0)", 1004, {}),
    (("js", "go", "java", "php", "cs", "rb"), ("secure",), r"\bsecure\s*:\s*false|\bSecure\s*:\s*false|setSecure\(\s*false|[\"']secure[\"']\s*=>\s*false|\bSecure\s*=\s*false", 614, {"file_need": r"(?i)cookie|session", "skip": r"smtp|nodemailer", "file_unless": r"createTransport|nodemailer"}),
    (("js", "go", "java", "php", "rb", "cs", "conf", "yaml"), ("access-control-allow-origin", "cors", "origin", "allowedorigins"), r"Access-Control-Allow-Origin[\"']?\s*[,:]\s*(?:[\"']\s*\*|req\.headers\.origin|r\.Header\.Get\(\"Origin\"|\$_SERVER\[[\"']HTTP_ORIGIN|origin\b)[^\n]*|origin\s*:\s*(?:true|[\"']\*[\"'])[^\n]*|@CrossOrigin\(\s*(?:origins\s*=\s*)?\"\*\"|allowedOrigins\(\s*\"\*\"|AllowAllOrigins\s*:\s*true|AllowAnyOrigin\(\)", 942, {"need": r"(?i)credentials|headers\.origin|Header\.Get\(\"Origin|HTTP_ORIGIN"}),
    (("java", "js", "rb", "php", "cs"), ("csrf", "forgery"), r"\.csrf\(\)\.disable\(\)|csrf\s*\(\s*(?:\w+\s*->\s*\w+\.disable\(\)|AbstractHttpConfigurer::disable|CsrfConfigurer::disable)|\bcsrf\.disable\(\)|skip_before_action\s+:verify_authenticity_token|protect_from_forgery\s+with:\s*:null_session|IgnoreAntiforgeryToken|csrf\s*:\s*false|csrf_protection\s*=>\s*false", 352, {}),
    (("php",), ("extract(", "$$"), r"\bextract\(\s*\$_(?:GET|POST|REQUEST)[^;]*|\bparse_str\(\s*\$[^;,]*\)", 621, {}),
    (("js",), ("object.assign", "...req.body", ".create(req.body", "update(req.body", "new "), r"Object\.assign\(\s*\w+\s*,\s*req\.body[^;\n]*|\.(?:create|update\w*|findByIdAndUpdate|findOneAndUpdate|insertOne|insert|set|save|build)\([^;\n]*?(?:\.\.\.)?\breq\.body\b(?!\.)[^;\n]*|new\s+[A-Z]\w*\(\s*(?:\{\s*\.\.\.)?req\.body\s*\}?\s*\)|\{\s*\.\.\.\w+\s*,\s*\.\.\.req\.body", 915, {"unless": r"\bpick\(|validate|schema|parse\(req\.body|whitelist|allowed|ALLOWED"}),
    (("rb", "php", "java"), ("permit!", "fillable", "guarded", "->all()", "populate"), r"params(?:\[[^\]]*\]|\.require\([^)]*\))?\.permit!|\$guarded\s*=\s*\[\s*\]|(?:create|update|fill)\(\s*\$request->all\(\)|BeanUtils\.(?:populate|copyProperties)\([^;]*|attributes\s*=\s*params\b(?!.*permit)", 915, {}),
    (("js",), ("for", "merge", "["), r"for\s*\(\s*(?:const|let|var)\s+(\w+)\s+(?:in|of)\s+[^)]*\)?\)\s*\{[^}]{0,400}?\w+\[\s*\1\s*\]\s*=[^;]*", 1321, {"need": r"(?i)merge|extend|deep|assign|set\w*Path|recurs", "unless": r"__proto__|hasOwn(?:Property)?\b[^;]*constructor|Object\.create\(null\)|isSafeKey|FORBIDDEN|BLOCKED|UNSAFE|new Map"}),
    (("js", "java", "go", "php", "rb", "cs"), ("*)+", "+)+", "+)*", "*)*", "new regexp", "regexp.new"), r"\((?:\?:)?(?:\[[^\]\n]+\]|\\w|\\d|\\s|\.|[a-zA-Z])[+*]\)[+*]|\((?:\?:)?[^()\n]*(?:\[[^\]\n]+\]|\\w|\.|\\s|\\d)[+*]\s*\)[+*](?=[^()\n]*\$?/)", 1333, {"skip": r"RE2|re2"}),
    # memory safety in C and C++
    (("c",), ("gets(", "strcpy", "strcat", "sprintf", "stpcpy"), r"(?<![\w])(?:gets|strcpy|strcat|stpcpy|vsprintf)\s*\([^;]*|(?<![\w])sprintf\s*\([^;]*%s[^;]*", 120, {"skip": r"strcpy\s*\(\s*\w+\s*,\s*\"[^\"]{0,24}\"\s*\)", "unless": r"if\s*\([^)]*strlen\([^)]*\)\s*(?:\+\s*\w+(?:\([^)]*\))?\s*)?(?:>=?|<=?)[^)]*\)|malloc\(\s*strlen"}),
    (("c",), ("memcpy", "memmove", "strncpy", "strncat"), r"\b(?:memcpy|memmove)\s*\(\s*([\w.\->\[\]&+ ]+),[^;]*,\s*(?!sizeof)(?=[^;]*[a-z_])[^;]*", 787, {"unless": r"if\s*\([^)]*(?:len|size|n\b|count|sizeof|cap)\w*[^)]*(?:>=?|<=?)[^)]*\)|\bmin\s*\(|MIN\(", "need": r"\w+\s*\[\s*\w+\s*\]\s*;|len|size"}),
    (("c",), ("printf", "syslog"), r"(?<![\w])(?:printf|vprintf)\s*\(\s*(?!\")[A-Za-z_][\w.\->\[\]]*\s*\)|(?<![\w])(?:fprintf|syslog|dprintf|err|warn)\s*\(\s*[\w.\->]+\s*,\s*(?!\")[A-Za-z_][\w.\->\[\]]*\s*\)|(?<![\w])snprintf\s*\([^,]+,[^,]+,\s*(?!\")[A-Za-z_][\w.\->\[\]]*\s*\)", 134, {}),
    (("c",), ("malloc", "realloc", "alloca"), r"\b(?:malloc|realloc|alloca|xmalloc)\s*\([^;]*\b[a-z_]\w*(?:->\w+|\.\w+)?\s*\*\s*(?:sizeof\s*\(?|[a-z_]\w*|\d)[^;]*", 190, {"unless": r"SIZE_MAX|__builtin_mul_overflow|reallocarray|INT_MAX|UINT_MAX|/\s*sizeof|MAX_\w+|if\s*\([^)]*>\s*\d+", "need": r"argv|atoi|read|recv|len|count|num|width|header|\bn\b"}),
    (("c",), ("free(",), r"\bfree\s*\(\s*([\w.\->]+)\s*\)\s*;(?![^{}]{0,12}(?:return|break|goto|exit))(?:(?!\1\s*=|\breturn\b|\n\})[\s\S]){0,500}?(?:\*\s*\1\b(?!\s*=\s*NULL)|\b\1\s*(?:->|\[)|\b(?:printf|puts|strcpy|strlen|memcpy|fprintf|send|write)\s*\([^;]*\b\1\b)", 416, {}),
    # shell, containers, pipelines, infrastructure
    # Python
    (("py",), ("select", "insert", "update", "delete", "where"), r"\bf[\"'][^\"'\n]*\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE|AND|ORDER BY)\b[^\"\n]*\{(?![A-Z_]+\}|placeholders|marks)[^\n]*|[\"'][^\"'\n]*\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE)\b[^\"\n]*[\"']\s*(?:%\s*(?![sd\"'])|\+\s*(?![\"'])|\.format\()[^\n]*", 89, {"tainted": 1, "need": r"execute\w*\(|\.raw\(|read_sql|text\("}),
    (("py",), ("os.system", "popen", "shell", "getoutput"), r"\b(?:os\.(?:system|popen)|subprocess\.getoutput|create_subprocess_shell)\(\s*(?![\"'][^\"'\n]*[\"']\s*\))[^\n]*|\bsubprocess\.\w+\((?!\s*[\"'][^\"'\n]*[\"']\s*,)[^)]{0,300}shell\s*=\s*True", 78, {"tainted": 1, "skip": r"shlex\.quote"}),
    (("py",), ("eval(", "exec("), r"(?<![\w.])(?:eval|exec)\(\s*(?![\"'])[^\n]+", 95, {"tainted": 1}),
    (("py",), ("pickle", "marshal", "dill", "shelve", "joblib", "jsonpickle"), r"\b(?:c?[pP]ickle|dill|cloudpickle|marshal|joblib|jsonpickle)\.(?:loads?|decode|Unpickler)\([^\n]*|\bshelve\.open\([^\n]*", 502, {"unless": r"hmac|compare_digest"}),
    (("py",), ("yaml.",), r"\byaml\.(?:unsafe_load|(?:full_)?load(?:_all)?)\((?![^)\n]*Safe)[^\n]*", 502, {}),
    (("py",), ("md5", "sha1"), r"\bhashlib\.(?:md5|sha1)\([^\n]*|\b(?:MD5|SHA1?)\.new\([^\n]*", 328, {"skip": r"usedforsecurity\s*=\s*False", "unless": r"(?i)etag|cache|checksum|dedup|gravatar|(?:content|file)_?hash"}),
    (("py",), (".new(", "ecb", "algorithms."), r"\b(?:DES3?|ARC[24]|Blowfish)\.new\(|\bMODE_ECB\b|\bmodes\.ECB\(|\balgorithms\.(?:ARC4|TripleDES|Blowfish|IDEA)\(", 327, {}),
    (("py",), ("random.",), r"(?<![\w.])random\.(?:random|randint|choices?|randrange|getrandbits|sample|randbytes)\(", 338, {"need": r"(?i)token|secret|passw|session|otp|nonce|\bpin\b|reset|api_?key|csrf|salt|invite|verif|coupon|voucher|code", "unless": r"(?i)backoff|sleep|delay|demo|status_code"}),
    (("py",), ("verify", "check_hostname", "unverified"), r"\bverify\s*=\s*False\b|\bcheck_hostname\s*=\s*False|\bCERT_NONE\b|_create_unverified_context", 295, {"skip": r"jwt\."}),
    (("py",), ("mktemp", "/tmp/"), r"\btempfile\.mktemp\(|\bopen\(\s*f?[\"']/tmp/[^\"'\n]*[\"']\s*,\s*[\"'][wax]", 377, {}),
    (("py",), ("chmod", "umask", "makedirs", "mkdir", "0o7", "0o6"), r"\b(?:chmod|makedirs|mkdir|os\.open)\([^\n]*0o[0-7]*[0-7][2367]\b|\bS_IWOTH\b|\bos\.umask\(\s*0(?:o0+)?\s*\)", 732, {}),
    (("py",), ("open(", "send_file", "fileresponse", "read_", "unlink", "remove("), r"(?<![\w.])(?:open|send_file|FileResponse|os\.(?:remove|unlink)|shutil\.(?:rmtree|copyfile))\([^\n]*|\.(?:read_text|read_bytes|write_text|write_bytes|unlink)\([^\n]*", 22, {"input": 1, "param": FILE_PARAM, "unless": PATH_GUARD}),
    (("py",), ("extractall", "unpack_archive"), r"\.extractall\((?![^)\n]*filter)[^\n]*|\bunpack_archive\([^\n]*", 22, {"unless": PATH_GUARD + r"|getmembers", "file_need": r"tarfile|unpack_archive"}),
    (("py",), ("jwt.decode",), r"\bjwt\.decode\([^)]*(?:verify_signature[\"']?\s*:\s*False|verify\s*=\s*False|[\"']none[\"'])", 347, {}),
    (("py",), ("render_template_string", "template(", "from_string"), r"\brender_template_string\(\s*(?![\"'])[^\n]*|(?<!string\.)\bTemplate\(\s*(?![\"'])[a-z]\w*[^\n]*|\.from_string\(\s*(?![\"'])[^\n]*", 1336, {"tainted": 1}),
    (("py",), ("mark_safe", "markup(", "htmlresponse", "make_response", "response("), r"\b(?:mark_safe|Markup|HTMLResponse|HttpResponse|make_response)\(\s*f[\"'][^\n]*<\w[^\n]*\{[^\n]*", 79, {"tainted": 1, "skip": r"escape"}),
    (("py",), ("redirect",), r"\b(?:redirect|HttpResponseRedirect|RedirectResponse|HTTPFound)\(\s*(?![\"'])[^\n]*", 601, {"input": 1, "skip": r"url_for\(|reverse\(", "unless": URL_GUARD}),
    (("py",), ("requests", "httpx", "urlopen"), r"\b(?:requests|httpx)\.(?:get|post|put|patch|head|request)\((?!\s*[\"'])[^\n]*|\burlopen\((?!\s*[\"'])[^\n]*", 918, {"input": 1, "param": r"(?i)url|uri|target|endpoint|webhook|callback|link|feed", "unless": URL_GUARD, "skip": r"\(\s*f[\"'](?:https?://|\{[A-Z_.a-z]+\}/)"}),
    (("py",), ("set_cookie",), r"\.set_cookie\([^\n]*", 614, {"notmatch": r"secure\s*=\s*(?!False)", "skip": r"(?i)theme|lang|locale|consent"}),
    (("py",), ("debug",), r"\.run\([^)\n]*debug\s*=\s*True|^DEBUG\s*=\s*True", 489, {}),
    (("py",), ("csrf",), r"@csrf_exempt|WTF_CSRF_ENABLED[^\n]*False", 352, {}),
    (("py",), ("setattr",), r"\bsetattr\(\s*\w+\s*,\s*\w+\s*,\s*\w+\s*\)", 915, {"need": r"\.items\(\)", "unless": r"(?i)allowed|not in|editable| in [A-Z_]+"}),
    (("py",), ("log", "print"), r"(?:\blog(?:ger|ging)?\.\w+|\bprint)\([^\n]*[,{(]\s*(?:\w+\.)?(?:password|passwd|secret|api_key|access_token|auth_token|token|card_number|private_key)\b[^\n]*", 532, {"skip": r"(?i)mask|redact|len\(|hash"}),
    (("py",), ("hexdigest", "signature", "hmac", "digest"), r"\bif\s+[^\n:]*(?:hexdigest\(\)|\b\w*(?:signature|digest))\s*[!=]=\s*\w[^\n]*|\b(?:signature|digest|mac)\s*[!=]=\s*\w+[^\n]*", 208, {"need": r"hmac|hashlib", "unless": r"compare_digest|(?i:checksum|sha256sum)"}),
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
            if len(body) > 1500 or has(body, INPUTS.get(source.lang, r"(?!)")):
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


def is_tainted(source, first, last, text, cwe, options, taints):
    """Whether the matched text uses outside input, or a parameter where the rule accepts one."""
    if (first, last) not in taints:
        taints[(first, last)] = tainted_names(source, first, last)
    names, params = taints[(first, last)]
    if source.lang == "py":  # of a literal, only what an f-string puts in
        plain = rx(_STRINGS).sub(lambda m: " ".join(rx(r"\{[^{}]*\}").findall(m.group(0))), text)
    else:
        plain = text if source.lang == "php" else re.sub(r"\"(?:\\.|[^\"\\\n$#{])*\"|'(?:\\.|[^'\\\n])*'", '""', text)
    uses = lambda name: has(plain, r"(?<![\w.\"'>-])\$?" + re.escape(name) + r"\b")
    if has(text, CLEAN):
        return False
    if has(text, INPUTS.get(source.lang, r"(?!)")) or any(uses(n) for n in names):
        return True
    if "tainted" in options:  # a value of unknown origin in a query or a command counts when its name says that it is one
        local = rx(r"\$\{\s*([\w.]+)|\+\s*([a-z]\w*(?:\.\w+)*)|\.\s*(\$\w+)|,\s*([a-z]\w*)").findall(text)
        asked = r"^(?:this\.)?\$?(?:\w+\.)+\w*(?:name|id|term|query|filter|value|input|search|path|email|host)\w*$"
        return any(uses(p) for p in params) or any(has("".join(g), asked) for g in local)
    wanted = [p for p in params if "param" in options and has(p, options["param"]) and uses(p)]
    return bool(wanted) and (cwe != 22 or has("\n".join(source.code_lines[first - 1:last]), JOINS))


def apply_rules(source, report):
    if any(len(line) > 4000 for line in source.lines):
        return  # minified or generated: nothing to review by line
    code, low, scopes, taints = source.code, source.low, {}, {}
    for langs, hints, pattern, cwe, options in RULES:
        if source.lang not in langs or not any(h in low for h in hints):
            continue
        if "file_need" in options and not has(source.text, options["file_need"]) or "file_unless" in options and has(code, options["file_unless"]):
            continue
        for m in rx(pattern, re.M).finditer(code):
            start, text = m.start() + len(m.group(0)) - len(m.group(0).lstrip()), m.group(0)
            line = source.line(start)
            if "backtick" in options:
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
            inner = "\n".join(source.code_lines[first - 1:last])
            if "unless" in options and has(inner, options["unless"], re.M) or "need" in options and not has(inner, options["need"], re.M):
                continue
            if cwe in (22, 98, 434) and calls_any(inner, report.guards[0]) or cwe in (601, 918) and calls_any(inner, report.guards[1]):
                continue
            if options.keys() & {"tainted", "input", "param"} and not is_tainted(source, first, last, text, cwe, options, taints):
                continue
            report.add(source, line, cwe)
            if "value" in options:
                report.secret(source, line, secret_kind(text))


def secret_kind(name):
    for kind, pattern in (("password", r"(?i)passw|pwd"), ("api_key", r"(?i)api_?key"), ("token", r"(?i)token")):
        if has(name, pattern):
            return kind
    return "secret"


# ---- 10. Repositories: routes, manifests, secrets ------------------------------------------------

ROUTES = {  # language: pattern of a route, with its path and what follows
    "js": r"\b(?:app|router|api|\w+Router)\.(?:get|post|put|delete|patch)\(\s*[\"'`]([^\"'`]+)[\"'`]\s*,\s*([^\n]*)",
    "py": r"@\w+\.(?:route|get|post|put|delete|patch)\(\s*[\"']([^\"']+)[\"']([^\n]*(?:\n@[^\n]*)*)\n",
    "go": r"\.(?:HandleFunc|Handle|GET|POST|PUT|DELETE|Get|Post|Put|Delete)\(\s*\"([^\"]+)\"\s*,\s*([^\n]*)",
}
SENSITIVE_ROUTE = r"(?i)admin|internal|debug|shutdown|config|backup|purge|reset|export|impersonate|delete"
ROUTE_GUARD = r"(?i)auth|require|login|guard|verify|protect|permission|admin\w*\(|_only\b|current_?user|session|token|(?:status|abort|exception)\w*\((?:\w+=)?40[13]|StatusForbidden|Depends\("


def audit_routes(source, report):
    """Sensitive routes without a check: of rights when neighbours check rights, else of who asks."""
    pattern = ROUTES.get(source.lang)
    found = list(rx(pattern).finditer(source.code)) if pattern else []
    if not found or has(source.code, r"(?i)\.use\([^)\n]*(?:auth|require|guard|verify|protect|jwt)|before_request"):
        return
    routes = []
    for m in found:
        head = m.group(2).split("=>")[0]
        named = rx(r"(\w+)\s*\)\s*;?\s*$").search(head)
        handler = rx(r"(?:\bfunc\s+(?:\([^)]*\)\s*)?|\bfunction\s+|\bconst\s+)" + named.group(1) + r"\b").search(source.code) if named else None
        body = scope_text(source, source.line(handler.start() if handler else m.end()))
        routes.append((m, has(head[:named.start()] if named else head, ROUTE_GUARD), has(body, ROUTE_GUARD)))
    roles = any(wrapped and has(m.group(2), r"(?i)permission|role|admin|authori[sz]|owner") for m, wrapped, checks in routes)
    for m, wrapped, checks in routes:
        if not wrapped and not checks and has(m.group(1), SENSITIVE_ROUTE) and not has(m.group(1), r"(?i)login|logout|register|health"):
            report.add(source, source.line(m.start()), 862 if roles else 306)


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
DEPENDENCIES = (  # (file name, ecosystem, pattern of a name and a version)
    (r"^requirements[\w-]*\.txt$", "pypi", r"(?m)^\s*([A-Za-z][\w.-]*)\s*(?:\[[\w,]+\])?\s*([=<>~!]=?[^#;\n]*)"),
    (r"^(?:pyproject\.toml|Pipfile|setup\.py)$", "pypi", r"[\"']([A-Za-z][\w.-]+)\s*(?:\[[\w,]+\])?\s*([=<>~]=[^\"',]+)"),
    (r"^go\.mod$", "go", r"(?m)^\s*(?:require\s+)?([\w.-]+\.[\w.-]+/\S+)\s+v(\S+)"),
    (r"^pom\.xml$", "maven", r"<artifactId>([\w.-]+)</artifactId>\s*<version>([^<$]+)</version>"),
    (r"^build\.gradle", "maven", r"[\"'][\w.-]+:([\w.-]+):([\d.]+\w*)[\"']"),
    (r"^Gemfile", "rubygems", r"gem\s+[\"']([\w-]+)[\"']\s*,\s*[\"']([^\"']+)"),
    (r"^composer\.json$", "packagist", r"\"([\w.-]+/[\w.-]+)\"\s*:\s*\"([^\"]+)\""),
)


def older(version, fixed):
    """Whether the version a manifest pins (or starts a range with) is before the first fixed one."""
    parts = lambda text: [int(n) for n in rx(r"\d+").findall((rx(r"\d+(?:\.\d+)*").search(text) or [""])[0])]
    return bool(parts(version)) and parts(version) < parts(fixed)


def audit_manifest(source, report):
    scripts, wanted = npm_tables(source)
    found = [("npm", name, version) for name, version in wanted]
    if any(isinstance(scripts.get(h), str) and not is_safe_hook(scripts[h]) for h in ("preinstall", "install", "postinstall")):
        report.supply("install_script", "")
    for name, ecosystem, pattern in DEPENDENCIES:
        if has(source.name, name):
            found += [(ecosystem, a, b) for a, b in rx(pattern).findall(source.text)]
    for ecosystem, package, version in found:
        fixed = VULNERABLE.get((ecosystem, package.lower()))
        if fixed and older(version, fixed):
            report.supply("vulnerable_dependency", package.lower())
        if ecosystem in POPULAR and imitates(package, ecosystem):
            report.supply("typosquat", package.lower())


class Report:
    """Collected results of an audit, without repeats."""

    def __init__(self):
        self.vulnerabilities, self.supply_chain, self.secrets = [], [], []
        self.guards = (set(), set())

    def add(self, source, line, cwe):
        for other in self.vulnerabilities:
            if other["file"] != source.path:
                continue
            apart = abs(other["line"] - line)
            if other["cwe"] == "CWE-%d" % cwe and apart <= 3:
                return
            if apart <= 1 and frozenset((other["cwe"], "CWE-%d" % cwe)) in SAME:
                return
        if source.is_test() or has(source.path, r"^(?:docs?|examples?|vendor)/|(^|/)(?:node_modules|dist)/|\.min\.js$"):
            return
        title, severity = WEAKNESSES[cwe]
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


SAME = {frozenset(p) for p in (
    ("CWE-614", "CWE-1004"), ("CWE-798", "CWE-321"), ("CWE-328", "CWE-916"), ("CWE-732", "CWE-276"), ("CWE-95", "CWE-94"), ("CWE-22", "CWE-98"), ("CWE-22", "CWE-434"),
    ("CWE-78", "CWE-95"), ("CWE-120", "CWE-787"), ("CWE-415", "CWE-416"), ("CWE-862", "CWE-306"), ("CWE-862", "CWE-639"), ("CWE-22", "CWE-918"), ("CWE-22", "CWE-377"), ("CWE-377", "CWE-732"), ("CWE-79", "CWE-1336"),
)}


def audit_repository(sources):
    report = Report()
    report.guards = guard_helpers(sources)
    analysed = 0
    for source in sorted(sources, key=lambda s: s.name in ("package.json", "pyproject.toml")):
        analysed += 1
        if source.lang == "md":
            continue
        apply_rules(source, report)
        audit_routes(source, report)
        audit_manifest(source, report)
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


# ---- 11. Entrypoint ------------------------------------------------------------------------------


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
