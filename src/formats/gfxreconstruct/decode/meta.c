/* SPDX-License-Identifier: MIT */
#include "formats/gfxreconstruct/decode/decode.h"

#include "base/bytes.h"

#include <inttypes.h>
#include <stddef.h>

/* See gfxreconstruct.md 3.5. The thread precedes these fields. */
#define U32(name)                                                                                  \
    {                                                                                              \
        name, GFXR_U32                                                                             \
    }
#define U64(name)                                                                                  \
    {                                                                                              \
        name, GFXR_U64                                                                             \
    }
#define HANDLE(name)                                                                               \
    {                                                                                              \
        name, GFXR_HANDLE                                                                          \
    }

static const struct gfxreconstruct_meta metas[] = {
    {GFXR_META_MESSAGE, "display-message", {{0}}, GFXR_DATA_TEXT, -1, -1, -1},
    {GFXR_META_FILL_MEMORY,
     "fill-memory",
     {HANDLE("memory"), U64("offset"), U64("bytes")},
     GFXR_DATA_BYTES,
     0,
     1,
     2},
    {3,
     "resize-window",
     {HANDLE("surface"), U32("width"), U32("height")},
     GFXR_DATA_NONE,
     0,
     -1,
     -1},
    {4,
     "set-swapchain-image-state",
     {HANDLE("device"), HANDLE("swapchain"), U32("last_presented_image"), U32("images")},
     GFXR_DATA_BYTES,
     1,
     -1,
     -1},
    {5,
     "begin-resource-init",
     {HANDLE("device"), U64("max_resource_bytes"), U64("max_copy_bytes")},
     GFXR_DATA_NONE,
     0,
     -1,
     -1},
    {6, "end-resource-init", {HANDLE("device")}, GFXR_DATA_NONE, 0, -1, -1},
    {GFXR_META_INIT_BUFFER,
     "init-buffer",
     {HANDLE("device"), HANDLE("buffer"), U64("bytes")},
     GFXR_DATA_BYTES,
     1,
     -1,
     2},
    {GFXR_META_INIT_IMAGE,
     "init-image",
     {HANDLE("device"), HANDLE("image"), U64("bytes"), U32("aspect"), U32("layout"), U32("levels")},
     GFXR_DATA_LEVELS,
     1,
     -1,
     2},
    {9,
     "create-hardware-buffer-1",
     {HANDLE("memory"), {"buffer", GFXR_HEX}},
     GFXR_DATA_BYTES,
     0,
     -1,
     -1},
    {10, "destroy-hardware-buffer", {{"buffer", GFXR_HEX}}, GFXR_DATA_NONE, -1, -1, -1},
    {11,
     "set-device-properties",
     {HANDLE("physical_device"), U32("api_version"), U32("driver_version"), U32("vendor_id"),
      U32("device_id"), U32("device_type")},
     GFXR_DATA_BYTES,
     0,
     -1,
     -1},
    {12,
     "set-device-memory-properties",
     {HANDLE("physical_device"), U32("types"), U32("heaps")},
     GFXR_DATA_BYTES,
     0,
     -1,
     -1},
    {13,
     "resize-window-2",
     {HANDLE("surface"), U32("width"), U32("height"), U32("pre_transform")},
     GFXR_DATA_NONE,
     0,
     -1,
     -1},
    {14,
     "set-opaque-address",
     {HANDLE("device"), HANDLE("object"), {"address", GFXR_HEX}},
     GFXR_DATA_NONE,
     1,
     -1,
     -1},
    {15,
     "set-shader-group-handles",
     {HANDLE("device"), HANDLE("pipeline"), U64("bytes")},
     GFXR_DATA_BYTES,
     1,
     -1,
     2},
    {16, "create-heap-allocation", {HANDLE("allocation"), U64("bytes")}, GFXR_DATA_NONE, 0, -1, -1},
    {17,
     "init-subresource",
     {HANDLE("device"), HANDLE("resource"), U32("subresource"), U32("initial_state"),
      U32("resource_state"), U32("barrier_flags"), U64("bytes")},
     GFXR_DATA_BYTES,
     1,
     -1,
     6},
    {GFXR_META_EXE_INFO, "exe-info", {{0}}, GFXR_DATA_BYTES, -1, -1, -1},
    {19, "init-acceleration-structure-1", {{0}}, GFXR_DATA_BYTES, -1, -1, -1},
    {20, "fill-memory-resource-values", {U64("values")}, GFXR_DATA_BYTES, -1, -1, -1},
    {21, "adapter-info", {{0}}, GFXR_DATA_BYTES, -1, -1, -1},
    {GFXR_META_DRIVER_INFO, "driver-info", {{0}}, GFXR_DATA_TEXT, -1, -1, -1},
    {24,
     "create-hardware-buffer-2",
     {HANDLE("memory"), {"buffer", GFXR_HEX}},
     GFXR_DATA_BYTES,
     0,
     -1,
     -1},
    {26, "runtime-info", {{0}}, GFXR_DATA_BYTES, -1, -1, -1},
    {27,
     "parent-to-child-dependency",
     {U32("type"), HANDLE("parent"), U32("children")},
     GFXR_DATA_BYTES,
     1,
     -1,
     -1},
    {28, "build-acceleration-structures", {{0}}, GFXR_DATA_BYTES, -1, -1, -1},
    {29, "copy-acceleration-structures", {{0}}, GFXR_DATA_BYTES, -1, -1, -1},
    {30, "write-acceleration-structures", {{0}}, GFXR_DATA_BYTES, -1, -1, -1},
    {32, "set-environment-variables", {U64("length")}, GFXR_DATA_TEXT, -1, -1, -1},
    {33,
     "view-relative-location",
     {HANDLE("session"), HANDLE("space")},
     GFXR_DATA_BYTES,
     0,
     -1,
     -1},
    {GFXR_META_EXECUTE_FILE,
     "execute-blocks-from-file",
     {U32("blocks"), {"offset", GFXR_I64}, U32("length")},
     GFXR_DATA_TEXT,
     -1,
     1,
     -1},
    {35,
     "create-hardware-buffer",
     {HANDLE("device"), HANDLE("memory"), {"buffer", GFXR_HEX}},
     GFXR_DATA_BYTES,
     1,
     -1,
     -1},
    {36,
     "initialize-meta-command",
     {HANDLE("capture"), U32("block"), U32("blocks"), U64("bytes")},
     GFXR_DATA_BYTES,
     0,
     -1,
     3},
    {37,
     "set-opaque-descriptor-data",
     {HANDLE("device"), HANDLE("object"), U32("bytes")},
     GFXR_DATA_BYTES,
     1,
     -1,
     -1},
    {38, "init-acceleration-structure", {{0}}, GFXR_DATA_BYTES, -1, -1, -1},
    {39,
     "init-tensor",
     {HANDLE("device"), HANDLE("tensor"), U64("bytes")},
     GFXR_DATA_BYTES,
     1,
     -1,
     2},
};

