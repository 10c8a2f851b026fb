/* SPDX-License-Identifier: MIT */
#include "formats/gapir/replay/written.h"

#include <stdlib.h>

enum { WORD_BITS = 64 };

bool gapir_written_create(struct gapir_written *written, uint64_t size,
                          enum gapir_written_grain grain)
{
    *written = (struct gapir_written){.size = size, .grain = grain};
    written->bits = calloc((size >> grain) / WORD_BITS + 1, sizeof(*written->bits));
    return written->bits != NULL;
}

void gapir_written_clear(struct gapir_written *written)
{
    free(written->bits);
    *written = (struct gapir_written){.bits = NULL};
}

static bool grain_is_written(const struct gapir_written *written, uint64_t grain)
{
    return (written->bits[grain / WORD_BITS] >> grain % WORD_BITS & 1) != 0;
}

void gapir_written_note(struct gapir_written *written, uint64_t offset, uint64_t size)
{
    uint64_t grain = offset >> written->grain;
    uint64_t last = (offset + size - 1) >> written->grain;

    if (size == 0 || (grain == last && grain_is_written(written, grain)))
        return;
    if (written->first == written->end || grain < written->first)
        written->first = grain;
    if (last >= written->end)
        written->end = last + 1;
    for (; grain / WORD_BITS < last / WORD_BITS; grain = (grain / WORD_BITS + 1) * WORD_BITS)
        written->bits[grain / WORD_BITS] |= UINT64_MAX << grain % WORD_BITS;
    written->bits[last / WORD_BITS] |=
        UINT64_MAX >> (WORD_BITS - 1 - last % WORD_BITS) & UINT64_MAX << grain % WORD_BITS;
}

/*
 * Returns the first grain from `grain` on that is written (or is not), or `end` if there is none
 * before `end`.
 */
static uint64_t find_grain(const struct gapir_written *written, uint64_t grain, uint64_t end,
                           bool is_written)
{
    const uint64_t other = is_written ? 0 : UINT64_MAX;

    while (grain < end && grain_is_written(written, grain) != is_written)
        grain = written->bits[grain / WORD_BITS] == other ? (grain / WORD_BITS + 1) * WORD_BITS
                                                          : grain + 1;
    return grain < end ? grain : end;
}

bool gapir_written_has(const struct gapir_written *written, uint64_t offset, uint64_t size)
{
    const uint64_t end = ((offset + size - 1) >> written->grain) + 1;

    return size == 0 || (written->bits != NULL &&
                         find_grain(written, offset >> written->grain, end, false) == end);
}

uint64_t gapir_written_run(const struct gapir_written *written, uint64_t offset, bool *is_written)
{
    uint64_t grain = offset >> written->grain, end;

    *is_written = written->taken;
    if (written->taken || written->bits == NULL || grain >= written->end)
        return written->size;
    *is_written = grain_is_written(written, grain);
    end = find_grain(written, grain, written->end, !*is_written);
    if (end == written->end && !*is_written)
        return written->size;
    end <<= written->grain;
    return end < written->size ? end : written->size;
}

bool gapir_written_take(struct gapir_written *written, uint64_t max, uint64_t *offset,
                        uint64_t *size)
{
    uint64_t grain = find_grain(written, written->first, written->end, true);
    const uint64_t first = grain;

    written->taken = true;
    for (; grain < written->end && grain_is_written(written, grain) &&
           (grain == first || (grain - first + 1) << written->grain <= max);
         grain++)
        written->bits[grain / WORD_BITS] &= ~(UINT64_C(1) << grain % WORD_BITS);
    written->first = grain < written->end ? grain : written->end;
    *offset = first << written->grain;
    *size = (grain << written->grain) - *offset;
    if (*size > written->size - *offset)
        *size = written->size - *offset;
    return grain > first;
}
