/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/cut/cut.h"

#include "base/array.h"
#include "base/cancellable_mutex.h"
#include "formats/aerogpu/cut/restore.h"

#include <errno.h>
#include <stdlib.h>

enum { CHUNKS = 26, FIRST_CHUNK = 64, MADE_BLOBS = 2, WALKS = 4 };

/*
 * Several walks remain where they were last needed, so that readers of several cuts do not force
 * each other to begin again. The sizes of cuts are in chunks that never move, each twice as long as
 * the one before.
 */
struct aerogpu_cutter {
    struct cancellable_mutex turn;
    struct aerogpu_initial *walks[WALKS]; /* NULL if the walk has not begun */
    uint64_t used[WALKS], uses;           /* when each was used last, as a count of `uses` */
    uint64_t *sizes[CHUNKS];
    _Atomic uint32_t known; /* number of frames whose sizes are known */
};

int aerogpu_cutter_create(struct aerogpu_cutter **out)
{
    struct aerogpu_cutter *cutter = calloc(1, sizeof(*cutter));

    if (cutter == NULL)
        return -ENOMEM;
    cancellable_mutex_init(&cutter->turn);
    *out = cutter;
    return 0;
}

static void forget_walk(struct aerogpu_initial **walk)
{
    if (*walk == NULL)
        return;
    aerogpu_initial_clear(*walk);
    free(*walk);
    *walk = NULL;
}

void aerogpu_cutter_destroy(struct aerogpu_cutter **cutter)
{
    if (*cutter == NULL)
        return;
    for (int i = 0; i < WALKS; i++)
        forget_walk(&(*cutter)->walks[i]);
    for (int i = 0; i < CHUNKS; i++)
        free((*cutter)->sizes[i]);
    cancellable_mutex_destroy(&(*cutter)->turn);
    free(*cutter);
    *cutter = NULL;
}

/* Some frames, and what they need from before. */
struct cut {
    const struct aerogpu_index *index;
    uint32_t first, last;
    bool replayed;     /* all blobs from before, except streams, are in the cut anyway */
    uint32_t *records; /* the blobs needed, ascending, each once */
    size_t count, room;
    uint64_t *ids; /* ids that the frames use */
    size_t id_count, id_room;
    struct aerogpu_toc_entry *entries; /* of the frames in the cut's table; may be NULL */
};

static void clear_cut(struct cut *cut)
{
    free(cut->records);
    free(cut->ids);
    free(cut->entries);
}

static int use_id(struct cut *cut, uint64_t id)
{
    int status = ARRAY_GROW(cut->ids, cut->id_count, cut->id_room);

    if (status == 0)
        cut->ids[cut->id_count++] = id;
    return status;
}

/* Notes a blob that a record of the frames names, unless the blob is in these frames itself. */
static int need(struct cut *cut, uint64_t id, uint32_t user)
{
    struct aerogpu_blob blob;
    uint32_t record = 0, frame = 0;
    int status = id != 0 ? use_id(cut, id) : 0;

    if (status != 0 || id == 0 || !aerogpu_index_blob(cut->index, id, user, &blob, &record))
        return status;
    frame = cut->index->places[record].frame;
    if ((frame >= cut->first && frame <= cut->last) ||
        (cut->replayed && blob.kind != AEROGPU_BLOB_STREAM))
        return 0;
    status = ARRAY_GROW(cut->records, cut->count, cut->room);
    if (status == 0)
        cut->records[cut->count++] = record;
    return status;
}

static int need_of_submission(struct cut *cut, const struct aerogpu_record *record, uint32_t number)
{
    struct aerogpu_submission submission;
    struct aerogpu_range range;
    int status = 0;

    if (!aerogpu_submission_read(record, &submission))
        return 0;
    status = need(cut, submission.stream_blob, number);
    if (status == 0)
        status = need(cut, submission.allocs_blob, number);
    for (uint32_t i = 0; status == 0 && i < submission.ranges; i++) {
        aerogpu_range_read(&submission, i, &range);
        status = need(cut, range.blob, number);
    }
    return status;
}

