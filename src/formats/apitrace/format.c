/*
 * The apitrace trace as a format: probing, opening, and what the tree may ask.
 */
#include "formats/apitrace/dump.h"

#include "core/growth.h"
#include "core/log.h"
#include "formats/apitrace/options.h"
#include "formats/apitrace/replay/player.h"
#include "formats/apitrace/rules.h"
#include "formats/apitrace/views/metadata.h"
#include "formats/apitrace/views/print.h"
#include "formats/apitrace/views/tables.h"
#include "formats/format.h"
#include "tree/tree.h"

#include <errno.h>
#include <stdlib.h>

struct apitrace_record apitrace_record_of(const struct apitrace_index *index, uint64_t number)
{
    struct apitrace_walk walk;

    apitrace_walk_init(&walk, &index->calls);
    return *apitrace_walk_to(&walk, number);
}

static int find_objects(struct apitrace_dump *apitrace, const struct cancel *cancel)
{
    int status =
        apitrace_object_index_find(&apitrace->index, apitrace->base.options->max_memory / 4,
                                   apitrace->base.problems, cancel, &apitrace->objects);

    if (status < 0)
        apitrace_object_index_clear(&apitrace->objects);
    return status;
}

static int find_presentation(struct apitrace_dump *apitrace, const struct cancel *cancel)
{
    int status = apitrace_presentation_find(&apitrace->index, cancel, &apitrace->presentation);

    if (status < 0)
        apitrace_presentation_clear(&apitrace->presentation);
    return status;
}

/* What is found once: threads that come meanwhile wait, and find it there. */
static int find_once(struct apitrace_dump *apitrace, struct turn *turn, atomic_bool *has,
                     int (*find)(struct apitrace_dump *apitrace, const struct cancel *cancel),
                     const struct cancel *cancel)
{
    int status;

    if (atomic_load(has))
        return 0;
    status = turn_take(turn, cancel);
    if (status < 0)
        return status;
    if (!atomic_load(has)) {
        status = find(apitrace, cancel);
        atomic_store(has, status == 0);
    }
    turn_give(turn);
    return status;
}

int apitrace_dump_objects(struct dump *dump, const struct cancel *cancel,
                          const struct apitrace_object_index **out)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);

    *out = &apitrace->objects;
    return find_once(apitrace, &apitrace->objects_turn, &apitrace->has_objects, find_objects,
                     cancel);
}

const struct apitrace_object_index *apitrace_dump_peek_objects(struct dump *dump)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);

    return atomic_load(&apitrace->has_objects) ? &apitrace->objects : NULL;
}

int apitrace_dump_presentation(struct dump *dump, const struct cancel *cancel,
                               const struct apitrace_presentation **out)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);

    *out = &apitrace->presentation;
    return find_once(apitrace, &apitrace->presentation_turn, &apitrace->has_presentation,
                     find_presentation, cancel);
}

const struct apitrace_presentation *apitrace_dump_peek_presentation(struct dump *dump)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);

    return atomic_load(&apitrace->has_presentation) ? &apitrace->presentation : NULL;
}

int apitrace_dump_drawables(struct apitrace_dump *dump, struct retrace_drawable **drawables,
                            size_t *count, uint64_t *changes)
{
    const struct apitrace_presentation *presentation = &dump->presentation;

    pthread_mutex_lock(&dump->drawables_lock);
    *count = (size_t)presentation->drawables.count;
    *changes = presentation->drawables.changes;
    *drawables = calloc(*count + 1, sizeof(**drawables));
    if (*drawables != NULL && *count > 0)
        memcpy(*drawables, presentation->drawables.list, *count * sizeof(**drawables));
    pthread_mutex_unlock(&dump->drawables_lock);
    return *drawables != NULL ? 0 : -ENOMEM;
}

uint64_t apitrace_dump_changes(struct apitrace_dump *dump)
{
    uint64_t changes;

    pthread_mutex_lock(&dump->drawables_lock);
    changes = dump->presentation.drawables.changes;
    pthread_mutex_unlock(&dump->drawables_lock);
    return changes;
}

/* What the tree asks. */

static uint64_t count_packets(const struct dump *dump)
{
    return apitrace_index_of(dump)->shown.packets;
}

static uint64_t count_frames(const struct dump *dump)
{
    return apitrace_index_of(dump)->shown.frames;
}

static uint64_t bytes_of(const struct apitrace_record *record)
{
    return record->enter_bytes + record->leave_bytes;
}

static int describe_packet(struct dump *dump, uint64_t number, struct dump_packet *out)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    struct apitrace_record record;
    int status = apitrace_index_record(index, number, &record);

    if (status < 0)
        return status;
    out->offset = out->data = record.enter;
    out->bytes = bytes_of(&record);
    out->frame = apitrace_index_frame(index, record.order);
    out->type = record.function;
    out->name = apitrace_index_name(index, &record);
    return 0;
}

