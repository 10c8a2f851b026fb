/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/kept_index.h"

#include "base/bytes.h"
#include "base/log.h"
#include "formats/apitrace/index/lister.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

/* A hash of the sources that make an index: made by make. */
extern const char apitrace_index_build[];

/* What stands before the rest. */
struct head {
    uint64_t size, header_size; /* of the stream */
    uint64_t end, listed, runs, blobs, errors, frames, definitions;
};

/* What is kept beside the index's own arrays, and needed until all has been listed again. */
struct kept {
    struct head head;
    struct apitrace_run *runs;
    uint32_t *errors;      /* calls, in the order of the listing */
    uint64_t *frame_bytes; /* of each frame */
};

static const struct kept_field run_fields[] = {
    KEPT_FIELD(struct apitrace_run, order, UINT32_MAX),
    KEPT_FIELD(struct apitrace_run, number, UINT32_MAX),
};

static const struct kept_field blob_fields[] = {
    KEPT_FIELD(struct apitrace_blob, position, UINT64_MAX),
    KEPT_FIELD(struct apitrace_blob, size, UINT64_MAX),
    KEPT_FIELD(struct apitrace_blob, number, UINT32_MAX),
    KEPT_FIELD(struct apitrace_blob, argument, UINT32_MAX),
    KEPT_FIELD(struct apitrace_blob, ordinal, UINT32_MAX),
};

enum space { FUNCTIONS, STRUCTS, ENUMS, BITMASKS, FRAMES, SPACES };

static const struct apitrace_space *space_of(const struct apitrace_definitions *definitions,
                                             enum space space)
{
    const struct apitrace_space *const spaces[SPACES] = {
        [FUNCTIONS] = &definitions->functions, [STRUCTS] = &definitions->structs,
        [ENUMS] = &definitions->enums,         [BITMASKS] = &definitions->bitmasks,
        [FRAMES] = &definitions->frames,
    };

    return spaces[space];
}

/* Writing. */

/* As it stands in the trace, behind its id. */
static int write_definition(struct apitrace_reader *reader, enum space space,
                            const struct apitrace_definition *definition,
                            struct kept_writer *writer)
{
    const uint8_t *bytes;

    kept_write_number(writer, space);
    kept_write_number(writer, definition->id);
    kept_write_number(writer, definition->position);
    kept_write_number(writer, definition->bytes);
    apitrace_reader_seek(reader, definition->position);
    for (uint64_t left = definition->bytes; left > 0 && writer->status == 0;) {
        size_t some = apitrace_read_some(reader, left, &bytes);

        if (some == 0)
            return apitrace_reader_error(reader);
        kept_write(writer, bytes, some);
        left -= some;
    }
    return 0;
}

/* In the order in which they were met, over all spaces. */
static int write_definitions(const struct apitrace_index *index, struct kept_writer *writer)
{
    const struct apitrace_definitions *definitions = &index->definitions;
    uint32_t next[SPACES] = {0};
    struct apitrace_reader reader;
    int status = 0;

    apitrace_reader_init(&reader, &index->stream, NULL);
    for (uint32_t serial = 0; serial < definitions->count && status == 0; serial++)
        for (enum space space = 0; space < SPACES && status == 0; space++) {
            const struct apitrace_space *list = space_of(definitions, space);
            const struct apitrace_definition *definition =
                next[space] < list->count ? list->list[next[space]] : NULL;

            if (definition == NULL || definition->serial != serial)
                continue;
            status = write_definition(&reader, space, definition, writer);
            next[space]++;
        }
    apitrace_reader_clear(&reader);
    return status;
}

int apitrace_kept_index_write(struct apitrace_index *index, struct kept_writer *writer)
{
    const struct apitrace_notes *errors = &index->notes[APITRACE_NOTE_ERRORS];
    const struct head head = {.size = index->stream.size,
                              .header_size = index->header_size,
                              .end = index->end,
                              .listed = index->listed,
                              .runs = index->run_count,
                              .blobs = index->blob_count,
                              .errors = errors->count,
                              .frames = index->frame_count,
                              .definitions = index->definitions.count};

    kept_write(writer, &head, sizeof(head));
    kept_write_rows(writer, index->runs, sizeof(*index->runs), head.runs, KEPT_FIELDS(run_fields));
    kept_write(writer, errors->numbers, errors->count * sizeof(*errors->numbers));
    for (uint64_t n = 0; n < head.frames; n++)
        kept_write_number(writer, index->frames[n].bytes);
    kept_write_rows(writer, index->blobs, sizeof(*index->blobs), head.blobs,
                    KEPT_FIELDS(blob_fields));
    apitrace_calls_keep(&index->calls, writer);
    return write_definitions(index, writer);
}

