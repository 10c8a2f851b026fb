/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/index.h"

#include "base/memory.h"
#include "formats/apitrace/container/container.h"
#include "source/kept.h"

#include <errno.h>
#include <stdlib.h>

/* The header. */

static int compare_properties(const void *a, const void *b)
{
    const struct apitrace_property *left = a, *right = b;
    int names = strcmp(left->name.bytes, right->name.bytes);

    return names != 0 ? names : left->number < right->number ? -1 : left->number > right->number;
}

static int add_property(struct apitrace_index *index, const struct apitrace_property *property)
{
    if (apitrace_grow(&index->properties, index->property_count, &index->property_room,
                      sizeof(*index->properties), &index->property_memory) < 0)
        return -ENOMEM;
    index->properties[index->property_count++] = *property;
    return 0;
}

enum {
    PROPERTIES_MAX = 1024,
    DEFINITIONS_RESERVE = APITRACE_ID_MAX * sizeof(void *),
    ARRAYS = 32, /* more than are reserved, since others need address space, too */
};

static int read_properties(struct apitrace_reader *reader, struct apitrace_index *index)
{
    while (reader->status == 0) {
        struct apitrace_property property;

        property.name = apitrace_read_name(reader, &index->definitions);
        if (reader->status != 0 || property.name.length == 0)
            break;
        property.value = apitrace_read_name(reader, &index->definitions);
        if (index->property_count >= PROPERTIES_MAX)
            apitrace_reader_fault(reader, apitrace_reader_position(reader), "too many properties");
        property.number = (uint32_t)index->property_count;
        if (reader->status == 0 && add_property(index, &property) < 0)
            return -ENOMEM;
    }
    if (index->property_count > 0)
        qsort(index->properties, (size_t)index->property_count, sizeof(*index->properties),
              compare_properties);
    return 0;
}

/* A dump that is already mounted has no message, so the problem goes to problems.txt. */
static int refuse_version(const struct apitrace_index_params *params, uint64_t version)
{
    static const char sentence[] = "unsupported trace format version %llu";

    if (params->message != NULL)
        text_printf(params->message, sentence, (unsigned long long)version);
    else
        problems_add(params->problems, PROBLEM_ERROR, 0, PROBLEM_NOWHERE, sentence,
                     (unsigned long long)version);
    return -EPROTO;
}

static int read_header(struct apitrace_reader *reader, struct apitrace_index *index,
                       const struct apitrace_index_params *params)
{
    uint64_t version = apitrace_read_number(reader);

    if (reader->status == 0 && version > APITRACE_VERSION_MAX)
        return refuse_version(params, version);
    index->version = index->definitions.version = (unsigned)version;
    index->semantic_version = version < 6 ? version : apitrace_read_number(reader);
    if (index->semantic_version > version) {
        problems_add(params->problems, PROBLEM_ERROR, 1, PROBLEM_NOWHERE,
                     "stream: semantic version %llu is greater than version %u",
                     (unsigned long long)index->semantic_version, index->version);
        index->semantic_version = version;
    }
    return version < 6 ? 0 : read_properties(reader, index);
}

/* After a header that is cut off, or in a damaged chunk, there is nothing to read. */
static int report_header(const struct apitrace_reader *reader,
                         const struct apitrace_index_params *params)
{
    bool chunk = reader->status == -EBADMSG && reader->fault[0] == '\0';

    if (reader->status == -ENOMEM || reader->status == -EINTR)
        return reader->status;
    if (reader->status != 0)
        problems_add(params->problems, PROBLEM_ERROR, reader->fault_place, PROBLEM_NOWHERE,
                     chunk ? "a chunk is damaged" : "stream: the header is damaged or cut off");
    return 0;
}

enum {
    HOLES_MAX = 4096, /* of a chunk: if there are more, they are short, so that much remains */
    /*
     * What is outside of a chunk's blobs is kept for texts if it is at most 1/REST_SHARE of the
     * chunk, or 1/REST_SHARE_AT_FIRST until RESTS_AT_FIRST bytes are kept of all chunks.
     */
    REST_SHARE = 32,
    REST_SHARE_AT_FIRST = 8,
    RESTS_AT_FIRST = 64 << 20,
};

/* A pass over the events, and what provides its chunks. */
struct apitrace_indexing {
    struct apitrace_pass *pass;
    struct apitrace_stream stream; /* a copy of the index's, with this as its provider of chunks */
    struct apitrace_expander *expander; /* NULL: the pass expands chunks itself */
    struct blob *chunk;                 /* the chunk that the pass got last, or NULL */
    uint64_t number;
    uint64_t rests;                        /* bytes that are kept of all chunks */
    struct apitrace_hole holes[HOLES_MAX]; /* temporary */
};

