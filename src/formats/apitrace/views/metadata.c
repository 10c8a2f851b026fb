#include "formats/apitrace/views/metadata.h"

#include "formats/apitrace/decode/gl_semantics.h"
#include "formats/apitrace/index/call.h"
#include "tree/tables.h"

#include <errno.h>
#include <stdlib.h>

/* Metadata. */

enum { STRINGS_LOOKED_AT = 1024, KEY_NAME_MAX = 128, TEXT_MAX = 4096 };

static void add_properties(const struct apitrace_index *index, struct metadata *out)
{
    for (uint64_t n = 0; n < index->property_count; n++) {
        const struct apitrace_property *property = &index->properties[n];
        struct text key = TEXT_INIT;

        text_add(&key, "property.");
        text_add_escaped(&key, property->name.bytes,
                         property->name.shown < KEY_NAME_MAX ? property->name.shown
                                                             : (uint32_t)KEY_NAME_MAX);
        text_add_char(&key, '\0');
        if (text_status(&key) == 0)
            metadata_add_list(out, key.bytes);
        if (text_status(&key) == 0)
            metadata_add_bytes(out, key.bytes, property->value.bytes, property->value.length);
        else
            metadata_fail(out, text_status(&key));
        text_clear(&key);
    }
}

/* What glGetString told of the machine that was traced. */
static const struct gl_string {
    int64_t name;
    const char *key;
} gl_strings[] = {{0x1F00, "vendor"}, {0x1F01, "renderer"}, {0x1F02, "gl_version"}};

enum { GL_STRINGS = sizeof(gl_strings) / sizeof(gl_strings[0]) };

/* Keeps the string that a call returned, once a name; true if it is one that is wanted. */
static bool keep_gl_string(struct apitrace_call *call, struct text found[GL_STRINGS],
                           bool is_found[GL_STRINGS])
{
    int64_t name = apitrace_call_integer(call, 0, 0);
    char bytes[TEXT_MAX];
    struct apitrace_value value;

    for (unsigned n = 0; n < GL_STRINGS; n++) {
        if (gl_strings[n].name != name || is_found[n] || call->result == 0)
            continue;
        apitrace_reader_seek(&call->reader, call->result);
        apitrace_read_value(&call->reader, call->definitions, &value);
        if (value.type != APITRACE_STRING)
            return false;
        if (value.number > sizeof(bytes))
            value.number = sizeof(bytes);
        if (!apitrace_read_bytes(&call->reader, bytes, (size_t)value.number))
            return false;
        text_add_bytes(&found[n], bytes, (size_t)value.number);
        is_found[n] = true;
        return true;
    }
    return false;
}

/* `count`: how many of those calls are known. */
static int add_gl_strings(const struct apitrace_index *index, uint64_t count,
                          const struct cancel *cancel, struct metadata *out)
{
    const struct apitrace_notes *notes = &index->notes[APITRACE_NOTE_STRINGS];
    struct text found[GL_STRINGS] = {TEXT_INIT};
    bool is_found[GL_STRINGS] = {false};
    unsigned missing = GL_STRINGS;
    struct apitrace_call call;
    int status = 0;

    apitrace_call_init(&call, index, cancel);
    for (uint64_t n = 0; n < count && n < STRINGS_LOOKED_AT && missing > 0; n++) {
        status = apitrace_call_read(&call, notes->numbers[n]);
        if (status < 0)
            break;
        missing -= keep_gl_string(&call, found, is_found);
    }
    apitrace_call_clear(&call);
    for (unsigned n = 0; n < GL_STRINGS; n++) {
        if (is_found[n])
            metadata_add_text(out, gl_strings[n].key, &found[n]);
        else
            metadata_add_none(out, gl_strings[n].key);
        text_clear(&found[n]);
    }
    return status == -EINTR || status == -ENOMEM ? status : 0;
}

static void add_known(struct metadata *out, const char *key, bool known, uint64_t value)
{
    if (known)
        metadata_add_u64(out, key, value);
    else
        metadata_add_none(out, key);
}

