/* SPDX-License-Identifier: MIT */
/* What tests/worker/fakeworker does with a message, by its kind. */
#ifndef GPUDUMPFS_TESTS_WORKER_FAKEWORKER_H
#define GPUDUMPFS_TESTS_WORKER_FAKEWORKER_H

#include <stdint.h>

enum fake_kind {
    FAKE_ECHO = 1000, /* gives the payload back */
    FAKE_ABORT,       /* says something, and aborts; its breadcrumb says DRAW 77 of shader 5 */
    FAKE_EXIT,        /* exit status 3 */
    FAKE_HANG,        /* never answers */
    FAKE_SPIN,        /* never answers, and turns */
    FAKE_WORK,        /* turns until it is told that its caller has gone, and answers then */
    FAKE_SHRINK,      /* empties what files it can, tells their u32 count; breadcrumb as above */
    FAKE_GARBAGE,     /* answers what is no header */
    FAKE_HUGE,        /* announces 2^62 bytes */
    FAKE_TOO_LONG,    /* one byte more than the request's u64 says */
    FAKE_CUT,         /* dies in the middle of its answer */
    FAKE_BEGIN,       /* the first bytes of its answer, u32 of them, and turns */
    FAKE_DRIP,        /* answers a MiB, a byte in 20 ms */
    FAKE_STRAY,       /* answers another serial */
    FAKE_OTHER_KIND,  /* answers another kind */
    FAKE_POSITIVE,    /* status 7 */
    FAKE_STATUS,      /* the status of the request's i32 */
    FAKE_REFUSE,      /* -EILSEQ, with a reason */
    FAKE_LONG_REASON, /* -EILSEQ, with a reason of 4000 bytes */
    FAKE_CHATTER,     /* writes for ever to standard error, up to 1 MiB, then aborts */
    FAKE_CLOSE,       /* closes its socket and sleeps on */
    FAKE_HOLD,        /* says that it holds 1 GiB, or u64; answers with the u64 that it may hold */
    FAKE_GREEDY,      /* says that it holds too much, by DRAW of shader u32 if that is sent; ends */
    FAKE_DESCRIPTORS, /* answers with the u32 count of its open descriptors */
    FAKE_TELL,        /* keeps all but the first byte of the payload … */
    FAKE_DEAF,        /* stops reading; the next request finds no room */
};

/*
 * … and gives it as the answer to any message of kinds below FAKE_ECHO but HELLO: as it is
 * if that byte is 0, behind a proper header else.
 */

/* A memory limit: with it, it answers HELLO when it is sent SIGUSR1, now or before. */
#define FAKE_DROWSY UINT64_C(4242)

#endif
