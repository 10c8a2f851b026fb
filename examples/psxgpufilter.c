/* SPDX-License-Identifier: MIT */
/*
 * psxgpufilter.c: a filter for PSX GPU dumps, from standard input to standard output, as an example
 * of libpsxgpudump. `psxgpufilter FRAMES` ends a dump after FRAMES VSyncs, and leaves comments out.
 * The dump is copied packet by packet, so that one from a pipe can be cut short.
 */
#include "psxgpudump.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Reads a packet's words, of which there may be many. The caller frees them. Returns NULL if there
 * is not enough memory, or the dump ends.
 */
static uint32_t *read_words(struct psxgpudump_reader *reader, uint32_t count)
{
    uint32_t *words = NULL;
    size_t room = 0, done = 0;

    while (done < count) {
        int n;

        if (done == room) { /* grows with the words read: the packet's header may claim too many */
            uint32_t *more = realloc(words, (room += room / 2 + 1024) * sizeof(*words));

            if (more == NULL)
                break;
            words = more;
        }
        n = psxgpudump_reader_words(reader, words + done, room - done);
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    if (done == count && words == NULL)
        words = malloc(sizeof(*words));
    if (done < count) {
        free(words);
        words = NULL;
    }
    return words;
}

int main(int argc, char **argv)
{
    unsigned long frames = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
    struct psxgpudump_reader reader;
    struct psxgpudump_writer writer;
    struct psxgpudump_packet packet;
    int status;

    if (frames == 0) {
        fputs("usage: psxgpufilter FRAMES <DUMP >DUMP\n", stderr);
        return 2;
    }
    psxgpudump_reader_init(&reader, psxgpudump_file_origin, stdin);
    if (reader.status == 0)
        psxgpudump_writer_init(&writer, psxgpudump_file_sink, stdout);
    while (frames > 0 && psxgpudump_reader_next(&reader, &packet) > 0) {
        uint32_t *words = read_words(&reader, packet.words);

        if (words == NULL)
            break;
        if (packet.type != PSXGPUDUMP_COMMENT)
            psxgpudump_writer_packet(&writer, packet.type, words, packet.words);
        frames -= packet.type == PSXGPUDUMP_VSYNC;
        free(words);
    }
    status = reader.status == 0 ? psxgpudump_writer_flush(&writer) : reader.status;
    if (status < 0)
        fprintf(stderr, "psxgpufilter: %s\n", strerror(-status));
    return status < 0;
}
