/* SPDX-License-Identifier: MIT */
/*
 * Writes a load (load.h) to a file, all of it or its first VSyncs:
 *
 *     mkload small|typical|large|huge [-v VSYNCS] FILE
 */
#include "tests/bench/load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int make_file(const char *preset, unsigned vsyncs, const char *path)
{
    FILE *file = fopen(path, "wb");
    int status;

    if (file == NULL)
        return -errno;
    status = load_write(preset, vsyncs, file);
    if (fclose(file) != 0 && status == 0)
        status = -errno;
    return status;
}

int main(int argc, char **argv)
{
    unsigned vsyncs = 0;
    int option, status;

    optind = 2;
    while (argc > 2 && (option = getopt(argc, argv, "v:")) != -1) {
        if (option != 'v')
            argc = 0;
        else
            vsyncs = (unsigned)strtoul(optarg, NULL, 10);
    }
    if (optind != argc - 1) {
        fprintf(stderr, "usage: mkload small|typical|large|huge [-v VSYNCS] FILE\n");
        return 2;
    }
    status = make_file(argv[1], vsyncs, argv[optind]);
    if (status != 0)
        fprintf(stderr, "mkload: %s: %s\n", argv[optind], strerror(-status));
    return status != 0;
}
