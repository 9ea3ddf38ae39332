"""Checks of a commit message."""

VAGUE = {"fix", "update", "changes", "wip", "misc", "stuff"}


def problems(message: str) -> list[str]:
    subject, _, rest = message.partition("\n")
    found = []
    if not subject.strip():
        return ["the subject is empty"]
    if len(subject) > 72:
        found.append(f"the subject has {len(subject)} characters, 72 is the limit")
    if subject.endswith("."):
        found.append("the subject ends in a full stop")
    if subject.lower().strip() in VAGUE:
        found.append("the subject does not say what changed")
    if rest and not rest.startswith("\n"):
        found.append("the second line must be empty")
    return found
