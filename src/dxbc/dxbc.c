/* SPDX-License-Identifier: MIT */
#include "dxbc/dxbc.h"

#include "base/bytes.h"

#include <errno.h>
#include <string.h>

enum { HEADER = 32, CHUNKS_MAX = 256 };
enum { CUSTOM_DATA = 53, ATOMIC_ALLOC = 178, ATOMIC_CONSUME = 179 }; /* opcodes */

#define FOURCC(a, b, c, d)                                                                         \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

static void note_chunk(struct dxbc *dxbc, uint32_t fourcc, const uint8_t *data, uint32_t size)
{
    const struct dxbc_chunk chunk = {.data = data, .size = size};

    switch (fourcc) {
    case FOURCC('I', 'S', 'G', 'N'):
    case FOURCC('I', 'S', 'G', '1'):
        dxbc->inputs = chunk;
        dxbc->inputs.entry = fourcc == FOURCC('I', 'S', 'G', '1') ? 32 : 24;
        break;
    case FOURCC('O', 'S', 'G', 'N'):
    case FOURCC('O', 'S', 'G', '5'):
    case FOURCC('O', 'S', 'G', '1'):
        dxbc->outputs = chunk;
        dxbc->outputs.entry = fourcc == FOURCC('O', 'S', 'G', 'N')   ? 24
                              : fourcc == FOURCC('O', 'S', 'G', '5') ? 28
                                                                     : 32;
        break;
    case FOURCC('P', 'C', 'S', 'G'):
        dxbc->patch = chunk;
        dxbc->patch.entry = 24;
        break;
    case FOURCC('S', 'H', 'D', 'R'):
    case FOURCC('S', 'H', 'E', 'X'):
        dxbc->code = chunk;
        break;
    default:
        break;
    }
}

bool dxbc_open(const uint8_t *bytes, size_t size, struct dxbc *out)
{
    uint32_t chunks, declared;

    *out = (struct dxbc){.bytes = bytes};
    if (size < HEADER || bytes_le32(bytes) != FOURCC('D', 'X', 'B', 'C'))
        return false;
    out->size = bytes_le32(bytes + 24);
    chunks = bytes_le32(bytes + 28);
    if (out->size < HEADER || out->size > size || chunks > CHUNKS_MAX ||
        chunks > (out->size - HEADER) / 4)
        return false;
    for (uint32_t i = 0; i < chunks; i++) {
        uint32_t at = bytes_le32(bytes + HEADER + (size_t)4 * i);

        if (bytes_inside(at, 8, out->size) &&
            bytes_inside((uint64_t)at + 8, bytes_le32(bytes + at + 4), out->size))
            note_chunk(out, bytes_le32(bytes + at), bytes + at + 8, bytes_le32(bytes + at + 4));
    }
    if (out->code.size < 8)
        return false;
    out->version = bytes_le32(out->code.data);
    declared = bytes_le32(out->code.data + 4);
    out->tokens = declared < out->code.size / 4 ? declared : out->code.size / 4;
    if (out->version >> 16 > DXBC_CS)
        return false;
    out->program = (enum dxbc_program)(out->version >> 16);
    return true;
}

/* Returns the length in dwords of the instruction at `at`, or 0 if it does not fit in the code. */
static uint32_t instruction_length(const struct dxbc *dxbc, uint32_t at, bool dialect)
{
    uint32_t token = bytes_le32(dxbc->code.data + (size_t)4 * at);
    uint32_t length = dialect ? token >> 11 & 0x1FFF : token >> 24 & 0x7F;

    if (!dialect && (token & 0x7FF) == CUSTOM_DATA) {
        if (dxbc->tokens - at < 2)
            return 0;
        length = bytes_le32(dxbc->code.data + (size_t)4 * (at + 1));
    }
    return length <= dxbc->tokens - at ? length : 0;
}

bool dxbc_counts(const uint8_t *bytes, size_t size)
{
    struct dxbc dxbc;
    uint32_t length = 0;

    if (!dxbc_open(bytes, size, &dxbc))
        return false;
    for (uint32_t at = 2; at < dxbc.tokens; at += length) {
        uint32_t opcode = bytes_le32(dxbc.code.data + (size_t)4 * at) & 0x7FF;

        if (opcode == ATOMIC_ALLOC || opcode == ATOMIC_CONSUME)
            return true;
        length = instruction_length(&dxbc, at, false);
        if (length == 0)
            break;
    }
    return false;
}

uint32_t dxbc_semantic_hash(const char *name)
{
    uint32_t hash = 0x811C9DC5;

    for (; *name != '\0'; name++) {
        uint8_t c = (uint8_t)*name;

        hash = (hash ^ (c >= 'a' && c <= 'z' ? c - 32u : c)) * 0x01000193;
    }
    return hash;
}

uint32_t dxbc_signature_count(const struct dxbc_chunk *signature)
{
    uint32_t count, max;

    if (signature->data == NULL || signature->size < 8)
        return 0;
    count = bytes_le32(signature->data);
    max = (signature->size - 8) / signature->entry;
    return count < max ? count : max;
}

bool dxbc_signature_at(const struct dxbc_chunk *signature, uint32_t index,
                       struct dxbc_parameter *out)
{
    const uint8_t *entry;
    char name[64];
    uint32_t offset;
    size_t max;

