/* SPDX-License-Identifier: MIT */
#include "tree/search.h"

#include "base/array.h"
#include "cache/index_task.h"
#include "tree/limits.h"
#include "tree/picture_batch.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 8 /* pictures of a step */, LIST_BEGIN = 256, KIN_POLLS = 1 << 16, KEPT_SHARE = 4 };

struct picture_search {
    struct index_task pass;
    struct tree *tree;
    const struct rule *rule; /* NULL: the dump has no such rule */
    bool kin;
    /* For the pass alone: the next picture is at or after this place. */
    uint64_t folder, ordinal;
    /* For the pass alone: places in the list of the pictures that look like none before them. */
    uint32_t *heads, head_count, head_room;

    pthread_mutex_t lock;
    struct search_picture *list GUARDED_BY(lock_of_search);
    uint32_t count GUARDED_BY(lock_of_search), room GUARDED_BY(lock_of_search);
    /*
     * Hash table, by search_bits(), of the first picture of each chain (see insert()). A slot has
     * the picture's place in the list plus 1; 0: free. Open addressing; twice as many slots as
     * `room`.
     */
    uint32_t *slots GUARDED_BY(lock_of_search);
    uint64_t charged;     /* for the pass: bytes charged to the cache's budget */
    uint64_t beyond;      /* for the pass: bytes for which the budget has no room at the moment
                             (cache_note()) */
    atomic_bool left_off; /* some pictures were left off, since there was not enough time */
};

static void search_lock(struct picture_search *search) ACQUIRE(lock_of_search)
{
    pthread_mutex_lock(&search->lock);
}

static void search_unlock(struct picture_search *search) RELEASE(lock_of_search)
{
    pthread_mutex_unlock(&search->lock);
}

uint64_t search_bits(const uint8_t sha256[SHA256_SIZE])
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < SEARCH_BITS / 8; i++)
        bits = bits << 8 | sha256[i];
    return bits;
}

/* The place of a picture's file. */

/* Finds the smallest member >= from of a rule in a directory; waits until that is known. */
static int next_member(struct picture_search *search, const struct rule *rule, uint64_t parent_key,
                       uint64_t from, const struct cancel *cancel, uint64_t *ordinal)
{
    struct dump *dump = search->tree->dump;
    int status = rule->family->next(dump, parent_key, from, ordinal);

    if (status != -EAGAIN || dump->ops->readiness.prepare == NULL)
        return status;
    status = dump->ops->readiness.prepare(dump, rule->parent, parent_key, cancel);
    return status < 0 ? status : rule->family->next(dump, parent_key, from, ordinal);
}

/* Advances to the next folder, if there is one. */
static int next_folder(struct picture_search *search, const struct cancel *cancel)
{
    const struct rule *folder = search->tree->rules.by_id[search->rule->parent];

    search->ordinal = 0;
    if (folder->family == NULL)
        return -ENOENT;
    return next_member(search, folder, 0, search->folder + 1, cancel, &search->folder);
}

/* Finds the key of the next picture. Returns 0, or -ENOENT after the last one. */
static int next_picture(struct picture_search *search, const struct cancel *cancel, uint64_t *key)
{
    int status = 0;

    while (status == 0) {
        if (cancel_requested(cancel))
            return -EINTR;
        status = next_member(search, search->rule, search->folder, search->ordinal, cancel,
                             &search->ordinal);
        if (status == 0 &&
            inode_member(search->rule->family->bits, search->folder, search->ordinal, key)) {
            search->ordinal++;
            return 0;
        }
        if (status == 0 || status == -ENOENT)
            status = next_folder(search, cancel);
    }
    return status;
}

/* Pictures. */

static void tell_left_off(struct picture_search *search)
{
    if (!atomic_exchange(&search->left_off, true))
        limits_tell_left_off(
            search->tree, search->kin ? "find/frame, near-frames.tsv: not all frames were examined"
                                      : "find/texture: not all textures were examined");
}

static int look_at(struct picture_search *search, const struct cancel *cancel,
                   struct search_picture *out)
{
    struct picture_pixels pixels;
    int status =
        picture_batch_picture(search->tree, search->rule, out->key, false, cancel, &pixels);

