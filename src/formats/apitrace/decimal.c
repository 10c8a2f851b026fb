/*
 * A float is m * 2^q. To print it with n digits, it is multiplied by the power of ten
 * that leaves n digits before the point, exactly: for floats in a double, for doubles
 * in 128 bits. What is behind the point then decides the rounding, to even where it is
 * one half. Numbers too large or too small for that go to printf().
 */
#include "formats/apitrace/decimal.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    FLOAT_DIGITS = 7,
    DOUBLE_DIGITS = 16,
    FLOAT_SCALE_MOST = 12,  /* 24 bits times 5^12 fit in a double's 53 */
    DOUBLE_SCALE_MOST = 32, /* 53 bits times 5^32 fit in 128 */
    MANTISSA_BITS = 52,
    EXPONENT_BIAS = 1075, /* of a mantissa taken as an integer */
    WIDE = 16,            /* bytes copied at once, all digits of any number */
    FIXED_LEAST = -4,     /* exponents below it are written with e */
};

__extension__ typedef unsigned __int128 wide;

static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12};

static const uint64_t integer_powers[] = {UINT64_C(1),
                                          UINT64_C(10),
                                          UINT64_C(100),
                                          UINT64_C(1000),
                                          UINT64_C(10000),
                                          UINT64_C(100000),
                                          UINT64_C(1000000),
                                          UINT64_C(10000000),
                                          UINT64_C(100000000),
                                          UINT64_C(1000000000),
                                          UINT64_C(10000000000),
                                          UINT64_C(100000000000),
                                          UINT64_C(1000000000000),
                                          UINT64_C(10000000000000),
                                          UINT64_C(100000000000000),
                                          UINT64_C(1000000000000000),
                                          UINT64_C(10000000000000000),
                                          UINT64_C(100000000000000000),
                                          UINT64_C(1000000000000000000),
                                          UINT64_C(10000000000000000000)};

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

static unsigned count_digits(uint64_t value)
{
    unsigned digits = 1;

    while (digits < 20 && value >= integer_powers[digits])
        digits++;
    return digits;
}

/* Exactly `digits` digits, the last ones of the value; the same for what fits in 32 bits. */
static inline void put_few_digits(char *to, uint32_t value, unsigned digits)
{
    while (digits >= 2) {
        digits -= 2;
        memcpy(to + digits, pairs + (size_t)2 * (value % 100), 2);
        value /= 100;
    }
    if (digits == 1)
        to[0] = (char)('0' + value % 10);
}

static void put_digits(char *to, uint64_t value, unsigned digits)
{
    for (; value > UINT32_MAX && digits >= 2; value /= 100) {
        digits -= 2;
        memcpy(to + digits, pairs + 2 * (value % 100), 2);
    }
    put_few_digits(to, (uint32_t)value, digits);
}

size_t apitrace_decimal_u64(char *to, uint64_t value)
{
    unsigned digits = count_digits(value);

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

/* A number of a sign and digits, the first of which stands for 10^exponent. */
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
    memcpy(to + 2, pairs + (size_t)2 * magnitude, 2); /* never 100 and more here */
    return 4;
}

/* What `%g` makes of digits: no zeros at the end, the point where it is near. */
static size_t put_number(char *to, const struct digits *number, int precision)
{
    char digits[2 * WIDE]; /* with room to copy too many */
    unsigned count = number->count;
    int exponent = number->exponent;
    char *at = to;

    put_digits(digits, number->digits, count);
    while (count > 1 && digits[count - 1] == '0')
        count--;
    if (number->negative)
        *at++ = '-';
    if (exponent < FIXED_LEAST || exponent >= precision) {
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

/* The first `digits` digits of an integer that has more, rounded. */
static void round_integer(uint64_t value, unsigned digits, struct digits *out)
{
    unsigned all = count_digits(value);
    uint64_t unit = integer_powers[all - digits], rest = value % unit;

    out->digits = value / unit;
    out->exponent = (int)all - 1;
    out->count = digits;
    if (rest > unit / 2 || (rest == unit / 2 && (out->digits & 1) != 0))
        out->digits++;
    if (out->digits == integer_powers[digits]) {
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
    char room[APITRACE_DECIMAL_MOST + 1];
    int length = snprintf(room, sizeof(room), "%.7g", (double)value);

    memcpy(to, room, (size_t)length);
    return (size_t)length;
}

size_t apitrace_decimal_plain_double(char *to, double value)
{
    char room[APITRACE_DECIMAL_MOST + 1];
    int length = snprintf(room, sizeof(room), "%.16g", value);

    memcpy(to, room, (size_t)length);
    return (size_t)length;
}

/* floor(log10(2^exponent)), which is log10 of what is between it and 2^(exponent + 1), or less by
 * one. */
static int tens(int exponent)
{
    return (int)((int64_t)exponent * 315653 >> 20);
}

size_t apitrace_decimal_float(char *to, float value)
{
    struct digits number = {.negative = signbit(value) != 0, .count = FLOAT_DIGITS};
    double size = fabs((double)value), scaled;
    uint64_t bits;

    if (size < 1e7 && size == (double)(uint32_t)size)
        return put_integer(to, number.negative, (uint32_t)size);
    if (!(size >= 1e-6 && size < 1e19))
        return apitrace_decimal_plain_float(to, value);
    if (size >= 1e7) { /* such floats are integers */
        round_integer((uint64_t)size, FLOAT_DIGITS, &number);
        return put_number(to, &number, FLOAT_DIGITS);
    }
    memcpy(&bits, &size, sizeof(bits));
    number.exponent = tens((int)(bits >> MANTISSA_BITS) - 1023);
    if (FLOAT_DIGITS - 1 - number.exponent > FLOAT_SCALE_MOST)
        number.exponent++;
    scaled = size * powers[FLOAT_DIGITS - 1 - number.exponent];
    if (scaled >= 1e7) {
        number.exponent++;
        scaled = size * powers[FLOAT_DIGITS - 1 - number.exponent];
    }
    number.digits = (uint64_t)scaled;
    scaled -= (double)number.digits;
    if (scaled > 0.5 || (scaled == 0.5 && (number.digits & 1) != 0))
        number.digits++;
    if (number.digits == integer_powers[FLOAT_DIGITS]) {
        number.digits /= 10;
        number.exponent++;
    }
    return put_number(to, &number, FLOAT_DIGITS);
}

/* 5^scale, scale <= DOUBLE_SCALE_MOST. */
static wide power_of_five(int scale)
{
    static const uint64_t five_16 = UINT64_C(152587890625);
    wide power = 1;

    for (; scale >= 16; scale -= 16)
        power *= five_16;
    for (; scale > 0; scale--)
        power *= 5;
    return power;
}

/* mantissa * 2^exponent times 10^scale, rounded to even; scale >= 0. */
static uint64_t scale_up(uint64_t mantissa, int exponent, int scale)
{
    wide product = mantissa * power_of_five(scale), half;
    int down = -(exponent + scale);
    uint64_t whole;

    if (down <= 0)
        return (uint64_t)(product << -down);
    whole = (uint64_t)(product >> down);
    half = (wide)1 << (down - 1);
    product &= ((wide)1 << down) - 1;
    if (product > half || (product == half && (whole & 1) != 0))
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
    if (number.digits >= integer_powers[DOUBLE_DIGITS]) {
        number.exponent++;
        number.digits = scale_up(mantissa, exponent, DOUBLE_DIGITS - 1 - number.exponent);
    }
    return put_number(to, &number, DOUBLE_DIGITS);
}
