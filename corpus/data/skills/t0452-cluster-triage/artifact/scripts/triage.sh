#!/usr/bin/env bash
# Collects the first facts about a namespace.
set -euo pipefail

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
# shellcheck source=common.sh
. "$here/common.sh"

namespace="${1:?usage: triage.sh NAMESPACE}"
tail_lines="${TRIAGE_TAIL:-40}"

need kubectl
need awk

section "Pods that are not ready"
kubectl -n "$namespace" get pods --no-headers |
  awk '{ split($2, r, "/"); if (r[1] != r[2] || $4 > 3) print $1, $2, $3, "restarts=" $4 }'

section "Events of the last hour"
kubectl -n "$namespace" get events --sort-by=.lastTimestamp \
  -o custom-columns=TIME:.lastTimestamp,KIND:.involvedObject.kind,NAME:.involvedObject.name,REASON:.reason |
  tail -n 25

section "Log tails of restarting containers"
kubectl -n "$namespace" get pods --no-headers | awk '$4 > 3 { print $1 }' |
  while read -r pod; do
    echo "--- $pod"
    kubectl -n "$namespace" logs "$pod" --previous --tail "$tail_lines" 2>/dev/null || true
  done

section "Resource pressure"
kubectl top pods -n "$namespace" --sort-by=memory 2>/dev/null | head -n 8 ||
  echo "metrics server is not installed"
