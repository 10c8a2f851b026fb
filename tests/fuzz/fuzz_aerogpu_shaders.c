/* SPDX-License-Identifier: MIT */
/*
 * Shaders as the daemon examines them: containers, signatures, disassembly, and the shaders that it
 * builds from them for compilers, which must be valid shaders again.
 */
#include "config.h"

#include "base/bytes.h"
#include "dxbc/dxbc.h"

#include <errno.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    BYTES_MAX = 1 << 14,
    CONSTANT_TABLE = 19 * 4, /* that a D3D9 shader may be given */
};

static void expect(bool true_here)
{
    if (!true_here)
        abort();
}

static void check_chunk(const struct dxbc_chunk *chunk, const uint8_t *data, size_t size)
{
    expect(chunk->data == NULL || (chunk->data >= data && chunk->size <= size &&
                                   (size_t)(chunk->data - data) <= size - chunk->size));
}

static void check_signature(const struct dxbc_chunk *signature, const uint8_t *data, size_t size)
{
    struct dxbc_parameter parameter;

    check_chunk(signature, data, size);
    for (uint32_t n = 0; n < dxbc_signature_count(signature); n++)
        if (!dxbc_signature_at(signature, n, &parameter))
            break;
}

static void check_container(const uint8_t *data, size_t size)
{
    struct dxbc dxbc;

    if (!dxbc_open(data, size, &dxbc))
        return;
    check_signature(&dxbc.inputs, data, size);
    check_signature(&dxbc.outputs, data, size);
    check_signature(&dxbc.patch, data, size);
    check_chunk(&dxbc.code, data, size);
    expect((uint64_t)dxbc.tokens * 4 <= dxbc.code.size);
}

/*
 * Aborts unless a repaired or transcoded shader has a correct checksum and is accepted when it is
 * repaired again.
 */
static void check_genuine(const uint8_t *data, size_t size)
{
    struct blob *genuine = NULL, *again = NULL;
    uint8_t sum[16];

    if (dxbc_genuine(data, size, &genuine) == 0) {
        expect(genuine->size >= 20);
        dxbc_checksum(genuine->data, genuine->size, sum);
        expect(memcmp(sum, genuine->data + 4, sizeof(sum)) == 0);
        expect(dxbc_genuine(genuine->data, genuine->size, &again) != -EINVAL);
    }
    blob_unref(&genuine);
    blob_unref(&again);
    if (dxbc_d3d9_genuine(data, size, &genuine) == 0) {
        const size_t whole = size / 4 * 4;

        expect(genuine->size == whole || genuine->size == whole + CONSTANT_TABLE);
        if (dxbc_d3d9_genuine(genuine->data, genuine->size, &again) != -ENOMEM)
            expect(again != NULL && again->size == genuine->size &&
                   memcmp(again->data, genuine->data, genuine->size) == 0);
    }
    blob_unref(&genuine);
    blob_unref(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct text text = {.limit = 1 << 20};
    uint32_t dwords = (uint32_t)(size / 4);

    if (size > BYTES_MAX)
        return 0;
    text_reset(&text);
    (void)dxbc_classify(data, size);
    check_container(data, size);
    check_genuine(data, size);
    dxbc_signature_write(data, size, &text);
    (void)dxbc_disassemble(data, size, &text);
    /* the tokens without a container */
    dxbc_disassemble_code(data, dwords, &text);
    dxbc_disassemble_d3d9(data, dwords, &text);
    return 0;
}
