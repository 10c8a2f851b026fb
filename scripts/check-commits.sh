#!/bin/bash
# SPDX-License-Identifier: MIT
# check-commits.sh [RANGE]: checks commit messages against CONTRIBUTING.md, "Commits". Without a
# range, checks all commits since this script was added.
# check-commits.sh --message FILE: checks one message, for a commit-msg hook:
#     ln -s ../../scripts/check-commits.sh .git/hooks/commit-msg
set -eu -o pipefail

subject_max=60
body_max=80

# message NAME TEXT: prints what is wrong; succeeds if nothing is. Starts no program, as there are
# many messages.
message() {
    local name=$1 lines line wrong=0
    mapfile -t lines <<<"$2"
    local subject=${lines[0]}
    tell() {
        echo "$name: $1: $subject"
        wrong=1
    }
    [[ $subject =~ ^(Merge|Revert)\  ]] && return 0
    [[ $subject =~ ^[a-z0-9]+(,\ [a-z0-9]+)*:\ [^\ ] ]] || tell "no area before the summary"
    [ ${#subject} -le $subject_max ] || tell "a subject of more than $subject_max characters"
    [[ $subject != *. ]] || tell "a full stop at the end"
    [ -z "${lines[1]:-}" ] || tell "no empty line after the subject"
    for line in "${lines[@]}"; do
        [[ $line != '#'* ]] || continue # a comment by the editor
        [ "$line" = "$subject" ] || [ ${#line} -le $body_max ] ||
            tell "a line of more than $body_max characters"
        [[ ! " $line" =~ [\ \"\(]/(work|home|root|check)/ ]] || tell "a path of a machine"
    done
    return $wrong
}

if [ "${1:-}" = --message ] || [ "$(basename "$0")" = commit-msg ]; then
    [ "$1" != --message ] || shift
    message "commit message" "$(cat "$1")"
    exit
fi

cd "$(dirname "$0")/.."
if [ $# -gt 0 ]; then
    range=$1
else
    first=$(git log --diff-filter=A --format=%H -- scripts/check-commits.sh | tail -n 1)
    [ -n "$first" ] || { echo "$0: not in a clone that has this script committed" >&2; exit 1; }
    range=$first..HEAD
fi
status=0
while IFS= read -r -d '' commit; do
    message "${commit:0:12}" "${commit#*$'\n'}" || status=1
done < <(git log -z --no-merges --format='%H%n%B' "$range")
exit $status
