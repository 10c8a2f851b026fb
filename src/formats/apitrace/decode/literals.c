/* SPDX-License-Identifier: MIT */
/*
 * A float is m * 2^q. To print n digits of it, it is multiplied by the power of ten that leaves n
 * digits before the decimal point; the fraction then decides the rounding, to even if it is one
 * half. For doubles the product is exact, and numbers too large or too small for that go to
 * snprintf(). For floats the table's power may be too small by less than one part in 2^63: where
 * that might matter, snprintf() is used as well.
 */
#include "formats/apitrace/decode/literals.h"

#include "base/decimal.h"
#include "base/wide.h"

#include <endian.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FLOAT_DIGITS = 7,
    DOUBLE_DIGITS = 16,
    FLOAT_BITS = 23,
    FLOAT_BIAS = 127,
    FLOAT_SPECIAL = 255,    /* the exponent of infinities and NaNs */
    FLOAT_POWER_MIN = -38,  /* of ten */
    FLOAT_POWER_EXACT = 27, /* 5^27 fits in 64 bits */
    DOUBLE_SCALE_MAX = 32,  /* 53 bits times 5^32 fit in 128 */
    MANTISSA_BITS = 52,
    EXPONENT_BIAS = 1075, /* of a mantissa taken as an integer */
    WIDE = 16,            /* bytes copied at a time, as many as any number has digits */
    FIXED_MIN = -4,       /* smaller exponents are printed with an e */
};

/* Writes exactly the last `digits` digits of a value that fits in 32 bits. */
static inline void put_few_digits(char *to, uint32_t value, unsigned digits)
{
    while (digits >= 2) {
        digits -= 2;
        memcpy(to + digits, decimal_pairs + (size_t)2 * (value % 100), 2);
        value /= 100;
    }
    if (digits == 1)
        to[0] = (char)('0' + value % 10);
}

static void put_digits(char *to, uint64_t value, unsigned digits)
{
    for (; value > UINT32_MAX && digits >= 2; value /= 100) {
        digits -= 2;
        memcpy(to + digits, decimal_pairs + 2 * (value % 100), 2);
    }
    put_few_digits(to, (uint32_t)value, digits);
}

size_t apitrace_decimal_u64(char *to, uint64_t value)
{
    unsigned digits = decimal_digits(value);

    put_digits(to, value, digits);
    return digits;
}

size_t apitrace_decimal_hex(char *to, uint64_t value)
{
    size_t digits = 1;

    while (digits < 16 && value >> 4 * digits != 0)
        digits++;
    for (size_t n = digits; n > 0; n--, value >>= 4)
        to[n - 1] = "0123456789abcdef"[value & 15];
    return digits;
}

/* A sign and digits, the first of which has the weight 10^exponent. */
struct digits {
    bool negative;
    uint64_t digits;
    unsigned count;
    int exponent;
};

static size_t put_exponent(char *to, int exponent)
{
    unsigned magnitude = (unsigned)(exponent < 0 ? -exponent : exponent);

    to[0] = 'e';
    to[1] = exponent < 0 ? '-' : '+';
    memcpy(to + 2, decimal_pairs + (size_t)2 * magnitude, 2); /* always below 100 here */
    return 4;
}

/* Formats digits as `%g` does: no trailing zeros, and an exponent only if it is needed. */
static size_t put_number(char *to, const struct digits *number, int precision)
{
    char digits[2 * WIDE]; /* with room for excess bytes */
    unsigned count = number->count;
    int exponent = number->exponent;
    char *at = to;

    put_digits(digits, number->digits, count);
    while (count > 1 && digits[count - 1] == '0')
        count--;
    if (number->negative)
        *at++ = '-';
    if (exponent < FIXED_MIN || exponent >= precision) {
        *at++ = digits[0];
        if (count > 1) {
            *at++ = '.';
            memcpy(at, digits + 1, WIDE);
            at += count - 1;
        }
        at += put_exponent(at, exponent);
    } else if (exponent < 0) {
        memcpy(at, "0.000", 5);
        at += 1 - exponent;
        memcpy(at, digits, WIDE);
        at += count;
    } else {
        unsigned whole = (unsigned)exponent + 1, some = count < whole ? count : whole;

        memcpy(at, digits, WIDE);
        for (; some < whole; some++)
            at[some] = '0';
        at += whole;
        if (count > whole) {
            *at++ = '.';
            memcpy(at, digits + whole, WIDE);
            at += count - whole;
        }
    }
    return (size_t)(at - to);
}

