/* SPDX-License-Identifier: MIT */
/*
 * Parameters of Vulkan calls: the first two bytes choose a call of the table, and the rest is the
 * parameter data of a block for that call.
 */
#include "config.h"

#include "base/bytes.h"
#include "formats/gfxreconstruct/decode/decode.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BYTES_MAX = 1 << 13 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct text text = {.limit = 1 << 20};
    const struct gfxreconstruct_call *call;
    struct gfxreconstruct_reading told = {.watched = "pData"}, untold;
    enum gfxreconstruct_outcome outcome;

    if (size < 2 || size > BYTES_MAX)
        return 0;
    text_reset(&text);
    call = &gfxreconstruct_calls[bytes_le16(data) % gfxreconstruct_call_count];
    told.bytes = (struct gfxreconstruct_slice){data + 2, size - 2};
    untold = told;
    outcome = gfxreconstruct_read_call(call, &told, &text);
    if (gfxreconstruct_read_call(call, &untold, NULL) != outcome || told.left != untold.left ||
        told.found.data != untold.found.data || told.found.size != untold.found.size)
        abort();
    return 0;
}
