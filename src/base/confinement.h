/* SPDX-License-Identifier: MIT */
/*
 * Records which layers of confinement hold, for .gpudumpfs/confinement.txt and -v. Recorded before
 * threads are started; read by any thread.
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
 * Records whether a layer holds, and a few words about it. A layer that does not hold is also
 * logged, since it was requested.
 */
void confinement_note(enum confinement_layer layer, bool holds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns whether the layer was recorded as one that holds. */
bool confinement_holds(enum confinement_layer layer);

/*
 * Appends one line `name: yes|no (words)` for each layer. In a process that was never confined all
 * are "no".
 */
void confinement_write(struct text *text);

#endif
