#include "tree/pieces.h"

#include "tree/listing.h"
#include "tree/outcome.h"

#include <errno.h>
#include <string.h>

bool pieces_has(const struct tree *tree, const struct rule *rule)
{
    return rule->piece != NULL || listing_of(tree, rule) != NULL;
}

/* Of a binary file the offsets are its length alone. */

static int find_size(struct dump *dump, const struct rule *rule, uint64_t key,
                     const struct cancel *cancel, uint64_t *size)
{
    int status = rule->size(dump, key, size);

    if (status == -EAGAIN && dump->ops->prepare != NULL) {
        status = dump->ops->prepare(dump, rule->id, key, cancel);
        if (status == 0)
            status = rule->size(dump, key, size);
    }
    return status;
}

static int make_length(void *context, struct cache_key key, const struct cancel *cancel,
                       struct blob **out)
{
    const struct tree *tree = context;
    uint64_t size = 0;
    int status = find_size(tree->dump, tree->rules.by_id[inode_rule(key.item)], inode_key(key.item),
                           cancel, &size);

    if (status == 0)
        status = blob_create(sizeof(size), out);
    if (status == 0)
        memcpy((*out)->data, &size, sizeof(size));
    return status;
}

static uint64_t length_in(const struct blob *offsets)
{
    uint64_t size = 0;

    memcpy(&size, offsets->data, sizeof(size));
    return size;
}

static bool find_piece(uint64_t size, uint64_t offset, struct piece *out)
{
    if (offset >= size)
        return false;
    out->number = offset / RULE_PIECE;
    out->begin = out->number * RULE_PIECE;
    out->length = size - out->begin < RULE_PIECE ? size - out->begin : RULE_PIECE;
    return true;
}

static int make_piece(void *context, struct cache_key key, const struct cancel *cancel,
                      struct blob **out)
{
    const struct tree *tree = context;
    const struct rule *rule = tree->rules.by_id[inode_rule(key.item)];
    struct piece piece = {0};
    uint64_t size = 0;
    int status = find_size(tree->dump, rule, inode_key(key.item), cancel, &size);

    if (status == 0 &&
        (key.part > size / RULE_PIECE || !find_piece(size, key.part * RULE_PIECE, &piece)))
        status = -ENOENT;
    if (status == 0)
        status = rule->piece(tree->dump, inode_key(key.item), piece.begin, (size_t)piece.length,
                             cancel, out);
    if (status < 0)
        return outcome_of(tree->dump, status);
    status =
        outcome_check_length(tree->dump, rule, inode_key(key.item), (*out)->size, piece.length);
    status = outcome_of(tree->dump, status);
    if (status < 0)
        blob_unref(out);
    return status;
}

static const struct cache_maker length_maker = {
    .work = CACHE_INDEX, .slow = true, .make = make_length};
static const struct cache_maker piece_makers[CACHE_WORKS] = {
    [CACHE_TEXT] = {.work = CACHE_TEXT, .make = make_piece},
    [CACHE_RENDER] = {.work = CACHE_RENDER, .make = make_piece},
    [CACHE_INDEX] = {.work = CACHE_INDEX, .make = make_piece},
};

const struct cache_maker *pieces_maker(const struct tree *tree, const struct rule *rule,
                                       struct cache_key key)
{
    if (listing_of(tree, rule) != NULL)
        return pieces_is_offsets(key.part) ? &listing_offsets_maker : &listing_piece_maker;
    return pieces_is_offsets(key.part) ? &length_maker : &piece_makers[rule->work];
}

uint64_t pieces_size(const struct tree *tree, const struct rule *rule, const struct blob *offsets)
{
    return listing_of(tree, rule) != NULL ? listing_size(offsets) : length_in(offsets);
}

bool pieces_find(const struct tree *tree, const struct rule *rule, const struct blob *offsets,
                 uint64_t offset, struct piece *out)
{
    if (listing_of(tree, rule) != NULL)
        return listing_find(offsets, offset, out);
    return find_piece(length_in(offsets), offset, out);
}
