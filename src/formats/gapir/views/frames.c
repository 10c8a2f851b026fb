/* SPDX-License-Identifier: MIT */
#include "formats/gapir/views/views.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* frames.tsv */

int gapir_frame_cells(struct dump *dump, uint64_t number, const struct cancel *cancel,
                      struct text *text)
{
    const struct gapir_index *index;
    int status = gapir_dump_index(gapir_dump_of(dump), cancel, &index);

    if (status != 0)
        return status;
    const struct gapir_frame_record *frame = &index->frames[number];
    const struct gapir_post_record *post =
        frame->post != GAPIR_NO_POST ? &index->posts[frame->post] : NULL;
    const struct gapir_format *format = post != NULL ? post->shape.format : frame->format;
    text_cell_or_none(text, post != NULL, frame->post);
    text_cell(text, frame->site.pc);
    gapir_cell_label(text, frame->site.label);
    text_cell_word(text, format != NULL ? format->name : "-");
    text_cell_word(text, post == NULL ? "-" : post->shape.bottom_up ? "bottom-up" : "top-down");
    text_cell_or_none(text, post != NULL, post != NULL ? post->bytes.size : 0);
    text_cell_word(text, post != NULL        ? gapir_content_name(post)
                         : frame->width != 0 ? "mesa"
                                             : "-");
    text_cell_word(text, frame->end);
    return 0;
}

/* info.txt */

/* What a frame uses, found by running it once more. */
struct uses {
    const struct gapir_scan *scan;
    uint64_t *calls; /* number of calls, by index in scan->usages */
    bool *resources; /* whether it is loaded, by number */
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
    text_field(text, "content", "%s", gapir_content_name(post));
    text_add(text, "region: ");
    gapir_write_region(&post->bytes, text);
    text_add_char(text, '\n');
    text_field(text, "region_offset", "%" PRIu64, post->bytes.offset);
    text_field(text, "offset", "%" PRIu64, gapir_replay_offset(replay, post->site.pc));
}

/* Writes the size and format of the image that is drawn on, or presented, when the frame ends. */
static void write_drawn(const struct gapir_frame_record *frame, struct text *text)
{
    text_field(text, "width", "%" PRIu32, frame->width);
    text_field(text, "height", "%" PRIu32, frame->height);
    if (frame->format != NULL)
        text_field(text, "format", "%s", frame->format->name);
    text_field(text, "content", "mesa");
}

static void write_frame(const struct gapir_frame_record *frame, struct text *text)
{
    text_field(text, "end", "%s", frame->end);
    text_field(text, "first_packet", "%" PRIu32, frame->first_packet);
    text_field(text, "last_packet", "%" PRIu32, frame->last_packet);
    text_field(text, "pc", "%" PRIu32, frame->site.pc);
    gapir_field_label(text, frame->site.label);
    text_field(text, "executed", "%" PRIu64, frame->site.steps);
    text_field(text, "calls", "%" PRIu64, frame->call_end - frame->first_call);
    if (frame->post != GAPIR_NO_POST)
        text_field(text, "post", "%" PRIu32, frame->post);
    else
        text_field(text, "post", "-");
}

int gapir_frame_info(struct dump *dump, uint64_t number, const struct cancel *cancel,
                     struct text *text)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    const struct gapir_frame_record *frame;
    const struct gapir_index *index;
    struct uses uses = {0};
    int status = gapir_dump_frame(gapir, number, cancel, &index, &frame);

    if (status != 0)
        return status;
    write_frame(frame, text);
    if (frame->post != GAPIR_NO_POST)
        write_post(gapir->replay, &index->posts[frame->post], text);
    else if (frame->width != 0)
        write_drawn(frame, text);
    status = find_uses(gapir, number != 0 ? frame[-1].close : 0, frame->close, cancel, &uses);
    if (status == 0)
        write_uses(&uses, gapir->replay->payload.resource_count, text);
    free(uses.calls);
    free(uses.resources);
    return status;
}
