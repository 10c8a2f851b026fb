/* SPDX-License-Identifier: MIT */
/*
 * AeroGPU commands: a table of all commands (commands.def), a walk over a command stream that
 * checks every length, and a reader of Appendix A's packets, which have the same form. Texts, JSON,
 * the state machine and the worker all decode with these functions, so they accept and refuse the
 * same commands. Nothing is copied: commands point into the stream. Pure functions; any thread may
 * call them.
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
    AEROGPU_KIND_CLEAR_COLOUR,   /* the same; texts show it only if the flags include colour */
    AEROGPU_KIND_POINT,          /* u32[2]: x,y */
    AEROGPU_KIND_EXTENT,         /* u32[2]: WxH */
    AEROGPU_KIND_FOUR_TIMES,     /* u32, shown times four */
    AEROGPU_KIND_NAME,           /* u32, shown as its name only */
    AEROGPU_KIND_RESERVED,       /* u32, hexadecimal, shown only if not 0 */
    AEROGPU_KIND_STAGE_EX,       /* u32, stage_ex, or reserved in older ABI versions */
    AEROGPU_KIND_GEOMETRY,       /* BIND_SHADERS' gs */
    AEROGPU_KIND_EXTENDED,       /* BIND_SHADERS' hs and ds */
    AEROGPU_KIND_TARGETS,        /* u32[8], of which the command's count is shown */
    AEROGPU_KIND_MARKER,         /* UTF-8 up to the packet's end */
    AEROGPU_KIND_DATA,           /* the tail: KEY_len, KEY_prefix */
    AEROGPU_KIND_DATA_LENGTH,    /* the tail's length */
    AEROGPU_KIND_DATA_PREFIX,    /* the first bytes of the tail */
    AEROGPU_KIND_PAYLOAD_LENGTH, /* length of the packet without its header */
    AEROGPU_KIND_ITEMS,          /* the tail: "prefix member member ..." for each item */
};

struct aerogpu_field {
    uint16_t command; /* index in the table of types */
    uint8_t offset;
    uint8_t kind;     /* enum aerogpu_kind */
    uint8_t names;    /* enum aerogpu_names */
    const char *text; /* key in texts; NULL if texts do not show it */
    const char *json; /* key in JSON; NULL if JSON does not show it */
};

/* What follows a packet's fixed part. */
enum aerogpu_tail {
    AEROGPU_TAIL_NONE,
    AEROGPU_TAIL_COUNT32, /* count * stride bytes; the count is a u32 */
    AEROGPU_TAIL_COUNT64, /* the same; the count is a u64 */
    AEROGPU_TAIL_BOOLS,   /* count * 16 bytes if the packet is that long, otherwise count * 4 */
};

struct aerogpu_packet_type {
    const char *name; /* such as CreateBuffer */
    uint32_t opcode;
    uint16_t min_size; /* bytes of the fixed part, header included */
    uint8_t dialect;
    uint8_t tail;
    uint8_t count; /* offset of the tail's count */
    uint8_t stride;
    uint16_t first; /* index of its first field among all fields */
};

/* All types of both dialects. */
extern const struct aerogpu_packet_type aerogpu_types[];
extern const size_t aerogpu_type_count;

/* Returns the *count fields of a type, in the order in which listings show them. */
const struct aerogpu_field *aerogpu_type_fields(const struct aerogpu_packet_type *type,
                                                size_t *count);

/* Returns NULL if there is no such command. */
const struct aerogpu_packet_type *aerogpu_type_find(enum aerogpu_dialect dialect, uint32_t opcode);

/* The defects of commands and streams, by the names of the reference reader. */
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
    uint32_t found;    /* the value found there: magic, version or size */
    uint64_t expected; /* PACKET_OVERRUNS_STREAM: the stream's size; MISMATCH: bytes needed */
};

/* Returns "BadMagic", …, or "ok". */
const char *aerogpu_error_name(enum aerogpu_error_kind kind);

