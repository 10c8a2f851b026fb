/* SPDX-License-Identifier: MIT */
/*
 * AeroGPU commands: one table of all of them (commands.def), a walk over a command
 * stream that checks every length, and a reader of Appendix A's packets, which
 * have the same shape. Texts, JSON, the state walk and the worker all decode with
 * these, so that they accept and refuse the same. Nothing is copied: commands
 * point into the stream. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_DECODE_COMMAND_STREAM_H
#define GPUDUMPFS_AEROGPU_DECODE_COMMAND_STREAM_H

#include "base/bytes.h"
#include "base/text.h"
#include "dxbc/dxbc.h"
#include "formats/aerogpu/decode/abi.h"

enum { AEROGPU_STREAM_HEADER = 24, AEROGPU_PACKET_HEADER = 8 };

/* How listings show a field. */
enum aerogpu_kind {
    AEROGPU_KIND_DECIMAL,        /* u32 */
    AEROGPU_KIND_SIGNED,         /* i32 */
    AEROGPU_KIND_WIDE,           /* u64 */
    AEROGPU_KIND_HEX,            /* u32 */
    AEROGPU_KIND_FLAGS,          /* u32, with the names of its bits */
    AEROGPU_KIND_BYTE,           /* u8, hexadecimal */
    AEROGPU_KIND_FLOAT,          /* f32 */
    AEROGPU_KIND_COLOUR,         /* f32[4] */
    AEROGPU_KIND_CLEAR_COLOUR,   /* the same, in texts only if the flags say colour */
    AEROGPU_KIND_POINT,          /* u32[2]: x,y */
    AEROGPU_KIND_EXTENT,         /* u32[2]: WxH */
    AEROGPU_KIND_FOUR_TIMES,     /* u32, times four */
    AEROGPU_KIND_NAME,           /* u32, its name alone */
    AEROGPU_KIND_RESERVED,       /* u32, hexadecimal, only if not 0 */
    AEROGPU_KIND_STAGE_EX,       /* u32, stage_ex, or reserved */
    AEROGPU_KIND_GEOMETRY,       /* BIND_SHADERS' gs */
    AEROGPU_KIND_EXTENDED,       /* BIND_SHADERS' hs and ds */
    AEROGPU_KIND_TARGETS,        /* u32[8], as many as the command counts */
    AEROGPU_KIND_MARKER,         /* UTF-8 to the packet's end */
    AEROGPU_KIND_DATA,           /* the tail: KEY_len, KEY_prefix */
    AEROGPU_KIND_DATA_LENGTH,    /* the tail's length */
    AEROGPU_KIND_DATA_PREFIX,    /* how the tail begins */
    AEROGPU_KIND_PAYLOAD_LENGTH, /* all of the packet but its header */
    AEROGPU_KIND_ITEMS,          /* the tail: "prefix member member ..." for each item */
};

struct aerogpu_field {
    uint16_t command; /* row of the table of types */
    uint8_t offset;
    uint8_t kind;     /* enum aerogpu_kind */
    uint8_t names;    /* enum aerogpu_names */
    const char *text; /* key in texts; NULL: not shown there */
    const char *json; /* key in JSON; NULL: not shown there */
};

/* What follows a packet's fixed part. */
enum aerogpu_tail {
    AEROGPU_TAIL_NONE,
    AEROGPU_TAIL_COUNT32, /* count * stride bytes, the count being a u32 */
    AEROGPU_TAIL_COUNT64, /* the same, a u64 */
    AEROGPU_TAIL_BOOLS,   /* count * 16 bytes if the packet is that long, else count * 4 */
};

struct aerogpu_packet_type {
    const char *name; /* CreateBuffer */
    uint32_t opcode;
    uint16_t min_size; /* bytes of the fixed part, header included */
    uint8_t dialect;
    uint8_t tail;
    uint8_t count; /* offset of the tail's count */
    uint8_t stride;
    uint16_t first; /* field, among all fields */
};

/* All types of both dialects, and the fields of one, in the order of listings. */
extern const struct aerogpu_packet_type aerogpu_types[];
extern const size_t aerogpu_type_count;
const struct aerogpu_field *aerogpu_type_fields(const struct aerogpu_packet_type *type,
                                                size_t *count);

/* NULL: no such command. */
const struct aerogpu_packet_type *aerogpu_type_find(enum aerogpu_dialect dialect, uint32_t opcode);

/* What can be wrong, by the names of the reference reader. */
enum aerogpu_error_kind {
    AEROGPU_OK,
    AEROGPU_BUFFER_TOO_SMALL,
    AEROGPU_BAD_MAGIC,
    AEROGPU_ABI,
    AEROGPU_BAD_SIZE_BYTES,
    AEROGPU_SIZE_NOT_ALIGNED,
    AEROGPU_PACKET_OVERRUNS_STREAM,
    AEROGPU_PAYLOAD_SIZE_MISMATCH,
    AEROGPU_COUNT_OVERFLOW,
};

struct aerogpu_error {
    enum aerogpu_error_kind kind;
    uint32_t offset;   /* in the stream */
    uint32_t found;    /* what stands there: magic, version, size */
    uint64_t expected; /* PACKET_OVERRUNS_STREAM: the stream's size; MISMATCH: bytes needed */
};

/* "BadMagic", ...; "ok". */
const char *aerogpu_error_name(enum aerogpu_error_kind kind);

