#include "formats/psx/index/parser_state.h"

#include "core/memory.h"

#include <errno.h>
#include <string.h>

enum {
    PLACE_WORDS = sizeof(struct psx_place) / 4,
    MASK_WORDS = (PLACE_WORDS + 31) / 32,
    KEYED = 16, /* places that are kept as differences from one */
};

_Static_assert(sizeof(struct psx_place) % 4 == 0, "a place is a run of words");

static uint64_t words_bytes(const struct psx_places *places)
{
    return places->most * (PLACE_WORDS + MASK_WORDS) * 4;
}

int psx_places_init(struct psx_places *places, uint64_t most)
{
    memset(places, 0, sizeof(*places));
    if (most == 0 || most > UINT32_MAX / (PLACE_WORDS + MASK_WORDS))
        return -ENOMEM;
    places->most = most;
    places->words = memory_reserve(words_bytes(places));
    places->offsets = memory_reserve(most * 4);
    if (places->words == NULL || places->offsets == NULL) {
        psx_places_clear(places);
        return -ENOMEM;
    }
    return 0;
}

void psx_places_clear(struct psx_places *places)
{
    memory_unreserve(places->words, words_bytes(places));
    memory_unreserve(places->offsets, places->most * 4);
    memset(places, 0, sizeof(*places));
}

/* Overlays the words that a stored place names. */
static void overlay(const uint32_t *stored, uint32_t *words)
{
    const uint32_t *next = stored + MASK_WORDS;

    for (unsigned m = 0; m < MASK_WORDS; m++)
        for (uint32_t mask = stored[m]; mask != 0; mask &= mask - 1)
            words[32 * m + (unsigned)__builtin_ctz(mask)] = *next++;
}

static void read_key(const struct psx_places *places, uint64_t number, uint32_t *words)
{
    memset(words, 0, sizeof(struct psx_place));
    overlay(places->words + places->offsets[number - number % KEYED], words);
}

void psx_places_get(const struct psx_places *places, uint64_t number, struct psx_place *out)
{
    uint32_t words[PLACE_WORDS];

    read_key(places, number, words);
    if (number % KEYED != 0)
        overlay(places->words + places->offsets[number], words);
    memcpy(out, words, sizeof(*out));
}

/* Words that a finished command left behind in the parser's buffer mean nothing. */
static void forget_stale(struct gp0_parser *parser)
{
    for (unsigned i = parser->have; i < GP0_WORDS_MAX; i++)
        parser->words[i] = 0;
}

int psx_places_add(struct psx_places *places, const struct psx_place *place)
{
    uint64_t number = psx_places_count(places);
    struct psx_place clean = *place;
    uint32_t base[PLACE_WORDS] = {0}, words[PLACE_WORDS];

    if (number == places->most)
        return -ENOSPC;
    if (number % KEYED != 0)
        read_key(places, number, base);
    forget_stale(&clean.state.parser);
    memcpy(words, &clean, sizeof(clean));

    uint32_t *stored = places->words + places->used;
    uint32_t *next = stored + MASK_WORDS;

    memset(stored, 0, 4 * MASK_WORDS);
    for (unsigned i = 0; i < PLACE_WORDS; i++) {
        if (words[i] != base[i]) {
            stored[i / 32] |= UINT32_C(1) << i % 32;
            *next++ = words[i];
        }
    }
    places->offsets[number] = (uint32_t)places->used;
    places->used = (uint64_t)(next - places->words);
    atomic_store_explicit(&places->count, number + 1, memory_order_release);
    return 0;
}

static bool is_after(const struct psx_place *place, uint64_t packet, uint32_t word)
{
    return place->packet > packet || (place->packet == packet && place->word > word);
}

uint64_t psx_places_find(const struct psx_places *places, uint64_t packet, uint32_t word)
{
    uint64_t low = 0, high = psx_places_count(places);
    struct psx_place place;

    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;

        psx_places_get(places, middle, &place);
        if (is_after(&place, packet, word))
            high = middle;
        else
            low = middle;
    }
    return low;
}
