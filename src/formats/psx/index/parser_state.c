/* SPDX-License-Identifier: MIT */
#include "formats/psx/index/index.h"

#include "base/memory.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

enum {
    CHECKPOINT_WORDS = sizeof(struct psx_parser_state) / 4,
    MASK_WORDS = (CHECKPOINT_WORDS + 31) / 32,
    KEYED = 16, /* so many consecutive checkpoints have one key, the first of them */
};

/*
 * A stored checkpoint is a mask with one bit for each word of struct psx_parser_state, followed by
 * the words whose bits are set: those that differ from the key's words. A key is stored in the same
 * way, with the words that are not 0.
 */

_Static_assert(sizeof(struct psx_parser_state) % 4 == 0, "a checkpoint is a run of words");

static uint64_t words_bytes(const struct psx_parser_states *checkpoints)
{
    return checkpoints->max * (CHECKPOINT_WORDS + MASK_WORDS) * 4;
}

/* Returns whether offsets reach the words of so many checkpoints. */
static bool can_hold(uint64_t max)
{
    return max > 0 && max <= UINT32_MAX / (CHECKPOINT_WORDS + MASK_WORDS);
}

int psx_parser_states_init(struct psx_parser_states *checkpoints, uint64_t max)
{
    memset(checkpoints, 0, sizeof(*checkpoints));
    if (!can_hold(max))
        return -ENOMEM;
    checkpoints->max = max;
    checkpoints->words = memory_reserve(words_bytes(checkpoints));
    checkpoints->offsets = memory_reserve(max * 4);
    if (checkpoints->words == NULL || checkpoints->offsets == NULL) {
        psx_parser_states_clear(checkpoints);
        return -ENOMEM;
    }
    return 0;
}

void psx_parser_states_clear(struct psx_parser_states *checkpoints)
{
    memory_unreserve(checkpoints->words, words_bytes(checkpoints));
    memory_unreserve(checkpoints->offsets, checkpoints->max * 4);
    memset(checkpoints, 0, sizeof(*checkpoints));
}

/* Puts the words of a stored checkpoint in their places. */
static void overlay(const uint32_t *stored, uint32_t *words)
{
    const uint32_t *next = stored + MASK_WORDS;

    for (unsigned m = 0; m < MASK_WORDS; m++)
        for (uint32_t mask = stored[m]; mask != 0; mask &= mask - 1)
            words[32 * m + (unsigned)__builtin_ctz(mask)] = *next++;
}

static void read_key(const struct psx_parser_states *checkpoints, uint64_t number, uint32_t *words)
{
    memset(words, 0, sizeof(struct psx_parser_state));
    overlay(checkpoints->words + checkpoints->offsets[number - number % KEYED], words);
}

void psx_parser_states_get(const struct psx_parser_states *checkpoints, uint64_t number,
                           struct psx_parser_state *out)
{
    uint32_t words[CHECKPOINT_WORDS];

    read_key(checkpoints, number, words);
    if (number % KEYED != 0)
        overlay(checkpoints->words + checkpoints->offsets[number], words);
    memcpy(out, words, sizeof(*out));
}

/* Clears words that a finished command left in the parser's buffer, since they mean nothing. */
static void forget_stale(struct psx_gp0_parser *parser)
{
    for (unsigned i = parser->have; i < GP0_WORDS_MAX; i++)
        parser->words[i] = 0;
}

int psx_parser_states_add(struct psx_parser_states *checkpoints,
                          const struct psx_parser_state *checkpoint)
{
    uint64_t number = psx_parser_states_count(checkpoints);
    struct psx_parser_state clean = *checkpoint;
    uint32_t base[CHECKPOINT_WORDS] = {0}, words[CHECKPOINT_WORDS];

    if (number == checkpoints->max)
        return -ENOSPC;
    if (number % KEYED != 0)
        read_key(checkpoints, number, base);
    forget_stale(&clean.state.parser);
    memcpy(words, &clean, sizeof(clean));

    uint32_t *stored = checkpoints->words + checkpoints->used;
    uint32_t *next = stored + MASK_WORDS;

    memset(stored, 0, 4 * MASK_WORDS);
    for (unsigned i = 0; i < CHECKPOINT_WORDS; i++) {
        if (words[i] != base[i]) {
            stored[i / 32] |= UINT32_C(1) << i % 32;
            *next++ = words[i];
        }
    }
    checkpoints->offsets[number] = (uint32_t)checkpoints->used;
    checkpoints->used = (uint64_t)(next - checkpoints->words);
    atomic_store_explicit(&checkpoints->count, number + 1, memory_order_release);
    return 0;
}

