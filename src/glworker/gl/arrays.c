/* SPDX-License-Identifier: MIT */
/*
 * Vertices in the traced program's memory. They are copied, unless that memory is mirrored here
 * (heap.c), and are kept until other arrays replace them.
 */
#include "config.h"

#include "glworker/gl/arrays.h"

#include "glworker/gl/compatibility.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLOTS_OF_A_KIND = 64,
    CLIENT_VERTEX_ARRAY_BIT = 0x2, /* not in core profiles */
};

const struct retrace_fixed_array retrace_fixed_arrays[RETRACE_SLOTS_FIXED] = {
    [RETRACE_SLOT_VERTEX] = {"GL_VERTEX_ARRAY", 0, 0x8074, 0x808E, 0x807A, 0x807B, 0x807C, 0x8896},
    [RETRACE_SLOT_NORMAL] = {"GL_NORMAL_ARRAY", 3, 0x8075, 0x808F, 0, 0x807E, 0x807F, 0x8897},
    [RETRACE_SLOT_COLOR] = {"GL_COLOR_ARRAY", 0, 0x8076, 0x8090, 0x8081, 0x8082, 0x8083, 0x8898},
    [RETRACE_SLOT_INDEX] = {NULL, 1, 0x8077, 0x8091, 0, 0x8085, 0x8086, 0x8899},
    [RETRACE_SLOT_EDGE_FLAG] = {NULL, 1, 0x8079, 0x8093, 0, 0, 0x808C, 0x889B},
    [RETRACE_SLOT_FOG] = {"GL_FOG_COORD_ARRAY", 1, 0x8457, 0x8456, 0, 0x8454, 0x8455, 0x889D},
    [RETRACE_SLOT_SECONDARY] = {"GL_SECONDARY_COLOR_ARRAY", 0, 0x845E, 0x845D, 0x845A, 0x845B,
                                0x845C, 0x889C},
    [RETRACE_SLOT_POINT_SIZE] = {NULL, 1, 0x8B9C, 0x898C, 0, 0x898A, 0x898B, 0x8B9F},
};

const struct retrace_fixed_array retrace_coordinate_array = {
    "GL_TEXTURE_COORD_ARRAY", 0, 0x8078, 0x8092, 0x8088, 0x8089, 0x808A, 0x889A};

static void leave_array(struct retrace_array *array)
{
    if (array != NULL && --array->users == 0)
        free(array);
}

struct retrace_array **retrace_array_find(struct retrace_context *context, GLint object,
                                          unsigned slot)
{
    struct retrace_array **link = &context->arrays;

    while (*link != NULL && ((*link)->object != object || (*link)->slot != slot))
        link = &(*link)->next;
    return link;
}

static void remove_array(struct retrace_context *context, GLint object, unsigned slot)
{
    struct retrace_array **link = retrace_array_find(context, object, slot);

    if (*link != NULL) {
        struct retrace_array *array = *link;

        *link = array->next;
        leave_array(array);
    }
}

static void remove_arrays(struct retrace_context *context)
{
    while (context->arrays != NULL)
        remove_array(context, context->arrays->object, context->arrays->slot);
}

/* Takes references to the arrays of a vertex array object, or to all arrays if `object` is NULL. */
static int keep_arrays(const struct retrace_context *context, const GLint *object,
                       struct retrace_kept_arrays *out)
{
    struct retrace_array *array;
    uint32_t count = 0;

    for (array = context->arrays; array != NULL; array = array->next)
        count++;
    out->count = 0;
    out->list = calloc(count + 1u, sizeof(*out->list));
    if (out->list == NULL)
        return -ENOMEM;
    for (array = context->arrays; array != NULL; array = array->next)
        if (object == NULL || array->object == *object) {
            array->users++;
            out->list[out->count++] = array;
        }
    return 0;
}

int retrace_arrays_keep(const struct retrace_context *context, struct retrace_kept_arrays *out)
{
    return keep_arrays(context, NULL, out);
}

