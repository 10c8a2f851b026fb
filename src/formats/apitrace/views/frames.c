/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/views/views.h"

#include <errno.h>
#include <stdlib.h>

int apitrace_frame_describe(struct dump *dump, uint64_t number, struct dump_frame *out)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct apitrace_presentation *presentation = apitrace_dump_peek_presentation(dump);

    if (number >= index->follow.frames)
        return -ENOENT;
    if (presentation == NULL)
        return -EAGAIN;
    *out = (struct dump_frame){.first_packet = index->frames[number].min_number,
                               .last_packet = index->frames[number].max_number,
                               .width = presentation->frames[number].width,
                               .height = presentation->frames[number].height};
    return 0;
}

/* With several threads, the calls of a frame are not one range of numbers. */
int apitrace_frame_next_packet(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *packet)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct apitrace_frame_record *record;
    struct apitrace_walk walk;

    if (frame >= index->follow.frames)
        return -ENOENT;
    record = &index->frames[frame];
    apitrace_walk_init(&walk, &index->calls);
    for (*packet = from > record->min_number ? from : record->min_number;
         *packet <= record->max_number; ++*packet) {
        uint64_t order = apitrace_walk_to(&walk, *packet)->order;

        if (order >= record->first && order < record->end)
            return 0;
    }
    return -ENOENT;
}

/* frames.tsv */

int apitrace_frame_count(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         uint64_t *rows)
{
    (void)key, (void)cancel;
    *rows = apitrace_index_of(dump)->follow.frames;
    return 0;
}

static void add_frame(const struct apitrace_index *index,
                      const struct apitrace_presented_frame *presented, uint64_t number,
                      struct text *text)
{
    const struct apitrace_frame_record *frame = &index->frames[number];
    bool finished = frame->function != APITRACE_NO_FUNCTION;

    text_add_u64(text, number);
    text_cell(text, apitrace_index_listed(index, frame->first));
    text_cell(text, apitrace_index_listed(index, frame->end - 1));
    text_add(text, "\t-");
    text_cell_or_none(text, presented->width > 0, presented->width);
    text_cell_or_none(text, presented->width > 0, presented->height);
    text_cell(text, frame->end - frame->first);
    text_cell(text, frame->hidden);
    text_cell(text, frame->draws);
    text_cell(text, frame->bytes);
    apitrace_cell_function(
        text, finished ? apitrace_function_at(&index->definitions, frame->function) : NULL);
    text_add(text, finished ? "\tfinished\n" : "\tunfinished\n");
}

int apitrace_frame_rows(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                        const struct cancel *cancel, struct text *text)
{
    const struct apitrace_presentation *presentation;
    int status = apitrace_dump_presentation(dump, cancel, &presentation);

    (void)key;
    for (uint64_t n = first; n < end && status == 0; n++)
        add_frame(apitrace_index_of(dump), &presentation->frames[n], n, text);
    return status;
}

/* info.txt */

/* Appends the picture's size, and what the size is based on. */
static void add_presented(const struct apitrace_presented_frame *presented, struct text *text)
{
    static const char *const sources[] = {[APITRACE_SIZED_NOT] = "nothing, it is assumed",
                                          [APITRACE_SIZED_BY_VIEWPORTS] = "viewports",
                                          [APITRACE_SIZED_BY_ATTRIBUTES] = "attributes"};

    if (presented->drawable == APITRACE_NO_DRAWABLE) {
        text_add(text, "width: -\nheight: -\nsize_from: -\ndrawn_from: -\n");
        return;
    }
    text_field(text, "width", "%u", presented->width);
    text_field(text, "height", "%u", presented->height);
    text_field(text, "size_from", "%s", sources[presented->sized]);
    text_field(text, "drawn_from", "%u", presented->base);
}

