/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/list_calls.h"

#include "glworker/core/serve.h"
#include "glworker/gl/list_steps.h"

#include <string.h>

enum {
    BYTES_MAX = 64 << 20,
    LIST_BYTES = 128, /* of a list, besides its calls */
    NESTED_MAX = 64,  /* as in drivers */
    CALLS_MAX = 1 << 22,
    STOPS = 1 << 14
};

/* Contexts that share no lists may use the same names. */
uint64_t retrace_list_key(const struct retrace *retrace, uint64_t name)
{
    return (uint64_t)retrace_context(retrace)->group << 32 | (uint32_t)name;
}

/*
 * Calls that are executed immediately are not compiled into lists; values of arrays are kept by
 * list_arrays.h.
 */
bool retrace_list_calls_takes(const char *name)
{
    static const char *const parts[] = {"Pointer", "ClientState", "InterleavedArrays", "Format",
                                        "Binding", "Divisor",     "VertexArray"};

    for (size_t n = 0; n < sizeof(parts) / sizeof(parts[0]); n++)
        if (strstr(name, parts[n]) != NULL)
            return false;
    return retrace_step(name) != RETRACE_STEP_NONE && strncmp(name, "glDraw", 6) != 0 &&
           strncmp(name, "glArrayElement", 14) != 0;
}

void retrace_list_calls_drop(struct retrace *retrace, struct retrace_list_state *list)
{
    retrace->lists.bytes -= retrace_recording_bytes(list->calls);
    retrace_recording_free(list->calls);
    list->calls = NULL;
}

bool retrace_list_calls_noting(const struct retrace *retrace)
{
    const struct retrace_list_state *list = &retrace_context(retrace)->list;

    return retrace_context(retrace)->in_list && list->plain && !list->lost;
}

void retrace_list_calls_lose(struct retrace *retrace)
{
    struct retrace_list_state *list = &retrace_context(retrace)->list;

    list->lost = true;
    retrace_list_calls_drop(retrace, list);
}

/*
 * Updates the count after a call was added, before which the list had `before` bytes. Drops the
 * list's calls if the call was not added, or if all lists have too many bytes.
 */
static bool count_bytes(struct retrace *retrace, size_t before, bool added)
{
    retrace->lists.bytes += retrace_recording_bytes(retrace_context(retrace)->list.calls) - before;
    if (added && retrace->lists.bytes <= BYTES_MAX)
        return true;
    retrace_list_calls_lose(retrace);
    return false;
}

static struct retrace_recording *calls_of(const struct retrace *retrace)
{
    struct retrace_list_state *list = &retrace_context(retrace)->list;

    if (list->calls == NULL)
        list->calls = retrace_recording_new();
    return list->calls;
}

void retrace_list_calls_note(struct retrace *retrace, const struct retrace_call *call,
                             void *const *values)
{
    struct retrace_recording *calls;
    size_t before;

    if (!retrace_list_calls_noting(retrace) || !call->binding->listed)
        return;
    calls = calls_of(retrace);
    before = retrace_recording_bytes(calls);
    (void)count_bytes(retrace, before, calls != NULL && retrace_recording_add(calls, call, values));
}

void *retrace_list_calls_note_bytes(struct retrace *retrace, const struct retrace_call *call,
                                    size_t size)
{
    struct retrace_recording *calls = calls_of(retrace);
    const size_t before = retrace_recording_bytes(calls);
    void *bytes = calls != NULL ? retrace_recording_add_bytes(calls, call->binding, size) : NULL;

    return count_bytes(retrace, before, bytes != NULL) ? bytes : NULL;
}

static void forget(struct retrace *retrace, uint64_t key)
{
    struct retrace_recording *calls;
    uint64_t value;

    if (!retrace_map_get(&retrace->lists.calls, key, &value))
        return;
    calls = (struct retrace_recording *)(uintptr_t)value;
    retrace->lists.bytes -= retrace_recording_bytes(calls) + LIST_BYTES;
    retrace_recording_free(calls);
    retrace_map_remove(&retrace->lists.calls, key);
}

/*
 * A list whose calls are not kept has an entry without a recording; an empty list has a recording.
 */
void retrace_list_calls_end(struct retrace *retrace, uint64_t key, bool plain)
{
    struct retrace_list_state *list = &retrace_context(retrace)->list;

    forget(retrace, key);
    if (plain && list->calls == NULL && !list->lost)
        list->calls = retrace_recording_new();
    if (!plain || retrace->lists.bytes + LIST_BYTES > BYTES_MAX)
        retrace_list_calls_drop(retrace, list);
    retrace_recording_trim(list->calls);
    if (retrace_map_put(&retrace->lists.calls, key, (uintptr_t)list->calls) == 0) {
        retrace->lists.bytes += LIST_BYTES;
    } else {
        retrace_list_calls_drop(retrace, list);
        retrace->lists.lost = true;
    }
    list->calls = NULL;
}

void retrace_list_calls_delete(struct retrace *retrace, uint64_t first, uint64_t last)
{
    const struct retrace_map *map = &retrace->lists.calls;
    uint64_t key = RETRACE_NO_KEY;
    uint32_t at = 0;

    if (map->count == 0)
        return;
    if (last - first >= map->room) {
        while (retrace_map_next(map, first, last, &at, &key))
            forget(retrace, key);
        return;
    }
    for (key = first; key <= last; key++)
        forget(retrace, key);
}

void retrace_list_calls_clear(struct retrace *retrace)
{
    const struct retrace_map *map = &retrace->lists.calls;

    for (uint32_t n = 0; n < map->room; n++)
        if (map->pairs[n].key != RETRACE_NO_KEY)
            retrace_recording_free((struct retrace_recording *)(uintptr_t)map->pairs[n].value);
    retrace_map_clear(&retrace->lists.calls);
    retrace->lists.bytes = 0;
}

/* Visiting calls. */

static const char not_kept[] = "the calls of one of its display lists are not kept";

static uint32_t name_of(const struct retrace_recorded *call)
{
    uint32_t name;

    memcpy(&name, retrace_recorded_argument(call, 0), sizeof(name));
    return name;
}

const char *retrace_list_walk_calls(struct retrace_list_walk *walk,
                                    const struct retrace_recording *recording)
{
    struct retrace_recorded call;
    const char *why = NULL;

    for (size_t at = 0; why == NULL && retrace_recording_next(recording, &at, &call);) {
        if (++walk->calls > CALLS_MAX)
            return "there are too many calls in its display lists";
        if (walk->may_stop && walk->calls % STOPS == 0 && serve_is_withdrawn())
            return "the request was cancelled";
        why = retrace_recorded_is(&call, "glCallList") ? retrace_list_walk(walk, name_of(&call))
                                                       : walk->meet(walk->context, &call);
    }
    return why;
}

const char *retrace_list_walk(struct retrace_list_walk *walk, uint32_t name)
{
    const char *why;
    uint64_t value;

    if (!retrace_map_get(&walk->retrace->lists.calls, retrace_list_key(walk->retrace, name),
                         &value))
        return walk->retrace->lists.lost ? not_kept : NULL;
    if (value == 0)
        return not_kept;
    if (walk->depth == NESTED_MAX)
        return "its display lists are nested too deeply";
    walk->depth++;
    why = retrace_list_walk_calls(walk, (const struct retrace_recording *)(uintptr_t)value);
    walk->depth--;
    return why;
}
