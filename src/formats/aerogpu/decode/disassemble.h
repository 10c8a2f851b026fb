/*
 * Shaders as text: signatures of DXBC, and instructions of DXBC (genuine, or what
 * Aero's dialect transcodes to) and of Direct3D 9's shader models 1 to 3, one a
 * line (aerogpu.md 5). Nothing here trusts a number. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_DECODE_DISASSEMBLE_H
#define GPUDUMPFS_AEROGPU_DECODE_DISASSEMBLE_H

#include "base/text.h"

/* A table of the parameters that go in and out; without rows for what has no signature. */
void aerogpu_signature_write(const uint8_t *bytes, size_t size, struct text *text);

/* Of what cannot be read to its end, as far as it can be. 0 or -ENOMEM. */
int aerogpu_disassemble(const uint8_t *bytes, size_t size, struct text *text);

/* The two kinds of tokens: all of a DXBC's code chunk, and a D3D9 token stream. */
void aerogpu_disassemble_code(const uint8_t *code, uint32_t dwords, struct text *text);
void aerogpu_disassemble_d3d9(const uint8_t *tokens, uint32_t dwords, struct text *text);

#endif
