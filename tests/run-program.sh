#!/bin/bash
# run-program.sh PROGRAM [ARGUMENT...]: runs a test program under `make check`
# and puts its TAP in order for automake's driver. cmocka writes a skipped test
# as `not ok # SKIP`, and one plan for each group of tests: both are mended here.
set -u

export CMOCKA_MESSAGE_OUTPUT=TAP
timeout -k 10 "${GPUDUMPFS_TEST_TIMEOUT:-900}" "$@" 2>&1 | awk '
    /^1\.\.[0-9]+$/ { planned += substr($0, 4); next }
    /^(not )?ok [0-9]+/ {
        sub(/^not ok [0-9]+ # SKIP/, "ok 0 # SKIP")
        sub(/ok [0-9]+/, "ok " ++seen)
    }
    /^not ok/ { failed = 1 }
    { print }
    END { print "1.." planned + 0; exit failed }'
status=${PIPESTATUS[0]} failed=${PIPESTATUS[1]}

[ "$status" -ne 124 ] || echo "Bail out! $1 took longer than the time limit"
# cmocka exits with the number of failed tests, which TAP has told already.
[ "$failed" -eq 0 ] || [ "$status" -gt 123 ] || exit 0
exit "$status"
