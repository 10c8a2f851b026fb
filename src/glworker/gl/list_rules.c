/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/list_rules.h"

#include "glworker/gl/array_elements.h"
#include "glworker/gl/budget.h"
#include "glworker/gl/called_lists.h"
#include "glworker/gl/draw_range.h"
#include "glworker/gl/immediate.h"
#include "glworker/gl/lists.h"
#include "glworker/gl/memory.h"
#include "glworker/gl/names.h"
#include "glworker/gl/surfaces.h"
#include "glworker/gl/values.h"

#include <string.h>

/* Enumerators that core profiles lack. */
enum {
    LIST_BYTE = 0x1400,
    LIST_4_BYTES = 0x1409,
    COMPILE = 0x1300,
    LIST_MODE = 0x0B30,
};

enum {
    LISTS_MAX = 1 << 20,
    LIST_BYTES = 256, /* of an empty list */
};

static void learn_lists(struct retrace *retrace, struct retrace_call *call)
{
    uint64_t old = retrace_result(call), now = (uint32_t)call->returned.integer;
    int64_t count = retrace_integer(call, 0);

    if (count > 0 && now != 0)
        retrace_budget_take(retrace, (uint64_t)count * LIST_BYTES);
    for (int64_t n = 0; n < count && n < LISTS_MAX && old != 0 && now != 0; n++)
        retrace_name_put(retrace, RETRACE_DISPLAY_LIST, old + (uint64_t)n, now + (uint64_t)n);
}

static enum retrace_outcome gen_lists(struct retrace *retrace, struct retrace_call *call)
{
    int64_t count = retrace_integer(call, 0);

    if (count > LISTS_MAX)
        return retrace_refuse(retrace, "it creates too many display lists");
    if (count > 0 && !retrace_budget_fits(retrace, (uint64_t)count * LIST_BYTES))
        return RETRACE_REFUSED;
    return RETRACE_GO_ON;
}

static void map_list(struct retrace *retrace, struct retrace_call *call, unsigned n)
{
    call->arguments[n].number =
        retrace_name(retrace, RETRACE_DISPLAY_LIST, call->arguments[n].number);
}

static enum retrace_outcome one_list(struct retrace *retrace, struct retrace_call *call)
{
    retrace_discard_update(retrace);
    map_list(retrace, call, 0);
    return RETRACE_GO_ON;
}

/*
 * Prepares for lists that are about to be called. Lists that are not plain may leave a glBegin()
 * open.
 */
static void expect_lists(struct retrace *retrace, const uint32_t *names, uint64_t count)
{
    retrace->lists.calls_plain = retrace_lists_are_plain(retrace, names, count);
    if (!retrace->lists.calls_plain) {
        retrace_arrays_begin(retrace);
        retrace_elements_begin(retrace);
    }
    retrace_called_lists_note(retrace, names, count);
}

static enum retrace_outcome call_list(struct retrace *retrace, struct retrace_call *call)
{
    const enum retrace_outcome outcome = one_list(retrace, call);
    const uint32_t name = (uint32_t)call->arguments[0].number;

    expect_lists(retrace, &name, 1);
    return outcome;
}

/*
 * After lists were called, except plain lists outside of a primitive: they may have begun or ended
 * a primitive.
 */
static void lists_called(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_context *context = retrace_context(retrace);
    const bool was = context->in_begin;

    (void)call;
    if (retrace->lists.calls_plain && !was)
        return;
    context->in_begin = !retrace_driver_tells();
    if (context->in_begin != was)
        retrace_immediate_lose(context);
}

/*
 * The trace's names of lists that were created together follow each other here, too
 * (learn_lists()), so a range can be deleted as a range.
 */
static void delete_lists(struct retrace *retrace, struct retrace_call *call)
{
    const int64_t count = retrace_integer(call, 1);

    if (count > 0 && !retrace_context(retrace)->in_begin) /* refused in a primitive */
        retrace_lists_delete(retrace, (uint32_t)call->arguments[0].number, (uint32_t)count);
}

static void new_list(struct retrace *retrace, struct retrace_call *call)
{
    if (retrace_get(LIST_MODE) == 0) /* the driver has refused it */
        return;
    retrace_list_begin(retrace, call->arguments[0].number, retrace_integer(call, 1) != COMPILE);
    retrace_context(retrace)->in_list = true;
}

