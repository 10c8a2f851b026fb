/* SPDX-License-Identifier: MIT */
/*
 * Sends a replay's calls of Vulkan as records to the graphics worker's session (gapir.md 3.9,
 * worker.md 7). Memory that was written is sent before a call that has a pointer; writes to mapped
 * memory are sent before a call that may read it. What is posted from mapped memory is fetched.
 */
#include "formats/gapir/replay/player_backend.h"

#include "base/array.h"
#include "base/string.h"
#include "formats/gapir/replay/player.h"
#include "formats/gapir/replay/worker_protocol.h"
#include "worker/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    API_VULKAN = 2,
    MEMORY_CHUNK = 256 << 10,
    GATHERED_MAX = 1 << 20,
    READ_AHEAD = 64 << 10, /* minimum of bytes that are fetched from a window */
};

struct gapir_vk_player {
    struct gapir_backend_params params;
    struct session session;
    struct message_writer records;     /* records that have gathered */
    struct gapir_call_source *sources; /* of the calls among them, by rising number */
    uint32_t source_count, source_room;
    /* What was last fetched for the program to read, valid until a call may have changed it. */
    uint64_t fetched_from, fetched_to; /* addresses */
    bool unread;                       /* the driver does not have what the program read last */
};

/* The session. */

static const struct session_kind kind = {
    .bad_max = GAPIR_BAD_CALLS_MAX,
    .makes = SESSION_MAKES(GAPIR_MESSAGE_MEMORY) | SESSION_MAKES(GAPIR_MESSAGE_PICTURE),
    .cancel_ends = true,
    .wide_places = true,
    .notes_max = GAPIR_VK_NOTES_MAX,
};

/* Passes on what the worker reports about a call, which it names by number. */
static void note(void *context, enum problem_severity severity, uint64_t number, const char *text)
{
    struct gapir_vk_player *vk = context;

    for (uint32_t n = 0; n < vk->source_count; n++)
        if (vk->sources[n].call == number) {
            vk->params.note(vk->params.context, severity, &vk->sources[n], text);
            return;
        }
}

/* Reads the reply to a feed: the number of bytes taken, and notes. */
static int read_answer(struct gapir_vk_player *vk, const struct blob *payload, size_t left,
                       size_t *taken)
{
    struct message_reader reader;
    uint64_t bytes;

    message_reader_init(&reader, payload->data, payload->size);
    bytes = message_read_u64(&reader);
    if (bytes == 0 || bytes > left)
        return session_broken(&vk->session);
    *taken = (size_t)bytes;
    return session_read_notes(&vk->session, &reader, message_read_u32(&reader));
}

/* Sends records. The worker takes as many as it can at once. */
static int feed(struct gapir_vk_player *vk, const uint8_t *bytes, size_t size, size_t *taken,
                const struct cancel *cancel)
{
    const struct message_part part = {bytes, size};
    const struct worker_request request = {.kind = GAPIR_MESSAGE_FEED,
                                           .parts = &part,
                                           .part_count = 1,
                                           .max_reply = SESSION_NOTES_BYTES};
    struct message_writer head = {.bytes = NULL};
    struct blob *payload = NULL;
    int status = session_request(&vk->session, &head, &request, cancel, &payload);

    if (status == 0)
        status = read_answer(vk, payload, size, taken);
    blob_unref(&payload);
    return status;
}

/* Sends all records to the worker, which has made their calls when it replies. */
static int drain(void *backend, const struct cancel *cancel)
{
    struct gapir_vk_player *vk = backend;

    size_t taken = 0;
    int status = vk->records.bad ? -ENOMEM : 0;

    for (size_t at = 0; status == 0 && at < vk->records.size; at += taken)
        status = feed(vk, vk->records.bytes + at, vk->records.size - at, &taken, cancel);
    message_writer_free(&vk->records);
    vk->source_count = 0;
    return status;
}

static int settle(struct gapir_vk_player *vk, const struct cancel *cancel)
{
    if (vk->records.bad)
        return -ENOMEM;
    return vk->records.size >= GATHERED_MAX ? drain(vk, cancel) : 0;
}

/* Memory. */

static void tell_block(struct gapir_vk_player *vk, uint64_t address, uint64_t size)
{
    message_write_u32(&vk->records, GAPIR_RECORD_BLOCK);
    message_write_u64(&vk->records, address);
    message_write_u64(&vk->records, size);
}

