/* SPDX-License-Identifier: MIT */
/*
 * Direct3D's shaders as files have them: DXBC containers, genuine or in the dialect of Aero's own
 * tests; and D3D9 token streams (genuine.c makes shaders of them that compilers take). Nothing here
 * trusts a number. Pure functions, any thread. Sources: aerogpu.md 5.
 */
#ifndef GPUDUMPFS_DXBC_DXBC_H
#define GPUDUMPFS_DXBC_DXBC_H

#include "base/blob.h"
#include "base/text.h"

/* DXBC's program types. */
enum dxbc_program { DXBC_PS, DXBC_VS, DXBC_GS, DXBC_HS, DXBC_DS, DXBC_CS };

enum dxbc_shader_kind {
    DXBC_SHADER_BAD,     /* none of the following */
    DXBC_SHADER_GENUINE, /* DXBC */
    DXBC_SHADER_DIALECT, /* DXBC with Aero's tokens */
    DXBC_SHADER_D3D9,    /* shader model 1 to 3 */
};

enum dxbc_shader_kind dxbc_classify(const uint8_t *bytes, size_t size);

/* A run of bytes of a container; NULL: it has none. */
struct dxbc_chunk {
    const uint8_t *data;
    uint32_t size;
    uint8_t entry; /* of a signature: bytes of an entry, 0 in other chunks */
};

struct dxbc {
    const uint8_t *bytes;
    uint32_t size;    /* as the header says */
    uint32_t version; /* the program's first token: minor 0-3, major 4-7 */
    enum dxbc_program program;
    struct dxbc_chunk inputs, outputs, patch; /* signatures */
    struct dxbc_chunk code;                   /* SHDR or SHEX */
    uint32_t tokens;                          /* dwords of the code that are there */
};

/* False: no container, or one without code. */
bool dxbc_open(const uint8_t *bytes, size_t size, struct dxbc *out);

/* Whether genuine code has instructions that count in a buffer's counter. */
bool dxbc_counts(const uint8_t *bytes, size_t size);

struct dxbc_parameter {
    const char *name; /* not terminated */
    uint32_t name_length;
    uint32_t hash; /* of the name, as in input layouts */
    uint32_t semantic_index, system_value, component_type, location;
    uint8_t mask, used; /* bits x, y, z, w */
};

/* 32-bit FNV-1a of the name in upper case. */
uint32_t dxbc_semantic_hash(const char *name);

uint32_t dxbc_signature_count(const struct dxbc_chunk *signature);
/* False: no such entry, or one that is cut off. */
bool dxbc_signature_at(const struct dxbc_chunk *signature, uint32_t index,
                       struct dxbc_parameter *out);

/* The checksum that belongs to a container, of 20 bytes at least. */
void dxbc_checksum(const uint8_t *bytes, size_t size, uint8_t sum[16]);

/*
 * genuine.c: shaders as compilers take them: containers repaired, Aero's dialect of DXBC transcoded
 * to genuine shader model 4, D3D9 tokens with the bits that Aero leaves out. Nothing here
 * trusts a number. Pure functions, any thread. Sources: aerogpu.md 5.
 */

/*
 * The shader as genuine DXBC with a true checksum: repaired, or transcoded from the
 * dialect. 0, -ENOMEM, or -EINVAL for what is neither, and for unknown tokens of the
 * dialect.
 */
int dxbc_genuine(const uint8_t *bytes, size_t size, struct blob **out);

/*
 * D3D9 tokens as their parsers want them: parameter tokens have bit 31, which Aero's
 * own shaders leave out. 0 or -ENOMEM, -EINVAL.
 */
int dxbc_d3d9_genuine(const uint8_t *bytes, size_t size, struct blob **out);

/*
 * disassemble.c: shaders as text: signatures of DXBC, and instructions of DXBC (genuine, or what
 * Aero's dialect transcodes to) and of Direct3D 9's shader models 1 to 3, one a
 * line (aerogpu.md 5). Nothing here trusts a number. Pure functions, any thread.
 */

/* A table of the parameters that go in and out; without rows for what has no signature. */
void dxbc_signature_write(const uint8_t *bytes, size_t size, struct text *text);

/* Of what cannot be read to its end, as far as it can be. 0 or -ENOMEM. */
int dxbc_disassemble(const uint8_t *bytes, size_t size, struct text *text);

/* The two kinds of tokens: all of a DXBC's code chunk, and a D3D9 token stream. */
void dxbc_disassemble_code(const uint8_t *code, uint32_t dwords, struct text *text);
void dxbc_disassemble_d3d9(const uint8_t *tokens, uint32_t dwords, struct text *text);

#endif
