/* SPDX-License-Identifier: MIT */
#include "tree/internal.h"

#include "base/thread.h"
#include "tree/outcome.h"
#include "tree/pieces.h"
#include "tree/readahead.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW_MAX = 1 << 20 }; /* bytes copied at a time */

static void held_clear(struct cache *cache, struct tree_held *held)
{
    if (held->pinned)
        cache_unpin(cache, held->blob);
    blob_unref(&held->blob);
    held->pinned = false;
}

/* Drops the former blob first, so that a file pins only one piece at a time. */
static int held_set(struct cache *cache, struct tree_held *held, uint64_t part, struct blob *blob)
{
    int status = 0;

    if (held->blob == blob && held->part == part)
        return 0;
    held_clear(cache, held);
    status = cache_pin(cache, blob);
    if (status < 0)
        return status;
    *held = (struct tree_held){.blob = blob_ref(blob), .part = part, .pinned = true};
    return 0;
}

static void files_add(struct tree *tree, struct tree_file *file)
{
    tree_lock(tree);
    file->next = tree->files;
    if (file->next != NULL)
        file->next->previous = file;
    tree->files = file;
    tree_unlock(tree);
}

static void files_remove(struct tree *tree, struct tree_file *file)
{
    tree_lock(tree);
    if (file->previous != NULL)
        file->previous->next = file->next;
    else
        tree->files = file->next;
    if (file->next != NULL)
        file->next->previous = file->previous;
    tree_unlock(tree);
}

static int open_target(const struct tree *tree, uint64_t inode, struct tree_target *target,
                       struct tree_dependency *dependency)
{
    int status = tree_target(tree, inode, target, dependency);

    if (status == 0 && target->rule->kind != RULE_FILE)
        status = target->rule->kind == RULE_LINK ? -ELOOP : -EISDIR;
    return status;
}

/*
 * Returns the failure that the cache remembers for the contents: what is known to exceed a limit
 * need not be opened. -ENODATA if there is none.
 */
static int failure_of(const struct tree_file *file)
{
    int status = cache_failure(file->tree->cache, content_key(file->tree, &file->target));

    return status < 0 ? status : -ENODATA;
}

/* Waits for the contents if stat() may report less than their final size. */
static int await_contents(struct tree *tree, const struct tree_target *target,
                          struct tree_dependency *dependency)
{
    uint64_t size;

    if (!rule_waits_at_open(target->rule, tree->dump) ||
        dependency_has_contents(dependency, target->inode))
        return 0;
    return content_known_size(tree, target, &size, dependency);
}

/* Finds what can be known now: an arithmetic size, or contents that are made at once. */
static int open_contents(struct tree_file *file, struct tree_dependency *dependency) LOCKS_UNCHECKED
{
    const struct rule *rule = file->target.rule;
    int status = -ENODATA;

    if (content_is_at_hand(file->tree, &file->target)) {
        status = content_make(file->tree, &file->target, NULL, &file->whole.blob);
        return dependency_status(status, rule->id, file->target.key, dependency);
    }
    if (rule->size != NULL)
        status = rule->size(file->tree->dump, file->target.key, &file->size);
    file->sized = status == 0;
    if (status == -ENODATA)
        status = failure_of(file);
    return status == -EAGAIN || status == -ENODATA ? 0 : tree_error(status);
}

static int answer_open(struct tree_request *request, struct tree_dependency *dependency)
{
    struct tree_file *file = NULL;
    struct tree_target target;
    int status = open_target(request->tree, request->inode, &target, dependency);

    if (status == 0)
        status = await_contents(request->tree, &target, dependency);
    if (status < 0)
        return status;
    file = calloc(1, sizeof(*file));
    if (file == NULL)
        return -ENOMEM;
    file->tree = request->tree;
    file->target = target;
    status = open_contents(file, dependency);
    if (status < 0) {
        free(file);
        return status;
    }
    pthread_mutex_init(&file->lock, NULL);
    thread_condition_init(&file->settled);
    files_add(file->tree, file);
    request->opened = file;
    return 0;
}

int tree_open(struct tree *tree, uint64_t inode, struct tree_file **out)
{
    struct tree_request request = {.tree = tree, .answer = answer_open, .inode = inode};
    int status = tree_request_wait(&request, NULL);

    *out = request.opened;
    return status;
}

