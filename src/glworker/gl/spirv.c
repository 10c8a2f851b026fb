/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/spirv.h"

#include "glworker/gl/budget.h"
#include "glworker/gl/spirv_capture.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/values.h"

#include <EGL/egl.h>
#include <stdlib.h>
#include <string.h>

/* Contexts that share nothing may use the same name for two shaders. */
static uint64_t key_of(const struct retrace *retrace, GLuint shader)
{
    return (uint64_t)retrace_context(retrace)->group << 32 | shader;
}

static struct retrace_spirv *find(const struct retrace *retrace, uint64_t key)
{
    uint64_t found;

    return retrace_map_get(&retrace->sources.modules, key, &found)
               ? (struct retrace_spirv *)(uintptr_t)found
               : NULL;
}

static size_t size_of(const struct retrace_spirv *spirv)
{
    return sizeof(*spirv) + spirv->count * sizeof(*spirv->words) +
           (spirv->entry != NULL ? strlen(spirv->entry) + 1 : 0) +
           (size_t)spirv->constant_count * 2 * sizeof(GLuint);
}

void retrace_spirv_drop(struct retrace *retrace, struct retrace_spirv *spirv)
{
    if (--spirv->uses > 0)
        return;
    retrace->sources.bytes -= size_of(spirv);
    free(spirv->words);
    free(spirv->entry);
    free(spirv->constants);
    free(spirv->values);
    free(spirv);
}

static void forget(struct retrace *retrace, uint64_t key)
{
    struct retrace_spirv *spirv = find(retrace, key);

    if (spirv == NULL)
        return;
    retrace_map_remove(&retrace->sources.modules, key);
    retrace_spirv_drop(retrace, spirv);
}

void retrace_spirv_clear(struct retrace *retrace)
{
    for (uint32_t n = 0; n < retrace->sources.modules.room; n++)
        while (retrace->sources.modules.count > 0 &&
               retrace->sources.modules.pairs[n].key != RETRACE_NO_KEY)
            forget(retrace, retrace->sources.modules.pairs[n].key);
    retrace_map_clear(&retrace->sources.modules);
}

void retrace_spirv_end_group(struct retrace *retrace, uint32_t group)
{
    const uint64_t first = (uint64_t)group << 32, last = first | UINT32_MAX;
    uint64_t key = RETRACE_NO_KEY;

    for (uint32_t at = 0; retrace_map_next(&retrace->sources.modules, first, last, &at, &key);)
        forget(retrace, key);
}

/*
 * Drops modules of shaders that do not exist any more; OpenGL does not report when the last program
 * releases a shader. A sweep queries the driver about each module. So that this does not happen
 * again and again for nothing, after a sweep without result as many requests as there are modules
 * must find no room before the next one.
 */
static void sweep(struct retrace *retrace)
{
    const struct retrace_map *map = &retrace->sources.modules;
    const uint64_t first = (uint64_t)retrace_context(retrace)->group << 32;
    const uint32_t count = map->count;
    uint64_t key = RETRACE_NO_KEY;

    for (uint32_t at = 0; retrace_map_next(map, first, first | UINT32_MAX, &at, &key);)
        if (!glIsShader((GLuint)key))
            forget(retrace, key);
    if (map->count == count)
        retrace->sources.module_pause = count;
}

static bool has_room(struct retrace *retrace, size_t size)
{
    if (retrace_budget_fits_sources(retrace, size))
        return true;
    if (retrace->sources.module_pause > 0)
        retrace->sources.module_pause--;
    else
        sweep(retrace);
    return retrace_budget_fits_sources(retrace, size);
}

/* A call may name a shader several times. */
static void keep(struct retrace *retrace, GLuint shader, const struct retrace_call *call,
                 size_t size)
{
    struct retrace_spirv *spirv = find(retrace, key_of(retrace, shader));

    if (spirv != NULL && spirv->call == call->event->number)
        return;
    forget(retrace, key_of(retrace, shader));
    if (!has_room(retrace, sizeof(*spirv) + size))
        return;
    spirv = calloc(1, sizeof(*spirv));
    if (spirv == NULL)
        return;
    *spirv = (struct retrace_spirv){
        .uses = 1, .call = call->event->number, .count = size / 4, .words = malloc(size + 4)};
    retrace->sources.bytes += size_of(spirv);
    if (spirv->words != NULL)
        memcpy(spirv->words, call->arguments[3].memory, spirv->count * 4);
    if (spirv->words == NULL || retrace_map_put(&retrace->sources.modules, key_of(retrace, shader),
                                                (uint64_t)(uintptr_t)spirv) != 0)
        retrace_spirv_drop(retrace, spirv);
}