const struct gfxreconstruct_meta *gfxreconstruct_meta_find(uint32_t id)
{
    for (size_t i = 0; i < sizeof(metas) / sizeof(metas[0]); i++)
        if (metas[i].type == (id & 0xffff))
            return &metas[i];
    return NULL;
}

static unsigned field_size(const struct gfxreconstruct_meta_field *field)
{
    return field->kind == GFXR_U32 ? 4 : 8;
}

bool gfxreconstruct_meta_value(const struct gfxreconstruct_meta *meta,
                               struct gfxreconstruct_slice fields, int index, uint64_t *value)
{
    uint64_t at = 0;

    *value = 0;
    if (index < 0)
        return true;
    for (int i = 0; i < index; i++)
        at += field_size(&meta->fields[i]);
    if (!bytes_inside(at, field_size(&meta->fields[index]), fields.size))
        return false;
    *value = meta->fields[index].kind == GFXR_U32 ? bytes_le32(fields.data + at)
                                                  : bytes_le64(fields.data + at);
    return true;
}

bool gfxreconstruct_meta_size(const struct gfxreconstruct_meta *meta,
                              struct gfxreconstruct_slice fields, uint64_t *size)
{
    uint64_t levels = 0;
    int i = 0;

    *size = 0;
    for (; i < GFXR_META_FIELDS && meta->fields[i].name != NULL; i++)
        *size += field_size(&meta->fields[i]);
    if (meta->data == GFXR_DATA_LEVELS) {
        if (!gfxreconstruct_meta_value(meta, fields, i - 1, &levels))
            return false;
        *size += levels * 8; /* cannot overflow: the count has 32 bits */
    }
    return *size <= fields.size;
}

static void write_field(const struct gfxreconstruct_meta_field *field, uint64_t value,
                        struct text *text)
{
    text_add(text, field->name);
    if (field->kind == GFXR_HEX)
        text_printf(text, "=0x%" PRIx64, value);
    else if (field->kind == GFXR_I64)
        text_printf(text, "=%" PRIi64, (int64_t)value);
    else
        text_printf(text, "=%" PRIu64, value);
}

static void write_data(const struct gfxreconstruct_meta *meta, struct gfxreconstruct_slice data,
                       struct text *text)
{
    size_t length = 0;

    if (meta->data == GFXR_DATA_TEXT) {
        while (length < data.size && data.data[length] != 0)
            length++;
        text_add(text, "text=");
        gfxreconstruct_write_shown(data.data, length, text);
    } else {
        text_printf(text, "data=<%" PRIu64 " bytes>", data.size);
    }
}

bool gfxreconstruct_write_meta(const struct gfxreconstruct_meta *meta,
                               struct gfxreconstruct_slice fields, struct text *text)
{
    uint64_t value = 0, size = 0;
    bool whole = true;

    text_add_char(text, '(');
    for (int i = 0; i < GFXR_META_FIELDS && meta->fields[i].name != NULL && whole; i++) {
        whole = gfxreconstruct_meta_value(meta, fields, i, &value);
        if (i > 0)
            text_add(text, ", ");
        if (whole)
            write_field(&meta->fields[i], value, text);
        else
            text_add(text, "<cut off>");
    }
    if (whole && meta->data != GFXR_DATA_NONE && meta->bytes < 0 &&
        gfxreconstruct_meta_size(meta, fields, &size)) {
        if (meta->fields[0].name != NULL)
            text_add(text, ", ");
        /* if nothing follows the fields, there is no pointer to it */
        write_data(meta,
                   fields.size > size
                       ? (struct gfxreconstruct_slice){fields.data + size, fields.size - size}
                       : (struct gfxreconstruct_slice){0},
                   text);
    }
    text_add_char(text, ')');
    return whole;
}