/* One command. Its fixed part is there if `error` is AEROGPU_OK, and so is its tail. */
struct aerogpu_command {
    const struct aerogpu_packet_type *type; /* NULL: unknown, to be skipped */
    const uint8_t *bytes;                   /* the packet, header included */
    uint32_t opcode;
    uint32_t size;   /* of `bytes` */
    uint32_t offset; /* of the packet in its stream */
    uint32_t number; /* of the command in its stream */
    uint16_t abi_minor;
    /* OK, PAYLOAD_SIZE_MISMATCH or COUNT_OVERFLOW: then it is not to be executed. */
    enum aerogpu_error_kind error;
    uint64_t needed;      /* bytes that it should have, with PAYLOAD_SIZE_MISMATCH */
    const uint8_t *tail;  /* what follows the fixed part; NULL: nothing */
    uint32_t tail_length; /* in bytes, without padding */
    uint32_t tail_stride; /* bytes of an item, of a bool 4 or 16 */
};

static inline uint32_t aerogpu_u32(const struct aerogpu_command *command, uint32_t offset)
{
    return bytes_le32(command->bytes + offset);
}

static inline int32_t aerogpu_i32(const struct aerogpu_command *command, uint32_t offset)
{
    return (int32_t)bytes_le32(command->bytes + offset);
}

static inline uint64_t aerogpu_u64(const struct aerogpu_command *command, uint32_t offset)
{
    return bytes_le64(command->bytes + offset);
}

static inline float aerogpu_f32(const struct aerogpu_command *command, uint32_t offset)
{
    uint32_t bits = bytes_le32(command->bytes + offset);
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* The shaders of BIND_SHADERS, by either of its encodings. */
struct aerogpu_shaders {
    uint32_t vs, ps, cs, gs, hs, ds;
};
void aerogpu_bind_shaders(const struct aerogpu_command *command, struct aerogpu_shaders *out);

/*
 * The stage that a stage field and the stage_ex beside it name: DXBC's program
 * types, which tell all six apart. False: none (an unknown stage, or InvalidVertex).
 */
bool aerogpu_program_of(const struct aerogpu_command *command, uint32_t stage, uint32_t stage_ex,
                        enum dxbc_program *out);

/* A command stream that is walked: its header's fields, and the position. */
struct aerogpu_stream {
    const uint8_t *bytes;
    uint32_t magic, abi_version, size, flags, reserved[2];
    uint64_t available; /* bytes given; those beyond `size` are slack */
    uint32_t position, number;
    struct aerogpu_error error; /* the first framing error, which ends the walk */
};

/*
 * Reads the header. False: it is refused, and `error` says why (aerogpu.md 3.1);
 * what can be read of it is read nevertheless.
 */
bool aerogpu_stream_open(struct aerogpu_stream *stream, const uint8_t *bytes, uint64_t size);

/* The next command; false at the end, and at the first framing error. */
bool aerogpu_stream_next(struct aerogpu_stream *stream, struct aerogpu_command *command);

/*
 * The one packet of Appendix A that a Packet record holds. False: it is none (less
 * than a header, or a length that does not fit); `error` says why.
 */
bool aerogpu_dwords_read(const uint8_t *bytes, uint64_t size, struct aerogpu_command *command,
                         struct aerogpu_error *error);

/*
 * The one packet that a Packet record without a stream holds: of Appendix A, or of A3A0
 * where the lengths say so (aerogpu.md 3.3). `abi_version` is the container's. As
 * aerogpu_dwords_read(); a record may be longer than its packet is (command->size).
 */
bool aerogpu_packet_read(const uint8_t *bytes, uint64_t size, uint32_t abi_version,
                         struct aerogpu_command *command, struct aerogpu_error *error);

/*
 * command_text.c: commands as text and as JSON, in the line and JSON shapes of the reference's
 * decoder (aerogpu.md 6.2). Pure functions, any thread.
 */

/* `0x00000018 Name size_bytes=N opcode_id=0x… key=value …`, a line. */
void aerogpu_describe_command(const struct aerogpu_command *command, struct text *text);

/* `header magic=… abi=… …`, a line, for a stream of `length` bytes, slack included. */
void aerogpu_describe_header(const struct aerogpu_stream *stream, struct text *text);

/* `0x00000018 error BadSizeBytes …`, a line; nothing when there is no error. */
void aerogpu_describe_error(const struct aerogpu_error *error, struct text *text);

/* "R8G8B8A8Unorm", or the number in hexadecimal. */
void aerogpu_format_write(struct text *text, uint32_t format);

/* The whole stream's JSON: what stands before its records, each of them, and after them. */
void aerogpu_json_begin(const struct aerogpu_stream *stream, struct text *text);
void aerogpu_json_command(const struct aerogpu_command *command, struct text *text);
void aerogpu_json_error(const struct aerogpu_error *error, struct text *text);
void aerogpu_json_end(struct text *text);

/*
 * The handles that a command names, by one table. Pure functions, any thread.
 */

/* Handles are numbered apart in each of these. */
enum aerogpu_space {
    AEROGPU_SPACE_RESOURCE, /* buffers, textures, views, aliases */
    AEROGPU_SPACE_SHADER,
    AEROGPU_SPACE_LAYOUT,
    AEROGPU_SPACE_SAMPLER,
    AEROGPU_SPACE_A_BUFFER, /* Appendix A's */
    AEROGPU_SPACE_A_SHADER,
    AEROGPU_SPACE_A_PIPELINE,
};

typedef void aerogpu_handle_emit(void *context, enum aerogpu_space space, uint32_t handle);

/* Calls `emit` for each handle but 0; the command is complete (its error is AEROGPU_OK). */
void aerogpu_handles(const struct aerogpu_command *command, aerogpu_handle_emit *emit,
                     void *context);

/* Gives each handle of a resource in `bytes`, a copy of the command's, the name that `rename` says.
 */
void aerogpu_handles_rename(const struct aerogpu_command *command, uint8_t *bytes,
                            uint32_t (*rename)(void *context, uint32_t handle), void *context);

#endif