/* One command. If `error` is AEROGPU_OK, its fixed part and its tail are present. */
struct aerogpu_command {
    const struct aerogpu_packet_type *type; /* NULL if the opcode is unknown: skip it */
    const uint8_t *bytes;                   /* the packet, header included */
    uint32_t opcode;
    uint32_t size;   /* of `bytes` */
    uint32_t offset; /* of the packet in its stream */
    uint32_t number; /* of the command in its stream */
    uint16_t abi_minor;
    /*
     * OK, PAYLOAD_SIZE_MISMATCH or COUNT_OVERFLOW. With the latter two, the command is not
     * executed.
     */
    enum aerogpu_error_kind error;
    uint64_t needed;      /* with PAYLOAD_SIZE_MISMATCH: bytes that the command should have */
    const uint8_t *tail;  /* what follows the fixed part; NULL if nothing does */
    uint32_t tail_length; /* in bytes, without padding */
    uint32_t tail_stride; /* bytes of an item; 4 or 16 for bools */
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

/* The handles of the shaders of a BIND_SHADERS, by stage; 0 for none. */
struct aerogpu_shaders {
    uint32_t vs, ps, cs, gs, hs, ds;
};

/* Reads a BIND_SHADERS in either of its encodings. */
void aerogpu_bind_shaders(const struct aerogpu_command *command, struct aerogpu_shaders *out);

/*
 * Gets the stage that a stage field and its stage_ex name, as a program type of DXBC, since these
 * distinguish all six stages. Returns false if they name none (an unknown stage, or InvalidVertex).
 */
bool aerogpu_program_of(const struct aerogpu_command *command, uint32_t stage, uint32_t stage_ex,
                        enum dxbc_program *out);

/* A walk over a command stream: the fields of the stream's header, and the position. */
struct aerogpu_stream {
    const uint8_t *bytes;
    uint32_t magic, abi_version, size, flags, reserved[2];
    uint64_t available; /* bytes given; those beyond `size` are slack */
    uint32_t position, number;
    struct aerogpu_error error; /* the first framing error, which ends the walk */
};

/*
 * Reads the header. Returns false, with the reason in `error`, if the header is refused (aerogpu.md
 * 3.1); the fields that can be read are set even then.
 */
bool aerogpu_stream_open(struct aerogpu_stream *stream, const uint8_t *bytes, uint64_t size);

/* Gets the next command. Returns false at the end, and at the first framing error. */
bool aerogpu_stream_next(struct aerogpu_stream *stream, struct aerogpu_command *command);

/*
 * Reads the one packet of Appendix A that a Packet record holds. Returns false, with the reason in
 * `error`, if this is not a packet: it is shorter than a header, or its length does not fit.
 */
bool aerogpu_dwords_read(const uint8_t *bytes, uint64_t size, struct aerogpu_command *command,
                         struct aerogpu_error *error);

/*
 * Reads the one packet that a Packet record without a stream holds: one of Appendix A, or of A3A0
 * if the lengths say so (aerogpu.md 3.3). `abi_version` is the container's. Returns what
 * aerogpu_dwords_read() returns. The record may be longer than its packet (command->size).
 */
bool aerogpu_packet_read(const uint8_t *bytes, uint64_t size, uint32_t abi_version,
                         struct aerogpu_command *command, struct aerogpu_error *error);

/*
 * command_text.c: commands as text and as JSON, in the same form as the reference's decoder writes
 * them (aerogpu.md 6.2). Pure functions; any thread may call them.
 */

/* Appends a line `0x00000018 Name size_bytes=N opcode_id=0x… key=value …`. */
void aerogpu_describe_command(const struct aerogpu_command *command, struct text *text);

/* Appends a line `header magic=… abi=… …` for a stream, with its length including slack. */
void aerogpu_describe_header(const struct aerogpu_stream *stream, struct text *text);

/* Appends a line `0x00000018 error BadSizeBytes …`, or nothing if there is no error. */
void aerogpu_describe_error(const struct aerogpu_error *error, struct text *text);

/* Appends a name such as "R8G8B8A8Unorm", or the number in hexadecimal. */
void aerogpu_format_write(struct text *text, uint32_t format);

/*
 * Append the parts of a complete stream's JSON: what precedes the records, a record, the error that
 * ends them, and what follows them.
 */
void aerogpu_json_begin(const struct aerogpu_stream *stream, struct text *text);
void aerogpu_json_command(const struct aerogpu_command *command, struct text *text);
void aerogpu_json_error(const struct aerogpu_error *error, struct text *text);
void aerogpu_json_end(struct text *text);

/*
 * The handles that a command names, from one table. Pure functions; any thread may call them.
 */

/* Each of these spaces has its own numbering of handles. */
enum aerogpu_space {
    AEROGPU_SPACE_RESOURCE, /* buffers, textures, views, aliases */
    AEROGPU_SPACE_SHADER,
    AEROGPU_SPACE_LAYOUT,
    AEROGPU_SPACE_SAMPLER,
    AEROGPU_SPACE_A_BUFFER, /* of Appendix A, as are the following two */
    AEROGPU_SPACE_A_SHADER,
    AEROGPU_SPACE_A_PIPELINE,
};

typedef void aerogpu_handle_emit(void *context, enum aerogpu_space space, uint32_t handle);

/*
 * Calls `emit` for each handle that is not 0. The command must be complete (its error is
 * AEROGPU_OK).
 */
void aerogpu_handles(const struct aerogpu_command *command, aerogpu_handle_emit *emit,
                     void *context);

/*
 * Replaces each handle of a resource in `bytes`, a copy of the command's bytes, by what `rename`
 * returns for it.
 */
void aerogpu_handles_rename(const struct aerogpu_command *command, uint8_t *bytes,
                            uint32_t (*rename)(void *context, uint32_t handle), void *context);

#endif