/* Rounds an integer that has more than `digits` digits to that many. */
static void round_integer(uint64_t value, unsigned digits, struct digits *out)
{
    unsigned all = decimal_digits(value);
    uint64_t unit = decimal_powers[all - digits], rest = value % unit;

    out->digits = value / unit;
    out->exponent = (int)all - 1;
    out->count = digits;
    if (rest > unit / 2 || (rest == unit / 2 && (out->digits & 1) != 0))
        out->digits++;
    if (out->digits == decimal_powers[digits]) {
        out->digits /= 10;
        out->exponent++;
    }
}

static size_t put_integer(char *to, bool negative, uint64_t value)
{
    to[0] = '-';
    return negative + apitrace_decimal_u64(to + negative, value);
}

size_t apitrace_decimal_plain_float(char *to, float value)
{
    char room[APITRACE_DECIMAL_MAX + 1];
    int length = snprintf(room, sizeof(room), "%.7g", (double)value);

    memcpy(to, room, (size_t)length);
    return (size_t)length;
}

size_t apitrace_decimal_plain_double(char *to, double value)
{
    char room[APITRACE_DECIMAL_MAX + 1];
    int length = snprintf(room, sizeof(room), "%.16g", value);

    memcpy(to, room, (size_t)length);
    return (size_t)length;
}

/*
 * Returns floor(log10(2^exponent)). floor(log10(x)) of an x with 2^exponent <= x < 2^(exponent + 1)
 * is this or one more.
 */
static int tens(int exponent)
{
    return (int)((int64_t)exponent * 315653 >> 20);
}

/* Powers of ten from 10^-38 on, truncated to their first 64 bits. */
static const uint64_t float_powers[] = {
    0xD9C7DCED53C72255, 0x881CEA14545C7575, 0xAA242499697392D2, 0xD4AD2DBFC3D07787,
    0x84EC3C97DA624AB4, 0xA6274BBDD0FADD61, 0xCFB11EAD453994BA, 0x81CEB32C4B43FCF4,
    0xA2425FF75E14FC31, 0xCAD2F7F5359A3B3E, 0xFD87B5F28300CA0D, 0x9E74D1B791E07E48,
    0xC612062576589DDA, 0xF79687AED3EEC551, 0x9ABE14CD44753B52, 0xC16D9A0095928A27,
    0xF1C90080BAF72CB1, 0x971DA05074DA7BEE, 0xBCE5086492111AEA, 0xEC1E4A7DB69561A5,
    0x9392EE8E921D5D07, 0xB877AA3236A4B449, 0xE69594BEC44DE15B, 0x901D7CF73AB0ACD9,
    0xB424DC35095CD80F, 0xE12E13424BB40E13, 0x8CBCCC096F5088CB, 0xAFEBFF0BCB24AAFE,
    0xDBE6FECEBDEDD5BE, 0x89705F4136B4A597, 0xABCC77118461CEFC, 0xD6BF94D5E57A42BC,
    0x8637BD05AF6C69B5, 0xA7C5AC471B478423, 0xD1B71758E219652B, 0x83126E978D4FDF3B,
    0xA3D70A3D70A3D70A, 0xCCCCCCCCCCCCCCCC, 0x8000000000000000, 0xA000000000000000,
    0xC800000000000000, 0xFA00000000000000, 0x9C40000000000000, 0xC350000000000000,
    0xF424000000000000, 0x9896800000000000, 0xBEBC200000000000, 0xEE6B280000000000,
    0x9502F90000000000, 0xBA43B74000000000, 0xE8D4A51000000000, 0x9184E72A00000000,
    0xB5E620F480000000, 0xE35FA931A0000000, 0x8E1BC9BF04000000, 0xB1A2BC2EC5000000,
    0xDE0B6B3A76400000, 0x8AC7230489E80000, 0xAD78EBC5AC620000, 0xD8D726B7177A8000,
    0x878678326EAC9000, 0xA968163F0A57B400, 0xD3C21BCECCEDA100, 0x84595161401484A0,
    0xA56FA5B99019A5C8, 0xCECB8F27F4200F3A, 0x813F3978F8940984, 0xA18F07D736B90BE5,
    0xC9F2C9CD04674EDE, 0xFC6F7C4045812296, 0x9DC5ADA82B70B59D, 0xC5371912364CE305,
    0xF684DF56C3E01BC6, 0x9A130B963A6C115C, 0xC097CE7BC90715B3, 0xF0BDC21ABB48DB20,
    0x96769950B50D88F4, 0xBC143FA4E250EB31, 0xEB194F8E1AE525FD, 0x92EFD1B8D0CF37BE,
    0xB7ABC627050305AD, 0xE596B7B0C643C719, 0x8F7E32CE7BEA5C6F,
};