    if (status == 0) {
        fingerprint_sha256(&pixels, out->sha256);
        out->dhash = fingerprint_dhash(&pixels);
        picture_pixels_clear(&pixels);
    }
    if (status == -ETIME)
        tell_left_off(search);
    out->outcome = status == 0 ? SEARCH_SEEN : status == -ETIME ? SEARCH_LEFT_OFF : SEARCH_FAILED;
    if (cancel_requested(cancel))
        return -EINTR;
    return status == -EAGAIN ? status : 0;
}

/* The list of results. */

/* The list as the pass sees it without the lock, since nothing else changes it. */
static struct search_picture *own_list(struct picture_search *search) LOCKS_UNCHECKED
{
    return search->list;
}

static uint32_t own_count(struct picture_search *search) LOCKS_UNCHECKED
{
    return search->count;
}

/* Returns the slot with these bits, or the free slot where they belong. */
static uint32_t slot_of(const struct picture_search *search, uint64_t bits) REQUIRES(lock_of_search)
{
    uint32_t mask = 2 * search->room - 1, slot = (uint32_t)bits & mask;

    while (search->slots[slot] != 0 &&
           search_bits(search->list[search->slots[slot] - 1].sha256) != bits)
        slot = (slot + 1) & mask;
    return slot;
}

/*
 * Pictures with equal bits form a chain in the order of their places, by `next`. The first one also
 * knows the last, so that adding one takes no walk: a dump may show one picture a million times.
 */
static void insert(struct picture_search *search, uint32_t at) REQUIRES(lock_of_search)
{
    struct search_picture *list = search->list;
    uint32_t slot = slot_of(search, search_bits(list[at].sha256)), first = search->slots[slot];

    if (first == 0) {
        search->slots[slot] = at + 1;
        list[at].last = at;
        return;
    }
    list[list[first - 1].last].next = at;
    list[first - 1].last = at;
}

/*
 * Charges the list to the cache's budget; fails if it would take more than 1/KEPT_SHARE of the
 * cache. If open files use the budget up at the moment, this does not fail: they will be closed.
 */
static int charge(struct picture_search *search, uint64_t room)
{
    struct tree *tree = search->tree;
    uint64_t bytes = room * (sizeof(struct search_picture) + 3 * sizeof(uint32_t));

    if (bytes > tree->dump->options->cache / KEPT_SHARE)
        return -ENOMEM;
    (void)cache_charge(tree->cache, &search->charged, bytes, UINT64_MAX);
    cache_note(tree->cache, &search->beyond, bytes - search->charged);
    return 0;
}

static int grow(struct picture_search *search) REQUIRES(lock_of_search)
{
    uint32_t room = search->room == 0 ? (uint32_t)LIST_BEGIN : 2 * search->room;
    struct search_picture *list;
    uint32_t *slots;

    list = realloc(search->list, room * sizeof(*list));
    if (list == NULL)
        return -ENOMEM;
    search->list = list;
    slots = calloc(2 * (size_t)room, sizeof(*slots));
    if (slots == NULL)
        return -ENOMEM;
    free(search->slots);
    search->slots = slots;
    search->room = room;
    for (uint32_t i = 0; i < search->count; i++)
        if (list[i].outcome == SEARCH_SEEN && list[i].last >= i)
            slots[slot_of(search, search_bits(list[i].sha256))] = i + 1;
    return 0;
}

static int add(struct picture_search *search, const struct search_picture *picture)
    EXCLUDES(lock_of_search)
{
    int status = 0;

    search_lock(search);
    if (search->count == search->room)
        status = search->room > UINT32_MAX / 4 ? -ENOMEM : grow(search);
    if (status == 0) {
        search->list[search->count++] = *picture;
        if (picture->outcome == SEARCH_SEEN)
            insert(search, search->count - 1);
    }
    search_unlock(search);
    return status;
}

/* Finds the nearest of the pictures that look like none before them, the first among equals. */
static int find_kin(struct picture_search *search, const struct cancel *cancel,
                    struct search_picture *picture)
{
    const struct search_picture *list = own_list(search);
    unsigned nearest = FINGERPRINT_NEAR + 1;

    for (uint32_t i = 0; i < search->head_count && nearest > 0; i++) {
        unsigned distance = fingerprint_distance(list[search->heads[i]].dhash, picture->dhash);

        if (i % KIN_POLLS == KIN_POLLS - 1 && cancel_requested(cancel))
            return -EINTR;
        if (distance >= nearest)
            continue;
        nearest = distance;
        picture->near = search->heads[i];
        picture->distance = (uint8_t)distance;
    }
    return 0;
}

