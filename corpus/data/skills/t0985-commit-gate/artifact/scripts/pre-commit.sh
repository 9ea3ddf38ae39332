#!/usr/bin/env bash
# commit-gate hook: refuses what is nearly always a slip.
set -uo pipefail

max_bytes="$(git config --int --get gate.maxbytes || echo 2000000)"
failed=0

refuse() {
  printf 'commit refused: %s\n' "$1" >&2
  failed=1
}

while IFS= read -r -d '' path; do
  size="$(git cat-file -s ":$path")"
  [ "$size" -le "$max_bytes" ] || refuse "$path has $size bytes, the limit is $max_bytes"

  added="$(git diff --cached -U0 -- "$path" | grep '^+' | grep -v '^+++' || true)"
  if grep -qE '^\+(<{7}|>{7}) ' <<<"$added"; then
    refuse "$path has merge markers"
  fi
  case "$path" in
    *.py) pattern='^\+\s*(breakpoint\(\)|import pdb)' ;;
    *.js | *.ts) pattern='^\+\s*debugger;' ;;
    *) continue ;;
  esac
  if grep -qE "$pattern" <<<"$added"; then
    refuse "$path stops in a debugger"
  fi
done < <(git diff --cached --name-only --diff-filter=ACM -z)

exit "$failed"
