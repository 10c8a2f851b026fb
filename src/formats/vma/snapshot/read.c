/* SPDX-License-Identifier: MIT */
/*
 * The text is read once, from its beginning: heaps and memory types come before the blocks. Unknown
 * keys are skipped. A block's free ranges follow from its used ranges, which must be in the block
 * and in order.
 */
#include "formats/vma/snapshot/snapshot.h"

#include "formats/vma/replay/imported.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool vma_snapshot_probe(const uint8_t *data, uint64_t size)
{
    struct json_reader reader = json_reader(data, size);
    struct json_text key, value;

    /* {"General": {"API": "Vulkan", … */
    return json_reader_peek(&reader) == JSON_READ_OBJECT &&
           json_reader_enter(&reader, JSON_READ_OBJECT) && json_reader_more(&reader) &&
           json_reader_key(&reader, &key) && json_reader_text_is(&key, "General") &&
           json_reader_enter(&reader, JSON_READ_OBJECT) && json_reader_more(&reader) &&
           json_reader_key(&reader, &key) && json_reader_text_is(&key, "API") &&
           json_reader_string(&reader, &value) && json_reader_text_is(&value, "Vulkan");
}

enum { SHORT_BYTES = 128 }; /* more than a key, version or pointer has, even if all is escapes */

/* Resolves the escapes of a short string. Returns its length, or 0 if it is too long. */
static size_t short_text(const struct json_text *string, uint8_t bytes[SHORT_BYTES])
{
    return string->length <= SHORT_BYTES ? json_reader_text_bytes(string, bytes) : 0;
}

/* Parses a key such as `Heap 12`: the word and a number below `max`. */
static bool numbered(const struct json_text *key, const char *word, uint32_t max, uint32_t *out)
{
    uint8_t bytes[SHORT_BYTES];
    size_t at = strlen(word), length = short_text(key, bytes);
    uint64_t number = 0;

    if (length <= at || memcmp(bytes, word, at) != 0)
        return false;
    for (; at < length; at++) {
        if (bytes[at] < '0' || bytes[at] > '9' || number >= max)
            return false;
        number = number * 10 + (uint64_t)(bytes[at] - '0');
    }
    *out = (uint32_t)number;
    return number < max;
}

/* Reads a list of names of flags; flags without a name are a number. */
static void read_flags(struct json_reader *reader, const struct vma_enum *names, uint32_t *flags)
{
    struct json_text name;
    uint64_t rest;

    *flags = 0;
    if (!json_reader_enter(reader, JSON_READ_ARRAY))
        return;
    while (json_reader_more(reader)) {
        if (json_reader_peek(reader) == JSON_READ_NUMBER && json_reader_u64(reader, &rest))
            *flags |= (uint32_t)rest;
        else if (json_reader_string(reader, &name))
            for (size_t i = 0; i < names->count; i++)
                if (json_reader_text_is(&name, names->names[i].name))
                    *flags |= names->names[i].value;
    }
}

