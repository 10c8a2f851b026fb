/* SPDX-License-Identifier: MIT */
/*
 * Text that the same code either writes or only measures, so that the length of a file is known
 * without its bytes. Not shared among threads.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_MEASURED_TEXT_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_MEASURED_TEXT_H

#include "base/text.h"
#include "formats/vma/replay/tally.h"

#include <string.h>

struct vma_measured_text {
    struct text *text; /* NULL to measure only */
    uint64_t length;   /* only if measured */
};

static inline void vma_measured_bytes(struct vma_measured_text *out, const char *bytes,
                                      size_t length)
{
    if (out->text != NULL)
        text_add_bytes(out->text, bytes, length);
    else
        out->length += length;
}

static inline void vma_measured_add(struct vma_measured_text *out, const char *string)
{
    vma_measured_bytes(out, string, strlen(string));
}

static inline void vma_measured_u64(struct vma_measured_text *out, uint64_t value)
{
    if (out->text != NULL)
        text_add_u64(out->text, value);
    else
        out->length += decimal_digits(value);
}

#endif
