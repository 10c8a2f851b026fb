/* SPDX-License-Identifier: MIT */
#include "formats/vma/views/views.h"

#include "base/array.h"
#include "base/wide.h"
#include "formats/vma/decode/decode.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_FIELDS = 80, /* maximum of distinct names of parameters */
    /* Counters of a field: one for each value of an enumeration, bit of a set, or power of two. */
    VALUES = 80,
    MAX_PARAMETERS = 24,
    POLL_LINES = 1 << 10,
};

/* The values of one parameter, in the calls of all functions that have it. */
struct field {
    const struct vma_parameter *parameter;
    uint64_t calls; /* number of calls that have it */
    uint64_t min, max;
    struct wide sum;
    uint64_t zero;           /* number of values that are 0, null or empty */
    uint64_t counts[VALUES]; /* by value, bit, or power of two */
    uint64_t other;
    uint64_t *formats; /* by row of the table of image formats */
};

enum { BUFFER_CLASSES = 4, IMAGE_CLASSES = 5 };

/* The same classes as in the colours of the memory map. */
static const struct {
    const char *name;
    uint32_t usage; /* 0 for the rest */
} buffer_classes[BUFFER_CLASSES] = {{"vertex_index_indirect", 0x1C0},
                                    {"storage", 0x28},
                                    {"uniform", 0x14},
                                    {"other", 0}},
  image_classes[IMAGE_CLASSES - 1] = {
      {"depth_stencil", 0x20}, {"attachment", 0xD0}, {"sampled", 0x4}, {"other", 0}};

struct report {
    struct field fields[MAX_FIELDS];
    uint32_t field_count;
    uint8_t ids[VMA_FUNCTIONS][MAX_PARAMETERS]; /* index in `fields` of each parameter */
    uint64_t buffers[BUFFER_CLASSES], images[IMAGE_CLASSES];
    struct vma_map threads; /* thread to index in `thread_counts` */
    struct thread_count {
        uint32_t thread;
        uint64_t calls;
    } * thread_counts;
    uint32_t thread_room;
    uint64_t calls;
};

static uint8_t field_id(struct report *report, const struct vma_parameter *parameter)
{
    uint32_t i = 0;

    while (i < report->field_count &&
           strcmp(report->fields[i].parameter->name, parameter->name) != 0)
        i++;
    if (i == report->field_count) {
        report->fields[i] = (struct field){.parameter = parameter, .min = UINT64_MAX};
        report->field_count++;
    }
    return (uint8_t)i;
}

static int init_report(struct report *report)
{
    for (unsigned function = 0; function < VMA_FUNCTIONS; function++)
        for (unsigned i = 0; i < vma_functions[function].parameter_count; i++)
            report->ids[function][i] = field_id(report, &vma_functions[function].parameters[i]);
    for (uint32_t i = 0; i < report->field_count; i++) {
        const struct vma_enum *values = report->fields[i].parameter->values;

        if (values == NULL || values->kind != VMA_ENUM_FORMAT)
            continue;
        report->fields[i].formats = calloc(vma_image_format_count, sizeof(uint64_t));
        if (report->fields[i].formats == NULL)
            return -ENOMEM;
    }
    return 0;
}

static void clear_report(struct report *report)
{
    for (uint32_t i = 0; i < report->field_count; i++)
        free(report->fields[i].formats);
    vma_map_clear(&report->threads);
    free(report->thread_counts);
    free(report);
}

static uint64_t list_length(struct vma_slice list)
{
    struct vma_slice item;
    uint64_t length = 0;

    while (vma_list_next(&list, &item))
        length++;
    return length;
}

static uint64_t value_of(const struct vma_call *call, const struct vma_parameter *parameter)
{
    switch (parameter->kind) {
    case VMA_LIST:
        return list_length(parameter->slot == VMA_POOL_LIST ? call->pools : call->allocations);
    case VMA_REST:
        return vma_slice_length(call->text);
    default:
        return call->value[parameter->slot];
    }
}