int apitrace_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct source *source = dump->source;
    bool grows = apitrace_index_grows(index), headed = index->shown.headed;
    struct apitrace_totals totals = apitrace_index_totals(index);
    struct tables_totals shown = {
        .packets = totals.packets,
        .frames = index->shown.frames,
        .unfinished = !grows && index->shown.frames > index->finished_frames,
        .duration = -1,
    };
    int status;

    metadata_add(out, "format", "apitrace");
    add_known(out, "version", headed || !grows, index->version);
    metadata_add(out, "container", "%s", apitrace_stream_container(&index->stream));
    metadata_add_bytes(out, "source", source_basename(source), strlen(source_basename(source)));
    metadata_add_u64(out, "size", source_file_size(source));
    metadata_add_u64(out, "expanded_size", grows ? totals.end : index->stream.size);
    status = tables_totals(dump, &shown, cancel, out);
    if (status < 0)
        return status;
    add_known(out, "semantic_version", headed || !grows, index->semantic_version);
    metadata_add(out, "api", "%s", apitrace_api_name(totals.api));
    metadata_add_u64(out, "hidden_calls", totals.hidden);
    metadata_add_u64(out, "fake_calls", totals.fake);
    metadata_add_u64(out, "incomplete_calls", totals.incomplete);
    metadata_add_u64(out, "threads", totals.threads);
    metadata_add_u64(out, "functions", totals.functions);
    /* They come with the end, and so does their number. */
    add_known(out, "blobs", !grows, index->blob_count);
    metadata_add_u64(out, "gl_errors", totals.notes[APITRACE_NOTE_ERRORS]);
    if (headed || !grows)
        add_properties(index, out);
    return add_gl_strings(index, totals.notes[APITRACE_NOTE_STRINGS], cancel, out);
}

/* Frames. */

/* The picture's size, and who told it. */
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

/* A follower is taken along, if it is not too far already; another begins anew. */
static int take_follower(struct apitrace_dump *dump, uint64_t order, struct apitrace_follower **out)
{
    pthread_mutex_lock(&dump->state_lock);
    *out = dump->follower;
    dump->follower = NULL;
    pthread_mutex_unlock(&dump->state_lock);
    if (*out != NULL && apitrace_follower_place(*out) > order)
        apitrace_follower_destroy(out);
    return *out != NULL ? 0 : apitrace_follower_create(&dump->index, out);
}

static void park_follower(struct apitrace_dump *dump, struct apitrace_follower *follower)
{
    pthread_mutex_lock(&dump->state_lock);
    if (dump->follower == NULL) {
        dump->follower = follower;
        follower = NULL;
    }
    pthread_mutex_unlock(&dump->state_lock);
    apitrace_follower_destroy(&follower);
}

int apitrace_frame_state(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct text *text)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);
    uint64_t end = apitrace->index.frames[frame].end;
    struct apitrace_follower *follower = NULL;
    int status = take_follower(apitrace, end, &follower);

    if (status == 0)
        status = apitrace_follower_go(follower, end, cancel);
    if (status == 0)
        status = apitrace_follower_write(follower, cancel, text);
    if (status == 0)
        park_follower(apitrace, follower);
    else
        apitrace_follower_destroy(&follower);
    return status;
}

/* A frame's calls, counted by what they are. */
struct summary {
    uint64_t calls, hidden, fake, incomplete, draws, clears, targets, markers, errors;
    uint64_t programs, compiles, links, texture_uploads, texture_bytes, buffer_uploads,
        buffer_bytes, mapped_writes, mapped_bytes, readbacks, blobs, blob_bytes, threads;
    uint64_t *functions; /* calls of each */
    uint8_t *seen;       /* threads, a bit each */
};

enum { THREADS_SEEN = APITRACE_ID_MAX / 8 };

/* The bytes of a call's blobs, and how many. */
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

static void count_semantic(struct summary *summary, enum apitrace_gl_semantic semantic,
                           uint64_t bytes)
{
    switch (semantic) {
    case APITRACE_USE_PROGRAM:
        summary->programs++;
        break;
    case APITRACE_COMPILE:
        summary->compiles++;
        break;
    case APITRACE_LINK:
        summary->links++;
        break;
    case APITRACE_TEX_IMAGE:
    case APITRACE_TEX_SUB_IMAGE:
    case APITRACE_TEX_COMPRESSED:
    case APITRACE_TEX_COMPRESSED_SUB:
        summary->texture_uploads++;
        summary->texture_bytes += bytes;
        break;
    case APITRACE_BUFFER_UPLOAD:
        summary->buffer_uploads++;
        summary->buffer_bytes += bytes;
        break;
    case APITRACE_MAPPED_WRITE:
        summary->mapped_writes++;
        summary->mapped_bytes += bytes;
        break;
    case APITRACE_READBACK:
    case APITRACE_READ_PIXELS:
        summary->readbacks++;
        break;
    case APITRACE_CLEAR:
    case APITRACE_CLEAR_BUFFER:
        summary->clears++;
        break;
    default:
        break;
    }
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

/* Most frequent first, then by the order of their definition. */
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

int apitrace_summary_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    struct summary summary = {0};
    struct text text = TEXT_INIT;
    int status = -ENOMEM;

    summary.functions = calloc(index->definitions.functions.count + 1, sizeof(*summary.functions));
    summary.seen = calloc(THREADS_SEEN, 1);
    if (summary.functions != NULL && summary.seen != NULL)
        status = count_calls(index, key, cancel, &summary);
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