/* Finds the blobs met so far that have bytes in [begin, end) of the stream. */
static size_t find_holes(const struct apitrace_index *index, uint64_t begin, uint64_t end,
                         struct apitrace_hole *holes, size_t max)
{
    uint64_t first = index->blob_count;
    size_t count = 0;

    while (first > 0 && index->blobs[first - 1].position + index->blobs[first - 1].size > begin)
        first--;
    for (uint64_t n = first; n < index->blob_count && count < max; n++) {
        const struct apitrace_blob *blob = &index->blobs[n];
        uint64_t from = blob->position > begin ? blob->position : begin;
        uint64_t to = blob->position + blob->size < end ? blob->position + blob->size : end;

        if (from < to)
            holes[count++] = (struct apitrace_hole){(size_t)(from - begin), (size_t)(to - begin)};
    }
    return count;
}

/*
 * Makes what is outside of the blobs in the last chunk, which the pass has read completely. *out
 * stays NULL if that is too much to be kept.
 */
static int make_rest(const struct apitrace_index *index, struct blob **out)
{
    struct apitrace_indexing *indexing = index->indexing;
    const struct apitrace_chunk *chunk = &index->stream.chunks[indexing->number];
    const uint64_t raw = chunk[1].raw - chunk->raw;
    const size_t max =
        (size_t)(raw / (indexing->rests < RESTS_AT_FIRST ? REST_SHARE_AT_FIRST : REST_SHARE));
    size_t count;

    if (apitrace_sparse_is(indexing->chunk, raw)) {
        if (indexing->chunk->size <= max)
            *out = blob_ref(indexing->chunk);
        return 0;
    }
    count = find_holes(index, chunk->raw, chunk[1].raw, indexing->holes, HOLES_MAX);
    return count > 0 ? apitrace_sparse_without(indexing->chunk->data, indexing->chunk->size, max,
                                               indexing->holes, count, out)
                     : 0;
}

static int keep_rest(struct apitrace_index *index)
{
    struct apitrace_indexing *indexing = index->indexing;
    struct blob *rest = NULL;
    int status = indexing->chunk != NULL ? make_rest(index, &rest) : 0;

    if (rest != NULL) {
        index->memory.taken += rest->size;
        indexing->rests += rest->size;
        apitrace_recent_keep(index->stream.recent, indexing->number, rest);
    }
    blob_unref(&rest);
    return status;
}

static int provide(void *context, uint64_t number, struct blob **out)
{
    struct apitrace_index *index = context;
    struct apitrace_indexing *indexing = index->indexing;
    int status = keep_rest(index);

    blob_unref(&indexing->chunk);
    if (status == 0)
        status = indexing->expander != NULL ? apitrace_expander_get(indexing->expander, number, out)
                                            : apitrace_stream_load(&index->stream, number, out);
    if (status == 0 && !apitrace_recent_keeps_all(index->stream.recent)) {
        indexing->chunk = blob_ref(*out);
        indexing->number = number;
    }
    return status;
}

/*
 * Has another thread expand chunks in advance, if threads are allowed and it helps. Other threads
 * may already read the index's own stream, which does not use this provider.
 */
static void begin_expanding(struct apitrace_index *index, struct apitrace_indexing *indexing)
{
    if (index->stream.recent == NULL)
        return;
    if (index->params.threads >= 2 && apitrace_expander_helps(&index->stream))
        indexing->expander = apitrace_expander_create(&index->stream, index->header_size);
    indexing->stream.provider = (struct apitrace_chunk_provider){provide, index};
}

static void end_indexing(struct apitrace_index *index)
{
    struct apitrace_indexing *indexing = index->indexing;

    if (indexing == NULL)
        return;
    apitrace_pass_destroy(&indexing->pass);
    blob_unref(&indexing->chunk);
    apitrace_expander_destroy(&indexing->expander);
    free(indexing);
    index->indexing = NULL;
}

/* A stream that grows cannot be expanded in advance, so the pass uses it directly. */
static int begin_indexing(struct apitrace_index *index)
{
    struct apitrace_indexing *indexing = calloc(1, sizeof(*indexing));
    bool grows = index->stream.growing != NULL;
    int status;

    index->indexing = indexing;
    if (indexing == NULL)
        return -ENOMEM;
    if (!grows) {
        indexing->stream = index->stream;
        begin_expanding(index, indexing);
    }
    status = apitrace_pass_create(index, grows ? &index->stream : &indexing->stream,
                                  index->header_size, &indexing->pass);
    if (status < 0)
        end_indexing(index);
    return status;
}

