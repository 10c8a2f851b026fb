/* SPDX-License-Identifier: MIT */
#include "formats/vma/decode/decode.h"
#include "formats/vma/views/views.h"

#include <errno.h>
#include <inttypes.h>

enum { POLL_ROWS = 64, ROUNDED_TO = 4 };

/* The line that created an allocation. Rows that follow each other often share it. */
struct origin {
    uint32_t packet;
    bool known;
    struct vma_line line;
    struct vma_call call;
    struct vma_requirements needs;
};

static void read_origin(const struct vma_recording *recording, uint32_t packet,
                        struct origin *origin)
{
    if (origin->known && origin->packet == packet)
        return;
    *origin = (struct origin){.known = true, .packet = packet};
    vma_recording_line(recording, packet, &origin->line);
    vma_call_read(origin->line.text, origin->line.ended, &origin->call);
    /*
     * It was a valid call when it was replayed. If the dump is being overwritten, it may not be any
     * more.
     */
    if (origin->call.verdict == VMA_CALL_GOOD &&
        (vma_functions[origin->call.head.function].roles & VMA_ALLOCATES) != 0)
        vma_requirements(&recording->configuration.device, &origin->call, &origin->needs);
}

/* Returns whether user data of an allocating call are strings. */
static bool has_string(const struct vma_call *call)
{
    return call->head.function != VMA_CREATE_LOST_ALLOCATION &&
           (call->value[VMA_FLAGS] & VMA_FLAG_STRING) != 0;
}

/* Appends the last user data of an allocation. */
static void write_user_data(const struct vma_recording *recording, const struct origin *origin,
                            const struct vma_lifetime_rare *more, struct text *text)
{
    struct vma_user_data data;
    struct vma_call renaming;
    struct vma_line line;
    const struct vma_call *call = &origin->call;

    if (origin->call.verdict != VMA_CALL_GOOD)
        return;
    if (more->renamed != VMA_NEVER) {
        vma_recording_line(recording, more->renamed, &line);
        vma_call_read(line.text, line.ended, &renaming);
        call = &renaming;
    } else if (call->head.function == VMA_CREATE_LOST_ALLOCATION) {
        return;
    }
    vma_user_data(recording, call->text, has_string(&origin->call), &data);
    vma_user_data_write(recording->data, data.string, data.value, data.length, text);
}

/* Appends a packet and its frame, each as `-` if there is none. */
static void packet_cells(const struct vma_recording *recording, uint32_t packet, struct text *text)
{
    uint32_t frame = packet == VMA_NEVER ? VMA_NO_FRAME : vma_recording_frame_of(recording, packet);

    text_cell_or_none(text, packet != VMA_NEVER, packet);
    text_cell_or_none(text, frame != VMA_NO_FRAME, frame);
}

static uint64_t size_of(const struct origin *origin, const struct vma_lifetime *lifetime)
{
    uint64_t size = origin->needs.size;

    return lifetime->rounded ? (size + ROUNDED_TO - 1) / ROUNDED_TO * ROUNDED_TO : size;
}

/* Returns whether the allocation had a place in a block. That of an orphan was in a block, too. */
static bool had_block(const struct vma_lifetime *lifetime)
{
    return lifetime->place == VMA_PLACE_BLOCK || lifetime->place == VMA_PLACE_ORPHAN;
}

static void lifetime_row(const struct vma_recording *recording, const struct vma_history *history,
                         uint32_t number, struct origin *origin, struct text *text)
{
    const struct vma_lifetime *lifetime = &history->lifetimes[number];
    const struct vma_lifetime_rare *more = vma_history_more(history, lifetime);
    bool placed = had_block(lifetime) || lifetime->place == VMA_PLACE_DEDICATED;
    size_t user_data;

    read_origin(recording, lifetime->created, origin);
    text_add_u64(text, number);
    text_add_char(text, '\t');
    vma_pointer_write(lifetime->pointer, text);
    packet_cells(recording, lifetime->created, text);
    packet_cells(recording, lifetime->destroyed, text);
    text_cell_word(text, vma_functions[origin->call.head.function].name);
    text_cell(text, size_of(origin, lifetime));
    text_cell_word(text, origin->needs.estimated ? "estimated" : "exact");
    text_cell_or_none(text, placed, lifetime->type);
    text_cell_or_none(text, lifetime->pool != VMA_NO_POOL, lifetime->pool);
    text_cell_or_none(text, had_block(lifetime), lifetime->block);
    text_cell_or_none(text, had_block(lifetime), lifetime->offset);
    text_cell(text, more->moved);
    text_cell_or_none(text, more->lost_frame != VMA_NEVER, more->lost_frame);
    text_cell(text, more->maps);
    text_add_char(text, '\t');
    user_data = text->length;
    write_user_data(recording, origin, more, text);
    text_end_cell(text, user_data);
    text_add_char(text, '\n');
}

