/* SPDX-License-Identifier: MIT */
/*
 * Memory that draws read from: vertices in the program's memory are copied, unless it is kept
 * here as it is (heap.c), and stay until others take their place; before a draw, the driver is
 * asked which of them it will read, and they are held against how far it will go.
 */
#include "config.h"

#include "glworker/gl/arrays.h"

#include "glworker/gl/surfaces.h"
#include "glworker/gl/values.h"

#include <EGL/egl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Enumerators that core profiles do not have. */
enum {
    CLIENT_ACTIVE_TEXTURE = 0x84E1,
    TEXTURE_COORD_ARRAY = 0x8078,
    PRIMITIVE_RESTART = 0x8F9D,
    PRIMITIVE_RESTART_INDEX = 0x8F9E,
    PRIMITIVE_RESTART_FIXED_INDEX = 0x8D69,
    TYPE_FIXED = 0x140C,
    TYPE_HALF_OES = 0x8D61,
    RASTERIZER_DISCARD = 0x8C89,
    CLIENT_ATTRIB_STACK_DEPTH = 0x0BB1,
    CLIENT_VERTEX_ARRAY_BIT = 0x2,
};

enum { SLOTS_OF_A_KIND = 64 };

static const GLenum switches[RETRACE_SLOTS_FIXED] = {
    [RETRACE_SLOT_VERTEX] = 0x8074,    [RETRACE_SLOT_NORMAL] = 0x8075,
    [RETRACE_SLOT_COLOR] = 0x8076,     [RETRACE_SLOT_INDEX] = 0x8077,
    [RETRACE_SLOT_EDGE_FLAG] = 0x8079, [RETRACE_SLOT_FOG] = 0x8457,
    [RETRACE_SLOT_SECONDARY] = 0x845E, [RETRACE_SLOT_POINT_SIZE] = 0x8B9C};

struct retrace_array {
    struct retrace_array *next;
    GLint object; /* vertex array that it belongs to */
    unsigned slot;
    unsigned users; /* the context's list, and each struct retrace_kept_arrays with it */
    uint64_t size, stride, element; /* bytes */
    const uint8_t *bytes;           /* the copy, or memory that the program goes on writing */
    uint8_t copy[];
};

static void leave_array(struct retrace_array *array)
{
    if (array != NULL && --array->users == 0)
        free(array);
}

/* Where it stands in the list, or the list's end. */
static struct retrace_array **find_array(struct retrace_context *context, GLint object,
                                         unsigned slot)
{
    struct retrace_array **link = &context->arrays;

    while (*link != NULL && ((*link)->object != object || (*link)->slot != slot))
        link = &(*link)->next;
    return link;
}