static void link_arrays(struct retrace_context *context, const struct retrace_kept_arrays *kept)
{
    for (uint32_t n = kept->count; n > 0; n--) {
        kept->list[n - 1]->users++;
        kept->list[n - 1]->next = context->arrays;
        context->arrays = kept->list[n - 1];
    }
}

void retrace_arrays_restore(struct retrace_context *context, const struct retrace_kept_arrays *kept)
{
    remove_arrays(context);
    link_arrays(context, kept);
}

void retrace_arrays_release(struct retrace_kept_arrays *kept)
{
    for (uint32_t n = 0; n < kept->count; n++)
        leave_array(kept->list[n]);
    free(kept->list);
    *kept = (struct retrace_kept_arrays){.list = NULL};
}

/* What glPushClientAttrib() saved: the arrays of the vertex array object that was bound. */
struct retrace_pushed_arrays {
    struct retrace_pushed_arrays *below;
    GLint depth; /* of the driver's stack after the push */
    GLint object;
    struct retrace_kept_arrays arrays;
};

static void put_back(struct retrace_context *context, const struct retrace_pushed_arrays *pushed)
{
    struct retrace_array **link = &context->arrays;

    while (*link != NULL) {
        struct retrace_array *array = *link;

        if (array->object == pushed->object) {
            *link = array->next;
            leave_array(array);
        } else {
            link = &array->next;
        }
    }
    link_arrays(context, &pushed->arrays);
}

/*
 * Removes entries beyond `depth`, the depth of the driver's stack. If the driver popped them, their
 * arrays are restored; otherwise they are dropped.
 */
static void unwind(struct retrace_context *context, GLint depth, bool is_popped)
{
    struct retrace_pushed_arrays *pushed;

    while ((pushed = context->pushed) != NULL && pushed->depth > depth) {
        if (is_popped)
            put_back(context, pushed);
        context->pushed = pushed->below;
        retrace_arrays_release(&pushed->arrays);
        free(pushed);
    }
}

void retrace_arrays_clear(struct retrace_context *context)
{
    remove_arrays(context);
    unwind(context, 0, false);
    leave_array(context->pointing.array);
    context->pointing = (struct retrace_pointing){.array = NULL};
}

bool retrace_array_memory(const struct retrace_context *context, unsigned slot,
                          const uint8_t **bytes, uint64_t *size)
{
    GLint object = retrace_get(GL_VERTEX_ARRAY_BINDING);

    for (const struct retrace_array *array = context->arrays; array != NULL; array = array->next)
        if (array->object == object && array->slot == slot) {
            *bytes = array->bytes;
            *size = array->size;
            return true;
        }
    return false;
}

unsigned retrace_element_bytes(GLenum type, int64_t size)
{
    unsigned count = size == GL_BGRA ? 4 : size < 1 || size > 4 ? 4 : (unsigned)size;

    switch (type) {
    case GL_BYTE:
    case GL_UNSIGNED_BYTE:
        return count;
    case GL_SHORT:
    case GL_UNSIGNED_SHORT:
    case GL_HALF_FLOAT:
    case GL_HALF_FLOAT_OES:
        return 2 * count;
    case GL_DOUBLE:
        return 8 * count;
    case GL_INT_2_10_10_10_REV:
    case GL_UNSIGNED_INT_2_10_10_10_REV:
    case GL_UNSIGNED_INT_10F_11F_11F_REV:
        return 4;
    default:
        return 4 * count;
    }
}

/*
 * Indices of a function's arguments; -1 if it has no such argument. The address is the last
 * argument.
 */
struct pointer {
    unsigned slot;
    int8_t index, size, type, stride;
    uint8_t count; /* elements, if no argument gives their number */
};

enum {
    POINT_VERTEX,
    POINT_NORMAL,
    POINT_COLOR,
    POINT_INDEX,
    POINT_EDGE_FLAG,
    POINT_FOG,
    POINT_SECONDARY,
    POINT_POINT_SIZE,
    POINT_TEXTURE,
    POINT_TEXTURE_OF_UNIT,
    POINT_NUMBER,
    POINT_INTEGER,
};

