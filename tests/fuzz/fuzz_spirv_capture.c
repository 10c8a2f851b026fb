/* SPDX-License-Identifier: MIT */
/*
 * SPIR-V modules that are changed to capture gl_Position: a byte chooses the stage, and the rest
 * are the words. Changing the result again must give the same result.
 */
#include "config.h"

#include "glworker/gl/spirv_capture.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool holds)
{
    if (!holds)
        abort();
}

static void capture_again(const uint32_t *words, size_t count, uint32_t stage)
{
    const char *why;
    size_t made;
    uint32_t *again = spirv_capture_position(words, count, stage, "main", &made, &why);

    expect(again != NULL && made == count && memcmp(again, words, count * sizeof(*words)) == 0);
    free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const size_t count = size > 0 ? (size - 1) / sizeof(uint32_t) : 0;
    const uint32_t stage = size > 0 ? data[0] % 6 : 0;
    uint32_t *words = malloc((count + 1) * sizeof(*words)), *captured;
    const char *why = NULL;
    size_t made = 0;

    if (words == NULL)
        return 0;
    if (count > 0)
        memcpy(words, data + 1, count * sizeof(*words));
    captured = spirv_capture_position(words, count, stage, "main", &made, &why);
    if (captured != NULL) {
        expect(made <= count + SPIRV_CAPTURE_ADDED);
        capture_again(captured, made, stage);
    } else {
        expect(why != NULL && made == 0);
    }
    free(captured);
    free(words);
    return 0;
}