static int describe_frame(struct dump *dump, uint64_t number, struct dump_frame *out)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct apitrace_presentation *presentation = apitrace_dump_peek_presentation(dump);

    if (number >= index->shown.frames)
        return -ENOENT;
    if (presentation == NULL)
        return -EAGAIN;
    *out = (struct dump_frame){.first_packet = index->frames[number].min_number,
                               .last_packet = index->frames[number].max_number,
                               .width = presentation->frames[number].width,
                               .height = presentation->frames[number].height};
    return 0;
}

/* With threads the calls of a frame are not one range of numbers. */
static int next_frame_packet(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *packet)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct apitrace_frame_record *record;
    struct apitrace_walk walk;

    if (frame >= index->shown.frames)
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

/* The call's bytes in the stream: its enter event, then its leave event. */
static int read_packet(struct dump *dump, uint64_t number, const struct cancel *cancel,
                       struct blob **out)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct apitrace_record record = apitrace_record_of(index, number);
    struct apitrace_reader reader;
    struct blob *blob = NULL;
    int status = blob_create((size_t)bytes_of(&record), &blob);

    if (status < 0)
        return status;
    apitrace_reader_init(&reader, &index->stream, cancel);
    apitrace_reader_seek(&reader, record.enter);
    apitrace_read_bytes(&reader, blob->data, (size_t)record.enter_bytes);
    if (reader.status == 0 && record.leave != APITRACE_NO_LEAVE) {
        apitrace_reader_seek(&reader, record.leave);
        apitrace_read_bytes(&reader, blob->data + record.enter_bytes, (size_t)record.leave_bytes);
    }
    status = apitrace_reader_error(&reader);
    apitrace_reader_clear(&reader);
    if (status < 0)
        blob_unref(&blob);
    *out = blob;
    return status;
}

/* All was looked at when the trace was opened; while it grows, what is known is told. */
static int settle(struct dump *dump, const struct cancel *cancel)
{
    (void)dump, (void)cancel;
    return 0;
}

/* Growing. */

/* As a viewer who looks 60 times a second would have seen them: traces do not tell times. */
static double frame_seconds(const struct dump *dump, uint64_t frame)
{
    (void)dump;
    return (double)frame / 60;
}

static uint64_t growth(const struct dump *dump, bool *ended)
{
    const struct apitrace_index *index = apitrace_index_of(dump);

    *ended = !apitrace_index_grows(index);
    return index->shown.frames;
}

/* Frames whose pictures' sizes are known are shown. */
static int show(struct apitrace_dump *dump, bool final)
{
    uint64_t settled = 0;
    int status;

    pthread_mutex_lock(&dump->drawables_lock);
    status = apitrace_finder_go(dump->finder, final, &settled);
    pthread_mutex_unlock(&dump->drawables_lock);
    if (status == 0 && (final || settled > dump->index.shown.frames)) {
        apitrace_index_show(&dump->index, settled, final);
        tree_grew(dump->base.tree);
    }
    return status;
}

static int frame_indexed(void *context)
{
    return show(context, false);
}

/* struct pass_work's function: to the end in one go, since the index waits by itself. */
static int follow_all(void *context, const struct cancel *cancel, struct pass_position *position)
{
    struct apitrace_dump *dump = context;
    int status = apitrace_index_follow(&dump->index);

    (void)cancel;
    if (status == 0)
        status = show(dump, true);
    position->known = dump->index.shown.packets;
    position->frames = dump->index.shown.frames;
    position->ended = status == 0;
    return status;
}

static void *follow_in_background(void *context)
{
    struct apitrace_dump *dump = context;
    int status = pass_wait_all(&dump->pass, &dump->base.cancel);

    if (status < 0 && status != -EINTR)
        log_write(LOG_ERR, "the trace cannot be followed any more: %s", strerror(-status));
    return NULL;
}

static void start(struct dump *dump)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);

    if (!dump->followed)
        return;
    if (growth_start(dump->source->growth) != 0 ||
        pass_start(&apitrace->pass, follow_in_background, apitrace) != 0)
        log_write(LOG_ERR, "the trace cannot be followed for want of a thread");
}

/* Files of our own wait for shaders and textures, common ones for what frames show. */
static int prepare(struct dump *dump, unsigned rule, uint64_t key, const struct cancel *cancel)
{
    bool both = rule >= APITRACE_RULE_FRAME_TEXTURES && rule <= APITRACE_RULE_FRAME_DRAW;
    const struct apitrace_object_index *objects;
    const struct apitrace_presentation *presentation;
    int status = 0;

    (void)key;
    if (rule >= RULE_FORMAT_FIRST && !apitrace_index_grows(apitrace_index_of(dump)))
        status = apitrace_dump_objects(dump, cancel, &objects);
    if (status == 0 && (both || rule < RULE_FORMAT_FIRST))
        status = apitrace_dump_presentation(dump, cancel, &presentation);
    return status;
}

