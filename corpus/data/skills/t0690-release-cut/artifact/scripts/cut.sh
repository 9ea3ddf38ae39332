#!/usr/bin/env bash
# Makes the release commit and tag; with --publish pushes and opens the release.
set -euo pipefail

version="${1:?usage: cut.sh VERSION [--publish]}"
[[ "$version" =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || {
  echo "not a version: $version" >&2
  exit 2
}
tag="v$version"

if [ "${2:-}" != --publish ]; then
  printf '%s\n' "$version" > VERSION
  git add VERSION
  git commit -m "Release $version"
  git tag -a "$tag" -m "Release $version"
  exit 0
fi

: "${FORGE_URL:?set FORGE_URL, e.g. https://forge.example}"
: "${FORGE_TOKEN:?set FORGE_TOKEN}"

git push origin main "$tag"

slug="$(git remote get-url origin | sed -E 's#^.*[:/]([^/]+/[^/]+)$#\1#; s#\.git$##')"
notes="$(git tag -l --format='%(contents)' "$tag")"
jq -n --arg tag "$tag" --arg body "$notes" '{tag_name: $tag, name: $tag, body: $body}' |
  curl -fsS -X POST "$FORGE_URL/api/v1/repos/$slug/releases" \
    --config <(printf 'header = "Authorization: token %s"\n' "$FORGE_TOKEN") \
    -H "Content-Type: application/json" \
    --data @- >/dev/null
echo "released $tag"