static void remove_array(struct retrace_context *context, GLint object, unsigned slot)
{
    struct retrace_array **link = find_array(context, object, slot);

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

/* Those of a vertex array object, or all: NULL. */
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

/* What glPushClientAttrib() put aside: the arrays of the vertex array object that was bound. */
struct retrace_pushed_arrays {
    struct retrace_pushed_arrays *below;
    GLint depth; /* of the driver's stack with it */
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

/* The driver's stack is so deep: what was pushed beyond comes back if it was popped, or is lost. */
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

static unsigned element_bytes(GLenum type, int64_t size)
{
    unsigned count = size == GL_BGRA ? 4 : size < 1 || size > 4 ? 4 : (unsigned)size;

    switch (type) {
    case GL_BYTE:
    case GL_UNSIGNED_BYTE:
        return count;
    case GL_SHORT:
    case GL_UNSIGNED_SHORT:
    case GL_HALF_FLOAT:
    case TYPE_HALF_OES:
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

/* Where functions have what; -1: they do not. The address is the last argument. */
struct pointer {
    unsigned slot;
    int8_t index, size, type, stride;
    uint8_t count; /* elements, where no argument tells */
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
        number = (unsigned)retrace_get(CLIENT_ACTIVE_TEXTURE) - GL_TEXTURE0;
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
    array->size = memory->size;
    array->element = element_bytes(type, size);
    array->stride = stride <= 0 ? array->element : (uint64_t)stride;
    array->bytes = memory->live ? memory->memory : array->copy;
    if (memory->live)
        return array;
    if (memory->size > 0)
        memcpy(array->copy, memory->memory, (size_t)memory->size);
    memset(array->copy + memory->size, 0, RETRACE_PAD);
    return array;
}

/* Memory of the traced program that the trace has nothing of: no draw can read it. */
static void forget_bytes(struct retrace *retrace, struct retrace_argument *memory)
{
    retrace_note(retrace, PROBLEM_WARNING, "%.60s: vertices at an address that nothing is known of",
                 retrace->stream.ready->function->name.bytes);
    *memory = (struct retrace_argument){.kind = RETRACE_MEMORY, .checked = true};
}

/* The array takes its place when the driver has taken the pointer: until then it reads the last. */
static void begin_pointing(struct retrace_context *context, const struct retrace_pointing *pointing)
{
    leave_array(context->pointing.array); /* of a call that was not made */
    context->pointing = *pointing;
    if (pointing->array != NULL || *find_array(context, pointing->object, pointing->slot) != NULL)
        graphics_failed();
}

static void pointed(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_context *context = retrace_context(retrace);
    const struct retrace_pointing pointing = context->pointing;

    (void)call;
    context->pointing = (struct retrace_pointing){.array = NULL};
    if (pointing.array == NULL && *find_array(context, pointing.object, pointing.slot) == NULL)
        return;
    if (graphics_failed()) {
        leave_array(pointing.array);
        return;
    }
    remove_array(context, pointing.object, pointing.slot);
    if (pointing.array == NULL)
        return;
    pointing.array->object = pointing.object;
    pointing.array->slot = pointing.slot;
    pointing.array->next = context->arrays;
    context->arrays = pointing.array;
}

/* What it points at where no buffer is bound. */
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
        return retrace_refuse(retrace, "there is no memory for it");
    memory->memory = (uint8_t *)(*array)->bytes;
    return RETRACE_GO_ON;
}

static enum retrace_outcome point(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_context *context = retrace_context(retrace);
    struct retrace_argument *memory = &call->arguments[call->count - 1];
    struct retrace_pointing pointing = {.array = NULL};
    enum retrace_outcome outcome = RETRACE_GO_ON;

    if (context->in_begin) /* nobody tells there whether the driver takes it */
        return retrace_refuse(retrace, "it stands between glBegin() and glEnd()");
    pointing.object = retrace_get(GL_VERTEX_ARRAY_BINDING);
    pointing.slot = slot_of(call, &pointers[call->binding->detail]);
    memory->checked = true;
    if (retrace_get(GL_ARRAY_BUFFER_BINDING) == 0)
        outcome = take_memory(retrace, call, memory, &pointing.array);
    else if (memory->kind == RETRACE_MEMORY)
        outcome = retrace_refuse(retrace, "memory where an offset into a buffer is due");
    if (outcome == RETRACE_GO_ON)
        begin_pointing(context, &pointing);
    return outcome;
}

/* The format's arrays have no place of their own here. */
static enum retrace_outcome interleaved(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_argument *memory = &call->arguments[2];

    if (retrace_get(GL_ARRAY_BUFFER_BINDING) == 0 || memory->kind == RETRACE_MEMORY)
        return RETRACE_LEFT; /* the tracer tells each array as well */
    memory->checked = true;
    (void)retrace;
    return RETRACE_GO_ON;
}

/* The client's stack. What is pushed is kept before the driver pushes it, which may be refused. */
static enum retrace_outcome push_client(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_context *context = retrace_context(retrace);
    struct retrace_pushed_arrays *pushed;
    GLint depth;

    if (context->in_begin) /* the driver refuses it */
        return RETRACE_GO_ON;
    depth = retrace_get(CLIENT_ATTRIB_STACK_DEPTH);
    unwind(context, depth, false); /* of a call that was not made */
    if ((retrace_integer(call, 0) & CLIENT_VERTEX_ARRAY_BIT) == 0)
        return RETRACE_GO_ON;
    pushed = calloc(1, sizeof(*pushed));
    if (pushed == NULL)
        return retrace_refuse(retrace, "there is no memory for it");
    pushed->below = context->pushed;
    pushed->depth = depth + 1;
    pushed->object = retrace_get(GL_VERTEX_ARRAY_BINDING);
    if (keep_arrays(context, &pushed->object, &pushed->arrays) < 0) {
        free(pushed);
        return retrace_refuse(retrace, "there is no memory for it");
    }
    context->pushed = pushed;
    return RETRACE_GO_ON;
}

/* It may have been full, or empty. */
static void client_pushed(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_context *context = retrace_context(retrace);

    (void)call;
    if (context->pushed != NULL && !context->in_begin)
        unwind(context, retrace_get(CLIENT_ATTRIB_STACK_DEPTH), false);
}

static void client_popped(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_context *context = retrace_context(retrace);

    (void)call;
    if (context->pushed != NULL && !context->in_begin)
        unwind(context, retrace_get(CLIENT_ATTRIB_STACK_DEPTH), true);
}

/* Draws. */

static bool texture_enabled(unsigned unit)
{
    static void (*choose)(GLenum unit);
    GLint was = retrace_get(CLIENT_ACTIVE_TEXTURE);
    bool enabled;

    if (choose == NULL)
        choose = (void (*)(GLenum))eglGetProcAddress("glClientActiveTexture");
    if (choose == NULL)
        return true;
    choose(GL_TEXTURE0 + unit);
    enabled = glIsEnabled(TEXTURE_COORD_ARRAY);
    choose((GLenum)was);
    return enabled;
}

/* Whether a draw reads the array. *divisor: how many instances an element is for; 0: it is not. */
static bool is_read(const struct retrace_array *array, GLint *divisor)
{
    GLint enabled = 0;

    *divisor = 0;
    if (array->slot < RETRACE_SLOTS_FIXED)
        return glIsEnabled(switches[array->slot]);
    if (array->slot < RETRACE_SLOT_NUMBERS)
        return texture_enabled(array->slot - RETRACE_SLOT_TEXTURES);
    glGetVertexAttribiv(array->slot - RETRACE_SLOT_NUMBERS, GL_VERTEX_ATTRIB_ARRAY_ENABLED,
                        &enabled);
    if (enabled)
        glGetVertexAttribiv(array->slot - RETRACE_SLOT_NUMBERS, GL_VERTEX_ATTRIB_ARRAY_DIVISOR,
                            divisor);
    return enabled != 0;
}

/* Whether the draw at hand reads memory of the trace's at all. */
bool retrace_reads_memory(const struct retrace *retrace)
{
    const struct retrace_context *context = retrace_context(retrace);
    GLint object, divisor;

    if (context->arrays == NULL)
        return false;
    object = retrace_get(GL_VERTEX_ARRAY_BINDING);
    for (const struct retrace_array *array = context->arrays; array != NULL; array = array->next)
        if (array->object == object && is_read(array, &divisor))
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

    if (range->none || context->arrays == NULL)
        return RETRACE_GO_ON;
    object = retrace_get(GL_VERTEX_ARRAY_BINDING);
    for (const struct retrace_array *array = context->arrays; array != NULL; array = array->next) {
        GLint divisor;
        uint64_t last = (uint64_t)range->last;

        if (array->object != object || !is_read(array, &divisor))
            continue;
        if (divisor > 0)
            last = range->first_instance + (range->instances - 1) / (uint64_t)divisor;
        else if (range->last < 0)
            return retrace_refuse(retrace, "it reads before its vertices");
        if (reaches(array, last))
            return retrace_refuse(retrace, "it reads element %llu of an array of %llu bytes",
                                  (unsigned long long)last, (unsigned long long)array->size);
    }
    return RETRACE_GO_ON;
}

unsigned retrace_index_bytes(int64_t type)
{
    return type == GL_UNSIGNED_BYTE    ? 1
           : type == GL_UNSIGNED_SHORT ? 2
           : type == GL_UNSIGNED_INT   ? 4
                                       : 0;
}

static uint32_t index_at(const uint8_t *indices, unsigned bytes, uint64_t n)
{
    return bytes == 1   ? indices[n]
           : bytes == 2 ? bytes_le16(indices + 2 * n)
                        : bytes_le32(indices + 4 * n);
}

static struct retrace_span span_of(const uint8_t *indices, unsigned bytes, uint64_t count)
{
    uint32_t restart = bytes == 4 ? UINT32_MAX : (UINT32_C(1) << 8 * bytes) - 1;
    bool restarts = glIsEnabled(PRIMITIVE_RESTART_FIXED_INDEX);
    struct retrace_span span = {-1, -1};

    if (!restarts && glIsEnabled(PRIMITIVE_RESTART)) {
        restarts = true;
        restart = (uint32_t)retrace_get(PRIMITIVE_RESTART_INDEX);
    }
    for (uint64_t n = 0; n < count; n++) {
        uint32_t index = index_at(indices, bytes, n);

        if (restarts && index == restart)
            continue;
        if (index > span.largest)
            span.largest = index;
        if (span.smallest < 0 || index < span.smallest)
            span.smallest = index;
    }
    return span;
}

struct retrace_span retrace_span_in_buffer(uint64_t offset, unsigned bytes, uint64_t count)
{
    GLint size = 0;
    const uint8_t *indices;
    struct retrace_span span = {-2, -2};

    glGetBufferParameteriv(GL_ELEMENT_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
    if (size < 0 || !bytes_inside(offset, count * bytes, (uint64_t)size))
        return span;
    indices = glMapBufferRange(GL_ELEMENT_ARRAY_BUFFER, (GLintptr)offset,
                               (GLsizeiptr)(count * bytes), GL_MAP_READ_BIT);
    if (indices != NULL) {
        span = span_of(indices, bytes, count);
        glUnmapBuffer(GL_ELEMENT_ARRAY_BUFFER);
    }
    return span;
}

/* Where functions have what; -1: they do not. */
struct draw {
    int8_t count, first, type, indices, base, instances, first_instance;
};

enum {
    DRAW_ARRAYS,
    DRAW_ARRAYS_INSTANCED,
    DRAW_ARRAYS_FROM_INSTANCE,
    DRAW_ELEMENTS,
    DRAW_ELEMENTS_BASE,
    DRAW_ELEMENTS_INSTANCED,
    DRAW_ELEMENTS_INSTANCED_BASE,
    DRAW_ELEMENTS_FROM_INSTANCE,
    DRAW_ELEMENTS_BASE_FROM_INSTANCE,
    DRAW_RANGE,
    DRAW_RANGE_BASE,
};

static const struct draw draws[] = {
    [DRAW_ARRAYS] = {2, 1, -1, -1, -1, -1, -1},
    [DRAW_ARRAYS_INSTANCED] = {2, 1, -1, -1, -1, 3, -1},
    [DRAW_ARRAYS_FROM_INSTANCE] = {2, 1, -1, -1, -1, 3, 4},
    [DRAW_ELEMENTS] = {1, -1, 2, 3, -1, -1, -1},
    [DRAW_ELEMENTS_BASE] = {1, -1, 2, 3, 4, -1, -1},
    [DRAW_ELEMENTS_INSTANCED] = {1, -1, 2, 3, -1, 4, -1},
    [DRAW_ELEMENTS_INSTANCED_BASE] = {1, -1, 2, 3, 5, 4, -1},
    [DRAW_ELEMENTS_FROM_INSTANCE] = {1, -1, 2, 3, -1, 4, 5},
    [DRAW_ELEMENTS_BASE_FROM_INSTANCE] = {1, -1, 2, 3, 5, 4, 6},
    [DRAW_RANGE] = {3, -1, 4, 5, -1, -1, -1},
    [DRAW_RANGE_BASE] = {3, -1, 4, 5, 6, -1, -1},
};

static int64_t at(const struct retrace_call *call, int argument, int64_t otherwise)
{
    return argument < 0 ? otherwise : (int32_t)retrace_integer(call, (unsigned)argument);
}

/* Indices in memory or in the buffer; *span: of them, where a caller needs it. */
static enum retrace_outcome check_indices(struct retrace *retrace, struct retrace_argument *indices,
                                          int64_t type, int64_t count, struct retrace_span *span)
{
    bool wanted = retrace_context(retrace)->arrays != NULL;
    unsigned bytes = retrace_index_bytes(type);

    *span = (struct retrace_span){-1, -1};
    indices->checked = true;
    if (bytes == 0 || count <= 0)
        return RETRACE_GO_ON; /* an error, or nothing */
    if (retrace_get(GL_ELEMENT_ARRAY_BUFFER_BINDING) != 0) {
        if (indices->kind == RETRACE_MEMORY)
            return retrace_refuse(retrace, "memory where an offset into a buffer is due");
        if (wanted)
            *span = retrace_span_in_buffer(indices->number, bytes, (uint64_t)count);
        return span->largest == -2 ? retrace_refuse(retrace, "its indices cannot be read")
                                   : RETRACE_GO_ON;
    }
    if (indices->kind != RETRACE_MEMORY)
        return retrace_refuse(retrace, "indices at an address that nothing is known of");
    if ((uint64_t)count > indices->size / bytes)
        return retrace_refuse(retrace, "it has %llu bytes of indices, not %llu",
                              (unsigned long long)indices->size, (unsigned long long)count * bytes);
    if (wanted)
        *span = span_of(indices->memory, bytes, (uint64_t)count);
    return RETRACE_GO_ON;
}

/* The vertices that such indices mean; before the first one there is none. */
void retrace_range_set(struct retrace_range *range, const struct retrace_span *span, int64_t base)
{
    range->none = span->largest < 0;
    range->last = span->smallest + base < 0 ? -1 : span->largest + base;
}

/* More than any program draws at once, and seconds of work. */
enum retrace_outcome retrace_amount_check(struct retrace *retrace, uint64_t vertices)
{
    if (vertices <= RETRACE_VERTICES_MAX)
        return RETRACE_GO_ON;
    return retrace_refuse(retrace, "it draws %llu vertices, of at most %u",
                          (unsigned long long)vertices, (unsigned)RETRACE_VERTICES_MAX);
}

static enum retrace_outcome draw(struct retrace *retrace, struct retrace_call *call)
{
    const struct draw *draw = &draws[call->binding->detail];
    int64_t count = at(call, draw->count, 0), first = at(call, draw->first, 0);
    int64_t instances = at(call, draw->instances, 1);
    struct retrace_span span;
    enum retrace_outcome outcome = RETRACE_GO_ON;
    struct retrace_range range = {.instances = instances > 0 ? (uint64_t)instances : 1,
                                  .first_instance = (uint32_t)at(call, draw->first_instance, 0)};

    if (retrace_can_skip_draw(retrace))
        return RETRACE_MADE;
    if (count > 0 && instances > 0)
        outcome = retrace_amount_check(retrace, (uint64_t)count * (uint64_t)instances);
    if (outcome != RETRACE_GO_ON)
        return outcome;
    if (draw->indices >= 0) {
        outcome = check_indices(retrace, &call->arguments[draw->indices], at(call, draw->type, 0),
                                count, &span);
        retrace_range_set(&range, &span, at(call, draw->base, 0));
    } else {
        range.none = count <= 0 || instances <= 0;
        range.last = first < 0 ? -1 : first + count - 1;
    }
    return outcome == RETRACE_GO_ON ? retrace_range_check(retrace, &range) : outcome;
}

bool retrace_tells_vertices(const struct retrace_binding *binding)
{
    return binding->rule == draw;
}

bool retrace_draw_vertices(const struct retrace_call *call, struct retrace_vertices *out)
{
    const struct draw *places;

    if (!retrace_tells_vertices(call->binding))
        return false;
    places = &draws[call->binding->detail];
    *out = (struct retrace_vertices){.mode = at(call, 0, 0),
                                     .count = at(call, places->count, 0),
                                     .first = at(call, places->first, 0),
                                     .type = at(call, places->type, 0),
                                     .base = at(call, places->base, 0),
                                     .instances = at(call, places->instances, 1),
                                     .first_instance = at(call, places->first_instance, 0),
                                     .indexed = places->indices >= 0};
    if (out->indexed)
        out->indices = &call->arguments[places->indices];
    return true;
}

/* glArrayElement(): a draw of one vertex. */
static enum retrace_outcome array_element(struct retrace *retrace, struct retrace_call *call)
{
    const struct retrace_range range = {.last = (int32_t)retrace_integer(call, 0), .instances = 1};

    return retrace_range_check(retrace, &range);
}

static enum retrace_outcome draw_many_arrays(struct retrace *retrace, struct retrace_call *call)
{
    int64_t many = retrace_integer(call, 3);
    enum retrace_outcome outcome = RETRACE_GO_ON;
    uint64_t vertices = 0;

    if (retrace_can_skip_draw(retrace))
        return RETRACE_MADE;
    if (many < 0 || (uint64_t)many > call->arguments[1].count ||
        (uint64_t)many > call->arguments[2].count)
        return retrace_refuse(retrace, "there are not so many draws");
    for (uint64_t n = 0; n < (uint64_t)many && outcome == RETRACE_GO_ON; n++) {
        int64_t first = retrace_element(call, 1, n), count = retrace_element(call, 2, n);
        const struct retrace_range range = {
            .none = count <= 0, .last = first < 0 ? -1 : first + count - 1, .instances = 1};

        vertices += count > 0 ? (uint64_t)count : 0;
        outcome = retrace_range_check(retrace, &range);
    }
    return outcome == RETRACE_GO_ON ? retrace_amount_check(retrace, vertices) : outcome;
}

/* glMultiModeDraw…IBM(): a mode for each of `many` draws, so many bytes apart. */
static enum retrace_outcome check_modes(struct retrace *retrace, struct retrace_call *call,
                                        int64_t many, int64_t stride)
{
    struct retrace_argument *modes = &call->arguments[0];

    if (many > 0 && (stride < 0 || modes->kind != RETRACE_MEMORY || modes->size < sizeof(GLenum) ||
                     (uint64_t)(many - 1) * (uint64_t)stride > modes->size - sizeof(GLenum)))
        return retrace_refuse(retrace, "there are not so many modes");
    modes->checked = true;
    return RETRACE_GO_ON;
}

static enum retrace_outcome draw_many_modes(struct retrace *retrace, struct retrace_call *call)
{
    const enum retrace_outcome outcome =
        check_modes(retrace, call, retrace_integer(call, 3), retrace_integer(call, 4));

    return outcome == RETRACE_GO_ON ? draw_many_arrays(retrace, call) : outcome;
}

/* `detail`: the argument with numbers that are added to indices; 0: there is none. */
static enum retrace_outcome draw_many_elements(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_argument *lists = &call->arguments[3];
    const unsigned bases = call->binding->detail;
    int64_t many = retrace_integer(call, 4), type = retrace_integer(call, 2);
    enum retrace_outcome outcome = RETRACE_GO_ON;
    uint64_t vertices = 0;
    struct retrace_span span;

    if (retrace_can_skip_draw(retrace))
        return RETRACE_MADE;
    if (many < 0 || (uint64_t)many > call->arguments[1].count || (uint64_t)many > lists->count)
        return retrace_refuse(retrace, "there are not so many draws");
    for (uint64_t n = 0; n < (uint64_t)many && outcome == RETRACE_GO_ON; n++) {
        void *place = ((void **)lists->memory)[n];
        struct retrace_argument one = {.kind =
                                           lists->sizes[n] > 0 ? RETRACE_MEMORY : RETRACE_ADDRESS,
                                       .number = (uint64_t)(uintptr_t)place,
                                       .memory = place,
                                       .size = lists->sizes[n]};
        struct retrace_range range = {.instances = 1};

        vertices += retrace_element(call, 1, n) > 0 ? (uint64_t)retrace_element(call, 1, n) : 0;
        outcome = check_indices(retrace, &one, type, retrace_element(call, 1, n), &span);
        retrace_range_set(&range, &span, bases > 0 ? retrace_element(call, bases, n) : 0);
        if (outcome == RETRACE_GO_ON)
            outcome = retrace_range_check(retrace, &range);
    }
    lists->checked = true;
    return outcome == RETRACE_GO_ON ? retrace_amount_check(retrace, vertices) : outcome;
}

static enum retrace_outcome draw_many_modes_elements(struct retrace *retrace,
                                                     struct retrace_call *call)
{
    const enum retrace_outcome outcome =
        check_modes(retrace, call, retrace_integer(call, 4), retrace_integer(call, 5));

    return outcome == RETRACE_GO_ON ? draw_many_elements(retrace, call) : outcome;
}

/* How many vertices it draws, the driver alone knows: not held against memory of the trace. */
static enum retrace_outcome draw_captured(struct retrace *retrace, struct retrace_call *call)
{
    (void)call;
    if (retrace_can_skip_draw(retrace))
        return RETRACE_MADE;
    if (retrace_reads_memory(retrace))
        return retrace_refuse(retrace, "nobody knows how many vertices it reads");
    return RETRACE_GO_ON;
}

/* How many there are stands in a buffer, and so does all else. `detail`: where to. */
static enum retrace_outcome draw_counted(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_argument *numbers = &call->arguments[call->binding->detail];

    if (retrace_can_skip_draw(retrace))
        return RETRACE_MADE;
    if (retrace_reads_memory(retrace) || numbers->kind == RETRACE_MEMORY ||
        retrace_get(GL_DRAW_INDIRECT_BUFFER_BINDING) == 0)
        return retrace_refuse(retrace, "nobody knows how many vertices it reads");
    numbers->checked = true;
    return RETRACE_GO_ON;
}

/* On the way to a frame. */

/* Draws on framebuffer 0 while it is not shown. */
static bool is_invisible(const struct retrace *retrace, const struct retrace_context *context)
{
    return retrace->discard && !retrace->effects && !context->in_list && !context->in_begin &&
           retrace_get(GL_DRAW_FRAMEBUFFER_BINDING) == 0;
}

bool retrace_can_skip_draw(struct retrace *retrace)
{
    const struct retrace_context *context = retrace_context(retrace);

    if (is_invisible(retrace, context) && retrace_get(GL_TRANSFORM_FEEDBACK_ACTIVE) == 0)
        return true;
    retrace_discard_update(retrace);
    return false;
}

void retrace_discard_update(struct retrace *retrace)
{
    struct retrace_context *context = retrace_context(retrace);
    bool wanted = context->discards;

    if (context->in_list || context->in_begin || context->major < 3)
        return;
    wanted = wanted || is_invisible(retrace, context);
    if (wanted == context->discarding)
        return;
    if (wanted)
        glEnable(RASTERIZER_DISCARD);
    else
        glDisable(RASTERIZER_DISCARD);
    context->discarding = wanted;
}

/* What was pushed may have been another state. */
static void popped(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_context *context = retrace_context(retrace);

    (void)call;
    if (retrace->discard && !context->in_list && !context->in_begin)
        context->discarding = glIsEnabled(RASTERIZER_DISCARD);
}

/* Sorted by name. */
const struct retrace_rule_row retrace_array_rules[] = {
    {"glArrayElement", array_element, NULL, 0},
    {"glColorPointer", point, pointed, POINT_COLOR},
    {"glDrawArrays", draw, NULL, DRAW_ARRAYS},
    {"glDrawArraysIndirect", retrace_draw_indirect, NULL,
     RETRACE_INDIRECT(1, RETRACE_ARRAYS_BYTES)},
    {"glDrawArraysInstanced", draw, NULL, DRAW_ARRAYS_INSTANCED},
    {"glDrawArraysInstancedBaseInstance", draw, NULL, DRAW_ARRAYS_FROM_INSTANCE},
    {"glDrawElements", draw, NULL, DRAW_ELEMENTS},
    {"glDrawElementsBaseVertex", draw, NULL, DRAW_ELEMENTS_BASE},
    {"glDrawElementsIndirect", retrace_draw_indirect, NULL,
     RETRACE_INDIRECT(2, RETRACE_ELEMENTS_BYTES)},
    {"glDrawElementsInstanced", draw, NULL, DRAW_ELEMENTS_INSTANCED},
    {"glDrawElementsInstancedBaseInstance", draw, NULL, DRAW_ELEMENTS_FROM_INSTANCE},
    {"glDrawElementsInstancedBaseVertex", draw, NULL, DRAW_ELEMENTS_INSTANCED_BASE},
    {"glDrawElementsInstancedBaseVertexBaseInstance", draw, NULL, DRAW_ELEMENTS_BASE_FROM_INSTANCE},
    {"glDrawRangeElements", draw, NULL, DRAW_RANGE},
    {"glDrawRangeElementsBaseVertex", draw, NULL, DRAW_RANGE_BASE},
    {"glDrawTransformFeedback", draw_captured, NULL, 0},
    {"glDrawTransformFeedbackInstanced", draw_captured, NULL, 0},
    {"glDrawTransformFeedbackStream", draw_captured, NULL, 0},
    {"glDrawTransformFeedbackStreamInstanced", draw_captured, NULL, 0},
    {"glEdgeFlagPointer", point, pointed, POINT_EDGE_FLAG},
    {"glFogCoordPointer", point, pointed, POINT_FOG},
    {"glIndexPointer", point, pointed, POINT_INDEX},
    {"glInterleavedArrays", interleaved, NULL, 0},
    {"glMultiDrawArrays", draw_many_arrays, NULL, 0},
    {"glMultiDrawArraysIndirect", retrace_draw_indirect, NULL,
     RETRACE_INDIRECT(1, RETRACE_ARRAYS_BYTES)},
    {"glMultiDrawArraysIndirectCount", draw_counted, NULL, 1},
    {"glMultiDrawElements", draw_many_elements, NULL, 0},
    {"glMultiDrawElementsBaseVertex", draw_many_elements, NULL, 5},
    {"glMultiDrawElementsIndirect", retrace_draw_indirect, NULL,
     RETRACE_INDIRECT(2, RETRACE_ELEMENTS_BYTES)},
    {"glMultiDrawElementsIndirectCount", draw_counted, NULL, 2},
    {"glMultiModeDrawArrays", draw_many_modes, NULL, 0},
    {"glMultiModeDrawElements", draw_many_modes_elements, NULL, 0},
    {"glMultiTexCoordPointer", point, pointed, POINT_TEXTURE_OF_UNIT},
    {"glNormalPointer", point, pointed, POINT_NORMAL},
    {"glPointSizePointer", point, pointed, POINT_POINT_SIZE},
    {"glPopAttrib", NULL, popped, 0},
    {"glPopClientAttrib", NULL, client_popped, 0},
    {"glPushClientAttrib", push_client, client_pushed, 0},
    {"glPushClientAttribDefault", push_client, client_pushed, 0},
    {"glSecondaryColorPointer", point, pointed, POINT_SECONDARY},
    {"glTexCoordPointer", point, pointed, POINT_TEXTURE},
    {"glVertexAttribIPointer", point, pointed, POINT_INTEGER},
    {"glVertexAttribLPointer", point, pointed, POINT_INTEGER},
    {"glVertexAttribPointer", point, pointed, POINT_NUMBER},
    {"glVertexAttribPointerNV", point, pointed, POINT_INTEGER},
    {"glVertexPointer", point, pointed, POINT_VERTEX},
};
const size_t retrace_array_rule_count =
    sizeof(retrace_array_rules) / sizeof(retrace_array_rules[0]);
