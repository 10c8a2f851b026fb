/* SPDX-License-Identifier: MIT */
/*
 * A whole PSX dump through the model, which reads the container for itself. One thread.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_PSX_MODELPLAY_H
#define GPUDUMPFS_TESTS_FORMATS_PSX_MODELPLAY_H

#include "tests/formats/psx/model.h"

#include <stddef.h>

/*
 * The model after frame `frame`, counted from 0, or after the last word where there are fewer.
 * Dumps of the 16-byte form without a begin packet, whose fields alternate from 0 on, as those of
 * streams.h. NULL: that is none. Free with psx_model_destroy().
 */
struct psx_model *psx_modelplay(const uint8_t *dump, size_t size, unsigned frame,
                                enum psx_model_fault fault);

#endif