static int tell_bytes(struct gapir_vk_player *vk, uint64_t address, const uint8_t *bytes,
                      uint64_t size, const struct cancel *cancel)
{
    int status = 0;

    for (uint64_t at = 0; at < size && status == 0; at += MEMORY_CHUNK) {
        uint32_t part = (uint32_t)(size - at < MEMORY_CHUNK ? size - at : MEMORY_CHUNK);

        message_write_u32(&vk->records, GAPIR_RECORD_BYTES);
        message_write_u64(&vk->records, address + at);
        message_write_u32(&vk->records, part);
        message_write_bytes(&vk->records, bytes + at, part);
        status = settle(vk, cancel);
    }
    return status;
}

/* Sends what was written to a memory at an address, as far as it has not been sent yet. */
static int tell_written(struct gapir_vk_player *vk, struct gapir_written *written, uint64_t address,
                        const uint8_t *bytes, const struct cancel *cancel)
{
    uint64_t offset = 0, size = 0;
    int status = 0;

    for (; status == 0 && gapir_written_take(written, MEMORY_CHUNK, &offset, &size);)
        status = tell_bytes(vk, address + offset, bytes + offset, size, cancel);
    return status;
}

static int tell_memory(struct gapir_vk_player *vk, struct gapir_vm *vm, const struct cancel *cancel)
{
    return tell_written(vk, &vm->written, vm->plan->memory, vm->memory, cancel);
}

/* Sends what the program wrote to mapped memory. */
static int tell_windows(struct gapir_vk_player *vk, struct gapir_vm *vm,
                        const struct cancel *cancel)
{
    int status = 0;

    for (uint32_t n = 0; n < vm->window_count && status == 0; n++) {
        struct gapir_window *window = &vm->windows[n];

        if (window->data != NULL)
            status = tell_written(vk, &window->written, window->address, window->data, cancel);
    }
    return status;
}

/* Calls. */

static bool has_pointer(const struct gapir_call *call)
{
    for (unsigned n = 0; n < call->count; n++)
        if (call->arguments[n].type == GAPIR_ABSOLUTE_POINTER && call->arguments[n].value != 0)
            return true;
    return false;
}

/* Calls before which mapped memory must have what the program wrote. */
static bool reads_windows(const char *name)
{
    static const char *const readers[] = {"vkQueueSubmit", "vkFlushMappedMemoryRanges",
                                          "vkUnmapMemory", "vkFreeMemory"};

    for (size_t n = 0; n < sizeof(readers) / sizeof(readers[0]); n++)
        if (string_begins(name, readers[n]))
            return true;
    return false;
}

static void tell_call(struct gapir_vk_player *vk, const struct gapir_vm *vm, const char *name)
{
    const struct gapir_call *call = &vm->call;

    message_write_u32(&vk->records, GAPIR_RECORD_CALL);
    message_write_u64(&vk->records, vm->calls - 1);
    message_write_u32(&vk->records, (uint32_t)strlen(name));
    message_write_bytes(&vk->records, name, strlen(name));
    message_write_u32(&vk->records, call->count);
    for (unsigned n = 0; n < call->count; n++)
        message_write_u64(&vk->records, call->arguments[n].value);
}

static int called(void *backend, struct gapir_vm_instance *instance, const struct cancel *cancel)
{
    struct gapir_vk_player *vk = backend;

    struct gapir_vm *vm = instance->vm;
    const struct gapir_call *call = &vm->call;
    const char *name;
    int status = 0;

    if (call->function == NULL || gapir_call_api(call->word) != API_VULKAN)
        return 0;
    name = gapir_function_name(call->function);
    if (strncmp(name, "vkCmd", 5) != 0)
        vk->fetched_from = vk->fetched_to = 0;
    if (has_pointer(call))
        status = tell_memory(vk, vm, cancel);
    if (status == 0 && reads_windows(name))
        status = tell_windows(vk, vm, cancel);
    if (status == 0)
        status = ARRAY_GROW(vk->sources, vk->source_count, vk->source_room);
    if (status != 0)
        return status;
    vk->sources[vk->source_count++] =
        (struct gapir_call_source){.call = vm->calls - 1, .pc = vm->pc};
    tell_call(vk, vm, name);
    return settle(vk, cancel);
}

/* Reads a piece of mapped memory, for gapir_backend_fetch(). */
static int read_memory(void *backend, uint64_t address, uint64_t size, const struct cancel *cancel,
                       struct blob **out)
{
    struct gapir_vk_player *vk = backend;
    const uint32_t numbers[] = {(uint32_t)address, (uint32_t)(address >> 32), (uint32_t)size, 0};
    int status =
        session_request_numbers(&vk->session, GAPIR_MESSAGE_MEMORY, numbers, 4, size, cancel, out);

    return status == 0 && (*out)->size != size ? session_broken(&vk->session) : status;
}