int apitrace_frame_info(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        struct text *text)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct apitrace_frame_record *record = &index->frames[frame];
    bool finished = record->function != APITRACE_NO_FUNCTION;
    const struct apitrace_presentation *presentation;
    int status = apitrace_dump_presentation(dump, cancel, &presentation);

    if (status < 0)
        return status;
    text_field(text, "first_packet", "%llu",
               (unsigned long long)apitrace_index_listed(index, record->first));
    text_field(text, "last_packet", "%llu",
               (unsigned long long)apitrace_index_listed(index, record->end - 1));
    text_field(text, "calls", "%llu", (unsigned long long)(record->end - record->first));
    text_field(text, "hidden", "%u", record->hidden);
    text_field(text, "draws", "%u", record->draws);
    text_field(text, "bytes", "%llu", (unsigned long long)record->bytes);
    text_add(text, "end: ");
    if (finished) {
        const struct apitrace_function *function =
            apitrace_function_at(&index->definitions, record->function);

        text_add_escaped(text, function->name.bytes, function->name.shown);
    } else {
        text_add_char(text, '-');
    }
    text_field(text, "\nstatus", "%s", finished ? "finished" : "unfinished");
    add_presented(&presentation->frames[frame], text);
    return 0;
}

/* summary.txt */

/* Counts of a frame's calls, by what they do. */
struct summary {
    uint64_t calls, hidden, fake, incomplete, draws, clears, targets, markers, errors;
    uint64_t programs, compiles, links, texture_uploads, texture_bytes, buffer_uploads,
        buffer_bytes, mapped_writes, mapped_bytes, readbacks, blobs, blob_bytes, threads;
    uint64_t *functions; /* number of calls of each function */
    uint8_t *seen;       /* a bit for each thread */
};

enum { THREADS_SEEN = APITRACE_ID_MAX / 8 };

/* Counts the blobs of a call, and returns their bytes. */
static uint64_t count_blobs(const struct apitrace_index *index, uint64_t number,
                            struct summary *summary)
{
    uint64_t bytes = 0;

    for (uint64_t n = apitrace_index_blobs(index, number);
         n < index->blob_count && index->blobs[n].number == number; n++) {
        bytes += index->blobs[n].size;
        summary->blobs++;
    }
    summary->blob_bytes += bytes;
    return bytes;
}

static void count_bytes(bool counts, uint64_t bytes, uint64_t *calls, uint64_t *sum)
{
    *calls += counts;
    *sum += counts ? bytes : 0;
}

static void count_semantic(struct summary *summary, unsigned semantic, uint64_t bytes)
{
    bool texture = semantic == APITRACE_TEX_IMAGE || semantic == APITRACE_TEX_SUB_IMAGE ||
                   semantic == APITRACE_TEX_COMPRESSED || semantic == APITRACE_TEX_COMPRESSED_SUB;

    summary->programs += semantic == APITRACE_USE_PROGRAM;
    summary->compiles += semantic == APITRACE_COMPILE;
    summary->links += semantic == APITRACE_LINK;
    summary->readbacks += semantic == APITRACE_READBACK || semantic == APITRACE_READ_PIXELS;
    summary->clears += semantic == APITRACE_CLEAR || semantic == APITRACE_CLEAR_BUFFER ||
                       semantic == APITRACE_CLEAR_NAMED;
    count_bytes(texture, bytes, &summary->texture_uploads, &summary->texture_bytes);
    count_bytes(semantic == APITRACE_BUFFER_UPLOAD, bytes, &summary->buffer_uploads,
                &summary->buffer_bytes);
    count_bytes(semantic == APITRACE_MAPPED_WRITE, bytes, &summary->mapped_writes,
                &summary->mapped_bytes);
}

static void count_call(const struct apitrace_index *index, const struct apitrace_record *record,
                       struct summary *summary)
{
    const struct apitrace_function *function = apitrace_index_function(index, record);
    uint8_t *seen = &summary->seen[record->thread / 8];
    uint8_t bit = (uint8_t)(1U << record->thread % 8);

    summary->calls++;
    summary->hidden += (record->marks & APITRACE_HIDDEN) != 0;
    summary->fake += (record->marks & APITRACE_FAKE) != 0;
    summary->incomplete += (record->marks & APITRACE_INCOMPLETE) != 0;
    summary->draws += (function->classes & APITRACE_RENDER) != 0;
    summary->targets += (function->classes & APITRACE_RENDER_TARGET) != 0;
    summary->markers += (function->classes & APITRACE_MARKER) != 0;
    summary->errors += function->semantic == APITRACE_GET_ERROR &&
                       record->leave != APITRACE_NO_LEAVE && (record->marks & APITRACE_HIDDEN) == 0;
    summary->threads += (*seen & bit) == 0;
    *seen |= bit;
    summary->functions[function->number]++;
    count_semantic(summary, function->semantic, count_blobs(index, record->number, summary));
}

