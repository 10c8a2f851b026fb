#!/bin/bash
# SPDX-License-Identifier: MIT
# run-program.sh PROGRAM [ARGUMENT...]: runs a test program under `make check` and corrects its TAP
# for automake's driver. cmocka writes a skipped test as `not ok # SKIP`, and one plan for each group
# of tests. The reason for skipping a test is the last line `skipped: REASON` before the test's line.
# Without a reason the test counts as failed, and so does a program without any output.
set -u

export CMOCKA_MESSAGE_OUTPUT=TAP
timeout -k 10 "${GPUDUMPFS_TEST_TIMEOUT:-900}" "$@" 2>&1 | awk '
    /^1\.\.[0-9]+$/ { planned += substr($0, 4); next }
    /^skipped: / { reason = substr($0, 10); next }
    /^not ok [0-9]+ # SKIP/ {
        name = $0
        sub(/^not ok [0-9]+ # SKIP */, "", name)
        $0 = reason != "" ? "ok 0 - " name " # SKIP " reason : "not ok 0 - " name " is skipped without a reason"
    }
    /^(not )?ok [0-9]+/ {
        sub(/ok [0-9]+/, "ok " ++seen)
        reason = ""
    }
    /^not ok/ { failed = 1 }
    { print }
    END {
        if (planned > 0)
            print "1.." planned
        else
            print "Bail out! no test was planned"
        exit failed || planned == 0
    }'
status=${PIPESTATUS[0]} failed=${PIPESTATUS[1]}

[ "$status" -ne 124 ] || echo "Bail out! $1 took longer than the time limit"
# cmocka exits with the number of failed tests, which TAP has reported already.
[ "$failed" -eq 0 ] || [ "$status" -gt 123 ] || exit 0
exit "$status"