/* Reading. */

static void read_head(const struct apitrace_index *index, struct kept *kept,
                      struct kept_reader *reader)
{
    struct head *head = &kept->head;

    kept_read(reader, head, sizeof(*head));
    if (head->size != index->stream.size || head->header_size != index->header_size ||
        head->end > head->size || head->end < head->header_size || head->listed > UINT32_MAX ||
        head->runs > head->listed || head->errors > head->listed || head->frames > head->listed)
        kept_reader_refuse(reader);
}

static void read_arrays(struct apitrace_index *index, struct kept *kept, struct kept_reader *reader)
{
    const struct head *head = &kept->head;

    kept->runs = kept_read_array(reader, head->runs, sizeof(*kept->runs));
    kept->errors = kept_read_array(reader, head->errors, sizeof(*kept->errors));
    kept->frame_bytes = kept_read_array(reader, head->frames, sizeof(*kept->frame_bytes));
    index->blobs = kept_read_array(reader, head->blobs, sizeof(*index->blobs));
    if (reader->status != 0)
        return;
    index->blob_count = head->blobs;
    index->blob_room = head->blobs + 1;
    index->memory.taken += index->blob_room * sizeof(*index->blobs);
    kept_read_rows(reader, kept->runs, sizeof(*kept->runs), head->runs, KEPT_FIELDS(run_fields));
    kept_read(reader, kept->errors, head->errors * sizeof(*kept->errors));
    kept_read(reader, kept->frame_bytes, head->frames * sizeof(*kept->frame_bytes));
    kept_read_rows(reader, index->blobs, sizeof(*index->blobs), head->blobs,
                   KEPT_FIELDS(blob_fields));
}

/* Reads the id and the definition that `fed` feeds, and adds it. */
static void define(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                   enum space space)
{
    if (space == FUNCTIONS)
        (void)apitrace_read_function(reader, definitions);
    else if (space == STRUCTS)
        (void)apitrace_read_struct(reader, definitions);
    else if (space == ENUMS)
        (void)apitrace_read_enum(reader, definitions);
    else if (space == BITMASKS)
        (void)apitrace_read_bitmask(reader, definitions);
    else
        (void)apitrace_read_frame(reader, definitions);
}

static size_t put_number(uint8_t *to, uint64_t number)
{
    size_t size = 0;

    for (; number >= 0x80; number >>= 7)
        to[size++] = (uint8_t)(number | 0x80);
    to[size++] = (uint8_t)number;
    return size;
}

/* Bytes of the trace behind an id, as if they were read there for the first time; false: wrong. */
static bool define_from(struct apitrace_index *index, enum space space,
                        const struct apitrace_definition *told, uint8_t *bytes, size_t id_size)
{
    struct apitrace_definitions *definitions = &index->definitions;
    uint32_t before = definitions->count;
    struct apitrace_stream fed = {.size = told->position + told->bytes,
                                  .fed = bytes,
                                  .fed_at = told->position - id_size,
                                  .fed_size = id_size + told->bytes};
    struct apitrace_reader reader;
    bool is_right;

    apitrace_reader_init(&reader, &fed, NULL);
    reader.defines = true;
    apitrace_reader_seek(&reader, fed.fed_at);
    define(&reader, definitions, space);
    is_right = reader.status == 0 && definitions->count == before + 1 &&
               apitrace_reader_position(&reader) == fed.size;
    apitrace_reader_clear(&reader);
    return is_right;
}

static void read_definition(struct apitrace_index *index, struct kept_reader *reader)
{
    enum { ID_ROOM = 16 };
    enum space space = (enum space)kept_read_number(reader, SPACES - 1);
    struct apitrace_definition told = {0};
    uint8_t *bytes = NULL;
    size_t id_size;

    told.id = (uint32_t)kept_read_number(reader, APITRACE_ID_MAX - 1);
    told.position = kept_read_number(reader, index->stream.size);
    told.bytes = kept_read_number(reader, index->stream.size);
    if (reader->status == 0 && told.bytes <= kept_reader_left(reader))
        bytes = malloc((size_t)told.bytes + ID_ROOM);
    if (bytes == NULL) {
        kept_reader_refuse(reader);
        return;
    }
    id_size = put_number(bytes, told.id);
    kept_read(reader, bytes + id_size, (size_t)told.bytes);
    if (reader->status != 0 || told.position < id_size ||
        !bytes_inside(told.position, told.bytes, index->stream.size) ||
        !define_from(index, space, &told, bytes, id_size))
        kept_reader_refuse(reader);
    free(bytes);
}