static void count_value(struct field *field, uint64_t value)
{
    const struct vma_enum *values = field->parameter->values;
    const struct vma_image_format *format;

    if (values == NULL) {
        if (value != 0)
            field->counts[63 - __builtin_clzll(value)]++;
    } else if (values->kind == VMA_ENUM_SET) {
        for (uint64_t bits = value; bits != 0; bits &= bits - 1)
            field->counts[__builtin_ctzll(bits)]++;
    } else if (values->kind == VMA_ENUM_FORMAT) {
        format = vma_image_format_find((uint32_t)value);
        if (format != NULL)
            field->formats[format - vma_image_formats]++;
        else
            field->other++;
    } else if (value < VALUES) {
        field->counts[value]++;
    } else {
        field->other++;
    }
}

static void count_field(struct field *field, uint64_t value)
{
    field->calls++;
    field->zero += value == 0;
    field->sum = wide_sum(field->sum, value);
    if (value < field->min)
        field->min = value;
    if (value > field->max)
        field->max = value;
    count_value(field, value);
}

static unsigned buffer_class(uint64_t usage)
{
    unsigned i = 0;

    while (buffer_classes[i].usage != 0 && (usage & buffer_classes[i].usage) == 0)
        i++;
    return i;
}

static unsigned image_class(const struct vma_call *call)
{
    unsigned i = 0;

    if (call->value[VMA_TILING] != 0)
        return IMAGE_CLASSES - 1;
    while (image_classes[i].usage != 0 &&
           (call->value[VMA_RESOURCE_USAGE] & image_classes[i].usage) == 0)
        i++;
    return i;
}

static int count_thread(struct report *report, uint32_t thread)
{
    uint32_t place = vma_map_get(&report->threads, thread);
    int status = 0;

    if (place == VMA_MAP_NONE) {
        place = report->threads.count + 1;
        if (ARRAY_GROW(report->thread_counts, report->threads.count, report->thread_room) != 0)
            return -ENOMEM;
        status = vma_map_set(&report->threads, thread, place);
        report->thread_counts[place - 1] = (struct thread_count){thread, 0};
    }
    report->thread_counts[place - 1].calls++;
    return status;
}

static int count_call(struct report *report, const struct vma_call *call)
{
    const struct vma_function *function;

    if (call->verdict != VMA_CALL_GOOD)
        return 0;
    function = &vma_functions[call->head.function];
    report->calls++;
    for (unsigned i = 0; i < function->parameter_count; i++)
        count_field(&report->fields[report->ids[call->head.function][i]],
                    value_of(call, &function->parameters[i]));
    if (call->head.function == VMA_CREATE_BUFFER)
        report->buffers[buffer_class(call->value[VMA_RESOURCE_USAGE])]++;
    else if (call->head.function == VMA_CREATE_IMAGE)
        report->images[image_class(call)]++;
    return call->head.thread_good ? count_thread(report, call->head.thread) : 0;
}

static int count_all(const struct vma_recording *recording, const struct cancel *cancel,
                     struct report *report)
{
    struct vma_line line;
    struct vma_call call;
    int status = 0;

    if (recording->first_call < recording->packets)
        vma_recording_line(recording, recording->first_call, &line);
    for (uint32_t packet = recording->first_call; packet < recording->packets && status == 0;
         packet++) {
        if (packet > recording->first_call)
            vma_recording_next(recording, &line);
        vma_call_read(line.text, line.ended, &call);
        status = count_call(report, &call);
        if (packet % POLL_LINES == 0 && cancel_requested(cancel))
            return -EINTR;
    }
    return status;
}

/* Writing. */

/* Writes `: 12 (3.00 %)` and the end of the line. */
static void write_share(uint64_t count, uint64_t whole, struct text *text)
{
    uint64_t share = wide_share(count, whole, 10000);

    text_printf(text, ": %" PRIu64 " (%" PRIu64 ".%02" PRIu64 " %%)\n", count, share / 100,
                share % 100);
}