static int count_lifetimes(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           uint64_t *rows)
{
    struct vma_dump *vma = vma_dump_of(dump);
    int status = vma_dump_wait(vma, cancel);

    (void)key;
    if (status == 0)
        *rows = vma_pass_history(vma->pass)->lifetime_count;
    return status;
}

/* Appends all rows, or those of one pool. */
static int lifetime_rows(struct vma_dump *dump, uint64_t number, uint64_t end, uint32_t pool,
                         const struct cancel *cancel, struct text *text)
{
    const struct vma_history *history = vma_pass_history(dump->pass);
    struct origin origin = {.known = false};

    for (; number < end; number++) {
        if (pool != VMA_NO_POOL && history->lifetimes[number].pool != pool)
            continue;
        lifetime_row(&dump->recording, history, (uint32_t)number, &origin, text);
        if (number % POLL_ROWS == 0 && cancel_requested(cancel))
            return -EINTR;
    }
    return 0;
}

static int allocation_rows(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                           const struct cancel *cancel, struct text *text)
{
    (void)key;
    return lifetime_rows(vma_dump_of(dump), first, end, VMA_NO_POOL, cancel, text);
}

static int pool_rows(struct dump *dump, uint64_t pool, uint64_t first, uint64_t end,
                     const struct cancel *cancel, struct text *text)
{
    struct vma_dump *vma = vma_dump_of(dump);

    if (pool >= vma->recording.counts.pools)
        return -ENOENT;
    return lifetime_rows(vma, first, end, (uint32_t)pool, cancel, text);
}

static const char lifetime_columns[] =
    "allocation\tpointer\tcreated\tcreated_frame\tdestroyed\tdestroyed_frame\tcall\tsize\t"
    "requirements\ttype\tpool\tblock\toffset\tmoved\tlost_frame\tmaps\tuser_data";

const struct dump_listing vma_allocations_table = {
    .columns = lifetime_columns, .count = count_lifetimes, .rows = allocation_rows};
const struct dump_listing vma_pool_allocations_table = {
    .columns = lifetime_columns, .count = count_lifetimes, .rows = pool_rows};

/* pools/NNNNN/info.txt */

static void packet_fields(const struct vma_recording *recording, const char *what, uint32_t packet,
                          struct text *text)
{
    if (packet == VMA_NEVER) {
        text_printf(text, "%s_packet: -\n%s_frame: -\n", what, what);
        return;
    }
    text_printf(text, "%s_packet: %" PRIu32 "\n%s_frame: ", what, packet, what);
    if (vma_recording_frame_of(recording, packet) == VMA_NO_FRAME)
        text_add(text, "-\n");
    else
        text_printf(text, "%" PRIu32 "\n", vma_recording_frame_of(recording, packet));
}

static void write_names(const struct vma_recording *recording, const struct vma_history *history,
                        const struct vma_pool_lifetime *lifetime, struct text *text)
{
    for (uint32_t i = lifetime->first_name; i != 0; i = history->names[i].next) {
        struct vma_line line;
        struct vma_call call;

        vma_recording_line(recording, history->names[i].packet, &line);
        vma_call_read(line.text, line.ended, &call);
        text_printf(text, "name: packet %" PRIu32 " ", history->names[i].packet);
        text_add_escaped(text, call.text.begin, vma_slice_length(call.text));
        text_add_char(text, '\n');
    }
}

static void write_parameters(const struct vma_call *call, struct text *text)
{
    const struct vma_function *function = &vma_functions[VMA_CREATE_POOL];

    for (unsigned i = 0; i < function->parameter_count; i++) {
        const struct vma_parameter *parameter = &function->parameters[i];

        if (parameter->slot == VMA_POOL ||
            (call->late_pool && parameter->slot == VMA_FRAMES_IN_USE))
            continue;
        text_printf(text, "%s: ", parameter->name);
        if (parameter->values != NULL)
            vma_enum_write(parameter->values, (uint32_t)call->value[parameter->slot], text);
        else
            text_add_u64(text, call->value[parameter->slot]);
        text_add_char(text, '\n');
    }
}

