/* SPDX-License-Identifier: MIT */
/* What tests/worker/escapee does with a message, by its kind. */
#ifndef GPUDUMPFS_TESTS_WORKER_ESCAPEE_H
#define GPUDUMPFS_TESTS_WORKER_ESCAPEE_H

enum escapee_kind {
    /*
     * Tries again all ways out that it knows. The answer: u32 layers of the confinement at the
     * start and now; then lines of text: what it could do at the start, before drivers were
     * loaded, each behind `start: `, and what it can now, behind `now: `.
     */
    ESCAPEE_TRY = 48,
};

#endif