/* Looking at what was read. */

/* Whether a call's events stand in the trace, and its function is known if it is listed. */
static bool is_record(const struct apitrace_index *index, const struct apitrace_record *record)
{
    bool is_listed = record->order != APITRACE_NO_ORDER;

    return bytes_inside(record->enter, record->enter_bytes, index->stream.size) &&
           (record->leave == APITRACE_NO_LEAVE ||
            bytes_inside(record->leave, record->leave_bytes, index->stream.size)) &&
           (record->function < index->definitions.functions.count ||
            (record->function == APITRACE_NO_FUNCTION && !is_listed)) &&
           record->thread < APITRACE_ID_MAX;
}

/*
 * Whether all records but `listed` have no place in the listing, and are such. The listed ones are
 * looked at when they are listed.
 */
static bool are_others(const struct apitrace_index *index, uint64_t listed)
{
    uint64_t others = index->calls.count - listed;
    struct apitrace_walk walk;

    if (listed > index->calls.count)
        return false;
    apitrace_walk_init(&walk, &index->calls);
    for (uint64_t n = 0; n < index->calls.count && others > 0; n++) {
        const struct apitrace_record *record = apitrace_walk_to(&walk, n);

        if (record->order != APITRACE_NO_ORDER)
            continue;
        if (!is_record(index, record))
            return false;
        others--;
    }
    return others == 0;
}

/* Blobs of listed calls, in their order and numbered in it. */
static bool are_blobs(const struct apitrace_index *index)
{
    struct apitrace_walk walk;

    apitrace_walk_init(&walk, &index->calls);
    for (uint64_t n = 0; n < index->blob_count; n++) {
        const struct apitrace_blob *blob = &index->blobs[n], *before = n > 0 ? blob - 1 : NULL;
        bool same = before != NULL && before->number == blob->number;

        if (!bytes_inside(blob->position, blob->size, index->stream.size) ||
            blob->number >= index->calls.count ||
            (before != NULL && before->number > blob->number) ||
            blob->ordinal != (same ? before->ordinal + 1 : 0) ||
            apitrace_walk_to(&walk, blob->number)->order == APITRACE_NO_ORDER)
            return false;
    }
    return true;
}

/* What calls are listed from, one run after the other. */
struct again {
    struct apitrace_index *index;
    const struct kept *kept;
    struct apitrace_lister lister;
    struct apitrace_walk walk;
    uint64_t error, frame; /* the next of them */
};

static bool is_error(struct again *again, const struct apitrace_function *function, uint64_t number)
{
    const struct kept *kept = again->kept;

    if (again->error == kept->head.errors || kept->errors[again->error] != number ||
        function->semantic != APITRACE_GET_ERROR)
        return false;
    again->error++;
    return true;
}

/* Frames tell by themselves how many there are; how long they are in the trace is kept. */
static bool take_frame_bytes(struct again *again)
{
    const struct kept *kept = again->kept;

    if (again->frame == kept->head.frames ||
        kept->frame_bytes[again->frame] > again->index->stream.size)
        return false;
    again->index->frames[again->frame].bytes = kept->frame_bytes[again->frame];
    again->frame++;
    return true;
}

static bool list_one(struct again *again, uint64_t number)
{
    struct apitrace_index *index = again->index;
    struct apitrace_record record = *apitrace_walk_to(&again->walk, number);
    struct apitrace_listed listed = {.record = &record};

    if (record.order != index->listed || !is_record(index, &record))
        return false;
    listed.function = apitrace_function_at(&index->definitions, record.function);
    listed.is_error = is_error(again, listed.function, number);
    return apitrace_lister_add(&again->lister, &listed) == 0 &&
           (!again->lister.frame_ended || take_frame_bytes(again));
}

