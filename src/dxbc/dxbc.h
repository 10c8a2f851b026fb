/* SPDX-License-Identifier: MIT */
/*
 * Direct3D shaders as they are stored in files: DXBC containers, genuine or in the dialect of
 * Aero's own tests, and D3D9 token streams. genuine.c converts them to shaders that compilers
 * accept. Nothing here trusts a number of the input. Pure functions; any thread may call them.
 * Sources: aerogpu.md 5.
 */
#ifndef GPUDUMPFS_DXBC_DXBC_H
#define GPUDUMPFS_DXBC_DXBC_H

#include "base/blob.h"
#include "base/text.h"

/* The program types of DXBC. */
enum dxbc_program { DXBC_PS, DXBC_VS, DXBC_GS, DXBC_HS, DXBC_DS, DXBC_CS };

enum dxbc_shader_kind {
    DXBC_SHADER_BAD,     /* none of the following */
    DXBC_SHADER_GENUINE, /* DXBC */
    DXBC_SHADER_DIALECT, /* DXBC with Aero's tokens */
    DXBC_SHADER_D3D9,    /* shader models 1 to 3 */
};

/*
 * Returns what kind of shader the bytes are. A DXBC container whose instructions can be walked as
 * genuine ones counts as genuine.
 */
enum dxbc_shader_kind dxbc_classify(const uint8_t *bytes, size_t size);

/* A range of bytes of a container. `data` is NULL if the container does not have the chunk. */
struct dxbc_chunk {
    const uint8_t *data;
    uint32_t size;
    uint8_t entry; /* of a signature: bytes of an entry; 0 for other chunks */
};

struct dxbc {
    const uint8_t *bytes;
    uint32_t size;    /* as the header says */
    uint32_t version; /* the program's first token: minor version in bits 0-3, major in bits 4-7 */
    enum dxbc_program program;
    struct dxbc_chunk inputs, outputs, patch; /* signatures */
    struct dxbc_chunk code;                   /* SHDR or SHEX */
    uint32_t tokens;                          /* number of dwords of the code that are present */
};

/* Returns false if this is not a container, or one without code. */
bool dxbc_open(const uint8_t *bytes, size_t size, struct dxbc *out);

/* Returns whether genuine code has instructions that change a buffer's counter. */
bool dxbc_counts(const uint8_t *bytes, size_t size);

struct dxbc_parameter {
    const char *name; /* not terminated */
    uint32_t name_length;
    uint32_t hash; /* of the name, as in input layouts */
    uint32_t semantic_index, system_value, component_type, location;
    uint8_t mask, used; /* bits x, y, z, w */
};

/* Returns the 32-bit FNV-1a hash of the name in upper case. */
uint32_t dxbc_semantic_hash(const char *name);

/* Returns the number of entries that are within the chunk; 0 if there is no such chunk. */
uint32_t dxbc_signature_count(const struct dxbc_chunk *signature);

/* Returns false if there is no such entry, or the offset of its name is out of range. */
bool dxbc_signature_at(const struct dxbc_chunk *signature, uint32_t index,
                       struct dxbc_parameter *out);

/* Computes the checksum of a container of at least 20 bytes. */
void dxbc_checksum(const uint8_t *bytes, size_t size, uint8_t sum[16]);

/*
 * genuine.c: converts shaders to what compilers accept. Repairs containers, transcodes Aero's
 * dialect of DXBC to genuine shader model 4, and sets the bits that Aero leaves out of D3D9 tokens.
 * Nothing here trusts a number of the input. Pure functions; any thread may call them. Sources:
 * aerogpu.md 5.
 */

/*
 * Gets the shader as genuine DXBC with a correct checksum, repaired, or transcoded from the
 * dialect. Returns 0, -ENOMEM, or -EINVAL if the shader is neither genuine nor in the dialect, or
 * has unknown tokens of the dialect.
 */
int dxbc_genuine(const uint8_t *bytes, size_t size, struct blob **out);

/*
 * Gets D3D9 tokens as D3D9 parsers require them: with bit 31 set in parameter tokens, which
 * Aero's own shaders leave out; and with a table of constants, if a vertex shader addresses
 * constants relatively and its table was stripped. Returns 0, -ENOMEM, or -EINVAL if there is no
 * end token.
 */
int dxbc_d3d9_genuine(const uint8_t *bytes, size_t size, struct blob **out);

/*
 * disassemble.c: writes shaders as text, one instruction a line: the signatures of DXBC, and the
 * instructions of DXBC (genuine, or transcoded from Aero's dialect) and of Direct3D 9's shader
 * models 1 to 3 (aerogpu.md 5). Nothing here trusts a number of the input. Pure functions; any
 * thread may call them.
 */

/*
 * Appends a table of the input and output parameters. It has no rows if the shader has no
 * signature.
 */
void dxbc_signature_write(const uint8_t *bytes, size_t size, struct text *text);

/* Appends the disassembly, up to the first token that cannot be decoded. Returns 0 or -ENOMEM. */
int dxbc_disassemble(const uint8_t *bytes, size_t size, struct text *text);

/* Appends the disassembly of the complete code chunk of a DXBC container, read as genuine. */
void dxbc_disassemble_code(const uint8_t *code, uint32_t dwords, struct text *text);

/* Appends the disassembly of a D3D9 token stream. */
void dxbc_disassemble_d3d9(const uint8_t *tokens, uint32_t dwords, struct text *text);

#endif
