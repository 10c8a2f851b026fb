/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/support/piped.h"

#include "tests/support/options.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void piped_nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

void piped_write(const struct piped *stream, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(stream->pipe, bytes, size);

        assert_true(written > 0);
        bytes += written;
        size -= (size_t)written;
    }
}

static void take_options(struct piped *stream, const char *options)
{
    char *copy = strdup(options == NULL ? "" : options), *rest = NULL;

    assert_non_null(copy);
    assert_int_equal(format_options_init(&stream->options), 0);
    support_take_common_options(&stream->options);
    stream->options.threads = 2;
    for (char *option = strtok_r(copy, ",", &rest); option != NULL;
         option = strtok_r(NULL, ",", &rest))
        assert_int_equal(options_parse(&stream->options, option, &stream->message), 1);
    free(copy);
}

void piped_prepare(struct piped *stream, const char *options)
{
    int ends[2];

    *stream = (struct piped){.message = TEXT_INIT, .input = dup(STDIN_FILENO)};
    assert_int_equal(pipe(ends), 0);
    stream->pipe = ends[1];
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    take_options(stream, options);
}

void piped_open_prepared(struct piped *stream, const char *folder)
{
    const struct source_params params = {
        .streams = true, .max_expand = 1 << 28, .spool_dir = folder};

    assert_int_equal(format_open("-", &stream->options, &params, &stream->message, &stream->dump),
                     0);
    assert_int_equal(dup2(stream->input, STDIN_FILENO), STDIN_FILENO);
    close(stream->input);
    assert_int_equal(format_tree(&stream->dump, stream->options.threads, &stream->tree), 0);
}

void piped_open(struct piped *stream, const char *folder, const uint8_t *bytes, size_t size,
                const char *options)
{
    piped_prepare(stream, options);
    piped_write(stream, bytes, size);
    piped_open_prepared(stream, folder);
}

void piped_open_whole(struct piped *whole, const char *folder, const uint8_t *bytes, size_t size,
                      const char *options)
{
    const struct source_params params = {.max_expand = 1 << 28, .spool_dir = folder};
    char *path = support_path(folder, "whole");

    *whole = (struct piped){.pipe = -1, .message = TEXT_INIT};
    support_write(path, bytes, size);
    take_options(whole, options);
    assert_int_equal(format_open(path, &whole->options, &params, &whole->message, &whole->dump), 0);
    assert_int_equal(format_tree(&whole->dump, whole->options.threads, &whole->tree), 0);
    unlink(path); /* the file is mapped */
    free(path);
}

void piped_end(struct piped *stream)
{
    if (stream->pipe >= 0)
        close(stream->pipe);
    stream->pipe = -1;
    for (int ms = 0; tree_grows(stream->tree) && ms < PIPED_WAIT_MS; ms++)
        piped_nap();
    assert_false(tree_grows(stream->tree));
}

void piped_close(struct piped *stream)
{
    if (stream->pipe >= 0)
        close(stream->pipe);
    tree_destroy(&stream->tree);
    format_close(&stream->dump);
    options_clear(&stream->options);
    text_clear(&stream->message);
}

uint64_t piped_frames(const struct piped *stream)
{
    struct dump *dump = tree_dump(stream->tree);

    return dump->ops->frames(dump);
}

void piped_wait_for_frames(const struct piped *stream, uint64_t frames)
{
    for (int ms = 0; piped_frames(stream) < frames && ms < PIPED_WAIT_MS; ms++)
        piped_nap();
    assert_int_equal(piped_frames(stream), frames);
}

bool piped_has(const struct piped *stream, const char *path)
{
    uint64_t inode;
    int status = tree_find(stream->tree, path, false, &inode);

    assert_true(status == 0 || status == -ENOENT);
    return status == 0;
}

void piped_compare(const struct piped *stream, struct tree *whole, const char *path, bool beginning)
{
    size_t size = 0, expected_size = 0;
    char *got = walk_read(stream->tree, path, &size);
    char *expected = walk_read(whole, path, &expected_size);

    if (!beginning && size != expected_size)
        fail_msg("%s: %zu bytes, not %zu", path, size, expected_size);
    assert_true(size <= expected_size);
    if (memcmp(got, expected, size) != 0)
        fail_msg("%s differs: %.400s\nand not: %.400s", path, got, expected);
    free(got);
    free(expected);
}

/* Returns the metadata without the line that names the source. */
static char *read_metadata(struct tree *tree)
{
    size_t size;
    char *text = walk_read(tree, "metadata.txt", &size);
    char *line = strstr(text, "\nsource: "), *rest;

    assert_non_null(line);
    rest = strchr(line + 1, '\n');
    assert_non_null(rest);
    memmove(line, rest, strlen(rest) + 1);
    return text;
}

void piped_compare_all(const struct piped *stream, struct tree *whole)
{
    /* Computed from the frames' pictures, which are compared. */
    static const char *const derived[] = {"near-frames.tsv", "contact-sheet.png", NULL};
    static const struct walk_params params = {.any_source = true, .unread = derived};
    struct walk_result got, expected;
    char *metadata = read_metadata(stream->tree), *expected_metadata = read_metadata(whole);

    assert_string_equal(metadata, expected_metadata);
    walk_tree(stream->tree, &params, &got);
    walk_tree(whole, &params, &expected);
    assert_int_equal(got.directories, expected.directories);
    assert_int_equal(got.files, expected.files);
    assert_int_equal(got.links, expected.links);
    assert_int_equal(got.digest, expected.digest);
    free(metadata);
    free(expected_metadata);
}