    if (index >= dxbc_signature_count(signature))
        return false;
    entry = signature->data + 8 + (size_t)signature->entry * index;
    entry += signature->entry > 24 ? 4 : 0; /* the stream */
    offset = bytes_le32(entry);
    if (offset >= signature->size)
        return false;
    out->name = (const char *)signature->data + offset;
    max = signature->size - offset;
    out->name_length =
        (uint32_t)strnlen(out->name, max < sizeof(name) - 1 ? max : sizeof(name) - 1);
    memcpy(name, out->name, out->name_length);
    name[out->name_length] = '\0';
    out->hash = dxbc_semantic_hash(name);
    out->semantic_index = bytes_le32(entry + 4);
    out->system_value = bytes_le32(entry + 8);
    out->component_type = bytes_le32(entry + 12);
    out->location = bytes_le32(entry + 16);
    out->mask = entry[20];
    out->used = entry[21];
    return true;
}

/* Returns whether the lengths of the instructions lead exactly to the end of the code. */
static bool walks(const struct dxbc *dxbc, bool dialect)
{
    uint32_t at = 2;

    while (at < dxbc->tokens) {
        uint32_t length = instruction_length(dxbc, at, dialect);

        if (length == 0)
            return false;
        at += length;
    }
    return dxbc->tokens > 2;
}

enum dxbc_shader_kind dxbc_classify(const uint8_t *bytes, size_t size)
{
    struct dxbc dxbc;

    if (size >= 4 && bytes_le32(bytes) >> 17 == 0xFFFE >> 1)
        return DXBC_SHADER_D3D9;
    if (!dxbc_open(bytes, size, &dxbc))
        return DXBC_SHADER_BAD;
    if (walks(&dxbc, false))
        return DXBC_SHADER_GENUINE;
    return walks(&dxbc, true) ? DXBC_SHADER_DIALECT : DXBC_SHADER_BAD;
}

static uint32_t rotated(uint32_t value, unsigned count)
{
    return value << count | value >> (32 - count);
}

/* Digests one block with MD5. */
static void digest(uint32_t state[4], const uint8_t block[64])
{
    static const uint8_t turns[4][4] = {
        {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
    static const uint8_t first[4] = {0, 1, 5, 0}, step[4] = {1, 5, 3, 7};
    /* floor(2^32 * |sin(i + 1)|) */
    static const uint32_t sines[64] = {
        0xD76AA478, 0xE8C7B756, 0x242070DB, 0xC1BDCEEE, 0xF57C0FAF, 0x4787C62A, 0xA8304613,
        0xFD469501, 0x698098D8, 0x8B44F7AF, 0xFFFF5BB1, 0x895CD7BE, 0x6B901122, 0xFD987193,
        0xA679438E, 0x49B40821, 0xF61E2562, 0xC040B340, 0x265E5A51, 0xE9B6C7AA, 0xD62F105D,
        0x02441453, 0xD8A1E681, 0xE7D3FBC8, 0x21E1CDE6, 0xC33707D6, 0xF4D50D87, 0x455A14ED,
        0xA9E3E905, 0xFCEFA3F8, 0x676F02D9, 0x8D2A4C8A, 0xFFFA3942, 0x8771F681, 0x6D9D6122,
        0xFDE5380C, 0xA4BEEA44, 0x4BDECFA9, 0xF6BB4B60, 0xBEBFBC70, 0x289B7EC6, 0xEAA127FA,
        0xD4EF3085, 0x04881D05, 0xD9D4D039, 0xE6DB99E5, 0x1FA27CF8, 0xC4AC5665, 0xF4292244,
        0x432AFF97, 0xAB9423A7, 0xFC93A039, 0x655B59C3, 0x8F0CCC92, 0xFFEFF47D, 0x85845DD1,
        0x6FA87E4F, 0xFE2CE6E0, 0xA3014314, 0x4E0811A1, 0xF7537E82, 0xBD3AF235, 0x2AD7D2BB,
        0xEB86D391,
    };
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];

    for (unsigned i = 0; i < 64; i++) {
        unsigned round = i / 16, word = (first[round] + step[round] * i) % 16;
        uint32_t mixed = round == 0   ? (b & c) | (~b & d)
                         : round == 1 ? (d & b) | (~d & c)
                         : round == 2 ? b ^ c ^ d
                                      : c ^ (b | ~d);
        uint32_t sum = a + mixed + sines[i] + bytes_le32(block + (size_t)4 * word);

        a = d;
        d = c;
        c = b;
        b += rotated(sum, turns[round][i % 4]);
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

void dxbc_checksum(const uint8_t *bytes, size_t size, uint8_t sum[16])
{
    uint32_t state[4] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476};
    const uint8_t *rest = bytes + 20;
    size_t left = size - 20;
    uint32_t bits = (uint32_t)(left * 8);
    uint8_t block[64] = {0};

    for (; left >= 64; left -= 64, rest += 64)
        digest(state, rest);
    /* MD5 puts the number of bits at the end of the last block, DXBC at its beginning. */
    if (left < 56) {
        bytes_put_le32(block, bits);
        memcpy(block + 4, rest, left);
        block[4 + left] = 0x80;
    } else {
        memcpy(block, rest, left);
        block[left] = 0x80;
        digest(state, block);
        memset(block, 0, sizeof(block));
        bytes_put_le32(block, bits);
    }
    bytes_put_le32(block + 60, bits >> 2 | 1);
    digest(state, block);
    for (int i = 0; i < 4; i++)
        bytes_put_le32(sum + (size_t)4 * i, state[i]);
}
