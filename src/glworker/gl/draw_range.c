/* SPDX-License-Identifier: MIT */
/*
 * Queries the driver for the arrays that it will read, and checks that those in the trace's memory
 * (arrays.c) are large enough.
 */
#include "config.h"

#include "glworker/gl/draw_range.h"

#include "glworker/gl/arrays.h"
#include "glworker/gl/attributes.h"
#include "glworker/gl/compatibility.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/values.h"

#include <EGL/egl.h>

/* Selects a unit for texture coordinates. Returns false if the driver has no function for that. */
static bool choose_unit(GLenum unit)
{
    static void (*choose)(GLenum unit);

    if (choose == NULL)
        choose = (void (*)(GLenum))eglGetProcAddress("glClientActiveTexture");
    if (choose != NULL)
        choose(unit);
    return choose != NULL;
}

static bool texture_enabled(unsigned unit)
{
    GLint was = retrace_get(GL_CLIENT_ACTIVE_TEXTURE);
    bool enabled;

    if (!choose_unit(GL_TEXTURE0 + unit))
        return true;
    enabled = glIsEnabled(retrace_coordinate_array.enabled);
    choose_unit((GLenum)was);
    return enabled;
}

/*
 * Returns whether the array's pointer is an offset into a buffer that was deleted or unbound: the
 * driver would take it for an address.
 */
static bool is_offset(struct retrace_context *context, unsigned slot, GLint buffer)
{
    const void *pointer = buffer == 0 ? retrace_array_pointer(slot) : NULL;
    const struct retrace_array *array;

    if (pointer == NULL)
        return false;
    array = *retrace_array_find(context, retrace_get(GL_VERTEX_ARRAY_BINDING), slot);
    return array == NULL || pointer != (const void *)array->bytes;
}

/* `any` includes arrays that are disabled. */
static bool fixed_is_offset(struct retrace_context *context,
                            const struct retrace_fixed_array *array, unsigned slot, bool any)
{
    return (any || glIsEnabled(array->enabled)) &&
           is_offset(context, slot, retrace_get(array->buffer));
}

/* Checks the arrays of fixed functions, if the context has them. */
static bool fixed_are_offsets(struct retrace_context *context, bool any)
{
    const GLint was = retrace_get(GL_CLIENT_ACTIVE_TEXTURE);
    bool found = false;

    if (was == 0)
        return false;
    for (unsigned slot = 0; slot < RETRACE_SLOTS_FIXED && !found; slot++)
        found = fixed_is_offset(context, &retrace_fixed_arrays[slot], slot, any);
    for (unsigned unit = 0; unit < RETRACE_COORDINATES_MAX && !found; unit++)
        found =
            choose_unit(GL_TEXTURE0 + unit) &&
            fixed_is_offset(context, &retrace_coordinate_array, RETRACE_SLOT_TEXTURES + unit, any);
    choose_unit((GLenum)was);
    return found;
}

static uint32_t attributes_that_are_offsets(struct retrace_context *context, bool any)
{
    const GLint count = retrace_get(GL_MAX_VERTEX_ATTRIBS);
    uint32_t found = 0;

    for (GLint n = 0; n < count && n < RETRACE_ATTRIBUTES_MAX; n++) {
        const unsigned slot = RETRACE_SLOT_NUMBERS + (unsigned)n;

        if ((any || retrace_attribute(slot, GL_VERTEX_ATTRIB_ARRAY_ENABLED)) &&
            is_offset(context, slot,
                      retrace_attribute(slot, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING)))
            found |= UINT32_C(1) << n;
    }
    return found;
}

static bool has_offsets(struct retrace *retrace, bool any)
{
    struct retrace_context *context = retrace_context(retrace);
    bool found = fixed_are_offsets(context, any);
    uint32_t attributes = found ? 0 : attributes_that_are_offsets(context, any);

    if (!any && attributes != 0)
        attributes &= retrace_attributes_read();
    graphics_failed(); /* some contexts lack some of them */
    return found || attributes != 0;
}

void retrace_buffers_deleted(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_context *context = retrace_context(retrace);

    (void)call;
    context->offsets = context->offsets || has_offsets(retrace, true);
}

static bool reads_offsets(struct retrace *retrace)
{
    const struct retrace_context *context = retrace_context(retrace);

    return context->in_begin ? context->begun_with_offsets
                             : context->offsets && has_offsets(retrace, false);
}

/*
 * Returns whether a draw reads the array. *divisor is set to the instances per element, or 0 if
 * each vertex has an element.
 */