static bool list_run(struct again *again, uint64_t run)
{
    const struct head *head = &again->kept->head;
    const struct apitrace_run *first = &again->kept->runs[run];
    uint64_t end = run + 1 < head->runs ? first[1].order : head->listed;

    if (first->order != again->index->listed || end <= first->order || end > head->listed ||
        first->number + (end - first->order) > again->index->calls.count)
        return false;
    for (uint64_t n = 0; n < end - first->order; n++)
        if (!list_one(again, first->number + n))
            return false;
    return true;
}

static bool list_all(struct again *again)
{
    struct apitrace_index *index = again->index;
    const struct head *head = &again->kept->head;

    for (uint32_t n = 0; n < index->definitions.functions.count; n++)
        if (apitrace_lister_meet(&again->lister, apitrace_function_at(&index->definitions, n)) != 0)
            return false;
    for (uint64_t run = 0; run < head->runs; run++)
        if (!list_run(again, run))
            return false;
    apitrace_lister_end(&again->lister, 0);
    apitrace_lister_order_threads(&again->lister);
    if (again->frame < index->frame_count && !take_frame_bytes(again))
        return false;
    return index->listed == head->listed && again->error == head->errors &&
           again->frame == head->frames && index->frame_count == head->frames;
}

/* What follows from calls and their order. */
static bool list_again(struct apitrace_index *index, const struct kept *kept)
{
    struct again again = {.index = index, .kept = kept};
    bool is_right = apitrace_lister_init(&again.lister, index) == 0;

    apitrace_walk_init(&again.walk, &index->calls);
    if (is_right)
        is_right = list_all(&again);
    apitrace_lister_clear(&again.lister);
    return is_right && index->memory.taken + index->calls.memory.taken <= index->params.max_memory;
}

static int read_all(struct apitrace_index *index, struct kept *kept, struct kept_reader *reader)
{
    int status;

    read_head(index, kept, reader);
    if (reader->status == 0)
        read_arrays(index, kept, reader);
    if (reader->status == 0)
        apitrace_calls_restore(&index->calls, index->params.max_memory, reader);
    for (uint64_t n = 0; n < kept->head.definitions && reader->status == 0; n++)
        read_definition(index, reader);
    status = kept_reader_end(reader);
    if (status == 0 &&
        (!are_others(index, kept->head.listed) || !list_again(index, kept) || !are_blobs(index)))
        status = -EBADMSG;
    index->end = kept->head.end;
    return status;
}

int apitrace_kept_index_read(struct apitrace_index *index, struct kept_reader *reader)
{
    struct kept kept = {0};
    int status = read_all(index, &kept, reader), again;

    free(kept.runs);
    free(kept.errors);
    free(kept.frame_bytes);
    if (status == 0)
        return 0;
    again = apitrace_index_forget(index);
    return again < 0 ? again : status;
}

/* Files. */

void apitrace_kept_index_key(const struct apitrace_index *index, struct kept_key *out)
{
    struct text maker = TEXT_INIT;

    text_printf(&maker, "apitrace index %s max-memory=", apitrace_index_build);
    text_add_u64(&maker, index->params.max_memory);
    kept_key_make(index->params.source, maker.bytes, maker.length, out);
    text_clear(&maker);
}

static int tell(const struct apitrace_index *index, const char *what, int status)
{
    if (status != 0 && status != -ENOENT && status != -ENOTSUP)
        log_write(LOG_INFO, "the kept index of %s is not %s: %s",
                  source_basename(index->params.source), what,
                  status == -EBADMSG ? "damaged" : strerror(-status));
    return status;
}

int apitrace_kept_index_load(struct apitrace_index *index)
{
    struct kept_reader reader;
    struct kept_key key;
    int status;

    apitrace_kept_index_key(index, &key);
    status = kept_reader_begin(&reader, index->params.source, &key);
    if (status == 0)
        status = apitrace_kept_index_read(index, &reader);
    else
        (void)kept_reader_end(&reader);
    if (status == 0)
        log_write(LOG_INFO, "the index was kept: %" PRIu64 " calls", index->calls.count);
    return tell(index, "used", status);
}

int apitrace_kept_index_save(struct apitrace_index *index)
{
    struct kept_writer writer;
    struct kept_key key;
    int file, status, written;

    apitrace_kept_index_key(index, &key);
    kept_writer_begin(&writer, kept_file_max(index->params.source->size));
    written = apitrace_kept_index_write(index, &writer);
    file = kept_writer_take(&writer);
    status = file < 0 ? file : written;
    if (status == 0)
        status = kept_file_replace(index->params.source, &key, file);
    if (file >= 0)
        close(file);
    return tell(index, "written", status);
}
