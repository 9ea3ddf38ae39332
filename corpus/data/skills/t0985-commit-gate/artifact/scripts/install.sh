#!/usr/bin/env bash
# Installs or removes the hook in the current repository.
set -euo pipefail

here="$(cd "$(dirname "$0")" && pwd)"
source="$here/pre-commit.sh"
target="$(git rev-parse --git-path hooks)/pre-commit"
mark='commit-gate hook'

case "${1:-}" in
  --show)
    cat "$source"
    exit 0
    ;;
  --remove)
    if [ -f "$target" ] && grep -qF "$mark" "$target"; then
      rm "$target"
      echo "removed $target"
    else
      echo "no hook of this skill here"
    fi
    exit 0
    ;;
esac

if [ -e "$target" ]; then
  echo "$target exists, merge by hand" >&2
  exit 1
fi
read -r -p "Copy the hook to $target? [y/N] " answer </dev/tty
[ "$answer" = y ] || { echo "nothing changed"; exit 0; }
mkdir -p "$(dirname "$target")"
install -m 755 "$source" "$target"
echo "installed"