int apitrace_index_go(struct apitrace_index *index, uint64_t events, bool frame,
                      const struct cancel *cancel, bool *ended)
{
    int status = 0;

    *ended = !index->unread;
    if (*ended)
        return 0;
    if (index->indexing == NULL)
        status = begin_indexing(index);
    if (status == 0)
        status = apitrace_pass_go(index->indexing->pass, events, frame, cancel, ended);
    index->unread = !*ended;
    if (*ended)
        end_indexing(index);
    return status;
}

/* Reads what precedes the events. Sets `unread` if events may follow. */
static int read_head(struct apitrace_index *index)
{
    const struct apitrace_index_params *params = &index->params;
    struct apitrace_reader reader;
    int status, header;

    apitrace_reader_init(&reader, &index->stream, params->source_params->cancel);
    apitrace_reader_follow(&reader, &index->stream);
    apitrace_reader_seek(&reader, 0);
    if (!apitrace_reader_more(&reader)) {
        status = report_header(&reader, params);
        apitrace_reader_clear(&reader);
        return status;
    }
    status = read_header(&reader, index, params);
    header = reader.status;
    index->header_size = apitrace_reader_position(&reader);
    if (status == 0)
        status = report_header(&reader, params);
    apitrace_reader_clear(&reader);
    index->headed = true;
    index->unread = status == 0 && header == 0;
    return status;
}

static int index_stream(struct apitrace_index *index)
{
    bool ended;
    int status = read_head(index);

    return status == 0 ? apitrace_index_go(index, UINT64_MAX, false,
                                           index->params.source_params->cancel, &ended)
                       : status;
}

/* Arrays that others read while they grow must not move. */
static void reserve_memory(struct apitrace_index *index)
{
    uint64_t reserve = apitrace_reserve(index->params.max_memory);

    index->memory.reserve = index->calls.memory.reserve = reserve;
    index->definitions.memory.reserve = DEFINITIONS_RESERVE;
}

/*
 * Returns whether there is address space for that; limits of the process or the machine may leave
 * less.
 */
static bool can_reserve(const struct apitrace_index_params *params)
{
    const uint64_t reserve = apitrace_reserve(params->max_memory);
    void *space;

    if (reserve == 0 || reserve > SIZE_MAX / ARRAYS)
        return false;
    space = memory_reserve((size_t)reserve * ARRAYS);
    memory_unreserve(space, (size_t)reserve * ARRAYS);
    return space != NULL;
}

/* Refuses an unknown version if the version has already arrived. */
static int begin_growing(struct apitrace_index *index)
{
    const struct apitrace_index_params *params = &index->params;
    uint8_t version = apitrace_stream_version(&index->stream);

    reserve_memory(index);
    if (version > APITRACE_VERSION_MAX)
        return refuse_version(params, version);
    index->params.message = NULL;
    return 0;
}

static int open_stream(const struct apitrace_index_params *params, struct apitrace_index *out)
{
    const struct apitrace_stream_params stream = {.source = params->source_params,
                                                  .max_memory = params->max_memory / 4,
                                                  .problems = params->problems};
    int status;

    *out = (struct apitrace_index){.params = *params};
    status = apitrace_definitions_init(&out->definitions, params->max_memory / 4);
    return status == 0 ? apitrace_stream_open(params->source, &stream, &out->stream) : status;
}

/*
 * Reads the header of a long stream, and the kept index if there is one. Otherwise the stream is
 * read later, or at once if there is no address space for that.
 */
static int open_long(struct apitrace_index *index)
{
    const struct apitrace_index_params *params = &index->params;
    uint64_t problems = problems_count(params->problems);
    int status = read_head(index), kept = -ENOENT;
    bool ended;

    if (status < 0 || !index->unread)
        return status;
    index->problems = problems_count(params->problems);
    index->keeps = params->keep && kept_file_is_for(params->source) && index->problems == problems;
    if (index->keeps)
        kept = apitrace_kept_index_load(index);
    index->kept = kept == 0;
    index->keeps &= kept != -ENOTSUP;
    if (!index->headed)
        return -ENOMEM;
    index->unread &= !index->kept;
    if (!index->unread)
        return 0;
    if (!can_reserve(params))
        return apitrace_index_go(index, UINT64_MAX, false, params->source_params->cancel, &ended);
    reserve_memory(index);
    return 0;
}

int apitrace_index_open(const struct apitrace_index_params *params, struct apitrace_index *out)
{
    bool is_long;
    int status = open_stream(params, out);

    if (status == 0 && out->stream.growing != NULL)
        return begin_growing(out);
    is_long = status == 0 && params->later != 0 && out->stream.size >= params->later;
    if (is_long)
        status = open_long(out);
    else if (status == 0)
        status = index_stream(out);
    if (is_long && status == 0)
        out->params.message = NULL;
    if (!is_long || status != 0 || !out->unread)
        apitrace_index_show(out, out->frame_count, true);
    return status;
}

