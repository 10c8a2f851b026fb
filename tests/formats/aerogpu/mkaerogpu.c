/* SPDX-License-Identifier: MIT */
/*
 * mkaerogpu FILE [seed=N] [frames=N] [size=WxH] [packets] [appendix] [noise] [unfinished]
 *
 * Writes a trace of all AeroGPU commands; what its hashes.txt must say goes to
 * standard output.
 */
#include "tests/formats/aerogpu/make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_option(const char *text, struct make_params *params)
{
    unsigned long long seed;

    if (sscanf(text, "seed=%llu", &seed) == 1)
        params->seed = seed;
    else if (strcmp(text, "packets") == 0)
        params->packets = true;
    else if (strcmp(text, "appendix") == 0)
        params->appendix = true;
    else if (strcmp(text, "noise") == 0)
        params->noise = true;
    else if (strcmp(text, "unfinished") == 0)
        params->unfinished = true;
    else if (sscanf(text, "size=%ux%u", &params->width, &params->height) != 2 &&
             sscanf(text, "frames=%u", &params->frames) != 1)
        return false;
    return true;
}

int main(int argc, char **argv)
{
    struct make_params params = {.seed = 1, .frames = 64, .width = 64, .height = 64};
    bool usable = argc > 1;
    char line[120];
    struct made made;
    FILE *file;

    for (int i = 2; i < argc; i++)
        usable = usable && read_option(argv[i], &params);
    if (!usable || params.frames < 1 || params.width < 32 || params.height < 32 ||
        params.width > 4096 || params.height > 4096) {
        fputs("usage: mkaerogpu FILE [seed=N] [frames=N] [size=WxH] [packets] [appendix] [noise] "
              "[unfinished]\n",
              stderr);
        return 1;
    }
    (params.appendix ? aerogpu_make_appendix : aerogpu_make)(&params, &made);
    file = fopen(argv[1], "wb");
    if (file == NULL || fwrite(made.writer.bytes.data, made.writer.bytes.size, 1, file) != 1 ||
        fclose(file) != 0) {
        perror(argv[1]);
        return 1;
    }
    for (uint32_t i = 0; i < made.frames; i++) {
        aerogpu_made_line(&made, i, line);
        puts(line);
    }
    aerogpu_made_free(&made);
    return 0;
}
