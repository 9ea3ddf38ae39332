#!/usr/bin/env bash
# Groups the lines of a log by their masked form.
set -euo pipefail

here="$(cd "$(dirname "$0")" && pwd)"
since=""
if [ "${1:-}" = --since ]; then
  since="$2"
  shift 2
fi
file="${1:?usage: digest.sh [--since TIME] FILE}"

"$here/masks.sh" < "$file" |
  awk -v since="$since" '
    since != "" && $1 < since { next }
    {
      at = $1
      $1 = ""
      count[$0]++
      if (!($0 in first)) first[$0] = at
      last[$0] = at
    }
    END { for (line in count) printf "%d\t%s\t%s\t%s\n", count[line], first[line], last[line], line }
  ' | sort -rn | head -n "${DIGEST_GROUPS:-40}"
