/* SPDX-License-Identifier: MIT */
/*
 * SHA-256: the examples of FIPS 180-4, with and without the processor's instructions, added in
 * pieces of any size.
 */
#include "config.h"

#include "tests/support/support.h"

#include "base/sha256.h"

#include <stdlib.h>
#include <string.h>

static void digest_of(const void *bytes, size_t size, size_t piece, bool instructions,
                      uint8_t digest[SHA256_SIZE])
{
    const uint8_t *next = bytes;
    struct sha256 hash;

    sha256_init(&hash);
    sha256_uses_instructions(&hash, instructions);
    while (size > 0) {
        size_t taken = piece < size ? piece : size;

        sha256_add(&hash, next, taken);
        next += taken;
        size -= taken;
    }
    sha256_finish(&hash, digest);
}

static void expect(const void *bytes, size_t size, const char *digits)
{
    for (int instructions = 0; instructions < 2; instructions++) {
        char found[SHA256_DIGITS + 1];
        uint8_t digest[SHA256_SIZE];

        digest_of(bytes, size, 1000, instructions, digest);
        sha256_digits(digest, found);
        assert_string_equal(found, digits);
    }
}

static void test_published_examples(void **state)
{
    char *many = malloc(1000000);

    (void)state;
    expect("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
           "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    assert_non_null(many);
    memset(many, 'a', 1000000);
    expect(many, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(many);
}

static void test_pieces_and_instructions_make_no_difference(void **state)
{
    uint8_t bytes[700], whole[SHA256_SIZE], other[SHA256_SIZE];
    uint64_t random = 5;

    (void)state;
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)support_random(&random);
    for (size_t size = 0; size <= sizeof(bytes); size += 1 + size / 9) {
        digest_of(bytes, size, sizeof(bytes), false, whole);
        for (size_t piece = 1; piece <= 200; piece += 7) {
            digest_of(bytes, size, piece, true, other);
            assert_memory_equal(whole, other, SHA256_SIZE);
            digest_of(bytes, size, piece, false, other);
            assert_memory_equal(whole, other, SHA256_SIZE);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_examples),
        cmocka_unit_test(test_pieces_and_instructions_make_no_difference),
    };

    return cmocka_run_group_tests_name("sha256", tests, NULL, NULL);
}
