#!/usr/bin/env bash
# Says whether the repository is in a state to be released.
set -uo pipefail

problems=0
complain() {
  echo "not ready: $1"
  problems=$((problems + 1))
}

[ -z "$(git status --porcelain)" ] || complain "uncommitted changes"
[ "$(git branch --show-current)" = main ] || complain "not on main"
git fetch --quiet origin main || complain "origin is not reachable"
[ "$(git rev-parse HEAD)" = "$(git rev-parse origin/main)" ] || complain "differs from origin/main"
[ -f VERSION ] || complain "no VERSION file"

[ "$problems" -eq 0 ] && echo ready
exit "$problems"
