/*
 * The machine's state as 'key: value' lines: everything that is bound or was set.
 * Any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_STATE_TEXT_H
#define GPUDUMPFS_AEROGPU_STATE_TEXT_H

#include "core/text.h"
#include "formats/aerogpu/machine.h"

void aerogpu_state_write(const struct aerogpu_machine *machine, struct text *text);

#endif
