#include "formats/apitrace/index/index.h"

#include <errno.h>

void apitrace_index_clear(struct apitrace_index *index)
{
    for (unsigned n = 0; n < APITRACE_NOTES; n++)
        apitrace_free(index->notes[n].numbers, &index->memory);
    apitrace_free(index->properties, &index->memory);
    apitrace_free(index->runs, &index->memory);
    apitrace_free(index->frames, &index->memory);
    apitrace_free(index->totals, &index->memory);
    apitrace_free(index->blobs, &index->memory);
    apitrace_free(index->threads, &index->memory);
    apitrace_free(index->function_calls, &index->memory);
    apitrace_calls_clear(&index->calls);
    apitrace_definitions_clear(&index->definitions);
    apitrace_stream_close(&index->stream);
    *index = (struct apitrace_index){0};
}

/* Showing. */

void apitrace_index_show(struct apitrace_index *index, uint64_t frames, bool final)
{
    uint64_t packets = index->calls.count;

    if (!final)
        packets = frames > 0 ? index->totals[frames - 1].packets : 0;
    index->shown.packets = packets;
    index->shown.frames = frames;
    index->shown.final = final;
}

/* Asking. */

static struct apitrace_totals sum_up(const struct apitrace_index *index)
{
    struct apitrace_totals totals = {.end = index->end,
                                     .packets = index->calls.count,
                                     .rows = index->calls.count,
                                     .hidden = index->hidden,
                                     .fake = index->fake,
                                     .incomplete = index->incomplete,
                                     .threads = index->thread_count,
                                     .functions = index->definitions.functions.count,
                                     .api = index->api};

    for (unsigned n = 0; n < APITRACE_NOTES; n++)
        totals.notes[n] = index->notes[n].count;
    return totals;
}

/* The calls from the first on that are all listed in frames that have ended. */
static uint64_t count_rows(const struct apitrace_index *index)
{
    uint64_t number = index->total_count > 0 ? index->totals[index->total_count - 1].rows : 0;
    uint64_t end = index->frames[index->frame_count - 1].end;
    struct apitrace_walk walk;

    apitrace_walk_init(&walk, &index->calls);
    while (number < index->calls.count && apitrace_walk_to(&walk, number)->order < end)
        number++;
    return number;
}

int apitrace_index_sum_up(struct apitrace_index *index)
{
    if (apitrace_grow(&index->totals, index->total_count, &index->total_room,
                      sizeof(*index->totals), &index->memory) < 0)
        return -ENOMEM;
    index->totals[index->total_count] = sum_up(index);
    index->totals[index->total_count].rows = count_rows(index);
    index->total_count++;
    return 0;
}

struct apitrace_totals apitrace_index_totals(const struct apitrace_index *index)
{
    uint64_t frames = index->shown.frames, max = index->total_count;

    if (!apitrace_index_grows(index))
        return sum_up(index);
    if (frames > max) /* the unfinished one, and this is about to be final */
        frames = max;
    return frames > 0 ? index->totals[frames - 1] : (struct apitrace_totals){0};
}

struct apitrace_record apitrace_index_at(const struct apitrace_index *index, uint64_t number)
{
    struct apitrace_walk walk;

    apitrace_walk_init(&walk, &index->calls);
    return *apitrace_walk_to(&walk, number);
}

int apitrace_index_record(const struct apitrace_index *index, uint64_t number,
                          struct apitrace_record *out)
{
    bool grows = apitrace_index_grows(index);
    struct apitrace_walk walk;

    if (number >= index->shown.packets)
        return -ENOENT;
    apitrace_walk_init(&walk, &index->calls);
    *out = *apitrace_walk_to(&walk, number);
    return grows && apitrace_index_frame(index, out->order) == UINT64_MAX ? -ENOENT : 0;
}

uint64_t apitrace_index_listed(const struct apitrace_index *index, uint64_t order)
{
    uint64_t low = 0, high = index->run_count;

    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;

        if (index->runs[middle].order <= order)
            low = middle;
        else
            high = middle;
    }
    return index->runs[low].number + (order - index->runs[low].order);
}

uint64_t apitrace_index_frame(const struct apitrace_index *index, uint64_t order)
{
    uint64_t low = 0, high = index->shown.frames;

    if (high == 0 || order >= index->frames[high - 1].end)
        return UINT64_MAX;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;

        if (index->frames[middle].first <= order)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bool apitrace_index_in_frame(const struct apitrace_index *index, uint64_t frame, uint64_t number)
{
    const struct apitrace_frame_record *record = &index->frames[frame];
    uint64_t order = apitrace_index_at(index, number).order;

    return order >= record->first && order < record->end;
}

uint64_t apitrace_index_blobs(const struct apitrace_index *index, uint64_t number)
{
    uint64_t low = 0, high = index->blob_count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (index->blobs[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct apitrace_function *apitrace_index_function(const struct apitrace_index *index,
                                                        const struct apitrace_record *record)
{
    return record->function != APITRACE_NO_FUNCTION
               ? apitrace_function_at(&index->definitions, record->function)
               : NULL;
}

const char *apitrace_index_name(const struct apitrace_index *index,
                                const struct apitrace_record *record)
{
    const struct apitrace_function *function = apitrace_index_function(index, record);

    return function != NULL ? function->packet_name : "unnamed";
}