int vma_pool_info(struct dump *dump, uint64_t pool, const struct cancel *cancel, struct text *text)
{
    struct vma_dump *vma = vma_dump_of(dump);
    const struct vma_history *history = vma_pass_history(vma->pass);
    const struct vma_pool_lifetime *lifetime;
    struct origin origin = {.known = false};
    int status = vma_dump_wait(vma, cancel);

    if (status < 0)
        return status;
    if (pool >= history->pool_count)
        return -ENOENT;
    lifetime = &history->pools[pool];
    read_origin(&vma->recording, lifetime->created, &origin);
    text_field(text, "pool", "%05" PRIu64, pool);
    if (lifetime->id == VMA_NEVER)
        text_add(text, "id: -\n");
    else
        text_field(text, "id", "%" PRIu32, lifetime->id);
    text_add(text, "pointer: ");
    vma_pointer_write(origin.call.value[VMA_POOL], text);
    text_add_char(text, '\n');
    packet_fields(&vma->recording, "created", lifetime->created, text);
    packet_fields(&vma->recording, "destroyed", lifetime->destroyed, text);
    write_parameters(&origin.call, text);
    text_field(text, "allocations", "%" PRIu32, lifetime->allocations);
    write_names(&vma->recording, history, lifetime, text);
    return 0;
}

/* leaks.txt and leaks.tsv: objects that were never ended. */

enum leak_state { LEAK_LIVES, LEAK_POOL_DESTROYED, LEAK_NULL, LEAK_LOST };

struct leak {
    const char *kind;
    enum leak_state state;
    uint64_t pointer, size;
    uint32_t packet;
    bool sized;
};

/* Appends the beginning of a line, after which the caller appends the user data. */
typedef void leak_writer(const struct vma_recording *recording, const struct leak *leak,
                         struct text *text);

static void write_leak(const struct vma_recording *recording, const struct leak *leak,
                       struct text *text)
{
    static const char *const states[] = {"", " (pool destroyed)", " (null)", " (lost)"};
    uint32_t frame = vma_recording_frame_of(recording, leak->packet);

    text_add(text, leak->kind);
    text_add(text, states[leak->state]);
    text_add(text, " pointer=");
    vma_pointer_write(leak->pointer, text);
    text_printf(text, " packet=%" PRIu32 " frame=", leak->packet);
    if (frame == VMA_NO_FRAME)
        text_add_char(text, '-');
    else
        text_add_u64(text, frame);
    text_add(text, " size=");
    if (leak->sized)
        text_add_u64(text, leak->size);
    else
        text_add_char(text, '-');
    text_add(text, " user_data=");
}

static void write_leak_cells(const struct vma_recording *recording, const struct leak *leak,
                             struct text *text)
{
    static const char *const states[] = {"live", "pool-destroyed", "null", "lost"};
    uint32_t frame = vma_recording_frame_of(recording, leak->packet);

    text_add(text, leak->kind);
    text_cell_word(text, states[leak->state]);
    text_add_char(text, '\t');
    vma_pointer_write(leak->pointer, text);
    text_cell(text, leak->packet);
    text_cell_or_none(text, frame != VMA_NO_FRAME, frame);
    text_cell_or_none(text, leak->sized, leak->size);
    text_add_char(text, '\t');
}

static enum leak_state leak_state(const struct vma_lifetime *lifetime,
                                  const struct vma_lifetime_rare *more)
{
    switch ((enum vma_place_kind)lifetime->place) {
    case VMA_PLACE_ORPHAN:
        return LEAK_POOL_DESTROYED;
    case VMA_PLACE_NULL:
        return LEAK_NULL;
    default:
        return more->lost_frame != VMA_NEVER || lifetime->place == VMA_PLACE_LOST ? LEAK_LOST
                                                                                  : LEAK_LIVES;
    }
}

static int leaked_allocations(struct vma_dump *dump, leak_writer *write,
                              const struct cancel *cancel, struct text *text)
{
    const struct vma_history *history = vma_pass_history(dump->pass);
    struct origin origin = {.known = false};

    for (uint32_t number = 0; number < history->lifetime_count; number++) {
        const struct vma_lifetime *lifetime = &history->lifetimes[number];
        const struct vma_lifetime_rare *more = vma_history_more(history, lifetime);
        struct leak leak = {"allocation", leak_state(lifetime, more), .pointer = lifetime->pointer,
                            .packet = lifetime->created, .sized = true};
        size_t user_data;

        if (number % POLL_ROWS == 0 && cancel_requested(cancel))
            return -EINTR;
        if (lifetime->destroyed != VMA_NEVER)
            continue;
        read_origin(&dump->recording, lifetime->created, &origin);
        leak.size = size_of(&origin, lifetime);
        write(&dump->recording, &leak, text);
        user_data = text->length;
        write_user_data(&dump->recording, &origin, more, text);
        if (write == write_leak_cells)
            text_end_cell(text, user_data);
        text_add_char(text, '\n');
    }
    return 0;
}