static inline uint64_t float_power(int power)
{
    return float_powers[power - FLOAT_POWER_MIN];
}

/* Returns floor(log2(10^power)), for all powers in the table. */
static inline int bits_of(int power)
{
    return power * 217706 >> 16;
}

/* Expands seven digits to eight bytes, the first digit lowest, with a zero after the last. */
static inline uint64_t spread_digits(uint32_t digits)
{
    uint64_t fours = digits / 1000 | (uint64_t)(digits % 1000 * 10) << 32;
    uint64_t hundreds = (fours * 10486 >> 20) & UINT64_C(0x0000007F0000007F);
    uint64_t twos = hundreds | (fours - hundreds * 100) << 16;
    uint64_t high = (twos * 103 >> 10) & UINT64_C(0x000F000F000F000F);

    return high | (twos - high * 10) << 8;
}

static inline void put_eight(char *to, uint64_t bytes)
{
    bytes = htole64(bytes);
    memcpy(to, &bytes, sizeof(bytes));
}

/* Formats seven digits as `%.7g` does; the first one has the weight 10^exponent. */
static inline size_t put_seven(char *to, uint32_t digits, int exponent)
{
    uint64_t spread = spread_digits(digits), text = spread | UINT64_C(0x3030303030303030);
    size_t count = 8 - (size_t)__builtin_clzll(spread) / 8, whole = (size_t)exponent + 1;

    if (exponent < FIXED_MIN || exponent >= FLOAT_DIGITS) {
        to[0] = (char)text;
        to[1] = '.';
        put_eight(to + 2, text >> 8);
        count += count > 1;
        return count + put_exponent(to + count, exponent);
    }
    if (exponent < 0) {
        memcpy(to, "0.000", 5);
        put_eight(to + 1 - exponent, text);
        return (size_t)(1 - exponent) + count;
    }
    put_eight(to, text);
    to[whole] = '.';
    put_eight(to + whole + 1, text >> 8 * whole);
    return count > whole ? count + 1 : whole;
}

/*
 * Gets the seven digits of 2^binary * mantissa / 2^63, the first of which has the weight
 * 10^exponent. Returns false if the table is not exact enough to round them.
 */
static inline bool seven_digits(uint64_t mantissa, int binary, uint32_t *digits, int *exponent)
{
    uint64_t half, rest;
    unsigned down;
    struct wide product;
    int scale;

    *exponent = tens(binary);
    *exponent += bits_of(*exponent + 1) == binary && mantissa >= float_power(*exponent + 1);
    scale = FLOAT_DIGITS - 1 - *exponent;
    product = wide_product(mantissa, float_power(scale));
    down = (unsigned)(62 - binary - bits_of(scale));
    half = UINT64_C(1) << (down - 1);
    rest = product.high & (2 * half - 1);
    *digits = (uint32_t)(product.high >> down) + (rest >= half);
    if (rest + 1 - half <= 1) { /* exactly one half, or very near */
        if (scale < 0 || scale > FLOAT_POWER_EXACT)
            return false;
        if (rest == half && product.low == 0)
            *digits &= ~UINT32_C(1);
    }
    if (*digits == decimal_powers[FLOAT_DIGITS]) {
        *digits /= 10;
        ++*exponent;
    }
    return true;
}

