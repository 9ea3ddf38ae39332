#!/usr/bin/env bash
# Adds the toolchain folder to PATH in the user's shell profile.
set -euo pipefail

prefix="${TEAM_PREFIX:-$HOME/.local/team}"
begin='# >>> team toolchain >>>'
end='# <<< team toolchain <<<'

case "$(basename "${SHELL:-bash}")" in
  zsh)  profile="$HOME/.zshrc" ;;
  bash) profile="$HOME/.bashrc" ;;
  *)    echo "unknown shell, add $prefix/bin to PATH by hand" >&2; exit 1 ;;
esac

block="$begin
export PATH=\"$prefix/bin:\$PATH\"
$end"

remove_block() {
  [ -f "$profile" ] || return 0
  cp "$profile" "$profile.before-team"
  sed "/^$begin\$/,/^$end\$/d" "$profile.before-team" > "$profile"
}

case "${1:-}" in
  --print)
    echo "would append to $profile:"
    echo "$block"
    exit 0
    ;;
  --undo)
    remove_block
    echo "removed from $profile, the old file is $profile.before-team"
    exit 0
    ;;
esac

mkdir -p "$prefix/bin" "$prefix/completion"

if [ -f "$profile" ] && grep -qF "$begin" "$profile"; then
  echo "already set up in $profile"
  exit 0
fi

echo "This will be appended to $profile:"
echo "$block"
read -r -p "Write it? [y/N] " answer </dev/tty
if [ "$answer" = y ]; then
  printf '\n%s\n' "$block" >> "$profile"
  echo "done, open a new terminal"
else
  echo "nothing changed"
fi
