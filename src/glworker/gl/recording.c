/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/recording.h"

#include "glworker/gl/surfaces.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_MAX = 64 << 20 };

/* A call; its arguments follow, and then the memory that they point to. */
struct entry {
    struct retrace_binding *binding;
    uint32_t bytes; /* of the entry, a multiple of eight */
    uint32_t count;
    uint64_t own; /* offset in the entry of bytes instead of arguments; 0 if there are none */
    struct {
        uint64_t value;
        uint64_t memory; /* offset in the entry of what it points to; 0 if it does not point */
    } arguments[];
};

struct retrace_recording {
    uint8_t *bytes;
    size_t used, room;
};

enum { ROOM_KEPT = 1 << 20 /* kept allocated after a recording is cleared */ };

struct retrace_recording *retrace_recording_new(void)
{
    return calloc(1, sizeof(struct retrace_recording));
}

void retrace_recording_begin(struct retrace_context *context)
{
    context->recording = retrace_recording_new();
}

void retrace_recording_clear(struct retrace_recording *recording)
{
    recording->used = 0;
    if (recording->room <= ROOM_KEPT)
        return;
    free(recording->bytes);
    recording->bytes = NULL;
    recording->room = 0;
}

size_t retrace_recording_bytes(const struct retrace_recording *recording)
{
    return recording != NULL ? recording->used : 0;
}

void retrace_recording_trim(struct retrace_recording *recording)
{
    uint8_t *bytes;

    if (recording == NULL || recording->used == 0 || recording->used == recording->room)
        return;
    bytes = realloc(recording->bytes, recording->used);
    if (bytes == NULL)
        return;
    recording->bytes = bytes;
    recording->room = recording->used;
}

/* Returns whether an argument points to memory that is passed to the driver, even of zero bytes. */
static bool points(const struct retrace_call *call, unsigned n)
{
    return call->binding->gl->parameters[n].way == RETRACE_IN &&
           call->arguments[n].kind == RETRACE_MEMORY;
}

/*
 * Returns the room for `size` bytes of memory in an entry: zeros follow them, and the next memory
 * is aligned.
 */
static size_t room_of(size_t size)
{
    return (size + RETRACE_PAD + 7) / 8 * 8;
}

/* Returns the number of bytes that an argument points to, or SIZE_MAX if it cannot be kept. */
static size_t pointed(const struct retrace_call *call, unsigned n)
{
    const struct retrace_parameter *parameter = &call->binding->gl->parameters[n];
    const struct retrace_argument *argument = &call->arguments[n];
    uint64_t needed;

    if (parameter->way == RETRACE_VALUE || argument->kind != RETRACE_MEMORY)
        return parameter->way == RETRACE_VALUE || parameter->way == RETRACE_IN ? 0 : SIZE_MAX;
    if (parameter->way != RETRACE_IN || argument->checked) /* a rule may have replaced the memory */
        return SIZE_MAX;
    needed = retrace_needed(call, parameter);
    if (needed > ROOM_MAX)
        return argument->size <= ROOM_MAX ? (size_t)argument->size : SIZE_MAX;
    return (size_t)needed * retrace_type_size(parameter->type);
}

/* Returns the bytes of the entry, or 0 if the call cannot be kept. */
static size_t measure(const struct retrace_call *call)
{
    const unsigned count = call->binding->gl->count;
    size_t bytes = sizeof(struct entry) + count * sizeof(((struct entry *)NULL)->arguments[0]);

    for (unsigned n = 0; n < count; n++) {
        const size_t more = pointed(call, n);

        if (more == SIZE_MAX || more > ROOM_MAX)
            return 0;
        bytes += points(call, n) ? room_of(more) : 0;
    }
    return bytes <= ROOM_MAX ? bytes : 0;
}

static struct entry *make_room(struct retrace_recording *recording, size_t bytes)
{
    size_t room = recording->room == 0 ? 4096 : recording->room;
    uint8_t *grown;

    if (bytes == 0 || recording->used + bytes > ROOM_MAX)
        return NULL;
    while (room < recording->used + bytes)
        room *= 2;
    if (room != recording->room) {
        grown = realloc(recording->bytes, room);
        if (grown == NULL)
            return NULL;
        recording->bytes = grown;
        recording->room = room;
    }
    memset(recording->bytes + recording->used, 0, bytes);
    recording->used += bytes;
    return (struct entry *)(void *)(recording->bytes + recording->used - bytes);
}