/* Clears errors, so that the hook can find out whether the call fails. */
enum retrace_outcome retrace_spirv_begin(struct retrace *retrace, struct retrace_call *call)
{
    (void)retrace, (void)call;
    graphics_failed();
    return RETRACE_GO_ON;
}

void retrace_spirv_brought(struct retrace *retrace, struct retrace_call *call)
{
    const struct retrace_argument *binary = &call->arguments[3];
    const int64_t count = retrace_integer(call, 0), size = retrace_integer(call, 4);

    if (graphics_failed() || retrace_integer(call, 2) != GL_SHADER_BINARY_FORMAT_SPIR_V ||
        binary->kind != RETRACE_MEMORY || size < 0 || (uint64_t)size > binary->size)
        return;
    for (int64_t n = 0; n < count; n++)
        keep(retrace, (GLuint)retrace_element(call, 1, (uint64_t)n), call, (size_t)size);
}

static GLuint *copy_numbers(const struct retrace_call *call, unsigned argument, GLuint count)
{
    GLuint *numbers = calloc((size_t)count + 1, sizeof(*numbers));

    for (GLuint n = 0; numbers != NULL && n < count; n++)
        numbers[n] = (GLuint)retrace_element(call, argument, n);
    return numbers;
}

/* Returns false if there is no memory or room. */
static bool specialize(struct retrace *retrace, const struct retrace_call *call,
                       struct retrace_spirv *spirv)
{
    const char *entry = (const char *)call->arguments[1].memory;
    const GLuint count = (GLuint)retrace_integer(call, 2);

    if (!has_room(retrace, strlen(entry) + 1 + (size_t)count * 2 * sizeof(GLuint)))
        return false;
    retrace->sources.bytes -= size_of(spirv);
    spirv->constants = copy_numbers(call, 3, count);
    spirv->values = copy_numbers(call, 4, count);
    spirv->constant_count = count;
    spirv->entry = strdup(entry);
    retrace->sources.bytes += size_of(spirv);
    return spirv->constants != NULL && spirv->values != NULL && spirv->entry != NULL;
}

void retrace_spirv_specialized(struct retrace *retrace, struct retrace_call *call)
{
    const GLuint shader = (GLuint)retrace_integer(call, 0);
    struct retrace_spirv *spirv = find(retrace, key_of(retrace, shader));
    GLint specialized = 0;

    if (graphics_failed())
        return;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &specialized);
    if (graphics_failed() || !specialized || spirv == NULL || spirv->entry != NULL ||
        call->arguments[1].kind != RETRACE_MEMORY)
        return;
    if (!specialize(retrace, call, spirv))
        forget(retrace, key_of(retrace, shader));
}

struct retrace_spirv *retrace_spirv_take(struct retrace *retrace, GLuint shader)
{
    struct retrace_spirv *spirv = find(retrace, key_of(retrace, shader));
    GLint is_spirv = 0;

    if (spirv == NULL || spirv->entry == NULL)
        return NULL;
    glGetShaderiv(shader, GL_SPIR_V_BINARY, &is_spirv);
    if (graphics_failed() || !is_spirv)
        return NULL;
    spirv->uses++;
    return spirv;
}

/* Making shaders. */

static bool make(const struct retrace_spirv *spirv, const uint32_t *words, size_t count,
                 GLuint shader)
{
    const PFNGLSPECIALIZESHADERPROC specialize_shader =
        (PFNGLSPECIALIZESHADERPROC)eglGetProcAddress("glSpecializeShaderARB");
    GLint specialized = 0;

    if (specialize_shader == NULL)
        return false;
    glShaderBinary(1, &shader, GL_SHADER_BINARY_FORMAT_SPIR_V, words, (GLsizei)(count * 4));
    specialize_shader(shader, spirv->entry, spirv->constant_count, spirv->constants, spirv->values);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &specialized);
    return !graphics_failed() && specialized;
}

bool retrace_spirv_make(const struct retrace_spirv *spirv, uint32_t stage, bool captures,
                        GLuint shader, const char **why)
{
    size_t count = spirv->count;
    uint32_t *made = NULL;
    bool is_made;

    if (captures) {
        made = spirv_capture_position(spirv->words, spirv->count, stage, spirv->entry, &count, why);
        if (made == NULL)
            return false;
    }
    *why = "the driver refuses its SPIR-V with transform feedback";
    is_made = make(spirv, captures ? made : spirv->words, count, shader);
    free(made);
    return is_made;
}