void apitrace_index_keep(struct apitrace_index *index)
{
    if (index->keeps && !index->kept && !index->unread && !apitrace_index_grows(index) &&
        problems_count(index->params.problems) == index->problems)
        (void)apitrace_kept_index_save(index);
    index->keeps = false;
}

int apitrace_index_follow(struct apitrace_index *index)
{
    const struct cancel *cancel = index->params.source_params->cancel;
    int status = index_stream(index);

    if (status == -EPROTO)
        status = 0;
    /* also wait for data after the last usable event */
    while (status == 0)
        status = apitrace_stream_wait(&index->stream, index->stream.size, cancel);
    return status == -ENODATA ? 0 : status;
}

/* Clearing. */

/* Clears what was found in events. */
static void clear_events(struct apitrace_index *index)
{
    for (unsigned n = 0; n < APITRACE_NOTES; n++)
        apitrace_free(index->notes[n].numbers, &index->memory);
    apitrace_free(index->runs, &index->memory);
    apitrace_free(index->frames, &index->memory);
    apitrace_free(index->totals, &index->memory);
    apitrace_free(index->blobs, &index->memory);
    apitrace_free(index->threads, &index->memory);
    apitrace_free(index->function_calls, &index->memory);
    apitrace_calls_clear(&index->calls);
    apitrace_definitions_clear(&index->definitions);
}

/* The header was valid, so that reading it again reports no problems. */
int apitrace_index_forget(struct apitrace_index *index)
{
    struct apitrace_index fresh = {.stream = index->stream,
                                   .params = index->params,
                                   .keeps = index->keeps,
                                   .problems = index->problems};
    int status;

    clear_events(index);
    apitrace_free(index->properties, &index->property_memory);
    *index = fresh;
    status = apitrace_definitions_init(&index->definitions, index->params.max_memory / 4);
    return status == 0 ? read_head(index) : status;
}

void apitrace_index_clear(struct apitrace_index *index)
{
    end_indexing(index);
    clear_events(index);
    apitrace_free(index->properties, &index->property_memory);
    apitrace_stream_close(&index->stream);
    *index = (struct apitrace_index){0};
}

/* Showing. */

void apitrace_index_show(struct apitrace_index *index, uint64_t frames, bool final)
{
    uint64_t packets = index->calls.count;

    if (!final)
        packets = frames > 0 ? index->totals[frames - 1].packets : 0;
    follow_show(&index->follow, packets, frames, final);
}

/* Queries. */

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

/* Counts the calls from the first on that are all listed in frames that have ended. */
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

static int compare_blobs(const void *a, const void *b)
{
    const struct apitrace_blob *left = a, *right = b;

    if (left->number != right->number)
        return left->number < right->number ? -1 : 1;
    if (left->argument != right->argument)
        return left->argument < right->argument ? -1 : 1;
    return left->position < right->position ? -1 : left->position > right->position;
}

/* Blobs are met in this order if calls return in the order of their numbers. */
static bool are_ordered(const struct apitrace_blob *blobs, uint64_t count)
{
    for (uint64_t n = 1; n < count; n++)
        if (compare_blobs(&blobs[n - 1], &blobs[n]) > 0)
            return false;
    return true;
}

static bool same_argument(const struct apitrace_blob *a, const struct apitrace_blob *b)
{
    return a->number == b->number && a->argument == b->argument;
}

void apitrace_index_order_blobs(struct apitrace_index *index, const uint64_t cut[2])
{
    struct apitrace_blob *blobs = index->blobs;
    uint64_t kept = 0;

    if (!are_ordered(blobs, index->blob_count))
        qsort(blobs, (size_t)index->blob_count, sizeof(*blobs), compare_blobs);
    for (uint64_t n = 0; n < index->blob_count; n++) {
        if (blobs[n].ordinal == APITRACE_BLOB_REPLACED) {
            while (kept > 0 && same_argument(&blobs[kept - 1], &blobs[n]))
                kept--;
        } else if (blobs[n].number != cut[0] && blobs[n].number != cut[1]) {
            bool same = kept > 0 && blobs[kept - 1].number == blobs[n].number;

            blobs[n].ordinal = same ? blobs[kept - 1].ordinal + 1 : 0;
            blobs[kept++] = blobs[n];
        }
    }
    index->blob_count = kept;
}

struct apitrace_totals apitrace_index_totals(const struct apitrace_index *index)
{
    uint64_t frames = index->follow.frames, max = index->total_count;

    if (!apitrace_index_grows(index))
        return sum_up(index);
    if (frames > max) /* it includes the unfinished one, and the index is about to become final */
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

    if (number >= index->follow.packets)
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
    uint64_t low = 0, high = index->follow.frames;

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
