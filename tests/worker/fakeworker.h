/* SPDX-License-Identifier: MIT */
/* The messages of tests/worker/fakeworker, and what it does with each. */
#ifndef GPUDUMPFS_TESTS_WORKER_FAKEWORKER_H
#define GPUDUMPFS_TESTS_WORKER_FAKEWORKER_H

#include <stdint.h>

enum fake_kind {
    FAKE_ECHO = 1000, /* answers with the payload */
    FAKE_ABORT,       /* prints and aborts; its breadcrumb says DRAW 77 of shader 5 */
    FAKE_EXIT,        /* exits with status 3 */
    FAKE_HANG,        /* never answers, and sleeps */
    FAKE_SPIN,        /* never answers, and spins */
    FAKE_WORK,        /* spins until its message is withdrawn, and then answers */
    FAKE_SHRINK,      /* truncates what files it can, answers the u32 count; breadcrumb as above */
    FAKE_GARBAGE,     /* answers with bytes that are no header */
    FAKE_HUGE,        /* announces an answer of 2^62 bytes */
    FAKE_TOO_LONG,    /* announces one byte more than the request's u64 says */
    FAKE_CUT,         /* dies in the middle of its answer */
    FAKE_BEGIN,       /* sends the first u32 bytes of its answer, and spins */
    FAKE_DRIP,        /* answers with 1 MiB, a byte every 20 ms */
    FAKE_STRAY,       /* answers with another serial */
    FAKE_OTHER_KIND,  /* answers with another kind */
    FAKE_POSITIVE,    /* answers with status 7 */
    FAKE_STATUS,      /* answers with the status in the request's i32 */
    FAKE_REFUSE,      /* answers with -EILSEQ and a reason */
    FAKE_LONG_REASON, /* answers with -EILSEQ and a reason of 4000 bytes */
    FAKE_CHATTER,     /* keeps writing to standard error, up to 1 MiB, then aborts */
    FAKE_CLOSE,       /* closes its socket and sleeps on */
    FAKE_HOLD,        /* reports that it holds 1 GiB, or the u64 sent; answers with its u64 limit */
    FAKE_GREEDY,      /* reports that it holds too much, by DRAW of shader u32 if sent; exits */
    FAKE_DESCRIPTORS, /* answers with the u32 count of its open descriptors */
    FAKE_TELL,        /* keeps all but the first byte of the payload … */
    FAKE_DEAF,        /* answers, and reads no more: the next request finds no room */
};

/*
 * … and sends it as the answer to any message of a kind below FAKE_ECHO, except HELLO: as raw bytes
 * if that first byte is 0, otherwise after a correct header.
 */

/* A special memory limit: with it, the process answers HELLO only once it has been sent SIGUSR1. */
#define FAKE_DROWSY UINT64_C(4242)

#endif
