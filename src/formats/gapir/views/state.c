/* SPDX-License-Identifier: MIT */
#include "formats/gapir/views/views.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { SLOTS_SHOWN = 65536, HISTORY = 16 };

static void write_stack(const struct gapir_vm *vm, struct text *text)
{
    text_field(text, "stack", "%" PRIu32, vm->depth);
    for (uint32_t n = vm->depth; n-- > 0 && vm->depth - n <= SLOTS_SHOWN;) {
        const struct gapir_slot *slot = &vm->stack[n];
        text_printf(text, "slots.%" PRIu32 ": %s ", n, gapir_type_name(slot->type));
        gapir_write_value(vm->plan, slot->type, slot->value, text);
        text_printf(text, " (0x%" PRIx64 ")\n", slot->value);
    }
    if (vm->depth > SLOTS_SHOWN)
        text_field(text, "slots_not_shown", "%" PRIu32, vm->depth - SLOTS_SHOWN);
}

static void write_windows(const struct gapir_vm *vm, struct text *text)
{
    for (uint32_t n = 0; n < vm->window_count; n++)
        if (vm->windows[n].mapped)
            text_printf(text,
                        "windows.%" PRIu32 ": 0x%" PRIx64 ", %" PRIu64 " bytes, memory 0x%" PRIx64
                        "\n",
                        n, vm->windows[n].address, vm->windows[n].size, vm->windows[n].tag);
}

static void write_vm(const struct gapir_vm *vm, struct text *text)
{
    text_field(text, "pc", "%" PRIu32, vm->pc);
    gapir_field_label(text, vm->labelled ? vm->label : GAPIR_LABEL_START);
    text_field(text, "thread", "%" PRIu32, vm->thread);
    text_field(text, "executed", "%" PRIu64, vm->steps);
    text_field(text, "moved_bytes", "%" PRIu64, vm->moved);
    text_field(text, "calls", "%" PRIu64, vm->calls);
    text_field(text, "posts", "%" PRIu32, vm->posts);
    write_stack(vm, text);
    write_windows(vm, text);
}

int gapir_frame_state(struct dump *dump, uint64_t number, const struct cancel *cancel,
                      struct text *text)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    const struct gapir_frame_record *frame;
    const struct gapir_index *index;
    struct gapir_vm_instance *instance = NULL;
    int status = gapir_dump_frame(gapir, number, cancel, &index, &frame);

    if (status == 0)
        status = gapir_dump_take_vm(gapir, frame->site.steps, cancel, &instance);
    if (status != 0)
        return status;
    write_vm(instance->vm, text);
    text_field(text, "volatile_crc32", "0x%08" PRIx32, gapir_vm_instance_crc32(instance));
    gapir_vm_pool_park(gapir->pool, &instance);
    return 0;
}

/* fault.txt */

/* Runs the last instructions one at a time, and records the pc of each. */
static int step_history(struct gapir_vm_instance *instance, uint64_t end,
                        const struct cancel *cancel, uint32_t history[HISTORY], unsigned *count)
{
    int status = 0;

    *count = 0;
    while (status == 0 && instance->vm->steps < end && !instance->vm->ended) {
        history[(*count)++ % HISTORY] = instance->vm->pc;
        status = gapir_vm_instance_run(instance, instance->vm->steps + 1, cancel);
    }
    return status;
}

static void write_fault(const struct gapir_replay *replay, const struct gapir_index *index,
                        struct text *text)
{
    struct gapir_instruction instruction;

    text_field(text, "fault", "%s", gapir_fault_name(index->fault));
    text_field(text, "pc", "%" PRIu32, index->end.pc);
    text_field(text, "offset", "%" PRIu64, gapir_replay_offset(replay, index->end.pc));
    text_field(text, "packet", "%" PRIu32, index->end.packet);
    gapir_field_label(text, index->end.label);
    text_field(text, "thread", "%" PRIu32, index->thread);
    text_field(text, "executed", "%" PRIu64, index->end.steps);
    gapir_decode(&replay->scan.code, index->end.pc, &instruction);
    text_add(text, "instruction: ");
    gapir_write_instruction(&replay->scan.code, &instruction, text);
    text_add(text, "\ncall: ");
    if (instruction.opcode == GAPIR_CALL)
        gapir_write_function(&replay->scan, instruction.word, text);
    else
        text_add_char(text, '-');
    text_add_char(text, '\n');
}

