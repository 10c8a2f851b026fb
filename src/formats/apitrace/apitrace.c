/*
 * The apitrace trace as a format: probing, opening, and what the tree may ask.
 */
#include "formats/apitrace/apitrace.h"

#include "formats/apitrace/lines.h"
#include "formats/apitrace/options.h"
#include "formats/apitrace/player.h"
#include "formats/apitrace/rules.h"
#include "formats/apitrace/texts.h"
#include "formats/format.h"

#include <errno.h>
#include <stdlib.h>

struct apitrace_record apitrace_record_of(const struct apitrace_index *index, uint64_t number)
{
    struct apitrace_walk walk;

    apitrace_walk_init(&walk, &index->calls);
    return *apitrace_walk_to(&walk, number);
}

/* Whoever comes while they are being found waits, and finds nothing twice. */
int apitrace_dump_facets(struct dump *dump, const struct cancel *cancel,
                         const struct apitrace_facets **out)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);
    int status = 0;

    pthread_mutex_lock(&apitrace->lock);
    if (!apitrace->has_facets) {
        status = apitrace_facets_find(&apitrace->index, dump->options->max_memory / 4,
                                      dump->problems, cancel, &apitrace->facets);
        apitrace->has_facets = status == 0;
        if (status < 0)
            apitrace_facets_clear(&apitrace->facets);
    }
    pthread_mutex_unlock(&apitrace->lock);
    *out = &apitrace->facets;
    return status;
}

const struct apitrace_facets *apitrace_dump_peek(struct dump *dump)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);
    bool found = false;

    if (pthread_mutex_trylock(&apitrace->lock) == 0) {
        found = apitrace->has_facets;
        pthread_mutex_unlock(&apitrace->lock);
    }
    return found ? &apitrace->facets : NULL;
}

int apitrace_dump_screens(struct dump *dump, const struct cancel *cancel,
                          const struct apitrace_screens **out)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);
    int status = 0;

    pthread_mutex_lock(&apitrace->screens_lock);
    if (!atomic_load(&apitrace->has_screens)) {
        status = apitrace_screens_find(&apitrace->index, cancel, &apitrace->screens);
        if (status < 0)
            apitrace_screens_clear(&apitrace->screens);
        atomic_store(&apitrace->has_screens, status == 0);
    }
    pthread_mutex_unlock(&apitrace->screens_lock);
    *out = &apitrace->screens;
    return status;
}

const struct apitrace_screens *apitrace_dump_peek_screens(struct dump *dump)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(dump);

    return atomic_load(&apitrace->has_screens) ? &apitrace->screens : NULL;
}

/* What the tree asks. */

static uint64_t count_packets(const struct dump *dump)
{
    return apitrace_index_of(dump)->calls.count;
}

static uint64_t count_frames(const struct dump *dump)
{
    return apitrace_index_of(dump)->frame_count;
}

static uint64_t bytes_of(const struct apitrace_record *record)
{
    return record->enter_bytes + record->leave_bytes;
}

static int describe_packet(struct dump *dump, uint64_t number, struct dump_packet *out)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    struct apitrace_record record;

    if (number >= index->calls.count)
        return -ENOENT;
    record = apitrace_record_of(index, number);
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
    const struct apitrace_screens *screens = apitrace_dump_peek_screens(dump);

    if (number >= index->frame_count)
        return -ENOENT;
    if (screens == NULL)
        return -EAGAIN;
    *out = (struct dump_frame){.first_packet = index->frames[number].least,
                               .last_packet = index->frames[number].greatest,
                               .width = screens->frames[number].width,
                               .height = screens->frames[number].height};
    return 0;
}

/* With threads the calls of a frame are not one range of numbers. */
static int next_frame_packet(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *packet)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct apitrace_frame_record *record;
    struct apitrace_walk walk;

    if (frame >= index->frame_count)
        return -ENOENT;
    record = &index->frames[frame];
    apitrace_walk_init(&walk, &index->calls);
    for (*packet = from > record->least ? from : record->least; *packet <= record->greatest;
         ++*packet) {
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

/* All was looked at when the trace was opened. */
static int settle(struct dump *dump, const struct cancel *cancel)
{
    (void)dump, (void)cancel;
    return 0;
}

/* Files of our own wait for shaders and textures, common ones for what frames show. */
static int prepare(struct dump *dump, unsigned rule, uint64_t key, const struct cancel *cancel)
{
    bool both = rule == APITRACE_RULE_FRAME_TEXTURES || rule == APITRACE_RULE_FRAME_TEXTURE;
    const struct apitrace_facets *facets;
    const struct apitrace_screens *screens;
    int status = 0;

    (void)key;
    if (rule >= RULE_FORMAT_FIRST)
        status = apitrace_dump_facets(dump, cancel, &facets);
    if (status == 0 && (both || rule < RULE_FORMAT_FIRST))
        status = apitrace_dump_screens(dump, cancel, &screens);
    return status;
}

static void close_dump(struct dump **dump)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(*dump);

    apitrace_player_destroy(&apitrace->player);
    apitrace_follower_destroy(&apitrace->follower);
    apitrace_screens_clear(&apitrace->screens);
    apitrace_facets_clear(&apitrace->facets);
    apitrace_index_clear(&apitrace->index);
    pthread_mutex_destroy(&apitrace->lock);
    pthread_mutex_destroy(&apitrace->screens_lock);
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
    .frame_info = apitrace_frame_info,
    .frame_state = apitrace_frame_state,
    .frame_picture = apitrace_frame_picture,
    .finish_picture = apitrace_picture_finish,
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

static int open_dump(const struct format_opening *opening, struct dump **out)
{
    const struct apitrace_index_params params = {.source = opening->source,
                                                 .source_params = opening->source_params,
                                                 .max_memory = opening->options->max_memory,
                                                 .problems = opening->problems,
                                                 .message = opening->message};
    struct apitrace_dump *dump = calloc(1, sizeof(*dump));
    int status;

    if (dump == NULL)
        return -ENOMEM;
    dump->base = (struct dump){.ops = &ops,
                               .format = "apitrace",
                               .source = opening->source,
                               .options = opening->options,
                               .problems = opening->problems};
    cancel_init(&dump->base.cancel, NULL);
    pthread_mutex_init(&dump->lock, NULL);
    pthread_mutex_init(&dump->screens_lock, NULL);
    pthread_mutex_init(&dump->state_lock, NULL);
    *out = &dump->base;
    status = apitrace_index_open(&params, &dump->index);
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
    .probe = probe,
    .open = open_dump,
    .rules = apitrace_rules,
    .rule_count = APITRACE_RULES,
    .options = &apitrace_options_table,
};
