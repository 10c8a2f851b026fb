/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/cut/cut.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_VERSION = 6 /* the first version with properties */ };

static size_t put_string(const char *text, char *to)
{
    size_t size = strlen(text);

    *to = (char)size;
    memcpy(to + 1, text, size);
    return 1 + size;
}

size_t apitrace_cut_window(const struct apitrace_cut *cut, char out[APITRACE_CUT_WINDOW])
{
    const struct apitrace_presented_frame *frame = NULL;
    char value[APITRACE_CUT_WINDOW / 2];
    size_t size;

    for (uint64_t n = cut->first; n <= cut->last && frame == NULL; n++)
        if (cut->cuts->presentation->frames[n].late)
            frame = &cut->cuts->presentation->frames[n];
    if (frame == NULL || cut->cuts->index->version < FIRST_VERSION)
        return 0;
    snprintf(value, sizeof(value), "%" PRIu32 " %ux%u", frame->drawable, frame->width,
             frame->height);
    size = put_string(APITRACE_WINDOW_PROPERTY, out);
    return size + put_string(value, out + size);
}
