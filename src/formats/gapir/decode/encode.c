#include "formats/gapir/decode/encode.h"

enum { BITS_20 = 0xfffff, BITS_26 = 0x3ffffff };

uint32_t gapir_encode(enum gapir_opcode opcode, uint32_t operand)
{
    return (uint32_t)opcode << 26 | (operand & BITS_26);
}

uint32_t gapir_encode_typed(enum gapir_opcode opcode, enum gapir_type type, uint32_t operand)
{
    return (uint32_t)opcode << 26 | (uint32_t)type << 20 | (operand & BITS_20);
}

uint32_t gapir_encode_call(unsigned api, unsigned function, bool push)
{
    return (uint32_t)GAPIR_CALL << 26 | (uint32_t)push << 24 | (api & 15) << 16 |
           (function & 0xffff);
}

/* Whether a value is one of `bits` bits, as its type is signed or not. */
static bool fits(enum gapir_type type, uint64_t value, unsigned bits)
{
    if (type >= GAPIR_INT8 && type <= GAPIR_INT64)
        return value + (UINT64_C(1) << (bits - 1)) < UINT64_C(1) << bits;
    return value < UINT64_C(1) << bits;
}

static size_t push_float(uint64_t bits, uint32_t *out)
{
    uint32_t mantissa = bits & 0x7fffff;

    out[0] = gapir_encode_typed(GAPIR_PUSH_I, GAPIR_FLOAT, (uint32_t)(bits >> 23));
    if (mantissa == 0)
        return 1;
    out[1] = gapir_encode(GAPIR_EXTEND, mantissa);
    return 2;
}

static size_t push_double(uint64_t bits, uint32_t *out)
{
    uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);

    out[0] = gapir_encode_typed(GAPIR_PUSH_I, GAPIR_DOUBLE, (uint32_t)(bits >> 52));
    if (mantissa == 0)
        return 1;
    out[1] = gapir_encode(GAPIR_EXTEND, (uint32_t)(mantissa >> 26));
    out[2] = gapir_encode(GAPIR_EXTEND, (uint32_t)mantissa & BITS_26);
    return 3;
}

size_t gapir_encode_push(enum gapir_type type, uint64_t value, uint32_t out[GAPIR_ENCODE_MAX])
{
    if (type == GAPIR_FLOAT)
        return push_float(value, out);
    if (type == GAPIR_DOUBLE)
        return push_double(value, out);
    size_t extends = fits(type, value, 20) ? 0 : fits(type, value, 46) ? 1 : 2;
    out[0] = gapir_encode_typed(GAPIR_PUSH_I, type, (uint32_t)(value >> 26 * extends));
    for (size_t n = 1; n <= extends; n++)
        out[n] = gapir_encode(GAPIR_EXTEND, (uint32_t)(value >> 26 * (extends - n)));
    return extends + 1;
}

size_t gapir_encode_load(enum gapir_type type, enum gapir_type pointer, uint64_t address,
                         uint32_t out[GAPIR_ENCODE_MAX])
{
    if (address <= BITS_20 && pointer != GAPIR_ABSOLUTE_POINTER) {
        out[0] = gapir_encode_typed(pointer == GAPIR_CONSTANT_POINTER ? GAPIR_LOAD_C : GAPIR_LOAD_V,
                                    type, (uint32_t)address);
        return 1;
    }
    size_t words = gapir_encode_push(pointer, address, out);
    out[words] = gapir_encode_typed(GAPIR_LOAD, type, 0);
    return words + 1;
}

size_t gapir_encode_store(uint64_t address, uint32_t out[GAPIR_ENCODE_MAX])
{
    if (address <= BITS_26) {
        out[0] = gapir_encode(GAPIR_STORE_V, (uint32_t)address);
        return 1;
    }
    size_t words = gapir_encode_push(GAPIR_VOLATILE_POINTER, address, out);
    out[words] = gapir_encode(GAPIR_STORE, 0);
    return words + 1;
}
