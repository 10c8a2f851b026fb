#!/bin/bash
# SPDX-License-Identifier: MIT
# check-commits.sh [RANGE]: whether commit messages are as CONTRIBUTING.md wants them, "Commits".
# Without a range: all since the rules can be checked, which is since this script is there.
# check-commits.sh --message FILE: one message, for a commit-msg hook:
#     ln -s ../../scripts/check-commits.sh .git/hooks/commit-msg
set -eu -o pipefail

subject_max=60
body_max=80

# message NAME FILE: tells what is wrong; true when nothing is.
message() {
    local name=$1 file=$2 subject wrong=0
    subject=$(head -n 1 "$file")
    tell() {
        echo "$name: $1: $subject"
        wrong=1
    }
    [[ $subject =~ ^(Merge|Revert)\  ]] && return 0
    [[ $subject =~ ^[a-z0-9]+(,\ [a-z0-9]+)*:\ [^\ ] ]] || tell "no area before the summary"
    [ ${#subject} -le $subject_max ] || tell "a subject of more than $subject_max characters"
    [[ $subject != *. ]] || tell "a full stop at the end"
    [ -z "$(sed -n 2p "$file")" ] || tell "no empty line behind the subject"
    ! sed -n '3,$p' "$file" | grep -v '^#' | grep -q -E "^.{$((body_max + 1))}" ||
        tell "a line of more than $body_max characters"
    ! grep -v '^#' "$file" | grep -q -E '(^|[ "(])/(work|home|root|check)/' || tell "a path of a machine"
    return $wrong
}

if [ "${1:-}" = --message ] || [ "$(basename "$0")" = commit-msg ]; then
    [ "$1" != --message ] || shift
    message "commit message" "$1"
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
scratch=$(mktemp)
trap 'rm -f "$scratch"' EXIT
status=0
while read -r commit; do
    git log -1 --format=%B "$commit" >"$scratch"
    message "${commit:0:12}" "$scratch" || status=1
done < <(git rev-list --no-merges "$range")
exit $status