static int need_of_packet(struct cut *cut, const struct aerogpu_record *record, uint32_t number)
{
    struct aerogpu_command command;
    struct aerogpu_error error;
    int status = 0;

    if (aerogpu_packet_is_stream(record) ||
        !aerogpu_index_packet(cut->index, record, &command, &error) || command.type == NULL ||
        command.error != AEROGPU_OK || command.type->dialect != AEROGPU_APPENDIX_A)
        return 0;
    if (command.opcode == AEROGPU_A_UPLOAD_BUFFER)
        return need(cut, aerogpu_u64(&command, AEROGPU_AT_A_UPLOAD_BUFFER_BLOB), number);
    if (command.opcode != AEROGPU_A_CREATE_SHADER)
        return 0;
    status = need(cut, aerogpu_u64(&command, AEROGPU_AT_A_CREATE_SHADER_GLSL), number);
    if (status == 0)
        status = need(cut, aerogpu_u64(&command, AEROGPU_AT_A_CREATE_SHADER_WGSL), number);
    if (status == 0)
        status = need(cut, aerogpu_u64(&command, AEROGPU_AT_A_CREATE_SHADER_DXBC), number);
    return status;
}

static int need_of_record(struct cut *cut, uint32_t number)
{
    struct aerogpu_record record;
    struct aerogpu_blob blob;

    aerogpu_index_record(cut->index, number, &record);
    if (record.type == AEROGPU_RECORD_SUBMISSION)
        return need_of_submission(cut, &record, number);
    if (record.type == AEROGPU_RECORD_PACKET)
        return need_of_packet(cut, &record, number);
    if (record.type == AEROGPU_RECORD_BLOB && aerogpu_blob_read(&record, &blob))
        return use_id(cut, blob.id);
    return 0;
}

static int compare_records(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

    return left < right ? -1 : left > right;
}

static int compare_ids(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return left < right ? -1 : left > right;
}

static void sort_needs(struct cut *cut)
{
    size_t kept = 0;

    if (cut->count > 0)
        qsort(cut->records, cut->count, sizeof(*cut->records), compare_records);
    for (size_t i = 0; i < cut->count; i++)
        if (i == 0 || cut->records[i] != cut->records[i - 1])
            cut->records[kept++] = cut->records[i];
    cut->count = kept;
    if (cut->id_count > 0)
        qsort(cut->ids, cut->id_count, sizeof(*cut->ids), compare_ids);
}

/* Finds what the frames need. Returns 0, -EINTR or -ENOMEM. Call clear_cut() even if this fails. */
static int find_needs(const struct aerogpu_index *index, uint32_t first, uint32_t last,
                      bool replayed, const struct cancel *cancel, struct cut *out)
{
    int status = 0;

    *out = (struct cut){.index = index, .first = first, .last = last, .replayed = replayed};
    for (uint32_t i = first; i <= last; i++)
        for (uint32_t record = index->frames[i].first; status == 0 && record < index->frames[i].end;
             record++)
            status = cancel_requested(cancel) ? -EINTR : need_of_record(out, record);
    sort_needs(out);
    return status;
}

/* Gets the smallest ids that nothing in the frames uses. */
static void free_ids(const struct cut *cut, uint64_t ids[MADE_BLOBS])
{
    uint64_t id = 1;
    size_t at = 0;

    for (int i = 0; i < MADE_BLOBS; i++, id++) {
        for (; at < cut->id_count && cut->ids[at] <= id; at++)
            if (cut->ids[at] == id)
                id++;
        ids[i] = id;
    }
}

/* Writing. */

static void write_record(const struct cut *cut, uint32_t number, struct aerogpu_output *out)
{
    const uint8_t *bytes = cut->index->data + cut->index->places[number].offset;
    const uint32_t length = cut->index->places[number].length;

    aerogpu_output_bytes(out, bytes, 4);
    aerogpu_output_u32(out, length); /* of what is present */
    aerogpu_output_bytes(out, bytes + AEROGPU_RECORD_HEADER, length);
}