static void write_history(const struct gapir_replay *replay, const uint32_t *history,
                          unsigned count, struct text *text)
{
    text_field(text, "last_instructions", "%u", count < HISTORY ? count : HISTORY);
    for (unsigned n = count < HISTORY ? 0 : count - HISTORY; n < count; n++) {
        struct gapir_mark mark = gapir_mark_at(replay, history[n % HISTORY]);
        gapir_write_lines(replay, &mark, 1, UINT32_MAX, text);
    }
}

static int describe_fault(struct gapir_dump *dump, const struct gapir_index *index,
                          const struct cancel *cancel, struct text *text)
{
    uint64_t from = index->end.steps > HISTORY ? index->end.steps - HISTORY : 0;
    struct gapir_vm_instance *instance = NULL;
    uint32_t history[HISTORY];
    unsigned count;
    int status = gapir_dump_take_vm(dump, from, cancel, &instance);

    if (status != 0)
        return status;
    status = step_history(instance, index->end.steps, cancel, history, &count);
    if (status == 0) {
        write_fault(dump->replay, index, text);
        write_stack(instance->vm, text);
        write_history(dump->replay, history, count, text);
    }
    gapir_vm_pool_park(dump->pool, &instance);
    return status;
}

int gapir_fault_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    const struct gapir_index *index;
    struct text text = TEXT_INIT;
    int status = gapir_dump_index(gapir, cancel, &index);

    (void)key;
    if (status == 0 && index->refused)
        text_add(&text, "fault: refused: volatile memory is above max-memory\n");
    else if (status == 0 && index->fault != GAPIR_FAULT_NONE)
        status = describe_fault(gapir, index, cancel, &text);
    if (status == 0)
        return text_blob(&text, out);
    text_clear(&text);
    return status;
}

/* A file of bytes that memory holds after some number of steps. */
struct moment {
    uint64_t steps;
    bool drawn; /* taken from the memory of the player's VM */
    /* where the bytes begin; its size is not used, as the file may be longer than an extent */
    struct gapir_extent begin;
    uint64_t size;
};

typedef int (*locate)(const struct gapir_dump *dump, const struct gapir_index *index, uint64_t key,
                      struct moment *out);

static int post_at(const struct gapir_dump *dump, const struct gapir_index *index, uint64_t key,
                   struct moment *out)
{
    (void)dump;
    if (key >= index->post_count)
        return -ENOENT;
    const struct gapir_post_record *post = &index->posts[key];
    *out = (struct moment){.steps = post->site.steps,
                           .drawn = post->drawn,
                           .begin = post->bytes,
                           .size = post->bytes.size};
    return 0;
}

static int notification_at(const struct gapir_dump *dump, const struct gapir_index *index,
                           uint64_t key, struct moment *out)
{
    (void)dump;
    if (key >= index->notification_count)
        return -ENOENT;
    const struct gapir_notification_record *record = &index->notifications[key];
    *out = (struct moment){
        .steps = record->site.steps, .begin = record->bytes, .size = record->bytes.size};
    return 0;
}

static int window_at(const struct gapir_dump *dump, const struct gapir_index *index, uint64_t key,
                     struct moment *out)
{
    const struct gapir_extent begin = {.region = GAPIR_WINDOW, .window = (uint32_t)key};

    (void)dump;
    if (key >= index->window_count)
        return -ENOENT;
    *out = (struct moment){
        .steps = index->end.steps, .begin = begin, .size = index->windows[key].size};
    return 0;
}

static void memory_after(const struct gapir_dump *dump, uint64_t steps, struct moment *out)
{
    const struct gapir_extent begin = {.region = GAPIR_VOLATILE};

    *out = (struct moment){
        .steps = steps, .begin = begin, .size = dump->replay->payload.volatile_size};
}

