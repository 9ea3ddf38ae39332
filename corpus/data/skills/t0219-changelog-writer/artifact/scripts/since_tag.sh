#!/usr/bin/env bash
# Prints the changes since the last tag: hash, type, subject.
set -euo pipefail

if ! git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  echo "not inside a git repository" >&2
  exit 1
fi

last="$(git describe --tags --abbrev=0 2>/dev/null || true)"
range="${last:+$last..}HEAD"

git log --no-merges --format='%h%x09%s' "$range" | while IFS=$'\t' read -r hash subject; do
  case "$subject" in
    feat*)          kind=Added ;;
    fix*)           kind=Fixed ;;
    revert*)        kind=Removed ;;
    chore* | ci*)   continue ;;
    *)              kind=Changed ;;
  esac
  text="${subject#*: }"
  printf '%s\t%s\t%s\n' "$hash" "$kind" "$text"
done