static bool is_mark(const struct cut *cut, uint32_t number)
{
    uint8_t type = cut->index->data[cut->index->places[number].offset];

    return (type == AEROGPU_RECORD_BEGIN || type == AEROGPU_RECORD_PRESENT) &&
           cut->index->places[number].length >= 4;
}

/* frame_index counts from 0 in a cut, too. */
static uint32_t renumber(const struct cut *cut, uint32_t frame_index)
{
    return frame_index - cut->index->frames[cut->first].entry.frame_index;
}

static void write_mark(const struct cut *cut, uint32_t number, struct aerogpu_output *out)
{
    const struct aerogpu_place *place = &cut->index->places[number];
    const uint8_t *bytes = cut->index->data + place->offset;

    aerogpu_output_bytes(out, bytes, 4);
    aerogpu_output_u32(out, place->length);
    aerogpu_output_u32(out, renumber(cut, aerogpu_index_word(cut->index, number)));
    aerogpu_output_bytes(out, bytes + AEROGPU_RECORD_HEADER + 4, place->length - 4);
}

static void write_header(const struct cut *cut, struct aerogpu_output *out)
{
    const uint8_t *data = cut->index->data;

    aerogpu_output_bytes(out, data, 24);
    aerogpu_output_u32(out, (uint32_t)cut->index->meta_length);
    aerogpu_output_bytes(out, data + 28, 4);
    aerogpu_output_bytes(out, data + AEROGPU_HEADER, cut->index->meta_length);
}

/* What the first frame has in addition to its own records. */
struct head {
    struct aerogpu_dump *dump;
    const struct aerogpu_initial *initial;
    uint64_t size;
    uint64_t ids[MADE_BLOBS];
};

static void write_head(const struct cut *cut, const struct head *head, struct aerogpu_output *out)
{
    uint64_t end = out->at + head->size;

    if (aerogpu_output_wants(out, head->size))
        aerogpu_restore_write(head->dump, head->initial, head->ids, out);
    else
        aerogpu_output_skip(out, head->size);
    if (out->status == 0 && out->at != end)
        out->status = -EIO;
    for (size_t i = 0; i < cut->count; i++)
        write_record(cut, cut->records[i], out);
}

static void write_frame(const struct cut *cut, uint32_t number, const struct head *head,
                        struct aerogpu_output *out)
{
    const struct aerogpu_frame *frame = &cut->index->frames[number];
    struct aerogpu_toc_entry entry = {.frame_index = renumber(cut, frame->entry.frame_index),
                                      .flags = frame->entry.flags,
                                      .start = out->at};
    uint32_t record = frame->first;

    if (record < frame->end && is_mark(cut, record) &&
        cut->index->data[cut->index->places[record].offset] == AEROGPU_RECORD_BEGIN)
        write_mark(cut, record++, out);
    if (number == cut->first)
        write_head(cut, head, out);
    for (; record < frame->end && out->status == 0; record++) {
        if (cut->index->places[record].offset == frame->entry.present)
            entry.present = out->at;
        if (is_mark(cut, record))
            write_mark(cut, record, out);
        else
            write_record(cut, record, out);
    }
    entry.end = out->at;
    if (cut->entries != NULL)
        cut->entries[number - cut->first] = entry;
}

static void write_toc(const struct cut *cut, struct aerogpu_output *out)
{
    const uint32_t count = cut->last - cut->first + 1;
    const uint64_t offset = out->at;

    aerogpu_output_bytes(out, "AEROTOC", 8);
    aerogpu_output_u32(out, 1);
    aerogpu_output_u32(out, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct aerogpu_toc_entry *entry = &cut->entries[i];

        aerogpu_output_u32(out, entry->frame_index);
        aerogpu_output_u32(out, entry->flags);
        aerogpu_output_u64(out, entry->start);
        aerogpu_output_u64(out, entry->present);
        aerogpu_output_u64(out, entry->end);
    }
    aerogpu_output_bytes(out, "AEROGPUF", 8);
    aerogpu_output_u32(out, AEROGPU_FOOTER);
    aerogpu_output_u32(out, cut->index->header.version);
    aerogpu_output_u64(out, offset);
    aerogpu_output_u64(out, AEROGPU_TOC_HEADER + (uint64_t)AEROGPU_TOC_ENTRY * count);
}