/* Fetches the bytes of a post from mapped memory, as the driver has them. */
static int posted(void *backend, struct gapir_vm_instance *instance, const struct gapir_post *post,
                  const struct cancel *cancel)
{
    struct gapir_vk_player *vk = backend;

    int status;

    if (post->location.region == GAPIR_VOLATILE)
        return vk->unread && gapir_driver_origin(instance->driver, post).region == GAPIR_WINDOW
                   ? -ENODATA
                   : 0;
    if (post->location.region != GAPIR_WINDOW || post->location.data == NULL)
        return 0;
    status = tell_windows(vk, instance->vm, cancel);
    if (status == 0)
        status = drain(vk, cancel);
    if (status == 0)
        status = gapir_backend_fetch(post->address, post->size, post->location.data, read_memory,
                                     vk, cancel);
    return status;
}

/*
 * Fetches the driver's bytes, which include what the program wrote. Fetches more than requested,
 * since programs read on.
 */
static int reading(void *backend, struct gapir_vm_instance *instance,
                   const struct gapir_location *location, uint64_t size,
                   const struct cancel *cancel)
{
    struct gapir_vk_player *vk = backend;
    const struct gapir_window *window = &instance->vm->windows[location->window];
    const uint64_t from = window->address + location->offset;
    int status;

    if (location->data == NULL || (from >= vk->fetched_from && from + size <= vk->fetched_to))
        return 0;
    if (size < READ_AHEAD)
        size = location->left < READ_AHEAD ? location->left : READ_AHEAD;
    status = tell_windows(vk, instance->vm, cancel);
    if (status == 0)
        status = drain(vk, cancel);
    if (status == 0)
        status = gapir_backend_fetch(from, size, location->data, read_memory, vk, cancel);
    if (status == 0) {
        vk->fetched_from = from;
        vk->fetched_to = from + size;
    }
    vk->unread = status == -ENODATA;
    return vk->unread ? 0 : status;
}

/* Gets the last presented image. If it could not be made, there is a note on the call. */
static int picture(void *backend, const struct gapir_player_picture *want,
                   const struct cancel *cancel, const uint8_t **pixels, struct blob **owner)
{
    struct gapir_vk_player *vk = backend;
    const uint32_t numbers[] = {want->width, want->height, want->pixel_bytes};
    const uint64_t size = (uint64_t)want->width * want->height * want->pixel_bytes;
    int status = size <= WORKER_PAYLOAD_MAX
                     ? session_request_numbers(&vk->session, GAPIR_MESSAGE_PICTURE, numbers, 3,
                                               size, cancel, owner)
                     : -EFBIG;

    if (status == 0 && (*owner)->size != size) {
        blob_unref(owner);
        status = session_broken(&vk->session);
    }
    *pixels = status == 0 ? (*owner)->data : NULL;
    return status;
}

/* Backend functions for a player's way through the run. */

static void forget(void *backend)
{
    struct gapir_vk_player *vk = backend;

    message_writer_free(&vk->records);
    vk->source_count = 0;
    vk->fetched_from = vk->fetched_to = 0;
    vk->unread = false;
}

static int begin(void *backend, struct gapir_vm_instance *instance, const struct cancel *cancel)
{
    struct gapir_vk_player *vk = backend;

    const struct gapir_vm *vm = instance->vm;
    const struct gapir_program *program = vm->program;
    struct message_writer head = {.bytes = NULL};
    int status;

    message_write_u32(&head, vk->session.bad_count);
    session_write_bad(&vk->session, &head);
    status = session_reset(&vk->session, GAPIR_MESSAGE_RESET, &head, cancel);
    if (status != 0)
        return status;
    tell_block(vk, vm->plan->constants, program->constants_size);
    tell_block(vk, vm->plan->memory, program->volatile_size);
    return tell_bytes(vk, vm->plan->constants, program->constants, program->constants_size, cancel);
}

static const char *reason(const void *backend)
{
    const struct gapir_vk_player *vk = backend;

    return vk->session.reason;
}

static void destroy(void **backend)
{
    struct gapir_vk_player *vk = *backend;

    if (vk == NULL)
        return;
    forget(vk);
    free(vk->sources);
    free(vk);
    *backend = NULL;
}

static int create(const struct gapir_backend_params *params, void **out)
{
    struct gapir_vk_player *vk = calloc(1, sizeof(*vk));

    *out = vk;
    if (vk == NULL)
        return -ENOMEM;
    vk->params = *params;
    session_init(&vk->session, &kind, params->worker, note, vk);
    return 0;
}

const struct gapir_backend_ops gapir_vk_backend = {
    .vulkan = true,
    .create = create,
    .destroy = destroy,
    .begin = begin,
    .called = called,
    .posted = posted,
    .reading = reading,
    .drain = drain,
    .forget = forget,
    .reason = reason,
    .picture = picture,
};