static int add_head(struct picture_search *search, uint32_t at)
{
    if (ARRAY_GROW(search->heads, search->head_count, search->head_room) != 0)
        return -ENOMEM;
    search->heads[search->head_count++] = at;
    return 0;
}

static int take_picture(struct picture_search *search, uint64_t key, const struct cancel *cancel)
{
    uint32_t at = own_count(search);
    struct search_picture picture = {.key = key, .near = at};
    int status = look_at(search, cancel, &picture);

    if (status == 0 && search->kin && picture.outcome == SEARCH_SEEN)
        status = find_kin(search, cancel, &picture);
    if (status == 0 && at % LIST_BEGIN == 0)
        status = charge(search, 2 * (uint64_t)at + LIST_BEGIN);
    if (status == 0 && search->kin && picture.outcome == SEARCH_SEEN && picture.near == at)
        status = add_head(search, at);
    return status == 0 ? add(search, &picture) : status;
}

/* `advance` of struct index_task_work. A picture that could not be completed is begun again. */
static int advance(void *context, const struct cancel *cancel, struct index_task_position *position)
{
    struct picture_search *search = context;
    uint64_t key = 0;
    int status = search->rule == NULL ? -ENOENT : 0;

    for (unsigned i = 0; i < STEP && status == 0; i++) {
        uint64_t folder = search->folder, ordinal = search->ordinal;

        status = next_picture(search, cancel, &key);
        if (status == 0)
            status = take_picture(search, key, cancel);
        if (status == -EINTR || status == -EAGAIN) {
            search->folder = folder;
            search->ordinal = ordinal;
        }
    }
    position->known = own_count(search);
    position->ended = status == -ENOENT;
    return status == -ENOENT ? 0 : status;
}

/* For the owner of the search. */

int search_create(struct tree *tree, struct dump *dump, unsigned rule, bool kin,
                  struct picture_search **out)
{
    struct picture_search *search = calloc(1, sizeof(*search));

    if (search == NULL)
        return -ENOMEM;
    search->tree = tree;
    search->rule = tree->rules.by_id[rule];
    search->kin = kin;
    pthread_mutex_init(&search->lock, NULL);
    index_task_init(&search->pass, &(struct index_task_work){.advance = advance,
                                                             .context = search,
                                                             .cancel = &dump->cancel,
                                                             .spending = &tree->of_batches});
    *out = search;
    return 0;
}

void search_destroy(struct picture_search **search) LOCKS_UNCHECKED
{
    struct picture_search *ending = *search;

    *search = NULL;
    if (ending == NULL)
        return;
    index_task_destroy(&ending->pass);
    pthread_mutex_destroy(&ending->lock);
    free(ending->heads);
    free(ending->slots);
    free(ending->list);
    free(ending);
}

/* For callers that search. */

int search_find(struct picture_search *search, uint64_t bits, struct search_picture *out)
{
    bool all = index_task_knows_all(&search->pass);
    uint32_t place = 0;

    search_lock(search);
    if (search->room > 0)
        place = search->slots[slot_of(search, bits)];
    if (place > 0)
        *out = search->list[place - 1];
    search_unlock(search);
    if (place > 0)
        return 0;
    return !all ? -EAGAIN : atomic_load(&search->left_off) ? -EIO : -ENOENT;
}

int search_for_place(struct picture_search *search, uint32_t at, const struct cancel *cancel)
{
    return index_task_wait(&search->pass, at, cancel);
}

int search_for_all(struct picture_search *search, const struct cancel *cancel)
{
    int status = index_task_wait_all(&search->pass, cancel);

    return status == 0 && atomic_load(&search->left_off) ? -EIO : status;
}

int search_for_bits(struct picture_search *search, uint64_t bits, const struct cancel *cancel)
{
    struct search_picture picture;
    uint32_t known = 0;
    int status = 0, found = -EAGAIN;

    while (status == 0 && (found = search_find(search, bits, &picture)) == -EAGAIN) {
        status = index_task_wait(&search->pass, known, cancel);
        search_lock(search);
        known = search->count;
        search_unlock(search);
    }
    return found == -EIO ? found : status;
}

int search_get(struct picture_search *search, uint32_t at, struct search_picture *out)
{
    int status = -ENOENT;

    search_lock(search);
    if (at < search->count) {
        *out = search->list[at];
        status = 0;
    }
    search_unlock(search);
    return status;
}
