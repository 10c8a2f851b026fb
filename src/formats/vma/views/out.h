/*
 * Text that is either written or only measured, by the same code: how long a file
 * is, is known without its bytes. Not shared among threads.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_OUT_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_OUT_H

#include "core/text.h"
#include "formats/vma/replay/tally.h"

#include <string.h>

struct vma_out {
    struct text *text; /* NULL: measured only */
    uint64_t length;   /* when measured */
};

static inline void vma_out_bytes(struct vma_out *out, const char *bytes, size_t length)
{
    if (out->text != NULL)
        text_add_bytes(out->text, bytes, length);
    else
        out->length += length;
}

static inline void vma_out_add(struct vma_out *out, const char *string)
{
    vma_out_bytes(out, string, strlen(string));
}

static inline void vma_out_u64(struct vma_out *out, uint64_t value)
{
    if (out->text != NULL)
        text_add_u64(out->text, value);
    else
        out->length += vma_digits(value);
}

#endif
