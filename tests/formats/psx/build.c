/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/formats/psx/build.h"

#include "base/bytes.h"
#include "formats/format.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <stdlib.h>
#include <string.h>

void psx_build_bytes(struct psx_build *build, const void *bytes, size_t size)
{
    if (size > build->room - build->size) {
        build->room = 2 * (build->size + size);
        build->bytes = realloc(build->bytes, build->room);
        assert_non_null(build->bytes);
    }
    if (size > 0)
        memcpy(build->bytes + build->size, bytes, size);
    build->size += size;
}

void psx_build_start(struct psx_build *build, enum psx_magic magic)
{
    static const char long_magic[] = "PSXGPUDUMPv1r1\0", short_magic[] = "PSXGPUDUMPv1\0";

    *build = (struct psx_build){0};
    if (magic == PSX_MAGIC_16)
        psx_build_bytes(build, long_magic, sizeof(long_magic));
    else
        psx_build_bytes(build, short_magic, sizeof(short_magic));
}

void psx_build_free(struct psx_build *build)
{
    free(build->bytes);
    *build = (struct psx_build){0};
}

void psx_build_word(struct psx_build *build, uint32_t word)
{
    uint8_t bytes[4];

    bytes_put_le32(bytes, word);
    psx_build_bytes(build, bytes, sizeof(bytes));
}

void psx_build_packet(struct psx_build *build, uint8_t type, const uint32_t *words, size_t count)
{
    psx_build_word(build, (uint32_t)type << 24 | (uint32_t)count);
    for (size_t i = 0; i < count; i++)
        psx_build_word(build, words != NULL ? words[i] : 0);
    build->packets++;
}

void psx_build_string(struct psx_build *build, uint8_t type, const char *string, size_t length)
{
    psx_build_word(build, (uint32_t)type << 24 | (uint32_t)((length + 3) / 4));
    psx_build_bytes(build, string, length);
    psx_build_bytes(build, "\0\0\0", (4 - length % 4) % 4);
    build->packets++;
}

void psx_build_vsync(struct psx_build *build, uint64_t cycles)
{
    PACKET(build, PSX_PACKET_VSYNC, (uint32_t)cycles, (uint32_t)(cycles >> 32));
}

void psx_build_full_area(struct psx_build *build)
{
    GP0(build, 0xE3000000, 0xE4000000 | 1023 | 511 << 10, 0xE5000000);
}

void psx_opened_init(struct psx_opened *opened, const void *bytes, size_t size)
{
    *opened = (struct psx_opened){
        .source = {.data = bytes, .size = size, .file_size = size, .path = strdup("/test.psxgpu")}};
    assert_non_null(opened->source.path);
    assert_int_equal(format_options_init(&opened->options), 0);
    assert_int_equal(problems_create(&opened->problems), 0);
}

const struct format *psx_opened_probe(struct psx_opened *opened)
{
    static const struct source_params params = {0};
    const struct format *format;

    opened->opening = (struct format_opening){.source = &opened->source,
                                              .options = &opened->options,
                                              .source_params = &params,
                                              .problems = opened->problems,
                                              .origin = opened->origin,
                                              .message = &opened->message};
    return format_probe(&opened->opening, &format) == 0 ? format : NULL;
}

int psx_opened_open(struct psx_opened *opened)
{
    const struct format *format = psx_opened_probe(opened);

    assert_non_null(format);
    assert_string_equal(format->name, "psx");
    return format->ops->open(&opened->opening, &opened->dump);
}

void psx_opened_tree(struct psx_opened *opened)
{
    const struct format *format = psx_opened_probe(opened);
    struct tree_params params = {.rules = format->ops->rules,
                                 .rule_count = format->ops->rule_count};

    if (opened->dump == NULL)
        assert_int_equal(psx_opened_open(opened), 0);
    params.dump = opened->dump;
    assert_int_equal(tree_create(&params, &opened->tree), 0);
}

void psx_opened_build(struct psx_opened *opened, const struct psx_build *build)
{
    psx_opened_init(opened, build->bytes, build->size);
    psx_opened_tree(opened);
}

void psx_opened_close(struct psx_opened *opened)
{
    if (opened->tree != NULL)
        tree_destroy(&opened->tree);
    else if (opened->dump != NULL)
        opened->dump->ops->close(&opened->dump);
    problems_destroy(&opened->problems);
    options_clear(&opened->options);
    text_clear(&opened->message);
    free(opened->source.path);
    *opened = (struct psx_opened){0};
}

struct psx_index *psx_opened_index(const struct psx_opened *opened)
{
    return &psx_dump_of(opened->dump)->index;
}

char *psx_opened_read(const struct psx_opened *opened, const char *path)
{
    size_t size = 0;

    return walk_read(opened->tree, path, &size);
}

char *psx_opened_problems(const struct psx_opened *opened)
{
    return psx_opened_read(opened, "problems.txt");
}
