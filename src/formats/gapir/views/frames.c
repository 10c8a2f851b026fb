#include "formats/gapir/views/frames.h"

#include "core/checksum.h"
#include "formats/gapir/views/commands.h"
#include "formats/gapir/views/disassembly.h"
#include "formats/gapir/views/memory.h"
#include "formats/gapir/views/packets.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { SLOTS_SHOWN = 65536, HISTORY = 16 };

static void field_label(struct text *text, uint32_t label)
{
    text_add(text, "label: ");
    gapir_write_label(label, text);
    text_add_char(text, '\n');
}

static void field_none(struct text *text, const char *key)
{
    text_field(text, key, "-");
}

static int find_frame(struct dump *dump, uint64_t number, const struct cancel *cancel,
                      const struct gapir_index **index, const struct gapir_frame_record **frame)
{
    int status = gapir_dump_index(gapir_dump_of(dump), cancel, index);

    if (status == 0 && number >= (*index)->frame_count)
        status = -ENOENT;
    if (status == 0)
        *frame = &(*index)->frames[number];
    return status;
}

/* What a frame used, found by running it once more. */
struct uses {
    const struct gapir_scan *scan;
    uint64_t *calls; /* by index in scan->usages */
    bool *resources; /* by number */
};

static uint32_t usage_index(const struct gapir_scan *scan, uint32_t key)
{
    uint32_t low = 0, high = scan->usage_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (scan->usages[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int on_called(void *context, struct gapir_vm_instance *instance)
{
    struct uses *uses = context;

    uses->calls[usage_index(uses->scan, instance->vm->call.word & 0xfffff)]++;
    return 0;
}

static int on_resource(void *context, struct gapir_vm_instance *instance, uint32_t index)
{
    struct uses *uses = context;

    (void)instance;
    uses->resources[index] = true;
    return 0;
}

static const struct gapir_run_observer uses_observer = {.called = on_called,
                                                        .resource = on_resource};

static int find_uses(struct gapir_dump *dump, uint64_t from, uint64_t to,
                     const struct cancel *cancel, struct uses *uses)
{
    struct gapir_vm_instance *instance = NULL;
    uint32_t usages = dump->replay->scan.usage_count;
    uint32_t resources = dump->replay->payload.resource_count;

    uses->scan = &dump->replay->scan;
    uses->calls = calloc(usages != 0 ? usages : 1, sizeof(*uses->calls));
    uses->resources = calloc(resources != 0 ? resources : 1, sizeof(*uses->resources));
    if (uses->calls == NULL || uses->resources == NULL)
        return -ENOMEM;
    int status = gapir_dump_take_vm(dump, from, cancel, &instance);
    if (status != 0)
        return status;
    instance->observer = &uses_observer;
    instance->context = uses;
    status = gapir_vm_instance_run(instance, to, cancel);
    if (status == 0 || status == -EINTR)
        gapir_vm_pool_park(dump->pool, &instance);
    gapir_vm_instance_destroy(&instance);
    return status;
}

static void write_uses(const struct uses *uses, uint32_t resources, struct text *text)
{
    for (uint32_t n = 0; n < resources; n++)
        if (uses->resources[n])
            text_field(text, "resource", "%" PRIu32, n);
    for (uint32_t n = 0; n < uses->scan->usage_count; n++) {
        if (uses->calls[n] == 0)
            continue;
        text_add(text, "calls.");
        gapir_write_function(uses->scan, uses->scan->usages[n].key, text);
        text_printf(text, ": %" PRIu64 "\n", uses->calls[n]);
    }
}

static void write_post(const struct gapir_replay *replay, const struct gapir_post_record *post,
                       struct text *text)
{
    const struct gapir_framebuffer_shape *shape = &post->shape;

    text_field(text, "width", "%" PRIu32, shape->width);
    text_field(text, "height", "%" PRIu32, shape->height);
    text_field(text, "format", "%s", shape->format->name);
    text_field(text, "rows", "%s", shape->bottom_up ? "bottom-up" : "top-down");
    text_field(text, "stride", "%" PRIu32, shape->stride);
    text_field(text, "bytes", "%" PRIu32, post->bytes.size);
    text_field(text, "content", "%s", gapir_content_name(post->content));
    text_add(text, "region: ");
    gapir_write_region(&post->bytes, text);
    text_add_char(text, '\n');
    text_field(text, "region_offset", "%" PRIu64, post->bytes.offset);
    text_field(text, "offset", "%" PRIu64, gapir_replay_offset(replay, post->site.pc));
}

static void write_frame(const struct gapir_frame_record *frame, struct text *text)
{
    text_field(text, "end", "%s", frame->end);
    text_field(text, "first_packet", "%" PRIu32, frame->first_packet);
    text_field(text, "last_packet", "%" PRIu32, frame->last_packet);
    text_field(text, "pc", "%" PRIu32, frame->site.pc);
    field_label(text, frame->site.label);
    text_field(text, "executed", "%" PRIu64, frame->site.steps);
    text_field(text, "calls", "%" PRIu64, frame->call_end - frame->first_call);
    if (frame->post != GAPIR_NO_POST)
        text_field(text, "post", "%" PRIu32, frame->post);
    else
        field_none(text, "post");
}

int gapir_frame_info(struct dump *dump, uint64_t number, const struct cancel *cancel,
                     struct text *text)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    const struct gapir_frame_record *frame;
    const struct gapir_index *index;
    struct uses uses = {0};
    int status = find_frame(dump, number, cancel, &index, &frame);

    if (status != 0)
        return status;
    write_frame(frame, text);
    if (frame->post != GAPIR_NO_POST)
        write_post(gapir->replay, &index->posts[frame->post], text);
    status = find_uses(gapir, number != 0 ? frame[-1].close : 0, frame->close, cancel, &uses);
    if (status == 0)
        write_uses(&uses, gapir->replay->payload.resource_count, text);
    free(uses.calls);
    free(uses.resources);
    return status;
}

/* The VM. */

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
    field_label(text, vm->labelled ? vm->label : GAPIR_LABEL_START);
    text_field(text, "thread", "%" PRIu32, vm->thread);
    text_field(text, "executed", "%" PRIu64, vm->steps);
    text_field(text, "moved_bytes", "%" PRIu64, vm->moved);
    text_field(text, "calls", "%" PRIu64, vm->calls);
    text_field(text, "posts", "%" PRIu32, vm->posts);
    write_stack(vm, text);
    write_windows(vm, text);
    text_field(text, "volatile_crc32", "%08" PRIx32,
               checksum_crc32(CHECKSUM_CRC32, vm->memory, vm->program->volatile_size));
}

int gapir_frame_state(struct dump *dump, uint64_t number, const struct cancel *cancel,
                      struct text *text)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    const struct gapir_frame_record *frame;
    const struct gapir_index *index;
    struct gapir_vm_instance *instance = NULL;
    int status = find_frame(dump, number, cancel, &index, &frame);

    if (status == 0)
        status = gapir_dump_take_vm(gapir, frame->site.steps, cancel, &instance);
    if (status != 0)
        return status;
    write_vm(instance->vm, text);
    gapir_vm_pool_park(gapir->pool, &instance);
    return 0;
}