static const struct pointer pointers[] = {
    [POINT_VERTEX] = {RETRACE_SLOT_VERTEX, -1, 0, 1, 2, 0},
    [POINT_NORMAL] = {RETRACE_SLOT_NORMAL, -1, -1, 0, 1, 3},
    [POINT_COLOR] = {RETRACE_SLOT_COLOR, -1, 0, 1, 2, 0},
    [POINT_INDEX] = {RETRACE_SLOT_INDEX, -1, -1, 0, 1, 1},
    [POINT_EDGE_FLAG] = {RETRACE_SLOT_EDGE_FLAG, -1, -1, -1, 0, 1},
    [POINT_FOG] = {RETRACE_SLOT_FOG, -1, -1, 0, 1, 1},
    [POINT_SECONDARY] = {RETRACE_SLOT_SECONDARY, -1, 0, 1, 2, 0},
    [POINT_POINT_SIZE] = {RETRACE_SLOT_POINT_SIZE, -1, -1, 0, 1, 1},
    [POINT_TEXTURE] = {RETRACE_SLOT_TEXTURES, -1, 0, 1, 2, 0},
    [POINT_TEXTURE_OF_UNIT] = {RETRACE_SLOT_TEXTURES, 0, 1, 2, 3, 0},
    [POINT_NUMBER] = {RETRACE_SLOT_NUMBERS, 0, 1, 2, 4, 0},
    [POINT_INTEGER] = {RETRACE_SLOT_NUMBERS, 0, 1, 2, 3, 0},
};

static unsigned slot_of(const struct retrace_call *call, const struct pointer *pointer)
{
    unsigned number = 0;

    if (pointer->slot == RETRACE_SLOT_TEXTURES && pointer->index >= 0)
        number = (unsigned)retrace_integer(call, (unsigned)pointer->index) - GL_TEXTURE0;
    else if (pointer->slot == RETRACE_SLOT_TEXTURES)
        number = (unsigned)retrace_get(GL_CLIENT_ACTIVE_TEXTURE) - GL_TEXTURE0;
    else if (pointer->slot == RETRACE_SLOT_NUMBERS)
        number = (unsigned)retrace_integer(call, (unsigned)pointer->index);
    return pointer->slot + number % SLOTS_OF_A_KIND;
}

static struct retrace_array *copy_array(const struct retrace_call *call,
                                        const struct pointer *pointer,
                                        const struct retrace_argument *memory)
{
    const uint64_t copied = memory->live ? 0 : memory->size + RETRACE_PAD;
    struct retrace_array *array = malloc(sizeof(*array) + copied);
    int64_t size =
        pointer->size < 0 ? pointer->count : retrace_integer(call, (unsigned)pointer->size);
    GLenum type = pointer->type < 0 ? GL_UNSIGNED_BYTE
                                    : (GLenum)retrace_integer(call, (unsigned)pointer->type);
    int64_t stride = retrace_integer(call, (unsigned)pointer->stride);

    if (array == NULL)
        return NULL;
    array->users = 1;
    array->read_in_begin = false;
    array->size = memory->size;
    array->element = retrace_element_bytes(type, size);
    array->stride = stride <= 0 ? array->element : (uint64_t)stride;
    array->bytes = memory->live ? memory->memory : array->copy;
    if (memory->live)
        return array;
    if (memory->size > 0)
        memcpy(array->copy, memory->memory, (size_t)memory->size);
    memset(array->copy + memory->size, 0, RETRACE_PAD);
    return array;
}

/*
 * Clears a pointer to memory whose contents the trace lacks, with a note. No draw can read this
 * array.
 */
static void forget_bytes(struct retrace *retrace, struct retrace_argument *memory)
{
    retrace_note(retrace, PROBLEM_WARNING, "%.60s: the trace does not contain its vertices",
                 retrace->stream.ready->function->name.bytes);
    *memory = (struct retrace_argument){.kind = RETRACE_MEMORY, .checked = true};
}

GLint retrace_attribute(unsigned slot, GLenum what)
{
    GLint value = 0;

    glGetVertexAttribiv(slot - RETRACE_SLOT_NUMBERS, what, &value);
    return value;
}

