/* SPDX-License-Identifier: MIT */
#include "tests/formats/psx/modelplay.h"

#include <string.h>

enum { MAGIC_SIZE = 16, GP0 = 0, GP1 = 1, VSYNC = 2, BEGIN = 5, VERSION = 6 };

static uint32_t word_at(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Returns the GPU version that the dump declares before its first word for a port, 2 if none. */
static unsigned version_of(const uint8_t *dump, size_t size)
{
    for (size_t at = MAGIC_SIZE; at + 8 <= size && dump[at + 3] > GP1;
         at += 4 + 4 * (size_t)(word_at(dump + at) & 0xFFFFFF))
        if (dump[at + 3] == VERSION)
            return word_at(dump + at + 4);
    return 2;
}

static void send_words(struct psx_model *model, unsigned port, const uint8_t *words, size_t count)
{
    for (; count > 0; count--, words += 4)
        if (port == GP0)
            psx_model_gp0(model, word_at(words));
        else
            psx_model_gp1(model, word_at(words));
}

struct psx_model *psx_modelplay(const uint8_t *dump, size_t size, unsigned frame,
                                enum psx_model_fault fault)
{
    struct psx_model *model;
    unsigned vsyncs = 0;

    if (size < MAGIC_SIZE || memcmp(dump, "PSXGPUDUMPv1r1\0", MAGIC_SIZE) != 0)
        return NULL;
    model = psx_model_create(version_of(dump, size));
    psx_model_set_fault(model, fault);
    for (size_t at = MAGIC_SIZE; at + 4 <= size && vsyncs <= frame;) {
        size_t count = word_at(dump + at) & 0xFFFFFF;
        unsigned type = dump[at + 3];

        at += 4;
        if (type == BEGIN || count > (size - at) / 4) {
            psx_model_destroy(&model);
            return NULL;
        }
        if (type <= GP1)
            send_words(model, type, dump + at, count);
        else if (type == VSYNC)
            psx_model_set_field(model, ++vsyncs & 1);
        at += 4 * count;
    }
    return model;
}