/* fault.txt */

/* Runs the last instructions one by one, and notes where they stand. */
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
    field_label(text, index->end.label);
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

/* Inline resources. */

static void write_patches(const struct gapir_code *code, const char *key, uint32_t at,
                          uint32_t count, struct text *text)
{
    for (uint32_t n = 0; n < count; n++, at += 2)
        text_field(text, key, "VOL+0x%" PRIx32 " <- VOL+0x%" PRIx32, gapir_word(code, at),
                   gapir_word(code, at + 1));
}

int gapir_inline_text_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out)
{
    const struct gapir_scan *scan = &gapir_dump_of(dump)->replay->scan;
    const struct gapir_inline_site *site = gapir_inline_at(scan, key);
    struct gapir_inline parts;
    struct text text = TEXT_INIT;

    (void)cancel;
    if (site == NULL || !gapir_decode_inline(&scan->code, site->pc, &parts))
        return -ENOENT;
    text_field(&text, "pc", "%" PRIu32, site->pc);
    text_field(&text, "packet", "%" PRIu32, site->packet);
    text_field(&text, "bytes", "%" PRIu32, parts.bytes);
    text_field(&text, "value_patches", "%" PRIu32, parts.value_patches);
    text_field(&text, "pointer_patches", "%" PRIu32, parts.pointer_patches);
    write_patches(&scan->code, "value", parts.values, parts.value_patches, &text);
    write_patches(&scan->code, "pointer", parts.pointers, parts.pointer_patches, &text);
    return text_blob(&text, out);
}
