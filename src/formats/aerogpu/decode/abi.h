/* SPDX-License-Identifier: MIT */
/*
 * The numbers of AeroGPU's command ABI: opcodes, the offsets of each command's fields,
 * enumerations, and the names that listings print for their values. All are from aerogpu.md 3;
 * commands.def describes the commands themselves. Constants and pure functions; any thread may use
 * them.
 */
#ifndef GPUDUMPFS_AEROGPU_DECODE_ABI_H
#define GPUDUMPFS_AEROGPU_DECODE_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    AEROGPU_STREAM_MAGIC = 0x444D4341, /* ACMD */
    AEROGPU_ALLOCS_MAGIC = 0x434F4C41, /* ALOC */
    AEROGPU_LAYOUT_MAGIC = 0x59414C49, /* ILAY */
    AEROGPU_ABI_MAJOR = 1,
    AEROGPU_STAGE_EX_MINOR = 3, /* the first minor version that has stage_ex */
    AEROGPU_MAX_TARGETS = 8,
    AEROGPU_MAX_EXTENT = 16384, /* maximum width and height of a texture */
    AEROGPU_MAX_LAYERS = 2048,
};

/* How the bytes of a Packet record are read (aerogpu.md 3.3). */
enum aerogpu_dialect { AEROGPU_A3A0, AEROGPU_APPENDIX_A };

/* AEROGPU_CREATE_BUFFER, …, and AEROGPU_A_CREATE_BUFFER, … for Appendix A. */
enum aerogpu_opcode {
#define COMMAND(id, dialect, opcode, name, size, tail, count, stride) AEROGPU_##id = (opcode),
#define FIELD(command, field, offset, kind, names, ...)
#include "formats/aerogpu/decode/commands.def"
};

/* AEROGPU_AT_CREATE_BUFFER_SIZE = 16, …: offsets in bytes from the packet's beginning. */
enum aerogpu_field_offset {
#define COMMAND(id, dialect, opcode, name, size, tail, count, stride)
#define FIELD(command, field, offset, kind, names, ...) AEROGPU_AT_##command##_##field = (offset),
#include "formats/aerogpu/decode/commands.def"
};

enum aerogpu_stage { AEROGPU_VERTEX, AEROGPU_PIXEL, AEROGPU_COMPUTE, AEROGPU_GEOMETRY };

/* Valid with AEROGPU_COMPUTE and in DISPATCH, since ABI 1.3. */
enum aerogpu_stage_ex {
    AEROGPU_EX_NONE,
    AEROGPU_EX_VERTEX, /* invalid */
    AEROGPU_EX_GEOMETRY,
    AEROGPU_EX_HULL,
    AEROGPU_EX_DOMAIN,
    AEROGPU_EX_COMPUTE,
};

enum aerogpu_usage {
    AEROGPU_USAGE_VERTEX = 1,
    AEROGPU_USAGE_INDEX = 2,
    AEROGPU_USAGE_CONSTANT = 4,
    AEROGPU_USAGE_TEXTURE = 8,
    AEROGPU_USAGE_TARGET = 0x10,
    AEROGPU_USAGE_DEPTH = 0x20,
    AEROGPU_USAGE_SCANOUT = 0x40,
    AEROGPU_USAGE_STORAGE = 0x80,
};

enum aerogpu_format {
    AEROGPU_FORMAT_INVALID = 0,
    AEROGPU_B8G8R8A8 = 1,
    AEROGPU_B8G8R8X8 = 2,
    AEROGPU_R8G8B8A8 = 3,
    AEROGPU_R8G8B8X8 = 4,
    AEROGPU_B5G6R5 = 5,
    AEROGPU_B5G5R5A1 = 6,
    AEROGPU_B8G8R8A8_SRGB = 7,
    AEROGPU_B8G8R8X8_SRGB = 8,
    AEROGPU_R8G8B8A8_SRGB = 9,
    AEROGPU_R8G8B8X8_SRGB = 10,
    AEROGPU_D24S8 = 32,
    AEROGPU_D32F = 33,
    AEROGPU_BC1 = 64,
    AEROGPU_BC1_SRGB = 65,
    AEROGPU_BC2 = 66,
    AEROGPU_BC2_SRGB = 67,
    AEROGPU_BC3 = 68,
    AEROGPU_BC3_SRGB = 69,
    AEROGPU_BC7 = 70,
    AEROGPU_BC7_SRGB = 71,
};

