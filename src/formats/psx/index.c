#include "formats/psx/index.h"

#include "formats/psx/deep.h"
#include "formats/psx/field.h"
#include "formats/psx/skim.h"
#include "formats/psx/walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAME_COST = sizeof(struct psx_frame) + sizeof(struct psx_frame_counts) + 256,
    PLACE_COST = 256,       /* bytes of one place at most, about */
    FRAMES_MOST = 16 << 20, /* what keys of the tree and numbers of places can tell apart */
    PLACES_MOST = 16 << 20, /* besides those at the starts of frames */
};

/* Half of the memory is for frames, a quarter each for packets and places. */
static struct psx_skim_limits limits_of(const struct options *options)
{
    struct psx_skim_limits limits = {
        .packets = options->max_memory / 4 / sizeof(uint64_t) * PSX_GROUP,
        .frames = options->max_memory / 2 / FRAME_COST,
    };

    if (limits.frames > FRAMES_MOST)
        limits.frames = FRAMES_MOST;
    return limits;
}

static uint64_t most_places(const struct options *options)
{
    uint64_t most = options->max_memory / 4 / PLACE_COST;

    return most < PLACES_MOST ? most : PLACES_MOST;
}

/* From the frame's VSync to the next one, in cycles; 0: not known. */
static uint64_t interval_after(const struct psx_index *index, uint64_t frame)
{
    const struct psx_frame *from = &index->frames[frame], *to = from + 1;

    if (frame + 1 >= index->frame_count || from->stamp_words == 0 || to->stamp_words == 0)
        return 0;
    if (from->stamp_words == 1 || to->stamp_words == 1)
        return (uint32_t)(to->cycles - from->cycles);
    return to->cycles - from->cycles;
}

static void set_fields(struct psx_index *index)
{
    enum psx_field_option rule = index->field_option;

    for (uint64_t n = 0; n < index->frame_count; n++) {
        struct psx_frame *frame = &index->frames[n];
        uint64_t interval = interval_after(index, n);

        frame->field = n == 0 ? psx_field_first(rule, &index->initial_display, interval)
                              : psx_field_next(rule, &frame[-1].display, frame[-1].field, interval);
    }
}

/* One slice of the deep pass: struct pass_work's `advance`. */
static int advance(void *context, const struct cancel *cancel, struct pass_position *position)
{
    struct psx_index *index = context;
    bool ended = false;
    int status = psx_deep_advance(index->deep, &ended);

    (void)cancel;
    if (ended) {
        psx_defects_finish(&index->defects);
        index->totals.problems = problems_count(index->defects.problems);
    }
    position->known = psx_deep_packets(index->deep);
    position->frames = psx_deep_frames(index->deep);
    position->ended = ended;
    return ended ? 0 : status; /* a file that was cut meanwhile ends with fewer places */
}

int psx_index_open(const struct source *source, const struct options *options,
                   struct problems *problems, const struct cancel *cancel, struct psx_index *index)
{
    struct psx_skim_limits limits = limits_of(options);
    int status;

    memset(index, 0, sizeof(*index));
    index->data = source->data;
    index->size = source->size;
    index->magic = psx_magic_read(source->data, source->size);
    index->defects.problems = problems;
    index->field_option = psx_options_of(options)->field;
    pthread_mutex_init(&index->lock, NULL);
    pass_init(&index->pass, &(struct pass_work){.advance = advance, .context = index});
    if ((status = psx_skim(index, &limits, cancel)) != 0)
        goto out;
    set_fields(index);
    index->counts = calloc(index->frame_count + 1, sizeof(*index->counts));
    index->frame_places = calloc(index->frame_count + 1, sizeof(*index->frame_places));
    index->noted = calloc(1, sizeof(*index->noted));
    if (index->counts == NULL || index->frame_places == NULL || index->noted == NULL)
        status = -ENOMEM;
    else
        status = psx_deep_create(index, most_places(options), &index->deep);
out:
    if (status != 0)
        psx_index_close(index);
    return status;
}

