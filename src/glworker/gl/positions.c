/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/positions.h"

#include "glworker/gl/capture.h"
#include "glworker/gl/draw_call.h"
#include "glworker/gl/immediate.h"
#include "glworker/gl/program_copy.h"

#include <stdlib.h>

enum { CAPTURED_MAX = 1 << 20 };

float *retrace_positions(struct retrace *retrace, const struct retrace_draw_call *draw,
                         int64_t instances, const char **why)
{
    const struct retrace_again again = {
        .draw = draw, .mode = GL_POINTS, .instances = instances, .as_points = true};
    const uint64_t count = (uint64_t)retrace_draw_call_fetched(draw) * (uint64_t)instances;
    struct retrace_program_copied copied;
    uint64_t captured = 0;
    float *values;

    *why = count == 0             ? "it has no vertices"
           : count > CAPTURED_MAX ? "it has too many vertices"
                                  : retrace_capture_obstacle(retrace);
    if (*why == NULL)
        *why = retrace_immediate_obstacle(retrace, draw);
    if (*why != NULL || !retrace_program_copy(retrace, false, &copied, why))
        return NULL;
    values =
        retrace_capture(retrace, &again, GL_POINTS, copied.outputs.components, count, &captured);
    retrace_program_copy_end(&copied);
    if (values != NULL && captured == count)
        return values;
    *why = "the driver does not capture it";
    free(values);
    return NULL;
}