static void write_all(const struct cut *cut, const struct head *head, struct aerogpu_output *out)
{
    write_header(cut, out);
    for (uint32_t i = cut->first; i <= cut->last; i++)
        write_frame(cut, i, head, out);
    write_toc(cut, out);
}

/* The walk. The caller of these functions holds `turn`. */

static uint64_t *size_at(struct aerogpu_cutter *cutter, uint32_t frame)
{
    uint64_t first = 0;

    for (int i = 0; i < CHUNKS; i++) {
        uint64_t length = (uint64_t)FIRST_CHUNK << i;

        if (frame - first < length) {
            if (cutter->sizes[i] == NULL)
                cutter->sizes[i] = calloc(length, sizeof(*cutter->sizes[i]));
            return cutter->sizes[i] != NULL ? cutter->sizes[i] + (frame - first) : NULL;
        }
        first += length;
    }
    return NULL;
}

static void find_head(struct aerogpu_dump *dump, const struct aerogpu_initial *initial,
                      struct head *out, bool *replayed)
{
    struct aerogpu_initial_size size;

    aerogpu_initial_size(initial, &size);
    *replayed = size.replayed;
    *out = (struct head){.dump = dump, .initial = initial};
    out->size = aerogpu_restore_size(&size, initial->player.index->header.version);
}

/* Determines the size of the cut of the frame that the walk is before. */
static int know_size(struct aerogpu_dump *dump, const struct aerogpu_initial *initial,
                     const struct cancel *cancel)
{
    struct aerogpu_cutter *cutter = dump->cutter;
    uint32_t frame = initial->player.frame;
    struct aerogpu_toc_entry entry;
    struct aerogpu_output out = {0};
    struct head head;
    struct cut cut;
    bool replayed = false;
    uint64_t *size = NULL;
    int status = 0;

    if (frame < cutter->known)
        return 0;
    find_head(dump, initial, &head, &replayed);
    status = find_needs(initial->player.index, frame, frame, replayed, cancel, &cut);
    if (status == 0) {
        cut.entries = &entry;
        write_all(&cut, &head, &out);
        cut.entries = NULL;
        size = size_at(cutter, frame);
        status = size != NULL ? 0 : -ENOMEM;
    }
    if (status == 0) {
        *size = out.at;
        cutter->known = frame + 1;
    }
    clear_cut(&cut);
    return status;
}

static int begin_walk(const struct aerogpu_dump *dump, struct aerogpu_initial **walk)
{
    int status = 0;

    forget_walk(walk);
    *walk = malloc(sizeof(**walk));
    if (*walk == NULL)
        return -ENOMEM;
    status = aerogpu_initial_init(*walk, aerogpu_dump_index(dump), &dump->limits);
    if (status != 0)
        forget_walk(walk);
    return status;
}

static bool is_before(const struct aerogpu_initial *walk, uint32_t frame)
{
    return walk->player.frame < frame || (walk->player.frame == frame && !walk->is_inside);
}

/*
 * Returns the walk that is nearest before a frame; if there is none, the least recently used one.
 */
static int pick_walk(const struct aerogpu_cutter *cutter, uint32_t frame)
{
    int best = -1, oldest = 0;

    for (int i = 0; i < WALKS; i++) {
        const struct aerogpu_initial *walk = cutter->walks[i];

        if (walk != NULL && is_before(walk, frame) &&
            (best < 0 || walk->player.frame > cutter->walks[best]->player.frame))
            best = i;
        if (cutter->used[i] < cutter->used[oldest])
            oldest = i;
    }
    return best >= 0 ? best : oldest;
}

/* Gets a walk that is before the frame. */
static int walk_to(struct aerogpu_dump *dump, uint32_t frame, const struct cancel *cancel,
                   struct aerogpu_initial **out)
{
    struct aerogpu_cutter *cutter = dump->cutter;
    int number = pick_walk(cutter, frame), status = 0;
    struct aerogpu_initial **walk = &cutter->walks[number];