static void close_dump(struct dump **dump)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(*dump);

    cancel_raise(&apitrace->base.cancel);
    pass_join(&apitrace->pass);
    pass_destroy(&apitrace->pass);
    apitrace_finder_destroy(&apitrace->finder);
    apitrace_player_destroy(&apitrace->player);
    apitrace_follower_destroy(&apitrace->follower);
    apitrace_presentation_clear(&apitrace->presentation);
    apitrace_object_index_clear(&apitrace->objects);
    apitrace_index_clear(&apitrace->index);
    turn_destroy(&apitrace->objects_turn);
    turn_destroy(&apitrace->presentation_turn);
    pthread_mutex_destroy(&apitrace->drawables_lock);
    pthread_mutex_destroy(&apitrace->state_lock);
    free(apitrace);
    *dump = NULL;
}

static const struct dump_ops ops = {
    .packets = count_packets,
    .frames = count_frames,
    .packet = describe_packet,
    .frame = describe_frame,
    .next_frame_packet = next_frame_packet,
    .packet_bytes = read_packet,
    .prepare = prepare,
    .metadata = apitrace_metadata,
    .settle = settle,
    .packet_table = {.head = apitrace_packets_head,
                     .pieces = apitrace_packets_pieces,
                     .piece = apitrace_packets_piece},
    .frame_packet_table = {.head = apitrace_packets_head,
                           .pieces = apitrace_frame_pieces,
                           .piece = apitrace_frame_packets_piece},
    .frame_table = {.head = apitrace_frames_head,
                    .pieces = apitrace_frames_pieces,
                    .piece = apitrace_frames_piece},
    .packet_text = {.pieces = apitrace_packet_text_pieces, .piece = apitrace_packet_text_piece},
    .command_place = apitrace_call_place,
    .frame_info = apitrace_frame_info,
    .frame_state = apitrace_frame_state,
    .frame_picture = apitrace_frame_picture,
    .finish_picture = apitrace_picture_finish,
    .growth = growth,
    .frame_seconds = frame_seconds,
    .start = start,
    .close = close_dump,
    .introduction =
        "This is a trace that apitrace recorded: every call of a program to OpenGL, GLES, EGL, "
        "GLX, WGL, CGL or Direct3D. A packet is a call, and its number the call's. Begin with "
        "by-frame/000000/calls.txt: all of these in their order are what `apitrace dump "
        "--color=never` prints. Calls that it hides unless asked with -v are in "
        "calls-verbose.txt. Frames of OpenGL have pictures; those of Direct3D have none, since "
        "nothing here can draw them.",
};

/* Opening. */

static int probe(const struct format_opening *opening)
{
    return apitrace_stream_probe(opening->source);
}

static int open_index(struct apitrace_dump *dump, const struct format_opening *opening)
{
    struct apitrace_index_params params = {.source = opening->source,
                                           .source_params = opening->source_params,
                                           .max_memory = opening->options->max_memory,
                                           .threads = opening->options->threads,
                                           .problems = opening->problems,
                                           .message = opening->message,
                                           .indexed = frame_indexed,
                                           .context = dump};
    int status;

    if (!dump->base.followed)
        return apitrace_index_open(&params, &dump->index);
    dump->source_params = *opening->source_params;
    dump->source_params.cancel = &dump->base.cancel;
    dump->source_params.progress = NULL;
    params.source_params = &dump->source_params;
    status = apitrace_index_open(&params, &dump->index);
    if (status == 0)
        status = apitrace_finder_create(&dump->index, &dump->base.cancel, &dump->presentation,
                                        &dump->finder);
    atomic_store(&dump->has_presentation, status == 0);
    return status;
}

static int open_dump(const struct format_opening *opening, struct dump **out)
{
    struct apitrace_dump *dump = calloc(1, sizeof(*dump));
    const struct pass_work work = {.advance = follow_all, .context = dump};
    int status;

    if (dump == NULL)
        return -ENOMEM;
    dump->base = (struct dump){.ops = &ops,
                               .format = "apitrace",
                               .source = opening->source,
                               .options = opening->options,
                               .problems = opening->problems,
                               .followed = opening->source->growth != NULL};
    cancel_init(&dump->base.cancel, NULL);
    pass_init(&dump->pass, &work);
    turn_init(&dump->objects_turn);
    turn_init(&dump->presentation_turn);
    pthread_mutex_init(&dump->drawables_lock, NULL);
    pthread_mutex_init(&dump->state_lock, NULL);
    *out = &dump->base;
    status = open_index(dump, opening);
    dump->index.stream.cache = &dump->base.cache;
    if (status == 0)
        status = apitrace_player_create(dump, &dump->player);
    if (status < 0)
        close_dump(out);
    return status;
}

const struct format apitrace_format = {
    .name = "apitrace",
    .title = "apitrace trace",
    .takes_packed = true,
    .grows = true,
    .probe = probe,
    .open = open_dump,
    .rules = apitrace_rules,
    .rule_count = APITRACE_RULES,
    .options = &apitrace_options_table,
};