void tree_submit_open(struct tree *tree, uint64_t inode, struct tree_request *request)
{
    request->tree = tree;
    request->answer = answer_open;
    request->inode = inode;
    tree_request_submit(request);
}

struct tree *tree_of_file(const struct tree_file *file)
{
    return file->tree;
}

void tree_close(struct tree_file **file)
{
    struct tree_file *closing = *file;

    *file = NULL;
    if (closing == NULL)
        return;
    file_settle(closing);
    files_remove(closing->tree, closing);
    held_clear(closing->tree->cache, &closing->whole);
    held_clear(closing->tree->cache, &closing->piece);
    pthread_cond_destroy(&closing->settled);
    pthread_mutex_destroy(&closing->lock);
    free(closing);
}

static void drop_pieces(const struct tree_file *file, const struct blob *offsets)
{
    struct cache_key key = {.item = file->target.inode};
    struct piece piece;

    for (uint64_t at = 0; pieces_find(file->tree, file->target.rule, offsets, at, &piece);
         at = piece.begin + piece.length) {
        key.part = piece_part(file->tree, file->target.rule, &piece);
        cache_drop(file->tree->cache, key);
    }
}

void tree_close_for_good(struct tree_file **file) LOCKS_UNCHECKED
{
    struct tree_file *closing = *file;
    struct cache *cache = closing != NULL ? closing->tree->cache : NULL;

    if (closing != NULL && closing->whole.pinned) {
        struct cache_key key = {.item = closing->target.inode, .part = closing->whole.part};
        struct blob *whole = blob_ref(closing->whole.blob);

        held_clear(cache, &closing->whole);
        held_clear(cache, &closing->piece);
        if (pieces_has(closing->tree, closing->target.rule))
            drop_pieces(closing, whole);
        cache_drop(cache, key);
        blob_unref(&whole);
    }
    tree_close(file);
}

/* Returns whether the contents were read to the end. */
static bool was_read(struct tree_file *file)
{
    bool read;

    file_lock(file);
    read = file->read;
    file_unlock(file);
    return read;
}

void tree_close_kept(struct tree_file **file)
{
    struct tree_file *closing = *file;

    if (closing != NULL && closing->target.rule->work == CACHE_RENDER &&
        closing->tree->dump->ops->pictures.cheap && was_read(closing) &&
        readahead_has_passed(closing->tree, &closing->target))
        tree_close_for_good(file);
    else
        tree_close(file);
}

unsigned tree_drawing_ahead(const struct tree *tree)
{
    return readahead_drawing(tree);
}

bool file_is_whole(const struct tree_file *file, struct cache_key key)
{
    return pieces_is_offsets(key.part) || !pieces_has(file->tree, file->target.rule);
}

/*
 * Copies a slice of the dump itself: the file could be written before the reader has the slice, but
 * the copy does not change.
 */
static int copy_window(const uint8_t *data, size_t size, struct tree_window *out)
{
    int status;

    size = size < WINDOW_MAX ? size : WINDOW_MAX;
    status = blob_create(size, &out->blob);
    if (status < 0)
        return status;
    memcpy(out->blob->data, data, size);
    out->data = out->blob->data;
    out->length = size;
    return 0;
}

/* Stores at most `size` bytes from `at` of a blob that is `length` bytes long. */
static int cut_window(struct blob *blob, uint64_t at, uint64_t length, size_t size,
                      struct tree_window *out)
{
    if (at >= length || size == 0)
        return 0;
    size = size < length - at ? size : (size_t)(length - at);
    if (blob_footprint(blob) == 0)
        return copy_window(blob->data + at, size, out);
    out->blob = blob_ref(blob);
    out->data = blob->data + at;
    out->length = size;
    return 0;
}

/*
 * Checks the dump's files before a window, or the end of the file, is given to the reader; a status
 * of 1 is no answer yet.
 */
static int let_out(const struct tree_file *file, int status, struct tree_window *out)
{
    if (status == 0)
        status = outcome_leave(file->tree->dump, file->target.rule, 0);
    if (status != 0)
        blob_unref(&out->blob);
    return status;
}

/*
 * The piece must be as long as it was when its offset was found; otherwise the bytes would not be
 * those of the file. The last piece of a listing that grows may have become longer.
 */
