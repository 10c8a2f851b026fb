/*
 * Shaders as compilers take them: containers repaired, Aero's dialect of DXBC transcoded
 * to genuine shader model 4, D3D9 tokens with the bits that Aero leaves out. Nothing here
 * trusts a number. Pure functions, any thread. Sources: aerogpu.md 5.
 */
#ifndef GPUDUMPFS_AEROGPU_DECODE_GENUINE_H
#define GPUDUMPFS_AEROGPU_DECODE_GENUINE_H

#include "formats/aerogpu/decode/dxbc.h"

/*
 * The shader as genuine DXBC with a true checksum: repaired, or transcoded from the
 * dialect. 0, -ENOMEM, or -EINVAL for what is neither, and for unknown tokens of the
 * dialect.
 */
int aerogpu_dxbc_genuine(const uint8_t *bytes, size_t size, struct blob **out);

/*
 * D3D9 tokens as their parsers want them: parameter tokens have bit 31, which Aero's
 * own shaders leave out. 0 or -ENOMEM, -EINVAL.
 */
int aerogpu_d3d9_genuine(const uint8_t *bytes, size_t size, struct blob **out);

#endif
