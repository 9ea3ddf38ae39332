#!/usr/bin/env bash
# Says whether the toolchain is reachable. Changes nothing.
set -u

prefix="${TEAM_PREFIX:-$HOME/.local/team}"
status=0

case ":$PATH:" in
  *":$prefix/bin:"*) echo "ok    PATH has $prefix/bin" ;;
  *) echo "fail  PATH lacks $prefix/bin, open a new terminal"; status=1 ;;
esac

for tool in git curl jq; do
  if command -v "$tool" >/dev/null; then
    echo "ok    $tool"
  else
    echo "fail  $tool is not installed"
    status=1
  fi
done

exit "$status"