bool retrace_recording_add(struct retrace_recording *recording, const struct retrace_call *call,
                           void *const *values)
{
    const size_t bytes = measure(call);
    struct entry *entry = make_room(recording, bytes);
    size_t at;

    if (entry == NULL)
        return false;
    entry->binding = call->binding;
    entry->bytes = (uint32_t)bytes;
    entry->count = call->binding->gl->count;
    at = sizeof(*entry) + entry->count * sizeof(entry->arguments[0]);
    for (unsigned n = 0; n < entry->count; n++) {
        const size_t more = pointed(call, n);

        memcpy(&entry->arguments[n].value, values[n], sizeof(entry->arguments[n].value));
        if (!points(call, n))
            continue;
        entry->arguments[n].memory = at;
        memcpy((uint8_t *)entry + at, call->arguments[n].memory, more);
        at += room_of(more);
    }
    return true;
}

void *retrace_recording_add_bytes(struct retrace_recording *recording,
                                  struct retrace_binding *binding, size_t size)
{
    const size_t head =
        sizeof(struct entry) + binding->gl->count * sizeof(((struct entry *)NULL)->arguments[0]);
    const size_t bytes = size <= ROOM_MAX ? head + room_of(size) : 0;
    struct entry *entry = make_room(recording, bytes);

    if (entry == NULL)
        return NULL;
    entry->binding = binding;
    entry->bytes = (uint32_t)bytes;
    entry->count = binding->gl->count;
    entry->own = head;
    return (uint8_t *)entry + head;
}

const void *retrace_recorded_bytes(const struct retrace_recorded *call)
{
    const struct entry *entry = call->entry;

    return entry->own != 0 ? (const uint8_t *)entry + entry->own : NULL;
}

static void make_entry(struct entry *entry)
{
    void *values[RETRACE_ARGUMENTS_MAX];
    void *pointers[RETRACE_ARGUMENTS_MAX];
    ffi_arg returned;

    for (unsigned n = 0; n < entry->count; n++) {
        pointers[n] = (uint8_t *)entry + entry->arguments[n].memory;
        values[n] = entry->arguments[n].memory != 0 ? (void *)&pointers[n]
                                                    : (void *)&entry->arguments[n].value;
    }
    ffi_call(&entry->binding->cif, entry->binding->made, &returned, values);
}

void retrace_recording_make(const struct retrace_recording *recording)
{
    for (size_t at = 0; at < recording->used;) {
        struct entry *entry = (struct entry *)(void *)(recording->bytes + at);

        make_entry(entry);
        at += entry->bytes;
    }
}

bool retrace_recording_next(const struct retrace_recording *recording, size_t *at,
                            struct retrace_recorded *out)
{
    struct entry *entry = (struct entry *)(void *)(recording->bytes + *at);

    if (*at >= recording->used)
        return false;
    *out = (struct retrace_recorded){entry->binding, entry};
    *at += entry->bytes;
    return true;
}

const uint8_t *retrace_recorded_argument(const struct retrace_recorded *call, unsigned n)
{
    const struct entry *entry = call->entry;

    if (entry->arguments[n].memory != 0)
        return (const uint8_t *)entry + entry->arguments[n].memory;
    return entry->binding->gl->parameters[n].way == RETRACE_VALUE
               ? (const uint8_t *)&entry->arguments[n].value
               : NULL;
}

bool retrace_recorded_is(const struct retrace_recorded *call, const char *name)
{
    return strcmp(call->binding->gl->name, name) == 0;
}

void retrace_recorded_make(const struct retrace_recorded *call)
{
    make_entry(call->entry);
}

void retrace_recording_make_as(const struct retrace_recording *recording, GLenum mode)
{
    struct entry *entry = (struct entry *)(void *)recording->bytes;
    const uint64_t was = entry->arguments[0].value;

    entry->arguments[0].value = mode;
    retrace_recording_make(recording);
    entry->arguments[0].value = was;
}

void retrace_recording_free(struct retrace_recording *recording)
{
    if (recording != NULL)
        free(recording->bytes);
    free(recording);
}

struct retrace_recording *retrace_recording_end(struct retrace_context *context)
{
    struct retrace_recording *recording = context->recording;

    context->recording = NULL;
    return recording;
}

static void give_up(struct retrace_context *context)
{
    struct retrace_recording *recording = retrace_recording_end(context);

    retrace_recording_make(recording);
    retrace_recording_free(recording);
}

bool retrace_recording_take(struct retrace_context *context, const struct retrace_call *call,
                            void *const *values)
{
    if (context->recording == NULL)
        return false;
    if (retrace_recording_add(context->recording, call, values))
        return true;
    give_up(context);
    return false;
}

void retrace_recording_abandon(struct retrace *retrace)
{
    for (uint32_t n = 0; n < retrace->thread_count; n++) {
        struct retrace_thread *thread = retrace->threads[n];

        if (thread->context != NULL && thread->context->recording != NULL &&
            retrace_enter(retrace, thread))
            give_up(thread->context);
    }
}
