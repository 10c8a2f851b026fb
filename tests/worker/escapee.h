/* SPDX-License-Identifier: MIT */
/* The messages of tests/worker/escapee, and what it does with each. */
#ifndef GPUDUMPFS_TESTS_WORKER_ESCAPEE_H
#define GPUDUMPFS_TESTS_WORKER_ESCAPEE_H

/*
 * Under a name that ends like this, the program has the kernel refuse further lists of system
 * calls, as if it had no memory for them.
 */
#define ESCAPEE_WITHOUT_LISTS "-without-lists"

enum escapee_kind {
    /*
     * Tries again all ways out of the confinement that it knows. The answer is u32 layers of the
     * confinement at the start and u32 layers at present; then lines of text: `start: ` and what it
     * could do at the start, before drivers were loaded, and `now: ` and what it can do at present.
     */
    ESCAPEE_TRY = 48,
};

#endif
