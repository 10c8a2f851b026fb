#!/bin/sh
# SPDX-License-Identifier: MIT
# left-out.sh LOG...: prints how many tests were skipped, and a line for each reason, from the logs of
# `make check`. A script that was skipped completely counts as one test.
set -eu
[ $# -gt 0 ] || exit 0

awk '
    /^(not )?ok([ \t]|$)/ { tests++ }
    /^1\.\.0[ \t]+#[ \t]*SKIP/ { tests++ }
    /^(ok|1\.\.0)([ \t].*)?#[ \t]*SKIP/ {
        reason = $0
        sub(/.*#[ \t]*SKIP[ \t]*/, "", reason)
        left[reason == "" ? "no reason is given" : reason]++
        sum++
    }
    END {
        printf "%d of %d tests were left out%s\n", sum, tests, (sum > 0 ? ":" : "")
        for (reason in left)
            printf "%7d  %s\n", left[reason], reason | "sort -k 1,1nr -k 2"
    }' "$@"
