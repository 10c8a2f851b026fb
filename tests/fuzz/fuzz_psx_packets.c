/* SPDX-License-Identifier: MIT */
/*
 * PSX GPU dumps without drawing: packets are within the dump, the index agrees with them, and the
 * complete command stream is written as lines.
 */
#include "config.h"

#include "formats/format.h"
#include "formats/psx/index/indexing.h"
#include "formats/psx/information.h"
#include "formats/psx/views/commands.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BYTES_MAX = 1 << 12, INDEX_MEMORY = 1 << 20 };

static void check_packets(const struct psx_index *index, uint64_t size)
{
    uint64_t offset = psx_magic_length(index->magic), count = 0;
    struct psx_packet packet, found;

    while (psx_packet_read(index->data, size, offset, &packet)) {
        if (packet.words > packet.announced || psx_packet_end(&packet) > size)
            abort();
        if (count < index->packets &&
            (psx_index_packet(index, count, &found) < 0 || found.offset != packet.offset))
            abort();
        offset = psx_packet_end(&packet);
        count++;
    }
    if (index->packets > count)
        abort();
}

static void write_information(const struct psx_index *index, struct text *text)
{
    struct psx_packet packet;

    for (uint64_t number = 0; number < index->packets; number++) {
        if (psx_index_packet(index, number, &packet) < 0)
            abort();
        if (packet.type >= PSX_PACKET_VERSION) {
            psx_format_information(text, &packet, index->magic);
            (void)psx_packet_string_is_allowed(&packet);
        } else if (packet.type >= PSX_PACKET_VSYNC) {
            psx_format_event(text, &packet);
        }
    }
}

static void write_lines(const struct psx_index *index, struct text *text)
{
    struct psx_lines lines;
    struct psx_walk walk;

    if (psx_lines_init(&lines, text, NULL, 8, NULL) < 0)
        return;
    psx_walk_start(&walk, index);
    if (psx_lines_write(&lines, &walk, index->packets, 0) < 0)
        abort();
    psx_lines_clear(&lines);
}

static void use(const struct source *source, const struct options *options,
                struct problems *problems)
{
    struct text text = TEXT_INIT;
    struct psx_index index = {0};

    if (psx_index_open(source, options, problems, NULL, &index) < 0)
        return;
    check_packets(&index, source->size);
    if (psx_index_wait_all(&index, NULL) == 0)
        write_lines(&index, &text);
    write_information(&index, &text);
    text_clear(&text);
    psx_index_close(&index);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct options options;
    char path[] = "/fuzz.psxgpu";
    struct source source = {.data = data, .size = size, .file_size = size, .path = path};
    struct problems *problems = NULL;
    enum psx_magic magic = psx_magic_read(data, size);

    if (size > BYTES_MAX || magic == PSX_MAGIC_NONE || magic == PSX_MAGIC_UNKNOWN)
        return 0;
    if (options.own == NULL) {
        if (format_options_init(&options) < 0)
            return 0;
        options.max_memory = INDEX_MEMORY;
    }
    if (problems_create(&problems) == 0)
        use(&source, &options, problems);
    problems_destroy(&problems);
    return 0;
}