static void write_named(const struct field *field, struct text *text)
{
    const struct vma_enum *values = field->parameter->values;

    if (values->kind == VMA_ENUM_SET && field->zero > 0) {
        text_printf(text, "%s.0", field->parameter->name);
        write_share(field->zero, field->calls, text);
    }
    for (unsigned i = 0; i < VALUES; i++) {
        if (field->counts[i] == 0)
            continue;
        text_printf(text, "%s.", field->parameter->name);
        vma_enum_write(values, values->kind == VMA_ENUM_SET ? UINT32_C(1) << i : i, text);
        write_share(field->counts[i], field->calls, text);
    }
    for (size_t i = 0; field->formats != NULL && i < vma_image_format_count; i++) {
        if (field->formats[i] == 0)
            continue;
        text_printf(text, "%s.%s", field->parameter->name, vma_image_formats[i].name);
        write_share(field->formats[i], field->calls, text);
    }
    if (field->other > 0) {
        text_printf(text, "%s.other", field->parameter->name);
        write_share(field->other, field->calls, text);
    }
}

static void write_numbers(const struct field *field, struct text *text)
{
    const char *name = field->parameter->name;
    uint64_t average = wide_quotient(wide_sum(field->sum, field->calls / 2), field->calls);

    text_printf(text, "%s.min: %" PRIu64 "\n", name, field->min);
    text_printf(text, "%s.max: %" PRIu64 "\n", name, field->max);
    text_printf(text, "%s.average: %" PRIu64 "\n", name, average);
    if (field->zero > 0) {
        text_printf(text, "%s.0", name);
        write_share(field->zero, field->calls, text);
    }
    for (unsigned i = 0; i < 64; i++) {
        uint64_t low = UINT64_C(1) << i;

        if (field->counts[i] == 0)
            continue;
        if (low == 1)
            text_printf(text, "%s.1", name);
        else
            text_printf(text, "%s.%" PRIu64 "..%" PRIu64, name, low, low + (low - 1));
        write_share(field->counts[i], field->calls, text);
    }
}

static void write_field(const struct field *field, struct text *text)
{
    if (field->calls == 0)
        return;
    if (field->parameter->values != NULL) {
        write_named(field, text);
    } else if (field->parameter->kind == VMA_POINTER || field->parameter->kind == VMA_REST ||
               field->parameter->kind == VMA_BOOL) {
        text_printf(text, "%s.%s", field->parameter->name,
                    field->parameter->kind == VMA_BOOL ? "1" : "given");
        write_share(field->calls - field->zero, field->calls, text);
    } else {
        write_numbers(field, text);
    }
}

static void write_classes(const struct report *report, struct text *text)
{
    uint64_t buffers = 0, images = 0;

    for (unsigned i = 0; i < BUFFER_CLASSES; i++)
        buffers += report->buffers[i];
    for (unsigned i = 0; i < IMAGE_CLASSES; i++)
        images += report->images[i];
    text_printf(text, "buffers: %" PRIu64 "\n", buffers);
    for (unsigned i = 0; i < BUFFER_CLASSES; i++)
        text_printf(text, "buffers.%s: %" PRIu64 "\n", buffer_classes[i].name, report->buffers[i]);
    text_printf(text, "images: %" PRIu64 "\n", images);
    for (unsigned i = 0; i < IMAGE_CLASSES; i++)
        text_printf(text, "images.%s: %" PRIu64 "\n",
                    i < IMAGE_CLASSES - 1 ? image_classes[i].name : "linear", report->images[i]);
}

static void write_threads(const struct report *report, struct text *text)
{
    const struct thread_count *busiest = NULL;

    for (uint32_t i = 0; i < report->threads.count; i++)
        if (busiest == NULL || report->thread_counts[i].calls > busiest->calls)
            busiest = &report->thread_counts[i];
    text_printf(text, "threads: %" PRIu32 "\n", report->threads.count);
    if (busiest == NULL)
        return;
    text_printf(text, "threads.busiest: %" PRIu32 "\nthreads.busiest_calls", busiest->thread);
    write_share(busiest->calls, report->calls, text);
}

static void write_peaks(const char *name, const struct vma_peaks *peaks, struct text *text)
{
    const struct {
        const char *name;
        uint64_t value;
    } values[] = {{"blocks", peaks->blocks},
                  {"allocations", peaks->allocations},
                  {"unused_ranges", peaks->unused_ranges},
                  {"block_bytes", peaks->block_bytes},
                  {"used_bytes", peaks->used_bytes},
                  {"unused_bytes", peaks->unused_bytes}};

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        text_printf(text, "peak.%s.%s: %" PRIu64 "\n", name, values[i].name, values[i].value);
}