const void *retrace_array_pointer(unsigned slot)
{
    void *pointer = NULL;

    if (slot < RETRACE_SLOTS_FIXED)
        glGetPointerv(retrace_fixed_arrays[slot].pointer, &pointer);
    else if (slot >= RETRACE_SLOT_NUMBERS)
        glGetVertexAttribPointerv(slot - RETRACE_SLOT_NUMBERS, GL_VERTEX_ATTRIB_ARRAY_POINTER,
                                  &pointer);
    else if (slot - RETRACE_SLOT_TEXTURES + GL_TEXTURE0 ==
             (unsigned)retrace_get(GL_CLIENT_ACTIVE_TEXTURE))
        glGetPointerv(retrace_coordinate_array.pointer, &pointer);
    return pointer;
}

/*
 * Returns whether the driver still has the pointer of the array that was there before, which means
 * that it refused the new one. OpenGL's errors are no proof: with a vertex array object Mesa 22.3
 * raises an error, and accepts the pointer nevertheless.
 */
static bool is_pointed_at(const struct retrace_array *array)
{
    return retrace_array_pointer(array->slot) == (const void *)array->bytes;
}

/*
 * Takes the array's element size and stride from the driver. This is for two equal pointers, which
 * do not show whether the driver refused the call.
 */
static void take_layout(struct retrace_array *array, unsigned slot)
{
    const struct retrace_fixed_array *fixed =
        slot < RETRACE_SLOTS_FIXED ? &retrace_fixed_arrays[slot] : &retrace_coordinate_array;
    GLint size, type, stride;

    if (slot >= RETRACE_SLOT_NUMBERS) {
        size = retrace_attribute(slot, GL_VERTEX_ATTRIB_ARRAY_SIZE);
        type = retrace_attribute(slot, GL_VERTEX_ATTRIB_ARRAY_TYPE);
        stride = retrace_attribute(slot, GL_VERTEX_ATTRIB_ARRAY_STRIDE);
    } else {
        size = fixed->size != 0 ? retrace_get(fixed->size) : (GLint)fixed->components;
        type = fixed->type != 0 ? retrace_get(fixed->type) : GL_UNSIGNED_BYTE;
        stride = retrace_get(fixed->stride);
    }
    array->element = retrace_element_bytes((GLenum)type, size);
    array->stride = stride <= 0 ? array->element : (uint64_t)stride;
}

/*
 * The array replaces the former one after the driver has accepted the pointer: until then the
 * driver reads the former one.
 */
static void pointed(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_context *context = retrace_context(retrace);
    const struct retrace_pointing pointing = context->pointing;
    const struct retrace_array *last = *retrace_array_find(context, pointing.object, pointing.slot);

    (void)call;
    context->pointing = (struct retrace_pointing){.array = NULL};
    if (last != NULL && is_pointed_at(last)) {
        if (pointing.array == NULL || pointing.array->bytes != last->bytes) {
            leave_array(pointing.array);
            return;
        }
        take_layout(pointing.array, pointing.slot);
    }
    remove_array(context, pointing.object, pointing.slot);
    if (pointing.array == NULL)
        return;
    pointing.array->object = pointing.object;
    pointing.array->slot = pointing.slot;
    pointing.array->next = context->arrays;
    context->arrays = pointing.array;
}

/* Copies what a call points to if no buffer is bound. */
static enum retrace_outcome take_memory(struct retrace *retrace, const struct retrace_call *call,
                                        struct retrace_argument *memory,
                                        struct retrace_array **array)
{
    if (memory->kind == RETRACE_ADDRESS && memory->number != 0)
        forget_bytes(retrace, memory);
    if (memory->kind != RETRACE_MEMORY)
        return RETRACE_GO_ON;
    *array = copy_array(call, &pointers[call->binding->detail], memory);
    if (*array == NULL)
        return retrace_refuse(retrace, "out of memory");
    memory->memory = (uint8_t *)(*array)->bytes;
    return RETRACE_GO_ON;
}

