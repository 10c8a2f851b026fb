/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/source/source_play.h"

#include "tests/support/support.h"

#include <dirent.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

struct source_playing opened;

int source_play_begin(void **state)
{
    (void)state;
    opened.folder = support_folder();
    opened.path = support_path(opened.folder, "dump");
    opened.params = (struct source_params){.max_expand = 1 << 30, .spool_dir = opened.folder};
    return problems_create(&opened.problems);
}

int source_play_end(void **state)
{
    (void)state;
    source_close(&opened.source);
    problems_destroy(&opened.problems);
    free(opened.path);
    support_remove(&opened.folder);
    return 0;
}

struct bytes source_play_sample(size_t size)
{
    struct bytes sample = {malloc(size + 1), size};
    uint64_t random = 99;

    for (size_t i = 0; i < size; i++)
        sample.data[i] = (uint8_t)(support_random(&random) % 23 * (i / 5000 + 1));
    return sample;
}

struct bytes source_play_zstd(struct bytes plain)
{
    struct bytes packed = {malloc(ZSTD_compressBound(plain.size)), 0};
    ZSTD_CCtx *context = ZSTD_createCCtx();

    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    packed.size = ZSTD_compress2(context, packed.data, ZSTD_compressBound(plain.size), plain.data,
                                 plain.size);
    assert_false(ZSTD_isError(packed.size));
    ZSTD_freeCCtx(context);
    return packed;
}

struct bytes source_play_xz(struct bytes plain)
{
    size_t room = lzma_stream_buffer_bound(plain.size);
    struct bytes packed = {malloc(room), 0};

    assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, plain.data, plain.size,
                                             packed.data, &packed.size, room),
                     LZMA_OK);
    return packed;
}

struct bytes source_play_gzip(struct bytes plain)
{
    struct bytes packed = {malloc(plain.size + 1000), 0};
    z_stream stream = {0};

    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = plain.data;
    stream.avail_in = (uInt)plain.size;
    stream.next_out = packed.data;
    stream.avail_out = (uInt)plain.size + 1000;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.size = stream.total_out;
    deflateEnd(&stream);
    return packed;
}

const struct source_play_container source_play_containers[SOURCE_PLAY_CONTAINERS] = {
    {source_play_zstd, SOURCE_ZSTD, "zstd"},
    {source_play_xz, SOURCE_XZ, "xz"},
    {source_play_gzip, SOURCE_GZIP, "gzip"},
};

void source_play_open(const void *data, size_t size)
{
    source_close(&opened.source);
    problems_destroy(&opened.problems);
    assert_int_equal(problems_create(&opened.problems), 0);
    support_write(opened.path, data, size);
    assert_int_equal(source_open(opened.path, &opened.params, opened.problems, &opened.source), 0);
    assert_int_equal(opened.source->file_size, size);
}

bool source_play_says(const char *part)
{
    struct text text = TEXT_INIT;
    bool found;

    problems_write(opened.problems, &text);
    text_add_char(&text, '\0');
    found = strstr(text.bytes, part) != NULL;
    if (!found)
        print_message("problems: %s\n", text.bytes);
    text_clear(&text);
    return found;
}

void source_play_assert(struct bytes plain, size_t size)
{
    assert_int_equal(opened.source->size, size);
    assert_true(size <= plain.size);
    if (size > 0)
        assert_memory_equal(opened.source->data, plain.data, size);
}

size_t source_play_names(void)
{
    DIR *listing = opendir(opened.folder);
    size_t names = 0;

    while (readdir(listing) != NULL)
        names++;
    closedir(listing);
    return names - 2;
}
