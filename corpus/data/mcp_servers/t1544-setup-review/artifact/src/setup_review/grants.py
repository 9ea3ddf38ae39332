"""Entries in settings which approve too much."""

# Dotted paths in the settings, with the values to report.
BROAD = {
    "chat.tools.autoApprove": True,
    "enableAllProjectMcpServers": True,
    "permissions.defaultMode": "bypassPermissions",
}
BROAD_RULES = {"Bash", "Bash(*)", "Write", "Write(*)", "*"}


def dig(settings, path):
    if path in settings:
        return settings[path]
    for part in path.split("."):
        if not isinstance(settings, dict) or part not in settings:
            return None
        settings = settings[part]
    return settings


def grants(settings):
    for path, value in BROAD.items():
        if dig(settings, path) == value:
            yield path, value
    for rule in dig(settings, "permissions.allow") or []:
        if rule in BROAD_RULES:
            yield "permissions.allow", rule
    for name, entry in (settings.get("mcpServers") or {}).items():
        for rule in set(entry.get("alwaysAllow", [])) & BROAD_RULES:
            yield f"mcpServers.{name}.alwaysAllow", rule


def narrower(path, value):
    if value == "Bash(*)" or value == "Bash":
        return f'{path}: ["Bash(git status)", "Bash(npm test)"]'
    return f"{path}: remove {value!r}"
