/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "compare/compare.h"

#include "base/hash.h"
#include "compare/contents.h"
#include "compare/text_diff.h"
#include "tree/dump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool count_entry(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                        uint64_t next_cursor)
{
    size_t *count = context;

    (void)inode, (void)next_cursor;
    *count += kind == RULE_DIRECTORY && *name != '.';
    return true;
}

static int count_frames(struct tree *tree, size_t *count)
{
    uint64_t folder = 0, cursor = 0;
    int status = tree_find(tree, "by-frame", true, &folder);

    *count = 0;
    return status == 0 ? tree_list(tree, folder, &cursor, count_entry, count) : status;
}

/* Takes a line of commands, without its newline. */
typedef void line_function(void *context, const char *line, size_t length);

static int each_line(const struct text *text, text_diff_skip *skip, line_function *emit,
                     void *context)
{
    struct text_diff_lines lines;
    int status = text_status(text);

    if (status == 0)
        status = text_diff_split(text->bytes, text->length, skip, &lines);
    if (status != 0)
        return status;
    for (size_t i = 0; i < lines.count; i++)
        emit(context, lines.list[i].bytes, lines.list[i].length);
    text_diff_clear(&lines);
    return 0;
}

static int each_compared_line(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                              line_function *emit, void *context)
{
    const struct dump_listing *listing = &dump->ops->compared.commands;
    struct text text = TEXT_INIT;
    uint64_t pieces = 0;
    int status = listing->pieces(dump, frame, cancel, &pieces);

    for (uint64_t i = 0; status == 0 && i < pieces; i++) {
        text_reset(&text);
        status = listing->piece(dump, frame, i, cancel, &text);
        if (status == 0)
            status = each_line(&text, NULL, emit, context);
    }
    text_clear(&text);
    return status;
}

static int each_command(struct tree *tree, uint64_t frame, const struct cancel *cancel,
                        line_function *emit, void *context)
{
    struct dump *dump = tree_dump(tree);
    struct text text = TEXT_INIT;
    char path[CONTENTS_PATH];
    uint64_t inode = 0;
    int status;

    if (dump->ops->compared.commands.pieces != NULL)
        return each_compared_line(dump, frame, cancel, emit, context);
    status = contents_find_frame(tree, "by-frame/", frame, "/commands.txt", path, &inode);
    if (status == 0)
        status = contents_read(tree, inode, cancel, &text);
    if (status == 0)
        status = each_line(&text, dump->ops->texts.command_place, emit, context);
    text_clear(&text);
    return status == -ENOENT ? 0 : status;
}

static void append_line(void *context, const char *line, size_t length)
{
    text_add_bytes(context, line, length);
    text_add_char(context, '\n');
}

int compare_read_commands(struct tree *tree, uint64_t frame, const struct cancel *cancel,
                          struct text *out)
{
    int status = each_command(tree, frame, cancel, append_line, out);

    return status == 0 ? text_status(out) : status;
}

int compare_read_picture(struct tree *tree, uint64_t frame, const struct cancel *cancel,
                         struct pixels *out)
{
    char path[CONTENTS_PATH];
    uint64_t inode = 0;
    int status = contents_find_frame(tree, "frames/", frame, ".png", path, &inode);

    *out = (struct pixels){0};
    return status == 0 ? pixels_read(tree, inode, cancel, out) : status;
}

static void hash_line(void *context, const char *line, size_t length)
{
    if (length > 0)
        align_key_add_line(context, hash_bytes(line, length));
}

static int read_picture_key(struct tree *tree, uint64_t frame, const struct cancel *cancel,
                            uint64_t *key)
{
    struct pixels pixels;
    int status = compare_read_picture(tree, frame, cancel, &pixels);

    *key = 0;
    if (status == 0)
        *key = hash_bytes(pixels.rgb, 3 * (size_t)pixels.width * pixels.height) +
               hash_u64((uint64_t)pixels.width << 32 | pixels.height);
    if (status == 0)
        *key += *key == 0;
    pixels_clear(&pixels);
    return status == -ENOENT ? 0 : status;
}

int compare_read_frame(struct compare_side *side, uint64_t frame,
                       const struct compare_listener *listener, const struct cancel *cancel)
{
    struct align_key *key = &side->keys[frame];
    int status, picture;

    align_key_init(key);
    status = each_command(side->tree, frame, cancel, hash_line, key);
    if (status == -EINTR)
        return status;
    if (status != 0)
        listener->failed(listener->context, side, frame, "its commands cannot be read", status);
    picture = read_picture_key(side->tree, frame, cancel, &key->picture);
    if (picture != 0 && picture != -EINTR)
        listener->failed(listener->context, side, frame, "its picture cannot be read", picture);
    return status != 0 && picture != -EINTR ? status : picture;
}

int compare_count_frames(struct compare_side *side, size_t max)
{
    int status = count_frames(side->tree, &side->count);

    if (status == 0 && side->count > max)
        status = -EFBIG;
    if (status != 0)
        return status;
    side->keys = calloc(side->count + 1, sizeof(*side->keys));
    return side->keys != NULL ? 0 : -ENOMEM;
}