static int cut_piece(const struct tree_file *file, struct blob *blob, const struct piece *piece,
                     uint64_t offset, size_t size, struct tree_window *out)
{
    if (blob->size < piece->length ||
        (blob->size > piece->length && !rule_has_grown(file->target.rule, file->tree->dump)))
        return -EIO;
    return cut_window(blob, offset - piece->begin, piece->length, size, out);
}

static int cut_whole(struct tree_file *file, uint64_t offset, size_t size, struct tree_window *out)
    REQUIRES(lock_of_file)
{
    struct blob *whole = file->whole.blob;
    int status = cut_window(whole, offset, whole->size, size, out);

    if (status == 0 && offset < whole->size && out->length == whole->size - offset)
        file->read = true;
    return status;
}

static int piece_window(struct tree_file *file, uint64_t offset, size_t size,
                        struct cache_key *needed, struct tree_window *out) REQUIRES(lock_of_file)
{
    struct piece piece;

    if (file->whole.blob == NULL)
        return 1;
    if (!pieces_find(file->tree, file->target.rule, file->whole.blob, offset, &piece))
        return file->whole.part != needed->part; /* the listing may have grown */
    needed->part = piece_part(file->tree, file->target.rule, &piece);
    if (file->piece.blob != NULL && file->piece.part == needed->part)
        return cut_piece(file, file->piece.blob, &piece, offset, size, out);
    return 1;
}

int file_window(struct tree_file *file, uint64_t offset, size_t size, struct cache_key *needed,
                struct tree_window *out)
{
    int status = 1;

    *out = (struct tree_window){0};
    if (dump_has_changed(file->tree->dump) && !file->target.rule->apart)
        return -EIO;
    if (size == 0 || (file->sized && offset >= file->size))
        return let_out(file, 0, out);
    *needed = content_key(file->tree, &file->target);
    file_lock(file);
    if (pieces_has(file->tree, file->target.rule))
        status = piece_window(file, offset, size, needed, out);
    else if (file->whole.blob != NULL &&
             (content_is_at_hand(file->tree, &file->target) || file->whole.part == needed->part))
        status = cut_whole(file, offset, size, out);
    file_unlock(file);
    return let_out(file, status, out);
}

static int keep_piece(struct tree_file *file, struct cache_key key, struct blob *blob,
                      uint64_t offset, size_t size, struct tree_window *out) REQUIRES(lock_of_file)
{
    struct piece piece;
    int status = held_set(file->tree->cache, &file->piece, key.part, blob);

    if (status < 0)
        return status;
    if (!pieces_find(file->tree, file->target.rule, file->whole.blob, offset, &piece) ||
        piece_part(file->tree, file->target.rule, &piece) != key.part)
        return -EIO;
    return cut_piece(file, blob, &piece, offset, size, out);
}

int file_keep(struct tree_file *file, struct cache_key key, struct blob *blob, uint64_t offset,
              size_t size, struct tree_window *out)
{
    bool whole = file_is_whole(file, key);
    int status = 0;

    *out = (struct tree_window){0};
    file_lock(file);
    if (!whole)
        status = keep_piece(file, key, blob, offset, size, out);
    else
        status = held_set(file->tree->cache, &file->whole, key.part, blob);
    if (status == 0 && whole && pieces_has(file->tree, file->target.rule))
        status = 1;
    else if (status == 0 && whole)
        status = cut_whole(file, offset, size, out);
    file_unlock(file);
    if (status >= 0 && whole)
        readahead_note_text(file->tree, &file->target,
                            content_size(file->tree, &file->target, blob), true);
    return let_out(file, status, out);
}

int tree_read(struct tree_file *file, uint64_t offset, size_t size, const struct cancel *cancel,
              struct tree_window *out)
{
    struct tree *tree = file->tree;
    struct cache_key needed = {0};
    int status = 0;

    for (;;) {
        struct blob *blob = NULL;

        status = file_window(file, offset, size, &needed, out);
        if (status <= 0)
            break;
        readahead_begin(tree, &file->target, file_is_whole(file, needed));
        status = cache_get(tree->cache, needed, content_maker(tree, &file->target, needed), tree,
                           cancel, &blob);
        if (status == 0)
            status = file_keep(file, needed, blob, offset, size, out);
        blob_unref(&blob);
        if (status <= 0)
            break;
    }
    return tree_error(status < 0 ? outcome_of(tree->dump, status) : status);
}