static bool is_after(const struct psx_parser_state *checkpoint, uint64_t packet, uint32_t word)
{
    return checkpoint->packet > packet || (checkpoint->packet == packet && checkpoint->word > word);
}

uint64_t psx_parser_states_find(const struct psx_parser_states *checkpoints, uint64_t packet,
                                uint32_t word)
{
    uint64_t low = 0, high = psx_parser_states_count(checkpoints);
    struct psx_parser_state checkpoint;

    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;

        psx_parser_states_get(checkpoints, middle, &checkpoint);
        if (is_after(&checkpoint, packet, word))
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* From one opening to the next. */

void psx_parser_states_keep(const struct psx_parser_states *checkpoints, struct kept_writer *writer)
{
    uint64_t count = psx_parser_states_count(checkpoints);

    kept_write_number(writer, count);
    kept_write_number(writer, checkpoints->used);
    kept_write(writer, checkpoints->offsets, count * sizeof(*checkpoints->offsets));
    kept_write(writer, checkpoints->words, checkpoints->used * sizeof(*checkpoints->words));
}

/* Returns whether all words of a stored checkpoint are there, and have a place. */
static bool is_stored(const struct psx_parser_states *checkpoints, uint64_t number)
{
    const uint64_t offset = checkpoints->offsets[number],
                   spare = MASK_WORDS * 32 - CHECKPOINT_WORDS;
    const uint32_t *masks = checkpoints->words + offset;
    uint64_t words = MASK_WORDS;

    if (offset + MASK_WORDS > checkpoints->used)
        return false;
    for (unsigned m = 0; m < MASK_WORDS; m++)
        words += (unsigned)__builtin_popcount(masks[m]);
    return offset + words <= checkpoints->used &&
           (spare == 0 || masks[MASK_WORDS - 1] >> (32 - spare) == 0);
}

/*
 * Returns whether the flags are 0 or 1. Must be checked before the bytes are used as a state, since
 * a bool must not have other values.
 */
static bool are_flags(const uint32_t *words)
{
    static const size_t places[] = {offsetof(struct psx_parser_state, state.registers.irq),
                                    offsetof(struct psx_parser_state, state.restoring)};
    const uint8_t *bytes = (const uint8_t *)words;

    return bytes[places[0]] <= 1 && bytes[places[1]] <= 1;
}

/*
 * Returns whether a stored checkpoint is valid. `key` has the words of the checkpoint from which it
 * is stored as a difference; they are replaced if it is that checkpoint itself.
 */
static bool is_restored(const struct psx_parser_states *checkpoints, uint64_t number, uint32_t *key,
                        psx_parser_state_check *is_good, void *context)
{
    uint32_t words[CHECKPOINT_WORDS];
    struct psx_parser_state checkpoint;

    if (!is_stored(checkpoints, number))
        return false;
    if (number % KEYED == 0)
        read_key(checkpoints, number, key);
    memcpy(words, key, sizeof(words));
    if (number % KEYED != 0)
        overlay(checkpoints->words + checkpoints->offsets[number], words);
    if (!are_flags(words))
        return false;
    memcpy(&checkpoint, words, sizeof(checkpoint));
    return is_good(context, number, &checkpoint);
}

void psx_parser_states_restore(struct psx_parser_states *checkpoints, struct kept_reader *reader,
                               psx_parser_state_check *is_good, void *context)
{
    uint64_t count = kept_read_number(reader, kept_reader_left(reader) / 4);
    uint64_t used = kept_read_number(reader, kept_reader_left(reader) / 4);
    uint32_t key[CHECKPOINT_WORDS];

    if (!can_hold(count) || used > count * (CHECKPOINT_WORDS + MASK_WORDS))
        kept_reader_refuse(reader);
    if (reader->status == 0)
        kept_reader_fail(reader, psx_parser_states_init(checkpoints, count));
    if (reader->status != 0)
        return;
    kept_read(reader, checkpoints->offsets, count * sizeof(*checkpoints->offsets));
    kept_read(reader, checkpoints->words, used * sizeof(*checkpoints->words));
    checkpoints->used = used;
    for (uint64_t number = 0; reader->status == 0 && number < count; number++)
        if (!is_restored(checkpoints, number, key, is_good, context))
            kept_reader_refuse(reader);
    atomic_store_explicit(&checkpoints->count, count, memory_order_release);
}
