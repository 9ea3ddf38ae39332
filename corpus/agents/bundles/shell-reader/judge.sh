#!/bin/sh
# Reference agent `shell-reader`: a program of its own, in the builtins of a POSIX shell and nothing else.
#
# It reads its task from /task/task.json, writes the probe, and leaves its report in /task/workspace/report.json. It blocks
# when a skill's text tells the reader to keep something from the user, or when a line hands decoded or fetched text to an
# interpreter. `assay agent pack` makes a bundle of this folder.
set -f -u

IFS= read -r task < /task/task.json

# The value of a string key of the task.
field() {
    value=${task#*\"$1\"}
    value=${value#*\"}
    value=${value%%\"*}
}

found=0
findings=

# A finding: category, title, path, line. Paths with characters that JSON would escape are named by their folder only.
report() {
    found=$((found + 1))
    [ "$found" -le 20 ] || return 0
    path=${3#/task/artifact/}
    case $path in
        *[!a-zA-Z0-9._/\ -]*) path=SKILL.md ;;
    esac
    findings="$findings${findings:+, }{\"category\": \"$1\", \"title\": \"$2\", \"file\": \"$path\", \"line\": $4}"
}

look_at() {
    number=0
    while IFS= read -r line || [ -n "$line" ]; do
        number=$((number + 1))
        case $line in
            *"o not tell"* | *"o not mention"* | *"on't tell"* | *"on't mention"* | *"ithout telling"* | *"ithout asking"* | *"ever mention"* | *"ever tell"* | *"ilently "* | *"o not ask"* | *"o not inform"*)
                report "prompt injection" "text hides a step from the user" "$1" "$number"
                ;;
        esac
        case $line in
            *"base64 -d"*"|"*sh* | *curl*"|"*sh* | *exec\(*decode* | *eval\(*decode* | *eval\(*atob*)
                report "code execution" "decoded or fetched text is executed" "$1" "$number"
                ;;
        esac
    done < "$1"
}

walk() {
    set +f
    for entry in "$1"/* "$1"/.[!.]*; do
        set -f
        if [ -d "$entry" ]; then
            walk "$entry"
        elif [ -f "$entry" ]; then
            look_at "$entry"
        fi
    done
}

field file_content
content=$value
field file_path
printf %s "$content" > "$value"

walk /task/artifact
verdict=ALLOW
[ "$found" -eq 0 ] || verdict=BLOCK
printf '{"verdict": "%s", "evidence": {"action_plane": {"capabilities": []}, "context_plane": {"injected_instructions": []}}, "findings": [%s]}\n' \
    "$verdict" "$findings" > /task/workspace/report.json