static void end_list(struct retrace *retrace, struct retrace_call *call)
{
    struct retrace_context *context = retrace_context(retrace);

    (void)call;
    retrace_list_end(retrace);
    context->in_list = false;
    /* a glBegin() that was executed while it was compiled is still open */
    context->in_begin = !retrace_driver_tells();
}

static enum retrace_outcome list_base(struct retrace *retrace, struct retrace_call *call)
{
    retrace_context(retrace)->list_base = (uint64_t)retrace_integer(call, 0);
    map_list(retrace, call, 0);
    return RETRACE_GO_ON;
}

/* Returns the n-th name in an array, without the list base. `type` is GL_BYTE to GL_4_BYTES. */
static uint32_t list_name(const uint8_t *lists, int64_t type, uint64_t n)
{
    float single;

    switch (type - LIST_BYTE) {
    case 0:
        return (uint32_t)(int8_t)lists[n];
    case 1:
        return lists[n];
    case 2:
        return (uint32_t)(int16_t)bytes_le16(lists + 2 * n);
    case 3:
        return bytes_le16(lists + 2 * n);
    case 6:
        memcpy(&single, lists + 4 * n, sizeof(single));
        return single > -1e9f && single < 1e9f ? (uint32_t)(int32_t)single : 0;
    case 7:
        return (uint32_t)lists[2 * n] << 8 | lists[2 * n + 1];
    case 8:
        return (uint32_t)lists[3 * n] << 16 | (uint32_t)lists[3 * n + 1] << 8 | lists[3 * n + 2];
    case 9:
        return (uint32_t)lists[4 * n] << 24 | (uint32_t)lists[4 * n + 1] << 16 |
               (uint32_t)lists[4 * n + 2] << 8 | lists[4 * n + 3];
    default:
        return bytes_le32(lists + 4 * n);
    }
}

/* Translates names, relative to the list base, which may be another number here, too. */
static enum retrace_outcome map_lists(struct retrace *retrace, struct retrace_call *call,
                                      uint64_t count)
{
    struct retrace_argument *type = &call->arguments[1], *lists = &call->arguments[2];
    uint32_t was = (uint32_t)retrace_context(retrace)->list_base;
    uint32_t base = (uint32_t)retrace_name(retrace, RETRACE_DISPLAY_LIST, was);
    bool same = true;
    uint32_t *names;

    names = retrace_scratch_take(&retrace->scratch, count * sizeof(*names) + RETRACE_PAD);
    if (names == NULL)
        return retrace_refuse(retrace, "out of memory");
    for (uint64_t n = 0; n < count; n++) {
        uint32_t name = list_name(lists->memory, (int64_t)type->number, n);

        names[n] = (uint32_t)retrace_name(retrace, RETRACE_DISPLAY_LIST, was + name);
        same = same && names[n] - base == name;
    }
    expect_lists(retrace, names, count);
    for (uint64_t n = 0; n < count; n++)
        names[n] -= base;
    if (!same) {
        type->number = GL_UNSIGNED_INT;
        lists->memory = (uint8_t *)names;
    }
    return RETRACE_GO_ON;
}

static enum retrace_outcome call_lists(struct retrace *retrace, struct retrace_call *call)
{
    static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 2, 3, 4}; /* GL_BYTE to GL_4_BYTES */
    struct retrace_argument *lists = &call->arguments[2];
    int64_t count = retrace_integer(call, 0), type = retrace_integer(call, 1);

    retrace_discard_update(retrace);
    if (type < LIST_BYTE || type > LIST_4_BYTES || lists->kind != RETRACE_MEMORY || count < 0)
        return retrace_refuse(retrace, "its arguments are not names of display lists");
    if ((uint64_t)count > lists->size / sizes[type - LIST_BYTE])
        return retrace_refuse(retrace, "there are fewer display lists than it states");
    lists->checked = true;
    return map_lists(retrace, call, (uint64_t)count);
}

/* Sorted by name. */
const struct retrace_rule_row retrace_list_rules[] = {
    {"glCallList", call_list, lists_called, 0},   {"glCallLists", call_lists, lists_called, 0},
    {"glDeleteLists", one_list, delete_lists, 0}, {"glEndList", NULL, end_list, 0},
    {"glGenLists", gen_lists, learn_lists, 0},    {"glListBase", list_base, NULL, 0},
    {"glNewList", one_list, new_list, 0},
};
const size_t retrace_list_rule_count = sizeof(retrace_list_rules) / sizeof(retrace_list_rules[0]);