static int memory_at(const struct gapir_dump *dump, const struct gapir_index *index, uint64_t key,
                     struct moment *out)
{
    if (key >= dump->replay->scan.packet_count || index->visits[key].left == 0)
        return -ENOENT;
    memory_after(dump, index->visits[key].left, out);
    return 0;
}

static int memory_end_at(const struct gapir_dump *dump, const struct gapir_index *index,
                         uint64_t key, struct moment *out)
{
    (void)key;
    memory_after(dump, index->end.steps, out);
    return 0;
}

static int frame_memory_at(const struct gapir_dump *dump, const struct gapir_index *index,
                           uint64_t key, struct moment *out)
{
    if (key >= index->frame_count)
        return -ENOENT;
    memory_after(dump, index->frames[key].site.steps, out);
    return 0;
}

/* Returns -EAGAIN if the index does not exist yet, rather than waiting for it. */
static int size_of(struct dump *dump, uint64_t key, locate find, uint64_t *size)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    const struct gapir_index *index = gapir_dump_peek(gapir);
    struct moment moment = {0};
    int status = index != NULL ? find(gapir, index, key, &moment) : -EAGAIN;

    *size = moment.size;
    return status;
}

/* Which bytes are copied from an instance's memory. */
struct copying {
    struct gapir_extent from;
    size_t length;
    struct blob **out;
};

static int copy_bytes(void *context, const struct gapir_vm_instance *instance)
{
    const struct copying *copying = context;
    int status = blob_create(copying->length, copying->out);

    if (status != 0 ||
        gapir_vm_instance_copy(instance, &copying->from, copying->length, (*copying->out)->data))
        return status;
    blob_unref(copying->out);
    return -EIO;
}

static int copy_drawn(void *context, const struct gapir_player_sight *sight)
{
    return gapir_player_has_post(sight) ? copy_bytes(context, sight->instance) : -EIO;
}

/* Usually an instance is parked where the last piece left it. */
static int copy_at(struct gapir_dump *dump, uint64_t steps, struct copying *copying,
                   const struct cancel *cancel)
{
    struct gapir_vm_instance *instance = NULL;
    int status = gapir_vm_pool_look(dump->pool, steps, copy_bytes, copying);

    if (status != -ENOENT)
        return status;
    status = gapir_dump_take_vm(dump, steps, cancel, &instance);
    if (status == 0)
        status = copy_bytes(copying, instance);
    gapir_vm_pool_park(dump->pool, &instance);
    return status;
}

static int piece_of(struct dump *dump, uint64_t key, locate find, uint64_t offset, size_t length,
                    const struct cancel *cancel, struct blob **out)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    struct copying copying = {.length = length, .out = out};
    struct moment moment = {0};
    const struct gapir_index *index;
    int status = gapir_dump_index(gapir, cancel, &index);

    if (status == 0)
        status = find(gapir, index, key, &moment);
    if (status != 0)
        return status;
    copying.from = moment.begin;
    copying.from.offset += offset;
    if (moment.drawn)
        return gapir_dump_show(gapir, index, moment.steps, cancel, copy_drawn, &copying);
    return copy_at(gapir, moment.steps, &copying, cancel);
}

#define LEFT_BY_A_RUN(name)                                                                        \
    int gapir_##name##_size(struct dump *dump, uint64_t key, uint64_t *size)                       \
    {                                                                                              \
        return size_of(dump, key, name##_at, size);                                                \
    }                                                                                              \
                                                                                                   \
    int gapir_##name##_piece(struct dump *dump, uint64_t key, uint64_t offset, size_t length,      \
                             const struct cancel *cancel, struct blob **out)                       \
    {                                                                                              \
        return piece_of(dump, key, name##_at, offset, length, cancel, out);                        \
    }

LEFT_BY_A_RUN(post)
LEFT_BY_A_RUN(notification)
LEFT_BY_A_RUN(window)
LEFT_BY_A_RUN(memory)
LEFT_BY_A_RUN(memory_end)
LEFT_BY_A_RUN(frame_memory)
