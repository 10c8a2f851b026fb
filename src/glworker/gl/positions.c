/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/positions.h"

#include "glworker/gl/capture.h"
#include "glworker/gl/draw_call.h"
#include "glworker/gl/immediate.h"
#include "glworker/gl/program_copy.h"

#include <stdlib.h>

enum { CAPTURED_MAX = 1 << 20 };

/* Returns the number of vertices of all instances that texts show. */
static uint64_t count_told(const struct retrace_draw_call *draw)
{
    uint64_t count = 0;

    for (uint32_t n = 0; n < draw->block_count; n++) {
        const struct retrace_draw_block *block = &draw->blocks[n];

        count += (uint64_t)retrace_draw_call_fetched(draw, block) * (uint64_t)block->told;
    }
    return count;
}

/* A call of several draws is made unchanged, with all instances. */
static bool are_all_told(const struct retrace_draw_call *draw)
{
    for (uint32_t n = 0; n < draw->block_count; n++)
        if (draw->blocks[n].count > 0 && draw->blocks[n].told < draw->blocks[n].instances)
            return false;
    return true;
}

float *retrace_positions(struct retrace *retrace, const struct retrace_draw_call *draw,
                         const char **why)
{
    const struct retrace_again again = {
        .draw = draw, .mode = GL_POINTS, .instances = draw->blocks[0].told, .as_points = true};
    const uint64_t count = count_told(draw);
    struct retrace_program_copied copied;
    uint64_t captured = 0;
    float *values;

    *why = count == 0             ? "it has no vertices"
           : count > CAPTURED_MAX ? "it has too many vertices"
                                  : retrace_capture_obstacle(retrace);
    if (*why == NULL && retrace_draw_call_is_several(draw) && !are_all_told(draw))
        *why = "it has too many instances";
    if (*why == NULL)
        *why = retrace_immediate_obstacle(retrace, draw);
    if (*why != NULL || !retrace_program_copy(retrace, false, &copied, why))
        return NULL;
    values =
        retrace_capture(retrace, &again, GL_POINTS, copied.outputs.components, count, &captured);
    retrace_program_copy_end(&copied);
    if (values != NULL && captured == count)
        return values;
    *why = "the driver cannot capture it";
    free(values);
    return NULL;
}