/*
 * Enabling arrays is refused after glBegin(), because what glArrayElement() reads is determined
 * there.
 */
static enum retrace_outcome switch_on(struct retrace *retrace, struct retrace_call *call)
{
    (void)call;
    return retrace_context(retrace)->in_begin
               ? retrace_refuse(retrace, "it is called between glBegin and glEnd")
               : RETRACE_GO_ON;
}

static enum retrace_outcome point(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_context *context = retrace_context(retrace);
    struct retrace_argument *memory = &call->arguments[call->count - 1];
    struct retrace_pointing pointing = {.array = NULL};
    enum retrace_outcome outcome = RETRACE_GO_ON;

    /* it would be impossible to find out whether the driver accepts the pointer */
    if (context->in_begin)
        return retrace_refuse(retrace, "it is called between glBegin and glEnd");
    if (retrace_integer(call, (unsigned)pointers[call->binding->detail].stride) < 0)
        return retrace_refuse(retrace, "the stride is negative"); /* Mesa 22.3 would accept it */
    pointing.object = retrace_get(GL_VERTEX_ARRAY_BINDING);
    pointing.slot = slot_of(call, &pointers[call->binding->detail]);
    memory->checked = true;
    if (retrace_get(GL_ARRAY_BUFFER_BINDING) == 0)
        outcome = take_memory(retrace, call, memory, &pointing.array);
    else if (memory->kind == RETRACE_MEMORY)
        outcome =
            retrace_refuse(retrace, "memory is passed instead of an offset into the bound buffer");
    leave_array(context->pointing.array); /* of a call that was not made */
    context->pointing = pointing;
    return outcome;
}

/* glInterleavedArrays() sets several arrays, which have no entries of their own here. */
static enum retrace_outcome interleaved(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_argument *memory = &call->arguments[2];

    if (retrace_get(GL_ARRAY_BUFFER_BINDING) == 0 || memory->kind == RETRACE_MEMORY)
        return RETRACE_LEFT; /* the tracer writes calls for each array as well */
    memory->checked = true;
    (void)retrace;
    return RETRACE_GO_ON;
}

/*
 * The client attribute stack. The arrays are saved before the driver pushes them, because the
 * driver may refuse the push.
 */
static enum retrace_outcome push_client(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_context *context = retrace_context(retrace);
    struct retrace_pushed_arrays *pushed;
    GLint depth;

    if (context->in_begin) /* the driver refuses it */
        return RETRACE_GO_ON;
    depth = retrace_get(GL_CLIENT_ATTRIB_STACK_DEPTH);
    unwind(context, depth, false); /* of a call that was not made */
    if ((retrace_integer(call, 0) & CLIENT_VERTEX_ARRAY_BIT) == 0)
        return RETRACE_GO_ON;
    pushed = calloc(1, sizeof(*pushed));
    if (pushed == NULL)
        return retrace_refuse(retrace, "out of memory");
    pushed->below = context->pushed;
    pushed->depth = depth + 1;
    pushed->object = retrace_get(GL_VERTEX_ARRAY_BINDING);
    if (keep_arrays(context, &pushed->object, &pushed->arrays) < 0) {
        free(pushed);
        return retrace_refuse(retrace, "out of memory");
    }
    context->pushed = pushed;
    return RETRACE_GO_ON;
}

/* The driver's stack may have been full, or empty. */
static void client_pushed(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_context *context = retrace_context(retrace);

    (void)call;
    if (context->pushed != NULL && !context->in_begin)
        unwind(context, retrace_get(GL_CLIENT_ATTRIB_STACK_DEPTH), false);
}

static void client_popped(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_context *context = retrace_context(retrace);

    (void)call;
    if (context->pushed != NULL && !context->in_begin)
        unwind(context, retrace_get(GL_CLIENT_ATTRIB_STACK_DEPTH), true);
}

/* Formats and buffer bindings also change attributes that have pointers. */
static void bound(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_context *context = retrace_context(retrace);

    (void)call;
    context->bindings = context->offsets = true;
}

