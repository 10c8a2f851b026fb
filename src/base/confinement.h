/* SPDX-License-Identifier: MIT */
/*
 * Which layers of confinement hold, for those that look (.gpudumpfs/confinement.txt, -v). Noted
 * before threads are made; read by any thread.
 */
#ifndef GPUDUMPFS_BASE_CONFINEMENT_H
#define GPUDUMPFS_BASE_CONFINEMENT_H

#include "base/text.h"

#include <stdbool.h>

/* In the order in which they are shown. */
enum confinement_layer {
    CONFINEMENT_USER,
    CONFINEMENT_PRIVILEGES,
    CONFINEMENT_CAPABILITIES,
    CONFINEMENT_LIMITS,
    CONFINEMENT_FILES,
    CONFINEMENT_NETWORK,
    CONFINEMENT_SCOPE,
    CONFINEMENT_SYSTEM_CALLS,
    CONFINEMENT_KEEPER,
    CONFINEMENT_LAUNCHER,
    CONFINEMENT_LAYERS
};

/*
 * Whether it holds, and a few words on it; a layer that does not hold is told to the log, since it
 * was wanted.
 */
void confinement_note(enum confinement_layer layer, bool holds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

bool confinement_holds(enum confinement_layer layer);

/* `name: yes|no (words)`, one line for each; of a process that was never confined all are no. */
void confinement_write(struct text *text);

#endif