/* Writes where the state of peak.tsv is. */
static void write_peak_place(const struct vma_dump *dump, struct text *text)
{
    const struct vma_pass_peaks *peaks = vma_pass_peaks(dump->pass);
    uint32_t frame;

    if (peaks->total.used_bytes == 0) {
        text_add(text, "peak.packet: -\npeak.frame: -\n");
        return;
    }
    text_printf(text, "peak.packet: %" PRIu32 "\npeak.frame: ", peaks->packet);
    frame = vma_recording_frame_of(&dump->recording, peaks->packet);
    if (frame == VMA_NO_FRAME)
        text_add_char(text, '-');
    else
        text_add_u64(text, frame);
    text_add_char(text, '\n');
}

static void write_memory(const struct vma_dump *dump, struct text *text)
{
    const struct vma_device *device = &dump->recording.configuration.device;
    const struct vma_allocator *allocator = &vma_pass_end(dump->pass)->allocator;
    const struct vma_pass_peaks *peaks = vma_pass_peaks(dump->pass);
    uint64_t count = 0, bytes = 0;
    char name[32];

    for (uint32_t type = 0; type < device->type_count; type++) {
        count += allocator->types[type].ever_allocations;
        bytes += allocator->types[type].ever_bytes;
    }
    text_printf(text, "device_allocations: %" PRIu64 "\ndevice_allocations.bytes: %" PRIu64 "\n",
                count, bytes);
    for (uint32_t type = 0; type < device->type_count; type++)
        text_printf(text,
                    "device_allocations.type.%" PRIu32 ": %" PRIu64
                    "\ndevice_allocations.type.%" PRIu32 ".bytes: %" PRIu64 "\n",
                    type, allocator->types[type].ever_allocations, type,
                    allocator->types[type].ever_bytes);
    write_peak_place(dump, text);
    write_peaks("total", &peaks->total, text);
    for (uint32_t heap = 0; heap < device->heap_count; heap++) {
        snprintf(name, sizeof(name), "heap.%" PRIu32, heap);
        write_peaks(name, &peaks->heaps[heap], text);
    }
    for (uint32_t type = 0; type < device->type_count; type++) {
        snprintf(name, sizeof(name), "type.%" PRIu32, type);
        write_peaks(name, &peaks->types[type], text);
    }
}

static void write_report(const struct vma_dump *dump, const struct report *report,
                         struct text *text)
{
    const struct vma_recording *recording = &dump->recording;

    text_printf(text, "calls: %" PRIu64 "\n", recording->counts.call_lines);
    for (unsigned i = 0; i < VMA_FUNCTIONS; i++)
        if (recording->counts.functions[i] > 0)
            text_printf(text, "calls.%s: %" PRIu64 "\n", vma_functions[i].name,
                        recording->counts.functions[i]);
    text_printf(text, "refused: %" PRIu64 "\n", recording->counts.call_lines - report->calls);
    text_printf(text, "allocations: %" PRIu32 "\n", vma_pass_history(dump->pass)->lifetime_count);
    write_classes(report, text);
    text_printf(text, "pools: %" PRIu32 "\n", recording->counts.pools);
    write_threads(report, text);
    text_add(text, "recording_time: ");
    if (recording->counts.first_time == VMA_NO_TIME ||
        recording->counts.last_time < recording->counts.first_time)
        text_add_char(text, '-');
    else
        vma_time_write(recording->counts.last_time - recording->counts.first_time, text);
    text_add_char(text, '\n');
    write_memory(dump, text);
    for (uint32_t i = 0; i < report->field_count; i++)
        write_field(&report->fields[i], text);
}

int vma_report(struct dump *dump, uint64_t key, const struct cancel *cancel, struct text *text)
{
    struct vma_dump *vma = vma_dump_of(dump);
    struct report *report = calloc(1, sizeof(*report));
    int status = report == NULL ? -ENOMEM : vma_dump_wait(vma, cancel);

    (void)key;
    if (status == 0)
        status = init_report(report);
    if (status == 0)
        status = count_all(&vma->recording, cancel, report);
    if (status == 0)
        write_report(vma, report, text);
    if (report != NULL)
        clear_report(report);
    return status;
}