struct histogram_row {
    uint64_t calls;
    const struct apitrace_function *function;
};

/* The most frequent first, then in the order of definition. */
static int compare_rows(const void *a, const void *b)
{
    const struct histogram_row *left = a, *right = b;

    if (left->calls != right->calls)
        return left->calls > right->calls ? -1 : 1;
    return left->function->number < right->function->number ? -1 : 1;
}

static int add_histogram(const struct apitrace_index *index, const struct summary *summary,
                         struct text *text)
{
    struct histogram_row *rows;
    size_t count = 0;

    rows = calloc(index->definitions.functions.count + 1, sizeof(*rows));
    if (rows == NULL)
        return -ENOMEM;
    for (uint32_t n = 0; n < index->definitions.functions.count; n++)
        if (summary->functions[n] > 0)
            rows[count++] = (struct histogram_row){summary->functions[n],
                                                   apitrace_function_at(&index->definitions, n)};
    qsort(rows, count, sizeof(*rows), compare_rows);
    for (size_t n = 0; n < count; n++) {
        text_add(text, "function ");
        text_add_escaped(text, rows[n].function->name.bytes, rows[n].function->name.shown);
        text_field(text, "", "%llu", (unsigned long long)rows[n].calls);
    }
    free(rows);
    return 0;
}

static void add_counts(const struct summary *summary, struct text *text)
{
    const struct {
        const char *key;
        uint64_t value;
    } rows[] = {
        {"calls", summary->calls},
        {"hidden_calls", summary->hidden},
        {"fake_calls", summary->fake},
        {"incomplete_calls", summary->incomplete},
        {"threads", summary->threads},
        {"draws", summary->draws},
        {"clears", summary->clears},
        {"render_target_switches", summary->targets},
        {"program_switches", summary->programs},
        {"shaders_compiled", summary->compiles},
        {"programs_linked", summary->links},
        {"texture_uploads", summary->texture_uploads},
        {"texture_upload_bytes", summary->texture_bytes},
        {"buffer_uploads", summary->buffer_uploads},
        {"buffer_upload_bytes", summary->buffer_bytes},
        {"mapped_writes", summary->mapped_writes},
        {"mapped_write_bytes", summary->mapped_bytes},
        {"readbacks", summary->readbacks},
        {"blobs", summary->blobs},
        {"blob_bytes", summary->blob_bytes},
        {"markers", summary->markers},
        {"gl_errors", summary->errors},
    };

    for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
        text_field(text, rows[n].key, "%llu", (unsigned long long)rows[n].value);
}

static int count_calls(const struct apitrace_index *index, uint64_t key,
                       const struct cancel *cancel, struct summary *summary)
{
    const struct apitrace_frame_record *frame = &index->frames[key];
    struct apitrace_walk walk;

    apitrace_walk_init(&walk, &index->calls);
    for (uint64_t order = frame->first; order < frame->end; order++) {
        if (order % 4096 == 0 && cancel_requested(cancel))
            return -EINTR;
        count_call(index, apitrace_walk_to(&walk, apitrace_index_listed(index, order)), summary);
    }
    return 0;
}

int apitrace_summary_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct blob **out)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    struct summary summary = {0};
    struct text text = TEXT_INIT;
    int status = -ENOMEM;

    summary.functions = calloc(index->definitions.functions.count + 1, sizeof(*summary.functions));
    summary.seen = calloc(THREADS_SEEN, 1);
    if (summary.functions != NULL && summary.seen != NULL)
        status = count_calls(index, frame, cancel, &summary);
    if (status == 0) {
        add_counts(&summary, &text);
        status = add_histogram(index, &summary, &text);
    }
    if (status == 0)
        status = text_blob(&text, out);
    text_clear(&text);
    free(summary.functions);
    free(summary.seen);
    return status;
}
