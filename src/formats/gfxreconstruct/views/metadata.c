/* SPDX-License-Identifier: MIT */
#include "formats/gfxreconstruct/views/views.h"

#include "base/bytes.h"
#include "base/json_reader.h"
#include "tree/tables.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    OPERATION_MAX = 1 << 16, /* maximum size in bytes of an annotation that is read here */
    NOTES_MAX = 1000,        /* maximum number of blocks that are read */
    EXE_STRING = 256,        /* length of the strings in exe-info (gfxreconstruct.md 3.5) */
    EXE_NAME = 2 * EXE_STRING + 16,
};

static void add_source(const struct gfxreconstruct_dump *dump, struct metadata *out)
{
    const struct gfxreconstruct_header *header = &dump->index.header;

    metadata_add(out, "format", "GFXReconstruct capture");
    metadata_add(out, "version", "%" PRIu32 ".%" PRIu32, header->major, header->minor);
    tables_source(&dump->base, out);
}

static void add_counts(const struct gfxreconstruct_index *index, struct metadata *out)
{
    const char *compression = gfxreconstruct_compression_name(index->header.compression);

    if (compression != NULL)
        metadata_add(out, "compression", "%s", compression);
    else
        metadata_add(out, "compression", "unknown %" PRIu32, index->header.compression);
    metadata_add(out, "frames_end_at", "%s", index->markers ? "markers" : "calls");
    metadata_add_bool(out, "trimmed", index->state_begin != UINT64_MAX);
    metadata_add_u64(out, "calls", index->calls);
    metadata_add_u64(out, "unknown_calls", index->unknown_calls);
    metadata_add_u64(out, "draws", index->draws);
    metadata_add_u64(out, "dispatches", index->dispatches);
    metadata_add_u64(out, "submits", index->submits);
    metadata_add_u64(out, "shader_modules", index->shaders.count);
    metadata_add_u64(out, "memory_writes", index->memory.count);
}

/* Values of a call's members; `-` if they cannot be read. */

struct wanted {
    const char *key, *member;
    bool version; /* a version of Vulkan, packed in 32 bits; otherwise a string */
};

static void add_found(const struct wanted *wanted, struct gfxreconstruct_slice found,
                      struct metadata *out)
{
    size_t length = 0;

    if (found.data == NULL) {
        metadata_add_none(out, wanted->key);
    } else if (wanted->version) {
        uint32_t version = bytes_le32(found.data);

        metadata_add(out, wanted->key, "%u.%u.%u", version >> 22 & 0x7f, version >> 12 & 0x3ff,
                     version & 0xfff);
    } else {
        while (length < found.size && found.data[length] != 0)
            length++;
        metadata_add_bytes(out, wanted->key, found.data, length);
    }
}

static int add_members(const struct gfxreconstruct_index *index, uint32_t packet,
                       const struct wanted *wanted, unsigned count, const struct cancel *cancel,
                       struct metadata *out)
{
    const struct gfxreconstruct_call *call = NULL;
    struct gfxreconstruct_block block = {0};
    struct blob *blob = NULL;
    int status = 0;

    if (packet != GFXR_NO_PACKET) {
        gfxreconstruct_index_block(index, packet, &block);
        call = gfxreconstruct_call_find(block.id);
        status = call != NULL
                     ? gfxreconstruct_block_expand(&block, index->header.compression, &blob)
                     : 0;
    }
    for (unsigned i = 0; i < count; i++) {
        struct gfxreconstruct_reading reading = {.watched = wanted[i].member, .cancel = cancel};

        if (blob != NULL) {
            reading.bytes = (struct gfxreconstruct_slice){blob->data, blob->size};
            if (gfxreconstruct_read_call(call, &reading, NULL) == GFXR_CANCELLED)
                status = -EINTR;
        }
        add_found(&wanted[i], reading.found, out);
    }
    blob_unref(&blob);
    return status == -ENOMEM || status == -EINTR ? status : 0;
}

static int add_application(const struct gfxreconstruct_index *index, const struct cancel *cancel,
                           struct metadata *out)
{
    static const struct wanted of_instance[] = {{"application", "pApplicationName", false},
                                                {"engine", "pEngineName", false},
                                                {"api_version", "apiVersion", true}};
    static const struct wanted of_device[] = {{"device.name", "deviceName", false},
                                              {"device.api_version", "apiVersion", true}};
    int status = add_members(index, index->instance, of_instance, 3, cancel, out);

    return status == 0 ? add_members(index, index->properties, of_device, 2, cancel, out) : status;
}

/* What the capture says about itself. */

static bool note_of(const struct gfxreconstruct_index *index, uint32_t place,
                    struct gfxreconstruct_block *block)
{
    gfxreconstruct_index_block(index, index->notes.packets[place], block);
    return block->type == GFXR_BLOCK_META;
}

static void add_string(const char *key, const uint8_t *data, size_t size, struct metadata *out)
{
    size_t length = 0;

    while (length < size && data[length] != 0)
        length++;
    if (length > 0)
        metadata_add_bytes(out, key, data, length);
}

static void add_note(const struct gfxreconstruct_block *block, struct metadata *out)
{
    switch (block->id & 0xffff) {
    case GFXR_META_EXE_INFO:
        if (block->data.size >= EXE_NAME + EXE_STRING)
            add_string("executable", block->data.data + EXE_NAME, EXE_STRING, out);
        break;
    case GFXR_META_DRIVER_INFO:
        add_string("driver", block->data.data, (size_t)block->data.size, out);
        break;
    case GFXR_META_MESSAGE:
        add_string("message", block->data.data, (size_t)block->data.size, out);
        break;
    default:
        break;
    }
}