static bool is_read(const struct retrace_context *context, const struct retrace_array *array,
                    GLint *divisor)
{
    *divisor = 0;
    if (context->in_begin)
        return array->read_in_begin;
    if (array->slot < RETRACE_SLOTS_FIXED)
        return glIsEnabled(retrace_fixed_arrays[array->slot].enabled);
    if (array->slot < RETRACE_SLOT_NUMBERS)
        return texture_enabled(array->slot - RETRACE_SLOT_TEXTURES);
    if (!retrace_attribute(array->slot, GL_VERTEX_ATTRIB_ARRAY_ENABLED) ||
        (context->bindings &&
         retrace_attribute(array->slot, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING) != 0))
        return false;
    *divisor = retrace_attribute(array->slot, GL_VERTEX_ATTRIB_ARRAY_DIVISOR);
    return true;
}

/*
 * Returns whether the array is read with the layout that its pointer was set with; attributes'
 * formats and bindings may change it.
 */
static bool is_as_told(const struct retrace_context *context, const struct retrace_array *array)
{
    GLint stride = 0;

    if (!context->bindings || array->slot < RETRACE_SLOT_NUMBERS)
        return true;
    glGetIntegeri_v(GL_VERTEX_BINDING_STRIDE,
                    (GLuint)retrace_attribute(array->slot, GL_VERTEX_ATTRIB_BINDING), &stride);
    return (uint64_t)stride == array->stride &&
           retrace_attribute(array->slot, GL_VERTEX_ATTRIB_RELATIVE_OFFSET) == 0 &&
           retrace_element_bytes(
               (GLenum)retrace_attribute(array->slot, GL_VERTEX_ATTRIB_ARRAY_TYPE),
               retrace_attribute(array->slot, GL_VERTEX_ATTRIB_ARRAY_SIZE)) <= array->element;
}

/* Returns the vertex array object that draws use. */
static GLint bound_object(const struct retrace_context *context)
{
    return context->in_begin ? context->begun_object : retrace_get(GL_VERTEX_ARRAY_BINDING);
}

void retrace_arrays_begin(struct retrace *retrace)
{
    struct retrace_context *context = retrace_context(retrace);
    GLint divisor;

    if (context->in_begin)
        return;
    context->begun_with_offsets = context->offsets && has_offsets(retrace, true);
    context->begun_object = retrace_get(GL_VERTEX_ARRAY_BINDING);
    for (struct retrace_array *array = context->arrays; array != NULL; array = array->next)
        array->read_in_begin =
            array->object == context->begun_object && is_read(context, array, &divisor);
}

bool retrace_reads_memory(struct retrace *retrace)
{
    const struct retrace_context *context = retrace_context(retrace);
    GLint object, divisor;

    if (reads_offsets(retrace))
        return true;
    if (context->arrays == NULL)
        return false;
    object = bound_object(context);
    for (const struct retrace_array *array = context->arrays; array != NULL; array = array->next)
        if (array->object == object && is_read(context, array, &divisor))
            return true;
    return false;
}

static bool reaches(const struct retrace_array *array, uint64_t last)
{
    return array->element > array->size || last > (array->size - array->element) / array->stride;
}

enum retrace_outcome retrace_range_check(struct retrace *retrace, const struct retrace_range *range)
{
    const struct retrace_context *context = retrace_context(retrace);
    GLint object;

    if (range->none)
        return RETRACE_GO_ON;
    if (reads_offsets(retrace))
        return retrace_refuse(retrace,
                              "it reads vertices from a buffer that has been deleted or unbound");
    if (context->arrays == NULL)
        return RETRACE_GO_ON;
    object = bound_object(context);
    for (const struct retrace_array *array = context->arrays; array != NULL; array = array->next) {
        GLint divisor;
        uint64_t last = (uint64_t)range->last;

        if (array->object != object || !is_read(context, array, &divisor))
            continue;
        if (!is_as_told(context, array))
            return retrace_refuse(retrace,
                                  "an array is read with another layout than its pointer call set");
        if (divisor > 0)
            last = range->first_instance + (range->instances - 1) / (uint64_t)divisor;
        else if (range->last < 0)
            return retrace_refuse(retrace, "it reads before the start of its vertices");
        if (reaches(array, last))
            return retrace_refuse(
                retrace, "it reads element %llu, which is beyond the end of an array of %llu bytes",
                (unsigned long long)last, (unsigned long long)array->size);
    }
    return RETRACE_GO_ON;
}