    cutter->used[number] = ++cutter->uses;
    if (*walk == NULL || !is_before(*walk, frame))
        status = begin_walk(dump, walk);
    if (status != 0)
        return status;
    (*walk)->player.index = aerogpu_dump_index(dump); /* the trace may have grown */
    status = know_size(dump, *walk, cancel);
    while (status == 0 && (*walk)->player.frame < frame) {
        status = aerogpu_initial_next(*walk, cancel);
        if (status == 0)
            status = know_size(dump, *walk, cancel);
    }
    *out = *walk;
    if (status == -ENOMEM)
        forget_walk(walk);
    return status;
}

static int take_turn(struct aerogpu_dump *dump, uint64_t frame, const struct cancel *cancel,
                     struct aerogpu_initial **out)
{
    int status = frame < aerogpu_dump_index(dump)->frame_count
                     ? cancellable_mutex_lock(&dump->cutter->turn, cancel)
                     : -ENOENT;

    if (status != 0)
        return status;
    status = walk_to(dump, (uint32_t)frame, cancel, out);
    if (status != 0)
        cancellable_mutex_unlock(&dump->cutter->turn);
    return status;
}

int aerogpu_cutter_know(struct aerogpu_dump *dump, uint64_t frame, const struct cancel *cancel)
{
    struct aerogpu_initial *walk = NULL;
    int status = 0;

    if (frame < dump->cutter->known)
        return 0;
    status = take_turn(dump, frame, cancel, &walk);
    if (status == 0)
        cancellable_mutex_unlock(&dump->cutter->turn);
    return status;
}

int aerogpu_cut_size(const struct aerogpu_dump *dump, uint64_t frame, uint64_t *size)
{
    if (frame >= aerogpu_dump_index(dump)->frame_count)
        return -ENOENT;
    if (frame >= dump->cutter->known)
        return -EAGAIN;
    *size = *size_at(dump->cutter, (uint32_t)frame);
    return 0;
}

/* Writes consecutive frames, holding `turn` throughout. */
static int write_cut(struct aerogpu_dump *dump, uint64_t first, uint64_t last,
                     struct aerogpu_output *out)
{
    struct head head;
    struct cut cut;
    bool replayed = false;
    struct aerogpu_initial *walk = NULL;
    int status = take_turn(dump, first, out->cancel, &walk);

    if (status != 0)
        return status;
    find_head(dump, walk, &head, &replayed);
    status = find_needs(walk->player.index, (uint32_t)first, (uint32_t)last, replayed, out->cancel,
                        &cut);
    cut.entries = calloc((size_t)(last - first + 1), sizeof(*cut.entries));
    if (status == 0)
        status = cut.entries != NULL ? 0 : -ENOMEM;
    if (status == 0) {
        free_ids(&cut, head.ids);
        write_all(&cut, &head, out);
        status = out->status;
    }
    clear_cut(&cut);
    cancellable_mutex_unlock(&dump->cutter->turn);
    return status;
}

int aerogpu_cut_piece(struct aerogpu_dump *dump, uint64_t frame, uint64_t offset, size_t length,
                      const struct cancel *cancel, struct blob **out)
{
    struct aerogpu_output window = {.from = offset, .to = offset + length, .cancel = cancel};
    int status = blob_create(length, out);

    if (status != 0)
        return status;
    window.bytes = (*out)->data;
    status = write_cut(dump, frame, frame, &window);
    if (status == 0 && window.at < window.to)
        status = -EIO;
    if (status != 0)
        blob_unref(out);
    return status;
}

int aerogpu_cut_range(struct dump *dump, uint64_t first, uint64_t last, const struct cancel *cancel,
                      dump_sink *sink, void *context)
{
    struct aerogpu_output out = {
        .to = UINT64_MAX, .sink = sink, .context = context, .cancel = cancel};

    if (first > last || last >= aerogpu_index_of(dump)->frame_count)
        return -ENOENT;
    return write_cut(aerogpu_dump_of(dump), first, last, &out);
}