static void read_u32(struct json_reader *reader, uint32_t *out)
{
    uint64_t value = 0;

    if (json_reader_u64(reader, &value))
        *out = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* The device. */

static void read_version(struct json_reader *reader, uint32_t *out)
{
    struct json_text text;
    uint8_t bytes[SHORT_BYTES];
    uint32_t parts[3] = {0};
    unsigned part = 0;
    size_t length;

    if (!json_reader_string(reader, &text))
        return;
    length = short_text(&text, bytes);
    for (size_t i = 0; i < length && part < 3; i++) {
        if (bytes[i] == '.')
            part++;
        else if (bytes[i] >= '0' && bytes[i] <= '9')
            parts[part] = (parts[part] * 10 + (uint32_t)(bytes[i] - '0')) & 0xFFFF;
    }
    *out = parts[0] << 22 | (parts[1] & 0x3FF) << 12 | (parts[2] & 0xFFF);
}

static void read_general(struct json_reader *reader, struct vma_device *device)
{
    struct json_text key, name;

    if (!json_reader_enter(reader, JSON_READ_OBJECT))
        return;
    while (json_reader_more(reader) && json_reader_key(reader, &key)) {
        if (json_reader_text_is(&key, "apiVersion"))
            read_version(reader, &device->api_version);
        else if (json_reader_text_is(&key, "deviceType"))
            read_u32(reader, &device->kind);
        else if (json_reader_text_is(&key, "maxMemoryAllocationCount"))
            read_u32(reader, &device->max_allocations);
        else if (json_reader_text_is(&key, "bufferImageGranularity"))
            json_reader_u64(reader, &device->granularity);
        else if (json_reader_text_is(&key, "nonCoherentAtomSize"))
            json_reader_u64(reader, &device->atom);
        else if (!json_reader_text_is(&key, "GPU"))
            json_reader_skip(reader);
        else if (json_reader_string(reader, &name))
            device->name = (struct vma_slice){name.bytes, name.bytes + name.length};
    }
}

static void read_types(struct json_reader *reader, uint32_t heap, struct vma_device *device)
{
    struct json_text key;
    uint32_t type;

    if (!json_reader_enter(reader, JSON_READ_OBJECT))
        return;
    while (json_reader_more(reader) && json_reader_key(reader, &key)) {
        if (!numbered(&key, "Type ", VMA_TYPES, &type)) {
            json_reader_fail(reader, "a key from \"Type 0\" to \"Type 31\" is expected here");
            break;
        }
        for (; device->type_count <= type; device->type_count++)
            device->types[device->type_count] = (struct vma_type){.heap = VMA_NO_HEAP};
        device->types[type].heap = heap;
        if (!json_reader_enter(reader, JSON_READ_OBJECT))
            break;
        while (json_reader_more(reader) && json_reader_key(reader, &key)) {
            if (json_reader_text_is(&key, "Flags"))
                read_flags(reader, &vma_property_flags, &device->types[type].flags);
            else
                json_reader_skip(reader);
        }
    }
}

static void read_heap(struct json_reader *reader, uint32_t heap, struct vma_device *device)
{
    struct json_text key;

    if (!json_reader_enter(reader, JSON_READ_OBJECT))
        return;
    while (json_reader_more(reader) && json_reader_key(reader, &key)) {
        if (json_reader_text_is(&key, "Flags"))
            read_flags(reader, &vma_heap_flags, &device->heaps[heap].flags);
        else if (json_reader_text_is(&key, "Size"))
            json_reader_u64(reader, &device->heaps[heap].size);
        else if (json_reader_text_is(&key, "MemoryPools"))
            read_types(reader, heap, device);
        else
            json_reader_skip(reader);
    }
}

/* Calls `read` for each heap of MemoryInfo. */
static void each_heap(struct json_reader *reader,
                      void (*read)(struct json_reader *reader, uint32_t heap, void *context),
                      void *context)
{
    struct json_text key;
    uint32_t heap;

    if (!json_reader_enter(reader, JSON_READ_OBJECT))
        return;
    while (json_reader_more(reader) && json_reader_key(reader, &key)) {
        if (numbered(&key, "Heap ", VMA_HEAPS, &heap))
            read(reader, heap, context);
        else
            json_reader_fail(reader, "a key from \"Heap 0\" to \"Heap 15\" is expected here");
    }
}

static void read_device_heap(struct json_reader *reader, uint32_t heap, void *context)
{
    struct vma_device *device = context;

    if (device->heap_count <= heap)
        device->heap_count = heap + 1;
    read_heap(reader, heap, device);
}

int vma_snapshot_device(struct json_reader *reader, struct vma_device *out)
{
    struct json_text key;

    *out = (struct vma_device){
        .name_is_json = true, .granularity = 1, .atom = 1, .max_allocations = UINT32_MAX};
    if (json_reader_enter(reader, JSON_READ_OBJECT))
        while (json_reader_more(reader) && json_reader_key(reader, &key)) {
            if (json_reader_text_is(&key, "General"))
                read_general(reader, out);
            else if (json_reader_text_is(&key, "MemoryInfo"))
                each_heap(reader, read_device_heap, out);
            else
                json_reader_skip(reader);
        }
    if (reader->error == NULL && (out->type_count == 0 || out->heap_count == 0))
        json_reader_fail(reader, "there are no memory types");
    if (reader->error == NULL && (out->granularity & (out->granularity - 1)) != 0)
        json_reader_fail(reader, "bufferImageGranularity is not a power of two");
    return reader->error == NULL ? 0 : -EPROTO;
}

/* The state. */

struct reading {
    struct json_reader *reader;
    struct vma_snapshot_state *state;
    struct vma_allocator *allocator;
    const struct cancel *cancel;
    uint32_t pools; /* number of pools so far; the next ordinal */
    uint32_t frame;
    int status; /* an error other than a fault of the text */
};

static bool going_on(struct reading *reading, int status)
{
    if (status == -EDOM)
        json_reader_fail(reading->reader, "an allocation or block is not expected here");
    else if (status < 0 && reading->status == 0)
        reading->status = status;
    return reading->status == 0 && reading->reader->error == NULL;
}

/* Keeps the bytes of a string in the state's texts. Returns their offset there. */
static uint64_t keep_text(struct reading *reading, const struct json_text *string, uint32_t *length)
{
    size_t at = reading->state->text_length;

    *length = (uint32_t)json_reader_text_bytes(string, reading->state->texts + at);
    reading->state->text_length += *length;
    return at;
}

static const struct {
    const char *name;
    enum vma_label label;
} labels[] = {
    {"FREE", VMA_FREE},
    {"UNKNOWN", VMA_UNKNOWN},
    {"BUFFER", VMA_BUFFER},
    {"IMAGE_UNKNOWN", VMA_IMAGE_UNKNOWN},
    {"IMAGE_LINEAR", VMA_IMAGE_LINEAR},
    {"IMAGE_OPTIMAL", VMA_IMAGE_OPTIMAL},
};

static void read_label(struct reading *reading, struct vma_imported *told)
{
    struct json_text name;

    if (!json_reader_string(reading->reader, &name))
        return;
    for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
        if (json_reader_text_is(&name, labels[i].name)) {
            told->label = labels[i].label;
            return;
        }
    json_reader_fail(reading->reader, "unknown kind of allocation");
}

/* Parses a pointer as printf() writes %p: `0000000012AB34CD`, or with 0x. */
static uint64_t pointer_of(const struct json_text *text)
{
    uint8_t bytes[SHORT_BYTES];
    const size_t length = short_text(text, bytes);
    uint64_t pointer = 0;

    (void)vma_read_pointer((struct vma_slice){bytes, bytes + length}, &pointer);
    return pointer;
}

static void read_allocation(struct reading *reading, struct vma_imported *told)
{
    struct json_reader *reader = reading->reader;
    struct json_text key, text;
    uint64_t usage = 0;

    if (!json_reader_enter(reader, JSON_READ_OBJECT))
        return;
    while (json_reader_more(reader) && json_reader_key(reader, &key)) {
        if (json_reader_text_is(&key, "Offset"))
            json_reader_u64(reader, &told->offset);
        else if (json_reader_text_is(&key, "Size"))
            json_reader_u64(reader, &told->size);
        else if (json_reader_text_is(&key, "Type"))
            read_label(reading, told);
        else if (json_reader_text_is(&key, "Usage"))
            json_reader_u64(reader, &usage);
        else if (json_reader_text_is(&key, "Name") && json_reader_string(reader, &text)) {
            told->string = true;
            told->user = keep_text(reading, &text, &told->user_length);
        } else if (json_reader_text_is(&key, "CustomData") && json_reader_string(reader, &text)) {
            told->user = told->string ? told->user : pointer_of(&text);
        } else {
            json_reader_skip(reader);
        }
    }
    told->usage = (uint32_t)usage; /* flags beyond 32 bits do not decide any class */
}

/* Reads an array of allocations, in a block or dedicated. Skips free ranges. */
static void read_allocations(struct reading *reading, uint32_t type, uint32_t block)
{
    struct json_reader *reader = reading->reader;

    if (!json_reader_enter(reader, JSON_READ_ARRAY))
        return;
    while (json_reader_more(reader)) {
        struct vma_imported told = {
            .type = type, .block = block, .frame = reading->frame, .label = VMA_UNKNOWN};

        read_allocation(reading, &told);
        vma_allocator_begin_call(reading->allocator);
        if (reader->error == NULL && told.label != VMA_FREE &&
            !going_on(reading, vma_import_allocate(reading->allocator, &told)))
            break;
        if (cancel_requested(reading->cancel) && !going_on(reading, -EINTR))
            break;
    }
}

static void read_block(struct reading *reading, uint32_t vector, uint32_t id)
{
    struct json_reader *reader = reading->reader;
    uint32_t type = vma_vector(reading->allocator, vector)->type, block = VMA_NONE;
    struct json_text key;
    uint64_t size;

    if (!json_reader_enter(reader, JSON_READ_OBJECT))
        return;
    vma_allocator_begin_call(reading->allocator);
    while (reading->status == 0 && json_reader_more(reader) && json_reader_key(reader, &key)) {
        if (json_reader_text_is(&key, "TotalBytes") && block == VMA_NONE) {
            if (json_reader_u64(reader, &size))
                going_on(reading, vma_import_block(reading->allocator, vector, size, id, &block));
        } else if (json_reader_text_is(&key, "Suballocations")) {
            if (block == VMA_NONE)
                json_reader_fail(reader, "a block with allocations has no size");
            else
                read_allocations(reading, type, block);
        } else {
            json_reader_skip(reader);
        }
    }
}

/* Reads a member of a type or a pool, which has blocks and dedicated allocations. */
static void read_vector_member(struct reading *reading, const struct json_text *key,
                               uint32_t vector)
{
    struct json_reader *reader = reading->reader;
    struct json_text name;
    uint32_t id;

    if (json_reader_text_is(key, "PreferredBlockSize")) {
        json_reader_u64(reader, &vma_vector(reading->allocator, vector)->preferred);
    } else if (json_reader_text_is(key, "DedicatedAllocations")) {
        read_allocations(reading, vma_vector(reading->allocator, vector)->type, VMA_NONE);
    } else if (!json_reader_text_is(key, "Blocks")) {
        json_reader_skip(reader);
    } else if (json_reader_enter(reader, JSON_READ_OBJECT)) {
        while (reading->status == 0 && json_reader_more(reader) && json_reader_key(reader, &name)) {
            if (numbered(&name, "", UINT32_MAX, &id))
                read_block(reading, vector, id);
            else
                json_reader_fail(reader, "the number of a block is expected here");
        }
    }
}

/* Parses the memory type that a key names. */
static bool read_type(struct reading *reading, const struct json_text *key, uint32_t *type)
{
    const struct vma_device *device = reading->allocator->device;

    if (numbered(key, "Type ", VMA_TYPES, type) && *type < device->type_count &&
        device->types[*type].heap != VMA_NO_HEAP)
        return true;
    return json_reader_fail(reading->reader, "the device has no such memory type");
}

static void read_default_pools(struct reading *reading)
{
    struct json_reader *reader = reading->reader;
    struct json_text key;
    uint32_t type;

    if (!json_reader_enter(reader, JSON_READ_OBJECT))
        return;
    while (reading->status == 0 && json_reader_more(reader) && json_reader_key(reader, &key)) {
        if (!read_type(reading, &key, &type) || !json_reader_enter(reader, JSON_READ_OBJECT))
            return;
        while (reading->status == 0 && json_reader_more(reader) && json_reader_key(reader, &key))
            read_vector_member(reading, &key, reading->allocator->types[type].vector);
    }
}

/* Reads a name such as `3 - name`: the pool's name comes after its number within its type. */
static void read_pool_name(struct reading *reading, uint32_t pool)
{
    struct json_text text;
    uint32_t length;
    uint64_t at;

    if (!json_reader_string(reading->reader, &text))
        return;
    for (size_t i = 0; i + 3 <= text.length; i++)
        if (memcmp(text.bytes + i, " - ", 3) == 0) {
            text.bytes += i + 3;
            text.length -= i + 3;
            at = keep_text(reading, &text, &length);
            vma_pool_name(reading->allocator, pool, at, length);
            return;
        }
}

static void read_pool(struct reading *reading, uint32_t type)
{
    const struct vma_pool_request request = {.ordinal = reading->pools, .type = type};
    struct json_reader *reader = reading->reader;
    struct json_text key;
    uint32_t pool;

    if (!json_reader_enter(reader, JSON_READ_OBJECT) ||
        !going_on(reading, vma_pool_create(reading->allocator, &request, &pool)))
        return;
    vma_pool(reading->allocator, pool)->slot =
        reading->pools < VMA_POOL_SLOTS ? (uint8_t)reading->pools : VMA_NO_SLOT;
    reading->pools++;
    while (reading->status == 0 && json_reader_more(reader) && json_reader_key(reader, &key)) {
        if (json_reader_text_is(&key, "Name"))
            read_pool_name(reading, pool);
        else
            read_vector_member(reading, &key, vma_pool(reading->allocator, pool)->vector);
    }
}

static void read_custom_pools(struct reading *reading)
{
    struct json_reader *reader = reading->reader;
    struct json_text key;
    uint32_t type;

    if (!json_reader_enter(reader, JSON_READ_OBJECT))
        return;
    while (reading->status == 0 && json_reader_more(reader) && json_reader_key(reader, &key)) {
        if (!read_type(reading, &key, &type) || !json_reader_enter(reader, JSON_READ_ARRAY))
            return;
        while (reading->status == 0 && json_reader_more(reader))
            read_pool(reading, type);
    }
}

static void read_budget(struct json_reader *reader, struct vma_heap_state *state)
{
    struct json_text key;

    if (!json_reader_enter(reader, JSON_READ_OBJECT))
        return;
    while (json_reader_more(reader) && json_reader_key(reader, &key)) {
        if (json_reader_text_is(&key, "BudgetBytes"))
            json_reader_u64(reader, &state->told_budget);
        else if (json_reader_text_is(&key, "UsageBytes"))
            json_reader_u64(reader, &state->told_usage);
        else
            json_reader_skip(reader);
    }
}

static void read_budgets(struct json_reader *reader, uint32_t heap, void *context)
{
    struct reading *reading = context;
    struct json_text key;

    if (heap >= reading->allocator->device->heap_count) {
        json_reader_fail(reader, "the device has no such heap");
        return;
    }
    if (!json_reader_enter(reader, JSON_READ_OBJECT))
        return;
    while (json_reader_more(reader) && json_reader_key(reader, &key)) {
        if (json_reader_text_is(&key, "Budget"))
            read_budget(reader, &reading->allocator->heaps[heap]);
        else
            json_reader_skip(reader);
    }
}

static void read_all(struct reading *reading)
{
    struct json_reader *reader = reading->reader;
    struct json_text key;

    if (!json_reader_enter(reader, JSON_READ_OBJECT))
        return;
    while (reading->status == 0 && json_reader_more(reader) && json_reader_key(reader, &key)) {
        if (json_reader_text_is(&key, "MemoryInfo"))
            each_heap(reader, read_budgets, reading);
        else if (json_reader_text_is(&key, "DefaultPools"))
            read_default_pools(reading);
        else if (json_reader_text_is(&key, "CustomPools"))
            read_custom_pools(reading);
        else
            json_reader_skip(reader);
    }
}

int vma_snapshot_read(struct json_reader *reader, const struct vma_recording *recording,
                      const struct vma_allocator_params *params, uint32_t frame,
                      const struct cancel *cancel, struct vma_snapshot_state *out)
{
    struct reading reading = {.reader = reader,
                              .state = out,
                              .allocator = &out->replay.allocator,
                              .cancel = cancel,
                              .frame = frame};
    struct vma_allocator_params own = *params;
    int status;

    *out = (struct vma_snapshot_state){.texts = malloc(reader->size - reader->at + 1)};
    own.data = out->texts;
    own.told = true;
    status = out->texts != NULL ? vma_replay_init(&out->replay, recording, &own) : -ENOMEM;
    if (status < 0)
        return status;
    read_all(&reading);
    out->replay.packet = frame + 1;
    out->replay.frame = out->replay.allocator.frame_index = frame;
    out->replay.milliseconds = VMA_NO_TIME;
    if (reading.status == -ENOSPC)
        reading.status = -EFBIG;
    return reading.status == 0 && reader->error != NULL ? -EPROTO : reading.status;
}

void vma_snapshot_clear(struct vma_snapshot_state *state)
{
    vma_replay_clear(&state->replay);
    free(state->texts);
    state->texts = NULL;
}