void psx_index_close(struct psx_index *index)
{
    psx_deep_destroy(&index->deep);
    psx_places_clear(&index->places);
    psx_summaries_clear(&index->summaries);
    free(index->counts);
    free(index->frame_places);
    free(index->noted);
    free(index->frames);
    free(index->groups);
    free(index->readback_groups);
    pass_destroy(&index->pass);
    pthread_mutex_destroy(&index->lock);
    memset(index, 0, sizeof(*index));
}

int psx_index_packet(const struct psx_index *index, uint64_t number, struct psx_packet *out)
{
    if (number >= index->packets)
        return -ENOENT;

    uint64_t offset = index->groups[number / PSX_GROUP];

    for (uint64_t n = number % PSX_GROUP;; n--) {
        if (!psx_packet_read(index->data, index->size, offset, out))
            return -ENOENT;
        if (n == 0)
            return 0;
        offset = psx_packet_end(out);
    }
}

uint64_t psx_index_frame_of(const struct psx_index *index, uint64_t packet)
{
    uint64_t low = 0, high = index->frame_count;

    if (packet < index->frames[0].packet || packet >= index->frames[high].packet)
        return PSX_INITIAL;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;

        if (index->frames[middle].packet <= packet)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Within one group, from packet `from` on. */
static uint64_t readback_in_group(const struct psx_index *index, uint64_t from)
{
    uint64_t end = (from / PSX_GROUP + 1) * PSX_GROUP;
    struct psx_packet packet;

    if (psx_index_packet(index, from, &packet) != 0)
        return PSX_NO_PACKET;
    for (; from < end; from++) {
        if (packet.type == PSX_PACKET_DISCARD || packet.type == PSX_PACKET_READBACK)
            return from;
        if (!psx_packet_read(index->data, index->size, psx_packet_end(&packet), &packet))
            break;
    }
    return PSX_NO_PACKET;
}

uint64_t psx_index_next_readback(const struct psx_index *index, uint64_t from)
{
    uint64_t groups = (index->packets + PSX_GROUP - 1) / PSX_GROUP;

    for (uint64_t group = from / PSX_GROUP; group < groups; group++) {
        if (!(index->readback_groups[group / 8] >> group % 8 & 1))
            continue;

        uint64_t start = group * PSX_GROUP;
        uint64_t found = readback_in_group(index, from > start ? from : start);

        if (found != PSX_NO_PACKET)
            return found;
    }
    return PSX_NO_PACKET;
}

int psx_index_wait_frame(struct psx_index *index, uint64_t frame, const struct cancel *cancel)
{
    return pass_wait_frame(&index->pass, frame, cancel);
}

bool psx_index_knows_frame(struct psx_index *index, uint64_t frame)
{
    return pass_knows_frame(&index->pass, frame);
}

bool psx_index_knows_packet(struct psx_index *index, uint64_t packet)
{
    return pass_knows(&index->pass, packet);
}

int psx_index_wait_packet(struct psx_index *index, uint64_t packet, const struct cancel *cancel)
{
    return pass_wait(&index->pass, packet, cancel);
}

int psx_index_wait_all(struct psx_index *index, const struct cancel *cancel)
{
    return pass_wait_all(&index->pass, cancel);
}

void psx_index_frame_place(const struct psx_index *index, uint64_t frame, struct psx_place *out)
{
    psx_places_get(&index->places, index->frame_places[frame], out);
}

void psx_index_place_before(const struct psx_index *index, uint64_t packet, uint32_t word,
                            struct psx_place *out)
{
    psx_places_get(&index->places, psx_places_find(&index->places, packet, word), out);
}

void psx_index_note_place(struct psx_index *index, const struct psx_place *place)
{
    pthread_mutex_lock(&index->lock);
    *index->noted = *place;
    pthread_mutex_unlock(&index->lock);
}

void psx_index_use_noted(struct psx_index *index, uint64_t packet, struct psx_place *place)
{
    pthread_mutex_lock(&index->lock);
    if (psx_place_is_before(place, index->noted->packet, index->noted->word) &&
        !psx_place_is_before(&(struct psx_place){.packet = packet}, index->noted->packet,
                             index->noted->word))
        *place = *index->noted;
    pthread_mutex_unlock(&index->lock);
}
