/* SPDX-License-Identifier: MIT */
#include "formats/psx/index/index.h"

#include "base/memory.h"

#include <errno.h>
#include <string.h>

enum {
    CHECKPOINT_WORDS = sizeof(struct psx_parser_state) / 4,
    MASK_WORDS = (CHECKPOINT_WORDS + 31) / 32,
    KEYED = 16, /* checkpoints that are kept as differences from one */
};

_Static_assert(sizeof(struct psx_parser_state) % 4 == 0, "a checkpoint is a run of words");

static uint64_t words_bytes(const struct psx_parser_states *checkpoints)
{
    return checkpoints->max * (CHECKPOINT_WORDS + MASK_WORDS) * 4;
}

int psx_parser_states_init(struct psx_parser_states *checkpoints, uint64_t max)
{
    memset(checkpoints, 0, sizeof(*checkpoints));
    if (max == 0 || max > UINT32_MAX / (CHECKPOINT_WORDS + MASK_WORDS))
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

/* Overlays the words that a stored checkpoint names. */
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

/* Words that a finished command left behind in the parser's buffer mean nothing. */
static void forget_stale(struct gp0_parser *parser)
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