enum { AEROGPU_COPY_WRITEBACK = 1, AEROGPU_ALLOC_READONLY = 1, AEROGPU_DEPTH_CLIP_DISABLE = 1 };

enum aerogpu_index_format { AEROGPU_UINT16, AEROGPU_UINT32 };

enum aerogpu_topology {
    AEROGPU_POINT_LIST = 1,
    AEROGPU_LINE_LIST = 2,
    AEROGPU_LINE_STRIP = 3,
    AEROGPU_TRIANGLE_LIST = 4,
    AEROGPU_TRIANGLE_STRIP = 5,
    AEROGPU_TRIANGLE_FAN = 6,
    AEROGPU_LINE_LIST_ADJ = 10,
    AEROGPU_LINE_STRIP_ADJ = 11,
    AEROGPU_TRIANGLE_LIST_ADJ = 12,
    AEROGPU_TRIANGLE_STRIP_ADJ = 13,
    AEROGPU_PATCH_LIST_1 = 33,
    AEROGPU_PATCH_LIST_32 = 64,
};

enum aerogpu_filter { AEROGPU_NEAREST, AEROGPU_LINEAR };
enum aerogpu_address { AEROGPU_CLAMP_TO_EDGE, AEROGPU_REPEAT, AEROGPU_MIRROR_REPEAT };

enum aerogpu_blend_factor {
    AEROGPU_ZERO,
    AEROGPU_ONE,
    AEROGPU_SRC_ALPHA,
    AEROGPU_INV_SRC_ALPHA,
    AEROGPU_DEST_ALPHA,
    AEROGPU_INV_DEST_ALPHA,
    AEROGPU_CONSTANT,
    AEROGPU_INV_CONSTANT,
};

enum aerogpu_blend_op {
    AEROGPU_ADD,
    AEROGPU_SUBTRACT,
    AEROGPU_REV_SUBTRACT,
    AEROGPU_MIN,
    AEROGPU_MAX,
};

enum aerogpu_compare {
    AEROGPU_NEVER,
    AEROGPU_LESS,
    AEROGPU_EQUAL,
    AEROGPU_LESS_EQUAL,
    AEROGPU_GREATER,
    AEROGPU_NOT_EQUAL,
    AEROGPU_GREATER_EQUAL,
    AEROGPU_ALWAYS,
};

enum aerogpu_fill { AEROGPU_SOLID, AEROGPU_WIREFRAME };
enum aerogpu_cull { AEROGPU_CULL_NONE, AEROGPU_CULL_FRONT, AEROGPU_CULL_BACK };
enum aerogpu_clear { AEROGPU_CLEAR_COLOUR = 1, AEROGPU_CLEAR_DEPTH = 2, AEROGPU_CLEAR_STENCIL = 4 };

/* The sets of names that the values of fields can have. */
enum aerogpu_names {
    AEROGPU_NAMES_NONE,
    AEROGPU_NAMES_STAGE,
    AEROGPU_NAMES_STAGE_EX,
    AEROGPU_NAMES_FORMAT,
    AEROGPU_NAMES_INDEX_FORMAT,
    AEROGPU_NAMES_TOPOLOGY,
    AEROGPU_NAMES_FILTER,
    AEROGPU_NAMES_ADDRESS,
    AEROGPU_NAMES_BLEND_FACTOR,
    AEROGPU_NAMES_BLEND_OP,
    AEROGPU_NAMES_COMPARE,
    AEROGPU_NAMES_FILL,
    AEROGPU_NAMES_CULL,
    AEROGPU_NAMES_RASTERIZER_FLAG, /* bits */
    AEROGPU_NAMES_USAGE,           /* bits */
    AEROGPU_NAMES_D3DSAMP,
    AEROGPU_NAMES_D3DRS,
    AEROGPU_NAMES_BLOB_KIND,
    AEROGPU_NAMES_COUNT
};

/* Returns the name of a value, or of one bit, or NULL if it has none. */
const char *aerogpu_name(enum aerogpu_names names, uint32_t value);

#endif
