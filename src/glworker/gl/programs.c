/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/programs.h"

#include "glworker/gl/names.h"
#include "glworker/gl/sources.h"
#include "glworker/gl/state_values.h"
#include "glworker/gl/surfaces.h"

unsigned retrace_programs(const struct retrace *retrace, struct retrace_program_here *out)
{
    GLint name = 0, pipeline = 0;
    unsigned count = 0;

    if (retrace_context(retrace)->major < 2)
        return 0;
    if (retrace_state_get(GL_CURRENT_PROGRAM, &name) && name != 0) {
        out[0] =
            (struct retrace_program_here){.name = (GLuint)name, .old = retrace_program(retrace)};
        return 1;
    }
    if (!retrace_state_get(GL_PROGRAM_PIPELINE_BINDING, &pipeline) || pipeline == 0)
        return 0;
    for (unsigned n = 0; n < RETRACE_STAGES; n++) {
        bool known = false;

        name = 0;
        glGetProgramPipelineiv((GLuint)pipeline, retrace_stage_type(n), &name);
        for (unsigned i = 0; i < count; i++)
            known = known || out[i].name == (GLuint)name;
        if (!graphics_failed() && name != 0 && !known)
            out[count++] = (struct retrace_program_here){
                .name = (GLuint)name,
                .old = retrace_old_name(retrace, RETRACE_PROGRAM, (uint32_t)name)};
    }
    return count;
}
