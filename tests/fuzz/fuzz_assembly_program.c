/* SPDX-License-Identifier: MIT */
/*
 * ARB vertex programs translated to GLSL: the result is a complete shader or a reason, and never a
 * part of a shader.
 */
#include "config.h"

#include "glworker/gl/assembly_shader.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct retrace_assembly_shader shader;
    const char *why = NULL;
    char *text = malloc(size + 1);

    if (text == NULL)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    if (retrace_assembly_translate(text, &shader, &why)) {
        expect(shader.source.length > 0 && strlen(shader.source.bytes) == shader.source.length - 1);
        expect(shader.generics >> RETRACE_GENERIC_MAX == 0);
        expect(shader.results >> RETRACE_RESULTS == 0);
    } else {
        expect(why != NULL && shader.source.length == 0 && shader.parameters == NULL);
    }
    retrace_assembly_shader_clear(&shader);
    free(text);
    return 0;
}
