#!/usr/bin/env bash
# Replaces the handover section of the project's AGENTS.md.
set -euo pipefail

file="${HANDOVER_FILE:-AGENTS.md}"
begin='<!-- handover -->'
end='<!-- /handover -->'

without_section() {
  [ -f "$file" ] || return 0
  awk -v b="$begin" -v e="$end" '
    $0 == b { skip = 1 }
    !skip { print }
    $0 == e { skip = 0 }
  ' "$file"
}

case "${1:?usage: handover.sh DRAFT | --remove}" in
  --remove)
    without_section > "$file.new"
    mv "$file.new" "$file"
    exit 0
    ;;
esac

draft="$1"
if [ "$(wc -l < "$draft")" -gt 12 ]; then
  echo "longer than 12 lines" >&2
  exit 2
fi
if grep -qF -e "$begin" -e "$end" "$draft"; then
  echo "the draft holds a marker" >&2
  exit 2
fi
{
  without_section
  printf '%s\n' "$begin"
  cat "$draft"
  printf '%s\n' "$end"
} > "$file.new"
if [ -f "$file" ]; then
  diff -u "$file" "$file.new" || true
fi
mv "$file.new" "$file"
