/* SPDX-License-Identifier: MIT */
/*
 * Runs the model and its random streams as a program, for difftest.py:
 *
 *     psxmodel stream KIND SEED > DUMP     a random stream (streams.h)
 *     psxmodel vram DUMP [FAULT] > VRAM    VRAM after its last word, or with a fault
 */
#include "tests/formats/psx/modelplay.h"
#include "tests/formats/psx/streams.h"

#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const faults[] = {
    [MODEL_FAULT_NONE] = "none",
    [MODEL_FAULT_LINES_UNDITHERED] = "lines-undithered",
    [MODEL_FAULT_COPY_BY_PIXEL] = "copy-by-pixel",
};

static int complain(const char *message, const char *name)
{
    fprintf(stderr, "psxmodel: %s: %s\n", name, message);
    return 1;
}

static int write_stream(const char *kind, const char *seed)
{
    struct psx_build build = {0};

    if (!psx_streams_build(kind, strtoull(seed, NULL, 10), &build))
        return complain("no such kind of stream", kind);
    fwrite(build.bytes, 1, build.size, stdout);
    psx_build_free(&build);
    return 0;
}

static void write_halfwords(const uint16_t *pixels, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        putchar(pixels[i] & 255);
        putchar(pixels[i] >> 8);
    }
}

static int write_vram(const char *path, const char *fault_name)
{
    size_t size, fault = 0;
    uint8_t *dump = support_read(path, &size);
    struct psx_model *model;

    while (fault < COUNT_OF(faults) && strcmp(faults[fault], fault_name) != 0)
        fault++;
    if (fault == COUNT_OF(faults))
        return complain("no such mistake", fault_name);
    model = psx_modelplay(dump, size, UINT32_MAX, (enum psx_model_fault)fault);
    free(dump);
    if (model == NULL)
        return complain("not a dump for the model", path);
    write_halfwords(psx_model_vram(model), (size_t)MODEL_WIDTH * psx_model_height(model));
    psx_model_destroy(&model);
    return 0;
}

int main(int argc, char **argv)
{
    int status;

    if (argc == 4 && strcmp(argv[1], "stream") == 0)
        status = write_stream(argv[2], argv[3]);
    else if ((argc == 3 || argc == 4) && strcmp(argv[1], "vram") == 0)
        status = write_vram(argv[2], argc == 4 ? argv[3] : "none");
    else
        status = complain("stream KIND SEED, or vram DUMP [FAULT]", "usage");
    return fflush(stdout) != 0 ? complain("cannot write", "standard output") : status;
}
