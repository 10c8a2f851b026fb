/*
 * The machine's state as 'key: value' lines: everything that is bound or was set.
 * Any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_VIEWS_STATE_H
#define GPUDUMPFS_AEROGPU_VIEWS_STATE_H

#include "base/text.h"
#include "formats/aerogpu/replay/machine.h"

void aerogpu_state_write(const struct aerogpu_machine *machine, struct text *text);

#endif