size_t apitrace_decimal_float(char *to, float value)
{
    uint32_t bits, digits;
    int binary, exponent;
    bool negative;

    memcpy(&bits, &value, sizeof(bits));
    negative = bits >> 31 != 0;
    binary = (int)(bits >> FLOAT_BITS & FLOAT_SPECIAL) - FLOAT_BIAS;
    if (bits << 1 == 0)
        return put_integer(to, negative, 0);
    if (binary == -FLOAT_BIAS || binary == FLOAT_SPECIAL - FLOAT_BIAS ||
        !seven_digits((uint64_t)(bits << 8 | UINT32_C(1) << 31) << 32, binary, &digits, &exponent))
        return apitrace_decimal_plain_float(to, value);
    *to = '-';
    return negative + put_seven(to + negative, digits, exponent);
}

/* Returns 5^scale, scale <= DOUBLE_SCALE_MAX. */
static struct wide power_of_five(int scale)
{
    static const uint64_t five_16 = UINT64_C(152587890625);
    struct wide power = {0, 1};

    for (; scale >= 16; scale -= 16)
        power = wide_times(power, five_16);
    for (; scale > 0; scale--)
        power = wide_times(power, 5);
    return power;
}

/* Returns mantissa * 2^exponent * 10^scale, rounded to even; scale >= 0. */
static uint64_t scale_up(uint64_t mantissa, int exponent, int scale)
{
    struct wide product = wide_times(power_of_five(scale), mantissa), below;
    int down = -(exponent + scale);
    uint64_t whole;
    bool half;

    if (down <= 0)
        return product.low << -down;
    whole = wide_down(product, (unsigned)down).low;
    half = (wide_down(product, (unsigned)down - 1).low & 1) != 0;
    below = wide_below(product, (unsigned)down - 1);
    if (half && ((below.high | below.low) != 0 || (whole & 1) != 0))
        whole++;
    return whole;
}

size_t apitrace_decimal_double(char *to, double value)
{
    struct digits number = {.negative = signbit(value) != 0, .count = DOUBLE_DIGITS};
    double size = fabs(value);
    uint64_t bits, mantissa;
    int exponent;

    if (size < 1e15 && size == (double)(uint64_t)size)
        return put_integer(to, number.negative, (uint64_t)size);
    if (!(size >= 1e-16 && size < 1e19))
        return apitrace_decimal_plain_double(to, value);
    if (size >= 1e16) {
        round_integer((uint64_t)size, DOUBLE_DIGITS, &number);
        return put_number(to, &number, DOUBLE_DIGITS);
    }
    memcpy(&bits, &size, sizeof(bits));
    mantissa = (bits & ((UINT64_C(1) << MANTISSA_BITS) - 1)) | UINT64_C(1) << MANTISSA_BITS;
    exponent = (int)(bits >> MANTISSA_BITS) - EXPONENT_BIAS;
    number.exponent = tens(exponent + MANTISSA_BITS);
    number.digits = scale_up(mantissa, exponent, DOUBLE_DIGITS - 1 - number.exponent);
    if (number.digits >= decimal_powers[DOUBLE_DIGITS]) {
        number.exponent++;
        number.digits = scale_up(mantissa, exponent, DOUBLE_DIGITS - 1 - number.exponent);
    }
    return put_number(to, &number, DOUBLE_DIGITS);
}

/* Identifiers. */

static int compare_numbers(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int compare(const void *guid, const void *member)
{
    const struct apitrace_guid *a = guid;
    const struct apitrace_guid *b = &((const struct apitrace_guid_row *)member)->guid;

    if (a->data1 != b->data1)
        return compare_numbers(a->data1, b->data1);
    if (a->data2 != b->data2)
        return compare_numbers(a->data2, b->data2);
    if (a->data3 != b->data3)
        return compare_numbers(a->data3, b->data3);
    return memcmp(a->data4, b->data4, sizeof(a->data4));
}

const char *apitrace_guid_name(const struct apitrace_guid *guid)
{
    const struct apitrace_guid_row *row =
        bsearch(guid, apitrace_guid_rows, apitrace_guid_count, sizeof(*row), compare);

    return row != NULL ? row->name : NULL;
}

const char *apitrace_guid_format(const struct apitrace_guid *guid, char room[APITRACE_GUID_ROOM])
{
    const uint8_t *d = guid->data4;

    snprintf(room, APITRACE_GUID_ROOM, "uuid(%08x-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x)",
             guid->data1, guid->data2, guid->data3, d[0], d[1], d[2], d[3], d[4], d[5], d[6], d[7]);
    return room;
}
