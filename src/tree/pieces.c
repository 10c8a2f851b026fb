/* SPDX-License-Identifier: MIT */
#include "tree/pieces.h"

#include "base/bytes.h"
#include "tree/limits.h"
#include "tree/outcome.h"
#include "tree/unfinished.h"

#include <errno.h>
#include <string.h>

/* Listings. */

/*
 * Pieces that were formatted to find the offsets are offered to the cache, up to 1/CACHE_SHARE of
 * its budget.
 */
enum { CACHE_SHARE = 8 };

#define PIECE_MASK ((UINT64_C(1) << PART_LENGTH_SHIFT) - 1)

/* Returns the listing of a rule's files, or NULL. */
static const struct dump_listing *listing_of(const struct tree *tree, const struct rule *rule)
{
    return rule->common_listing != NULL ? rule->common_listing(tree->dump) : rule->listing;
}

/* State of formatting the listing of one key. */
struct formatting {
    const struct dump_listing *listing;
    struct dump *dump;
    uint64_t key, rows, pieces;
    const struct cancel *cancel;
};

/* Returns whether lengths are found without the final texts. */
static bool is_measured(const struct dump_listing *listing)
{
    return listing->measure != NULL || listing->measure_rows != NULL;
}

static uint64_t rows_of_piece(const struct dump_listing *listing)
{
    return listing->piece_rows != 0 ? listing->piece_rows : DUMP_PIECE_ROWS;
}

static int count_pieces(struct formatting *listing)
{
    const struct dump_listing *ops = listing->listing;
    uint64_t of_piece = rows_of_piece(ops);
    int status;

    if (ops->rows == NULL)
        return ops->pieces(listing->dump, listing->key, listing->cancel, &listing->pieces);
    status = ops->count(listing->dump, listing->key, listing->cancel, &listing->rows);
    if (status < 0)
        return status;
    listing->pieces = listing->rows / of_piece + (listing->rows % of_piece != 0);
    return 0;
}

static int write_piece(const struct formatting *listing, bool measured, uint64_t piece,
                       struct text *text)
{
    const struct dump_listing *ops = listing->listing;
    uint64_t of_piece = rows_of_piece(ops), first = piece * of_piece;

    if (ops->rows == NULL)
        return (measured ? ops->measure : ops->piece)(listing->dump, listing->key, piece,
                                                      listing->cancel, text);
    return (measured ? ops->measure_rows : ops->rows)(
        listing->dump, listing->key, first,
        listing->rows - first < of_piece ? listing->rows : first + of_piece, listing->cancel, text);
}

static int write_head(const struct formatting *listing, struct text *text)
{
    const struct dump_listing *ops = listing->listing;

    if (ops->columns != NULL) {
        text_add(text, ops->columns);
        text_add_char(text, '\n');
    }
    return ops->head != NULL ? ops->head(listing->dump, listing->key, text) : 0;
}

/*
 * After a success no check is needed here, where a text takes several calls: what was made leaves
 * the tree by outcome_leave(), which checks the dump's files again.
 */
static int look_after_failure(struct dump *dump, int status)
{
    return status < 0 ? outcome_of(dump, status) : 0;
}

static int formatting_begin(const struct tree *tree, uint64_t inode, const struct cancel *cancel,
                            struct formatting *out)
{
    const struct rule *rule = tree->rules.by_id[inode_rule(inode)];

    *out = (struct formatting){.listing = listing_of(tree, rule),
                               .dump = tree->dump,
                               .key = inode_key(inode),
                               .cancel = cancel};
    return look_after_failure(out->dump, count_pieces(out));
}

/* The head is part of the first piece, and is the only piece if there are no others. */
static int format_piece(const struct formatting *listing, bool measured, uint64_t piece,
                        struct text *text)
{
    int status = 0;

    if (cancel_requested(listing->cancel))
        return -EINTR;
    if (piece == 0)
        status = write_head(listing, text);
    if (status == 0 && piece < listing->pieces)
        status = write_piece(listing, measured, piece, text);
    status = look_after_failure(listing->dump, status);
    return status < 0 ? status : text_status(text);
}

/* As format_piece(), within the limits of a file that has `so_far` bytes before that piece. */
static int format_allowed(struct tree *tree, uint64_t inode, const struct formatting *listing,
                          bool measured, uint64_t piece, uint64_t so_far, struct text *text)
{
    struct text_allowance allowance = limits_allowance(tree, so_far);
    struct text_allowance *before = text_allow(&allowance);
    int status = format_piece(listing, measured, piece, text);

    text_allow(before);
    return limits_judge(tree, &allowance, inode, status);
}

