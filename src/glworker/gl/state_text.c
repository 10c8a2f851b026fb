/* SPDX-License-Identifier: MIT */
/* state.txt: sections are in a fixed order, so that two texts can be compared line by line. */
#include "config.h"

#include "glworker/gl/draw_texts.h"
#include "glworker/gl/state_objects.h"
#include "glworker/gl/state_values.h"
#include "glworker/gl/surfaces.h"

static const char *api_name(unsigned api)
{
    return api & STATE_ES1    ? "OpenGL ES 1"
           : api & STATE_ES2  ? "OpenGL ES"
           : api & STATE_CORE ? "OpenGL core"
                              : "OpenGL compatibility";
}

void retrace_state_text(const struct retrace *retrace, struct text *text)
{
    const struct retrace_context *context = retrace_context(retrace);
    struct text section = TEXT_INIT;
    const struct state_place place = {.group = STATE_OF_CONTEXT};

    text_printf(text, "[context]\napi = %s\nversion = %d.%d\n",
                api_name(retrace_state_api(context)), context->major, context->minor);
    for (unsigned n = 0; n < STATE_SECTIONS; n++) {
        text_reset(&section);
        retrace_state_tell(retrace, &place, (enum state_section)n, &section);
        retrace_state_objects(retrace, (enum state_section)n, &section);
        if (section.length > 0)
            text_printf(text, "\n[%s]\n", retrace_state_sections[n]);
        text_add_text(text, &section);
    }
    text_clear(&section);
}