static bool is_operation(const struct gfxreconstruct_block *block)
{
    static const char label[] = "operation";

    return block->id == 2 && block->label.size == sizeof(label) - 1 &&
           memcmp(block->label.data, label, sizeof(label) - 1) == 0 &&
           block->data.size <= OPERATION_MAX;
}

/* What is shown of the tool that made the capture, and the names of the annotation's members. */
static const struct {
    const char *key, *name;
} of_operation[] = {{"recorded", "timestamp"},
                    {"gfxreconstruct_version", "gfxrecon-version"},
                    {"vulkan_headers", "vulkan-version"}};

enum { OF_OPERATION = sizeof(of_operation) / sizeof(of_operation[0]) };

/*
 * Finds the strings. Of several members with one name, the first counts. Damaged JSON is read up to
 * the damage.
 */
static void find_strings(const struct gfxreconstruct_block *block,
                         struct json_text found[OF_OPERATION])
{
    struct json_reader reader = json_reader(block->data.data, (size_t)block->data.size);
    struct json_text key, value;

    if (!json_reader_enter(&reader, JSON_READ_OBJECT))
        return;
    while (json_reader_more(&reader) && json_reader_key(&reader, &key)) {
        if (json_reader_peek(&reader) != JSON_READ_STRING) {
            json_reader_skip(&reader);
            continue;
        }
        if (!json_reader_string(&reader, &value))
            return;
        for (unsigned i = 0; i < OF_OPERATION; i++)
            if (found[i].bytes == NULL && json_reader_text_is(&key, of_operation[i].name))
                found[i] = value;
    }
}

/*
 * Adds an `operation` annotation. The first one is by the tool that made the capture; tools that
 * convert it add their own.
 */
static void add_operation(const struct gfxreconstruct_block *block, struct metadata *out)
{
    struct json_text found[OF_OPERATION] = {0};

    find_strings(block, found);
    for (unsigned i = 0; i < OF_OPERATION; i++)
        if (found[i].bytes != NULL)
            metadata_add_json_string(out, of_operation[i].key, &found[i]);
}

static void add_notes(const struct gfxreconstruct_index *index, struct metadata *out)
{
    struct gfxreconstruct_block block;
    bool operation = false;
    uint64_t annotations = 0;

    metadata_add_list(out, "message");
    metadata_add_list(out, "driver");
    metadata_add_list(out, "executable");
    for (uint32_t i = 0; i < index->notes.count; i++) {
        if (note_of(index, i, &block)) {
            if (i < NOTES_MAX)
                add_note(&block, out);
            continue;
        }
        annotations++;
        if (!operation && is_operation(&block))
            add_operation(&block, out);
        operation = operation || is_operation(&block);
    }
    metadata_add_u64(out, "annotations", annotations);
}

int gfxreconstruct_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out)
{
    const struct gfxreconstruct_index *index = gfxreconstruct_index_of(dump);
    struct tables_totals totals = {
        .packets = index->packet_count, .frames = index->frame_count, .duration = -1};
    int status = 0;

    totals.unfinished = totals.frames > 0 && !index->frames[totals.frames - 1].ended;
    add_source(gfxreconstruct_dump_of(dump), out);
    status = tables_totals(dump, &totals, cancel, out);
    add_counts(index, out);
    if (status == 0)
        status = add_application(index, cancel, out);
    add_notes(index, out);
    return status;
}

/* annotations/ */

static bool annotation_of(const struct gfxreconstruct_index *index, uint64_t packet,
                          struct gfxreconstruct_block *block)
{
    uint32_t place = gfxreconstruct_list_find(&index->notes, packet);

    return place < index->notes.count && index->notes.packets[place] == packet &&
           !note_of(index, place, block);
}

static int next_annotation(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *packet)
{
    const struct gfxreconstruct_index *index = gfxreconstruct_index_of(dump);
    struct gfxreconstruct_block block;

    (void)parent_key;
    for (uint32_t i = gfxreconstruct_list_find(&index->notes, from); i < index->notes.count; i++)
        if (!note_of(index, i, &block)) {
            *packet = index->notes.packets[i];
            return 0;
        }
    return -ENOENT;
}

static int name_annotation(struct dump *dump, uint64_t parent_key, uint64_t packet, char *name)
{
    static const char *const suffixes[] = {".bin", ".txt", ".json", ".xml"};
    struct gfxreconstruct_block block;

    (void)parent_key;
    if (!annotation_of(gfxreconstruct_index_of(dump), packet, &block))
        return -ENOENT;
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 "%s", (int)tree_packet_digits(dump), packet,
             suffixes[block.id < 4 ? block.id : 0]);
    return 0;
}

const struct rule_family gfxreconstruct_annotation_family = {0, next_annotation, name_annotation,
                                                             NULL};

int gfxreconstruct_annotation_size(struct dump *dump, uint64_t packet, uint64_t *size)
{
    struct gfxreconstruct_block block;

    if (!annotation_of(gfxreconstruct_index_of(dump), packet, &block))
        return -ENOENT;
    *size = block.data.size;
    return 0;
}

int gfxreconstruct_annotation_make(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                                   struct blob **out)
{
    struct gfxreconstruct_block block;

    (void)cancel;
    if (!annotation_of(gfxreconstruct_index_of(dump), packet, &block))
        return -ENOENT;
    return blob_borrow(block.data.size > 0 ? block.data.data : NULL, (size_t)block.data.size, out);
}