static uint64_t offset_at(const struct blob *offsets, uint64_t piece)
{
    uint64_t offset = 0;

    memcpy(&offset, offsets->data + piece * sizeof(offset), sizeof(offset));
    return offset;
}

static uint64_t piece_count(const struct blob *offsets)
{
    return offsets->size / sizeof(uint64_t) - 1;
}

/* Returns the length of the complete listing. */
static uint64_t listing_size(const struct blob *offsets)
{
    return offset_at(offsets, piece_count(offsets));
}

/* Offers a text that was formatted anyway to the cache, which keeps it if there is room. */
static int offer_piece(struct tree *tree, const struct rule *rule, const struct cache_key *offsets,
                       uint64_t number, struct text *text)
{
    const struct piece piece = {.number = number, .length = text->length};
    struct cache_key key = {.item = offsets->item, .part = piece_part(tree, rule, &piece)};
    struct blob *blob = NULL;
    int status = text_blob(text, &blob);

    if (status == 0)
        cache_offer(tree->cache, key, blob);
    blob_unref(&blob);
    return status;
}

/* Returns the entry with the latest offsets of a growing listing, or the entry to keep them in. */
static struct growing_listing *find_growing(struct tree *tree, uint64_t item)
{
    struct growing_listing *growing = tree->growing;

    while (growing < tree->growing + TREE_GROWING_MAX - 1 && growing->offsets != NULL &&
           growing->item != item)
        growing++;
    return growing;
}

static void keep_offsets(struct tree *tree, uint64_t item, struct blob *offsets)
{
    struct growing_listing *growing;
    struct blob *before = NULL;

    tree_lock(tree);
    growing = find_growing(tree, item);
    if (growing->offsets == NULL || growing->item != item ||
        listing_size(growing->offsets) < listing_size(offsets)) {
        before = growing->offsets;
        *growing = (struct growing_listing){.item = item, .offsets = blob_ref(offsets)};
    }
    tree_unlock(tree);
    blob_unref(&before);
}

/* Copies the known offsets of a growing listing; returns how many pieces are complete. */
static uint64_t take_offsets(struct tree *tree, uint64_t item, uint64_t count, struct blob *offsets)
{
    const struct growing_listing *growing;
    uint64_t complete = 0;

    tree_lock(tree);
    growing = find_growing(tree, item);
    if (growing->offsets != NULL && growing->item == item) {
        complete = piece_count(growing->offsets) - 1;
        complete = complete < count ? complete : count - 1;
        memcpy(offsets->data, growing->offsets->data, (complete + 1) * sizeof(uint64_t));
    }
    tree_unlock(tree);
    return complete;
}

static int fill_offsets(struct tree *tree, struct cache_key key, const struct formatting *listing,
                        uint64_t count, struct blob *offsets)
{
    const struct rule *rule = tree->rules.by_id[inode_rule(key.item)];
    struct text text = TEXT_INIT;
    uint64_t max = tree->dump->options->cache / CACHE_SHARE;
    bool measured = is_measured(listing->listing);
    bool grows = rule_has_grown(rule, tree->dump);
    bool resumes = rule->id == RULE_PACKETS_TSV && !grows;
    uint64_t first = 0, end = 0;
    int status = 0;

    memset(offsets->data, 0, offsets->size);
    if (grows)
        first = take_offsets(tree, key.item, count, offsets);
    else if (resumes)
        first = unfinished_take(tree, offsets);
    end = offset_at(offsets, first);
    for (uint64_t piece = first; piece < count && status == 0; piece++) {
        status = format_allowed(tree, key.item, listing, measured, piece, end, &text);
        if (status < 0 && resumes)
            unfinished_leave(tree, offsets, piece);
        if (status < 0)
            break;
        end += text.length;
        if (resumes && end > atomic_load(&tree->measured))
            atomic_store(&tree->measured, end);
        status = limits_check_length(tree, key.item, end);
        memcpy(offsets->data + (piece + 1) * sizeof(end), &end, sizeof(end));
        if (status == 0 && !measured && (grows || count == 1 || end <= max))
            status = offer_piece(tree, rule, &key, piece, &text);
        text_reset(&text);
    }
    text_clear(&text);
    if (status == 0 && grows)
        keep_offsets(tree, key.item, offsets);
    return status;
}

/* Refuses offsets that no handle could hold, before memory is taken for them. */
static int check_pieces(struct tree *tree, uint64_t inode, uint64_t size)
{
    struct text_allowance allowance = limits_allowance(tree, 0);

    if (size <= allowance.max)
        return 0;
    allowance.exceeded = true;
    return limits_judge(tree, &allowance, inode, -EFBIG);
}