/* Lists pools that were not destroyed, including those whose names were taken over. */
static void leaked_pools(const struct vma_dump *dump, leak_writer *write, struct text *text)
{
    const struct vma_allocator *allocator = &vma_pass_end(dump->pass)->allocator;

    for (uint32_t i = 1; i < allocator->pools.count; i++) {
        const struct vma_pool *pool = vma_pool(allocator, i);
        struct leak leak = {"pool", pool->vector == VMA_NONE ? LEAK_NULL : LEAK_LIVES,
                            .pointer = pool->pointer, .packet = pool->packet, .sized = true};
        size_t name;

        if (!pool->in_use)
            continue;
        if (pool->vector != VMA_NONE)
            leak.size = vma_vector(allocator, pool->vector)->preferred;
        write(&dump->recording, &leak, text);
        name = text->length;
        text_add_escaped(text, allocator->data + pool->name, pool->name_length);
        if (write == write_leak_cells)
            text_end_cell(text, name);
        text_add_char(text, '\n');
    }
}

static void leaked_contexts(const struct vma_dump *dump, leak_writer *write, struct text *text)
{
    const struct vma_allocator *allocator = &vma_pass_end(dump->pass)->allocator;

    for (uint32_t i = 1; i < allocator->contexts.count; i++) {
        const struct vma_context *context = vma_context(allocator, i);
        const struct leak leak = {"defragmentation", LEAK_LIVES, .pointer = context->pointer,
                                  .packet = context->packet};

        if (!context->in_use)
            continue;
        write(&dump->recording, &leak, text);
        text_add(text, write == write_leak_cells ? "-\n" : "\n");
    }
}

static int write_leaks(struct vma_dump *vma, leak_writer *write, const struct cancel *cancel,
                       struct text *text)
{
    int status = vma_dump_wait(vma, cancel);

    if (status == 0)
        status = leaked_allocations(vma, write, cancel, text);
    if (status == 0) {
        leaked_pools(vma, write, text);
        leaked_contexts(vma, write, text);
    }
    return status;
}

int vma_leaks(struct dump *dump, uint64_t key, const struct cancel *cancel, struct text *text)
{
    (void)key;
    return write_leaks(vma_dump_of(dump), write_leak, cancel, text);
}

int vma_leaks_table(struct dump *dump, uint64_t key, const struct cancel *cancel, struct text *text)
{
    (void)key;
    text_add(text, "kind\tstate\tpointer\tpacket\tframe\tsize\tuser_data\n");
    return write_leaks(vma_dump_of(dump), write_leak_cells, cancel, text);
}

/* failures.tsv */

static const char *const failure_names[VMA_FAILURES] = {
    [VMA_FAILURE_NONE] = "-",
    [VMA_FAILURE_REQUEST] = "invalid-request",
    [VMA_FAILURE_TYPE] = "no-memory-type",
    [VMA_FAILURE_BLOCK_SIZE] = "larger-than-block",
    [VMA_FAILURE_NEVER] = "never-allocate",
    [VMA_FAILURE_POOL] = "pool-full",
    [VMA_FAILURE_BUDGET] = "budget",
    [VMA_FAILURE_HEAP] = "heap-full",
    [VMA_FAILURE_COUNT] = "allocation-count",
    [VMA_FAILURE_LIMIT] = "simulation-limit",
};

static int count_failures(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          uint64_t *rows)
{
    struct vma_dump *vma = vma_dump_of(dump);
    int status = vma_dump_wait(vma, cancel);

    (void)key;
    if (status == 0)
        *rows = vma_pass_history(vma->pass)->failure_count;
    return status;
}

static void failure_row(const struct vma_recording *recording,
                        const struct vma_failed_call *failure, struct origin *origin,
                        struct text *text)
{
    bool allocates;

    read_origin(recording, failure->packet, origin);
    allocates = (vma_functions[origin->call.head.function].roles & VMA_ALLOCATES) != 0;
    text_add_u64(text, failure->packet);
    text_cell_or_none(text, true, vma_recording_frame_of(recording, failure->packet));
    text_cell_word(text, vma_functions[origin->call.head.function].name);
    text_cell_or_none(text, allocates, origin->needs.size);
    text_cell_or_none(text, allocates, origin->needs.alignment);
    text_cell_word(text, failure->succeeded ? "succeeded" : "failed");
    text_cell_word(text, failure_names[failure->reason]);
    text_add_char(text, '\n');
}

static int failure_rows(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                        const struct cancel *cancel, struct text *text)
{
    struct vma_dump *vma = vma_dump_of(dump);
    const struct vma_history *history = vma_pass_history(vma->pass);
    struct origin origin = {.known = false};

    (void)key;
    for (uint64_t n = first; n < end; n++) {
        failure_row(&vma->recording, &history->failures[n], &origin, text);
        if (n % POLL_ROWS == 0 && cancel_requested(cancel))
            return -EINTR;
    }
    return 0;
}

const struct dump_listing vma_failures_table = {
    .columns = "packet\tframe\tcall\tsize\talignment\trecorded\treason",
    .count = count_failures,
    .rows = failure_rows};
