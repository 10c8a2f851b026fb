/* SPDX-License-Identifier: MIT */
/* Plays a complete PSX dump on the model; has its own parser of the container. One thread. */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_MODELPLAY_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_MODELPLAY_H

#include "tests/formats/psx/model.h"

#include <stddef.h>

/*
 * Returns the model after frame `frame`, counted from 0, or after the last word if there are fewer
 * frames. The dump must have the 16-byte form and no begin packet; its fields alternate from 0 on,
 * as in the dumps of streams.h. Returns NULL for any other dump, or one whose last packet is
 * incomplete. Free with psx_model_destroy().
 */
struct psx_model *psx_modelplay(const uint8_t *dump, size_t size, unsigned frame,
                                enum psx_model_fault fault);

#endif