static int make_offsets(void *context, struct cache_key key, const struct cancel *cancel,
                        struct blob **out)
{
    struct formatting listing;
    struct blob *offsets = NULL;
    uint64_t count = 0, size = 0;
    int status = formatting_begin(context, key.item, cancel, &listing);

    if (status < 0)
        return status;
    count = listing.pieces == 0 ? 1 : listing.pieces;
    if (!bytes_add(count, 1, &size) || !bytes_mul(size, sizeof(uint64_t), &size))
        return -ENOMEM;
    status = check_pieces(context, key.item, size);
    if (status == 0)
        status = blob_create(size, &offsets);
    if (status == 0)
        status = fill_offsets(context, key, &listing, count, offsets);
    if (status < 0)
        blob_unref(&offsets);
    *out = offsets;
    return status;
}

static int make_listing_piece(void *context, struct cache_key key, const struct cancel *cancel,
                              struct blob **out)
{
    struct formatting listing;
    struct text text = TEXT_INIT;
    int status = formatting_begin(context, key.item, cancel, &listing);

    if (status == 0)
        status =
            format_allowed(context, key.item, &listing, false, key.part & PIECE_MASK, 0, &text);
    if (status == 0)
        status = text_blob(&text, out);
    text_clear(&text);
    return status;
}

int pieces_write(const struct tree *tree, uint64_t inode, uint64_t piece,
                 const struct cancel *cancel, struct text *text, struct pieces_extent *extent)
{
    struct formatting listing;
    int status = -ENOENT;

    if (listing_of(tree, tree->rules.by_id[inode_rule(inode)]) != NULL)
        status = formatting_begin(tree, inode, cancel, &listing);
    if (status < 0)
        return status;
    extent->pieces = listing.pieces == 0 ? 1 : listing.pieces;
    extent->rows = listing.listing->rows != NULL ? listing.rows : DUMP_NOT_KNOWN;
    return piece < extent->pieces ? format_piece(&listing, false, piece, text) : -ENOENT;
}

static const struct cache_maker listing_offsets_maker = {
    .work = CACHE_TEXT, .slow = true, .make = make_offsets};
static const struct cache_maker listing_piece_maker = {.work = CACHE_TEXT,
                                                       .make = make_listing_piece};

static bool listing_find(const struct blob *offsets, uint64_t offset, struct piece *out)
{
    uint64_t low = 0, high = piece_count(offsets);

    if (offset >= listing_size(offsets))
        return false;
    while (high - low > 1) { /* low begins at or before the offset, high after it */
        uint64_t middle = low + (high - low) / 2;

        if (offset_at(offsets, middle) <= offset)
            low = middle;
        else
            high = middle;
    }
    out->number = low;
    out->begin = offset_at(offsets, low);
    out->length = offset_at(offsets, low + 1) - out->begin;
    return true;
}

bool pieces_has(const struct tree *tree, const struct rule *rule)
{
    return rule->piece != NULL || listing_of(tree, rule) != NULL;
}

/* Binary files: the item with the offsets has only the length. */

static int find_size(struct dump *dump, const struct rule *rule, uint64_t key,
                     const struct cancel *cancel, uint64_t *size)
{
    int status = rule->size(dump, key, size);

    if (status == -EAGAIN && dump->ops->readiness.prepare != NULL) {
        status = dump->ops->readiness.prepare(dump, rule->id, key, cancel);
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

bool pieces_come_with_offsets(const struct tree *tree, const struct rule *rule)
{
    const struct dump_listing *listing = listing_of(tree, rule);

    return listing != NULL && !is_measured(listing);
}

uint64_t pieces_size(const struct tree *tree, const struct rule *rule, const struct blob *offsets)
{
    return listing_of(tree, rule) != NULL ? listing_size(offsets) : length_in(offsets);
}

/* A length that may be beyond the limit is left to the maker, which reports it. */
int pieces_known_length(struct tree *tree, const struct rule *rule, uint64_t key, uint64_t *length)
{
    const struct dump_listing *listing = pieces_has(tree, rule) ? listing_of(tree, rule) : NULL;
    size_t max = limits_allowance(tree, 0).max;

    if (listing == NULL || listing->length == NULL ||
        listing->length(tree->dump, key, length) != 0 || (max != 0 && *length > max))
        return -ENODATA;
    return 0;
}

bool pieces_find(const struct tree *tree, const struct rule *rule, const struct blob *offsets,
                 uint64_t offset, struct piece *out)
{
    if (listing_of(tree, rule) != NULL)
        return listing_find(offsets, offset, out);
    return find_piece(length_in(offsets), offset, out);
}