/* Sorted by name. */
const struct retrace_rule_row retrace_array_rules[] = {
    {"glBindVertexBuffer", NULL, bound, 0},
    {"glBindVertexBuffers", NULL, bound, 0},
    {"glColorPointer", point, pointed, POINT_COLOR},
    {"glEdgeFlagPointer", point, pointed, POINT_EDGE_FLAG},
    {"glEnableClientState", switch_on, NULL, 0},
    {"glEnableClientStateIndexed", switch_on, NULL, 0},
    {"glEnableClientStatei", switch_on, NULL, 0},
    {"glEnableVertexArray", switch_on, NULL, 0},
    {"glEnableVertexArrayAttrib", switch_on, NULL, 0},
    {"glEnableVertexAttribArray", switch_on, NULL, 0},
    {"glFogCoordPointer", point, pointed, POINT_FOG},
    {"glIndexPointer", point, pointed, POINT_INDEX},
    {"glInterleavedArrays", interleaved, NULL, 0},
    {"glMultiTexCoordPointer", point, pointed, POINT_TEXTURE_OF_UNIT},
    {"glNormalPointer", point, pointed, POINT_NORMAL},
    {"glPointSizePointer", point, pointed, POINT_POINT_SIZE},
    {"glPopClientAttrib", NULL, client_popped, 0},
    {"glPushClientAttrib", push_client, client_pushed, 0},
    {"glPushClientAttribDefault", push_client, client_pushed, 0},
    {"glSecondaryColorPointer", point, pointed, POINT_SECONDARY},
    {"glTexCoordPointer", point, pointed, POINT_TEXTURE},
    {"glVertexArrayAttribBinding", NULL, bound, 0},
    {"glVertexArrayAttribFormat", NULL, bound, 0},
    {"glVertexArrayAttribIFormat", NULL, bound, 0},
    {"glVertexArrayAttribLFormat", NULL, bound, 0},
    {"glVertexArrayBindVertexBuffer", NULL, bound, 0},
    {"glVertexArrayColorOffset", NULL, bound, 0},
    {"glVertexArrayEdgeFlagOffset", NULL, bound, 0},
    {"glVertexArrayFogCoordOffset", NULL, bound, 0},
    {"glVertexArrayIndexOffset", NULL, bound, 0},
    {"glVertexArrayMultiTexCoordOffset", NULL, bound, 0},
    {"glVertexArrayNormalOffset", NULL, bound, 0},
    {"glVertexArraySecondaryColorOffset", NULL, bound, 0},
    {"glVertexArrayTexCoordOffset", NULL, bound, 0},
    {"glVertexArrayVertexAttribBinding", NULL, bound, 0},
    {"glVertexArrayVertexAttribFormat", NULL, bound, 0},
    {"glVertexArrayVertexAttribIFormat", NULL, bound, 0},
    {"glVertexArrayVertexAttribIOffset", NULL, bound, 0},
    {"glVertexArrayVertexAttribLFormat", NULL, bound, 0},
    {"glVertexArrayVertexAttribLOffset", NULL, bound, 0},
    {"glVertexArrayVertexAttribOffset", NULL, bound, 0},
    {"glVertexArrayVertexBuffer", NULL, bound, 0},
    {"glVertexArrayVertexBuffers", NULL, bound, 0},
    {"glVertexArrayVertexOffset", NULL, bound, 0},
    {"glVertexAttribBinding", NULL, bound, 0},
    {"glVertexAttribFormat", NULL, bound, 0},
    {"glVertexAttribIFormat", NULL, bound, 0},
    {"glVertexAttribIPointer", point, pointed, POINT_INTEGER},
    {"glVertexAttribLFormat", NULL, bound, 0},
    {"glVertexAttribLPointer", point, pointed, POINT_INTEGER},
    {"glVertexAttribPointer", point, pointed, POINT_NUMBER},
    {"glVertexAttribPointerNV", point, pointed, POINT_INTEGER},
    {"glVertexPointer", point, pointed, POINT_VERTEX},
};
const size_t retrace_array_rule_count =
    sizeof(retrace_array_rules) / sizeof(retrace_array_rules[0]);
