/*
 * Every vector twin of the check sums against zlib's, and the constants with which
 * CRC-32 is folded against the polynomial that they come from.
 */
#include "config.h"

#include "base/checksum.h"
#include "base/checksum_fold.h"

#include "support.h"

#include <stdlib.h>
#include <string.h>

enum {
    ALIGNMENTS = 64,
    SHORT = 300,         /* all lengths up to this one */
    LARGE = 1024 * 1024, /* and some up to this one */
    LARGE_ONES = 200,
};

static void test_sums_of_nothing(void **state)
{
    const struct checksum_ops *ops;

    (void)state;
    for (unsigned n = 0; (ops = checksum_ops_get(n)) != NULL; n++) {
        assert_int_equal(ops->crc32(CHECKSUM_CRC32, (const uint8_t *)"", 0), CHECKSUM_CRC32);
        assert_int_equal(ops->crc32(0x12345678, (const uint8_t *)"", 0), 0x12345678);
        assert_int_equal(ops->adler32(CHECKSUM_ADLER32, (const uint8_t *)"", 0), CHECKSUM_ADLER32);
        assert_int_equal(ops->adler32(0x12345678, (const uint8_t *)"", 0), 0x12345678);
    }
}

static void test_all_are_offered(void **state)
{
    unsigned count = 0;

    (void)state;
    for (; checksum_ops_get(count) != NULL; count++)
        print_message("%s\n", checksum_ops_get(count)->name);
    assert_true(count >= 1);
    assert_ptr_equal(checksum_ops_get(count - 1), &checksum_ops_zlib);
}

static void compare(const uint8_t *bytes, size_t size, uint32_t crc, uint32_t adler)
{
    uint32_t must_crc = checksum_ops_zlib.crc32(crc, bytes, size);
    uint32_t must_adler = checksum_ops_zlib.adler32(adler, bytes, size);
    const struct checksum_ops *ops;

    for (unsigned n = 0; (ops = checksum_ops_get(n)) != &checksum_ops_zlib; n++) {
        if (ops->crc32(crc, bytes, size) != must_crc)
            fail_msg("%s: CRC-32 of %zu bytes from %08x", ops->name, size, crc);
        if (ops->adler32(adler, bytes, size) != must_adler)
            fail_msg("%s: Adler-32 of %zu bytes from %08x", ops->name, size, adler);
    }
}

/* Both halves below the modulus, often its largest remainder. */
static uint32_t random_adler(uint64_t *random)
{
    uint32_t number = (uint32_t)support_random(random) % 65521;

    return support_random(random) & 256 ? UINT32_C(65520) << 16 | 65520 : number << 16 | number;
}

/* Each piece has a block of its own, so that the sanitizers see what is read beyond it. */
static void compare_pieces(const uint8_t *bytes, uint64_t *random)
{
    for (size_t size = 0; size <= SHORT; size++)
        for (size_t alignment = 0; alignment < ALIGNMENTS; alignment++) {
            uint8_t *piece = malloc(alignment + size + 1);

            assert_non_null(piece);
            memcpy(piece + alignment, bytes + alignment, size);
            compare(piece + alignment, size, (uint32_t)support_random(random),
                    random_adler(random));
            free(piece);
        }
}

static void test_short_ones(void **state)
{
    uint8_t bytes[SHORT + ALIGNMENTS];
    uint64_t random = 5;

    (void)state;
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(support_random(&random) >> 32);
    compare_pieces(bytes, &random);
    memset(bytes, 0xFF, sizeof(bytes));
    compare_pieces(bytes, &random);
}

static void test_large_ones(void **state)
{
    uint8_t *bytes = malloc(LARGE);
    uint64_t random = 17;

    (void)state;
    assert_non_null(bytes);
    memset(bytes, 0xFF, LARGE); /* sums as large as can be */
    for (size_t size = 5400; size < 5700; size++)
        compare(bytes, size, 0, 65520u << 16 | 65520);
    compare(bytes, LARGE, UINT32_MAX, 65520u << 16 | 65520);
    for (size_t i = 0; i < LARGE; i++)
        bytes[i] = (uint8_t)(support_random(&random) >> 32);
    for (unsigned n = 0; n < LARGE_ONES; n++) {
        size_t begin = (size_t)(support_random(&random) >> 16) % 5000;
        size_t size = (size_t)(support_random(&random) >> 16) % (n % 4 ? 20000 : LARGE - begin);

        compare(bytes + begin, size, (uint32_t)support_random(&random), random_adler(&random));
    }
    free(bytes);
}

/* x^exponent modulo CRC-32's polynomial, bit 31 the highest power. */
static uint32_t power_of_x(int exponent)
{
    uint32_t power = 1;

    for (int i = 0; i < exponent; i++)
        power = power << 1 ^ (power >> 31 ? 0x04C11DB7 : 0);
    return power;
}

/* As the vectors have it: bit 0 the highest power, one place higher. */
static uint64_t stored(uint32_t power)
{
    uint64_t reversed = 0;

    for (int i = 0; i < 32; i++)
        reversed |= (uint64_t)(power >> i & 1) << (31 - i);
    return reversed << 1;
}

static void test_constants_come_from_the_polynomial(void **state)
{
    static const struct checksum_fold folds[] = {CHECKSUM_FOLD_128, CHECKSUM_FOLD_256,
                                                 CHECKSUM_FOLD_512, CHECKSUM_FOLD_1024,
                                                 CHECKSUM_FOLD_2048};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(folds); i++) {
        assert_int_equal(folds[i].first, stored(power_of_x(folds[i].bits + 32)));
        assert_int_equal(folds[i].other, stored(power_of_x(folds[i].bits - 32)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_of_nothing),
        cmocka_unit_test(test_all_are_offered),
        cmocka_unit_test(test_short_ones),
        cmocka_unit_test(test_large_ones),
        cmocka_unit_test(test_constants_come_from_the_polynomial),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
